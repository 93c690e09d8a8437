/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table last_activity: what each stream, engine, layer of the host and queue did last
 * (doc/screens.md#triage). Raw groups, which also know what never ended, write the rows of what they read
 * themselves; the rows of other data are made here from its tables and tracks.
 */
#ifndef NPUSCOPE_ACTIVITY_H
#define NPUSCOPE_ACTIVITY_H

#include "run/inventory.h"
#include "store/fill/fill.h"

/*
 * Write the rows of every rank of the unit, once tracks are made and settled. Rows of an earlier call are
 * replaced. Errors: those of the store.
 */
NODISCARD int activity_write(struct fill *f, const struct unit *u, struct err *e);

#endif
