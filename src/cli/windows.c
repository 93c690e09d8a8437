/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of a dynamic profile. */
#include "config.h"

#include "cli/windows.h"

#include <inttypes.h>
#include <stdio.h>

static bool number_after(struct str s, struct str word, int64_t *n)
{
    size_t at = str_find(s, word, 0);
    struct str digits = str_sub(s, at == SIZE_MAX ? s.n : at + word.n, SIZE_MAX);

    digits = str_sub(digits, 0, str_chr(digits, '_'));
    return str_i64(digits, n);
}

bool windows_steps(const struct unit *u, int64_t *start, int64_t *stop)
{
    struct str s = str_of(u->window);

    return s.n && number_after(s, STR("_start"), start) && number_after(s, STR("_stop"), stop);
}

static const struct unit *unit_of(const struct session *s, size_t i)
{
    return session_job(s)->units[session_rank(s, i)->unit];
}

bool windows_fit(const struct session *s, size_t i, const char *want)
{
    int64_t start, stop;
    char word[60];

    if (!want)
        return true;
    if (!windows_steps(unit_of(s, i), &start, &stop))
        return false;
    snprintf(word, sizeof word, "%" PRId64 "-%" PRId64, start, stop);
    return strcmp(word, want) == 0;
}

/* The first window after (start, stop) of those of the rank. */
static bool next_window(const struct session *s, int rank, int64_t *start, int64_t *stop, bool any)
{
    int64_t best_start = 0, best_stop = 0, a, b;
    bool found = false;

    for (size_t i = 0; i < session_n_ranks(s); i++) {
        if ((rank >= 0 && session_rank(s, i)->rank != rank) || !windows_steps(unit_of(s, i), &a, &b))
            continue;
        bool after = any || a > *start || (a == *start && b > *stop);
        if (after && (!found || a < best_start || (a == best_start && b < best_stop))) {
            best_start = a;
            best_stop = b;
            found = true;
        }
    }
    *start = best_start;
    *stop = best_stop;
    return found;
}

void windows_list(const struct session *s, int rank, struct buf *out)
{
    int64_t start = 0, stop = 0;
    const char *sep = "";

    for (bool any = true; next_window(s, rank, &start, &stop, any); any = false) {
        buf_printf(out, "%s%" PRId64 "-%" PRId64, sep, start, stop);
        sep = ", ";
    }
}
