/* SPDX-License-Identifier: Apache-2.0 */
/* Iterations and steps with their segments; the one that the end of the data cuts. */
#include "config.h"

#include <stdlib.h>

#include "parsers/prof/device/steps.h"
#include "parsers/prof/rows/rows_framework.h"

/* Tags of the step trace (doc/formats/prof.md#ts_track). */
enum { TAG_MODEL_START = 0, TAG_FP = 2, TAG_BP = 3, TAG_ITERATION_END = 4, TAG_STEP_START = 60000 };

struct steps {
    struct prof_rows *r;
    const struct prof_device *d;
    const struct prof_steps *s;
    uint32_t source;
    struct val rank;
};

static struct val ts(const struct steps *s, uint64_t counter)
{
    return counter ? val_int(prof_device_ns(s->d->f, counter)) : val_null();
}

/* From one counter to a later one; none when one of them is missing. */
static struct val span(const struct steps *s, uint64_t from, uint64_t to)
{
    if (!from || !to || to < from)
        return val_null();
    return val_int(prof_device_ns(s->d->f, to) - prof_device_ns(s->d->f, from));
}

static struct val model_of(uint64_t model)
{
    return model == PROF_NO_MODEL || model > INT64_MAX ? val_null() : val_int((int64_t)model);
}

static int put_part(const struct steps *s, const struct prof_step *x, const struct prof_span *p,
                    const char *kind, struct err *e)
{
    struct val v[N_COLS(step_part)] = { 0 };

    v[COL(step_part, rank)] = s->rank;
    v[COL(step_part, step)] = val_int((int64_t)x->index);
    v[COL(step_part, kind)] = val_cstr(kind);
    v[COL(step_part, stream)] = val_int(p->stream);
    v[COL(step_part, name_id)] = sink_text(s->r->g->out, str_of(kind[0] == 'r' ? "Reduce" : "GetNext"));
    v[COL(step_part, start_ns)] = ts(s, p->start);
    if (p->has_end) {
        v[COL(step_part, end_ns)] = ts(s, p->end);
        v[COL(step_part, dur_ns)] = span(s, p->start, p->end);
    }
    v[COL(step_part, source_id)] = val_id(s->source);
    prof_rows_mark(s->r, s->d->f, 0, &v[COL(step_part, ts_err_ns)]);
    return sink_row(s->r->g->out, T_step_part, v, N_COLS(step_part), NULL, e);
}

static int put_step(const struct steps *s, const struct prof_step *x, struct err *e)
{
    struct val v[N_COLS(step)] = { 0 };

    v[COL(step, rank)] = s->rank;
    v[COL(step, step)] = val_int((int64_t)x->index);
    v[COL(step, model_id)] = model_of(x->model);
    v[COL(step, start_ns)] = ts(s, x->start);
    v[COL(step, end_ns)] = ts(s, x->end);
    v[COL(step, fp_ns)] = ts(s, x->fp);
    v[COL(step, bp_ns)] = ts(s, x->bp);
    v[COL(step, total_ns)] = span(s, x->start, x->end);
    v[COL(step, interval_ns)] = span(s, x->start, x->fp);
    v[COL(step, fp_bp_ns)] = span(s, x->fp, x->bp);
    v[COL(step, refresh_ns)] = span(s, x->bp, x->end);
    v[COL(step, tail_ns)] = v[COL(step, refresh_ns)];
    if (x->has_aug && x->fp >= x->aug)
        v[COL(step, data_aug_ns)] = span(s, x->fp - x->aug, x->fp);
    v[COL(step, complete)] = val_int(1);
    v[COL(step, source_id)] = val_id(s->source);
    prof_rows_mark(s->r, s->d->f, 0, &v[COL(step, ts_err_ns)]);
    if (sink_row(s->r->g->out, T_step, v, N_COLS(step), NULL, e))
        return e->code;
    for (uint32_t i = 0; i < x->n_reduces; i++)
        if (put_part(s, x, &s->s->reduce[x->reduce + i], "reduce", e))
            return e->code;
    for (uint32_t i = 0; i < x->n_get_nexts; i++)
        if (put_part(s, x, &s->s->get_next[x->get_next + i], "getnext", e))
            return e->code;
    return OK;
}

/* ---- the step that was begun and has no end ---- */

struct cut {
    uint64_t start, fp, bp, index, model;
};

static bool begins(const struct prof_mark *m)
{
    return m->tag == TAG_MODEL_START || m->tag == TAG_FP || m->tag == TAG_STEP_START;
}

