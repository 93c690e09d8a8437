/* SPDX-License-Identifier: Apache-2.0 */
/* Ops and tasks of communication that AI CPUs run: from records of host and device to traces and tables. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "base/buf.h"
#include "msprof/msprof.h"
#include "parsers/prof/comm/kfc_comm.h"
#include "parsers/prof/device/overlap.h"
#include "store/store.h"
#include "tests/unit/parsers/prof/prof_case.h"

#define HOST   PROF_NAME "/host/data/"
#define DEVICE PROF_NAME "/device_0/data/"
#define STAMP  "20260102030405"
#define EACH   256
#define GROUP  1005452

static struct tree tree;
static struct prof_case c;
static struct buf apis, basics, tracks, hccls, mc2s, aicpu, stars;

static struct buf *const bufs[] = { &apis, &basics, &tracks, &hccls, &mc2s, &aicpu, &stars };

static int set_up(void **state)
{
    (void)state;
    tree_new(&tree);
    prof_info_files(&tree, 5);
    tree_file(&tree, HOST "unaging.additional.hash_dic.slice_0",
              "1005452:group_a\n6:Notify_Wait\n7:Memcpy\n8:ring\n9:MatmulAllReduceAicpu\n10:Add\n"
              "11:hcom_allReduce_\n12:allreduceAicpuKernel\n13:RDMASend\n14:hcomAicpuInit\n");
    tree_file(&tree, HOST "unaging.additional.type_info_dic.slice_0",
              "5000_1:KERNEL_AICORE\n5000_2:KERNEL_AICPU\n5000_3:NOTIFY_WAIT\n10000_1:launch\n5500_1:"
              "master\n");
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

/* ---- the host ---- */

static void api(unsigned level, uint64_t begin, uint64_t end, uint64_t item)
{
    unsigned char p[40];

    prof_api(p, level, 1, 1, begin, end, item);
    append(&apis, p, sizeof p);
}

static void track(uint64_t time, unsigned stream, unsigned task, unsigned type)
{
    unsigned char p[64];

    prof_head(p, sizeof p, PROF_L_RUNTIME, 0, 1, time);
    put_le(p + 26, stream, 2);
    put_le(p + 28, task, 2);
    put_le(p + 32, type, 8);
    append(&tracks, p, sizeof p);
}

/* An op in a node call of 90 ticks, with a task. */
static void op(uint64_t begin, uint64_t name, unsigned stream, unsigned task, bool aicore)
{
    unsigned char p[64];

    api(PROF_L_NODE, begin, begin + 90, name);
    prof_head(p, sizeof p, PROF_L_NODE, 0, 1, begin + 10);
    put_le(p + 24, name, 8);
    put_le(p + 32, aicore ? 0 : 1, 4);
    put_le(p + 36, name, 8);
    append(&basics, p, sizeof p);
    track(begin + 50, stream, task, aicore ? 1 : 2);
}

static void mc2(uint64_t group, unsigned server, unsigned stream, unsigned n)
{
    unsigned char p[EACH];

    prof_head(p, EACH, PROF_L_COMMUNICATION, 0, 1, 7000);
    put_le(p + 24, group, 8);
    put_le(p + 32, 8, 4);
    put_le(p + 44, server, 4);
    put_le(p + 48, n, 4);
    for (unsigned i = 0; i < n; i++)
        put_le(p + 52 + 4 * i, stream + i, 4);
    append(&mc2s, p, sizeof p);
}

/* ---- the device ---- */

#define SQE_AI_CORE 0
#define SQE_AI_CPU  1
#define SQE_SDMA    11
#define SQE_C_CORE  20

static void task(unsigned stream, unsigned id, unsigned sqe, uint64_t start, uint64_t end)
{
    unsigned char p[64];

    for (unsigned k = 0; k < 2; k++) {
        memset(p, 0, sizeof p);
        put_le(p, k | sqe << 10, 2);
        put_le(p + 2, PROF_STARS_MARK, 2);
        put_le(p + 4, stream, 2);
        put_le(p + 6, id, 2);
        put_le(p + 8, k ? end : start, 8);
        append(&stars, p, sizeof p);
    }
}

