/* The statement that means what a view shows, for `;` and for people who go on in SQL. */
#include "config.h"

#include "model/view_int.h"

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

/* Text of a relation with its parameters replaced by their values. */
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

static void add_numbers(const struct filter_test *t, struct buf *out)
{
    char num[40];

    for (size_t i = 0; i < t->n; i++)
        buf_printf(out, "%s%s", i ? ", " : "",
                   isnan(t->numbers[i]) ? "NULL" : unit_plain(num, sizeof num, t->numbers[i]));
}

static void add_texts(const struct filter_test *t, struct buf *out)
{
    for (size_t i = 0; i < t->n; i++) {
        if (i)
            buf_puts(out, ", ");
        add_quoted(out, t->texts[i]);
    }
}

/* Substrings of FO_TEXT: instr() knows no wildcards. */
static void add_substrings(const struct filter_test *t, const char *id, struct buf *out)
{
    for (size_t i = 0; i < t->n; i++) {
        buf_printf(out, "%sinstr(lower(\"%s\"), lower(", i ? " OR " : "", id);
        add_quoted(out, t->texts[i]);
        buf_puts(out, ")) > 0");
    }
}

static void add_row_text(const struct view *v, struct buf *out)
{
    for (size_t i = 0; i < view_n_cols(v); i++)
        buf_printf(out, "%sifnull(\"%s\", '')", i ? " || char(9) || " : "", view_col(v, i)->id);
}

static void add_test(const struct view *v, const struct filter_test *t, struct buf *out)
{
    static const char *const compare[] = {
        [FO_LT] = "<", [FO_LE] = "<=", [FO_GT] = ">", [FO_GE] = ">="
    };
    const struct view_col *c = t->col >= 0 ? &v->def->cols[t->col] : NULL;
    char a[40], b[40];

    buf_puts(out, t->negate ? "NOT ifnull(" : "(");
    switch (t->op) {
    case FO_TEXT:
        add_substrings(t, c->id, out);
        break;
    case FO_RE:
    case FO_ROW_RE:
        if (c)
            buf_printf(out, "\"%s\"", c->id);
        else
            add_row_text(v, out);
        buf_puts(out, " REGEXP ");
        add_quoted(out, re_pattern(t->re));
        break;
    case FO_EQ:
    case FO_IN:
        buf_printf(out, "\"%s\" IN (", c->id);
        if (c->type == VT_TEXT)
            add_texts(t, out);
        else
            add_numbers(t, out);
        buf_addc(out, ')');
        break;
    case FO_BETWEEN:
        if (!isinf(t->lo))
            buf_printf(out, "\"%s\" >= %s%s", c->id, unit_plain(a, sizeof a, t->lo),
                       isinf(t->hi) ? "" : " AND ");
        if (!isinf(t->hi))
            buf_printf(out, "\"%s\" <= %s", c->id, unit_plain(b, sizeof b, t->hi));
        if (isinf(t->lo) && isinf(t->hi))
            buf_puts(out, "1");
        break;
    default:
        buf_printf(out, "\"%s\" %s %s", c->id, compare[t->op], unit_plain(a, sizeof a, t->lo));
        break;
    }
    buf_puts(out, t->negate ? ", 0)" : ")");
}

void view_sql(const struct view *v, struct buf *out)
{
    size_t first = v->with_rank ? 1 : 0;
    const char *glue = "\nWHERE ";

    if (v->sql_text) {
        buf_puts(out, v->sql_text);
        return;
    }
    buf_puts(out, "SELECT * FROM (\n  SELECT ");
    for (size_t i = first; i < view_n_cols(v); i++) {
        if (i > first)
            buf_puts(out, ",\n    ");
        add_bound(v, view_col(v, i)->expr, out);
        buf_printf(out, " AS \"%s\"", view_col(v, i)->id);
    }
    buf_puts(out, "\n  FROM ");
    add_bound(v, v->def->from, out);
    if (v->def->where) {
        buf_puts(out, "\n  WHERE ");
        add_bound(v, v->def->where, out);
    }
    if (v->def->group && v->def->group[0])
        buf_printf(out, "\n  GROUP BY %s", v->def->group);
    buf_puts(out, ")");
    for (size_t i = 0; i < v->n_filters; i++) {
        for (size_t k = 0; k < v->filters[i]->n; k++) {
            buf_puts(out, glue);
            add_test(v, &v->filters[i]->tests[k], out);
            glue = "\n  AND ";
        }
    }
    if (v->sort_col >= (int)first)
        buf_printf(out, "\nORDER BY \"%s\"%s NULLS LAST", view_col(v, (size_t)v->sort_col)->id,
                   v->sort_desc ? " DESC" : "");
    buf_puts(out, ";");
}
