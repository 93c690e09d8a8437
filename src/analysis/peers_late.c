/* SPDX-License-Identifier: Apache-2.0 */
/* Which rank the others of a job wait for, and in which op. */
#include "config.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/peers_int.h"

#define LATE_NOISE  0.002 /* of a step: that is none */
#define LATE_LEAST  0.01  /* of a step: below that ranks differ anyway */
#define LATE_STEPS  3     /* recorded, at least */
#define LATE_OFTEN  0.75  /* of the steps */
#define LATE_OTHERS 0.5   /* another rank is late by at most so much of it */
#define LATE_WHY    0.5   /* computing or preparing accounts for at least so much */

/* ---- who is late ---- */

/* Median of n sorted values without the i-th. */
static double median_but(const double *v, size_t n, size_t i)
{
    size_t m = n - 1, a = (m - 1) / 2, b = m / 2;

    a += a >= i;
    b += b >= i;
    return (v[a] + v[b]) / 2;
}

struct value {
    double v;
    size_t peer;
};

static int value_cmp(const void *a, const void *b)
{
    double x = ((const struct value *)a)->v, y = ((const struct value *)b)->v;
    return x < y ? -1 : x > y;
}

/*
 * How far each rank lies above the median of the others, mean of the steps; fewer than two ranks: NAN.
 * v(r, peer, step): the values; least (may be NULL): the share of the steps in which the rank has the least.
 */
static int above(const struct peers *p, const double *v, size_t each, size_t n, double *out, double *least,
                 struct err *e)
{
    struct value *x = malloc((p->n ? p->n : 1) * sizeof *x);
    double *sorted = malloc((p->n ? p->n : 1) * sizeof *sorted);
    size_t *steps = calloc(p->n ? p->n : 1, sizeof *steps);

    for (size_t i = 0; i < p->n; i++) {
        out[i] = 0;
        if (least)
            least[i] = 0;
    }
    for (size_t s = 0; x && sorted && steps && s < n; s++) {
        size_t k = 0;
        for (size_t i = 0; i < p->n; i++)
            if (!isnan(v[i * each + s]))
                x[k++] = (struct value){ v[i * each + s], i };
        qsort(x, k, sizeof *x, value_cmp);
        for (size_t i = 0; i < k; i++)
            sorted[i] = x[i].v;
        for (size_t i = 0; k > 1 && i < k; i++) {
            out[x[i].peer] += x[i].v - median_but(sorted, k, i);
            steps[x[i].peer]++;
            if (least && !i && x[1].v > x[0].v)
                least[x[i].peer] += 1;
        }
    }
    for (size_t i = 0; steps && i < p->n; i++) {
        out[i] = steps[i] ? out[i] / (double)steps[i] : (double)NAN;
        if (least)
            least[i] = steps[i] ? least[i] / (double)steps[i] : (double)NAN;
    }
    int rc = x && sorted && steps ? OK : err_nomem(e);
    free(x);
    free(sorted);
    free(steps);
    return rc;
}

/* Values of the ranks, one each, instead of one a step. */
static void gather(const struct peers *p, size_t offset, double *v)
{
    for (size_t i = 0; i < p->n; i++)
        memcpy(&v[i], (const char *)&p->v[i] + offset, sizeof *v);
}

/* Sums are compared only where all ranks did the same number of steps. */
static bool same_steps(const struct peers *p)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->v[i].steps != p->v[0].steps)
            return false;
    return true;
}

static bool any(const double *v, size_t n)
{
    size_t k = 0;

    for (size_t i = 0; i < n; i++)
        k += isnan(v[i]) ? 0 : 1;
    return k > 1;
}

struct gaps {
    double *comm, *least, *compute, *prep, *v;
};

/* Step by step where the files say it, else by what a rank did in all. */
static int compare_part(const struct reading *r, size_t of, const size_t *totals, size_t n_totals,
                        double *out, double *least, double *v, struct err *e)
{
    const struct peers *p = r->p;
    size_t each = N_ROW * p->n_steps, n = p->n_steps - p->skip;

    if (above(p, r->kinds + of * p->n_steps + p->skip, each, n, out, least, e) || any(out, p->n))
        return e->code;
    for (size_t i = 0; i < n_totals && same_steps(p); i++) {
        gather(p, totals[i], v);
        if (above(p, v, 1, 1, out, NULL, e) || any(out, p->n))
            break;
    }
    for (size_t i = 0; least && i < p->n; i++)
        least[i] = NAN;
    return e->code;
}

static double most(double a, double b)
{
    return isnan(a) || b > a ? b : a;
}

static int compare(const struct reading *r, const struct gaps *g, struct err *e)
{
    static const size_t comm[] = { offsetof(struct peer, part_ns[PEER_COMM]),
                                   offsetof(struct peer, comm_ns) };
    static const size_t compute[] = { offsetof(struct peer, part_ns[PEER_COMPUTE]),
                                      offsetof(struct peer, device_ns) };
    struct peers *p = r->p;

    if (compare_part(r, PEER_COMM, comm, ARRAY_LEN(comm), g->comm, g->least, g->v, e) ||
        compare_part(r, PEER_COMPUTE, compute, ARRAY_LEN(compute), g->compute, NULL, g->v, e) ||
        compare_part(r, PEER_PREP, NULL, 0, g->prep, NULL, g->v, e))
        return e->code;
    for (size_t i = 0; i < p->n; i++) {
        struct peer *k = &p->v[i];
        double why = most(g->compute[i], g->prep[i]), less = -g->comm[i];
        k->late_compute_ns = g->compute[i];
        k->late_prep_ns = g->prep[i];
        k->late_steps = g->least[i];
        if (isnan(why) || isnan(less))
            continue;
        k->late_ns = less < why ? less : why;
        /* what waits may be hidden by computing where only sums are known */
        if (k->late_ns <= LATE_NOISE * k->step_ns || (!isnan(g->least[i]) && why < LATE_WHY * less))
            k->late_ns = 0;
    }
    return OK;
}

