/* SPDX-License-Identifier: Apache-2.0 */
/* How the data of a run ends. */
#include "config.h"

#include "analysis/ending.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/rank_clock.h"
#include "base/bounded.h"
#include "base/grow.h"
#include "base/lang/tr.h"
#include "base/path.h"
#include "base/unit.h"

#define TICK_NS    10 /* of the device's counter, MindSpore 1.x */
#define CUT_PLACES 2
#define CUT_NAMES  3
#define GAPS_SHOWN 16

/* ---- last activity ---- */

/*
 * First what still runs, communication before the rest, then what the device did last, then the host; queues
 * come at the end.
 */
static const char acts_sql[] =
    "SELECT kind, track, (SELECT text FROM string WHERE id = name_id), state, ts_ns, "
    "size, capacity FROM last_activity WHERE rank = :rank "
    "ORDER BY kind = 'queue', kind = 'host', state <> 'running', state = 'running' AND kind <> "
    "'comm', ts_ns DESC, track";

static int64_t origin_of(struct store *s, int rank)
{
    int64_t origin = 0, first, last;
    bool is_unix;

    (void)store_rank_clock(s, rank, &origin, &first, &last, &is_unix);
    return origin;
}

/* "queue GetNext": the word is the program's, the name is not. */
static void take_track(struct ending_act *a, struct str track)
{
    char name[sizeof a->track];
    const struct str word = STR("queue ");

    if (strcmp(a->kind, "queue") != 0 || !str_starts(track, word))
        str_copy(track, a->track, sizeof a->track);
    else
        snprintf(a->track, sizeof a->track, tr("queue %s"),
                 str_copy(str_sub(track, word.n, track.n), name, sizeof name));
}

static void name_queue(struct ending_act *a, const struct query *q)
{
    if (query_null(q, 5))
        return;
    if (query_null(q, 6))
        snprintf(a->name, sizeof a->name, tr("held %" PRId64), query_int(q, 5));
    else
        snprintf(a->name, sizeof a->name, tr("held %" PRId64 " of %" PRId64), query_int(q, 5),
                 query_int(q, 6));
}

static bool is_device(const struct ending_act *a)
{
    return strcmp(a->kind, "queue") != 0 && strcmp(a->kind, "host") != 0;
}

static const struct {
    const char *word, *text;
} states[] = {
    [ACT_DONE] = { "done", N_("done") },
    [ACT_RUNNING] = { "running", N_("RUNNING, no end record") },
    [ACT_UNKNOWN] = { "unknown", N_("UNKNOWN, lost in a gap") },
};

const char *ending_state_word(enum act_state s)
{
    return states[s].word;
}

const char *ending_state_text(enum act_state s)
{
    return tr(states[s].text);
}

const char *ending_act_text(const struct ending_act *a)
{
    if (!a->is_twice || a->state != ACT_DONE)
        return ending_state_text(a->state);
    return strcmp(a->kind, "stream") == 0 ? tr("task done") : tr("kernel done");
}

static enum act_state state_of(struct str word)
{
    for (size_t i = 0; i < ARRAY_LEN(states); i++)
        if (str_eq(word, str_of(states[i].word)))
            return (enum act_state)i;
    return ACT_UNKNOWN;
}

static void take_act(struct ending_act *a, const struct query *q, int rank, int64_t origin)
{
    *a = (struct ending_act){ .rank = rank, .state = state_of(query_str(q, 3)), .has_ts = !query_null(q, 4) };
    str_copy(query_str(q, 0), a->kind, sizeof a->kind);
    take_track(a, query_str(q, 1));
    if (!query_null(q, 2))
        str_copy(query_str(q, 2), a->name, sizeof a->name);
    else
        name_queue(a, q);
    if (a->has_ts)
        a->ts_ns = query_int(q, 4) + origin;
}

static void mark_twice(struct ending_act *a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n && strcmp(a[i].kind, "aicpu") == 0; k++)
            if (strcmp(a[k].kind, "stream") == 0 && a[i].name[0] && strcmp(a[i].name, a[k].name) == 0)
                a[i].is_twice = a[k].is_twice = true;
}

/* Times are relative to the last record of the device, or to the last of all when the device has none. */
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

