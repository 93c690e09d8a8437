/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types and shapes of ops whose executions come from files that have only their names: those of GPUs, where
 * tables of the same run have types (gpu_op_detail_info, gpu_framework) and shapes (gpu_framework).
 */
#ifndef NPUSCOPE_OP_TYPES_H
#define NPUSCOPE_OP_TYPES_H

#include "store/fill/fill.h"

/*
 * Give ops without a type that of op_stat's row of their name, ops of a GPU also that of their launches, and
 * their shapes where these are all the same. What op_stat says twice and differently stays unknown. Call it
 * after fill_settle(), between sources. Errors: of the store, ERR_NOMEM.
 */
NODISCARD int op_types_write(struct fill *f, struct err *e);

#endif
