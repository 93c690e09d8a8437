/* SPDX-License-Identifier: Apache-2.0 */
/* Compare what an analysis wrote with what the raw data say. */
#include "config.h"

#include "import/agree/agree_int.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "parsers/registry.h"

#define NAME_B 90 /* bytes of the end of a long name that a note shows */

/* ---- comparisons ---- */

/* Rows of whole files of these kinds. */
#define WHOLE(kinds)                                                                                         \
    "JOIN source s ON s.id = x.source_id WHERE x.rank = :rank AND s.kind IN (" kinds                         \
    ") AND s.state NOT IN ('TORN', 'LIMIT', 'BAD') "
#define TEXT(id) "(SELECT text FROM string WHERE id = " id ")"
#define TIMES                                                                                                \
    {                                                                                                        \
        KNOWN_DIFF_NEIGHBOURS, KNOWN_DIFF_FIRST_TASK                                                         \
    }

/*
 * Tolerances (doc/formats/mindspore1.md#op-executions to #flops, #memory_usage_summary): ticks and times with
 * their decimals are exact. A mean is the quotient of a running sum of doubles, 2^-53 off for each execution
 * at worst, and so are figures made from it. FLOPs of ops are one product, those of the run are rounded to 3
 * decimals of 10^6. Starts of AI CPU tasks are in whole us up to r1.2.
 */
