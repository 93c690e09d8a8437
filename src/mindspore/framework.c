/* SPDX-License-Identifier: Apache-2.0 */
/*
 * framework_raw and the ops of tasks, from Framework files of both eras
 * (doc/formats/mindspore1.md#framework_raw, #op-executions).
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "mindspore/run.h"
#include "parsers/mindspore/records/framework_records.h"
#include "parsers/mindspore/records/framework_text.h"

/* A tensor of a task of the binary era, with the next one of the same key. */
struct node {
    uint32_t format, type, shape, next; /* shape: a text of the run */
    bool output;
};
/* Tensors of one key. */
struct chain {
    uint32_t first, last;
    const struct mindspore_tensor *made; /* NULL: not yet */
    size_t n;
};
#define NO_NODE UINT32_MAX
/* The last task line of a name, text era. */
struct triple {
    bool has;
    uint32_t task, stream;
    int64_t block_dim;
};

struct reader {
    struct mindspore_run *r;
    struct framework_names *hashed;
    struct intern *chain_keys;
    struct chain *chains; /* by chain_keys */
    struct node *nodes;
    size_t cap_chains, n_nodes, cap_nodes;
    struct triple *triples; /* by text of the run */
    uint32_t *order;        /* names of task lines, in order of their first lines */
    size_t n_triples, cap_triples, n_order, cap_order;
    struct mindspore_framework *rows;
    size_t n, cap;
    uint64_t tasks, dynamic; /* of the binary era; dynamic: with unknown shapes */
};

/* ---- rows ---- */

static int add_row(struct reader *x, const struct mindspore_framework *row, struct err *e)
{
    struct mindspore_framework *rows = grow_array(x->rows, x->n, &x->cap, sizeof *rows, 1024);

    if (rows)
        x->rows = rows;
    if (!rows || !row->full.p || !row->name.p || !row->type.p)
        return err_nomem(e);
    rows[x->n++] = *row;
    return OK;
}

static int text_id(struct mindspore_run *r, struct str s, uint32_t *id, struct err *e)
{
    *id = intern_put(r->texts, s);
    return *id == INTERN_NONE ? err_nomem(e) : OK;
}

/* "input_0"; text of the run. */
static struct str tensor_key(struct mindspore_run *r, bool output, struct str number)
{
    char t[64];

    snprintf(t, sizeof t, "%s_%.*s", output ? "output" : "input", (int)(number.n < 32 ? number.n : 32),
             number.p);
    return mindspore_text(r, str_of(t));
}

/* ---- text era ---- */

static int on_text_task(void *arg, const struct framework_task *t, struct err *e)
{
    struct reader *x = arg;
    uint32_t id;

    if (text_id(x->r, t->op, &id, e))
        return e->code;
    if (id >= x->n_triples) {
        struct triple *v = grow_array(x->triples, id, &x->cap_triples, sizeof *v, 1024);
        if (!v)
            return err_nomem(e);
        x->triples = v;
        for (; x->n_triples <= id; x->n_triples++)
            v[x->n_triples].has = false;
    }
    if (!x->triples[id].has) {
        uint32_t *v = grow_array(x->order, x->n_order, &x->cap_order, sizeof *v, 1024);
        if (!v)
            return err_nomem(e);
        x->order = v;
        v[x->n_order++] = id;
    }
    x->triples[id] = (struct triple){ true, t->task, t->stream, t->block_dim };
    return task_keys_put(x->r->keys, t->stream, t->task, id, e);
}

static void take_triple(struct reader *x, uint32_t id, struct mindspore_framework *row)
{
    if (id >= x->n_triples || !x->triples[id].has)
        return;
    row->has_task = true;
    row->task = x->triples[id].task;
    row->stream = x->triples[id].stream;
    row->block_dim = x->triples[id].block_dim;
    x->triples[id].has = false;
}

