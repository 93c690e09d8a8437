/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Working databases of msprof's export, as the test writes them: what of them becomes rows, by which clock.
 * The collection begins at 1 s, 5 000 ns of the monotonic clock; counters of host and device have 10 ns a
 * tick and stand at 200 and 400 then.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/parsers/database/database_case.h"
#include "tests/unit/scratch.h"

#define ROOT "PROF_000001_20240101000000000_ABC/"

/* clang-format off */
#define HOST_SQL \
    "CREATE TABLE TaskInfo(model_id INTEGER, op_name TEXT, stream_id INTEGER, task_id INTEGER," \
    " block_num INTEGER, mix_block_num INTEGER, op_state TEXT, task_type TEXT, op_type TEXT," \
    " batch_id INTEGER, input_shapes TEXT, output_shapes TEXT, device_id INTEGER, context_id INTEGER," \
    " op_flag TEXT);" \
    "INSERT INTO TaskInfo VALUES(1,'Add_1',2,7,24,0,'1','AI_VECTOR_CORE','Add',0,'\"8,16\"','N/A',0," \
    "4294967295,'NO'),(4294967295,'Mix_2',2,8,8,4,'0','MIX_AIC','Mix',0,'N/A','\"4\"',0,0,'YES');" \
    "CREATE TABLE ApiData(struct_type TEXT, id TEXT, level TEXT, thread_id INTEGER, item_id TEXT," \
    " start INTEGER, end INTEGER, connection_id INTEGER);" \
    "INSERT INTO ApiData VALUES('ACL_RTS','aclrtMemcpyAsync','acl',12,'0',300,310,0)," \
    "('launch','0','node',12,'Add_1',320,330,1),('launch','0','node',13,'Add_1',340,370,2)," \
    "('master','0','communication',12,'Notify_Wait',380,390,3);" \
    "CREATE TABLE EventData(struct_type TEXT, level TEXT, thread_id INTEGER, item_id INTEGER," \
    " request_id INTEGER, timestamp NUMERIC, connection_id INTEGER);" \
    "INSERT INTO EventData VALUES('ModelExecute','model',12,1,5,300,9)," \
    "('ModelExecute','model',12,1,6,350,10),('ModelExecute','model',12,1,5,400,11);" \
    "CREATE TABLE GeHashInfo(hash_key TEXT, hash_value TEXT);" \
    "INSERT INTO GeHashInfo VALUES('604','other'),('605','hccl_world_group');" \
    "CREATE TABLE GeFusionOpInfo(model_id INTEGER, fusion_name TEXT, fusion_op_nums INTEGER, op_names TEXT," \
    " memory_input TEXT, memory_output TEXT, memory_weight TEXT, memory_workspace TEXT, memory_total TEXT);" \
    "INSERT INTO GeFusionOpInfo VALUES(1,'Fused',2,'a,b','4096','2048','0','512','6656');" \
    "CREATE TABLE NpuOpMem(operator TEXT, size INTEGER, allocation_time NUMERIC, release_time NUMERIC," \
    " duration NUMERIC, allocation_total_allocated INTEGER, allocation_total_reserved INTEGER," \
    " release_total_allocated INTEGER, release_total_reserved INTEGER, device_type TEXT, name TEXT);" \
    "INSERT INTO NpuOpMem VALUES('1',64,300,500,200,640,1000,0,1000,'NPU:0','Add_1');" \
    "CREATE TABLE NpuOpMemRec(component TEXT, timestamp NUMERIC, total_reserve_memory INTEGER," \
    " total_allocate_memory INTEGER, device_type TEXT);" \
    "INSERT INTO NpuOpMemRec VALUES('GE',300,1000,640,'NPU:0');"
