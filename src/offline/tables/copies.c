/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are msprof's (doc/formats/framework.md#copied-tables, #torch_npu-copied-tables). */
#include "config.h"

#include <unistd.h>

#include "base/path.h"
#include "base/read/infile.h"
#include "offline/run.h"

/* What is copied, of one file after the other. */
struct copying {
    struct emit *o;
    bool crlf;   /* rows end so: torch_npu writes them anew */
    bool header; /* is to be left out */
    bool quoted; /* a line break is part of a cell */
};

static void put_bytes(struct copying *c, const char *p, size_t n)
{
    size_t from = 0;

    for (size_t i = 0; i < n; i++) {
        if (p[i] == '"')
            c->quoted = !c->quoted;
        if (p[i] != '\n' || c->quoted)
            continue;
        if (c->header) {
            c->header = false;
            from = i + 1;
        } else if (c->crlf) {
            emit_n(c->o, p + from, i - from);
            emit_n(c->o, "\r\n", 2);
            from = i + 1;
        }
    }
    if (!c->header)
        emit_n(c->o, p + from, n - from);
}

static int copy_file(struct copying *c, const struct offline_file *f, struct err *e)
{
    struct infile *in = NULL;
    size_t n, got = 1;

    if (infile_open_fd(&in, f->fd, f->name, 0, e))
        return e->code;
    while (got && infile_more(in, &got, e) == OK) {
        const char *p = infile_data(in, &n);
        put_bytes(c, p, n);
        infile_take(in, n);
    }
    infile_close(in);
    return e->code;
}

/* The name goes on with a stamp, or it is a slice: "aicpu_" is not the beginning of aicpu_mi_*.csv. */
static const struct offline_file *next_file(const struct offline_run *r, const char *from,
                                            const struct offline_file *f)
{
    while ((f = offline_exported(r, from, ".csv", f)) != NULL) {
        struct str rest = str_sub(str_of(f->name), strlen(from), SIZE_MAX);
        if ((rest.n && rest.p[0] >= '0' && rest.p[0] <= '9') || str_starts(rest, STR("slice_")))
            return f;
    }
    return NULL;
}

/* MindSpore takes the first slice of several. */
int offline_copy(struct offline_run *r, const struct offline_output *x, struct err *e)
{
    const struct offline_file *f = next_file(r, x->from, NULL);
    bool torch = r->flavour == OFFLINE_TORCH, first = r->o->compat && !torch;
    struct copying c = { .crlf = torch };

    if (!f) {
        offline_no_data(r, x, "the PROF folder has no data of it");
        return OK;
    }
    if (offline_open(r, &c.o, x, e) == OK)
        for (; f && copy_file(&c, f, e) == OK && !first; f = next_file(r, x->from, f)) {
            c.header = true;
            c.quoted = false;
        }
    return offline_close(r, c.o, e);
}

int offline_copy_source(struct offline_run *r, const struct offline_output *x, struct err *e)
{
    const struct source_file *f = offline_source(r, x->from, NULL);
    struct emit *o = NULL;
    struct stat st;

    if (!f) {
        offline_no_data(r, x, "the program wrote none");
        return OK;
    }
    const struct offline_file file = { .name = f->rel, .fd = path_open_file(f->path, &st, e) };
    if (file.fd < 0) {
        const struct parse_ctx c = offline_ctx(r, f);
        if (offline_unusable(r, &c, e) == OK)
            offline_no_data(r, x, "its source cannot be read");
        return e->code;
    }
    if (offline_open(r, &o, x, e) == OK)
        (void)!offline_copy_bytes(o, &file, e);
    close(file.fd);
    return offline_close(r, o, e);
}
