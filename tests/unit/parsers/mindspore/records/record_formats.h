/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The raw formats of generation 1 as a table: how a file of twelve records is made, and how it is read. For
 * tests of what damage costs them.
 */
#ifndef NPUSCOPE_TESTS_UNIT_PARSERS_MINDSPORE_RECORDS_RECORD_FORMATS_H
#define NPUSCOPE_TESTS_UNIT_PARSERS_MINDSPORE_RECORDS_RECORD_FORMATS_H

#include "parsers/mindspore/memory_plan.h"
#include "parsers/mindspore/records/aicore_records.h"
#include "parsers/mindspore/records/aicpu_records.h"
#include "parsers/mindspore/records/aicpumi_text.h"
#include "parsers/mindspore/records/framework_records.h"
#include "parsers/mindspore/records/framework_text.h"
#include "parsers/mindspore/records/hccl_trace.h"
#include "parsers/mindspore/records/hwts_records.h"
#include "parsers/mindspore/records/mark_records.h"
#include "parsers/parsers.h"
#include "tests/unit/parsers/mindspore/pb_case.h"
#include "tests/unit/parsers/mindspore/records/record_case.h"

#define RECORDS 12

struct fixture {
    unsigned char p[RECORDS * FW_B];
    size_t n, at[RECORDS + 1]; /* where records begin; at[RECORDS]: the end of the last one */
};

/* What a reader gave: a line for each record. */
struct seen {
    struct buf text;
    size_t n;
};

#define LINE(s, ...) ((s)->n++, buf_printf(&(s)->text, __VA_ARGS__), buf_addc(&(s)->text, '\n'))

static void end_record(struct fixture *x, size_t i)
{
    x->at[i + 1] = x->n;
}

static void add_text(struct fixture *x, size_t i, const char *text, size_t n)
{
    memcpy(x->p + x->n, text, n);
    x->n += n;
    end_record(x, i);
}

#define ADD(x, i, ...)                                                                                       \
    do {                                                                                                     \
        char add_line[400];                                                                                  \
        int add_n = snprintf(add_line, sizeof add_line, __VA_ARGS__);                                        \
        add_text(x, i, add_line, (size_t)add_n);                                                             \
    } while (0)

/* ---- records ---- */

static void make_hwts(struct fixture *x, size_t i)
{
    hwts_put(x->p + x->n, i % 2, 100 + (unsigned)i / 2, 9, 1000 + 10 * i);
    x->n += HWTS_B;
    end_record(x, i);
    hwts_number(x->p, i + 1);
}

static int on_hwts(void *arg, const struct hwts_record *r, struct err *e)
{
    (void)e;
    LINE((struct seen *)arg, "%d %u %u %u %llu", (int)r->type, r->task, r->stream, r->block,
         (unsigned long long)r->ticks);
    return OK;
}

static int read_hwts(struct parse_ctx *c, struct seen *s, struct err *e)
{
    return hwts_records_read(c, on_hwts, s, e);
}

static void make_tasks(struct fixture *x, size_t i)
{
    char name[40];

    snprintf(name, sizeof name, "Default/Mul-op%zu", i);
    fw_task_put(x->p + x->n, false, name, 0, "Mul", 0, 4, (uint32_t)i + 1);
    x->n += FW_B;
    end_record(x, i);
}

static int on_task(void *arg, const struct framework_record_task *t, struct err *e)
{
    (void)e;
    LINE((struct seen *)arg, "%.*s %.*s %u %u", (int)t->op.n, t->op.p, (int)t->type.n, t->type.p, t->stream,
         t->task);
    return OK;
}

static int read_tasks(struct parse_ctx *c, struct seen *s, struct err *e)
{
    return framework_records_tasks(c, NULL, on_task, s, e);
}

static void make_tensors(struct fixture *x, size_t i)
{
    fw_tensor_put(x->p + x->n, 4, (uint32_t)i + 1, i % 2, 1 + i % 5, 200);
    x->n += FW_B;
    end_record(x, i);
}

static int on_tensors(void *arg, const struct framework_record_tensors *v, struct err *e)
{
    (void)e;
    LINE((struct seen *)arg, "%u %u %zu %u", v->stream, v->task, v->n, v->n ? v->t[0].dims[1] : 0);
    return OK;
}

