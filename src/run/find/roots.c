/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of roots and of folders that were not entered, and what is said when there are none. */
#include "config.h"

#include "run/find/roots.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/path.h"
#include "run/dir.h"
#include "run/find/discover.h"

#define FOLDERS     "profiler, *_ascend_ms, *_ascend_pt, PROF_*"
#define NAMES_SHOWN 3

int root_add(struct root_list *o, struct arena *a, const char *path, enum root_kind kind, struct err *e)
{
    for (size_t i = 0; i < o->n; i++)
        if (strcmp(o->v[i].path, path) == 0)
            return OK;
    if (o->n == o->cap) {
        size_t cap = o->cap ? o->cap * 2 : 16;
        struct root *v = arena_array(a, cap, sizeof(*v));

        if (!v)
            return err_nomem(e);
        if (o->n)
            memcpy(v, o->v, o->n * sizeof(*v));
        o->v = v;
        o->cap = cap;
    }
    o->v[o->n].path = arena_str(a, str_of(path)).p;
    o->v[o->n].kind = kind;
    return o->v[o->n++].path ? OK : err_nomem(e);
}

void unread_add(struct unread_folder **list, struct arena *a, const char *path, enum unread_why why,
                const char *text)
{
    struct unread_folder *f = arena_zalloc(a, sizeof(*f));

    while (*list)
        list = &(*list)->next;
    if (!f)
        return;
    f->path = arena_str(a, str_of(path)).p;
    f->text = arena_str(a, str_of(text)).p;
    f->why = why;
    if (f->path && f->text)
        *list = f;
}

size_t unread_count(const struct unread_folder *list, enum unread_why why, const struct unread_folder **first)
{
    size_t n = 0;

    if (first)
        *first = NULL;
    for (const struct unread_folder *f = list; f; f = f->next) {
        if (f->why != why)
            continue;
        if (n++ == 0 && first)
            *first = f;
    }
    return n;
}

/* ---- none ---- */

/* "a.tar.gz, b.zip and 2 more" into b: the archives in a folder. Returns their number, 0 also on errors. */
static size_t list_archives(const char *path, struct buf *b)
{
    struct arena *a = NULL;
    struct dir_list list = { .n = 0 };
    struct err ignored = ERR_INIT;
    int fd = dir_open(AT_FDCWD, path);
    size_t n = 0;

    if (fd >= 0 && arena_new(&a, LIM_SEARCH_ENTRIES * (size_t)64, &ignored) == OK)
        (void)!dir_read(&list, fd, LIM_SEARCH_ENTRIES, a, &ignored);
    for (size_t i = 0; i < list.n; i++) {
        if (list.v[i].type != DIR_FILE || !path_is_archive(list.v[i].name))
            continue;
        if (n++ < NAMES_SHOWN)
            buf_printf(b, "%s%s", n > 1 ? ", " : "", list.v[i].name);
    }
    if (n > NAMES_SHOWN)
        buf_printf(b, " and %zu more", n - NAMES_SHOWN);
    arena_free(a);
    if (fd >= 0)
        close(fd);
    return n;
}

static int only_archives(size_t n, const struct buf *names, struct err *e)
{
    return err_set(e, ERR_FORMAT, "no profile found here, but %s: %.300s; give the path of %s",
                   n == 1 ? "an archive" : "archives", buf_failed(names) ? "" : names->p,
                   n == 1 ? "it" : "one of them, or of an archive that holds all of them");
}

int roots_none(const struct root_list *roots, const char *path, bool is_file, struct err *e)
{
    const struct unread_folder *closed;
    struct buf names;

    if (is_file)
        return err_set(e, ERR_FORMAT,
                       "no profile here: give a folder made by a profiler (%s), one of its files, or a tar "
                       "(also in gzip, xz, zstd, bzip2) or zip of it",
                       FOLDERS);
    if (unread_count(roots->unread, UNREAD_CLOSED, &closed))
        return err_set(e, ERR_IO, "no profile found in what may be read: %s: %s", path_base(closed->path),
                       closed->text);
    if (roots->empty)
        return err_set(e, ERR_FORMAT,
                       "the folder is empty: give a folder made by a profiler (%s) or one above it", FOLDERS);
    buf_init(&names, 4096);
    size_t n = list_archives(path, &names);
    int rc = n ? only_archives(n, &names, e)
               : err_set(e, ERR_FORMAT,
                         "no profile found here, %d levels below or %d above: looked for %s and their files; "
                         "give the path of one of these",
                         DISCOVER_DOWN, DISCOVER_UP, FOLDERS);
    buf_done(&names);
    return rc;
}
