/* SPDX-License-Identifier: Apache-2.0 */
/*
 * csv: commas, double quotes where a field needs them (RFC 4180), lines end in LF. NULL is an empty field, an
 * empty text "". The bytes are those of the profile, also invalid UTF-8; a cell that begins with = is left as
 * it is.
 */
#include "config.h"

#include "base/text.h"
#include "model/writer/writer_int.h"

static bool needs_quotes(struct str s)
{
    static const char special[] = ",\"\r\n\t";

    if (!s.n || s.p[0] == ' ' || s.p[s.n - 1] == ' ')
        return true;
    for (size_t i = 0; i < s.n; i++)
        if (!s.p[i] || memchr(special, s.p[i], sizeof special - 1))
            return true;
    return false;
}

static void add_text(struct buf *out, struct str s)
{
    if (!needs_quotes(s)) {
        buf_add(out, s);
        return;
    }
    buf_addc(out, '"');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '"')
            buf_addc(out, '"');
        buf_addc(out, s.p[i]);
    }
    buf_addc(out, '"');
}

static void put_field(struct buf *out, const struct val *v, bool safe, unsigned text_flags)
{
    char num[64];

    if (v->t != VAL_TEXT) {
        buf_puts(out, write_number(num, sizeof num, v));
    } else if (!safe) {
        add_text(out, v->s);
    } else {
        struct buf b;
        buf_init(&b, (size_t)16 << 20);
        text_safe(&b, v->s, text_flags);
        add_text(out, buf_str(&b));
        if (buf_failed(&b))
            out->failed = true;
        buf_done(&b);
    }
}

static int begin(struct writer *w, struct err *e)
{
    if (w->tables)
        buf_addc(&w->line, '\n'); /* results of several statements: an empty line between */
    for (size_t i = 0; w->o.header && i < w->n_cols; i++) {
        const struct val name = val_cstr(w->cols[i]->id);
        if (i)
            buf_addc(&w->line, ',');
        put_field(&w->line, &name, w->to.terminal, w->o.text_flags);
    }
    if (w->o.header)
        buf_addc(&w->line, '\n');
    return write_line(w, e);
}

static int row(struct writer *w, const struct val *v, struct err *e)
{
    for (size_t i = 0; i < w->n_cols; i++) {
        if (i)
            buf_addc(&w->line, ',');
        put_field(&w->line, &v[i], w->to.terminal, w->o.text_flags);
    }
    /* One empty field alone would be an empty line, which readers skip. */
    if (w->n_cols == 1 && v[0].t == VAL_NULL)
        buf_puts(&w->line, "\"\"");
    buf_addc(&w->line, '\n');
    return write_line(w, e);
}

static int end(struct writer *w, struct err *e)
{
    (void)w;
    (void)e;
    return OK;
}

const struct format_ops csv_ops = { begin, row, end };
