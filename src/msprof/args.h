/* Private to the export of PROF folders: arguments of an event, which the timeline and the database show alike. */
#ifndef NPUSCOPE_MSPROF_ARGS_H
#define NPUSCOPE_MSPROF_ARGS_H

#include "base/str.h"

struct ms_arg {
    const char *key;
    enum { MS_ARG_UINT, MS_ARG_REAL, MS_ARG_TEXT } type;
    uint64_t u;
    double real;
    struct str text; /* valid during the call */
};
typedef void ms_arg_fn(void *arg, const struct ms_arg *a);

/* Who takes them. */
struct ms_args {
    ms_arg_fn *fn;
    void *arg;
};

static inline void ms_arg_u(const struct ms_args *g, const char *key, uint64_t v)
{
    g->fn(g->arg, &(struct ms_arg){ .key = key, .type = MS_ARG_UINT, .u = v });
}

static inline void ms_arg_real(const struct ms_args *g, const char *key, double v)
{
    g->fn(g->arg, &(struct ms_arg){ .key = key, .type = MS_ARG_REAL, .real = v });
}

static inline void ms_arg_text(const struct ms_args *g, const char *key, struct str v)
{
    g->fn(g->arg, &(struct ms_arg){ .key = key, .type = MS_ARG_TEXT, .text = v });
}

#endif
