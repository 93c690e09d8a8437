/* SPDX-License-Identifier: Apache-2.0 */
/* Steps, memory: tables that are nearly columns only, as data. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "parsers/prof/sampled/memory.h"
#include "parsers/working/working.h"

/* ---- steps ---- */

enum { R_END_TICK = N_COLS(step), R_TOTAL_TICKS, R_ROW_END };

/* clang-format off */
static const struct database_col step_cols[] = {
    { "iteration_id",   DB_INT,         COL(step, step), NULL },
    { "model_id",       DB_ID,          COL(step, model_id), NULL },
    { "FP_start",       DB_DEVICE_TICK, COL(step, fp_ns), NULL },
    { "BP_end",         DB_DEVICE_TICK, COL(step, bp_ns), NULL },
    { "iteration_end",  DB_DEVICE_TICK, COL(step, end_ns), NULL },
    { "iteration_end",  DB_INT,         R_END_TICK, NULL },
    { "iteration_time", DB_INT,         R_TOTAL_TICKS, NULL },
};
static const struct database_map step_map = {
    .table = "training_trace", DB_TARGET_LINE(step), .further = R_ROW_END - N_COLS(step),
    .cols = step_cols, .n_cols = ARRAY_LEN(step_cols),
};

/* ---- memory ---- */

static const struct database_col alloc_cols[] = {
    { "name|operator",                DB_STR,       COL(mem_alloc, name_id), NULL },
    { "size",                         DB_INT,       COL(mem_alloc, size_b), NULL },
    { "allocation_time",              DB_HOST_TICK, COL(mem_alloc, alloc_ns), NULL },
    { "release_time",                 DB_HOST_TICK, COL(mem_alloc, release_ns), NULL },
    { "allocation_total_allocated",   DB_INT,       COL(mem_alloc, alloc_total_allocated_b), NULL },
    { "allocation_total_reserved",    DB_INT,       COL(mem_alloc, alloc_total_reserved_b), NULL },
    { "release_total_allocated",      DB_INT,       COL(mem_alloc, release_total_allocated_b), NULL },
    { "release_total_reserved",       DB_INT,       COL(mem_alloc, release_total_reserved_b), NULL },
};
static const struct database_map alloc_map = {
    .table = "NpuOpMem", DB_TARGET_LINE(mem_alloc), .cols = alloc_cols, .n_cols = ARRAY_LEN(alloc_cols),
};
static const struct database_col sample_cols[] = {
    { "component",             DB_STR,       COL(mem_sample, component_id), NULL },
    { "timestamp",             DB_HOST_TICK, COL(mem_sample, ts_ns), NULL },
    { "total_reserve_memory",  DB_INT,       COL(mem_sample, reserved_b), NULL },
    { "total_allocate_memory", DB_INT,       COL(mem_sample, allocated_b), NULL },
};
static const struct database_map sample_map = {
    .table = "NpuOpMemRec", DB_TARGET_LINE(mem_sample), .cols = sample_cols, .n_cols = ARRAY_LEN(sample_cols),
};
enum { M_MODULE = N_COLS(mem_module), M_ROW_END };
static const struct database_col module_cols[] = {
    { "module_id",  DB_INT,       M_MODULE, NULL },
    { "syscnt",     DB_HOST_TICK, COL(mem_module, ts_ns), NULL },
    { "total_size", DB_INT,       COL(mem_module, reserved_b), NULL },
};
static const struct database_map module_map = {
    .table = "NpuModuleMem", DB_TARGET_LINE(mem_module), .further = M_ROW_END - N_COLS(mem_module),
    .cols = module_cols, .n_cols = ARRAY_LEN(module_cols),
};
enum { D_EVENT = N_COLS(mem_device), D_ROW_END };
static const struct database_col device_cols[] = {
    { "event",     DB_INT, D_EVENT, NULL },
    { "ddr",       DB_INT, COL(mem_device, ddr_b), NULL },
    { "hbm",       DB_INT, COL(mem_device, hbm_b), NULL },
    { "memory",    DB_INT, COL(mem_device, total_b), NULL },
    { "timestamp", DB_NS,  COL(mem_device, ts_ns), NULL },
};
static const struct database_map device_map = {
    .table = "NpuMem", DB_TARGET_LINE(mem_device), .further = D_ROW_END - N_COLS(mem_device),
    .cols = device_cols, .n_cols = ARRAY_LEN(device_cols),
};
/* clang-format on */

