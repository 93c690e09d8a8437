/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of a trace: processes, threads and counters of a Chrome trace and the tracks of the sink they
 * become.
 *
 * Names, order and kind of a row come from metadata events, which may stand at the end of the file: a track
 * is made at its first event and named by trace_track_finish(). One struct serves all slices of a file. Not
 * thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_TRACE_TRACE_TRACK_H
#define NPUSCOPE_PARSERS_TRACE_TRACE_TRACK_H

#include "base/read/json_stream.h"
#include "parsers/registry.h"

/* Who wrote the trace: decides how pid and tid are read. */
enum trace_form {
    TRACE_LAYERS, /* layers named by process_name (doc/formats/analysed.md#layers) */
    TRACE_G1,     /* pids 9000, 10000 ..., tid = stream (doc/formats/mindspore1.md#timeline) */
    TRACE_HCCL    /* one communication op (doc/formats/mindspore1.md#hccl_info) */
};

struct trace_tracks;

struct trace_track_thread {
    uint32_t track; /* SINK_NO_TRACK until trace_track_thread_track() */
    uint32_t process;
    struct str pid, tid; /* as the source writes them */
    struct str name;     /* p NULL unknown */
    int64_t sort;
    uint32_t open;  /* innermost open B event, see parsers/trace/trace.c */
    uint8_t looked; /* events whose args were looked at */
    uint8_t hint;   /* enum trace_hint: what they said */
    bool has_sort;
};
#define TRACE_NO_OPEN UINT32_MAX

NODISCARD int trace_track_new(struct trace_tracks **out, struct parse_ctx *c, enum trace_form form,
                              struct err *e);
void trace_track_free(struct trace_tracks *t);

/*
 * The thread (pid, tid), made when new; valid until the next call. NULL with e clear: the limit of tracks is
 * reached. Errors: ERR_NOMEM.
 */
struct trace_track_thread *trace_track_thread(struct trace_tracks *t, struct str pid, struct str tid,
                                              struct err *e);
/* Its track, made when it has none yet. SINK_NO_TRACK: e is set. */
uint32_t trace_track_thread_track(struct trace_tracks *t, struct trace_track_thread *th, struct err *e);
/* Learn the kind of an unnamed layer from the args of its first events. */
void trace_track_thread_look(struct trace_track_thread *th, struct str args);
/*
 * The row of one counter series; key: an argument that tells rows apart (acc_id), p NULL none. SINK_NO_TRACK
 * with e clear: limit.
 */
uint32_t trace_track_counter(struct trace_tracks *t, struct str pid, struct str name, struct str series,
                             struct str key, struct err *e);
/* A metadata event. Unknown ones are ignored. */
NODISCARD int trace_track_meta(struct trace_tracks *t, const struct js_event *ev, struct err *e);
/* Give every track its name, kind and order. */
NODISCARD int trace_track_finish(struct trace_tracks *t, struct err *e);

#endif
