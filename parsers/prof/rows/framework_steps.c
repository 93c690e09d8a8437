/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps that the program marked, with what the device did in them: what upstream writes to
 * step_trace_time.csv (doc/formats/framework.md#step_trace_time, #torch_npu-step_trace_time), but that Stage
 * and Bubble are found whatever CANN calls the layer of communication. A run without marks is one row.
 */
#include "config.h"

#include "base/bounded.h"
#include "base/large/sort_index.h"
#include "parsers/prof/device/overlap.h"
#include "parsers/prof/rows/rows_framework.h"

/* An op or task of communication. */
struct comm_event {
    int64_t from, to;
    bool receives; /* of a pipeline: waits for another stage */
};
struct steps {
    struct prof_rows *r;
    const struct prof_rows_framework *w;
    size_t dev;
    struct prof_overlap o;
    struct comm_event *event; /* by start */
    size_t n_events, cap_events;
    bool unsure;     /* records are lost: which step ops are of, and what they are */
    int64_t missing; /* from here on ops of the host have no record of the device; INT64_MAX: all have */
};

/* ---- communication ---- */

/* What a name begins with, up to "__" and a digit where said. */
static const struct {
    const char *prefix;
    bool numbered;
} receives[] = {
    { "hcom_send__", true },
    { "hcom_receive__", true },
    { "Receive-op", false },
    { "Send-op", false },
};

static bool digit_at(struct str s, size_t at)
{
    return at < s.n && s.p[at] >= '0' && s.p[at] <= '9';
}

/* hcom_<letters>SendRecv__<digit> */
static bool is_send_receive(struct str s)
{
    size_t at = str_starts(s, STR("hcom_")) ? str_find(s, STR("SendRecv__"), 6) : SIZE_MAX;

    return at != SIZE_MAX && digit_at(s, at + 10);
}

static bool is_receive(struct str name, bool torch)
{
    if (torch)
        return str_starts(name, STR("hcom_receive"));
    for (size_t i = 0; i < ARRAY_LEN(receives); i++) {
        struct str prefix = str_of(receives[i].prefix);
        if (str_starts(name, prefix) && (!receives[i].numbered || digit_at(name, prefix.n)))
            return true;
    }
    return is_send_receive(name);
}

static int add_event(struct steps *s, uint64_t from, uint64_t to, bool is_bubble, struct err *e)
{
    struct comm_event *v = spool_grow(s->w->f.pool, s->event, s->n_events, &s->cap_events, sizeof *v, 1024);
    const struct prof_folder *f = s->r->m.dev[s->dev].f;

    if (!v)
        return err_nomem(e);
    s->event = v;
    v[s->n_events++] = (struct comm_event){ prof_device_ns(f, from), prof_device_ns(f, to), is_bubble };
    return OK;
}

static bool event_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct comm_event *v = arg;

    return v[a].from != v[b].from ? v[a].from < v[b].from : v[a].to < v[b].to;
}

static int find_events(struct steps *s, struct err *e)
{
    const struct prof_model *m = &s->r->m;
    const struct prof_comm *c = &m->comm[s->dev];

    for (size_t i = 0; i < c->n_runs; i++) {
        const struct prof_comm_run *x = &c->run[i];
        if (add_event(s, x->start, x->end, is_receive(prof_str(m->p, x->name), s->w->f.torch), e))
            return e->code;
    }
    for (size_t i = 0; i < c->n_tasks; i++) {
        const struct prof_task *t = &m->dev[s->dev].task[c->task[i].task];
        if (add_event(s, t->start, t->end, false, e))
            return e->code;
    }
    return prof_sort(s->w->f.pool, s->event, s->n_events, sizeof *s->event, event_before, s->event, e);
}

/* ---- sums ---- */

struct sums {
    int64_t of[N_OVERLAP_KINDS], bubble;
    int64_t first, last;   /* of what was counted */
    int64_t comm, comm_to; /* the first communication event, and the end of that which began last */
    int64_t compute;       /* the first start of computing or communication */
};

