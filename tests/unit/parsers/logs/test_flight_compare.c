/* SPDX-License-Identifier: Apache-2.0 */
/* Flight recorder dumps of several ranks: who is missing, who differs, what is stuck, who is the root. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "parsers/logs/flight_compare.h"
#include "tests/unit/parsers/logs/flight_case.h"

struct scene {
    struct flight_dump *d[16];
    size_t n;
    struct flight_compared *c;
    char culprits[200], roots[80];
};

static void add_bytes(struct scene *s, int rank, const struct pk *p, size_t n)
{
    struct err e = ERR_INIT;
    struct rows r;
    char name[40];

    snprintf(name, sizeof name, rank < 0 ? "hccl_trace" : "hccl_trace_rank_%d", rank);
    assert_int_equal(case_flight(&r, name, p->b.p, n, &s->d[s->n++], &e), OK);
    rows_done(&r);
}

/* A dump of a rank: groups, entries. */
static void add(struct scene *s, int rank, const struct case_group *g, size_t n_g, const struct case_entry *e,
                size_t n_e)
{
    struct pk p;

    pk_init(&p);
    pk_head(&p, g, n_g);
    for (size_t i = 0; i < n_e; i++)
        pk_entry(&p, &e[i], (int64_t)i);
    pk_tail(&p);
    add_bytes(s, rank, &p, p.b.n);
    buf_done(&p.b);
}

static void list(char *out, size_t room, const int32_t *rank, size_t n)
{
    size_t at = 0;

    out[0] = '\0';
    for (size_t i = 0; i < n; i++)
        at += (size_t)snprintf(out + at, room - at, i ? " %d" : "%d", (int)rank[i]);
}

static void compare(struct scene *s)
{
    struct err e = ERR_INIT;

    assert_int_equal(flight_compare(&s->c, (const struct flight_dump *const *)s->d, s->n, &e), OK);
    if (s->c->n_groups)
        list(s->culprits, sizeof s->culprits, s->c->groups[0].culprits, s->c->groups[0].n_culprits);
    list(s->roots, sizeof s->roots, s->c->roots, s->c->n_roots);
}

/* The first group: kind, number, culprits, sentence; the roots. */
static void expect(struct scene *s, enum flight_kind kind, int64_t seq, const char *culprits,
                   const char *roots, const char *text)
{
    char said[500];

    compare(s);
    assert_true(s->c->n_groups >= 1);
    const struct flight_found *f = &s->c->groups[0];
    str_copy(f->text, said, sizeof said);
    assert_string_equal(said, text);
    assert_int_equal(f->kind, kind);
    assert_int_equal(f->seq, seq);
    assert_string_equal(s->culprits, culprits);
    assert_string_equal(s->roots, roots);
}

static void scene_done(struct scene *s)
{
    flight_compared_free(s->c);
    for (size_t i = 0; i < s->n; i++)
        flight_free(s->d[i]);
    *s = (struct scene){ .n = 0 };
}

/* One group of four ranks; a rank issued up to `last` and ended up to `done`, its last op as given. */
static void add_plain(struct scene *s, int rank, int64_t last, int64_t done, struct case_entry end)
{
    const struct case_group g = { "0", "default_pg", "[0, 1, 2, 3]", 0, last, last, done };
    struct case_entry e[8];
    size_t n = 0;

    for (int64_t seq = last > 3 ? last - 3 : 1; seq <= last; seq++)
        e[n++] = (struct case_entry){ "0", 0, seq,     "all_reduce", seq <= done ? "completed" : "started",
                                      8,   8, "Float", false };
    if (end.name) {
        end.group = "0";
        end.seq = last;
        e[n - 1] = end;
    }
    add(s, rank, &g, 1, e, n);
}

static const struct case_entry as_it_is;

