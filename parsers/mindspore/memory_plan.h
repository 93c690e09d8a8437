/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of graphs as the compiler of MindSpore 1.x planned it: memory_usage_N.pb
 * (doc/formats/mindspore1.md#memory_usage).
 *
 * A node is an execution of an op; a tensor lives from one node to another. Everything lives in the arena of
 * the context.
 */
#ifndef NPUSCOPE_PARSERS_MINDSPORE_MEMORY_PLAN_H
#define NPUSCOPE_PARSERS_MINDSPORE_MEMORY_PLAN_H

#include "parsers/registry.h"

#define MEM_SIZE_MAX (UINT64_C(1) << 40) /* of a tensor: far more than a device has */

enum mem_life { MEM_LIFE_NONE, MEM_LIFE_ALL, MEM_LIFE_START, MEM_LIFE_END };
struct mem_tensor {
    uint64_t id, size_b, start, end; /* first and last node it lives at, as the file has them */
    struct str type, life_word;      /* "LifeLongGraphAll" ... */
    enum mem_life life;
};
struct mem_ids {
    const uint64_t *v;
    size_t n;
};
struct mem_place {
    uint64_t id;
    size_t at;
};
struct mem_node {
    struct str name; /* last part of the op's full name */
    uint64_t id;
    struct mem_ids inputs, outputs, workspace; /* tensors */
};
struct mem_graph {
    int64_t id, static_b;
    const struct mem_node *node;
    size_t n_nodes;
    const struct mem_tensor *tensor; /* each id once: the last one's values at the first one's position */
    size_t n_tensors;
    const struct mem_place *by_id; /* of tensors, sorted */
    struct str fp_start, bp_end;
};
struct memory_plan {
    const struct mem_graph *graph;
    size_t n_graphs;
    uint64_t total_b;
};

/*
 * Read the file of c. Damage is a note; graphs, nodes and tensors that are whole are kept (a graph that is
 * cut with those before the cut). A size above MEM_SIZE_MAX is none: 0, with a note. Errors: ERR_IO,
 * ERR_NOMEM, ERR_LIMIT (file above LIM_PB_B), ERR_FORMAT (nothing could be read).
 */
NODISCARD int memory_plan_read(struct parse_ctx *c, struct memory_plan *out, struct err *e);

/*
 * Nodes at which a tensor takes memory (doc/formats/mindspore1.md#memory_usage_summary): [*from, *to), empty
 * when from >= to.
 */
void mem_alive(const struct mem_tensor *t, size_t n_nodes, size_t *from, size_t *to);
/* Bytes in use at each node of a graph, static ones included; in the arena. NULL: out of memory. */
int64_t *mem_lines(struct arena *a, const struct mem_graph *g);
/* Tensor of an id. NULL: none. */
const struct mem_tensor *mem_find(const struct mem_graph *g, uint64_t id);
/*
 * Where each tensor of a graph comes from: the last node that has it among its outputs. In the arena. NULL:
 * out of memory.
 */
#define MEM_NO_NODE SIZE_MAX
struct mem_source {
    size_t node, output;
};
const struct mem_source *mem_sources(struct arena *a, const struct mem_graph *g);
/* What a node makes: the tensors it gives and those it works with, each once. false: out of memory. */
NODISCARD bool mem_made(const struct mem_graph *g, const struct mem_node *n, uint64_t *made, int64_t *bytes);

#endif
