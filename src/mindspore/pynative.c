/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PyNative mode: times of ops and the timeline, from the executions that the run recorded itself
 * (doc/formats/mindspore1.md#pynative, #pynative-timeline).
 */
#include "config.h"

#include <stdlib.h>

#include "mindspore/timeline.h"
#include "parsers/read/lines.h"

static const struct mindspore_target pynative = {
    .display = "ascend_timeline_display_",
    .summary = "ascend_timeline_summary_",
    .cluster = "ascend",
    .factor = 1,
    .inverse = 1,
};

struct build {
    struct mindspore_timeline t;
    struct intern *names;
};

/* ---- reading ---- */

static int on_line(struct build *b, struct lines *l, struct str line, struct err *e)
{
    struct mindspore_row row = { .pid = MINDSPORE_NO_PID, .kind = MINDSPORE_ROW_OP };
    struct str name, cell[3];

    if (!str_trim(line).n || (l->n == 1 && str_starts(line, STR("op_name"))))
        return OK;
    if (!lines_tail(line, ',', 3, &name, cell) || !str_f64(cell[1], &row.start) ||
        !str_f64(cell[2], &row.dur)) {
        lines_bad(l, "not name, stream, start, duration");
        return OK;
    }
    uint32_t id = intern_put(b->names, name);
    if (id == INTERN_NONE)
        return err_nomem(e);
    row.name = intern_get(b->names, id);
    row.label = mindspore_label(&b->t, cell[0], e);
    return e->code ? e->code : mindspore_rows_add(&b->t.rows, &row, e);
}

static int read_ops(struct build *b, struct err *e)
{
    const struct source_file *f = mindspore_file(b->t.r, "g1_timeline_data", NULL);
    struct lines l;
    struct str line;

    if (!f)
        return OK;
    struct parse_ctx c = mindspore_ctx(b->t.r, f);
    if (lines_open(&l, &c, e) == OK)
        while (lines_next(&l, &line, e) && on_line(b, &l, line, e) == OK)
            continue;
    lines_done(&l);
    return e->code;
}

/* ---- times of ops and types ---- */

struct mean {
    double sum;
    uint64_t n;
};
struct means {
    struct intern *names;
    struct mean *v; /* by number of the name */
};

static struct str type_of(struct str op)
{
    return str_sub(op, 0, str_chr(op, '-'));
}

static int find_means(const struct mindspore_rows *rows, bool types, struct means *m, struct err *e)
{
    m->v = calloc(rows->n + 1, sizeof *m->v);
    if (!m->v)
        return err_nomem(e);
    if (intern_new(&m->names, e))
        return e->code;
    for (size_t i = 0; i < rows->n; i++) {
        struct str op = mindspore_short(rows->v[i].name);
        uint32_t id = intern_put(m->names, types ? type_of(op) : op);
        if (id == INTERN_NONE)
            return err_nomem(e);
        m->v[id].sum += rows->v[i].dur;
        m->v[id].n++;
    }
    return OK;
}

static void means_done(struct means *m)
{
    intern_free(m->names);
    free(m->v);
}

static int write_detail(struct mindspore_run *r, const struct means *m, struct err *e)
{
    struct emit *o;

    if (mindspore_open(r, &o, "pynative_op_intermediate_", "_detail.csv", e))
        return e->code;
    emit_s(o, "full_op_name,execution_time\r\n");
    for (uint32_t i = 0; i < intern_count(m->names); i++) {
        mindspore_cell(o, intern_get(m->names, i), true);
        emit_c(o, ',');
        emit_repr(o, emit_round(m->v[i].sum / (double)m->v[i].n, 6));
        mindspore_end_row(o);
    }
    return mindspore_close(r, o, e);
}

static int write_types(struct mindspore_run *r, const struct means *m, struct err *e)
{
    double total = 0;
    struct emit *o;

    if (mindspore_open(r, &o, "pynative_op_intermediate_", "_type.csv", e))
        return e->code;
    for (uint32_t i = 0; i < intern_count(m->names); i++)
        total += m->v[i].sum / (double)m->v[i].n;
    emit_s(o, "op_type,execution_time,execution_frequency,percent\r\n");
    for (uint32_t i = 0; i < intern_count(m->names); i++) {
        double mean = m->v[i].sum / (double)m->v[i].n;
        mindspore_cell(o, intern_get(m->names, i), true);
        emit_c(o, ',');
        emit_repr(o, mean);
        emit_fmt(o, ",%U,%r", m->v[i].n, emit_round(total > 0 ? mean / total * 100 : 0, 2));
        mindspore_end_row(o);
    }
    return mindspore_close(r, o, e);
}

static int write_means(struct build *b, struct err *e)
{
    struct means ops = { NULL, NULL }, types = { NULL, NULL };

    if (find_means(&b->t.rows, false, &ops, e) == OK && find_means(&b->t.rows, true, &types, e) == OK &&
        write_types(b->t.r, &types, e) == OK)
        (void)write_detail(b->t.r, &ops, e);
    means_done(&ops);
    means_done(&types);
    return e->code;
}

/* ---- timeline ---- */

/* Converts to the device's clock, in ms: the quotient of two integers, rounded once. */
static double device_ms(const void *ctx, int64_t start)
{
    int64_t v;

    if (__builtin_add_overflow(start, *(const int64_t *)ctx, &v))
        return (double)start / 1e6;
    return (double)((long double)v / 1000000);
}

static int add_step(struct mindspore_timeline *t, struct mindspore_rows *out, double start, double end,
                    struct err *e)
{
    struct mindspore_row row = { .name = str_of(arena_printf(t->r->a, "%zu", out->n + 1)),
                                 .start = start,
                                 .dur = end - start,
                                 .label = t->l_steps,
                                 .pid = MINDSPORE_NO_PID,
                                 .kind = MINDSPORE_ROW_STEP };

    return row.name.p ? mindspore_rows_add(out, &row, e) : err_nomem(e);
}

static bool is_next(const struct mindspore_row *x)
{
    return str_find(x->name, STR("GetNext"), 0) != SIZE_MAX;
}

/*
 * A step goes from each GetNext to the next, the last one to the start of the last row; only in a timeline
 * that begins with a GetNext.
 */
static int add_steps(struct mindspore_timeline *t, struct mindspore_rows *out, struct err *e)
{
    const struct mindspore_rows *rows = &t->rows;
    const struct mindspore_row *begin = NULL;

    if (rows->n < 2 || (!is_next(&rows->v[0]) && !is_next(&rows->v[1])))
        return OK;
    for (size_t i = 0; i < rows->n; i++) {
        if (!is_next(&rows->v[i]))
            continue;
        if (begin && add_step(t, out, begin->start, rows->v[i].start, e))
            return e->code;
        begin = &rows->v[i];
    }
    return begin ? add_step(t, out, begin->start, rows->v[rows->n - 1].start, e) : OK;
}

static int count_names(struct build *b, struct err *e)
{
    for (size_t i = 0; i < b->t.rows.n; i++)
        if (intern_put(b->names, b->t.rows.v[i].name) == INTERN_NONE)
            return err_nomem(e);
    b->t.n_ops = intern_count(b->names);
    return OK;
}

static int write_timeline(struct build *b, struct err *e)
{
    struct mindspore_timeline *t = &b->t;
    struct mindspore_rows steps = { .n = 0 };
    int64_t host, device, shift = 0;

    if (mindspore_start_times(t->r, &host, &device) &&
        (__builtin_mul_overflow(device, 1000, &device) || __builtin_sub_overflow(device, host, &shift)))
        shift = 0;
    if (mindspore_host_rows(t, device_ms, &shift, &t->rows, e) || count_names(b, e) ||
        mindspore_rows_by_start(&t->rows, e))
        return e->code;
    t->n_executions = t->rows.n;
    t->max_scope = mindspore_scope_max(&t->rows);
    t->base = t->rows.v[0].start;
    if (add_steps(t, &steps, e) == OK && mindspore_rows_append(&t->rows, &steps, e) == OK)
        mindspore_last(mindspore_timeline_write(t, e));
    mindspore_rows_done(&steps);
    return e->code;
}

static void no_files(struct mindspore_run *r, const char *why)
{
    mindspore_no_data(r, "pynative_op_intermediate_", "_type.csv", why);
    mindspore_no_data(r, "pynative_op_intermediate_", "_detail.csv", why);
    mindspore_no_data(r, pynative.display, ".json", why);
    mindspore_no_data(r, pynative.summary, ".json", why);
}

int mindspore_pynative(struct mindspore_run *r, struct err *e)
{
    struct build b = { .names = NULL };

    if (!r->rules->timeline->pynative) {
        no_files(r, "this version has none of PyNative mode");
        return OK;
    }
    if (mindspore_timeline_begin(&b.t, r, &pynative, e) || intern_new(&b.names, e))
        goto out;
    b.t.device_label = "Ascend Op";
    b.t.pid_text = true;
    b.t.plain_rows = true;
    if (read_ops(&b, e))
        goto out;
    if (!b.t.rows.n)
        no_files(r, "there is no output_timeline_data file, or nothing in it");
    else if (write_means(&b, e) == OK)
        (void)write_timeline(&b, e);
out:
    intern_free(b.names);
    mindspore_timeline_done(&b.t);
    return e->code;
}
