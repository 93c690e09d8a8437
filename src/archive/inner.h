/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archives in archives: a folder with the members of each stands where it lay, under its name. What limits
 * the outer archive limits all of them together (doc/reliability.md#archives).
 */
#ifndef NPUSCOPE_ARCHIVE_INNER_H
#define NPUSCOPE_ARCHIVE_INNER_H

#include "archive/unpack.h"

/* As unpack(), and the archives among the members, LIM_ARCHIVE_INNER levels of them. */
NODISCARD int unpack_all(const struct unpack *u, struct archive_record *r, struct err *e);

#endif
