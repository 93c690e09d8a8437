/*
 * Which of two sources of the same rows is used when the better one is damaged
 * (doc/store.md#kinds-and-tables: the first that is whole, else the one with most whole rows).
 */
#ifndef NPUSCOPE_PRECEDENCE_H
#define NPUSCOPE_PRECEDENCE_H

#include "import/groups.h"

/*
 * A raw group against damaged files that fed its tables before it: where it is whole, or has more rows, their
 * rows are taken back, s->wanted gets the table, and the files say what replaced them. Where whole files say
 * something else than the raw data, they say so (import/agree/agree.h). Errors: of the store, ERR_NOMEM,
 * ERR_CANCELLED.
 */
NODISCARD int precedence_contest(const struct group_run *r, struct group_set *s, struct err *e);

/* Say of a file that was read that another one is used: that one is whole, or has more whole rows. */
NODISCARD int precedence_mark(struct fill *f, uint32_t source_id, bool whole, const char *instead,
                              struct err *e);

#endif
