/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communication that CCUs run: their records, what the host says of them, rows of the store, and the exported
 * files.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "parsers/prof/comm/ccu.h"
#include "tests/unit/parsers/prof/sampled_case.h"

#define DEVICE  PROF_NAME "/device_0/data/"
#define HOST    PROF_NAME "/host/data/"
#define TASK    (4u << 16 | 1) /* of stream 6, as the host has it */
#define STRANGE 77
#define CHANNEL 2816

static struct tree tree;
static char out[1 << 16];

static int set_up(void **state)
{
    (void)state;
    tree_new(&tree);
    prof_info_files(&tree, 15);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tree_done(&tree);
    return 0;
}

/* ---- records ---- */

static void write_to(const char *name, const unsigned char *p, size_t n)
{
    char path[200];

    snprintf(path, sizeof path, "%s%s", name[0] == 'c' ? DEVICE : HOST, name);
    tree_file_n(&tree, path, (const char *)p, n);
}

/* A group of loops; the counter is 3000 at 5 s, and counts in 20 ns. */
static unsigned char *mission(unsigned char *p, uint32_t task, unsigned instr, uint64_t start, uint64_t end)
{
    memset(p, 0, 64);
    put_le(p + 42, end, 8);
    put_le(p + 50, start, 8);
    put_le(p + 58, instr, 2);
    put_le(p + 60, task, 4);
    return p;
}

static void wait_of(unsigned char *p, unsigned instr, uint64_t start, unsigned rank, unsigned fourths)
{
    put_le(p + 32, start, 8);
    put_le(p + 40, instr, 2);
    put_le(p + (size_t)(15 - rank) * 2, fourths, 2);
}

/*
 * Two waits of one instruction, the second is over earlier; nothing; and on the other die a task that nobody
 * knows, whose end is before its begin.
 */
static void write_missions(void)
{
    unsigned char p[4 * 64], q[64];

    mission(p, TASK, 119, 4000, 4500);
    wait_of(mission(p + 64, TASK, 119, 4000, 4500), 205, 5000, 1, 100);
    wait_of(p + 64, 205, 5000, 0, 10);
    wait_of(mission(p + 128, TASK, 119, 4000, 4500), 205, 5010, 2, 50);
    mission(p + 192, TASK, 3, 0, 0);
    write_to("ccu0.instr.0.slice_0", p, sizeof p);
    write_to("ccu1.instr.0.slice_0", mission(q, STRANGE, 7, 6000, 5900), sizeof q);
}

static void channel(unsigned char *p, size_t word, uint64_t counter, unsigned mean)
{
    put_le(p + word * 4, counter, 8);
    put_le(p + word * 4 + 8, mean, 4);
    put_le(p + word * 4 + 12, mean / 2, 4);
    put_le(p + word * 4 + 16, 2 * mean, 4);
}

/* Words at which channels lie, as intervals of the record add up: upstream's ccu_bean.py. */
#define WORD_2   10
#define WORD_13  69  /* behind twelve channels and 4 words more */
#define WORD_124 678 /* the second group of the last eight; 6 words are kept free */
#define WORD_127 693

static void write_channels(void)
{
    static unsigned char p[2 * CHANNEL], q[CHANNEL];

    memset(p, 0, sizeof p);
    memset(q, 0, sizeof q);
    channel(p, WORD_2, 5100, 300);
    channel(p, WORD_13, 5150, 0);
    channel(p, WORD_124, 5200, 400);
    channel(p + CHANNEL, WORD_2, 9000, 998);
    channel(p + CHANNEL, WORD_127, 9100, 50);
    channel(q, WORD_2, 5300, 500);
    write_to("ccu0.stat.0.slice_0", p, sizeof p);
    write_to("ccu1.stat.0.slice_0", q, sizeof q);
}

static void info(unsigned char *p, unsigned instr, unsigned die)
{
    prof_head(p, 256, PROF_L_NODE, 1, 9, 7000);
    put_le(p + 58, 6, 2);
    put_le(p + 60, TASK, 4);
    put_le(p + 64, die, 1);
    put_le(p + 66, instr, 2);
    memset(p + 80, 0xff, 16 * 2 + 16 * 4);
}

static void info_channel(unsigned char *p, unsigned place, unsigned channel_id, unsigned rank)
{
    put_le(p + 80 + (size_t)place * 2, channel_id, 2);
    put_le(p + 112 + (size_t)place * 4, rank, 4);
}

