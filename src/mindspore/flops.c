/* SPDX-License-Identifier: Apache-2.0 */
/* FLOPs of ops, scopes and steps from the AI Core counters (doc/formats/mindspore1.md#flops). */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "mindspore/run.h"
#include "parsers/mindspore/aicore_flops.h"

#define TICKS_PER_MS 100000.0
#define CELL_END     2 /* columns of the step trace */
#define CELL_FP      4
#define CELL_BP      5

/* An op, with the values of its first record. */
struct op {
    struct str full;
    double mflops, gflops_per_s, used; /* used: percent of the peak */
};
struct link {
    struct str source, target;
    double mflops;
};

struct reader {
    struct mindspore_run *r;
    double peak;
    const double *avg_ms; /* by text of the run; below 0: none */
    uint32_t *op_of;      /* by text of the run: 1 + number in ops */
    size_t n_texts;
    struct op *ops;
    size_t n_ops, cap_ops;
    /* steps: the current execution and the current step */
    size_t exec, step;
    double *acc; /* MFLOPs by step */
    /* scopes */
    struct intern *pairs; /* of two numbers in named */
    struct link *links;   /* by pairs */
    struct str *nodes;    /* in order of their first use */
    struct intern *named; /* nodes */
    size_t cap_links, cap_nodes, n_scopes;
};

/* ---- steps ---- */

static size_t steps_of(const struct mindspore_run *r)
{
    return r->rules->flops_steps && r->steps.n ? r->steps.n - 1 : 0;
}

/*
 * A step's computation: from the start of forward to the end of backward, or to the end of the step. The
 * file's columns are used by number.
 */
static void borders(const struct mindspore_run *r, size_t step, double *from, double *to)
{
    const int64_t *cell = r->steps.row[step].cell;

    *from = (double)cell[CELL_FP] / TICKS_PER_MS;
    *to = (double)cell[r->steps.training ? CELL_BP : CELL_END] / TICKS_PER_MS;
}

/* The record's op counts for the step in which its next execution begins. */
static void add_to_step(struct reader *x, const struct op *op)
{
    const struct mindspore_run *r = x->r;
    size_t n = steps_of(r);
    double from, to;

    while (x->exec < r->n_execs && r->execs[x->exec].full.p != op->full.p)
        x->exec++;
    if (x->exec == r->n_execs)
        return;
    double start = r->execs[x->exec++].start_ms;
    for (; x->step < n; x->step++) {
        borders(r, x->step, &from, &to);
        if (start < to)
            break;
    }
    if (x->step < n && from <= start && start <= to)
        x->acc[x->step] += op->mflops;
}

static double step_used(const struct reader *x, size_t step)
{
    double from, to;

    borders(x->r, step, &from, &to);
    if (from == to) /* MindSpore's analysis fails here */
        return 0;
    return x->acc[step] / (to - from) * 1e9 / x->peak * 100;
}

/* ---- records ---- */

static int add_op(struct reader *x, uint32_t name, const struct aicore_record *v, struct err *e)
{
    struct op *ops = grow_array(x->ops, x->n_ops, &x->cap_ops, sizeof *ops, 256);
    struct aicore_flops flops = aicore_flops_of(v);
    double m = (double)(flops.cube + flops.vector) * 1e-6, g = m / x->avg_ms[name];

    if (!ops)
        return err_nomem(e);
    x->ops = ops;
    ops[x->n_ops++] = (struct op){ intern_get(x->r->texts, name), m, g, g * 1e9 / x->peak * 100 };
    x->op_of[name] = (uint32_t)x->n_ops;
    return OK;
}

static int on_record(void *arg, const struct aicore_record *v, struct err *e)
{
    struct reader *x = arg;
    uint32_t i = task_keys_find(x->r->keys, v->stream, v->task);

    if (i == TASK_KEYS_NONE)
        return OK;
    uint32_t name = task_keys_value(x->r->keys, i);
    if (x->avg_ms[name] <= 0) /* no time known, or a time of 0, which gives no rate */
        return OK;
    if (!x->op_of[name] && add_op(x, name, v, e))
        return e->code;
    add_to_step(x, &x->ops[x->op_of[name] - 1]);
    return OK;
}

/* ---- scopes ---- */

