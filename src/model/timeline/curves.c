/* SPDX-License-Identifier: Apache-2.0 */
/* Curves and matrices from the store, bucketed. */
#include "config.h"

#include "model/timeline/curves.h"

#include <math.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/lang/tr.h"
#include "model/views/colset.h"

void curves_done(struct curves *c)
{
    for (size_t i = 0; i < c->n_curves; i++) {
        free(c->c[i].v);
        free(c->c[i].x);
    }
    *c = (struct curves){ .n = 0 };
}

static void init(struct curves *c, size_t n)
{
    *c = (struct curves){ .n = n, .peak = NAN, .peak_x = NAN, .capacity = NAN, .fixed = NAN };
}

static struct curve *add_curve(struct curves *c, struct str name, struct err *e)
{
    struct curve *k = &c->c[c->n_curves];

    c->n_curves++;
    *k = (struct curve){ .v = malloc((c->n ? c->n : 1) * sizeof *k->v),
                         .x = malloc((c->n ? c->n : 1) * sizeof *k->x) };
    if (!k->v || !k->x) {
        err_nomem(e);
        return NULL;
    }
    str_copy(name, k->name, sizeof k->name);
    k->capacity = NAN;
    for (size_t i = 0; i < c->n; i++) {
        k->v[i] = NAN;
        k->x[i] = c->x0 + (c->x1 - c->x0) * (double)i / (double)(c->n > 1 ? c->n - 1 : 1);
    }
    return k;
}

static size_t bucket(const struct curves *c, double x)
{
    double span = c->x1 - c->x0;
    double at = span > 0 ? (x - c->x0) / span * (double)(c->n - 1) : 0;

    return at <= 0 ? 0 : at >= (double)(c->n - 1) ? c->n - 1 : (size_t)(at + 0.5);
}

/* A value holds until the next one. */
static void hold(struct curve *k, size_t n)
{
    double last = NAN;

    for (size_t i = 0; i < n; i++) {
        if (isnan(k->v[i]))
            k->v[i] = last;
        last = k->v[i];
    }
}

/*
 * Put x and y of every row of a statement into a curve: a bucket gets its largest value, so that peaks stay
 * visible.
 */
static int fill(struct curves *c, struct curve *k, struct query *q, struct err *e)
{
    int rc;

    while ((rc = query_step(q, e)) == 1) {
        if (query_null(q, 1))
            continue;
        double x = query_real(q, 0), y = query_real(q, 1);
        size_t b = bucket(c, x);
        if (isnan(k->v[b]) || y > k->v[b]) {
            k->v[b] = y;
            k->x[b] = x;
        }
        if (k == &c->c[0] && (isnan(c->peak) || y > c->peak)) {
            c->peak = y;
            c->peak_x = x;
        }
    }
    hold(k, c->n);
    return rc < 0 ? e->code : OK;
}

static int one_curve(struct curves *c, const struct view_part *p, const char *sql, struct str name,
                     int64_t id, struct err *e)
{
    struct query *q = NULL;
    struct curve *k = add_curve(c, name, e);

    if (!k || store_query(p->store, &q, sql, e))
        return e->code;
    query_bind_int(q, ":rank", p->rank);
    query_bind_int(q, ":id", id);
    int rc = fill(c, k, q, e);
    query_free(q);
    return rc;
}

/* First and last x of a statement of two columns; false: no rows. */
static bool span(struct curves *c, const struct view_part *p, const char *sql, int64_t id)
{
    struct err e = ERR_INIT;
    struct query *q = NULL;
    bool any = false;

    if (store_query(p->store, &q, sql, &e) == OK) {
        query_bind_int(q, ":rank", p->rank);
        query_bind_int(q, ":id", id);
        any = query_step(q, &e) == 1 && !query_null(q, 0);
        c->x0 = any ? query_real(q, 0) : 0;
        c->x1 = any ? query_real(q, 1) : 0;
    }
    query_free(q);
    return any;
}

static int node_curves(struct curves *c, const struct view_part *p, int64_t graph, struct err *e)
{
    struct query *q = NULL;

    c->by_node = true;
    if (one_curve(c, p,
                  "SELECT node, used_b FROM mem_node WHERE rank = :rank AND ifnull(graph_id, 0) = "
                  ":id ORDER BY node",
                  str_of(N_("alive")), graph, e) ||
        store_query(p->store, &q, "SELECT capacity_b, static_b FROM mem_total WHERE rank = :rank", e))
        return e->code;
    query_bind_int(q, ":rank", p->rank);
    if (query_step(q, e) == 1) {
        c->capacity = query_null(q, 0) ? (double)NAN : query_real(q, 0);
        c->fixed = query_null(q, 1) ? (double)NAN : query_real(q, 1);
    }
    query_free(q);
    return e->code;
}

