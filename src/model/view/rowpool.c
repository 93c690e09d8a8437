/* SPDX-License-Identifier: Apache-2.0 */
/* The pool of rowsets, which frees columns and rowsets when it grows too large. */
#include "config.h"

#include "model/view/rowset_int.h"
#include "model/view/slice.h"
#include "model/views/colset.h"
#include <stdlib.h>

#define MAX_IDLE 16 /* rowsets kept without a view */

int rowpool_new(struct rowpool **out, size_t limit_b, struct err *e)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return err_nomem(e);
    (*out)->limit = limit_b;
    return OK;
}

void rowpool_free(struct rowpool *p)
{
    if (!p)
        return;
    while (p->list) {
        struct rowset *r = p->list;
        p->list = r->next;
        rowset_free(r);
    }
    free(p);
}

static void unlink_free(struct rowset **at)
{
    struct rowset *r = *at;

    *at = r->next;
    rowset_free(r);
}

/*
 * Link of the list to the rowset that no view has open and that was closed longest ago; *n counts the rowsets
 * that no view has open.
 */
static struct rowset **oldest_idle(struct rowpool *p, size_t *n)
{
    struct rowset **found = NULL;

    *n = 0;
    for (struct rowset **at = &p->list; *at; at = &(*at)->next) {
        if ((*at)->refs)
            continue;
        ++*n;
        if (!found || (*at)->used_at < (*found)->used_at)
            found = at;
    }
    return found;
}

void rowpool_forget(struct rowpool *p, const struct store *s)
{
    for (struct rowset **at = &p->list; *at;) {
        if ((*at)->part.store == s)
            unlink_free(at);
        else
            at = &(*at)->next;
    }
}

/* The definitions of the program outlive every rowset; one that somebody made lives as long as its view. */
static bool is_lasting(const struct view_def *d)
{
    for (size_t i = 0; i < view_n_defs; i++)
        if (view_defs[i] == d)
            return true;
    return false;
}

void rowset_close(struct rowset *r)
{
    if (!r || --r->refs)
        return;
    r->used_at = ++r->pool->clock;
    if (!r->numbered && is_lasting(r->def)) { /* kept for the next view */
        size_t n;
        struct rowset **oldest = oldest_idle(r->pool, &n);
        if (n > MAX_IDLE)
            unlink_free(oldest);
        return;
    }
    for (struct rowset **at = &r->pool->list; *at; at = &(*at)->next)
        if (*at == r) {
            unlink_free(at);
            return;
        }
}

/*
 * Find the column of r (or of its joined table) used longest ago, when that is earlier than *best. Columns
 * used since the last trimming are in use now: they stay even above the limit.
 */
static void oldest_column(struct rowset *r, struct rowset **owner, size_t *col, uint64_t *best)
{
    for (size_t i = 0; i < r->n_slots; i++)
        if (r->slots[i].ready && !r->slots[i].pins && r->slots[i].used_at < *best) {
            *best = r->slots[i].used_at;
            *owner = r;
            *col = i;
        }
    if (r->dim)
        oldest_column(r->dim, owner, col, best);
}

void rowpool_trim(struct rowpool *p)
{
    while (p->used > p->limit) {
        struct rowset *owner = NULL;
        size_t col = 0;
        uint64_t best = p->trimmed;
        for (struct rowset *r = p->list; r; r = r->next)
            oldest_column(r, &owner, &col, &best);
        if (owner) {
            rowset_drop(owner, col);
            continue;
        }
        size_t idle;
        struct rowset **oldest = oldest_idle(p, &idle);
        if (!oldest)
            break;
        unlink_free(oldest);
    }
    p->trimmed = ++p->clock;
}

size_t rowpool_used(const struct rowpool *p)
{
    return p->used;
}

bool rowpool_has_room(const struct rowpool *p, size_t n)
{
    return p->used + n * 12 <= p->limit;
}
