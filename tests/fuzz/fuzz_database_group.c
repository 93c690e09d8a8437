/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Databases of the profilers read as a group, what joins their tables included. An input that begins as a
 * SQLite file does is read as it is. Any other is how to make one: a byte for what is there ('0' and bits:
 * start without the rows of database_full.h, a rank for each device, as analysis, as the working databases of
 * msprof's export), then rows: a byte for the table, and a byte for each of its columns, which is a small
 * number or leads to a value of another form.
 */
#include "config.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "parsers/parsers.h"
#include "store/foreign.h"
#include "tests/fuzz/fuzz_group.h"
#include "tests/unit/parsers/database/database_full.h"

#define TABLES_MAX 96
#define ROWS_MAX   2000
#define TEXT_MAX   40
#define FILE_MAX_B (1 << 20)

/* Tables and forms of tables that the fixture has not. */
static const char others[] =
    "DROP TABLE TASK_PMU_INFO;"
    "CREATE TABLE TASK_PMU_INFO(globalTaskId INTEGER, aic_total_time NUMERIC, mac_ratio NUMERIC,"
    " cube_fops NUMERIC, aiv_vector_fops NUMERIC, l2_datas NUMERIC, ub_bw_mte NUMERIC);"
    "CREATE TABLE COMMUNICATION_SCHEDULE_TASK_INFO(name INTEGER, globalTaskId INTEGER, taskType INTEGER,"
    " opType INTEGER);"
    "CREATE TABLE ClusterStepTraceTime(step TEXT, type TEXT, \"index\" TEXT, computing REAL, free REAL);"
    "CREATE TABLE ClusterCommAnalyzerTime(step TEXT, rank_id INTEGER, hccl_op_name TEXT, group_name TEXT,"
    " start_timestamp REAL, elapsed_time REAL, transit_time REAL);"
    "CREATE TABLE ClusterCommunicationBandwidth(step TEXT, rank_id INTEGER, hccl_op_name TEXT, group_name "
    "TEXT,"
    " band_type TEXT, transit_size REAL, transit_time REAL, package_size REAL, count INTEGER,"
    " total_duration REAL);"
    "CREATE TABLE ClusterCommAnalyzerMatrix(step TEXT, hccl_op_name TEXT, group_name TEXT, src_rank INTEGER,"
    " dst_rank INTEGER, transit_size REAL, transport_type TEXT, op_name TEXT);"
    "CREATE TABLE NPU_OP_MEM(operatorName INTEGER, addr INTEGER, type INTEGER, size INTEGER,"
    " timestampNs INTEGER, totalAllocate INTEGER, totalReserve INTEGER, component INTEGER, deviceId INTEGER);"
    "DROP TABLE MEMORY_RECORD; DROP TABLE OP_MEMORY;"
    "CREATE TABLE DDR(deviceId INTEGER, timestampNs INTEGER, read NUMERIC, write NUMERIC);"
    "CREATE TABLE QOS(deviceId INTEGER, dieId INTEGER, timestampNs INTEGER, eventName TEXT,"
    " bandwidth NUMERIC);"
    "CREATE TABLE SIO(deviceId INTEGER, name TEXT, timestampNs INTEGER, rxReq NUMERIC, txDat NUMERIC);"
    "CREATE TABLE TaskInfo(model_id INTEGER, op_name TEXT, stream_id INTEGER, task_id INTEGER,"
    " block_num INTEGER, op_state TEXT, task_type TEXT, op_type TEXT, batch_id INTEGER, input_shapes TEXT,"
    " device_id INTEGER, context_id INTEGER, op_flag TEXT);"
    "CREATE TABLE AscendTask(stream_id INTEGER, task_id INTEGER, context_id INTEGER, batch_id INTEGER,"
    " start_time NUMERIC, duration NUMERIC, host_task_type TEXT, device_task_type TEXT);"
    "CREATE TABLE MetricSummary(aiv_total_time numeric, aiv_total_cycles numeric, mac_ratio_extra numeric,"
    " total_time numeric, task_id INT, stream_id INT, subtask_id INT);"
    "CREATE TABLE HCCLTaskSingleDevice(op_name TEXT, hccl_name TEXT, group_name TEXT, plane_id INTEGER,"
    " timestamp NUMERIC, duration REAL, op_type TEXT, is_master INTEGER);"
    "CREATE TABLE training_trace(model_id int, iteration_id int, FP_start int, BP_end int,"
    " iteration_end int, iteration_time int);"
    "CREATE TABLE ApiData(struct_type TEXT, id TEXT, level TEXT, thread_id INTEGER, item_id TEXT,"
    " start INTEGER, end INTEGER);"
    "CREATE TABLE NpuOpMem(name TEXT, size INTEGER, allocation_time NUMERIC, release_time NUMERIC);"
    "CREATE TABLE NpuModuleMem(module_id INTEGER, syscnt NUMERIC, total_size INTEGER);"
    "CREATE TABLE NpuMem(event TEXT, ddr INTEGER, hbm INTEGER, timestamp NUMERIC, memory INTEGER);"
    "CREATE TABLE FreqParse(syscnt INTEGER, freq INTEGER);"
    "CREATE TABLE Time(host_mon INTEGER, host_wall INTEGER); INSERT INTO Time VALUES(5, 100);"
    "CREATE TABLE SAMPLE_PMU_TIMELINE(deviceId INTEGER, timestampNs INTEGER, coreId INTEGER,"
    " coreType TEXT, usage NUMERIC);";

static const struct str words[] = {
    STR("step5"),
    STR("AI_CORE"),
    STR("N/A"),
    STR("1000"),
    STR("rank"),
    STR("HCCS"),
    STR("-1"),
    STR("1e300"),
    STR("Total Op Info"),
    STR("allreduce-top1"),
    STR("release"),
    STR("app"),
    STR("\"8,16;8\""),
    STR("MEMCPY_ASYNC"),
    STR("KERNEL_MIX_AIC"),
    STR("aic_total_time"),
    STR("hcom_allReduce__1_0"),
};

/* A database with all tables, as bytes, once with rows and once without. */
static struct image {
    unsigned char *p;
    size_t n;
} images[2];
static struct table {
    char name[60];
    int columns;
} tables[TABLES_MAX];
static size_t n_tables;

/* ---- the databases to begin with ---- */

static void run_sql(sqlite3 *db, const char *sql)
{
    FUZZ_CHECK(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK);
}

static int each_table(void *arg, int n, char **v, char **names)
{
    struct table *t = &tables[n_tables];
    int64_t columns;

    (void)arg;
    (void)n;
    (void)names;
    FUZZ_CHECK(n_tables < TABLES_MAX);
    snprintf(t->name, sizeof t->name, "%s", v[0]);
    FUZZ_CHECK(str_i64(str_of(v[1]), &columns));
    t->columns = (int)columns;
    n_tables++;
    return 0;
}

static void take_image(const char *path, struct image *m)
{
    FILE *f = fopen(path, "rb");

    m->p = malloc(FILE_MAX_B);
    FUZZ_CHECK(f && m->p);
    m->n = fread(m->p, 1, FILE_MAX_B, f);
    FUZZ_CHECK(m->n > 0 && m->n < FILE_MAX_B);
    fclose(f);
}

static void make_images(void)
{
    const char *path = fuzz_file((const uint8_t *)"", 0);
    sqlite3 *db = NULL;

    FUZZ_CHECK(sqlite3_open(path, &db) == SQLITE_OK);
    run_sql(db, "PRAGMA journal_mode = OFF; PRAGMA page_size = 512;" DATABASE_FULL);
    run_sql(db, others);
    FUZZ_CHECK(
        sqlite3_exec(db,
                     "SELECT name, (SELECT count(*) FROM pragma_table_info(m.name)) FROM sqlite_master m "
                     "WHERE type = 'table' ORDER BY name",
                     each_table, NULL, NULL) == SQLITE_OK);
    take_image(path, &images[0]);
    for (size_t i = 0; i < n_tables; i++) {
        char *sql = sqlite3_mprintf("DELETE FROM %s", tables[i].name);
        run_sql(db, sql);
        sqlite3_free(sql);
    }
    run_sql(db, "VACUUM");
    take_image(path, &images[1]);
    sqlite3_close(db);
}

/* ---- rows ---- */

struct input {
    const uint8_t *p;
    size_t n;
};

static uint8_t next(struct input *in)
{
    if (!in->n)
        return 0;
    in->n--;
    return *in->p++;
}

static uint64_t next64(struct input *in)
{
    uint64_t v = 0;

    for (int i = 0; i < 8; i++)
        v |= (uint64_t)next(in) << 8 * i;
    return v;
}

static void bind_text(sqlite3_stmt *st, int column, struct input *in)
{
    char text[TEXT_MAX];
    size_t n = next(in) % TEXT_MAX;

    for (size_t i = 0; i < n; i++)
        text[i] = (char)next(in);
    sqlite3_bind_text(st, column, text, (int)n, SQLITE_TRANSIENT);
}

static void bind(sqlite3_stmt *st, int column, struct input *in)
{
    uint8_t c = next(in);
    uint64_t bits;
    double x;

    if (c < 200) {
        sqlite3_bind_int64(st, column, c);
    } else if (c < 200 + ARRAY_LEN(words)) {
        const struct str s = words[c - 200];
        sqlite3_bind_text(st, column, s.p, (int)s.n, SQLITE_STATIC);
    } else {
        switch (c % 8) {
        case 0:
            sqlite3_bind_null(st, column);
            break;
        case 1:
            sqlite3_bind_int64(st, column, 4294967295);
            break;
        case 2:
            bits = next64(in);
            sqlite3_bind_int64(st, column, (sqlite3_int64)bits);
            break;
        case 3:
            bits = next64(in);
            memcpy(&x, &bits, sizeof x);
            sqlite3_bind_double(st, column, x);
            break;
        case 4:
            bind_text(st, column, in);
            break;
        case 5:
            sqlite3_bind_zeroblob(st, column, next(in));
            break;
        default:
            sqlite3_bind_int64(st, column, -(int64_t)next(in));
            break;
        }
    }
}

static void put_row(sqlite3 *db, sqlite3_stmt **st, size_t table, struct input *in)
{
    if (!st[table]) {
        static const char marks[] = "?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?";
        const int n = tables[table].columns * 2 - 1;
        FUZZ_CHECK((size_t)n < sizeof marks);
        char *sql = sqlite3_mprintf("INSERT INTO %s VALUES(%.*s)", tables[table].name, n, marks);
        FUZZ_CHECK(sqlite3_prepare_v2(db, sql, -1, &st[table], NULL) == SQLITE_OK);
        sqlite3_free(sql);
    }
    for (int i = 0; i < tables[table].columns; i++)
        bind(st[table], i + 1, in);
    FUZZ_CHECK(sqlite3_step(st[table]) == SQLITE_DONE);
    sqlite3_reset(st[table]);
}

/* The database that the bytes describe. */
static const char *make(struct input *in, bool empty)
{
    sqlite3_stmt *st[TABLES_MAX] = { NULL };
    sqlite3 *db = NULL;

    const char *path = fuzz_file(images[empty].p, images[empty].n);
    FUZZ_CHECK(sqlite3_open(path, &db) == SQLITE_OK);
    run_sql(db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
    for (int i = 0; in->n && i < ROWS_MAX; i++)
        put_row(db, st, next(in) % n_tables, in);
    for (size_t i = 0; i < n_tables; i++)
        sqlite3_finalize(st[i]);
    run_sql(db, "COMMIT");
    sqlite3_close(db);
    return path;
}

/* ---- reading ---- */

static void read_as(const char *path, enum role role, bool ranks)
{
    struct run_rank both[2] = { { .rank = 0, .device = 0 }, { .rank = 5, .device = 1 } };
    struct runinfo run = { .gen = GEN_P };
    static const struct file_kind kind = { .id = "pt_db" };
    const struct source_file f = { .id = 1, .path = path, .rel = path, .kind = &kind, .regular = true };
    struct group_member m = { .role = role, .c.f = &f };

    if (ranks) {
        run.ranks = both;
        run.n_ranks = 2;
    }
    fuzz_group(&registry_groups[0], &m, 1, &run, 0, false);
}

/* The same file as the host's and the device's; without info files. */
static void read_as_working(const char *path, const struct runinfo *run)
{
    static const struct file_kind kind = { .id = "raw_sqlite" };
    static const char *const rel[] = { "PROF_1/host/sqlite/ge_info.db",
                                       "PROF_1/device_0/sqlite/ascend_task.db",
                                       "PROF_1/device_1/sqlite/ascend_task.db" };
    struct source_file f[ARRAY_LEN(rel)];
    struct group_member m[ARRAY_LEN(rel)] = { 0 };
    const struct group_kind *k = registry_groups;

    while (strcmp(k->id, "working_database") != 0)
        k++;
    for (size_t i = 0; i < ARRAY_LEN(rel); i++) {
        f[i] = (struct source_file){
            .id = (uint32_t)i + 1, .path = path, .rel = rel[i], .kind = &kind, .regular = true, .size_b = 4096
        };
        m[i].role = ROLE_DATABASE_WORKING;
        m[i].c.f = &f[i];
    }
    fuzz_group(k, m, ARRAY_LEN(rel), run, 0, false);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = { data, size };

    if (!n_tables)
        make_images();
    if (foreign_is_database((struct str){ (const char *)data, size })) {
        read_as(fuzz_file(data, size), ROLE_DATABASE, false);
        return 0;
    }
    const unsigned how = (unsigned)(next(&in) - '0');
    const char *path = make(&in, how & 1);
    if (how & 8) {
        const struct runinfo run = { .gen = GEN_M };
        read_as_working(path, &run);
        return 0;
    }
    read_as(path, how & 4 ? ROLE_DATABASE_ANALYSIS : ROLE_DATABASE, how & 2);
    return 0;
}
