/* SPDX-License-Identifier: Apache-2.0 */
/* What msMemScope recorded: rows of the CSV and of the database, which are the same; damage. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "parsers/parsers.h"
#include "tests/unit/parsers/parse_case.h"

#define HEADER                                                                                               \
    "ID,Event,Event Type,Name,Timestamp(ns),Process Id,Thread Id,Device Id,Ptr,Attr,Call Stack(Python),"     \
    "Call Stack(C)\n"
/* id, event, type, name, time, thread, ptr, attr, stack: as CSV and as SQL */
#define ROWS(X)                                                                                              \
    X("1", "SYSTEM", "START_TRACE", "N/A", "1700000000000000000", "41", "N/A", "", "")                       \
    X("2", "OP_LAUNCH", "ATEN_START", "aten.add", "1700000000000000100", "42", "N/A", "", "")                \
    X("3", "MALLOC", "PTA", "N/A", "1700000000000000200", "42", "0x000012c041400000",                        \
      "{allocation_id:4,addr:0x000012c041400000,size:512,total:2048,used:1536,owner:PTA@ops@aten}",          \
      "f.py(1): main")                                                                                       \
    X("4", "KERNEL_LAUNCH", "KERNEL_LAUNCH", "Add_1", "1700000000000000250", "42", "N/A",                    \
      "{streamId:2,taskId:9}", "")                                                                           \
    X("5", "OP_LAUNCH", "ATEN_END", "aten.add", "1700000000000000300", "42", "N/A", "", "")                  \
    X("6", "KERNEL_LAUNCH", "KERNEL_START", "Add_1", "1700000000000000310", "43", "N/A",                     \
      "{streamId:2,taskId:9}", "")                                                                           \
    X("7", "KERNEL_LAUNCH", "KERNEL_END", "Add_1", "1700000000000000350", "43", "N/A",                       \
      "{streamId:2,taskId:9}", "")                                                                           \
    X("8", "MALLOC", "HAL", "N/A", "1700000000000000400", "42", "0x000012c041600000",                        \
      "{allocation_id:5,addr:0x000012c041600000,size:4096}", "")                                             \
    X("9", "FREE", "PTA", "N/A", "1700000000000000500", "42", "0x000012c041400000",                          \
      "{allocation_id:4,addr:0x000012c041400000,size:512,total:2048,used:1024}", "")                         \
    X("10", "FREE", "PTA", "N/A", "1700000000000000600", "42", "0x000012c041000000",                         \
      "{allocation_id:1,addr:0x000012c041000000,size:256,total:2048,used:768}", "")                          \
    X("11", "MSTX", "Mark", "step 1", "1700000000000000700", "42", "N/A", "", "")                            \
    X("12", "OP_LAUNCH", "ATEN_START", "aten.mul", "1700000000000000800", "42", "N/A", "", "")
#define AS_CSV(id, event, type, name, ts, tid, ptr, attr, stack)                                             \
    id "," event "," type "," name "," ts ",41," tid ",0," ptr ",\"" attr "\"," stack ",\n"
#define AS_SQL(id, event, type, name, ts, tid, ptr, attr, stack)                                             \
    "INSERT INTO memscope_dump VALUES (" id ", '" event "', '" type "', '" name "', " ts ", 41, " tid        \
    ", '0', '" ptr "', '" attr "', '" stack "', '');"

static const char csv[] = HEADER ROWS(AS_CSV);

#define WANT(base)                                                                                           \
    "track|id=1|kind=host_thread|pid=msMemScope ATen 41|tid=42|process=ATen|name=Thread 42|sort=0\n"         \
    "mem_sample|rank=0|component_id=msMemScope PTA NPU:0|ts_ns=1700000000000000200|allocated_b=1536|"        \
    "reserved_b=2048|device_type=PTA NPU:0|line=" base(                                                      \
        4,                                                                                                   \
        3) "|event=malloc\n"                                                                                 \
           "track|id=2|kind=host_thread|pid=msMemScope Launches 41|tid=42|process=Launches|name=Thread "     \
           "42|sort=0\n"                                                                                     \
           "event|track=2|ts=1700000000000000250|dur=0|name=Add_1|off=" base(                                \
               5,                                                                                            \
               4) "\n"                                                                                       \
                  "event|track=1|ts=1700000000000000100|dur=200|name=aten.add|off=" base(                    \
                      3,                                                                                     \
                      2) "\n"                                                                                \
                         "host_op|name_id=aten.add|rank=0|thread=42|ts_ns=1700000000000000100|dur_ns=200|"   \
                         "line=" base(                                                                       \
                             3,                                                                              \
                             2) "\n"                                                                         \
                                "track|id=3|kind=engine|pid=msMemScope Kernels "                             \
                                "41|tid=s2|process=Kernels|name=Stream 2|sort=0\n"                           \
                                "event|track=3|ts=1700000000000000310|dur=40|name=Add_1|off=" base(          \
                                    7,                                                                       \
                                    6) "\n"                                                                  \
                                       "mem_sample|rank=0|component_id=msMemScope PTA "                      \
                                       "NPU:0|ts_ns=1700000000000000500|allocated_b=1024|"                   \
                                       "reserved_b=2048|device_type=PTA NPU:0|line=" base(                   \
                                           10,                                                               \
                                           9) "|event=free\n"                                                \
                                              "mem_alloc|rank=0|name_id=PTA@ops@aten|size_b=512|alloc_ns="   \
                                              "1700000000000000200|"                                         \
                                              "release_ns=1700000000000000500|dur_ns=300|alloc_total_"       \
                                              "allocated_b=1536|alloc_total_reserved_b=2048|"                \
                                              "release_total_allocated_b=1024|release_total_reserved_b="     \
                                              "2048|device_type=PTA NPU:0|"                                  \
                                              "line=" base(4, 3) "|release_line=" base(                      \
                                                  10,                                                        \
                                                  9) "|addr=20616937734144|stack_id=f.py(1): main\n"         \
                                                     "mem_sample|rank=0|component_id=msMemScope PTA "        \
                                                     "NPU:0|ts_ns=1700000000000000600|allocated_b=768|"      \
                                                     "reserved_b=2048|device_type=PTA NPU:0|line=" base(     \
                                                         11,                                                 \
                                                         10) "|event=free\n"                                 \
                                                             "mem_alloc|rank=0|name_id=PTA|size_b=256|"      \
                                                             "release_ns=1700000000000000600|release_total_" \
                                                             "allocated_b=768|"                              \
                                                             "release_total_reserved_b=2048|device_type="    \
                                                             "PTA NPU:0|release_line=" base(                 \
                                                                 11,                                         \
                                                                 10) "|addr=20616933539840\n"                \
                                                                     "track|id=4|kind=host_thread|pid="      \
                                                                     "msMemScope mstx "                      \
                                                                     "41|tid=42|process=mstx|name=Thread "   \
                                                                     "42|sort=0\n"                           \
                                                                     "event|track=4|ts=1700000000000000700|" \
                                                                     "dur=0|name=step 1|off=" base(          \
                                                                         12,                                 \
                                                                         11) "\n"                            \
                                                                             "mem_alloc|rank=0|name_id=HAL|" \
                                                                             "size_b=4096|alloc_ns="         \
                                                                             "1700000000000000400|device_"   \
                                                                             "type=HAL NPU:0|"               \
                                                                             "line=" base(                   \
                                                                                 9,                          \
                                                                                 8) "|addr=20616939831296\n" \
                                                                                    "note|LOST_RECORDS|"     \
                                                                                    "line=0|count=1|ops, "   \
                                                                                    "kernels or ranges "     \
                                                                                    "that begin and do not " \
                                                                                    "end\n"                  \
                                                                                    "note|UNKNOWN_TYPE|"     \
                                                                                    "line=0|count=1|events " \
                                                                                    "that are neither "      \
                                                                                    "memory nor bars: they " \
                                                                                    "are in the file's own " \
                                                                                    "table\n"
