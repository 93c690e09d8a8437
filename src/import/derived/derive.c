/* SPDX-License-Identifier: Apache-2.0 */
/* Tracks for ranks without a trace. */
#include "config.h"

#include "base/grow.h"
#include "import/derived/derive.h"
#include "import/derived/overlap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One table that becomes tracks. The statement gives rank, stream, name id (or the name), start,
 * duration, line. */
struct derived {
    enum track_kind kind;
    const char *process, *track;
    const char *missing; /* ranks that need it */
    const char *rows;
};

/* The last instant at which a step without an end is seen. */
#define LAST_OF_STREAMS "(SELECT max(t1) FROM track t WHERE t.rank = :rank AND t.kind = 'stream')"
static const struct derived derivations[] = {
    { TK_PLANE, "Communication", "Communication",
      "SELECT DISTINCT rank FROM comm_exec WHERE ts_ns IS NOT NULL AND rank NOT IN (SELECT rank FROM track "
      "WHERE kind = 'plane')",
      "SELECT rank, '', name_id, ts_ns, ifnull(dur_ns, 0), line FROM comm_exec WHERE rank = :rank "
      "AND ts_ns IS NOT NULL ORDER BY ts_ns" },
    { TK_STEP, "Steps", "Step",
      "SELECT DISTINCT rank FROM step WHERE (end_ns >= start_ns OR (complete = 0 AND end_ns IS NULL)) "
      "AND rank NOT IN (SELECT rank FROM track WHERE kind = 'step')",
      "SELECT rank, '', 'Step ' || step, start_ns, end_ns - start_ns, line FROM step WHERE rank = :rank "
      "AND end_ns >= start_ns UNION ALL "
      "SELECT rank, '', 'Step ' || step || ' (cut)', start_ns, " LAST_OF_STREAMS
      " - start_ns, line FROM step WHERE rank = :rank AND complete = 0 AND end_ns IS NULL "
      "AND " LAST_OF_STREAMS " >= start_ns ORDER BY start_ns" },
    { TK_STEP, "Steps", "Forward+backward",
      "SELECT DISTINCT rank FROM step WHERE bp_ns >= fp_ns AND rank NOT IN (SELECT rank FROM track "
      "WHERE kind = 'step' AND source_id > 0)",
      "SELECT rank, '', 'fwd+bwd ' || step, fp_ns, bp_ns - fp_ns, line FROM step WHERE rank = :rank "
      "AND bp_ns >= fp_ns ORDER BY fp_ns" },
    { TK_STEP, "Steps", "Tail",
      "SELECT DISTINCT rank FROM step WHERE end_ns >= bp_ns AND rank NOT IN (SELECT rank FROM track "
      "WHERE kind = 'step' AND source_id > 0)",
      "SELECT rank, '', 'tail ' || step, bp_ns, end_ns - bp_ns, line FROM step WHERE rank = :rank "
      "AND end_ns >= bp_ns ORDER BY bp_ns" },
    { TK_PLANE, "Communication", "Reduce",
      "SELECT DISTINCT rank FROM step_part WHERE kind = 'reduce' AND start_ns IS NOT NULL "
      "AND rank NOT IN (SELECT t.rank FROM track t LEFT JOIN string p "
      "ON p.id = t.process_id WHERE t.kind = 'plane' AND ifnull(p.text, '') NOT LIKE 'HCCL %')",
      "SELECT rank, ifnull(stream, ''), name_id, start_ns, ifnull(dur_ns, 0), line FROM step_part "
      "WHERE rank = :rank AND kind = 'reduce' AND start_ns IS NOT NULL "
      "ORDER BY stream, start_ns" },
    { TK_AICPU, "AI CPU", "AI CPU",
      "SELECT DISTINCT a.rank FROM aicpu_exec a JOIN source s ON s.id = a.source_id "
      "WHERE s.kind IN ('raw_aicpu', 'raw_sqlite') AND a.ts_ns IS NOT NULL AND a.rank NOT IN "
      "(SELECT rank FROM track WHERE kind = 'aicpu')",
      "SELECT rank, '', name_id, ts_ns, ifnull(compute_ns, total_ns), line FROM aicpu_exec "
      "WHERE rank = :rank AND ts_ns IS NOT NULL ORDER BY ts_ns" },
};

