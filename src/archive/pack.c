/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "archive/pack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>

struct pack {
    struct archive *a;
    struct archive_entry *entry;
    pack_sink *sink;
    void *arg;
    struct err err; /* of the sink */
};

static la_ssize_t give(struct archive *a, void *arg, const void *bytes, size_t n)
{
    struct pack *p = arg;

    if (p->sink(p->arg, (struct str){ bytes, n }, &p->err)) {
        archive_set_error(a, EIO, "%s", p->err.text);
        return -1;
    }
    return (la_ssize_t)n;
}

static int failed(const struct pack *p, const char *what, struct err *e)
{
    const char *why = archive_error_string(p->a);

    if (p->err.code)
        *e = p->err;
    else
        err_set(e, ERR_IO, "cannot pack %s: %s", what, why ? why : "no reason given");
    return e->code;
}

int pack_new(struct pack **out, pack_sink *sink, void *arg, struct err *e)
{
    struct pack *p = calloc(1, sizeof *p);

    *out = p;
    if (!p)
        return err_nomem(e);
    err_clear(&p->err);
    p->sink = sink;
    p->arg = arg;
    p->a = archive_write_new();
    p->entry = archive_entry_new();
    if (!p->a || !p->entry)
        return err_nomem(e);
    /* long names and any bytes, and every tar reads it without a word */
    if (archive_write_set_format_gnutar(p->a) != ARCHIVE_OK ||
        archive_write_add_filter_gzip(p->a) != ARCHIVE_OK ||
        archive_write_set_options(p->a, "gzip:!timestamp") != ARCHIVE_OK ||
        archive_write_set_bytes_in_last_block(p->a, 1) != ARCHIVE_OK || /* no padding */
        archive_write_open(p->a, p, NULL, give, NULL) != ARCHIVE_OK)
        return failed(p, "anything", e);
    return OK;
}

int pack_add(struct pack *p, const char *name, int64_t mtime_s, struct str data, struct err *e)
{
    archive_entry_clear(p->entry);
    archive_entry_set_pathname(p->entry, name);
    archive_entry_set_filetype(p->entry, AE_IFREG);
    archive_entry_set_perm(p->entry, 0600);
    archive_entry_set_size(p->entry, (la_int64_t)data.n);
    archive_entry_set_mtime(p->entry, (time_t)mtime_s, 0);
    if (archive_write_header(p->a, p->entry) < ARCHIVE_WARN)
        return failed(p, name, e);
    if (data.n && archive_write_data(p->a, data.p, data.n) != (la_ssize_t)data.n)
        return failed(p, name, e);
    return OK;
}

int pack_end(struct pack *p, struct err *e)
{
    return archive_write_close(p->a) == ARCHIVE_OK ? OK : failed(p, "the end of the archive", e);
}

void pack_free(struct pack *p)
{
    if (!p)
        return;
    archive_entry_free(p->entry);
    if (p->a) {
        archive_write_fail(p->a); /* after an error nothing more is given to the sink */
        archive_write_free(p->a);
    }
    free(p);
}
