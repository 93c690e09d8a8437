/* SPDX-License-Identifier: Apache-2.0 */
/*
 * communication.json and communication_matrix.json of what msprof's export would have left: kinds of ops,
 * steps, sums, the best and the worst links; of MindSpore's versions and torch_npu, as they are and mended.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/large/spool.h"
#include "emit/report.h"
#include "offline/comm/comm.h"
#include "offline/torch/torch_joins.h"
#include "tests/unit/tree.h"

struct run_case {
    struct tree tree;
    struct offline_options o;
    struct offline_run r;
    struct torch_joins torch;
    struct offline_file ops, matrix;
    char text[1 << 15];
};

static int file_of(const char *text)
{
    struct err e = ERR_INIT;
    int fd = spool_file(&e);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    return fd;
}

static void run_case_new(struct run_case *k, enum offline_flavour flavour, bool compat, const char *ops,
                         const char *matrix)
{
    struct err e = ERR_INIT;

    *k = (struct run_case){ .ops = { .name = "communication.json", .dir = "analyze", .prof = "" },
                            .matrix = { .name = "communication_matrix.json", .dir = "analyze", .prof = "" } };
    tree_new(&k->tree);
    k->o = (struct offline_options){ .dir = k->tree.root, .below = "", .compat = compat };
    k->r = (struct offline_run){ .o = &k->o, .flavour = flavour, .file = &k->ops, .torch = &k->torch };
    k->ops.next = &k->matrix;
    k->ops.fd = file_of(ops);
    k->matrix.fd = file_of(matrix);
    assert_int_equal(arena_new(&k->r.a, 1 << 20, &e), OK);
    assert_int_equal(emit_report_new(&k->r.report, &e), OK);
}

static void run_case_done(struct run_case *k)
{
    close(k->ops.fd);
    close(k->matrix.fd);
    emit_report_free(k->r.report);
    arena_free(k->r.a);
    tree_done(&k->tree);
}

static const char *made(struct run_case *k,
                        int (*write)(struct offline_run *, const struct offline_output *, struct err *))
{
    const struct offline_output x = { .name = "made.json" };
    struct err e = ERR_INIT;

    assert_int_equal(write(&k->r, &x, &e), OK);
    int fd = open(tree_path(&k->tree, "made.json"), O_RDONLY);
    assert_true(fd >= 0);
    ssize_t n = read(fd, k->text, sizeof k->text - 1);
    assert_true(n >= 0);
    k->text[n] = '\0';
    close(fd);
    unlink(tree_path(&k->tree, "made.json"));
    return k->text;
}

#define OP(start, wait, transit, size)                                                                       \
    "{\"Communication Time Info\": {\"Start Timestamp(us)\": " start ", \"Transit Time(ms)\": " transit      \
    ", \"Wait Time(ms)\": " wait ", \"Synchronization Time(ms)\": 0, \"Wait Time Ratio\": 0.5, "             \
    "\"Synchronization Time Ratio\": 0}, \"Communication Bandwidth Info\": {\"HCCS\": "                      \
    "{\"Transit Size(MB)\": " size ", \"Transit Time(ms)\": " transit ", \"Bandwidth(GB/s)\": 1.0, "         \
    "\"Large Packet Ratio\": 0.0, \"Size Distribution\": {\"" size "\": [2, " transit "]}}}}"

static const char ops[] = "{\"hcom_send__1_0_1@5\": " OP(
    "1718087109134000.25", "0.5", "0.5",
    "2.0") ", "
           "\"hcom_allReduce__1_1_1@5\": " OP("1718087109135000.5", "1", "2.5",
                                              "4") ", "
                                                   "\"hcom_allReduce__1_2_1@5\": " OP(
                                                       "1718087109135100.5", "0", "0.25",
                                                       "4") ", "
                                                            "\"Total HCCL Operators\": " OP("0", "1", "1",
                                                                                            "1") "}";

#define LINK(size, time, rate)                                                                               \
    "{\"Transport Type\": \"HCCS\", \"Transit Size(MB)\": " size ", \"Transit Time(ms)\": " time             \
    ", \"Bandwidth(GB/s)\": " rate "}"

static const char matrix[] = "{\"hcom_allReduce__1_1_1@5\": {\"0-1\": " LINK(
    "4", "2.0",
    "2.0") "}, "
           "\"hcom_send__1_0_1@5\": {\"0-1\": " LINK(
               "2.0", "0.5",
               "4.0") "}, "
                      "\"hcom_allReduce__1_2_1@5\": {\"0-1\": " LINK("4", "1.0", "4.0") ", \"0-2\": " LINK(
                          "1", "0", "0") "}, \"Total HCCL Operators\": {}}";

static struct offline_step steps[] = {
    { .from = INT64_C(1718087109133000000), .to = INT64_C(1718087109134000250), .id = { "7", 1 } },
    { .from = INT64_C(1718087109135000000), .to = INT64_C(1718087109135050000), .id = { "8", 1 } },
};

static void set_steps(struct run_case *k)
{
    k->r.step = steps;
    k->r.n_steps = ARRAY_LEN(steps);
    k->r.is_schedule = true;
}

/* Sends in lower case are collective there; the bandwidth of sums is forgotten. */
static void test_kinds(void **state)
{
    struct run_case k;
    const char *text;

    (void)state;
    run_case_new(&k, OFFLINE_27, true, ops, matrix);
    text = made(&k, offline_comm_json);
    assert_ptr_equal(strstr(text, "{\"step0\": {\"p2p\": {}, \"collective\": {\"hcom_send__1_0_1@5\": {"),
                     text);
    assert_null(strstr(text, "Total HCCL"));
    assert_non_null(strstr(
        text,
        "\"Total Op Info\": {\"Communication Time Info\": {\"Transit Time(ms)\": 3.25, \"Wait Time(ms)\": "
        "1.5, \"Synchronization Time(ms)\": 0.0, \"Wait Time Ratio\": 0.3158, \"Synchronization Time "
        "Ratio\": 0.0}, \"Communication Bandwidth Info\": {\"HCCS\": {\"Transit Time(ms)\": 3.25, "
        "\"Transit Size(MB)\": 10.0, \"Size Distribution\": {\"2.0\": [2, 0.5], \"4\": [4, 2.75]}}}}}}}"));
    run_case_done(&k);
    run_case_new(&k, OFFLINE_27, false, ops, matrix);
    text = made(&k, offline_comm_json);
    assert_ptr_equal(strstr(text, "{\"step0\": {\"p2p\": {\"hcom_send__1_0_1@5\": {"), text);
    assert_non_null(strstr(text, "}, \"collective\": {\"hcom_allReduce__1_1_1@5\": {"));
    assert_non_null(
        strstr(text, "\"Transit Size(MB)\": 8, \"Bandwidth(GB/s)\": 2.9091, \"Size Distribution\""));
    run_case_done(&k);
}

