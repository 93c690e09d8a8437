/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AI CPUs of PROF folders: communication that they run, marks of models, texts of older releases; rows of the
 * store and msprof's files.
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
#include "parsers/prof/comm/kfc.h"
#include "parsers/prof/device/aicpu.h"
#include "parsers/prof/device/overlap.h"
#include "parsers/prof/device/steps.h"
#include "store/store.h"
#include "tests/unit/parsers/prof/prof_case.h"

#define HOST   PROF_NAME "/host/data/"
#define DEVICE PROF_NAME "/device_0/data/"
#define STAMP  "20260102030405"
#define EACH   256

static struct tree tree;
static struct prof_case c;

static int set_up(void **state)
{
    (void)state;
    tree_new(&tree);
    prof_info_files(&tree, 5);
    tree_file(&tree, HOST "unaging.additional.hash_dic.slice_0",
              "5:group_a\n6:Notify_Wait\n7:Memcpy\n8:ring\n9:hcom_allReduce_AicpuKernel\n10:Add\n");
    tree_file(&tree, HOST "unaging.additional.type_info_dic.slice_0",
              "5000_1:KERNEL_AICORE\n5000_2:KERNEL_AICPU\n10000_1:launch\n");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tree_done(&tree);
    return 0;
}

/* ---- records ---- */

static unsigned char *record(unsigned char *p, uint32_t type, uint64_t time)
{
    prof_head(p, EACH, PROF_L_AICPU, type, 1, time);
    return p;
}

static void comm_turn(unsigned char *p, unsigned turn, uint64_t start)
{
    (void)record(p, 4, start);
    for (unsigned i = 0; i <= PROF_KFC_PHASES; i++)
        put_le(p + 24 + 8 * i, start + 100 * i, 8);
    put_le(p + 80, 4096, 8);
    put_le(p + 88, 3, 4);
    put_le(p + 92, 5, 2);
    put_le(p + 94, 6, 2);
    put_le(p + 97, 2, 1);
    put_le(p + 98, turn, 1);
}

static void compute_turn(unsigned char *p, unsigned turn, uint64_t start)
{
    (void)record(p, 5, start);
    for (unsigned i = 0; i < 3; i++)
        put_le(p + 24 + 8 * i, start + 10 * i, 8);
    put_le(p + 48, 512, 8);
    put_le(p + 60, 7, 2);
    put_le(p + 62, 8, 2);
    put_le(p + 65, 4, 1);
    put_le(p + 66, turn, 1);
}

/* The first or second info of a record. */
static void info(unsigned char *p, unsigned which, uint64_t item, unsigned task, uint64_t time)
{
    p += (size_t)which * PROF_KFC_INFO_B;
    put_le(p + 24, item, 8);
    put_le(p + 40, 5, 8);
    put_le(p + 48, 1, 4);
    put_le(p + 52, 2, 4);
    put_le(p + 56, 8, 4);
    put_le(p + 64, 77, 8);
    put_le(p + 72, time, 8);
    put_le(p + 104, 1 << 20, 8);
    put_le(p + 112, task, 4);
    put_le(p + 120, 3, 2);
    put_le(p + 122, 1, 2);
    put_le(p + 124, 0, 1);
    put_le(p + 125, 4, 1);
    put_le(p + 126, 1, 1);
    put_le(p + 127, 0, 1);
    put_le(p + 128, 255, 1);
    put_le(p + 129, 1, 1);
}

/* A task of the device. */
static void add_task(struct buf *b, unsigned stream, unsigned task, uint64_t start, uint64_t end)
{
    unsigned char p[64];

    for (unsigned k = 0; k < 2; k++) {
        memset(p, 0, sizeof p);
        put_le(p, k | 1u << 10, 2);
        put_le(p + 2, PROF_STARS_MARK, 2);
        put_le(p + 4, stream, 2);
        put_le(p + 6, task, 2);
        put_le(p + 8, k ? end : start, 8);
        buf_add(b, (struct str){ (const char *)p, sizeof p });
    }
}

