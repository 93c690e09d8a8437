/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the clock of a device is put that was lost (doc/formats/prof-quirks.md#lost-clocks): between what the
 * host issued and the end of the collection. Counters of both sides are ns here, the wall clock is that of
 * the host.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "parsers/prof/device/clock_mend.h"
#include "store/sink_count.h"

struct scene {
    struct prof p;
    struct prof_folder host, dev;
    struct prof_host h;
    struct prof_host_task issued[2];
    struct prof_task ran[2];
    struct prof_device d;
};

static struct sink_count *notes;

static int setup(void **state)
{
    struct err e = ERR_INIT;

    (void)state;
    return sink_count_new(&notes, &e);
}

static int teardown(void **state)
{
    (void)state;
    sink_count_free(notes);
    return 0;
}

/* Two tasks, issued at 1000 and 2000; the device says that they ran from 100 to 150 and from 1300 to 1400. */
static struct scene *begin(void)
{
    static struct scene s;

    s = (struct scene){ .host = { .host = true, .meta = { .has_host_clock = true } },
                        .dev = { .rel = STR("device_0/"),
                                 .meta = { .has_host_clock = true,
                                           .doubt = PROF_DOUBT_TIME,
                                           .time_err_ns = PROF_NO_BOUND,
                                           .near_ns = PROF_NO_BOUND } } };
    s.issued[0].stamp = 1000;
    s.issued[1].stamp = 2000;
    s.ran[0] = (struct prof_task){ .start = 100, .end = 150, .host = 0 };
    s.ran[1] = (struct prof_task){ .start = 1300, .end = 1400, .host = 1 };
    s.p.host = &s.host;
    s.p.in.notes = sink_count_sink(notes);
    s.h.task = s.issued;
    s.h.n_tasks = 2;
    s.d = (struct prof_device){ .f = &s.dev, .task = s.ran, .n_tasks = 2 };
    return &s;
}

static int64_t start_of(const struct scene *s, size_t i)
{
    return prof_device_ns(&s->dev, s->ran[i].start);
}

static void clock_mend_lets_no_task_start_before_it_was_issued(void **state)
{
    struct scene *s = begin();

    (void)state;
    prof_clock_mend(&s->p, &s->h, &s->d);
    assert_int_equal(start_of(s, 0), 1000); /* it began at once: the other one 200 ns after it was issued */
    assert_int_equal(start_of(s, 1), 2200);
    assert_int_equal(s->dev.meta.time_err_ns, PROF_NO_BOUND);
}

static void clock_mend_bounds_the_error_by_the_end_of_the_collection(void **state)
{
    struct scene *s = begin();

    (void)state;
    s->dev.meta.has_end = true;
    s->dev.meta.end_us = 3; /* the last task may end 700 ns later than it is put */
    prof_clock_mend(&s->p, &s->h, &s->d);
    assert_int_equal(start_of(s, 0), 1000);
    assert_int_equal(s->dev.meta.time_err_ns, 700);
}

static void clock_mend_keeps_a_time_of_day_that_is_possible(void **state)
{
    struct scene *s = begin();

    (void)state;
    s->dev.meta.by_day = true;
    s->dev.meta.host_mono_ns = 1200; /* the first task at 1300, the last one to 2600 */
    s->dev.meta.has_end = true;
    s->dev.meta.end_us = 3;
    prof_clock_mend(&s->p, &s->h, &s->d);
    assert_int_equal(start_of(s, 0), 1300);
    assert_int_equal(s->dev.meta.time_err_ns, 400); /* 300 too late at most, 400 too early */
    s = begin();
    s->dev.meta.by_day = true; /* before the host issued it: not possible */
    prof_clock_mend(&s->p, &s->h, &s->d);
    assert_int_equal(start_of(s, 0), 1000);
}

static void clock_mend_keeps_within_the_bound_of_another_folder(void **state)
{
    struct scene *s = begin();

    (void)state;
    s->dev.meta.near_ns = 500;
    s->dev.meta.host_mono_ns =
        1000; /* the first task at 1100, and 100 too late at most, by what was issued */
    prof_clock_mend(&s->p, &s->h, &s->d);
    assert_int_equal(start_of(s, 0), 1100);
    assert_int_equal(s->dev.meta.time_err_ns, 500);
    s = begin();
    s->dev.meta.near_ns = 500;
    s->dev.meta.host_mono_ns = 800; /* the first task at 900: it was issued at 1000 */
    prof_clock_mend(&s->p, &s->h, &s->d);
    assert_int_equal(start_of(s, 0), 1000);
    assert_int_equal(s->dev.meta.time_err_ns, 400);
    s = begin();
    s->dev.meta.near_ns = 500;
    s->dev.meta.host_mono_ns = 100; /* 800 ns before what is possible: the counter began anew */
    prof_clock_mend(&s->p, &s->h, &s->d);
    assert_int_equal(start_of(s, 0), 1000);
    assert_int_equal(s->dev.meta.time_err_ns, PROF_NO_BOUND);
}

static void clock_mend_leaves_what_it_cannot_place(void **state)
{
    struct scene *s = begin();

    (void)state;
    s->dev.meta.doubt = 0; /* known */
    prof_clock_mend(&s->p, &s->h, &s->d);
    assert_int_equal(start_of(s, 0), 100);
    s = begin();
    s->dev.meta.doubt |= PROF_DOUBT_DURATION; /* nor the length of a tick */
    prof_clock_mend(&s->p, &s->h, &s->d);
    assert_int_equal(start_of(s, 0), 100);
    s = begin();
    s->ran[0].host = s->ran[1].host = PROF_NONE; /* no task of the host */
    prof_clock_mend(&s->p, &s->h, &s->d);
    assert_int_equal(start_of(s, 0), 100);
    s = begin();
    s->dev.meta.has_end = true; /* issued after the collection ended: the bounds exclude each other */
    s->dev.meta.end_us = 1;
    prof_clock_mend(&s->p, &s->h, &s->d);
    assert_int_equal(start_of(s, 0), 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clock_mend_lets_no_task_start_before_it_was_issued),
        cmocka_unit_test(clock_mend_bounds_the_error_by_the_end_of_the_collection),
        cmocka_unit_test(clock_mend_keeps_a_time_of_day_that_is_possible),
        cmocka_unit_test(clock_mend_keeps_within_the_bound_of_another_folder),
        cmocka_unit_test(clock_mend_leaves_what_it_cannot_place),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
