/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timelines on one axis: every answer is that of the timeline itself, moved; what corresponds in another
 * rank; what differs between steps.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/timeline/lineup_align.h"
#include "tests/unit/model/timeline_case.h"

static const struct case_track tracks[] = {
    { TK_STREAM, "Ascend Hardware", "Stream 3" },
    { TK_STREAM, "Ascend Hardware", "Stream 12" },
};
/* Two steps of [100, 200) and [200, 300); the second one differs at its third event. */
static const struct case_event rank0[] = {
    { 0, 100, 20, "Conv2D" }, { 0, 130, 10, "Relu" },   { 0, 150, 10, "Conv2D" }, { 0, 200, 21, "Conv2D" },
    { 0, 230, 10, "Relu" },   { 0, 250, 15, "Conv2D" }, { 1, 110, 5, "Copy" },    { 1, 210, 5, "Copy" },
};
/* The same 1 000 ns later, one Conv2D more before the first step, tracks the other way round. */
static const struct case_track tracks1[] = {
    { TK_STREAM, "Ascend Hardware", "Stream 12" },
    { TK_STREAM, "Ascend Hardware", "Stream 3" },
};
static const struct case_event rank1[] = {
    { 1, 1050, 20, "Conv2D" }, { 1, 1100, 20, "Conv2D" }, { 1, 1130, 10, "Relu" }, { 1, 1150, 10, "Conv2D" },
    { 1, 1200, 20, "Conv2D" }, { 1, 1255, 10, "Conv2D" }, { 0, 1110, 5, "Copy" },
};
static const struct case_step steps0[] = { { 7, 100, 200 }, { 8, 200, 300 } };
static const struct case_step steps1[] = { { 7, 1100, 1200 }, { 8, 1200, 1300 } };

struct scene {
    struct store *store[2];
    struct timeline *tl[2];
    struct lineup *l;
};

/* Times of rank 1 as stored and by ns. */
static void shift(struct scene *s, int64_t by)
{
    lineup_set_offset(s->l, 1, by - lineup_part(s->l, 1)->clock_ns);
}

static void scene_open(struct scene *s, bool steps)
{
    struct err e = ERR_INIT;
    s->store[0] = case_store_steps(0, tracks, ARRAY_LEN(tracks), rank0, ARRAY_LEN(rank0), steps0,
                                   steps ? ARRAY_LEN(steps0) : 0);
    s->store[1] = case_store_steps(1, tracks1, ARRAY_LEN(tracks1), rank1, ARRAY_LEN(rank1), steps1,
                                   steps ? ARRAY_LEN(steps1) : 0);
    s->tl[0] = case_timeline(s->store[0], 0);
    s->tl[1] = case_timeline(s->store[1], 1);
    struct lineup_part parts[2] = {
        { .tl = s->tl[0], .store = s->store[0], .key = 4, .rank = 0, .label = "rank 0" },
        { .tl = s->tl[1], .store = s->store[1], .key = 9, .rank = 1, .label = "rank 1" },
    };
    assert_int_equal(lineup_new(&s->l, parts, 2, 0, &e), OK);
    /* No clock is known: the first instants lie on each other. */
    assert_false(lineup_part(s->l, 1)->by_clock);
    assert_int_equal(lineup_shift(s->l, 1), 100 - 1050);
    shift(s, 0);
}

static void scene_close(struct scene *s)
{
    lineup_free(s->l);
    for (int i = 0; i < 2; i++) {
        timeline_close(s->tl[i]);
        store_close(s->store[i]);
    }
}

/* Number of the track of this name in a part. */
static size_t track_of(const struct scene *s, size_t part, const char *name)
{
    for (size_t i = 0; i < lineup_n_tracks(s->l); i++)
        if (lineup_part_of(s->l, i) == part && str_eq(lineup_track(s->l, i)->name, str_of(name)))
            return i;
    fail_msg("no track %s", name);
    return 0;
}

