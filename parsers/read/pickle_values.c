/* SPDX-License-Identifier: Apache-2.0 */
/* Values of a pickle: nodes, cells, text, memo. */
#include "config.h"

#include "parsers/read/pickle_values.h"

#include <string.h>

#include "base/grow.h"

#define DROP_DEPTH 64 /* deeper values stay until the end */

static uint64_t all_bytes(const struct pickle *v)
{
    return v->cap_node * (uint64_t)sizeof *v->node + v->cap_cell * (uint64_t)sizeof *v->cell + v->cap_text +
           v->cap_memo * (uint64_t)sizeof *v->memo;
}

/* Room for element n of one of the arrays. NULL: no memory, or above the limit. */
static void *room(struct pickle *v, void *p, size_t n, size_t *cap, size_t each, size_t first)
{
    size_t more = *cap;

    if (n < *cap)
        return p;
    if (n >= UINT32_MAX || !grow_room(n, &more, each, first) ||
        all_bytes(v) + (more - *cap) * (uint64_t)each > v->most_b) {
        v->full = true;
        return NULL;
    }
    return grow_array(p, n, cap, each, first);
}

bool values_init(struct pickle *v, uint64_t most_b)
{
    static const uint8_t always[] = { PICKLE_GONE, PICKLE_GONE, PICKLE_NONE, PICKLE_BOOL, PICKLE_BOOL };

    *v = (struct pickle){ .most_b = most_b };
    for (size_t i = 0; i < ARRAY_LEN(always); i++) {
        pickle_ref r = values_new(v, always[i]);
        if (r != i)
            return false;
        v->node[r].refs = UINT16_MAX;
    }
    v->node[VALUE_TRUE].u.i = 1;
    v->n_cell = 1; /* cell 0 is the end of a list */
    return true;
}

void pickle_free(struct pickle *p)
{
    if (!p)
        return;
    free(p->node);
    free(p->cell);
    free(p->text);
    free(p->memo);
    free(p);
}

pickle_ref values_new(struct pickle *v, enum pickle_type type)
{
    pickle_ref r = v->free_node;

    if (r)
        v->free_node = v->node[r].u.cells.first;
    else {
        void *p = room(v, v->node, v->n_node, &v->cap_node, sizeof *v->node, 256);
        if (!p)
            return 0;
        v->node = p;
        r = (pickle_ref)v->n_node++;
    }
    v->node[r] = (struct pickle_node){ .type = (uint8_t)type };
    return r;
}

char *values_room(struct pickle *v, size_t n)
{
    void *p = n < UINT32_MAX / 2 ? room(v, v->text, v->n_text + n, &v->cap_text, 1, 4096) : NULL;

    if (!p) {
        v->full |= n >= UINT32_MAX / 2;
        return NULL;
    }
    v->text = p;
    return v->text + v->n_text;
}

pickle_ref values_text(struct pickle *v, enum pickle_type type, size_t n)
{
    pickle_ref r = values_new(v, type);

    if (!r)
        return 0;
    v->node[r].u.text.at = (uint32_t)v->n_text;
    v->node[r].u.text.n = (uint32_t)n;
    v->n_text += n;
    return r;
}

bool values_add(struct pickle *v, pickle_ref container, pickle_ref key, pickle_ref value)
{
    struct pickle_node *c;
    uint32_t at = v->free_cell;

    if (at)
        v->free_cell = v->cell[at].next;
    else {
        void *p = room(v, v->cell, v->n_cell, &v->cap_cell, sizeof *v->cell, 256);
        if (!p)
            return false;
        v->cell = p;
        at = (uint32_t)v->n_cell++;
    }
    v->cell[at] = (struct pickle_cell){ key, value, 0 };
    c = &v->node[container];
    if (c->u.cells.last)
        v->cell[c->u.cells.last].next = at;
    else
        c->u.cells.first = at;
    c->u.cells.last = at;
    if (key)
        values_hold(v, key);
    values_hold(v, value);
    return true;
}

void values_hold(struct pickle *v, pickle_ref r)
{
    struct pickle_node *n = &v->node[r];

    if (n->refs < UINT16_MAX)
        n->refs++;
}

static bool has_cells(const struct pickle_node *n)
{
    return n->type == PICKLE_LIST || n->type == PICKLE_TUPLE || n->type == PICKLE_DICT;
}

static void drop(struct pickle *v, pickle_ref r, int depth);

/* A chain of cells, and what is in them, goes. */
static void drop_cells(struct pickle *v, uint32_t at, int depth)
{
    for (uint32_t next; at; at = next) {
        struct pickle_cell *c = &v->cell[at];
        next = c->next;
        if (c->key)
            drop(v, c->key, depth + 1);
        drop(v, c->value, depth + 1);
        c->next = v->free_cell;
        v->free_cell = at;
    }
}

