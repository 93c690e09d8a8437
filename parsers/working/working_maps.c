/* SPDX-License-Identifier: Apache-2.0 */
/* Steps, memory, AI CPUs, fused ops: tables that are nearly columns only, as data. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/grow.h"
#include "base/limits.h"
#include "parsers/prof/sampled/memory.h"
#include "parsers/working/working.h"

/* ---- steps ---- */

enum { R_END_TICK = N_COLS(step), R_TOTAL_TICKS, R_FP_TICK, R_AUG_TICKS, R_ROW_END };

/* clang-format off */
static const struct database_col step_cols[] = {
    { "iteration_id",   DB_INT,         COL(step, step), NULL },
    { "model_id",       DB_ID,          COL(step, model_id), NULL },
    { "FP_start",       DB_DEVICE_TICK, COL(step, fp_ns), NULL },
    { "BP_end",         DB_DEVICE_TICK, COL(step, bp_ns), NULL },
    { "iteration_end",  DB_DEVICE_TICK, COL(step, end_ns), NULL },
    { "iteration_end",  DB_INT,         R_END_TICK, NULL },
    { "iteration_time", DB_INT,         R_TOTAL_TICKS, NULL },
    { "FP_start",       DB_INT,         R_FP_TICK, NULL },
    { "data_aug_bound", DB_INT,         R_AUG_TICKS, NULL },
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
/* ---- parts of steps ---- */

static const struct database_col reduce_cols[] = {
    { "index_id", DB_INT,         COL(step_part, step), NULL },
    { "start",    DB_DEVICE_TICK, COL(step_part, start_ns), NULL },
    { "end",      DB_DEVICE_TICK, COL(step_part, end_ns), NULL },
};
static const struct database_const reduce_consts[] = { { COL(step_part, kind), "reduce" }, { 0, NULL } };
static const struct database_map reduce_map = {
    .table = "all_reduce", DB_TARGET_LINE(step_part), .cols = reduce_cols, .n_cols = ARRAY_LEN(reduce_cols),
    .consts = reduce_consts,
};
static const struct database_col get_next_cols[] = {
    { "index_id",   DB_INT,         COL(step_part, step), NULL },
    { "start_time", DB_DEVICE_TICK, COL(step_part, start_ns), NULL },
    { "end_time",   DB_DEVICE_TICK, COL(step_part, end_ns), NULL },
};
static const struct database_const get_next_consts[] = { { COL(step_part, kind), "getnext" }, { 0, NULL } };
static const struct database_map get_next_map = {
    .table = "get_next", DB_TARGET_LINE(step_part), .cols = get_next_cols, .n_cols = ARRAY_LEN(get_next_cols),
    .consts = get_next_consts,
};

/* ---- AI CPUs and the queue ---- */

static const struct database_col aicpu_cols[] = {
    { "stream_id",     DB_INT,     COL(aicpu_exec, stream), NULL },
    { "task_id",       DB_INT,     COL(aicpu_exec, task), NULL },
    { "sys_start",     DB_MONO_MS, COL(aicpu_exec, ts_ns), NULL },
    { "compute_time",  DB_MS,      COL(aicpu_exec, compute_ns), NULL },
    { "memcpy_time",   DB_MS,      COL(aicpu_exec, memcpy_ns), NULL },
    { "task_time",     DB_MS,      COL(aicpu_exec, task_ns), NULL },
    { "dispatch_time", DB_MS,      COL(aicpu_exec, dispatch_ns), NULL },
    { "total_time",    DB_MS,      COL(aicpu_exec, total_ns), NULL },
};
static const struct database_map aicpu_map = {
    .table = "AiCpuData", DB_TARGET_LINE(aicpu_exec), .cols = aicpu_cols, .n_cols = ARRAY_LEN(aicpu_cols),
};
static const struct database_col dp_cols[] = {
    { "timestamp",   DB_US,   COL(queue_sample, ts_ns), NULL },
    { "action",      DB_TEXT, COL(queue_sample, action), NULL },
    { "source",      DB_TEXT, COL(queue_sample, queue), NULL },
    { "buffer_size", DB_INT,  COL(queue_sample, size), NULL },
};
static const struct database_map dp_map = {
    .table = "AiCpuDP", DB_TARGET_LINE(queue_sample), .cols = dp_cols, .n_cols = ARRAY_LEN(dp_cols),
};
enum { Q_START = N_COLS(queue_sample), Q_DUR, Q_ROW_END };
static const struct database_col queue_cols[] = {
    { "node_name",  DB_TEXT, COL(queue_sample, queue), NULL },
    { "queue_size", DB_INT,  COL(queue_sample, size), NULL },
    { "start_time", DB_REAL, Q_START, NULL },
    { "duration",   DB_REAL, Q_DUR, NULL },
};
static const struct database_map queue_map = {
    .table = "DataQueue", DB_TARGET_LINE(queue_sample), .further = Q_ROW_END - N_COLS(queue_sample),
    .cols = queue_cols, .n_cols = ARRAY_LEN(queue_cols),
};

/* ---- fused ops ---- */

static const struct database_col fusion_cols[] = {
    { "fusion_name",      DB_STR,  COL(fusion, op_name_id), NULL },
    { "op_names",         DB_TEXT, COL(fusion, original_id), NULL },
    { "model_id",         DB_INT,  COL(fusion, model_id), NULL },
    { "memory_input",     DB_INT,  COL(fusion, input_b), NULL },
    { "memory_output",    DB_INT,  COL(fusion, output_b), NULL },
    { "memory_weight",    DB_INT,  COL(fusion, weight_b), NULL },
    { "memory_workspace", DB_INT,  COL(fusion, workspace_b), NULL },
    { "memory_total",     DB_INT,  COL(fusion, total_b), NULL },
};
static const struct database_map fusion_map = {
    .table = "GeFusionOpInfo", DB_TARGET_LINE(fusion), .cols = fusion_cols, .n_cols = ARRAY_LEN(fusion_cols),
};
/* clang-format on */

struct plain_arg {
    struct working *w;
    int device;
    struct buf text; /* of a row */
};

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
    const int64_t end = database_int(r, R_END_TICK, 0), total = database_int(r, R_TOTAL_TICKS, -1),
                  fp = database_int(r, R_FP_TICK, 0), aug = database_int(r, R_AUG_TICKS, 0);
    struct val *v = r->v;

    if (v[COL(step, end_ns)].t != VAL_INT)
        return database_no_start(r);
    if (total >= 0 && end >= total)
        v[COL(step, start_ns)] = device_at(r->d, end - total);
    v[COL(step, total_ns)] = span(&v[COL(step, start_ns)], &v[COL(step, end_ns)]);
    v[COL(step, interval_ns)] = span(&v[COL(step, start_ns)], &v[COL(step, fp_ns)]);
    v[COL(step, fp_bp_ns)] = span(&v[COL(step, fp_ns)], &v[COL(step, bp_ns)]);
    v[COL(step, refresh_ns)] = v[COL(step, tail_ns)] = span(&v[COL(step, bp_ns)], &v[COL(step, end_ns)]);
    if (aug > 0 && fp > aug) {
        const struct val from = device_at(r->d, fp - aug);
        v[COL(step, data_aug_ns)] = span(&from, &v[COL(step, fp_ns)]);
    }
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
    const struct plain_arg *p = r->arg;
    const bool of_device = database_int(r, D_EVENT, 1) != 0;

    r->v[COL(mem_device, process)] = val_cstr(of_device ? "Device" : "APP");
    if (database_put(r, e) || r->v[COL(mem_device, ts_ns)].t != VAL_INT)
        return e->code;
    return working_memory(p->w, r, p->device, of_device, e);
}

