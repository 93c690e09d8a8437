/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Big tables written as pages: the store on disk holds what the same calls give a store in memory, where each
 * row is an INSERT.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "store/fill/fill_int.h"
#include "store/pages/pages.h"
#include "store/pages/record.h"
#include "tests/unit/scratch.h"

/* ---- the same rows into two stores ---- */

struct pair {
    struct fill *disk, *memory;
    char path[300];
};

static void pair_open_as(struct pair *p, bool inserts)
{
    struct err e = ERR_INIT;

    snprintf(p->path, sizeof p->path, "%s.npus", scratch_write("", 0));
    assert_int_equal(fill_open(&p->disk, &(struct fill_opts){ .path = p->path, .inserts = inserts }, &e), OK);
    assert_int_equal(fill_open(&p->memory, &(struct fill_opts){ .path = NULL }, &e), OK);
}

static void pair_open(struct pair *p)
{
    pair_open_as(p, false);
}

static void pair_begin(struct pair *p, uint32_t source)
{
    struct err e = ERR_INIT;

    assert_int_equal(fill_begin(p->disk, source, &e), OK);
    assert_int_equal(fill_begin(p->memory, source, &e), OK);
}

static void pair_end(struct pair *p, bool ok)
{
    struct err e = ERR_INIT;

    assert_int_equal(fill_end(p->disk, ok, &e), OK);
    assert_int_equal(fill_end(p->memory, ok, &e), OK);
}

static int64_t pair_row(struct pair *p, enum table_id t, const struct val *v, size_t n)
{
    struct err e = ERR_INIT;
    int64_t a = -1, b = -2;

    assert_int_equal(sink_row(fill_sink(p->disk), t, v, n, &a, &e), OK);
    assert_int_equal(sink_row(fill_sink(p->memory), t, v, n, &b, &e), OK);
    assert_int_equal(a, b);
    return a;
}

static size_t pair_column(struct pair *p, const char *name, enum col_type type)
{
    struct err e = ERR_INIT;
    size_t a, b;

    assert_int_equal(sink_column(fill_sink(p->disk), T_op_counter, str_of(name), type, &a, &e), OK);
    assert_int_equal(sink_column(fill_sink(p->memory), T_op_counter, str_of(name), type, &b, &e), OK);
    assert_int_equal(a, b);
    return a;
}

static void same_value(const char *table, size_t row, size_t col, struct query *a, struct query *b)
{
    struct val x = query_val(a, col), y = query_val(b, col);
    bool same = x.t == y.t && (x.t == VAL_TEXT   ? str_eq(x.s, y.s)
                               : x.t == VAL_NULL ? true
                                                 : x.i == y.i); /* the bits of a real as well */

    if (!same)
        fail_msg("%s row %zu column %zu (%s): type %d %" PRId64 ", not type %d %" PRId64, table, row, col,
                 query_name(a, col), (int)x.t, x.i, (int)y.t, y.i);
}

static size_t same_rows(struct store *a, struct store *b, const char *sql)
{
    struct err e = ERR_INIT;
    struct query *qa = NULL, *qb = NULL;
    size_t n = 0;

    assert_int_equal(store_query(a, &qa, sql, &e), OK);
    assert_int_equal(store_query(b, &qb, sql, &e), OK);
    assert_int_equal(query_columns(qa), query_columns(qb));
    for (;; n++) {
        int ra = query_step(qa, &e), rb = query_step(qb, &e);
        assert_int_equal(e.code, OK);
        assert_int_equal(ra, rb);
        if (ra != 1)
            break;
        for (size_t i = 0; i < query_columns(qa); i++)
            same_value(sql, n, i, qa, qb);
    }
    query_free(qa);
    query_free(qb);
    return n;
}

static const char *const big[] = { "op", "op_exec", "op_counter", "op_flops", "mem_alloc" };

/*
 * Finish both; the file is whole, equal in every big table, and its indexes find every row. Returns the rows
 * of them.
 */
