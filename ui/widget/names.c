/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ui/widget/draw.h"
#include "ui/widget/names.h"

#define PARTS_MOST 32 /* a path of more of them is cut as usual */
#define NAME_BYTES 4096
#define PART_LEAST 4 /* bytes of a part that is cut, where what tells it apart is less */
#define LAST_LEAST 4 /* cells of the last one */
#define LAST_SOME  2 /* bytes of it that tell something */
#define LAST_GOOD  8

static uint64_t hash(struct str s)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (size_t i = 0; i < s.n; i++)
        h = (h ^ (uint8_t)s.p[i]) * UINT64_C(0x100000001b3);
    return h;
}

/* Bytes of "-op12" at the end; 0: there is no such number. */
static size_t op_number(struct str s)
{
    size_t at = s.n;
    while (at && s.p[at - 1] >= '0' && s.p[at - 1] <= '9')
        at--;
    return at < s.n && at >= 3 && str_eq(str_sub(s, at - 3, 3), STR("-op")) ? s.n - at + 3 : 0;
}

struct str name_once(struct str s)
{
    const size_t at = str_rchr(s, '/'), n = at == SIZE_MAX ? 0 : s.n - at;
    return n > 1 && at >= n && str_eq(str_sub(s, at, n), str_sub(s, at - n, n)) ? str_sub(s, 0, at) : s;
}

struct name_look name_look(struct str shown, struct str whole)
{
    const size_t scope = str_rchr(whole, '/'), number = op_number(whole);
    struct name_look k = { .shown = hash(shown), .whole = hash(whole) };
    k.place_shown = k.shown;
    k.place = k.whole;
    if (number && scope != SIZE_MAX && shown.n > number) {
        k.place = hash(str_sub(whole, 0, scope));
        k.place_shown = hash(str_sub(shown, 0, shown.n - number));
        if (!str_ends(shown, str_sub(whole, whole.n - number, number)))
            k.shown = 0; /* a name without its number is nobody's */
    }
    return k;
}

static const char *cut_mark(unsigned flags)
{
    return glyph_text(G_CUT, flags & (TEXT_ASCII | TEXT_WIDE_AMBIGUOUS));
}

/* ---- parts of a path ---- */

struct parts {
    struct str s;
    size_t n;
    size_t number; /* bytes of the number of an op at the end of the last part */
    struct str part[PARTS_MOST];
};

/* What stays of each part: bytes, 0: it is left out. The last one is cut to so many cells. */
struct plan {
    size_t bytes[PARTS_MOST], last;
    bool whole; /* nothing of what tells it apart is cut */
};

/* "gradConv2D/Conv2DBackpropFilterD-op5" is one part: it says what its layer and type do. */
static void split(struct str s, struct parts *k)
{
    struct str rest = s, piece;
    *k = (struct parts){ .s = s, .number = op_number(s) };
    while (str_next(&rest, '/', &piece)) {
        if (k->n == PARTS_MOST) {
            k->n = 0;
            return;
        }
        k->part[k->n++] = piece;
    }
    if (k->number && k->n > 1 && str_starts(k->part[k->n - 2], STR("grad"))) {
        struct str *grad = &k->part[k->n - 2];
        grad->n = (size_t)(s.p + s.n - grad->p);
        k->n--;
    }
}

/* Bytes of a part up to its first '-'. */
static size_t word_bytes(struct str part)
{
    const size_t dash = str_chr(part, '-');
    return dash == SIZE_MAX || dash == 0 || dash + 1 >= part.n ? part.n : dash;
}

/* Bytes that tell the part a from b. */
static size_t telling(struct str a, struct str b)
{
    size_t n = str_common(a, b) + 1, word = word_bytes(a);
    if (n <= word + 1)
        n = word < PART_LEAST || n == word + 1 ? word : n < PART_LEAST ? PART_LEAST : n;
    n = n < a.n ? n : a.n;
    while (n < a.n && ((unsigned char)a.p[n] & 0xC0) == 0x80)
        n++;
    return n;
}

/*
 * Bytes of the last part of a that tell it from that of b, by more than the number of an op; 0: none do.
 * Where the first parts differ they are those of the two passes, and "gradConv2D" says it in fewer cells.
 */
