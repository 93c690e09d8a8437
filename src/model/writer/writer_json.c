/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json: an array of objects, one a row, the column ids as keys, of several results an array of these; ndjson:
 * one object a line. Text is UTF-8; characters that could act on a terminal (control, format and invisible
 * characters) are written as \u escapes, each byte that is no UTF-8 as \ufffd. A second column of the same
 * name gets _2.
 */
#include "config.h"

#include "base/text.h"
#include "base/text_table.h"
#include "model/writer/writer_int.h"

static void add_escaped(struct buf *out, uint32_t cp)
{
    if (cp >= 0x10000) {
        cp -= 0x10000;
        buf_printf(out, "\\u%04x\\u%04x", 0xd800 + (unsigned)(cp >> 10), 0xdc00 + (unsigned)(cp & 0x3ff));
    } else {
        buf_printf(out, "\\u%04x", (unsigned)cp);
    }
}

void write_json_string(struct buf *out, struct str s)
{
    static const char named[] = "\bb\ff\nn\rr\tt\"\"\\\\";

    buf_addc(out, '"');
    for (size_t i = 0; i < s.n;) {
        uint32_t cp;
        size_t n = text_decode(s.p + i, s.n - i, &cp);
        const char *name = NULL;
        for (size_t k = 0; cp < 0x80 && cp && k + 1 < sizeof named; k += 2)
            if ((uint32_t)named[k] == cp)
                name = &named[k + 1];
        if (name)
            buf_printf(out, "\\%c", *name);
        else if (cp >= 0xdc00 && cp <= 0xdcff)
            buf_puts(out, "\\ufffd");
        else if (cp < 0x20 || text_table_hidden(cp))
            add_escaped(out, cp);
        else
            buf_add(out, str_sub(s, i, n));
        i += n;
    }
    buf_addc(out, '"');
}

static void add_value(struct buf *out, const struct val *v)
{
    char num[64];

    if (v->t == VAL_TEXT)
        write_json_string(out, v->s);
    else
        buf_puts(out, *write_number(num, sizeof num, v) ? num : "null");
}

static unsigned earlier(const struct writer *w, size_t col)
{
    unsigned n = 1;

    for (size_t i = 0; i < col; i++)
        n += !strcmp(w->cols[i]->id, w->cols[col]->id);
    return n;
}

static void add_object(struct writer *w, const struct val *v)
{
    buf_addc(&w->line, '{');
    if (w->o.named && w->o.format == FMT_NDJSON) {
        buf_puts(&w->line, "\"table\":");
        write_json_string(&w->line, str_of(w->id));
        buf_addc(&w->line, ',');
    }
    for (size_t i = 0; i < w->n_cols; i++) {
        unsigned n = earlier(w, i);

        buf_clear(&w->cell);
        buf_puts(&w->cell, w->cols[i]->id);
        if (n > 1)
            buf_printf(&w->cell, "_%u", n);
        if (i)
            buf_addc(&w->line, ',');
        write_json_string(&w->line, buf_str(&w->cell));
        buf_addc(&w->line, ':');
        add_value(&w->line, &v[i]);
    }
    buf_addc(&w->line, '}');
}

static int begin(struct writer *w, struct err *e)
{
    if (w->o.named) {
        buf_puts(&w->line, w->tables ? ",\n" : "{\n");
        write_json_string(&w->line, str_of(w->id));
        buf_puts(&w->line, ": ");
    } else if (w->several) {
        buf_puts(&w->line, w->tables ? ",\n" : "[\n");
    }
    buf_addc(&w->line, '[');
    return write_line(w, e);
}

static int row(struct writer *w, const struct val *v, struct err *e)
{
    buf_puts(&w->line, w->rows ? ",\n" : "\n");
    add_object(w, v);
    return write_line(w, e);
}

static int end(struct writer *w, struct err *e)
{
    buf_puts(&w->line, w->rows ? "\n]" : "]");
    if (!w->o.named && !w->several)
        buf_addc(&w->line, '\n');
    return write_line(w, e);
}

const struct format_ops json_ops = { begin, row, end };

static int line_begin(struct writer *w, struct err *e)
{
    (void)w;
    (void)e;
    return OK;
}

static int line_row(struct writer *w, const struct val *v, struct err *e)
{
    add_object(w, v);
    buf_addc(&w->line, '\n');
    return write_line(w, e);
}

const struct format_ops ndjson_ops = { line_begin, line_row, line_begin };
