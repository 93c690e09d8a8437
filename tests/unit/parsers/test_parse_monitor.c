/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of msMonitor: rows of each kind, and what becomes of damaged ones. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "parsers/parsers.h"
#include "tests/unit/parsers/parse_case.h"

#define API                                                                                                  \
    "{\"correlationId\":7,\"endNs\":1700000000000000900,\"kind\":\"AclAPI\",\"name\":\"aclnnAdd\","          \
    "\"processId\":41,\"startNs\":1700000000000000500,\"threadId\":42}\n"
#define KERNEL                                                                                               \
    "{\"correlationId\":7,\"deviceId\":3,\"endNs\":1700000000000002000,\"kind\":\"Kernel\","                 \
    "\"name\":\"Add_\\u0061b\\\"c\",\"startNs\":1700000000000001000,\"streamId\":2,\"type\":"                \
    "\"KERNEL_AIVEC\"}\n"
#define COMM                                                                                                 \
    "{\"algType\":\"MESH-RING\",\"commName\":\"10.0.0.1%eth0_6\",\"correlationId\":8,\"count\":1000,"        \
    "\"dataType\":\"FP16\",\"deviceId\":3,\"endNs\":1700000000000005000,\"kind\":\"Communication\","         \
    "\"name\":\"hcom_allReduce__586_0_1\",\"startNs\":1700000000000003000,\"streamId\":5}\n"
#define MARK                                                                                                 \
    "{\"domain\":\"default\",\"endNs\":1700000000000000400,\"id\":1,\"kind\":\"Marker\",\"name\":\"step\","  \
    "\"processId\":41,\"sourceKind\":\"Host\",\"startNs\":1700000000000000400,\"threadId\":42}\n"
#define DEVICE_MARK                                                                                          \
    "{\"deviceId\":3,\"domain\":\"\",\"endNs\":1700000000000000460,\"id\":1,\"kind\":\"Marker\","            \
    "\"name\":\"step\",\"sourceKind\":\"Device\",\"startNs\":1700000000000000450,\"streamId\":2}\n"
#define MAP "{\"device\":[3],\"kind\":\"rank_device_map\",\"rank\":3}\n"
#define ALL API KERNEL COMM MARK DEVICE_MARK MAP

static void monitor_rows_of_every_kind(void **state)
{
    (void)state;
    case_expect(
        "monitor_jsonl", parse_monitor_jsonl, ALL,
        "track|id=1|kind=host_thread|pid=CANN 41|tid=42|process=CANN|name=Thread 42|sort=42\n"
        "event|track=1|ts=1700000000000000500|dur=400|name=aclnnAdd|off=1\n"
        "flow|track=1|ts=1700000000000000500|s|cat=HostToDevice|id=7\n"
        "op|id=1|name_id=Add_ab\"c|core=AIV\n"
        "op_exec|op_id=1|rank=0|device=3|stream=2|ts_ns=1700000000000001000|dur_ns=1000|line=2\n"
        "track|id=2|kind=stream|pid=Ascend Hardware 3|tid=2|process=Ascend Hardware|name=Stream 2|sort=2|"
        "stream=2\n"
        "event|track=2|ts=1700000000000001000|dur=1000|name=Add_ab\"c|off=2\n"
        "flow|track=2|ts=1700000000000001000|f|cat=HostToDevice|id=7\n"
        "comm_exec|rank=0|name_id=hcom_allReduce__586_0_1|type_id=hcom_allReduce_|"
        "group_id=10.0.0.1%eth0_6|ts_ns=1700000000000003000|dur_ns=2000|size_b=2000|line=3\n"
        "track|id=3|kind=plane|pid=Communication 3|tid=10.0.0.1%eth0_6|process=Communication|"
        "name=Group 10.0.0.1%eth0_6 Communication|sort=0\n"
        "event|track=3|ts=1700000000000003000|dur=2000|name=hcom_allReduce__586_0_1|off=3\n"
        "flow|track=3|ts=1700000000000003000|f|cat=HostToDevice|id=8\n"
        "track|id=4|kind=host_thread|pid=mstx 41|tid=42|process=mstx|name=Thread 42|sort=42\n"
        "event|track=4|ts=1700000000000000400|dur=0|name=step|off=4\n"
        "track|id=5|kind=engine|pid=mstx 3|tid=2|process=mstx|name=Stream 2|sort=2\n"
        "event|track=5|ts=1700000000000000450|dur=10|name=step|off=5\n"
        "doc|key=rank_device_map|value={\"device\":[3],\"kind\":\"rank_device_map\",\"rank\":3}\n");
}

static void monitor_bad_lines_are_left_out(void **state)
{
    (void)state;
    case_expect(
        "monitor_jsonl", parse_monitor_jsonl,
        "{\"kind\":\"Kernel\",\"name\":\"x\",\"startNs\":5,\"endNs\":4,\"deviceId\":0,\"streamId\":0}\n"
        "{\"kind\":\"Kernel\",\"name\":\"x\",\"startNs\":5,\"endNs\":\"6\",\"deviceId\":0,\"streamId\":0}\n"
        "{\"kind\":\"Marker\",\"name\":\"x\",\"startNs\":5,\"endNs\":6,\"sourceKind\":\"Host\"}\n"
        "{\"kind\":\"Memset\",\"name\":\"x\"}\n"
        "{\"name\":\"x\"}\n"
        "text\n"
        "\n",
        "note|BAD_ROW|line=1|count=1|a value that its kind has is missing, or it ends before it begins\n"
        "note|BAD_ROW|line=2|count=1|a value that its kind has is missing, or it ends before it begins\n"
        "note|BAD_ROW|line=3|count=1|a mark without its thread or stream\n"
        "note|BAD_ROW|line=5|count=1|no object with a kind\n"
        "note|BAD_ROW|line=6|count=1|no object with a kind\n"
        "note|UNKNOWN_TYPE|line=0|count=1|lines of an unknown kind\n");
}

/* Of a cut file the whole lines are kept, and no more than the last is lost. */
static void monitor_cut_everywhere(void **state)
{
    (void)state;
    for (size_t cut = 0; cut < sizeof ALL; cut++) {
        struct rows r;
        assert_int_equal(case_parse(&r, "monitor_jsonl", parse_monitor_jsonl, ALL, cut, GEN_P), OK);
        uint64_t whole = 0;
        for (size_t i = 0; i < cut; i++)
            whole += ALL[i] == '\n';
        if (r.rows != whole && r.rows != whole + 1)
            fail_msg("cut at %zu: %" PRIu64 " rows of %" PRIu64 " lines", cut, r.rows, whole);
        assert_true(r.lost <= 1);
        rows_done(&r);
    }
}

static void monitor_flipped_bits(void **state)
{
    static const char all[] = ALL;
    char copy[sizeof all];
    uint64_t seed = 88172645463325252u;

    (void)state;
    for (int i = 0; i < 2000; i++) {
        struct rows r;
        memcpy(copy, all, sizeof all);
        size_t at = (size_t)(scratch_random(&seed) % (sizeof all - 1));
        copy[at] = (char)(copy[at] ^ (1 << (scratch_random(&seed) % 8)));
        assert_int_equal(case_parse(&r, "monitor_jsonl", parse_monitor_jsonl, copy, sizeof all - 1, GEN_P),
                         OK);
        assert_true(r.rows >= 4);
        rows_done(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(monitor_rows_of_every_kind),
        cmocka_unit_test(monitor_bad_lines_are_left_out),
        cmocka_unit_test(monitor_cut_everywhere),
        cmocka_unit_test(monitor_flipped_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
