/* SPDX-License-Identifier: Apache-2.0 */
/* The slow link of a job (doc/rules.md#verdict). */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/peers_int.h"
#include "base/grow.h"

#define SLOW        0.8   /* of the mean of the others */
#define OTHERS      2     /* links to compare with, at least */
#define LEAST_SHARE 0.005 /* of a step that is lost over it */

struct link {
    int recorder;
    struct peer_link l;
    double size_b, time_ns;
};

struct links {
    struct link *v;
    size_t n, cap;
    bool *taken; /* ranks of the peers that an earlier store had */
};

/* What a rank recorded of a link that others recorded, too, is the same traffic. */
static bool is_known(const struct links *x, const struct peer_link *l)
{
    for (size_t i = 0; i < x->n; i++)
        if (x->v[i].l.from == l->from && x->v[i].l.to == l->to && !strcmp(x->v[i].l.transport, l->transport))
            return true;
    return false;
}

static int add_link(struct links *x, const struct query *q, struct err *e)
{
    struct link k = { .recorder = (int)query_int(q, 0),
                      .l = { .from = (int)query_int(q, 1), .to = (int)query_int(q, 2) },
                      .size_b = query_real(q, 4),
                      .time_ns = query_real(q, 5) };

    str_copy(query_str(q, 3), k.l.transport, sizeof k.l.transport);
    k.l.rate = k.size_b * 1e9 / k.time_ns;
    if (is_known(x, &k.l))
        return OK;
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

static bool is_pair(const struct peer_link *a, const struct peer_link *b)
{
    return (a->from == b->from && a->to == b->to) || (a->from == b->to && a->to == b->from);
}

/* Mean of the other links of the same transport; NAN: there are too few. */
static double others_rate(const struct links *x, const struct peer_link *l)
{
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0; i < x->n; i++) {
        const struct peer_link *o = &x->v[i].l;
        if (is_pair(o, l) || strcmp(o->transport, l->transport) != 0)
            continue;
        sum += o->rate;
        n++;
    }
    return n >= OTHERS ? sum / (double)n : (double)NAN;
}

/* How much longer a step's transfers over the link take than over the others. */
static double lost_ns(const struct peers *p, const struct link *k, double others)
{
    size_t at = peers_find(p, k->recorder);
    uint64_t steps = at == SIZE_MAX ? 0 : p->v[at].steps;

    return steps ? (k->time_ns - k->size_b * 1e9 / others) / (double)steps : (double)NAN;
}

static bool choose(const struct peers *p, const struct links *x, struct peer_link *out)
{
    bool any = false;

    for (size_t i = 0; i < x->n; i++) {
        struct peer_link l = x->v[i].l;
        l.others = others_rate(x, &l);
        if (!(l.rate < SLOW * l.others))
            continue;
        l.ns = lost_ns(p, &x->v[i], l.others);
        if (!(l.ns >= LEAST_SHARE * p->p50_ns) || (any && l.ns <= out->ns))
            continue;
        *out = l;
        any = true;
    }
    for (size_t i = 0; any && i < x->n; i++) {
        const struct peer_link *l = &x->v[i].l;
        if (l->from == out->to && l->to == out->from && !strcmp(l->transport, out->transport))
            out->both = l->rate < SLOW * out->others;
    }
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
