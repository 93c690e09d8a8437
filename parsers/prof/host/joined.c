/* SPDX-License-Identifier: Apache-2.0 */
/* Records of the host that are joined to tasks by something other than their call. */
#include "config.h"

#include "parsers/prof/host/joined.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/large/sort_index.h"
#include "parsers/prof/host/host_at.h"

#define KINDS_MAX    7  /* the last direction that has a name */
#define SHORT_COPY_B 16 /* data of the form without a maximum */
#define LONG_MODEL_B 16 /* data of capture_stream_info with 32-bit ids */

/* ---- reading ---- */

/*
 * msprof's form has a maximum before the direction; the runtime's has the direction there, then device and
 * stream (doc/formats/prof.md#compact-records, last but one rule: a record that makes no sense in one form is
 * of the other).
 */
static bool is_short(struct rec *r)
{
    return rec_u32(r, PH_LENGTH) == SHORT_COPY_B ||
           (rec_u16(r, MC_MAX) <= KINDS_MAX && !rec_u16(r, MC_KIND) &&
            (rec_u16(r, MC_MAX + 2) || rec_u32(r, MC_MAX + 4)));
}

static int on_copy(void *arg, struct prof_record *r, struct err *e)
{
    struct prof_joined *j = arg;
    bool small = is_short(&r->rec);
    struct prof_copied *v = spool_grow(j->p->spool, j->copy, j->n_copies, &j->copies_cap, sizeof *v, 256);

    if (!v)
        return err_nomem(e);
    j->copy = v;
    v[j->n_copies++] = (struct prof_copied){
        .stamp = rec_u64(&r->rec, PH_TIME),
        .left_b = rec_u64(&r->rec, MC_SIZE),
        .max_b = small ? 0 : rec_u64(&r->rec, MC_MAX),
        .thread = rec_u32(&r->rec, PH_THREAD),
        .kind = small ? rec_u16(&r->rec, MC_MAX) : rec_u16(&r->rec, MC_KIND),
    };
    return OK;
}

/* The wide form has a file of its own; the length of the data shows it, too. */
static struct prof_captured captured_of(struct rec *r, bool wide)
{
    if (wide || rec_u32(r, PH_LENGTH) >= LONG_MODEL_B)
        return (struct prof_captured){ .stamp = rec_u64(r, PH_TIME),
                                       .stream = rec_u32(r, CS2_STREAM),
                                       .model = rec_u32(r, CS2_MODEL),
                                       .device = rec_u16(r, CS2_DEVICE),
                                       .is_destroyed = rec_u8(r, CS2_STATUS) == 1 };
    return (struct prof_captured){ .stamp = rec_u64(r, PH_TIME),
                                   .stream = rec_u16(r, CS_STREAM),
                                   .model = rec_u16(r, CS_MODEL),
                                   .device = rec_u16(r, CS_DEVICE),
                                   .is_destroyed = rec_u16(r, CS_STATUS) == 1 };
}

static int add_capture(struct prof_joined *j, struct rec *r, bool wide, struct err *e)
{
    struct prof_captured *v = grow_array(j->capture, j->n_captures, &j->captures_cap, sizeof *v, 64);

    if (!v)
        return err_nomem(e);
    j->capture = v;
    v[j->n_captures++] = captured_of(r, wide);
    return OK;
}

static int on_capture(void *arg, struct prof_record *r, struct err *e)
{
    return add_capture(arg, &r->rec, false, e);
}

static int on_capture2(void *arg, struct prof_record *r, struct err *e)
{
    return add_capture(arg, &r->rec, true, e);
}

static int on_graph(void *arg, struct prof_record *r, struct err *e)
{
    struct prof_joined *j = arg;
    struct prof_graph *v = grow_array(j->graph, j->n_graphs, &j->graphs_cap, sizeof *v, 64);

    if (!v)
        return err_nomem(e);
    j->graph = v;
    v[j->n_graphs] = (struct prof_graph){ .model = rec_u32(&r->rec, GI_MODEL),
                                          .graph = rec_u32(&r->rec, GI_GRAPH),
                                          .name = prof_hash_text(j->p, rec_u64(&r->rec, GI_NAME)) };
    return v[j->n_graphs++].name == PROF_NONE ? err_nomem(e) : OK;
}

static int on_mc2(void *arg, struct prof_record *rec, struct err *e)
{
    struct prof_joined *j = arg;
    struct rec *r = &rec->rec;
    struct prof_mc2 *v = grow_array(j->mc2, j->n_mc2, &j->mc2_cap, sizeof *v, 16);
    uint32_t n = rec_u32(r, M2_STREAMS);

    if (!v)
        return err_nomem(e);
    j->mc2 = v;
    v += j->n_mc2++;
    *v = (struct prof_mc2){ .group_hash = rec_u64(r, M2_GROUP),
                            .group = prof_hash_text(j->p, rec_u64(r, M2_GROUP)),
                            .ranks = rec_u32(r, M2_RANKS),
                            .rank = rec_u32(r, M2_RANK),
                            .server = rec_u32(r, M2_SERVER),
                            .n_streams = n < PROF_MC2_STREAMS ? n : PROF_MC2_STREAMS };
    for (size_t i = 0; i < v->n_streams; i++)
        v->stream[i] = rec_u32(r, M2_STREAM + 4 * i);
    return v->group == PROF_NONE ? err_nomem(e) : OK;
}

static int on_expand(void *arg, struct prof_record *r, struct err *e)
{
    bool *expanded = arg;

    *expanded = rec_u8(&r->rec, ES_STATUS) == 1;
    return e->code;
}

