/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of arguments: JSON as a text. */
#include "config.h"

#include <inttypes.h>
#include <math.h>

#include "emit/emit.h"
#include "msprof/db/db.h"

#define ARGS_MAX (64U << 10)

void msprof_db_args_begin(struct msprof_db_args *w, struct msprof_db *d)
{
    *w = (struct msprof_db_args){ .d = d, .flat = d->r->o->compat };
    buf_init(&w->text, ARGS_MAX);
    buf_addc(&w->text, w->flat ? '[' : '{');
}

void msprof_db_put_arg(void *arg, const struct msprof_arg *a)
{
    struct msprof_db_args *w = arg;
    struct buf *b = &w->text;
    char real[32];

    if (b->n > 1)
        buf_addc(b, ',');
    buf_json(b, str_of(a->key));
    buf_addc(b, w->flat ? ',' : ':');
    switch (a->type) {
    case MSPROF_ARG_UINT:
        buf_printf(b, "%" PRIu64, a->u);
        break;
    case MSPROF_ARG_REAL:
        if (isfinite(a->real))
            buf_add(b, (struct str){ real, repr_text(a->real, real) });
        else
            buf_puts(b, "null");
        break;
    case MSPROF_ARG_TEXT:
        buf_json(b, a->text);
        break;
    }
}

struct val msprof_db_args_end(struct msprof_db_args *w)
{
    struct msprof_db *d = w->d;
    uint32_t text = PROF_NONE;

    buf_addc(&w->text, w->flat ? ']' : '}');
    if (!buf_failed(&w->text))
        text = prof_text(d->r->m.p, buf_str(&w->text));
    buf_done(&w->text);
    d->failed |= text == PROF_NONE;
    return msprof_db_text(d, text);
}
