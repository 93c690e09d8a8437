/* SPDX-License-Identifier: Apache-2.0 */
/* Damaged files give way to a raw group that is whole. */
#include "config.h"

#include "import/precedence.h"

#include <stdio.h>
#include <string.h>

#include "import/agree/agree.h"

/* Tables that a group writes together with another one. */
static const struct {
    const char *table;
    enum table_id with;
} written_with[] = { { "step", T_step_part } };

/* The files that feed a table of a rank and whose topic it is. */
struct feeders {
    uint32_t id[GROUP_FEEDERS];
    size_t n;
    bool damaged; /* one of them is */
    uint64_t rows;
};

static bool is_topic(const struct unit *u, uint32_t source_id, const char *table)
{
    for (size_t i = 0; i < u->n_files; i++)
        if (u->files[i]->id == source_id)
            return u->files[i]->kind->topic && strcmp(u->files[i]->kind->topic, table) == 0;
    return false;
}

static int find_feeders(const struct group_run *r, const char *table, int rank, struct feeders *out,
                        struct err *e)
{
    struct store *store = fill_reader(r->fill, e);
    struct fill_feeder all[GROUP_FEEDERS];
    size_t n;

    *out = (struct feeders){ .n = 0 };
    if (!store || fill_feeders(r->fill, table, rank, all, GROUP_FEEDERS, &n, e))
        return e->code;
    for (size_t i = 0; i < n; i++) {
        if (!is_topic(r->u, all[i].source_id, table))
            continue;
        out->id[out->n++] = all[i].source_id;
        out->rows += all[i].rows;
        out->damaged |=
            store_int(store, 0, "SELECT state IN ('TORN', 'LIMIT', 'BAD') FROM source WHERE id = :id", ":id",
                      (int64_t)all[i].source_id, NULL) != 0;
    }
    return OK;
}

int precedence_mark(struct fill *f, uint32_t source_id, enum precedence_why why, const char *instead,
                    struct err *e)
{
    static const struct {
        const char *used, *note;
    } words[] = {
        [PRECEDENCE_ROWS] = { "rows", "has rows, and this file none" },
        [PRECEDENCE_EMPTY] = { "same data", "has no rows either" },
        [PRECEDENCE_WHOLE] = { "whole", "is whole" },
        [PRECEDENCE_MORE] = { "more whole rows", "has more whole rows" },
    };
    const struct where w = { .source_id = source_id, .offset = ERR_NO_OFFSET };
    char used[300];

    snprintf(used, sizeof used, "no (%s in %s)", words[why].used, instead);
    const struct val v[] = { val_cstr(used), val_int(source_id) };
    if (fill_begin(f, source_id, e))
        return e->code;
    sink_note(fill_sink(f), NOTE_REPLACED, &w, "%s is used: it %s", instead, words[why].note);
    int rc = fill_update(f, "UPDATE source SET used = ? WHERE id = ?", v, ARRAY_LEN(v), e);
    return fill_close(f, rc, e);
}

static int purge(const struct group_run *r, const struct group_set *s, size_t i, uint32_t source_id,
                 enum table_id t, struct err *e)
{
    for (size_t k = 0; k < ARRAY_LEN(written_with); k++)
        if (strcmp(written_with[k].table, s->kind->tables[i].name) == 0 &&
            fill_purge_table(r->fill, source_id, written_with[k].with, group_set_rank(s, r->u), e))
            return e->code;
    return fill_purge_table(r->fill, source_id, t, group_set_rank(s, r->u), e);
}

/* Let the group feed the table in place of the old files. */
static int replace(const struct group_run *r, struct group_set *s, size_t i, const struct feeders *old,
                   bool whole, struct err *e)
{
    enum table_id t = schema_find_table(s->kind->tables[i].name);

    if (t == N_TABLES)
        return err_set(e, ERR_BUG, "there is no table %s", s->kind->tables[i].name);
    s->wanted |= 1u << i;
    for (size_t k = 0; k < old->n; k++)
        if (purge(r, s, i, old->id[k], t, e) ||
            precedence_mark(r->fill, old->id[k], whole ? PRECEDENCE_WHOLE : PRECEDENCE_MORE, s->m[0].c.f->rel,
                            e))
            return e->code;
    return OK;
}

/* Path of the member that gives the rows of a table. */
static const char *giver_of(const struct group_set *s, const struct group_table *t)
{
    for (size_t i = 0; i < s->n; i++)
        if (t->from & 1u << s->m[i].role)
            return s->m[i].c.f->rel;
    return s->m[0].c.f->rel;
}

/*
 * Read the group once. It replaces damaged files where it is better than they are, and whole files are
 * compared with it.
 */
static int contest(const struct group_run *r, struct group_set *s, const struct feeders *old,
                   unsigned contested, unsigned compared, struct agree *a, struct err *e)
{
    struct group_trial trial;

    if (group_set_try(r, s, s->wanted | contested | compared, agree_sink(a), &trial, e))
        return e->code;
    for (size_t i = 0; i < GROUP_TABLES && s->kind->tables[i].name; i++) {
        bool wins = trial.rows[i] > 0 && (trial.whole || trial.rows[i] > old[i].rows);
        if ((contested & 1u << i) && wins && replace(r, s, i, &old[i], trial.whole, e))
            return e->code;
        if ((compared & 1u << i) && trial.whole &&
            agree_say(a, r->fill, s->kind->tables[i].name, giver_of(s, &s->kind->tables[i]), e))
            return e->code;
    }
    return OK;
}

int precedence_contest(const struct group_run *r, struct group_set *s, struct err *e)
{
    struct feeders old[GROUP_TABLES];
    struct agree *a = NULL;
    unsigned contested = 0, compared = 0; /* with damaged files; with whole ones */
    int rank = group_set_rank(s, r->u);

    if (s->kind->whole) /* it has several ranks, and is read only where nothing else gives executions */
        return OK;
    for (size_t i = 0; i < GROUP_TABLES && s->kind->tables[i].name; i++) {
        bool both;
        if (find_feeders(r, s->kind->tables[i].name, rank, &old[i], e) ||
            agree_wants(r->fill, s->kind->tables[i].name, rank, &both, e))
            return e->code;
        contested |= old[i].damaged ? 1u << i : 0;
        compared |= both ? 1u << i : 0;
    }
    if ((contested | compared) && agree_new(&a, rank, e) == OK)
        (void)contest(r, s, old, contested, compared, a, e);
    agree_free(a);
    return e->code;
}
