/* SPDX-License-Identifier: Apache-2.0 */
/* A data pipeline drawn as what it is. */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ui/screen_text.h"
#include "ui/pane/data_flow.h"

static struct pipeline_stage stage(const char *type, int64_t id, size_t into, double use)
{
    struct pipeline_stage s = { .id = id, .workers = 8, .use = use, .empty = (double)NAN, .cpu = 0.5 };

    s.into = into;
    str_copy(str_of(type), s.type, sizeof s.type);
    return s;
}

/* What n stages make in w cells and h rows; nothing of it is outside of them. Returns the rows. */
static int draws(const struct pipeline_stage *v, size_t n, int w, int h, const char *want)
{
    struct canvas *c = canvas_make(20, 132, true);
    int rows = data_draw_flow(v, n, c, (struct rect){ 0, 0, h, w });

    assert_true(rows <= h);
    for (int y = 0; y < 20; y++)
        for (int x = 0; x < 132; x++)
            if (y >= rows || x >= w)
                assert_string_equal(canvas_cell(c, y, x, NULL), " ");
    if (want)
        canvas_shows(c, want);
    canvas_free(c);
    return rows;
}

static void flow_shows_the_fill_of_each_queue(void **state)
{
    (void)state;
    struct pipeline_stage v[] = { stage("DeviceQueue", 0, SIZE_MAX, (double)NAN),
                                  stage("EpochCtrl", 1, 0, (double)NAN), stage("Batch", 2, 1, 0),
                                  stage("ImageFolder", 3, 2, 1) };
    v[2].limits = true;
    static const char want[] =
        "ImageFolder #######################> Batch     -----------------------> EpochCtrl --> DeviceQueue\n"
        "8 x 50.0%          100% full         8 x 50.0%        0.0% full         8 x 50.0%     8 x 50.0%";
    assert_int_equal(draws(v, ARRAY_LEN(v), 130, 8, want), 2);
}

/* What has no room goes on below; with less room still what is whole stays. */
static void flow_goes_on_in_the_next_line(void **state)
{
    (void)state;
    struct pipeline_stage v[] = { stage("DeviceQueue", 0, SIZE_MAX, (double)NAN), stage("Batch", 1, 0, 0.5),
                                  stage("ImageFolder", 2, 1, 0.5) };
    static const char want[] = "ImageFolder ###--> Batch\n"
                               "8 x 50.0%   50.0%  8 x 50.0%\n"
                               "###--> DeviceQueue\n"
                               "50.0%  8 x 50.0%";
    assert_int_equal(draws(v, ARRAY_LEN(v), 32, 8, want), 4);
    assert_int_equal(draws(v, ARRAY_LEN(v), 32, 3, NULL), 2);
    for (int w = 0; w < 130; w++)
        for (int h = 0; h < 6; h++)
            (void)draws(v, ARRAY_LEN(v), w, h, NULL);
}

/* Two sources: the second way ends where it meets the first; parts of one type have their numbers. */
static void flow_has_a_line_for_each_source(void **state)
{
    (void)state;
    struct pipeline_stage v[] = { stage("Batch", 0, SIZE_MAX, (double)NAN), stage("Zip", 1, 0, 0.5),
                                  stage("Reader", 2, 1, 0.25), stage("Reader", 3, 1, 0.75) };
    static const char want[] =
        "Reader(3) #################------> Zip       ############-----------> Batch\n"
        "8 x 50.0%        75.0% full        8 x 50.0%        50.0% full        8 x 50.0%\n"
        "Reader(2) ######-----------------> Zip\n"
        "8 x 50.0%        25.0% full        8 x 50.0%";
    assert_int_equal(draws(v, ARRAY_LEN(v), 100, 8, want), 4);
}

/* Parents are the file's: they may go in a circle, or there is one part alone. */
static void flow_ends_where_no_way_leads(void **state)
{
    (void)state;
    struct pipeline_stage circle[] = { stage("A", 0, 1, 0.5), stage("B", 1, 0, 0.5), stage("C", 2, 0, 0.5) };
    assert_int_equal(draws(circle, 2, 100, 8, NULL), 0);
    assert_true(draws(circle, 3, 100, 8, NULL) > 0);
    assert_int_equal(draws(circle, 1, 100, 8, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flow_shows_the_fill_of_each_queue),
        cmocka_unit_test(flow_goes_on_in_the_next_line),
        cmocka_unit_test(flow_has_a_line_for_each_source),
        cmocka_unit_test(flow_ends_where_no_way_leads),
    };

    return cmocka_run_group_tests_name("data_flow", tests, NULL, NULL);
}
