/* SPDX-License-Identifier: Apache-2.0 */
/* Line editor over a flat buffer; the cursor is a byte offset on a code point. */
#include "config.h"

#include "ui/app/prompt.h"

#include <stdlib.h>
#include <string.h>

/* ---- history: newest last in the array ---- */

struct history {
    char **lines;
    size_t n, max;
};

int history_new(struct history **out, size_t max, struct err *e)
{
    *out = NULL;
    struct history *h = calloc(1, sizeof(*h));
    if (!h)
        return err_nomem(e);
    h->max = max ? max : 1;
    h->lines = calloc(h->max, sizeof(*h->lines));
    if (!h->lines) {
        free(h);
        return err_nomem(e);
    }
    *out = h;
    return OK;
}

void history_free(struct history *h)
{
    if (!h)
        return;
    for (size_t i = 0; i < h->n; i++)
        free(h->lines[i]);
    free(h->lines);
    free(h);
}

static void drop_line(struct history *h, size_t i)
{
    free(h->lines[i]);
    memmove(&h->lines[i], &h->lines[i + 1], (h->n - i - 1) * sizeof(*h->lines));
    h->n--;
}

void history_add(struct history *h, struct str line)
{
    if (!h || !line.n || line.n > 4096)
        return;
    char *copy = malloc(line.n + 1);
    if (!copy)
        return;
    memcpy(copy, line.p, line.n);
    copy[line.n] = '\0';
    for (size_t i = 0; i < h->n; i++)
        if (str_eq(str_of(h->lines[i]), line)) {
            drop_line(h, i);
            break;
        }
    if (h->n == h->max)
        drop_line(h, 0);
    h->lines[h->n++] = copy;
}

size_t history_count(const struct history *h)
{
    return h ? h->n : 0;
}

struct str history_get(const struct history *h, size_t i)
{
    return h && i < h->n ? str_of(h->lines[h->n - 1 - i]) : STR_NULL;
}

/* ---- editor ---- */

#define NO_HISTORY SIZE_MAX

struct prompt {
    struct prompt_opts o;
    struct buf text, kept /* what was typed before history was called up */, killed, candidates;
    size_t cur;  /* byte offset */
    size_t hist; /* entry shown, NO_HISTORY: the text typed */
    int scroll;  /* first cell (one line) or first line (several) shown */
};

int prompt_new(struct prompt **out, const struct prompt_opts *o, struct err *e)
{
    *out = NULL;
    struct prompt *p = calloc(1, sizeof(*p));
    if (!p)
        return err_nomem(e);
    p->o = *o;
    size_t max = o->max ? o->max : 4096;
    buf_init(&p->text, max);
    buf_init(&p->kept, max);
    buf_init(&p->killed, max);
    buf_init(&p->candidates, 64 << 10);
    p->hist = NO_HISTORY;
    *out = p;
    return OK;
}

void prompt_free(struct prompt *p)
{
    if (!p)
        return;
    buf_done(&p->text);
    buf_done(&p->kept);
    buf_done(&p->killed);
    buf_done(&p->candidates);
    free(p);
}

struct str prompt_text(const struct prompt *p)
{
    return buf_str(&p->text);
}

void prompt_rewind(struct prompt *p)
{
    p->cur = 0;
}

size_t prompt_cursor(const struct prompt *p)
{
    return p->cur;
}

struct str prompt_candidates(const struct prompt *p)
{
    return buf_str(&p->candidates);
}

static void set_text(struct prompt *p, struct str s)
{
    buf_clear(&p->text);
    buf_add(&p->text, s);
    if (buf_failed(&p->text))
        buf_clear(&p->text);
    p->cur = p->text.n;
}

void prompt_set(struct prompt *p, struct str text)
{
    set_text(p, text);
    p->hist = NO_HISTORY;
    buf_clear(&p->candidates);
}

static void remove_range(struct prompt *p, size_t from, size_t to)
{
    if (to <= from)
        return;
    memmove(p->text.p + from, p->text.p + to, p->text.n - to);
    p->text.n -= to - from;
    p->text.p[p->text.n] = '\0';
    if (p->cur > to)
        p->cur -= to - from;
    else if (p->cur > from)
        p->cur = from;
}

/* Insert bytes at the cursor; too much text is refused as a whole. */
static bool insert_bytes(struct prompt *p, struct str s)
{
    if (!s.n || s.n > p->text.max || p->text.n > p->text.max - s.n)
        return false;
    size_t old = p->text.n;
    buf_add(&p->text, s);
    if (buf_failed(&p->text)) {
        p->text.failed = false;
        p->text.n = old;
        return false;
    }
    memmove(p->text.p + p->cur + s.n, p->text.p + p->cur, old - p->cur);
    memcpy(p->text.p + p->cur, s.p, s.n);
    p->cur += s.n;
    return true;
}

