/*
 * Little-endian records in a file: so many bytes of an infile's window, with their offset.
 *
 * A struct rec borrows the window: valid until the next infile_more or infile_take. Reading a field beyond its end gives 0 and sets
 * `over`, so that a layout can be read field by field and checked once. Not thread-safe.
 */
#ifndef NPUSCOPE_REC_H
#define NPUSCOPE_REC_H

#include "base/infile.h"

struct rec {
    const unsigned char *p;
    size_t n;
    uint64_t off; /* of its first byte, as infile_offset() counts */
    bool over;    /* a field beyond the end was asked for */
};

/* The next n unread bytes as a record, not consumed (infile_take does that). false: the window does not hold so many yet. */
bool rec_peek(struct infile *f, size_t n, struct rec *out);

/* The field at this offset of the record. */
uint8_t rec_u8(struct rec *r, size_t at);
uint16_t rec_u16(struct rec *r, size_t at);
uint32_t rec_u32(struct rec *r, size_t at);
uint64_t rec_u64(struct rec *r, size_t at);
/* n bytes of text up to the first NUL. */
struct str rec_text(struct rec *r, size_t at, size_t n);

/* Nothing but zeros: a part of a file that was never written. */
bool rec_is_zero(const struct rec *r);

#endif
