/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communication by step, op and link (doc/formats/mindspore1.md#hccl_raw): hccl_raw_N.csv from the traces in
 * hccl_info.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/grow.h"
#include "base/path.h"
#include "mindspore/run.h"
#include "parsers/mindspore/records/hccl_trace.h"

#define BEFORE   "hccl_raw_"
#define MAX_CELL ((size_t)1 << 30)

/* Costs of communication in a step: of one op, or of all. */
struct entry {
    int64_t step;
    double cost_ms, wait_ms;
    struct hccl_link *link;
    size_t n_links;
    size_t op; /* index of the op */
};
struct entries {
    struct entry *v;
    size_t n, cap;
};
/* A communication op: a folder of traces. */
struct comm_op {
    struct str dir;  /* name of the folder */
    struct str name; /* name in the output file */
    struct str kind; /* "allReduce" */
    uint64_t number; /* number after the kind in the folder's name */
    size_t from, n;  /* in trace, which is sorted by op and step */
};
struct hccl {
    struct mindspore_run *r;
    struct comm_op *op;
    size_t n_ops, cap_ops;
    struct entries trace; /* one for each trace; after join_traces(): one for each op and step */
    struct entries step;  /* sums over all ops */
    struct buf cell;
};

/* ---- ops ---- */

/* "…/hccl_info_0/allReduce_1_0/iter1.trace": "allReduce_1_0" */
static struct str dir_of(const struct source_file *f)
{
    struct str path = str_of(f->path);
    size_t slash = str_rchr(path, '/');

    return str_after_last(str_sub(path, 0, slash == SIZE_MAX ? 0 : slash), '/');
}

/* The op of a trace; traces of one op follow each other. NULL: e is set. */
static struct comm_op *op_of(struct hccl *h, const struct source_file *f, struct err *e)
{
    struct str dir = dir_of(f), rest = dir, number;

    if (h->n_ops && str_eq(h->op[h->n_ops - 1].dir, dir))
        return &h->op[h->n_ops - 1];
    struct comm_op *v = grow_array(h->op, h->n_ops, &h->cap_ops, sizeof *v, 16);
    struct comm_op op = { .dir = arena_str(h->r->a, dir) };
    if (v)
        h->op = v;
    if (!v || !op.dir.p) {
        err_nomem(e);
        return NULL;
    }
    op.name = rest = op.dir;
    (void)str_next(&rest, '_', &op.kind);
    if (!str_next(&rest, '_', &number) || !str_u64(number, &op.number))
        op.number = UINT64_MAX;
    h->op[h->n_ops] = op;
    return &h->op[h->n_ops++];
}

/* "stream_9_0_Default/AllReduce-op21": "AllReduce" */
static struct str kind_of(const struct hccl *h, struct str column)
{
    if (h->r->rules->hccl_no_paths && str_chr(column, '/') != SIZE_MAX)
        return STR("");
    if (h->r->rules->hccl_first_dash)
        return str_after_last(str_after_last(str_sub(column, 0, str_chr(column, '-')), '_'), '/');
    struct str last = str_after_last(column, '/');
    return str_after_last(str_sub(last, 0, str_chr(last, '-')), '_');
}

/* The op of a kind, as a column names it, with the least number that has no name yet. */
static struct comm_op *next_op(struct hccl *h, struct str kind, const bool *named)
{
    struct comm_op *least = NULL;

    for (size_t i = 0; i < h->n_ops; i++)
        if (!named[i] && str_eq_nocase(h->op[i].kind, kind) && (!least || h->op[i].number < least->number))
            least = &h->op[i];
    return least;
}

/* The ops of a kind, sorted by number, get the names of the kind's columns in order. */
static int name_ops(struct hccl *h, struct err *e)
{
    const struct mindspore_steps *s = &h->r->steps;
    bool *named = arena_array(h->r->a, h->n_ops + 1, sizeof *named);

    if (!named)
        return err_nomem(e);
    for (size_t i = MINDSPORE_STEP_CELLS; i < s->n_columns && h->r->rules->hccl_names; i += 3) {
        struct str kind = kind_of(h, s->column[i]);
        struct comm_op *op = kind.n ? next_op(h, kind, named) : NULL;
        if (op) {
            op->name = s->column[i];
            named[op - h->op] = true;
        }
    }
    return OK;
}

/* ---- traces ---- */

/*
 * The last step that began before us, or the first step when none did. With --compat, up to r1.6 the row of
 * zeros that stands for the mean of one step is taken for the last step
 * (doc/formats/mindspore1.md#step-of-a-trace).
 */
static int64_t step_of(const struct hccl *h, double us)
{
    const struct mindspore_steps *s = &h->r->steps;
    int64_t step = 1;

    if (h->r->options->compat && h->r->rules->hccl_zero_step && s->n && !s->has_average &&
        us >= (double)s->row[0].cell[1] / 100)
        return 0;
    for (size_t i = 0; i < s->n && !s->row[i].is_average; i++) {
        if (us < (double)s->row[i].cell[1] / 100) /* ticks of 10 ns */
            break;
        step = s->row[i].cell[0];
    }
    return step;
}

static int add_trace(struct hccl *h, const struct source_file *f, struct err *e)
{
    struct parse_ctx c = mindspore_ctx(h->r, f);
    struct hccl_trace t;
    struct hccl_cost cost;
    struct comm_op *op;

    if (hccl_trace_read(&c, &t, e) == OK && t.n && (op = op_of(h, f, e)) &&
        hccl_cost_of(h->r->a, &t, true, &cost, e) == OK) {
        struct entry *v = grow_array(h->trace.v, h->trace.n, &h->trace.cap, sizeof *v, 64);
        if (v) {
            h->trace.v = v;
            v[h->trace.n++] = (struct entry){ .step = step_of(h, t.event[0].ts_us),
                                              .cost_ms = cost.cost_ms,
                                              .wait_ms = cost.wait_ms,
                                              .link = cost.link,
                                              .n_links = cost.n_links,
                                              .op = (size_t)(op - h->op) };
        } else {
            err_nomem(e);
        }
    }
    hccl_trace_done(&t);
    return e->code;
}

/* ---- sums ---- */

static int by_op(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    return x->step < y->step ? -1 : x->step > y->step;
}

static int by_step(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

/* The sum of n entries. */
static int sum_of(struct hccl *h, const struct entry *v, size_t n, struct entry *out, struct err *e)
{
    size_t links = 0;

    *out = (struct entry){ .step = v->step, .op = v->op };
    for (size_t i = 0; i < n; i++)
        links += v[i].n_links;
    out->link = arena_array(h->r->a, links + 1, sizeof *out->link);
    if (!out->link)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++) {
        out->cost_ms += v[i].cost_ms;
        out->wait_ms += v[i].wait_ms;
        for (size_t k = 0; k < v[i].n_links; k++)
            out->link[out->n_links++] = v[i].link[k];
    }
    hccl_links_join(out->link, &out->n_links);
    return OK;
}

/* The mean; that of a link is over the entries that have it. */
static int mean_of(struct hccl *h, const struct entry *v, size_t n, struct entry *out, struct err *e)
{
    if (sum_of(h, v, n, out, e))
        return e->code;
    out->cost_ms /= (double)n;
    out->wait_ms /= (double)n;
    for (size_t i = 0; i < out->n_links; i++) {
        struct hccl_link *l = &out->link[i];
        double of = (double)l->n;
        l->time_ms /= of;
        l->size_kb /= of;
        l->bandwidth /= of;
        l->wait_ms /= of;
    }
    return OK;
}

/* Joins the entries of each op and step, in their order. */
static int join_traces(struct hccl *h, struct err *e)
{
    size_t kept = 0;

    qsort(h->trace.v, h->trace.n, sizeof *h->trace.v, by_op);
    for (size_t from = 0, to; from < h->trace.n; from = to) {
        struct entry one;
        for (to = from + 1; to < h->trace.n && !by_op(&h->trace.v[from], &h->trace.v[to]); to++)
            ;
        if (sum_of(h, h->trace.v + from, to - from, &one, e))
            return e->code;
        struct comm_op *op = &h->op[one.op];
        op->from = op->n++ ? op->from : kept;
        h->trace.v[kept++] = one;
    }
    h->trace.n = kept;
    return OK;
}

/* ---- the file ---- */

static void put_real(struct buf *b, double v)
{
    char text[32];

    buf_add(b, (struct str){ text, repr_text(v, text) });
}

/* As JSON, or (r1.3, mean row) as Python prints it. */
static void put_key(struct buf *b, struct str s, bool python)
{
    if (!python) {
        mindspore_json_add(b, s);
        return;
    }
    buf_addc(b, '\'');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\'' || s.p[i] == '\\')
            buf_addc(b, '\\');
        buf_addc(b, s.p[i]);
    }
    buf_addc(b, '\'');
}