/* Of a table that names it by the map's kind. */
static int on_part(struct database_row *r, struct err *e)
{
    struct val *v = r->v;

    if (v[COL(step_part, start_ns)].t != VAL_INT)
        return database_no_start(r);
    v[COL(step_part, name_id)] =
        sink_text(r->d->c->out, r->map == &reduce_map ? STR("Reduce") : STR("GetNext"));
    v[COL(step_part, dur_ns)] = span(&v[COL(step_part, start_ns)], &v[COL(step_part, end_ns)]);
    return database_put(r, e);
}

static int on_aicpu(struct database_row *r, struct err *e)
{
    struct plain_arg *p = r->arg;
    const uint32_t name = working_op_name(p->w, p->device, database_int(r, COL(aicpu_exec, stream), -1),
                                          database_int(r, COL(aicpu_exec, task), -1));

    if (r->v[COL(aicpu_exec, ts_ns)].t != VAL_INT)
        return database_no_start(r);
    if (name)
        r->v[COL(aicpu_exec, name_id)] = val_id(name);
    return database_put(r, e);
}

static int on_dp(struct database_row *r, struct err *e)
{
    r->v[COL(queue_sample, seq)] = val_int((int64_t)r->number - 1);
    return database_put(r, e);
}

/* What the AI CPU waited for a batch: us of the device's own clock. */
static int on_queue(struct database_row *r, struct err *e)
{
    struct val b[N_COLS(batch_time)] = { 0 };

    r->v[COL(queue_sample, seq)] = b[COL(batch_time, batch)] = val_int((int64_t)r->number - 1);
    if (database_put(r, e) || r->v[Q_DUR].t != VAL_REAL || r->v[Q_DUR].r < 0)
        return e->code;
    b[COL(batch_time, rank)] = val_int(r->rank);
    b[COL(batch_time, source_id)] = val_int(r->d->c->f->id);
    b[COL(batch_time, kind)] = val_cstr("getnext");
    b[COL(batch_time, dur_ns)] = val_real(r->v[Q_DUR].r * 1e3);
    b[COL(batch_time, start_us)] = r->v[Q_START];
    return sink_row(r->d->c->out, T_batch_time, b, N_COLS(batch_time), NULL, e);
}

