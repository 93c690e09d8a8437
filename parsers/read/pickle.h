/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pickles of plain data, protocols 2 to 5, read without executing anything: dicts, lists, tuples, texts and
 * numbers come out of a list of known opcodes; any other opcode, and any function but those that only give
 * back their argument, refuses the file (doc/formats/logs.md#pickle-subset).
 *
 * Long lists need not fit in memory: each item is handed to the caller as soon as it is whole, who may take
 * it (then it is forgotten) or leave it in its list. What is cut or damaged ends the reading with a note;
 * what came before stays. A pickle owns its values until pickle_free(); texts are borrowed until the next
 * item. Not thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_READ_PICKLE_H
#define NPUSCOPE_PARSERS_READ_PICKLE_H

#include "parsers/registry.h"

struct pickle;
typedef uint32_t pickle_ref; /* a value; 0: there is none */

enum pickle_type {
    PICKLE_NONE,
    PICKLE_BOOL,
    PICKLE_INT,
    PICKLE_BIG, /* an integer that fits in no int64_t: pickle_u64() has it up to 64 bits */
    PICKLE_REAL,
    PICKLE_TEXT,
    PICKLE_BYTES,
    PICKLE_LIST,
    PICKLE_TUPLE,
    PICKLE_DICT,
    PICKLE_FUNC, /* one of those that give back their argument */
    PICKLE_OWN,  /* what the caller put in place of a value: pickle_swap() */
    PICKLE_GONE  /* was taken */
};

/*
 * An item of a list is whole. *take = true: it is not wanted any more, nor what only it refers to
 * (pickle_swap() excepted). Errors end the reading.
 */
typedef int pickle_item_fn(void *arg, struct pickle *p, pickle_ref list, pickle_ref item, bool *take,
                           struct err *e);

struct pickle_asks {
    pickle_item_fn *item; /* NULL: all items stay in their lists */
    void *arg;
    uint64_t most_b; /* of values at a time; 0: LIM_PICKLE_B */
};

/*
 * Read the file of c. *out is to be freed after an error, too. Errors: ERR_IO, ERR_NOMEM, ERR_CANCELLED;
 * ERR_FORMAT for what is no pickle of a known protocol or asks for more than plain data (the opcode is
 * named); those of item. Damage and limits become notes and the file's lost rows are counted.
 */
NODISCARD int pickle_read(struct pickle **out, struct parse_ctx *c, const struct pickle_asks *asks,
                          struct err *e);
void pickle_free(struct pickle *p); /* NULL is allowed */

/* The outermost value, 0: none came. */
pickle_ref pickle_root(const struct pickle *p);
/* The end was not reached. */
bool pickle_is_cut(const struct pickle *p);
/* Where the reading is: of an item, its last byte. */
uint64_t pickle_offset(const struct pickle *p);

enum pickle_type pickle_type(const struct pickle *p, pickle_ref r);
/* false: it is no integer (of that range). A bool is none. */
bool pickle_i64(const struct pickle *p, pickle_ref r, int64_t *out);
bool pickle_u64(const struct pickle *p, pickle_ref r, uint64_t *out);
bool pickle_real(const struct pickle *p, pickle_ref r, double *out); /* integers, too */
/* false: it is none, or false. */
bool pickle_is_true(const struct pickle *p, pickle_ref r);
/* p NULL: neither text nor bytes. */
struct str pickle_text(const struct pickle *p, pickle_ref r);
/* The value of a dict under a text; 0: not among its first PICKLE_KEYS, or no dict. */
#define PICKLE_KEYS 64
pickle_ref pickle_get(const struct pickle *p, pickle_ref dict, struct str key);
/* What is in a container, in order: begin with at = 0. false: no more. key is 0 in lists and tuples. */
bool pickle_next(const struct pickle *p, pickle_ref container, uint32_t *at, pickle_ref *key,
                 pickle_ref *value);
/*
 * Put a number of the caller's in place of a whole value, wherever it is referred to: what it held is
 * forgotten, the number stays. pickle_own() gives it; false: it is none.
 */
void pickle_swap(struct pickle *p, pickle_ref r, uint32_t own);
bool pickle_own(const struct pickle *p, pickle_ref r, uint32_t *own);

#endif
