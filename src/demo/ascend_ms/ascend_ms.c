/* SPDX-License-Identifier: Apache-2.0 */
/* MindSpore 2.x and torch_npu: one `<worker>_<pid>_<time>_ascend_ms` or `_ascend_pt` folder per rank. */
#include "config.h"

#include "demo/demo_write.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/path.h"
#include "demo/ascend_pt/pt.h"

#define STAMP "20260314011231" /* of the export */

static int folders(struct ascend *g, const char *dir, struct err *e)
{
    char name[96], letters[17], stamp[16];
    for (int i = 0; i < 16; i++)
        letters[i] = (char)('A' + demo_hash(g->run, 1, (uint64_t)g->rank, (uint64_t)i, 77) % 18);
    letters[16] = '\0';
    demo_stamp(g->run, stamp);
    ascend_folder(g->run, g->rank, name, sizeof name);
    if (!path_join(g->top, sizeof g->top, dir, name) ||
        !path_join(g->out, sizeof g->out, g->top, "ASCEND_PROFILER_OUTPUT"))
        goto toolong;
    snprintf(name, sizeof name, "PROF_000001_%s%03d_%s", stamp, 123 + g->rank % 800, letters);
    if (!path_join(g->prof, sizeof g->prof, g->top, name) ||
        !path_join(g->mso, sizeof g->mso, g->prof, "mindstudio_profiler_output"))
        goto toolong;
    return OK;
toolong:
    return err_set(e, ERR_USAGE, "the path of the output directory is too long");
}

int ascend_init(struct ascend *g, const struct demo_run *run, int rank, const char *dir, struct err *e)
{
    g->run = run;
    g->rank = rank;
    g->device = rank % run->node_ranks;
    g->pid = ascend_pid(run, rank);
    g->tid_main = g->pid;
    g->tid = demo_is_torch(run) ? g->pid + 5 : g->pid;
    g->tid_data = g->pid + 2;
    g->tid_run = g->pid + 3;
    g->tid_back = g->pid + 9;
    str_copy(STR(STAMP), g->stamp, sizeof g->stamp);
    return folders(g, dir, e);
}

static int write_mindspore(struct ascend *g, struct err *e)
{
    if (ascend_fusion(g, e) || ascend_steps(g, e) || ascend_details(g, e) || ascend_pools(g, e))
        return e->code;
    return ascend_data(g, e);
}

static int write_torch(struct ascend *g, struct err *e)
{
    if (pt_steps(g, e) || pt_details(g, e))
        return e->code;
    return pt_memory(g, e);
}

int ascend_write(const struct demo_run *run, int rank, const char *dir, struct demo_rank_sum *sum,
                 struct emit_count *count, struct err *e)
{
    struct ascend *g = calloc(1, sizeof *g);
    if (!g)
        return err_nomem(e);
    g->sum = sum;
    if (ascend_init(g, run, rank, dir, e) || emit_mkdirs(g->out, e) || emit_mkdirs(g->mso, e) ||
        demo_walk_init(&g->walk, run, rank, e))
        goto out;
    if (ascend_kernels(g, e) || ascend_tasks(g, e) || ascend_iterations(g, e) || ascend_trace(g, e) ||
        ascend_comm(g, e) || ascend_host(g, e) || ascend_memory(g, e) || ascend_info(g, e) ||
        (demo_is_torch(run) ? write_torch(g, e) : write_mindspore(g, e)))
        goto out;
    count->files += g->count.files;
    count->bytes += g->count.bytes;
out:
    demo_walk_done(&g->walk);
    free(g);
    return e->code;
}
