/* SPDX-License-Identifier: Apache-2.0 */
/* fusion_op.csv: ops that the graph compiler made of several (doc/formats/msprof.md#small-tables). */
#include "config.h"

#include "msprof/run.h"

#define HEADER                                                                                               \
    "Device_id,Model Name,Model ID,Fusion Op,Original Ops,Memory Input(KB),Memory Output(KB),"               \
    "Memory Weight(KB),Memory Workspace(KB),Memory Total(KB)"

/* device -1: the host. */
static void put_row(const struct msprof_run *r, struct emit *o, int device, const struct prof_fusion *f)
{
    if (device < 0)
        emit_s(o, "host");
    else
        emit_fmt(o, "%d", device);
    msprof_cell(o, prof_str(r->m.p, f->model_name));
    emit_c(o, ',');
    emit_u(o, f->model);
    msprof_cell(o, prof_str(r->m.p, f->name));
    msprof_cell(o, prof_str(r->m.p, f->originals));
    for (size_t i = 0; i < ARRAY_LEN(f->memory_b); i++) {
        emit_c(o, ',');
        emit_repr(o, (double)f->memory_b[i] / 1024);
    }
    emit_c(o, '\n');
}

int msprof_fusion_op(struct msprof_run *r, struct err *e)
{
    size_t times = r->dialect == DIALECT_PYTHON && r->m.n_dev ? r->m.n_dev : 1;
    struct msprof_csv csv;

    if (!r->m.host.n_fusion) {
        msprof_no_data(r, "fusion_op", ".csv", "there are no fused ops (fusion_op_info)");
        return OK;
    }
    if (msprof_csv_begin(&csv, r, "fusion_op", times * r->m.host.n_fusion, HEADER, e))
        return e->code;
    for (size_t k = 0; k < times; k++)
        for (size_t i = 0; i < r->m.host.n_fusion; i++) {
            struct emit *o = msprof_csv_row(&csv, e);
            if (!o)
                return msprof_csv_end(&csv, e);
            put_row(r, o, r->dialect && r->m.n_dev ? r->m.dev[k].f->device : -1, &r->m.host.fusion[i]);
        }
    return msprof_csv_end(&csv, e);
}
