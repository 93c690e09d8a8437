/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that the formats of a writer share: output of lines, numbers, units, and rows kept until their
 * widths are known.
 */
#include "config.h"

#include "base/text.h"
#include "model/writer/writer_int.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int write_line(struct writer *w, struct err *e)
{
    if (buf_failed(&w->line))
        return err_set(e, ERR_LIMIT, "a row is too long to be written");
    int rc = w->to.add(w->to.arg, buf_str(&w->line), e);
    buf_clear(&w->line);
    return rc;
}

void write_bold(struct writer *w, bool on)
{
    if (w->o.color)
        buf_puts(&w->line, on ? "\033[1m" : "\033[0m");
}

char *write_number(char *buf, size_t n, const struct val *v)
{
    buf[0] = '\0';
    if (v->t == VAL_INT)
        snprintf(buf, n, "%" PRId64, v->i);
    else if (v->t == VAL_UINT)
        snprintf(buf, n, "%" PRIu64, v->u);
    else if (v->t == VAL_REAL && isfinite(v->r))
        unit_plain(buf, n, v->r);
    return buf;
}

int write_keep(struct writer *w, const struct val *v, struct err *e)
{
    if (!w->kept) {
        w->kept = malloc((size_t)WRITE_KEEP * (w->n_cols ? w->n_cols : 1) * sizeof *w->kept);
        if (!w->kept)
            return err_nomem(e);
    }
    struct val *row = &w->kept[w->n_kept * w->n_cols];
    for (size_t i = 0; i < w->n_cols; i++) {
        row[i] = v[i];
        if (v[i].t != VAL_TEXT)
            continue;
        row[i].s = arena_str(w->kept_arena, v[i].s);
        if (!row[i].s.p)
            return err_nomem(e);
        w->kept_b += v[i].s.n;
    }
    w->n_kept++;
    return OK;
}

bool write_may_keep(const struct writer *w)
{
    return !w->streaming && w->n_kept < WRITE_KEEP && w->kept_b < WRITE_KEEP_B;
}

void write_forget(struct writer *w)
{
    free(w->kept);
    free(w->layout);
    w->kept = NULL;
    w->layout = NULL;
    w->n_kept = w->kept_b = 0;
    w->streaming = false;
    if (w->kept_arena)
        arena_reset(w->kept_arena);
}

struct cell_units write_units(const struct writer *w, size_t col)
{
    double min = 0, max = 0;
    bool any = false;

    for (size_t i = 0; i < w->n_kept; i++) {
        const struct val *v = &w->kept[i * w->n_cols + col];
        double x = fabs(val_num(v));
        if (v->t == VAL_NULL || v->t == VAL_TEXT || x == 0)
            continue;
        if (!any || x < min)
            min = x;
        if (!any || x > max)
            max = x;
        any = true;
    }
    return cell_column_units(w->cols[col], min, max, &w->o.units);
}