static size_t telling_last(const struct parts *a, const struct parts *b)
{
    const struct str x = a->part[a->n - 1], y = b->part[b->n - 1];
    const size_t n = str_common(x, y) + 1;
    return n < x.n - a->number && n < y.n - b->number ? n > LAST_SOME ? n : LAST_SOME : 0;
}

/* Keep what tells a from b: the first part in which they differ, or all of those whole. */
static void keep_telling(const struct parts *a, const struct parts *b, struct plan *p)
{
    const size_t most = a->n < b->n ? a->n : b->n;
    size_t head = 0, tail = 0;
    while (head < most && str_eq(a->part[head], b->part[head]))
        head++;
    while (tail < most - head && str_eq(a->part[a->n - 1 - tail], b->part[b->n - 1 - tail]))
        tail++;
    const size_t last = !p->whole && head == 0 && !tail ? telling_last(a, b) : 0;
    if (last) {
        p->bytes[a->n - 1] = last > p->bytes[a->n - 1] ? last : p->bytes[a->n - 1];
        return;
    }
    for (size_t i = head; i < a->n - tail && (p->whole || i == head); i++) {
        size_t n = a->part[i].n;
        if (!p->whole)
            n = telling(a->part[i], i < b->n - tail ? b->part[i] : STR_NULL);
        n = n ? n : 1; /* an empty part is there, too */
        p->bytes[i] = n > p->bytes[i] ? n : p->bytes[i];
    }
}

/* The first part in which both differ; SIZE_MAX: one of them has none there. */
static size_t first_apart(const struct parts *a, const struct parts *b)
{
    const size_t most = a->n < b->n ? a->n : b->n;
    size_t i = 0;
    while (i < most && str_eq(a->part[i], b->part[i]))
        i++;
    return i < most ? i : SIZE_MAX;
}

static bool same_plan(const struct plan *a, const struct plan *b, size_t n)
{
    return !memcmp(a->bytes, b->bytes, n * sizeof a->bytes[0]);
}

static size_t part_cells(const struct parts *k, const struct plan *p, size_t i, unsigned flags)
{
    const struct str part = k->part[i];
    if (i + 1 == k->n)
        return p->last;
    return text_width(str_sub(part, 0, p->bytes[i]), flags) + (p->bytes[i] < part.n) + 1;
}

/* Parts that are left out are one mark, "~/"; without the slash at the end. */
static size_t plan_cells(const struct parts *k, const struct plan *p, unsigned flags)
{
    size_t cells = 0;
    for (size_t i = 0; i < k->n; i++)
        if (p->bytes[i])
            cells += part_cells(k, p, i, flags);
        else
            cells += (size_t)(i == 0 || p->bytes[i - 1]) + (size_t)(i + 1 < k->n && p->bytes[i + 1]);
    return cells;
}

/* Take more of this part if there is room. */
static void grow(const struct parts *k, struct plan *p, size_t i, size_t bytes, const struct name_list *l)
{
    const size_t was = p->bytes[i];
    if (bytes <= was)
        return;
    p->bytes[i] = bytes;
    if (plan_cells(k, p, l->flags) > l->width)
        p->bytes[i] = was;
}

static void grow_last(const struct parts *k, struct plan *p, size_t most, const struct name_list *l)
{
    const size_t whole = text_width(k->part[k->n - 1], l->flags), used = plan_cells(k, p, l->flags);
    if (!p->bytes[k->n - 1] || used >= l->width)
        return;
    most = most < whole ? most : whole;
    const size_t last = p->last + l->width - used;
    if (most > p->last)
        p->last = last < most ? last : most;
}

/* Cells that the last part needs at least to say what the plan wants of it. */
static size_t last_least(const struct parts *k, const struct plan *p, unsigned flags)
{
    const struct str part = k->part[k->n - 1];
    const size_t bytes = p->bytes[k->n - 1], cells = text_width(str_sub(part, 0, bytes), flags);
    if (p->whole && bytes)
        return cells;
    if (k->number)
        return k->number + 1 + (bytes <= part.n - k->number ? cells : 0); /* else the number tells it */
    return bytes ? cells + (bytes < part.n) : LAST_LEAST;
}

