/* SPDX-License-Identifier: Apache-2.0 */
/*
 * More tracks and curves than a timeline has room for: the first stay, the others are told once, and none is
 * looked for one by one.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/limits.h"
#include "parsers/prof/rows/curves.h"
#include "parsers/registry.h"
#include "tests/unit/parsers/prof/prof_case.h"

static struct tree tree;
static struct prof_case c;
static struct group_ctx group;
static struct prof_rows rows;

static int set_up(void **state)
{
    struct err e = ERR_INIT;

    (void)state;
    tree_new(&tree);
    prof_info_files(&tree, 5);
    if (prof_case_open(&c, &tree, &e))
        return -1;
    group = (struct group_ctx){ .run = &c.job->units[0]->info, .out = sink_count_sink(c.notes) };
    rows = (struct prof_rows){ .g = &group, .m = { .p = c.p, .n_dev = 1 } };
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    prof_case_close(&c);
    tree_done(&tree);
    return 0;
}

static void tracks_beyond_the_limit_are_reported(void **state)
{
    struct prof_tracks t = {
        .r = &rows, .f = c.p->host, .kind = TK_HOST_THREAD, .process = "P", .what = "Thread"
    };
    struct err e = ERR_INIT;

    (void)state;
    for (uint32_t i = 0; i < LIM_TRACKS + 100; i++) {
        uint32_t track = prof_tracks_get(&t, i * 7919u, &e);
        assert_int_equal(track == SINK_NO_TRACK, i >= LIM_TRACKS);
    }
    uint32_t first = prof_tracks_get(&t, 0, &e), second = prof_tracks_get(&t, 7919, &e);
    assert_int_not_equal(first, second);
    assert_int_equal(prof_tracks_get(&t, 0, &e), first);
    assert_int_equal(prof_tracks_get(&t, LIM_TRACKS * 7919u, &e), SINK_NO_TRACK);
    assert_int_equal(prof_tracks_get(&t, 7919, &e), second);
    assert_int_equal(e.code, OK);
    prof_tracks_done(&t);
    const struct sink_counts *n = sink_count_get(c.notes);
    assert_int_equal(n->tracks, LIM_TRACKS);
    assert_int_equal(n->notes[NOTE_LIMIT], 1);
    assert_int_equal(n->note_calls, 1);
    assert_string_equal(n->first_note, "P: 101 events of further tracks than 65536: left out");
}

static void curves_beyond_the_limit_are_reported(void **state)
{
    static const struct prof_layer layer = { "CPU Usage", "%", PROF_HOST_CPU, 9 };
    struct prof_curves v = { .r = &rows, .f = c.p->host };
    struct err e = ERR_INIT;
    char name[24];

    (void)state;
    for (unsigned round = 0; round < 2; round++)
        for (unsigned i = 0; i < PROF_CURVES_MAX + 10; i++) {
            snprintf(name, sizeof name, "CPU %u", i);
            assert_int_equal(prof_curve_put(&v, &layer, name, prof_begin_ns(c.p->host) + round, 1, &e), OK);
        }
    prof_curves_done(&v);
    const struct sink_counts *n = sink_count_get(c.notes);
    assert_int_equal(n->tracks, PROF_CURVES_MAX);
    assert_int_equal(n->samples, 2 * PROF_CURVES_MAX);
    assert_int_equal(n->notes[NOTE_LIMIT], 1);
    assert_int_equal(n->note_calls, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(tracks_beyond_the_limit_are_reported, set_up, tear_down),
        cmocka_unit_test_setup_teardown(curves_beyond_the_limit_are_reported, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
