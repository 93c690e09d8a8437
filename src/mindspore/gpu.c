/* SPDX-License-Identifier: Apache-2.0 */
/* Step trace and points of a GPU (doc/formats/mindspore1.md#gpu-step-trace). */
#include "config.h"

#include "mindspore/gpu.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "parsers/read/lines.h"

/* ---- reading ---- */

static int add_word(struct mindspore_run *r, struct mindspore_gpu_trace *t, struct str word, struct err *e)
{
    void *p = grow_array(t->word, t->n, &t->cap, sizeof *t->word, 64);

    if (!p)
        return err_nomem(e);
    t->word = p;
    t->word[t->n] = arena_str(r->a, word);
    return t->word[t->n++].p ? OK : err_nomem(e);
}

static int end_line(struct mindspore_gpu_trace *t, struct err *e)
{
    void *p;

    if (t->n == (t->n_lines ? t->end[t->n_lines - 1] : 0))
        return OK;
    p = grow_array(t->end, t->n_lines, &t->line_cap, sizeof *t->end, 64);
    if (!p)
        return err_nomem(e);
    t->end = p;
    t->end[t->n_lines++] = t->n;
    return OK;
}

int mindspore_gpu_trace_read(struct mindspore_run *r, struct mindspore_gpu_trace *t, struct err *e)
{
    const struct source_file *f = mindspore_file(r, "gpu_step_trace", NULL);
    struct lines l;
    struct str piece;

    *t = (struct mindspore_gpu_trace){ .n = 0 };
    if (!f)
        return OK;
    struct parse_ctx c = mindspore_ctx(r, f);
    if (lines_open(&l, &c, e) == OK) {
        l.also = ' '; /* a line holds all steps and may be longer than any limit of lines */
        while (lines_next(&l, &piece, e)) {
            piece = str_trim(piece);
            if ((piece.n && add_word(r, t, piece, e)) || (l.end != ' ' && end_line(t, e)))
                break;
        }
    }
    lines_done(&l);
    if (!e->code && end_line(t, e) == OK && t->n_lines) {
        size_t comma = str_chr(t->word[0], ',');
        t->async = comma != SIZE_MAX && str_rchr(t->word[0], ',') == comma;
    }
    return e->code;
}

void mindspore_gpu_trace_done(struct mindspore_gpu_trace *t)
{
    free(t->word);
    free(t->end);
    *t = (struct mindspore_gpu_trace){ .n = 0 };
}

const struct str *mindspore_gpu_line(const struct mindspore_gpu_trace *t, size_t line, size_t *n)
{
    size_t from = line ? t->end[line - 1] : 0;

    *n = t->end[line] - from;
    return t->word + from;
}

/* ---- rows ---- */

#define POINT_CELLS 9
#define MAX_COMM    4096 /* communication ops of a step */

struct table {
    struct mindspore_run *r;
    const struct mindspore_gpu_trace *t;
    bool training;
    struct str *comm; /* ops of the first step, in the order of the columns */
    size_t n_comm;
    int64_t *cell; /* rows of cells_of() numbers; the file prints the step's number itself */
    size_t n_rows;
};

static size_t cells_of(const struct table *x)
{
    return POINT_CELLS + 3 * x->n_comm;
}

/* The k-th number of "op,1650,1660"; cut: ns lose their last digit. */
static bool number(struct str word, size_t k, bool cut, int64_t *v)
{
    struct str cell = STR_NULL;

    for (size_t i = 0; i <= k; i++)
        if (!str_next(&word, ',', &cell))
            return false;
    return str_i64(str_sub(cell, 0, cut && cell.n ? cell.n - 1 : cell.n), v);
}

static bool take(int64_t a, int64_t b, int64_t *out)
{
    return !__builtin_sub_overflow(a, b, out);
}

static bool fill_row(int64_t *c, size_t step, const int64_t t[4])
{
    const int64_t row[] = { (int64_t)step, t[0], t[3], 0, t[1], t[2], 0, 0, 0 };

    memcpy(c, row, sizeof row);
    return take(t[3], t[0], &c[3]) && take(t[1], t[0], &c[6]) && take(t[2], t[1], &c[7]) &&
           take(t[3], t[2], &c[8]);
}

static bool async_row(struct table *x, size_t step)
{
    size_t n;
    const struct str *w = mindspore_gpu_line(x->t, step, &n);
    int64_t t[4], *c = x->cell + step * cells_of(x);

    if (n < 4 || n - 4 < x->n_comm)
        return false;
    for (size_t i = 0; i < 4; i++)
        if (!number(w[i], 1, true, &t[i]))
            return false;
    if (!fill_row(c, step + 1, t))
        return false;
    for (size_t i = 0; i < x->n_comm; i++) {
        int64_t *k = c + POINT_CELLS + 3 * i;
        if (!number(w[4 + i], 1, true, &k[1]) || !number(w[4 + i], 2, true, &k[2]) ||
            !take(k[2], k[1], &k[0]))
            return false;
    }
    return true;
}

