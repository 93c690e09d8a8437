/* SPDX-License-Identifier: Apache-2.0 */
/* The canvas: an array of cells, each a short UTF-8 text, a role and its width. */
#include "config.h"

#include "ui/widget/draw.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A base code point and at most four combining marks (base/text.h), four bytes each. */
#define CELL_TEXT 21
#define LINKS_MAX 256 /* of one screen; more are plain text */

struct cell {
    char t[CELL_TEXT]; /* "" in the right half of a wide character */
    uint8_t n;         /* bytes of t */
    uint8_t w;         /* 1, 2; 0 in the right half */
    uint8_t role;
    uint32_t link; /* hash of its URI, 0: none */
};

/* The URIs of the cells that are links, text after text. */
struct link {
    uint32_t hash;
    size_t at; /* in canvas.uris, ended by NUL */
};

struct canvas {
    int rows, cols;
    unsigned flags;
    bool mono, linked; /* linked: URIs are kept */
    struct cell *cells;
    struct buf tmp; /* text on its way into cells */
    struct buf uris;
    struct link links[LINKS_MAX];
    size_t n_links;
};

static struct cell *cell_at(struct canvas *c, int y, int x)
{
    return &c->cells[(size_t)y * (size_t)c->cols + (size_t)x];
}

int canvas_new(struct canvas **out, int rows, int cols, unsigned flags, struct err *e)
{
    *out = NULL;
    struct canvas *c = calloc(1, sizeof(*c));
    if (!c)
        return err_nomem(e);
    c->flags = flags;
    buf_init(&c->tmp, (size_t)1 << 20);
    buf_init(&c->uris, (size_t)4 << 20);
    int rc = canvas_resize(c, rows, cols, e);
    if (rc) {
        canvas_free(c);
        return rc;
    }
    *out = c;
    return OK;
}

void canvas_free(struct canvas *c)
{
    if (!c)
        return;
    buf_done(&c->tmp);
    buf_done(&c->uris);
    free(c->cells);
    free(c);
}

int canvas_resize(struct canvas *c, int rows, int cols, struct err *e)
{
    if (rows < 1)
        rows = 1;
    if (cols < 1)
        cols = 1;
    size_t n;
    if (!size_mul((size_t)rows, (size_t)cols, &n) || n > ((size_t)1 << 22))
        return err_set(e, ERR_LIMIT, "a screen of %dx%d cells is too large", cols, rows);
    struct cell *cells = calloc(n, sizeof(*cells));
    if (!cells)
        return err_nomem(e);
    free(c->cells);
    c->cells = cells;
    c->rows = rows;
    c->cols = cols;
    canvas_clear(c);
    return OK;
}

void canvas_clear(struct canvas *c)
{
    static const struct cell blank = { .t = " ", .n = 1, .w = 1, .role = ROLE_TEXT };
    size_t n = (size_t)c->rows * (size_t)c->cols;
    for (size_t i = 0; i < n; i++)
        c->cells[i] = blank;
    c->n_links = 0;
    buf_clear(&c->uris);
}

int canvas_rows(const struct canvas *c)
{
    return c->rows;
}

int canvas_cols(const struct canvas *c)
{
    return c->cols;
}

bool canvas_is_ascii(const struct canvas *c)
{
    return (c->flags & TEXT_ASCII) != 0;
}

void canvas_set_mono(struct canvas *c, bool mono)
{
    c->mono = mono;
}

bool canvas_is_mono(const struct canvas *c)
{
    return c->mono;
}

unsigned canvas_flags(const struct canvas *c)
{
    return c->flags;
}

static void set_blank(struct cell *k)
{
    k->t[0] = ' ';
    k->t[1] = '\0';
    k->n = 1;
    k->w = 1;
}

/* Half of a wide character that is about to be overwritten leaves a blank in its other half. */
static void split_wide(struct canvas *c, int y, int x)
{
    struct cell *k = cell_at(c, y, x);
    if (k->w == 2 && x + 1 < c->cols)
        set_blank(cell_at(c, y, x + 1));
    if (k->w == 0 && x > 0)
        set_blank(cell_at(c, y, x - 1));
}

static void put_cell(struct canvas *c, int y, int x, enum role r, const char *t, size_t n, int w)
{
    if (n >= CELL_TEXT)
        n = CELL_TEXT - 1;
    split_wide(c, y, x);
    if (w == 2)
        split_wide(c, y, x + 1);
    struct cell *k = cell_at(c, y, x);
    memcpy(k->t, t, n);
    k->t[n] = '\0';
    k->n = (uint8_t)n;
    k->w = (uint8_t)w;
    k->role = (uint8_t)r;
    k->link = 0;
    if (w == 2) {
        k[1].t[0] = '\0';
        k[1].n = 0;
        k[1].w = 0;
        k[1].role = (uint8_t)r;
        k[1].link = 0;
    }
}

