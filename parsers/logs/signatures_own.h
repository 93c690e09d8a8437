/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signatures of the user's own, from a file (npuscope-config(5)): they are numbered after those of the
 * program (parsers/logs/signature.h). Read once, before the first signature_scan_new(), and not changed after
 * that, so that threads may use them.
 */
#ifndef NPUSCOPE_PARSERS_LOGS_SIGNATURES_OWN_H
#define NPUSCOPE_PARSERS_LOGS_SIGNATURES_OWN_H

#include "parsers/logs/signature.h"

/* Of the user's file: a line with each key, and words for log and role. For the manual page. */
struct own_word {
    const char *word, *help;
};
extern const struct own_word own_keys[], own_logs[], own_roles[];
extern const size_t own_n_keys, own_n_logs, own_n_roles;

#define LIM_OWN_ROWS    500   /* signatures; the automaton numbers its states with 16 bits */
#define LIM_OWN_WORD_B  200   /* bytes of a word */
#define LIM_OWN_WORDS_B 16384 /* of all first words */
#define OWN_LEAST_B     4     /* of a first word: shorter ones are in every line */
#define OWN_FILE_B      ((size_t)1 << 20)

/* $NPUSCOPE_SIGNATURES (*named), else signatures in path_config_dir(). false: there is no place for it. */
bool signatures_own_path(char *buf, size_t n, bool *named);
/* A wrong line: its signature is left out. */
typedef void own_wrong_fn(void *arg, uint32_t line, const char *why);
/*
 * Read the file: path, else signatures_own_path(). One that is not there has none, unless it was named.
 * Replaces what was read before. Errors: ERR_IO, ERR_LIMIT, ERR_NOMEM.
 */
NODISCARD int signatures_own_read(const char *path, own_wrong_fn *wrong, void *arg, struct err *e);
void signatures_own_free(void);

#endif
