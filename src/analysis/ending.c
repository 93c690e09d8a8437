/* How the data of a run ends. */
#include "config.h"

#include "analysis/ending.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/unit.h"

/* ---- last activity ---- */

/* What runs on the device comes first, then what it did last; a queue has no place in that order. */
static const char acts_sql[] =
    "SELECT kind, track, (SELECT text FROM string WHERE id = name_id), state = 'running', ts_ns, "
    "size, capacity FROM last_activity WHERE rank = :rank "
    "ORDER BY kind = 'queue', state <> 'running', ts_ns DESC, track";

static int64_t origin_of(struct store *s, int rank)
{
    int64_t origin = 0, first, last;
    bool is_unix;

    (void)store_rank_clock(s, rank, &origin, &first, &last, &is_unix);
    return origin;
}

static void name_queue(struct ending_act *a, const struct query *q)
{
    if (query_null(q, 5))
        return;
    if (query_null(q, 6))
        snprintf(a->name, sizeof a->name, "held %" PRId64, query_int(q, 5));
    else
        snprintf(a->name, sizeof a->name, "held %" PRId64 " of %" PRId64, query_int(q, 5),
                 query_int(q, 6));
}

static bool is_device(const struct ending_act *a)
{
    return strcmp(a->kind, "queue") != 0 && strcmp(a->kind, "host") != 0;
}

static void take_act(struct ending_act *a, const struct query *q, int rank, int64_t origin)
{
    *a = (struct ending_act){ .rank = rank,
                              .running = query_int(q, 3),
                              .has_ts = !query_null(q, 4) };
    str_copy(query_str(q, 0), a->kind, sizeof a->kind);
    str_copy(query_str(q, 1), a->track, sizeof a->track);
    if (!query_null(q, 2))
        str_copy(query_str(q, 2), a->name, sizeof a->name);
    else
        name_queue(a, q);
    if (a->has_ts)
        a->ts_ns = query_int(q, 4) + origin;
}

/* Times against the last record of the device; without one, against the last of all. */
static void set_zero(struct ending_act *a, size_t n)
{
    int64_t zero = INT64_MIN;

    for (size_t i = 0; i < n; i++)
        if (a[i].has_ts && is_device(&a[i]) && a[i].ts_ns > zero)
            zero = a[i].ts_ns;
    for (size_t i = 0; zero == INT64_MIN && i < n; i++)
        if (a[i].has_ts)
            zero = a[i].ts_ns;
    for (size_t i = 0; i < n; i++)
        a[i].at_ns = a[i].has_ts ? a[i].ts_ns - zero : 0;
}

static int add_acts(struct ending *x, struct store *s, int rank, struct err *e)
{
    size_t cap = x->n_acts, first = x->n_acts;
    int64_t origin = origin_of(s, rank);
    struct query *q = NULL;

    if (store_query(s, &q, acts_sql, e))
        return (int)e->code;
    query_bind_int(q, ":rank", rank);
    while (query_step(q, e) == 1) {
        struct ending_act *v = grow_array(x->acts, x->n_acts, &cap, sizeof *v, 32);
        if (!v) {
            err_nomem(e);
            break;
        }
        x->acts = v;
        take_act(&v[x->n_acts++], q, rank, origin);
    }
    query_free(q);
    set_zero(x->acts + first, x->n_acts - first);
    return (int)e->code;
}

/* ---- lost records ---- */

static const char lost_sql[] =
    "SELECT f.path, min(n.offset), sum(n.count), min(n.text) FROM note n JOIN source f ON f.id = "
    "n.source_id WHERE n.code IN ('TORN_RECORD', 'TORN_FILE', 'BAD_ROW', 'BAD_EVENT', "
    "'BAD_FILE', 'UNKNOWN_TYPE', 'LIMIT', 'LINE_TOO_LONG', 'TOO_DEEP') AND (f.rank IS NULL OR "
    "f.rank = :rank) GROUP BY f.id ORDER BY f.id";

static int add_lost(struct ending *x, struct store *s, int rank, struct err *e)
{
    size_t cap = x->n_lost;
    struct query *q = NULL;

    if (store_query(s, &q, lost_sql, e))
        return (int)e->code;
    query_bind_int(q, ":rank", rank);
    while (query_step(q, e) == 1) {
        struct ending_lost *v = grow_array(x->lost, x->n_lost, &cap, sizeof *v, 16);
        if (!v) {
            err_nomem(e);
            break;
        }
        x->lost = v;
        v += x->n_lost++;
        *v = (struct ending_lost){ .rank = rank,
                                   .offset = query_null(q, 1) ? -1 : query_int(q, 1),
                                   .records = query_int(q, 2) };
        str_copy(query_str(q, 0), v->file, sizeof v->file);
        str_copy(query_str(q, 3), v->what, sizeof v->what);
    }
    query_free(q);
    return (int)e->code;
}

/* ---- ranks ---- */

/* Sources without a mark of it have whole steps only. */
static const char steps_sql[] =
    "SELECT max(step), max(CASE WHEN complete IS NOT 0 THEN step END), max(CASE WHEN complete = 0 "
    "THEN step END), sum(complete IS NOT 0), max(CASE WHEN complete = 0 THEN ifnull(start_ns, "
    "fp_ns) END) FROM step WHERE rank = :rank";

