/* SPDX-License-Identifier: Apache-2.0 */
/* FLOPs of steps from executions and the FLOPs of their ops. */
#include "config.h"

#include "import/derived/flops.h"

#include <stdlib.h>

#include "base/grow.h"

#define OPS_SQL                                                                                              \
    "SELECT o.name_id, ifnull(f.cube_flops, 0) + ifnull(f.vector_flops, 0), f.flops_per_s, "                 \
    "f.utilisation, f.source_id FROM op_flops f JOIN op o ON o.id = f.op_id "                                \
    "JOIN source s ON s.id = f.source_id WHERE f.rank = :rank AND s.kind = 'raw_aicore' "                    \
    "AND NOT EXISTS (SELECT 1 FROM flops_total t WHERE t.rank = :rank) ORDER BY f.rowid"
#define STEPS_SQL                                                                                            \
    "SELECT step, fp_ns, ifnull(bp_ns, end_ns) FROM step WHERE rank = :rank AND complete IS NOT "            \
    "0 AND ifnull(bp_ns, end_ns) > fp_ns ORDER BY fp_ns"

struct step_sum {
    int64_t step, from_ns, to_ns;
    double flops;
};

struct sums {
    int rank;
    double *flops; /* by name id */
    size_t n_names;
    double all, rates, peak_per_s;
    size_t n_ops, n_rates;
    uint32_t source_id;
    struct step_sum *step;
    size_t n_steps, cap, at; /* at: the step of the last execution */
};

static int add_op(struct sums *s, const struct query *q, struct err *e)
{
    int64_t name = query_int(q, 0);
    double flops = query_real(q, 1), rate = query_real(q, 2), use = query_real(q, 3);

    if (name < 0 || name > UINT32_MAX)
        return OK;
    if ((size_t)name >= s->n_names) {
        size_t n = (size_t)name + 1;
        double *v = realloc(s->flops, n * sizeof *v);
        if (!v)
            return err_nomem(e);
        for (size_t i = s->n_names; i < n; i++)
            v[i] = 0;
        s->flops = v;
        s->n_names = n;
    }
    s->flops[name] = flops;
    s->all += flops;
    s->n_ops++;
    if (!query_null(q, 2)) {
        s->rates += rate;
        s->n_rates++;
    }
    if (use > 0)
        s->peak_per_s = rate / use;
    s->source_id = (uint32_t)query_int(q, 4);
    return OK;
}

static int add_step(struct sums *s, const struct query *q, struct err *e)
{
    struct step_sum *v = grow_array(s->step, s->n_steps, &s->cap, sizeof *v, 64);

    if (!v)
        return err_nomem(e);
    s->step = v;
    v[s->n_steps++] =
        (struct step_sum){ .step = query_int(q, 0), .from_ns = query_int(q, 1), .to_ns = query_int(q, 2) };
    return OK;
}

static int read_rows(struct sums *s, struct store *r, const char *sql,
                     int (*add)(struct sums *s, const struct query *q, struct err *e), struct err *e)
{
    struct query *q = NULL;

    if (store_query(r, &q, sql, e))
        return e->code;
    query_bind_int(q, ":rank", s->rank);
    while (query_step(q, e) == 1 && add(s, q, e) == OK)
        ;
    query_free(q);
    return e->code;
}

/* The step that contains an instant; NULL: none. Executions come nearly in order of time. */
static struct step_sum *step_at(struct sums *s, int64_t ts_ns)
{
    while (s->at + 1 < s->n_steps && s->step[s->at + 1].from_ns <= ts_ns)
        s->at++;
    while (s->at > 0 && s->step[s->at].from_ns > ts_ns)
        s->at--;
    struct step_sum *v = s->n_steps ? &s->step[s->at] : NULL;
    return v && v->from_ns <= ts_ns && ts_ns <= v->to_ns ? v : NULL;
}

/* The ranks that have ops with FLOPs. */
struct ranks {
    struct sums *v;
    size_t n, at; /* at: the rank of the last execution */
};

