/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory files that need more than a column map: static_op_mem (doc/formats/analysed.md#static_op_mem) and
 * the memory tracker's tables (doc/formats/analysed.md#memory-tracker).
 */
#include "config.h"

#include "parsers/parsers.h"
#include "parsers/read/csvmap.h"

/* ---- static_op_mem ---- */

/* clang-format off */
static const struct csv_col static_cols[] = {
    { "Device_id|Device Id",    CV_SKIP,  0 },                      /* host */
    { "Op Name",                CV_STR,   COL(mem_tensor, name_id) },
    { "Model Name",             CV_EXTRA, 0 },
    { "Graph ID",               CV_ID,    COL(mem_tensor, graph_id) },
    { "Node Index Start",       CV_INT,   COL(mem_tensor, born_node) },
    { "Node Index End",         CV_ID,    COL(mem_tensor, dies_node) },     /* not set: to the end */
    { "Size(KB)",               CV_KB,    COL(mem_tensor, size_b) },
};
/* clang-format on */

/* The last row of each graph is its total. */
static int static_row(struct csv_run *r, struct err *e)
{
    size_t at = csv_column_of(r, COL(mem_tensor, name_id));
    bool total = at != SIZE_MAX && at < r->n_cells && str_eq(r->cells[at], STR("TOTAL"));

    r->v[COL(mem_tensor, kind)] = val_cstr(total ? "total" : "output");
    return csv_put(r, e);
}

static const struct csvmap static_map = {
    .table = T_mem_tensor,
    .cols = static_cols,
    .n_cols = ARRAY_LEN(static_cols),
    .need = "Op Name|Node Index Start|Size(KB)",
    .row = static_row,
};

int parse_static_op_mem(struct parse_ctx *c, struct err *e)
{
    return csvmap_parse(&static_map, c, e);
}