/* The text as JSON has it, with quotes. */
static struct str quoted(struct mindspore_run *r, struct str s)
{
    struct buf b;

    buf_init(&b, (size_t)1 << 20);
    mindspore_json_add(&b, s);
    struct str text = buf_failed(&b) ? STR_NULL : mindspore_text(r, buf_str(&b));
    buf_done(&b);
    return text;
}

/* Type and format numbers of the GE back end become words. */
static bool tensor_of(struct reader *x, const struct framework_op *o, bool output,
                      const struct framework_tensor *t, struct mindspore_tensor *out)
{
    struct mindspore_run *r = x->r;
    struct str format = o->ge ? framework_format_word(t->format) : t->format;

    out->key = tensor_key(r, output, t->id);
    out->format = mindspore_text(r, format);
    out->type = mindspore_text(r, framework_type_word(t->number, o->ge, r->rules->types_r13));
    out->shape = quoted(r, t->shape);
    return out->key.p && out->format.p && out->type.p && out->shape.p;
}

/* Inputs and outputs in the order of the line. */
static int tensors_of(struct reader *x, const struct framework_op *o, struct mindspore_framework *row,
                      struct err *e)
{
    struct mindspore_tensor *t = arena_array(x->r->a, o->n_in + o->n_out + 1, sizeof *t);
    size_t in = 0, out = 0;

    if (!t)
        return err_nomem(e);
    while (in < o->n_in || out < o->n_out) {
        bool output = in == o->n_in || (out < o->n_out && o->out[out].order < o->in[in].order);
        if (!tensor_of(x, o, output, output ? &o->out[out] : &o->in[in], &t[in + out]))
            return err_nomem(e);
        *(output ? &out : &in) += 1;
    }
    row->tensors = t;
    row->n_tensors = in + out;
    return OK;
}

/*
 * The full name is split at the subgraph's names; the texts after the last '/' of each piece, joined by '+'.
 */
static struct str ge_name(struct mindspore_run *r, struct str full, struct str subgraph)
{
    struct buf b;
    size_t at, step = subgraph.n + 1;
    struct str rest = full, sep = { full.p, step };

    if (!subgraph.n)
        return mindspore_short(full);
    buf_init(&b, full.n + 16);
    do {
        at = str_find(rest, sep, 0);
        struct str piece = str_sub(rest, 0, at);
        if (piece.n && b.n)
            buf_addc(&b, '+');
        if (piece.n)
            buf_add(&b, mindspore_short(piece));
        if (at != SIZE_MAX)
            rest = str_sub(rest, at + step, SIZE_MAX);
    } while (at != SIZE_MAX);
    struct str name = buf_failed(&b) ? STR_NULL : mindspore_text(r, buf_str(&b));
    buf_done(&b);
    return name;
}

static int on_text_op(void *arg, const struct framework_op *o, struct err *e)
{
    struct reader *x = arg;
    struct mindspore_framework row = { .has_info = true };
    uint32_t id;

    if (text_id(x->r, o->name, &id, e) || tensors_of(x, o, &row, e))
        return e->code;
    take_triple(x, id, &row);
    row.full = intern_get(x->r->texts, id);
    row.subgraph = mindspore_subgraph(row.full);
    row.type = mindspore_text(x->r, o->type);
    if (o->ge)
        row.name = ge_name(x->r, row.full, row.subgraph);
    else
        row.name = row.subgraph.n ? mindspore_short(row.full) : row.full;
    return add_row(x, &row, e);
}

/* Adds names of task lines that no graph line has. */
static int add_left(struct reader *x, struct err *e)
{
    for (size_t i = 0; i < x->n_order; i++) {
        struct mindspore_framework row = { .name = STR(""), .type = STR(""), .subgraph = STR("") };
        take_triple(x, x->order[i], &row);
        row.full = intern_get(x->r->texts, x->order[i]);
        if (row.has_task && add_row(x, &row, e))
            return e->code;
    }
    return OK;
}

