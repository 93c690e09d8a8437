/* SPDX-License-Identifier: Apache-2.0 */
/* MindSpore 1.x: the flat files of all ranks in one folder, profiler/. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/path.h"
#include "demo/demo_write.h"
#include "demo/mindspore/analysed.h"

int analysed_write(const struct demo_run *run, int rank, const char *dir, struct demo_rank_sum *sum,
                   struct emit_count *count, struct err *e)
{
    struct analysed g = { .run = run, .rank = rank, .device = rank, .sum = sum };
    uint32_t n = run->net->nop;
    if (!path_join(g.dir, sizeof g.dir, dir, "profiler"))
        return err_set(e, ERR_USAGE, "the path of the output directory is too long");
    g.total_ms = calloc(n, sizeof *g.total_ms);
    g.calls = calloc(n, sizeof *g.calls);
    g.order = calloc(n, sizeof *g.order);
    if (!g.total_ms || !g.calls || !g.order) {
        err_nomem(e);
        goto out;
    }
    if (emit_mkdirs(g.dir, e) || analysed_graph_new(&g.graph, run->net, e) ||
        demo_walk_init(&g.walk, run, rank, e))
        goto out;
    if (analysed_ops(&g, e) || analysed_steps(&g, e) || analysed_hccl(&g, e) || analysed_flops(&g, e) ||
        analysed_timeline(&g, e) || analysed_memory(&g, e) || analysed_data(&g, e) || analysed_host(&g, e))
        goto out;
    count->files += g.count.files;
    count->bytes += g.count.bytes;
out:
    demo_walk_done(&g.walk);
    analysed_graph_done(&g.graph);
    free(g.total_ms);
    free(g.calls);
    free(g.order);
    return e->code;
}
