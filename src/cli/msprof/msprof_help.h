/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of help and manual page on msprof.py's commands (cli/msprof/msprof.h). */
#ifndef NPUSCOPE_CLI_MSPROF_MSPROF_HELP_H
#define NPUSCOPE_CLI_MSPROF_MSPROF_HELP_H

#include "cli/out.h"

/* Their description and their exit statuses, as paragraphs; NULL ends them. */
extern const char *const msprof_texts[];
/* The forms, a line each. */
void msprof_synopsis(struct out *o);
/* The page of help. */
void msprof_help_page(struct out *o);
/*
 * "DIR (export summary, analyze)": an option's value and the forms that take it; of: as msprof_help().
 * Returns buf.
 */
const char *msprof_option_forms(unsigned of, char *buf, size_t n);

#endif