/* What an AI CPU tells of a task when it issues it. */
static void info(uint64_t time, uint64_t item, unsigned stream, unsigned id, uint64_t size, unsigned rdma)
{
    unsigned char p[EACH];
    double estimated = 1.5;
    uint64_t bits;

    memcpy(&bits, &estimated, sizeof bits);
    prof_head(p, EACH, PROF_L_AICPU, 13, 1, time);
    put_le(p + 24, item, 8);
    put_le(p + 40, GROUP, 8);
    put_le(p + 48, 1, 4);
    put_le(p + 52, 2, 4);
    put_le(p + 56, 8, 4);
    put_le(p + 64, 77, 8);
    put_le(p + 72, time, 8);
    put_le(p + 80, bits, 8);
    put_le(p + 104, size, 8);
    put_le(p + 112, id, 4);
    put_le(p + 120, stream, 2);
    put_le(p + 122, 5, 2);
    put_le(p + 124, 0, 1);
    put_le(p + 125, 4, 1);
    put_le(p + 126, 1, 1);
    put_le(p + 127, 0, 1);
    put_le(p + 128, rdma, 1);
    put_le(p + 129, 1, 1);
    append(&aicpu, p, sizeof p);
}

static void said(uint64_t time, unsigned stream, unsigned id)
{
    unsigned char p[EACH];

    prof_head(p, EACH, PROF_L_AICPU, 10, 1, time);
    put_le(p + 24, 3, 1);
    put_le(p + 25, 4, 1);
    put_le(p + 26, 8, 8);
    put_le(p + 34, 1000, 8);
    put_le(p + 42, GROUP, 8);
    put_le(p + 50, 16, 4);
    put_le(p + 54, stream, 2);
    put_le(p + 56, id, 4);
    append(&aicpu, p, sizeof p);
}

static void edge(uint64_t time, unsigned kernel_stream, unsigned stream, unsigned id, bool last)
{
    unsigned char p[EACH];

    prof_head(p, EACH, PROF_L_AICPU, 12, 1, time);
    put_le(p + 24, kernel_stream, 2);
    put_le(p + 26, 6, 2);
    put_le(p + 28, stream, 2);
    put_le(p + 30, id, 2);
    put_le(p + 32, last, 2);
    append(&aicpu, p, sizeof p);
}

static void write_all(void)
{
    static const char *const names[] = { HOST "aging.api_event.data.slice_0",
                                         HOST "aging.compact.node_basic_info.slice_0",
                                         HOST "aging.compact.task_track.slice_0",
                                         HOST "aging.additional.hccl_info.slice_0",
                                         HOST "aging.additional.mc2_comm_info.slice_0",
                                         DEVICE "aicpu.data.0.slice_0",
                                         DEVICE "stars_soc.data.0.slice_0" };

    for (size_t i = 0; i < ARRAY_LEN(bufs); i++)
        if (bufs[i]->n)
            tree_file_n(&tree, names[i], bufs[i]->p, bufs[i]->n);
}

/* ---- the cases ---- */

/*
 * A server on stream 5 runs two kernels and is set up by a third; the group's tasks are on streams 30 (which
 * leads it) and 31. Another op computes while the first one runs.
 */
static void server_case(bool told)
{
    mc2(GROUP, 5, 30, 2);
    op(8000, 14, 5, 5, false);
    op(8100, 9, 5, 6, false);
    op(8200, 9, 5, 7, false);
    op(8300, 10, 6, 1, true);
    task(5, 5, SQE_AI_CPU, 3100, 3900);
    task(5, 6, SQE_AI_CPU, 4000, 5000);
    task(5, 7, SQE_AI_CPU, 6000, 7000);
    task(6, 1, SQE_AI_CORE, 4500, 5500);
    task(31, 1, SQE_SDMA, 4120, 4170);
    task(30, 1, SQE_C_CORE, 4150, 4180);
    task(30, 2, SQE_SDMA, 4200, 4300);
    task(31, 2, SQE_SDMA, 4310, 4400);
    task(30, 3, SQE_C_CORE, 6100, 6150);
    task(31, 3, SQE_SDMA, 6200, 6900);
    task(31, 4, SQE_SDMA, 6950, 7010); /* ends behind its kernel: of no op */
    if (told) {
        info(4010, 7, 31, 1, 1000, 255);
        info(4010, 6, 30, 1, 0, 255);
        info(4020, 7, 30, 2, 2000, 255);
        info(4030, 7, 31, 2, 3600, 255);
        info(6010, 6, 30, 3, 0, 255);
        info(6020, 7, 31, 3, 14000, 255);
        info(6030, 7, 31, 4, 100, 255);
        info(6040, 7, 31, 9, 100, 255); /* never ran */
    }
    write_all();
}

