/* Layer of the CCUs (formats/msprof-raw.md 6.3). */
#include "config.h"

#include "msprof/ccu.h"
#include "msprof/trace/trace.h"

/* C++ leaves out what began before the collection. */
static int put_run(void *arg, const struct prof_ccu_run *x, struct err *e)
{
    struct ms_trace *t = arg;
    const struct prof_folder *f = mt_folder(t);
    int64_t ns = mt_device_ns(t, x->start);
    double us = ms_ccu_ns(f, x) / 1000;

    (void)e;
    if (!t->python && ns < prof_begin_ns(f))
        return OK;
    if (t->python)
        us = x->end > x->start ? ms_duration_us(&t->r->clock[t->device], x->end - x->start) : 0;
    mt_slice(t, &(struct mt_event){
                    .word = ms_ccu_word(x), .text = STR(""), .ts = ns, .dur = MT_US, .us = us });
    ms_ccu_args(x, us, t->python ? MS_CCU_PYTHON : MS_CCU_TRACE,
                &(struct ms_args){ mt_put_arg, t });
    mt_end(t);
    return OK;
}

int mt_ccu(struct ms_trace *t, struct err *e)
{
    if (ms_ccu_runs(t->r, t->device, t->python, put_run, t, e))
        return (int)e->code;
    if (t->n_written)
        mt_metadata(
            t,
            &(struct mt_thread){ .before = "Communication", .text = STR(""), .no_sort = t->python },
            1);
    return OK;
}