/* false: what has to stay has no room. */
static bool fit_last(const struct parts *k, struct plan *p, const struct name_list *l)
{
    const size_t i = k->n - 1, whole = text_width(k->part[i], l->flags), least = last_least(k, p, l->flags);
    const bool need = p->bytes[i] || k->number;
    p->last = least < whole ? least : whole;
    if (!p->bytes[i])
        p->bytes[i] = 1;
    if (plan_cells(k, p, l->flags) > l->width && !need)
        p->bytes[i] = 0;
    return plan_cells(k, p, l->flags) <= l->width;
}

static bool fit_plan(const struct parts *k, struct plan *p, const struct name_list *l)
{
    size_t first = 0;
    if (!fit_last(k, p, l))
        return false;
    for (size_t i = 0; i + 1 < k->n; i++)
        grow(k, p, i, p->bytes[i] ? word_bytes(k->part[i]) : 0, l);
    grow_last(k, p, k->number ? 0 : LAST_GOOD, l);
    while (first < k->n && !p->bytes[first])
        first++;
    for (size_t i = k->n - 1; i > first + 1; i--)
        grow(k, p, i - 1, p->bytes[i - 1] ? 0 : word_bytes(k->part[i - 1]), l);
    grow_last(k, p, SIZE_MAX, l);
    for (size_t i = k->n - 1; i-- > 0;)
        grow(k, p, i, p->bytes[i] ? 0 : word_bytes(k->part[i]), l);
    for (size_t i = 0; i + 1 < k->n; i++)
        grow(k, p, i, p->bytes[i] ? k->part[i].n : 0, l);
    return true;
}

static void add_last(const struct parts *k, size_t cells, unsigned flags, struct buf *out)
{
    const struct str last = k->part[k->n - 1];
    const size_t number = text_width(last, flags) > cells ? k->number : 0;
    text_clip(out, str_sub(last, 0, last.n - number), cells - number, CUT_END, flags);
    text_safe(out, str_sub(last, last.n - number, number), flags);
}

static void add_plan(const struct parts *k, const struct plan *p, unsigned flags, struct buf *out)
{
    const char *mark = cut_mark(flags);
    for (size_t i = 0; i < k->n; i++) {
        const bool last = i + 1 == k->n;
        if (!p->bytes[i]) {
            buf_puts(out, i == 0 || p->bytes[i - 1] ? mark : "");
            buf_puts(out, !last && p->bytes[i + 1] ? "/" : "");
        } else if (last) {
            add_last(k, p->last, flags, out);
        } else {
            text_safe(out, str_sub(k->part[i], 0, p->bytes[i]), flags);
            buf_puts(out, p->bytes[i] < k->part[i].n ? mark : "");
            buf_addc(out, '/');
        }
    }
}

/* ---- names ---- */

struct names {
    const struct name_list *l;
    size_t n;
    struct str name[NAMES_MOST]; /* borrowed */
    struct name_look look[NAMES_MOST];
    struct name_look was[NAMES_MOST]; /* before names that look the same are changed one by one */
    char *text[NAMES_MOST];           /* NULL: as usual; owned */
    bool same[NAMES_MOST];            /* of the name in hand: the others that look the same */
    bool todo[NAMES_MOST], stuck[NAMES_MOST];
    struct plan plan[NAMES_MOST];
    struct parts parts[NAMES_MOST];
};

/* The others that look like name i, of ops of other scopes, too, unless `hard`; how many. */
static size_t find_same(struct names *k, const struct name_look *look, size_t i, bool hard)
{
    size_t n = 0;
    for (size_t j = 0; j < k->n; j++) {
        k->same[j] = name_looks_same(&look[i], &look[j]) || (!hard && name_place_same(&look[i], &look[j]));
        n += k->same[j];
    }
    return n;
}

static bool set_text(struct names *k, size_t i, struct str text)
{
    char *copy = malloc(text.n + 1);
    if (!copy)
        return false;
    free(k->text[i]);
    k->text[i] = str_copy(text, copy, text.n + 1);
    k->look[i] = name_look(text, k->name[i]);
    return true;
}

/* Draw name i like that if nothing else looks the same then. */
static bool take(struct names *k, size_t i, struct str text)
{
    const struct name_look look = name_look(text, k->name[i]);
    for (size_t j = 0; j < k->n; j++)
        if (j != i && name_looks_same(&look, &k->look[j]))
            return false;
    return text_width(text, k->l->flags) <= k->l->width && set_text(k, i, text);
}

