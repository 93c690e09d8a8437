/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory_usage_N.pb of a run that was not analysed: rows, damage at every byte
 * (doc/formats/mindspore1.md#memory_usage, #memory_usage_summary).
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "parsers/parsers.h"
#include "tests/unit/parsers/mindspore/pb_case.h"
#include "tests/unit/parsers/parse_case.h"

#define KIND "g1_memory_pb"

static void put_ids(struct pb_text *m, unsigned field, uint64_t a, uint64_t b, bool packed)
{
    struct pb_text list = { .n = 0 };

    if (!packed) {
        pb_put_number(m, field, a);
        pb_put_number(m, field, b);
        return;
    }
    pb_put_varint(&list, a);
    pb_put_varint(&list, b);
    pb_put_message(m, field, &list);
}

/* A node that gives the tensors a and b and works with b. */
static void put_node(struct pb_text *g, const char *name, uint64_t id, uint64_t a, uint64_t b, bool packed)
{
    struct pb_text n = { .n = 0 };

    pb_put_text(&n, 1, name);
    if (id)
        pb_put_number(&n, 2, id);
    put_ids(&n, 4, a, b, packed);
    put_ids(&n, 5, b, b, packed);
    pb_put_message(g, 3, &n);
}

static void put_tensor(struct pb_text *g, uint64_t id, uint64_t size, uint64_t start, uint64_t end,
                       const char *life)
{
    struct pb_text t = { .n = 0 };

    pb_put_number(&t, 1, id);
    pb_put_number(&t, 2, size);
    pb_put_text(&t, 3, "Common");
    pb_put_number(&t, 4, start);
    pb_put_number(&t, 5, end);
    pb_put_text(&t, 6, life);
    pb_put_message(g, 4, &t);
}

/* Three nodes, a tensor of each life, and one that nothing gives. */
static void make(struct pb_text *out, bool packed)
{
    struct pb_text g = { .n = 0 };

    pb_put_number(&g, 1, 7);
    pb_put_number(&g, 2, 1000);
    put_node(&g, "A-op1", 0, 1, 2, packed);
    put_node(&g, "B-op2", 1, 3, 4, packed);
    put_node(&g, "C-op3", 2, 4, 99, packed);
    put_tensor(&g, 1, 10, 0, 1, "LifeLongNone");
    put_tensor(&g, 2, 100, 5, 9, "LifeLongGraphAll");
    put_tensor(&g, 3, 20, 9, 1, "LifeLongGraphStart");
    put_tensor(&g, 4, 30, 2, 0, "LifeLongGraphEnd");
    put_tensor(&g, 5, 40, 2, 1, "LifeLongNone");
    pb_put_text(&g, 5, "Default/A-op1");
    pb_put_text(&g, 6, "Default/x/C-op3");
    out->n = 0;
    pb_put_message(out, 1, &g);
    pb_put_number(out, 2, 4096);
}

static const char rows_of_make[] =
    "mem_node|rank=0|graph_id=7|node=0|name_id=A-op1|used_b=1130|size_b=110|allocated_b=130|"
    "allocations=2|mark=fp\n"
    "mem_node|rank=0|graph_id=7|node=1|name_id=B-op2|used_b=1130|size_b=50|allocated_b=0|"
    "allocations=2\n"
    "mem_node|rank=0|graph_id=7|node=2|name_id=C-op3|used_b=1130|size_b=30|allocated_b=0|"
    "allocations=2|mark=bp\n"
    "mem_tensor|rank=0|graph_id=7|name_id=A-op1:0|size_b=10|born_node=0|dies_node=1|kind=output|"
    "lifelong=LifeLongNone\n"
    "mem_tensor|rank=0|graph_id=7|name_id=A-op1:1|size_b=100|born_node=0|kind=output|"
    "lifelong=LifeLongGraphAll\n"
    "mem_tensor|rank=0|graph_id=7|name_id=B-op2:0|size_b=20|born_node=0|dies_node=1|kind=output|"
    "lifelong=LifeLongGraphStart\n"
    "mem_tensor|rank=0|graph_id=7|name_id=C-op3:0|size_b=30|born_node=2|kind=output|"
    "lifelong=LifeLongGraphEnd\n"
    "mem_tensor|rank=0|graph_id=7|size_b=40|born_node=2|dies_node=1|kind=Common|"
    "lifelong=LifeLongNone\n"
    "mem_total|rank=0|capacity_b=4096|peak_b=1130|static_b=1000|allocations=5|deallocations=5\n";

static int parse(struct rows *r, const struct pb_text *t, size_t n)
{
    return case_parse(r, KIND, parse_memory_pb, (const char *)t->p, n, GEN_UNKNOWN);
}

static void memory_lives_are_added_up(void **state)
{
    struct pb_text t;
    struct rows r;

    (void)state;
    for (int packed = 0; packed < 2; packed++) {
        make(&t, packed);
        assert_int_equal(parse(&r, &t, t.n), OK);
        assert_string_equal(buf_str(&r.text).p, rows_of_make);
        rows_done(&r);
    }
}

/* The last tensor of an id stands at the place of the first; a graph without tensors has no rows. */
static void memory_id_that_comes_again_replaces_the_first(void **state)
{
    struct pb_text g = { .n = 0 }, none = { .n = 0 }, t = { .n = 0 };
    struct rows r;

    (void)state;
    put_node(&g, "A", 0, 1, 2, true);
    put_tensor(&g, 1, 10, 0, 0, "LifeLongNone");
    put_tensor(&g, 2, 20, 0, 0, "LifeLongNone");
    put_tensor(&g, 1, 40, 0, 0, "LifeLongNone");
    put_tensor(&g, 9, (uint64_t)1 << 50, 0, 0, "LifeLongNone"); /* a size that cannot be */
    pb_put_message(&t, 1, &g);
    pb_put_number(&none, 2, 77);
    pb_put_message(&t, 1, &none);
    assert_int_equal(parse(&r, &t, t.n), OK);
    case_need(&r, "mem_node|rank=0|graph_id=0|node=0|name_id=A|used_b=60|size_b=60|allocated_b=60");
    case_need(&r, "mem_tensor|rank=0|graph_id=0|name_id=A:0|size_b=40");
    case_need(&r, "mem_total|rank=0|capacity_b=0|peak_b=60|static_b=0|allocations=3");
    case_need(&r, "note|BAD_VALUE");
    rows_done(&r);
}

static void memory_cut_anywhere_keeps_what_is_whole(void **state)
{
    struct pb_text t;
    struct rows r;

    (void)state;
    make(&t, true);
    for (size_t cut = 0; cut < t.n; cut++) {
        int rc = parse(&r, &t, cut);
        const struct sink_counts *n = sink_count_get(r.count);
        /* before the total, the last field of four bytes, the graph is whole */
        bool whole = cut == 0 || cut == t.n - 3;
        assert_true(rc == OK || (rc == ERR_FORMAT && cut < 3));
        assert_int_equal(rc == OK && n->note_calls == 0, whole);
        rows_done(&r);
    }
}

static void memory_flipped_bits_do_no_harm(void **state)
{
    struct pb_text t, q;
    uint64_t seed = 88172645463325252u;
    struct rows r;

    (void)state;
    make(&t, true);
    for (int k = 0; k < 4000; k++) {
        q = t;
        for (uint64_t flips = scratch_random(&seed) % 4; flips < 4; flips++)
            q.p[scratch_random(&seed) % t.n] ^= (unsigned char)(1u << scratch_random(&seed) % 8);
        int rc = parse(&r, &q, q.n);
        assert_true(rc == OK || rc == ERR_FORMAT);
        rows_done(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_lives_are_added_up),
        cmocka_unit_test(memory_id_that_comes_again_replaces_the_first),
        cmocka_unit_test(memory_cut_anywhere_keeps_what_is_whole),
        cmocka_unit_test(memory_flipped_bits_do_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
