/* SPDX-License-Identifier: Apache-2.0 */
/* operator_memory.csv (doc/formats/framework.md#operator_memory, #torch_npu-operator_memory). */
#include "config.h"

#include "base/buf.h"
#include "base/text.h"
#include "offline/tables/allocations.h"
#include "offline/tables/table.h"

#define KB        1024.0
#define MB        1048576.0
#define GE_NAME_B ((size_t)1 << 20)

/* Of the versions: doc/formats/framework.md#version-differences. */
struct rules {
    unsigned flavours;
    bool compat;  /* as these versions have it; else as it is */
    bool us_1024; /* a us has 1024 ns */
    bool swapped; /* allocated and active are what is reserved, reserved is what is allocated */
    bool doubles; /* times are doubles */
    bool pairs;   /* offline_pair_mindspore() */
};
static const struct rules rules[] = {
    { OFFLINE_25, true, true, true, true, true },
    { OFFLINE_26, true, false, true, true, true },
    { OFFLINE_27 | OFFLINE_28, true, false, false, true, true },
    { OFFLINE_SINCE25, false, false, false, false, false },
};

struct writing {
    struct offline_run *r;
    const struct rules *rules;
    struct framework_memory m;
    const struct torch_joins *joins; /* of torch_npu */
    struct offline_owners owners;    /* the same with compat */
    struct emit *o;
    struct buf name;
    int device;    /* of the PROF folder, -1: there are several, or none */
    uint64_t rows; /* written */
};

static const struct rules *rules_of(const struct offline_run *r)
{
    for (size_t i = 0; i < ARRAY_LEN(rules); i++)
        if (rules[i].flavours & (unsigned)r->flavour && rules[i].compat == r->o->compat)
            return &rules[i];
    return NULL;
}

/* ---- cells ---- */

static void put_header(struct writing *w)
{
    if (!w->rows++)
        emit_s(w->o,
               "Name,Size(KB),Allocation Time(us),Release Time(us),Active Release Time(us),Duration(us),"
               "Active Duration(us),Allocation Total Allocated(MB),Allocation Total Reserved(MB),"
               "Allocation Total Active(MB),Release Total Allocated(MB),Release Total Reserved(MB),"
               "Release Total Active(MB),Stream Ptr,Device Type\r\n");
}

static void put_real(struct emit *o, double v)
{
    emit_c(o, ',');
    emit_repr(o, v);
}

/* Bytes in MB; unknown ones are an empty cell. */
static void put_mb(struct emit *o, int64_t b)
{
    emit_c(o, ',');
    if (b >= 0)
        emit_repr(o, (double)b / MB);
}

/* ---- MindSpore ---- */

static double divided(int64_t ns, bool us_1024)
{
    return us_1024 ? (double)(ns / 1024) + (double)(ns % 1024) / 1024 : offline_us(ns);
}

static void put_time(const struct writing *w, int64_t ns)
{
    emit_c(w->o, ',');
    if (w->rules->doubles)
        emit_repr(w->o, divided(ns, w->rules->us_1024));
    else
        emit_fixed(w->o, ns, 3);
}

static void put_totals(const struct writing *w, const struct framework_memory_event *x)
{
    bool swapped = w->rules->swapped;

    if (!x) {
        emit_s(w->o, ",N/A,N/A,N/A");
        return;
    }
    put_mb(w->o, swapped ? x->reserved_b : x->allocated_b);
    put_mb(w->o, swapped ? x->allocated_b : x->reserved_b);
    put_mb(w->o, swapped ? x->reserved_b : x->active_b);
}

/* A name that is no UTF-8 is N/A there. */
static struct str owner(const struct writing *w, const struct framework_memory_event *x)
{
    struct str name = framework_str(w->m.f, x->owner);

    return w->m.f->na && !text_valid_utf8(name) ? STR("N/A") : name;
}

static void put_mindspore(struct writing *w, const struct framework_allocation *l)
{
    const struct framework_memory_event *a = &w->m.event[l->alloc];
    const struct framework_memory_event *end = l->release == FRAMEWORK_NONE ? NULL : &w->m.event[l->release];
    struct emit *o = w->o;

    put_header(w);
    offline_cell(o, owner(w, a), true);
    put_real(o, (double)a->size_b / KB);
    put_time(w, a->at);
    if (end)
        put_time(w, end->at);
    else
        emit_s(o, ",N/A");
    emit_s(o, ",N/A");
    if (end)
        put_real(o, divided(end->at - a->at, w->rules->us_1024));
    else
        emit_s(o, ",N/A");
    emit_s(o, ",N/A");
    put_totals(w, a);
    put_totals(w, end);
    emit_fmt(o, ",%U,NPU:%d\r\n", a->stream, (int)a->device);
}

/* ---- torch_npu ---- */

static void put_stamp(struct emit *o, const struct framework_memory_event *x, int64_t from)
{
    emit_c(o, ',');
    if (x)
        emit_fmt(o, "%t\t", x->at - from);
}

static void put_sums(struct emit *o, const struct framework_memory_event *x)
{
    if (!x) {
        emit_s(o, ",,,");
        return;
    }
    put_mb(o, x->allocated_b);
    put_mb(o, x->reserved_b);
    put_mb(o, x->active_b);
}

static struct str op_name(struct writing *w, const struct framework_memory_event *a)
{
    uint32_t range =
        w->r->o->compat ? offline_owner(&w->owners, a) : framework_memory_owner(&w->joins->queue, a);

    return range == FRAMEWORK_NONE ? STR("") : framework_str(w->m.f, w->m.f->range[range].name);
}

