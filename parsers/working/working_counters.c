/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters of executions (MetricSummary, ai_core_metrics): a row for each, with a column for each metric.
 * They follow the executions of a task in the order of their starts.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "parsers/read/lines.h"
#include "parsers/working/working.h"

#define METRICS_MAX 256

enum { K_STREAM, K_TASK, K_CONTEXT, K_FIRST };

struct counters {
    struct working *w;
    struct database_col cols[K_FIRST + METRICS_MAX];
    struct metric {
        size_t column; /* of op_counter */
        const struct database_ending *end;
    } metric[METRICS_MAX];
    size_t n;
    struct val *row; /* of op_counter */
    size_t n_row;
    uint64_t left;
};

static bool is_key(struct str name)
{
    static const struct str keys[] = {
        STR("task_id"),    STR("stream_id"), STR("subtask_id"), STR("task_type"),
        STR("start_time"), STR("end_time"),  STR("ffts_type"),  STR("core_type"),
        STR("batch_id"),   STR("device_id"), STR("model_id"),   STR("index_id"),
    };

    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        if (str_eq_nocase(name, keys[i]))
            return true;
    return false;
}

/* Names end in _extra where two groups of counters have the same one. */
static int add_metric(struct counters *c, struct database *d, struct str name, struct err *e)
{
    struct metric *m = &c->metric[c->n];
    char text[96];
    struct str kept = arena_str(d->c->tmp, name), plain = name;

    if (!kept.p)
        return err_nomem(e);
    if (c->n == METRICS_MAX || !name.n || name.n > 60) {
        c->left++;
        return OK;
    }
    if (str_ends(plain, STR("_extra")))
        plain = str_sub(plain, 0, plain.n - 6);
    if (str_eq(plain, STR("total_time"))) /* of a chip with one kind of core */
        plain = STR("aic_total_time");
    else if (str_eq(plain, STR("total_cycles")))
        plain = STR("aic_total_cycles");
    struct str ours = database_metric(plain, text, sizeof text, &m->end);
    if (sink_column(d->c->out, T_op_counter, ours, m->end ? m->end->type : CT_REAL, &m->column, e))
        return e->code;
    c->cols[K_FIRST + c->n] = (struct database_col){ kept.p, DB_REAL, K_FIRST + c->n, NULL };
    c->n_row = m->column >= c->n_row ? m->column + 1 : c->n_row;
    c->n++;
    return OK;
}

/* Times are us here. */
static struct val value_of(const struct metric *m, const struct val *v)
{
    if (v->t != VAL_REAL)
        return val_null();
    if (!m->end || m->end->type == CT_REAL)
        return *v;
    const double x = v->r * (m->end->type == CT_NS ? 1000 : m->end->by);
    return fabs(x) < 9.2e18 ? val_int(llround(x)) : val_null();
}

static int on_counter(struct database_row *r, struct err *e)
{
    struct counters *c = r->arg;
    const int64_t exec = working_exec(c->w, database_int(r, K_STREAM, -1), database_int(r, K_TASK, -1),
                                      database_int(r, K_CONTEXT, -1));

    if (!exec)
        return OK;
    for (size_t i = 0; i < c->n; i++)
        c->row[c->metric[i].column] = value_of(&c->metric[i], &r->v[K_FIRST + i]);
    c->row[COL(op_counter, exec_id)] = val_int(exec);
    return sink_row(r->d->c->out, T_op_counter, c->row, c->n_row, NULL, e);
}

static int read_table(struct counters *c, struct database *d, const char *table, struct err *e)
{
    const struct str *names;
    size_t n;

    if (foreign_columns(d->f, database_table(d, str_of(table)), &names, &n, e))
        return database_is_damage(d, str_of(table), e) ? OK : e->code;
    for (size_t i = 0; i < n; i++)
        if (!is_key(names[i]) && add_metric(c, d, names[i], e))
            return e->code;
    const struct database_map map = {
        .table = table, DB_SLOTS(K_FIRST + c->n), .cols = c->cols, .n_cols = K_FIRST + c->n
    };
    c->row = calloc(c->n_row, sizeof *c->row);
    return c->row ? database_read(d, &map, on_counter, c, e) : err_nomem(e);
}

int working_counters(struct working *w, int device, struct err *e)
{
    static const char *const tables[] = { "MetricSummary", "ai_core_metrics" };
    struct counters *c = w->execs ? calloc(1, sizeof *c) : NULL;
    struct database *d = NULL;
    size_t i = 0;

    if (!w->execs)
        return OK;
    if (!c)
        return err_nomem(e);
    c->w = w;
    c->n_row = N_COLS(op_counter);
    c->cols[K_STREAM] = (struct database_col){ "stream_id", DB_INT, K_STREAM, NULL };
    c->cols[K_TASK] = (struct database_col){ "task_id", DB_INT, K_TASK, NULL };
    c->cols[K_CONTEXT] = (struct database_col){ "subtask_id", DB_ID, K_CONTEXT, NULL };
    while (i < ARRAY_LEN(tables) && !(d = working_find(w, device, str_of(tables[i]))))
        i++;
    if (d)
        (void)!read_table(c, d, tables[i], e);
    if (c->left)
        parse_note(d->c, NOTE_LIMIT, c->left, "metrics beyond %d, or with names above 60 bytes", METRICS_MAX);
    free(c->row);
    free(c);
    return e->code;
}
