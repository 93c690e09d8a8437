/* SPDX-License-Identifier: Apache-2.0 */
/* The hex view: bytes of a record, its fields to the right of them or below. */
#include "config.h"

#include "ui/pane/hex.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/peek.h"
#include "base/unit.h"
#include "run/layout.h"
#include "ui/app/app.h"

#define ROW_B    16
#define PEEK_B   ((size_t)64 << 10) /* the longest record of text that is shown */
#define MAX_NOTE 1000
#define DUMP_W   (8 + 2 + 3 * ROW_B + 1 + 2 + ROW_B) /* cells of a row of bytes */
#define SIDE_W   46                                  /* cells that fields to the right of the bytes need */

struct hex {
    struct peek *file;
    const struct source_file *f;
    const struct layout *layout; /* NULL: rows of bytes */
    uint64_t first;              /* where the first record of this file begins */
    uint64_t at;                 /* where the record begins, or the first row */
    size_t scroll;               /* rows of fields, or of bytes of the record, above the window */
    size_t shown, wanted;        /* last frame: rows of fields that it had room for, and all of them */
    int rows;                    /* of bytes in the last frame */
    struct place *notes;
    size_t n_notes;
    unsigned char *buf; /* PEEK_B, from buf_at on */
    uint64_t buf_at;
    size_t n;
    struct err err; /* of the last reading */
};

/* ---- bytes ---- */

static size_t fetch(struct hex *h, uint64_t at)
{
    err_clear(&h->err);
    h->buf_at = at;
    h->n = 0;
    if (peek_read(h->file, at, h->buf, PEEK_B, &h->n, &h->err))
        h->n = 0;
    return h->n;
}

static bool is_text(const struct hex *h)
{
    return h->layout && !h->layout->record_b;
}

static size_t length_at(struct hex *h, uint64_t at)
{
    fetch(h, at);
    return h->layout ? layout_length(h->layout, h->buf, h->n) : h->n < ROW_B ? h->n : ROW_B;
}

/* The record before `at`: one step back, or in text what follows the end mark before it. */
static uint64_t before(struct hex *h, uint64_t at)
{
    size_t step = h->layout && h->layout->record_b ? h->layout->record_b : ROW_B;

    if (!is_text(h))
        return at - h->first > step ? at - step : h->first;
    uint64_t from = at - h->first > PEEK_B ? at - PEEK_B : h->first;
    size_t n = fetch(h, from), end = (size_t)(at - from);
    if (end > n)
        end = n;
    for (size_t i = end > 0 ? end - 1 : 0; i > 0; i--)
        if (h->buf[i - 1] == (unsigned char)h->layout->end)
            return from + i;
    return from;
}

static uint64_t after(struct hex *h, uint64_t at)
{
    uint64_t next = at + length_at(h, at);
    return next < peek_size(h->file) ? next : at;
}

static uint64_t last(struct hex *h)
{
    uint64_t size = peek_size(h->file), step = h->layout ? h->layout->record_b : ROW_B;

    if (size <= h->first)
        return h->first;
    if (!step)
        return before(h, size);
    return h->first + (size - h->first - 1) / step * step;
}

/* ---- where records begin ---- */

/*
 * Records of most files go on from one slice to the next: the bytes of all slices before give where the first
 * whole record of this slice begins, unless the slice begins with the mark of a record.
 */
static uint64_t first_record(struct hex *h, const struct source_file *chain)
{
    const struct layout *l = h->layout;
    uint64_t bytes = 0;

    if (!l || !l->record_b || l->alone ||
        (l->mark_b && h->n >= l->mark_b && layout_find(l, path_base(h->f->rel), h->buf, h->n) == l))
        return 0;
    for (; chain && chain != h->f; chain = chain->next_slice)
        bytes += chain->size_b;
    return (l->record_b - bytes % l->record_b) % l->record_b;
}

static void set_at(struct hex *h, uint64_t at)
{
    h->at = at;
    h->scroll = 0;
}

/* The record that holds this byte. */
static void go_to(struct hex *h, uint64_t byte)
{
    uint64_t size = peek_size(h->file);
    size_t step = h->layout ? h->layout->record_b : ROW_B;

    if (byte >= size)
        byte = size ? size - 1 : 0;
    if (byte < h->first)
        set_at(h, h->first);
    else if (step)
        set_at(h, h->first + (byte - h->first) / step * step);
    else
        set_at(h, before(h, byte + 1));
}

/* ---- keys ---- */

