/*
 * The overview of a job of many units (design: doc/store.md#overview): a small store of the same schema that
 * holds, for every rank, its unit, steps, totals, communication and findings, copied from the units' stores.
 * The rank table is drawn from it without opening those.
 *
 * It is made anew as a whole when a unit came or changed: rows of a unit come from its store, or from the
 * older overview while that is still right. The file is written beside its name and renamed, as every store.
 */
#ifndef NPUSCOPE_OVERVIEW_H
#define NPUSCOPE_OVERVIEW_H

#include "run/inventory.h"
#include "store/store.h"

/* Panes whose files the overview rests on: what else is large can be read later. */
#define OVERVIEW_PANES (PANE_BIT(PANE_TRIAGE) | PANE_BIT(PANE_STEPS) | PANE_BIT(PANE_COMM))

/* There can be one: several ranks, and none of them in two units. */
bool overview_possible(const struct job *j);
/* Its path in the cache. Errors: as store_cache_path(). */
NODISCARD int overview_path(const struct job *j, char *buf, size_t n, struct err *e);

struct overview_part {
    const struct unit *unit;
    const char *key; /* unit_input_key() of it */
    const char *store_path;
    /* borrowed; NULL: its rows are those of the older overview, if that is right about it */
    struct store *store;
};
/* now_ns: Unix time, for the units' states. older may be NULL. Errors: ERR_NOMEM, ERR_IO, ERR_FULL. */
NODISCARD int overview_make(const char *path, const struct job *j, const struct overview_part *parts,
                            size_t n, struct store *older, int64_t now_ns, struct err *e);
/* It has the rows of this unit as its files are now; key: unit_input_key() of it. */
bool overview_has(struct store *overview, const struct unit *u, const char *key);

#endif