/* The first of n spans that begins at or after an instant; clipped: that ends after it. */
static size_t first_span(const struct spans *s, int64_t at, bool clipped)
{
    size_t low = 0, high = s->n;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (clipped ? s->v[mid].to <= at : s->v[mid].from < at)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Events of the step begin in [from, last]; free time is clipped to it (MindSpore). */
static void sum_kind(struct steps *s, int kind, int64_t from, int64_t last, struct sums *out)
{
    const struct spans *v = &s->o.of[kind];
    bool clipped = kind == OVERLAP_FREE && !s->w->f.torch;

    for (size_t i = first_span(v, from, clipped); i < v->n && v->v[i].from <= last; i++) {
        int64_t a = v->v[i].from, b = v->v[i].to;
        out->of[kind] = bounded_add(out->of[kind],
                                    clipped ? bounded_sub(least(b, last), most(a, from)) : bounded_sub(b, a));
        out->first = least(out->first, a);
        out->last = most(out->last, b);
    }
    size_t i = first_span(v, from, false);
    if ((kind == OVERLAP_COMPUTING || kind == OVERLAP_COMM) && i < v->n)
        out->compute = least(out->compute, v->v[i].from);
}

static void sum_events(struct steps *s, int64_t from, int64_t last, struct sums *out)
{
    size_t low = 0, high = s->n_events;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (s->event[mid].from < from)
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < s->n_events && s->event[low].from <= last; low++) {
        const struct comm_event *x = &s->event[low];
        out->comm = least(out->comm, x->from);
        out->comm_to = x->to;
        if (x->receives)
            out->bubble = bounded_add(out->bubble, bounded_sub(x->to, x->from));
    }
}

static struct sums sum_step(struct steps *s, int64_t from, int64_t last)
{
    struct sums out = { .first = INT64_MAX, .last = INT64_MIN, .comm = INT64_MAX, .compute = INT64_MAX };

    for (int k = 0; k < N_OVERLAP_KINDS; k++)
        sum_kind(s, k, from, last, &out);
    sum_events(s, from, last, &out);
    return out;
}

static int64_t stage_of(const struct steps *s, const struct sums *x)
{
    if (s->w->f.torch)
        return x->first <= x->last ? bounded_sub(bounded_sub(x->last, x->first), x->bubble) : 0;
    return x->comm != INT64_MAX ? bounded_sub(bounded_sub(x->comm_to, x->comm), x->bubble) : 0;
}

/* ---- rows ---- */

/* x->from: the step's begin on the host, which the preparation counts from. */
static int put_step(struct steps *s, const struct framework_step *x, const struct val *v_times, struct err *e)
{
    struct val v[N_COLS(step)] = { 0 };
    int64_t last = s->w->f.torch && x->end != INT64_MAX ? x->end - 1 : x->end;
    struct sums sums = sum_step(s, x->begin, last);
    int64_t alone = sums.of[OVERLAP_COMM_ALONE];
    int64_t stay = s->w->f.torch ? most(alone - sums.bubble, 0) : alone - sums.bubble;

    v[COL(step, rank)] = val_int(prof_rows_rank(s->r, s->r->m.dev[s->dev].f));
    v[COL(step, step)] = v_times[0];
    v[COL(step, start_ns)] = v_times[1];
    v[COL(step, end_ns)] = v_times[2];
    if (v_times[1].t != VAL_NULL && v_times[2].t != VAL_NULL)
        v[COL(step, total_ns)] = val_int(v_times[2].i - v_times[1].i);
    v[COL(step, computing_ns)] = val_int(sums.of[OVERLAP_COMPUTING]);
    v[COL(step, communication_ns)] = val_int(sums.of[OVERLAP_COMM]);
    v[COL(step, comm_not_overlapped_ns)] = val_int(alone);
    v[COL(step, overlapped_ns)] = val_int(sums.of[OVERLAP_COMM] - alone);
    v[COL(step, free_ns)] = val_int(sums.of[OVERLAP_FREE]);
    v[COL(step, stage_ns)] = val_int(stage_of(s, &sums));
    v[COL(step, bubble_ns)] = val_int(sums.bubble);
    v[COL(step, comm_no_receive_ns)] = val_int(stay);
    v[COL(step, preparing_ns)] = val_int(sums.compute == INT64_MAX ? 0 : sums.compute - x->from);
    if (v_times[1].t != VAL_NULL)
        v[COL(step, complete)] = val_int(x->to != INT64_MAX);
    v[COL(step, source_id)] = val_id(s->w->source);
    if (x->line)
        v[COL(step, line)] = val_int(x->line);
    const struct prof_folder *f = s->r->m.dev[s->dev].f;
    unsigned own = s->unsure || x->end > s->missing || f->meta.doubt & PROF_DOUBT_TIME
                       ? PROF_DOUBT_TIME | PROF_DOUBT_DURATION | PROF_DOUBT_FIGURES
                       : 0;
    prof_rows_mark(s->r, f, own, &v[COL(step, ts_err_ns)]);
    return sink_row(s->r->g->out, T_step, v, N_COLS(step), NULL, e);
}

