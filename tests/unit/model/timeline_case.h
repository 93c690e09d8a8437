/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For tests of the timeline: a small run in memory from tables of tracks and events. Include after cmocka.h.
 * Times are ns as stored (there is no row in table rank, so its clock begins at 0).
 */
#ifndef NPUSCOPE_TESTS_UNIT_MODEL_TIMELINE_CASE_H
#define NPUSCOPE_TESTS_UNIT_MODEL_TIMELINE_CASE_H

#include <string.h>

#include "model/timeline/timeline.h"
#include "store/fill/fill.h"

struct case_track {
    enum track_kind kind;
    const char *process, *name;
};
/* dur: of a counter the value. */
struct case_event {
    size_t track;
    int64_t ts, dur;
    const char *name;
};

struct case_step {
    int64_t step, from, to;
};

static inline struct store *case_store_steps(int rank, const struct case_track *tracks, size_t n_tracks,
                                             const struct case_event *ev, size_t n,
                                             const struct case_step *steps, size_t n_steps)
{
    struct err e = ERR_INIT;
    struct fill *f;
    struct store *s;
    uint32_t id[32];
    assert_true(n_tracks <= 32);
    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = NULL }, &e), OK);
    assert_int_equal(fill_begin(f, 1, &e), OK);
    for (size_t i = 0; i < n_tracks; i++) {
        char tid[16];
        snprintf(tid, sizeof tid, "%zu", i + 1);
        id[i] = sink_track(fill_sink(f), &(struct track_def){ .rank = rank,
                                                              .kind = tracks[i].kind,
                                                              .pid = str_of(tracks[i].process),
                                                              .process = str_of(tracks[i].process),
                                                              .tid = str_of(tid),
                                                              .name = str_of(tracks[i].name),
                                                              .sort = (int64_t)i,
                                                              .stream = -1,
                                                              .source_id = 1 });
    }
    for (size_t i = 0; i < n; i++) {
        struct sink *to = fill_sink(f);
        if (tracks[ev[i].track].kind == TK_COUNTER)
            assert_int_equal(sink_sample(to, id[ev[i].track], ev[i].ts, (double)ev[i].dur, &e), OK);
        else
            assert_int_equal(sink_event(to, id[ev[i].track], ev[i].ts, ev[i].dur,
                                        sink_intern(to, str_of(ev[i].name)), i, &e),
                             OK);
    }
    for (size_t i = 0; i < n_steps; i++) {
        struct val v[N_COLS(step)] = { 0 };
        v[COL(step, rank)] = val_int(rank);
        v[COL(step, step)] = val_int(steps[i].step);
        v[COL(step, start_ns)] = val_int(steps[i].from);
        v[COL(step, end_ns)] = val_int(steps[i].to);
        assert_int_equal(sink_row(fill_sink(f), T_step, v, N_COLS(step), NULL, &e), OK);
    }
    assert_int_equal(fill_end(f, true, &e), OK);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_take_store(f, &s, &e), OK);
    return s;
}

static inline struct store *case_store(int rank, const struct case_track *tracks, size_t n_tracks,
                                       const struct case_event *ev, size_t n)
{
    return case_store_steps(rank, tracks, n_tracks, ev, n, NULL, 0);
}

static inline struct timeline *case_timeline(struct store *s, int rank)
{
    struct err e = ERR_INIT;
    struct timeline *t;
    assert_int_equal(timeline_open(&t, &s, &rank, 1, &e), OK);
    return t;
}

/* Spoil the first chunk of a track. */
static inline void damage_chunk(struct store *s, int64_t track)
{
    struct err e = ERR_INIT;
    struct query *q;
    assert_int_equal(store_query(s, &q,
                                 "UPDATE chunk SET d = zeroblob(length(d)) WHERE id = (SELECT "
                                 "min(id) FROM chunk WHERE track = :track)",
                                 &e),
                     OK);
    query_bind_int(q, ":track", track);
    assert_int_equal(query_step(q, &e), 0);
    query_free(q);
}

#endif
