/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MindSpore 1.x, ops as plain text: mean times, the report, FLOPs (doc/formats/mindspore1.md#op-executions,
 * #aicore_intermediate, #flops, doc/formats/analysed.md#transitional-files).
 *
 * Names may hold blanks and commas: lines are read from their end, where the numbers are.
 */
#include "config.h"

#include "parsers/parsers.h"
#include "parsers/read/lines.h"

#define MAX_TAIL 8

/* ---- op_stat rows ---- */

struct stat_row {
    const char *by, *per;
    struct str name, type;
    struct val calls, total_ns, avg_ns, share;
};

static int put_stat(struct parse_ctx *c, const struct lines *l, const struct stat_row *r, struct err *e)
{
    struct val v[N_COLS(op_stat)] = { 0 };

    v[COL(op_stat, by)] = val_cstr(r->by);
    v[COL(op_stat, per)] = val_cstr(r->per);
    v[COL(op_stat, name_id)] = sink_text(c->out, r->name);
    v[COL(op_stat, type_id)] = sink_text(c->out, r->type);
    v[COL(op_stat, rank)] = val_int(c->rank);
    v[COL(op_stat, device)] = c->f->device >= 0 ? val_int(c->f->device) : val_null();
    v[COL(op_stat, calls)] = r->calls;
    v[COL(op_stat, total_ns)] = r->total_ns;
    v[COL(op_stat, avg_ns)] = r->avg_ns;
    v[COL(op_stat, share)] = r->share;
    v[COL(op_stat, source_id)] = val_int(c->f->id);
    v[COL(op_stat, line)] = val_int(l->n);
    return parse_row(c, T_op_stat, v, N_COLS(op_stat), e);
}

/* Lines that only draw the table. */
static bool is_decoration(struct str line)
{
    return line.n == 0 || str_starts(line, STR("=====")) || str_starts(line, STR("-----"));
}

/* ---- output_op_compute_time_N.txt ---- */

static int on_mean(struct parse_ctx *c, struct lines *l, struct str line, bool with_count, struct err *e)
{
    struct str name, cell[3];
    struct val avg, calls = val_null();
    struct op_attr a = OP_ATTR_INIT;
    bool bad = false;

    if (!lines_tail(line, ' ', with_count ? 3 : 2, &name, cell) || !str_i64(cell[1], &a.stream)) {
        lines_bad(l, "not name, mean time, stream");
        return OK;
    }
    avg = val_real_text(cell[0], 6, &bad);
    if (with_count)
        calls = val_int_text(cell[2], &bad);
    if (bad || avg.t == VAL_NULL) {
        lines_bad(l, "not name, mean time, stream");
        return OK;
    }
    a.source_id = c->f->id;
    a.line = l->n;
    if (parse_op_named(c, name, &a, e) == 0)
        return e->code;
    struct stat_row r = { .by = "op", .per = "run", .name = name, .calls = calls, .avg_ns = avg };
    if (calls.t == VAL_INT)
        r.total_ns = val_real(avg.r * (double)calls.i);
    return put_stat(c, l, &r, e);
}

int parse_op_compute_time(struct parse_ctx *c, struct err *e)
{
    struct lines l;
    struct str line;
    bool with_count = false;
    int titles = 0;

    if (lines_open(&l, c, e) == OK)
        while (lines_next(&l, &line, e)) {
            struct str s = str_trim(line);
            titles += str_starts(s, STR("====="));
            if (titles > 1) { /* written by appending: an analysis that ran twice */
                lines_note(&l, NOTE_DUPLICATE, false, "the table stands there again; the first was kept");
                break;
            }
            if (str_starts(s, STR("op_name ")))
                with_count = str_find(s, STR("execution_times"), 0) != SIZE_MAX;
            else if (!is_decoration(s) && !str_starts(s, STR("total op ")) &&
                     on_mean(c, &l, s, with_count, e))
                break;
        }
    lines_done(&l);
    return e->code;
}

/* ---- output_op_compute_time_detail_N.txt ---- */

enum report_part { PART_NONE, PART_TYPES, PART_OPS };

static int on_report_type(struct parse_ctx *c, struct lines *l, struct str line, struct err *e)
{
    struct str name, cell[3];
    struct stat_row r = { .by = "type", .per = "step" };
    bool bad = false;

    if (!lines_tail(line, ' ', 3, &name, cell)) {
        lines_bad(l, "not type, time, calls, percent");
        return OK;
    }
    r.name = r.type = name;
    r.total_ns = val_real_text(cell[0], 6, &bad);
    r.calls = val_scaled(cell[1], 1, &bad);
    r.share = val_real_text(cell[2], -2, &bad);
    if (bad) {
        lines_bad(l, "not type, time, calls, percent");
        return OK;
    }
    return put_stat(c, l, &r, e);
}

/*
 * op_name op_type mean [subgraph [full_op_name]]; the short name stands for the op only in the oldest layout.
 */
static int on_report_op(struct parse_ctx *c, struct lines *l, struct str line, struct err *e)
{
    struct str w[6];
    size_t n = lines_words(line, w, ARRAY_LEN(w));
    struct stat_row r = { .by = "op", .per = "run" };
    bool bad = false;

    if (n >= 3)
        r.avg_ns = val_real_text(w[2], 6, &bad);
    if (n < 3 || n > 5 || bad) {
        lines_bad(l, "not op, type, mean time, subgraph, full name");
        return OK;
    }
    r.name = n == 5 ? w[4] : w[0];
    r.type = w[1];
    return put_stat(c, l, &r, e);
}

int parse_op_time_report(struct parse_ctx *c, struct err *e)
{
    enum report_part part = PART_NONE;
    struct lines l;
    struct str line;
    int titles = 0;

    if (lines_open(&l, c, e) == OK)
        while (lines_next(&l, &line, e)) {
            struct str s = str_trim(line);
            titles += str_starts(s, STR("====="));
            if (titles > 1) {
                lines_note(&l, NOTE_DUPLICATE, false, "the report stands there again; the first was kept");
                break;
            }
            if (str_starts(s, STR("optype_name ")))
                part = PART_TYPES;
            else if (str_starts(s, STR("op_name ")))
                part = PART_OPS;
            else if (str_eq(s, STR("Detail:")))
                part = PART_NONE;
            else if (!is_decoration(s) && part == PART_TYPES && on_report_type(c, &l, s, e))
                break;
            else if (!is_decoration(s) && part == PART_OPS && on_report_op(c, &l, s, e))
                break;
        }
    lines_done(&l);
    return e->code;
}

/* ---- min_cycle_counter_N.txt ---- */

/*
 * The writer prints a double with its point, and nothing after it: a number without a digit after a point was
 * cut.
 */
static bool is_whole_double(const struct lines *l, struct str text)
{
    size_t point = str_chr(text, '.');
    double v;

    return str_f64(text, &v) && (l->ended || (point != SIZE_MAX && point + 1 < text.n));
}

int parse_min_cycle(struct parse_ctx *c, struct err *e)
{
    struct lines l;
    struct str line;

    if (lines_open(&l, c, e) == OK && lines_next(&l, &line, e)) {
        bool whole = is_whole_double(&l, str_trim(line));
        l.ended |= whole;
        if (!whole)
            lines_bad(&l, "not a whole number");
        else if (parse_setting(c, "min_cycle_counter", str_trim(line), e))
            goto out;
    }
out:
    lines_done(&l);
    return e->code;
}

/* ---- flops_N.txt ---- */

struct flops_column {
    size_t slot; /* of op_flops */
    int exp10;   /* of its unit; -2: percent */
};

/*
 * Slot and unit of a column by its header: `MFLOPs(10^6 cube)`, `GFLOPS(10^9)`, `FLOPS utilization(% vec)`,
 * `FLOPs`.
 */
static bool flops_column(struct str head, struct flops_column *out)
{
    bool vec = str_find_nocase(head, STR("vec")) != SIZE_MAX;

    out->exp10 = 0;
    if (str_find_nocase(head, STR("utilization")) != SIZE_MAX) {
        *out =
            (struct flops_column){ vec ? COL(op_flops, vector_utilisation) : COL(op_flops, utilisation), -2 };
        return true;
    }
    if (str_find(head, STR("MFLOP"), 0) != SIZE_MAX)
        out->exp10 = 6;
    else if (str_find(head, STR("GFLOP"), 0) != SIZE_MAX)
        out->exp10 = 9;
    if (str_find(head, STR("FLOPs"), 0) != SIZE_MAX)
        out->slot = vec ? COL(op_flops, vector_flops) : COL(op_flops, cube_flops);
    else if (str_find(head, STR("FLOPS"), 0) != SIZE_MAX)
        out->slot = vec ? COL(op_flops, vector_flops_per_s) : COL(op_flops, flops_per_s);
    else
        return false;
    return true;
}

struct flops_file {
    struct flops_column col[MAX_TAIL];
    size_t n;
};

static bool flops_header(struct flops_file *f, struct str line)
{
    struct str cell[MAX_TAIL + 1];
    size_t n = lines_split(line, ',', cell, ARRAY_LEN(cell));

    f->n = 0;
    for (size_t i = 1; i < n; i++)
        if (!flops_column(cell[i], &f->col[f->n++]))
            return false;
    return f->n > 0;
}

static int on_flops(struct parse_ctx *c, struct lines *l, const struct flops_file *f, struct str line,
                    struct err *e)
{
    struct str name, cell[MAX_TAIL];
    struct val v[N_COLS(op_flops)] = { 0 };
    bool bad = false;

    if (!lines_tail(line, ',', f->n, &name, cell)) {
        lines_bad(l, "fewer cells than the header");
        return OK;
    }
    for (size_t i = 0; i < f->n; i++)
        v[f->col[i].slot] = val_real_text(cell[i], f->col[i].exp10, &bad);
    if (bad)
        lines_bad_value(l);
    int64_t op = parse_op_named(c, name, NULL, e);
    if (op == 0)
        return e->code;
    v[COL(op_flops, op_id)] = val_int(op);
    v[COL(op_flops, rank)] = val_int(c->rank);
    v[COL(op_flops, source_id)] = val_int(c->f->id);
    v[COL(op_flops, line)] = val_int(l->n);
    return parse_row(c, T_op_flops, v, N_COLS(op_flops), e);
}

int parse_flops(struct parse_ctx *c, struct err *e)
{
    struct flops_file f = { .n = 0 };
    struct lines l;
    struct str line;

    if (lines_open(&l, c, e) == OK)
        while (lines_next(&l, &line, e)) {
            if (l.n == 1 && !flops_header(&f, line)) {
                err_set(e, ERR_FORMAT, "the first line names no FLOPs");
                err_where(e, c->f->path, l.off, l.n);
                break;
            }
            if (l.n > 1 && str_trim(line).n > 0 && on_flops(c, &l, &f, line, e))
                break;
        }
    lines_done(&l);
    return e->code;
}

/* ---- flops_utilization_step_N.json, which is CSV text ---- */

static int on_flops_step(struct parse_ctx *c, struct lines *l, struct str line, struct err *e)
{
    static const char *const kinds[2][2] = { { "all", NULL }, { "cube", "vector" } };
    struct str cell[3];
    size_t n = lines_split(line, ',', cell, ARRAY_LEN(cell));
    int64_t step;
    bool bad = false;

    if (n < 2 || !str_i64(cell[0], &step)) {
        lines_bad(l, "not step, utilisation");
        return OK;
    }
    for (size_t i = 1; i < n; i++) {
        struct val v[N_COLS(flops_total)] = { 0 };
        v[COL(flops_total, rank)] = val_int(c->rank);
        v[COL(flops_total, step)] = val_int(step);
        v[COL(flops_total, utilisation)] = val_real_text(cell[i], -2, &bad);
        v[COL(flops_total, kind)] = val_cstr(kinds[n - 2][i - 1]);
        v[COL(flops_total, source_id)] = val_int(c->f->id);
        if (parse_row(c, T_flops_total, v, N_COLS(flops_total), e))
            return e->code;
    }
    if (bad)
        lines_bad_value(l);
    return OK;
}

int parse_flops_step(struct parse_ctx *c, struct err *e)
{
    struct lines l;
    struct str line;

    if (lines_open(&l, c, e) == OK)
        while (lines_next(&l, &line, e)) {
            bool header = l.n == 1 && str_starts(line, STR("steps"));
            if (!header && str_trim(line).n > 0 && on_flops_step(c, &l, line, e))
                break;
        }
    lines_done(&l);
    return e->code;
}
