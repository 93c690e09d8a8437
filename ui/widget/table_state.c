/* SPDX-License-Identifier: Apache-2.0 */
/* What a reader chose in a table as lines, and back: sort, columns, filters, marks. */
#include "config.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/widget/table_int.h"

/* ---- to lines ---- */

/* All columns in their order; *changed: not as the view has them. */
static void columns_text(const struct table *t, struct buf *out, bool *changed)
{
    *changed = false;
    buf_puts(out, "columns ");
    for (size_t i = 0; i < t->n_cols; i++) {
        const struct view_col *c = view_col(t->v, t->order[i].col);
        *changed |= t->order[i].col != i || t->order[i].shown == ((c->flags & VC_HIDDEN) != 0);
        buf_printf(out, "%s%s%s", i ? "," : "", t->order[i].shown ? "" : "-", c->id);
    }
}

static void save_columns(const struct table *t, table_line_fn *fn, void *arg)
{
    struct buf b;
    bool changed = t->columns != NULL; /* not applied yet */
    if ((!t->v && !t->columns) || (t->columns && t->preset.columns_wait))
        return;
    buf_init(&b, 65536);
    if (t->columns)
        buf_printf(&b, "columns %s", t->columns);
    else
        columns_text(t, &b, &changed);
    if (t->preset.columns)
        changed = !str_eq(buf_str(&b), str_of(t->preset.columns));
    if (changed && !buf_failed(&b))
        fn(arg, buf_str(&b));
    buf_done(&b);
}

static bool is_preset_sort(const struct table *t)
{
    return !strcmp(t->sort_id, t->preset.sort_id) && t->sort_desc == t->preset.sort_desc;
}

static void save_mark(const struct mark *m, table_line_fn *fn, void *arg)
{
    struct buf b;
    if (!m->text)
        return;
    buf_init(&b, 65536);
    buf_printf(&b, "mark %c %" PRId64 " %d %s", m->letter, m->key, m->rank, m->text);
    if (!buf_failed(&b))
        fn(arg, buf_str(&b));
    buf_done(&b);
}

void table_save(const struct table *t, table_line_fn *fn, void *arg)
{
    struct buf b;
    buf_init(&b, 65536);
    if (t->sort_known && t->sort_id[0] && !is_preset_sort(t)) {
        buf_printf(&b, "sort %s %s", t->sort_id, t->sort_desc ? "desc" : "asc");
        fn(arg, buf_str(&b));
    }
    save_columns(t, fn, arg);
    for (size_t i = 0; i < t->n_filters; i++) {
        buf_clear(&b);
        buf_printf(&b, "filter %s %s", t->filters[i].on ? "+" : "-", t->filters[i].text);
        if (!buf_failed(&b))
            fn(arg, buf_str(&b));
    }
    for (size_t i = 0; i < t->n_marks; i++)
        save_mark(&t->marks[i], fn, arg);
    for (size_t i = 0; i < t->n_kept; i++)
        save_mark(&t->kept[i], fn, arg);
    buf_done(&b);
}

/* ---- from lines ---- */

static bool restore_sort(struct table *t, struct str rest)
{
    struct str id;
    if (!str_next(&rest, ' ', &id) || !id.n || id.n >= sizeof t->sort_id || !rest.p)
        return false;
    str_copy(id, t->sort_id, sizeof t->sort_id);
    t->sort_desc = str_eq(rest, STR("desc"));
    t->sort_known = true;
    return t->sort_desc || str_eq(rest, STR("asc"));
}

static bool restore_columns(struct table *t, struct str rest)
{
    free(t->columns);
    t->columns = rest.n ? table_copy_text(rest) : NULL;
    t->preset.columns_wait = false;
    return t->columns != NULL;
}

static bool restore_filter(struct table *t, struct str rest)
{
    struct str on;
    struct err ignored = ERR_INIT;
    if (!str_next(&rest, ' ', &on) || !rest.p || !rest.n || table_filter_add(t, rest, &ignored))
        return false;
    table_filter_switch(t, t->n_filters - 1, str_eq(on, STR("+")));
    return true;
}

static bool restore_mark(struct table *t, struct str rest)
{
    struct str letter, key, rank;
    int64_t n;
    struct mark m = { 0 };
    if (!str_next(&rest, ' ', &letter) || !str_next(&rest, ' ', &key) || !str_next(&rest, ' ', &rank) ||
        !rest.p || letter.n != 1 || letter.p[0] < 'a' || letter.p[0] > 'z' || !str_i64(key, &m.key) ||
        !str_i64(rank, &n) || n < INT_MIN || n > INT_MAX || t->n_kept == MAX_MARKS)
        return false;
    m.letter = letter.p[0];
    m.rank = (int)n;
    m.text = table_copy_text(rest);
    if (m.text)
        t->kept[t->n_kept++] = m;
    return m.text != NULL;
}

bool table_restore(struct table *t, struct str line)
{
    static const struct {
        const char *word;
        bool (*take)(struct table *t, struct str rest);
    } words[] = { { "sort", restore_sort },
                  { "columns", restore_columns },
                  { "filter", restore_filter },
                  { "mark", restore_mark } };
    struct str word;
    if (!str_next(&line, ' ', &word) || !line.p)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_eq(word, str_of(words[i].word)))
            return words[i].take(t, line);
    return false;
}

bool table_preset(struct table *t, struct str line)
{
    if (!table_restore(t, line))
        return false;
    if (str_starts(line, STR("sort "))) {
        memcpy(t->preset.sort_id, t->sort_id, sizeof t->preset.sort_id);
        t->preset.sort_desc = t->sort_desc;
    } else {
        t->preset.columns_wait = t->columns != NULL;
    }
    return true;
}

/* ---- applying it ---- */

/* The columns as the settings have them are no choice of the reader. */
static void keep_preset(struct table *t)
{
    struct buf b;
    bool changed;
    buf_init(&b, 65536);
    columns_text(t, &b, &changed);
    free(t->preset.columns);
    t->preset.columns = buf_failed(&b) ? NULL : table_copy_text(buf_str(&b));
    buf_done(&b);
}

static size_t place_of(const struct table *t, struct str id)
{
    for (size_t i = 0; i < t->n_cols; i++)
        if (str_eq(id, str_of(view_col(t->v, t->order[i].col)->id)))
            return i;
    return SIZE_MAX;
}

/* The columns of the list in its order, then those that are not in the list. */
void table_take_columns(struct table *t)
{
    struct str rest = str_of(t->columns ? t->columns : ""), id;
    size_t to = 0, shown = 0;
    while (t->columns && str_next(&rest, ',', &id)) {
        bool hidden = id.n && id.p[0] == '-';
        size_t at = place_of(t, str_sub(id, hidden, id.n));
        if (at == SIZE_MAX || at < to)
            continue;
        struct column c = t->order[at];
        memmove(&t->order[to + 1], &t->order[to], (at - to) * sizeof c);
        c.chosen = !hidden && !c.shown;
        c.shown = !hidden;
        t->order[to++] = c;
    }
    for (size_t i = 0; i < t->n_cols; i++)
        shown += t->order[i].shown;
    if (!shown && t->n_cols)
        t->order[0].shown = true;
    if (t->columns && t->preset.columns_wait)
        keep_preset(t);
    t->preset.columns_wait = false;
    free(t->columns);
    t->columns = NULL;
}

void table_free_state(struct table *t)
{
    for (size_t i = 0; i < t->n_marks; i++)
        free(t->marks[i].text);
    for (size_t i = 0; i < t->n_kept; i++)
        free(t->kept[i].text);
    free(t->columns);
    free(t->preset.columns);
}
