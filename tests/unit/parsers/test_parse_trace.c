/* SPDX-License-Identifier: Apache-2.0 */
/* Timelines: events, rows and their names, counters, flows, marks, clocks, damage. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/limits.h"
#include "base/path.h"
#include "parsers/parsers.h"
#include "tests/unit/parsers/parse_case.h"

static void expect(const char *text, const char *expected)
{
    case_expect("trace_view", parse_trace, text, expected);
}

static void trace_bars_and_late_names(void **state)
{
    (void)state;
    expect("[{\"ph\": \"X\", \"name\": \"aten::empty\", \"pid\": 7, \"tid\": 8, \"ts\": "
           "\"1736408883688177.930\", \"dur\": 145.57, \"cat\": \"cpu_op\", \"args\": {\"Input "
           "Dims\": \";\\r\\n\"}}, "
           "{\"name\": \"MatMul\", \"pid\": 3170820512, \"tid\": 2, \"ts\": "
           "\"1736408883688178.0005\", \"dur\": 72994.4384375, \"args\": {\"Task Type\": "
           "\"AI_CORE\"}, \"ph\": \"X\"}, "
           "{\"ph\": \"X\", \"name\": \"a\", \"pid\": 7, \"tid\": 8, \"ts\": 1736408883688179, "
           "\"dur\": 0}, "
           "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 7, \"tid\": 0, \"args\": "
           "{\"name\": \"Python\"}}, "
           "{\"ph\": \"M\", \"name\": \"process_sort_index\", \"pid\": 7, \"tid\": 0, \"args\": "
           "{\"sort_index\": 3}}, "
           "{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 7, \"tid\": 8, \"args\": "
           "{\"name\": \"Thread 8\"}}, "
           "{\"ph\": \"M\", \"name\": \"thread_sort_index\", \"pid\": 7, \"tid\": 8, \"args\": "
           "{\"sort_index\": 1}}, "
           "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 3170820512, \"tid\": 0, \"args\": "
           "{\"name\": \"Ascend Hardware\"}}, "
           "{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 3170820512, \"tid\": 2, \"args\": "
           "{\"name\": \"Stream 2\"}}]",
           "track|id=1|kind=host_thread|pid=7|tid=8|sort=8\n"
           "event|track=1|ts=1736408883688177930|dur=145570|name=aten::empty|off=1\n"
           "track|id=2|kind=stream|pid=3170820512|tid=2|sort=2|stream=2\n"
           "event|track=2|ts=1736408883688178001|dur=72994438|name=MatMul|off=152\n"
           "event|track=1|ts=1736408883688179000|dur=0|name=a|off=299\n"
           "track_set|id=1|kind=host_thread|pid=7|tid=8|process=Python|name=Thread "
           "8|sort=30000000001\n"
           "track_set|id=2|kind=stream|pid=3170820512|tid=2|process=Ascend Hardware|name=Stream "
           "2|sort=2|stream=2\n");
}

/* Lists are as in raw data; those of other categories are not what the framework recorded. */
static void trace_ops_keep_their_call_stacks(void **state)
{
    (void)state;
    expect(
        "[{\"ph\":\"X\",\"name\":\"aten::mm\",\"pid\":7,\"tid\":8,\"ts\":\"1736408883688177.930\",\"dur\":2,"
        "\"cat\":\"cpu_op\",\"args\":{\"Call stack\":\"a.py(1): f;\\r\\nb.py(2): \\\"g\\\"\","
        "\"Module Hierarchy\":\"net.fc\"}},"
        "{\"ph\":\"X\",\"name\":\"Add\",\"pid\":7,\"tid\":8,\"ts\":\"1736408883688179.930\",\"dur\":1,"
        "\"cat\":\"cpu_op\",\"args\":{\"Call stack\":\"c.py(3)\\r\\nd.py(4)\"}},"
        "{\"ph\":\"X\",\"name\":\"f\",\"pid\":7,\"tid\":8,\"ts\":\"1736408883688181.930\",\"dur\":1,"
        "\"cat\":\"other\",\"args\":{\"Call stack\":\"e.py(5)\"}}]",
        "track|id=1|kind=host_thread|pid=7|tid=8|sort=8\n"
        "event|track=1|ts=1736408883688177930|dur=2000|name=aten::mm|off=1\n"
        "event_place|rank=0|ts_ns=1736408883688177930|name_id=aten::mm|module_id=net.fc|"
        "stack_id=a.py(1): f;b.py(2): \"g\"\n"
        "event|track=1|ts=1736408883688179930|dur=1000|name=Add|off=179\n"
        "event_place|rank=0|ts_ns=1736408883688179930|name_id=Add|stack_id=c.py(3);d.py(4)\n"
        "event|track=1|ts=1736408883688181930|dur=1000|name=f|off=313\n"
        "track_set|id=1|kind=host_thread|pid=7|tid=8|process=pid 7|sort=8\n");
}

