/* SPDX-License-Identifier: Apache-2.0 */
/* Links of the stores, sorted into groups. */
#include "config.h"

#include "model/links.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "model/members.h"

#define UNKNOWN (-1)

/* The record of one rank about the link from a rank to another. */
struct link {
    uint32_t group;     /* in names */
    int from, to;       /* ranks, UNKNOWN */
    int from_in, to_in; /* numbers inside the group */
    double rate;
    int transports; /* of them transport names all that have room */
    char transport[24];
};
struct links {
    struct intern *names;
    struct link *v;
    size_t n, cap;
    struct members members; /* as any link says */
};

static int number_at(const struct query *q, size_t col)
{
    int64_t v = query_null(q, col) ? UNKNOWN : query_int(q, col);

    return v >= 0 && v < INT32_MAX ? (int)v : UNKNOWN;
}

static int add_link(struct links *l, const struct query *q, struct err *e)
{
    struct link *v = grow_array(l->v, l->n, &l->cap, sizeof *v, 64);
    uint32_t group = v ? intern_put(l->names, query_str(q, 0)) : INTERN_NONE;

    if (v)
        l->v = v;
    if (group == INTERN_NONE)
        return err_nomem(e);
    struct link *k = &v[l->n++];
    *k = (struct link){
        group,           number_at(q, 1),  number_at(q, 2),      number_at(q, 3),
        number_at(q, 4), query_real(q, 5), (int)query_int(q, 7), "",
    };
    str_copy(query_str(q, 6), k->transport, sizeof k->transport);
    if (k->from != UNKNOWN && members_add(&l->members, group, k->from_in, k->from, e))
        return e->code;
    return k->to == UNKNOWN ? OK : members_add(&l->members, group, k->to_in, k->to, e);
}

static int add_links(struct links *l, const struct view_part *p, const struct view_scope *scope,
                     struct err *e)
{
    static const char sql[] =
        "SELECT ifnull((SELECT text FROM string WHERE id = l.group_id), ''), from_rank, "
        "to_rank, src_rank, dst_rank, sum(size_b) * 1e9 / sum(time_ns), "
        "group_concat(DISTINCT transport), count(DISTINCT transport) FROM comm_link l WHERE " LINKS_ROWS
        " GROUP BY " LINKS_GROUP;
    struct query *q = NULL;

    if (store_query(p->store, &q, sql, e))
        return e->code;
    query_bind_int(q, ":rank", p->rank);
    if (scope->step0 != INT64_MIN)
        query_bind_int(q, ":step0", scope->step0);
    if (scope->step1 != INT64_MAX)
        query_bind_int(q, ":step1", scope->step1);
    while (query_step(q, e) == 1)
        if (add_link(l, q, e))
            break;
    query_free(q);
    return e->code;
}

/* ---- one group ---- */

static int member_rank(const struct links *l, uint32_t group, int number)
{
    int64_t rank;

    return members_rank(&l->members, group, number, &rank) ? (int)rank : UNKNOWN;
}

/* Ranks are kept in order; when there are too many the largest numbers are dropped. */
static void add_rank(struct link_matrix *m, int rank)
{
    size_t i = 0;

    while (i < m->n && m->rank[i] < rank)
        i++;
    if (i < m->n && m->rank[i] == rank)
        return;
    m->more |= m->n == LINKS_RANKS;
    if (i == LINKS_RANKS)
        return;
    size_t stay = m->n - i - (m->n == LINKS_RANKS);
    memmove(&m->rank[i + 1], &m->rank[i], stay * sizeof *m->rank);
    m->rank[i] = rank;
    m->n += m->n < LINKS_RANKS;
}

static size_t rank_index(const struct link_matrix *m, int rank)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->rank[i] == rank)
            return i;
    return SIZE_MAX;
}

