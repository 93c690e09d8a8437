/* SPDX-License-Identifier: Apache-2.0 */
/* Files as tables of their own: separated text, blank-separated text, JSON; the memory tracker. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "parsers/parsers.h"
#include "tests/unit/parsers/parse_case.h"

static void generic_values_are_typed_one_by_one(void **state)
{
    (void)state;
    case_expect("unknown", parse_generic,
                "Stream Id,Hit Rate,a,A,,a\n"
                "2,N/A,0.5,007,-,1736408883688177.930\n"
                "-3,4.1e-05,1e999,-0,.5,9223372036854775808\n"
                "0,10,x,\"1,2\",5.,123456789012345.5\n"
                "1\n",
                "generic|Stream Id|Hit Rate|a|A_2|column_5|a_3\n"
                "row|i 2||r 0.5|007|-|1736408883688177.930\n"
                "row|i -3|r 4.1e-05|1e999|-0|.5|9223372036854775808\n"
                "row|i 0|i 10|x|1,2|5.|123456789012345.5\n"
                "row|i 1|||||\n"
                "note|ROW_LENGTH|line=5|count=1|rows of another width than the header\n");
}

static void generic_finds_the_separator(void **state)
{
    (void)state;
    case_expect("x", parse_generic, "a\tb c\n1\t2 3\n", "generic|a|b c\nrow|i 1|2 3\n");
    case_expect("x", parse_generic, "a;b\n1;2\n", "generic|a|b\nrow|i 1|i 2\n");
    case_expect("x", parse_generic,
                "name    time  count\n------  ----  -----\nop one  1.5\nop2     2.5   7\n",
                "generic|name|time|count\nrow|op|one|r 1.5\nrow|op2|r 2.5|i 7\n");
    case_expect("x", parse_generic, "a\n1\n", "generic|a\nrow|i 1\n");
    case_expect("x", parse_generic, "", "");
}

/* Text without columns becomes its lines; what is no text is refused; nothing is left out silently. */
static void generic_opens_any_text(void **state)
{
    struct rows r;

    (void)state;
    case_expect("log", parse_generic,
                "2024-06-11 06:25:09,133 [INFO] started\nTraceback\n  File x, line 3\nend\nof it\n",
                "generic|text\n"
                "row|2024-06-11 06:25:09,133 [INFO] started\nrow|Traceback\n"
                "row|  File x, line 3\nrow|end\nrow|of it\n");
    const char bytes[] = "ab\0\1\2\3\4\5\6\7\0\1\2\3\4";
    assert_int_equal(case_parse(&r, "x", parse_generic, bytes, sizeof bytes, GEN_M), ERR_FORMAT);
    rows_done(&r);
    case_expect("x", parse_generic, "[{\"a\": 1}, 5, {\"a\": 2}] x",
                "generic|a|more\nrow|i 1|\n"
                "note|BAD_ROW|line=1|count=1|an item of the list is no object\nrow|i 2|\n"
                "note|TORN_FILE|line=1|count=1|text after the document\n");
}

static void generic_names_are_distinct(void **state)
{
    struct rows r;
    struct buf b;
    (void)state;
    buf_init(&b, 1 << 20);
    for (int i = 0; i < 1000; i++)
        buf_puts(&b, i ? ",x" : "x");
    buf_puts(&b, "\n1\n");
    assert_int_equal(case_parse(&r, "x", parse_generic, buf_str(&b).p, b.n, GEN_M), OK);
    assert_int_equal(sink_count_get(r.count)->generic_rows, 1);
    assert_true(str_find(buf_str(&r.text), STR("|x_1000\n"), 0) != SIZE_MAX);
    rows_done(&r);
    buf_done(&b);
}

static void generic_slices_of_one_header_are_one_table(void **state)
{
    struct err e = ERR_INIT;
    struct rows r;
    const char *text = "a,b\n1,2\n";
    (void)state;
    rows_init(&r, "x", scratch_write(text, strlen(text)));
    struct source_file next = r.file;
    r.file.next_slice = &next;
    assert_int_equal(rows_parse(&r, parse_generic, &e), OK);
    assert_string_equal(buf_str(&r.text).p, "generic|a|b\nrow|i 1|i 2\nrow|i 1|i 2\n");
    rows_done(&r);
}

static void generic_json_objects_are_rows(void **state)
{
    (void)state;
    case_expect("x", parse_generic,
                " [ {\"a\": 1, \"b\": \"x\\ny\", \"c\": null}, {\"b\": true, \"a\": 0.5, \"new\": "
                "{\"k\": [1, \"q\\\"\", {}]}, \"n2\": \"s\"}, {} ]",
                "generic|a|b|c|more\nrow|i 1|x\\x0ay||\nrow|r "
                "0.5|true||{\"new\":{\"k\":[1,\"q\\x5c\"\",{}]},\"n2\":\"s\"}\nrow||||\n");
}

