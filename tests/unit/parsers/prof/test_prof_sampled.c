/* SPDX-License-Identifier: Apache-2.0 */
/* Sampled data of PROF folders: what the records hold, and the rates that are made of them. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "parsers/prof/sampled/sampled.h"
#include "tests/unit/parsers/prof/prof_case.h"

#define DEVICE PROF_NAME "/device_0/data/"

static struct tree tree;

static int set_up(void **state)
{
    (void)state;
    tree_new(&tree);
    prof_info_files(&tree, 5);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tree_done(&tree);
    return 0;
}

static struct prof_case open_tree(void)
{
    struct err e = ERR_INIT;
    struct prof_case c;

    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    return c;
}

static void set_version_2(void)
{
    char info[600];

    snprintf(info, sizeof info, PROF_DEVICE_JSON, 5);
    memcpy(strstr(info, "\"1.0\""), "\"2.0\"", 5);
    tree_file(&tree, PROF_NAME "/device_0/info.json.0", info);
}

/* us to ns. */
static int64_t plain(const void *arg, uint64_t us)
{
    (void)arg;
    return (int64_t)us * 1000;
}

/* ---- hbm ---- */

static void hbm_put(unsigned char *p, uint64_t us, uint64_t count, uint32_t event, uint32_t id)
{
    put_le(p, us, 8);
    put_le(p + 8, count, 8);
    put_le(p + 16, event, 4);
    put_le(p + 20, id, 4);
}

struct hbm {
    struct prof_hbm_point *v;
    size_t n;
};
static struct hbm read_hbm(void)
{
    struct prof_case c = open_tree();
    struct err e = ERR_INIT;
    struct hbm h;

    assert_int_equal(prof_hbm_points(c.p, c.p->device[0], plain, NULL, &h.v, &h.n, &e), OK);
    prof_case_close(&c);
    return h;
}

/* Four memories, reads alone: the sample before lies four points before. */
static void hbm_rate_is_of_the_time_since_the_sample_before(void **state)
{
    unsigned char p[9 * 24];

    (void)state;
    tree_file(&tree, PROF_NAME "/device_0/sample.json", "{\"hbm_profiling_events\": \"read\"}");
    for (uint32_t i = 0; i < 8; i++)
        hbm_put(p + 24 * (7 - i), 1000 + 2000 * (i / 4), 65536 * (1 + i), 0, i % 4);
    hbm_put(p + 24 * 8, 3000, 131072, 0, 3); /* replaces the one of this memory at this time */
    tree_file_n(&tree, DEVICE "hbm.data.0.slice_0", (const char *)p, sizeof p);
    struct hbm h = read_hbm();
    assert_int_equal(h.n, 8);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(h.v[i].id, i % 4);
        assert_int_equal(h.v[i].ns, i < 4 ? 1000000 : 3000000);
    }
    assert_true(h.v[3].mbs == 0);
    /* 5 * 65536 * 32 bytes are 10 MiB, in 2 ms */
    assert_true(h.v[4].mbs == 5000);
    assert_true(h.v[7].mbs == 2000);
    free(h.v);
}

static void hbm_of_version_2(void **state)
{
    unsigned char p[2 * 32] = { 0 };

    (void)state;
    set_version_2();
    for (uint32_t i = 0; i < 2; i++) {
        put_le(p + 32 * i + 8, 1 - i, 4);
        put_le(p + 32 * i + 12, 2, 4);
        put_le(p + 32 * i + 16, 100 + i, 8);
        put_le(p + 32 * i + 24, 7, 8);
    }
    tree_file_n(&tree, DEVICE "hbm.data.0.slice_0", (const char *)p, sizeof p);
    struct hbm h = read_hbm();
    assert_int_equal(h.n, 2);
    assert_false(h.v[0].write); /* reads first */
    assert_int_equal(h.v[0].count, 101);
    assert_true(h.v[1].write);
    assert_int_equal(h.v[1].id, 2);
    assert_int_equal(h.v[1].ns, 7000);
    free(h.v);
}

static void hbm_nothing_gives_nothing(void **state)
{
    (void)state;
    struct hbm h = read_hbm();
    assert_int_equal(h.n, 0);
    assert_null(h.v);
}

/* ---- ddr ---- */

static int see_sample(void *arg, const struct prof_sample *s, struct err *e)
{
    (void)e;
    *(struct prof_sample *)arg = *s;
    return OK;
}

