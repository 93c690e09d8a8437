/* SPDX-License-Identifier: Apache-2.0 */
/* Directory listings for discovery and inventory. */
#include "config.h"

#include "base/grow.h"
#include "run/dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int dir_open(int at, const char *name)
{
    return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

static enum dir_type type_of_mode(mode_t m)
{
    if (S_ISREG(m))
        return DIR_FILE;
    if (S_ISDIR(m))
        return DIR_DIR;
    return S_ISLNK(m) ? DIR_LINK : DIR_OTHER;
}

/* Fill an item. Its type comes from the directory where the file system gives it there. ERR_NOMEM. */
static int fill_item(struct dir_item *it, int fd, const struct dirent *d, struct arena *a, struct err *e)
{
    struct stat st;

    it->name = arena_str(a, str_of(d->d_name)).p;
    if (!it->name)
        return err_nomem(e);
    switch (d->d_type) {
    case DT_REG:
        it->type = DIR_FILE;
        break;
    case DT_DIR:
        it->type = DIR_DIR;
        break;
    case DT_LNK:
        it->type = DIR_LINK;
        break;
    case DT_UNKNOWN:
        it->type =
            fstatat(fd, it->name, &st, AT_SYMLINK_NOFOLLOW) == 0 ? type_of_mode(st.st_mode) : DIR_OTHER;
        break;
    default:
        it->type = DIR_OTHER;
    }
    return OK;
}

static int by_name(const void *a, const void *b)
{
    const struct dir_item *x = a, *y = b;

    return str_cmp_natural(str_of(x->name), str_of(y->name));
}

/* Entries of d into the malloc'ed *v. */
static int read_items(DIR *d, size_t max, struct dir_item **v, struct dir_list *out, struct arena *a,
                      struct err *e)
{
    size_t cap = 0;

    for (;;) {
        errno = 0;
        const struct dirent *de = readdir(d);

        if (!de)
            return errno ? err_sys(e, errno, "cannot read the directory") : OK;
        if (strcmp(de->d_name, ".") == 0 || strcmp(de->d_name, "..") == 0)
            continue;
        if (out->n >= max) {
            out->cut = true;
            return OK;
        }
        struct dir_item *more = grow_array(*v, out->n, &cap, sizeof *more, 64);

        if (!more)
            return err_nomem(e);
        *v = more;
        struct dir_item it = { 0 };

        if (fill_item(&it, dirfd(d), de, a, e))
            return e->code;
        (*v)[out->n++] = it;
    }
}

int dir_read(struct dir_list *out, int fd, size_t max, struct arena *a, struct err *e)
{
    struct dir_item *v = NULL;
    int own = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = own >= 0 ? fdopendir(own) : NULL;
    int rc;

    *out = (struct dir_list){ 0 };
    if (!d) {
        int sys = errno;

        if (own >= 0)
            close(own);
        return err_sys(e, sys, "cannot read the directory");
    }
    rc = read_items(d, max, &v, out, a, e);
    if (rc == OK && out->n) {
        qsort(v, out->n, sizeof(*v), by_name);
        out->v = arena_array(a, out->n, sizeof(*v));
        if (out->v)
            memcpy(out->v, v, out->n * sizeof(*v));
        else
            rc = err_nomem(e);
    }
    closedir(d);
    free(v);
    return rc;
}
