/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hccl_info/<op>/iter<k>.trace of a run that was not analysed (doc/formats/mindspore1.md#hccl_info,
 * #hccl_raw): its tasks for the timeline, and what the op cost by link, as hccl_raw_N.csv has it of an
 * analysed run. The step follows from the time, after all is read.
 *
 * Elapsed is from the first task to the last; bandwidth is size by time, where MindSpore adds up the
 * bandwidths of threads.
 */
#include "config.h"

#include <math.h>

#include "parsers/mindspore/records/hccl_trace.h"
#include "parsers/parsers.h"
#include "parsers/read/lines.h"

#define MS_NS 1e6

static struct val ns_of(double ms)
{
    return ms >= 0 && ms < 9e12 ? val_int(llround(ms * MS_NS)) : val_null();
}

/* First start and time to the last end. */
static bool span_of(const struct hccl_trace *t, int64_t *from, int64_t *dur)
{
    int64_t to = INT64_MIN, end;

    *from = INT64_MAX;
    for (size_t i = 0; i < t->n; i++) {
        if (__builtin_add_overflow(t->event[i].ts_ns, t->event[i].dur_ns, &end))
            return false;
        *from = t->event[i].ts_ns < *from ? t->event[i].ts_ns : *from;
        to = end > to ? end : to;
    }
    return t->has_ts && !__builtin_sub_overflow(to, *from, dur) && *dur >= 0;
}

/* "…/allReduce_1_0/iter1.trace": "allReduce_1_0" */
static struct str op_name(const struct parse_ctx *c)
{
    struct str path = str_of(c->f->path);
    size_t slash = str_rchr(path, '/');

    return str_after_last(str_sub(path, 0, slash == SIZE_MAX ? 0 : slash), '/');
}

static int put_exec(struct parse_ctx *c, const struct hccl_trace *t, const struct hccl_cost *cost,
                    int64_t *id, struct err *e)
{
    struct val v[N_COLS(comm_exec)] = { 0 };
    struct val transit = ns_of(cost->cost_ms), wait = ns_of(cost->wait_ms);
    struct str name = op_name(c);
    double size_kb = 0;
    int64_t from, dur;

    for (size_t i = 0; i < cost->n_links; i++)
        size_kb += cost->link[i].size_kb;
    v[COL(comm_exec, rank)] = val_int(c->rank);
    v[COL(comm_exec, name_id)] = sink_text(c->out, name);
    v[COL(comm_exec, type_id)] = sink_text(c->out, str_sub(name, 0, str_chr(name, '_')));
    v[COL(comm_exec, transit_ns)] = transit;
    v[COL(comm_exec, wait_ns)] = wait;
    if (size_kb < 9e15)
        v[COL(comm_exec, size_b)] = val_int(llround(size_kb * 1e3));
    if (span_of(t, &from, &dur)) {
        v[COL(comm_exec, ts_ns)] = val_int(from);
        v[COL(comm_exec, dur_ns)] = val_int(dur);
        if (transit.t == VAL_INT && wait.t == VAL_INT && transit.i <= dur && wait.i <= dur - transit.i)
            v[COL(comm_exec, idle_ns)] = val_int(dur - transit.i - wait.i);
    }
    if (t->damaged)
        v[COL(comm_exec, damage)] = val_cstr("time duration figures");
    v[COL(comm_exec, source_id)] = val_int(c->f->id);
    return sink_row(c->out, T_comm_exec, v, N_COLS(comm_exec), id, e);
}

static int put_link(struct parse_ctx *c, const struct hccl_link *l, int64_t exec, struct err *e)
{
    struct val v[N_COLS(comm_link)] = { 0 };

    v[COL(comm_link, rank)] = val_int(c->rank);
    v[COL(comm_link, comm_id)] = val_int(exec);
    v[COL(comm_link, name_id)] = sink_text(c->out, op_name(c));
    v[COL(comm_link, src_rank)] = val_int(l->src);
    v[COL(comm_link, dst_rank)] = val_int(l->dst);
    v[COL(comm_link, transport)] = val_cstr(hccl_transport_word(l->transport));
    v[COL(comm_link, time_ns)] = ns_of(l->time_ms);
    if (l->size_kb < 9e15)
        v[COL(comm_link, size_b)] = val_int(llround(l->size_kb * 1e3));
    if (l->time_ms > 0)
        v[COL(comm_link, bandwidth)] = val_real(l->size_kb * 1e3 / (l->time_ms / 1e3));
    v[COL(comm_link, stat)] = val_cstr("op");
    v[COL(comm_link, source_id)] = val_int(c->f->id);
    return sink_row(c->out, T_comm_link, v, N_COLS(comm_link), NULL, e);
}

static int put_cost(struct parse_ctx *c, struct hccl_trace *t, struct err *e)
{
    struct hccl_cost cost;
    int64_t exec;

    const struct where w = { .source_id = c->f->id, .offset = ERR_NO_OFFSET };

    if (!t->n)
        return OK;
    if (t->damaged)
        sink_note(c->out, NOTE_MARKED, &w, "rows whose time, duration, figures may be untrue are marked");
    if (hccl_cost_of(c->tmp, t, false, &cost, e) || put_exec(c, t, &cost, &exec, e))
        return e->code;
    for (size_t i = 0; i < cost.n_links; i++)
        if (put_link(c, &cost.link[i], exec, e))
            return e->code;
    return OK;
}

int parse_hccl_trace(struct parse_ctx *c, struct err *e)
{
    struct sink_quiet quiet; /* damage was noted the first time */
    struct parse_ctx again = *c;
    struct hccl_trace t;

    if (parse_trace_hccl(c, e))
        return e->code;
    sink_quiet_init(&quiet, c->out);
    again.out = &quiet.sink;
    if (hccl_trace_read(&again, &t, e) == OK)
        put_cost(c, &t, e);
    hccl_trace_done(&t);
    return e->code;
}
