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

static void put_decimal(struct emit *o, const struct decimal28 *d)
{
    char t[DECIMAL28_TEXT];

    emit_c(o, ',');
    emit_str(o, decimal28_text(d, t));
}

/* Stage, Bubble, and what of the communication alone is no waiting for the other side. */
static void put_stage(struct emit *o, const struct offline_run *r, const struct step_sum *x,
                      const struct decimal28 *not_overlapped)
{
    struct decimal28 stage, more, alone;

    decimal28_set(&stage, 0, 0);
    if (x->has_comm) {
        decimal28_set(&stage, x->comm_last - x->comm_first, 3);
        if (r->flavour & OFFLINE_SINCE27) {
            decimal28_set_real(&more, x->last_dur);
            decimal28_add(&stage, &stage, &more, false);
        }
        decimal28_add(&stage, &stage, &x->bubble, true);
    }
    decimal28_add(&alone, not_overlapped, &x->bubble, true);
    put_decimal(o, &stage);
    put_decimal(o, &x->bubble);
    put_decimal(o, &alone);
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
    put_decimal(o, step_sums_all(t->sums, COMPUTING));
    put_decimal(o, alone);
    put_decimal(o, &overlapped);
    put_decimal(o, all);
    put_decimal(o, step_sums_all(t->sums, IDLE));
    put_stage(o, r, x, alone);
    emit_s(o, ",0");
    offline_end_row(o);
}

int offline_step_trace(struct offline_run *r, const struct offline_output *x, struct err *e)
{
    const struct offline_timeline *t;
    struct emit *o = NULL;
    size_t n;

    if (offline_timeline(r, &t, e))
        return e->code;
    if (!(t->layers & LAYER_OVERLAP)) {
        offline_no_data(r, x, "msprof's timeline has no overlap analysis");
        return OK;
    }
    if (r->o->compat && r->has & NEEDS_CPU && !r->n_steps && !r->has_ranges && r->flavour != OFFLINE_25) {
        offline_no_data(r, x, "the original fails without op_range");
        return OK;
    }
    const struct step_sum *v = step_sums_get(t->sums, &n);
    if (offline_open(r, &o, x, e) == OK) {
        emit_s(o, "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
                  "Communication(Not Overlapped and Exclude Receive),Preparing\r\n");
        for (size_t i = 0; i < n; i++)
            if (r->flavour == OFFLINE_25)
                put_row_25(o, r, t, &v[i]);
            else
                put_row(o, r, &v[i]);
    }
    return offline_close(r, o, e);
}
