/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run roots from any path (doc/formats/analysed.md#layouts): the path itself, what lies below it
 * (DISCOVER_DOWN levels, the upper ones first), what it lies in (DISCOVER_UP levels). The list lives in the
 * arena. What was not entered, and why, is part of the answer.
 */
#ifndef NPUSCOPE_DISCOVER_H
#define NPUSCOPE_DISCOVER_H

#include "run/find/roots.h"

#define DISCOVER_UP   6
#define DISCOVER_DOWN 16

/*
 * Roots for a canonical path; above the folder floor (NULL: /) nothing is looked at. None found: OK with n 0.
 * Errors: ERR_IO (the path itself cannot be read), ERR_NOMEM, ERR_CANCELLED (a signal).
 */
NODISCARD int discover(struct root_list *out, const char *path, bool is_file, const char *floor,
                       const struct inventory_tables *t, struct arena *a, struct err *e);

#endif
