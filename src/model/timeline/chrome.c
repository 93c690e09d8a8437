/* SPDX-License-Identifier: Apache-2.0 */
/* Writing a trace: processes, threads, slices, samples, arrows. */
#include "config.h"

#include "model/timeline/chrome.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/sig.h"
#include "base/unit.h"
#include "model/timeline/nesting.h"
#include "model/timeline/timeline_int.h"

#define FLUSH_B ((size_t)64 << 10)
#define LINE_B  ((size_t)64 << 20)
#define NAMES_B ((size_t)16 << 20)

/* Where a track went, for the arrows. */
struct placed {
    int64_t id;
    unsigned pid, tid;
    struct nesting *nest; /* tids of its events; NULL: all went to tid, and every arrow has its event */
};

struct process {
    struct str name; /* in names */
    unsigned pid, next_tid;
};

struct trace {
    const struct write_to *to;
    struct buf out;
    bool any;        /* something was written */
    int64_t base_ns; /* absolute time of the first event */
    unsigned pid;
    uint64_t flows, events;
    struct arena *names;

    /* of the rank that is written */
    const struct chrome_part *p;
    int64_t origin_ns; /* added to stored times gives absolute ones as aligned */
    bool has_flows;
    struct process *process;
    size_t n_process, cap_process;
    struct placed *placed;
    size_t n_placed, cap_placed;
};

static bool is_cut(const struct chrome_part *p)
{
    return p->from_ns != INT64_MIN || p->to_ns != INT64_MAX || p->keep;
}

static size_t n_tracks(const struct chrome_part *p)
{
    return p->tracks ? p->n_tracks : timeline_n_tracks(p->tl);
}

static size_t nth_track(const struct chrome_part *p, size_t i)
{
    return p->tracks ? p->tracks[i] : i;
}

/* ---- text ---- */

static int flush(struct trace *t, size_t least, struct err *e)
{
    if (buf_failed(&t->out))
        return err_nomem(e);
    if (t->out.n < least)
        return OK;
    int rc = t->to->add(t->to->arg, buf_str(&t->out), e);
    buf_clear(&t->out);
    return rc;
}

static void begin_object(struct trace *t)
{
    buf_puts(&t->out, t->any ? ",\n{" : "{");
    t->any = true;
}

static int end_object(struct trace *t, struct err *e)
{
    buf_addc(&t->out, '}');
    return flush(t, FLUSH_B, e);
}

/* Saturate times that do not fit, because hostile ones may not. */
static int64_t fit(__int128 ns)
{
    return ns > INT64_MAX ? INT64_MAX : ns < INT64_MIN ? INT64_MIN : (int64_t)ns;
}

static void add_us(struct buf *b, int64_t ns)
{
    uint64_t u = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    buf_printf(b, "%s%" PRIu64 ".%03u", ns < 0 ? "-" : "", u / 1000, (unsigned)(u % 1000));
}

/* Name, phase and time; ns as stored. */
static void begin_event(struct trace *t, struct str name, char ph, int64_t ns)
{
    begin_object(t);
    buf_puts(&t->out, "\"name\":");
    write_json_string(&t->out, name);
    buf_printf(&t->out, ",\"ph\":\"%c\",\"ts\":", ph);
    add_us(&t->out, fit((__int128)fit((__int128)ns + t->origin_ns) - t->base_ns));
}

/* ---- processes and threads ---- */

static int add_name(struct trace *t, const char *what, unsigned pid, unsigned tid, const char *prefix,
                    struct str name, int lane, struct err *e)
{
    struct buf text;

    buf_init(&text, 1 << 20);
    buf_puts(&text, prefix ? prefix : "");
    buf_add(&text, name);
    if (lane > 0)
        buf_printf(&text, " (%d)", lane + 1);
    begin_object(t);
    buf_printf(&t->out, "\"ph\":\"M\",\"name\":\"%s\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":", what, pid,
               tid);
    write_json_string(&t->out, buf_str(&text));
    buf_addc(&t->out, '}');
    buf_done(&text);
    return end_object(t, e);
}

static int add_sort(struct trace *t, const char *what, unsigned pid, unsigned tid, struct err *e)
{
    begin_object(t);
    buf_printf(&t->out, "\"ph\":\"M\",\"name\":\"%s\",\"pid\":%u,\"tid\":%u,\"args\":{\"sort_index\":%u}",
               what, pid, tid, tid ? tid : pid);
    return end_object(t, e);
}

