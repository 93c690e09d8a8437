/* SPDX-License-Identifier: Apache-2.0 */
/* Names of members, and the header of the first one. */
#include "config.h"

#include "archive/member.h"

#include "base/limits.h"
#include "base/str.h"

/* Add a part to the path in buf; false when it does not fit. */
static bool add_part(char *buf, size_t n, size_t *used, struct str part)
{
    size_t need = part.n + (*used ? 1 : 0);

    if (part.n > LIM_ARCHIVE_PART_B || need >= n - *used || *used + need > LIM_ARCHIVE_NAME_B)
        return false;
    if (*used)
        buf[(*used)++] = '/';
    memcpy(buf + *used, part.p, part.n);
    *used += part.n;
    buf[*used] = '\0';
    return true;
}

static enum member_fault join_parts(struct str rest, char *buf, size_t n)
{
    struct str part;
    size_t used = 0, depth = 0;

    while (str_next(&rest, '/', &part)) {
        if (!part.n || str_eq(part, STR(".")))
            continue;
        if (str_eq(part, STR("..")))
            return MEMBER_UP;
        if (++depth > LIM_ARCHIVE_DEPTH)
            return MEMBER_DEEP;
        if (!add_part(buf, n, &used, part))
            return MEMBER_LONG;
    }
    return used ? MEMBER_OK : MEMBER_EMPTY;
}

enum member_fault member_path(const char *name, char *buf, size_t n)
{
    buf[0] = '\0';
    enum member_fault f = name[0] == '/' ? MEMBER_ABSOLUTE : join_parts(str_of(name), buf, n);

    if (f != MEMBER_OK)
        buf[0] = '\0';
    return f;
}

const char *member_fault_text(enum member_fault f)
{
    static const char *const texts[] = {
        [MEMBER_OK] = "",
        [MEMBER_EMPTY] = "it has no name: left out",
        [MEMBER_ABSOLUTE] = "an absolute path: left out",
        [MEMBER_UP] = "a path that leads out by '..': left out",
        [MEMBER_LONG] = "the name is longer than the limit: left out",
        [MEMBER_DEEP] = "nested deeper than the limit: left out",
    };
    return texts[f];
}

/* Number in octal digits, blanks before and a blank or NUL after them. */
static bool octal(const uint8_t *p, size_t n, uint32_t *out)
{
    size_t i = 0, digits = 0;

    *out = 0;
    while (i < n && p[i] == ' ')
        i++;
    for (; i < n && p[i] >= '0' && p[i] <= '7'; i++, digits++)
        *out = *out * 8 + (uint32_t)(p[i] - '0');
    return digits && (i == n || p[i] == ' ' || p[i] == '\0');
}

/* The field of the sum counts as blanks (POSIX, pax: ustar Interchange Format, chksum). */
bool member_is_tar(const uint8_t head[MEMBER_TAR_B])
{
    enum { AT = 148, N = 8 };
    uint32_t said, sum = 0;

    for (size_t i = 0; i < MEMBER_TAR_B; i++)
        sum += i >= AT && i < AT + N ? ' ' : head[i];
    return head[0] && octal(head + AT, N, &said) && said == sum;
}
