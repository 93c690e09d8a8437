/* SPDX-License-Identifier: Apache-2.0 */
/* CSV to JSON, byte by byte. */
#include "config.h"

#include "emit/csvjson.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/grow.h"
#include "base/limits.h"
#include "base/text.h"

#define OUT_B 65536

struct csvjson {
    struct buf cell, out;
    bool in_quotes, quote; /* quote: one was met inside of quotes, the next byte shows what it was */
    bool header_done, any_row, any_cell;
    struct str *name;
    size_t n_names, cap_names, col;
};

int csvjson_new(struct csvjson **out, struct err *e)
{
    struct csvjson *x = calloc(1, sizeof *x);

    *out = x;
    if (!x)
        return err_nomem(e);
    buf_init(&x->cell, LIM_ROW_B);
    buf_init(&x->out, LIM_ROW_B);
    return OK;
}

void csvjson_free(struct csvjson *x)
{
    if (!x)
        return;
    for (size_t i = 0; i < x->n_names; i++)
        free((char *)(uintptr_t)x->name[i].p);
    free(x->name);
    buf_done(&x->cell);
    buf_done(&x->out);
    free(x);
}

/* ---- values ---- */

static void put_text(struct buf *b, struct str s)
{
    uint32_t cp;

    buf_addc(b, '"');
    while (s.n) {
        size_t n = text_decode(s.p, s.n, &cp);
        if (cp == '"' || cp == '\\')
            buf_printf(b, "\\%c", (char)cp);
        else if (cp < 0x20 || cp == 0x7f || (cp >= 0xd800 && cp < 0xe000))
            buf_printf(b, "\\u%04x", (unsigned)cp);
        else
            buf_add(b, (struct str){ s.p, n });
        s = str_sub(s, n, SIZE_MAX);
    }
    buf_addc(b, '"');
}

/* As JSON has numbers: no sign but '-', no leading zeros. */
static bool is_number(struct str s)
{
    size_t i = s.n && s.p[0] == '-', digits = i;

    while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9')
        i++;
    if (i == digits || (s.p[digits] == '0' && i > digits + 1))
        return false;
    if (i == s.n)
        return true;
    size_t from = ++i;
    while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9')
        i++;
    return s.p[from - 1] == '.' && i == s.n && i > from;
}

/* ---- cells and rows ---- */

/* Columns of the same name are told apart by a number. */
static bool add_name(struct csvjson *x, struct str s)
{
    struct str *v = grow_array(x->name, x->n_names, &x->cap_names, sizeof *v, 64);
    size_t same = 1;
    char more[24] = "";

    if (!v)
        return false;
    x->name = v;
    for (size_t i = 0; i < x->n_names; i++)
        same += str_starts(v[i], s) && (v[i].n == s.n || v[i].p[s.n] == ' ');
    if (same > 1)
        snprintf(more, sizeof more, " %zu", same);
    char *p = malloc(s.n + sizeof more);
    if (!p)
        return false;
    memcpy(p, s.p, s.n);
    memcpy(p + s.n, more, sizeof more);
    v[x->n_names++] = (struct str){ p, s.n + strlen(more) };
    return true;
}

static bool end_cell(struct csvjson *x)
{
    struct str s = buf_str(&x->cell);
    bool ok = true;

    if (!x->header_done) {
        ok = add_name(x, s);
    } else if (x->col < x->n_names) {
        bool stamp = s.n && s.p[s.n - 1] == '\t';
        buf_puts(&x->out, x->col ? ", " : x->any_row ? ",\n{" : "{");
        put_text(&x->out, x->name[x->col++]);
        buf_puts(&x->out, ": ");
        if (!stamp && is_number(s))
            buf_add(&x->out, s);
        else
            put_text(&x->out, str_sub(s, 0, s.n - stamp));
    }
    buf_clear(&x->cell);
    x->any_cell = true;
    return ok;
}

static bool end_row(struct csvjson *x)
{
    bool ok = end_cell(x);

    if (x->header_done) {
        buf_addc(&x->out, '}');
        x->any_row = true;
    } else {
        buf_addc(&x->out, '[');
    }
    x->header_done = true;
    x->any_cell = false;
    x->col = 0;
    return ok;
}

static bool put_byte(struct csvjson *x, char c)
{
    bool closed = x->quote && c != '"';

    if (x->in_quotes && !closed) {
        if (c == '"' && !x->quote) {
            x->quote = true;
            return true;
        }
        x->quote = false;
        buf_addc(&x->cell, c);
        return true;
    }
    if (closed)
        x->in_quotes = x->quote = false;
    if (c == ',')
        return end_cell(x);
    if (c == '\n')
        return end_row(x);
    if (c == '"' && !x->cell.n)
        x->in_quotes = true;
    else
        buf_addc(&x->cell, c);
    return true;
}

bool csvjson_put(struct csvjson *x, const char *p, size_t n, csvjson_write_fn *write, void *arg)
{
    bool ok = true;

    for (size_t i = 0; i < n && ok; i++) {
        ok = put_byte(x, p[i]);
        if (x->out.n >= OUT_B) {
            ok &= !x->out.failed;
            write(arg, x->out.p, x->out.n);
            buf_clear(&x->out);
        }
    }
    if (!p && (x->cell.n || x->any_cell))
        ok = end_row(x);
    if (!p)
        buf_puts(&x->out, x->header_done ? "]\n" : "[]\n");
    if (x->out.n)
        write(arg, x->out.p, x->out.n);
    ok &= !x->out.failed && !x->cell.failed;
    buf_clear(&x->out);
    return ok;
}
