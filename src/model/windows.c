/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of a dynamic profile. */
#include "config.h"

#include "model/windows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

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

/* w NULL: any profile. */
static bool is_of(const struct session *s, size_t i, const struct window *w)
{
    struct window own;

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
        found += (rank < 0 || session_rank(s, i)->rank == rank) && windows_unit(unit_of(s, i), &w[found]);
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

/* Numbers from a to b that follow one another. Returns how much of the room is used then. */
static size_t put_numbers(char *buf, size_t used, size_t room, int a, int b)
{
    int got;

    if (used + 30 >= room)
        return used;
    if (a == b)
        got = snprintf(buf + used, room - used, "%s%d", used ? ", " : "", a);
    else
        got = snprintf(buf + used, room - used, "%s%d-%d", used ? ", " : "", a, b);
    return used + (size_t)got;
}

void windows_ranks(const struct session *s, const struct window *w, char *buf, size_t room)
{
    int first = 0, last = -1; /* of numbers that follow one another; -1: none yet */
    size_t used = 0;

    buf[0] = '\0';
    for (size_t i = 0; i < session_n_ranks(s); i++) {
        int rank = session_rank(s, i)->rank;

        if (!is_of(s, i, w))
            continue;
        if (last >= 0 && rank - last > 1)
            used = put_numbers(buf, used, room, first, last);
        if (last < 0 || rank - last > 1)
            first = rank;
        last = rank;
    }
    if (last >= 0)
        put_numbers(buf, used, room, first, last);
}

enum run_state windows_state(const struct session *s, const struct window *w, int64_t now_ns)
{
    /* from the worst */
    static const enum run_state order[] = { RUN_CRASHED, RUN_RUNNING, RUN_NOT_ANALYSED, RUN_ANALYSED,
                                            RUN_UNKNOWN };
    size_t worst = ARRAY_LEN(order) - 1;

    for (size_t i = 0; i < session_n_ranks(s); i++) {
        struct run_verdict v;

        if (!is_of(s, i, w))
            continue;
        run_state_of(unit_of(s, i), session_rank(s, i)->rank, now_ns, &v);
        for (size_t o = 0; o < worst; o++)
            if (order[o] == v.state)
                worst = o;
    }
    return order[worst];
}
