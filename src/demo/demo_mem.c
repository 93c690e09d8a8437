/* SPDX-License-Identifier: Apache-2.0 */
/* Device memory of the synthetic run: outputs live from their op to their last reader. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "demo/demo_run.h"

#define LEAK_B ((uint64_t)512 << 10) /* kept per step, for leak finders to detect */
#define GIB    ((uint64_t)1 << 30)

/* From the launch of an op back to its allocation, and from that of its last reader to the release. */
#define HOST_BEFORE_NS 5000
#define HOST_AFTER_NS  4800

uint64_t demo_mem_reserved(uint64_t reserved_b, uint64_t used_b)
{
    return used_b > reserved_b ? (used_b / GIB + 1) * GIB : reserved_b;
}

int demo_mem_init(struct demo_mem *m, const struct demo_run *run, struct err *e)
{
    uint32_t n = run->net->nop + 1;
    memset(m, 0, sizeof *m);
    m->alloc = calloc(n, sizeof *m->alloc);
    m->pool = calloc((size_t)n * 2, sizeof *m->pool);
    if (!m->alloc || !m->pool) {
        demo_mem_done(m);
        return err_nomem(e);
    }
    m->static_b = (run->net->param_b + 511) / 512 * 512;
    m->reserved_b = demo_mem_reserved(0, m->static_b);
    return OK;
}

void demo_mem_done(struct demo_mem *m)
{
    free(m->alloc);
    free(m->pool);
    memset(m, 0, sizeof *m);
}

struct change {
    int64_t ts_ns;
    uint32_t alloc;
    bool is_free;
};

static int change_cmp(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    if (x->ts_ns != y->ts_ns)
        return x->ts_ns < y->ts_ns ? -1 : 1;
    if (x->is_free != y->is_free)
        return x->is_free ? -1 : 1; /* a block is released before the next is allocated */
    return x->alloc < y->alloc ? -1 : x->alloc > y->alloc;
}

/* Of the ops of a step: when the host launches them, and when their outputs are no longer needed. */
struct times {
    int64_t launch_ns, end_ns;
};

static void collect(struct demo_mem *m, const struct demo_walk *w, struct times *t)
{
    const struct demo_step *s = &w->step;
    const struct demo_net *n = w->run->net;
    m->nalloc = 0;
    for (uint32_t i = 0; i < s->nkernel; i++)
        t[s->kernel[i].op] =
            (struct times){ s->kernel[i].launch_ns, s->kernel[i].start_ns + s->kernel[i].dur_ns };
    for (uint32_t i = 0; i < s->nkernel; i++) {
        const struct demo_kernel *k = &s->kernel[i];
        const struct demo_op *o = &n->op[k->op];
        struct times own = t[k->op], last = t[o->freed_by];
        if (o->phase == DEMO_OPT || !o->out_b)
            continue; /* updates in place */
        struct demo_alloc *a = &m->alloc[m->nalloc++];
        int64_t done = (last.end_ns > own.end_ns ? last.end_ns : own.end_ns) + 200;
        *a = (struct demo_alloc){ .op = k->op, .size_b = o->out_b };
        a->alloc_ns = m->host ? own.launch_ns - HOST_BEFORE_NS : k->start_ns - 400;
        a->free_ns = !m->host                         ? done
                     : last.launch_ns > own.launch_ns ? last.launch_ns - HOST_AFTER_NS
                                                      : own.launch_ns - HOST_AFTER_NS;
        a->block_free_ns = m->host ? done : 0;
    }
    m->alloc[m->nalloc++] =
        (struct demo_alloc){ .op = UINT32_MAX,
                             .size_b = LEAK_B,
                             .alloc_ns = m->host ? s->host_end_ns - HOST_BEFORE_NS : s->end_ns + 1000 };
}

int demo_mem_step(struct demo_mem *m, const struct demo_walk *w, struct err *e)
{
    uint32_t n = 0, max = w->run->net->nop + 1;
    struct times *t = calloc(max, sizeof *t);
    struct change *c = calloc((size_t)max * 2, sizeof *c);
    if (!t || !c) {
        free(t);
        free(c);
        return err_nomem(e);
    }
    collect(m, w, t);
    for (uint32_t i = 0; i < m->nalloc; i++) {
        c[n++] = (struct change){ m->alloc[i].alloc_ns, i, false };
        if (m->alloc[i].free_ns)
            c[n++] = (struct change){ m->alloc[i].free_ns, i, true };
    }
    qsort(c, n, sizeof *c, change_cmp);
    uint64_t used = m->static_b + m->leaked_b;
    m->npool = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct demo_alloc *a = &m->alloc[c[i].alloc];
        used = c[i].is_free ? used - a->size_b : used + a->size_b;
        m->reserved_b = demo_mem_reserved(m->reserved_b, used);
        if (c[i].is_free) {
            a->used_at_free_b = used;
            a->reserved_at_free_b = m->reserved_b;
        } else {
            a->used_at_alloc_b = used;
            a->reserved_at_alloc_b = m->reserved_b;
        }
        m->pool[m->npool++] = (struct demo_pool){ c[i].ts_ns, used, m->reserved_b };
    }
    m->leaked_b += LEAK_B;
    free(t);
    free(c);
    return OK;
}