/* Kind of the row that one X event makes, after these metadata. */
static void check_kind(const char *process, const char *thread, const char *args, const char *kind)
{
    char text[1024];
    struct rows r;
    int n = snprintf(text, sizeof text,
                     "[{\"ph\":\"X\",\"name\":\"x\",\"pid\":1,\"tid\":5,\"ts\":\"1736408883688177."
                     "930\",\"dur\":1%s%s},"
                     "{\"ph\":\"M\",\"name\":\"%s\",\"pid\":1,\"args\":{\"name\":\"%s\"}},"
                     "{\"ph\":\"M\",\"name\":\"%s\",\"pid\":1,\"tid\":5,\"args\":{\"name\":\"%s\"}}]",
                     *args ? ",\"args\":" : "", args, *process ? "process_name" : "none", process,
                     *thread ? "thread_name" : "none", thread);

    case_parse(&r, "trace_view", parse_trace, text, (size_t)n, GEN_P);
    assert_int_equal(sink_count_get(r.count)->note_calls, 0);
    snprintf(text, sizeof text, "track_set|id=1|kind=%s", kind);
    case_need(&r, text);
    rows_done(&r);
}

static void trace_layers_make_kinds(void **state)
{
    (void)state;
    check_kind("Python", "Thread 5", "", "host_thread");
    check_kind("MindSpore", "", "", "host_thread");
    check_kind("CANN", "", "", "host_thread");
    check_kind("CPU OP", "", "", "host_thread");
    check_kind("Scope Layer", "", "", "scope");
    check_kind("Ascend Hardware", "Stream 5", "", "stream");
    check_kind("Ascend Hardware", "Step Trace(Model ID:2)", "", "step");
    check_kind("Step Trace", "Model ID:2", "", "step");
    check_kind("HCCL", "Plane 1", "", "plane");
    check_kind("Communication", "Group 0 Communication", "", "plane");
    check_kind("Overlap Analysis", "Computing", "", "overlap");
    check_kind("Block Detail", "", "", "engine");
    check_kind("", "", "{\"Task Type\":\"AI_CORE\"}", "stream");
    check_kind("new layer", "", "{\"transport type\":\"SDMA\"}", "plane");
    check_kind("new layer", "", "{\"level\":\"acl\",\"connection_id\":1}", "host_thread");
    check_kind("new layer", "", "{}", "host_thread");
    check_kind("new layer", "Stream 9", "", "stream");
    check_kind("python3", "Stream of thoughts", "", "stream");
}

static void trace_nameless_layers_get_their_pid(void **state)
{
    (void)state;
    expect("[{\"ph\":\"X\",\"name\":\"x\",\"pid\":\"a\",\"tid\":\"b\",\"ts\":\"1736408883688177."
           "930\",\"dur\":1}]",
           "track|id=1|kind=host_thread|pid=a|tid=b|sort=0\n"
           "event|track=1|ts=1736408883688177930|dur=1000|name=x|off=1\n"
           "track_set|id=1|kind=host_thread|pid=a|tid=b|process=pid a|sort=0\n");
}

static void trace_labels_distinguish_devices(void **state)
{
    struct rows r;

    (void)state;
    const char *t =
        "[{\"ph\":\"X\",\"name\":\"x\",\"pid\":1,\"tid\":0,\"ts\":\"1736408883688177.930\",\"dur\":"
        "1},"
        "{\"ph\":\"X\",\"name\":\"x\",\"pid\":2,\"tid\":0,\"ts\":\"1736408883688177.930\",\"dur\":"
        "1},"
        "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"HCCL\"}},{\"ph\":"
        "\"M\",\"name\":\"process_name\",\"pid\":2,\"args\":{\"name\":\"HCCL\"}},"
        "{\"ph\":\"M\",\"name\":\"process_labels\",\"pid\":1,\"args\":{\"labels\":\"NPU "
        "0\"}},{\"ph\":\"M\",\"name\":\"process_labels\",\"pid\":2,\"args\":{\"labels\":\"NPU "
        "1\"}}]";
    case_parse(&r, "trace_view", parse_trace, t, strlen(t), GEN_P);
    case_need(&r, "track_set|id=1|kind=plane|pid=1|tid=0|process=HCCL (NPU 0)");
    case_need(&r, "track_set|id=2|kind=plane|pid=2|tid=0|process=HCCL (NPU 1)");
    rows_done(&r);
}

