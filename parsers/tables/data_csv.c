/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of the data pipeline: minddata_pipeline_raw and _summary (doc/formats/mindspore1.md#data-pipeline),
 * aicpu_mi and dp (doc/formats/analysed.md#aicpu_mi, #dp).
 */
#include "config.h"

#include <stdio.h>

#include "base/buf.h"
#include "parsers/parsers.h"
#include "parsers/read/csvmap.h"
#include "parsers/read/jsoncell.h"

/* ---- minddata_pipeline_raw ---- */

enum { RAW_SIZES = N_COLS(pipeline_op), RAW_N };

/* clang-format off */
static const struct csv_col raw_cols[] = {
    { "op_id",                      CV_INT,  COL(pipeline_op, op) },
    { "op_type",                    CV_STR,  COL(pipeline_op, type_id) },
    { "num_workers",                CV_INT,  COL(pipeline_op, workers) },
    { "output_queue_size",          CV_CELL, RAW_SIZES },
    { "output_queue_average_size",  CV_REAL, COL(pipeline_op, queue_avg) },
    { "output_queue_length",        CV_INT,  COL(pipeline_op, queue_size) },
    { "output_queue_usage_rate",    CV_REAL, COL(pipeline_op, queue_use) },
    { "sample_interval",            CV_REAL, COL(pipeline_op, sample_ms) },
    { "parent_id",                  CV_INT,  COL(pipeline_op, parent) },
    { "children_id",                CV_CELL, COL(pipeline_op, children) },
};
/* clang-format on */

static int put_sample(struct csv_run *r, struct str queue, int64_t seq, struct val size, struct err *e)
{
    struct val v[N_COLS(queue_sample)] = { 0 };

    v[COL(queue_sample, rank)] = r->v[COL(pipeline_op, rank)];
    v[COL(queue_sample, queue)] = val_text(queue);
    v[COL(queue_sample, seq)] = val_int(seq);
    v[COL(queue_sample, size)] = size;
    v[COL(queue_sample, capacity)] = r->v[COL(pipeline_op, queue_size)];
    v[COL(queue_sample, source_id)] = val_int((int64_t)r->f->id);
    v[COL(queue_sample, line)] = val_int(r->line);
    return sink_row(r->c->out, T_queue_sample, v, N_COLS(queue_sample), NULL, e);
}

/* One row of the op, one of each sample of its queue. */
static int raw_row(struct csv_run *r, struct err *e)
{
    const struct val *sizes = &r->v[RAW_SIZES], *op = &r->v[COL(pipeline_op, op)];
    char name[48];
    struct str item;
    struct val size;
    size_t pos = 0;
    bool is_string;

    if (csv_put(r, e) || sizes->t != VAL_TEXT || op->t != VAL_INT)
        return e->code;
    snprintf(name, sizeof name, "connector %lld", (long long)op->i);
    for (int64_t seq = 0; jc_item(sizes->s, &pos, &item, &is_string); seq++) {
        if (!csv_convert(CV_INT, item, &size))
            csv_bad_value(r, csv_column_of(r, RAW_SIZES));
        else if (put_sample(r, str_of(name), seq, size, e))
            return e->code;
    }
    return OK;
}

static const struct csvmap raw_map = {
    .table = T_pipeline_op,
    .n_slots = RAW_N - N_COLS(pipeline_op),
    .cols = raw_cols,
    .n_cols = ARRAY_LEN(raw_cols),
    .row = raw_row,
};

int parse_pipeline_raw(struct parse_ctx *c, struct err *e)
{
    return csvmap_parse(&raw_map, c, e);
}

/* ---- minddata_pipeline_summary: one line per key, a cell per op ---- */

/* Lines with a cell per op: the column they fill. -1 stands for none in numbers. */
/* clang-format off */
static const struct {
    const char *key;
    enum csv_conv conv;
    size_t slot;
} per_op[] = {
    { "op_ids",                 CV_INT,     COL(pipeline_op, op) },
    { "op_names",               CV_STR,     COL(pipeline_op, type_id) },
    { "num_workers",            CV_INT,     COL(pipeline_op, workers) },
    { "queue_average_size",     CV_REAL,    COL(pipeline_op, queue_avg) },
    { "queue_utilization_pct",  CV_PERCENT, COL(pipeline_op, queue_use) },
    { "queue_empty_freq_pct",   CV_PERCENT, COL(pipeline_op, queue_empty_share) },
    { "children_ids",           CV_CELL,    COL(pipeline_op, children) },
    { "parent_id",              CV_INT,     COL(pipeline_op, parent) },
    { "avg_cpu_pct",            CV_PERCENT, COL(pipeline_op, cpu_share) },
    { "avg_cpu_pct_per_worker", CV_PERCENT, COL(pipeline_op, cpu_per_worker) },
    { "pipeline_ops",           CV_SKIP,    0 },    /* name and id once more */
};
/* Lines of sentences about ops, "... Name(id=N) ...". */
static const char *const sentences[] = { "cpu_analysis_details", "queue_analysis_details" };
/* clang-format on */

#define SENTENCES_MAX ((size_t)64 << 10)

struct summary {
    struct val (*ops)[N_COLS(pipeline_op)];
    struct buf **texts; /* sentences about an op, each on a line */
    size_t n, room;
};

/* Room for n ops: a line of the file has a cell for each. */
static int ops_room(struct csv_run *r, size_t n, struct err *e)
{
    struct summary *s = r->state;
    size_t room = s->room ? s->room : 64;

    while (room < n)
        room *= 2;
    if (room == s->room)
        return OK;
    struct val(*ops)[N_COLS(pipeline_op)] = arena_array(r->c->tmp, room, sizeof *ops);
    struct buf **texts = arena_array(r->c->tmp, room, sizeof *texts);
    if (!ops || !texts)
        return err_nomem(e);
    if (s->room) {
        memcpy(ops, s->ops, s->room * sizeof *ops);
        memcpy(texts, s->texts, s->room * sizeof *texts);
    }
    for (size_t i = s->room; i < room; i++) {
        texts[i] = arena_alloc(r->c->tmp, sizeof *texts[i]);
        if (!texts[i])
            return err_nomem(e);
        buf_init(texts[i], SENTENCES_MAX);
    }
    s->ops = ops;
    s->texts = texts;
    s->room = room;
    return OK;
}

static void summary_done(struct csv_run *r)
{
    struct summary *s = r->state;

    for (size_t i = 0; i < s->room; i++)
        buf_done(s->texts[i]);
}

static int summary_match(struct csv_run *r, struct err *e)
{
    struct summary *s = r->state;

    summary_done(r);
    *s = (struct summary){ 0 };
    return ops_room(r, 1, e);
}

static int fill_ops(struct csv_run *r, const struct str *cells, size_t n, size_t which, struct err *e)
{
    struct summary *s = r->state;

    if (ops_room(r, n, e))
        return e->code;
    for (size_t i = 1; i < n; i++) {
        struct val *out = &s->ops[i - 1][per_op[which].slot];
        if (per_op[which].conv == CV_STR)
            *out = sink_text(r->c->out, cells[i]);
        else if (per_op[which].conv == CV_CELL)
            *out = val_text(arena_str(r->c->tmp, cells[i]));
        else if (!csv_convert(per_op[which].conv, cells[i], out))
            csv_bad_value(r, i);
        if ((out->t == VAL_INT && out->i == -1) || (out->t == VAL_REAL && out->r < 0))
            *out = val_null();
        if (per_op[which].conv == CV_CELL && out->t == VAL_NULL)
            return err_nomem(e);
    }
    if (n > s->n + 1)
        s->n = n - 1;
    return OK;
}

static int put_text(struct csv_run *r, struct str key, size_t i, struct str text, struct err *e)
{
    struct val v[N_COLS(doc)] = { 0 };
    char name[120], word[64];

    snprintf(name, sizeof name, "minddata_pipeline_summary.%s.%zu", str_copy(key, word, sizeof word), i);
    v[COL(doc, source_id)] = val_int((int64_t)r->f->id);
    v[COL(doc, key)] = val_cstr(name);
    v[COL(doc, value)] = val_text(text);
    return sink_row(r->c->out, T_doc, v, N_COLS(doc), NULL, e);
}

/* Number after "(id=" in a sentence, -1: none. */
static int64_t id_in(struct str text)
{
    size_t at = str_find(text, STR("(id="), 0);
    int64_t id = -1;

    if (at == SIZE_MAX)
        return -1;
    struct str rest = str_sub(text, at + 4, text.n);
    size_t close = str_chr(rest, ')');
    return close != SIZE_MAX && str_i64(str_sub(rest, 0, close), &id) ? id : -1;
}

/* A sentence goes to the op it names first; what does not fit there is a document all the same. */
static void add_sentence(struct summary *s, struct str text)
{
    int64_t id = id_in(text);

    for (size_t i = 0; i < s->n; i++) {
        const struct val *op = &s->ops[i][COL(pipeline_op, op)];
        if (op->t != VAL_INT || op->i != id || s->texts[i]->n + text.n + 1 > SENTENCES_MAX)
            continue;
        buf_puts(s->texts[i], s->texts[i]->n ? "\n" : "");
        buf_add(s->texts[i], text);
        return;
    }
}

static int summary_line(struct csv_run *r, const struct str *cells, size_t n, struct err *e)
{
    for (size_t k = 0; k < ARRAY_LEN(per_op); k++)
        if (str_eq(cells[0], str_of(per_op[k].key)))
            return per_op[k].conv == CV_SKIP ? OK : fill_ops(r, cells, n, k, e);
    for (size_t i = 1; i < n; i++) {
        if (put_text(r, cells[0], i - 1, cells[i], e))
            return e->code;
        for (size_t k = 0; k < ARRAY_LEN(sentences); k++)
            if (str_eq(cells[0], str_of(sentences[k])))
                add_sentence(r->state, cells[i]);
    }
    return OK;
}

/* The first line is a line like the others. */
static int summary_header(struct csv_run *r, struct err *e)
{
    r->cells = r->names;
    r->n_cells = r->n_names;
    r->c->rows++;
    return summary_line(r, r->names, r->n_names, e);
}

static int summary_row(struct csv_run *r, struct err *e)
{
    return r->n_cells ? summary_line(r, r->cells, r->n_cells, e) : OK;
}

static int summary_unknown(struct csv_run *r, size_t column, struct csv_col *out, struct err *e)
{
    (void)r;
    (void)column;
    (void)e;
    out->conv = CV_SKIP;
    return OK;
}

static int summary_end(struct csv_run *r, struct err *e)
{
    struct summary *s = r->state;

    for (size_t i = 0; i < s->n; i++) {
        struct val *v = s->ops[i];
        if (v[COL(pipeline_op, op)].t == VAL_NULL)
            v[COL(pipeline_op, op)] = val_int((int64_t)i);
        v[COL(pipeline_op, rank)] = val_int(csv_rank(r, NULL));
        v[COL(pipeline_op, text)] = s->texts[i]->n ? val_text(buf_str(s->texts[i])) : val_null();
        v[COL(pipeline_op, source_id)] = val_int((int64_t)r->f->id);
        if (sink_row(r->c->out, T_pipeline_op, v, N_COLS(pipeline_op), NULL, e))
            return e->code;
    }
    return OK;
}

static const struct csvmap summary_map = {
    .table = CSV_NO_TABLE,
    .need = "op_ids|op_names|pipeline_ops|num_workers|queue_average_size|parent_id",
    .ragged = true,
    .state_b = sizeof(struct summary),
    .match = summary_match,
    .unknown = summary_unknown,
    .header = summary_header,
    .row = summary_row,
    .end = summary_end,
    .done = summary_done,
};

int parse_pipeline_summary(struct parse_ctx *c, struct err *e)
{
    return csvmap_parse(&summary_map, c, e);
}

/* ---- aicpu_mi, dp: samples of device queues, numbered per queue ---- */

#define QUEUES 64 /* told apart by name; further ones share a number */

struct queues {
    struct str names[QUEUES];
    int64_t next[QUEUES];
    size_t n;
};

enum { Q_START = N_COLS(queue_sample), Q_END, Q_N };

/* clang-format off */
static const struct csv_col mi_cols[] = {
    { "Device_id|Device Id",        CV_DEVICE, CSV_DEVICE },
    { "Node Name",                  CV_CELL,   COL(queue_sample, queue) },
    { "Start Time(us)|Start Time",  CV_US,     Q_START },   /* on the device's own clock */
    { "End Time(us)|End Time",      CV_US,     Q_END },
    { "Queue Size",                 CV_INT,    COL(queue_sample, size) },
};
static const struct csv_col dp_cols[] = {
    { "Device_id|Device Id",        CV_DEVICE, CSV_DEVICE },
    { "Timestamp(us)",              CV_TS_US,  COL(queue_sample, ts_ns) },
    { "Action",                     CV_CELL,   COL(queue_sample, action) },
    { "Source",                     CV_CELL,   COL(queue_sample, queue) },
    { "Cached Buffer Size",         CV_INT,    COL(queue_sample, size) },
};
/* clang-format on */

static int64_t next_number(struct csv_run *r)
{
    struct queues *q = r->state;
    struct str name =
        r->v[COL(queue_sample, queue)].t == VAL_TEXT ? r->v[COL(queue_sample, queue)].s : STR("");
    size_t i = 0;

    while (i < q->n && !str_eq(q->names[i], name))
        i++;
    if (i == q->n && q->n < QUEUES) {
        q->names[q->n] = arena_str(r->c->tmp, name);
        q->n++;
    }
    return q->next[i < QUEUES ? i : QUEUES - 1]++;
}

static int put_wait(struct csv_run *r, struct err *e)
{
    const struct val *start = &r->v[Q_START], *end = &r->v[Q_END];
    struct val v[N_COLS(batch_time)] = { 0 };
    int64_t dur;

    if (start->t != VAL_INT || end->t != VAL_INT || __builtin_sub_overflow(end->i, start->i, &dur))
        return OK;
    v[COL(batch_time, rank)] = r->v[COL(queue_sample, rank)];
    v[COL(batch_time, batch)] = r->v[COL(queue_sample, seq)];
    v[COL(batch_time, kind)] = val_cstr("getnext");
    v[COL(batch_time, dur_ns)] = val_real((double)dur);
    v[COL(batch_time, start_us)] = val_real((double)start->i / 1e3);
    v[COL(batch_time, source_id)] = val_int((int64_t)r->f->id);
    v[COL(batch_time, line)] = val_int(r->line);
    return sink_row(r->c->out, T_batch_time, v, N_COLS(batch_time), NULL, e);
}

static int queue_row(struct csv_run *r, struct err *e)
{
    r->v[COL(queue_sample, seq)] = val_int(next_number(r));
    return csv_put(r, e) ? e->code : put_wait(r, e);
}

static const struct csvmap mi_map = {
    .table = T_queue_sample,
    .n_slots = Q_N - N_COLS(queue_sample),
    .cols = mi_cols,
    .n_cols = ARRAY_LEN(mi_cols),
    .need = "Node Name|Queue Size",
    .state_b = sizeof(struct queues),
    .row = queue_row,
};
static const struct csvmap dp_map = {
    .table = T_queue_sample,
    .n_slots = Q_N - N_COLS(queue_sample),
    .cols = dp_cols,
    .n_cols = ARRAY_LEN(dp_cols),
    .need = "Action|Source|Cached Buffer Size",
    .state_b = sizeof(struct queues),
    .row = queue_row,
};

int parse_aicpu_mi(struct parse_ctx *c, struct err *e)
{
    return csvmap_parse(&mi_map, c, e);
}

int parse_dp(struct parse_ctx *c, struct err *e)
{
    return csvmap_parse(&dp_map, c, e);
}
