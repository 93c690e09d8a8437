/* Generation 1: op tables (gen1-raw.md 7.2, 7.3, 7.4, 7.6). */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "demo/demo_num.h"
#include "demo/demo_stat.h"
#include "demo/mindspore/analysed.h"
#include "emit/decimal.h"

static const char *const DTYPE[] = { "FLOAT16", "FLOAT32", "INT32" };
static const char *const FORMAT[] = { "NC1HWC0", "FRAC_Z", "DEFAULT", "FRAC_NZ" };

void gen1_put_tensor(struct vout *o, const struct demo_tensor *t, const char *quote)
{
    vout_fmt(o, "{%sformat%s: %s%s%s, %sdata_type%s: %s%s%s, %sshape%s: [", quote, quote, quote,
             FORMAT[t->format], quote, quote, quote, quote, DTYPE[t->dtype], quote, quote, quote);
    for (int d = 0; d < t->nd; d++)
        vout_fmt(o, "%s%u", d ? ", " : "", t->dim[d]);
    vout_s(o, "]}");
}

static void put_str(struct vout *o, struct str s)
{
    vout_n(o, s.p, s.n);
    vout_c(o, ',');
}

static const char *subgraph(const char *name)
{
    return name[0] == 'G' ? "Gradients" : "Default";
}

static void put_op_info(struct vout *o, const struct demo_op *op)
{
    vout_s(o, "\"{");
    for (int i = 0; i < op->nin + op->nout; i++) {
        bool in = i < op->nin;
        vout_fmt(o, "%s\"\"%s_%d\"\": ", i ? ", " : "", in ? "input" : "output",
                 in ? i : i - op->nin);
        gen1_put_tensor(o, &op->t[i], "\"\"");
    }
    vout_s(o, "}\"");
}

/* One row per task of the graph, in launch order. */
static int framework_raw(struct gen1 *g, struct err *e)
{
    const struct demo_net *n = g->run->net;
    struct gen1_task_text t;
    struct vout *o;
    if (gen1_open(g, &o, "framework_raw_", ".csv", e))
        return (int)e->code;
    vout_s(
        o,
        "task_id,stream_id,block_dim,full_op_name,op_name,op_type,subgraph,op_info,graph_id\r\n");
    for (uint32_t i = 0; i < g->graph.n; i++) {
        const struct gen1_task *k = &g->graph.task[i];
        gen1_task_text(n, k, &t);
        vout_fmt(o, "%u,%u,%u,", k->task, k->stream,
                 k->kind == GEN1_TASK_OP ? n->op[k->i].blocks : 1);
        put_str(o, t.name);
        put_str(o, t.leaf);
        put_str(o, t.type);
        vout_fmt(o, "%s,", subgraph(t.name.p));
        if (k->kind == GEN1_TASK_OP)
            put_op_info(o, &n->op[k->i]);
        else
            vout_s(o, "{}");
        vout_fmt(o, ",%d\r\n", GEN1_GRAPH_ID);
    }
    return vout_close(o, &g->count, e);
}

