/* SPDX-License-Identifier: Apache-2.0 */
/* A check of JSON without values: one pass, a stack of brackets. */
#include "config.h"

#include "configure/json_strict.h"

#include "base/text.h"

#define DEEP 64

static bool is_digit(struct str s, size_t i)
{
    return i < s.n && s.p[i] >= '0' && s.p[i] <= '9';
}

static size_t skip_blanks(struct str s, size_t i)
{
    while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t' || s.p[i] == '\n' || s.p[i] == '\r'))
        i++;
    return i;
}

/* The string at s.p[*i] == '"'. */
static const char *check_string(struct str s, size_t *i)
{
    for (++*i; *i < s.n && s.p[*i] != '"'; ++*i) {
        if ((unsigned char)s.p[*i] < ' ')
            return "a control character in a text";
        if (s.p[*i] != '\\')
            continue;
        ++*i;
        if (*i >= s.n || !s.p[*i] || !strchr("\"\\/bfnrtu", s.p[*i]))
            return "an escape that JSON does not have";
        for (size_t k = 1; s.p[*i] == 'u' && k <= 4; k++)
            if (*i + k >= s.n || !s.p[*i + k] || !strchr("0123456789abcdefABCDEF", s.p[*i + k]))
                return "an escape that JSON does not have";
    }
    if (*i >= s.n)
        return "a text without its closing quote";
    ++*i;
    return NULL;
}

static const char *check_number(struct str s, size_t *i)
{
    static const char wrong[] = "a number as JSON does not write it";

    *i += s.p[*i] == '-';
    if (!is_digit(s, *i) || (s.p[*i] == '0' && is_digit(s, *i + 1)))
        return wrong;
    while (is_digit(s, *i))
        ++*i;
    if (*i < s.n && s.p[*i] == '.') {
        ++*i;
        if (!is_digit(s, *i))
            return wrong;
        while (is_digit(s, *i))
            ++*i;
    }
    if (*i < s.n && (s.p[*i] | 0x20) == 'e') {
        ++*i;
        *i += *i < s.n && (s.p[*i] == '+' || s.p[*i] == '-');
        if (!is_digit(s, *i))
            return wrong;
        while (is_digit(s, *i))
            ++*i;
    }
    return NULL;
}

static const char *check_scalar(struct str s, size_t *i)
{
    static const struct str words[] = { { "true", 4 }, { "false", 5 }, { "null", 4 } };

    if (s.p[*i] == '"')
        return check_string(s, i);
    if (s.p[*i] == '-' || is_digit(s, *i))
        return check_number(s, i);
    for (size_t k = 0; k < ARRAY_LEN(words); k++)
        if (str_starts(str_sub(s, *i, SIZE_MAX), words[k])) {
            *i += words[k].n;
            return NULL;
        }
    return "no JSON value";
}

/* A key and its colon, at *i. */
static const char *check_key(struct str s, size_t *i)
{
    *i = skip_blanks(s, *i);
    if (*i >= s.n || s.p[*i] != '"')
        return "a key in double quotes is missing";
    const char *why = check_string(s, i);
    if (why)
        return why;
    *i = skip_blanks(s, *i);
    if (*i >= s.n || s.p[*i] != ':')
        return "a colon is missing after a key";
    ++*i;
    return NULL;
}

/* After a value: brackets that close, a comma. *more: another value follows. */
static const char *check_after(struct str s, size_t *i, const char *open, size_t *depth, bool *more)
{
    for (;;) {
        *i = skip_blanks(s, *i);
        *more = false;
        if (!*depth)
            return *i < s.n ? "something after the end" : NULL;
        if (*i >= s.n)
            return "a bracket is not closed";
        if (s.p[*i] == ',') {
            ++*i;
            *more = true;
            return open[*depth - 1] == '}' ? check_key(s, i) : NULL;
        }
        if (s.p[*i] != open[*depth - 1])
            return "a comma or the closing bracket is missing";
        ++*i;
        --*depth;
    }
}

const char *json_strict(struct str s, size_t *at)
{
    char open[DEEP];
    size_t depth = 0;
    bool more = true;
    const char *why = str_starts(s, STR(UTF8_BOM)) ? JSON_BOM
                      : text_valid_utf8(s)         ? NULL
                                                   : "bytes that are no UTF-8";

    *at = 0;
    while (!why && more) {
        *at = skip_blanks(s, *at);
        if (*at >= s.n)
            return "a value is missing";
        char c = s.p[*at];
        if (c == '{' || c == '[') {
            if (depth == DEEP)
                return "more than 64 brackets in one another";
            open[depth++] = (char)(c + 2);
            *at = skip_blanks(s, *at + 1);
            if (*at < s.n && s.p[*at] == open[depth - 1])
                why = check_after(s, at, open, &depth, &more);
            else if (c == '{')
                why = check_key(s, at);
            continue;
        }
        why = check_scalar(s, at);
        if (!why)
            why = check_after(s, at, open, &depth, &more);
    }
    return why;
}