void prompt_insert(struct prompt *p, struct str text)
{
    /* Line breaks of a paste become blanks in a one-line prompt; other control bytes go. */
    for (size_t i = 0; i < text.n; i++) {
        char ch = text.p[i];
        if (ch == '\r')
            ch = '\n';
        if (ch == '\t' || (ch == '\n' && !p->o.multiline))
            ch = ' ';
        if ((unsigned char)ch < ' ' && ch != '\n')
            continue;
        insert_bytes(p, (struct str){ &ch, 1 });
    }
    buf_clear(&p->candidates);
}

static size_t prev_cp(const struct prompt *p, size_t at)
{
    if (at)
        at--;
    while (at && ((unsigned char)p->text.p[at] & 0xC0) == 0x80)
        at--;
    return at;
}

static size_t next_cp(const struct prompt *p, size_t at)
{
    uint32_t cp;
    return at < p->text.n ? at + text_decode(p->text.p + at, p->text.n - at, &cp) : at;
}

static size_t line_start(const struct prompt *p, size_t at)
{
    while (at && p->text.p[at - 1] != '\n')
        at--;
    return at;
}

static size_t line_end(const struct prompt *p, size_t at)
{
    while (at < p->text.n && p->text.p[at] != '\n')
        at++;
    return at;
}

static size_t word_start(const struct prompt *p, size_t at)
{
    while (at && p->text.p[at - 1] == ' ')
        at--;
    while (at && !strchr(" \n/.,=<>~\\(", p->text.p[at - 1]))
        at--;
    return at;
}

static enum prompt_result kill_range(struct prompt *p, size_t from, size_t to)
{
    if (from >= to)
        return PROMPT_MOVED;
    buf_clear(&p->killed);
    buf_add(&p->killed, str_sub(buf_str(&p->text), from, to - from));
    remove_range(p, from, to);
    return PROMPT_CHANGED;
}

static enum prompt_result show_history(struct prompt *p, size_t i)
{
    if (p->hist == NO_HISTORY) {
        buf_clear(&p->kept);
        buf_add(&p->kept, buf_str(&p->text));
    }
    p->hist = i;
    set_text(p, i == NO_HISTORY ? buf_str(&p->kept) : history_get(p->o.history, i));
    return PROMPT_CHANGED;
}

/* ^R: the next older entry that holds what was typed. */
static enum prompt_result history_search(struct prompt *p)
{
    struct str want = p->hist == NO_HISTORY ? buf_str(&p->text) : buf_str(&p->kept);
    size_t from = p->hist == NO_HISTORY ? 0 : p->hist + 1;
    for (size_t i = from; i < history_count(p->o.history); i++)
        if (!want.n || str_find_nocase(history_get(p->o.history, i), want) != SIZE_MAX)
            return show_history(p, i);
    return PROMPT_MOVED;
}

/* Up and Down: move between the lines of the text, and beyond its ends through history. */
static enum prompt_result vertical(struct prompt *p, int dir)
{
    size_t start = line_start(p, p->cur), end = line_end(p, p->cur), col = p->cur - start;
    if (dir < 0 && start) {
        size_t s = line_start(p, start - 1);
        p->cur = s + col < start - 1 ? s + col : start - 1;
    } else if (dir > 0 && end < p->text.n) {
        size_t le = line_end(p, end + 1);
        p->cur = end + 1 + col < le ? end + 1 + col : le;
    } else if (dir < 0) {
        size_t i = p->hist == NO_HISTORY ? 0 : p->hist + 1;
        return i < history_count(p->o.history) ? show_history(p, i) : PROMPT_MOVED;
    } else if (p->hist != NO_HISTORY) {
        return show_history(p, p->hist ? p->hist - 1 : NO_HISTORY);
    }
    while (p->cur < p->text.n && ((unsigned char)p->text.p[p->cur] & 0xC0) == 0x80)
        p->cur--;
    return PROMPT_MOVED;
}

/* ---- completion ---- */

struct candidates {
    struct str prefix;
    struct buf *list; /* separated by blanks */
    struct buf common;
    size_t n;
};

static void add_candidate(void *cookie, struct str word)
{
    struct candidates *k = cookie;
    if (word.n < k->prefix.n || !str_eq_nocase(str_sub(word, 0, k->prefix.n), k->prefix))
        return;
    if (k->n++) {
        size_t i = 0;
        while (i < k->common.n && i < word.n && k->common.p[i] == word.p[i])
            i++;
        while (i && i < word.n && ((unsigned char)word.p[i] & 0xC0) == 0x80)
            i--; /* not inside a code point */
        k->common.n = i;
        if (k->n < 200)
            buf_puts(k->list, "  ");
    } else {
        buf_add(&k->common, word);
    }
    if (k->n < 200)
        buf_add(k->list, word);
}

