/* SPDX-License-Identifier: Apache-2.0 */
/* Level by level: the archives found in those of the level before. */
#include "config.h"

#include "archive/inner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/copy_dir.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/str.h"

#define INNER_NAME "inner" /* of a folder while it is filled, beside that of the members */
#define WRAP_NAME  "wrap"
#define INSIDE_B   (LIM_ARCHIVE_NAME_B + 300)

static int cannot(struct err *e)
{
    return err_sys(e, errno, "cannot unpack an archive of the archive");
}

/*
 * The filled folder gets the archive's place. Several members at its top stand for the content of a folder
 * that has the archive's name, as those of an archive that is opened itself. inside: where the members are
 * now, below the folder of all.
 */
static int put_folder(const struct unpack *u, const char *name, char inside[INSIDE_B], struct err *e)
{
    char place[INSIDE_B], only[256], stem[200], wrapped[300];

    if (!path_join(place, sizeof place, u->top, name))
        return err_set(e, ERR_LIMIT, "the path of the cache is too long");
    if (unlinkat(u->dir, place, 0) != 0)
        return cannot(e);
    str_copy(str_of(name), inside, INSIDE_B);
    copy_only_folder(u->dir, INNER_NAME, only, sizeof only);
    if (only[0])
        return renameat(u->dir, INNER_NAME, u->dir, place) == 0 ? OK : cannot(e);
    copy_stem(name, stem, sizeof stem);
    if (!path_join(wrapped, sizeof wrapped, WRAP_NAME, stem) || !path_join(inside, INSIDE_B, name, stem))
        return err_set(e, ERR_LIMIT, "the path of the cache is too long");
    if (mkdirat(u->dir, WRAP_NAME, 0700) != 0 || renameat(u->dir, INNER_NAME, u->dir, wrapped) != 0 ||
        renameat(u->dir, WRAP_NAME, u->dir, place) != 0)
        return cannot(e);
    return OK;
}

/* Add the archives `in` of those inside. */
static int add_found(struct intern *found, const struct intern *in, const char *inside, struct err *e)
{
    char name[LIM_ARCHIVE_NAME_B + 1], path[INSIDE_B];

    for (uint32_t i = 0; i < intern_count(in); i++)
        if (path_join(path, sizeof path, inside, str_copy(intern_get(in, i), name, sizeof name)) &&
            intern_put(found, str_of(path)) == INTERN_NONE)
            return err_nomem(e);
    return OK;
}

/* Unpack the archive that is open as u->fd, and put its folder where the archive lies. */
static int unpack_open(const struct unpack *u, const struct unpack *outer, struct intern *found,
                       struct archive_record *r, struct err *e)
{
    char inside[INSIDE_B];
    size_t n = r->n;

    if (unpack(u, r, e) == ERR_VERSION) {
        err_clear(e);
        if (unlinkat(u->dir, INNER_NAME, AT_REMOVEDIR) != 0 && errno != ENOENT)
            return cannot(e);
        return record_note(r, ARCHIVE_LEFT_OUT, u->name, e, "the library here cannot read its packing");
    }
    if (e->code || put_folder(outer, u->name, inside, e) || record_notes_inside(r, n, inside, e))
        return e->code;
    return add_found(found, u->archives, inside, e);
}

/* The archive `path` of the members; those in it go to `found`. */
static int unpack_one(const struct unpack *outer, struct str path, struct intern *found,
                      struct archive_record *r, struct err *e)
{
    char name[INSIDE_B], place[INSIDE_B];
    struct unpack u = *outer;

    str_copy(path, name, sizeof name);
    u.fd = path_join(place, sizeof place, outer->top, name)
               ? openat(outer->dir, place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
               : -1;
    if (u.fd < 0)
        return OK; /* another member has replaced it */
    u.archives = NULL;
    u.name = u.inside = name;
    u.top = INNER_NAME;
    if (!unpack_is_archive(u.fd))
        (void)!record_note(r, ARCHIVE_SAID, name, e,
                           "is called an archive, but is no tar or zip archive, is empty or is cut before "
                           "its first file ends: it is not unpacked");
    else if (!intern_new(&u.archives, e))
        (void)!unpack_open(&u, outer, found, r, e);
    intern_free(u.archives);
    close(u.fd);
    return e->code;
}

static int tell_deep(const struct intern *left, struct archive_record *r, struct err *e)
{
    char name[INSIDE_B];

    for (uint32_t i = 0; i < intern_count(left) && !e->code; i++)
        (void)!record_note(r, ARCHIVE_SAID, str_copy(intern_get(left, i), name, sizeof name), e,
                           "an archive in more archives than the limit, %d: it is not unpacked",
                           LIM_ARCHIVE_INNER);
    return e->code;
}

int unpack_all(const struct unpack *u, struct archive_record *r, struct err *e)
{
    struct intern *now = NULL, *next = NULL;
    struct unpack outer = *u;

    if (intern_new(&now, e))
        return e->code;
    outer.archives = now;
    (void)!unpack(&outer, r, e);
    for (int level = 0; level < LIM_ARCHIVE_INNER && intern_count(now) && !e->code; level++) {
        if (intern_new(&next, e))
            break;
        for (uint32_t i = 0; i < intern_count(now) && !e->code; i++)
            (void)!unpack_one(u, intern_get(now, i), next, r, e);
        intern_free(now);
        now = next;
    }
    if (!e->code)
        (void)!tell_deep(now, r, e);
    intern_free(now);
    return e->code;
}
