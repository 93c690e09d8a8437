/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of a dynamic profile. */
#include "config.h"

#include "model/windows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/run_list.h"

static bool number_after(struct str s, struct str word, int64_t *n)
{
    size_t at = str_find(s, word, 0);
    struct str digits = str_sub(s, at == SIZE_MAX ? s.n : at + word.n, SIZE_MAX);

    digits = str_sub(digits, 0, str_chr(digits, '_'));
    return str_i64(digits, n);
}

bool windows_unit(const struct unit *u, struct window *out)
{
    struct str s = str_of(u->window);

    return s.n && number_after(s, STR("_start"), &out->start) && number_after(s, STR("_stop"), &out->stop);
}

static const struct unit *unit_of(const struct session *s, size_t i)
{
    return session_job(s)->units[session_rank(s, i)->unit];
}

static int window_cmp(const void *pa, const void *pb)
{
    const struct window *a = pa, *b = pb;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->stop < b->stop ? -1 : a->stop > b->stop;
}

/* Of the run of the selected rank; w NULL: any profile of it. */
static bool is_of(const struct session *s, size_t i, const struct window *w)
{
    struct window own;

    if (session_run(s, i) != session_run(s, session_current(s)))
        return false;
    return !w || (windows_unit(unit_of(s, i), &own) && window_cmp(&own, w) == 0);
}

bool windows_fit(const struct session *s, size_t i, const char *want)
{
    struct window w;
    char word[60];

    if (!want)
        return true;
    if (!windows_unit(unit_of(s, i), &w))
        return false;
    snprintf(word, sizeof word, "%" PRId64 "-%" PRId64, w.start, w.stop);
    return strcmp(word, want) == 0;
}

int windows_list(const struct session *s, int rank, struct window **out, size_t *n, struct err *e)
{
    size_t found = 0, k = 0, ranks = session_n_ranks(s);
    struct window *w = calloc(ranks ? ranks : 1, sizeof *w);

    *out = NULL;
    *n = 0;
    if (!w)
        return err_nomem(e);
    for (size_t i = 0; i < ranks; i++)
        found += is_of(s, i, NULL) && (rank < 0 || session_rank(s, i)->rank == rank) &&
                 windows_unit(unit_of(s, i), &w[found]);
    if (!found) {
        free(w);
        return OK;
    }
    qsort(w, found, sizeof *w, window_cmp);
    for (size_t i = 1; i < found; i++)
        if (window_cmp(&w[i], &w[k]) != 0)
            w[++k] = w[i];
    *out = w;
    *n = k + 1;
    return OK;
}

void windows_print(const struct session *s, int rank, struct buf *out)
{
    struct err ignored = ERR_INIT;
    struct window *w;
    size_t n;

    if (windows_list(s, rank, &w, &n, &ignored))
        return;
    for (size_t i = 0; i < n; i++)
        buf_printf(out, "%s%" PRId64 "-%" PRId64, i ? ", " : "", w[i].start, w[i].stop);
    free(w);
}

size_t windows_find(const struct session *s, const struct window *w, int rank)
{
    size_t first = SIZE_MAX;

    for (size_t i = 0; i < session_n_ranks(s); i++) {
        if (!is_of(s, i, w))
            continue;
        if (session_rank(s, i)->rank == rank)
            return i;
        first = first == SIZE_MAX ? i : first;
    }
    return first;
}

static bool is_in(const struct session *s, size_t i, const void *arg)
{
    return is_of(s, i, arg);
}

void windows_ranks(const struct session *s, const struct window *w, char *buf, size_t room)
{
    rank_set_text(s, &(struct rank_set){ is_in, w }, buf, room);
}

enum run_state windows_state(const struct session *s, const struct window *w, int64_t now_ns)
{
    return rank_set_state(s, &(struct rank_set){ is_in, w }, now_ns);
}
