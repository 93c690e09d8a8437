/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data pipeline and its analysis files. Sentences, rules and thresholds are MindSpore's
 * (doc/formats/mindspore1.md#minddata_pipeline_summary, doc/formats/framework.md#minddata).
 */
#include "config.h"

#include "demo/demo_data.h"

#include <stdio.h>

enum { SALT_FILL = 120, SALT_CPU, SALT_BATCH };

const struct demo_pipe_op demo_pipe_ops[DEMO_PIPE_OPS] = {
    { "DeviceQueue", 1, 0, 6, 14 }, { "EpochCtrl", 1, 0, 1, 4 },        { "Batch", 2, 16, 52, 70 },
    { "Map", 8, 16, 740, 796 },     { "ImageFolder", 8, 64, 132, 168 },
};

struct demo_pipe demo_pipe_of(const struct demo_run *run, int rank, int64_t end_ns)
{
    uint64_t n = (uint64_t)(end_ns / 1000000 / DEMO_PIPE_PERIOD_MS);
    return (struct demo_pipe){
        .run = run, .rank = rank, .samples = n < 8 ? 8 : n, .batches = (uint64_t)run->o.steps + 1
    };
}

int demo_pipe_fill(const struct demo_pipe *p, int op, uint64_t k)
{
    uint64_t h = demo_hash(p->run, SALT_FILL, (uint64_t)p->rank, (uint64_t)op, k);
    switch (op) {
    case 2: /* Batch: empty about half of the time */
        return h % 100 < 52 ? 0 : (int)demo_pick(h, 1, 5);
    case 3:
        return (int)demo_pick(h, 0, 4);
    default: /* the reader is far ahead */
        return (int)demo_pick(h, 50, 64);
    }
}

int demo_pipe_user(const struct demo_pipe *p, int op, uint64_t k)
{
    uint64_t h = demo_hash(p->run, SALT_CPU, (uint64_t)p->rank, (uint64_t)(op + 1), k);
    if (op < 0)
        return (int)demo_pick(h, 9, 14);
    return (int)demo_pick(h, demo_pipe_ops[op].cpu_low, demo_pipe_ops[op].cpu_high) * 15 / 16;
}

int demo_pipe_sys(const struct demo_pipe *p, int op, uint64_t k)
{
    uint64_t h = demo_hash(p->run, SALT_CPU, (uint64_t)p->rank, (uint64_t)(op + 1), k);
    if (op < 0)
        return (int)demo_pick(h >> 20, 1, 3);
    return (int)demo_pick(h, demo_pipe_ops[op].cpu_low, demo_pipe_ops[op].cpu_high) / 16;
}

struct demo_batch demo_batch_at(const struct demo_pipe *p, uint64_t b)
{
    uint64_t h = demo_hash(p->run, SALT_BATCH, (uint64_t)p->rank, b, 0);
    struct demo_batch x = { .push_ms = (int)demo_pick(h >> 11, 1, 3) };
    bool starved = h % 100 < 51;
    x.pipeline_ms = (int)(starved ? demo_pick(h >> 23, 24, 36) : demo_pick(h >> 23, 17, 28));
    x.fill = starved ? 0 : (int)demo_pick(h >> 31, 1, 6);
    return x;
}

/* ---- figures over all samples; scaled integers, -1: none ---- */

struct figures {
    int64_t sum, empty; /* of the queue's samples */
    int64_t avg_100;    /* average rounded to two decimals, times 100 */
    int64_t util_100;   /* of the queue, percent times 100 */
    int64_t empty_100;
    int64_t cpu_100; /* average percent times 100 */
    int64_t worker_100;
};

/* v rounded to n decimals as in MindSpore (half to even of the double), times 10^n. */
static int64_t rounded(double v, int n)
{
    double scale = n == 2 ? 100 : 1000;
    return (int64_t)(emit_round(v, n) * scale + 0.5);
}

static int64_t ratio(int64_t a, int64_t b)
{
    return rounded((double)a / (double)b, 2);
}

static void figures_of(const struct demo_pipe *p, struct figures f[DEMO_PIPE_OPS])
{
    int64_t n = (int64_t)p->samples;
    for (int op = 0; op < DEMO_PIPE_OPS; op++) {
        const struct demo_pipe_op *d = &demo_pipe_ops[op];
        int64_t cpu = 0;
        f[op] = (struct figures){ .avg_100 = -100, .util_100 = -100, .empty_100 = -100 };
        for (uint64_t k = 0; k < p->samples; k++) {
            cpu += demo_pipe_user(p, op, k) + demo_pipe_sys(p, op, k);
            if (!d->queue)
                continue;
            int fill = demo_pipe_fill(p, op, k);
            f[op].sum += fill;
            f[op].empty += fill == 0;
        }
        f[op].cpu_100 = ratio(cpu, n);
        f[op].worker_100 = rounded((double)f[op].cpu_100 / 100 / d->workers, 2);
        if (d->queue) {
            f[op].avg_100 = ratio(f[op].sum, n);
            f[op].util_100 = rounded(100 * ((double)f[op].avg_100 / 100) / d->queue, 2);
            f[op].empty_100 = ratio(f[op].empty * 100, n);
        }
    }
}

/* ---- summary: one list per key, once as CSV, once as JSON ---- */

#define LINE_ITEMS 8

struct summary {
    struct emit *csv, *json;
    bool any, first; /* a key was written; the next item is the first of its list */
};

static void key(struct summary *s, const char *name)
{
    emit_s(s->csv, name);
    emit_fmt(s->json, "%s\"%s\": [", s->any ? ", " : "{", name);
    s->any = s->first = true;
}

static void end_key(struct summary *s)
{
    emit_s(s->csv, "\r\n");
    emit_c(s->json, ']');
}

static void separate(struct summary *s)
{
    emit_c(s->csv, ',');
    if (!s->first)
        emit_s(s->json, ", ");
    s->first = false;
}

static void item_text(struct summary *s, const char *text)
{
    separate(s);
    emit_cell(s->csv, text);
    emit_fmt(s->json, "\"%s\"", text);
}

static void item_int(struct summary *s, int64_t v)
{
    separate(s);
    emit_i(s->csv, v);
    emit_i(s->json, v);
}

/* v scaled by 10^digits; -100 stands for "no queue" and prints as -1 */
static void item_num(struct summary *s, int64_t v, int digits)
{
    if (digits == 2 && v == -100) {
        item_int(s, -1);
        return;
    }
    separate(s);
    emit_trim(s->csv, v, digits, 1);
    emit_trim(s->json, v, digits, 1);
}

static void item_list(struct summary *s, int op)
{
    char buf[16] = "[]";
    separate(s);
    if (op >= 0)
        snprintf(buf, sizeof buf, "[%d]", op);
    emit_s(s->csv, buf);
    emit_s(s->json, buf);
}

/* "3.25": a percentage as the sentences print it */
static const char *pct(int64_t v_100, char buf[24])
{
    int64_t frac = v_100 % 100;
    if (frac % 10 == 0)
        snprintf(buf, 24, "%lld.%lld", (long long)(v_100 / 100), (long long)(frac / 10));
    else
        snprintf(buf, 24, "%lld.%02lld", (long long)(v_100 / 100), (long long)frac);
    return buf;
}

static void label(int op, char buf[40])
{
    snprintf(buf, 40, "%s(id=%d)", demo_pipe_ops[op].name, op);
}

enum list {
    OP_IDS,
    OP_NAMES,
    PIPELINE_OPS,
    NUM_WORKERS,
    QUEUE_AVG,
    QUEUE_UTIL,
    QUEUE_EMPTY,
    CHILDREN,
    PARENT,
    CPU,
    PER_WORKER
};

static void list(struct summary *s, const struct figures *f, enum list which)
{
    static const char *const name[] = { "op_ids",
                                        "op_names",
                                        "pipeline_ops",
                                        "num_workers",
                                        "queue_average_size",
                                        "queue_utilization_pct",
                                        "queue_empty_freq_pct",
                                        "children_ids",
                                        "parent_id",
                                        "avg_cpu_pct",
                                        "avg_cpu_pct_per_worker" };
    char buf[40];
    key(s, name[which]);
    for (int i = 0; i < DEMO_PIPE_OPS; i++) {
        label(i, buf);
        switch (which) {
        case OP_IDS:
            item_int(s, i);
            break;
        case OP_NAMES:
            item_text(s, demo_pipe_ops[i].name);
            break;
        case PIPELINE_OPS:
            item_text(s, buf);
            break;
        case NUM_WORKERS:
            item_int(s, demo_pipe_ops[i].workers);
            break;
        case QUEUE_AVG:
            item_num(s, f[i].avg_100, 2);
            break;
        case QUEUE_UTIL:
            item_num(s, f[i].util_100, 2);
            break;
        case QUEUE_EMPTY:
            item_num(s, f[i].empty_100, 2);
            break;
        case CHILDREN:
            item_list(s, i + 1 < DEMO_PIPE_OPS ? i + 1 : -1);
            break;
        case PARENT:
            item_int(s, i - 1);
            break;
        case CPU:
            item_num(s, f[i].cpu_100, 2);
            break;
        case PER_WORKER:
            item_num(s, f[i].worker_100, 2);
            break;
        }
    }
    end_key(s);
}

/* Means over the batches from the second on. */
static void batch_times(const struct demo_pipe *p, struct summary *s)
{
    int64_t sum[3] = { 0 }, n = 0;
    for (uint64_t b = 2; b <= p->batches; b++, n++) {
        struct demo_batch x = demo_batch_at(p, b);
        sum[0] += x.pipeline_ms;
        sum[1] += x.push_ms;
        sum[2] += x.pipeline_ms + x.push_ms;
    }
    static const char *const by_gen[2][3] = {
        { "per_batch_time", "per_pipeline_time", "per_push_queue_time" },
        { "per_pipeline_time", "per_push_queue_time", "per_batch_time" }
    };
    static const int sum_by_gen[2][3] = { { 2, 0, 1 }, { 0, 1, 2 } };
    int gen = p->run->o.gen - 1;
    for (int i = 0; i < 3; i++) {
        key(s, by_gen[gen][i]);
        item_num(s, rounded((double)sum[sum_by_gen[gen][i]] / (double)n, 3), 3);
        end_key(s);
    }
}

/* The next op down the tree that has a queue; -1: none. */
static int input_of(int op)
{
    for (int i = op + 1; i < DEMO_PIPE_OPS; i++)
        if (demo_pipe_ops[i].queue)
            return i;
    return -1;
}

static bool judged(int op)
{
    return op != 1; /* EpochCtrl and similar ops are left out */
}

static bool cpu_details(struct summary *s, const struct figures *f, bool write)
{
    char text[256], name[40], v[24];
    bool any = false;
    for (int i = 0; i < DEMO_PIPE_OPS; i++) {
        int w = demo_pipe_ops[i].workers;
        bool high = f[i].worker_100 > 7500, low = f[i].worker_100 < 2000 && w > 1;
        if (!judged(i) || (!high && !low))
            continue;
        any = true;
        label(i, name);
        if (high)
            snprintf(text, sizeof text,
                     "%s is using %s%% CPU per worker. Setting num_parallel_workers>%d might bring "
                     "extra performance.",
                     name, pct(f[i].worker_100, v), w);
        else
            snprintf(text, sizeof text,
                     "%s is using %s%% CPU per worker. Using num_parallel_workers=%d might not "
                     "bring as much benefit due to "
                     "low CPU usage per worker.",
                     name, pct(f[i].worker_100, v), w);
        if (write)
            item_text(s, text);
    }
    return any;
}

static bool queue_details(struct summary *s, const struct figures *f, bool write, int gen)
{
    char text[400], name[40], child[40], v[24], u[24];
    bool any = false;
    for (int i = 0; i < DEMO_PIPE_OPS; i++) {
        int in = input_of(i);
        text[0] = '\0';
        label(i, name);
        if (!judged(i) || i == 2)
            continue;
        if (i == 0 && in >= 0 && f[in].empty_100 > 6000)
            snprintf(text, sizeof text,
                     "%s's input queue is empty %s%% of the time. This might indicate dataset "
                     "bottlenecks. Hence host cannot keep up with "
                     "the device %s%% of the time. Device waits whenever input queue is empty.",
                     name, pct(f[in].empty_100, v), v);
        else if (in < 0 && f[i].util_100 < 5000)
            snprintf(text, sizeof text,
                     "Leaf op %s is using %s%% of its output queue.%sSetting "
                     "num_parallel_workers>%d might speed up I/O.",
                     name, pct(f[i].util_100, v), gen == 2 ? " " : "", demo_pipe_ops[i].workers);
        else if (i && in >= 0 && f[in].util_100 - f[i].util_100 > 5000) {
            label(in, child);
            snprintf(text, sizeof text,
                     "%s's input queue usage=%s%% is greater output queue usage=%s%%. This "
                     "indicates child op %s might be producing "
                     "faster than its parent %s can consume. If this op has low CPU utilization, "
                     "try increasing prefetch_size or "
                     "increasing num_workers.",
                     name, pct(f[in].util_100, v), pct(f[i].util_100, u), child, name);
        }
        if (!*text)
            continue;
        any = true;
        if (write)
            item_text(s, text);
    }
    return any;
}

/* From the highest id down, the last candidate wins. */
static int bottleneck(const struct figures *f)
{
    int found = -1;
    for (int i = DEMO_PIPE_OPS; i-- > 1;) {
        int in = input_of(i);
        bool odd = in >= 0 && (f[in].util_100 < 1000 || f[i].util_100 - f[in].util_100 > 5000);
        if (judged(i) && (f[i].worker_100 > 7500 || (f[i].worker_100 < 2000 && odd)))
            found = i;
    }
    return found;
}

static void put_bottleneck(struct summary *s, const struct figures *f)
{
    int i = bottleneck(f);
    char text[256], name[40], v[24];
    if (i < 0)
        return;
    label(i, name);
    key(s, "bottleneck_warning");
    item_text(s, name);
    end_key(s);
    if (f[i].worker_100 > 7500)
        snprintf(text, sizeof text,
                 "%s has high CPU utilization per worker of %s%% Try increasing "
                 "num_parallel_workers above %d.",
                 name, pct(f[i].worker_100, v), demo_pipe_ops[i].workers);
    else
        snprintf(text, sizeof text,
                 "%s has low CPU utilization per worker of %s%% and abnormal queue usage. Try "
                 "increasing prefetch_size.",
                 name, pct(f[i].worker_100, v));
    key(s, "bottleneck_suggestion");
    item_text(s, text);
    end_key(s);
}

static void put_summary(const struct demo_pipe *p, const struct figures *f, struct summary *s)
{
    /* generation 1 begins with pipeline_ops, generation 2 with op_ids */
    static const enum list head[2][3] = { { PIPELINE_OPS, OP_NAMES, OP_IDS },
                                          { OP_IDS, OP_NAMES, PIPELINE_OPS } };
    int gen = p->run->o.gen;
    for (int i = 0; i < 3; i++)
        list(s, f, head[gen - 1][i]);
    for (int i = NUM_WORKERS; i <= CPU; i++)
        list(s, f, (enum list)i);
    batch_times(p, s);
    list(s, f, PER_WORKER);
    if (cpu_details(s, f, false)) {
        key(s, "cpu_analysis_details");
        cpu_details(s, f, true);
        end_key(s);
    }
    if (queue_details(s, f, false, gen)) {
        key(s, "queue_analysis_details");
        queue_details(s, f, true, gen);
        end_key(s);
    }
    put_bottleneck(s, f);
    emit_c(s->json, '}');
}

static void put_raw(const struct demo_pipe *p, const struct figures *f, struct emit *o)
{
    emit_s(o, "op_id,op_type,num_workers,output_queue_size,output_queue_average_size,output_"
              "queue_length,output_queue_usage_rate,"
              "sample_interval,parent_id,children_id\r\n");
    int parent = -1;
    for (int i = 0; i < DEMO_PIPE_OPS; i++) {
        const struct demo_pipe_op *d = &demo_pipe_ops[i];
        int child = input_of(i);
        if (i && !d->queue)
            continue; /* its children take its position */
        emit_fmt(o, "%d,%sOp,%d,", i, d->name, d->workers);
        if (d->queue) {
            double mean = (double)f[i].sum / (double)p->samples;
            emit_s(o, "\"[");
            for (uint64_t k = 0; k < p->samples; k++)
                emit_fmt(o, "%s%d", k ? ", " : "", demo_pipe_fill(p, i, k));
            emit_fmt(o, "]\",%r,%d,%r,", mean, d->queue, mean / d->queue);
        } else {
            emit_s(o, ",,,,");
        }
        emit_fmt(o, "%d,", DEMO_PIPE_PERIOD_MS);
        if (parent >= 0)
            emit_i(o, parent);
        emit_c(o, ',');
        if (child >= 0)
            emit_fmt(o, "[%d]", child);
        emit_s(o, "\r\n");
        parent = i;
    }
}

int demo_pipe_write(const struct demo_pipe *p, const char *dir, struct emit_count *c, struct err *e)
{
    struct summary s = { NULL, NULL, false, false };
    struct emit *raw = NULL, *f[3];
    struct figures fig[DEMO_PIPE_OPS];
    char name[3][64];
    snprintf(name[0], sizeof name[0], "minddata_pipeline_raw_%d.csv", p->rank);
    snprintf(name[1], sizeof name[1], "minddata_pipeline_summary_%d.csv", p->rank);
    snprintf(name[2], sizeof name[2], "minddata_pipeline_summary_%d.json", p->rank);
    if (emit_open(&raw, dir, name[0], e) || emit_open(&s.csv, dir, name[1], e) ||
        emit_open(&s.json, dir, name[2], e)) {
        emit_drop(raw);
        emit_drop(s.csv);
        return e->code;
    }
    figures_of(p, fig);
    put_raw(p, fig, raw);
    put_summary(p, fig, &s);
    f[0] = raw;
    f[1] = s.csv;
    f[2] = s.json;
    for (int i = 0; i < 3; i++) /* all are closed; the first error stays in e */
        if (emit_close(f[i], c, e))
            continue;
    return e->code;
}
