/* SPDX-License-Identifier: Apache-2.0 */
/* Records by their layouts. */
#include "config.h"

#include "run/layout.h"

#include <inttypes.h>
#include <string.h>

#include "base/lang/tr.h"
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

/* ---- records of many lengths ---- */

size_t layout_step(const struct layout *l)
{
    return l->tlv ? 0 : l->record_b;
}

size_t layout_head(const struct layout *l)
{
    return l->tlv ? LAYOUT_TLV_B : 0;
}

static size_t tlv_length(const unsigned char *p, size_t n)
{
    return n < LAYOUT_TLV_B ? n : LAYOUT_TLV_B + (size_t)uint_at(p + 2, 4);
}

bool layout_text(const struct layout *l, const unsigned char *p, size_t n, size_t *at,
                 const struct layout_text **row, unsigned *type, struct str *text)
{
    if (!*at)
        *at = LAYOUT_TLV_B + (size_t)l->record_b;
    if (*at > n || n - *at < LAYOUT_TLV_B || tlv_length(p + *at, n - *at) > n - *at)
        return false;
    *type = (unsigned)uint_at(p + *at, 2);
    *text = (struct str){ (const char *)p + *at + LAYOUT_TLV_B, (size_t)uint_at(p + *at + 2, 4) };
    *at += LAYOUT_TLV_B + text->n;
    *row = NULL;
    for (size_t i = 0; i < l->n_texts && !*row; i++)
        if (l->texts[i].type == *type)
            *row = &l->texts[i];
    return true;
}

/* A text of this type may stand here. */
static bool may_have(const struct layout *l, const struct layout_text *row, bool first)
{
    return l->any_text ? row != NULL : !first || (row && row == l->texts);
}

bool layout_fits(const struct layout *l, const unsigned char *p, size_t n)
{
    size_t length = tlv_length(p, n), fixed = LAYOUT_TLV_B + (size_t)l->record_b, at = 0;
    const struct layout_text *row;
    unsigned type, texts = 0;
    uint64_t seen = 0; /* types: no text comes twice, but records, which look like texts, have one type */
    struct str text;

    if (n < LAYOUT_TLV_B || length > n || length < fixed)
        return false;
    while (layout_text(l, p, length, &at, &row, &type, &text)) {
        uint64_t bit = type < 64 ? (uint64_t)1 << type : 0;
        if (seen & bit || !may_have(l, row, !texts++))
            return false;
        seen |= bit;
    }
    return at == length && (texts || fixed > LAYOUT_TLV_B);
}

size_t layout_next(const struct layout *l, const unsigned char *p, size_t n)
{
    if (layout_fits(l, p, n))
        return tlv_length(p, n);
    for (size_t at = 1; at < n; at++)
        if (layout_fits(l, p + at, n - at))
            return at;
    return n;
}

static bool has_name(const struct layout *l, const char *name)
{
    return !l->pattern || kind_pattern_match(l->pattern, str_of(name), NULL);
}

/* Of several for one name that whose records begin first in these bytes: the first one may be damaged. */
static const struct layout *find_tlv(const struct layout *list, const char *name, const unsigned char *head,
                                     size_t n)
{
    for (size_t at = 0; at < n; at++)
        for (const struct layout *l = list; l->id; l++)
            if (l->tlv && layout_fits(l, head + at, n - at) && has_name(l, name))
                return l;
    return NULL;
}

const struct layout *layout_find(const struct layout *list, const char *name, const unsigned char *head,
                                 size_t n)
{
    const struct layout *l = list;
    bool tlv = false;

    for (; l && l->id; l++) {
        tlv |= l->tlv;
        if (!l->tlv && has_name(l, name) && has_mark(l, head, n))
            return l;
    }
    return tlv ? find_tlv(list, name, head, n) : NULL;
}

size_t layout_length(const struct layout *l, const unsigned char *p, size_t n)
{
    size_t size = l->record_b;

    if (l->tlv)
        return tlv_length(p, n) < n ? tlv_length(p, n) : n;
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
            buf_printf(out, " %s", tr(w->word));
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

static int64_t int_of(const struct layout_field *f, const unsigned char *p)
{
    unsigned unused = 64 - 8u * f->size;

    if (!f->size)
        return 0;
    return (int64_t)(uint_at(p + f->at, f->size) << unused) >> unused;
}

bool layout_value(const struct layout_field *f, const unsigned char *p, size_t n, struct buf *out)
{
    if ((size_t)f->at + f->size > n)
        return false;
    if (f->type == FIELD_UINT)
        add_uint(out, f, uint_of(f, p));
    else if (f->type == FIELD_INT)
        buf_printf(out, "%" PRId64, int_of(f, p));
    else if (f->type == FIELD_HEX)
        buf_printf(out, "0x%" PRIx64, uint_of(f, p));
    else if (f->type == FIELD_TEXT)
        add_text(out, p + f->at, f->size);
    else
        add_mix(out, p + f->at, f->size);
    return true;
}
