/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raw data of MindSpore 1.x: the graph's tasks, tensors and step marks as the framework names them
 * (doc/formats/mindspore1.md#framework-text, #framework-records).
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/buf.h"
#include "demo/mindspore/raw.h"
#include "parsers/mindspore/records/record_layout.h"

enum { FW_TASK_RECORD(FIELD_AT) TASK_B = 256 };
enum { FW_TENSOR_RECORD(FIELD_AT) TENSORS_B = 256, TENSOR_B = TENSOR_1_KIND - TENSOR_0_KIND };
enum { FW_STEP_RECORD(FIELD_AT) STEP_B = 64 };
enum mix_layout {
    MIX_FLAG = 0,
    MIX_TEXT = 8,
    OP_B = TASK_TYPE - TASK_OP,
    TYPE_B = TASK_ITERATION - TASK_TYPE
};

/*
 * By enum demo_format and demo_dtype: numbers of the binary records; words of the text, numbers of r1.3 to
 * r1.5.
 */
static const uint32_t FORMAT[] = { 7, 8, 1, 10 };
static const uint32_t DTYPE[] = { 42, 43, 34 };
static const char *const TEXT_FORMAT[] = { "NC1HWC0", "FRACTAL_Z", "DefaultFormat", "FRACTAL_NZ" };
static const uint32_t TEXT_DTYPE[] = { 43, 44, 34 };

#define MAGIC        0x5a5a
#define MAGIC_TASK   (MAGIC | 0x17u << 16)
#define MAGIC_TENSOR (MAGIC | 0x18u << 16)
#define MAGIC_STEP   (MAGIC | 0x19u << 16)
#define THREAD       4711
enum task_kind { KIND_AI_CORE = 0, KIND_AI_CPU = 1, KIND_HCCL = 10, KIND_RTS = 11 };

static uint64_t hash_of(struct str s)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < s.n; i++)
        h = (h ^ (unsigned char)s.p[i]) * UINT64_C(1099511628211);
    return h;
}

/* ---- binary ---- */

struct writer {
    struct raw *r;
    struct demo_slices task, tensor, hash;
};

/* A name that does not fit is in the dictionary. */
static void put_mix(struct writer *w, unsigned char *p, size_t size, struct str s, struct err *e)
{
    if (s.n < size - MIX_TEXT) {
        p[MIX_FLAG] = !w->r->era->hash_flag;
        memcpy(p + MIX_TEXT, s.p, s.n);
        return;
    }
    char number[32];
    uint64_t h = hash_of(s);
    p[MIX_FLAG] = w->r->era->hash_flag;
    demo_u64(p + MIX_TEXT, h);
    int n = snprintf(number, sizeof number, "%" PRIu64 ":", h);
    demo_slices_puts(&w->hash, number, (size_t)n, e);
    demo_slices_puts(&w->hash, s.p, s.n, e);
    demo_slices_puts(&w->hash, "\n", 1, e);
}

static enum task_kind kind_of(const struct raw *r, const struct analysed_task *k)
{
    switch ((enum analysed_task_kind)k->kind) {
    case ANALYSED_TASK_COMM:
        return KIND_HCCL;
    case ANALYSED_TASK_MARK:
        return KIND_RTS;
    default:
        return analysed_on_core(r->g, k->i) ? KIND_AI_CORE : KIND_AI_CPU;
    }
}

static void put_task(struct writer *w, const struct analysed_task *k, struct err *e)
{
    const struct demo_net *n = w->r->g->run->net;
    unsigned char p[TASK_B] = { 0 };
    struct analysed_task_text t;
    analysed_task_text(n, k, &t);
    demo_u32(p, MAGIC_TASK);
    demo_u32(p + TASK_KIND, (uint32_t)kind_of(w->r, k));
    put_mix(w, p + TASK_OP, OP_B, t.name, e);
    put_mix(w, p + TASK_TYPE, TYPE_B, t.type, e);
    demo_u32(p + TASK_BLOCK, k->kind == ANALYSED_TASK_OP ? n->op[k->i].blocks : 1);
    demo_u32(p + TASK_MODEL, ANALYSED_GRAPH_ID);
    demo_u32(p + TASK_STREAM, k->stream);
    demo_u32(p + TASK_TASK, k->task);
    demo_u32(p + TASK_THREAD, THREAD);
    demo_slices_put(&w->task, p, sizeof p, e);
}

/* Inputs and outputs in records of their own. */
static void put_tensors(struct writer *w, const struct analysed_task *k, const struct demo_tensor *t, int n,
                        uint32_t side, struct err *e)
{
    unsigned char p[TENSORS_B] = { 0 };
    uint32_t added = w->r->era->added;
    if (!n)
        return;
    demo_u32(p, MAGIC_TENSOR);
    demo_u32(p + TENSOR_MODEL, ANALYSED_GRAPH_ID);
    demo_u32(p + TENSOR_STREAM, k->stream);
    demo_u32(p + TENSOR_TASK, k->task);
    p[TENSOR_COUNT] = (unsigned char)n;
    for (int i = 0; i < n; i++) {
        unsigned char *q = p + TENSOR_0_KIND + i * TENSOR_B;
        demo_u32(q, side);
        demo_u32(q + 4, FORMAT[t[i].format] + added);
        demo_u32(q + 8, DTYPE[t[i].dtype] + added);
        for (int d = 0; d < t[i].nd; d++)
            demo_u32(q + 12 + 4 * d, t[i].dim[d]);
    }
    demo_slices_put(&w->tensor, p, sizeof p, e);
}

