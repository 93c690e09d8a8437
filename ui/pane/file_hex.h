/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes of a file, record by record when its layout is known (run/layout.h): an overlay over the Files
 * pane.
 */
#ifndef NPUSCOPE_UI_PANE_FILE_HEX_H
#define NPUSCOPE_UI_PANE_FILE_HEX_H

#include "model/places.h"
#include "run/kind.h"
#include "ui/app/overlay.h"

/*
 * path: of f. chain: the first of the slices that f is one of, or f itself. store: for the positions of
 * notes; NULL: none. Errors: ERR_IO, ERR_FORMAT, ERR_NOMEM.
 */
NODISCARD int file_hex_open(struct overlay **out, const struct source_file *f, const char *path,
                            const struct source_file *chain, struct store *store, struct err *e);

#endif
