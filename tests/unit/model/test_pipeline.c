/* SPDX-License-Identifier: Apache-2.0 */
/* Which part of a data pipeline limits it, of trees of parts with and without queues. */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/pipeline.h"
#include "store/fill/fill.h"

struct op {
    const char *type;
    int id, parent; /* -1: none */
    double use;     /* NAN: it has no queue */
};

/* empty: share of the time, of all queues; prep: that the device waits, NAN not known. */
static void says_waiting(const struct op *op, size_t n, double empty, double prep, const char *want)
{
    struct err e = ERR_INIT;
    struct fill *f = NULL;
    struct view_part part = { .rank = 0 };
    struct buf out;

    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = NULL }, &e), OK);
    assert_int_equal(fill_begin(f, 1, &e), OK);
    for (size_t i = 0; i < n; i++) {
        struct val v[N_COLS(pipeline_op)] = {
            [COL(pipeline_op, rank)] = val_int(0),
            [COL(pipeline_op, op)] = val_int(op[i].id),
            [COL(pipeline_op, type_id)] = val_int(sink_intern(fill_sink(f), str_of(op[i].type))),
            [COL(pipeline_op, parent)] = op[i].parent < 0 ? val_null() : val_int(op[i].parent),
            [COL(pipeline_op, queue_use)] = isnan(op[i].use) ? val_null() : val_real(op[i].use),
            [COL(pipeline_op, queue_empty_share)] = isnan(op[i].use) ? val_null() : val_real(empty),
        };
        assert_int_equal(sink_row(fill_sink(f), T_pipeline_op, v, N_COLS(pipeline_op), NULL, &e), OK);
    }
    assert_int_equal(fill_end(f, true, &e), OK);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_take_store(f, &part.store, &e), OK);
    buf_init(&out, 4096);
    assert_int_equal(pipeline_verdict(&out, &part, prep, &e), OK);
    assert_string_equal(out.p ? out.p : "", want);
    buf_done(&out);
    store_close(part.store);
}

static void says(const struct op *op, size_t n, const char *want)
{
    says_waiting(op, n, 0, (double)NAN, want);
}

/* A part limits where the device waits; a queue that is never empty is no proof. */
static void pipeline_limits_nothing_where_nobody_waits(void **state)
{
    (void)state;
    const struct op v[] = { { "DeviceQueue", 0, -1, (double)NAN },
                            { "Batch", 1, 0, 0.05 },
                            { "Map", 2, 1, 0.1 },
                            { "ImageFolder", 3, 2, 0.9 } };
    const struct op full[] = { { "DeviceQueue", 0, -1, (double)NAN },
                               { "Batch", 1, 0, 0.9 },
                               { "ImageFolder", 2, 1, 0.9 } };
    says_waiting(v, ARRAY_LEN(v), 0.061, 0.2,
                 "Map(id=2) limits the pipeline: its queue is 10.0% full, the one before it 90.0%; "
                 "Batch(id=1) finds the queue of Map(id=2) empty 6.1% of the time");
    says_waiting(
        v, ARRAY_LEN(v), 0.061, 0.043,
        "the device waits 4.3% of a step: data is no limit; Map(id=2) is the slowest part: its queue "
        "is 10.0% full, the one before it 90.0%");
    says_waiting(
        full, ARRAY_LEN(full), 0, 0.02,
        "the device waits 2.0% of a step: data is no limit; nothing stands out: Batch(id=1) keeps its "
        "queue 90.0% full");
    says_waiting(v, 1, 0, 0.02, "");
}

static void pipeline_part_that_reads_or_takes_limits(void **state)
{
    (void)state;
    const struct op maps[] = { { "DeviceQueue", 0, -1, (double)NAN },
                               { "Batch", 1, 0, 0.05 },
                               { "Map", 2, 1, 0.1 },
                               { "ImageFolder", 3, 2, 0.9 } };
    const struct op reads[] = { { "DeviceQueue", 0, -1, (double)NAN },
                                { "Batch", 1, 0, 0.05 },
                                { "ImageFolder", 2, 1, 0.1 } };
    says(maps, ARRAY_LEN(maps),
         "Map(id=2) limits the pipeline: its queue is 10.0% full, the one before it 90.0%");
    says(reads, ARRAY_LEN(reads),
         "ImageFolder(id=2) limits the pipeline: its queue is 10.0% full, it reads from storage");
}

/* The queue before a part is that below the ones without a queue. */
static void pipeline_parts_without_queue_are_passed(void **state)
{
    (void)state;
    const struct op one[] = { { "DeviceQueue", 0, -1, (double)NAN },
                              { "Batch", 1, 0, 0.05 },
                              { "Repeat", 2, 1, (double)NAN },
                              { "Map", 3, 2, 0.1 },
                              { "ImageFolder", 4, 3, 0.9 } };
    const struct op two[] = { { "DeviceQueue", 0, -1, (double)NAN },
                              { "Batch", 1, 0, 0.05 },
                              { "Skip", 2, 1, (double)NAN },
                              { "Take", 3, 2, (double)NAN },
                              { "ImageFolder", 4, 3, 0.9 } };
    const struct op reads[] = { { "DeviceQueue", 0, -1, (double)NAN },
                                { "Batch", 1, 0, 0.05 },
                                { "Generator", 2, 1, (double)NAN } };
    says(one, ARRAY_LEN(one),
         "Map(id=3) limits the pipeline: its queue is 10.0% full, the one before it 90.0%");
    says(two, ARRAY_LEN(two),
         "Batch(id=1) limits the pipeline: its queue is 5.0% full, the one before it 90.0%");
    says(reads, ARRAY_LEN(reads),
         "Batch(id=1) limits the pipeline: its queue is 5.0% full, it reads from storage");
}

