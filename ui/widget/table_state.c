/* SPDX-License-Identifier: Apache-2.0 */
/* What a reader chose in a table as lines, and back: sort, columns, filters, marks. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/widget/table_int.h"

/* ---- to lines ---- */

static void save_columns(const struct table *t, table_line_fn *fn, void *arg)
{
    struct buf b;
    bool changed = false;
    if (t->columns) { /* not applied yet */
        buf_init(&b, 65536);
        buf_printf(&b, "columns %s", t->columns);
        fn(arg, buf_str(&b));
        buf_done(&b);
        return;
    }
    if (!t->v)
        return;
    buf_init(&b, 65536);
    buf_puts(&b, "columns ");
    for (size_t i = 0; i < t->n_cols; i++) {
        const struct view_col *c = view_col(t->v, t->order[i].col);
        changed |= t->order[i].col != i || t->order[i].shown == ((c->flags & VC_HIDDEN) != 0);
        buf_printf(&b, "%s%s%s", i ? "," : "", t->order[i].shown ? "" : "-", c->id);
    }
    if (changed && !buf_failed(&b))
        fn(arg, buf_str(&b));
    buf_done(&b);
}

static void save_mark(const struct mark *m, table_line_fn *fn, void *arg)
{
    struct buf b;
    if (!m->text)
        return;
    buf_init(&b, 65536);
    buf_printf(&b, "mark %c %" PRId64 " %zu %s", m->letter, m->key, m->part, m->text);
    if (!buf_failed(&b))
        fn(arg, buf_str(&b));
    buf_done(&b);
}

void table_save(const struct table *t, table_line_fn *fn, void *arg)
{
    struct buf b;
    buf_init(&b, 65536);
    if (t->sort_known && t->sort_id[0]) {
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
    struct str letter, key, part;
    uint64_t n;
    struct mark m = { 0 };
    if (!str_next(&rest, ' ', &letter) || !str_next(&rest, ' ', &key) || !str_next(&rest, ' ', &part) ||
        !rest.p || letter.n != 1 || letter.p[0] < 'a' || letter.p[0] > 'z' || !str_i64(key, &m.key) ||
        !str_u64(part, &n) || n > UINT32_MAX || t->n_kept == MAX_MARKS)
        return false;
    m.letter = letter.p[0];
    m.part = (size_t)n;
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

/* ---- applying it ---- */

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
}
