/* SPDX-License-Identifier: Apache-2.0 */
/* What -h prints: the commands and options that are needed first, one line each. --help has all. */
#ifndef NPUSCOPE_CLI_CMD_HELP_BRIEF_H
#define NPUSCOPE_CLI_CMD_HELP_BRIEF_H

#include "cli/cmd/cmd.h"

/* cmd NULL: the program. In the language that was chosen before. */
void help_brief(struct out *o, const struct command *cmd);
/* The head of an option's entry: "-r, --rank=LIST". */
void help_option_head(const struct option_def *d, char *buf, size_t n);

#endif
