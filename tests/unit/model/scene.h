/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A store with random tracks and the same events beside it, for comparing the timeline with a computation
 * from the events: calls inside calls up to 40 deep, overlaps, tracks in no order, instants, very long
 * events, bursts and silence, counters.
 */
#ifndef NPUSCOPE_TESTS_UNIT_MODEL_SCENE_H
#define NPUSCOPE_TESTS_UNIT_MODEL_SCENE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/timeline/timeline_int.h"
#include "store/fill/fill.h"

#define N_NAMES 300

static inline uint64_t next(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

static inline int64_t below(uint64_t *r, int64_t n)
{
    return n > 0 ? (int64_t)(next(r) % (uint64_t)n) : 0;
}

/* ---- traces ---- */

struct row {
    struct chunk_event *ev; /* in order, with lanes; of a counter: dur holds the value's bits */
    size_t n;
    int lanes;
    bool counter;
};

struct scene {
    struct row row[9];
    size_t n;
    struct store *store;
    struct timeline *tl;
    int64_t name_id[N_NAMES];
};

static inline void put(struct row *r, size_t *cap, int64_t ts, int64_t dur, uint32_t name)
{
    if (r->n == *cap) {
        *cap = *cap ? *cap * 2 : 1024;
        r->ev = realloc(r->ev, *cap * sizeof *r->ev);
        assert_non_null(r->ev);
    }
    r->ev[r->n] = (struct chunk_event){ .ts = ts, .dur = dur, .name = name, .off = r->n };
    r->n++;
}

/* Calls inside calls, up to 40 deep: what a host thread looks like. */
static inline void make_nested(struct row *r, uint64_t *x, size_t n)
{
    int64_t ts = below(x, 100000), end[40];
    size_t depth = 0, cap = 0;
    while (r->n < n) {
        ts += below(x, 300);
        while (depth && end[depth - 1] <= ts)
            depth--;
        if (depth == 40) {
            ts = end[--depth];
            continue;
        }
        int64_t most = depth ? end[depth - 1] - ts : 50000 + below(x, 3000000);
        int64_t dur = depth ? below(x, most + 1) : most;
        put(r, &cap, ts, dur, (uint32_t)below(x, N_NAMES));
        end[depth++] = ts + dur;
        if (!depth || next(x) % 5 == 0)
            ts += below(x, 4000);
        if (next(x) % 500 == 0) { /* all calls return, then nothing for a while */
            ts = end[0] + below(x, 200000);
            depth = 0;
        }
    }
}

/* Tasks that overlap without nesting, instants, a few that span everything, bursts and silence. */
static inline void make_overlapping(struct row *r, uint64_t *x, size_t n)
{
    int64_t ts = -below(x, 1000000);
    size_t cap = 0;
    while (r->n < n) {
        uint64_t kind = next(x) % 1000;
        ts += kind < 2 ? below(x, 20000000) : kind < 300 ? below(x, 3) : below(x, 2000);
        put(r, &cap, ts,
            kind == 500  ? below(x, 400000000)
            : kind > 900 ? 0
            : kind < 300 ? below(x, 20)
                         : below(x, 3000),
            (uint32_t)below(x, kind % 7 ? 20 : N_NAMES));
    }
}

/* One after the other, now and then far apart: a stream. */
static inline void make_plain(struct row *r, uint64_t *x, size_t n)
{
    int64_t ts = below(x, 5000);
    size_t cap = 0;
    while (r->n < n) {
        int64_t dur = below(x, 900);
        put(r, &cap, ts, dur, (uint32_t)(r->n % 700 == 3 ? 299 : below(x, 200)));
        ts += dur + (next(x) % 2000 ? below(x, 700) : 1000000 * below(x, 5)); /* equal gaps too */
    }
}

/* Two lanes at most: a task, and now and then one that begins before it ends. */
static inline void make_pairs(struct row *r, uint64_t *x, size_t n)
{
    int64_t ts = 0;
    size_t cap = 0;
    while (r->n < n) {
        int64_t dur = 100 + below(x, 900);
        if (r->n % CHUNK_EVENTS == CHUNK_EVENTS - 1)
            dur = 0; /* chunks end with an instant */
        put(r, &cap, ts, dur, (uint32_t)below(x, 50));
        if (r->n > n / 2 || next(x) % 50 == 0)
            put(r, &cap, ts + below(x, dur), dur, (uint32_t)below(x, 50));
        ts += 2000 + below(x, 100);
    }
}

static inline void make_counter(struct row *r, uint64_t *x, size_t n)
{
    int64_t ts = below(x, 5000);
    size_t cap = 0;
    r->counter = true;
    while (r->n < n) {
        put(r, &cap, ts, chunk_from_double((double)below(x, 100000) / 16), 0);
        ts += below(x, 30000);
    }
}

static inline void shuffle(struct chunk_event *ev, size_t n, size_t reach, uint64_t *x)
{
    for (size_t i = 0; i + 1 < n; i++) {
        size_t k = i + (size_t)below(x, (int64_t)(n - i < reach ? n - i : reach));
        struct chunk_event e = ev[i];
        ev[i] = ev[k];
        ev[k] = e;
    }
}

static inline void feed(struct fill *f, struct row *r, size_t number, const uint32_t *names)
{
    struct err e = ERR_INIT;
    char tid[16];
    snprintf(tid, sizeof tid, "%zu", number);
    struct track_def d = { .rank = 0,
                           .kind = r->counter ? TK_COUNTER : TK_HOST_THREAD,
                           .pid = STR("1"),
                           .tid = str_of(tid),
                           .name = str_of(tid),
                           .sort = (int64_t)number,
                           .stream = -1,
                           .source_id = 1 };
    uint32_t t = sink_track(fill_sink(f), &d);
    for (size_t i = 0; i < r->n; i++) {
        struct chunk_event *ev = &r->ev[i];
        if (r->counter) {
            assert_int_equal(sink_sample(fill_sink(f), t, ev->ts, chunk_to_double(ev->dur), &e), OK);
            continue;
        }
        ev->name = names[ev->name];
        assert_int_equal(sink_event(fill_sink(f), t, ev->ts, ev->dur, ev->name, ev->off, &e), OK);
    }
    /* As the store keeps them. */
    struct chunk_state st;
    int64_t added;
    qsort(r->ev, r->n, sizeof *r->ev, chunk_event_cmp);
    chunk_state_init(&st);
    for (size_t i = 0; i < r->n && !r->counter; i++)
        r->ev[i].lane = chunk_place(&st, r->ev[i].ts, r->ev[i].dur, &added);
    r->lanes = st.n_lanes;
}

static inline void scene_open(struct scene *s, uint64_t seed, size_t n)
{
    struct err e = ERR_INIT;
    struct fill *f;
    uint64_t x = seed * 7919 + 1;
    uint32_t names[N_NAMES];
    int rank = 0;
    memset(s, 0, sizeof *s);
    make_nested(&s->row[0], &x, n);
    make_overlapping(&s->row[1], &x, n);
    make_plain(&s->row[2], &x, n);
    make_counter(&s->row[3], &x, n / 2);
    make_nested(&s->row[4], &x, n);
    shuffle(s->row[4].ev, n, n, &x); /* in no order at all */
    make_overlapping(&s->row[5], &x, n / 3);
    shuffle(s->row[5].ev, s->row[5].n, 50, &x); /* nearly in order */
    make_plain(&s->row[6], &x, 500);
    make_counter(&s->row[7], &x, 9000);
    shuffle(s->row[7].ev, 9000, 30, &x);
    make_pairs(&s->row[8], &x, n / 2);
    s->n = ARRAY_LEN(s->row);
    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = NULL }, &e), OK);
    assert_int_equal(fill_begin(f, 1, &e), OK);
    for (int i = 0; i < N_NAMES; i++) {
        char text[16];
        snprintf(text, sizeof text, "op%d", i);
        names[i] = sink_intern(fill_sink(f), str_of(text));
        s->name_id[i] = names[i];
    }
    for (size_t i = 0; i < s->n; i++)
        feed(f, &s->row[i], i, names);
    assert_int_equal(fill_end(f, true, &e), OK);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_take_store(f, &s->store, &e), OK);
    assert_int_equal(timeline_open(&s->tl, &s->store, &rank, 1, &e), OK);
    assert_int_equal(timeline_n_tracks(s->tl), s->n);
}

