/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples of the processor of a device's task scheduler: where it was, and its counters
 * (doc/formats/prof.md#binary-samples; upstream, analysis/msparser/hardware/tscpu_parser.py,
 * analysis/viewer/ts_cpu_report.py, analysis/viewer/cpu_data_report.py).
 */
#ifndef NPUSCOPE_PARSERS_PROF_SAMPLED_TSCPU_H
#define NPUSCOPE_PARSERS_PROF_SAMPLED_TSCPU_H

#include "parsers/prof/prof.h"

#define PROF_TSCPU_COUNTERS 7
#define PROF_TSCPU_EVENTS   0xed /* numbers of events are below */
#define PROF_TSCPU_CYCLES   0x11

struct prof_tscpu {
    uint64_t stamp; /* of unknown unit */
    uint64_t pc;
    struct {
        uint32_t event;
        uint64_t count;
    } v[PROF_TSCPU_COUNTERS];
    unsigned n; /* counters */
};
typedef int prof_tscpu_fn(void *arg, const struct prof_tscpu *s, struct err *e);
/*
 * Not OK of fn ends the reading with that error. Samples with an impossible event are left out with a note.
 */
NODISCARD int prof_tscpu_read(struct prof *p, const struct prof_folder *f, prof_tscpu_fn *fn, void *arg,
                              struct err *e);

/* "CPU_CYCLES"; NULL: no name is known. */
const char *prof_tscpu_word(uint32_t event);

struct prof_tscpu_function {
    uint64_t pc, cycles;
};
struct prof_tscpu_sums {
    uint64_t count[PROF_TSCPU_EVENTS]; /* sums saturate */
    bool met[PROF_TSCPU_EVENTS];
    struct prof_tscpu_function *function; /* those that took most first; equal ones in msprof's order */
    size_t n_functions;
};
/* prof_tscpu_sums_done() is allowed after a failure. Errors: ERR_NOMEM, ERR_CANCELLED. */
NODISCARD int prof_tscpu_sum(struct prof_tscpu_sums *s, struct prof *p, const struct prof_folder *f,
                             struct err *e);
void prof_tscpu_sums_done(struct prof_tscpu_sums *s);

#endif
