/*
 * The JOB folder of one device, text era (r0.5 to r1.5): tasks of HWTS with the names of Framework give ops and their executions
 * (formats/gen1-raw.md 5.1, 5.2, 7.1 to 7.3).
 *
 * Tables: op; op_exec when nothing else feeds it (stream tracks are made from that: import/derive.c). In memory: the ops that tasks
 * belong to. Times are ns on the device's counter.
 */
#include "config.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/grow.h"
#include "derive_optime.h"
#include "opwords.h"
#include "parsers.h"
#include "raw_framework.h"
#include "raw_hwts.h"

#define LISTS_MAX ((size_t)1 << 20)
#define SHARED_TASK                                                                                \
    25000 /* from here on a task number stands alone, without its stream (formats/gen1-raw.md 2, task key) */

struct task_op {
    int64_t op;
    uint32_t name; /* sink_intern() of its name */
};

struct job {
    struct group_ctx *g;
    const struct source_file *hwts; /* first slice */
    struct intern *keys;            /* of tasks */
    struct task_op *ops;            /* by key */
    size_t cap;
    struct buf shapes, types, formats;
    struct optime times;
    uint64_t no_time; /* pairs with an impossible time, and the place of the first */
    struct where first_bad;
};

/* ---- ops of the graph ---- */

struct lists {
    uint32_t shapes, types, formats;
};

/* The tensors of one side as lists separated by ';'. */
static struct lists lists_of(struct job *j, const struct fw_tensor *t, size_t n)
{
    struct sink *s = j->g->out;

    buf_clear(&j->shapes);
    buf_clear(&j->types);
    buf_clear(&j->formats);
    for (size_t i = 0; i < n; i++) {
        buf_puts(&j->shapes, i ? ";" : "");
        buf_puts(&j->types, i ? ";" : "");
        buf_puts(&j->formats, i ? ";" : "");
        buf_add(&j->shapes, t[i].shape);
        buf_add(&j->types, t[i].type);
        buf_add(&j->formats, t[i].format);
    }
    if (!n)
        return (struct lists){ 0, 0, 0 };
    return (struct lists){ sink_intern(s, buf_str(&j->shapes)), sink_intern(s, buf_str(&j->types)),
                           sink_intern(s, buf_str(&j->formats)) };
}

static int on_op(void *arg, const struct fw_op *o, struct err *e)
{
    struct job *j = arg;
    struct sink *s = j->g->out;
    struct op_key k = OP_KEY_INIT;
    struct op_attr a = OP_ATTR_INIT;
    struct lists in = lists_of(j, o->in, o->n_in), out = lists_of(j, o->out, o->n_out);

    if (buf_failed(&j->shapes) || buf_failed(&j->types) || buf_failed(&j->formats))
        return err_nomem(e);
    k.name_id = sink_intern(s, o->name);
    k.type_id = sink_intern(s, o->type);
    k.in_shapes_id = in.shapes;
    k.in_types_id = in.types;
    k.in_formats_id = in.formats;
    k.out_shapes_id = out.shapes;
    a.out_types_id = out.types;
    a.out_formats_id = out.formats;
    a.source_id = o->where.source_id;
    a.line = o->where.line;
    return sink_op(s, &k, &a, e) ? OK : (int)e->code;
}

/* ---- tasks ---- */

/* Number of the task's key, INTERN_NONE when it is new and add is false, or without memory. */
static uint32_t key_of(struct job *j, uint32_t task, uint32_t stream, bool add)
{
    uint32_t key[2] = { task, task < SHARED_TASK ? stream : UINT32_MAX };
    struct str s = { (const char *)key, sizeof key };

    return add ? intern_put(j->keys, s) : intern_find(j->keys, s);
}

static int on_task(void *arg, const struct fw_task *t, struct err *e)
{
    struct job *j = arg;
    struct op_key k = OP_KEY_INIT;
    struct op_attr a = OP_ATTR_INIT;
    uint32_t key = key_of(j, t->task, t->stream, true);

    if (key == INTERN_NONE)
        return err_nomem(e);
    struct task_op *ops = grow_array(j->ops, key, &j->cap, sizeof *ops, 1024);
    if (!ops)
        return err_nomem(e);
    j->ops = ops;
    k.name_id = sink_intern(j->g->out, t->op);
    a.block_num = t->block_dim;
    a.task = t->task;
    a.stream = t->stream;
    a.source_id = t->where.source_id;
    a.line = t->where.line;
    /* a repeated key takes the last name */
    j->ops[key] = (struct task_op){ sink_op(j->g->out, &k, &a, e), k.name_id };
    return j->ops[key].op ? OK : (int)e->code;
}

