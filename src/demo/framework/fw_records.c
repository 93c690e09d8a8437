/* SPDX-License-Identifier: Apache-2.0 */
/* The list of a step's records, and its launches. */
#include "config.h"

#include <stdlib.h>

#include "demo/framework/fw.h"

struct fw_record *fw_add(struct fw *f, enum fw_file file, int64_t at_ns)
{
    if (f->n == f->cap) {
        uint32_t cap = f->cap ? f->cap * 2 : 4096;
        struct fw_record *v = realloc(f->v, cap * sizeof *v);
        if (!v) {
            f->failed = true;
            return &f->spare;
        }
        f->v = v;
        f->cap = cap;
    }
    f->v[f->n] = (struct fw_record){ .at_ns = at_ns, .seq = f->n, .file = file };
    return &f->v[f->n++];
}

struct fw_range *fw_add_range(struct fw *f, enum fw_kind kind, uint32_t thread, int64_t start_ns,
                              int64_t end_ns, const char *name)
{
    struct fw_range *r = &fw_add(f, FW_RANGES, end_ns)->range;
    *r = (struct fw_range){ .kind = kind,
                            .thread = thread,
                            .start_ns = start_ns,
                            .end_ns = end_ns,
                            .sequence = -1,
                            .flow = FW_NO_FLOW,
                            .name = name,
                            .number = f->g->walk.step.number };
    return r;
}

static int launch_cmp(const void *a, const void *b)
{
    const struct fw_launch *x = a, *y = b;
    return x->start_ns < y->start_ns ? -1 : x->start_ns > y->start_ns;
}

uint32_t fw_launches(const struct demo_step *s, struct fw_launch *v)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->nkernel; i++)
        v[n++] =
            (struct fw_launch){ &s->kernel[i], NULL, s->kernel[i].launch_ns, s->kernel[i].launch_dur_ns };
    for (uint32_t i = 0; i < s->ncomm; i++)
        v[n++] = (struct fw_launch){ NULL, &s->comm[i], s->comm[i].launch_ns, s->comm[i].launch_dur_ns };
    qsort(v, n, sizeof *v, launch_cmp);
    return n;
}

struct fw_linked fw_linked_of(const struct demo_run *run, const struct fw_launch *l)
{
    struct demo_copy copy;
    if (l->kernel) {
        const struct demo_op *op = &run->net->op[l->kernel->op];
        return (struct fw_linked){ .at = { l->kernel->start_ns, l->kernel->dur_ns },
                                   .stream = op->stream,
                                   .is_ai_core = demo_op_type(op)->core == DEMO_AIC };
    }
    if (demo_first_copy(l->comm, &copy))
        return (struct fw_linked){ .at = copy.at, .stream = copy.stream };
    return (struct fw_linked){ .at = { l->comm->start_ns, l->comm->dur_ns }, .is_comm = true };
}
