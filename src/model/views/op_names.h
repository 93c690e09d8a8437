/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conditions on the rows of view_op_shape for names as people give them: what the command `op` and the card
 * of an op on the screen ask for, so that both have the same figures. Pure.
 */
#ifndef NPUSCOPE_MODEL_VIEWS_OP_NAMES_H
#define NPUSCOPE_MODEL_VIEWS_OP_NAMES_H

#include "base/buf.h"

/* Append the condition for an op type, else for an op by its full name or its last part. */
void op_names_any(struct buf *out, struct str name);
/* Append the condition for an op by its full name. */
void op_names_op(struct buf *out, struct str name);

#endif
