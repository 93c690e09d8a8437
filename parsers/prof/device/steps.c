/* SPDX-License-Identifier: Apache-2.0 */
/* Iterations: a machine over the marks of a model, rows from what it found, and the steps. */
#include "config.h"

#include "parsers/prof/device/steps.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/large/sort_index.h"
#include "parsers/prof/device/marks.h"

#define STREAMS    2048 /* doc/formats/prof.md#ts_track: eleven bits */
#define ROOM       ((size_t)64)
#define STEP_MARKS 2

enum state { START, END, PRE_END };
enum { REDUCE, GET_NEXT, N_SPANS };

struct pair { /* forward and backward */
    uint64_t fp, bp;
};

struct iteration {
    uint64_t index, start, end;
    size_t pair, n_pairs;
    size_t span[N_SPANS], n_spans[N_SPANS];
};

struct spans {
    struct prof_span *v;
    size_t n, cap;
    size_t last[STREAMS]; /* 1 + index of the stream's last one */
};

struct machine {
    enum state state;
    uint64_t index; /* of the iteration that comes next */
    struct iteration *it;
    size_t n, cap;
    size_t first; /* iteration of the model */
    struct pair *pair;
    size_t n_pairs, cap_pairs;
    struct spans spans[N_SPANS];
};

/* ---- the machine ---- */

static int begin_iteration(struct machine *m, uint64_t start, struct err *e)
{
    struct iteration *v = grow_array(m->it, m->n, &m->cap, sizeof *v, ROOM);

    if (!v)
        return err_nomem(e);
    m->it = v;
    v[m->n++] = (struct iteration){ .index = m->index,
                                    .start = start,
                                    .pair = m->n_pairs,
                                    .span = { m->spans[REDUCE].n, m->spans[GET_NEXT].n } };
    return OK;
}

static struct iteration *last_iteration(struct machine *m)
{
    return m->n > m->first ? &m->it[m->n - 1] : NULL;
}

static int on_fp(struct machine *m, struct iteration *it, uint64_t time, struct err *e)
{
    struct pair *v = grow_array(m->pair, m->n_pairs, &m->cap_pairs, sizeof *v, ROOM);

    if (!v)
        return err_nomem(e);
    m->pair = v;
    v[m->n_pairs++] = (struct pair){ .fp = time };
    it->n_pairs++;
    return OK;
}

static int on_span(struct machine *m, struct iteration *it, unsigned which, const struct prof_mark *k,
                   struct err *e)
{
    struct spans *s = &m->spans[which];
    size_t *last = &s->last[k->stream % STREAMS];

    if (k->tag % 2) {
        if (*last > it->span[which]) {
            s->v[*last - 1].end = k->counter;
            s->v[*last - 1].has_end = true;
        }
        return OK;
    }
    struct prof_span *v = grow_array(s->v, s->n, &s->cap, sizeof *v, ROOM);
    if (v)
        s->v = v;
    if (!v || s->n >= UINT32_MAX)
        return err_nomem(e);
    v[s->n++] = (struct prof_span){ .start = k->counter, .stream = k->stream };
    *last = s->n;
    it->n_spans[which]++;
    return OK;
}

/* Marks that belong to the last iteration whatever the state. */
static int on_inner(struct machine *m, const struct prof_mark *k, struct err *e)
{
    struct iteration *it = last_iteration(m);

    if (!it)
        return OK;
    if (k->tag == MARK_FP)
        return on_fp(m, it, k->counter, e);
    if (k->tag == MARK_BP && it->n_pairs)
        m->pair[m->n_pairs - 1].bp = k->counter;
    if (k->tag >= MARK_REDUCE && k->tag < MARK_GET_NEXT)
        return on_span(m, it, REDUCE, k, e);
    if (k->tag >= MARK_GET_NEXT && k->tag < MARK_STEP_START)
        return on_span(m, it, GET_NEXT, k, e);
    return OK;
}

static void close_iteration(struct machine *m, uint64_t end)
{
    m->it[m->n - 1].end = end;
    m->index++;
}

static int on_model_start(struct machine *m, uint64_t time, struct err *e)
{
    if (m->state == START && begin_iteration(m, time, e))
        return e->code;
    if (m->state == PRE_END)
        m->it[m->n - 1].start = time;
    m->state = END;
    return OK;
}

static int on_mark(void *arg, const struct prof_mark *k, struct err *e)
{
    struct machine *m = arg;

    switch (k->tag) {
    case MARK_MODEL_START:
        return on_model_start(m, k->counter, e);
    case MARK_ITERATION_END:
        if (m->state == START)
            return OK;
        close_iteration(m, k->counter);
        m->state = PRE_END;
        return begin_iteration(m, k->counter, e);
    case MARK_MODEL_END:
        if (m->state != END)
            return OK;
        close_iteration(m, k->counter);
        m->state = START;
        return OK;
    default:
        return on_inner(m, k, e);
    }
}

/* The last iteration of a model has no end, or no start. */
static void end_model(struct machine *m)
{
    const struct iteration *it = last_iteration(m);

    if (it && (it->start >= it->end || !it->start))
        m->n--;
}

/* ---- rows ---- */

struct rows {
    struct prof_steps *s;
    size_t cap;
};

static int add_row(struct rows *r, const struct prof_step *row, struct err *e)
{
    struct prof_steps *s = r->s;
    struct prof_step *v = grow_array(s->step, s->n_steps, &r->cap, sizeof *v, ROOM);

    if (!v)
        return err_nomem(e);
    s->step = v;
    v[s->n_steps++] = *row;
    return OK;
}