static void write_kfc(void)
{
    static unsigned char p[6 * EACH];
    struct buf b;

    comm_turn(p, 1, 4000);
    compute_turn(p + EACH, 3, 5000);
    unsigned char *q = record(p + 2 * EACH, 10, 4100);
    put_le(q + 24, 3, 1);
    put_le(q + 25, 4, 1);
    put_le(q + 26, 8, 8);
    put_le(q + 34, 1000, 8);
    put_le(q + 42, 5, 8);
    put_le(q + 50, 16, 4);
    put_le(q + 54, 5, 2);
    put_le(q + 56, 6, 4);
    q = record(p + 3 * EACH, 12, 4200);
    put_le(q + 24, 5, 2);
    put_le(q + 26, 6, 2);
    put_le(q + 28, 3, 2);
    put_le(q + 30, 1, 2);
    put_le(q + 32, 1, 2);
    q = record(p + 4 * EACH, 13, 4300);
    info(q, 0, 6, 1, 4150);
    info(q, 1, 7, 1, 4350); /* the next task of the same id */
    q = record(p + 5 * EACH, 13, 4400);
    info(q, 0, 7, 9, 4350); /* never ran */
    tree_file_n(&tree, DEVICE "aicpu.data.0.slice_0", (const char *)p, sizeof p);
    buf_init(&b, 1 << 16);
    add_task(&b, 3, 1, 4100, 4140);
    add_task(&b, 3, 1, 4160, 4200);
    add_task(&b, 3, 2, 4210, 4220);
    add_task(&b, 3, 1, 4400, 4500);
    tree_file_n(&tree, DEVICE "stars_soc.data.0.slice_0", b.p, b.n);
    buf_done(&b);
}

static void open_case(void)
{
    struct err e = ERR_INIT;

    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
}

/* ---- communication ---- */

static void kfc_records_are_read_field_by_field(void **state)
{
    struct err e = ERR_INIT;
    struct prof_kfc k;

    (void)state;
    write_kfc();
    open_case();
    assert_int_equal(prof_kfc_read(&k, c.p, c.p->device[0], false, &e), OK);
    assert_int_equal(k.n_turns, 2);
    assert_int_equal(prof_kfc_phases(&k.turn[0]), 6);
    assert_int_equal(k.turn[0].at[0], 4000);
    assert_int_equal(k.turn[0].at[6], 4600);
    assert_int_equal(k.turn[0].length, 4096);
    assert_int_equal(k.turn[0].stream, 5);
    assert_int_equal(k.turn[0].task, 6);
    assert_int_equal(k.turn[0].turn, 1);
    assert_int_equal(k.turn[0].turns, 2);
    assert_string_equal(prof_kfc_phase_word(&k.turn[0], 4), "TaskExecute");
    assert_true(k.turn[1].computes);
    assert_int_equal(prof_kfc_phases(&k.turn[1]), 2);
    assert_int_equal(k.turn[1].at[2], 5020);
    assert_int_equal(k.turn[1].length, 512);
    assert_int_equal(k.turn[1].stream, 7);
    assert_int_equal(k.turn[1].task, 8);
    assert_int_equal(k.turn[1].turn, 3);
    assert_int_equal(k.turn[1].turns, 4);
    assert_int_equal(k.n_ops, 1);
    assert_true(k.op[0].relay && k.op[0].retry);
    assert_int_equal(k.op[0].data_type, 4);
    assert_int_equal(k.op[0].count, 1000);
    assert_int_equal(k.op[0].ranks, 16);
    assert_true(k.op[0].stream == 5 && k.op[0].task == 6);
    assert_true(str_eq(prof_str(c.p, k.op[0].alg), STR("ring")));
    assert_true(str_eq(prof_str(c.p, k.op[0].group), STR("group_a")));
    assert_int_equal(k.n_edges, 1);
    assert_true(k.edge[0].last);
    assert_int_equal(k.edge[0].time, 4200);
    assert_int_equal(k.edge[0].kernel_stream, 5);
    assert_int_equal(k.edge[0].kernel_task, 6);
    assert_int_equal(k.edge[0].stream, 3);
    assert_int_equal(k.edge[0].task, 1);
    assert_int_equal(k.n_infos, 3);
    const struct prof_kfc_info *x = &k.info[1];
    assert_true(str_eq(prof_str(c.p, x->item), STR("Memcpy")));
    assert_int_equal(x->local_rank, 1);
    assert_int_equal(x->remote_rank, 2);
    assert_int_equal(x->ranks, 8);
    assert_int_equal(x->notify, 77);
    assert_int_equal(x->time, 4350);
    assert_int_equal(x->size_b, 1 << 20);
    assert_int_equal(x->plane, 1);
    assert_int_equal(x->data_type, 4);
    assert_int_equal(x->link, 1);
    assert_int_equal(x->transport, 0);
    assert_true(x->rdma == 255 && x->role == 1);
    prof_kfc_done(&k);
    prof_case_close(&c);
}

