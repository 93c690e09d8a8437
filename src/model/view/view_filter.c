/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Filters over what is in memory (doc/performance.md#tables): test after test, the cheap ones first, in
 * slices. While a long one runs the first rows are searched from the top of the table.
 */
#include "config.h"

#include "model/view/view_test.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

#define STOP_LOOK_NS SLICE_MS(20) /* between two checks whether the user stopped it */
#define PREVIEW_ROWS 512          /* searched from the top while the rest is counted */

struct filter_job {
    struct test *tests;
    size_t n, at;  /* tests[0 .. at) are in sel */
    uint64_t *sel; /* rows left */
    size_t undecided;
    size_t next;   /* position in the order that the search from the top has reached */
    uint32_t *top; /* rows found there */
    size_t n_top;
    struct test_room room;
};

/* ---- making and freeing ---- */

static void job_free(struct view *v, struct filter_job *j)
{
    if (!j)
        return;
    for (size_t i = 0; i < j->n; i++)
        test_done(v, &j->tests[i]);
    buf_done(&j->room.text);
    arena_free(j->room.arena);
    free(j->tests);
    free(j->sel);
    free(j->top);
    free(j->room.row);
    free(j);
}

void view_filter_done(struct view *v)
{
    job_free(v, v->job);
    job_free(v, v->last_job);
    v->job = v->last_job = NULL;
    v->counting = false;
}

static int by_kind(const void *a, const void *b)
{
    const struct test *x = a, *y = b;
    return x->kind != y->kind ? (x->kind < y->kind ? -1 : 1) : x->seq < y->seq ? -1 : 1;
}

static int job_new(struct view *v, struct filter *const *f, size_t n, struct err *e)
{
    struct filter_job *j = v->job = calloc(1, sizeof *j);
    size_t total = 0;

    if (!j)
        return err_nomem(e);
    buf_init(&j->room.text, LIM_ROW_B);
    for (size_t i = 0; i < n; i++)
        total += f[i]->n;
    j->tests = calloc(total ? total : 1, sizeof *j->tests);
    j->top = malloc(PREVIEW_ROWS * sizeof *j->top);
    j->room.row = calloc(view_n_cols(v) ? view_n_cols(v) : 1, sizeof *j->room.row);
    if (!j->tests || !j->top || !j->room.row || arena_new(&j->room.arena, (size_t)64 << 20, e))
        return err_nomem(e);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < f[i]->n; k++, j->n++) {
            if (test_init(v, &j->tests[j->n], &f[i]->tests[k], e))
                return e->code;
            j->tests[j->n].seq = j->n;
        }
    qsort(j->tests, j->n, sizeof *j->tests, by_kind);
    j->sel = set_new(v, e);
    for (size_t i = 0; j->sel && v->in_scope && i < v->words; i++)
        j->sel[i] &= v->in_scope[i];
    return e->code;
}

/* ---- from the top of the table ---- */

/* Whether the columns of all tests from tests[at] on are there. */
static bool all_ready(const struct filter_job *j)
{
    for (size_t i = j->at; i < j->n; i++)
        if (!j->tests[i].ready)
            return false;
    return true;
}

/* Find rows, in the order of the table, that pass the tests that are left. */
static int look_from_top(struct view *v, struct filter_job *j, int64_t until_ns, struct err *e)
{
    if (v->reordered)
        j->next = j->n_top = 0;
    v->reordered = false;
    for (unsigned i = 1; j->next < v->all && j->n_top < PREVIEW_ROWS; i++, j->next++) {
        uint32_t row = v->perm ? v->perm[j->next] : view_natural(v, j->next);
        bool pass = j->sel[row / 64] >> row % 64 & 1;
        for (size_t k = j->at; pass && k < j->n; k++)
            if (test_passes(v, &j->tests[k], &j->room, row, &pass, e))
                return e->code;
        if (pass)
            j->top[j->n_top++] = row;
        if (i % 64 == 0 && slice_over(until_ns)) {
            j->next++;
            break;
        }
    }
    return OK;
}

/* Show the rows that were found so far. */
static int show_top(struct view *v, struct filter_job *j, struct err *e)
{
    if (j->n_top > v->shown) {
        uint32_t *order = malloc(PREVIEW_ROWS * sizeof *order);
        if (!order)
            return err_nomem(e);
        memcpy(order, j->top, j->n_top * sizeof *order);
        free(v->order);
        v->order = order;
        v->shown = v->ordered = j->n_top;
    }
    return OK;
}

/* ---- running a filter ---- */

static int prepare(struct view *v, struct test *t, int64_t until_ns, struct err *e)
{
    struct filter_job *old = v->last_job;
    return test_prepare(v, t, old ? old->tests : NULL, old ? old->n : 0, until_ns, e);
}

