/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a chip samples of itself: every field of its records, the curves of the store, and the exported files.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "parsers/prof/sampled/sampled.h"
#include "parsers/prof/sampled/soc.h"
#include "tests/unit/parsers/prof/sampled_case.h"

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

static void set_sample(const char *text)
{
    tree_file(&tree, PROF_NAME "/device_0/sample.json", text);
}

/* ---- records ---- */

#define MAX_RECORDS 16
static unsigned char bytes[MAX_RECORDS * 888];
static size_t n_bytes;

static unsigned char *next(size_t n)
{
    unsigned char *p = bytes + n_bytes;

    assert_true(n_bytes + n <= sizeof bytes);
    memset(p, 0, n);
    n_bytes += n;
    return p;
}

static void write_to(const char *name)
{
    char path[200];

    snprintf(path, sizeof path, DEVICE "%s", name);
    tree_file_n(&tree, path, (const char *)bytes, n_bytes);
    n_bytes = 0;
}

/* A record of stars_soc_profile, counter in us behind the clock. */
static unsigned char *soc(unsigned function, unsigned high, uint64_t us)
{
    unsigned char *p = next(64);

    put_le(p, function | high << 10, 2);
    put_le(p + 8, 3000 + us * 50, 8);
    return p;
}

/* n values of a size from an offset on: from, from + 1 ... */
static void values(unsigned char *p, size_t at, unsigned size, unsigned n, uint64_t from)
{
    for (unsigned i = 0; i < n; i++)
        put_le(p + at + (size_t)i * size, from + i, size);
}

static void sio(unsigned id, uint64_t us, uint64_t from)
{
    unsigned char *p = soc(PROF_SOC_SIO, 0, us);

    put_le(p + 18, id, 2);
    values(p, 32, 4, 4, from);
    values(p, 48, 4, 4, from + 4);
}

static void write_profile(void)
{
    unsigned char *p;

    sio(0, 100, 1);
    sio(1, 100, 1);
    p = soc(PROF_SOC_ACC, 0, 150);
    put_le(p + 18, 7, 2);
    values(p, 32, 8, 2, 11);
    values(p, 48, 8, 2, 21);
    p = soc(PROF_SOC_ACC, 0, 150);
    put_le(p + 18, 8, 2);
    values(p, 32, 8, 2, 5);
    values(p, 48, 8, 2, 99);
    p = soc(PROF_SOC_LINK, PROF_LINK_PA, 160);
    put_le(p + 18, 64 + 3, 2);
    values(p, 32, 8, 2, 31);
    p = soc(PROF_SOC_LINK, PROF_LINK_PCIE, 170);
    put_le(p + 18, 2, 2);
    values(p, 32, 8, 2, 41);
    p = soc(PROF_SOC_LEVEL, 0, 180);
    put_le(p + 32, 5 | 200 << 3, 2);
    sio(0, 1100, 1 << 20);
    sio(1, 1100, 2 << 20);
    sio(0, 1100, 9); /* no time went by */
    (void)soc(63, 0, 1);
    write_to("stars_soc_profile.data.0.slice_0");
}

static void write_qos(void)
{
    unsigned char *p = next(64);

    put_le(p + 8, 1, 8);
    put_le(p + 16, 3000 + 50 * 50, 8);
    values(p, 24, 4, 10, 4096);
    write_to("qos.data.0.slice_0");
    set_sample("{\"qosEvents\": \"aic, m\\\"x\"}");
}

static void ddr(uint32_t us, uint32_t count, uint32_t event, uint32_t id, uint32_t master)
{
    unsigned char *p = next(20);

    put_le(p, us, 4);
    put_le(p + 4, count, 4);
    put_le(p + 8, event, 4);
    put_le(p + 12, id, 4);
    put_le(p + 16, master, 4);
}

/* At 1 ms and 3 ms, of two controllers: 65536 accesses of 16 bytes are 1 MB. */
static void write_ddr(void)
{
    ddr(3000, 131072, 0, 0, UINT32_MAX);
    ddr(1000, 65536, 0, 0, UINT32_MAX);
    ddr(1000, 65536, 0, 1, UINT32_MAX);
    ddr(1000, 32768, 1, 1, UINT32_MAX);
    ddr(1000, 65536, 0, 0, 9);
    write_to("ddr.data.0.slice_0");
}

