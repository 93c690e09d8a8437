/* SPDX-License-Identifier: Apache-2.0 */
/* Which task an AI CPU's op belongs to (doc/formats/msprof.md#small-tables). */
#include "config.h"

#include <stdlib.h>

#include "parsers/prof/device/aicpu.h"

/* An op or a task: what it is sorted by, and which one it is. */
struct key {
    uint64_t start;
    uint32_t stream, task, i;
};

static int same_task(const struct key *a, const struct key *b)
{
    if (a->stream != b->stream)
        return a->stream < b->stream ? -1 : 1;
    return a->task < b->task ? -1 : a->task > b->task;
}

static int by_key(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    int c = same_task(x, y);

    if (c)
        return c;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->i < y->i ? -1 : x->i > y->i;
}

static bool is_aicpu(const struct prof_task *t, const struct prof_host *h, uint32_t type)
{
    return t->host < h->n_tasks && h->task[t->host].type == type;
}

static size_t keys_of_tasks(const struct prof_device *d, const struct prof_host *h, uint32_t type,
                            struct key *out)
{
    size_t n = 0;

    for (size_t i = 0; i < d->n_tasks; i++) {
        const struct prof_task *t = &d->task[i];
        if (!is_aicpu(t, h, type))
            continue;
        if (out)
            out[n] = (struct key){ t->start, t->stream, t->task, (uint32_t)i };
        n++;
    }
    return n;
}

static int by_task(const void *a, const void *b)
{
    const struct key *x = a, *y = b;

    return x->task < y->task ? -1 : x->task > y->task;
}

int prof_aicpu_streams(struct prof_aicpu *a, const struct prof *p, const struct prof_device *d, struct err *e)
{
    if (!p->chip->v6 || !a->n_nodes)
        return OK;
    struct key *v = spool_array(a->spool, d->n_tasks + 1, sizeof *v);
    if (!v)
        return err_nomem(e);
    for (size_t i = 0; i < d->n_tasks; i++)
        v[i] = (struct key){ .stream = d->task[i].stream, .task = d->task[i].task };
    qsort(v, d->n_tasks, sizeof *v, by_task);
    for (size_t i = 0; i < a->n_nodes; i++) {
        const struct key want = { .task = a->node[i].task };
        const struct key *k = bsearch(&want, v, d->n_tasks, sizeof want, by_task);
        a->node[i].stream = k ? k->stream : UINT16_MAX;
    }
    spool_free(a->spool, v);
    return OK;
}

/* Both are in order: an op that ends before the task has none, one that ends after it may be of the next. */
static void walk(const struct prof_aicpu *a, const struct prof_device *d, const struct key *node,
                 const struct key *task, size_t n_tasks, uint32_t *out)
{
    size_t k = 0;

    for (size_t i = 0; i < a->n_nodes && k < n_tasks;) {
        int c = same_task(&node[i], &task[k]);
        const struct prof_task *t = &d->task[task[k].i];
        uint64_t end = a->node[node[i].i].end;
        if (c < 0 || (!c && end < t->start)) {
            i++;
        } else if (c > 0 || end > t->end) {
            k++;
        } else {
            out[node[i].i] = task[k].i;
            i++;
        }
    }
}

int prof_aicpu_tasks(const struct prof_aicpu *a, struct prof *p, const struct prof_device *d,
                     const struct prof_host *h, uint32_t **out, struct err *e)
{
    uint32_t type = prof_text(p, STR("KERNEL_AICPU"));
    size_t n_tasks = keys_of_tasks(d, h, type, NULL);
    struct key *node = spool_array(a->spool, a->n_nodes + 1, sizeof *node),
               *task = spool_array(a->spool, n_tasks + 1, sizeof *task);
    uint32_t *v = calloc(a->n_nodes + 1, sizeof *v);

    *out = NULL;
    if (node && task && v && type != PROF_NONE) {
        for (size_t i = 0; i < a->n_nodes; i++) {
            const struct prof_aicpu_node *x = &a->node[i];
            node[i] = (struct key){ x->start, x->stream, x->task, (uint32_t)i };
            v[i] = PROF_NONE;
        }
        (void)keys_of_tasks(d, h, type, task);
        qsort(node, a->n_nodes, sizeof *node, by_key);
        qsort(task, n_tasks, sizeof *task, by_key);
        walk(a, d, node, task, n_tasks, v);
        *out = v;
    } else {
        (void)err_nomem(e);
        free(v);
    }
    spool_free(a->spool, node);
    spool_free(a->spool, task);
    return e->code;
}

uint32_t prof_aicpu_op_name(const struct prof *p, const struct prof_device *d, const struct prof_host *h,
                            uint32_t task)
{
    uint32_t host = task < d->n_tasks ? d->task[task].host : PROF_NONE,
             op = host < h->n_tasks ? h->task[host].op : PROF_NONE;

    if (op >= h->n_ops || !str_eq(prof_str(p, h->op[op].core), STR("AI_CPU")))
        return PROF_NONE;
    return h->op[op].name;
}