static int add_acts(struct ending *x, struct store *s, size_t at, int rank, struct err *e)
{
    size_t cap = x->n_acts, first = x->n_acts;
    int64_t origin = origin_of(s, rank);
    struct query *q = NULL;

    if (store_query(s, &q, acts_sql, e))
        return e->code;
    query_bind_int(q, ":rank", rank);
    while (query_step(q, e) == 1) {
        struct ending_act *v = grow_array(x->acts, x->n_acts, &cap, sizeof *v, 32);
        if (!v) {
            err_nomem(e);
            break;
        }
        x->acts = v;
        take_act(&v[x->n_acts], q, rank, origin);
        v[x->n_acts++].index = at;
    }
    query_free(q);
    if (x->n_acts > first) {
        mark_twice(x->acts + first, x->n_acts - first);
        set_zero(x->acts + first, x->n_acts - first);
    }
    return e->code;
}

/* ---- lost records ---- */

static const char lost_sql[] =
    "SELECT f.path, min(n.offset), sum(n.count), min(n.text), max(n.code IN ('TORN_RECORD', "
    "'TORN_FILE')) FROM note n JOIN source f ON f.id = "
    "n.source_id WHERE n.code IN ('TORN_RECORD', 'LOST_RECORDS', 'TORN_FILE', 'BAD_ROW', "
    "'BAD_EVENT', "
    "'BAD_FILE', 'UNKNOWN_TYPE', 'LIMIT', 'LINE_TOO_LONG', 'TOO_DEEP') AND (f.rank IS NULL OR "
    "f.rank = :rank) GROUP BY f.id ORDER BY f.id";

/* Append a row of zeros; NULL: out of memory. */
static struct ending_lost *new_lost(struct ending *x, struct err *e)
{
    size_t cap = x->n_lost;
    struct ending_lost *v = grow_array(x->lost, x->n_lost, &cap, sizeof *v, 16);

    if (!v) {
        err_nomem(e);
        return NULL;
    }
    x->lost = v;
    v += x->n_lost++;
    *v = (struct ending_lost){ .rank = 0 };
    return v;
}

static int add_lost(struct ending *x, struct store *s, size_t at, int rank, struct err *e)
{
    struct query *q = NULL;

    if (store_query(s, &q, lost_sql, e))
        return e->code;
    query_bind_int(q, ":rank", rank);
    while (query_step(q, e) == 1) {
        struct ending_lost *v = new_lost(x, e);
        if (!v)
            break;
        *v = (struct ending_lost){ .at = at,
                                   .rank = rank,
                                   .offset = query_null(q, 1) ? -1 : query_int(q, 1),
                                   .records = query_int(q, 2),
                                   .cut = query_int(q, 4) };
        str_copy(query_str(q, 0), v->file, sizeof v->file);
        str_copy(query_str(q, 3), v->what, sizeof v->what);
    }
    query_free(q);
    return e->code;
}

/* Slice n of the chain that f belongs to. */
static int add_gap(struct ending *x, const struct source_file *f, int n, size_t at, int rank, struct err *e)
{
    struct str rel = str_of(f->rel);
    size_t end = str_find(rel, STR("slice_"), (size_t)(path_base(f->rel) - f->rel));
    struct ending_lost *v = end == SIZE_MAX ? NULL : new_lost(x, e);

    if (!v)
        return e->code;
    *v = (struct ending_lost){ .at = at, .rank = rank, .offset = -1, .records = -1 };
    snprintf(v->file, sizeof v->file, "%.*sslice_%d", (int)end, f->rel, n);
    snprintf(v->what, sizeof v->what, "the slice is missing");
    return OK;
}

static int add_gaps(struct ending *x, const struct unit *u, size_t at, int rank, struct err *e)
{
    for (size_t i = 0; i < u->n_files; i++) {
        const struct source_file *f = u->files[i];
        int gap = f->rank < 0 || f->rank == rank ? run_slice_gap(f) : -1;
        for (int n = gap; n >= 0 && n < f->next_slice->slice && n < gap + GAPS_SHOWN; n++)
            if (add_gap(x, f, n, at, rank, e))
                return e->code;
    }
    return OK;
}

/* ---- ranks ---- */

static struct str last_part(struct str s)
{
    struct str tail = str_after_last(s, '/');

    return tail.n ? tail : s;
}