/* ---- binary era ---- */

/* "[2, 3]" */
static int shape_of(struct mindspore_run *r, const uint32_t *dims, uint32_t *id, struct err *e)
{
    char t[FWBIN_DIMS * 14 + 4];
    size_t n = 1;

    t[0] = '[';
    for (size_t i = 0; i < FWBIN_DIMS; i++)
        if (dims[i])
            n += (size_t)snprintf(t + n, sizeof t - n, "%s%u", n > 1 ? ", " : "", dims[i]);
    t[n++] = ']';
    return text_id(r, (struct str){ t, n }, id, e);
}

static int add_node(struct reader *x, struct chain *c, const struct framework_record_tensor *v, struct err *e)
{
    struct node *nodes =
        x->n_nodes >= NO_NODE ? NULL : grow_array(x->nodes, x->n_nodes, &x->cap_nodes, sizeof *nodes, 1024);
    uint32_t shape, at = (uint32_t)x->n_nodes;

    if (!nodes)
        return err_nomem(e);
    x->nodes = nodes;
    if (shape_of(x->r, v->dims, &shape, e))
        return e->code;
    nodes[x->n_nodes++] = (struct node){ v->format, v->type, shape, NO_NODE, v->output };
    if (c->first == NO_NODE)
        c->first = at;
    else
        nodes[c->last].next = at;
    c->last = at;
    c->n++;
    return OK;
}

static int on_tensors(void *arg, const struct framework_record_tensors *v, struct err *e)
{
    struct reader *x = arg;
    struct task_key key = task_key_of(x->r->rules->short_key, v->stream, v->task);
    uint32_t before = intern_count(x->chain_keys);
    uint32_t at = intern_put(x->chain_keys, (struct str){ (const char *)&key, sizeof key });
    struct chain *chains =
        at == INTERN_NONE ? NULL : grow_array(x->chains, at, &x->cap_chains, sizeof *chains, 1024);

    if (!chains)
        return err_nomem(e);
    x->chains = chains;
    if (at == before)
        chains[at] = (struct chain){ .first = NO_NODE };
    for (size_t i = 0; i < v->n; i++)
        if (add_node(x, &chains[at], &v->t[i], e))
            return e->code;
    return OK;
}

/* The tensors of a chain; inputs and outputs are counted separately. */
static int make_tensors(struct reader *x, struct chain *c, struct err *e)
{
    struct mindspore_tensor *t = arena_array(x->r->a, c->n + 1, sizeof *t);
    unsigned count[2] = { 0, 0 };
    size_t i = 0;

    if (!t)
        return err_nomem(e);
    for (uint32_t at = c->first; at != NO_NODE; at = x->nodes[at].next) {
        const struct node *v = &x->nodes[at];
        char number[16];
        snprintf(number, sizeof number, "%u", count[v->output]++);
        t[i].key = tensor_key(x->r, v->output, str_of(number));
        t[i].format = framework_records_format(v->format);
        t[i].type = framework_records_type(v->type);
        t[i].shape = intern_get(x->r->texts, v->shape);
        if (!t[i++].key.p)
            return err_nomem(e);
    }
    c->made = t;
    return OK;
}

static int set_tensors(struct reader *x, const struct framework_record_task *v,
                       struct mindspore_framework *row, struct err *e)
{
    struct task_key key = task_key_of(x->r->rules->short_key, v->stream, v->task);
    uint32_t at = intern_find(x->chain_keys, (struct str){ (const char *)&key, sizeof key });

    if (at == INTERN_NONE)
        return OK;
    if (!x->chains[at].made && make_tensors(x, &x->chains[at], e))
        return e->code;
    row->tensors = x->chains[at].made;
    row->n_tensors = x->chains[at].n;
    return OK;
}

