/* State of a table: where the reader is, sort, filters, search. Marks are in ui/widget/table_marks.c, drawing in table_draw.c. */
#include "config.h"

#include "ui/widget/table.h"

#include <stdlib.h>
#include <string.h>

#include "ui/widget/table_int.h"

/* ---- making, opening, closing ---- */

char *table_copy_text(struct str s)
{
    char *p = malloc(s.n + 1);
    if (p) {
        memcpy(p, s.n ? s.p : "", s.n);
        p[s.n] = '\0';
    }
    return p;
}

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

int table_new(struct table **out, const struct view_def *def, const struct table_opts *o,
              struct err *e)
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
        return (int)e->code;
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

void table_changed(struct table *t)
{
    t->range_known = false;
    memset(&t->m, 0, sizeof t->m);
    size_t n = table_rows(t);
    if (t->cursor >= n)
        t->cursor = n ? n - 1 : 0;
}

/*
 * Before rows move: remember where the reader is. While a line is being typed or filters are at work the cursor is only on what there is
 * so far; then, and where no row is left, the place from before holds until the reader goes to another one.
 */
static void keep_key(struct table *t)
{
    bool passing = t->live || table_is_counting(t);
    if (!table_rows(t) || (passing && !t->moved))
        return;
    t->moved = false;
    t->has_key = true;
    t->cursor_was = t->cursor;
    t->cursor_key = view_row_key(t->v, t->cursor, &t->cursor_part);
}

/* After rows moved: the same row again when it is shown, else about the same place. */
static void find_key(struct table *t)
{
    if (!t->moved) {
        size_t row = t->has_key ? view_row_of_key(t->v, t->cursor_key, t->cursor_part) : SIZE_MAX;
        if (row < table_rows(t))
            t->cursor = row;
        else if (!table_is_counting(t))
            t->cursor = t->cursor_was;
    }
    table_changed(t);
}

/* The reader goes to a row. */
static void go_to(struct table *t, size_t row)
{
    t->cursor = row;
    t->moved = true;
}

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

static int apply_filters(struct table *t, struct err *e)
{
    int rc = view_set_filters(t->v, t->applied, list_filters(t), NULL, e);
    t->gave_up = false;
    find_key(t);
    return rc;
}

/* ---- work in slices ---- */

/* Filters go on in table_work(); the first slice is done here, which is all for most tables. */
static int begin_filters(struct table *t, struct err *e)
{
    bool more, changed;
    t->gave_up = false;
    if (view_filter_begin(t->v, t->applied, list_filters(t), e))
        return (int)e->code;
    return table_work(t, WORK_NS, &more, &changed, e);
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
        find_key(t);
    return rc;
}

bool table_is_counting(const struct table *t)
{
    return t->v && view_is_counting(t->v);
}

static void compile_filters(struct table *t)
{
    for (size_t i = 0; i < t->n_filters; i++) {
        struct err ignored = ERR_INIT;
        filter_free(t->compiled[i]);
        t->compiled[i] = NULL;
        /* Columns differ between generations: what no longer fits is off and can be seen so in the
         * list. */
        if (filter_parse(&t->compiled[i], str_of(t->filters[i].text), view_definition(t->v),
                         &ignored))
            t->filters[i].on = false;
    }
}

int table_attach(struct table *t, const struct view_part *parts, size_t n,
                 const struct view_scope *scope, struct err *e)
{
    table_detach(t);
    int rc = t->sql ? view_open_sql(&t->v, parts[0].store, str_of(t->sql), e)
                    : view_open(&t->v, t->def, parts, n, scope, e);
    if (rc) {
        t->v = NULL;
        return (int)e->code;
    }
    t->gave_up = false;
    init_columns(t);
    table_take_columns(t);
    table_take_marks(t);
    compile_filters(t);
    if (t->sort_known) {
        int col = t->sort_id[0] ? view_find_col(t->v, t->sort_id) : -1;
        if (view_sort(t->v, col, t->sort_desc, e)) {
            table_detach(t);
            return (int)e->code;
        }
    }
    if (t->n_filters && apply_filters(t, e)) {
        table_detach(t);
        return (int)e->code;
    }
    find_key(t);
    table_find_blank(t);
    return OK;
}

