/* SPDX-License-Identifier: Apache-2.0 */
/*
 * As msprof's analysis/msparser/iter_rec/iter_rec_parser.py counts: ends of cube and communication tasks in
 * the log of tasks say how many records each iteration has, from the last one backwards; the records of
 * vector ops are not counted, so that iterations get those of others. What is read so goes in turn to the
 * rows of op_summary, by stream and task id (viewer/ai_core_op_report.py).
 */
#include "config.h"

#include "msprof/tables/pmu_window.h"

#include <stdlib.h>

#include "msprof/tables/ops.h"
#include "msprof/window.h"

enum { TAG_BEGIN = 1, TAG_END = 4 }; /* doc/formats/prof.md#ts_track */

struct event { /* of the log of tasks */
    uint64_t at;
    uint32_t task;
    bool ends;
};

struct counting {
    const struct msprof_run *r;
    const struct prof_device *d;
    const struct prof_step *step; /* by end */
    size_t n_steps;
    bool any;           /* an iteration was found */
    size_t now, active; /* iterations; n_steps: none */
    int64_t *inside,
        *outside;   /* records of each iteration, and of none before it; one more, after the last */
    int64_t *first; /* record of each iteration */
    uint64_t *mark; /* ids of tasks that write the first or the last mark of an iteration */
    size_t n_marks;
    uint32_t cube, comm, cpu; /* texts of task types */
};

struct waiting { /* a record that is handed out */
    uint64_t key;
    uint32_t task, used; /* used: of the first one of a key, how many are gone */
};

