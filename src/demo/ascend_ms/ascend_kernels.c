/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MindSpore 2.x and torch_npu: the tables that have one row per kernel, and the statistics over them
 * (doc/formats/analysed.md#kernel_details, #op_statistic, #task_time, #l2_cache, #communication_statistic,
 * #aicpu; doc/formats/framework.md#kernel_details, #copied-tables, #torch_npu-kernel_details). Header names
 * are those of CANN 8.2 and MindSpore 2.7.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/ascend_ms/ascend_ms.h"
#include "demo/demo_num.h"
#include "demo/demo_stat.h"

#define TENSOR_COLUMNS                                                                                       \
    "Input Shapes,Input Data Types,Input Formats,Output Shapes,Output Data Types,Output "                    \
    "Formats,Context ID,"
#define COUNTER_COLUMNS                                                                                      \
    "aicore_time(us),aic_total_cycles,aic_mac_time(us),aic_mac_ratio,aic_scalar_time(us),aic_"               \
    "scalar_ratio,aic_mte1_time(us),"                                                                        \
    "aic_mte1_ratio,aic_mte2_time(us),aic_mte2_ratio,aic_fixpipe_time(us),aic_fixpipe_ratio,aic_"            \
    "icache_miss_rate,aiv_time(us),"                                                                         \
    "aiv_total_cycles,aiv_vec_time(us),aiv_vec_ratio,aiv_scalar_time(us),aiv_scalar_ratio,aiv_"              \
    "mte2_time(us),aiv_mte2_ratio,"                                                                          \
    "aiv_mte3_time(us),aiv_mte3_ratio,aiv_icache_miss_rate,cube_utilization(%)"
#define AICPU_COLUMNS                                                                                        \
    "Device_id,Timestamp(us),Node,Compute_time(us),Memcpy_time(us),Task_time(us),Dispatch_time(us),"         \
    "Total_time(us),Stream ID,Task ID"
#define OPS_COLUMNS                                                                                          \
    "aicore_time(us),aic_total_cycles,aic_mac_fp16_ratio,aic_mac_int8_ratio,aic_cube_fops,aiv_time(us),"     \
    "aiv_total_cycles,aiv_vec_fp32_ratio,aiv_vec_fp16_ratio,aiv_vec_int32_ratio,aiv_vec_misc_ratio,"         \
    "aiv_vector_fops"

/* The counters of a run: their columns, and how many they are. */
static const struct counter_group {
    const char *columns;
    int n, cube, vector; /* cells in all, and of either core after its time and cycles */
} counter_groups[] = {
    [DEMO_PIPES] = { COUNTER_COLUMNS, 25, DEMO_AIC_CELLS, DEMO_AIV_CELLS },
    [DEMO_ARITHMETIC] = { OPS_COLUMNS, 12, DEMO_CUBE_OPS_CELLS, DEMO_VECTOR_OPS_CELLS },
};

static const struct counter_group *counters_of(const struct ascend *g)
{
    return &counter_groups[g->run->o.metrics];
}

enum { SALT_L2 = 41, SALT_NAME };

static const char *const DTYPE[] = { "FLOAT16", "FLOAT", "INT32" };
static const char *const FORMAT[] = { "NC1HWC0", "FRACTAL_Z", "ND", "FRACTAL_NZ" };

const char *ascend_core(enum demo_core c)
{
    static const char *const name[] = { "AI_CORE", "AI_VECTOR_CORE", "MIX_AIC", "AI_CPU" };
    return name[c];
}

static void put_shapes(struct emit *o, const struct demo_tensor *t, int n)
{
    emit_s(o, "\"\"\"");
    for (int i = 0; i < n; i++) {
        if (i)
            emit_c(o, ';');
        for (int d = 0; d < t[i].nd; d++) {
            if (d)
                emit_c(o, ',');
            emit_u(o, t[i].dim[d]);
        }
    }
    emit_s(o, "\"\"\"");
}

/* Shapes, types and formats: three cells, each followed by a comma. */
static void put_tensors(struct emit *o, const struct demo_tensor *t, int n)
{
    if (!n) {
        emit_s(o, "N/A,N/A,N/A,");
        return;
    }
    put_shapes(o, t, n);
    for (int col = 0; col < 2; col++) {
        for (int i = 0; i < n; i++) {
            emit_c(o, i ? ';' : ',');
            emit_s(o, col ? FORMAT[t[i].format] : DTYPE[t[i].dtype]);
        }
    }
    emit_c(o, ',');
}

/* Rounded as SQLite does. */
static void put_number(struct emit *o, double v)
{
    emit_c(o, ',');
    emit_repr(o, msprof_sql_round(v, 3));
}

/* Time, cycles, pipes and cache, or operations, of one kind of core. */
static void put_core(const struct ascend *g, struct emit *o, const struct demo_pmu *p,
                     const struct demo_pmu_core *c, bool cube)
{
    const struct counter_group *k = counters_of(g);
    double cell[DEMO_AIC_CELLS];
    emit_repr(o, msprof_sql_round(demo_pmu_us(p, c), 3));
    emit_fmt(o, ",%U", c->cycles);
    if (g->run->o.metrics == DEMO_ARITHMETIC)
        demo_pmu_ops_cells(c, cube, cell);
    else
        demo_pmu_cells(p, c, cube, cell);
    for (int i = 0; i < (cube ? k->cube : k->vector); i++)
        put_number(o, cell[i]);
}

static void put_counters(struct ascend *g, struct emit *o, const struct demo_kernel *k)
{
    struct demo_pmu p;
    demo_pmu_of(&p, &g->walk, k);
    put_core(g, o, &p, &p.aic, true);
    emit_c(o, ',');
    put_core(g, o, &p, &p.aiv, false);
    if (g->run->o.metrics == DEMO_ARITHMETIC)
        return;
    emit_c(o, ',');
    double used = emit_round((double)p.aic.cycles / ((double)DEMO_AIC_MHZ * DEMO_AIC_CORES) * 100, 6);
    emit_fixed(o, demo_round(emit_round(used / ((double)k->dur_ns / 1000), 3), 3), 3);
}

/*
 * Time from the end of the row before, computed as msprof does, of the doubles of printed stamps
 * (doc/formats/msprof.md#task-wait-time). last: that row, NULL: none.
 */
static void put_wait(const struct ascend *g, struct emit *o, const struct demo_span *last, int64_t start_ns)
{
    if (!last) {
        emit_c(o, '0');
        return;
    }
    double us = demo_us(ascend_abs(g, start_ns)) - demo_us(ascend_abs(g, last->start_ns)) -
                (double)last->dur_ns / 1000;
    emit_fixed(o, us > 0 ? demo_round(us, 6) : 0, 6);
}

/* The columns before those that kernel_details.csv and op_summary share. */
static void put_step(const struct ascend *g, struct emit *o)
{
    emit_fmt(o, "%u,", g->walk.step.number);
    if (demo_is_torch(g->run))
        emit_fmt(o, "%d,", g->device);
}

/* The op that launched it, in kernel_details.csv of MindSpore. */
static void put_launch(const struct ascend *g, struct emit *o, const char *op)
{
    if (!demo_is_torch(g->run))
        emit_fmt(o, "Kernel::KernelLaunch::%s/", op);
}

/* Everything after those columns. details: kernel_details.csv, else op_summary. */
static void put_kernel(struct ascend *g, struct emit *o, const struct demo_kernel *k,
                       const struct demo_span *last, bool details)
{
    const struct demo_op *op = &g->run->net->op[k->op];
    const struct demo_type *t = demo_op_type(op);
    emit_fmt(o, "%d,%u,%u,", ASCEND_MODEL_ID, k->task % 65536, (uint32_t)op->stream);
    if (details)
        put_launch(g, o, op->name);
    emit_fmt(o, "%s,%s,dynamic,%s,%t\t,%t,", op->leaf, t->name, ascend_core(t->core),
             ascend_abs(g, k->start_ns), k->dur_ns);
    put_wait(g, o, last, k->start_ns);
    emit_fmt(o, ",%u,%u,NO,", op->blocks, t->core == DEMO_MIX ? op->blocks * 2 : 0u);
    put_tensors(o, op->t, op->nin);
    put_tensors(o, op->t + op->nin, op->nout);
    emit_s(o, t->core == DEMO_MIX ? "0," : "N/A,");
    if (t->core == DEMO_AICPU) {
        for (int i = 0; i < counters_of(g)->n; i++)
            emit_s(o, i ? ",N/A" : "N/A");
    } else {
        put_counters(g, o, k);
    }
    emit_s(o, details ? "\r\n" : "\n");
}

static void put_comm(struct ascend *g, struct emit *o, const struct demo_comm *c,
                     const struct demo_span *last, bool details)
{
    const struct demo_comm_op *op = &g->run->net->comm[c->op];
    struct demo_copy copy;
    char name[64];
    emit_fmt(o, "%d,N/A,N/A,", ASCEND_MODEL_ID);
    if (details && !demo_first_copy(c, &copy)) /* that is linked, not the op */
        put_launch(g, o, op->name);
    emit_fmt(o, "%s,%s,N/A,COMMUNICATION,%t\t,%t,", demo_comm_name(g->run, g->rank, c, name, sizeof name),
             demo_comm_hcom(c->kind), ascend_abs(g, c->start_ns), c->dur_ns);
    put_wait(g, o, last, c->start_ns);
    emit_s(o, ",0");
    for (int i = 0; i < 9 + counters_of(g)->n;
         i++) /* mix blocks, HF32, six tensor columns, context, counters */
        emit_s(o, ",N/A");
    emit_s(o, details ? "\r\n" : "\n");
}

/* The files of this pass. */
enum { F_DETAILS, F_SUMMARY, F_L2, F_AICPU, F_PREPROCESS, F_COUNT };

struct tables {
    struct emit *f[F_COUNT];
    struct demo_stat *type, *comm; /* by op type, by kind of communication */
    struct demo_span last;         /* the row before */
    bool has_last;
    bool any; /* a kernel was written */
};

uint32_t ascend_l2_victims(const struct ascend *g, const struct demo_kernel *k)
{
    uint64_t h = demo_hash(g->run, SALT_L2, (uint64_t)g->rank, g->walk.step.index, k->op);
    return (uint32_t)demo_pick(h, 20000, 420000);
}

struct ascend_aicpu ascend_aicpu_of(const struct ascend *g, const struct demo_kernel *k)
{
    uint64_t start = ascend_device_count(g, k->start_ns + 320),
             end = ascend_device_count(g, k->start_ns + k->dur_ns - 80);
    int64_t task = k->dur_ns - 400;
    return (struct ascend_aicpu){ .submit = start - 50,
                                  .start = start,
                                  .end = end,
                                  .after = end + 4,
                                  .start_us = (uint64_t)((ASCEND_MONOTONIC_NS + k->start_ns) / 1000),
                                  .compute_us = (uint32_t)(task / 2000),
                                  .copy_us = (uint32_t)(task / 4000),
                                  .dispatch_us = (uint32_t)(k->dur_ns / 8000 + 1) };
}

/* Rounded as Python does. */
static void put_round(struct emit *o, double v)
{
    emit_c(o, ',');
    emit_repr(o, emit_round(v, 3));
}

static void put_aicpu(struct ascend *g, struct emit *o, const struct demo_op *op, const struct demo_kernel *k,
                      const char *end)
{
    const struct msprof_clock c = ascend_clock(g);
    const struct ascend_aicpu a = ascend_aicpu_of(g, k);
    emit_fmt(o, "%d,%t\t,%s", g->device, msprof_local_us(&c, msprof_dev(&c, a.start, 1e3) * 1e3), op->leaf);
    emit_fmt(o, ",%u.0,%u.0", a.compute_us, a.copy_us);
    put_round(o, (msprof_dev(&c, a.end, 1e3) - msprof_dev(&c, a.start, 1e3)) * 1e3);
    emit_fmt(o, ",%u.0", a.dispatch_us);
    put_round(o, (double)(a.after - a.submit) / c.hw * 1e3 * 1e3);
    emit_fmt(o, ",%u,%u%s", (uint32_t)op->stream, k->task % 65536, end);
}

char *ascend_kernel_name(const struct ascend *g, const struct demo_op *op, char buf[96])
{
    uint64_t h = demo_hash(g->run, SALT_NAME, op->type, 0, 0);
    snprintf(buf, 96, "%s_%u_high_performance_%u", demo_op_type(op)->name,
             (unsigned)(h % 90000000 + 10000000), (unsigned)op->type);
    return buf;
}

static void kernel_rows(struct ascend *g, struct tables *t, const struct demo_kernel *k,
                        const struct demo_span *last)
{
    const struct demo_op *op = &g->run->net->op[k->op];
    const struct demo_type *type = demo_op_type(op);
    put_step(g, t->f[F_DETAILS]);
    put_kernel(g, t->f[F_DETAILS], k, last, true);
    emit_fmt(t->f[F_SUMMARY], "%d,", g->device);
    put_kernel(g, t->f[F_SUMMARY], k, last, false);
    if (t->any && t->f[F_L2]) { /* the first kernel is missing in msprof's file */
        emit_fmt(t->f[F_L2], "%d,%u,%u,N/A,", g->device, (uint32_t)op->stream, k->task % 65536);
        emit_trim(t->f[F_L2], ascend_l2_victims(g, k), 6, 1);
        emit_fmt(t->f[F_L2], ",%s\n", op->leaf);
    }
    t->any = true;
    if (type->core == DEMO_AICPU) {
        put_aicpu(g, t->f[F_AICPU], op, k, "\n");
        put_aicpu(g, t->f[F_PREPROCESS], op, k, ascend_line_end(g));
        g->sum->aicpu++;
    }
    demo_stat_add(&t->type[op->type], k->dur_ns);
    g->sum->kernels++;
    g->sum->kernel_ns += k->dur_ns;
}

static void step_rows(struct ascend *g, struct tables *t)
{
    const struct demo_step *s = &g->walk.step;
    for (uint32_t i = 0; i < s->nrow; i++) {
        const struct demo_row *r = &s->row[i];
        const struct demo_comm *c = r->comm ? &s->comm[r->i] : NULL;
        const struct demo_kernel *k = r->comm ? NULL : &s->kernel[r->i];
        const struct demo_span before = t->last, *last = t->has_last ? &before : NULL;
        t->last = (struct demo_span){ c ? c->start_ns : k->start_ns, c ? c->dur_ns : k->dur_ns };
        t->has_last = true;
        if (k) {
            kernel_rows(g, t, k, last);
            continue;
        }
        put_step(g, t->f[F_DETAILS]);
        put_comm(g, t->f[F_DETAILS], c, last, true);
        emit_fmt(t->f[F_SUMMARY], "%d,", g->device);
        put_comm(g, t->f[F_SUMMARY], c, last, false);
        demo_stat_add(&t->comm[c->kind], c->dur_ns);
        g->sum->comms++;
        g->sum->comm_ns += c->dur_ns;
    }
}

/* whole: the mean is in whole ns, cut off; else rounded. */
static void put_stat_row(struct emit *o, const struct demo_stat *s, int64_t all_ns, bool whole,
                         const char *end)
{
    int64_t mean = whole ? s->sum_ns / (int64_t)s->count : demo_stat_mean(s);
    emit_fmt(o, ",%U,%g,%g,%g,%g,", s->count, s->sum_ns, s->min_ns, mean, s->max_ns);
    emit_trim(o, all_ns ? demo_round((double)s->sum_ns / (double)all_ns * 100, 3) : 0, 3, 0);
    emit_s(o, end);
}

static int op_statistic(struct ascend *g, const struct tables *t, const char *dir, const char *name,
                        struct err *e)
{
    const char *end = dir == g->out ? ascend_line_end(g) : "\n";
    struct emit *o;
    uint32_t order[DEMO_TYPES_MAX], n = demo_stat_order(t->type, demo_type_count(), order);
    if (emit_open(&o, dir, name, e))
        return e->code;
    emit_s(o, "Device_id,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max "
              "Time(us),Ratio(%)");
    emit_s(o, end);
    for (uint32_t i = 0; i < n; i++) {
        const struct demo_type *type = demo_type_at(order[i]);
        emit_fmt(o, "%d,%s,%s", g->device, type->name, ascend_core(type->core));
        put_stat_row(o, &t->type[order[i]], g->sum->kernel_ns, true, end);
    }
    return emit_close(o, &g->count, e);
}

static int comm_statistic(struct ascend *g, const struct tables *t, struct err *e)
{
    struct emit *o;
    char name[64];
    uint32_t order[DEMO_TYPES_MAX], n = demo_stat_order(t->comm, 3, order);
    if (!n)
        return OK;
    if (emit_open(&o, g->mso, ascend_name(g, "communication_statistic", "csv", name, sizeof name), e))
        return e->code;
    emit_s(o, "Device_id,OP Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)\n");
    for (uint32_t i = 0; i < n; i++) {
        emit_fmt(o, "%d,%s", g->device, demo_comm_hcom(order[i]));
        put_stat_row(o, &t->comm[order[i]], g->sum->comm_ns, false, "\n");
    }
    return emit_close(o, &g->count, e);
}

/* The files of this pass: the columns of counters follow those of the kernels. */
static const struct table_file {
    const char *name, *first, *header; /* first: columns of MindSpore before those of both frameworks */
    const char *torch;                 /* and of torch_npu; NULL: it has no such file */
    bool msprof;                       /* in PROF_*, with the time in its name */
    bool counters;
} table_files[F_COUNT] = {
    { "kernel_details.csv", "Step ID,",
      "Model ID,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,Start Time(us),Duration(us),"
      "Wait Time(us),Block Num,Mix Block Num,HF32 Eligible," TENSOR_COLUMNS,
      "Step Id,Device_id,", false, true },
    { "op_summary", "Device_id,",
      "Model ID,Task ID,Stream ID,Op Name,OP Type,OP State,Task Type,Task Start Time(us),"
      "Task Duration(us),Task Wait Time(us),Block Num,Mix Block Num,HF32 Eligible," TENSOR_COLUMNS,
      "Device_id,", true, true },
    { "l2_cache.csv", "", "Device_id,Stream Id,Task Id,Hit Rate,Victim Rate,Op Name", NULL, false, false },
    { "aicpu", "", AICPU_COLUMNS, "", true, false },
    { "data_preprocess.csv", "", AICPU_COLUMNS, "", false, false },
};

/* MindSpore copies msprof's tables, kernel_details.csv it writes itself. */
static const char *header_end(const struct ascend *g, int file)
{
    if (table_files[file].msprof)
        return "\n";
    return file == F_DETAILS ? "\r\n" : ascend_line_end(g);
}

static int open_tables(struct ascend *g, struct tables *t, struct err *e)
{
    char name[64];
    for (int i = 0; i < F_COUNT; i++) {
        const struct table_file *x = &table_files[i];
        const char *n = x->msprof ? ascend_name(g, x->name, "csv", name, sizeof name) : x->name;
        const char *first = demo_is_torch(g->run) ? x->torch : x->first;
        if (!first)
            continue;
        if (emit_open(&t->f[i], x->msprof ? g->mso : g->out, n, e))
            return e->code;
        emit_fmt(t->f[i], "%s%s%s%s", first, x->header, x->counters ? counters_of(g)->columns : "",
                 header_end(g, i));
    }
    return OK;
}

static void summarise(struct ascend *g, const struct tables *t)
{
    for (uint32_t i = 0; i < demo_type_count(); i++)
        if (t->type[i].count)
            g->sum->type[g->sum->ntypes++] =
                (struct demo_type_sum){ demo_type_at(i)->name, t->type[i].count, t->type[i].sum_ns };
    for (uint32_t i = 0; i < 3; i++)
        if (t->comm[i].count)
            g->sum->type[g->sum->ntypes++] =
                (struct demo_type_sum){ demo_comm_hcom(i), t->comm[i].count, t->comm[i].sum_ns };
}

int ascend_kernels(struct ascend *g, struct err *e)
{
    struct tables t = { .has_last = false };
    char name[64];
    t.type = calloc(demo_type_count() + 3, sizeof *t.type);
    if (!t.type)
        return err_nomem(e);
    t.comm = t.type + demo_type_count();
    if (open_tables(g, &t, e))
        goto out;
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk)) {
        step_rows(g, &t);
        g->end_ns = g->walk.step.host_end_ns;
    }
    for (int i = 0; i < F_COUNT; i++) {
        struct emit *o = t.f[i];
        t.f[i] = NULL;
        if (o && emit_close(o, &g->count, e))
            goto out;
    }
    if (op_statistic(g, &t, g->out, "op_statistic.csv", e) ||
        op_statistic(g, &t, g->mso, ascend_name(g, "op_statistic", "csv", name, sizeof name), e) ||
        comm_statistic(g, &t, e))
        goto out;
    summarise(g, &t);
out:
    for (int i = 0; i < F_COUNT; i++)
        emit_drop(t.f[i]);
    free(t.type);
    return e->code;
}