static size_t pair_compare(struct pair *p)
{
    struct err e = ERR_INIT;
    struct store *a = NULL, *b = NULL;
    struct query *q = NULL;
    size_t rows = 0;
    char sql[200];

    assert_int_equal(fill_finish(p->disk, "key", &e), OK);
    assert_int_equal(fill_publish(p->disk, &e), OK);
    assert_int_equal(fill_finish(p->memory, "key", &e), OK);
    assert_int_equal(fill_take_store(p->memory, &b, &e), OK);
    if (store_open(&a, p->path, false, &e))
        fail_msg("%s", e.text);
    assert_int_equal(store_query(a, &q, "PRAGMA integrity_check", &e), OK);
    assert_int_equal(query_step(q, &e), 1);
    struct str said = query_str(q, 0);
    if (!str_eq(said, STR("ok")))
        fail_msg("integrity_check: %.*s", (int)said.n, said.p);
    query_free(q);
    for (size_t i = 0; i < ARRAY_LEN(big); i++) {
        snprintf(sql, sizeof sql, "SELECT rowid AS number, * FROM %s ORDER BY number", big[i]);
        rows += same_rows(a, b, sql);
    }
    (void)same_rows(a, b,
                    "SELECT rank, stream, ts_ns, id FROM op_exec INDEXED BY time_exec_ts "
                    "ORDER BY rank, stream, ts_ns, id");
    (void)same_rows(a, b, "SELECT op_id, id FROM op_exec INDEXED BY ops_exec_op ORDER BY op_id, id");
    (void)same_rows(a, b, "SELECT name, sql FROM sqlite_master ORDER BY name");
    store_close(a);
    store_close(b);
    unlink(p->path);
    return rows;
}

static int64_t put_exec(struct pair *p, int64_t op, int64_t rank, struct val stream, int64_t ts,
                        uint32_t source, struct str extra)
{
    struct val v[N_COLS(op_exec)] = {
        [COL(op_exec, op_id)] = val_int(op),       [COL(op_exec, rank)] = val_int(rank),
        [COL(op_exec, stream)] = stream,           [COL(op_exec, ts_ns)] = val_int(ts),
        [COL(op_exec, dur_ns)] = val_int(op * 37), [COL(op_exec, source_id)] = val_int(source),
        [COL(op_exec, extra)] = val_text(extra),
    };
    return pair_row(p, T_op_exec, v, N_COLS(op_exec));
}

/* ---- tests ---- */

static const int64_t ints[] = {
    0,
    1,
    2,
    127,
    128,
    -1,
    -2,
    -128,
    -129,
    32767,
    32768,
    -32768,
    -32769,
    8388607,
    8388608,
    -8388608,
    -8388609,
    2147483647,
    2147483648,
    -2147483648,
    -2147483649,
    1736408883,
    140737488355327,
    140737488355328,
    -140737488355328,
    -140737488355329,
    INT64_MAX,
    INT64_MIN,
};
static const double reals[] = {
    0.0,
    -0.0,
    0.5,
    1.0,
    -1.0,
    5.0,
    1e15,
    140737488355327.0,
    140737488355328.0,
    -140737488355329.0,
    1e18,
    9.2e18,
    9223372036854775807.0,
    -9223372036854775808.0,
    1e19,
    1e300,
    -1e300,
    5e-324,
    0.1,
};

