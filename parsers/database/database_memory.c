/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory: events of NPU_OP_MEM as totals of the pool and as lifetimes, and what the device holds (NPU_MEM)
 * (doc/formats/msprof.md#tables).
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "parsers/database/database_group.h"

struct event {
    int64_t addr, size, ns, allocated, reserved;
    uint32_t name, line;
    int rank;
    bool release;
};
/* Where an event is, to find the next one at its address. */
struct place {
    int64_t addr, ns;
    size_t at;
    int rank;
    bool release;
};
struct memory {
    struct database_group *g;
    struct paged event;
    bool samples, devices; /* what it feeds */
    uint32_t app;          /* text of the component, 0: not wanted */
};

enum { O_NAME, O_ADDR, O_TYPE, O_SIZE, O_NS, O_ALLOCATED, O_RESERVED, O_COMPONENT, O_DEVICE, O_N };

/* clang-format off */
static const struct database_col op_cols[] = {
    { "operatorName",   DB_SID,    O_NAME, NULL },
    { "addr",           DB_INT,    O_ADDR, NULL },
    { "type",           DB_WORD,   O_TYPE, NULL },
    { "size",           DB_INT,    O_SIZE, NULL },
    { "timestampNs",    DB_NS,     O_NS, NULL },
    { "totalAllocate",  DB_INT,    O_ALLOCATED, NULL },
    { "totalReserve",   DB_INT,    O_RESERVED, NULL },
    { "component",      DB_SID,    O_COMPONENT, NULL },
    { "deviceId",       DB_DEVICE, O_DEVICE, NULL },
};
static const struct database_map op_map = {
    .table = "NPU_OP_MEM", DB_SLOTS(O_N), .cols = op_cols, .n_cols = ARRAY_LEN(op_cols),
};

enum { D_TYPE = N_COLS(mem_device), D_N };
static const struct database_col device_cols[] = {
    { "type",           DB_WORD,   D_TYPE, NULL },
    { "ddr",            DB_INT,    COL(mem_device, ddr_b), NULL },
    { "hbm",            DB_INT,    COL(mem_device, hbm_b), NULL },
    { "timestampNs",    DB_NS,     COL(mem_device, ts_ns), NULL },
    { "deviceId",       DB_DEVICE, DB_NO_SLOT, NULL },
};
static const struct database_map device_map = {
    .table = "NPU_MEM", DB_SLOTS(D_N), .cols = device_cols, .n_cols = ARRAY_LEN(device_cols),
};
/* clang-format on */

static int put_sample(const struct database_row *r, const struct event *x, struct err *e)
{
    struct val v[N_COLS(mem_sample)] = { 0 };

    v[COL(mem_sample, rank)] = val_int(r->rank);
    v[COL(mem_sample, component_id)] = r->v[O_COMPONENT];
    v[COL(mem_sample, ts_ns)] = val_int(x->ns);
    v[COL(mem_sample, allocated_b)] = r->v[O_ALLOCATED];
    v[COL(mem_sample, reserved_b)] = r->v[O_RESERVED];
    v[COL(mem_sample, source_id)] = val_int(r->d->c->f->id);
    v[COL(mem_sample, line)] = val_int((int64_t)r->number);
    return sink_row(r->d->c->out, T_mem_sample, v, N_COLS(mem_sample), NULL, e);
}

static int on_event(struct database_row *r, struct err *e)
{
    struct memory *m = r->arg;
    const struct event x = { .addr = database_int(r, O_ADDR, 0),
                             .size = database_int(r, O_SIZE, 0),
                             .ns = database_int(r, O_NS, 0),
                             .allocated = database_int(r, O_ALLOCATED, -1),
                             .reserved = database_int(r, O_RESERVED, -1),
                             .name = (uint32_t)database_int(r, O_NAME, 0),
                             .line = (uint32_t)r->number,
                             .rank = r->rank,
                             .release =
                                 r->v[O_TYPE].t == VAL_TEXT && str_eq(r->v[O_TYPE].s, STR("release")) };

    *(struct event *)paged_add(&m->event) = x;
    if (paged_failed(m->g->pool, e))
        return e->code;
    return m->samples ? put_sample(r, &x, e) : OK;
}

/* ---- lifetimes ---- */

static struct val bytes(int64_t b)
{
    return b >= 0 ? val_int(b) : val_null();
}

static int put_alloc(struct database *d, const struct event *a, const struct event *end, struct err *e)
{
    struct val v[N_COLS(mem_alloc)] = { 0 };

    v[COL(mem_alloc, rank)] = val_int(a->rank);
    v[COL(mem_alloc, name_id)] = val_id(a->name);
    v[COL(mem_alloc, size_b)] = val_int(a->size);
    v[COL(mem_alloc, alloc_ns)] = val_int(a->ns);
    v[COL(mem_alloc, alloc_total_allocated_b)] = bytes(a->allocated);
    v[COL(mem_alloc, alloc_total_reserved_b)] = bytes(a->reserved);
    if (end) {
        v[COL(mem_alloc, release_ns)] = val_int(end->ns);
        v[COL(mem_alloc, dur_ns)] = val_int(end->ns - a->ns);
        v[COL(mem_alloc, release_total_allocated_b)] = bytes(end->allocated);
        v[COL(mem_alloc, release_total_reserved_b)] = bytes(end->reserved);
    }
    v[COL(mem_alloc, source_id)] = val_int(d->c->f->id);
    v[COL(mem_alloc, line)] = val_int(a->line);
    return sink_row(d->c->out, T_mem_alloc, v, N_COLS(mem_alloc), NULL, e);
}

static bool by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank;
    if (x->addr != y->addr)
        return x->addr < y->addr;
    return x->ns < y->ns;
}