static void add_mark(struct canvas *c, int y, int x, const char *t, size_t n)
{
    if (x < 0)
        return;
    struct cell *k = cell_at(c, y, x);
    if (k->w == 0 && x > 0)
        k--;
    if (k->n + n >= CELL_TEXT)
        return;
    memcpy(k->t + k->n, t, n);
    k->n = (uint8_t)(k->n + n);
    k->t[k->n] = '\0';
}

/* Put safe text into cells; (y, x) lies on the canvas. */
static int put_safe(struct canvas *c, int y, int x, int w, enum role r, struct str s)
{
    int at = 0, last = -1;
    for (size_t i = 0; i < s.n;) {
        uint32_t cp;
        size_t n = text_decode(s.p + i, s.n - i, &cp);
        int cw = text_cp_width(cp, c->flags);
        if (cw == 0) {
            if (last >= 0)
                add_mark(c, y, last, s.p + i, n);
        } else if (at + cw > w || x + at + cw > c->cols) {
            break;
        } else {
            put_cell(c, y, x + at, r, s.p + i, n, cw);
            last = x + at;
            at += cw;
        }
        i += n;
    }
    return at;
}

static bool outside(const struct canvas *c, int y, int x, int w)
{
    return y < 0 || y >= c->rows || x < 0 || x >= c->cols || w <= 0;
}

static int room(const struct canvas *c, int x, int w)
{
    return w < c->cols - x ? w : c->cols - x;
}

int draw_text(struct canvas *c, int y, int x, int w, enum role r, struct str s, enum text_cut cut)
{
    if (outside(c, y, x, w))
        return 0;
    w = room(c, x, w);
    buf_clear(&c->tmp);
    text_clip(&c->tmp, s, (size_t)w, cut, c->flags);
    return put_safe(c, y, x, w, r, buf_str(&c->tmp));
}

int draw_puts(struct canvas *c, int y, int x, int w, enum role r, const char *s)
{
    return draw_text(c, y, x, w, r, str_of(s), CUT_END);
}

int draw_printf(struct canvas *c, int y, int x, int w, enum role r, const char *fmt, ...)
{
    char t[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(t, sizeof(t), fmt, ap);
    va_end(ap);
    return draw_puts(c, y, x, w, r, t);
}

int draw_wrap(struct canvas *c, struct rect a, enum role r, struct str s)
{
    struct buf lines;
    struct str rest, line;
    int y = 0;

    if (a.w < 1)
        return 0;
    buf_init(&lines, 65536);
    text_wrap(&lines, s, (size_t)a.w, c ? c->flags : 0);
    for (rest = buf_str(&lines); y < a.h && str_next(&rest, '\n', &line) && (rest.p || line.n); y++)
        if (c)
            draw_text(c, a.y + y, a.x, a.w, r, y + 1 == a.h ? text_unwrap(&lines, line) : line, CUT_END);
    buf_done(&lines);
    return y;
}

int draw_right(struct canvas *c, int y, int x, int w, enum role r, struct str s)
{
    if (outside(c, y, x, w))
        return 0;
    w = room(c, x, w);
    buf_clear(&c->tmp);
    int used = (int)text_clip(&c->tmp, s, (size_t)w, CUT_END, c->flags);
    return put_safe(c, y, x + w - used, used, r, buf_str(&c->tmp));
}

void draw_glyph(struct canvas *c, int y, int x, enum role r, enum glyph g)
{
    if (outside(c, y, x, 1))
        return;
    const char *t = glyph_text(g, canvas_is_ascii(c));
    put_cell(c, y, x, r, t, strlen(t), 1);
}

void draw_cp(struct canvas *c, int y, int x, enum role r, uint32_t cp)
{
    char t[4];
    if (outside(c, y, x, 1))
        return;
    size_t n = text_encode(cp, t);
    put_cell(c, y, x, r, t, n, 1);
}

/* The part of a that lies on the canvas. */
static struct rect on_canvas(const struct canvas *c, struct rect a)
{
    if (a.y < 0) {
        a.h += a.y;
        a.y = 0;
    }
    if (a.x < 0) {
        a.w += a.x;
        a.x = 0;
    }
    if (a.h > c->rows - a.y)
        a.h = c->rows - a.y;
    if (a.w > c->cols - a.x)
        a.w = c->cols - a.x;
    return a;
}

void draw_ground(struct canvas *c, int y, int x)
{
    draw_cp(c, y, x, ROLE_DIM, canvas_is_ascii(c) ? '.' : 0xB7);
}

void draw_fill(struct canvas *c, struct rect a, enum role r, char ch)
{
    a = on_canvas(c, a);
    for (int y = 0; y < a.h; y++)
        for (int x = 0; x < a.w; x++)
            put_cell(c, a.y + y, a.x + x, r, &ch, 1, 1);
}

void draw_role(struct canvas *c, struct rect a, enum role r)
{
    a = on_canvas(c, a);
    for (int y = 0; y < a.h; y++)
        for (int x = 0; x < a.w; x++)
            cell_at(c, a.y + y, a.x + x)->role = (uint8_t)r;
}

void canvas_set_links(struct canvas *c, bool on)
{
    c->linked = on;
}

bool canvas_takes_links(const struct canvas *c)
{
    return c->linked;
}

/* Never 0. */
static uint32_t uri_hash(struct str s)
{
    uint32_t h = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < s.n; i++)
        h = (h ^ (unsigned char)s.p[i]) * 16777619u;
    return h ? h : 1;
}