static void put_link(struct buf *b, const struct hccl_link *l, bool python)
{
    const double v[] = { l->time_ms, l->size_kb, l->bandwidth, l->wait_ms };

    put_key(b, str_of(hccl_transport_word(l->transport)), python);
    for (size_t i = 0; i < (l->transport == HCCL_RDMA ? 4u : 3u); i++) {
        buf_puts(b, i ? ", " : ": [");
        put_real(b, v[i]);
    }
    buf_addc(b, ']');
}

/* {"0-1": {"SDMA": [...], "RDMA": [...]}} */
static void put_links(struct buf *b, const struct entry *x, bool python)
{
    char pair[64];

    buf_addc(b, '{');
    for (size_t i = 0; i < x->n_links; i++) {
        const struct hccl_link *l = &x->link[i];
        bool same = i && l[-1].src == l->src && l[-1].dst == l->dst;
        buf_puts(b, same ? ", " : i ? "}, " : "");
        if (!same) {
            snprintf(pair, sizeof pair, "%lld-%lld", (long long)l->src, (long long)l->dst);
            put_key(b, str_of(pair), python);
            buf_puts(b, ": {");
        }
        put_link(b, l, python);
    }
    buf_puts(b, x->n_links ? "}}" : "}");
}

/* "name": ["1", cost, wait, links]; step NULL: without the step. */
static void put_op(struct hccl *h, const struct entry *x, const char *step, bool python)
{
    struct buf *b = &h->cell;

    buf_puts(b, b->n > 1 ? ", " : "");
    put_key(b, h->op[x->op].name, python);
    buf_puts(b, ": [");
    if (step)
        buf_printf(b, "\"%s\", ", step);
    put_real(b, x->cost_ms);
    buf_puts(b, ", ");
    put_real(b, x->wait_ms);
    buf_puts(b, ", ");
    put_links(b, x, python);
    buf_addc(b, ']');
}

