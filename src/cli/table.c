/* SPDX-License-Identifier: Apache-2.0 */
/* Printing a view. */
#include "config.h"

#include "cli/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "model/writer/export.h"

size_t table_parts(const struct view_def *d, const struct view_part *parts, size_t n, struct view_part *out)
{
    bool per_rank = view_def_reads(d, ":rank");
    size_t used = 0;

    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < used && (per_rank || out[k].store != parts[i].store))
            k++;
        if (k == used)
            out[used++] = parts[i];
    }
    return used;
}

/* ---- columns ---- */

#define LISTED_B 90 /* of the ids of columns in a message: the first ones */

static int no_column(const struct view_def *d, struct str name, struct err *e)
{
    struct nearest near;
    char text[60], ids[LISTED_B + 10] = "";
    size_t used = 0;

    str_copy(name, text, sizeof text);
    nearest_begin(&near, name);
    for (size_t i = 0; i < d->n_cols; i++)
        nearest_offer(&near, d->cols[i].id);
    if (near.best)
        return err_set(e, ERR_USAGE, "there is no column '%s'; did you mean '%s'?", text, near.best);
    for (size_t i = 0; i < d->n_cols && used + strlen(d->cols[i].id) < LISTED_B; i++)
        used += (size_t)snprintf(ids + used, sizeof ids - used, "%s%s", i ? ", " : "", d->cols[i].id);
    return err_set(e, ERR_USAGE, "there is no column '%s' here ('npuscope help columns'), but %s", text, ids);
}

static int find_column(const struct view *v, struct str name, struct err *e)
{
    char id[64];
    int col = name.n && name.n < sizeof id ? view_find_col(v, str_copy(name, id, sizeof id)) : -1;

    if (col < 0)
        no_column(view_definition(v), name, e);
    return col;
}

/* Columns that --columns names, each once; none without it. */
static int choose_columns(size_t **cols, size_t *n, struct view *v, const struct print_opts *p, struct err *e)
{
    struct str rest = str_of(p->columns), name;

    *cols = calloc(view_n_cols(v) + 1, sizeof **cols);
    if (!*cols)
        return err_nomem(e);
    while (p->columns && str_next(&rest, ',', &name)) {
        int col = find_column(v, str_trim(name), e);
        size_t i = 0;
        if (col < 0)
            return e->code;
        while (i < *n && (*cols)[i] != (size_t)col)
            i++;
        if (i == *n)
            (*cols)[(*n)++] = (size_t)col;
    }
    for (size_t i = 0; p->marks && i < view_n_cols(v); i++)
        if (view_col(v, i)->flags & VC_MARK && !view_col_blank(v, i))
            (*cols)[(*n)++] = i;
    return OK;
}

/* ---- filters and order ---- */

struct filters {
    struct filter **f;
    size_t n;
};

static void filters_done(struct filters *f)
{
    for (size_t i = 0; i < f->n; i++)
        filter_free(f->f[i]);
    free(f->f);
}

static int parse_filters(struct filters *f, const struct view_def *d, const struct options *o, struct err *e)
{
    const char *text;

    f->f = calloc(opt_count(o, OPT_FILTER) + 1, sizeof(struct filter *));
    if (!f->f)
        return err_nomem(e);
    for (size_t i = 0; (text = opt_nth(o, OPT_FILTER, i)) != NULL; i++) {
        struct err why = ERR_INIT;
        if (filter_parse(&f->f[f->n], str_of(text), d, &why)) {
            if (why.offset == ERR_NO_OFFSET)
                return err_set(e, why.code, "filter %s: %s", text, why.text);
            return err_set(e, why.code, "filter %s: at character %llu: %s", text,
                           (unsigned long long)why.offset + 1, why.text);
        }
        f->n++;
    }
    return OK;
}

static int set_filters(struct filters *f, struct view *v, const struct options *o, struct err *e)
{
    size_t undecided = 0;

    if (parse_filters(f, view_definition(v), o, e))
        return e->code;
    if (!f->n)
        return OK;
    if (view_set_filters(v, f->f, f->n, &undecided, e))
        return e->code;
    if (undecided)
        return err_set(e, ERR_LIMIT, "the pattern is too costly: %zu rows could not be decided", undecided);
    return OK;
}

