/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of msprof's CSV files. */
#include "config.h"

#include "offline/tables/table.h"

/* What we wrote ourselves has no damage: a row that is none is the end. */
static bool next_row(struct offline_table *t, const struct str **cells, size_t *n, struct err *e)
{
    enum csv_status st;

    return csv_row(t->csv, &st, cells, n, e) == OK && st == CSV_ROW;
}

int offline_table_open(struct offline_table *t, const struct offline_file *f, const char *const *names,
                       size_t n, struct err *e)
{
    const struct str *cells;
    size_t n_cells = 0;

    *t = (struct offline_table){ .n = n };
    if (infile_open_fd(&t->in, f->fd, f->name, 0, e) || csv_new(&t->csv, t->in, ',', e))
        return e->code;
    bool has = next_row(t, &cells, &n_cells, e);
    for (size_t i = 0; i < n; i++) {
        t->at[i] = SIZE_MAX;
        for (size_t k = 0; has && k < n_cells; k++)
            if (str_eq(cells[k], str_of(names[i])))
                t->at[i] = k;
    }
    return e->code;
}

void offline_table_close(struct offline_table *t)
{
    csv_free(t->csv);
    infile_close(t->in);
    *t = (struct offline_table){ .n = 0 };
}

bool offline_table_next(struct offline_table *t, struct str *cell, struct err *e)
{
    const struct str *cells;
    size_t n;

    if (!next_row(t, &cells, &n, e))
        return false;
    for (size_t i = 0; i < t->n; i++)
        cell[i] = t->at[i] < n ? cells[t->at[i]] : STR("");
    return true;
}
