/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AI CPU tasks, and the data queue as GetNext found it (doc/formats/mindspore1.md#aicpu_intermediate,
 * #minddata_aicpu).
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "mindspore/run.h"
#include "parsers/mindspore/records/aicpu_records.h"
#include "parsers/mindspore/records/aicpumi_text.h"

#define US_PER_MS    1000.0
#define TICKS_PER_US 100.0

struct reader {
    struct mindspore_run *r;
    struct mindspore_aicpu *rows;
    size_t n, cap;
    bool given_up; /* a task without an op ends the analysis of older versions */
};

/* ---- rows ---- */

/* Last part of the name of the task's op; without an op the task's key. p NULL: no memory. */
static struct str name_of(struct reader *x, const struct aicpu_task *t)
{
    struct mindspore_run *r = x->r;
    char key_text[48];

    if (t->name.p)
        return mindspore_text(r, t->name);
    uint32_t i = task_keys_find(r->keys, (uint32_t)t->stream, (uint64_t)t->task);
    if (i != TASK_KEYS_NONE)
        return mindspore_short(intern_get(r->texts, task_keys_value(r->keys, i)));
    x->given_up |= r->rules->aicpu_needs_op;
    struct task_key key = task_key_of(r->rules->short_key, (uint32_t)t->stream, (uint64_t)t->task);
    return mindspore_text(r, (struct str){ key_text, mindspore_key_text(&key, key_text) });
}

/* Up to r1.2 the times are the us of the record; later versions use these where there are no ticks. */
static void set_times(const struct mindspore_rules *rules, const struct aicpu_task *t,
                      struct mindspore_aicpu *v)
{
    bool ticks = rules->aicpu_execution && t->has_ticks;

    v->run_start = ticks ? (double)t->start_ticks / TICKS_PER_US : (double)t->start_us;
    v->run_end = ticks ? (double)t->end_ticks / TICKS_PER_US : (double)t->end_us;
    v->execution_ms = (double)(int64_t)((uint64_t)t->end_us - (uint64_t)t->start_us) / US_PER_MS;
    v->start_ms = v->run_start / US_PER_MS;
    v->dur_ms = rules->aicpu_execution ? v->execution_ms : v->run_end / US_PER_MS - v->run_start / US_PER_MS;
}

static int on_task(void *arg, const struct aicpu_task *t, struct err *e)
{
    struct reader *x = arg;
    struct mindspore_aicpu *rows = grow_array(x->rows, x->n, &x->cap, sizeof *rows, 256);

    if (!rows)
        return err_nomem(e);
    x->rows = rows;
    struct mindspore_aicpu *v = &rows[x->n];
    v->name = name_of(x, t);
    if (!v->name.p)
        return err_nomem(e);
    v->total_ms = (double)t->total_us / US_PER_MS;
    v->dispatch_ms = (double)t->dispatch_us / US_PER_MS;
    set_times(x->r->rules, t, v);
    x->n++;
    return OK;
}

static int keep_rows(struct reader *x, struct err *e)
{
    struct mindspore_run *r = x->r;
    struct mindspore_aicpu *rows = arena_array(r->a, x->n + 1, sizeof *rows);

    if (!rows)
        return err_nomem(e);
    if (x->n)
        memcpy(rows, x->rows, x->n * sizeof *rows);
    r->aicpu = rows;
    r->n_aicpu = x->n;
    for (size_t i = 0; i < x->n; i++)
        r->aicpu_total_ms += rows[i].total_ms;
    return OK;
}

/* ---- files ---- */

/* Cells after the name, each with the separator before it. */
static void put_cells(struct emit *o, const struct mindspore_rules *rules, const struct mindspore_aicpu *v,
                      char sep)
{
    const double cells[] = { v->total_ms, v->dispatch_ms, v->execution_ms };
    const double times[] = { v->run_start, v->run_end };

    for (size_t i = 0; i < (rules->aicpu_execution ? 3u : 2u); i++) {
        emit_c(o, sep);
        emit_repr(o, cells[i]);
    }
    for (size_t i = 0; i < ARRAY_LEN(times); i++) {
        emit_c(o, sep);
        if (rules->aicpu_execution)
            emit_repr(o, times[i]);
        else
            emit_i(o, (int64_t)times[i]);
    }
}

/* With six decimals, whatever the locale. */
static void put_sum(struct emit *o, double v)
{
    char t[400];

    snprintf(t, sizeof t, "%.6f", v);
    for (char *p = t; *p; p++)
        if (*p != '-' && (*p < '0' || *p > '9'))
            *p = '.';
    emit_s(o, t);
}

static int write_text(struct mindspore_run *r, struct err *e)
{
    struct emit *o;

    if (mindspore_open(r, &o, "output_data_preprocess_aicpu_", ".txt", e))
        return e->code;
    emit_fmt(o, "serial_number node_type_name total_time(ms) dispatch_time(ms)%s run_start run_end\n",
             r->rules->aicpu_execution ? " execution_time(ms)" : "");
    for (size_t i = 0; i < r->n_aicpu; i++) {
        emit_u(o, i + 1);
        emit_c(o, ' ');
        emit_str(o, r->aicpu[i].name);
        put_cells(o, r->rules, &r->aicpu[i], ' ');
        emit_c(o, '\n');
    }
    emit_s(o, "AI CPU Total Time(ms): ");
    put_sum(o, r->aicpu_total_ms);
    emit_c(o, '\n');
    return mindspore_close(r, o, e);
}

/* The file's rows are text split at blanks: a name that contains blanks becomes several cells. */
static void put_name(struct emit *o, struct str name)
{
    struct str rest = name, word;

    if (!name.n)
        emit_c(o, ',');
    while (rest.p && str_next(&rest, ' ', &word))
        mindspore_cell(o, word, false);
}

static int write_table(struct mindspore_run *r, struct err *e)
{
    struct emit *o;

    if (mindspore_open(r, &o, "aicpu_intermediate_", ".csv", e))
        return e->code;
    emit_fmt(o, "serial_number,op_type,total_time,dispatch_time%s,run_start,run_end",
             r->rules->aicpu_execution ? ",execution_time" : "");
    mindspore_end_row(o);
    for (size_t i = r->rules->aicpu_lost_first; i < r->n_aicpu; i++) {
        emit_u(o, i + 1);
        put_name(o, r->aicpu[i].name);
        put_cells(o, r->rules, &r->aicpu[i], ',');
        mindspore_end_row(o);
    }
    return mindspore_close(r, o, e);
}

int mindspore_aicpu(struct mindspore_run *r, struct err *e)
{
    struct reader x = { .r = r };
    struct parse_ctx *c = group_use(&r->job, ROLE_AICPU, 0);
    const char *why = "no AI CPU tasks";

    if (c && aicpu_records_read(c, on_task, &x, e) == OK && !x.given_up)
        (void)keep_rows(&x, e);
    free(x.rows);
    if (e->code)
        return e->code;
    if (r->n_aicpu)
        return write_text(r, e) ? e->code : write_table(r, e);
    if (x.given_up)
        why = "an AI CPU task belongs to no op";
    mindspore_no_data(r, "output_data_preprocess_aicpu_", ".txt", why);
    mindspore_no_data(r, "aicpu_intermediate_", ".csv", why);
    return OK;
}

/* ---- the data queue ---- */

struct queue {
    struct mindspore_run *r;
    struct emit *o; /* NULL: no record yet */
};

/* As Python's int() prints it; other text unchanged; an empty text is 0. */
static void put_count(struct emit *o, struct str s)
{
    bool digits = s.n > 0;

    for (size_t i = 0; i < s.n; i++)
        digits &= s.p[i] >= '0' && s.p[i] <= '9';
    while (digits && s.n > 1 && s.p[0] == '0')
        s = str_sub(s, 1, SIZE_MAX);
    emit_c(o, ' ');
    emit_str(o, s.p ? s : STR("0"));
}

static int on_queue(void *arg, const struct aicpumi_record *v, struct err *e)
{
    struct queue *q = arg;

    if (!q->o && mindspore_open(q->r, &q->o, "minddata_aicpu_", ".txt", e))
        return e->code;
    emit_str(q->o, v->name);
    put_count(q->o, v->start_us);
    put_count(q->o, v->end_us);
    put_count(q->o, v->queue_size);
    emit_c(q->o, '\n');
    return OK;
}

/* The file of the chosen job, if there is one. */
static const struct source_file *queue_file(const struct mindspore_run *r)
{
    const struct source_file *f = mindspore_file(r, "raw_aicpu_mi", NULL);

    while (f && r->job.n && !str_starts(str_of(f->rel), str_of(r->job_dir)))
        f = mindspore_file(r, "raw_aicpu_mi", f);
    return f;
}

int mindspore_queue(struct mindspore_run *r, struct err *e)
{
    struct queue q = { .r = r };
    const struct source_file *f = queue_file(r);

    if (f) {
        struct parse_ctx c = mindspore_ctx(r, f);
        int rc = aicpumi_text_read(&c, on_queue, &q, e);
        if (q.o || rc)
            return mindspore_close(r, q.o, e);
    }
    mindspore_no_data(r, "minddata_aicpu_", ".txt", f ? "no records of the data queue" : "no AICPUMI data");
    return OK;
}