static int read_tensors(struct parse_ctx *c, struct seen *s, struct err *e)
{
    return framework_records_tensors(c, on_tensors, s, e);
}

static void make_names(struct fixture *x, size_t i)
{
    ADD(x, i, "%zu:Default/Mul-op%zu\n", 1000000007 * (i + 1), i);
}

static int read_names(struct parse_ctx *c, struct seen *s, struct err *e)
{
    struct framework_names *n;

    if (framework_names_new(&n, e) == OK)
        (void)!framework_records_names(c, n, e);
    framework_names_free(n);
    s->n = (size_t)c->rows;
    return e->code;
}

static void make_ts(struct fixture *x, size_t i)
{
    static const unsigned tags[] = { 2, 3, 10000, 10001, 4 };

    ts_put(x->p + x->n, tags[i % ARRAY_LEN(tags)], 8, (unsigned)i, 100 + i);
    x->n += TS_B;
    end_record(x, i);
}

static int on_mark(void *arg, const struct step_mark *m, struct err *e)
{
    (void)e;
    LINE((struct seen *)arg, "%d %llu %u %u %llu", (int)m->kind, (unsigned long long)m->tag, m->stream,
         m->task, (unsigned long long)m->ticks);
    return OK;
}

static int read_ts(struct parse_ctx *c, struct seen *s, struct err *e)
{
    return mark_records_ts_track(c, on_mark, s, e);
}

/* 65535 ends a step in the first half too: the version does not hang on one record alone. */
static void make_trace(struct fixture *x, size_t i)
{
    static const unsigned tags[] = { 1, 3, 65535, 4, 65535, 2 };

    trace_put(x->p + x->n, tags[i % ARRAY_LEN(tags)], 8, (unsigned)i, 100 + i);
    x->n += TRACE_B;
    end_record(x, i);
}

static int read_trace(struct parse_ctx *c, struct seen *s, struct err *e)
{
    return mark_records_training_trace(c, on_mark, s, e);
}

static void make_aicpu(struct fixture *x, size_t i)
{
    aicpu_put(x->p + x->n, 5, (unsigned)i, 10000 * (i + 1));
    x->n += AICPU_B;
    end_record(x, i);
}

static int on_aicpu(void *arg, const struct aicpu_task *t, struct err *e)
{
    (void)e;
    LINE((struct seen *)arg, "%.*s %lld %lld %lld %lld", (int)t->name.n, t->name.p ? t->name.p : "",
         (long long)t->stream, (long long)t->task, (long long)t->start_us, (long long)t->end_us);
    return OK;
}

static int read_aicpu(struct parse_ctx *c, struct seen *s, struct err *e)
{
    return aicpu_records_read(c, on_aicpu, s, e);
}

static void make_aicore(struct fixture *x, size_t i)
{
    aicore_put(x->p + x->n, 4, (unsigned)i, i + 1);
    x->n += AICORE_B;
    end_record(x, i);
}

static int on_aicore(void *arg, const struct aicore_record *a, struct err *e)
{
    (void)e;
    LINE((struct seen *)arg, "%u %u %llu", a->stream, a->task, (unsigned long long)a->counter[0]);
    return OK;
}

static int read_aicore(struct parse_ctx *c, struct seen *s, struct err *e)
{
    return aicore_records_read(c, on_aicore, s, e);
}

/* ---- texts ---- */

static void make_fw_tasks(struct fixture *x, size_t i)
{
    ADD(x, i, "Default/Mul-op%zu 8 %zu 3\n", i, i + 1);
}

static int on_fw_task(void *arg, const struct framework_task *t, struct err *e)
{
    (void)e;
    LINE((struct seen *)arg, "%.*s %u %u", (int)t->op.n, t->op.p, t->task, t->stream);
    return OK;
}

static int read_fw_tasks(struct parse_ctx *c, struct seen *s, struct err *e)
{
    return framework_text_tasks(c, on_fw_task, s, e);
}

static void make_fw_ops(struct fixture *x, size_t i)
{
    ADD(x, i,
        "op_name:Default/Add-op%zu op_type:Add input_id:0 input_format:NCHW input_data_type:40 "
        "input_shape:\"1,%zu\"\n",
        i, i);
}