static struct sums *of_rank(struct ranks *r, int rank)
{
    for (size_t i = 0; i < r->n; i++, r->at = (r->at + 1) % r->n)
        if (r->v[r->at].rank == rank)
            return &r->v[r->at];
    return NULL;
}

static int on_exec(void *arg, const struct fill_exec *x, struct err *e)
{
    struct sums *s = of_rank(arg, x->rank);

    (void)e;
    if (!s || x->name_id >= s->n_names || s->flops[x->name_id] <= 0)
        return OK;
    struct step_sum *step = step_at(s, x->ts_ns);
    if (step)
        step->flops += s->flops[x->name_id];
    return OK;
}

static double use_of(const struct sums *s, const struct step_sum *v)
{
    return v->flops / ((double)(v->to_ns - v->from_ns) / 1e9) / s->peak_per_s;
}

static int put(const struct sums *s, struct sink *out, struct val step, double flops, double rate, double use,
               struct err *e)
{
    struct val v[N_COLS(flops_total)] = {
        [COL(flops_total, rank)] = val_int(s->rank),           [COL(flops_total, step)] = step,
        [COL(flops_total, flops)] = val_real(flops),           [COL(flops_total, kind)] = val_cstr("all"),
        [COL(flops_total, source_id)] = val_int(s->source_id),
    };

    if (rate > 0)
        v[COL(flops_total, flops_per_s)] = val_real(rate);
    if (s->peak_per_s > 0)
        v[COL(flops_total, utilisation)] = val_real(use);
    return sink_row(out, T_flops_total, v, N_COLS(flops_total), NULL, e);
}

static int put_all(const struct sums *s, struct fill *f, struct err *e)
{
    struct sink *out = fill_sink(f);
    double use = 0;

    if (fill_begin(f, s->source_id, e))
        return e->code;
    for (size_t i = 0; i < s->n_steps && s->peak_per_s > 0; i++)
        use += use_of(s, &s->step[i]) / (double)s->n_steps;
    int rc = put(s, out, val_null(), s->all, s->n_rates ? s->rates / (double)s->n_rates : 0, use, e);
    for (size_t i = 0; i < s->n_steps && rc == OK; i++) {
        const struct step_sum *v = &s->step[i];
        rc = put(s, out, val_int(v->step), v->flops, v->flops / ((double)(v->to_ns - v->from_ns) / 1e9),
                 s->peak_per_s > 0 ? use_of(s, v) : 0, e);
    }
    return fill_close(f, rc, e);
}

static void sums_done(struct sums *s)
{
    free(s->flops);
    free(s->step);
}

/* The ranks of the unit that have ops, with their steps. */
static int read_ranks(struct ranks *k, struct store *r, const struct unit *u, struct err *e)
{
    k->v = calloc(u->info.n_ranks, sizeof *k->v);
    if (!k->v)
        return err_nomem(e);
    for (size_t i = 0; i < u->info.n_ranks && !e->code; i++) {
        struct sums *s = &k->v[k->n];
        *s = (struct sums){ .rank = u->info.ranks[i].rank };
        if (read_rows(s, r, OPS_SQL, add_op, e) == OK && s->n_ops &&
            read_rows(s, r, STEPS_SQL, add_step, e) == OK)
            k->n++;
        else
            sums_done(s);
    }
    return e->code;
}

int flops_write(struct fill *f, const struct unit *u, struct err *e)
{
    struct store *r = fill_reader(f, e);
    struct ranks k = { .n = 0 };

    if (r && read_ranks(&k, r, u, e) == OK && k.n && fill_execs(f, on_exec, &k, e) == OK)
        for (size_t i = 0; i < k.n; i++)
            if (put_all(&k.v[i], f, e))
                break;
    for (size_t i = 0; i < k.n; i++)
        sums_done(&k.v[i]);
    free(k.v);
    return e->code;
}