static void kfc_infos_are_of_the_task_that_follows(void **state)
{
    const struct prof_host none = { .n_tasks = 0 };
    struct err e = ERR_INIT;
    struct prof_device d;
    struct prof_kfc k;
    uint32_t *task;

    (void)state;
    write_kfc();
    open_case();
    assert_int_equal(prof_device_read(&d, c.p, c.p->device[0], &none, &e), OK);
    assert_int_equal(prof_kfc_read(&k, c.p, c.p->device[0], false, &e), OK);
    assert_int_equal(prof_kfc_tasks(&k, &d, &task, &e), OK);
    assert_int_equal(d.task[task[0]].start, 4160);
    assert_int_equal(d.task[task[1]].start, 4400);
    assert_int_equal(task[2], PROF_NONE);
    free(task);
    prof_kfc_done(&k);
    prof_device_done(&d);
    prof_case_close(&c);
}

/* ---- the server's stream does not compute ---- */

static void write_server(bool mc2)
{
    unsigned char p[2 * 64], api[2 * 40], basic[2 * 64], m[2 * EACH];
    struct buf b;

    for (unsigned i = 0; i < 2; i++) {
        prof_api(api + 40 * i, PROF_L_NODE, 1, 1, 8000 + 100 * i, 8090 + 100 * i, 9 + i);
        prof_head(basic + 64 * i, 64, PROF_L_NODE, 0, 1, 8010 + 100 * i);
        put_le(basic + 64 * i + 24, 9 + i, 8);
        put_le(basic + 64 * i + 32, i ? 0 : 1, 4);
        put_le(basic + 64 * i + 36, 9 + i, 8);
        prof_head(p + 64 * i, 64, PROF_L_RUNTIME, 0, 1, 8050 + 100 * i);
        put_le(p + 64 * i + 26, 5 + i, 2);
        put_le(p + 64 * i + 28, 6, 2);
        put_le(p + 64 * i + 32, i ? 1 : 2, 8);
    }
    tree_file_n(&tree, HOST "aging.api_event.data.slice_0", (const char *)api, sizeof api);
    tree_file_n(&tree, HOST "aging.compact.node_basic_info.slice_0", (const char *)basic, sizeof basic);
    tree_file_n(&tree, HOST "aging.compact.task_track.slice_0", (const char *)p, sizeof p);
    buf_init(&b, 1 << 16);
    add_task(&b, 5, 6, 4000, 4600);
    add_task(&b, 6, 6, 4500, 4900);
    tree_file_n(&tree, DEVICE "stars_soc.data.0.slice_0", b.p, b.n);
    buf_done(&b);
    prof_head(m, EACH, PROF_L_COMMUNICATION, 0, 1, 7000);
    put_le(m + 24, 5, 8);
    put_le(m + 32, 8, 4);
    put_le(m + 36, 2, 4);
    put_le(m + 44, 5, 4);
    put_le(m + 48, 900, 4); /* more than there is room for */
    for (unsigned i = 0; i < PROF_MC2_STREAMS; i++)
        put_le(m + 52 + 4 * i, 30 + i, 4);
    memcpy(m + EACH, m, EACH); /* it is told twice */
    if (mc2)
        tree_file_n(&tree, HOST "aging.additional.mc2_comm_info.slice_0", (const char *)m, sizeof m);
}