static void ddr_record(void **state)
{
    struct prof_sample s = { 0 };
    struct err e = ERR_INIT;
    unsigned char p[20];

    (void)state;
    put_le(p, 9, 4);
    put_le(p + 4, 1000, 4);
    put_le(p + 8, 1, 4);
    put_le(p + 12, 3, 4);
    put_le(p + 16, UINT32_MAX, 4);
    tree_file_n(&tree, DEVICE "ddr.data.0.slice_0", (const char *)p, sizeof p);
    struct prof_case c = open_tree();
    assert_int_equal(prof_sample_read(c.p, c.p->device[0], PROF_DDR, see_sample, &s, &e), OK);
    assert_int_equal(s.us, 9);
    assert_int_equal(s.count, 1000);
    assert_int_equal(s.event, 1);
    assert_int_equal(s.id, 3);
    prof_case_close(&c);
}

/* ---- llc ---- */

static const uint32_t llc_read[8] = { 0x00, 0x01, 0x02, 0x13, 0x20, 0x22, 0x34, 0x36 };

static void llc_put(unsigned char *p, uint64_t us, uint32_t id, const uint64_t count[8])
{
    for (size_t i = 0; i < 8; i++, p += 24) {
        put_le(p, us, 8);
        put_le(p + 8, count[i], 8);
        put_le(p + 16, llc_read[i], 4);
        put_le(p + 20, id, 4);
    }
}