static void bulk_stores_each_value_as_an_insert_does(void **state)
{
    (void)state;
    struct pair p;
    static char text[70000];
    static const size_t lengths[] = { 0, 1, 56, 57, 58, 59, 4000, 4030, 4061, 4070, 9000, 65536 };

    memset(text, 'x', sizeof text);
    pair_open(&p);
    pair_begin(&p, 1);
    size_t i = pair_column(&p, "cycles", CT_INT), r = pair_column(&p, "ratio", CT_REAL);
    struct val v[N_COLS(op_counter) + 2] = { 0 };
    for (size_t k = 0; k < ARRAY_LEN(ints); k++) {
        v[i] = v[r] = val_int(ints[k]);
        (void)pair_row(&p, T_op_counter, v, i > r ? i + 1 : r + 1);
    }
    for (size_t k = 0; k <= ARRAY_LEN(reals); k++) {
        v[i] = v[r] = val_real(k < ARRAY_LEN(reals) ? reals[k] : (double)NAN);
        (void)pair_row(&p, T_op_counter, v, i > r ? i + 1 : r + 1);
    }
    struct val m[N_COLS(mem_alloc)] = { 0 };
    static const uint64_t streams[] = { 0, 1, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX };
    for (size_t k = 0; k < ARRAY_LEN(streams); k++) {
        m[COL(mem_alloc, stream)] = val_uint(streams[k]);
        m[COL(mem_alloc, device_type)] = k % 2 ? val_int(-17) : val_cstr("NPU:0");
        (void)pair_row(&p, T_mem_alloc, m, N_COLS(mem_alloc));
    }
    for (size_t k = 0; k < ARRAY_LEN(lengths); k++) {
        m[COL(mem_alloc, device_type)] = val_text((struct str){ text, lengths[k] });
        (void)pair_row(&p, T_mem_alloc, m, N_COLS(mem_alloc));
    }
    m[COL(mem_alloc, device_type)] = val_text((struct str){ "a\0b", 3 });
    (void)pair_row(&p, T_mem_alloc, m, N_COLS(mem_alloc));
    m[COL(mem_alloc, device_type)] = val_text(STR("\xff\xfe latin"));
    (void)pair_row(&p, T_mem_alloc, m, N_COLS(mem_alloc));
    memset(m, 0, sizeof m); /* a row of NULLs */
    (void)pair_row(&p, T_mem_alloc, m, 0);
    pair_end(&p, true);
    assert_int_equal(pair_compare(&p),
                     ARRAY_LEN(ints) + ARRAY_LEN(reals) + 1 + ARRAY_LEN(streams) + ARRAY_LEN(lengths) + 3);
}

/* Enough rows for three levels of pages, keys in no order, equal and missing ones among them. */
static void bulk_trees_and_indexes_hold_every_row(void **state)
{
    (void)state;
    static const int sizes[] = { 1, 2, 90, 91, 92, 3000, 40000 };
    for (size_t k = 0; k < ARRAY_LEN(sizes); k++) {
        struct pair p;
        uint64_t x = 11;
        pair_open(&p);
        pair_begin(&p, 3);
        for (int i = 0; i < sizes[k]; i++) {
            uint64_t r = scratch_random(&x);
            struct val stream = r % 11 == 0 ? val_null() : val_int((int64_t)(r % 5) - 1);
            (void)put_exec(&p, (int64_t)(r >> 20) % 700, (int64_t)(r >> 40) % 3, stream,
                           1736408883704643212 + (int64_t)(r % 100000) * 997, 3, STR_NULL);
        }
        pair_end(&p, true);
        assert_int_equal(pair_compare(&p), sizes[k]);
    }
}

/* Rows of a source that failed or was taken back are gone; the numbers of the others stay. */
/* The switch: no table is kept aside, and the store is the same. */
static void bulk_turned_off_leaves_all_to_sqlite(void **state)
{
    struct pair p;

    (void)state;
    for (int inserts = 0; inserts < 2; inserts++) {
        pair_open_as(&p, inserts);
        for (size_t t = 0; t < N_TABLES; t++)
            assert_true(!inserts || !p.disk->tables[t].bulk);
        assert_true(inserts || p.disk->tables[T_op_exec].bulk);
        pair_begin(&p, 1);
        for (int64_t k = 0; k < 5000; k++)
            (void)put_exec(&p, k % 7 + 1, 0, k % 3 ? val_int(k % 3) : val_null(), 5000 - k, 1, STR("x"));
        pair_end(&p, true);
        assert_int_equal(pair_compare(&p), 5000);
    }
}

