/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of the host of a PROF folder, family by family (doc/formats/prof.md#host-records): a test puts
 * them, then reads the folder. One folder at a time; set_up() begins it.
 */
#ifndef NPUSCOPE_TESTS_UNIT_PARSERS_PROF_HOST_CASE_H
#define NPUSCOPE_TESTS_UNIT_PARSERS_PROF_HOST_CASE_H

#include <stdio.h>

#include "parsers/prof/host/host.h"
#include "parsers/prof/host/host_at.h"
#include "tests/unit/parsers/prof/prof_case.h"

#define DATA  PROF_NAME "/host/data/"
#define LONG  40
#define PLAIN 24

enum { T_AICORE = 1, T_AICPU, T_FFTS, T_MEMCPY, T_MIX, T_MAINTENANCE, T_WAIT, T_FLIP = 98 };
enum { OP_A = 11, OP_B, OP_C, OP_D, NAME_LCCL, TYPE_X = 21, TYPE_Y, KERNEL = 31, GROUP, ALG, NOTIFY };

#define HASHES "11:A\n12:B\n13:C\n14:D\n15:LcclX\n21:X\n22:Y\n31:kernel\n32:group\n33:ring\n34:Notify\n"
#define TYPES                                                                                                \
    "5000_1:KERNEL_AICORE\n5000_2:KERNEL_AICPU\n5000_3:FFTS_PLUS\n5000_4:MEMCPY_ASYNC\n"                     \
    "5000_5:KERNEL_MIX_AIC\n5000_7:NOTIFY_WAIT\n10000_1:launch\n10000_2:step_info\n"                         \
    "15000_1:ModelExecute\n15000_2:ModelLoad\n5500_1:master\n5500_2:slave\n"

/* ---- records of families ---- */

static struct tree tree;

struct family {
    const char *file;
    size_t each, n;
    unsigned char p[64][256];
};
static struct family apis = { .file = "aging.api_event.data", .each = 40 },
                     tasks = { .file = "aging.compact.task_track", .each = 64 },
                     basics = { .file = "aging.compact.node_basic_info", .each = 64 },
                     kept_basics = { .file = "unaging.compact.node_basic_info", .each = 64 },
                     attrs = { .file = "aging.compact.node_attr_info", .each = 64 },
                     copies = { .file = "aging.compact.memcpy_info", .each = 64 },
                     comm_ops = { .file = "aging.compact.hccl_op_info", .each = 64 },
                     captures = { .file = "aging.compact.capture_stream_info", .each = 64 },
                     tensors = { .file = "aging.additional.tensor_info", .each = 256 },
                     contexts = { .file = "aging.additional.context_id_info", .each = 256 },
                     infos = { .file = "aging.additional.hccl_info", .each = 256 },
                     fusions = { .file = "aging.additional.fusion_op_info", .each = 256 },
                     graphs = { .file = "aging.additional.graph_id_map", .each = 256 },
                     tasks2 = { .file = "aging.compact.task_track_v2", .each = 64 },
                     captures2 = { .file = "aging.compact.capture_stream_info_v2", .each = 64 },
                     captured = { .file = "aging.additional.capture_op_info", .each = 256 },
                     kept_captured = { .file = "unaging.additional.capture_op_info", .each = 256 };
static struct family *const families[] = { &apis,     &tasks,        &basics,   &kept_basics, &attrs,
                                           &copies,   &comm_ops,     &captures, &tensors,     &contexts,
                                           &infos,    &fusions,      &graphs,   &tasks2,      &captures2,
                                           &captured, &kept_captured };

static inline int set_up(void **state)
{
    (void)state;
    tree_new(&tree);
    prof_info_files(&tree, 5);
    tree_file(&tree, DATA "unaging.additional.hash_dic.slice_0", HASHES);
    tree_file(&tree, DATA "unaging.additional.type_info_dic.slice_0", TYPES);
    for (size_t i = 0; i < ARRAY_LEN(families); i++)
        families[i]->n = 0;
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    tree_done(&tree);
    return 0;
}

static inline unsigned char *next(struct family *f, unsigned level, uint32_t thread, uint64_t time)
{
    unsigned char *p = f->p[f->n++];

    assert_true(f->n <= ARRAY_LEN(f->p));
    prof_head(p, f->each, level, 0, thread, time);
    return p;
}

static inline void api(unsigned level, uint32_t type, uint64_t begin, uint64_t end, uint64_t item)
{
    prof_api(apis.p[apis.n++], level, type, 1, begin, end, item);
}

static inline void event(uint32_t type, uint64_t at, uint64_t item, uint32_t request)
{
    prof_api(apis.p[apis.n], PROF_L_MODEL, type, 1, at, UINT64_MAX, item);
    put_le(apis.p[apis.n++] + 12, request, 4);
}

static inline unsigned char *task(uint64_t time, unsigned stream, unsigned id, unsigned type, uint64_t kernel)
{
    unsigned char *p = next(&tasks, PROF_L_RUNTIME, 1, time);

    put_le(p + PH_LENGTH, PLAIN, 4);
    put_le(p + HT_STREAM, stream, 2);
    put_le(p + HT_TASK, id, 2);
    put_le(p + HT_TYPE, type, 8);
    put_le(p + HT_KERNEL, kernel, 8);
    return p;
}

static inline void basic(struct family *f, uint64_t time, uint64_t op, uint64_t type, unsigned core)
{
    unsigned char *p = next(f, PROF_L_NODE, 1, time);

    put_le(p + NB_NAME, op, 8);
    put_le(p + NB_CORE, core, 4);
    put_le(p + NB_TYPE, type, 8);
    put_le(p + NB_BLOCKS, 5, 2);
    put_le(p + NB_RATIO, 2, 2);
}

/* Of one tensor record: outs[i] says of the i-th whether it is an output; its shape is (first + i, 7). */
static inline void tensor(uint64_t time, uint64_t op, const char *outs, uint32_t first)
{
    unsigned char *p = next(&tensors, PROF_L_NODE, 1, time);

    put_le(p + PT_NAME, op, 8);
    put_le(p + PT_COUNT, strlen(outs), 4);
    for (size_t i = 0; outs[i]; i++) {
        unsigned char *t = p + PT_0_KIND + i * PROF_TENSOR_B;
        put_le(t, (unsigned)(outs[i] - '0'), 4);
        put_le(t + 4, i ? 2 : 4 | 240 << 8, 4);
        put_le(t + 8, i ? 1 : 99, 4);
        put_le(t + 12, first + i, 4);
        put_le(t + 16, 7, 4);
        put_le(t + 24, 9, 4); /* behind a 0 */
    }
}

static inline void context(unsigned level, uint64_t time, uint64_t op, uint32_t n, uint32_t a, uint32_t b)
{
    unsigned char *p = next(&contexts, level, 1, time);

    put_le(p + CX_NAME, op, 8);
    put_le(p + CX_COUNT, n, 4);
    put_le(p + CX_ID, a, 4);
    put_le(p + CX_ID + 4, b, 4);
}

static inline void info(uint64_t time, uint32_t ctx, uint64_t size)
{
    unsigned char *p = next(&infos, PROF_L_COMMUNICATION, 1, time);

    put_le(p + HI_ITEM, NOTIFY, 8);
    put_le(p + HI_GROUP, GROUP, 8);
    put_le(p + HI_CONTEXT, ctx, 4);
    put_le(p + HI_SIZE, size, 8);
}

/* ---- the folder read ---- */

struct host_case {
    struct prof_case c;
    struct prof_host h;
};

static inline struct host_case read_host(void)
{
    struct err e = ERR_INIT;
    struct host_case x;

    for (size_t i = 0; i < ARRAY_LEN(families); i++) {
        const struct family *f = families[i];
        unsigned char all[64 * 256];
        char name[200];
        if (!f->n)
            continue;
        for (size_t k = 0; k < f->n; k++)
            memcpy(all + k * f->each, f->p[k], f->each);
        snprintf(name, sizeof name, DATA "%s.slice_0", f->file);
        tree_file_n(&tree, name, (const char *)all, f->n * f->each);
    }
    assert_int_equal(prof_case_open(&x.c, &tree, &e), OK);
    assert_int_equal(prof_host_read(&x.h, x.c.p, &e), OK);
    return x;
}

static inline void done(struct host_case *x)
{
    prof_host_done(&x->h);
    prof_case_close(&x->c);
}

static inline const struct prof_host_task *find(const struct host_case *x, uint32_t stream, uint32_t id,
                                                uint32_t ctx)
{
    for (size_t i = 0; i < x->h.n_tasks; i++) {
        const struct prof_host_task *t = &x->h.task[i];
        if (t->stream == stream && t->task == id && t->context == ctx)
            return t;
    }
    fail_msg("no task %u of stream %u", id, stream);
    return NULL;
}

static inline const struct prof_op *op_of(const struct host_case *x, const struct prof_host_task *t)
{
    assert_true(t->op < x->h.n_ops);
    return &x->h.op[t->op];
}

#define is_text(x, text, word) assert_string_equal(words(x, text), word)
static inline const char *words(const struct host_case *x, uint32_t text)
{
    static char buf[200];

    return text == PROF_NONE ? "N/A" : str_copy(prof_str(x->c.p, text), buf, sizeof buf);
}

static inline unsigned notes(const struct host_case *x, enum note_code code)
{
    return (unsigned)sink_count_get(x->c.notes)->notes[code];
}

#endif