/* Stored instants are relative; the sink takes absolute ones. */
static int emit(struct fill *f, const struct derived *d, int rank, struct query *q, struct err *e)
{
    struct sink *s = fill_sink(f);
    int64_t origin = fill_rank_origin(f, rank);
    char name[80];
    int rc;

    while ((rc = query_step(q, e)) == 1) {
        struct val id = query_val(q, 2);
        struct str stream = query_str(q, 1);
        char text[40];
        str_copy(stream.p ? stream : STR(""), text, sizeof text);
        snprintf(name, sizeof name, "%s%s%s", d->track, text[0] ? " stream " : "", text);
        int64_t n;
        struct track_def def = { .rank = rank,
                                 .kind = d->kind,
                                 .process = str_of(d->process),
                                 .name = str_of(name),
                                 .stream = str_i64(str_of(text), &n) ? n : -1 };
        uint32_t track = sink_track(s, &def);
        uint32_t name_id = id.t == VAL_INT ? (uint32_t)id.i : id.t == VAL_TEXT ? sink_intern(s, id.s) : 0;
        if (track == SINK_NO_TRACK)
            return err_nomem(e);
        if (sink_event(s, track, query_int(q, 3) + origin, query_int(q, 4), name_id,
                       (uint64_t)query_int(q, 5), e))
            return e->code;
    }
    return rc < 0 ? e->code : OK;
}

static int derive_one(struct fill *f, struct store *r, const struct derived *d, struct err *e)
{
    struct query *ranks = NULL, *rows = NULL;
    int list[1024], rc;
    size_t n = 0;

    if (store_query(r, &ranks, d->missing, e) || store_query(r, &rows, d->rows, e))
        goto out;
    while (n < ARRAY_LEN(list) && (rc = query_step(ranks, e)) == 1)
        list[n++] = (int)query_int(ranks, 0);
    for (size_t i = 0; i < n && !e->code; i++) {
        query_reset(rows);
        query_bind_int(rows, ":rank", list[i]);
        if (emit(f, d, list[i], rows, e))
            break;
    }
out:
    query_free(ranks);
    query_free(rows);
    return e->code;
}

/* ---- streams of the device, from the executions ---- */

struct stream {
    int rank;
    int64_t stream; /* FILL_NO_STREAM none */
    uint32_t track;
};

struct streams {
    struct sink *sink;
    struct intern *ids;     /* rank and stream; the id is the index in v until the tracks are made */
    struct stream *v, last; /* last: the stream found last */
    size_t n, cap;
    uint32_t *track; /* by id */
    int *traced;     /* ranks whose trace gave such tracks */
    size_t n_traced;
    struct fill *f;
    struct overlap *overlap; /* NULL: not wanted; borrowed */
};

static bool is_wanted(const struct streams *s, const struct fill_exec *x)
{
    if (str_eq(x->core, STR("HCCL")) || str_eq(x->core, STR("COMMUNICATION")))
        return false;
    for (size_t i = 0; i < s->n_traced; i++)
        if (s->traced[i] == x->rank)
            return false;
    return true;
}

static struct str stream_key(const struct stream *x, char buf[16])
{
    memcpy(buf, &(int64_t){ x->rank }, 8);
    memcpy(buf + 8, &x->stream, 8);
    return (struct str){ buf, 16 };
}

static int note_stream(struct streams *s, const struct fill_exec *x, struct err *e)
{
    struct stream found = { .rank = x->rank, .stream = x->stream };
    char key[16];

    if (s->n && s->last.rank == x->rank && s->last.stream == x->stream)
        return OK;
    if (!is_wanted(s, x))
        return OK;
    uint32_t before = intern_count(s->ids);
    uint32_t id = intern_put(s->ids, stream_key(&found, key));
    if (id == INTERN_NONE)
        return err_nomem(e);
    s->last = found;
    if (id < before)
        return OK;
    struct stream *v = grow_array(s->v, s->n, &s->cap, sizeof *v, 64);
    if (!v)
        return err_nomem(e);
    s->v = v;
    s->v[s->n++] = found;
    return OK;
}