static void bulk_forgets_sources(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct pair p;
    int64_t last = 0;

    pair_open(&p);
    for (uint32_t source = 1; source <= 6; source++) {
        pair_begin(&p, source);
        for (int i = 0; i < 3000 * (source == 3 ? 20 : 1); i++)
            last = put_exec(&p, i, 0, val_int(1), 1000 + i, source, STR_NULL);
        pair_end(&p, source != 3 && source != 6); /* 3 fills more pages than are kept in memory */
    }
    assert_int_equal(last, 15000);
    assert_int_equal(fill_purge(p.disk, 2, true, &e), OK);
    assert_int_equal(fill_purge(p.memory, 2, true, &e), OK);
    assert_int_equal(fill_purge(p.disk, 5, true, &e), OK);
    assert_int_equal(fill_purge(p.memory, 5, true, &e), OK);
    struct fill_feeder a[8], b[8];
    size_t na, nb;
    assert_int_equal(fill_feeders(p.disk, "op_exec", 0, a, 8, &na, &e), OK);
    assert_int_equal(fill_feeders(p.memory, "op_exec", 0, b, 8, &nb, &e), OK);
    assert_int_equal(na, 2); /* 1 and 4 */
    assert_int_equal(nb, 2);
    for (size_t i = 0; i < na; i++) {
        assert_int_equal(a[i].source_id, b[i].source_id);
        assert_int_equal(a[i].rows, 3000);
        assert_int_equal(b[i].rows, 3000);
    }
    assert_int_equal(fill_feeders(p.disk, "op_exec", 1, a, 8, &na, &e), OK);
    assert_int_equal(na, 0);
    pair_begin(&p, 7);
    assert_int_equal(put_exec(&p, 1, 0, val_int(1), 77, 7, STR_NULL), 9001);
    pair_end(&p, true);
    assert_int_equal(pair_compare(&p), 6001);
}

/* Columns of a source that failed are gone, those of the others keep their place and type. */
static void bulk_keeps_columns_across_a_rollback(void **state)
{
    (void)state;
    static const char *const names[] = { "cycles", "ratio", "mac", "time_ns" };
    struct pair p;
    int64_t exec = 1;

    pair_open(&p);
    for (uint32_t source = 1; source <= 4; source++) {
        pair_begin(&p, source);
        size_t c = pair_column(&p, "cycles", CT_INT);
        size_t d = pair_column(&p, names[source - 1], source == 2 ? CT_REAL : CT_INT);
        for (int i = 0; i < 500; i++) {
            struct val v[N_COLS(op_counter) + 4] = { [COL(op_counter, exec_id)] = val_int(exec++) };
            v[c] = val_real(i);
            v[d] = val_real(i / 2.0);
            (void)pair_row(&p, T_op_counter, v, (c > d ? c : d) + 1);
        }
        pair_end(&p, source != 2);
    }
    assert_int_equal(pair_compare(&p), 1500);
}

/* Rows that a page cannot take, by length or by number, are inserted beside the pages. */
static void bulk_keeps_late_rows(void **state)
{
    (void)state;
    struct pair p;
    static char text[20000];
    size_t rows = 0;

    memset(text, 'y', sizeof text);
    pair_open(&p);
    pair_begin(&p, 1);
    size_t r = pair_column(&p, "ratio", CT_REAL);
    for (int i = 0; i < 5000; i++, rows++)
        (void)put_exec(&p, i % 9, 0, val_int(i % 3), 50000 - i, 1,
                       i % 1000 == 999 ? (struct str){ text, sizeof text } : STR_NULL);
    for (int64_t i = 0; i < 4000; i++, rows++) {
        struct val v[N_COLS(op_counter) + 1] = { 0 };
        v[COL(op_counter, exec_id)] = val_int(i < 2000 ? 2 * i + 2 : 2 * (i - 2000) + 1);
        v[r] = val_real((double)i / 7);
        (void)pair_row(&p, T_op_counter, v, r + 1);
    }
    for (int i = 0; i < 200; i++, rows++) { /* a table without numbers of its own keeps the order */
        struct val v[N_COLS(mem_alloc)] = { [COL(mem_alloc, size_b)] = val_int(i) };
        if (i % 50 == 7)
            v[COL(mem_alloc, device_type)] = val_text((struct str){ text, sizeof text });
        (void)pair_row(&p, T_mem_alloc, v, N_COLS(mem_alloc));
    }
    pair_end(&p, true);
    assert_int_equal(pair_compare(&p), rows);
}