static int add_iteration(struct rows *r, const struct machine *m, const struct iteration *it, uint64_t model,
                         bool one_row, struct err *e)
{
    size_t first = one_row && it->n_pairs ? it->n_pairs - 1 : 0;
    struct prof_step row = { .model = model,
                             .index = it->index,
                             .start = it->start,
                             .end = it->end,
                             .reduce = (uint32_t)it->span[REDUCE],
                             .n_reduces = (uint32_t)it->n_spans[REDUCE],
                             .get_next = (uint32_t)it->span[GET_NEXT],
                             .n_get_nexts = (uint32_t)it->n_spans[GET_NEXT] };

    if (!it->n_pairs)
        return add_row(r, &row, e);
    for (size_t i = first; i < it->n_pairs; i++) {
        row.fp = m->pair[it->pair + i].fp;
        row.bp = m->pair[it->pair + i].bp;
        row.again = i > first;
        if (add_row(r, &row, e))
            return e->code;
    }
    return OK;
}

/* The steps of a model: both marks of one index id and no third. v: by index id, then time. */
static int add_steps(struct rows *r, const struct prof_mark *const *v, size_t n, struct err *e)
{
    for (size_t i = 0, k = 0; i < n; i = k) {
        for (k = i; k < n && v[k]->index == v[i]->index;)
            k++;
        if (k - i != STEP_MARKS)
            continue;
        const struct prof_step row = {
            .model = v[i]->model, .index = v[i]->index, .start = v[i]->counter, .end = v[i + 1]->counter
        };
        if (add_row(r, &row, e))
            return e->code;
    }
    return OK;
}

static bool ends_before(const void *arg, uint32_t i, uint32_t k)
{
    const struct prof_step *v = arg;
    return v[i].end < v[k].end;
}

/* Sets aug by the last iteration that ended before fp, of those before this one. */
static void find_aug(struct prof_steps *s)
{
    for (size_t i = 0; i < s->n_steps; i++) {
        struct prof_step *row = &s->step[i];
        size_t lo = 0, hi = i;
        while (lo < hi) {
            size_t mid = lo + (hi - lo) / 2;
            if (s->step[mid].end < row->fp)
                lo = mid + 1;
            else
                hi = mid;
        }
        row->has_aug = row->fp && lo;
        if (row->has_aug)
            row->aug = row->fp - s->step[lo - 1].end;
    }
}

/* ---- marks by model ---- */

static bool by_model(const void *arg, uint32_t i, uint32_t k)
{
    const struct prof_mark *v = arg;
    return v[i].model != v[k].model ? v[i].model < v[k].model : v[i].counter < v[k].counter;
}

static bool by_index(const void *arg, uint32_t i, uint32_t k)
{
    const struct prof_mark *const *v = arg;
    return v[i]->index != v[k]->index ? v[i]->index < v[k]->index : v[i]->counter < v[k]->counter;
}

static bool is_step(const struct prof_mark *m)
{
    return m->tag == MARK_STEP_START || m->tag == MARK_STEP_END;
}

/* n marks of one model by time; `steps` has room for as many. */
static int on_model(struct rows *r, struct machine *m, const struct prof_mark *const *mark, size_t n,
                    const struct prof_mark **steps, bool one_row, struct err *e)
{
    size_t n_steps = 0;

    m->first = m->n;
    m->state = START;
    m->index = 1;
    if (prof_marks_in_order(mark, n, on_mark, m, e))
        return e->code;
    end_model(m);
    for (size_t i = m->first; i < m->n; i++)
        if (add_iteration(r, m, &m->it[i], mark[0]->model, one_row, e))
            return e->code;
    for (size_t i = 0; i < n; i++)
        if (is_step(mark[i]))
            steps[n_steps++] = mark[i];
    if (prof_sort(NULL, steps, n_steps, sizeof *steps, by_index, steps, e))
        return e->code;
    return add_steps(r, steps, n_steps, e);
}

static int all_models(struct prof_steps *s, struct machine *m, const struct prof_mark **by_time, size_t n,
                      bool one_row, struct err *e)
{
    struct rows r = { .s = s };

    for (size_t i = 0, k = 0; i < n; i = k) {
        for (k = i; k < n && by_time[k]->model == by_time[i]->model;)
            k++;
        if (on_model(&r, m, by_time + i, k - i, by_time + n, one_row, e))
            return e->code;
    }
    s->reduce = m->spans[REDUCE].v;
    s->n_reduces = m->spans[REDUCE].n;
    s->get_next = m->spans[GET_NEXT].v;
    s->n_get_nexts = m->spans[GET_NEXT].n;
    m->spans[REDUCE].v = m->spans[GET_NEXT].v = NULL;
    if (prof_sort(NULL, s->step, s->n_steps, sizeof *s->step, ends_before, s->step, e))
        return e->code;
    find_aug(s);
    return OK;
}

int prof_steps_of(struct prof_steps *s, const struct prof_mark *mark, size_t n, bool one_row, struct err *e)
{
    struct machine *m = calloc(1, sizeof *m);
    const struct prof_mark **v = calloc(2 * n + 1, sizeof *v);
    uint32_t *order = NULL;

    *s = (struct prof_steps){ .step = NULL };
    if (!m || !v)
        (void)!err_nomem(e);
    else if (prof_order(NULL, &order, n, by_model, mark, e) == OK) {
        for (size_t i = 0; i < n; i++)
            v[i] = &mark[order[i]];
        (void)!all_models(s, m, v, n, one_row, e);
    }
    if (m) {
        free(m->it);
        free(m->pair);
        free(m->spans[REDUCE].v);
        free(m->spans[GET_NEXT].v);
    }
    free(m);
    free(v);
    free(order);
    return e->code;
}

void prof_steps_done(struct prof_steps *s)
{
    free(s->step);
    free(s->reduce);
    free(s->get_next);
    *s = (struct prof_steps){ .step = NULL };
}
