/* SPDX-License-Identifier: Apache-2.0 */
/* Values in texts of records by the words around them, of all versions (doc/formats/logs.md#signatures). */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "parsers/logs/log_code.h"
#include "parsers/logs/log_field.h"

static const struct field_case {
    const char *text;
    enum log_field field;
    const char *value; /* NULL: none */
} cases[] = {
    { "Entry-HcclCommInitRootInfoInner:ranks[8], rank[3], rootinfo: host ip[10.1.2.3] port[60000] "
      "identifier[10.1.2.3%eth0_60000_0_1712529353144389], deviceLogicId[3]",
      LOG_F_RANK, "3" },
    { "Entry-HcclCommInitRootInfo:ranks[8], rank[3], x", LOG_F_RANKS, "8" },
    { "Entry-HcclCommInitRootInfo:ranks[8], rank[3], rootinfo: host ip[10.1.2.3] port[6]", LOG_F_SERVER,
      NULL },
    { "SetupAgent rankNum[16], rank[9], rootInfo identifier[g_1], server[10.1.2.3%eth0], logicDevId[1], "
      "phydevId[5], deviceIp[192.1.1.1]",
      LOG_F_SERVER, "10.1.2.3" },
    { "SetupAgent rankNum[16], rank[9], rootInfo identifier[g_1], x", LOG_F_GROUP, "g_1" },
    { "SetupAgent rankNum[16], rank[9], logicDevId[1], phydevId[5], deviceIp[192.1.1.1]", LOG_F_DEVICE, "1" },
    { "SetupAgent rankNum[16], rank[9], logicDevId[1], phydevId[5], deviceIp[192.1.1.1]", LOG_F_PHY, "5" },
    { "SetupAgent rankNum[16], rank[9], logicDevId[1], phydevId[5], deviceIp[192.1.1.1]", LOG_F_DEVICE_IP,
      "192.1.1.1" },
    { "[LocalRank Key Info]userRank[3] hostIp[1.2.3.4] devicePhyId[4]", LOG_F_RANK, "3" },
    { "[RootInfoDetect] nRanks[4], rank[2], deviceLogicId[1], devPhyId[6]", LOG_F_RANKS, "4" },
    { "Task run failed, base information is streamID:[5], taskID[77726298], tag[AllReduce_g], x", LOG_F_TASK,
      "77726298" },
    { "Task run failed, base information is streamID:[5], taskID[77726298], tag[AllReduce_g], x", LOG_F_TAG,
      "AllReduce_g" },
    { "base information is streamId:149, sqId:1, taskId:26063, localRank:2, remoteRank:4, x", LOG_F_STREAM,
      "149" },
    { "base information is streamId:149, sqId:1, taskId:26063, localRank:2, remoteRank:4, x",
      LOG_F_REMOTE_RANK, "4" },
    { "para information is notify id:[0x1], stage:[1], remote rank:[local]", LOG_F_REMOTE_RANK, "local" },
    { "groupRank information is group:[hccl_world_group], rankSize[8], rankId[7]", LOG_F_GROUP,
      "hccl_world_group" },
    { "opData information is timeStamp:[2025-10-09], deviceId[2], index[17]", LOG_F_INDEX, "17" },
    { "Task run failed, device_id=3, stream_id=2, task_id=12, sqe_type=0(ffts), errType=0x1(task exception)",
      LOG_F_ERR_TYPE, "0x1" },
    { "device_id=3, stream_id=2, report_stream_id=4, task_id=12, flip_num=1, fault kernel_name=te_add_1, x",
      LOG_F_STREAM, "2" },
    { "report_stream_id=4, x", LOG_F_STREAM, NULL },
    { "flip_num=1, fault kernel_name=te_add_1, x", LOG_F_KERNEL, "te_add_1" },
    { "heartbeat: local rank [10.1.2.3/1]: crimer rank [10.1.2.4/2] status[LOST]", LOG_F_PLACE,
      "10.1.2.4/2" },
    { "Cluster Exception Location[IP/ID]:[10.1.2.4/2], ExceptionType:[Heartbeat Lost]", LOG_F_TYPE,
      "Heartbeat Lost" },
    { "HCCL_EXEC_TIMEOUT set by default to [1836]s", LOG_F_TIMEOUT, "1836" },
    { "HCCL_EXEC_TIMEOUT set by environment to [600]s", LOG_F_TIMEOUT, "600" },
    { "[HCCL_EXEC_TIMEOUT_S] to [300], x", LOG_F_TIMEOUT, "300" },
    { "runtime result = 507015, reason", LOG_F_CODE, "507015" },
    { "NPU function error: x, error code is 507018", LOG_F_CODE, "507018" },
    { "Kernel task happen error, retCode=0x26, [aicore exception].", LOG_F_CODE, "0x26" },
    { "Watchdog caught collective operation timeout: WorkHCCL(SeqNum=151, OpType=ALLREDUCE, x", LOG_F_SEQ,
      "151" },
    { "Watchdog caught collective operation timeout: WorkHCCL(SeqNum=151, OpType=ALLREDUCE, x", LOG_F_OP,
      "ALLREDUCE" },
    { "Out of memory: Killed process 4711 (python) total-vm:1", LOG_F_PID, "4711" },
    { "failed (exitcode: -9) local_rank: 1 (pid: 4711) of binary", LOG_F_PID, "4711" },
    { "  rank      : 11 (local_rank: 3)", LOG_F_RANK, "11" },
    { "The node: 5 is timed out. It may exit with exception", LOG_F_RANK, "5" },
    { "cut in a value: tag[AllRed", LOG_F_TAG, "AllRed" },
    { "cut before it: tag[", LOG_F_TAG, "" },
    { "vantag[x]", LOG_F_TAG, NULL },
    { "", LOG_F_TAG, NULL },
};