static int run_tests(struct view *v, struct filter_job *j, int64_t until_ns, struct err *e)
{
    for (; j->at < j->n; j->at++) {
        struct test *t = &j->tests[j->at];
        if (!t->ready && (prepare(v, t, until_ns, e) || !t->ready))
            return e->code;
        if (!t->done && test_run(v, t, j->sel, &j->room, until_ns, e))
            return e->code;
        if (!t->done)
            return OK;
        if (test_apply(v, t, j->sel, &j->undecided, e))
            return e->code;
    }
    return OK;
}

/* Keep the results of a job for the next one; its columns may be freed, and its filters will be. */
static void retire(struct view *v, struct filter_job *j)
{
    job_free(v, v->last_job);
    v->last_job = j;
    v->job = NULL;
    v->counting = false;
    for (size_t i = 0; i < j->n; i++)
        test_retire(v, &j->tests[i]);
}

/* The set is complete: show it. */
static int finish(struct view *v, struct err *e)
{
    struct filter_job *j = v->job;

    v->undecided = j->undecided;
    free(v->sel);
    v->sel = NULL;
    if (j->n || v->in_scope) {
        v->sel = j->sel;
        j->sel = NULL;
    }
    retire(v, j);
    int rc = view_reorder(v, e);
    rowpool_trim(v->pool);
    return rc;
}

static int preview(struct view *v, struct filter_job *j, int64_t budget_ns, struct err *e)
{
    bool done;

    for (size_t i = j->at + 1; i < j->n; i++)
        if (!j->tests[i].ready && prepare(v, &j->tests[i], slice_until(budget_ns), e))
            return e->code;
    if (!all_ready(j) || view_sort_all(v, slice_until(budget_ns), &done, e) || !done)
        return e->code;
    return look_from_top(v, j, slice_until(budget_ns), e) ? e->code : show_top(v, j, e);
}

static bool stopped(const struct view *v)
{
    return v->n_parts && store_stopped(v->parts[0].p.store);
}

/* Give up: show the rows from before the filters changed again. */
static int give_up(struct view *v, struct err *e)
{
    struct err ignored = ERR_INIT;

    job_free(v, v->job);
    v->job = NULL;
    v->counting = false;
    if (view_reorder(v, &ignored))
        err_clear(&ignored); /* nothing is shown; e has the first error */
    return e->code;
}

/* from_top: search the first rows, too. */
static int step(struct view *v, int64_t budget_ns, bool from_top, struct err *e)
{
    struct filter_job *j = v->job;

    if (stopped(v)) {
        err_set(e, ERR_CANCELLED, "stopped");
        return give_up(v, e);
    }
    if (run_tests(v, j, slice_until(budget_ns), e))
        return give_up(v, e);
    if (j->at == j->n)
        return finish(v, e);
    return from_top && preview(v, j, budget_ns, e) ? give_up(v, e) : OK;
}

int view_filter_step(struct view *v, int64_t budget_ns, struct err *e)
{
    return step(v, budget_ns, true, e);
}

int view_filter_finish(struct view *v, struct err *e)
{
    while (v->counting)
        if (step(v, STOP_LOOK_NS, false, e))
            return e->code;
    return OK;
}

bool view_takes_filter(const struct view *v, const struct filter *f)
{
    for (size_t i = 0; v->merged && i < f->n; i++)
        if (f->tests[i].col == FILTER_RANK)
            return false;
    return true;
}

int view_check_filter(const struct view *v, const struct filter *f, struct err *e)
{
    if (view_takes_filter(v, f))
        return OK;
    return err_set(e, ERR_USAGE, "a row is of all ranks that are open: choose one instead of a filter");
}

static int begin(struct view *v, struct filter *const *f, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++)
        if (view_check_filter(v, f[i], e))
            return e->code;
    v->reordered = false;
    view_running_forget(v);
    if (v->job)
        retire(v, v->job);
    v->filters = f;
    v->n_filters = n;
    v->undecided = 0;
    v->counting = true;
    return job_new(v, f, n, e) ? give_up(v, e) : OK;
}

int view_filter_begin(struct view *v, struct filter *const *f, size_t n, struct err *e)
{
    if (begin(v, f, n, e))
        return e->code;
    free(v->order);
    v->order = NULL;
    v->shown = v->ordered = 0;
    return OK;
}

int view_set_filters(struct view *v, struct filter *const *f, size_t n, size_t *undecided, struct err *e)
{
    if (begin(v, f, n, e) || view_filter_finish(v, e))
        return e->code;
    if (undecided)
        *undecided = v->undecided;
    return OK;
}