#define DEVICE_SQL \
    "CREATE TABLE AscendTask(model_id INTEGER, index_id INTEGER, stream_id INTEGER, task_id INTEGER," \
    " context_id INTEGER, batch_id INTEGER, start_time NUMERIC, duration NUMERIC, host_task_type TEXT," \
    " device_task_type TEXT, connection_id INTEGER);" \
    "INSERT INTO AscendTask VALUES(1,-1,2,7,4294967295,0,7000,100,'KERNEL_AIVEC','AIV_SQE',1)," \
    "(1,-1,2,8,4294967295,0,7200,300,'FFTS_PLUS','AI_CORE',2)," \
    "(1,-1,2,8,0,0,7210,280,'FFTS_PLUS','MIX_AIC',2)," \
    "(1,-1,3,9,4294967295,0,7300,50,'MEMCPY_ASYNC','SDMA_SQE',3)," \
    "(1,-1,3,10,4294967295,0,-1,-1,'NOTIFY_WAIT','UNKNOWN',4)," \
    "(1,-1,2,7,4294967295,0,9000,110,'KERNEL_AIVEC','AIV_SQE',5);" \
    "CREATE TABLE MetricSummary(aiv_total_time numeric, aiv_total_cycles numeric," \
    " aic_mac_ratio_extra numeric, task_id INT, stream_id INT, subtask_id INT, task_type INT," \
    " start_time INT, end_time INT, ffts_type INT, core_type INT, batch_id INT);" \
    "INSERT INTO MetricSummary VALUES(0.09,90,0.5,7,2,4294967295,1,0,0,1,1,-1)," \
    "(0.28,280,0.25,8,2,0,1,0,0,1,1,-1),(0.1,100,0.75,7,2,4294967295,1,0,0,1,1,-1)," \
    "(9,9,9,77,2,0,1,0,0,1,1,-1);" \
    "CREATE TABLE training_trace(device_id int, model_id int, iteration_id int, FP_start int, BP_end int," \
    " iteration_end int, iteration_time int, fp_bp_time int);" \
    "INSERT INTO training_trace VALUES(0,1,3,500,700,800,400,200),(0,1,4,0,0,1000,200,0);" \
    "CREATE TABLE NpuMem(event TEXT, ddr INTEGER, hbm INTEGER, timestamp NUMERIC, memory INTEGER);" \
    "INSERT INTO NpuMem VALUES('0',1,2,1000000100,3),('1',4,5,1000000100,9);" \
    "CREATE TABLE NpuModuleMem(module_id INTEGER, syscnt NUMERIC, total_size INTEGER, device_type TEXT);" \
    "INSERT INTO NpuModuleMem VALUES(7,300,4096,'NPU:0'),(999,300,1,'NPU:0');" \
    "CREATE TABLE FreqParse(syscnt INTEGER, freq INTEGER); INSERT INTO FreqParse VALUES(500,1850);" \
    "CREATE TABLE Time(device_id INTEGER, dev_mon INTEGER, dev_wall INTEGER, dev_cntvct INTEGER," \
    " host_mon INTEGER, host_wall INTEGER); INSERT INTO Time VALUES(0,1,1,1,5000,2000000000);"
#define COMM_SQL \
    "CREATE TABLE HCCLTaskSingleDevice(op_name TEXT, hccl_name TEXT, group_name TEXT, plane_id INTEGER," \
    " timestamp NUMERIC, duration REAL, op_type TEXT, is_master INTEGER, connection_id INTEGER," \
    " size INTEGER, local_rank INTEGER, remote_rank INTEGER, transport_type TEXT, link_type TEXT," \
    " rdma_type TEXT);" \
    "INSERT INTO HCCLTaskSingleDevice VALUES" \
    "('hcom_allReduce__605_0_1','Memcpy','605',1,7000,900,'hcom_allReduce_',0,2,1000,0,1,'SDMA','HCCS','')," \
    "('hcom_allReduce__605_0_1','Notify_Wait','605',0,7100,200,'hcom_allReduce_',1,2,8,0,1,'LOCAL'," \
    "'HCCS','')," \
    "('hcom_allReduce__605_0_1','Reduce_Inline','605',0,7400,100,'hcom_allReduce_',1,2,500,0,1,'SDMA'," \
    "'HCCS','');"
