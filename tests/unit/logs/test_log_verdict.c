/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verdict of small logs: one console of all ranks, lines of which nobody knows whose they are, years that
 * are not said, ranks told by the launcher (doc/formats/logs.md#verdict-rule).
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "logs/log_verdict.h"
#include "tests/unit/tree.h"

#define TRACE(rank)                                                                                          \
    "[rank" rank "]: Traceback (most recent call last):\n"                                                   \
    "[rank" rank "]:   File \"/job/train.py\", line 214, in <module>\n"                                      \
    "[rank" rank "]: ValueError: bad shard\n"
#define WATCHDOG(rank)                                                                                       \
    "[rank" rank "]:[E1009 16:54:15.4 a.cc:1] Watchdog caught collective operation timeout: "                \
    "WorkHCCL(SeqNum=151, OpType=ALLREDUCE, Timeout(ms)=1800000) ran for 1800001 milliseconds\n"

static struct {
    struct tree t;
    struct logs *l;
    struct log_verdict *v;
} job;

static void load(void)
{
    struct err e = ERR_INIT;
    const char *folders[] = { tree_path(&job.t, "job") };
    const struct logs_ask ask = { .folders = folders, .n_folders = 1 };

    if (logs_load(&job.l, &ask, &e) || log_verdict_make(&job.v, job.l, NULL, &e))
        fail_msg("%s", e.text);
}

static void done(void)
{
    log_verdict_free(job.v);
    logs_free(job.l);
    tree_done(&job.t);
}

static void of_file(const char *name, const char *text)
{
    char path[128];

    tree_new(&job.t);
    snprintf(path, sizeof path, "job/%s", name);
    tree_file(&job.t, path, text);
    load();
}

static void verdict_is(enum cause_class cls, int rank, enum log_sure sure)
{
    if (job.v->cls != cls || job.v->sure != sure || job.v->n_ranks != (rank >= 0) ||
        (rank >= 0 && job.v->ranks[0] != rank) || job.v->accuse != (rank >= 0))
        fail_msg("%s, %zu ranks, %s, %s; expected %s, rank %d, %s", cause_word(job.v->cls), job.v->n_ranks,
                 log_sure_word(job.v->sure), job.v->accuse ? "accuses" : "accuses nobody", cause_word(cls),
                 rank, log_sure_word(sure));
}

/* Of a console, and of what the launcher wrote of its ranks. */
static void one_file_of_all_ranks(void **state)
{
    static const char *const names[] = { "nohup.out", "torchrun_1.log" };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        of_file(names[i], "[rank0]: iteration 5\n" TRACE("3") WATCHDOG("0") WATCHDOG("1") WATCHDOG("2"));
        verdict_is(CAUSE_PY, 3, LOG_HIGH);
        assert_int_equal(job.v->n_missing, 0);
        assert_int_equal(logs_event(job.l, job.v->first)->line, 2);
        assert_int_equal(logs_event(job.l, job.v->first)->rank, 3);
        assert_int_equal(logs_n_ranks(job.l), 4);
        done();
    }
}

static void who_does_not_wait_is_awaited(void **state)
{
    (void)state;
    of_file("nohup.out", WATCHDOG("0") WATCHDOG("1") WATCHDOG("3"));
    verdict_is(CAUSE_WAIT, 2, LOG_MEDIUM);
    assert_int_equal(job.v->n_missing, 1);
    assert_true(str_eq(job.v->missing[0], STR("no log of rank 2")));
    done();
}

/* Something failed, but nothing says of which rank: that is no clean end, and nobody is accused. */
static void failures_of_nobody(void **state)
{
    (void)state;
    of_file("nohup.out", "RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB\n");
    verdict_is(CAUSE_DOOM, -1, LOG_LOW);
    assert_int_equal(logs_event(job.l, job.v->first)->line, 1);
    done();
    of_file("nohup.out", "EI0002: The wait execution of the Notify register times out.\n");
    verdict_is(CAUSE_UNKNOWN, -1, LOG_LOW);
    done();
    of_file("nohup.out", "all is well\n");
    verdict_is(CAUSE_NONE, -1, LOG_HIGH);
    assert_true(job.v->first == LOG_NO_EVENT);
    done();
}

