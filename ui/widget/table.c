/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State of a table: cursor, sort, columns, search. Filters are in ui/widget/table_filter.c, marks in
 * table_marks.c, drawing in table_draw.c.
 */
#include "config.h"

#include "ui/widget/table.h"

#include <stdlib.h>
#include <string.h>

#include "ui/widget/table_int.h"

/* ---- making, opening, closing ---- */

static void init_columns(struct table *t)
{
    size_t n = view_n_cols(t->v);
    if (n > MAX_COLS)
        n = MAX_COLS;
    if (t->n_cols == n)
        return;
    t->n_cols = n;
    for (size_t i = 0; i < n; i++) {
        t->order[i].col = i;
        t->order[i].shown = !(view_col(t->v, i)->flags & VC_HIDDEN);
    }
    t->column = 0;
    for (size_t i = 0; i < n; i++)
        if (view_col(t->v, i)->flags & VC_MAIN) {
            t->column = i;
            break;
        }
}

int table_new(struct table **out, const struct view_def *def, const struct table_opts *o, struct err *e)
{
    *out = NULL;
    struct table *t = calloc(1, sizeof *t);
    if (!t)
        return err_nomem(e);
    t->def = def;
    if (o)
        t->o = *o;
    t->detail = -1;
    t->bar_col = SIZE_MAX;
    *out = t;
    return OK;
}

int table_new_sql(struct table **out, struct str sql, const struct table_opts *o, struct err *e)
{
    static const struct view_def no_result = {
        .id = "sql", .title = "result", .pane = PANE_SQL, .unit_of = "rows"
    };
    if (table_new(out, &no_result, o, e))
        return e->code;
    (*out)->sql = table_copy_text(sql);
    if (!(*out)->sql) {
        table_free(*out);
        *out = NULL;
        return err_nomem(e);
    }
    return OK;
}

void table_free(struct table *t)
{
    if (!t)
        return;
    view_close(t->v);
    for (size_t i = 0; i < t->n_filters; i++) {
        free(t->filters[i].text);
        free(t->filters[i].name);
        filter_free(t->compiled[i]);
    }
    filter_free(t->live);
    re_free(t->search);
    free(t->search_text);
    free(t->sql);
    table_free_state(t);
    free(t);
}

/* The reader goes to a row. */
static void go_to(struct table *t, size_t row)
{
    t->cursor = row;
    t->moved = t->placed = true;
}

int table_attach(struct table *t, const struct view_part *parts, size_t n, const struct view_scope *scope,
                 struct err *e)
{
    table_detach(t);
    int rc = t->sql ? view_open_sql(&t->v, parts[0].store, str_of(t->sql), e)
                    : view_open(&t->v, t->def, parts, n, scope, e);
    if (rc) {
        t->v = NULL;
        return e->code;
    }
    t->gave_up = false;
    init_columns(t);
    table_take_columns(t);
    table_take_marks(t);
    table_compile_filters(t);
    if (t->sort_known) {
        int col = t->sort_id[0] ? view_find_col(t->v, t->sort_id) : -1;
        if (view_sort(t->v, col, t->sort_desc, e)) {
            table_detach(t);
            return e->code;
        }
    }
    if (t->n_filters && table_apply_filters(t, e)) {
        table_detach(t);
        return e->code;
    }
    if (!t->placed) {
        /* Rows of further ranks may come before those that were first. */
        t->has_key = false;
        t->cursor = t->cursor_was = 0;
    }
    table_find_key(t);
    table_find_blank(t);
    table_find_zero(t);
    return OK;
}

void table_detach(struct table *t)
{
    if (!t->v)
        return;
    table_keep_key(t);
    filter_free(t->live);
    t->live = NULL;
    view_close(t->v);
    t->v = NULL;
    t->n_slots = 0;
}

/* ---- cursor ---- */

void table_show_cursor(struct table *t, bool on)
{
    t->no_cursor = !on;
}

void table_goto(struct table *t, size_t row)
{
    size_t n = table_rows(t);
    if (n)
        go_to(t, row < n ? row : n - 1);
}

bool table_set_column(struct table *t, size_t col)
{
    if (col >= t->n_cols)
        return false;
    t->column = col;
    t->column_used = true;
    return true;
}

bool table_on_screen(const struct table *t, size_t pos)
{
    return t->order[pos].shown && (!t->order[pos].blank || t->order[pos].chosen);
}

/* ---- movement ---- */

