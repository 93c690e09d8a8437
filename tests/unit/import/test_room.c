/* SPDX-License-Identifier: Apache-2.0 */
/* What does not fit is left, the largest first, with the reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "import/room.h"

#define MIB ((uint64_t)1 << 20)

/* A plan of a small table, a table of executions with another that tells the same, and a trace. */
struct case_plan {
    struct file_kind kinds[4];
    struct source_file files[4];
    struct source_file *lists[4];
    struct plan_set sets[4];
    struct plan p;
};

static void make(struct case_plan *c)
{
    static const struct {
        const char *kind, *topic, *rel;
        uint64_t size_b;
        int priority;
    } rows[] = {
        { "step_trace_time", "step", "step_trace_time.csv", 4096, 1 },
        { "kernel_details", "op_exec", "out/kernel_details.csv", 100 * MIB, 1 },
        { "op_summary", "op_exec", "out/op_summary_1.csv", 90 * MIB, 3 },
        { "trace_view", "trace", "out/trace_view.json", 400 * MIB, 1 },
    };

    memset(c, 0, sizeof *c);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        c->kinds[i] = (struct file_kind){ .id = rows[i].kind, .topic = rows[i].topic };
        c->files[i] =
            (struct source_file){ .kind = &c->kinds[i], .rel = rows[i].rel, .size_b = rows[i].size_b };
        c->lists[i] = &c->files[i];
        c->sets[i] = (struct plan_set){
            .files = &c->lists[i], .n = 1, .topic = rows[i].topic, .priority = rows[i].priority
        };
    }
    c->p = (struct plan){ .sets = c->sets, .n = 4, .n_small = 1 };
}

static void room_enough_leaves_nothing(void **state)
{
    struct case_plan c;
    struct err e = ERR_INIT;
    const struct room r = { .disk_b = 1000 * MIB, .memory_b = 512 * MIB, .place = "/cache" };
    char why[600];

    (void)state;
    make(&c);
    assert_int_equal(room_leave(&c.p, &r, why, sizeof why, &e), OK);
    assert_string_equal(why, "");
    for (size_t i = 0; i < 4; i++)
        assert_false(c.sets[i].later);
}

/* kernel_details takes 105 MiB at most, the trace 60. */
static void room_small_disk_leaves_the_largest_topic(void **state)
{
    struct case_plan c;
    struct err e = ERR_INIT;
    const struct room r = { .disk_b = 100 * MIB, .memory_b = 512 * MIB, .place = "/cache" };
    char why[600];

    (void)state;
    make(&c);
    assert_int_equal(room_leave(&c.p, &r, why, sizeof why, &e), OK);
    assert_false(c.sets[0].later);
    assert_true(c.sets[1].later);
    assert_true(c.sets[2].later); /* which tells the same, and is no smaller */
    assert_false(c.sets[3].later);
    assert_non_null(strstr(why, "kernel_details.csv is not read: about 167.0 MiB of disk needed"));
    assert_non_null(strstr(why, ", 100.0 MiB free in /cache; make room"));
    assert_non_null(strstr(c.sets[1].no_room, "no room: about 167.0 MiB of disk needed, 100.0 MiB free;"));
    assert_int_equal(c.p.files, 2);
}

static void room_none_for_small_tables_is_an_error(void **state)
{
    struct case_plan c;
    struct err e = ERR_INIT;
    const struct room r = { .disk_b = MIB, .memory_b = 512 * MIB, .place = "/cache" };
    char why[600];

    (void)state;
    make(&c);
    assert_int_equal(room_leave(&c.p, &r, why, sizeof why, &e), ERR_FULL);
    assert_string_equal(e.file, "/cache");
    assert_non_null(strstr(e.text, "--db=FILE"));
    assert_non_null(strstr(e.text, "XDG_CACHE_HOME"));
}