static void compare_missing_rank(void **state)
{
    struct scene s = { .n = 0 };

    (void)state;
    for (int rank = 0; rank < 4; rank++)
        add_plain(&s, rank, rank == 2 ? 9 : 10, rank == 2 ? 8 : 9, as_it_is);
    expect(
        &s, FLIGHT_MISSING, 10, "2", "2",
        "group 0 (default_pg), number 10, all_reduce: rank 2 did not issue it (the last was 9), 3 ranks wait "
        "in it");
    const struct flight_found *f = &s.c->groups[0];
    assert_int_equal(f->n_members, 4);
    assert_int_equal(f->members[2].at, FLIGHT_AT_MISSING);
    assert_int_equal(f->members[2].last_enqueued, 9);
    assert_int_equal(f->members[2].last_completed, 8);
    assert_int_equal(f->members[0].at, FLIGHT_AT_BEGUN);
    assert_non_null(f->members[0].entry);
    assert_int_equal(f->since_ns, CASE_T0 + INT64_C(3000000000));
    assert_true(str_eq(f->op, STR("all_reduce")));
    assert_false(s.c->undecided);
    scene_done(&s);

    for (int rank = 0; rank < 4; rank++)
        add_plain(&s, rank, rank ? 9 : 10, 9, as_it_is);
    expect(&s, FLIGHT_MISSING, 10, "1 2 3", "1 2 3",
           "group 0 (default_pg), number 10, all_reduce: ranks 1-3 did not issue it, 1 rank waits in it");
    scene_done(&s);
}

static void compare_other_op(void **state)
{
    struct scene s = { .n = 0 };

    (void)state;
    for (int rank = 0; rank < 4; rank++)
        add_plain(&s, rank, 10, 9,
                  rank == 1 ? (struct case_entry){ .name = "broadcast",
                                                   .state = "started",
                                                   .in = 8,
                                                   .out = 8,
                                                   .type = "Float" }
                            : as_it_is);
    expect(
        &s, FLIGHT_MISMATCH, 10, "1", "1",
        "group 0 (default_pg), number 10, all_reduce: ranks 0, 2-3 issued all_reduce [[8, 3]] Float; rank 1 "
        "issued broadcast [[8, 3]] Float");
    assert_int_equal(s.c->groups[0].members[1].variant, 1);
    assert_int_equal(s.c->groups[0].members[3].variant, 0);
    scene_done(&s);
}

static void compare_other_size_or_type(void **state)
{
    struct scene s = { .n = 0 };

    (void)state;
    for (int rank = 0; rank < 4; rank++)
        add_plain(&s, rank, 10, 9,
                  (struct case_entry){ .name = "all_reduce",
                                       .state = "started",
                                       .in = rank == 3 ? 9 : 8,
                                       .out = rank == 3 ? 9 : 8,
                                       .type = "Float" });
    expect(&s, FLIGHT_MISMATCH, 10, "3", "3",
           "group 0 (default_pg), number 10, all_reduce: ranks 0-2 issued all_reduce [[8, 3]] Float; rank 3 "
           "issued all_reduce [[9, 3]] Float");
    scene_done(&s);
    for (int rank = 0; rank < 4; rank++)
        add_plain(&s, rank, 10, 9,
                  (struct case_entry){ .name = "all_reduce",
                                       .state = "started",
                                       .in = 8,
                                       .out = 8,
                                       .type = rank == 0 ? "Half" : "Float" });
    expect(&s, FLIGHT_MISMATCH, 10, "0", "0",
           "group 0 (default_pg), number 10, all_reduce: ranks 1-3 issued all_reduce [[8, 3]] Float; rank 0 "
           "issued all_reduce [[8, 3]] Half");
    scene_done(&s);
}