static int add_shift(struct trace *t, unsigned pid, struct err *e)
{
    if (!t->p->shift_ns)
        return OK;
    begin_object(t);
    buf_printf(&t->out,
               "\"ph\":\"M\",\"name\":\"process_labels\",\"pid\":%u,\"tid\":0,\"args\":{\"labels\":"
               "\"moved by "
               "%" PRId64 " ns\"}",
               pid, t->p->shift_ns);
    return end_object(t, e);
}

static struct process *find_process(struct trace *t, struct str name)
{
    for (size_t i = 0; i < t->n_process; i++)
        if (str_eq(t->process[i].name, name))
            return &t->process[i];
    return NULL;
}

/* The process of a track, named when it is met first. NULL: error. */
static struct process *process_of(struct trace *t, struct str name, struct err *e)
{
    struct process *p = find_process(t, name);

    if (p)
        return p;
    struct process *more = grow_array(t->process, t->n_process, &t->cap_process, sizeof *more, 16);
    if (!more) {
        err_nomem(e);
        return NULL;
    }
    t->process = more;
    struct str copy = arena_str(t->names, name.p ? name : STR(""));
    if (!copy.p) {
        err_nomem(e);
        return NULL;
    }
    p = &t->process[t->n_process++];
    *p = (struct process){ copy, ++t->pid, 1 };
    if (add_name(t, "process_name", p->pid, 0, t->p->label, name, 0, e) ||
        add_sort(t, "process_sort_index", p->pid, 0, e) || add_shift(t, p->pid, e))
        return NULL;
    return p;
}

/* Keep the pid and tid of the track. Takes *nest where it is needed for each arrow. */
static int place(struct trace *t, int64_t id, const struct process *p, struct nesting **nest, struct err *e)
{
    bool asked = *nest && t->has_flows && (is_cut(t->p) || nesting_lanes(*nest) > 1);

    struct placed *more = grow_array(t->placed, t->n_placed, &t->cap_placed, sizeof *more, 64);
    if (!more)
        return err_nomem(e);
    t->placed = more;
    t->placed[t->n_placed++] = (struct placed){ id, p->pid, p->next_tid, asked ? *nest : NULL };
    if (asked)
        *nest = NULL;
    return OK;
}

static void forget_rank(struct trace *t)
{
    for (size_t i = 0; i < t->n_placed; i++)
        nesting_free(t->placed[i].nest);
    t->n_placed = t->n_process = 0;
}

/* ---- events ---- */

/* Whether the event touches the window and is kept. For counters keep() was called with the track. */
static bool wanted(const struct chrome_part *p, bool is_counter, const struct tl_event *ev)
{
    int64_t end = ev->ts_ns;

    if (!is_counter && ev->dur_ns > 0 && __builtin_add_overflow(ev->ts_ns, ev->dur_ns, &end))
        end = INT64_MAX;
    if (ev->ts_ns >= p->to_ns || (end <= p->from_ns && ev->ts_ns < p->from_ns))
        return false;
    return is_counter || !p->keep || p->keep(p->arg, ev->track, ev);
}

static int add_slice(struct trace *t, const struct tl_track *k, const struct process *p, struct nesting *nest,
                     int *lanes, const struct tl_event *ev, struct err *e)
{
    int64_t dur = ev->dur_ns > 0 ? ev->dur_ns : 0;
    int lane = nesting_place(nest, ev->ts_ns, dur);

    if (lane < 0)
        return err_nomem(e);
    for (; *lanes <= lane; ++*lanes) {
        unsigned tid = p->next_tid + (unsigned)*lanes;
        if (add_name(t, "thread_name", p->pid, tid, NULL, k->name, *lanes, e) ||
            add_sort(t, "thread_sort_index", p->pid, tid, e))
            return e->code;
    }
    begin_event(t, timeline_name(t->p->tl, ev->track, ev->name_id), 'X', ev->ts_ns);
    buf_puts(&t->out, ",\"dur\":");
    add_us(&t->out, dur);
    buf_printf(&t->out, ",\"pid\":%u,\"tid\":%u", p->pid, p->next_tid + (unsigned)lane);
    t->events++;
    return end_object(t, e);
}