/* ---- readers ---- */

struct seen {
    struct prof_soc v[MAX_RECORDS];
    size_t n;
};
static int see(void *arg, const struct prof_soc *s, struct err *e)
{
    struct seen *x = arg;

    (void)e;
    assert_true(x->n < MAX_RECORDS);
    x->v[x->n++] = *s;
    return OK;
}

static struct seen read_soc(enum prof_tag tag, uint64_t notes)
{
    struct seen x = { .n = 0 };
    struct err e = ERR_INIT;
    struct prof_case c;

    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    assert_int_equal(prof_soc_read(c.p, c.p->device[0], tag, see, &x, &e), OK);
    assert_int_equal(sink_count_get(c.notes)->note_calls, notes);
    prof_case_close(&c);
    return x;
}

static void assert_values(const struct prof_soc *s, unsigned n, const uint64_t *want)
{
    assert_int_equal(s->n, n);
    for (unsigned i = 0; i < n; i++)
        assert_int_equal(s->v[i], want[i]);
}

static void records_of_the_chip_are_read(void **state)
{
    (void)state;
    write_profile();
    struct seen x = read_soc(PROF_STARS_PROFILE, 1); /* the unknown one is told */
    assert_int_equal(x.n, 10);
    assert_int_equal(x.v[1].kind, PROF_SOC_SIO);
    assert_int_equal(x.v[1].id, 1);
    assert_int_equal(x.v[1].counter, 8000);
    assert_values(&x.v[1], 8, (const uint64_t[]){ 1, 2, 3, 4, 5, 6, 7, 8 });
    assert_int_equal(x.v[2].id, 7);
    assert_values(&x.v[2], 4, (const uint64_t[]){ 12, 11, 22, 21 });
    assert_int_equal(x.v[4].type, PROF_LINK_PA);
    assert_int_equal(x.v[4].id, 3);
    assert_values(&x.v[4], 2, (const uint64_t[]){ 31, 32 });
    assert_int_equal(x.v[5].type, PROF_LINK_PCIE);
    assert_values(&x.v[6], 2, (const uint64_t[]){ 200, 5 });
}

static void records_of_later_chips_lie_otherwise(void **state)
{
    unsigned char *p;

    (void)state;
    prof_info_files(&tree, 15);
    p = soc(PROF_SOC_SIO, 0, 1);
    put_le(p + 1, 3 << 2, 1);
    values(p, 28, 4, 4, 1);
    values(p, 48, 4, 4, 5);
    p = soc(PROF_SOC_LINK, 2, 1);
    values(p, 16, 8, 2, 61);
    p = soc(PROF_SOC_POWER, 1, 2);
    values(p, 24, 2, 20, 100);
    p = soc(PROF_SOC_QOS, 1, 3);
    values(p, 24, 4, 10, 7);
    write_to("stars_soc_profile.data.0.slice_0");
    struct seen x = read_soc(PROF_STARS_PROFILE, 0);
    assert_int_equal(x.n, 4);
    assert_int_equal(x.v[0].id, 3);
    assert_values(&x.v[0], 8, (const uint64_t[]){ 1, 2, 3, 4, 5, 6, 7, 8 });
    assert_int_equal(x.v[1].id, 2);
    assert_int_equal(x.v[1].type, PROF_LINK_PCIE);
    assert_values(&x.v[1], 2, (const uint64_t[]){ 61, 62 });
    assert_int_equal(x.v[2].id, 1);
    assert_int_equal(x.v[2].v[0], 101);
    assert_int_equal(x.v[2].v[1], 100);
    assert_int_equal(x.v[2].v[PROF_POWER_FREQ], 111);
    assert_int_equal(x.v[3].id, 1);
    assert_values(&x.v[3], 10, (const uint64_t[]){ 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 });
}

static void qos_has_no_die(void **state)
{
    (void)state;
    write_qos();
    struct seen x = read_soc(PROF_QOS, 0);
    assert_int_equal(x.n, 1);
    assert_int_equal(x.v[0].kind, PROF_SOC_QOS);
    assert_int_equal(x.v[0].id, PROF_SOC_NO_DIE);
    assert_int_equal(x.v[0].counter, 5500);
    assert_int_equal(x.v[0].n, 10);
    assert_int_equal(x.v[0].v[9], 4105);
}