static bool copy_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct prof_copied *v = arg;

    return v[a].stamp != v[b].stamp ? v[a].stamp < v[b].stamp : v[a].thread < v[b].thread;
}

static bool capture_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct prof_captured *v = arg;

    if (v[a].device != v[b].device)
        return v[a].device < v[b].device;
    return v[a].stream != v[b].stream ? v[a].stream < v[b].stream : v[a].stamp < v[b].stamp;
}

static bool graph_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct prof_graph *v = arg;

    return v[a].model < v[b].model;
}

int prof_joined_expanded(struct prof *p, bool *expanded, struct err *e)
{
    return prof_read(p, p->host, PROF_EXPAND_STREAM, on_expand, expanded, e);
}

int prof_joined_read(struct prof_joined *j, struct prof *p, struct err *e)
{
    *j = (struct prof_joined){ .p = p };
    if (prof_read(p, p->host, PROF_MEMCPY, on_copy, j, e) ||
        prof_read(p, p->host, PROF_CAPTURE_STREAM, on_capture, j, e) ||
        (!j->n_captures && prof_read(p, p->host, PROF_CAPTURE_STREAM2, on_capture2, j, e)) ||
        prof_read(p, p->host, PROF_GRAPH_ID, on_graph, j, e) ||
        prof_read(p, p->host, PROF_MC2_COMM, on_mc2, j, e) || prof_joined_expanded(p, &j->expanded, e) ||
        prof_sort(p->spool, j->copy, j->n_copies, sizeof *j->copy, copy_before, j->copy, e) ||
        prof_sort(p->spool, j->capture, j->n_captures, sizeof *j->capture, capture_before, j->capture, e) ||
        prof_sort(p->spool, j->graph, j->n_graphs, sizeof *j->graph, graph_before, j->graph, e))
        return e->code;
    return OK;
}

void prof_joined_free(struct prof_joined *j)
{
    spool_free(j->p ? j->p->spool : NULL, j->copy);
    free(j->capture);
    free(j->graph);
    free(j->mc2);
    *j = (struct prof_joined){ 0 };
}

/* ---- asking ---- */

struct asked {
    const struct prof_joined *j;
    const struct prof_host_task *t;
};

static bool copy_is_before(const void *arg, size_t i)
{
    const struct asked *q = arg;
    const struct prof_copied *c = &q->j->copy[i];

    if (c->stamp != q->t->stamp)
        return c->stamp < q->t->stamp;
    return c->thread != q->t->thread ? c->thread < q->t->thread : c->is_used;
}

void prof_joined_copy(struct prof_joined *j, struct prof_host_task *t)
{
    const struct asked q = { .j = j, .t = t };
    size_t i = prof_gallop(j->n_copies, j->hint, copy_is_before, &q);

    j->hint = i;
    if (i == j->n_copies || j->copy[i].stamp != t->stamp || j->copy[i].thread != t->thread)
        return;
    struct prof_copied *c = &j->copy[i];
    t->copy_b = c->max_b && c->max_b < c->left_b ? c->max_b : c->left_b;
    t->copy_kind = c->kind < PROF_COPY_NONE ? (uint8_t)c->kind : PROF_COPY_NONE - 1;
    c->left_b -= t->copy_b;
    c->is_used = !c->left_b;
}

static bool capture_is_before(const void *arg, size_t i)
{
    const struct asked *q = arg;
    const struct prof_captured *c = &q->j->capture[i];

    if (c->device != q->t->device)
        return c->device < q->t->device;
    return c->stream != q->t->stream ? c->stream < q->t->stream : c->stamp <= q->t->stamp;
}

uint32_t prof_joined_model(const struct prof_joined *j, const struct prof_host_task *t)
{
    const struct asked q = { .j = j, .t = t };
    size_t i = prof_gallop(j->n_captures, 0, capture_is_before, &q);

    if (!i)
        return PROF_NO_MODEL;
    const struct prof_captured *c = &j->capture[i - 1];
    return c->device == t->device && c->stream == t->stream && !c->is_destroyed ? c->model : PROF_NO_MODEL;
}

static int by_number(const void *va, const void *vb)
{
    const uint32_t *a = va, *b = vb;

    return *a < *b ? -1 : *a > *b;
}

static int make_servers(struct prof_host *h, struct err *e)
{
    uint32_t *v = h->n_mc2 ? calloc(h->n_mc2, sizeof *v) : NULL;
    size_t n = 0;

    if (!h->n_mc2)
        return OK;
    if (!v)
        return err_nomem(e);
    for (size_t i = 0; i < h->n_mc2; i++)
        v[i] = h->mc2[i].server;
    qsort(v, h->n_mc2, sizeof *v, by_number);
    for (size_t i = 0; i < h->n_mc2; i++)
        if (!n || v[i] != v[n - 1])
            v[n++] = v[i];
    h->server = v;
    h->n_servers = n;
    return OK;
}

bool prof_host_is_server(const struct prof_host *h, uint32_t stream)
{
    size_t lo = 0, hi = h->n_servers;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (h->server[mid] < stream)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < h->n_servers && h->server[lo] == stream;
}

int prof_joined_graphs(struct prof_joined *j, struct prof_host *h, struct err *e)
{
    h->graph = j->graph;
    h->n_graphs = j->n_graphs;
    h->mc2 = j->mc2;
    h->n_mc2 = j->n_mc2;
    j->graph = NULL;
    j->mc2 = NULL;
    j->n_graphs = j->graphs_cap = j->n_mc2 = j->mc2_cap = 0;
    return make_servers(h, e);
}
