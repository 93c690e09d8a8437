/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heads of records in all dialects of doc/formats/logs.md#grammar, behind prefixes and colours, and records
 * that are glued together.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "parsers/logs/log_head.h"

#define OCT9  (INT64_C(1759968000) * LOG_S_NS)
#define T1654 ((16 * 3600 + 54 * 60 + 15) * LOG_S_NS)
#define AT    (OCT9 + T1654)
#define NO    LOG_NO_TIME

static const struct head_case {
    const char *line, *module, *text; /* text: what follows the head */
    int64_t pid, ns;                  /* ns: of a time that has a year */
    enum log_clock clock;
    enum log_level level;
    int rank, device;
} cases[] = {
    /* CANN */
    { "[ERROR] HCCL(116451,python3.10):2025-10-09-16:54:15.497.363 [task_exception.cc:648][Wait] x", "HCCL",
      " [task_exception.cc:648][Wait] x", 116451, AT + 497363000, LOG_LOCAL, LOG_ERROR, -1, -1 },
    { "[ERROR]HCCL(1,):2025-10-09-16:54:15.497.363 x", "HCCL", " x", 1, AT + 497363000, LOG_LOCAL, LOG_ERROR,
      -1, -1 },
    { "[EVENT] IMP(-2,IMP): 2025-10-09-16:54:15.497.363 x", "IMP", " x", -2, AT + 497363000, LOG_LOCAL,
      LOG_EVENT, -1, -1 },
    { "[WARNING] TSCH(-1,null):2025-10-09 16:54:15.497.363 12 (dieid:0,cpuid:0) a.c:1 f: t", "TSCH",
      " 12 (dieid:0,cpuid:0) a.c:1 f: t", -1, AT + 497363000, LOG_LOCAL, LOG_WARNING, -1, -1 },
    { "[5] DRV(9,p):2025-10-09-16:54:15.497.363 x", "DRV", " x", 9, AT + 497363000, LOG_LOCAL, LOG_NO_LEVEL,
      -1, -1 },
    { "[TRACE] GE(9,p):2025-10-09-16:54:15.497.363 x", "GE", " x", 9, AT + 497363000, LOG_LOCAL, LOG_INFO, -1,
      -1 },
    { "[OPLOG] 77(9,p (deleted)):2025-10-09-16:54:15 x", "",
      "[OPLOG] 77(9,p (deleted)):2025-10-09-16:54:15 x", -1, 0, NO, LOG_INFO, -1, -1 },
    { "[ERROR] HCCL(", "", "[ERROR] HCCL(", -1, 0, NO, LOG_ERROR, -1, -1 },
    { "[ERROR] HCCL(12", "", "[ERROR] HCCL(12", -1, 0, NO, LOG_ERROR, -1, -1 },
    { "[ERROR] HCCL(12,p):", "HCCL", "", 12, 0, NO, LOG_ERROR, -1, -1 },
    { "[INFO] HCCL(12,p):nothing", "HCCL", "nothing", 12, 0, NO, LOG_INFO, -1, -1 },
    /* MindSpore */
    { "[ERROR] DEVICE(4711,ffff8a9f7010,python):2025-10-09-16:54:15.497.363 [a/b.cc:12] F] text", "DEVICE",
      " [a/b.cc:12] F] text", 4711, AT + 497363000, LOG_LOCAL, LOG_ERROR, -1, -1 },
    { "[CRITICAL] ME(4711:281473,MainProcess):2025-10-09-16:54:15.497.000 [f.py:2] text", "ME",
      " [f.py:2] text", 4711, AT + 497000000, LOG_LOCAL, LOG_ERROR, -1, -1 },
    /* torch */
    { "[rank3]:[E1009 16:54:15.428029551 file.ts:574] text", "", " file.ts:574] text", -1, 0, LOG_LOCAL,
      LOG_ERROR, 3, -1 },
    { "[rank12]:[W324 13:00:25.428029551 3d.cpp:574] text", "", " 3d.cpp:574] text", -1, 0, LOG_LOCAL,
      LOG_WARNING, 12, -1 },
    { "[ERROR] 2025-10-09-16:54:15 (PID:2793, Device:2, RankID:5) ERR02200 DIST call hccl api failed.", "",
      " (PID:2793, Device:2, RankID:5) ERR02200 DIST call hccl api failed.", 2793, AT, LOG_LOCAL, LOG_ERROR,
      5, 2 },
    { "[ERROR] 2025-10-09-16:54:15 (PID:2793, Device:-1, RankID:-1) ERR00100 PTA", "",
      " (PID:2793, Device:-1, RankID:-1) ERR00100 PTA", 2793, AT, LOG_LOCAL, LOG_ERROR, -1, -1 },
    { "[2793] [2025-10-09 16:54:15:497] torch.distributed: [ERROR] [3001] text", "",
      "] torch.distributed: [ERROR] [3001] text", 2793, AT + 497000000, LOG_LOCAL, LOG_ERROR, -1, -1 },
    { "E1009 16:54:15.061000 2793 site-packages/a.py:869] text", "", " 2793 site-packages/a.py:869] text",
      2793, 0, LOG_LOCAL, LOG_ERROR, -1, -1 },
    { "WARNING:torch.distributed.elastic.multiprocessing.api:Sending process 1", "",
      "WARNING:torch.distributed.elastic.multiprocessing.api:Sending process 1", -1, 0, NO, LOG_WARNING, -1,
      -1 },
    { "2025-10-09 16:54:15,667 - INFO - text", "", " - INFO - text", -1, AT + 667000000, LOG_LOCAL, LOG_INFO,
      -1, -1 },
    /* error messages of CANN */
    { "EI0006: 2025-10-09-16:54:15.041.231 Getting socket times out.", "", " Getting socket times out.", -1,
      AT + 41231000, LOG_LOCAL, LOG_ERROR, -1, -1 },
    { "EI0002: [PID: 324] 2025-10-09-16:54:15.041.231 The wait", "", " The wait", 324, AT + 41231000,
      LOG_LOCAL, LOG_ERROR, -1, -1 },
    { "[PID: 3448331] 2025-10-09-16:54:15.232.310 Execution_Error_ROCE_CQE(EI0013): x", "",
      " Execution_Error_ROCE_CQE(EI0013): x", 3448331, AT + 232310000, LOG_LOCAL, LOG_ERROR, -1, -1 },
    { "EZ9999[PID: 324] 2025-10-09-16:54:15.649.300 (EZ9999):  x", "", " (EZ9999):  x", 324, AT + 649300000,
      LOG_LOCAL, LOG_ERROR, -1, -1 },
    { "EZ9999: Inner Error!", "", "Inner Error!", -1, 0, NO, LOG_ERROR, -1, -1 },
    { "WI0001: something", "", "something", -1, 0, NO, LOG_WARNING, -1, -1 },
    { "EI00061: no code", "", "EI00061: no code", -1, 0, NO, LOG_NO_LEVEL, -1, -1 },
    { "E-0006 no code", "", "E-0006 no code", -1, 0, NO, LOG_NO_LEVEL, -1, -1 },
    /* hosts, devices */
    { "Oct  9 16:54:15 w0 kernel: [1.5] text", "", " w0 kernel: [1.5] text", -1, 0, LOG_LOCAL, LOG_NO_LEVEL,
      -1, -1 },
    { "2025-10-09T16:54:15.857705+08:00|err|kernel[-]|text", "", "|err|kernel[-]|text", -1,
      AT + 857705000 - 8 * 3600 * LOG_S_NS, LOG_UTC, LOG_NO_LEVEL, -1, -1 },
    { "[259205.000000] text", "", " text", -1, 259205 * LOG_S_NS, LOG_UPTIME, LOG_NO_LEVEL, -1, -1 },
    { "[Thu Oct  9 16:54:15 2025] text", "", "] text", -1, AT, LOG_LOCAL, LOG_NO_LEVEL, -1, -1 },
    { "[2025-10-09-16:54:15.034681] [ascend] [devmng] [ERROR] [f 1] <p:1:1> text", "",
      "] [ascend] [devmng] [ERROR] [f 1] <p:1:1> text", -1, AT + 34681000, LOG_LOCAL, LOG_ERROR, -1, -1 },
    { "[2025-10-09-16:54:15.034681] system exception code [0xb4060007]", "",
      "] system exception code [0xb4060007]", -1, AT + 34681000, LOG_LOCAL, LOG_NO_LEVEL, -1, -1 },
    { "devid: 2, module: 1 2025-10-09 16:54:15 070000 text", "", " text", -1, AT + 70000000, LOG_UTC,
      LOG_NO_LEVEL, -1, -1 },
    /* agents */
    { "[ERROR] 2025/10/09 16:54:15.034681 60 file.go:1924 text", "", " 60 file.go:1924 text", -1,
      AT + 34681000, LOG_LOCAL, LOG_ERROR, -1, -1 },
    { "I1009 16:54:15.700191       1 file.go:258] text", "", "       1 file.go:258] text", 1, 0, LOG_LOCAL,
      LOG_INFO, -1, -1 },
    { "[2025-10-09 16:54:15,095][10][ERROR][module:12] text", "", "][10][ERROR][module:12] text", -1,
      AT + 95000000, LOG_LOCAL, LOG_ERROR, -1, -1 },
    { "[2025-10-09 16:54:15.023+0800] [1] [2] [m] [WARN] text", "", "] [1] [2] [m] [WARN] text", -1,
      AT + 23000000 - 8 * 3600 * LOG_S_NS, LOG_UTC, LOG_WARNING, -1, -1 },
    /* prefixes */
    { "(WorkerDict pid=7435, ip=172.16.22.183) [ERROR] HCCL(99,p):2025-10-09-16:54:15 x", "HCCL", " x", 99,
      AT, LOG_LOCAL, LOG_ERROR, -1, -1 },
    { "(Worker_TP2 pid=1456) 2025-10-09 16:54:15,667 - ERROR - text", "", " - ERROR - text", 1456,
      AT + 667000000, LOG_LOCAL, LOG_ERROR, -1, -1 },
    { "a/b.log-11454-[rank1953]: [E1009 16:54:15.1 a.cc:1] x", "", " a.cc:1] x", -1, 0, LOG_LOCAL, LOG_ERROR,
      1953, -1 },
    { "plog-1.log:77:[ERROR] HCCL(99,p):2025-10-09-16:54:15 x", "HCCL", " x", 99, AT, LOG_LOCAL, LOG_ERROR,
      -1, -1 },
    { "[rank99999999999]: x", "", "[rank99999999999]: x", -1, 0, NO, LOG_NO_LEVEL, -1, -1 },
    { "(see pid= below) x", "", "(see pid= below) x", -1, 0, NO, LOG_NO_LEVEL, -1, -1 },
    { "", "", "", -1, 0, NO, LOG_NO_LEVEL, -1, -1 },
};

