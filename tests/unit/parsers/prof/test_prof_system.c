/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text samples of host and devices as systems: engines, network devices, memory, processors, processes; the
 * store's rows and the exported files.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "parsers/prof/sampled/system.h"
#include "tests/unit/parsers/prof/sampled_case.h"

#define HOST   PROF_NAME "/host/data/"
#define DEVICE PROF_NAME "/device_0/data/"

static struct tree tree;
static char out[1 << 16];

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

static void has_points(const char *process, const char *want)
{
    sampled_points(&tree, process, out, sizeof out);
    assert_string_equal(out, want);
}

static void has_file(const char *name, const char *want)
{
    assert_string_equal(sampled_file(&tree, name), want);
}

/* ---- dvpp ---- */

#define DVPP_HEAD                                                                                            \
    "time_stamp(s):time_stamp(ns) dvpp_id engine_type engine_id all_time all_frame "                         \
    "all_utilization proc_time proc_frame  proc_utilization last_time last_frame\n"

static void engines_have_units_on_stars_chips(void **state)
{
    (void)state;
    tree_file(&tree, DEVICE "dvpp.data.0.slice_0",
              DVPP_HEAD "1:1000400 8 4 3 10 5 20% 0 0 0% 0 0\n"
                        "1:2000400 8 4 3 30 9 25% 0 0 0% 0 0\n"
                        "1:2000400 8 9 1 7 0 0% 0 0 0% 0 0\n8 0 2\n1:9 1 1");
    has_points("DVPP", "8/VPC 3/utilization %: 6001000000 20\n8/VPC 3/frames frames: 6001000000 5\n"
                       "8/VPC 3/utilization %: 6002000000 25\n8/VPC 3/frames frames: 6002000000 9\n"
                       "8/engine 1/utilization %: 6002000000 0\n"
                       "8/engine 1/frames frames: 6002000000 0\n");
    sampled_export(&tree, (struct msprof_options){ .what = MSPROF_SUMMARY });
    has_file("dvpp_" SAMPLED_STAMP ".csv",
             "Device_id,Dvpp Id,Engine Type,Engine ID,All Time(us),All Frame,All Utilization(%)\n"
             "0,8,VPC,3,20.0,4.0,25\n0,8,,1,0.0,0.0,0\n");
}

static int see_dvpp(void *arg, const struct prof_dvpp *d, struct err *e)
{
    (void)e;
    *(struct prof_dvpp *)arg = *d;
    return OK;
}

static void engines_of_other_chips_have_none(void **state)
{
    struct prof_dvpp d = { .id = 1 };
    struct err e = ERR_INIT;
    struct prof_case c;

    (void)state;
    prof_info_files(&tree, 4);
    tree_file(&tree, DEVICE "dvpp.data.0.slice_0", "176167:889901260 6 2 3 4 5% 0 0 0% 0 0\n");
    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    assert_int_equal(prof_dvpp_read(c.p, c.p->device[0], see_dvpp, &d, &e), OK);
    assert_int_equal(d.ns, 176167889901260u);
    assert_int_equal(d.id, 0);
    assert_int_equal(d.type, 6);
    assert_int_equal(d.engine, 2);
    assert_true(d.time == 3 && d.frames == 4 && d.usage == 5);
    assert_string_equal(prof_dvpp_word(6), "SCD");
    assert_null(prof_dvpp_word(7));
    prof_case_close(&c);
}

/* ---- network devices ---- */

static void network_devices_have_rates(void **state)
{
    (void)state;
    tree_file(&tree, DEVICE "netdev_stats.data.0.slice_0",
              "1300000000 1 2 3000 4000 5 6 7 8 9 10 11 12 13 14000 15000\n"
              "1100000000 1 2 1000 4000 5 6 7 8 9 10 11 12 13 14000 15000\n"
              "1200000000 4 2 2000 3000 6 8 10 12 14 16 18 20 22 24000 35000\n"
              "1200000000 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9\nx\n");
    sampled_export(&tree, (struct msprof_options){ .what = MSPROF_DB });
    sampled_rows(&tree, "SELECT * FROM NETDEV_STATS", out, sizeof out);
    assert_string_equal(out, "0|5200000000|3|0|1000|10000|0|0|1|2|3|4|5|6|7|8|9|10000|100000|20000|200000\n"
                             "0|5300000000|0|0|1000|10000|1000|10000|0|0|0|0|0|0|0|0|0|0|0|0|0\n");
    sampled_points(&tree, "Network Devices", out, sizeof out);
    assert_non_null(strstr(out, "NIC Rx B/s: 5200000000 200000\n"));
    assert_non_null(strstr(out, "RoCE retries packets/s: 5200000000 90\n"));
}

/* ---- memory, processors ---- */

#define MEMINFO(stamp, free, huge)                                                                           \
    "TimeStamp:" #stamp "\nIndex:0\nMemTotal:       1000 kB\nMemFree: " #free                                \
    " kB\nMemAvailable: 1 kB\nBuffers: 10 kB\nCached: 20 kB\nSwapCached: 9 kB\nShmem: 7 kB\n"                \
    "CommitLimit: 8 kB\nCommitted_AS: 9 kB\nHugePages_Total:  " #huge "\nHugePages_Free: 1\n\n"

static void memory_is_a_mean(void **state)
{
    (void)state;
    tree_file(&tree, DEVICE "Memory.data.0.slice_0", MEMINFO(50, 100, 2) MEMINFO(60, 301, 5));
    tree_file(&tree, HOST "host_sys_mem.data.slice_0", MEMINFO(70, 500, 0) "TimeStamp:80\nMemT");
    sampled_export(&tree, (struct msprof_options){ .what = MSPROF_SUMMARY });
    has_file("sys_mem_" SAMPLED_STAMP ".csv",
             "Device_id,Memory Total(kB),Memory Free(kB),Buffers(kB),Cached(kB),Share Memory(kB),"
             "Commit Limit(kB),Committed AS(kB),Huge Pages Total(pages),Huge Pages Free(pages)\n"
             "host,1000,500,10,20,7,8,9,0,1\n0,1000,200,10,20,7,8,9,3,1\n");
}

