/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters of the cores that were sampled over time (doc/formats/prof.md#aicore): what each core counted
 * since its previous sample. They belong to no task. Samples are passed on as they are read.
 */
#ifndef NPUSCOPE_PARSERS_PROF_SAMPLED_CORE_SAMPLES_H
#define NPUSCOPE_PARSERS_PROF_SAMPLED_CORE_SAMPLES_H

#include "parsers/prof/device/pmu.h"

struct prof_core_sample {
    uint64_t time;   /* prof_core_ns() */
    uint64_t cycles; /* of tasks */
    uint64_t event[PROF_EVENTS];
    enum prof_core kind; /* whose events of sample.json they are */
    uint8_t n;           /* events */
    uint8_t core;
};
/* Not OK ends the reading with that error (e is set). */
typedef int prof_core_sample_fn(void *arg, const struct prof_core_sample *s, struct err *e);
/*
 * Read the samples of a kind of core, in order of the file; nothing is done where that kind was not sampled.
 * Records that are no sample are counted in a note. Errors: those of fn, ERR_NOMEM, ERR_CANCELLED.
 */
NODISCARD int prof_core_samples_read(struct prof *p, const struct prof_folder *f, enum prof_core kind,
                                     prof_core_sample_fn *fn, void *arg, struct err *e);
/* Wall clock ns of a sample. */
int64_t prof_core_ns(const struct prof *p, const struct prof_folder *f, uint64_t time);
/* The file they come from; N_PROF_TAGS: that kind was not sampled. */
enum prof_tag prof_core_samples_tag(const struct prof *p, const struct prof_folder *f, enum prof_core kind);

/* All samples of a core together; sums saturate. */
#define PROF_CORES 256
struct prof_core_sum {
    bool any;
    uint64_t cycles;
    uint64_t event[PROF_EVENTS];
};
/* sum: PROF_CORES of them, by core id. Errors: as above. */
NODISCARD int prof_core_sums(struct prof *p, const struct prof_folder *f, enum prof_core kind,
                             struct prof_core_sum *sum, struct err *e);
/* Share of the time since the previous sample that a core was busy, percent; -1: there is no such time. */
double prof_core_usage(const struct prof_meta *m, uint64_t cycles, int64_t before_ns, int64_t ns);

#endif
