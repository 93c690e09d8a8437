/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of little-endian records, with bounds. */
#include "config.h"

#include "base/read/rec.h"

bool rec_peek(struct infile *f, size_t n, struct rec *out)
{
    size_t have;
    const char *p = infile_data(f, &have);

    if (have < n)
        return false;
    *out = (struct rec){ .p = (const unsigned char *)p, .n = n, .off = infile_offset(f) };
    return true;
}

struct str rec_text(struct rec *r, size_t at, size_t n)
{
    if (!rec_holds(r, at, n))
        return STR_NULL;
    struct str s = { (const char *)r->p + at, n };
    const char *end = memchr(s.p, 0, n);
    if (end)
        s.n = (size_t)(end - s.p);
    return s;
}

bool rec_is_zero(const struct rec *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->p[i])
            return false;
    return true;
}
