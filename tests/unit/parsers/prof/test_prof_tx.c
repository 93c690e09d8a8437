/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks and ranges of the program: segments, order, what devices met, rows of the store, msprof's table and
 * traces.
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
#include "parsers/prof/host/tx.h"
#include "store/store.h"
#include "tests/unit/parsers/prof/prof_case.h"

#define HOST   PROF_NAME "/host/data/"
#define DEVICE PROF_NAME "/device_0/data/"
#define STAMP  "20260102030405"
#define TX_B   256
#define TS_B   40

static struct tree tree;
static struct prof_case c;

static int set_up(void **state)
{
    (void)state;
    tree_new(&tree);
    prof_info_files(&tree, 5);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tree_done(&tree);
    return 0;
}

/* ---- records ---- */

struct tx {
    unsigned kind, segment, event, category;
    uint64_t start, end, mark, domain;
    const char *message;
};

static void add_tx(struct buf *b, const struct tx *x)
{
    unsigned char p[TX_B];

    prof_head(p, sizeof p, PROF_L_MSPROFTX, 0, 1, x->start);
    put_le(p + 24, x->kind, 2);
    put_le(p + 26, x->segment, 2);
    put_le(p + 36, 77, 4);
    put_le(p + 40, 9, 4);
    put_le(p + 44, x->category, 4);
    put_le(p + 48, x->event, 4);
    put_le(p + 52, (uint64_t)-1, 4);
    put_le(p + 56, 1000, 8);
    put_le(p + 64, x->start, 8);
    put_le(p + 72, x->end, 8);
    put_le(p + 80, x->mark, 8);
    put_le(p + 88, x->domain, 8);
    put_le(p + 96, 2, 4);
    memcpy(p + 100, x->message, strlen(x->message));
    buf_add(b, (struct str){ (const char *)p, sizeof p });
}

static void write_tx(const struct tx *x, size_t n)
{
    struct buf b;

    buf_init(&b, 1 << 21);
    for (size_t i = 0; i < n; i++)
        add_tx(&b, &x[i]);
    tree_file_n(&tree, HOST "unaging.additional.msproftx.slice_0", b.p, b.n);
    buf_done(&b);
    tree_file(&tree, HOST "unaging.additional.hash_dic.slice_0", "5:default\n");
}

struct met {
    unsigned tag, stream, task;
    uint64_t index, counter;
};

static void write_met(const struct met *x, size_t n)
{
    unsigned char p[TS_B];
    struct buf b;

    buf_init(&b, 1 << 20);
    for (size_t i = 0; i < n; i++) {
        memset(p, 0, sizeof p);
        put_le(p + 1, 10, 1);
        put_le(p + 8, x[i].counter, 8);
        put_le(p + 16, x[i].index, 8);
        put_le(p + 24, 4, 8);
        put_le(p + 32, x[i].stream, 2);
        put_le(p + 34, x[i].task, 2);
        put_le(p + 36, x[i].tag, 2);
        buf_add(&b, (struct str){ (const char *)p, sizeof p });
    }
    tree_file_n(&tree, DEVICE "ts_track.data.0.slice_0", b.p, b.n);
    buf_done(&b);
}

static void write_version(const char *version)
{
    char text[600];

    snprintf(text, sizeof text,
             "{\"platform_version\": \"5\", \"pid\": \"77\", \"cannVersion\": \"%s\", "
             "\"CPU\": [{\"Frequency\": \"100.000000\"}], \"DeviceInfo\": "
             "[{\"hwts_frequency\": \"50.000000\", \"aic_frequency\": \"1850\"}]}",
             version);
    tree_file(&tree, PROF_NAME "/device_0/info.json.0", text);
}

static void open_case(void)
{
    struct err e = ERR_INIT;

    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
}

/* ---- the host ---- */