static void ddr_adds_controllers_and_distinguishes_masters(void **state)
{
    struct prof_ddr_point *v;
    struct err e = ERR_INIT;
    struct prof_case c;
    size_t n;

    (void)state;
    write_ddr();
    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    assert_int_equal(prof_ddr_points(c.p, c.p->device[0], &v, &n, &e), OK);
    assert_int_equal(n, 3);
    assert_int_equal(v[0].us, 1000);
    assert_int_equal(v[0].master, PROF_NONE);
    assert_true(v[0].mbs[0] == 2000 && v[0].mbs[1] == 500);
    assert_true(v[0].mbs_thousandth[0] == 2 && v[0].mbs_thousandth[1] == 0.5);
    assert_int_equal(v[1].us, 3000);
    assert_true(v[1].mbs[0] == 1000 && v[1].mbs[1] == 0);
    assert_int_equal(v[2].master, 9);
    assert_true(v[2].mbs[0] == 1000);
    free(v);
    prof_case_close(&c);
}

static void put_change(unsigned char *p, size_t i, uint64_t counter, uint32_t mv)
{
    put_le(p + 8 + 16 * i, counter, 8);
    put_le(p + 16 + 16 * i, mv, 4);
}

/* Before the clock, at it and later; the count of the bus is more than a record holds. */
static void write_voltages(void)
{
    unsigned char *p = next(888);

    put_le(p, 3, 4);
    put_le(p + 4, 1, 4);
    put_change(p, 0, 3000 + 2000 * 50, 820);
    put_change(p, 1, 2999, 800);
    put_change(p, 2, 3000 + 1000 * 50, 810);
    p = next(888);
    put_le(p, 56, 4);
    put_le(p + 4, 2, 4);
    for (size_t i = 0; i < 55; i++)
        put_change(p, i, 4000 + i, 700 + (uint32_t)i);
    p = next(888);
    put_le(p, 1, 4); /* a frequency */
    write_to("lpmInfoConv.data.0.slice_0");
}

static void voltages_are_in_order(void **state)
{
    struct prof_voltage *v;
    struct err e = ERR_INIT;
    struct prof_case c;
    size_t n;

    (void)state;
    write_voltages();
    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    assert_int_equal(prof_voltages(c.p, c.p->device[0], &v, &n, &e), OK);
    assert_int_equal(n, 3 + 55);
    assert_true(v[0].counter == 3000 && v[0].mv == 800 && !v[0].bus);
    assert_true(v[1].counter == 53000 && v[1].mv == 810);
    assert_true(v[2].mv == 820 && !v[2].bus);
    assert_true(v[3].bus && v[3].counter == 4000 && v[57].mv == 754);
    assert_int_equal(sink_count_get(c.notes)->note_calls, 1);
    free(v);
    prof_case_close(&c);
}

/* ---- curves of the store ---- */

static char out[1 << 16];

static void has_points(const char *process, const char *want)
{
    sampled_points(&tree, process, out, sizeof out);
    assert_string_equal(out, want);
}

