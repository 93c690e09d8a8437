/*
 * Generation 2: the tables that have one row per kernel, and the statistics over them
 * (outputs.md 4.1, 4.2, 4.3, 4.7, 6.3, 8.1; gen2-offline.md 6.2, 6.3). Header names are those of
 * CANN 8.2 and MindSpore 2.7.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "demo/demo_num.h"
#include "demo/demo_stat.h"
#include "demo/gen2.h"

#define TENSOR_COLUMNS                                                                             \
    "Input Shapes,Input Data Types,Input Formats,Output Shapes,Output Data Types,Output "          \
    "Formats,Context ID"
#define COUNTER_COLUMNS                                                                            \
    "aicore_time(us),aic_total_cycles,aic_mac_time(us),aic_mac_ratio,aic_scalar_time(us),aic_"     \
    "scalar_ratio,aic_mte1_time(us),"                                                              \
    "aic_mte1_ratio,aic_mte2_time(us),aic_mte2_ratio,aic_fixpipe_time(us),aic_fixpipe_ratio,aic_"  \
    "icache_miss_rate,aiv_time(us),"                                                               \
    "aiv_total_cycles,aiv_vec_time(us),aiv_vec_ratio,aiv_scalar_time(us),aiv_scalar_ratio,aiv_"    \
    "mte2_time(us),aiv_mte2_ratio,"                                                                \
    "aiv_mte3_time(us),aiv_mte3_ratio,aiv_icache_miss_rate,cube_utilization(%)"
#define COUNTERS 25

enum { SALT_PMU = 40, SALT_L2, SALT_NAME };

static const char *const DTYPE[] = { "FLOAT16", "FLOAT", "INT32" };
static const char *const FORMAT[] = { "NC1HWC0", "FRACTAL_Z", "ND", "FRACTAL_NZ" };

const char *gen2_core(enum demo_core c)
{
    static const char *const name[] = { "AI_CORE", "AI_VECTOR_CORE", "MIX_AIC", "AI_CPU" };
    return name[c];
}

static void put_shapes(struct vout *o, const struct demo_tensor *t, int n)
{
    vout_s(o, "\"\"\"");
    for (int i = 0; i < n; i++) {
        if (i)
            vout_c(o, ';');
        for (int d = 0; d < t[i].nd; d++) {
            if (d)
                vout_c(o, ',');
            vout_u(o, t[i].dim[d]);
        }
    }
    vout_s(o, "\"\"\"");
}

/* Shapes, types and formats: three cells, each with a comma behind. */
static void put_tensors(struct vout *o, const struct demo_tensor *t, int n)
{
    if (!n) {
        vout_s(o, "N/A,N/A,N/A,");
        return;
    }
    put_shapes(o, t, n);
    for (int col = 0; col < 2; col++) {
        for (int i = 0; i < n; i++) {
            vout_c(o, i ? ';' : ',');
            vout_s(o, col ? FORMAT[t[i].format] : DTYPE[t[i].dtype]);
        }
    }
    vout_c(o, ',');
}

/* time(us),ratio, of one pipe */
static void put_pipe(struct vout *o, int64_t core_ns, int share, uint64_t h)
{
    int64_t permille = share ? share * demo_pick(h, 940, 1060) / 1000 : 0;
    if (permille > 999)
        permille = 999;
    vout_fmt(o, ",%f,", core_ns * permille / 1000);
    vout_trim(o, permille, 3, 1);
}

static void put_counters(struct vout *o, const struct demo_type *t, const struct demo_kernel *k,
                         uint32_t blocks, uint64_t h)
{
    bool cube = t->core == DEMO_AIC || t->core == DEMO_MIX,
         vector = t->core == DEMO_AIV || t->core == DEMO_MIX;
    int64_t core_ns = k->dur_ns * demo_pick(h, 880, 960) / 1000, aic = cube ? core_ns : 0,
            aiv = vector ? core_ns : 0;
    const int in_cube[] = { t->mac, t->scalar, t->mte1, t->mte2, t->mte3 },
              in_vec[] = { t->vec, t->scalar, t->mte2, t->mte3 };
    vout_fmt(o, "%f,%i", aic, aic * GEN2_AIC_MHZ / 1000 * (int64_t)blocks);
    for (size_t i = 0; i < ARRAY_LEN(in_cube); i++)
        put_pipe(o, aic, cube ? in_cube[i] : 0, h >> (i * 4));
    vout_c(o, ',');
    vout_trim(o, cube ? demo_pick(h >> 5, 2, 30) : 0, 3, 1);
    vout_fmt(o, ",%f,%i", aiv,
             aiv * GEN2_AIC_MHZ / 1000 * (int64_t)blocks * (t->core == DEMO_MIX ? 2 : 1));
    for (size_t i = 0; i < ARRAY_LEN(in_vec); i++)
        put_pipe(o, aiv, vector ? in_vec[i] : 0, h >> (i * 4 + 2));
    vout_c(o, ',');
    vout_trim(o, vector ? demo_pick(h >> 9, 4, 80) : 0, 3, 1);
    vout_c(o, ',');
    vout_fixed(o, cube ? (int64_t)t->mac * core_ns * 100 / k->dur_ns : 0, 3);
}