static void llc_hit_rate_and_throughput(void **state)
{
    static const uint64_t first[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    static const uint64_t second[8] = { 16384, 16384, 1, 0, 32, 0, 0, 0 };
    struct prof_llc_point *v;
    struct err e = ERR_INIT;
    unsigned char p[3 * 192];
    size_t n;

    (void)state;
    tree_file(&tree, PROF_NAME "/device_0/sample.json", "{\"llc_profiling\": \"read\"}");
    llc_put(p, 3000, 1, second);
    llc_put(p + 192, 1000, 1, first);
    llc_put(p + 384, 1000, 2, first); /* this chip has two */
    tree_file_n(&tree, DEVICE "llc.data.0.slice_0", (const char *)p, sizeof p);
    struct prof_case c = open_tree();
    assert_int_equal(prof_llc_points(c.p, c.p->device[0], plain, NULL, &v, &n, &e), OK);
    assert_int_equal(n, 2);
    assert_int_equal(v[0].ns, 1000000);
    assert_int_equal(v[0].hit_e3, 1750); /* (3 + 4 + 6 + 8) / (5 + 7) */
    assert_int_equal(v[0].mbs_e3, 0);
    assert_int_equal(v[1].id, 1);
    assert_int_equal(v[1].hit_e3, 31); /* 1 / 32 = 0.03125 */
    /* 32768 lines of 64 bytes are 2 MiB, in 2 ms */
    assert_int_equal(v[1].mbs_e3, 1000000);
    assert_int_equal(v[1].mbs64_e3, 64000000);
    free(v);
    prof_case_close(&c);
}

static void llc_of_no_mode_is_nothing(void **state)
{
    struct prof_llc_point *v;
    struct err e = ERR_INIT;
    size_t n;

    (void)state;
    tree_file_n(&tree, DEVICE "llc.data.0.slice_0", (const char[24]){ 0 }, 24);
    struct prof_case c = open_tree();
    assert_int_equal(prof_llc_points(c.p, c.p->device[0], plain, NULL, &v, &n, &e), OK);
    assert_int_equal(n, 0);
    assert_null(v);
    prof_case_close(&c);
}

/* ---- hccs ---- */

static void hccs_rates_between_samples(void **state)
{
    struct prof_hccs_point *v;
    struct err e = ERR_INIT;
    size_t n;

    (void)state;
    /* out of order; the third goes down; 2 MiB in 1 ms; a half to even: 0.0625 * 1000 = 62.5 */
    tree_file(&tree, DEVICE "hccs.data.0.slice_0",
              "timestamp txAmount rxAmount\n2000000: 2097152 0\n1000000: 0 0\n3000000: 5 0\n"
              "bad\n1003000000: 65541 0\n");
    struct prof_case c = open_tree();
    assert_int_equal(prof_hccs_points(c.p, c.p->device[0], false, &v, &n, &e), OK);
    assert_int_equal(n, 2);
    assert_int_equal(v[0].ns, 2000000);
    assert_int_equal(v[0].tx_e3, 2000000);
    assert_int_equal(v[0].rx_e3, 0);
    assert_int_equal(v[1].ns, 1003000000);
    assert_int_equal(v[1].tx_e3, 62);
    assert_int_equal(sink_count_get(c.notes)->notes[NOTE_BAD_ROW], 1);
    free(v);
    assert_int_equal(prof_hccs_points(c.p, c.p->device[0], true, &v, &n, &e), OK);
    assert_int_equal(n, 1);
    free(v);
    prof_case_close(&c);
}

/* ---- pcie, l2_cache ---- */

static int see_pcie(void *arg, const struct prof_pcie *s, struct err *e)
{
    (void)e;
    *(struct prof_pcie *)arg = *s;
    return OK;
}

static int see_l2(void *arg, const struct prof_l2_cache *s, struct err *e)
{
    (void)e;
    *(struct prof_l2_cache *)arg = *s;
    return OK;
}

static void pcie_and_l2_cache_records(void **state)
{
    struct prof_l2_cache l2 = { 0 };
    struct prof_pcie s = { 0 };
    struct err e = ERR_INIT;
    unsigned char p[96], q[72];

    (void)state;
    put_le(p, 123456, 8);
    put_le(p + 8, 4, 4);
    for (uint32_t i = 0; i < 21; i++)
        put_le(p + 12 + 4 * i, 100 + i, 4);
    put_le(q, 1, 2);
    put_le(q + 2, 5, 2);
    put_le(q + 4, 6, 2);
    for (uint32_t i = 0; i < 8; i++)
        put_le(q + 8 + 8 * i, 200 + i, 8);
    tree_file_n(&tree, DEVICE "pcie.data.0.slice_0", (const char *)p, sizeof p);
    tree_file_n(&tree, DEVICE "l2_cache.data.0.slice_0", (const char *)q, sizeof q);
    struct prof_case c = open_tree();
    assert_int_equal(prof_pcie_read(c.p, c.p->device[0], see_pcie, &s, &e), OK);
    assert_int_equal(s.ns, 123456);
    assert_int_equal(s.device, 4);
    assert_int_equal(s.v[PROF_TX_POST].min, 100);
    assert_int_equal(s.v[PROF_TX_LATENCY].max, 110);
    assert_int_equal(s.v[PROF_RX_CPL].avg, 120);
    assert_int_equal(prof_l2_cache_read(c.p, c.p->device[0], see_l2, &l2, &e), OK);
    assert_int_equal(l2.stream, 5);
    assert_int_equal(l2.task, 6);
    assert_int_equal(l2.event[7], 207);
    prof_case_close(&c);
}

/* ---- nic, roce ---- */

static int see_net(void *arg, const struct prof_net *s, struct err *e)
{
    struct prof_net **at = arg;

    (void)e;
    *(*at)++ = *s;
    return OK;
}

static void net_last_line_may_be_cut(void **state)
{
    struct prof_net v[4] = { 0 }, *at = v;
    struct err e = ERR_INIT;

    (void)state;
    tree_file(&tree, DEVICE "nic.data.0.slice_0",
              "500: 1 1 2 3 4 5 6 7 8 9 10 11 12 10\n600: 1 1 2 3 4 5 6 7 8 9 10 11 12 1");
    struct prof_case c = open_tree();
    assert_int_equal(prof_net_read(c.p, c.p->device[0], PROF_NIC, see_net, &at, &e), OK);
    assert_ptr_equal(at, v + 1);
    assert_int_equal(sink_count_get(c.notes)->notes[NOTE_TORN_RECORD], 1);
    prof_case_close(&c);
}

static void net_lines(void **state)
{
    struct prof_net v[4] = { 0 }, *at = v;
    struct err e = ERR_INIT;

    (void)state;
    tree_file(&tree, DEVICE "roce.data.0.slice_0",
              "timestamp bandwidth rxPacket/s rxByte/s rxPackets rxBytes rxErrors rxDropped "
              "txPacket/s txByte/s txPackets txBytes txErrors txDropped funcId\n"
              "500: 100000 1 2 3 4 5 6 7 8 9 10 11 12 1\n"
              "600: 100000 1 2 3 4 5 6 7 8 9 10 11 12\n"
              "700: 100000 1 2 3 4 -5 6 7 8 9 10 11 12 1\n"
              "  800:\t100000 1 2 3 4 5 6 7 8 9 10 11 12 0\n");
    struct prof_case c = open_tree();
    assert_int_equal(prof_net_read(c.p, c.p->device[0], PROF_ROCE, see_net, &at, &e), OK);
    assert_ptr_equal(at, v + 2);
    assert_int_equal(v[0].ns, 500);
    assert_int_equal(v[0].v[PROF_NET_BANDWIDTH], 100000);
    assert_int_equal(v[0].v[PROF_NET_RX_BYTES], 4);
    assert_int_equal(v[0].v[PROF_NET_TX_DROPPED], 12);
    assert_int_equal(v[0].v[PROF_NET_FUNC], 1);
    assert_int_equal(v[1].ns, 800);
    assert_int_equal(sink_count_get(c.notes)->notes[NOTE_BAD_ROW], 2);
    prof_case_close(&c);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(hbm_rate_is_of_the_time_since_the_sample_before),
        TEST(hbm_of_version_2),
        TEST(hbm_nothing_gives_nothing),
        TEST(ddr_record),
        TEST(llc_hit_rate_and_throughput),
        TEST(llc_of_no_mode_is_nothing),
        TEST(hccs_rates_between_samples),
        TEST(pcie_and_l2_cache_records),
        TEST(net_lines),
        TEST(net_last_line_may_be_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