/* By what its plan wants of it; false: that has no room. */
static bool by_plan(struct names *k, size_t i, struct plan p)
{
    struct buf b;
    if (!fit_plan(&k->parts[i], &p, k->l))
        return false;
    buf_init(&b, NAME_BYTES);
    add_plan(&k->parts[i], &p, k->l->flags, &b);
    const bool done = set_text(k, i, buf_str(&b));
    buf_done(&b);
    return done;
}

/* By all the parts in which it differs from any other, none of them cut. */
static bool by_whole_parts(struct names *k, size_t i)
{
    struct plan p = { .whole = true };
    for (size_t j = 0; j < k->n; j++)
        if (k->parts[i].n > 1 && k->parts[j].n && !str_eq(k->name[i], k->name[j]))
            keep_telling(&k->parts[i], &k->parts[j], &p);
    return k->parts[i].n > 1 && by_plan(k, i, p);
}

static bool is_inside(struct str s, size_t at)
{
    return at < s.n && ((unsigned char)s.p[at] & 0xC0) == 0x80;
}

/* Where the next character begins, and the one before. */
static size_t after(struct str s, size_t at)
{
    at++;
    while (is_inside(s, at))
        at++;
    return at;
}

static size_t before(struct str s, size_t at)
{
    at--;
    while (at && is_inside(s, at))
        at--;
    return at;
}

static size_t common_end(struct str a, struct str b, size_t most)
{
    size_t n = 0;
    while (n < most && a.p[a.n - 1 - n] == b.p[b.n - 1 - n])
        n++;
    return n;
}

static size_t middle_cells(struct str s, size_t from, size_t to, unsigned flags)
{
    return (from > 0) + text_width(str_sub(s, from, to - from), flags) + (to < s.n);
}

/* From where it first differs from those that look the same to where it last does: "~middle~", and more. */
static bool by_middle(struct names *k, size_t i)
{
    const struct str s = k->parts[i].s;
    const char *mark = cut_mark(k->l->flags);
    size_t from = s.n, to = 0;
    struct buf b;
    for (size_t j = 0; j < k->n; j++) {
        const struct str o = k->parts[j].s;
        const size_t head = str_common(s, o), most = s.n < o.n ? s.n : o.n;
        if (!k->same[j])
            continue;
        from = head < from ? head : from;
        const size_t end = s.n - common_end(s, o, most - head);
        to = end > to ? end : to;
    }
    while (from && is_inside(s, from))
        from--;
    while (is_inside(s, to))
        to++;
    if (from > to || middle_cells(s, from, to, k->l->flags) > k->l->width)
        return false;
    while (to < s.n && middle_cells(s, from, after(s, to), k->l->flags) <= k->l->width)
        to = after(s, to);
    while (from && middle_cells(s, before(s, from), to, k->l->flags) <= k->l->width)
        from = before(s, from);
    buf_init(&b, NAME_BYTES);
    buf_puts(&b, from ? mark : "");
    text_safe(&b, str_sub(s, from, to - from), k->l->flags);
    buf_puts(&b, to < s.n ? mark : "");
    const bool done = take(k, i, buf_str(&b));
    buf_done(&b);
    return done;
}

static bool by_cut(struct names *k, size_t i)
{
    static const enum text_cut cuts[] = { CUT_NAMES, CUT_PARTS, CUT_MIDDLE, CUT_START };
    struct buf b;
    bool done = false;
    buf_init(&b, NAME_BYTES);
    for (size_t c = 0; c < ARRAY_LEN(cuts) && !done; c++) {
        buf_clear(&b);
        text_clip(&b, k->parts[i].s, k->l->width, cuts[c], k->l->flags);
        done = take(k, i, buf_str(&b));
    }
    buf_done(&b);
    return done;
}

/* Each gets what tells it from those that look the same, until none does or there is no more room. */
static void by_parts(struct names *k)
{
    for (bool any = true; any;) {
        any = false;
        for (size_t i = 0; i < k->n; i++) {
            const struct plan was = k->plan[i];
            k->todo[i] = k->parts[i].n > 1 && !k->stuck[i] && find_same(k, k->look, i, false);
            for (size_t j = 0; k->todo[i] && j < k->n; j++)
                if (k->same[j] && k->parts[j].n)
                    keep_telling(&k->parts[i], &k->parts[j], &k->plan[i]);
            k->todo[i] = k->todo[i] && (!k->text[i] || !same_plan(&was, &k->plan[i], k->parts[i].n));
        }
        for (size_t i = 0; i < k->n; i++) {
            if (!k->todo[i])
                continue;
            k->stuck[i] = !by_plan(k, i, k->plan[i]);
            any |= !k->stuck[i];
        }
    }
}