static int on_fw_op(void *arg, const struct framework_op *o, struct err *e)
{
    struct str shape = o->n_in ? o->in[0].shape : STR("");

    (void)e;
    LINE((struct seen *)arg, "%.*s %.*s", (int)o->name.n, o->name.p, (int)shape.n, shape.p);
    return OK;
}

static int read_fw_ops(struct parse_ctx *c, struct seen *s, struct err *e)
{
    return framework_text_ops(c, on_fw_op, s, e);
}

static void make_points(struct fixture *x, size_t i)
{
    ADD(x, i, "%zu Default/Mul-op%zu\n", i + 1, i);
}

static int on_point(void *arg, const struct framework_point *p, struct err *e)
{
    (void)e;
    LINE((struct seen *)arg, "%llu %.*s", (unsigned long long)p->tag, (int)p->op.n, p->op.p);
    return OK;
}

static int read_points(struct parse_ctx *c, struct seen *s, struct err *e)
{
    return framework_text_points(c, on_point, s, e);
}

/* A record is a node and the thread that ran it. */
static void make_aicpu_text(struct fixture *x, size_t i)
{
    ADD(x, i,
        "[%zu] Node:Mul%zu, Run start:%zu 10007, Run end:%zu 10900%cThread[ 1] process device[0]:"
        "aicpu[ 0] task end, a=1,b=2, c=3,d=4, dispatchTime=87 us, totalTime=9 us.%c",
        i, i, 100 + i, 109 + i, '\0', '\0');
}

static void make_aicpumi(struct fixture *x, size_t i)
{
    ADD(x, i, "Node:GetNext%zu, Run start:%zu, Run end:%zu, queue size:%zu%c", i, 100 + i, 109 + i, i, '\0');
}

static int on_aicpumi(void *arg, const struct aicpumi_record *r, struct err *e)
{
    (void)e;
    LINE((struct seen *)arg, "%.*s %.*s", (int)r->name.n, r->name.p, (int)r->start_us.n,
         r->start_us.p ? r->start_us.p : "");
    return OK;
}

static int read_aicpumi(struct parse_ctx *c, struct seen *s, struct err *e)
{
    return aicpumi_text_read(c, on_aicpumi, s, e);
}

/* ---- messages and documents ---- */

static void make_memory(struct fixture *x, size_t i)
{
    struct pb_text m = { .n = 0 }, field = { .n = 0 }, all = { .n = 0 };

    if (i % 2) {
        pb_put_number(&m, 1, i);
        pb_put_number(&m, 2, 100 * i);
        pb_put_text(&m, 6, "LifeLongNone");
    } else {
        pb_put_text(&m, 1, "Mul-op1");
        pb_put_number(&m, 2, i);
    }
    pb_put_message(&field, i % 2 ? 4 : 3, &m);
    memcpy(x->p + x->n, field.p, field.n);
    x->n += field.n;
    end_record(x, i);
    if (i < RECORDS - 1)
        return;
    /* the graph around them */
    pb_put_bytes(&all, 1, x->p, x->n);
    size_t head = all.n - x->n;
    memcpy(x->p, all.p, all.n);
    x->n = all.n;
    for (size_t k = 0; k <= RECORDS; k++)
        x->at[k] += head;
}

/* Nodes and tensors in turns, as the file has them; both kinds lose their last ones when it is cut. */
static int read_memory(struct parse_ctx *c, struct seen *s, struct err *e)
{
    struct memory_plan m;

    if (memory_plan_read(c, &m, e) || !m.n_graphs)
        return e->code;
    for (size_t i = 0; i < m.graph->n_nodes || i < m.graph->n_tensors; i++) {
        if (i < m.graph->n_nodes)
            LINE(s, "node %llu", (unsigned long long)m.graph->node[i].id);
        if (i < m.graph->n_tensors)
            LINE(s, "tensor %llu", (unsigned long long)m.graph->tensor[i].id);
    }
    return OK;
}

#define HCCL_HEAD "{\"device id\":\"0\",\"iteration\":1,\"traceEvents\":["

