/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Static graph memory of MindSpore 1.x: memory_usage_summary_N.json and memory_usage_details_N.json
 * (doc/formats/mindspore1.md#memory_usage_summary).
 *
 * GB is 2^30 bytes there. The nodes of a graph are held until its end, because the memory in use at each
 * (lines) and the marks follow them; tensors go out as they come, each once.
 */
#include "config.h"

#include <stdlib.h>

#include "base/path.h"
#include "parsers/parsers.h"
#include "parsers/read/jwalk.h"
#include "parsers/read/lines.h"

#define GB        (UINT64_C(1) << 30)
#define MAX_NODES ((size_t)1 << 20)

static struct val gb(struct str text, bool *bad)
{
    return val_scaled(text, GB, bad);
}

/* ---- summary ---- */

static int parse_summary(struct parse_ctx *c, struct err *e)
{
    /* clang-format off */
    static const struct { const char *key; size_t slot; bool gb; } cols[] = {
        { "capacity",      COL(mem_total, capacity_b),    true },
        { "peak_mem",      COL(mem_total, peak_b),        true },
        { "static_mem",    COL(mem_total, static_b),      true },
        { "allocations",   COL(mem_total, allocations),   false },
        { "deallocations", COL(mem_total, deallocations), false },
    };
    /* clang-format on */
    struct val v[N_COLS(mem_total)] = { [COL(mem_total, rank)] = val_int(c->rank),
                                        [COL(mem_total, source_id)] = val_int(c->f->id) };
    bool any = false, bad = false;
    struct jwalk w;
    struct str text;

    if (jwalk_open(&w, c, e) == OK)
        for (enum js_token tok; (tok = jwalk_next(&w, &text, e)) != JS_END;)
            for (size_t i = 0; i < ARRAY_LEN(cols) && jwalk_is_scalar(tok); i++)
                if (w.depth == 1 && str_eq(jwalk_key(&w, 0), str_of(cols[i].key))) {
                    v[cols[i].slot] = cols[i].gb ? gb(text, &bad) : val_int_text(text, &bad);
                    any = true;
                }
    jwalk_close(&w);
    parse_note(c, NOTE_BAD_VALUE, bad, "a value that is no number is missing");
    return e->code == OK && any ? parse_row(c, T_mem_total, v, N_COLS(mem_total), e) : e->code;
}

/* ---- details ---- */

struct node {
    uint32_t name, full_name;
    struct val id, size_b, allocated_b, used_b;
    struct val allocations;
};

struct tensor {
    uint32_t name, shape, format, type, id;
    char kind[32], lifelong[32];
    struct val size_b, born, dies;
};

struct details {
    struct jwalk w;
    struct parse_ctx *c;
    struct val graph;
    struct node *nodes;
    size_t n_nodes, cap_nodes, n_lines;
    struct val fp, bp;    /* node ids */
    struct intern *seen;  /* tensor ids of this graph that were given out */
    struct tensor tensor; /* being read */
    char tensor_id[32];
    struct buf shape;
    bool bad;
    uint64_t n_bad, left_out;
};

static struct node *node_at(struct details *d, int64_t i, struct err *e)
{
    if (i < 0 || (size_t)i >= MAX_NODES) {
        d->left_out++;
        return NULL;
    }
    while (d->cap_nodes <= (size_t)i) {
        size_t cap = d->cap_nodes ? d->cap_nodes * 2 : 256;
        struct node *p = realloc(d->nodes, cap * sizeof *p);
        if (!p) {
            err_nomem(e);
            return NULL;
        }
        memset(p + d->cap_nodes, 0, (cap - d->cap_nodes) * sizeof *p);
        d->nodes = p;
        d->cap_nodes = cap;
    }
    if (d->n_nodes <= (size_t)i)
        d->n_nodes = (size_t)i + 1;
    return &d->nodes[i];
}

static void node_field(struct details *d, struct node *n, struct str text)
{
    struct str key = jwalk_key(&d->w, 3);

    if (str_eq(key, STR("name")))
        n->name = sink_intern(d->c->out, text);
    else if (str_eq(key, STR("fullname")))
        n->full_name = text.n ? sink_intern(d->c->out, text) : 0;
    else if (str_eq(key, STR("node_id")))
        n->id = val_int_text(text, &d->bad);
    else if (str_eq(key, STR("allocations")))
        n->allocations = val_int_text(text, &d->bad);
    else if (str_eq(key, STR("size")))
        n->size_b = gb(text, &d->bad);
    else if (str_eq(key, STR("allocated")))
        n->allocated_b = gb(text, &d->bad);
}

static void tensor_field(struct details *d, struct str text)
{
    struct str key = jwalk_key(&d->w, 4);
    struct tensor *t = &d->tensor;

    if (str_eq(key, STR("tensor_name")))
        t->name = sink_intern(d->c->out, text);
    else if (str_eq(key, STR("tensor_id")))
        str_copy(text, d->tensor_id, sizeof d->tensor_id);
    else if (str_eq(key, STR("size")))
        t->size_b = gb(text, &d->bad);
    else if (str_eq(key, STR("shape"))) /* a list from r1.5 on: see on_scalar */
        buf_add(&d->shape, text);
    else if (str_eq(key, STR("type")))
        str_copy(text, t->kind, sizeof t->kind);
    else if (str_eq(key, STR("format")))
        t->format = sink_intern(d->c->out, text);
    else if (str_eq(key, STR("data_type")))
        t->type = sink_intern(d->c->out, text);
    else if (str_eq(key, STR("life_long")))
        str_copy(text, t->lifelong, sizeof t->lifelong);
    else if (str_eq(key, STR("life_start")))
        t->born = val_int_text(text, &d->bad);
    else if (str_eq(key, STR("life_end")))
        t->dies = val_int_text(text, &d->bad);
}

/* Life to the end of the graph: the last node is none that frees it. */
static bool lives_on(const struct tensor *t)
{
    return str_eq(str_of(t->lifelong), STR("LifeLongGraphAll")) ||
           str_eq(str_of(t->lifelong), STR("LifeLongGraphEnd"));
}

static int put_tensor(struct details *d, struct err *e)
{
    struct tensor *t = &d->tensor;
    struct val v[N_COLS(mem_tensor)] = { 0 };
    uint32_t before = intern_count(d->seen);

    if (d->tensor_id[0] && intern_put(d->seen, str_of(d->tensor_id)) == INTERN_NONE)
        return err_nomem(e);
    if (d->tensor_id[0] && intern_count(d->seen) == before)
        return OK; /* alive at several nodes, listed at each */
    v[COL(mem_tensor, rank)] = val_int(d->c->rank);
    v[COL(mem_tensor, graph_id)] = d->graph;
    v[COL(mem_tensor, name_id)] = val_id(t->name);
    v[COL(mem_tensor, size_b)] = t->size_b;
    v[COL(mem_tensor, born_node)] = t->born;
    v[COL(mem_tensor, dies_node)] = lives_on(t) ? val_null() : t->dies;
    v[COL(mem_tensor, shape_id)] = d->shape.n ? sink_text(d->c->out, buf_str(&d->shape)) : val_null();
    v[COL(mem_tensor, format_id)] = val_id(t->format);
    v[COL(mem_tensor, type_id)] = val_id(t->type);
    v[COL(mem_tensor, kind)] = t->kind[0] ? val_cstr(t->kind) : val_null();
    v[COL(mem_tensor, lifelong)] = t->lifelong[0] ? val_cstr(t->lifelong) : val_null();
    v[COL(mem_tensor, source_id)] = val_int(d->c->f->id);
    return parse_row(d->c, T_mem_tensor, v, N_COLS(mem_tensor), e);
}

static const char *mark_of(const struct details *d, const struct node *n)
{
    if (n->id.t != VAL_INT)
        return NULL;
    if (d->fp.t == VAL_INT && d->fp.i == n->id.i)
        return "fp";
    return d->bp.t == VAL_INT && d->bp.i == n->id.i ? "bp" : NULL;
}

/* The graph is whole, or the file ended within it. */
static int put_nodes(struct details *d, struct err *e)
{
    for (size_t i = 0; i < d->n_nodes; i++) {
        const struct node *n = &d->nodes[i];
        struct val v[N_COLS(mem_node)] = { 0 };
        v[COL(mem_node, rank)] = val_int(d->c->rank);
        v[COL(mem_node, graph_id)] = d->graph;
        v[COL(mem_node, node)] = n->id.t == VAL_INT ? n->id : val_int((int64_t)i);
        v[COL(mem_node, name_id)] = val_id(n->name);
        v[COL(mem_node, full_name_id)] = val_id(n->full_name);
        v[COL(mem_node, used_b)] = n->used_b;
        v[COL(mem_node, size_b)] = n->size_b;
        v[COL(mem_node, allocated_b)] = n->allocated_b;
        v[COL(mem_node, allocations)] = n->allocations;
        v[COL(mem_node, mark)] = val_cstr(mark_of(d, n));
        v[COL(mem_node, source_id)] = val_int(d->c->f->id);
        if (parse_row(d->c, T_mem_node, v, N_COLS(mem_node), e))
            return e->code;
    }
    return OK;
}

static int begin_graph(struct details *d, struct err *e)
{
    int64_t id;

    d->graph = str_i64(jwalk_key(&d->w, 0), &id) ? val_int(id) : val_null();
    if (d->nodes)
        memset(d->nodes, 0, d->cap_nodes * sizeof *d->nodes);
    d->n_nodes = 0;
    d->fp = d->bp = val_null();
    intern_free(d->seen);
    d->seen = NULL;
    return intern_new(&d->seen, e);
}

/* <graph>.{nodes[i].<field>, lines[i], breakdowns[i][k].<field>, fp_start, bp_end} */
static int on_scalar(struct details *d, enum js_token tok, struct str text, struct err *e)
{
    const struct jwalk *w = &d->w;
    struct str part = jwalk_key(w, 1);
    struct node *n = NULL;

    if (tok == JS_NULL || w->depth < 2)
        return OK;
    if (w->depth == 2 && str_eq(part, STR("fp_start")))
        d->fp = val_int_text(text, &d->bad);
    else if (w->depth == 2 && str_eq(part, STR("bp_end")))
        d->bp = val_int_text(text, &d->bad);
    else if (w->depth == 3 && str_eq(part, STR("lines")) && (n = node_at(d, jwalk_index(w, 2), e)))
        n->used_b = gb(text, &d->bad);
    else if (w->depth == 4 && str_eq(part, STR("nodes")) && (n = node_at(d, jwalk_index(w, 2), e)))
        node_field(d, n, text);
    else if (w->depth == 5 && str_eq(part, STR("breakdowns")))
        tensor_field(d, text);
    else if (w->depth == 6 && str_eq(part, STR("breakdowns")) && str_eq(jwalk_key(w, 4), STR("shape"))) {
        buf_puts(&d->shape, d->shape.n ? "," : "");
        buf_add(&d->shape, text);
    }
    d->n_bad += d->bad;
    d->bad = false;
    return e->code;
}

static int on_token(struct details *d, enum js_token tok, struct str text, struct err *e)
{
    const struct jwalk *w = &d->w;
    bool tensor = w->depth == 4 && str_eq(jwalk_key(w, 1), STR("breakdowns"));

    if (jwalk_is_scalar(tok))
        return on_scalar(d, tok, text, e);
    if (w->depth == 1 && tok == JS_OBJ)
        return begin_graph(d, e);
    if (w->depth == 1 && tok == JS_OBJ_END) {
        int rc = put_nodes(d, e);
        d->n_nodes = 0;
        return rc;
    }
    if (tensor && tok == JS_OBJ) {
        d->tensor = (struct tensor){ .name = 0 };
        d->tensor_id[0] = '\0';
        buf_clear(&d->shape);
    }
    return tensor && tok == JS_OBJ_END ? put_tensor(d, e) : OK;
}

static int parse_details(struct parse_ctx *c, struct err *e)
{
    struct details d = { .c = c };
    struct str text;

    buf_init(&d.shape, LIM_JSON_STRING_B);
    if (jwalk_open(&d.w, c, e) == OK)
        for (enum js_token tok; (tok = jwalk_next(&d.w, &text, e)) != JS_END;)
            if (on_token(&d, tok, text, e))
                break;
    if (e->code == OK && d.n_nodes > 0)
        (void)put_nodes(&d, e); /* a graph that was cut */
    parse_note(c, NOTE_BAD_VALUE, d.n_bad, "values that are no numbers are missing");
    parse_note(c, NOTE_LIMIT, d.left_out, "more than %zu nodes in a graph", MAX_NODES);
    jwalk_close(&d.w);
    intern_free(d.seen);
    buf_done(&d.shape);
    free(d.nodes);
    return e->code;
}

int parse_memory(struct parse_ctx *c, struct err *e)
{
    bool summary = str_find(str_of(path_base(c->f->path)), STR("summary"), 0) != SIZE_MAX;

    return summary ? parse_summary(c, e) : parse_details(c, e);
}
