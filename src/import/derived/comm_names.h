/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of communication ops of a run that was not analysed: its traces lie in folders such as allReduce_2_0,
 * the marks of the steps know the ops (doc/formats/mindspore1.md#hccl_raw).
 */
#ifndef NPUSCOPE_COMM_NAMES_H
#define NPUSCOPE_COMM_NAMES_H

#include "store/fill/fill.h"

/*
 * Give communication ops, their links and their tracks the full names of ops, as hccl_raw_N.csv has them from
 * r1.5 on: the folders of a kind, ordered by their numbers, are the ops of that kind in the order of the
 * marks. What is left over keeps the name of its folder. Call it after fill_settle(), between sources.
 * Errors: of the store, ERR_NOMEM.
 */
NODISCARD int comm_names_write(struct fill *f, struct err *e);

#endif
