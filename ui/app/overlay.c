/* SPDX-License-Identifier: Apache-2.0 */
/* Texts and menus over a pane. */
#include "config.h"

#include "ui/app/overlay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang/tr.h"

struct overlay {
    char title[80];
    /* text */
    struct buf text, wrapped;
    int wrapped_w;
    unsigned wrapped_flags;
    size_t lines, top, hit; /* hit: line of the last match, SIZE_MAX none */
    int page;
    /* one that draws itself */
    const struct overlay_ops *own;
    /* menu */
    const struct menu_ops *ops;
    void *arg;
    size_t cursor;
    struct rect area;
};

static const struct key_bar text_bar[] = {
    { ACT_DOWN, ACT_UP, "scroll" },
    { ACT_SEARCH, ACT_NONE, "search in the text" },
    { ACT_BACK, ACT_NONE, "close" },
};

static struct overlay *make(const char *title, struct err *e)
{
    struct overlay *o = calloc(1, sizeof *o);
    if (!o) {
        err_nomem(e);
        return NULL;
    }
    snprintf(o->title, sizeof o->title, "%s", tr(title));
    buf_init(&o->text, (size_t)4 << 20);
    buf_init(&o->wrapped, (size_t)8 << 20);
    o->hit = SIZE_MAX;
    return o;
}

int overlay_text(struct overlay **out, const char *title, struct str text, struct err *e)
{
    struct overlay *o = *out = make(title, e);
    if (!o)
        return e->code;
    buf_add(&o->text, text);
    if (buf_failed(&o->text)) {
        overlay_free(o);
        *out = NULL;
        return err_set(e, ERR_LIMIT, "the text is too long to be shown");
    }
    return OK;
}

int overlay_menu(struct overlay **out, const struct menu_ops *ops, void *arg, size_t cursor, struct err *e)
{
    struct overlay *o = *out = make(ops->title, e);
    if (!o)
        return e->code;
    o->ops = ops;
    o->arg = arg;
    o->cursor = cursor;
    return OK;
}

int overlay_own(struct overlay **out, const char *title, const struct overlay_ops *ops, void *arg,
                struct err *e)
{
    struct overlay *o = *out = make(title, e);
    if (!o)
        return e->code;
    o->own = ops;
    o->arg = arg;
    return OK;
}

void overlay_free(struct overlay *o)
{
    if (!o)
        return;
    if (o->own)
        o->own->free(o->arg);
    buf_done(&o->text);
    buf_done(&o->wrapped);
    free(o);
}

bool overlay_is(const struct overlay *o, const struct menu_ops *ops)
{
    return o->ops == ops;
}

unsigned overlay_scopes(const struct overlay *o)
{
    if (o->own)
        return o->own->scopes;
    return o->ops ? SC_OVERLAY | SC_MENU : SC_OVERLAY;
}

const struct key_bar *overlay_bar(const struct overlay *o, size_t *n)
{
    *n = o->own ? o->own->n_bar : o->ops ? o->ops->n_bar : ARRAY_LEN(text_bar);
    if (o->own)
        return o->own->bar;
    return o->ops ? o->ops->bar : text_bar;
}

void overlay_position(const struct overlay *o, char *buf, size_t n)
{
    if (o->own) {
        o->own->position(o->arg, buf, n);
    } else if (o->ops) {
        size_t count = o->ops->count(o->arg);
        snprintf(buf, n, "%zu/%zu", count ? o->cursor + 1 : 0, count);
    } else {
        size_t page = o->page > 0 ? (size_t)o->page : 1;
        snprintf(buf, n, "%zu/%zu", (o->top + page - 1) / page + 1,
                 o->lines ? (o->lines + page - 1) / page : 1);
    }
}

/* ---- text ---- */

#define HANG_MAX  60 /* bytes before the text of a line */
#define HANG_REST 24 /* cells that are left for it at least */

/*
 * Where the lines that follow the first of a line begin: at its indentation, or below what stands two blanks
 * or more after its first word or words ("Step       where a mean step goes ...").
 */
static size_t hang_of(struct str line)
{
    size_t indent = 0;

    while (indent < line.n && line.p[indent] == ' ' && indent < HANG_MAX)
        indent++;
    for (size_t i = indent + 1; i + 2 < line.n && i < HANG_MAX && line.p[0] != '#'; i++) {
        if (line.p[i] != ' ' || line.p[i + 1] != ' ')
            continue;
        while (i < line.n && line.p[i] == ' ')
            i++;
        return i < line.n && i <= HANG_MAX ? i : indent;
    }
    return indent;
}

static void wrap_line(struct overlay *o, struct str line, size_t w, unsigned flags)
{
    struct buf one;
    size_t hang = hang_of(line), cells = text_width(str_sub(line, 0, hang), flags);

    if (cells + HANG_REST >= w || text_width(line, flags) <= w)
        hang = cells = 0;
    buf_init(&one, (size_t)1 << 20);
    text_wrap(&one, str_sub(line, hang, line.n), w - cells, flags);
    struct str rest = buf_str(&one), part;
    for (bool first = true; str_next(&rest, '\n', &part); first = false) {
        if (first)
            text_safe(&o->wrapped, str_sub(line, 0, hang), flags);
        else
            buf_printf(&o->wrapped, "%*s", (int)cells, "");
        buf_add(&o->wrapped, part);
        buf_addc(&o->wrapped, '\n');
        o->lines++;
    }
    buf_done(&one);
}

