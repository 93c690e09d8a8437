/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A parser on any bytes: the first byte chooses the kind, the rest is the file. Looks at every byte of every
 * text that comes out, so that the sanitizers see where it lies.
 */
#ifndef NPUSCOPE_FUZZ_PARSE_H
#define NPUSCOPE_FUZZ_PARSE_H

#include "parsers/registry.h"
#include "store/sink_count.h"
#include "tests/fuzz/fuzz.h"

struct fuzz_rows {
    struct sink_count *count;
    uint64_t seen;
    unsigned sum;
};

static void fuzz_row(void *arg, enum table_id t, const struct val *v, size_t n)
{
    struct fuzz_rows *r = arg;

    FUZZ_CHECK((size_t)t < N_TABLES && n >= schema_tables[t].n_cols);
    for (size_t i = 0; i < n; i++) {
        bool id = i < schema_tables[t].n_cols && schema_tables[t].cols[i].type == CT_STR;
        FUZZ_CHECK(!id || v[i].t == VAL_NULL || sink_count_string(r->count, v[i].i).p);
        for (size_t k = 0; v[i].t == VAL_TEXT && k < v[i].s.n; k++)
            r->sum += (unsigned char)v[i].s.p[k];
    }
    r->seen++;
}

/* Bytes as a file of a kind, with its parser or another (parse, NULL: the kind's). */
static void fuzz_parse_with(const char *id, parse_fn *parse, const uint8_t *data, size_t size)
{
    struct fuzz_rows r = { NULL, 0, 0 };
    struct runinfo run = { .gen = GEN_P };
    struct arena *tmp = NULL;
    struct err e = ERR_INIT;

    const struct file_kind *kind = registry_find(str_of(id));
    FUZZ_CHECK(kind && kind->parse);
    FUZZ_CHECK(sink_count_new(&r.count, &e) == OK && arena_new(&tmp, (size_t)64 << 20, &e) == OK);
    sink_count_on_row(r.count, fuzz_row, &r);
    const char *path = fuzz_file(data, size);
    struct source_file f = { .id = 1,
                             .path = path,
                             .rel = path,
                             .kind = kind,
                             .rank = 0,
                             .device = -1,
                             .slice = -1,
                             .stamp = -1,
                             .regular = true };
    struct parse_ctx c = { .f = &f, .run = &run, .tmp = tmp, .out = sink_count_sink(r.count) };
    int rc = parse ? parse(&c, &e) : kind->parse(&c, &e);
    FUZZ_CHECK(rc == e.code);
    FUZZ_CHECK(rc == OK || rc == ERR_FORMAT || rc == ERR_LIMIT);
    FUZZ_CHECK(rc == OK || e.text[0]);
    /* an end that is missing, and zeros that are then no row, are lost without a byte of their own */
    FUZZ_CHECK(c.rows <= size && c.lost <= size + 2);
    sink_count_free(r.count);
    arena_free(tmp);
}

static inline int fuzz_parse(const char *const *kinds, size_t n, const uint8_t *data, size_t size)
{
    if (size > 0)
        fuzz_parse_with(kinds[data[0] % n], NULL, data + 1, size - 1);
    return 0;
}

#define FUZZ_PARSER(...)                                                                                     \
    static const char *const fuzz_kinds[] = { __VA_ARGS__ };                                                 \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)                                             \
    {                                                                                                        \
        return fuzz_parse(fuzz_kinds, ARRAY_LEN(fuzz_kinds), data, size);                                    \
    }

#endif
