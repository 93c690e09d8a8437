/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Planned memory (doc/formats/mindspore1.md#memory_usage_summary): memory_usage_summary_N.json and
 * memory_usage_details_N.json of memory_usage_N.pb.
 */
#include "config.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/limits.h"
#include "mindspore/run.h"
#include "parsers/mindspore/memory_plan.h"

#define SUMMARY   "memory_usage_summary_"
#define DETAILS   "memory_usage_details_"
#define GB        1073741824.0
#define MAX_NODES 2000 /* with more nodes only every n-th is written */

/* Tensors that are allocated at a node, in order of the file. */
struct alive {
    size_t *at; /* indexes in the graph's tensors */
    size_t n;
    const size_t *by_start; /* first node and index of each tensor with a source that takes memory */
    size_t n_starts, next;
};
struct memory {
    struct mindspore_run *r;
    struct emit *o;
    struct intern *names;            /* of ops, short */
    const struct mindspore_op **ops; /* by number in names; the last op of that name */
    /* of the graph being written */
    const struct mem_graph *g;
    const int64_t *line;
    const struct mem_source *source;
    struct buf text;
};

/* ---- ops by short name ---- */

static int index_ops(struct memory *m, struct err *e)
{
    const struct mindspore_run *r = m->r;

    m->ops = arena_array(r->a, r->n_ops + 1, sizeof *m->ops);
    if (!m->ops)
        return err_nomem(e);
    if (intern_new(&m->names, e))
        return e->code;
    for (size_t i = 0; i < r->n_ops; i++) {
        if (!r->ops[i].info)
            continue;
        uint32_t no = intern_put(m->names, r->ops[i].info->name);
        if (no == INTERN_NONE)
            return err_nomem(e);
        m->ops[no] = &r->ops[i];
    }
    return OK;
}

static const struct mindspore_op *op_of(const struct memory *m, struct str name)
{
    uint32_t no = intern_find(m->names, name);

    return no == INTERN_NONE ? NULL : m->ops[no];
}

static bool is_input(const struct mindspore_tensor *t)
{
    return str_find(t->key, STR("input"), 0) != SIZE_MAX;
}

/* ---- nodes ---- */

static void put_gb(struct emit *o, int64_t bytes)
{
    emit_repr(o, (double)bytes / GB);
}

static void put_tensors(struct emit *o, const struct mindspore_framework *info, bool inputs)
{
    bool first = true;

    emit_c(o, '[');
    for (size_t i = 0; info && i < info->n_tensors; i++) {
        const struct mindspore_tensor *t = &info->tensors[i];
        if (is_input(t) != inputs)
            continue;
        emit_s(o, first ? "{\"format\": " : ", {\"format\": ");
        mindspore_json_text(o, t->format);
        emit_s(o, ", \"data_type\": ");
        mindspore_json_text(o, t->type);
        emit_s(o, ", \"shape\": ");
        emit_str(o, t->shape);
        emit_c(o, '}');
        first = false;
    }
    emit_c(o, ']');
}

static int put_node(struct memory *m, size_t i, struct err *e)
{
    const struct mem_node *n = &m->g->node[i];
    const struct mindspore_op *op = op_of(m, n->name);
    const struct mindspore_framework *info = op ? op->info : NULL;
    struct emit *o = m->o;
    uint64_t made;
    int64_t bytes;

    if (!mem_made(m->g, n, &made, &bytes))
        return err_nomem(e);
    emit_s(o, "{\"name\": ");
    mindspore_json_text(o, n->name);
    emit_s(o, ", \"fullname\": ");
    mindspore_json_text(o, op ? op->full : STR(""));
    emit_fmt(o, ", \"node_id\": %U, \"allocations\": %U, \"size\": ", n->id, made);
    if (made)
        put_gb(o, bytes);
    else
        emit_c(o, '0');
    emit_s(o, ", \"allocated\": ");
    put_gb(o, m->line[i] - (i ? m->line[i - 1] : m->g->static_b));
    emit_s(o, ", \"inputs\": ");
    put_tensors(o, info, true);
    emit_s(o, ", \"outputs\": ");
    put_tensors(o, info, false);
    emit_c(o, '}');
    return OK;
}

/* ---- breakdowns ---- */

/* The j-th output of an op. NULL: unknown. */
static const struct mindspore_tensor *output_of(const struct mindspore_op *op, size_t j)
{
    const struct mindspore_framework *info = op ? op->info : NULL;

    for (size_t i = 0; info && i < info->n_tensors; i++)
        if (!is_input(&info->tensors[i]) && j-- == 0)
            return &info->tensors[i];
    return NULL;
}

static void put_text_or_null(struct emit *o, const char *key, const struct str *s)
{
    emit_s(o, key);
    if (s)
        mindspore_json_text(o, *s);
    else
        emit_s(o, "null");
}

static void put_tensor(struct memory *m, size_t at)
{
    const struct mem_tensor *t = &m->g->tensor[at];
    const struct mem_source *s = &m->source[at];
    struct str node = m->g->node[s->node].name;
    const struct mindspore_tensor *out = output_of(op_of(m, node), s->output);
    bool start = t->life == MEM_LIFE_ALL || t->life == MEM_LIFE_START;
    bool end = t->life == MEM_LIFE_ALL || t->life == MEM_LIFE_END;
    struct emit *o = m->o;

    emit_s(o, "{\"tensor_name\": ");
    buf_clear(&m->text);
    buf_add(&m->text, node);
    buf_printf(&m->text, ":%zu", s->output);
    mindspore_json_text(o, buf_str(&m->text));
    emit_fmt(o, ", \"tensor_id\": %U, \"size\": ", t->id);
    put_gb(o, (int64_t)t->size_b);
    emit_s(o, ", \"type\": \"output\", \"shape\": ");
    emit_str(o, out ? out->shape : STR("null"));
    put_text_or_null(o, ", \"format\": ", out ? &out->format : NULL);
    put_text_or_null(o, ", \"data_type\": ", out ? &out->type : NULL);
    emit_s(o, ", \"life_long\": ");
    mindspore_json_text(o, t->life_word);
    emit_fmt(o, ", \"life_start\": %U, \"life_end\": %U}", start ? 0 : t->start,
             end ? m->g->n_nodes : t->end);
}

static int by_start(const void *a, const void *b)
{
    const size_t *x = a, *y = b; /* first node, index */

    if (x[0] != y[0])
        return x[0] < y[0] ? -1 : 1;
    return x[1] < y[1] ? -1 : x[1] > y[1];
}

/* Tensors with a source, by their first node. NULL: out of memory. */
static size_t *starts_of(const struct memory *m, size_t *n)
{
    size_t *pair = arena_array(m->r->a, m->g->n_tensors + 1, 2 * sizeof *pair), from, to;

    *n = 0;
    for (size_t i = 0; pair && i < m->g->n_tensors; i++) {
        mem_alive(&m->g->tensor[i], m->g->n_nodes, &from, &to);
        if (from < to && m->source[i].node != MEM_NO_NODE) {
            pair[2 * *n] = from;
            pair[2 * (*n)++ + 1] = i;
        }
    }
    if (pair)
        qsort(pair, *n, 2 * sizeof *pair, by_start);
    return pair;
}

/* Goes from the tensors of the node before to those of this one. */
static void step_to(const struct memory *m, struct alive *a, size_t node)
{
    size_t kept = 0, from, to;

    for (size_t i = 0; i < a->n; i++) {
        mem_alive(&m->g->tensor[a->at[i]], m->g->n_nodes, &from, &to);
        if (node < to)
            a->at[kept++] = a->at[i];
    }
    a->n = kept;
    for (; a->next < a->n_starts && a->by_start[2 * a->next] == node; a->next++) {
        size_t at = a->by_start[2 * a->next + 1], i = a->n++;
        for (; i > 0 && a->at[i - 1] > at; i--)
            a->at[i] = a->at[i - 1];
        a->at[i] = at;
    }
}

static int put_breakdowns(struct memory *m, struct err *e)
{
    size_t n = m->r->rules->mem_first_node && m->g->n_nodes ? 1 : m->g->n_nodes;
    struct alive a = { .at = arena_array(m->r->a, m->g->n_tensors + 1, sizeof *a.at) };

    a.by_start = starts_of(m, &a.n_starts);
    if (!a.at || !a.by_start)
        return err_nomem(e);
    emit_c(m->o, '[');
    for (size_t node = 0; node < n; node++) {
        if (sink_cancelled(m->r->notes))
            return err_set(e, ERR_CANCELLED, "interrupted");
        step_to(m, &a, node);
        emit_s(m->o, node ? ", [" : "[");
        for (size_t i = 0; i < a.n; i++) {
            emit_s(m->o, i ? ", " : "");
            put_tensor(m, a.at[i]);
        }
        emit_c(m->o, ']');
    }
    emit_c(m->o, ']');
    return OK;
}

/* ---- graphs ---- */

/* Id of the last node that has the op's short name. */
static void put_point(const struct memory *m, const char *key, struct str full)
{
    emit_s(m->o, key);
    for (size_t i = m->g->n_nodes; full.n && i-- > 0;)
        if (str_eq(m->g->node[i].name, mindspore_short(full))) {
            emit_u(m->o, m->g->node[i].id);
            return;
        }
    emit_s(m->o, "null");
}

static int put_graph(struct memory *m, struct err *e)
{
    const struct mem_graph *g = m->g;
    size_t step = m->r->rules->mem_first_node && g->n_nodes > MAX_NODES ? g->n_nodes / MAX_NODES : 1;
    struct emit *o = m->o;

    m->source = mem_sources(m->r->a, g);
    if (!m->source)
        return err_nomem(e);
    emit_fmt(o, "\"%i\": {\"graph_id\": %i, \"static_mem\": ", g->id, g->id);
    put_gb(o, g->static_b);
    emit_s(o, ", \"nodes\": [");
    for (size_t i = 0; i < g->n_nodes; i += step) {
        emit_s(o, i ? ", " : "");
        if (put_node(m, i, e))
            return e->code;
    }
    put_point(m, "], \"fp_start\": ", m->r->steps.fp_start);
    /* as in step_trace_point_info: an inference graph has no backward op, though a mark was placed */
    put_point(m, ", \"bp_end\": ", m->r->steps.training ? m->r->steps.bp_end : STR(""));
    emit_s(o, ", \"lines\": [");
    for (size_t i = 0; i < g->n_nodes; i += step) {
        emit_s(o, i ? ", " : "");
        put_gb(o, m->line[i]);
    }
    emit_s(o, "], \"breakdowns\": ");
    if (put_breakdowns(m, e))
        return e->code;
    emit_c(o, '}');
    return OK;
}

static int by_graph(const void *a, const void *b)
{
    const struct mem_place *x = a, *y = b;

    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/*
 * What is written for each graph: the last graph with the same id for the first one of them. NULL: nothing,
 * or out of memory.
 */
static const struct mem_graph **places_of(struct mindspore_run *r, const struct memory_plan *all)
{
    const struct mem_graph **to = arena_array(r->a, all->n_graphs + 1, sizeof *to);
    struct mem_place *p = arena_array(r->a, all->n_graphs + 1, sizeof *p);
    size_t n = 0;

    if (!to || !p)
        return NULL;
    for (size_t i = 0; i < all->n_graphs; i++)
        if (all->graph[i].n_tensors)
            p[n++] = (struct mem_place){ (uint64_t)all->graph[i].id, i };
    qsort(p, n, sizeof *p, by_graph);
    for (size_t i = 0, first = 0; i < n; i++) {
        if (p[i].id != p[first].id)
            first = i;
        to[p[first].at] = &all->graph[p[i].at];
    }
    return to;
}

static int write_details(struct memory *m, const struct memory_plan *all, int64_t *const *lines,
                         struct err *e)
{
    const struct mem_graph **place = places_of(m->r, all);
    bool first = true;

    if (!place)
        return err_nomem(e);
    if (mindspore_open(m->r, &m->o, DETAILS, ".json", e))
        return e->code;
    emit_c(m->o, '{');
    for (size_t i = 0; i < all->n_graphs && e->code == OK; i++) {
        m->g = place[i];
        if (!m->g)
            continue;
        m->line = lines[m->g - all->graph];
        emit_s(m->o, first ? "" : ", ");
        first = false;
        if (put_graph(m, e))
            break;
    }
    emit_c(m->o, '}');
    return mindspore_close(m->r, m->o, e);
}

static int write_summary(struct memory *m, const struct memory_plan *all, int64_t *const *lines,
                         struct err *e)
{
    int64_t peak = 0, fixed = 0;
    uint64_t tensors = 0;

    for (size_t i = 0; i < all->n_graphs; i++) {
        const struct mem_graph *g = &all->graph[i];
        if (!g->n_tensors)
            continue;
        tensors += g->n_tensors;
        fixed += g->static_b;
        for (size_t k = 0; k < g->n_nodes; k++)
            peak = lines[i][k] > peak ? lines[i][k] : peak;
    }
    if (mindspore_open(m->r, &m->o, SUMMARY, ".json", e))
        return e->code;
    emit_s(m->o, "{\"capacity\": ");
    emit_repr(m->o, (double)all->total_b / GB);
    emit_fmt(m->o, ", \"allocations\": %U, \"deallocations\": %U, \"peak_mem\": ", tensors, tensors);
    put_gb(m->o, peak);
    emit_s(m->o, ", \"static_mem\": ");
    put_gb(m->o, fixed);
    emit_c(m->o, '}');
    return mindspore_close(m->r, m->o, e);
}

static int write_both(struct memory *m, const struct memory_plan *all, struct err *e)
{
    int64_t **lines = arena_array(m->r->a, all->n_graphs + 1, sizeof *lines);

    if (!lines)
        return err_nomem(e);
    for (size_t i = 0; i < all->n_graphs; i++)
        if (!(lines[i] = mem_lines(m->r->a, &all->graph[i])))
            return err_nomem(e);
    if (index_ops(m, e) || write_summary(m, all, lines, e))
        return e->code;
    return write_details(m, all, lines, e);
}

int mindspore_memory(struct mindspore_run *r, struct err *e)
{
    const struct source_file *f = mindspore_file(r, "g1_memory_pb", NULL);
    struct memory m = { .r = r };
    struct memory_plan all;
    struct parse_ctx c;
    const char *why = "memory_usage pb is missing";
    char text[300];

    if (f) {
        c = mindspore_ctx(r, f);
        if (memory_plan_read(&c, &all, e) == OK) {
            buf_init(&m.text, LIM_PB_B);
            write_both(&m, &all, e);
            buf_done(&m.text);
            intern_free(m.names);
            return e->code;
        }
        why = err_message(e, text, sizeof text);
    }
    mindspore_no_data(r, SUMMARY, ".json", why);
    mindspore_no_data(r, DETAILS, ".json", why);
    return e->code;
}
