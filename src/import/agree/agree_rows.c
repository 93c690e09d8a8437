/* SPDX-License-Identifier: Apache-2.0 */
/* Rows under keys. */
#include "config.h"

#include "import/agree/agree_rows.h"

#include <stdlib.h>

#include "base/grow.h"

static struct str view(const int64_t key[2])
{
    return (struct str){ (const char *)key, 2 * sizeof *key };
}

int agree_rows_add(struct agree_rows *r, const struct agree_row *row, struct err *e)
{
    if (!r->keys && intern_new(&r->keys, e))
        return e->code;
    uint32_t at = intern_put(r->keys, view(row->key));
    if (at == INTERN_NONE)
        return err_nomem(e);
    if (at < r->n)
        return OK;
    struct agree_row *v = grow_array(r->v, r->n, &r->cap, sizeof *v, 64);
    if (!v)
        return err_nomem(e);
    r->v = v;
    v[r->n] = *row;
    for (size_t i = 0; i < AGREE_FIGURES; i++)
        if (v[r->n].v[i].t == VAL_TEXT)
            v[r->n].v[i] = val_null();
    r->n++;
    return OK;
}

size_t agree_rows_find(const struct agree_rows *r, const int64_t key[2])
{
    uint32_t at = r->keys ? intern_find(r->keys, view(key)) : INTERN_NONE;

    return at == INTERN_NONE ? SIZE_MAX : at;
}

void agree_rows_done(struct agree_rows *r)
{
    intern_free(r->keys);
    free(r->v);
    *r = (struct agree_rows){ .n = 0 };
}
