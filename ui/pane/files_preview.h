/* SPDX-License-Identifier: Apache-2.0 */
/* How a file begins: its first lines, or its first bytes; for the card of Files. */
#ifndef NPUSCOPE_UI_PANE_FILES_PREVIEW_H
#define NPUSCOPE_UI_PANE_FILES_PREVIEW_H

#include "base/err.h"
#include "ui/widget/draw.h"

struct preview;
/* What is packed is unpacked. NULL: there is nothing to show, or it cannot be read. */
struct preview *preview_read(const char *path);
void preview_free(struct preview *v); /* NULL is allowed */
/* Below an empty line; returns the lines used, 0 where a has no room. */
int preview_draw(const struct preview *v, struct canvas *c, struct rect a);
/* The same as text with a head, for a card that scrolls: 20 lines, or 320 bytes. */
void preview_add(const struct preview *v, struct buf *out);

#endif