/* clang-format off */
static const struct agreement agreements[] = {
    { "steps", "step", "step",
      "SELECT x.source_id, x.line, x.step, 0, start_ns, end_ns, total_ns, fp_ns, bp_ns, interval_ns, "
      "fp_bp_ns, tail_ns FROM step x " WHOLE("'g1_step_trace'") "ORDER BY x.rowid",
      &agree_step_side,
      { { "start", AT, 0, 0, COL(step, start_ns), false }, { "end", AT, 0, 0, COL(step, end_ns), false },
          { "length", NS, 0, 0, COL(step, total_ns), false },
        { "forward start", AT, 0, 0, COL(step, fp_ns), false }, { "backward end", AT, 0, 0, COL(step, bp_ns),
        false }, { "iteration interval", NS, 0, 0, COL(step, interval_ns), false },
        { "forward and backward", NS, 0, 0, COL(step, fp_bp_ns), false },
        { "tail", NS, 0, 0, COL(step, tail_ns), false } },
      { COL(step, step), NO_COL }, COL(step, complete), { KNOWN_DIFF_SLICE, KNOWN_DIFF_ONE_WAY } },
    { "ops with executions", "op", "op_exec", NULL, &agree_exec_side,
      { { "executions", PLAIN, 0, 0, 0, false }, { "time", NS, 0, 0, 0, false }, { "sum of starts", AT, 0, 0,
      0, false } }, { NO_COL, NO_COL }, NO_COL, { KNOWN_DIFF_NEIGHBOURS, KNOWN_DIFF_NONE } },
    { "ops", "op", "op_exec",
      "SELECT x.source_id, x.line, " TEXT("x.name_id") ", NULL, avg_ns, calls FROM op_stat x "
      WHOLE("'g1_op_detail', 'g1_op_compute_time'") "AND by = 'op' ORDER BY x.rowid",
      &agree_mean_side, { { "mean time", REAL_NS, 0, 1e-10, 0, false }, { "executions", PLAIN, 0, 0, 0,
      false } }, { NO_COL, NO_COL }, NO_COL, TIMES },
    { "op types", "op type", "op_exec",
      "SELECT x.source_id, x.line, " TEXT("x.type_id") ", NULL, total_ns, calls FROM op_stat x "
      WHOLE("'g1_op_type'") "AND by = 'type' AND per = 'step' ORDER BY x.rowid",
      &agree_step_type_side, { { "sum of means", REAL_NS, 0, 1e-10, 0, false },
      { "ops", PLAIN, 0, 0, 0, false } }, { NO_COL, NO_COL }, NO_COL, TIMES },
    { "op types", "op type", "op_exec",
      "SELECT x.source_id, x.line, " TEXT("x.type_id") ", NULL, total_ns, calls FROM op_stat x "
      WHOLE("'g1_op_type'") "AND by = 'type' AND per = 'run' ORDER BY x.rowid",
      &agree_run_type_side, { { "time", REAL_NS, 0, 1e-10, 0, false }, { "executions", PLAIN, 0, 0, 0,
      false } }, { NO_COL, NO_COL }, NO_COL, TIMES },
    { "AI CPU tasks", "task", "aicpu_exec",
      "SELECT x.source_id, x.line, NULL, 0, ts_ns, total_ns, dispatch_ns, compute_ns FROM aicpu_exec x "
      WHOLE("'g1_aicpu', 'g1_aicpu_text'") "ORDER BY x.exec_id",
      &agree_rows_side,
      { { "start", AT, 0, 0, COL(aicpu_exec, ts_ns), true },
          { "total time", NS, 0, 0, COL(aicpu_exec, total_ns), false },
        { "dispatch time", NS, 0, 0, COL(aicpu_exec, dispatch_ns), false }, { "execution time", NS, 0, 0,
        COL(aicpu_exec, compute_ns), false } },
      { BY_ORDER, NO_COL }, NO_COL, { KNOWN_DIFF_LOST_FIRST, KNOWN_DIFF_NONE } },
    { "ops with FLOPs", "op", "op_flops",
      "SELECT x.source_id, x.line, x.op_id, NULL, ifnull(cube_flops, 0) + ifnull(vector_flops, 0), "
      "ifnull(flops_per_s, 0) + ifnull(vector_flops_per_s, 0) FROM op_flops x " WHOLE("'g1_flops'")
      "ORDER BY x.rowid",
      &agree_flops_side, { { "FLOPs", REAL, 0, 1e-12, 0, false }, { "FLOPS", REAL, 0, 1e-10, 0, false } },
      { BY_OP, NO_COL }, NO_COL, TIMES },
    { "sums of FLOPs", "run", "op_flops",
      "SELECT min(x.source_id), 0, 'sum', NULL, sum(flops) FROM flops_total x " WHOLE("'g1_flops_summary'")
      "AND step IS NULL AND x.kind IN ('all', 'cube', 'vector') GROUP BY x.source_id",
      &agree_total_side, { { "FLOPs", REAL, 1e3, 1e-12, 0, false } }, { NO_COL, NO_COL }, NO_COL,
      { KNOWN_DIFF_NEIGHBOURS, KNOWN_DIFF_NONE } },
    { "sums of memory", "rank", "mem_total",
      "SELECT x.source_id, 0, x.rank, 0, capacity_b, peak_b, static_b, allocations, deallocations "
      "FROM mem_total x " WHOLE("'g1_memory'") "ORDER BY x.rowid",
      &agree_rows_side,
      { { "capacity", BYTES, 0, 0, COL(mem_total, capacity_b), false },
          { "peak", BYTES, 0, 0, COL(mem_total, peak_b), false }, { "static memory", BYTES, 0, 0,
          COL(mem_total, static_b), false },
        { "allocations", PLAIN, 0, 0, COL(mem_total, allocations), false },
        { "releases", PLAIN, 0, 0, COL(mem_total, deallocations), false } },
      { COL(mem_total, rank), NO_COL }, NO_COL, { KNOWN_DIFF_NONE, KNOWN_DIFF_NONE } },
    { "nodes", "node", "mem_node",
      "SELECT x.source_id, 0, graph_id, node, x.used_b, x.size_b, x.allocated_b, x.allocations, "
      TEXT("x.name_id") " FROM mem_node x " WHOLE("'g1_memory'") "ORDER BY x.rowid",
      &agree_node_side,
      { { "memory in use", BYTES, 0, 0, COL(mem_node, used_b), false },
          { "size", BYTES, 0, 0, COL(mem_node, size_b), false },
          { "allocated", BYTES, 0, 0, COL(mem_node, allocated_b), false },
        { "allocations", PLAIN, 0, 0, COL(mem_node, allocations), false },
        { "name", NAME, 0, 0, COL(mem_node, name_id), false } },
      { COL(mem_node, graph_id), COL(mem_node, node) }, NO_COL, { KNOWN_DIFF_NONE, KNOWN_DIFF_NONE } },
    /*
     * the file has the outputs of ops only, from r1.7 on only those that live at the first node; shapes are
     * those of the ops (mem_names.h)
     */
    { "tensors", "tensor", "mem_tensor",
      "SELECT x.source_id, 0, graph_id, " TEXT("x.name_id") ", x.size_b, born_node, dies_node "
      "FROM mem_tensor x " WHOLE("'g1_memory'")
      "AND x.kind = 'output' ORDER BY x.rowid",
      &agree_tensor_side,
      { { "size", BYTES, 0, 0, COL(mem_tensor, size_b), false }, { "first node", PLAIN, 0, 0,
          COL(mem_tensor, born_node), false }, { "last node", PLAIN, 0, 0, COL(mem_tensor, dies_node),
          false } },
      { COL(mem_tensor, graph_id), COL(mem_tensor, name_id) }, NO_COL, { KNOWN_DIFF_NONE, KNOWN_DIFF_NONE } },
    /*
     * the analysis lists no op without a queue except the root; parents are those of the tree without such
     * ops
     */
    { "ops of the data pipeline", "op", "pipeline_op",
      "SELECT x.source_id, 0, op, 0, " TEXT("x.type_id")
      ", workers, queue_size, queue_avg, queue_use, sample_ms FROM pipeline_op x "
      WHOLE("'md_pipeline_profiling'")
      "AND (op = 0 OR (queue_size IS NOT NULL AND parent IS NOT NULL)) ORDER BY x.rowid",
      &agree_rows_side,
      { { "type", NAME, 0, 0, COL(pipeline_op, type_id), false },
          { "workers", PLAIN, 0, 0, COL(pipeline_op, workers), false }, { "queue capacity", PLAIN, 0, 0,
          COL(pipeline_op, queue_size), false },
        { "mean queue", REAL, 0, 1e-12, COL(pipeline_op, queue_avg), false }, { "queue use", REAL, 0, 1e-12,
        COL(pipeline_op, queue_use), false },
        { "sample interval", REAL, 0, 1e-12, COL(pipeline_op, sample_ms), false } },
      { COL(pipeline_op, op), NO_COL }, NO_COL, { KNOWN_DIFF_NONE, KNOWN_DIFF_NONE } },
    { "queue sizes", "wait", "queue_sample",
      "SELECT x.source_id, x.line, x.seq, 0, x.size FROM queue_sample x " WHOLE("'md_aicpu'")
      "ORDER BY x.rowid",
      &agree_wait_side, { { "queue size", PLAIN, 0, 0, COL(queue_sample, size), false } },
      { COL(queue_sample, seq), NO_COL }, NO_COL, { KNOWN_DIFF_NONE, KNOWN_DIFF_NONE } },
    { "waits for data", "wait", "batch_time",
      "SELECT x.source_id, x.line, batch, 0, ts_ns, dur_ns FROM batch_time x " WHOLE("'md_aicpu'")
      "ORDER BY x.rowid",
      &agree_wait_side, { { "start", AT, 0, 0, COL(batch_time, ts_ns), false }, { "length", REAL_NS, 0, 1e-12,
      COL(batch_time, dur_ns), false } },
      { COL(batch_time, batch), NO_COL }, NO_COL, { KNOWN_DIFF_NONE, KNOWN_DIFF_NONE } },
};
/* clang-format on */
#define N_AGREEMENTS ARRAY_LEN(agreements)