static void trace_counters_have_a_row_per_series(void **state)
{
    (void)state;
    expect("[{\"name\":\"HBM "
           "0/Read\",\"ts\":\"1736408883574037.920\",\"pid\":17,\"tid\":0,\"args\":{\"Read(MB/"
           "s)\":12.5},\"ph\":\"C\"},"
           "{\"name\":\"read_bandwidth\",\"ts\":\"1736408883574037.921\",\"pid\":21,\"tid\":0,"
           "\"args\":{\"value\":3,\"acc_id\":1},\"ph\":\"C\"},"
           "{\"name\":\"write_band_width\",\"ts\":\"1736408883574037.922\",\"pid\":21,\"tid\":0,"
           "\"args\":{\"acc_id\":2,\"value\":4},\"ph\":\"C\"},"
           "{\"name\":\"AI Core "
           "Freq\",\"ts\":\"1736408883574037.923\",\"pid\":14,\"tid\":0,\"args\":{\"MHz\":1800},"
           "\"ph\":\"C\"},"
           "{\"name\":\"Port "
           "0/Rx\",\"ts\":\"1736408883574037.924\",\"pid\":9,\"tid\":0,\"args\":{\"Rx "
           "Packets\":1,\"Rx Error Rate\":0.1,\"x\":\"no number\"},\"ph\":\"C\"},"
           "{\"name\":\"HBM "
           "0/Read\",\"ts\":\"1736408883574038.920\",\"pid\":17,\"tid\":0,\"args\":{\"Read(MB/"
           "s)\":1e-3},\"ph\":\"C\"}]",
           "track|id=1|kind=counter|pid=17|tid=HBM 0/Read: Read(MB/s)|name=HBM "
           "0/Read|sort=0|unit=MB/s\n"
           "sample|track=1|ts=1736408883574037920|value=12.5\n"
           "track|id=2|kind=counter|pid=21|tid=read_bandwidth: value 1|name=read_bandwidth acc "
           "1|sort=1\n"
           "sample|track=2|ts=1736408883574037921|value=3\n"
           "track|id=3|kind=counter|pid=21|tid=write_band_width: value 2|name=write_bandwidth acc "
           "2|sort=2\n"
           "sample|track=3|ts=1736408883574037922|value=4\n"
           "track|id=4|kind=counter|pid=14|tid=AI Core Freq: MHz|name=AI Core Freq|sort=3|unit=MHz\n"
           "sample|track=4|ts=1736408883574037923|value=1800\n"
           "track|id=5|kind=counter|pid=9|tid=Port 0/Rx: Rx Packets|name=Port 0/Rx Rx Packets|sort=4\n"
           "sample|track=5|ts=1736408883574037924|value=1\n"
           "track|id=6|kind=counter|pid=9|tid=Port 0/Rx: Rx Error Rate|name=Port 0/Rx Rx Error "
           "Rate|sort=5\n"
           "sample|track=6|ts=1736408883574037924|value=0.1\n"
           "sample|track=1|ts=1736408883574038920|value=0.001\n"
           "track_set|id=1|kind=counter|pid=17|tid=HBM 0/Read: Read(MB/s)|process=pid 17|name=HBM "
           "0/Read|sort=0|unit=MB/s\n"
           "track_set|id=2|kind=counter|pid=21|tid=read_bandwidth: value 1|process=pid "
           "21|name=read_bandwidth acc 1|sort=1\n"
           "track_set|id=3|kind=counter|pid=21|tid=write_band_width: value 2|process=pid "
           "21|name=write_bandwidth acc 2|sort=2\n"
           "track_set|id=4|kind=counter|pid=14|tid=AI Core Freq: MHz|process=pid 14|name=AI Core "
           "Freq|sort=3|unit=MHz\n"
           "track_set|id=5|kind=counter|pid=9|tid=Port 0/Rx: Rx Packets|process=pid 9|name=Port 0/Rx "
           "Rx Packets|sort=4\n"
           "track_set|id=6|kind=counter|pid=9|tid=Port 0/Rx: Rx Error Rate|process=pid 9|name=Port "
           "0/Rx Rx Error Rate|sort=5\n"
           "note|BAD_VALUE|line=0|count=1|1 counter values that are no numbers\n");
}

static void trace_flows_keep_number_ids(void **state)
{
    struct rows r;

    (void)state;
    const char *t =
        "[{\"ph\":\"s\",\"bp\":\"e\",\"name\":\"torch_to_npu\",\"id\":18446744073709551615,\"pid\":"
        "1,\"tid\":1,\"ts\":\"1736408883694699.510\",\"cat\":\"async_npu\"},"
        "{\"ph\":\"f\",\"bp\":\"e\",\"name\":\"torch_to_npu\",\"id\":\"18446744073709551615\","
        "\"pid\":2,\"tid\":2,\"ts\":\"1736408883700059.821\",\"cat\":\"async_npu\"},"
        "{\"ph\":\"t\",\"name\":\"n\",\"id\":\"1718087229123456.789\",\"pid\":2,\"tid\":2,\"ts\":"
        "\"1736408883700059.822\",\"cat\":\"x\"},"
        "{\"ph\":\"f\",\"name\":\"n\",\"id\":\"1718087229123456.789\",\"pid\":2,\"tid\":2,\"ts\":"
        "\"1736408883700059.823\",\"cat\":\"x\"},"
        "{\"ph\":\"f\",\"name\":\"n\",\"pid\":2,\"tid\":2,\"ts\":\"1736408883700059.822\",\"cat\":"
        "\"x\"},"
        "{\"name\":\"Data_aug Bound 1\",\"cat\":\"Data_aug "
        "Bound\",\"ph\":\"s\",\"ts\":\"1736408883700060\",\"pid\":3,\"tid\":10036,\"id\":\"Data_"
        "aug Bound 1\"}]";
    case_parse(&r, "trace_view", parse_trace, t, strlen(t), GEN_P);
    case_need(&r, "flow|track=1|ts=1736408883694699510|s|cat=async_npu|id=18446744073709551615");
    case_need(&r, "flow|track=2|ts=1736408883700059821|f|cat=async_npu|id=18446744073709551615");
    const struct sink_counts *k = sink_count_get(r.count);
    assert_int_equal(k->flows, 4);
    assert_int_equal(k->events, 1);
    case_need(&r, "event|track=3|ts=1736408883700060000|dur=0|name=Data_aug Bound 1");
    assert_int_equal(k->notes[NOTE_BAD_EVENT], 1);
    assert_int_equal(r.lost, 1);
    /* equal texts have equal ids */
    const char *a = strstr(buf_str(&r.text).p, "|t|cat=x|id="),
               *b = strstr(buf_str(&r.text).p, "|f|cat=x|id=");
    assert_non_null(a);
    assert_non_null(b);
    assert_int_equal(strtoull(a + 12, NULL, 10), strtoull(b + 12, NULL, 10));
    rows_done(&r);
}

