/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of Python and garbage collections, read for the files that show them. */
#include "config.h"

#include "offline/torch/torch_python.h"

static int read_files(struct offline_run *r, struct torch_python *x, struct err *e)
{
    const struct source_file *f = NULL;

    while ((f = offline_source(r, "raw_fw_other", f)) != NULL) {
        struct parse_ctx c = offline_ctx(r, f);
        (void)!framework_python_read(&x->p, &c, e);
        if (offline_unusable(r, &c, e))
            return e->code;
    }
    if (!x->p.n_names && !x->p.one_stack && r->o->compat) /* upstream shows no calls without their names */
        x->p.n_calls = 0;
    return framework_python_replay(&x->p, e);
}

int torch_python_read(struct offline_run *r, struct torch_python *x, struct err *e)
{
    *x = (struct torch_python){ .f = { .clock = r->f.clock, .torch = true, .na = r->f.na } };
    framework_python_init(&x->p, &x->f);
    x->p.keeps_frames = true;
    return framework_init(&x->f, r->pool, e) == OK && r->has & NEEDS_CPU ? read_files(r, x, e) : e->code;
}

void torch_python_done(struct torch_python *x)
{
    framework_python_done(&x->p);
    if (x->f.texts)
        framework_done(&x->f);
}