static size_t number_of(const struct agreement *g)
{
    return (size_t)(g - agreements);
}

/* ---- the raw side ---- */

static void on_op(void *arg, int64_t id, const struct op_key *k)
{
    struct agree *a = arg;

    if (!a->failed.code && agree_ops_op(a->ops, id, k, &a->failed))
        return; /* agree_say() returns the error */
}

static bool is_row_of(const struct agreement *g, enum table_id t)
{
    return (g->key[0] >= 0 || g->key[0] == BY_ORDER) && strcmp(g->raw, schema_tables[t].name) == 0;
}

static void add_row(struct agree *a, const struct agreement *g, const struct val *v)
{
    struct agree_rows *rows = &a->rows[number_of(g)];
    struct agree_row r = { .key = { (int64_t)rows->n } };

    if (g->only >= 0 && v[g->only].t == VAL_INT && v[g->only].i == 0)
        return;
    for (size_t i = 0; i < ARRAY_LEN(g->key); i++)
        if (g->key[i] >= 0)
            r.key[i] = v[g->key[i]].t == VAL_INT ? v[g->key[i]].i : 0;
    for (size_t i = 0; i < AGREE_FIGURES && g->f[i].name; i++)
        r.v[i] = v[g->f[i].col];
    if (agree_rows_add(rows, &r, &a->failed))
        return; /* agree_say() returns the error */
}

