/*
 * Totals of each rank, made when everything is read: table rank_total, from which the rank table and the
 * first screen are drawn.
 */
#ifndef NPUSCOPE_TOTALS_H
#define NPUSCOPE_TOTALS_H

#include "run/inventory.h"
#include "store/fill/fill.h"

/*
 * Replaces the rows that are there. unread: panes (bits) that files still to be read feed; what rests on
 * those is NULL, never a part of a sum.
 */
NODISCARD int totals_write(struct fill *f, const struct unit *u, unsigned unread, struct err *e);

#endif
