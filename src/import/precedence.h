/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of two sources of the same rows is used when the better one is damaged
 * (doc/store.md#kinds-and-tables: the first that is whole, else the one with most whole rows).
 */
#ifndef NPUSCOPE_PRECEDENCE_H
#define NPUSCOPE_PRECEDENCE_H

#include "import/groups.h"

/*
 * Compare a raw group with damaged files that fed its tables before it: where the group is whole, or has more
 * rows, their rows are taken back, s->wanted gets the table, and the source rows of the files name the group.
 * Whole files that differ from the raw data get a note (import/agree/agree.h). Errors: of the store,
 * ERR_NOMEM, ERR_CANCELLED.
 */
NODISCARD int precedence_contest(const struct group_run *r, struct group_set *s, struct err *e);

enum precedence_why { PRECEDENCE_ROWS, PRECEDENCE_EMPTY, PRECEDENCE_WHOLE, PRECEDENCE_MORE };
/*
 * Mark a file that was read: another one (instead) is used, which has rows, is as empty, is whole, or has
 * more rows.
 */
NODISCARD int precedence_mark(struct fill *f, uint32_t source_id, enum precedence_why why,
                              const char *instead, struct err *e);

#endif
