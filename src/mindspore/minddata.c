/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data pipeline (doc/formats/mindspore1.md#data-pipeline): minddata_pipeline_raw_N.csv, the ops with
 * their queues; minddata_pipeline_summary_N.{json,csv}, the same with CPU shares, times of batches, and
 * sentences about likely bottlenecks.
 */
#include "config.h"

#include <stdlib.h>

#include "base/buf.h"
#include "mindspore/minddata.h"
#include "mindspore/run.h"

static double sum_of(const struct minddata_op *op)
{
    double sum = 0;

    for (size_t i = 0; i < op->n_sizes; i++)
        sum += op->size[i];
    return sum;
}

/* ---- values as text ---- */

static void put_number(struct emit *o, double v)
{
    if (v == (double)(int64_t)v)
        emit_i(o, (int64_t)v);
    else
        emit_repr(o, v);
}

static void put_val(struct emit *o, const struct val *v)
{
    if (v->t == VAL_INT)
        emit_i(o, v->i);
    else if (v->t == VAL_REAL)
        emit_repr(o, v->r);
}

static void put_ids(struct emit *o, const int64_t *id, size_t n)
{
    emit_c(o, '[');
    for (size_t i = 0; i < n; i++) {
        emit_s(o, i ? ", " : "");
        emit_i(o, id[i]);
    }
    emit_c(o, ']');
}

/* A cell that contains a comma is quoted. */
static void put_ids_cell(struct emit *o, const int64_t *id, size_t n)
{
    emit_s(o, n > 1 ? "\"" : "");
    put_ids(o, id, n);
    emit_s(o, n > 1 ? "\"" : "");
}

/* ---- minddata_pipeline_raw ---- */

/*
 * An op of the tree in the output file: ops without a queue are left out, and their children take their
 * position.
 */
struct node {
    size_t op, parent; /* indexes; SIZE_MAX: no parent */
};
struct tree {
    const struct minddata_input *in;
    struct node *todo; /* in order of the file */
    size_t n_todo;
    int64_t *child; /* ids of the current node's children */
    size_t n_child;
    size_t *work;
    bool *seen; /* by index: an op is written once, whatever the file says */
};

/*
 * The children of an op that have a queue; a child without a queue is replaced, at the end, by its own
 * children.
 */
static void flatten(struct tree *t, size_t op)
{
    const struct minddata_input *in = t->in;
    size_t n = 0;

    t->n_child = 0;
    for (size_t done = 0, from = op;; from = t->work[done++]) {
        const struct minddata_op *x = &in->op[from];
        if (from != op && x->has_queue) {
            t->child[t->n_child++] = x->id;
            t->todo[t->n_todo++] = (struct node){ from, op };
        }
        for (size_t i = 0; (from == op || !x->has_queue) && i < x->n_children; i++) {
            size_t at = minddata_find(in, x->child[i]);
            if (at != SIZE_MAX && !t->seen[at]) {
                t->seen[at] = true;
                t->work[n++] = at;
            }
        }
        if (done == n)
            return;
    }
}

static void put_raw_op(struct emit *o, const struct tree *t, const struct node *x)
{
    const struct minddata_op *op = &t->in->op[x->op];
    double mean = op->n_sizes ? sum_of(op) / (double)op->n_sizes : 0, length = val_num(&op->length);

    emit_fmt(o, "%i,", op->id);
    emit_cell_str(o, op->type);
    emit_c(o, ',');
    put_val(o, &op->workers);
    emit_s(o, !op->has_queue ? "," : op->n_sizes > 1 ? ",\"[" : ",[");
    for (size_t i = 0; i < op->n_sizes; i++) {
        emit_s(o, i ? ", " : "");
        put_number(o, op->size[i]);
    }
    emit_s(o, !op->has_queue ? "," : op->n_sizes > 1 ? "]\"," : "],");
    if (op->n_sizes)
        emit_repr(o, mean);
    emit_c(o, ',');
    put_val(o, &op->length);
    emit_c(o, ',');
    if (op->n_sizes && length != 0)
        emit_repr(o, mean / length);
    emit_c(o, ',');
    put_val(o, &t->in->interval);
    emit_c(o, ',');
    if (x->parent != SIZE_MAX)
        emit_i(o, t->in->op[x->parent].id);
    emit_c(o, ',');
    if (t->n_child)
        put_ids_cell(o, t->child, t->n_child);
    mindspore_end_row(o);
}

int minddata_put_raw(const struct minddata_run *r, const struct minddata_input *in, struct emit *o,
                     struct err *e)
{
    size_t n = in->n_ops + 1, root = minddata_find(in, 0);
    struct tree t = { .in = in,
                      .todo = arena_array(r->a, n, sizeof *t.todo),
                      .child = arena_array(r->a, n, sizeof *t.child),
                      .work = arena_array(r->a, n, sizeof *t.work),
                      .seen = arena_array(r->a, n, sizeof *t.seen) };

    if (!t.todo || !t.child || !t.work || !t.seen)
        return err_nomem(e);
    emit_s(o, "op_id,op_type,num_workers,output_queue_size,output_queue_average_size,"
              "output_queue_length,output_queue_usage_rate,sample_interval,parent_id,children_id");
    mindspore_end_row(o);
    if (root != SIZE_MAX) {
        t.seen[root] = true;
        t.todo[t.n_todo++] = (struct node){ root, SIZE_MAX };
    }
    for (size_t i = 0; i < t.n_todo; i++) {
        flatten(&t, t.todo[i].op);
        put_raw_op(o, &t, &t.todo[i]);
    }
    return OK;
}

/* ---- summary: figures ---- */

/* Figures of an op; -1: none. */
struct op_facts {
    struct str name, label; /* "Batch", "Batch(id=2)" */
    struct val workers;
    double average, use, empty, per_worker; /* length, percent, percent, percent */
    int64_t parent;                         /* id, -1: no parent */
    size_t input;                           /* index of the op whose queue it reads, SIZE_MAX: none */
};
struct sentences {
    struct str *v;
    size_t n;
};
struct summary {
    const struct minddata_run *r;
    const struct minddata_input *in;
    struct op_facts *f;
    bool per_worker; /* every op has a CPU share */
    struct sentences cpu, queue, warning, suggestion;
};

static double percent(double part, double whole)
{
    return whole != 0 ? emit_round(100 * part / whole, 2) : -1;
}

static void queue_facts(const struct minddata_op *op, struct op_facts *f)
{
    uint64_t empty = 0;

    f->average = f->use = f->empty = -1;
    if (!op->n_sizes)
        return;
    for (size_t i = 0; i < op->n_sizes; i++)
        empty += op->size[i] == 0;
    f->average = emit_round(sum_of(op) / (double)op->n_sizes, 2);
    f->use = percent(f->average, val_num(&op->length));
    f->empty = percent((double)empty, (double)op->n_sizes);
}

static int name_op(struct summary *s, const struct minddata_op *op, struct op_facts *f, struct err *e)
{
    f->name = str_sub(op->type, 0, op->type.n > 2 ? op->type.n - 2 : 0);
    f->label = str_of(arena_printf(s->r->a, "%.*s(id=%lld)", f->name.n < 4096 ? (int)f->name.n : 4096,
                                   f->name.p, (long long)op->id));
    return f->label.p ? OK : err_nomem(e);
}

/*
 * The nearest op below with a queue, following first children only. The number of steps is limited: the file
 * may contain a cycle.
 */
static size_t input_of(const struct summary *s, size_t op)
{
    for (size_t steps = 0; steps < s->in->n_ops; steps++) {
        const struct minddata_op *x = &s->in->op[op];
        op = x->n_children ? minddata_find(s->in, x->child[0]) : SIZE_MAX;
        if (op == SIZE_MAX || s->f[op].average != -1)
            return op;
    }
    return SIZE_MAX;
}

/* The op's share of the CPU, -1: none. */
static double share_of(const struct summary *s, size_t i)
{
    uint64_t at = s->r->rules->by_id ? (uint64_t)s->in->op[i].id : i;

    return at < s->in->n_shares ? s->in->cpu[at] : -1;
}

/* Ids are 0, 1, 2 ... in order of the ops. */
static bool has_gaps(const struct minddata_input *in)
{
    for (size_t i = 0; i < in->n_ops; i++)
        if (in->op[i].id != (int64_t)i)
            return true;
    return false;
}

static int gather(struct summary *s, struct err *e)
{
    const struct minddata_input *in = s->in;

    s->f = arena_array(s->r->a, in->n_ops, sizeof *s->f);
    if (!s->f)
        return err_nomem(e);
    s->per_worker = in->n_cpu == in->n_ops;
    for (size_t i = 0; i < in->n_ops; i++)
        s->f[i].parent = -1;
    for (size_t i = 0; i < in->n_ops; i++) {
        const struct minddata_op *op = &in->op[i];
        double workers = val_num(&op->workers);
        s->f[i].workers = op->workers;
        queue_facts(op, &s->f[i]);
        if (name_op(s, op, &s->f[i], e))
            return e->code;
        if (s->per_worker)
            s->f[i].per_worker = workers != 0 ? emit_round(share_of(s, i) / workers, 2) : -1;
        for (size_t k = 0; k < op->n_children; k++) {
            size_t child = minddata_find(in, op->child[k]);
            if (child != SIZE_MAX)
                s->f[child].parent = op->id;
        }
    }
    for (size_t i = 0; i < in->n_ops; i++)
        s->f[i].input = input_of(s, i);
    return OK;
}

/* ---- summary: sentences ---- */

#define CPU_MUCH      75.0 /* percent per worker */
#define CPU_LITTLE    20.0
#define LEAF_USE      50.0 /* percent of the queue */
#define INPUT_EMPTY   60.0 /* percent of the samples */
#define USE_DIFFERS   50.0
#define INPUT_LITTLE  10.0
#define SENTENCE_ARGS 6

/* Each @ is replaced by the next argument. */
static const char say_more_workers[] =
    "@ is using @% CPU per worker. Setting num_parallel_workers>@ might bring extra performance.";
static const char say_fewer_workers[] =
    "@ is using @% CPU per worker. Using num_parallel_workers=@ might not bring as much benefit "
    "due "
    "to low CPU usage per worker.";
#define LEAF  "Leaf op @ is using @% of its output queue."
#define SPEED "Setting num_parallel_workers>@ might speed up I/O."
static const char say_leaf[] = LEAF SPEED, say_leaf_spaced[] = LEAF " " SPEED;
static const char say_input_empty[] =
    "@'s input queue is empty @% of the time. This might indicate dataset bottlenecks. Hence host "
    "cannot keep up with the device @% of the time. Device waits whenever input queue is empty.";
static const char say_slow_op[] =
    "@'s input queue usage=@% is greater output queue usage=@%. This indicates child op @ might be "
    "producing faster than its parent @ can consume. If this op has low CPU utilization, try "
    "increasing prefetch_size or increasing num_workers.";
static const char say_busy[] =
    "@ has high CPU utilization per worker of @% Try increasing num_parallel_workers above @.";
static const char say_waiting[] = "@ has low CPU utilization per worker of @% and abnormal queue "
                                  "usage. Try increasing prefetch_size.";

/* Ops that have no separate workers. */
static bool is_single(const struct op_facts *f)
{
    static const char *const names[] = { "Barrier", "Concat", "EpochCtrl", "Rename", "Repeat",
                                         "Shuffle", "Skip",   "Take",      "Zip" };

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_eq(f->name, str_of(names[i])))
            return true;
    return false;
}