static void lineup_answers_are_moved(void **state)
{
    static const int64_t shifts[] = { 0, -1000, 37, 5000000000 };
    struct scene s;
    struct err e = ERR_INIT;
    (void)state;
    scene_open(&s, false);
    size_t track = track_of(&s, 1, "Stream 3"), local = lineup_local(s.l, track);
    assert_int_equal(lineup_global(s.l, 1, local), track);
    for (size_t k = 0; k < ARRAY_LEN(shifts); k++) {
        int64_t by = shifts[k], t0, t1;
        struct tl_event a[16], b[16], x, y;
        struct tl_area p, q;
        struct tl_gap g, h;
        size_t n, m;
        bool more;
        shift(&s, by);
        lineup_track_span(s.l, track, &t0, &t1);
        assert_int_equal(t0, 1050 + by);
        assert_int_equal(t1, 1265 + by);
        assert_int_equal(lineup_axis(s.l, 1, 1234), 1234 + by);
        assert_int_equal(lineup_stored(s.l, 1, 1234 + by), 1234);
        assert_int_equal(lineup_events(s.l, track, 1110 + by, 1140 + by, a, 16, &n, &more, &e), OK);
        assert_int_equal(timeline_events(s.tl[1], local, 1110, 1140, b, 16, &m, &more, &e), OK);
        assert_int_equal(n, 2);
        assert_int_equal(m, 2);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(a[i].ts_ns, b[i].ts_ns + by);
            assert_int_equal(a[i].track, track);
            assert_int_equal(a[i].seq, b[i].seq);
        }
        assert_int_equal(lineup_at(s.l, track, 1135 + by, 1, &x, &e), 1);
        assert_int_equal(x.ts_ns, 1130 + by);
        assert_int_equal(lineup_step(s.l, track, x.ts_ns, x.seq, 1, x.name_id, &y, &e), 0);
        assert_int_equal(lineup_step(s.l, track, x.ts_ns, x.seq, 1, 0, &y, &e), 1);
        assert_int_equal(y.ts_ns, 1150 + by);
        assert_int_equal(lineup_area(s.l, track, 1110 + by, 1160 + by, &p, &e), OK);
        assert_int_equal(timeline_area(s.tl[1], local, 1110, 1160, &q, &e), OK);
        assert_int_equal(p.busy_ns, q.busy_ns);
        assert_int_equal(p.events, q.events);
        assert_int_equal(p.longest_gap_at, q.longest_gap_at + by);
        assert_int_equal(lineup_gaps(s.l, track, 1050 + by, 1265 + by, &g, 1, &n, &e), OK);
        assert_int_equal(timeline_gaps(s.tl[1], local, 1050, 1265, &h, 1, &n, &e), OK);
        assert_int_equal(g.from_ns, h.from_ns + by);
        assert_int_equal(g.len_ns, h.len_ns);
    }
    scene_close(&s);
}

/* Offsets and times at the end of the number line do not run over it. */
static void lineup_ends_of_time_stay(void **state)
{
    struct scene s;
    (void)state;
    scene_open(&s, false);
    assert_int_equal(lineup_axis(s.l, 0, INT64_MAX), INT64_MAX);
    assert_int_equal(lineup_stored(s.l, 0, INT64_MIN), INT64_MIN);
    lineup_set_offset(s.l, 1, INT64_MAX - 10);
    assert_int_equal(lineup_axis(s.l, 1, 2000), INT64_MAX);
    lineup_set_offset(s.l, 1, INT64_MIN);
    assert_int_equal(lineup_axis(s.l, 1, -100), INT64_MIN);
    assert_int_equal(lineup_stored(s.l, 1, 100), INT64_MAX);
    scene_close(&s);
}

