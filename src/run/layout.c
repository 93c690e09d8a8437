/* SPDX-License-Identifier: Apache-2.0 */
/* Records by their layouts. */
#include "config.h"

#include "run/layout.h"

#include <inttypes.h>
#include <string.h>

#include "run/inventory.h"

static uint64_t uint_at(const unsigned char *p, size_t size)
{
    uint64_t v = 0;

    for (size_t i = size; i-- > 0;)
        v = v << 8 | p[i];
    return v;
}

static bool has_mark(const struct layout *l, const unsigned char *p, size_t n)
{
    return !l->mark_b ||
           (n >= (size_t)l->mark_at + l->mark_b && uint_at(p + l->mark_at, l->mark_b) == l->mark);
}

const struct layout *layout_find(const struct layout *list, const char *name, const unsigned char *head,
                                 size_t n)
{
    for (const struct layout *l = list; l && l->id; l++)
        if ((!l->pattern || kind_pattern_match(l->pattern, str_of(name), NULL)) && has_mark(l, head, n))
            return l;
    return NULL;
}

size_t layout_length(const struct layout *l, const unsigned char *p, size_t n)
{
    size_t size = l->record_b;

    if (!size) {
        const unsigned char *end = memchr(p, l->end, n);
        return end ? (size_t)(end - p) + 1 : n;
    }
    if (l->length_at && n >= (size_t)l->length_at + 2 && uint_at(p + l->length_at, 2))
        size = (size_t)uint_at(p + l->length_at, 2);
    return size < n ? size : n;
}

static uint64_t uint_of(const struct layout_field *f, const unsigned char *p)
{
    uint64_t v = uint_at(p + f->at, f->size) >> f->shift;
    return f->bits ? v & ((UINT64_C(1) << f->bits) - 1) : v;
}

bool layout_has(const struct layout *l, const struct layout_field *f, const unsigned char *p, size_t n)
{
    const struct layout_field *first = l->fields;

    if (!f->of)
        return true;
    if (n < (size_t)first->at + first->size)
        return false;
    uint64_t which = uint_of(first, p);
    return which < 8 && f->of >> which & 1;
}

static void add_uint(struct buf *out, const struct layout_field *f, uint64_t v)
{
    buf_printf(out, "%" PRIu64, v);
    for (const struct layout_word *w = f->words; w && w->word; w++)
        if (w->value == v)
            buf_printf(out, " %s", w->word);
}

static void add_text(struct buf *out, const unsigned char *p, size_t n)
{
    const unsigned char *end = memchr(p, 0, n);
    buf_add(out, (struct str){ (const char *)p, end ? (size_t)(end - p) : n });
}

/*
 * String or hash: the flag's meaning was turned around in r1.8, so the bytes decide: a hash has nothing after
 * its eight bytes, and a name is printable.
 */
static void add_mix(struct buf *out, const unsigned char *p, size_t n)
{
    bool rest = false, print = true;

    for (size_t i = 16; i < n; i++)
        rest |= p[i] != 0;
    for (size_t i = 8; i < n && i < 16 && p[i]; i++)
        print &= p[i] >= ' ' && p[i] < 127;
    if (rest || print || n < 16)
        add_text(out, p + 8, n - 8);
    else
        buf_printf(out, "hash %" PRIu64, uint_at(p + 8, 8));
}

bool layout_value(const struct layout_field *f, const unsigned char *p, size_t n, struct buf *out)
{
    if ((size_t)f->at + f->size > n)
        return false;
    if (f->type == FIELD_UINT)
        add_uint(out, f, uint_of(f, p));
    else if (f->type == FIELD_HEX)
        buf_printf(out, "0x%" PRIx64, uint_of(f, p));
    else if (f->type == FIELD_TEXT)
        add_text(out, p + f->at, f->size);
    else
        add_mix(out, p + f->at, f->size);
    return true;
}