static int put_steps(struct raw *r, struct err *e)
{
    const struct analysed_graph *graph = &r->g->graph;
    struct demo_slices s;
    raw_open(&s, r, "Framework.step_info");
    for (uint32_t i = 0; i < graph->n; i++) {
        const struct analysed_task *k = &graph->task[i];
        unsigned char p[STEP_B] = { 0 };
        if (k->kind != ANALYSED_TASK_MARK || k->tag >= ANALYSED_TAG_COMM)
            continue;
        demo_u32(p, MAGIC_STEP);
        demo_u32(p + STEP_MODEL, ANALYSED_GRAPH_ID);
        demo_u32(p + STEP_STREAM, k->stream);
        demo_u32(p + STEP_TASK, k->task);
        demo_u32(p + STEP_THREAD, THREAD);
        p[STEP_TAG] = (unsigned char)k->tag;
        demo_slices_put(&s, p, sizeof p, e);
    }
    return demo_slices_close(&s, 0, e);
}

static int binary(struct raw *r, struct err *e)
{
    const struct analysed_graph *graph = &r->g->graph;
    struct writer w = { .r = r };
    raw_open(&w.task, r, "Framework.task_desc_info");
    raw_open(&w.tensor, r, "Framework.tensor_data_info");
    raw_open(&w.hash, r, "Framework.hash_dic");
    for (uint32_t i = 0; i < graph->n; i++) {
        const struct analysed_task *k = &graph->task[i];
        put_task(&w, k, e);
        if (k->kind != ANALYSED_TASK_OP)
            continue;
        const struct demo_op *op = &r->g->run->net->op[k->i];
        put_tensors(&w, k, op->t, op->nin, 0, e);
        put_tensors(&w, k, op->t + op->nin, op->nout, 1, e);
    }
    int rc = demo_slices_close(&w.task, 0, e);
    rc = demo_slices_close(&w.tensor, 0, e) || rc;
    rc = demo_slices_close(&w.hash, 0, e) || rc;
    return rc ? e->code : put_steps(r, e);
}

/* ---- text ---- */

static void add_tensors(struct buf *b, const char *side, const struct demo_tensor *t, int n)
{
    for (int i = 0; i < n; i++) {
        buf_printf(b, " %s_id:%d %s_format:%s %s_data_type:%u %s_shape:\"", side, i, side,
                   TEXT_FORMAT[t[i].format], side, (unsigned)TEXT_DTYPE[t[i].dtype], side);
        for (int d = 0; d < t[i].nd; d++)
            buf_printf(b, d ? ",%u" : "%u", (unsigned)t[i].dim[d]);
        buf_addc(b, '"');
    }
}

static void add_line(struct demo_slices *s, struct buf *b, struct err *e)
{
    buf_addc(b, '\n');
    if (!buf_failed(b))
        demo_slices_puts(s, b->p, b->n, e);
    else if (!s->rc)
        s->rc = err_nomem(e);
    buf_clear(b);
}

/* The ops of a step's marks: tag and name. */
static int put_points(struct raw *r, struct buf *b, struct err *e)
{
    const struct demo_net *n = r->g->run->net;
    bool old = r->era->training_trace;
    struct demo_slices s;
    raw_open(&s, r, "Framework.host.vm_point");
    buf_printf(b, "%d %s", old ? 1 : ANALYSED_TAG_FP, n->op[n->fp_first].name);
    add_line(&s, b, e);
    buf_printf(b, "%d %s", old ? 2 : ANALYSED_TAG_BP, n->op[n->bp_last].name);
    add_line(&s, b, e);
    for (uint32_t i = 0; i < n->ncomm * 2; i++) {
        buf_printf(b, "%u %s", (unsigned)((old ? 3 : ANALYSED_TAG_COMM) + i), n->comm[i / 2].name);
        add_line(&s, b, e);
    }
    return demo_slices_close(&s, 0, e);
}

static int text(struct raw *r, struct err *e)
{
    const struct analysed_graph *graph = &r->g->graph;
    struct demo_slices ops, tasks;
    struct buf b;
    buf_init(&b, 1 << 20);
    raw_open(&ops, r, "Framework.host.vm_graph_desc_info");
    raw_open(&tasks, r, "Framework.host.vm_task_desc_info");
    for (uint32_t i = 0; i < graph->n; i++) {
        const struct analysed_task *k = &graph->task[i];
        if (k->kind != ANALYSED_TASK_OP || !analysed_on_core(r->g, k->i))
            continue;
        const struct demo_op *op = &r->g->run->net->op[k->i];
        buf_printf(&b, "op_name:%s op_type:%s", op->name, demo_op_type(op)->name);
        add_tensors(&b, "input", op->t, op->nin);
        add_tensors(&b, "output", op->t + op->nin, op->nout);
        add_line(&ops, &b, e);
        buf_printf(&b, "%s %u %u %u", op->name, (unsigned)op->blocks, (unsigned)k->task, (unsigned)k->stream);
        add_line(&tasks, &b, e);
    }
    int rc = demo_slices_close(&ops, 0, e);
    rc = demo_slices_close(&tasks, 0, e) || rc;
    rc = rc ? e->code : put_points(r, &b, e);
    buf_done(&b);
    return rc;
}

int raw_framework(struct raw *r, struct err *e)
{
    return r->era->text ? text(r, e) : binary(r, e);
}