static const char *uri_of(const struct canvas *c, uint32_t hash)
{
    for (size_t i = 0; hash && i < c->n_links; i++)
        if (c->links[i].hash == hash)
            return c->uris.p + c->links[i].at;
    return NULL;
}

void draw_link(struct canvas *c, struct rect a, struct str uri)
{
    uint32_t hash = uri_hash(uri);
    a = on_canvas(c, a);
    if (!c->linked || !uri.n)
        return;
    if (!uri_of(c, hash)) {
        if (c->n_links == LINKS_MAX)
            return;
        c->links[c->n_links] = (struct link){ hash, c->uris.n };
        buf_add(&c->uris, uri);
        buf_addc(&c->uris, '\0');
        if (buf_failed(&c->uris))
            return;
        c->n_links++;
    }
    for (int y = a.y; y < a.y + a.h; y++) {
        int to = a.x + a.w;
        while (to > a.x && !strcmp(cell_at(c, y, to - 1)->t, " "))
            to--;
        for (int x = a.x; x < to; x++)
            cell_at(c, y, x)->link = hash;
    }
}

const char *canvas_link(const struct canvas *c, int y, int x)
{
    if (y < 0 || x < 0 || y >= c->rows || x >= c->cols)
        return NULL;
    return uri_of(c, c->cells[(size_t)y * (size_t)c->cols + (size_t)x].link);
}

void draw_hline(struct canvas *c, int y, int x, int w, enum role r)
{
    for (int i = 0; i < w; i++)
        draw_glyph(c, y, x + i, r, G_HLINE);
}

void draw_box(struct canvas *c, struct rect a, const char *title)
{
    if (a.h < 2 || a.w < 2)
        return;
    int y1 = a.y + a.h - 1, x1 = a.x + a.w - 1;
    draw_hline(c, a.y, a.x + 1, a.w - 2, ROLE_DIM);
    draw_hline(c, y1, a.x + 1, a.w - 2, ROLE_DIM);
    for (int y = a.y + 1; y < y1; y++) {
        draw_glyph(c, y, a.x, ROLE_DIM, G_VLINE);
        draw_glyph(c, y, x1, ROLE_DIM, G_VLINE);
    }
    draw_glyph(c, a.y, a.x, ROLE_DIM, G_TL);
    draw_glyph(c, a.y, x1, ROLE_DIM, G_TR);
    draw_glyph(c, y1, a.x, ROLE_DIM, G_BL);
    draw_glyph(c, y1, x1, ROLE_DIM, G_BR);
    if (title && *title && a.w > 8) {
        draw_puts(c, a.y, a.x + 2, 1, ROLE_TEXT, " ");
        int n = draw_puts(c, a.y, a.x + 3, a.w - 6, ROLE_BOLD, title);
        draw_puts(c, a.y, a.x + 3 + n, 1, ROLE_TEXT, " ");
    }
}

int draw_bar(struct canvas *c, int y, int x, int w, double value, double max, enum role r, int series)
{
    if (!(max > 0) || !(value > 0) || w <= 0)
        return 0;
    double share = value >= max ? 1.0 : value / max;
    bool ascii = canvas_is_ascii(c);
    int eighths = (int)(share * 8.0 * w + 0.5);
    int full = ascii || series ? (eighths + 4) / 8 : eighths / 8;
    for (int i = 0; i < full; i++)
        draw_cp(c, y, x + i, r, glyph_series(series, ascii));
    if (ascii || series || full >= w)
        return full;
    int rest = eighths % 8;
    if (!full && !rest)
        rest = 1; /* something is there */
    if (!rest)
        return full;
    draw_cp(c, y, x + full, r, glyph_bar(rest));
    return full + 1;
}

