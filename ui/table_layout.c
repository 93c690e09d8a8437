/* Which columns are on the screen and how wide. */
#include "config.h"

#include "ui/table_int.h"

#define MIN_BAR 10
#define MAX_BAR 48

struct plan {
    size_t pos[MAX_COLS]; /* in order[] */
    int w[MAX_COLS];
    size_t n;
};

static const struct view_col *col_of(const struct table *t, size_t pos)
{
    return view_col(t->v, t->order[pos].col);
}

/* Numbers are never cut: the widest usual value of the unit. */
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

static int least(const struct view_col *c)
{
    int w = c->min_width ? c->min_width : 4, head = (int)text_width(str_of(c->title), 0);
    int number = cell_is_right(c) ? number_width(c) : 0;
    if (w < number)
        w = number;
    return c->flags & VC_FLEX ? w : w > head ? w : head;
}

/* Names keep about a third of the screen before columns of little weight get any of it. */
static int least_in(const struct view_col *c, int screen)
{
    int w = least(c), share = screen * 3 / 10;
    if (!(c->flags & VC_FLEX) || !(c->flags & VC_MAIN))
        return w;
    share = share < c->width ? share : c->width;
    return w > share ? w : share;
}

static int wanted(const struct view_col *c)
{
    int w = c->width > c->min_width ? c->width : c->min_width, l = least(c);
    return w > l ? w : l;
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

/* All shown columns at their least width; those of the highest prio go first until they fit. */
static void plan_by_prio(const struct table *t, struct plan *p, int w)
{
    p->n = 0;
    for (size_t i = 0; i < t->n_cols; i++)
        if (t->order[i].shown) {
            p->pos[p->n] = i;
            p->w[p->n++] = least_in(col_of(t, i), w);
        }
    while (p->n > 1 && total(p) > w) {
        size_t worst = p->n;
        for (size_t i = 0; i < p->n; i++) {
            uint8_t prio = col_of(t, p->pos[i])->prio;
            if (prio && (worst == p->n || prio >= col_of(t, p->pos[worst])->prio))
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
        if (!t->order[i].shown || (p->n && i < first))
            continue;
        int need = p->n ? wanted(col_of(t, i)) : least(col_of(t, i));
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
        int more = wanted(col_of(t, p->pos[i])) - p->w[i];
        if (more <= 0 || names != ((col_of(t, p->pos[i])->flags & VC_FLEX) != 0))
            continue;
        if (more > *left)
            more = *left;
        p->w[i] += more;
        *left -= more;
    }
}

/* What is left after the ideal widths: to the column that may grow. */
static void flex(const struct table *t, struct plan *p, int *left)
{
    for (size_t i = 0; i < p->n; i++)
        if (col_of(t, p->pos[i])->flags & VC_FLEX) {
            int more = *left < 72 ? *left : 72;
            p->w[i] += more;
            *left -= more;
            return;
        }
}

/* A bar says more than the least important columns: they go while it does not fit. */
static void room_for_bar(const struct table *t, struct plan *p, int w)
{
    while (p->n > 2 && w - total(p) < MIN_BAR + COL_GAP) {
        size_t worst = p->n;
        for (size_t i = 0; i < p->n; i++) {
            const struct view_col *c = col_of(t, p->pos[i]);
            if (c->prio >= 3 && (worst == p->n || c->prio >= col_of(t, p->pos[worst])->prio))
                worst = i;
        }
        if (worst == p->n)
            return;
        drop(p, worst);
    }
}

void table_layout(struct table *t, int x, int w, bool want_bar)
{
    struct plan p;
    bool scrolled = false;
    if (t->n_cols > MAX_COLS)
        t->n_cols = MAX_COLS;
    plan_by_prio(t, &p, w);
    if (want_bar)
        room_for_bar(t, &p, w);
    if (t->column_used && !has_column(t, &p)) {
        plan_for_column(t, &p, w);
        scrolled = true;
    } else {
        t->first = 0;
    }
    int left = w - total(&p), bar = 0;
    if (want_bar && !scrolled && left >= MIN_BAR + COL_GAP) {
        bar = MIN_BAR;
        left -= bar + COL_GAP;
    }
    grow(t, &p, &left, false);
    grow(t, &p, &left, true);
    if (bar) {
        int more = left * 2 / 5 < MAX_BAR - bar ? left * 2 / 5 : MAX_BAR - bar;
        bar += more;
        left -= more;
    }
    flex(t, &p, &left);
    if (bar && left > 0)
        bar = bar + left < MAX_BAR ? bar + left : MAX_BAR;
    t->n_slots = p.n;
    for (size_t i = 0; i < p.n; i++) {
        t->slots[i] = (struct slot){ t->order[p.pos[i]].col, x, p.w[i] };
        x += p.w[i] + COL_GAP;
    }
    t->bar_x = x;
    t->bar_w = bar;
}
