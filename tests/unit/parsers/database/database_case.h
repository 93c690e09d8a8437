/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Databases that a test writes as SQL, read by their group: what came out is the text of rows.h. Include
 * after cmocka.h.
 */
#ifndef NPUSCOPE_TESTS_UNIT_PARSERS_DATABASE_CASE_H
#define NPUSCOPE_TESTS_UNIT_PARSERS_DATABASE_CASE_H

#include <sqlite3.h>
#include <unistd.h>

#include "parsers/parsers.h"
#include "tests/unit/parsers/rows.h"

#define DATABASE_CASE_MAX 12

struct database_case {
    struct rows r;
    size_t n;
    struct source_file f[DATABASE_CASE_MAX];
    struct group_member m[DATABASE_CASE_MAX];
    char path[DATABASE_CASE_MAX][300];
    struct run_rank rank[2];
};

static inline void database_case_begin(struct database_case *c)
{
    memset(c, 0, sizeof *c);
    rows_init(&c->r, "pt_db", "");
}

/* A file of the group with what is in it; n 0: as SQLite begins one. */
static inline void database_case_file(struct database_case *c, enum role role, const void *p, size_t n)
{
    const char *dir = getenv("TMPDIR");
    struct source_file *f = &c->f[c->n];
    char *path = c->path[c->n];

    assert_true(c->n < DATABASE_CASE_MAX);
    snprintf(path, sizeof c->path[0], "%s/npuscope-test-XXXXXX", dir ? dir : "/tmp");
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, p, n) == (ssize_t)n && close(fd) == 0);
    *f = c->r.file;
    f->id = (uint32_t)c->n + 1;
    f->path = f->rel = path;
    c->m[c->n].role = role;
    c->m[c->n++].c = (struct parse_ctx){
        .f = f, .run = &c->r.run, .tmp = c->r.tmp, .out = sink_count_sink(c->r.count), .rank = 0
    };
}

static inline void database_case_sql(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    char *text = NULL;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &text) != SQLITE_OK)
        fail_msg("%s", text);
    sqlite3_close(db);
}

static inline void database_case_add(struct database_case *c, enum role role, const char *sql)
{
    database_case_file(c, role, "", 0);
    database_case_sql(c->path[c->n - 1], sql);
}

/* Read the group; its code. Rows stand in c->r.text. */
static inline int database_case_read(struct database_case *c)
{
    struct err e = ERR_INIT;
    struct group_ctx g = { .kind = &registry_groups[0],
                           .m = c->m,
                           .n = c->n,
                           .wanted = (1u << GROUP_TABLES) - 1,
                           .run = &c->r.run,
                           .tmp = c->r.tmp,
                           .out = sink_count_sink(c->r.count) };

    assert_string_equal(g.kind->id, "database");
    rows_self = &c->r;
    int rc = group_database(&g, &e);
    assert_int_equal(rc, e.code);
    return rc;
}

static inline void database_case_end(struct database_case *c)
{
    for (size_t i = 0; i < c->n; i++)
        unlink(c->path[i]);
    rows_done(&c->r);
}

/* One database of everything, read without an error. */
static inline void database_case_one(struct database_case *c, const char *sql)
{
    database_case_begin(c);
    database_case_add(c, ROLE_DATABASE, sql);
    assert_int_equal(database_case_read(c), OK);
}

/* Lines that begin with this, up to a border of columns or the line's end. */
static inline size_t database_case_count(const struct database_case *c, const char *line)
{
    struct str rest = buf_str(&c->r.text), one;
    size_t n = strlen(line), count = 0;

    while (str_next(&rest, '\n', &one))
        if (one.n >= n && memcmp(one.p, line, n) == 0 && (one.n == n || one.p[n] == '|'))
            count++;
    return count;
}

static inline void database_case_expect(const struct database_case *c, const char *line, size_t times)
{
    size_t n = database_case_count(c, line);

    if (n != times) {
        print_error("%zu instead of %zu times: %s\nin:\n%s\n", n, times, line, buf_str(&c->r.text).p);
        fail();
    }
}

static inline void database_case_need(const struct database_case *c, const char *line)
{
    database_case_expect(c, line, 1);
}

#endif