/* A pool over time, or over the entries of its trace where they have no times. */
static int pool_curves(struct curves *out, const struct view_part *p, struct err *e)
{
#define OF_POOL " FROM mem_sample WHERE rank = :rank AND component_id = :id"
    static const struct {
        const char *span, *reserved, *allocated;
    } by[] = {
        { "SELECT min(ts_ns), max(ts_ns)" OF_POOL, "SELECT ts_ns, reserved_b" OF_POOL " ORDER BY ts_ns",
          "SELECT ts_ns, allocated_b" OF_POOL " ORDER BY ts_ns" },
        { "SELECT min(line), max(line)" OF_POOL, "SELECT line, reserved_b" OF_POOL " ORDER BY line",
          "SELECT line, allocated_b" OF_POOL " ORDER BY line" },
    };
#undef OF_POOL
    int64_t origin, first, last;
    bool is_unix;
    int64_t pool = store_int(p->store, -1, "SELECT " CURVES_POOL_SQL, ":rank", p->rank, NULL);

    if (pool < 0)
        return OK;
    out->by_entry = !span(out, p, by[0].span, pool);
    if (out->by_entry && !span(out, p, by[1].span, pool))
        return OK;
    bool process =
        store_int(p->store, 0, "SELECT " STORE_IS_PROCESS("m") " FROM (SELECT :id AS component_id) m", ":id",
                  pool, NULL) == 1;
    if (one_curve(out, p, by[out->by_entry].reserved, process ? STR("process") : STR("reserved"), pool, e))
        return e->code;
    if (!process && one_curve(out, p, by[out->by_entry].allocated, STR("allocated"), pool, e))
        return e->code;
    str_copy(store_string(p->store, pool), out->pool, sizeof out->pool);
    if (!out->by_entry && store_rank_clock(p->store, p->rank, &origin, &first, &last, &is_unix)) {
        out->peak_known = !isnan(out->peak_x);
        out->peak_ns = out->peak_known ? (int64_t)out->peak_x : 0;
        out->first_ns = first;
        out->x0 -= (double)first;
        out->x1 -= (double)first;
        out->peak_x -= (double)first;
        for (size_t i = 0; i < out->n_curves; i++)
            for (size_t b = 0; b < out->n; b++)
                out->c[i].x[b] -= (double)first;
        out->origin_ns = store_int(p->store, 0, "SELECT " CURVES_ORIGIN_SQL, NULL);
        out->coarse = store_int(p->store, 0,
                                "SELECT EXISTS (SELECT 1 FROM mem_alloc WHERE rank = :rank AND alloc_ns "
                                "IS NOT NULL) AND " CURVES_COARSE_SQL,
                                ":rank", p->rank, NULL) == 1;
    }
    return OK;
}

/* As AS_COARSE of model/views/colset_mem.c. */
int64_t curves_moment(const struct curves *c, int64_t at_ns)
{
    static const int64_t ns[] = { 0, 200, 500, 800 };
    int64_t t;

    if (!c->coarse || __builtin_add_overflow(at_ns, c->origin_ns, &t) || t < 0 || t > INT64_MAX - 125)
        return at_ns;
    const int64_t quarter = (t + 125) / 250 - ((t + 125) % 500 == 250);
    return quarter / 4 * 1000 + ns[quarter % 4] - c->origin_ns;
}

int curves_memory(struct curves *out, const struct view_part *p, size_t n, struct err *e)
{
    int64_t rank = p->rank;

    init(out, n);
    int64_t graph = store_int(p->store, -1, "SELECT " CURVES_GRAPH_SQL, ":rank", rank, NULL);
    if (n && graph >= 0 &&
        span(out, p,
             "SELECT min(node), max(node) FROM mem_node WHERE rank = :rank AND ifnull(graph_id, 0) "
             "= :id",
             graph))
        return node_curves(out, p, graph, e);
    return n ? pool_curves(out, p, e) : OK;
}

static int queue_curve(struct curves *out, const struct view_part *p, struct str queue, double capacity,
                       double samples, struct err *e)
{
    struct query *q = NULL;
    struct curve *k = add_curve(out, queue, e);
    double i = 0;

    if (!k || store_query(p->store, &q,
                          "SELECT 0, size FROM queue_sample WHERE rank = :rank AND queue = :queue "
                          "ORDER BY seq, rowid",
                          e))
        return e->code;
    k->capacity = capacity;
    query_bind_int(q, ":rank", p->rank);
    query_bind_text(q, ":queue", queue);
    double *sum = calloc(out->n, sizeof *sum), *count = calloc(out->n, sizeof *count);
    if (!sum || !count)
        err_nomem(e);
    while (!e->code && query_step(q, e) == 1) {
        size_t b = (size_t)(i++ * (double)out->n / (samples > 0 ? samples : 1));
        if (b >= out->n || query_null(q, 1))
            continue;
        sum[b] += query_real(q, 1);
        count[b]++;
    }
    for (size_t b = 0; !e->code && b < out->n; b++)
        k->v[b] = count[b] > 0 ? sum[b] / count[b] : (double)NAN;
    if (!e->code)
        hold(k, out->n);
    free(sum);
    free(count);
    query_free(q);
    return e->code;
}

int curves_queues(struct curves *out, const struct view_part *p, size_t n, struct err *e)
{
    struct query *q = NULL;
    int rc;

    init(out, n);
    if (store_query(
            p->store, &q,
            "SELECT queue, max(capacity), count(*), " COLSET_CONNECTS(
                "queue") " FROM queue_sample WHERE rank = :rank "
                         "AND size IS NOT NULL GROUP BY queue ORDER BY queue LIKE 'connector%', queue",
            e))
        return e->code;
    query_bind_int(q, ":rank", p->rank);
    while (n && out->n_curves < CURVES_MAX && (rc = query_step(q, e)) == 1) {
        double samples = query_real(q, 2);
        if (queue_curve(out, p, query_str(q, 0), query_null(q, 1) ? (double)NAN : query_real(q, 1), samples,
                        e))
            break;
        struct curve *k = &out->c[out->n_curves - 1];
        str_copy(query_null(q, 3) ? STR_NULL : query_str(q, 3), k->between, sizeof k->between);
        if (samples > out->x1)
            out->x1 = samples;
    }
    query_free(q);
    return e->code;
}
