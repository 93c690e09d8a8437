/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MindSpore 1.x: op tables (doc/formats/mindspore1.md#framework_raw, #op-executions, #aicpu_intermediate,
 * #aicore_intermediate).
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "demo/demo_num.h"
#include "demo/demo_stat.h"
#include "demo/mindspore/analysed.h"
#include "emit/decimal.h"

static const char *const DTYPE[] = { "FLOAT16", "FLOAT32", "INT32" };
static const char *const FORMAT[] = { "NC1HWC0", "FRAC_Z", "DEFAULT", "FRAC_NZ" };

void analysed_put_tensor(struct emit *o, const struct demo_tensor *t, const char *quote)
{
    emit_fmt(o, "{%sformat%s: %s%s%s, %sdata_type%s: %s%s%s, %sshape%s: [", quote, quote, quote,
             FORMAT[t->format], quote, quote, quote, quote, DTYPE[t->dtype], quote, quote, quote);
    for (int d = 0; d < t->nd; d++)
        emit_fmt(o, "%s%u", d ? ", " : "", t->dim[d]);
    emit_s(o, "]}");
}

static void put_str(struct emit *o, struct str s)
{
    emit_n(o, s.p, s.n);
    emit_c(o, ',');
}

static const char *subgraph(const char *name)
{
    return name[0] == 'G' ? "Gradients" : "Default";
}

static void put_op_info(struct emit *o, const struct demo_op *op)
{
    emit_s(o, "\"{");
    for (int i = 0; i < op->nin + op->nout; i++) {
        bool in = i < op->nin;
        emit_fmt(o, "%s\"\"%s_%d\"\": ", i ? ", " : "", in ? "input" : "output", in ? i : i - op->nin);
        analysed_put_tensor(o, &op->t[i], "\"\"");
    }
    emit_s(o, "}\"");
}

/* One row per task of the graph, in launch order. */
static int framework_raw(struct analysed *g, struct err *e)
{
    const struct demo_net *n = g->run->net;
    struct analysed_task_text t;
    struct emit *o;
    if (analysed_open(g, &o, "framework_raw_", ".csv", e))
        return e->code;
    emit_s(o, "task_id,stream_id,block_dim,full_op_name,op_name,op_type,subgraph,op_info,graph_id\r\n");
    for (uint32_t i = 0; i < g->graph.n; i++) {
        const struct analysed_task *k = &g->graph.task[i];
        analysed_task_text(n, k, &t);
        emit_fmt(o, "%u,%u,%u,", k->task, k->stream, k->kind == ANALYSED_TASK_OP ? n->op[k->i].blocks : 1);
        put_str(o, t.name);
        put_str(o, t.leaf);
        put_str(o, t.type);
        emit_fmt(o, "%s,", subgraph(t.name.p));
        if (k->kind == ANALYSED_TASK_OP)
            put_op_info(o, &n->op[k->i]);
        else
            emit_s(o, "{}");
        emit_fmt(o, ",%d\r\n", ANALYSED_GRAPH_ID);
    }
    return emit_close(o, &g->count, e);
}

/* Executions in order of start; collects the figures of the other tables. */
static int timeline_data(struct analysed *g, struct demo_stat *type, struct err *e)
{
    struct emit *o;
    const struct demo_step *s = &g->walk.step;
    if (analysed_open(g, &o, "output_timeline_data_", ".txt", e))
        return e->code;
    emit_s(o, "op_name, stream_id, start_time(ms), duration(ms)\n");
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk)) {
        for (uint32_t i = 0; i < s->nkernel; i++) {
            const struct demo_kernel *k = &s->kernel[i];
            const struct demo_op *op = &g->run->net->op[k->op];
            if (!s->index && !i)
                g->first_ns = k->start_ns;
            if (!analysed_on_core(g, k->op))
                continue;
            emit_fmt(o, "%s,%u,", op->name, (uint32_t)op->stream);
            emit_dec(o, analysed_ticks(g, k->start_ns), 5);
            emit_c(o, ',');
            emit_dec(o, k->dur_ns / 10, 5);
            emit_c(o, '\n');
            if (!g->calls[k->op])
                g->order[g->norder++] = k->op;
            g->calls[k->op]++;
            g->total_ms[k->op] += (double)(k->dur_ns / 10) / 1e5;
            demo_stat_add(&type[op->type], k->dur_ns);
            g->sum->kernels++;
            g->sum->kernel_ns += k->dur_ns;
        }
        g->end_ns = s->host_end_ns;
    }
    return emit_close(o, &g->count, e);
}

