/* SPDX-License-Identifier: Apache-2.0 */
/* Lost clocks of ranks, by collectives. */
#include "config.h"

#include "analysis/rank_clock.h"

#include <stdlib.h>

#include "analysis/job_met.h"
#include "base/bounded.h"

/* A collective of the rank with the lost clock, and what the others say of it by a clock that is right. */
struct shared {
    uint64_t key;
    int64_t from, to;               /* the lost clock's */
    int64_t others_from, others_to; /* the last to begin, the first to end */
    bool met;
};
struct shares {
    struct shared *v; /* by key */
    size_t n;
};

static struct store *store_of(struct session *s, size_t at)
{
    return session_is_beside(s, at) ? session_store(s, session_rank(s, at)->unit) : NULL;
}

static bool is_lost(struct session *s, size_t at)
{
    struct store *store = store_of(s, at);

    /* without a note no row is marked: most ranks are not searched */
    return store && store_int(store, 0, "SELECT 1 FROM note WHERE code = 'MARKED' LIMIT 1", NULL) &&
           store_int(store, 0, "SELECT 1 FROM comm_exec WHERE rank = :rank AND damage = 'time' LIMIT 1",
                     ":rank", (int64_t)session_rank(s, at)->rank, NULL);
}

/* 0: the rank is not loaded, or its server has no name. */
static uint64_t host_of(struct session *s, size_t at)
{
    struct store *store = store_of(s, at);
    struct err ignored = ERR_INIT;
    struct query *q = NULL;
    uint64_t host = 0;

    if (!store || store_query(store, &q, "SELECT host FROM rank WHERE rank = :rank", &ignored)) {
        err_clear(&ignored);
        return 0;
    }
    query_bind_int(q, ":rank", session_rank(s, at)->rank);
    if (query_step(q, &ignored) == 1 && !query_null(q, 0))
        host = str_hash(query_str(q, 0), str_seed()) | 1;
    query_free(q);
    err_clear(&ignored);
    return host;
}

static int by_key(const void *x, const void *y)
{
    const struct shared *a = x, *b = y;
    return a->key < b->key ? -1 : a->key > b->key;
}

static int begin(struct shares *out, struct session *s, size_t at, struct err *e)
{
    struct job_mets m = { 0 };

    if (job_met_rank(&m, store_of(s, at), session_rank(s, at)->rank, true, e) == OK) {
        out->v = calloc(m.n + 1, sizeof *out->v);
        if (!out->v)
            err_nomem(e);
    }
    for (size_t i = 0; out->v && i < m.n; i++)
        out->v[out->n++] = (struct shared){ .key = m.v[i].key, .from = m.v[i].from_ns, .to = m.v[i].to_ns };
    if (out->n)
        qsort(out->v, out->n, sizeof *out->v, by_key);
    free(m.v);
    return e->code;
}

static int meet(struct shares *x, struct session *s, size_t k, struct err *e)
{
    struct job_mets m = { 0 };

    if (job_met_rank(&m, store_of(s, k), session_rank(s, k)->rank, false, e))
        x->n = 0;
    for (size_t i = 0; i < m.n && x->n; i++) {
        const struct shared wanted = { .key = m.v[i].key };
        struct shared *at = bsearch(&wanted, x->v, x->n, sizeof *x->v, by_key);
        if (!at)
            continue;
        at->others_from = !at->met || m.v[i].from_ns > at->others_from ? m.v[i].from_ns : at->others_from;
        at->others_to = !at->met || m.v[i].to_ns < at->others_to ? m.v[i].to_ns : at->others_to;
        at->met = true;
    }
    free(m.v);
    return e->code;
}

static int by_value(const void *x, const void *y)
{
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return a < b ? -1 : a > b;
}

/* How far the rows' own bound allows it, either way. */
static int64_t own_bound(struct session *s, size_t at)
{
    return store_int(store_of(s, at), INT64_MAX,
                     "SELECT ts_err_ns FROM comm_exec WHERE rank = :rank AND damage = 'time' LIMIT 1",
                     ":rank", (int64_t)session_rank(s, at)->rank, NULL);
}

/*
 * Nobody leaves a collective before all have come: the moment at which they had lies, by each clock, between
 * begin and end of the op. Within what that allows, all leave at about the same time: the median of the
 * collectives.
 */
static void solve(struct rank_clock *out, const struct shares *x, int64_t bound, int64_t *late)
{
    int64_t least = bound == INT64_MAX ? INT64_MIN : -bound, most = bound;
    size_t n = 0;

    for (size_t i = 0; i < x->n; i++) {
        const struct shared *c = &x->v[i];
        if (!c->met)
            continue;
        int64_t low = bounded_sub(c->from, c->others_to), high = bounded_sub(c->to, c->others_from);
        least = low > least ? low : least;
        most = high < most ? high : most;
        late[n++] = bounded_sub(c->to, c->others_to);
    }
    if (!n || least > most)
        return;
    qsort(late, n, sizeof *late, by_value);
    int64_t at = late[n / 2] < least ? least : late[n / 2] > most ? most : late[n / 2];
    int64_t less = bounded_sub(at, least), more = bounded_sub(most, at);
    out->known = true;
    out->ahead_ns = at;
    out->within_ns = less > more ? less : more;
}

struct ranks {
    struct session *s;
    struct rank_clock *of;
    uint64_t *host;
};

/* Host clocks are one on one server: then the rank with index k tells where the lost clock of `at` is. */
static bool is_sound(const struct ranks *r, size_t at, size_t k, bool together)
{
    return k != at && !r->of[k].lost && store_of(r->s, k) &&
           (!together || (r->host[at] && r->host[k] == r->host[at]));
}

static int place(const struct ranks *r, size_t at, struct err *e)
{
    struct rank_clock *x = &r->of[at];
    struct shares v = { 0 };
    bool together = false;

    for (size_t k = 0; k < session_n_ranks(r->s); k++)
        together |= is_sound(r, at, k, true);
    (void)!begin(&v, r->s, at, e);
    for (size_t k = 0; k < session_n_ranks(r->s) && v.n && !e->code; k++) {
        if (!is_sound(r, at, k, together) || meet(&v, r->s, k, e))
            continue;
        x->with = x->with < 0 ? session_rank(r->s, k)->rank : x->with;
    }
    int64_t *late = e->code ? NULL : calloc(v.n + 1, sizeof *late);
    if (late)
        solve(x, &v, own_bound(r->s, at), late);
    else if (!e->code)
        err_nomem(e);
    free(late);
    free(v.v);
    return e->code;
}

int rank_clock_read(struct rank_clock *out, struct session *s, struct err *e)
{
    struct ranks r = { .s = s, .of = out };
    size_t n = session_n_ranks(s), lost = 0;

    for (size_t i = 0; i < n; i++) {
        out[i] = (struct rank_clock){ .lost = is_lost(s, i), .with = -1 };
        lost += out[i].lost;
    }
    if (!lost || lost == n)
        return OK;
    if (!(r.host = calloc(n, sizeof *r.host)))
        return err_nomem(e);
    for (size_t i = 0; i < n; i++)
        r.host[i] = host_of(s, i);
    for (size_t i = 0; i < n && !e->code; i++)
        if (out[i].lost)
            (void)!place(&r, i, e);
    free(r.host);
    return e->code;
}
