/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raw records of generation 1, made in the test (doc/formats/mindspore1.md#hwts), and readers of files cut
 * into slices.
 */
#ifndef NPUSCOPE_TESTS_UNIT_PARSERS_MINDSPORE_RECORDS_RECORD_CASE_H
#define NPUSCOPE_TESTS_UNIT_PARSERS_MINDSPORE_RECORDS_RECORD_CASE_H

#include "tests/lib/put_le.h"
#include "tests/unit/parsers/rows.h"
#include "tests/unit/scratch.h"
#include "tests/unit/tree.h"

#define HWTS_B 64

/* One HWTS record; head: type, and the warn bit 8. */
static inline void hwts_put(unsigned char *p, unsigned head, unsigned task, unsigned stream, uint64_t ticks)
{
    memset(p, 0, HWTS_B);
    p[0] = (unsigned char)head;
    p[1] = 3;
    put_le(p + 2, 0x6bd3, 2);
    put_le(p + 4, 7, 2);
    put_le(p + 6, task, 2);
    put_le(p + ((head & 7) == 4 ? 24 : 8), ticks, 8);
    put_le(p + 16, stream, 4);
}

#define HWTS_RECORDS 10

/* Sequence numbers of n records, from 1 on: none is lost. */
static inline void hwts_number(unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i * HWTS_B] = (unsigned char)((p[i * HWTS_B] & 15) | (i + 1) % 16 << 4);
}

/* Two ops on two streams, blocks between, a task nobody names, and a start without an end. */
static inline void hwts_make(unsigned char *p)
{
    static const struct {
        unsigned head, task, stream;
        uint64_t ticks;
    } rows[HWTS_RECORDS] = {
        { 0, 30001, 9, 1000 }, { 1, 30001, 9, 1250 },       { 2, 7, 4, 1300 },     { 0, 7, 4, 1300 },
        { 1, 7, 4, 1301 },     { 4, 7, 4, 1302 },           { 0, 60000, 5, 1400 }, { 1, 60000, 5, 1500 },
        { 4 | 8, 7, 4, 1600 }, { 0, 30001, 9, UINT32_MAX },
    };

    for (size_t i = 0; i < HWTS_RECORDS; i++)
        hwts_put(p + i * HWTS_B, rows[i].head, rows[i].task, rows[i].stream, rows[i].ticks);
    hwts_number(p, HWTS_RECORDS);
}

/*
 * A text or its hash in size bytes (doc/formats/mindspore1.md#framework-records); the flag of a string is 1
 * from r1.8 on.
 */
static inline void mix_put(unsigned char *p, size_t size, const char *text, uint64_t hash, bool old)
{
    p[0] = (text != NULL) != old;
    if (text)
        memcpy(p + 8, text, strlen(text) < size - 8 ? strlen(text) : size - 8);
    else
        put_le(p + 8, hash, 8);
}

#define FW_B 256

/* One task record; name NULL: its hash. */
static inline void fw_task_put(unsigned char *p, bool old, const char *name, uint64_t hash, const char *type,
                               uint32_t kind, uint32_t stream, uint32_t task)
{
    memset(p, 0, FW_B);
    put_le(p, 0x00175a5a, 4);
    put_le(p + 4, kind, 4);
    mix_put(p + 8, 128, name, hash, old);
    mix_put(p + 136, 64, type, 0, old);
    put_le(p + 220, 8, 4);
    put_le(p + 224, 1, 4);
    put_le(p + 228, stream, 4);
    put_le(p + 232, task, 4);
    put_le(p + 236, 4711, 4);
}

/* One tensor record with n tensors of the shape 2,i+1; base: 200 from r1.8 on. */
static inline void fw_tensor_put(unsigned char *p, uint32_t stream, uint32_t task, uint32_t output, size_t n,
                                 uint32_t base)
{
    memset(p, 0, FW_B);
    put_le(p, 0x00185a5a, 4);
    put_le(p + 4, 1, 4);
    put_le(p + 16, stream, 4);
    put_le(p + 20, task, 4);
    p[24] = (unsigned char)n;
    for (size_t i = 0; i < n; i++) {
        put_le(p + 28 + 44 * i, output, 4);
        put_le(p + 32 + 44 * i, base + 4, 4);
        put_le(p + 36 + 44 * i, base + 43, 4);
        put_le(p + 40 + 44 * i, 2, 4);
        put_le(p + 44 + 44 * i, i + 1, 4);
    }
}

#define TS_B    40
#define TRACE_B 20

