/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Per-op and per-type times of flat files, generations 1 and 1b
 * (doc/formats/mindspore1.md#aicpu_intermediate, #aicore_intermediate, #pynative;
 * doc/formats/analysed.md#transitional-files): aicore_intermediate_*, pynative_op_intermediate_*,
 * aicpu_intermediate and the text it is made from. MindSpore's aggregates go to op_stat as they are.
 */
#include "config.h"

#include "parsers/parsers.h"
#include "parsers/read/csvmap.h"
#include "parsers/read/opwords.h"

/*
 * Names of op name columns: op and kernel are renamed both ways, two with a slip
 * (doc/formats/analysed.md#transitional-files).
 */
#define FULL_NAMES "full_op_name|full_kernel_name|op_full_name|full_kernel_time|full_op_time"
#define MEAN_TIMES "execution_time|task_duration"

/* total = mean * calls, where both are given. */
static void set_total(struct val *v)
{
    if (v[COL(op_stat, calls)].t == VAL_INT && v[COL(op_stat, avg_ns)].t == VAL_REAL)
        v[COL(op_stat, total_ns)] = val_real(v[COL(op_stat, avg_ns)].r * (double)v[COL(op_stat, calls)].i);
}

static int with_total(struct csv_run *r, struct err *e)
{
    set_total(r->v);
    return csv_put(r, e);
}

/* ---- per op ---- */

/* clang-format off */
static const struct csv_col detail_cols[] = {
    { FULL_NAMES,            CV_STR,     COL(op_stat, name_id) },
    { MEAN_TIMES,            CV_MS_REAL, COL(op_stat, avg_ns) },
    { "execution_frequency", CV_INT,     COL(op_stat, calls) },
    { "task_type",           CV_CORE,    COL(op_stat, core) },
};
static const struct csv_const detail_consts[] = { { COL(op_stat, by), "op" }, { COL(op_stat, per), "run" },
    { 0, NULL } };
/* clang-format on */

static const struct csvmap detail_map = {
    .table = T_op_stat,
    .cols = detail_cols,
    .n_cols = ARRAY_LEN(detail_cols),
    .consts = detail_consts,
    .row = with_total,
};

int parse_op_detail(struct parse_ctx *c, struct err *e)
{
    return csvmap_parse(&detail_map, c, e);
}

/* ---- per type ---- */

/*
 * percent is 0..100 in generation 1 and 0..1 in 1b, under one header. The sum decides; rows are held until it
 * is known. HOLD rows are enough: the files have a row per op type.
 */
#define HOLD 4096

enum { TYPE_PERCENT = N_COLS(op_stat), TYPE_N };

struct held {
    struct val v[N_COLS(op_stat)];
    double percent;
    bool has_percent;
};
struct types {
    struct held *rows;
    size_t n;
    double sum;
    bool fine;      /* a value has more than two decimals */
    double divisor; /* decided: 0 not yet */
    bool per_step;
};

/* clang-format off */
static const struct csv_col type_cols[] = {
    { "op_type|kernel_type",                CV_STR,     COL(op_stat, type_id) },
    { "execution_time|total_time|task_time", CV_MS_REAL, COL(op_stat, total_ns) },
    { "execution_frequency",                CV_INT,     COL(op_stat, calls) },
    { "percent",                            CV_CELL,    TYPE_PERCENT },
};
static const struct csv_const type_consts[] = { { COL(op_stat, by), "type" }, { 0, NULL } };
/* clang-format on */

/*
 * Until 2.0.0a0 the time is a sum of means, the count a number of ops: both of one step. The column's name
 * decides.
 */
static int types_header(struct csv_run *r, struct err *e)
{
    struct types *t = r->state;
    size_t at = csv_column_of(r, COL(op_stat, total_ns));

    t->n = 0;
    t->sum = t->divisor = 0;
    t->fine = false;
    t->per_step = at != SIZE_MAX && str_eq_nocase(r->names[at], STR("execution_time"));
    if (!t->rows)
        t->rows = arena_array(r->c->tmp, HOLD, sizeof *t->rows);
    return t->rows ? OK : err_nomem(e);
}

/*
 * A whole file sums to 1 or to 100; the part of a cut one may lie between, then the writer's two decimals
 * decide.
 */
static double percent_divisor(const struct types *t)
{
    if (t->sum > 1.5)
        return 100;
    if (t->sum > 0.95 && t->sum < 1.05)
        return 1;
    return t->fine ? 1 : 100;
}

static int put_held(struct csv_run *r, struct held *h, struct err *e)
{
    const struct types *t = r->state;

    if (h->has_percent)
        h->v[COL(op_stat, share)] = val_real(h->percent / t->divisor);
    return sink_row(r->c->out, T_op_stat, h->v, N_COLS(op_stat), NULL, e);
}

static int put_all_held(struct csv_run *r, struct err *e)
{
    struct types *t = r->state;

    if (t->divisor == 0)
        t->divisor = percent_divisor(t);
    for (size_t i = 0; i < t->n; i++)
        if (put_held(r, &t->rows[i], e))
            return e->code;
    t->n = 0;
    return OK;
}

static int types_row(struct csv_run *r, struct err *e)
{
    struct types *t = r->state;
    struct held *h = &t->rows[t->n];
    struct val p = val_null();

    memcpy(h->v, r->v, sizeof h->v);
    h->v[COL(op_stat, per)] = val_cstr(t->per_step ? "step" : "run");
    if (r->v[TYPE_PERCENT].t == VAL_TEXT && !csv_convert(CV_REAL, r->v[TYPE_PERCENT].s, &p))
        csv_bad_value(r, csv_column_of(r, TYPE_PERCENT));
    h->has_percent = p.t == VAL_REAL;
    h->percent = val_num(&p);
    if (h->has_percent) {
        struct str text = r->v[TYPE_PERCENT].s;
        size_t point = str_chr(text, '.');
        t->sum += h->percent;
        t->fine |= (point != SIZE_MAX && text.n - point > 3) || str_chr(text, 'e') != SIZE_MAX;
    }
    if (t->divisor != 0)
        return put_held(r, h, e);
    if (h->v[COL(op_stat, extra)].t == VAL_TEXT) {
        struct str kept = arena_str(r->c->tmp, h->v[COL(op_stat, extra)].s);
        h->v[COL(op_stat, extra)] = val_text(kept);
    }
    return ++t->n == HOLD ? put_all_held(r, e) : OK;
}

static const struct csvmap type_map = {
    .table = T_op_stat,
    .n_slots = TYPE_N - N_COLS(op_stat),
    .cols = type_cols,
    .n_cols = ARRAY_LEN(type_cols),
    .consts = type_consts,
    .state_b = sizeof(struct types),
    .header = types_header,
    .row = types_row,
    .end = put_all_held,
};

int parse_op_type(struct parse_ctx *c, struct err *e)
{
    return csvmap_parse(&type_map, c, e);
}

/* ---- PyNative: both files give means per execution ---- */

/* clang-format off */
static const struct csv_col pynative_cols[] = {
    { FULL_NAMES,            CV_STR,     COL(op_stat, name_id) },
    { "op_type|kernel_type", CV_STR,     COL(op_stat, type_id) },
    { MEAN_TIMES,            CV_MS_REAL, COL(op_stat, avg_ns) },
    { "execution_frequency", CV_INT,     COL(op_stat, calls) },
    { "percent",             CV_PERCENT, COL(op_stat, share) },
};
static const struct csv_const pynative_consts[] = { { COL(op_stat, per), "run" }, { 0, NULL } };
/* clang-format on */

static int pynative_row(struct csv_run *r, struct err *e)
{
    bool by_op = csv_column_of(r, COL(op_stat, name_id)) != SIZE_MAX;

    r->v[COL(op_stat, by)] = val_cstr(by_op ? "op" : "type");
    return with_total(r, e);
}

static const struct csvmap pynative_map = {
    .table = T_op_stat,
    .cols = pynative_cols,
    .n_cols = ARRAY_LEN(pynative_cols),
    .consts = pynative_consts,
    .row = pynative_row,
};

int parse_pynative(struct parse_ctx *c, struct err *e)
{
    return csvmap_parse(&pynative_map, c, e);
}

/* ---- AI CPU ---- */

enum { AICPU_SERIAL = N_COLS(aicpu_exec), AICPU_START, AICPU_N };

/* clang-format off */
static const struct csv_col aicpu_cols[] = {
    { "serial_number|serial_num",                   CV_RAW,  AICPU_SERIAL },
    { "op_type|kernel_type|node_type_name",         CV_STR,  COL(aicpu_exec, name_id) },
    { "total_time|total_time(ms)",                  CV_MS,   COL(aicpu_exec, total_ns) },
    { "dispatch_time|dispatch_time(ms)",            CV_MS,   COL(aicpu_exec, dispatch_ns) },
    { "execution_time|execution_time(ms)",          CV_MS,   COL(aicpu_exec, compute_ns) },
    { "run_start",                                  CV_CELL, AICPU_START },
    { "run_end",                                    CV_REAL, COL(aicpu_exec, run_end) },
};
/* clang-format on */

/*
 * run_start is us of the device's counter in generation 1; 1b writes the export's time, in ms since 1970 as
 * everything there (doc/formats/analysed.md#transitional-files). The magnitude decides: a counter of us would
 * reach 10^12 after eleven days of uptime, the epoch in ms is above it, in us far above.
 */
static struct val aicpu_start(struct str text)
{
    const double msprof_from = 1.2e12, us_from = 1e14;
    struct val v, ts;

    if (!csv_convert(CV_REAL, text, &v) || v.t != VAL_REAL)
        return val_null();
    enum csv_conv conv = v.r >= msprof_from && v.r < us_from ? CV_MS : CV_TS_US;
    return csv_convert(conv, text, &ts) ? ts : val_null();
}

static int aicpu_row(struct csv_run *r, struct err *e)
{
    struct val serial = val_null(), *v = r->v;

    if (v[AICPU_SERIAL].t != VAL_TEXT || !csv_convert(CV_INT, v[AICPU_SERIAL].s, &serial) ||
        serial.t != VAL_INT) {
        if (v[AICPU_SERIAL].t != VAL_TEXT || !str_eq(v[AICPU_SERIAL].s, STR("AI")))
            csv_bad_row(r, "no serial number");
        else
            r->c->rows--; /* the closing line "AI CPU Total Time(ms): ..." is no record */
        return OK;
    }
    if (v[AICPU_START].t == VAL_TEXT) {
        v[COL(aicpu_exec, ts_ns)] = aicpu_start(v[AICPU_START].s);
        if (!csv_convert(CV_REAL, v[AICPU_START].s, &v[COL(aicpu_exec, run_start)]))
            csv_bad_value(r, csv_column_of(r, AICPU_START));
    }
    return csv_put(r, e);
}

static const struct csvmap aicpu_map = {
    .table = T_aicpu_exec,
    .n_slots = AICPU_N - N_COLS(aicpu_exec),
    .cols = aicpu_cols,
    .n_cols = ARRAY_LEN(aicpu_cols),
    .row = aicpu_row,
};
static const struct csvmap aicpu_text_map = {
    .table = T_aicpu_exec,
    .n_slots = AICPU_N - N_COLS(aicpu_exec),
    .cols = aicpu_cols,
    .n_cols = ARRAY_LEN(aicpu_cols),
    .sep = ' ',
    .row = aicpu_row,
};

int parse_aicpu(struct parse_ctx *c, struct err *e)
{
    return csvmap_parse(&aicpu_map, c, e);
}

int parse_aicpu_text(struct parse_ctx *c, struct err *e)
{
    return csvmap_parse(&aicpu_text_map, c, e);
}