static void drop(struct pickle *v, pickle_ref r, int depth)
{
    struct pickle_node *n = &v->node[r];
    bool shared = n->memo && !has_cells(n);

    if (n->refs == UINT16_MAX || (n->refs && --n->refs) || shared || n->keep || depth > DROP_DEPTH)
        return;
    if (has_cells(n))
        drop_cells(v, n->u.cells.first, depth);
    if (n->memo && v->memo[n->memo - 1] == r)
        v->memo[n->memo - 1] = VALUE_GONE;
    *n = (struct pickle_node){ .type = PICKLE_GONE, .refs = UINT16_MAX };
    n->u.cells.first = v->free_node;
    v->free_node = r;
}

void values_drop(struct pickle *v, pickle_ref r)
{
    drop(v, r, 0);
}

bool values_put(struct pickle *v, size_t at, pickle_ref r)
{
    void *p = room(v, v->memo, at, &v->cap_memo, sizeof *v->memo, 256);

    if (!p)
        return false;
    v->memo = p;
    if (v->n_memo <= at) {
        memset(v->memo + v->n_memo, 0, (at - v->n_memo) * sizeof *v->memo);
        v->n_memo = at + 1;
    }
    v->memo[at] = r;
    if (v->node[r].memo) /* twice in the memo: it has no way back to both */
        v->node[r].keep = true;
    v->node[r].memo = (uint32_t)at + 1;
    return true;
}

pickle_ref values_get(const struct pickle *v, size_t at)
{
    return at < v->n_memo ? v->memo[at] : 0;
}

void values_sweep(struct pickle *v)
{
    uint32_t at = v->later;

    v->later = 0;
    drop_cells(v, at, 0);
}

/* ---- looking ---- */

static bool is(const struct pickle *p, pickle_ref r, enum pickle_type t)
{
    return r && p->node[r].type == t;
}

pickle_ref pickle_root(const struct pickle *p)
{
    return p->root;
}

bool pickle_is_cut(const struct pickle *p)
{
    return p->cut;
}

uint64_t pickle_offset(const struct pickle *p)
{
    return p->op_off;
}

enum pickle_type pickle_type(const struct pickle *p, pickle_ref r)
{
    return r ? p->node[r].type : PICKLE_GONE;
}

bool pickle_i64(const struct pickle *p, pickle_ref r, int64_t *out)
{
    if (!is(p, r, PICKLE_INT))
        return false;
    *out = p->node[r].u.i;
    return true;
}

bool pickle_u64(const struct pickle *p, pickle_ref r, uint64_t *out)
{
    const struct pickle_node *n = r ? &p->node[r] : NULL;

    if (!n || !((n->type == PICKLE_INT && n->u.i >= 0) || (n->type == PICKLE_BIG && n->u.i < 0)))
        return false;
    *out = (uint64_t)n->u.i;
    return true;
}

bool pickle_real(const struct pickle *p, pickle_ref r, double *out)
{
    if (is(p, r, PICKLE_REAL))
        *out = p->node[r].u.d;
    else if (is(p, r, PICKLE_INT))
        *out = (double)p->node[r].u.i;
    else
        return false;
    return true;
}

bool pickle_is_true(const struct pickle *p, pickle_ref r)
{
    return is(p, r, PICKLE_BOOL) && p->node[r].u.i;
}

struct str pickle_text(const struct pickle *p, pickle_ref r)
{
    if (!is(p, r, PICKLE_TEXT) && !is(p, r, PICKLE_BYTES))
        return STR_NULL;
    return (struct str){ p->text + p->node[r].u.text.at, p->node[r].u.text.n };
}

pickle_ref pickle_get(const struct pickle *p, pickle_ref dict, struct str key)
{
    pickle_ref k, v;
    uint32_t at = 0;

    if (is(p, dict, PICKLE_DICT))
        for (size_t i = 0; i < PICKLE_KEYS && pickle_next(p, dict, &at, &k, &v); i++)
            if (is(p, k, PICKLE_TEXT) && str_eq(pickle_text(p, k), key))
                return v;
    return 0;
}

bool pickle_next(const struct pickle *p, pickle_ref container, uint32_t *at, pickle_ref *key,
                 pickle_ref *value)
{
    const struct pickle_node *n = &p->node[container];

    if (!is(p, container, PICKLE_LIST) && !is(p, container, PICKLE_TUPLE) && !is(p, container, PICKLE_DICT))
        return false;
    *at = *at ? p->cell[*at].next : n->u.cells.first;
    if (*at == 0)
        return false;
    *key = p->cell[*at].key;
    *value = p->cell[*at].value;
    return true;
}

void pickle_swap(struct pickle *p, pickle_ref r, uint32_t own)
{
    struct pickle_node *n = &p->node[r];

    if (r < VALUES_ALWAYS)
        return;
    if (has_cells(n) && n->u.cells.last) {
        p->cell[n->u.cells.last].next = p->later;
        p->later = n->u.cells.first;
    }
    n->keep = true;
    n->type = PICKLE_OWN;
    n->u.i = own;
}

bool pickle_own(const struct pickle *p, pickle_ref r, uint32_t *own)
{
    if (!is(p, r, PICKLE_OWN))
        return false;
    *own = (uint32_t)p->node[r].u.i;
    return true;
}
