/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON text held in memory: escapes, members of one object. No sentinel follows it, so every step is checked.
 */
#include "config.h"

#include "base/limits.h"
#include "base/read/json_stream.h"

/* ---- escapes ---- */

static int hex4(const char *p)
{
    int v = 0;

    for (int i = 0; i < 4; i++) {
        char c = p[i];
        int d = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
        if (d < 0)
            return -1;
        v = v * 16 + d;
    }
    return v;
}

static size_t put_utf8(uint32_t cp, char *out)
{
    if (cp < 0x80) {
        out[0] = (char)cp;
        return 1;
    }
    size_t n = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = { 0, 0, 0xC0, 0xE0, 0xF0 };
    for (size_t i = n - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (cp & 0x3F));
        cp >>= 6;
    }
    out[0] = (char)(lead[n] | cp);
    return n;
}

/* The \u escape at s.p[0] = '\\' (one or a pair of them): code point, *used bytes of text.
 * UINT32_MAX: not one. */
static uint32_t unicode_escape(struct str s, size_t *used)
{
    int hi = s.n >= 6 ? hex4(s.p + 2) : -1;

    if (hi < 0)
        return UINT32_MAX;
    *used = 6;
    if (hi < 0xD800 || hi > 0xDFFF)
        return (uint32_t)hi;
    int lo = hi < 0xDC00 && s.n >= 12 && s.p[6] == '\\' && s.p[7] == 'u' ? hex4(s.p + 8) : -1;
    if (lo < 0xDC00 || lo > 0xDFFF)
        return 0xFFFD;
    *used = 12;
    return 0x10000 + (((uint32_t)hi - 0xD800) << 10) + ((uint32_t)lo - 0xDC00);
}

static char short_escape(char c)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *hit = c ? strchr(from, c) : NULL;
    return hit ? to[hit - from] : '\0';
}

struct str js_unescape(struct str s, char *out)
{
    size_t n = 0, i = 0;

    while (i < s.n) {
        if (s.p[i] != '\\' || i + 1 == s.n) {
            out[n++] = s.p[i++];
            continue;
        }
        char plain = short_escape(s.p[i + 1]);
        size_t used = 0;
        uint32_t cp = s.p[i + 1] == 'u' ? unicode_escape(str_sub(s, i, 12), &used) : UINT32_MAX;
        if (plain) {
            out[n++] = plain;
            i += 2;
        } else if (cp != UINT32_MAX) {
            n += put_utf8(cp, out + n);
            i += used;
        } else {
            out[n++] = s.p[i++];
        }
    }
    return (struct str){ out, n };
}

/* ---- members ---- */

static size_t skip_blanks(struct str s, size_t i)
{
    while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\n' || s.p[i] == '\r' || s.p[i] == '\t'))
        i++;
    return i;
}

/* Index of the closing quote of the string whose text starts at i; s.n: none. */
static size_t close_of(struct str s, size_t i)
{
    for (; i < s.n && s.p[i] != '"'; i++)
        i += s.p[i] == '\\';
    return i < s.n ? i : s.n;
}

/* Index after the container that opens at i; 0: damaged. */
static size_t skip_nested(struct str s, size_t i)
{
    uint64_t objects = 0;
    int depth = 0;

    for (; i < s.n; i++) {
        char c = s.p[i];
        if (c == '"') {
            i = close_of(s, i + 1);
        } else if (c == '{' || c == '[') {
            if (depth++ == LIM_JSON_DEPTH)
                return 0;
            objects = objects << 1 | (c == '{');
        } else if (c == '}' || c == ']') {
            if ((objects & 1) != (c == '}'))
                return 0;
            objects >>= 1;
            if (--depth == 0)
                return i + 1;
        }
    }
    return 0;
}

/* The value at i: raw text; returns where it ends, 0: damaged. */
static size_t value_at(struct str s, size_t i, struct str *val, bool *is_string)
{
    size_t from = i;

    *is_string = i < s.n && s.p[i] == '"';
    if (i >= s.n)
        return 0;
    if (*is_string) {
        size_t close = close_of(s, i + 1);
        *val = str_sub(s, i + 1, close - i - 1);
        return close < s.n ? close + 1 : 0;
    }
    if (s.p[i] == '{' || s.p[i] == '[') {
        i = skip_nested(s, i);
    } else {
        while (i < s.n && s.p[i] != ',' && s.p[i] != '}' && s.p[i] != ']' && s.p[i] != '"' && s.p[i] != ':')
            i++;
        *val = str_trim(str_sub(s, from, i - from));
        return val->n ? i : 0;
    }
    *val = str_sub(s, from, i > from ? i - from : 0);
    return i;
}

bool js_member(struct str object, size_t *pos, struct str *key, struct str *val, bool *is_string)
{
    size_t i = skip_blanks(object, *pos);

    if (*pos == 0) {
        if (i >= object.n || object.p[i] != '{')
            return false;
        i = skip_blanks(object, i + 1);
    }
    if (i >= object.n || object.p[i] != '"')
        return false;
    size_t close = close_of(object, i + 1);
    *key = str_sub(object, i + 1, close - i - 1);
    i = skip_blanks(object, close + 1);
    if (i >= object.n || object.p[i] != ':')
        return false;
    i = value_at(object, skip_blanks(object, i + 1), val, is_string);
    if (i == 0)
        return false;
    i = skip_blanks(object, i);
    if (i >= object.n || (object.p[i] != ',' && object.p[i] != '}'))
        return false;
    *pos = object.p[i] == ',' ? i + 1 : object.n;
    return true;
}

bool js_find(struct str object, struct str key, struct str *val, bool *is_string)
{
    size_t pos = 0;
    struct str k;

    while (js_member(object, &pos, &k, val, is_string))
        if (str_eq(k, key))
            return true;
    *val = STR_NULL;
    return false;
}
