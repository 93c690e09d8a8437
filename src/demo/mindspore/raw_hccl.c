/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raw data of MindSpore 1.x: hccl_info, the tasks on each plane of a communication op, one file for each op
 * and step (doc/formats/mindspore1.md#hccl_info).
 */
#include "config.h"

#include <stdio.h>

#include "base/path.h"
#include "demo/mindspore/raw.h"

#define FILES_MAX 20000 /* of one rank: in a long run only the first steps have them */

static const char *const KIND[] = { "allReduce", "allGather", "reduceScatter" };

/* Folder of a communication op: its kind, its number among those of its kind from 1 on, the device. */
static bool folder_of(const struct raw *r, uint32_t op, char *buf, size_t n)
{
    const struct demo_net *net = r->g->run->net;
    char top[40], name[64];
    uint32_t number = 1;
    for (uint32_t i = 0; i < op; i++)
        number += net->comm[i].kind == net->comm[op].kind;
    if (r->era->training_trace)
        snprintf(top, sizeof top, "hccl_info");
    else
        snprintf(top, sizeof top, "hccl_info_%d", r->g->rank);
    snprintf(name, sizeof name, "%s/%s_%u_%d", top, KIND[net->comm[op].kind], (unsigned)number, r->g->device);
    return path_join(buf, n, r->g->dir, name);
}

static void put_event(struct emit *o, const struct raw *r, const struct analysed_transfer *t,
                      const struct demo_comm *c, uint32_t i)
{
    char hex[32];
    int64_t start = analysed_ticks(r->g, t->start_ns);
    emit_fmt(o, "%s\n  {\n   \"tid\": %d,\n   \"pid\": \"%d\",\n   \"ts\": ", i ? "," : "", t->plane,
             r->g->device);
    emit_dec(o, start, 2);
    emit_s(o, ",\n   \"dur\": ");
    emit_dec(o, t->dur_ns / 10, 2);
    emit_fmt(o,
             ",\n   \"ph\": \"X\",\n   \"name\": \"%s\",\n   \"args\": {\n    \"stream id\": %d,\n"
             "    \"task id\": %u,\n    \"task type\": \"%s\",\n    \"src rank\": %d,\n"
             "    \"dst rank\": %d,\n    \"transport type\": \"%s\",\n    \"size\": ",
             t->task, (int)DEMO_STREAM_PLANE + t->plane, c->task + i, t->task, r->g->rank, t->peer,
             t->rdma ? "RDMA" : "SDMA");
    if (!t->has_size)
        emit_s(o, "null");
    else if (!r->era->text)
        emit_u(o, t->size_b);
    else {
        snprintf(hex, sizeof hex, "\"0x%llx\"", (unsigned long long)t->size_b);
        emit_s(o, hex);
    }
    emit_s(o, "\n   }\n  }");
}

static int put_trace(struct raw *r, const struct demo_comm *c, struct err *e)
{
    struct analysed_transfer v[ANALYSED_TRANSFERS_MAX];
    uint32_t n = analysed_transfers(c, v), iteration = r->g->walk.step.index + 1;
    char dir[1024], name[40];
    struct emit *o;
    snprintf(name, sizeof name, "iter%u.trace", (unsigned)iteration);
    if (!folder_of(r, c->op, dir, sizeof dir))
        return err_set(e, ERR_USAGE, "the path of the output directory is too long");
    if ((iteration == 1 && emit_mkdirs(dir, e)) || emit_open(&o, dir, name, e))
        return e->code;
    emit_fmt(o, "{\n \"device id\": \"%d\",\n \"iteration\": %u,\n \"traceEvents\": [", r->g->device,
             iteration);
    for (uint32_t i = 0; i < n; i++)
        put_event(o, r, &v[i], c, i);
    emit_s(o, "\n ]\n}");
    return emit_close(o, &r->g->count, e);
}

int raw_hccl(struct raw *r, struct err *e)
{
    struct analysed *g = r->g;
    const struct demo_step *s = &g->walk.step;
    uint32_t files = 0;
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk) && (files += s->ncomm) <= FILES_MAX)
        for (uint32_t i = 0; i < s->ncomm; i++)
            if (put_trace(r, &s->comm[i], e))
                return e->code;
    return OK;
}