static void move(struct table *t, int64_t by)
{
    int64_t to = (int64_t)t->cursor + by;
    table_goto(t, to < 0 ? 0 : (size_t)to);
}

/* Next shown column in direction dir; the current one at the end. */
static size_t column_neighbour(const struct table *t, size_t col, int dir)
{
    size_t at = 0;
    while (at < t->n_cols && t->order[at].col != col)
        at++;
    for (size_t i = at + (size_t)dir; i < t->n_cols; i += (size_t)dir)
        if (table_on_screen(t, i))
            return t->order[i].col;
    return col;
}

static bool move_key(struct table *t, enum action a)
{
    int64_t page = t->page_rows > 1 ? (int64_t)t->page_rows - 1 : 1, half = page / 2 ? page / 2 : 1;
    switch (a) {
    case ACT_DOWN:
        move(t, 1);
        return true;
    case ACT_UP:
        move(t, -1);
        return true;
    case ACT_PAGE_DOWN:
        move(t, page);
        return true;
    case ACT_PAGE_UP:
        move(t, -page);
        return true;
    case ACT_HALF_DOWN:
        move(t, half);
        return true;
    case ACT_HALF_UP:
        move(t, -half);
        return true;
    case ACT_FIRST:
        table_goto(t, 0);
        return true;
    case ACT_LAST:
        table_goto(t, SIZE_MAX);
        return true;
    case ACT_LEFT:
    case ACT_RIGHT:
        /* The first use only shows which column is the current one. */
        if (t->column_used)
            t->column = column_neighbour(t, t->column, a == ACT_LEFT ? -1 : 1);
        t->column_used = true;
        return true;
    default:
        return false;
    }
}

/* ---- sort ---- */

int table_sort(struct table *t, int col, bool desc, struct err *e)
{
    if (!t->v)
        return OK;
    if (view_sort(t->v, col, desc, e))
        return e->code;
    str_copy(str_of(col >= 0 ? view_col(t->v, (size_t)col)->id : ""), t->sort_id, sizeof t->sort_id);
    t->sort_desc = desc;
    t->sort_known = true;
    t->gave_up = false;
    /* The cursor goes to the top of the new order, not to where its row went. */
    go_to(t, 0);
    t->placed = false;
    table_changed(t);
    return OK;
}

static void sort_neighbour(struct table *t, int dir)
{
    struct err ignored = ERR_INIT;
    bool desc;
    int now = view_sorted_by(t->v, &desc);
    size_t to = now < 0 ? t->column : column_neighbour(t, (size_t)now, dir);
    if ((int)to == now)
        return;
    if (table_sort(t, (int)to, view_col(t->v, to)->desc, &ignored))
        return; /* the old order stays */
}

static void reverse(struct table *t)
{
    struct err ignored = ERR_INIT;
    bool desc = false;
    int now = view_sorted_by(t->v, &desc);
    if (table_sort(t, now, !desc, &ignored))
        return;
}

/* ---- columns and units ---- */

size_t table_n_columns(const struct table *t)
{
    return t->n_cols;
}

size_t table_column_at(const struct table *t, size_t pos, bool *shown)
{
    *shown = table_writes(t, pos, true);
    return t->order[pos].col;
}

bool table_column_had_room(const struct table *t, size_t col)
{
    for (size_t i = 0; i < t->n_slots; i++)
        if (t->slots[i].col == col)
            return true;
    return !t->n_slots; /* nothing was drawn yet */
}

bool table_column_is_blank(const struct table *t, size_t col)
{
    for (size_t i = 0; i < t->n_cols; i++)
        if (t->order[i].col == col)
            return t->order[i].blank;
    return false;
}

void table_show_column(struct table *t, size_t pos, bool shown)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_cols; i++)
        n += t->order[i].shown;
    if (pos >= t->n_cols || (!shown && n <= 1))
        return;
    t->order[pos].shown = shown;
    t->order[pos].chosen = shown;
}

void table_move_column(struct table *t, size_t pos, int dir)
{
    size_t to = pos + (size_t)dir;
    if (pos >= t->n_cols || to >= t->n_cols)
        return;
    struct column was = t->order[pos];
    t->order[pos] = t->order[to];
    t->order[to] = was;
}

struct cell_units table_units(const struct table *t)
{
    return t->units;
}

void table_set_units(struct table *t, struct cell_units u)
{
    t->units = u;
    memset(&t->m, 0, sizeof t->m);
}