static int node_id(struct reader *x, struct str name, uint32_t *id, struct err *e)
{
    uint32_t before = intern_count(x->named);

    *id = intern_put(x->named, name);
    struct str *nodes =
        *id == INTERN_NONE ? NULL : grow_array(x->nodes, *id, &x->cap_nodes, sizeof *nodes, 64);
    if (!nodes)
        return err_nomem(e);
    x->nodes = nodes;
    if (*id == before)
        nodes[*id] = intern_get(x->named, *id);
    return OK;
}

static int add_link(struct reader *x, uint32_t source, uint32_t target, double mflops, struct err *e)
{
    uint32_t pair[2] = { source, target }, before = intern_count(x->pairs);
    uint32_t at = intern_put(x->pairs, (struct str){ (const char *)pair, sizeof pair });
    struct link *links =
        at == INTERN_NONE ? NULL : grow_array(x->links, at, &x->cap_links, sizeof *links, 64);

    if (!links)
        return err_nomem(e);
    x->links = links;
    if (at == before)
        links[at] = (struct link){ x->nodes[source], x->nodes[target], 0 };
    links[at].mflops += mflops;
    return OK;
}

/* The node of a scope: its name with the level (r1.5 on) and its op's first scope; level 0 is its name. */
static int scope_node(struct reader *x, struct str scope, size_t level, struct str suffix, uint32_t *id,
                      struct err *e)
{
    struct buf b;

    if (!level)
        return node_id(x, scope, id, e);
    buf_init(&b, (size_t)1 << 20);
    buf_add(&b, scope);
    buf_addc(&b, '(');
    if (x->r->rules->flops_scopes == FLOPS_SCOPES_NUMBERED)
        buf_printf(&b, "%zu_", level);
    buf_add(&b, suffix);
    buf_addc(&b, ')');
    int rc = buf_failed(&b) ? err_nomem(e) : node_id(x, buf_str(&b), id, e);
    buf_done(&b);
    return rc;
}

static int add_scopes(struct reader *x, const struct op *op, struct err *e)
{
    struct str first = str_sub(op->full, 0, str_chr(op->full, '/')), rest = op->full, scope;
    uint32_t last, id;
    size_t n = 0;

    if (str_starts(op->full, STR("Gradients/recompute_Default")))
        first = STR("recompute_Gradients");
    if (node_id(x, STR("Total"), &last, e))
        return e->code;
    while (str_next(&rest, '/', &scope) && rest.p) {
        if (scope_node(x, scope, n, first, &id, e) || add_link(x, last, id, op->mflops, e))
            return e->code;
        last = id;
        n++;
    }
    x->n_scopes = n > x->n_scopes ? n : x->n_scopes;
    return OK;
}

static int write_scopes(struct reader *x, struct err *e)
{
    struct emit *o;

    if (intern_new(&x->pairs, e) || intern_new(&x->named, e))
        return e->code;
    for (size_t i = 0; i < x->n_ops; i++)
        if (add_scopes(x, &x->ops[i], e))
            return e->code;
    if (mindspore_open(x->r, &o, "flops_scope_", ".json", e))
        return e->code;
    emit_s(o, "{\"data\": {\"nodes\": [");
    for (size_t i = 0; i < intern_count(x->named); i++) {
        emit_s(o, i ? ", {\"name\": " : "{\"name\": ");
        mindspore_json_text(o, x->nodes[i]);
        emit_c(o, '}');
    }
    emit_s(o, "], \"links\": [");
    for (size_t i = 0; i < intern_count(x->pairs); i++) {
        emit_s(o, i ? ", {\"source\": " : "{\"source\": ");
        mindspore_json_text(o, x->links[i].source);
        emit_s(o, ", \"target\": ");
        mindspore_json_text(o, x->links[i].target);
        emit_fmt(o, ", \"value\": %r}", emit_round(x->links[i].mflops, 3));
    }
    emit_fmt(o, "]}, \"max_scope_num\": %U}", (uint64_t)x->n_scopes);
    return mindspore_close(x->r, o, e);
}

/* ---- files ---- */

static int write_ops(const struct reader *x, struct err *e)
{
    struct emit *o;

    if (mindspore_open(x->r, &o, "flops_", ".txt", e))
        return e->code;
    emit_s(o, "op_full_name, MFLOPs(10^6), GFLOPS(10^9), FLOPS utilization(%) \n");
    for (size_t i = 0; i < x->n_ops; i++) {
        const struct op *v = &x->ops[i];
        emit_str(o, v->full);
        emit_fmt(o, ", %r, %r, %r\n", v->mflops, v->gflops_per_s, v->used);
    }
    return mindspore_close(x->r, o, e);
}

