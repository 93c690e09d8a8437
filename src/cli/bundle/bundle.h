/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What somebody else needs to help with a run, gathered in memory before any of it is written
 * (doc/reliability.md#bundles): members with their texts, and what could not be among them. All texts
 * together stay below a limit.
 */
#ifndef NPUSCOPE_CLI_BUNDLE_BUNDLE_H
#define NPUSCOPE_CLI_BUNDLE_BUNDLE_H

#include "archive/pack.h"
#include "base/buf.h"

struct bundle;
struct bundle_member {
    const char *name; /* '/' between its parts */
    const char *what; /* for people */
    struct str text;
    int64_t mtime_s; /* Unix time */
};

/* limit_b: of all texts together. now_s: time of what is made for it. Errors: ERR_NOMEM. */
NODISCARD int bundle_new(struct bundle **out, uint64_t limit_b, int64_t now_s, struct err *e);
void bundle_free(struct bundle *b); /* NULL is allowed */

/*
 * Add a member with the text, which it takes out of the buffer. One that does not fit is not added, which is
 * said as by bundle_lack(). mtime_s 0: made now. what is borrowed. Errors: ERR_NOMEM, also for a failed
 * buffer.
 */
NODISCARD int bundle_add(struct bundle *b, const char *name, const char *what, struct buf *text,
                         int64_t mtime_s, struct err *e);
/* Say that something is not in it: a sentence. Errors: ERR_NOMEM. */
NODISCARD int bundle_lack(struct bundle *b, struct err *e, const char *fmt, ...) PRINTF_LIKE(3, 4);
uint64_t bundle_room(const struct bundle *b); /* bytes below the limit */

size_t bundle_n(const struct bundle *b);
const struct bundle_member *bundle_at(const struct bundle *b, size_t i);
/* NULL after the last sentence. */
const char *bundle_lacks(const struct bundle *b, size_t i);
/*
 * Write all members below the folder `top` of an archive, the one that was added last, which lists them,
 * first. Errors: those of pack_add().
 */
NODISCARD int bundle_pack(const struct bundle *b, const char *top, pack_sink *sink, void *arg, struct err *e);

#endif
