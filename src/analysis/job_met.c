/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analysis/job_met.h"

#include <stdlib.h>

#include "base/grow.h"

/*
 * Names of ops count in their group, which has a name of its own; those of a graph are the same in each
 * step.
 */
static const char met_sql[] =
    "SELECT (SELECT text FROM string WHERE id = c.name_id), (SELECT text FROM string WHERE id = c.group_id), "
    "(SELECT text FROM string WHERE id = c.type_id), ifnull(c.step, -1), c.ts_ns + r.origin_ns, c.dur_ns "
    "FROM "
    "comm_exec c JOIN rank r ON r.rank = c.rank WHERE c.rank = :rank AND r.clock = 'unix' AND (c.damage IS "
    "NULL OR c.damage = :placed) "
    "AND c.group_id IS NOT NULL AND c.ts_ns IS NOT NULL AND c.dur_ns >= 0 AND ifnull(c.calls, 1) = 1 AND "
    "c.kind IS NOT 'p2p' ORDER BY c.ts_ns DESC LIMIT :most";

/* Letters of a type, without case and what stands between them: "hcom_allReduce_". */
static bool synchronises(struct str type)
{
    static const char *const types[] = { "allreduce", "allgather", "reducescatter", "alltoall", "barrier" };
    char word[64];
    size_t n = 0;

    for (size_t i = 0; i < type.n && n + 1 < sizeof word; i++) {
        char c = type.p[i];
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
            word[n++] = (char)(c | 0x20);
    }
    word[n] = '\0';
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strstr(word, types[i]))
            return true;
    return false;
}

static uint64_t key_of(const struct query *q)
{
    const uint64_t seed = str_seed();
    return str_hash(query_str(q, 0), seed) ^ str_hash(query_str(q, 1), seed + 1) ^
           (uint64_t)(query_int(q, 3) + 2) * UINT64_C(0x9e3779b97f4a7c15);
}

static int add(struct job_mets *m, const struct query *q, int rank, struct err *e)
{
    struct log_met *v = grow_array(m->v, m->n, &m->room, sizeof *v, 512);
    int64_t from = query_int(q, 4), to;

    if (!v)
        return err_nomem(e);
    m->v = v;
    if (!__builtin_add_overflow(from, query_int(q, 5), &to))
        v[m->n++] = (struct log_met){ .rank = rank, .key = key_of(q), .from_ns = from, .to_ns = to };
    return OK;
}

static int by_key(const void *x, const void *y)
{
    const struct log_met *a = x, *b = y;
    return a->key < b->key ? -1 : a->key > b->key;
}

/* A name that a rank has more than once says nothing. */
static void drop_repeated(struct job_mets *m, size_t first)
{
    size_t to = first;

    if (m->n > first)
        qsort(m->v + first, m->n - first, sizeof *m->v, by_key);
    for (size_t i = first, next; i < m->n; i = next) {
        for (next = i + 1; next < m->n && m->v[next].key == m->v[i].key; next++)
            continue;
        if (next == i + 1)
            m->v[to++] = m->v[i];
    }
    m->n = to;
}

int job_met_rank(struct job_mets *m, struct store *s, int rank, bool placed, struct err *e)
{
    struct query *q = NULL;
    size_t first = m->n;

    if (store_query(s, &q, met_sql, e))
        return e->code;
    query_bind_int(q, ":rank", rank);
    query_bind_int(q, ":most", MET_OPS);
    query_bind_text(q, ":placed", placed ? STR("time") : STR(""));
    while (query_step(q, e) == 1)
        if (synchronises(query_str(q, 2)) && add(m, q, rank, e))
            break;
    query_free(q);
    drop_repeated(m, first);
    return e->code;
}

int job_met_read(struct log_met **out, size_t *n, struct session *s, const struct ending *x, struct err *e)
{
    struct job_mets m = { 0 };

    for (size_t i = 0; i < x->n_ranks && !e->code; i++) {
        struct store *store = session_store(s, session_rank(s, i)->unit);
        if (store && !x->ranks[i].apart)
            (void)!job_met_rank(&m, store, x->ranks[i].rank, false, e);
    }
    *out = m.v;
    *n = m.n;
    return e->code;
}
