/* SPDX-License-Identifier: Apache-2.0 */
/* In the cards of Ops: who launches an op, and its counters as bars. */
#ifndef NPUSCOPE_UI_PANE_OPS_ORIGIN_H
#define NPUSCOPE_UI_PANE_OPS_ORIGIN_H

#include "base/buf.h"
#include "model/op_origin.h"
#include "ui/widget/draw.h"

/* Draw them into a from its first row, as far as they fit; returns the rows wanted, 0: nothing is known. */
int ops_draw_origin(const struct op_origin *o, bool of_type, struct canvas *c, struct rect a);
/* The same as lines "title TAB value". */
void ops_origin_lines(const struct op_origin *o, struct buf *out);

#endif