/* The first of two passes over the executions. */
static int look(void *arg, const struct fill_exec *x, struct err *e)
{
    struct streams *s = arg;

    if (s->overlap && overlap_exec(s->overlap, x, e))
        return e->code;
    return note_stream(s, x, e);
}

static int stream_cmp(const void *a, const void *b)
{
    const struct stream *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->stream < y->stream ? -1 : x->stream > y->stream;
}

/* Their tracks, in order of rank and stream. */
static int make_tracks(struct streams *s, struct err *e)
{
    char key[16], name[40];

    s->track = calloc(s->n ? s->n : 1, sizeof *s->track);
    if (!s->track)
        return err_nomem(e);
    if (s->n)
        qsort(s->v, s->n, sizeof *s->v, stream_cmp);
    for (size_t i = 0; i < s->n; i++) {
        const struct stream *x = &s->v[i];
        bool none = x->stream == FILL_NO_STREAM;
        if (none)
            snprintf(name, sizeof name, "Stream -");
        else
            snprintf(name, sizeof name, "Stream %" PRId64, x->stream);
        const struct track_def def = { .rank = x->rank,
                                       .kind = TK_STREAM,
                                       .process = STR("Device"),
                                       .name = str_of(name),
                                       .stream = none ? -1 : x->stream };
        uint32_t track = sink_track(s->sink, &def);
        if (track == SINK_NO_TRACK)
            return err_nomem(e);
        s->track[intern_find(s->ids, stream_key(x, key))] = track;
    }
    s->last = (struct stream){ .track = SINK_NO_TRACK };
    return OK;
}

static int put_exec(void *arg, const struct fill_exec *x, struct err *e)
{
    struct streams *s = arg;
    char key[16];

    if (!is_wanted(s, x))
        return OK;
    if (s->last.track == SINK_NO_TRACK || s->last.rank != x->rank || s->last.stream != x->stream) {
        s->last = (struct stream){ .rank = x->rank, .stream = x->stream };
        s->last.track = s->track[intern_find(s->ids, stream_key(&s->last, key))];
    }
    return sink_event(s->sink, s->last.track, x->ts_ns + fill_rank_origin(s->f, x->rank), x->dur_ns,
                      x->name_id, x->line, e);
}

/* Ranks whose trace has shown what the device did. */
static int find_traced(struct streams *s, struct store *r, struct err *e)
{
    struct query *q = NULL;

    if (store_query(r, &q, "SELECT DISTINCT rank FROM track WHERE kind IN ('stream', 'engine')", e))
        return e->code;
    while (query_step(q, e) == 1) {
        int *p = realloc(s->traced, (s->n_traced + 1) * sizeof *p);
        if (!p) {
            err_nomem(e);
            break;
        }
        s->traced = p;
        s->traced[s->n_traced++] = (int)query_int(q, 0);
    }
    query_free(q);
    return e->code;
}

static int derive_streams(struct fill *f, struct store *r, struct overlap *overlap, struct err *e)
{
    struct streams s = { .sink = fill_sink(f), .f = f, .overlap = overlap };
    int rc = intern_new(&s.ids, e);

    if (rc == OK)
        rc = find_traced(&s, r, e);
    if (rc == OK)
        rc = fill_execs(f, look, &s, e);
    if (rc == OK)
        rc = make_tracks(&s, e);
    if (rc == OK && s.n)
        rc = fill_execs(f, put_exec, &s, e);
    intern_free(s.ids);
    free(s.v);
    free(s.track);
    free(s.traced);
    return rc;
}

/* ---- steps ---- */

/*
 * The files of a communication op record when it ran, not in which step
 * (doc/formats/mindspore1.md#hccl_info).
 */
