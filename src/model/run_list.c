/* SPDX-License-Identifier: Apache-2.0 */
/* Runs as a list. */
#include "config.h"

#include "model/run_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct unit *unit_of(const struct session *s, size_t i)
{
    return session_job(s)->units[session_rank(s, i)->unit];
}

/* ---- some ranks ---- */

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

void rank_set_text(const struct session *s, const struct rank_set *set, char *buf, size_t room)
{
    int first = 0, last = -1; /* of numbers that follow one another; -1: none yet */
    size_t used = 0;

    buf[0] = '\0';
    for (size_t i = 0; i < session_n_ranks(s); i++) {
        int rank = session_rank(s, i)->rank;

        if (!set->has(s, i, set->arg))
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

enum run_state rank_set_state(const struct session *s, const struct rank_set *set, int64_t now_ns)
{
    enum run_state worst = RUN_UNKNOWN;

    for (size_t i = 0; i < session_n_ranks(s); i++) {
        struct run_verdict v;

        if (!set->has(s, i, set->arg))
            continue;
        run_state_of(unit_of(s, i), session_rank(s, i)->rank, now_ns, &v);
        worst = run_state_worse(worst, v.state);
    }
    return worst;
}

/* ---- runs ---- */

static bool is_of_run(const struct session *s, size_t i, const void *arg)
{
    return session_run(s, i) == *(const size_t *)arg;
}

/* Bytes that two paths have in common, up to a slash or the end of both. */
static size_t common(const char *a, const char *b, size_t n)
{
    size_t i = 0, at = 0;

    for (; i < n && b[i] && a[i] == b[i]; i++)
        if (a[i] == '/')
            at = i;
    return i == n && (!b[i] || b[i] == '/') ? n : at;
}

const char *run_list_folder(const struct session *s, size_t run, char *buf, size_t n)
{
    const struct job *j = session_job(s);
    const char *first = NULL;
    size_t len = 0, top = strlen(j->path);

    for (size_t u = 0; u < j->n_units; u++) {
        if (j->units[u]->run != run)
            continue;
        len = first ? common(first, j->units[u]->root, len) : strlen(j->units[u]->root);
        first = first ? first : j->units[u]->root;
    }
    struct str path = { first ? first : "", len };
    if (str_starts(path, str_of(j->path)) && len > top && path.p[top] == '/')
        path = str_sub(path, top + 1, SIZE_MAX);
    else if (str_eq(path, str_of(j->path)))
        path = STR(".");
    return str_copy(path, buf, n);
}

size_t run_list_find(const struct session *s, struct str name)
{
    const size_t n = session_job(s)->n_runs;
    char folder[512];
    int64_t number;

    for (size_t i = 0; i < n; i++)
        if (str_eq(str_of(run_list_folder(s, i, folder, sizeof folder)), name))
            return i;
    return str_i64(name, &number) && number >= 1 && (uint64_t)number <= n ? (size_t)number - 1 : SIZE_MAX;
}

static void describe(const struct session *s, struct run_entry *r, int64_t now_ns)
{
    const struct rank_set set = { is_of_run, &r->number };

    runinfo_when(&unit_of(s, r->rank)->info, session_rank(s, r->rank)->rank, r->when, sizeof r->when);
    run_list_folder(s, r->number, r->folder, sizeof r->folder);
    rank_set_text(s, &set, r->ranks, sizeof r->ranks);
    r->state = rank_set_state(s, &set, now_ns);
}

int run_list_make(const struct session *s, int64_t now_ns, struct run_entry **out, size_t *n, struct err *e)
{
    const size_t all = session_job(s)->n_runs;
    struct run_entry *v = calloc(all + 1, sizeof *v);

    *out = v;
    *n = 0;
    if (!v)
        return err_nomem(e);
    for (size_t i = session_n_ranks(s); i-- > 0;) { /* the lowest rank is the last one seen */
        struct run_entry *r = &v[session_run(s, i)];
        r->number = session_run(s, i);
        r->rank = i;
        r->n_ranks++;
    }
    for (size_t i = 0; i < all; i++)
        if (v[i].n_ranks) {
            v[*n] = v[i];
            describe(s, &v[(*n)++], now_ns);
        }
    return OK;
}
