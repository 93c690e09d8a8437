/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the rows on the screen need of the layout: one unit per column, cells for numbers, cuts that keep
 * names apart.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/widget/table_int.h"

#define BLANK_ROWS_MAX 100000 /* larger tables are not searched for columns without a value */
#define WIDTH_ROWS_MAX 20000  /* in larger tables only the names on the screen are measured */
#define WORD_ROWS_MAX  2000   /* the same of columns that do not grow */
#define FEW            8      /* one pair of ops whose scopes are cut is allowed in so many rows */
#define SAME_LEAST     20     /* rows of which the same in all is no chance, as it may be of two ranks */
#define LOOK_ROWS      64     /* rows looked at before a whole column is */
#define PAIRS          4096   /* more than there are pairs of them */

/* ---- numbers ---- */

static bool is_number(const struct val *v)
{
    return v->t != VAL_NULL && v->t != VAL_TEXT;
}

static struct cell_units column_units(const struct table *t, const struct page *p, size_t col)
{
    double min = INFINITY, max = 0;
    for (size_t r = 0; r < p->n; r++) {
        const struct val *v = page_val(p, r, col);
        double x = is_number(v) ? fabs(val_num(v)) : 0;
        if (x == 0)
            continue;
        min = x < min ? x : min;
        max = x > max ? x : max;
    }
    const struct view_col *c = view_col(t->v, col);
    struct cell_units u = cell_column_units(c, isfinite(min) ? min : 0, max, &t->units);
    u.giga = cell_is_giga(c, max);
    return u;
}

struct str table_damage(const struct page *p, size_t row, size_t col)
{
    const struct val *v = col == SIZE_MAX ? NULL : page_val(p, row, col);

    return v && v->t == VAL_TEXT ? v->s : STR_NULL;
}

static int number_width(const struct view_col *c, const struct page *p, size_t col, size_t damage,
                        const struct cell_units *u)
{
    int w = 0, least_unit = cell_unit_width(c);
    for (size_t r = 0; r < p->n; r++) {
        struct cell_text k;
        const struct val *v = page_val(p, r, col);
        if (!is_number(v))
            continue;
        cell_format(&k, c, v, u);
        cell_mark(&k, c, table_damage(p, r, damage));
        int unit = k.unit[0] ? (int)strlen(k.unit) + 1 : 0;
        unit = unit && unit < least_unit ? least_unit : unit;
        int need = (int)text_width(k.text, 0) + unit;
        w = need > w ? need : w;
    }
    return w;
}

size_t table_top(const struct table *t, size_t rows)
{
    size_t n = table_rows(t), top = t->top;
    if (t->from_top)
        return top;
    if (t->cursor < top)
        top = t->cursor;
    if (t->cursor >= top + rows)
        top = t->cursor - rows + 1;
    if (top + rows > n)
        top = n > rows ? n - rows : 0;
    return top;
}

/* In small tables all names are measured, so that columns stay where they are while one scrolls. */
static int text_cells(struct table *t, const struct page *p, size_t col, unsigned flags)
{
    size_t most = (size_t)t->text_w[col];
    if (view_total(t->v) <= (view_col(t->v, col)->flags & VC_FLEX ? WIDTH_ROWS_MAX : WORD_ROWS_MAX))
        return (int)(most ? most : view_text_cells(t->v, col, text_width, flags));
    for (size_t r = 0; r < p->n; r++) {
        const struct val *v = page_val(p, r, col);
        size_t w = v->t == VAL_TEXT ? text_width(v->s, flags) : 0;
        most = w > most ? w : most;
    }
    return (int)most;
}

/* ---- columns with one value ---- */

static bool is_same(const struct val *a, const struct val *b)
{
    if (!is_number(a) || !is_number(b))
        return a->t == b->t && (a->t == VAL_NULL || str_eq(a->s, b->s));
    return val_num(a) >= val_num(b) && val_num(a) <= val_num(b);
}

