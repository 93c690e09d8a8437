/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Databases of other programs: what is read of them, and that they are left as they were
 * (doc/reliability.md#vendor-databases, #hostile-databases).
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
#include <dirent.h>
#include <sqlite3.h>
#include <zlib.h>

#include "base/read/infile.h"
#include "import/import.h"
#include "parsers/parsers.h"
#include "store/foreign.h"
#include "tests/unit/parsers/parse_case.h"
#include "tests/unit/tree_case.h"

static sqlite3 *make_db(const char *path, const char *sql)
{
    sqlite3 *db = NULL;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
    return db;
}

/* A database below the tree; its path. */
static const char *put_db(const char *rel, const char *sql)
{
    const char *path = tree_path(&tree, rel);

    tree_parents(path);
    assert_int_equal(sqlite3_close(make_db(path, sql)), SQLITE_OK);
    return path;
}

/* ---- rows that are read ahead ---- */

#define AHEAD     50000
#define AHEAD_SQL "50000"
#define LONG_B    600000 /* a text that takes more than a batch has room for */

struct ahead {
    struct foreign *f;
    size_t rows, stop; /* stop: the row at which the reading ends, 0: none */
    int code;          /* with this */
};

/* The number of the row, a text that says it, and one that is long in some rows. */
static int on_ahead(void *arg, const struct val *v, size_t n, struct err *e)
{
    struct ahead *a = arg;
    char text[32];

    assert_int_equal(n, 3);
    assert_true(v[1].t == VAL_INT && v[1].i == (int64_t)a->rows);
    snprintf(text, sizeof text, "row %zu", a->rows);
    assert_true(v[0].t == VAL_TEXT && str_eq(v[0].s, str_of(text)));
    assert_true(v[2].t == VAL_TEXT);
    assert_int_equal(v[2].s.n, a->rows % 20000 == 7 ? LONG_B : a->rows % 3000);
    assert_true(!v[2].s.n || (v[2].s.p[0] == 'x' && v[2].s.p[v[2].s.n - 1] == 'x'));
    return ++a->rows == a->stop ? err_set(e, a->code, "enough") : OK;
}

static int on_nested(void *arg, const struct val *v, size_t n, struct err *e)
{
    struct ahead *a = arg;
    int64_t rows;

    (void)v;
    (void)n;
    return foreign_count(a->f, 0, &rows, e);
}

static void foreign_rows_are_read_ahead_in_order(void **state)
{
    static const struct str names[] = { STR("te\"xt"), STR("id"), STR("long") };
    struct err e = ERR_INIT;
    struct ahead a = { .f = NULL };

    (void)state;
    const char *path =
        put_db("ahead.db", "CREATE TABLE t(id INTEGER, other BLOB, \"te\"\"xt\" TEXT, long TEXT);"
                           "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE "
                           "i < " AHEAD_SQL " - 1) INSERT INTO t SELECT i, x'00', 'row ' || i, "
                           "replace(hex(zeroblob((CASE WHEN i % 20000 = 7 THEN 600000 ELSE i % "
                           "3000 END) / 2)), '0', 'x') || CASE WHEN i % 2 AND i % 20000 <> 7 THEN "
                           "'x' ELSE '' END FROM n");
    assert_int_equal(foreign_open(&a.f, path, NULL, NULL, &e), OK);
    assert_int_equal(foreign_read_columns(a.f, 0, names, 3, on_ahead, &a, &e), OK);
    assert_int_equal(a.rows, AHEAD);
    for (a.stop = 1; a.stop < AHEAD; a.stop = a.stop * 3 + 1) {
        a.rows = 0;
        a.code = ERR_CANCELLED;
        assert_int_equal(foreign_read_columns(a.f, 0, names, 3, on_ahead, &a, &e), ERR_CANCELLED);
        assert_int_equal(a.rows, a.stop);
        err_clear(&e);
    }
    assert_int_equal(foreign_read_columns(a.f, 0, names, 0, on_nested, &a, &e), ERR_BUG);
    err_clear(&e);
    foreign_close(a.f);
}

/* Names, sizes, times and inodes of a folder's files. */
static void listing(const char *dir, struct buf *out)
{
    char path[PATH_MAX];
    struct dirent *d;
    struct stat st;
    DIR *h = opendir(dir);

    buf_init(out, 1 << 16);
    assert_non_null(h);
    while ((d = readdir(h)) != NULL) {
        snprintf(path, sizeof path, "%s/%s", dir, d->d_name);
        if (d->d_name[0] != '.' && stat(path, &st) == 0)
            buf_printf(out, "%s %lld %lld.%09ld %llu\n", d->d_name, (long long)st.st_size,
                       (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, (unsigned long long)st.st_ino);
    }
    closedir(h);
}

static void parse_part(struct rows *r, const char *path, const char *part, int want)
{
    struct err e = ERR_INIT;

    rows_init(r, "pt_db", path);
    struct parse_ctx c = {
        .f = &r->file, .run = &r->run, .tmp = r->tmp, .out = sink_count_sink(r->count), .part = part
    };
    assert_int_equal(parse_generic(&c, &e), want);
    if (want)
        buf_printf(&r->text, "error %s\n", e.text);
}

static void expect(const char *path, const char *part, const char *text)
{
    struct rows r;

    parse_part(&r, path, part, OK);
    assert_string_equal(buf_str(&r.text).p, text);
    rows_done(&r);
}

static void foreign_list_and_tables(void **state)
{
    (void)state;
    const char *db =
        put_db("d/a?b%#.db",
               "CREATE TABLE TASK(startNs INTEGER, name, x REAL, b BLOB); CREATE INDEX i ON TASK(name);"
               "INSERT INTO TASK VALUES(1736408883688177930, 'Conv', 0.5, x'00ff'), (NULL, '', -1, NULL);"
               "CREATE TABLE \"odd \"\"name\"(a); CREATE VIEW v AS SELECT * FROM TASK;"
               "CREATE TABLE empty(id INTEGER PRIMARY KEY AUTOINCREMENT)");
    expect(db, NULL,
           "generic|table|rows|columns|opened_as\n"
           "row|TASK|i 2|i 4|t_1_TASK\n"
           "row|odd \"name|i 0|i 1|t_1_odd__name_2\n"
           "row|empty|i 0|i 1|t_1_empty\n");
    expect(db, "TASK",
           "generic TASK|startNs|name|x|b\n"
           "row|i 1736408883688177930|Conv|r 0.5|\\x00\xff\n"
           "row|||r -1|\n");
    expect(db, "odd \"name", "generic odd__name_2|a\n");
    struct rows r;
    parse_part(&r, db, "v", ERR_USAGE);
    rows_done(&r);
}

static void foreign_leaves_no_trace(void **state)
{
    struct buf before, after;

    (void)state;
    const char *db = put_db("d/x.db", "PRAGMA journal_mode = WAL; CREATE TABLE t(a);"
                                      "INSERT INTO t VALUES(1)");
    listing(tree_path(&tree, "d"), &before);
    expect(db, "t", "generic t|a\nrow|i 1\n");
    listing(tree_path(&tree, "d"), &after);
    assert_string_equal(before.p, after.p);
    buf_done(&before);
    buf_done(&after);
}

/* The rows that are only in the journal are there, and the journal stays. */
static void foreign_applies_a_journal_in_a_copy(void **state)
{
    struct buf before, after;

    (void)state;
    tree_dir(&tree, "d");
    tree_dir(&tree, "tmp");
    setenv("TMPDIR", tree_path(&tree, "tmp"), 1);
    sqlite3 *db =
        make_db(tree_path(&tree, "d/live.db"), "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;"
                                               "CREATE TABLE t(a); INSERT INTO t VALUES(1), (2)");
    /* what a killed writer leaves: the database and its -wal */
    char *text = NULL;
    size_t n = 0;
    struct err e = ERR_INIT;
    static const char *const ends[] = { "", "-wal" };
    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        char from[PATH_MAX], to[PATH_MAX];
        snprintf(from, sizeof from, "%s%s", tree_path(&tree, "d/live.db"), ends[i]);
        snprintf(to, sizeof to, "left/x.db%s", ends[i]);
        assert_int_equal(infile_read_all(from, 1 << 20, &text, &n, &e), OK);
        tree_file_n(&tree, to, text, n);
        free(text);
    }
    sqlite3_close(db);
    listing(tree_path(&tree, "left"), &before);
    expect(tree_path(&tree, "left/x.db"), "t", "generic t|a\nrow|i 1\nrow|i 2\n");
    listing(tree_path(&tree, "left"), &after);
    assert_string_equal(before.p, after.p);
    buf_done(&before);
    buf_done(&after);
    listing(tree_path(&tree, "tmp"), &after);
    assert_int_equal(after.n, 0);
    buf_done(&after);

    /* no room for the copy: what is in the database itself, and a note */
    struct rows r;
    setenv("TMPDIR", "/nonexistent", 1);
    parse_part(&r, tree_path(&tree, "left/x.db"), NULL, OK);
    assert_int_equal(sink_count_get(r.count)->notes[NOTE_TORN_FILE], 1);
    rows_done(&r);
    unsetenv("TMPDIR");
}

/* ---- packed with gzip ---- */

/* A database packed in place of one, without its last bytes. */
static const char *put_packed(const char *rel, const char *sql, size_t drop)
{
    char plain[64];
    struct err e = ERR_INIT;
    char *text = NULL, *packed;
    size_t n = 0;
    z_stream z = { .next_in = NULL };

    snprintf(plain, sizeof plain, "plain/%zu-%zu.db", strlen(rel), drop);
    assert_int_equal(infile_read_all(put_db(plain, sql), (size_t)16 << 20, &text, &n, &e), OK);
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    size_t most = deflateBound(&z, n);
    assert_non_null(packed = malloc(most));
    z.next_in = (unsigned char *)text;
    z.avail_in = (unsigned)n;
    z.next_out = (unsigned char *)packed;
    z.avail_out = (unsigned)most;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    tree_file_n(&tree, rel, packed, most - z.avail_out - drop);
    deflateEnd(&z);
    free(packed);
    free(text);
    return tree_path(&tree, rel);
}

/* One note of this kind, and that many rows. */
static void expect_note(const char *path, const char *part, enum note_code kind, size_t rows)
{
    struct rows r;
    size_t found = 0;

    parse_part(&r, path, part, OK);
    for (const char *c = buf_str(&r.text).p; (c = strstr(c, "row|")); c++)
        found++;
    assert_int_equal(found, rows);
    assert_int_equal(sink_count_get(r.count)->notes[kind], 1);
    rows_done(&r);
}

/* Read through a copy that is gone afterwards; what is damaged, cut or beyond the limit is said. */
static void foreign_unpacks_into_a_copy(void **state)
{
    static const char sql[] = "CREATE TABLE t(a); INSERT INTO t VALUES(1), (2)";
    struct buf before, after;
    struct rows r;

    (void)state;
    tree_dir(&tree, "tmp");
    setenv("TMPDIR", tree_path(&tree, "tmp"), 1);
    (void)put_packed("packed/x.db.gz", sql, 0);
    listing(tree_path(&tree, "packed"), &before);
    expect(tree_path(&tree, "packed/x.db.gz"), "t", "generic t|a\nrow|i 1\nrow|i 2\n");
    listing(tree_path(&tree, "packed"), &after);
    assert_string_equal(before.p, after.p);
    buf_done(&before);
    buf_done(&after);

    /* without the end of its checksum: all rows; with half a page: no database */
    expect_note(put_packed("packed/sum.db.gz", sql, 3), "t", NOTE_TORN_FILE, 2);
    parse_part(&r, put_packed("packed/half.db.gz", sql, 60), NULL, ERR_FORMAT);
    rows_done(&r);
    /* zeros beyond 64 times the packed size: the rows that lie before are there */
    expect_note(put_packed("packed/bomb.db.gz",
                           "CREATE TABLE t(a); INSERT INTO t VALUES(1);"
                           "CREATE TABLE z(a); INSERT INTO z VALUES(zeroblob(8000000))",
                           0),
                "t", NOTE_LIMIT, 1);
    listing(tree_path(&tree, "tmp"), &after);
    assert_int_equal(after.n, 0);
    buf_done(&after);

    setenv("TMPDIR", "/nonexistent", 1);
    parse_part(&r, tree_path(&tree, "packed/x.db.gz"), NULL, ERR_LIMIT);
    assert_string_equal(buf_str(&r.text).p, "error no room in TMPDIR to unpack it\n");
    rows_done(&r);
    unsetenv("TMPDIR");
}

/* Nothing of a hostile schema is run. */
static void foreign_runs_nothing(void **state)
{
    struct rows r;

    (void)state;
    const char *db = put_db("d/h.db", "CREATE TABLE ok(a); INSERT INTO ok VALUES(1);"
                                      "CREATE TABLE gen(a, b AS (zeroblob(1000000000))); INSERT INTO gen(a) "
                                      "VALUES('x');"
                                      "CREATE TRIGGER t AFTER INSERT ON ok BEGIN DELETE FROM ok; END;"
                                      "CREATE VIEW v AS SELECT randomblob(1000000000)");
    parse_part(&r, db, NULL, OK);
    case_need(&r, "row|ok|i 1|i 1|t_1_ok");
    case_need(&r, "row|gen|i 1|i 2|t_1_gen");
    rows_done(&r);
    parse_part(&r, db, "gen", OK);
    assert_int_equal(sink_count_get(r.count)->notes[NOTE_TORN_FILE], 1);
    assert_int_equal(sink_count_get(r.count)->generic_rows, 0);
    rows_done(&r);
    struct err e = ERR_INIT;
    struct foreign *f = NULL;
    const struct str *names;
    size_t n;
    assert_int_equal(foreign_open(&f, db, NULL, NULL, &e), OK);
    assert_int_equal(foreign_n(f), 2);
    assert_int_not_equal(foreign_columns(f, 2, &names, &n, &e), OK);
    foreign_close(f);
}

/* Cut anywhere: whole rows before the damage, and a reason. */
static void foreign_damage_is_reported(void **state)
{
    char *text = NULL;
    size_t n = 0;
    struct err e = ERR_INIT;
    struct rows r;

    (void)state;
    const char *db =
        put_db("d/cut.db", "PRAGMA page_size = 512; CREATE TABLE t(a); WITH RECURSIVE c(x) AS (SELECT 1 "
                           "UNION ALL SELECT x + 1 FROM c WHERE x < 300) INSERT INTO t SELECT x FROM c");
    assert_int_equal(infile_read_all(db, 1 << 20, &text, &n, &e), OK);
    for (size_t cut = 16; cut < n; cut += 97) {
        err_clear(&e);
        tree_file_n(&tree, "d/cut.db", text, cut);
        rows_init(&r, "pt_db", db);
        struct parse_ctx c = {
            .f = &r.file, .run = &r.run, .tmp = r.tmp, .out = sink_count_sink(r.count), .part = "t"
        };
        int rc = parse_generic(&c, &e);
        bool told = rc ? e.text[0] != '\0' : sink_count_get(r.count)->notes[NOTE_TORN_FILE] > 0;
        if (!told || c.rows > 300)
            fail_msg("cut at %zu: %d, %d rows", cut, rc, (int)c.rows);
        rows_done(&r);
    }
    uint64_t seed = 88172645463325252u;
    for (int k = 0; k < 500; k++) {
        size_t at = (size_t)(scratch_random(&seed) % n);
        char was = text[at];
        text[at] = (char)(was ^ (1 << (scratch_random(&seed) % 8)));
        tree_file_n(&tree, "d/cut.db", text, n);
        text[at] = was;
        rows_init(&r, "pt_db", db);
        err_clear(&e);
        rows_parse(&r, parse_generic, &e); /* no crash is what is asked */
        rows_done(&r);
    }
    free(text);
}

/* Through the import: the list, then a table of it, each once. */
static void foreign_opens_in_a_store(void **state)
{
    char name[64], sql[200];
    struct err e = ERR_INIT;
    struct store *s = NULL;

    (void)state;
    put_db("run/ASCEND_PROFILER_OUTPUT/analysis.db",
           "CREATE TABLE StepTraceTime(step, computing); INSERT INTO StepTraceTime VALUES('50', 1.5)");
    tree_file(&tree, "run/profiler_info_0.json", P_INFO);
    struct job *j = scan("run");
    const char *store = tree_path(&tree, "s.npus");
    const struct import_opts o = { .store_path = store };
    const char *rel = "ASCEND_PROFILER_OUTPUT/analysis.db";
    assert_int_equal(import_unit(j->units[0], &o, NULL, NULL, &e), OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(import_generic(store, j->units[0], rel, NULL, name, sizeof name, &e), OK);
        assert_int_equal(import_generic(store, j->units[0], rel, "StepTraceTime", name, sizeof name, &e), OK);
    }
    assert_int_equal(store_open(&s, store, false, &e), OK);
    snprintf(sql, sizeof sql, "SELECT count(*) FROM \"%s\" WHERE computing = 1.5", name);
    assert_int_equal(store_int(s, -1, sql, NULL), 1);
    assert_int_equal(store_int(s, -1,
                               "SELECT count(*) FROM source WHERE kind = 'analysis_db' AND "
                               "state = 'ok' AND table_name IS NOT NULL",
                               NULL),
                     1);
    store_close(s);
    assert_int_equal(import_generic(store, j->units[0], rel, "nosuch", name, sizeof name, &e), ERR_USAGE);
    job_free(j);
}

/* ---- the samples ---- */

static size_t databases, tables, rows_read;

static int on_sample(const char *path, const struct stat *st, int type, struct FTW *at)
{
    char head[16] = "";
    struct err e = ERR_INIT;
    struct foreign *f = NULL;

    (void)at;
    int fd = type == FTW_F && st->st_size ? open(path, O_RDONLY) : -1;
    bool is_db = fd >= 0 && read(fd, head, sizeof head) == (ssize_t)sizeof head &&
                 foreign_is_database((struct str){ head, sizeof head });
    if (fd >= 0)
        close(fd);
    if (!is_db)
        return 0;
    databases++;
    assert_int_equal(foreign_open(&f, path, NULL, NULL, &e), OK);
    assert_null(foreign_warning(f));
    assert_true(foreign_n(f) > 0);
    for (size_t i = 0; i < foreign_n(f); i++) {
        struct rows r;
        int64_t n = -1;
        char name[200];
        if (foreign_count(f, i, &n, &e))
            fail_msg("%s: %s", path, e.text);
        str_copy(foreign_table(f, i), name, sizeof name);
        parse_part(&r, path, name, OK);
        assert_int_equal(sink_count_get(r.count)->generic_rows, n);
        assert_int_equal(sink_count_get(r.count)->note_calls, 0);
        tables++;
        rows_read += (size_t)n;
        rows_done(&r);
    }
    foreign_close(f);
    return 0;
}

static void foreign_reads_every_sample(void **state)
{
    const char *samples = getenv("NPUSCOPE_SAMPLES");
    char path[PATH_MAX];

    (void)state;
    snprintf(path, sizeof path, "%s/data/outputs", samples ? samples : "");
    if (!samples || access(path, R_OK) != 0) {
        print_message("skipped: no samples\n");
        skip();
    }
    assert_int_equal(nftw(path, on_sample, 16, FTW_PHYS), 0);
    print_message("%zu databases, %zu tables, %zu rows\n", databases, tables, rows_read);
    assert_int_equal(databases, 6);
    /* doc/formats/samples.md, less the sqlite_sequence of three */
    assert_int_equal(tables, 4 + 4 + 37 + 33 + 20 + 3 - 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(foreign_list_and_tables),
        CASE(foreign_leaves_no_trace),
        CASE(foreign_rows_are_read_ahead_in_order),
        CASE(foreign_applies_a_journal_in_a_copy),
        CASE(foreign_unpacks_into_a_copy),
        CASE(foreign_runs_nothing),
        CASE(foreign_damage_is_reported),
        CASE(foreign_opens_in_a_store),
        CASE(foreign_reads_every_sample),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
