/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PROF folders: which folders and files, what they say about themselves, clocks, names, records with damage.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/parsers/prof/prof_case.h"

#define DATA   PROF_NAME "/host/data/"
#define DEVICE PROF_NAME "/device_0/data/"

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

static struct prof_case open_tree(void)
{
    struct err e = ERR_INIT;
    struct prof_case c;

    assert_int_equal(prof_case_open(&c, &tree, &e), OK);
    return c;
}

static void prof_info_files_are_read(void **state)
{
    (void)state;
    prof_info_files(&tree, 5);
    struct prof_case c = open_tree();
    assert_non_null(c.p->host);
    assert_int_equal(c.p->n_devices, 1);
    const struct prof_meta *m = &c.p->device[0]->meta;
    assert_int_equal(c.p->platform, 5);
    assert_true(c.p->chip->scheduler == CHIP_STARS && c.p->chip->cpp);
    assert_int_equal(m->counter_hz, 50000000);
    assert_int_equal(m->aic_hz, 1850000000);
    assert_int_equal(m->aic_cores, 24);
    assert_int_equal(m->n_aic_events, 2);
    assert_int_equal(m->aic_event[1], 0x416);
    assert_int_equal(m->n_aiv_events, 0);
    assert_false(m->level0);
    assert_int_equal(c.p->host->meta.pid, 77);
    assert_int_equal(sink_count_get(c.notes)->note_calls, 0);
    prof_case_close(&c);
}

static void prof_clocks_are_exact(void **state)
{
    (void)state;
    prof_info_files(&tree, 5);
    struct prof_case c = open_tree();
    const struct prof_folder *d = c.p->device[0];
    /* 3000 is the wall clock's 5 s; a count is 20 ns there and 10 ns on the host */
    assert_int_equal(prof_device_ns(d, 3000), 5000000000);
    assert_int_equal(prof_device_ns(d, 3007), 5000000140);
    assert_int_equal(prof_device_ns(d, 2999), 4999999980);
    assert_int_equal(prof_host_ns(c.p->host, 7001), 5000000010);
    assert_int_equal(prof_sample_us_ns(d, 3), 5000003000);
    assert_int_equal(prof_sample_mono_ns(d, 500), 5000000100);
    assert_int_equal(prof_begin_ns(d), 5000000000);
    assert_int_equal(prof_end_ns(d), 5000000000 + 1800000000000);
    /* no count is beyond what is said */
    (void)prof_device_ns(d, UINT64_MAX);
    prof_case_close(&c);
}

static void prof_clocks_beyond_all_stay_apart_as_far_as_fits(void **state)
{
    const int64_t most = INT64_C(1) << 62;

    (void)state;
    prof_info_files(&tree, 5);
    tree_file(&tree, PROF_NAME "/device_0/start_info.0",
              "{\"collectionTimeBegin\": \"9223372036854775807\", \"clockMonotonicRaw\": \"5\"}");
    tree_file(&tree, PROF_NAME "/host/start_info",
              "{\"collectionTimeBegin\": \"7\", \"clockMonotonicRaw\": \"9223372036854775807\"}");
    struct prof_case c = open_tree();
    /* a difference of any two fits */
    assert_int_equal(prof_device_ns(c.p->device[0], UINT64_MAX), most - 1);
    assert_int_equal(prof_host_ns(c.p->host, 0), -most);
    assert_int_equal(prof_mono_ns(c.p->host, INT64_MIN), -most);
    prof_case_close(&c);
}

static void prof_fractions_of_drift_and_counters_are_dropped(void **state)
{
    (void)state;
    prof_info_files(&tree, 5);
    tree_file(&tree, PROF_NAME "/device_0/host_start.log.0",
              "[Device0]\nclock_monotonic_raw: 1000000000\ncntvct: 7000\ncntvct_diff: 4000\n");
    tree_file(&tree, PROF_NAME "/device_0/info.json.0",
              "{\"platform_version\": \"5\", \"CPU\": [{\"Frequency\": \"24\"}], \"DeviceInfo\": "
              "[{\"hwts_frequency\": \"48\"}]}");
    struct prof_case c = open_tree();
    /* 4000 counts at 24 MHz: 166666.67 ns; one count at 48 MHz: 20.83 ns */
    assert_int_equal(prof_clock_h(&c.p->device[0]->meta), 1000166666);
    assert_int_equal(prof_device_ns(c.p->device[0], 3001), 5000166686);
    prof_case_close(&c);
}