static int put_marked(struct steps *s, struct err *e)
{
    for (size_t i = 0; i < s->w->n_steps; i++) {
        const struct framework_step *x = &s->w->step[i];
        const struct val times[] = { val_int(x->number), val_int(x->begin),
                                     x->to == INT64_MAX ? val_null() : val_int(x->end) };
        if (x->end != INT64_MIN && put_step(s, x, times, e)) /* a step without kernels is none upstream */
            return e->code;
    }
    return OK;
}

/* No marks: MindSpore calls the whole step 0, torch_npu gives it no number. Its preparation begins with the
 * first op. */
static int put_whole(struct steps *s, struct err *e)
{
    const struct framework *f = &s->w->f;
    struct framework_step x = { .from = INT64_MAX, .to = INT64_MAX, .begin = INT64_MIN, .end = INT64_MAX };
    const struct val times[] = { f->torch ? val_null() : val_int(0), val_null(), val_null() };

    if (!s->o.of[OVERLAP_COMPUTING].n && !s->o.of[OVERLAP_COMM].n)
        return OK;
    for (size_t i = 0; i < f->n_ranges; i++)
        if (!(f->range[i].is & RANGE_FLOW) && f->range[i].to > f->range[i].from)
            x.from = least(x.from, f->range[i].from);
    return x.from == INT64_MAX ? OK : put_step(s, &x, times, e);
}

static int64_t at_counter(const void *arg, uint64_t counter)
{
    return prof_device_ns(arg, counter);
}

static int64_t at_end(const void *arg, const struct prof_task *t)
{
    return prof_device_ns(arg, t->end);
}

static int put_device(struct prof_rows *r, size_t dev, bool marks, struct err *e)
{
    struct steps s = { .r = r, .w = r->w, .dev = dev, .unsure = prof_rows_lacks(r, dev) };
    const struct prof_overlap_clock clock = { at_counter, at_end, r->m.dev[dev].f };

    if (prof_rows_missing(r, dev, &s.missing, e))
        return e->code;
    if (prof_overlap_make_by(&s.o, r->m.p, &r->m.dev[dev], &r->m.host, &r->m.comm[dev], &prof_rows_all,
                             &clock, e) == OK &&
        find_events(&s, e) == OK)
        (void)!(marks ? put_marked(&s, e) : put_whole(&s, e));
    prof_overlap_done(&s.o);
    spool_free(r->w->f.pool, s.event);
    return e->code;
}

int prof_rows_framework_steps(struct prof_rows *r, bool marks, struct err *e)
{
    for (size_t i = 0; i < r->m.n_dev; i++)
        if (put_device(r, i, marks, e))
            return e->code;
    return OK;
}
