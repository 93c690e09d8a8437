/*
 * FLOPs of the steps and of the run, where only those of ops were read: raw AI Core counters
 * (doc/formats/mindspore1.md#flops). Between sources.
 */
#ifndef NPUSCOPE_FLOPS_H
#define NPUSCOPE_FLOPS_H

#include "run/inventory.h"
#include "store/fill/fill.h"

/*
 * Rows of flops_total for every rank of the unit that has op_flops from raw counters and none of its own: a
 * row for the run (each op once, the mean of their rates, the mean use of the steps), and the use of the
 * cores in each step between its forward start and its backward end.
 */
NODISCARD int flops_write(struct fill *f, const struct unit *u, struct err *e);

#endif
