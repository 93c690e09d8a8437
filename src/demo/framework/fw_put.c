/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records in the layouts of the versions (doc/formats/framework.md#tlv, #op_range, #op_range_r,
 * #memory_usage, #record_shapes, #records-of-torch_npu).
 */
#include "config.h"

#include <stdio.h>

#include "base/buf.h"
#include "demo/demo_slices.h"
#include "demo/framework/fw.h"

#define HEAD_B      6 /* u16 type, u32 length */
#define NO_STREAM   UINT32_MAX
#define EVENT_ADDED 50 /* the event that 2.6 has not */
#define NPU         20 /* device type */
#define GRAPH_MODE  2  /* of allocations */
#define KERNEL_MEM  3  /* kind of memory: of a kernel's outputs */
#define USER_LEVEL  1

enum { RANGES_B = 54, NAMED_B = 74, MEMORY_B = 100, TORCH_RANGES_B = 58, MARKS_B = 40, TORCH_MEMORY_B = 77 };
enum { NAME = 13, FULL, GRAPH_MODULE, GRAPH_EVENT, CUSTOM, NAMED_NAME = 3, NAMED_CUSTOM = 9 };

/* A record that is being put: its length is known at the end. */
struct record {
    struct buf *b;
    size_t at;
};

static unsigned char *begin(struct record *r, struct buf *b, uint32_t type, size_t fixed_b)
{
    unsigned char *p = (unsigned char *)buf_room(b, HEAD_B + fixed_b);
    *r = (struct record){ b, b->n };
    if (!p)
        return NULL;
    memset(p, 0, HEAD_B + fixed_b);
    demo_u16(p, type);
    b->n += HEAD_B + fixed_b;
    return p + HEAD_B;
}

static void field(struct record *r, uint32_t type, struct str s)
{
    unsigned char head[HEAD_B];
    demo_u16(head, type);
    demo_u32(head + 2, (uint32_t)s.n);
    buf_add(r->b, (struct str){ (const char *)head, sizeof head });
    buf_add(r->b, s);
}

static void end(struct record *r)
{
    if (!buf_failed(r->b))
        demo_u32((unsigned char *)r->b->p + r->at + 2, (uint32_t)(r->b->n - r->at - HEAD_B));
}

static const char *leaf_of(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

/* ---- MindSpore ---- */

static void put_indexed(const struct fw *f, const struct fw_range *x, struct buf *b)
{
    const struct fw_kind_def *k = fw_kind_of(x->kind);
    char text[FW_NAME_B];
    const char *full = x->name;
    struct record r;
    unsigned char *p = begin(&r, b, 0, RANGES_B);
    if (!p)
        return;
    if (x->kind == FW_STEP) {
        snprintf(text, sizeof text, "%s%u", x->name, (unsigned)x->number);
        full = text;
    }
    demo_u64(p, x->thread);
    demo_u64(p + 8, k->is_stack ? 0 : x->flow);
    demo_u64(p + 16, k->is_stack ? 0 : x->number);
    demo_u64(p + 24, ascend_host_count(x->start_ns));
    demo_u64(p + 32, ascend_host_count(x->end_ns));
    demo_u32(p + 40, k->is_stack ? 0 : x->thread);
    demo_u16(p + 44, k->module);
    demo_u16(p + 46, k->event - (k->event > EVENT_ADDED ? f->era->event_less : 0u));
    demo_u16(p + 48, k->stage);
    p[50] = k->is_stack ? 0 : x->kind == FW_LAUNCH ? USER_LEVEL : 0xff;
    p[51] = k->is_graph;
    p[52] = k->is_stage;
    p[53] = k->is_stack;
    field(&r, NAME, str_of(x->kind == FW_LAUNCH ? leaf_of(full) : full));
    field(&r, FULL, str_of(full));
    if (x->custom)
        field(&r, CUSTOM, str_of(x->custom));
    field(&r, GRAPH_MODULE, k->is_graph ? STR("Dataset") : STR(""));
    field(&r, GRAPH_EVENT, str_of(k->is_graph ? x->event : ""));
    end(&r);
}

static void put_named(const struct fw_range *x, struct buf *b)
{
    char text[FW_NAME_B];
    struct record r;
    unsigned char *p = begin(&r, b, 0, NAMED_B);
    if (!p)
        return;
    demo_u64(p, ascend_host_count(x->start_ns));
    demo_u64(p + 8, ascend_host_count(x->end_ns));
    for (int i = 32; i < 56; i += 8)
        demo_u64(p + i, x->thread);
    demo_u64(p + 56, x->flow);
    demo_u64(p + 64, x->number);
    p[72] = x->kind == FW_LAUNCH ? USER_LEVEL : 0xff;
    field(&r, NAMED_NAME, str_of(fw_range_name(x, text)));
    if (x->custom)
        field(&r, NAMED_CUSTOM, str_of(x->custom));
    end(&r);
}

static void put_memory(const struct fw *f, const struct fw_record *rec, struct buf *b)
{
    const struct fw_memory *x = &rec->memory;
    bool frees = x->change != FW_MALLOC;
    struct record r;
    unsigned char *p = begin(&r, b, f->era->memory_type, MEMORY_B);
    if (!p)
        return;
    demo_u32(p, (uint32_t)f->g->device);
    demo_u64(p + 4, x->thread);
    demo_u64(p + 12, f->g->pid);
    demo_u64(p + 20, (uint64_t)ascend_abs(f->g, rec->at_ns));
    demo_u64(p + 28, x->address);
    demo_u64(p + 36, frees ? UINT64_MAX : x->size_b);
    demo_u64(p + 44, x->used_b);
    demo_u64(p + 52, x->peak_b);
    demo_u64(p + 60, x->reserved_b);
    demo_u64(p + 84, ASCEND_STREAM_PTR);
    demo_u32(p + 92, frees ? NO_STREAM : DEMO_STREAM_MAIN);
    p[98] = GRAPH_MODE;
    p[99] = KERNEL_MEM;
    field(&r, f->era->memory_type, str_of(frees ? "" : x->owner));
    end(&r);
}

static void put_shapes(const struct demo_op *op, struct buf *b)
{
    struct record r;
    struct buf text;
    if (!begin(&r, b, 3, 0))
        return;
    field(&r, 0, str_of(op->leaf));
    buf_init(&text, FW_NAME_B);
    fw_shapes(&text, op);
    field(&r, 1, buf_str(&text));
    buf_clear(&text);
    fw_types(&text, op, false);
    field(&r, 2, buf_str(&text));
    buf_done(&text);
    end(&r);
}

/* ---- torch_npu ---- */

static void put_torch(const struct fw *f, const struct fw_range *x, struct buf *b)
{
    char text[FW_NAME_B];
    struct record r;
    struct buf inputs;
    unsigned char *p = begin(&r, b, 1, TORCH_RANGES_B);
    if (!p)
        return;
    demo_u64(p, ascend_host_count(x->start_ns));
    demo_u64(p + 8, ascend_host_count(x->end_ns));
    demo_u64(p + 16, (uint64_t)x->sequence);
    demo_u64(p + 24, f->g->pid);
    demo_u64(p + 32, x->thread);
    demo_u64(p + 40, x->thread);
    demo_u64(p + 48, x->forward);
    p[56] = x->forward != 0;
    field(&r, 2, str_of(fw_range_name(x, text)));
    if (x->op && x->op->nin) {
        buf_init(&inputs, FW_NAME_B);
        fw_types(&inputs, x->op, true);
        field(&r, 3, buf_str(&inputs));
        buf_clear(&inputs);
        fw_shapes(&inputs, x->op);
        field(&r, 4, buf_str(&inputs));
        buf_done(&inputs);
    }
    end(&r);
}

static void put_mark(const struct fw *f, const struct fw_record *rec, struct buf *b)
{
    struct record r;
    unsigned char *p = begin(&r, b, 2, MARKS_B);
    if (!p)
        return;
    demo_u64(p, ascend_host_count(rec->at_ns));
    demo_u64(p + 8, rec->mark.kind);
    demo_u64(p + 16, rec->mark.correlation);
    demo_u64(p + 24, rec->mark.thread);
    demo_u64(p + 32, f->g->pid);
    field(&r, 1, str_of(rec->mark.name));
    end(&r);
}

static void put_torch_memory(const struct fw *f, const struct fw_record *rec, struct buf *b)
{
    const struct fw_memory *x = &rec->memory;
    struct record r;
    unsigned char *p = begin(&r, b, 3, TORCH_MEMORY_B);
    if (!p)
        return;
    demo_u64(p, x->address);
    demo_u64(p + 8, ascend_host_count(rec->at_ns));
    demo_u64(p + 16, x->change == FW_MALLOC ? x->size_b : (uint64_t) - (int64_t)x->size_b);
    demo_u64(p + 24, x->used_b);
    demo_u64(p + 32, x->reserved_b);
    demo_u64(p + 40, x->active_b);
    demo_u64(p + 48, ASCEND_STREAM_PTR);
    p[56] = NPU;
    p[57] = (unsigned char)f->g->device;
    p[59] = (unsigned char)x->change;
    demo_u64(p + 61, x->thread);
    demo_u64(p + 69, f->g->pid);
    end(&r);
}

static void put_call(const struct fw *f, const struct fw_record *rec, struct buf *b)
{
    unsigned char *p = (unsigned char *)buf_room(b, 33);
    if (!p)
        return;
    demo_u64(p, ascend_host_count(rec->at_ns));
    demo_u64(p + 8, rec->call.thread);
    demo_u64(p + 16, f->g->pid);
    demo_u64(p + 24, rec->call.key);
    p[32] = (unsigned char)(rec->call.is_c * 2 + rec->call.returns);
    b->n += 33;
}

static void put_text(const struct fw_call *x, struct buf *b)
{
    struct record r;
    unsigned char *p = begin(&r, b, 4, 8);
    if (!p)
        return;
    demo_u64(p, x->key);
    field(&r, 1, str_of(x->text));
    end(&r);
}

static void put_gc(const struct fw *f, const struct demo_span *x, struct buf *b)
{
    unsigned char *p = (unsigned char *)buf_room(b, 24);
    if (!p)
        return;
    demo_u64(p, f->g->pid);
    demo_u64(p + 8, ascend_host_count(x->start_ns));
    demo_u64(p + 16, ascend_host_count(x->start_ns + x->dur_ns));
    b->n += 24;
}

/* long: switch */
void fw_put(const struct fw *f, const struct fw_record *r, struct buf *b)
{
    switch (r->file) {
    case FW_RANGES:
        if (f->era->torch)
            put_torch(f, &r->range, b);
        else if (f->era->named)
            put_named(&r->range, b);
        else
            put_indexed(f, &r->range, b);
        break;
    case FW_MARKS:
        put_mark(f, r, b);
        break;
    case FW_MEMORY:
        if (f->era->torch)
            put_torch_memory(f, r, b);
        else
            put_memory(f, r, b);
        break;
    case FW_SHAPES:
        put_shapes(r->shapes, b);
        break;
    case FW_CALLS:
        put_call(f, r, b);
        break;
    case FW_TEXTS:
        put_text(&r->call, b);
        break;
    case FW_GC:
        put_gc(f, &r->gc, b);
        break;
    case FW_FILES:
        break;
    }
}
