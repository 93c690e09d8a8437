/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A database of another program as tables of its own (doc/formats/analysed.md#databases): first the list of
 * its tables, then each one that is asked for (parse_ctx.part), under the names that the list gives them.
 */
#include "config.h"

#include <stdio.h>

#include "base/limits.h"
#include "parsers/parsers.h"
#include "parsers/read/lines.h"
#include "store/foreign.h"

#define LABEL_B  48
#define ASK_ROWS 4096

struct database {
    struct parse_ctx *c;
    struct foreign *f;
    const struct str *names; /* of the columns of the table being read */
    size_t n;
};

static bool on_cancelled(void *arg)
{
    const struct database *d = arg;

    return sink_cancelled(d->c->out);
}

static void note(const struct database *d, enum note_code code, struct str table, const char *text)
{
    parse_note(d->c, code, 1, "%s%.*s%s%s", table.p ? "table " : "", (int)(table.n < 80 ? table.n : 80),
               table.p ? table.p : "", table.p ? ": " : "", text);
}

/* Damage of the database is a note, other errors are the caller's. */
static bool is_damage(struct database *d, struct str table, struct err *e)
{
    if (e->code != ERR_FORMAT && e->code != ERR_USAGE && e->code != ERR_LIMIT)
        return false;
    note(d, NOTE_TORN_FILE, table, e->text);
    err_clear(e);
    return true;
}

/* The name of a table among ours: its own where that is a word, else one with its number. */
static const char *label(const struct database *d, size_t i, char *out)
{
    struct str name = foreign_table(d->f, i);
    size_t n = 0;
    bool same = name.n < LABEL_B - 8 && name.n > 0;

    for (size_t k = 0; k < name.n && n < LABEL_B - 8; k++) {
        char ch = name.p[k];
        bool word =
            (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_';
        out[n++] = word ? ch : '_';
        same &= word;
    }
    out[n] = '\0';
    if (!same)
        snprintf(out + n, LABEL_B - n, "_%zu", i + 1);
    return out;
}

/* ---- the list ---- */

static int put_table(struct database *d, size_t i, struct err *e)
{
    struct str name = foreign_table(d->f, i);
    const struct str *columns;
    size_t n_columns = 0;
    int64_t rows = 0;
    char mine[LABEL_B], table[LABEL_B + 16];
    bool read =
        foreign_columns(d->f, i, &columns, &n_columns, e) == OK && foreign_count(d->f, i, &rows, e) == OK;

    if (!read && !is_damage(d, name, e))
        return e->code;
    sink_generic_name(d->c->f->id, str_of(label(d, i, mine)), table, sizeof table);
    const struct val v[] = { val_text(name), read ? val_int(rows) : val_null(),
                             read ? val_int((int64_t)n_columns) : val_null(), val_cstr(table) };
    d->c->rows++;
    return sink_generic_row(d->c->out, v, ARRAY_LEN(v), e);
}

static int put_list(struct database *d, struct err *e)
{
    static const struct str names[] = { STR("table"), STR("rows"), STR("columns"), STR("opened_as") };

    if (sink_generic_open(d->c->out, d->c->f->id, STR_NULL, names, ARRAY_LEN(names), e))
        return e->code;
    for (size_t i = 0; i < foreign_n(d->f) && !e->code; i++)
        (void)put_table(d, i, e);
    return e->code;
}

/* ---- one table ---- */

static int on_row(void *arg, const struct val *v, size_t n, struct err *e)
{
    struct database *d = arg;

    if (d->c->rows++ % ASK_ROWS == 0 && sink_cancelled(d->c->out))
        return err_set(e, ERR_CANCELLED, "stopped");
    return sink_generic_row(d->c->out, v, n, e);
}

static int put_part(struct database *d, size_t i, struct err *e)
{
    char mine[LABEL_B];

    if (foreign_columns(d->f, i, &d->names, &d->n, e) ||
        sink_generic_open(d->c->out, d->c->f->id, str_of(label(d, i, mine)), d->names, d->n, e))
        return e->code;
    if (foreign_read(d->f, i, on_row, d, e) && is_damage(d, foreign_table(d->f, i), e))
        d->c->lost++;
    return e->code;
}

static int find_part(struct database *d, struct str part, struct err *e)
{
    for (size_t i = 0; i < foreign_n(d->f); i++)
        if (str_eq(foreign_table(d->f, i), part))
            return put_part(d, i, e);
    return err_set(e, ERR_USAGE, "the database has no such table");
}

int parse_database(struct parse_ctx *c, struct err *e)
{
    struct database d = { .c = c };

    if (foreign_open(&d.f, c->f->path, on_cancelled, &d, e))
        return e->code;
    if (foreign_warning(d.f))
        note(&d, foreign_warning_code(d.f), STR_NULL, foreign_warning(d.f));
    if (c->part)
        (void)find_part(&d, str_of(c->part), e);
    else
        (void)put_list(&d, e);
    foreign_close(d.f);
    return e->code;
}
