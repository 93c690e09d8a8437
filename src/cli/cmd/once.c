/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of several ranks, said once. */
#include "config.h"

#include "cli/cmd/once.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/grow.h"
#include "cli/cmd/cmd.h"

#define RANGES_MAX 100 /* bytes of text */
#define TEXT_MAX   ((size_t)1 << 20)

struct once_row {
    struct val v[ONCE_COLS];
    struct alike *text[ONCE_COLS]; /* of v, where it is one */
    int *ranks;
    size_t n, cap;
};

const struct view_col once_ranks_col = CMD_TEXT("ranks", "Rank", "ranks");

/* alike: texts may differ in numbers. */
static bool same_val(const struct once_row *r, size_t i, const struct val *v, const struct alike_of *alike)
{
    if (r->v[i].t != v->t)
        return false;
    if (v->t == VAL_TEXT)
        return alike ? alike_fits(r->text[i], v->s, *alike) : alike_equals(r->text[i], v->s);
    return v->t == VAL_NULL || val_num(&r->v[i]) == val_num(v);
}

static bool same_row(const struct once *o, const struct once_row *r, const struct val *v,
                     const struct alike_of *alike)
{
    for (size_t i = 0; i < o->n_cols; i++)
        if (!same_val(r, i, &v[i], alike))
            return false;
    return true;
}

static int copy_row(const struct once *o, struct once_row *r, struct alike_of of, const struct val *v,
                    struct err *e)
{
    *r = (struct once_row){ .n = 0 };
    for (size_t i = 0; i < o->n_cols; i++) {
        r->v[i] = v[i];
        if (v[i].t != VAL_TEXT)
            continue;
        r->v[i].s = STR_NULL; /* the caller's */
        r->text[i] = alike_new(v[i].s, of);
        if (!r->text[i])
            return err_nomem(e);
    }
    return OK;
}

static bool has_rank(const struct once_row *r, int rank)
{
    return r->n && r->ranks[r->n - 1] == rank;
}

static int add_rank(struct once_row *r, int rank, struct err *e)
{
    if (has_rank(r, rank))
        return OK;
    int *v = grow_array(r->ranks, r->n, &r->cap, sizeof *v, 4);
    if (!v)
        return err_nomem(e);
    r->ranks = v;
    v[r->n++] = rank;
    return OK;
}

/* The row that is the same, else one that is alike and is not yet said of this rank. NULL: none. */
static struct once_row *find_row(const struct once *o, struct alike_of of, const struct val *v)
{
    for (size_t i = 0; i < o->n; i++)
        if (same_row(o, &o->v[i], v, NULL))
            return &o->v[i];
    for (size_t i = 0; i < o->n; i++)
        if (!has_rank(&o->v[i], of.rank) && same_row(o, &o->v[i], v, &of))
            return &o->v[i];
    return NULL;
}

int once_add(struct once *o, struct alike_of of, const struct val *v, struct err *e)
{
    struct once_row *r = find_row(o, of, v);

    if (r) {
        for (size_t i = 0; i < o->n_cols; i++)
            if (r->text[i])
                alike_take(r->text[i], v[i].s, of);
        return add_rank(r, of.rank, e);
    }
    r = grow_array(o->v, o->n, &o->cap, sizeof *r, 16);
    if (!r)
        return err_nomem(e);
    o->v = r;
    r += o->n++;
    return copy_row(o, r, of, v, e) ? e->code : add_rank(r, of.rank, e);
}

char *once_ranges(const int *ranks, size_t n, char *buf, size_t size)
{
    size_t used = 0;

    buf[0] = '\0';
    for (size_t i = 0; i < n;) {
        size_t last = i;
        char one[40];
        while (last + 1 < n && ranks[last + 1] == ranks[last] + 1)
            last++;
        if (last > i)
            snprintf(one, sizeof one, "%s%d-%d", i ? "," : "", ranks[i], ranks[last]);
        else
            snprintf(one, sizeof one, "%s%d", i ? "," : "", ranks[i]);
        bool fits = used + strlen(one) + 4 < size;
        used += (size_t)snprintf(buf + used, size - used, "%s", fits ? one : ",...");
        if (!fits)
            break;
        i = last + 1;
    }
    return buf;
}

static int put_row(const struct once *o, const struct once_row *r, struct writer *w, bool several,
                   struct err *e)
{
    struct buf text[ONCE_COLS];
    struct val v[ONCE_COLS + 1];
    char ranks[RANGES_MAX];
    bool failed = false;

    if (several)
        v[0] = val_cstr(once_ranges(r->ranks, r->n, ranks, sizeof ranks));
    for (size_t i = 0; i < o->n_cols; i++) {
        buf_init(&text[i], TEXT_MAX);
        v[i + several] = r->v[i];
        if (!r->text[i])
            continue;
        alike_put(r->text[i], &text[i]);
        failed |= buf_failed(&text[i]);
        v[i + several] = val_text(buf_str(&text[i]));
    }
    int rc = failed ? err_nomem(e) : writer_row(w, v, e);
    for (size_t i = 0; i < o->n_cols; i++)
        buf_done(&text[i]);
    return rc;
}

int once_rows(const struct once *o, struct writer *w, bool several, struct err *e)
{
    for (size_t i = 0; i < o->n; i++)
        if (put_row(o, &o->v[i], w, several, e))
            return e->code;
    return OK;
}

void once_done(struct once *o)
{
    for (size_t i = 0; i < o->n; i++) {
        for (size_t k = 0; k < ONCE_COLS; k++)
            alike_free(o->v[i].text[k]);
        free(o->v[i].ranks);
    }
    free(o->v);
    *o = (struct once){ .n_cols = o->n_cols };
}