#define OF_TRACES " IS NULL AND source_id IN (SELECT id FROM source WHERE kind = 'g1_hccl_trace')"
static const char *const steps_of_comm[] = {
    "UPDATE comm_exec SET step = (SELECT max(s.step) FROM step s WHERE s.rank = comm_exec.rank AND "
    "s.start_ns <= comm_exec.ts_ns AND s.end_ns > comm_exec.ts_ns) WHERE step" OF_TRACES,
    "UPDATE comm_link SET step = (SELECT c.step FROM comm_exec c WHERE c.id = comm_link.comm_id) "
    "WHERE step" OF_TRACES,
};

static int derive_steps_of_comm(struct fill *f, struct store *r, struct err *e)
{
    struct query *q = NULL;
    bool any = false;

    if (store_query(r, &q,
                    "SELECT 1 FROM source WHERE kind = 'g1_hccl_trace' AND used = 'yes' "
                    "LIMIT 1",
                    e) == OK)
        any = query_step(q, e) == 1;
    query_free(q);
    for (size_t i = 0; i < ARRAY_LEN(steps_of_comm) && any && !e->code; i++)
        if (fill_update(f, steps_of_comm[i], NULL, 0, e))
            break;
    return e->code;
}

/* ---- peaks ---- */

/*
 * What was alive when the most was allocated, of allocations of msMemScope: their rows say what their pool
 * held right after each (doc/formats/analysed.md#memscope_dump). Memory snapshots say it themselves.
 */
#define OF_MEMSCOPE "source_id IN (SELECT id FROM source WHERE kind IN ('memscope_csv', 'memscope_db'))"
#define POOLS       64

struct pool_peak {
    int64_t rank, ns;
    char pool[160];
};

static size_t find_peaks(struct store *r, struct pool_peak *p, struct err *e)
{
    struct query *q = NULL;
    size_t n = 0;

    if (store_query(r, &q,
                    "SELECT rank, device_type, alloc_ns, max(alloc_total_allocated_b) FROM mem_alloc WHERE "
                    "alloc_ns IS NOT NULL AND alloc_total_allocated_b IS NOT NULL AND " OF_MEMSCOPE
                    " GROUP BY rank, device_type",
                    e) == OK)
        for (; n < POOLS && query_step(q, e) == 1; n++) {
            p[n].rank = query_int(q, 0);
            str_copy(query_str(q, 1), p[n].pool, sizeof p[n].pool);
            p[n].ns = query_int(q, 2);
        }
    query_free(q);
    return n;
}

static int derive_peaks(struct fill *f, struct store *r, struct err *e)
{
    struct pool_peak p[POOLS];
    size_t n = find_peaks(r, p, e);

    for (size_t i = 0; i < n && !e->code; i++) {
        const struct val v[] = { val_int(p[i].ns), val_int(p[i].rank), val_cstr(p[i].pool) };
        if (fill_update(f,
                        "UPDATE mem_alloc SET at_peak = (ifnull(alloc_ns, ?1) <= ?1 AND (release_ns IS NULL "
                        "OR release_ns > ?1)) WHERE rank = ?2 AND device_type = ?3 AND " OF_MEMSCOPE,
                        v, ARRAY_LEN(v), e))
            break;
    }
    return e->code;
}

/* ---- all ---- */

static int derive_all(struct fill *f, struct store *r, struct overlap *overlap, struct err *e)
{
    if (fill_begin(f, 0, e) || fill_close(f, derive_streams(f, r, overlap, e), e) || fill_settle(f, e) ||
        derive_steps_of_comm(f, r, e) || derive_peaks(f, r, e))
        return e->code;
    for (size_t i = 0; i < ARRAY_LEN(derivations); i++) {
        if (fill_begin(f, 0, e) || fill_close(f, derive_one(f, r, &derivations[i], e), e))
            return e->code;
    }
    return overlap ? overlap_write(overlap, f, e) : OK;
}

int derive_tracks(struct fill *f, struct err *e)
{
    struct store *r = fill_reader(f, e);
    struct overlap *overlap = NULL;

    if (r && overlap_new(&overlap, f, e) == OK)
        (void)derive_all(f, r, overlap, e);
    overlap_free(overlap);
    return e->code;
}