/* The last key first: each pass keeps the order of equal values. */
static int sort_by(struct view *v, const char *list, struct err *e)
{
    size_t n = 0;
    bool again = false;

    while (word_at(list, ',', n).p)
        n++;
    while (n--) {
        struct str name = str_trim(word_at(list, ',', n));
        char sign = view_sort_sign(&name);
        int col = find_column(v, name, e);
        if (col < 0)
            return e->code;
        bool desc = view_sort_desc(v, col, sign);
        if (again ? view_sort_again(v, col, desc, e) : view_sort(v, col, desc, e))
            return e->code;
        again = true;
    }
    return OK;
}

/* ---- before there is a view ---- */

/* Names of a list, with or without the sign of a direction; the rank is a column where there are several. */
static int check_names(const struct view_def *d, const char *list, bool signs, struct err *e)
{
    struct str rest = str_of(list), name;
    char id[64];

    while (list && str_next(&rest, ',', &name)) {
        name = str_trim(name);
        if (signs)
            (void)view_sort_sign(&name);
        if (!name.n || name.n >= sizeof id ||
            (view_def_find_col(d, str_copy(name, id, sizeof id)) < 0 && !str_starts(STR("rank"), name)))
            return no_column(d, name, e);
    }
    return OK;
}

int table_check(const struct view_def *d, const struct options *o, struct err *e)
{
    struct filters f = { 0 };

    if (check_names(d, opt_text(o, OPT_COLUMNS), false, e) == OK &&
        check_names(d, opt_text(o, OPT_SORT), true, e) == OK)
        (void)!parse_filters(&f, d, o, e);
    filters_done(&f);
    return e->code;
}

static bool is_of_time(const struct view_def *d, int col)
{
    return col >= 0 && d->cols[col].flags & VC_TIME;
}

static bool names_time(const struct view_def *d, const char *list)
{
    struct str rest = str_of(list), name;
    bool found = false;
    char id[64];

    while (list && !found && str_next(&rest, ',', &name)) {
        name = str_trim(name);
        (void)view_sort_sign(&name);
        found = name.n && is_of_time(d, view_def_find_col(d, str_copy(name, id, sizeof id)));
    }
    return found;
}

static bool filters_by_time(const struct view_def *d, const struct options *o)
{
    struct err ignored = ERR_INIT;
    struct filters f = { 0 };
    bool found = false;

    if (parse_filters(&f, d, o, &ignored) == OK)
        for (size_t i = 0; i < f.n; i++)
            for (size_t k = 0; k < f.f[i]->n; k++)
                found |= is_of_time(d, f.f[i]->tests[k].col);
    filters_done(&f);
    return found;
}

/* What --by calls a view: the last part of its id. */
static const char *view_word(const struct view_def *d)
{
    const char *dot = strrchr(d->id, '.');

    return dot ? dot + 1 : d->id;
}

/* The rows themselves come from the timeline. */
static bool is_made_of_time(const struct view_def *d)
{
    return is_of_time(d, 0);
}

bool table_needs_time(const struct view_def *d, const struct options *o)
{
    bool found = names_time(d, opt_text(o, OPT_COLUMNS)) || names_time(d, opt_text(o, OPT_SORT)) ||
                 filters_by_time(d, o);

    found |= is_made_of_time(d) && opt_is(o, OPT_BY) && strcmp(opt_text(o, OPT_BY), view_word(d)) == 0;
    for (size_t i = 0; opt_is(o, OPT_ALL_COLUMNS) && i < d->n_cols; i++)
        found |= is_of_time(d, (int)i);
    return found;
}

/* ---- the whole ---- */

int table_print(struct writer *w, struct view *v, const struct print_opts *p, size_t *shown, struct err *e)
{
    struct export_rows o = {
        .all_columns = p->all_columns, .top = p->top, .times = p->times, .title = p->title
    };
    struct filters f = { 0 };
    size_t *cols = NULL;

    if (choose_columns(&cols, &o.n_cols, v, p, e) || (p->opts && set_filters(&f, v, p->opts, e)) ||
        (p->sort && sort_by(v, p->sort, e)))
        goto out;
    o.cols = cols;
    if (shown)
        *shown = p->top >= 0 && (uint64_t)p->top < view_rows(v) ? (size_t)p->top : view_rows(v);
    if (export_view(w, v, &o, e))
        goto out;
out:
    free(cols);
    filters_done(&f);
    return e->code;
}

int table_open(struct view **out, const struct view_def *d, const struct view_part *parts, size_t n_parts,
               const struct view_scope *scope, struct err *e)
{
    struct view_part *mine = calloc(n_parts ? n_parts : 1, sizeof *mine);

    if (!mine)
        return err_nomem(e);
    int rc = view_open(out, d, mine, table_parts(d, parts, n_parts, mine), scope, e);
    free(mine);
    return rc;
}
