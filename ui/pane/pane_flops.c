/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FLOPs: the tree of scopes (doc/screens.md#flops), made from the ops of view flops.op; the tables are the
 * other views.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/lang/tr.h"
#include "base/unit.h"
#include "ui/pane/flops_roof.h"
#include "ui/pane/panes.h"
#include "ui/widget/chart.h"

#define MAX_OPS   ((size_t)200000)
#define MAX_PARTS 64
#define NONE      UINT32_MAX

struct node {
    char *name;                   /* this part: "layer3/", "Conv2D-op118" */
    uint32_t parent, child, next; /* first child, next sibling */
    double mflops, time_ns;       /* sums */
    double util, util_ns;         /* sum of use times time, and that time: the use that goes with the rate */
    uint32_t ops;
    uint16_t depth;
    bool open, leaf, has_util;
};

struct tree {
    struct node *n;
    size_t count, cap;
    uint32_t *shown;
    size_t n_shown;
    size_t cursor, top;
    size_t kernel; /* bytes that all names at the top begin with, "Kernel::KernelLaunch::"; not drawn */
    int list_y, list_h;
    struct roofline roof;
    struct err roof_err; /* why it could not be read; a stopped one is read again by the pane's key */
    bool roof_known;
};

static struct tree *own(const struct pane *p)
{
    return p->own;
}

static bool in_front(const struct pane *p)
{
    return p->own && !p->depth && p->view == p->n_views && own(p)->count;
}

/* ---- the tree ---- */

static void drop(struct tree *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->n[i].name);
    free(t->n);
    free(t->shown);
    roofline_done(&t->roof);
    size_t cursor = t->cursor;
    memset(t, 0, sizeof *t);
    t->cursor = cursor;
}

static uint32_t add_node(struct tree *t, uint32_t parent, struct str name, bool leaf)
{
    struct node *n = grow_array(t->n, t->count, &t->cap, sizeof *n, 1024);
    if (!n)
        return NONE;
    t->n = n;
    char *copy = malloc(name.n + 2);
    if (!copy)
        return NONE;
    memcpy(copy, name.p, name.n);
    memcpy(copy + name.n, leaf ? "" : "/", leaf ? 1 : 2);
    uint32_t id = (uint32_t)t->count++;
    t->n[id] = (struct node){ .name = copy, .parent = parent, .child = NONE, .next = NONE, .leaf = leaf };
    if (parent != NONE) {
        t->n[id].depth = (uint16_t)(t->n[parent].depth + 1);
        t->n[id].next = t->n[parent].child;
        t->n[parent].child = id;
    }
    return id;
}

static bool has_name(const struct node *n, struct str name, bool leaf)
{
    size_t len = strlen(n->name) - (n->leaf ? 0 : 1);
    return n->leaf == leaf && len == name.n && !memcmp(n->name, name.p, len);
}

/* The child with this name; made when there is none. */
static uint32_t child_of(struct tree *t, uint32_t parent, struct str name, bool leaf)
{
    for (uint32_t i = t->n[parent].child; i != NONE; i = t->n[i].next)
        if (has_name(&t->n[i], name, leaf))
            return i;
    return add_node(t, parent, name, leaf);
}

static void add_op(struct tree *t, struct str name, double mflops, double ns, double util)
{
    uint32_t at = 0;
    struct str rest = str_once_at_end(name, '/'), part;
    for (int i = 0; i < MAX_PARTS && at != NONE && str_next(&rest, '/', &part); i++) {
        bool leaf = !rest.p || i == MAX_PARTS - 1;
        if (part.n || leaf)
            at = child_of(t, at, part, leaf);
    }
    for (; at != NONE; at = t->n[at].parent) {
        struct node *n = &t->n[at];
        n->mflops += mflops;
        n->time_ns += ns;
        n->ops++;
        if (!isnan(util) || mflops == 0) { /* what does no operations uses none of the peak */
            n->util += isnan(util) ? 0 : util * ns;
            n->util_ns += ns;
            n->has_util |= !isnan(util);
        }
    }
}