/* After fill_settle() the rows can be read, and more of them follow by INSERT. */
static void bulk_settled_tables_grow_on(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct pair p;

    pair_open(&p);
    pair_begin(&p, 1);
    for (int i = 0; i < 2000; i++)
        (void)put_exec(&p, i % 50, 0, val_int(1), i, 1, STR_NULL);
    pair_end(&p, true);
    assert_int_equal(fill_settle(p.disk, &e), OK);
    struct store *r = fill_reader(p.disk, &e);
    assert_int_equal(store_rows(r, "op_exec"), 2000);
    pair_begin(&p, 2);
    assert_int_equal(put_exec(&p, 3, 0, val_int(1), 5, 2, STR_NULL), 2001);
    struct val v[N_COLS(mem_alloc)] = { [COL(mem_alloc, size_b)] = val_int(5) };
    (void)pair_row(&p, T_mem_alloc, v, N_COLS(mem_alloc)); /* not settled before: it was empty */
    pair_end(&p, true);
    assert_int_equal(fill_settle(p.disk, &e), OK);
    assert_int_equal(store_rows(r, "mem_alloc"), 1);
    assert_int_equal(pair_compare(&p), 2002);
}

static uint64_t some(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return *seed >> 33;
}

/* 100 rows of a source in both. */
static void put_source(struct pair *p, uint32_t source)
{
    pair_begin(p, source);
    for (int i = 0; i < 100; i++)
        (void)put_exec(p, i % 50, 0, val_int(1), i, source, STR_NULL);
    pair_end(p, true);
}

/* Reading through the connection of a fill leaves it the memory it was given. */
static void bulk_reader_leaves_the_settings_of_the_fill(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct pair p;

    pair_open(&p);
    put_source(&p, 1);
    struct store *r = fill_reader(p.disk, &e);
    assert_int_equal(store_int(r, 0, "PRAGMA cache_size", NULL), -16384);
    assert_int_equal(store_int(r, 0, "SELECT 'b' REGEXP 'A|B'", NULL), 1);
    assert_int_equal(pair_compare(&p), 100);
}

/* No parser gives a stream that is no number; should one, SQLite makes the index. */
static void bulk_leaves_an_index_of_texts_to_sqlite(void **state)
{
    (void)state;
    struct pair p;

    pair_open(&p);
    pair_begin(&p, 1);
    for (int i = 0; i < 300; i++)
        (void)put_exec(&p, i % 50, 0, i == 77 ? val_cstr("none") : val_int(i % 4), i, 1, STR_NULL);
    pair_end(&p, true);
    assert_int_equal(pair_compare(&p), 300);
}

/* Keys of columns whose values lie far apart: those that fit into one number, and those that SQLite sorts. */
static void bulk_indexes_of_wide_values(void **state)
{
    static const int64_t far[] = { 0, INT64_MAX, INT64_MIN, -1, 1, INT64_MIN + 1 };

    (void)state;
    for (size_t wide = 0; wide < 4; wide++) {
        struct pair p;
        uint64_t seed = wide;
        pair_open(&p);
        pair_begin(&p, 1);
        for (int i = 0; i < 600; i++) {
            int64_t stream = wide & 1 ? far[i % 6] : (int64_t)(some(&seed) % 1000) - 500;
            int64_t ts = wide & 2 ? (int64_t)(some(&seed) << 12) : i;
            (void)put_exec(&p, i % 50, 0, i % 7 ? val_int(stream) : val_null(), ts, 1, STR_NULL);
        }
        pair_end(&p, true);
        assert_int_equal(pair_compare(&p), 600);
    }
}