int draw_class_bar(struct canvas *c, int y, int x, int w, double value, double max, enum op_class k)
{
    enum role r = k == OC_NONE ? ROLE_CUBE : role_of_class(k);
    if (!canvas_is_ascii(c) && !canvas_is_mono(c))
        return draw_thin_bar(c, y, x, w, value, max, r);
    if (!(max > 0) || !(value > 0) || w <= 0)
        return 0;
    int full = value >= max ? w : (int)(value / max * w + 0.5);
    full += !full && !canvas_is_ascii(c); /* something is there */
    for (int i = 0; i < full; i++)
        draw_cp(c, y, x + i, r, glyph_class(k, canvas_is_ascii(c)));
    return full;
}

int draw_class_key(struct canvas *c, int y, int x, int w, enum op_class k)
{
    const char *word = op_class_word(k);
    int need = 1 + (int)strlen(word);
    bool fill = canvas_is_ascii(c) || canvas_is_mono(c);
    if (need > w)
        return 0;
    draw_cp(c, y, x, role_of_class(k), fill ? glyph_class(k, canvas_is_ascii(c)) : 0x2501);
    draw_puts(c, y, x + 1, need - 1, ROLE_DIM, word);
    return need;
}

int draw_thin_bar(struct canvas *c, int y, int x, int w, double value, double max, enum role r)
{
    if (!(max > 0) || !(value > 0) || w <= 0)
        return 0;
    bool ascii = canvas_is_ascii(c);
    int halves = value >= max ? 2 * w : (int)(value / max * 2 * w + 0.5);
    int full = halves / 2, rest = halves ? halves % 2 : 1; /* something is there */
    for (int i = 0; i < full; i++)
        draw_cp(c, y, x + i, r, ascii ? '=' : 0x2501);
    if (rest && full < w)
        draw_cp(c, y, x + full, r, ascii ? '-' : 0x2578);
    return full + rest;
}

void canvas_text(const struct canvas *c, struct buf *out)
{
    for (int y = 0; y < c->rows; y++) {
        const struct cell *row = &c->cells[(size_t)y * (size_t)c->cols];
        int end = c->cols;
        while (end > 0 && row[end - 1].w == 1 && !strcmp(row[end - 1].t, " "))
            end--;
        for (int x = 0; x < end; x++)
            buf_puts(out, row[x].t);
        buf_addc(out, '\n');
    }
}

const char *canvas_cell(const struct canvas *c, int y, int x, enum role *r)
{
    if (y < 0 || x < 0 || y >= c->rows || x >= c->cols)
        return "";
    const struct cell *k = &c->cells[(size_t)y * (size_t)c->cols + (size_t)x];
    if (r)
        *r = (enum role)k->role;
    return k->t;
}

static bool same_place(const struct canvas *a, const struct canvas *b, int y)
{
    return a->cols == b->cols && y >= 0 && y < a->rows && y < b->rows;
}

bool canvas_cell_same(const struct canvas *a, const struct canvas *b, int y, int x)
{
    if (!same_place(a, b, y) || x < 0 || x >= a->cols)
        return false;
    size_t at = (size_t)y * (size_t)a->cols + (size_t)x;
    const struct cell *p = &a->cells[at], *q = &b->cells[at];
    return p->n == q->n && p->role == q->role && p->w == q->w && !memcmp(p->t, q->t, p->n);
}

bool canvas_row_same(const struct canvas *a, const struct canvas *b, int y)
{
    if (!same_place(a, b, y))
        return false;
    for (int x = 0; x < a->cols; x++)
        if (!canvas_cell_same(a, b, y, x))
            return false;
    return true;
}

bool canvas_links_same(const struct canvas *a, const struct canvas *b, int y)
{
    if (!same_place(a, b, y))
        return false;
    size_t at = (size_t)y * (size_t)a->cols;
    for (size_t x = at; x < at + (size_t)a->cols; x++)
        if (a->cells[x].link != b->cells[x].link)
            return false;
    return true;
}

bool canvas_was_link(const struct canvas *c, int y, int x)
{
    return y >= 0 && x >= 0 && y < c->rows && x < c->cols &&
           c->cells[(size_t)y * (size_t)c->cols + (size_t)x].link;
}

void canvas_copy_row(struct canvas *to, const struct canvas *from, int y)
{
    if (!same_place(to, from, y))
        return;
    size_t at = (size_t)y * (size_t)to->cols;
    memcpy(&to->cells[at], &from->cells[at], (size_t)to->cols * sizeof(struct cell));
}
