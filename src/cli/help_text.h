/* SPDX-License-Identifier: Apache-2.0 */
/* Help in paragraphs and entries, 80 cells wide. */
#ifndef NPUSCOPE_CLI_HELP_TEXT_H
#define NPUSCOPE_CLI_HELP_TEXT_H

#include "cli/out.h"

/* "TEXT" in lines after a head of `left` cells. */
void help_entry(struct out *o, const char *head, const char *text, size_t left);
void help_paragraph(struct out *o, const char *text);

#endif