static void samples_become_curves(void **state)
{
    (void)state;
    write_profile();
    write_qos();
    write_ddr();
    has_points("SIO", "die 0 req_rx MB/s: 5001100000 1000\n"
                      "die 0 rsp_rx MB/s: 5001100000 1000.0009536743164\n"
                      "die 0 snp_rx MB/s: 5001100000 1000.0019073486328\n"
                      "die 0 dat_rx MB/s: 5001100000 1000.0028610229492\n"
                      "die 0 req_tx MB/s: 5001100000 1000.0038146972656\n"
                      "die 0 rsp_tx MB/s: 5001100000 1000.004768371582\n"
                      "die 0 snp_tx MB/s: 5001100000 1000.0057220458984\n"
                      "die 0 dat_tx MB/s: 5001100000 1000.0066757202148\n"
                      "die 1 req_rx MB/s: 5001100000 2000\n"
                      "die 1 rsp_rx MB/s: 5001100000 2000.0009536743164\n"
                      "die 1 snp_rx MB/s: 5001100000 2000.0019073486328\n"
                      "die 1 dat_rx MB/s: 5001100000 2000.0028610229492\n"
                      "die 1 req_tx MB/s: 5001100000 2000.0038146972656\n"
                      "die 1 rsp_tx MB/s: 5001100000 2000.004768371582\n"
                      "die 1 snp_tx MB/s: 5001100000 2000.0057220458984\n"
                      "die 1 dat_tx MB/s: 5001100000 2000.0066757202148\n");
    has_points("Acc PMU", "7 read_bandwidth : 5000150000 12\n7 write_bandwidth : 5000150000 11\n"
                          "7 read_ost : 5000150000 22\n7 write_ost : 5000150000 21\n"
                          "8 read_bandwidth : 5000150000 6\n8 write_bandwidth : 5000150000 5\n"
                          "8 read_ost : 5000150000 100\n8 write_ost : 5000150000 99\n");
    has_points("Stars Chip Trans", "PA Link 3/Rx : 5000160000 31\nPA Link 3/Tx : 5000160000 32\n"
                                   "PCIE 2/Write Bandwidth : 5000170000 41\n"
                                   "PCIE 2/Read Bandwidth : 5000170000 42\n");
    has_points("Stars Soc", "L2 Buffer Bw Level : 5000180000 200\nMata Bw Level : 5000180000 5\n");
    has_points("QoS", "aic MB/s: 5000050000 4096\nm\"x MB/s: 5000050000 4097\n");
    has_points("DDR", "Read MB/s: 5001000000 2000\nWrite MB/s: 5001000000 500\n"
                      "Read MB/s: 5003000000 1000\nWrite MB/s: 5003000000 0\n"
                      "Master 9/Read MB/s: 5001000000 1000\nMaster 9/Write MB/s: 5001000000 0\n");
}

static void voltages_become_curves(void **state)
{
    static const char want[] = "Aicore Voltage mV: 5000000000 800\nAicore Voltage mV: 5001000000 810\n"
                               "Aicore Voltage mV: 5002000000 820\nBus Voltage mV: 5000020000 700\n"
                               "Bus Voltage mV: 5000020020 701\n";

    (void)state;
    write_voltages();
    sampled_points(&tree, "Voltage Info", out, sizeof out);
    assert_true(strncmp(out, want, sizeof want - 1) == 0);
}

static void later_chips_have_dies(void **state)
{
    unsigned char *p;

    (void)state;
    prof_info_files(&tree, 15);
    set_sample("{\"qosEvents\": \"aic\"}");
    p = soc(PROF_SOC_POWER, 1, 2);
    put_le(p + 24 + 2 * 11, 1650, 2);
    p = soc(PROF_SOC_POWER, 2, 2); /* has no AI cores */
    put_le(p + 24 + 2 * 11, 1650, 2);
    p = soc(PROF_SOC_QOS, 1, 3);
    values(p, 24, 4, 10, 7);
    p = soc(PROF_SOC_LINK, 1, 4);
    put_le(p + 16, UINT64_MAX, 8);
    write_to("stars_soc_profile.data.0.slice_0");
    has_points("AI Core Freq", "AI Core Freq Die 1 MHz: 5000002000 1650\n");
    has_points("QoS", "aic die 1 MB/s: 5000003000 9\n");
    has_points("Stars Chip Trans", "");
    sampled_export(&tree, (struct msprof_options){ .what = MSPROF_TIMELINE | MSPROF_DB });
    sampled_counters(&tree, "QoS aic", out, sizeof out);
    assert_string_equal(out, "0,\"ts\":\"5000003.000\",\"ph\":\"C\",\"args\":{\"die 1\":9}\n");
    sampled_counters(&tree, "AI Core Freq Die 1", out, sizeof out);
    assert_string_equal(out, "0,\"ts\":\"5000002.000\",\"ph\":\"C\",\"args\":{\"MHz\":1650}\n");
    sampled_rows(&tree, "SELECT bandwidth, dieId FROM QOS", out, sizeof out);
    assert_string_equal(out, "9437184|1\n");
}

/*
 * A counter that is far too high does not end those of its die; what does not fit is told once, as are
 * records that nobody knows.
 */