static void kfc_server_does_not_compute(void **state)
{
    const struct prof_how all = { .to = UINT64_MAX };
    struct err e = ERR_INIT;

    (void)state;
    for (int mc2 = 0; mc2 < 2; mc2++) {
        struct prof_overlap o = { .of = { { .n = 0 } } };
        struct prof_device d;
        struct prof_comm comm;
        struct prof_host h;
        write_server(mc2);
        open_case();
        assert_int_equal(prof_host_read(&h, c.p, &e), OK);
        assert_int_equal(h.n_mc2, 2 * mc2);
        assert_int_equal(h.n_servers, mc2);
        assert_int_equal(prof_host_is_server(&h, 5), mc2);
        assert_false(prof_host_is_server(&h, 6));
        if (mc2) {
            assert_int_equal(h.mc2[0].ranks, 8);
            assert_int_equal(h.mc2[0].rank, 2);
            assert_int_equal(h.mc2[0].n_streams, PROF_MC2_STREAMS);
            assert_int_equal(h.mc2[0].stream[7], 37);
            assert_true(str_eq(prof_str(c.p, h.mc2[0].group), STR("group_a")));
        }
        assert_int_equal(prof_device_read(&d, c.p, c.p->device[0], &h, &e), OK);
        assert_int_equal(prof_comm_make(&comm, c.p, &d, &h, &all, &e), OK);
        assert_int_equal(prof_overlap_make(&o, c.p, &d, &h, &comm, &all, &e), OK);
        assert_int_equal(o.of[OVERLAP_COMPUTING].n, 1);
        assert_int_equal(o.of[OVERLAP_COMPUTING].v[0].from, 4500);
        assert_int_equal(o.of[OVERLAP_COMM].n, 0); /* that is told by its tasks */
        assert_int_equal(o.of[OVERLAP_FREE].n, 1); /* it is in use, though */
        assert_int_equal(o.of[OVERLAP_FREE].v[0].from, 4000);
        prof_overlap_done(&o);
        prof_comm_done(&comm);
        prof_device_done(&d);
        prof_host_done(&h);
        prof_case_close(&c);
    }
}

/* ---- marks of models ---- */

static void marks_of_models_make_iterations(void **state)
{
    static const unsigned tags[] = { 0, 4, 1 };
    const struct prof_host none = { .n_tasks = 0 };
    unsigned char p[3 * EACH], old[4 * 64] = { 0 };
    struct err e = ERR_INIT;

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        unsigned char *q = record(p + (size_t)EACH * i, 2, 4000 + 100 * i);
        put_le(q + 24, 1, 8);
        put_le(q + 32, 9, 4);
        put_le(q + 36, tags[i], 2);
        q = old + 64 * i;
        put_le(q, PROF_HOST_MARK | 61 << 16, 4);
        put_le(q + 8, 4000 + 100 * i, 8);
        put_le(q + 16, 1, 8);
        put_le(q + 24, 9, 4);
        put_le(q + 28, tags[i], 2);
    }
    put_le(old + 192, PROF_HOST_MARK | 62 << 16, 4); /* of another kind */
    for (int older = 0; older < 2; older++) {
        struct prof_device d;
        struct prof_steps s;
        tree_file_n(&tree, DEVICE "aicpu.data.0.slice_0", (const char *)p, older ? 0 : sizeof p);
        if (older)
            tree_file_n(&tree, DEVICE "DATA_PREPROCESS.AICPU_MODEL.0.slice_0", (const char *)old, sizeof old);
        open_case();
        assert_int_equal(prof_device_read(&d, c.p, c.p->device[0], &none, &e), OK);
        assert_int_equal(d.n_marks, 3);
        assert_int_equal(prof_steps_of(&s, d.mark, d.n_marks, false, &e), OK);
        assert_int_equal(s.n_steps, 1);
        assert_int_equal(s.step[0].model, 9);
        assert_int_equal(s.step[0].start, 4000);
        assert_int_equal(s.step[0].end, 4100);
        assert_int_equal(sink_count_get(c.notes)->notes[NOTE_UNKNOWN_TYPE], older);
        prof_steps_done(&s);
        prof_device_done(&d);
        prof_case_close(&c);
    }
}

/* ---- texts of older releases ---- */

#define DP_TEXT                                                                                              \
    "[1000000500] Last queue dequeue, source:iterator_default, index:1, size:131\n\0"                        \
    "[1000000600] Something else, source:x, index:1, size:2\n\0"                                             \
    "[1000x] Last queue dequeue, source:iterator_default, index:1, size:131\n\0"                             \
    "[1000000700] Last queue dequeue, source:iterator_default, index:2, si"
