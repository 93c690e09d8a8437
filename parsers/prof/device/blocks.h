/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of kernels on the cores of a V6 chip (doc/formats/prof.md#stars_soc, #ffts_profile): when each ran
 * on which core. Records are passed on as they are read; only blocks that have begun and not ended are held.
 */
#ifndef NPUSCOPE_PARSERS_PROF_DEVICE_BLOCKS_H
#define NPUSCOPE_PARSERS_PROF_DEVICE_BLOCKS_H

#include "parsers/prof/device/device.h"

struct prof_block_run {
    uint64_t start, end; /* device counters; end is not before start */
    uint32_t task;       /* id among those of all streams */
    uint16_t block;
    uint8_t core;
    bool vector; /* a vector core, else a cube core */
};
/* Not OK ends the reading with that error (e is set). */
typedef int prof_block_fn(void *arg, const struct prof_block_run *b, struct err *e);
/*
 * Read the log of blocks (stars_block.data), in order of the ends; starts and ends that lack the other are
 * counted in a note. Errors: those of fn, ERR_NOMEM, ERR_CANCELLED.
 */
NODISCARD int prof_blocks_logged(struct prof *p, const struct prof_folder *f, prof_block_fn *fn, void *arg,
                                 struct err *e);
/* Read the counters of blocks (ffts_profile.data), in order of the file. Errors: as above. */
NODISCARD int prof_blocks_counted(struct prof *p, const struct prof_folder *f, prof_block_fn *fn, void *arg,
                                  struct err *e);

/* The tasks of a device by their ids; borrows d. */
struct prof_task_index;
NODISCARD int prof_task_index_new(struct prof_task_index **out, const struct prof_device *d, struct err *e);
void prof_task_index_free(struct prof_task_index *x);
/* The task of an id that runs at a counter, else the last one before it; NULL: none. */
const struct prof_task *prof_task_index_at(const struct prof_task_index *x, uint32_t task, uint64_t counter);

#endif
