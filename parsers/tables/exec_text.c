/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MindSpore 1.x, executions as plain text: device ops, host ops, GPU ops, kernels and step points
 * (doc/formats/mindspore1.md#gpu to #start_time, #op-executions).
 *
 * The bars of these files are in the timeline file of the same folder, too: events are given only where there
 * is none.
 */
#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/grow.h"
#include "base/path.h"
#include "parsers/parsers.h"
#include "parsers/read/lines.h"

#define MAX_TRACKS 4096
#define MAX_STEPS  (1u << 20)

struct exec_track {
    int64_t number;
    uint32_t track;
};

struct executions {
    struct parse_ctx *c;
    struct lines l;
    bool with_events;
    enum track_kind kind;
    const char *pid, *process, *tid; /* tid: text before the track's number */
    struct exec_track *tracks;
    size_t n_tracks, last;
};

/*
 * A timeline that shows the same executions: in this folder, or of a run of MindSpore 2.x whose FRAMEWORK
 * folder this is.
 */
static bool has_timeline(const struct parse_ctx *c)
{
    static const char *const before[] = { "ascend_timeline_display_", "timeline_display_",
                                          "gpu_timeline_display_", "cpu_timeline_display_" };
    struct str s = str_of(path_base(c->f->path));
    char name[NAME_MAX + 1];
    size_t low = str_rchr(s, '_');

    s = low == SIZE_MAX ? s : str_sub(s, low + 1, SIZE_MAX);
    s = str_sub(s, 0, str_rchr(s, '.'));
    for (size_t i = 0; i < ARRAY_LEN(before); i++) {
        int n = snprintf(name, sizeof name, "%s%.*s.json", before[i], (int)s.n, s.p);
        if (n > 0 && (size_t)n < sizeof name && parse_has_neighbour(c, name))
            return true;
    }
    return parse_has_neighbour(c, "../ASCEND_PROFILER_OUTPUT/trace_view.json");
}

static int open_executions(struct executions *x, struct err *e)
{
    x->with_events = !has_timeline(x->c);
    x->tracks = calloc(MAX_TRACKS, sizeof *x->tracks);
    return x->tracks ? lines_open(&x->l, x->c, e) : err_nomem(e);
}

static void close_executions(struct executions *x)
{
    lines_done(&x->l);
    free(x->tracks);
}

/* SINK_NO_TRACK with e clear: too many. */
static uint32_t track_of(struct executions *x, int64_t number, struct err *e)
{
    char tid[64];

    for (size_t i = 0; i < x->n_tracks; i++) {
        size_t k = (x->last + i) % x->n_tracks;
        if (x->tracks[k].number == number) {
            x->last = k;
            return x->tracks[k].track;
        }
    }
    if (x->n_tracks == MAX_TRACKS)
        return SINK_NO_TRACK;
    snprintf(tid, sizeof tid, "%s%lld", x->tid, (long long)number);
    struct track_def d = { .rank = x->c->rank,
                           .kind = x->kind,
                           .pid = str_of(x->pid),
                           .tid = str_of(tid),
                           .process = str_of(x->process),
                           .sort = number,
                           .stream = x->kind == TK_STREAM ? number : -1,
                           .source_id = x->c->f->id };
    uint32_t t = sink_track(x->c->out, &d);
    if (t == SINK_NO_TRACK) {
        err_nomem(e);
        return t;
    }
    x->last = x->n_tracks;
    x->tracks[x->n_tracks++] = (struct exec_track){ number, t };
    return t;
}

static int put_event(struct executions *x, int64_t number, int64_t ts, int64_t dur, struct str name,
                     struct err *e)
{
    if (!x->with_events)
        return OK;
    uint32_t t = track_of(x, number, e);
    if (t == SINK_NO_TRACK)
        return e->code;
    return sink_event(x->c->out, t, ts, dur, sink_intern(x->c->out, name), x->l.n, e);
}

/* One execution of an op on the device; stream -1: unknown. */
static int put_exec(struct executions *x, struct str name, const struct op_attr *a, int64_t stream,
                    int64_t ts, int64_t dur, struct err *e)
{
    struct parse_ctx *c = x->c;
    struct val v[N_COLS(op_exec)] = { 0 };
    int64_t op = parse_op_named(c, name, a, e);

    if (op == 0)
        return e->code;
    v[COL(op_exec, op_id)] = val_int(op);
    v[COL(op_exec, rank)] = val_int(c->rank);
    v[COL(op_exec, device)] = c->f->device >= 0 ? val_int(c->f->device) : val_null();
    v[COL(op_exec, stream)] = stream >= 0 ? val_int(stream) : val_null();
    v[COL(op_exec, ts_ns)] = val_int(ts);
    v[COL(op_exec, dur_ns)] = val_int(dur);
    v[COL(op_exec, source_id)] = val_int(c->f->id);
    v[COL(op_exec, line)] = val_int(x->l.n);
    return parse_row(c, T_op_exec, v, N_COLS(op_exec), e);
}

/* ---- output_timeline_data_N.txt: name,stream,start,duration ---- */

static int on_execution(struct executions *x, struct str line, struct err *e)
{
    struct str name, cell[3];
    int64_t stream, ts, dur;

    if (str_trim(line).n == 0 || (x->l.n == 1 && str_starts(line, STR("op_name"))))
        return OK;
    if (!lines_tail(line, ',', 3, &name, cell) || !str_i64(cell[0], &stream) ||
        !text_ms_or_us(cell[1], &ts) || !str_scaled(cell[2], 1000000, &dur, NULL) || dur < 0) {
        lines_bad(&x->l, "not name, stream, start, duration");
        return OK;
    }
    if (put_exec(x, name, NULL, stream, ts, dur, e))
        return e->code;
    return put_event(x, stream, ts, dur, name, e);
}

int parse_timeline_data(struct parse_ctx *c, struct err *e)
{
    struct executions x = {
        .c = c, .kind = TK_STREAM, .pid = "device", .process = "Ascend Hardware", .tid = ""
    };
    struct str line;

    if (open_executions(&x, e) == OK)
        while (lines_next(&x.l, &line, e) && on_execution(&x, line, e) == OK)
            continue;
    close_executions(&x);
    return e->code;
}

/* ---- output_format_data_hwts_N.txt: records of the task scheduler ---- */

#define HWTS_NS 10 /* of a count: doc/formats/mindspore1.md#hwts */

/* Tasks that began and did not end yet. */
struct hwts_text {
    struct executions x;
    struct intern *keys;
    int64_t *start; /* by key; -1: it ended */
    size_t cap;
};

static int64_t *start_of(struct hwts_text *h, struct str stream, struct str task, struct err *e)
{
    char key[80];
    int n = snprintf(key, sizeof key, "%.*s %.*s", (int)stream.n, stream.p, (int)task.n, task.p);
    uint32_t before = intern_count(h->keys), id = intern_put(h->keys, (struct str){ key, (size_t)n });
    int64_t *v = id == INTERN_NONE ? NULL : grow_array(h->start, id, &h->cap, sizeof *v, 1024);

    if (!v) {
        err_nomem(e);
        return NULL;
    }
    h->start = v;
    if (id == before)
        v[id] = -1;
    return &v[id];
}

/*
 * Files of Framework say which op a task is of; without them it is known by its number, which may have that
 * of its stream before it.
 */
static int on_task(struct hwts_text *h, const struct str *cell, bool ends, struct err *e)
{
    int64_t cycle, stream, ns;
    char name[40];

    if (!cell[3].n || cell[3].n > 24 || cell[5].n > 24 || !str_i64(cell[4], &cycle) ||
        !str_i64(cell[5], &stream) || cycle < 0 || __builtin_mul_overflow(cycle, (int64_t)HWTS_NS, &ns)) {
        lines_bad(&h->x.l, "not count, core, block, task, cycle counter, stream");
        return OK;
    }
    int64_t *start = start_of(h, cell[5], cell[3], e);
    if (!start)
        return e->code;
    h->x.c->rows++;
    int64_t from = *start;
    *start = ends ? -1 : ns;
    if (!ends || from < 0 || ns < from)
        return OK;
    snprintf(name, sizeof name, "task %.*s", (int)cell[3].n, cell[3].p);
    return put_event(&h->x, stream, from, ns - from, str_of(name), e);
}

/* Of blocks and counters nothing is shown. */
static int on_hwts_line(struct hwts_text *h, struct str line, struct err *e)
{
    bool begins = str_starts(line, STR("Start of task")), ends = str_starts(line, STR("End of task"));
    struct str head, cell[6];

    if (!begins && !ends)
        return OK;
    if (!lines_tail(line, ' ', 6, &head, cell)) {
        lines_bad(&h->x.l, "not count, core, block, task, cycle counter, stream");
        return OK;
    }
    return on_task(h, cell, ends, e);
}

int parse_hwts_text(struct parse_ctx *c, struct err *e)
{
    struct hwts_text h = {
        .x = { .c = c, .kind = TK_STREAM, .pid = "device", .process = "Ascend Hardware", .tid = "" }
    };
    struct str line;

    if (intern_new(&h.keys, e) == OK && open_executions(&h.x, e) == OK)
        while (lines_next(&h.x.l, &line, e) && on_hwts_line(&h, line, e) == OK)
            continue;
    close_executions(&h.x);
    intern_free(h.keys);
    free(h.start);
    return e->code;
}

/* ---- activity_execute_timestamp_N.txt: kernel;stream;start ns;duration us ---- */

static int on_activity(struct executions *x, struct str line, struct err *e)
{
    struct str name, cell[3];
    int64_t stream, ts, dur;

    if (str_trim(line).n == 0)
        return OK;
    if (!lines_tail(line, ';', 3, &name, cell) || !str_i64(cell[0], &stream) || !str_i64(cell[1], &ts) ||
        !str_scaled(cell[2], 1000, &dur, NULL) || dur < 0) {
        lines_bad(&x->l, "not kernel, stream, start, duration");
        return OK;
    }
    x->c->rows++;
    return put_event(x, stream, ts, dur, name, e);
}

int parse_gpu_activities(struct parse_ctx *c, struct err *e)
{
    struct executions x = {
        .c = c, .kind = TK_STREAM, .pid = "activity", .process = "Activity Op", .tid = ""
    };
    struct str line;

    if (open_executions(&x, e) == OK)
        while (lines_next(&x.l, &line, e) && on_activity(&x, line, e) == OK)
            continue;
    close_executions(&x);
    return e->code;
}

/* ---- clock of the host ops ---- */

/* Number after the last colon of a line of start_time_N.txt. */
static bool colon_number(struct str line, int64_t *out)
{
    size_t at = str_rchr(line, ':');

    return at != SIZE_MAX && str_i64(str_trim(str_sub(line, at + 1, SIZE_MAX)), out);
}

/*
 * start_time_N.txt: host start, device start (us on Ascend although its label says ns:
 * doc/formats/mindspore1.md#start_time).
 */
static bool shift_of_start_time(struct parse_ctx *c, int64_t *shift)
{
    struct str s = str_of(path_base(c->f->path)), line;
    char dir[PATH_MAX], name[NAME_MAX + 1], path[PATH_MAX];
    struct err e = ERR_INIT;
    struct lines l;
    int64_t host = 0, device = 0, v;
    size_t low = str_rchr(s, '_');

    if (low == SIZE_MAX || !path_dir(dir, sizeof dir, c->f->path))
        return false;
    s = str_sub(s, low + 1, SIZE_MAX);
    int n = snprintf(name, sizeof name, "start_time_%.*s", (int)s.n, s.p);
    if (n < 0 || (size_t)n >= sizeof name || !path_join(path, sizeof path, dir, name) ||
        lines_open_other(&l, c, path, &e))
        return false;
    while (lines_next(&l, &line, &e)) {
        if (!colon_number(line, &v))
            continue;
        if (str_starts(line, STR("host_")))
            host = v;
        else if (str_starts(line, STR("gpu_")))
            device = v;
        else if (str_starts(line, STR("device_")) && __builtin_mul_overflow(v, 1000, &device))
            device = 0;
    }
    lines_close(&l);
    return host > 0 && device > 0 && !__builtin_sub_overflow(device, host, shift);
}

/*
 * The clocks at the start of the collection (doc/formats/mindspore1.md#versions, #side-files,
 * #timeline-inputs): the host's monotonic ns in host_start.log, in later runs also in start_info, together
 * with the wall clock; the device's ticks of 10 ns in dev_start.log. host_start.log of newer CANN has a
 * cntvct, too: the host's own counter. MindSpore 1.x counts from the device's zero, later versions since
 * 1970.
 */
static bool shift_of_settings(const struct parse_ctx *c, int64_t *shift)
{
    bool counter = c->run && (c->run->gen == GEN_1 || c->run->gen == GEN_UNKNOWN);
    int64_t host, there;

    if (!str_i64(parse_run_setting(c, "host_start.clock_monotonic_raw"), &host) &&
        !str_i64(parse_run_setting(c, "start_info.clockMonotonicRaw"), &host))
        return false;
    if (counter && (!str_i64(parse_run_setting(c, "dev_start.cntvct"), &there) ||
                    __builtin_mul_overflow(there, 10, &there)))
        return false;
    if (!counter && !str_i64(parse_run_setting(c, "host_start.clock_realtime"), &there))
        return false;
    return !__builtin_sub_overflow(there, host, shift);
}

/* ---- name;HostCpuOps;start ns,duration[,thread] start,duration ... ---- */

struct timestamp_file {
    struct executions x;
    uint64_t dur_mul; /* unit of the durations in ns */
    int64_t shift_ns; /* to the clock of the rank */
    bool host;        /* rows of host_op; else of op_exec */
    bool own_clock;   /* stamps of the host's monotonic clock, not moved */
    struct buf name;  /* op of the current line */
    bool in_line;
};

static int put_host_op(struct timestamp_file *f, struct str name, struct str thread, int64_t ts, int64_t dur,
                       struct err *e)
{
    struct parse_ctx *c = f->x.c;
    struct val v[N_COLS(host_op)] = { 0 };

    v[COL(host_op, name_id)] = sink_text(c->out, name);
    v[COL(host_op, rank)] = val_int(c->rank);
    v[COL(host_op, thread)] = val_text(thread);
    v[COL(host_op, ts_ns)] = val_int(ts);
    v[COL(host_op, dur_ns)] = val_int(dur);
    v[COL(host_op, source_id)] = val_int(c->f->id);
    v[COL(host_op, line)] = val_int(f->x.l.n);
    return parse_row(c, T_host_op, v, N_COLS(host_op), e);
}

static int on_timestamp(struct timestamp_file *f, struct str piece, struct err *e)
{
    struct str cell[3] = { STR_NULL, STR_NULL, STR_NULL }, name = buf_str(&f->name);
    size_t n = lines_split(piece, ',', cell, ARRAY_LEN(cell));
    int64_t ts, dur, thread = 0;
    struct op_attr a = OP_ATTR_INIT;

    if (n < 2 || !str_i64(cell[0], &ts) || !str_scaled(cell[1], f->dur_mul, &dur, NULL) || dur < 0 ||
        (n == 3 && !str_i64(cell[2], &thread))) {
        lines_bad(&f->x.l, "not start,duration");
        return OK;
    }
    /* since 1970, from 2.3 on (doc/formats/framework.md#cpu_op_execute_timestamp): nothing to move */
    bool wall = ts >= WALL_NS;
    if (!wall && __builtin_add_overflow(ts, f->shift_ns, &ts)) {
        lines_bad(&f->x.l, "an impossible start");
        return OK;
    }
    if (f->own_clock && !wall) {
        parse_note(f->x.c, NOTE_NO_CLOCK, 1,
                   "stamps are of the host's own clock; no other file says how far the device's "
                   "is");
        f->own_clock = false;
    }
    a.core = STR("GPU");
    a.source_id = f->x.c->f->id;
    a.line = f->x.l.n;
    if (f->host ? put_host_op(f, name, cell[2], ts, dur, e) : put_exec(&f->x, name, &a, -1, ts, dur, e))
        return e->code;
    return put_event(&f->x, thread, ts, dur, name, e);
}

/* The first piece of a line: name;label;pair. */
static int on_timestamp_line(struct timestamp_file *f, struct str piece, struct err *e)
{
    struct str head, tail[2];

    f->in_line = lines_tail(piece, ';', 2, &head, tail);
    if (!f->in_line) {
        if (str_trim(piece).n > 0)
            lines_bad(&f->x.l, "not name;label;start,duration");
        return OK;
    }
    buf_clear(&f->name);
    buf_add(&f->name, head);
    if (buf_failed(&f->name))
        return err_nomem(e);
    return tail[1].n ? on_timestamp(f, tail[1], e) : OK;
}

/* Pieces between blanks: a line holds all executions of an op and may be longer than any limit of lines. */
static int read_timestamps(struct timestamp_file *f, struct err *e)
{
    struct str piece;
    bool first = true;

    f->x.l.also = ' ';
    while (lines_next(&f->x.l, &piece, e)) {
        int rc = OK;
        if (first)
            rc = on_timestamp_line(f, piece, e);
        else if (f->in_line && str_trim(piece).n > 0)
            rc = on_timestamp(f, piece, e);
        if (rc != OK)
            break;
        first = f->x.l.end != ' ';
    }
    return e->code;
}

static int parse_timestamps(struct timestamp_file *f, struct err *e)
{
    buf_init(&f->name, (size_t)1 << 20);
    if (open_executions(&f->x, e) == OK)
        (void)read_timestamps(f, e);
    close_executions(&f->x);
    buf_done(&f->name);
    return e->code;
}

int parse_cpu_timestamps(struct parse_ctx *c, struct err *e)
{
    struct timestamp_file f = {
        .x = { .c = c, .kind = TK_HOST_THREAD, .pid = "host", .process = "CPU OP", .tid = "HostCpuOps" },
        .dur_mul = 1000000,
        .host = true,
    };

    if (!shift_of_settings(c, &f.shift_ns) && !shift_of_start_time(c, &f.shift_ns))
        f.own_clock = true; /* right for a CPU target, which has no other */
    return parse_timestamps(&f, e);
}

int parse_gpu_timestamps(struct parse_ctx *c, struct err *e)
{
    struct timestamp_file f = {
        .x = { .c = c, .kind = TK_STREAM, .pid = "gpu", .process = "GPU Op", .tid = "GpuOps" },
        .dur_mul = 1000,
    };

    return parse_timestamps(&f, e);
}

/* ---- start_time_N.txt ---- */

int parse_start_time(struct parse_ctx *c, struct err *e)
{
    struct lines l;
    struct str line;
    char key[64];
    int64_t v;

    if (lines_open(&l, c, e) == OK)
        while (lines_next(&l, &line, e)) {
            size_t at = str_rchr(line, ':');
            if (str_trim(line).n == 0)
                continue;
            if (!colon_number(line, &v)) {
                lines_bad(&l, "not name: number");
                continue;
            }
            str_copy(str_trim(str_sub(line, 0, at)), key, sizeof key);
            if (parse_setting(c, key, str_trim(str_sub(line, at + 1, SIZE_MAX)), e))
                break;
        }
    lines_done(&l);
    return e->code;
}

/* ---- step_trace_profiling_N.txt (doc/formats/mindspore1.md#gpu, #gpu-step-trace) ---- */

enum point { POINT_FP, POINT_BP, POINT_END, N_POINTS };
struct pair {
    int64_t start, end;
};

struct gpu_steps {
    struct parse_ctx *c;
    struct lines l;
    bool async;
    uint32_t line; /* of the file, from 0 */
    size_t piece;  /* of the line, from 0 */
    int64_t t[4];  /* async: start, fp, bp, end of the line's step */
    struct buf op; /* sync: op of the line */
    struct pair *points[N_POINTS];
    size_t n[N_POINTS], cap[N_POINTS];
};

static int put_step(struct gpu_steps *g, int64_t step, const int64_t t[4], uint32_t line, struct err *e)
{
    static const struct {
        size_t slot;
        int from, to;
    } spans[] = { { COL(step, total_ns), 0, 3 },
                  { COL(step, interval_ns), 0, 1 },
                  { COL(step, fp_bp_ns), 1, 2 },
                  { COL(step, tail_ns), 2, 3 } };
    struct val v[N_COLS(step)] = { 0 };
    int64_t d;

    v[COL(step, rank)] = val_int(g->c->rank);
    v[COL(step, step)] = val_int(step);
    v[COL(step, start_ns)] = val_int(t[0]);
    v[COL(step, fp_ns)] = val_int(t[1]);
    v[COL(step, bp_ns)] = val_int(t[2]);
    v[COL(step, end_ns)] = val_int(t[3]);
    for (size_t i = 0; i < ARRAY_LEN(spans); i++)
        if (!__builtin_sub_overflow(t[spans[i].to], t[spans[i].from], &d))
            v[spans[i].slot] = val_int(d);
    v[COL(step, complete)] = val_int(1);
    v[COL(step, source_id)] = val_int(g->c->f->id);
    v[COL(step, line)] = line ? val_int(line) : val_null();
    return parse_row(g->c, T_step, v, N_COLS(step), e);
}

static int put_part(struct gpu_steps *g, int64_t step, struct str name, struct pair p, struct err *e)
{
    struct val v[N_COLS(step_part)] = { 0 };
    int64_t d;

    v[COL(step_part, rank)] = val_int(g->c->rank);
    v[COL(step_part, step)] = val_int(step);
    v[COL(step_part, kind)] = val_cstr("reduce");
    v[COL(step_part, name_id)] = sink_text(g->c->out, name);
    v[COL(step_part, start_ns)] = val_int(p.start);
    v[COL(step_part, end_ns)] = val_int(p.end);
    if (!__builtin_sub_overflow(p.end, p.start, &d))
        v[COL(step_part, dur_ns)] = val_int(d);
    v[COL(step_part, source_id)] = val_int(g->c->f->id);
    v[COL(step_part, line)] = val_int(g->l.n);
    return parse_row(g->c, T_step_part, v, N_COLS(step_part), e);
}

/* async: op,ns four times, then op,start,end for each communication op. */
static int on_async_piece(struct gpu_steps *g, struct str piece, struct err *e)
{
    struct str name, cell[2];
    struct pair p;

    if (g->piece < 4) {
        if (lines_tail(piece, ',', 1, &name, cell) && str_i64(cell[0], &g->t[g->piece]))
            return g->piece == 3 && g->l.end != '\0' ? put_step(g, g->line + 1, g->t, g->l.n, e) : OK;
    } else if (lines_tail(piece, ',', 2, &name, cell) && str_i64(cell[0], &p.start) &&
               str_i64(cell[1], &p.end)) {
        return put_part(g, g->line + 1, name, p, e);
    }
    lines_bad(&g->l, "not a point of a step");
    g->piece = 1000; /* the rest of the line belongs to nothing */
    return OK;
}

static int keep_point(struct gpu_steps *g, enum point k, struct pair p, struct err *e)
{
    if (g->n[k] == MAX_STEPS) {
        lines_note(&g->l, NOTE_LIMIT, true, "more than a million steps");
        return OK;
    }
    if (g->n[k] == g->cap[k]) {
        size_t cap = g->cap[k] ? g->cap[k] * 2 : 64;
        void *q = realloc(g->points[k], cap * sizeof *g->points[k]);
        if (!q)
            return err_nomem(e);
        g->points[k] = q;
        g->cap[k] = cap;
    }
    g->points[k][g->n[k]++] = p;
    return OK;
}

/*
 * sync: op, then start,end in ticks of 10 ns for each step; a line for FP, BP, iteration end, then one for
 * each communication op.
 */
static int on_sync_piece(struct gpu_steps *g, struct str piece, struct err *e)
{
    struct str cell[2];
    struct pair p;

    if (g->piece == 0) {
        buf_clear(&g->op);
        buf_add(&g->op, piece);
        return buf_failed(&g->op) ? err_nomem(e) : OK;
    }
    if (lines_split(piece, ',', cell, 2) != 2 || !str_scaled(cell[0], 10, &p.start, NULL) ||
        !str_scaled(cell[1], 10, &p.end, NULL)) {
        lines_bad(&g->l, "not start,end");
        return OK;
    }
    if (g->line < N_POINTS)
        return keep_point(g, (enum point)g->line, p, e);
    return put_part(g, (int64_t)g->piece, buf_str(&g->op), p, e);
}

/* The start of step k is the start of the iteration end of step k-1 (of step 1: its FP start). */
static int put_sync_steps(struct gpu_steps *g, struct err *e)
{
    size_t n = g->n[POINT_FP] < g->n[POINT_BP] ? g->n[POINT_FP] : g->n[POINT_BP];

    n = n < g->n[POINT_END] ? n : g->n[POINT_END];
    for (size_t i = 0; i < n; i++) {
        int64_t fp = g->points[POINT_FP][i].start;
        const int64_t t[4] = { i ? g->points[POINT_END][i - 1].start : fp, fp, g->points[POINT_BP][i].end,
                               g->points[POINT_END][i].end };
        if (put_step(g, (int64_t)i + 1, t, 0, e))
            return e->code;
    }
    return OK;
}

static int read_gpu_steps(struct gpu_steps *g, struct err *e)
{
    struct str piece;

    g->l.also = ' ';
    while (lines_next(&g->l, &piece, e)) {
        struct str s = str_trim(piece);
        /* the first line decides; the next one when nothing could be read of it */
        if (g->piece == 0 && !g->async && g->n[POINT_FP] == 0 && s.n > 0)
            g->async = str_chr(s, ',') != SIZE_MAX;
        if (s.n > 0 && (g->async ? on_async_piece(g, s, e) : on_sync_piece(g, s, e)))
            return e->code;
        g->piece += s.n > 0;
        if (g->l.end != ' ') {
            if (g->async && g->piece > 0 && g->piece < 4)
                lines_bad(&g->l, "a step with fewer than four points");
            g->line++;
            g->piece = 0;
        }
    }
    return e->code || g->async ? e->code : put_sync_steps(g, e);
}

int parse_gpu_steps(struct parse_ctx *c, struct err *e)
{
    struct gpu_steps g = { .c = c };

    buf_init(&g.op, (size_t)1 << 20);
    if (lines_open(&g.l, c, e) == OK)
        (void)read_gpu_steps(&g, e);
    lines_done(&g.l);
    buf_done(&g.op);
    for (size_t i = 0; i < N_POINTS; i++)
        free(g.points[i]);
    return e->code;
}