/* Two against two: nobody is accused. */
static void compare_tie(void **state)
{
    struct scene s = { .n = 0 };

    (void)state;
    for (int rank = 0; rank < 4; rank++)
        add_plain(&s, rank, 10, 9,
                  (struct case_entry){ .name = rank % 2 ? "barrier" : "all_reduce",
                                       .state = "started",
                                       .in = 8,
                                       .out = 8,
                                       .type = "Float" });
    expect(&s, FLIGHT_MISMATCH, 10, "", "",
           "group 0 (default_pg), number 10, all_reduce: ranks 0, 2 issued all_reduce [[8, 3]] Float; ranks "
           "1, 3 "
           "issued barrier [[8, 3]] Float");
    scene_done(&s);
}

static void compare_stuck(void **state)
{
    struct scene s = { .n = 0 };

    (void)state;
    for (int rank = 0; rank < 4; rank++)
        add_plain(&s, rank, 10, 9, as_it_is);
    expect(
        &s, FLIGHT_STUCK, 10, "", "",
        "group 0 (default_pg), number 10, all_reduce was issued with equal data and did not end on any rank: "
        "network or device");
    scene_done(&s);

    /* the device of rank 1 is not there yet */
    for (int rank = 0; rank < 4; rank++)
        add_plain(&s, rank, 10, 9,
                  (struct case_entry){ .name = "all_reduce",
                                       .state = rank == 1 ? "scheduled" : "started",
                                       .in = 8,
                                       .out = 8,
                                       .type = "Float" });
    expect(&s, FLIGHT_STUCK, 10, "1", "1",
           "group 0 (default_pg), number 10, all_reduce: the device has not begun it on rank 1");
    scene_done(&s);

    /* without timing nobody knows what has begun */
    for (int rank = 0; rank < 4; rank++)
        add_plain(&s, rank, 10, 9,
                  (struct case_entry){
                      .name = "all_reduce", .state = "scheduled", .in = 8, .out = 8, .type = "Float" });
    expect(
        &s, FLIGHT_STUCK, 10, "", "",
        "group 0 (default_pg), number 10, all_reduce was issued with equal data and did not end on any rank: "
        "network or device");
    scene_done(&s);

    /* three saw its end */
    for (int rank = 0; rank < 4; rank++)
        add_plain(&s, rank, 10, rank == 3 ? 9 : 10, as_it_is);
    expect(&s, FLIGHT_STUCK, 10, "3", "3",
           "group 0 (default_pg), number 10, all_reduce ended on 3 ranks, not on rank 3: device or network");
    scene_done(&s);
}

static void compare_nothing_differs(void **state)
{
    struct scene s = { .n = 0 };

    (void)state;
    for (int rank = 0; rank < 4; rank++)
        add_plain(&s, rank, rank == 1 ? 9 : 10, rank == 1 ? 9 : 10, as_it_is);
    expect(&s, FLIGHT_SAME, 10, "", "",
           "group 0 (default_pg), number 10, all_reduce: nothing differs and nobody waits");
    scene_done(&s);
    compare(&s);
    assert_int_equal(s.c->n_groups, 0);
    scene_done(&s);
}

/* Dumps that are not there, or cut before the number, accuse nobody. */
static void compare_what_is_not_known(void **state)
{
    static const struct case_group cut = { "0", "default_pg", "[0, 1, 2, 3]", 0, -2, -2, -2 };
    struct scene s = { .n = 0 };
    struct pk p;

    (void)state;
    for (int rank = 0; rank < 4; rank++)
        if (rank != 2)
            add_plain(&s, rank, 10, 9, as_it_is);
    expect(
        &s, FLIGHT_STUCK, 10, "", "",
        "group 0 (default_pg), number 10, all_reduce was issued with equal data and did not end on any rank: "
        "network or device; no dump of rank 2");
    assert_int_equal(s.c->groups[0].members[2].at, FLIGHT_AT_NO_DUMP);
    flight_compared_free(s.c);

    pk_init(&p);
    pk_head(&p, &cut, 1);
    pk_entry(&p, &(struct case_entry){ "0", 0, 9, "all_reduce", "completed", 8, 8, "Float", false }, 3);
    add_bytes(&s, 2, &p, p.b.n); /* no end, no status: number 10 may have been in it */
    buf_done(&p.b);
    compare(&s);
    assert_int_equal(s.c->groups[0].kind, FLIGHT_STUCK);
    assert_int_equal(s.c->groups[0].members[2].at, FLIGHT_AT_UNKNOWN);
    assert_int_equal(s.c->n_roots, 0);
    scene_done(&s);
}