/* The step that an instant lies in is asked for by all executions. */
static int keep_step(struct database_steps *s, const struct val *v, struct err *e)
{
    const struct val *from = &v[COL(step, start_ns)], *to = &v[COL(step, end_ns)];

    if (from->t != VAL_INT || to->t != VAL_INT || v[COL(step, step)].t != VAL_INT)
        return OK;
    struct database_step *more = grow_array(s->v, s->n, &s->cap, sizeof *more, 64);
    if (!more)
        return err_nomem(e);
    s->v = more;
    more[s->n++] = (struct database_step){ v[COL(step, step)].i, from->i, to->i };
    return OK;
}

static int step_cmp(const void *a, const void *b)
{
    const struct database_step *x = a, *y = b;

    return x->from < y->from ? -1 : x->from > y->from;
}

/* An instant of the device, NULL where it is none. */
static struct val device_at(const struct database *d, int64_t tick)
{
    int64_t ns;

    return tick > 0 && d->instant(d->clock, DB_DEVICE_TICK, tick, &ns) ? val_int(ns) : val_null();
}

static struct val span(const struct val *from, const struct val *to)
{
    return from->t == VAL_INT && to->t == VAL_INT && to->i >= from->i ? val_int(to->i - from->i) : val_null();
}

static int on_step(struct database_row *r, struct err *e)
{
    struct working *w = r->arg;
    const int64_t end = database_int(r, R_END_TICK, 0), total = database_int(r, R_TOTAL_TICKS, -1);
    struct val *v = r->v;

    if (v[COL(step, end_ns)].t != VAL_INT)
        return database_no_start(r);
    if (total >= 0 && end >= total)
        v[COL(step, start_ns)] = device_at(r->d, end - total);
    v[COL(step, total_ns)] = span(&v[COL(step, start_ns)], &v[COL(step, end_ns)]);
    v[COL(step, interval_ns)] = span(&v[COL(step, start_ns)], &v[COL(step, fp_ns)]);
    v[COL(step, fp_bp_ns)] = span(&v[COL(step, fp_ns)], &v[COL(step, bp_ns)]);
    v[COL(step, refresh_ns)] = v[COL(step, tail_ns)] = span(&v[COL(step, bp_ns)], &v[COL(step, end_ns)]);
    v[COL(step, complete)] = val_int(1);
    if (keep_step(&w->base.steps, v, e) || !group_wants(w->base.g, "step"))
        return e->code;
    return database_put(r, e);
}

int working_steps(struct working *w, int device, struct err *e)
{
    struct database_steps *s = &w->base.steps;
    struct database *d = working_find(w, device, STR("training_trace"));

    s->n = 0;
    if (d && database_read(d, &step_map, on_step, w, e))
        return e->code;
    if (s->n)
        qsort(s->v, s->n, sizeof *s->v, step_cmp);
    return OK;
}

static int on_alloc(struct database_row *r, struct err *e)
{
    struct val *v = r->v;

    if (v[COL(mem_alloc, alloc_ns)].t != VAL_INT)
        return database_no_start(r);
    v[COL(mem_alloc, dur_ns)] = span(&v[COL(mem_alloc, alloc_ns)], &v[COL(mem_alloc, release_ns)]);
    return database_put(r, e);
}

static int on_sample(struct database_row *r, struct err *e)
{
    return r->v[COL(mem_sample, ts_ns)].t == VAL_INT ? database_put(r, e) : database_no_start(r);
}

static int on_module(struct database_row *r, struct err *e)
{
    const int64_t module = database_int(r, M_MODULE, -1);
    const char *word = module >= 0 && module <= UINT32_MAX ? prof_module_word((uint32_t)module) : NULL;
    char number[40];

    if (r->v[COL(mem_module, ts_ns)].t != VAL_INT)
        return database_no_start(r);
    snprintf(number, sizeof number, "module %lld", (long long)module);
    r->v[COL(mem_module, module_id)] = sink_text(r->d->c->out, str_of(word ? word : number));
    return database_put(r, e);
}

/* 0: the process, 1: the device. */
static int on_device(struct database_row *r, struct err *e)
{
    r->v[COL(mem_device, process)] = val_cstr(database_int(r, D_EVENT, 1) == 0 ? "APP" : "Device");
    return database_put(r, e);
}

static const struct plain {
    const char *feeds;
    const struct database_map *map;
    database_row_fn *fn;
} plain[] = {
    { "mem_alloc", &alloc_map, on_alloc },
    { "mem_sample", &sample_map, on_sample },
    { "mem_module", &module_map, on_module },
    { "mem_device", &device_map, on_device },
};

int working_plain(struct working *w, struct database *d, struct err *e)
{
    for (size_t k = 0; k < ARRAY_LEN(plain); k++)
        if (group_wants(w->base.g, plain[k].feeds) && database_read(d, plain[k].map, plain[k].fn, NULL, e))
            return e->code;
    return OK;
}
