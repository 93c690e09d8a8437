/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names and shapes for the planned memory of a run that was not analysed: memory_usage_N.pb has only short
 * names of nodes and no shapes; the ops of the same run have full names and tensors
 * (doc/formats/mindspore1.md#memory_usage_summary).
 */
#ifndef NPUSCOPE_MEM_NAMES_H
#define NPUSCOPE_MEM_NAMES_H

#include "store/fill/fill.h"

/*
 * Give nodes the full name of their op, and output tensors the shape, format and type of the op's output. A
 * short name that belongs to several ops gives no name, and ops of one name whose outputs differ give no
 * shapes. Call it after fill_settle(), between sources. Errors: of the store, ERR_NOMEM.
 */
NODISCARD int mem_names_write(struct fill *f, struct err *e);

#endif