static void put_torch(struct writing *w, const struct framework_allocation *l)
{
    const struct framework_memory_event *v = w->m.event, *a = &v[l->alloc];
    const struct framework_memory_event *end = l->release == FRAMEWORK_NONE ? NULL : &v[l->release];
    const struct framework_memory_event *block =
        l->block_release == FRAMEWORK_NONE ? NULL : &v[l->block_release];
    struct emit *o = w->o;

    put_header(w);
    offline_cell(o, op_name(w, a), true);
    put_real(o, (double)a->size_b / KB);
    put_stamp(o, a, 0);
    put_stamp(o, end, 0);
    put_stamp(o, block, 0);
    put_stamp(o, end, a->at);
    put_stamp(o, block, a->at);
    put_sums(o, a);
    put_sums(o, end ? end : block);
    emit_fmt(o, ",%i,NPU:%d\r\n", (int64_t)a->stream, w->device >= 0 ? w->device : (int)a->device);
}

/* KB as text; what is missing stays so. */
static void put_text_mb(struct emit *o, struct str kb)
{
    double v;

    emit_c(o, ',');
    if (kb.n && str_f64(kb, &v))
        emit_repr(o, v / 1024);
}

enum ge_col { GE_NAME, GE_SIZE, GE_TIME, GE_DUR, GE_ALLOC, GE_ALLOC_R, GE_FREE, GE_FREE_R, GE_DEVICE, N_GE };
static const char *const ge_cols[N_GE] = {
    [GE_NAME] = "Name",
    [GE_SIZE] = "Size(KB)",
    [GE_TIME] = "Allocation Time(us)",
    [GE_DUR] = "Duration(us)",
    [GE_ALLOC] = "Allocation Total Allocated(KB)",
    [GE_ALLOC_R] = "Allocation Total Reserved(KB)",
    [GE_FREE] = "Release Total Allocated(KB)",
    [GE_FREE_R] = "Release Total Reserved(KB)",
    [GE_DEVICE] = "Device",
};

/* A row of msprof's table; upstream counts a release that it never saw as one after no time. */
static void put_ge(struct writing *w, const struct str *c)
{
    struct emit *o = w->o;
    int64_t from, dur;
    bool timed = str_scaled(c[GE_TIME], 1000, &from, NULL) && str_scaled(c[GE_DUR], 1000, &dur, NULL);

    put_header(w);
    buf_clear(&w->name);
    buf_puts(&w->name, "cann::");
    buf_add(&w->name, c[GE_NAME]);
    offline_cell(o, buf_str(&w->name), true);
    offline_cell(o, c[GE_SIZE], false);
    offline_cell(o, c[GE_TIME], false);
    emit_s(o, c[GE_TIME].n ? "\t," : ",");
    if (timed)
        emit_fmt(o, "%t\t", from + dur);
    emit_c(o, ',');
    offline_cell(o, c[GE_DUR], false);
    emit_c(o, ',');
    put_text_mb(o, c[GE_ALLOC]);
    put_text_mb(o, c[GE_ALLOC_R]);
    emit_c(o, ',');
    put_text_mb(o, c[GE_FREE]);
    put_text_mb(o, c[GE_FREE_R]);
    emit_s(o, ",,");
    offline_cell(o, c[GE_DEVICE], false);
    offline_end_row(o);
}

static int put_ges(struct writing *w, struct err *e)
{
    const struct offline_file *f = offline_exported(w->r, "operator_memory_", ".csv", NULL);
    struct offline_table t = { .n = 0 };
    struct str cell[N_GE];

    buf_init(&w->name, GE_NAME_B);
    if (f && offline_table_open(&t, f, ge_cols, N_GE, e) == OK)
        while (offline_table_next(&t, cell, e))
            put_ge(w, cell);
    offline_table_close(&t);
    buf_done(&w->name);
    return e->code;
}

/* ---- the whole ---- */

static int pair(struct writing *w, struct err *e)
{
    if (w->rules && w->rules->pairs)
        return offline_pair_mindspore(&w->m, e);
    if (framework_memory_pair(&w->m, e) || w->rules)
        return e->code;
    if (torch_joins(w->r, &w->joins, e))
        return e->code;
    return w->r->o->compat ? offline_owners_new(&w->owners, &w->r->f, w->joins, e) : OK;
}

static int put_rows(struct writing *w, struct err *e)
{
    const struct source_file *f = offline_source(w->r, "raw_fw_memory", NULL);
    struct parse_ctx c;

    framework_memory_init(&w->m, &w->r->f);
    if (f) {
        c = offline_ctx(w->r, f);
        (void)!framework_memory_read(&w->m, &c, e);
        (void)!(offline_unusable(w->r, &c, e) || pair(w, e));
    }
    if (!w->rules && w->r->o->compat && w->joins && !w->joins->n_ops) /* upstream wants an op to look for */
        w->m.n_allocations = 0;
    for (size_t i = 0; i < w->m.n_allocations && !e->code; i++)
        (w->rules ? put_mindspore : put_torch)(w, &w->m.allocation[i]);
    return e->code || w->rules ? e->code : put_ges(w, e);
}

int offline_op_memory(struct offline_run *r, const struct offline_output *x, struct err *e)
{
    struct writing w = { .r = r, .rules = rules_of(r), .device = offline_device(r) };

    if (offline_open(r, &w.o, x, e) == OK)
        (void)!put_rows(&w, e);
    offline_owners_done(&w.owners);
    framework_memory_done(&w.m);
    return offline_end_rows(r, w.o, x, w.rows, "the framework recorded no allocations", e);
}
