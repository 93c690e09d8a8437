/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data pipeline's JSON files: op tree with queue samples, CPU use, MindSpore's summary
 * (doc/formats/mindspore1.md#pipeline_profiling, #minddata_cpu_utilization, #minddata_pipeline_summary).
 *
 * Keys stand in any order: what an object says about itself is gathered until its end. Only the samples of
 * one queue, and the CPU series, are held.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/path.h"
#include "parsers/parsers.h"
#include "parsers/read/jwalk.h"
#include "parsers/read/lines.h"

#define MAX_OPS     10000
#define MAX_SAMPLES ((size_t)4 << 20)

/* A growing list of numbers. */
struct numbers {
    double *v;
    size_t n, cap;
    bool full; /* the limit was reached */
};

static int numbers_add(struct numbers *s, double v, size_t max, struct err *e)
{
    if (s->n >= max) {
        s->full = true;
        return OK;
    }
    double *p = grow_array(s->v, s->n, &s->cap, sizeof *p, 64);
    if (!p)
        return err_nomem(e);
    s->v = p;
    s->v[s->n++] = v;
    return OK;
}

/* ---- pipeline_profiling_N.json ---- */

struct pipe_op {
    int64_t id;
    int64_t parent; /* -1 none */
    uint32_t type;  /* interned */
    struct val workers, length;
    struct str children; /* JSON text in the arena, p NULL none */
    double sum;
    uint64_t n, empty;
};

struct pipe {
    struct jwalk w;
    struct parse_ctx *c;
    struct pipe_op *ops;
    size_t n_ops, cap_ops;
    struct pipe_op op; /* being read */
    bool has_id;
    struct numbers sizes;
    struct buf children;
    struct val interval;
    uint64_t bad, left_out;
};

static int put_sample(struct pipe *p, const struct pipe_op *op, size_t i, struct err *e)
{
    struct val v[N_COLS(queue_sample)] = { 0 };
    char queue[48];

    snprintf(queue, sizeof queue, "connector %lld", (long long)op->id);
    v[COL(queue_sample, rank)] = val_int(p->c->rank);
    v[COL(queue_sample, queue)] = val_cstr(queue);
    v[COL(queue_sample, seq)] = val_int((int64_t)i);
    v[COL(queue_sample, size)] = val_int((int64_t)p->sizes.v[i]);
    v[COL(queue_sample, capacity)] = op->length;
    v[COL(queue_sample, source_id)] = val_int(p->c->f->id);
    return parse_row(p->c, T_queue_sample, v, N_COLS(queue_sample), e);
}

/* The op whose object ends here. */
static int end_op(struct pipe *p, struct err *e)
{
    struct pipe_op *op = &p->op;

    if (!p->has_id || p->n_ops == MAX_OPS) {
        *(p->has_id ? &p->left_out : &p->bad) += 1;
        return OK;
    }
    for (size_t i = 0; i < p->sizes.n; i++) {
        op->sum += p->sizes.v[i];
        op->empty += p->sizes.v[i] == 0;
        if (put_sample(p, op, i, e))
            return e->code;
    }
    op->n = p->sizes.n;
    if (p->children.n) {
        buf_addc(&p->children, ']');
        op->children = arena_str(p->c->tmp, buf_str(&p->children));
        if (!op->children.p)
            return err_nomem(e);
    }
    struct pipe_op *q = grow_array(p->ops, p->n_ops, &p->cap_ops, sizeof *q, 32);
    if (!q)
        return err_nomem(e);
    p->ops = q;
    p->ops[p->n_ops++] = *op;
    return OK;
}

static void begin_op(struct pipe *p)
{
    p->op = (struct pipe_op){ .id = -1, .parent = -1 };
    p->has_id = false;
    p->sizes.n = 0;
    buf_clear(&p->children);
}

static void on_op_field(struct pipe *p, enum js_token tok, struct str text)
{
    struct str key = jwalk_key(&p->w, 2);
    bool bad = false;

    if (tok == JS_NULL)
        return;
    if (str_eq(key, STR("op_id")))
        p->has_id = str_i64(text, &p->op.id);
    else if (str_eq(key, STR("op_type")))
        p->op.type = sink_intern(p->c->out, text);
    else if (str_eq(key, STR("num_workers")))
        p->op.workers = val_int_text(text, &bad);
    p->bad += bad;
}

/* op_info[i].<field>, .children[k], .metrics.output_queue.{length,size[k]} */
static int on_pipe_scalar(struct pipe *p, enum js_token tok, struct str text, struct err *e)
{
    const struct jwalk *w = &p->w;
    bool bad = false;
    double v;

    if (w->depth == 1 && str_eq(jwalk_key(w, 0), STR("sampling_interval")))
        p->interval = val_real_text(text, 0, &bad);
    if (!str_eq(jwalk_key(w, 0), STR("op_info")) || w->depth < 3) {
        p->bad += bad;
        return OK;
    }
    if (w->depth == 3) {
        on_op_field(p, tok, text);
    } else if (w->depth == 4 && str_eq(jwalk_key(w, 2), STR("children"))) {
        buf_puts(&p->children, p->children.n ? ", " : "[");
        buf_add(&p->children, text);
    } else if (str_eq(jwalk_key(w, 3), STR("output_queue"))) {
        if (w->depth == 5 && str_eq(jwalk_key(w, 4), STR("length")) && tok != JS_NULL)
            p->op.length = val_int_text(text, &bad);
        if (w->depth == 6 && str_eq(jwalk_key(w, 4), STR("size"))) {
            if (!str_f64(text, &v) || !(v >= 0 && v < 1e15))
                bad = true;
            else if (numbers_add(&p->sizes, v, MAX_SAMPLES, e))
                return e->code;
        }
    }
    p->bad += bad;
    return OK;
}

static struct pipe_op *find_op(struct pipe *p, int64_t id)
{
    for (size_t i = 0; i < p->n_ops; i++)
        if (p->ops[i].id == id)
            return &p->ops[i];
    return NULL;
}

/* "[1, 2]": the ops it takes from have it as their parent. */
static void set_parents(struct pipe *p, const struct pipe_op *op)
{
    struct str rest = op->children, one;
    int64_t id;

    if (!rest.p || rest.n < 2)
        return;
    rest = str_sub(rest, 1, rest.n - 2);
    while (str_next(&rest, ',', &one)) {
        struct pipe_op *child = str_i64(str_trim(one), &id) ? find_op(p, id) : NULL;
        if (child)
            child->parent = op->id;
    }
}

static int put_pipe_op(struct pipe *p, const struct pipe_op *op, struct err *e)
{
    struct val v[N_COLS(pipeline_op)] = { 0 };
    double avg = op->n ? op->sum / (double)op->n : 0;

    v[COL(pipeline_op, rank)] = val_int(p->c->rank);
    v[COL(pipeline_op, op)] = val_int(op->id);
    v[COL(pipeline_op, type_id)] = val_id(op->type);
    v[COL(pipeline_op, parent)] = op->parent >= 0 ? val_int(op->parent) : val_null();
    v[COL(pipeline_op, children)] = val_text(op->children);
    v[COL(pipeline_op, workers)] = op->workers;
    v[COL(pipeline_op, queue_size)] = op->length;
    if (op->n) {
        v[COL(pipeline_op, queue_avg)] = val_real(avg);
        v[COL(pipeline_op, queue_empty_share)] = val_real((double)op->empty / (double)op->n);
        if (op->length.t == VAL_INT && op->length.i > 0)
            v[COL(pipeline_op, queue_use)] = val_real(avg / (double)op->length.i);
    }
    v[COL(pipeline_op, sample_ms)] = p->interval;
    v[COL(pipeline_op, source_id)] = val_int(p->c->f->id);
    return parse_row(p->c, T_pipeline_op, v, N_COLS(pipeline_op), e);
}

static int read_pipe(struct pipe *p, struct err *e)
{
    struct str text;

    for (enum js_token tok; (tok = jwalk_next(&p->w, &text, e)) != JS_END;) {
        bool op = p->w.depth == 2 && str_eq(jwalk_key(&p->w, 0), STR("op_info"));
        if (op && tok == JS_OBJ)
            begin_op(p);
        else if (op && tok == JS_OBJ_END && end_op(p, e))
            break;
        else if (jwalk_is_scalar(tok) && on_pipe_scalar(p, tok, text, e))
            break;
    }
    for (size_t i = 0; i < p->n_ops && e->code == OK; i++)
        set_parents(p, &p->ops[i]);
    for (size_t i = 0; i < p->n_ops && e->code == OK; i++)
        if (put_pipe_op(p, &p->ops[i], e))
            break;
    return e->code;
}

int parse_md_pipeline(struct parse_ctx *c, struct err *e)
{
    struct pipe p = { .c = c };

    buf_init(&p.children, LIM_JSON_STRING_B);
    if (jwalk_open(&p.w, c, e) == OK && read_pipe(&p, e) == OK) {
        parse_note(c, NOTE_BAD_VALUE, p.bad, "values or ops that cannot be read are missing");
        parse_note(c, NOTE_LIMIT, p.left_out + p.sizes.full, "more ops or samples than are read");
    }
    jwalk_close(&p.w);
    buf_done(&p.children);
    free(p.sizes.v);
    free(p.ops);
    return e->code;
}

/* ---- minddata_cpu_utilization_N.json ---- */

enum cpu_metric { CPU_USER, CPU_SYS, CPU_IO, CPU_IDLE, N_CPU_METRICS };

/* Whose CPU: the machine, the process, or an op. */
struct cpu_who {
    char name[32];
    struct numbers m[N_CPU_METRICS];
};

/* Other series: rows of host_sample. */
struct host_series {
    char what[64];
    struct numbers v;
};

struct cpu_file {
    struct jwalk w;
    struct parse_ctx *c;
    struct numbers time_ms;
    struct cpu_who *who;
    size_t n_who, cap_who;
    struct host_series *series;
    size_t n_series, cap_series;
    size_t op;     /* index in who of the op being read; SIZE_MAX none */
    size_t values; /* held in all */
    uint64_t bad, left_out;
};

static int metric_of(struct str key)
{
    static const char *const names[N_CPU_METRICS] = { "user_utilization", "sys_utilization", "io_utilization",
                                                      "idle_utilization" };

    for (int i = 0; i < N_CPU_METRICS; i++)
        if (str_eq(key, str_of(names[i])))
            return i;
    return -1;
}

static void *grow(void *p, size_t *cap, size_t n, size_t b, struct err *e)
{
    if (n < *cap)
        return p;
    size_t to = *cap ? *cap * 2 : 8;
    void *q = realloc(p, to * b);
    if (!q) {
        err_nomem(e);
        return NULL;
    }
    memset((char *)q + *cap * b, 0, (to - *cap) * b);
    *cap = to;
    return q;
}

/* The series of a name, made when new; NULL: e is set. */
static struct cpu_who *who_of(struct cpu_file *f, const char *name, struct err *e)
{
    for (size_t i = 0; i < f->n_who; i++)
        if (strcmp(f->who[i].name, name) == 0)
            return &f->who[i];
    void *p = grow(f->who, &f->cap_who, f->n_who, sizeof *f->who, e);
    if (!p)
        return NULL;
    f->who = p;
    struct cpu_who *w = &f->who[f->n_who++];
    snprintf(w->name, sizeof w->name, "%s", name);
    return w;
}

static struct host_series *series_of(struct cpu_file *f, struct str what, struct err *e)
{
    for (size_t i = 0; i < f->n_series; i++)
        if (str_eq(what, str_of(f->series[i].what)))
            return &f->series[i];
    void *p = grow(f->series, &f->cap_series, f->n_series, sizeof *f->series, e);
    if (!p)
        return NULL;
    f->series = p;
    struct host_series *s = &f->series[f->n_series++];
    str_copy(what, s->what, sizeof s->what);
    return s;
}

static int keep_number(struct cpu_file *f, struct numbers *to, struct str text, struct err *e)
{
    double v;

    if (!str_f64(text, &v)) {
        f->bad++;
        v = -1; /* keeps the others in step; left out as no percentage */
    }
    if (f->values >= MAX_SAMPLES) {
        f->left_out++;
        return OK;
    }
    f->values++;
    return numbers_add(to, v, MAX_SAMPLES, e);
}

/* op_info[i].metrics.<metric>[k]; the op's id may follow: until then its series has no name. */
static int on_cpu_op(struct cpu_file *f, struct str text, struct err *e)
{
    const struct jwalk *w = &f->w;
    int m = metric_of(jwalk_key(w, 3));

    if (w->depth == 3 && str_eq(jwalk_key(w, 2), STR("op_id")) && f->op != SIZE_MAX)
        snprintf(f->who[f->op].name, sizeof f->who[f->op].name, "op %.*s", (int)(text.n < 20 ? text.n : 20),
                 text.p);
    if (w->depth != 5 || m < 0 || f->op == SIZE_MAX)
        return OK;
    return keep_number(f, &f->who[f->op].m[m], text, e);
}

static int on_cpu_scalar(struct cpu_file *f, struct str text, struct err *e)
{
    const struct jwalk *w = &f->w;
    struct str top = jwalk_key(w, 0);
    int m = metric_of(jwalk_key(w, 1));

    if (str_eq(top, STR("op_info")))
        return on_cpu_op(f, text, e);
    if (w->depth == 2 && str_eq(top, STR("time_stamp")))
        return keep_number(f, &f->time_ms, text, e);
    if (w->depth != 3)
        return OK;
    if (m >= 0 && (str_eq(top, STR("device_info")) || str_eq(top, STR("process_info")))) {
        struct cpu_who *who = who_of(f, str_eq(top, STR("device_info")) ? "machine" : "process", e);
        return who ? keep_number(f, &who->m[m], text, e) : e->code;
    }
    struct host_series *s = series_of(f, jwalk_key(w, 1), e);
    return s ? keep_number(f, &s->v, text, e) : e->code;
}

/* When sample i was taken: an instant or, as the writers do it, the time since the start of the pipeline. */
static void put_time(const struct cpu_file *f, size_t i, struct val *ts, struct val *at)
{
    if (i >= f->time_ms.n || !(f->time_ms.v[i] >= 0 && f->time_ms.v[i] < 9e12))
        return;
    struct val v = val_int((int64_t)(f->time_ms.v[i] * 1e6));
    *(v.i >= WALL_NS ? ts : at) = v;
}

static int put_cpu(struct cpu_file *f, const struct cpu_who *who, struct err *e)
{
    static const size_t slots[N_CPU_METRICS] = { COL(cpu_sample, user), COL(cpu_sample, sys),
                                                 COL(cpu_sample, io), COL(cpu_sample, idle) };
    size_t n = 0;

    for (int m = 0; m < N_CPU_METRICS; m++)
        n = who->m[m].n > n ? who->m[m].n : n;
    for (size_t i = 0; i < n; i++) {
        struct val v[N_COLS(cpu_sample)] = { 0 };
        v[COL(cpu_sample, rank)] = val_int(f->c->rank);
        v[COL(cpu_sample, who)] = val_cstr(who->name);
        v[COL(cpu_sample, seq)] = val_int((int64_t)i);
        put_time(f, i, &v[COL(cpu_sample, ts_ns)], &v[COL(cpu_sample, at_ns)]);
        for (int m = 0; m < N_CPU_METRICS; m++)
            if (i < who->m[m].n && who->m[m].v[i] >= 0)
                v[slots[m]] = val_real(who->m[m].v[i]);
        v[COL(cpu_sample, source_id)] = val_int(f->c->f->id);
        if (parse_row(f->c, T_cpu_sample, v, N_COLS(cpu_sample), e))
            return e->code;
    }
    return OK;
}

static int put_series(struct cpu_file *f, const struct host_series *s, struct err *e)
{
    for (size_t i = 0; i < s->v.n; i++) {
        struct val v[N_COLS(host_sample)] = { 0 };
        v[COL(host_sample, rank)] = val_int(f->c->rank);
        v[COL(host_sample, what)] = val_cstr(s->what);
        put_time(f, i, &v[COL(host_sample, ts_ns)], &v[COL(host_sample, at_ns)]);
        v[COL(host_sample, value)] = val_real(s->v.v[i]);
        v[COL(host_sample, source_id)] = val_int(f->c->f->id);
        if (parse_row(f->c, T_host_sample, v, N_COLS(host_sample), e))
            return e->code;
    }
    return OK;
}

static int read_cpu(struct cpu_file *f, struct err *e)
{
    struct str text;

    f->op = SIZE_MAX;
    for (enum js_token tok; (tok = jwalk_next(&f->w, &text, e)) != JS_END;) {
        bool op = f->w.depth == 2 && str_eq(jwalk_key(&f->w, 0), STR("op_info"));
        if (op && tok == JS_OBJ) {
            f->op = f->n_who;
            if (f->n_who >= MAX_OPS || !who_of(f, "op ?", e) || f->op == f->n_who)
                f->op = SIZE_MAX;
            if (e->code)
                break;
        } else if (jwalk_is_scalar(tok) && on_cpu_scalar(f, text, e)) {
            break;
        }
    }
    for (size_t i = 0; i < f->n_who && e->code == OK; i++)
        if (put_cpu(f, &f->who[i], e))
            break;
    for (size_t i = 0; i < f->n_series && e->code == OK; i++)
        if (put_series(f, &f->series[i], e))
            break;
    return e->code;
}

int parse_md_cpu(struct parse_ctx *c, struct err *e)
{
    struct cpu_file f = { .c = c };

    if (jwalk_open(&f.w, c, e) == OK && read_cpu(&f, e) == OK) {
        parse_note(c, NOTE_BAD_VALUE, f.bad, "values that are no numbers are missing");
        parse_note(c, NOTE_LIMIT, f.left_out, "more samples than are read");
    }
    jwalk_close(&f.w);
    for (size_t i = 0; i < f.n_who; i++)
        for (int m = 0; m < N_CPU_METRICS; m++)
            free(f.who[i].m[m].v);
    for (size_t i = 0; i < f.n_series; i++)
        free(f.series[i].v.v);
    free(f.who);
    free(f.series);
    free(f.time_ms.v);
    return e->code;
}
