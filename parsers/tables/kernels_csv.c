/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_details.csv and op_summary*.csv (doc/formats/analysed.md#kernel_details), task_time.csv
 * (doc/formats/analysed.md#task_time): one row per device task.
 *
 * Rows: op (by identity), op_exec, op_counter (the columns after the description, under canonical names),
 * op_flops where the counters hold operations. The identity cells of a row are looked up as one key, so an
 * op's texts are interned only when it is new.
 */
#include "config.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/grow.h"
#include "parsers/parsers.h"
#include "parsers/read/csvmap.h"
#include "parsers/read/opwords.h"

#define CACHE_MAX_B  ((size_t)64 << 20) /* bytes of keys before the look-up starts anew */
#define COUNTERS_MAX 256

enum {
    K_DEVICE,
    K_STEP,
    K_MODEL,
    K_TASK,
    K_STREAM,
    K_CONTEXT,
    K_BATCH,
    K_START,
    K_DUR,
    K_WAIT,
    K_EXTRA,
    K_STATE,
    K_CORE,
    K_BLOCK,
    K_MIX_BLOCK,
    K_HF32,
    K_OUT_TYPES,
    K_OUT_FORMATS,
    /* from here to K_KEY_END: with the model, the op's identity (doc/store.md#op-identity) */
    K_KEY,
    K_NAME = K_KEY,
    K_TYPE,
    K_IN_SHAPES,
    K_IN_TYPES,
    K_IN_FORMATS,
    K_OUT_SHAPES,
    K_KEY_END,
    K_N = K_KEY_END
};

/* clang-format off */
static const struct csv_col kernel_cols[] = {
    { "Device_id|Device Id|DeviceId",               CV_DEVICE, K_DEVICE },
    { "Step Id|Step",                               CV_INT,    K_STEP },
    { "Model ID",                                   CV_ID,     K_MODEL },
    { "Model Name",                                 CV_EXTRA,  0 },
    { "Infer ID|Index ID",                          CV_EXTRA,  0 },
    { "Task ID",                                    CV_INT,    K_TASK },
    { "Stream ID",                                  CV_INT,    K_STREAM },
    { "Batch ID",                                   CV_INT,    K_BATCH },
    { "Op Name|Name",                               CV_CELL,   K_NAME },
    { "OP Type|Type",                               CV_CELL,   K_TYPE },
    { "OP State",                                   CV_CELL,   K_STATE },
    { "Task Type|Accelerator Core",                 CV_CELL,   K_CORE },
    { "Task Start Time(us)|Start Time(us)|Task Start Time|Start Time", CV_TS_US, K_START },
    { "Task Duration(us)|Duration(us)|Task Duration|Duration", CV_US, K_DUR },
    { "Task Wait Time(us)|Wait Time(us)|Task Wait Time", CV_US, K_WAIT },
    { "Block Num|Block Dim",                        CV_CELL,   K_BLOCK },
    { "Mix Block Num|Mix Block Dim",                CV_CELL,   K_MIX_BLOCK },
    { "HF32 Eligible",                              CV_CELL,   K_HF32 },
    { "Input Shapes",                               CV_SHAPES, K_IN_SHAPES },
    { "Input Data Types",                           CV_CELL,   K_IN_TYPES },
    { "Input Formats",                              CV_CELL,   K_IN_FORMATS },
    { "Output Shapes",                              CV_SHAPES, K_OUT_SHAPES },
    { "Output Data Types",                          CV_CELL,   K_OUT_TYPES },
    { "Output Formats",                             CV_CELL,   K_OUT_FORMATS },
    { "Context ID",                                 CV_ID,     K_CONTEXT },
};
/* Units in the names of counters, their suffix in the canonical name and the conversion. */
static const struct {
    struct str unit, suffix;
    enum csv_conv conv;
    enum col_type type;
} counter_units[] = {
    { STR("(us)"),   STR("_ns"),   CV_US,      CT_NS },
    { STR("(KB)"),   STR("_b"),    CV_KB,      CT_BYTES },
    { STR("(GB/s)"), STR("_gb_s"), CV_REAL,    CT_REAL },
    { STR("(MB/s)"), STR("_mb_s"), CV_REAL,    CT_REAL },
    { STR("(%)"),    STR(""),      CV_PERCENT, CT_REAL },
};
/* Canonical names of counters that are spelled in several ways. */
static const struct {
    struct str from, to;
} counter_names[] = {
    { STR("aicore_time_ns"), STR("aic_time_ns") },
    { STR("total_cycles"),   STR("aic_total_cycles") },
    /* the unit is sometimes left out (doc/formats/analysed.md#kernel_details) */
    { STR("l2_read_bw"),     STR("l2_read_bw_gb_s") },
    { STR("l2_write_bw"),    STR("l2_write_bw_gb_s") },
    { STR("aic_l2_read_bw"), STR("aic_l2_read_bw_gb_s") },
    { STR("aic_l2_write_bw"), STR("aic_l2_write_bw_gb_s") },
    { STR("aiv_l2_read_bw"), STR("aiv_l2_read_bw_gb_s") },
    { STR("aiv_l2_write_bw"), STR("aiv_l2_write_bw_gb_s") },
};
/* clang-format on */

enum flops { FLOPS_NONE, FLOPS_CUBE, FLOPS_VECTOR };

struct counter {
    size_t index; /* column of op_counter */
    enum flops flops;
};

struct kernels {
    struct intern *keys; /* identity cells of a row, joined */
    size_t key_bytes;    /* about the bytes they hold */
    int64_t *ops;        /* op id by key */
    size_t cap;
    struct buf key;
    struct counter counters[COUNTERS_MAX];
    size_t n_counters; /* of this slice */
    struct val *row;   /* of op_counter */
    size_t row_n;
    bool has_flops;
    size_t first_counter; /* column: unknown ones from here on are counters */
};

static bool counter_base(struct str name)
{
    static const char *const starts[] = { "aicore_time", "aic_",  "aiv_",  "mac_",    "vec_",
                                          "mte1_",       "mte2_", "mte3_", "scalar_", "total_cycles" };

    for (size_t i = 0; i < ARRAY_LEN(starts); i++)
        if (name.n >= strlen(starts[i]) &&
            str_eq_nocase(str_sub(name, 0, strlen(starts[i])), str_of(starts[i])))
            return true;
    return false;
}

/*
 * Unknown columns are counters after the last column of the description, or from the first one that looks
 * like a counter.
 */
static size_t first_counter(const struct csv_run *r)
{
    size_t last = 0;

    for (size_t slot = 0; slot < K_N; slot++) {
        size_t at = csv_column_of(r, slot);
        if (at != SIZE_MAX && at > last)
            last = at;
    }
    for (size_t i = 0; i < r->n_names; i++)
        if (counter_base(r->names[i]))
            return i < last ? i : last + 1;
    return last + 1;
}

static size_t lower_name(struct str name, char *to, size_t max)
{
    size_t n = 0;

    for (size_t i = 0; i < name.n && n + 16 < max; i++) {
        char ch = name.p[i];
        if (ch >= 'A' && ch <= 'Z')
            ch = (char)(ch - 'A' + 'a');
        bool plain = (ch >= 'a' && ch <= 'z') || (ch >= '0' && ch <= '9');
        if (!plain)
            ch = '_';
        if (ch != '_' || (n && to[n - 1] != '_'))
            to[n++] = ch;
    }
    while (n && to[n - 1] == '_')
        n--;
    return n;
}

/* Canonical name of a counter column into to (max bytes), its conversion and type. */
static struct str counter_name(struct str column, char *to, size_t max, enum csv_conv *conv,
                               enum col_type *type)
{
    struct str suffix = STR("");

    *conv = CV_REAL;
    *type = CT_REAL;
    for (size_t i = 0; i < ARRAY_LEN(counter_units); i++) {
        struct str unit = counter_units[i].unit;
        if (column.n <= unit.n || !str_eq_nocase(str_sub(column, column.n - unit.n, unit.n), unit))
            continue;
        suffix = counter_units[i].suffix;
        *conv = counter_units[i].conv;
        *type = counter_units[i].type;
        column = str_sub(column, 0, column.n - unit.n);
        break;
    }
    size_t n = lower_name(column, to, max);
    memcpy(to + n, suffix.p, suffix.n);
    struct str name = { to, n + suffix.n };
    if (str_ends(name, STR("_cycles"))) {
        *conv = CV_NUMBER;
        *type = CT_INT;
    }
    for (size_t i = 0; i < ARRAY_LEN(counter_names); i++)
        if (str_eq(name, counter_names[i].from))
            return counter_names[i].to;
    return name;
}

static enum flops flops_of(struct str name)
{
    if (str_ends(name, STR("cube_fops")))
        return FLOPS_CUBE;
    return str_ends(name, STR("vector_fops")) ? FLOPS_VECTOR : FLOPS_NONE;
}

static int kernels_match(struct csv_run *r, struct err *e)
{
    struct kernels *k = r->state;

    k->n_counters = 0;
    k->has_flops = false;
    k->first_counter = first_counter(r);
    if (k->keys)
        return OK;
    buf_init(&k->key, (size_t)2 << 20);
    return intern_new(&k->keys, e);
}

static int kernels_unknown(struct csv_run *r, size_t column, struct csv_col *out, struct err *e)
{
    struct kernels *k = r->state;
    struct str name = r->names[column];
    enum csv_conv conv;
    enum col_type type;
    char text[96];

    bool letter = name.n && ((name.p[0] | 32) >= 'a' && (name.p[0] | 32) <= 'z');
    bool hex = str_starts(name, STR("0x"));
    if (column < k->first_counter || !(letter || hex) || k->n_counters == COUNTERS_MAX)
        return OK;
    struct str canonical = counter_name(name, text, sizeof text, &conv, &type);
    struct counter *c = &k->counters[k->n_counters];
    if (sink_column(r->c->out, T_op_counter, canonical, type, &c->index, e))
        return e->code;
    c->flops = flops_of(canonical);
    k->has_flops |= c->flops != FLOPS_NONE;
    *out = (struct csv_col){ NULL, conv, K_N + k->n_counters++ };
    return OK;
}

static int kernels_header(struct csv_run *r, struct err *e)
{
    struct kernels *k = r->state;

    k->row_n = N_COLS(op_counter);
    for (size_t i = 0; i < k->n_counters; i++)
        if (k->counters[i].index >= k->row_n)
            k->row_n = k->counters[i].index + 1;
    k->row = arena_array(r->c->tmp, k->row_n, sizeof *k->row);
    return k->row ? OK : err_nomem(e);
}

/* ---- ops ---- */

/* All identity cells as one text: length and bytes of each, so different rows give different keys.
 */
static struct str key_of(struct csv_run *r, struct buf *b)
{
    size_t need = sizeof(int64_t), at = 0;
    int64_t model = r->v[K_MODEL].t == VAL_INT ? r->v[K_MODEL].i : -1;

    for (size_t i = K_KEY; i < K_KEY_END; i++)
        need += sizeof(uint32_t) + (r->v[i].t == VAL_TEXT ? r->v[i].s.n : 0);
    buf_clear(b);
    char *p = buf_room(b, need);
    if (!p)
        return STR_NULL;
    memcpy(p, &model, sizeof model);
    at = sizeof model;
    for (size_t i = K_KEY; i < K_KEY_END; i++) {
        uint32_t n = r->v[i].t == VAL_TEXT ? (uint32_t)r->v[i].s.n : UINT32_MAX;
        memcpy(p + at, &n, sizeof n);
        at += sizeof n;
        if (r->v[i].t == VAL_TEXT && n) {
            memcpy(p + at, r->v[i].s.p, n);
            at += n;
        }
    }
    b->n = need;
    return (struct str){ p, need };
}

static struct str text_of(const struct csv_run *r, size_t slot)
{
    return r->v[slot].t == VAL_TEXT ? r->v[slot].s : STR_NULL;
}

static int64_t count_of(struct csv_run *r, size_t slot)
{
    struct val v;

    if (!csv_convert(CV_INT, text_of(r, slot), &v)) {
        csv_bad_value(r, csv_column_of(r, slot));
        return -1;
    }
    return v.t == VAL_INT ? v.i : -1;
}

static int64_t new_op(struct csv_run *r, struct err *e)
{
    struct sink *s = r->c->out;
    struct op_key key = OP_KEY_INIT;
    struct op_attr attr = OP_ATTR_INIT;

    key.name_id = sink_intern(s, text_of(r, K_NAME));
    key.type_id = sink_intern(s, text_of(r, K_TYPE));
    key.in_shapes_id = sink_intern(s, text_of(r, K_IN_SHAPES));
    key.in_types_id = sink_intern(s, text_of(r, K_IN_TYPES));
    key.in_formats_id = sink_intern(s, text_of(r, K_IN_FORMATS));
    key.out_shapes_id = sink_intern(s, text_of(r, K_OUT_SHAPES));
    if (r->v[K_MODEL].t == VAL_INT)
        key.model_id = r->v[K_MODEL].i;
    attr.out_types_id = sink_intern(s, text_of(r, K_OUT_TYPES));
    attr.out_formats_id = sink_intern(s, text_of(r, K_OUT_FORMATS));
    attr.core = op_core(text_of(r, K_CORE));
    if (!attr.core.p && str_starts(text_of(r, K_NAME), STR("hcom_")))
        attr.core = STR("HCCL"); /* level 0 has no core column values */
    attr.state = text_of(r, K_STATE);
    attr.hf32 = text_of(r, K_HF32);
    attr.block_num = count_of(r, K_BLOCK);
    attr.mix_block_num = count_of(r, K_MIX_BLOCK);
    attr.source_id = r->f->id;
    attr.line = r->line;
    return sink_op(s, &key, &attr, e);
}

/* Room for the op of key id; the look-up starts anew when it holds too much. */
static int keep_op(struct kernels *k, uint32_t id, int64_t op, struct err *e)
{
    k->key_bytes += k->key.n + 32;
    if (k->key_bytes > CACHE_MAX_B || id == INTERN_NONE) {
        intern_free(k->keys);
        k->keys = NULL;
        k->key_bytes = 0;
        return intern_new(&k->keys, e);
    }
    int64_t *ops = grow_array(k->ops, id, &k->cap, sizeof *ops, 1024);
    if (!ops)
        return err_nomem(e);
    k->ops = ops;
    k->ops[id] = op;
    return OK;
}

static int64_t op_of(struct csv_run *r, struct err *e)
{
    struct kernels *k = r->state;
    struct str key = key_of(r, &k->key);

    if (!key.p)
        return new_op(r, e);
    uint32_t before = intern_count(k->keys);
    uint32_t id = intern_put(k->keys, key);
    if (id < before)
        return k->ops[id];
    int64_t op = new_op(r, e);
    if (op && keep_op(k, id, op, e))
        return 0;
    return op;
}

/* ---- rows ---- */

static int put_counters(struct csv_run *r, int64_t exec, struct err *e)
{
    struct kernels *k = r->state;
    bool any = false;

    for (size_t i = 0; i < k->n_counters; i++) {
        k->row[k->counters[i].index] = r->v[K_N + i];
        any |= r->v[K_N + i].t != VAL_NULL;
    }
    if (!any)
        return OK;
    k->row[COL(op_counter, exec_id)] = val_int(exec);
    return sink_row(r->c->out, T_op_counter, k->row, k->row_n, NULL, e);
}

static void add(struct val *sum, const struct val *v)
{
    if (v->t == VAL_REAL)
        *sum = val_real(val_num(sum) + v->r);
}

static int put_flops(struct csv_run *r, int rank, int64_t exec, struct err *e)
{
    struct kernels *k = r->state;
    struct val v[N_COLS(op_flops)] = { 0 };

    for (size_t i = 0; i < k->n_counters; i++) {
        if (k->counters[i].flops == FLOPS_CUBE)
            add(&v[COL(op_flops, cube_flops)], &r->v[K_N + i]);
        else if (k->counters[i].flops == FLOPS_VECTOR)
            add(&v[COL(op_flops, vector_flops)], &r->v[K_N + i]);
    }
    if (v[COL(op_flops, cube_flops)].t == VAL_NULL && v[COL(op_flops, vector_flops)].t == VAL_NULL)
        return OK;
    v[COL(op_flops, exec_id)] = val_int(exec);
    v[COL(op_flops, rank)] = val_int(rank);
    v[COL(op_flops, step)] = r->v[K_STEP];
    v[COL(op_flops, source_id)] = val_int(r->f->id);
    v[COL(op_flops, line)] = val_int(r->line);
    return sink_row(r->c->out, T_op_flops, v, N_COLS(op_flops), NULL, e);
}

static int put_exec(struct csv_run *r, int64_t op, int rank, int64_t *exec, struct err *e)
{
    const struct val *in = r->v;
    struct val v[N_COLS(op_exec)] = { 0 };

    v[COL(op_exec, op_id)] = val_int(op);
    v[COL(op_exec, rank)] = val_int(rank);
    v[COL(op_exec, device)] =
        in[K_DEVICE].t == VAL_NULL && r->f->device >= 0 ? val_int(r->f->device) : in[K_DEVICE];
    v[COL(op_exec, step)] = in[K_STEP];
    v[COL(op_exec, stream)] = in[K_STREAM];
    v[COL(op_exec, task)] = in[K_TASK];
    v[COL(op_exec, context)] = in[K_CONTEXT];
    v[COL(op_exec, batch)] = in[K_BATCH];
    v[COL(op_exec, ts_ns)] = in[K_START];
    v[COL(op_exec, dur_ns)] = in[K_DUR];
    v[COL(op_exec, wait_ns)] = in[K_WAIT];
    v[COL(op_exec, source_id)] = val_int(r->f->id);
    v[COL(op_exec, line)] = val_int(r->line);
    v[COL(op_exec, extra)] = in[K_EXTRA];
    return sink_row(r->c->out, T_op_exec, v, N_COLS(op_exec), exec, e);
}

static int kernels_row(struct csv_run *r, struct err *e)
{
    struct kernels *k = r->state;
    int rank = csv_rank(r, &r->v[K_DEVICE]);
    int64_t exec = 0;
    int64_t op = op_of(r, e);

    if (!op || put_exec(r, op, rank, &exec, e) || put_counters(r, exec, e))
        return e->code;
    return k->has_flops ? put_flops(r, rank, exec, e) : OK;
}

static void kernels_done(struct csv_run *r)
{
    struct kernels *k = r->state;

    intern_free(k->keys);
    free(k->ops);
    buf_done(&k->key);
}

static const struct csvmap kernel_map = {
    .table = CSV_NO_TABLE,
    .n_slots = K_N,
    .wide = 1,
    .extra_slot = K_EXTRA,
    .cols = kernel_cols,
    .n_cols = ARRAY_LEN(kernel_cols),
    .need = "Op Name|Name|Task Duration(us)|Duration(us)|Task Start Time(us)|Start Time(us)",
    .state_b = sizeof(struct kernels),
    .match = kernels_match,
    .unknown = kernels_unknown,
    .header = kernels_header,
    .row = kernels_row,
    .done = kernels_done,
};

int parse_kernels(struct parse_ctx *c, struct err *e)
{
    return csvmap_parse(&kernel_map, c, e);
}

/* ---- task_time ---- */

/* clang-format off */
static const struct csv_col task_cols[] = {
    { "Device_id|Device Id",      CV_DEVICE, K_DEVICE },
    { "kernel_name",              CV_CELL,   K_NAME },
    { "kernel_type",              CV_CELL,   K_CORE },
    { "stream_id",                CV_INT,    K_STREAM },
    { "task_id",                  CV_INT,    K_TASK },
    { "batch_id",                 CV_INT,    K_BATCH },
    { "task_time(us)|task_time",  CV_US,     K_DUR },
    { "task_start(us)|task_start", CV_TS_US, K_START },
    { "task_stop(us)|task_stop",  CV_SKIP,   0 },           /* start + duration */
};
/* Chip 310: one row per op, no instants (doc/formats/analysed.md#task_time). */
static const struct csv_col task_stat_cols[] = {
    { "Device_id|Device Id", CV_DEVICE,  COL(op_stat, device) },
    { "Time(%)",             CV_PERCENT, COL(op_stat, share) },
    { "Time(us)",            CV_US_REAL, COL(op_stat, total_ns) },
    { "Count",               CV_INT,     COL(op_stat, calls) },
    { "Avg(us)",             CV_US_REAL, COL(op_stat, avg_ns) },
    { "Min(us)",             CV_US_REAL, COL(op_stat, min_ns) },
    { "Max(us)",             CV_US_REAL, COL(op_stat, max_ns) },
    { "Type",                CV_STR,     COL(op_stat, type_id) },
    { "Op Name",             CV_STR,     COL(op_stat, name_id) },
    { "Waiting(us)|Running(us)|Pending(us)|API|Task ID|Stream ID", CV_EXTRA, 0 },
};
static const struct csv_const task_stat_consts[] = {
    { COL(op_stat, by), "task" }, { COL(op_stat, per), "run" }, { 0, NULL },
};
/* clang-format on */

/* A task without a kernel is called by its type. */
static int task_row(struct csv_run *r, struct err *e)
{
    if (r->v[K_NAME].t == VAL_NULL)
        r->v[K_NAME] = r->v[K_CORE];
    return kernels_row(r, e);
}

static const struct csvmap task_stat_map = {
    .table = T_op_stat,
    .cols = task_stat_cols,
    .n_cols = ARRAY_LEN(task_stat_cols),
    .consts = task_stat_consts,
    .need = "Waiting(us)|Running(us)|Pending(us)",
};
static const struct csvmap task_map = {
    .table = CSV_NO_TABLE,
    .n_slots = K_N,
    .extra_slot = K_EXTRA,
    .cols = task_cols,
    .n_cols = ARRAY_LEN(task_cols),
    .need = "task_start(us)|task_time(us)|kernel_type",
    .state_b = sizeof(struct kernels),
    .match = kernels_match,
    .header = kernels_header,
    .row = task_row,
    .done = kernels_done,
    .other = &task_stat_map,
};

int parse_task_time(struct parse_ctx *c, struct err *e)
{
    return csvmap_parse(&task_map, c, e);
}
