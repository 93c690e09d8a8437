/* SPDX-License-Identifier: Apache-2.0 */
/* JSON text as Python writes it again. */
#include "config.h"

#include "base/read/json_stream.h"
#include "offline/trace/events.h"

#define DIGITS_KEPT 15 /* a decimal of so many digits is the shortest text of the double next to it */

/* Digits of a number with a point and no exponent that count, leading zeros left out. */
static size_t significant(struct str s)
{
    size_t i = 0, n = 0;

    while (i < s.n && (s.p[i] == '-' || s.p[i] == '0' || s.p[i] == '.'))
        i++;
    for (; i < s.n; i++)
        n += s.p[i] != '.';
    return n;
}

/* Python writes it without an exponent: 0, or from 0.0001 on. */
static bool is_plain(struct str s, size_t point)
{
    size_t i = s.p[0] == '-';

    if (s.p[i] != '0')
        return point < 17;
    for (i = point + 1; i < s.n && s.p[i] == '0';)
        i++;
    return i == s.n || i < point + 5;
}

static void put_real(struct emit *o, struct str s)
{
    size_t point = str_chr(s, '.');
    double v;

    if (point != SIZE_MAX && point && str_chr(s, 'e') == SIZE_MAX && str_chr(s, 'E') == SIZE_MAX &&
        significant(s) <= DIGITS_KEPT && is_plain(s, point)) {
        while (s.n > point + 2 && s.p[s.n - 1] == '0')
            s.n--;
        emit_str(o, s);
    } else if (str_f64(s, &v)) {
        emit_repr(o, v);
    } else {
        emit_str(o, s);
    }
}

/* A number or a word. */
static size_t put_scalar(struct emit *o, const char *p, const char *end)
{
    const char *q = p;
    bool real = false;

    for (; q < end && *q != ',' && *q != '}' && *q != ']' && *q != ' ' && *q != '\n' && *q != '\r'; q++)
        real |= *q == '.' || *q == 'e' || *q == 'E';
    struct str s = { p, (size_t)(q - p) };
    if (real && s.n && (s.p[0] == '-' || (s.p[0] >= '0' && s.p[0] <= '9')))
        put_real(o, s);
    else if (str_eq(s, STR("-0")))
        emit_c(o, '0');
    else
        emit_str(o, s);
    return s.n;
}

/* Bytes of the escape at p, with the one it may be a pair with. */
static size_t escape_b(const char *p, const char *end)
{
    size_t n = p + 1 < end && p[1] == 'u' ? 6 : 2, left = (size_t)(end - p);

    if (n == 6 && left >= 12 && (p[2] == 'd' || p[2] == 'D') && p[6] == '\\' && p[7] == 'u')
        n = 12;
    return n < left ? n : left;
}

/* After the opening quote; returns the bytes with the closing one. */
static size_t put_string(struct emit *o, const char *p, const char *end)
{
    const char *q = memchr(p, '"', (size_t)(end - p));
    char text[16];

    emit_c(o, '"');
    if (q && !memchr(p, '\\', (size_t)(q - p))) { /* nearly all */
        emit_n(o, p, (size_t)(q + 1 - p));
        return (size_t)(q + 1 - p);
    }
    q = p;
    while (q < end && *q != '"') {
        const char *from = q;
        while (q < end && *q != '"' && *q != '\\')
            q++;
        emit_n(o, from, (size_t)(q - from));
        if (q == end || *q == '"')
            break;
        size_t n = escape_b(q, end);
        offline_json_part(o, js_unescape((struct str){ q, n }, text));
        q += n;
    }
    emit_c(o, '"');
    return (size_t)(q - p) + (q < end);
}

void offline_rewrite(struct emit *o, struct str raw, struct str inside, struct str more)
{
    const char *p = raw.p, *end = raw.p + raw.n, *last = more.p ? inside.p + inside.n - 1 : NULL;

    while (p < end) {
        char c = *p;
        if (p == last) {
            emit_s(o, p[-1] == '{' ? "" : ", ");
            emit_str(o, more);
        }
        p++;
        if (c == '"') {
            p += put_string(o, p, end);
        } else if (c == ',' || c == ':') {
            emit_c(o, c);
            emit_c(o, ' ');
        } else if (c == '{' || c == '}' || c == '[' || c == ']') {
            emit_c(o, c);
        } else if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
            p += put_scalar(o, p - 1, end) - 1;
        }
    }
}