static inline void ts_put(unsigned char *p, unsigned tag, unsigned stream, unsigned task, uint64_t ticks)
{
    memset(p, 0, TS_B);
    p[0] = 1;
    p[1] = 10;
    put_le(p + 2, TS_B, 2);
    put_le(p + 8, ticks, 8);
    put_le(p + 16, 1, 8);
    put_le(p + 24, 1, 8);
    put_le(p + 32, stream, 2);
    put_le(p + 34, task, 2);
    put_le(p + 36, tag, 2);
}

static inline void trace_put(unsigned char *p, uint64_t tag, unsigned stream, unsigned task, uint64_t ticks)
{
    put_le(p, tag, 8);
    put_le(p + 8, task, 2);
    put_le(p + 10, stream, 2);
    put_le(p + 12, ticks, 8);
}

#define AICPU_B 128

static inline void aicpu_put(unsigned char *p, unsigned stream, unsigned task, uint64_t ticks)
{
    memset(p, 0, AICPU_B);
    put_le(p, 0x003c5a5a, 4);
    put_le(p + 4, stream, 2);
    put_le(p + 6, task, 2);
    put_le(p + 8, ticks / 100, 8);
    put_le(p + 16, ticks, 8);
    put_le(p + 48, ticks / 100 + 9, 8);
    put_le(p + 56, ticks + 900, 8);
    put_le(p + 108, 87, 4);
    put_le(p + 112, 900, 4);
}

#define AICORE_B 128

/* Counters of 1, 2 ... times k. */
static inline void aicore_put(unsigned char *p, unsigned stream, unsigned task, uint64_t k)
{
    memset(p, 0, AICORE_B);
    p[0] = 1;
    put_le(p + 6, task, 2);
    put_le(p + 16, 4350, 8);
    for (size_t i = 0; i < 8; i++)
        put_le(p + 32 + 8 * i, k * (i + 1), 8);
    put_le(p + 96, stream, 4);
}

/* Framework of the text era: tasks, and ops with their tensors. */
#define TASKS                                                                                                \
    "Default/Add-op1 8 30001 3\n"                                                                            \
    "1 Default/Mul-op2 1 7 4\n"                                                                              \
    "Default/Sub-op3 2 8 4\n"
#define GRAPH                                                                                                \
    "op_name:Default/Add-op1 op_type:Add input_id:0 input_format:NCHW input_data_type:40 "                   \
    "input_shape:\"1,2\" input_id:1 input_format:ND input_data_type:31 input_shape:\"\" "                    \
    "output_id:0 output_format:NCHW output_data_type:39 output_shape:\"1,2\"\n"                              \
    "op_name:Default/Mul-op2 op_type:Mul output_id:0 output_format:ND output_data_type:99 "                  \
    "output_shape:\"3\"\n"                                                                                   \
    "op_name:Default/Sub-op3 op_type:Sub\n"

/* A file and its slices, in a tree. */
struct sliced {
    struct tree tree;
    struct source_file f[8];
    size_t n;
};

static inline void sliced_add(struct sliced *s, const char *name, const void *p, size_t n)
{
    struct source_file *f = &s->f[s->n];

    if (!s->n)
        tree_new(&s->tree);
    tree_file_n(&s->tree, name, p, n);
    char *path = strdup(tree_path(&s->tree, name));
    *f = (struct source_file){ .id = (uint32_t)s->n + 1,
                               .path = path,
                               .rel = path,
                               .rank = 0,
                               .device = -1,
                               .slice = (int)s->n,
                               .size_b = n,
                               .regular = true };
    if (s->n)
        s->f[s->n - 1].next_slice = f;
    s->n++;
}

static inline void sliced_done(struct sliced *s)
{
    for (size_t i = 0; i < s->n; i++)
        free((char *)(uintptr_t)s->f[i].path);
    tree_done(&s->tree);
}

/* What a reader gets, over a counting sink. */
struct reading {
    struct rows rows;
    struct parse_ctx c;
};

static inline void reading_init(struct reading *r, const struct source_file *f)
{
    rows_init(&r->rows, "raw", "");
    r->c =
        (struct parse_ctx){ .f = f ? f : &r->rows.file, .run = &r->rows.run, .tmp = r->rows.tmp, .rank = 0 };
    r->c.out = sink_count_sink(r->rows.count);
}

static inline const struct sink_counts *reading_counts(const struct reading *r)
{
    return sink_count_get(r->rows.count);
}

static inline void reading_done(struct reading *r)
{
    rows_done(&r->rows);
}

#endif