static const struct tx three[] = {
    { 1, 1, 2, 0, 7300, 7400, 40, 5, "of a range" },
    { 0, 0, 1, 3, 7200, 7250, 0, 0, "push" },
    { 1, 0, 2, 0, 7300, 7400, 40, 5, "two parts " },
    { 1, 0, 3, 0, 7100, 7100, 30, 6, "mark" },
};

static void tx_segments_are_joined(void **state)
{
    struct err e = ERR_INIT;
    struct prof_txs x;

    (void)state;
    write_tx(three, ARRAY_LEN(three));
    open_case();
    assert_int_equal(prof_txs_read(&x, c.p, &e), OK);
    assert_int_equal(x.n, 3);
    assert_int_equal(x.n_host, 1);
    assert_true(str_eq(prof_str(c.p, x.v[0].message), STR("push")));
    assert_int_equal(x.v[0].category, 3);
    assert_int_equal(x.v[0].payload_type, -1);
    assert_int_equal(x.v[0].payload, 1000);
    assert_int_equal(x.v[0].message_type, 2);
    assert_int_equal(x.v[0].pid, 77);
    assert_int_equal(x.v[0].thread, 9);
    assert_int_equal(x.v[0].domain, PROF_NONE);
    assert_true(str_eq(prof_str(c.p, x.v[1].message), STR("two parts of a range")));
    assert_true(str_eq(prof_str(c.p, x.v[1].domain), STR("default")));
    assert_int_equal(x.v[1].start, 7300);
    assert_int_equal(x.v[1].end, 7400);
    assert_int_equal(x.v[1].event, 2);
    assert_true(str_eq(prof_str(c.p, x.v[2].message), STR("mark")));
    assert_int_equal(x.v[2].domain, PROF_NONE); /* no hash of the dictionary */
    assert_ptr_equal(prof_txs_find(&x, 30), &x.v[2]);
    assert_ptr_equal(prof_txs_find(&x, 40), &x.v[1]);
    assert_null(prof_txs_find(&x, 35));
    assert_int_equal(sink_count_get(c.notes)->note_calls, 0);
    prof_txs_done(&x);
    prof_case_close(&c);
}

static void tx_text_without_a_part_is_reported(void **state)
{
    static const struct tx gap[] = { { 1, 0, 2, 0, 7300, 7400, 40, 5, "first " },
                                     { 1, 2, 2, 0, 7300, 7400, 40, 5, "third" },
                                     { 1, 1, 3, 0, 7500, 7500, 41, 5, "second" } };
    struct err e = ERR_INIT;
    struct prof_txs x;

    (void)state;
    write_tx(gap, ARRAY_LEN(gap));
    open_case();
    assert_int_equal(prof_txs_read(&x, c.p, &e), OK);
    assert_int_equal(x.n, 2);
    assert_true(str_eq(prof_str(c.p, x.v[0].message), STR("first third")));
    assert_int_equal(sink_count_get(c.notes)->note_calls, 1);
    prof_txs_done(&x);
    prof_case_close(&c);
}

static void tx_marks_of_one_number_stay_apart(void **state)
{
    static const struct tx again[] = {
        { 1, 0, 2, 0, 7300, 7400, 40, 5, "text " },  { 1, 1, 2, 0, 7300, 7400, 40, 5, "A" },
        { 1, 0, 3, 0, 7100, 7100, 30, 6, "mark" },   { 1, 0, 2, 0, 7500, 7600, 40, 5, "text " },
        { 1, 1, 2, 0, 7500, 7600, 40, 5, "B, and" }, { 1, 2, 2, 0, 7500, 7600, 40, 5, " more" },
    };
    struct err e = ERR_INIT;
    struct prof_txs x;

    (void)state;
    write_tx(again, ARRAY_LEN(again));
    open_case();
    assert_int_equal(prof_txs_read(&x, c.p, &e), OK);
    assert_int_equal(x.n, 3);
    assert_true(str_eq(prof_str(c.p, x.v[0].message), STR("text A")));
    assert_int_equal(x.v[0].start, 7300);
    assert_true(str_eq(prof_str(c.p, x.v[1].message), STR("mark")));
    assert_true(str_eq(prof_str(c.p, x.v[2].message), STR("text B, and more")));
    assert_int_equal(x.v[2].start, 7500);
    assert_ptr_equal(prof_txs_find(&x, 40), &x.v[0]);
    assert_int_equal(sink_count_get(c.notes)->notes[NOTE_INCONSISTENT], 1);
    assert_int_equal(sink_count_get(c.notes)->note_calls, 1);
    prof_txs_done(&x);
    prof_case_close(&c);
}