/* The k-th number of the pair of a step on a line. */
static bool pair(const struct table *x, size_t line, size_t step, size_t k, int64_t *v)
{
    size_t n;
    const struct str *w = mindspore_gpu_line(x->t, line, &n);

    return step + 1 < n && number(w[step + 1], k, false, v);
}

static bool sync_row(struct table *x, size_t step)
{
    int64_t t[4], *c = x->cell + step * cells_of(x);
    bool ok = step ? pair(x, 2, step - 1, 0, &t[0]) : pair(x, 0, 0, 0, &t[0]);

    if (!ok || !pair(x, 0, step, 0, &t[1]) || !pair(x, 1, step, 1, &t[2]) || !pair(x, 2, step, 1, &t[3]) ||
        !fill_row(c, step + 1, t))
        return false;
    for (size_t i = 0; i < x->n_comm; i++) {
        int64_t *k = c + POINT_CELLS + 3 * i;
        if (!pair(x, 3 + i, step, 0, &k[1]) || !pair(x, 3 + i, step, 1, &k[2]) || !take(k[2], k[1], &k[0]))
            return false;
    }
    return true;
}

/* Half to even. */
static int64_t mean(__int128 sum, int64_t n)
{
    __int128 q = sum / n, rest = sum % n;

    if (rest < 0) {
        q--;
        rest += n;
    }
    return (int64_t)(2 * rest > n || (2 * rest == n && (q & 1)) ? q + 1 : q);
}

/* Computes the last row; false: there is no average, its cells are 0. */
static bool average(struct table *x)
{
    size_t from = x->r->rules->mean_of_all ? 0 : 1, cells = cells_of(x);
    int64_t *out = x->cell + x->n_rows * cells;

    memset(out, 0, cells * sizeof *out);
    for (size_t k = 1; k < cells && from < x->n_rows; k++) {
        __int128 sum = 0;
        for (size_t i = from; i < x->n_rows; i++)
            sum += x->cell[i * cells + k];
        out[k] = mean(sum, (int64_t)(x->n_rows - from));
    }
    return from < x->n_rows;
}

static int fill(struct table *x, struct err *e)
{
    size_t n, size, lines = x->t->n_lines;
    const struct str *w = mindspore_gpu_line(x->t, 0, &n);

    x->n_comm = x->t->async ? (n > 4 ? n - 4 : 0) : (lines > 3 ? lines - 3 : 0);
    x->n_rows = x->t->async ? lines : n - 1;
    if (x->n_comm > MAX_COMM)
        return err_set(e, ERR_LIMIT, "more than %d communication ops of a step", MAX_COMM);
    if (x->n_comm && x->n_rows > x->t->n / x->n_comm) /* each op is a word of the file */
        return err_set(e, ERR_FORMAT, "some steps lack communication ops of the first");
    x->comm = arena_array(x->r->a, x->n_comm + 1, sizeof *x->comm);
    if (!x->comm || !size_mul(x->n_rows + 1, cells_of(x), &size) ||
        !(x->cell = arena_array(x->r->a, size, sizeof *x->cell)))
        return err_nomem(e);
    for (size_t i = 0; i < x->n_comm; i++) {
        struct str op = x->t->async ? w[4 + i] : mindspore_gpu_line(x->t, 3 + i, &n)[0];
        x->comm[i] = mindspore_short(str_sub(op, 0, str_chr(op, ',')));
    }
    for (size_t i = 0; i < x->n_rows; i++)
        if (x->t->async ? !async_row(x, i) : !sync_row(x, i))
            return err_set(e, ERR_FORMAT, "the marks of step %zu cannot be read", i + 1);
    return OK;
}

/* ---- files ---- */

static void put_column(struct emit *o, const struct table *x, size_t k)
{
    static const char *const points[] = { "step_num", "start_point",        "end_point", "total", "fp_point",
                                          "bp_point", "iteration_interval", "fp_and_bp", "tail" };
    static const char *const ends[] = { "", "_start_point", "_end_point" };
    char name[64];

    if (k < POINT_CELLS) {
        emit_s(o, points[k]);
        return;
    }
    size_t i = (k - POINT_CELLS) / 3;
    snprintf(name, sizeof name, "stream_ops_%zu_", i);
    emit_s(o, name);
    emit_str(o, x->r->rules->timeline->gpu_overlap ? x->comm[i] : STR("AllReduce"));
    emit_s(o, ends[(k - POINT_CELLS) % 3]);
}