#define IN_CSV(csv, db) #csv
#define IN_DB(csv, db)  #db

static void memscope_rows_of_the_csv(void **state)
{
    (void)state;
    case_expect("memscope_csv", parse_memscope_csv, csv, WANT(IN_CSV));
}

/* The database of these rows in the scratch file. */
static const char *write_database(void)
{
    sqlite3 *db = NULL;
    const char *path = scratch_write("", 0);

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(
            db,
            "CREATE TABLE memscope_dump (\"ID\" INTEGER, \"Event\" TEXT, \"Event Type\" TEXT, "
            "\"Name\" TEXT, \"Timestamp(ns)\" INTEGER, \"Process Id\" INTEGER, \"Thread Id\" INTEGER, "
            "\"Device Id\" TEXT, \"Ptr\" TEXT, \"Attr\" TEXT, \"Call Stack(Python)\" TEXT, "
            "\"Call Stack(C)\" TEXT);" ROWS(AS_SQL),
            NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    return path;
}

static void memscope_rows_of_the_database_are_the_same(void **state)
{
    struct err e = ERR_INIT;
    struct rows r;

    (void)state;
    rows_init(&r, "memscope_db", write_database());
    assert_int_equal(rows_parse(&r, parse_memscope_db, &e), OK);
    assert_string_equal(buf_str(&r.text).p, WANT(IN_DB));
    assert_int_equal(r.rows, 12);
    rows_done(&r);
}

static void memscope_other_databases_are_refused(void **state)
{
    struct err e = ERR_INIT;
    struct rows r;
    sqlite3 *db = NULL;
    const char *path = scratch_write("", 0);

    (void)state;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE other (a)", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    rows_init(&r, "memscope_db", path);
    assert_int_equal(rows_parse(&r, parse_memscope_db, &e), ERR_FORMAT);
    assert_string_equal(e.text, "a database without the table memscope_dump");
    rows_done(&r);
}

/* A database cut anywhere, and with any bit turned: rows that are whole, or a message; never more rows. */
static void memscope_database_damaged(void **state)
{
    static char whole[65536], bytes[65536];
    uint64_t seed = 88172645463325252u;
    FILE *f = fopen(write_database(), "rb");
    size_t n = f ? fread(whole, 1, sizeof whole, f) : 0;

    (void)state;
    assert_true(f && n > 4096 && n < sizeof whole);
    fclose(f);
    for (size_t i = 0; i < n + 2000; i++) {
        struct rows r;
        struct err e = ERR_INIT;
        size_t at = i < n ? 0 : (size_t)(scratch_random(&seed) % n);
        memcpy(bytes, whole, n);
        if (i >= n)
            bytes[at] = (char)(bytes[at] ^ (1 << (scratch_random(&seed) % 8)));
        rows_init(&r, "memscope_db", scratch_write(bytes, i < n ? i : n));
        int rc = rows_parse(&r, parse_memscope_db, &e);
        assert_true(rc == OK || ((rc == ERR_FORMAT || rc == ERR_LIMIT) && e.text[0]));
        assert_true(r.rows <= 12);
        rows_done(&r);
    }
}

static void memscope_damaged(void **state)
{
    (void)state;
    case_damage("memscope_csv", parse_memscope_csv, csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memscope_rows_of_the_csv),
        cmocka_unit_test(memscope_rows_of_the_database_are_the_same),
        cmocka_unit_test(memscope_other_databases_are_refused),
        cmocka_unit_test(memscope_database_damaged),
        cmocka_unit_test(memscope_damaged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