/* More segments than a text may have bytes of. */
static void tx_long_text_is_cut(void **state)
{
    enum { N = 6800 };
    char part[156];
    struct tx *v = calloc(N, sizeof *v);
    struct err e = ERR_INIT;
    struct prof_txs x;

    (void)state;
    assert_non_null(v);
    memset(part, 'x', sizeof part - 1);
    part[sizeof part - 1] = '\0';
    for (unsigned i = 0; i < N; i++)
        v[i] = (struct tx){ 1, i, 2, 0, 7300, 7400, 40, 5, part };
    write_tx(v, N);
    free(v);
    open_case();
    assert_int_equal(prof_txs_read(&x, c.p, &e), OK);
    assert_int_equal(x.n, 1);
    assert_int_equal(prof_str(c.p, x.v[0].message).n, 1 << 20);
    assert_int_equal(sink_count_get(c.notes)->notes[NOTE_CUT_TEXT], 1);
    assert_int_equal(sink_count_get(c.notes)->note_calls, 1);
    prof_txs_done(&x);
    prof_case_close(&c);
}

/* ---- devices ---- */

static const struct met some[] = {
    { 11, 2, 7, 40, 3500 }, { 11, 3, 8, 30, 3100 }, { 12, 2, 9, 50, 3600 },
    { 11, 2, 7, 40, 3900 }, { 12, 2, 9, 50, 3700 }, { 12, 5, 1, 60, 3800 },
};

static size_t read_met(struct prof_tx_met **met)
{
    const struct prof_host none = { .n_tasks = 0 };
    struct prof_device d;
    struct err e = ERR_INIT;
    size_t n;

    open_case();
    assert_int_equal(prof_device_read(&d, c.p, c.p->device[0], &none, &e), OK);
    assert_int_equal(prof_tx_met(&d, met, &n, &e), OK);
    prof_device_done(&d);
    prof_case_close(&c);
    return n;
}

static void is_met(const struct prof_tx_met *m, uint64_t mark, uint64_t start, uint64_t end, bool open)
{
    assert_int_equal(m->mark, mark);
    assert_int_equal(m->start, start);
    assert_int_equal(m->end, end);
    assert_int_equal(m->open, open);
}

static void met_of_older_versions_spans_its_number(void **state)
{
    struct prof_tx_met *met;

    (void)state;
    write_met(some, ARRAY_LEN(some));
    write_version("9.0.0-beta.1");
    assert_int_equal(read_met(&met), 4);
    is_met(&met[0], 30, 3100, 3100, false);
    is_met(&met[1], 40, 3500, 3900, false);
    is_met(&met[2], 50, 3600, 3700, false);
    is_met(&met[3], 60, 3800, 3800, false);
    assert_int_equal(met[1].stream, 2);
    assert_int_equal(met[1].task, 7);
    assert_int_equal(met[1].model, 4);
    free(met);
}

static void met_of_newer_versions_has_marks_and_ranges(void **state)
{
    struct prof_tx_met *met;

    (void)state;
    write_met(some, ARRAY_LEN(some));
    write_version("9.1.T100");
    assert_int_equal(read_met(&met), 5);
    is_met(&met[0], 30, 3100, 3100, false);
    is_met(&met[1], 40, 3500, 3500, false);
    is_met(&met[2], 40, 3900, 3900, false);
    is_met(&met[3], 50, 3600, 3700, false);
    is_met(&met[4], 60, 3800, 3800, true);
    free(met);
}