static void next_place(struct app *a, struct hex *h)
{
    uint64_t size = peek_size(h->file), from = h->at + length_at(h, h->at);
    const struct layout *l = h->layout;
    uint64_t torn =
        l && l->record_b && size > h->first && (size - h->first) % l->record_b ? last(h) : UINT64_MAX;

    for (int round = 0; round < 2; round++, from = 0) {
        for (size_t i = 0; i < h->n_notes; i++)
            if (h->notes[i].offset >= from) {
                go_to(h, h->notes[i].offset);
                app_say(a, ROLE_WARN, "%s", h->notes[i].text);
                return;
            }
        if (torn != UINT64_MAX && torn >= from) {
            set_at(h, torn);
            app_say(a, ROLE_WARN, "the last record is cut: %" PRIu64 " of %u bytes", size - torn,
                    (unsigned)l->record_b);
            return;
        }
    }
    app_say(a, ROLE_TEXT, "nothing was noted about a place in this file");
}

/* "17": record 17, counted from 1 (byte 17 in text and in files without records); "@17", "0x11": the byte. */
static void go_answer(struct app *a, void *arg, struct str text)
{
    struct hex *h = arg;
    const struct layout *l = h->layout;
    uint64_t v = 0;
    bool byte = !l || !l->record_b, good = true;

    text = str_trim(text);
    if (text.n && text.p[0] == '@') {
        byte = true;
        text = str_sub(text, 1, SIZE_MAX);
    }
    if (str_starts(text, STR("0x")) && text.n > 2 && text.n <= 18) {
        byte = true;
        for (size_t i = 2; i < text.n && good; i++) {
            const char *digits = "0123456789abcdef", *d = memchr(digits, text.p[i] | 32, 16);
            good = d != NULL;
            v = v << 4 | (good ? (uint64_t)(d - digits) : 0);
        }
    } else {
        good = str_u64(text, &v);
    }
    if (!good || (!byte && !v)) {
        app_say(a, ROLE_WARN, "a record such as 17, or a byte such as @4096 or 0x1000");
        return;
    }
    if (!byte)
        v = v - 1 < (UINT64_MAX - h->first) / l->record_b ? h->first + (v - 1) * l->record_b : UINT64_MAX;
    go_to(h, v);
}

static void page(struct hex *h, int dir, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t to = dir > 0 ? after(h, h->at) : before(h, h->at);
        if (to == h->at)
            break;
        set_at(h, to);
    }
}

static void scroll(struct hex *h, int dir)
{
    size_t by = h->shown > 2 ? h->shown - 1 : 1;

    if (dir < 0)
        h->scroll -= h->scroll < by ? h->scroll : by;
    else if (h->scroll + h->shown < h->wanted)
        h->scroll += by;
}

static bool hex_key(void *arg, struct app *a, enum action act)
{
    struct hex *h = arg;
    size_t many = h->layout ? 10 : h->rows > 1 ? (size_t)h->rows - 1 : 1;

    switch (act) {
    case ACT_DOWN:
        page(h, 1, 1);
        break;
    case ACT_UP:
        page(h, -1, 1);
        break;
    case ACT_PAGE_DOWN:
        page(h, 1, many);
        break;
    case ACT_PAGE_UP:
        page(h, -1, many);
        break;
    case ACT_HALF_DOWN:
        scroll(h, 1);
        break;
    case ACT_HALF_UP:
        scroll(h, -1);
        break;
    case ACT_FIRST:
        set_at(h, h->first);
        break;
    case ACT_LAST:
        set_at(h, last(h));
        break;
    case ACT_GO_TO:
        app_ask(a, h->layout && h->layout->record_b ? "record (@4096 or 0x1000: byte): " : "byte: ", STR(""),
                go_answer, h);
        break;
    case ACT_PROBLEMS:
        next_place(a, h);
        break;
    case ACT_BACK:
        return true;
    default:
        break;
    }
    return false;
}

/* ---- drawing ---- */

static void draw_row(struct canvas *c, int y, int x, const struct hex *h, size_t from, size_t end)
{
    char t[24];

    snprintf(t, sizeof t, "%08" PRIx64, h->buf_at + from);
    draw_puts(c, y, x, 8 + 8, ROLE_DIM, t);
    for (size_t i = 0; i < ROW_B && from + i < h->n; i++) {
        unsigned char b = h->buf[from + i];
        enum role r = from + i < end ? ROLE_TEXT : ROLE_DIM;
        snprintf(t, sizeof t, "%02x", b);
        draw_puts(c, y, x + 10 + (int)i * 3 + (i >= 8), 2, r, t);
        draw_cp(c, y, x + 10 + 3 * ROW_B + 3 + (int)i, r, b >= ' ' && b < 127 ? b : '.');
    }
}

