/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names and the aliases that stand for them in what is shared, with the file that maps them back
 * (doc/store.md#anonymised-copies). The same name has the same alias everywhere, and no two names share one.
 *
 * Owns its memory; texts that are returned stay valid until aliases_free(). Not thread-safe.
 */
#ifndef NPUSCOPE_STORE_ALIASES_H
#define NPUSCOPE_STORE_ALIASES_H

#include <stdbool.h>

#include "base/buf.h"

enum name_class { NC_OP, NC_PATH, NC_HOST, NC_USER, N_NAME_CLASSES };

struct aliases;
NODISCARD int aliases_new(struct aliases **out, struct err *e);
void aliases_free(struct aliases *a);

/*
 * Read the pairs of a key file, so that their names keep their aliases. A file that is not there has none.
 * Errors: ERR_FORMAT (no key file, or one that was changed; with the line), ERR_IO.
 */
NODISCARD int aliases_read(struct aliases *a, const char *path, struct err *e);
/*
 * Write all pairs as a file that only its owner may read (0600): a line each, the alias, a TAB and the name,
 * in which control bytes and backslashes are \xHH. It replaces path when it is whole.
 */
NODISCARD int aliases_write(const struct aliases *a, const char *path, struct err *e);
uint32_t aliases_count(const struct aliases *a);

/* A public word: it is never replaced, and "word-x" keeps its beginning. */
NODISCARD int aliases_keep(struct aliases *a, struct str word, struct err *e);
bool aliases_is_kept(const struct aliases *a, struct str word);

/*
 * Append a text of a class with its names replaced. Ops and paths are replaced part by part ("a/b" has two),
 * so that the scope of an op stays the beginning of its name; hosts and users as a whole. Errors: ERR_NOMEM,
 * ERR_LIMIT.
 */
NODISCARD int aliases_replace(struct aliases *a, enum name_class c, struct str text, struct buf *out,
                              struct err *e);
/*
 * The same for prose: absolute paths and addresses of hosts (IPv4) are replaced where they stand as words,
 * and with names those that have an alias by now. What a cut left of a name beside its mark ("...", "~") gets
 * the alias of a name that it may be of.
 */
NODISCARD int aliases_scrub(struct aliases *a, bool names, struct str text, struct buf *out, struct err *e);

#endif
