/* SPDX-License-Identifier: Apache-2.0 */
/* How busy the host was: what the lines say, the curves and rows of the store, and the exported files. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "parsers/prof/sampled/usage.h"
#include "tests/unit/parsers/prof/sampled_case.h"

#define HOST PROF_NAME "/host/data/"

static struct tree tree;
static char out[1 << 16];

/* The wall clock is 4 s ahead of the host's monotonic one, which begins at 1 s. */
static int set_up(void **state)
{
    (void)state;
    tree_new(&tree);
    prof_info_files(&tree, 5);
    tree_file(&tree, PROF_NAME "/host/info.json",
              "{\"platform_version\": \"5\", \"pid\": \"77\", \"CPU\": [{\"Frequency\": "
              "\"100.000000\"}], \"DeviceInfo\": [], \"rank_id\": 3, \"cpuNums\": 4, "
              "\"sysClockFreq\": 100, \"memoryTotal\": 1000000, \"netCard\": [{\"netCardName\": "
              "\"eth0\", \"speed\": 1000}, {\"netCardName\": \"off\", \"speed\": -1}, "
              "{\"netCardName\": \"eth1\", \"speed\": 8}]}");
    tree_file(&tree, PROF_NAME "/host/sample.json", "{\"host_disk_freq\": 50}");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tree_done(&tree);
    return 0;
}

/* ---- lines ---- */

/* A thread's line, whose name has blanks and parentheses. */
#define THREAD(tid, user, system, cpu)                                                                       \
#tid " (a ) b) S 1 1 1 0 -1 4194560 1 0 0 0 " #user " " #system                                          \
         " 0 0 20 0 1 0 100 1 1 18446744073709551615 1 1 1 0 0 0 0 0 0 0 0 0 17 " #cpu " 0 0 0 0 0\n"

/*
 * 10 jiffies between the first two: thread 1 had 5, thread 2 had 2 on the same processor, thread 3 is new.
 * Then 20, of which thread 2 says it had 25 and thread 1 has moved.
 */
static void write_cpu(void)
{
    tree_file(&tree, HOST "host_cpu.data.slice_0",
              "time 1100000000\n100.00 1.0\n" THREAD(1, 10, 20, 3)
                  THREAD(2, 0, 5, 3) "time 1200000000\n100.10 1.0\n" THREAD(1, 13, 22, 3) THREAD(2, 0, 7, 3)
                      THREAD(3, 9, 9, 0) "time 1300000000\n100.30 1.0\n" THREAD(1, 14, 22, 0)
                          THREAD(2, 0, 32, 3) "what\n");
}

static void write_memory(void)
{
    tree_file(&tree, HOST "host_mem.data.slice_0",
              "1100000000 2147716853 2500 4653 14 0 213261 0\n"
              "1200000000 2147716853 5000 4653 14 0 213261 0\nx\n"
              "1300000000 2147716853 27461 4653 14 0 213261 0\n1400000000 1 1");
}

static void write_disk(void)
{
    tree_file(&tree, HOST "host_disk.data.slice_0",
              "03:52:49 Total DISK READ :       0.00 B/s | Total DISK WRITE :       0.00 B/s\n"
              "TIME  PID  PRIO  USER     DISK READ  DISK WRITE  SWAPIN      IO    COMMAND\n"
              "03:52:49 18070 be/4 root 1.00 K/s 512.00 B/s  ?unavailable?  ./main 40\n"
              "03:52:50 18070 be/4 root 2.00 M/s 0.00 B/s 0.00 % 12.50 % ./main 40\n"
              "start_time 1100000000\n");
}

static void write_network(void)
{
    tree_file(&tree, HOST "host_network.data.slice_0",
              "time 1100000000\n eth0: 1000 1 0 0 0 0 0 0 500 1 0 0 0 0 0 0\n"
              "off: 1 1 0 0 0 0 0 0 500 1 0 0 0 0 0 0\n"
              "time 1200000000\n eth0:1126000 1 0 0 0 0 0 0 500 1 0 0 0 0 0 0\n"
              "off: 9 1 0 0 0 0 0 0 900 1 0 0 0 0 0 0\n"
              "time 1300000000\n eth0: 5 1 0 0 0 0 0 0 500 1 0 0 0 0 0 0\n");
}

