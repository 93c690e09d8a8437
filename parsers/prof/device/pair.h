/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starts and ends of tasks become pairs (doc/formats/prof.md#hwts, doc/formats/msprof.md#device-tasks) as
 * they are read: only tasks that have begun and not ended are held, and the records of the tasks whose starts
 * and ends do not alternate.
 */
#ifndef NPUSCOPE_PARSERS_PROF_DEVICE_PAIR_H
#define NPUSCOPE_PARSERS_PROF_DEVICE_PAIR_H

#include "base/err.h"

enum prof_pairing {
    /*
     * doc/formats/msprof.md#device-tasks: by time, the first start with the first end, when there are as many
     * of either; else a start with the first end before the next one
     */
    PROF_PAIR_ORDER,
    PROF_PAIR_LAST, /* doc/formats/prof.md#hwts: an end closes the last start */
};

struct prof_start {
    uint64_t counter;
    uint32_t seq; /* number of its record */
    uint8_t kind;
};
/* A pair; its end is not before its start. Not OK ends the work with that error (e is set). */
typedef int prof_pair_fn(void *arg, uint64_t key, const struct prof_start *s, uint64_t end, struct err *e);

struct prof_pairs_lost {
    uint64_t starts, ends; /* without the other half */
};

struct prof_pairs;
/*
 * key: stands for the task; fn gets pairs in order of their ends, and the odd ones in prof_pairs_finish().
 * Errors: ERR_NOMEM.
 */
NODISCARD int prof_pairs_new(struct prof_pairs **out, enum prof_pairing how, prof_pair_fn *fn, void *arg,
                             struct err *e);
void prof_pairs_free(struct prof_pairs *p);
/* Errors: ERR_NOMEM, those of fn. */
NODISCARD int prof_pairs_start(struct prof_pairs *p, uint64_t key, const struct prof_start *s, struct err *e);
NODISCARD int prof_pairs_end(struct prof_pairs *p, uint64_t key, uint64_t counter, struct err *e);
NODISCARD int prof_pairs_finish(struct prof_pairs *p, struct prof_pairs_lost *lost, struct err *e);
/*
 * After prof_pairs_finish(): fn gets what has begun once and not ended, with this as its end. Errors: those
 * of fn.
 */
#define PROF_NO_END UINT64_MAX
NODISCARD int prof_pairs_open(struct prof_pairs *p, struct err *e);

#endif