static bool is_device_queue(const struct op_facts *f)
{
    return str_eq(f->name, STR("DeviceQueue"));
}

static void add_val(struct buf *b, const struct val *v)
{
    char text[32];

    if (v->t == VAL_TEXT)
        buf_add(b, v->s);
    else if (v->t == VAL_INT)
        buf_printf(b, "%lld", (long long)v->i);
    else if (v->t == VAL_REAL)
        buf_add(b, (struct str){ text, repr_text(v->r, text) });
}

static int say(struct summary *s, struct sentences *to, const char *form, const struct val *arg,
               struct err *e)
{
    struct buf b;

    if (!to->v)
        to->v = arena_array(s->r->a, s->in->n_ops, sizeof *to->v);
    buf_init(&b, (size_t)1 << 20);
    for (const char *p = form; *p; p++)
        if (*p == '@')
            add_val(&b, arg++);
        else
            buf_addc(&b, *p);
    struct str text = to->v && !buf_failed(&b) ? arena_str(s->r->a, buf_str(&b)) : (struct str){ NULL, 0 };
    buf_done(&b);
    if (!text.p)
        return err_nomem(e);
    to->v[to->n++] = text;
    return OK;
}

static int say_cpu(struct summary *s, const struct op_facts *f, struct err *e)
{
    const struct val arg[SENTENCE_ARGS] = { val_text(f->label), val_real(f->per_worker), f->workers };

    if (f->per_worker > CPU_MUCH)
        return say(s, &s->cpu, say_more_workers, arg, e);
    if (f->per_worker < CPU_LITTLE && val_num(&f->workers) > 1)
        return say(s, &s->cpu, say_fewer_workers, arg, e);
    return OK;
}

