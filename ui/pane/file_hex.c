/* SPDX-License-Identifier: Apache-2.0 */
/* The hex view: bytes of a record, its fields to the right of them or below. */
#include "config.h"

#include "ui/pane/file_hex.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang/said.h"
#include "base/lang/tr.h"
#include "base/path.h"
#include "base/read/peek.h"
#include "base/unit.h"
#include "run/layout.h"
#include "ui/app/app.h"
#include "ui/widget/hex.h"

#define PEEK_B   ((size_t)64 << 10) /* the longest record of text that is shown */
#define MAX_NOTE 1000

struct hex {
    struct peek *file;
    const struct source_file *f;
    struct hex_record rec; /* its bytes: PEEK_B from buf_at on, owned */
    uint64_t first;        /* where the first record of this file begins */
    uint64_t at;           /* where the record begins, or the first row */
    struct place *notes;
    size_t n_notes;
    struct err err; /* of the last reading */
};

/* ---- bytes ---- */

static size_t fetch(struct hex *h, uint64_t at)
{
    err_clear(&h->err);
    h->rec.buf_at = at;
    h->rec.n = 0;
    if (peek_read(h->file, at, h->rec.buf, PEEK_B, &h->rec.n, &h->err))
        h->rec.n = 0;
    return h->rec.n;
}

/* Bytes of every record of the file; 0: rows of bytes, or records of many lengths. */
static size_t step_of(const struct hex *h)
{
    return h->rec.layout ? layout_step(h->rec.layout) : 0;
}

static bool is_tlv(const struct hex *h)
{
    return h->rec.layout && h->rec.layout->tlv;
}

static size_t length_at(struct hex *h, uint64_t at)
{
    fetch(h, at);
    return h->rec.layout          ? layout_length(h->rec.layout, h->rec.buf, h->rec.n)
           : h->rec.n < HEX_ROW_B ? h->rec.n
                                  : HEX_ROW_B;
}

/*
 * Of records of many lengths, whose bytes from `at` on were fetched: where the next one begins. One that is
 * longer than what is shown is believed when none begins in it.
 */
static uint64_t next_tlv(const struct hex *h, uint64_t at)
{
    const unsigned char *p = h->rec.buf + (at - h->rec.buf_at);
    size_t n = h->rec.n - (size_t)(at - h->rec.buf_at), next = layout_next(h->rec.layout, p, n);
    uint64_t size = peek_size(h->file), length = 0;

    for (size_t i = 6; i-- > 2 && n >= LAYOUT_TLV_B;)
        length = length << 8 | p[i];
    length += LAYOUT_TLV_B;
    return at + (next == n && length > n && length <= size - at ? length : next);
}

/* The record that begins before `at`, and holds the byte before it. */
static uint64_t before_tlv(struct hex *h, uint64_t at)
{
    uint64_t from = at - h->first > PEEK_B / 2 ? at - PEEK_B / 2 : h->first, last = from;

    fetch(h, from);
    if (from > h->first && !layout_fits(h->rec.layout, h->rec.buf, h->rec.n))
        from += layout_next(h->rec.layout, h->rec.buf, h->rec.n);
    while (from < at) {
        last = from;
        from = next_tlv(h, from);
        if (from - h->rec.buf_at >= h->rec.n)
            break;
    }
    return last;
}

/* The record before `at`: one step back, or in text what follows the end mark before it. */
static uint64_t before(struct hex *h, uint64_t at)
{
    size_t step = step_of(h) ? step_of(h) : HEX_ROW_B;

    if (is_tlv(h))
        return before_tlv(h, at);
    if (!hex_record_is_text(&h->rec))
        return at - h->first > step ? at - step : h->first;
    uint64_t from = at - h->first > PEEK_B ? at - PEEK_B : h->first;
    size_t n = fetch(h, from), end = (size_t)(at - from);
    if (end > n)
        end = n;
    for (size_t i = end > 0 ? end - 1 : 0; i > 0; i--)
        if (h->rec.buf[i - 1] == (unsigned char)h->rec.layout->end)
            return from + i;
    return from;
}

static uint64_t after(struct hex *h, uint64_t at)
{
    uint64_t next = at + length_at(h, at);

    if (is_tlv(h))
        next = h->rec.n ? next_tlv(h, at) : at;
    return next < peek_size(h->file) ? next : at;
}

static uint64_t last(struct hex *h)
{
    uint64_t size = peek_size(h->file), step = h->rec.layout ? step_of(h) : HEX_ROW_B;

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
    const struct layout *l = h->rec.layout;
    uint64_t bytes = 0;

    if (!l || !layout_step(l) || l->alone ||
        (l->mark_b && h->rec.n >= l->mark_b &&
         layout_find(l, path_base(h->f->rel), h->rec.buf, h->rec.n) == l))
        return 0;
    for (; chain && chain != h->f; chain = chain->next_slice)
        bytes += chain->size_b;
    return (l->record_b - bytes % l->record_b) % l->record_b;
}

static void set_at(struct hex *h, uint64_t at)
{
    h->at = at;
    h->rec.scroll = 0;
}

