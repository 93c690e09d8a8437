/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs of the analysis of the data pipeline: ops with queue samples, CPU shares, times of batches. */
#include "config.h"

#include "mindspore/minddata.h"

#include <stdlib.h>

#include "base/grow.h"
#include "parsers/read/jwalk.h"
#include "parsers/read/lines.h"

#define MAX_OPS     100000
#define MAX_NUMBERS ((size_t)128 << 20) /* of one list */

/* ---- lists ---- */

struct list {
    double *v;
    size_t n, cap;
};

static int list_add(struct list *l, double v, struct err *e)
{
    if (l->n >= MAX_NUMBERS)
        return err_set(e, ERR_LIMIT, "a list of more than %zu numbers", MAX_NUMBERS);
    double *p = grow_array(l->v, l->n, &l->cap, sizeof *p, 64);
    if (!p)
        return err_nomem(e);
    l->v = p;
    l->v[l->n++] = v;
    return OK;
}

static struct val number(enum js_token tok, struct str text)
{
    int64_t i;
    double d;

    if (tok != JS_NUMBER)
        return val_null();
    if (str_i64(text, &i))
        return val_int(i);
    return str_f64(text, &d) ? val_real(d) : val_null();
}

/* ---- pipeline_profiling ---- */

struct pipe {
    const struct minddata_run *r;
    struct minddata_input *in;
    struct jwalk w;
    struct minddata_op *ops;
    size_t n, cap;
    struct minddata_op op; /* being read */
    bool has_id;
    struct list sizes, children;
    uint64_t bad;
};

static int end_op(struct pipe *p, struct err *e)
{
    double *size = arena_array(p->r->a, p->sizes.n + 1, sizeof *size);
    int64_t *child = arena_array(p->r->a, p->children.n + 1, sizeof *child);
    struct minddata_op *to = grow_array(p->ops, p->n, &p->cap, sizeof *to, 32);

    if (to)
        p->ops = to;
    if (!size || !child || !to)
        return err_nomem(e);
    if (!p->has_id) {
        p->bad++;
        return OK;
    }
    if (p->n >= MAX_OPS)
        return err_set(e, ERR_LIMIT, "more than %d ops", MAX_OPS);
    for (size_t i = 0; i < p->sizes.n; i++)
        size[i] = p->sizes.v[i];
    for (size_t i = 0; i < p->children.n; i++)
        child[i] = (int64_t)p->children.v[i];
    p->op.size = size;
    p->op.n_sizes = p->sizes.n;
    p->op.child = child;
    p->op.n_children = p->children.n;
    p->ops[p->n++] = p->op;
    return OK;
}

/* A number in a list of the op; other values are left out. */
static int add_number(struct pipe *p, struct list *to, struct val v, struct err *e)
{
    double d = val_num(&v);

    if (v.t == VAL_NULL || !(d > -1e15 && d < 1e15)) {
        p->bad++;
        return OK;
    }
    return list_add(to, d, e);
}

/* op_info[i].<key>, .children[k], .metrics.output_queue.{length,size[k]} */
static int on_op_value(struct pipe *p, enum js_token tok, struct str text, struct err *e)
{
    const struct jwalk *w = &p->w;
    struct str key = jwalk_key(w, w->depth == 3 ? 2 : 4);
    struct val v = number(tok, text);

    if (w->depth == 3 && str_eq(key, STR("op_id")) && v.t == VAL_INT) {
        p->op.id = v.i;
        p->has_id = true;
    } else if (w->depth == 3 && str_eq(key, STR("op_type")) && tok == JS_STRING) {
        p->op.type = arena_str(p->r->a, text);
        if (!p->op.type.p)
            return err_nomem(e);
    } else if (w->depth == 3 && str_eq(key, STR("num_workers"))) {
        p->op.workers = v;
    } else if (w->depth == 4 && str_eq(jwalk_key(w, 2), STR("children"))) {
        return add_number(p, &p->children, v, e);
    } else if (w->depth >= 5 && str_eq(jwalk_key(w, 3), STR("output_queue"))) {
        if (w->depth == 5 && str_eq(key, STR("length")))
            p->op.length = v;
        else if (w->depth == 6 && str_eq(key, STR("size")))
            return add_number(p, &p->sizes, v, e);
    }
    return OK;
}

