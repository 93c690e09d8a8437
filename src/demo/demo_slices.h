/*
 * Files of records as the collector leaves them: cut into slices, each with a NAME.done beside it that says
 * it was closed (doc/formats/mindspore1.md#folders, doc/formats/prof.md#names). And numbers as records hold
 * them.
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
    bool died; /* the run did: nothing closes the last slice */
    struct emit *o;
    char stem[96];
    uint32_t k;    /* number of the current slice */
    uint32_t lose; /* slice that is not written; 0: none */
    size_t room_b; /* left in it */
    int rc;
    unsigned char last[DEMO_TORN_MAX]; /* how the newest record begins */
};

/* Nothing is made before the first record. Files are dir/stem.slice_K. lose may be set then. */
void demo_slices_open(struct demo_slices *s, const char *dir, const char *stem, bool died,
                      struct emit_count *count);
/* Append one record, which no border cuts. Errors stay: demo_slices_close() tells of them. */
void demo_slices_put(struct demo_slices *s, const void *p, size_t n, struct err *e);
/* The same of text, which borders cut anywhere. */
void demo_slices_puts(struct demo_slices *s, const char *p, size_t n, struct err *e);
/*
 * The last slice ends. A run that died did so while the first torn_b (up to DEMO_TORN_MAX) bytes of another
 * record were written. Always frees.
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