/* Everything after the step column. details: kernel_details.csv, else op_summary. */
static void put_kernel(struct gen2 *g, struct vout *o, const struct demo_kernel *k, int64_t wait_ns,
                       bool details)
{
    const struct demo_op *op = &g->run->net->op[k->op];
    const struct demo_type *t = demo_op_type(op);
    vout_fmt(o, "%d,%u,%u,", GEN2_MODEL_ID, k->task % 65536, (uint32_t)op->stream);
    if (details)
        vout_fmt(o, "Kernel::KernelLaunch::%s/", op->name);
    vout_fmt(o, "%s,%s,dynamic,%s,%t\t,%t,", op->leaf, t->name, gen2_core(t->core),
             gen2_abs(g, k->start_ns), k->dur_ns);
    if (wait_ns < 0)
        vout_c(o, '0');
    else
        vout_fmt(o, "%t000", wait_ns);
    vout_fmt(o, ",%u,%u,NO,", op->blocks, t->core == DEMO_MIX ? op->blocks * 2 : 0u);
    put_tensors(o, op->t, op->nin);
    put_tensors(o, op->t + op->nin, op->nout);
    vout_s(o, "N/A,");
    if (t->core == DEMO_AICPU) {
        for (int i = 0; i < COUNTERS; i++)
            vout_s(o, i ? ",N/A" : "N/A");
    } else {
        put_counters(o, t, k, op->blocks,
                     demo_hash(g->run, SALT_PMU, (uint64_t)g->rank, g->walk.step.index, k->op));
    }
    vout_s(o, details ? "\r\n" : "\n");
}

static void put_comm(struct gen2 *g, struct vout *o, const struct demo_comm *c, int64_t wait_ns,
                     bool details)
{
    const struct demo_comm_op *op = &g->run->net->comm[c->op];
    char name[64];
    vout_fmt(o, "%d,N/A,N/A,", GEN2_MODEL_ID);
    if (details)
        vout_fmt(o, "Kernel::KernelLaunch::%s/", op->name);
    vout_fmt(o, "%s,%s,N/A,COMMUNICATION,%t\t,%t,",
             demo_comm_name(g->run, g->rank, c, name, sizeof name), demo_comm_hcom(op->kind),
             gen2_abs(g, c->start_ns), c->dur_ns);
    vout_fmt(o, "%t000,0", wait_ns < 0 ? 0 : wait_ns);
    for (int i = 0; i < 9 + COUNTERS;
         i++) /* mix blocks, HF32, six tensor columns, context, counters */
        vout_s(o, ",N/A");
    vout_s(o, details ? "\r\n" : "\n");
}

/* The files of this pass. */
enum { F_DETAILS, F_SUMMARY, F_TASK, F_L2, F_AICPU, F_PREPROCESS, F_COUNT };

struct tables {
    struct vout *f[F_COUNT];
    struct demo_stat *type, *comm; /* by op type, by kind of communication */
    int64_t prev_end_ns;           /* of the row before; -1: none */
    bool any;                      /* a kernel was written */
};

static void put_aicpu(struct gen2 *g, struct vout *o, const struct demo_op *op,
                      const struct demo_kernel *k)
{
    int64_t task = k->dur_ns - 400;
    vout_fmt(o, "%d,%t\t,%s,", g->device, gen2_abs(g, k->start_ns) + 321, op->leaf);
    vout_fmt(o, "%f,%f,%f,%f,%f,%u,%u\n", task / 2000 * 1000, task / 4000 * 1000, task,
             k->dur_ns / 8000 * 1000 + 1000, task + 900, (uint32_t)op->stream, k->task % 65536);
}

