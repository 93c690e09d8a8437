/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What JSON files say about ops: parallel strategies and the shapes of dynamic networks
 * (doc/formats/mindspore1.md#parallel_strategy, #dynamic_shape_info, #gpu-dynamic-shapes).
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "parsers/parsers.h"
#include "parsers/read/jwalk.h"
#include "parsers/read/lines.h"

/* ---- parallel_strategy_N.json ---- */

struct strategy_file {
    struct jwalk w;
    struct parse_ctx *c;
    struct buf name, type, attr, value, strategy;
};

static void keep(struct buf *b, struct str text)
{
    buf_clear(b);
    buf_add(b, text);
}

/*
 * graph.node[i].{fullName,opType}, .attribute[k].name, .attribute[k].value...: the numbers and texts of the
 * value, tuples in brackets.
 */
static void strategy_scalar(struct strategy_file *f, struct str text)
{
    const struct jwalk *w = &f->w;
    struct str key = jwalk_key(w, -1);

    if (w->depth == 4 && str_eq(key, STR("fullName")))
        keep(&f->name, text);
    else if (w->depth == 4 && str_eq(key, STR("opType")))
        keep(&f->type, text);
    else if (w->depth == 6 && str_eq(jwalk_key(w, 3), STR("attribute")) && str_eq(key, STR("name")))
        keep(&f->attr, text);
    else if (w->depth > 6 && str_ends(key, STR("Val"))) {
        if (f->value.n && f->value.p[f->value.n - 1] != '(')
            buf_puts(&f->value, ", ");
        buf_add(&f->value, text);
    }
}

static bool is_strategy(struct str attr)
{
    return str_ends(attr, STR("strategy"));
}

static int put_strategy(struct strategy_file *f, struct err *e)
{
    struct op_key k = OP_KEY_INIT;
    struct op_attr a = OP_ATTR_INIT;

    if (f->name.n == 0 || f->strategy.n == 0)
        return OK;
    k.name_id = sink_intern(f->c->out, buf_str(&f->name));
    k.type_id = f->type.n ? sink_intern(f->c->out, buf_str(&f->type)) : 0;
    a.strategy_id = sink_intern(f->c->out, buf_str(&f->strategy));
    a.source_id = f->c->f->id;
    f->c->rows++;
    return sink_op(f->c->out, &k, &a, e) ? OK : e->code;
}

static int strategy_token(struct strategy_file *f, enum js_token tok, struct str text, struct err *e)
{
    const struct jwalk *w = &f->w;
    bool node = str_eq(jwalk_key(w, 0), STR("graph")) && str_eq(jwalk_key(w, 1), STR("node"));
    bool tuple = w->depth > 6 && str_eq(jwalk_key(w, -1), STR("values"));

    if (!node) {
        char key[128];
        if (!jwalk_is_scalar(tok) || !str_eq(jwalk_key(w, 0), STR("config")) || w->depth != 2)
            return OK;
        return parse_setting(f->c, str_copy(jwalk_key(w, 1), key, sizeof key), text, e);
    }
    if (jwalk_is_scalar(tok)) {
        strategy_scalar(f, text);
    } else if (tok == JS_OBJ && w->depth == 3) {
        buf_clear(&f->name);
        buf_clear(&f->type);
        buf_clear(&f->strategy);
    } else if (tok == JS_OBJ && w->depth == 5) {
        buf_clear(&f->attr);
        buf_clear(&f->value);
    } else if (tuple && tok == JS_ARR) {
        buf_puts(&f->value, f->value.n && f->value.p[f->value.n - 1] != '(' ? ", (" : "(");
    } else if (tuple && tok == JS_ARR_END) {
        buf_addc(&f->value, ')');
    } else if (tok == JS_OBJ_END && w->depth == 5 && is_strategy(buf_str(&f->attr))) {
        keep(&f->strategy, buf_str(&f->value));
    } else if (tok == JS_OBJ_END && w->depth == 3) {
        return put_strategy(f, e);
    }
    return OK;
}

int parse_parallel_strategy(struct parse_ctx *c, struct err *e)
{
    struct strategy_file f = { .c = c };
    struct buf *const all[] = { &f.name, &f.type, &f.attr, &f.value, &f.strategy };
    struct str text;

    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        buf_init(all[i], LIM_NAME_B);
    if (jwalk_open(&f.w, c, e) == OK)
        for (enum js_token tok; (tok = jwalk_next(&f.w, &text, e)) != JS_END;)
            if (strategy_token(&f, tok, text, e))
                break;
    jwalk_close(&f.w);
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        buf_done(all[i]);
    return e->code;
}

/* ---- dynamic_shape_info_N.json ---- */

#define MAX_SHAPES ((size_t)1 << 18)
#define MAX_TIMES  ((size_t)1 << 20)

/* Executions of one op with one set of shapes. */
struct shape_stat {
    uint32_t name, type, shapes;
    const char *core;
    uint64_t calls;
    double total_ns, min_ns, max_ns;
};

struct shape_file {
    struct jwalk w;
    struct parse_ctx *c;
    struct intern *keys; /* name, type, core, shapes -> index in stats */
    struct shape_stat *stats;
    size_t n, cap;
    struct buf name, type, side, shapes, key;
    double *times; /* of the op being read, ns (Ascend form) */
    size_t n_times, cap_times;
    double dur_ns; /* of the execution being read (GPU form); < 0 unknown */
    uint64_t left_out;
};

static int count_shape(struct shape_file *f, struct str name, struct str type, const char *core,
                       struct str shapes, double ns, struct err *e)
{
    struct str parts[] = { name, type, str_of(core ? core : ""), shapes };

    buf_clear(&f->key);
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        buf_add(&f->key, parts[i]);
        buf_addc(&f->key, '\0');
    }
    uint32_t id = intern_find(f->keys, buf_str(&f->key));
    if (id == INTERN_NONE) {
        if (f->n == MAX_SHAPES || buf_failed(&f->key)) {
            f->left_out++;
            return OK;
        }
        void *p = grow_array(f->stats, f->n, &f->cap, sizeof *f->stats, 64);
        if (!p)
            return err_nomem(e);
        f->stats = p;
        id = intern_put(f->keys, buf_str(&f->key));
        if (id == INTERN_NONE)
            return err_nomem(e);
        f->stats[f->n++] = (struct shape_stat){ .name = sink_intern(f->c->out, name),
                                                .type = sink_intern(f->c->out, type),
                                                .shapes = shapes.n ? sink_intern(f->c->out, shapes) : 0,
                                                .core = core,
                                                .min_ns = ns };
    }
    struct shape_stat *s = &f->stats[id];
    s->calls++;
    s->total_ns += ns;
    s->min_ns = ns < s->min_ns ? ns : s->min_ns;
    s->max_ns = ns > s->max_ns ? ns : s->max_ns;
    return OK;
}

