/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timelines in the Chrome trace format: trace_view.json, msprof_*.json, the one-layer files of old exports,
 * the displays and hccl_info traces of MindSpore 1.x (doc/formats/analysed.md#timelines,
 * doc/formats/mindspore1.md#hccl_info, #timeline, #gpu_timeline_display).
 *
 * X, i and marks -> events, B/E pairs -> events, C -> counter samples, s t f -> flows, M -> names of the
 * tracks. Nothing is allocated per event; the details of an event (its args) are read later from its offset
 * in the file.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/grow.h"
#include "base/limits.h"
#include "base/read/json_pipe.h"
#include "parsers/parsers.h"
#include "parsers/read/lines.h"
#include "parsers/trace/trace_clock.h"
#include "parsers/trace/trace_track.h"

#define THREAD_LEAST_B ((uint64_t)64 << 20)
#define ASK_B          ((uint64_t)512 << 10)        /* bytes between two questions whether to go on */
#define LOOK_EVENTS    4                            /* events of a thread whose args are looked at */
#define LATEST_NS      (INT64_C(1) << 62)           /* stamps beyond (year 2116) are damage */
#define FLOW_SEED      UINT64_C(0x6e707573636f7065) /* fixed: ids of one unit must agree */
#define CATS           8

/* Counts over the file, reported in one note each. */
enum count {
    COUNT_PH,
    COUNT_NO_TS,
    COUNT_RANGE,
    COUNT_NEGATIVE,
    COUNT_NO_BEGIN,
    COUNT_NO_END,
    COUNT_TRACKS,
    COUNT_OPEN,
    COUNT_SERIES,
    COUNT_NO_SERIES,
    COUNT_NO_ID,
    COUNT_NAME,
    N_COUNTS
};

/* clang-format off */
static const struct {
    enum note_code code;
    bool lost;
    const char *text;
} counts[N_COUNTS] = {
    [COUNT_PH]       = { NOTE_UNKNOWN_TYPE, false, "events of a kind (ph) that is not read, left out" },
    [COUNT_NO_TS]    = { NOTE_BAD_EVENT,    true,  "events without a readable time, left out" },
    [COUNT_RANGE]    = { NOTE_BAD_EVENT,    true,  "events with an impossible time, left out" },
    [COUNT_NEGATIVE] = { NOTE_INCONSISTENT, false, "events that end before they start, shown as instants" },
    [COUNT_NO_BEGIN] = { NOTE_INCONSISTENT, true,  "ends (ph E) without a begin, left out" },
    [COUNT_NO_END]   = { NOTE_INCONSISTENT, false, "begins (ph B) without an end, shown as instants" },
    [COUNT_TRACKS]   = { NOTE_LIMIT,        true,  "events of further threads or counters, left out" },
    [COUNT_OPEN]     = { NOTE_LIMIT,        true,  "begins (ph B) above the limit of open ones, left out" },
    [COUNT_SERIES]   = { NOTE_BAD_VALUE,    false, "counter values that are no numbers" },
    [COUNT_NO_SERIES] = { NOTE_BAD_VALUE,   false, "counter events without a value" },
    [COUNT_NO_ID]    = { NOTE_BAD_EVENT,    true,  "ends of flows without an id, left out" },
    [COUNT_NAME]     = { NOTE_CUT_TEXT,     false, "names above 64 KiB, cut" },
};
/* clang-format on */

/* A begun event waiting for its end; those of a thread are chained, as are the free ones. */
struct open_event {
    uint32_t track; /* SINK_NO_TRACK: free */
    uint32_t name, next;
    int64_t ts_ns;
    uint64_t off;
};

struct category {
    char text[32];
    size_t n;
    uint32_t id;
    bool is_mark;
};

struct trace {
    struct parse_ctx *c;
    enum trace_form form;
    struct trace_tracks *tracks;
    struct open_event *open;
    size_t n_open, cap_open;
    uint32_t free_open;
    struct category cats[CATS];
    size_t n_cats;
    struct buf text[4]; /* texts with escapes made plain: TEXT_NAME .. TEXT_PLACE */
    uint64_t count[N_COUNTS];
    const struct source_file *f; /* slice being read */
    uint64_t slice, asked, at;   /* at: offset of the event being read */
    bool has_base;
    int64_t base_ns;
    const char *bad_path; /* first damage, for a file without a whole event: slice, offset, line, reason */
    uint64_t bad_at;
    uint32_t bad_line;
    char bad_why[200];
};

/* ---- clock ---- */

/* Decided by the first stamp of the file: what has to be added to all. */
static void find_base(struct trace *t, int64_t first_ns)
{
    struct str name = str_of(t->c->f->path);
    size_t slash = str_rchr(name, '/');

    t->has_base = true;
    name = slash == SIZE_MAX ? name : str_sub(name, slash + 1, SIZE_MAX);
    if (t->form == TRACE_LAYERS && first_ns < WALL_NS) {
        if (!trace_clock_boot_offset(t->c, &t->base_ns))
            parse_note(t->c, NOTE_NO_CLOCK, 1,
                       "stamps count from the start of the machine and no start_info is there");
    } else if (t->form == TRACE_G1 && first_ns < WALL_NS &&
               (str_starts(name, STR("ascend_")) || str_starts(name, STR("timeline_")))) {
        if (!trace_clock_timeline_base(t->c, &t->base_ns))
            parse_note(t->c, NOTE_NO_CLOCK, 1,
                       "stamps count from the first op and no output_timeline_data file is there");
    }
}

/* The instant of an event on the clock of its rank; false: counted as lost. */
static bool event_time(struct trace *t, const struct js_event *ev, int64_t *ts_ns)
{
    if (!ev->has_ts) {
        t->count[COUNT_NO_TS]++;
        return false;
    }
    if (!t->has_base)
        find_base(t, ev->ts_ns);
    if (__builtin_add_overflow(ev->ts_ns, t->base_ns, ts_ns) || *ts_ns > LATEST_NS || *ts_ns < -LATEST_NS) {
        t->count[COUNT_RANGE]++;
        return false;
    }
    return true;
}

/* ---- texts ---- */

enum { TEXT_NAME, TEXT_PID, TEXT_TID, TEXT_PLACE };

/* s with its escapes undone; borrowed until the next call with the same slot. */
static struct str plain(struct trace *t, int slot, struct str s, bool esc)
{
    struct buf *b = &t->text[slot];

    if (!esc)
        return s;
    buf_clear(b);
    char *out = buf_room(b, s.n);
    return out ? js_unescape(s, out) : s;
}

static struct str event_name(struct trace *t, const struct js_event *ev)
{
    struct str s = ev->name;

    if (s.n > LIM_NAME_B) {
        t->count[COUNT_NAME]++;
        s = str_sub(s, 0, LIM_NAME_B);
    }
    return plain(t, TEXT_NAME, s, ev->esc & JS_ESC_NAME);
}

static struct str event_pid(struct trace *t, const struct js_event *ev)
{
    return plain(t, TEXT_PID, ev->pid, ev->esc & JS_ESC_PID);
}

static struct trace_track_thread *event_thread(struct trace *t, const struct js_event *ev, struct err *e)
{
    struct str tid = plain(t, TEXT_TID, ev->tid, ev->esc & JS_ESC_TID);
    struct trace_track_thread *th = trace_track_thread(t->tracks, event_pid(t, ev), tid, e);

    if (!th)
        t->count[COUNT_TRACKS]++;
    return th;
}

static uint64_t place(const struct trace *t, const struct js_event *ev)
{
    return ev->off | t->slice << TRACE_SLICE_SHIFT;
}

/* ---- events ---- */

/* A list of args, which has a line for each entry, as raw data has it: separated by ';'. 0: there is none. */
static uint32_t place_text(struct trace *t, struct str list)
{
    struct buf *b = &t->text[TEXT_PLACE];
    size_t n = 0;

    if (!list.n)
        return 0;
    list = plain(t, TEXT_PLACE, list, true);
    if (list.p != b->p)
        return sink_intern(t->c->out, list);
    for (size_t i = 0; i < list.n; i++)
        if (list.p[i] == '\n' && n && b->p[n - 1] != ';')
            b->p[n++] = ';';
        else if (list.p[i] != '\n' && list.p[i] != '\r')
            b->p[n++] = list.p[i];
    return sink_intern(t->c->out, (struct str){ b->p, n });
}

/* What torch recorded with an op itself (doc/formats/framework.md#torch_npu-trace_view). */
static int put_place(struct trace *t, const struct js_event *ev, int64_t ts, uint32_t name, struct err *e)
{
    struct str key, v, module = STR_NULL, stack = STR_NULL;
    bool is_string;
    size_t pos = 0;

    if (!ev->args.p || !str_eq(ev->cat, STR("cpu_op")))
        return OK;
    while (js_member(ev->args, &pos, &key, &v, &is_string))
        if (is_string && str_eq(key, STR("Call stack")))
            stack = v;
        else if (is_string && str_eq(key, STR("Module Hierarchy")))
            module = v;
    if (!module.n && !stack.n)
        return OK;
    const struct val row[N_COLS(event_place)] = {
        [COL(event_place, rank)] = val_int(t->c->rank),
        [COL(event_place, ts_ns)] = val_int(ts),
        [COL(event_place, name_id)] = val_id(name),
        [COL(event_place, module_id)] = val_id(place_text(t, module)),
        [COL(event_place, stack_id)] = val_id(place_text(t, stack)),
        [COL(event_place, source_id)] = val_int(t->f->id),
    };
    return sink_row(t->c->out, T_event_place, row, N_COLS(event_place), NULL, e);
}

static int put_event(struct trace *t, const struct js_event *ev, int64_t dur_ns, struct err *e)
{
    int64_t ts, end;
    uint32_t track, name;

    if (!event_time(t, ev, &ts))
        return OK;
    if (dur_ns < 0 || __builtin_add_overflow(ts, dur_ns, &end) || end > LATEST_NS) {
        t->count[COUNT_NEGATIVE]++;
        dur_ns = 0;
    }
    struct trace_track_thread *th = event_thread(t, ev, e);
    if (!th)
        return e->code;
    if (th->looked < LOOK_EVENTS && ev->args.p)
        trace_track_thread_look(th, ev->args);
    track = trace_track_thread_track(t->tracks, th, e);
    if (track == SINK_NO_TRACK)
        return e->code;
    name = sink_intern(t->c->out, event_name(t, ev));
    if (sink_event(t->c->out, track, ts, dur_ns, name, place(t, ev), e))
        return e->code;
    return put_place(t, ev, ts, name, e);
}

static int on_complete(struct trace *t, const struct js_event *ev, struct err *e)
{
    return put_event(t, ev, ev->has_dur ? ev->dur_ns : 0, e);
}

static int on_instant(struct trace *t, const struct js_event *ev, struct err *e)
{
    return put_event(t, ev, 0, e);
}

/* ---- begin and end ---- */

static bool new_open(struct trace *t, uint32_t *at, struct err *e)
{
    if (t->free_open != TRACE_NO_OPEN) {
        *at = t->free_open;
        t->free_open = t->open[*at].next;
        return true;
    }
    if (t->n_open == LIM_OPEN_EVENTS) {
        t->count[COUNT_OPEN]++;
        return false;
    }
    void *p = grow_array(t->open, t->n_open, &t->cap_open, sizeof *t->open, 64);
    if (!p) {
        err_nomem(e);
        return false;
    }
    t->open = p;
    *at = (uint32_t)t->n_open++;
    return true;
}

static int on_begin(struct trace *t, const struct js_event *ev, struct err *e)
{
    int64_t ts;
    uint32_t at;

    if (!event_time(t, ev, &ts))
        return OK;
    struct trace_track_thread *th = event_thread(t, ev, e);
    if (!th || trace_track_thread_track(t->tracks, th, e) == SINK_NO_TRACK || !new_open(t, &at, e))
        return e->code;
    t->open[at] = (struct open_event){
        .track = th->track,
        .name = sink_intern(t->c->out, event_name(t, ev)),
        .next = th->open,
        .ts_ns = ts,
        .off = place(t, ev),
    };
    th->open = at;
    return OK;
}

static int on_end(struct trace *t, const struct js_event *ev, struct err *e)
{
    int64_t ts;

    if (!event_time(t, ev, &ts))
        return OK;
    struct trace_track_thread *th = event_thread(t, ev, e);
    if (!th)
        return e->code;
    if (th->open == TRACE_NO_OPEN) {
        t->count[COUNT_NO_BEGIN]++;
        return OK;
    }
    uint32_t at = th->open;
    struct open_event *o = &t->open[at];
    int64_t dur;
    if (__builtin_sub_overflow(ts, o->ts_ns, &dur) || dur < 0) {
        t->count[COUNT_NEGATIVE]++;
        dur = 0;
    }
    if (sink_event(t->c->out, th->track, o->ts_ns, dur, o->name, o->off, e))
        return e->code;
    th->open = o->next;
    *o = (struct open_event){ .track = SINK_NO_TRACK, .next = t->free_open };
    t->free_open = at;
    return OK;
}

/* ---- counters ---- */

/* Arguments that tell rows apart instead of being a value (doc/formats/analysed.md#counters). */
static bool is_row_key(struct str key)
{
    return str_eq(key, STR("acc_id"));
}

static int on_counter(struct trace *t, const struct js_event *ev, struct err *e)
{
    struct str key, v, row = STR_NULL;
    bool is_string;
    size_t pos = 0;
    int64_t ts;
    double value;

    if (!event_time(t, ev, &ts))
        return OK;
    if (!js_find(ev->args, STR("acc_id"), &row, &is_string))
        row = STR_NULL;
    struct str pid = event_pid(t, ev), name = event_name(t, ev);
    bool any = false;
    while (js_member(ev->args, &pos, &key, &v, &is_string)) {
        if (is_row_key(key))
            continue;
        any = true;
        if (!str_f64(v, &value)) {
            t->count[COUNT_SERIES]++;
            continue;
        }
        uint32_t track = trace_track_counter(t->tracks, pid, name, key, row, e);
        if (track == SINK_NO_TRACK && e->code == OK)
            t->count[COUNT_TRACKS]++;
        if (e->code != OK || (track != SINK_NO_TRACK && sink_sample(t->c->out, track, ts, value, e)))
            return e->code;
    }
    t->count[COUNT_NO_SERIES] += !any;
    return OK;
}

/* ---- flows ---- */

static struct category category_of(struct trace *t, const struct js_event *ev)
{
    struct str s = ev->cat;

    for (size_t i = 0; i < t->n_cats; i++)
        if (str_eq((struct str){ t->cats[i].text, t->cats[i].n }, s))
            return t->cats[i];
    struct category c = { .id = sink_intern(t->c->out, s),
                          .n = s.n,
                          .is_mark = str_eq(s, STR("Data_aug Bound")) };
    if (s.p && s.n <= sizeof c.text && t->n_cats < CATS) {
        memcpy(c.text, s.p, s.n);
        t->cats[t->n_cats++] = c;
    }
    return c;
}

static int on_flow(struct trace *t, const struct js_event *ev, struct err *e)
{
    struct category cat = category_of(t, ev);
    uint64_t id;
    int64_t ts;

    if (cat.is_mark) /* doc/formats/analysed.md#flows: a mark of the step trace */
        return put_event(t, ev, 0, e);
    if (!ev->id.p) {
        t->count[COUNT_NO_ID]++;
        return OK;
    }
    if (!event_time(t, ev, &ts))
        return OK;
    struct trace_track_thread *th = event_thread(t, ev, e);
    if (!th || trace_track_thread_track(t->tracks, th, e) == SINK_NO_TRACK)
        return e->code;
    if (!str_u64(ev->id, &id))
        id = str_hash(ev->id, FLOW_SEED);
    return sink_flow(t->c->out, th->track, ts, ev->ph, cat.id, id, e);
}

/* ---- the file ---- */

static int on_event(struct trace *t, const struct js_event *ev, struct err *e)
{
    t->c->rows++;
    switch (ev->ph) {
    case 'X':
        return on_complete(t, ev, e);
    case 's':
    case 't':
    case 'f':
        return on_flow(t, ev, e);
    case 'C':
        return on_counter(t, ev, e);
    case 'M':
        return trace_track_meta(t->tracks, ev, e);
    case 'B':
        return on_begin(t, ev, e);
    case 'E':
        return on_end(t, ev, e);
    case 'i':
    case 'I':
        return on_instant(t, ev, e);
    default:
        t->count[COUNT_PH]++;
        t->c->rows--;
        return OK;
    }
}

static int ask(struct trace *t, const struct json_pipe *p, uint64_t off, struct err *e)
{
    t->asked = off;
    return parse_ask(t->c, json_pipe_consumed(p), e);
}

/* A damaged event, or the end of a cut file. */
static void note_damage(struct trace *t, const struct json_pipe_facts *f, enum js_event_status st)
{
    struct where w = { .source_id = t->f->id, .offset = f->offset, .line = f->line, .count = 1 };

    if (!t->bad_why[0]) {
        t->bad_path = t->f->path;
        t->bad_at = f->offset;
        t->bad_line = f->line;
        snprintf(t->bad_why, sizeof t->bad_why, "%s", f->problem);
    }
    if (st == JS_EV_BAD) {
        t->c->lost++;
        sink_note(t->c->out, f->over_limit ? NOTE_LIMIT : NOTE_BAD_EVENT, &w, "%s; left out", f->problem);
    } else {
        unsigned long long cut = f->cut_bytes;
        t->c->lost += cut > 0;
        if (cut)
            sink_note(t->c->out, NOTE_TORN_FILE, &w, "%s; %llu bytes left out", f->problem, cut);
        else
            sink_note(t->c->out, NOTE_TORN_FILE, &w, "%s", f->problem);
    }
}

static int read_events(struct trace *t, struct json_pipe *p, struct err *e)
{
    enum js_event_status st;
    const struct js_event *ev = NULL;

    t->asked = t->at = 0;
    for (;;) {
        if (json_pipe_event(p, &st, &ev, e))
            return e->code;
        if (st == JS_EV_END)
            return OK;
        t->at = st == JS_EV_EVENT ? ev->off : json_pipe_facts(p)->offset;
        if (st != JS_EV_EVENT)
            note_damage(t, json_pipe_facts(p), st);
        else if (on_event(t, ev, e))
            return e->code;
        if (t->at - t->asked >= ASK_B && ask(t, p, t->at, e))
            return e->code;
    }
}

static int read_slice(struct trace *t, struct err *e)
{
    struct infile *in = NULL;
    struct json_pipe pipe = { .state = NULL };

    if (infile_open(&in, t->f->path, 0, e) ||
        json_pipe_open(&pipe, in, parse_threaded(t->c, in, THREAD_LEAST_B), e))
        goto out;
    if (read_events(t, &pipe, e) && (e->code == ERR_FORMAT || e->code == ERR_LIMIT)) {
        struct where w = { .source_id = t->f->id, .offset = t->at };
        sink_note(t->c->out, NOTE_TORN_FILE, &w, "%s", e->text); /* what came before it is kept */
        err_clear(e);
    }
out:
    json_pipe_close(&pipe);
    infile_close(in);
    return e->code;
}

/* Begins that never ended: what the run did when it was stopped. */
static int put_open(struct trace *t, struct err *e)
{
    for (size_t i = 0; i < t->n_open; i++) {
        const struct open_event *o = &t->open[i];
        if (o->track == SINK_NO_TRACK)
            continue;
        t->count[COUNT_NO_END]++;
        if (sink_event(t->c->out, o->track, o->ts_ns, 0, o->name, o->off, e))
            return e->code;
    }
    return OK;
}

static void put_counts(struct trace *t)
{
    for (size_t i = 0; i < N_COUNTS; i++) {
        if (counts[i].lost)
            t->c->lost += t->count[i];
        parse_note(t->c, counts[i].code, t->count[i], "%llu %s", (unsigned long long)t->count[i],
                   counts[i].text);
    }
}

static int parse(struct parse_ctx *c, enum trace_form form, struct err *e)
{
    struct trace t = { .c = c, .form = form, .free_open = TRACE_NO_OPEN };

    for (size_t i = 0; i < ARRAY_LEN(t.text); i++)
        buf_init(&t.text[i], LIM_JSON_EVENT_B);
    if (trace_track_new(&t.tracks, c, form, e))
        goto out;
    for (t.f = c->f; t.f; t.f = t.f->next_slice) {
        t.slice = t.f->slice > 0 && t.f->slice < 65536 ? (uint64_t)t.f->slice : 0;
        if (read_slice(&t, e))
            goto out;
    }
    if (put_open(&t, e) || trace_track_finish(t.tracks, e))
        goto out;
    put_counts(&t);
    if (c->rows == 0 && c->lost > 0) {
        err_set(e, ERR_FORMAT, "no readable trace event in it%s%s", t.bad_why[0] ? ": " : "", t.bad_why);
        err_where(e, t.bad_path ? t.bad_path : c->f->path, t.bad_path ? t.bad_at : ERR_NO_OFFSET, t.bad_line);
    }
out:
    trace_track_free(t.tracks);
    free(t.open);
    for (size_t i = 0; i < ARRAY_LEN(t.text); i++)
        buf_done(&t.text[i]);
    return e->code;
}

int parse_trace(struct parse_ctx *c, struct err *e)
{
    return parse(c, TRACE_LAYERS, e);
}

int parse_trace_timeline_display(struct parse_ctx *c, struct err *e)
{
    return parse(c, TRACE_G1, e);
}

int parse_trace_hccl(struct parse_ctx *c, struct err *e)
{
    return parse(c, TRACE_HCCL, e);
}