static void write_calls(void)
{
    tree_file(&tree, HOST "host_syscall.data.slice_0",
              "\n         ? (         ): a/1  ... [continued]: nanosleep()) = 0\n"
              "191419454.930 ( 0.002 ms): MSVP Up: D/18072 clock_gettime(which_clock: X) = 0\n"
              "191419454.934 ( 1.057 ms): MSVP_UploaderD/18072 nanosleep(rqtp: 0x7f ) = 0\n"
              "191419455.995 ( 0.500 ms): nanosleep(rqtp: 0x7f ) = 0\n"
              "191419456.995 ( 0.443 ms): MSVP_UploaderD/18072 nanosleep(rqtp: 0x7f ) = 0\nlost\n");
    tree_file(&tree, HOST "host_pthreadcall.data.slice_0",
              "[pid 9] 1615843248.065895 lib.so->pthread_mutex_lock(0x1, 2) = 0 <0.000123>\n"
              "[pid 9] 1615843248.165895 lib.so->pthread_once(0x1, 2) = 0 <0.000123>\n"
              "[pid 9] 1615843248.265895 lib.so->pthread_join(0x1, 2 <unfinished ...>\n"
              "[pid 9] 1615405971.249133 +++ exited (status 0) +++\n");
}

/* ---- readers ---- */

static int see_cpu(void *arg, const struct prof_cpu_use *u, struct err *e)
{
    size_t n = strlen(out);

    (void)arg;
    (void)e;
    snprintf(out + n, sizeof out - n, "%lld-%lld %d %lld\n", (long long)u->from / 1000000,
             (long long)u->to / 1000000, (int)u->cpu, (long long)u->usage_e6);
    return OK;
}

static void processors_are_as_busy_as_their_threads(void **state)
{
    struct err e = ERR_INIT;
    struct prof_case c;

    (void)state;
    write_cpu();
    out[0] = '\0';
    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    assert_int_equal(prof_cpu_use_read(c.p, c.p->host, see_cpu, NULL, &e), OK);
    assert_string_equal(out, "1100-1200 3 70000000\n1100-1200 -1 17500000\n"
                             "1200-1300 0 5000000\n1200-1300 3 100000000\n"
                             "1200-1300 -1 26250000\n");
    assert_int_equal(sink_count_get(c.notes)->note_calls, 1);
    prof_case_close(&c);
}

static int see_call(void *arg, const struct prof_os_call *x, struct err *e)
{
    struct str name = prof_str(arg, x->name);
    size_t n = strlen(out);

    (void)e;
    snprintf(out + n, sizeof out - n, "%.*s %u %lld %lld\n", (int)name.n, name.p, (unsigned)x->thread,
             (long long)x->start, (long long)x->dur);
    return OK;
}

static void calls_begin_with_the_collection(void **state)
{
    struct err e = ERR_INIT;
    struct prof_case c;

    (void)state;
    write_calls();
    out[0] = '\0';
    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    assert_int_equal(prof_os_call_read(c.p, c.p->host, PROF_HOST_SYSCALL, see_call, c.p, &e), OK);
    assert_int_equal(sink_count_get(c.notes)->note_calls, 1); /* "lost" */
    assert_int_equal(prof_os_call_read(c.p, c.p->host, PROF_HOST_PTHREAD, see_call, c.p, &e), OK);
    assert_string_equal(out, "clock_gettime 18072 1000000000 2000\n"
                             "nanosleep 18072 1000004000 1057000\n"
                             "nanosleep 77 1001065000 500000\n"
                             "nanosleep 18072 1002065000 443000\n"
                             "pthread_mutex_lock 9 1000000000 123000\n");
    assert_int_equal(sink_count_get(c.notes)->note_calls, 1);
    prof_case_close(&c);
}

static size_t count_calls(void)
{
    struct err e = ERR_INIT;
    struct prof_case c;

    out[0] = '\0';
    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    assert_int_equal(prof_os_call_read(c.p, c.p->host, PROF_HOST_SYSCALL, see_call, c.p, &e), OK);
    prof_case_close(&c);
    return strlen(out);
}

