/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading groups of raw files, each as one transaction (doc/style.md#interfaces,
 * doc/store.md#kinds-and-tables: a raw group feeds the tables that no analysed file feeds), after the plan's
 * files.
 */
#ifndef NPUSCOPE_GROUPS_H
#define NPUSCOPE_GROUPS_H

#include "parsers/group_find.h"
#include "run/inventory.h"
#include "store/fill/fill.h"
#include "store/sink_count.h"

#define GROUP_FEEDERS 64 /* files that feed one table of one rank, as many as are looked at */

uint64_t group_set_bytes(const struct group_set *s);

/* What reading needs from the importer. */
struct group_run {
    struct fill *fill;
    const struct unit *u;
    struct arena *tmp;
    bool (*skip)(void *arg,
                 const struct source_file *f); /* the file made an earlier worker die: left out, marked BAD */
    void (*progress)(void *arg, const struct source_file *f,
                     uint64_t done_b); /* first call: f is about to be read */
    void *arg;
    unsigned threads; /* as in struct parse_ctx */
};
/* Choose the tables that the group feeds: s->wanted, 0 when each has rows of this rank already. */
NODISCARD int group_set_choose(const struct group_run *r, struct group_set *s, struct err *e);
/*
 * Whether analysed files give the executions that a group of a whole folder would give: the group is then not
 * read. False for groups of other kinds.
 */
bool group_set_is_listed(const struct unit *u, const struct group_set *s);
/* Mark the files of an older group: a newer one of the same rank is read. */
NODISCARD int group_set_leave(const struct group_run *r, const struct group_set *s,
                              const struct group_set *newer, struct err *e);
/* Mark the files of a group that nothing is wanted of: other files gave all that it would give. */
NODISCARD int group_set_pass(const struct group_run *r, const struct group_set *s, struct err *e);
/* Mark the files of a group of raw data where analysed files are read instead. */
NODISCARD int group_set_rest(const struct group_run *r, const struct group_set *s, struct err *e);
/* Result of a trial: whether every member is whole, and the rows by table of the group's kind. */
struct group_trial {
    bool whole;
    uint64_t rows[GROUP_TABLES];
};
/*
 * Read a group into a counting sink, stage tables included, without storing anything. wanted: as in struct
 * group_ctx. Errors: ERR_NOMEM, ERR_CANCELLED.
 */
NODISCARD int group_set_try(const struct group_run *r, const struct group_set *s, unsigned wanted,
                            struct sink_count *count, struct group_trial *out, struct err *e);
/*
 * Read a group and write the state of its files. Errors: only those that end the import (ERR_FULL, ERR_IO of
 * the store, ERR_NOMEM).
 */
NODISCARD int group_set_read(const struct group_run *r, struct group_set *s, struct err *e);
/*
 * Read only the preview of a group (struct group_ctx.glance), for a screen that waits: the files stay UNREAD.
 * The rows of group_set_read() replace those of the preview. A group with files that are to be skipped gets
 * none.
 */
NODISCARD int group_set_preview(const struct group_run *r, struct group_set *s, struct err *e);
/* The last member that was read, NULL: none; *rows: the rows of all that were read. */
const struct source_file *group_set_last(const struct group_set *s, uint64_t *rows);

#endif