/*
 * An iteration without a mark of its beginning begins where the one before it ended
 * (doc/formats/msprof.md#step-trace).
 */
static bool follows(const struct steps *s, const struct cut *c, uint64_t end)
{
    bool ended = false;

    for (size_t i = 0; i < s->d->n_marks; i++) {
        const struct prof_mark *m = &s->d->mark[i];
        if (m->counter == c->start && m->tag != TAG_FP && begins(m))
            return false;
        ended |= m->counter == end && m->tag == TAG_ITERATION_END && m->model == c->model;
    }
    return ended;
}

static bool is_get_next(const struct steps *s, const struct prof_task *t)
{
    const struct prof_host *h = &s->r->m.host;
    const struct prof_host_task *x = t->host < h->n_tasks ? &h->task[t->host] : NULL;

    return x && x->op < h->n_ops && h->op[x->op].type != PROF_NONE &&
           str_find(prof_str(s->r->m.p, h->op[x->op].type), STR("GetNext"), 0) != SIZE_MAX;
}

/*
 * The first fetch of data that began after the last end: the step has no mark yet while its data is waited
 * for. 0: there is none.
 */
static uint64_t fetch_after(const struct steps *s, uint64_t after)
{
    uint64_t first = UINT64_MAX;

    for (size_t i = 0; i < s->d->n_open; i++)
        if (s->d->open[i].start > after && s->d->open[i].start < first && is_get_next(s, &s->d->open[i]))
            first = s->d->open[i].start;
    for (size_t i = s->d->n_tasks; i-- > 0 && s->d->task[i].start > after;)
        if (s->d->task[i].start < first && is_get_next(s, &s->d->task[i]))
            first = s->d->task[i].start;
    return first == UINT64_MAX ? 0 : first;
}

/*
 * A step whose first task is a fetch of data, and of which no mark is there: it begins where the one before
 * it ended, as one that has marks (follows()).
 */
static bool find_fetching(const struct steps *s, struct cut *c, uint64_t after)
{
    const struct prof_step *last = s->s->n_steps ? &s->s->step[s->s->n_steps - 1] : NULL;

    c->start = fetch_after(s, after);
    c->model = last ? last->model : PROF_NO_MODEL;
    if (c->start && last && last->model != PROF_NO_MODEL)
        c->start = after;
    return c->start != 0;
}

/*
 * Of the marks after the last end: the first that begins something, with the forward and backward marks after
 * it.
 */
static bool find_cut(const struct steps *s, struct cut *c)
{
    uint64_t after = 0, last = 0;

    for (size_t i = 0; i < s->s->n_steps; i++) {
        const struct prof_step *x = &s->s->step[i];
        if (x->end > after) {
            after = x->end;
            last = x->index;
        }
    }
    *c = (struct cut){ .index = last + 1 };
    for (size_t i = 0; i < s->d->n_marks; i++) {
        const struct prof_mark *m = &s->d->mark[i];
        if (m->counter <= after || !begins(m) || (c->start && m->counter >= c->start))
            continue;
        c->start = m->counter;
        c->model = m->tag == TAG_STEP_START ? PROF_NO_MODEL : m->model;
        if (m->tag == TAG_STEP_START)
            c->index = m->index;
    }
    for (size_t i = 0; i < s->d->n_marks && c->start; i++) {
        const struct prof_mark *m = &s->d->mark[i];
        if (m->counter >= c->start && m->tag == TAG_FP && !c->fp)
            c->fp = m->counter;
        if (m->counter >= c->start && m->tag == TAG_BP)
            c->bp = m->counter;
    }
    if (!c->start)
        return find_fetching(s, c, after);
    if (follows(s, c, after))
        c->start = after;
    return true;
}

static int put_cut(const struct steps *s, const struct cut *c, struct err *e)
{
    struct val v[N_COLS(step)] = { 0 };

    v[COL(step, rank)] = s->rank;
    v[COL(step, step)] = c->index <= INT64_MAX ? val_int((int64_t)c->index) : val_null();
    v[COL(step, model_id)] = model_of(c->model);
    v[COL(step, start_ns)] = ts(s, c->start);
    v[COL(step, fp_ns)] = ts(s, c->fp);
    v[COL(step, bp_ns)] = ts(s, c->bp);
    v[COL(step, interval_ns)] = span(s, c->start, c->fp);
    v[COL(step, fp_bp_ns)] = span(s, c->fp, c->bp);
    v[COL(step, complete)] = val_int(0);
    v[COL(step, source_id)] = val_id(s->source);
    prof_rows_mark(s->r, s->d->f, 0, &v[COL(step, ts_err_ns)]);
    return sink_row(s->r->g->out, T_step, v, N_COLS(step), NULL, e);
}