static void next_unit(struct table *t)
{
    static const struct {
        enum time_unit time;
        enum size_unit size;
    } steps[] = { { TIME_AUTO, SIZE_AUTO },
                  { TIME_S, SIZE_GIB },
                  { TIME_MS, SIZE_MIB },
                  { TIME_US, SIZE_KIB },
                  { TIME_NS, SIZE_B } };
    size_t i = 0;
    while (i + 1 < ARRAY_LEN(steps) && (steps[i].time != t->units.time || steps[i].size != t->units.size))
        i++;
    i = (i + 1) % ARRAY_LEN(steps);
    table_set_units(t,
                    (struct cell_units){ .time = steps[i].time, .size = steps[i].size, .sep = t->units.sep });
}

/* ---- keys ---- */

bool table_key(struct table *t, enum action a)
{
    if (!t->v)
        return false;
    if (move_key(t, a))
        return true;
    switch (a) {
    case ACT_SORT_LEFT:
        sort_neighbour(t, -1);
        return true;
    case ACT_SORT_RIGHT:
        sort_neighbour(t, 1);
        return true;
    case ACT_REVERSE:
        reverse(t);
        return true;
    case ACT_UNIT:
        next_unit(t);
        return true;
    case ACT_WRAP:
        t->wrap = !t->wrap;
        return true;
    case ACT_DETAIL:
        t->detail = !table_detail_on(t);
        return true;
    case ACT_MARK:
        table_toggle_mark(t);
        return true;
    default:
        return false;
    }
}

static enum action click_head(struct table *t, int x)
{
    struct err ignored = ERR_INIT;
    bool desc;
    int now = view_sorted_by(t->v, &desc);
    for (size_t i = 0; i < t->n_slots; i++) {
        struct slot *s = &t->slots[i];
        if (x < s->x || x >= s->x + s->w)
            continue;
        bool to = (int)s->col == now ? !desc : view_col(t->v, s->col)->desc;
        return table_sort(t, (int)s->col, to, &ignored) ? ACT_NONE : ACT_SORT_MENU;
    }
    return ACT_NONE;
}

enum action table_click(struct table *t, const struct key_event *k)
{
    struct rect a = t->area;
    if (!t->v || k->y < a.y || k->y >= a.y + a.h)
        return ACT_NONE;
    if (k->mouse == MOUSE_WHEEL_DOWN || k->mouse == MOUSE_WHEEL_UP) {
        if (k->shift)
            move_key(t, k->mouse == MOUSE_WHEEL_DOWN ? ACT_RIGHT : ACT_LEFT);
        else
            move(t, k->mouse == MOUSE_WHEEL_DOWN ? 3 : -3);
        return ACT_DOWN;
    }
    if (k->mouse != MOUSE_PRESS && k->mouse != MOUSE_DOUBLE)
        return ACT_NONE;
    if (k->y == a.y)
        return click_head(t, k->x);
    size_t row = t->top + (size_t)(k->y - a.y - 1);
    if (t->wrap || row >= table_rows(t))
        return ACT_NONE;
    bool same = row == t->cursor;
    go_to(t, row);
    return k->mouse == MOUSE_DOUBLE && same ? ACT_OPEN : ACT_DOWN;
}

/* ---- search ---- */

int table_search_set(struct table *t, struct str pattern, struct err *e)
{
    if (t->search_text && str_eq(str_of(t->search_text), pattern))
        return OK;
    struct re *re = NULL;
    char *text = table_copy_text(pattern);
    if (!text)
        return err_nomem(e);
    if (pattern.n && re_new(&re, pattern, RE_NOCASE, e)) {
        free(text);
        return e->code;
    }
    re_free(t->search);
    free(t->search_text);
    t->search = re;
    t->search_text = text;
    return OK;
}

bool table_has_search(const struct table *t)
{
    return t->search != NULL;
}

bool table_search(struct table *t, int dir, bool from_cursor, bool *wrapped, struct err *e)
{
    size_t n = table_rows(t);
    *wrapped = false;
    if (!t->search || !n)
        return false;
    size_t from = from_cursor ? t->cursor : (t->cursor + n + (size_t)dir) % n;
    size_t row = view_search(t->v, t->search, from, dir, e);
    if (row == SIZE_MAX)
        return false;
    *wrapped = dir > 0 ? row < t->cursor : row > t->cursor;
    go_to(t, row);
    return true;
}