int peers_compare(const struct reading *r, struct err *e)
{
    size_t n = r->p->n;
    double *v = peers_nans(5 * n);
    const struct gaps g = { v, v + n, v + 2 * n, v + 3 * n, v + 4 * n };

    if (!v)
        return err_nomem(e);
    int rc = n > 1 ? compare(r, &g, e) : OK;
    free(v);
    return rc;
}

size_t peers_late(const struct peers *p)
{
    size_t at = SIZE_MAX;
    double next = 0;

    for (size_t i = 0; i < p->n; i++)
        if (!isnan(p->v[i].late_ns) && (at == SIZE_MAX || p->v[i].late_ns > p->v[at].late_ns))
            at = i;
    for (size_t i = 0; i < p->n; i++)
        if (i != at && p->v[i].late_ns > next)
            next = p->v[i].late_ns;
    if (at == SIZE_MAX || p->n_steps - p->skip < LATE_STEPS)
        return SIZE_MAX;
    const struct peer *k = &p->v[at];
    bool is = k->late_ns >= LATE_LEAST * k->step_ns && next <= LATE_OTHERS * k->late_ns &&
              (isnan(k->late_steps) || k->late_steps >= LATE_OFTEN);
    return is ? at : SIZE_MAX;
}

/* ---- in which op ---- */

struct op_sum { /* an op of the late rank, and the sums of the others that have it among their longest */
    char name[256];
    double mine, *others; /* by place in the job, NAN: none; lost_in() puts the n there are first, in order */
    size_t n;
};
#define OPS_MAX 64

static int op_cmp(const void *a, const void *b)
{
    return strcmp(((const struct op_sum *)a)->name, ((const struct op_sum *)b)->name);
}

static const char ops_sql[] =
    "SELECT o.rank, n.text, o.total_ns FROM rank_op o JOIN string n ON n.id = o.name_id "
    "WHERE o.by = 'op' AND (:rank IS NULL OR o.rank = :rank)";

static int read_mine(struct store *s, int rank, struct op_sum *v, size_t *n, struct err *e)
{
    struct query *q = NULL;

    if (store_query(s, &q, ops_sql, e))
        return e->code;
    query_bind_int(q, ":rank", rank);
    while (*n < OPS_MAX && query_step(q, e) == 1) {
        str_copy(query_str(q, 1), v[*n].name, sizeof v[*n].name);
        v[(*n)++].mine = query_real(q, 2);
    }
    query_free(q);
    qsort(v, *n, sizeof *v, op_cmp);
    return e->code;
}

static int read_others(const struct peers *p, struct store *s, int but, struct op_sum *v, size_t n,
                       struct err *e)
{
    struct query *q = NULL;
    struct op_sum key = { .n = 0 };

    if (store_query(s, &q, ops_sql, e))
        return e->code;
    while (query_step(q, e) == 1) {
        str_copy(query_str(q, 1), key.name, sizeof key.name);
        struct op_sum *o = bsearch(&key, v, n, sizeof *v, op_cmp);
        size_t at = peers_find(p, query_int(q, 0)); /* in the overview, and in a store of its own */
        if (o && query_int(q, 0) != but && at != SIZE_MAX)
            o->others[at] = query_real(q, 2);
    }
    query_free(q);
    return e->code;
}

/* What the rank loses in an op: against the median of at least half of the others. */
static double lost_in(const struct peers *p, struct op_sum *o)
{
    for (size_t i = 0; i < p->n; i++)
        if (!isnan(o->others[i]))
            o->others[o->n++] = o->others[i];
    if (o->n < (p->n - 1 + 1) / 2 || !o->n)
        return 0;
    qsort(o->others, o->n, sizeof *o->others, peers_real_cmp);
    double d = o->mine - (o->others[(o->n - 1) / 2] + o->others[o->n / 2]) / 2;
    return d > 0 ? d : 0;
}

static int late_op(const struct peers *p, struct session *s, size_t at, struct op_sum *v, struct peer_op *op,
                   struct err *e)
{
    const struct peer *k = &p->v[at];
    double worst = 0;
    size_t n = 0;

    for (size_t i = 0; i < peers_n_stores(s) && !n; i++)
        if (peers_store(s, i) && read_mine(peers_store(s, i), k->rank, v, &n, e))
            return e->code;
    for (size_t i = 0; i < n; i++)
        if (!(v[i].others = peers_nans(p->n)))
            return err_nomem(e);
    for (size_t i = 0; i < peers_n_stores(s) && n; i++)
        if (peers_store(s, i) && read_others(p, peers_store(s, i), k->rank, v, n, e))
            return e->code;
    for (size_t i = 0; i < n; i++) {
        double d = lost_in(p, &v[i]);
        if (d > worst) {
            worst = d;
            memcpy(op->name, v[i].name, sizeof op->name);
        }
    }
    op->ns = k->steps ? worst / (double)k->steps : 0;
    op->share = k->late_compute_ns > 0 ? op->ns / k->late_compute_ns : (double)NAN;
    return OK;
}

bool peers_late_op(const struct peers *p, struct session *s, size_t at, struct peer_op *op)
{
    struct op_sum *v = calloc(OPS_MAX, sizeof *v);
    struct err e = ERR_INIT;

    *op = (struct peer_op){ .share = NAN };
    bool is = v && late_op(p, s, at, v, op, &e) == OK && op->ns > 0;
    for (size_t i = 0; v && i < OPS_MAX; i++)
        free(v[i].others);
    free(v);
    return is;
}