/* Percent of the peak: the mean of the steps, in older versions of the ops. */
static double mean_used(const struct reader *x)
{
    size_t steps = steps_of(x->r), n = x->r->rules->flops_steps ? steps : x->n_ops;
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += x->r->rules->flops_steps ? step_used(x, i) : x->ops[i].used;
    return n ? sum / (double)n : 0;
}

static int write_summary(const struct reader *x, struct err *e)
{
    double m = 0, g = 0;
    struct emit *o;

    if (mindspore_open(x->r, &o, "flops_summary_", ".json", e))
        return e->code;
    for (size_t i = 0; i < x->n_ops; i++) {
        m += x->ops[i].mflops;
        g += x->ops[i].gflops_per_s;
    }
    emit_fmt(o, "{\"FLOPs\": %r, \"FLOPS\": %r, \"FLOPS_Utilization\": %r}", emit_round(m, 3),
             emit_round(g / (double)x->n_ops, 3), emit_round(mean_used(x), 3));
    return mindspore_close(x->r, o, e);
}

static int write_steps(const struct reader *x, struct err *e)
{
    struct emit *o;

    if (mindspore_open(x->r, &o, "flops_utilization_step_", ".json", e))
        return e->code;
    emit_s(o, "steps, FLOPS_Utilization %\n");
    for (size_t i = 0; i < steps_of(x->r); i++)
        emit_fmt(o, "%U,%r\n", (uint64_t)i + 1, step_used(x, i));
    return mindspore_close(x->r, o, e);
}

static void nothing(struct mindspore_run *r, const char *why)
{
    mindspore_no_data(r, "flops_", ".txt", why);
    mindspore_no_data(r, "flops_summary_", ".json", why);
    if (r->rules->flops_scopes)
        mindspore_no_data(r, "flops_scope_", ".json", why);
    if (r->rules->flops_steps)
        mindspore_no_data(r, "flops_utilization_step_", ".json", why);
}

/* ---- the whole ---- */

static int make(struct reader *x, struct err *e)
{
    struct mindspore_run *r = x->r;
    double *avg;

    x->n_texts = intern_count(r->texts);
    avg = arena_array(r->a, x->n_texts + 1, sizeof *avg);
    x->op_of = arena_array(r->a, x->n_texts + 1, sizeof *x->op_of);
    x->acc = arena_array(r->a, steps_of(r) + 1, sizeof *x->acc);
    if (!avg || !x->op_of || !x->acc)
        return err_nomem(e);
    for (size_t i = 0; i < r->n_ops; i++)
        avg[intern_find(r->texts, r->ops[i].full)] = r->ops[i].avg_ms;
    x->avg_ms = avg;
    return OK;
}

/* Older versions read only the first slice. */
static int read_records(struct reader *x, struct parse_ctx *c, struct err *e)
{
    struct source_file first = *c->f;
    struct parse_ctx one = *c;

    if (x->r->rules->flops_steps)
        return aicore_records_read(c, on_record, x, e);
    first.next_slice = NULL;
    one.f = &first;
    return aicore_records_read(&one, on_record, x, e);
}

static int write_all(struct reader *x, struct err *e)
{
    if (write_ops(x, e) || write_summary(x, e))
        return e->code;
    if (x->r->rules->flops_scopes && write_scopes(x, e))
        return e->code;
    return x->r->rules->flops_steps ? write_steps(x, e) : OK;
}

int mindspore_flops(struct mindspore_run *r, struct err *e)
{
    const struct runinfo *info = &r->unit->info;
    struct reader x = { .r = r };
    struct parse_ctx *c = r->rules->flops ? group_use(&r->job, ROLE_AICORE, 0) : NULL;

    if (!r->rules->flops)
        return OK;
    x.peak = aicore_peak_flops_per_s(info);
    if (!c || x.peak <= 0) {
        nothing(r, c ? "info.json has no frequency and number of cores" : "no aicore data");
        return OK;
    }
    if (make(&x, e) == OK && read_records(&x, c, e) == OK && x.n_ops)
        (void)write_all(&x, e);
    if (!e->code && !x.n_ops)
        nothing(r, "no op with counters and a time");
    intern_free(x.pairs);
    intern_free(x.named);
    free(x.ops);
    free(x.links);
    free(x.nodes);
    return e->code;
}