/* clang-format off */
#define T(us) "\"ts\":\"173640888368817" us "\""

static void trace_begins_and_ends_are_paired_per_row(void **state)
{
    (void)state;
    expect("[{\"ph\":\"B\",\"name\":\"a\",\"pid\":1,\"tid\":1," T("0.000")
    "},{\"ph\":\"B\",\"name\":\"b\",\"pid\":1,\"tid\":1," T("1.000") "},"
           "{\"ph\":\"B\",\"name\":\"c\",\"pid\":1,\"tid\":2," T("1.500")
           "},{\"ph\":\"E\",\"pid\":1,\"tid\":1," T("2.000") "},{\"ph\":\"E\",\"pid\":1,\"tid\":1," T("4.000")
           "},"
           "{\"ph\":\"E\",\"pid\":1,\"tid\":1," T("5.000")
           "},{\"ph\":\"i\",\"name\":\"m\",\"pid\":1,\"tid\":1,\"s\":\"t\"," T("6.000") "}]",
           "track|id=1|kind=host_thread|pid=1|tid=1|sort=1\n"
           "track|id=2|kind=host_thread|pid=1|tid=2|sort=2\n"
           "event|track=1|ts=1736408883688171000|dur=1000|name=b|off=67\n"
           "event|track=1|ts=1736408883688170000|dur=4000|name=a|off=1\n"
           "event|track=1|ts=1736408883688176000|dur=0|name=m|off=364\n"
           "event|track=2|ts=1736408883688171500|dur=0|name=c|off=133\n"
           "track_set|id=1|kind=host_thread|pid=1|tid=1|process=pid 1|sort=1\n"
           "track_set|id=2|kind=host_thread|pid=1|tid=2|process=pid 1|sort=2\n"
           "note|INCONSISTENT|line=0|count=1|1 ends (ph E) without a begin, left out\n"
           "note|INCONSISTENT|line=0|count=1|1 begins (ph B) without an end, shown as instants\n");
}

static void trace_odd_events_are_counted(void **state)
{
    struct rows r;

    (void)state;
    const char *t = "[{},{\"ph\":\"q\",\"name\":\"x\"},{\"ph\":\"X\",\"name\":\"x\",\"pid\":1,"
                    "\"tid\":1,\"dur\":3},"
                    "{\"ph\":\"X\",\"name\":\"x\",\"pid\":1,\"tid\":1," T(
                        "0.1") ",\"dur\":-3},"
                               "{\"ph\":\"X\",\"name\":\"x\",\"pid\":1,\"tid\":1,\"ts\":"
                               "9000000000000000,\"dur\":1},"
                               "{\"ph\":\"X\",\"pid\":1,\"tid\":1," T("0.2") "},]";
    case_parse(&r, "trace_view", parse_trace, t, strlen(t), GEN_P);
    const struct sink_counts *k = sink_count_get(r.count);
    assert_int_equal(k->events, 2);
    assert_int_equal(k->notes[NOTE_UNKNOWN_TYPE], 1);
    assert_int_equal(k->notes[NOTE_BAD_EVENT], 2);
    assert_int_equal(k->notes[NOTE_INCONSISTENT], 1);
    assert_int_equal(r.lost, 2);
    case_need(&r, "event|track=1|ts=1736408883688170200|dur=0|off=213");
    rows_done(&r);
}

static void trace_escapes_are_undone(void **state)
{
    struct rows r;

    (void)state;
    const char *t =
        "[{\"ph\":\"X\",\"name\":\"a\\u0041\\/b\",\"pid\":\"p\\u0041\",\"tid\":\"t\"," T(
            "0.1") ",\"dur\":1},"
                   "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":\"pA\",\"args\":{\"name\":"
                   "\"Py\\u0074hon\"}},{\"ph\":\"X\",\"name\":\"aA/"
                   "b\",\"pid\":\"pA\",\"tid\":\"t\"," T("0.2") "}]";
    case_parse(&r, "trace_view", parse_trace, t, strlen(t), GEN_P);
    case_need(&r, "event|track=1|ts=1736408883688170100|dur=1000|name=aA/b");
    case_need(&r, "event|track=1|ts=1736408883688170200|dur=0|name=aA/b");
    case_need(&r, "track_set|id=1|kind=host_thread|pid=pA|tid=t|process=Python");
    rows_done(&r);
}

