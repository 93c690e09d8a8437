/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A reader of raw records on any bytes: the file, a sink that counts, and what the readers have in common.
 *
 * Owned by the target from fuzz_raw_open() to fuzz_raw_close(). Texts that come out are read byte by byte, so
 * that the sanitizers see where they lie.
 */
#ifndef NPUSCOPE_FUZZ_RAW_H
#define NPUSCOPE_FUZZ_RAW_H

#include "parsers/registry.h"
#include "store/sink_count.h"
#include "tests/fuzz/fuzz.h"

struct fuzz_raw {
    struct source_file f;
    struct sink_count *count;
    struct arena *tmp;
    struct parse_ctx c;
    struct err e;
    bool packed; /* gzip: how many bytes it holds is not known */
};

static inline void fuzz_raw_open(struct fuzz_raw *r, const uint8_t *data, size_t size)
{
    *r = (struct fuzz_raw){ .f = { .id = 1, .path = fuzz_file(data, size), .rel = "fuzz", .regular = true },
                            .e = ERR_INIT,
                            .packed = size >= 2 && data[0] == 0x1f && data[1] == 0x8b };
    FUZZ_CHECK(sink_count_new(&r->count, &r->e) == OK);
    FUZZ_CHECK(arena_new(&r->tmp, (size_t)1 << 20, &r->e) == OK);
    r->c = (struct parse_ctx){ .f = &r->f, .tmp = r->tmp, .out = sink_count_sink(r->count) };
}

static inline void fuzz_raw_close(struct fuzz_raw *r)
{
    arena_free(r->tmp);
    sink_count_free(r->count);
}

static inline unsigned fuzz_sum(struct str s)
{
    unsigned n = 0;

    for (size_t i = 0; i < s.n; i++)
        n += (unsigned char)s.p[i];
    return n;
}

#endif
