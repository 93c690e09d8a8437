/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Completion for shells: what may stand where the cursor is, from the tables of commands, options, views and
 * settings. The scripts of the shells (generate_completion()) ask the program itself, so that they cannot
 * drift, and show what depends on the run at hand, as its op types.
 */
#ifndef NPUSCOPE_CLI_COMPLETE_H
#define NPUSCOPE_CLI_COMPLETE_H

#include "cli/out.h"

#define COMPLETE_WORD "__complete" /* the first argument of such a call, then the words up to the cursor */

/*
 * A line for each word that may stand in place of the last one: the word, a tab, what it means. The last line
 * is ":files" where files may stand there, too, else ":". words: those after the program's name, the last is
 * the one at the cursor, maybe "". Reads the store of a run in the current folder, makes none.
 */
void complete_words(struct out *o, char *const *words, size_t n);
/* The script for a shell, bash, zsh or fish. ERR_USAGE: another. */
NODISCARD int complete_script(struct out *o, const char *shell, struct err *e);

#endif
