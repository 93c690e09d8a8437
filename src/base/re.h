/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regular expressions (PCRE2, JIT) with limits, on raw bytes treated as UTF-8 with invalid sequences allowed
 * (doc/reliability.md#patterns). A struct re belongs to one thread.
 */
#ifndef NPUSCOPE_RE_H
#define NPUSCOPE_RE_H

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

struct re;

enum re_flags {
    RE_NOCASE = 1,
    RE_BYTES = 2 /* the subject is bytes: case of ASCII letters only, invalid UTF-8 is nothing special */
};

/*
 * Compile. On ERR_USAGE e->text is the reason and e->offset the position in the pattern. Limits: LIM_REGEX_*.
 */
NODISCARD int re_new(struct re **out, struct str pattern, unsigned flags, struct err *e);
void re_free(struct re *r);
/* The pattern as given. Valid until re_free. */
struct str re_pattern(const struct re *r);
/*
 * 1 match (*from, *to in bytes, may be NULL), 0 none, -1 given up: too costly. A pattern that gave up on
 * LIM_REGEX_GIVE_UPS subjects, or took longer than LIM_REGEX_RUN_MS with more than LIM_REGEX_NS each, gives
 * up on every further one at once, until re_renew().
 */
int re_match(struct re *r, struct str s, size_t start, size_t *from, size_t *to);
/* A new run over many subjects begins: the cost of the last one is forgotten. */
void re_renew(struct re *r);
/* The pattern is too costly for the rest of the run. */
bool re_is_spent(const struct re *r);

/* "10.42 2022-12-11, JIT": of the library. */
const char *re_library(void);

#endif