/* ---- the whole ---- */

static int put_device(struct prof_rows *r, const struct prof_device *d, struct err *e)
{
    struct prof_steps made = { .n_steps = 0 };
    struct steps s = { .r = r, .d = d, .s = &made, .rank = val_int(prof_rows_rank(r, d->f)) };
    int rc = prof_steps_of(&made, d->mark, d->n_marks, true, e);
    struct cut cut;

    s.source = prof_rows_source(d->f, PROF_TS_TRACK);
    for (size_t i = 0; i < made.n_steps && rc == OK; i++)
        if (prof_device_ns(d->f, made.step[i].start) >= prof_begin_ns(d->f))
            rc = put_step(&s, &made.step[i], e);
    if (rc == OK && !d->f->meta.has_end && find_cut(&s, &cut))
        rc = put_cut(&s, &cut, e);
    prof_steps_done(&made);
    return rc;
}

/* ---- which step something ran in ---- */

/* A step that the run marked: iterations of models are then parts of steps. NULL: it marked none. */
static const struct prof_step *marked_step(const struct prof_steps *s)
{
    for (size_t i = 0; i < s->n_steps; i++)
        if (s->step[i].model == PROF_NO_MODEL)
            return &s->step[i];
    return NULL;
}

/* only: a marked step, when just those are taken; NULL: all. */
static void take_steps(struct prof_rows_steps *to, const struct prof_steps *s, const struct prof_step *only)
{
    for (size_t i = 0; i < s->n_steps; i++) {
        const struct prof_step *x = &s->step[i];
        if (only && x->model != only->model)
            continue;
        if (x->start > x->end || x->index > INT64_MAX)
            continue;
        to->v[to->n].start = x->start;
        to->v[to->n].end = x->end;
        to->v[to->n++].index = x->index;
    }
}

int prof_rows_steps_make(struct prof_rows *r, size_t dev, struct err *e)
{
    const struct prof_device *d = &r->m.dev[dev];
    struct prof_steps made = { .n_steps = 0 };
    struct steps s = { .r = r, .d = d, .s = &made };
    struct prof_rows_steps *to = &r->step[dev];
    struct cut cut;

    if (prof_steps_of(&made, d->mark, d->n_marks, true, e) == OK) {
        to->v = calloc(made.n_steps + 1, sizeof *to->v);
        if (!to->v)
            err_nomem(e);
        else
            take_steps(to, &made, marked_step(&made));
        if (to->v && !d->f->meta.has_end && find_cut(&s, &cut) && cut.index <= INT64_MAX) {
            to->v[to->n].start = cut.start;
            to->v[to->n].end = UINT64_MAX;
            to->v[to->n++].index = cut.index;
        }
    }
    prof_steps_done(&made);
    return e->code;
}

static struct val marked(const struct prof_rows *r, size_t dev, uint64_t start, uint32_t launcher)
{
    const struct prof_rows_framework *w = r->w;
    const struct framework_step *s = NULL;

    if (!w->f.torch && launcher != FRAMEWORK_NONE)
        s = prof_rows_marked_step(w, w->f.range[launcher].from);
    if (!s)
        s = prof_rows_kernel_step(w, prof_device_ns(r->m.dev[dev].f, start));
    return s ? val_int(s->number) : val_null();
}

struct val prof_rows_step(const struct prof_rows *r, size_t dev, uint64_t start, uint64_t end,
                          uint32_t launcher)
{
    if (r->w && r->w->n_steps)
        return marked(r, dev, start, launcher);

    const struct prof_rows_steps *s = &r->step[dev];
    size_t low = 0, high = s->n; /* the first that ends then or later */

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (s->v[mid].end < end)
            low = mid + 1;
        else
            high = mid;
    }
    return low < s->n && s->v[low].start < end ? val_int((int64_t)s->v[low].index) : val_null();
}

int prof_rows_steps(struct prof_rows *r, struct err *e)
{
    bool any = false;

    if (r->w && r->w->n_steps)
        return prof_rows_framework_steps(r, true, e);
    for (size_t i = 0; i < r->m.n_dev; i++) {
        any |= r->step && r->step[i].n > 0;
        if (put_device(r, &r->m.dev[i], e))
            return e->code;
    }
    return r->w && !any ? prof_rows_framework_steps(r, false, e) : OK;
}