/* An allocation ends with the next release at its address. end: for each event, that of its end and 1. */
static int find_ends(struct memory *m, struct paged *end, struct err *e)
{
    struct paged places;
    struct place last = { .release = true };

    paged_init(&places, m->g->pool, sizeof(struct place));
    for (size_t i = 0; i < m->event.n; i++) {
        const struct event x = *(const struct event *)paged_at(&m->event, i);
        *(struct place *)paged_add(&places) = (struct place){ x.addr, x.ns, i, x.rank, x.release };
    }
    (void)!paged_sort(&places, by_place, e);
    for (size_t i = 0; i < places.n && !e->code; i++) {
        const struct place p = *(const struct place *)paged_at(&places, i);
        if (!last.release && p.release && last.addr == p.addr && last.rank == p.rank)
            *(size_t *)paged_edit(end, last.at) = p.at + 1;
        last = p;
    }
    paged_done(&places);
    return e->code;
}

static int put_allocs(struct memory *m, struct database *d, struct err *e)
{
    struct paged ends;

    if (paged_make(&ends, m->g->pool, sizeof(size_t), m->event.n, 0, e) == OK)
        (void)!find_ends(m, &ends, e);
    for (size_t i = 0; i < m->event.n && !e->code; i++) {
        const struct event x = *(const struct event *)paged_at(&m->event, i);
        const size_t end = *(const size_t *)paged_at(&ends, i);
        if (!x.release)
            (void)!put_alloc(d, &x, end ? paged_at(&m->event, end - 1) : NULL, e);
    }
    paged_done(&ends);
    return e->code ? e->code : paged_failed(m->g->pool, e);
}

/* ---- the device ---- */

/* torch_npu counts what the process holds among the pools. */
static int put_app(const struct database_row *r, const struct memory *m, struct err *e)
{
    struct val v[N_COLS(mem_sample)] = { 0 };

    v[COL(mem_sample, rank)] = val_int(r->rank);
    v[COL(mem_sample, component_id)] = val_id(m->app);
    v[COL(mem_sample, ts_ns)] = r->v[COL(mem_device, ts_ns)];
    v[COL(mem_sample, reserved_b)] = r->v[COL(mem_device, total_b)];
    v[COL(mem_sample, source_id)] = val_int(r->d->c->f->id);
    v[COL(mem_sample, line)] = val_int((int64_t)r->number);
    return sink_row(r->d->c->out, T_mem_sample, v, N_COLS(mem_sample), NULL, e);
}

static int on_device(struct database_row *r, struct err *e)
{
    const struct memory *m = r->arg;
    struct val *v = r->v;
    bool app = v[D_TYPE].t == VAL_TEXT && str_eq(v[D_TYPE].s, STR("app"));
    int64_t ddr = database_int(r, COL(mem_device, ddr_b), 0),
            hbm = database_int(r, COL(mem_device, hbm_b), 0);
    int64_t both;

    v[COL(mem_device, rank)] = val_int(r->rank);
    v[COL(mem_device, process)] = val_cstr(app ? "APP" : "Device");
    v[COL(mem_device, total_b)] = __builtin_add_overflow(ddr, hbm, &both) ? val_null() : val_int(both);
    v[COL(mem_device, source_id)] = val_int(r->d->c->f->id);
    v[COL(mem_device, line)] = val_int((int64_t)r->number);
    if (m->devices && sink_row(r->d->c->out, T_mem_device, v, N_COLS(mem_device), NULL, e))
        return e->code;
    return app && m->app ? put_app(r, m, e) : OK;
}

int database_memory(struct database_group *g, struct database *d, struct err *e)
{
    bool has_allocs = database_table(d, STR("OP_MEMORY")) != SIZE_MAX;
    bool has_pools = database_table(d, STR("MEMORY_RECORD")) != SIZE_MAX;
    bool samples = group_wants(g->g, "mem_sample");
    struct memory m = { .g = g,
                        .samples = samples && !has_pools,
                        .devices = group_wants(g->g, "mem_device") };

    paged_init(&m.event, g->pool, sizeof(struct event));
    if (samples && has_pools)
        m.app = sink_intern(d->c->out, STR("APP"));
    if ((m.devices || m.app) && database_read(d, &device_map, on_device, &m, e))
        return e->code;
    bool allocs = group_wants(g->g, "mem_alloc") && !has_allocs;
    if ((m.samples || allocs) && database_read(d, &op_map, on_event, &m, e) == OK && allocs)
        (void)!put_allocs(&m, d, e);
    paged_done(&m.event);
    return e->code;
}
