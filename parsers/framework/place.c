/* SPDX-License-Identifier: Apache-2.0 */
/* Names of frames, modules and scopes. */
#include "config.h"

#include "parsers/framework/place.h"

#include "parsers/framework/framework.h"

struct str framework_module_of(struct str frame)
{
    size_t at = str_find(frame, STR(FRAMEWORK_CELL), 0);

    if (str_starts(frame, STR(FRAMEWORK_MODULE_PREFIX)))
        return str_sub(frame, sizeof FRAMEWORK_MODULE_PREFIX - 1, SIZE_MAX);
    if (at == SIZE_MAX)
        return frame;
    frame = str_sub(frame, at + sizeof FRAMEWORK_CELL - 1, SIZE_MAX);
    return str_sub(frame, 0, str_find(frame, STR("."), 0));
}

struct str framework_scope_of(struct str op)
{
    static const char *const roots[] = { "Default/", "Gradients/", "recompute_Default/" };
    size_t at;

    while ((at = str_find(op, STR("::"), 0)) != SIZE_MAX)
        op = str_sub(op, at + 2, SIZE_MAX);
    at = str_rchr(op, '/');
    for (size_t i = 0; i < ARRAY_LEN(roots) && at != SIZE_MAX; i++)
        if (str_starts(op, str_of(roots[i])))
            return str_sub(op, 0, at);
    return STR_NULL;
}

/* "(12):" as in main.py(12): run. */
static bool has_line(struct str s)
{
    for (size_t at = 0; (at = str_find(s, STR("("), at)) != SIZE_MAX; at++) {
        size_t end = at + 1;
        while (end < s.n && s.p[end] >= '0' && s.p[end] <= '9')
            end++;
        if (end > at + 1 && str_starts(str_sub(s, end, SIZE_MAX), STR("):")))
            return true;
    }
    return false;
}

enum framework_frame_kind framework_frame_kind(struct str name)
{
    if (str_starts(name, STR(FRAMEWORK_MODULE_PREFIX)))
        return FRAME_MODULE;
    if (!has_line(name))
        return str_starts(name, STR("<built-in ")) ? FRAME_FUNCTION : FRAME_NONE;
    return str_find(name, STR(FRAMEWORK_CELL), 0) != SIZE_MAX ? FRAME_CELL : FRAME_FUNCTION;
}

bool framework_place_add(struct buf *b, char separator, struct str name)
{
    if (b->n + name.n + 1 > FRAMEWORK_PLACE_B)
        return false;
    if (b->n)
        buf_addc(b, separator);
    buf_add(b, name);
    return true;
}