/* ---- executions ---- */

static int put_exec(struct job *j, int64_t op, const struct optime_mark *end, struct err *e)
{
    const struct optime_mark *start = &j->times.start;
    struct val v[N_COLS(op_exec)] = { 0 };
    int64_t ts, dur;

    if (!optime_ns(start, end, &ts, &dur)) {
        if (!j->no_time++)
            j->first_bad = start->where;
        return OK;
    }
    v[COL(op_exec, op_id)] = val_int(op);
    v[COL(op_exec, rank)] = val_int(j->g->rank);
    v[COL(op_exec, device)] = j->hwts->device >= 0 ? val_int(j->hwts->device) : val_null();
    v[COL(op_exec, stream)] = val_int(start->stream);
    v[COL(op_exec, task)] = val_int(start->task);
    v[COL(op_exec, ts_ns)] = val_int(ts);
    v[COL(op_exec, dur_ns)] = val_int(dur);
    v[COL(op_exec, source_id)] = val_int(start->where.source_id);
    v[COL(op_exec, line)] = val_int(start->where.line);
    return sink_row(j->g->out, T_op_exec, v, N_COLS(op_exec), NULL, e);
}

static int on_record(void *arg, const struct hwts_record *r, struct err *e)
{
    struct job *j = arg;

    if (r->type != HWTS_TASK_START && r->type != HWTS_TASK_END)
        return OK;
    uint32_t key = key_of(j, r->task, r->stream, false);
    if (key == INTERN_NONE) /* a task of the runtime or of communication: normal */
        return OK;
    struct optime_mark m = { .op = j->ops[key].name,
                             .end = r->type == HWTS_TASK_END,
                             .ticks = r->ticks,
                             .stream = r->stream,
                             .task = r->task,
                             .where = r->where };
    return optime_add(&j->times, &m) ? put_exec(j, j->ops[key].op, &m, e) : OK;
}

/* ---- the whole ---- */

static int read_framework(struct job *j, struct err *e)
{
    struct parse_ctx *c;

    for (size_t i = 0; (c = group_use(j->g, ROLE_FRAMEWORK_GRAPH, i)) != NULL; i++)
        if (group_failed(j->g, c, raw_fw_ops(c, on_op, j, e), e))
            return (int)e->code;
    for (size_t i = 0; (c = group_use(j->g, ROLE_FRAMEWORK_TASK, i)) != NULL; i++)
        if (group_failed(j->g, c, raw_fw_tasks(c, on_task, j, e), e))
            return (int)e->code;
    return OK;
}

static int read_hwts(struct job *j, struct err *e)
{
    struct parse_ctx *c = group_use(j->g, ROLE_HWTS, 0);

    struct where w = { .offset = ERR_NO_OFFSET };

    if (!c)
        return OK;
    j->hwts = c->f;
    w.source_id = c->f->id;
    if (!intern_count(j->keys))
        sink_note(j->g->out, NOTE_INCONSISTENT, &w,
                  "no Framework file names the tasks: no op times");
    if (group_failed(j->g, c, raw_hwts_read(c, on_record, j, e), e))
        return (int)e->code;
    if (j->no_time) {
        j->first_bad.count = j->no_time;
        c->lost += j->no_time;
        sink_note(j->g->out, NOTE_INCONSISTENT, &j->first_bad,
                  "a task that ends before it starts, or at an impossible time");
    }
    return OK;
}

int group_g1_job(struct group_ctx *g, struct err *e)
{
    struct job j = { .g = g };

    buf_init(&j.shapes, LISTS_MAX);
    buf_init(&j.types, LISTS_MAX);
    buf_init(&j.formats, LISTS_MAX);
    if (intern_new(&j.keys, e) == OK && read_framework(&j, e) == OK && group_wants(g, "op_exec"))
        (void)read_hwts(&j, e);
    intern_free(j.keys);
    free(j.ops);
    buf_done(&j.shapes);
    buf_done(&j.types);
    buf_done(&j.formats);
    return (int)e->code;
}
