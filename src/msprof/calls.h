/* SPDX-License-Identifier: Apache-2.0 */
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
 * On a device (its index): from the end of the iteration before the requested ones to the end of the last
 * one. All calls in an export of steps and in a whole export.
 */
struct msprof_calls msprof_calls_of(const struct msprof_run *r, size_t device);
/* The call begins within w, or begins earlier and ends after w->from. */
bool msprof_calls_has(const struct msprof_run *r, const struct msprof_calls *w, const struct prof_api *a);

#endif
