/* SPDX-License-Identifier: Apache-2.0 */
/*
 * msprof's timeline from folders made here: whole texts of layers, hostile names, what is left out, right
 * values and msprof's own.
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
#include "tests/unit/parsers/prof/prof_case.h"

#define HOST   PROF_NAME "/host/data/"
#define DEVICE PROF_NAME "/device_0/data/"
#define STAMP  "20260102030405"

/* pids of layers: the process is 77, the host's device number 31. */
#define PID_HARDWARE "79296"
#define PID_CANN     "79103"

static struct tree tree;
static unsigned n_exports; /* each goes to a folder of its own */
static size_t n_notes;     /* of the last */
static char last_note[200];

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

/* ---- the export ---- */

static bool is_word(void *arg, const char *word)
{
    return str_find(str_of(arg), str_of(word), 0) != SIZE_MAX;
}

/* Layers whose words are in this text; o may be NULL. How many files that gave. */
static size_t export_layers(const char *words, const struct msprof_options *o)
{
    struct msprof_options all = { .what = MSPROF_TIMELINE };
    struct emit_report *report;
    struct err e = ERR_INIT;
    struct prof_case c;
    char dir[1024];
    char copy[200], out[32];
    size_t n, written = 0;

    if (o)
        all = *o;
    snprintf(copy, sizeof copy, "%s", words);
    snprintf(out, sizeof out, "out%u", ++n_exports);
    snprintf(dir, sizeof dir, "%s", tree_path(&tree, out));
    all.what = MSPROF_TIMELINE;
    all.dir = dir;
    all.stamp = STAMP;
    all.layer = is_word;
    all.layer_arg = copy;
    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    assert_int_equal(emit_report_new(&report, &e), OK);
    assert_int_equal(msprof_export(c.job->units[0], STR(""), &all, report, &e), OK);
    const struct emit_result *x = emit_report_results(report, &n);
    for (size_t i = 0; i < n; i++)
        written += x[i].outcome == EMIT_WRITTEN && str_ends(str_of(x[i].name), STR(".json"));
    const struct emit_note *notes = emit_report_notes(report, &n_notes);
    last_note[0] = '\0';
    if (n_notes)
        snprintf(last_note, sizeof last_note, "%s", notes[n_notes - 1].text);
    emit_report_free(report);
    prof_case_close(&c);
    return written;
}

/* The file's text, in a static buffer. */
static const char *text_of(const char *name)
{
    static char text[1 << 20];
    char path[300];

    snprintf(path, sizeof path, "out%u/mindstudio_profiler_output/%s_" STAMP ".json", n_exports, name);
    FILE *f = fopen(tree_path(&tree, path), "r");
    if (!f)
        fail_msg("there is no %s", path);
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = '\0';
    return text;
}

static void has(const char *text, const char *want)
{
    if (!strstr(text, want))
        fail_msg("no %s in %s", want, text);
}

static void has_not(const char *text, const char *what)
{
    if (strstr(text, what))
        fail_msg("%s in %s", what, text);
}

static size_t count(const char *text, const char *what)
{
    size_t n = 0;

    for (const char *p = text; (p = strstr(p, what)) != NULL; p += strlen(what))
        n++;
    return n;
}

/* ---- records ---- */

/* The start and the end of a task on the device. */
static void add_task(struct buf *b, unsigned kind, unsigned stream, unsigned task, uint64_t start,
                     uint64_t end)
{
    unsigned char p[64];

    for (unsigned k = 0; k < 2; k++) {
        memset(p, 0, sizeof p);
        put_le(p, k | (b->n / 64 & 15) << 6 | kind << 10, 2);
        put_le(p + 2, PROF_STARS_MARK, 2);
        put_le(p + 4, stream, 2);
        put_le(p + 6, task, 2);
        put_le(p + 8, k ? end : start, 8);
        buf_add(b, (struct str){ (const char *)p, sizeof p });
    }
}

static void add_track(struct buf *b, uint64_t stamp, unsigned stream, unsigned task, unsigned type)
{
    unsigned char p[64];

    prof_head(p, sizeof p, PROF_L_RUNTIME, 0, 9, stamp);
    put_le(p + 26, stream, 2);
    put_le(p + 28, task, 2);
    put_le(p + 32, type, 8);
    buf_add(b, (struct str){ (const char *)p, sizeof p });
}

