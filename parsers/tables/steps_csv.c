/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps: step_trace_raw of MindSpore 1.x (doc/formats/mindspore1.md#step_trace_raw, #gpu-step-trace),
 * msprof's step_trace (doc/formats/analysed.md#step_trace), the cluster's table
 * (doc/formats/analysed.md#cluster_step_trace_time) and the cluster split of MindSpore 1.x
 * (doc/formats/mindspore1.md#overlap-rows). step_trace_time.csv needs no logic (parsers/tables/mapped_csv.c).
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/grow.h"
#include "parsers/parsers.h"
#include "parsers/read/csvmap.h"
#include "parsers/read/opwords.h"
#include "parsers/tables/step_cols.h"

/* A row that is no step is kept as a document: key, all cells as JSON. */
static int put_doc(struct csv_run *r, const char *key, struct err *e)
{
    struct val v[N_COLS(doc)] = { 0 };

    v[COL(doc, source_id)] = val_int((int64_t)r->f->id);
    v[COL(doc, key)] = val_cstr(key);
    v[COL(doc, value)] = csv_row_json(r);
    return sink_row(r->c->out, T_doc, v, N_COLS(doc), NULL, e);
}

/* times: start, end, duration. The step's row is in r->v. */
static int put_part(struct csv_run *r, int64_t stream, uint32_t name, const struct val *times, struct err *e)
{
    struct val v[N_COLS(step_part)] = { 0 };

    v[COL(step_part, rank)] = r->v[COL(step, rank)];
    v[COL(step_part, step)] = r->v[COL(step, step)];
    v[COL(step_part, kind)] = val_cstr("reduce");
    v[COL(step_part, stream)] = stream >= 0 ? val_int(stream) : val_null();
    v[COL(step_part, name_id)] = val_id(name);
    v[COL(step_part, start_ns)] = times[0];
    v[COL(step_part, end_ns)] = times[1];
    v[COL(step_part, dur_ns)] = times[2];
    v[COL(step_part, source_id)] = val_int((int64_t)r->f->id);
    v[COL(step_part, line)] = val_int(r->line);
    return sink_row(r->c->out, T_step_part, v, N_COLS(step_part), NULL, e);
}

/* a - b where both are known. */
static struct val minus(const struct val *a, const struct val *b)
{
    int64_t d;

    if (a->t != VAL_INT || b->t != VAL_INT || __builtin_sub_overflow(a->i, b->i, &d))
        return val_null();
    return val_int(d);
}

/* ---- step_trace_raw_N_detail_time.csv: ticks of 10 ns ---- */

enum { G_NUMBER = N_COLS(step), G_N };

/* clang-format off */
static const struct csv_col mindspore_cols[] = {
    { "step_num",           CV_RAW,     G_NUMBER },
    { "start_point",        CV_TS_TICK, COL(step, start_ns) },
    { "end_point",          CV_TS_TICK, COL(step, end_ns) },
    { "total",              CV_TICK,    COL(step, total_ns) },
    { "fp_point",           CV_TS_TICK, COL(step, fp_ns) },
    { "bp_point",           CV_TS_TICK, COL(step, bp_ns) },
    { "iteration_interval", CV_TICK,    COL(step, interval_ns) },
    /* inference: from the first op to the end */
    { "fp_and_bp|fp",       CV_TICK,    COL(step, fp_bp_ns) },
    { "tail",               CV_TICK,    COL(step, tail_ns) },
};
/* clang-format on */

/* A communication column triple: <base>, <base>_start_point, <base>_end_point. */
struct comm {
    int64_t stream;
    uint32_t name;
};
struct mindspore_steps {
    struct intern *bases; /* of the triples: a network may have thousands. Their ids count comms */
    struct comm *comms;
    size_t n;
};

static struct str comm_base(struct str name, size_t *part)
{
    static const struct str ends[] = { STR(""), STR("_start_point"), STR("_end_point") };

    for (*part = 2; *part > 0; --*part)
        if (name.n > ends[*part].n && str_ends(name, ends[*part]))
            break;
    return str_sub(name, 0, name.n - ends[*part].n);
}

/* A triple is what has a start. */
static int mindspore_match(struct csv_run *r, struct err *e)
{
    struct mindspore_steps *g = r->state;
    size_t part;

    intern_free(g->bases);
    g->bases = NULL;
    g->comms = arena_array(r->c->tmp, r->n_names, sizeof *g->comms);
    if (!g->comms)
        return err_nomem(e);
    if (intern_new(&g->bases, e))
        return e->code;
    for (size_t i = 0; i < r->n_names; i++) {
        struct str name, base = comm_base(r->names[i], &part);
        uint32_t known = intern_count(g->bases);
        if (part != 1 || base.n == 0)
            continue;
        uint32_t id = intern_put(g->bases, base);
        if (id == INTERN_NONE)
            return err_nomem(e);
        if (id != known)
            continue;
        op_comm_column(base, &g->comms[id].stream, &name);
        g->comms[id].name = sink_intern(r->c->out, name);
    }
    g->n = intern_count(g->bases);
    return OK;
}

static int mindspore_unknown(struct csv_run *r, size_t column, struct csv_col *out, struct err *e)
{
    static const enum csv_conv convs[] = { CV_TICK, CV_TS_TICK, CV_TS_TICK };
    struct mindspore_steps *g = r->state;
    size_t part;
    uint32_t i = intern_find(g->bases, comm_base(r->names[column], &part));

    (void)e;
    if (i != INTERN_NONE)
        *out = (struct csv_col){ NULL, convs[part], G_N + 3 * (size_t)i + part };
    return OK;
}

static void mindspore_done(struct csv_run *r)
{
    intern_free(((struct mindspore_steps *)r->state)->bases);
}

static int mindspore_row(struct csv_run *r, struct err *e)
{
    struct mindspore_steps *g = r->state;
    struct val *v = r->v, step;

    if (v[G_NUMBER].t != VAL_TEXT || !csv_convert(CV_INT, v[G_NUMBER].s, &step) || step.t != VAL_INT)
        return put_doc(r, "step_trace.average", e);
    if (v[COL(step, start_ns)].t == VAL_NULL && v[COL(step, end_ns)].t == VAL_NULL)
        return put_doc(r, "step_trace.average", e); /* old writers call it step 0 when there is no mean */
    v[COL(step, step)] = step;
    v[COL(step, complete)] = val_int(1);
    if (csv_put(r, e))
        return e->code;
    for (size_t i = 0; i < g->n; i++) {
        const struct val *c = &v[G_N + 3 * i];
        struct val times[3] = { c[1], c[2], c[0] };
        if (c[1].t == VAL_NULL || c[2].t == VAL_NULL)
            continue; /* the writer puts 0 for what this step does not have */
        if (put_part(r, g->comms[i].stream, g->comms[i].name, times, e))
            return e->code;
    }
    return OK;
}

static const struct csvmap mindspore_map = {
    .table = T_step,
    .n_slots = G_N - N_COLS(step),
    .wide = 3,
    .cols = mindspore_cols,
    .n_cols = ARRAY_LEN(mindspore_cols),
    .need = "start_point|end_point|fp_point|step_num",
    .state_b = sizeof(struct mindspore_steps),
    .match = mindspore_match,
    .unknown = mindspore_unknown,
    .row = mindspore_row,
    .done = mindspore_done,
};

int parse_step_trace_raw(struct parse_ctx *c, struct err *e)
{
    return csvmap_parse(&mindspore_map, c, e);
}

/* ---- step_trace of msprof ---- */

enum { M_N = N_COLS(step) };

/* clang-format off */
static const struct csv_col m_cols[] = {
    { "Device_id|Device Id",                        CV_DEVICE, CSV_DEVICE },
    { "Iteration ID",                               CV_INT,   COL(step, step) },
    { "FP Start(us)|FP Start",                      CV_TS_US, COL(step, fp_ns) },
    { "FP Start(ns)",                               CV_TS_NS, COL(step, fp_ns) },
    { "BP End(us)|BP End",                          CV_TS_US, COL(step, bp_ns) },
    { "BP End(ns)",                                 CV_TS_NS, COL(step, bp_ns) },
    { "Iteration End(us)|Iteration End",            CV_TS_US, COL(step, end_ns) },
    { "Iteration End(ns)",                          CV_TS_NS, COL(step, end_ns) },
    { "Iteration Time(us)|Iteration Time",          CV_US,    COL(step, total_ns) },
    { "Iteration Time(ns)",                         CV_NS,    COL(step, total_ns) },
    { "FP to BP Time(us)|FP to BP Time",            CV_US,    COL(step, fp_bp_ns) },
    { "FP to BP Time(ns)",                          CV_NS,    COL(step, fp_bp_ns) },
    { "Iteration Refresh(us)|Iteration Refresh",    CV_US,    COL(step, refresh_ns) },
    { "Iteration Refresh(ns)",                      CV_NS,    COL(step, refresh_ns) },
    { "Data Aug Bound(us)|Data Aug Bound",          CV_US,    COL(step, data_aug_ns) },
    { "Data Aug Bound(ns)",                         CV_NS,    COL(step, data_aug_ns) },
    { "Model ID",                                   CV_ID,    COL(step, model_id) },
};
/* Pairs, as often as a step had reduce ops at most. */
static const struct {
    struct str name;
    size_t part;
    enum csv_conv conv;
} m_pairs[] = {
    { STR("Reduce Start(us)"), 0, CV_TS_US },
    { STR("Reduce Start"), 0, CV_TS_US },
    { STR("Reduce Start(ns)"), 0, CV_TS_NS },
    { STR("Reduce Duration(us)"), 1, CV_US },
    { STR("Reduce Duration"), 1, CV_US },
    { STR("Reduce Duration(ns)"), 1, CV_NS },
};
/* clang-format on */

struct m_steps {
    size_t n[2]; /* columns met: starts, durations */
};

static int m_match(struct csv_run *r, struct err *e)
{
    struct m_steps *m = r->state;

    (void)e;
    m->n[0] = m->n[1] = 0;
    return OK;
}

static int m_unknown(struct csv_run *r, size_t column, struct csv_col *out, struct err *e)
{
    struct m_steps *m = r->state;

    (void)e;
    for (size_t i = 0; i < ARRAY_LEN(m_pairs); i++)
        if (str_eq_nocase(r->names[column], m_pairs[i].name)) {
            size_t part = m_pairs[i].part;
            *out = (struct csv_col){ NULL, m_pairs[i].conv, M_N + 2 * m->n[part]++ + part };
            return OK;
        }
    return OK;
}

static int m_row(struct csv_run *r, struct err *e)
{
    struct m_steps *m = r->state;
    struct val *v = r->v;

    v[COL(step, start_ns)] = minus(&v[COL(step, end_ns)], &v[COL(step, total_ns)]);
    v[COL(step, interval_ns)] = minus(&v[COL(step, fp_ns)], &v[COL(step, start_ns)]);
    v[COL(step, tail_ns)] = minus(&v[COL(step, end_ns)], &v[COL(step, bp_ns)]);
    if (v[COL(step, fp_ns)].t == VAL_NULL || v[COL(step, bp_ns)].t == VAL_NULL)
        v[COL(step, fp_bp_ns)] = val_null(); /* printed as 0 where there are no marks */
    v[COL(step, complete)] = val_int(1);
    if (csv_put(r, e))
        return e->code;
    for (size_t i = 0; i < m->n[0]; i++) {
        const struct val *start = &v[M_N + 2 * i], *dur = start + 1;
        struct val times[3] = { *start, val_null(), i < m->n[1] ? *dur : val_null() };
        int64_t end;
        if (start->t != VAL_INT)
            continue;
        if (times[2].t == VAL_INT && !__builtin_add_overflow(start->i, times[2].i, &end))
            times[1] = val_int(end);
        if (put_part(r, -1, 0, times, e))
            return e->code;
    }
    return OK;
}

static const struct csvmap m_map = {
    .table = T_step,
    .wide = 2,
    .cols = m_cols,
    .n_cols = ARRAY_LEN(m_cols),
    .need = "Iteration ID|Iteration End(us)|Iteration End(ns)|Iteration End",
    .state_b = sizeof(struct m_steps),
    .match = m_match,
    .unknown = m_unknown,
    .row = m_row,
};

int parse_step_trace(struct parse_ctx *c, struct err *e)
{
    return csvmap_parse(&m_map, c, e);
}

/* ---- cluster_step_trace_time.csv ---- */

enum { C_TYPE = N_COLS(step), C_INDEX, C_N };

/* clang-format off */
static const struct csv_col c_cols[] = {
    STEP_SPLIT_COLS,
    { "Type",                           CV_CELL, C_TYPE },
    { "Index",                          CV_CELL, C_INDEX },
    { "DP Index|PP Index|TP Index",     CV_EXTRA, 0 },
};
/* clang-format on */

/* Rows of ranks are steps of that rank; rows of stages are the maximum over their ranks. */
static int c_row(struct csv_run *r, struct err *e)
{
    struct str type = r->v[C_TYPE].t == VAL_TEXT ? r->v[C_TYPE].s : STR_NULL;
    struct str index = r->v[C_INDEX].t == VAL_TEXT ? r->v[C_INDEX].s : STR_NULL;
    struct val rank;
    char key[200], text[120], step[24] = "";

    if (!str_eq_nocase(type, STR("stage")) && csv_convert(CV_INT, index, &rank) && rank.t == VAL_INT) {
        r->v[COL(step, rank)] = rank;
        return csv_put(r, e);
    }
    if (r->v[COL(step, step)].t == VAL_INT)
        snprintf(step, sizeof step, " %lld", (long long)r->v[COL(step, step)].i);
    snprintf(key, sizeof key, "cluster_step_trace_time.step%s.stage %s", step,
             str_copy(index, text, sizeof text));
    return put_doc(r, key, e);
}

static const struct csvmap c_map = {
    .table = T_step,
    .n_slots = C_N - N_COLS(step),
    .cols = c_cols,
    .n_cols = ARRAY_LEN(c_cols),
    .need = "Computing|Index",
    .row = c_row,
};

int parse_cluster_steps(struct parse_ctx *c, struct err *e)
{
    return csvmap_parse(&c_map, c, e);
}

/* ---- (ascend|gpu)_cluster_analyse_*.csv ---- */

enum { A_COLS = 8 };

static const char *const a_kinds[A_COLS] = {
    "computing", "comm_not_overlapped", "stage", "bubble", "comm_no_receive", "interval", "fwd_bwd", "tail"
};
/* clang-format off */
static const struct csv_col a_cols[] = {
    { "computation_time",                       CV_MS, 0 },
    { "communication_alone_time",               CV_MS, 1 },
    { "stage_time",                             CV_MS, 2 },
    { "receive_alone_time",                     CV_MS, 3 },
    { "collective_communication_alone_time",    CV_MS, 4 },
    /* data parallel: what the step trace has, in ms as the others (doc/formats/mindspore1.md#unconfirmed) */
    { "iteration_interval",                     CV_MS, 5 },
    { "fp_and_bp",                              CV_MS, 6 },
    { "tail",                                   CV_MS, 7 },
};
/* clang-format on */

struct split_row {
    struct val v[A_COLS];
    uint32_t line;
};
struct split {
    struct split_row *rows;
    size_t n, cap;
};

static int a_match(struct csv_run *r, struct err *e)
{
    struct split *s = r->state;

    (void)e;
    s->n = 0;
    return OK;
}

static int a_row(struct csv_run *r, struct err *e)
{
    struct split *s = r->state;

    void *p = grow_array(s->rows, s->n, &s->cap, sizeof *s->rows, 64);
    if (!p)
        return err_nomem(e);
    s->rows = p;
    memcpy(s->rows[s->n].v, r->v, sizeof s->rows[s->n].v);
    s->rows[s->n++].line = r->line;
    return OK;
}

/* The value of the last row is the mean of rows first..n-2 in this column, within the rounding to
 * 0.1 us. */
static bool is_mean(const struct split *s, size_t first, size_t col)
{
    double sum = 0;

    for (size_t i = first; i < s->n - 1; i++)
        sum += val_num(&s->rows[i].v[col]);
    double d = sum / (double)(s->n - 1 - first) - val_num(&s->rows[s->n - 1].v[col]);
    return d > -200 && d < 200;
}

/*
 * The last of three rows and more is the mean of all steps but the first (r1.5: of all). In a cut file it is
 * a step unless its values say otherwise; a cut exactly between two lines cannot be seen.
 */
static bool has_mean(const struct split *s, bool torn)
{
    int hits = 0, known = 0;

    if (s->n < 3 || !torn)
        return s->n >= 3;
    for (size_t col = 0; col < A_COLS; col++) {
        if (s->rows[s->n - 1].v[col].t == VAL_NULL)
            continue;
        known++;
        hits += is_mean(s, 1, col) || is_mean(s, 0, col);
    }
    return hits * 2 > known; /* some versions repeat a sum in one column */
}

static int put_split(struct csv_run *r, const struct split_row *row, int64_t step, struct err *e)
{
    for (size_t col = 0; col < A_COLS; col++) {
        struct val v[N_COLS(step_part)] = { 0 };
        if (row->v[col].t == VAL_NULL)
            continue;
        v[COL(step_part, rank)] = val_int(csv_rank(r, NULL));
        v[COL(step_part, step)] = val_int(step);
        v[COL(step_part, kind)] = val_cstr(a_kinds[col]);
        v[COL(step_part, dur_ns)] = row->v[col];
        v[COL(step_part, source_id)] = val_int((int64_t)r->f->id);
        v[COL(step_part, line)] = val_int(row->line);
        if (sink_row(r->c->out, T_step_part, v, N_COLS(step_part), NULL, e))
            return e->code;
    }
    return OK;
}

static int put_mean(struct csv_run *r, const struct split_row *row, struct err *e)
{
    struct val v[N_COLS(doc)] = { 0 };
    struct buf b;

    buf_init(&b, 4096);
    for (size_t col = 0; col < A_COLS; col++)
        if (row->v[col].t == VAL_INT)
            buf_printf(&b, "%c\"%s_ns\":%lld", b.n ? ',' : '{', a_kinds[col], (long long)row->v[col].i);
    buf_addc(&b, '}');
    v[COL(doc, source_id)] = val_int((int64_t)r->f->id);
    v[COL(doc, key)] = val_cstr("cluster_analyse.average");
    v[COL(doc, value)] = val_text(buf_str(&b));
    (void)sink_row(r->c->out, T_doc, v, N_COLS(doc), NULL, e);
    buf_done(&b);
    return e->code;
}

static int a_end(struct csv_run *r, struct err *e)
{
    struct split *s = r->state;
    bool mean = has_mean(s, r->torn);

    for (size_t i = 0; i < s->n - mean; i++)
        if (put_split(r, &s->rows[i], (int64_t)i + 1, e))
            return e->code;
    return mean ? put_mean(r, &s->rows[s->n - 1], e) : OK;
}

static void a_done(struct csv_run *r)
{
    free(((struct split *)r->state)->rows);
}

static const struct csvmap a_map = {
    .table = CSV_NO_TABLE,
    .n_slots = A_COLS,
    .cols = a_cols,
    .n_cols = ARRAY_LEN(a_cols),
    .state_b = sizeof(struct split),
    .match = a_match,
    .row = a_row,
    .end = a_end,
    .done = a_done,
};

int parse_cluster_analyse(struct parse_ctx *c, struct err *e)
{
    return csvmap_parse(&a_map, c, e);
}