static enum prompt_result complete(struct prompt *p)
{
    if (!p->o.complete)
        return PROMPT_MOVED;
    size_t from = p->cur;
    struct candidates k = { .list = &p->candidates };
    buf_clear(&p->candidates);
    buf_init(&k.common, 4096);
    /* Two passes: the first finds where the word starts. */
    k.prefix = STR("");
    p->o.complete(p->o.arg, buf_str(&p->text), p->cur, &from, add_candidate, &k);
    if (from > p->cur)
        from = p->cur;
    buf_clear(&p->candidates);
    buf_clear(&k.common);
    k.n = 0;
    k.prefix = str_sub(buf_str(&p->text), from, p->cur - from);
    p->o.complete(p->o.arg, buf_str(&p->text), p->cur, &from, add_candidate, &k);
    enum prompt_result r = PROMPT_MOVED;
    size_t plen = p->cur > from ? p->cur - from : 0;
    if (k.n && k.common.n >= plen && k.common.n) {
        struct buf word;
        buf_init(&word, 4096);
        buf_add(&word, buf_str(&k.common));
        bool changes = !str_eq(buf_str(&word), str_sub(buf_str(&p->text), from, plen));
        if (changes) {
            remove_range(p, from, p->cur);
            insert_bytes(p, buf_str(&word));
            r = PROMPT_CHANGED;
        }
        buf_done(&word);
    }
    if (k.n == 1)
        buf_clear(&p->candidates);
    buf_done(&k.common);
    return r;
}

/* ---- keys ---- */

static enum prompt_result move_key(struct prompt *p, uint32_t code)
{
    switch (code) {
    case K_LEFT:
    case K_CTRL('B'):
        p->cur = prev_cp(p, p->cur);
        return PROMPT_MOVED;
    case K_RIGHT:
    case K_CTRL('F'):
        p->cur = next_cp(p, p->cur);
        return PROMPT_MOVED;
    case K_HOME:
    case K_CTRL('A'):
        p->cur = line_start(p, p->cur);
        return PROMPT_MOVED;
    case K_END:
    case K_CTRL('E'):
        p->cur = line_end(p, p->cur);
        return PROMPT_MOVED;
    case K_UP:
    case K_CTRL('P'):
        return vertical(p, -1);
    case K_DOWN:
    case K_CTRL('N'):
        return vertical(p, 1);
    case K_CTRL('R'):
        return history_search(p);
    default:
        return PROMPT_NOTHING;
    }
}

static enum prompt_result edit_key(struct prompt *p, uint32_t code)
{
    switch (code) {
    case K_BACKSPACE:
        if (!p->text.n && !p->o.multiline)
            return PROMPT_CANCEL;
        if (!p->cur)
            return PROMPT_MOVED;
        remove_range(p, prev_cp(p, p->cur), p->cur);
        return PROMPT_CHANGED;
    case K_DEL:
    case K_CTRL('D'):
        if (p->cur >= p->text.n)
            return PROMPT_MOVED;
        remove_range(p, p->cur, next_cp(p, p->cur));
        return PROMPT_CHANGED;
    case K_CTRL('W'):
        return kill_range(p, word_start(p, p->cur), p->cur);
    case K_CTRL('U'):
        return kill_range(p, line_start(p, p->cur), p->cur);
    case K_CTRL('K'):
        return kill_range(p, p->cur, line_end(p, p->cur));
    case K_CTRL('Y'):
        return insert_bytes(p, buf_str(&p->killed)) ? PROMPT_CHANGED : PROMPT_MOVED;
    default:
        return PROMPT_NOTHING;
    }
}

enum prompt_result prompt_key(struct prompt *p, uint32_t code)
{
    if (code == K_TAB)
        return complete(p);
    buf_clear(&p->candidates);
    if (code == K_ESC || code == K_CTRL('C'))
        return PROMPT_CANCEL;
    if (code == K_ENTER) {
        if (!p->o.multiline)
            return PROMPT_ACCEPT;
        return insert_bytes(p, STR("\n")) ? PROMPT_CHANGED : PROMPT_MOVED;
    }
    enum prompt_result r = move_key(p, code);
    if (r != PROMPT_NOTHING)
        return r;
    r = edit_key(p, code);
    if (r == PROMPT_NOTHING && code >= ' ' && code < 0x110000) {
        char t[4];
        size_t n = text_encode(code, t);
        r = insert_bytes(p, (struct str){ t, n }) ? PROMPT_CHANGED : PROMPT_MOVED;
    }
    if (r == PROMPT_CHANGED)
        p->hist = NO_HISTORY;
    return r;
}

