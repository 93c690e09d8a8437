/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks that a device tells of its tasks (ts_track type 15): the host's ops have them, and so has what is
 * made of them.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "msprof/msprof.h"
#include "parsers/prof/device/device.h"
#include "tests/unit/parsers/prof/prof_case.h"

#define HOST   PROF_NAME "/host/data/"
#define DEVICE PROF_NAME "/device_0/data/"
#define STAMP  "20260102030405"

static struct tree tree;
static struct prof_case c;
static struct buf apis, basics, tracks, stars, ts;

static struct buf *const bufs[] = { &apis, &basics, &tracks, &stars, &ts };

static int set_up(void **state)
{
    (void)state;
    tree_new(&tree);
    prof_info_files(&tree, 5);
    tree_file(&tree, HOST "unaging.additional.hash_dic.slice_0", "10:Add\n11:Mul\n");
    tree_file(&tree, HOST "unaging.additional.type_info_dic.slice_0",
              "5000_1:KERNEL_AICORE\n5000_98:FLIP_TASK\n10000_1:launch\n");
    for (size_t i = 0; i < ARRAY_LEN(bufs); i++)
        buf_init(bufs[i], 1 << 20);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bufs); i++)
        buf_done(bufs[i]);
    tree_done(&tree);
    return 0;
}

static void append(struct buf *b, const unsigned char *p, size_t n)
{
    buf_add(b, (struct str){ (const char *)p, n });
}

/* ---- records ---- */

/* An op of 2 blocks in a node call of 90 ticks, with a task on stream 6. */
static void op(uint64_t begin, uint64_t name, unsigned task)
{
    unsigned char p[64];

    prof_api(p, PROF_L_NODE, 1, 1, begin, begin + 90, name);
    append(&apis, p, 40);
    prof_head(p, sizeof p, PROF_L_NODE, 0, 1, begin + 10);
    put_le(p + 24, name, 8);
    put_le(p + 36, name, 8);
    append(&basics, p, sizeof p);
    prof_head(p, sizeof p, PROF_L_RUNTIME, 0, 1, begin + 50);
    put_le(p + 26, 6, 2);
    put_le(p + 28, task, 4);
    put_le(p + 32, 1, 8);
    put_le(p + 48, 2, 2);
    append(&tracks, p, sizeof p);
}

/* The stream's ids begin anew. */
static void host_flip(uint64_t time)
{
    unsigned char p[64];

    prof_head(p, sizeof p, PROF_L_RUNTIME, 0, 1, time);
    put_le(p + 26, 6, 2);
    put_le(p + 28, 1 << 16, 4);
    put_le(p + 32, 98, 8);
    append(&tracks, p, sizeof p);
}

static void ran(unsigned task, uint64_t start, uint64_t end)
{
    unsigned char p[64];

    for (unsigned k = 0; k < 2; k++) {
        memset(p, 0, sizeof p);
        put_le(p, k, 2);
        put_le(p + 2, PROF_STARS_MARK, 2);
        put_le(p + 4, 6, 2);
        put_le(p + 6, task, 2);
        put_le(p + 8, k ? end : start, 8);
        append(&stars, p, sizeof p);
    }
}

static void ts_record(unsigned type, uint64_t time, unsigned task, uint32_t value)
{
    unsigned char p[40] = { 0 };

    p[1] = (unsigned char)type;
    put_le(p + 8, time, 8);
    put_le(p + 16, 6, 2);
    put_le(p + 18, task, 2);
    put_le(p + 20, value, 4);
    append(&ts, p, sizeof p);
}
#define TILING 15
#define FLIP   14

static void write_all(void)
{
    static const char *const names[] = { HOST "aging.api_event.data.slice_0",
                                         HOST "aging.compact.node_basic_info.slice_0",
                                         HOST "aging.compact.task_track.slice_0",
                                         DEVICE "stars_soc.data.0.slice_0",
                                         DEVICE "ts_track.data.0.slice_0" };

    for (size_t i = 0; i < ARRAY_LEN(bufs); i++)
        tree_file_n(&tree, names[i], bufs[i]->p ? bufs[i]->p : "", bufs[i]->n);
}

/*
 * Three tasks of one op, the third behind a flip with the id of the first; a fourth of another op that
 * nothing tells of.
 */
