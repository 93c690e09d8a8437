/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of raw files in a unit: which files make one (doc/style.md#interfaces). The members borrow the
 * unit's files. Not thread-safe.
 */
#ifndef NPUSCOPE_GROUP_FIND_H
#define NPUSCOPE_GROUP_FIND_H

#include "parsers/registry.h"
#include "run/inventory.h"

/* The members of one group: one anchor folder, one rank. */
struct group_set {
    const struct group_kind *kind;
    int rank;          /* -1: of the unit */
    struct str anchor; /* below the unit's root, ends in '/'; "" for the root itself */
    unsigned wanted;   /* of struct group_ctx */
    bool previewed;    /* rows of the preview are in the store */
    struct group_member *m;
    size_t n;
};
struct group_list {
    struct group_set *sets;
    size_t n;
};

/*
 * Every group of the registry whose needed members are there and whose function exists; of several folders
 * the newest first.
 */
NODISCARD int groups_find(struct group_list *out, const struct unit *u, struct err *e);
void groups_done(struct group_list *l);
bool group_set_has_role(const struct group_set *s, enum role r);
/* Rank of its rows: its own, else the unit's first. */
int group_set_rank(const struct group_set *s, const struct unit *u);
/* The members that the group cannot do without are there. */
bool group_set_is_complete(const struct group_set *s);

#endif