/* ---- writes that fail ---- */

/* Bytes that a file may have from here on; RLIM_INFINITY: as before. */
static void limit_files(rlim_t most)
{
    struct rlimit r;

    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &r), 0);
    r.rlim_cur = most < r.rlim_max ? most : r.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &r), 0);
}

/* The store on disk alone takes it; what it says. */
static int disk_exec(struct pair *p, int64_t i, struct err *e)
{
    struct val v[N_COLS(op_exec)] = { [COL(op_exec, op_id)] = val_int(i % 50),
                                      [COL(op_exec, rank)] = val_int(0),
                                      [COL(op_exec, ts_ns)] = val_int(i),
                                      [COL(op_exec, source_id)] = val_int(2) };
    return sink_row(fill_sink(p->disk), T_op_exec, v, N_COLS(op_exec), NULL, e);
}

/*
 * No row is taken any more, whatever its length, and each call says why; without the rows of that source all
 * is well.
 */
static void bulk_takes_no_row_after_a_write_that_failed(void **state)
{
    (void)state;
    struct err e = ERR_INIT, first = ERR_INIT;
    struct pair p;
    int taken = 0;

    pair_open(&p);
    put_source(&p, 1);
    assert_int_equal(fill_begin(p.disk, 2, &e), OK);
    limit_files(100 << 10);
    while (taken < 100000 && disk_exec(&p, taken, &first) == OK)
        taken++;
    assert_in_range(taken, 1, 50000);
    for (int i = 0; i < 50000; i++) {
        err_clear(&e);
        assert_int_equal(disk_exec(&p, i % 3, &e), first.code);
        assert_string_equal(e.text, first.text);
    }
    err_clear(&e);
    assert_int_equal(fill_end(p.disk, true, &e), first.code);
    limit_files(RLIM_INFINITY);
    put_source(&p, 3);
    assert_int_equal(pair_compare(&p), 200);
}

static void bulk_takes_rows_back_when_the_commit_fails(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct pair p;

    pair_open(&p);
    put_source(&p, 1);
    assert_int_equal(fill_begin(p.disk, 2, &e), OK);
    for (int i = 0; i < 3000; i++)
        assert_int_equal(disk_exec(&p, i, &e), OK);
    sink_note(fill_sink(p.disk), NOTE_LIMIT, NULL, "so that there is something to commit");
    limit_files(4096);
    assert_int_not_equal(fill_end(p.disk, true, &e), OK);
    limit_files(RLIM_INFINITY);
    err_clear(&e);
    put_source(&p, 3);
    assert_int_equal(pair_compare(&p), 200);
}

/* ---- the page that SQLite locks ---- */

#define LOCK_AT ((off_t)1 << 30) /* sqlite.org/fileformat2.html#the_lock_byte_page */
#define AT_FREE 32               /* of the header: first page of the free list, their number */

/*
 * Make the database last pages long at once: what it does not have is on the free list, whose leaves nobody
 * reads.
 */