/* Most columns differ within the rows on the screen; only the others are looked at in full. */
static void find_same(struct table *t, const struct page *p)
{
    const size_t rows = table_rows(t);

    if (t->m.same_known || table_is_counting(t))
        return;
    t->m.same_known = true;
    const size_t least = t->n_filters ? 2 : SAME_LEAST;
    for (size_t i = 0; rows >= least && rows <= WIDTH_ROWS_MAX && i < t->n_cols; i++) {
        const size_t col = t->order[i].col;
        bool same = t->order[i].shown && view_col(t->v, col)->prio;
        for (size_t r = 1; same && r < p->n; r++)
            same = is_same(page_val(p, 0, col), page_val(p, r, col));
        t->m.same[col] = same && (p->n == rows || view_col_same(t->v, col));
    }
}

/* Rows with the same name differ in this column. */
static bool tells_apart(const struct page *p, size_t name, size_t col)
{
    for (size_t i = 1; i < p->n; i++)
        for (size_t j = 0; j < i; j++)
            if (is_same(page_val(p, i, name), page_val(p, j, name)) &&
                !is_same(page_val(p, i, col), page_val(p, j, col)))
                return true;
    return false;
}

/* The first column of words in which rows of the same name differ. */
static void find_apart(struct table *t, const struct page *p)
{
    size_t name = 0;
    while (name < t->n_cols && !(view_col(t->v, t->order[name].col)->flags & VC_MAIN))
        name++;
    t->m.apart = SIZE_MAX;
    for (size_t i = 0; name < t->n_cols && p->n <= LOOK_ROWS && i < t->n_cols; i++) {
        const size_t col = t->order[i].col;
        const struct view_col *c = view_col(t->v, col);
        if (i != name && t->order[i].shown && c->type == VT_TEXT && !(c->flags & (VC_FLEX | VC_PROSE)) &&
            tells_apart(p, t->order[name].col, col)) {
            t->m.apart = col;
            return;
        }
    }
}

void table_measure(struct table *t, size_t rows, unsigned flags)
{
    struct page p;
    struct err ignored = ERR_INIT;
    struct measure *m = &t->m;
    size_t top = table_top(t, rows);
    if (m->known && m->top == top && m->rows == rows && m->units_of == t->units_of)
        return;
    if ((t->units_of && view_page(t->v, 0, t->units_of, VIEW_RELATIVE, &p, &ignored)) ||
        (!t->units_of && view_page(t->v, top, rows, VIEW_RELATIVE, &p, &ignored)))
        return; /* drawing the rows says why */
    for (size_t i = 0; i < t->n_cols; i++) {
        m->u[t->order[i].col] = column_units(t, &p, t->order[i].col);
        m->u[t->order[i].col].sep = flags & TEXT_ASCII ? NULL : UNIT_THIN_SPACE;
    }
    if (t->units_of && view_page(t->v, top, rows, VIEW_RELATIVE, &p, &ignored))
        return;
    for (size_t i = 0; i < t->n_cols; i++) {
        size_t col = t->order[i].col;
        const struct view_col *c = view_col(t->v, col);
        int w = number_width(c, &p, col, view_damage_col(t->v), &m->u[col]);
        m->number_w[col] = w > m->number_w[col] ? w : m->number_w[col];
        if (c->type == VT_TEXT && (c->flags & VC_FLEX || t->order[i].shown))
            t->text_w[col] = text_cells(t, &p, col, flags);
    }
    if (!m->known)
        find_apart(t, &p);
    m->known = true;
    find_same(t, &p);
    m->top = top;
    m->rows = rows;
    m->units_of = t->units_of;
}

/* ---- cuts ---- */

/*
 * Pairs of different texts that look the same; of less weight, of ops of different scopes that only their
 * numbers tell apart: a reader knows layers, not numbers. A few of those are less trouble than a cut that
 * reads badly.
 */
static size_t clashes(const struct name_look *k, size_t n)
{
    size_t found = 0, places = 0;
    for (size_t i = 1; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            found += name_looks_same(&k[i], &k[j]);
            places += name_place_same(&k[i], &k[j]);
        }
    return found * PAIRS + (places * FEW <= n ? 0 : places);
}

/* Where the last `parts` parts begin; 0: there are no more. */
static size_t last_parts(struct str s, size_t parts)
{
    for (size_t at; parts; parts--, s.n = at) {
        at = str_rchr(s, '/');
        if (at == SIZE_MAX)
            return 0;
        if (parts == 1)
            return at + 1;
    }
    return s.n;
}