/* SIZE_MAX: there are too many. */
static size_t kind_index(struct link_matrix *m, const char *transport)
{
    for (size_t i = 0; i < m->n_kinds; i++)
        if (strcmp(m->kind[i].name, transport) == 0)
            return i;
    if (m->n_kinds == LINKS_TRANSPORTS)
        return SIZE_MAX;
    str_copy(str_of(transport), m->kind[m->n_kinds].name, sizeof m->kind[0].name);
    return m->n_kinds++;
}

/* A link gets the rate of the first rank that recorded it. */
static void put_rates(struct link_matrix *m, const struct links *l, uint32_t group)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct link *k = &l->v[i];
        if (k->group != group)
            continue;
        size_t a = rank_index(m, m->numbered ? k->from_in : k->from),
               b = rank_index(m, m->numbered ? k->to_in : k->to);
        if (a == SIZE_MAX || b == SIZE_MAX || !isnan(m->v[a][b]))
            continue;
        size_t kind = kind_index(m, k->transport);
        if (kind == SIZE_MAX)
            continue;
        m->v[a][b] = k->rate;
        m->transport[a][b] = (unsigned char)kind;
    }
}

static void measure(struct link_matrix *m)
{
    double sum[LINKS_TRANSPORTS] = { 0 };
    size_t count[LINKS_TRANSPORTS] = { 0 };

    for (size_t a = 0; a < m->n; a++) {
        for (size_t b = 0; b < m->n; b++) {
            if (isnan(m->v[a][b]))
                continue;
            sum[m->transport[a][b]] += m->v[a][b];
            count[m->transport[a][b]]++;
        }
    }
    for (size_t k = 0; k < m->n_kinds; k++)
        m->kind[k].mean = sum[k] / (double)count[k];
    for (size_t a = 0; a < m->n; a++) {
        for (size_t b = 0; b < m->n; b++) {
            double share = m->v[a][b] / m->kind[m->transport[a][b]].mean;
            if (!isnan(share) && count[m->transport[a][b]] > 1 && !(m->worst <= share))
                m->worst = share;
        }
    }
}

/* All ranks of the group's links, or the numbers where one of them is not known. */
static void take_ranks(struct link_matrix *m, struct links *l, uint32_t group)
{
    for (size_t i = 0; i < l->n; i++) {
        struct link *k = &l->v[i];
        if (k->group != group)
            continue;
        if (k->from == UNKNOWN)
            k->from = member_rank(l, group, k->from_in);
        if (k->to == UNKNOWN)
            k->to = member_rank(l, group, k->to_in);
        m->numbered |= k->from == UNKNOWN || k->to == UNKNOWN;
    }
    for (size_t i = 0; i < l->n; i++) {
        const struct link *k = &l->v[i];
        if (k->group != group)
            continue;
        add_rank(m, m->numbered ? k->from_in : k->from);
        add_rank(m, m->numbered ? k->to_in : k->to);
    }
}

static void make_matrix(struct link_matrix *m, struct links *l, uint32_t group)
{
    *m = (struct link_matrix){ .worst = NAN };
    for (size_t i = 0; i < LINKS_RANKS; i++)
        for (size_t k = 0; k < LINKS_RANKS; k++)
            m->v[i][k] = NAN;
    str_copy(intern_get(l->names, group), m->group, sizeof m->group);
    take_ranks(m, l, group);
    put_rates(m, l, group);
    measure(m);
}

/* ---- how many there are ---- */

/* group: of its own numbers, NO_GROUP of ranks of the job. */
struct way {
    uint32_t group;
    int from, to, transports;
};
#define NO_GROUP UINT32_MAX

static int by_ends(const void *a, const void *b)
{
    const struct way *x = a, *y = b;

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return y->transports - x->transports;
}

/*
 * Both ends may have recorded a link, and several groups may use it: it is one. numbered: of each group
 * whether it has only numbers of its own. After take_ranks().
 */