/* Sizes that differ by nature are no mismatch. */
static void compare_uneven_collectives(void **state)
{
    static const struct {
        const char *name;
        int64_t in[4], out[4];
        bool equal;
    } ops[] = {
        { "all_to_all", { 1, 2, 3, 4 }, { 4, 3, 2, 1 }, true },
        { "gather", { 2, 2, 2, 2 }, { 8, 0, 0, 0 }, true },
        { "gather", { 2, 2, 2, 3 }, { 8, 0, 0, 0 }, false },
        { "scatter", { 8, 0, 0, 0 }, { 2, 2, 2, 2 }, true },
        { "all_gather", { 1, 2, 3, 4 }, { 10, 10, 10, 10 }, true },
        { "_all_gather_base", { 2, 2, 2, 2 }, { 8, 8, 8, 9 }, false },
        { "_reduce_scatter_base", { 8, 8, 8, 8 }, { 2, 2, 2, 1 }, true },
        { "_reduce_scatter_base", { 8, 8, 8, 7 }, { 2, 2, 2, 2 }, false },
    };
    struct scene s = { .n = 0 };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(ops); i++) {
        for (int rank = 0; rank < 4; rank++)
            add_plain(&s, rank, 10, 9,
                      (struct case_entry){ .name = ops[i].name,
                                           .state = "started",
                                           .in = ops[i].in[rank],
                                           .out = ops[i].out[rank],
                                           .type = "Float" });
        compare(&s);
        if ((s.c->groups[0].kind == FLIGHT_STUCK) != ops[i].equal)
            fail_msg("%s, case %zu: kind %d", ops[i].name, i, (int)s.c->groups[0].kind);
        scene_done(&s);
    }
}

/* ---- several groups ---- */

static const struct case_entry waits_in_dp = { "dp", 1, 5, "all_reduce", "started", 4, 4, "Float", false };
static const struct case_entry ended_in_dp = { "dp", 1, 4, "all_reduce", "completed", 4, 4, "Float", false };
static const struct case_entry waits_in_tp = { "tp", 2, 7, "all_gather", "started", 2, 4, "Half", false };
static const struct case_entry ended_in_tp = { "tp", 2, 6, "all_gather", "completed", 2, 4, "Half", false };

/* dp 0-1-2, tp 2-3: 0 and 1 wait for 2 in dp, which waits for 3 in tp. */
static void compare_chain_over_groups(void **state)
{
    static const struct case_group dp = { "dp", "", "[0, 1, 2]", 1, 5, 5, 4 };
    static const struct case_group two[] = { { "dp", "", "[0, 1, 2]", 1, 4, 4, 4 },
                                             { "tp", "", "[2, 3]", 2, 7, 7, 6 } };
    static const struct case_group tp = { "tp", "", "[2, 3]", 2, 6, 6, 6 };
    const struct case_entry of_dp[] = { ended_in_dp, waits_in_dp };
    const struct case_entry of_two[] = { ended_in_dp, ended_in_tp, waits_in_tp };
    struct scene s = { .n = 0 };

    (void)state;
    add(&s, 0, &dp, 1, of_dp, 2);
    add(&s, 1, &dp, 1, of_dp, 2);
    add(&s, 2, two, 2, of_two, 3);
    add(&s, 3, &tp, 1, &ended_in_tp, 1);
    expect(&s, FLIGHT_MISSING, 5, "2", "3",
           "group dp, number 5, all_reduce: rank 2 did not issue it (the last was 4), 2 ranks wait in it");
    assert_int_equal(s.c->n_groups, 2);
    assert_int_equal(s.c->groups[1].kind, FLIGHT_MISSING);
    assert_int_equal(s.c->groups[1].culprits[0], 3);
    scene_done(&s);
}