static void on_row(void *arg, enum table_id t, const struct val *v, size_t n)
{
    struct agree *a = arg;

    (void)n;
    if (a->failed.code)
        return;
    if ((int)t == STAGE_TASK_MARK)
        agree_ops_mark(a->ops, v);
    else if (t == T_op_exec)
        agree_ops_exec(a->ops, v);
    else if (t == T_op_flops)
        agree_ops_flops(a->ops, v);
    else
        for (size_t i = 0; i < N_AGREEMENTS && !a->failed.code; i++)
            if (is_row_of(&agreements[i], t))
                add_row(a, &agreements[i], v);
}

int agree_new(struct agree **out, int rank, struct err *e)
{
    struct agree *a = calloc(1, sizeof *a);

    if (!a)
        return err_nomem(e);
    a->rank = rank;
    a->agreements = agreements;
    a->rows = calloc(N_AGREEMENTS, sizeof *a->rows);
    if (!a->rows)
        err_nomem(e);
    if (e->code || sink_count_new(&a->sink, e) || agree_ops_new(&a->ops, e)) {
        agree_free(a);
        return e->code;
    }
    sink_count_on_row(a->sink, on_row, a);
    sink_count_on_op(a->sink, on_op);
    *out = a;
    return OK;
}

void agree_free(struct agree *a)
{
    if (!a)
        return;
    for (size_t i = 0; a->rows && i < N_AGREEMENTS; i++)
        agree_rows_done(&a->rows[i]);
    free(a->rows);
    agree_ops_free(a->ops);
    sink_count_free(a->sink);
    free(a);
}

struct sink_count *agree_sink(struct agree *a)
{
    return a->sink;
}

/* ---- figures ---- */

static bool is_close(const struct figure *f, const struct val *here, const struct val *there)
{
    if (here->t == VAL_NULL || there->t == VAL_TEXT) /* the file does not record it */
        return true;
    if (there->t == VAL_NULL)
        return false;
    if (here->t == VAL_INT && there->t == VAL_INT) {
        if (f->coarse && here->i % 1000 == 0 && there->i >= here->i && there->i < here->i + 1000)
            return true;
        return here->i == there->i;
    }
    double a = val_num(here), b = val_num(there);
    return fabs(a - b) <= f->abs + f->rel * fmax(fabs(a), fabs(b));
}

/* The first figure that is not the same; SIZE_MAX: all are. */
static size_t first_other(const struct agreement *g, const struct val *here, const struct val *there)
{
    for (size_t i = 0; i < AGREE_FIGURES && g->f[i].name; i++)
        if (!is_close(&g->f[i], &here[i], &there[i]))
            return i;
    return SIZE_MAX;
}

static void format_figure(const struct agree *a, const struct figure *f, const struct val *v, char *buf,
                          size_t n)
{
    if (v->t == VAL_NULL || v->t == VAL_TEXT)
        snprintf(buf, n, "none");
    else if (f->unit == NS || f->unit == AT)
        snprintf(buf, n, "%" PRId64 ".%06d ms", v->i / 1000000, (int)llabs(v->i % 1000000));
    else if (f->unit == NAME)
        str_copy(sink_count_string(a->sink, v->i), buf, n);
    else if (f->unit == REAL_NS)
        snprintf(buf, n, "%.12g ms", v->r / 1e6);
    else if (v->t == VAL_INT)
        snprintf(buf, n, "%" PRId64 "%s", v->i, f->unit == BYTES ? " bytes" : "");
    else
        snprintf(buf, n, "%.15g", v->r);
}

static void format_key(const struct agreement *g, const struct agree_key *k, char *buf, size_t n)
{
    struct str t = k->text;

    if (!t.p && g->key[0] == BY_ORDER)
        snprintf(buf, n, "%s %" PRId64, g->one, k->n[0] + 1);
    else if (!t.p && g->key[1] == NO_COL)
        snprintf(buf, n, "%s %" PRId64, g->one, k->n[0]);
    else if (!t.p)
        snprintf(buf, n, "%s %" PRId64 " of %" PRId64, g->one, k->n[1], k->n[0]);
    else if (t.n > NAME_B)
        snprintf(buf, n, "~%.*s", NAME_B, t.p + t.n - NAME_B);
    else
        snprintf(buf, n, "%.*s", (int)t.n, t.p);
}

/* ---- comparing ---- */

