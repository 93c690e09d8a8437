/* SPDX-License-Identifier: Apache-2.0 */
/* The slow link of a job (doc/rules.md#verdict). */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/peers_int.h"
#include "base/grow.h"
#include "model/links.h"

#define OTHERS      2     /* links to compare with, at least */
#define LEAST_SHARE 0.005 /* of a step that is lost over it */
#define KINDS_MOST  8

struct link {
    int recorder;
    struct peer_link l;
    double size_b, time_ns;
    size_t order; /* of reading */
};

struct links {
    struct link *v; /* by ends and transport, once all are there */
    size_t n, cap;
    bool *taken; /* ranks of the peers that an earlier store had */
    struct kind {
        const char *transport;
        double sum; /* of rates */
        size_t n;
    } kind[KINDS_MOST];
    size_t n_kinds;
};

static int add_link(struct links *x, const struct query *q, struct err *e)
{
    struct link k = { .recorder = (int)query_int(q, 0),
                      .l = { .from = (int)query_int(q, 1), .to = (int)query_int(q, 2) },
                      .size_b = query_real(q, 4),
                      .time_ns = query_real(q, 5) };

    str_copy(query_str(q, 3), k.l.transport, sizeof k.l.transport);
    k.l.rate = k.size_b * 1e9 / k.time_ns;
    k.order = x->n;
    struct link *v = grow_array(x->v, x->n, &x->cap, sizeof *v, 64);
    if (!v)
        return err_nomem(e);
    x->v = v;
    v[x->n++] = k;
    return OK;
}

static int read_links(struct links *x, const struct peers *p, struct store *s, struct err *e)
{
    struct query *q = NULL;
    bool *here = calloc(p->n + 1, sizeof *here);

    if (!here)
        return err_nomem(e);
    if (store_query(
            s, &q,
            "SELECT rank, from_rank, to_rank, transport, size_b, time_ns FROM rank_link WHERE size_b > 0 "
            "AND time_ns > 0 AND from_rank <> to_rank AND transport <> 'LOCAL' ORDER BY 1, 2, 3, 4",
            e) == OK) {
        while (query_step(q, e) == 1) {
            size_t at = peers_find(p, query_int(q, 0));
            if (at == SIZE_MAX || x->taken[at])
                continue;
            here[at] = true;
            if (add_link(x, q, e))
                break;
        }
        query_free(q);
    }
    for (size_t i = 0; i < p->n; i++)
        x->taken[i] |= here[i];
    free(here);
    return e->code;
}

/* ---- comparing ---- */

static int by_ends(const struct peer_link *a, const struct peer_link *b)
{
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    return strcmp(a->transport, b->transport);
}

static int link_cmp(const void *a, const void *b)
{
    const struct link *x = a, *y = b;
    int c = by_ends(&x->l, &y->l);

    return c ? c : x->order < y->order ? -1 : x->order > y->order;
}

static int ends_cmp(const void *a, const void *b)
{
    const struct link *x = a, *y = b;

    return by_ends(&x->l, &y->l);
}

/* Sort them. What several ranks recorded of a link is the same traffic: the first record counts. */
static void sort_links(struct links *x)
{
    size_t n = 0;

    if (x->n)
        qsort(x->v, x->n, sizeof *x->v, link_cmp);
    for (size_t i = 0; i < x->n; i++)
        if (!n || by_ends(&x->v[n - 1].l, &x->v[i].l) != 0)
            x->v[n++] = x->v[i];
    x->n = n;
}

/* NULL: there are too many. */
static struct kind *kind_of(struct links *x, const char *transport)
{
    for (size_t i = 0; i < x->n_kinds; i++)
        if (strcmp(x->kind[i].transport, transport) == 0)
            return &x->kind[i];
    if (x->n_kinds == KINDS_MOST)
        return NULL;
    x->kind[x->n_kinds].transport = transport;
    return &x->kind[x->n_kinds++];
}

static void sum_kinds(struct links *x)
{
    for (size_t i = 0; i < x->n; i++) {
        struct kind *k = kind_of(x, x->v[i].l.transport);
        if (!k)
            continue;
        k->sum += x->v[i].l.rate;
        k->n++;
    }
}

/* The same link the other way; NULL: there is none. */
static const struct link *way_back(const struct links *x, const struct peer_link *l)
{
    struct link key = { .l = *l };

    key.l.from = l->to;
    key.l.to = l->from;
    return x->n ? bsearch(&key, x->v, x->n, sizeof *x->v, ends_cmp) : NULL;
}

/* Mean of the other links of the same transport; NAN: there are too few. */
static double others_rate(struct links *x, const struct peer_link *l)
{
    const struct kind *k = kind_of(x, l->transport);
    const struct link *back = way_back(x, l);
    size_t mine = back ? 2 : 1;

    if (!k || k->n < mine + OTHERS)
        return NAN;
    return (k->sum - l->rate - (back ? back->l.rate : 0)) / (double)(k->n - mine);
}

/* How much longer a step's transfers over the link take than over the others. */
static double lost_ns(const struct peers *p, const struct link *k, double others)
{
    size_t at = peers_find(p, k->recorder);
    uint64_t steps = at == SIZE_MAX ? 0 : p->v[at].steps;

    return steps ? (k->time_ns - k->size_b * 1e9 / others) / (double)steps : (double)NAN;
}

static bool choose(const struct peers *p, struct links *x, struct peer_link *out)
{
    bool any = false;

    sort_links(x);
    sum_kinds(x);
    for (size_t i = 0; i < x->n; i++) {
        struct peer_link l = x->v[i].l;
        l.others = others_rate(x, &l);
        if (!(l.rate < LINKS_SLOW * l.others))
            continue;
        l.ns = lost_ns(p, &x->v[i], l.others);
        if (!(l.ns >= LEAST_SHARE * p->p50_ns) || (any && l.ns <= out->ns))
            continue;
        *out = l;
        any = true;
    }
    const struct link *back = any ? way_back(x, out) : NULL;
    out->both = back && back->l.rate < LINKS_SLOW * out->others;
    return any;
}

bool peers_slow_link(const struct peers *p, struct session *s, struct peer_link *out)
{
    struct links x = { .taken = calloc(p->n + 1, sizeof *x.taken) };
    struct err e = ERR_INIT;

    *out = (struct peer_link){ .from = -1, .to = -1, .rate = NAN, .others = NAN, .ns = NAN };
    for (size_t i = 0; x.taken && i < peers_n_stores(s) && !e.code; i++)
        if (peers_store(s, i))
            (void)!read_links(&x, p, peers_store(s, i), &e);
    bool is = x.taken && !e.code && choose(p, &x, out);
    free(x.taken);
    free(x.v);
    return is;
}
