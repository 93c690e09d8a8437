/* SPDX-License-Identifier: Apache-2.0 */
/* Which columns are on the screen and how wide. */
#include "config.h"

#include "ui/widget/table_int.h"

#define MIN_BAR    10
#define LEAST_BAR  7 /* where a column would have to go for more */
#define BASE_PRIO  3 /* columns of a higher one are for where there is room */
#define MAX_BAR    100
#define PARTS_BAR  36 /* cells in which the parts of a bar are seen */
#define WORD_W     24 /* a word (an op type) up to this is cut only where there is no room */
#define ROOMY      90 /* cells of a table in which the name gives words some of its cells, */
#define NAME_W     26 /* but keeps these */
#define NAME_LEAST 22 /* or these beside a card, which says it in full */
#define CARD_W     76 /* a narrower table has a card beside it */
#define WORDY                                                                                                \
    60 /* cells of a table in which a word is worth more than columns that are not needed more than it */

struct plan {
    size_t pos[MAX_COLS]; /* in order[] */
    int w[MAX_COLS];
    size_t n;
};

static const struct view_col *col_of(const struct table *t, size_t pos)
{
    return view_col(t->v, t->order[pos].col);
}

/*
 * Numbers are never cut. This is the widest usual value of the unit, so that a column keeps its width while
 * one scrolls; wider values on the screen are measured.
 */
static int number_width(const struct view_col *c)
{
    switch (c->unit) {
    case VU_NS:
        return 9; /* 123.45 ms */
    case VU_TS:
        return 11;
    case VU_BYTES:
        return 10; /* 1023.9 MiB */
    case VU_FLOPS:
    case VU_FLOPS_S:
        return 12; /* 246.8 GFLOPs */
    case VU_MFLOPS:
    case VU_BYTES_S:
        return 9;
    default:
        return 4;
    }
}

/* Title and sort arrow; the blank between them may lie in the gap (ui/widget/table_draw.c). */
static int head_width(const struct table *t, size_t col)
{
    int w = (int)text_width(str_of(view_col_title(view_col(t->v, col))), 0);
    return view_sorted_by(t->v, NULL) == (int)col ? w + 1 : w;
}

static int least(const struct table *t, size_t col)
{
    const struct view_col *c = view_col(t->v, col);
    int w = c->min_width ? c->min_width : 4, head = head_width(t, col);
    int number = cell_is_right(c) ? number_width(c) : 0;
    if (w < number)
        w = number;
    if (cell_is_right(c) && w < t->m.number_w[col])
        w = t->m.number_w[col];
    return c->flags & VC_FLEX ? w : w > head ? w : head;
}

/* Names get no more cells than the longest of them needs. */
static int enough(const struct table *t, size_t col, int w)
{
    int text = t->text_w[col], head = head_width(t, col);
    if (!text || !(view_col(t->v, col)->flags & VC_FLEX))
        return w;
    text = text > head ? text : head;
    return w < text ? w : text;
}

/* Cells that the words of a column need, as far as they are known; 0: it has none. */
static int word_width(const struct table *t, size_t col)
{
    const struct view_col *c = view_col(t->v, col);
    if (c->type != VT_TEXT || c->flags & (VC_FLEX | VC_PATH | VC_PROSE))
        return 0;
    return t->text_w[col] < WORD_W ? t->text_w[col] : WORD_W;
}

/* A main column of words such as op types, which are not shortened as paths are. */
static bool is_word_name(const struct table *t, size_t col)
{
    const struct view_col *c = view_col(t->v, col);
    const unsigned flags = c->flags & (VC_MAIN | VC_FLEX | VC_PATH | VC_PROSE | VC_WHOLE);
    return flags == (VC_MAIN | VC_FLEX) && c->type == VT_TEXT && t->text_w[col];
}

/* Names keep about a third of the screen before columns of little weight get any of it. */
static int least_in(const struct table *t, size_t col, int screen)
{
    const struct view_col *c = view_col(t->v, col);
    int w = least(t, col), share = screen * 3 / 10;
    if (c->flags & VC_PATH && screen > 60) /* the last part of a path should be seen whole */
        share += (screen - 60) / 3;
    if (!(c->flags & VC_FLEX) || !(c->flags & VC_MAIN))
        return enough(t, col, w);
    if (c->flags & VC_WHOLE && w < t->text_w[col])
        return t->text_w[col];
    share = share < c->width ? share : c->width;
    const int word = c->width < WORD_W ? c->width : WORD_W;
    if (screen >= WORDY && is_word_name(t, col) && share < word)
        share = word;
    return enough(t, col, w > share ? w : share);
}

