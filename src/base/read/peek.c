/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes at any offset of a file. */
#include "config.h"

#include "base/read/peek.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"

struct peek {
    int fd;
    char *path;
};

static int open_file(struct peek *p, struct err *e)
{
    struct stat st;

    p->fd = path_open_file(p->path, &st, e);
    return p->fd >= 0 ? OK : e->code;
}

int peek_open(struct peek **out, const char *path, struct err *e)
{
    struct peek *p = calloc(1, sizeof *p);

    *out = NULL;
    if (!p)
        return err_nomem(e);
    p->fd = -1;
    p->path = strdup(path);
    if (!p->path)
        err_nomem(e);
    else if (open_file(p, e))
        err_where(e, path, ERR_NO_OFFSET, 0);
    if (e->code) {
        peek_close(p);
        return e->code;
    }
    *out = p;
    return OK;
}

void peek_close(struct peek *p)
{
    if (!p)
        return;
    if (p->fd >= 0)
        close(p->fd);
    free(p->path);
    free(p);
}

uint64_t peek_size(const struct peek *p)
{
    struct stat st;
    return fstat(p->fd, &st) == 0 && st.st_size > 0 ? (uint64_t)st.st_size : 0;
}

int peek_read(const struct peek *p, uint64_t off, void *buf, size_t n, size_t *got, struct err *e)
{
    *got = 0;
    if (off > INT64_MAX)
        return OK;
    while (*got < n) {
        ssize_t r = pread(p->fd, (char *)buf + *got, n - *got, (off_t)(off + *got));
        if (r < 0 && errno == EINTR)
            continue;
        if (r < 0) {
            err_sys(e, errno, "cannot read");
            err_where(e, p->path, off + *got, 0);
            return e->code;
        }
        if (r == 0)
            break;
        *got += (size_t)r;
    }
    return OK;
}
