/* SPDX-License-Identifier: Apache-2.0 */
/* Small things with words: the nearest name for a wrong one, lists separated by commas. */
#ifndef NPUSCOPE_WORDS_H
#define NPUSCOPE_WORDS_H

#include <stdbool.h>

#include "base/str.h"

/* Collects the name that is nearest to a wrong one. */
struct nearest {
    struct str wrong;
    const char *best; /* NULL: nothing near */
    unsigned distance;
};
void nearest_begin(struct nearest *n, struct str wrong);
void nearest_offer(struct nearest *n, const char *name);

/* Number of words in a list separated by sep; index of word in it or -1; the i-th word. */
int word_index(const char *list, char sep, struct str word);
struct str word_at(const char *list, char sep, size_t i); /* p NULL after the last */

#endif
