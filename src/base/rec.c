/* Fields of little-endian records, with bounds. */
#include "config.h"

#include "base/rec.h"

bool rec_peek(struct infile *f, size_t n, struct rec *out)
{
    size_t have;
    const char *p = infile_data(f, &have);

    if (have < n)
        return false;
    *out = (struct rec){ .p = (const unsigned char *)p, .n = n, .off = infile_offset(f) };
    return true;
}

static bool holds(struct rec *r, size_t at, size_t n)
{
    if (at <= r->n && n <= r->n - at)
        return true;
    r->over = true;
    return false;
}

static uint64_t number(struct rec *r, size_t at, size_t n)
{
    uint64_t v = 0;

    if (!holds(r, at, n))
        return 0;
    for (size_t i = n; i > 0; i--)
        v = v << 8 | r->p[at + i - 1];
    return v;
}

uint8_t rec_u8(struct rec *r, size_t at)
{
    return (uint8_t)number(r, at, 1);
}

uint16_t rec_u16(struct rec *r, size_t at)
{
    return (uint16_t)number(r, at, 2);
}

uint32_t rec_u32(struct rec *r, size_t at)
{
    return (uint32_t)number(r, at, 4);
}

uint64_t rec_u64(struct rec *r, size_t at)
{
    return number(r, at, 8);
}

struct str rec_text(struct rec *r, size_t at, size_t n)
{
    if (!holds(r, at, n))
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