/* Sources that do not mark complete steps have complete steps only. */
static const char steps_sql[] =
    "SELECT max(step), max(CASE WHEN complete IS NOT 0 THEN step END), max(CASE WHEN complete = 0 "
    "THEN step END), sum(complete IS NOT 0), max(CASE WHEN complete = 0 THEN ifnull(start_ns, "
    "fp_ns) END), avg(CASE WHEN complete IS NOT 0 THEN total_ns END), max((SELECT kind FROM source WHERE "
    "id = source_id)), (SELECT min(ifnull(start_ns, fp_ns)) FROM step b WHERE b.rank = :rank AND b.step = "
    "(SELECT "
    "max(step) FROM step WHERE rank = :rank)) FROM step WHERE rank = :rank";

static int64_t step_or_none(const struct query *q, size_t col)
{
    return query_null(q, col) ? NO_STEP : query_int(q, col);
}

static int64_t time_or_none(const struct query *q, size_t col, int64_t origin)
{
    return query_null(q, col) ? NO_TIME : query_int(q, col) + origin;
}

/* *start_ns: when the cut step began; unchanged when that is not known. */
static int read_steps(struct ending_rank *r, struct store *s, int64_t *start_ns, struct err *e)
{
    struct query *q = NULL;

    if (store_query(s, &q, steps_sql, e))
        return e->code;
    query_bind_int(q, ":rank", r->rank);
    if (query_step(q, e) == 1) {
        r->read = true;
        r->last_step = step_or_none(q, 0);
        r->last_complete_step = step_or_none(q, 1);
        r->cut_step = step_or_none(q, 2);
        r->complete_steps = (uint64_t)query_int(q, 3);
        if (!query_null(q, 4))
            *start_ns = query_int(q, 4) + origin_of(s, r->rank);
        if (!query_null(q, 5))
            r->step_ns = query_real(q, 5);
        if (!query_null(q, 6))
            str_copy(query_str(q, 6), r->steps_from, sizeof r->steps_from);
        r->step_since_ns = time_or_none(q, 7, origin_of(s, r->rank));
    }
    query_free(q);
    return e->code;
}

/*
 * Unix time of an instant of the rank's clock. Devices count from zeros of their own; the collector writes
 * what the counter and the wall clock showed when it began (doc/formats/mindspore1.md#side-files).
 */
static bool unix_of(const struct ending_rank *r, const struct runinfo *info, int64_t ts_ns, int64_t *out)
{
    int64_t wall, ticks, ns;

    *out = ts_ns;
    if (strcmp(r->clock, "unix") == 0)
        return true;
    return strcmp(r->clock, "device") == 0 &&
           str_i64(runinfo_get(info, "host_start.clock_realtime", r->rank), &wall) &&
           str_i64(runinfo_get(info, "dev_start.cntvct", r->rank), &ticks) &&
           !__builtin_mul_overflow(ticks, TICK_NS, &ns) && !__builtin_sub_overflow(ts_ns, ns, &ns) &&
           !__builtin_add_overflow(wall, ns, out);
}

static int read_clock(struct ending_rank *r, struct store *s, const struct runinfo *info, struct err *e)
{
    struct query *q = NULL;

    if (store_query(s, &q, "SELECT clock, origin_ns + first_ns FROM rank WHERE rank = :rank", e))
        return e->code;
    query_bind_int(q, ":rank", r->rank);
    if (query_step(q, e) == 1) {
        if (!query_null(q, 0))
            str_copy(query_str(q, 0), r->clock, sizeof r->clock);
        r->has_origin = !query_null(q, 1);
        r->origin_ns = query_int(q, 1);
        r->has_origin_unix = r->has_origin && unix_of(r, info, r->origin_ns, &r->origin_unix_ns);
    }
    query_free(q);
    return e->code;
}

static int read_last(struct ending_rank *r, struct store *s, const struct runinfo *info, struct err *e)
{
    struct query *q = NULL;

    if (store_query(
            s, &q,
            "SELECT ts_ns, (SELECT text FROM string WHERE id = name_id), state = 'running' FROM "
            "last_activity WHERE rank = :rank AND kind NOT IN ('queue', 'host') AND ts_ns IS NOT NULL "
            "ORDER BY ts_ns DESC, state = 'running' DESC, kind <> 'comm', track LIMIT 1",
            e))
        return e->code;
    query_bind_int(q, ":rank", r->rank);
    if (query_step(q, e) == 1 && !query_null(q, 0)) {
        r->has_ts = true;
        r->last_ts_ns = query_int(q, 0) + origin_of(s, r->rank);
        r->last_runs = query_int(q, 2);
        if (!query_null(q, 1))
            str_copy_cut(last_part(query_str(q, 1)), r->last_op, sizeof r->last_op);
        r->has_end = unix_of(r, info, r->last_ts_ns, &r->end_unix_ns);
    }
    query_free(q);
    return e->code;
}

