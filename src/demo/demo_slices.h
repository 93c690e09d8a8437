/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of records as the collector leaves them: cut into slices, each with a marker NAME.done that says that
 * it was closed (doc/formats/mindspore1.md#folders, doc/formats/prof.md#names). And numbers in the form of
 * records.
 */
#ifndef NPUSCOPE_DEMO_SLICES_H
#define NPUSCOPE_DEMO_SLICES_H

#include "emit/emit.h"

#define DEMO_SLICE_B  ((size_t)2 << 20)
#define DEMO_TORN_MAX 80

/* A stream of records, cut into slices. */
struct demo_slices {
    const char *dir; /* borrowed */
    struct emit_count *count;
    bool died; /* the run crashed: the last slice is not closed */
    struct emit *o;
    char stem[96];
    uint32_t k;    /* number of the current slice */
    uint32_t lose; /* slice that is not written; 0: none */
    size_t room_b; /* left in it */
    int rc;
    unsigned char last[DEMO_TORN_MAX]; /* first bytes of the newest record */
};

/* No file is created before the first record. Files are dir/stem.slice_K. lose may be set after this call. */
void demo_slices_open(struct demo_slices *s, const char *dir, const char *stem, bool died,
                      struct emit_count *count);
/* Append one record, which is never cut between slices. Errors are kept: demo_slices_close() returns them. */
void demo_slices_put(struct demo_slices *s, const void *p, size_t n, struct err *e);
/* The same for text, which may be cut anywhere. */
void demo_slices_puts(struct demo_slices *s, const char *p, size_t n, struct err *e);
/*
 * Ends the last slice. In a run that crashed, the first torn_b (up to DEMO_TORN_MAX) bytes of another record
 * follow. Always frees.
 */
NODISCARD int demo_slices_close(struct demo_slices *s, size_t torn_b, struct err *e);

static inline void demo_u16(unsigned char *p, uint32_t v)
{
    p[0] = (unsigned char)v;
    p[1] = (unsigned char)(v >> 8);
}
static inline void demo_u32(unsigned char *p, uint32_t v)
{
    demo_u16(p, v);
    demo_u16(p + 2, v >> 16);
}
static inline void demo_u64(unsigned char *p, uint64_t v)
{
    demo_u32(p, (uint32_t)v);
    demo_u32(p + 4, (uint32_t)(v >> 32));
}

#endif
