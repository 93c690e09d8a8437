/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of msprof's export from a folder made here: whole texts, right values and msprof's own. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "msprof/msprof.h"
#include "tests/unit/parsers/prof/prof_case.h"

#define DATA   PROF_NAME "/host/data/"
#define DEVICE PROF_NAME "/device_0/data/"
#define STAMP  "20260102030405"

static struct tree tree;

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

/* Export into the folder out of the tree, and how many files that gave, the database apart. */
static size_t export_as(const char *out, bool compat, bool json)
{
    struct emit_report *report;
    struct err e = ERR_INIT;
    struct prof_case c;
    char dir[1024];
    size_t n;

    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    snprintf(dir, sizeof dir, "%s", tree_path(&tree, out));
    assert_int_equal(emit_report_new(&report, &e), OK);
    const struct msprof_options o = {
        .what = MSPROF_SUMMARY, .dir = dir, .stamp = STAMP, .compat = compat, .json = json
    };
    assert_int_equal(msprof_export(c.job->units[0], STR(""), &o, report, &e), OK);
    const struct emit_result *x = emit_report_results(report, &n);
    size_t written = 0;
    for (size_t i = 0; i < n; i++)
        written += x[i].outcome == EMIT_WRITTEN && !str_ends(str_of(x[i].name), STR(".db"));
    emit_report_free(report);
    prof_case_close(&c);
    return written;
}

static size_t export_to(const char *out, bool compat)
{
    return export_as(out, compat, false);
}

static void has_text(const char *out, const char *name, const char *want)
{
    char path[300], text[4096];

    snprintf(path, sizeof path, "%s/mindstudio_profiler_output/%s", out, name);
    FILE *f = fopen(tree_path(&tree, path), "r");
    if (!f)
        fail_msg("there is no %s", path);
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = '\0';
    assert_string_equal(text, want);
}

static void tables_of_links_are_right_and_as_msprof_has_them(void **state)
{
    static const char head[] =
        "Device_id,Timestamp(us),Bandwidth(MB/s),Rx Bandwidth efficiency(%),rxPacket/s,"
        "rxError rate(%),rxDropped rate(%),Tx Bandwidth efficiency(%),txPacket/s,txError rate(%),"
        "txDropped rate(%),funcId\n";
    char want[600];

    (void)state;
    tree_file(&tree, DEVICE "hccs.data.0.slice_0",
              "timestamp tx rx\n1000000: 0 0\n2000000: 1048576 0\n3000000: 4194304 2097152\n");
    /*
     * 131072000 bytes are 1000 * 1048576 bits, in half a second at 10000: a fifth; 2 errors, 1 dropped of 10
     * packets
     */
    tree_file(&tree, DEVICE "nic.data.0.slice_0",
              "1000: 10000 20 0 10 0 0 0 40 0 0 0 0 0 3\n"
              "500001000: 10000 30 0 20 131072000 2 1 60 0 10 0 0 0 3\n");
    assert_int_equal(export_to("right", false), 3);
    has_text("right", "hccs_" STAMP ".csv",
             "Device_id,Mode,Max,Min,Average\n0,Tx (MB/s),3000.0,1000.0,2000.0\n"
             "0,Rx (MB/s),2000.0,0.0,1000.0\n");
    snprintf(want, sizeof want, "%s0,5500000.600\t,10000.0,20.0,25.0,20.0,10.0,0.0,50.0,0.0,0.0,3\n", head);
    has_text("right", "nic_" STAMP ".csv", want);
    assert_int_equal(export_to("compat", true), 3);
    has_text("compat", "hccs_" STAMP ".csv",
             "Device_id,Mode,Max,Min,Average\n0,Tx (MB/s),1000.0,1000.0,1000.0\n"
             "0,Rx (MB/s),0.0,0.0,0.0\n");
    snprintf(want, sizeof want, "%s0,4500000.000\t,10000.0,0.0,0.0,2.0,0.0,0.0,0.0,0.0,0.0,3\n", head);
    has_text("compat", "nic_" STAMP ".csv", want);
}

