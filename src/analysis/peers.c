/* SPDX-License-Identifier: Apache-2.0 */
/* The ranks of a job side by side: reading, and what follows from comparing them. */
#include "config.h"

#include "analysis/peers_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/percentile.h"
#include "model/views/colset.h"

#define ROWS_MAX 200000 /* steps of ranks that are read, the last ones */

struct step_row {
    size_t peer;
    int64_t step;
    double v[N_ROW];
};

/* ---- reading ---- */

static int rank_cmp(const void *a, const void *b)
{
    int x = ((const struct peer *)a)->rank, y = ((const struct peer *)b)->rank;
    return x < y ? -1 : x > y;
}

static void begin_peer(struct peer *k, int rank, size_t index)
{
    *k = (struct peer){ .rank = rank,
                        .index = index,
                        .step_ns = NAN,
                        .prep = NAN,
                        .wait_ns = NAN,
                        .comm_ns = NAN,
                        .peak_b = NAN,
                        .capacity_b = NAN,
                        .device_ns = NAN,
                        .late_ns = NAN,
                        .late_compute_ns = NAN,
                        .late_prep_ns = NAN,
                        .late_steps = NAN };
    for (size_t i = 0; i < N_PEER_PARTS; i++)
        k->part_ns[i] = NAN;
}

/* In the order of the values of struct step_row. */
static const char steps_sql[] =
    "SELECT s.rank, s.step, s.computing_ns, s.comm_not_overlapped_ns, CASE WHEN s.computing_ns IS NULL THEN "
    "s.fp_bp_ns END, CASE WHEN s.computing_ns IS NULL THEN s.tail_ns END, ifnull(s.preparing_ns, "
    "s.interval_ns), " COLSET_STEP_IDLE ", " COLSET_STEP_NS
    ", s.preparing_ns IS NOT NULL FROM step s WHERE s.complete IS NOT 0 AND s.step IS NOT NULL AND s.step > "
    "(SELECT max(step) FROM step) - :keep";

static int take_step(struct reading *r, const struct query *q, struct err *e)
{
    size_t at = peers_find(r->p, query_int(q, 0));

    if (at == SIZE_MAX || r->taken[at])
        return OK;
    struct step_row *v = grow_array(r->rows, r->n_rows, &r->cap, sizeof *v, 256);
    if (!v)
        return err_nomem(e);
    r->rows = v;
    v += r->n_rows++;
    v->peer = at;
    v->step = query_int(q, 1);
    for (size_t i = 0; i < N_ROW; i++)
        v->v[i] = query_null(q, i + 2) ? (double)NAN : query_real(q, i + 2);
    r->prepared |= query_int(q, N_ROW + 2);
    return OK;
}

static int read_steps(struct reading *r, struct store *s, struct err *e)
{
    struct query *q = NULL;

    if (store_query(s, &q, steps_sql, e))
        return e->code;
    query_bind_int(q, ":keep", (int64_t)(ROWS_MAX / (r->p->n ? r->p->n : 1)) + 1);
    while (query_step(q, e) == 1)
        if (take_step(r, q, e))
            break;
    query_free(q);
    return e->code;
}

static double real(const struct query *q, size_t col)
{
    return query_null(q, col) ? (double)NAN : query_real(q, col);
}

static const char totals_sql[] =
    "SELECT t.rank, t.step_wait_ns, t.peak_mem_b, t.capacity_b, n.whole, "
    "t.compute_ns * 1.0 / n.whole, t.comm_alone_ns * 1.0 / n.whole, t.idle_ns * 1.0 / n.whole, "
    "o.total * 1.0 / n.whole, c.total * 1.0 / n.whole, t.peak_mem_of FROM rank_total t "
    "LEFT JOIN (SELECT rank, nullif(sum(complete IS NOT 0), 0) AS whole FROM step WHERE step IS NOT NULL "
    "GROUP BY rank HAVING sum(complete = 0) IS NOT 1) n ON n.rank = t.rank "
    "LEFT JOIN (SELECT rank, sum(total_ns) AS total FROM rank_op WHERE by = 'all' GROUP BY rank) o "
    "ON o.rank = t.rank "
    "LEFT JOIN (SELECT rank, sum(total_ns) AS total FROM rank_comm GROUP BY rank) c ON c.rank = t.rank";

