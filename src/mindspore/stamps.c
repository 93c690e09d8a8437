/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executions as lines of "name;label;start,duration[,thread] start,duration ...", and the clock files for
 * them (doc/formats/mindspore1.md#gpu to #start_time).
 */
#include "config.h"

#include "base/buf.h"
#include "base/limits.h"
#include "mindspore/timeline.h"
#include "parsers/read/lines.h"

struct reader {
    struct mindspore_run *r;
    struct lines l;
    struct str name;
    struct buf label;
    bool in_line;
    mindspore_stamp_fn *fn;
    void *arg;
};

static int on_stamp(struct reader *x, struct str piece, struct err *e)
{
    struct str cell[3] = { STR_NULL, STR_NULL, STR("") };
    size_t n = lines_split(piece, ',', cell, ARRAY_LEN(cell));
    struct mindspore_stamp s = { .name = x->name, .label = buf_str(&x->label), .thread = cell[2] };

    if (n < 2 || !str_i64(cell[0], &s.start) || !str_f64(cell[1], &s.dur)) {
        lines_bad(&x->l, "not start,duration");
        return OK;
    }
    return x->fn(x->arg, &s, e);
}

/* The first piece of a line: name;label;pair. */
static int on_line(struct reader *x, struct str piece, uint64_t *n_lines, struct err *e)
{
    struct str name, tail[2];

    x->in_line = lines_tail(piece, ';', 2, &name, tail) && name.n <= LIM_NAME_B;
    if (!x->in_line) {
        if (str_trim(piece).n > 0)
            lines_bad(&x->l, "not name;label;start,duration");
        return OK;
    }
    x->name = arena_str(x->r->a, str_trim(name));
    buf_clear(&x->label);
    buf_add(&x->label, tail[0]);
    if (!x->name.p || buf_failed(&x->label))
        return err_nomem(e);
    ++*n_lines;
    return tail[1].n ? on_stamp(x, tail[1], e) : OK;
}

int mindspore_read_stamps(struct mindspore_run *r, const struct source_file *f, uint64_t *n_lines,
                          mindspore_stamp_fn *fn, void *arg, struct err *e)
{
    struct reader x = { .r = r, .fn = fn, .arg = arg };
    struct parse_ctx c = mindspore_ctx(r, f);
    struct str piece;
    bool first = true;

    *n_lines = 0;
    buf_init(&x.label, LIM_NAME_B);
    if (lines_open(&x.l, &c, e) == OK) {
        x.l.also = ' '; /* a line holds all executions of an op and may be longer than any limit of lines */
        while (lines_next(&x.l, &piece, e)) {
            if (first ? on_line(&x, piece, n_lines, e)
                      : x.in_line && str_trim(piece).n > 0 && on_stamp(&x, piece, e))
                break;
            first = x.l.end != ' ';
        }
    }
    lines_done(&x.l);
    buf_done(&x.label);
    return e->code;
}

/* ---- host ops ---- */

struct host {
    struct mindspore_timeline *t;
    mindspore_clock_fn *clock;
    const void *ctx;
    struct mindspore_rows *out;
    struct buf label;
};

static int on_host(void *arg, const struct mindspore_stamp *s, struct err *e)
{
    struct host *h = arg;
    struct mindspore_row row = { .name = s->name,
                                 .start = h->clock(h->ctx, s->start),
                                 .dur = s->dur / 1e-3,
                                 .pid = MINDSPORE_NO_PID,
                                 .kind = MINDSPORE_ROW_HOST };

    if (!h->t->target->ns)
        row.dur /= 1000;
    buf_clear(&h->label);
    buf_add(&h->label, s->label);
    buf_add(&h->label, s->thread);
    if (buf_failed(&h->label))
        return err_nomem(e);
    row.label = mindspore_label(h->t, buf_str(&h->label), e);
    return e->code ? e->code : mindspore_rows_add(h->out, &row, e);
}

/* Some versions read the file of rank 0 for every rank. */
static const struct source_file *host_file(const struct mindspore_run *r)
{
    bool zero =
        r->rules->timeline->host_of_zero && (r->mode == MINDSPORE_GRAPH || r->mode == MINDSPORE_PYNATIVE);

    for (size_t i = 0; i < r->unit->n_files && zero && r->rank; i++) {
        const struct source_file *f = r->unit->files[i];
        if (strcmp(f->kind->id, "cpu_op_timestamp") == 0 && f->regular && !f->superseded && f->rank == 0)
            return f;
    }
    return zero && r->rank ? NULL : mindspore_file(r, "cpu_op_timestamp", NULL);
}

int mindspore_host_rows(struct mindspore_timeline *t, mindspore_clock_fn *clock, const void *ctx,
                        struct mindspore_rows *out, struct err *e)
{
    struct host h = { .t = t, .clock = clock, .ctx = ctx, .out = out };
    const struct source_file *f = host_file(t->r);
    uint64_t n = 0;

    if (!f)
        return OK;
    buf_init(&h.label, 2 * LIM_NAME_B);
    mindspore_last(mindspore_read_stamps(t->r, f, &n, on_host, &h, e));
    buf_done(&h.label);
    t->n_ops += t->r->rules->timeline->host_clock ? 0 : n;
    return e->code;
}

/* ---- start_time_N.txt ---- */

bool mindspore_start_times(struct mindspore_run *r, int64_t *host, int64_t *device)
{
    const struct source_file *f = mindspore_file(r, "g1_start_time", NULL);
    struct err e = ERR_INIT;
    struct lines l;
    struct str line;
    int64_t v[2];
    size_t n = 0;

    if (!f)
        return false;
    struct parse_ctx c = mindspore_ctx(r, f);
    if (lines_open(&l, &c, &e) == OK)
        while (n < 2 && lines_next(&l, &line, &e) && str_i64(str_trim(str_after_last(line, ':')), &v[n]))
            n++;
    lines_close(&l);
    if (n < 2)
        return false;
    *host = v[0];
    *device = v[1];
    return true;
}
