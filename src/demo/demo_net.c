/* SPDX-License-Identifier: Apache-2.0 */
/* The networks of demo: made and freed. Their parts: demo_build.c. */
#include "config.h"

#include "demo/demo_build.h"
#include "demo/demo_net.h"
#include <stdlib.h>
#include <string.h>

#define NET_MEM_MAX ((size_t)1 << 30)

uint32_t demo_net_depth(enum demo_model model)
{
    return model == DEMO_RESNET ? 16 : 12;
}

static void finish(struct demo_net *n)
{
    for (uint32_t i = 0; i < n->nop; i++)
        if (n->op[i].freed_by >= n->nop)
            n->op[i].freed_by = n->nop - 1;
    for (uint32_t i = 0; i < n->ncomm; i++)
        if (n->comm[i].before > n->nop)
            n->comm[i].before = n->nop;
}

int demo_net_new(struct demo_net **out, enum demo_model model, uint32_t depth, int ranks, int tp,
                 struct err *e)
{
    *out = NULL;
    struct demo_net *n = calloc(1, sizeof *n);
    if (!n)
        return err_nomem(e);
    if (arena_new(&n->mem, NET_MEM_MAX, e)) {
        free(n);
        return e->code;
    }
    n->next_id = 1;
    struct build b = { .net = n, .depth = depth, .tp = tp };
    if (model == DEMO_RESNET)
        build_resnet(&b, ranks > 1);
    else
        build_gpt(&b, ranks / tp > 1);
    if (b.failed) {
        demo_net_free(n);
        return err_nomem(e);
    }
    finish(n);
    *out = n;
    return OK;
}

void demo_net_free(struct demo_net *n)
{
    if (!n)
        return;
    arena_free(n->mem);
    free(n->op);
    free(n->comm);
    free(n);
}