static int put_cell(struct hccl *h, struct emit *o, struct err *e)
{
    if (buf_failed(&h->cell))
        return err_set(e, ERR_LIMIT, "a cell of more than %zu bytes", MAX_CELL);
    emit_cell_str(o, buf_str(&h->cell));
    buf_clear(&h->cell);
    return OK;
}

/* The cells of a row except for the ops. */
static int put_figures(struct hccl *h, struct emit *o, const char *step, const struct entry *x, struct err *e)
{
    emit_fmt(o, "%s,%r,%r,", step, x->cost_ms, x->wait_ms);
    put_links(&h->cell, x, false);
    int rc = put_cell(h, o, e);
    emit_c(o, ',');
    buf_addc(&h->cell, '{');
    return rc;
}

/* v: the n ops of a step. */
static int put_step(struct hccl *h, struct emit *o, const struct entry *v, size_t n, struct err *e)
{
    struct entry *all = grow_array(h->step.v, h->step.n, &h->step.cap, sizeof *all, 64);
    char step[32];

    if (!all)
        return err_nomem(e);
    h->step.v = all;
    if (sum_of(h, v, n, &all[h->step.n], e))
        return e->code;
    snprintf(step, sizeof step, "%lld", (long long)v->step);
    if (put_figures(h, o, step, &all[h->step.n++], e))
        return e->code;
    for (size_t i = 0; i < n; i++)
        put_op(h, &v[i], step, false);
    buf_addc(&h->cell, '}');
    int rc = put_cell(h, o, e);
    mindspore_end_row(o);
    return rc;
}