static int say_queue(struct summary *s, const struct op_facts *f, struct err *e)
{
    const struct op_facts *in = f->input != SIZE_MAX ? &s->f[f->input] : NULL;
    const struct val leaf[SENTENCE_ARGS] = { val_text(f->label), val_real(f->use), f->workers };
    const char *form = s->r->rules->leaf_spaced ? say_leaf_spaced : say_leaf;

    if (str_eq(f->name, STR("Batch")))
        return OK;
    if (!in)
        return f->average != -1 && f->use < LEAF_USE ? say(s, &s->queue, form, leaf, e) : OK;
    const struct val empty[SENTENCE_ARGS] = { leaf[0], val_real(in->empty), val_real(in->empty) };
    if (is_device_queue(f))
        return in->empty > INPUT_EMPTY ? say(s, &s->queue, say_input_empty, empty, e) : OK;
    const struct val slow[SENTENCE_ARGS] = { leaf[0], val_real(in->use), leaf[1], val_text(in->label),
                                             leaf[0] };
    if (f->average != -1 && in->use - f->use > USE_DIFFERS)
        return say(s, &s->queue, say_slow_op, slow, e);
    return OK;
}

/* The sentence about the op as the bottleneck, or NULL when it is none. */
static const char *verdict(const struct summary *s, const struct op_facts *f)
{
    const struct op_facts *in = f->input != SIZE_MAX ? &s->f[f->input] : NULL;

    if (is_single(f) || is_device_queue(f))
        return NULL;
    if (f->per_worker > CPU_MUCH)
        return say_busy;
    if (f->per_worker < CPU_LITTLE && in && (in->use < INPUT_LITTLE || f->use - in->use > USE_DIFFERS))
        return say_waiting;
    return NULL;
}