/* clang-format on */

static const struct info {
    const char *rel, *text;
} infos[] = {
    { ROOT "host/info.json", "{\"platform_version\": \"5\", \"CPU\": [{\"Frequency\": \"100.000000\"}], "
                             "\"DeviceInfo\": [], \"rank_id\": 0}" },
    { ROOT "host/host_start.log", "[Host]\nclock_realtime:1000000000\nclock_monotonic_raw:5000\ncntvct:200\n"
                                  "cntvct_diff:0\n" },
    { ROOT "host/start_info", "{\"collectionTimeBegin\": \"1000000\", \"clockMonotonicRaw\": \"5000\"}" },
    { ROOT "device_0/info.json.0",
      "{\"platform_version\": \"5\", \"CPU\": [{\"Frequency\": \"100.000000\"}], "
      "\"DeviceInfo\": [{\"id\": 0, \"hwts_frequency\": \"100.000000\", "
      "\"aic_frequency\": \"1850\"}], \"rank_id\": 0}" },
    { ROOT "device_0/host_start.log.0", "[Device0]\nclock_realtime:1000000000\nclock_monotonic_raw:5000\n"
                                        "cntvct:200\ncntvct_diff:0\n" },
    { ROOT "device_0/dev_start.log.0", "clock_realtime:1000000000\nclock_monotonic_raw:77\ncntvct:400\n" },
    { ROOT "device_0/start_info.0",
      "{\"collectionTimeBegin\": \"1000000\", \"clockMonotonicRaw\": \"5000\"}" },
};

static void add_database(struct database_case *c, const char *rel, const char *sql)
{
    database_case_add(c, ROLE_DATABASE_WORKING, sql);
    c->f[c->n - 1].rel = rel;
    c->f[c->n - 1].size_b = 4096;
}

static void add_infos(struct database_case *c)
{
    for (size_t i = 0; i < ARRAY_LEN(infos); i++) {
        database_case_file(c, ROLE_PROF_INFO, infos[i].text, strlen(infos[i].text));
        c->f[c->n - 1].rel = infos[i].rel;
        c->f[c->n - 1].size_b = strlen(infos[i].text);
    }
}

static void read_case(struct database_case *c)
{
    struct err e = ERR_INIT;
    const struct group_kind *k = registry_groups;

    while (strcmp(k->id, "working_database") != 0)
        k++;
    struct group_ctx g = { .kind = k,
                           .m = c->m,
                           .n = c->n,
                           .wanted = (1u << GROUP_TABLES) - 1,
                           .run = &c->r.run,
                           .tmp = c->r.tmp,
                           .out = sink_count_sink(c->r.count) };
    rows_self = &c->r;
    if (k->parse(&g, &e))
        fail_msg("%s", e.text);
}

static void begin_whole(struct database_case *c)
{
    database_case_begin(c);
    add_database(c, ROOT "host/sqlite/ge_info.db", HOST_SQL);
    add_database(c, ROOT "device_0/sqlite/ascend_task.db", DEVICE_SQL);
    add_database(c, ROOT "device_0/sqlite/hccl_single_device.db", COMM_SQL);
}

static void has(const struct database_case *c, const char *text)
{
    if (str_find(buf_str(&c->r.text), str_of(text), 0) == SIZE_MAX)
        fail_msg("missing: %s in:\n%s", text, buf_str(&c->r.text).p);
}