/* A scope that holds nothing but one scope is joined with it: "network/resnet/". */
static void join_chains(struct tree *t)
{
    for (size_t i = 1; i < t->count; i++) {
        struct node *n = &t->n[i];
        uint32_t c;
        while (!n->leaf && (c = n->child) != NONE && t->n[c].next == NONE && !t->n[c].leaf) {
            size_t a = strlen(n->name), b = strlen(t->n[c].name);
            char *name = malloc(a + b + 1);
            if (!name)
                return;
            memcpy(name, n->name, a);
            memcpy(name + a, t->n[c].name, b + 1);
            free(n->name);
            n->name = name;
            n->child = t->n[c].child;
            for (uint32_t k = n->child; k != NONE; k = t->n[k].next)
                t->n[k].parent = (uint32_t)i;
            t->n[c].child = NONE; /* out of the tree; its memory goes with the rest */
        }
    }
}

/* Children by FLOPs, most first. Insertion sort, because lists are short. */
static void sort_children(struct tree *t, uint32_t id)
{
    uint32_t sorted = NONE;
    for (uint32_t c = t->n[id].child, next; c != NONE; c = next) {
        next = t->n[c].next;
        uint32_t *at = &sorted;
        while (*at != NONE && t->n[*at].mflops >= t->n[c].mflops)
            at = &t->n[*at].next;
        t->n[c].next = *at;
        *at = c;
    }
    t->n[id].child = sorted;
}

static double number_at(const struct page *pg, size_t r, int col)
{
    const struct val *v = col >= 0 ? page_val(pg, r, (size_t)col) : NULL;
    return v && v->t != VAL_NULL && v->t != VAL_TEXT ? val_num(v) : (double)NAN;
}

static void read_ops(struct tree *t, struct view *v, struct err *e)
{
    int name = view_find_col(v, "op_name"), mflops = view_find_col(v, "mflops"),
        avg = view_find_col(v, "avg_ns"), util = view_find_col(v, "util_pct");
    size_t rows = view_rows(v) < MAX_OPS ? view_rows(v) : MAX_OPS;
    for (size_t at = 0; name >= 0 && mflops >= 0 && at < rows; at += 512) {
        struct page pg;
        if (view_page(v, at, rows - at < 512 ? rows - at : 512, VIEW_RELATIVE, &pg, e))
            return;
        for (size_t r = 0; r < pg.n; r++) {
            const struct val *n = page_val(&pg, r, (size_t)name);
            double f = number_at(&pg, r, mflops), ns = number_at(&pg, r, avg);
            if (n->t == VAL_TEXT && !isnan(f))
                add_op(t, n->s, f, isnan(ns) ? 0 : ns, number_at(&pg, r, util));
        }
    }
}

static void list_shown(struct tree *t)
{
    uint32_t *s = realloc(t->shown, (t->count + 1) * sizeof *s);
    uint32_t at = t->count ? t->n[0].child : NONE;
    if (!s)
        return;
    t->shown = s;
    t->n_shown = 0;
    while (at != NONE) {
        t->shown[t->n_shown++] = at;
        t->n[at].depth = (uint16_t)(t->n[t->n[at].parent].depth + 1); /* chains were joined */
        if (t->n[at].open && t->n[at].child != NONE) {
            at = t->n[at].child;
            continue;
        }
        while (at != NONE && t->n[at].next == NONE)
            at = t->n[at].parent == 0 ? NONE : t->n[at].parent;
        at = at == NONE ? NONE : t->n[at].next;
    }
    if (t->cursor >= t->n_shown)
        t->cursor = t->n_shown ? t->n_shown - 1 : 0;
}

/* What all names at the top begin with, up to a ':'. */
static void find_kernel(struct tree *t)
{
    const uint32_t first = t->count ? t->n[0].child : NONE;
    const char *name = first == NONE ? "" : t->n[first].name;
    t->kernel = strcspn(name, "/");
    for (uint32_t i = first; i != NONE; i = t->n[i].next)
        for (size_t k = 0; k < t->kernel; k++)
            if (t->n[i].name[k] != name[k])
                t->kernel = k;
    while (t->kernel && name[t->kernel - 1] != ':')
        t->kernel--;
}

/* ---- life ---- */

static int open_pane(struct pane *p, struct err *e)
{
    p->own = calloc(1, sizeof(struct tree));
    if (!p->own)
        return err_nomem(e);
    p->view = p->n_views;
    return OK;
}

static void detach(struct pane *p)
{
    drop(own(p));
}

static void close_pane(struct pane *p)
{
    if (!p->own)
        return;
    drop(own(p));
    free(p->own);
}

