/*
 * Writing a trace: one object with traceEvents. Times are numbers in us with three decimals, counted from the first event that is written;
 * the absolute time of that is in otherData.origin_ns. A track whose events overlap without nesting is parted into several.
 */
#include "config.h"

#include "cli/chrome.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/sig.h"
#include "cli/nesting.h"
#include "cli/window.h"
#include "model/writer.h"

/* ---- the trace ---- */

/* Where a track went, for the arrows. */
struct placed {
    int64_t id;
    unsigned pid, tid;
    struct nesting
        *nest; /* where its events went; NULL: all to tid, and nobody asks whether there is one */
};

struct trace {
    struct cli *c;
    struct buf line, where_event, where_sample;
    bool any;        /* an event was written */
    int64_t base_ns; /* absolute time of the first event */
    unsigned pid, tid;
    struct placed *placed; /* of the rank that is written */
    size_t n_placed, cap_placed;
    uint64_t flows;
    bool has_flows; /* of the rank that is written */
};

struct track {
    int64_t id;
    struct str name, process; /* valid while the track's row is */
    bool is_counter;
};

static int emit(struct trace *t, struct err *e)
{
    if (buf_failed(&t->line))
        return err_nomem(e);
    if (t->any)
        out_puts(t->c->out, ",\n");
    out_add(t->c->out, buf_str(&t->line));
    buf_clear(&t->line);
    t->any = true;
    return OK;
}

static void add_us(struct buf *b, int64_t ns)
{
    uint64_t u = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    buf_printf(b, "%s%" PRIu64 ".%03u", ns < 0 ? "-" : "", u / 1000, (unsigned)(u % 1000));
}

/* process_name, thread_name */
static int add_meta(struct trace *t, const char *what, bool with_tid, struct str name, int lane,
                    struct err *e)
{
    struct buf text;

    buf_init(&text, 1 << 20);
    buf_add(&text, name);
    if (lane > 0)
        buf_printf(&text, " (%d)", lane + 1);
    buf_printf(&t->line, "{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%u,", what, t->pid);
    if (with_tid)
        buf_printf(&t->line, "\"tid\":%u,", t->tid + (unsigned)(lane < 0 ? 0 : lane));
    buf_puts(&t->line, "\"args\":{\"name\":");
    write_json_string(&t->line, buf_str(&text));
    buf_puts(&t->line, "}}");
    buf_done(&text);
    return emit(t, e);
}

static void begin_event(struct trace *t, struct str name, char ph, int64_t ns)
{
    buf_puts(&t->line, "{\"name\":");
    write_json_string(&t->line, name);
    buf_printf(&t->line, ",\"ph\":\"%c\",\"ts\":", ph);
    add_us(&t->line, ns);
}

static int prepare(struct trace *t, const struct view_part *p, const struct track *tr,
                   struct query **q, struct err *e)
{
    struct buf sql;

    buf_init(&sql, 1 << 20);
    if (tr->is_counter)
        buf_printf(&sql,
                   "SELECT s.ts_ns, s.value FROM counter_sample s WHERE s.track_id = :track%s "
                   "ORDER BY s.ts_ns",
                   buf_str(&t->where_sample).p);
    else
        buf_printf(&sql,
                   "SELECT v.ts_ns, v.dur_ns, v.name_id FROM event v WHERE v.track_id = :track%s "
                   "ORDER BY v.ts_ns",
                   buf_str(&t->where_event).p);
    int rc = buf_failed(&sql) ? err_nomem(e) : store_query(p->store, q, buf_str(&sql).p, e);
    buf_done(&sql);
    if (rc)
        return rc;
    query_bind_int(*q, ":track", tr->id);
    query_bind_int(*q, ":rank", p->rank);
    return OK;
}

static int add_sample(struct trace *t, const struct track *tr, struct query *q, int64_t origin,
                      struct err *e)
{
    char num[64];