/*
 * An op of the host that AI CPUs expand: its own task on stream 2, the kernel that carries it out on stream
 * 7; that tells its first and last task, on stream 40, which leads the group; streams 41 is of the group too.
 */
static void expanded_case(void)
{
    unsigned char p[EACH];

    mc2(GROUP, 99, 40, 2);
    api(PROF_L_NODE, 9000, 9900, 11);
    api(PROF_L_COMMUNICATION, 9010, 9100, 6);
    prof_head(p, EACH, PROF_L_COMMUNICATION, 0, 1, 9050);
    put_le(p + 24, 6, 8);
    put_le(p + 40, GROUP, 8);
    put_le(p + 56, 8, 4);
    append(&hccls, p, sizeof p);
    track(9060, 2, 1, 3);
    prof_head(p, 64, PROF_L_NODE, 0, 1, 9800);
    put_le(p + 24, 11, 8);
    put_le(p + 32, 9, 4);
    put_le(p + 36, 11, 8);
    append(&basics, p, 64);
    op(9200, 10, 6, 1, true); /* an op within it that is not the last */
    op(9300, 12, 7, 1, false);
    task(2, 1, 7, 4000, 5600);
    task(7, 1, SQE_AI_CPU, 4000, 5500);
    task(6, 1, SQE_AI_CORE, 3500, 3600);
    task(40, 1, SQE_SDMA, 3900, 4200); /* the first: it waited long before */
    task(41, 1, SQE_SDMA, 4220, 4300);
    task(40, 2, SQE_SDMA, 4300, 4600);
    task(40, 3, SQE_SDMA, 4650, 4700); /* the last */
    task(40, 4, SQE_SDMA, 4800, 4900); /* of nothing */
    said(4050, 7, 1);
    edge(4060, 7, 40, 1, false);
    info(4060, 6, 40, 1, 0, 255);
    info(4070, 7, 41, 1, 1 << 10, 255);
    info(4080, 7, 40, 2, 1 << 10, 255);
    info(4090, 6, 40, 3, 0, 255);
    info(4095, 6, 40, 4, 0, 255);
    edge(4090, 7, 40, 3, true);
    write_all();
}

/* ---- derivation ---- */

struct whole {
    struct prof_host h;
    struct prof_device d;
    struct prof_comm comm;
};

static const struct prof_how all = { .to = UINT64_MAX };

static const struct prof_kfc_comm *derive(struct whole *w)
{
    struct err e = ERR_INIT;

    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    assert_int_equal(prof_host_read(&w->h, c.p, &e), OK);
    assert_int_equal(prof_device_read(&w->d, c.p, c.p->device[0], &w->h, &e), OK);
    assert_int_equal(prof_comm_make(&w->comm, c.p, &w->d, &w->h, &all, &e), OK);
    return w->comm.kfc;
}

static void forget(struct whole *w)
{
    prof_comm_done(&w->comm);
    prof_device_done(&w->d);
    prof_host_done(&w->h);
    prof_case_close(&c);
}

static void check_text(uint32_t id, const char *want)
{
    struct str s = prof_str(c.p, id);

    if (!str_eq(s, str_of(want)))
        fail_msg("%.*s, not %s", (int)s.n, s.p, want);
}

static void check_task(const struct whole *w, size_t i, uint64_t start, int plane, bool master)
{
    const struct prof_kfc_task *t = &w->comm.kfc->task[i];

    assert_int_equal(w->d.task[t->task].start, start);
    assert_int_equal(t->plane, plane);
    assert_int_equal(t->master, master);
}

