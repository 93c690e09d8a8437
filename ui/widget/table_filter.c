/* SPDX-License-Identifier: Apache-2.0 */
/* Filters of a table: kept, switched, compiled, applied. */
#include "config.h"

#include "ui/widget/table.h"
#include "ui/widget/table_int.h"
#include <stdlib.h>
#include <string.h>

static size_t list_filters(struct table *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_filters; i++)
        if (t->filters[i].on && t->compiled[i])
            t->applied[n++] = t->compiled[i];
    if (t->live)
        t->applied[n++] = t->live;
    return n;
}

int table_apply_filters(struct table *t, struct err *e)
{
    int rc = view_set_filters(t->v, t->applied, list_filters(t), NULL, e);
    t->gave_up = false;
    table_find_key(t);
    return rc;
}

/* Filters go on in table_work(); the first slice of work is done here, which is all for most tables. */
static int begin_filters(struct table *t, struct err *e)
{
    bool more, changed;
    t->gave_up = false;
    if (view_filter_begin(t->v, t->applied, list_filters(t), e))
        return e->code;
    return table_work(t, WORK_NS, &more, &changed, e);
}

void table_compile_filters(struct table *t)
{
    for (size_t i = 0; i < t->n_filters; i++) {
        struct err ignored = ERR_INIT;
        filter_free(t->compiled[i]);
        t->compiled[i] = NULL;
        /*
         * Columns differ between generations of MindSpore: a filter that does not fit is switched off, and
         * the list shows it so.
         */
        if (filter_parse(&t->compiled[i], str_of(t->filters[i].text), view_definition(t->v), &ignored)) {
            t->filters[i].on = false;
        } else if (!view_takes_filter(t->v, t->compiled[i])) {
            filter_free(t->compiled[i]);
            t->compiled[i] = NULL;
            t->filters[i].on = false;
        }
    }
}

size_t table_n_filters(const struct table *t)
{
    return t->n_filters;
}

const struct table_filter *table_filter(const struct table *t, size_t i)
{
    return &t->filters[i];
}

/* A filter that the rows take; else nothing is kept of the line. */
static int parse_line(struct table *t, struct filter **f, struct str line, struct err *e)
{
    if (filter_parse(f, line, view_definition(t->v), e))
        return e->code;
    if (view_check_filter(t->v, *f, e)) {
        filter_free(*f);
        *f = NULL;
        return e->code;
    }
    return OK;
}

int table_filter_live(struct table *t, struct str line, struct err *e)
{
    struct filter *f = NULL, *old = t->live;
    if (!t->v)
        return OK;
    if (str_trim(line).n && parse_line(t, &f, line, e))
        return e->code;
    table_keep_key(t);
    t->live = f;
    int rc = f ? begin_filters(t, e) : table_apply_filters(t, e);
    filter_free(old);
    return rc;
}

int table_filter_set(struct table *t, size_t i, struct str line, struct err *e)
{
    struct filter *f = NULL, *old = t->compiled[i];
    if (t->v && parse_line(t, &f, line, e))
        return e->code;
    char *text = table_copy_text(line);
    if (!text) {
        filter_free(f);
        return err_nomem(e);
    }
    free(t->filters[i].text);
    t->filters[i].text = text;
    t->filters[i].on = true;
    t->compiled[i] = f;
    int rc = OK;
    if (t->v) {
        table_keep_key(t);
        rc = table_apply_filters(t, e);
    }
    filter_free(old);
    return rc;
}

int table_filter_add(struct table *t, struct str line, struct err *e)
{
    if (t->n_filters == MAX_FILTERS)
        return err_set(e, ERR_LIMIT, "there are %d filters already; F lists them", MAX_FILTERS);
    size_t i = t->n_filters++;
    t->filters[i] = (struct table_filter){ NULL, NULL, true };
    t->compiled[i] = NULL;
    if (table_filter_set(t, i, line, e)) {
        if (!t->filters[i].text)
            t->n_filters--;
        return e->code;
    }
    return OK;
}

/* When filters cannot be applied the rows stay as they were. */
static void apply_again(struct table *t)
{
    struct err ignored = ERR_INIT;
    if (table_apply_filters(t, &ignored))
        table_changed(t);
}

static void refilter(struct table *t)
{
    if (!t->v)
        return;
    table_keep_key(t);
    apply_again(t);
}

void table_filter_delete(struct table *t, size_t i)
{
    struct filter *old = t->compiled[i];
    free(t->filters[i].text);
    free(t->filters[i].name);
    for (; i + 1 < t->n_filters; i++) {
        t->filters[i] = t->filters[i + 1];
        t->compiled[i] = t->compiled[i + 1];
    }
    t->n_filters--;
    refilter(t);
    filter_free(old);
}

void table_filter_switch(struct table *t, size_t i, bool on)
{
    t->filters[i].on = on && (t->compiled[i] || !t->v);
    refilter(t);
}

void table_filter_name(struct table *t, size_t i, struct str name)
{
    char *copy = name.n ? table_copy_text(name) : NULL;
    free(t->filters[i].name);
    t->filters[i].name = copy;
}

size_t table_filter_culprit(struct table *t)
{
    struct filter *list[MAX_FILTERS];
    size_t n = 0, found = SIZE_MAX;
    struct err ignored = ERR_INIT;
    if (!t->v)
        return SIZE_MAX;
    table_keep_key(t);
    for (size_t i = 0; i < t->n_filters && found == SIZE_MAX; i++) {
        if (!t->filters[i].on || !t->compiled[i])
            continue;
        list[n++] = t->compiled[i];
        if (view_set_filters(t->v, list, n, NULL, &ignored))
            break;
        if (!view_rows(t->v))
            found = i;
    }
    apply_again(t);
    return found;
}

size_t table_undecided(const struct table *t)
{
    return t->v ? view_undecided(t->v) : 0;
}

int table_work(struct table *t, int64_t budget_ns, bool *more, bool *changed, struct err *e)
{
    *more = *changed = false;
    if (!t->v || t->gave_up)
        return OK;
    bool counting = view_is_counting(t->v);
    size_t rows = table_rows(t);
    int rc = view_work(t->v, budget_ns, more, e);
    if (rc) {
        t->gave_up = true;
        *more = false;
    }
    *changed = counting && (!view_is_counting(t->v) || table_rows(t) != rows);
    if (*changed)
        table_find_key(t);
    return rc;
}