static void add_call(struct buf *b, unsigned level, uint32_t type, uint64_t begin, uint64_t end,
                     uint64_t item)
{
    unsigned char p[40];

    prof_api(p, level, type, 9, begin, end, item);
    buf_add(b, (struct str){ (const char *)p, sizeof p });
}

static void write_file(const char *rel, struct buf *b)
{
    tree_file_n(&tree, rel, b->p, b->n);
    buf_done(b);
}

#define TYPES                                                                                                \
    "20000_196609:aclrtRecordEvent\n10000_5:launch\n5000_1:KERNEL_AICORE\n"                                  \
    "5000_8:EVENT_RECORD\n5000_2:MEMCPY_ASYNC\n"

/* An event is recorded by a call; its task on the device. */
static void write_event(void)
{
    struct buf b;

    buf_init(&b, 65536);
    add_call(&b, PROF_L_ACL, 3 << 16 | 1, 7100, 7200, 0);
    write_file(HOST "aging.api_event.data.slice_0", &b);
    buf_init(&b, 65536);
    add_track(&b, 7150, 2, 1, 8);
    write_file(HOST "aging.compact.task_track.slice_0", &b);
    buf_init(&b, 65536);
    add_task(&b, 3, 2, 1, 8000, 8050);
    write_file(DEVICE "stars_soc.data.0.slice_0", &b);
    tree_file(&tree, HOST "unaging.additional.type_info_dic.slice_0", TYPES);
}

/* ---- layers ---- */

static void trace_of_one_event_is_whole(void **state)
{
    (void)state;
    write_event();
    assert_int_equal(export_layers("ascend cann", NULL), 1);
    assert_string_equal(
        text_of("msprof"),
        "[{\"name\":\"EVENT_RECORD\",\"pid\":" PID_HARDWARE
        ",\"tid\":2,\"ts\":\"5000100.000\",\"dur\":1.0,\"ph\":\"X\",\"args\":{\"Model Id\":"
        "4294967295,\"Task Type\":\"EVENT_RECORD\",\"Physic Stream Id\":2,\"Task Id\":1,\"Batch "
        "Id\":0,\"Subtask Id\":4294967295,\"connection_id\":1}},"
        "{\"name\":\"HostToDevice4294967296\",\"pid\":" PID_HARDWARE
        ",\"tid\":2,\"ph\":\"f\",\"cat\":\"HostToDevice\",\"id\":\"4294967296\",\"ts\":"
        "\"5000100.000\",\"bp\":\"e\"},"
        "{\"name\":\"process_name\",\"pid\":" PID_HARDWARE
        ",\"tid\":0,\"ph\":\"M\",\"args\":{\"name\":\"Ascend Hardware\"}},"
        "{\"name\":\"process_labels\",\"pid\":" PID_HARDWARE
        ",\"tid\":0,\"ph\":\"M\",\"args\":{\"labels\":\"NPU 0\"}},"
        "{\"name\":\"process_sort_index\",\"pid\":" PID_HARDWARE
        ",\"tid\":0,\"ph\":\"M\",\"args\":{\"sort_index\":14}},"
        "{\"name\":\"thread_name\",\"pid\":" PID_HARDWARE
        ",\"tid\":2,\"ph\":\"M\",\"args\":{\"name\":\"Stream 2\"}},"
        "{\"name\":\"thread_sort_index\",\"pid\":" PID_HARDWARE
        ",\"tid\":2,\"ph\":\"M\",\"args\":{\"sort_index\":2}},"
        "{\"name\":\"process_name\",\"pid\":" PID_CANN
        ",\"tid\":0,\"ph\":\"M\",\"args\":{\"name\":\"CANN\"}},"
        "{\"name\":\"process_labels\",\"pid\":" PID_CANN
        ",\"tid\":0,\"ph\":\"M\",\"args\":{\"labels\":\"CPU\"}},"
        "{\"name\":\"process_sort_index\",\"pid\":" PID_CANN
        ",\"tid\":0,\"ph\":\"M\",\"args\":{\"sort_index\":7}},"
        "{\"name\":\"thread_name\",\"pid\":" PID_CANN
        ",\"tid\":9,\"ph\":\"M\",\"args\":{\"name\":\"Thread 9\"}},"
        "{\"name\":\"thread_sort_index\",\"pid\":" PID_CANN
        ",\"tid\":9,\"ph\":\"M\",\"args\":{\"sort_index\":9}},"
        "{\"name\":\"AscendCL@aclrtRecordEvent\",\"pid\":" PID_CANN
        ",\"tid\":9,\"ts\":\"5000001.000\",\"dur\":1.0,\"ph\":\"X\",\"args\":{\"Thread Id\":9,"
        "\"Mode\":\"ACL_RTS\",\"level\":\"acl\",\"id\":\"aclrtRecordEvent\",\"item_id\":\"0\","
        "\"connection_id\":1}},"
        "{\"name\":\"HostToDevice4294967296\",\"pid\":" PID_CANN
        ",\"tid\":9,\"ph\":\"s\",\"cat\":\"HostToDevice\",\"id\":\"4294967296\",\"ts\":"
        "\"5000001.000\"}]");
}