static int say_bottleneck(struct summary *s, struct err *e)
{
    const struct op_facts *found = NULL;
    const char *form = NULL;

    for (size_t i = s->in->n_ops; i-- > 0;) {
        const char *v = verdict(s, &s->f[i]);
        if (v && (!found || s->r->rules->last_bottleneck)) {
            found = &s->f[i];
            form = v;
        }
    }
    if (!found)
        return OK;
    const struct val arg[SENTENCE_ARGS] = { val_text(found->label), val_real(found->per_worker),
                                            found->workers };
    return say(s, &s->warning, "@", arg, e) || say(s, &s->suggestion, form, arg, e) ? e->code : OK;
}

static int judge(struct summary *s, struct err *e)
{
    if (!s->per_worker || (s->r->rules->gaps_end && has_gaps(s->in)))
        return OK;
    for (size_t i = 0; i < s->in->n_ops; i++)
        if (!is_single(&s->f[i]) && (say_cpu(s, &s->f[i], e) || say_queue(s, &s->f[i], e)))
            return e->code;
    return say_bottleneck(s, e);
}

/* ---- summary: files ---- */

struct writer {
    struct summary *s;
    struct emit *o;
    bool json;
    bool begun; /* a key was written before */
    size_t n;   /* elements of the current key */
};