/* Of the wait the first record names no channel. */
static void write_infos(void)
{
    unsigned char p[2 * 256];

    info(p, 205, 9);
    put_le(p + 76, 5, 4);
    info_channel(p, 0, 7, UINT32_MAX);
    info(p + 256, 205, 1);
    put_le(p + 256 + 76, 2, 4);
    info_channel(p + 256, 1, 2, 1);
    info_channel(p + 256, 15, 124, 3);
    write_to("aging.additional.ccu_wait_signal_info.slice_0", p, sizeof p);
    info(p, 119, 1);
    put_le(p + 69, 1, 1);
    put_le(p + 70, 2, 1);
    put_le(p + 71, 200, 1);
    put_le(p + 72, 8192, 8);
    info_channel(p, 0, 2, 1);
    write_to("unaging.additional.ccu_group_info.slice_0", p, 256);
}

static void write_all(void)
{
    unsigned char p[64];

    prof_head(p, 64, PROF_L_RUNTIME, 1, 9, 7100);
    put_le(p + 26, 6, 2);
    put_le(p + 28, TASK, 4);
    put_le(p + 32, 1, 8);
    write_to("aging.compact.task_track.slice_0", p, sizeof p);
    write_missions();
    write_channels();
    write_infos();
}

/* ---- readers ---- */

struct seen {
    struct prof_ccu_mission mission[8];
    struct prof_ccu_channel channel[8];
    size_t n;
};
static int see_mission(void *arg, const struct prof_ccu_mission *m, struct err *e)
{
    struct seen *x = arg;

    (void)e;
    assert_true(x->n < 8);
    x->mission[x->n++] = *m;
    return OK;
}
static int see_channel(void *arg, const struct prof_ccu_channel *s, struct err *e)
{
    struct seen *x = arg;

    (void)e;
    assert_true(x->n < 8);
    x->channel[x->n++] = *s;
    return OK;
}

static void records_of_both_dies_are_read(void **state)
{
    struct err e = ERR_INIT;
    struct seen x = { .n = 0 };
    struct prof_case c;

    (void)state;
    write_missions();
    write_channels();
    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    assert_int_equal(prof_ccu_missions(c.p, c.p->device[0], see_mission, &x, &e), OK);
    assert_int_equal(x.n, 5);
    const struct prof_ccu_mission *m = &x.mission[1];
    assert_true(m->start == 4000 && m->end == 4500 && m->instr == 119 && m->task == TASK);
    assert_true(m->wait == 5000 && m->wait_instr == 205 && m->die == 0);
    assert_true(m->wait_end[0] == 5040 && m->wait_end[1] == 5400 && m->wait_end[15] == 5000);
    assert_true(x.mission[0].wait == 0 && x.mission[4].die == 1 && x.mission[4].task == STRANGE);
    x.n = 0;
    assert_int_equal(prof_ccu_channels(c.p, c.p->device[0], see_channel, &x, &e), OK);
    assert_int_equal(x.n, 6);
    static const unsigned want[][3] = { { 0, 2, 5100 }, { 0, 13, 5150 },  { 0, 124, 5200 },
                                        { 0, 2, 9000 }, { 0, 127, 9100 }, { 1, 2, 5300 } };
    for (size_t i = 0; i < ARRAY_LEN(want); i++)
        assert_true(x.channel[i].die == want[i][0] && x.channel[i].channel == want[i][1] &&
                    x.channel[i].counter == want[i][2]);
    assert_true(x.channel[0].mean == 300 && x.channel[0].min == 150 && x.channel[0].max == 600);
    assert_int_equal(sink_count_get(c.notes)->note_calls, 0);
    prof_case_close(&c);
}