/* A counter of 1000 MHz stands at 7000 when the clock is at 1 s; for msprof it is that clock in ns. */
static void calls_at_1000_mhz_are_right_and_as_msprof_has_them(void **state)
{
    struct msprof_options o = { .compat = true };
    struct buf b;

    (void)state;
    tree_file(&tree, PROF_NAME "/host/info.json",
              "{\"platform_version\": \"5\", \"pid\": \"77\", \"CPU\": [{\"Frequency\": \"1000.000000\"}], "
              "\"DeviceInfo\": []}");
    buf_init(&b, 65536);
    add_call(&b, PROF_L_ACL, 3 << 16 | 1, 1000007100, 1000007200, 0);
    write_file(HOST "aging.api_event.data.slice_0", &b);
    tree_file(&tree, HOST "unaging.additional.type_info_dic.slice_0", TYPES);
    assert_int_equal(export_layers("cann", NULL), 1);
    has(text_of("msprof"), "\"ts\":\"6000000.100\"");
    assert_int_equal(export_layers("cann", &o), 1);
    has(text_of("msprof"), "\"ts\":\"5000007.100\"");
}

/* The call lies before the collection: an arrow that ends at the task would have no begin. */
static void arrow_without_a_begin_has_no_end(void **state)
{
    struct buf b;

    (void)state;
    write_event();
    buf_init(&b, 65536);
    add_call(&b, PROF_L_ACL, 3 << 16 | 1, 6000, 6900, 0);
    add_call(&b, PROF_L_ACL, 3 << 16 | 2, 7300, 7400, 0);
    write_file(HOST "aging.api_event.data.slice_0", &b);
    buf_init(&b, 65536);
    add_track(&b, 6500, 2, 1, 8);
    write_file(HOST "aging.compact.task_track.slice_0", &b);
    assert_int_equal(export_layers("ascend cann", NULL), 1);
    has(text_of("msprof"), "\"name\":\"EVENT_RECORD\"");
    has_not(text_of("msprof"), "HostToDevice");
}

static void trace_has_only_the_layers_that_are_wanted(void **state)
{
    (void)state;
    write_event();
    assert_int_equal(export_layers("cann", NULL), 1);
    has(text_of("msprof"), "AscendCL@aclrtRecordEvent");
    has_not(text_of("msprof"), "Ascend Hardware");
    assert_int_equal(export_layers("hbm", NULL), 0);
}

static void tasks_without_a_host_have_the_device_s_words(void **state)
{
    struct buf b;

    (void)state;
    buf_init(&b, 65536);
    add_task(&b, 0, 3, 1, 8000, 8050);
    write_file(DEVICE "stars_soc.data.0.slice_0", &b);
    assert_int_equal(export_layers("ascend cann overlap", NULL), 1);
    has(text_of("msprof"),
        "[{\"name\":\"AI_CORE\",\"pid\":" PID_HARDWARE
        ",\"tid\":3,\"ts\":\"5000100.000\",\"dur\":1.0,\"ph\":\"X\",\"args\":{\"Model Id\":"
        "4294967295,\"Task Type\":\"AI_CORE\",\"Physic Stream Id\":3,\"Task Id\":1,\"Batch "
        "Id\":0,\"Subtask Id\":4294967295,\"connection_id\":18446744073709551615}},"
        "{\"name\":\"process_name\"");
    has_not(text_of("msprof"), "HostToDevice");
    has_not(text_of("msprof"), "CANN");
}

