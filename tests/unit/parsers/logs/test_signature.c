/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every signature has a line here that it knows: a new signature is a row of a table and a line of this test.
 * What looks like one and is none, and that the page and the table have the same ids.
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

#include "base/str.h"
#include "parsers/logs/signature.h"
#include "tests/unit/scratch.h"

static const struct example {
    const char *id, *line;
} examples[] = {
    /* communication */
    { "HC01",
      "Task run failed, base information is streamID:[5], taskID[77], tag[AllReduce_g], AlgType(level 0)" },
    { "HC02", "Task run failed, para information is notify id:[0x2], stage:[1], remote rank:[3]." },
    { "HC03", "Task run failed, groupRank information is group:[hccl_world_group], rankSize[8], rankId[2]." },
    { "HC04", "Task run failed, opData information is timeStamp:[2025-10-09-16:54:15], deviceId[2]" },
    { "HC05", "[RUNTIME] fftsplus task timeout. stream_id=5, sq_id=1" },
    { "HC07", "EI0002: The wait execution of the Notify register times out." },
    { "HC08", "wait task timeout, stream_id=7, type=7(notify wait), timeout=1836s" },
    { "HC09", "[TaskException]base information is streamId:149, sqId:1, taskId:2, type:NOTIFY WAIT" },
    { "HC10", "[TaskException]base information is streamId:149, sqId:1, taskId:2, type:SDMA" },
    { "HC11", "Task {devId: 2, streamId :3} run failed of exception: errorType :1" },
    { "HC12", "opData information is tag:AllReduce_g, group:g, opIndex:17, count:4" },
    { "HC14", "rank [10.1.2.3/1]: rank [10.1.2.4/2] status[LOST] by rank [10.1.2.3/0]" },
    { "HC15", "[HeartbeatAbnormal]local rank [10.1.2.3/1]: crimer rank [10.1.2.4/2] status[STUCK]" },
    { "HC16", "[HeartbeatAbnormal]local rank [10.1.2.3/1]: crimer rank [10.1.2.4/2] status[ERROR CQE]" },
    { "HC17", "Cluster Exception Location[IP/ID]:[10.1.2.4/2], Arrival Time:[Thu Oct 23 17:25:58 2025]" },
    { "HC18", "cqe error status[12], time:[x], remoteIP{server[10.1.2.4], deviceIp[192.1.1.1]}" },
    { "HC21", "Execution_Error_ROCE_CQE(EI0013): An error CQE occurred" },
    { "HC22", "EI0012: SDMA memory copy failed" },
    { "HC23", "|  192.1.1.1(9)  |  16666  |  192.1.1.2(8)  |  16666  |  server  |  time out  |" },
    { "HC24", "wait socket establish timeout, role[0] rank[9] timeout[120 s]" },
    { "HC25", "connected p2p timeout, timeout:120 s. local logicDevid:1, remote physic id:3." },
    { "HC26", "[Wait][LinksEstablishCompleted]Wait links establish completed failed, role[1]" },
    { "HC27", "Transport init error! createLink para: local rank[1], remote rank[2]" },
    { "HC28", "srcRank (server a, device ID 1) fails to connect to dstRank (server b, device ID 2)" },
    { "HC29", "recv fail, data[0x1] size[4] recvSize[0]" },
    { "HC30", "topo exchange server get socket timeout! timeout[120 s]" },
    { "HC31", "connected rankinfo[LINE 0]: [0000000000000000],[0000000000000001];" },
    { "HC32", "TopoDetect ERROR occur, Failed to connect agent[1,3,]" },
    { "HC33", "TopoExchangeAgent: connect server[10.1.2.3 : 60000] failed" },
    { "HC34", "receive msg length from fdhandle failed, ret[9]" },
    { "HC35", "EI0015: The communicator could not be initialised" },
    { "HC36", "EI0006: Getting socket times out. Reason: x" },
    { "HC37", "[RankConsistentImpl][CompareFrame]tag[AllReduce_g] parameter[count] local[8] remote[4]" },
    { "HC38", "EI0008: The CANN versions are inconsistent" },
    { "HC39", "listen on ip[10.1.2.3] and specific port[16666] fail" },
    { "HC40", "EI0001: Environment variable HCCL_IF_IP is invalid" },
    { "HC41", "[Parse][ClusterInfo]the rank table is empty" },
    { "HC42", "[check][ip]fail, device ip 192.1.1.1 in the ranktable is inconsistent with hccn" },
    { "HC43", "EI0016: Some ranks tlsStatus are inconsistent, enable: 1,2" },
    { "HC46", "EI0007: Failed to allocate resource" },
    { "HC47", "ra hdc message process failed ret(-67)" },
    { "HC48", "EJ0001: Failed to initialize the HCCP process. the last training process is running" },
    { "HC49", "[HcclCommDestroy] comm is not exist, comm=0x1" },
    { "HC50", "Entry-HcclCommDestroy: group[g]" },
    /* runtime */
    { "RT01", "Task run failed, device_id=3, stream_id=2, task_id=12, errType=0x1(task exception)" },
    { "RT02", "Aicore kernel execute failed, device_id=3, fault kernel_name=te_add, x" },
    { "RT03", "The error from device(chipId:3), there is an exception of aivec error, core id is 4" },
    { "RT04", "The extend info: errcode:(0x1) errorStr: out of range" },
    { "RT05", "Kernel task happen error, retCode=0x26, [aicore exception]." },
    { "RT06", "Kernel task happen error, retCode=0x25, [aicore timeout]." },
    { "RT07", "[AIC_INFO] node_name:add_1" },
    { "RT08", "Aicpu kernel execute failed, device_id=3, so_name=x, kernel_name=GetNext" },
    { "RT10", "Aicpu engine process failed, result[9], opName[GetNext]" },
    { "RT12", "E30008: AI CPU execution timeout" },
    { "RT13", "Memory async copy failed, device_id=3, copy_type=2" },
    { "RT14", "there is a sdma error, sdma channel is 3, cqeStatus=0x2" },
    { "RT15", "HBM MULTI BIT ECC, Uncorrectable ECC, device_id=3, event_id=0x80e01801" },
    { "RT16", "NPU function error: HBM MULTI BIT ECC ERROR" },
    { "RT17", "HCCS LINK ERROR, device 1" },
    { "RT19", "halMemAlloc failed, drvRetCode=6, size=1024" },
    { "RT20", "RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB (NPU 3; 60 GiB total)" },
    { "RT21", "Out of Memory!!! Request memory size: 1024B" },
    { "RT22", "EL0004: Failed to allocate memory" },
    { "RT23", "Device[3] lost heartbeat, runtime result = 507010" },
    { "RT24", "Stream synchronize timeout, device_id=3, stream_id=2, timeout=1836" },
    { "RT25", "event wait task timeout, stream_id=2, task_id=9" },
    { "RT26", "report three minutes timeout! stream_id=2" },
    { "RT27", "model execute failed, device_id=3, Real fault task stream_id=2" },
    { "RT28", "<exception_print>notify wait timeout, stream_id=2" },
    { "RT29", "RTS_HWTS: aicore exception, slot_id=1, stream_id=2" },
    { "RT30", "receive ts exception msg, call excep_code=0xb4060007" },
    { "RT31", "TsdOpen failed, devId=3, tdt error=31" },
    { "RT34", "Alloc sq cq fail, drvRetCode=13" },
    { "RT38", "EZ9999: Cannot find bin of op Add" },
    { "RT39", "E19999: Build graph failed, graph id:1" },
    { "RT40", "TBE Subprocess[task_distribute] raise error[], main process disappeared!" },
    { "RT41", "aclrtSynchronizeStream: runtime result = 507015" },
    { "RT42",
      "[ERROR] 2025-10-09-16:54:15 (PID:2793, Device:2, RankID:5) ERR02200 DIST call hccl api failed." },
    { "RT43", "DEV_MEM dev3 mem stats: module HCCL 1024" },
    { "RT44", "halHdcRecv failed, ret=507901" },
    /* devices and hosts */
    { "DV01", "event_id=0x80e01801, devid=3" },
    { "DV02", "event_id=0x80e01809, devid=3" },
    { "DV03", "appeared multi ecc err, the physical address is 0x1" },
    { "DV04", "[Hardware Error]: section_type: memory error" },
    { "DV05", "event_id=0x80e0020b, devid=3" },
    { "DV07", "event_id=0x81078603, assertion=1, devid=3" },
    { "DV08", "event_id=0x81078603, assertion=0, devid=3" },
    { "DV09", "port 0 present 1, mac_link 0, rf_lf 1" },
    { "DV10", "[devid 3] Thu Oct 23 17:25:58 2025 LINK DOWN" },
    { "DV11", "net health status: Socket fail" },
    { "DV12", "system exception code [0xb4060007]: ModuleName [TS], ExceptionReason [x]" },
    { "DV14", "[drv_soft_fault] x Heartbeat lost! (device=3; c=1)" },
    { "DV15", "PCIe Bus Error: severity=Uncorrected (Fatal), type=x" },
    { "DV16", "DMA copy failed, dev 3" },
    { "DV17", "HDC recv msg err ret(25)" },
    { "OS01", "python invoked oom-killer: gfp_mask=0x1" },
    { "OS02", "Out of memory: Killed process 4711 (python) total-vm:1kB" },
    { "OS03", "python[4711]: segfault at 0 ip 0000 sp 0000 error 4 in lib.so" },
    { "OS04", "OSError: [Errno 28] No space left on device" },
    { "OS05", "EXT4-fs error (device sda1): x" },
    { "OS06", "INFO: task python:4711 blocked for more than 120 seconds." },
    { "OS07", "Kernel panic - not syncing: x" },
    { "OS09", "container died ExitStatus=137" },
    { "SW01", "SwitchFaultEvent FaultID:0x1 Assertion:0x1" },
    /* programs and launchers */
    { "PY02", "RuntimeError: call failed, error code is 507015" },
    { "PY03", "KeyboardInterrupt" },
    { "PY05", "numpy.core._exceptions._ArrayMemoryError: Unable to allocate" },
    { "PY07", "ModuleNotFoundError: No module named 'x'" },
    { "PY08", "BrokenPipeError: [Errno 32] Broken pipe" },
    { "DP01", "Bad performance attention, it takes more than 25 seconds to fetch a batch" },
    { "DP02", "For the GetNext operator, check its preprocessing" },
    { "DP03", "RuntimeError: DataLoader worker (pid(s) 4711) exited unexpectedly" },
    { "DP04", "RuntimeError: DataLoader timed out after 60 seconds" },
    { "DP06", "Exception thrown from dataset pipeline. x" },
    { "LA01", "failed (exitcode: -9) local_rank: 1 (pid: 4711) of binary: python" },
    { "LA02", "failed (exitcode: -11) local_rank: 1 (pid: 4711) of binary: python" },
    { "LA03", "failed (exitcode: 1) local_rank: 1 (pid: 4711) of binary: python" },
    { "LA04", "Root Cause (first observed failure):" },
    { "LA05", "Sending process 4711 closing signal SIGTERM" },
    { "LA06", "Received 15 death signal, shutting down workers" },
    { "LA07", "slurmstepd: error: *** JOB 7 CANCELLED AT 2025-10-09T16:54:15 DUE TO PREEMPTION ***" },
    { "LA08", "The node: 5 is timed out. It may exit with exception" },
    { "LA09", "Watchdog caught collective operation timeout: WorkHCCL(SeqNum=151, OpType=ALLREDUCE)" },
    { "LA10", "Process group work ALLREDUCE, seq_num 7 dispatch timeout" },
    { "LA11", "Received a dump signal from this local rank" },
    { "LA12", "Heartbeat monitor timed out! Process will be terminated" },
    { "LA15", "Fatal Python error: Segmentation fault" },
    { "LA17", "torch.distributed.elastic.rendezvous.api.RendezvousTimeoutError" },
    /* marks */
    { "MK01", "SetupAgent rankNum[8], rank[3], rootInfo identifier[g]" },
    { "MK02", "HcclGetRootInfo success, take time [1]us, identifier[g]" },
    { "MK03", "attr init success" },
    { "MK04", "HCCL_EXEC_TIMEOUT set by default to [1836]s" },
    { "MK05", "HCCL_CONNECT_TIMEOUT set by environment to [600]s" },
    { "MK06", "HcclCommResume:success" },
    { "MK07", "rank 3 of world size 8, pid 4711" },
    { "MK08", "ipaddr:192.1.1.1" },
    { "MK09", "hccn_tool -i 3 -ip -g" },
    { "PY01", "Traceback (most recent call last):" },
    { "ERR", "[ERROR] DRV(4711,python):2025-10-09-16:54:15.497.363 nobody knows this" },
};
#define N_EXAMPLES (sizeof examples / sizeof *examples)