/* Its end would be beyond what a time can be. */
static void calls_far_away_are_left_out(void **state)
{
    (void)state;
    tree_file(&tree, PROF_NAME "/host/start_info",
              "{\"collectionTimeBegin\": \"5000000\", \"clockMonotonicRaw\": "
              "\"9223372036854775000\"}");
    tree_file(&tree, HOST "host_syscall.data.slice_0", "1.0 ( 0.002 ms): D/18072 nanosleep() = 0\n");
    assert_int_equal(count_calls(), 0);
    tree_file(&tree, PROF_NAME "/host/start_info",
              "{\"collectionTimeBegin\": \"5000000\", \"clockMonotonicRaw\": \"7\"}");
    assert_true(count_calls() > 0);
}

/* Each line that is left out is told once, however often the file is read. */
static void lines_are_reported_once(void **state)
{
    struct err e = ERR_INIT;
    struct prof_case c;

    (void)state;
    write_cpu();
    write_calls();
    tree_file(&tree, HOST "host_disk.data.slice_0",
              "03:52:49 18070 be/4 root x K/s 512.00 B/s  ?unavailable?  ./main 40\n"
              "03:52:50 18070 be/4 root no M/s 0.00 B/s 0.00 % 12.50 % ./main 40\n"
              "start_time 1100000000\n");
    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    for (unsigned i = 0; i < 3; i++) {
        out[0] = '\0';
        assert_int_equal(prof_cpu_use_read(c.p, c.p->host, see_cpu, NULL, &e), OK);
        assert_int_equal(sink_count_get(c.notes)->note_calls, i ? 4 : 1);
        assert_int_equal(prof_os_call_read(c.p, c.p->host, PROF_HOST_SYSCALL, see_call, c.p, &e), OK);
        assert_int_equal(sink_count_get(c.notes)->note_calls, i ? 4 : 2);
        /* read twice each time: it is the second that tells them */
        assert_int_equal(prof_disk_use_read(c.p, c.p->host, NULL, NULL, &e), OK);
        assert_int_equal(sink_count_get(c.notes)->note_calls, 4);
    }
    prof_case_close(&c);
}

/* ---- the store ---- */

static void has_points(const char *process, const char *want)
{
    sampled_points(&tree, process, out, sizeof out);
    assert_string_equal(out, want);
}

static void usage_becomes_curves(void **state)
{
    (void)state;
    write_cpu();
    write_memory();
    write_disk();
    write_network();
    write_calls();
    has_points("CPU Usage", "CPU 3 %: 5100000000 70\nall %: 5100000000 17.5\nCPU 0 %: 5200000000 5\n"
                            "CPU 3 %: 5200000000 100\nall %: 5200000000 26.25\n");
    has_points("Memory Usage", "Memory Usage %: 5100000000 1\nMemory Usage %: 5200000000 2\n"
                               "Memory Usage %: 5300000000 10.9844\n");
    has_points("Disk Usage",
               "Disk Usage %: 5100000000 0\nRead KB/s: 5100000000 1\nWrite KB/s: 5100000000 0.5\n"
               "Disk Usage %: 5120000000 12.5\nRead KB/s: 5120000000 2048\n"
               "Write KB/s: 5120000000 0\n");
    /* 1125000 bytes in 0.1 s of 125 MB/s; then the count went down */
    has_points("Network Usage", "Network Usage %: 5100000000 9\nSpeed KB/s: 5100000000 "
                                "10986.328125\n");
    char *text = sampled_curves(&tree);
    assert_non_null(strstr(text, "|process=OS Runtime API|name=Thread 18072|"));
    assert_non_null(strstr(text, "|ts=5000004000|dur=1057000|name=nanosleep|"));
    free(text);
}

static void usage_becomes_measurements(void **state)
{
    static const char *const want[] = {
        "host_sample|rank=3|what=CPU Usage(%)|ts_ns=5200000000|value=26.25\n",
        "|what=Memory Usage(%)|ts_ns=5300000000|value=10.9844\n",
        "|what=Resident Memory(KB)|ts_ns=5100000000|value=10000\n",
        "|what=Network Usage(%)|ts_ns=5100000000|value=9\n",
        "|what=Network Speed(KB/s)|ts_ns=5100000000|value=10986.328125\n",
        "|what=Disk Usage(%)|ts_ns=5120000000|value=12.5\n",
        "|what=Disk Read(KB/s)|ts_ns=5120000000|value=2048\n",
        "|what=Disk Write(KB/s)|ts_ns=5100000000|value=0.5\n",
    };

    (void)state;
    write_cpu();
    write_memory();
    write_disk();
    write_network();
    char *text = sampled_measurements(&tree);
    for (size_t i = 0; i < ARRAY_LEN(want); i++)
        if (!strstr(text, want[i]))
            fail_msg("no %s in %s", want[i], text);
    free(text);
}