/* Rows that differ in one way, and the first of them. */
struct tally {
    uint64_t n;
    struct where at;
    char key[140], here[100], there[60]; /* of the first row; there is "" when only one of the two has it */
};

struct compared {
    const struct agree *a;
    const struct agreement *g;
    struct tally by[1 + ARRAY_LEN(((struct agreement *)0)->known)]; /* by[0]: nothing explains it */
    bool *seen;
    size_t end;
    uint64_t n; /* rows of the file */
    uint32_t source_id;
};

static enum known_diff_id reading(const struct agreement *g, size_t i)
{
    return i ? g->known[i - 1] : KNOWN_DIFF_NONE;
}

/* there NULL: only the file has the row; here NULL: only the raw data have it. */
static void count(struct compared *c, size_t by, const struct where *at, const struct agree_key *k,
                  const struct val *here, const struct val *there)
{
    struct tally *t = &c->by[by];
    char figure[60];

    if (t->n++)
        return;
    t->at = *at;
    format_key(c->g, k, t->key, sizeof t->key);
    if (!here || !there) {
        snprintf(t->here, sizeof t->here, "%s", here ? "not in" : "only in");
        return;
    }
    size_t i = first_other(c->g, here, there);
    if (i == SIZE_MAX)
        i = 0;
    format_figure(c->a, &c->g->f[i], &here[i], figure, sizeof figure);
    snprintf(t->here, sizeof t->here, "%s %s,", c->g->f[i].name, figure);
    format_figure(c->a, &c->g->f[i], &there[i], t->there, sizeof t->there);
}

static void compare_row(struct compared *c, const struct where *at, const struct agree_key *k,
                        const struct val *here)
{
    const struct side *side = c->g->side;
    struct val raw[AGREE_FIGURES] = { 0 }, there[AGREE_FIGURES] = { 0 };
    size_t i = side->find(c->a, c->g, k, KNOWN_DIFF_NONE);
    bool is_there = i < c->end && side->figures(c->a, c->g, i, KNOWN_DIFF_NONE, raw);

    c->n++;
    c->source_id = at->source_id;
    if (is_there && first_other(c->g, here, raw) == SIZE_MAX) {
        c->seen[i] = true;
        return;
    }
    for (size_t by = 1; by < ARRAY_LEN(c->by) && reading(c->g, by); by++) {
        size_t m = side->find(c->a, c->g, k, reading(c->g, by));
        if (m >= c->end || !side->figures(c->a, c->g, m, reading(c->g, by), there) ||
            first_other(c->g, here, there) != SIZE_MAX)
            continue;
        c->seen[m] = true;
        count(c, by, at, k, here, is_there ? raw : NULL);
        return;
    }
    if (i < c->end)
        c->seen[i] = true;
    count(c, 0, at, k, here, is_there ? raw : NULL);
}

/* Items that the file does not have. */
static void compare_rest(struct compared *c)
{
    const struct side *side = c->g->side;
    const struct where at = { .source_id = c->source_id, .offset = ERR_NO_OFFSET };
    struct val v[AGREE_FIGURES];

    for (size_t i = 0; i < c->end; i++) {
        size_t by = 0;
        if (c->seen[i] || !side->figures(c->a, c->g, i, KNOWN_DIFF_NONE, v))
            continue;
        for (size_t k = 1; k < ARRAY_LEN(c->by) && reading(c->g, k) && !by; k++)
            by = side->figures(c->a, c->g, i, reading(c->g, k), v) ? 0 : k;
        struct agree_key key = side->key(c->a, c->g, i);
        count(c, by, &at, &key, NULL, v);
    }
}

/* ---- the rows of the file ---- */

static void set_figures(const struct compared *c, const struct query *q, int64_t origin, struct val *v)
{
    for (size_t i = 0; i < AGREE_FIGURES && c->g->f[i].name; i++) {
        v[i] = query_val(q, i + 4);
        if (c->g->f[i].unit == AT && v[i].t == VAL_INT)
            v[i].i += origin;
        if (c->g->f[i].unit >= REAL_NS && v[i].t == VAL_INT)
            v[i] = val_real((double)v[i].i);
        if (c->g->f[i].unit == NAME && v[i].t == VAL_TEXT)
            v[i] = val_int(sink_intern(sink_count_sink(c->a->sink), v[i].s));
    }
}

