/* SPDX-License-Identifier: Apache-2.0 */
/* Planned memory, a protobuf message: any bytes. What is said of a graph holds together. */
#include "config.h"

#include "parsers/mindspore/memory_plan.h"
#include "tests/fuzz/raw/fuzz_raw.h"

static void check_graph(struct arena *a, const struct mem_graph *g)
{
    const int64_t *line = mem_lines(a, g);
    const struct mem_source *source = mem_sources(a, g);
    uint64_t made;
    int64_t bytes;

    for (size_t i = 0; i < g->n_tensors; i++) {
        FUZZ_CHECK(mem_find(g, g->tensor[i].id) == &g->tensor[i]);
        FUZZ_CHECK(g->tensor[i].size_b <= MEM_SIZE_MAX);
        FUZZ_CHECK(!source || source[i].node == MEM_NO_NODE || source[i].node < g->n_nodes);
        fuzz_sum(g->tensor[i].type);
        fuzz_sum(g->tensor[i].life_word);
    }
    for (size_t i = 0; i < g->n_nodes; i++) {
        FUZZ_CHECK(!line || line[i] >= g->static_b);
        fuzz_sum(g->node[i].name);
        if (mem_made(g, &g->node[i], &made, &bytes))
            FUZZ_CHECK(made <= g->node[i].outputs.n + g->node[i].workspace.n && bytes >= 0);
    }
    fuzz_sum(g->fp_start);
    fuzz_sum(g->bp_end);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory_plan m;
    struct fuzz_raw r;

    fuzz_raw_open(&r, data, size);
    if (memory_plan_read(&r.c, &m, &r.e) == OK)
        for (size_t i = 0; i < m.n_graphs; i++)
            check_graph(r.tmp, &m.graph[i]);
    else
        FUZZ_CHECK(r.e.code == ERR_FORMAT || r.e.code == ERR_NOMEM || r.packed);
    fuzz_raw_close(&r);
    return 0;
}
