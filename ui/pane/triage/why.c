/* SPDX-License-Identifier: Apache-2.0 */
/* Why a finding was found: its text, the command that shows it, the first rows of its evidence. */
#include "config.h"

#include "ui/pane/triage/why.h"

#include <math.h>
#include <stdio.h>

#include "base/lang/fill.h"
#include "base/lang/tr.h"
#include "model/writer/export.h"
#include "ui/app/app_int.h"

#define LABEL_W       12 /* cells */
#define EVIDENCE_ROWS 10
#define EVIDENCE_COLS 400 /* the window wraps it below its last column */

/* The rows that show a finding, at most ten, as text. */
static int add_text(void *arg, struct str s, struct err *e)
{
    (void)e;
    buf_add(arg, s);
    return OK;
}

static int write_evidence(struct view *v, struct buf *b, struct err *e)
{
    const struct write_to to = { .add = add_text, .arg = b, .width = EVIDENCE_COLS };
    const struct write_opts wo = { .format = FMT_TEXT, .header = true };
    const struct export_rows o = { .top = EVIDENCE_ROWS, .times = VIEW_RELATIVE };
    struct writer *w = NULL;
    if (writer_new(&w, &to, &wo, e) == OK)
        (void)!export_view(w, v, &o, e);
    writer_free(w);
    return e->code;
}

static void add_evidence(struct pane *p, const struct triage_finding *f, int of_rank, struct buf *b)
{
    struct session *s = app_session(p->app);
    struct store *store = session_store(s, session_rank(s, session_current(s))->unit);
    struct view *v = NULL;
    struct err e = ERR_INIT;
    char rank[16];
    if (!f->sql || !store)
        return;
    /* Statements of checks have the parameter :rank; here the number takes its place. */
    struct buf sql;
    buf_init(&sql, 65536);
    snprintf(rank, sizeof rank, "%d", of_rank);
    struct str text = str_of(f->sql);
    for (size_t i = 0; i < text.n;) {
        if (str_starts(str_sub(text, i, text.n), STR(":rank"))) {
            buf_puts(&sql, rank);
            i += 5;
        } else {
            buf_addc(&sql, text.p[i++]);
        }
    }
    if (view_open_sql(&v, store, buf_str(&sql), &e) == OK && view_rows(v)) {
        buf_printf(b, tr("\n# Evidence (%zu row%s%s)\n"), view_rows(v), view_rows(v) == 1 ? "" : "s",
                   view_rows(v) > EVIDENCE_ROWS ? tr(", the first ten") : "");
        if (write_evidence(v, b, &e))
            buf_printf(b, "%s\n", e.text);
        buf_puts(b, tr("\n; in pane SQL shows them all:\n  "));
        buf_add(b, buf_str(&sql));
        buf_addc(b, '\n');
    }
    view_close(v);
    buf_done(&sql);
}

/* The command that prints the rows without a screen. */
static void add_command(struct buf *b, const struct triage_finding *f)
{
    const struct pane_def *d = &pane_defs[f->go];
    struct str word = str_of(d->prefix);

    word = str_sub(word, 0, str_chr(word, '.'));
    fill_label(b, "Command", LABEL_W);
    if (f->filter[0] && d->id != PANE_TRIAGE)
        buf_printf(b, "npuscope %.*s -f '%s' PATH\n", (int)word.n, word.p, f->filter);
    else
        buf_puts(b, "npuscope report PATH\n");
}

void triage_show_why(struct pane *p, const struct triage_finding *f, int rank, size_t number)
{
    struct buf b;
    char title[48];
    buf_init(&b, (size_t)1 << 20);
    buf_printf(&b, "%s\n\n", f->text);
    fill_label(&b, "Rule", LABEL_W);
    buf_printf(&b, "%s %s\n", f->severity, f->rule);
    if (!isnan(f->gain)) {
        fill_label(&b, "Gain", LABEL_W);
        buf_printf(&b, tr("at most %.1f%% of the mean step\n"), f->gain * 100);
    }
    fill_label(&b, "Look at", LABEL_W);
    buf_printf(&b, "%s\n", tr_pane(pane_defs[f->go].title));
    if (f->filter[0]) {
        fill_label(&b, "Filter", LABEL_W);
        buf_printf(&b, "%s\n", f->filter);
    }
    add_command(&b, f);
    add_evidence(p, f, rank, &b);
    snprintf(title, sizeof title, tr("Finding %zu"), number);
    app_show_text(p->app, title, &b);
    buf_done(&b);
}
