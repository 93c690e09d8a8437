/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was chosen: a value for some of the switches, in canonical text. Owns its texts; choice_done() in any
 * case.
 */
#ifndef NPUSCOPE_CONFIGURE_CHOICE_H
#define NPUSCOPE_CONFIGURE_CHOICE_H

#include "configure/switches.h"

struct choice {
    char *value[N_SWITCHES]; /* NULL: not chosen */
};

void choice_done(struct choice *c);
/* value NULL: not chosen any more. ERR_NOMEM; ERR_USAGE with what to write instead: it is no value of it. */
NODISCARD int choice_set(struct choice *c, enum switch_id id, struct str value, struct err *e);
void choice_unset(struct choice *c, enum switch_id id);
/*
 * "key=value" as people write it: name or key of any form, on and off for true and false, words in any case.
 * ERR_USAGE with the nearest name or the values.
 */
NODISCARD int choice_set_text(struct choice *c, struct str text, struct err *e);
/*
 * All of texts, and after them step_num=N: a window of N steps from start_step on. at: where it is to be
 * written, which says by what key.
 */
NODISCARD int choice_set_all(struct choice *c, const char *const *texts, size_t n, enum switch_at at,
                             struct err *e);
/* The value, else the default. */
struct str choice_get(const struct choice *c, enum switch_id id);
bool choice_equal(const struct choice *a, const struct choice *b);
/* All of from over c. */
NODISCARD int choice_merge(struct choice *c, const struct choice *from, struct err *e);
/* The next value of a switch with few of them, the one before with dir -1; p NULL: it has many. */
struct str choice_next(const struct switch_def *d, struct str now, int dir);

#endif