static void kernel_rows(struct gen2 *g, struct tables *t, const struct demo_kernel *k,
                        int64_t wait_ns)
{
    const struct demo_op *op = &g->run->net->op[k->op];
    const struct demo_type *type = demo_op_type(op);
    uint64_t h = demo_hash(g->run, SALT_L2, (uint64_t)g->rank, g->walk.step.index, k->op);
    vout_fmt(t->f[F_DETAILS], "%u,", g->walk.step.number);
    put_kernel(g, t->f[F_DETAILS], k, wait_ns, true);
    vout_fmt(t->f[F_SUMMARY], "%d,", g->device);
    put_kernel(g, t->f[F_SUMMARY], k, wait_ns, false);
    vout_fmt(t->f[F_TASK], "%d,%s_%u_high_performance_%u,%s,%u,%u,%t,%t\t,%t\t\n", g->device,
             type->name,
             (uint32_t)(demo_hash(g->run, SALT_NAME, op->type, 0, 0) % 90000000 + 10000000),
             (uint32_t)op->type, gen2_core(type->core), (uint32_t)op->stream, k->task % 65536,
             k->dur_ns, gen2_abs(g, k->start_ns), gen2_abs(g, k->start_ns + k->dur_ns));
    if (t->any) { /* the first kernel is missing in the vendor's file */
        vout_fmt(t->f[F_L2], "%d,%u,%u,N/A,", g->device, (uint32_t)op->stream, k->task % 65536);
        vout_trim(t->f[F_L2], demo_pick(h, 20000, 420000), 6, 1);
        vout_fmt(t->f[F_L2], ",%s\n", op->leaf);
    }
    t->any = true;
    if (type->core == DEMO_AICPU) {
        put_aicpu(g, t->f[F_AICPU], op, k);
        put_aicpu(g, t->f[F_PREPROCESS], op, k);
        g->sum->aicpu++;
    }
    demo_stat_add(&t->type[op->type], k->dur_ns);
    g->sum->kernels++;
    g->sum->kernel_ns += k->dur_ns;
}

static void step_rows(struct gen2 *g, struct tables *t)
{
    const struct demo_step *s = &g->walk.step;
    for (uint32_t i = 0; i < s->nrow; i++) {
        const struct demo_row *r = &s->row[i];
        const struct demo_comm *c = r->comm ? &s->comm[r->i] : NULL;
        const struct demo_kernel *k = r->comm ? NULL : &s->kernel[r->i];
        int64_t start = c ? c->start_ns : k->start_ns, dur = c ? c->dur_ns : k->dur_ns;
        int64_t wait = t->prev_end_ns < 0       ? -1
                       : start > t->prev_end_ns ? start - t->prev_end_ns
                                                : 0;
        t->prev_end_ns = start + dur;
        if (k) {
            kernel_rows(g, t, k, wait);
            continue;
        }
        vout_fmt(t->f[F_DETAILS], "%u,", s->number);
        put_comm(g, t->f[F_DETAILS], c, wait, true);
        vout_fmt(t->f[F_SUMMARY], "%d,", g->device);
        put_comm(g, t->f[F_SUMMARY], c, wait, false);
        demo_stat_add(&t->comm[g->run->net->comm[c->op].kind], dur);
        g->sum->comms++;
        g->sum->comm_ns += dur;
    }
}

static void put_stat_row(struct vout *o, const struct demo_stat *s, int64_t all_ns)
{
    vout_fmt(o, ",%U,%g,%g,%g,%g,", s->count, s->sum_ns, s->min_ns, demo_stat_mean(s), s->max_ns);
    vout_trim(o, all_ns ? demo_round((double)s->sum_ns / (double)all_ns * 100, 3) : 0, 3, 0);
    vout_c(o, '\n');
}

static int op_statistic(struct gen2 *g, const struct tables *t, const char *dir, const char *name,
                        struct err *e)
{
    struct vout *o;
    uint32_t order[DEMO_TYPES_MAX], n = demo_stat_order(t->type, demo_type_count(), order);
    if (vout_open(&o, dir, name, e))
        return (int)e->code;
    vout_s(o, "Device_id,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max "
              "Time(us),Ratio(%)\n");
    for (uint32_t i = 0; i < n; i++) {
        const struct demo_type *type = demo_type_at(order[i]);
        vout_fmt(o, "%d,%s,%s", g->device, type->name, gen2_core(type->core));
        put_stat_row(o, &t->type[order[i]], g->sum->kernel_ns);
    }
    return vout_close(o, &g->count, e);
}