/* ---- GPU: operator.<step>[i]: {op_side, op_type, op_name, dur us, shape_info[]} ---- */

static int gpu_shape_token(struct shape_file *f, enum js_token tok, struct str text, struct err *e)
{
    const struct jwalk *w = &f->w;
    struct str key = jwalk_key(w, 3);

    if (w->depth == 3 && tok == JS_OBJ) {
        struct buf *const all[] = { &f->name, &f->type, &f->side, &f->shapes };
        for (size_t i = 0; i < ARRAY_LEN(all); i++)
            buf_clear(all[i]);
        f->dur_ns = -1;
    } else if (w->depth == 4 && jwalk_is_scalar(tok)) {
        if (str_eq(key, STR("op_name")))
            keep(&f->name, text);
        else if (str_eq(key, STR("op_type")))
            keep(&f->type, text);
        else if (str_eq(key, STR("op_side")))
            keep(&f->side, text);
        else if (str_eq(key, STR("dur")) && str_f64(text, &f->dur_ns))
            f->dur_ns *= 1000;
    } else if (w->depth == 5 && tok == JS_STRING && str_eq(key, STR("shape_info")) && text.n > 0) {
        buf_puts(&f->shapes, f->shapes.n ? ";" : "");
        buf_add(&f->shapes, text);
    } else if (w->depth == 3 && tok == JS_OBJ_END && f->name.n && f->dur_ns >= 0) {
        bool cpu = str_eq(buf_str(&f->side), STR("cpu"));
        return count_shape(f, buf_str(&f->name), buf_str(&f->type), cpu ? "CPU" : "GPU", buf_str(&f->shapes),
                           f->dur_ns, e);
    }
    return OK;
}