void table_fold(struct buf *out, struct str s, const struct shorten *k, unsigned flags)
{
    const char *mark = glyph_text(G_CUT, flags & TEXT_ASCII);
    s = k->once ? name_once(s) : s;
    if (k->head + k->tail >= s.n) {
        buf_add(out, s);
        return;
    }
    const struct str body = str_sub(s, 0, s.n - k->tail);
    const size_t at = k->last ? last_parts(body, k->parts) : body.n;
    buf_puts(out, k->head ? mark : "");
    buf_add(out, str_sub(body, k->head, at - k->head));
    if (k->last) {
        buf_puts(out, mark);
        buf_add(out, str_sub(body, at + k->last, body.n));
    }
    buf_puts(out, k->tail ? mark : "");
}

/* Bytes that both begin with, or end with. */
static size_t common(struct str a, struct str b, bool end)
{
    size_t most = a.n < b.n ? a.n : b.n, n = 0;
    while (n < most && (end ? a.p[a.n - 1 - n] == b.p[b.n - 1 - n] : a.p[n] == b.p[n]))
        n++;
    return n;
}

#define SOFT_LEAST 6 /* bytes that are worth a mark where no part of a path ends */
#define LAST_LEAST 8

/* Of the bytes that all begin with those up to the end of a part, or of a word: "Kernel::". */
static size_t head_end(struct str first, size_t head)
{
    size_t part = head, word = head;
    while (part && first.p[part] != '/')
        part--;
    while (word && first.p[word - 1] != ':' && first.p[word - 1] != '.')
        word--;
    return word > part && word >= SOFT_LEAST ? word : part;
}

/* The same of the end, ".data.0.slice_0". */
static size_t tail_start(struct str first, size_t tail)
{
    size_t part = tail, word = tail;
    while (part && first.p[first.n - part] != '/')
        part--;
    while (word && first.p[first.n - word] != '.')
        word--;
    return word > part && word >= SOFT_LEAST ? word : part;
}

/* The bytes of a column's texts that all on the screen have in common. */
struct shared {
    struct str first;
    size_t n, head, tail;
    bool wide; /* one has no room */
};

static struct shared find_shared(const struct page *p, const struct slot *s, bool path, unsigned flags)
{
    struct shared k = { .n = 0 };
    for (size_t r = 0; r < p->n; r++) {
        const struct val *v = page_val(p, r, s->col);
        if (v->t != VAL_TEXT)
            continue;
        const struct str text = path ? name_once(v->s) : v->s;
        k.wide |= text_width(v->s, flags) > (size_t)s->w;
        if (k.n++) {
            size_t h = common(k.first, text, false), t = common(k.first, text, true);
            k.head = h < k.head ? h : k.head;
            k.tail = t < k.tail ? t : k.tail;
            k.tail = k.tail + k.head > text.n ? text.n - k.head : k.tail;
        } else {
            k.first = text;
            k.head = k.tail = text.n;
        }
    }
    return k;
}

/* Bytes up to a '-' or '_' that the last parts of all begin with, where each of them goes on; 0: none. */
static size_t shared_last(const struct page *p, const struct slot *s, const struct shorten *how, size_t parts)
{
    struct str first = STR_NULL;
    size_t n = 0;
    for (size_t r = 0; r < p->n; r++) {
        const struct val *v = page_val(p, r, s->col);
        if (v->t != VAL_TEXT)
            continue;
        struct str text = name_once(v->s);
        if (how->head + how->tail >= text.n)
            return 0;
        text.n -= how->tail;
        const size_t at = last_parts(text, parts);
        const struct str part = str_sub(text, at, text.n);
        if (at < how->head || at == 0)
            return 0;
        n = first.p ? common(str_sub(first, 0, n), part, false) : part.n;
        n -= n && n == part.n; /* it goes on after them */
        first = first.p ? first : part;
    }
    while (n && first.p[n] != '-' && first.p[n] != '_')
        n--;
    return n >= LAST_LEAST ? n : 0;
}