static void links_go_on_after_a_damaged_counter(void **state)
{
    struct seen x = { .n = 0 };
    struct err e = ERR_INIT;
    struct prof_case c;

    (void)state;
    sio(0, 100, 1);
    sio(0, (uint64_t)1 << 40, 2);
    sio(0, 1100, 3);
    sio(0, 2100, 4);
    sio(0, 3100, 5);
    (void)soc(63, 0, 1);
    write_to("stars_soc_profile.data.0.slice_0");
    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(prof_soc_read(c.p, c.p->device[0], PROF_STARS_PROFILE, see, &x, &e), OK);
        assert_int_equal(sink_count_get(c.notes)->note_calls, 2);
    }
    struct prof_sio s = { .known = 0 };
    uint64_t before, good = 0;
    for (size_t i = 0; i < 5; i++)
        good += prof_sio_next(&s, &x.v[i], &before);
    assert_int_equal(good, 3);
    assert_int_equal(s.n_back, 1);
    assert_int_equal(before, 3000 + 2100 * 50);
    prof_case_close(&c);
}

/* ---- the export ---- */

static void has_counters(const char *name, const char *want)
{
    sampled_counters(&tree, name, out, sizeof out);
    assert_string_equal(out, want);
}

static void has_rows(const char *sql, const char *want)
{
    sampled_rows(&tree, sql, out, sizeof out);
    assert_string_equal(out, want);
}

static void samples_become_layers_and_tables(void **state)
{
    (void)state;
    write_profile();
    write_qos();
    write_ddr();
    sampled_export(&tree, (struct msprof_options){ .what = MSPROF_SUMMARY | MSPROF_TIMELINE });
    has_counters("DDR/Read", "0,\"ts\":\"5001000.000\",\"ph\":\"C\",\"args\":{\"Read(MB/s)\":2000.0}\n"
                             "0,\"ts\":\"5003000.000\",\"ph\":\"C\",\"args\":{\"Read(MB/s)\":1000.0}\n");
    has_counters("dat_tx", "0,\"ts\":\"5001100.000\",\"ph\":\"C\",\"args\":{\"die 0\":1000.0066757202148,"
                           "\"die 1\":2000.0066757202148}\n");
    has_counters("read_ost", "0,\"ts\":\"5000150.000\",\"ph\":\"C\",\"args\":{\"value\":100}\n");
    has_counters("write_bandwidth", "0,\"ts\":\"5000150.000\",\"ph\":\"C\",\"args\":{\"value\":11}\n");
    has_counters("PA Link Tx", "111111,\"ts\":\"5000160.000\",\"ph\":\"C\",\"args\":{\"PA Link "
                               "ID\":3,\"PA Link Tx\":32}\n");
    has_counters("PCIE Write Bandwidth", "100010,\"ts\":\"5000170.000\",\"ph\":\"C\",\"args\":{\"PCIE "
                                         "ID\":2,\"PCIE Write Bandwidth\":41}\n");
    has_counters("Mata Bw Level", "0,\"ts\":\"5000180.000\",\"ph\":\"C\",\"args\":{\"Mata Bw Level\":5}\n");
    has_counters("QoS m\\\"x", "0,\"ts\":\"5000050.000\",\"ph\":\"C\",\"args\":{\"value\":4097}\n");
    assert_string_equal(sampled_file(&tree, "ddr_" SAMPLED_STAMP ".csv"),
                        "Device_id,Metric,Read(MB/s),Write(MB/s)\n0,Average,1500.0,250.0\n");
    has_rows("SELECT * FROM DDR", "0|5001000000|2097152000|524288000\n0|5003000000|1048576000|0\n");
    has_rows("SELECT * FROM ACC_PMU", "7|12|11|22|21|5000150000|0\n8|6|5|100|99|5000150000|0\n");
    has_rows("SELECT * FROM SOC_BANDWIDTH_LEVEL", "200|5|5000180000|0\n");
    has_rows("SELECT value, bandwidth, timestampNs, dieId FROM QOS JOIN STRING_IDS ON id = "
             "eventName ORDER BY 1",
             "QoS aic|4294967296|5000050000|-1\nQoS m\"x|4296015872|5000050000|-1\n");
    has_rows("SELECT value, timestampNs, rxReq, txDat FROM SIO JOIN STRING_IDS ON id = name",
             "die 0|5001100000|1048576000|1048583000\ndie 1|5001100000|2097152000|2097159000\n");
}

