/* SPDX-License-Identifier: Apache-2.0 */
/* Communication that AI CPUs run. */
#include "config.h"

#include "parsers/prof/comm/kfc.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/large/sort_index.h"
#include "parsers/prof/prof_layout.h"

enum { PROF_HEAD(FIELD_AT) PROF_KFC_TURN(FIELD_AT) };
enum { PROF_KFC_OP(FIELD_AT) PROF_KFC_INFO(FIELD_AT) };

/* Types of records in the head (doc/formats/prof.md#aicpu). */
enum { COMM_TURN = 4, COMPUTE_TURN = 5, HCCL_OP = 10, EDGE = 12, INFOS = 13 };

#define SQE_AI_CPU 1
#define INFOS_N    2 /* in a record */

/* Phases of a turn as msprof calls them (kfc_task_processor.cpp). */
static const char *const comm_phases[PROF_KFC_PHASES] = {
    "StartServer", "TaskWaitRequest", "TaskOrchestration", "TaskLaunch", "TaskExecute", "Finalize",
};
static const char *const compute_phases[] = { "WaitCompute", "Compute" };

struct reading {
    struct prof_kfc *k;
    struct prof *p;
    bool expanded;
};

static void ids(const struct reading *g, uint32_t stream, uint32_t task, uint32_t *stream_out,
                uint32_t *task_out)
{
    *stream_out = stream;
    *task_out = task;
    if (g->p->chip->v6)
        *task_out = task << 16 | (stream & 0xffff);
    else if (g->p->chip->scheduler == CHIP_STARS)
        prof_stars_ids(g->expanded, SQE_AI_CPU, (uint16_t)stream, (uint16_t)task, stream_out, task_out);
}

/* A task id of 32 bits is a V6 chip's own (stars_common.py, set_unique_task_id). */
static void wide_ids(const struct reading *g, uint32_t stream, uint32_t task, uint32_t *stream_out,
                     uint32_t *task_out)
{
    ids(g, stream, task, stream_out, task_out);
    if (g->p->chip->v6)
        *task_out = task;
}

static int add_turn(struct reading *g, struct rec *r, bool computes, struct err *e)
{
    struct prof_kfc *k = g->k;
    struct prof_kfc_turn *v = grow_array(k->turn, k->n_turns, &k->cap_turns, sizeof *v, 64);

    if (!v)
        return err_nomem(e);
    k->turn = v;
    v += k->n_turns++;
    *v = (struct prof_kfc_turn){ .length = rec_u64(r, computes ? KP_BYTES : KC_BYTES),
                                 .turn = rec_u8(r, computes ? KP_TURN : KC_TURN),
                                 .turns = rec_u8(r, computes ? KP_TURNS : KC_TURNS),
                                 .computes = computes };
    for (size_t i = 0; i <= prof_kfc_phases(v); i++)
        v->at[i] = rec_u64(r, (computes ? KP_AT : KC_AT) + 8 * i);
    ids(g, rec_u16(r, computes ? KP_STREAM : KC_STREAM), rec_u16(r, computes ? KP_TASK : KC_TASK), &v->stream,
        &v->task);
    return OK;
}

static int add_op(struct reading *g, struct rec *r, struct err *e)
{
    struct prof_kfc *k = g->k;
    struct prof_kfc_op *v = grow_array(k->op, k->n_ops, &k->cap_ops, sizeof *v, 64);
    uint8_t flags = rec_u8(r, KO_FLAGS);

    if (!v)
        return err_nomem(e);
    k->op = v;
    v += k->n_ops++;
    *v = (struct prof_kfc_op){ .time = rec_u64(r, PH_TIME),
                               .count = rec_u64(r, KO_COUNT),
                               .group_hash = rec_u64(r, KO_GROUP),
                               .alg = prof_hash_text(g->p, rec_u64(r, KO_ALG)),
                               .group = prof_hash_text(g->p, rec_u64(r, KO_GROUP)),
                               .ranks = rec_u32(r, KO_RANKS),
                               .data_type = rec_u8(r, KO_DATA_TYPE),
                               .relay = flags & 1,
                               .retry = flags >> 1 & 1 };
    wide_ids(g, rec_u16(r, KO_STREAM), rec_u32(r, KO_TASK), &v->stream, &v->task);
    return v->alg == PROF_NONE || v->group == PROF_NONE ? err_nomem(e) : OK;
}

static int add_edge(struct reading *g, struct rec *r, struct err *e)
{
    struct prof_kfc *k = g->k;
    struct prof_kfc_edge *v = grow_array(k->edge, k->n_edges, &k->cap_edges, sizeof *v, 64);

    if (!v)
        return err_nomem(e);
    k->edge = v;
    v += k->n_edges++;
    *v = (struct prof_kfc_edge){ .time = rec_u64(r, PH_TIME), .last = rec_u16(r, KE_KIND) != 0 };
    ids(g, rec_u16(r, KE_KERNEL_STREAM), rec_u16(r, KE_KERNEL_TASK), &v->kernel_stream, &v->kernel_task);
    ids(g, rec_u16(r, KE_STREAM), rec_u16(r, KE_TASK), &v->stream, &v->task);
    return OK;
}