static int wanted(const struct table *t, size_t col)
{
    const struct view_col *c = view_col(t->v, col);
    int w = c->width > c->min_width ? c->width : c->min_width, l = least(t, col), word = word_width(t, col);
    w = w > word ? w : word;
    return enough(t, col, w > l ? w : l);
}

static int total(const struct plan *p)
{
    int w = 0;
    for (size_t i = 0; i < p->n; i++)
        w += p->w[i] + (i ? COL_GAP : 0);
    return w;
}

static void drop(struct plan *p, size_t i)
{
    for (; i + 1 < p->n; i++) {
        p->pos[i] = p->pos[i + 1];
        p->w[i] = p->w[i + 1];
    }
    p->n--;
}

#define SAME_FIRST 100 /* above every prio */

/* All rows say the same here; such a column is for where there is room, unless the reader asked for it. */
static bool says_little(const struct table *t, size_t pos)
{
    return t->m.same[t->order[pos].col] && !t->order[pos].chosen && !(col_of(t, pos)->flags & VC_STAYS);
}

/*
 * How soon the column at this position in order[] goes when there is no room; the one that is sorted by
 * stays, the one that tells rows of the same name apart is among the last.
 */
static uint8_t prio_of(const struct table *t, size_t pos)
{
    const uint8_t prio = col_of(t, pos)->prio;
    if (view_sorted_by(t->v, NULL) == (int)t->order[pos].col)
        return 0;
    if (prio && t->m.apart == t->order[pos].col)
        return 1;
    return prio && says_little(t, pos) ? (uint8_t)(prio + SAME_FIRST) : prio;
}

/* All shown columns at their least width; those of the highest prio go first until they fit. */
static void plan_by_prio(const struct table *t, struct plan *p, int w)
{
    p->n = 0;
    for (size_t i = 0; i < t->n_cols; i++)
        if (table_on_screen(t, i)) {
            p->pos[p->n] = i;
            p->w[p->n++] = least_in(t, t->order[i].col, w);
        }
    while (p->n > 1 && total(p) > w) {
        size_t worst = p->n;
        for (size_t i = 0; i < p->n; i++) {
            uint8_t prio = prio_of(t, p->pos[i]);
            if (prio && (worst == p->n || prio >= prio_of(t, p->pos[worst])))
                worst = i;
        }
        drop(p, worst < p->n ? worst : p->n - 1);
    }
}

/* The first shown column stays; then those from `first` on, as many as fit. */
static void plan_scrolled(const struct table *t, struct plan *p, size_t first, int w)
{
    p->n = 0;
    for (size_t i = 0; i < t->n_cols; i++) {
        if (!table_on_screen(t, i) || (p->n && i < first))
            continue;
        size_t col = t->order[i].col;
        int need = p->n ? wanted(t, col) : least(t, col);
        if (p->n && total(p) + COL_GAP + need > w)
            return;
        p->pos[p->n] = i;
        p->w[p->n++] = need < w ? need : w;
    }
}

static bool has_column(const struct table *t, const struct plan *p)
{
    for (size_t i = 0; i < p->n; i++)
        if (t->order[p->pos[i]].col == t->column)
            return true;
    return false;
}

static size_t position_of(const struct table *t, size_t col)
{
    for (size_t i = 0; i < t->n_cols; i++)
        if (t->order[i].col == col)
            return i;
    return 0;
}

/* Scroll as little as needed to have the current column on the screen. */
static void plan_for_column(struct table *t, struct plan *p, int w)
{
    size_t want = position_of(t, t->column);
    if (t->first > want)
        t->first = want;
    if (!t->first)
        t->first = 1;
    for (;; t->first++) {
        plan_scrolled(t, p, t->first, w);
        if (has_column(t, p) || t->first >= want)
            return;
    }
}

static void grow(const struct table *t, struct plan *p, int *left, bool names)
{
    for (size_t i = 0; *left > 0 && i < p->n; i++) {
        int more = wanted(t, t->order[p->pos[i]].col) - p->w[i];
        if (more <= 0 || names != ((col_of(t, p->pos[i])->flags & VC_FLEX) != 0))
            continue;
        if (more > *left)
            more = *left;
        p->w[i] += more;
        *left -= more;
    }
}

/* A name is shortened where names agree, a word is only cut. */
static void words(const struct table *t, struct plan *p)
{
    size_t name = p->n;
    for (size_t i = 0; i < p->n; i++)
        name = name == p->n && col_of(t, p->pos[i])->flags & VC_FLEX ? i : name;
    for (size_t i = 0; i < p->n && name < p->n; i++) {
        int more = word_width(t, t->order[p->pos[i]].col) - p->w[i], spare = p->w[name] - NAME_W;
        more = more < spare ? more : spare;
        p->w[i] += more > 0 ? more : 0;
        p->w[name] -= more > 0 ? more : 0;
    }
}