static void pipeline_parents_in_a_circle_end(void **state)
{
    (void)state;
    const struct op circle[] = { { "Repeat", 0, 1, (double)NAN },
                                 { "Skip", 1, 0, (double)NAN },
                                 { "Map", 2, 1, 0.1 },
                                 { "Take", 3, 3, (double)NAN } };
    says(circle, ARRAY_LEN(circle),
         "Map(id=2) limits the pipeline: its queue is 10.0% full, it reads from storage");
    says(circle, 2, "");
}

struct queue {
    const char *name;
    int size;
};

/* A pipeline whose Map limits, and these samples of its queues. */
static struct pipeline_state judged(const struct queue *queue, size_t n)
{
    struct err e = ERR_INIT;
    struct fill *f = NULL;
    struct view_part part = { .rank = 0 };
    struct pipeline_state k;

    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = NULL }, &e), OK);
    assert_int_equal(fill_begin(f, 1, &e), OK);
    struct val op[N_COLS(pipeline_op)] = { [COL(pipeline_op, rank)] = val_int(0),
                                           [COL(pipeline_op, op)] = val_int(3),
                                           [COL(pipeline_op, type_id)] =
                                               val_int(sink_intern(fill_sink(f), STR("Map"))),
                                           [COL(pipeline_op, queue_use)] = val_real(0.1) };
    assert_int_equal(sink_row(fill_sink(f), T_pipeline_op, op, N_COLS(pipeline_op), NULL, &e), OK);
    for (size_t i = 0; i < n; i++) {
        struct val v[N_COLS(queue_sample)] = { [COL(queue_sample, rank)] = val_int(0),
                                               [COL(queue_sample, queue)] = val_text(str_of(queue[i].name)),
                                               [COL(queue_sample, size)] = val_int(queue[i].size) };
        assert_int_equal(sink_row(fill_sink(f), T_queue_sample, v, N_COLS(queue_sample), NULL, &e), OK);
    }
    assert_int_equal(fill_end(f, true, &e), OK);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_take_store(f, &part.store, &e), OK);
    assert_int_equal(pipeline_judge(&k, &part, &e), OK);
    store_close(part.store);
    assert_string_equal(k.limit, "Map(id=3)");
    return k;
}

/* DAT-01 to DAT-03: the host's queue first, then the device's; those between parts do not count. */
static void pipeline_queues_tell_what_is_waited_for(void **state)
{
    (void)state;
    const struct queue slow[] = { { "host", 0 },   { "host", 4 },        { "host", 0 },
                                  { "device", 0 }, { "connector 2", 0 }, { "connector 2", 0 } };
    const struct queue sending[] = { { "host", 3 },   { "host", 4 },   { "host", 0 },       { "host", 1 },
                                     { "device", 0 }, { "device", 2 }, { "connector 2", 0 } };
    const struct queue ready[] = { { "host", 3 },
                                   { "GetNext_dequeue_wait", 2 },
                                   { "GetNext_dequeue_wait", 1 } };
    const struct queue device[] = { { "device", 0 }, { "connector 2", 0 } };

    struct pipeline_state k = judged(slow, sizeof slow / sizeof *slow);
    assert_int_equal(k.wait, PIPELINE_SLOW);
    assert_true(k.empty == 2 && k.batches == 3);
    k = judged(sending, sizeof sending / sizeof *sending); /* 1 of 4 is not more than 30 % */
    assert_int_equal(k.wait, PIPELINE_SENDING);
    assert_true(k.empty == 1 && k.batches == 2);
    k = judged(ready, sizeof ready / sizeof *ready);
    assert_int_equal(k.wait, PIPELINE_READY);
    assert_true(k.empty == 0 && k.batches == 2);
    k = judged(device, sizeof device / sizeof *device); /* says how it was, not why */
    assert_int_equal(k.wait, PIPELINE_UNKNOWN);
    assert_true(k.empty == 1 && k.batches == 1);
    k = judged(NULL, 0);
    assert_true(k.wait == PIPELINE_UNKNOWN && k.batches == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pipeline_limits_nothing_where_nobody_waits),
        cmocka_unit_test(pipeline_part_that_reads_or_takes_limits),
        cmocka_unit_test(pipeline_parts_without_queue_are_passed),
        cmocka_unit_test(pipeline_parents_in_a_circle_end),
        cmocka_unit_test(pipeline_queues_tell_what_is_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