static void heads_of_all_dialects(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct head_case *c = &cases[i];
        struct str line = str_of(c->line);
        struct log_head h;
        log_head_read(line, &h);
        bool time = h.time.clock == c->clock && (!c->ns || (h.time.ns == c->ns && !h.time.no_year)) &&
                    (c->ns || c->clock == NO || h.time.no_year);
        if (!str_eq(h.module, str_of(c->module)) || h.pid != c->pid || h.level != c->level ||
            h.rank != c->rank || h.device != c->device || !time || h.text_at > line.n ||
            (*c->text && strcmp(c->line + h.text_at, c->text)))
            fail_msg("%s: module '%.*s' pid %lld level %d rank %d device %d clock %d ns %lld text '%s'",
                     c->line, (int)h.module.n, h.module.p ? h.module.p : "", (long long)h.pid, h.level,
                     h.rank, h.device, h.time.clock, (long long)h.time.ns, c->line + h.text_at);
    }
}

/* Cut anywhere: nothing is read behind the end (the sanitizers look), the text begins inside. */
static void heads_of_cut_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        for (size_t n = 0, all = strlen(cases[i].line); n < all; n++) {
            char *copy = test_malloc(n ? n : 1);
            struct log_head h;
            memcpy(copy, cases[i].line, n);
            log_head_read((struct str){ copy, n }, &h);
            assert_true(h.text_at <= n);
            test_free(copy);
        }
}