/* Rank 0 waits for 1 in dp, 1 waits for 0 in tp: a ring has no root. */
static void compare_ring(void **state)
{
    static const struct case_group a[] = { { "dp", "", "[0, 1]", 1, 5, 5, 4 },
                                           { "tp", "", "[0, 1]", 2, 6, 6, 6 } };
    static const struct case_group b[] = { { "dp", "", "[0, 1]", 1, 4, 4, 4 },
                                           { "tp", "", "[0, 1]", 2, 7, 7, 6 } };
    const struct case_entry of_a[] = { ended_in_dp, waits_in_dp, ended_in_tp };
    const struct case_entry of_b[] = { ended_in_dp, ended_in_tp, waits_in_tp };
    struct scene s = { .n = 0 };

    (void)state;
    add(&s, 0, a, 2, of_a, 3);
    add(&s, 1, b, 2, of_b, 3);
    compare(&s);
    assert_int_equal(s.c->groups[0].culprits[0], 1);
    assert_int_equal(s.c->groups[1].culprits[0], 0);
    assert_int_equal(s.c->n_roots, 0);
    assert_true(s.c->undecided);
    scene_done(&s);
}

/* Groups of one name on other ranks are others; one that does not know its ranks joins that it is in. */
static void compare_groups_of_one_name(void **state)
{
    static const struct case_group low = { "tp", "", "[0, 1]", 2, 7, 7, 6 };
    static const struct case_group high = { "tp", "", "[2, 3]", 2, 6, 6, 6 };
    static const struct case_group none = { "tp", "", NULL, 2, 6, 6, 6 };
    const struct case_entry e[] = { ended_in_tp, waits_in_tp };
    struct scene s = { .n = 0 };

    (void)state;
    add(&s, 0, &low, 1, e, 2);
    add(&s, 1, &none, 1, e, 1);
    add(&s, 2, &high, 1, e, 1);
    add(&s, 3, &high, 1, e, 1);
    expect(&s, FLIGHT_MISSING, 7, "1", "1",
           "group tp, number 7, all_gather: rank 1 did not issue it (the last was 6), 1 rank waits in it");
    assert_int_equal(s.c->n_groups, 2);
    assert_int_equal(s.c->groups[1].kind, FLIGHT_SAME);
    scene_done(&s);
}

/* Of two dumps of one rank the newer one counts. */
static void compare_two_dumps_of_a_rank(void **state)
{
    struct scene s = { .n = 0 };

    (void)state;
    add_plain(&s, 0, 10, 9, as_it_is);
    add_plain(&s, 1, 2, 2, as_it_is); /* two entries: an older time */
    add_plain(&s, 1, 10, 9, as_it_is);
    add_plain(&s, 2, 10, 9, as_it_is);
    add_plain(&s, 3, 10, 9, as_it_is);
    compare(&s);
    assert_int_equal(s.c->groups[0].kind, FLIGHT_STUCK);
    assert_int_equal(s.c->groups[0].n_members, 4);
    assert_ptr_equal(s.c->groups[0].members[1].dump, s.d[2]);
    scene_done(&s);
}

