/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Little-endian records in a file: so many bytes of an infile's window, with their offset.
 *
 * A struct rec borrows the window: valid until the next infile_more or infile_take. Reading a field beyond
 * its end gives 0 and sets `over`, so that a layout can be read field by field and checked once. Not
 * thread-safe.
 */
#ifndef NPUSCOPE_REC_H
#define NPUSCOPE_REC_H

#include <string.h>

#include "base/read/infile.h"

struct rec {
    const unsigned char *p;
    size_t n;
    uint64_t off; /* of its first byte, as infile_offset() counts */
    bool over;    /* a field beyond the end was asked for */
};

/*
 * The next n unread bytes as a record, not consumed (infile_take does that). false: the window does not hold
 * so many yet.
 */
bool rec_peek(struct infile *f, size_t n, struct rec *out);

/* The n bytes of a field lie in the record; else its value is 0. */
static inline bool rec_holds(struct rec *r, size_t at, size_t n)
{
    if (at <= r->n && n <= r->n - at)
        return true;
    r->over = true;
    return false;
}

/* The field at this offset of the record: rec_u8() ... rec_u64(). Inline: readers ask for dozens a record. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define REC_SWAP(bits, v) __builtin_bswap##bits(v)
#else
#define REC_SWAP(bits, v) (v)
#endif
#define REC_FIELD(bits)                                                                                      \
    static inline uint##bits##_t rec_u##bits(struct rec *r, size_t at)                                       \
    {                                                                                                        \
        uint##bits##_t v = 0;                                                                                \
        if (rec_holds(r, at, sizeof v))                                                                      \
            memcpy(&v, r->p + at, sizeof v);                                                                 \
        return REC_SWAP(bits, v);                                                                            \
    }
REC_FIELD(16)
REC_FIELD(32)
REC_FIELD(64)
static inline uint8_t rec_u8(struct rec *r, size_t at)
{
    return rec_holds(r, at, 1) ? r->p[at] : 0;
}
/* n bytes of text up to the first NUL. */
struct str rec_text(struct rec *r, size_t at, size_t n);

/* Nothing but zeros: a part of a file that was never written. */
bool rec_is_zero(const struct rec *r);

#endif