static struct signature_scan *scan;

static enum log_kind a_kind(size_t sig)
{
    enum log_kind k = LOG_PLOG;
    while (!(signature_kinds(signature_at(sig)) >> k & 1))
        k++;
    assert_true(k < N_LOG_KINDS);
    return k;
}

static bool has(struct str record, enum log_kind kind, size_t sig)
{
    uint16_t found[64];
    size_t n = signature_match(scan, record, kind, found, 64);

    for (size_t i = 0; i < n; i++) {
        if (i)
            assert_true(found[i - 1] < found[i]);
        if (found[i] == sig)
            return true;
    }
    return false;
}

static void every_signature_knows_its_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < signature_n(); i++) {
        size_t k = 0;
        while (k < N_EXAMPLES && strcmp(examples[k].id, signature_at(i)->id))
            k++;
        if (k == N_EXAMPLES) {
            fail_msg("%s has no line in this test", signature_at(i)->id);
            return;
        }
        struct str line = str_of(examples[k].line);
        if (!has(line, a_kind(i), i) || signature_next(scan, line, 0) == SIZE_MAX)
            fail_msg("%s does not know '%s'", examples[k].id, examples[k].line);
    }
    for (size_t k = 0; k < N_EXAMPLES; k++)
        if (signature_find(examples[k].id) == SIZE_MAX)
            fail_msg("%s is no signature", examples[k].id);
}