static void generic_other_json_is_paths(void **state)
{
    (void)state;
    case_expect("x", parse_generic, "{\"a\": {\"b\": [1, {\"c\": null}, []]}, \"d\": false, \"e\": \"t\"}",
                "generic|path|value\nrow|a.b[0]|i 1\nrow|a.b[1].c|\nrow|d|false\nrow|e|t\n");
    case_expect("x", parse_generic, "[1, [2, 3], {\"a\": 4}]",
                "generic|path|value\nrow|[0]|i 1\nrow|[1][0]|i 2\nrow|[1][1]|i 3\nrow|[2].a|i 4\n");
}

static void generic_cut_json_keeps_whole_rows(void **state)
{
    const char *text = "[{\"a\": 1, \"b\": [1, 2]}, {\"a\": 2, \"b\": \"x\"}]";
    struct rows r;
    (void)state;
    for (size_t cut = 1; cut < strlen(text); cut++) {
        uint64_t whole = 0;
        for (size_t i = 0; i < cut; i++)
            whole += text[i] == '}';
        int rc = case_parse(&r, "x", parse_generic, text, cut, GEN_M);
        assert_true(rc == OK || (rc == ERR_FORMAT && whole == 0));
        if (r.rows != whole)
            fail_msg("cut at %zu: %" PRIu64 " rows", cut, r.rows);
        rows_done(&r);
    }
}

static void generic_json_survives_flips(void **state)
{
    const char *text = "[{\"a\": 1, \"b\": [1, {\"c\": \"d\"}]}, {\"a\": 2, \"b\": \"x\"}, {\"z\": {}}]";
    uint64_t seed = 88172645463325252u;
    char copy[128];
    struct rows r;
    (void)state;
    for (int k = 0; k < 3000; k++) {
        size_t n = strlen(text);
        memcpy(copy, text, n + 1);
        copy[scratch_random(&seed) % n] ^= (char)(1 << (scratch_random(&seed) % 8));
        int rc = case_parse(&r, "x", parse_generic, copy, n, GEN_M);
        assert_true(rc == OK || rc == ERR_FORMAT);
        rows_done(&r);
    }
}

#define BLOCKS                                                                                               \
    "start_time_stamp,end_time_stamp,device_addr,stream_id,pool_type,size,task_name,python_stack,"           \
    "\n"                                                                                                     \
    "1,5,0x12,0,NPU,1024,Add,f(a, b),g(c),\n"                                                                \
    "2,,0x13,0,NPU,512,,,\n"

static void tracker_surplus_commas_are_the_stack(void **state)
{
    (void)state;
    case_expect("mem_tracker_block", parse_mem_tracker, BLOCKS,
                "generic|start_time_stamp|end_time_stamp|device_addr|stream_id|pool_type|size|task_"
                "name|python_stack\n"
                "row|i 1|i 5|0x12|i 0|NPU|i 1024|Add|f(a, b),g(c)\n"
                "row|i 2||0x13|i 0|NPU|i 512||\n");
    case_expect("mem_tracker_task", parse_mem_tracker,
                "time_stamp,task_name,node_name,python_stack,\n3,Add,a,f(x, y),\n",
                "generic|time_stamp|task_name|node_name|python_stack\nrow|i 3|Add|a|f(x, y)\n");
}

static void generic_damage_costs_the_damaged_line(void **state)
{
    (void)state;
    case_damage("mem_tracker_block", parse_mem_tracker,
                "time_stamp,task_name,node_name,\n1,a,b,\n2,c,d,\n3,e,f,\n");
    case_cut_everywhere("unknown", parse_generic, "Stream Id,Task Id,Op Name\n1,2,x\n3,4,y\n");
    case_flip_bits("unknown", parse_generic, "Stream Id,Task Id,Op Name\n1,2,x\n3,4,y\n", 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generic_values_are_typed_one_by_one),
        cmocka_unit_test(generic_finds_the_separator),
        cmocka_unit_test(generic_opens_any_text),
        cmocka_unit_test(generic_names_are_distinct),
        cmocka_unit_test(generic_slices_of_one_header_are_one_table),
        cmocka_unit_test(generic_json_objects_are_rows),
        cmocka_unit_test(generic_other_json_is_paths),
        cmocka_unit_test(generic_cut_json_keeps_whole_rows),
        cmocka_unit_test(generic_json_survives_flips),
        cmocka_unit_test(tracker_surplus_commas_are_the_stack),
        cmocka_unit_test(generic_damage_costs_the_damaged_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
