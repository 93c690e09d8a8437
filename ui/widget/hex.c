/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes and fields of a record. */
#include "config.h"

#include "ui/widget/hex.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/lang/tr.h"
#include "base/text.h"

#define DUMP_W (8 + 2 + 3 * HEX_ROW_B + 1 + 2 + HEX_ROW_B) /* cells of a row of bytes */
#define SIDE_W 46 /* cells that fields to the right of the bytes need */

bool hex_record_is_text(const struct hex_record *h)
{
    return h->layout && !h->layout->record_b && !h->layout->tlv;
}

static void draw_row(struct canvas *c, int y, int x, const struct hex_record *h, size_t from, size_t end)
{
    char t[24];

    snprintf(t, sizeof t, "%08" PRIx64, h->buf_at + from);
    draw_puts(c, y, x, 8 + 8, ROLE_DIM, t);
    for (size_t i = 0; i < HEX_ROW_B && from + i < h->n; i++) {
        unsigned char b = h->buf[from + i];
        enum role r = from + i < end ? ROLE_TEXT : ROLE_DIM;
        snprintf(t, sizeof t, "%02x", b);
        draw_puts(c, y, x + 10 + (int)i * 3 + (i >= 8), 2, r, t);
        draw_cp(c, y, x + 10 + 3 * HEX_ROW_B + 3 + (int)i, r, b >= ' ' && b < 127 ? b : '.');
    }
}

/* Rows of bytes from the start of the record. end: where the record ends; bytes after it are dim. */
static void draw_bytes(struct canvas *c, struct rect a, struct hex_record *h, size_t end, size_t skip)
{
    h->rows = a.h;
    for (int y = 0; y < a.h; y++) {
        size_t from = (skip + (size_t)y) * HEX_ROW_B;
        if (from >= h->n)
            break;
        draw_row(c, a.y + y, a.x, h, from, end);
    }
}

struct field_rows {
    struct canvas *c;
    struct rect a;
    struct hex_record *h;
    size_t row; /* of all fields */
};

/* One line of the list of fields, if it is in the window. */
static int next_line(struct field_rows *r)
{
    size_t row = r->row++;
    return row >= r->h->scroll && row - r->h->scroll < (size_t)r->a.h ? r->a.y + (int)(row - r->h->scroll)
                                                                      : -1;
}

/* Name, value and meaning of a field; value: p NULL: it lies beyond the end. */
static void draw_value(struct field_rows *r, const char *name, struct str value, const char *meaning)
{
    int y = next_line(r), x = r->a.x, w = r->a.w, name_w = 18;

    if (y < 0)
        return;
    draw_puts(r->c, y, x, name_w - 1, ROLE_DIM, name);
    int used = draw_text(r->c, y, x + name_w, w - name_w, value.p ? ROLE_TEXT : ROLE_WARN,
                         value.p ? value : str_of(tr("beyond the end")), CUT_MIDDLE);
    if (meaning && used + name_w + 3 < w)
        draw_puts(r->c, y, x + name_w + (used < 14 ? 14 : used) + 2, w - name_w - (used < 14 ? 14 : used) - 2,
                  ROLE_DIM, tr(meaning));
}

static void draw_field(struct field_rows *r, const struct layout_field *f, const unsigned char *p, size_t n)
{
    struct buf b;

    buf_init(&b, 4096);
    bool whole = layout_value(f, p, n, &b);
    draw_value(r, f->name, whole ? buf_str(&b) : STR_NULL, f->meaning);
    buf_done(&b);
}

/* The texts behind the fixed part; one that passes the end is named so. */
static void draw_tlv_texts(struct field_rows *r, size_t end)
{
    const struct layout_text *row;
    size_t at = 0;
    unsigned type;
    struct str text;
    char name[24];

    while (layout_text(r->h->layout, r->h->buf, end, &at, &row, &type, &text)) {
        snprintf(name, sizeof name, tr("text %u"), type);
        draw_value(r, row ? row->name : name, text, row ? row->meaning : NULL);
    }
    if (at != end && r->h->layout->n_texts)
        draw_value(r, tr("text"), STR_NULL, NULL);
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

static void draw_fields(struct canvas *c, struct rect a, struct hex_record *h, size_t end)
{
    struct field_rows r = { .c = c, .a = a, .h = h };

    const struct layout *l = h->layout;
    size_t head = layout_head(l) < end ? layout_head(l) : end;
    const unsigned char *p = h->buf + head;

    if (hex_record_is_text(h))
        draw_record_text(&r, end);
    for (size_t i = 0; i < l->n_fields; i++)
        if (layout_has(l, &l->fields[i], p, end - head))
            draw_field(&r, &l->fields[i], p, end - head);
    if (l->tlv)
        draw_tlv_texts(&r, end);
    h->shown = a.h > 0 ? (size_t)a.h : 0;
    h->wanted = r.row;
    if (h->scroll + h->shown > h->wanted)
        h->scroll = h->wanted > h->shown ? h->wanted - h->shown : 0;
}

void hex_record_draw(struct hex_record *h, struct canvas *c, struct rect a)
{
    size_t end = h->end, rows = (end + HEX_ROW_B - 1) / HEX_ROW_B, skip = 0;

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
