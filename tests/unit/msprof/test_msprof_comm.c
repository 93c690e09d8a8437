/* SPDX-License-Identifier: Apache-2.0 */
/* msprof/tables/comm_*.c: communication.json and communication_matrix.json of tasks made by hand, as text. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "msprof/run.h"
#include "tests/unit/parsers/prof/comm_case.h"
#include "tests/unit/tree.h"

static struct tree tree;

static int set_up(void **state)
{
    (void)state;
    tree_new(&tree);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tree_done(&tree);
    return 0;
}

/* An export of one device, or of two that say the same. */
struct run_case {
    struct comm_case *x;
    struct msprof_options o;
    struct msprof_run r;
    struct prof_folder folder[2];
    struct prof_device dev[2];
    struct msprof_clock clock[2];
    struct prof_how how[2];
    struct prof_comm comm[2];
};

static struct run_case *run_new(void)
{
    struct run_case *c = calloc(1, sizeof *c);
    struct err e = ERR_INIT;

    assert_non_null(c);
    c->x = comm_case_new();
    c->o.dir = tree.root;
    c->r = (struct msprof_run){
        .o = &c->o, .m = { .p = &c->x->p, .dev = c->dev, .comm = c->comm }, .clock = c->clock, .how = c->how
    };
    assert_int_equal(emit_report_new(&c->r.report, &e), OK);
    return c;
}

static void run_devices(struct run_case *c, size_t n)
{
    struct err e = ERR_INIT;

    c->r.m.host = c->x->h;
    for (size_t i = 0; i < n; i++, c->r.m.n_dev++) {
        c->folder[i] = c->x->folder;
        c->folder[i].device = 4 + (int)i;
        c->dev[i] = c->x->d;
        c->dev[i].f = &c->folder[i];
        c->clock[i] = msprof_clock_of(&c->folder[i]);
        c->how[i] = c->x->how;
        assert_int_equal(prof_comm_make(&c->comm[i], &c->x->p, &c->dev[i], &c->r.m.host, &c->how[i], &e), OK);
    }
}

static void run_free(struct run_case *c)
{
    for (size_t i = 0; i < c->r.m.n_dev; i++)
        prof_comm_done(&c->comm[i]);
    emit_report_free(c->r.report);
    comm_case_free(c->x);
    free(c);
}

static struct prof_comm_info info(struct run_case *c, const char *item, uint64_t size_b, uint32_t link,
                                  uint32_t transport)
{
    return (struct prof_comm_info){ .item = prof_text(&c->x->p, str_of(item)),
                                    .group_hash = 11452,
                                    .size_b = size_b,
                                    .remote_rank = 4,
                                    .link = link,
                                    .transport = transport,
                                    .rdma = 255,
                                    .master = true };
}

static void expect_text(const char *rel, const char *want)
{
    char got[8192];
    FILE *f = fopen(tree_path(&tree, rel), "r");

    if (!want) {
        assert_null(f);
        return;
    }
    assert_non_null(f);
    size_t n = fread(got, 1, sizeof got - 1, f);
    got[n] = '\0';
    fclose(f);
    assert_string_equal(got, want);
}

#define NOTHING                                                                                              \
    "{\"Transit Size(MB)\": 0, \"Transit Time(ms)\": 0, \"Bandwidth(GB/s)\": 0, "                            \
    "\"Large Packet Ratio\": 0, \"Size Distribution\": {}}"
#define RDMA_SUMS(start)                                                                                     \
    "{\"Communication Time Info\": {\"Start Timestamp(us)\": " start                                         \
    ", \"Elapse Time(ms)\": 0.014, \"Transit Time(ms)\": 0.012, \"Wait Time(ms)\": 0.001, "                  \
    "\"Synchronization Time(ms)\": 0.001, \"Idle Time(ms)\": 0.001, "                                        \
    "\"Wait Time Ratio\": 0.0769, \"Synchronization Time Ratio\": 0.0769}, "                                 \
    "\"Communication Bandwidth Info\": {\"RDMA\": {\"Transit Size(MB)\": 2.0, "                              \
    "\"Transit Time(ms)\": 0.012, \"Bandwidth(GB/s)\": 166.6667, \"Large Packet Ratio\": 1.0, "              \
    "\"Size Distribution\": {\"2.0\": [1, 0.012]}}, \"HCCS\": " NOTHING ", \"PCIE\": " NOTHING               \
    ", \"SDMA\": " NOTHING ", \"SIO\": " NOTHING "}}"
#define ALL_SUMS(start)                                                                                      \
    "{\"hcom_allReduce__452_0_1@11452\": " RDMA_SUMS(start) ", "                                             \
                                                            "\"Total HCCL Operators\": " RDMA_SUMS("0") "}"
#define RDMA_LINK                                                                                            \
    "{\"0-4\": {\"Transport Type\": \"RDMA\", \"Transit Size(MB)\": 2.0, "                                   \
    "\"Transit Time(ms)\": 0.012, \"Bandwidth(GB/s)\": 166.6667}}"

/* A wait, two payload tasks, and up to the one that closes them three others. */
static void put_rdma(struct run_case *c)
{
    struct comm_case *x = c->x;
    uint32_t op = comm_op(x, "hcom_allReduce_", 100);
    struct prof_comm_info wait = info(c, "Notify_Wait", 0, 3, 2),
                          payload = info(c, "RDMASend", 1000000, 3, 1);

    payload.rdma = 1;
    comm_ran(x, comm_host(x, op, 101, wait), 3000, 3050);
    comm_ran(x, comm_host(x, op, 102, payload), 3100, 3120);
    comm_ran(x, comm_host(x, op, 103, payload), 3200, 3220);
    for (uint64_t i = 0; i < 4; i++)
        comm_ran(x, comm_host(x, op, 104 + i, wait), 3300 + 100 * i, 3400 + 100 * i);
}

