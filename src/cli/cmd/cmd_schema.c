/* SPDX-License-Identifier: Apache-2.0 */
/* schema: the store's tables and columns; cache: the stores that are kept. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "archive/copy.h"
#include "base/lang/tr.h"
#include "base/log.h"
#include "base/path.h"
#include "base/words.h"
#include "cli/cmd/cmd.h"
#include "cli/generate.h"
#include "run/find/search_kept.h"
#include "store/schema.h"
#include "store/store.h"

/* ---- schema ---- */

#define EXAMPLES "examples" /* no table is called so */

/* clang-format off */
static const struct view_col schema_cols[] = {
    CMD_TEXT("table", "Table", "table or view"),
    CMD_TEXT("column", "Column", "column"),
    CMD_TEXT("type", "Type", "SQL type, empty: any"),
    CMD_TEXT("unit", "Unit", "unit"),
    CMD_TEXT("meaning", "Meaning", "what it holds"),
};
/* clang-format on */

static const struct view_col example_cols[] = {
    CMD_TEXT("question", "Question", "what it answers"),
    CMD_TEXT("sql", "Statement", "the statement, for query"),
};

static int schema_row(struct writer *w, const char *table, const char *column, const char *type,
                      const char *unit, const char *meaning, struct err *e)
{
    const struct val v[] = { val_cstr(table), val_cstr(column), val_cstr(type), val_cstr(unit),
                             val_cstr(tr(meaning)) };
    return writer_row(w, v, e);
}

static bool wanted(const char *only, const char *table)
{
    return !only || strcmp(only, table) == 0;
}

static int schema_tables_rows(struct writer *w, const char *only, unsigned *found, struct err *e)
{
    for (size_t t = 0; t < N_TABLES; t++) {
        const struct schema_table *s = &schema_tables[t];
        if (!wanted(only, s->name))
            continue;
        ++*found;
        if (schema_row(w, s->name, "", "", "", s->help, e))
            return e->code;
        for (size_t i = 0; i < s->n_cols; i++)
            if (schema_row(w, s->name, s->cols[i].name, schema_sql_type(s->cols[i].type), s->cols[i].unit,
                           s->cols[i].help, e))
                return e->code;
    }
    for (size_t i = 0; i < n_schema_extras; i++) {
        const struct schema_extra *v = &schema_extras[i];
        if (!wanted(only, v->table))
            continue;
        ++*found;
        if (schema_row(w, v->table, v->column, v->type, v->unit, v->meaning, e))
            return e->code;
    }
    return OK;
}

static int schema_views_rows(struct writer *w, const char *only, unsigned *found, struct err *e)
{
    for (size_t i = 0; i < schema_n_views; i++) {
        const struct schema_view *v = &schema_views[i];
        if (!wanted(only, v->name))
            continue;
        ++*found;
        if (schema_row(w, v->name, "", "view", "", v->help, e))
            return e->code;
        for (size_t k = 0; k < v->n_cols; k++)
            if (schema_row(w, v->name, v->cols[k].name, schema_sql_type(v->cols[k].type), v->cols[k].unit,
                           v->cols[k].help, e))
                return e->code;
    }
    return OK;
}

/* `schema examples`. */
static int print_examples(struct cli *c, struct err *e)
{
    const struct view_col *cols[ARRAY_LEN(example_cols)];
    struct writer *w = NULL;

    if (cmd_table_begin(c, &w, "examples", example_cols, cols, ARRAY_LEN(cols), e) == OK)
        for (size_t i = 0; i < schema_n_examples && !e->code; i++) {
            const struct val v[] = { val_cstr(tr(schema_examples[i].question)),
                                     val_cstr(schema_examples[i].sql) };
            (void)!writer_row(w, v, e);
        }
    return cmd_table_end(w, e);
}

static int no_table(const char *name, struct err *e)
{
    struct nearest near;

    nearest_begin(&near, str_of(name));
    for (size_t t = 0; t < N_TABLES; t++)
        nearest_offer(&near, schema_tables[t].name);
    for (size_t i = 0; i < schema_n_views; i++)
        nearest_offer(&near, schema_views[i].name);
    nearest_offer(&near, EXAMPLES);
    if (near.best)
        return err_set(e, ERR_USAGE, "there is no table '%s'; did you mean '%s'?", name, near.best);
    return err_set(e, ERR_USAGE, "there is no table '%s': 'npuscope schema' lists them", name);
}