static int make_tree(struct pane *p, struct err *e)
{
    struct tree *t = own(p);
    struct session *s = app_session(p->app);
    const struct view_def *d = view_def_find("flops.op");
    struct view *v = NULL;
    size_t n;
    const struct view_part *parts = session_parts(s, false, &n);
    drop(t);
    if (!n || !d || view_has_data(d, parts, n, session_scope(s), e) <= 0)
        return e->code;
    if (view_open(&v, d, parts, n, session_scope(s), e))
        return e->code;
    if (add_node(t, NONE, STR(""), false) != NONE)
        read_ops(t, v, e);
    view_close(v);
    if (e->code)
        return e->code;
    join_chains(t);
    for (uint32_t i = 0; i < t->count; i++)
        sort_children(t, i);
    for (uint32_t i = t->count ? t->n[0].child : NONE; i != NONE; i = t->n[i].next)
        t->n[i].open = true;
    find_kernel(t);
    list_shown(t);
    return OK;
}

/* Ops without scopes are a list, which the view of ops is, too: the pane begins with the types. */
static bool has_scopes(const struct pane *p)
{
    const struct tree *t = own(p);
    for (size_t i = 1; t && i < t->count; i++)
        if (!t->n[i].leaf)
            return true;
    return false;
}

static int attach(struct pane *p, struct err *e)
{
    const bool tree = p->view == p->n_views;
    if (make_tree(p, e))
        return e->code;
    for (size_t i = 0; tree && own(p)->count && !has_scopes(p) && i < p->n_views; i++)
        if (pane_view_has(p, i)) {
            p->view = i;
            return pane_need_table(p, i, e);
        }
    return OK;
}

/* ---- drawing ---- */

enum { COL_FLOPS, COL_SHARE, COL_RATE, COL_UTIL, N_COLS_TREE };

/* Columns of numbers right of the names; on a wide screen the bar follows. */
static const struct {
    int w, screen; /* width in cells, and the width of the screen from which it is shown */
    const char *title;
} tree_cols[N_COLS_TREE] = {
    [COL_FLOPS] = { 10, 0, "FLOPs" }, /* the head puts the prefix of the unit before it */
    [COL_SHARE] = { 7, 0, "%" },
    [COL_RATE] = { 9, 0, "TFLOPS" },
    [COL_UTIL] = { 8, 56, "Util%" },
};

struct tree_layout {
    int name_w, x[N_COLS_TREE], bar_x, bar_w;
    double flops_div;
    const char *flops_prefix;
};

/* Use of the peak only where a peak is known. */
static bool has_column(const struct tree *t, int w, size_t i)
{
    return w >= tree_cols[i].screen && (i != COL_UTIL || t->n[0].has_util);
}