/*
 * Whether a cell is written; without training the last two cells are one, and the backward point is left out.
 */
static bool is_cell(const struct table *x, size_t k)
{
    return x->training || (k != 5 && k + 1 != cells_of(x));
}

static void put_header(struct emit *o, const struct table *x)
{
    for (size_t k = 0; k < cells_of(x); k++) {
        if (!is_cell(x, k))
            continue;
        if (k)
            emit_c(o, ',');
        if (!x->training && k + 2 == cells_of(x))
            emit_s(o, "fp");
        else
            put_column(o, x, k);
    }
    mindspore_end_row(o);
}

static void put_row(struct emit *o, const struct table *x, size_t row, bool is_average)
{
    size_t cells = cells_of(x);
    const int64_t *c = x->cell + row * cells;

    for (size_t k = 0; k < cells; k++) {
        if (!is_cell(x, k))
            continue;
        if (k)
            emit_c(o, ',');
        if (k == 0 && is_average) {
            emit_c(o, '-');
        } else if (x->training || k + 2 != cells) {
            emit_i(o, c[k]);
        } else if (x->n_comm && x->t->async && row < x->n_rows) {
            emit_i(o, c[k]); /* these numbers are text in the file, and so is their sum */
            emit_i(o, c[k + 1]);
        } else {
            emit_i(o, (int64_t)((uint64_t)c[k] + (uint64_t)c[k + 1]));
        }
    }
    mindspore_end_row(o);
}

static int write_steps(struct table *x, struct err *e)
{
    struct emit *o;

    if (mindspore_open(x->r, &o, "step_trace_raw_", "_detail_time.csv", e))
        return e->code;
    put_header(o, x);
    for (size_t i = 0; i < x->n_rows; i++)
        put_row(o, x, i, false);
    put_row(o, x, x->n_rows, average(x));
    return mindspore_close(x->r, o, e);
}

static struct str op_of(struct str word)
{
    return str_sub(word, 0, str_chr(word, ','));
}

static void put_points(struct emit *o, const struct table *x, struct str fp, struct str bp)
{
    emit_s(o, "{\"fp_start\": ");
    mindspore_json_text(o, fp);
    if (x->training) {
        emit_s(o, ", \"bp_end\": ");
        mindspore_json_text(o, bp);
    }
    emit_c(o, '}');
}

static int write_points(struct table *x, struct err *e)
{
    bool numbered = x->r->rules->point_numbered;
    struct emit *o;
    size_t n;

    if (numbered ? mindspore_open(x->r, &o, "step_trace_point_info_", ".json", e)
                 : mindspore_open_name(x->r, &o, "step_trace_point_info.json", e))
        return e->code;
    if (x->t->async) {
        emit_c(o, '[');
        for (size_t i = 0; i < x->t->n_lines; i++) {
            const struct str *w = mindspore_gpu_line(x->t, i, &n);
            emit_s(o, i ? ", " : "");
            put_points(o, x, op_of(w[1]), op_of(w[2]));
        }
        emit_c(o, ']');
    } else {
        put_points(o, x, mindspore_gpu_line(x->t, 0, &n)[0], mindspore_gpu_line(x->t, 1, &n)[0]);
    }
    return mindspore_close(x->r, o, e);
}

static void no_steps(struct mindspore_run *r, const char *why)
{
    mindspore_no_data(r, "step_trace_raw_", "_detail_time.csv", why);
    if (r->rules->point_numbered)
        mindspore_no_data(r, "step_trace_point_info_", ".json", why);
}

int mindspore_gpu_steps(struct mindspore_run *r, struct err *e)
{
    struct mindspore_gpu_trace t;
    struct table x = { .r = r, .t = &t, .training = r->steps.training };

    if (mindspore_gpu_trace_read(r, &t, e) == OK) {
        if (!r->rules->timeline->gpu)
            no_steps(r, "this version has none");
        else if (!t.n_lines)
            no_steps(r, "there is no step_trace_profiling file, or nothing in it");
        else if (!t.async && t.n_lines < 3)
            no_steps(r, "step_trace_profiling has fewer than three lines");
        else if (fill(&x, e) == OK && write_steps(&x, e) == OK)
            (void)write_points(&x, e);
        if (e->code == ERR_FORMAT || e->code == ERR_LIMIT) {
            no_steps(r, e->text);
            err_clear(e);
        }
    }
    mindspore_gpu_trace_done(&t);
    return e->code;
}
