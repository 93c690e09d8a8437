/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps from step marks, and the ops where their forward pass begins and their backward pass ends
 * (doc/formats/mindspore1.md#step_trace_raw).
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "mindspore/run.h"
#include "parsers/mindspore/mark_steps.h"
#include "parsers/mindspore/records/framework_text.h"

#define CELLS_MAX ((size_t)64 << 20) /* of all rows */
#define AT_BP     5                  /* column bp_point */
#define NO_TEXT   UINT32_MAX

static const struct str columns[MINDSPORE_STEP_CELLS] = {
    STR("step_num"), STR("start_point"),        STR("end_point"), STR("total"), STR("fp_point"),
    STR("bp_point"), STR("iteration_interval"), STR("fp_and_bp"), STR("tail"),
};

struct reader {
    struct mindspore_run *r;
    struct steps steps;
    bool training;
    const char *given_up; /* why there is no file */
    bool has_job;
    uint64_t job;              /* tag of the job's marks */
    uint32_t fp_op, bp_op;     /* texts of the run */
    struct step_points points; /* full name of the op, a text of the run */
    struct intern *column_names;
    int64_t *row; /* the step being recorded, by column_names */
    bool *has;
    size_t cap_row, cap_has;
    struct mindspore_step *rows;
    size_t n_rows, cap_rows, n_cells;
};

/* ---- names ---- */

static int on_point(void *arg, const struct framework_point *p, struct err *e)
{
    struct reader *x = arg;
    uint32_t text = intern_put(x->r->texts, p->op);

    return text == INTERN_NONE ? err_nomem(e) : step_points_put(&x->points, p->tag, text, e);
}

/* The op of a tag in the point file, NO_TEXT: none. */
static uint32_t point_of(const struct reader *x, uint64_t tag)
{
    uint32_t op = step_points_find(&x->points, tag);

    return op == STEP_NO_POINT ? NO_TEXT : op;
}

/* The op of a mark at a communication op, as from r1.6 on: NO_TEXT, there is no such task. */
static uint32_t op_of_comm(const struct reader *x, const struct step_comm *c)
{
    const struct task_keys *keys = x->r->keys;
    uint32_t i = task_keys_neighbour(keys, c->stream, c->task, c->first, true);

    return i == TASK_KEYS_NONE ? NO_TEXT : task_keys_value(keys, i);
}

/*
 * The op of a mark is the task before or after the mark's own task, in the order of the tasks. NO_TEXT: marks
 * with this tag have no op, or there is no such task (*unknown is set then).
 */
static uint32_t op_of_task(const struct reader *x, const struct step_mark *m, bool *unknown)
{
    const struct mindspore_run *r = x->r;

    if (m->tag > 4 && m->kind != MARK_COMM)
        return NO_TEXT;
    bool after = m->tag == 0 || m->kind == MARK_FP || (m->kind == MARK_COMM && m->first);
    uint32_t i = task_keys_neighbour(r->keys, m->stream, m->task, after, true);
    *unknown = i == TASK_KEYS_NONE;
    if (*unknown)
        return NO_TEXT;
    uint32_t op = task_keys_value(r->keys, i);
    if (m->tag == 0 && str_find(intern_get(r->texts, op), STR("Profiling-op"), 0) != SIZE_MAX) {
        *unknown = i + 1 >= task_keys_count(r->keys);
        return *unknown ? NO_TEXT : task_keys_value(r->keys, i + 1);
    }
    return op;
}

static struct str comm_name(const struct reader *x, const struct step_comm *c)
{
    const struct mindspore_run *r = x->r;

    if (r->rules->comm_name == COMM_BY_TASK) {
        uint32_t by_task = op_of_comm(x, c);
        return by_task == NO_TEXT ? STR("") : intern_get(r->texts, by_task);
    }
    uint32_t op = point_of(x, c->tag);
    if (op == NO_TEXT)
        return STR("parallel");
    struct str name = mindspore_short(intern_get(r->texts, op));
    return r->rules->comm_name == COMM_BY_NAME ? name : str_sub(name, 0, str_chr(name, '-'));
}

static bool is_pair(const struct reader *x, const struct step_comm *a, const struct step_comm *b)
{
    return x->r->rules->comm_same_op ? op_of_comm(x, a) == op_of_comm(x, b) : step_tags_pair(a, b);
}

/* ---- rows ---- */

/* Sets a cell of the current row; a new column is added unless the header can no longer change. */
static int set_cell(struct reader *x, struct str column, uint64_t value, struct err *e)
{
    bool may_add = !x->n_rows || x->r->rules->more_columns;
    uint32_t at = may_add ? intern_put(x->column_names, column) : intern_find(x->column_names, column);

    if (at == INTERN_NONE)
        return may_add ? err_nomem(e) : OK;
    int64_t *row = grow_array(x->row, at, &x->cap_row, sizeof *row, 64);
    x->row = row ? row : x->row;
    bool *has = grow_array(x->has, at, &x->cap_has, sizeof *has, 64);
    x->has = has ? has : x->has;
    if (!row || !has)
        return err_nomem(e);
    row[at] = (int64_t)value;
    has[at] = true;
    return OK;
}

static int set_pair(void *arg, const struct step_comm *a, const struct step_comm *b, uint32_t no,
                    struct err *e)
{
    struct reader *x = arg;
    struct buf name;
    size_t n;

    if (!is_pair(x, a, b))
        return OK;
    buf_init(&name, (size_t)1 << 20);
    buf_printf(&name, "stream_%" PRIu32 "_%" PRIu32 "_", a->stream, no);
    buf_add(&name, comm_name(x, a));
    n = name.n;
    (void)set_cell(x, buf_str(&name), b->ticks - a->ticks, e);
    buf_puts(&name, "_start_point");
    (void)set_cell(x, buf_str(&name), a->ticks, e);
    name.n = n;
    buf_puts(&name, "_end_point");
    (void)set_cell(x, buf_str(&name), b->ticks, e);
    if (buf_failed(&name))
        err_nomem(e);
    buf_done(&name);
    return e->code;
}

static int add_row(struct reader *x, struct err *e)
{
    size_t n = intern_count(x->column_names);
    struct mindspore_step *rows = grow_array(x->rows, x->n_rows, &x->cap_rows, sizeof *rows, 1024);

    if (rows)
        x->rows = rows;
    if (n > CELLS_MAX - x->n_cells)
        return err_set(e, ERR_LIMIT, "the step trace has more than %zu cells", CELLS_MAX);
    int64_t *cell = rows ? arena_array(x->r->a, n, sizeof *cell) : NULL;
    if (!cell)
        return err_nomem(e);
    for (size_t i = 0; i < n && i < x->cap_row && i < x->cap_has; i++)
        cell[i] = x->has[i] ? x->row[i] : 0;
    rows[x->n_rows++] = (struct mindspore_step){ .n = n, .cell = cell };
    x->n_cells += n;
    return OK;
}

static int record(struct reader *x, struct err *e)
{
    const struct steps *s = &x->steps;
    uint64_t fp = s->fp_ticks, bp = s->bp_ticks, end = s->end_ticks;
    uint64_t start = s->has_start ? s->start_ticks : fp;
    const uint64_t cells[MINDSPORE_STEP_CELLS] = {
        (uint64_t)s->number, start, end, end - start, fp, bp, fp - start, bp - fp, end - bp,
    };

    if (x->cap_has)
        memset(x->has, 0, x->cap_has * sizeof *x->has);
    for (size_t i = 0; i < MINDSPORE_STEP_CELLS; i++)
        if (set_cell(x, columns[i], cells[i], e))
            return e->code;
    return steps_each_pair(&x->steps, set_pair, x, e) ? e->code : add_row(x, e);
}

/* ---- marks ---- */

/* Marks of the job are at the beginning of each step in training_trace: all have the same tag. */
static void on_job(struct reader *x, uint64_t tag)
{
    if (x->has_job && tag != x->job)
        x->given_up = "the marks of the job differ";
    x->has_job = true;
    x->job = tag;
}

/* The op of a mark, for versions that find it through the tasks: all marks must have one. */
static void note_op(struct reader *x, const struct step_mark *m)
{
    bool unknown = false;

    if (x->r->rules->comm_name != COMM_BY_TASK)
        return;
    uint32_t op = op_of_task(x, m, &unknown);
    if (unknown)
        x->given_up = "a step mark belongs to no task";
    if (m->kind == MARK_FP)
        x->fp_op = op;
    if (m->kind == MARK_BP)
        x->bp_op = op;
}

static int on_mark(void *arg, const struct step_mark *m, struct err *e)
{
    struct reader *x = arg;

    if (x->given_up)
        return OK;
    note_op(x, m);
    if (m->kind == MARK_OTHER && !x->r->rules->ts_track)
        on_job(x, m->tag);
    if (steps_add(&x->steps, m, e) && steps_whole(&x->steps))
        return record(x, e);
    if (x->steps.full)
        return err_set(e, ERR_LIMIT, "a step has more than %zu marks", STEP_COMMS);
    return e->code;
}

/* ---- the average ---- */

/* sum / n, half to even. */
static int64_t rounded(__int128 sum, int64_t n)
{
    __int128 q = sum / n, rest = sum % n;

    if (rest < 0) {
        rest += n;
        q--;
    }
    if (2 * rest > n || (2 * rest == n && q % 2))
        q++;
    return (int64_t)q;
}

/* The average has as many columns as all rows have; without rows to average it is zeros. */
static int add_average(struct reader *x, struct err *e)
{
    struct mindspore_steps *s = &x->r->steps;
    size_t from = x->r->rules->mean_of_all ? 0 : 1, n = intern_count(x->column_names);

    s->has_average = x->n_rows > from;
    for (size_t i = from; i < x->n_rows; i++)
        n = x->rows[i].n < n ? x->rows[i].n : n;
    int64_t *cell = arena_array(x->r->a, n, sizeof *cell);
    struct mindspore_step *rows = grow_array(x->rows, x->n_rows, &x->cap_rows, sizeof *rows, 1);
    x->rows = rows ? rows : x->rows;
    if (!cell || !rows)
        return err_nomem(e);
    for (size_t c = 0; s->has_average && c < n; c++) {
        __int128 sum = 0;
        for (size_t i = from; i < x->n_rows; i++)
            sum += rows[i].cell[c];
        cell[c] = rounded(sum, (int64_t)(x->n_rows - from));
    }
    rows[x->n_rows++] = (struct mindspore_step){ .is_average = true, .n = n, .cell = cell };
    return OK;
}

/* ---- inference ---- */

/*
 * Without a backward pass the last column is added to the one before it and removed, like bp_point; MindSpore
 * does so whatever columns these are.
 */
static void drop_backward(struct mindspore_step *row)
{
    int64_t *cell = (int64_t *)row->cell; /* made by add_row() or add_average() */

    cell[row->n - 2] = (int64_t)((uint64_t)cell[row->n - 2] + (uint64_t)cell[row->n - 1]);
    row->n -= 2;
    memmove(cell + AT_BP, cell + AT_BP + 1, (row->n - AT_BP) * sizeof *cell);
}

static void drop_columns(struct str *column, size_t *n)
{
    column[*n - 2] = STR("fp");
    *n -= 2;
    memmove(column + AT_BP, column + AT_BP + 1, (*n - AT_BP) * sizeof *column);
}

/* ---- results ---- */

static int keep(struct reader *x, struct err *e)
{
    struct mindspore_run *r = x->r;
    struct mindspore_steps *s = &r->steps;
    size_t n = intern_count(x->column_names);
    struct str *column = arena_array(r->a, n, sizeof *column);

    if (!column || add_average(x, e))
        return err_nomem(e);
    for (uint32_t i = 0; i < n; i++) {
        column[i] = mindspore_text(r, intern_get(x->column_names, i));
        if (!column[i].p)
            return err_nomem(e);
    }
    if (!x->training) {
        drop_columns(column, &n);
        for (size_t i = 0; i < x->n_rows; i++)
            drop_backward(&x->rows[i]);
    }
    struct mindspore_step *rows = arena_array(r->a, x->n_rows, sizeof *rows);
    if (!rows)
        return err_nomem(e);
    memcpy(rows, x->rows, x->n_rows * sizeof *rows);
    s->column = column;
    s->n_columns = n;
    s->row = rows;
    s->n = x->n_rows;
    return OK;
}

static void keep_points(struct reader *x)
{
    struct mindspore_run *r = x->r;

    if (r->rules->comm_name != COMM_BY_TASK) {
        x->fp_op = point_of(x, r->rules->ts_track ? 2 : 1);
        x->bp_op = point_of(x, r->rules->ts_track ? 3 : 2);
    }
    r->steps.fp_start = x->fp_op == NO_TEXT ? STR("") : intern_get(r->texts, x->fp_op);
    r->steps.bp_end = x->bp_op == NO_TEXT ? STR("") : intern_get(r->texts, x->bp_op);
}

/* ---- files ---- */

static int write_steps(struct mindspore_run *r, struct err *e)
{
    const struct mindspore_steps *s = &r->steps;
    struct emit *o;

    if (mindspore_open(r, &o, "step_trace_raw_", "_detail_time.csv", e))
        return e->code;
    for (size_t i = 0; i < s->n_columns; i++)
        mindspore_cell(o, s->column[i], !i);
    mindspore_end_row(o);
    for (size_t i = 0; i < s->n; i++) {
        for (size_t c = 0; c < s->row[i].n; c++) {
            if (c)
                emit_c(o, ',');
            if (!c && s->row[i].is_average && s->has_average)
                emit_c(o, '-');
            else
                emit_i(o, s->row[i].cell[c]);
        }
        mindspore_end_row(o);
    }
    return mindspore_close(r, o, e);
}

static int write_points(struct mindspore_run *r, struct err *e)
{
    struct emit *o;
    int rc = r->rules->point_numbered ? mindspore_open(r, &o, "step_trace_point_info_", ".json", e)
                                      : mindspore_open_name(r, &o, "step_trace_point_info.json", e);

    if (rc)
        return rc;
    emit_s(o, "{\"fp_start\": ");
    mindspore_json_text(o, r->steps.fp_start);
    if (r->steps.training) {
        emit_s(o, ", \"bp_end\": ");
        mindspore_json_text(o, r->steps.bp_end);
    }
    emit_c(o, '}');
    return mindspore_close(r, o, e);
}

static void no_steps(struct mindspore_run *r, const char *why, bool points)
{
    mindspore_no_data(r, "step_trace_raw_", "_detail_time.csv", why);
    if (points)
        mindspore_no_data(r, "step_trace_point_info_", ".json", why);
}

/* ---- the whole ---- */

static bool any_op(const struct mindspore_run *r, struct str prefix)
{
    for (uint32_t i = 0; i < task_keys_count(r->keys); i++)
        if (str_starts(intern_get(r->texts, task_keys_value(r->keys, i)), prefix))
            return true;
    return false;
}

static int read_points(struct reader *x, struct err *e)
{
    struct group_ctx *g = &x->r->job;
    const struct source_file *f = NULL;
    struct parse_ctx *p;

    for (size_t i = 0; (p = group_use(g, ROLE_FRAMEWORK_POINT, i)) != NULL; i++)
        if (group_failed(g, p, framework_text_points(p, on_point, x, e), e))
            return e->code;
    while ((f = mindspore_container_file(x->r, "point", f)) != NULL) {
        struct parse_ctx c = mindspore_ctx(x->r, f);
        if (group_failed(g, &c, framework_text_points(&c, on_point, x, e), e))
            return e->code;
    }
    return OK;
}

static int read_marks(struct reader *x, struct parse_ctx *c, struct err *e)
{
    if (intern_new(&x->column_names, e) || read_points(x, e))
        return e->code;
    if (x->r->rules->slices_by_text && mindspore_slices_by_text(x->r, c, e))
        return e->code;
    if (x->r->rules->ts_track)
        return mark_records_ts_track(c, on_mark, x, e);
    return mark_records_training_trace(c, on_mark, x, e);
}

static int make(struct reader *x, struct parse_ctx *c, struct err *e)
{
    struct mindspore_run *r = x->r;

    if (read_marks(x, c, e))
        return e->code;
    if (x->given_up) {
        no_steps(r, x->given_up, true);
        return OK;
    }
    keep_points(x);
    if (x->n_rows && keep(x, e))
        return e->code;
    if (x->n_rows && write_steps(r, e))
        return e->code;
    if (!x->n_rows)
        no_steps(r, "no whole step", false);
    return write_points(r, e);
}

int mindspore_step_trace(struct mindspore_run *r, struct err *e)
{
    struct reader x = { .r = r, .fp_op = NO_TEXT, .bp_op = NO_TEXT };
    struct parse_ctx *c = group_use(&r->job, r->rules->ts_track ? ROLE_TS_TRACK : ROLE_TRAINING_TRACE, 0);

    x.steps.rules = r->rules->steps;
    x.steps.rules.no_gaps = x.steps.rules.end_has_time = x.steps.rules.first_stream_first = true;
    x.steps.skip_first = r->steps.skip_first = any_op(r, STR("Default/InitDataSetQueue"));
    x.training = r->steps.training = r->rules->always_trains || any_op(r, STR("Gradients"));
    if (r->dynamic)
        no_steps(r, "a network of dynamic shapes", true);
    else if (!c)
        no_steps(r, "no step marks", true);
    else
        (void)make(&x, c, e);
    intern_free(x.column_names);
    steps_done(&x.steps);
    step_points_done(&x.points);
    free(x.row);
    free(x.has);
    free(x.rows);
    return e->code;
}