static void lay_out(const struct tree *t, struct rect a, struct tree_layout *l)
{
    static const struct {
        double div;
        const char *prefix;
    } units[] = { { 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" }, { 1, "" } };
    size_t u = 0;
    int w = 0, at;
    for (size_t i = 0; i < N_COLS_TREE; i++)
        w += has_column(t, a.w, i) ? tree_cols[i].w : 0;
    l->bar_w = a.w >= 100 ? 28 : a.w >= 70 ? 12 : 0;
    l->name_w = at = a.w - 1 - w - (l->bar_w ? l->bar_w + 2 : 0);
    for (size_t i = 0; i < N_COLS_TREE; i++) {
        bool on = has_column(t, a.w, i);
        l->x[i] = on ? a.x + 1 + at : -1;
        at += on ? tree_cols[i].w : 0;
    }
    l->bar_x = a.x + 1 + at + 2;
    /* One unit for the column: that of the total, one step smaller when it would leave few digits. */
    while (u + 1 < ARRAY_LEN(units) && t->n[0].mflops * 1e6 < 10 * units[u].div)
        u++;
    l->flops_div = units[u].div;
    l->flops_prefix = units[u].prefix;
}

/* Two decimals below 10, else one; a small value that would be shown as 0.00 is "<0.01". */
static void tree_number(struct canvas *c, int y, int x, int w, double v)
{
    char t[40];
    if (x < 0)
        return;
    if (v > 0 && v < 0.005)
        snprintf(t, sizeof t, "<0.01");
    else
        snprintf(t, sizeof t, "%.*f", v > 0 && v < 10 ? 2 : v > 0, v);
    draw_right(c, y, x, w, ROLE_TEXT, str_of(t));
}

/* Without '%', which is in the head. */
static void tree_percent(struct canvas *c, int y, int x, int w, double share)
{
    char t[40];
    if (x < 0)
        return;
    unit_percent(t, sizeof t, share);
    draw_right(c, y, x, w, ROLE_TEXT, str_sub(str_of(t), 0, strlen(t) - 1));
}

/* Of a path at the top the first part is kept: it says forward or backward. */
static enum text_cut cut_of(const struct node *n, struct str s, int w)
{
    const size_t first = str_chr(s, '/'), last = s.n > 1 ? str_rchr(str_sub(s, 0, s.n - 1), '/') : SIZE_MAX;
    if (n->depth > 1 || first == SIZE_MAX || last == SIZE_MAX || first == last)
        return n->depth > 1 ? CUT_PATH : CUT_MIDDLE;
    return text_width(str_sub(s, 0, first), 0) + text_width(str_sub(s, last, s.n), 0) + 2 > (size_t)w
               ? CUT_MIDDLE
               : CUT_PATH;
}

static void draw_node(struct pane *p, struct canvas *c, struct rect a, int y, const struct tree_layout *l,
                      size_t i)
{
    const struct tree *t = own(p);
    const struct node *n = &t->n[t->shown[i]];
    int x = a.x + 1 + (n->depth - 1) * 2;
    if (x > a.x + l->name_w / 2)
        x = a.x + l->name_w / 2;
    if (!n->leaf)
        draw_glyph(c, y, x, ROLE_DIM, n->open ? G_TREE_OPEN : G_TREE_CLOSED);
    const bool kernel = t->kernel && n->depth == 1;
    const struct str name = str_of(n->name + (kernel ? t->kernel : 0));
    const int name_x = x + 2 + kernel, name_w = a.x + 1 + l->name_w - name_x;
    if (kernel)
        draw_glyph(c, y, x + 2, ROLE_TEXT, G_CUT);
    draw_text(c, y, name_x, name_w, ROLE_TEXT, name, cut_of(n, name, name_w));
    double share = t->n[0].mflops > 0 ? n->mflops / t->n[0].mflops : 0;
    tree_number(c, y, l->x[COL_FLOPS], tree_cols[COL_FLOPS].w, n->mflops * 1e6 / l->flops_div);
    tree_percent(c, y, l->x[COL_SHARE], tree_cols[COL_SHARE].w, share);
    if (n->time_ns > 0) /* MFLOPs in ns: 1e15 a second */
        tree_number(c, y, l->x[COL_RATE], tree_cols[COL_RATE].w, n->mflops / n->time_ns * 1e3);
    if (n->has_util && n->util_ns > 0)
        tree_percent(c, y, l->x[COL_UTIL], tree_cols[COL_UTIL].w, n->util / n->util_ns / 100);
    if (l->bar_w)
        draw_thin_bar(c, y, l->bar_x, l->bar_w, share, 1, ROLE_CUBE);
    if (i == t->cursor) {
        draw_glyph(c, y, a.x, ROLE_BOLD, G_CURSOR);
        if (!app_slow(p->app))
            draw_role(c, (struct rect){ y, a.x, 1, a.w }, ROLE_CURSOR);
    }
}

static void draw_head(struct canvas *c, struct rect a, const struct tree_layout *l)
{
    char title[32];
    draw_fill(c, (struct rect){ a.y, a.x, 1, a.w }, ROLE_HEAD, ' ');
    draw_puts(c, a.y, a.x + 1, l->name_w, ROLE_HEAD, tr_column("Scope"));
    for (size_t i = 0; i < N_COLS_TREE; i++) {
        bool sorted = i == COL_FLOPS;
        snprintf(title, sizeof title, "%s%s%s%s", sorted ? l->flops_prefix : "",
                 tr_column(tree_cols[i].title), sorted ? " " : "",
                 sorted ? glyph_text(G_SORT_DOWN, canvas_is_ascii(c)) : "");
        if (l->x[i] >= 0)
            draw_right(c, a.y, l->x[i], tree_cols[i].w, sorted ? ROLE_SORTED : ROLE_HEAD, str_of(title));
    }
    if (l->bar_w)
        chart_scale(c, a.y, l->bar_x, l->bar_w, ROLE_HEAD, "0", "100%");
}

/* Totals in words: other tools give two different figures the same name. */
static void draw_totals(const struct tree *t, struct canvas *c, struct rect a)
{
    char f[48], r[48], u[24];
    const struct node *n = &t->n[0];
    int x = a.x + 1 +
            draw_printf(c, a.y, a.x + 1, a.w - 2, ROLE_TEXT, tr("each op once: %s"),
                        unit_flops(f, sizeof f, n->mflops * 1e6));
    if (n->time_ns > 0)
        x += draw_printf(c, a.y, x, a.x + a.w - x, ROLE_TEXT, tr(" in their own time = %s"),
                         unit_flops_rate(r, sizeof r, n->mflops * 1e6 / (n->time_ns / 1e9)));
    if (n->has_util && n->util_ns > 0)
        draw_printf(c, a.y, x, a.x + a.w - x, ROLE_TEXT, tr(", %s of peak"),
                    unit_percent(u, sizeof u, n->util / n->util_ns / 100));
}

static int draw_tree(struct pane *p, struct canvas *c, struct rect a)
{
    struct tree *t = own(p);
    if (!t->count) {
        pane_draw_empty(p, c, a, "flops");
        return a.h;
    }
    struct tree_layout l;
    lay_out(t, a, &l);
    draw_head(c, a, &l);
    size_t rows = a.h > 3 ? (size_t)a.h - 3 : 1;
    if (t->cursor < t->top)
        t->top = t->cursor;
    if (t->cursor >= t->top + rows)
        t->top = t->cursor - rows + 1;
    t->list_y = a.y + 1;
    t->list_h = (int)rows;
    for (size_t i = 0; i < rows && t->top + i < t->n_shown; i++)
        draw_node(p, c, a, a.y + 1 + (int)i, &l, t->top + i);
    size_t used = t->n_shown - t->top < rows ? t->n_shown - t->top : rows;
    if (a.h > 4)
        draw_totals(t, c, (struct rect){ a.y + 2 + (int)used, a.x, 1, a.w });
    return (int)used + 3;
}

static int draw_roof(struct pane *p, struct canvas *c, struct rect a)
{
    struct tree *t = own(p);
    struct session *s = app_session(p->app);
    size_t n;
    const struct view_part *part = session_parts(s, false, &n);
    if (!t->roof_known) {
        err_clear(&t->roof_err);
        if (n)
            (void)!roofline_make(&t->roof, part, session_scope(s), &t->roof_err);
        t->roof_known = true;
    }
    if (t->roof_err.code)
        pane_draw_error(c, a, &t->roof_err);
    else if (t->roof.n)
        flops_roof_draw(&t->roof, c, a);
    else
        draw_puts(c, a.y + 1, a.x + 3, a.w - 5, ROLE_TEXT,
                  tr("FLOPs, times, and shapes with data types are not known of one and the same op here."));
    return a.h;
}

const struct pane_mode pane_flops_modes[] = { { "tree of scopes", draw_tree, 0, has_scopes },
                                              { "roofline", draw_roof, 1, NULL } };

/* ---- keys ---- */

static void set_open(struct tree *t, bool open)
{
    struct node *n = t->cursor < t->n_shown ? &t->n[t->shown[t->cursor]] : NULL;
    if (!n)
        return;
    if (!open && (n->leaf || !n->open) && n->parent != 0) { /* nothing to close: close the scope around */
        for (size_t i = 0; i < t->cursor; i++)
            if (t->shown[i] == n->parent)
                t->cursor = i;
        n = &t->n[n->parent];
    }
    if (!n->leaf)
        n->open = open;
    list_shown(t);
}

/* Full name of a node: its parts from the root on. */
static void full_name(const struct tree *t, uint32_t id, struct buf *out)
{
    uint32_t path[MAX_PARTS + 2];
    size_t n = 0;
    for (; id != 0 && id != NONE && n < ARRAY_LEN(path); id = t->n[id].parent)
        path[n++] = id;
    while (n)
        buf_puts(out, t->n[path[--n]].name);
}

static void open_ops(struct pane *p)
{
    const struct tree *t = own(p);
    struct buf filter, name;
    if (t->cursor >= t->n_shown)
        return;
    const struct node *n = &t->n[t->shown[t->cursor]];
    buf_init(&filter, 65536);
    buf_init(&name, 65536);
    full_name(t, t->shown[t->cursor], &name);
    /* \Q..\E: the name as it is, not as a pattern. */
    buf_puts(&filter, "op_name~\"^\\Q");
    buf_add(&filter, buf_str(&name));
    if (n->leaf) /* the last part may be there twice */
        buf_printf(&filter, "\\E(/\\Q%s\\E)?$\"", n->name);
    else
        buf_puts(&filter, "\\E\"");
    pane_open_view(p, view_def_find("flops.op"), buf_str(&filter), n->name);
    buf_done(&filter);
    buf_done(&name);
}

static void move(struct tree *t, int64_t by)
{
    int64_t to = (int64_t)t->cursor + by, n = (int64_t)t->n_shown;
    t->cursor = (size_t)(to < 0 || !n ? 0 : to >= n ? n - 1 : to);
}

static bool key(struct pane *p, enum action act)
{
    if (!in_front(p))
        return false;
    struct tree *t = own(p);
    int page = t->list_h > 1 ? t->list_h - 1 : 1;
    switch (act) {
    case ACT_DOWN:
    case ACT_UP:
        move(t, act == ACT_DOWN ? 1 : -1);
        return true;
    case ACT_PAGE_DOWN:
    case ACT_PAGE_UP:
        move(t, act == ACT_PAGE_DOWN ? page : -page);
        return true;
    case ACT_HALF_DOWN:
    case ACT_HALF_UP:
        move(t, act == ACT_HALF_DOWN ? page / 2 : -page / 2);
        return true;
    case ACT_FIRST:
        t->cursor = 0;
        return true;
    case ACT_LAST:
        move(t, INT32_MAX);
        return true;
    case ACT_TREE_OPEN:
    case ACT_RIGHT:
        set_open(t, true);
        return true;
    case ACT_TREE_CLOSE:
    case ACT_LEFT:
        set_open(t, false);
        return true;
    case ACT_OPEN:
        open_ops(p);
        return true;
    default:
        return false;
    }
}

static const struct pane_need *needs(const struct pane *p)
{
    static const struct pane_need list[] = {
        { ACT_DOWN, NULL, NULL },    { ACT_UP, NULL, NULL },        { ACT_PAGE_DOWN, NULL, NULL },
        { ACT_PAGE_UP, NULL, NULL }, { ACT_HALF_DOWN, NULL, NULL }, { ACT_HALF_UP, NULL, NULL },
        { ACT_FIRST, NULL, NULL },   { ACT_LAST, NULL, NULL },      { ACT_LEFT, NULL, NULL },
        { ACT_RIGHT, NULL, NULL },   { ACT_OPEN, NULL, NULL },      { ACT_NONE, NULL, NULL },
    };
    return in_front(p) ? list : NULL;
}

static bool mouse(struct pane *p, const struct key_event *k)
{
    struct tree *t = own(p);
    if (!in_front(p))
        return false;
    if (k->mouse == MOUSE_WHEEL_DOWN || k->mouse == MOUSE_WHEEL_UP) {
        move(t, k->mouse == MOUSE_WHEEL_DOWN ? 3 : -3);
        return true;
    }
    size_t i = t->top + (size_t)(k->y - t->list_y);
    if (k->y < t->list_y || k->y >= t->list_y + t->list_h || i >= t->n_shown)
        return false;
    if (k->mouse != MOUSE_PRESS && k->mouse != MOUSE_DOUBLE)
        return false;
    t->cursor = i;
    if (k->mouse == MOUSE_DOUBLE)
        set_open(t, !t->n[t->shown[i]].open);
    return true;
}

static unsigned scopes(const struct pane *p)
{
    return in_front(p) ? SC_LIST | SC_FLOPS : 0;
}

static void status(struct pane *p, struct buf *left, struct buf *right)
{
    const struct tree *t = own(p);
    if (!in_front(p))
        return;
    buf_printf(left, tr("%u ops"), t->n[0].ops);
    buf_printf(right, "%zu/%zu", t->n_shown ? t->cursor + 1 : 0, t->n_shown);
}

static bool bar(const struct pane *p, const struct key_bar **out, size_t *n)
{
    static const struct key_bar tree_bar[] = {
        { ACT_OPEN, ACT_NONE, "ops of scope" },
        { ACT_TREE_OPEN, ACT_TREE_CLOSE, "open, close" },
        { ACT_VIEW_NEXT, ACT_NONE, "view" },
        { ACT_COMMAND, ACT_NONE, NULL },
    };
    if (!in_front(p))
        return false;
    *out = tree_bar;
    *n = ARRAY_LEN(tree_bar);
    return true;
}

const struct pane_ops pane_flops_ops = {
    .open = open_pane,
    .close = close_pane,
    .attach = attach,
    .detach = detach,
    .key = key,
    .needs = needs,
    .mouse = mouse,
    .scopes = scopes,
    .status = status,
    .bar = bar,
};
