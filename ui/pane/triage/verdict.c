/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict of Triage: drawing, keys, proof. */
#include "config.h"

#include "ui/pane/triage/verdict.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/lang/tr.h"
#include "ui/app/app_int.h"

void triage_verdict_made(struct triage_verdict *v)
{
    const struct verdict *all = dash_verdict(v->d);

    if (v->line >= all->n)
        v->line = 0;
    if (!v->moved)
        v->on = all->line[0].kind != VERDICT_NONE;
}

static void go_of(void *arg, enum pane_id id, char *buf, size_t n)
{
    const struct pane *p = arg;

    keymap_key(app_keys(p->app), pane_defs[id].key, &(struct key_where){ .scopes = SC_GLOBAL }, buf, n);
}

int triage_verdict_draw(struct triage_verdict *v, struct pane *p, bool here, struct canvas *c, struct rect a)
{
    const struct dash_verdict_opts o = {
        .cursor = here ? v->line : SIZE_MAX, .slow = app_slow(p->app), .go = go_of, .arg = p, .row = v->row
    };

    return dash_draw_verdict(v->d, c, a, &o);
}

/* ---- what Enter and t show ---- */

static void show_proof(const struct triage_verdict *v, struct pane *p, const struct triage *t)
{
    struct buf b;

    buf_init(&b, (size_t)1 << 20);
    enum verdict_kind kind = dash_verdict(v->d)->line[v->line].kind;
    const struct job_logs *logs = app_logs_known(p->app);
    if ((kind == VERDICT_DIED || kind == VERDICT_FIRST || kind == VERDICT_CLOCKS) && logs)
        job_logs_explain(logs, &b);
    else
        dash_why(v->d, v->line, &b);
    if (t && t->verdict.n)
        buf_printf(&b, tr("\n# State: %s\n"), run_state_word(t->verdict.state));
    for (size_t i = 0; t && i < t->verdict.n; i++)
        buf_printf(&b, "%s\n", t->verdict.evidence[i]);
    app_show_text(p->app, "Verdict", &b);
    buf_done(&b);
}

/* The timeline of the line's rank: where its op began, or at its step. */
static void show_time(const struct triage_verdict *v, struct pane *p)
{
    const struct verdict_line l = dash_verdict(v->d)->line[v->line]; /* another rank makes another verdict */
    int64_t ts_ns = 0;
    bool at = dash_time(v->d, v->line, &ts_ns);
    char go[48];

    if (l.index != SIZE_MAX && l.index != session_current(app_session(p->app)))
        app_select_rank(p->app, l.index);
    if (at) {
        app_show_time(p->app, ts_ns, 0);
        return;
    }
    app_show_pane(p->app, PANE_TIME, true);
    if (l.step == NO_STEP)
        return;
    snprintf(go, sizeof go, "go step %" PRId64, l.step);
    command_run(p->app, str_of(go));
}

/* ---- keys ---- */

/* Up from the first row goes to the verdict, down from its last line back. */
bool triage_verdict_key(struct triage_verdict *v, struct pane *p, const struct triage_verdict_at *at,
                        enum action act)
{
    size_t n = v->d ? dash_verdict(v->d)->n : 0;

    if (!n || (!at->here && (act != ACT_UP || !at->top)))
        return false;
    v->moved |= act != ACT_OPEN && act != ACT_TIMELINE;
    if (!at->here) {
        v->on = true;
        v->line = n - 1;
        return true;
    }
    switch (act) {
    case ACT_DOWN:
        if (v->line + 1 < n)
            v->line++;
        else
            v->on = false;
        return true;
    case ACT_UP:
        v->line -= v->line > 0;
        return true;
    case ACT_FIRST:
        v->line = 0;
        return true;
    case ACT_OPEN:
        show_proof(v, p, at->t);
        return true;
    case ACT_TIMELINE:
        show_time(v, p);
        return true;
    case ACT_PAGE_DOWN:
    case ACT_HALF_DOWN:
    case ACT_LAST:
        v->on = false;
        return false;
    default:
        return false;
    }
}

/* A click chooses a line, a double click opens its proof; one below goes to the list. */
bool triage_verdict_mouse(struct triage_verdict *v, struct pane *p, const struct triage *t,
                          const struct key_event *k)
{
    if (!v->d || p->depth || (k->mouse != MOUSE_PRESS && k->mouse != MOUSE_DOUBLE))
        return false;
    v->moved = true;
    v->on = false;
    for (size_t i = 0; i < dash_verdict(v->d)->n; i++)
        if (k->y == v->row[i]) {
            v->on = true;
            v->line = i;
        }
    if (v->on && k->mouse == MOUSE_DOUBLE)
        show_proof(v, p, t);
    return v->on;
}

const struct pane_need triage_verdict_needs[] = {
    { ACT_DOWN, NULL, NULL }, { ACT_UP, NULL, NULL },       { ACT_FIRST, NULL, NULL },
    { ACT_OPEN, NULL, NULL }, { ACT_TIMELINE, NULL, NULL }, { ACT_NONE, NULL, NULL },
};

const struct key_bar triage_verdict_bar[] = {
    { ACT_OPEN, ACT_NONE, "proof" },
    { ACT_DOWN, ACT_UP, "next" },
    { ACT_TIMELINE, ACT_NONE, NULL },
    { ACT_COMMAND, ACT_NONE, NULL },
};
const size_t triage_verdict_n_bar = ARRAY_LEN(triage_verdict_bar);