static void prof_missing_info_files_are_reported(void **state)
{
    (void)state;
    tree_file(&tree, PROF_NAME "/device_0/info.json.0", "{\"platform_version\": \"5\"}");
    tree_file(&tree, PROF_NAME "/device_0/dev_start.log.0", "clock_monotonic_raw:400\ncntvct:30");
    struct prof_case c = open_tree();
    assert_null(c.p->host);
    assert_false(c.p->device[0]->meta.has_device_clock); /* the last line is cut */
    assert_int_equal(sink_count_get(c.notes)->notes[NOTE_NO_CLOCK], 4);
    (void)prof_device_ns(c.p->device[0], 12345);
    prof_case_close(&c);
}

/* What one folder lacks another one of the run may have. */
static void prof_missing_info_files_are_taken_from_other_folders(void **state)
{
    (void)state;
    prof_info_files(&tree, 5);
    tree_file(&tree, PROF_NAME "/device_1/dev_start.log.1",
              "clock_realtime:9000002000\nclock_monotonic_raw:400\ncntvct:3100\n");
    tree_file(&tree, PROF_NAME "/host/host_start.log",
              "[Host]\nclock_realtime:9000000000\nclock_monotonic_raw:1000000000\ncntvct:7000\n");
    struct prof_case c = open_tree();
    assert_int_equal(c.p->n_devices, 2);
    const struct prof_folder *d = c.p->device[1];
    assert_int_equal(d->meta.platform, 5);
    assert_int_equal(d->meta.counter_hz, c.p->device[0]->meta.counter_hz);
    assert_int_equal(d->meta.begin_us, c.p->device[0]->meta.begin_us);
    /* 2 us after the host looked at its clocks; the host's counter counts 10 ns */
    assert_int_equal(d->meta.host_mono_ns, 1000002000);
    assert_int_equal(d->meta.host_counter, 7200);
    assert_int_equal(prof_device_ns(d, 3101), prof_mono_ns(d, 1000002020));
    assert_int_equal(sink_count_get(c.notes)->notes[NOTE_NO_CLOCK], 4); /* sample.json, too */
    prof_case_close(&c);
}

static void prof_clocks_of_the_host_are_taken_from_a_device(void **state)
{
    (void)state;
    prof_info_files(&tree, 5);
    struct prof_case whole = open_tree();
    int64_t ns = prof_host_ns(whole.p->host, 7001);
    prof_case_close(&whole);
    assert_int_equal(unlink(tree_path(&tree, PROF_NAME "/host/host_start.log")), 0);
    assert_int_equal(unlink(tree_path(&tree, PROF_NAME "/host/start_info")), 0);
    struct prof_case c = open_tree();
    assert_int_equal(prof_host_ns(c.p->host, 7001), ns);
    assert_int_equal(sink_count_get(c.notes)->notes[NOTE_NO_CLOCK], 2);
    prof_case_close(&c);
    /* nothing tells when the device looked: its times count from the start of the collection */
    assert_int_equal(unlink(tree_path(&tree, PROF_NAME "/device_0/host_start.log.0")), 0);
    struct prof_case none = open_tree();
    const struct prof_folder *d = none.p->device[0];
    assert_int_equal(prof_device_ns(d, d->meta.device_counter), prof_begin_ns(d));
    prof_case_close(&none);
}

static void prof_chips_that_do_not_fit_are_reported(void **state)
{
    (void)state;
    prof_info_files(&tree, 5);
    tree_file(&tree, PROF_NAME "/host/info.json", "{\"platform_version\": \"1\"}");
    struct prof_case c = open_tree();
    assert_int_equal(c.p->platform, 5);
    assert_int_equal(sink_count_get(c.notes)->notes[NOTE_NEWER], 1);
    prof_case_close(&c);
    tree_file(&tree, PROF_NAME "/device_0/info.json.0", "{\"platform_version\": \"Ascend910B\"}");
    struct prof_case text = open_tree();
    assert_int_equal(sink_count_get(text.notes)->notes[NOTE_NEWER], 1);
    prof_case_close(&text);
}