/* Cells left after the ideal widths go to the columns that may grow, to the first as many as it needs. */
static void flex(const struct table *t, struct plan *p, int *left)
{
    for (size_t i = 0; i < p->n; i++)
        if (col_of(t, p->pos[i])->flags & VC_FLEX) {
            int most = enough(t, t->order[p->pos[i]].col, p->w[i] + 72) - p->w[i];
            int more = *left < most ? *left : most > 0 ? most : 0;
            p->w[i] += more;
            *left -= more;
        }
}

/* The head of a short bar names its column, or has both ends of its scale. */
static int least_bar(const struct table *t)
{
    const int head = t->bar_col == SIZE_MAX ? 0 : (int)text_width(str_of(table_title(t, t->bar_col)), 0);
    return head < LEAST_BAR ? LEAST_BAR : MIN_BAR;
}

int table_width_wanted(const struct table *t)
{
    int w = 1;
    for (size_t i = 0; i < t->n_cols; i++)
        if (table_on_screen(t, i))
            w += wanted(t, t->order[i].col) + COL_GAP;
    return w;
}

int table_width_needed(const struct table *t)
{
    bool words = false;
    int w = 1 + (t->bar_own ? least_bar(t) : 0);
    for (size_t i = 0; i < t->n_cols; i++)
        if (table_on_screen(t, i) && col_of(t, i)->prio <= BASE_PRIO) {
            const size_t col = t->order[i].col;
            const bool name = is_word_name(t, col);
            words |= name;
            w += (name ? enough(t, col, WORD_W) : least(t, col)) + COL_GAP;
        }
    return words ? w : 0;
}

bool table_has_bar(const struct table *t)
{
    return t->bar_w > 0;
}

/* Parts that no row has say nothing beside the bar of the others, which needs their room. */
static void room_for_parts(const struct table *t, struct plan *p, int w)
{
    for (size_t i = p->n; i-- > 1 && w - total(p) < PARTS_BAR + COL_GAP;) {
        const struct column *c = &t->order[p->pos[i]];
        if (c->zero && !c->chosen && view_sorted_by(t->v, NULL) != (int)c->col &&
            !(t->column_used && c->col == t->column))
            drop(p, i);
    }
}

/* A bar shows more than the least important columns: these go until it fits. */
static void room_for_bar(const struct table *t, struct plan *p, int w)
{
    room_for_parts(t, p, w);
    while (p->n > 2 && w - total(p) < MIN_BAR + COL_GAP) {
        size_t worst = p->n;
        for (size_t i = 0; i < p->n; i++) {
            uint8_t prio = prio_of(t, p->pos[i]);
            if (prio >= BASE_PRIO && (worst == p->n || prio >= prio_of(t, p->pos[worst])))
                worst = i;
        }
        const bool base = worst < p->n && prio_of(t, p->pos[worst]) == BASE_PRIO;
        if (worst == p->n || (base && w - total(p) >= least_bar(t) + COL_GAP))
            return;
        drop(p, worst);
    }
}

/* The position in p of the column that goes first, of those of least this prio; p->n: none may. */
static size_t least_needed(const struct table *t, const struct plan *p, int prio, size_t but)
{
    size_t worst = p->n;
    for (size_t i = 0; i < p->n; i++) {
        uint8_t k = prio_of(t, p->pos[i]);
        bool stays = i == but || k < prio || !k || (t->column_used && t->order[p->pos[i]].col == t->column);
        if (!stays && (worst == p->n || k >= prio_of(t, p->pos[worst])))
            worst = i;
    }
    return worst;
}

/*
 * Columns less needed than a word that would be cut go, if it is whole then; beside a card also those as much
 * needed, which it has. The name gives it cells, too.
 */
static void room_for_word(const struct table *t, struct plan *p, size_t pos, int w)
{
    struct plan q = *p;
    bool card = w < CARD_W;
    int name = card ? NAME_LEAST : NAME_W;
    for (size_t i = 0; i < q.n; i++) {
        if (col_of(t, q.pos[i])->flags & VC_FLEX && q.w[i] > name)
            q.w[i] = name;
        if (q.pos[i] == pos)
            q.w[i] = word_width(t, t->order[pos].col);
    }
    while (total(&q) > w) {
        size_t at = 0;
        while (at < q.n && q.pos[at] != pos)
            at++;
        size_t worst = least_needed(t, &q, prio_of(t, pos) + !card, at);
        if (worst == q.n)
            return;
        drop(&q, worst);
    }
    *p = q;
}