/* Call fn for each event of the track that is wanted; fn returns false to stop. */
typedef bool event_fn(void *arg, const struct tl_event *ev);
static int each_event(const struct trace *t, size_t track, event_fn *fn, void *arg, struct err *e)
{
    bool is_counter = timeline_track(t->p->tl, track)->is_counter, more = true;
    struct chunk_walk w;

    if (is_counter && t->p->keep && !t->p->keep(t->p->arg, track, NULL))
        return OK;
    walk_open(&w, t->p->tl, track, t->p->from_ns, t->p->to_ns, false);
    while (more && !e->code && walk_next(&w, e) == 1) {
        if (sig_stop())
            err_set(e, ERR_CANCELLED, "interrupted");
        for (size_t i = 0; i < w.n && more && !e->code; i++) {
            struct tl_event ev;
            walk_event(&w, i, &ev);
            if (wanted(t->p, is_counter, &ev))
                more = fn(arg, &ev);
        }
    }
    walk_close(&w);
    return e->code;
}

struct slices {
    struct trace *t;
    const struct tl_track *k;
    struct process *p;
    struct nesting *nest;
    int lanes;
    struct err *e;
};

static bool slice_fn(void *arg, const struct tl_event *ev)
{
    struct slices *s = arg;

    if (!s->p && !(s->p = process_of(s->t, s->k->process, s->e)))
        return false;
    return add_slice(s->t, s->k, s->p, s->nest, &s->lanes, ev, s->e) == OK;
}

static bool sample_fn(void *arg, const struct tl_event *ev)
{
    struct slices *s = arg;
    char num[64];

    if (!s->p && !(s->p = process_of(s->t, s->k->process, s->e)))
        return false;
    begin_event(s->t, s->k->name, 'C', ev->ts_ns);
    buf_printf(&s->t->out, ",\"pid\":%u,\"tid\":0,\"args\":{\"value\":%s}", s->p->pid,
               unit_plain(num, sizeof num, chunk_to_double(ev->dur_ns)));
    return end_object(s->t, s->e) == OK;
}

static int write_track(struct trace *t, size_t track, struct err *e)
{
    const struct tl_track *k = timeline_track(t->p->tl, track);
    struct slices s = { .t = t, .k = k, .e = e };

    if (k->is_counter)
        return each_event(t, track, sample_fn, &s, e);
    if (nesting_new(&s.nest, t->has_flows, e))
        return e->code;
    if (each_event(t, track, slice_fn, &s, e) == OK && s.p && place(t, k->id, s.p, &s.nest, e) == OK)
        s.p->next_tid += (unsigned)s.lanes;
    nesting_free(s.nest);
    return e->code;
}

/* Write threads without events: arrows may still begin or end there. Only for a trace that is not cut. */
static int write_empty_tracks(struct trace *t, struct err *e)
{
    struct query *q = NULL;

    if (is_cut(t->p) || t->p->tracks || !t->has_flows)
        return OK;
    if (store_query(t->p->store, &q,
                    "SELECT t.id, p.text, ifnull(n.text, t.tid) FROM track t LEFT JOIN string p ON "
                    "p.id = t.process_id LEFT JOIN string n ON n.id = t.name_id WHERE t.rank = "
                    ":rank AND t.kind NOT IN ('flow', 'counter') AND t.n = 0 ORDER BY t.id",
                    e))
        return e->code;
    query_bind_int(q, ":rank", t->p->rank);
    while (!e->code && query_step(q, e) == 1) {
        struct nesting *none = NULL;
        struct process *p = process_of(t, query_str(q, 1), e);
        if (p && add_name(t, "thread_name", p->pid, p->next_tid, NULL, query_str(q, 2), 0, e) == OK &&
            place(t, query_int(q, 0), p, &none, e) == OK)
            p->next_tid++;
    }
    query_free(q);
    return e->code;
}

/* ---- arrows ---- */

