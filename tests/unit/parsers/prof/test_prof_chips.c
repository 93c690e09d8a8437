/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chips other than 910 and 910B (doc/formats/prof.md#files, #device-records,
 * doc/formats/msprof.md#device-tasks): their records, ids, task times and counters.
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
#include "parsers/prof/device/aicpu.h"
#include "parsers/prof/device/blocks.h"
#include "parsers/prof/device/metrics.h"
#include "tests/unit/parsers/prof/prof_case.h"

#define DATA     PROF_NAME "/device_0/data/"
#define HOST     PROF_NAME "/host/data/"
#define STARS    DATA "stars_soc.data.0.slice_0"
#define TS_TRACK DATA "ts_track.data.0.slice_0"
#define FFTS     DATA "ffts_profile.data.0.slice_0"
#define HWTS     DATA "hwts.data.0.slice_0"

enum {
    STARS6_RECORD(FIELD_AT) FFTS_RECORD(FIELD_AT) TS_TRACK_RECORD2(FIELD_AT) HWTS_RECORD2(FIELD_AT)
        TASK_TRACK_RECORD(FIELD_AT)
};

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

static unsigned char *put(struct buf *b, size_t n)
{
    static const unsigned char zero[128];

    buf_add(b, (struct str){ (const char *)zero, n });
    assert_false(buf_failed(b));
    return (unsigned char *)b->p + b->n - n;
}

static void write_file(const char *name, struct buf *b)
{
    tree_file_n(&tree, name, b->p, b->n);
    buf_done(b);
}

/* A record of 32 bytes. */
static unsigned char *stars6(struct buf *b, unsigned function, unsigned kind, uint32_t task, uint64_t time)
{
    unsigned char *r = put(b, STARS6_B);

    put_le(r + S6_FUNCTION, function | kind << 10, 2);
    put_le(r + S6_MARK, PROF_STARS_MARK, 2);
    put_le(r + S6_TASK, task, 4);
    put_le(r + S6_TICKS, time, 8);
    return r;
}

static void fusion(struct buf *b, bool end, uint32_t task, uint64_t time, unsigned kinds, unsigned mission,
                   unsigned acc)
{
    unsigned char *r = stars6(b, 0x16 + end, 2, task, time);

    put_le(r + S6_FUSION, kinds | mission << 5, 2);
    put_le(r + S6_ACC, acc, 2);
}

static void hwts(struct buf *b, unsigned type, unsigned kind, unsigned stream, unsigned task, uint64_t time)
{
    unsigned char *r = put(b, 64);

    r[HW_TYPE] = (unsigned char)type;
    r[HW_KIND] = (unsigned char)kind;
    put_le(r + HW_TASK, task, 2);
    put_le(r + HW_TICKS, time, 8);
    put_le(r + HW_STREAM, stream, 4);
}

static unsigned char *ts(struct buf *b, unsigned type, uint64_t time)
{
    unsigned char *r = put(b, 40);

    r[TT_TYPE] = (unsigned char)type;
    put_le(r + TT_TICKS, time, 8);
    return r;
}

/* A task changed its state. */
static void ts_task(struct buf *b, unsigned stream, unsigned task, unsigned kind, unsigned state,
                    uint64_t time)
{
    unsigned char *r = ts(b, 12, time);

    put_le(r + TT_STREAM, stream, 2);
    put_le(r + TT_TASK, task, 2);
    put_le(r + TT_TASK_TYPE, kind, 2);
    r[TT_STATE] = (unsigned char)state;
}

static void ts_flip(struct buf *b, unsigned stream, unsigned task, uint64_t time)
{
    unsigned char *r = ts(b, 14, time);

    put_le(r + TT_STREAM, stream, 2);
    put_le(r + TT_TASK, 1, 2);
    put_le(r + TT_FLIP_TASK, task, 2);
}

/* ---- a device ---- */

struct device_case {
    struct prof_case c;
    struct prof_host h;
    struct prof_device d;
};

static const struct prof_host no_host;

static void read_device(struct device_case *x, int chip, const struct prof_host *h)
{
    struct err e = ERR_INIT;

    prof_info_files(&tree, chip);
    assert_int_equal(prof_case_open(&x->c, &tree, &e), OK);
    x->h = *h;
    assert_int_equal(prof_device_read(&x->d, x->c.p, x->c.p->device[0], h, &e), OK);
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

/* "stream.task[#batch] start-end word" of each task, the host's index behind an h. */
static void check_tasks(const struct device_case *x, const char *want)
{
    char text[1000] = "";

    for (size_t i = 0; i < x->d.n_tasks; i++) {
        const struct prof_task *t = &x->d.task[i];
        const char *word = prof_device_word(x->c.p, t);
        size_t n = strlen(text);
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%u.%u", n ? "\n" : "", t->stream, t->task);
        if (t->batch)
            n += (size_t)snprintf(text + n, sizeof text - n, "#%u", t->batch);
        n += (size_t)snprintf(text + n, sizeof text - n, " %d-%d %s", (int)t->start, (int)t->end,
                              word ? word : "-");
        if (t->host != PROF_NONE)
            snprintf(text + n, sizeof text - n, " h%u", t->host);
    }
    assert_string_equal(text, want);
}

static struct prof_host_task host_task(uint32_t stream, uint32_t task, uint32_t batch, uint64_t stamp)
{
    return (struct prof_host_task){ .stream = stream,
                                    .task = task,
                                    .batch = batch,
                                    .context = PROF_NONE,
                                    .stamp = stamp,
                                    .type = PROF_NONE,
                                    .op = PROF_NONE };
}

/* ---- 310P ---- */

static void ids_310p_ai_cpu_tasks_are_in_the_log_alone(void **state)
{
    (void)state;
    struct device_case x;

    for (int chip = 1; chip <= 4; chip++) {
        struct buf b = { .max = 1 << 20 };
        hwts(&b, 0, 1, 9, 1, 5000);
        hwts(&b, 1, 1, 9, 1, 5010);
        write_file(HWTS, &b);
        b = (struct buf){ .max = 1 << 20 };
        ts_task(&b, 9, 2, 1, 1, 5020);
        ts_task(&b, 9, 2, 1, 2, 5030);
        write_file(TS_TRACK, &b);
        read_device(&x, chip, &no_host);
        check_tasks(&x, chip == 1 ? "9.1 5000-5010 AI_CPU\n9.2 5020-5030 AI_CPU" : "9.1 5000-5010 AI_CPU");
        close_device(&x);
    }
}

/* The vector cores' log is read beside the other. */
static void tasks_310p_of_both_logs_are_one_order(void **state)
{
    (void)state;
    struct buf b = { .max = 1 << 20 };
    struct device_case x;

    hwts(&b, 0, 0, 9, 1, 5000);
    hwts(&b, 1, 0, 9, 1, 5010);
    write_file(HWTS, &b);
    b = (struct buf){ .max = 1 << 20 };
    hwts(&b, 0, 2, 9, 2, 5005);
    hwts(&b, 1, 2, 9, 2, 5006);
    write_file(DATA "hwts.aiv_data.0.slice_0", &b);
    read_device(&x, 2, &no_host);
    check_tasks(&x, "9.1 5000-5010 AI_CORE\n9.2 5005-5006 AIV_SQE");
    close_device(&x);
}

static void schedule_file(void)
{
    struct buf b = { .max = 1 << 20 };

    ts_task(&b, 9, 5, 13, 0, 5100); /* stream 9, task 5: the first start and the first end */
    ts_task(&b, 9, 5, 13, 0, 5101);
    ts_task(&b, 9, 5, 13, 1, 5105);
    ts_task(&b, 9, 5, 13, 2, 5110);
    ts_task(&b, 9, 5, 13, 2, 5111);
    ts_task(&b, 9, 1, 13, 0, 5120); /* in the log: its times count */
    ts_task(&b, 9, 1, 13, 2, 5130);
    ts_task(&b, 9, 6, 72, 2, 5140);  /* no start */
    ts_task(&b, 9, 7, 116, 0, 5150); /* the host does not know it */
    ts_task(&b, 9, 7, 116, 2, 5160);
    ts_task(&b, 9, 8, 5, 0, 5170); /* of another type */
    ts_task(&b, 9, 8, 5, 2, 5180);
    ts_flip(&b, 9, 0, 5190);
    ts_task(&b, 9, 5, 101, 0, 5200); /* the same ids again */
    ts_task(&b, 9, 5, 101, 2, 5210);
    write_file(TS_TRACK, &b);
    b = (struct buf){ .max = 1 << 20 };
    hwts(&b, 0, 0, 9, 1, 5000);
    hwts(&b, 1, 0, 9, 1, 5010);
    write_file(HWTS, &b);
}

static void schedule_310p_gives_times_to_tasks_without_any(void **state)
{
    (void)state;
    struct prof_host_task t[] = { host_task(9, 1, 0, 10), host_task(9, 5, 0, 10), host_task(9, 5, 1, 10),
                                  host_task(9, 6, 0, 10), host_task(9, 8, 0, 10) };
    const struct prof_host h = { .task = t, .n_tasks = ARRAY_LEN(t) };
    struct device_case x;

    schedule_file();
    read_device(&x, 4, &h);
    check_tasks(&x, "9.1 5000-5010 AI_CORE h0\n"
                    "9.5 5100-5110 model execute task h1\n"
                    "9.5#1 5200-5210 model-task update task h2");
    assert_int_equal(x.d.task[1].source, PROF_BY_TS);
    assert_int_equal(notes(&x, NOTE_LOST_RECORDS), 1);
    close_device(&x);
    read_device(&x, 3, &h); /* not of this one */
    check_tasks(&x, "9.1 5000-5010 AI_CORE h0");
    close_device(&x);
}

/* ---- chips without batches ---- */

static void ids_without_batches_go_together_in_order(void **state)
{
    (void)state;
    struct prof_host_task t[] = { host_task(9, 1, 0, 30), host_task(9, 1, 0, 10), host_task(9, 1, 0, 20) };
    const struct prof_host h = { .task = t, .n_tasks = ARRAY_LEN(t) };
    struct buf b = { .max = 1 << 20 };
    struct device_case x;

    for (unsigned i = 0; i < 2; i++) {
        hwts(&b, 0, 0, 9, 1, 5000 + 10 * i);
        hwts(&b, 1, 0, 9, 1, 5005 + 10 * i);
    }
    write_file(HWTS, &b);
    b = (struct buf){ .max = 1 << 20 };
    ts_flip(&b, 9, 0, 5007);
    write_file(TS_TRACK, &b);
    read_device(&x, 2, &h);
    check_tasks(&x, "9.1 5000-5005 AI_CORE h1\n9.1 5010-5015 AI_CORE h2");
    assert_int_equal(notes(&x, NOTE_INCONSISTENT), 0);
    close_device(&x);
    read_device(&x, 3, &h); /* here the second one is of another batch */
    check_tasks(&x, "9.1 5000-5005 AI_CORE\n9.1#1 5010-5015 AI_CORE");
    close_device(&x);
}

/* ---- chips nobody knows ---- */

static void chips_unknown_are_reported_and_read_as_they_look(void **state)
{
    (void)state;
    struct buf b = { .max = 1 << 20 };
    struct device_case x;

    hwts(&b, 0, 0, 9, 1, 5000);
    hwts(&b, 1, 0, 9, 1, 5010);
    write_file(HWTS, &b);
    read_device(&x, 23, &no_host);
    check_tasks(&x, "9.1 5000-5010 AI_CORE");
    assert_int_equal(notes(&x, NOTE_NEWER), 1);
    close_device(&x);
}

/* ---- V6: tasks ---- */

#define ID(stream, task) ((uint32_t)(task) << 16 | (stream))

static void v6_tasks_are_recognised_by_their_id(void **state)
{
    (void)state;
    struct prof_host_task t[] = { host_task(2, ID(7, 900), 0, 10), host_task(3, ID(7, 1), 0, 10) };
    const struct prof_host h = { .task = t, .n_tasks = ARRAY_LEN(t) };
    struct buf b = { .max = 1 << 20 };
    struct device_case x;

    stars6(&b, 0, 0, ID(7, 1), 5000);
    stars6(&b, 0, 5, ID(7, 900), 5001);
    stars6(&b, 1, 5, ID(7, 900), 5002);
    stars6(&b, 1, 0, ID(7, 1), 5010);
    stars6(&b, 0, 1, ID(1, 2), 5020); /* the host does not know it */
    stars6(&b, 1, 1, ID(1, 2), 5030);
    stars6(&b, 63, 1, 0, 5040);
    write_file(STARS, &b);
    for (int chip = 15; chip <= 16; chip++) {
        read_device(&x, chip, &h);
        check_tasks(&x, "3.65543 5000-5010 AI_CORE h1\n"
                        "2.58982407 5001-5002 AICPU_D h0\n"
                        "65535.131073 5020-5030 AIV_SQE");
        assert_int_equal(notes(&x, NOTE_INCONSISTENT), 1);
        assert_int_equal(notes(&x, NOTE_UNKNOWN_TYPE), 1);
        assert_int_equal(notes(&x, NOTE_NEWER), 0);
        close_device(&x);
    }
}

static void v6_flips_number_nothing(void **state)
{
    (void)state;
    struct prof_host_task t[] = { host_task(3, ID(7, 1), 0, 10) };
    const struct prof_host h = { .task = t, .n_tasks = ARRAY_LEN(t) };
    struct buf b = { .max = 1 << 20 };
    struct device_case x;

    stars6(&b, 0, 0, ID(7, 1), 5000);
    stars6(&b, 1, 0, ID(7, 1), 5010);
    write_file(STARS, &b);
    b = (struct buf){ .max = 1 << 20 };
    ts_flip(&b, 3, 0, 4000);
    write_file(TS_TRACK, &b);
    read_device(&x, 15, &h);
    check_tasks(&x, "3.65543 5000-5010 AI_CORE h0");
    close_device(&x);
}

static void v6_fusion_tasks_have_a_list_of_their_own(void **state)
{
    (void)state;
    struct buf b = { .max = 1 << 20 };
    struct device_case x;

    fusion(&b, false, 8, 5010, 4, 0, 11);
    fusion(&b, false, 7, 5000, 16, 9, 12);
    fusion(&b, true, 7, 5005, 16, 9, 12);
    fusion(&b, true, 8, 5020, 4, 0, 11);
    fusion(&b, false, 9, 5030, 0, 0, 0); /* has no end */
    fusion(&b, false, 10, 5040, 0, 0, 0);
    fusion(&b, true, 10, 5041, 0, 0, 0);
    write_file(STARS, &b);
    read_device(&x, 15, &no_host);
    assert_int_equal(x.d.n_tasks, 0);
    assert_int_equal(x.d.n_fusion, 3);
    const struct prof_fusion_run *f = x.d.fusion;
    assert_int_equal(f[0].start, 5000);
    assert_int_equal(f[0].end, 5005);
    assert_int_equal(f[0].task, 7);
    assert_int_equal(f[0].acc, 12);
    assert_int_equal(f[0].mission, 9);
    assert_int_equal(f[0].sqe, 2);
    assert_string_equal(prof_fusion_word(&f[0]), "CCU");
    assert_string_equal(prof_fusion_word(&f[1]), "AICORE");
    assert_string_equal(prof_fusion_word(&f[2]), "UNKNOWN");
    assert_int_equal(notes(&x, NOTE_LOST_RECORDS), 1);
    close_device(&x);
}

static void v6_step_marks_have_wide_ids(void **state)
{
    (void)state;
    struct buf b = { .max = 1 << 20 };
    struct device_case x;
    unsigned char *r = ts(&b, 10, 5001);

    put_le(r + TT_INDEX, 3, 8);
    put_le(r + TT_MODEL, 4, 8);
    put_le(r + TT6_TAG, 60001, 2);
    put_le(r + TT6_STREAM, 0x7805, 2);
    put_le(r + TT6_TASK, 70000, 4);
    write_file(TS_TRACK, &b);
    read_device(&x, 15, &no_host);
    assert_int_equal(x.d.n_marks, 1);
    assert_int_equal(x.d.mark[0].counter, 5001);
    assert_int_equal(x.d.mark[0].index, 3);
    assert_int_equal(x.d.mark[0].model, 4);
    assert_int_equal(x.d.mark[0].tag, 60001);
    assert_int_equal(x.d.mark[0].stream, 0x7805);
    assert_int_equal(x.d.mark[0].task, 70000);
    close_device(&x);
}

/* ---- V6: blocks ---- */

struct seen {
    char text[400];
    struct prof_task_index *tasks;
};

static int on_block(void *arg, const struct prof_block_run *b, struct err *e)
{
    struct seen *s = arg;
    size_t n = strlen(s->text);
    const struct prof_task *t = prof_task_index_at(s->tasks, b->task, b->start);

    (void)e;
    snprintf(s->text + n, sizeof s->text - n, "%s%u %s%u.%u %d-%d of %d", n ? "\n" : "", b->task,
             b->vector ? "aiv" : "aic", b->core, b->block, (int)b->start, (int)b->end,
             t ? (int)t->start : -1);
    return OK;
}

static void block(struct buf *b, bool end, uint32_t task, bool vector, unsigned core, unsigned number,
                  uint64_t time)
{
    unsigned char *r = stars6(b, 0x24 + end, 0, task, time);

    r[S6_CORE_KIND] = vector;
    r[S6_CORE] = (unsigned char)core;
    put_le(r + S6_BLOCK, number, 2);
}

static void v6_blocks_are_recognised_by_core_and_number(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct buf b = { .max = 1 << 20 };
    struct seen s = { .text = "" };
    struct device_case x;

    for (unsigned i = 0; i < 2; i++) { /* one id, twice */
        stars6(&b, 0, 0, 7, 5000 + 100 * i);
        stars6(&b, 1, 0, 7, 5050 + 100 * i);
    }
    write_file(STARS, &b);
    b = (struct buf){ .max = 1 << 20 };
    block(&b, false, 7, false, 3, 0, 5001);
    block(&b, false, 7, true, 3, 0, 5002); /* the same number on the other kind of core */
    block(&b, false, 7, false, 4, 1, 5003);
    block(&b, true, 7, false, 4, 1, 5010);
    block(&b, true, 7, true, 3, 0, 5011);
    block(&b, true, 7, false, 3, 0, 5012);
    block(&b, false, 7, false, 3, 0, 5101);
    block(&b, true, 7, false, 3, 0, 5102);
    block(&b, false, 9, false, 3, 0, 5103); /* of nobody */
    block(&b, true, 9, false, 3, 0, 5104);
    block(&b, true, 7, true, 9, 9, 5105); /* no start */
    write_file(DATA "stars_block.data.0.slice_0", &b);
    read_device(&x, 15, &no_host);
    assert_int_equal(prof_task_index_new(&s.tasks, &x.d, &e), OK);
    uint64_t before = notes(&x, NOTE_LOST_RECORDS);
    assert_int_equal(prof_blocks_logged(x.c.p, x.d.f, on_block, &s, &e), OK);
    assert_string_equal(s.text, "7 aic4.1 5003-5010 of 5000\n"
                                "7 aiv3.0 5002-5011 of 5000\n"
                                "7 aic3.0 5001-5012 of 5000\n"
                                "7 aic3.0 5101-5102 of 5100\n"
                                "9 aic3.0 5103-5104 of -1");
    assert_int_equal(notes(&x, NOTE_LOST_RECORDS), before + 1);
    prof_task_index_free(s.tasks);
    close_device(&x);
}

/* ---- V6: the host ---- */

static void v6_host_tasks_have_wide_ids_and_no_contexts(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct buf b = { .max = 1 << 20 };
    struct prof_case c;
    struct prof_host h;

    unsigned char *r = put(&b, 64);
    prof_head(r, 64, PROF_L_RUNTIME, 800, 1, 8000);
    put_le(r + HT_STREAM, 3, 2);
    put_le(r + HT_TASK, 70000, 4);
    put_le(r + HT_TYPE, 1, 8);
    put_le(r + HT_KERNEL, 11, 8);
    r = put(&b, 64); /* a flip, which no task of V6 needs */
    prof_head(r, 64, PROF_L_RUNTIME, 800, 1, 7000);
    put_le(r + HT_STREAM, 3, 2);
    put_le(r + HT_TYPE, 98, 8);
    write_file(HOST "aging.compact.task_track.slice_0", &b);
    tree_file(&tree, HOST "unaging.additional.type_info_dic.slice_0",
              "5000_1:KERNEL_MIX_AIC\n5000_98:FLIP_TASK\n");
    prof_info_files(&tree, 15);
    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    assert_int_equal(prof_host_read(&h, c.p, &e), OK);
    assert_int_equal(h.n_tasks, 1);
    assert_int_equal(h.task[0].task, 70000);
    assert_int_equal(h.task[0].batch, 0);
    assert_int_equal(h.task[0].context, PROF_NONE);
    prof_host_done(&h);
    prof_case_close(&c);
}

/* ---- V6: counters ---- */

static void counts6(struct buf *b, unsigned function, uint32_t task, unsigned flags, bool vector,
                    uint64_t cycles, uint64_t first, uint64_t start, uint64_t end)
{
    unsigned char *r = put(b, 128);

    put_le(r + FF_FUNCTION, function, 2);
    put_le(r + FF_MARK, PROF_STARS_MARK, 2);
    put_le(r + F6_TASK, task, 4);
    put_le(r + F6_CYCLES, cycles, 8);
    r[F6_FLAGS] = (unsigned char)flags;
    r[F6_CORE_KIND] = vector;
    for (size_t i = 0; i < PROF_EVENTS; i++)
        put_le(r + F6_COUNTER + 8 * i, first + i, 8);
    put_le(r + FF_START, start, 8);
    put_le(r + FF_END, end, 8);
}

static void log_tasks(unsigned n)
{
    struct buf b = { .max = 1 << 20 };

    for (unsigned i = 1; i <= n; i++) {
        stars6(&b, 0, 0, ID(7, i), 5000 + 100 * i);
        stars6(&b, 1, 0, ID(7, i), 5050 + 100 * i);
    }
    write_file(STARS, &b);
}

static void assert_core(const struct prof_counts *x, enum prof_core core, uint64_t cycles, uint64_t first,
                        uint64_t span)
{
    assert_true(x->has[core]);
    assert_int_equal(x->cycles[core], cycles);
    assert_int_equal(x->span[core], span);
    for (size_t i = 0; i < PROF_EVENTS; i++)
        assert_int_equal(x->v[core][i], first + i);
}

static void v6_counters_are_of_one_core_each(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct buf b = { .max = 1 << 20 };
    struct device_case x;
    struct prof_counts n;
    struct prof_pmu *m;

    log_tasks(5);
    counts6(&b, PROF_FFTS_TASK6, ID(7, 1), F6_MASTER, false, 1000, 10, 5100, 5140);
    counts6(&b, PROF_FFTS_TASK6, ID(7, 2), F6_MASTER, true, 2000, 20, 5201, 5240);
    /* a mix kernel: the other core's record may come first */
    counts6(&b, PROF_FFTS_TASK6, ID(7, 3), F6_MIX, true, 3100, 31, 5302, 5340);
    counts6(&b, PROF_FFTS_TASK6, ID(7, 3), F6_MASTER | F6_MIX, false, 3000, 30, 5301, 5350);
    counts6(&b, PROF_FFTS_BLOCK, ID(7, 3), F6_MIX, true, 99, 9, 5302, 5340);
    /* beyond 32 bits; not valid, which msprof overlooks here */
    counts6(&b, PROF_FFTS_TASK6, ID(7, 4), F6_MASTER | F6_OVERFLOW, false, 1ull << 40, 40, 5400, 5440);
    counts6(&b, PROF_FFTS_TASK6, ID(7, 4), F6_MASTER, false, 5, 5, 5400, 5440); /* again */
    counts6(&b, PROF_FFTS_TASK6, ID(8, 1), F6_MASTER, false, 5, 5, 5100, 5140); /* of nobody */
    write_file(FFTS, &b);
    read_device(&x, 15, &no_host);
    assert_int_equal(prof_pmu_read(&m, x.c.p, &x.d, &no_host, &e), OK);
    assert_int_equal(prof_pmu_n(m), 4);
    assert_true(prof_pmu_get(m, &x.d.task[0], true, &n));
    assert_int_equal(n.kind, PROF_PMU_AIC);
    assert_core(&n, PROF_CUBE, 1000, 10, 40);
    assert_false(n.has[PROF_VECTOR]);
    assert_true(prof_pmu_get(m, &x.d.task[1], true, &n));
    assert_int_equal(n.kind, PROF_PMU_AIV);
    assert_core(&n, PROF_VECTOR, 2000, 20, 39);
    assert_true(prof_pmu_get(m, &x.d.task[2], true, &n));
    assert_int_equal(n.kind, PROF_PMU_MIX_AIC);
    assert_core(&n, PROF_CUBE, 3000, 30, 49);
    assert_core(&n, PROF_VECTOR, 3100, 31, 38);
    assert_true(prof_pmu_get(m, &x.d.task[3], true, &n));
    assert_true(n.overflow);
    assert_core(&n, PROF_CUBE, 1ull << 40, 40, 40);
    assert_false(prof_pmu_get(m, &x.d.task[4], true, &n));
    assert_int_equal(notes(&x, NOTE_DUPLICATE), 1);
    prof_pmu_free(m);
    close_device(&x);
}

static double metric_of(const struct prof_metric_plan *p, const char *name, const uint64_t *v, double us)
{
    for (size_t i = 0; i < p->group->n; i++)
        if (strcmp(p->group->metric[i].name, name) == 0)
            return prof_metric(p, i, 1000, v, us);
    fail_msg("no metric %s", name);
    return 0;
}

static void v6_metrics_have_events_of_their_own(void **state)
{
    (void)state;
    static const uint64_t v[PROF_EVENTS] = { 100, 200, 300, 400, 500, 600, 700, 70, 800, 900 };
    struct prof_meta m = { .platform = 15,
                           .aiv_metrics = STR("PipeUtilization"),
                           .n_aiv_events = 10,
                           .aic_hz = 1000000000,
                           .counter_hz = 50000000,
                           .aiv_event = { 0x501, 0x301, 0x1, 0x701, 0x202, 0x203, 0x34, 0x35, 0x714, 0x57 } };
    struct prof_metric_plan p = prof_metric_plan(&m, PROF_VECTOR, DIALECT_PYTHON);

    assert_true(metric_of(&p, "vec_ratio", v, 8) == 0.1);
    assert_true(metric_of(&p, "mac_ratio", v, 8) == 0.2);
    assert_true(metric_of(&p, "fixpipe_ratio", v, 8) == 0.8); /* the ninth event */
    assert_true(metric_of(&p, "mte3_time", v, 8) == 0.6 * 8);
    assert_true(metric_of(&p, "icache_miss_rate", v, 8) == 0.07 / 0.7);
    m.aiv_metrics = STR("ResourceConflictRatio");
    m.aiv_event[0] = 0x540;
    m.aiv_event[1] = 0x556;
    m.aiv_event[2] = 0x528;
    m.aiv_event[3] = 0x502;
    p = prof_metric_plan(&m, PROF_VECTOR, DIALECT_PYTHON);
    assert_true(metric_of(&p, "vec_bank_cflt_ratio", v, 8) == 0.1 + 0.2);
    assert_true(metric_of(&p, "vec_resc_cflt_ratio", v, 8) == 0.3 / 0.4);
    /* the record itself says how long the core ran: 400 ticks of 20 ns */
    const struct prof_counts x = { .has_span = true, .span = { 400, 0 }, .cycles = { 1000, 0 } };
    assert_true(prof_counts_us(&x, PROF_CUBE, &m, 1, 1) == 8);
}

/* ---- 310B ---- */

static void counters_310b_have_one_kind_of_core(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct buf b = { .max = 1 << 20 };
    struct device_case x;
    struct prof_counts n;
    struct prof_pmu *m;
    unsigned char *r;

    for (unsigned end = 0; end < 2; end++) {
        r = put(&b, 64);
        put_le(r, end, 2);
        put_le(r + 2, PROF_STARS_MARK, 2);
        put_le(r + 4, 3, 2);
        put_le(r + 6, 4, 2);
        put_le(r + 8, 5000 + 10 * end, 8);
    }
    write_file(STARS, &b);
    b = (struct buf){ .max = 1 << 20 };
    r = put(&b, 128);
    put_le(r + FF_FUNCTION, PROF_FFTS_TASK, 2);
    put_le(r + FF_MARK, PROF_STARS_MARK, 2);
    put_le(r + FF_STREAM, 3, 2);
    put_le(r + FF_TASK, 4, 2);
    put_le(r + FF_FFTS, 1 << 13, 2); /* on 910B a vector kernel */
    put_le(r + FF_CYCLES, 77, 8);
    put_le(r + FF_END, 5010, 8);
    write_file(FFTS, &b);
    read_device(&x, 7, &no_host);
    check_tasks(&x, "3.4 5000-5010 AI_CORE");
    assert_int_equal(prof_pmu_read(&m, x.c.p, &x.d, &no_host, &e), OK);
    assert_true(prof_pmu_get(m, &x.d.task[0], false, &n));
    assert_int_equal(n.main, PROF_CUBE);
    assert_int_equal(n.cycles[PROF_CUBE], 77);
    assert_false(n.has_span);
    prof_pmu_free(m);
    close_device(&x);
}

/* ---- AI CPUs of V6 ---- */

static void v6_ai_cpu_nodes_take_their_stream_from_the_tasks(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct prof_task t[] = { { .task = ID(7, 2), .stream = 44 }, { .task = ID(7, 1), .stream = 33 } };
    const struct prof_device d = { .task = t, .n_tasks = 2 };
    struct buf b = { .max = 1 << 20 };
    struct prof_aicpu a;
    struct prof_case c;

    for (unsigned i = 1; i <= 3; i++) {
        unsigned char *r = put(&b, 128);
        (void)put(&b, 128);
        r = (unsigned char *)b.p + b.n - 256;
        prof_head(r, 256, PROF_L_AICPU, 0, 1, 8000);
        put_le(r + 24, 7, 2);
        put_le(r + 26, i, 2);
        put_le(r + 40, 5000 + i, 8);
    }
    write_file(DATA "aicpu.data.0.slice_0", &b);
    prof_info_files(&tree, 15);
    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    assert_int_equal(prof_aicpu_read(&a, c.p, c.p->device[0], false, &e), OK);
    assert_int_equal(prof_aicpu_streams(&a, c.p, &d, &e), OK);
    assert_int_equal(a.n_nodes, 3);
    assert_int_equal(a.node[0].task, ID(7, 1));
    assert_int_equal(a.node[0].stream, 33);
    assert_int_equal(a.node[1].stream, 44);
    assert_int_equal(a.node[2].stream, 65535);
    prof_aicpu_done(&a);
    prof_case_close(&c);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(ids_310p_ai_cpu_tasks_are_in_the_log_alone),
        CASE(tasks_310p_of_both_logs_are_one_order),
        CASE(schedule_310p_gives_times_to_tasks_without_any),
        CASE(ids_without_batches_go_together_in_order),
        CASE(chips_unknown_are_reported_and_read_as_they_look),
        CASE(v6_tasks_are_recognised_by_their_id),
        CASE(v6_flips_number_nothing),
        CASE(v6_fusion_tasks_have_a_list_of_their_own),
        CASE(v6_blocks_are_recognised_by_core_and_number),
        CASE(v6_step_marks_have_wide_ids),
        CASE(v6_host_tasks_have_wide_ids_and_no_contexts),
        CASE(v6_counters_are_of_one_core_each),
        cmocka_unit_test(v6_metrics_have_events_of_their_own),
        CASE(counters_310b_have_one_kind_of_core),
        CASE(v6_ai_cpu_nodes_take_their_stream_from_the_tasks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