/* Wrap once per width. */
static void wrap_text(struct overlay *o, int w, unsigned flags)
{
    if (o->wrapped_w == w && o->wrapped_flags == flags)
        return;
    struct str rest = buf_str(&o->text), line;
    buf_clear(&o->wrapped);
    o->lines = 0;
    while (str_next(&rest, '\n', &line)) {
        if (!rest.p && !line.n)
            break; /* the text ended with a line break */
        wrap_line(o, line, w > 0 ? (size_t)w : 1, flags);
    }
    o->wrapped_w = w;
    o->wrapped_flags = flags;
}

static void clamp_top(struct overlay *o)
{
    size_t page = o->page > 0 ? (size_t)o->page : 1;
    if (o->top + page > o->lines)
        o->top = o->lines > page ? o->lines - page : 0;
}

static void draw_line(struct canvas *c, int y, int x, int w, struct str line, bool hit)
{
    bool head = line.n && line.p[0] == '#';
    if (head)
        line = str_sub(line, line.n > 1 && line.p[1] == ' ' ? 2 : 1, line.n);
    draw_text(c, y, x, w, hit ? ROLE_MATCH : head ? ROLE_BOLD : ROLE_TEXT, line, CUT_END);
}

static void draw_text_overlay(struct overlay *o, struct canvas *c, struct rect a)
{
    char at[48], pos[32];
    draw_fill(c, a, ROLE_TEXT, ' ');
    draw_box(c, a, o->title);
    wrap_text(o, a.w - 4, canvas_flags(c));
    o->page = a.h - 2;
    clamp_top(o);
    struct str rest = buf_str(&o->wrapped), line;
    for (size_t i = 0; str_next(&rest, '\n', &line) && i < o->top + (size_t)o->page; i++)
        if (i >= o->top)
            draw_line(c, a.y + 1 + (int)(i - o->top), a.x + 2, a.w - 4, line, i == o->hit);
    overlay_position(o, pos, sizeof pos);
    snprintf(at, sizeof at, " %s ", pos);
    draw_puts(c, a.y, a.x + a.w - (int)strlen(at) - 2, 20, ROLE_DIM, at);
}

static bool text_key(struct overlay *o, enum action act)
{
    size_t page = o->page > 1 ? (size_t)o->page - 1 : 1;
    switch (act) {
    case ACT_DOWN:
        o->top++;
        break;
    case ACT_UP:
        o->top -= o->top > 0;
        break;
    case ACT_PAGE_DOWN:
        if (o->top + page + 1 >= o->lines)
            break; /* the end: stay, do not jump */
        o->top += page;
        break;
    case ACT_HALF_DOWN:
        o->top += page / 2;
        break;
    case ACT_PAGE_UP:
        o->top -= o->top > page ? page : o->top;
        break;
    case ACT_HALF_UP:
        o->top -= o->top > page / 2 ? page / 2 : o->top;
        break;
    case ACT_FIRST:
        o->top = 0;
        break;
    case ACT_LAST:
        o->top = o->lines;
        break;
    case ACT_BACK:
    case ACT_HELP:
    case ACT_OPEN:
        return true;
    default:
        break;
    }
    clamp_top(o);
    return false;
}

bool overlay_search(struct overlay *o, struct str pattern, int dir)
{
    struct str rest = buf_str(&o->wrapped), line;
    size_t first = SIZE_MAX, last = SIZE_MAX, found = SIZE_MAX;
    size_t from = o->hit == SIZE_MAX ? o->top : o->hit;
    for (size_t i = 0; str_next(&rest, '\n', &line); i++) {
        if (str_find_nocase(line, pattern) == SIZE_MAX)
            continue;
        if (first == SIZE_MAX)
            first = i;
        if (dir > 0 && found == SIZE_MAX && (i > from || (i == from && o->hit == SIZE_MAX)))
            found = i;
        if (dir < 0 && i < from)
            found = i;
        last = i;
    }
    if (first == SIZE_MAX || !pattern.n)
        return false;
    o->hit = found != SIZE_MAX ? found : dir > 0 ? first : last;
    if (o->hit < o->top || o->hit >= o->top + (size_t)o->page)
        o->top = o->hit > 2 ? o->hit - 2 : 0;
    clamp_top(o);
    return true;
}

/* ---- menu ---- */