static void prof_names_of_dictionaries(void **state)
{
    (void)state;
    prof_info_files(&tree, 5);
    tree_file(&tree, DATA "unaging.additional.hash_dic.slice_0",
              "18446744073709551615:a:b\n7:Default/Add\nbad\n7:second\n");
    tree_file(&tree, DATA "unaging.additional.type_info_dic.slice_0", "5000_3:KERNEL_AICORE\n5000:x\n");
    struct prof_case c = open_tree();
    struct str s = prof_str(c.p, prof_hash_text(c.p, UINT64_MAX));
    assert_true(str_eq(s, STR("a:b")));
    assert_true(str_eq(prof_str(c.p, prof_hash_text(c.p, 7)), STR("Default/Add")));
    assert_true(str_eq(prof_str(c.p, prof_hash_text(c.p, 8)), STR("8")));
    assert_int_equal(prof_hash_text(c.p, 8), prof_hash_text(c.p, 8));
    assert_false(prof_hash_known(c.p, 8));
    assert_true(str_eq(prof_str(c.p, prof_type_text(c.p, 5000, 3)), STR("KERNEL_AICORE")));
    assert_true(str_eq(prof_str(c.p, prof_type_text(c.p, 5000, 27)), STR("DYNAMIC_ENABLE")));
    assert_int_equal(sink_count_get(c.notes)->notes[NOTE_BAD_ROW], 2);
    prof_case_close(&c);
}

/* ---- records ---- */

struct seen {
    uint64_t n, sum, kept;
};

static int see(void *arg, struct prof_record *r, struct err *e)
{
    struct seen *s = arg;

    (void)e;
    s->n++;
    s->kept += r->kept;
    s->sum = s->sum * 31 + rec_u64(&r->rec, r->rec.n >= 256 || r->rec.n == 64 ? 16 : 8);
    return OK;
}

static struct seen read_tag(const struct prof_folder *f, struct prof *p, enum prof_tag tag)
{
    struct seen s = { 0 };
    struct err e = ERR_INIT;

    assert_int_equal(prof_read(p, f, tag, see, &s, &e), OK);
    return s;
}

static void prof_kept_records_come_first_and_lie_over_slices(void **state)
{
    unsigned char p[4 * 64];

    (void)state;
    prof_info_files(&tree, 5);
    for (size_t i = 0; i < 4; i++)
        prof_head(p + 64 * i, 64, PROF_L_RUNTIME, 0, 1, i + 1);
    tree_file_n(&tree, DATA "aging.compact.task_track.slice_9", (const char *)p, 100);
    tree_file_n(&tree, DATA "aging.compact.task_track.slice_10", (const char *)p + 100, 92);
    tree_file_n(&tree, DATA "unaging.compact.task_track.slice_0", (const char *)p + 192, 64);
    struct prof_case c = open_tree();
    struct seen s = read_tag(c.p->host, c.p, PROF_TASK_TRACK);
    assert_int_equal(s.n, 4);
    assert_int_equal(s.kept, 1);
    assert_int_equal(s.sum, ((4 * 31 + 1) * 31 + 2) * 31 + 3);
    assert_int_equal(sink_count_get(c.notes)->note_calls, 0);
    prof_case_close(&c);
}

static void prof_host_file_cut_at_every_byte(void **state)
{
    unsigned char p[3 * 40];

    (void)state;
    prof_info_files(&tree, 5);
    for (size_t i = 0; i < 3; i++)
        prof_api(p + 40 * i, PROF_L_NODE, 1, 1, 10 * i + 1, 10 * i + 5, 0);
    for (size_t n = 0; n <= sizeof p; n++) {
        tree_file_n(&tree, DATA "aging.api_event.data.slice_0", (const char *)p, n);
        struct prof_case c = open_tree();
        assert_int_equal(read_tag(c.p->host, c.p, PROF_API_EVENT).n, n / 40);
        assert_int_equal(sink_count_get(c.notes)->notes[NOTE_TORN_RECORD], n % 40 != 0);
        prof_case_close(&c);
    }
}

/* Of a file without marks either the end or the beginning may be gone: its records tell which. */
static void prof_device_file_cut_at_its_end_or_its_beginning(void **state)
{
    unsigned char p[5 * TS_B];

    (void)state;
    prof_info_files(&tree, 5);
    for (size_t i = 0; i < 5; i++)
        ts_put(p + TS_B * i, 4, 2, 1, 100 * i + 100);
    for (size_t cut = 1; cut < TS_B; cut++) {
        tree_file_n(&tree, DEVICE "ts_track.data.0.slice_0", (const char *)p, sizeof p - cut);
        struct prof_case c = open_tree();
        struct seen s = read_tag(c.p->device[0], c.p, PROF_TS_TRACK);
        assert_int_equal(s.n, 4);
        assert_int_equal(s.sum, ((100 * 31 + 200) * 31 + 300) * 31 + 400);
        assert_int_equal(sink_count_get(c.notes)->notes[NOTE_TORN_RECORD], 1);
        prof_case_close(&c);
        tree_file_n(&tree, DEVICE "ts_track.data.0.slice_0", (const char *)p + cut, sizeof p - cut);
        c = open_tree();
        s = read_tag(c.p->device[0], c.p, PROF_TS_TRACK);
        assert_int_equal(s.n, 4);
        assert_int_equal(s.sum, ((200 * 31 + 300) * 31 + 400) * 31 + 500);
        assert_int_equal(sink_count_get(c.notes)->notes[NOTE_TORN_RECORD], 1);
        prof_case_close(&c);
    }
}