static void take_comm(struct ending_rank *r, const struct query *q, int64_t origin)
{
    bool running = str_eq(query_str(q, 0), STR("running"));
    char *to = running ? r->in_comm : r->left_comm;

    if (to[0] || query_null(q, 1))
        return;
    str_copy(query_str(q, 1), to, sizeof r->in_comm);
    if (running && !query_null(q, 2))
        str_copy(query_str(q, 2), r->in_group, sizeof r->in_group);
    if (running) {
        r->in_since_ns = time_or_none(q, 3, origin);
    } else {
        r->left_at_ns = time_or_none(q, 3, origin);
        r->left_since_ns = time_or_none(q, 4, origin);
    }
}

/* Where an op that is done began: of MindSpore 1.x a part of the step says it. */
static const char comm_sql[] =
    "SELECT state, (SELECT text FROM string WHERE id = name_id), (SELECT text FROM string "
    "WHERE id = (SELECT group_id FROM comm_exec c WHERE c.rank = l.rank AND c.name_id = "
    "l.name_id AND l.state = 'running' LIMIT 1)), ts_ns, ifnull((SELECT max(ts_ns) FROM comm_exec c WHERE "
    "c.rank = l.rank AND c.name_id = l.name_id AND c.ts_ns <= l.ts_ns), (SELECT max(start_ns) FROM step_part "
    "p "
    "WHERE p.rank = l.rank AND p.name_id = l.name_id AND p.start_ns <= l.ts_ns)) FROM last_activity l WHERE "
    "rank = :rank AND kind = 'comm' AND state IN ('running', 'done') ORDER BY ts_ns DESC";

static int read_comm(struct ending_rank *r, struct store *s, struct err *e)
{
    int64_t origin = origin_of(s, r->rank);
    struct query *q = NULL;

    if (store_query(s, &q, comm_sql, e))
        return e->code;
    query_bind_int(q, ":rank", r->rank);
    while (query_step(q, e) == 1)
        take_comm(r, q, origin);
    query_free(q);
    return e->code;
}

/* Names and sizes of the files do not show this. */
static bool has_cut_raw(struct store *s, int rank)
{
    return store_int(s, 0,
                     "SELECT 1 FROM source WHERE state = 'TORN' AND kind LIKE 'raw%' AND (rank IS "
                     "NULL OR rank = :rank) LIMIT 1",
                     ":rank", (int64_t)rank, NULL);
}

static void begin_rank(struct ending_rank *r, int rank, int device)
{
    *r = (struct ending_rank){ .rank = rank,
                               .device = device,
                               .last_step = NO_STEP,
                               .last_complete_step = NO_STEP,
                               .cut_step = NO_STEP,
                               .cut_after_ns = -1,
                               .in_since_ns = NO_TIME,
                               .left_since_ns = NO_TIME,
                               .left_at_ns = NO_TIME,
                               .step_since_ns = NO_TIME,
                               .step_ns = NAN };
}

static int read_rank(struct ending_rank *r, struct session *s, const struct session_rank *of, int64_t now_ns,
                     struct err *e)
{
    const struct unit *u = session_job(s)->units[of->unit];
    struct store *store = session_store(s, of->unit);
    int64_t cut_ns = INT64_MAX;
    struct run_verdict v;

    begin_rank(r, of->rank, of->device);
    run_state_of(u, r->rank, now_ns, &v);
    r->state = v.state;
    if (v.state == RUN_NOT_ANALYSED && store && has_cut_raw(store, r->rank))
        r->state = RUN_CRASHED;
    r->brief = !store;
    if (!store)
        store = session_overview(s);
    if (!store)
        return OK;
    if (read_steps(r, store, &cut_ns, e) || read_clock(r, store, &u->info, e) ||
        read_last(r, store, &u->info, e) || read_comm(r, store, e))
        return e->code;
    /* that there are no steps is known only of what was read as a whole */
    if (r->last_step == NO_STEP && (session_is_partial(s, of->unit) || !session_store(s, of->unit)))
        r->read = false;
    if (r->has_ts && r->last_ts_ns >= cut_ns)
        r->cut_after_ns = r->last_ts_ns - cut_ns;
    return OK;
}