static int compute_time(struct analysed *g, struct err *e)
{
    struct emit *text = NULL, *detail = NULL, *done;
    const struct demo_net *n = g->run->net;
    if (analysed_open(g, &text, "output_op_compute_time_", ".txt", e) ||
        analysed_open(g, &detail, "aicore_intermediate_", "_detail.csv", e))
        goto out;
    emit_s(text, "====================op compute time====================\nop_name       "
                 "compute_time(ms) stream_id\n"
                 "------------  ---------------  ---------\n");
    emit_s(detail, "full_op_name,execution_time\r\n");
    for (uint32_t i = 0; i < g->norder; i++) {
        const struct demo_op *op = &n->op[g->order[i]];
        double avg = analysed_avg_ms(g, g->order[i]);
        g->sum_avg_ms += avg;
        emit_fmt(text, "%s %r  %u\n", op->name, avg, (uint32_t)op->stream);
        emit_fmt(detail, "%s,%r\r\n", op->name, avg);
    }
    emit_fmt(text, "total op  %r 0\n", g->sum_avg_ms);
    done = text;
    text = NULL;
    if (emit_close(done, &g->count, e))
        goto out;
    done = detail;
    detail = NULL;
    if (emit_close(done, &g->count, e))
        goto out;
out:
    emit_drop(text);
    emit_drop(detail);
    return e->code;
}

/* Sums of the averages as printed, by type in order of first execution. */
static int type_table(struct analysed *g, struct err *e)
{
    struct emit *o;
    const struct demo_net *n = g->run->net;
    bool seen[DEMO_TYPES_MAX] = { false };
    if (analysed_open(g, &o, "aicore_intermediate_", "_type.csv", e))
        return e->code;
    emit_s(o, "op_type,execution_time,execution_frequency,percent\r\n");
    for (uint32_t i = 0; i < g->norder; i++) {
        uint16_t type = n->op[g->order[i]].type;
        struct decimal sum = { 0 };
        char text[DECIMAL_TEXT];
        double value = 0;
        uint32_t count = 0;
        if (seen[type])
            continue;
        seen[type] = true;
        for (uint32_t j = i; j < g->norder; j++)
            if (n->op[g->order[j]].type == type) {
                struct decimal avg = decimal_of(analysed_avg_ms(g, g->order[j]));
                sum = count ? decimal_add(sum, avg) : avg;
                value += analysed_avg_ms(g, g->order[j]);
                count++;
            }
        emit_fmt(o, "%s,", demo_type_at(type)->name);
        emit_str(o, decimal_text(sum, text));
        emit_fmt(o, ",%u,", count);
        emit_fixed(o, demo_round(value / g->sum_avg_ms * 100, 2), 2);
        emit_s(o, "\r\n");
    }
    return emit_close(o, &g->count, e);
}

struct analysed_aicpu analysed_aicpu_of(const struct analysed *g, const struct demo_kernel *k)
{
    int64_t start = analysed_ticks(g, k->start_ns), us = k->dur_ns / 1000, dispatch = 18 + us / 8;
    return (struct analysed_aicpu){ .start = start,
                                    .end = analysed_ticks(g, k->start_ns + k->dur_ns),
                                    .start_us = start / 100,
                                    .end_us = start / 100 + us,
                                    .dispatch_us = dispatch,
                                    .total_us = us + dispatch + 2 };
}

static int aicpu(struct analysed *g, struct err *e)
{
    struct emit *o;
    const struct demo_step *s = &g->walk.step;
    uint32_t serial = 0;
    if (analysed_open(g, &o, "aicpu_intermediate_", ".csv", e))
        return e->code;
    emit_s(o, "serial_number,op_type,total_time,dispatch_time,execution_time,run_start,run_end\r\n");
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk))
        for (uint32_t i = 0; i < s->nkernel; i++) {
            const struct demo_kernel *k = &s->kernel[i];
            struct analysed_aicpu a = analysed_aicpu_of(g, k);
            if (analysed_on_core(g, k->op))
                continue;
            emit_fmt(o, "%u,%s,", ++serial, g->run->net->op[k->op].leaf);
            emit_dec(o, a.total_us, 3);
            emit_c(o, ',');
            emit_dec(o, a.dispatch_us, 3);
            emit_c(o, ',');
            emit_dec(o, a.end_us - a.start_us, 3);
            emit_c(o, ',');
            emit_dec(o, a.start, 2);
            emit_c(o, ',');
            emit_dec(o, a.end, 2);
            emit_s(o, "\r\n");
            g->aicpu_ms += (double)a.total_us / 1000;
            g->sum->aicpu++;
        }
    return emit_close(o, &g->count, e);
}

int analysed_ops(struct analysed *g, struct err *e)
{
    struct demo_stat *type = calloc(demo_type_count(), sizeof *type);
    if (!type)
        return err_nomem(e);
    if (!framework_raw(g, e) && !timeline_data(g, type, e) && !compute_time(g, e) && !type_table(g, e) &&
        !aicpu(g, e))
        for (uint32_t i = 0; i < demo_type_count(); i++)
            if (type[i].count)
                g->sum->type[g->sum->ntypes++] =
                    (struct demo_type_sum){ demo_type_at(i)->name, type[i].count, type[i].sum_ns };
    free(type);
    return e->code;
}