static int count_links(size_t *n_links, const struct links *l, const bool *numbered, struct err *e)
{
    struct way *v = calloc(l->n + 1, sizeof *v);
    size_t n = 0;

    if (!v)
        return err_nomem(e);
    for (size_t i = 0; i < l->n; i++) {
        const struct link *k = &l->v[i];
        const bool own = numbered[k->group];
        v[n++] = (struct way){ own ? k->group : NO_GROUP, own ? k->from_in : k->from, own ? k->to_in : k->to,
                               k->transports };
    }
    qsort(v, n, sizeof *v, by_ends);
    for (size_t i = 0; i < n; i++)
        if (v[i].from != v[i].to &&
            (!i || v[i].group != v[i - 1].group || v[i].from != v[i - 1].from || v[i].to != v[i - 1].to))
            *n_links += (size_t)v[i].transports;
    free(v);
    return OK;
}

/* ---- all groups ---- */

static int by_worst(const void *a, const void *b)
{
    const struct link_matrix *x = a, *y = b;
    double p = isnan(x->worst) ? 1 : x->worst, q = isnan(y->worst) ? 1 : y->worst;

    if (p != q)
        return p < q ? -1 : 1;
    return x->rank[0] != y->rank[0] ? (x->rank[0] < y->rank[0] ? -1 : 1) : strcmp(x->group, y->group);
}

/* What the framework calls a group, by the first rank that knows. */
static int name_groups(struct link_set *s, const struct view_part *p, struct err *e)
{
    static const char sql[] =
        "SELECT name FROM comm_group WHERE name <> '' AND (SELECT text FROM string WHERE "
        "id = group_id) = :group LIMIT 1";

    for (size_t i = 0; i < s->n; i++) {
        struct query *q = NULL;
        if (s->m[i].name[0] || !s->m[i].group[0])
            continue;
        if (store_query(p->store, &q, sql, e))
            return e->code;
        query_bind_text(q, ":group", str_of(s->m[i].group));
        if (query_step(q, e) == 1)
            str_copy(query_str(q, 0), s->m[i].name, sizeof s->m[i].name);
        query_free(q);
    }
    return e->code;
}

static int make_all(struct link_set *s, struct links *l, struct err *e)
{
    uint32_t n = intern_count(l->names);

    bool *numbered = calloc((size_t)n + 1, sizeof *numbered);

    s->m = calloc((size_t)n + 1, sizeof *s->m);
    if (!s->m || !numbered) {
        free(numbered);
        return err_nomem(e);
    }
    members_sort(&l->members);
    for (uint32_t id = 0; id < n; id++) {
        make_matrix(&s->m[s->n], l, id);
        numbered[id] = s->m[s->n].numbered;
        s->n += s->m[s->n].n > 1;
    }
    if (s->n)
        qsort(s->m, s->n, sizeof *s->m, by_worst);
    (void)!count_links(&s->n_links, l, numbered, e);
    free(numbered);
    return e->code;
}

int link_set_make(struct link_set *out, const struct view_part *parts, size_t n,
                  const struct view_scope *scope, struct err *e)
{
    struct links l = { .n = 0 };

    *out = (struct link_set){ .n = 0 };
    if (intern_new(&l.names, e))
        return e->code;
    for (size_t i = 0; i < n && !e->code; i++)
        (void)!add_links(&l, &parts[i], scope, e);
    if (!e->code)
        (void)!make_all(out, &l, e);
    for (size_t i = 0; i < n && !e->code; i++)
        (void)!name_groups(out, &parts[i], e);
    intern_free(l.names);
    free(l.v);
    free(l.members.v);
    if (e->code)
        link_set_done(out);
    return e->code;
}

void link_set_done(struct link_set *s)
{
    free(s->m);
    *s = (struct link_set){ .n = 0 };
}

bool link_is_slow(const struct link_matrix *m, size_t from, size_t to)
{
    return m->v[from][to] < LINKS_SLOW * m->kind[m->transport[from][to]].mean;
}
