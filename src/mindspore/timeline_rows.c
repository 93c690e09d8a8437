/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a timeline, and their stable sort. */
#include "config.h"

#include "mindspore/timeline.h"

#include "base/grow.h"

int mindspore_rows_add(struct mindspore_rows *r, const struct mindspore_row *row, struct err *e)
{
    if (r->n >= MINDSPORE_ROWS_MAX)
        return err_set(e, ERR_LIMIT, "more than %zu rows of a timeline", MINDSPORE_ROWS_MAX);
    void *v = grow_array(r->v, r->n, &r->cap, sizeof *r->v, 256);
    if (!v)
        return err_nomem(e);
    r->v = v;
    r->v[r->n++] = *row;
    return OK;
}

int mindspore_rows_append(struct mindspore_rows *r, const struct mindspore_rows *more, struct err *e)
{
    if (more->n == 0)
        return OK;
    if (more->n > MINDSPORE_ROWS_MAX - r->n)
        return err_set(e, ERR_LIMIT, "more than %zu rows of a timeline", MINDSPORE_ROWS_MAX);
    void *v = grow_array(r->v, r->n + more->n - 1, &r->cap, sizeof *r->v, 256);
    if (!v)
        return err_nomem(e);
    r->v = v;
    memcpy(r->v + r->n, more->v, more->n * sizeof *r->v);
    r->n += more->n;
    return OK;
}

void mindspore_rows_done(struct mindspore_rows *r)
{
    free(r->v);
    *r = (struct mindspore_rows){ .n = 0 };
}

/* ---- natural merge sort ---- */

struct sort {
    mindspore_before_fn *before;
    const void *ctx;
};

/* Merges two sorted runs, [0, m) and [m, n), from a to b. */
static void merge(const struct sort *s, const struct mindspore_row *a, size_t m, size_t n,
                  struct mindspore_row *b)
{
    size_t i = 0, k = m, w = 0;

    while (i < m && k < n)
        b[w++] = s->before(s->ctx, &a[k], &a[i]) ? a[k++] : a[i++];
    memcpy(b + w, a + i, (m - i) * sizeof *a);
    memcpy(b + w + (m - i), a + k, (n - k) * sizeof *a);
}

/* Ends of the sorted runs; NULL: no memory. *n: number of runs. */
static size_t *find_runs(const struct sort *s, const struct mindspore_rows *r, size_t *n)
{
    size_t *end = NULL, cap = 0;

    *n = 0;
    for (size_t i = 1; i <= r->n; i++) {
        if (i < r->n && !s->before(s->ctx, &r->v[i], &r->v[i - 1]))
            continue;
        void *p = grow_array(end, *n, &cap, sizeof *end, 64);
        if (!p) {
            free(end);
            return NULL;
        }
        end = p;
        end[(*n)++] = i;
    }
    return end;
}

/* Merges each run with the next: half as many runs, in the other array. */
static size_t merge_pass(const struct sort *s, const struct mindspore_row *a, struct mindspore_row *b,
                         size_t *end, size_t n)
{
    size_t from = 0, out = 0;

    for (size_t i = 0; i < n; i += 2) {
        size_t middle = end[i], to = i + 1 < n ? end[i + 1] : end[i];
        merge(s, a + from, middle - from, to - from, b + from);
        end[out++] = to;
        from = to;
    }
    return out;
}

int mindspore_rows_sort(struct mindspore_rows *r, mindspore_before_fn *before, const void *ctx, struct err *e)
{
    const struct sort s = { before, ctx };
    size_t n = 0, *end;

    if (r->n < 2)
        return OK;
    end = find_runs(&s, r, &n);
    if (!end)
        return err_nomem(e);
    struct mindspore_row *other = n > 1 ? malloc(r->cap * sizeof *other) : NULL;
    if (n > 1 && !other) {
        free(end);
        return err_nomem(e);
    }
    while (n > 1) {
        struct mindspore_row *was = r->v;
        n = merge_pass(&s, was, other, end, n);
        r->v = other;
        other = was;
    }
    free(other);
    free(end);
    return OK;
}

static bool starts_before(const void *ctx, const struct mindspore_row *a, const struct mindspore_row *b)
{
    (void)ctx;
    return a->start < b->start;
}

int mindspore_rows_by_start(struct mindspore_rows *r, struct err *e)
{
    return mindspore_rows_sort(r, starts_before, NULL, e);
}

static bool labels_before(const void *ctx, const struct mindspore_row *a, const struct mindspore_row *b)
{
    const struct intern *labels = ctx;

    if (a->start != b->start || a->label == b->label)
        return a->start < b->start;
    return str_cmp(intern_get(labels, a->label), intern_get(labels, b->label)) < 0;
}

int mindspore_rows_by_label(const struct mindspore_timeline *t, struct mindspore_rows *r, struct err *e)
{
    return mindspore_rows_sort(r, labels_before, t->labels, e);
}