/* The event of rank 0 that begins at ts on a track has its counterpart in rank 1 at want (0: none). */
static void expect_counterpart(struct scene *s, const char *track, int64_t ts, int64_t want)
{
    struct err e = ERR_INIT;
    struct tl_event ev, other;
    assert_int_equal(lineup_at(s->l, track_of(s, 0, track), ts, 0, &ev, &e), 1);
    assert_int_equal(ev.ts_ns, ts);
    int rc = lineup_counterpart(s->l, &ev, 1, &other, &e);
    assert_int_equal(rc, want != 0);
    if (!want)
        return;
    assert_int_equal(other.ts_ns, want);
    assert_int_equal(other.track, track_of(s, 1, track));
}

static void counterpart_is_in_the_same_step(void **state)
{
    struct scene s;
    (void)state;
    scene_open(&s, true);
    expect_counterpart(&s, "Stream 3", 100, 1100);
    expect_counterpart(&s, "Stream 3", 150, 1150);
    expect_counterpart(&s, "Stream 3", 200, 1200);
    expect_counterpart(&s, "Stream 3", 250, 1255);
    expect_counterpart(&s, "Stream 3", 130, 1130);
    expect_counterpart(&s, "Stream 3", 230, 0); /* rank 1 has no Relu in step 8 */
    expect_counterpart(&s, "Stream 12", 110, 1110);
    expect_counterpart(&s, "Stream 12", 210, 0);
    shift(&s, -1000);
    expect_counterpart(&s, "Stream 3", 150, 150);
    scene_close(&s);
}

static void counterpart_without_steps_is_counted(void **state)
{
    struct scene s;
    (void)state;
    scene_open(&s, false);
    expect_counterpart(&s, "Stream 3", 100, 1050);
    expect_counterpart(&s, "Stream 3", 200, 1150);
    expect_counterpart(&s, "Stream 3", 130, 1130);
    scene_close(&s);
}

/* Two tracks that look alike: each event stands for itself, not for its namesake on the other one. */
static void counterpart_in_its_own_part_is_itself(void **state)
{
    static const struct case_track alike[] = { { TK_STREAM, "NPU", "Stream" },
                                               { TK_STREAM, "NPU", "Stream" } };
    static const struct case_event evs[] = { { 0, 10, 5, "Conv2D" }, { 1, 40, 5, "Conv2D" } };
    struct err e = ERR_INIT;
    struct lineup *l;
    (void)state;
    struct store *st = case_store(0, alike, 2, evs, 2);
    struct timeline *tl = case_timeline(st, 0);
    const struct lineup_part part = { .tl = tl, .store = st, .label = "rank 0" };
    assert_int_equal(lineup_new(&l, &part, 1, 0, &e), OK);
    for (size_t track = 0; track < 2; track++) {
        struct tl_event ev, other;
        assert_int_equal(lineup_step(l, track, INT64_MIN, -1, 1, 0, &ev, &e), 1);
        assert_int_equal(lineup_counterpart(l, &ev, 0, &other, &e), 1);
        assert_int_equal(other.track, track);
        assert_int_equal(other.seq, ev.seq);
        assert_int_equal(other.ts_ns, ev.ts_ns);
    }
    lineup_free(l);
    timeline_close(tl);
    store_close(st);
}

