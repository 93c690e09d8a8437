/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MindSpore 1.x: the data pipeline's files (doc/formats/mindspore1.md#minddata_aicpu; demo/demo_data.h).
 */
#include "config.h"

#include "demo/demo_data.h"
#include "demo/mindspore/analysed.h"

/* The device's side of the queue: each fetch with the number of batches in the queue. */
static int aicpu(struct analysed *g, const struct demo_pipe *p, struct err *e)
{
    struct emit *o;
    const struct demo_step *s = &g->walk.step;
    if (analysed_open(g, &o, "minddata_aicpu_", ".txt", e))
        return e->code;
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk)) {
        int64_t at = analysed_ticks(g, s->kernel[0].start_ns) / 100;
        emit_fmt(o, "GetNext_dequeue_wait %i %i %d\n", at, at + s->kernel[0].dur_ns / 1000,
                 demo_batch_at(p, s->index + 1).fill);
    }
    return emit_close(o, &g->count, e);
}

int analysed_data_raw(struct analysed *g, struct err *e)
{
    struct demo_pipe p = demo_pipe_of(g->run, g->rank, g->end_ns);
    return demo_pipe_write_raw(&p, g->dir, g->rank, &g->count, e);
}

int analysed_data(struct analysed *g, struct err *e)
{
    struct demo_pipe p = demo_pipe_of(g->run, g->rank, g->end_ns);
    if (analysed_data_raw(g, e) || aicpu(g, &p, e))
        return e->code;
    return demo_pipe_write(&p, g->dir, &g->count, e);
}
