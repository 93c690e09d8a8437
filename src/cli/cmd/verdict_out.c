/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict of a run, written. */
#include "config.h"

#include "cli/cmd/verdict_out.h"

#include <inttypes.h>
#include <math.h>

#include "base/lang/tr.h"
#include "cli/cmd/cmd.h"

static const struct view_col people_cols[] = {
    CMD_TEXT("severity", "Sev", "ERROR, WARN, INFO, GOOD"),
    CMD_TEXT("text", "Verdict", "what matters, worst first"),
};
static const struct view_col all_cols[] = {
    CMD_TEXT("kind", "Kind", "the rule"),
    CMD_TEXT("severity", "Sev", "ERROR, WARN, INFO, GOOD"),
    CMD_NUMBER("of_rank", "Of rank", VU_NONE, "rank it is about"),
    CMD_NUMBER("step", "Step", VU_NONE, "step it is about"),
    CMD_TEXT("op", "Op", "op it is about, full name"),
    CMD_NUMBER("value", "Value", VU_NONE, "what the rule compares"),
    CMD_TEXT("unit", "Unit", "of the value: ns or share"),
    CMD_NUMBER("at_unix_ns", "At", VU_NS, "when, Unix time"),
    CMD_TEXT("text", "Verdict", "sentence"),
    CMD_TEXT("target", "Pane", "where the proof is"),
};

int verdict_of(struct verdict *out, struct session *s, const struct ending *x, const struct job_logs *logs,
               struct err *e)
{
    struct peers *p = NULL;

    if (peers_make(&p, s, e) == OK)
        verdict_make(out, s, p, x, logs);
    peers_free(p);
    return e->code;
}

int verdict_print(const struct verdict *v, struct writer *w, bool people, struct err *e)
{
    const struct view_col *cols[ARRAY_LEN(all_cols)];
    size_t n = people ? ARRAY_LEN(people_cols) : ARRAY_LEN(all_cols);

    for (size_t i = 0; i < n; i++)
        cols[i] = people ? &people_cols[i] : &all_cols[i];
    if (writer_begin(w, "verdict", N_("Verdict"), cols, n, e))
        return e->code;
    for (size_t i = 0; i < v->n; i++) {
        const struct verdict_line *l = &v->line[i];
        const char *unit = verdict_unit(l->kind);
        const struct val few[] = { val_cstr(verdict_severity(l->kind)), val_cstr(l->text) };
        const struct val all[] = {
            val_cstr(verdict_word(l->kind)),
            val_cstr(verdict_severity(l->kind)),
            l->rank < 0 ? val_null() : val_int(l->rank),
            l->step == NO_STEP ? val_null() : val_int(l->step),
            l->op[0] ? val_cstr(l->op) : val_null(),
            isnan(l->value) ? val_null() : val_real(l->value),
            unit && !isnan(l->value) ? val_cstr(unit) : val_null(),
            l->at_unix_ns ? val_int(l->at_unix_ns) : val_null(),
            val_cstr(l->text),
            val_cstr(pane_word(l->go)),
        };
        if (writer_row(w, people ? few : all, e))
            return e->code;
    }
    return writer_end(w, e);
}

static void add_text(struct buf *b, const char *key, const char *text)
{
    buf_printf(b, "\"%s\": ", key);
    if (text && text[0])
        write_json_string(b, str_of(text));
    else
        buf_puts(b, "null");
    buf_puts(b, ", ");
}

static void add_int(struct buf *b, const char *key, bool known, int64_t v)
{
    if (known)
        buf_printf(b, "\"%s\": %" PRId64 ", ", key, v);
    else
        buf_printf(b, "\"%s\": null, ", key);
}

static void add_line(const struct verdict_line *l, struct buf *b)
{
    buf_puts(b, "{");
    add_text(b, "kind", verdict_word(l->kind));
    add_text(b, "severity", verdict_severity(l->kind));
    add_int(b, "rank", l->rank >= 0, l->rank);
    add_int(b, "step", l->step != NO_STEP, l->step);
    add_text(b, "op", l->op);
    if (isfinite(l->value))
        buf_printf(b, "\"value\": %.6g, ", l->value);
    else
        buf_puts(b, "\"value\": null, ");
    add_text(b, "unit", isfinite(l->value) ? verdict_unit(l->kind) : NULL);
    add_int(b, "at_unix_ns", l->at_unix_ns != 0, l->at_unix_ns);
    add_text(b, "text", l->text);
    buf_puts(b, "\"target\": ");
    write_json_string(b, str_of(pane_word(l->go)));
    buf_puts(b, "}");
}

void verdict_add_json(const struct verdict *v, struct buf *b)
{
    buf_puts(b, "\"verdict\": [");
    for (size_t i = 0; i < v->n; i++) {
        buf_puts(b, i ? ",\n  " : "\n  ");
        add_line(&v->line[i], b);
    }
    buf_puts(b, "\n],\n");
}
