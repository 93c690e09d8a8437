/* SPDX-License-Identifier: Apache-2.0 */
/* Memory: what ops allocate, what the pool, the device and its modules hold. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "parsers/prof/rows/rows.h"
#include "parsers/prof/sampled/memory.h"

struct memory {
    struct prof_rows *r;
    const struct prof_folder *f;
    uint32_t source, word;
    struct prof_op_memory *op; /* all records of the host */
    size_t n, cap;
};

static struct val bytes(uint64_t b)
{
    return b <= INT64_MAX ? val_int((int64_t)b) : val_null();
}

/* The device that a record of the host names, NULL: it is not of this folder. */
static const struct prof_folder *device_of(const struct prof_rows *r, uint32_t device)
{
    for (size_t i = 0; i < r->m.n_dev; i++)
        if ((uint32_t)r->m.dev[i].f->device == device)
            return r->m.dev[i].f;
    return NULL;
}

static struct val device_word(char buf[24], uint32_t device)
{
    snprintf(buf, 24, "NPU:%u", (unsigned)device);
    return val_cstr(buf);
}

/* ---- ops and the pool ---- */

static int keep(void *arg, const struct prof_op_memory *x, struct err *e)
{
    struct memory *m = arg;
    struct prof_op_memory *v = spool_grow(m->r->m.p->spool, m->op, m->n, &m->cap, sizeof *v, 1024);

    if (!v)
        return err_nomem(e);
    m->op = v;
    v[m->n++] = *x;
    return OK;
}

static int put_pool(struct memory *m, const struct prof_op_memory *x, struct err *e)
{
    struct val v[N_COLS(mem_sample)] = { 0 };
    char word[24];

    v[COL(mem_sample, rank)] = val_int(prof_rows_rank(m->r, device_of(m->r, x->device)));
    v[COL(mem_sample, component_id)] = val_id(m->word);
    v[COL(mem_sample, ts_ns)] = val_int(prof_host_ns(m->r->m.p->host, x->stamp));
    v[COL(mem_sample, allocated_b)] = bytes(x->allocated_b);
    v[COL(mem_sample, reserved_b)] = bytes(x->reserved_b);
    v[COL(mem_sample, device_type)] = device_word(word, x->device);
    v[COL(mem_sample, source_id)] = val_id(m->source);
    return sink_row(m->r->g->out, T_mem_sample, v, N_COLS(mem_sample), NULL, e);
}

static int put_alloc(struct memory *m, const struct prof_op_memory *a, const struct prof_op_memory *end,
                     struct err *e)
{
    struct prof *p = m->r->m.p;
    struct val v[N_COLS(mem_alloc)] = { 0 };
    int64_t from = prof_host_ns(p->host, a->stamp);
    char word[24];

    v[COL(mem_alloc, rank)] = val_int(prof_rows_rank(m->r, device_of(m->r, a->device)));
    v[COL(mem_alloc, name_id)] =
        prof_hash_known(p, a->node) ? val_id(prof_rows_id(m->r, prof_hash_text(p, a->node))) : val_null();
    v[COL(mem_alloc, size_b)] = val_int(a->size_b);
    v[COL(mem_alloc, alloc_ns)] = val_int(from);
    v[COL(mem_alloc, alloc_total_allocated_b)] = bytes(a->allocated_b);
    v[COL(mem_alloc, alloc_total_reserved_b)] = bytes(a->reserved_b);
    if (end) {
        int64_t to = prof_host_ns(p->host, end->stamp);
        v[COL(mem_alloc, release_ns)] = val_int(to);
        v[COL(mem_alloc, dur_ns)] = val_int(to - from);
        v[COL(mem_alloc, release_total_allocated_b)] = bytes(end->allocated_b);
        v[COL(mem_alloc, release_total_reserved_b)] = bytes(end->reserved_b);
    }
    v[COL(mem_alloc, device_type)] = device_word(word, a->device);
    v[COL(mem_alloc, source_id)] = val_id(m->source);
    return sink_row(m->r->g->out, T_mem_alloc, v, N_COLS(mem_alloc), NULL, e);
}