static uint64_t key_of(uint32_t stream, uint32_t task)
{
    return (uint64_t)stream << 32 | task;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static int by_time(const void *a, const void *b)
{
    const struct event *x = a, *y = b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (int)y->ends - (int)x->ends;
}

static struct event *events_of(const struct prof_device *d, size_t *n)
{
    struct event *v = calloc(2 * d->n_tasks + 1, sizeof *v);

    *n = 0;
    for (size_t i = 0; v && i < d->n_tasks; i++) {
        if (d->task[i].source != PROF_BY_HWTS)
            continue;
        v[(*n)++] = (struct event){ d->task[i].start, (uint32_t)i, false };
        v[(*n)++] = (struct event){ d->task[i].end, (uint32_t)i, true };
    }
    if (v)
        qsort(v, *n, sizeof *v, by_time);
    return v;
}

static uint64_t *marks_of(const struct prof_device *d, size_t *n)
{
    uint64_t *v = malloc((d->n_marks + 1) * sizeof *v);

    *n = 0;
    for (size_t i = 0; v && i < d->n_marks; i++)
        if (d->mark[i].tag == TAG_BEGIN || d->mark[i].tag == TAG_END)
            v[(*n)++] = key_of(d->mark[i].stream, d->mark[i].task);
    if (v)
        qsort(v, *n, sizeof *v, by_number);
    return v;
}

static bool is_mark(const struct counting *c, const struct prof_task *t)
{
    uint64_t key = key_of(t->stream, t->task);

    return bsearch(&key, c->mark, c->n_marks, sizeof key, by_number) != NULL;
}

/* What counts as having a record while an iteration is active. */
static bool counts(const struct counting *c, const struct prof_task *t)
{
    const struct prof_host *h = &c->r->m.host;

    if (c->active >= c->n_steps || t->host >= h->n_tasks || h->task[t->host].op >= h->n_ops)
        return false;
    const struct prof_host_task *y = &h->task[t->host];
    const struct prof_step *s = &c->step[c->active];
    return (h->op[y->op].core == c->cube || h->op[y->op].core == c->comm) && y->model == s->model &&
           (!y->request || y->request == s->index);
}

/* What comes before the first task with ids of its own belongs nowhere. */
static void meet(struct counting *c, const struct event *x)
{
    const struct prof_task *t = &c->d->task[x->task];
    bool own = !is_mark(c, t);

    c->any |= own;
    if (!c->any)
        return;
    if (own)
        while (c->now < c->n_steps && x->at > c->step[c->now].end)
            c->now++;
    bool in = c->now < c->n_steps && x->at >= c->step[c->now].start && x->at <= c->step[c->now].end;
    bool has = x->ends && counts(c, t); /* as the iteration that was active before sees it */
    if (!in) {
        c->outside[c->now] += has;
        return;
    }
    c->active = c->now;
    c->inside[c->now] += has;
}

/* Where the records of each iteration begin; what is missing was overwritten first. */
static void place(struct counting *c, int64_t records)
{
    int64_t left = records;

    for (size_t i = c->n_steps; i-- > 0;) {
        left -= c->outside[i + 1] + c->inside[i];
        if (left < 0)
            c->inside[i] = c->inside[i] + left > 0 ? c->inside[i] + left : 0;
        c->first[i] = left < 0 ? 0 : left;
    }
}

/* ---- handing out ---- */

static int by_turn(const void *a, const void *b)
{
    const struct waiting *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->used < y->used ? -1 : x->used > y->used;
}

/* Records first .. first + n of the file (the numbers of counters are their order); by ids, then in order. */
static struct waiting *waiting_of(const struct prof_device *d, size_t first, size_t n, size_t *got)
{
    struct waiting *v = calloc(n + 1, sizeof *v);

    *got = 0;
    for (size_t i = 0; v && i < d->n_tasks; i++) {
        const struct prof_task *t = &d->task[i];
        if (t->counter >= first && t->counter - first < n && *got < n)
            v[(*got)++] = (struct waiting){ key_of(t->stream, t->task), (uint32_t)i, t->counter };
    }
    if (v)
        qsort(v, *got, sizeof *v, by_turn);
    for (size_t i = 0; v && i < *got; i++)
        v[i].used = 0;
    return v;
}

/* The next record of these ids; PROF_NONE: there is none left. */
static uint32_t take(struct waiting *v, size_t n, uint64_t key)
{
    size_t lo = 0, hi = n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (v[mid].key < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo >= n || v[lo].key != key)
        return PROF_NONE;
    size_t at = lo + v[lo].used;
    if (at >= n || v[at].key != key)
        return PROF_NONE;
    v[lo].used++;
    return v[at].task;
}

/* Rows in order; a task of communication takes a record, too, and is no row then. */
static void hand_out(const struct counting *c, size_t dev, struct waiting *v, size_t n, uint32_t *from)
{
    const struct prof_host *h = &c->r->m.host;

    for (size_t i = 0; i < c->d->n_tasks; i++) {
        const struct prof_task *t = &c->d->task[i];
        if (t->host < h->n_tasks && h->task[t->host].op < h->n_ops &&
            h->op[h->task[t->host].op].core != c->cpu && msprof_keeps_row(c->r, dev, t))
            from[i] = take(v, n, key_of(t->stream, t->task));
    }
}

/* The records of the iterations that are exported: first and number. */
static void window_of(const struct counting *c, size_t *first, size_t *n)
{
    const struct msprof_options *o = c->r->o;
    int64_t from = INT64_MAX, to = 0;

    for (size_t i = 0; i < c->n_steps; i++) {
        const struct prof_step *s = &c->step[i];
        if (!msprof_window_has_step(o, s))
            continue;
        from = c->first[i] < from ? c->first[i] : from;
        to = c->first[i] + c->inside[i] > to ? c->first[i] + c->inside[i] : to;
    }
    *first = to > from ? (size_t)from : 0;
    *n = to > from ? (size_t)(to - from) : 0;
}

static bool begin(struct counting *c)
{
    c->inside = calloc(c->n_steps + 1, sizeof *c->inside);
    c->outside = calloc(c->n_steps + 1, sizeof *c->outside);
    c->first = calloc(c->n_steps + 1, sizeof *c->first);
    c->mark = marks_of(c->d, &c->n_marks);
    c->active = c->n_steps;
    return c->inside && c->outside && c->first && c->mark;
}

static void end(struct counting *c)
{
    free(c->inside);
    free(c->outside);
    free(c->first);
    free(c->mark);
}

uint64_t msprof_log_from(const struct msprof_run *r, size_t dev, struct err *e)
{
    struct counting c = { .d = &r->m.dev[dev] };
    uint64_t first = UINT64_MAX, from = 0;

    for (size_t i = r->steps[dev].n_steps; i-- > 0;)
        if (msprof_window_has_step(r->o, &r->steps[dev].step[i]))
            from = r->steps[dev].step[i].start;
    if (r->o->iteration != 1)
        return from;
    c.mark = marks_of(c.d, &c.n_marks);
    if (!c.mark) {
        (void)err_nomem(e);
        return 0;
    }
    for (size_t i = 0; i < c.d->n_tasks && first == UINT64_MAX; i++) /* they are by start */
        if (c.d->task[i].source == PROF_BY_HWTS && !is_mark(&c, &c.d->task[i]))
            first = c.d->task[i].start;
    free(c.mark);
    return first != UINT64_MAX && first > from ? first : from;
}

uint32_t *msprof_pmu_window(struct msprof_run *r, size_t dev, bool *any, struct err *e)
{
    const struct prof_device *d = &r->m.dev[dev];
    struct counting c = { .r = r,
                          .d = d,
                          .step = r->steps[dev].step,
                          .n_steps = r->steps[dev].n_steps,
                          .cube = prof_text(r->m.p, STR("AI_CORE")),
                          .comm = prof_text(r->m.p, STR("COMMUNICATION")),
                          .cpu = prof_text(r->m.p, STR("AI_CPU")) };
    size_t n_events, first = 0, n = 0;
    struct event *v = events_of(d, &n_events);
    uint32_t *from = malloc((d->n_tasks + 1) * sizeof *from);
    bool ok = begin(&c) && v && from;

    for (size_t i = 0; from && i < d->n_tasks; i++)
        from[i] = PROF_NONE;
    for (size_t i = 0; ok && i < n_events; i++)
        meet(&c, &v[i]);
    if (ok) {
        place(&c, (int64_t)prof_pmu_n(r->pmu[dev]));
        window_of(&c, &first, &n);
    }
    struct waiting *w = ok ? waiting_of(d, first, n, &n) : NULL;
    if (w)
        hand_out(&c, dev, w, n, from);
    *any = n > 0;
    free(v);
    free(w);
    end(&c);
    if (w)
        return from;
    free(from);
    (void)err_nomem(e);
    return NULL;
}
