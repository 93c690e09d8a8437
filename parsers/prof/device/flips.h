/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to parsers/prof: batches of tasks: how often the 16-bit task ids of their stream began anew before
 * them (doc/formats/msprof.md#host-call-tree, step 5, 5.2).
 */
#ifndef NPUSCOPE_PARSERS_PROF_DEVICE_FLIPS_H
#define NPUSCOPE_PARSERS_PROF_DEVICE_FLIPS_H

#include "base/err.h"
#include "base/large/spool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prof_flip {
    uint64_t time;
    uint32_t stream;
    uint32_t task; /* first id after it */
    uint16_t device;
    bool is_destroyed; /* the stream was destroyed: nothing is corrected */
};

/* Tasks in an array of any kind: by device, stream and time. */
struct prof_flip_tasks {
    void *arg;
    size_t n;
    uint16_t (*device)(const void *arg, uint32_t i);
    uint32_t (*stream)(const void *arg, uint32_t i);
    uint32_t (*task)(const void *arg, uint32_t i);
    uint64_t (*time)(const void *arg, uint32_t i);
    uint32_t *(*batch)(void *arg, uint32_t i);
};

/*
 * Set the batch of each task. flips are sorted; the order of tasks is made in the pool, which may be NULL.
 * Tasks at the time of a flip count as before it; those just before it with a smaller id than its own count
 * as after it. Errors: ERR_NOMEM, ERR_LIMIT.
 */
NODISCARD int prof_flips_number(struct spool *pool, const struct prof_flip_tasks *b, struct prof_flip *flip,
                                size_t n_flips, struct err *e);

#endif
