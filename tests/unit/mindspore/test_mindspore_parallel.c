/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The strategy of the network from protobuf: layout, nesting, damage
 * (doc/formats/mindspore1.md#parallel_strategy; real documents: tests/golden/parallel.py).
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/mindspore/analyse_case.h"
#include "tests/unit/parsers/mindspore/pb_case.h"
#include "tests/unit/scratch.h"

#define IN  "profiler/parallel_strategy_pb_0.bin"
#define OUT "parallel_strategy_0.json"

/* version, config.rankId, a node with a name twice (the last counts), fields nobody knows and a float. */
static void make(struct pb_text *t)
{
    struct pb_text config = { .n = 0 }, graph = { .n = 0 }, node = { .n = 0 }, attribute = { .n = 0 },
                   value = { .n = 0 };
    static const unsigned char floats[] = { 0xcd, 0xcc, 0xcc, 0x3d, 0, 0, 0x80, 0x7f };

    t->n = 0;
    pb_put_number(&value, 1, 99); /* no such data type */
    pb_put_bytes(&value, 13, floats, sizeof floats);
    pb_put_message(&attribute, 2, &value);
    pb_put_text(&node, 2, "old");
    pb_put_message(&node, 5, &attribute);
    pb_put_text(&node, 2, "new\n");
    pb_put_number(&node, 77, 1);
    pb_put_message(&graph, 1, &node);
    pb_put_number(&config, 1, 3);
    pb_put_message(t, 3, &graph);
    pb_put_message(t, 2, &config);
}

static int run(struct mindspore_case *k, const struct pb_text *t, size_t n)
{
    tree_file_n(&k->tree, IN, (const char *)t->p, n);
    return mindspore_case_run(k, "r1.6", MINDSPORE_CPU);
}

static void parallel_fields_come_in_order_of_numbers(void **state)
{
    struct mindspore_case k;
    struct pb_text t;

    (void)state;
    make(&t);
    mindspore_case_new(&k);
    assert_int_equal(run(&k, &t, t.n), OK);
    assert_string_equal(
        mindspore_case_text(&k, OUT),
        "{\n  \"config\": {\n    \"rankId\": 3\n  },\n  \"graph\": {\n    \"node\": [\n      {\n"
        "        \"name\": \"new\\n\",\n        \"attribute\": [\n          {\n"
        "            \"value\": {\n              \"dtype\": 99,\n              \"floatVals\": [\n"
        "                0.1,\n                \"Infinity\"\n              ]\n            }\n"
        "          }\n        ]\n      }\n    ]\n  }\n}");
    assert_int_equal(run(&k, &t, 0), OK);
    assert_string_equal(mindspore_case_text(&k, OUT), "{}");
    mindspore_case_done(&k);
}

static void parallel_messages_nested_too_deeply_are_refused(void **state)
{
    struct pb_text t = { .n = 0 }, outer;
    struct mindspore_case k;

    (void)state;
    for (int i = 0; i < 120; i++) { /* a value in a value */
        outer.n = 0;
        pb_put_message(&outer, 18, &t);
        t = outer;
    }
    for (unsigned i = 0; i < 3; i++) {
        static const unsigned into[] = { 3, 3, 3 }; /* a parameter's default, in a graph */
        outer.n = 0;
        pb_put_message(&outer, into[i], &t);
        t = outer;
    }
    mindspore_case_new(&k);
    assert_int_equal(run(&k, &t, t.n), OK);
    assert_int_equal(mindspore_case_outcome(&k, OUT), EMIT_FAILED);
    assert_null(mindspore_case_text(&k, OUT));
    mindspore_case_done(&k);
}

/* Cut at every byte: a document still, and a note unless the cut lies between fields. */
static void parallel_cut_anywhere_gives_a_document(void **state)
{
    struct mindspore_case k;
    struct pb_text t;

    (void)state;
    make(&t);
    mindspore_case_new(&k);
    for (size_t n = 1; n < t.n; n++) {
        assert_int_equal(run(&k, &t, n), OK);
        const char *text = mindspore_case_text(&k, OUT);
        assert_non_null(text);
        assert_true(text[0] == '{' && text[strlen(text) - 1] == '}');
        assert_true(mindspore_case_notes(&k) > 0 || n == t.n - 4); /* config is four bytes */
    }
    mindspore_case_done(&k);
}

static void parallel_flipped_bits_do_no_harm(void **state)
{
    uint64_t seed = 88172645463325252u;
    struct mindspore_case k;
    struct pb_text t, q;

    (void)state;
    make(&t);
    mindspore_case_new(&k);
    for (int i = 0; i < 500; i++) {
        q = t;
        q.p[scratch_random(&seed) % t.n] ^= (unsigned char)(1u << scratch_random(&seed) % 8);
        assert_int_equal(run(&k, &q, q.n), OK);
        assert_non_null(mindspore_case_text(&k, OUT));
    }
    mindspore_case_done(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parallel_fields_come_in_order_of_numbers),
        cmocka_unit_test(parallel_messages_nested_too_deeply_are_refused),
        cmocka_unit_test(parallel_cut_anywhere_gives_a_document),
        cmocka_unit_test(parallel_flipped_bits_do_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
