/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FLOPs of the steps and of the run, where only those of ops were read, from raw AI Core counters
 * (doc/formats/mindspore1.md#flops). Called between sources.
 */
#ifndef NPUSCOPE_FLOPS_H
#define NPUSCOPE_FLOPS_H

#include "run/inventory.h"
#include "store/fill/fill.h"

/*
 * Write rows of flops_total for every rank of the unit that has op_flops from raw counters and no row of
 * flops_total: one for the run (each op once, the mean of their rates, the mean use of the steps), and one
 * for each step with the use of the cores between its forward start and its backward end.
 */
NODISCARD int flops_write(struct fill *f, const struct unit *u, struct err *e);

#endif
