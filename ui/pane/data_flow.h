/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A data pipeline as what it is (doc/screens.md#data): its parts from the storage to the device, between them
 * arrows whose heavy part is the fill of the queue.
 */
#ifndef NPUSCOPE_UI_PANE_DATA_FLOW_H
#define NPUSCOPE_UI_PANE_DATA_FLOW_H

#include "model/pipeline.h"
#include "ui/widget/draw.h"

/*
 * Draw n parts (the root first) into a; what has no room in a line goes on in the next. Returns the rows
 * used, 0: there is no way through them, or no room.
 */
int data_draw_flow(const struct pipeline_stage *v, size_t n, struct canvas *c, struct rect a);

#endif
