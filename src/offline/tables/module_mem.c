/* SPDX-License-Identifier: Apache-2.0 */
/* npu_module_mem.csv (doc/formats/framework.md#npu_module_mem). */
#include "config.h"

#include "offline/tables/table.h"

enum col { C_DEVICE, C_COMPONENT, C_TIME, C_KB, C_NAME, N_COLS_OF };
static const char *const cols[N_COLS_OF] = { "Device_id", "Component", "Timestamp(us)", "Total Reserved(KB)",
                                             "Device" };

/* MindSpore has msprof's cells; torch_npu counts in MB. */
static void put_row(struct emit *o, const struct str *c, bool torch)
{
    double kb;

    offline_cell(o, c[C_DEVICE], true);
    offline_cell(o, c[C_COMPONENT], false);
    offline_cell(o, c[C_TIME], false);
    emit_s(o, "\t,");
    if (torch && str_f64(c[C_KB], &kb))
        emit_repr(o, kb / 1024);
    else
        emit_str(o, c[C_KB]);
    offline_cell(o, c[C_NAME], false);
    offline_end_row(o);
}

static int put_rows(struct offline_run *r, struct emit *o, uint64_t *rows, struct err *e)
{
    bool torch = r->flavour == OFFLINE_TORCH;
    const struct offline_file *f = NULL;
    struct str cell[N_COLS_OF];

    while (!e->code && (f = offline_exported(r, "npu_module_mem_", ".csv", f)) != NULL) {
        struct offline_table t;
        if (offline_table_open(&t, f, cols, N_COLS_OF, e) == OK)
            while (offline_table_next(&t, cell, e)) {
                if (!(*rows)++)
                    emit_fmt(o, "Device_id,Component,Timestamp(us),Total Reserved(%s),Device\r\n",
                             torch ? "MB" : "KB");
                put_row(o, cell, torch);
            }
        offline_table_close(&t);
    }
    return e->code;
}

int offline_module_mem(struct offline_run *r, const struct offline_output *x, struct err *e)
{
    struct emit *o = NULL;
    uint64_t rows = 0;

    if (offline_open(r, &o, x, e) == OK)
        (void)!put_rows(r, o, &rows, e);
    return offline_end_rows(r, o, x, rows, "the PROF folder has no memory of components", e);
}
