/* SPDX-License-Identifier: Apache-2.0 */
/* What a configuration says, key by key, and what is wrong with it. */
#ifndef NPUSCOPE_CONFIGURE_CONFIG_CHECK_H
#define NPUSCOPE_CONFIGURE_CONFIG_CHECK_H

#include "configure/config_read.h"

/*
 * Append the explanation of a text: each key with its value and meaning, notes and what is wrong as
 * "NAME:LINE:COLUMN: ...", what the whole costs. guessed: the version was. *wrong counts what the job does
 * not do as written. Errors: ERR_NOMEM, ERR_LIMIT.
 */
NODISCARD int config_check(struct str text, const char *name, const struct config_target *t, bool guessed,
                           struct buf *out, size_t *wrong, struct err *e);
/* The first thing that is wrong and was not in a text before (n 0: none), with its place; false: nothing. */
bool config_first_wrong(struct str text, struct str before, const struct config_target *t, struct buf *out);

#endif