#define MI_TEXT                                                                                              \
    "Node:GetNext_dequeue_wait, queue size:3, Run start:500, Run end:700\n\0"                                \
    "Node:GetNext_other, Run start:800, Run end:900, queue size:4\n\0"                                       \
    "Node:GetNext_other, Run start:800\n\0"

static void write_texts(void)
{
    tree_file_n(&tree, DEVICE "DATA_PREPROCESS.DP.0.slice_0", DP_TEXT, sizeof DP_TEXT - 1);
    tree_file_n(&tree, DEVICE "DATA_PREPROCESS.AICPUMI.0.slice_0", MI_TEXT, sizeof MI_TEXT - 1);
}

static void texts_of_older_releases_are_read(void **state)
{
    struct err e = ERR_INIT;
    struct prof_aicpu a;

    (void)state;
    write_texts();
    open_case();
    assert_int_equal(prof_aicpu_read(&a, c.p, c.p->device[0], false, &e), OK);
    assert_int_equal(a.n_dp, 1);
    assert_int_equal(a.dp[0].stamp, 1000000500);
    assert_int_equal(a.dp[0].index, 1);
    assert_int_equal(a.dp[0].size, 131);
    assert_true(str_eq(prof_str(c.p, a.dp[0].action), STR("Last queue dequeue")));
    assert_true(str_eq(prof_str(c.p, a.dp[0].source), STR("iterator_default")));
    assert_int_equal(a.n_items, 2);
    assert_int_equal(a.item[0].size, 3);
    assert_int_equal(a.item[0].start_us, 500);
    assert_int_equal(a.item[0].end_us, 700);
    assert_int_equal(a.item[1].size, 4);
    assert_int_equal(a.item[1].start_us, 800);
    assert_int_equal(a.item[1].end_us, 900);
    assert_true(str_eq(prof_aicpu_item_name(c.p, &a.item[1]), STR("GetNext_other")));
    assert_int_equal(sink_count_get(c.notes)->notes[NOTE_BAD_ROW], 2);
    assert_int_equal(sink_count_get(c.notes)->notes[NOTE_UNKNOWN_TYPE], 1);
    assert_int_equal(sink_count_get(c.notes)->notes[NOTE_TORN_RECORD], 1);
    prof_aicpu_done(&a);
    prof_case_close(&c);
}

/* ---- files and rows ---- */

static void export_all(const char *out)
{
    char dir[600];
    const struct msprof_options o = { .what = MSPROF_SUMMARY | MSPROF_TIMELINE, .dir = dir, .stamp = STAMP };
    struct emit_report *report;
    struct err e = ERR_INIT;

    snprintf(dir, sizeof dir, "%s", tree_path(&tree, out));
    open_case();
    assert_int_equal(emit_report_new(&report, &e), OK);
    assert_int_equal(msprof_export(c.job->units[0], STR(""), &o, report, &e), OK);
    emit_report_free(report);
    prof_case_close(&c);
}

static const char *file_text(const char *out, const char *name)
{
    static char text[1 << 16];
    char path[300];

    snprintf(path, sizeof path, "%s/mindstudio_profiler_output/%s", out, name);
    FILE *f = fopen(tree_path(&tree, path), "r");
    if (!f)
        fail_msg("there is no %s", path);
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = '\0';
    return text;
}

static void tables_of_older_texts(void **state)
{
    (void)state;
    write_texts();
    export_all("out");
    assert_string_equal(file_text("out", "dp_" STAMP ".csv"),
                        "Device_id,Timestamp(us),Action,Source,Cached Buffer Size\n"
                        "0,5000000.5,Last queue dequeue,iterator_default,131\n");
    assert_string_equal(file_text("out", "aicpu_mi_" STAMP ".csv"),
                        "Device_id,Node Name,Start Time(us),End Time(us),Queue Size\n"
                        "0,GetNext_dequeue_wait,500.0,700.0,3\n0,GetNext_other,800.0,900.0,4\n");
}

#define PID "\"pid\":79296"

