/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_details.csv of torch_npu (doc/formats/framework.md#torch_npu-kernel_details). */
#include "config.h"

#include "offline/tables/kernels.h"
#include "offline/torch/torch_joins.h"

/* Of Level0. Older CANN calls the first of the last group Block Dim. */
static const char *const level0[] = {
    "Device_id",
    "Op Name",
    "OP Type",
    "Task Type",
    "Task Start Time(us)",
    "Task Duration(us)",
    "Task Wait Time(us)",
    "Block Num",
    "Block Dim",
    "Input Shapes",
    "Input Data Types",
    "Input Formats",
    "Output Shapes",
    "Output Data Types",
    "Output Formats",
};

static void put_header(struct emit *o, const struct offline_run *r, const struct torch_joins *j,
                       struct kernel_columns *c, const struct str *header, size_t n)
{
    c->start = kernel_column(header, n, "Task Start Time(us)");
    for (size_t i = 0; r->level == 0 && i < ARRAY_LEN(level0); i++) {
        size_t at = kernel_column(header, n, level0[i]);
        if (at != SIZE_MAX)
            c->from[c->n++] = at;
    }
    for (size_t i = 0; r->level != 0 && i < n; i++)
        c->from[c->n++] = i;
    if (j->n_steps)
        emit_s(o, "Step Id");
    for (size_t i = 0; i < c->n; i++)
        kernel_header_cell(o, header[c->from[i]], !i && !j->n_steps);
    offline_end_row(o);
}

/* Times are compared as texts there: with its TAB a start is later than an end with the same digits. */
static struct str step_of(const struct torch_joins *j, struct str cell)
{
    struct str time = csv_rows_time(cell);
    int64_t ns;

    if (!str_scaled(time, 1000, &ns, NULL) || !offline_is_time(ns))
        return STR("");
    size_t i, end;
    for (torch_steps_around(j, ns, &i, &end); i < end; i++)
        if (j->step[i].from <= ns && ns + (time.n < cell.n) <= j->step[i].to)
            return j->step[i].id;
    return STR("");
}

static void put_row(struct emit *o, const struct torch_joins *j, const struct kernel_columns *c,
                    const struct str *cell, size_t n)
{
    if (j->n_steps)
        emit_cell_str(o, c->start < n ? step_of(j, cell[c->start]) : STR(""));
    for (size_t i = 0; i < c->n; i++) {
        if (i || j->n_steps)
            emit_c(o, ',');
        if (c->from[i] < n)
            emit_str(o, cell[c->from[i]]);
    }
    offline_end_row(o);
}

int offline_torch_kernels(struct offline_run *r, const struct offline_output *x, struct err *e)
{
    const struct torch_joins *j = NULL;
    struct kernel_columns c = { .n = 0 };
    struct csv_rows *rows = NULL;
    struct emit *o = NULL;
    const struct str *cell;
    size_t n;

    if (torch_joins(r, &j, e) || csv_rows_open(&rows, r, "op_summary_", e))
        goto out;
    if (!csv_rows_header(rows, &cell, &n)) {
        offline_no_data(r, x, "msprof's op_summary has no rows: no kernel ran");
        goto out;
    }
    if (offline_open(r, &o, x, e) == OK) {
        put_header(o, r, j, &c, cell, n);
        while (csv_rows_next(rows, &cell, &n, e))
            put_row(o, j, &c, cell, n);
    }
    (void)!offline_close(r, o, e);
out:
    csv_rows_close(rows);
    return e->code;
}