static void values_of_msprof_are_kept_when_asked_for(void **state)
{
    (void)state;
    write_ddr();
    write_qos();
    sampled_export(&tree,
                   (struct msprof_options){ .what = MSPROF_SUMMARY | MSPROF_TIMELINE, .compat = true });
    has_counters("DDR/Write", "0,\"ts\":\"5001000.000\",\"ph\":\"C\",\"args\":{\"Write(MB/s)\":524288.0}\n"
                              "0,\"ts\":\"5003000.000\",\"ph\":\"C\",\"args\":{\"Write(MB/s)\":0.0}\n");
    assert_string_equal(sampled_file(&tree, "ddr_" SAMPLED_STAMP ".csv"),
                        "Device_id,Metric,Read(MB/s),Write(MB/s)\n0,Average,1.5,0.25\n");
    has_rows("SELECT read, write FROM DDR", "2097152|524288\n1048576|0\n");
    has_rows("SELECT bandwidth FROM QOS ORDER BY 1", "0\n1048576\n");
}

/* More than an integer holds: its end. */
static void rates_beyond_an_integer_stay_at_its_end(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 140; i++)
        ddr(1, UINT32_MAX, 0, 0, UINT32_MAX);
    write_to("ddr.data.0.slice_0");
    sampled_export(&tree, (struct msprof_options){ .what = MSPROF_SUMMARY });
    has_rows("SELECT read, write FROM DDR", "9000000000000000000|0\n");
}

static void pmu(unsigned data, unsigned stream, unsigned task, uint64_t from)
{
    unsigned char *p = next(80);

    put_le(p + 10, stream, 2);
    put_le(p + 12, task, 2);
    put_le(p + 14, data, 2);
    values(p, 16, 8, 8, from);
}

static void counters_of_tasks_become_tables(void **state)
{
    (void)state;
    pmu(PROF_PMU_SMMU, 2, 9, 10);
    pmu(PROF_PMU_SMMU, 2, 10, 0);
    pmu(PROF_PMU_L2, 2, 11, 10);
    pmu(PROF_PMU_PAGE_FAULT, 2, 12, 77);
    write_to("socpmu.data.0.slice_0");
    set_sample("{\"npuEvents\": \"HA:0x1; smmu:0x8a,0x8C,0x8d,0x02\", "
               "\"l2CacheTaskProfilingEvents\": \"0xfb,0xfc,0x9c\"}");
    sampled_export(&tree, (struct msprof_options){ .what = MSPROF_SUMMARY });
    assert_string_equal(sampled_file(&tree, "soc_pmu_" SAMPLED_STAMP ".csv"),
                        "Device_id,Stream Id,Task Id,TLB Hit Rate,TLB Miss Rate\n"
                        "0,2,9,2.3,1.3\n0,2,10,0.0,0.0\n");
    assert_string_equal(sampled_file(&tree, "l2_cache_" SAMPLED_STAMP ".csv"),
                        "Device_id,Stream Id,Task Id,Hit Rate,Victim Rate,Op Name\n"
                        "0,2,11,N/A,0.571429,N/A\n");
    assert_string_equal(sampled_file(&tree, "page_fault_" SAMPLED_STAMP ".csv"),
                        "Device Id,Stream Id,Task Id,Page Fault Num,Op Name\n0,2,12,77,N/A\n");
}

/* ---- UB ---- */

/* us since the device was started, whose clock began with the collection: 5 s of the wall. */
static unsigned char *ub_record(unsigned port, uint64_t us, uint64_t rx)
{
    unsigned char *p = next(128);

    put_le(p, PROF_HOST_MARK, 2);
    put_le(p + 2, 7, 2);
    put_le(p + 4, port, 2);
    put_le(p + 8, us, 8);
    values(p, 16, 8, 14, rx);
    return p;
}

static int see_ub(void *arg, const struct prof_ub *s, struct err *e)
{
    (void)e;
    *(struct prof_ub *)arg = *s;
    return OK;
}

