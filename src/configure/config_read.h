/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Readers of the forms that config_write() writes, and of such texts by people: what they choose, and what
 * is wrong with them, with its place and what to write instead (doc/formats/framework.md#configuration).
 * Input is not trusted; nothing is an error but a lack of memory.
 */
#ifndef NPUSCOPE_CONFIGURE_CONFIG_READ_H
#define NPUSCOPE_CONFIGURE_CONFIG_READ_H

#include "configure/config_write.h"

#define CONFIG_MAX_B  ((size_t)1 << 20)                    /* the shared memory of a job holds no more */
#define CONFIG_LOAD_B (CONFIG_MAX_B + ((size_t)128 << 10)) /* room to see that a file is larger */

enum remark_kind {
    REMARK_VALUE, /* a key, its value and what it means */
    REMARK_NOTE,  /* it does nothing, or not what one may think */
    REMARK_WRONG  /* the job does not do what is written */
};

struct remark {
    enum remark_kind kind;
    size_t at;                  /* byte of the text */
    const struct switch_def *d; /* NULL: the text, or a key that is none */
    struct str value;           /* canonical; p NULL: it has none */
    const char *text;           /* of a note or what is wrong: a sentence without its end */
};
typedef void remark_fn(void *arg, const struct remark *r);

/*
 * The form, framework and version that a text looks like. version 0: MindSpore's is guessed by its keys and
 * types. false: it looks like none of them.
 */
bool config_guess(struct str text, unsigned version, struct config_target *t);
/* fn NULL: nothing is said. c gets what is valid. Errors: ERR_NOMEM. */
NODISCARD int config_read(struct str text, const struct config_target *t, struct choice *c, remark_fn *fn,
                          void *arg, struct err *e);

#endif