static int comm_statistic(struct gen2 *g, const struct tables *t, struct err *e)
{
    struct vout *o;
    char name[64];
    uint32_t order[DEMO_TYPES_MAX], n = demo_stat_order(t->comm, 3, order);
    if (!n)
        return OK;
    if (vout_open(&o, g->mso, gen2_name(g, "communication_statistic", "csv", name, sizeof name), e))
        return (int)e->code;
    vout_s(
        o,
        "Device_id,OP Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)\n");
    for (uint32_t i = 0; i < n; i++) {
        vout_fmt(o, "%d,%s", g->device, demo_comm_hcom(order[i]));
        put_stat_row(o, &t->comm[order[i]], g->sum->comm_ns);
    }
    return vout_close(o, &g->count, e);
}

static int open_tables(struct gen2 *g, struct tables *t, struct err *e)
{
    static const struct {
        const char *name, *header;
        bool msprof; /* in PROF_*, with the time in its name */
    } file[F_COUNT] = {
        { "kernel_details.csv",
          "Step ID,Model ID,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,Start "
          "Time(us),Duration(us),Wait Time(us),Block Num,"
          "Mix Block Num,HF32 Eligible," TENSOR_COLUMNS "," COUNTER_COLUMNS "\r\n",
          false },
        { "op_summary",
          "Device_id,Model ID,Task ID,Stream ID,Op Name,OP Type,OP State,Task Type,Task Start "
          "Time(us),Task Duration(us),"
          "Task Wait Time(us),Block Num,Mix Block Num,HF32 Eligible," TENSOR_COLUMNS
          "," COUNTER_COLUMNS "\n",
          true },
        { "task_time",
          "Device_id,kernel_name,kernel_type,stream_id,task_id,task_time(us),task_start(us),task_"
          "stop(us)\n",
          true },
        { "l2_cache.csv", "Device_id,Stream Id,Task Id,Hit Rate,Victim Rate,Op Name\n", false },
        { "aicpu",
          "Device_id,Timestamp(us),Node,Compute_time(us),Memcpy_time(us),Task_time(us),Dispatch_"
          "time(us),Total_time(us),Stream ID,"
          "Task ID\n",
          true },
        { "data_preprocess.csv",
          "Device_id,Timestamp(us),Node,Compute_time(us),Memcpy_time(us),Task_time(us),Dispatch_"
          "time(us),Total_time(us),Stream ID,"
          "Task ID\n",
          false },
    };
    char name[64];
    for (int i = 0; i < F_COUNT; i++) {
        const char *n =
            file[i].msprof ? gen2_name(g, file[i].name, "csv", name, sizeof name) : file[i].name;
        if (vout_open(&t->f[i], file[i].msprof ? g->mso : g->out, n, e))
            return (int)e->code;
        vout_s(t->f[i], file[i].header);
    }
    return OK;
}

static void summarise(struct gen2 *g, const struct tables *t)
{
    for (uint32_t i = 0; i < demo_type_count(); i++)
        if (t->type[i].count)
            g->sum->type[g->sum->ntypes++] =
                (struct demo_type_sum){ demo_type_at(i)->name, t->type[i].count,
                                        t->type[i].sum_ns };
    for (uint32_t i = 0; i < 3; i++)
        if (t->comm[i].count)
            g->sum->type[g->sum->ntypes++] =
                (struct demo_type_sum){ demo_comm_hcom(i), t->comm[i].count, t->comm[i].sum_ns };
}

int gen2_kernels(struct gen2 *g, struct err *e)
{
    struct tables t = { .prev_end_ns = -1 };
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
        struct vout *o = t.f[i];
        t.f[i] = NULL;
        if (vout_close(o, &g->count, e))
            goto out;
    }
    if (op_statistic(g, &t, g->out, "op_statistic.csv", e) ||
        op_statistic(g, &t, g->mso, gen2_name(g, "op_statistic", "csv", name, sizeof name), e) ||
        comm_statistic(g, &t, e))
        goto out;
    summarise(g, &t);
out:
    for (int i = 0; i < F_COUNT; i++)
        vout_drop(t.f[i]);
    free(t.type);
    return (int)e->code;
}
