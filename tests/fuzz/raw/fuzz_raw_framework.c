/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Framework lines, tasks, ops and points: any bytes; every view lies in the line, lists stay in their bounds.
 */
#include "config.h"

#include "parsers/mindspore/records/framework_text.h"
#include "tests/fuzz/raw/fuzz_raw.h"

static int on_task(void *arg, const struct framework_task *t, struct err *e)
{
    unsigned *total = arg;

    (void)e;
    FUZZ_CHECK(t->op.n > 0);
    FUZZ_CHECK(t->where.line > 0);
    *total += fuzz_sum(t->op);
    return OK;
}

static int on_op(void *arg, const struct framework_op *o, struct err *e)
{
    unsigned *total = arg;

    (void)e;
    FUZZ_CHECK(o->name.n > 0);
    FUZZ_CHECK(o->n_in <= FW_TENSORS && o->n_out <= FW_TENSORS);
    *total += fuzz_sum(o->name) + fuzz_sum(o->type);
    for (size_t i = 0; i < o->n_in; i++)
        *total += fuzz_sum(o->in[i].format) + fuzz_sum(o->in[i].type) + fuzz_sum(o->in[i].shape);
    for (size_t i = 0; i < o->n_out; i++)
        *total += fuzz_sum(o->out[i].format) + fuzz_sum(o->out[i].type) + fuzz_sum(o->out[i].shape);
    return OK;
}

static int on_point(void *arg, const struct framework_point *p, struct err *e)
{
    unsigned *total = arg;

    (void)e;
    FUZZ_CHECK(p->op.n > 0);
    FUZZ_CHECK(p->where.line > 0);
    *total += fuzz_sum(p->op);
    return OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_raw r;
    unsigned total = 0;

    fuzz_raw_open(&r, data, size);
    int rc = framework_text_tasks(&r.c, on_task, &total, &r.e);
    FUZZ_CHECK(rc == OK || rc == ERR_VERSION);
    err_clear(&r.e);
    rc = framework_text_ops(&r.c, on_op, &total, &r.e);
    FUZZ_CHECK(rc == OK || rc == ERR_VERSION);
    err_clear(&r.e);
    rc = framework_text_points(&r.c, on_point, &total, &r.e);
    FUZZ_CHECK(rc == OK || rc == ERR_VERSION);
    fuzz_raw_close(&r);
    return 0;
}
