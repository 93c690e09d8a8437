/* SPDX-License-Identifier: Apache-2.0 */
/* Rows read ahead: batches of values go from the thread that has the statement to the caller. */
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
    int rc; /* SQLITE_ROW: there is more */
};
struct reading {
    sqlite3_stmt *st;
    size_t n, rows_most; /* columns; rows of a batch */
    bool pending;        /* the statement's row is not in a batch yet */
    struct batch b[BATCHES];
    struct relay *relay;
};

/* ---- filling ---- */

static inline void put_bytes(struct val *v, sqlite3_stmt *st, int i, const void *p)
{
    val_put_text(v, (struct str){ p ? p : "", (size_t)sqlite3_column_bytes(st, i) });
}

/* Numbers are taken from the value: sqlite3_column_int64() and its like look at the statement each time. */
static inline void take_value(sqlite3_stmt *st, int i, struct val *to)
{
    sqlite3_value *v = sqlite3_column_value(st, i); /* unprotected, but no other thread has the database */

    switch (sqlite3_value_type(v)) {
    case SQLITE_INTEGER:
        val_put_int(to, sqlite3_value_int64(v));
        break;
    case SQLITE_FLOAT:
        val_put_real(to, sqlite3_value_double(v));
        break;
    case SQLITE_TEXT:
        put_bytes(to, st, i, sqlite3_column_text(st, i));
        break;
    case SQLITE_BLOB:
        put_bytes(to, st, i, sqlite3_column_blob(st, i));
        break;
    default:
        to->t = VAL_NULL;
    }
}

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

/* The row's texts are SQLite's: they move to the batch. false: the batch is full, or there is no memory. */
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
        b->rc = SQLITE_NOMEM;
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
    b->rc = SQLITE_ROW;
    while (b->rows < r->rows_most) {
        if (!r->pending && (b->rc = sqlite3_step(r->st)) != SQLITE_ROW)
            return;
        r->pending = true;
        struct val *v = b->v + b->rows * r->n;
        for (size_t k = 0; k < r->n; k++)
            take_value(r->st, (int)k, &v[k]);
        /* a text that could not be made UTF-8 was given as NULL */
        if (sqlite3_errcode(sqlite3_db_handle(r->st)) == SQLITE_NOMEM) {
            b->rc = SQLITE_NOMEM;
            return;
        }
        if (!take_texts(b, v, r->n))
            return;
        r->pending = false;
        b->rows++;
    }
}

static void read_ahead(void *arg)
{
    struct reading *r = arg;
    struct batch *b;
    int rc = SQLITE_ROW;

    while (rc == SQLITE_ROW && (b = relay_take(r->relay)) != NULL) {
        fill(r, b);
        rc = b->rc;
        relay_give(r->relay, 0);
    }
}

/* ---- using ---- */

static int use(const struct reading *r, const struct batch *b, foreign_row_fn *fn, void *arg, struct err *e)
{
    for (size_t i = 0; i < b->rows; i++)
        if (fn(arg, b->v + i * r->n, r->n, e))
            return e->code;
    return OK;
}

static bool make(const struct reading *r, struct batch *b)
{
    b->v = malloc(r->rows_most * r->n * sizeof *b->v);
    return b->v != NULL;
}

/* Without a thread all goes on in this one. */
static int use_all(struct reading *r, foreign_row_fn *fn, void *arg, int *rc, struct err *e)
{
    bool ahead = make(r, &r->b[1]) && make(r, &r->b[2]) &&
                 relay_new(&r->relay, r->b, BATCHES, sizeof *r->b, e) == OK &&
                 relay_start(r->relay, read_ahead, r);
    struct batch *b;

    while (!e->code && *rc == SQLITE_ROW) {
        if (ahead) {
            if (!(b = relay_next(r->relay)))
                break;
        } else {
            b = &r->b[0];
            fill(r, b);
        }
        *rc = b->rc;
        (void)!use(r, b, fn, arg, e);
    }
    relay_free(r->relay);
    return e->code;
}

int foreign_rows(sqlite3_stmt *st, foreign_row_fn *fn, void *arg, int *rc, struct err *e)
{
    struct reading r = { .st = st, .n = (size_t)sqlite3_column_count(st) };

    *rc = SQLITE_DONE;
    if (!r.n || r.n > FOREIGN_COLUMNS)
        return OK;
    r.rows_most = VALUES / r.n;
    if (!make(&r, &r.b[0])) {
        err_nomem(e);
    } else {
        fill(&r, &r.b[0]);
        *rc = r.b[0].rc;
        if (use(&r, &r.b[0], fn, arg, e) == OK && *rc == SQLITE_ROW)
            (void)!use_all(&r, fn, arg, rc, e);
    }
    for (size_t i = 0; i < BATCHES; i++) {
        free(r.b[i].v);
        free(r.b[i].text);
    }
    return e->code;
}
