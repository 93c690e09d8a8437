/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the export of PROF folders: arguments of an event, which the timeline and the database have in
 * common.
 */
#ifndef NPUSCOPE_MSPROF_ARGS_H
#define NPUSCOPE_MSPROF_ARGS_H

#include "base/str.h"

struct msprof_arg {
    const char *key;
    enum { MSPROF_ARG_UINT, MSPROF_ARG_REAL, MSPROF_ARG_TEXT } type;
    uint64_t u;
    double real;
    struct str text; /* valid during the call */
};
typedef void msprof_arg_fn(void *arg, const struct msprof_arg *a);

/* Takes the arguments, one call each. */
struct msprof_args {
    msprof_arg_fn *fn;
    void *arg;
};

static inline void msprof_arg_u(const struct msprof_args *g, const char *key, uint64_t v)
{
    g->fn(g->arg, &(struct msprof_arg){ .key = key, .type = MSPROF_ARG_UINT, .u = v });
}

static inline void msprof_arg_real(const struct msprof_args *g, const char *key, double v)
{
    g->fn(g->arg, &(struct msprof_arg){ .key = key, .type = MSPROF_ARG_REAL, .real = v });
}

static inline void msprof_arg_text(const struct msprof_args *g, const char *key, struct str v)
{
    g->fn(g->arg, &(struct msprof_arg){ .key = key, .type = MSPROF_ARG_TEXT, .text = v });
}

#endif
