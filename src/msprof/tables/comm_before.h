/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communication ops of a device as far as their tasks began before the collection: msprof's Python half has
 * rows of them (doc/formats/prof-quirks.md#warm-up-of-910a). Not thread-safe.
 */
#ifndef NPUSCOPE_MSPROF_TABLES_COMM_BEFORE_H
#define NPUSCOPE_MSPROF_TABLES_COMM_BEFORE_H

#include "msprof/run.h"

struct msprof_comm_before {
    struct prof_comm_run run; /* over its tasks of master calls that began before; no task is in prof_comm */
    uint32_t request;         /* iteration of the model */
};
struct msprof_comm_early {
    struct msprof_comm_before *v; /* by start */
    size_t n;
    bool *op; /* by number of the host's ops: whether it is among them; NULL: none is */
};

/*
 * Those of device number dev; none unless the export follows msprof and is that half's. ERR_NOMEM;
 * msprof_comm_early_done() is allowed after a failure.
 */
NODISCARD int msprof_comm_early(struct msprof_comm_early *c, struct msprof_run *r, size_t dev, struct err *e);
void msprof_comm_early_done(struct msprof_comm_early *c);
/*
 * What is left of one of these ops in the collection is no task of a master call: that half has no row of it.
 */
bool msprof_comm_is_rest(const struct msprof_comm_early *c, const struct prof_comm_run *run);

#endif