static void trace_slices_share_their_rows(void **state)
{
    char first[300];
    struct err e = ERR_INIT;
    struct rows r;

    (void)state;
    const char *one = "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1," T("0.1") "}]",
               *two = "[{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":1," T("0.2") "}]";
    snprintf(first, sizeof first, "%s", scratch_write(one, strlen(one)));
    char copy[320];
    snprintf(copy, sizeof copy, "%s.0", first);
    FILE *f = fopen(copy, "w");
    assert_non_null(f);
    fputs(two, f);
    fclose(f);
    rows_init(&r, "msprof_json", first);
    struct source_file second = r.file;
    second.path = copy;
    second.id = 2;
    second.slice = 3; /* slices may be missing */
    r.file.next_slice = &second;
    assert_int_equal(rows_parse(&r, parse_trace, &e), OK);
    remove(copy);
    assert_int_equal(sink_count_get(r.count)->tracks, 1);
    case_need(&r, "event|track=1|ts=1736408883688170100|dur=0|name=a|off=1");
    case_need(&r, "event|track=1|ts=1736408883688170200|dur=0|name=b|off=844424930131969");
    rows_done(&r);
}
/* clang-format on */

/* A folder with files, to be removed: the parser looks beside its file. */
struct folder {
    char dir[200];
    size_t n;
    char names[4][400];
};

