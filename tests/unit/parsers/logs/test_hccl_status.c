/* SPDX-License-Identifier: Apache-2.0 */
/* Status files of torch_npu: fields of name and file, cuts, flips, what is no status file. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "parsers/logs/hccl_status.h"
#include "tests/unit/parsers/logs/flight_case.h"

#define NAME "torch_hccl_status-5_node_a.x_1_16_4711_1760000000123.log"
#define TEXT                                                                                                 \
    "{\"exception_message\":\"lost \\\"rank\\\"\",\"global_pg_end_time\":1760000012345,\"is_master\":true,"  \
    "\"last_comm_op\":[{\"comm_ids\":\"all\",\"op_type\":\"ALLREDUCE\",\"pg_id\":\"0\",\"seq\":42,"          \
    "\"status\":\"start\"},{\"comm_ids\":\"0,1\",\"op_type\":\"BROADCAST\",\"pg_id\":\"7\",\"seq\":1,"       \
    "\"seq\":3,\"status\":\"end\"}]}\n"

static int read_status(struct rows *r, const char *name, const void *bytes, size_t n,
                       struct hccl_status **out, struct err *e)
{
    rows_init(r, "hccl_status", case_named(name, bytes, n));
    struct parse_ctx c = { .f = &r->file, .run = &r->run, .tmp = r->tmp, .out = sink_count_sink(r->count) };
    int rc = hccl_status_read(out, &c, e);
    assert_int_equal(rc, e->code);
    assert_true((*out == NULL) == (rc != OK));
    r->rows = c.rows;
    r->lost = c.lost;
    (void)case_named(NULL, NULL, 0);
    return rc;
}

static void status_gives_all_fields(void **state)
{
    struct hccl_status *s;
    struct err e = ERR_INIT;
    struct rows r;

    (void)state;
    assert_int_equal(read_status(&r, NAME, TEXT, sizeof TEXT - 1, &s, &e), OK);
    assert_int_equal(s->rank, 5);
    assert_true(str_eq(s->master, STR("node_a.x")));
    assert_int_equal(s->device, 1);
    assert_int_equal(s->n_ranks, 16);
    assert_int_equal(s->pid, 4711);
    assert_int_equal(s->first_ms, INT64_C(1760000000123));
    assert_true(s->is_master && !s->cut);
    assert_true(str_eq(s->exception, STR("lost \"rank\"")));
    assert_int_equal(s->pg_end_ns, INT64_C(1760000012345000000));
    assert_int_equal(s->n_ops, 2);
    assert_int_equal(s->ops[0].seq, 42);
    assert_true(str_eq(s->ops[0].op, STR("ALLREDUCE")) && str_eq(s->ops[0].pg_id, STR("0")));
    assert_true(str_eq(s->ops[0].comm_ids, STR("all")) && s->ops[0].started && !s->ops[0].ended);
    assert_int_equal(s->ops[1].seq, 3); /* the last one counts */
    assert_true(s->ops[1].ended && !s->ops[1].started);
    assert_int_equal(r.rows, 2);
    assert_int_equal(r.text.n, 0);
    rows_done(&r);
    hccl_status_free(s);
}

static void status_of_another_name(void **state)
{
    static const char *const names[] = { "x.log", "torch_hccl_status-5_h_1_16_4711.log",
                                         "torch_hccl_status-x_h_1_16_4711_1.log",
                                         "torch_hccl_status-5_h_1_16_4711_-1.log" };
    struct hccl_status *s;
    struct rows r;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct err e = ERR_INIT;
        assert_int_equal(read_status(&r, names[i], TEXT, sizeof TEXT - 1, &s, &e), OK);
        assert_int_equal(s->rank, -1);
        assert_int_equal(s->pid, -1);
        assert_null(s->master.p);
        assert_int_equal(s->n_ops, 2);
        rows_done(&r);
        hccl_status_free(s);
    }
}

static void status_cut_everywhere(void **state)
{
    struct hccl_status *s;
    struct rows r;
    size_t before = 0;

    (void)state;
    for (size_t cut = 0; cut < sizeof TEXT - 2; cut++) {
        struct err e = ERR_INIT;
        int rc = read_status(&r, NAME, TEXT, cut, &s, &e);
        assert_true(rc == OK || (rc == ERR_FORMAT && cut == 0));
        if (rc == OK) {
            assert_true(s->cut);
            assert_int_equal(sink_count_get(r.count)->notes[NOTE_TORN_FILE], 1);
            assert_true(s->n_ops >= before && s->n_ops <= 2);
            before = s->n_ops;
        }
        rows_done(&r);
        hccl_status_free(s);
    }
    assert_int_equal(before, 2);
}