static void trace_has_the_phases_of_turns(void **state)
{
    (void)state;
    write_kfc();
    export_all("out");
    const char *text = file_text("out", "msprof_" STAMP ".json");
    const char *compute =
        strstr(text, "{\"name\":\"WaitCompute 3\"," PID ",\"tid\":7,\"ts\":\"5000040.000\",\"dur\":0.2,"
                     "\"ph\":\"X\",\"args\":{\"Physic Stream Id\":7,\"Task Id\":8}}");
    const char *comm =
        strstr(text, "{\"name\":\"TaskExecute 1\"," PID ",\"tid\":5,\"ts\":\"5000028.000\",\"dur\":2.0,"
                     "\"ph\":\"X\",\"args\":{\"Physic Stream Id\":5,\"Task Id\":6}}");
    assert_non_null(compute);
    assert_non_null(comm);
    assert_true(compute < comm);
    assert_non_null(strstr(text, "\"args\":{\"name\":\"Stream 7\"}"));
}

static void text_of(struct store *s, const char *sql, char *text, size_t room)
{
    struct err e = ERR_INIT;
    struct query *q = NULL;

    text[0] = '\0';
    assert_int_equal(store_query(s, &q, sql, &e), OK);
    for (size_t at = 0; query_step(q, &e) == 1;)
        for (size_t i = 0; i < query_columns(q) && at < room; i++) {
            struct val v = query_val(q, i);
            const char *gap = i ? "|" : at ? "\n" : "";
            at += (size_t)(v.t == VAL_INT
                               ? snprintf(text + at, room - at, "%s%lld", gap, (long long)v.i)
                               : snprintf(text + at, room - at, "%s%.*s", gap,
                                          v.t == VAL_TEXT ? (int)v.s.n : 0, v.t == VAL_TEXT ? v.s.p : ""));
        }
    query_free(q);
}

#define TEXT(id) "(SELECT text FROM string WHERE id = " id ")"

static void rows_of_turns_and_tasks_are_tracks(void **state)
{
    struct err e = ERR_INIT;
    struct store *s = NULL;
    struct job *job = NULL;
    char path[600], text[2000];

    (void)state;
    write_kfc();
    tree_file(&tree, "out/.keep", "");
    snprintf(path, sizeof path, "%s", tree_path(&tree, "out/run.npus"));
    const struct import_opts o = { .store_path = path };
    assert_int_equal(import_scan(&job, tree_path(&tree, PROF_NAME), &e), OK);
    assert_int_equal(import_unit(job->units[0], &o, NULL, NULL, &e), OK);
    job_free(job);
    assert_int_equal(store_open(&s, path, false, &e), OK);
    text_of(s,
            "SELECT " TEXT("t.process_id") ", " TEXT("t.name_id") ", " TEXT(
                "e.name_id") ", e.ts_ns - (SELECT min(ts_ns) FROM event), e.dur_ns FROM event e "
                             "JOIN track t ON t.id = e.track_id WHERE t.kind IN ('engine', "
                             "'plane') ORDER BY t.kind, t.sort, e.ts_ns",
            text, sizeof text);
    assert_string_equal(text, "Communication server|Stream 5|StartServer 1|0|2000\n"
                              "Communication server|Stream 5|TaskWaitRequest 1|2000|2000\n"
                              "Communication server|Stream 5|TaskOrchestration 1|4000|2000\n"
                              "Communication server|Stream 5|TaskLaunch 1|6000|2000\n"
                              "Communication server|Stream 5|TaskExecute 1|8000|2000\n"
                              "Communication server|Stream 5|Finalize 1|10000|2000\n"
                              "Communication server|Stream 7|WaitCompute 3|20000|200\n"
                              "Communication server|Stream 7|Compute 3|20200|200\n"
                              "Communication of AI CPUs|Group group_a Plane 1|Notify_Wait|3200|800\n"
                              "Communication of AI CPUs|Group group_a Plane 1|Memcpy|8000|2000");
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(kfc_records_are_read_field_by_field, set_up, tear_down),
        cmocka_unit_test_setup_teardown(kfc_infos_are_of_the_task_that_follows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(kfc_server_does_not_compute, set_up, tear_down),
        cmocka_unit_test_setup_teardown(marks_of_models_make_iterations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(texts_of_older_releases_are_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tables_of_older_texts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(trace_has_the_phases_of_turns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_of_turns_and_tasks_are_tracks, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
