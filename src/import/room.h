/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room for a store: an estimate of what the files of a plan will need on the disk and in memory, and what is
 * free. It is made before anything is read, so that the user is warned at once of files that do not fit and
 * sees the rest (doc/reliability.md#full-disk). Sizes are bytes.
 */
#ifndef NPUSCOPE_ROOM_H
#define NPUSCOPE_ROOM_H

#include "import/plan.h"

#define ROOM_ANY UINT64_MAX /* no limit is known */

struct room {
    uint64_t disk_b, memory_b; /* free, or ROOM_ANY */
    char place[1024];          /* folder of the store, "" for one in memory */
    bool shared; /* the memory is a share: when it is short that is an error, no file is left for later */
};

/* What a set needs at most while it is read. */
struct room_need {
    uint64_t disk_b, memory_b;
};

/*
 * Measure the room for a store at this path (NULL: in memory): free bytes of its file system; memory
 * available to this process by the kernel's account, its control group and its own limit on address space.
 */
void room_measure(struct room *r, const char *store_path);
/*
 * The need of a set by kind and size of its files, from measured ratios. in_memory: the store is in memory,
 * too.
 */
struct room_need room_need(const struct plan_set *s, bool in_memory);
/*
 * Bytes of memory for a worker that reads the unit while `jobs` of them run: its share of LIM_IMPORT_B. Every
 * task of raw data is kept until its op is known, so a unit with much raw data gets more: what it needs, up
 * to its part of the free memory (free_b; ROOM_ANY: not known). Where that is too little, files take the rest
 * (base/large/spool.h).
 */
uint64_t room_worker_b(const struct unit *u, uint64_t jobs, uint64_t free_b);
/*
 * Leave the largest sets for later (plan_set.no_room says why) until the others fit. why: one sentence about
 * it for the user, "" when all fit. Errors, when the small tables alone do not fit: ERR_FULL for the disk,
 * ERR_NOMEM for memory.
 */
NODISCARD int room_leave(struct plan *p, const struct room *r, char *why, size_t n, struct err *e);
/* The disk was full before set i and those of its topic were read whole: leave them, with the same texts. */
void room_was_full(struct plan *p, size_t i, size_t n_topic, const struct room *r, char *why, size_t n);
/* Set e to ERR_FULL because the store itself cannot be finished, with advice for the user. */
void room_full_error(const struct room *r, struct err *e);

#endif