static int put_pools(struct memory *m, struct err *e)
{
    for (size_t i = 0; i < m->n; i++)
        if (put_pool(m, &m->op[i], e))
            return e->code;
    return OK;
}

static int put_allocs(struct memory *m, struct err *e)
{
    struct prof_alloc *pair = NULL;
    size_t n = 0;
    int rc = prof_op_memory_pair(m->r->m.p->spool, m->op, m->n, &pair, &n, e);

    for (size_t i = 0; i < n && rc == OK; i++)
        rc = put_alloc(m, &m->op[pair[i].at], pair[i].release == PROF_NONE ? NULL : &m->op[pair[i].release],
                       e);
    spool_free(m->r->m.p->spool, pair);
    return rc;
}

int prof_rows_op_memory(struct prof_rows *r, struct err *e)
{
    struct memory m = { .r = r, .source = prof_rows_source(r->m.p->host, PROF_TASK_MEMORY) };

    m.word = sink_intern(r->g->out, STR("GE"));
    int rc = prof_op_memory_read(r->m.p, keep, &m, e);
    if (rc == OK && group_wants(r->g, "mem_sample"))
        rc = put_pools(&m, e);
    if (rc == OK && group_wants(r->g, "mem_alloc"))
        rc = put_allocs(&m, e);
    spool_free(r->m.p->spool, m.op);
    return rc;
}

/* ---- the device ---- */

static int put_device(void *arg, const struct prof_npu_memory *x, struct err *e)
{
    struct memory *m = arg;
    struct val v[N_COLS(mem_device)] = { 0 };
    uint64_t both;

    v[COL(mem_device, rank)] = val_int(prof_rows_rank(m->r, m->f));
    v[COL(mem_device, process)] = val_cstr(x->of_device ? "Device" : "APP");
    v[COL(mem_device, ts_ns)] = val_int(prof_sample_us_ns(m->f, x->us));
    v[COL(mem_device, ddr_b)] = bytes(x->ddr_b);
    v[COL(mem_device, hbm_b)] = bytes(x->hbm_b);
    if (!__builtin_add_overflow(x->ddr_b, x->hbm_b, &both))
        v[COL(mem_device, total_b)] = bytes(both);
    v[COL(mem_device, source_id)] = val_id(m->source);
    return sink_row(m->r->g->out, T_mem_device, v, N_COLS(mem_device), NULL, e);
}

int prof_rows_device_memory(struct prof_rows *r, struct err *e)
{
    for (size_t i = 0; i < r->m.n_dev; i++) {
        struct memory m = { .r = r, .f = r->m.dev[i].f };
        m.source = prof_rows_source(m.f, PROF_NPU_MEM);
        if (prof_npu_memory_read(r->m.p, m.f, put_device, &m, e))
            return e->code;
    }
    return OK;
}

static int put_module(void *arg, const struct prof_module_memory *x, struct err *e)
{
    struct memory *m = arg;
    const char *word = prof_module_word(x->module);
    struct val v[N_COLS(mem_module)] = { 0 };
    char number[24], device[24];

    snprintf(number, sizeof number, "module %u", (unsigned)x->module);
    v[COL(mem_module, rank)] = val_int(prof_rows_rank(m->r, m->f));
    v[COL(mem_module, module_id)] = sink_text(m->r->g->out, str_of(word ? word : number));
    v[COL(mem_module, ts_ns)] = val_int(prof_host_ns(m->f, x->stamp));
    v[COL(mem_module, reserved_b)] = x->unknown ? val_null() : bytes(x->reserved_b);
    v[COL(mem_module, device_type)] = device_word(device, (uint32_t)m->f->device);
    v[COL(mem_module, source_id)] = val_id(m->source);
    return sink_row(m->r->g->out, T_mem_module, v, N_COLS(mem_module), NULL, e);
}

int prof_rows_modules(struct prof_rows *r, struct err *e)
{
    for (size_t i = 0; i < r->m.n_dev; i++) {
        struct memory m = { .r = r, .f = r->m.dev[i].f };
        m.source = prof_rows_source(m.f, PROF_NPU_MODULE_MEM);
        if (prof_module_memory_read(r->m.p, m.f, put_module, &m, e))
            return e->code;
    }
    return OK;
}