static void msprof_comm_payload_is_one_packet(void **state)
{
    struct run_case *c = run_new();
    struct err e = ERR_INIT;

    (void)state;
    put_rdma(c);
    run_devices(c, 1);
    assert_int_equal(msprof_comm_json(&c->r, &e), OK);
    assert_int_equal(msprof_comm_matrix(&c->r, &e), OK);
    expect_text("analyze/communication.json", ALL_SUMS("5000000.000"));
    expect_text("analyze/communication_matrix.json", "{\"hcom_allReduce__452_0_1@11452\": " RDMA_LINK
                                                     ", \"Total HCCL Operators\": " RDMA_LINK "}");
    run_free(c);
}

/* Ranks that are not said, words of links, planes in the order they were met. */
static void msprof_comm_links(void **state)
{
    struct run_case *c = run_new();
    struct comm_case *x = c->x;
    struct err e = ERR_INIT;
    uint32_t op = comm_op(x, "op", 100);
    struct prof_comm_info far = info(c, "Memcpy", 4000, 5, 0), none = far, self = far, other = far;

    (void)state;
    far.plane = 2;
    none.local_rank = UINT32_MAX;
    self.remote_rank = UINT32_MAX;
    self.link = 0;
    other.item = prof_text(&x->p, STR("Notify_Record"));
    comm_ran(x, comm_host(x, op, 101, far), 3000, 3100);
    comm_ran(x, comm_host(x, op, 102, none), 3010, 3100);
    comm_ran(x, comm_host(x, op, 103, self), 3020, 3120);
    comm_ran(x, comm_host(x, op, 104, other), 3030, 3100);
    comm_ran(x, comm_host(x, op, 105, far), 3200, 3300);
    run_devices(c, 1);
    assert_int_equal(msprof_comm_matrix(&c->r, &e), OK);
#define LINKS                                                                                                \
    "{\"0-4\": {\"Transport Type\": \"HCCS\", \"Transit Size(MB)\": 0.008, "                                 \
    "\"Transit Time(ms)\": 0.004, \"Bandwidth(GB/s)\": 2.0}, "                                               \
    "\"0-0\": {\"Transport Type\": \"LOCAL\", \"Transit Size(MB)\": 0.004, "                                 \
    "\"Transit Time(ms)\": 0.002, \"Bandwidth(GB/s)\": 2.0}}"
    expect_text("analyze/communication_matrix.json",
                "{\"op_452_0_1@11452\": " LINKS ", \"Total HCCL Operators\": " LINKS "}");
    run_free(c);
}

/* msprof keeps the lowest device alone (doc/formats/prof-quirks.md#output-quirks); each has its file here. */
static void msprof_comm_second_device_is_not_lost(void **state)
{
    (void)state;
    for (int compat = 1; compat >= 0; compat--) {
        struct run_case *c = run_new();
        struct err e = ERR_INIT;
        c->o.compat = compat;
        put_rdma(c);
        run_devices(c, 2);
        assert_int_equal(msprof_comm_json(&c->r, &e), OK);
        const char *want = compat ? ALL_SUMS("5000000.0") : ALL_SUMS("5000000.000");
        expect_text("analyze/communication.json", want);
        expect_text("analyze/device_5/communication.json", compat ? NULL : want);
        run_free(c);
    }
}

static void msprof_comm_nothing_is_reported(void **state)
{
    struct run_case *c = run_new();
    struct err e = ERR_INIT;
    size_t n;

    (void)state;
    run_devices(c, 1);
    assert_int_equal(msprof_comm_json(&c->r, &e), OK);
    assert_int_equal(msprof_comm_matrix(&c->r, &e), OK);
    const struct emit_result *x = emit_report_results(c->r.report, &n);
    assert_int_equal(n, 2);
    assert_int_equal(x[0].outcome, EMIT_NO_DATA);
    assert_int_equal(x[1].outcome, EMIT_NO_DATA);
    expect_text("analyze/communication.json", NULL);
    run_free(c);
}

/* A folder that cannot be made is a row of the report. */
static void msprof_comm_failure_is_reported(void **state)
{
    struct run_case *c = run_new();
    struct err e = ERR_INIT;
    size_t n;

    (void)state;
    tree_file(&tree, "analyze", "a file");
    put_rdma(c);
    run_devices(c, 1);
    assert_int_not_equal(msprof_comm_json(&c->r, &e), OK);
    const struct emit_result *x = emit_report_results(c->r.report, &n);
    assert_int_equal(n, 1);
    assert_int_equal(x[0].outcome, EMIT_FAILED);
    assert_non_null(x[0].why);
    run_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(msprof_comm_payload_is_one_packet, set_up, tear_down),
        cmocka_unit_test_setup_teardown(msprof_comm_links, set_up, tear_down),
        cmocka_unit_test_setup_teardown(msprof_comm_second_device_is_not_lost, set_up, tear_down),
        cmocka_unit_test_setup_teardown(msprof_comm_nothing_is_reported, set_up, tear_down),
        cmocka_unit_test_setup_teardown(msprof_comm_failure_is_reported, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
