/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data pipeline as the job leaves it, the same in all versions of MindSpore
 * (doc/formats/mindspore1.md#pipeline_profiling to #device_queue_profiling).
 */
#include "config.h"

#include <stdio.h>

#include "demo/demo_data.h"

/* Where the files go, and the number in their names. */
struct place {
    const char *dir;
    int number;
    struct emit_count *count;
};

static int open_file(const struct place *at, struct emit **o, const char *stem, const char *end,
                     struct err *e)
{
    char name[64];
    snprintf(name, sizeof name, "%s_%d.%s", stem, at->number, end);
    return emit_open(o, at->dir, name, e);
}

static int pipeline_profiling(const struct demo_pipe *p, const struct place *at, struct err *e)
{
    struct emit *o;
    if (open_file(at, &o, "pipeline_profiling", "json", e))
        return e->code;
    emit_fmt(o, "{\"sampling_interval\": %d, \"op_info\": [", DEMO_PIPE_PERIOD_MS);
    for (int i = 0; i < DEMO_PIPE_OPS; i++) {
        const struct demo_pipe_op *d = &demo_pipe_ops[i];
        emit_fmt(o,
                 "%s{\"op_id\": %d, \"op_type\": \"%sOp\", \"num_workers\": %d, \"metrics\": ", i ? ", " : "",
                 i, d->name, d->workers);
        if (d->queue) {
            emit_s(o, "{\"output_queue\": {\"size\": [");
            for (uint64_t k = 0; k < p->samples; k++)
                emit_fmt(o, "%s%d", k ? ", " : "", demo_pipe_fill(p, i, k));
            emit_fmt(o, "], \"length\": %d}}", d->queue);
        } else {
            emit_s(o, "null");
        }
        if (i + 1 < DEMO_PIPE_OPS)
            emit_fmt(o, ", \"children\": [%d]}", i + 1);
        else
            emit_s(o, ", \"children\": null}");
    }
    emit_s(o, "]}");
    return emit_close(o, at->count, e);
}

enum series { TIME, SWITCHES, IDLE, IO, SYS, USER, RUNNABLE };

static void put_series(struct emit *o, const struct demo_pipe *p, const char *key, enum series what, int op)
{
    emit_fmt(o, "\"%s\": [", key);
    for (uint64_t k = 0; k < p->samples; k++) {
        int user = demo_pipe_user(p, op, k), sys = demo_pipe_sys(p, op, k);
        int64_t v[] = { [TIME] = (int64_t)k * DEMO_PIPE_PERIOD_MS,
                        [SWITCHES] = 260 + user * 31,
                        [IDLE] = 100 - user - sys,
                        [IO] = 0,
                        [SYS] = sys,
                        [USER] = user,
                        [RUNNABLE] = 2 + user / 2 };
        emit_fmt(o, "%s%i", k ? ", " : "", v[what]);
    }
    emit_c(o, ']');
}

static int cpu_utilization(const struct demo_pipe *p, const struct place *at, struct err *e)
{
    struct emit *o;
    if (open_file(at, &o, "minddata_cpu_utilization", "json", e))
        return e->code;
    emit_fmt(o, "{\"cpu_processor_num\": 96, \"sampling_interval\": %d, ", DEMO_PIPE_PERIOD_MS);
    put_series(o, p, "time_stamp", TIME, -1);
    emit_s(o, ", \"device_info\": {");
    put_series(o, p, "context_switch_count", SWITCHES, -1);
    emit_s(o, ", ");
    put_series(o, p, "idle_utilization", IDLE, -1);
    emit_s(o, ", ");
    put_series(o, p, "io_utilization", IO, -1);
    emit_s(o, ", ");
    put_series(o, p, "sys_utilization", SYS, -1);
    emit_s(o, ", ");
    put_series(o, p, "user_utilization", USER, -1);
    emit_s(o, ", ");
    put_series(o, p, "runnable_process", RUNNABLE, -1);
    emit_s(o, "}, \"op_info\": [");
    for (int i = 0; i < DEMO_PIPE_OPS; i++) {
        emit_fmt(o, "%s{\"op_id\": %d, \"metrics\": {", i ? ", " : "", i);
        put_series(o, p, "user_utilization", USER, i);
        emit_s(o, ", ");
        put_series(o, p, "sys_utilization", SYS, i);
        emit_s(o, "}}");
    }
    emit_s(o, "], \"process_info\": {");
    put_series(o, p, "user_utilization", USER, -1);
    emit_s(o, ", ");
    put_series(o, p, "sys_utilization", SYS, -1);
    emit_s(o, "}}");
    return emit_close(o, at->count, e);
}

/* type extra batch value stamp: 0 0 waiting for the pipeline, 0 1 pushing, 0 2 both, 1 capacity fill */
static int device_queue(const struct demo_pipe *p, const struct place *at, struct err *e)
{
    struct emit *o;
    int64_t ms = 5000;
    if (open_file(at, &o, "device_queue_profiling", "txt", e))
        return e->code;
    for (uint64_t b = 1; b <= p->batches; b++) {
        struct demo_batch x = demo_batch_at(p, b);
        ms += x.pipeline_ms + x.push_ms;
        emit_fmt(o, "0 0 %U %d %i\n0 1 %U %d %i\n0 2 %U %d %i\n1 %d %U %d %i\n", b, x.pipeline_ms, ms, b,
                 x.push_ms, ms, b, x.pipeline_ms + x.push_ms, ms, DEMO_QUEUE_CAPACITY, b, x.fill, ms);
    }
    return emit_close(o, at->count, e);
}

int demo_pipe_write_raw(const struct demo_pipe *p, const char *dir, int number, struct emit_count *c,
                        struct err *e)
{
    const struct place at = { dir, number, c };
    if (pipeline_profiling(p, &at, e) || cpu_utilization(p, &at, e))
        return e->code;
    return device_queue(p, &at, e);
}
