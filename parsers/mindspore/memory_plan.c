/* SPDX-License-Identifier: Apache-2.0 */
/* Planned memory of graphs (doc/formats/mindspore1.md#memory_usage, #memory_usage_summary). */
#include "config.h"

#include "parsers/mindspore/memory_plan.h"

#include <stdlib.h>

#include "base/limits.h"
#include "base/read/infile.h"
#include "base/read/pb.h"
#include "parsers/read/lines.h"

/* clang-format off */
enum memory_field { MEMORY_GRAPH = 1, MEMORY_TOTAL };
enum graph_field { GRAPH_ID = 1, GRAPH_STATIC, GRAPH_NODE, GRAPH_TENSOR, GRAPH_FP, GRAPH_BP };
enum node_field { NODE_NAME = 1, NODE_ID, NODE_INPUTS, NODE_OUTPUTS, NODE_WORKSPACE };
enum tensor_field { TENSOR_ID = 1, TENSOR_SIZE, TENSOR_TYPE, TENSOR_START, TENSOR_END, TENSOR_LIFE };
static const struct { const char *word; enum mem_life life; } lives[] = {
    { "LifeLongGraphAll",   MEM_LIFE_ALL },
    { "LifeLongGraphStart", MEM_LIFE_START },
    { "LifeLongGraphEnd",   MEM_LIFE_END },
    { "LifeLongNone",       MEM_LIFE_NONE },
};
/* clang-format on */

struct reader {
    struct parse_ctx *c;
    uint64_t items, bad_sizes, lost, cut;
    bool noted; /* the damage of the graph read last */
};

/* What is left of a message cannot be read. Once: the end of a file is also that of the graph in it. */
static void note_damage(struct reader *r, const struct pb *m)
{
    struct where w = parse_where(r->c, m->bad_off, 0, 1);

    if (m->bad && !r->noted) {
        sink_note(r->c->out, NOTE_TORN_FILE, &w, "%s; the rest of the message is missing", m->bad);
        r->noted = true;
    }
}

static size_t count_fields(struct pb m, uint32_t number)
{
    struct pb_field f;
    size_t n = 0;

    while (pb_next(&m, &f))
        n += f.number == number;
    return n;
}

static int keep_text(struct reader *r, const struct pb_field *f, struct str *to, struct err *e)
{
    *to = arena_str(r->c->tmp, f->bytes);
    return to->p ? OK : err_nomem(e);
}

/* ---- tensors ---- */

static enum mem_life life_of(struct str word)
{
    for (size_t i = 0; i < ARRAY_LEN(lives); i++)
        if (str_eq(word, str_of(lives[i].word)))
            return lives[i].life;
    return MEM_LIFE_NONE;
}

/* false: the message is damaged, the tensor is left out (or e is set). */
static bool read_tensor(struct reader *r, struct pb m, struct mem_tensor *t, struct err *e)
{
    struct pb_field f;

    *t = (struct mem_tensor){ .type = STR(""), .life_word = STR("") };
    while (pb_next(&m, &f)) {
        bool text = f.wire == PB_BYTES;
        if (f.number == TENSOR_ID && !text)
            t->id = f.value;
        else if (f.number == TENSOR_SIZE && !text)
            t->size_b = f.value;
        else if (f.number == TENSOR_START && !text)
            t->start = f.value;
        else if (f.number == TENSOR_END && !text)
            t->end = f.value;
        else if (f.number == TENSOR_TYPE && text && keep_text(r, &f, &t->type, e))
            return false;
        else if (f.number == TENSOR_LIFE && text && keep_text(r, &f, &t->life_word, e))
            return false;
    }
    t->life = life_of(t->life_word);
    if (t->size_b > MEM_SIZE_MAX) {
        t->size_b = 0;
        r->bad_sizes++;
    }
    return !m.bad;
}

static int by_id(const void *a, const void *b)
{
    const struct mem_place *x = a, *y = b;

    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Each id once: the last values, at the first position. */
static int join_tensors(struct reader *r, struct mem_graph *g, struct mem_tensor *t, size_t n, struct err *e)
{
    struct mem_place *p = arena_array(r->c->tmp, n + 1, sizeof *p);
    bool *again = arena_array(r->c->tmp, n + 1, sizeof *again);
    size_t kept = 0;

    if (!p || !again)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++)
        p[i] = (struct mem_place){ t[i].id, i };
    qsort(p, n, sizeof *p, by_id);
    for (size_t i = 0, first = 0; i < n; i++) {
        if (p[i].id != p[first].id)
            first = i;
        if (i == first)
            continue;
        t[p[first].at] = t[p[i].at];
        again[p[i].at] = true;
    }
    for (size_t i = 0; i < n; i++)
        if (!again[i])
            t[kept++] = t[i];
    for (size_t i = 0; i < kept; i++)
        p[i] = (struct mem_place){ t[i].id, i };
    qsort(p, kept, sizeof *p, by_id);
    g->tensor = t;
    g->n_tensors = kept;
    g->by_id = p;
    return OK;
}

