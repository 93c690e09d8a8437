/*
 * Calls of the host that are part of a partial export (doc/formats/msprof.md#command-line): those about the
 * iterations of a graph. Pure.
 */
#ifndef NPUSCOPE_MSPROF_CALLS_H
#define NPUSCOPE_MSPROF_CALLS_H

#include "msprof/run.h"

/* Wall clock ns, both included. */
struct msprof_calls {
    int64_t from, to;
};

/*
 * From the end of the iteration before those that are asked for to the end of the last, on a device (its
 * index); all of them in an export of steps and in a whole one.
 */
struct msprof_calls msprof_calls_of(const struct msprof_run *r, size_t device);
/* It begins there, or runs on into it. */
bool msprof_calls_has(const struct msprof_run *r, const struct msprof_calls *w, const struct prof_api *a);

#endif