/* The ends of ranks are compared: that of one with a lost clock is moved to where the others' say it was. */
static int place_lost(struct ending *x, struct session *s, struct err *e)
{
    struct rank_clock *clock = calloc(x->n_ranks + 1, sizeof *clock);

    if (!clock)
        return err_nomem(e);
    if (rank_clock_read(clock, s, e) == OK)
        for (size_t i = 0; i < x->n_ranks; i++) {
            struct ending_rank *r = &x->ranks[i];
            r->clock_lost = clock[i].lost;
            r->clock_known = clock[i].known;
            r->clock_ahead_ns = clock[i].ahead_ns;
            r->clock_within_ns = clock[i].within_ns;
            r->clock_with = clock[i].with;
            if (r->has_end && r->clock_known)
                r->end_unix_ns = bounded_sub(r->end_unix_ns, r->clock_ahead_ns);
        }
    free(clock);
    return e->code;
}

static int add_ranks(struct ending *x, struct session *s, int64_t now_ns, struct err *e)
{
    size_t n = session_n_ranks(s);

    x->ranks = calloc(n ? n : 1, sizeof *x->ranks);
    if (!x->ranks)
        return err_nomem(e);
    for (; x->n_ranks < n; x->n_ranks++) {
        if (read_rank(&x->ranks[x->n_ranks], s, session_rank(s, x->n_ranks), now_ns, e))
            return e->code;
        x->ranks[x->n_ranks].apart = !session_is_beside(s, x->n_ranks);
    }
    return place_lost(x, s, e);
}

static int copy_ranks(struct ending *x, const struct ending *known, const struct session *s, struct err *e)
{
    x->ranks = calloc(known->n_ranks ? known->n_ranks : 1, sizeof *x->ranks);
    if (!x->ranks)
        return err_nomem(e);
    for (; x->n_ranks < known->n_ranks; x->n_ranks++) {
        x->ranks[x->n_ranks] = known->ranks[x->n_ranks];
        x->ranks[x->n_ranks].apart = !session_is_beside(s, x->n_ranks);
    }
    return OK;
}

/* ---- all ---- */

static int add_chosen(struct ending *x, struct session *s, size_t at, struct err *e)
{
    const struct session_rank *r = session_rank(s, at);
    struct store *store = session_store(s, r->unit);

    if (!store && session_overview(s) && add_acts(x, session_overview(s), at, r->rank, e))
        return e->code;
    if (store && (add_acts(x, store, at, r->rank, e) || add_lost(x, store, at, r->rank, e)))
        return e->code;
    return add_gaps(x, session_job(s)->units[r->unit], at, r->rank, e);
}

int ending_make(struct ending **out, struct session *s, const size_t *ranks, size_t n, int64_t now_ns,
                struct err *e)
{
    struct ending *x = *out = calloc(1, sizeof *x);

    if (!x)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++)
        if (add_chosen(x, s, ranks[i], e))
            return e->code;
    return add_ranks(x, s, now_ns, e);
}

int ending_make_beside(struct ending **out, struct session *s, const struct ending *known, size_t at,
                       struct err *e)
{
    struct ending *x = *out = calloc(1, sizeof *x);

    if (!x)
        return err_nomem(e);
    return add_chosen(x, s, at, e) ? e->code : copy_ranks(x, known, s, e);
}

/* Table rank is not written yet while a store is filled. */
static int add_ranks_of(struct ending *x, struct store *s, struct err *e)
{
    size_t cap = 0;
    struct query *q = NULL;

    if (store_query(s, &q, "SELECT rank FROM step UNION SELECT rank FROM last_activity ORDER BY rank", e))
        return e->code;
    while (query_step(q, e) == 1) {
        struct ending_rank *v = grow_array(x->ranks, x->n_ranks, &cap, sizeof *v, 8);
        if (!v) {
            err_nomem(e);
            break;
        }
        x->ranks = v;
        begin_rank(&v[x->n_ranks++], (int)query_int(q, 0), -1);
    }
    query_free(q);
    return e->code;
}