static void status_flips(void **state)
{
    uint64_t seed = 88172645463325252u;
    struct hccl_status *s;
    struct rows r;
    char copy[] = TEXT;

    (void)state;
    for (int k = 0; k < 2000; k++) {
        struct err e = ERR_INIT;
        size_t at = (size_t)(scratch_random(&seed) % (sizeof TEXT - 1));
        char was = copy[at];
        copy[at] = (char)(copy[at] ^ (1 << (scratch_random(&seed) % 8)));
        int rc = read_status(&r, NAME, copy, sizeof TEXT - 1, &s, &e);
        assert_true(rc == OK || rc == ERR_FORMAT);
        if (rc == OK && s->n_ops < 2 && r.text.n == 0)
            fail_msg("a flip at %zu left %zu groups without a word", at, s->n_ops);
        copy[at] = was;
        rows_done(&r);
        hccl_status_free(s);
    }
}

static void status_refuses_others(void **state)
{
    struct hccl_status *s;
    struct err e = ERR_INIT;
    struct rows r;

    (void)state;
    assert_int_equal(read_status(&r, NAME, "{\"a\":1}", 7, &s, &e), ERR_FORMAT);
    assert_string_equal(e.text, "no status file of torch_npu: it has no last_comm_op");
    rows_done(&r);
}

/* Wrong types, NaN, times that overflow, depth: no field, and a note where an op is lost. */
static void status_hostile(void **state)
{
    static const char text[] =
        "{\"is_master\":\"yes\",\"global_pg_end_time\":9223372036854775807,\"exception_message\":[],"
        "\"last_comm_op\":[{\"seq\":NaN,\"op_type\":\"A\"},{\"seq\":1,\"op_type\":7},[[[[]]]],"
        "{\"seq\":2,\"op_type\":\"B\",\"status\":\"asleep\",\"comm_ids\":{\"seq\":9}}]}";
    struct hccl_status *s;
    struct err e = ERR_INIT;
    struct rows r;

    (void)state;
    assert_int_equal(read_status(&r, NAME, text, sizeof text - 1, &s, &e), OK);
    assert_false(s->is_master);
    assert_int_equal(s->pg_end_ns, 0);
    assert_null(s->exception.p);
    assert_int_equal(s->n_ops, 1);
    assert_int_equal(s->ops[0].seq, 2);
    assert_true(!s->ops[0].started && !s->ops[0].ended && !s->ops[0].comm_ids.p);
    assert_int_equal(sink_count_get(r.count)->notes[NOTE_BAD_EVENT], 2);
    rows_done(&r);
    hccl_status_free(s);
}

/* Groups at the limit and one above it. */
static void status_many_groups(void **state)
{
    struct hccl_status *s;
    struct err e = ERR_INIT;
    struct rows r;
    struct buf b;

    (void)state;
    buf_init(&b, (size_t)16 << 20);
    buf_puts(&b, "{\"last_comm_op\":[");
    for (int i = 0; i <= HCCL_STATUS_OPS; i++)
        buf_printf(&b, "%s{\"seq\":%d,\"op_type\":\"A\"}", i ? "," : "", i);
    buf_puts(&b, "]}");
    assert_int_equal(read_status(&r, NAME, b.p, b.n, &s, &e), OK);
    assert_int_equal(s->n_ops, HCCL_STATUS_OPS);
    assert_int_equal(s->ops[HCCL_STATUS_OPS - 1].seq, HCCL_STATUS_OPS - 1);
    assert_int_equal(sink_count_get(r.count)->notes[NOTE_LIMIT], 1);
    rows_done(&r);
    hccl_status_free(s);
    buf_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_gives_all_fields), cmocka_unit_test(status_of_another_name),
        cmocka_unit_test(status_cut_everywhere),   cmocka_unit_test(status_flips),
        cmocka_unit_test(status_refuses_others),   cmocka_unit_test(status_hostile),
        cmocka_unit_test(status_many_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