/* Words of each alternative, put together, are found: none is hidden by another one. */
static void every_alternative_is_found(void **state)
{
    char line[1024];

    (void)state;
    for (size_t i = 0; i < signature_n(); i++) {
        struct str all = str_of(signature_at(i)->match), one, word;
        while (str_next(&all, *OR, &one)) {
            size_t n = (size_t)snprintf(line, sizeof line, "error code");
            while (str_next(&one, *ALSO, &word)) {
                assert_true(word.n > 2);
                n += (size_t)snprintf(line + n, sizeof line - n, " %.*s", (int)word.n, word.p);
            }
            if (!has((struct str){ line, n }, a_kind(i), i))
                fail_msg("%s does not know '%s'", signature_at(i)->id, line);
        }
    }
}

static void ids_are_unique_and_rows_are_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < signature_n(); i++) {
        const struct signature *s = signature_at(i);
        assert_int_equal(signature_find(s->id), i);
        assert_true(*s->says && s->next && signature_kinds(s));
        for (const char *w = s->where; *w; w++)
            assert_non_null(strchr("pdoscela!", *w));
    }
    assert_null(signature_at(signature_n()));
    assert_true(signature_find("HC99") == SIZE_MAX);
    assert_true(signature_n() < UINT16_MAX);
}

static void what_only_looks_like_one(void **state)
{
    static const struct {
        const char *id, *line;
        bool is;
    } t[] = {
        { "RT23", "[ERROR] HCCL(507010,python):2025-10-09-16:54:15.497.363 x", false },
        { "RT23", "[ERROR] HCCL(4711,python):2025-10-09-16:54:15.507.010 x", false },
        { "RT23", "identifier[10.1.2.3%eth0_60000_0_1712529353507010]", false },
        { "RT23", "taskID[507010], ret is 0", false },
        { "RT23", "rtStreamSynchronize, runtime result = 507010", true },
        { "RT31", "error code is 507033", true },
        { "RT31", "error code is 5070331", false },
        { "RT12", "id=AE30008", false },
        { "RT12", "E300081", false },
        { "RT12", "(E30008)", true },
        { "PY05", "torch.OutOfMemoryError: NPU out of memory", false },
        { "PY05", "MemoryError", true },
        { "RT05", "retCode=0x261", false },
        { "RT25", "wait task timeout, type=55", false },
        { "HC08", "wait task timeout, type=75, then type=7", true },
        { "DV01", "event_id=0x80e018011", false },
        { "DV07", "event_id=0x81078603, assertion=10", false },
        { "HC21", "EI0013", true },
        { "HC21", "EI00132", false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        size_t sig = signature_find(t[i].id);
        assert_true(sig != SIZE_MAX);
        if (has(str_of(t[i].line), a_kind(sig), sig) != t[i].is)
            fail_msg("%s: '%s'", t[i].id, t[i].line);
    }
}

/* Every word is found wherever it stands, between bytes of all values, and only there. */
static void skipping_misses_no_word(void **state)
{
    static uint8_t text[4096];
    uint64_t seed = 88172645463325252U;

    (void)state;
    for (size_t i = 0; i < signature_n(); i++) {
        struct str all = str_of(signature_at(i)->match), one, word;
        while (str_next(&all, *OR, &one)) {
            str_next(&one, *ALSO, &word);
            for (size_t at = 0; at < 24; at++) {
                for (size_t k = 0; k < 128; k++) /* bytes that no word has, else near ones */
                    text[k] = at & 1 ? (uint8_t)(0x80 | scratch_random(&seed)) : 'a' + (uint8_t)(k % 2);
                memcpy(text + at, word.p, word.n);
                struct str s = { (const char *)text, at + word.n + 24 };
                size_t end = signature_next(scan, s, 0);
                if (end == SIZE_MAX || end > at + word.n || end <= at)
                    fail_msg("'%.*s' at %zu: %zu", (int)word.n, word.p, at, end);
                assert_true(signature_next(scan, str_sub(s, 0, at + 2), 0) == SIZE_MAX);
                assert_int_equal(signature_next(scan, s, at), end);
            }
        }
    }
}

/* A kind of log in which a signature does not count. */
static void kinds_are_kept_apart(void **state)
{
    (void)state;
    size_t oom = signature_find("OS02"), wait = signature_find("HC01");
    struct str killed = STR("Out of memory: Killed process 4711 (python)");
    assert_true(has(killed, LOG_HOST, oom));
    assert_false(has(killed, LOG_CONSOLE, oom));
    assert_false(has(str_of(examples[0].line), LOG_HOST, wait));
    assert_int_equal(signature_match(scan, STR(""), LOG_PLOG, NULL, 0), 0);
    assert_true(signature_next(scan, STR(""), 0) == SIZE_MAX);
}

static void found_are_limited(void **state)
{
    uint16_t found[1] = { 0xffff };

    (void)state;
    assert_int_equal(signature_match(scan, STR("EI0006 EI0002 EI0015"), LOG_CONSOLE, found, 1), 1);
    assert_true(found[0] < signature_n());
}

/* The page's tables of signatures and the program's have the same rows. */
static void the_page_and_the_table_agree(void **state)
{
    const char *top = getenv("top_srcdir");
    char path[1024], line[4096], id[8];
    size_t rows = 0;

    (void)state;
    snprintf(path, sizeof path, "%s/doc/formats/logs.md", top ? top : ".");
    FILE *f = fopen(path, "r");
    if (!f) {
        skip();
        return;
    }
    while (fgets(line, sizeof line, f)) {
        bool row = strlen(line) > 8 && !memcmp(line, "| ", 2) && !memcmp(line + 6, " |", 2);
        if (!row || line[4] < '0' || line[4] > '9')
            continue;
        str_copy((struct str){ line + 2, 4 }, id, sizeof id);
        rows++;
        if (signature_find(id) == SIZE_MAX)
            fail_msg("%s is only on the page", id);
    }
    fclose(f);
    assert_true(rows >= 120);
}

static int begin(void **state)
{
    struct err e = ERR_INIT;
    (void)state;
    return signature_scan_new(&scan, &e);
}

static int end(void **state)
{
    (void)state;
    signature_scan_free(scan);
    signature_scan_free(NULL);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_signature_knows_its_line),
        cmocka_unit_test(every_alternative_is_found),
        cmocka_unit_test(ids_are_unique_and_rows_are_whole),
        cmocka_unit_test(what_only_looks_like_one),
        cmocka_unit_test(skipping_misses_no_word),
        cmocka_unit_test(kinds_are_kept_apart),
        cmocka_unit_test(found_are_limited),
        cmocka_unit_test(the_page_and_the_table_agree),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