/* ---- the export ---- */

static void has_file(const char *name, const char *want)
{
    assert_string_equal(sampled_file(&tree, name), want);
}

static void has_rows(const char *sql, const char *want)
{
    sampled_rows(&tree, sql, out, sizeof out);
    assert_string_equal(out, want);
}

static void export(bool compat)
{
    sampled_export(&tree,
                   (struct msprof_options){ .what = MSPROF_SUMMARY | MSPROF_TIMELINE, .compat = compat });
}

static void usage_becomes_layers_and_tables(void **state)
{
    (void)state;
    write_cpu();
    write_memory();
    write_disk();
    write_network();
    write_calls();
    export(false);
    has_file("host_cpu_usage_" SAMPLED_STAMP ".csv",
             "Device_id,Total Cpu Numbers,Occupied Cpu Numbers,Recommend Cpu Numbers\n"
             "host,4,2,2\n");
    has_file("host_mem_usage_" SAMPLED_STAMP ".csv",
             "Device_id,Total Memory(KB),Peak Used Memory(KB),Recommend Memory(KB)\n"
             "host,1000000,109844.0,137305.0\n");
    has_file("host_network_usage_" SAMPLED_STAMP ".csv",
             "Device_id,Netcard Speed(KB/s),Peak Used Speed(KB/s),Recommend Speed(KB/s)\n"
             "host,123046.875,10986.328125,13732.91015625\n");
    has_file("host_disk_usage_" SAMPLED_STAMP ".csv",
             "Device_id,Peak Disk Read(KB/s),Recommend Disk Read(KB/s),Peak Disk Write(KB/s),"
             "Recommend Disk Write(KB/s)\nhost,2048.0,2560.0,0.5,0.625\n");
    has_file("os_runtime_statistic_" SAMPLED_STAMP ".csv",
             "Device_id,Process ID,Thread ID,Name,Time(%),Time(us),Count,Avg(us),Max(us),Min(us)\n"
             "host,77,18072,nanosleep,70.6547338671691,1500.0,2,750.0,1057.0,443.0\n"
             "host,77,77,nanosleep,23.551577955723033,500.0,1,500.0,500.0,500.0\n"
             "host,77,9,pthread_mutex_lock,5.7936881771078665,123.0,1,123.0,123.0,123.0\n");
    sampled_counters(&tree, "CPU 3", out, sizeof out);
    assert_string_equal(out, "0,\"ts\":\"5100000.000\",\"ph\":\"C\",\"args\":{\"Usage(%)\":70.0}\n"
                             "0,\"ts\":\"5200000.000\",\"ph\":\"C\",\"args\":{\"Usage(%)\":100.0}\n");
    sampled_counters(&tree, "Memory Usage", out, sizeof out);
    assert_string_equal(out, "0,\"ts\":\"5100000.000\",\"ph\":\"C\",\"args\":{\"Usage(%)\":2.0}\n"
                             "0,\"ts\":\"5200000.000\",\"ph\":\"C\",\"args\":{\"Usage(%)\":10.9844}\n");
    sampled_counters(&tree, "nanosleep", out, sizeof out);
    assert_string_equal(out, "18072,\"ts\":\"5000004.000\",\"dur\":1057.0,\"ph\":\"X\",\"args\":{}\n"
                             "77,\"ts\":\"5001065.000\",\"dur\":500.0,\"ph\":\"X\",\"args\":{}\n"
                             "18072,\"ts\":\"5002065.000\",\"dur\":443.0,\"ph\":\"X\",\"args\":{}\n");
    has_rows("SELECT * FROM CPU_USAGE", "5100000000|3|70\n5200000000|0|5\n5200000000|3|100\n");
    has_rows("SELECT * FROM HOST_MEM_USAGE", "5100000000|2\n5200000000|10.9844\n");
    has_rows("SELECT * FROM HOST_DISK_USAGE", "5100000000|1024|512|0\n5120000000|2097152|0|12.5\n");
    has_rows("SELECT * FROM HOST_NETWORK_USAGE", "5100000000|9|11250000\n");
    has_rows("SELECT value, globalTid & 4294967295, globalTid >> 32, startNs, endNs FROM OSRT_API "
             "JOIN STRING_IDS ON id = name ORDER BY startNs, value",
             "pthread_mutex_lock|9|77|5000000000|5000123000\n"
             "nanosleep|18072|77|5000004000|5001061000\n"
             "nanosleep|77|77|5001065000|5001565000\n"
             "nanosleep|18072|77|5002065000|5002508000\n");
}