/* Executions in order of start; collects the figures of the other tables. */
static int timeline_data(struct gen1 *g, struct demo_stat *type, struct err *e)
{
    struct vout *o;
    const struct demo_step *s = &g->walk.step;
    if (gen1_open(g, &o, "output_timeline_data_", ".txt", e))
        return (int)e->code;
    vout_s(o, "op_name, stream_id, start_time(ms), duration(ms)\n");
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk)) {
        for (uint32_t i = 0; i < s->nkernel; i++) {
            const struct demo_kernel *k = &s->kernel[i];
            const struct demo_op *op = &g->run->net->op[k->op];
            if (!s->index && !i)
                g->first_ns = k->start_ns;
            if (!gen1_on_core(g, k->op))
                continue;
            vout_fmt(o, "%s,%u,", op->name, (uint32_t)op->stream);
            vout_dec(o, gen1_ticks(g, k->start_ns), 5);
            vout_c(o, ',');
            vout_dec(o, k->dur_ns / 10, 5);
            vout_c(o, '\n');
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
    return vout_close(o, &g->count, e);
}

static int compute_time(struct gen1 *g, struct err *e)
{
    struct vout *text = NULL, *detail = NULL, *done;
    const struct demo_net *n = g->run->net;
    if (gen1_open(g, &text, "output_op_compute_time_", ".txt", e) ||
        gen1_open(g, &detail, "aicore_intermediate_", "_detail.csv", e))
        goto out;
    vout_s(text, "====================op compute time====================\nop_name       "
                 "compute_time(ms) stream_id\n"
                 "------------  ---------------  ---------\n");
    vout_s(detail, "full_op_name,execution_time\r\n");
    for (uint32_t i = 0; i < g->norder; i++) {
        const struct demo_op *op = &n->op[g->order[i]];
        double avg = gen1_avg_ms(g, g->order[i]);
        g->sum_avg_ms += avg;
        vout_fmt(text, "%s %r  %u\n", op->name, avg, (uint32_t)op->stream);
        vout_fmt(detail, "%s,%r\r\n", op->name, avg);
    }
    vout_fmt(text, "total op  %r 0\n", g->sum_avg_ms);
    done = text;
    text = NULL;
    if (vout_close(done, &g->count, e))
        goto out;
    done = detail;
    detail = NULL;
    if (vout_close(done, &g->count, e))
        goto out;
out:
    vout_drop(text);
    vout_drop(detail);
    return (int)e->code;
}

/* Sums of the averages as printed, by type in order of first execution. */
static int type_table(struct gen1 *g, struct err *e)
{
    struct vout *o;
    const struct demo_net *n = g->run->net;
    bool seen[DEMO_TYPES_MAX] = { false };
    if (gen1_open(g, &o, "aicore_intermediate_", "_type.csv", e))
        return (int)e->code;
    vout_s(o, "op_type,execution_time,execution_frequency,percent\r\n");
    for (uint32_t i = 0; i < g->norder; i++) {
        uint16_t type = n->op[g->order[i]].type;
        struct g1_decimal sum = { 0 };
        char text[G1_DECIMAL_TEXT];
        double value = 0;
        uint32_t count = 0;
        if (seen[type])
            continue;
        seen[type] = true;
        for (uint32_t j = i; j < g->norder; j++)
            if (n->op[g->order[j]].type == type) {
                struct g1_decimal avg = g1_decimal_of(gen1_avg_ms(g, g->order[j]));
                sum = count ? g1_decimal_add(sum, avg) : avg;
                value += gen1_avg_ms(g, g->order[j]);
                count++;
            }
        vout_fmt(o, "%s,", demo_type_at(type)->name);
        vout_str(o, g1_decimal_text(sum, text));
        vout_fmt(o, ",%u,", count);
        vout_fixed(o, demo_round(value / g->sum_avg_ms * 100, 2), 2);
        vout_s(o, "\r\n");
    }
    return vout_close(o, &g->count, e);
}

struct gen1_aicpu gen1_aicpu_of(const struct gen1 *g, const struct demo_kernel *k)
{
    int64_t start = gen1_ticks(g, k->start_ns), us = k->dur_ns / 1000, dispatch = 18 + us / 8;
    return (struct gen1_aicpu){ .start = start,
                                .end = gen1_ticks(g, k->start_ns + k->dur_ns),
                                .start_us = start / 100,
                                .end_us = start / 100 + us,
                                .dispatch_us = dispatch,
                                .total_us = us + dispatch + 2 };
}

static int aicpu(struct gen1 *g, struct err *e)
{
    struct vout *o;
    const struct demo_step *s = &g->walk.step;
    uint32_t serial = 0;
    if (gen1_open(g, &o, "aicpu_intermediate_", ".csv", e))
        return (int)e->code;
    vout_s(o,
           "serial_number,op_type,total_time,dispatch_time,execution_time,run_start,run_end\r\n");
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk))
        for (uint32_t i = 0; i < s->nkernel; i++) {
            const struct demo_kernel *k = &s->kernel[i];
            struct gen1_aicpu a = gen1_aicpu_of(g, k);
            if (gen1_on_core(g, k->op))
                continue;
            vout_fmt(o, "%u,%s,", ++serial, g->run->net->op[k->op].leaf);
            vout_dec(o, a.total_us, 3);
            vout_c(o, ',');
            vout_dec(o, a.dispatch_us, 3);
            vout_c(o, ',');
            vout_dec(o, a.end_us - a.start_us, 3);
            vout_c(o, ',');
            vout_dec(o, a.start, 2);
            vout_c(o, ',');
            vout_dec(o, a.end, 2);
            vout_s(o, "\r\n");
            g->aicpu_ms += (double)a.total_us / 1000;
            g->sum->aicpu++;
        }
    return vout_close(o, &g->count, e);
}

int gen1_ops(struct gen1 *g, struct err *e)
{
    struct demo_stat *type = calloc(demo_type_count(), sizeof *type);
    if (!type)
        return err_nomem(e);
    if (!framework_raw(g, e) && !timeline_data(g, type, e) && !compute_time(g, e) &&
        !type_table(g, e) && !aicpu(g, e))
        for (uint32_t i = 0; i < demo_type_count(); i++)
            if (type[i].count)
                g->sum->type[g->sum->ntypes++] =
                    (struct demo_type_sum){ demo_type_at(i)->name, type[i].count, type[i].sum_ns };
    free(type);
    return (int)e->code;
}
