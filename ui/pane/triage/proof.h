/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The proof of a line of the verdict (doc/screens.md#triage): what it compares, as text for a window. A line
 * that begins with "#" is a heading.
 */
#ifndef NPUSCOPE_UI_PANE_TRIAGE_PROOF_H
#define NPUSCOPE_UI_PANE_TRIAGE_PROOF_H

#include "analysis/ending.h"
#include "analysis/peers.h"
#include "base/buf.h"

/* Of the ranks that are in the op of the rank at `at`, or have left it: when they entered and left. */
void proof_left(const struct ending *x, size_t at, struct buf *b);
/* What the rank did last that the acts are of. */
void proof_last(const struct ending *x, struct buf *b);
/* Mean steps, rank by rank; a column that no rank has is left out. */
void proof_ranks(const struct peers *p, struct buf *b);

#endif