static void kernels_of_servers_are_ops(void **state)
{
    struct whole w;

    (void)state;
    server_case(true);
    const struct prof_kfc_comm *k = derive(&w);
    assert_non_null(k);
    assert_int_equal(k->n_runs, 2); /* not the one that sets up */
    assert_int_equal(k->n_tasks, 6);
    const struct prof_kfc_run *r = k->run;
    check_text(r[0].name, "MatmulAllReduceAicpu_452_0_1");
    check_text(r[1].name, "MatmulAllReduceAicpu_452_1_1");
    check_text(r[0].group, "1005452");
    check_text(r[0].group_name, "group_a");
    assert_true(prof_kfc_is_shown(&r[0]));
    assert_int_equal(r[0].start, 4000);
    assert_int_equal(r[0].n, 4);
    /* the task on stream 31 that ended before anything led the group is none of its masters' */
    check_task(&w, 0, 4120, 1, false);
    check_task(&w, 1, 4150, 0, true);
    check_task(&w, 2, 4200, 0, true);
    check_task(&w, 3, 4310, 1, false);
    assert_int_equal(r[0].from, 4150);
    assert_int_equal(r[0].to, 4300);
    assert_int_equal(r[1].at, 4);
    assert_int_equal(r[1].n, 2);
    check_task(&w, 4, 6100, 0, true);
    check_task(&w, 5, 6200, 1, false);
    assert_int_equal(r[1].from, 6100);
    assert_int_equal(r[1].to, 6150);
    /* 1000 bytes in 50 ticks of 20 ns */
    assert_true(k->task[0].bandwidth > 0.99 && k->task[0].bandwidth < 1.01);
    assert_true(k->task[5].bandwidth > 0.99 && k->task[5].bandwidth < 1.01);
    forget(&w);
}

static void level_0_reports_no_planes(void **state)
{
    struct whole w;

    (void)state;
    server_case(false);
    const struct prof_kfc_comm *k = derive(&w);
    assert_int_equal(k->n_tasks, 6);
    check_task(&w, 1, 4150, -1, true);
    check_task(&w, 3, 4310, -1, false);
    assert_int_equal(k->task[1].info, PROF_NONE);
    assert_int_equal(k->run[0].from, 4150);
    forget(&w);
}

static void kernels_carry_out_ops_of_the_host(void **state)
{
    struct whole w;

    (void)state;
    expanded_case();
    const struct prof_kfc_comm *k = derive(&w);
    assert_int_equal(w.comm.n_runs, 1);
    check_text(w.comm.run[0].name, "hcom_allReduce__452_0_1");
    assert_int_equal(k->n_runs, 1);
    const struct prof_kfc_run *r = k->run;
    assert_true(r->expanded);
    assert_false(prof_kfc_is_shown(r));
    check_text(r->name, "hcom_allReduce__452_0_1");
    check_text(r->group, "1005452");
    assert_int_equal(r->same, 0);
    assert_int_equal(r->start, 3900); /* of its first task */
    assert_int_equal(r->end, 4700);
    assert_int_equal(r->n, 4);
    check_task(&w, 0, 3900, 1, false);
    check_task(&w, 1, 4220, 2, false);
    check_task(&w, 2, 4300, 1, true);
    check_task(&w, 3, 4650, 1, true);
    struct prof_comm_flags is = prof_comm_flags(&w.comm, &w.h, &w.comm.run[0]);
    assert_int_equal(is.relay, 1);
    assert_int_equal(is.retry, 1);
    forget(&w);
}

