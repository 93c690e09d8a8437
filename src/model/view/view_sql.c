/* SPDX-License-Identifier: Apache-2.0 */
/* The statement with the same rows as a view, for `;` and for people who go on in SQL. */
#include "config.h"

#include "model/view/view_int.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/unit.h"

static void add_quoted(struct buf *out, struct str s)
{
    buf_addc(out, '\'');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\'')
            buf_addc(out, '\'');
        buf_addc(out, s.p[i]);
    }
    buf_addc(out, '\'');
}

/* Append a relation with its parameters replaced by their values. */
static void add_bound(const struct view *v, const char *sql, struct buf *out)
{
    const struct {
        const char *name;
        int64_t value;
        bool open;
    } params[] = {
        { ":rank", v->n_parts ? v->parts[0].p.rank : 0, false },
        { ":step0", v->scope.step0, v->scope.step0 == INT64_MIN },
        { ":step1", v->scope.step1, v->scope.step1 == INT64_MAX },
        { ":first_step", v->scope.first_step, false },
        { ":moment", v->scope.moment, !v->scope.has_moment },
    };

    while (*sql) {
        size_t i = 0;
        while (i < ARRAY_LEN(params) && strncmp(sql, params[i].name, strlen(params[i].name)) != 0)
            i++;
        if (i == ARRAY_LEN(params)) {
            buf_addc(out, *sql++);
            continue;
        }
        if (params[i].open)
            buf_puts(out, "NULL");
        else
            buf_printf(out, "%" PRId64, params[i].value);
        sql += strlen(params[i].name);
    }
}

/*
 * A number as an SQL literal: whole numbers with all digits, because a literal of digits is an integer there.
 */
static const char *sql_number(char *buf, size_t n, double v)
{
    if (fabs(v) < 9.2e18 && v == floor(v))
        snprintf(buf, n, "%.0f", v);
    else
        unit_plain(buf, n, v);
    return buf;
}

static void add_numbers(const struct filter_test *t, struct buf *out)
{
    char num[40];

    for (size_t i = 0; i < t->n; i++)
        buf_printf(out, "%s%s", i ? ", " : "",
                   isnan(t->numbers[i]) ? "NULL" : sql_number(num, sizeof num, t->numbers[i]));
}

static void add_texts(const struct filter_test *t, struct buf *out)
{
    for (size_t i = 0; i < t->n; i++) {
        if (i)
            buf_puts(out, ", ");
        add_quoted(out, t->texts[i]);
    }
}

/* Append the substrings of FO_TEXT with instr(), which has no wildcards. */
static void add_substrings(const struct filter_test *t, const char *id, struct buf *out)
{
    if (!t->n)
        buf_addc(out, '0'); /* without texts nothing matches */
    for (size_t i = 0; i < t->n; i++) {
        buf_printf(out, "%sinstr(lower(\"%s\"), lower(", i ? " OR " : "", id);
        add_quoted(out, t->texts[i]);
        buf_puts(out, ")) > 0");
    }
}

/* Append the columns that a regex on the whole row is matched with. */
static void add_row(const struct view *v, struct buf *out)
{
    for (size_t i = 0; i < v->def->n_cols; i++)
        buf_printf(out, ", \"%s\"", v->def->cols[i].id);
}

/* Append the values of a list; the empty one stands for unknown values, too. */
static void add_list(const struct filter_test *t, const struct view_col *c, struct buf *out)
{
    bool empty = t->op == FO_EQ && t->n && !t->texts[0].n;

    buf_printf(out, empty ? "ifnull(\"%s\", '') IN (" : "\"%s\" IN (", c->id);
    if (c->type == VT_TEXT || empty)
        add_texts(t, out);
    else
        add_numbers(t, out);
    buf_addc(out, ')');
}

static void add_test(const struct view *v, const struct filter_test *t, struct buf *out)
{
    static const char *const compare[] = { [FO_LT] = "<", [FO_LE] = "<=", [FO_GT] = ">", [FO_GE] = ">=" };
    const struct view_col *c = t->col >= 0 ? &v->def->cols[t->col] : NULL;
    char a[40], b[40];

    if (t->col == FILTER_RANK) { /* the statement is about one rank */
        buf_puts(out, filter_rank(t, v->parts[0].p.rank) ? "1" : "0");
        return;
    }
    buf_puts(out, t->negate ? "NOT ifnull(" : "(");
    switch (t->op) {
    case FO_TEXT:
        add_substrings(t, c->id, out);
        break;
    case FO_RE:
        buf_printf(out, "\"%s\" REGEXP ", c->id);
        add_quoted(out, re_pattern(t->re));
        break;
    case FO_ROW_RE:
        buf_puts(out, "regexp_row(");
        add_quoted(out, re_pattern(t->re));
        add_row(v, out);
        buf_addc(out, ')');
        break;
    case FO_EQ:
    case FO_IN:
        add_list(t, c, out);
        break;
    case FO_BETWEEN:
        if (!isinf(t->lo))
            buf_printf(out, "\"%s\" >= %s%s", c->id, sql_number(a, sizeof a, t->lo),
                       isinf(t->hi) ? "" : " AND ");
        if (!isinf(t->hi))
            buf_printf(out, "\"%s\" <= %s", c->id, sql_number(b, sizeof b, t->hi));
        if (isinf(t->lo) && isinf(t->hi))
            buf_printf(out, "\"%s\" IS NOT NULL", c->id);
        break;
    default:
        buf_printf(out, "\"%s\" %s %s", c->id, compare[t->op], sql_number(a, sizeof a, t->lo));
        break;
    }
    buf_puts(out, t->negate ? ", 0)" : ")");
}

