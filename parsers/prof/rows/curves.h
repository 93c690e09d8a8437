/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to parsers/prof/rows: curves of the timeline, which are samples of one folder of a PROF folder. A
 * curve is made with its first sample.
 */
#ifndef NPUSCOPE_PARSERS_PROF_ROWS_CURVES_H
#define NPUSCOPE_PARSERS_PROF_ROWS_CURVES_H

#include "parsers/prof/rows/rows.h"

#define PROF_CURVES_MAX 8192 /* of a folder; further ones are left out, with a note at the end */

/* A layer of curves. */
struct prof_layer {
    const char *process, *unit;
    enum prof_tag tag; /* whose file they come from */
    int sort;          /* layers of small numbers come first */
};

struct prof_curves {
    struct prof_rows *r;
    const struct prof_folder *f;
    /* private; freed by prof_curves_done() */
    struct intern *keys;
    uint32_t *track; /* by key */
    size_t cap;
    uint64_t n_left; /* samples beyond the limit, and the file of one */
    enum prof_tag left_tag;
};

/*
 * Add a sample at an instant; samples before the beginning of the collection are left out. Errors: those of
 * the sink, ERR_NOMEM.
 */
NODISCARD int prof_curve_put(struct prof_curves *c, const struct prof_layer *l, const char *name, int64_t ts,
                             double value, struct err *e);
void prof_curves_done(struct prof_curves *c);

/* What a chip samples of itself (parsers/prof/sampled/soc.h). */
NODISCARD int prof_curves_soc(struct prof_curves *c, struct err *e); /* parsers/prof/rows/rows_soc.c */
/* Channels of CCUs (parsers/prof/comm/ccu.h). */
NODISCARD int prof_curves_ccu(struct prof_curves *c, struct err *e); /* parsers/prof/rows/rows_ccu.c */
/* Image and video engines, network devices (parsers/prof/sampled/system.h). */
NODISCARD int prof_curves_system(struct prof_curves *c, struct err *e); /* parsers/prof/rows/rows_system.c */
/* Rows of host_sample about memory and processors of host and devices. */
NODISCARD int prof_measure_systems(struct prof_rows *r, struct err *e);
/* Rows of host_sample about the task schedulers' processors (parsers/prof/sampled/tscpu.h). */
NODISCARD int prof_measure_tscpus(struct prof_rows *r, struct err *e); /* parsers/prof/rows/rows_tscpu.c */
/* How busy the host was, and calls of the system on its threads (parsers/prof/sampled/usage.h). */
NODISCARD int prof_curves_host(struct prof_rows *r, struct err *e); /* parsers/prof/rows/rows_usage.c */
/* Counters of the cores that were sampled (parsers/prof/sampled/core_samples.h). */
NODISCARD int prof_curves_cores(struct prof_curves *c, struct err *e); /* parsers/prof/rows/rows_cores.c */

#endif