/* The record that holds this byte. */
static void go_to(struct hex *h, uint64_t byte)
{
    uint64_t size = peek_size(h->file);
    size_t step = h->rec.layout ? step_of(h) : HEX_ROW_B;

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
    const struct layout *l = h->rec.layout;
    uint64_t torn = step_of(h) && size > h->first && (size - h->first) % step_of(h) ? last(h) : UINT64_MAX;
    char said[400];

    for (int round = 0; round < 2; round++, from = 0) {
        for (size_t i = 0; i < h->n_notes; i++)
            if (h->notes[i].offset >= from) {
                go_to(h, h->notes[i].offset);
                app_say(a, ROLE_WARN, "%s", tr_sentence(h->notes[i].text, said, sizeof said));
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
    const struct layout *l = h->rec.layout;
    uint64_t v = 0;
    bool byte = !step_of(h), good = true;

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
    size_t by = h->rec.shown > 2 ? h->rec.shown - 1 : 1;

    if (dir < 0)
        h->rec.scroll -= h->rec.scroll < by ? h->rec.scroll : by;
    else if (h->rec.scroll + h->rec.shown < h->rec.wanted)
        h->rec.scroll += by;
}

static bool hex_key(void *arg, struct app *a, enum action act)
{
    struct hex *h = arg;
    size_t many = h->rec.layout ? 10 : h->rec.rows > 1 ? (size_t)h->rec.rows - 1 : 1;

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
        app_ask(a, step_of(h) ? "record (@4096 or 0x1000: byte): " : "byte: ", STR(""), go_answer, h);
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

/* "HWTS record 3 of 154 011", its position in the file, and the notes about it. */
static void draw_head(struct canvas *c, struct rect a, struct hex *h, size_t end)
{
    const struct layout *l = h->rec.layout;
    uint64_t size = peek_size(h->file);
    char x[40], y[40], said[400];
    int used = 0;
    const char *sep = canvas_is_ascii(c) ? "" : " ";

    if (step_of(h) && h->at >= h->first && size > h->first) {
        bool cut = end < l->record_b && !l->length_at;
        used = draw_printf(
            c, a.y, a.x, a.w, ROLE_BOLD, tr("%s %s of %s"), tr(l->title),
            unit_count(x, sizeof x, (double)((h->at - h->first) / l->record_b + 1), sep),
            unit_count(y, sizeof y, (double)((size - h->first + l->record_b - 1) / l->record_b), sep));
        if (cut)
            used += draw_printf(c, a.y, a.x + used, a.w - used, ROLE_WARN, tr("  cut: %zu of %u bytes"), end,
                                (unsigned)l->record_b);
    } else {
        used = draw_puts(c, a.y, a.x, a.w, ROLE_BOLD, tr(l ? l->title : "bytes"));
        if (is_tlv(h) && size > h->first && !layout_fits(l, h->rec.buf, end) && end < PEEK_B)
            used += draw_puts(c, a.y, a.x + used, a.w - used, ROLE_WARN, tr("  cut or damaged"));
    }
    draw_printf(c, a.y, a.x + used, a.w - used, ROLE_DIM, tr("   byte %s of %s"),
                unit_count(x, sizeof x, (double)h->at, sep), unit_count(y, sizeof y, (double)size, sep));
    for (size_t i = 0; i < h->n_notes; i++)
        if (h->notes[i].offset >= h->at && h->notes[i].offset < h->at + (end ? end : 1))
            draw_text(c, a.y + 1, a.x, a.w, ROLE_WARN,
                      str_of(tr_sentence(h->notes[i].text, said, sizeof said)), CUT_END);
}

static void hex_draw(void *arg, struct canvas *c, struct rect a)
{
    struct hex *h = arg;
    char said[400];

    h->rec.end = length_at(h, h->at);
    draw_head(c, (struct rect){ a.y, a.x, 2, a.w }, h, h->rec.end);
    a = (struct rect){ a.y + 2, a.x, a.h - 2, a.w };
    if (h->err.code)
        draw_puts(c, a.y, a.x, a.w, ROLE_ERROR, tr_said_error(&h->err, said, sizeof said));
    else
        hex_record_draw(&h->rec, c, a);
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
    free(h->rec.buf);
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

int file_hex_open(struct overlay **out, const struct source_file *f, const char *path,
                  const struct source_file *chain, struct store *store, struct err *e)
{
    struct hex *h = calloc(1, sizeof *h);
    const char *name = path_base(f->rel);

    *out = NULL;
    if (!h)
        return err_nomem(e);
    h->f = f;
    h->rec.buf = malloc(PEEK_B);
    if (!h->rec.buf)
        err_nomem(e);
    else if (peek_open(&h->file, path, e) == OK && read_notes(h, store, e) == OK) {
        fetch(h, 0);
        h->rec.layout = layout_find(f->kind->layouts, name, h->rec.buf, h->rec.n);
        h->first = first_record(h, chain);
        h->at = h->first;
        if (overlay_own(out, name, &hex_ops, h, e) == OK)
            return OK;
    }
    hex_free(h);
    return e->code;
}