/* Rank 1 did not come to the all_reduce: it waits for a piece that rank 2 did not send. */
static void compare_pairs(void **state)
{
    static const struct case_group g[] = { { "0", "", "[0, 1]", 0, 3, 3, 2 },
                                           { "pp", "", "[1, 2]", 1, 0, 0, 0 } };
    static const struct case_group behind[] = { { "0", "", "[0, 1]", 0, 2, 2, 2 },
                                                { "pp", "", "[1, 2]", 1, 0, 0, 0 } };
    const struct case_entry ended = { "0", 0, 2, "all_reduce", "completed", 4, 4, "Float", false };
    const struct case_entry waits = { "0", 0, 3, "all_reduce", "started", 4, 4, "Float", false };
    const struct case_entry recv = { "pp", 1, 8, "recv 0<-1", "started", 4, 4, "Float", true };
    const struct case_entry send = { "pp", 1, 8, "send 1->0", "started", 4, 4, "Float", true };
    const struct case_entry a[] = { ended, waits }, b[] = { ended, recv };
    struct scene s = { .n = 0 };

    (void)state;
    add(&s, 0, g, 1, a, 2);
    add(&s, 1, behind, 2, b, 2);
    add(&s, 2, &g[1], 1, NULL, 0);
    expect(&s, FLIGHT_MISSING, 3, "1", "2",
           "group 0, number 3, all_reduce: rank 1 did not issue it (the last was 2), 1 rank waits in it");
    assert_int_equal(s.c->n_pairs, 1);
    assert_int_equal(s.c->pairs[0].rank, 1);
    assert_int_equal(s.c->pairs[0].peer, 2);
    assert_false(s.c->pairs[0].both);
    scene_done(&s);

    /* both sides are there: neither is the root */
    add(&s, 0, g, 1, a, 2);
    add(&s, 1, behind, 2, b, 2);
    add(&s, 2, &g[1], 1, &send, 1);
    compare(&s);
    assert_int_equal(s.c->n_pairs, 2);
    assert_true(s.c->pairs[0].both && s.c->pairs[1].both);
    assert_int_equal(s.c->n_roots, 0);
    assert_true(s.c->undecided);
    scene_done(&s);
}

/* States of single entries of a batch stay as they began; that of the entry for all counts. */
static void compare_coalesced(void **state)
{
    static const struct case_group g = { "0", "", "[0, 1]", 0, 2, -1, 1 };
    struct scene s = { .n = 0 };

    (void)state;
    for (int ended = 1; ended >= 0; ended--) {
        const char *word = ended ? "completed" : "started";
        const struct case_entry e[] = {
            { "0", 0, 2, "reduce_scatter", "scheduled", 4, 2, "Float", false },
            { "0", 0, 2, "reduce_scatter", "scheduled", 4, 2, "Float", false },
            { "0", 0, 2, "coalesced", word, 0, 0, "Float", false },
            { "0", 0, 8, "recv 0<-1", "scheduled", 4, 4, "Float", true },
            { "0", 0, 8, "send 0->1", "scheduled", 4, 4, "Float", true },
            { "0", 0, 8, "coalesced", word, 0, 0, "Float", true },
        };
        for (int rank = 0; rank < 2; rank++)
            add(&s, rank, &g, 1, e, ARRAY_LEN(e));
        compare(&s);
        assert_int_equal(s.c->groups[0].kind, ended ? FLIGHT_SAME : FLIGHT_STUCK);
        assert_int_equal(s.c->groups[0].members[0].at, ended ? FLIGHT_AT_ENDED : FLIGHT_AT_BEGUN);
        assert_int_equal(s.c->n_pairs, ended ? 0 : 2);
        if (!ended)
            assert_int_equal(s.c->pairs[0].peer, -1);
        assert_int_equal(s.c->n_roots, 0);
        scene_done(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compare_missing_rank),
        cmocka_unit_test(compare_other_op),
        cmocka_unit_test(compare_other_size_or_type),
        cmocka_unit_test(compare_tie),
        cmocka_unit_test(compare_stuck),
        cmocka_unit_test(compare_nothing_differs),
        cmocka_unit_test(compare_what_is_not_known),
        cmocka_unit_test(compare_uneven_collectives),
        cmocka_unit_test(compare_chain_over_groups),
        cmocka_unit_test(compare_ring),
        cmocka_unit_test(compare_groups_of_one_name),
        cmocka_unit_test(compare_two_dumps_of_a_rank),
        cmocka_unit_test(compare_pairs),
        cmocka_unit_test(compare_coalesced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
