/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The overview of a job of many units (design: doc/store.md#overview): a small store of the same schema that
 * holds, for every rank, its unit, steps, totals, communication and findings, copied from the units' stores.
 * The rank table is drawn from it without opening those.
 *
 * It is made anew as a whole when a unit was read or changed: rows of a unit come from its store, or from the
 * older overview while they are still current. The file is written under a temporary name and renamed, as
 * every store.
 */
#ifndef NPUSCOPE_OVERVIEW_H
#define NPUSCOPE_OVERVIEW_H

#include "run/inventory.h"
#include "store/sink.h"
#include "store/store.h"

/* Panes whose files the overview needs: other large files can be read later. */
#define OVERVIEW_PANES (PANE_BIT(PANE_TRIAGE) | PANE_BIT(PANE_STEPS) | PANE_BIT(PANE_COMM))
/* The same of this job: of one that is not large also what names the longest ops and the peak of memory. */
unsigned overview_panes(const struct job *j);

/* Whether there can be one: the job has several ranks, and none of them is in two units. */
bool overview_possible(const struct job *j);
/* Its path in the cache. Errors: as store_cache_path(). */
NODISCARD int overview_path(const struct job *j, char *buf, size_t n, struct err *e);

struct overview_part {
    const struct unit *unit;
    const char *key; /* unit_input_key() of it */
    const char *store_path;
    /* borrowed; NULL: the rows are taken from the older overview, if it has current ones */
    struct store *store;
};
/*
 * Called when the rows of all units are there, in a transaction of its own, to add findings that compare
 * ranks (import does not know them). Errors end the making.
 */
typedef int overview_after_fn(struct store *s, struct sink *out, struct err *e);
/*
 * now_ns: Unix time, for the units' states. older and after may be NULL. Errors: ERR_NOMEM, ERR_IO, ERR_FULL.
 */
NODISCARD int overview_make(const char *path, const struct job *j, const struct overview_part *parts,
                            size_t n, struct store *older, int64_t now_ns, overview_after_fn *after,
                            struct err *e);
/* Whether the overview has the rows of this unit as its files are now; key: unit_input_key() of the unit. */
bool overview_has(struct store *overview, const struct unit *u, const char *key);

#endif
