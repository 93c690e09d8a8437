/* SPDX-License-Identifier: Apache-2.0 */
/* JSON in a cell. */
#include "config.h"

#include "parsers/read/jsoncell.h"

static size_t skip_blank(struct str s, size_t at)
{
    while (at < s.n && (s.p[at] == ' ' || s.p[at] == '\t' || s.p[at] == '\n' || s.p[at] == '\r'))
        at++;
    return at;
}

/* Index after the string whose opening quote is at `at`; 0: it does not end. */
static size_t string_end(struct str s, size_t at)
{
    for (at++; at < s.n; at++) {
        if (s.p[at] == '\\')
            at++;
        else if (s.p[at] == '"')
            return at + 1;
    }
    return 0;
}

/* Index after the object or array that opens at `at`; 0: it does not end. */
static size_t nest_end(struct str s, size_t at)
{
    size_t depth = 0;

    while (at < s.n) {
        char ch = s.p[at];
        if (ch == '"') {
            at = string_end(s, at);
            if (!at)
                return 0;
            continue;
        }
        depth += ch == '{' || ch == '[';
        if ((ch == '}' || ch == ']') && --depth == 0)
            return at + 1;
        at++;
    }
    return 0;
}

static bool value(struct str s, size_t *at, struct str *val, bool *is_string)
{
    size_t from = skip_blank(s, *at), to;

    *is_string = false;
    if (from >= s.n)
        return false;
    if (s.p[from] == '"') {
        to = string_end(s, from);
        *is_string = true;
        *val = str_sub(s, from + 1, to ? to - from - 2 : 0);
    } else if (s.p[from] == '{' || s.p[from] == '[') {
        to = nest_end(s, from);
        *val = str_sub(s, from, to ? to - from : 0);
    } else {
        for (to = from; to < s.n && !strchr(",]} \t\r\n", s.p[to]);)
            to++;
        *val = str_sub(s, from, to - from);
        if (to == from)
            return false;
    }
    *at = to;
    return to != 0;
}

/* Move to the next element: over the opening bracket (pos 0) or a comma. false: nothing follows. */
static bool advance(struct str s, size_t *pos, char open, char close)
{
    size_t at = skip_blank(s, *pos);

    if (at >= s.n || s.p[at] != (*pos == 0 ? open : ','))
        return false;
    at = skip_blank(s, at + 1);
    *pos = at;
    return at < s.n && s.p[at] != close;
}

bool jc_member(struct str object, size_t *pos, struct str *key, struct str *val, bool *is_string)
{
    bool key_is_string;

    if (!advance(object, pos, '{', '}') || !value(object, pos, key, &key_is_string) || !key_is_string)
        return false;
    size_t at = skip_blank(object, *pos);
    if (at >= object.n || object.p[at] != ':')
        return false;
    *pos = at + 1;
    return value(object, pos, val, is_string);
}

bool jc_item(struct str array, size_t *pos, struct str *val, bool *is_string)
{
    return advance(array, pos, '[', ']') && value(array, pos, val, is_string);
}

bool jc_find(struct str object, struct str key, struct str *val)
{
    struct str name;
    bool is_string;
    size_t pos = 0;

    while (jc_member(object, &pos, &name, val, &is_string))
        if (str_eq(name, key))
            return true;
    return false;
}
