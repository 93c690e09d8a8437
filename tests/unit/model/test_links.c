/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matrices of links, and the same as rows (view comm.link_sum): groups are kept apart, numbers inside a group
 * become ranks where any rank knows them, and a link is slow among those of its own transport. Ranks of links
 * at import (import/derived/comm_ranks.h).
 */
#include "config.h"

#include <ftw.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "import/derived/comm_ranks.h"
#include "model/links.h"
#include "store/fill/fill.h"
#include "tests/unit/tree.h"

#define RANKS 2

struct made {
    char path[300];
    struct fill *f;
    struct store *s[RANKS];
};

static int setup(void **state)
{
    struct made *m = calloc(1, sizeof *m);
    const char *tmp = getenv("TMPDIR");

    snprintf(m->path, sizeof m->path, "%s/npuscope-links-XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(m->path));
    *state = m;
    return 0;
}

static int teardown(void **state)
{
    struct made *m = *state;

    for (int i = 0; i < RANKS; i++)
        store_close(m->s[i]);
    nftw(m->path, tree_remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(m);
    return 0;
}

/* The store of one rank. */
static void begin(struct made *m, int rank)
{
    struct err e = ERR_INIT;
    char file[400];

    snprintf(file, sizeof file, "%s/%d.npus", m->path, rank);
    (void)!remove(file);
    assert_int_equal(fill_open(&m->f, &(struct fill_opts){ .path = file }, &e), OK);
    assert_int_equal(fill_rank(m->f, rank, true, rank, NULL, "unix", 0, &e), OK);
    assert_int_equal(fill_begin(m->f, 0, &e), OK);
}

/* group NULL: none. Moves gb GB in a second. */
static void link_row(struct made *m, int rank, const char *group, int src, int dst, const char *transport,
                     int gb)
{
    struct err e = ERR_INIT;
    struct val v[N_COLS(comm_link)] = { 0 };

    v[COL(comm_link, rank)] = val_int(rank);
    if (group)
        v[COL(comm_link, group_id)] = sink_text(fill_sink(m->f), str_of(group));
    v[COL(comm_link, src_rank)] = val_int(src);
    v[COL(comm_link, dst_rank)] = val_int(dst);
    v[COL(comm_link, transport)] = val_cstr(transport);
    v[COL(comm_link, size_b)] = val_int(gb * INT64_C(1000000000));
    v[COL(comm_link, time_ns)] = val_int(1000000000);
    v[COL(comm_link, stat)] = val_cstr("total");
    assert_int_equal(sink_row(fill_sink(m->f), T_comm_link, v, N_COLS(comm_link), NULL, &e), OK);
}

static void group_row(struct made *m, int rank, const char *id, const char *name, const char *ranks)
{
    struct err e = ERR_INIT;
    struct val v[N_COLS(comm_group)] = { 0 };

    v[COL(comm_group, rank)] = val_int(rank);
    v[COL(comm_group, id)] = val_cstr(id);
    v[COL(comm_group, group_id)] = sink_text(fill_sink(m->f), str_of(id));
    v[COL(comm_group, name)] = val_cstr(name);
    v[COL(comm_group, ranks)] = val_cstr(ranks);
    assert_int_equal(sink_row(fill_sink(m->f), T_comm_group, v, N_COLS(comm_group), NULL, &e), OK);
}

static void end(struct made *m, int rank, int at)
{
    struct err e = ERR_INIT;
    char file[400];

    assert_int_equal(fill_end(m->f, true, &e), OK);
    assert_int_equal(fill_settle(m->f, &e), OK);
    if (comm_ranks_write(m->f, &e))
        fail_msg("%s", e.text);
    assert_int_equal(fill_finish(m->f, "test", &e), OK);
    assert_int_equal(fill_publish(m->f, &e), OK);
    snprintf(file, sizeof file, "%s/%d.npus", m->path, rank);
    assert_int_equal(store_open(&m->s[at], file, false, &e), OK);
}

/* What the rows of the view say of each cell of the matrices. */
struct cells {
    double size[LINKS_RANKS][LINKS_RANKS], ns[LINKS_RANKS][LINKS_RANKS];
};

static struct val value(const struct view *v, const struct page *p, size_t row, const char *id)
{
    return *page_val(p, row, (size_t)view_find_col(v, id));
}

static size_t place(const struct link_matrix *m, const struct val *rank)
{
    for (size_t i = 0; i < m->n; i++)
        if (rank->t == VAL_INT && m->rank[i] == rank->i)
            return i;
    return SIZE_MAX;
}

/* All rows are of one group or another; a row of a rank that a matrix has no room for is in none. */
static void add_rows(const struct link_set *s, struct view *v, struct cells *sum)
{
    struct err e = ERR_INIT;
    struct page p;
    double last = 0;

    assert_int_equal(view_page(v, 0, view_rows(v), VIEW_STORED, &p, &e), OK);
    assert_int_equal(p.n, view_rows(v));
    for (size_t row = 0; row < p.n; row++) {
        const struct val group = value(v, &p, row, "group_name"), rate_of = value(v, &p, row, "bandwidth"),
                         size = value(v, &p, row, "size_b"), ns = value(v, &p, row, "time_ns");
        assert_true(val_num(&rate_of) >= last);
        last = val_num(&rate_of);
        for (size_t k = 0; k < s->n; k++) {
            const struct link_matrix *m = &s->m[k];
            if (!str_eq(group.t == VAL_TEXT ? group.s : STR(""), str_of(m->group)))
                continue;
            const struct val from = value(v, &p, row, m->numbered ? "src_rank" : "from_rank"),
                             to = value(v, &p, row, m->numbered ? "dst_rank" : "to_rank");
            const size_t a = place(m, &from), b = place(m, &to);
            assert_true((a != SIZE_MAX && b != SIZE_MAX) || m->more);
            if (a == SIZE_MAX || b == SIZE_MAX)
                continue;
            sum[k].size[a][b] += val_num(&size);
            sum[k].ns[a][b] += val_num(&ns);
        }
    }
}

/* Rows are the same links with the same rates, the slowest first. */
static void rows_are_the_same(const struct link_set *s, const struct view_part *part, size_t n)
{
    struct err e = ERR_INIT;
    struct view *v = NULL;
    struct cells *sum = calloc(s->n + 1, sizeof *sum);

    if (view_open(&v, view_def_find("comm.link_sum"), part, n, &VIEW_SCOPE_ALL, &e))
        fail_msg("%s", e.text);
    add_rows(s, v, sum);
    for (size_t k = 0; k < s->n; k++)
        for (size_t a = 0; a < s->m[k].n; a++)
            for (size_t b = 0; b < s->m[k].n; b++) {
                const double size = sum[k].size[a][b], ns = sum[k].ns[a][b];
                if (isnan(s->m[k].v[a][b]))
                    assert_true(ns <= 0);
                else
                    assert_true(fabs(size * 1e9 / ns / s->m[k].v[a][b] - 1) < 1e-9);
            }
    view_close(v);
    free(sum);
}

/* Share of a row, the slowest first, that it is below the mean of its transport; negative: it is not. */
static double below(struct made *m, int rank, size_t row)
{
    const struct view_part part = { .store = m->s[0], .rank = rank };
    struct err e = ERR_INIT;
    struct view *v = NULL;
    struct page p;

    assert_int_equal(view_open(&v, view_def_find("comm.link_sum"), &part, 1, &VIEW_SCOPE_ALL, &e), OK);
    assert_int_equal(view_page(v, row, 1, VIEW_STORED, &p, &e), OK);
    const struct val pct = value(v, &p, 0, "below_pct");
    view_close(v);
    return pct.t == VAL_NULL ? -1 : val_num(&pct) / 100;
}

/* GB of all rows over ranks 0 and 1. */
static double moved(struct made *m)
{
    const struct view_part part[] = { { .store = m->s[0], .rank = 0 }, { .store = m->s[1], .rank = 1 } };
    double least, most, sum = NAN;
    struct err e = ERR_INIT;
    struct view *v = NULL;

    assert_int_equal(view_open(&v, view_def_find("comm.link_sum"), part, 2, &VIEW_SCOPE_ALL, &e), OK);
    assert_true(view_range(v, view_find_col(v, "size_b"), &least, &most, &sum, &e));
    view_close(v);
    return sum / 1e9;
}

static void make(struct made *m, const int *rank, size_t n, struct link_set *out)
{
    const struct view_scope all = { .step0 = INT64_MIN, .step1 = INT64_MAX };
    struct view_part part[RANKS] = { 0 };
    struct err e = ERR_INIT;

    for (size_t i = 0; i < n; i++)
        part[i] = (struct view_part){ .store = m->s[i], .rank = rank[i] };
    if (link_set_make(out, part, n, &all, &e))
        fail_msg("%s", e.text);
    rows_are_the_same(out, part, n);
}

static double rate(const struct link_matrix *m, int from, int to)
{
    for (size_t a = 0; a < m->n; a++)
        for (size_t b = 0; b < m->n; b++)
            if (m->rank[a] == from && m->rank[b] == to)
                return m->v[a][b] / 1e9;
    fail_msg("no ranks %d and %d", from, to);
    return 0;
}

static void groups_are_apart_and_in_ranks_of_the_job(void **state)
{
    struct made *m = *state;
    struct link_set s;

    begin(m, 4);
    group_row(m, 4, "10.0.0.1%eth0_1", "dp", "2,4,6");
    link_row(m, 4, "10.0.0.1%eth0_1", 1, 0, "HCCS", 18);
    link_row(m, 4, "10.0.0.1%eth0_1", 1, 2, "HCCS", 7);
    link_row(m, 4, "10.0.0.1%eth0_1", 1, 1, "LOCAL", 500);
    link_row(m, 4, NULL, 4, 5, "HCCS", 20); /* without a group these are ranks */
    end(m, 4, 0);
    make(m, (const int[]){ 4 }, 1, &s);
    assert_int_equal(s.n, 2);
    assert_string_equal(s.m[0].name, "dp"); /* that with the slow link */
    assert_false(s.m[0].numbered);
    assert_int_equal(s.m[0].n, 3);
    assert_true(rate(&s.m[0], 4, 2) == 18 && rate(&s.m[0], 4, 6) == 7);
    assert_true(link_is_slow(&s.m[0], 1, 2) && !link_is_slow(&s.m[0], 1, 0));
    assert_string_equal(s.m[1].group, "");
    assert_true(rate(&s.m[1], 4, 5) == 20);
    link_set_done(&s);
}

/* Each rank records the links from itself, one of them to itself. */
static void ranks_name_each_other(void **state)
{
    struct made *m = *state;
    struct link_set s;

    for (int i = 0; i < RANKS; i++) {
        begin(m, 5 + 3 * i);
        link_row(m, 5 + 3 * i, "g", i, i, "LOCAL", 500);
        link_row(m, 5 + 3 * i, "g", i, 1 - i, "HCCS", 10 + i);
        end(m, 5 + 3 * i, i);
    }
    make(m, (const int[]){ 5, 8 }, 2, &s);
    assert_int_equal(s.n, 1);
    assert_false(s.m[0].numbered);
    assert_true(rate(&s.m[0], 5, 8) == 10 && rate(&s.m[0], 8, 5) == 11);
    link_set_done(&s);
    make(m, (const int[]){ 5 }, 1, &s); /* alone it does not know who the other is */
    assert_int_equal(s.n, 1);
    assert_true(s.m[0].numbered);
    assert_true(rate(&s.m[0], 0, 1) == 10);
    link_set_done(&s);
}

/* Rows of several steps, recorded by both ends, are one link; another transport is another link. */
static void links_count_once(void **state)
{
    struct made *m = *state;
    struct link_set s;

    for (int i = 0; i < RANKS; i++) {
        begin(m, i);
        group_row(m, i, "g", "", "0,1");
        link_row(m, i, "g", 0, 0, "LOCAL", 500);
        for (int step = 0; step < 3; step++)
            link_row(m, i, "g", 0, 1, "HCCS", 10);
        end(m, i, i);
    }
    make(m, (const int[]){ 0, 1 }, 2, &s);
    assert_int_equal(s.n_links, 1);
    assert_true(fabs(moved(m) - 30) < 1e-6); /* what one end recorded */
    link_set_done(&s);
    begin(m, 1);
    link_row(m, 1, "g", 0, 1, "HCCS", 10);
    link_row(m, 1, "g", 0, 1, "SDMA", 10);
    link_row(m, 1, "g", 1, 0, "HCCS", 10);
    group_row(m, 1, "all", "", "0,1");
    link_row(m, 1, "all", 0, 1, "HCCS", 10); /* the same two ranks */
    store_close(m->s[1]);
    end(m, 1, 1);
    make(m, (const int[]){ 0, 1 }, 2, &s);
    assert_int_equal(s.n_links, 3);
    link_set_done(&s);
}

static void transports_are_compared_with_themselves(void **state)
{
    struct made *m = *state;
    struct link_set s;

    begin(m, 0);
    group_row(m, 0, "g", "", "0,1,2,3,4");
    link_row(m, 0, "g", 0, 1, "HCCS", 20);
    link_row(m, 0, "g", 0, 2, "HCCS", 19);
    link_row(m, 0, "g", 0, 3, "RDMA", 10);
    link_row(m, 0, "g", 0, 4, "RDMA", 5);
    end(m, 0, 0);
    make(m, (const int[]){ 0 }, 1, &s);
    assert_int_equal(s.n, 1);
    assert_int_equal(s.m[0].n_kinds, 2);
    assert_false(link_is_slow(&s.m[0], 0, 1) || link_is_slow(&s.m[0], 0, 2) || link_is_slow(&s.m[0], 0, 3));
    assert_true(link_is_slow(&s.m[0], 0, 4));
    assert_true(s.m[0].worst > 0.66 && s.m[0].worst < 0.67);
    assert_true(below(m, 0, 0) > 0.33 && below(m, 0, 0) < 0.34);
    assert_true(below(m, 0, 1) < 0); /* the other one of RDMA */
    assert_true(below(m, 0, 2) > 0.02 && below(m, 0, 2) < 0.03);
    link_set_done(&s);
}

/* More ranks than a matrix has: those with the least numbers, and it says so. */
static void many_ranks_are_cut(void **state)
{
    struct made *m = *state;
    struct link_set s;

    begin(m, 20);
    for (int to = 0; to < 20; to++)
        link_row(m, 20, NULL, 20, to, "RDMA", 10);
    link_row(m, 20, NULL, 3, 2, "RDMA", 9);
    end(m, 20, 0);
    make(m, (const int[]){ 20 }, 1, &s);
    assert_int_equal(s.n, 1);
    assert_int_equal(s.m[0].n, LINKS_RANKS);
    assert_true(s.m[0].more);
    assert_int_equal(s.m[0].rank[LINKS_RANKS - 1], LINKS_RANKS - 1);
    assert_true(rate(&s.m[0], 3, 2) == 9);
    link_set_done(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(groups_are_apart_and_in_ranks_of_the_job, setup, teardown),
        cmocka_unit_test_setup_teardown(ranks_name_each_other, setup, teardown),
        cmocka_unit_test_setup_teardown(links_count_once, setup, teardown),
        cmocka_unit_test_setup_teardown(transports_are_compared_with_themselves, setup, teardown),
        cmocka_unit_test_setup_teardown(many_ranks_are_cut, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
