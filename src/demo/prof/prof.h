/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the writers of raw data of MindSpore 2.x: the PROF_* folder of a rank as CANN leaves it before
 * any export (doc/formats/prof.md#names to #device-records), of any chip. Times, tasks and counters are those
 * of the analysed files (demo/ascend_ms/ascend_ms.h), so that its export gives these files.
 */
#ifndef NPUSCOPE_DEMO_PROF_PROF_H
#define NPUSCOPE_DEMO_PROF_PROF_H

#include "demo/ascend_ms/ascend_ms.h"
#include "demo/demo_cut.h"
#include "demo/demo_slices.h"

/* Differences between the records of chips; by enum demo_chip. */
struct demo_prof_chip {
    bool hwts;     /* its task scheduler is HWTS, else "stars" */
    bool one_core; /* one kind of core for all kernels */
    bool ids32;    /* task ids of 32 bits in records of their own ("V6") */
    bool ts_aicpu; /* tasks of the AI CPU are in ts_track */
    const char *aic_events, *aic_metrics, *aiv_events;
    const char *l2_events; /* what demo_prof_device() records of the L2 cache; NULL: nothing */
};
extern const struct demo_prof_chip demo_prof_chips[];

struct demo_prof {
    struct ascend *g;
    const struct demo_prof_chip *chip;
    struct demo_cut cut;
    char host[1100], device[1100]; /* folders of data */
};

/* Counters of the L2 cache are recorded: torch_npu's run did not ask for them. */
bool demo_prof_has_l2(const struct demo_prof *r);

/* Hash of a text as in hash_dic: FNV-1a with 64 bits, never 0. */
uint64_t demo_prof_hash(const char *s);

/* A file of records. */
struct demo_prof_file {
    const char *stem;
    size_t record_b;
    size_t torn_b; /* bytes that a crash leaves of a record that was being written */
};
/* Open n files in dir; device: its number is the end of the stem, -1 for the host. */
void demo_prof_open(struct demo_slices *s, const struct demo_prof_file *f, size_t n, struct demo_prof *r,
                    const char *dir, int device);
/* Close all; the first error stays in e. */
NODISCARD int demo_prof_close(struct demo_slices *s, const struct demo_prof_file *f, size_t n, struct err *e);
/* Whether one of them failed. */
bool demo_prof_failed(const struct demo_slices *s, size_t n);

/*
 * A stream's task ids begin anew after 65536 of them, and a record says so: demo_prof_flips() returns how
 * often that happened since the call before.
 */
struct demo_prof_batches {
    uint32_t of[64]; /* by stream */
};
static inline uint32_t demo_prof_flips(struct demo_prof_batches *b, uint32_t stream, uint32_t task)
{
    uint32_t n = task / 65536 - b->of[stream % 64];
    b->of[stream % 64] = task / 65536;
    return n;
}

/* Id of a task, unique over all streams. */
static inline uint32_t demo_prof_id32(uint32_t stream, uint32_t task)
{
    return task << 8 | (stream & 255);
}

NODISCARD int demo_prof_info_files(struct demo_prof *r, struct err *e); /* info files, clocks, options */
NODISCARD int demo_prof_host(struct demo_prof *r, struct err *e);       /* calls, launches, dictionaries */
NODISCARD int demo_prof_device(struct demo_prof *r, struct err *e); /* tasks, counters, step marks, memory */

#endif