static int64_t step_or_none(const struct query *q, size_t col)
{
    return query_null(q, col) ? NO_STEP : query_int(q, col);
}

/* *start_ns: when the cut step began; unchanged when that is not known. */
static int read_steps(struct ending_rank *r, struct store *s, int64_t *start_ns, struct err *e)
{
    struct query *q = NULL;

    if (store_query(s, &q, steps_sql, e))
        return (int)e->code;
    query_bind_int(q, ":rank", r->rank);
    if (query_step(q, e) == 1) {
        r->read = true;
        r->last_step = step_or_none(q, 0);
        r->last_complete_step = step_or_none(q, 1);
        r->cut_step = step_or_none(q, 2);
        r->complete_steps = (uint64_t)query_int(q, 3);
        if (!query_null(q, 4))
            *start_ns = query_int(q, 4) + origin_of(s, r->rank);
    }
    query_free(q);
    return (int)e->code;
}

static int read_last(struct ending_rank *r, struct store *s, struct err *e)
{
    struct query *q = NULL;

    if (store_query(s, &q,
                    "SELECT max(ts_ns) FROM last_activity WHERE rank = :rank AND kind NOT IN "
                    "('queue', 'host')",
                    e))
        return (int)e->code;
    query_bind_int(q, ":rank", r->rank);
    if (query_step(q, e) == 1 && !query_null(q, 0)) {
        r->has_ts = true;
        r->last_ts_ns = query_int(q, 0) + origin_of(s, r->rank);
    }
    query_free(q);
    return (int)e->code;
}

static int read_rank(struct ending_rank *r, struct session *s, const struct session_rank *of,
                     int64_t now_ns, struct err *e)
{
    struct store *store = session_store(s, of->unit);
    int64_t cut_ns = INT64_MAX;
    struct run_verdict v;

    *r = (struct ending_rank){ .rank = of->rank,
                               .device = of->device,
                               .last_step = NO_STEP,
                               .last_complete_step = NO_STEP,
                               .cut_step = NO_STEP,
                               .cut_after_ns = -1 };
    run_state_of(session_job(s)->units[of->unit], now_ns, &v);
    r->state = v.state;
    if (!store)
        store = session_overview(s);
    if (!store)
        return OK;
    if (read_steps(r, store, &cut_ns, e) || read_last(r, store, e))
        return (int)e->code;
    if (r->has_ts && r->last_ts_ns >= cut_ns)
        r->cut_after_ns = r->last_ts_ns - cut_ns;
    return OK;
}

static int add_ranks(struct ending *x, struct session *s, int64_t now_ns, struct err *e)
{
    size_t n = session_n_ranks(s);

    x->ranks = calloc(n ? n : 1, sizeof *x->ranks);
    if (!x->ranks)
        return err_nomem(e);
    for (; x->n_ranks < n; x->n_ranks++)
        if (read_rank(&x->ranks[x->n_ranks], s, session_rank(s, x->n_ranks), now_ns, e))
            return (int)e->code;
    return OK;
}

/* ---- all ---- */

int ending_make(struct ending **out, struct session *s, const size_t *ranks, size_t n,
                int64_t now_ns, struct err *e)
{
    struct ending *x = *out = calloc(1, sizeof *x);

    if (!x)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++) {
        const struct session_rank *r = session_rank(s, ranks[i]);
        struct store *store = session_store(s, r->unit);
        if (store && (add_acts(x, store, r->rank, e) || add_lost(x, store, r->rank, e)))
            return (int)e->code;
    }
    return add_ranks(x, s, now_ns, e);
}

void ending_free(struct ending *x)
{
    if (!x)
        return;
    free(x->acts);
    free(x->ranks);
    free(x->lost);
    free(x);
}

const struct ending_rank *ending_rank_of(const struct ending *x, int rank)
{
    for (size_t i = 0; i < x->n_ranks; i++)
        if (x->ranks[i].rank == rank)
            return &x->ranks[i];
    return NULL;
}

struct str ending_short(const char *name)
{
    struct str s = str_of(name), tail = str_behind_last(s, '/');

    return tail.n ? tail : s;
}

char *ending_at(const struct ending_act *a, char *buf, size_t n)
{
    char t[40];

    buf[0] = '\0';
    if (!a->has_ts)
        return buf;
    unit_time(t, sizeof t, fabs((double)a->at_ns), TIME_AUTO);
    snprintf(buf, n, "%s%s", a->at_ns < 0 ? "-" : a->at_ns > 0 ? "+" : "", a->at_ns ? t : "0 ms");
    return buf;
}

char *ending_coverage(const struct ending_rank *k, char *buf, size_t n)
{
    char t[40];
    size_t used;

    buf[0] = '\0';
    if (!k || !k->read)
        return buf;
    used = (size_t)snprintf(buf, n, "%" PRIu64 " complete step%s", k->complete_steps,
                            k->complete_steps == 1 ? "" : "s");
    if (k->cut_step != NO_STEP && used < n)
        used += (size_t)snprintf(buf + used, n - used, ", step %" PRId64 " is cut", k->cut_step);
    if (k->cut_step != NO_STEP && k->cut_after_ns >= 0 && used < n)
        snprintf(buf + used, n - used, " after %s",
                 unit_time(t, sizeof t, (double)k->cut_after_ns, TIME_AUTO));
    return buf;
}
