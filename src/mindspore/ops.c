/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks of the device: HWTS records as text, and the executions and mean times of ops
 * (doc/formats/mindspore1.md#output_format_data_hwts, #op-executions). Records are written while they are
 * read; only the paired ones are kept.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "base/grow.h"
#include "mindspore/run.h"
#include "parsers/mindspore/records/hwts_records.h"
#include "parsers/mindspore/task_pairs.h"

#define TICKS_PER_MS 100000.0

/* An op while its executions are counted. */
struct op {
    uint32_t name; /* text of the run */
    uint32_t stream;
    struct task_key key; /* of the first execution: only those of the same task are counted */
    double total_ms;
    uint64_t count;
};
struct event {
    double start_ms, dur_ms;
    uint32_t op, no; /* index in ops; index among all events */
};

struct reader {
    struct mindspore_run *r;
    struct emit *o;
    struct task_turns turns;
    bool wraps;              /* task numbers begin anew */
    struct task_pairs pairs; /* of ops, by their names */
    struct task_key key;     /* of the last start */
    double min_ticks;        /* INFINITY: none */
    uint32_t *op_of;         /* by text of the run: 1 + number in ops */
    struct op *ops;
    struct event *events;
    size_t n_ops, cap_ops, n_events, cap_events;
};

/* ---- one record as text ---- */

static const struct str type_words[N_HWTS_TYPES] = {
    [HWTS_TASK_START] = STR("Start of task  "),  [HWTS_TASK_END] = STR("End of task    "),
    [HWTS_BLOCK_START] = STR("Start of block "), [HWTS_BLOCK_END] = STR("End of block   "),
    [HWTS_BLOCK_PMU] = STR("Block PMU      "),
};

static void put_wide(struct emit *o, struct str s, size_t width)
{
    static const char blanks[] = "                ";

    emit_str(o, s);
    if (s.n < width)
        emit_n(o, blanks, width - s.n);
    emit_c(o, ' ');
}

static void put_number(struct emit *o, uint64_t v, size_t width)
{
    char t[24];

    put_wide(o, str_of(emit_number(v, t)), width);
}

static void put_record(struct emit *o, const struct hwts_record *v, const struct task_key *key)
{
    char t[48];
    size_t n = mindspore_key_text(key, t);

    emit_str(o, type_words[v->type]);
    put_number(o, v->count, 4);
    put_number(o, v->core, 8);
    put_number(o, v->block, 9);
    put_wide(o, (struct str){ t, n < sizeof t ? n : sizeof t }, 8);
    if (v->has_ticks)
        put_number(o, v->ticks, 15);
    else
        put_wide(o, STR("None"), 15);
    emit_u(o, v->stream);
    emit_c(o, '\n');
}

/* ---- pairs ---- */

static struct op *op_of(struct reader *x, const struct task_pairs_mark *start, struct err *e)
{
    struct op *ops;

    if (!x->op_of[start->task]) {
        ops = grow_array(x->ops, x->n_ops, &x->cap_ops, sizeof *ops, 1024);
        if (ops)
            x->ops = ops;
        if (!ops || x->n_ops >= UINT32_MAX - 1) {
            err_nomem(e);
            return NULL;
        }
        ops[x->n_ops++] = (struct op){ .name = start->task, .stream = start->stream, .key = x->key };
        x->op_of[start->task] = (uint32_t)x->n_ops;
    }
    return &x->ops[x->op_of[start->task] - 1];
}

static int add_event(struct reader *x, const struct task_pairs_mark *start, const struct task_pairs_mark *end,
                     struct err *e)
{
    double from = (double)start->ticks, dur = (double)end->ticks - from;
    struct op *op = op_of(x, start, e);
    struct event *v = op ? grow_array(x->events, x->n_events, &x->cap_events, sizeof *v, 4096) : NULL;

    if (v)
        x->events = v;
    if (!v || x->n_events >= UINT32_MAX)
        return err_nomem(e);
    op->total_ms += dur / TICKS_PER_MS;
    op->count += op->key.task == x->key.task && op->key.stream == x->key.stream;
    v[x->n_events] = (struct event){ from / TICKS_PER_MS, dur / TICKS_PER_MS, (uint32_t)(op - x->ops),
                                     (uint32_t)x->n_events };
    x->n_events++;
    if (from < x->min_ticks && !str_starts(intern_get(x->r->texts, start->task), STR("assign")))
        x->min_ticks = from;
    return OK;
}

/*
 * An execution is a start and the end directly after it, of the same op; records whose task has no op are
 * left out.
 */
static int add_mark(struct reader *x, const struct hwts_record *v, const struct task_key *key, struct err *e)
{
    uint32_t i = task_keys_find(x->r->keys, v->stream, key->task);
    struct task_pairs_mark start;

    if (i == TASK_KEYS_NONE)
        return OK;
    struct task_pairs_mark m = { .task = task_keys_value(x->r->keys, i),
                                 .end = v->type == HWTS_TASK_END,
                                 .ticks = v->ticks,
                                 .stream = v->stream };
    if (!m.end)
        x->key = *key;
    return task_pairs_add(&x->pairs, &m, &start, e) ? add_event(x, &start, &m, e) : e->code;
}

static int on_record(void *arg, const struct hwts_record *v, struct err *e)
{
    struct reader *x = arg;
    uint64_t task = v->task;

    if (x->wraps && task_turns_next(&x->turns, v->stream, &task, e))
        return e->code;
    struct task_key key = task_key_of(x->r->rules->short_key, v->stream, task);
    put_record(x->o, v, &key);
    if (v->type == HWTS_TASK_START || v->type == HWTS_TASK_END)
        return add_mark(x, v, &key, e);
    return OK;
}

static int read_records(struct reader *x, struct parse_ctx *c, struct err *e)
{
    struct mindspore_run *r = x->r;

    if (mindspore_open(r, &x->o, "output_format_data_hwts_", ".txt", e))
        return e->code;
    mindspore_title(x->o, "45 HWTS data");
    emit_s(x->o, "Type           cnt  Core_ID  Block_ID  Task_ID  Cycle_counter   Stream_ID\n");
    if (hwts_records_read(c, on_record, x, e) == OK)
        emit_c(x->o, '\n');
    return mindspore_close(r, x->o, e);
}

/* ---- results ---- */

static int keep_ops(struct reader *x, struct err *e)
{
    struct mindspore_run *r = x->r;
    struct mindspore_op *ops = arena_array(r->a, x->n_ops + 1, sizeof *ops);

    if (!ops)
        return err_nomem(e);
    for (size_t i = 0; i < x->n_ops; i++) {
        const struct op *v = &x->ops[i];
        struct str full = intern_get(r->texts, v->name);
        ops[i] = (struct mindspore_op){ .full = full,
                                        .avg_ms = v->total_ms / (double)v->count,
                                        .count = v->count,
                                        .stream = v->stream,
                                        .info = mindspore_info(r, full) };
    }
    r->ops = ops;
    r->n_ops = x->n_ops;
    return OK;
}

/* By start; equal starts by op, then in the order of the records. */
static int event_cmp(const void *a, const void *b)
{
    const struct event *x = a, *y = b;

    if (x->start_ms != y->start_ms)
        return x->start_ms < y->start_ms ? -1 : 1;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    return x->no < y->no ? -1 : x->no > y->no;
}

static int keep_execs(struct reader *x, struct err *e)
{
    struct mindspore_run *r = x->r;
    struct mindspore_exec *execs = arena_array(r->a, x->n_events + 1, sizeof *execs);
    struct str *streams = arena_array(r->a, x->n_ops + 1, sizeof *streams);
    char t[24];

    if (!execs || !streams)
        return err_nomem(e);
    for (size_t i = 0; i < x->n_ops; i++) {
        streams[i] = mindspore_text(r, str_of(emit_number(x->ops[i].stream, t)));
        if (!streams[i].p)
            return err_nomem(e);
    }
    if (x->n_events)
        qsort(x->events, x->n_events, sizeof *x->events, event_cmp);
    for (size_t i = 0; i < x->n_events; i++) {
        const struct event *v = &x->events[i];
        execs[i] = (struct mindspore_exec){ r->ops[v->op].full, streams[v->op], v->start_ms, v->dur_ms };
    }
    r->execs = execs;
    r->n_execs = x->n_events;
    r->min_cycle_ms = x->min_ticks / TICKS_PER_MS;
    return OK;
}

/* ---- files ---- */

static int write_means(struct mindspore_run *r, struct err *e)
{
    struct emit *o;
    double sum = 0;

    if (mindspore_open(r, &o, "output_op_compute_time_", ".txt", e))
        return e->code;
    mindspore_title(o, "op compute time");
    emit_s(o, "op_name       compute_time(ms) stream_id\n"
              "------------  ---------------  ---------\n");
    for (size_t i = 0; i < r->n_ops; i++) {
        const struct mindspore_op *v = &r->ops[i];
        sum += v->avg_ms;
        emit_str(o, v->full);
        emit_fmt(o, " %r  %u\n", v->avg_ms, v->stream);
    }
    emit_s(o, "total op  ");
    if (r->n_ops)
        emit_repr(o, sum);
    else
        emit_c(o, '0');
    emit_s(o, " 0\n");
    return mindspore_close(r, o, e);
}

static int write_execs(struct mindspore_run *r, struct err *e)
{
    struct emit *o;

    if (mindspore_open(r, &o, "output_timeline_data_", ".txt", e))
        return e->code;
    emit_s(o, "op_name, stream_id, start_time(ms), duration(ms)\n");
    for (size_t i = 0; i < r->n_execs; i++) {
        const struct mindspore_exec *v = &r->execs[i];
        emit_str(o, v->full);
        emit_c(o, ',');
        emit_str(o, v->stream);
        emit_fmt(o, ",%r,%r\n", v->start_ms, v->dur_ms);
    }
    return mindspore_close(r, o, e);
}

static void nothing(struct mindspore_run *r, const char *why)
{
    mindspore_no_data(r, "output_op_compute_time_", ".txt", why);
    mindspore_no_data(r, "output_timeline_data_", ".txt", why);
}

int mindspore_tasks(struct mindspore_run *r, struct err *e)
{
    bool dynamic = r->rules->wraps_dyn && r->dynamic;
    struct reader x = { .r = r,
                        .min_ticks = INFINITY,
                        .pairs = { .neighbours = true },
                        .wraps = dynamic || r->rules->wraps_big,
                        .turns = { .of_all = true, .any_number = dynamic } };
    struct parse_ctx *c = group_use(&r->job, ROLE_HWTS, 0);

    if (!c) {
        mindspore_no_data(r, "output_format_data_hwts_", ".txt", "no hwts data");
        nothing(r, "no hwts data");
        return OK;
    }
    x.op_of = arena_array(r->a, (size_t)intern_count(r->texts) + 1, sizeof *x.op_of);
    if (!x.op_of)
        return err_nomem(e);
    if (read_records(&x, c, e) == OK && keep_ops(&x, e) == OK)
        (void)keep_execs(&x, e);
    task_turns_done(&x.turns);
    task_pairs_done(&x.pairs);
    free(x.ops);
    free(x.events);
    if (e->code)
        return e->code;
    if (!task_keys_count(r->keys)) {
        nothing(r, "no Framework file names the tasks");
        return OK;
    }
    return write_means(r, e) ? e->code : write_execs(r, e);
}