static void make_case(void)
{
    op(8000, 10, 1);
    op(8100, 10, 2);
    op(8200, 11, 3);
    host_flip(8295);
    op(8300, 10, 1);
    ran(1, 4000, 4100);
    ran(2, 4200, 4300);
    ran(3, 4400, 4500);
    ran(1, 4600, 4700);
    ts_record(TILING, 3990, 1, 7);
    ts_record(TILING, 3995, 1, 24 | 2 << 16); /* the last word */
    ts_record(TILING, 4195, 2, 24 | 2 << 16);
    ts_record(TILING, 4196, 9, 5); /* of no task */
    ts_record(FLIP, 4550, 1, 0);
    ts_record(TILING, 4590, 1, 8);
    write_all();
}

struct whole {
    struct prof_host h;
    struct prof_device d;
};

static void derive(struct whole *w)
{
    struct err e = ERR_INIT;

    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    assert_int_equal(prof_host_read(&w->h, c.p, &e), OK);
    assert_int_equal(prof_device_read(&w->d, c.p, c.p->device[0], &w->h, &e), OK);
    assert_int_equal(prof_device_blocks(&w->d, &w->h, c.p->chip->v6, &e), OK);
}

static void forget(struct whole *w)
{
    prof_device_done(&w->d);
    prof_host_done(&w->h);
    prof_case_close(&c);
}

static void check(const struct whole *w, size_t task, uint32_t block, uint32_t mix)
{
    const struct prof_task *t = &w->d.task[task];

    assert_int_not_equal(t->host, PROF_NONE);
    const struct prof_op *x = &w->h.op[w->h.task[t->host].op];
    assert_int_equal(x->block, block);
    assert_int_equal(x->mix_block, mix);
}

static void ops_have_the_blocks_of_their_task(void **state)
{
    struct whole w;

    (void)state;
    make_case();
    derive(&w);
    assert_int_equal(w.d.n_blocks, 5);
    assert_int_equal(w.d.n_tasks, 4);
    check(&w, 0, 24, 48);
    check(&w, 1, 24, 48);
    check(&w, 2, 2, 0);
    check(&w, 3, 8, 0);
    /* those that are equal are one op */
    assert_int_equal(w.h.task[w.d.task[0].host].op, w.h.task[w.d.task[1].host].op);
    assert_int_not_equal(w.h.task[w.d.task[0].host].op, w.h.task[w.d.task[3].host].op);
    forget(&w);
}

static void op_summary_has_them(void **state)
{
    char dir[600], text[4096];
    const struct msprof_options o = { .what = MSPROF_SUMMARY, .dir = dir, .stamp = STAMP };
    struct emit_report *report;
    struct err e = ERR_INIT;

    (void)state;
    make_case();
    snprintf(dir, sizeof dir, "%s", tree_path(&tree, "out"));
    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    assert_int_equal(emit_report_new(&report, &e), OK);
    assert_int_equal(msprof_export(c.job->units[0], STR(""), &o, report, &e), OK);
    emit_report_free(report);
    prof_case_close(&c);
    FILE *f = fopen(tree_path(&tree, "out/mindstudio_profiler_output/op_summary_" STAMP ".csv"), "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    /* ..., Task Start Time, Task Duration, Task Wait Time, Block Num, Mix Block Num, ... */
    assert_non_null(strstr(text, "5000020.000\t,2.000,0,24,48,"));
    assert_non_null(strstr(text, "5000024.000\t,2.000,2.000000,24,48,"));
    assert_non_null(strstr(text, "5000028.000\t,2.000,2.000000,2,0,"));
    assert_non_null(strstr(text, "5000032.000\t,2.000,2.000000,8,0,"));
}

/* Any byte of a record may be wrong. */
static void flips_do_no_harm(void **state)
{
    struct whole w;
    char p[40 * 8];

    (void)state;
    make_case();
    assert_true(ts.n <= sizeof p);
    for (size_t at = 1; at < ts.n; at += at % 40 == 23 ? 18 : 1) {
        memcpy(p, ts.p, ts.n);
        p[at] = (char)(p[at] ^ 0xff);
        tree_file_n(&tree, DEVICE "ts_track.data.0.slice_0", p, ts.n);
        derive(&w);
        for (size_t i = 0; i < w.h.n_tasks; i++)
            assert_true(w.h.task[i].op == PROF_NONE || w.h.task[i].op < w.h.n_ops);
        forget(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ops_have_the_blocks_of_their_task, set_up, tear_down),
        cmocka_unit_test_setup_teardown(op_summary_has_them, set_up, tear_down),
        cmocka_unit_test_setup_teardown(flips_do_no_harm, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