static void steps_are_found_in_time(void **state)
{
    struct scene s;
    struct err e = ERR_INIT;
    struct step_span x;
    (void)state;
    scene_open(&s, true);
    shift(&s, 50);
    assert_int_equal(lineup_step_at(s.l, 0, 199, &x, &e), 1);
    assert_int_equal(x.step, 7);
    assert_int_equal(lineup_step_at(s.l, 0, 200, &x, &e), 1);
    assert_int_equal(x.step, 8);
    assert_int_equal(lineup_step_at(s.l, 0, 99, &x, &e), 0);
    assert_int_equal(lineup_step_at(s.l, 0, 300, &x, &e), 0);
    assert_int_equal(lineup_step_at(s.l, 1, 1150, &x, &e), 1);
    assert_int_equal(x.step, 7);
    assert_int_equal(x.from_ns, 1150);
    assert_int_equal(lineup_step_numbered(s.l, 1, 8, &x, &e), 1);
    assert_int_equal(x.from_ns, 1250);
    assert_int_equal(x.to_ns, 1350);
    assert_int_equal(lineup_step_numbered(s.l, 1, 9, &x, &e), 0);
    assert_int_equal(lineup_step_before(s.l, 1, 1250, &x, &e), 1);
    assert_int_equal(x.step, 7);
    assert_int_equal(lineup_step_before(s.l, 1, 1150, &x, &e), 0);
    struct lineup_gap d;
    assert_true(lineup_distance(s.l, 1, &d));
    assert_true(d.by_step);
    assert_int_equal(d.ns, 1050);
    assert_int_equal(d.most_ns, 100);
    assert_int_equal(d.step_ns, 100);
    scene_close(&s);
}

/* The length of a run is not that of a step. */
static void distance_without_steps_is_of_events(void **state)
{
    struct scene s;
    struct lineup_gap d;
    (void)state;
    scene_open(&s, false);
    assert_true(lineup_distance(s.l, 1, &d));
    assert_false(d.by_step);
    assert_int_equal(d.ns, 950);
    assert_int_equal(d.most_ns, 165);
    assert_int_equal(d.step_ns, 0);
    scene_close(&s);
}

static struct diff diff_of(struct scene *s, size_t part, const char *track, double share)
{
    struct err e = ERR_INIT;
    struct step_span a, b;
    struct diff d;
    assert_int_equal(lineup_step_numbered(s->l, part, 7, &a, &e), 1);
    assert_int_equal(lineup_step_numbered(s->l, part, 8, &b, &e), 1);
    assert_int_equal(lineup_diff(s->l, track_of(s, part, track), &a, &b, share, 0, &d, &e), OK);
    return d;
}

static void diff_is_the_first_one(void **state)
{
    struct scene s;
    (void)state;
    scene_open(&s, true);
    struct diff d = diff_of(&s, 0, "Stream 3", 0.2); /* 20 and 21 are not 20% apart, 10 and 15 are */
    assert_int_equal(d.kind, DIFF_TIME);
    assert_int_equal(d.at, 2);
    assert_int_equal(d.a.ts_ns, 150);
    assert_int_equal(d.b.ts_ns, 250);
    d = diff_of(&s, 0, "Stream 3", 0.04);
    assert_int_equal(d.kind, DIFF_TIME);
    assert_int_equal(d.at, 0);
    d = diff_of(&s, 0, "Stream 3", 0.5); /* "more than" */
    assert_int_equal(d.kind, DIFF_NONE);
    assert_int_equal(d.at, 3);
    d = diff_of(&s, 0, "Stream 12", 0.2);
    assert_int_equal(d.kind, DIFF_NONE);
    assert_int_equal(d.at, 1);
    shift(&s, 3);
    d = diff_of(&s, 1, "Stream 3", 0.2);
    assert_int_equal(d.kind, DIFF_NAME);
    assert_int_equal(d.at, 1);
    assert_int_equal(d.a.ts_ns, 1133);
    assert_int_equal(d.b.ts_ns, 1258);
    d = diff_of(&s, 1, "Stream 12", 0.2);
    assert_int_equal(d.kind, DIFF_MISSING);
    assert_int_equal(d.at, 0);
    assert_int_equal(d.a.ts_ns, 1113);
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lineup_answers_are_moved),
        cmocka_unit_test(lineup_ends_of_time_stay),
        cmocka_unit_test(counterpart_is_in_the_same_step),
        cmocka_unit_test(counterpart_without_steps_is_counted),
        cmocka_unit_test(steps_are_found_in_time),
        cmocka_unit_test(distance_without_steps_is_of_events),
        cmocka_unit_test(counterpart_in_its_own_part_is_itself),
        cmocka_unit_test(diff_is_the_first_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
