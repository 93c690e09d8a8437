/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One directory at a time, opened without following links, sorted by natural order of the names.
 * The list lives in the arena.
 */
#ifndef NPUSCOPE_DIR_H
#define NPUSCOPE_DIR_H

#include "base/arena.h"
#include "base/err.h"

enum dir_type { DIR_FILE, DIR_DIR, DIR_LINK, DIR_OTHER };

struct dir_item {
    const char *name;
    enum dir_type type; /* as the file system lists it, a link not followed */
};

struct dir_list {
    struct dir_item *v;
    size_t n;
    bool cut; /* more than max entries: the rest was left out */
};

/* Descriptor of a directory below at (AT_FDCWD: name is a path), -1 with errno. Links are not followed. */
int dir_open(int at, const char *name);
/* Read at most max entries. Does not close fd. Errors: ERR_IO, ERR_NOMEM. */
NODISCARD int dir_read(struct dir_list *out, int fd, size_t max, struct arena *a, struct err *e);

#endif
