/* SPDX-License-Identifier: Apache-2.0 */
/* Members of groups, and the links between them. */
#include "config.h"

#include "import/derived/comm_ranks.h"

#include <stdlib.h>

#include "base/grow.h"

/* Links whose ends are still to be named. */
#define OPEN "src_rank IS NOT NULL AND from_rank IS NULL AND to_rank IS NULL AND group_id IS "

#define USED_SQL   "SELECT DISTINCT group_id FROM comm_link WHERE " OPEN "NOT NULL"
#define GROUPS_SQL "SELECT group_id, id, ranks FROM comm_group WHERE ranks IS NOT NULL"
#define MEMBER_SQL "INSERT OR IGNORE INTO temp.member VALUES (?, ?, ?)"
#define RANK_OF(end)                                                                                         \
    "(SELECT m.rank FROM temp.member m WHERE m.group_id = comm_link.group_id AND m.number = " end ")"

/* Before the members that comm_group gives, and after them. What was put first counts. */
static const char *const begin_sql[] = {
    "CREATE TEMP TABLE member (group_id INTEGER, number INTEGER, rank INTEGER, PRIMARY KEY (group_id, "
    "number)) "
    "WITHOUT ROWID",
    "UPDATE comm_link SET from_rank = src_rank, to_rank = dst_rank WHERE " OPEN "NULL",
};
static const char *const end_sql[] = {
    "INSERT OR IGNORE INTO temp.member SELECT DISTINCT group_id, src_rank, rank FROM comm_link WHERE " OPEN
    "NOT NULL AND src_rank = dst_rank AND rank >= 0",
    "UPDATE comm_link SET from_rank = " RANK_OF("src_rank") ", to_rank = " RANK_OF("dst_rank") " WHERE " OPEN
                                                                                               "NOT NULL",
};
#define DROP_SQL "DROP TABLE temp.member"

struct group {
    uint32_t used; /* id of its name in links */
    int64_t number, rank;
};

struct members {
    struct fill *f;
    uint32_t *used; /* names of groups in links */
    size_t n_used, cap_used;
    struct group *v;
    size_t n, cap;
};

static int add_used(void *arg, const struct query *q, struct err *e)
{
    struct members *m = arg;
    uint32_t *v = grow_array(m->used, m->n_used, &m->cap_used, sizeof *v, 16);

    if (!v)
        return err_nomem(e);
    m->used = v;
    v[m->n_used++] = (uint32_t)query_int(q, 0);
    return OK;
}

static int add_list(struct members *m, uint32_t used, struct str ranks, struct err *e)
{
    struct str one;
    int64_t rank;

    for (int64_t number = 0; str_next(&ranks, ',', &one); number++) {
        if (!str_i64(one, &rank))
            continue;
        struct group *v = grow_array(m->v, m->n, &m->cap, sizeof *v, 64);
        if (!v)
            return err_nomem(e);
        m->v = v;
        v[m->n++] = (struct group){ used, number, rank };
    }
    return OK;
}

/* Links name a group by the hash of its id, or by the id itself. */
static int add_group(void *arg, const struct query *q, struct err *e)
{
    struct members *m = arg;
    uint32_t hash = (uint32_t)query_int(q, 0);

    for (size_t i = 0; i < m->n_used; i++)
        if ((hash == m->used[i] || str_eq(fill_string(m->f, m->used[i]), query_str(q, 1))) &&
            add_list(m, m->used[i], query_str(q, 2), e))
            return e->code;
    return OK;
}

static int run_all(struct fill *f, const char *const *sql, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++)
        if (fill_update(f, sql[i], NULL, 0, e))
            return e->code;
    return OK;
}

static int write_ranks(struct members *m, struct err *e)
{
    if (run_all(m->f, begin_sql, ARRAY_LEN(begin_sql), e))
        return e->code;
    for (size_t i = 0; i < m->n; i++) {
        const struct val v[] = { val_int(m->v[i].used), val_int(m->v[i].number), val_int(m->v[i].rank) };
        if (fill_update(m->f, MEMBER_SQL, v, ARRAY_LEN(v), e))
            return e->code;
    }
    if (run_all(m->f, end_sql, ARRAY_LEN(end_sql), e))
        return e->code;
    return fill_update(m->f, DROP_SQL, NULL, 0, e);
}

int comm_ranks_write(struct fill *f, struct err *e)
{
    struct members m = { .f = f };

    if (fill_each(f, USED_SQL, add_used, &m, e) == OK &&
        (!m.n_used || fill_each(f, GROUPS_SQL, add_group, &m, e) == OK) && fill_begin(f, 0, e) == OK)
        (void)!fill_close(f, write_ranks(&m, e), e);
    free(m.used);
    free(m.v);
    return e->code;
}
