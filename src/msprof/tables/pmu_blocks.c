/* SPDX-License-Identifier: Apache-2.0 */
/*
 * As get_block_num_from_ge() and _get_current_block() of msprof's analysis/mscalculate/aic/pmu_calculator.py:
 * ops wait in a queue for each stream and task id, and each record of counters takes the next one; the last
 * one stays. Ops outside of graphs that were issued before the collection are not in it.
 */
#include "config.h"

#include "msprof/tables/pmu_blocks.h"

#include <stdlib.h>

#include "msprof/clock.h"

struct waiting { /* an op, or a task with counters */
    uint64_t key;
    bool in_graph;
    uint64_t at;
    uint32_t index; /* blocks of the op; index of the task */
};

static int by_turn(const void *a, const void *b)
{
    const struct waiting *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->in_graph != y->in_graph)
        return x->in_graph ? 1 : -1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static uint64_t key_of(uint32_t stream, uint32_t task)
{
    return (uint64_t)stream << 32 | task;
}

static bool runs_on_a_core(const struct msprof_run *r, const struct prof_op *op)
{
    static const char *const words[] = { "AI_CORE", "AI_VECTOR_CORE", "COMMUNICATION", "MIX_AIC", "MIX_AIV" };
    struct str core = op->core == PROF_NONE ? STR("") : prof_str(r->m.p, op->core);

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_eq(core, str_of(words[i])))
            return true;
    return false;
}

static size_t queue_ops(const struct msprof_run *r, size_t dev, struct waiting *v)
{
    const struct prof_host *h = &r->m.host;
    size_t n = 0;

    for (size_t i = 0; i < h->n_tasks; i++) {
        const struct prof_host_task *y = &h->task[i];
        bool in_graph = y->model != PROF_NO_MODEL;
        if (y->device != r->m.dev[dev].f->device || y->op == PROF_NONE || !runs_on_a_core(r, &h->op[y->op]) ||
            (!in_graph &&
             msprof_counted_ns(r->m.p->host, y->stamp, r->fast_host) < prof_begin_ns(r->m.p->host)))
            continue;
        v[n++] = (struct waiting){ key_of(y->stream, y->task), in_graph, y->stamp, h->op[y->op].block };
    }
    qsort(v, n, sizeof *v, by_turn);
    return n;
}

static size_t queue_tasks(const struct prof_device *d, struct waiting *v)
{
    size_t n = 0;

    for (size_t i = 0; i < d->n_tasks; i++)
        if (d->task[i].counter != PROF_NONE)
            v[n++] = (struct waiting){ key_of(d->task[i].stream, d->task[i].task), false, d->task[i].counter,
                                       (uint32_t)i };
    qsort(v, n, sizeof *v, by_turn);
    return n;
}

uint32_t *msprof_pmu_blocks(const struct msprof_run *r, size_t dev, struct err *e)
{
    const struct prof_device *d = &r->m.dev[dev];
    struct waiting *op = calloc(r->m.host.n_tasks + 1, sizeof *op),
                   *task = calloc(d->n_tasks + 1, sizeof *task);
    uint32_t *blocks = calloc(d->n_tasks + 1, sizeof *blocks);

    if (!op || !task || !blocks) {
        (void)err_nomem(e);
        free(blocks);
        blocks = NULL;
    } else {
        size_t n_ops = queue_ops(r, dev, op), n = queue_tasks(d, task), k = 0;
        for (size_t i = 0; i < n; i++) {
            while (k < n_ops && op[k].key < task[i].key)
                k++;
            if (k == n_ops || op[k].key != task[i].key)
                continue;
            blocks[task[i].index] = op[k].index;
            k += k + 1 < n_ops && op[k + 1].key == op[k].key;
        }
    }
    free(op);
    free(task);
    return blocks;
}