/* An op is of the first step in which it starts, those outside of all are left out. */
static void test_steps(void **state)
{
    struct run_case k;
    const char *text;

    (void)state;
    run_case_new(&k, OFFLINE_27, true, ops, matrix);
    set_steps(&k);
    text = made(&k, offline_comm_json);
    assert_ptr_equal(strstr(text, "{\"step7\": {\"p2p\": {}, \"collective\": {\"hcom_send__1_0_1@5\""), text);
    assert_non_null(strstr(text, ", \"step8\": {\"p2p\": {}, \"collective\": {\"hcom_allReduce__1_1_1@5\""));
    assert_null(strstr(text, "__1_2_1"));
    /* steps of the matrix are in its order */
    assert_non_null(
        strstr(made(&k, offline_comm_matrix), "{\"step8\": {\"p2p\": {}, \"collective\": {\"allreduce-"));
    k.r.is_o2 = true;
    assert_non_null(strstr(made(&k, offline_comm_json), "{\"step0\": "));
    run_case_done(&k);
    run_case_new(&k, OFFLINE_25, true, ops, matrix);
    set_steps(&k);
    assert_non_null(strstr(made(&k, offline_comm_json), "{\"step\": "));
    run_case_done(&k);
}

#define ALL(type, x)                                                                                         \
    "\"" type "-top1@5\": {" x "}, \"" type "-middle@5\": {" x "}, \"" type "-bottom1@5\": {" x "}, \"" type \
    "-bottom2@5\": {" x "}, \"" type "-bottom3@5\": {" x "}"
#define ENTRY(link, size, time, rate, op)                                                                    \
    "\"" link "\": {\"Transport Type\": \"HCCS\", \"Transit Size(MB)\": " size                               \
    ", \"Transit Time(ms)\": " time ", \"Bandwidth(GB/s)\": " rate ", \"op_name\": \"" op "\"}"

static void test_matrix(void **state)
{
    struct run_case k;
    const char *text;

    (void)state;
    run_case_new(&k, OFFLINE_27, false, ops, matrix);
    text = made(&k, offline_comm_matrix);
    assert_ptr_equal(strstr(text, "{\"step0\": {\"p2p\": {" ALL(
                                      "send", ENTRY("0-1", "2.0", "0.5", "4.0",
                                                    "hcom_send__1_0_1")) ", \"send-total@5\": {"),
                     text);
    assert_non_null(strstr(
        text, "\"allreduce-top1@5\": {" ENTRY("0-1", "4", "1.0", "4.0", "hcom_allReduce__1_2_1") ", " ENTRY(
                  "0-2", "1", "0", "0", "hcom_allReduce__1_2_1") "}"));
    assert_non_null(
        strstr(text, "\"allreduce-middle@5\": {" ENTRY("0-1", "4", "2.0", "2.0", "hcom_allReduce__1_1_1")));
    assert_non_null(
        strstr(text, "\"allreduce-bottom3@5\": {" ENTRY("0-1", "4", "1.0", "4.0", "hcom_allReduce__1_2_1")));
    assert_non_null(strstr(text,
                           "\"allreduce-total@5\": {\"0-1\": {\"Transport Type\": \"HCCS\", \"Transit "
                           "Size(MB)\": 8, \"Transit Time(ms)\": 3.0, \"Bandwidth(GB/s)\": 2.6667}, \"0-2\": "
                           "{\"Transport Type\": \"HCCS\", \"Transit Size(MB)\": 1, \"Transit Time(ms)\": 0, "
                           "\"Bandwidth(GB/s)\": 0}}}}}"));
    run_case_done(&k);
}