int ending_of_store(struct ending **out, struct store *s, struct err *e)
{
    struct ending *x = *out = calloc(1, sizeof *x);
    int64_t ignored = 0;

    if (!x)
        return err_nomem(e);
    if (add_ranks_of(x, s, e))
        return e->code;
    for (size_t i = 0; i < x->n_ranks; i++)
        if (read_steps(&x->ranks[i], s, &ignored, e) || read_comm(&x->ranks[i], s, e))
            return e->code;
    return OK;
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

struct str ending_short(const char *name)
{
    return last_part(str_of(name));
}

/* ---- evidence ---- */

static void say_one_cut(const struct ending_lost *l, struct run_verdict *v)
{
    char name[81], what[81];

    str_copy_cut(str_of(path_base(l->file)), name, sizeof name);
    str_copy_cut(str_of(l->what), what, sizeof what);
    if (l->offset >= 0)
        run_verdict_add(v, "%s: %s, at byte %" PRId64, name, what, l->offset);
    else
        run_verdict_add(v, "%s: %s", name, what);
}

/* A few cut files are listed with the byte, more of them by name only. */
static void say_cut(const struct ending *x, size_t at, struct run_verdict *v)
{
    char names[160] = "", more[40] = "", name[45];
    size_t n = 0, total = 0;

    for (size_t i = 0; i < x->n_lost; i++)
        total += x->lost[i].cut && x->lost[i].at == at;
    for (size_t i = 0; i < x->n_lost; i++) {
        const struct ending_lost *l = &x->lost[i];
        if (!l->cut || l->at != at)
            continue;
        if (total <= CUT_PLACES)
            say_one_cut(l, v);
        else if (n++ < CUT_NAMES)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", names[0] ? tr(", ") : "",
                     str_copy_cut(str_of(path_base(l->file)), name, sizeof name));
    }
    if (n > CUT_NAMES)
        snprintf(more, sizeof more, tr(" and %zu more"), n - CUT_NAMES);
    if (n)
        run_verdict_add(v, "%zu files are cut inside a record: %s%s", n, names, more);
}

void ending_verdict(const struct ending *x, const struct unit *u, size_t at, int64_t now_ns,
                    struct run_verdict *v)
{
    struct run_verdict files;

    run_state_of(u, x->ranks[at].rank, now_ns, &files);
    *v = (struct run_verdict){ .state = x->ranks[at].state };
    run_verdict_add(v, "%s", files.evidence[0]);
    if (v->state != RUN_ANALYSED)
        say_cut(x, at, v);
    for (size_t i = 1; i < files.n; i++)
        run_verdict_add(v, "%s", files.evidence[i]);
}

enum time_unit ending_at_unit(const struct ending *x)
{
    double least = 0, most = 0;

    for (size_t i = 0; i < x->n_acts; i++) {
        double at = x->acts[i].has_ts ? fabs((double)x->acts[i].at_ns) : 0;
        least = at > 0 && (least == 0 || at < least) ? at : least;
        most = at > most ? at : most;
    }
    return unit_time_column(least, most);
}

const char *ending_clock_text(const struct ending_rank *k)
{
    return strcmp(k->clock, "unix") == 0     ? tr("wall clock")
           : strcmp(k->clock, "device") == 0 ? tr("device clock")
                                             : tr("clock of its own");
}

char *ending_at(const struct ending_act *a, enum time_unit unit, char *buf, size_t n)
{
    char t[40];

    buf[0] = '\0';
    if (!a->has_ts)
        return buf;
    unit_time(t, sizeof t, fabs((double)a->at_ns), unit);
    snprintf(buf, n, "%s%s", a->at_ns < 0 ? "-" : a->at_ns > 0 ? "+" : "", t);
    return buf;
}

char *ending_coverage(const struct ending_rank *k, char *buf, size_t n)
{
    char t[40];
    size_t used;

    buf[0] = '\0';
    if (!k->read)
        return buf;
    if (k->complete_steps == 1)
        used = (size_t)snprintf(buf, n, "%s", tr("1 complete step"));
    else
        used = (size_t)snprintf(buf, n, tr("%" PRIu64 " complete steps"), k->complete_steps);
    if (k->cut_step != NO_STEP && used < n)
        used += (size_t)snprintf(buf + used, n - used, tr(", step %" PRId64 " is cut"), k->cut_step);
    if (k->cut_step != NO_STEP && k->cut_after_ns >= 0 && used < n)
        snprintf(buf + used, n - used, tr(" after %s"),
                 unit_time(t, sizeof t, (double)k->cut_after_ns, TIME_AUTO));
    return buf;
}
