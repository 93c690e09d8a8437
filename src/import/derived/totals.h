/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Totals of each rank, made when everything is read: table rank_total, which the rank table and the first
 * screen show.
 */
#ifndef NPUSCOPE_TOTALS_H
#define NPUSCOPE_TOTALS_H

#include "run/inventory.h"
#include "store/fill/fill.h"

/*
 * Write the totals, in place of those that are there. unread: panes (bits) fed by files that are still to be
 * read; totals that need those are NULL, never a part of a sum.
 */
NODISCARD int totals_write(struct fill *f, const struct unit *u, unsigned unread, struct err *e);

#endif