static void data_without_a_layer_is_reported(void **state)
{
    (void)state;
    write_event();
    assert_int_equal(export_layers("cann", NULL), 1);
    assert_int_equal(n_notes, 0);
    tree_file_n(&tree, DEVICE "lpmInfoConv.data.0.slice_0", (const char[888]){ 0 }, 888);
    assert_int_equal(export_layers("cann", NULL), 1);
    assert_int_equal(n_notes, 0); /* nobody asked for it */
    assert_int_equal(export_layers("cann freq", NULL), 1);
    assert_int_equal(n_notes, 1);
    has(last_note, "the timeline has no layer of lpmInfoConv");
}

/* Without an end_info there is no last point. */
static void frequency_without_changes_is_one_point(void **state)
{
    struct msprof_options o = { .compat = true };

    (void)state;
    assert_int_equal(export_layers("freq", NULL), 1);
    assert_int_equal(count(text_of("msprof"), "\"ph\":\"C\""), 1);
    has(text_of("msprof"), "\"ts\":\"5000000.000\",\"ph\":\"C\",\"args\":{\"MHz\":1850}}");
    assert_int_equal(export_layers("freq", &o), 1);
    assert_int_equal(count(text_of("msprof"), "\"ph\":\"C\""), 2);
    assert_int_equal(count(text_of("msprof"), "process_name"), 2);
}

/* ---- names ---- */

static void names_are_json_whatever_they_hold(void **state)
{
    struct buf b;

    (void)state;
    buf_init(&b, 65536);
    add_call(&b, PROF_L_NODE, 5, 7100, 7200, 11);
    add_call(&b, PROF_L_COMMUNICATION, 5, 7300, 7400, 12);
    add_call(&b, 1234, 6, 7500, 7600, 13);
    add_call(&b, PROF_L_ACL, 7, 7700, 7800, 0);
    write_file(HOST "aging.api_event.data.slice_0", &b);
    tree_file(&tree, HOST "unaging.additional.type_info_dic.slice_0", TYPES "20000_7:a\001\002\033[2J\n");
    tree_file(&tree, HOST "unaging.additional.hash_dic.slice_0",
              "11:\"}],\\\tx\n12:\xe7\xae\x97\xe5\xad\x90\xff\xc3\n13:\xf0\x9f\x98\x80\n");
    assert_int_equal(export_layers("cann", NULL), 1);
    has(text_of("msprof"), "\"item_id\":\"\\\"}],\\\\\\tx\"");
    has(text_of("msprof"), "\"Communication@\xe7\xae\x97\xe5\xad\x90\xef\xbf\xbd\xef\xbf\xbd\",");
    has(text_of("msprof"), "\"Api@\xf0\x9f\x98\x80\"");
    has(text_of("msprof"), "\"level\":\"1234\"");
    has(text_of("msprof"), "\"id\":\"a\\u0001\\u0002\\u001B[2J\"");
    has(text_of("msprof"), "\"Mode\":\"0\""); /* no kind of acl calls is 0 */
}

/* ---- streams ---- */

static void tasks_are_on_their_logical_streams(void **state)
{
    unsigned char p[256];
    struct buf b;

    (void)state;
    prof_head(p, sizeof p, PROF_L_RUNTIME, 0, 9, 7000);
    put_le(p + 24, 40, 4);
    put_le(p + 28, 4294967295u, 4); /* more than a record holds: those in it count */
    put_le(p + 32, 3, 4);
    put_le(p + 36, 4, 4);
    tree_file_n(&tree, HOST "unaging.additional.logic_stream_info.slice_0", (const char *)p, 256);
    buf_init(&b, 65536);
    add_task(&b, 0, 3, 1, 8000, 8050);
    add_task(&b, 0, 4, 1, 8060, 8070);
    add_task(&b, 0, 5, 1, 8080, 8090);
    write_file(DEVICE "stars_soc.data.0.slice_0", &b);
    assert_int_equal(export_layers("ascend", NULL), 1);
    assert_int_equal(count(text_of("msprof"), "\"tid\":40,\"ts\""), 2);
    has(text_of("msprof"), "\"Physic Stream Id\":3,");
    has(text_of("msprof"), "\"Stream 40\"");
    has(text_of("msprof"), "\"Stream 5\"");
    has_not(text_of("msprof"), "\"Stream 3\"");
}

static void streams_are_named_once(void **state)
{
    struct buf b;

    (void)state;
    buf_init(&b, 1 << 20);
    for (unsigned i = 0; i < 900; i++)
        add_task(&b, 0, 1 + i * 7 % 100, i, 8000 + i, 8001 + i);
    write_file(DEVICE "stars_soc.data.0.slice_0", &b);
    assert_int_equal(export_layers("ascend", NULL), 1);
    assert_int_equal(count(text_of("msprof"), "\"thread_name\""), 100);
    assert_int_equal(count(text_of("msprof"), "\"Stream 99\""), 1);
    assert_int_equal(count(text_of("msprof"), "\"ph\":\"X\""), 900);
}

