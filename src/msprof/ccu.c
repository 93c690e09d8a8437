/* SPDX-License-Identifier: Apache-2.0 */
/* CCU executions that are shown, and their arguments. */
#include "config.h"

#include "msprof/ccu.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "parsers/prof/words.h"

#define RESERVED 255 /* nothing is reduced */

int msprof_ccu_runs(struct msprof_run *r, size_t device, enum dialect dialect, msprof_ccu_fn *fn, void *arg,
                    struct err *e)
{
    bool compat = r->o->compat;
    const struct prof_ccu_how how = { .by_stream = compat && dialect == DIALECT_CPP, .as_msprof = compat };
    const struct prof_folder *f = r->m.p->device[device];
    struct prof_ccu_run *v = NULL;
    struct prof_ccu_host h = { .v = NULL };
    size_t n = 0;

    if (!r->m.p->chip->v6 || (!prof_has(f, PROF_CCU_MISSION) && !prof_has(f, PROF_CCU_MISSION1)))
        return OK;
    if (prof_ccu_host_read(&h, r->m.p, e) == OK)
        (void)!prof_ccu_runs(r->m.p, f, &r->m.host, &h, &how, &v, &n, e);
    for (size_t i = 0; i < n && !e->code; i++)
        if (v[i].shown || !compat)
            (void)!fn(arg, &v[i], e);
    free(v);
    prof_ccu_host_done(&h);
    return e->code;
}

double msprof_ccu_ns(const struct prof_folder *f, const struct prof_ccu_run *x)
{
    uint64_t hz = f->meta.counter_hz ? f->meta.counter_hz : 1000000000;

    return x->end > x->start ? (double)((long double)(x->end - x->start) * 1e9L / (long double)hz) : 0;
}

const char *msprof_ccu_word(const struct prof_ccu_run *x)
{
    return x->is_wait ? "Wait" : "LoopGroup";
}

/* A word, or the digits of a number that has no word: as text, except in Python. */
static void word_arg(const struct msprof_args *g, const char *key, const struct layout_word *words, uint8_t v,
                     enum msprof_ccu_form form)
{
    const char *word = prof_word(words, v);
    char digits[8];

    snprintf(digits, sizeof digits, "%u", (unsigned)v);
    if (word || form != MSPROF_CCU_PYTHON)
        msprof_arg_text(g, key, str_of(word ? word : digits));
    else
        msprof_arg_u(g, key, v);
}

static void loop_args(const struct prof_ccu_run *x, double us, enum msprof_ccu_form form,
                      const struct msprof_args *g)
{
    const struct prof_ccu_info *i = x->info;
    double mbs = us > 0 ? (double)i->size_b / us * (1e6 / 1024 / 1024) : 0;

    msprof_arg_u(g, "Data Size", i->size_b);
    if (us > 0)
        msprof_arg_real(g, form == MSPROF_CCU_DB ? "Bandwidth (B/s)" : "Bandwidth (MB/s)",
                        form == MSPROF_CCU_DB ? mbs * 1024 * 1024 : mbs);
    if (i->reduce == RESERVED)
        return;
    word_arg(g, "Reduce Op Type", prof_ccu_reduces, i->reduce, form);
    word_arg(g, "Input Data Type", prof_hccl_types, i->input, form);
    word_arg(g, "Output Data Type", prof_hccl_types, i->output, form);
}

void msprof_ccu_args(const struct prof_ccu_run *x, double us, enum msprof_ccu_form form,
                     const struct msprof_args *g)
{
    msprof_arg_u(g, "Physic Stream Id", x->stream);
    msprof_arg_u(g, "Task Id", x->task);
    msprof_arg_u(g, x->is_wait ? "Notify Instruction ID" : "Instruction ID", x->instr);
    if (x->is_wait)
        msprof_arg_u(g, "Notify Rank ID", x->rank);
    if (!x->info)
        return;
    msprof_arg_u(g, "Die Id", x->info->die);
    if (!x->is_wait) {
        loop_args(x, us, form, g);
        return;
    }
    msprof_arg_u(g, "Mask", x->info->mask);
    if (!x->delay)
        return;
    msprof_arg_u(g, "Maximum Delay Channel", x->channel);
    msprof_arg_u(g, "Maximum Channel Delay", x->delay);
}
