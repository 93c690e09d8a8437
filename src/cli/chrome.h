/* A trace for trace viewers (ux.md section 9): the events of the chosen ranks, window and tracks. */
#ifndef NPUSCOPE_CHROME_H
#define NPUSCOPE_CHROME_H

#include "cli/cli.h"

/* Into c->out. Errors: ERR_FORMAT no event fits, ERR_IO, ERR_NOMEM, ERR_CANCELLED. */
NODISCARD int chrome_write(struct cli *c, struct err *e);

/*
 * Tracks of a viewer hold events that nest. Feed events of one track in order (start, longer first); the result is the number, from 0, of the
 * viewer's track that takes the event. -1: out of memory.
 */
struct nesting;
NODISCARD int nesting_new(struct nesting **out, struct err *e);
void nesting_free(struct nesting *n);
int nesting_place(struct nesting *n, int64_t ts, int64_t dur);

#endif
