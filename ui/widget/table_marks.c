/* SPDX-License-Identifier: Apache-2.0 */
/* Marks of a table: rows with a letter, found again by their keys. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ui/widget/table_int.h"

#define TEXT_MAX 1024 /* bytes of a mark's text */

/* Text of the main column of a row for its mark; NULL: it has none. The caller frees it. */
static char *mark_text(struct table *t, size_t row)
{
    char number[64];
    for (size_t i = 0; i < view_n_cols(t->v); i++) {
        if (!(view_col(t->v, i)->flags & VC_MAIN))
            continue;
        struct val v = table_value_at(t, row, i);
        if (v.t == VAL_TEXT)
            return v.s.n < TEXT_MAX && text_valid_utf8(v.s) ? table_copy_text(v.s) : NULL;
        return table_copy_text(str_of(cell_exact(number, sizeof number, view_col(t->v, i), &v)));
    }
    return NULL;
}

size_t table_n_marks(const struct table *t)
{
    return t->n_marks;
}

void table_toggle_mark(struct table *t)
{
    if (!table_rows(t))
        return;
    struct mark m = { .letter = 'a' };
    m.key = view_row_key(t->v, t->cursor, &m.rank);
    for (size_t i = 0; i < t->n_marks; i++)
        if (t->marks[i].key == m.key && t->marks[i].rank == m.rank) {
            free(t->marks[i].text);
            memmove(&t->marks[i], &t->marks[i + 1], (t->n_marks - i - 1) * sizeof m);
            t->n_marks--;
            return;
        }
    if (t->n_marks == MAX_MARKS)
        return;
    for (size_t i = 0; i < t->n_marks; i++) /* the first free letter; marks are in order of setting */
        if (t->marks[i].letter == m.letter) {
            m.letter++;
            i = SIZE_MAX;
        }
    m.text = mark_text(t, t->cursor);
    t->marks[t->n_marks++] = m;
}

static size_t row_of_mark(struct table *t, size_t i)
{
    return t->v ? view_row_of_key(t->v, t->marks[i].key, t->marks[i].rank) : SIZE_MAX;
}

size_t table_mark_row(struct table *t, uint32_t letter)
{
    size_t next = SIZE_MAX, first = SIZE_MAX;
    for (size_t i = 0; i < t->n_marks; i++) {
        size_t row = row_of_mark(t, i);
        if (row == SIZE_MAX)
            continue;
        if (letter == (uint32_t)t->marks[i].letter)
            return row;
        if (row > t->cursor && row < next)
            next = row;
        if (row < first)
            first = row;
    }
    return letter != '\'' ? SIZE_MAX : next != SIZE_MAX ? next : first;
}

bool table_mark_range(struct table *t, const char *id, double *min, double *max)
{
    bool any = false;
    int col = t->v ? view_find_col(t->v, id) : -1;
    for (size_t i = 0; col >= 0 && i < t->n_marks; i++) {
        size_t row = row_of_mark(t, i);
        struct val v = row == SIZE_MAX ? val_null() : table_value_at(t, row, (size_t)col);
        if (v.t == VAL_NULL || v.t == VAL_TEXT)
            continue;
        double x = val_num(&v);
        *min = any && *min < x ? *min : x;
        *max = any && *max > x ? *max : x;
        any = true;
    }
    return any;
}

/* Called before filters and sort are applied, so that keys are found among all rows. */
void table_take_marks(struct table *t)
{
    for (size_t i = 0; i < t->n_kept; i++) {
        struct mark m = t->kept[i];
        size_t row = view_row_of_key(t->v, m.key, m.rank);
        char *now = row == SIZE_MAX ? NULL : mark_text(t, row);
        if (now && !strcmp(now, m.text) && t->n_marks < MAX_MARKS)
            t->marks[t->n_marks++] = m;
        else
            free(m.text); /* the key means another row now */
        free(now);
    }
    t->n_kept = 0;
}