static int read_totals(struct reading *r, struct store *s, struct err *e)
{
    struct query *q = NULL;

    if (store_query(s, &q, totals_sql, e))
        return e->code;
    while (query_step(q, e) == 1) {
        size_t at = peers_find(r->p, query_int(q, 0));
        if (at == SIZE_MAX || r->taken[at])
            continue;
        struct peer *k = &r->p->v[at];
        r->seen[at] = true;
        k->wait_ns = real(q, 1);
        k->peak_b = real(q, 2);
        k->capacity_b = real(q, 3);
        k->part_ns[PEER_COMPUTE] = real(q, 5);
        k->part_ns[PEER_COMM] = real(q, 6);
        k->part_ns[PEER_IDLE] = real(q, 7);
        k->device_ns = real(q, 8);
        k->comm_ns = real(q, 9);
        str_copy(query_str(q, 10), k->peak_of, sizeof k->peak_of);
    }
    query_free(q);
    return e->code;
}

/* Sums of an op type over the stores; those that do not fit are among the shortest of their store. */
static void add_type(struct peer_types *t, struct str name, struct str core, double ns)
{
    for (size_t i = 0; i < t->n; i++)
        if (str_eq(name, str_of(t->v[i].name))) {
            t->v[i].ns += ns;
            return;
        }
    if (t->n == PEER_OPS)
        return;
    struct peer_op *o = &t->v[t->n++];
    str_copy(name, o->name, sizeof o->name);
    str_copy(core, o->core, sizeof o->core);
    o->ns = ns;
}

#define ALL_RANKS (-1)

/* Of one rank, or of all that the store has. */
static int read_types(struct peer_types *t, struct store *s, int rank, struct err *e)
{
    struct query *q = NULL;

    if (store_query(
            s, &q,
            "SELECT (SELECT text FROM string WHERE id = type_id), total, by, core FROM (SELECT type_id, "
            "sum(total_ns) AS total, by, core, max(total_ns) FROM rank_op " /* core: of the longest */
            "WHERE by IN ('type', 'all') AND :rank IN (rank, -1) GROUP BY by, type_id) ORDER BY total DESC",
            e))
        return e->code;
    query_bind_int(q, ":rank", rank);
    while (query_step(q, e) == 1)
        if (str_eq(query_str(q, 2), STR("all")))
            t->all_ns += query_real(q, 1);
        else if (!query_null(q, 0))
            add_type(t, query_str(q, 0), query_str(q, 3), query_real(q, 1));
    query_free(q);
    return e->code;
}

static int type_cmp(const void *a, const void *b)
{
    double x = ((const struct peer_op *)a)->ns, y = ((const struct peer_op *)b)->ns;
    return x < y ? 1 : x > y ? -1 : 0;
}

static void finish_types(struct peer_types *t)
{
    qsort(t->v, t->n, sizeof *t->v, type_cmp);
    for (size_t i = 0; i < t->n; i++)
        t->v[i].share = t->all_ns > 0 ? t->v[i].ns / t->all_ns : (double)NAN;
}

int peers_types_of(struct peer_types *out, struct store *s, int rank, struct err *e)
{
    *out = (struct peer_types){ 0 };
    if (read_types(out, s, rank, e) == OK)
        finish_types(out);
    return e->code;
}