static void values_of_records(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct str v = log_field(str_of(cases[i].text), cases[i].field);
        if (cases[i].value ? !v.p || !str_eq(v, str_of(cases[i].value)) : v.p != NULL)
            fail_msg("%s of '%s' is '%.*s'", log_field_word(cases[i].field), cases[i].text, (int)v.n,
                     v.p ? v.p : "");
    }
}

static void numbers_of_records(void **state)
{
    static const struct {
        const char *text;
        int64_t value; /* -1: none */
    } t[] = { { "taskID[12]", 12 },
              { "taskID[0x26]", 0x26 },
              { "taskID[0x00000000000000000000026]", 0x26 },
              { "taskID[0x7fffffffffffff]", 0x7fffffffffffff },
              { "taskID[0xffffffffffffffff]", -1 },
              { "taskID[0x]", -1 },
              { "taskID[0x2g]", -1 },
              { "taskID[99999999999999999999]", -1 },
              { "taskID[]", -1 },
              { "taskID[local]", -1 } };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(t); i++) {
        int64_t v = -1;
        bool is = log_field_i64(str_of(t[i].text), LOG_F_TASK, &v);
        if (is != (t[i].value >= 0) || (is && v != t[i].value))
            fail_msg("%s is %lld", t[i].text, (long long)v);
    }
    assert_int_equal(log_field_int(STR("rankId[4294967295]"), LOG_F_RANK), -1);
    assert_int_equal(log_field_int(STR("rankId[-1]"), LOG_F_RANK), -1);
    assert_int_equal(log_field_int(STR("rankId[16777215]"), LOG_F_RANK), 16777215);
    assert_int_equal(log_field_int(STR("rankId[16777216]"), LOG_F_RANK), -1);
}

static void every_field_has_a_word(void **state)
{
    (void)state;
    for (int i = 0; i < N_LOG_FIELDS; i++)
        for (int k = 0; k <= i; k++)
            assert_true((i == k) ==
                        !strcmp(log_field_word((enum log_field)i), log_field_word((enum log_field)k)));
}

