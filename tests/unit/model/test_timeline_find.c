/* SPDX-License-Identifier: Apache-2.0 */
/* Looking for events of the timeline: in a window, next and previous, at a point, along flows. */
#include "config.h"

#include "tests/unit/model/scene.h"
#include "tests/unit/model/timeline_case.h"

/* ---- looking for events ---- */

static void timeline_windows_list_their_events(void **state)
{
    (void)state;
    enum { MAX = 700 };
    static struct tl_event got[MAX];
    struct scene s;
    uint64_t x = 9;
    scene_open(&s, 20, 40000);
    for (int k = 0; k < 400; k++) {
        size_t track = (size_t)below(&x, (int64_t)s.n), n, i = 0, at = 0;
        const struct row *r = row_of(&s, track);
        struct err e = ERR_INIT;
        int64_t from, to;
        bool more;
        if (r->counter)
            continue;
        random_window(r, &x, &from, &to);
        assert_int_equal(timeline_events(s.tl, track, from, to, got, MAX, &n, &more, &e), OK);
        for (; at < r->n && r->ev[at].ts < to && i < n; at++) {
            if (!touches(&r->ev[at], from, to))
                continue;
            assert_int_equal(got[i].ts_ns, r->ev[at].ts);
            assert_int_equal(got[i].dur_ns, r->ev[at].dur);
            assert_int_equal(got[i].lane, r->ev[at].lane);
            assert_int_equal(got[i].name_id, r->ev[at].name);
            i++;
        }
        assert_int_equal(i, n);
        for (; at < r->n && r->ev[at].ts < to && !touches(&r->ev[at], from, to); at++)
            ;
        assert_int_equal(more, n == MAX && at < r->n && r->ev[at].ts < to);
    }
    scene_close(&s);
}

/* A narrow window costs its events and their neighbours, not its chunks; nothing of it is left out. */
static void timeline_walks_give_what_touches(void **state)
{
    (void)state;
    struct scene s;
    uint64_t x = 31;
    scene_open(&s, 70, 30000);
    for (int k = 0; k < 300; k++) {
        size_t track = (size_t)below(&x, (int64_t)s.n), given = 0, touching = 0, want = 0, pieces = 0;
        const struct row *r = row_of(&s, track);
        struct err e = ERR_INIT;
        struct chunk_walk w;
        int64_t from = r->ev[below(&x, (int64_t)r->n)].ts, to = from + below(&x, 20000);
        if (r->counter)
            continue;
        walk_open(&w, s.tl, track, from, to, false);
        for (; walk_next(&w, &e) == 1; pieces++)
            for (size_t i = 0; i < w.n; i++, given++)
                touching += chunk_end(&w.ev[i]) >= from && w.ev[i].ts <= to;
        walk_close(&w);
        for (size_t i = 0; i < r->n && r->ev[i].ts <= to; i++)
            want += chunk_end(&r->ev[i]) >= from;
        assert_int_equal(e.code, OK);
        assert_int_equal(touching, want);
        assert_true(given <= want * WALK_BLOCK);
        assert_true(pieces <= want);
    }
    scene_close(&s);
}

static void timeline_steps_from_event_to_event(void **state)
{
    (void)state;
    struct scene s;
    uint64_t x = 13;
    scene_open(&s, 30, 30000);
    for (int k = 0; k < 1500; k++) {
        size_t track = (size_t)below(&x, (int64_t)s.n);
        const struct row *r = row_of(&s, track);
        struct err e = ERR_INIT;
        struct tl_event from, ev;
        if (r->counter)
            continue;
        size_t at = (size_t)below(&x, (int64_t)r->n);
        /* The event itself: the first one behind where it begins, as often as it takes. */
        int64_t ts = r->ev[at].ts, seq = -1;
        int rc = timeline_step(s.tl, track, ts, seq, 1, 0, &from, &e);
        assert_int_equal(rc, 1);
        while (at && r->ev[at - 1].ts == ts)
            at--;
        assert_int_equal(from.ts_ns, ts);
        int dir = k % 2 ? 1 : -1;
        int64_t name = k % 3 ? r->ev[below(&x, (int64_t)r->n)].name : 0;
        int64_t i = (int64_t)at + dir;
        while (i >= 0 && i < (int64_t)r->n && name && r->ev[i].name != name)
            i += dir;
        rc = timeline_step(s.tl, track, from.ts_ns, from.seq, dir, name, &ev, &e);
        assert_int_equal(rc, i >= 0 && i < (int64_t)r->n);
        if (rc) {
            assert_int_equal(ev.ts_ns, r->ev[i].ts);
            assert_int_equal(ev.dur_ns, r->ev[i].dur);
            assert_int_equal(ev.name_id, r->ev[i].name);
        }
    }
    scene_close(&s);
}