static void make_long(struct fill *f, uint32_t last)
{
    sqlite3_file *file = NULL;
    unsigned char header[PAGE_FILE_HEADER_B], page[PAGE_SIZE_MAX];

    assert_int_equal(sqlite3_exec(f->db, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_file_control(f->db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    assert_int_equal(file->pMethods->xRead(file, header, sizeof header, 0), SQLITE_OK);
    uint32_t size = page_file_size(header), leaf = page_get32(header + PAGE_AT_PAGES) + 1;
    uint32_t most = (size - PAGE_SPARE) / 4 - 8, n = last - leaf + 1, trunks = n / (most + 1) + 1;
    uint32_t changes = page_get32(header + PAGE_AT_CHANGES) + 1;
    for (uint32_t at = last; at > last - trunks; at--) {
        memset(page, 0, size);
        page_put32(page, at - 1 > last - trunks ? at - 1 : 0);
        uint32_t k = 0;
        while (k < most && leaf <= last - trunks)
            page_put32(page + 8 + 4 * (size_t)k++, leaf++);
        page_put32(page + 4, k);
        assert_int_equal(file->pMethods->xWrite(file, page, (int)size, (off_t)(at - 1) * size), SQLITE_OK);
    }
    page_put32(header + PAGE_AT_PAGES, last);
    page_put32(header + AT_FREE, last);
    page_put32(header + AT_FREE + 4, n);
    page_put32(header + PAGE_AT_CHANGES, changes);
    page_put32(header + PAGE_AT_VALID, changes);
    assert_int_equal(file->pMethods->xWrite(file, header, sizeof header, 0), SQLITE_OK);
    assert_int_equal(sqlite3_exec(f->db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
}

/* Pages of tables and of indexes pass it, with and without pages waiting to be written. */
static void bulk_never_writes_the_page_that_is_locked(void **state)
{
    (void)state;
    static const uint32_t before[] = { 0, 1, 15, 16, 17, 40, 90 };
    unsigned char there[4096], none[4096] = { 0 };

    for (size_t k = 0; k < ARRAY_LEN(before); k++) {
        struct err e = ERR_INIT;
        struct pair p;
        pair_open(&p);
        make_long(p.disk, (uint32_t)(LOCK_AT / 4096) - before[k]);
        pair_begin(&p, 1);
        for (int i = 0; i < 8000; i++)
            (void)put_exec(&p, i * 7 % 50, i % 3, val_int(i % 5), i * 11 % 8000, 1, STR_NULL);
        pair_end(&p, true);
        assert_int_equal(fill_settle(p.disk, &e), OK);
        assert_true(store_int(fill_reader(p.disk, &e), 0, "PRAGMA page_count", NULL) > LOCK_AT / 4096 + 2);
        int fd = open(fill_read_path(p.disk), O_RDONLY);
        assert_int_equal(pread(fd, there, sizeof there, LOCK_AT), sizeof there);
        assert_memory_equal(there, none, sizeof there);
        close(fd);
        assert_int_equal(pair_compare(&p), 8000);
    }
}

/* ---- pages alone ---- */

#define PAGE  512
#define PAGES 8192

static unsigned char kept[PAGES][PAGE];
static uint32_t n_kept;

static int keep_page(void *arg, const unsigned char *page, uint32_t *number, struct err *e)
{
    (void)arg;
    (void)e;
    *number = ++n_kept;
    assert_true(n_kept < PAGES);
    memcpy(kept[n_kept], page, PAGE);
    return OK;
}

static int keep_root(void *arg, const unsigned char *page, uint32_t number, struct err *e)
{
    (void)arg;
    (void)e;
    memcpy(kept[number], page, PAGE);
    return OK;
}

/* Rows of 1 to 18 columns of every kind and width of value, read by shape and by walking their headers. */
static void record_ints_of_a_shape_are_those_of_the_header(void **state)
{
    (void)state;
    static struct record_shapes shapes[4];
    static const size_t columns[4][3] = { { 0, 3, 5 }, { 2, 4, 7 }, { 1, 9, 14 }, { 0, 1, 16 } };
    static const unsigned char affinity[18] = { 0 };
    uint64_t seed = 7, alike = 0;

    for (int round = 0; round < 20000; round++) {
        struct val v[18];
        unsigned char record[1024];
        size_t n = 1 + some(&seed) % ARRAY_LEN(v), which = some(&seed) % ARRAY_LEN(columns);
        memset(record, 0xa5, sizeof record);
        for (size_t i = 0; i < n; i++) {
            int64_t x = (int64_t)(some(&seed) << 31 ^ some(&seed)) >> some(&seed) % 62;
            unsigned kind = some(&seed) % 16;
            v[i] = kind == 0   ? val_null()
                   : kind == 1 ? val_real(0.5)
                   : kind == 2 ? val_cstr("a text that takes some bytes")
                               : val_int(x);
        }
        record_put(record, v, affinity, n, record_texts(v, n));
        int64_t a[3] = { 1, 1, 1 }, b[3] = { 2, 2, 2 };
        unsigned a_nulls = 1, b_nulls = 2;
        bool whole = record_ints(record, columns[which], 3, a, &a_nulls);
        assert_int_equal(record_ints_of(&shapes[which], record, columns[which], 3, b, &b_nulls), whole);
        if (!whole)
            continue;
        alike++;
        assert_int_equal(a_nulls, b_nulls);
        assert_memory_equal(a, b, sizeof a);
    }
    assert_true(alike > 5000);
}

static void check_entry(const unsigned char *cell, int64_t *next)
{
    uint64_t bytes;
    const unsigned char *record = record_get_varint(cell, &bytes);
    static const size_t column[] = { 1 };
    int64_t v;
    unsigned nulls;

    assert_true(record_ints(record, column, 1, &v, &nulls));
    assert_int_equal(nulls, 0);
    assert_int_equal(v, (*next)++);
}

/* Every entry of the tree below a page, in order; returns its depth. */
static int walk(uint32_t number, int64_t *next)
{
    const unsigned char *page = kept[number];
    bool node = page[0] == PAGE_INDEX_NODE;
    uint32_t n = page_cells(page);
    int depth = 0;

    assert_true(n > 0);
    for (uint32_t i = 0; i < n; i++) {
        const unsigned char *cell = page_get(page, i);
        if (node) {
            int d = walk(page_get32(cell), next);
            assert_true(depth == 0 || d == depth);
            depth = d;
        }
        check_entry(cell + (node ? 4 : 0), next);
    }
    if (node)
        assert_int_equal(walk(page_get32(page + 8), next), depth);
    return depth + 1;
}

static void pages_index_of_any_number_of_entries_is_whole(void **state)
{
    (void)state;
    const struct page_sink sink = { .size = PAGE, .append = keep_page, .root = keep_root };
    static const unsigned char affinity[2] = { 0 };
    int depth = 0;

    for (int64_t n = 1; n < 2500; n += n < 400 ? 1 : 7) {
        struct err e = ERR_INIT;
        struct page_index *x = NULL;
        int64_t next = 0;
        n_kept = 0;
        assert_int_equal(pages_index_new(&x, &sink, &e), OK);
        for (int64_t i = 0; i < n; i++) {
            unsigned char record[200];
            const struct val v[] = { val_text((struct str){ "0123456789012345678901234567890123456789",
                                                            (size_t)(i * 7 % 40) }),
                                     val_int(i) };
            const unsigned char *end = record_put(record, v, affinity, 2, record_texts(v, 2));
            assert_int_equal(pages_index_add(x, record, (size_t)(end - record), &e), OK);
        }
        assert_int_equal(pages_index_end(x, 0, &e), OK);
        pages_index_free(x);
        depth = walk(0, &next);
        assert_int_equal(next, n);
    }
    assert_true(depth >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bulk_stores_each_value_as_an_insert_does),
        cmocka_unit_test(bulk_trees_and_indexes_hold_every_row),
        cmocka_unit_test(bulk_turned_off_leaves_all_to_sqlite),
        cmocka_unit_test(bulk_forgets_sources),
        cmocka_unit_test(bulk_keeps_columns_across_a_rollback),
        cmocka_unit_test(bulk_keeps_late_rows),
        cmocka_unit_test(bulk_settled_tables_grow_on),
        cmocka_unit_test(bulk_leaves_an_index_of_texts_to_sqlite),
        cmocka_unit_test(bulk_indexes_of_wide_values),
        cmocka_unit_test(bulk_reader_leaves_the_settings_of_the_fill),
        cmocka_unit_test(bulk_takes_no_row_after_a_write_that_failed),
        cmocka_unit_test(bulk_takes_rows_back_when_the_commit_fails),
        cmocka_unit_test(bulk_never_writes_the_page_that_is_locked),
        cmocka_unit_test(record_ints_of_a_shape_are_those_of_the_header),
        cmocka_unit_test(pages_index_of_any_number_of_entries_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
