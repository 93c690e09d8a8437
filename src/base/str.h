/* SPDX-License-Identifier: Apache-2.0 */
/*
 * String views (pointer and length, no terminator), exact number parsing, interning.
 *
 * A struct str borrows its bytes; nothing here allocates except struct intern. Data of a profile is never a C
 * string. Not thread-safe: a struct intern belongs to one thread.
 */
#ifndef NPUSCOPE_STR_H
#define NPUSCOPE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"

struct str {
    const char *p;
    size_t n;
};

#define STR(lit) ((struct str){ "" lit "", sizeof(lit) - 1 })
#define STR_NULL ((struct str){ NULL, 0 })

static inline struct str str_of(const char *c)
{
    return (struct str){ c, c ? strlen(c) : 0 };
}

static inline struct str str_sub(struct str s, size_t from, size_t n)
{
    if (from > s.n)
        from = s.n;
    if (n > s.n - from)
        n = s.n - from;
    return (struct str){ from ? s.p + from : s.p, n }; /* NULL + 0 is undefined in C */
}

/* A letter or digit of ASCII, or '_': what names of columns and tables are made of, whatever the locale. */
static inline bool str_is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool str_eq(struct str a, struct str b);
bool str_eq_nocase(struct str a, struct str b); /* ASCII letters only */
bool str_starts(struct str s, struct str prefix);
bool str_ends(struct str s, struct str suffix);
int str_cmp(struct str a, struct str b);         /* bytewise, shorter first */
int str_cmp_natural(struct str a, struct str b); /* runs of digits by value: slice_2 < slice_10 */
size_t str_common(struct str a, struct str b);   /* bytes both begin with */
/* "a/b/b" without its last part, where the one before is the same: "a/b"; else s. */
struct str str_once_at_end(struct str s, char between);
size_t str_find(struct str s, struct str needle, size_t from); /* SIZE_MAX: not found */
size_t str_find_nocase(struct str s, struct str needle);       /* ASCII letters folded; SIZE_MAX: not found */
size_t str_chr(struct str s, char c);                          /* index of the first c, SIZE_MAX: none */
size_t str_rchr(struct str s, char c);                         /* index of the last c, SIZE_MAX: none */
struct str str_after_last(struct str s, char c); /* what follows the last c; all of s without one */
struct str str_trim(struct str s);               /* without blanks, TAB, CR, LF at both ends */
/* Cut the next piece up to sep off *rest (sep itself removed). false when *rest is exhausted (p == NULL). */
bool str_next(struct str *rest, char sep, struct str *piece);
/* Cut the next word off *rest, which begins with another one then; blanks and TABs part words. n 0: none. */
struct str str_word(struct str *rest);
/* Copy into buf (n bytes, terminated, cut when longer). Returns buf. For paths and messages, not for data. */
char *str_copy(struct str s, char *buf, size_t n);
/* The same for names in sentences: what is cut ends in STR_CUT, after a whole character of UTF-8. */
#define STR_CUT "..."
char *str_copy_cut(struct str s, char *buf, size_t n);

/* Whole text is a decimal integer in range. No blanks, no '+'. */
bool str_i64(struct str s, int64_t *out);
bool str_u64(struct str s, uint64_t *out);
/*
 * Exact value of decimal text (optional sign, fraction, exponent) times mul, rounded half away from zero to
 * an integer. us text to ns: mul 1000; ms: 1000000; KB of upstream files: 1024. No double is used: 19-digit
 * stamps stay exact. *rounded (may be NULL) is set to true (never reset) when digits were lost. false: not a
 * decimal, or out of range.
 */
bool str_scaled(struct str s, uint64_t mul, int64_t *out, bool *rounded);
/* Decimal text to double, correctly rounded, locale-independent. "nan" and "inf" are refused. */
bool str_f64(struct str s, double *out);

/* Random seed of this process for hash tables over hostile names. */
uint64_t str_seed(void);
uint64_t str_hash(struct str s, uint64_t seed);

/*
 * Interning: distinct byte strings get ids 0, 1, 2 ... in order of first use. Open addressing, load <= 1/2
 * (doc/performance.md#interning). The bytes are copied. intern_get()'s result stays valid until
 * intern_free().
 */
struct intern;
NODISCARD int intern_new(struct intern **out, struct err *e);
void intern_free(struct intern *t);
#define INTERN_NONE UINT32_MAX
/* Id of s, added when new. INTERN_NONE: out of memory or above LIM_STRINGS. */
uint32_t intern_put(struct intern *t, struct str s);
/* Id of s, or INTERN_NONE when it was never put. */
uint32_t intern_find(const struct intern *t, struct str s);
struct str intern_get(const struct intern *t, uint32_t id);
uint32_t intern_count(const struct intern *t);

#endif