/* Arguments that differ, in a console of which one rank has no process. */
static void arguments_that_differ(void **state)
{
#define DIFFERS(rank, local, remote)                                                                         \
    "[rank" rank "]: EI0005: tag[AllReduce_g] parameter[count] local[" local "] remote[" remote "]\n"
    (void)state;
    of_file("nohup.out", DIFFERS("0", "8", "4") DIFFERS("1", "4", "8") DIFFERS("2", "8", "4"));
    verdict_is(CAUSE_MISM, 1, LOG_HIGH);
    done();
    of_file("nohup.out", DIFFERS("0", "8", "4") DIFFERS("1", "4", "8"));
    verdict_is(CAUSE_MISM, -1, LOG_LOW);
    done();
}

/* 29 February in a kernel's line, joined to a rank by its pid. */
static void a_leap_day(void **state)
{
    (void)state;
    tree_new(&job.t);
    tree_file(&job.t, "job/w/process_log/run/plog/plog-4711_20240229120000000.log",
              "[EVENT] HCCL(4711,p):2024-02-29-12:00:00.000.000 [a.cc:1]Entry-HcclCommInitRootInfo:ranks[2], "
              "rank[1], rootinfo: host ip[10.1.2.3] port[6] nicDeploy[1] "
              "identifier[10.1.2.3%eth0_6_0_1709208000000000], deviceLogicId[1]\n");
    tree_file(&job.t, "job/w/messages",
              "Feb 29 12:30:00 w kernel: Out of memory: Killed process 4711 (python) total-vm:1kB\n");
    load();
    verdict_is(CAUSE_HOOM, 1, LOG_HIGH);
    assert_true(logs_event(job.l, job.v->first)->utc_ns == INT64_C(1709209800) * LOG_S_NS);
    done();
}

/* Two containers of a server whose processes have one pid, and write into one folder of logs. */
static void two_ranks_of_one_pid(void **state)
{
#define JOINS(rank)                                                                                          \
    "[EVENT] HCCL(4711,p):2024-02-29-12:00:00.000.000 [a.cc:1]Entry-HcclCommInitRootInfo:ranks[4], "         \
    "rank[" rank "], rootinfo: host ip[10.1.2.3] port[6] nicDeploy[1] "                                      \
    "identifier[10.1.2.3%eth0_6_0_1709208000000000], deviceLogicId[" rank "]\n"
    (void)state;
    for (int both = 0; both < 2; both++) {
        tree_new(&job.t);
        tree_file(&job.t, "job/w/process_log/run/plog/plog-4711_20240229120000000.log",
                  both ? JOINS("1") JOINS("2") : JOINS("1") JOINS("1"));
        tree_file(&job.t, "job/w/messages",
                  "Feb 29 12:30:00 w kernel: Out of memory: Killed process 4711 (python) total-vm:1kB\n");
        load();
        verdict_is(CAUSE_HOOM, 1, both ? LOG_LOW : LOG_HIGH);
        assert_int_equal(job.v->n_missing, 1 + both);
        assert_true(!both || str_eq(job.v->missing[1],
                                    STR("which of ranks 1 and 2: both are process 4711 of w in the logs")));
        done();
    }
}

/* Numbers of ranks that no job has are damage; the most that one may have cost no time. */
static void ranks_of_no_job(void **state)
{
    static const char form[] =
        "[EVENT] HCCL(4711,p):2024-02-29-12:00:00.000.000 [a.cc:1]Entry-HcclCommInitRootInfo:ranks[%d], "
        "rank[%d], rootinfo: identifier[g]\n"
        "[ERROR] HCCL(4711,p):2024-02-29-12:00:09.000.000 [a.cc:1]Task run failed, base information is "
        "streamID:[5], taskID[7], tag[AllReduce_g]\n";
    char text[1024];

    (void)state;
    for (int i = 0; i < 3; i++) {
        tree_new(&job.t);
        snprintf(text, sizeof text, form, i == 0 ? 16777215 : LIM_LOG_RANKS, i == 1 ? LIM_LOG_RANKS : 0);
        tree_file(&job.t, "job/plog/plog-4711_20240229120000000.log", text);
        load();
        assert_int_equal(logs_n_ranks(job.l), i == 2 ? LIM_LOG_RANKS : 0);
        assert_int_equal(job.v->sure, LOG_LOW);
        done();
    }
    of_file("nohup.out", TRACE("99999999"));
    assert_int_equal(logs_n_ranks(job.l), 0);
    verdict_is(CAUSE_PY, -1, LOG_LOW);
    done();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_file_of_all_ranks),
        cmocka_unit_test(who_does_not_wait_is_awaited),
        cmocka_unit_test(failures_of_nobody),
        cmocka_unit_test(arguments_that_differ),
        cmocka_unit_test(a_leap_day),
        cmocka_unit_test(two_ranks_of_one_pid),
        cmocka_unit_test(ranks_of_no_job),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