static int put_mean(struct hccl *h, struct emit *o, const struct entry *mean, struct err *e)
{
    struct entry all;
    bool python = h->r->rules->hccl_python;

    if (mean_of(h, h->step.v, h->step.n, &all, e) || put_figures(h, o, "-", &all, e))
        return e->code;
    for (size_t i = 0; i < h->n_ops; i++)
        put_op(h, &mean[i], python ? NULL : "-", python);
    buf_addc(&h->cell, '}');
    int rc = put_cell(h, o, e);
    mindspore_end_row(o);
    return rc;
}

static int put_rows(struct hccl *h, struct emit *o, struct err *e)
{
    struct entry *mean = arena_array(h->r->a, h->n_ops + 1, sizeof *mean);
    const struct entry *v = h->trace.v;

    if (!mean)
        return err_nomem(e);
    for (size_t i = 0; i < h->n_ops; i++)
        if (mean_of(h, v + h->op[i].from, h->op[i].n, &mean[i], e))
            return e->code;
    emit_s(o, "step_num,communication_cost,wait_cost,link_info,communication_operator_cost");
    mindspore_end_row(o);
    qsort(h->trace.v, h->trace.n, sizeof *h->trace.v, by_step);
    for (size_t from = 0, to; from < h->trace.n; from = to) {
        for (to = from + 1; to < h->trace.n && v[to].step == v[from].step; to++)
            ;
        if (put_step(h, o, v + from, to - from, e))
            return e->code;
    }
    return put_mean(h, o, mean, e);
}

static int write_file(struct hccl *h, struct err *e)
{
    struct emit *o;

    if (name_ops(h, e) || join_traces(h, e) || mindspore_open(h->r, &o, BEFORE, ".csv", e))
        return e->code;
    buf_init(&h->cell, MAX_CELL);
    put_rows(h, o, e);
    buf_done(&h->cell);
    return mindspore_close(h->r, o, e);
}

/* Whether it is a trace of this rank; up to r1.4 the folder has no number, and every rank reads it. */
static bool is_mine(const struct mindspore_run *r, const struct source_file *f)
{
    if (strcmp(f->kind->id, "g1_hccl_trace") != 0 || !f->regular || f->superseded)
        return false;
    return f->rank == r->rank || f->rank < 0 ||
           (!r->rules->hccl_numbered && str_find(str_of(f->path), STR("/hccl_info/"), 0) != SIZE_MAX);
}

static int add_traces(struct hccl *h, struct err *e)
{
    const struct unit *u = h->r->unit;

    for (size_t i = 0; i < u->n_files; i++) {
        if (!is_mine(h->r, u->files[i]))
            continue;
        if (sink_cancelled(h->r->notes))
            return err_set(e, ERR_CANCELLED, "interrupted");
        if (add_trace(h, u->files[i], e))
            return e->code;
    }
    return OK;
}

int mindspore_hccl(struct mindspore_run *r, struct err *e)
{
    struct hccl h = { .r = r };

    if (!r->rules->hccl)
        return OK;
    if (!r->steps.n) {
        mindspore_no_data(r, BEFORE, ".csv", "there are no steps");
        return OK;
    }
    if (add_traces(&h, e) == OK && h.trace.n)
        write_file(&h, e);
    else if (e->code)
        mindspore_no_data(r, BEFORE, ".csv", e->text);
    else
        mindspore_no_data(r, BEFORE, ".csv", "hccl_info is missing or has no events");
    free(h.op);
    free(h.trace.v);
    free(h.step.v);
    return e->code;
}
