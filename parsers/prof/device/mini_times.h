/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long tasks of chip 0 waited, were pending and ran (doc/formats/prof.md#ts_track, time line). Pure. Not
 * thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_PROF_DEVICE_MINI_TIMES_H
#define NPUSCOPE_PARSERS_PROF_DEVICE_MINI_TIMES_H

#include "parsers/prof/prof.h"

/* A task that was done; counters of the device, 0: not recorded. */
struct prof_mini_time {
    uint64_t waits, pends, runs, done;
    uint16_t stream, task;
    uint16_t kind; /* of the record of its end */
};
/*
 * Tasks by type, id, stream and end, from records with from < counter < to (from 0: all). *out is the
 * caller's to free. Errors: ERR_NOMEM, ERR_LIMIT, ERR_CANCELLED.
 */
struct prof_mini_window {
    uint64_t from, to;
};
NODISCARD int prof_mini_times(struct prof_mini_time **out, size_t *n, struct prof *p,
                              const struct prof_folder *f, const struct prof_mini_window *w, struct err *e);

#endif