/* In memory the store counts, too: 60 MiB of kernel_details and 16 to read it, 60 + 60 of the trace. */
static void room_small_memory_counts_the_store_in_memory(void **state)
{
    struct case_plan c;
    struct err e = ERR_INIT;
    const struct room r = { .disk_b = ROOM_ANY, .memory_b = 200 * MIB };
    char why[600];

    (void)state;
    make(&c);
    assert_int_equal(room_leave(&c.p, &r, why, sizeof why, &e), OK);
    assert_false(c.sets[1].later);
    assert_true(c.sets[3].later);
    assert_non_null(strstr(why, "trace_view.json is not read: about 216.0 MiB of memory"));
    assert_non_null(strstr(why, "--db=FILE"));
}

static void room_short_share_of_memory_is_an_error(void **state)
{
    struct case_plan c;
    struct err e = ERR_INIT;
    const struct room r = { .disk_b = ROOM_ANY, .memory_b = 40 * MIB, .place = "/cache", .shared = true };
    char why[600];

    (void)state;
    make(&c);
    assert_int_equal(room_leave(&c.p, &r, why, sizeof why, &e), ERR_NOMEM);
    for (size_t i = 0; i < 4; i++)
        assert_false(c.sets[i].later);
}

static void room_packed_files_count_unpacked(void **state)
{
    struct case_plan c;
    uint64_t plain;

    (void)state;
    make(&c);
    plain = room_need(&c.sets[3], false).disk_b;
    c.files[3].rel = "out/trace_view.json.gz";
    assert_true(room_need(&c.sets[3], false).disk_b > 10 * plain);
    c.files[3].size_b = UINT64_MAX;
    assert_true(room_need(&c.sets[3], false).disk_b > (uint64_t)1 << 50);
}

static void room_measured_is_what_the_system_says(void **state)
{
    struct room r;

    (void)state;
    room_measure(&r, "/tmp/any.npus");
    assert_string_equal(r.place, "/tmp");
    assert_true(r.disk_b != ROOM_ANY);
    assert_true(r.memory_b > MIB && r.memory_b < (uint64_t)1 << 50);
    room_measure(&r, NULL);
    assert_true(r.disk_b == ROOM_ANY && !r.place[0]);
}

/* A share for each worker; what raw data needs, as far as it is free. */
static void room_of_workers_grows_with_raw_data(void **state)
{
    struct file_kind raw = { .id = "raw_stars" }, trace = { .id = "trace_view" };
    struct source_file big = { .kind = &raw, .size_b = 1000 * MIB };
    struct source_file other = { .kind = &trace, .size_b = 9000 * MIB }, none = { .size_b = MIB };
    struct source_file *files[] = { &other, &none, &big };
    struct unit u = { .files = files, .n_files = 2 };

    (void)state;
    assert_int_equal(room_worker_b(&u, 1, ROOM_ANY), 512 * MIB);
    assert_int_equal(room_worker_b(&u, 4, ROOM_ANY), 128 * MIB);
    assert_int_equal(room_worker_b(&u, 100, ROOM_ANY), 64 * MIB);
    u.n_files = 3;
    uint64_t need = room_worker_b(&u, 4, ROOM_ANY);
    assert_in_range(need, 450 * MIB, 550 * MIB);
    assert_int_equal(room_worker_b(&u, 4, 8000 * MIB), need);
    assert_int_equal(room_worker_b(&u, 4, 1200 * MIB), 300 * MIB);
    assert_int_equal(room_worker_b(&u, 4, 100 * MIB), 128 * MIB);
    big.size_b = (uint64_t)1 << 62;
    assert_int_equal(room_worker_b(&u, 4, ROOM_ANY), 128 * MIB);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(room_enough_leaves_nothing),
        cmocka_unit_test(room_small_disk_leaves_the_largest_topic),
        cmocka_unit_test(room_none_for_small_tables_is_an_error),
        cmocka_unit_test(room_small_memory_counts_the_store_in_memory),
        cmocka_unit_test(room_short_share_of_memory_is_an_error),
        cmocka_unit_test(room_packed_files_count_unpacked),
        cmocka_unit_test(room_measured_is_what_the_system_says),
        cmocka_unit_test(room_of_workers_grows_with_raw_data),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
