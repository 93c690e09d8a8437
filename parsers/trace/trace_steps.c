/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step_trace_*.json (doc/formats/analysed.md#step-trace-events): the same events as any timeline, and the
 * steps they stand for. Read when the CSV of the same export is not there.
 *
 * Model and device of an event follow from metadata that may follow it: the file is read once for these, then
 * for the steps.
 */
#include "config.h"

#include "base/read/json_stream.h"
#include "parsers/parsers.h"
#include "parsers/read/lines.h"
#include "parsers/trace/trace_clock.h"

#define MAX_LANES 64
#define LANE_B    64

struct lane {
    char pid[LANE_B], tid[LANE_B]; /* tid "" stands for all of the process */
    int64_t device, model;         /* -1 unknown */
};

struct step_file {
    struct parse_ctx *c;
    struct lane lanes[MAX_LANES];
    size_t n_lanes;
    bool has_base;
    int64_t base_ns;
};

typedef int event_fn(struct step_file *f, const struct js_event *ev, struct err *e);

/* Hand every whole event of all slices to fn; damage was noted when the events were read for the timeline. */
static int each_event(struct step_file *f, event_fn *fn, struct err *e)
{
    for (const struct source_file *s = f->c->f; s && e->code == OK; s = s->next_slice) {
        struct infile *in = NULL;
        struct js *j = NULL;
        enum js_event_status st = JS_EV_END;
        struct js_event ev;
        if (infile_open(&in, s->path, 0, e) == OK && js_new(&j, in, e) == OK)
            while (js_event(j, &st, &ev, e) == OK && st != JS_EV_END)
                if (st == JS_EV_EVENT && fn(f, &ev, e))
                    break;
        js_free(j);
        infile_close(in);
    }
    return e->code;
}

static struct lane *lane_of(struct step_file *f, struct str pid, struct str tid, bool make)
{
    for (size_t i = 0; i < f->n_lanes; i++)
        if (str_eq(pid, str_of(f->lanes[i].pid)) && str_eq(tid, str_of(f->lanes[i].tid)))
            return &f->lanes[i];
    if (!make || f->n_lanes == MAX_LANES || pid.n >= LANE_B || tid.n >= LANE_B)
        return NULL;
    struct lane *l = &f->lanes[f->n_lanes++];
    l->device = l->model = -1;
    str_copy(pid, l->pid, sizeof l->pid);
    str_copy(tid, l->tid, sizeof l->tid);
    return l;
}

/* Number after a word: "Step Trace(Model ID:1)", "NPU 4". */
static bool number_after(struct str s, struct str word, int64_t *out)
{
    size_t at = str_find(s, word, 0), n = 0;

    if (at == SIZE_MAX)
        return false;
    s = str_sub(s, at + word.n, SIZE_MAX);
    while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9')
        n++;
    return str_i64(str_sub(s, 0, n), out);
}

static int on_meta(struct step_file *f, const struct js_event *ev, struct err *e)
{
    bool is_string;
    struct str v;
    struct lane *l;

    (void)e;
    if (ev->ph != 'M')
        return OK;
    if (str_eq(ev->name, STR("process_labels")) && js_find(ev->args, STR("labels"), &v, &is_string)) {
        l = lane_of(f, ev->pid, STR(""), true);
        if (l && !number_after(v, STR("NPU "), &l->device))
            l->device = -1;
    }
    if (str_eq(ev->name, STR("thread_name")) && js_find(ev->args, STR("name"), &v, &is_string)) {
        l = lane_of(f, ev->pid, ev->tid, true);
        if (l && !number_after(v, STR("Model ID:"), &l->model))
            l->model = -1;
    }
    return OK;
}

static int rank_of(struct step_file *f, const struct js_event *ev)
{
    const struct runinfo *run = f->c->run;
    const struct lane *l = lane_of(f, ev->pid, STR(""), false);

    if (!l || l->device < 0 || !run || run->n_ranks < 2)
        return f->c->rank;
    for (size_t i = 0; i < run->n_ranks; i++)
        if (run->ranks[i].device == l->device)
            return run->ranks[i].rank;
    return f->c->rank;
}

/* An instant among the args, on the clock of the rank. */
static struct val arg_time(const struct step_file *f, const struct js_event *ev, struct str key)
{
    bool is_string;
    struct str v;
    int64_t ns;

    if (!js_find(ev->args, key, &v, &is_string) || !str_scaled(v, 1000, &ns, NULL) ||
        __builtin_add_overflow(ns, f->base_ns, &ns))
        return val_null();
    return val_int(ns);
}

static struct val minus(struct val a, struct val b)
{
    int64_t d;

    return a.t == VAL_INT && b.t == VAL_INT && !__builtin_sub_overflow(a.i, b.i, &d) ? val_int(d)
                                                                                     : val_null();
}

static int put_step(struct step_file *f, const struct js_event *ev, int64_t step, struct val start,
                    struct val end, struct err *e)
{
    struct val v[N_COLS(step)] = { 0 };
    struct val fp = arg_time(f, ev, STR("FP Start")), bp = arg_time(f, ev, STR("BP End"));
    const struct lane *l = lane_of(f, ev->pid, ev->tid, false);

    v[COL(step, rank)] = val_int(rank_of(f, ev));
    v[COL(step, step)] = val_int(step);
    v[COL(step, model_id)] = l && l->model >= 0 ? val_int(l->model) : val_null();
    v[COL(step, start_ns)] = start;
    v[COL(step, end_ns)] = end;
    v[COL(step, fp_ns)] = fp;
    v[COL(step, bp_ns)] = bp;
    v[COL(step, total_ns)] = minus(end, start);
    v[COL(step, interval_ns)] = minus(fp, start);
    v[COL(step, fp_bp_ns)] = minus(bp, fp);
    v[COL(step, tail_ns)] = minus(end, bp);
    v[COL(step, refresh_ns)] = minus(end, bp);
    v[COL(step, complete)] = val_int(1);
    v[COL(step, source_id)] = val_int(f->c->f->id);
    return parse_row(f->c, T_step, v, N_COLS(step), e);
}

static int put_part(struct step_file *f, const struct js_event *ev, const char *kind, struct val step,
                    struct val start, struct val end, struct err *e)
{
    struct val v[N_COLS(step_part)] = { 0 };

    v[COL(step_part, rank)] = val_int(rank_of(f, ev));
    v[COL(step_part, step)] = step;
    v[COL(step_part, kind)] = val_cstr(kind);
    v[COL(step_part, name_id)] = ev->esc & JS_ESC_NAME ? val_null() : sink_text(f->c->out, ev->name);
    v[COL(step_part, start_ns)] = start;
    v[COL(step_part, end_ns)] = end;
    v[COL(step_part, dur_ns)] = minus(end, start);
    v[COL(step_part, source_id)] = val_int(f->c->f->id);
    return parse_row(f->c, T_step_part, v, N_COLS(step_part), e);
}

static int on_step(struct step_file *f, const struct js_event *ev, struct err *e)
{
    struct val step = val_null();
    struct str v;
    bool is_string;
    int64_t n, ts, end;

    if (ev->ph != 'X' || !ev->has_ts)
        return OK;
    if (!f->has_base && ev->ts_ns < WALL_NS && !trace_clock_boot_offset(f->c, &f->base_ns))
        f->base_ns = 0; /* noted with the events */
    f->has_base = true;
    if (__builtin_add_overflow(ev->ts_ns, f->base_ns, &ts) ||
        __builtin_add_overflow(ts, ev->has_dur ? ev->dur_ns : 0, &end))
        return OK;
    if (js_find(ev->args, STR("Iteration ID"), &v, &is_string) && str_i64(v, &n))
        step = val_int(n);
    if (str_eq(ev->cat, STR("Iteration Time")) && step.t == VAL_INT)
        return put_step(f, ev, n, val_int(ts), val_int(end), e);
    if (str_eq(ev->cat, STR("Reduce")))
        return put_part(f, ev, "reduce", step, val_int(ts), val_int(end), e);
    if (str_eq(ev->cat, STR("GetNext Time")))
        return put_part(f, ev, "getnext", step, val_int(ts), val_int(end), e);
    return OK;
}

int parse_trace_steps(struct parse_ctx *c, struct err *e)
{
    struct step_file f = { .c = c };
    uint64_t events;

    if (parse_trace(c, e))
        return e->code;
    events = c->rows;
    if (each_event(&f, on_meta, e) || each_event(&f, on_step, e)) {
        if (e->code != ERR_FORMAT && e->code != ERR_LIMIT)
            return e->code;
        err_clear(e); /* a packed file that is cut: noted with the events */
    }
    c->rows = events; /* an event and its step are one record of the file */
    return OK;
}