static int on_fusion(struct database_row *r, struct err *e)
{
    struct plain_arg *p = r->arg;
    struct val *names = &r->v[COL(fusion, original_id)];
    struct str text = names->t == VAL_TEXT ? str_sub(names->s, 0, LIM_CSV_FIELD_B) : STR("");

    buf_clear(&p->text);
    for (size_t i = 0; i < text.n; i++)
        buf_addc(&p->text, text.p[i] == ',' ? ';' : text.p[i]);
    if (buf_failed(&p->text))
        return err_nomem(e);
    *names = names->t == VAL_TEXT ? sink_text(r->d->c->out, buf_str(&p->text)) : val_null();
    return database_put(r, e);
}

static const struct plain {
    const char *feeds;
    const struct database_map *map;
    database_row_fn *fn;
} plain[] = {
    { "mem_alloc", &alloc_map, on_alloc },    { "mem_sample", &sample_map, on_sample },
    { "mem_module", &module_map, on_module }, { "mem_device", &device_map, on_device },
    { "step", &reduce_map, on_part },         { "step", &get_next_map, on_part },
    { "aicpu_exec", &aicpu_map, on_aicpu },   { "queue_sample", &dp_map, on_dp },
    { "queue_sample", &queue_map, on_queue }, { "fusion", &fusion_map, on_fusion },
};

int working_plain(struct working *w, struct database *d, int device, struct err *e)
{
    struct plain_arg arg = { .w = w, .device = device };

    buf_init(&arg.text, LIM_CSV_FIELD_B);
    for (size_t k = 0; k < ARRAY_LEN(plain) && !e->code; k++)
        if (group_wants(w->base.g, plain[k].feeds))
            (void)!database_read(d, plain[k].map, plain[k].fn, &arg, e);
    buf_done(&arg.text);
    return e->code;
}