/* Three tasks behind the last payload of a name that sends: the run is closed by the one after it. */
static void payload_has_the_bandwidth_of_its_run(void **state)
{
    struct whole w;

    (void)state;
    mc2(GROUP, 5, 30, 2);
    op(8100, 9, 5, 6, false);
    task(5, 6, SQE_AI_CPU, 4000, 5000);
    for (unsigned i = 1; i <= 4; i++) {
        task(30, i, i == 1 ? SQE_C_CORE : SQE_SDMA, 4000 + 100 * i, 4050 + 100 * i);
        info(4000 + 10 * i, 13, 30, i, 1000, i <= 2);
    }
    write_all();
    const struct prof_kfc_comm *k = derive(&w);
    assert_int_equal(k->n_tasks, 4);
    /* two payloads issued at 4010, closed by what was issued at 4040 and took 50: 80 ticks of 20 ns */
    for (unsigned i = 0; i < 2; i++)
        assert_true(k->task[i].bandwidth > 1.249 && k->task[i].bandwidth < 1.251);
    assert_true(k->task[2].bandwidth > 0.99 && k->task[2].bandwidth < 1.01);
    forget(&w);
}

static void overlap_has_their_ops(void **state)
{
    struct prof_overlap o = { .of = { { .n = 0 } } };
    struct err e = ERR_INIT;
    struct whole w;

    (void)state;
    server_case(true);
    (void)derive(&w);
    assert_int_equal(prof_overlap_make(&o, c.p, &w.d, &w.h, &w.comm, &all, &e), OK);
    assert_int_equal(o.of[OVERLAP_COMPUTING].n, 1); /* no kernel of the server */
    assert_int_equal(o.of[OVERLAP_COMPUTING].v[0].from, 4500);
    assert_int_equal(o.of[OVERLAP_COMM].n, 2);
    assert_int_equal(o.of[OVERLAP_COMM].v[0].from, 4150);
    assert_int_equal(o.of[OVERLAP_COMM].v[0].to, 4300);
    assert_int_equal(o.of[OVERLAP_COMM].v[1].from, 6100);
    prof_overlap_done(&o);
    forget(&w);
}

/* ---- files ---- */

static void export_all(unsigned what)
{
    char dir[600];
    const struct msprof_options o = { .what = what, .dir = dir, .stamp = STAMP };
    struct emit_report *report;
    struct err e = ERR_INIT;

    snprintf(dir, sizeof dir, "%s", tree_path(&tree, "out"));
    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    assert_int_equal(emit_report_new(&report, &e), OK);
    assert_int_equal(msprof_export(c.job->units[0], STR(""), &o, report, &e), OK);
    emit_report_free(report);
    prof_case_close(&c);
}

static const char *trace_of(void)
{
    static char text[1 << 16];
    FILE *f = fopen(tree_path(&tree, "out/mindstudio_profiler_output/msprof_" STAMP ".json"), "r");

    assert_non_null(f);
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = '\0';
    return text;
}

static void has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no %s in\n%s", part, text);
}

static void trace_has_groups_of_ai_cpus(void **state)
{
    (void)state;
    server_case(true);
    export_all(MSPROF_TIMELINE);
    const char *text = trace_of();
    has(text, "\"args\":{\"name\":\"Group group_a Aicpu Communication\"}");
    has(text, "\"args\":{\"name\":\"Plane 1\"}");
    has(text, "{\"name\":\"MatmulAllReduceAicpu_452_0_1\",\"pid\":79360,\"tid\":0,\"ts\":"
              "\"5000023.000\",\"dur\":3.0,\"ph\":\"X\",\"args\":{\"rank_size\":4294967295,"
              "\"connection_id\":2,\"model id\":4294967295,\"data_type\":\"N/A\",\"alg_type\":"
              "\"N/A\",\"count\":4294967295,\"relay\":\"no\",\"retry\":\"no\"}}");
    has(text, "{\"name\":\"HostToDevice8589934592\",\"pid\":79360,\"tid\":0,\"ph\":\"f\"");
    has(text, "{\"name\":\"Memcpy\",\"pid\":79360,\"tid\":2,\"ts\":\"5000022.400\",\"dur\":1.0,"
              "\"ph\":\"X\",\"args\":{\"notify_id\":\"77\",\"duration estimated(us)\":1.5,\"stream "
              "id\":31,\"task id\":1,\"context id\":4294967295,\"task type\":\"Memcpy\",\"src "
              "rank\":1,\"dst rank\":2,\"transport type\":\"SDMA\",\"size(Byte)\":1000,\"data "
              "type\":\"FP32\",\"link type\":\"HCCS\",\"bandwidth(GB/s)\":1.0,\"model "
              "id\":4294967295}}");
    has(text, "{\"name\":\"Communication\",\"pid\":79840,\"tid\":1,\"ts\":\"5000023.000\",\"dur\":3.0");
}

