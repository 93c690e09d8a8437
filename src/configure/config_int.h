/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of config_read: what its files share. */
#ifndef NPUSCOPE_CONFIGURE_CONFIG_INT_H
#define NPUSCOPE_CONFIGURE_CONFIG_INT_H

#include "configure/config_read.h"
#include "configure/shell.h"
#include "configure/tokens.h"

struct reading {
    struct str text; /* that is parsed */
    struct str
        map; /* offsets of its bytes in the text that was given, each 4 bytes; n 0: they are the same */
    const struct config_target *t;
    enum switch_at at;
    struct choice *c;
    remark_fn *fn;
    void *arg;
    struct err *e;
    bool seen[N_SWITCHES], named[N_SWITCHES]; /* named: also with a value that is none */
    size_t key_at[N_SWITCHES];                /* of the key, in text */
    bool broken;                              /* JSON: as written no parser takes it */
    bool scheduled;                           /* Python: a schedule was given */
};

/* The byte of the text that was given. */
size_t config_origin(const struct reading *r, size_t at);
void config_msprof(struct reading *r);

void config_say(struct reading *r, enum remark_kind kind, size_t at, const struct switch_def *d,
                const char *fmt, ...) PRINTF_LIKE(5, 6);
/* A key with the value that begins with v: what it chooses, or what is wrong. in: the object it is in. */
void config_member(struct reading *r, struct str key, const char *in, size_t key_at, struct token v);
/* A canonical value, found at a byte. */
void config_take(struct reading *r, const struct switch_def *d, struct str value, size_t at);
/* A key that the place does not have. */
void config_unknown(struct reading *r, struct str key, size_t at);
/* "# not in TITLE: key=value" */
void config_kept(struct reading *r, struct str comment, size_t at);
/* Combinations of values that do not do what they say. */
void config_rules(struct reading *r);
/* "key=value" of a switch, both canonical; nothing is said of others. */
void config_own(struct reading *r, struct str name, struct str value, size_t at);

#endif