/* As many last parts as begin with what all share. */
static void find_last(const struct page *p, const struct slot *s, struct shorten *how)
{
    for (size_t parts = 1, n; (n = shared_last(p, s, how, parts)) > how->last; parts++) {
        how->last = n;
        how->parts = parts;
    }
}

/* What all texts of the column have in common; nothing where all of them have room. */
static struct shorten shared_parts(const struct table *t, const struct page *p, const struct slot *s,
                                   bool path, unsigned flags)
{
    const struct shared k = find_shared(p, s, path, flags);
    struct shorten how = { .once = path && k.wide };
    if (k.n < 2 || !k.wide || k.head == k.first.n)
        return how;
    how.head = head_end(k.first, k.head);
    how.tail = tail_start(k.first, k.tail);
    how.tail = how.tail + how.head < k.first.n ? how.tail : 0;
    if (path && t->n_filters)
        find_last(p, s, &how);
    return how;
}

/* Hashes of the column's texts, as shown and whole; false: none is cut. */
static bool looks(const struct page *p, const struct slot *s, const struct shorten *how, unsigned flags,
                  struct name_look *k, size_t *n)
{
    bool any = false;
    struct buf b, folded;
    buf_init(&b, 65536);
    buf_init(&folded, 65536);
    *n = 0;
    for (size_t r = 0; r < p->n && *n < LOOK_ROWS; r++) {
        const struct val *v = page_val(p, r, s->col);
        if (v->t != VAL_TEXT)
            continue;
        buf_clear(&b);
        buf_clear(&folded);
        table_fold(&folded, v->s, how, flags);
        text_clip(&b, buf_str(&folded), (size_t)s->w, how->cut, flags);
        any |= text_width(v->s, flags) > (size_t)s->w;
        k[(*n)++] = name_look(buf_str(&b), v->s);
    }
    buf_done(&b);
    buf_done(&folded);
    return any;
}

static bool has_dots(const struct page *p, const struct slot *s)
{
    const struct val *v = p->n ? page_val(p, 0, s->col) : NULL;
    return v && v->t == VAL_TEXT && str_chr(v->s, '.') != SIZE_MAX;
}

struct shorten table_shorten(struct table *t, const struct slot *s, const struct page *p, unsigned flags)
{
    static const enum text_cut of_path[] = { CUT_PATH,  CUT_TAIL,   CUT_PARTS, CUT_LONGER,
                                             CUT_NAMES, CUT_MIDDLE, CUT_START },
                               of_text[] = { CUT_END, CUT_MIDDLE, CUT_START },
                               of_dots[] = { CUT_END, CUT_START, CUT_MIDDLE }; /* "Module.Event.Stage" */
    const struct view_col *c = view_col(t->v, s->col);
    bool path = c->flags & VC_PATH || !strcmp(c->id, "path");
    const enum text_cut *list = path ? of_path : has_dots(p, s) ? of_dots : of_text;
    size_t n_list = path ? ARRAY_LEN(of_path) : c->flags & VC_PROSE ? 1 : ARRAY_LEN(of_text), n;
    struct name_look k[LOOK_ROWS];
    const bool name = (c->flags & (VC_MAIN | VC_FLEX)) == (VC_MAIN | VC_FLEX) && !(c->flags & VC_PROSE);
    struct shorten how = path || name ? shared_parts(t, p, s, path, flags) : (struct shorten){ .head = 0 };
    size_t least = path && how.head ? 1 : 0; /* the first part is what CUT_PATH keeps, and all share it */
    size_t best = t->m.cut_w[s->col] == s->w ? t->m.cut[s->col] : 0, fewest = SIZE_MAX;
    best = best < least ? least : best;
    /*
     * Never back to an earlier cut: names that jump while one scrolls are worse than names that are cut hard.
     */
    for (size_t i = best; i < n_list && fewest; i++) {
        how.cut = list[i];
        size_t found = looks(p, s, &how, flags, k, &n) ? clashes(k, n) : 0;
        if (found < fewest) {
            best = i;
            fewest = found;
        }
    }
    t->m.cut[s->col] = (uint8_t)best;
    t->m.cut_w[s->col] = s->w;
    how.cut = list[best];
    return how;
}

/* How a name is drawn as a rule, for names_apart(). */
struct usual {
    const struct shorten *how;
    size_t width;
    unsigned flags;
};