static void table_of_static_memory(void **state)
{
    unsigned char p[256], g[256];

    (void)state;
    prof_head(p, sizeof p, PROF_L_NODE, 1, 1, 1);
    put_le(p + 24, 1536, 8);
    put_le(p + 32, 7, 8);
    put_le(p + 40, 3, 8);
    put_le(p + 48, 9, 8);
    put_le(p + 72, 5, 4);
    prof_head(g, sizeof g, PROF_L_NODE, 2, 1, 1);
    put_le(g + 24, 8, 8);
    put_le(g + 32, 5, 4);
    put_le(g + 36, 1, 4);
    tree_file_n(&tree, DATA "unaging.additional.static_op_mem.slice_0", (const char *)p, 256);
    tree_file_n(&tree, DATA "unaging.additional.graph_id_map.slice_0", (const char *)g, 256);
    tree_file(&tree, DATA "unaging.additional.hash_dic.slice_0", "7:Default/Add,1\n8:net\n");
    assert_int_equal(export_to("out", false), 2);
    has_text("out", "static_op_mem_" STAMP ".csv",
             "Device_id,Op Name,Model Name,Graph ID,Node Index Start,Node Index End,Size(KB)\n"
             "host,\"Default/Add,1\",net,5,3,9,1.5\n");
    has_text("out", "README.txt",
             "Summary file description:\n1.static_op_mem.csv: memory of ops in static graphs: size, "
             "first and last node that uses it\n");
}

/* A kernel of stream 5 that ran from start on. */
static void kernel_put(unsigned char track[64], unsigned char log[128], unsigned task, uint64_t start)
{
    prof_head(track, 64, PROF_L_RUNTIME, 0, 1, 8000);
    put_le(track + 26, 5, 2);
    put_le(track + 28, task, 2);
    put_le(track + 32, 3, 8);
    put_le(track + 40, task, 8);
    memset(log, 0, 128);
    for (unsigned i = 0; i < 2; i++) {
        put_le(log + 64 * i, i, 2);
        put_le(log + 64 * i + 2, PROF_STARS_MARK, 2);
        put_le(log + 64 * i + 4, 5, 2);
        put_le(log + 64 * i + 6, task, 2);
        put_le(log + 64 * i + 8, start + 100 * i, 8);
    }
}

/* Chip 1: 4 requests, 3 hits, 1 victim; then one without any request. */
static void table_of_the_l2_cache(void **state)
{
    unsigned char p[2 * 72] = { 0 }, track[128], log[256];

    (void)state;
    prof_info_files(&tree, 1);
    tree_file(&tree, PROF_NAME "/device_0/sample.json",
              "{\"l2CacheTaskProfilingEvents\": \"0x5b,0x59,0x5c\"}");
    put_le(p + 2, 2048 + 5, 2);
    put_le(p + 4, 6, 2);
    put_le(p + 8, 3, 8);
    put_le(p + 16, 4, 8);
    put_le(p + 24, 1, 8);
    put_le(p + 72 + 2, 5, 2);
    put_le(p + 72 + 4, 7, 2);
    tree_file_n(&tree, DEVICE "l2_cache.data.0.slice_0", (const char *)p, sizeof p);
    assert_int_equal(export_to("hwts", false), 2);
    has_text("hwts", "l2_cache_" STAMP ".csv",
             "Device_id,Stream Id,Task Id,Hit Rate,Victim Rate,Op Name\n0,5,6,0.75,0.25,N/A\n"
             "0,5,7,0.0,0.0,N/A\n");
    /* stars: other events, and no hit rate */
    prof_info_files(&tree, 5);
    tree_file(&tree, PROF_NAME "/device_0/sample.json",
              "{\"l2CacheTaskProfilingEvents\": \"0xfb,0xfc,0x9c\"}");
    kernel_put(track, log, 6, 4000);
    kernel_put(track + 64, log + 128, 7, 5000);
    tree_file_n(&tree, DATA "aging.compact.task_track.slice_0", (const char *)track, sizeof track);
    tree_file_n(&tree, DEVICE "stars_soc.data.0.slice_0", (const char *)log, sizeof log);
    tree_file(&tree, DATA "unaging.additional.type_info_dic.slice_0", "5000_3:KERNEL_AICORE\n");
    tree_file(&tree, DATA "unaging.additional.hash_dic.slice_0", "6:add_kernel\n7:mul_kernel\n");
    (void)export_to("stars", false);
    has_text("stars", "l2_cache_" STAMP ".csv",
             "Device_id,Stream Id,Task Id,Hit Rate,Victim Rate,Op Name\n"
             "0,5,6,N/A,0.142857,add_kernel\n0,5,7,N/A,0.0,mul_kernel\n");
}

#define OPS_HEADER                                                                                           \
    "Device_id,Model ID,Task ID,Stream ID,Op Name,OP Type,OP State,Task Type,Task Start Time(us),"           \
    "Task Duration(us),Task Wait Time(us),Block Num,"

