/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TASK_PMU_INFO: counters of executions (doc/formats/msprof.md#tables). One row for each value, metric after
 * metric, or one row for each task with a column for each metric; here they become one row for each execution
 * under the names that the text files have.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "parsers/database/database_group.h"
#include "parsers/read/lines.h"

#define METRICS_MAX 256
#define NAME_B      60   /* of a metric */
#define NAN_BYTE    0xff /* a double of these is no number */

struct metric {
    int64_t name;                      /* of STRING_IDS, or the number of the column */
    size_t column;                     /* of op_counter */
    const struct database_ending *end; /* NULL: a ratio or a count as it is */
    bool cube, vector;                 /* operations of that unit */
    struct paged v;                    /* double, by entry of the group's by_task; NAN: none */
    struct paged used; /* uint32_t: entries of an id with a value, by the first of them; none: one at most */
};
struct counters {
    struct database_group *g;
    struct database *d;
    struct database_ids known; /* name -> index of metric */
    struct metric metric[METRICS_MAX];
    size_t n;
    uint64_t left; /* values, or columns of them, of metrics beyond the limits */
};

/* ---- metrics ---- */

/* NULL: e is set, or it is one too many. */
static struct metric *add_metric(struct counters *c, int64_t id, struct str name, struct err *e)
{
    struct metric *m = &c->metric[c->n];
    size_t n = c->g->by_task.v.n;
    char text[96];

    if (!name.n)
        return NULL;
    if (c->n == METRICS_MAX || name.n > NAME_B) {
        c->left++;
        return NULL;
    }
    *m = (struct metric){ .name = id,
                          .cube = str_ends(name, STR("cube_fops")),
                          .vector = str_ends(name, STR("vector_fops")) };
    struct str ours = database_metric(name, text, sizeof text, &m->end);
    c->n++;
    if (paged_make(&m->v, c->g->pool, sizeof(double), n, NAN_BYTE, e) ||
        sink_column(c->d->c->out, T_op_counter, ours, m->end ? m->end->type : CT_REAL, &m->column, e) ||
        database_ids_add(&c->known, id, (uint32_t)(c->n - 1), e))
        return NULL;
    return m;
}

/* NULL: e is set, or there is none. */
static struct metric *metric_of(struct counters *c, int64_t id, struct err *e)
{
    uint32_t at = database_ids_find(&c->known, id);

    if (at != DATABASE_NO_ID)
        return &c->metric[at];
    return add_metric(c, id, database_word(c->d, id), e);
}

/* A task that ran several times under one id has its values in the order of its runs. */
static int take(struct counters *c, struct metric *m, int64_t task, double value, struct err *e)
{
    struct database_ids *ids = &c->g->by_task;
    size_t first = database_ids_first(ids, task), at = first;
    double *v = first == SIZE_MAX ? NULL : paged_edit(&m->v, first);

    if (!v)
        return OK;
    if (isnan(*v)) {
        *v = value;
        return paged_failed(c->g->pool, e);
    }
    if (!m->used.n && paged_make(&m->used, c->g->pool, sizeof(uint32_t), ids->v.n, 0, e))
        return e->code;
    at += ++*(uint32_t *)paged_edit(&m->used, first);
    if (database_ids_is(ids, at, task))
        *(double *)paged_edit(&m->v, at) = value;
    return paged_failed(c->g->pool, e);
}

/* ---- both forms ---- */

enum { L_TASK, L_NAME, L_VALUE, L_N };

/* clang-format off */
static const struct database_col long_cols[] = {
    { "globalTaskId", DB_INT,  L_TASK, NULL },
    { "name",         DB_INT,  L_NAME, NULL },
    { "value",        DB_REAL, L_VALUE, NULL },
};
/* clang-format on */
static const struct database_map long_map = {
    .table = "TASK_PMU_INFO",
    .need = "value",
    DB_SLOTS(L_N),
    .cols = long_cols,
    .n_cols = ARRAY_LEN(long_cols),
};

static int on_value(struct database_row *r, struct err *e)
{
    struct counters *c = r->arg;

    if (r->v[L_VALUE].t != VAL_REAL || r->v[L_NAME].t != VAL_INT)
        return OK;
    struct metric *m = metric_of(c, r->v[L_NAME].i, e);
    return m ? take(c, m, database_int(r, L_TASK, -1), r->v[L_VALUE].r, e) : e->code;
}

static int on_wide(struct database_row *r, struct err *e)
{
    struct counters *c = r->arg;

    for (size_t i = 0; i < c->n; i++)
        if (r->v[i + 1].t == VAL_REAL && take(c, &c->metric[i], database_int(r, 0, -1), r->v[i + 1].r, e))
            return e->code;
    return OK;
}

/* A column for each metric: a map of the columns that are there. */
static int read_wide(struct counters *c, struct err *e)
{
    struct database_col cols[METRICS_MAX + 1] = { { "globalTaskId", DB_INT, 0, NULL } };
    size_t table = database_table(c->d, STR("TASK_PMU_INFO")), n, used = 1;
    const struct str *names;

    if (table == SIZE_MAX || foreign_columns(c->d->f, table, &names, &n, e))
        return e->code;
    for (size_t i = 0; i < n && used <= METRICS_MAX; i++) {
        if (str_eq(names[i], STR("value")))
            return OK;
        if (str_eq_nocase(names[i], STR("globalTaskId")))
            continue;
        struct str kept = arena_str(c->d->c->tmp, names[i]);
        if (!kept.p)
            return err_nomem(e);
        if (!add_metric(c, (int64_t)i, kept, e)) {
            if (e->code)
                return e->code;
            continue;
        }
        cols[used] = (struct database_col){ kept.p, DB_REAL, used, NULL };
        used++;
    }
    const struct database_map map = {
        .table = "TASK_PMU_INFO", DB_SLOTS(used), .cols = cols, .n_cols = used
    };
    return e->code ? e->code : database_read(c->d, &map, on_wide, c, e);
}

/* ---- rows ---- */

static struct val value_of(const struct metric *m, double x)
{
    if (!m->end || m->end->type == CT_REAL)
        return val_real(x);
    x *= m->end->by;
    return fabs(x) < 9.2e18 ? val_int(llround(x)) : val_null();
}

static double value_at(struct metric *m, size_t at)
{
    return *(const double *)paged_at(&m->v, at);
}

static int put_flops(struct counters *c, size_t at, const struct database_task *task, struct err *e)
{
    struct val v[N_COLS(op_flops)] = { 0 };
    double cube = 0, vector = 0;
    bool any = false;

    for (size_t i = 0; i < c->n; i++) {
        struct metric *m = &c->metric[i];
        const double x = m->cube || m->vector ? value_at(m, at) : NAN;
        if (isnan(x))
            continue;
        *(m->cube ? &cube : &vector) += x;
        any = true;
    }
    if (!any)
        return OK;
    v[COL(op_flops, exec_id)] = val_int(task->exec);
    v[COL(op_flops, rank)] = val_int(task->rank);
    v[COL(op_flops, step)] = database_step_at(&c->g->steps, task->from);
    v[COL(op_flops, cube_flops)] = val_real(cube);
    v[COL(op_flops, vector_flops)] = val_real(vector);
    v[COL(op_flops, source_id)] = val_int(c->d->c->f->id);
    return sink_row(c->d->c->out, T_op_flops, v, N_COLS(op_flops), NULL, e);
}

static int put_all(struct counters *c, struct val *row, size_t n, struct err *e)
{
    struct database_ids *ids = &c->g->by_task;

    for (size_t at = 0; at < ids->v.n; at++) {
        const struct database_task task = database_task_at(c->g, database_ids_at(ids, at).value);
        bool any = false;
        for (size_t i = 0; i < c->n; i++) {
            struct metric *m = &c->metric[i];
            const double x = value_at(m, at);
            row[m->column] = isnan(x) ? val_null() : value_of(m, x);
            any |= !isnan(x);
        }
        row[COL(op_counter, exec_id)] = val_int(task.exec);
        if (any && (sink_row(c->d->c->out, T_op_counter, row, n, NULL, e) || put_flops(c, at, &task, e)))
            return e->code;
    }
    return paged_failed(c->g->pool, e);
}

static int put_rows(struct counters *c, struct err *e)
{
    size_t n = N_COLS(op_counter);

    for (size_t i = 0; i < c->n; i++)
        if (c->metric[i].column >= n)
            n = c->metric[i].column + 1;
    struct val *row = calloc(n, sizeof *row);
    int rc = row ? put_all(c, row, n, e) : err_nomem(e);
    free(row);
    return rc;
}

int database_counters(struct database_group *g, struct database *d, struct err *e)
{
    struct counters *c = calloc(1, sizeof *c);

    if (!c)
        return err_nomem(e);
    c->g = g;
    c->d = d;
    database_ids_init(&c->known, g->pool);
    if (g->by_task.v.n && database_read(d, &long_map, on_value, c, e) == OK && !c->n)
        (void)!read_wide(c, e);
    if (!e->code && c->n)
        (void)!put_rows(c, e);
    if (c->left)
        parse_note(d->c, NOTE_LIMIT, c->left, "metrics beyond %d, or with names above %d bytes", METRICS_MAX,
                   NAME_B);
    for (size_t i = 0; i < c->n; i++) {
        paged_done(&c->metric[i].v);
        paged_done(&c->metric[i].used);
    }
    database_ids_done(&c->known);
    free(c);
    return e->code;
}