/* A text as second part of the key stands for its number among the texts of the raw data. */
static struct agree_key key_of(const struct compared *c, const struct fill *f, const struct query *q)
{
    struct val first = query_val(q, 2), second = query_val(q, 3);
    struct agree_key k = { .n = { first.t == VAL_NULL ? (int64_t)c->n : query_int(q, 2), query_int(q, 3) } };

    if (first.t == VAL_TEXT)
        return (struct agree_key){ .text = first.s };
    if (c->g->key[0] == BY_OP)
        return (struct agree_key){ .text = fill_op_name(f, k.n[0]) };
    if (second.t == VAL_TEXT) {
        k.n[1] = sink_count_find(c->a->sink, second.s);
        k.text = second.s;
    }
    return k;
}

static int compare_rows(struct compared *c, struct fill *f, struct err *e)
{
    struct store *s = fill_reader(f, e);
    struct query *q = NULL;
    int64_t origin = fill_rank_origin(f, c->a->rank);

    if (!s || store_query(s, &q, c->g->sql, e))
        return e->code;
    query_bind_int(q, ":rank", c->a->rank);
    while (query_step(q, e) == 1) {
        struct val here[AGREE_FIGURES] = { 0 };
        struct where at = { .source_id = (uint32_t)query_int(q, 0),
                            .line = (uint32_t)query_int(q, 1),
                            .offset = ERR_NO_OFFSET };
        struct agree_key k = key_of(c, f, q);
        set_figures(c, q, origin, here);
        compare_row(c, &at, &k, here);
    }
    query_free(q);
    return e->code;
}

/* Sums by op of the store's executions. */
struct exec_sums {
    int rank;
    int64_t origin;
    struct exec_sum {
        struct agree_sum s;
        uint64_t line; /* of the first */
    } * v;             /* by name */
    size_t n, cap;
};

static int on_exec(void *arg, const struct fill_exec *x, struct err *e)
{
    struct exec_sums *s = arg;

    if (x->rank != s->rank || !x->name_id)
        return OK;
    struct exec_sum *v = grow_array(s->v, x->name_id, &s->cap, sizeof *v, 256);
    if (!v)
        return err_nomem(e);
    s->v = v;
    for (; s->n <= x->name_id; s->n++)
        v[s->n] = (struct exec_sum){ .line = 0 };
    v += x->name_id;
    v->line = v->s.n++ ? v->line : x->line;
    v->s.total_ns = (int64_t)((uint64_t)v->s.total_ns + (uint64_t)x->dur_ns);
    v->s.at_sum += (uint64_t)x->ts_ns + (uint64_t)s->origin;
    return OK;
}

/* Names that stand for one op there (it was launched under several names) become the first of them. */
static int join_names(const struct compared *c, struct fill *f, struct exec_sums *s, struct err *e)
{
    size_t *first = calloc(c->end + 1, sizeof *first); /* by number there: that here, from 1 */

    if (!first)
        return err_nomem(e);
    for (size_t i = 0; i < s->n; i++) {
        const struct agree_key k = { .text = fill_string(f, (uint32_t)i) };
        size_t there = s->v[i].s.n ? c->g->side->find(c->a, c->g, &k, KNOWN_DIFF_NONE) : SIZE_MAX;
        if (there >= c->end)
            continue;
        if (!first[there]) {
            first[there] = i + 1;
            continue;
        }
        struct agree_sum *sum = &s->v[first[there] - 1].s;
        sum->n += s->v[i].s.n;
        sum->total_ns = (int64_t)((uint64_t)sum->total_ns + (uint64_t)s->v[i].s.total_ns);
        sum->at_sum += s->v[i].s.at_sum;
        s->v[i].s.n = 0;
    }
    free(first);
    return OK;
}

static int compare_execs(struct compared *c, struct fill *f, struct err *e)
{
    struct exec_sums s = { .rank = c->a->rank, .origin = fill_rank_origin(f, c->a->rank) };
    struct fill_feeder fed[2];
    size_t n;

    if (fill_feeders(f, "op_exec", s.rank, fed, ARRAY_LEN(fed), &n, e) || n != 1)
        return e->code;
    if (fill_execs(f, on_exec, &s, e) == OK && join_names(c, f, &s, e) == OK)
        for (size_t i = 0; i < s.n; i++) {
            const struct val here[AGREE_FIGURES] = { val_int((int64_t)s.v[i].s.n), val_int(s.v[i].s.total_ns),
                                                     val_int((int64_t)s.v[i].s.at_sum) };
            const struct where at = { .source_id = fed[0].source_id,
                                      .line = (uint32_t)s.v[i].line,
                                      .offset = ERR_NO_OFFSET };
            const struct agree_key k = { .text = fill_string(f, (uint32_t)i) };
            if (s.v[i].s.n)
                compare_row(c, &at, &k, here);
        }
    free(s.v);
    return e->code;
}