static void folder_open(struct folder *d)
{
    const char *tmp = getenv("TMPDIR");

    memset(d, 0, sizeof *d);
    snprintf(d->dir, sizeof d->dir, "%s/npuscope-trace-XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(d->dir));
}

static const char *folder_add(struct folder *d, const char *name, const char *text)
{
    char *path = d->names[d->n++];

    assert_true(path_join(path, sizeof d->names[0], d->dir, name));
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    return path;
}

static void folder_close(struct folder *d)
{
    for (size_t i = 0; i < d->n; i++)
        unlink(d->names[i]);
    rmdir(d->dir);
}

#define MINDSPORE_TIMELINE                                                                                   \
    "[{\"name\":\"InitData\",\"ph\":\"X\",\"tid\":\"0\",\"ts\":0.0,\"dur\":159.9999964237213,"               \
    "\"pid\":9000},"                                                                                         \
    "{\"name\":\"AssignAdd-op142\",\"ph\":\"X\",\"tid\":\"519\",\"ts\":6042909.559994936,\"dur\":"           \
    "3.1,\"pid\":1},"                                                                                        \
    "{\"name\":\"1\",\"ph\":\"X\",\"tid\":100000,\"ts\":1.5,\"dur\":3.1,\"pid\":1},"                         \
    "{\"name\":\"Default\",\"ph\":\"X\",\"tid\":100001,\"ts\":1.5,\"dur\":3.1,\"pid\":1},"                   \
    "{\"name\":\"free_time\",\"ph\":\"X\",\"tid\":\"8002\",\"ts\":1.5,\"dur\":3.1,\"pid\":12000},"           \
    "{\"name\":\"all\",\"ph\":\"X\",\"tid\":\"520\",\"ts\":1.5,\"dur\":3.1,\"pid\":10000},"                  \
    "{\"name\":\"host\",\"ph\":\"X\",\"tid\":\"HostCpuOps3\",\"ts\":1.5,\"dur\":3.1,\"pid\":1},"             \
    "{\"name\": \"process_labels\", \"ph\": \"M\", \"pid\": \"1\", \"args\": {\"labels\": "                  \
    "\"AICORE OP\"}},{\"name\": \"process_sort_index\", \"ph\": \"M\", \"pid\": 12000, \"args\": "           \
    "{\"sort_index\": 40}}]"

static void trace_of_generation_1_counts_from_the_first_op(void **state)
{
    struct folder d;
    struct err e = ERR_INIT;
    struct rows r;

    (void)state;
    folder_open(&d);
    const char *path = folder_add(&d, "ascend_timeline_display_3.json", MINDSPORE_TIMELINE);
    rows_init(&r, "g1_timeline_display", path);
    assert_int_equal(rows_parse(&r, parse_trace_timeline_display, &e), OK);
    assert_int_equal(sink_count_get(r.count)->notes[NOTE_NO_CLOCK], 1);
    case_need(&r, "event|track=2|ts=6042909560|dur=3100|name=AssignAdd-op142");
    case_need(&r, "track_set|id=1|kind=aicpu|pid=9000|tid=0|process=AICPU OP|sort=0");
    case_need(&r, "track_set|id=2|kind=stream|pid=1|tid=519|process=AICORE OP|sort=519|stream=519");
    case_need(&r, "track_set|id=3|kind=step|pid=1|tid=100000|process=AICORE OP|name=Steps");
    case_need(&r, "track_set|id=4|kind=scope|pid=1|tid=100001|process=AICORE OP|name=Scope Name");
    case_need(&r, "track_set|id=5|kind=overlap|pid=12000|tid=8002|process=Op Overlap "
                  "Analyse|name=Free Time|sort=400000008002");
    case_need(&r, "track_set|id=6|kind=plane|pid=10000|tid=520|process=Communication Op");
    case_need(&r, "track_set|id=7|kind=host_thread|pid=1|tid=HostCpuOps3|process=AICORE OP");
    rows_done(&r);

    folder_add(&d, "output_timeline_data_3.txt",
               "op_name, stream_id, start_time(ms), "
               "duration(ms)\nassign,1,1.0,1\nb,1,438068.5,1\nc,1,438068.41592,1\n");
    rows_init(&r, "g1_timeline_display", path);
    assert_int_equal(rows_parse(&r, parse_trace_timeline_display, &e), OK);
    assert_int_equal(sink_count_get(r.count)->notes[NOTE_NO_CLOCK], 0);
    case_need(&r, "event|track=2|ts=444111325480|dur=3100|name=AssignAdd-op142");
    rows_done(&r);

    folder_add(&d, "aicpu_intermediate_3.csv",
               "serial_number,op_type,total_time,dispatch_time,execution_time,run_start,run_"
               "end\r\n1,InitData,0.2,0.1,0.1,438060000.25,438060100.25\r\n");
    rows_init(&r, "g1_timeline_display", path);
    assert_int_equal(rows_parse(&r, parse_trace_timeline_display, &e), OK);
    case_need(&r, "event|track=2|ts=444102909810|dur=3100|name=AssignAdd-op142");
    rows_done(&r);
    folder_close(&d);
}

static void trace_since_boot_gets_the_wall_clock(void **state)
{
    const char *text = "[{\"name\":\"GE@Infer\",\"pid\":1003602,\"tid\":16027,\"ts\":56635864386.8,"
                       "\"dur\":47878.15,\"args\":{},\"ph\":\"X\"}]";
    struct folder d;
    struct err e = ERR_INIT;
    struct rows r;
    char sub[300];

    (void)state;
    folder_open(&d);
    snprintf(sub, sizeof sub, "%s/timeline", d.dir);
    assert_int_equal(mkdir(sub, 0700), 0);
    const char *path = folder_add(&d, "timeline/msprof_0_2_1.json", text);
    rows_init(&r, "msprof_json", path);
    r.file.device = 0;
    assert_int_equal(rows_parse(&r, parse_trace, &e), OK);
    case_need(&r, "event|track=1|ts=56635864386800|dur=47878150|name=GE@Infer");
    assert_int_equal(sink_count_get(r.count)->notes[NOTE_NO_CLOCK], 1);
    rows_done(&r);

    folder_add(&d, "start_info.0",
               "{\"collectionDateBegin\":\"2023-08-18 "
               "14:27:04.324979\",\"collectionTimeBegin\":\"1692340024324979\","
               "\"clockMonotonicRaw\":\"56579931060630\"}");
    rows_init(&r, "msprof_json", path);
    r.file.device = 0;
    assert_int_equal(rows_parse(&r, parse_trace, &e), OK);
    case_need(&r, "event|track=1|ts=1692340080258305170|dur=47878150|name=GE@Infer");
    assert_int_equal(sink_count_get(r.count)->note_calls, 0);
    rows_done(&r);
    unlink(path);
    rmdir(sub);
    folder_close(&d);
}

static void trace_of_hccl_info_is_planes(void **state)
{
    const char *text = "{\"device id\": \"6\", \"iteration\": 1, \"traceEvents\": [{\"tid\": 2, "
                       "\"pid\": \"6\", \"ts\": 616881090071.61, \"dur\": 0.26, \"ph\": \"X\", "
                       "\"name\": \"Notify Record\", \"args\": {\"size\": null}}]}";
    struct folder d;
    struct err e = ERR_INIT;
    struct rows r;
    char line[400];

    (void)state;
    folder_open(&d);
    rows_init(&r, "g1_hccl_trace", folder_add(&d, "iter1.trace", text));
    assert_int_equal(rows_parse(&r, parse_trace_hccl, &e), OK);
    assert_int_equal(sink_count_get(r.count)->note_calls, 0);
    case_need(&r, "event|track=1|ts=616881090071610|dur=260|name=Notify Record|off=51");
    snprintf(line, sizeof line, "track_set|id=1|kind=plane|pid=6|tid=2|process=HCCL %s iter1",
             path_base(d.dir));
    case_need(&r, line);
    rows_done(&r);
    folder_close(&d);
}

/* ---- limits ---- */

static void trace_limits_are_noted(void **state)
{
    struct buf b;
    struct rows r;

    (void)state;
    buf_init(&b, (size_t)32 << 20);
    for (size_t over = 0; over < 2; over++) {
        buf_clear(&b);
        for (size_t i = 0; i < LIM_TRACKS + over; i++)
            buf_printf(&b, "%s{\"ph\":\"X\",\"name\":\"x\",\"pid\":1,\"tid\":%zu,\"ts\":%zu}", i ? "," : "[",
                       i, i + 1000000000000000);
        buf_addc(&b, ']');
        rows_init(&r, "trace_view", scratch_write(b.p, b.n));
        r.quiet = true;
        struct err e = ERR_INIT;
        assert_int_equal(rows_parse(&r, parse_trace, &e), OK);
        assert_int_equal(sink_count_get(r.count)->tracks, LIM_TRACKS);
        assert_int_equal(sink_count_get(r.count)->events, LIM_TRACKS);
        assert_int_equal(sink_count_get(r.count)->notes[NOTE_LIMIT], over);
        assert_int_equal(r.lost, over);
        rows_done(&r);
    }
    for (size_t over = 0; over < 2; over++) {
        buf_clear(&b);
        for (size_t i = 0; i < LIM_OPEN_EVENTS + over; i++)
            buf_printf(&b, "%s{\"ph\":\"B\",\"name\":\"x\",\"pid\":1,\"tid\":1,\"ts\":%zu}", i ? "," : "[",
                       i + 1000000000000000);
        buf_addc(&b, ']');
        rows_init(&r, "trace_view", scratch_write(b.p, b.n));
        r.quiet = true;
        struct err e = ERR_INIT;
        assert_int_equal(rows_parse(&r, parse_trace, &e), OK);
        assert_int_equal(sink_count_get(r.count)->events, LIM_OPEN_EVENTS);
        assert_int_equal(sink_count_get(r.count)->notes[NOTE_LIMIT], over);
        assert_int_equal(r.lost, over);
        rows_done(&r);
    }
    buf_done(&b);
}

static bool always(const struct sink *s)
{
    (void)s;
    return true;
}

static uint64_t progress_seen;

static void progress(void *arg, uint64_t done_b)
{
    (void)arg;
    assert_true(done_b >= progress_seen);
    progress_seen = done_b;
}

static void trace_can_be_stopped(void **state)
{
    struct buf b;
    struct rows r;
    struct err e = ERR_INIT;

    (void)state;
    buf_init(&b, (size_t)32 << 20);
    for (size_t i = 0; i < 100000; i++)
        buf_printf(&b, "%s{\"ph\":\"X\",\"name\":\"x\",\"pid\":1,\"tid\":1,\"ts\":%zu}", i ? "," : "[",
                   i + 1000000000000000);
    buf_addc(&b, ']');
    rows_init(&r, "trace_view", scratch_write(b.p, b.n));
    r.quiet = true;
    r.mine.cancelled = always;
    struct parse_ctx c = {
        .f = &r.file, .run = &r.run, .tmp = r.tmp, .out = sink_count_sink(r.count), .progress = progress
    };
    assert_int_equal(parse_trace(&c, &e), ERR_CANCELLED);
    assert_true(c.rows < 65536);
    assert_true(progress_seen > 0);
    rows_done(&r);
    buf_done(&b);
}

static void trace_without_an_event_is_an_error(void **state)
{
    struct rows r;
    struct err e = ERR_INIT;

    (void)state;
    const char *text = "[{\"ph\": \"X\" 7}";
    assert_int_equal(case_parse(&r, "trace_view", parse_trace, text, strlen(text), GEN_P), ERR_FORMAT);
    rows_done(&r);
    rows_init(&r, "trace_view", "/nonexistent/trace_view.json");
    assert_int_equal(rows_parse(&r, parse_trace, &e), ERR_IO);
    rows_done(&r);
}

/* ---- damage ---- */

#define EVENT(k, n)                                                                                          \
    "{\"ph\": \"X\", \"name\": \"op" n "\", \"pid\": 7, \"tid\": " k ", \"ts\": \"1736408883688" n           \
    ".930\", \"dur\": 145.57, \"cat\": \"cpu_op\", \"args\": {\"a\": [1, {\"b\": \"}{\"}]}}"
#define SMALL                                                                                                \
    "[" EVENT("1", "100") ", " EVENT("1", "101") ", " EVENT(                                                 \
        "2", "102") ", "                                                                                     \
                    "{\"name\": \"HBM 0/Read\", \"ts\": \"1736408883574037.920\", \"pid\": 17, "             \
                    "\"tid\": 0, \"args\": {\"Read(MB/s)\": 0.0}, \"ph\": \"C\"}, "                          \
                    "{\"ph\": \"s\", \"bp\": \"e\", \"name\": \"e\", \"id\": 8226, \"pid\": 7, "             \
                    "\"tid\": 1, \"ts\": \"1736408883694756.090\", \"cat\": \"q\"}, " EVENT(                 \
                        "1", "103") ", {\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 7, "             \
                                    "\"tid\": 0, \"args\": {\"name\": \"Python\"}}, " EVENT("2", "104") "]"

static uint64_t all_of(const struct sink_counts *k)
{
    return k->events + k->flows + k->samples;
}

static void trace_cut_anywhere_keeps_whole_events(void **state)
{
    size_t n = strlen(SMALL);
    struct rows r;

    (void)state;
    for (size_t cut = 0; cut <= n; cut++) {
        uint64_t whole = 0;
        int depth = 0;
        bool text = false;
        for (size_t i = 0; i < cut; i++) {
            text ^= SMALL[i] == '"';
            if (text)
                continue;
            depth += SMALL[i] == '{';
            if (SMALL[i] == '}')
                whole += --depth == 0;
        }
        case_parse(&r, "trace_view", parse_trace, SMALL, cut, GEN_P);
        const struct sink_counts *k = sink_count_get(r.count);
        if (r.rows != whole)
            fail_msg("cut at %zu: %" PRIu64 " events of %" PRIu64, cut, r.rows, whole);
        if (k->note_calls != (cut < n && cut > 0 ? 1u : 0u) && cut > 0)
            fail_msg("cut at %zu: %" PRIu64 " notes", cut, k->note_calls);
        assert_true(r.lost <= 1);
        rows_done(&r);
    }
}

static void trace_flipped_bits_cost_an_event(void **state)
{
    size_t n = strlen(SMALL);
    char *copy = malloc(n + 1);
    uint64_t seed = 88172645463325252u;
    struct rows r;

    (void)state;
    assert_non_null(copy);
    case_parse(&r, "trace_view", parse_trace, SMALL, n, GEN_P);
    uint64_t all = r.rows, put = all_of(sink_count_get(r.count));
    rows_done(&r);
    assert_int_equal(all, 8);
    assert_int_equal(put, 7);
    for (int i = 0; i < 2000; i++) {
        memcpy(copy, SMALL, n + 1);
        size_t at = (size_t)(scratch_random(&seed) % n);
        copy[at] = (char)(copy[at] ^ (1 << (scratch_random(&seed) % 8)));
        int rc = case_parse(&r, "trace_view", parse_trace, copy, n, GEN_P);
        const struct sink_counts *k = sink_count_get(r.count);
        assert_int_equal(rc, OK);
        if (r.rows + 1 < all && r.rows + r.lost + k->notes[NOTE_UNKNOWN_TYPE] < all)
            fail_msg("a flip at %zu left %" PRIu64 " of %" PRIu64 " events, notes say %" PRIu64 " lost", at,
                     r.rows, all, r.lost);
        if (all_of(k) < put && k->note_calls == 0)
            fail_msg("a flip at %zu lost an event without a note", at);
        rows_done(&r);
    }
    free(copy);
}

/* ---- a sink that takes no more ---- */

static uint64_t full_at, full_noted; /* offset of the event it refuses; that of the note */

static int full_event(struct sink *s, uint32_t track, int64_t ts, int64_t dur, uint32_t name, uint64_t off,
                      struct err *e)
{
    (void)s;
    (void)track;
    (void)ts;
    (void)dur;
    (void)name;
    return off == full_at ? err_set(e, ERR_LIMIT, "no room") : OK;
}

static void full_note(struct sink *s, enum note_code code, const struct where *w, const char *text)
{
    (void)s;
    if (code == NOTE_TORN_FILE && strcmp(text, "no room") == 0)
        full_noted = w->offset;
}

/* The note says at which event, with and without a thread that reads ahead. */
static void trace_that_finds_no_room_says_where(void **state)
{
    (void)state;
    static const char one[] = "{\"ph\":\"X\",\"name\":\"x\",\"pid\":1,\"tid\":5,\"ts\":1,\"dur\":1},";
    static char text[sizeof one * 3000];
    size_t n = 0;

    text[n++] = '[';
    for (int i = 0; i < 2500; i++, n += sizeof one - 1)
        memcpy(text + n, one, sizeof one - 1);
    full_at = 1 + 1700 * (sizeof one - 1);
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct rows r;
        struct err e = ERR_INIT;
        rows_init(&r, "trace_view", scratch_write(text, n));
        r.quiet = true;
        r.mine.event = full_event;
        r.mine.note = full_note;
        struct parse_ctx c = {
            .f = &r.file, .run = &r.run, .tmp = r.tmp, .out = sink_count_sink(r.count), .threads = threads
        };
        full_noted = 0;
        assert_int_equal(parse_trace(&c, &e), OK);
        assert_int_equal(full_noted, full_at);
        rows_done(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trace_bars_and_late_names),
        cmocka_unit_test(trace_ops_keep_their_call_stacks),
        cmocka_unit_test(trace_layers_make_kinds),
        cmocka_unit_test(trace_nameless_layers_get_their_pid),
        cmocka_unit_test(trace_labels_distinguish_devices),
        cmocka_unit_test(trace_counters_have_a_row_per_series),
        cmocka_unit_test(trace_flows_keep_number_ids),
        cmocka_unit_test(trace_begins_and_ends_are_paired_per_row),
        cmocka_unit_test(trace_odd_events_are_counted),
        cmocka_unit_test(trace_escapes_are_undone),
        cmocka_unit_test(trace_slices_share_their_rows),
        cmocka_unit_test(trace_of_generation_1_counts_from_the_first_op),
        cmocka_unit_test(trace_since_boot_gets_the_wall_clock),
        cmocka_unit_test(trace_of_hccl_info_is_planes),
        cmocka_unit_test(trace_limits_are_noted),
        cmocka_unit_test(trace_can_be_stopped),
        cmocka_unit_test(trace_that_finds_no_room_says_where),
        cmocka_unit_test(trace_without_an_event_is_an_error),
        cmocka_unit_test(trace_cut_anywhere_keeps_whole_events),
        cmocka_unit_test(trace_flipped_bits_cost_an_event),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
