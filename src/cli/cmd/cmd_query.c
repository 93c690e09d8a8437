/* SPDX-License-Identifier: Apache-2.0 */
/* query: statements from the command line or from standard input, results through the writers. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/sig.h"
#include "cli/cmd/cmd.h"
#include "cli/open.h"

#define SECOND_NS INT64_C(1000000000)

static int read_stdin(struct buf *b, struct err *e)
{
    for (;;) {
        char *p = buf_room(b, 65536);
        if (!p)
            return err_set(e, ERR_LIMIT, "the statements are longer than 1 MiB");
        ssize_t n = read(STDIN_FILENO, p, 65536);
        if (n < 0 && errno == EINTR && !sig_stop())
            continue;
        if (n < 0)
            return errno == EINTR ? err_set(e, ERR_CANCELLED, "interrupted")
                                  : err_sys(e, errno, "cannot read standard input");
        if (n == 0)
            return OK;
        b->n += (size_t)n;
    }
}

/* ---- --timeout ---- */

/* Only the time in which statements run counts, not that in which somebody reads what a pager shows. */
struct deadline {
    int64_t limit_ns, spent_ns; /* limit 0: none */
    int64_t since_ns;           /* when the step began that runs now */
    bool passed;
};

/* Asked now and then while a statement runs; true ends it. */
static bool is_over(void *arg)
{
    struct deadline *d = arg;

    if (d->limit_ns && d->spent_ns + clock_ns(CLOCK_MONOTONIC) - d->since_ns > d->limit_ns)
        d->passed = true;
    return d->passed || sig_stop() != 0;
}

/* query_step() within the deadline. */
static int step(struct query *q, struct deadline *d, struct err *e)
{
    if (!d->limit_ns)
        return query_step(q, e);
    d->since_ns = clock_ns(CLOCK_MONOTONIC);
    int rc = query_step(q, e);
    d->spent_ns += clock_ns(CLOCK_MONOTONIC) - d->since_ns;
    if (rc < 0 && d->passed) {
        err_clear(e);
        err_set(e, ERR_LIMIT, "the statement was ended after %lld s (--timeout)",
                (long long)(d->limit_ns / SECOND_NS));
    }
    return rc;
}

/* ---- one result ---- */

struct result {
    struct view_col *cols;
    const struct view_col **list;
    struct val *row;
    size_t n;
    bool with_rank;
};

static void result_done(struct result *r)
{
    for (size_t i = 0; r->cols && i < r->n; i++)
        free((void *)r->cols[i].id);
    free(r->cols);
    free((void *)r->list);
    free(r->row);
}

/* Unit by the end of a column's name, as in the schema: only text and markdown use it. */
static enum view_unit unit_of(const char *name)
{
    static const struct {
        const char *end;
        enum view_unit unit;
    } ends[] = { { "_ns", VU_NS }, { "_b", VU_BYTES }, { "_pct", VU_PCT }, { "_bytes", VU_BYTES } };

    for (size_t i = 0; i < ARRAY_LEN(ends); i++)
        if (str_ends(str_of(name), str_of(ends[i].end)) && !str_ends(str_of(name), STR("ts_ns")) &&
            !str_ends(str_of(name), STR("origin_ns")) && !str_ends(str_of(name), STR("mtime_ns")))
            return ends[i].unit;
    return VU_NONE;
}

static int result_init(struct result *r, const struct query *q, bool with_rank, struct err *e)
{
    size_t n = query_columns(q) + with_rank;

    *r = (struct result){ .n = n, .with_rank = with_rank };
    r->cols = calloc(n, sizeof *r->cols);
    r->list = calloc(n, sizeof *r->list);
    r->row = calloc(n, sizeof *r->row);
    if (!r->cols || !r->list || !r->row)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++) {
        char *name = strdup(with_rank && !i ? "rank" : query_name(q, i - with_rank));
        if (!name)
            return err_nomem(e);
        r->cols[i] = (struct view_col){
            .id = name, .title = name, .type = VT_TEXT, .unit = unit_of(name), .min_width = 4
        };
        r->list[i] = &r->cols[i];
    }
    return OK;
}

/* A column of numbers is aligned to the right; only its first value is looked at. */
static void look_at_types(struct result *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->row[i].t != VAL_TEXT && r->row[i].t != VAL_NULL)
            r->cols[i].type = VT_REAL;
}

static void fetch(struct result *r, const struct query *q, int rank)
{
    if (r->with_rank)
        r->row[0] = val_int(rank);
    for (size_t i = r->with_rank; i < r->n; i++)
        r->row[i] = query_val(q, i - r->with_rank);
}

/* What the results of all statements go to. */
struct results {
    struct cli *c;
    struct writer *w;
    struct deadline d;
    size_t left; /* rows of this statement that may still be printed */
};

static int print_part(struct results *x, struct result *r, struct query *q, int rank, bool first,
                      struct err *e)
{
    int rc = step(q, &x->d, e);