static void working_tasks_are_executions_with_counters(void **state)
{
    struct database_case c;

    (void)state;
    begin_whole(&c);
    add_infos(&c);
    read_case(&c);
    has(&c, "|name_id=Add_1|type_id=Add|model_id=1|in_shapes_id=8,16|core=AIV|state=dynamic|hf32=NO|"
            "block_num=24|mix_block_num=0");
    has(&c, "|name_id=Mix_2|type_id=Mix|out_shapes_id=4|core=MIX|state=static|hf32=YES|block_num=8|"
            "mix_block_num=4");
    /* 7000 - 5000 after the beginning, in step 3 (to 4 us); the whole of the mixed kernel is not shown */
    database_case_need(&c, "op_exec|op_id=1|rank=0|device=0|step=3|stream=2|task=7|batch=0|ts_ns=1000002000|"
                           "dur_ns=100|line=1");
    database_case_need(&c, "op_exec|op_id=2|rank=0|device=0|step=3|stream=2|task=8|context=0|batch=0|"
                           "ts_ns=1000002210|dur_ns=280|line=3");
    database_case_need(&c, "op_exec|op_id=1|rank=0|device=0|step=4|stream=2|task=7|batch=0|ts_ns=1000004000|"
                           "dur_ns=110|line=6");
    database_case_expect(&c, "op_exec", 4); /* and the communication op */
    /* us are ns; the second run of a task has the second row */
    has(&c, "op_counter|exec_id=1|aiv_time_ns=90|aiv_total_cycles=90|aic_mac_ratio=0.5");
    has(&c, "op_counter|exec_id=2|aiv_time_ns=280|aiv_total_cycles=280|aic_mac_ratio=0.25");
    has(&c, "op_counter|exec_id=3|aiv_time_ns=100|aiv_total_cycles=100|aic_mac_ratio=0.75");
    database_case_expect(&c, "op_counter", 3);
    database_case_expect(&c, "note", 0);
    database_case_end(&c);
}

static void working_counters_of_clocks_become_instants(void **state)
{
    struct database_case c;

    (void)state;
    begin_whole(&c);
    add_infos(&c);
    read_case(&c);
    database_case_need(&c, "step|rank=0|step=3|model_id=1|start_ns=1000000000|end_ns=1000004000|"
                           "fp_ns=1000001000|bp_ns=1000003000|total_ns=4000|interval_ns=1000|fp_bp_ns=2000|"
                           "tail_ns=1000|refresh_ns=1000|complete=1");
    database_case_need(&c,
                       "step|rank=0|step=4|model_id=1|start_ns=1000004000|end_ns=1000006000|total_ns=2000");
    database_case_need(&c,
                       "mem_alloc|rank=0|name_id=Add_1|size_b=64|alloc_ns=1000001000|release_ns=1000003000|"
                       "dur_ns=2000|alloc_total_allocated_b=640|alloc_total_reserved_b=1000|"
                       "release_total_allocated_b=0|release_total_reserved_b=1000");
    database_case_need(&c,
                       "mem_sample|rank=0|component_id=GE|ts_ns=1000001000|allocated_b=640|reserved_b=1000");
    database_case_need(&c, "mem_module|rank=0|module_id=RUNTIME|ts_ns=1000001000|reserved_b=4096");
    database_case_need(&c, "mem_module|rank=0|module_id=module 999|ts_ns=1000001000|reserved_b=1");
    database_case_need(&c, "mem_device|rank=0|process=APP|ts_ns=1000000100|ddr_b=1|hbm_b=2|total_b=3");
    database_case_need(&c, "mem_device|rank=0|process=Device|ts_ns=1000000100|ddr_b=4|hbm_b=5|total_b=9");
    has(&c, "|process=AI Core Freq|name=AI Core Freq|");
    database_case_end(&c);
}

