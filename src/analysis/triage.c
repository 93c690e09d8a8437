/* SPDX-License-Identifier: Apache-2.0 */
/* State, breakdowns and facts of the selected rank. */
#include "config.h"

#include "analysis/triage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/checks.h"
#include "base/lang/tr.h"
#include "base/percentile.h"
#include "base/unit.h"
#include "model/views/colset.h"

/* ---- the breakdown of a step ---- */

struct part_def {
    const char *label, *expr;
    enum op_class cls;
};
/* clang-format off */
static const struct part_def fpbp_parts[] = {
    { N_("interval"),  "interval_ns",            OC_IDLE },
    { N_("fwd+bwd"),   "fp_bp_ns",               OC_CUBE },
    { N_("tail"),      "tail_ns",                OC_COMM },
    { NULL,        NULL,                     OC_NONE },
};
static const struct part_def split_parts[] = {
    { N_("compute"),   "computing_ns",           OC_CUBE },
    { N_("comm only"), "comm_not_overlapped_ns", OC_COMM },
    { N_("prep"),      "preparing_ns",           OC_HOST },
    { N_("idle"),      COLSET_STEP_IDLE,         OC_IDLE },
    { NULL,        NULL,                     OC_NONE },
};
/* clang-format on */

static int double_cmp(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Values of one column over the steps in use, in order of steps. malloc'ed. */
static double *step_values(struct store *s, const struct view_scope *scope, int rank, const char *expr,
                           size_t *n, struct err *e)
{
    char sql[500];
    struct query *q = NULL;
    double *v = NULL;
    size_t cap = 0;
    int rc;

    *n = 0;
    snprintf(sql, sizeof sql,
             "SELECT %s AS v FROM step s WHERE rank = :rank AND complete IS NOT 0 AND v IS NOT NULL AND "
             "(:step0 IS NULL OR "
             "step >= :step0) AND (:step1 IS NULL OR step <= :step1) ORDER BY step",
             expr);
    if (store_query(s, &q, sql, e))
        return NULL;
    query_bind_int(q, ":rank", rank);
    if (scope->step0 != INT64_MIN)
        query_bind_int(q, ":step0", scope->step0);
    if (scope->step1 != INT64_MAX)
        query_bind_int(q, ":step1", scope->step1);
    while ((rc = query_step(q, e)) == 1) {
        if (*n == cap) {
            double *p = realloc(v, (cap = cap ? cap * 2 : 256) * sizeof *p);
            if (!p) {
                err_nomem(e);
                break;
            }
            v = p;
        }
        v[(*n)++] = query_real(q, 0);
    }
    query_free(q);
    return v;
}

static int step_part(struct triage *t, struct store *s, const struct view_scope *scope,
                     const struct part_def *d, struct err *e)
{
    size_t n = 0;
    double *v = step_values(s, scope, t->rank, d->expr, &n, e), sum = 0;
    size_t skip = n > 1 && !scope->first_step && scope->step0 <= t->first_step ? 1 : 0;

    if (e->code || n == 0) {
        free(v);
        return e->code;
    }
    t->first_left_out = skip;
    for (size_t i = skip; i < n; i++)
        sum += v[i];
    qsort(v + skip, n - skip, sizeof *v, double_cmp);
    t->step[t->n_step++] = (struct triage_part){
        .label = d->label,
        .cls = d->cls,
        .mean_ns = sum / (double)(n - skip),
        .p50_ns = v[skip + percentile_at(n - skip, 50)],
        .p95_ns = v[skip + percentile_at(n - skip, 95)],
        .share = NAN,
    };
    free(v);
    return OK;
}

static void shares(struct triage_part *p, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += p[i].mean_ns;
    for (size_t i = 0; i < n; i++)
        p[i].share = sum > 0 ? p[i].mean_ns / sum : (double)NAN;
}

int64_t triage_first_step(struct store *s, int rank, int64_t otherwise)
{
    return store_int(s, otherwise, "SELECT min(step) FROM step WHERE rank = :rank AND complete IS NOT 0",
                     ":rank", (int64_t)rank, NULL);
}

static int breakdown(struct triage *t, struct store *s, const struct view_scope *scope, struct err *e)
{
    bool split = store_int(s, 0, "SELECT 1 FROM step WHERE rank = :rank AND computing_ns IS NOT NULL LIMIT 1",
                           ":rank", (int64_t)t->rank, NULL);
    const struct part_def *parts = split ? split_parts : fpbp_parts;

    t->steps = (uint64_t)store_int(s, 0, "SELECT count(*) FROM step WHERE rank = :rank AND complete IS NOT 0",
                                   ":rank", (int64_t)t->rank, NULL);
    t->first_step = triage_first_step(s, t->rank, 0);
    t->last_step = store_int(s, 0, "SELECT max(step) FROM step WHERE rank = :rank AND complete IS NOT 0",
                             ":rank", (int64_t)t->rank, NULL);
    t->from_step = scope->step0 > t->first_step ? scope->step0 : t->first_step;
    t->to_step = scope->step1 < t->last_step ? scope->step1 : t->last_step;
    for (size_t i = 0; parts[i].label; i++)
        if (step_part(t, s, scope, &parts[i], e))
            return e->code;
    shares(t->step, t->n_step);
    t->step_ns = t->n_step ? 0 : (double)NAN;
    for (size_t i = 0; i < t->n_step; i++)
        t->step_ns += t->step[i].mean_ns;
    return OK;
}

int triage_steps(struct store *s, const struct view_scope *scope, int rank, uint64_t *steps, double *step_ns,
                 struct err *e)
{
    struct triage t = { .rank = rank };

    *steps = 0;
    *step_ns = (double)NAN;
    if (breakdown(&t, s, scope, e))
        return e->code;
    *steps = t.steps;
    *step_ns = t.step_ns;
    return OK;
}

/* ---- where the device time goes: the overlap rows of a trace ---- */

static int device_part(struct triage *t, struct store *s, const char *label, enum op_class cls,
                       const char *name, struct err *e)
{
    struct query *q = NULL;

    if (store_query(s, &q,
                    "SELECT sum(t.dur_sum_ns) FROM track t JOIN string n ON n.id = t.name_id WHERE "
                    "t.rank = :rank AND t.kind = 'overlap' AND n.text = :name",
                    e))
        return e->code;
    query_bind_int(q, ":rank", t->rank);
    query_bind_text(q, ":name", str_of(name));
    if (query_step(q, e) == 1 && !query_null(q, 0))
        t->device[t->n_device++] = (struct triage_part){ .label = label,
                                                         .cls = cls,
                                                         .mean_ns = query_real(q, 0),
                                                         .p50_ns = NAN,
                                                         .p95_ns = NAN,
                                                         .share = NAN };
    query_free(q);
    return e->code;
}

static int device_time(struct triage *t, struct store *s, struct err *e)
{
    if (device_part(t, s, "compute", OC_CUBE, "Computing", e) ||
        device_part(t, s, "comm only", OC_COMM, "Communication(Not Overlapped)", e) ||
        device_part(t, s, N_("free"), OC_IDLE, "Free", e)) /* preparing is part of it, unlike of idle time */
        return e->code;
    shares(t->device, t->n_device);
    return OK;
}

/* ---- facts ---- */

static double real_or_nan(struct store *s, int rank, const char *sql)
{
    struct err e = ERR_INIT;
    struct query *q = NULL;
    double v = NAN;

    if (store_query(s, &q, sql, &e) == OK) {
        query_bind_int(q, ":rank", rank);
        if (query_step(q, &e) == 1 && !query_null(q, 0))
            v = query_real(q, 0);
    }
    query_free(q);
    return v;
}

static void add_version(char *buf, size_t n, const char *what, struct str v)
{
    size_t used = strlen(buf);

    if (v.p && v.n && used < n)
        snprintf(buf + used, n - used, "%s%s%s%.*s", used ? "   " : "", what, what[0] ? " " : "", (int)v.n,
                 v.p);
}

static void describe_run(struct triage *t)
{
    const struct runinfo *r = &t->unit->info;

    runinfo_when(r, t->rank, t->when, sizeof t->when);
    add_version(t->versions, sizeof t->versions, t->unit->gen == GEN_P ? "torch_npu" : "MindSpore",
                r->version);
    add_version(t->versions, sizeof t->versions, "CANN", r->cann_version);
    add_version(t->versions, sizeof t->versions, "", r->device_type);
    if (!t->versions[0])
        add_version(t->versions, sizeof t->versions, "", str_of(unit_writer(t->unit)));
}

static void start_from_clock(struct triage *t, struct store *s)
{
    int64_t origin, first, last;
    bool is_unix;

    if (!t->when[0] && store_rank_clock(s, t->rank, &origin, &first, &last, &is_unix) && is_unix) {
        unit_utc(t->when, sizeof t->when, origin + first, 0);
        strncat(t->when, " UTC", sizeof t->when - strlen(t->when) - 1);
    }
}

static void read_peak(struct triage *t, struct store *s)
{
    struct err ignored = ERR_INIT;
    struct query *q = NULL;

    t->peak_memory_b = NAN;
    if (store_query(s, &q, "SELECT peak_mem_b, peak_mem_of FROM rank_total WHERE rank = :rank", &ignored))
        return;
    query_bind_int(q, ":rank", t->rank);
    if (query_step(q, &ignored) == 1 && !query_null(q, 0)) {
        t->peak_memory_b = query_real(q, 0);
        str_copy(query_str(q, 1), t->peak_memory_of, sizeof t->peak_memory_of);
    }
    query_free(q);
}

/*
 * The time of a step in which it works: fwd+bwd, or computing; NULL: unknown. The rate of a step is its FLOPs
 * over that, and the use of the peak follows from it; other tools print a mean of the ops' rates, or of the
 * steps' uses, under these names.
 */
static const struct triage_part *work_of(const struct triage *t)
{
    for (size_t i = 0; i < t->n_step; i++)
        if (t->step[i].cls == OC_CUBE && t->step[i].mean_ns > 0)
            return &t->step[i];
    return NULL;
}

/* Where no file has the FLOPs of a step: those of its ops, over their own time. */
static void read_once(struct triage *t, struct store *s)
{
    t->flops_once = real_or_nan(s, t->rank, "SELECT once_flops FROM rank_total WHERE rank = :rank");
    double ns = real_or_nan(s, t->rank, "SELECT once_ns FROM rank_total WHERE rank = :rank");

    if (t->flops_once > 0 && ns > 0) {
        t->flops_over = N_("op time");
        t->flops_per_s = t->flops_once / ns * 1e9;
    }
}

/*
 * Share of the peak: of the rate, or as the file says where the peak is not known. The peak is that of
 * the cube, which sums of vector ops have no part in.
 */
static void read_use(struct triage *t, struct store *s, const struct triage_part *work)
{
    const double peak = real_or_nan(s, t->rank, "SELECT peak_flops_per_s FROM rank_total WHERE rank = :rank");
    const double cube = real_or_nan(s, t->rank,
                                    "SELECT sum(flops) FROM flops_total WHERE rank = :rank AND "
                                    "step IS NULL AND kind IN ('all', 'cube')");

    if (isnan(peak))
        t->utilisation = real_or_nan(s, t->rank,
                                     "SELECT max(utilisation) FROM flops_total WHERE rank = :rank AND "
                                     "step IS NULL AND kind IN ('all', 'cube')");
    else if (isnan(cube))
        t->utilisation = t->flops_per_s / peak; /* of one execution of each op */
    else
        t->utilisation = work ? cube / work->mean_ns * 1e9 / peak : NAN;
}

static int from_store(struct triage *t, struct store *s, const struct view_scope *scope, struct err *e)
{
    start_from_clock(t, s);
    if (breakdown(t, s, scope, e) || device_time(t, s, e))
        return e->code;
    t->flops_per_step = real_or_nan(s, t->rank,
                                    "SELECT sum(flops) FROM flops_total WHERE rank = :rank AND "
                                    "step IS NULL AND kind IN ('all', 'cube', 'vector')");
    const struct triage_part *work = work_of(t);
    if (work && !isnan(t->flops_per_step)) {
        t->flops_over = work->label;
        t->flops_per_s = t->flops_per_step / work->mean_ns * 1e9;
    }
    if (isnan(t->flops_per_step))
        read_once(t, s);
    read_use(t, s, work);
    read_peak(t, s);
    return OK;
}

/*
 * Findings about facts are those that the import kept. Where it could keep none (a store in memory) the facts
 * are checked now, but not while rows still come.
 */
static int find(struct triage *t, struct store *s, bool filling, struct err *e)
{
    struct finding_list l = { .n = 0 };
    bool kept = checks_are_kept(s);
    unsigned kinds = CHECK_FILES | (kept || filling ? 0u : CHECK_FACTS);

    int rc = checks_run(&l, s, t->rank, kinds, e);
    if (rc == OK && kept)
        rc = checks_load(&l, s, t->rank, e);
    if (rc == OK)
        rc = checks_compare(&l, t->ending, t->index, e);
    checks_sort(&l);
    t->findings = l.v;
    t->n_findings = l.n;
    return rc;
}

/* The comparison of ranks comes right after the state. */
static void report_ending(struct triage *t, int64_t now_ns)
{
    struct run_verdict v;

    ending_verdict(t->ending, t->unit, t->index, now_ns, &v);
    t->verdict = (struct run_verdict){ .state = v.state };
    run_verdict_add(&t->verdict, "%s", v.evidence[0]);
    if (v.state != RUN_ANALYSED)
        ending_compare(t->ending, &t->verdict);
    for (size_t i = 1; i < v.n; i++)
        run_verdict_add(&t->verdict, "%s", v.evidence[i]);
}

static int make_ending(struct triage *t, struct session *s, const struct ending *known, int64_t now_ns,
                       struct err *e)
{
    return known ? ending_make_beside(&t->ending, s, known, t->index, e)
                 : ending_make(&t->ending, s, &t->index, 1, now_ns, e);
}

int triage_make(struct triage **out, struct session *s, const struct ending *known, int64_t now_ns,
                struct err *e)
{
    const struct session_rank *r = session_n_ranks(s) ? session_rank(s, session_current(s)) : NULL;
    struct triage *t = calloc(1, sizeof *t);

    if (!t)
        return err_nomem(e);
    if (!r) {
        free(t);
        return err_set(e, ERR_USAGE, "no rank is there");
    }
    t->unit = session_job(s)->units[r->unit];
    t->rank = r->rank;
    t->index = session_current(s);
    t->step_ns = t->flops_per_step = t->flops_once = t->flops_per_s = t->utilisation = t->peak_memory_b = NAN;
    run_state_of(t->unit, t->rank, now_ns, &t->verdict);
    describe_run(t);
    struct store *store = session_store(s, r->unit);
    if (store && (make_ending(t, s, known, now_ns, e) || from_store(t, store, session_scope(s), e) ||
                  find(t, store, session_is_partial(s, r->unit), e))) {
        triage_free(t);
        return e->code;
    }
    if (t->ending)
        report_ending(t, now_ns);
    *out = t;
    return OK;
}

void triage_free(struct triage *t)
{
    if (!t)
        return;
    ending_free(t->ending);
    free(t->findings);
    free(t);
}