/* ---- the store ---- */

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

static void rows_of_marks_are_stages_and_tracks(void **state)
{
    struct err e = ERR_INIT;
    struct store *s = NULL;
    struct job *job = NULL;
    char path[600], text[2000];

    (void)state;
    write_tx(three, ARRAY_LEN(three));
    write_met(some, ARRAY_LEN(some));
    tree_file(&tree, "out/.keep", "");
    snprintf(path, sizeof path, "%s", tree_path(&tree, "out/run.npus"));
    const struct import_opts o = { .store_path = path };
    assert_int_equal(import_scan(&job, tree_path(&tree, PROF_NAME), &e), OK);
    assert_int_equal(import_unit(job->units[0], &o, NULL, NULL, &e), OK);
    job_free(job);
    assert_int_equal(store_open(&s, path, false, &e), OK);
    text_of(s,
            "SELECT " TEXT("name_id") ", level, end_ns - start_ns, dur_ns, thread, info, extra "
                                      "FROM host_stage ORDER BY start_ns",
            text, sizeof text);
    assert_string_equal(
        text, "mark|marker_ex|0|0|9||{\"pid\":\"77\",\"mark_id\":\"30\"}\n"
              "push|push/pop|500|500|9||{\"pid\":\"77\",\"category\":\"3\",\"payload_type\":\"-1\","
              "\"payload_value\":\"1000\",\"message_type\":\"2\"}\n"
              "two parts of a range|start/end|1000|1000|9|default|{\"pid\":\"77\",\"mark_id\":\"40\"}");
    /* host: (7200 - 7000) * 10 ns; device: (3500 - 3000) * 20 ns behind the beginning */
    text_of(s,
            "SELECT t.kind, " TEXT("t.process_id") ", " TEXT("t.name_id") ", " TEXT(
                "e.name_id") ", e.ts_ns - (SELECT min(ts_ns) FROM event), e.dur_ns "
                             "FROM event e JOIN track t ON t.id = e.track_id "
                             "WHERE t.kind <> 'flow' ORDER BY t.kind, e.ts_ns",
            text, sizeof text);
    assert_string_equal(text, "host_thread|msproftx|Thread 9|mark|0|0\n"
                              "host_thread|msproftx|Thread 9|push|1000|500\n"
                              "host_thread|msproftx|Thread 9|two parts of a range|2000|1000\n"
                              "scope|msproftx on the device|Stream 3|mark|1000|0\n"
                              "scope|msproftx on the device|Stream 2|two parts of a range|9000|8000\n"
                              "scope|msproftx on the device|Stream 2|mark|11000|2000\n"
                              "scope|msproftx on the device|Stream 5|mark|15000|0");
    store_close(s);
}

/* ---- the export ---- */