/* Append the relation of the definition, in the step range. */
static void add_relation(const struct view *v, struct buf *out)
{
    const struct view_def *d = v->def;
    const char *glue = "\n  WHERE ";

    buf_puts(out, "\n  FROM ");
    add_bound(v, d->from, out);
    if (!d->group && rowset_is_one_table(d->from))
        buf_puts(out, " NOT INDEXED"); /* rows come in the order of their keys */
    if (d->dim)
        buf_printf(out, " LEFT JOIN %s ON %s = %s", d->dim, d->dim_id, d->dim_ref);
    if (d->where) {
        bool alone = !d->step || !strstr(d->where, " OR ");
        buf_puts(out, glue);
        buf_puts(out, alone ? "" : "(");
        add_bound(v, d->where, out);
        buf_puts(out, alone ? "" : ")");
        glue = " AND ";
    }
    if (d->step && v->scope.step0 != INT64_MIN) {
        buf_printf(out, "%s%s >= %" PRId64, glue, d->step, v->scope.step0);
        glue = " AND ";
    }
    if (d->step && v->scope.step1 != INT64_MAX)
        buf_printf(out, "%s%s <= %" PRId64, glue, d->step, v->scope.step1);
    if (d->group && d->group[0])
        buf_printf(out, "\n  GROUP BY %s", d->group);
    if (!d->group)
        buf_printf(out, "\n  ORDER BY %s", d->key);
}

/* Rows with equal values keep the order of the relation. */
static void add_order(const struct view *v, struct buf *out)
{
    if (v->sort_col < (int)v->with_rank)
        return;
    const struct view_col *c = view_col(v, (size_t)v->sort_col);
    buf_puts(out, "\nORDER BY ");
    if (v->first)
        buf_printf(out, "\"%s\" IS NULL, CASE WHEN \"%s\" IS NULL THEN ", v->def->first, v->def->first);
    buf_printf(out, "\"%s\"%s%s%s NULLS LAST", c->id, v->first ? " END" : "",
               c->type == VT_TEXT ? " COLLATE \"natural\"" : "", v->sort_desc ? " DESC" : "");
}

#define RUNNING                                                                                              \
    "CASE WHEN share_pct IS NOT NULL THEN sum(share_pct) OVER (PARTITION BY share_pct IS NULL "              \
    "ORDER BY share_pct DESC ROWS UNBOUNDED PRECEDING) END"

/* The running share is that of the rows that filters leave. */
static void add_chosen(const struct view *v, struct buf *out)
{
    size_t running, share;

    if (!v->n_filters || !view_running_cols(v, &running, &share)) {
        buf_puts(out, "SELECT * FROM (\n  SELECT ");
        return;
    }
    buf_puts(out, "SELECT");
    for (size_t i = v->with_rank; i < view_n_cols(v); i++) {
        const char *id = view_col(v, i)->id;
        buf_puts(out, i > v->with_rank ? ", " : " ");
        if (i == running)
            buf_puts(out, RUNNING " AS ");
        buf_printf(out, "\"%s\"", id);
    }
    buf_puts(out, " FROM (\n  SELECT ");
}

void view_sql(const struct view *v, struct buf *out)
{
    size_t first = v->with_rank ? 1 : 0;
    const char *glue = "\nWHERE ";

    if (v->sql_text) {
        buf_puts(out, v->sql_text);
        return;
    }
    if (v->merged)
        buf_printf(out, "-- of rank %d alone; the table adds up %zu ranks\n", v->parts[0].p.rank, v->merged);
    add_chosen(v, out);
    for (size_t i = first; i < view_n_cols(v); i++) {
        if (i > first)
            buf_puts(out, ",\n    ");
        add_bound(v, view_col(v, i)->expr, out);
        buf_printf(out, " AS \"%s\"", view_col(v, i)->id);
    }
    add_relation(v, out);
    buf_puts(out, ")");
    for (size_t i = 0; i < v->n_filters; i++) {
        for (size_t k = 0; k < v->filters[i]->n; k++) {
            buf_puts(out, glue);
            add_test(v, &v->filters[i]->tests[k], out);
            glue = "\n  AND ";
        }
    }
    add_order(v, out);
    buf_puts(out, ";");
}