/* ---- Ascend: <type>[i].<op>.{op_exe_time[] ms, op_shape[]}, the k-th time with the k-th shape ---- */

static int ascend_shape_scalar(struct shape_file *f, struct str text, struct err *e)
{
    const struct jwalk *w = &f->w;
    int64_t k = jwalk_index(w, 4);
    double ms;

    if (w->depth != 5 || k < 0)
        return OK;
    if (str_eq(jwalk_key(w, 3), STR("op_exe_time"))) {
        f->n_times = k == 0 ? 0 : f->n_times;
        if (!str_f64(text, &ms) || f->n_times == MAX_TIMES) {
            f->left_out++;
            return OK;
        }
        double *p = grow_array(f->times, f->n_times, &f->cap_times, sizeof *p, 64);
        if (!p)
            return err_nomem(e);
        f->times = p;
        f->times[f->n_times++] = ms * 1e6;
    } else if (str_eq(jwalk_key(w, 3), STR("op_shape")) && (size_t)k < f->n_times) {
        return count_shape(f, jwalk_key(w, 2), jwalk_key(w, 0), NULL, text, f->times[k], e);
    }
    return OK;
}

static int put_shape(struct shape_file *f, const struct shape_stat *s, struct err *e)
{
    struct val v[N_COLS(op_stat)] = { 0 };

    v[COL(op_stat, by)] = val_cstr("shape");
    v[COL(op_stat, per)] = val_cstr("run");
    v[COL(op_stat, name_id)] = val_id(s->name);
    v[COL(op_stat, type_id)] = val_id(s->type);
    v[COL(op_stat, core)] = val_cstr(s->core);
    v[COL(op_stat, rank)] = val_int(f->c->rank);
    v[COL(op_stat, calls)] = val_uint(s->calls);
    v[COL(op_stat, total_ns)] = val_real(s->total_ns);
    v[COL(op_stat, avg_ns)] = val_real(s->total_ns / (double)s->calls);
    v[COL(op_stat, min_ns)] = val_real(s->min_ns);
    v[COL(op_stat, max_ns)] = val_real(s->max_ns);
    v[COL(op_stat, in_shapes_id)] = val_id(s->shapes);
    v[COL(op_stat, source_id)] = val_int(f->c->f->id);
    return parse_row(f->c, T_op_stat, v, N_COLS(op_stat), e);
}

static int read_shapes(struct shape_file *f, struct err *e)
{
    struct str text;

    for (enum js_token tok; (tok = jwalk_next(&f->w, &text, e)) != JS_END;) {
        bool gpu = str_eq(jwalk_key(&f->w, 0), STR("operator"));
        if (gpu ? gpu_shape_token(f, tok, text, e) : jwalk_is_scalar(tok) && ascend_shape_scalar(f, text, e))
            break;
    }
    for (size_t i = 0; i < f->n && e->code == OK; i++)
        if (put_shape(f, &f->stats[i], e))
            break;
    return e->code;
}

int parse_dynamic_shape(struct parse_ctx *c, struct err *e)
{
    struct shape_file f = { .c = c };
    struct buf *const all[] = { &f.name, &f.type, &f.side, &f.shapes, &f.key };

    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        buf_init(all[i], 4 * LIM_NAME_B);
    if (intern_new(&f.keys, e) == OK && jwalk_open(&f.w, c, e) == OK)
        (void)read_shapes(&f, e);
    parse_note(c, NOTE_LIMIT, f.left_out, "executions that could not be counted by shape");
    jwalk_close(&f.w);
    intern_free(f.keys);
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        buf_done(all[i]);
    free(f.times);
    free(f.stats);
    return e->code;
}