static void timeline_point_finds_the_innermost_event(void **state)
{
    (void)state;
    struct scene s;
    uint64_t x = 23;
    scene_open(&s, 50, 30000);
    for (int k = 0; k < 800; k++) {
        size_t track = (size_t)below(&x, (int64_t)s.n);
        const struct row *r = row_of(&s, track);
        struct err e = ERR_INIT;
        struct tl_event ev;
        int lane = -1;
        int64_t from, to;
        if (r->counter)
            continue;
        random_window(r, &x, &from, &to);
        for (size_t i = 0; i < r->n && r->ev[i].ts <= from; i++)
            if (chunk_end(&r->ev[i]) > from && r->ev[i].lane > lane)
                lane = r->ev[i].lane;
        int rc = timeline_at(s.tl, track, from, 0, &ev, &e);
        assert_int_equal(rc < 0, 0);
        if (lane < 0)
            continue; /* nothing but an instant can be there */
        assert_int_equal(rc, 1);
        assert_true(ev.ts_ns <= from && ev.ts_ns + ev.dur_ns >= from);
        assert_true(ev.lane >= lane);
    }
    scene_close(&s);
}

/* ---- flows ---- */

/* Launches and their tasks; ids come again after 1 000 launches, and some begin after their end. */
static void timeline_flow_joins_the_nearest_ends(void **state)
{
    (void)state;
    enum { N = 12000 };
    struct err e = ERR_INIT;
    struct fill *f;
    struct store *st;
    struct timeline *tl;
    struct track_def d = { .kind = TK_HOST_THREAD,
                           .pid = STR("1"),
                           .tid = STR("1"),
                           .stream = -1,
                           .name = STR("host"),
                           .source_id = 1 };
    int rank = 0;
    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = NULL }, &e), OK);
    assert_int_equal(fill_begin(f, 1, &e), OK);
    struct sink *k = fill_sink(f);
    uint32_t name = sink_intern(k, STR("x")), cat = sink_intern(k, STR("async"));
    uint32_t host = sink_track(k, &d);
    d.tid = d.name = STR("2");
    uint32_t dev = sink_track(k, &d);
    for (int i = 0; i < N; i++) {
        int64_t at = (int64_t)i * 1000, to = i % 10 == 7 ? at - 140 : at + 650;
        assert_int_equal(sink_event(k, host, at, 100, name, 0, &e), OK);
        assert_int_equal(sink_event(k, dev, to, 50, name, 0, &e), OK);
        assert_int_equal(sink_flow(k, host, at + 5, 's', cat, (uint64_t)(i % 1000), &e), OK);
        assert_int_equal(sink_flow(k, dev, to + 5, 'f', cat, (uint64_t)(i % 1000), &e), OK);
    }
    assert_int_equal(fill_end(f, true, &e), OK);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_take_store(f, &st, &e), OK);
    assert_int_equal(timeline_open(&tl, &st, &rank, 1, &e), OK);
    size_t host_at = str_eq(timeline_track(tl, 0)->name, STR("host")) ? 0 : 1;
    for (int i = 3; i < N; i += 97) {
        struct tl_event ev, other, back;
        if (i % 10 == 7)
            continue; /* its id's nearest later end is that of a later launch */
        assert_int_equal(timeline_at(tl, host_at, (int64_t)i * 1000, 0, &ev, &e), 1);
        assert_int_equal(timeline_flow(tl, &ev, &other, &e), 1);
        assert_int_equal(other.track, 1 - host_at);
        assert_int_equal(other.ts_ns, (int64_t)i * 1000 + 650);
        assert_int_equal(timeline_flow(tl, &other, &back, &e), 1);
        assert_int_equal(back.seq, ev.seq);
        assert_int_equal(back.track, host_at);
    }
    /* The last launch whose end comes before it: there is no later one of that id. */
    struct tl_event ev, other;
    assert_int_equal(timeline_at(tl, host_at, (int64_t)(N - 3) * 1000, 0, &ev, &e), 1);
    assert_int_equal(timeline_flow(tl, &ev, &other, &e), 1);
    assert_int_equal(other.ts_ns, (int64_t)(N - 3) * 1000 - 140);
    /* A damaged chunk of ends is an error, not the end of the search. */
    damage_chunk(st, store_int(st, 0, "SELECT id FROM track WHERE kind = 'flow' AND tid = 's'", NULL));
    assert_int_equal(timeline_at(tl, host_at, 3000, 0, &ev, &e), 1);
    assert_int_equal(timeline_flow(tl, &ev, &other, &e), -1);
    assert_int_equal(e.code, ERR_STORE);
    timeline_close(tl);
    store_close(st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(timeline_windows_list_their_events),
        cmocka_unit_test(timeline_walks_give_what_touches),
        cmocka_unit_test(timeline_steps_from_event_to_event),
        cmocka_unit_test(timeline_point_finds_the_innermost_event),
        cmocka_unit_test(timeline_flow_joins_the_nearest_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