static void glued_records_begin_at_their_heads(void **state)
{
    static const char line[] =
        "[EVENT] HCCL(7,p):2025-10-09-16:54:15 size 4096.[ERROR] RUNTIME(7,p):2025-10-09-"
        "16:54:15 a [x] [ERROR] b (7) [ERROR] GE(-1,q):c";
    struct str s = str_of(line);
    size_t second = str_find(s, STR("[ERROR] RUNTIME"), 0), third = str_find(s, STR("[ERROR] GE"), 0);

    (void)state;
    assert_int_equal(log_head_glued(s, 0), 0);
    assert_int_equal(log_head_glued(s, 1), second);
    assert_int_equal(log_head_glued(s, second), second);
    assert_int_equal(log_head_glued(s, second + 1), third);
    assert_true(log_head_glued(s, third + 1) == SIZE_MAX);
    assert_true(log_head_glued(STR(""), 0) == SIZE_MAX);
    assert_true(log_head_glued(STR("[[[[[ERROR"), 0) == SIZE_MAX);
}

static void colours_are_taken_out(void **state)
{
    static const struct {
        const char *with, *without;
    } t[] = { { "\033[36m(Worker pid=1)\033[0m text", "(Worker pid=1) text" },
              { "\033[1;31;40mRuntimeError\033[m: x", "RuntimeError: x" },
              { "a\033", "a\033" },
              { "a\033[", "a\033[" },
              { "a\033[12", "a\033[12" },
              { "\033]0;title\007x", "\033]0;title\007x" },
              { "\033[2K\rtext", "\rtext" } };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(t); i++) {
        char buf[64];
        memcpy(buf, t[i].with, strlen(t[i].with));
        size_t n = log_head_uncolour(buf, strlen(t[i].with));
        assert_int_equal(n, strlen(t[i].without));
        assert_memory_equal(buf, t[i].without, n);
    }
}

static void prefixes_name_the_writer(void **state)
{
    struct log_head h = { .pid = -1, .rank = -1, .device = -1 };

    (void)state;
    assert_true(str_eq(log_head_bare(STR("[rank3]: (W pid=7) [rank4]:text"), &h), STR("text")));
    assert_true(h.rank == 4 && h.pid == 7);
    assert_true(str_eq(log_head_bare(STR("[rank3]:   File \"a\""), NULL), STR("  File \"a\"")));
    assert_true(str_eq(log_head_bare(STR("[rank3"), NULL), STR("[rank3")));
    assert_true(str_eq(log_head_bare(STR("(pid=3"), NULL), STR("(pid=3")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_of_all_dialects),
        cmocka_unit_test(heads_of_cut_lines),
        cmocka_unit_test(glued_records_begin_at_their_heads),
        cmocka_unit_test(colours_are_taken_out),
        cmocka_unit_test(prefixes_name_the_writer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