/* The two kernels, and what the cube cores counted of the first. */
static void kernels_make(void)
{
    unsigned char track[128], log[256], counter[128] = { 0 };

    kernel_put(track, log, 6, 4000);
    kernel_put(track + 64, log + 128, 7, 5000);
    put_le(counter, PROF_FFTS_TASK, 2);
    put_le(counter + 2, PROF_STARS_MARK, 2);
    put_le(counter + 4, 5, 2);
    put_le(counter + 6, 6, 2);
    put_le(counter + 32, 1850, 8); /* 1 us of one core */
    put_le(counter + 48, 1000, 8);
    put_le(counter + 120, 4050, 8);
    tree_file_n(&tree, DATA "aging.compact.task_track.slice_0", (const char *)track, sizeof track);
    tree_file_n(&tree, DEVICE "stars_soc.data.0.slice_0", (const char *)log, sizeof log);
    tree_file_n(&tree, DEVICE "ffts_profile.data.0.slice_0", (const char *)counter, sizeof counter);
    tree_file(&tree, DATA "unaging.additional.type_info_dic.slice_0", "5000_3:KERNEL_AICORE\n");
    tree_file(&tree, DATA "unaging.additional.hash_dic.slice_0", "6:add_kernel\n7:mul_kernel\n");
}

/* 1000 * 64 bytes in 1 us; the other core did nothing; without a record nothing is known. */
static void table_of_ops_with_counters(void **state)
{
    (void)state;
    kernels_make();
    tree_file(&tree, PROF_NAME "/device_0/sample.json",
              "{\"ai_core_profiling\": \"on\", \"ai_core_profiling_events\": \"0x12\", "
              "\"ai_core_metrics\": \"Memory\", \"aiv_profiling\": \"on\", \"aiv_metrics\": "
              "\"MemoryL0\"}");
    assert_int_equal(export_to("out", false), 4); /* with task_time and README.txt */
    has_text("out", "op_summary_" STAMP ".csv",
             OPS_HEADER
             "Mix Block Num,HF32 Eligible,Input Shapes,Input Data Types,Input Formats,"
             "Output Shapes,Output Data Types,Output Formats,Context ID,aicore_time(us),"
             "aic_total_cycles,aic_l1_read_bw(GB/s),aic_l1_write_bw(GB/s),"
             "aic_main_mem_read_bw(GB/s),aic_main_mem_write_bw(GB/s),aic_l2_read_bw(GB/s),"
             "aic_l2_write_bw(GB/s),aiv_time(us),aiv_total_cycles,aiv_l0c_read_bw(GB/s),"
             "aiv_l0c_write_bw(GB/s)\n"
             "0,4294967295,6,5,add_kernel,add_kernel,N/A,AI_CORE,5000020.000\t,2.000,0,0,0,N/A,"
             "N/A,N/A,N/A,N/A,N/A,N/A,N/A,0.0,1850,0.0,0.0,7.451,0.0,0.0,0.0,0.0,0,0.0,0.0\n"
             "0,4294967295,7,5,mul_kernel,mul_kernel,N/A,AI_CORE,5000040.000\t,2.000,18.000000,0,"
             "0,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A\n");
    has_text("out", "op_statistic_" STAMP ".csv",
             "Device_id,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),"
             "Max Time(us),Ratio(%)\n"
             "0,add_kernel,AI_CORE,1,2,2,2,2,50\n0,mul_kernel,AI_CORE,1,2,2,2,2,50\n");
}

/* Python's half, here of 910A, has empty columns of tensors at level 0 and no numbers with three decimals. */
static void table_of_ops_at_level_0(void **state)
{
    unsigned char hwts[4 * HWTS_B];

    (void)state;
    kernels_make();
    prof_info_files(&tree, 1);
    tree_file(&tree, PROF_NAME "/device_0/sample.json", "{\"profLevel\": \"l0\"}");
    for (unsigned i = 0; i < 4; i++)
        hwts_put(hwts + i * HWTS_B, i % 2, 6 + i / 2, 5, 4000 + 1000 * (i / 2) + 100 * (i % 2));
    tree_file_n(&tree, DEVICE "hwts.data.0.slice_0", (const char *)hwts, sizeof hwts);
    (void)export_to("out", false);
    has_text("out", "op_summary_" STAMP ".csv",
             OPS_HEADER "HF32 Eligible,Input Shapes,Input Data Types,Input Formats,Output Shapes,"
                        "Output Data Types,Output Formats\n"
                        "0,4294967295,6,5,add_kernel,add_kernel,N/A,AI_CORE,5000020.000\t,2.0,0,0,N/A,"
                        "N/A,N/A,N/A,N/A,N/A,N/A\n"
                        "0,4294967295,7,5,mul_kernel,mul_kernel,N/A,AI_CORE,5000040.000\t,2.0,18.0,0,N/A,"
                        "N/A,N/A,N/A,N/A,N/A,N/A\n");
}