/* Rows of bytes from the start of the record. end: where the record ends; bytes after it are dim. */
static void draw_bytes(struct canvas *c, struct rect a, struct hex *h, size_t end, size_t skip)
{
    h->rows = a.h;
    for (int y = 0; y < a.h; y++) {
        size_t from = (skip + (size_t)y) * ROW_B;
        if (from >= h->n)
            break;
        draw_row(c, a.y + y, a.x, h, from, end);
    }
}

struct field_rows {
    struct canvas *c;
    struct rect a;
    struct hex *h;
    size_t row; /* of all fields */
};

/* One line of the list of fields, if it is in the window. */
static int next_line(struct field_rows *r)
{
    size_t row = r->row++;
    return row >= r->h->scroll && row - r->h->scroll < (size_t)r->a.h ? r->a.y + (int)(row - r->h->scroll)
                                                                      : -1;
}

static void draw_field(struct field_rows *r, const struct layout_field *f, size_t end)
{
    struct buf b;
    int y = next_line(r), x = r->a.x, w = r->a.w, name_w = 18;

    if (y < 0)
        return;
    buf_init(&b, 4096);
    draw_puts(r->c, y, x, name_w - 1, ROLE_DIM, f->name);
    bool whole = layout_value(f, r->h->buf, end, &b);
    int used = draw_text(r->c, y, x + name_w, w - name_w, whole ? ROLE_TEXT : ROLE_WARN,
                         whole ? buf_str(&b) : STR("beyond the end"), CUT_MIDDLE);
    if (f->meaning && used + name_w + 3 < w)
        draw_puts(r->c, y, x + name_w + (used < 14 ? 14 : used) + 2, w - name_w - (used < 14 ? 14 : used) - 2,
                  ROLE_DIM, f->meaning);
    buf_done(&b);
}

/* Text is wrapped to the width. */
static void draw_record_text(struct field_rows *r, size_t end)
{
    struct buf b;
    struct str rest, line;

    buf_init(&b, (size_t)1 << 20);
    text_wrap(&b,
              (struct str){ (const char *)r->h->buf,
                            end && r->h->buf[end - 1] == (unsigned char)r->h->layout->end ? end - 1 : end },
              (size_t)(r->a.w > 1 ? r->a.w : 1), canvas_flags(r->c));
    rest = buf_str(&b);
    while (str_next(&rest, '\n', &line)) {
        int y = next_line(r);
        if (y >= 0)
            draw_text(r->c, y, r->a.x, r->a.w, ROLE_TEXT, line, CUT_END);
    }
    buf_done(&b);
}

static void draw_fields(struct canvas *c, struct rect a, struct hex *h, size_t end)
{
    struct field_rows r = { .c = c, .a = a, .h = h };

    if (is_text(h))
        draw_record_text(&r, end);
    for (size_t i = 0; i < h->layout->n_fields; i++)
        if (layout_has(h->layout, &h->layout->fields[i], h->buf, end))
            draw_field(&r, &h->layout->fields[i], end);
    h->shown = a.h > 0 ? (size_t)a.h : 0;
    h->wanted = r.row;
    if (h->scroll + h->shown > h->wanted)
        h->scroll = h->wanted > h->shown ? h->wanted - h->shown : 0;
}

/* "HWTS record 3 of 154 011", its position in the file, and the notes about it. */
static void draw_head(struct canvas *c, struct rect a, struct hex *h, size_t end)
{
    const struct layout *l = h->layout;
    uint64_t size = peek_size(h->file);
    char x[40], y[40];
    int used = 0;
    const char *sep = canvas_is_ascii(c) ? "" : " ";

    if (l && l->record_b && h->at >= h->first && size > h->first) {
        bool cut = end < l->record_b && !l->length_at;
        used = draw_printf(
            c, a.y, a.x, a.w, ROLE_BOLD, "%s %s of %s", l->title,
            unit_count(x, sizeof x, (double)((h->at - h->first) / l->record_b + 1), sep),
            unit_count(y, sizeof y, (double)((size - h->first + l->record_b - 1) / l->record_b), sep));
        if (cut)
            used += draw_printf(c, a.y, a.x + used, a.w - used, ROLE_WARN, "  cut: %zu of %u bytes", end,
                                (unsigned)l->record_b);
    } else {
        used = draw_puts(c, a.y, a.x, a.w, ROLE_BOLD, l ? l->title : "bytes");
    }
    draw_printf(c, a.y, a.x + used, a.w - used, ROLE_DIM, "   byte %s of %s",
                unit_count(x, sizeof x, (double)h->at, sep), unit_count(y, sizeof y, (double)size, sep));
    for (size_t i = 0; i < h->n_notes; i++)
        if (h->notes[i].offset >= h->at && h->notes[i].offset < h->at + (end ? end : 1))
            draw_text(c, a.y + 1, a.x, a.w, ROLE_WARN, str_of(h->notes[i].text), CUT_END);
}