/* ---- samples ---- */

static void links_are_right_and_as_msprof_has_them(void **state)
{
    struct msprof_options o = { .compat = true };

    (void)state;
    tree_file(&tree, DEVICE "hccs.data.0.slice_0",
              "timestamp tx rx\n1000000: 0 0\n2000000: 1048576 0\n3000000: 4194304 2097152\n");
    /* 10 of 20 packets lost are no whole one */
    tree_file(&tree, DEVICE "nic.data.0.slice_0", "1000400: 1 20 131072 20 0 10 0 40 65536 0 0 0 0 3\n");
    assert_int_equal(export_layers("hccs nic", NULL), 1);
    has(text_of("msprof"), "\"ts\":\"5002999.600\",\"ph\":\"C\",\"args\":{\"Tx(MB/s)\":3000.0}}");
    has(text_of("msprof"),
        "{\"name\":\"Port 3/Rx\",\"pid\":79520,\"tid\":0,\"ts\":\"5001000.000\",\"ph\":\"C\","
        "\"args\":{\"Rx Bandwidth Efficiency\":1.0,\"Rx Packets\":20.0,\"Rx Error Rate\":0.0,"
        "\"Rx Dropped Rate\":0.0}}");
    has(text_of("msprof"), "\"Tx Bandwidth Efficiency\":0.5");
    assert_int_equal(export_layers("hccs", &o), 1);
    has_not(text_of("msprof"), "3000.0");
    has(text_of("msprof"), "\"Tx(MB/s)\":1000.0}}");
}

/* pid of a layer of device 0 with a sort index; its name follows. */
static void layer_has(const char *name, unsigned sort)
{
    char want[120];

    snprintf(want, sizeof want, "\"pid\":%u,\"tid\":0,\"args\":{\"name\":\"%s\"}", 77 << 10 | sort << 5,
             name);
    has(text_of("msprof"), want);
}

/* Python's half numbers layers in the order of its own exports, those that have rows from 20 on. */
static void sampled_layers_of_python_are_numbered_in_its_order(void **state)
{
    unsigned char mem[32] = { 0 }, pcie[96] = { 0 };

    (void)state;
    prof_info_files(&tree, 1);
    tree_file(&tree, DEVICE "hccs.data.0.slice_0", "timestamp tx rx\n1000000: 0 0\n2000000: 1048576 0\n");
    tree_file(&tree, DEVICE "nic.data.0.slice_0", "1000400: 1 20 131072 20 0 10 0 40 65536 0 0 0 0 3\n");
    tree_file(&tree, DEVICE "roce.data.0.slice_0", "1000400: 1 20 131072 20 0 10 0 40 65536 0 0 0 0 3\n");
    put_le(mem, 1000, 4);
    tree_file_n(&tree, DEVICE "npu_mem.data.0.slice_0", (const char *)mem, sizeof mem);
    assert_int_equal(export_layers("npu_mem roce nic hccs hbm", NULL), 1);
    layer_has("HCCS", 20);
    layer_has("NIC", 21);
    layer_has("RoCE", 22);
    layer_has("NPU MEM", 23);
    /* a record that is not shown takes a number all the same: its largest value is below the smallest */
    put_le(pcie + 12, 5, 4);
    tree_file_n(&tree, DEVICE "pcie.data.0.slice_0", (const char *)pcie, sizeof pcie);
    assert_int_equal(export_layers("pcie npu_mem roce nic hccs hbm", NULL), 1);
    layer_has("PCIe", 20);
    layer_has("NPU MEM", 24);
}