/* Shares are rounded to six decimals before they are to three: 0.18449963 is 0.185. */
static void table_of_op_types_keeps_six_decimals(void **state)
{
    unsigned char log[256], track[128];

    (void)state;
    kernels_make();
    kernel_put(track, log, 6, 4000);
    kernel_put(track + 64, log + 128, 7, 10000);
    put_le(log + 64 + 8, 4000 + 1850, 8);
    put_le(log + 128 + 64 + 8, 10000 + 1000862, 8);
    tree_file_n(&tree, DEVICE "stars_soc.data.0.slice_0", (const char *)log, sizeof log);
    (void)export_to("out", false);
    has_text("out", "op_statistic_" STAMP ".csv",
             "Device_id,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),"
             "Max Time(us),Ratio(%)\n"
             "0,mul_kernel,AI_CORE,1,20017.24,20017.24,20017.24,20017.24,99.816\n"
             "0,add_kernel,AI_CORE,1,37,37,37,37,0.185\n");
}

static void pcie_put(unsigned char p[96], uint64_t ns, uint32_t min, uint32_t max, uint32_t avg)
{
    const uint32_t v[] = { min, max, avg };

    memset(p, 0, 96);
    put_le(p, ns, 8);
    for (unsigned i = 0; i < 21; i++)
        put_le(p + 12 + 4 * i, v[i % 3], 4);
}

#define PCIE_HEADER "Device_id,Mode,Min,Max,Avg\n"
/* 910B: the last record. Others: means of those whose largest value is not below the smallest. */
static void table_of_pcie_by_chip(void **state)
{
    unsigned char p[3 * 96];

    (void)state;
    pcie_put(p, 1000, 1, 3, 2);
    pcie_put(p + 96, 2000, 3, 5, 4);
    pcie_put(p + 192, 3000, 5, 4, 4);
    tree_file_n(&tree, DEVICE "pcie.data.0.slice_0", (const char *)p, sizeof p);
    (void)export_to("910B", false);
    has_text("910B", "pcie_" STAMP ".csv",
             PCIE_HEADER "0,Tx_p_avg(MB/s),4.768,3.815,3.815\n0,Tx_np_avg(MB/s),4.768,3.815,3.815\n"
                         "0,Tx_cpl_avg(MB/s),4.768,3.815,3.815\n0,Tx_latency_avg(us),0.005,0.004,0.004\n"
                         "0,Rx_p_avg(MB/s),4.768,3.815,3.815\n0,Rx_np_avg(MB/s),4.768,3.815,3.815\n"
                         "0,Rx_cpl_avg(MB/s),4.768,3.815,3.815\n");
    prof_info_files(&tree, 1);
    (void)export_to("910A", false);
    has_text("910A", "pcie_" STAMP ".csv",
             PCIE_HEADER "0,Tx_p_avg(MB/s),1.907,3.815,2.861\n0,Tx_np_avg(MB/s),1.907,3.815,2.861\n"
                         "0,Tx_cpl_avg(MB/s),1.907,3.815,2.861\n0,Tx_latency_avg(us),0.002,0.004,0.003\n"
                         "0,Rx_p_avg(MB/s),1.907,3.815,2.861\n0,Rx_np_avg(MB/s),1.907,3.815,2.861\n"
                         "0,Rx_cpl_avg(MB/s),1.907,3.815,2.861\n");
}

static void sample_put(unsigned char **p, uint64_t us, uint64_t count, unsigned event, unsigned id)
{
    put_le(*p, us, 8);
    put_le(*p + 8, count, 8);
    put_le(*p + 16, event, 4);
    put_le(*p + 20, id, 4);
    *p += 24;
}

