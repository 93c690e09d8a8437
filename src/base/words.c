/* SPDX-License-Identifier: Apache-2.0 */
/* Nearest names by edit distance; words of a list. */
#include "config.h"

#include "base/words.h"

#define WORD_MAX 32

/* Insertions, deletions, replacements and swapped neighbours, each one. */
static unsigned distance(struct str a, struct str b)
{
    unsigned d[3][WORD_MAX + 1];

    if (a.n > WORD_MAX || b.n > WORD_MAX)
        return WORD_MAX;
    for (unsigned k = 0; k <= b.n; k++)
        d[0][k] = d[2][k] = k;
    for (unsigned i = 1; i <= a.n; i++) {
        unsigned *now = d[i % 3], *before = d[(i + 2) % 3], *older = d[(i + 1) % 3];
        now[0] = i;
        for (unsigned k = 1; k <= b.n; k++) {
            bool same = a.p[i - 1] == b.p[k - 1];
            unsigned best = before[k - 1] + !same;
            if (before[k] + 1 < best)
                best = before[k] + 1;
            if (now[k - 1] + 1 < best)
                best = now[k - 1] + 1;
            if (i > 1 && k > 1 && a.p[i - 1] == b.p[k - 2] && a.p[i - 2] == b.p[k - 1] &&
                older[k - 2] + 1 < best)
                best = older[k - 2] + 1;
            now[k] = best;
        }
    }
    return d[a.n % 3][b.n];
}

void nearest_begin(struct nearest *n, struct str wrong)
{
    *n = (struct nearest){ .wrong = wrong, .distance = WORD_MAX };
}

void nearest_offer(struct nearest *n, const char *name)
{
    unsigned d = distance(n->wrong, str_of(name));
    unsigned most = n->wrong.n < 3 ? 1 : n->wrong.n < 6 ? 2 : 3;

    if (d <= most && d < n->distance && d < n->wrong.n) {
        n->best = name;
        n->distance = d;
    }
}

struct str word_at(const char *list, char sep, size_t i)
{
    struct str rest = str_of(list), word = STR_NULL;

    for (size_t k = 0; k <= i; k++)
        if (!str_next(&rest, sep, &word))
            return STR_NULL;
    return word;
}

int word_index(const char *list, char sep, struct str word)
{
    struct str w;

    for (int i = 0; (w = word_at(list, sep, (size_t)i)).p; i++)
        if (str_eq(w, word))
            return i;
    return -1;
}