static void draw_item(struct overlay *o, struct canvas *c, struct rect a, int y, size_t i)
{
    static const char *const marks[] = { "[ ] ", "[x] ", "[-] " };
    struct menu_item it = { .state = -1 };
    o->ops->item(o->arg, i, &it);
    int x = a.x + 3;
    if (it.state >= 0)
        x += draw_puts(c, y, x, 4, ROLE_TEXT, marks[it.state]);
    int rw = (int)text_width(str_of(it.right), canvas_flags(c));
    draw_puts(c, y, x, a.x + a.w - 2 - x - (rw ? rw + 2 : 0), it.strong ? ROLE_BOLD : ROLE_TEXT, it.text);
    if (rw)
        draw_right(c, y, a.x + a.w - 2 - rw, rw, ROLE_DIM, str_of(it.right));
    if (i == o->cursor) {
        draw_glyph(c, y, a.x + 1, ROLE_BOLD, G_CURSOR);
        draw_role(c, (struct rect){ y, a.x + 1, 1, a.w - 2 }, ROLE_CURSOR);
    }
}

static int menu_width(struct overlay *o, size_t n, unsigned flags)
{
    int w = (int)text_width(str_of(o->title), 0) + 8;
    for (size_t i = 0; i < n && i < 500; i++) {
        struct menu_item it = { .state = -1 };
        o->ops->item(o->arg, i, &it);
        int k = (int)text_width(str_of(it.text), flags) + (int)text_width(str_of(it.right), flags) + 14;
        w = k > w ? k : w;
    }
    return w;
}

static void draw_menu(struct overlay *o, struct canvas *c, struct rect body)
{
    size_t n = o->ops->count(o->arg);
    int w = menu_width(o, n, canvas_flags(c)), h = (int)(n < 200 ? n : 200) + 2;
    if (!n)
        w = (int)text_width(str_of(tr(o->ops->empty)), 0) + 8, h = 3;
    if (w > body.w)
        w = body.w;
    if (h > body.h)
        h = body.h;
    struct rect a = { body.y, body.x + (body.w - w) / 2, h, w };
    if (o->cursor >= n)
        o->cursor = n ? n - 1 : 0;
    o->page = a.h - 2;
    if (o->cursor < o->top)
        o->top = o->cursor;
    if (o->page > 0 && o->cursor >= o->top + (size_t)o->page)
        o->top = o->cursor - (size_t)o->page + 1;
    o->area = a;
    draw_fill(c, a, ROLE_TEXT, ' ');
    draw_box(c, a, o->title);
    if (!n)
        draw_puts(c, a.y + 1, a.x + 3, a.w - 5, ROLE_TEXT, tr(o->ops->empty));
    for (int y = 0; y < o->page && o->top + (size_t)y < n; y++)
        draw_item(o, c, a, a.y + 1 + y, o->top + (size_t)y);
}

static bool menu_key(struct overlay *o, struct app *a, enum action act)
{
    size_t n = o->ops->count(o->arg), page = o->page > 1 ? (size_t)o->page - 1 : 1;
    switch (act) {
    case ACT_DOWN:
        o->cursor += o->cursor + 1 < n;
        return false;
    case ACT_UP:
        o->cursor -= o->cursor > 0;
        return false;
    case ACT_PAGE_DOWN:
        o->cursor = o->cursor + page < n ? o->cursor + page : n ? n - 1 : 0;
        return false;
    case ACT_PAGE_UP:
        o->cursor -= o->cursor > page ? page : o->cursor;
        return false;
    case ACT_FIRST:
        o->cursor = 0;
        return false;
    case ACT_LAST:
        o->cursor = n ? n - 1 : 0;
        return false;
    case ACT_BACK:
        return true;
    default:
        return o->ops->act(a, o->arg, act, n ? o->cursor : SIZE_MAX, &o->cursor);
    }
}

bool overlay_key(struct overlay *o, struct app *a, enum action act)
{
    if (o->own)
        return o->own->key(o->arg, a, act);
    return o->ops ? menu_key(o, a, act) : text_key(o, act);
}

bool overlay_click(struct overlay *o, struct app *a, const struct key_event *k)
{
    if (k->mouse == MOUSE_WHEEL_DOWN || k->mouse == MOUSE_WHEEL_UP)
        return overlay_key(o, a, k->mouse == MOUSE_WHEEL_DOWN ? ACT_DOWN : ACT_UP);
    if (!o->ops || (k->mouse != MOUSE_PRESS && k->mouse != MOUSE_DOUBLE))
        return false;
    struct rect r = o->area;
    bool inside = k->y > r.y && k->y < r.y + r.h - 1 && k->x > r.x && k->x < r.x + r.w - 1;
    if (!inside)
        return k->y < r.y || k->y >= r.y + r.h || k->x < r.x || k->x >= r.x + r.w;
    size_t i = o->top + (size_t)(k->y - r.y - 1);
    if (i >= o->ops->count(o->arg))
        return false;
    o->cursor = i;
    return k->mouse == MOUSE_DOUBLE && menu_key(o, a, ACT_OPEN);
}

static void draw_own(struct overlay *o, struct canvas *c, struct rect a)
{
    draw_fill(c, a, ROLE_TEXT, ' ');
    draw_box(c, a, o->title);
    o->own->draw(o->arg, c, (struct rect){ a.y + 1, a.x + 2, a.h - 2, a.w - 4 });
}

void overlay_draw(struct overlay *o, struct canvas *c, struct rect body)
{
    if (o->own)
        draw_own(o, c, body);
    else if (o->ops)
        draw_menu(o, c, body);
    else
        draw_text_overlay(o, c, body);
}
