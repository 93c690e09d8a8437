/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The values of a pickle while it is read (parsers/read/pickle.h): nodes of 16 bytes, lists of cells, one
 * pool of text, and the memo. What nobody refers to any more is used again. For pickle.c alone. A ref of 0 is
 * no value.
 */
#ifndef NPUSCOPE_PARSERS_READ_PICKLE_VALUES_H
#define NPUSCOPE_PARSERS_READ_PICKLE_VALUES_H

#include "parsers/read/pickle.h"

/* Values that are always there. VALUE_GONE stands for one that was given out and is not kept. */
enum { VALUE_NO, VALUE_GONE, VALUE_NONE, VALUE_TRUE, VALUE_FALSE, VALUES_ALWAYS };

struct pickle_node {
    uint8_t type;  /* enum pickle_type */
    bool keep;     /* stays although nothing but the memo refers to it */
    uint16_t refs; /* from stack and containers; UINT16_MAX: not counted any more */
    uint32_t memo; /* its number in the memo + 1; 0: none */
    union {
        int64_t i;
        double d;
        struct {
            uint32_t at, n;
        } text;
        struct {
            uint32_t first, last;
        } cells;
    } u;
};

struct pickle_cell {
    pickle_ref key, value; /* key 0: of a list or a tuple */
    uint32_t next;
};

struct pickle {
    struct pickle_node *node;
    struct pickle_cell *cell;
    char *text;
    pickle_ref *memo;
    size_t n_node, cap_node, n_cell, cap_cell, n_text, cap_text, n_memo, cap_memo;
    uint32_t free_node, free_cell;
    uint32_t later;  /* cells of what was swapped: the caller may still walk over it */
    uint64_t most_b; /* of the four arrays together */
    bool full;       /* that was reached; else what failed is memory */
    pickle_ref root;
    bool cut;
    uint64_t op_off;
};

/* Begin with the values that are always there. most_b: limit in bytes. false: no memory. */
NODISCARD bool values_init(struct pickle *v, uint64_t most_b);

/* A new value without references. 0: no room (v->full: the limit). */
pickle_ref values_new(struct pickle *v, enum pickle_type type);
/* Room for n bytes of text at the end of the pool, taken by the next values_text(). NULL: no room. */
char *values_room(struct pickle *v, size_t n);
pickle_ref values_text(struct pickle *v, enum pickle_type type, size_t n);
/* Add at the end of a list, tuple or dict, which gets a reference of its own. false: no room. */
NODISCARD bool values_add(struct pickle *v, pickle_ref container, pickle_ref key, pickle_ref value);

void values_hold(struct pickle *v, pickle_ref r);
/* One reference less; what nothing refers to then goes, text and functions of the memo excepted. */
void values_drop(struct pickle *v, pickle_ref r);

/* What swapped values held goes, now that the caller is done. */
void values_sweep(struct pickle *v);

/* memo[at] = r. false: no room. */
NODISCARD bool values_put(struct pickle *v, size_t at, pickle_ref r);
/* 0: was never put. */
pickle_ref values_get(const struct pickle *v, size_t at);

#endif