/* A rank is read from the first store that has steps or totals of it. */
static int read_store(struct reading *r, struct store *s, struct err *e)
{
    size_t before = r->n_rows;

    if (read_steps(r, s, e) || read_totals(r, s, e) || read_types(&r->p->types, s, ALL_RANKS, e))
        return e->code;
    for (size_t i = before; i < r->n_rows; i++)
        r->seen[r->rows[i].peer] = true;
    memcpy(r->taken, r->seen, r->p->n * sizeof *r->taken);
    return OK;
}

/* ---- steps in order ---- */

static int int_cmp(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static int number_steps(struct reading *r, struct err *e)
{
    struct peers *p = r->p;
    size_t n = 0, most = ROWS_MAX / (p->n ? p->n : 1) + 1;

    p->step = malloc((r->n_rows ? r->n_rows : 1) * sizeof *p->step);
    if (!p->step)
        return err_nomem(e);
    for (size_t i = 0; i < r->n_rows; i++)
        p->step[i] = r->rows[i].step;
    qsort(p->step, r->n_rows, sizeof *p->step, int_cmp);
    for (size_t i = 0; i < r->n_rows; i++)
        if (!n || p->step[n - 1] != p->step[i])
            p->step[n++] = p->step[i];
    if (n > most) { /* ranks of one job do the same steps, unless the files say something strange */
        memmove(p->step, p->step + (n - most), most * sizeof *p->step);
        n = most;
    }
    p->n_steps = n;
    p->skip = n > 1;
    return OK;
}

static double *kind(const struct reading *r, size_t peer, size_t of)
{
    return r->kinds + (peer * N_ROW + of) * r->p->n_steps;
}

/* A step that has several rows (graphs of it) is their sum. */
static int place_rows(struct reading *r, struct err *e)
{
    struct peers *p = r->p;

    r->kinds = peers_nans(p->n * N_ROW * p->n_steps);
    p->lengths = peers_nans(p->n * p->n_steps);
    p->length = peers_nans(p->n_steps);
    if (!r->kinds || !p->lengths || !p->length)
        return err_nomem(e);
    for (size_t i = 0; i < r->n_rows; i++) {
        const struct step_row *w = &r->rows[i];
        const int64_t *at = bsearch(&w->step, p->step, p->n_steps, sizeof *p->step, int_cmp);
        for (size_t k = 0; at && k < N_ROW; k++) {
            double *v = &kind(r, w->peer, k)[at - p->step];
            if (!isnan(w->v[k]))
                *v = isnan(*v) ? w->v[k] : *v + w->v[k];
        }
    }
    p->n_rows = r->n_rows;
    p->interval = !r->prepared;
    for (size_t i = 0; i < p->n; i++)
        memcpy(p->lengths + i * p->n_steps, kind(r, i, ROW_LENGTH), p->n_steps * sizeof *p->lengths);
    return OK;
}

/* Mean of the values that are there; NAN: none. */
static double mean(const double *v, size_t n, size_t each)
{
    double sum = 0;
    size_t k = 0;

    for (size_t i = 0; i < n; i++)
        if (!isnan(v[i * each])) {
            sum += v[i * each];
            k++;
        }
    return k ? sum / (double)k : (double)NAN;
}

/* Of the steps that means are made of: nearest rank. */
static int spread(struct peers *p, struct err *e)
{
    double *v = malloc((p->n_steps ? p->n_steps : 1) * sizeof *v);
    size_t n = 0;

    p->p50_ns = p->p95_ns = p->max_ns = NAN;
    if (!v)
        return err_nomem(e);
    for (size_t i = p->skip; i < p->n_steps; i++) {
        if (isnan(p->length[i]))
            continue;
        if (!n || p->length[i] > p->max_ns) {
            p->max_ns = p->length[i];
            p->max_at = i;
        }
        v[n++] = p->length[i];
    }
    if (n) {
        qsort(v, n, sizeof *v, peers_real_cmp);
        p->p50_ns = v[percentile_at(n, 50)];
        p->p95_ns = v[percentile_at(n, 95)];
    }
    free(v);
    return OK;
}

/*
 * Shares of a mean step of all ranks. Computing is told from communication only where it is of every rank:
 * a rank whose last step is cut has no sums by step, and parts of two kinds do not add up to a step.
 */
static void shares(struct reading *r)
{
    struct peers *p = r->p;
    double sum[N_PEER_PARTS] = { 0 }, all = 0;
    bool apart = true;

    for (size_t i = 0; i < p->n; i++)
        apart &= isnan(p->v[i].step_ns) || p->v[i].part_ns[PEER_COMPUTE] > 0;
    for (size_t i = 0; i < p->n; i++) {
        struct peer *k = &p->v[i];
        const size_t n = p->n_steps - p->skip;
        double work = mean(kind(r, i, PEER_WORK) + p->skip, n, 1), own = 0;
        double tail = mean(kind(r, i, PEER_TAIL) + p->skip, n, 1);
        for (size_t j = 0; j < N_PEER_PARTS && !isnan(k->step_ns); j++) {
            double ns = k->part_ns[j];
            if (!apart && !isnan(work) && j != PEER_PREP)
                ns = j == PEER_WORK ? work : j == PEER_TAIL ? tail : (double)NAN;
            sum[j] += isnan(ns) ? 0 : ns;
            own += isnan(ns) ? 0 : ns;
        }
        k->prep = k->part_ns[PEER_PREP] / own;
        all += own;
    }
    for (size_t j = 0; j < N_PEER_PARTS; j++)
        p->share[j] = all > 0 && sum[j] > 0 ? sum[j] / all : (double)NAN;
}

static void means(struct reading *r)
{
    struct peers *p = r->p;

    for (size_t i = 0; i < p->n; i++) {
        struct peer *k = &p->v[i];
        size_t n = p->n_steps - p->skip;
        k->read = r->taken[i];
        for (size_t s = 0; s < p->n_steps; s++)
            k->steps += isnan(kind(r, i, ROW_LENGTH)[s]) ? 0 : 1;
        k->step_ns = mean(kind(r, i, ROW_LENGTH) + p->skip, n, 1);
        /* where only sums over the run are known, preparing is part of what is neither */
        if (isnan(mean(kind(r, i, PEER_COMPUTE) + p->skip, n, 1)) && k->part_ns[PEER_COMPUTE] > 0) {
            double prep = mean(kind(r, i, PEER_PREP) + p->skip, n, 1);
            k->part_ns[PEER_IDLE] -= prep > 0 ? prep : 0;
            k->part_ns[PEER_IDLE] = k->part_ns[PEER_IDLE] < 0 ? 0 : k->part_ns[PEER_IDLE];
        }
        for (size_t j = 0; j < N_PEER_PARTS; j++) {
            double m = mean(kind(r, i, j) + p->skip, n, 1);
            if (!isnan(m) && !((j == PEER_WORK || j == PEER_TAIL) && k->part_ns[PEER_COMPUTE] > 0))
                k->part_ns[j] = m;
        }
    }
    shares(r);
    for (size_t s = 0; s < p->n_steps; s++)
        p->length[s] = mean(p->lengths + s, p->n, p->n_steps);
}

/* ---- all ---- */

static int finish(struct reading *r, struct err *e)
{
    struct peers *p = r->p;

    if (number_steps(r, e) || place_rows(r, e))
        return e->code;
    means(r);
    if (spread(p, e) || peers_compare(r, e))
        return e->code;
    finish_types(&p->types);
    return OK;
}

static int add_rank(struct peers *p, size_t *cap, int rank, size_t index, struct err *e)
{
    struct peer *v = grow_array(p->v, p->n, cap, sizeof *v, 8);

    if (!v)
        return err_nomem(e);
    p->v = v;
    begin_peer(&v[p->n++], rank, index);
    return OK;
}

static int begin_reading(struct reading *r, struct err *e)
{
    size_t n = r->p->n ? r->p->n : 1;

    r->taken = calloc(n, sizeof *r->taken);
    r->seen = calloc(n, sizeof *r->seen);
    return r->taken && r->seen ? OK : err_nomem(e);
}

static void end_reading(struct reading *r)
{
    free(r->rows);
    free(r->taken);
    free(r->seen);
    free(r->kinds);
}

int peers_of_store(struct peers **out, struct store *s, struct err *e)
{
    struct reading r = { .p = *out = calloc(1, sizeof **out) };
    struct query *q = NULL;
    size_t cap = 0;

    if (!r.p)
        return err_nomem(e);
    if (store_query(s, &q, "SELECT rank FROM step UNION SELECT rank FROM rank_total ORDER BY rank", e))
        return e->code;
    while (query_step(q, e) == 1)
        if (add_rank(r.p, &cap, (int)query_int(q, 0), SIZE_MAX, e))
            break;
    query_free(q);
    (void)!begin_reading(&r, e);
    if (!e->code && read_store(&r, s, e) == OK)
        (void)!finish(&r, e);
    end_reading(&r);
    return e->code;
}

/* Several runs in one folder are no job: then the selected rank is alone. */
static bool are_a_job(const struct peers *p)
{
    for (size_t i = 1; i < p->n; i++)
        if (p->v[i].rank == p->v[i - 1].rank)
            return false;
    return true;
}

static int choose(struct peers *p, struct session *s, struct err *e)
{
    size_t cap = 0, n = session_n_ranks(s);

    for (size_t i = 0; i < n; i++)
        if (session_is_beside(s, i) && add_rank(p, &cap, session_rank(s, i)->rank, i, e))
            return e->code;
    if (!p->n)
        return OK;
    qsort(p->v, p->n, sizeof *p->v, rank_cmp);
    if (!are_a_job(p)) {
        begin_peer(&p->v[0], session_rank(s, session_current(s))->rank, session_current(s));
        p->n = 1;
    }
    return OK;
}

/* The overview does not have the ranks of a unit yet. */
static bool lacks(const struct reading *r, struct session *s, size_t unit)
{
    for (size_t i = 0; i < r->p->n; i++)
        if (!r->taken[i] && session_rank(s, r->p->v[i].index)->unit == unit)
            return true;
    return false;
}

int peers_make(struct peers **out, struct session *s, struct err *e)
{
    struct reading r = { .p = *out = calloc(1, sizeof **out) };

    if (!r.p)
        return err_nomem(e);
    if (choose(r.p, s, e))
        return e->code;
    (void)!begin_reading(&r, e);
    for (size_t i = 0; !e->code && i < peers_n_stores(s); i++)
        if (peers_store(s, i) && (!i || lacks(&r, s, i - 1))) {
            r.p->partial |= i && session_is_partial(s, i - 1);
            if (read_store(&r, peers_store(s, i), e))
                break;
        }
    if (!e->code)
        (void)!finish(&r, e);
    end_reading(&r);
    return e->code;
}

int peers_keep(struct store *s, struct sink *out, struct err *e)
{
    struct peers *p = NULL;
    int rc = peers_of_store(&p, s, e);

    for (size_t i = 0; rc == OK && i < p->n; i++) {
        const struct val v[N_COLS(rank_late)] = {
            [COL(rank_late, rank)] = val_int(p->v[i].rank),
            [COL(rank_late, late_ns)] = val_real(p->v[i].late_ns),
        };
        if (!isnan(p->v[i].late_ns))
            rc = sink_row(out, T_rank_late, v, N_COLS(rank_late), NULL, e);
    }
    peers_free(p);
    return rc;
}

void peers_free(struct peers *p)
{
    if (!p)
        return;
    free(p->v);
    free(p->step);
    free(p->length);
    free(p->lengths);
    free(p);
}

const double *peers_lengths(const struct peers *p, size_t at)
{
    return p->lengths + at * p->n_steps;
}
