/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations of the framework. */
#include "config.h"

#include "parsers/framework/memory.h"

#include "base/large/sort_index.h"
#include "parsers/framework/framework_layout.h"
#include "parsers/framework/tlv.h"

#define NPU 20 /* device type of torch_npu's records */

enum {
    MS_MEMORY_RECORD(FIELD_AT) PT_MEMORY_RECORD(FIELD_AT) PT_MEMORY_76_OWN(FIELD_AT)
        PT_MEMORY_75_OWN(FIELD_AT) PT_MEMORY_58_OWN(FIELD_AT)
};
enum { MS_MEMORY_TEXTS(TEXT_NO) MS_MEMORY_25_TEXTS(TEXT_NO) };

#define NONE UINT16_MAX /* the layout has no such member */

struct reading {
    struct framework_memory *m;
    const struct memory_layout *layout;
};
struct memory_layout {
    struct tlv_kind tlv;
    bool torch;
    /* torch_npu: where the members stand of those that releases place differently, or do not have */
    uint16_t thread, device, device_type, active, stream, component, kind, allocator;
};

static int64_t size_of(uint64_t b)
{
    return b <= INT64_MAX ? (int64_t)b : -1;
}

/* The owner stands in the only field. Times are wall clock ns (doc/formats/framework.md#memory_usage). */
static void take_mindspore(const struct reading *r, struct tlv_record *t, struct framework_memory_event *x,
                           struct err *e)
{
    struct rec *p = &t->fixed;
    bool frees = rec_u64(p, MSM_SIZE) == UINT64_MAX;
    struct str owner = STR("");
    uint16_t type;

    (void)tlv_field(t, &type, &owner);
    *x = (struct framework_memory_event){ .at = (int64_t)rec_u64(p, MSM_TIME),
                                          .address = rec_u64(p, MSM_ADDRESS),
                                          .stream = rec_u64(p, MSM_STREAM),
                                          .thread = rec_u64(p, MSM_THREAD),
                                          .size_b = frees ? 0 : size_of(rec_u64(p, MSM_SIZE)),
                                          .allocated_b = size_of(rec_u64(p, MSM_USED)),
                                          .reserved_b = size_of(rec_u64(p, MSM_RESERVED)),
                                          .active_b = size_of(rec_u64(p, MSM_USED)),
                                          .device = (int32_t)rec_u32(p, MSM_DEVICE),
                                          .kind = frees ? MEMORY_FREE : MEMORY_ALLOC };
    x->owner = framework_keep(r->m->f, owner, e);
}

static enum framework_memory_kind kind_of(uint8_t v)
{
    return v == 0 ? MEMORY_ALLOC : v == 1 ? MEMORY_FREE : MEMORY_BLOCK_FREE;
}

/*
 * Where no kind is recorded, a release has a negative size. Events of other devices are passed over, marked
 * by a time that is none (doc/formats/framework.md#layouts-by-release).
 */
static void take_torch(const struct reading *r, struct tlv_record *t, struct framework_memory_event *x)
{
    const struct memory_layout *l = r->layout;
    struct rec *p = &t->fixed;
    int64_t size = (int64_t)rec_u64(p, PTM_SIZE);
    bool frees = l->kind == NONE && size < 0;
    int64_t at = framework_ns(&r->m->f->clock, rec_u64(p, PTM_TIME));

    *x = (struct framework_memory_event){
        .at = rec_u8(p, l->device_type) == NPU ? at : INT64_MIN,
        .address = rec_u64(p, PTM_ADDRESS),
        .stream = l->stream == NONE ? 0 : rec_u64(p, l->stream),
        .thread = rec_u64(p, l->thread),
        .size_b = frees ? 0 : size_of((uint64_t)size),
        .allocated_b = size_of(rec_u64(p, PTM_ALLOCATED)),
        .reserved_b = size_of(rec_u64(p, PTM_RESERVED)),
        .active_b = l->active == NONE ? -1 : size_of(rec_u64(p, l->active)),
        .owner = FRAMEWORK_NONE,
        .device = (int8_t)rec_u8(p, l->device),
        .kind = l->kind != NONE ? kind_of(rec_u8(p, l->kind))
                : frees         ? MEMORY_FREE
                                : MEMORY_ALLOC,
        .workspace = l->component != NONE && rec_u8(p, l->component) == 1,
        .outer = l->allocator != NONE && rec_u8(p, l->allocator) != 0,
    };
}

/* clang-format off */
static const struct memory_layout layouts[] = {
    { .tlv = { "allocations", MS_MEMORY_B, MSM_OWNER, 0 } },
    { .tlv = { "allocations", MS_MEMORY_B, MSM_OWNER_25, 0 } },
    { { "allocations", PT_MEMORY_B, TLV_NO_FIELDS, 0 }, true,
      PTM_THREAD, PTM_DEVICE, PTM_DEVICE_TYPE, PTM_ACTIVE, PTM_STREAM, PTM_COMPONENT, PTM_KIND,
      PTM_ALLOCATOR },
    { { "allocations", PT_MEMORY_76_B, TLV_NO_FIELDS, 0 }, true,
      PTM76_THREAD, PTM_DEVICE, PTM_DEVICE_TYPE, PTM_ACTIVE, PTM_STREAM, NONE, PTM76_KIND, PTM76_ALLOCATOR },
    { { "allocations", PT_MEMORY_75_B, TLV_NO_FIELDS, 0 }, true,
      PTM75_THREAD, PTM_DEVICE, PTM_DEVICE_TYPE, PTM_ACTIVE, PTM_STREAM, NONE, PTM75_KIND, NONE },
    { { "allocations", PT_MEMORY_58_B, TLV_NO_FIELDS, 0 }, true,
      PTM58_THREAD, PTM58_DEVICE, PTM58_DEVICE_TYPE, NONE, NONE, NONE, NONE, NONE },
    { .tlv = { "allocations", MS_MEMORY_B, TLV_NO_FIELDS, 0 } },
};
/* clang-format on */

