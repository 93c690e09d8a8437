/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the verdict share: ranks by place, lists of ranks. */
#include "config.h"

#include "logs/verdict_int.h"

const char *verdict_id(const struct gather *g, size_t event)
{
    return signature_at(logs_event(g->l, event)->sig)->id;
}

int verdict_proc(const struct gather *g, int rank)
{
    return logs_proc_of_rank(g->l, rank);
}

/* Ranks of a server follow its devices: what one of them has tells the others. */
int verdict_rank_at(const struct gather *g, struct str ip, int device)
{
    int base = -1;

    for (size_t i = 0; i < g->n && ip.n && device >= 0; i++) {
        const struct log_proc *p = logs_proc(g->l, i);
        if (!str_eq(str_of(p->ip), ip) || p->rank < 0)
            continue;
        if (p->device == device || (p->device < 0 && p->phy == device))
            return p->rank;
        int b = p->device >= 0 ? p->rank - p->device : -1;
        if (b >= 0 && base >= 0 && b != base)
            return -1;
        base = b;
    }
    return base >= 0 && base + device < g->n_ranks ? base + device : -1;
}

void verdict_unowned(const struct gather *g, struct found_ranks *out)
{
    for (int cause = 1; cause >= 0 && out->event == LOG_NO_EVENT; cause--)
        for (size_t i = 0; i < logs_n_events(g->l) && out->event == LOG_NO_EVENT; i++) {
            const struct log_rec *r = logs_event(g->l, i);
            enum cause_class cls = signature_at(r->sig)->cls;
            bool process = r->kind == LOG_PLOG || r->kind == LOG_DEVLOG || r->kind == LOG_CONSOLE ||
                           r->kind == LOG_LAUNCHER;
            if (r->apart || r->rank >= 0 || !process || cls == CAUSE_NONE || cls == CAUSE_STOP ||
                r->role != (cause ? LOG_CAUSE : LOG_CONSEQUENCE) || !strcmp(verdict_id(g, i), "DP01"))
                continue;
            *out = (struct found_ranks){ .cls = cause ? cls : CAUSE_UNKNOWN, .sure = LOG_LOW, .event = i };
        }
}

int verdict_add_rank(struct found_ranks *f, int rank, struct gather *g, struct err *e)
{
    if (!f->v) {
        f->v = arena_array(g->a, (size_t)g->n_ranks + 1, sizeof *f->v);
        if (!f->v)
            return err_nomem(e);
    }
    for (size_t i = 0; f->n && rank <= f->most && i < f->n; i++)
        if (f->v[i] == rank)
            return OK;
    if (rank >= 0 && f->n < (size_t)g->n_ranks) {
        f->most = f->n && f->most > rank ? f->most : rank;
        f->v[f->n++] = rank;
    }
    return OK;
}

static bool swapped(const struct gather *g, size_t a, size_t b)
{
    if (a == LOG_NO_EVENT || b == LOG_NO_EVENT)
        return false;
    const struct log_rec *x = logs_event(g->l, a), *y = logs_event(g->l, b);
    if (x->server == y->server || x->utc_ns == LOG_NO_UTC || y->utc_ns == LOG_NO_UTC)
        return false;
    int64_t own_x = logs_written(g->l, x), own_y = logs_written(g->l, y);
    return (x->utc_ns < y->utc_ns && own_x >= own_y) || (x->utc_ns > y->utc_ns && own_x <= own_y);
}

static bool swapped_with(const struct gather *g, size_t event, const struct suspect *s)
{
    return swapped(g, event, s->cause) || swapped(g, event, s->wait) || swapped(g, event, s->setup) ||
           swapped(g, event, s->exit);
}

bool verdict_reordered(const struct gather *g, const struct found_ranks *f, size_t first)
{
    for (size_t i = 0; i < g->n; i++) {
        if (swapped_with(g, first, &g->of[i]))
            return true;
        for (size_t k = 0; k < f->n; k++) {
            int p = verdict_proc(g, f->v[k]);
            if (p >= 0 &&
                (swapped_with(g, g->of[p].cause, &g->of[i]) || swapped_with(g, g->of[p].exit, &g->of[i])))
                return true;
        }
    }
    return false;
}
