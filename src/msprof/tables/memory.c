/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory_record.csv, operator_memory.csv, static_op_mem.csv, npu_mem.csv, npu_module_mem.csv
 * (doc/formats/msprof.md#memory, #csv-columns). The first three are of Python's half on every chip.
 */
#include "config.h"

#include <stdlib.h>

#include "base/grow.h"
#include "msprof/run.h"
#include "parsers/prof/sampled/memory.h"

#define KB 1024

/* Bytes as KB: the shortest text of Python's round(). */
static void put_kb(struct emit *o, double b)
{
    emit_c(o, ',');
    emit_repr(o, emit_round(b / KB, 3));
}

/* ",STAMP<TAB>" */
static void put_stamp(struct emit *o, int64_t ns)
{
    emit_c(o, ',');
    msprof_put_ns(o, ns, true);
}

/* ---- ops ---- */

struct ops {
    struct spool *spool;
    struct prof_op_memory *v;
    size_t n, cap;
};

static int keep_op(void *arg, const struct prof_op_memory *m, struct err *e)
{
    struct ops *a = arg;
    struct prof_op_memory *v = spool_grow(a->spool, a->v, a->n, &a->cap, sizeof *v, 256);

    if (!v)
        return err_nomem(e);
    a->v = v;
    v[a->n++] = *m;
    return OK;
}

static void put_device(struct emit *o, uint32_t device)
{
    emit_s(o, ",NPU:");
    emit_u(o, device);
    emit_c(o, '\n');
}

/*
 * Records of the host: every device folder has all of them; without a device folder they belong to the device
 * that they name.
 */
static size_t copies(const struct msprof_run *r)
{
    return r->m.p->n_devices ? r->m.p->n_devices : 1;
}

static void put_folder(const struct msprof_run *r, struct emit *o, size_t i, const struct prof_op_memory *m)
{
    emit_u(o, r->m.p->n_devices ? (uint32_t)r->m.p->device[i]->device : m->device);
}

static int memory_record(struct msprof_run *r, const struct ops *a, struct err *e)
{
    const size_t n = a->n * copies(r);
    struct msprof_csv c;

    (void)!msprof_csv_begin(&c, r, "memory_record", n,
                            "Device_id,Component,Timestamp(us),Total Allocated(KB),Total Reserved(KB),Device",
                            e);
    for (size_t i = 0; i < n && !e->code; i++) {
        const struct prof_op_memory *m = &a->v[i % a->n];
        struct emit *o = msprof_csv_row(&c, e);
        if (!o)
            break;
        put_folder(r, o, i / a->n, m);
        emit_s(o, ",GE");
        put_stamp(o, msprof_local_us(&r->host_clock, msprof_host_us(&r->host_clock, m->stamp)));
        put_kb(o, (double)m->allocated_b);
        put_kb(o, (double)m->reserved_b);
        put_device(o, m->device);
    }
    return msprof_csv_end(&c, e);
}

static double duration_us(const struct msprof_clock *c, uint64_t from, uint64_t to)
{
    return to >= from ? msprof_host_duration_us(c, to - from) : -msprof_host_duration_us(c, from - to);
}

/* release NULL: the memory was never released. */
static void put_alloc(struct msprof_run *r, struct emit *o, const struct prof_op_memory *m,
                      const struct prof_op_memory *release)
{
    const struct msprof_clock *c = &r->host_clock;
    uint32_t name = prof_hash_known(r->m.p, m->node) ? prof_hash_text(r->m.p, m->node) : PROF_NONE;

    msprof_cell(o, prof_str(r->m.p, name));
    put_kb(o, (double)m->size_b);
    put_stamp(o, msprof_local_us(c, msprof_host_us(c, m->stamp)));
    emit_c(o, ',');
    emit_repr(o, release ? emit_round(duration_us(c, m->stamp, release->stamp), 3) : 0);
    put_kb(o, (double)m->allocated_b);
    put_kb(o, (double)m->reserved_b);
    put_kb(o, release ? (double)release->allocated_b : 0);
    put_kb(o, release ? (double)release->reserved_b : 0);
    put_device(o, m->device);
}

static int operator_memory(struct msprof_run *r, const struct ops *a, struct err *e)
{
    struct prof_alloc *alloc;
    struct msprof_csv c;
    size_t n;

    if (prof_op_memory_pair(a->spool, a->v, a->n, &alloc, &n, e))
        return e->code;
    (void)!msprof_csv_begin(
        &c, r, "operator_memory", n * copies(r),
        "Device_id,Name,Size(KB),Allocation Time(us),Duration(us),Allocation Total Allocated(KB),"
        "Allocation Total Reserved(KB),Release Total Allocated(KB),Release Total Reserved(KB),"
        "Device",
        e);
    for (size_t i = 0; i < n * copies(r) && !e->code; i++) {
        const struct prof_alloc *x = &alloc[i % n];
        struct emit *o = msprof_csv_row(&c, e);
        if (!o)
            break;
        put_folder(r, o, i / n, &a->v[x->at]);
        put_alloc(r, o, &a->v[x->at], x->release == PROF_NONE ? NULL : &a->v[x->release]);
    }
    spool_free(a->spool, alloc);
    return msprof_csv_end(&c, e);
}

static int of_ops(struct msprof_run *r, struct err *e)
{
    struct ops a = { .spool = r->m.p->spool };

    if (prof_op_memory_read(r->m.p, keep_op, &a, e) == OK &&
        (memory_record(r, &a, e) == OK || emit_goes_on(e)))
        (void)!operator_memory(r, &a, e);
    spool_free(a.spool, a.v);
    return e->code;
}

/* ---- ops of static graphs ---- */

struct fixed {
    struct prof_static_memory *v;
    size_t n, cap;
};

static int keep_static(void *arg, const struct prof_static_memory *m, struct err *e)
{
    struct fixed *a = arg;
    struct prof_static_memory *v = grow_array(a->v, a->n, &a->cap, sizeof *v, 256);

    if (!v)
        return err_nomem(e);
    a->v = v;
    v[a->n++] = *m;
    return OK;
}

static struct str model_of_graph(const struct msprof_run *r, uint32_t graph)
{
    for (size_t i = 0; i < r->m.host.n_graphs; i++)
        if (r->m.host.graph[i].graph == graph)
            return prof_str(r->m.p, r->m.host.graph[i].name);
    return STR("N/A");
}

static void put_static(struct msprof_run *r, struct emit *o, const struct prof_static_memory *m)
{
    emit_s(o, "host");
    msprof_cell(o, prof_str(r->m.p, prof_hash_text(r->m.p, m->node)));
    msprof_cell(o, model_of_graph(r, m->graph));
    emit_c(o, ',');
    emit_u(o, m->graph);
    emit_c(o, ',');
    emit_u(o, m->life_start);
    emit_c(o, ',');
    emit_u(o, m->life_end);
    put_kb(o, (double)m->size_b);
    emit_c(o, '\n');
}

static int static_op_mem(struct msprof_run *r, struct err *e)
{
    struct fixed a = { 0 };
    struct msprof_csv c;
    struct emit *o;

    if (prof_static_memory_read(r->m.p, keep_static, &a, e) == OK) {
        (void)!msprof_csv_begin(
            &c, r, "static_op_mem", a.n,
            "Device_id,Op Name,Model Name,Graph ID,Node Index Start,Node Index End,Size(KB)", e);
        for (size_t i = 0; i < a.n && (o = msprof_csv_row(&c, e)) != NULL; i++)
            put_static(r, o, &a.v[i]);
        (void)!msprof_csv_end(&c, e);
    }
    free(a.v);
    return e->code;
}

/* ---- whole devices ---- */

struct npu_rows {
    struct npu_row {
        struct prof_npu_memory m;
        int64_t ns;
        uint32_t device;
    } * v;
    size_t n, cap;
    struct msprof_run *r;
    size_t device; /* being read */
};

/* C++ leaves out samples before the beginning of the collection (doc/formats/prof.md#clocks). */
static bool is_kept(const struct msprof_run *r, size_t device, int64_t ns)
{
    return r->dialect == DIALECT_PYTHON || ns >= prof_begin_ns(r->m.p->device[device]);
}

static int keep_npu(void *arg, const struct prof_npu_memory *m, struct err *e)
{
    struct npu_rows *a = arg;
    int64_t ns = msprof_sample_ns(&a->r->clock[a->device], m->us);
    struct npu_row *v;

    if (!is_kept(a->r, a->device, ns))
        return OK;
    if (!(v = grow_array(a->v, a->n, &a->cap, sizeof *v, 256)))
        return err_nomem(e);
    a->v = v;
    v[a->n++] = (struct npu_row){ *m, ns, (uint32_t)a->r->m.p->device[a->device]->device };
    return OK;
}

/* C++ prints whole KB, Python decimals. */
static void put_size(const struct msprof_run *r, struct emit *o, uint64_t b)
{
    if (r->dialect == DIALECT_PYTHON) {
        put_kb(o, (double)b);
    } else {
        emit_c(o, ',');
        emit_u(o, b / KB);
    }
}

static void put_npu(struct msprof_run *r, struct emit *o, const struct npu_row *x)
{
    uint64_t both;

    if (__builtin_add_overflow(x->m.ddr_b, x->m.hbm_b, &both))
        both = UINT64_MAX;
    emit_u(o, x->device);
    emit_s(o, x->m.of_device ? ",Device" : ",APP");
    put_size(r, o, x->m.ddr_b);
    put_size(r, o, x->m.hbm_b);
    put_size(r, o, both);
    put_stamp(o, x->ns);
    emit_c(o, '\n');
}

static int npu_mem(struct msprof_run *r, struct err *e)
{
    struct npu_rows a = { .r = r };
    struct msprof_csv c;

    for (; a.device < r->m.n_dev; a.device++)
        if (prof_npu_memory_read(r->m.p, r->m.p->device[a.device], keep_npu, &a, e))
            break;
    if (!e->code) {
        (void)!msprof_csv_begin(&c, r, "npu_mem", a.n,
                                "Device_id,event,ddr(KB),hbm(KB),memory(KB),timestamp(us)", e);
        for (size_t i = 0; i < a.n && !e->code; i++) {
            struct emit *o = msprof_csv_row(&c, e);
            if (o)
                put_npu(r, o, &a.v[i]);
        }
        (void)!msprof_csv_end(&c, e);
    }
    free(a.v);
    return e->code;
}

/* ---- modules ---- */

struct module_rows {
    struct module_row {
        struct prof_module_memory m;
        size_t device, place;
    } * v;
    size_t n, cap;
    struct msprof_run *r;
    size_t device; /* being read */
};

static int64_t module_ns(const struct msprof_run *r, size_t device, uint64_t stamp)
{
    const struct msprof_clock *c = &r->clock[device];

    return r->dialect == DIALECT_PYTHON ? msprof_local_us(c, msprof_host_us(c, stamp))
                                        : prof_host_ns(r->m.p->device[device], stamp);
}

static int keep_module(void *arg, const struct prof_module_memory *m, struct err *e)
{
    struct module_rows *a = arg;
    struct module_row *v;

    if (!is_kept(a->r, a->device, module_ns(a->r, a->device, m->stamp)))
        return OK;
    if (!(v = grow_array(a->v, a->n, &a->cap, sizeof *v, 256)))
        return err_nomem(e);
    a->v = v;
    v[a->n] = (struct module_row){ *m, a->device, a->n };
    a->n++;
    return OK;
}

static int by_module(const void *a, const void *b)
{
    const struct module_row *x = a, *y = b;

    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    if (x->m.module != y->m.module)
        return x->m.module < y->m.module ? -1 : 1;
    if (x->m.stamp != y->m.stamp)
        return x->m.stamp < y->m.stamp ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static void put_module(struct msprof_run *r, struct emit *o, const struct module_row *x)
{
    const char *word = prof_module_word(x->m.module);
    uint32_t device = (uint32_t)r->m.p->device[x->device]->device;

    emit_u(o, device);
    emit_c(o, ',');
    emit_s(o, word ? word : r->dialect == DIALECT_PYTHON ? "other" : "UNKNOWN");
    put_stamp(o, module_ns(r, x->device, x->m.stamp));
    if (x->m.unknown)
        emit_s(o, ",N/A");
    else
        put_size(r, o, x->m.reserved_b);
    put_device(o, device);
}

static int module_mem(struct msprof_run *r, struct err *e)
{
    struct module_rows a = { .r = r };
    struct msprof_csv c;

    for (; a.device < r->m.n_dev; a.device++)
        if (prof_module_memory_read(r->m.p, r->m.p->device[a.device], keep_module, &a, e))
            break;
    if (!e->code) {
        if (a.n)
            qsort(a.v, a.n, sizeof *a.v, by_module);
        (void)!msprof_csv_begin(&c, r, "npu_module_mem", a.n,
                                "Device_id,Component,Timestamp(us),Total Reserved(KB),Device", e);
        for (size_t i = 0; i < a.n && !e->code; i++) {
            struct emit *o = msprof_csv_row(&c, e);
            if (o)
                put_module(r, o, &a.v[i]);
        }
        (void)!msprof_csv_end(&c, e);
    }
    free(a.v);
    return e->code;
}

int msprof_memory(struct msprof_run *r, struct err *e)
{
    static int (*const files[])(struct msprof_run *, struct err *) = { of_ops, static_op_mem, npu_mem,
                                                                       module_mem };

    for (size_t i = 0; i < ARRAY_LEN(files); i++)
        if (files[i](r, e) && !emit_goes_on(e))
            break;
    return e->code;
}