static int add_info(struct reading *g, struct rec *r, size_t at, struct err *e)
{
    struct prof_kfc *k = g->k;
    uint64_t estimated = rec_u64(r, at + KI_ESTIMATED);
    struct prof_kfc_info *v;

    if (!rec_u64(r, at + KI_GROUP))
        return OK;
    v = grow_array(k->info, k->n_infos, &k->cap_infos, sizeof *v, 256);
    if (!v)
        return err_nomem(e);
    k->info = v;
    v += k->n_infos++;
    *v = (struct prof_kfc_info){ .time = rec_u64(r, at + KI_TIME),
                                 .notify = rec_u64(r, at + KI_NOTIFY),
                                 .size_b = rec_u64(r, at + KI_SIZE),
                                 .plane = rec_u16(r, at + KI_PLANE),
                                 .item = prof_hash_text(g->p, rec_u64(r, at + KI_ITEM)),
                                 .group = prof_hash_text(g->p, rec_u64(r, at + KI_GROUP)),
                                 .local_rank = rec_u32(r, at + KI_LOCAL),
                                 .remote_rank = rec_u32(r, at + KI_REMOTE),
                                 .ranks = rec_u32(r, at + KI_RANKS),
                                 .op_type = rec_u8(r, at + KI_OP_TYPE),
                                 .data_type = rec_u8(r, at + KI_DATA_TYPE),
                                 .link = rec_u8(r, at + KI_LINK),
                                 .transport = rec_u8(r, at + KI_TRANSPORT),
                                 .rdma = rec_u8(r, at + KI_RDMA),
                                 .role = rec_u8(r, at + KI_ROLE) };
    memcpy(&v->estimated, &estimated, sizeof v->estimated);
    wide_ids(g, rec_u16(r, at + KI_STREAM), rec_u32(r, at + KI_TASK), &v->stream, &v->task);
    return v->item == PROF_NONE || v->group == PROF_NONE ? err_nomem(e) : OK;
}

static int on_record(void *arg, struct prof_record *rec, struct err *e)
{
    struct reading *g = arg;
    struct rec *r = &rec->rec;

    switch (rec_u32(r, PH_TYPE)) {
    case COMM_TURN:
        return add_turn(g, r, false, e);
    case COMPUTE_TURN:
        return add_turn(g, r, true, e);
    case HCCL_OP:
        return add_op(g, r, e);
    case EDGE:
        return add_edge(g, r, e);
    case INFOS:
        for (size_t i = 0; i < INFOS_N; i++)
            if (add_info(g, r, i * PROF_KFC_INFO_B, e))
                return e->code;
        return OK;
    default:
        return OK; /* read by parsers/prof/device/aicpu.c */
    }
}

int prof_kfc_read(struct prof_kfc *k, struct prof *p, const struct prof_folder *f, bool expanded,
                  struct err *e)
{
    struct reading g = { .k = k, .p = p, .expanded = expanded };

    *k = (struct prof_kfc){ .n_turns = 0 };
    return prof_read(p, f, PROF_AICPU, on_record, &g, e);
}

void prof_kfc_done(struct prof_kfc *k)
{
    free(k->turn);
    free(k->op);
    free(k->edge);
    free(k->info);
    *k = (struct prof_kfc){ .n_turns = 0 };
}

unsigned prof_kfc_phases(const struct prof_kfc_turn *t)
{
    return t->computes ? (unsigned)ARRAY_LEN(compute_phases) : PROF_KFC_PHASES;
}

const char *prof_kfc_phase_word(const struct prof_kfc_turn *t, unsigned phase)
{
    return t->computes ? compute_phases[phase] : comm_phases[phase];
}

/* ---- tasks ---- */

static bool task_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct prof_task *x = (const struct prof_task *)arg + a, *y = (const struct prof_task *)arg + b;

    return x->stream != y->stream ? x->stream < y->stream : x->task < y->task;
}

struct asked {
    const struct prof_device *d;
    const uint32_t *order;
    uint32_t stream, task;
    uint64_t time;
};

/* Tasks of one stream and id are by their start in the order, and run one after the other. */
static bool is_before(const void *arg, size_t i)
{
    const struct asked *q = arg;
    const struct prof_task *t = &q->d->task[q->order[i]];

    if (t->stream != q->stream)
        return t->stream < q->stream;
    return t->task != q->task ? t->task < q->task : t->end < q->time;
}

/* Searches from *hint on, which becomes the position found. */
static uint32_t find_task(const struct asked *q, size_t *hint)
{
    *hint = prof_gallop(q->d->n_tasks, *hint, is_before, q);
    const struct prof_task *t = *hint < q->d->n_tasks ? &q->d->task[q->order[*hint]] : NULL;

    return t && t->stream == q->stream && t->task == q->task ? q->order[*hint] : PROF_NONE;
}

/* *out: room for n; *order: tasks by stream, id, start. */
static int begin_tasks(const struct prof_device *d, size_t n, uint32_t **out, uint32_t **order, struct err *e)
{
    *order = NULL;
    *out = calloc(n + 1, sizeof **out);
    if (!*out)
        return err_nomem(e);
    return n ? prof_order(NULL, order, d->n_tasks, task_before, d->task, e) : OK;
}

int prof_kfc_tasks(const struct prof_kfc *k, const struct prof_device *d, uint32_t **out, struct err *e)
{
    uint32_t *order;
    size_t hint = 0;

    if (begin_tasks(d, k->n_infos, out, &order, e))
        return e->code;
    for (size_t i = 0; i < k->n_infos; i++) {
        const struct prof_kfc_info *x = &k->info[i];
        const struct asked q = { d, order, x->stream, x->task, x->time };
        (*out)[i] = find_task(&q, &hint);
    }
    free(order);
    return OK;
}

int prof_kfc_edge_tasks(const struct prof_kfc *k, const struct prof_device *d, uint32_t **out, struct err *e)
{
    uint32_t *order;
    size_t hint = 0;

    if (begin_tasks(d, k->n_edges, out, &order, e))
        return e->code;
    for (size_t i = 0; i < k->n_edges; i++) {
        const struct prof_kfc_edge *x = &k->edge[i];
        const struct asked q = { d, order, x->stream, x->task, x->time };
        (*out)[i] = find_task(&q, &hint);
    }
    free(order);
    return OK;
}