static void make_hccl(struct fixture *x, size_t i)
{
    if (i == 0) {
        add_text(x, 0, HCCL_HEAD, strlen(HCCL_HEAD));
        x->at[0] = x->n;
    }
    ADD(x, i,
        "%s{\"tid\":%zu,\"pid\":\"6\",\"ts\":%zu.5,\"dur\":2.5,\"ph\":\"X\",\"name\":\"m\","
        "\"args\":{"
        "\"task type\":\"Memcpy\",\"src rank\":0,\"dst rank\":1,\"transport type\":\"SDMA\","
        "\"size\":8}}",
        i ? "," : "", i, 100 + i);
    if (i == RECORDS - 1) {
        memcpy(x->p + x->n, "]}", 2);
        x->n += 2;
    }
}

static int read_hccl(struct parse_ctx *c, struct seen *s, struct err *e)
{
    struct hccl_trace t;

    (void)!hccl_trace_read(c, &t, e);
    for (size_t i = 0; i < t.n; i++)
        LINE(s, "%lld %lld", (long long)t.event[i].tid, (long long)t.event[i].ts_ns);
    hccl_trace_done(&t);
    return e->code;
}

/* ---- texts of hosts, GPUs and MindData, by the parser of their kind ---- */

static void make_activities(struct fixture *x, size_t i)
{
    ADD(x, i, "kernel_%zu;7;%zu000;2.5\n", i, 1000 + i);
}

static void make_gpu_ops(struct fixture *x, size_t i)
{
    ADD(x, i, "Default/Mul-op%zu;GpuOps;%zu000,2.5 \n", i, 1000 + i);
}

static void make_cpu_ops(struct fixture *x, size_t i)
{
    ADD(x, i, "Default/Mul-op%zu;HostCpuOps;%zu000,2.5,3 \n", i, 1000 + i);
}

static void make_gpu_steps(struct fixture *x, size_t i)
{
    size_t t = 10000 * (i + 1);

    ADD(x, i, "a-op1,%zu b-op2,%zu c-op3,%zu d-op4,%zu\n", t, t + 10, t + 20, t + 9000);
}

static void make_device_queue(struct fixture *x, size_t i)
{
    ADD(x, i, "%d 0 %zu 5 %zu\n", i % 4 == 3, 1 + i / 4, 100 + i);
}

static void make_getnext(struct fixture *x, size_t i)
{
    ADD(x, i, "GetNext %zu %zu 3\n", 1000 + i, 2000 + i);
}

static int read_kind(struct parse_ctx *c, struct seen *s, struct err *e)
{
    int rc = c->f->kind->parse(c, e);

    s->n = (size_t)c->rows;
    return rc;
}

/* A line is two rows: the time, and the size of the queue. */
static int read_getnext(struct parse_ctx *c, struct seen *s, struct err *e)
{
    int rc = read_kind(c, s, e);

    assert_int_equal(s->n % 2, 0);
    s->n /= 2;
    return rc;
}

/* ---- the table ---- */

/* clang-format off */
enum { STREAM = 1,     /* slices are one stream: a record may lie across their border */
       MARKED = 2,     /* a record has bytes that tell it */
       LINES = 4,      /* the last byte of a record tells it from the next one */
       OPEN_END = 8,   /* the last record has no end of its own: a cut in it may go unseen */
       COUNTED = 16,   /* records are counted, not compared */
       PREFIX = 32,    /* one document: what lies behind damage may be lost with it */
       NO_SLICES = 64,
       DOCUMENT = 128,   /* not even nothing is whole */
       LAST_GIVEN = 256, /* a cut record is given, with a note, when it can be read */
       KIND = LINES | COUNTED | NO_SLICES | LAST_GIVEN };