static void working_calls_and_communication_are_summed(void **state)
{
    struct database_case c;

    (void)state;
    begin_whole(&c);
    add_infos(&c);
    read_case(&c);
    database_case_need(&c,
                       "api_stat|rank=0|level=node|name_id=launch|calls=2|total_ns=400|avg_ns=200|min_ns=100|"
                       "max_ns=300");
    database_case_need(&c, "api_stat|rank=0|level=acl|name_id=aclrtMemcpyAsync|calls=1|total_ns=100");
    database_case_need(&c, "api_stat|rank=0|level=communication|name_id=Notify_Wait|calls=1|total_ns=100");
    /* a pair of events; another one has no end */
    database_case_need(&c, "api_stat|rank=0|level=model|name_id=ModelExecute|calls=1|total_ns=1000");
    database_case_expect(&c, "api_stat", 4);
    /* from 7100 to 7500: tasks of other threads do not count */
    database_case_need(&c, "comm_exec|rank=0|name_id=hcom_allReduce__605_0_1|type_id=hcom_allReduce_|"
                           "group_id=605|step=3|ts_ns=1000002100|dur_ns=400|transit_ns=100|wait_ns=200|"
                           "sync_ns=200|idle_ns=100|size_b=1500");
    has(&c, "src_rank=0|dst_rank=1|transport=HCCS|size_b=1500|time_ns=1000|");
    database_case_need(&c, "fusion|rank=0|op_name_id=Fused|original_id=a;b|model_id=1|input_b=4096");
    has(&c, "name=Plane 0|");
    has(&c, "name=Plane 1|");
    has(&c, "name=Group hccl_world_group|");
    has(&c, "name=Thread 12|");
    has(&c, "name=Stream 3|");
    database_case_end(&c);
}

/* Older exports have pairs of events and no table of calls. */
static void working_events_need_no_calls(void **state)
{
    struct database_case c;

    (void)state;
    database_case_begin(&c);
    add_database(&c, ROOT "host/sqlite/api_event.db", HOST_SQL "DROP TABLE ApiData;");
    add_infos(&c);
    read_case(&c);
    database_case_need(&c, "api_stat|rank=0|level=model|name_id=ModelExecute|calls=1|total_ns=1000");
    database_case_end(&c);
}

/* Without info files the databases know the monotonic clock alone. */
static void working_without_info_files_has_times_of_tasks(void **state)
{
    struct database_case c;

    (void)state;
    begin_whole(&c);
    read_case(&c);
    database_case_need(&c,
                       "op_exec|op_id=1|rank=0|device=0|stream=2|task=7|batch=0|ts_ns=2000002000|dur_ns=100");
    database_case_expect(&c, "op_counter", 3);
    database_case_expect(&c, "api_stat", 0);
    database_case_expect(&c, "note", 2); /* rows of the host, and of the device, that do not say when */
    database_case_expect(&c, "step", 0);
    database_case_end(&c);
}

static void working_devices_keep_apart(void **state)
{
    struct database_case c;

    (void)state;
    begin_whole(&c);
    add_database(&c, ROOT "device_1/sqlite/ascend_task.db", DEVICE_SQL);
    c.rank[0] = (struct run_rank){ .rank = 0, .device = 0 };
    c.rank[1] = (struct run_rank){ .rank = 5, .device = 1 };
    c.r.run.ranks = c.rank;
    c.r.run.n_ranks = 2;
    read_case(&c);
    /* TaskInfo is device 0's */
    database_case_expect(&c, "op_exec", 4);
    database_case_need(&c, "mem_device|rank=5|process=APP");
    database_case_need(&c, "mem_device|rank=0|process=APP");
    has(&c, "|process=Ascend Hardware (NPU 1)|");
    database_case_end(&c);
}

static void working_empty_and_damaged_files_cost_themselves(void **state)
{
    struct database_case c;

    (void)state;
    begin_whole(&c);
    database_case_file(&c, ROLE_DATABASE_WORKING, "", 0);
    c.f[c.n - 1].rel = ROOT "device_0/sqlite/biu_perf.db";
    database_case_file(&c, ROLE_DATABASE_WORKING, "no database at all, and long enough", 35);
    c.f[c.n - 1].rel = ROOT "device_0/sqlite/time.db";
    c.f[c.n - 1].size_b = 35;
    add_infos(&c);
    read_case(&c);
    database_case_expect(&c, "op_exec", 4);
    database_case_expect(&c, "note", 1);
    database_case_end(&c);
}

