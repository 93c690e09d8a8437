/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a view: definition, columns, cells, sets of rows. */
#include "config.h"

#include "base/lang/tr.h"
#include "model/view/view_int.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct view_col rank_col = {
    .id = "rank",
    .title = "Rank",
    .expr = ":rank",
    .type = VT_INT,
    .unit = VU_NONE,
    .min_width = 4,
    .width = 5,
    .help = "rank the row belongs to",
};

const struct view_col *view_rank_column(void)
{
    return &rank_col;
}

const struct view_def *view_definition(const struct view *v)
{
    return v->def;
}

static bool has_word(struct str id, struct str word)
{
    return str_find(id, word, 0) != SIZE_MAX;
}

bool view_col_adds(const struct view_col *c)
{
    const struct str id = str_of(c->id);

    if (c->type == VT_TEXT || c->flags & (VC_LEVEL | VC_INSIDE | VC_LEFT))
        return false;
    switch (c->unit) {
    case VU_NS:
    case VU_BYTES:
    case VU_COUNT:
    case VU_FLOPS:
    case VU_MFLOPS:
        return !has_word(id, STR("avg_")) && !has_word(id, STR("min_")) && !has_word(id, STR("max_"));
    case VU_PCT:
    case VU_RATIO:
        return has_word(id, STR("share"));
    default:
        return false;
    }
}

size_t view_n_cols(const struct view *v)
{
    return v->def->n_cols + (v->with_rank ? 1 : 0);
}

const struct view_col *view_col(const struct view *v, size_t i)
{
    if (v->with_rank)
        return i == 0 ? &rank_col : &v->def->cols[i - 1];
    return &v->def->cols[i];
}

const char *view_col_title(const struct view_col *c)
{
    return c->help ? tr_column(c->title) : c->title;
}

char view_sort_sign(struct str *name)
{
    char sign = name->n && (name->p[0] == '-' || name->p[0] == '+') ? name->p[0] : 0;

    *name = str_sub(*name, sign != 0, name->n);
    return sign;
}

bool view_sort_desc(const struct view *v, int col, char sign)
{
    return sign ? sign == '-' : view_col(v, (size_t)col)->desc;
}

int view_find_col(const struct view *v, const char *id)
{
    return view_find_among(v->with_rank ? &rank_col : NULL, v->def, id);
}

size_t view_total(const struct view *v)
{
    return v->total;
}

size_t view_rows(const struct view *v)
{
    return v->shown;
}

int view_need(struct view *v, size_t col, int64_t until_ns, bool *ready, struct err *e)
{
    *ready = true;
    if (view_is_rank(v, col))
        return OK;
    for (size_t i = 0; i < v->n_parts && *ready; i++)
        if (rowset_need(v->parts[i].rows, col - v->with_rank, until_ns, ready, e))
            return e->code;
    return OK;
}

int view_cells(struct view *v, size_t col, struct cells **out, struct err *e)
{
    bool ready;

    *out = NULL;
    if (view_need(v, col, SLICE_FOREVER, &ready, e))
        return e->code;
    *out = calloc(v->n_parts ? v->n_parts : 1, sizeof **out);
    if (!*out)
        return err_nomem(e);
    for (size_t i = 0; i < v->n_parts && !view_is_rank(v, col); i++)
        (*out)[i] = rowset_cells(v->parts[i].rows, col - v->with_rank);
    return OK;
}

uint64_t *set_new(const struct view *v, struct err *e)
{
    uint64_t *set = calloc(v->words ? v->words : 1, sizeof *set);

    if (!set) {
        err_nomem(e);
        return NULL;
    }
    for (size_t i = 0; i < v->n_parts; i++) {
        uint64_t *words = set + v->parts[i].first / 64;
        size_t n = v->parts[i].n;
        memset(words, 0xff, n / 64 * sizeof *words);
        if (n % 64)
            words[n / 64] = (UINT64_C(1) << n % 64) - 1;
    }
    return set;
}

size_t set_count(const struct view *v, const uint64_t *set)
{
    size_t n = 0;

    for (size_t i = 0; i < v->words; i++)
        n += (size_t)__builtin_popcountll(set[i]);
    return n;
}