static void hex_draw(void *arg, struct canvas *c, struct rect a)
{
    struct hex *h = arg;
    size_t end = length_at(h, h->at);
    size_t rows = (end + ROW_B - 1) / ROW_B, skip = 0;

    draw_head(c, (struct rect){ a.y, a.x, 2, a.w }, h, end);
    a = (struct rect){ a.y + 2, a.x, a.h - 2, a.w };
    if (h->err.code) {
        draw_puts(c, a.y, a.x, a.w, ROLE_ERROR, h->err.text);
        return;
    }
    if (!h->layout) {
        draw_bytes(c, a, h, h->n, 0);
    } else if (a.w >= DUMP_W + 3 + SIDE_W) {
        int x = a.x + DUMP_W + 3;
        draw_bytes(c, (struct rect){ a.y, a.x, a.h, DUMP_W }, h, end, 0);
        draw_fields(c, (struct rect){ a.y, x, a.h, a.x + a.w - x }, h, end);
    } else {
        int top = (int)rows < a.h / 2 ? (int)rows : a.h / 2;
        if (rows > (size_t)top && h->scroll)
            skip = h->scroll < rows - (size_t)top ? h->scroll : rows - (size_t)top;
        draw_bytes(c, (struct rect){ a.y, a.x, top, a.w }, h, end, skip);
        draw_fields(c, (struct rect){ a.y + top + 1, a.x, a.h - top - 1, a.w }, h, end);
    }
}

static void hex_position(const void *arg, char *buf, size_t n)
{
    const struct hex *h = arg;
    uint64_t size = peek_size(h->file);
    snprintf(buf, n, "%d%%", size ? (int)((double)h->at * 100 / (double)size) : 0);
}

static void hex_free(void *arg)
{
    struct hex *h = arg;

    if (!h)
        return;
    peek_close(h->file);
    free(h->notes);
    free(h->buf);
    free(h);
}

static const struct key_bar bar[] = {
    { ACT_DOWN, ACT_UP, "record" },   { ACT_HALF_DOWN, ACT_HALF_UP, "its fields" },
    { ACT_GO_TO, ACT_NONE, "go to" }, { ACT_PROBLEMS, ACT_NONE, "damaged place" },
    { ACT_BACK, ACT_NONE, "close" },
};
static const struct overlay_ops hex_ops = {
    .draw = hex_draw,
    .key = hex_key,
    .position = hex_position,
    .free = hex_free,
    .bar = bar,
    .n_bar = ARRAY_LEN(bar),
    .scopes = SC_OVERLAY | SC_BYTES,
};

/* ---- opening ---- */

static int read_notes(struct hex *h, struct store *store, struct err *e)
{
    h->notes = calloc(MAX_NOTE, sizeof *h->notes);
    if (!h->notes)
        return err_nomem(e);
    return store ? places_read(store, h->f->id, h->notes, MAX_NOTE, &h->n_notes, e) : OK;
}

int hex_open(struct overlay **out, const struct source_file *f, const struct source_file *chain,
             struct store *store, struct err *e)
{
    struct hex *h = calloc(1, sizeof *h);
    const char *name = path_base(f->rel);

    *out = NULL;
    if (!h)
        return err_nomem(e);
    h->f = f;
    h->buf = malloc(PEEK_B);
    if (!h->buf)
        err_nomem(e);
    else if (peek_open(&h->file, f->path, e) == OK && read_notes(h, store, e) == OK) {
        fetch(h, 0);
        h->layout = layout_find(f->kind->layouts, name, h->buf, h->n);
        h->first = first_record(h, chain);
        h->at = h->first;
        if (overlay_own(out, name, &hex_ops, h, e) == OK)
            return OK;
    }
    hex_free(h);
    return e->code;
}