static int on_task(void *arg, const struct framework_record_task *v, struct err *e)
{
    struct reader *x = arg;
    struct mindspore_framework row = { .has_task = true,
                                       .has_info = true,
                                       .task = v->task,
                                       .stream = v->stream,
                                       .block_dim = v->block_dim,
                                       .graph_id = v->model,
                                       .kernel_type = v->core };
    uint32_t id;

    x->tasks++;
    x->dynamic += v->dynamic;
    if (text_id(x->r, v->op, &id, e) || set_tensors(x, v, &row, e))
        return e->code;
    row.full = intern_get(x->r->texts, id);
    row.name = mindspore_short(row.full);
    row.subgraph = mindspore_subgraph(row.full);
    row.type = mindspore_text(x->r, v->type);
    return add_row(x, &row, e) ? e->code : task_keys_put(x->r->keys, v->stream, v->task, id, e);
}

/* ---- reading ---- */

static int read_tasks(struct reader *x, struct parse_ctx *c, struct err *e)
{
    struct group_ctx *g = &x->r->job;
    bool binary;

    if (group_failed(g, c, framework_records_is(c, &binary, e), e))
        return e->code;
    if (binary && x->r->rules->slices_by_text && mindspore_slices_by_text(x->r, c, e))
        return e->code;
    int rc = binary ? framework_records_tasks(c, x->hashed, on_task, x, e)
                    : framework_text_tasks(c, on_text_task, x, e);
    return group_failed(g, c, rc, e) ? e->code : OK;
}

/* The files that a container left come after those of the job folder. */
static int read_container(struct reader *x, bool tasks, struct err *e)
{
    const struct source_file *f = NULL;
    const char *what = tasks ? "task_desc_info" : "graph_desc_info";

    while ((f = mindspore_container_file(x->r, what, f)) != NULL) {
        struct parse_ctx c = mindspore_ctx(x->r, f);
        int rc =
            tasks ? framework_text_tasks(&c, on_text_task, x, e) : framework_text_ops(&c, on_text_op, x, e);
        if (group_failed(&x->r->job, &c, rc, e))
            return e->code;
    }
    return OK;
}

/* Tasks of both eras refer to files read before them; ops of the text era refer to the tasks. */
static int read_all(struct reader *x, struct err *e)
{
    struct group_ctx *g = &x->r->job;
    struct parse_ctx *c;

    for (size_t i = 0; (c = group_use(g, ROLE_FRAMEWORK_HASH, i)) != NULL; i++)
        if (group_failed(g, c, framework_records_names(c, x->hashed, e), e))
            return e->code;
    for (size_t i = 0; (c = group_use(g, ROLE_FRAMEWORK_TENSOR, i)) != NULL; i++)
        if ((x->r->rules->slices_by_text && mindspore_slices_by_text(x->r, c, e)) ||
            group_failed(g, c, framework_records_tensors(c, on_tensors, x, e), e))
            return e->code;
    for (size_t i = 0; (c = group_use(g, ROLE_FRAMEWORK_TASK, i)) != NULL; i++)
        if (read_tasks(x, c, e))
            return e->code;
    if (read_container(x, true, e))
        return e->code;
    for (size_t i = 0; (c = group_use(g, ROLE_FRAMEWORK_GRAPH, i)) != NULL; i++)
        if (group_failed(g, c, framework_text_ops(c, on_text_op, x, e), e))
            return e->code;
    return read_container(x, false, e) ? e->code : add_left(x, e);
}

/*
 * A network of dynamic shapes makes new tasks of its ops in every step; most versions do not record it in any
 * other way.
 */
static bool is_dynamic(const struct reader *x)
{
    const struct mindspore_run *r = x->r;
    uint64_t names = 0;

    for (size_t i = 0; i < r->n_info; i++)
        names += r->info_of[i] != 0;
    return r->rules->dynamic_shapes && x->tasks && (x->dynamic || x->tasks >= 2 * names);
}