static void export_all(const char *out, bool compat)
{
    char dir[600];
    const struct msprof_options o = {
        .what = MSPROF_SUMMARY | MSPROF_TIMELINE, .dir = dir, .stamp = STAMP, .compat = compat
    };
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

static void table_has_what_devices_met(void **state)
{
    (void)state;
    write_tx(three, ARRAY_LEN(three));
    write_met(some, ARRAY_LEN(some));
    export_all("out", false);
    assert_string_equal(
        file_text("out", "msprof_tx_" STAMP ".csv"),
        "Device_id,pid,tid,category,event_type,payload_type,payload_value,Start_time(us),"
        "End_time(us),message_type,message,domain,Device Start_time(us),Device End_time(us)\n"
        "0,77,9,N/A,marker_ex,N/A,N/A,5000001.000\t,5000001.000\t,N/A,mark,invalid,"
        "5000002.000\t,5000002.000\t\n"
        "host,77,9,3,push/pop,-1,1000,5000002.000\t,5000002.500\t,2,push,N/A,N/A,N/A\n"
        "0,77,9,N/A,start/end,N/A,N/A,5000003.000\t,5000004.000\t,N/A,two parts of a range,default,"
        "5000010.000\t,5000018.000\t\n");
}

#define PID_HOST "\"pid\":79071"
#define PID_NPU  "\"pid\":79296"

static void trace_of_marks_is_whole(void **state)
{
    const char *text;

    (void)state;
    write_tx(three, ARRAY_LEN(three));
    write_met(some, 2);
    export_all("out", false);
    text = file_text("out", "msprof_tx_" STAMP ".json");
    assert_string_equal(
        text, "[{\"name\":\"push\"," PID_HOST ",\"tid\":9,\"ts\":\"5000002.000\",\"dur\":0.5,\"ph\":\"X\","
              "\"args\":{\"Category\":\"3\",\"Payload_type\":4294967295,\"Payload_value\":1000,"
              "\"Message_type\":2,\"event_type\":\"push/pop\"}},"
              "{\"name\":\"two parts of a range\"," PID_HOST ",\"tid\":9,\"ts\":\"5000003.000\","
              "\"dur\":1.0,\"ph\":\"X\",\"args\":{\"event_type\":\"start/end\",\"domain\":\"default\"}},"
              "{\"name\":\"MsTx_4000000041\"," PID_HOST ",\"tid\":9,\"ph\":\"s\",\"cat\":\"MsTx\","
              "\"id\":\"4000000041\",\"ts\":\"5000003.000\"},"
              "{\"name\":\"mark\"," PID_HOST ",\"tid\":9,\"ts\":\"5000001.000\",\"dur\":0.0,\"ph\":\"X\","
              "\"args\":{\"event_type\":\"marker_ex\",\"domain\":\"invalid\"}},"
              "{\"name\":\"MsTx_4000000031\"," PID_HOST ",\"tid\":9,\"ph\":\"s\",\"cat\":\"MsTx\","
              "\"id\":\"4000000031\",\"ts\":\"5000001.000\"},"
              "{\"name\":\"process_name\"," PID_HOST ",\"tid\":0,\"ph\":\"M\",\"args\":{\"name\":"
              "\"PID Name\"}},{\"name\":\"process_labels\"," PID_HOST ",\"tid\":0,\"ph\":\"M\",\"args\":"
              "{\"labels\":\"CPU\"}},{\"name\":\"process_sort_index\"," PID_HOST ",\"tid\":0,\"ph\":\"M\","
              "\"args\":{\"sort_index\":6}},{\"name\":\"thread_name\"," PID_HOST ",\"tid\":9,\"ph\":\"M\","
              "\"args\":{\"name\":\"Thread 9\"}},{\"name\":\"thread_sort_index\"," PID_HOST ",\"tid\":9,"
              "\"ph\":\"M\",\"args\":{\"sort_index\":9}},"
              "{\"name\":\"mark\"," PID_NPU ",\"tid\":3,\"ts\":\"5000002.000\",\"dur\":0.0,\"ph\":\"X\","
              "\"args\":{\"Physic Stream Id\":3,\"Task Id\":8}},"
              "{\"name\":\"MsTx_4000000031\"," PID_NPU ",\"tid\":3,\"ph\":\"f\",\"cat\":\"MsTx\","
              "\"id\":\"4000000031\",\"ts\":\"5000002.000\",\"bp\":\"e\"},"
              "{\"name\":\"two parts of a range\"," PID_NPU ",\"tid\":2,\"ts\":\"5000010.000\","
              "\"dur\":0.0,\"ph\":\"X\",\"args\":{\"Physic Stream Id\":2,\"Task Id\":7}},"
              "{\"name\":\"MsTx_4000000041\"," PID_NPU ",\"tid\":2,\"ph\":\"f\",\"cat\":\"MsTx\","
              "\"id\":\"4000000041\",\"ts\":\"5000010.000\",\"bp\":\"e\"},"
              "{\"name\":\"process_name\"," PID_NPU ",\"tid\":0,\"ph\":\"M\",\"args\":{\"name\":\"Ascend "
              "Hardware\"}},{\"name\":\"process_labels\"," PID_NPU ",\"tid\":0,\"ph\":\"M\",\"args\":"
              "{\"labels\":\"NPU 0\"}},{\"name\":\"process_sort_index\"," PID_NPU ",\"tid\":0,\"ph\":\"M\","
              "\"args\":{\"sort_index\":14}},{\"name\":\"thread_name\"," PID_NPU ",\"tid\":2,\"ph\":\"M\","
              "\"args\":{\"name\":\"Stream 2\"}},{\"name\":\"thread_sort_index\"," PID_NPU ",\"tid\":2,"
              "\"ph\":\"M\",\"args\":{\"sort_index\":2}},{\"name\":\"thread_name\"," PID_NPU ",\"tid\":3,"
              "\"ph\":\"M\",\"args\":{\"name\":\"Stream 3\"}},{\"name\":\"thread_sort_index\"," PID_NPU
              ",\"tid\":3,\"ph\":\"M\",\"args\":{\"sort_index\":3}}]");
    text = file_text("out", "msprof_" STAMP ".json");
    assert_non_null(strstr(text, "\"name\":\"MsTx_4000000041\"," PID_NPU));
}

/* 910A: Python's half. */
static void trace_of_python_has_its_own_order(void **state)
{
    const char *text;

    (void)state;
    prof_info_files(&tree, 1);
    write_tx(three + 3, 1);
    write_met(some, 2);
    export_all("out", false);
    text = file_text("out", "msprof_tx_" STAMP ".json");
    assert_non_null(
        strstr(text, "{\"name\":\"mark\"," PID_HOST ",\"tid\":9,\"ts\":\"5000001.000\",\"dur\":0.0,\"args\":"
                     "{\"event_type\":\"marker_ex\",\"domain\":\"invalid\"},\"ph\":\"X\"},"
                     "{\"name\":\"MsTx_30\",\"ph\":\"s\",\"id\":\"30\",\"ts\":\"5000001.000\",\"cat\":"
                     "\"MsTx\"," PID_HOST ",\"tid\":9,\"bp\":\"e\"}"));
    assert_non_null(
        strstr(text, "{\"name\":\"N/A\"," PID_NPU ",\"tid\":2,\"ts\":\"5000010.000\",\"dur\":0.0,\"args\":"
                     "{\"Physic Stream Id\":2,\"Task Id\":7},\"ph\":\"X\"},"
                     "{\"name\":\"MsTx_40\",\"ph\":\"f\",\"id\":\"40\",\"ts\":\"5000010.000\",\"cat\":"
                     "\"MsTx\"," PID_NPU ",\"tid\":2,\"bp\":\"e\"}"));
}

/* What the host does not tell of keeps the name before it, as msprof has it. */
static void trace_of_unknown_marks(void **state)
{
    (void)state;
    write_tx(three + 3, 1);
    write_met(some, 2);
    export_all("right", false);
    assert_non_null(
        strstr(file_text("right", "msprof_tx_" STAMP ".json"), "{\"name\":\"N/A\"," PID_NPU ",\"tid\":2"));
    export_all("compat", true);
    assert_non_null(
        strstr(file_text("compat", "msprof_tx_" STAMP ".json"), "{\"name\":\"mark\"," PID_NPU ",\"tid\":2"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(tx_segments_are_joined, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tx_text_without_a_part_is_reported, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tx_marks_of_one_number_stay_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tx_long_text_is_cut, set_up, tear_down),
        cmocka_unit_test_setup_teardown(met_of_older_versions_spans_its_number, set_up, tear_down),
        cmocka_unit_test_setup_teardown(met_of_newer_versions_has_marks_and_ranges, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_of_marks_are_stages_and_tracks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(table_has_what_devices_met, set_up, tear_down),
        cmocka_unit_test_setup_teardown(trace_of_marks_is_whole, set_up, tear_down),
        cmocka_unit_test_setup_teardown(trace_of_python_has_its_own_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(trace_of_unknown_marks, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
