/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text files of MindSpore's FRAMEWORK/, written when the profiler stops: ops of the host, totals of the
 * pool, the data pipeline (doc/formats/framework.md#cpu_op_execute_timestamp, #cpu_ms_memory_record;
 * doc/formats/mindspore1.md#cpu).
 */
#include "config.h"

#include <stdio.h>

#include "demo/demo_data.h"
#include "demo/framework/fw.h"
#include "demo/mindspore/raw_stamps.h"

static int open_text(struct fw *f, struct emit **o, const char *dir, const char *stem, const char *end,
                     struct err *e)
{
    char name[64];
    snprintf(name, sizeof name, "%s_%d.%s", stem, f->g->rank, end);
    return emit_open(o, dir, name, e);
}

static void put_ms(struct emit *o, int64_t ns)
{
    raw_put_float(o, (double)ns / 1e6);
}

/* ---- the op of the host ---- */

struct cpu_op {
    uint32_t n;
    int64_t sum_ns;
};

static int stamps(struct fw *f, const char *dir, struct cpu_op *sum, struct err *e)
{
    struct demo_walk *w = &f->g->walk;
    struct emit *o;
    if (open_text(f, &o, dir, "cpu_op_execute_timestamp", "txt", e))
        return e->code;
    emit_s(o, FW_CPU_OP ";HostCpuOps;");
    demo_walk_rewind(w);
    while (demo_walk_next(w)) {
        struct demo_span x = fw_cpu_op(f->g);
        emit_fmt(o, "%i,", ascend_abs(f->g, x.start_ns));
        put_ms(o, x.dur_ns);
        emit_s(o, ",0 ");
        sum->n++;
        sum->sum_ns += x.dur_ns;
    }
    emit_c(o, '\n');
    return emit_close(o, &f->g->count, e);
}

static int detail(struct fw *f, const char *dir, const struct cpu_op *sum, struct err *e)
{
    struct emit *o;
    const char *leaf = strrchr(FW_CPU_OP, '/') + 1;
    if (open_text(f, &o, dir, "cpu_op_detail_info", "csv", e))
        return e->code;
    emit_fmt(o,
             "op_side,op_type,op_name,full_op_name,op_occurrences,op_total_time(ms),"
             "op_avg_time(ms),total_proportion,subgraph,pid\nHost,Gather,%s,%s,%u,",
             leaf, FW_CPU_OP, sum->n);
    put_ms(o, sum->sum_ns);
    emit_c(o, ',');
    put_ms(o, sum->n ? sum->sum_ns / sum->n : 0);
    emit_fmt(o, ",1,Default,%u\n", f->g->pid);
    return emit_close(o, &f->g->count, e);
}

static int types(struct fw *f, const char *dir, const struct cpu_op *sum, struct err *e)
{
    struct emit *o;
    if (open_text(f, &o, dir, "cpu_op_type_info", "csv", e))
        return e->code;
    emit_fmt(o,
             "op_type,type_occurrences,execution_frequency(per-step),total_compute_time,"
             "avg_time(ms),percent\nGather,%u,1,",
             sum->n);
    put_ms(o, sum->sum_ns);
    emit_c(o, ',');
    put_ms(o, sum->n ? sum->sum_ns / sum->n : 0);
    emit_s(o, ",1\n");
    return emit_close(o, &f->g->count, e);
}

static int launches(struct fw *f, const char *dir, const struct cpu_op *sum, struct err *e)
{
    struct emit *o;
    const char *leaf = strrchr(FW_CPU_OP, '/') + 1;
    if (open_text(f, &o, dir, "cpu_framework", "txt", e))
        return e->code;
    for (uint32_t i = 0; i < sum->n; i++)
        emit_fmt(o, "Gather;%s;1;input_0:1000;input_1:1;\n", leaf);
    return emit_close(o, &f->g->count, e);
}

/* ---- the pool ---- */

static int pool(struct fw *f, const char *dir, struct err *e)
{
    struct demo_walk *w = &f->g->walk;
    struct demo_mem m;
    struct emit *o;
    if (demo_mem_init(&m, f->g->run, e))
        return e->code;
    if (open_text(f, &o, dir, "cpu_ms_memory_record", "txt", e)) {
        demo_mem_done(&m);
        return e->code;
    }
    emit_s(o, "Timestamp(ns),Total Allocated(Byte),Total Reserved(Byte),Total Active(Byte)\n");
    demo_walk_rewind(w);
    while (!e->code && demo_walk_next(w)) {
        if (demo_mem_step(&m, w, e))
            break;
        for (uint32_t i = 0; i < m.npool; i++)
            emit_fmt(o, "%i,%U,%U,%U\n", ascend_abs(f->g, m.pool[i].ts_ns), m.pool[i].used_b,
                     m.pool[i].reserved_b, m.pool[i].used_b);
    }
    demo_mem_done(&m);
    if (!e->code)
        return emit_close(o, &f->g->count, e);
    emit_drop(o);
    return e->code;
}

int fw_write_texts(struct fw *f, const char *dir, struct err *e)
{
    struct demo_pipe p = demo_pipe_of(f->g->run, f->g->rank, f->g->end_ns);
    struct cpu_op sum = { 0 };
    if (stamps(f, dir, &sum, e) || detail(f, dir, &sum, e) || types(f, dir, &sum, e) ||
        launches(f, dir, &sum, e) || pool(f, dir, e))
        return e->code;
    return demo_pipe_write_raw(&p, dir, f->g->rank, &f->g->count, e);
}