/* Keeps the rows for later steps. */
static int keep_rows(struct reader *x, struct err *e)
{
    struct mindspore_run *r = x->r;
    struct mindspore_framework *rows = arena_array(r->a, x->n + 1, sizeof *rows);
    size_t n_info = intern_count(r->texts);
    uint32_t *info = arena_array(r->a, n_info + 1, sizeof *info);

    if (!rows || !info)
        return err_nomem(e);
    if (x->n)
        memcpy(rows, x->rows, x->n * sizeof *rows);
    for (size_t i = 0; i < x->n; i++)
        info[intern_find(r->texts, rows[i].full)] = (uint32_t)i + 1;
    r->framework = rows;
    r->n_framework = x->n;
    r->info_of = info;
    r->n_info = n_info;
    r->dynamic = is_dynamic(x);
    return OK;
}

/* ---- the file ---- */

static void put_attr(struct emit *o, const char *before, struct str s)
{
    emit_s(o, before);
    mindspore_json_cell_text(o, s);
}

/* The shape is JSON already: its quotes are doubled. */
static void put_shape(struct emit *o, struct str s)
{
    emit_s(o, ", \"\"shape\"\": ");
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '"')
            emit_c(o, '"');
        emit_c(o, s.p[i]);
    }
}

/* A cell with the tensors as a JSON object. */
static void put_info(struct emit *o, const struct mindspore_framework *f)
{
    if (!f->n_tensors) {
        emit_s(o, "{}");
        return;
    }
    emit_s(o, "\"{");
    for (size_t i = 0; i < f->n_tensors; i++) {
        const struct mindspore_tensor *t = &f->tensors[i];
        put_attr(o, i ? ", " : "", t->key);
        put_attr(o, ": {\"\"format\"\": ", t->format);
        put_attr(o, ", \"\"data_type\"\": ", t->type);
        put_shape(o, t->shape);
        emit_c(o, '}');
    }
    emit_s(o, "}\"");
}

static void put_row(struct emit *o, const struct mindspore_rules *rules, const struct mindspore_framework *f)
{
    if (f->has_task)
        emit_fmt(o, "%u,%u,%i", f->task, f->stream, f->block_dim);
    else
        emit_s(o, ",,");
    mindspore_cell(o, f->full, false);
    mindspore_cell(o, f->name, false);
    mindspore_cell(o, f->type, false);
    mindspore_cell(o, f->subgraph, false);
    emit_c(o, ',');
    if (f->has_info)
        put_info(o, f);
    if (rules->graph_id)
        emit_fmt(o, ",%i", f->graph_id);
    mindspore_end_row(o);
}

static int write_rows(struct mindspore_run *r, struct err *e)
{
    struct emit *o;

    if (mindspore_open(r, &o, "framework_raw_", ".csv", e))
        return e->code;
    emit_s(o, "task_id,stream_id,block_dim,full_op_name,op_name,op_type,subgraph,op_info");
    if (r->rules->graph_id)
        emit_s(o, ",graph_id");
    mindspore_end_row(o);
    for (size_t i = 0; i < r->n_framework; i++)
        put_row(o, r->rules, &r->framework[i]);
    return mindspore_close(r, o, e);
}

int mindspore_framework(struct mindspore_run *r, struct err *e)
{
    struct reader x = { .r = r };

    if (task_keys_new(&r->keys, r->rules->short_key, e) == OK && framework_names_new(&x.hashed, e) == OK &&
        intern_new(&x.chain_keys, e) == OK && read_all(&x, e) == OK)
        (void)keep_rows(&x, e);
    framework_names_free(x.hashed);
    intern_free(x.chain_keys);
    free(x.chains);
    free(x.nodes);
    free(x.triples);
    free(x.order);
    free(x.rows);
    if (e->code)
        return e->code;
    if (r->n_framework)
        return write_rows(r, e);
    mindspore_no_data(r, "framework_raw_", ".csv", "no Framework files");
    return OK;
}
