/* SPDX-License-Identifier: Apache-2.0 */
/* Columns: collecting values wide, keeping them narrow. */
#include "config.h"

#include "model/view/column.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/unit.h"

static const size_t widths[] = {
    [CW_U8] = 1, [CW_U16] = 2, [CW_U32] = 4, [CW_I64] = 8, [CW_F64] = 8,
};

void column_done(struct column *c)
{
    free(c->p);
    texts_free(c->texts);
    free(c->rank);
    *c = (struct column){ .n = 0 };
}

size_t column_bytes(const struct column *c)
{
    return (c->p ? c->n * widths[c->width] : 0) + (c->texts ? texts_bytes(c->texts) : 0) +
           (c->rank ? c->n_codes * sizeof *c->rank : 0);
}

void column_add_number(const struct column *c, size_t row, struct buf *out)
{
    char num[64];

    if (c->width == CW_F64)
        buf_puts(out, unit_plain(num, sizeof num, c->f64[row]));
    else
        buf_printf(out, "%" PRId64, column_int(c, row));
}

/* ---- making one ---- */

struct column_build {
    enum column_source source;
    size_t n;
    int64_t *i; /* CS_NUMBER while all numbers are whole */
    double *r;  /* CS_NUMBER with fractions */
    uint32_t *t;
    struct intern *interned; /* CS_TEXT */
    uint32_t *ids;           /* CS_STRING: distinct ids */
    size_t n_ids;
    uint32_t max_id, n_codes;
    struct texts *texts;
    bool no_memory;
};

int column_build_new(struct column_build **out, enum column_source source, size_t n, struct err *e)
{
    struct column_build *b = calloc(1, sizeof *b);
    size_t k = n ? n : 1;

    *out = b;
    if (!b)
        return err_nomem(e);
    b->source = source;
    b->n = n;
    if (source == CS_NUMBER) {
        b->i = malloc(k * sizeof *b->i);
        for (size_t row = 0; b->i && row < n; row++)
            b->i[row] = INT64_MIN;
    } else {
        b->t = calloc(k, sizeof *b->t);
    }
    if ((!b->i && !b->t) || (source == CS_TEXT && intern_new(&b->interned, e)) ||
        ((source == CS_TEXT || source == CS_STRING) && texts_new(&b->texts, e))) {
        column_build_free(b);
        *out = NULL;
        return err_nomem(e);
    }
    return OK;
}

void column_build_free(struct column_build *b)
{
    if (!b)
        return;
    free(b->i);
    free(b->r);
    free(b->t);
    free(b->ids);
    intern_free(b->interned);
    texts_free(b->texts);
    free(b);
}

/* Convert the numbers so far to doubles, when the first fraction comes. */
static bool to_reals(struct column_build *b)
{
    b->r = malloc((b->n ? b->n : 1) * sizeof *b->r);
    if (!b->r)
        return false;
    for (size_t i = 0; i < b->n; i++)
        b->r[i] = b->i[i] == INT64_MIN ? (double)NAN : (double)b->i[i];
    free(b->i);
    b->i = NULL;
    return true;
}

static bool put_number(struct column_build *b, size_t row, const struct val *v)
{
    if (v->t == VAL_NULL || v->t == VAL_TEXT)
        return true;
    bool whole = v->t == VAL_INT || (fabs(v->r) < 9007199254740992.0 && v->r == floor(v->r));
    if (!b->r && whole) {
        b->i[row] = v->t == VAL_INT ? v->i : (int64_t)v->r;
        return true;
    }
    if (!b->r && !to_reals(b))
        return false;
    b->r[row] = val_num(v);
    return true;
}

static bool put_text(struct column_build *b, size_t row, const struct val *v)
{
    char num[64];
    struct str s = v->s;

    if (v->t == VAL_NULL)
        return true;
    if (v->t == VAL_INT) {
        snprintf(num, sizeof num, "%" PRId64, v->i);
        s = str_of(num);
    } else if (v->t != VAL_TEXT) {
        s = str_of(unit_plain(num, sizeof num, val_num(v)));
    }
    uint32_t id = intern_put(b->interned, s);
    b->t[row] = id + 1;
    return id != INTERN_NONE;
}

static void put_id(struct column_build *b, size_t row, const struct val *v)
{
    if (v->t != VAL_INT || v->i <= 0 || v->i >= (int64_t)UINT32_MAX)
        return;
    b->t[row] = (uint32_t)v->i;
    if (b->t[row] > b->max_id)
        b->max_id = b->t[row];
}