/* All that the plan wants to stay of the parts before the last one is in the usual form, too. */
static bool says_all(const struct names *k, size_t i, const struct plan *p)
{
    const struct parts *mine = &k->parts[i];
    struct buf b;
    bool all = true;
    buf_init(&b, NAME_BYTES);
    k->l->usual(k->l->arg, k->name[i], &b);
    for (size_t j = 0; j + 1 < mine->n && all; j++)
        all = !p->bytes[j] || str_find(buf_str(&b), str_sub(mine->part[j], 0, p->bytes[j]), 0) != SIZE_MAX;
    buf_done(&b);
    return all;
}

/*
 * Names that nothing looks like keep the same parts as those beside them, if there is room: where some say
 * their layer, a reader looks for that of the others.
 */
static void follow_others(struct names *k)
{
    for (size_t i = 0; i < k->n; i++) {
        struct plan p = { .whole = false };
        const struct name_look was = k->look[i];
        bool any = false;
        if (k->text[i] || k->parts[i].n < 2 || text_width(k->name[i], k->l->flags) <= k->l->width)
            continue;
        for (size_t j = 0; j < k->n; j++) {
            const size_t at = first_apart(&k->parts[i], &k->parts[j]);
            if (j == i || at == SIZE_MAX || !k->plan[j].bytes[at])
                continue;
            keep_telling(&k->parts[i], &k->parts[j], &p);
            any = true;
        }
        if (any && !says_all(k, i, &p) && by_plan(k, i, p) && find_same(k, k->look, i, false)) {
            free(k->text[i]);
            k->text[i] = NULL;
            k->look[i] = was;
        }
    }
}

static void tell_apart(struct names *k)
{
    by_parts(k);
    follow_others(k);
    memcpy(k->was, k->look, sizeof k->was);
    for (size_t i = 0; i < k->n; i++)
        if (find_same(k, k->was, i, true) && !by_middle(k, i) && !by_cut(k, i))
            (void)by_whole_parts(k, i);
    for (size_t i = 0; i < k->n; i++) /* those whose look was taken since */
        if (find_same(k, k->look, i, true))
            (void)by_whole_parts(k, i);
}

/* What looks how; whether any two look the same. */
static bool look_at(const struct name_list *l, size_t n, struct name_look *look)
{
    struct buf b;
    bool same = false;
    buf_init(&b, NAME_BYTES);
    for (size_t i = 0; i < n; i++) {
        buf_clear(&b);
        l->usual(l->arg, l->name[i], &b);
        look[i] = name_look(buf_str(&b), l->name[i]);
        for (size_t j = 0; j < i && !same; j++)
            same = name_looks_same(&look[i], &look[j]) || name_place_same(&look[i], &look[j]);
    }
    buf_done(&b);
    return same;
}

struct names *names_apart(const struct name_list *l)
{
    struct name_look look[NAMES_MOST];
    const size_t n = l->n < NAMES_MOST ? l->n : NAMES_MOST;
    if (!l->width || !look_at(l, n, look))
        return NULL;
    struct names *k = calloc(1, sizeof *k);
    if (!k)
        return NULL;
    k->l = l;
    k->n = n;
    for (size_t i = 0; i < n; i++) {
        k->name[i] = l->name[i];
        k->look[i] = look[i];
        split(l->once ? name_once(l->name[i]) : l->name[i], &k->parts[i]);
    }
    tell_apart(k);
    k->l = NULL;
    return k;
}

void names_free(struct names *k)
{
    for (size_t i = 0; k && i < k->n; i++)
        free(k->text[i]);
    free(k);
}

struct str names_text(const struct names *k, struct str name)
{
    for (size_t i = 0; k && i < k->n; i++)
        if (k->text[i] && str_eq(k->name[i], name))
            return str_of(k->text[i]);
    return STR_NULL;
}
