/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the export: times and rates of a chip's own samples, as both the trace and the database have
 * them.
 */
#ifndef NPUSCOPE_MSPROF_SOC_H
#define NPUSCOPE_MSPROF_SOC_H

#include "msprof/clock.h"
#include "parsers/prof/sampled/soc.h"

struct msprof_run;
/*
 * Samples of one kind of stars_soc_profile, in the order of the file. The file is read at the first request;
 * samples of the other kinds are kept, or read again when they are many. device: index. Errors: those of fn,
 * ERR_NOMEM, ERR_CANCELLED.
 */
NODISCARD int msprof_soc_each(struct msprof_run *r, size_t device, enum prof_soc_kind kind, prof_soc_fn *fn,
                              void *arg, struct err *e);

/* A device's clock for these samples: msprof's goes through a double, which is cut. */
struct msprof_soc_clock {
    const struct prof_folder *f;
    const struct msprof_clock *clock;
    bool compat;
};

static inline int64_t msprof_soc_ns(const struct msprof_soc_clock *c, uint64_t counter)
{
    if (!c->compat)
        return prof_device_ns(c->f, counter);
    double ns = msprof_dev(c->clock, counter, 1e9);
    int64_t v;
    if (!(ns > -9e18 && ns < 9e18) || __builtin_add_overflow((int64_t)ns, c->clock->off_ns, &v))
        return prof_device_ns(c->f, counter);
    return v;
}

/* MB/s, from the bytes since the sample before. */
static inline double msprof_sio_mbs(const struct msprof_soc_clock *c, uint64_t bytes, uint64_t before,
                                    uint64_t counter)
{
    double ns = c->compat ? msprof_dev(c->clock, counter, 1e9) - msprof_dev(c->clock, before, 1e9)
                          : (double)prof_device_ns(c->f, counter) - (double)prof_device_ns(c->f, before);

    return ns > 0 ? (double)bytes * (1e9 / 1048576) / ns : 0;
}

/* V6: QoS has two values, and dies, before the named values. */
#define MSPROF_QOS_SKIP 2

#endif
