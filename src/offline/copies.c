/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are msprof's, byte by byte (doc/formats/framework.md#copied-tables). */
#include "config.h"

#include "base/read/infile.h"
#include "offline/run.h"

static int copy_bytes(struct emit *o, const struct offline_file *f, struct err *e)
{
    struct infile *in = NULL;
    size_t n, got = 1;

    if (infile_open_fd(&in, f->fd, f->name, 0, e))
        return e->code;
    while (got && infile_more(in, &got, e) == OK) {
        const char *p = infile_data(in, &n);
        emit_n(o, p, n);
        infile_take(in, n);
    }
    infile_close(in);
    return e->code;
}

int offline_copy(struct offline_run *r, const struct offline_output *x, struct err *e)
{
    const struct offline_file *f = offline_exported(r, x->from, ".csv", NULL);
    struct emit *o = NULL;

    if (!f) {
        offline_no_data(r, x, "the PROF folder has no data of it");
        return OK;
    }
    if (offline_open(r, &o, x, e) == OK)
        (void)!copy_bytes(o, f, e);
    return offline_close(r, o, e);
}
