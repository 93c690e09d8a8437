/* SPDX-License-Identifier: Apache-2.0 */
/* What a table shows: its view, row, column and values. */
#include "config.h"

#include "ui/widget/table.h"
#include "ui/widget/table_int.h"
#include <stdlib.h>
#include <string.h>

char *table_copy_text(struct str s)
{
    char *p = malloc(s.n + 1);
    if (p) {
        memcpy(p, s.n ? s.p : "", s.n);
        p[s.n] = '\0';
    }
    return p;
}

struct view *table_view(const struct table *t)
{
    return t->v;
}

const struct view_def *table_def(const struct table *t)
{
    return t->v ? view_definition(t->v) : t->def;
}

size_t table_rows(const struct table *t)
{
    return t->v ? view_rows(t->v) : 0;
}

size_t table_cursor(const struct table *t)
{
    return t->cursor;
}

size_t table_column(const struct table *t)
{
    return t->column;
}

struct val table_value_at(struct table *t, size_t row, size_t col)
{
    struct page p;
    struct err ignored = ERR_INIT;
    if (!t->v || row >= table_rows(t) || col >= view_n_cols(t->v) ||
        view_page(t->v, row, 1, VIEW_RELATIVE, &p, &ignored) || !p.n)
        return val_null();
    return *page_val(&p, 0, col);
}

struct val table_value(struct table *t, const char *id)
{
    if (!t->v)
        return val_null();
    for (size_t i = 0; i < view_n_cols(t->v); i++)
        if (!strcmp(view_col(t->v, i)->id, id))
            return table_value_at(t, t->cursor, i);
    return val_null();
}

const char *table_title(const struct table *t, size_t col)
{
    return cell_title(view_col(t->v, col), &t->m.u[col]);
}

void table_changed(struct table *t)
{
    t->range_known = t->amount_known = false;
    t->version++;
    memset(&t->m, 0, sizeof t->m);
    size_t n = table_rows(t);
    if (t->cursor >= n)
        t->cursor = n ? n - 1 : 0;
}

/* After rows moved: go to the same row when it is shown, else to the same row number. */
void table_find_key(struct table *t)
{
    if (!t->moved) {
        size_t row = t->has_key ? view_row_of_key(t->v, t->cursor_key, t->cursor_rank) : SIZE_MAX;
        if (row < table_rows(t))
            t->cursor = row;
        else if (!table_is_counting(t))
            t->cursor = t->cursor_was;
    }
    table_changed(t);
}

bool table_is_counting(const struct table *t)
{
    return t->v && view_is_counting(t->v);
}

/*
 * Before rows move: remember the row of the cursor. While a line is being typed or filters are at work, the
 * cursor is on a row of an unfinished result; then, and when no row is left, the row from before is kept
 * until the reader goes to another one.
 */
void table_keep_key(struct table *t)
{
    bool passing = t->live || table_is_counting(t);
    if (!table_rows(t) || (passing && !t->moved))
        return;
    t->moved = false;
    t->has_key = true;
    t->cursor_was = t->cursor;
    t->cursor_key = view_row_key(t->v, t->cursor, &t->cursor_rank);
}

bool table_writes(const struct table *t, size_t pos, bool people)
{
    const struct column *k = &t->order[pos];
    const unsigned flags = view_col(t->v, k->col)->flags;
    if (k->chosen)
        return k->shown;
    /* As in files that commands write (model/writer/export.c). */
    return k->shown && (!(flags & VC_BASE) || (people && !k->blank)) &&
           (!(flags & VC_IF_ANY) || !people || !k->blank);
}