static inline void scene_close(struct scene *s)
{
    timeline_close(s->tl);
    store_close(s->store);
    for (size_t i = 0; i < s->n; i++)
        free(s->row[i].ev);
}

/* The row a track of the timeline was made from: its name, "Thread 3", says. */
static inline const struct row *row_of(const struct scene *s, size_t track)
{
    uint64_t number = 0;
    const struct str name = timeline_track(s->tl, track)->name;
    const size_t blank = str_rchr(name, ' ');
    assert_true(str_u64(str_sub(name, blank == SIZE_MAX ? 0 : blank + 1, name.n), &number) && number < s->n);
    return &s->row[number];
}

static inline size_t chunk_edge(const struct row *r, uint64_t *x)
{
    size_t i = (size_t)below(x, (int64_t)r->n) / CHUNK_EVENTS * CHUNK_EVENTS;
    return i && next(x) % 2 ? i - 1 : i;
}

/*
 * A window somewhere on the row, of any length; at times beyond its ends, at times beginning or ending with
 * an event.
 */
static inline void random_window(const struct row *r, uint64_t *x, int64_t *from, int64_t *to)
{
    int64_t a = r->ev[0].ts, span = r->ev[r->n - 1].ts - a + 1;
    int64_t len = span >> below(x, 24);
    len = 1 + len / 2 + below(x, len + 1);
    *from = a - span / 20 + below(x, span + span / 10);
    if (next(x) % 4 == 0)
        *from = r->ev[below(x, (int64_t)r->n)].ts;
    *to = *from + len;
    if (next(x) % 8 == 0)
        *to = r->ev[below(x, (int64_t)r->n)].ts;
    if (next(x) % 4 == 0) /* where a chunk begins or ends */
        *from = r->ev[chunk_edge(r, x)].ts + below(x, 2);
    if (next(x) % 4 == 0)
        *to = r->ev[chunk_edge(r, x)].ts + below(x, 2);
    if (*to <= *from)
        *to = *from + 1 + below(x, 1000);
}

static inline bool touches(const struct chunk_event *ev, int64_t from, int64_t to)
{
    return ev->ts < to && (chunk_end(ev) > from || ev->ts >= from);
}

#endif
