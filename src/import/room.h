/*
 * Room for a store: what the files of a plan will need on the disk and in memory, and what there is. An
 * estimate before anything is read, so that what does not fit is said at once and the rest is shown
 * (doc/reliability.md#full-disk). Sizes are bytes.
 */
#ifndef NPUSCOPE_ROOM_H
#define NPUSCOPE_ROOM_H

#include "import/plan.h"

#define ROOM_ANY UINT64_MAX /* no limit is known */

struct room {
    uint64_t disk_b, memory_b; /* free, ROOM_ANY */
    char place[1024];          /* folder of the store, "" for one in memory */
    bool shared; /* the memory is a share: one that is short is an error, nothing is left for it */
};

/* What a set takes at most while it is read. */
struct room_need {
    uint64_t disk_b, memory_b;
};

/*
 * What there is for a store at this path (NULL: in memory): free bytes of its file system; memory that is
 * available to this process by the kernel's account, its control group and its own limit on address space.
 */
void room_measure(struct room *r, const char *store_path);
/* By kind and size of the set's files, from measured ratios. in_memory: the store, too. */
struct room_need room_need(const struct plan_set *s, bool in_memory);
/*
 * Bytes of memory for a worker that reads the unit while `jobs` of them run: its share of LIM_IMPORT_B. Of
 * raw data every task is kept until it is known whose it is, so that a unit with much of it gets what it
 * needs, of what is free (free_b, ROOM_ANY: not known) for each worker; where that is too little, files take
 * the rest (base/spool.h).
 */
uint64_t room_worker_b(const struct unit *u, uint64_t jobs, uint64_t free_b);
/*
 * Leave the largest sets for later (plan_set.no_room says why) until the others fit. why: one sentence about
 * it for the user, "" when all fit. Errors: ERR_FULL when the small tables alone do not fit; ERR_NOMEM the
 * same of memory.
 */
NODISCARD int room_leave(struct plan *p, const struct room *r, char *why, size_t n, struct err *e);
/* The disk was full before set i and those of its topic were read whole: leave them, with the same texts. */
void room_was_full(struct plan *p, size_t i, size_t n_topic, const struct room *r, char *why, size_t n);
/* The store itself cannot be finished: ERR_FULL in e, in words of use to the user. */
void room_full_error(const struct room *r, struct err *e);

#endif