const struct mem_tensor *mem_find(const struct mem_graph *g, uint64_t id)
{
    size_t lo = 0, hi = g->n_tensors;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (g->by_id[mid].id < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < g->n_tensors && g->by_id[lo].id == id ? &g->tensor[g->by_id[lo].at] : NULL;
}

/* ---- nodes ---- */

/* All ids of a field: packed, or one by one. */
static int read_ids(struct reader *r, struct pb m, uint32_t number, struct mem_ids *ids, struct err *e)
{
    struct pb again = m;
    struct pb_field f;
    uint64_t *v, x;
    size_t n = 0;

    while (pb_next(&m, &f))
        if (f.number == number)
            n += f.wire == PB_BYTES ? f.bytes.n : 1; /* a number is a byte at least */
    v = arena_array(r->c->tmp, n + 1, sizeof *v);
    if (!v)
        return err_nomem(e);
    n = 0;
    while (pb_next(&again, &f)) {
        if (f.number != number)
            continue;
        if (f.wire != PB_BYTES)
            v[n++] = f.value;
        for (struct pb list = pb_sub(&f); f.wire == PB_BYTES && pb_varint(&list, &x);)
            v[n++] = x;
    }
    *ids = (struct mem_ids){ v, n };
    return OK;
}

static bool read_node(struct reader *r, struct pb m, struct mem_node *n, struct err *e)
{
    struct pb all = m;
    struct pb_field f;

    *n = (struct mem_node){ .name = STR("") };
    while (pb_next(&m, &f))
        if (f.number == NODE_NAME && f.wire == PB_BYTES) {
            if (keep_text(r, &f, &n->name, e))
                return false;
        } else if (f.number == NODE_ID && f.wire != PB_BYTES) {
            n->id = f.value;
        }
    if (m.bad)
        return false;
    return read_ids(r, all, NODE_INPUTS, &n->inputs, e) == OK &&
           read_ids(r, all, NODE_OUTPUTS, &n->outputs, e) == OK &&
           read_ids(r, all, NODE_WORKSPACE, &n->workspace, e) == OK;
}

/* ---- graphs ---- */

static int64_t static_size(struct reader *r, uint64_t bits)
{
    int64_t v = (int64_t)bits;

    if (v < 0 || (uint64_t)v > MEM_SIZE_MAX) {
        r->bad_sizes++;
        return 0;
    }
    return v;
}

static int on_graph_field(struct reader *r, struct mem_graph *g, const struct pb_field *f,
                          struct mem_node *node, struct mem_tensor *tensor, struct err *e)
{
    bool text = f->wire == PB_BYTES;

    if (f->number == GRAPH_ID && !text)
        g->id = (int64_t)f->value;
    else if (f->number == GRAPH_STATIC && !text)
        g->static_b = static_size(r, f->value);
    else if (f->number == GRAPH_FP && text)
        return keep_text(r, f, &g->fp_start, e);
    else if (f->number == GRAPH_BP && text)
        return keep_text(r, f, &g->bp_end, e);
    if (!text || (f->number != GRAPH_NODE && f->number != GRAPH_TENSOR))
        return OK;
    bool is_node = f->number == GRAPH_NODE;
    if (f->cut)
        r->cut++; /* noted with the graph's end */
    else if (is_node ? read_node(r, pb_sub(f), &node[g->n_nodes], e)
                     : read_tensor(r, pb_sub(f), &tensor[g->n_tensors], e))
        *(is_node ? &g->n_nodes : &g->n_tensors) += 1;
    else
        r->lost++;
    return e->code;
}

static int read_graph(struct reader *r, struct pb m, struct mem_graph *g, struct err *e)
{
    struct mem_node *node = arena_array(r->c->tmp, count_fields(m, GRAPH_NODE) + 1, sizeof *node);
    struct mem_tensor *tensor = arena_array(r->c->tmp, count_fields(m, GRAPH_TENSOR) + 1, sizeof *tensor);
    struct pb_field f;

    *g = (struct mem_graph){ .fp_start = STR(""), .bp_end = STR("") };
    r->noted = false;
    if (!node || !tensor)
        return err_nomem(e);
    while (pb_next(&m, &f)) {
        if (++r->items % 65536 == 0 && parse_ask(r->c, f.off, e))
            return e->code;
        if (on_graph_field(r, g, &f, node, tensor, e))
            return e->code;
    }
    note_damage(r, &m);
    g->node = node;
    return join_tensors(r, g, tensor, g->n_tensors, e);
}

static int read_all(struct reader *r, struct str text, struct memory_plan *out, struct err *e)
{
    struct pb m = pb_of(text, 0);
    struct mem_graph *g = arena_array(r->c->tmp, count_fields(m, MEMORY_GRAPH) + 1, sizeof *g);
    struct pb_field f;

    if (!g)
        return err_nomem(e);
    out->graph = g;
    while (pb_next(&m, &f)) {
        if (f.number == MEMORY_TOTAL && f.wire != PB_BYTES)
            out->total_b = f.value;
        if (f.number == MEMORY_GRAPH && f.wire == PB_BYTES &&
            read_graph(r, pb_sub(&f), &g[out->n_graphs++], e))
            return e->code;
    }
    if (m.bad && !out->n_graphs && !out->total_b)
        return err_set(e, ERR_FORMAT, "no protobuf message: %s", m.bad);
    note_damage(r, &m);
    return OK;
}

int memory_plan_read(struct parse_ctx *c, struct memory_plan *out, struct err *e)
{
    struct reader r = { .c = c };
    char *text;
    size_t n;

    *out = (struct memory_plan){ .graph = NULL };
    if (infile_read_all(c->f->path, LIM_PB_B, &text, &n, e))
        return e->code;
    if (read_all(&r, (struct str){ text, n }, out, e) == OK) {
        c->lost += r.lost + r.cut;
        parse_note(c, NOTE_BAD_ROW, r.lost, "nodes or tensors that are damaged were left out");
        parse_note(c, NOTE_BAD_VALUE, r.bad_sizes, "sizes that cannot be are taken as 0");
    }
    free(text);
    return e->code;
}

/* ---- memory in use ---- */

void mem_alive(const struct mem_tensor *t, size_t n_nodes, size_t *from, size_t *to)
{
    bool to_end = t->life == MEM_LIFE_ALL || t->life == MEM_LIFE_END;
    bool from_start = t->life == MEM_LIFE_ALL || t->life == MEM_LIFE_START;

    *from = from_start ? 0 : t->start < n_nodes ? (size_t)t->start : n_nodes;
    *to = to_end || t->end >= n_nodes ? n_nodes : (size_t)t->end + 1;
}

int64_t *mem_lines(struct arena *a, const struct mem_graph *g)
{
    int64_t *line = arena_array(a, g->n_nodes + 1, sizeof *line), sum = g->static_b;

    for (size_t i = 0; line && i < g->n_tensors; i++) {
        size_t from, to;
        mem_alive(&g->tensor[i], g->n_nodes, &from, &to);
        if (from >= to)
            continue;
        line[from] += (int64_t)g->tensor[i].size_b;
        line[to] -= (int64_t)g->tensor[i].size_b;
    }
    for (size_t i = 0; line && i < g->n_nodes; i++)
        line[i] = sum += line[i];
    return line;
}

/* ---- what nodes make ---- */

const struct mem_source *mem_sources(struct arena *a, const struct mem_graph *g)
{
    struct mem_source *to = arena_array(a, g->n_tensors + 1, sizeof *to);

    for (size_t i = 0; to && i < g->n_tensors; i++)
        to[i].node = MEM_NO_NODE;
    for (size_t i = 0; to && i < g->n_nodes; i++)
        for (size_t k = 0; k < g->node[i].outputs.n; k++) {
            const struct mem_tensor *t = mem_find(g, g->node[i].outputs.v[k]);
            if (t)
                to[t - g->tensor] = (struct mem_source){ i, k };
        }
    return to;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

bool mem_made(const struct mem_graph *g, const struct mem_node *n, uint64_t *made, int64_t *bytes)
{
    size_t all = n->outputs.n + n->workspace.n;
    uint64_t *id = malloc((all + 1) * sizeof *id);

    *made = 0;
    *bytes = 0;
    if (!id)
        return false;
    for (size_t i = 0; i < all; i++)
        id[i] = i < n->outputs.n ? n->outputs.v[i] : n->workspace.v[i - n->outputs.n];
    qsort(id, all, sizeof *id, by_number);
    for (size_t i = 0; i < all; i++) {
        if (i && id[i] == id[i - 1])
            continue;
        const struct mem_tensor *t = mem_find(g, id[i]);
        *bytes += t ? (int64_t)t->size_b : 0;
        ++*made;
    }
    free(id);
    return true;
}