static int placed_cmp(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* One end of an arrow: a track of the viewer, and a time. */
struct flow_end {
    unsigned pid, tid;
    int64_t ns;
};

/* false: its event is not written. */
static bool find_end(const struct trace *t, int64_t track, int64_t ns, struct flow_end *out)
{
    const struct placed key = { .id = track },
                        *p = t->n_placed ? bsearch(&key, t->placed, t->n_placed, sizeof key, placed_cmp)
                                         : NULL;
    int part = 0;

    if (!p)
        return false;
    if (p->nest) {
        /*
         * In the window without a filter every event is there; otherwise a nested one may have been left out,
         * and only an event that starts at ns is certain.
         */
        bool sure = !t->p->keep && ns >= t->p->from_ns && ns < t->p->to_ns;
        part = sure ? nesting_find(p->nest, ns) : nesting_start(p->nest, ns);
        if (part < 0 && is_cut(t->p))
            return false;
    }
    *out = (struct flow_end){ p->pid, p->tid + (unsigned)(part < 0 ? 0 : part), ns };
    return true;
}

static int add_end(struct trace *t, const struct flow_end *f, struct str kind, char ph, struct err *e)
{
    begin_event(t, kind, ph, f->ns);
    buf_puts(&t->out, ",\"cat\":");
    write_json_string(&t->out, kind);
    buf_printf(&t->out, ",\"id\":%" PRIu64 "%s,\"pid\":%u,\"tid\":%u", t->flows,
               ph == 'f' ? ",\"bp\":\"e\"" : "", f->pid, f->tid);
    return end_object(t, e);
}

/* Write the arrows between tracks that are written, from and to the tid that has the event. */
static int write_flows(struct trace *t, struct err *e)
{
    struct query *q = NULL;
    struct flow_end a, b;
    int rc;

    if (!t->has_flows || !t->n_placed)
        return OK;
    qsort(t->placed, t->n_placed, sizeof *t->placed, placed_cmp);
    if (store_query(t->p->store, &q,
                    "SELECT from_track, from_ns, to_track, to_ns, kind_id FROM flow WHERE to_ns "
                    "NOT NULL AND from_ns < :to AND to_ns < :to",
                    e))
        return e->code;
    query_bind_int(q, ":to", t->p->to_ns);
    while (!e->code && (rc = query_step(q, e)) == 1) {
        struct str kind = store_string(t->p->store, query_int(q, 4));
        if (sig_stop())
            err_set(e, ERR_CANCELLED, "interrupted");
        if (e->code || !find_end(t, query_int(q, 0), query_int(q, 1), &a) ||
            !find_end(t, query_int(q, 2), query_int(q, 3), &b))
            continue;
        t->flows++;
        if (add_end(t, &a, kind, 's', e) == OK)
            (void)!add_end(t, &b, kind, 'f', e);
    }
    query_free(q);
    return e->code;
}

/* ---- the whole ---- */

static void set_part(struct trace *t, const struct chrome_part *p)
{
    int64_t origin = 0, first, last;
    bool is_unix;

    t->p = p;
    if (!store_rank_clock(p->store, p->rank, &origin, &first, &last, &is_unix))
        origin = 0;
    t->origin_ns = fit((__int128)origin + p->shift_ns);
    t->has_flows = store_int(p->store, 0, "SELECT 1 FROM track WHERE kind = 'flow' LIMIT 1", NULL) == 1;
}

static int write_part(struct trace *t, struct err *e)
{
    for (size_t i = 0; i < n_tracks(t->p) && !e->code; i++)
        (void)!write_track(t, nth_track(t->p, i), e);
    if (!e->code && write_empty_tracks(t, e) == OK)
        (void)!write_flows(t, e);
    forget_rank(t);
    return e->code;
}

struct first {
    const struct trace *t;
    int64_t ns;
    bool any;
};

static bool first_fn(void *arg, const struct tl_event *ev)
{
    struct first *f = arg;
    int64_t ns = fit((__int128)ev->ts_ns + f->t->origin_ns);

    if (!f->any || ns < f->ns)
        f->ns = ns;
    f->any = true;
    return false;
}

static int write_trace(struct trace *t, const struct chrome_part *parts, size_t n, struct err *e)
{
    struct first f = { .t = t };

    for (size_t i = 0; i < n; i++) {
        set_part(t, &parts[i]);
        for (size_t k = 0; k < n_tracks(&parts[i]); k++)
            if (each_event(t, nth_track(&parts[i], k), first_fn, &f, e))
                return e->code;
    }
    if (!f.any)
        return err_set(e, ERR_FORMAT, "no event of the timeline fits");
    t->base_ns = f.ns;
    buf_printf(&t->out,
               "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"program\":\"npuscope " PACKAGE_VERSION
               "\",\"origin_ns\":\"%" PRId64 "\"},\n\"traceEvents\":[\n",
               t->base_ns);
    for (size_t i = 0; i < n; i++) {
        set_part(t, &parts[i]);
        if (write_part(t, e))
            return e->code;
    }
    buf_puts(&t->out, "\n]}\n");
    return flush(t, 0, e);
}

int chrome_write(const struct chrome_part *parts, size_t n, const struct write_to *to, uint64_t *events,
                 struct err *e)
{
    struct trace t = { .to = to };

    buf_init(&t.out, LINE_B);
    if (arena_new(&t.names, NAMES_B, e) == OK)
        (void)!write_trace(&t, parts, n, e);
    if (events)
        *events = t.events;
    arena_free(t.names);
    free(t.process);
    free(t.placed);
    buf_done(&t.out);
    return e->code;
}