static int on_event(void *arg, struct tlv_record *t, struct err *e)
{
    const struct reading *r = arg;
    struct framework_memory *m = r->m;
    struct framework_memory_event x;

    if (r->layout->torch)
        take_torch(r, t, &x);
    else
        take_mindspore(r, t, &x, e);
    if (e->code || x.at == INT64_MIN)
        return e->code;
    if (m->n_events == FRAMEWORK_NONE)
        return err_set(e, ERR_LIMIT, "more than %u allocations", FRAMEWORK_NONE);
    struct framework_memory_event *v =
        spool_grow(m->f->pool, m->event, m->n_events, &m->cap_events, sizeof *v, 1024);
    if (!v)
        return err_nomem(e);
    x.line = t->where.line;
    m->event = v;
    v[m->n_events++] = x;
    return OK;
}

int framework_memory_read(struct framework_memory *m, struct parse_ctx *c, struct err *e)
{
    struct tlv_kind kinds[ARRAY_LEN(layouts)];
    struct reading r = { .m = m };
    size_t which;

    for (size_t i = 0; i < ARRAY_LEN(layouts); i++)
        kinds[i] = layouts[i].tlv;
    if (tlv_probe(c, kinds, ARRAY_LEN(kinds), &which, e) || which == TLV_EMPTY)
        return e->code;
    r.layout = &layouts[which];
    return tlv_read(c, &r.layout->tlv, on_event, &r, e);
}

void framework_memory_init(struct framework_memory *m, struct framework *f)
{
    *m = (struct framework_memory){ .f = f };
}

void framework_memory_done(struct framework_memory *m)
{
    if (!m->f)
        return;
    spool_free(m->f->pool, m->event);
    spool_free(m->f->pool, m->allocation);
    *m = (struct framework_memory){ .f = NULL };
}

/* ---- lifetimes ---- */

static bool by_address(const void *arg, uint32_t a, uint32_t b)
{
    const struct framework_memory_event *v = arg, *x = &v[a], *y = &v[b];

    if (x->device != y->device)
        return x->device < y->device;
    if (x->address != y->address)
        return x->address < y->address;
    return x->at < y->at;
}

static int add_allocation(struct framework_memory *m, uint32_t at, struct err *e)
{
    struct framework_allocation *v =
        spool_grow(m->f->pool, m->allocation, m->n_allocations, &m->cap_allocations, sizeof *v, 1024);

    if (!v)
        return err_nomem(e);
    m->allocation = v;
    v[m->n_allocations++] = (struct framework_allocation){ at, FRAMEWORK_NONE, FRAMEWORK_NONE };
    return OK;
}

static bool allocated_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct framework_memory *m = arg;
    const struct framework_memory_event *x = &m->event[m->allocation[a].alloc];
    const struct framework_memory_event *y = &m->event[m->allocation[b].alloc];

    return x->at != y->at ? x->at < y->at : m->allocation[a].alloc < m->allocation[b].alloc;
}

int framework_memory_pair(struct framework_memory *m, struct err *e)
{
    uint32_t *order = NULL;
    struct framework_allocation *open = NULL; /* the last one of the address */

    if (prof_order(m->f->pool, &order, m->n_events, by_address, m->event, e))
        return e->code;
    for (size_t i = 0; i < m->n_events && !e->code; i++) {
        const struct framework_memory_event *x = &m->event[order[i]];
        const struct framework_memory_event *first = open ? &m->event[open->alloc] : NULL;
        if (x->outer)
            continue;
        if (first && (first->address != x->address || first->device != x->device))
            open = NULL;
        if (x->kind == MEMORY_ALLOC) {
            if (add_allocation(m, order[i], e) == OK)
                open = &m->allocation[m->n_allocations - 1];
            continue;
        }
        uint32_t *end = !open ? NULL : x->kind == MEMORY_FREE ? &open->release : &open->block_release;
        if (end && *end == FRAMEWORK_NONE)
            *end = order[i];
        else
            open = NULL;
    }
    spool_free(m->f->pool, order);
    if (e->code)
        return e->code;
    return prof_sort(m->f->pool, m->allocation, m->n_allocations, sizeof *m->allocation, allocated_before, m,
                     e);
}

/* ---- owners ---- */

static bool is_helper(const struct framework *f, uint32_t range)
{
    struct str name = framework_str(f, f->range[range].name);

    return str_eq(name, STR("empty_tensor")) || str_eq(name, STR("malloc_workspace"));
}

/* An op that asked for memory, not one that serves such requests. */
static uint32_t asker(const struct framework_joins *j, uint64_t thread, int64_t at)
{
    uint32_t x = framework_op_around(j, thread, at);

    while (x != FRAMEWORK_NONE && is_helper(j->f, x))
        x = j->above[x];
    return x;
}

static bool is_public(struct str name)
{
    return str_starts(name, STR("aten")) || str_starts(name, STR("npu"));
}

uint32_t framework_memory_owner(const struct framework_joins *j, const struct framework_memory_event *x)
{
    const struct framework_queued *put = framework_put_for(j, x->thread, x->at);

    if (!put)
        return asker(j, x->thread, x->at);
    uint32_t at = framework_op_around(j, put->thread, put->to);
    while (at != FRAMEWORK_NONE && !is_public(framework_str(j->f, j->f->range[at].name)))
        at = j->above[at];
    return at;
}
