/* SPDX-License-Identifier: Apache-2.0 */
/* The roofline as a picture, and below it the ops that lose most time against it. Pure drawing. */
#ifndef NPUSCOPE_UI_PANE_FLOPS_ROOF_H
#define NPUSCOPE_UI_PANE_FLOPS_ROOF_H

#include "model/roofline.h"
#include "ui/widget/draw.h"

void flops_roof_draw(const struct roofline *r, struct canvas *c, struct rect a);

#endif