    if (rc == 1) {
        fetch(r, q, rank);
        if (first)
            look_at_types(r);
    }
    if (first && rc >= 0 && writer_begin(x->w, "result", NULL, r->list, r->n, e))
        return e->code;
    for (; rc == 1 && x->left; rc = step(q, &x->d, e)) {
        fetch(r, q, rank);
        if (writer_row(x->w, r->row, e))
            return e->code;
        x->left--;
    }
    return rc < 0 ? e->code : OK;
}

/* Blanks, comments and lone semicolons at the start are no statement. */
static struct str skip_blank(struct str s)
{
    for (;;) {
        size_t n = 0;
        while (n < s.n && strchr(" \t\r\n;", s.p[n]) && s.p[n])
            n++;
        s = str_sub(s, n, s.n);
        struct str two = str_sub(s, 0, 2);
        size_t end = SIZE_MAX;
        if (str_eq(two, STR("--")))
            end = str_find(s, STR("\n"), 0);
        else if (str_eq(two, STR("/*")))
            end = str_find(s, STR("*/"), 2);
        else
            return s;
        s = end == SIZE_MAX ? str_sub(s, s.n, 0) : str_sub(s, end + 1 + (two.p[0] == '/'), s.n);
    }
}

/* The same statement on every chosen store. *tail: where the next statement begins. */
static int run_statement(struct results *x, struct str sql, size_t *tail, struct err *e)
{
    struct cli *c = x->c;
    struct result r = { 0 };
    struct view_part *parts = calloc(c->n_parts, sizeof *parts);
    const struct view_def any = { .from = "" };
    size_t n = parts ? table_parts(&any, c->parts, c->n_parts, parts) : 0;

    if (!parts)
        return err_nomem(e);
    x->left = (size_t)opt_int(&c->opts, OPT_TOP, INT64_MAX);
    for (size_t i = 0; i < n && !e->code; i++) {
        struct query *q = NULL;
        store_progress(parts[i].store, is_over, &x->d);
        if (store_user_query(parts[i].store, &q, sql, tail, e))
            break;
        if (i == 0 && skip_blank(str_sub(sql, *tail, sql.n)).n)
            writer_several(x->w);
        if (i == 0 && result_init(&r, q, n > 1, e) == OK)
            (void)!print_part(x, &r, q, parts[i].rank, true, e);
        else if (!e->code && query_columns(q) + r.with_rank != r.n)
            err_set(e, ERR_USAGE, "the columns of rank %d are others", parts[i].rank);
        else if (!e->code)
            (void)!print_part(x, &r, q, parts[i].rank, false, e);
        query_free(q);
    }
    if (!e->code)
        (void)!writer_end(x->w, e);
    result_done(&r);
    free(parts);
    return e->code;
}

static int run_statements(struct cli *c, struct writer *w, struct str sql, struct err *e)
{
    struct results x = { .c = c, .w = w, .d.limit_ns = opt_int(&c->opts, OPT_TIMEOUT, 0) * SECOND_NS };
    const char *begin = sql.p;
    unsigned n = 0;

    for (sql = skip_blank(sql); sql.n && !e->code; sql = skip_blank(sql)) {
        size_t tail = sql.n;
        n++;
        if (run_statement(&x, sql, &tail, e) == OK)
            sql = str_sub(sql, tail, sql.n);
        else if (e->offset != ERR_NO_OFFSET && !e->file[0]) /* of all that was given */
            e->offset += (uint64_t)(sql.p - begin);
    }
    for (size_t i = 0; i < c->n_parts; i++)
        store_progress(c->parts[i].store, NULL, NULL);
    if (!n && !e->code)
        err_set(e, ERR_USAGE, "no statement was given");
    return e->code;
}

/* Arguments: SQL, PATH, or one of them: a path when something of that name exists. */
static void part_arguments(const struct cli *c, const char **sql, const char **path)
{
    *sql = cmd_arg(c, 0);
    *path = cmd_arg(c, 1);
    if (*sql && !*path && access(*sql, F_OK) == 0) {
        *path = *sql;
        *sql = NULL;
    } else if (*sql && *path && access(*path, F_OK) != 0 && access(*sql, F_OK) == 0) {
        *path = cmd_arg(c, 0); /* the other way round */
        *sql = cmd_arg(c, 1);
    }
    if (*sql && !strcmp(*sql, "-"))
        *sql = NULL;
}

/* All ranks are looked at only when the statements ask for them. */
static int open_job(struct cli *c, struct str sql, struct err *e)
{
    return store_names_job(sql) && run_has_overview(c) ? run_overview(c, run_cpus(), e) : OK;
}

int cmd_query(struct cli *c, struct err *e)
{
    struct writer *w = NULL;
    struct buf in;
    const char *sql, *path;

    buf_init(&in, LIM_SQL_B + 65536 + 1);
    part_arguments(c, &sql, &path);
    if (!sql && read_stdin(&in, e))
        goto out;
    if (run_open(c, path, e) || open_job(c, sql ? str_of(sql) : buf_str(&in), e) || cli_output(c, true, e) ||
        cmd_writer(c, &w, false, e))
        goto out;
    if (run_statements(c, w, sql ? str_of(sql) : buf_str(&in), e) || writer_finish(w, e))
        goto out;
    cmd_check_read(c);
out:
    writer_free(w);
    buf_done(&in);
    return e->code;
}