static void write_processors(void)
{
    tree_file(&tree, PROF_NAME "/device_0/info.json.0",
              "{\"platform_version\": \"5\", \"DeviceInfo\": [{\"ctrl_cpu\": \"0,2\", \"ai_cpu\": "
              "\"1\", \"hwts_frequency\": \"50\"}]}");
    tree_file(&tree, DEVICE "SystemCpuUsage.data.0.slice_0",
              "TimeStamp:50\nIndex:0\ncpu  9 9 9 9 9 9 9 9 9 9\ncpu0 10 0 20 60 5 3 2 0 0 0\n"
              "cpu1 1 0 0 0 0 0 0 0 0 1\ncpu2 30 0 20 40 5 3 2 0 0 0\ncpu3 1 1 1 1 1 1 1 1 1 1\n\n"
              "cpu0 1 1 1 1 1 1 1 1 1 1\n");
    tree_file(&tree, HOST "host_sys_cpu.data.slice_0",
              "TimeStamp:70\ncpu 10 0 0 90 0 0 0 0 0 0\n\n"
              "TimeStamp:80\ncpu 40 0 0 150 10 0 0 0 0 0\ncpu bad\n\n");
}

static void processors_are_recognised_by_what_they_do(void **state)
{
    (void)state;
    write_processors();
    sampled_export(&tree, (struct msprof_options){ .what = MSPROF_SUMMARY });
    has_file("cpu_usage_" SAMPLED_STAMP ".csv",
             "Device_id,Cpu Type,User(%),Sys(%),IoWait(%),Irq(%),Soft(%),Idle(%)\n"
             "host,host,16.667,0.0,3.333,0.0,0.0,80.0\n"
             "0,aicpu,50.0,0.0,0.0,0.0,0.0,0.0\n0,ctrlcpu,20.0,20.0,5.0,3.0,2.0,50.0\n");
}

static void systems_become_measurements(void **state)
{
    (void)state;
    write_processors();
    tree_file(&tree, DEVICE "Memory.data.0.slice_0", MEMINFO(50, 100, 2));
    char *text = sampled_measurements(&tree);
    assert_string_equal(text, "host_sample|rank=3|what=System CPU Usage(%)|at_ns=80|value=30\n"
                              "note|BAD_ROW|line=6|count=1|a line that is no sample was left out\n"
                              "host_sample|rank=3|what=NPU System Memory Used(KB)|at_ns=50|value=870\n"
                              "host_sample|rank=3|what=NPU System Memory Free(KB)|at_ns=50|value=100\n");
    free(text);
}

/* ---- processes ---- */

#define STAT(pid, u, s, cu, cs) #pid " (a b) S 0 1 1 0 -1 4 1 1 3 2 " #u " " #s " " #cu " " #cs " 20\n"

static void processes_are_recognised_by_their_ids(void **state)
{
    (void)state;
    tree_file(
        &tree, HOST "12-CpuUsage.data.slice_0",
        "TimeStamp:1\nIndex:0\n" STAT(
            12, 1, 2, 3, 4) "ProcessName:one,two\n"
                            "cpu  50 50 0 0 0 0 0 0 0 0\n\nTimeStamp:2\n" STAT(
                                12, 10, 0, 0, 20) "ProcessName:one,two\ncpu  100 100 0 0 0 0 0 0 0 0\n\n");
    tree_file(&tree, HOST "9-CpuUsage.data.slice_0",
              "TimeStamp:1\n" STAT(9, 50, 0, 0, 0) "ProcessName:big\ncpu  100 0 0\n\n");
    tree_file(&tree, HOST "77-CpuUsage.data.slice_0",
              "TimeStamp:1\n" STAT(77, 0, 0, 0, 0) "ProcessName:idle\ncpu  100 0 0\n\n");
    tree_file(&tree, DEVICE "5-Memory.data.0.slice_0",
              "TimeStamp:1\nIndex:0\nProcessName:m\n100 20 3 4 5 6 7\n\nTimeStamp:2\n"
              "ProcessName:m\n103 21 4 4 5 6 7\n\n");
    tree_file(&tree, DEVICE "6-Memory.data.0.slice_0", "TimeStamp:1\nProcessName:n\n200 20 3 4 5 6 7\n\n");
    tree_file(&tree, DEVICE "7-Memory.data.0.slice_0", "TimeStamp:1\nProcessName:o\n50 20 3 4 5 6 7\n\n");
    sampled_export(&tree, (struct msprof_options){ .what = MSPROF_SUMMARY });
    has_file("process_cpu_usage_" SAMPLED_STAMP ".csv",
             "Device_id,PID,Name,CPU(%)\nhost,9,big,50.0\nhost,12,\"one,two\",12.5\n"
             "host,77,idle,0.0\n");
    has_file("process_mem_" SAMPLED_STAMP ".csv",
             "Device_id,PID,Name,Size(pages),Resident(pages),Shared(pages)\n"
             "0,6,n,200,20,3\n0,5,m,101,20,3\n0,7,o,50,20,3\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(engines_have_units_on_stars_chips),
        TEST(engines_of_other_chips_have_none),
        TEST(network_devices_have_rates),
        TEST(memory_is_a_mean),
        TEST(processors_are_recognised_by_what_they_do),
        TEST(systems_become_measurements),
        TEST(processes_are_recognised_by_their_ids),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