int cmd_schema(struct cli *c, struct err *e)
{
    const struct view_col *cols[ARRAY_LEN(schema_cols)];
    const char *only = cmd_arg(c, 0);
    struct writer *w = NULL;
    unsigned found = 0;

    if (only && strcmp(only, EXAMPLES) == 0)
        return print_examples(c, e);
    if (cmd_table_begin(c, &w, "schema", schema_cols, cols, ARRAY_LEN(cols), e) == OK &&
        schema_tables_rows(w, only, &found, e) == OK && schema_views_rows(w, only, &found, e) == OK && !found)
        no_table(only, e);
    return cmd_table_end(w, e);
}

/* ---- cache ---- */

/* clang-format off */
static const struct view_col cache_cols[] = {
    CMD_TEXT("unit", "Unit", "folder the store was made from, or archive"),
    CMD_NUMBER("size_b", "Size", VU_BYTES, "size of the store"),
    CMD_TEXT("made_utc", "Made (UTC)", "when it was made, UTC"),
    CMD_TEXT("state", "State", "ok, OLD: another build made it, BAD: damaged; both are made anew when "
    "needed; unpacked: members of an archive"),
    CMD_TEXT("store", "Store", "where it lies"),
};
/* clang-format on */

struct listing {
    struct writer *w;
    struct err *e;
};

static void list_entry(void *arg, const struct store_entry *x)
{
    struct listing *l = arg;
    char utc[40];
    const struct val v[] = { val_cstr(x->root), val_int((int64_t)x->size_b),
                             val_cstr(unit_utc(utc, sizeof utc, x->made_ns, 0)),
                             val_cstr(x->code == OK            ? "ok"
                                      : x->code == ERR_VERSION ? "OLD"
                                                               : "BAD"),
                             val_cstr(x->path) };

    if (!l->e->code)
        (void)!writer_row(l->w, v, l->e);
}

/* Size and time are those of what was unpacked. */
static void list_copy(void *arg, const struct copy_entry *x)
{
    struct listing *l = arg;
    char utc[40];
    const struct val v[] = { val_cstr(x->record->path), val_int((int64_t)x->record->bytes),
                             val_cstr(unit_utc(utc, sizeof utc, x->used_ns, 0)), val_cstr("unpacked"),
                             val_cstr(x->folder) };

    if (!l->e->code)
        (void)!writer_row(l->w, v, l->e);
}

static int cache_list(struct cli *c, struct err *e)
{
    const struct view_col *cols[ARRAY_LEN(cache_cols)];
    struct listing l = { .e = e };
    struct err why = ERR_INIT;

    if (cmd_table_begin(c, &l.w, "cache", cache_cols, cols, ARRAY_LEN(cols), e) == OK &&
        (store_cache_list(list_entry, &l, &why) || copies_list(list_copy, &l, &why)) && !e->code)
        *e = why;
    return cmd_table_end(l.w, e);
}

static void report_removed(unsigned n, unsigned copies)
{
    if (copies)
        log_message("removed %u store%s and %u unpacked archive%s", n, n == 1 ? "" : "s", copies,
                    copies == 1 ? "" : "s");
    else
        log_message("removed %u store%s", n, n == 1 ? "" : "s");
}

static int cache_remove(struct cli *c, const char *path, struct err *e)
{
    unsigned n = 0, copies = 0;
    struct err why = ERR_INIT;

    if (!path == !opt_is(&c->opts, OPT_REMOVE_ALL))
        return err_set(e, ERR_USAGE, "'cache remove' needs the path of a run, or --all");
    char *real = path ? realpath(path, NULL) : NULL; /* a run that is gone is named as it was */
    (void)!store_cache_remove(real ? real : path, &n, e);
    if (copies_remove(real ? real : path, &copies, &why) && !e->code)
        *e = why;
    search_kept_remove();
    free(real);
    if (e->code && (!(n + copies) || opt_is(&c->opts, OPT_QUIET)))
        return e->code;
    if (!n && !copies && path) {
        err_set(e, ERR_IO, "no store of this run is kept: 'npuscope cache list' shows what is");
        err_where(e, path, ERR_NO_OFFSET, 0);
        return e->code;
    }
    if (!opt_is(&c->opts, OPT_QUIET))
        report_removed(n, copies);
    return e->code;
}

int cmd_cache(struct cli *c, struct err *e)
{
    const char *what = cmd_arg(c, 0), *path = cmd_arg(c, 1);

    if (what && !strcmp(what, "remove"))
        return cache_remove(c, path, e);
    if ((what && strcmp(what, "list") != 0) || path)
        return err_set(e, ERR_USAGE, "'cache' knows list and remove PATH, not '%s'", path ? path : what);
    return cache_list(c, e);
}
