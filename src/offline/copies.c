/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are msprof's, byte by byte (doc/formats/framework.md#copied-tables). */
#include "config.h"

#include "offline/run.h"

int offline_copy(struct offline_run *r, const struct offline_output *x, struct err *e)
{
    const struct offline_file *f = offline_exported(r, x->from, ".csv", NULL);
    struct emit *o = NULL;

    if (!f) {
        offline_no_data(r, x, "the PROF folder has no data of it");
        return OK;
    }
    if (offline_open(r, &o, x, e) == OK)
        (void)!offline_copy_bytes(o, f, e);
    return offline_close(r, o, e);
}