    begin_event(t, tr->name, 'C', query_int(q, 0) + origin - t->base_ns);
    buf_printf(&t->line, ",\"pid\":%u,\"args\":{\"value\":%s}}", t->pid,
               unit_plain(num, sizeof num, query_real(q, 1)));
    return emit(t, e);
}

static int add_slice(struct trace *t, const struct view_part *p, struct nesting *nest, int *lanes,
                     const struct track *tr, struct query *q, int64_t origin, struct err *e)
{
    int64_t ts = query_int(q, 0), dur = query_int(q, 1);
    struct str name = store_string(p->store, query_int(q, 2));
    int lane = nesting_place(nest, ts, dur);

    if (lane < 0)
        return err_nomem(e);
    for (; *lanes <= lane; ++*lanes)
        if (add_meta(t, "thread_name", true, tr->name, *lanes, e))
            return (int)e->code;
    begin_event(t, name, 'X', ts + origin - t->base_ns);
    buf_puts(&t->line, ",\"dur\":");
    add_us(&t->line, dur);
    buf_printf(&t->line, ",\"pid\":%u,\"tid\":%u}", t->pid, t->tid + (unsigned)lane);
    return emit(t, e);
}

/* Keep where the track went. Takes *nest where that has to be asked for each event. */
static int place(struct trace *t, int64_t id, struct nesting **nest, struct err *e)
{
    bool parted = t->has_flows && nesting_lanes(*nest) > 1;

    if (t->n_placed == t->cap_placed) {
        size_t cap = t->cap_placed ? t->cap_placed * 2 : 64;
        struct placed *p = realloc(t->placed, cap * sizeof *p);
        if (!p)
            return err_nomem(e);
        t->placed = p;
        t->cap_placed = cap;
    }
    t->placed[t->n_placed++] = (struct placed){ id, t->pid, t->tid, parted ? *nest : NULL };
    if (parted)
        *nest = NULL;
    return OK;
}

static void forget_placed(struct trace *t)
{
    for (size_t i = 0; i < t->n_placed; i++)
        nesting_free(t->placed[i].nest);
    t->n_placed = 0;
}

static int write_track(struct trace *t, const struct view_part *p, const struct track *tr,
                       int64_t origin, struct err *e)
{
    struct nesting *nest = NULL;
    struct query *q = NULL;
    int lanes = 0, rc;

    if (nesting_new(&nest, t->has_flows, e) || prepare(t, p, tr, &q, e))
        goto out;
    while (!e->code && (rc = query_step(q, e)) == 1) {
        if (sig_stop())
            err_set(e, ERR_CANCELLED, "interrupted");
        else if (tr->is_counter)
            (void)!add_sample(t, tr, q, origin, e);
        else
            (void)!add_slice(t, p, nest, &lanes, tr, q, origin, e);
    }
    if (!tr->is_counter && !e->code)
        (void)!place(t, tr->id, &nest, e);
    t->tid += (unsigned)(lanes ? lanes : 1);
out:
    query_free(q);
    nesting_free(nest);
    return (int)e->code;
}

/* Tracks that fit, those of one process together. */
static int list_tracks(struct trace *t, const struct view_part *p, struct query **q, struct err *e)
{
    struct buf sql;

    buf_init(&sql, 1 << 20);
    buf_puts(&sql,
             "SELECT t.id, t.name_id, t.process_id, t.kind = 'counter', t.tid FROM track t WHERE "
             "t.rank = :rank AND t.kind <> 'flow'");
    window_track(t->c, &sql);
    buf_puts(&sql,
             " ORDER BY min(ifnull(t.sort, 0)) OVER (PARTITION BY t.process_id), t.process_id, "
             "t.sort, t.id");
    int rc = buf_failed(&sql) ? err_nomem(e) : store_query(p->store, q, buf_str(&sql).p, e);
    buf_done(&sql);
    if (rc == OK)
        query_bind_int(*q, ":rank", p->rank);
    return rc;
}