static void begin_key(struct writer *w, const char *key)
{
    if (w->json)
        emit_fmt(w->o, "%s\"%s\": [", w->begun ? ", " : "", key);
    else
        emit_s(w->o, key);
    w->begun = true;
    w->n = 0;
}

static void end_key(struct writer *w)
{
    if (w->json)
        emit_c(w->o, ']');
    else
        mindspore_end_row(w->o);
}

static void between(struct writer *w)
{
    emit_s(w->o, !w->json ? "," : w->n ? ", " : "");
    w->n++;
}

static void put_json(struct writer *w, struct str s)
{
    struct buf b;

    if (!w->s->r->rules->utf8) {
        mindspore_json_text(w->o, s);
        return;
    }
    buf_init(&b, 6 * s.n + 2);
    buf_json(&b, s);
    emit_str(w->o, buf_str(&b));
    buf_done(&b);
}

static void put_item(struct writer *w, const struct val *v)
{
    between(w);
    if (v->t == VAL_TEXT && w->json)
        put_json(w, v->s);
    else if (v->t == VAL_TEXT)
        emit_cell_str(w->o, v->s);
    else if (v->t == VAL_NULL && w->json)
        emit_s(w->o, "null");
    else
        put_val(w->o, v);
}

/* A figure, or the integer -1. */
static struct val figure(double v)
{
    return v == -1 ? val_int(-1) : val_real(v);
}

enum field {
    K_LABEL,
    K_NAME,
    K_ID,
    K_WORKERS,
    K_AVERAGE,
    K_USE,
    K_EMPTY,
    K_CHILDREN,
    K_PARENT,
    K_PER_WORKER,
    K_SHARES,
    K_BATCH,
    K_PIPELINE,
    K_PUSH,
    N_KEYS
};
/* A key, and what it holds. */
struct key {
    const char *word;
    enum field k;
};
static const struct key keys[] = {
    { "pipeline_ops", K_LABEL },
    { "op_names", K_NAME },
    { "op_ids", K_ID },
    { "num_workers", K_WORKERS },
    { "queue_average_size", K_AVERAGE },
    { "queue_utilization_pct", K_USE },
    { "queue_empty_freq_pct", K_EMPTY },
    { "children_ids", K_CHILDREN },
    { "parent_id", K_PARENT },
    { "avg_cpu_pct", K_SHARES },
    { "per_batch_time", K_BATCH },
    { "per_pipeline_time", K_PIPELINE },
    { "per_push_queue_time", K_PUSH },
};
static const struct key keys_ids_first[ARRAY_LEN(keys)] = {
    { "op_ids", K_ID },
    { "op_names", K_NAME },
    { "pipeline_ops", K_LABEL },
    { "num_workers", K_WORKERS },
    { "queue_average_size", K_AVERAGE },
    { "queue_utilization_pct", K_USE },
    { "queue_empty_freq_pct", K_EMPTY },
    { "children_ids", K_CHILDREN },
    { "parent_id", K_PARENT },
    { "avg_cpu_pct", K_SHARES },
    { "per_pipeline_time", K_PIPELINE },
    { "per_push_queue_time", K_PUSH },
    { "per_batch_time", K_BATCH },
};

static struct val field_of(const struct writer *w, enum field k, size_t i)
{
    const struct op_facts *f = &w->s->f[i];

    switch (k) {
    case K_LABEL:
        return val_text(f->label);
    case K_NAME:
        return val_text(f->name);
    case K_ID:
        return val_int(w->s->in->op[i].id);
    case K_WORKERS:
        return f->workers;
    case K_AVERAGE:
        return figure(f->average);
    case K_USE:
        return figure(f->use);
    case K_EMPTY:
        return figure(f->empty);
    case K_PARENT:
        return val_int(f->parent);
    case K_PER_WORKER:
        return val_num(&f->workers) != 0 ? val_real(f->per_worker) : val_int(-1);
    default:
        break;
    }
    return val_null();
}

