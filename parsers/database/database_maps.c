/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables that are columns only, as data (doc/formats/analysed.md#databases, doc/formats/msprof.md#tables). A
 * further table is a row here.
 */
#include "config.h"

#include <stdlib.h>

#include "base/grow.h"
#include "parsers/database/database_group.h"

/* clang-format off */

/* ---- memory ---- */
static const struct database_col memory_record_cols[] = {
    { "component",       DB_SID,    COL(mem_sample, component_id), NULL },
    { "timestamp",       DB_NS,     COL(mem_sample, ts_ns), NULL },
    { "totalAllocated",  DB_INT,    COL(mem_sample, allocated_b), NULL },
    { "totalReserved",   DB_INT,    COL(mem_sample, reserved_b), NULL },
    { "totalActive",     DB_INT,    COL(mem_sample, active_b), NULL },
    { "streamPtr",       DB_U64,    COL(mem_sample, stream), NULL },
    { "deviceId",        DB_DEVICE, DB_NO_SLOT, NULL },
};
static const struct database_col op_memory_cols[] = {
    { "name",                    DB_SID,    COL(mem_alloc, name_id), NULL },
    { "size",                    DB_INT,    COL(mem_alloc, size_b), NULL },
    { "allocationTime",          DB_NS,     COL(mem_alloc, alloc_ns), NULL },
    { "releaseTime",             DB_NS,     COL(mem_alloc, release_ns), NULL },
    { "activeReleaseTime",       DB_NS,     COL(mem_alloc, active_release_ns), NULL },
    { "duration",                DB_NS,     COL(mem_alloc, dur_ns), NULL },
    { "activeDuration",          DB_NS,     COL(mem_alloc, active_dur_ns), NULL },
    { "allocationTotalAllocated", DB_INT,   COL(mem_alloc, alloc_total_allocated_b), NULL },
    { "allocationTotalReserved", DB_INT,    COL(mem_alloc, alloc_total_reserved_b), NULL },
    { "allocationTotalActive",   DB_INT,    COL(mem_alloc, alloc_total_active_b), NULL },
    { "releaseTotalAllocated",   DB_INT,    COL(mem_alloc, release_total_allocated_b), NULL },
    { "releaseTotalReserved",    DB_INT,    COL(mem_alloc, release_total_reserved_b), NULL },
    { "releaseTotalActive",      DB_INT,    COL(mem_alloc, release_total_active_b), NULL },
    { "streamPtr",               DB_U64,    COL(mem_alloc, stream), NULL },
    { "deviceId",                DB_DEVICE, DB_NO_SLOT, NULL },
};
static const struct database_col module_mem_cols[] = {
    { "moduleId",        DB_ENUM,   COL(mem_module, module_id), "ENUM_MODULE" },
    { "timestampNs",     DB_NS,     COL(mem_module, ts_ns), NULL },
    { "totalReserved",   DB_INT,    COL(mem_module, reserved_b), NULL },
    { "deviceId",        DB_DEVICE, DB_NO_SLOT, NULL },
};

/* ---- facts ---- */
static const struct database_col meta_cols[] = {
    { "name",            DB_TEXT,   COL(setting, key), NULL },
    { "value",           DB_TEXT,   COL(setting, value), NULL },
};

static const struct database_map plain[] = {
    { .table = "MEMORY_RECORD", .feeds = "mem_sample", DB_TARGET_LINE(mem_sample),
      .cols = memory_record_cols, .n_cols = ARRAY_LEN(memory_record_cols) },
    { .table = "OP_MEMORY", .feeds = "mem_alloc", DB_TARGET_LINE(mem_alloc),
      .cols = op_memory_cols, .n_cols = ARRAY_LEN(op_memory_cols) },
    { .table = "NPU_MODULE_MEM", .feeds = "mem_module", DB_TARGET_LINE(mem_module),
      .cols = module_mem_cols, .n_cols = ARRAY_LEN(module_mem_cols) },
    { .table = "META_DATA", DB_TARGET(setting), .cols = meta_cols, .n_cols = ARRAY_LEN(meta_cols) },
};

/* ---- steps ---- */
enum { S_ID, S_FROM, S_TO, S_N };
enum { S_TYPE = N_COLS(step), S_INDEX, S_ROW_END };
static const struct database_col mark_cols[] = {
    { "id",              DB_STEP,   S_ID, NULL },
    { "startNs",         DB_NS,     S_FROM, NULL },
    { "endNs",           DB_NS,     S_TO, NULL },
};
static const struct database_map mark_map = {
    .table = "STEP_TIME", DB_SLOTS(S_N), .cols = mark_cols, .n_cols = ARRAY_LEN(mark_cols),
};
static const struct database_col step_cols[] = {
    { "step",                         DB_STEP, COL(step, step), NULL },
    { "computing",                    DB_US,   COL(step, computing_ns), NULL },
    { "communication_not_overlapped", DB_US,   COL(step, comm_not_overlapped_ns), NULL },
    { "overlapped",                   DB_US,   COL(step, overlapped_ns), NULL },
    { "communication",                DB_US,   COL(step, communication_ns), NULL },
    { "free",                         DB_US,   COL(step, free_ns), NULL },
    { "stage",                        DB_US,   COL(step, stage_ns), NULL },
    { "bubble",                       DB_US,   COL(step, bubble_ns), NULL },
    { "communication_not_overlapped_and_exclude_receive", DB_US, COL(step, comm_no_receive_ns), NULL },
    { "preparing",                    DB_US,   COL(step, preparing_ns), NULL },
    { "deviceId",                     DB_DEVICE, DB_NO_SLOT, NULL },
    /* of the cluster: whose row it is, a rank's or a stage's */
    { "type",                         DB_TEXT, S_TYPE, NULL },
    { "index",                        DB_TEXT, S_INDEX, NULL },
};
static const struct database_map step_map = {
    .table = "StepTraceTime|ClusterStepTraceTime", DB_TARGET_LINE(step),
    .further = S_ROW_END - N_COLS(step), .cols = step_cols, .n_cols = ARRAY_LEN(step_cols),
};
/* clang-format on */

static int on_mark(struct database_row *r, struct err *e)
{
    struct database_steps *s = r->arg;
    struct database_step *v = s->n == DATABASE_NO_ID ? NULL : grow_array(s->v, s->n, &s->cap, sizeof *v, 64);

    if (!v)
        return err_nomem(e);
    s->v = v;
    v[s->n++] = (struct database_step){ .step = database_int(r, S_ID, -1),
                                        .from = database_int(r, S_FROM, 0),
                                        .to = database_int(r, S_TO, 0) };
    return OK;
}

static int step_cmp(const void *a, const void *b)
{
    const struct database_step *x = a, *y = b;

    return x->from < y->from ? -1 : x->from > y->from;
}

struct val database_step_at(struct database_steps *s, int64_t ns)
{
    size_t low = 0, high = s->n;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (s->v[mid].from <= ns)
            low = mid + 1;
        else
            high = mid;
    }
    if (!low || s->v[low - 1].to < ns || s->v[low - 1].step < 0)
        return val_null();
    return val_int(s->v[low - 1].step);
}