static void room_for_words(const struct table *t, struct plan *p, int w)
{
    for (size_t i = 0; i < t->n_cols && i < MAX_COLS; i++)
        for (size_t k = 0; k < p->n; k++)
            if (p->pos[k] == i && prio_of(t, i) && word_width(t, t->order[i].col) > p->w[k]) {
                room_for_word(t, p, i, w);
                break;
            }
}

/* In a list that was opened or filtered, what all rows have in common goes before a name is cut; prose is. */
static void room_for_name(const struct table *t, struct plan *p, int w)
{
    size_t name = 0;
    while (name < p->n && !(col_of(t, p->pos[name])->flags & VC_MAIN))
        name++;
    if (!t->n_filters || name == p->n || col_of(t, p->pos[name])->flags & VC_PROSE)
        return;
    const size_t pos = p->pos[name];
    for (;;) {
        const int spare = w - total(p), more = t->text_w[t->order[pos].col] - p->w[name];
        size_t worst = least_needed(t, p, SAME_FIRST, name);
        if (spare >= more || worst == p->n)
            return;
        drop(p, worst);
        for (name = 0; p->pos[name] != pos; name++)
            ;
    }
}

/*
 * What w cells leave goes to the columns and to a bar of so many cells at least, which has its part before
 * names do where it is wide. Returns the cells of the bar.
 */
static int share_out(const struct table *t, struct plan *p, int w, int bar, bool wide)
{
    int left = w - total(p) - (bar ? bar + COL_GAP : 0);

    grow(t, p, &left, false);
    grow(t, p, &left, true);
    if (bar && wide) {
        int more = left * 2 / 5 < MAX_BAR - bar ? left * 2 / 5 : MAX_BAR - bar;
        bar += more;
        left -= more;
    }
    flex(t, p, &left);
    if (w >= ROOMY)
        words(t, p);
    if (bar && left > 0)
        bar = bar + left < MAX_BAR ? bar + left : MAX_BAR;
    return bar;
}

/* A text beside the name is cut that is less so in the other plan. */
static bool cuts_text(const struct table *t, const struct plan *p, const struct plan *other)
{
    for (size_t i = 0; i < p->n; i++) {
        const struct view_col *c = col_of(t, p->pos[i]);
        const int text = t->text_w[t->order[p->pos[i]].col], w = other->w[i] < text ? other->w[i] : text;
        if (c->type == VT_TEXT && !(c->flags & VC_MAIN) && p->w[i] < w)
            return true;
    }
    return false;
}

/* The same with a bar that the view does not ask for: texts beside the name have what they had without it. */
static int share_out_texts(const struct table *t, struct plan *p, int w, int bar)
{
    struct plan without = *p;

    share_out(t, &without, w, 0, false);
    for (int wide = 1; wide >= 0; wide--) {
        struct plan with = *p;
        const int got = share_out(t, &with, w, bar, wide);
        if (!cuts_text(t, &with, &without)) {
            *p = with;
            return got;
        }
    }
    *p = without;
    return 0;
}

void table_layout(struct table *t, int x, int w, bool want_bar)
{
    struct plan p;
    bool scrolled = false;
    if (t->n_cols > MAX_COLS)
        t->n_cols = MAX_COLS;
    plan_by_prio(t, &p, w);
    if (w >= WORDY) { /* a bar that has room keeps it */
        bool bar_fits = want_bar && w - total(&p) >= MIN_BAR + COL_GAP;
        room_for_words(t, &p, bar_fits ? w - MIN_BAR - COL_GAP : w);
    }
    room_for_name(t, &p, w);
    if (want_bar && t->bar_own)
        room_for_bar(t, &p, w);
    if (t->column_used && !has_column(t, &p)) {
        plan_for_column(t, &p, w);
        scrolled = true;
    } else {
        t->first = 0;
    }
    if (p.n == 1 && p.w[0] > w)
        p.w[0] = w;
    const int left = w - total(&p);
    int bar = 0;
    if (want_bar && !scrolled && left >= (t->bar_own ? least_bar(t) : MIN_BAR) + COL_GAP)
        bar = left - COL_GAP < MIN_BAR ? left - COL_GAP : MIN_BAR;
    bar = bar && !t->bar_own ? share_out_texts(t, &p, w, bar) : share_out(t, &p, w, bar, true);
    t->n_slots = p.n;
    for (size_t i = 0; i < p.n; i++) {
        t->slots[i] = (struct slot){ t->order[p.pos[i]].col, x, p.w[i] };
        x += p.w[i] + COL_GAP;
    }
    t->bar_x = x;
    t->bar_w = bar;
}
