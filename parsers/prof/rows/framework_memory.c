/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of the allocations that the framework recorded: lifetimes with the op that asked for them, totals of
 * the pools of torch_npu (MindSpore writes those of its own to a text file).
 */
#include "config.h"

#include <stdio.h>

#include "parsers/framework/memory.h"
#include "parsers/parsers.h"
#include "parsers/prof/rows/rows_framework.h"

struct writing {
    struct prof_rows *r;
    struct prof_rows_framework *w;
    struct framework_memory m;
    uint32_t source;
    uint32_t pool, workspace; /* words */
};

static struct val bytes(int64_t b)
{
    return b >= 0 ? val_int(b) : val_null();
}

static struct val device_word(char buf[24], const struct framework_memory_event *a)
{
    snprintf(buf, 24, "NPU:%d", (int)a->device);
    return val_cstr(buf);
}

static struct val stream_of(const struct framework_memory_event *a)
{
    return a->stream ? val_uint(a->stream) : val_null();
}

/* ---- lifetimes ---- */

static uint32_t owner_of(struct writing *x, const struct framework_memory_event *a)
{
    const struct framework *f = &x->w->f;
    uint32_t text = a->owner;

    if (f->torch && x->w->joins.f) {
        uint32_t range = framework_memory_owner(&x->w->joins, a);
        text = range == FRAMEWORK_NONE ? FRAMEWORK_NONE : f->range[range].name;
    }
    return text == FRAMEWORK_NONE ? 0 : sink_intern(x->r->g->out, framework_str(f, text));
}

static int put_alloc(struct writing *x, const struct framework_allocation *l, struct err *e)
{
    const struct framework_memory_event *v_of = x->m.event, *a = &v_of[l->alloc];
    const struct framework_memory_event *end = l->release == FRAMEWORK_NONE ? NULL : &v_of[l->release];
    const struct framework_memory_event *block =
        l->block_release == FRAMEWORK_NONE ? NULL : &v_of[l->block_release];
    const struct framework_memory_event *totals = end ? end : block;
    struct val v[N_COLS(mem_alloc)] = { 0 };
    char word[24];

    v[COL(mem_alloc, rank)] = val_int(prof_rows_own_rank(x->r));
    v[COL(mem_alloc, name_id)] = val_id(owner_of(x, a));
    v[COL(mem_alloc, size_b)] = bytes(a->size_b);
    v[COL(mem_alloc, alloc_ns)] = val_int(a->at);
    v[COL(mem_alloc, alloc_total_allocated_b)] = bytes(a->allocated_b);
    v[COL(mem_alloc, alloc_total_reserved_b)] = bytes(a->reserved_b);
    v[COL(mem_alloc, alloc_total_active_b)] = bytes(a->active_b);
    if (end) {
        v[COL(mem_alloc, release_ns)] = val_int(end->at);
        v[COL(mem_alloc, dur_ns)] = val_int(end->at - a->at);
    }
    if (block) {
        v[COL(mem_alloc, active_release_ns)] = val_int(block->at);
        v[COL(mem_alloc, active_dur_ns)] = val_int(block->at - a->at);
    }
    if (totals) {
        v[COL(mem_alloc, release_total_allocated_b)] = bytes(totals->allocated_b);
        v[COL(mem_alloc, release_total_reserved_b)] = bytes(totals->reserved_b);
        v[COL(mem_alloc, release_total_active_b)] = bytes(totals->active_b);
    }
    v[COL(mem_alloc, stream)] = stream_of(a);
    v[COL(mem_alloc, device_type)] = device_word(word, a);
    v[COL(mem_alloc, source_id)] = val_id(x->source);
    v[COL(mem_alloc, line)] = val_int(a->line);
    return sink_row(x->r->g->out, T_mem_alloc, v, N_COLS(mem_alloc), NULL, e);
}

static int put_allocs(struct writing *x, struct err *e)
{
    if (framework_memory_pair(&x->m, e))
        return e->code;
    for (size_t i = 0; i < x->m.n_allocations; i++)
        if (put_alloc(x, &x->m.allocation[i], e))
            return e->code;
    return OK;
}

/* ---- totals ---- */

static int put_sample(struct writing *x, const struct framework_memory_event *a, struct err *e)
{
    struct val v[N_COLS(mem_sample)] = { 0 };
    char word[24];

    v[COL(mem_sample, rank)] = val_int(prof_rows_own_rank(x->r));
    v[COL(mem_sample, component_id)] = val_id(a->workspace ? x->workspace : x->pool);
    v[COL(mem_sample, ts_ns)] = val_int(a->at);
    v[COL(mem_sample, allocated_b)] = bytes(a->allocated_b);
    v[COL(mem_sample, reserved_b)] = bytes(a->reserved_b);
    v[COL(mem_sample, active_b)] = bytes(a->active_b);
    v[COL(mem_sample, stream)] = stream_of(a);
    v[COL(mem_sample, device_type)] = device_word(word, a);
    v[COL(mem_sample, source_id)] = val_id(x->source);
    v[COL(mem_sample, line)] = val_int(a->line);
    return sink_row(x->r->g->out, T_mem_sample, v, N_COLS(mem_sample), NULL, e);
}

static int put_samples(struct writing *x, struct err *e)
{
    x->pool = sink_intern(x->r->g->out, STR("PTA"));
    x->workspace = sink_intern(x->r->g->out, STR("WORKSPACE"));
    for (size_t i = 0; i < x->m.n_events && x->w->f.torch; i++)
        if (put_sample(x, &x->m.event[i], e))
            return e->code;
    return OK;
}

/* ---- the whole ---- */

static int write_file(struct writing *x, struct parse_ctx *c, struct err *e)
{
    struct group_ctx *g = x->r->g;

    x->source = c->f->id;
    framework_memory_init(&x->m, &x->w->f);
    if (!group_failed(g, c, framework_memory_read(&x->m, c, e), e))
        (void)!((group_wants(g, "mem_alloc") && put_allocs(x, e)) ||
                (group_wants(g, "mem_sample") && put_samples(x, e)));
    framework_memory_done(&x->m);
    return e->code;
}

int prof_rows_framework_memory(struct prof_rows_framework *w, struct prof_rows *r, struct err *e)
{
    struct writing x = { .r = r, .w = w };
    struct parse_ctx *c;

    if (!group_wants(r->g, "mem_alloc") && !group_wants(r->g, "mem_sample"))
        return OK;
    for (size_t i = 0; (c = group_use(r->g, ROLE_HOST_MEMORY, i)) != NULL; i++)
        if (write_file(&x, c, e))
            return e->code;
    return OK;
}
