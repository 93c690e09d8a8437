/* A trace for trace viewers (ux.md section 9): the events of the chosen ranks, window and tracks. */
#ifndef NPUSCOPE_CHROME_H
#define NPUSCOPE_CHROME_H

#include "cli/cli.h"

/* Into c->out. Errors: ERR_FORMAT no event fits, ERR_IO, ERR_NOMEM, ERR_CANCELLED. */
NODISCARD int chrome_write(struct cli *c, struct err *e);

#endif
