/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tagged value: what a parser gives for a cell and a query gives back. Text is borrowed; its owner says
 * until when.
 */
#ifndef NPUSCOPE_VAL_H
#define NPUSCOPE_VAL_H

#include "base/str.h"

enum val_type { VAL_NULL = 0, VAL_INT, VAL_UINT, VAL_REAL, VAL_TEXT };

struct val {
    enum val_type t;
    union {
        int64_t i;
        uint64_t u; /* above INT64_MAX becomes decimal text in the store (doc/store.md#64-bit-ids) */
        double r;
        struct str s;
    };
};

static inline struct val val_null(void)
{
    return (struct val){ .t = VAL_NULL };
}
static inline struct val val_int(int64_t i)
{
    return (struct val){ .t = VAL_INT, .i = i };
}
static inline struct val val_uint(uint64_t u)
{
    return (struct val){ .t = VAL_UINT, .u = u };
}
static inline struct val val_real(double r)
{
    return (struct val){ .t = VAL_REAL, .r = r };
}
/* Text; a NULL pointer becomes NULL. */
static inline struct val val_text(struct str s)
{
    return s.p ? (struct val){ .t = VAL_TEXT, .s = s } : val_null();
}
static inline struct val val_cstr(const char *c)
{
    return val_text(str_of(c));
}
/*
 * The same into *v, for loops over many cells: compilers build a value elsewhere and copy it in other pieces
 * than it was written in, for which the processor has to wait.
 */
static inline void val_put_int(struct val *v, int64_t i)
{
    v->t = VAL_INT;
    v->i = i;
}
static inline void val_put_real(struct val *v, double r)
{
    v->t = VAL_REAL;
    v->r = r;
}
static inline void val_put_text(struct val *v, struct str s)
{
    v->t = s.p ? VAL_TEXT : VAL_NULL;
    v->s = s;
}
/* Number of any type as double; 0 for NULL and text. */
static inline double val_num(const struct val *v)
{
    return v->t == VAL_INT ? (double)v->i : v->t == VAL_UINT ? (double)v->u : v->t == VAL_REAL ? v->r : 0.0;
}

#endif