static void records_of_ports_are_read(void **state)
{
    /* received and sent lie six values apart, behind UDMA's */
    static const uint64_t want[N_PROF_UB] = { 100, 101, 103, 109, 106, 112, 107, 113 };
    struct err e = ERR_INIT;
    struct prof_ub s = { 0 };
    struct prof_case c;

    (void)state;
    prof_info_files(&tree, 15);
    (void)ub_record(31, 250, 100);
    write_to("ub.data.0.slice_0");
    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    assert_int_equal(prof_ub_read(c.p, c.p->device[0], see_ub, &s, &e), OK);
    assert_int_equal(s.us, 250);
    assert_int_equal(s.port, 31);
    for (size_t i = 0; i < N_PROF_UB; i++)
        assert_int_equal(s.v[i], want[i]);
    prof_case_close(&c);
}

static void ports_become_curves(void **state)
{
    (void)state;
    prof_info_files(&tree, 16);
    (void)ub_record(0, 250, 100);
    (void)ub_record(12, 500, 300);
    write_to("ub.data.0.slice_0");
    has_points("UB", "Port 0/Rx MB/s: 5000250000 100\nPort 0/Tx MB/s: 5000250000 101\n"
                     "Port 0/Rx packets packets/s: 5000250000 103\n"
                     "Port 0/Tx packets packets/s: 5000250000 109\n"
                     "Port 0/Rx errors packets: 5000250000 106\n"
                     "Port 0/Tx errors packets: 5000250000 112\n"
                     "Port 0/Rx dropped packets: 5000250000 107\n"
                     "Port 0/Tx dropped packets: 5000250000 113\n"
                     "Port 12/Rx MB/s: 5000500000 300\nPort 12/Tx MB/s: 5000500000 301\n"
                     "Port 12/Rx packets packets/s: 5000500000 303\n"
                     "Port 12/Tx packets packets/s: 5000500000 309\n"
                     "Port 12/Rx errors packets: 5000500000 306\n"
                     "Port 12/Tx errors packets: 5000500000 312\n"
                     "Port 12/Rx dropped packets: 5000500000 307\n"
                     "Port 12/Tx dropped packets: 5000500000 313\n");
}

static void export_ports(bool compat)
{
    prof_info_files(&tree, 15);
    (void)ub_record(3, 250, 100);
    (void)ub_record(3, 500, 300);
    write_to("ub.data.0.slice_0");
    sampled_export(&tree,
                   (struct msprof_options){ .what = MSPROF_SUMMARY | MSPROF_TIMELINE, .compat = compat });
}

static void ports_become_a_layer_and_tables(void **state)
{
    (void)state;
    for (int compat = 0; compat < 2; compat++) {
        export_ports(compat);
        assert_string_equal(sampled_file(&tree, "ub_" SAMPLED_STAMP ".csv"),
                            "Device_id,PortId,TimeStamp,UBRxPortBandWidth(MB/s),UBTxPortBandWidth(MB/s)\n"
                            "0,3,5000250.000\t,100,101\n0,3,5000500.000\t,300,301\n");
        has_counters("UB Port003", "0,\"ts\":\"5000250.000\",\"ph\":\"C\",\"args\":{\"bandwidth_rx("
                                   "MB/s)\":100.0,\"bandwidth_tx(MB/s)\":101.0}\n"
                                   "0,\"ts\":\"5000500.000\",\"ph\":\"C\",\"args\":{\"bandwidth_rx("
                                   "MB/s)\":300.0,\"bandwidth_tx(MB/s)\":301.0}\n");
        assert_non_null(
            strstr(sampled_file(&tree, "msprof_" SAMPLED_STAMP ".json"), "\"args\":{\"name\":\"Ub\"}"));
        has_rows("SELECT * FROM UB", "0|3|5000250000|100|101\n0|3|5000500000|300|301\n");
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(records_of_the_chip_are_read),
        TEST(records_of_later_chips_lie_otherwise),
        TEST(qos_has_no_die),
        TEST(ddr_adds_controllers_and_distinguishes_masters),
        TEST(voltages_are_in_order),
        TEST(samples_become_curves),
        TEST(voltages_become_curves),
        TEST(later_chips_have_dies),
        TEST(samples_become_layers_and_tables),
        TEST(values_of_msprof_are_kept_when_asked_for),
        TEST(rates_beyond_an_integer_stay_at_its_end),
        TEST(links_go_on_after_a_damaged_counter),
        TEST(counters_of_tasks_become_tables),
        TEST(records_of_ports_are_read),
        TEST(ports_become_curves),
        TEST(ports_become_a_layer_and_tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
