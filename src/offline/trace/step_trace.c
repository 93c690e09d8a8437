/* SPDX-License-Identifier: Apache-2.0 */
/* step_trace_time.csv of MindSpore (doc/formats/framework.md#step_trace_time). */
#include "config.h"

#include "base/bounded.h"
#include "offline/trace/step_sums.h"

static void put_ns(struct emit *o, int64_t ns)
{
    emit_c(o, ',');
    emit_fixed(o, ns, 3);
}

/* With all digits; doubles: with those of a double. */
static void put_decimal(struct emit *o, const struct decimal28 *d, bool doubles)
{
    char t[DECIMAL28_TEXT];
    struct str text = decimal28_text(d, t);
    double v;

    emit_c(o, ',');
    if (doubles && str_f64(text, &v))
        emit_repr(o, v);
    else
        emit_str(o, text);
}

/* Stage, Bubble, and what of the communication alone is no waiting for the other side. */
static void put_stage(struct emit *o, const struct offline_run *r, const struct step_sum *x,
                      const struct decimal28 *not_overlapped)
{
    struct decimal28 stage, more, alone;
    bool doubles = r->flavour == OFFLINE_24;

    decimal28_set(&stage, 0, 0);
    if (x->has_comm) {
        decimal28_set(&stage, x->comm_last - x->comm_first, 3);
        if (r->flavour & (OFFLINE_24 | OFFLINE_SINCE27)) {
            decimal28_set_real(&more, x->last_dur);
            decimal28_add(&stage, &stage, &more, false);
        }
        decimal28_add(&stage, &stage, &x->bubble, true);
    }
    decimal28_add(&alone, not_overlapped, &x->bubble, true);
    put_decimal(o, &stage, doubles);
    put_decimal(o, &x->bubble, doubles);
    put_decimal(o, &alone, doubles);
}

/* The smallest start of what MindSpore recorded, INT64_MAX: nothing. */
static int64_t first_range(const struct offline_run *r)
{
    int64_t first = INT64_MAX;

    for (size_t i = 0; i < r->f.n_ranges; i++) {
        const struct framework_range *x = &r->f.range[i];
        if (x->from != x->to && !(x->is & RANGE_FLOW) && x->from < first)
            first = x->from;
    }
    return first;
}

static int64_t preparing(const struct offline_run *r, const struct step_sum *x)
{
    int64_t from = r->n_steps ? x->from : first_range(r);

    return r->has & NEEDS_CPU && x->first != INT64_MAX && from != INT64_MAX ? bounded_sub(x->first, from) : 0;
}

static void put_row(struct emit *o, const struct offline_run *r, const struct step_sum *x)
{
    struct decimal28 not_overlapped;

    decimal28_set(&not_overlapped, x->not_overlapped, 3);
    emit_cell_str(o, x->id);
    put_ns(o, x->computing);
    put_ns(o, x->not_overlapped);
    put_ns(o, bounded_sub(x->communication, x->not_overlapped));
    put_ns(o, x->communication);
    put_ns(o, x->idle);
    put_stage(o, r, x, &not_overlapped);
    put_ns(o, preparing(r, x));
    offline_end_row(o);
}

/* One row of everything, with the digits that the sums have. */
static void put_row_25(struct emit *o, const struct offline_run *r, const struct offline_timeline *t,
                       const struct step_sum *x)
{
    const struct decimal28 *alone = step_sums_all(t->sums, NOT_OVERLAPPED),
                           *all = step_sums_all(t->sums, COMMUNICATION);
    struct decimal28 overlapped;

    decimal28_add(&overlapped, all, alone, true);
    emit_c(o, '0');
    put_decimal(o, step_sums_all(t->sums, COMPUTING), false);
    put_decimal(o, alone, false);
    put_decimal(o, &overlapped, false);
    put_decimal(o, all, false);
    put_decimal(o, step_sums_all(t->sums, IDLE), false);
    put_stage(o, r, x, alone);
    emit_s(o, ",0");
    offline_end_row(o);
}

/* Of 2.3 and 2.4: one row of everything that is of no step, and nothing is prepared. */
static void put_row_24(struct emit *o, const struct offline_run *r, const struct step_sum *x)
{
    const int64_t v[] = { x->computing, x->not_overlapped, bounded_sub(x->communication, x->not_overlapped),
                          x->communication, x->idle };
    struct decimal28 not_overlapped;

    for (size_t i = 0; i < ARRAY_LEN(v); i++) {
        emit_c(o, ',');
        emit_dec(o, v[i], 3);
    }
    decimal28_set(&not_overlapped, x->not_overlapped, 3);
    put_stage(o, r, x, &not_overlapped);
    offline_end_row(o);
}

static void put_rows(struct emit *o, const struct offline_run *r, const struct offline_timeline *t)
{
    size_t n;
    const struct step_sum *v = step_sums_get(t->sums, &n);

    emit_s(o, "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
              "Communication(Not Overlapped and Exclude Receive)");
    emit_s(o, r->flavour == OFFLINE_24 ? "\r\n" : ",Preparing\r\n");
    for (size_t i = 0; i < n; i++)
        if (r->flavour == OFFLINE_24)
            put_row_24(o, r, &v[i]);
        else if (r->flavour == OFFLINE_25)
            put_row_25(o, r, t, &v[i]);
        else
            put_row(o, r, &v[i]);
}

int offline_step_trace(struct offline_run *r, const struct offline_output *x, struct err *e)
{
    const struct offline_timeline *t;
    struct emit *o = NULL;

    if (r->o->compat && r->flavour == OFFLINE_24)
        return offline_step_trace_24(r, x, e);
    if (offline_timeline(r, &t, e))
        return e->code;
    if (!(t->layers & LAYER_OVERLAP)) {
        offline_no_data(r, x, "msprof's timeline has no overlap analysis");
        return OK;
    }
    if (r->o->compat && r->has & NEEDS_CPU && !r->n_steps && !r->has_ranges && r->flavour & OFFLINE_SINCE26) {
        offline_no_data(r, x, "the original fails without op_range");
        return OK;
    }
    if (offline_open(r, &o, x, e) == OK)
        put_rows(o, r, t);
    return offline_close(r, o, e);
}