/* ---- arrows ---- */

static int placed_cmp(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

static const struct placed *find_placed(const struct trace *t, int64_t id)
{
    const struct placed key = { .id = id };
    return t->n_placed ? bsearch(&key, t->placed, t->n_placed, sizeof key, placed_cmp) : NULL;
}

/* One end of an arrow: a track of the viewer, and a time. */
struct flow_end {
    unsigned pid, tid;
    int64_t ns;
};

/* False: the track is not written. */
static bool find_end(const struct trace *t, int64_t track, int64_t ns, struct flow_end *out)
{
    const struct placed *p = find_placed(t, track);
    int part = p && p->nest ? nesting_find(p->nest, ns) : 0;

    if (p)
        *out = (struct flow_end){ p->pid, p->tid + (unsigned)(part < 0 ? 0 : part), ns };
    return p;
}

static int add_end(struct trace *t, const struct flow_end *f, struct str kind, char ph,
                   int64_t origin, struct err *e)
{
    begin_event(t, kind, ph, f->ns + origin - t->base_ns);
    buf_puts(&t->line, ",\"cat\":");
    write_json_string(&t->line, kind);
    buf_printf(&t->line, ",\"id\":%" PRIu64 "%s,\"pid\":%u,\"tid\":%u}", t->flows,
               ph == 'f' ? ",\"bp\":\"e\"" : "", f->pid, f->tid);
    return emit(t, e);
}

/* Both ends in the window: then the events they belong to are written. */
static int query_flows(struct trace *t, const struct view_part *p, struct query **q, struct err *e)
{
    struct buf sql;

    buf_init(&sql, 1 << 20);
    buf_puts(&sql, "SELECT a, a_ns, b, b_ns, kind FROM (SELECT v.a, v.a_ns, v.b, v.b_ns, v.kind, "
                   "v.b_ns AS ts_ns FROM (SELECT "
                   "from_track AS a, from_ns AS ts_ns, from_ns AS a_ns, to_track AS b, to_ns AS "
                   "b_ns, kind_id AS kind FROM flow WHERE to_ns NOT NULL) v WHERE 1");
    if (window_times(t->c, "v", false, &sql, e) == OK) {
        buf_puts(&sql, ") w WHERE 1");
        (void)!window_times(t->c, "w", false, &sql, e);
    }
    if (!e->code)
        (void)!store_query(p->store, q, buf_str(&sql).p, e);
    buf_done(&sql);
    if (!e->code)
        query_bind_int(*q, ":rank", p->rank);
    return (int)e->code;
}

/* Arrows between tracks that are written, from and to the part that has the event. */
static int write_flows(struct trace *t, const struct view_part *p, int64_t origin, struct err *e)
{
    struct query *q = NULL;
    struct flow_end a, b;
    int rc;

    if (!t->has_flows)
        return OK;
    if (query_flows(t, p, &q, e))
        return (int)e->code;
    if (t->n_placed)
        qsort(t->placed, t->n_placed, sizeof *t->placed, placed_cmp);
    while (!e->code && (rc = query_step(q, e)) == 1) {
        struct str kind = store_string(p->store, query_int(q, 4));
        if (sig_stop())
            err_set(e, ERR_CANCELLED, "interrupted");
        if (e->code || !find_end(t, query_int(q, 0), query_int(q, 1), &a) ||
            !find_end(t, query_int(q, 2), query_int(q, 3), &b))
            continue;
        t->flows++;
        if (add_end(t, &a, kind, 's', origin, e) == OK)
            (void)!add_end(t, &b, kind, 'f', origin, e);
    }
    query_free(q);
    return (int)e->code;
}

/* ---- the whole ---- */

static int64_t origin_of(const struct view_part *p)
{
    int64_t origin = 0, first, last;
    bool is_unix;

    return store_rank_clock(p->store, p->rank, &origin, &first, &last, &is_unix) ? origin : 0;
}

static int write_part(struct trace *t, const struct view_part *p, struct err *e)
{
    struct query *q = NULL;
    int64_t process = -1, origin = origin_of(p);
    int rc;

    t->has_flows =
        store_int(p->store, 0, "SELECT 1 FROM track WHERE kind = 'flow' LIMIT 1", NULL) == 1;
    if (list_tracks(t, p, &q, e))
        return (int)e->code;
    while (!e->code && (rc = query_step(q, e)) == 1) {
        const struct track tr = {
            .id = query_int(q, 0),
            .name = query_null(q, 1) ? query_str(q, 4) : store_string(p->store, query_int(q, 1)),
            .process = store_string(p->store, query_int(q, 2)),
            .is_counter = query_int(q, 3) != 0,
        };
        if (process != query_int(q, 2) || !t->pid) {
            struct buf name;
            process = query_int(q, 2);
            t->pid++;
            t->tid = 1;
            buf_init(&name, 1 << 20);
            if (t->c->n_parts > 1)
                buf_printf(&name, "rank %d ", p->rank);
            buf_add(&name, tr.process);
            (void)!add_meta(t, "process_name", false, buf_str(&name), -1, e);
            buf_done(&name);
        }
        if (!e->code)
            (void)!write_track(t, p, &tr, origin, e);
    }
    query_free(q);
    if (!e->code)
        (void)!write_flows(t, p, origin, e);
    forget_placed(t);
    return (int)e->code;
}

/* Absolute time of the first event that will be written: the first row of each track is its earliest. */
static bool first_of(struct trace *t, const struct view_part *p, int64_t *out, struct err *e)
{
    struct query *q = NULL;
    bool any = false;
    int64_t origin = origin_of(p);
    int rc;

    if (list_tracks(t, p, &q, e))
        return false;
    while (!e->code && (rc = query_step(q, e)) == 1) {
        const struct track tr = { .id = query_int(q, 0), .is_counter = query_int(q, 3) != 0 };
        struct query *one = NULL;
        if (prepare(t, p, &tr, &one, e) == OK && query_step(one, e) == 1 &&
            (!any || query_int(one, 0) + origin < *out)) {
            *out = query_int(one, 0) + origin;
            any = true;
        }
        query_free(one);
    }
    query_free(q);
    return any;
}

static int write_trace(struct trace *t, struct err *e)
{
    bool any = false;

    for (size_t i = 0; i < t->c->n_parts; i++) {
        int64_t first;
        if (first_of(t, &t->c->parts[i], &first, e) && (!any || first < t->base_ns)) {
            t->base_ns = first;
            any = true;
        }
        if (e->code)
            return (int)e->code;
    }
    if (!any)
        return err_set(e, ERR_FORMAT, "no event of the timeline fits");
    out_printf(t->c->out,
               "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"program\":\"npuscope " PACKAGE_VERSION
               "\",\"origin_ns\":\"%" PRId64 "\"},\n\"traceEvents\":[\n",
               t->base_ns);
    for (size_t i = 0; i < t->c->n_parts; i++)
        if (write_part(t, &t->c->parts[i], e))
            return (int)e->code;
    out_puts(t->c->out, "\n]}\n");
    return OK;
}

int chrome_write(struct cli *c, struct err *e)
{
    struct trace t = { .c = c };

    buf_init(&t.line, (size_t)4 << 20);
    buf_init(&t.where_event, 1 << 20);
    buf_init(&t.where_sample, 1 << 20);
    if (window_times(c, "v", true, &t.where_event, e) == OK &&
        window_times(c, "s", false, &t.where_sample, e) == OK)
        (void)!write_trace(&t, e);
    free(t.placed);
    buf_done(&t.line);
    buf_done(&t.where_event);
    buf_done(&t.where_sample);
    return (int)e->code;
}