/* ---- damage ---- */

#define PAGE_B   512
#define FLIPS    2000
#define FILE_MAX ((size_t)1 << 20)

struct whole {
    unsigned char p[FILE_MAX];
    size_t n;
    uint64_t rows;
};
struct result {
    uint64_t rows, notes;
};

/* The bytes as the database of the host, and of the device. */
static struct result read_bytes(const void *p, size_t n)
{
    static const char *const rel[] = { ROOT "host/sqlite/ge_info.db", ROOT "device_0/sqlite/ascend_task.db" };
    struct database_case c;
    struct result r;

    database_case_begin(&c);
    c.r.quiet = true;
    for (size_t i = 0; i < ARRAY_LEN(rel); i++) {
        database_case_file(&c, ROLE_DATABASE_WORKING, p, n);
        c.f[i].rel = rel[i];
        c.f[i].size_b = n;
    }
    add_infos(&c);
    read_case(&c);
    r = (struct result){ sink_count_get(c.r.count)->total, sink_count_get(c.r.count)->note_calls };
    database_case_end(&c);
    return r;
}

static struct whole *make_whole(void)
{
    struct whole *w = calloc(1, sizeof *w);
    struct database_case c;

    assert_non_null(w);
    database_case_begin(&c);
    database_case_add(&c, ROLE_DATABASE_WORKING, "PRAGMA page_size = 512;" HOST_SQL DEVICE_SQL COMM_SQL);
    FILE *f = fopen(c.path[0], "rb");
    assert_non_null(f);
    w->n = fread(w->p, 1, sizeof w->p, f);
    fclose(f);
    database_case_end(&c);
    w->rows = read_bytes(w->p, w->n).rows;
    assert_true(w->n > (size_t)14 * PAGE_B && w->n % PAGE_B == 0 && w->rows > 15);
    return w;
}

static void working_cut_anywhere_is_told(void **state)
{
    struct whole *w = make_whole();
    uint64_t best = 0;

    (void)state;
    for (size_t n = 1; n < w->n; n += 61) { /* within each page at several places */
        const struct result r = read_bytes(w->p, n);
        if (n >= 16 && !r.notes)
            fail_msg("cut at %zu: not told", n);
        assert_true(r.rows <= w->rows);
        best = r.rows > best ? r.rows : best;
    }
    assert_true(best > 0);
    free(w);
}

static void working_flipped_bits_do_no_harm(void **state)
{
    struct whole *w = make_whole();
    uint64_t seed = 88172645463325252u;
    int same = 0;

    (void)state;
    for (int k = 0; k < FLIPS; k++) {
        const size_t at = (size_t)(scratch_random(&seed) % w->n);
        const unsigned char bit = (unsigned char)(1u << scratch_random(&seed) % 8);
        w->p[at] ^= bit;
        const struct result r = read_bytes(w->p, w->n);
        w->p[at] ^= bit;
        assert_true(r.rows > 0 || r.notes > 0);
        same += r.rows == w->rows;
    }
    assert_true(same > FLIPS / 2); /* most flips are in free space, or change one value */
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(working_tasks_are_executions_with_counters),
        cmocka_unit_test(working_counters_of_clocks_become_instants),
        cmocka_unit_test(working_calls_and_communication_are_summed),
        cmocka_unit_test(working_events_need_no_calls),
        cmocka_unit_test(working_without_info_files_has_times_of_tasks),
        cmocka_unit_test(working_devices_keep_apart),
        cmocka_unit_test(working_cut_anywhere_is_told),
        cmocka_unit_test(working_flipped_bits_do_no_harm),
        cmocka_unit_test(working_empty_and_damaged_files_cost_themselves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