/* Means of 25 and 50.025 percent are 37.5125: 37.513 when they are percent before they are added. */
static void table_of_llc_rounds_as_msprof_does(void **state)
{
    unsigned char v[16 * 24], *p = v;

    (void)state;
    tree_file(&tree, PROF_NAME "/device_0/sample.json", "{\"llc_profiling\": \"read\"}");
    for (unsigned i = 0; i < 8; i++) {
        uint64_t hits = i < 4 ? 250 : i < 7 ? 500 : 501;
        sample_put(&p, 1000 + i % 4 * 1000, hits, 0x02, i / 4);
        sample_put(&p, 1000 + i % 4 * 1000, 1000, 0x20, i / 4);
    }
    tree_file_n(&tree, DEVICE "llc.data.0.slice_0", (const char *)v, sizeof v);
    (void)export_to("out", true);
    has_text("out", "llc_read_write_" STAMP ".csv",
             "Device_id,Mode,Task,Hit Rate(%),Throughput(MB/s)\n0,read,Average,37.513,0.0\n"
             "0,read,0,25.0,0.0\n0,read,1,50.025,0.0\n");
}

/* The average is a decimal number with three places, other means are doubles. */
static void table_of_hbm_has_a_decimal_average(void **state)
{
    unsigned char v[4 * 24], *p = v;

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        sample_put(&p, 1000 + i * 1000000, i * 1048576, 0, 0);
        sample_put(&p, 1000 + i * 1000000, 0, 1, 0);
    }
    tree_file_n(&tree, DEVICE "hbm.data.0.slice_0", (const char *)v, sizeof v);
    (void)export_to("out", true);
    has_text("out", "hbm_" STAMP ".csv",
             "Device_id,Metric,Read(MB/s),Write(MB/s)\n0,Average,0.000,0.000\n0,0,0.0,0.0\n");
}

/* As a number a reader would round it to a quarter of a us. */
static void stamps_of_data_preparation_are_texts_in_json(void **state)
{
    unsigned char p[256];

    (void)state;
    prof_head(p, sizeof p, 6000, 1, 1, 3001);
    memcpy(p + 24, "Last dequeue", 13);
    memcpy(p + 40, "GetNext-op1", 12);
    put_le(p + 112, 7, 8);
    tree_file_n(&tree, DEVICE "aicpu.data.0.slice_0", (const char *)p, sizeof p);
    (void)export_to("csv", false);
    has_text("csv", "dp_" STAMP ".csv",
             "Device_id,Timestamp(us),Action,Source,Cached Buffer Size\n"
             "0,4000003.001,Last dequeue,GetNext-op1,7\n");
    (void)export_as("json", false, true);
    has_text("json", "dp_" STAMP ".json",
             "[{\"Device_id\": 0, \"Timestamp(us)\": \"4000003.001\", \"Action\": \"Last dequeue\", "
             "\"Source\": \"GetNext-op1\", \"Cached Buffer Size\": 7}]\n");
}

/* The table and the timeline are made of the same file. */
static void damage_is_reported_once(void **state)
{
    unsigned char p[64 + 5] = { 0 };
    struct emit_report *report;
    struct err e = ERR_INIT;
    struct prof_case c;
    char dir[1024];
    size_t n;

    (void)state;
    tree_file_n(&tree, DEVICE "npu_mem.data.0.slice_0", (const char *)p, sizeof p);
    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    snprintf(dir, sizeof dir, "%s", tree_path(&tree, "out"));
    assert_int_equal(emit_report_new(&report, &e), OK);
    const struct msprof_options o = { .what = MSPROF_SUMMARY | MSPROF_TIMELINE, .dir = dir, .stamp = STAMP };
    assert_int_equal(msprof_export(c.job->units[0], STR(""), &o, report, &e), OK);
    const struct emit_note *v = emit_report_notes(report, &n);
    size_t torn = 0;
    for (size_t i = 0; i < n; i++)
        torn += strstr(v[i].text, "is cut") != NULL;
    assert_int_equal(torn, 1);
    emit_report_free(report);
    prof_case_close(&c);
}

static void nothing_gives_no_file(void **state)
{
    (void)state;
    assert_int_equal(export_to("out", false), 0);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(tables_of_links_are_right_and_as_msprof_has_them),
        TEST(table_of_static_memory),
        TEST(table_of_the_l2_cache),
        TEST(table_of_ops_with_counters),
        TEST(table_of_ops_at_level_0),
        TEST(table_of_op_types_keeps_six_decimals),
        TEST(table_of_pcie_by_chip),
        TEST(table_of_llc_rounds_as_msprof_does),
        TEST(table_of_hbm_has_a_decimal_average),
        TEST(stamps_of_data_preparation_are_texts_in_json),
        TEST(damage_is_reported_once),
        TEST(nothing_gives_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