/* how: compat as msprof. */
static void check_runs(bool compat)
{
    const struct prof_ccu_how how = { .by_stream = compat, .as_msprof = compat };
    struct err e = ERR_INIT;
    struct prof_ccu_host h;
    struct prof_ccu_run *v;
    struct prof_host host;
    struct prof_case c;
    size_t n;

    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    assert_int_equal(prof_host_read(&host, c.p, &e), OK);
    assert_int_equal(prof_ccu_host_read(&h, c.p, &e), OK);
    assert_int_equal(h.n, 3);
    assert_int_equal(prof_ccu_runs(c.p, c.p->device[0], &host, &h, &how, &v, &n, &e), OK);
    assert_int_equal(n, 4);
    assert_true(!v[0].is_wait && v[0].shown && v[0].start == 4000 && v[0].end == 4500);
    assert_true(v[0].stream == 6 && v[0].instr == 119 && v[0].info->size_b == 8192);
    assert_true(v[0].info->reduce == 1 && v[0].info->input == 2 && v[0].info->output == 200);
    assert_true(v[1].is_wait && v[1].shown && v[1].rank == 1 && v[1].end == 5400);
    assert_int_equal(v[1].info->die, compat ? 1 : 9);
    assert_int_equal(v[1].info->mask, compat ? 2 : 5);
    /* of its own die, or of any */
    assert_int_equal(v[1].delay, compat ? 500 : 400);
    assert_int_equal(v[1].channel, compat ? 2 : 124);
    assert_true(v[2].is_wait && !v[2].shown && v[2].rank == 2 && v[2].delay == 300 + 100);
    assert_true(v[3].stream == PROF_CCU_NO_STREAM && !v[3].info && v[3].die == 1 && v[3].shown);
    free(v);
    prof_ccu_host_done(&h);
    prof_host_done(&host);
    prof_case_close(&c);
}

static void loops_and_waits_are_joined_to_what_the_host_says(void **state)
{
    (void)state;
    write_all();
    check_runs(false);
    check_runs(true);
}

/* The same delay twice: the first channel; what comes late in the file counts where it belongs. */
static void delays_count_by_their_time(void **state)
{
    const struct prof_ccu_how how = { .by_stream = false };
    static unsigned char p[3 * CHANNEL];
    struct err e = ERR_INIT;
    struct prof_host host = { .n_tasks = 0 };
    struct prof_ccu_host h;
    struct prof_ccu_run *v;
    struct prof_case c;
    size_t n;

    (void)state;
    write_all();
    memset(p, 0, sizeof p);
    channel(p, WORD_2, 9000, 998);
    channel(p + CHANNEL, WORD_2, 5399, 40);
    channel(p + CHANNEL, WORD_124, 5399, 40);
    channel(p + (size_t)2 * CHANNEL, WORD_124, 5400, 60); /* at the end is not before it */
    write_to("ccu0.stat.0.slice_0", p, sizeof p);
    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    assert_int_equal(prof_ccu_host_read(&h, c.p, &e), OK);
    assert_int_equal(prof_ccu_runs(c.p, c.p->device[0], &host, &h, &how, &v, &n, &e), OK);
    assert_true(v[1].delay == 40 && v[1].channel == 2);
    free(v);
    prof_ccu_host_done(&h);
    prof_case_close(&c);
}

/* ---- the store ---- */

static void runs_become_tracks_and_channels_curves(void **state)
{
    (void)state;
    write_all();
    char *text = sampled_given(&tree, prof_rows_ccu);
    assert_non_null(strstr(text, "|process=CCU|name=Die 0|"));
    assert_non_null(strstr(text, "|process=CCU|name=Die 1|"));
    assert_non_null(strstr(text, "|ts=5000020000|dur=10000|name=LoopGroup"));
    assert_non_null(strstr(text, "|ts=5000040000|dur=8000|name=Wait for rank 1"));
    assert_non_null(strstr(text, "|ts=5000040200|dur=4000|name=Wait for rank 2"));
    assert_non_null(strstr(text, "|ts=5000060000|dur=0|name=LoopGroup"));
    free(text);
    /* 4 KiB in 6 us, 3 us, 12 us */
    sampled_points(&tree, "CCU Channel", out, sizeof out);
    assert_non_null(strstr(out, "Die 0 Channel 2/Max MB/s: 5000042000 1302.083"));
    assert_non_null(strstr(out, "Die 0 Channel 2/Min MB/s: 5000042000 325.520"));
    assert_non_null(strstr(out, "Die 0 Channel 2/Avg MB/s: 5000042000 651.041"));
    assert_non_null(strstr(out, "Die 1 Channel 2/Avg MB/s: 5000046000 390.625\n"));
    assert_null(strstr(out, "Channel 13/")); /* nothing went through it */
}

/* ---- the export ---- */

static void export_as(bool compat)
{
    write_all();
    sampled_export(&tree,
                   (struct msprof_options){ .what = MSPROF_SUMMARY | MSPROF_TIMELINE, .compat = compat });
}