/* Rows of the analysis get the instants that the program marked. */
static int on_step(struct database_row *r, struct err *e)
{
    struct database_group *g = r->arg;
    int64_t step = database_int(r, COL(step, step), -1), rank;

    if (r->v[S_TYPE].t == VAL_TEXT) { /* a row of a stage is no rank's */
        if (!str_eq(r->v[S_TYPE].s, STR("rank")) ||
            !str_i64(r->v[S_INDEX].t == VAL_TEXT ? r->v[S_INDEX].s : STR_NULL, &rank) || rank < 0 ||
            rank > INT32_MAX)
            return OK;
        r->rank = (int)rank;
    }
    const uint32_t at = database_ids_find(&g->steps.by_number, step);
    if (at != DATABASE_NO_ID) {
        const struct database_step *mark = &g->steps.v[at];
        r->v[COL(step, start_ns)] = val_int(mark->from);
        r->v[COL(step, end_ns)] = val_int(mark->to);
    }
    g->has_steps = true;
    return database_put(r, e);
}

/* Without the analysis a step has its instants alone. */
static int put_marks(struct database_group *g, struct err *e)
{
    for (size_t i = 0; i < g->steps.n; i++) {
        const struct database_step *s = &g->steps.v[i];
        struct val v[N_COLS(step)] = { 0 };
        v[COL(step, rank)] = val_int(g->g->rank);
        v[COL(step, step)] = s->step >= 0 ? val_int(s->step) : val_null();
        v[COL(step, start_ns)] = val_int(s->from);
        v[COL(step, end_ns)] = val_int(s->to);
        v[COL(step, total_ns)] = s->to >= s->from ? val_int(s->to - s->from) : val_null();
        v[COL(step, source_id)] = val_int(g->db[0].c->f->id);
        if (sink_row(g->g->out, T_step, v, N_COLS(step), NULL, e))
            return e->code;
    }
    return OK;
}

int database_steps(struct database_group *g, struct err *e)
{
    for (size_t i = 0; i < g->n; i++)
        if (database_read(&g->db[i], &mark_map, on_mark, &g->steps, e))
            return e->code;
    if (g->steps.n)
        qsort(g->steps.v, g->steps.n, sizeof *g->steps.v, step_cmp);
    if (!group_wants(g->g, "step"))
        return OK;
    for (size_t i = 0; i < g->steps.n; i++)
        if (database_ids_add(&g->steps.by_number, g->steps.v[i].step, (uint32_t)i, e))
            return e->code;
    for (size_t i = 0; i < g->n && !g->has_steps; i++)
        if (database_read(&g->db[i], &step_map, on_step, g, e))
            return e->code;
    return g->has_steps ? OK : put_marks(g, e);
}

int database_plain(struct database_group *g, struct err *e)
{
    for (size_t i = 0; i < g->n; i++)
        for (size_t k = 0; k < ARRAY_LEN(plain); k++) {
            const struct database_map *m = &plain[k];
            if ((!m->feeds || group_wants(g->g, m->feeds)) && database_read(&g->db[i], m, NULL, NULL, e))
                return e->code;
        }
    return OK;
}
