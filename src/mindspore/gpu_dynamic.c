/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dynamic_shape_info of a GPU (doc/formats/mindspore1.md#gpu-dynamic-shapes): the ops and kernels of each
 * step with the shapes that the op had in it.
 *
 * The run does not record whether its network has dynamic shapes: it has when the shapes of some op changed.
 */
#include "config.h"

#include <stdlib.h>

#include "base/grow.h"
#include "mindspore/timeline.h"
#include "parsers/read/lines.h"

#define MAX_SHAPES ((size_t)1 << 26)

struct op_shapes {
    const char *side; /* "gpu", "cpu": from the file that named the op first */
    struct str first; /* its first shape */
    size_t n, from;   /* its shapes: count, index of the first in texts */
};
struct shape {
    uint32_t op;
    struct str text;
};
struct shapes {
    struct mindspore_run *r;
    struct intern *names; /* of ops */
    struct op_shapes *op; /* by number of the name */
    size_t n_ops, op_cap;
    struct shape *v; /* as read */
    size_t n, cap;
    struct str *texts; /* by op, then in order */
    bool differ;
};

static void shapes_done(struct shapes *s)
{
    intern_free(s->names);
    free(s->op);
    free(s->v);
    free(s->texts);
}

/* ---- reading: type;name;[graph;]shape;shape; ---- */

static bool is_number(struct str s)
{
    uint64_t v;

    return str_u64(s, &v);
}

static uint32_t op_id(struct shapes *s, struct str name, const char *side)
{
    uint32_t id = intern_put(s->names, name);
    void *p = id == INTERN_NONE ? NULL : grow_array(s->op, id, &s->op_cap, sizeof *s->op, 64);

    if (!p)
        return INTERN_NONE;
    s->op = p;
    if (id == s->n_ops)
        s->op[s->n_ops++] = (struct op_shapes){ .side = side };
    return id;
}

static int add_shape(struct shapes *s, struct str name, struct str text, const char *side, struct err *e)
{
    void *p = s->n < MAX_SHAPES ? grow_array(s->v, s->n, &s->cap, sizeof *s->v, 256) : NULL;
    struct shape x = { .op = op_id(s, name, side), .text = mindspore_text(s->r, text) };

    if (p)
        s->v = p;
    if (!p || x.op == INTERN_NONE || !x.text.p)
        return err_nomem(e);
    s->v[s->n++] = x;
    struct op_shapes *op = &s->op[x.op];
    if (!op->n++)
        op->first = x.text;
    s->differ |= !str_eq(op->first, x.text);
    return OK;
}

static int read_shapes(struct shapes *s, const char *kind, const char *side, struct err *e)
{
    const struct source_file *f = mindspore_file(s->r, kind, NULL);
    struct str line, type, name, graph, rest;
    struct lines l;

    if (!f)
        return OK;
    struct parse_ctx c = mindspore_ctx(s->r, f);
    if (lines_open(&l, &c, e) == OK)
        while (lines_next(&l, &line, e)) {
            line = str_trim(line);
            if (!line.n)
                continue;
            if (!str_next(&line, ';', &type) || !str_next(&line, ';', &name)) {
                lines_bad(&l, "not type;name;shapes");
                continue;
            }
            rest = line;
            if (str_next(&rest, ';', &graph) && is_number(graph))
                line = rest;
            if (add_shape(s, name, line.p ? line : STR(""), side, e))
                break;
        }
    lines_done(&l);
    return e->code;
}

static int sort_shapes(struct shapes *s, struct err *e)
{
    size_t at = 0;

    s->texts = calloc(s->n + 1, sizeof *s->texts);
    if (!s->texts)
        return err_nomem(e);
    for (size_t i = 0; i < s->n_ops; i++) {
        s->op[i].from = at;
        at += s->op[i].n;
        s->op[i].n = 0;
    }
    for (size_t i = 0; i < s->n; i++) {
        struct op_shapes *op = &s->op[s->v[i].op];
        s->texts[op->from + op->n++] = s->v[i].text;
    }
    return OK;
}

/* ---- what an event is ---- */

enum what { W_OTHER, W_STEP, W_OP, W_KERNEL };

static enum what what_is(const struct mindspore_timeline *t, const struct mindspore_row *x)
{
    struct str label = intern_get(t->labels, x->label);

    if (x->kind == MINDSPORE_ROW_STEP)
        return x->dur != 0 ? W_STEP : W_OTHER;
    if (x->kind == MINDSPORE_ROW_KERNEL)
        return str_eq(t->kernels[x->extra].type, STR("cuLaunchKernel")) ? W_KERNEL : W_OTHER;
    if (x->kind ==
        MINDSPORE_ROW_HOST) /* host ops with a thread number: see mindspore/events.c, named_threads */
        return str_starts(label, STR("HostCpu")) && !str_eq(label, STR("HostCpuOps")) ? W_OP : W_OTHER;
    return x->kind == MINDSPORE_ROW_OP && str_eq(label, STR("GpuOps")) ? W_OP : W_OTHER;
}

/* Walks the events and their steps: steps count from 1 on, also before the first mark of a step. */
struct walk {
    const struct mindspore_timeline *t;
    size_t i;
    int64_t step;
};

static const struct mindspore_row *next_event(struct walk *w, enum what *what)
{
    const struct mindspore_row *x;

    if (w->i == w->t->rows.n)
        return NULL;
    x = &w->t->rows.v[w->i++];
    *what = what_is(w->t, x);
    if (*what == W_STEP && !str_i64(x->name, &w->step))
        *what = W_OTHER;
    return x;
}

/* Shapes of an op in a step, p NULL: unknown. */
static struct str shape_in(const struct shapes *s, struct str op, int64_t step, const char **side)
{
    uint32_t id = intern_find(s->names, op);

    if (id == INTERN_NONE || step < 1 || (uint64_t)step > s->op[id].n)
        return STR_NULL;
    *side = s->op[id].side;
    return s->texts[s->op[id].from + (size_t)step - 1];
}

static struct str type_of(struct str op)
{
    return str_sub(op, 0, str_chr(op, '-'));
}

/* ---- the lists ---- */

static void put_op(struct emit *o, const struct shapes *s, const struct mindspore_row *x, int64_t step)
{
    struct str name = mindspore_short(x->name), part, shape;
    const char *side = "";

    shape = shape_in(s, name, step, &side);
    emit_fmt(o, "{\"step\": %i, \"op_side\": \"%s\", \"op_type\": ", step, side);
    mindspore_json_text(o, type_of(name));
    emit_s(o, ", \"op_name\": ");
    mindspore_json_text(o, name);
    emit_fmt(o, ", \"dur\": %r, \"shape_info\": [", x->dur);
    for (bool first = true; str_next(&shape, ';', &part); first = false) {
        emit_s(o, first ? "" : ", ");
        mindspore_json_text(o, part);
    }
    emit_s(o, "]}");
}

static void put_kernel(struct emit *o, const struct mindspore_timeline *t, const struct mindspore_row *x,
                       int64_t step)
{
    const struct mindspore_kernel *k = &t->kernels[x->extra];

    emit_fmt(o, "{\"step\": %i, \"op_type\": ", step);
    mindspore_json_text(o, k->type);
    emit_s(o, ", \"op_name\": ");
    mindspore_json_text(o, mindspore_short(x->name));
    emit_s(o, ", \"op_full_name\": ");
    mindspore_json_text(o, k->op);
    emit_fmt(o, ", \"dur\": %r, \"block_dim\": ", x->dur);
    mindspore_json_text(o, k->block);
    emit_s(o, ", \"grid_dim\": ");
    mindspore_json_text(o, k->grid);
    emit_c(o, '}');
}

static void put_list(struct emit *o, const struct mindspore_timeline *t, const struct shapes *s,
                     enum what wanted)
{
    struct walk w = { .t = t, .step = 1 };
    int64_t open = -1;
    const struct mindspore_row *x;
    enum what what;

    emit_c(o, '{');
    while ((x = next_event(&w, &what))) {
        if (what != wanted)
            continue;
        if (open != w.step)
            emit_fmt(o, "%s\"%i\": [", open < 0 ? "" : "], ", w.step);
        else
            emit_s(o, ", ");
        open = w.step;
        if (wanted == W_OP)
            put_op(o, s, x, w.step);
        else
            put_kernel(o, t, x, w.step);
    }
    emit_s(o, open < 0 ? "}" : "]}");
}

/* ---- sums by type ---- */

struct total {
    double dur;
    uint64_t n;
    struct str op; /* of the last kernel */
};
struct totals {
    struct intern *names;
    struct total *v;
    size_t n, cap;
    bool with_op;
};

static void put_totals(struct emit *o, struct totals *s)
{
    emit_c(o, '{');
    for (uint32_t i = 0; i < s->n; i++) {
        const struct total *x = &s->v[i];
        emit_s(o, i ? ", " : "");
        mindspore_json_text(o, intern_get(s->names, i));
        emit_fmt(o, ": [%r, %U, %r", x->dur, x->n, x->n == 1 ? x->dur : emit_round(x->dur / (double)x->n, 4));
        if (s->with_op) {
            emit_s(o, ", ");
            mindspore_json_text(o, x->op);
        }
        emit_c(o, ']');
    }
    emit_c(o, '}');
}

static int restart(struct totals *s, struct err *e)
{
    intern_free(s->names);
    s->n = 0;
    return intern_new(&s->names, e);
}

static int add_total(struct totals *s, struct str name, const struct mindspore_row *x, struct str op,
                     struct err *e)
{
    uint32_t id = intern_put(s->names, name);
    void *p = id == INTERN_NONE ? NULL : grow_array(s->v, id, &s->cap, sizeof *s->v, 64);

    if (!p)
        return err_nomem(e);
    s->v = p;
    if (id == s->n)
        s->v[s->n++] = (struct total){ .n = 0 };
    s->v[id].dur += x->dur;
    s->v[id].n++;
    s->v[id].op = op;
    return OK;
}

static int put_sums(struct emit *o, const struct mindspore_timeline *t, enum what wanted, struct err *e)
{
    struct walk w = { .t = t, .step = 1 };
    struct totals s = { .with_op = wanted == W_KERNEL };
    const struct mindspore_row *x;
    enum what what;
    int64_t step = 1;
    bool began = false;

    if (restart(&s, e))
        return e->code;
    emit_c(o, '{');
    while (!e->code && (x = next_event(&w, &what))) {
        struct str name = mindspore_short(x->name);
        if (what == W_STEP && began) {
            emit_fmt(o, "\"%i\": ", step);
            put_totals(o, &s);
            emit_s(o, ", ");
            if (restart(&s, e))
                break;
        }
        began |= what == W_STEP;
        step = w.step;
        if (what == wanted && wanted == W_OP)
            (void)add_total(&s, type_of(name), x, STR(""), e);
        else if (what == wanted)
            (void)add_total(&s, name, x, t->kernels[x->extra].op, e);
    }
    emit_fmt(o, "\"%i\": ", step);
    put_totals(o, &s);
    emit_c(o, '}');
    intern_free(s.names);
    free(s.v);
    return e->code;
}

/* ---- the whole ---- */

static bool all_known(const struct mindspore_timeline *t, const struct shapes *s)
{
    struct walk w = { .t = t, .step = 1 };
    const struct mindspore_row *x;
    const char *side;
    enum what what;

    while ((x = next_event(&w, &what)))
        if (what == W_OP && !shape_in(s, mindspore_short(x->name), w.step, &side).p)
            return false;
    return true;
}

static int write_file(const struct mindspore_timeline *t, const struct shapes *s, struct err *e)
{
    struct emit *o;

    if (mindspore_open(t->r, &o, "dynamic_shape_info_", ".json", e))
        return e->code;
    emit_s(o, "{\"operator\": ");
    put_list(o, t, s, W_OP);
    emit_s(o, ", \"kernel\": ");
    put_list(o, t, s, W_KERNEL);
    emit_s(o, ", \"operator_type\": ");
    if (put_sums(o, t, W_OP, e) == OK) {
        emit_s(o, ", \"kernel_type\": ");
        (void)put_sums(o, t, W_KERNEL, e);
    }
    emit_c(o, '}');
    return mindspore_close(t->r, o, e);
}

int mindspore_gpu_dynamic(struct mindspore_timeline *t, struct err *e)
{
    struct shapes s = { .r = t->r };

    if (!t->r->rules->timeline->gpu_dynamic)
        return OK;
    if (intern_new(&s.names, e) || read_shapes(&s, "gpu_framework", "gpu", e) ||
        read_shapes(&s, "cpu_framework", "cpu", e) || !s.differ || sort_shapes(&s, e))
        goto out;
    t->r->dynamic = true;
    if (all_known(t, &s))
        (void)write_file(t, &s, e);
    else
        mindspore_no_data(t->r, "dynamic_shape_info_", ".json", "an op has no shapes in one of its steps");
out:
    shapes_done(&s);
    return e->code;
}
