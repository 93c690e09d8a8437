/* Damaged files give way to a raw group that is whole. */
#include "config.h"

#include "import/precedence.h"

#include <stdio.h>
#include <string.h>

#define FEEDERS 64 /* files that feed one table of one rank */

/* Tables that a group writes together with another one. */
static const struct {
    const char *table;
    enum table_id with;
} written_with[] = { { "step", T_step_part } };

/* The files that feed a table of a rank and whose topic it is. */
struct feeders {
    uint32_t id[FEEDERS];
    size_t n;
    bool damaged; /* one of them */
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
    struct fill_feeder all[FEEDERS];
    size_t n;

    *out = (struct feeders){ .n = 0 };
    if (!store || fill_feeders(r->fill, table, rank, all, FEEDERS, &n, e))
        return (int)e->code;
    for (size_t i = 0; i < n; i++) {
        if (!is_topic(r->u, all[i].source_id, table))
            continue;
        out->id[out->n++] = all[i].source_id;
        out->rows += all[i].rows;
        out->damaged |=
            store_int(store, 0, "SELECT state IN ('TORN', 'BAD') FROM source WHERE id = :id", ":id",
                      (int64_t)all[i].source_id, NULL) != 0;
    }
    return OK;
}

int precedence_mark(struct fill *f, uint32_t source_id, bool whole, const char *instead,
                    struct err *e)
{
    const struct where w = { .source_id = source_id, .offset = ERR_NO_OFFSET };
    char used[300];

    snprintf(used, sizeof used, "no (%s in %s)", whole ? "whole" : "more whole rows", instead);
    const struct val v[] = { val_cstr(used), val_int(source_id) };
    if (fill_begin(f, source_id, e))
        return (int)e->code;
    sink_note(fill_sink(f), NOTE_REPLACED, &w, "%s is used: it %s", instead,
              whole ? "is whole" : "has more whole rows");
    int rc = fill_update(f, "UPDATE source SET used = ? WHERE id = ?", v, ARRAY_LEN(v), e);
    return fill_close(f, rc, e);
}

static int purge(const struct group_run *r, const struct group_set *s, size_t i, uint32_t source_id,
                 enum table_id t, struct err *e)
{
    for (size_t k = 0; k < ARRAY_LEN(written_with); k++)
        if (strcmp(written_with[k].table, s->kind->tables[i].name) == 0 &&
            fill_purge_table(r->fill, source_id, written_with[k].with, group_set_rank(s, r->u), e))
            return (int)e->code;
    return fill_purge_table(r->fill, source_id, t, group_set_rank(s, r->u), e);
}

/* The table is the group's now. */
static int replace(const struct group_run *r, struct group_set *s, size_t i,
                   const struct feeders *old, bool whole, struct err *e)
{
    enum table_id t = schema_find_table(s->kind->tables[i].name);

    if (t == N_TABLES)
        return err_set(e, ERR_BUG, "there is no table %s", s->kind->tables[i].name);
    s->wanted |= 1u << i;
    for (size_t k = 0; k < old->n; k++)
        if (purge(r, s, i, old->id[k], t, e) ||
            precedence_mark(r->fill, old->id[k], whole, s->m[0].c.f->rel, e))
            return (int)e->code;
    return OK;
}

/* Rows that a raw group and the analysed files of a finished run should have as many of. */
static const struct {
    const char *table, *what;
} compared[] = { { "op_exec", "executions" }, { "aicpu_exec", "AI CPU tasks" } };

/* What the rows of a table are called where they are compared, NULL: they are not. */
static const char *compared_as(const char *table)
{
    for (size_t k = 0; k < ARRAY_LEN(compared); k++)
        if (strcmp(compared[k].table, table) == 0)
            return compared[k].what;
    return NULL;
}

/* Two whole sources that do not agree: both numbers are said of the one in use. */
static int compare(const struct group_run *r, const struct group_set *s, size_t i,
                   const struct feeders *old, const struct group_trial *trial, struct err *e)
{
    const struct where w = { .source_id = old->id[0], .offset = ERR_NO_OFFSET };
    const char *what = compared_as(s->kind->tables[i].name);

    if (!trial->whole || trial->rows[i] == old->rows)
        return OK;
    if (fill_begin(r->fill, old->id[0], e))
        return (int)e->code;
    sink_note(fill_sink(r->fill), NOTE_INCONSISTENT, &w,
              "%s: %llu here, %llu in the raw data of %s", what, (unsigned long long)old->rows,
              (unsigned long long)trial->rows[i], s->m[0].c.f->rel);
    return fill_close(r->fill, OK, e);
}

int precedence_contest(const struct group_run *r, struct group_set *s, struct err *e)
{
    struct feeders old[GROUP_TABLES];
    struct group_trial trial;
    unsigned contested = 0, doubted = 0; /* by damaged files; by whole ones that are compared */

    for (size_t i = 0; i < GROUP_TABLES && s->kind->tables[i].name; i++) {
        if (find_feeders(r, s->kind->tables[i].name, group_set_rank(s, r->u), &old[i], e))
            return (int)e->code;
        contested |= old[i].damaged ? 1u << i : 0;
        if (old[i].n && !old[i].damaged && compared_as(s->kind->tables[i].name))
            doubted |= 1u << i;
    }
    if (!(contested | doubted))
        return OK;
    if (group_set_try(r, s, s->wanted | contested | doubted, &trial, e))
        return (int)e->code;
    for (size_t i = 0; i < GROUP_TABLES && s->kind->tables[i].name; i++) {
        bool wins = trial.rows[i] > 0 && (trial.whole || trial.rows[i] > old[i].rows);
        if ((contested & 1u << i) && wins && replace(r, s, i, &old[i], trial.whole, e))
            return (int)e->code;
        if ((doubted & 1u << i) && compare(r, s, i, &old[i], &trial, e))
            return (int)e->code;
    }
    return OK;
}
