/* SPDX-License-Identifier: Apache-2.0 */
/* How a file begins (doc/screens.md#files). */
#include "config.h"

#include "ui/pane/files_preview.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang/tr.h"
#include "base/read/infile.h"

#define BYTES     4096
#define WINDOW_B  65536
#define LINES     20
#define LEAST_H   4 /* an empty line, the head, two lines */
#define AT_W      7 /* offset of a row of bytes */
#define ROW_BYTES 16

struct preview {
    size_t n;
    bool is_text;
    char b[BYTES];
};

/* Text has no control characters but those between its lines. */
static bool is_text(const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)b[i] < ' ' && b[i] != '\n' && b[i] != '\r' && b[i] != '\t')
            return false;
    return true;
}

struct preview *preview_read(const char *path)
{
    struct err ignored = ERR_INIT;
    struct infile *f = NULL;
    struct preview *v = calloc(1, sizeof *v);
    size_t got;

    if (v && infile_open(&f, path, WINDOW_B, &ignored) == OK && infile_more(f, &got, &ignored) == OK) {
        const char *data = infile_data(f, &v->n);
        v->n = v->n < BYTES ? v->n : BYTES;
        memcpy(v->b, data, v->n);
        v->is_text = is_text(v->b, v->n);
    }
    infile_close(f);
    if (v && !v->n) {
        free(v);
        v = NULL;
    }
    return v;
}

void preview_free(struct preview *v)
{
    free(v);
}

/* Long lines go on below. */
static int draw_text_lines(const struct preview *v, struct canvas *c, struct rect a)
{
    struct str rest = { v->b, v->n }, line, part;
    struct buf b;
    int y = 0;

    buf_init(&b, (size_t)1 << 20);
    while (y < a.h && rest.n && str_next(&rest, '\n', &line)) {
        line.n -= line.n && line.p[line.n - 1] == '\r';
        buf_clear(&b);
        text_wrap(&b, line, (size_t)a.w, canvas_flags(c));
        struct str parts = buf_str(&b);
        for (bool any = true; y < a.h && (str_next(&parts, '\n', &part) || any); y++, any = false)
            draw_text(c, a.y + y, a.x, a.w, ROLE_TEXT, part, CUT_END);
    }
    buf_done(&b);
    return y;
}

/* As many groups of four bytes as have room, then the same as text. */
static int draw_bytes(const struct preview *v, struct canvas *c, struct rect a)
{
    const size_t row = (size_t)((a.w - AT_W - 2) / 17 > 0 ? (a.w - AT_W - 2) / 17 * 4 : 4);
    const int text = a.x + AT_W + (int)row * 3 + (int)row / 4 + 1;
    int y = 0;

    for (size_t at = 0; at < v->n && y < a.h; at += row, y++) {
        draw_printf(c, a.y + y, a.x, AT_W, ROLE_DIM, "%05zx", at);
        for (size_t i = 0; i < row && at + i < v->n; i++) {
            unsigned char k = (unsigned char)v->b[at + i];
            draw_printf(c, a.y + y, a.x + AT_W + (int)i * 3 + (int)i / 4, 2, k ? ROLE_TEXT : ROLE_DIM, "%02x",
                        k);
            if (text + (int)i < a.x + a.w)
                draw_cp(c, a.y + y, text + (int)i, ROLE_DIM, k >= ' ' && k < 127 ? k : '.');
        }
    }
    return y;
}

/* Lines without control characters, so that nothing of the file shapes the card. */
static void add_text_lines(const struct preview *v, struct buf *out)
{
    struct str rest = { v->b, v->n }, line;

    for (int i = 0; i < LINES && rest.n && str_next(&rest, '\n', &line); i++) {
        line.n -= line.n && line.p[line.n - 1] == '\r';
        buf_addc(out, ' '); /* what begins with # is a head */
        for (size_t k = 0; k < line.n; k++)
            buf_addc(out, line.p[k] == '\t' ? ' ' : line.p[k]);
        buf_addc(out, '\n');
    }
}

static void add_bytes(const struct preview *v, struct buf *out)
{
    for (size_t at = 0; at < v->n && at < LINES * ROW_BYTES; at += ROW_BYTES) {
        buf_printf(out, " %05zx ", at);
        for (size_t i = at; i < at + ROW_BYTES; i++)
            if (i < v->n)
                buf_printf(out, "%s%02x", i % 4 ? " " : "  ", (unsigned char)v->b[i]);
            else
                buf_puts(out, i % 4 ? "   " : "    ");
        buf_puts(out, "  ");
        for (size_t i = at; i < v->n && i < at + ROW_BYTES; i++)
            buf_addc(out, v->b[i] >= ' ' && v->b[i] < 127 ? v->b[i] : '.');
        buf_addc(out, '\n');
    }
}

void preview_add(const struct preview *v, struct buf *out)
{
    buf_printf(out, "\n# %s\n", v->is_text ? tr("First lines") : tr("First bytes"));
    (v->is_text ? add_text_lines : add_bytes)(v, out);
}

int preview_draw(const struct preview *v, struct canvas *c, struct rect a)
{
    if (a.h < LEAST_H || a.w < 30)
        return 0;
    const struct rect in = { a.y + 2, a.x, a.h - 2 < LINES ? a.h - 2 : LINES, a.w };
    draw_puts(c, a.y + 1, a.x, a.w, ROLE_HEAD, v->is_text ? tr("First lines") : tr("First bytes"));
    return 2 + (v->is_text ? draw_text_lines(v, c, in) : draw_bytes(v, c, in));
}