/*
 * Two views begin with the same texts and give their own numbers from there on, also to what the other one
 * has met.
 */
static void prof_views_share_what_was_read(void **state)
{
    struct err e = ERR_INIT;
    struct prof *v, *w;

    (void)state;
    prof_info_files(&tree, 5);
    tree_file(&tree, PROF_NAME "/host/data/unaging.additional.hash_dic.slice_0", "7:seven\n");
    struct prof_case c = open_tree();
    uint32_t seven = prof_hash_text(c.p, 7), n = prof_n_texts(c.p);
    assert_int_equal(prof_view(&v, c.p, c.p->in.notes, &e), OK);
    assert_int_equal(prof_view(&w, c.p, c.p->in.notes, &e), OK);
    assert_int_equal(prof_n_texts(v), n);
    assert_int_equal(prof_hash_text(v, 7), seven);
    assert_int_equal(prof_text(w, STR("seven")), seven);
    assert_true(str_eq(prof_str(w, seven), STR("seven")));
    assert_int_equal(prof_text(v, STR("one")), n);
    assert_int_equal(prof_hash_text(v, 99), n + 1);
    assert_int_equal(prof_hash_text(v, 99), n + 1);
    assert_int_equal(prof_text(w, STR("two")), n);
    assert_true(str_eq(prof_str(v, n), STR("one")));
    assert_true(str_eq(prof_str(v, n + 1), STR("99")));
    assert_true(str_eq(prof_str(w, n), STR("two")));
    assert_true(prof_hash_known(w, 7));
    assert_false(prof_hash_known(v, 99));
    assert_int_equal(prof_n_texts(v), n + 2);
    assert_int_equal(prof_n_texts(w), n + 1);
    prof_close(v);
    prof_close(w);
    assert_int_equal(prof_n_texts(c.p), n);
    prof_case_close(&c);
}

static void prof_one_device_of_several(void **state)
{
    struct err e = ERR_INIT;

    (void)state;
    prof_info_files(&tree, 1);
    tree_file(&tree, PROF_NAME "/device_12/info.json.12", "{\"platform_version\": \"1\"}");
    tree_file(&tree, PROF_NAME "/device_x/info.json", "{}");
    struct prof_case c = open_tree();
    assert_int_equal(c.p->n_devices, 2);
    assert_int_equal(c.p->device[1]->device, 12);
    assert_false(c.p->chip->scheduler == CHIP_STARS);
    struct prof_input in = c.p->in;
    struct prof *one;
    in.device = 12;
    assert_int_equal(prof_open(&one, &in, &e), OK);
    assert_int_equal(one->n_devices, 1);
    assert_non_null(one->host);
    prof_close(one);
    prof_case_close(&c);
}

static void prof_of_nothing_is_an_error(void **state)
{
    const struct source_file *none[1] = { NULL };
    const struct prof_input in = { .files = none, .n = 0, .root = STR("x/"), .device = -1 };
    struct err e = ERR_INIT;
    struct prof *p;

    (void)state;
    assert_int_equal(prof_open(&p, &in, &e), ERR_FORMAT);
    assert_null(p);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(prof_info_files_are_read),
        T(prof_clocks_are_exact),
        T(prof_clocks_beyond_all_stay_apart_as_far_as_fits),
        T(prof_fractions_of_drift_and_counters_are_dropped),
        T(prof_missing_info_files_are_reported),
        T(prof_missing_info_files_are_taken_from_other_folders),
        T(prof_clocks_of_the_host_are_taken_from_a_device),
        T(prof_chips_that_do_not_fit_are_reported),
        T(prof_names_of_dictionaries),
        T(prof_kept_records_come_first_and_lie_over_slices),
        T(prof_host_file_cut_at_every_byte),
        T(prof_device_file_cut_at_its_end_or_its_beginning),
        T(prof_views_share_what_was_read),
        T(prof_one_device_of_several),
        T(prof_of_nothing_is_an_error),
    };

    return cmocka_run_group_tests_name("prof", tests, NULL, NULL);
}