static void trace_has_planes_of_expanded_ops(void **state)
{
    (void)state;
    expanded_case();
    export_all(MSPROF_TIMELINE);
    const char *text = trace_of();
    has(text, "\"args\":{\"name\":\"Group group_a Communication\"}");
    assert_null(strstr(text, "Aicpu Communication"));
    has(text, "\"relay\":\"yes\",\"retry\":\"yes\"");
    has(text, "\"args\":{\"name\":\"Plane 2\"}");
    has(text, "{\"name\":\"Memcpy\",\"pid\":79360,\"tid\":3,");
}

/* T(column) stands for the text of a column. */
static const char *sql_of(const char *query)
{
    static char sql[2000];
    size_t n = 0;

    for (const char *q = query; *q && n < sizeof sql - 64; q++)
        if (!strncmp(q, "T(", 2) && (q == query || q[-1] == ' ')) {
            n += (size_t)snprintf(sql + n, sizeof sql - n, "(SELECT value FROM STRING_IDS WHERE id = ");
            q++;
        } else {
            sql[n++] = *q;
        }
    sql[n] = '\0';
    return sql;
}

static char *rows_of(const char *query)
{
    static struct buf b;
    sqlite3 *db;
    sqlite3_stmt *st;

    buf_done(&b);
    buf_init(&b, 1 << 16);
    assert_int_equal(
        sqlite3_open_v2(tree_path(&tree, "out/msprof_" STAMP ".db"), &db, SQLITE_OPEN_READONLY, NULL),
        SQLITE_OK);
    if (sqlite3_prepare_v2(db, sql_of(query), -1, &st, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
    while (sqlite3_step(st) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(st); i++)
            buf_printf(&b, "%s%c", (const char *)sqlite3_column_text(st, i),
                       i + 1 < sqlite3_column_count(st) ? '|' : '\n');
    sqlite3_finalize(st);
    sqlite3_close(db);
    return b.p;
}

static void database_has_ops(void **state)
{
    (void)state;
    server_case(true);
    export_all(MSPROF_DB);
    assert_string_equal(
        rows_of("SELECT T(opName), startNs, endNs, connectionId, T(groupName), relay, retry, "
                "dataType, T(algType), count, T(opType), deviceId, rankSize "
                "FROM COMMUNICATION_OP ORDER BY 2"),
        "MatmulAllReduceAicpu_452_0_1|5000023000|5000026000|2|group_a Aicpu|-1|-1|65534|N/A|-1|"
        "MatmulAllReduceAicpu|0|4294967295\n"
        "MatmulAllReduceAicpu_452_1_1|5000062000|5000063000|3|group_a Aicpu|-1|-1|65534|N/A|-1|"
        "MatmulAllReduceAicpu|0|4294967295\n");
}

static void database_has_tasks(void **state)
{
    (void)state;
    server_case(true);
    export_all(MSPROF_DB);
    assert_string_equal(
        rows_of("SELECT T(c.name), t.startNs, T(c.taskType), planeId, T(c.groupName), notifyId, "
                "rdmaType, srcRank, dstRank, transportType, size, c.dataType, linkType, isMaster, "
                "CAST(bandwidth AS INTEGER), o.startNs FROM COMMUNICATION_TASK_INFO c "
                "JOIN TASK t USING (globalTaskId) JOIN COMMUNICATION_OP o USING (opId) "
                "ORDER BY t.startNs LIMIT 3"),
        "MatmulAllReduceAicpu_452_0_1|5000022400|Memcpy|1|group_a Aicpu|77|255|1|2|0|1000|4|1|0|"
        "1000000000|5000023000\n"
        "MatmulAllReduceAicpu_452_0_1|5000023000|Notify_Wait|0|group_a Aicpu|77|255|1|2|0|0|4|1|1|"
        "0|5000023000\n"
        "MatmulAllReduceAicpu_452_0_1|5000024000|Memcpy|0|group_a Aicpu|77|255|1|2|0|2000|4|1|1|"
        "1000000000|5000023000\n");
}

static void database_has_kernels(void **state)
{
    (void)state;
    server_case(true);
    export_all(MSPROF_DB);
    assert_string_equal(
        rows_of("SELECT T(s.name), startNs, T(s.taskType), T(opType) FROM "
                "COMMUNICATION_SCHEDULE_TASK_INFO s JOIN TASK t USING (globalTaskId) ORDER BY 2"),
        "hcomAicpuInit|5000002000|AI_CPU|hcomAicpuInit\n"
        "MatmulAllReduceAicpu|5000020000|AI_CPU|MatmulAllReduceAicpu\n"
        "MatmulAllReduceAicpu|5000060000|AI_CPU|MatmulAllReduceAicpu\n");
    assert_string_equal(rows_of("SELECT T(name) FROM COMPUTE_TASK_INFO"), "Add\n");
    assert_string_equal(rows_of("SELECT startNs, endNs FROM OVERLAP_ANALYSIS WHERE type = 1"),
                        "5000023000|5000026000\n5000062000|5000063000\n");
}

static void database_has_tasks_of_expanded_ops(void **state)
{
    (void)state;
    expanded_case();
    export_all(MSPROF_DB);
    assert_string_equal(
        rows_of("SELECT T(opName), relay, retry, (SELECT count(*) FROM COMMUNICATION_TASK_INFO c "
                "WHERE c.opId = o.opId) FROM COMMUNICATION_OP o"),
        "hcom_allReduce__452_0_1|1|1|5\n");
    assert_string_equal(rows_of("SELECT T(groupName), planeId, isMaster, count(*) FROM "
                                "COMMUNICATION_TASK_INFO GROUP BY 1, 2, 3"),
                        "group_a|0|1|1\ngroup_a|1|0|1\ngroup_a|1|1|2\ngroup_a|2|0|1\n");
}

/* ---- the store ---- */

static void import_all(void)
{
    struct err e = ERR_INIT;
    struct job *job = NULL;
    char path[600];

    tree_file(&tree, "out/.keep", "");
    snprintf(path, sizeof path, "%s", tree_path(&tree, "out/run.npus"));
    const struct import_opts o = { .store_path = path };
    assert_int_equal(import_scan(&job, tree_path(&tree, PROF_NAME), &e), OK);
    assert_int_equal(import_unit(job->units[0], &o, NULL, NULL, &e), OK);
    job_free(job);
}

static const char *stored(const char *sql)
{
    static char text[4000];
    struct err e = ERR_INIT;
    struct store *s = NULL;
    struct query *q = NULL;
    size_t n = 0;

    assert_int_equal(store_open(&s, tree_path(&tree, "out/run.npus"), false, &e), OK);
    if (store_query(s, &q, sql, &e))
        fail_msg("%s", e.text);
    text[0] = '\0';
    while (query_step(q, &e) == 1)
        for (size_t i = 0; i < query_columns(q) && n < sizeof text; i++) {
            struct val v = query_val(q, i);
            char end = i + 1 < query_columns(q) ? '|' : '\n';
            n += (size_t)(v.t == VAL_TEXT
                              ? snprintf(text + n, sizeof text - n, "%.*s%c", (int)v.s.n, v.s.p, end)
                              : snprintf(text + n, sizeof text - n, "%lld%c", (long long)v.i, end));
        }
    query_free(q);
    store_close(s);
    return text;
}

#define NAME(id) "(SELECT text FROM string WHERE id = " id ")"

static void store_has_ops_and_overlap(void **state)
{
    (void)state;
    server_case(true);
    import_all();
    assert_string_equal(
        stored("SELECT " NAME("name_id") ", " NAME("group_id") ", dur_ns, transit_ns, wait_ns, "
                                                               "size_b FROM comm_exec ORDER BY ts_ns"),
        "MatmulAllReduceAicpu_452_0_1|1005452|3000|2000|600|6600\n"
        "MatmulAllReduceAicpu_452_1_1|1005452|1000|0|1000|14000\n");
    assert_string_equal(stored("SELECT " NAME("t.name_id") ", " NAME(
                            "e.name_id") ", e.dur_ns FROM event e JOIN "
                                         "track t ON t.id = e.track_id WHERE t.kind = 'plane' AND " NAME(
                                             "t.name_id") " = 'Group group_a' ORDER BY e.ts_ns"),
                        "Group group_a|MatmulAllReduceAicpu_452_0_1|3000\n"
                        "Group group_a|MatmulAllReduceAicpu_452_1_1|1000\n");
    /* what the server runs is none that computes */
    assert_string_equal(
        stored("SELECT " NAME("t.name_id") ", e.dur_ns FROM event e JOIN track t ON t.id = "
                                           "e.track_id WHERE t.kind = 'overlap' AND t.sort < 2 "
                                           "ORDER BY t.sort, e.ts_ns"),
        "Computing|20000\nCommunication|3000\nCommunication|1000\n");
    assert_string_equal(stored("SELECT DISTINCT core FROM op ORDER BY 1"), "AIC\nHCCL\n");
}

static void store_has_what_expanded_ops_moved(void **state)
{
    (void)state;
    expanded_case();
    import_all();
    assert_string_equal(stored("SELECT " NAME("name_id") ", size_b FROM comm_exec"),
                        "hcom_allReduce__452_0_1|2048\n");
}

/* ---- damage ---- */

/* Any byte of what the AI CPU or the groups say may be wrong. */
static void flips_do_no_harm(void **state)
{
    static char a[32 * EACH], m[EACH];
    struct whole w;
    struct err e = ERR_INIT;

    (void)state;
    expanded_case();
    assert_true(aicpu.n <= sizeof a && mc2s.n <= sizeof m);
    for (size_t at = 24; at < aicpu.n; at += at % EACH == 129 ? 24 + EACH - 129 : 1) {
        memcpy(a, aicpu.p, aicpu.n);
        a[at] = (char)(a[at] ^ 0xff);
        memcpy(m, mc2s.p, mc2s.n);
        m[24 + at % 60] = (char)(m[24 + at % 60] ^ (at % 2 ? 0xff : 0));
        tree_file_n(&tree, DEVICE "aicpu.data.0.slice_0", a, aicpu.n);
        tree_file_n(&tree, HOST "aging.additional.mc2_comm_info.slice_0", m, mc2s.n);
        struct prof_overlap o = { .of = { { .n = 0 } } };
        const struct prof_kfc_comm *k = derive(&w);
        assert_int_equal(prof_overlap_make(&o, c.p, &w.d, &w.h, &w.comm, &all, &e), OK);
        for (size_t i = 0; k && i < k->n_tasks; i++)
            assert_true(k->task[i].run < k->n_runs && k->task[i].task < w.d.n_tasks);
        prof_overlap_done(&o);
        forget(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(kernels_of_servers_are_ops, set_up, tear_down),
        cmocka_unit_test_setup_teardown(level_0_reports_no_planes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(kernels_carry_out_ops_of_the_host, set_up, tear_down),
        cmocka_unit_test_setup_teardown(payload_has_the_bandwidth_of_its_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(overlap_has_their_ops, set_up, tear_down),
        cmocka_unit_test_setup_teardown(trace_has_groups_of_ai_cpus, set_up, tear_down),
        cmocka_unit_test_setup_teardown(trace_has_planes_of_expanded_ops, set_up, tear_down),
        cmocka_unit_test_setup_teardown(database_has_ops, set_up, tear_down),
        cmocka_unit_test_setup_teardown(database_has_tasks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(database_has_kernels, set_up, tear_down),
        cmocka_unit_test_setup_teardown(database_has_tasks_of_expanded_ops, set_up, tear_down),
        cmocka_unit_test_setup_teardown(store_has_ops_and_overlap, set_up, tear_down),
        cmocka_unit_test_setup_teardown(store_has_what_expanded_ops_moved, set_up, tear_down),
        cmocka_unit_test_setup_teardown(flips_do_no_harm, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
