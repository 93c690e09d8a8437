/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chip 0, 310: its ts_track says all there is of tasks, in records of several sizes
 * (doc/formats/prof.md#ts_track, doc/formats/msprof.md#device-tasks).
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/buf.h"
#include "msprof/msprof.h"
#include "parsers/prof/device/device.h"
#include "parsers/prof/device/device_log.h"
#include "parsers/prof/device/device_mini.h"
#include "parsers/prof/device/pmu.h"
#include "parsers/prof/host/host.h"
#include "tests/unit/parsers/prof/prof_case.h"

#define TS_TRACK PROF_NAME "/device_0/data/ts_track.data.0.slice_0"
#define STEP_B   40
#define RUNS     MINI_RUNS
#define DONE     MINI_DONE

enum { TS_LINE_RECORD(FIELD_AT) TS_COUNT_RECORD(FIELD_AT) TS_TRACK_RECORD2(FIELD_AT) };

static struct tree tree;

static int set_up(void **state)
{
    (void)state;
    tree_new(&tree);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tree_done(&tree);
    return 0;
}

/* ---- records ---- */

static unsigned char *put(struct buf *b, unsigned type, size_t n)
{
    static const unsigned char zero[TS_COUNT_B];

    buf_add(b, (struct str){ (const char *)zero, n });
    assert_false(buf_failed(b));
    unsigned char *r = (unsigned char *)b->p + b->n - n;
    r[TL_TYPE] = (unsigned char)type;
    put_le(r + TL_LENGTH, n, 2);
    return r;
}

static void line(struct buf *b, unsigned kind, unsigned state, unsigned stream, unsigned task, uint64_t time)
{
    unsigned char *r = put(b, MINI_LINE, TS_LINE_B);

    put_le(r + TL_TASK_TYPE, kind, 2);
    put_le(r + TL_STATE, state, 2);
    put_le(r + TL_STREAM, stream, 2);
    put_le(r + TL_TASK, task, 2);
    put_le(r + TL_TICKS, time, 8);
}

static void task(struct buf *b, unsigned stream, unsigned id, uint64_t start)
{
    line(b, 0, RUNS, stream, id, start);
    line(b, 0, DONE, stream, id, start + 10);
}

static void counts(struct buf *b, unsigned stream, unsigned id, uint64_t cycles, bool overflow)
{
    unsigned char *r = put(b, MINI_COUNTS, TS_COUNT_B);

    put_le(r + TC_STREAM, stream, 2);
    put_le(r + TC_TASK, id, 2);
    put_le(r + TC_OVERFLOW, overflow, 2);
    put_le(r + TC_CYCLES, cycles, 8);
    for (unsigned i = 0; i < 8; i++)
        put_le(r + TC_COUNTER + 8 * i, 1000 + i, 8);
}

static void copy(struct buf *b, unsigned stream, unsigned id, unsigned state, uint64_t time)
{
    unsigned char *r = put(b, MINI_COPY, STEP_B);

    put_le(r + TT_STREAM, stream, 2);
    put_le(r + TT_TASK, id, 2);
    r[TT_COPY_STATE] = (unsigned char)state;
    put_le(r + TT_TICKS, time, 8);
}

static void mark(struct buf *b, unsigned tag, unsigned stream, unsigned id, uint64_t time)
{
    unsigned char *r = put(b, MINI_STEP, STEP_B);

    put_le(r + TT_TICKS, time, 8);
    put_le(r + TT_INDEX, 3, 8);
    put_le(r + TT_MODEL, 9, 8);
    put_le(r + TT_MARK_STREAM, stream, 2);
    put_le(r + TT_MARK_TASK, id, 2);
    put_le(r + TT_TAG, tag, 2);
}

/* ---- a device ---- */

struct device_case {
    struct prof_case c;
    struct prof_device d;
};

static const struct prof_host no_host;

/* b: the file, which is freed. */
static void read_device(struct device_case *x, struct buf *b)
{
    struct err e = ERR_INIT;

    prof_info_files(&tree, 0);
    tree_file_n(&tree, TS_TRACK, b->p, b->n);
    buf_done(b);
    assert_int_equal(prof_case_open(&x->c, &tree, &e), OK);
    assert_int_equal(prof_device_read(&x->d, x->c.p, x->c.p->device[0], &no_host, &e), OK);
}

static void close_device(struct device_case *x)
{
    prof_device_done(&x->d);
    prof_case_close(&x->c);
}

static uint64_t notes(const struct device_case *x, enum note_code code)
{
    return sink_count_get(x->c.notes)->notes[code];
}

/* "stream.task start-end word" of each task. */
static void check_tasks(const struct device_case *x, const char *want)
{
    char text[1000] = "";

    for (size_t i = 0; i < x->d.n_tasks; i++) {
        const struct prof_task *t = &x->d.task[i];
        const char *word = prof_device_word(x->c.p, t);
        size_t n = strlen(text);
        snprintf(text + n, sizeof text - n, "%s%u.%u %d-%d %s", n ? "\n" : "", t->stream, t->task,
                 (int)t->start, (int)t->end, word ? word : "-");
    }
    assert_string_equal(text, want);
}

/* ---- tests ---- */

static void tasks_run_until_they_are_done(void **state)
{
    (void)state;
    struct buf b = { .max = 1 << 20 };
    struct device_case x;

    line(&b, 0, 1, 7, 1, 4990); /* waits */
    line(&b, 0, RUNS, 7, 1, 5000);
    line(&b, 5, RUNS, 8, 1, 5003);
    line(&b, 0, 4, 7, 1, 5005);
    line(&b, 0, DONE, 7, 1, 5010);
    line(&b, 5, DONE, 8, 1, 5020);
    line(&b, 300, RUNS, 8, 2, 5030);
    line(&b, 300, DONE, 8, 2, 5040);
    /* the id again */
    line(&b, 1, RUNS, 7, 1, 5050);
    line(&b, 1, DONE, 7, 1, 5060);
    line(&b, 0, RUNS, 7, 2, 5070); /* never done */
    line(&b, 0, DONE, 7, 3, 5080); /* never began */
    read_device(&x, &b);
    check_tasks(&x, "7.1 5000-5010 kernel AI core task\n8.1 5003-5020 memory copy task\n"
                    "8.2 5030-5040 -\n7.1 5050-5060 kernel AI cpu task");
    assert_int_equal(notes(&x, NOTE_LOST_RECORDS), 2);
    assert_int_equal(notes(&x, NOTE_NEWER), 0);
    close_device(&x);
}

static void marks_and_copies_are_next_to_them(void **state)
{
    (void)state;
    struct buf b = { .max = 1 << 20 };
    struct err e = ERR_INIT;
    struct prof_device marks = { 0 };
    struct device_case x;

    task(&b, 7, 1, 5000);
    mark(&b, 4, 7, 2, 5100);
    for (unsigned i = 0; i < 3; i++)
        copy(&b, 8, 4, i, 5200 + 10 * i);
    put(&b, 6, 48); /* passed over */
    task(&b, 7, 3, 5300);
    read_device(&x, &b);
    check_tasks(&x, "7.1 5000-5010 kernel AI core task\n7.3 5300-5310 kernel AI core task");
    assert_int_equal(x.d.n_marks, 1);
    assert_int_equal(x.d.mark[0].counter, 5100);
    assert_int_equal(x.d.mark[0].model, 9);
    assert_int_equal(x.d.mark[0].index, 3);
    assert_int_equal(x.d.mark[0].stream, 7);
    assert_int_equal(x.d.mark[0].task, 2);
    assert_int_equal(x.d.mark[0].tag, 4);
    assert_int_equal(x.d.n_copies, 1);
    assert_int_equal(sink_count_get(x.c.notes)->note_calls, 0);
    /* alone */
    marks.f = x.c.p->device[0];
    assert_int_equal(prof_device_marks(&marks, x.c.p, &e), OK);
    assert_int_equal(marks.n_marks, 1);
    assert_int_equal(marks.n_tasks + marks.n_copies, 0);
    prof_device_done(&marks);
    close_device(&x);
}

static void counters_follow_the_order_of_tasks(void **state)
{
    (void)state;
    struct buf b = { .max = 1 << 20 };
    struct err e = ERR_INIT;
    struct device_case x;
    struct prof_counts n;
    struct prof_pmu *m;

    task(&b, 7, 1, 5000);
    counts(&b, 7, 1, 111, false);
    line(&b, 5, RUNS, 7, 1, 5050); /* a copy has none */
    line(&b, 5, DONE, 7, 1, 5060);
    task(&b, 7, 1, 5100);
    counts(&b, 7, 1, 222, true);
    counts(&b, 7, 1, 333, false); /* of no task */
    counts(&b, 9, 9, 444, false);
    read_device(&x, &b);
    assert_int_equal(prof_pmu_read(&m, x.c.p, &x.d, &no_host, &e), OK);
    assert_int_equal(prof_pmu_n(m), 2);
    assert_true(prof_pmu_get(m, &x.d.task[0], false, &n));
    assert_int_equal(n.main, PROF_CUBE);
    assert_int_equal(n.cycles[PROF_CUBE], 111);
    assert_int_equal(n.v[PROF_CUBE][7], 1007);
    assert_false(n.overflow);
    assert_false(prof_pmu_get(m, &x.d.task[1], false, &n));
    assert_true(prof_pmu_get(m, &x.d.task[2], false, &n));
    assert_int_equal(n.cycles[PROF_CUBE], 222);
    assert_true(n.overflow);
    prof_pmu_free(m);
    close_device(&x);
}

static void damage_costs_its_records(void **state)
{
    (void)state;
    struct buf b = { .max = 1 << 20 };
    struct device_case x;

    for (unsigned i = 1; i <= 4; i++)
        task(&b, 7, i, 5000 + 100 * i);
    /* bytes that are none, with what looks like a record among them */
    put_le((unsigned char *)b.p + 2 * TS_LINE_B, 0xffff, 2);
    put_le((unsigned char *)b.p + 2 * TS_LINE_B + 9, 0x002003, 3);
    b.n -= 5; /* the last one is cut */
    read_device(&x, &b);
    check_tasks(&x, "7.1 5100-5110 kernel AI core task\n7.3 5300-5310 kernel AI core task");
    assert_int_equal(notes(&x, NOTE_BAD_ROW), 1);
    assert_int_equal(notes(&x, NOTE_TORN_RECORD), 1);
    assert_int_equal(notes(&x, NOTE_LOST_RECORDS), 2);
    close_device(&x);
}

/* ---- task_time.csv ---- */

#define STAMP "20260102030405"
#define HEADER                                                                                               \
    "Device_id,Time(%),Time(us),Count,Avg(us),Min(us),Max(us),Waiting(us),Running(us),"                      \
    "Pending(us),Type,API,Task ID,Op Name,Stream ID\n"

/* A tick is 20 ns. b is freed. */
static const char *task_times(struct buf *b)
{
    static char text[4096];
    char dir[600];
    const struct msprof_options o = { .what = MSPROF_SUMMARY, .dir = dir, .stamp = STAMP };
    struct emit_report *report;
    struct err e = ERR_INIT;
    struct prof_case c;

    prof_info_files(&tree, 0);
    tree_file_n(&tree, TS_TRACK, b->p, b->n);
    buf_done(b);
    snprintf(dir, sizeof dir, "%s", tree_path(&tree, "out"));
    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    assert_int_equal(emit_report_new(&report, &e), OK);
    assert_int_equal(msprof_export(c.job->units[0], STR(""), &o, report, &e), OK);
    emit_report_free(report);
    prof_case_close(&c);
    FILE *f = fopen(tree_path(&tree, "out/mindstudio_profiler_output/task_time_" STAMP ".csv"), "r");
    if (!f)
        return "";
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    return text;
}

static void put_lines(struct buf *b)
{
    line(b, 0, 1, 7, 1, 4000); /* waits, runs */
    line(b, 0, RUNS, 7, 1, 4100);
    line(b, 0, 7, 7, 1, 4150); /* a step in between */
    line(b, 0, DONE, 7, 1, 4300);
    line(b, 300, RUNS, 8, 2, 5000);
    line(b, 300, DONE, 8, 2, 5050);
    line(b, 1, 4, 9, 3, 6000); /* pending, it never ran */
    line(b, 1, DONE, 9, 3, 6100);
    line(b, 0, 1, 7, 1, 4400);
    line(b, 0, 4, 7, 1, 4450);
    line(b, 0, RUNS, 7, 1, 4500);
    line(b, 0, DONE, 7, 1, 4600);
}

static void tables_give_what_tasks_of_an_id_took(void **state)
{
    (void)state;
    struct buf b = { .max = 1 << 20 };

    put_lines(&b);
    assert_string_equal(task_times(&b),
                        HEADER "0,85.714,6.0,2,3.0,2.0,4.0,4.0,6.0,3.0,kernel AI core task,,1,N/A,7\n"
                               "0,14.286,1.0,1,1.0,1.0,1.0,0.0,1.0,0.0,unknown 300,,2,N/A,8\n"
                               "0,0.0,0.0,1,2.0,2.0,2.0,0.0,0.0,2.0,kernel AI cpu task,,3,N/A,9\n");
}

/* Copies make that all have their share of what is printed. */
static void tables_give_what_copies_took(void **state)
{
    (void)state;
    struct buf b = { .max = 1 << 20 };

    put_lines(&b);
    copy(&b, 8, 4, 0, 5200);
    copy(&b, 8, 4, 1, 5250);
    copy(&b, 8, 4, 2, 5300);
    assert_string_equal(task_times(&b),
                        HEADER "0,75.0,6.0,2,3.0,2.0,4.0,4.0,6.0,3.0,kernel AI core task,,1,N/A,7\n"
                               "0,12.5,1.0,1,1.0,1.0,1.0,0.0,1.0,0.0,unknown 300,,2,N/A,8\n"
                               "0,0.0,0.0,1,2.0,2.0,2.0,0.0,0.0,2.0,kernel AI cpu task,,3,N/A,9\n"
                               "0,12.5,1,1,1.0,1,1,1,1,N/A,other,MemcpyAsync,4,N/A,8\n");
}

static void tables_of_nothing_are_none(void **state)
{
    (void)state;
    struct buf b = { .max = 1 << 20 };

    line(&b, 0, RUNS, 7, 1, 5000); /* never done */
    assert_string_equal(task_times(&b), "");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(tasks_run_until_they_are_done, set_up, tear_down),
        cmocka_unit_test_setup_teardown(marks_and_copies_are_next_to_them, set_up, tear_down),
        cmocka_unit_test_setup_teardown(counters_follow_the_order_of_tasks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damage_costs_its_records, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tables_give_what_tasks_of_an_id_took, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tables_give_what_copies_took, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tables_of_nothing_are_none, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
