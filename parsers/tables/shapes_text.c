/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gpu_framework, cpu_framework: the shapes of the inputs of each launch of an op, counted
 * (doc/formats/mindspore1.md#gpu_framework, #cpu_framework).
 */
#include "config.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/limits.h"
#include "parsers/parsers.h"
#include "parsers/read/lines.h"

#define MAX_SHAPES ((size_t)1 << 18)

struct launches {
    uint32_t name, type, shapes; /* interned texts */
    uint32_t line;               /* of the first one */
    int64_t n;
};

struct shapes {
    struct intern *keys; /* type, name and shapes -> index in v */
    struct launches *v;
    size_t n, cap;
    struct buf key;
    uint64_t left_out;
};

/* Type, name, shapes; a graph id between them is left out: ops of other graphs have other names. */
static bool parts_of(struct str line, struct str *type, struct str *name, struct str *shapes)
{
    size_t a = str_chr(line, ';'), b;

    if (a == SIZE_MAX)
        return false;
    *type = str_sub(line, 0, a);
    line = str_sub(line, a + 1, SIZE_MAX);
    b = str_chr(line, ';');
    if (b == SIZE_MAX)
        return false;
    *name = str_sub(line, 0, b);
    *shapes = str_sub(line, b + 1, SIZE_MAX);
    if (shapes->n && !str_starts(*shapes, STR("input_"))) {
        struct str graph = str_sub(*shapes, 0, str_chr(*shapes, ';'));
        int64_t id;
        if (!str_i64(graph, &id) || graph.n == shapes->n)
            return false;
        *shapes = str_sub(*shapes, graph.n + 1, SIZE_MAX);
    }
    while (shapes->n && shapes->p[shapes->n - 1] == ';')
        shapes->n--;
    return type->n > 0 && name->n > 0;
}

static int on_line(struct shapes *s, struct lines *l, struct str line, struct err *e)
{
    struct str type, name, shapes;

    if (!parts_of(line, &type, &name, &shapes)) {
        lines_bad(l, "not type;name;input_<i>:<shape>;...");
        return OK;
    }
    buf_clear(&s->key);
    buf_add(&s->key, type);
    buf_addc(&s->key, '\0');
    buf_add(&s->key, name);
    buf_addc(&s->key, '\0');
    buf_add(&s->key, shapes);
    uint32_t id = intern_find(s->keys, buf_str(&s->key));
    if (id != INTERN_NONE) {
        s->v[id].n++;
        return OK;
    }
    if (s->n == MAX_SHAPES || buf_failed(&s->key)) {
        s->left_out++;
        return OK;
    }
    void *p = grow_array(s->v, s->n, &s->cap, sizeof *s->v, 64);
    if (p)
        s->v = p;
    if (!p || intern_put(s->keys, buf_str(&s->key)) == INTERN_NONE)
        return err_nomem(e);
    s->v[s->n++] = (struct launches){ .name = sink_intern(l->c->out, name),
                                      .type = sink_intern(l->c->out, type),
                                      .shapes = shapes.n ? sink_intern(l->c->out, shapes) : 0,
                                      .line = l->n,
                                      .n = 1 };
    return OK;
}

static int put_launches(struct parse_ctx *c, const struct launches *x, const char *core, struct err *e)
{
    struct val v[N_COLS(op_stat)] = { 0 };

    v[COL(op_stat, by)] = val_cstr("shape");
    v[COL(op_stat, per)] = val_cstr("run");
    v[COL(op_stat, name_id)] = val_id(x->name);
    v[COL(op_stat, type_id)] = val_id(x->type);
    v[COL(op_stat, core)] = val_cstr(core);
    v[COL(op_stat, rank)] = val_int(c->rank);
    v[COL(op_stat, calls)] = val_int(x->n);
    v[COL(op_stat, in_shapes_id)] = val_id(x->shapes);
    v[COL(op_stat, source_id)] = val_int(c->f->id);
    v[COL(op_stat, line)] = val_int(x->line);
    return parse_row(c, T_op_stat, v, N_COLS(op_stat), e);
}

static int read_lines(struct shapes *s, struct parse_ctx *c, struct err *e)
{
    struct lines l;
    struct str line;

    if (lines_open(&l, c, e) == OK)
        while (lines_next(&l, &line, e))
            if (line.n && on_line(s, &l, line, e))
                break;
    lines_done(&l);
    return e->code;
}

static int parse_shapes(struct parse_ctx *c, const char *core, struct err *e)
{
    struct shapes s = { .n = 0 };

    buf_init(&s.key, 4 * LIM_NAME_B);
    if (intern_new(&s.keys, e) == OK && read_lines(&s, c, e) == OK)
        for (size_t i = 0; i < s.n; i++)
            if (put_launches(c, &s.v[i], core, e))
                break;
    parse_note(c, NOTE_LIMIT, s.left_out, "launches above %zu different shapes", MAX_SHAPES);
    intern_free(s.keys);
    buf_done(&s.key);
    free(s.v);
    return e->code;
}

int parse_gpu_shapes(struct parse_ctx *c, struct err *e)
{
    return parse_shapes(c, "GPU", e);
}

int parse_cpu_shapes(struct parse_ctx *c, struct err *e)
{
    return parse_shapes(c, "CPU", e);
}