/* ---- drawing ---- */

/* Bytes of the line that fit into w cells, up to a blank where there is one; all of it when it fits. */
static size_t row_bytes(struct str line, int w, unsigned flags)
{
    size_t i = 0, blank = 0;
    int cells = 0;
    while (i < line.n) {
        uint32_t cp;
        size_t n = text_decode(line.p + i, line.n - i, &cp);
        cells += (int)text_width((struct str){ line.p + i, n }, flags);
        if (cp == ' ' && cells == w + 1)
            return i + n; /* the blank may lie beyond the edge */
        if (cells > w)
            return blank ? blank : i ? i : n;
        i += n;
        if (cp == ' ')
            blank = i;
    }
    return i;
}

/* Goes through the lines of a statement, wrapped for the screen. */
struct wrapped {
    struct str rest, line; /* lines to come; what is left of this one */
    bool in_line;
};

static bool next_row(struct wrapped *v, int w, unsigned flags, struct str *row)
{
    if (!v->in_line && !str_next(&v->rest, '\n', &v->line))
        return false;
    size_t n = row_bytes(v->line, w, flags);
    *row = str_sub(v->line, 0, n);
    v->line = str_sub(v->line, n, v->line.n);
    v->in_line = v->line.n > 0;
    return true;
}

int prompt_rows(const struct prompt *p, int w, unsigned flags)
{
    int n = 0;
    struct str row;
    struct wrapped v = { .rest = buf_str(&p->text) };
    while (next_row(&v, w, flags, &row))
        n++;
    return n ? n : 1;
}

/* Byte offset in s of the first text at or after `cells`. */
static size_t skip_cells(struct str s, int cells, unsigned flags)
{
    size_t i = 0;
    while (i < s.n && cells > 0) {
        uint32_t cp;
        size_t n = text_decode(s.p + i, s.n - i, &cp);
        cells -= (int)text_width((struct str){ s.p + i, n }, flags);
        i += n;
    }
    return i;
}

static void draw_line(struct canvas *c, int y, int x, int w, struct str line, int scroll)
{
    size_t from = skip_cells(line, scroll, canvas_flags(c));
    draw_text(c, y, x, w, ROLE_TEXT, str_sub(line, from, line.n), CUT_END);
}

/* Row and column of the cursor: the last row that begins at or before it. */
static void place_cursor(const struct prompt *p, int w, unsigned flags, int *y, int *x)
{
    struct str all = buf_str(&p->text), row;
    struct wrapped v = { .rest = all };
    *y = *x = 0;
    for (int i = 0; next_row(&v, w, flags, &row); i++) {
        size_t from = row.p ? (size_t)(row.p - all.p) : 0;
        if (from > p->cur)
            return;
        *y = i;
        *x = (int)text_width(str_sub(all, from, p->cur - from), flags);
    }
}

static void draw_multi(struct prompt *p, struct canvas *c, struct rect a, int *cy, int *cx)
{
    unsigned flags = canvas_flags(c);
    struct str row;
    struct wrapped v = { .rest = buf_str(&p->text) };
    int w = a.w > 1 ? a.w - 1 : 1, y, x; /* the last cell is for a cursor after the end */
    int over = prompt_rows(p, w, flags) - a.h;
    place_cursor(p, w, flags, &y, &x);
    if (p->scroll > over)
        p->scroll = over > 0 ? over : 0;
    if (y < p->scroll)
        p->scroll = y;
    if (y >= p->scroll + a.h)
        p->scroll = y - a.h + 1;
    for (int i = 0; next_row(&v, w, flags, &row); i++)
        if (i >= p->scroll && i < p->scroll + a.h)
            draw_text(c, a.y + i - p->scroll, a.x, a.w, ROLE_TEXT, row, CUT_END);
    *cy = a.y + y - p->scroll;
    *cx = a.x + x;
}

void prompt_draw(struct prompt *p, struct canvas *c, struct rect a, int *cy, int *cx)
{
    if (p->o.multiline) {
        draw_multi(p, c, a, cy, cx);
        return;
    }
    int used = p->o.label ? draw_puts(c, a.y, a.x, a.w, ROLE_PROMPT, p->o.label) : 0;
    int w = a.w - used;
    int col = (int)text_width(str_sub(buf_str(&p->text), 0, p->cur), canvas_flags(c));
    if (col < p->scroll)
        p->scroll = col;
    if (col >= p->scroll + w)
        p->scroll = col - w + 1;
    if (p->scroll < 0 || col < w)
        p->scroll = 0;
    draw_line(c, a.y, a.x + used, w, buf_str(&p->text), p->scroll);
    *cy = a.y;
    *cx = a.x + used + col - p->scroll;
}
