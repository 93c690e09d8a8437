/* SPDX-License-Identifier: Apache-2.0 */
/* Tables with a column for the rank. */
#include "config.h"

#include "cli/rank_table.h"

static const struct view_col rank_col = CMD_NUMBER("rank", "Rank", VU_NONE, "rank");
const struct view_col rank_table_facts[2] = {
    CMD_TEXT("fact", "Fact", ""),
    CMD_TEXT("value", "Value", ""),
};

int rank_table_begin(struct rank_table *t, const char *id, const char *title, const struct view_col *cols,
                     size_t n, struct err *e)
{
    size_t k = 0;

    if (t->several)
        t->cols[k++] = &rank_col;
    for (size_t i = 0; i < n; i++)
        t->cols[k++] = &cols[i];
    return writer_begin(t->w, id, title, t->cols, k, e);
}

int rank_table_row(struct rank_table *t, int rank, const struct val *v, size_t n, struct err *e)
{
    struct val all[RANK_TABLE_COLS + 1] = { val_int(rank) };

    for (size_t i = 0; i < n; i++)
        all[i + t->several] = v[i];
    return writer_row(t->w, all, e);
}
