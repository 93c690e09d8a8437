/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory snapshots of torch as rows (doc/formats/analysed.md#memory-snapshots): after each entry of a trace
 * what is allocated, reserved and active, and each allocation from its entry to that of its release.
 *
 * A trace knows changes alone, and often begins after the first allocations. What was there before it follows
 * from the end, which the segments tell. So a trace is walked twice: for its sum and its peak, then for the
 * rows. Sizes are those asked for, as in the trace; a block may be larger.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/path.h"
#include "parsers/parsers.h"
#include "parsers/read/lines.h"
#include "parsers/read/u64map.h"
#include "parsers/tables/snapshot.h"

struct totals {
    int64_t allocated, reserved, active;
};

/* An allocation of a trace that was not yet written. */
struct live {
    uint64_t addr, size_b, stream;
    size_t born, freed; /* entry + 1; 0: before the trace, not yet */
    int64_t born_ns, freed_ns, done_ns;
    struct totals at_born, at_freed;
    uint32_t stack;
    uint32_t next_free;
};

struct replay {
    struct parse_ctx *c;
    const struct snapshot *s;
    struct snapshot_trace trace;
    char device[32];
    uint32_t component;
    struct totals base, now;
    size_t peak; /* entry + 1 after which the most was allocated; 0: before the first */
    bool has_blocks;
    struct u64map at; /* address to live + 1 */
    struct live *live;
    size_t n_live, cap_live;
    uint32_t free_live; /* + 1 */
};

static struct val time_of(int64_t ns)
{
    return ns == SNAPSHOT_NO_TIME ? val_null() : val_int(ns);
}

/* ---- totals ---- */

static void step(struct totals *t, const struct snapshot_entry *n)
{
    const struct snapshot_act *a = &snapshot_acts[n->action];
    int64_t size = (int64_t)n->size_b;

    /* wraps where a damaged file says so */
    t->allocated = (int64_t)((uint64_t)t->allocated + (uint64_t)(a->allocated * size));
    t->reserved = (int64_t)((uint64_t)t->reserved + (uint64_t)(a->reserved * size));
    t->active = (int64_t)((uint64_t)t->active + (uint64_t)(a->active * size));
}

static void lower(struct totals *least, const struct totals *t)
{
    least->allocated = t->allocated < least->allocated ? t->allocated : least->allocated;
    least->reserved = t->reserved < least->reserved ? t->reserved : least->reserved;
    least->active = t->active < least->active ? t->active : least->active;
}

static int64_t before(int64_t end, int64_t sum, int64_t least)
{
    int64_t known = (int64_t)((uint64_t)end - (uint64_t)sum), needed = least < 0 ? 0 - least : 0;

    return known > needed ? known : needed;
}

/* What was allocated before the trace: what is at its end, less its sum, but enough for all it releases. */
static void find_base(struct replay *r)
{
    struct totals end = { 0 }, sum = { 0 }, least = { 0 };
    const struct snapshot *s = r->s;
    int64_t most = 0;

    for (size_t i = 0; i < s->n_blocks && r->has_blocks; i++)
        if (s->block[i].device == r->trace.device) {
            end.allocated += s->block[i].allocated ? (int64_t)s->block[i].asked_b : 0;
            end.active += (int64_t)s->block[i].asked_b;
        }
    for (size_t i = 0; i < s->n_segments; i++)
        if (s->segments[i].device == r->trace.device)
            end.reserved = (int64_t)s->segments[i].reserved_b;
    r->peak = 0;
    for (size_t i = 0; i < r->trace.n; i++) {
        step(&sum, &s->entry[r->trace.first + i]);
        lower(&least, &sum);
        if (sum.allocated > most) {
            most = sum.allocated;
            r->peak = i + 1;
        }
    }
    if (least.allocated < -INT64_MAX || least.reserved < -INT64_MAX || least.active < -INT64_MAX)
        least = (struct totals){ 0 };
    r->base = (struct totals){ before(end.allocated, sum.allocated, least.allocated),
                               before(end.reserved, sum.reserved, least.reserved),
                               before(end.active, sum.active, least.active) };
}

/* ---- rows ---- */

static int put_sample(struct replay *r, const struct snapshot_entry *n, size_t line, const char *word,
                      struct err *e)
{
    struct val v[N_COLS(mem_sample)] = { 0 };

    v[COL(mem_sample, rank)] = val_int(r->c->rank);
    v[COL(mem_sample, component_id)] = val_id(r->component);
    v[COL(mem_sample, ts_ns)] = n ? time_of(n->ts_ns) : val_null();
    v[COL(mem_sample, allocated_b)] = val_int(r->now.allocated);
    v[COL(mem_sample, reserved_b)] = val_int(r->now.reserved);
    v[COL(mem_sample, active_b)] = val_int(r->now.active);
    v[COL(mem_sample, stream)] = n ? val_uint(n->stream) : val_null();
    v[COL(mem_sample, device_type)] = val_cstr(r->device);
    v[COL(mem_sample, source_id)] = val_int(r->c->f->id);
    v[COL(mem_sample, line)] = val_int((int64_t)line);
    v[COL(mem_sample, event)] = val_cstr(word);
    return parse_row(r->c, T_mem_sample, v, N_COLS(mem_sample), e);
}

static void put_times(struct val *v, const struct live *a)
{
    v[COL(mem_alloc, alloc_ns)] = time_of(a->born_ns);
    v[COL(mem_alloc, release_ns)] = time_of(a->freed_ns);
    v[COL(mem_alloc, active_release_ns)] = time_of(a->done_ns);
    if (a->born_ns != SNAPSHOT_NO_TIME && a->freed_ns != SNAPSHOT_NO_TIME)
        v[COL(mem_alloc, dur_ns)] = val_int(a->freed_ns - a->born_ns);
    if (a->born_ns != SNAPSHOT_NO_TIME && a->done_ns != SNAPSHOT_NO_TIME)
        v[COL(mem_alloc, active_dur_ns)] = val_int(a->done_ns - a->born_ns);
    if (a->born) {
        v[COL(mem_alloc, alloc_total_allocated_b)] = val_int(a->at_born.allocated);
        v[COL(mem_alloc, alloc_total_reserved_b)] = val_int(a->at_born.reserved);
        v[COL(mem_alloc, alloc_total_active_b)] = val_int(a->at_born.active);
        v[COL(mem_alloc, line)] = val_int((int64_t)a->born);
    }
    if (a->freed) {
        v[COL(mem_alloc, release_total_allocated_b)] = val_int(a->at_freed.allocated);
        v[COL(mem_alloc, release_total_reserved_b)] = val_int(a->at_freed.reserved);
        v[COL(mem_alloc, release_total_active_b)] = val_int(a->at_freed.active);
        v[COL(mem_alloc, release_line)] = val_int((int64_t)a->freed);
    }
}

/* block: the one that it lies in at the end, NULL: it was released, or the segments are not known. */
static int put_alloc(struct replay *r, const struct live *a, const struct snapshot_block *block,
                     struct err *e)
{
    struct val v[N_COLS(mem_alloc)] = { 0 };
    uint32_t stack = a->stack ? a->stack : block ? block->stack : 0;

    v[COL(mem_alloc, rank)] = val_int(r->c->rank);
    v[COL(mem_alloc, size_b)] = val_int((int64_t)a->size_b);
    put_times(v, a);
    v[COL(mem_alloc, stream)] = val_uint(a->stream);
    v[COL(mem_alloc, device_type)] = val_cstr(r->device);
    v[COL(mem_alloc, source_id)] = val_int(r->c->f->id);
    v[COL(mem_alloc, at_peak)] = val_int(a->born <= r->peak && (a->freed == 0 || a->freed > r->peak));
    v[COL(mem_alloc, block_b)] = block ? val_int((int64_t)block->size_b) : val_null();
    v[COL(mem_alloc, addr)] = val_uint(a->addr);
    if (stack) {
        v[COL(mem_alloc, name_id)] = val_id(r->s->stack[stack - 1].owner);
        v[COL(mem_alloc, stack_id)] = val_id(r->s->stack[stack - 1].text);
    }
    return parse_row(r->c, T_mem_alloc, v, N_COLS(mem_alloc), e);
}

/* ---- allocations ---- */

/* A new one under its address. NULL: no memory. */
static struct live *add_live(struct replay *r, const struct snapshot_entry *n, struct err *e)
{
    uint32_t i = r->free_live;

    if (i)
        r->free_live = r->live[i - 1].next_free;
    else {
        void *p = spool_grow(r->s->pool, r->live, r->n_live, &r->cap_live, sizeof *r->live, 64);
        if (!p) {
            (void)err_nomem(e);
            return NULL;
        }
        r->live = p;
        i = (uint32_t)++r->n_live;
    }
    r->live[i - 1] = (struct live){ .addr = n->addr,
                                    .size_b = n->size_b,
                                    .stream = n->stream,
                                    .born_ns = SNAPSHOT_NO_TIME,
                                    .freed_ns = SNAPSHOT_NO_TIME,
                                    .done_ns = SNAPSHOT_NO_TIME };
    if (!u64map_set(&r->at, n->addr, i)) {
        (void)err_nomem(e);
        return NULL;
    }
    return &r->live[i - 1];
}

static int end_live(struct replay *r, uint32_t i, const struct snapshot_block *block, struct err *e)
{
    struct live *a = &r->live[i - 1];
    int rc = put_alloc(r, a, block, e);

    u64map_drop(&r->at, a->addr);
    a->next_free = r->free_live;
    r->free_live = i;
    return rc;
}

static int on_alloc(struct replay *r, const struct snapshot_entry *n, size_t line, struct err *e)
{
    uint32_t i = u64map_get(&r->at, n->addr);

    if (i && end_live(r, i, NULL, e)) /* its release was not recorded, or not its end */
        return e->code;
    struct live *a = add_live(r, n, e);
    if (!a)
        return e->code;
    a->born = line;
    a->born_ns = n->ts_ns;
    a->at_born = r->now;
    a->stack = n->stack;
    return OK;
}

/* The one that is released: of the trace, or allocated before it. NULL: no memory. */
static struct live *released(struct replay *r, const struct snapshot_entry *n, struct err *e)
{
    uint32_t i = u64map_get(&r->at, n->addr);

    return i ? &r->live[i - 1] : add_live(r, n, e);
}

static int on_request(struct replay *r, const struct snapshot_entry *n, size_t line, struct err *e)
{
    struct live *a = released(r, n, e);

    if (!a)
        return e->code;
    if (!a->freed) {
        a->freed = line;
        a->freed_ns = n->ts_ns;
        a->at_freed = r->now;
    }
    return OK;
}

/* Where the request lies before the trace, it was no allocation any more in all of the trace. */
static int on_completion(struct replay *r, const struct snapshot_entry *n, size_t line, struct err *e)
{
    uint32_t i = u64map_get(&r->at, n->addr);

    if (!i || on_request(r, n, line, e))
        return e->code;
    r->live[i - 1].done_ns = n->ts_ns;
    return end_live(r, i, NULL, e);
}

/* What is allocated at the end, of the trace or before it. */
static int put_rest(struct replay *r, struct err *e)
{
    const struct snapshot *s = r->s;

    for (size_t k = 0; k < s->n_blocks && r->has_blocks; k++) {
        const struct snapshot_block *b = &s->block[k];
        if (b->device != r->trace.device || !b->allocated)
            continue;
        uint32_t i = u64map_get(&r->at, b->addr);
        if (!i) {
            const struct snapshot_entry n = { .addr = b->addr, .size_b = b->asked_b, .stream = b->stream };
            if (!add_live(r, &n, e))
                return e->code;
            i = u64map_get(&r->at, b->addr);
        }
        if (end_live(r, i, b, e))
            return e->code;
    }
    for (size_t k = 0; k < r->n_live; k++)
        if (u64map_get(&r->at, r->live[k].addr) == k + 1 && put_alloc(r, &r->live[k], NULL, e))
            return e->code;
    return OK;
}

/* ---- a trace ---- */

static int note_oom(struct replay *r, const struct snapshot_entry *n, size_t line, struct err *e)
{
    char key[80], value[120];

    (void)snprintf(key, sizeof key, "out of memory, %s, entry %zu", r->device, line);
    (void)snprintf(value, sizeof value,
                   "%" PRIu64 " bytes were asked for, %" PRIu64 " were free on the device", n->size_b,
                   n->addr);
    return parse_doc(r->c, str_of(key), str_of(value), e);
}

static int walk(struct replay *r, struct err *e)
{
    r->now = r->base;
    if (r->trace.n == 0 && put_sample(r, NULL, 0, "snapshot", e))
        return e->code;
    for (size_t i = 0; i < r->trace.n; i++) {
        const struct snapshot_entry *n = &r->s->entry[r->trace.first + i];
        size_t line = i + 1;
        step(&r->now, n);
        if (n->action == SA_ALLOC && on_alloc(r, n, line, e))
            return e->code;
        if (n->action == SA_FREE_REQUESTED && on_request(r, n, line, e))
            return e->code;
        if (n->action == SA_FREE_COMPLETED && on_completion(r, n, line, e))
            return e->code;
        if (n->action == SA_OOM && note_oom(r, n, line, e))
            return e->code;
        if (put_sample(r, n, line, snapshot_acts[n->action].word, e))
            return e->code;
        if (i % 65536 == 65535 && parse_ask(r->c, r->c->done_b, e))
            return e->code;
    }
    return put_rest(r, e);
}

static int replay(struct parse_ctx *c, const struct snapshot *s, const struct snapshot_trace *t,
                  bool has_blocks, struct err *e)
{
    struct replay r = { .c = c, .s = s, .trace = *t, .has_blocks = has_blocks };
    struct str name = str_of(path_base(c->f->path));
    size_t dot = str_rchr(name, '.');
    char text[160];

    if (t->device >= 0)
        (void)snprintf(r.device, sizeof r.device, "NPU:%" PRId64, t->device);
    else
        (void)snprintf(r.device, sizeof r.device, "NPU");
    name = str_sub(name, 0, dot != SIZE_MAX && dot < 100 ? dot : 100);
    (void)snprintf(text, sizeof text, "%.*s %s", (int)name.n, name.p, r.device);
    r.component = sink_intern(c->out, str_of(text));
    find_base(&r);
    int rc = walk(&r, e);
    u64map_done(&r.at);
    spool_free(s->pool, r.live);
    return rc;
}

/* Blocks go with the last trace of their device. */
static bool is_last(const struct snapshot *s, size_t i)
{
    for (size_t k = i + 1; k < s->n_traces; k++)
        if (s->trace[k].device == s->trace[i].device)
            return false;
    return true;
}

static bool has_trace(const struct snapshot *s, int64_t device)
{
    for (size_t i = 0; i < s->n_traces; i++)
        if (s->trace[i].device == device)
            return true;
    return false;
}

int parse_mem_snapshot(struct parse_ctx *c, struct err *e)
{
    struct snapshot s;

    if (snapshot_read(&s, c, e) == OK) {
        for (size_t i = 0; i < s.n_traces && e->code == OK; i++)
            (void)replay(c, &s, &s.trace[i], is_last(&s, i), e);
        for (size_t i = 0; i < s.n_segments && e->code == OK; i++) {
            const struct snapshot_trace none = { .device = s.segments[i].device };
            if (!has_trace(&s, none.device))
                (void)replay(c, &s, &none, true, e);
        }
    }
    snapshot_done(&s);
    return e->code;
}