void table_detach(struct table *t)
{
    if (!t->v)
        return;
    keep_key(t);
    filter_free(t->live);
    t->live = NULL;
    view_close(t->v);
    t->v = NULL;
    t->n_slots = 0;
}

struct view *table_view(const struct table *t)
{
    return t->v;
}

const struct view_def *table_def(const struct table *t)
{
    return t->v ? view_definition(t->v) : t->def;
}

/* ---- place ---- */

size_t table_rows(const struct table *t)
{
    return t->v ? view_rows(t->v) : 0;
}

size_t table_cursor(const struct table *t)
{
    return t->cursor;
}

void table_goto(struct table *t, size_t row)
{
    size_t n = table_rows(t);
    if (n)
        go_to(t, row < n ? row : n - 1);
}

bool table_goto_key(struct table *t, int64_t key, size_t part)
{
    if (!t->v)
        return false;
    size_t row = view_row_of_key(t->v, key, part);
    if (row >= table_rows(t))
        return false;
    go_to(t, row);
    return true;
}

size_t table_column(const struct table *t)
{
    return t->column;
}

bool table_set_column(struct table *t, size_t col)
{
    if (col >= t->n_cols)
        return false;
    t->column = col;
    t->column_used = true;
    return true;
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
static size_t column_beside(const struct table *t, size_t col, int dir)
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
            t->column = column_beside(t, t->column, a == ACT_LEFT ? -1 : 1);
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
        return (int)e->code;
    str_copy(str_of(col >= 0 ? view_col(t->v, (size_t)col)->id : ""), t->sort_id,
             sizeof t->sort_id);
    t->sort_desc = desc;
    t->sort_known = true;
    t->gave_up = false;
    /* The reader looks at the top of the new order, not at where the old row went. */
    go_to(t, 0);
    table_changed(t);
    return OK;
}

static void sort_beside(struct table *t, int dir)
{
    struct err ignored = ERR_INIT;
    bool desc;
    int now = view_sorted_by(t->v, &desc);
    size_t to = now < 0 ? t->column : column_beside(t, (size_t)now, dir);
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
    *shown = t->order[pos].shown;
    return t->order[pos].col;
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
    while (i + 1 < ARRAY_LEN(steps) &&
           (steps[i].time != t->units.time || steps[i].size != t->units.size))
        i++;
    i = (i + 1) % ARRAY_LEN(steps);
    table_set_units(t, (struct cell_units){ steps[i].time, steps[i].size, t->units.sep });
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
        sort_beside(t, -1);
        return true;
    case ACT_SORT_RIGHT:
        sort_beside(t, 1);
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

/* ---- filters ---- */

size_t table_n_filters(const struct table *t)
{
    return t->n_filters;
}

const struct table_filter *table_filter(const struct table *t, size_t i)
{
    return &t->filters[i];
}

int table_filter_live(struct table *t, struct str line, struct err *e)
{
    struct filter *f = NULL, *old = t->live;
    if (!t->v)
        return OK;
    if (str_trim(line).n && filter_parse(&f, line, view_definition(t->v), e))
        return (int)e->code;
    keep_key(t);
    t->live = f;
    int rc = f ? begin_filters(t, e) : apply_filters(t, e);
    filter_free(old);
    return rc;
}

int table_filter_set(struct table *t, size_t i, struct str line, struct err *e)
{
    struct filter *f = NULL, *old = t->compiled[i];
    if (t->v && filter_parse(&f, line, view_definition(t->v), e))
        return (int)e->code;
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
        keep_key(t);
        rc = apply_filters(t, e);
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
        return (int)e->code;
    }
    return OK;
}

/* What could not be applied leaves the rows as they were. */
static void apply_again(struct table *t)
{
    struct err ignored = ERR_INIT;
    if (apply_filters(t, &ignored))
        table_changed(t);
}

static void refilter(struct table *t)
{
    if (!t->v)
        return;
    keep_key(t);
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
    keep_key(t);
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
        return (int)e->code;
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
