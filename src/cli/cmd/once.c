/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of several ranks, said once. */
#include "config.h"

#include "cli/cmd/once.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cli/cmd/cmd.h"

#define RANGES_MAX 100 /* bytes of text */

struct once_row {
    struct val v[ONCE_COLS];
    char *text[ONCE_COLS]; /* of v, where it is one */
    int *ranks;
    size_t n, cap;
};

const struct view_col once_ranks_col = CMD_TEXT("ranks", "Rank", "ranks");

static bool same_val(const struct val *a, const struct val *b)
{
    if (a->t != b->t)
        return false;
    if (a->t == VAL_TEXT)
        return str_eq(a->s, b->s);
    return a->t == VAL_NULL || val_num(a) == val_num(b);
}

static bool same_row(const struct once *o, const struct once_row *r, const struct val *v)
{
    for (size_t i = 0; i < o->n_cols; i++)
        if (!same_val(&r->v[i], &v[i]))
            return false;
    return true;
}

static int copy_row(const struct once *o, struct once_row *r, const struct val *v, struct err *e)
{
    *r = (struct once_row){ .n = 0 };
    for (size_t i = 0; i < o->n_cols; i++) {
        r->v[i] = v[i];
        if (v[i].t != VAL_TEXT)
            continue;
        r->text[i] = malloc(v[i].s.n + 1);
        if (!r->text[i])
            return err_nomem(e);
        memcpy(r->text[i], v[i].s.p, v[i].s.n);
        r->v[i] = val_text((struct str){ r->text[i], v[i].s.n });
    }
    return OK;
}

static int add_rank(struct once_row *r, int rank, struct err *e)
{
    if (r->n && r->ranks[r->n - 1] == rank)
        return OK;
    int *v = grow_array(r->ranks, r->n, &r->cap, sizeof *v, 4);
    if (!v)
        return err_nomem(e);
    r->ranks = v;
    v[r->n++] = rank;
    return OK;
}

int once_add(struct once *o, int rank, const struct val *v, struct err *e)
{
    for (size_t i = 0; i < o->n; i++)
        if (same_row(o, &o->v[i], v))
            return add_rank(&o->v[i], rank, e);
    struct once_row *r = grow_array(o->v, o->n, &o->cap, sizeof *r, 16);
    if (!r)
        return err_nomem(e);
    o->v = r;
    r += o->n++;
    return copy_row(o, r, v, e) ? e->code : add_rank(r, rank, e);
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

int once_rows(const struct once *o, struct writer *w, bool several, struct err *e)
{
    char text[RANGES_MAX];

    for (size_t i = 0; i < o->n; i++) {
        struct val v[ONCE_COLS + 1];
        if (several)
            v[0] = val_cstr(once_ranges(o->v[i].ranks, o->v[i].n, text, sizeof text));
        memcpy(v + several, o->v[i].v, o->n_cols * sizeof *v);
        if (writer_row(w, v, e))
            return e->code;
    }
    return OK;
}

void once_done(struct once *o)
{
    for (size_t i = 0; i < o->n; i++) {
        for (size_t k = 0; k < ONCE_COLS; k++)
            free(o->v[i].text[k]);
        free(o->v[i].ranks);
    }
    free(o->v);
    *o = (struct once){ .n_cols = o->n_cols };
}