/* ---- notes ---- */

static int say(const struct compared *c, struct fill *f, const char *other, struct err *e)
{
    for (size_t by = 0; by < ARRAY_LEN(c->by); by++) {
        const struct tally *t = &c->by[by];
        const char *why = known_diff_brief(reading(c->g, by));
        if (!t->n)
            continue;
        if (fill_begin(f, t->at.source_id, e))
            return e->code;
        sink_note(fill_sink(f), NOTE_DIFFERS, &t->at,
                  "%s: %s %s%s%s; %" PRIu64 " of %" PRIu64 " %s differ%s%s", t->key, t->here, t->there,
                  t->there[0] ? " in " : "", other, t->n, c->n > t->n ? c->n : t->n, c->g->what,
                  why ? "; " KNOWN_DIFF_OF ": " : "", why ? why : "");
        if (fill_end(f, true, e))
            return e->code;
    }
    return OK;
}

static int compare(struct agree *a, struct fill *f, const struct agreement *g, const char *other,
                   struct err *e)
{
    struct compared c = { .a = a, .g = g, .end = g->side->end(a, g) };

    c.seen = calloc(c.end + 1, sizeof *c.seen);
    if (!c.seen)
        return err_nomem(e);
    int rc = g->sql ? compare_rows(&c, f, e) : compare_execs(&c, f, e);
    if (rc == OK && c.n) { /* a file without rows cannot differ */
        if (c.end <= g->side->all_to)
            compare_rest(&c);
        (void)say(&c, f, other, e);
    }
    free(c.seen);
    return e->code;
}

/* ---- the comparison of a table ---- */

/* Rows of executions that whole files of the analysis gave. */
#define EXEC_KINDS                                                                                           \
    "SELECT 1 FROM source WHERE id = :id AND kind IN ('g1_timeline_data', 'g1_hwts_text', "                  \
    "'kernel_details', 'op_summary') AND "                                                                   \
    "state NOT IN ('TORN', 'LIMIT', 'BAD')"

static int has_execs(struct fill *f, int rank, bool *out, struct err *e)
{
    struct fill_feeder fed[2];
    struct store *s = fill_reader(f, e);
    size_t n;

    if (!s || fill_feeders(f, "op_exec", rank, fed, ARRAY_LEN(fed), &n, e))
        return e->code;
    *out = n == 1 && store_int(s, 0, EXEC_KINDS, ":id", (int64_t)fed[0].source_id, NULL) == 1;
    return OK;
}

static int has_rows(struct fill *f, const struct agreement *g, int rank, bool *out, struct err *e)
{
    struct store *s = fill_reader(f, e);
    struct query *q = NULL;

    if (!g->sql)
        return has_execs(f, rank, out, e);
    if (!s || store_query(s, &q, g->sql, e))
        return e->code;
    query_bind_int(q, ":rank", rank);
    *out = query_step(q, e) == 1;
    query_free(q);
    return e->code;
}

int agree_wants(struct fill *f, const char *table, int rank, bool *out, struct err *e)
{
    *out = false;
    for (size_t i = 0; i < N_AGREEMENTS && !*out; i++)
        if (strcmp(agreements[i].raw, table) == 0 && has_rows(f, &agreements[i], rank, out, e))
            return e->code;
    return OK;
}

int agree_say(struct agree *a, struct fill *f, const char *table, const char *other, struct err *e)
{
    if (a->failed.code) {
        *e = a->failed;
        return e->code;
    }
    if (agree_ops_types(a->ops, e))
        return e->code;
    for (size_t i = 0; i < N_AGREEMENTS; i++) {
        bool has = true; /* compare() writes no note for a file without rows */
        if (strcmp(agreements[i].raw, table) != 0)
            continue;
        if ((!agreements[i].sql && has_execs(f, a->rank, &has, e)) ||
            (has && compare(a, f, &agreements[i], other, e)))
            return e->code;
    }
    return OK;
}
