/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Static graph memory of a run that was not analysed: memory_usage_N.pb
 * (doc/formats/mindspore1.md#memory_usage, #memory_usage_summary). The same tables as
 * parsers/tables/memory_json.c; with every tensor, where that file has those of the first node only. Shapes
 * and full names are not in it (import/derived/mem_names.h).
 */
#include "config.h"

#include "base/buf.h"
#include "base/limits.h"
#include "parsers/mindspore/memory_plan.h"
#include "parsers/parsers.h"
#include "parsers/read/lines.h"

struct graph_rows {
    struct parse_ctx *c;
    const struct mem_graph *g;
    const int64_t *line;
    const struct mem_source *source;
    struct buf name;
    uint64_t bad; /* numbers beyond what a column holds */
};

static struct val count_val(struct graph_rows *r, uint64_t v)
{
    if (v <= INT64_MAX)
        return val_int((int64_t)v);
    r->bad++;
    return val_null();
}

/* The points are full names. */
static const char *mark_of(const struct mem_graph *g, struct str name)
{
    if (g->fp_start.n && str_eq(str_after_last(g->fp_start, '/'), name))
        return "fp";
    return g->bp_end.n && str_eq(str_after_last(g->bp_end, '/'), name) ? "bp" : NULL;
}

static int put_node(struct graph_rows *r, size_t i, struct err *e)
{
    const struct mem_node *n = &r->g->node[i];
    struct val v[N_COLS(mem_node)] = { 0 };
    uint64_t made;
    int64_t bytes;

    if (!mem_made(r->g, n, &made, &bytes))
        return err_nomem(e);
    v[COL(mem_node, rank)] = val_int(r->c->rank);
    v[COL(mem_node, graph_id)] = val_int(r->g->id);
    v[COL(mem_node, node)] = count_val(r, n->id);
    v[COL(mem_node, name_id)] = sink_text(r->c->out, n->name);
    v[COL(mem_node, used_b)] = val_int(r->line[i]);
    v[COL(mem_node, size_b)] = val_int(bytes);
    v[COL(mem_node, allocated_b)] = val_int(r->line[i] - (i ? r->line[i - 1] : r->g->static_b));
    v[COL(mem_node, allocations)] = val_int((int64_t)made);
    v[COL(mem_node, mark)] = val_cstr(mark_of(r->g, n->name));
    v[COL(mem_node, source_id)] = val_int(r->c->f->id);
    return parse_row(r->c, T_mem_node, v, N_COLS(mem_node), e);
}

/* "Conv2D-op10:0", the first output of that op; a tensor that is no op's output has no name. */
static struct val name_of(struct graph_rows *r, const struct mem_source *s)
{
    if (s->node == MEM_NO_NODE)
        return val_null();
    buf_clear(&r->name);
    buf_add(&r->name, r->g->node[s->node].name);
    buf_printf(&r->name, ":%zu", s->output);
    return sink_text(r->c->out, buf_str(&r->name));
}

static int put_tensor(struct graph_rows *r, size_t i, struct err *e)
{
    const struct mem_tensor *t = &r->g->tensor[i];
    const struct mem_source *s = &r->source[i];
    bool from_start = t->life == MEM_LIFE_ALL || t->life == MEM_LIFE_START;
    bool to_end = t->life == MEM_LIFE_ALL || t->life == MEM_LIFE_END;
    struct val v[N_COLS(mem_tensor)] = { 0 };

    v[COL(mem_tensor, rank)] = val_int(r->c->rank);
    v[COL(mem_tensor, graph_id)] = val_int(r->g->id);
    v[COL(mem_tensor, name_id)] = name_of(r, s);
    v[COL(mem_tensor, size_b)] = val_int((int64_t)t->size_b);
    v[COL(mem_tensor, born_node)] = from_start ? val_int(0) : count_val(r, t->start);
    v[COL(mem_tensor, dies_node)] = to_end ? val_null() : count_val(r, t->end);
    v[COL(mem_tensor, kind)] =
        s->node != MEM_NO_NODE ? val_cstr("output") : val_text(t->type.n ? t->type : STR_NULL);
    v[COL(mem_tensor, lifelong)] = val_text(t->life_word.n ? t->life_word : STR_NULL);
    v[COL(mem_tensor, source_id)] = val_int(r->c->f->id);
    return parse_row(r->c, T_mem_tensor, v, N_COLS(mem_tensor), e);
}

static int put_graph(struct graph_rows *r, struct err *e)
{
    const struct mem_graph *g = r->g;

    r->line = mem_lines(r->c->tmp, g);
    r->source = mem_sources(r->c->tmp, g);
    if (!r->line || !r->source)
        return err_nomem(e);
    for (size_t i = 0; i < g->n_nodes; i++)
        if (put_node(r, i, e))
            return e->code;
    for (size_t i = 0; i < g->n_tensors; i++)
        if (put_tensor(r, i, e))
            return e->code;
    return OK;
}

struct sums {
    int64_t peak_b, static_b;
    uint64_t tensors;
};

static void add_graph(struct sums *s, const struct graph_rows *r)
{
    s->tensors += r->g->n_tensors;
    s->static_b += r->g->static_b;
    for (size_t i = 0; i < r->g->n_nodes; i++)
        s->peak_b = r->line[i] > s->peak_b ? r->line[i] : s->peak_b;
}

static int put_total(struct graph_rows *r, const struct sums *s, uint64_t total_b, struct err *e)
{
    struct val v[N_COLS(mem_total)] = { 0 };

    v[COL(mem_total, rank)] = val_int(r->c->rank);
    v[COL(mem_total, capacity_b)] = count_val(r, total_b);
    v[COL(mem_total, peak_b)] = val_int(s->peak_b);
    v[COL(mem_total, static_b)] = val_int(s->static_b);
    v[COL(mem_total, allocations)] = v[COL(mem_total, deallocations)] = val_int((int64_t)s->tensors);
    v[COL(mem_total, source_id)] = val_int(r->c->f->id);
    return parse_row(r->c, T_mem_total, v, N_COLS(mem_total), e);
}

/* Graphs without tensors have no memory of their own (their static part lies in another graph's). */
int parse_memory_pb(struct parse_ctx *c, struct err *e)
{
    struct graph_rows r = { .c = c };
    struct sums s = { 0 };
    struct memory_plan all;

    if (memory_plan_read(c, &all, e))
        return e->code;
    buf_init(&r.name, LIM_NAME_B);
    for (size_t i = 0; i < all.n_graphs && e->code == OK; i++) {
        r.g = &all.graph[i];
        if (r.g->n_tensors && put_graph(&r, e) == OK)
            add_graph(&s, &r);
    }
    if (e->code == OK && (all.n_graphs || all.total_b))
        (void)put_total(&r, &s, all.total_b, e);
    parse_note(c, NOTE_BAD_VALUE, r.bad, "numbers above 63 bits are missing");
    buf_done(&r.name);
    return e->code;
}