static void usual_form(void *arg, struct str name, struct buf *out)
{
    const struct usual *u = arg;
    struct buf folded;
    buf_init(&folded, 65536);
    table_fold(&folded, name, u->how, u->flags);
    text_clip(out, buf_str(&folded), u->width, u->how->cut, u->flags);
    buf_done(&folded);
}

struct names *table_names(const struct table *t, const struct slot *s, const struct page *p,
                          const struct shorten *how, unsigned flags)
{
    struct str name[NAMES_MOST];
    struct usual u = { how, (size_t)s->w, flags };
    struct name_list l = {
        .name = name, .width = u.width, .flags = flags, .once = how->once, .usual = usual_form, .arg = &u
    };
    const struct view_col *c = view_col(t->v, s->col);
    bool any = false;
    if (c->type != VT_TEXT || !(c->flags & (VC_PATH | VC_MAIN | VC_FLEX)) || c->flags & VC_PROSE)
        return NULL;
    for (size_t r = 0; r < p->n && l.n < NAMES_MOST; r++) {
        const struct val *v = page_val(p, r, s->col);
        if (v->t != VAL_TEXT)
            continue;
        any |= text_width(v->s, flags) > u.width;
        name[l.n++] = v->s;
    }
    return any ? names_apart(&l) : NULL;
}

/* ---- columns without a value ---- */

static bool has_value(const struct val *v)
{
    return v->t != VAL_NULL && (v->t != VAL_TEXT || v->s.n);
}

#define SELDOM (VC_MARK | VC_BASE) /* columns that are left out where they say nothing */

/* Most columns have a value in the first rows; only the others are looked at in full. */
void table_find_blank(struct table *t)
{
    struct page p;
    struct err ignored = ERR_INIT;
    size_t n = view_total(t->v);
    for (size_t i = 0; i < t->n_cols; i++) { /* marks are seldom: one is looked for in every table */
        const unsigned flags = view_col(t->v, t->order[i].col)->flags;
        t->order[i].blank = (flags & VC_BASE && n > BLANK_ROWS_MAX) ||
                            (flags & SELDOM && view_col_blank(t->v, t->order[i].col));
    }
    memset(t->text_w, 0, sizeof t->text_w);
    if (!n || n > BLANK_ROWS_MAX || view_page(t->v, 0, LOOK_ROWS, VIEW_STORED, &p, &ignored))
        return;
    for (size_t i = 0; i < t->n_cols; i++) {
        const struct view_col *c = view_col(t->v, t->order[i].col);
        bool any = !t->order[i].shown || c->flags & VC_MAIN;
        if (c->flags & SELDOM)
            continue;
        for (size_t r = 0; r < p.n && !any; r++)
            any = has_value(page_val(&p, r, t->order[i].col));
        t->order[i].blank = !any;
    }
    for (size_t i = 0; i < t->n_cols; i++)
        if (t->order[i].blank && !(view_col(t->v, t->order[i].col)->flags & SELDOM))
            t->order[i].blank = view_col_blank(t->v, t->order[i].col);
}

/* The first rows decide most columns. */
void table_find_zero(struct table *t)
{
    struct page p;
    struct err ignored = ERR_INIT;
    double min, max, sum;

    for (size_t i = 0; i < t->n_cols; i++)
        t->order[i].zero = false;
    if (!t->o.bar || view_page(t->v, 0, LOOK_ROWS, VIEW_STORED, &p, &ignored))
        return;
    for (size_t i = 0; i < t->n_cols; i++) {
        const struct view_col *c = view_col(t->v, t->order[i].col);
        bool zero = p.n && t->order[i].shown && c->unit == VU_NS && !(c->flags & VC_MAIN);
        for (size_t r = 0; zero && r < p.n; r++)
            zero = val_num(page_val(&p, r, t->order[i].col)) == 0;
        t->order[i].zero = zero;
    }
    for (size_t i = 0; i < t->n_cols; i++)
        if (t->order[i].zero)
            t->order[i].zero =
                view_range(t->v, (int)t->order[i].col, &min, &max, &sum, &ignored) && min == 0 && max == 0;
}