static const struct format {
    const char *name;
    unsigned how;
    void (*make)(struct fixture *x, size_t i); /* the next record */
    int (*read)(struct parse_ctx *c, struct seen *s, struct err *e);
} formats[] = {
    { "hwts",                   STREAM | MARKED, make_hwts, read_hwts },
    { "framework tasks",        STREAM | MARKED, make_tasks, read_tasks },
    { "framework tensors",      STREAM | MARKED, make_tensors, read_tensors },
    { "framework hash_dic",     STREAM | LINES | OPEN_END | COUNTED, make_names, read_names },
    { "ts_track",               0, make_ts, read_ts },
    { "training_trace",         0, make_trace, read_trace },
    { "aicpu",                  STREAM | MARKED, make_aicpu, read_aicpu },
    { "aicore",                 0, make_aicore, read_aicore },
    { "framework text tasks",   STREAM | LINES, make_fw_tasks, read_fw_tasks },
    { "framework text ops",     STREAM | LINES, make_fw_ops, read_fw_ops },
    { "framework text points",  STREAM | LINES, make_points, read_points },
    { "aicpu text",             STREAM | LINES, make_aicpu_text, read_aicpu },
    { "aicpumi",                STREAM | LINES, make_aicpumi, read_aicpumi },
    { "memory_usage pb",        PREFIX | NO_SLICES, make_memory, read_memory },
    { "hccl trace",             PREFIX | NO_SLICES | DOCUMENT, make_hccl, read_hccl },
    { "gpu_activity_timestamp", KIND, make_activities, read_kind },
    { "gpu_op_timestamp",       KIND, make_gpu_ops, read_kind },
    { "cpu_op_timestamp",       KIND, make_cpu_ops, read_kind },
    { "gpu_step_trace",         KIND, make_gpu_steps, read_kind },
    { "md_device_queue",        KIND, make_device_queue, read_kind },
    { "md_getnext",             KIND, make_getnext, read_getnext },
};
/* clang-format on */

struct given {
    struct seen s;
    struct sink_count *count;
    struct arena *tmp;
    struct parse_ctx c;
    struct err e;
    const char *line[4 * RECORDS];
};

static void make(const struct format *k, struct fixture *x)
{
    memset(x, 0, sizeof *x);
    for (size_t i = 0; i < RECORDS; i++)
        k->make(x, i);
}

static void read_file(const struct format *k, struct source_file *f, struct given *g)
{
    static const struct runinfo run = { .gen = GEN_UNKNOWN };
    char *at, *end;

    *g = (struct given){ .e = ERR_INIT };
    buf_init(&g->s.text, 1 << 20);
    f->kind = registry_find(str_of(k->name));
    assert_int_equal(sink_count_new(&g->count, &g->e), OK);
    assert_int_equal(arena_new(&g->tmp, 1 << 20, &g->e), OK);
    g->c =
        (struct parse_ctx){ .f = f, .run = &run, .tmp = g->tmp, .out = sink_count_sink(g->count), .rank = 0 };
    int rc = k->read(&g->c, &g->s, &g->e);
    if (rc != g->e.code || (rc != OK && rc != ERR_FORMAT))
        fail_msg("%s: status %d: %s", k->name, rc, g->e.text);
    assert_true(g->s.n <= ARRAY_LEN(g->line));
    at = (char *)(uintptr_t)buf_str(&g->s.text).p;
    for (size_t i = 0; i < g->s.n && !(k->how & COUNTED); i++, at = end + 1) {
        end = strchr(at, '\n');
        assert_non_null(end);
        *end = '\0';
        g->line[i] = at;
    }
}

static void read_bytes(const struct format *k, const void *p, size_t n, struct given *g)
{
    struct source_file f = { .id = 1, .path = scratch_write(p, n), .rel = "f", .regular = true };

    f.size_b = n;
    f.device = f.slice = f.rank = -1;
    f.stamp = -1;
    read_file(k, &f, g);
}

static void done(struct given *g)
{
    buf_done(&g->s.text);
    arena_free(g->tmp);
    sink_count_free(g->count);
}

/* Notes, or the error that stands for one. */
static uint64_t complaints(const struct given *g)
{
    return sink_count_get(g->count)->note_calls + (g->e.code != OK);
}

/* The undamaged file gives all. */
static void read_whole(const struct format *k, struct fixture *x, struct given *g)
{
    make(k, x);
    read_bytes(k, x->p, x->n, g);
    if (g->s.n != RECORDS || complaints(g) > (k->read == read_kind))
        fail_msg("%s: %zu records, %d notes: %s", k->name, g->s.n, (int)complaints(g),
                 sink_count_get(g->count)->first_note);
}

/* Lines i... of g are lines k... of the undamaged file. */
static bool same(const struct format *f, const struct given *g, size_t i, const struct given *all, size_t k,
                 size_t n)
{
    if (i + n > g->s.n || f->how & COUNTED)
        return i + n <= g->s.n;
    for (size_t j = 0; j < n; j++)
        if (strcmp(g->line[i + j], all->line[k + j]) != 0)
            return false;
    return true;
}

#endif