/* Of chips whose results Python makes. */
static void processors_have_threads_in_python(void **state)
{
    static const char *const want[] = {
        "\"thread_name\",\"pid\":79167,\"tid\":0,\"args\":{\"name\":\"CPU Avg\"},\"ph\":\"M\"}",
        "\"thread_name\",\"pid\":79167,\"tid\":2,\"args\":{\"name\":\"CPU 3\"},\"ph\":\"M\"}",
        "{\"name\":\"CPU 3\",\"ts\":\"5100000.000\",\"pid\":79167,\"tid\":2,\"args\":{\"Usage(%)\":"
        "70.0},\"ph\":\"C\"}",
        "{\"name\":\"nanosleep\",\"pid\":79295,\"tid\":18072,\"ts\":\"5000004.000\",\"dur\":1057.0,"
        "\"ph\":\"X\"}",
    };
    char info[1000];

    (void)state;
    snprintf(info, sizeof info, PROF_DEVICE_JSON, 7);
    tree_file(&tree, PROF_NAME "/device_0/info.json.0", info);
    write_cpu();
    write_calls();
    sampled_export(&tree, (struct msprof_options){ .what = MSPROF_TIMELINE });
    const char *text = sampled_file(&tree, "msprof_" SAMPLED_STAMP ".json");
    for (size_t i = 0; i < ARRAY_LEN(want); i++)
        if (!strstr(text, want[i]))
            fail_msg("no %s in %s", want[i], text);
}

static void shares_of_msprof_are_kept_when_asked_for(void **state)
{
    (void)state;
    write_calls();
    export(true);
    assert_non_null(strstr(sampled_file(&tree, "os_runtime_statistic_" SAMPLED_STAMP ".csv"),
                           "host,77,18072,nanosleep,0.706547338671691,1500.0,2,"));
}

/* Times near the end of what an integer holds stay there. */
static void times_at_the_end_are_kept(void **state)
{
    (void)state;
    tree_file(&tree, HOST "host_network.data.slice_0",
              "time 9223372036854775806\n eth0: 1000 1 0 0 0 0 0 0 500 1 0 0 0 0 0 0\n"
              "time 9223372036854775807\n eth0: 2000 1 0 0 0 0 0 0 500 1 0 0 0 0 0 0\n");
    export(true);
    has_rows("SELECT count(*), min(timestampNs) > 4000000000000000000 FROM HOST_NETWORK_USAGE", "1|1\n");
}

/* What cannot be told without the info files is left out and said. */
static void usage_without_info_files_is_reported(void **state)
{
    struct err e = ERR_INIT;
    struct prof_case c;

    (void)state;
    tree_file(&tree, PROF_NAME "/host/info.json",
              "{\"platform_version\": \"5\", \"CPU\": [{\"Frequency\": \"100.000000\"}]}");
    tree_file(&tree, PROF_NAME "/host/sample.json", "{}");
    write_cpu();
    write_disk();
    write_network();
    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    assert_int_equal(prof_cpu_use_read(c.p, c.p->host, see_cpu, NULL, &e), OK);
    assert_int_equal(prof_disk_use_read(c.p, c.p->host, NULL, NULL, &e), OK);
    assert_int_equal(prof_net_use_read(c.p, c.p->host, NULL, NULL, &e), OK);
    assert_int_equal(sink_count_get(c.notes)->note_calls, 3);
    prof_case_close(&c);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(processors_are_as_busy_as_their_threads),
        TEST(calls_begin_with_the_collection),
        TEST(calls_far_away_are_left_out),
        TEST(lines_are_reported_once),
        TEST(usage_becomes_curves),
        TEST(usage_becomes_measurements),
        TEST(usage_becomes_layers_and_tables),
        TEST(processors_have_threads_in_python),
        TEST(shares_of_msprof_are_kept_when_asked_for),
        TEST(times_at_the_end_are_kept),
        TEST(usage_without_info_files_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
