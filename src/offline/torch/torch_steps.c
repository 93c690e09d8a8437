/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step_trace_time.csv of torch_npu (doc/formats/framework.md#torch_npu-step_trace_time): sums of doubles in
 * the order of msprof's events, by device and step.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "offline/torch/torch_joins.h"

enum part { PART_COMPUTING, PART_COMMUNICATION, PART_ALONE, PART_FREE, PART_BUBBLE, N_PARTS };

/* A sum of Python: the integer 0 until something is added. */
struct sum {
    double v;
    bool real;
};
struct row {
    int device;
    size_t step;
    struct sum part[N_PARTS];
    double first, last; /* of all that counts; us */
    double work;        /* first Computing or Communication, INFINITY: none */
};
struct sums {
    struct offline_run *r;
    const struct offline_timeline *t;
    const struct torch_joins *j;
    struct row *row; /* of device d and step s: in order of first appearance of the device */
    size_t n, cap;
};

static int part_of(struct str name)
{
    static const struct {
        const char *name;
        enum part part;
    } names[] = {
        { "Computing", PART_COMPUTING },
        { "Communication", PART_COMMUNICATION },
        { "Communication(Not Overlapped)", PART_ALONE },
        { "Free", PART_FREE },
    };

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_eq(name, str_of(names[i].name)))
            return (int)names[i].part;
    return str_starts(name, STR("hcom_receive")) ? (int)PART_BUBBLE : -1;
}

static struct row *row_of(struct sums *s, int device, size_t step, struct err *e)
{
    for (size_t i = s->n; i-- > 0;)
        if (s->row[i].device == device && s->row[i].step == step)
            return &s->row[i];
    struct row *v = spool_grow(s->r->pool, s->row, s->n, &s->cap, sizeof *v, 64);
    if (!v) {
        err_nomem(e);
        return NULL;
    }
    s->row = v;
    v[s->n] = (struct row){
        .device = device, .step = step, .first = INFINITY, .last = -INFINITY, .work = INFINITY
    };
    return &v[s->n++];
}

/* Steps by their windows, ends not included; SIZE_MAX: outside of all. */
static size_t step_at(const struct torch_joins *j, double us, int64_t ns)
{
    size_t i, end;

    for (torch_steps_around(j, ns, &i, &end); i < end; i++)
        if (offline_us(j->step[i].from) <= us && us < offline_us(j->step[i].to))
            return i;
    return SIZE_MAX;
}

static void add(struct sum *s, double v)
{
    s->v += v;
    s->real = true;
}

static int take_event(struct sums *s, const struct offline_event *ev, struct err *e)
{
    int part = ev->ph == 'X' ? part_of(ev->name) : -1;
    const struct offline_process *p = offline_process_of(s->t, ev->pid_n);
    double ts, dur = 0;

    if (part < 0 || ev->ts_ns == INT64_MIN || !offline_event_us(ev, "ts", &ts))
        return OK;
    (void)!offline_event_us(ev, "dur", &dur);
    size_t step = s->j->n_steps ? step_at(s->j, ts, ev->ts_ns) : 0;
    if (step == SIZE_MAX)
        return OK;
    struct row *x = row_of(s, p ? p->device : -1, step, e);
    if (!x)
        return e->code;
    add(&x->part[part], dur);
    x->first = fmin(x->first, ts);
    x->last = fmax(x->last, ts + dur);
    if (part == PART_COMPUTING || part == PART_COMMUNICATION)
        x->work = fmin(x->work, ts);
    return OK;
}

static int add_up(struct sums *s, struct err *e)
{
    struct offline_events *x = NULL;
    struct offline_event ev;

    if (offline_events_open(&x, s->r, e))
        return e->code;
    while (offline_events_next(x, &ev, e))
        if (take_event(s, &ev, e))
            break;
    offline_events_close(x);
    return e->code;
}

/* ---- rows ---- */

static void put(struct emit *o, struct sum s)
{
    emit_c(o, ',');
    if (s.real)
        emit_repr(o, s.v);
    else
        emit_c(o, '0');
}

static struct sum minus(struct sum a, struct sum b)
{
    return (struct sum){ a.v - b.v, a.real || b.real };
}

static int64_t number_of(struct str id)
{
    int64_t n;

    return str_i64(id, &n) ? n : INT64_MAX;
}

static int row_cmp(const struct sums *s, const struct row *a, const struct row *b)
{
    if (a->device != b->device || !s->j->n_steps)
        return a->device < b->device ? -1 : a->device > b->device;
    int64_t x = number_of(s->j->step[a->step].id), y = number_of(s->j->step[b->step].id);
    return x < y ? -1 : x > y;
}

/* Start of the step's mark, else of the first op; us. */
static double begin_of(const struct sums *s, const struct row *x)
{
    if (s->j->n_steps)
        return offline_us(s->r->f.range[s->j->step[x->step].op].from);
    return s->j->n_ops ? offline_us(s->r->f.range[s->j->op[0]].from) : NAN;
}

static void put_row(struct emit *o, const struct sums *s, const struct row *x)
{
    const struct sum *p = x->part;
    struct sum stage = minus((struct sum){ x->last - x->first, true }, p[PART_BUBBLE]);
    struct sum alone = minus(p[PART_ALONE], p[PART_BUBBLE]);
    double begin = begin_of(s, x);
    struct sum preparing = { x->work - begin, isfinite(x->work) && !isnan(begin) };

    if (alone.v < 0)
        alone = (struct sum){ 0, false };
    emit_i(o, x->device);
    emit_c(o, ',');
    if (s->j->n_steps)
        emit_cell_str(o, s->j->step[x->step].id);
    put(o, p[PART_COMPUTING]);
    put(o, p[PART_ALONE]);
    put(o, minus(p[PART_COMMUNICATION], p[PART_ALONE]));
    put(o, p[PART_COMMUNICATION]);
    put(o, p[PART_FREE]);
    put(o, stage);
    put(o, p[PART_BUBBLE]);
    put(o, alone);
    put(o, preparing);
    offline_end_row(o);
}

static void sort_rows(struct sums *s)
{
    for (size_t i = 1; i < s->n; i++) {
        struct row x = s->row[i];
        size_t k = i;
        for (; k && row_cmp(s, &x, &s->row[k - 1]) < 0; k--)
            s->row[k] = s->row[k - 1];
        s->row[k] = x;
    }
}

int offline_torch_steps(struct offline_run *r, const struct offline_output *x, struct err *e)
{
    struct sums s = { .r = r };
    struct emit *o = NULL;

    if (offline_timeline(r, &s.t, e) || torch_joins(r, &s.j, e) || add_up(&s, e))
        goto out;
    if (!s.n) {
        offline_no_data(r, x, "msprof's timeline has no overlap analysis");
        goto out;
    }
    sort_rows(&s);
    if (offline_open(r, &o, x, e) == OK) {
        emit_s(o, "Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,"
                  "Stage,Bubble,Communication(Not Overlapped and Exclude Receive),Preparing\r\n");
        for (size_t i = 0; i < s.n; i++)
            put_row(o, &s, &s.row[i]);
    }
    (void)!offline_close(r, o, e);
out:
    spool_free(r->pool, s.row);
    return e->code;
}
