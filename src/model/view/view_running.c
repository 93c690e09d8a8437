/* SPDX-License-Identifier: Apache-2.0 */
/* The running share of the rows that filters leave: the statement of a view knows only that of all rows. */
#include "config.h"

#include <stdlib.h>

#include "model/view/view_int.h"

#define RUNNING_ROWS 200000 /* of more the column is empty while they are filtered */

bool view_running_cols(const struct view *v, size_t *running, size_t *share)
{
    int of = view_find_col(v, "share_pct");

    for (size_t i = 0; of >= 0 && i < view_n_cols(v); i++)
        if (view_col(v, i)->flags & VC_RUNNING) {
            *running = i;
            *share = (size_t)of;
            return true;
        }
    return false;
}

void view_running_forget(struct view *v)
{
    free(v->running);
    v->running = NULL;
    v->running_known = false;
}

struct share {
    double share;
    size_t row; /* of all parts */
};

static int larger_first(const void *a, const void *b)
{
    const struct share *x = a, *y = b;

    if (x->share != y->share)
        return x->share > y->share ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Add up the shown rows of one part, the largest first. */
static bool add_part(struct view *v, const struct part_state *p, const struct cells *cells)
{
    struct share *s = malloc((p->n ? p->n : 1) * sizeof *s);
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0; s && i < p->n; i++) {
        size_t row = p->first + i, at = cells_row(cells, i);
        bool on = !v->sel || v->sel[row / 64] >> row % 64 & 1;
        if (on && at != SIZE_MAX && !column_null(cells->values, at))
            s[n++] = (struct share){ column_num(cells->values, at), row };
    }
    if (s)
        qsort(s, n, sizeof *s, larger_first);
    for (size_t i = 0; i < n; i++)
        v->running[s[i].row] = sum += s[i].share;
    free(s);
    return s != NULL;
}

/* Compute the sums; false: not now, or not of so many rows. */
static bool need_running(struct view *v, size_t share)
{
    struct err ignored = ERR_INIT;
    struct cells *cells = NULL;
    bool ok = true;

    if (v->running_known)
        return v->running != NULL;
    if (v->counting)
        return false;
    v->running_known = true;
    if (v->all > RUNNING_ROWS || view_cells(v, share, &cells, &ignored))
        return false;
    v->running = calloc(v->words * 64 + 1, sizeof *v->running);
    for (size_t i = 0; i < v->n_parts && v->running && ok; i++)
        ok = add_part(v, &v->parts[i], &cells[i]);
    free(cells);
    if (!ok) {
        free(v->running);
        v->running = NULL;
    }
    return v->running != NULL;
}

void view_running_put(struct view *v, uint32_t row, struct val *out)
{
    size_t running, share;

    if (!v->n_filters || !view_running_cols(v, &running, &share) || out[share].t == VAL_NULL)
        return;
    out[running] = need_running(v, share) ? val_real(v->running[row]) : val_null();
}
