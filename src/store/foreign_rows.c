/* SPDX-License-Identifier: Apache-2.0 */
/* Rows read ahead: batches of values go from the thread that has their source to the caller. */
#include "config.h"

#include "store/foreign_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/relay.h"

#define BATCHES 3
#define VALUES  16384               /* of a batch */
#define TEXT_B  ((size_t)256 << 10) /* of a batch; more where a single row has more */

struct batch {
    struct val *v; /* row after row */
    size_t rows;
    char *text;
    size_t text_n, text_cap;
    bool last, no_memory; /* no row after them; a row's texts had no room */
};
struct reading {
    const struct row_source *from;
    size_t n, rows_most; /* columns; rows of a batch */
    struct val *pending; /* the row for which a batch had no room ... */
    bool is_pending;     /* ... if there is one: its texts are the source's */
    struct batch b[BATCHES];
    struct relay *relay;
};

/* ---- filling ---- */

static bool room_for(struct batch *b, size_t bytes)
{
    size_t cap = bytes > TEXT_B ? bytes : TEXT_B;

    if (b->text && b->text_cap >= bytes)
        return true;
    free(b->text);
    b->text = malloc(cap);
    b->text_cap = b->text ? cap : 0;
    return b->text != NULL;
}

/* The row's texts are the source's: they move to the batch. false: the batch is full, or has no memory. */
static bool take_texts(struct batch *b, struct val *v, size_t n)
{
    size_t bytes = 0;

    for (size_t k = 0; k < n; k++)
        bytes += v[k].t == VAL_TEXT ? v[k].s.n : 0;
    if (!bytes)
        return true;
    if (b->rows && (!b->text || b->text_n + bytes > b->text_cap))
        return false;
    if (!b->rows && !room_for(b, bytes)) {
        b->no_memory = b->last = true;
        return false;
    }
    for (size_t k = 0; k < n; k++)
        if (v[k].t == VAL_TEXT && v[k].s.n) {
            memcpy(b->text + b->text_n, v[k].s.p, v[k].s.n);
            v[k].s.p = b->text + b->text_n;
            b->text_n += v[k].s.n;
        }
    return true;
}

static void fill(struct reading *r, struct batch *b)
{
    b->rows = b->text_n = 0;
    while (b->rows < r->rows_most) {
        struct val *v = b->v + b->rows * r->n;
        if (r->is_pending) {
            memcpy(v, r->pending, r->n * sizeof *v);
        } else if (!r->from->next(r->from->arg, v)) {
            b->last = true;
            return;
        }
        r->is_pending = !take_texts(b, v, r->n);
        if (r->is_pending) {
            memcpy(r->pending, v, r->n * sizeof *v);
            return;
        }
        b->rows++;
    }
}

static void read_ahead(void *arg)
{
    struct reading *r = arg;
    struct batch *b;
    bool last = false;

    while (!last && (b = relay_take(r->relay)) != NULL) {
        fill(r, b);
        last = b->last;
        relay_give(r->relay, 0);
    }
}

/* ---- using ---- */

static int use(const struct reading *r, const struct batch *b, foreign_row_fn *fn, void *arg, struct err *e)
{
    for (size_t i = 0; i < b->rows; i++)
        if (fn(arg, b->v + i * r->n, r->n, e))
            return e->code;
    return b->no_memory ? err_nomem(e) : OK;
}

static bool make(const struct reading *r, struct batch *b)
{
    b->v = malloc(r->rows_most * r->n * sizeof *b->v);
    return b->v != NULL;
}

/* Without a thread all goes on in this one. */
static int use_all(struct reading *r, foreign_row_fn *fn, void *arg, struct err *e)
{
    bool ahead = make(r, &r->b[1]) && make(r, &r->b[2]) &&
                 relay_new(&r->relay, r->b, BATCHES, sizeof *r->b, e) == OK &&
                 relay_start(r->relay, read_ahead, r);
    struct batch *b;
    bool last = false;

    while (!e->code && !last) {
        if (ahead) {
            if (!(b = relay_next(r->relay)))
                break;
        } else {
            b = &r->b[0];
            fill(r, b);
        }
        last = b->last;
        (void)!use(r, b, fn, arg, e);
    }
    relay_free(r->relay);
    return e->code;
}

int foreign_rows(const struct row_source *from, foreign_row_fn *fn, void *arg, struct err *e)
{
    struct reading r = { .from = from, .n = from->n };

    r.rows_most = VALUES / r.n;
    r.pending = malloc(r.n * sizeof *r.pending);
    if (!r.pending || !make(&r, &r.b[0])) {
        err_nomem(e);
    } else {
        fill(&r, &r.b[0]);
        if (use(&r, &r.b[0], fn, arg, e) == OK && !r.b[0].last)
            (void)!use_all(&r, fn, arg, e);
    }
    for (size_t i = 0; i < BATCHES; i++) {
        free(r.b[i].v);
        free(r.b[i].text);
    }
    free(r.pending);
    return e->code;
}
