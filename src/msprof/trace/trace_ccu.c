/* SPDX-License-Identifier: Apache-2.0 */
/* Layer of the CCUs (doc/formats/msprof.md#timeline). */
#include "config.h"

#include "msprof/ccu.h"
#include "msprof/trace/trace.h"

/* C++ leaves out executions that began before the collection. */
static int put_run(void *arg, const struct prof_ccu_run *x, struct err *e)
{
    struct msprof_trace *t = arg;
    const struct prof_folder *f = trace_folder(t);
    int64_t ns = trace_device_ns(t, x->start);
    double us = msprof_ccu_ns(f, x) / 1000;

    (void)e;
    if (t->dialect == DIALECT_CPP && ns < prof_begin_ns(f))
        return OK;
    if (t->dialect == DIALECT_PYTHON)
        us = x->end > x->start ? msprof_duration_us(&t->r->clock[t->device], x->end - x->start) : 0;
    trace_slice(t, &(struct trace_event){
                       .word = msprof_ccu_word(x), .text = STR(""), .ts = ns, .dur = TRACE_US, .us = us });
    msprof_ccu_args(x, us, t->dialect ? MSPROF_CCU_PYTHON : MSPROF_CCU_TRACE,
                    &(struct msprof_args){ trace_put_arg, t });
    trace_end(t);
    return OK;
}

int trace_ccu(struct msprof_trace *t, struct err *e)
{
    if (msprof_ccu_runs(t->r, t->device, t->dialect, put_run, t, e))
        return e->code;
    if (t->n_written)
        trace_metadata(
            t, &(struct trace_thread){ .before = "Communication", .text = STR(""), .no_sort = t->dialect },
            1);
    return OK;
}