static void codes_have_their_class(void **state)
{
    static const struct {
        int64_t code;
        enum cause_class cls;
    } t[] = { { 107020, CAUSE_WAIT },   { 207001, CAUSE_DOOM },    { 207018, CAUSE_DOOM },
              { 507010, CAUSE_DEV },    { 507014, CAUSE_CORE },    { 507015, CAUSE_CORE },
              { 507017, CAUSE_AICPU },  { 507018, CAUSE_AICPU },   { 507034, CAUSE_CORE },
              { 507035, CAUSE_CORE },   { 507046, CAUSE_UNKNOWN }, { 507048, CAUSE_WAIT },
              { 507053, CAUSE_ECC },    { 507054, CAUSE_ECC },     { 507056, CAUSE_LINK },
              { 500004, CAUSE_UNKNOWN } };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(t); i++) {
        assert_int_equal(log_code_class(t[i].code), t[i].cls);
        assert_non_null(log_code_text(t[i].code));
    }
    assert_int_equal(log_code_class(4711), CAUSE_UNKNOWN);
    assert_null(log_code_text(4711));
}

static void codes_have_names(void **state)
{
    static const struct {
        const char *code, *name;
    } t[] = {
        { "507015", "507015 AI Core exception" },
        { "0x26", "0x26 AI Core exception" },
        { "0x2A", "0x2A AI CPU exception" },
        { "0x105", "0x105 task timeout" },
        { "0x7bc87", "0x7bc87 AI Core exception" }, /* that of ACL in hex */
        { "4711", "4711" },
        { "0x", "0x" },
        { "0x2z", "0x2z" },
        { "0x26x", "0x26x" },
        { "EI0006", "EI0006" },
        { "", "" },
    };
    char buf[64], small[8];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(t); i++)
        assert_string_equal(log_code_name(str_of(t[i].code), buf, sizeof buf), t[i].name);
    assert_string_equal(log_code_name(STR("507015"), small, sizeof small), "507015 ");
}

/* A result of HCCL is one only where HCCL says it. */
static void codes_in_records(void **state)
{
    static const struct {
        const char *text, *name;
    } t[] = {
        { "[ERROR] HCCL(148,python):x [a.cc:75][2168]call trace: hcclRet -> 9", "9 timeout" },
        { "[ERROR] HCCL(148,python):x [a.cc:872][148][Recv][RaSocket]errNo[0x0000000005000013] Wait timeout",
          "0x0000000005000013 call of the network failed" },
        { "[ERROR] HCCL(72,python):x [hcom.cc:476]errNo[0x0000000005010006] hcclComm all reduce error",
          "0x0000000005010006 not found" },
        { "[ERROR] HCCL(72,python):x [a.cc:4]errNo[0x0000000000000010] of another module", "" },
        { "[ERROR] HCCL(1,p):x [a.cc:49][2168]setup topoExchangeServer failed, ret[9]", "9 timeout" },
        { "[ERROR] HCCL(1,p):x [a.cc:49][2168]failed, ret[128207]", "" },
        { "RuntimeError: HCCL function error: hcclAllReduce, error code is 21",
          "21 the remote side did not answer (CQE)" },
        { "RuntimeError: HCCL function error: hcclAllReduce, error code is 1041",
          "1041 the error is in the status" },
        { "RuntimeError: HCCL function error: hcclAllReduce, error code is 507035",
          "507035 vector core exception" },
        { "NPU function error: x, error code is 507015", "507015 AI Core exception" },
        { "NPU function error: x, error code is 9", "9" },
        { "[ERROR] RUNTIME(1,p):x failed, ret[9]", "" },
        { "[ERROR] HCCL(1,p):x nothing", "" },
    };
    char buf[96], small[4];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(t); i++)
        assert_string_equal(log_code_in(str_of(t[i].text), buf, sizeof buf), t[i].name);
    assert_string_equal(log_code_in(str_of(t[0].text), small, sizeof small), "9 t");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_records),      cmocka_unit_test(numbers_of_records),
        cmocka_unit_test(every_field_has_a_word), cmocka_unit_test(codes_have_their_class),
        cmocka_unit_test(codes_have_names),       cmocka_unit_test(codes_in_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