static void put_field(struct writer *w, const char *key, enum field k)
{
    begin_key(w, key);
    for (size_t i = 0; i < w->s->in->n_ops; i++) {
        const struct minddata_op *op = &w->s->in->op[i];
        struct val v = field_of(w, k, i);
        if (k != K_CHILDREN) {
            put_item(w, &v);
            continue;
        }
        between(w);
        (w->json ? put_ids : put_ids_cell)(w->o, op->child, op->n_children);
    }
    end_key(w);
}

static void put_time(struct writer *w, const char *key, enum minddata_time k)
{
    const struct minddata_times *t = &w->s->in->times;
    struct val v = t->n[k] ? val_real(emit_round(t->sum[k] / (double)t->n[k], 3)) : val_int(-1);

    begin_key(w, key);
    put_item(w, &v);
    end_key(w);
}

static void put_sentences(struct writer *w, const char *key, const struct sentences *s)
{
    if (!s->n)
        return;
    begin_key(w, key);
    for (size_t i = 0; i < s->n; i++) {
        struct val v = val_text(s->v[i]);
        put_item(w, &v);
    }
    end_key(w);
}

static void put_shares(struct writer *w, const char *key)
{
    const struct minddata_input *in = w->s->in;

    begin_key(w, key);
    for (size_t i = 0; i < in->n_cpu; i++) {
        struct val v = figure(in->cpu[i]);
        put_item(w, &v);
    }
    end_key(w);
}

static void put_key(struct writer *w, const struct key *x)
{
    const struct minddata_rules *rules = w->s->r->rules;

    switch (x->k) {
    case K_SHARES:
        put_shares(w, x->word);
        break;
    case K_BATCH:
        if (w->s->in->has_times)
            put_time(w, x->word, MD_BATCH);
        break;
    case K_PIPELINE:
    case K_PUSH:
        if (rules->push_time)
            put_time(w, x->word, x->k == K_PUSH ? MD_PUSH : MD_PIPELINE);
        break;
    default:
        put_field(w, x->word, x->k);
    }
}

static void put_keys(struct writer *w)
{
    const struct summary *s = w->s;

    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        put_key(w, s->r->rules->ids_first ? &keys_ids_first[i] : &keys[i]);
    if (!s->per_worker)
        return;
    put_field(w, "avg_cpu_pct_per_worker", K_PER_WORKER);
    put_sentences(w, "cpu_analysis_details", &s->cpu);
    put_sentences(w, "queue_analysis_details", &s->queue);
    put_sentences(w, "bottleneck_warning", &s->warning);
    put_sentences(w, "bottleneck_suggestion", &s->suggestion);
}

int minddata_put_summary(const struct minddata_run *r, const struct minddata_input *in, bool json,
                         struct emit *o, struct err *e)
{
    struct summary s = { .r = r, .in = in };
    struct writer w = { .s = &s, .o = o, .json = json };

    if (gather(&s, e) || judge(&s, e))
        return e->code;
    emit_s(o, json ? "{" : "");
    put_keys(&w);
    emit_s(o, json ? "}" : "");
    return OK;
}

/* ---- what can be made ---- */

static bool has_empty_queue(const struct minddata_input *in)
{
    for (size_t i = 0; i < in->n_ops; i++)
        if (in->op[i].has_queue && !in->op[i].n_sizes)
            return true;
    return false;
}

static const char *lacks(const struct minddata_run *r, const struct minddata_input *in)
{
    if (!in->has_cpu)
        return "minddata_cpu_utilization is missing";
    return r->rules->needs_times && !in->has_times
               ? "device_queue_profiling and dataset_iterator_profiling are missing"
               : NULL;
}

const char *minddata_no_raw(const struct minddata_run *r, const struct minddata_input *in)
{
    if (!in->n_ops)
        return "pipeline_profiling is missing or has no ops";
    if (!r->rules->empty_queue && has_empty_queue(in))
        return "a queue has no samples";
    return r->rules->raw_needs_all ? lacks(r, in) : NULL;
}

const char *minddata_no_summary(const struct minddata_run *r, const struct minddata_input *in)
{
    if (!in->n_ops)
        return "pipeline_profiling is missing or has no ops";
    if (r->rules->gaps_end && in->cpu_beyond)
        return "minddata_cpu_utilization has ops that the pipeline lacks";
    return lacks(r, in);
}
