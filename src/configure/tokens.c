/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens of configuration texts. */
#include "config.h"

#include "configure/tokens.h"

#include "base/text.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Past the string that begins at i; *closed: it ends on its line, or by its quotes. */
static size_t string_end(struct str t, size_t i, bool *closed)
{
    char quote = t.p[i++];

    for (; i < t.n && t.p[i] != quote; i++) {
        if (t.p[i] == '\n')
            break;
        if (t.p[i] == '\\' && i + 1 < t.n)
            i++;
    }
    *closed = i < t.n && t.p[i] == quote;
    return *closed ? i + 1 : i;
}

static size_t number_end(struct str t, size_t i)
{
    for (i++; i < t.n; i++) {
        char c = t.p[i], before = t.p[i - 1];
        bool sign = (c == '+' || c == '-') && (before == 'e' || before == 'E');
        if (!str_is_word(c) && c != '.' && !sign)
            break;
    }
    return i;
}

struct token token_next(struct str t, size_t *at)
{
    struct token k = { .at = *at };
    size_t i = *at;
    bool closed;

    while (i < t.n && (t.p[i] == ' ' || t.p[i] == '\t' || t.p[i] == '\r' || t.p[i] == '\n'))
        i++;
    k.at = i;
    if (i >= t.n) {
        k.kind = TK_END;
    } else if (t.p[i] == '"' || t.p[i] == '\'') {
        i = string_end(t, i, &closed);
        k.kind = closed ? TK_STRING : TK_OPEN;
    } else if (t.p[i] == '#') {
        while (i < t.n && t.p[i] != '\n')
            i++;
        k.kind = TK_COMMENT;
    } else if (is_digit(t.p[i]) || (t.p[i] == '-' && i + 1 < t.n && is_digit(t.p[i + 1]))) {
        i = number_end(t, i);
        k.kind = TK_NUMBER;
    } else if (str_is_word(t.p[i])) {
        while (i < t.n && (str_is_word(t.p[i]) || t.p[i] == '.'))
            i++;
        k.kind = TK_NAME;
    } else {
        i++;
        k.kind = TK_MARK;
    }
    k.n = i - k.at;
    *at = i;
    return k;
}

struct token token_code(struct str text, size_t *at)
{
    struct token t;

    while ((t = token_next(text, at)).kind == TK_COMMENT)
        ;
    return t;
}

bool token_is(struct str text, struct token t, char mark)
{
    return t.kind == TK_MARK && text.p[t.at] == mark;
}

#define BRACKETS_DEEP 64

bool token_skip(struct str text, struct token t, size_t *at)
{
    char open[BRACKETS_DEEP];
    size_t depth = 0;

    for (;; t = token_code(text, at)) {
        char c = t.kind == TK_MARK ? text.p[t.at] : 0;
        if (t.kind == TK_END || t.kind == TK_OPEN)
            return false;
        if (c && strchr("[{(", c)) {
            if (depth == BRACKETS_DEEP)
                return false;
            open[depth++] = c == '(' ? ')' : (char)(c + 2); /* its other end */
        } else if (c && strchr("]})", c)) {
            if (!depth || open[--depth] != c)
                return false;
        }
        if (!depth)
            return true;
    }
}

static size_t hex_digits(struct str s, size_t n, uint32_t *out)
{
    uint32_t v = 0;

    if (s.n < n)
        return 0;
    for (size_t i = 0; i < n; i++) {
        char c = s.p[i];
        uint32_t d = is_digit(c) ? (uint32_t)(c - '0') : (uint32_t)((c | 0x20) - 'a') + 10;
        if (!is_digit(c) && ((c | 0x20) < 'a' || (c | 0x20) > 'f'))
            return 0;
        v = v * 16 + d;
    }
    *out = v;
    return n;
}

/* An escape that begins at s.p[0] == '\\': append what it means, return its bytes. */
static size_t add_escape(struct str s, struct buf *out)
{
    static const char from[] = "nrtbf0", to[] = "\n\r\t\b\f";
    uint32_t cp, low;
    char bytes[4];

    if (s.n < 2)
        return s.n;
    const char *known = s.p[1] ? strchr(from, s.p[1]) : NULL;
    if (s.p[1] == 'u' && hex_digits(str_sub(s, 2, 4), 4, &cp)) {
        size_t used = 6;
        if (cp >= 0xD800 && cp < 0xDC00 && str_starts(str_sub(s, 6, 2), STR("\\u")) &&
            hex_digits(str_sub(s, 8, 4), 4, &low) && low >= 0xDC00 && low < 0xE000) {
            cp = 0x10000 + ((cp - 0xD800) << 10) + (low - 0xDC00);
            used = 12;
        }
        if (cp >= 0xD800 && cp < 0xE000)
            cp = 0xFFFD;
        buf_add(out, (struct str){ bytes, text_encode(cp, bytes) });
        return used;
    }
    buf_addc(out, known ? to[known - from] : s.p[1]);
    return 2;
}

void token_string(struct str text, struct token t, struct buf *out)
{
    struct str s =
        t.kind == TK_STRING && t.n >= 2 ? str_sub(text, t.at + 1, t.n - 2) : str_sub(text, t.at, t.n);

    for (size_t i = 0; i < s.n;) {
        if (s.p[i] == '\\' && t.kind == TK_STRING) {
            i += add_escape(str_sub(s, i, SIZE_MAX), out);
        } else {
            buf_addc(out, s.p[i++]);
        }
    }
}

void token_place(struct str text, size_t at, size_t *line, size_t *column)
{
    *line = 1;
    *column = 1;
    for (size_t i = 0; i < at && i < text.n; i++) {
        ++*column;
        if (text.p[i] == '\n') {
            ++*line;
            *column = 1;
        }
    }
}
