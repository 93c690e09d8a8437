/* SPDX-License-Identifier: Apache-2.0 */
/* Members of groups, and the links between them. */
#include "config.h"

#include "import/comm_ranks.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/members.h"

#define GROUPS_SQL "SELECT group_id, id, ranks FROM comm_group WHERE ranks IS NOT NULL"
#define SELVES_SQL                                                                                           \
    "SELECT DISTINCT group_id, src_rank, rank FROM comm_link WHERE src_rank = dst_rank AND from_rank IS "    \
    "NULL AND group_id IS NOT NULL AND rank >= 0"
#define LINKS_SQL                                                                                            \
    "SELECT rowid, group_id, src_rank, dst_rank FROM comm_link WHERE src_rank IS NOT NULL AND from_rank IS " \
    "NULL AND to_rank IS NULL AND group_id IS NOT NULL"
#define UNGROUPED_SQL                                                                                        \
    "UPDATE comm_link SET from_rank = src_rank, to_rank = dst_rank WHERE group_id IS NULL AND src_rank IS "  \
    "NOT NULL AND from_rank IS NULL"
#define SET_SQL "UPDATE comm_link SET from_rank = ?, to_rank = ? WHERE rowid = ?"

struct link {
    int64_t row, src, dst;
    uint32_t group;
};

struct links {
    struct fill *f;
    struct intern *groups; /* as ops name them */
    struct members members;
    struct link *link;
    size_t n_links, cap_links;
};

static int add_member(struct links *l, struct str group, int64_t number, int64_t rank, struct err *e)
{
    uint32_t id = intern_put(l->groups, group);

    return id == INTERN_NONE ? err_nomem(e) : members_add(&l->members, id, number, rank, e);
}

static int add_list(struct links *l, struct str group, struct str ranks, struct err *e)
{
    struct str one;
    int64_t rank;

    for (int64_t number = 0; group.n && str_next(&ranks, ',', &one); number++)
        if (str_i64(one, &rank) && add_member(l, group, number, rank, e))
            return e->code;
    return OK;
}

static int add_group(void *arg, const struct query *q, struct err *e)
{
    struct links *l = arg;

    if (add_list(l, fill_string(l->f, (uint32_t)query_int(q, 0)), query_str(q, 2), e))
        return e->code;
    return add_list(l, query_str(q, 1), query_str(q, 2), e);
}

static int add_self(void *arg, const struct query *q, struct err *e)
{
    struct links *l = arg;
    struct str group = fill_string(l->f, (uint32_t)query_int(q, 0));

    return group.n ? add_member(l, group, query_int(q, 1), query_int(q, 2), e) : OK;
}

static int add_link(void *arg, const struct query *q, struct err *e)
{
    struct links *l = arg;
    struct str group = fill_string(l->f, (uint32_t)query_int(q, 1));
    uint32_t id = group.n ? intern_find(l->groups, group) : INTERN_NONE;

    if (id == INTERN_NONE)
        return OK;
    struct link *v = grow_array(l->link, l->n_links, &l->cap_links, sizeof *v, 256);
    if (!v)
        return err_nomem(e);
    l->link = v;
    v[l->n_links++] = (struct link){ query_int(q, 0), query_int(q, 2), query_int(q, 3), id };
    return OK;
}

static struct val rank_of(const struct links *l, uint32_t group, int64_t number)
{
    int64_t rank;

    return members_rank(&l->members, group, number, &rank) ? val_int(rank) : val_null();
}

static int write_links(struct links *l, struct err *e)
{
    if (fill_update(l->f, UNGROUPED_SQL, NULL, 0, e))
        return e->code;
    members_sort(&l->members);
    for (size_t i = 0; i < l->n_links; i++) {
        const struct link *k = &l->link[i];
        const struct val v[] = { rank_of(l, k->group, k->src), rank_of(l, k->group, k->dst),
                                 val_int(k->row) };
        if ((v[0].t != VAL_NULL || v[1].t != VAL_NULL) && fill_update(l->f, SET_SQL, v, ARRAY_LEN(v), e))
            return e->code;
    }
    return OK;
}

int comm_ranks_write(struct fill *f, struct err *e)
{
    struct links l = { .f = f };

    if (intern_new(&l.groups, e) == OK && fill_each(f, GROUPS_SQL, add_group, &l, e) == OK &&
        fill_each(f, SELVES_SQL, add_self, &l, e) == OK && fill_each(f, LINKS_SQL, add_link, &l, e) == OK &&
        fill_begin(f, 0, e) == OK)
        (void)!fill_close(f, write_links(&l, e), e);
    intern_free(l.groups);
    free(l.members.v);
    free(l.link);
    return e->code;
}