static int on_pipe(struct pipe *p, enum js_token tok, struct str text, struct err *e)
{
    const struct jwalk *w = &p->w;

    if (w->depth == 1 && str_eq(jwalk_key(w, 0), STR("sampling_interval")))
        p->in->interval = number(tok, text);
    if (w->depth < 2 || !str_eq(jwalk_key(w, 0), STR("op_info")))
        return OK;
    if (w->depth == 2 && tok == JS_OBJ) {
        p->op = (struct minddata_op){ .type = STR("") };
        p->sizes.n = p->children.n = 0;
        p->has_id = false;
    } else if (w->depth == 2 && tok == JS_OBJ_END) {
        return end_op(p, e);
    } else if (tok == JS_OBJ && w->depth == 4 && str_eq(jwalk_key(w, 3), STR("output_queue"))) {
        p->op.has_queue = true;
    } else if (jwalk_is_scalar(tok)) {
        return on_op_value(p, tok, text, e);
    }
    return OK;
}

static int by_id(const void *a, const void *b)
{
    const struct minddata_place *x = a, *y = b;

    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static int keep_ops(struct pipe *p, struct err *e)
{
    struct minddata_op *op = arena_array(p->r->a, p->n + 1, sizeof *op);
    struct minddata_place *places = arena_array(p->r->a, p->n + 1, sizeof *places);

    if (!op || !places)
        return err_nomem(e);
    for (size_t i = 0; i < p->n; i++)
        places[i] = (struct minddata_place){ p->ops[i].id, i };
    qsort(places, p->n, sizeof *places, by_id);
    for (size_t i = 0; i < p->n; i++)
        op[i] = p->ops[p->r->rules->by_id ? places[i].at : i];
    for (size_t i = 0; i < p->n && p->r->rules->by_id; i++)
        places[i].at = i;
    p->in->op = op;
    p->in->n_ops = p->n;
    p->in->by_id = places;
    return OK;
}

static int read_pipe(const struct minddata_run *r, struct minddata_input *in, struct err *e)
{
    const struct source_file *f = r->file(r->arg, "md_pipeline_profiling");
    struct pipe p = { .r = r, .in = in };
    struct parse_ctx c;
    struct str text;

    if (!f)
        return OK;
    c = r->ctx(r->arg, f);
    if (jwalk_open(&p.w, &c, e) == OK)
        for (enum js_token tok; (tok = jwalk_next(&p.w, &text, e)) != JS_END;)
            if (on_pipe(&p, tok, text, e))
                break;
    jwalk_close(&p.w);
    if (e->code == OK && keep_ops(&p, e) == OK)
        parse_note(&c, NOTE_BAD_VALUE, p.bad, "values or ops that cannot be read are missing");
    free(p.ops);
    free(p.sizes.v);
    free(p.children.v);
    return e->code;
}

size_t minddata_find(const struct minddata_input *in, int64_t id)
{
    size_t lo = 0, hi = in->n_ops;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (in->by_id[mid].id < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < in->n_ops && in->by_id[lo].id == id ? in->by_id[lo].at : SIZE_MAX;
}

/* ---- minddata_cpu_utilization ---- */

struct cpu_mean {
    int64_t id;
    double mean;
};
struct cpu {
    struct jwalk w;
    struct cpu_mean *v;
    size_t n, cap;
    int64_t id; /* id of the op being read, -1: none */
    struct list user, sys;
};

static int end_cpu_op(struct cpu *c, struct err *e)
{
    size_t n = c->user.n < c->sys.n ? c->user.n : c->sys.n;
    double sum = 0;

    if (c->id < 0)
        return OK;
    if (c->n >= MAX_OPS)
        return err_set(e, ERR_LIMIT, "more than %d ops", MAX_OPS);
    struct cpu_mean *p = grow_array(c->v, c->n, &c->cap, sizeof *p, 32);
    if (!p)
        return err_nomem(e);
    c->v = p;
    for (size_t i = 0; i < n; i++)
        sum += c->user.v[i] + c->sys.v[i];
    c->v[c->n++] = (struct cpu_mean){ c->id, n ? emit_round(sum / (double)n, 2) : -1 };
    return OK;
}

static int on_cpu(struct cpu *c, enum js_token tok, struct str text, struct err *e)
{
    const struct jwalk *w = &c->w;
    struct val v = number(tok, text);

    if (w->depth < 2 || !str_eq(jwalk_key(w, 0), STR("op_info")))
        return OK;
    if (w->depth == 2 && tok == JS_OBJ) {
        c->user.n = c->sys.n = 0;
        c->id = -1;
    } else if (w->depth == 2 && tok == JS_OBJ_END) {
        return end_cpu_op(c, e);
    } else if (w->depth == 3 && str_eq(jwalk_key(w, 2), STR("op_id")) && v.t == VAL_INT) {
        c->id = v.i;
    } else if (w->depth == 5 && v.t != VAL_NULL) {
        if (str_eq(jwalk_key(w, 3), STR("user_utilization")))
            return list_add(&c->user, val_num(&v), e);
        if (str_eq(jwalk_key(w, 3), STR("sys_utilization")))
            return list_add(&c->sys, val_num(&v), e);
    }
    return OK;
}

/* The array has as many elements as the file has op ids; larger ids are only counted. */
static int keep_cpu(const struct minddata_run *r, const struct cpu *c, struct minddata_input *in,
                    struct err *e)
{
    double *mean = arena_array(r->a, c->n + 1, sizeof *mean);
    bool *seen = arena_array(r->a, c->n + 1, sizeof *seen);
    size_t n = 0;

    if (!mean || !seen)
        return err_nomem(e);
    for (size_t i = 0; i < c->n; i++)
        mean[i] = -1;
    for (size_t i = 0; i < c->n; i++)
        if ((uint64_t)c->v[i].id >= c->n) {
            n++;
            in->cpu_beyond = true;
        } else {
            n += !seen[c->v[i].id];
            seen[c->v[i].id] = true;
            mean[c->v[i].id] = c->v[i].mean;
        }
    in->cpu = mean;
    in->n_cpu = n;
    in->n_shares = c->n;
    return OK;
}

static int read_cpu(const struct minddata_run *r, struct minddata_input *in, struct err *e)
{
    const struct source_file *f = r->file(r->arg, "md_cpu_utilization");
    struct cpu cpu = { .id = -1 };
    struct parse_ctx c;
    struct str text;

    if (!f)
        return OK;
    c = r->ctx(r->arg, f);
    if (jwalk_open(&cpu.w, &c, e) == OK)
        for (enum js_token tok; (tok = jwalk_next(&cpu.w, &text, e)) != JS_END;)
            if (on_cpu(&cpu, tok, text, e))
                break;
    jwalk_close(&cpu.w);
    if (e->code == OK && keep_cpu(r, &cpu, in, e) == OK)
        in->has_cpu = true;
    free(cpu.v);
    free(cpu.user.v);
    free(cpu.sys.v);
    return e->code;
}

/* ---- device_queue_profiling, dataset_iterator_profiling ---- */

#define FIRST_BATCH 2 /* the first batch is left out */

enum { W_TYPE, W_EXTRA, W_BATCH, W_VALUE, W_STAMP, N_W };

struct batches {
    struct minddata_times *t;
    bool stamps; /* the time between stamps also counts as the time of a batch */
    double last; /* stamp of the previous line */
};

static void count(struct minddata_times *t, enum minddata_time what, double ms)
{
    t->sum[what] += ms;
    t->n[what]++;
}

static bool on_batch(struct batches *b, struct str line)
{
    struct str w[N_W];
    double v[N_W] = { 0 };
    size_t n = lines_words(line, w, N_W);

    for (size_t i = 0; i < n; i++)
        if (!str_f64(w[i], &v[i]))
            return false;
    if (n < W_STAMP)
        return false;
    if (v[W_BATCH] >= FIRST_BATCH && v[W_TYPE] == 0) {
        if (v[W_EXTRA] >= 0 && v[W_EXTRA] < N_MD_TIMES)
            count(b->t, (enum minddata_time)v[W_EXTRA], v[W_VALUE]);
        return true;
    }
    if (v[W_BATCH] >= FIRST_BATCH && b->stamps)
        count(b->t, MD_BATCH, v[W_STAMP] - b->last);
    b->last = v[W_STAMP];
    return true;
}

static int read_times(const struct minddata_run *r, struct minddata_input *in, struct err *e)
{
    const struct source_file *f = r->file(r->arg, "md_device_queue");
    struct batches b = { .t = &in->times, .stamps = !f };
    struct parse_ctx c;
    struct lines l;
    struct str line;

    if (!f)
        f = r->file(r->arg, "md_dataset_iterator");
    if (!f)
        return OK;
    c = r->ctx(r->arg, f);
    if (lines_open(&l, &c, e) == OK)
        while (lines_next(&l, &line, e))
            if (str_trim(line).n > 0 && !on_batch(&b, line))
                lines_bad(&l, "not type, extra, batch, value");
    lines_done(&l);
    in->has_times = e->code == OK;
    return e->code;
}

int minddata_read(const struct minddata_run *r, struct minddata_input *in, struct err *e)
{
    *in = (struct minddata_input){ .n_ops = 0 };
    if (read_pipe(r, in, e) || !in->n_ops || !r->rules->summary)
        return e->code;
    return read_cpu(r, in, e) || read_times(r, in, e) ? e->code : OK;
}