/* torch_npu writes the lower ones where there are so many, after the sum. */
static void test_matrix_torch(void **state)
{
    struct run_case k;
    const char *text;

    (void)state;
    run_case_new(&k, OFFLINE_TORCH, true, ops, matrix);
    text = made(&k, offline_comm_matrix);
    assert_ptr_equal(
        strstr(text, "{\"step\": {\"p2p\": {\"send-top1@5\": {\"0-1\": {\"Transport Type\": \"HCCS\", "),
        text);
    assert_non_null(strstr(text, ", \"Op Name\": \"hcom_send__1_0_1\"}"));
    assert_null(strstr(text, "send-bottom2"));
    const char *total = strstr(text, "\"allreduce-total@5\""),
               *second = strstr(text, "\"allreduce-bottom2@5\"");
    assert_true(total && second && total < second);
    assert_null(strstr(text, "allreduce-bottom3"));
    run_case_done(&k);
}

/* Steps of torch_npu are windows on the device, which need not begin in their order. */
static void test_steps_torch(void **state)
{
    static struct torch_step windows[] = {
        { .id = { "7", 1 }, .from = INT64_C(1718087109135000000), .to = INT64_C(1718087109135050000) },
        { .id = { "8", 1 }, .from = INT64_C(1718087109133000000), .to = INT64_C(1718087109134000250) },
        { .id = { "9", 1 }, .from = INT64_C(1718087109135060000), .to = INT64_C(1718087109136000000) },
    };
    struct run_case k;
    const char *text;

    (void)state;
    run_case_new(&k, OFFLINE_TORCH, true, ops, matrix);
    k.torch.step = windows;
    k.torch.n_steps = ARRAY_LEN(windows);
    text = made(&k, offline_comm_json);
    assert_ptr_equal(strstr(text, "{\"step7\": {\"p2p\": {}, \"collective\": {\"hcom_allReduce__1_1_1@5\""),
                     text);
    assert_non_null(strstr(text, ", \"step8\": {\"p2p\": {\"hcom_send__1_0_1@5\""));
    assert_non_null(strstr(text, ", \"step9\": {\"p2p\": {}, \"collective\": {\"hcom_allReduce__1_2_1@5\""));
    run_case_done(&k);
}

static void check_type(enum offline_flavour flavour, bool compat, const char *op, bool p2p, const char *type)
{
    struct offline_options o = { .compat = compat };
    struct offline_run r = { .o = &o, .flavour = flavour };
    const struct comm_rules *x = comm_rules_of(&r);

    assert_int_equal(comm_is_p2p(x, str_of(op)), p2p);
    assert_true(str_eq(comm_type(x, str_of(op), p2p), str_of(type)));
}

static void test_types(void **state)
{
    (void)state;
    check_type(OFFLINE_26, true, "hcom_reduceScatter__1_0_1@5", false, "reduce");
    check_type(OFFLINE_26, false, "hcom_reduceScatter__1_0_1@5", false, "reducescatter");
    check_type(OFFLINE_26, true, "hcom_alltoallvc__1_0_1@5", false, "alltoall");
    check_type(OFFLINE_26, false, "hcom_alltoallvc__1_0_1@5", false, "alltoallvc");
    check_type(OFFLINE_26, true, "Default/Send-op3", true, "send");
    check_type(OFFLINE_26, true, "Default/MyOwn-op3", false, "MyOwn");
    check_type(OFFLINE_TORCH, true, "hcom_batchSendRecv__1_0_1@5", true, "batchsendrecv");
    check_type(OFFLINE_27, true, "hcom_batchSendRecv__1_0_1@5", true, "send");
    check_type(OFFLINE_TORCH, true, "hcom_mine__1_0_1@5", false, "hcom_mine");
    check_type(OFFLINE_TORCH, true, "Default/Send-op3", false, "send");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),        cmocka_unit_test(test_steps), cmocka_unit_test(test_matrix),
        cmocka_unit_test(test_matrix_torch), cmocka_unit_test(test_types), cmocka_unit_test(test_steps_torch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