static size_t lines_of(const char *text)
{
    size_t n = 0;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static void missions_become_a_table(void **state)
{
    (void)state;
    export_as(false);
    const char *text = sampled_file(&tree, "ccu_mission_" SAMPLED_STAMP ".csv");
    static const char first[] =
        "Device_id,Stream ID,Task Id,Instruction ID,Instruction Start Time(us),Instruction "
        "Duration(us),Notify Instruction ID,Notify Rank ID,Notify Duration(us)\n"
        "0,6,262145,119,5000020.000\t,10.0\t,N/A,N/A,N/A\n"
        "0,6,262145,119,5000020.000\t,10.0\t,205,15,0.0\t\n"
        "0,6,262145,119,5000020.000\t,10.0\t,205,14,0.0\t\n";
    assert_true(strncmp(text, first, sizeof first - 1) == 0);
    assert_non_null(
        strstr(text, "205,1,8.0\t\n0,6,262145,119,5000020.000\t,10.0\t,205,0,0.7999999999999999\t\n"));
    assert_non_null(strstr(text, "\n0,6,262145,N/A,N/A,N/A,N/A,N/A,N/A\n"
                                 "0,N/A,77,7,5000060.000\t,-2.0\t,N/A,N/A,N/A\n"));
    assert_int_equal(lines_of(text), 1 + 1 + 2 * 16 + 2);
}

static void channels_become_a_table(void **state)
{
    (void)state;
    export_as(false);
    assert_string_equal(
        sampled_file(&tree, "ccu_channel_" SAMPLED_STAMP ".csv"),
        "Device_id,Channel Id,Timestamp(us),Max Bandwidth(MB/s),Min Bandwidth(MB/s),Avg "
        "Bandwidth(MB/s)\n"
        "0,2,5000042.000\t,1302.083,325.521,651.042\n0,13,5000043.000\t,0,0,0\n"
        "0,124,5000044.000\t,976.562,244.141,488.281\n0,2,5000120.000\t,391.408,97.852,195.704\n"
        "0,127,5000122.000\t,7812.5,1953.125,3906.25\n0,2,5000046.000\t,781.25,195.312,390.625\n");
}

static void has_slices(const char *name, const char *want)
{
    sampled_counters(&tree, name, out, sizeof out);
    assert_string_equal(out, want);
}

static void has_rows(const char *sql, const char *want)
{
    sampled_rows(&tree, sql, out, sizeof out);
    assert_string_equal(out, want);
}

#define ROWS                                                                                                 \
    "SELECT n.value, startNs, endNs, a.value FROM CCU JOIN STRING_IDS n ON n.id = name JOIN "                \
    "STRING_IDS a ON a.id = args ORDER BY startNs"

static void runs_become_a_layer_and_a_table(void **state)
{
    (void)state;
    export_as(false);
    has_slices("LoopGroup",
               "0,\"ts\":\"5000020.000\",\"dur\":10.0,\"ph\":\"X\",\"args\":{\"Physic Stream "
               "Id\":6,\"Task Id\":262145,\"Instruction ID\":119,\"Die Id\":1,\"Data "
               "Size\":8192,\"Bandwidth (MB/s)\":781.25,\"Reduce Op Type\":\"PROD\",\"Input Data "
               "Type\":\"INT32\",\"Output Data Type\":\"200\"}\n"
               "0,\"ts\":\"5000060.000\",\"dur\":0.0,\"ph\":\"X\",\"args\":{\"Physic Stream "
               "Id\":65535,\"Task Id\":77,\"Instruction ID\":7}\n");
    has_slices("Wait", "0,\"ts\":\"5000040.000\",\"dur\":8.0,\"ph\":\"X\",\"args\":{\"Physic Stream "
                       "Id\":6,\"Task Id\":262145,\"Notify Instruction ID\":205,\"Notify Rank ID\":1,\"Die "
                       "Id\":9,\"Mask\":5,\"Maximum Delay Channel\":124,\"Maximum Channel Delay\":400}\n"
                       "0,\"ts\":\"5000040.200\",\"dur\":4.0,\"ph\":\"X\",\"args\":{\"Physic Stream "
                       "Id\":6,\"Task Id\":262145,\"Notify Instruction ID\":205,\"Notify Rank ID\":2,\"Die "
                       "Id\":9,\"Mask\":5,\"Maximum Delay Channel\":124,\"Maximum Channel Delay\":400}\n");
    const char *text = sampled_file(&tree, "msprof_" SAMPLED_STAMP ".json");
    assert_non_null(strstr(text, "\"args\":{\"name\":\"CCU\"}"));
    assert_non_null(strstr(text, "\"args\":{\"name\":\"Communication\"}"));
    has_rows(ROWS, "LoopGroup|5000020000|5000030000|{\"Physic Stream Id\":6,\"Task Id\":262145,"
                   "\"Instruction ID\":119,\"Die Id\":1,\"Data Size\":8192,\"Bandwidth "
                   "(B/s)\":819200000.0,\"Reduce Op Type\":\"PROD\",\"Input Data "
                   "Type\":\"INT32\",\"Output Data Type\":\"200\"}\n"
                   "Wait|5000040000|5000048000|{\"Physic Stream Id\":6,\"Task Id\":262145,\"Notify "
                   "Instruction ID\":205,\"Notify Rank ID\":1,\"Die Id\":9,\"Mask\":5,\"Maximum Delay "
                   "Channel\":124,\"Maximum Channel Delay\":400}\n"
                   "Wait|5000040200|5000044200|{\"Physic Stream Id\":6,\"Task Id\":262145,\"Notify "
                   "Instruction ID\":205,\"Notify Rank ID\":2,\"Die Id\":9,\"Mask\":5,\"Maximum Delay "
                   "Channel\":124,\"Maximum Channel Delay\":400}\n"
                   "LoopGroup|5000060000|5000060000|{\"Physic Stream Id\":65535,\"Task "
                   "Id\":77,\"Instruction ID\":7}\n");
}

static void msprof_shows_one_wait_of_an_instruction(void **state)
{
    (void)state;
    export_as(true);
    has_slices("Wait", "0,\"ts\":\"5000040.000\",\"dur\":8.0,\"ph\":\"X\",\"args\":{\"Physic Stream "
                       "Id\":6,\"Task Id\":262145,\"Notify Instruction ID\":205,\"Notify Rank ID\":1,\"Die "
                       "Id\":1,\"Mask\":2,\"Maximum Delay Channel\":2,\"Maximum Channel Delay\":500}\n");
    has_rows("SELECT value FROM CCU JOIN STRING_IDS ON id = args ORDER BY startNs DESC LIMIT 1",
             "[\"Physic Stream Id\",65535,\"Task Id\",77,\"Instruction ID\",7]\n");
    const char *text = sampled_file(&tree, "ccu_mission_" SAMPLED_STAMP ".csv");
    assert_non_null(strstr(text, "\n0,6,262145,3,4999940.000\t,0.0\t,0,0,0.0\t\n"
                                 "0,65535,77,7,5000060.000\t,-2.0\t,0,0,0.0\t\n"));
}

/* A task of the device's log gives the number that it has in TASK. */
static void tasks_of_ccus_are_those_of_the_log(void **state)
{
    unsigned char p[2 * 32];

    (void)state;
    memset(p, 0, sizeof p);
    for (size_t i = 0; i < 2; i++) {
        put_le(p + 32 * i, i, 2); /* begin, end */
        put_le(p + 32 * i + 2, PROF_STARS_MARK, 2);
        put_le(p + 32 * i + 4, TASK, 4);
        put_le(p + 32 * i + 8, 3900 + 2000 * i, 8);
    }
    tree_file_n(&tree, DEVICE "stars_soc.data.0.slice_0", (const char *)p, sizeof p);
    export_as(false);
    has_rows("SELECT count(*) FROM CCU c JOIN TASK t ON t.globalTaskId = c.globalTaskId", "3\n");
    has_rows("SELECT count(DISTINCT globalTaskId) FROM CCU", "2\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(records_of_both_dies_are_read),
        TEST(loops_and_waits_are_joined_to_what_the_host_says),
        TEST(delays_count_by_their_time),
        TEST(runs_become_tracks_and_channels_curves),
        TEST(missions_become_a_table),
        TEST(channels_become_a_table),
        TEST(runs_become_a_layer_and_a_table),
        TEST(msprof_shows_one_wait_of_an_instruction),
        TEST(tasks_of_ccus_are_those_of_the_log),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