bool column_build_put(struct column_build *b, size_t row, const struct val *v)
{
    bool ok = true;

    switch (b->source) {
    case CS_NUMBER:
        ok = put_number(b, row, v);
        break;
    case CS_TEXT:
        ok = put_text(b, row, v);
        break;
    case CS_STRING:
    case CS_CODE:
        put_id(b, row, v);
        break;
    }
    b->no_memory |= !ok;
    return ok;
}

int column_build_ids(struct column_build *b, const uint32_t **ids, size_t *n, struct err *e)
{
    uint32_t *code, codes = 0;

    if (b->max_id > LIM_STRINGS)
        return err_set(e, ERR_FORMAT, "a string id is out of range");
    code = calloc((size_t)b->max_id + 1, sizeof *code);
    if (!code)
        return err_nomem(e);
    for (size_t i = 0; i < b->n; i++)
        code[b->t[i]] = 1;
    code[0] = 0;
    for (uint32_t id = 1; id <= b->max_id; id++)
        codes += code[id];
    b->ids = malloc((codes ? codes : 1) * sizeof *b->ids);
    for (uint32_t id = 1; b->ids && id <= b->max_id; id++) {
        if (!code[id])
            continue;
        b->ids[b->n_ids++] = id;
        code[id] = (uint32_t)b->n_ids;
    }
    for (size_t i = 0; b->ids && i < b->n; i++)
        b->t[i] = code[b->t[i]];
    free(code);
    *ids = b->ids;
    *n = b->n_ids;
    return b->ids ? OK : err_nomem(e);
}

int column_build_text(struct column_build *b, struct str text, struct err *e)
{
    return texts_add(b->texts, text, e);
}

/* ---- the narrow form ---- */

static enum column_width width_for(uint64_t max)
{
    return max <= UINT8_MAX ? CW_U8 : max <= UINT16_MAX ? CW_U16 : CW_U32;
}

static void put_raw(struct column *c, size_t row, uint32_t v)
{
    if (c->width == CW_U8)
        c->u8[row] = (uint8_t)v;
    else if (c->width == CW_U16)
        c->u16[row] = (uint16_t)v;
    else
        c->u32[row] = v;
}

static int end_whole(struct column_build *b, struct column *out, struct err *e)
{
    int64_t min = INT64_MAX, max = INT64_MIN;

    for (size_t i = 0; i < b->n; i++) {
        if (b->i[i] == INT64_MIN)
            continue;
        min = b->i[i] < min ? b->i[i] : min;
        max = b->i[i] > max ? b->i[i] : max;
    }
    uint64_t span = min <= max ? (uint64_t)max - (uint64_t)min : 0;
    if (span >= UINT32_MAX) {
        out->width = CW_I64;
        out->i64 = b->i;
        b->i = NULL;
        return OK;
    }
    out->width = width_for(span + 1);
    out->base = min <= max ? min : 0;
    out->p = malloc((b->n ? b->n : 1) * widths[out->width]);
    if (!out->p)
        return err_nomem(e);
    for (size_t i = 0; i < b->n; i++)
        put_raw(out, i, b->i[i] == INT64_MIN ? 0 : (uint32_t)((uint64_t)b->i[i] - (uint64_t)out->base) + 1);
    return OK;
}

static int end_codes(struct column_build *b, struct column *out, struct err *e)
{
    out->coded = true;
    for (uint32_t i = 0; b->interned && i < intern_count(b->interned); i++)
        if (texts_add(b->texts, intern_get(b->interned, i), e))
            return e->code;
    out->n_codes = b->texts ? texts_count(b->texts) + 1 : b->max_id + 1;
    out->width = width_for(out->n_codes - 1);
    if (out->width == CW_U32) {
        out->u32 = b->t;
        b->t = NULL;
    } else {
        out->p = malloc((b->n ? b->n : 1) * widths[out->width]);
        for (size_t i = 0; out->p && i < b->n; i++)
            put_raw(out, i, b->t[i]);
    }
    if (b->texts)
        texts_end(b->texts);
    out->texts = b->texts;
    b->texts = NULL;
    return out->p ? OK : err_nomem(e);
}

int column_build_end(struct column_build *b, struct column *out, struct err *e)
{
    *out = (struct column){ .n = b->n };
    if (b->no_memory)
        return err_nomem(e);
    if (b->r) {
        out->width = CW_F64;
        out->f64 = b->r;
        b->r = NULL;
        return OK;
    }
    if (b->i ? end_whole(b, out, e) : end_codes(b, out, e))
        column_done(out);
    return e->code;
}