/* Three of four accesses hit; once a count that no cache has seen. */
static void cache_is_right_and_as_msprof_has_it(void **state)
{
    static const uint32_t events[8] = { 0x00, 0x01, 0x02, 0x13, 0x20, 0x22, 0x34, 0x36 };
    struct msprof_options o = { .compat = true };
    unsigned char p[16 * 24];

    (void)state;
    tree_file(&tree, PROF_NAME "/device_0/sample.json", "{\"llc_profiling\": \"read\"}");
    memset(p, 0, sizeof p);
    for (unsigned i = 0; i < 16; i++) {
        unsigned char *r = p + (size_t)i * 24;
        put_le(r, 1000 + i / 8 * 1000, 8);
        put_le(r + 8, i % 8 == 2 ? (i < 8 ? 3 : 302076124147954) : i % 8 == 4 ? (i < 8 ? 4 : 1) : 0, 8);
        put_le(r + 16, events[i % 8], 4);
    }
    tree_file_n(&tree, DEVICE "llc.data.0.slice_0", (const char *)p, sizeof p);
    assert_int_equal(export_layers("llc", NULL), 1);
    has(text_of("msprof"), "\"args\":{\"Hit Rate(%)\":75.0}}");
    has(text_of("msprof"), "\"args\":{\"Hit Rate(%)\":3.02076124147954e+16}}");
    assert_int_equal(export_layers("llc", &o), 1);
    has(text_of("msprof"), "\"args\":{\"Hit Rate(%)\":0.75}}");
    put_le(p + (size_t)2 * 24 + 8, 1451, 8);
    put_le(p + (size_t)4 * 24 + 8, 1000, 8);
    tree_file_n(&tree, DEVICE "llc.data.0.slice_0", (const char *)p, sizeof p);
    assert_int_equal(export_layers("llc", &o), 1);
    has(text_of("msprof"), "\"args\":{\"Hit Rate(%)\":1.4509999999999998}}");
}

/* ---- steps ---- */

static void add_mark(struct buf *b, uint64_t counter, uint64_t index, uint64_t model, unsigned tag)
{
    unsigned char p[40];

    memset(p, 0, sizeof p);
    p[1] = 10;
    put_le(p + 2, 40, 2);
    put_le(p + 8, counter, 8);
    put_le(p + 16, index, 8);
    put_le(p + 24, model, 8);
    put_le(p + 32, 9, 2);
    put_le(p + 36, tag, 2);
    buf_add(b, (struct str){ (const char *)p, sizeof p });
}

static void steps_have_a_thread_for_each_model(void **state)
{
    struct buf b;

    (void)state;
    buf_init(&b, 65536);
    add_mark(&b, 4000, 1, 4294967295u, 60000);
    add_mark(&b, 5000, 1, 4294967295u, 60001);
    write_file(DEVICE "ts_track.data.0.slice_0", &b);
    assert_int_equal(export_layers("step_trace", NULL), 2);
    has(text_of("step_trace"),
        "[{\"name\":\"Iteration 1\",\"pid\":" PID_HARDWARE
        ",\"tid\":69999,\"ts\":\"5000020.000\",\"dur\":20.0,\"ph\":\"X\",\"cat\":\"Iteration "
        "Time\",\"args\":{\"Iteration ID\":1,\"FP Start\":\"N/A\",\"BP End\":\"N/A\",\"Iteration "
        "End\":\"5000040.000\",\"Iteration Time(us)\":20.0}},");
    has(text_of("step_trace"), "\"Step Trace(Model ID:4294967295)\"");
    const struct msprof_options o = { .partial = true, .model = 4294967295u, .iteration = 1, .count = 1 };
    assert_int_equal(export_layers("step_trace", &o), 2);
    has(text_of("step_trace"), "{\"name\":\"process_name\",\"pid\":77,\"tid\":0,\"args\":{\"name\":"
                               "\"Step Trace\"},\"ph\":\"M\"}");
    has(text_of("step_trace"), "\"args\":{\"sort_index\":4295037295}");
    has(text_of("msprof"), "\"pid\":" PID_HARDWARE ",\"tid\":70077,");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(trace_of_one_event_is_whole, set_up, tear_down),
        cmocka_unit_test_setup_teardown(calls_at_1000_mhz_are_right_and_as_msprof_has_them, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(arrow_without_a_begin_has_no_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(trace_has_only_the_layers_that_are_wanted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tasks_without_a_host_have_the_device_s_words, set_up, tear_down),
        cmocka_unit_test_setup_teardown(data_without_a_layer_is_reported, set_up, tear_down),
        cmocka_unit_test_setup_teardown(frequency_without_changes_is_one_point, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_are_json_whatever_they_hold, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tasks_are_on_their_logical_streams, set_up, tear_down),
        cmocka_unit_test_setup_teardown(streams_are_named_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(links_are_right_and_as_msprof_has_them, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sampled_layers_of_python_are_numbered_in_its_order, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(cache_is_right_and_as_msprof_has_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(steps_have_a_thread_for_each_model, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
