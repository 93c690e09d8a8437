/* SPDX-License-Identifier: Apache-2.0 */
/* Flight recorder dumps: all fields of both forms, cuts and flips, what is refused, hostile ones, limits. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "parsers/logs/flight_entry.h"
#include "tests/unit/parsers/logs/flight_case.h"

#define NAME "hccl_trace_rank_3"

static const struct case_group world = { "0", "default_pg", "[0, 1, 2, 3]", 0, 7, 7, 6 };

static bool is(struct str s, const char *text)
{
    return str_eq(s, str_of(text));
}

static void small_dump(struct pk *p, size_t n)
{
    pk_init(p);
    pk_head(p, &world, 1);
    for (size_t i = 0; i < n; i++)
        pk_entry(p,
                 &(struct case_entry){ "0", 0, (int64_t)i + 1, i % 2 ? "broadcast" : "all_reduce",
                                       i + 1 < n ? "completed" : "started", 8, 8, "Float", false },
                 (int64_t)i);
    pk_tail(p);
}

static void check_small(const struct flight_dump *d)
{
    assert_int_equal(d->rank, 3);
    assert_true(is(d->version, "2.4"));
    assert_false(d->cut);
    assert_int_equal(d->n_groups, 1);
    assert_true(is(d->groups[0].name, "0") && is(d->groups[0].desc, "default_pg"));
    assert_int_equal(d->groups[0].n_ranks, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(d->groups[0].ranks[i], i);
    assert_true(d->groups[0].has_status);
    assert_int_equal(d->groups[0].pg_id, 0);
    assert_int_equal(d->groups[0].last_enqueued, 7);
    assert_int_equal(d->groups[0].last_started, 7);
    assert_int_equal(d->groups[0].last_completed, 6);
    assert_int_equal(d->n_entries, 2);
    const struct flight_entry *a = &d->entries[0], *b = &d->entries[1];
    assert_int_equal(a->record_id, 0);
    assert_int_equal(a->seq, 1);
    assert_int_equal(a->p2p_seq, 0);
    assert_int_equal(a->op_id, 1);
    assert_int_equal(a->group, 0);
    assert_true(is(a->name, "all_reduce") && is(b->name, "broadcast"));
    assert_true(is(a->input_sizes, "[[8, 3]]") && is(a->output_sizes, "[[8, 3]]"));
    assert_true(is(a->input_dtypes, "Float") && is(a->output_dtypes, "Float"));
    assert_int_equal(a->state, FLIGHT_COMPLETED);
    assert_int_equal(b->state, FLIGHT_STARTED);
    assert_int_equal(a->created_ns, CASE_T0);
    assert_int_equal(a->started_ns, CASE_T0 + 1000);
    assert_int_equal(a->completed_ns, CASE_T0 + 5000);
    assert_int_equal(b->completed_ns, 0);
    assert_int_equal(a->duration_ns, 1250000);
    assert_int_equal(b->duration_ns, FLIGHT_NONE);
    assert_int_equal(a->timeout_ms, 1800000);
    assert_true(a->retired && !b->retired && !a->is_p2p);
}

static void flight_pickle_gives_all_fields(void **state)
{
    struct flight_dump *d;
    struct err e = ERR_INIT;
    struct rows r;
    struct pk p;

    (void)state;
    small_dump(&p, 2);
    assert_int_equal(case_flight(&r, NAME, p.b.p, p.b.n, &d, &e), OK);
    check_small(d);
    assert_true(is(d->entries[0].frames, "step (/job/train.py:41)\nmain (/job/train.py:300)"));
    assert_int_equal(r.rows, 2);
    assert_int_equal(r.text.n, 0);
    rows_done(&r);
    flight_free(d);
    buf_done(&p.b);
}

#define JSON_ENTRY(id, name, state, more)                                                                    \
    "{\"frames\":[{\"name\":\"step\",\"filename\":\"/job/train.py\",\"line\":41},"                           \
    "{\"name\":\"main\",\"filename\":\"/job/train.py\",\"line\":300}],"                                      \
    "\"record_id\":" #id ",\"pg_id\":0,\"process_group\":[\"0\",\"default_pg\"],\"collective_seq_id\":"      \
    "1,\"p2p_seq_id\":0,\"op_id\":1,\"profiling_name\":\"hccl:" name "\",\"input_sizes\":[[8,3]],"           \
    "\"input_dtypes\":[\"Float\"],\"output_sizes\":[[8, 3]],\"output_dtypes\":[\"Float\"],\"state\":"        \
    "\"" state "\",\"timeout_ms\":1800000,\"is_p2p\":false," more "}"
#define JSON                                                                                                 \
    "{\"version\":\"2.4\",\"pg_config\":{\"0\":{\"name\":\"0\",\"desc\":\"default_pg\",\"ranks\":\"[0, 1,"   \
    " 2, 3]\"}},\"pg_status\":{\"0\":{\"last_enqueued_collective\":\"7\",\"last_started_collective\":"       \
    "\"7\",\"last_completed_collective\":\"6\"}},\"hccl_comm_state\":{\"x\":{\"y\":\"z\"}},\"entries\":"     \
    "[" JSON_ENTRY(                                                                                          \
        0, "all_reduce", "completed",                                                                        \
        "\"retired\":true,\"duration_ms\":1.25,\"time_created_ns\":1760000000000000000,"                     \
        "\"time_discovered_started_ns\":1760000000000001000,"                                                \
        "\"time_discovered_completed_ns\":1760000000000005000") "," JSON_ENTRY(1, "broadcast", "started",    \
                                                                               "\"retired\":false,\"time_"   \
                                                                               "created_ns\":"               \
                                                                               "1760000001000000000,"        \
                                                                               "\"time_discovered_started_"  \
                                                                               "ns\":1,\"time_discovered_"   \
                                                                               "completed_ns\":0") "]}"

static void flight_json_gives_the_same(void **state)
{
    static const char *const names[] = { NAME, "comm_lib_trace_rank_3.json", "nccl_trace_rank_3" };
    struct flight_dump *d;
    struct rows r;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct err e = ERR_INIT;
        assert_int_equal(case_flight(&r, names[i], JSON, sizeof JSON - 1, &d, &e), OK);
        check_small(d);
        assert_true(is(d->entries[0].frames, "step (/job/train.py:41)\nmain (/job/train.py:300)"));
        assert_int_equal(r.text.n, 0);
        rows_done(&r);
        flight_free(d);
    }
}

static void flight_rank_is_in_the_name(void **state)
{
    static const struct {
        const char *path;
        int rank;
    } names[] = {
        { "/tmp/hccl_trace_rank_0", 0 },
        { "nccl_trace_rank_1023", 1023 },
        { "/a_7/hccl_trace_rank_", -1 },
        { "hccl_trace_rank_12_py_traceback", 12 },
        { "comm_lib_trace_rank_5.json", 5 },
        { "hccl_trace_rank_5.gz", 5 },
        { "/x/fr12", 12 },
        { "hccl_trace_rank_99999999999", -1 },
        { "", -1 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        assert_int_equal(flight_rank_of_name(str_of(names[i].path)), names[i].rank);
}

/* ---- damage ---- */

static bool same_entry(const struct flight_entry *a, const struct flight_entry *b)
{
    return a->record_id == b->record_id && a->seq == b->seq && str_eq(a->name, b->name) &&
           a->state == b->state && str_eq(a->input_sizes, b->input_sizes) &&
           str_eq(a->output_dtypes, b->output_dtypes) && str_eq(a->frames, b->frames) &&
           a->created_ns == b->created_ns && a->started_ns == b->started_ns &&
           a->completed_ns == b->completed_ns && a->duration_ns == b->duration_ns &&
           a->retired == b->retired && a->timeout_ms == b->timeout_ms && a->is_p2p == b->is_p2p &&
           a->group == b->group;
}

/* Cut everywhere: entries that are there are whole, never fewer than before, and one note says where. */
static void cut_everywhere(const char *bytes, size_t n, const struct flight_dump *whole)
{
    size_t before = 0;

    for (size_t cut = 0; cut < n; cut++) {
        struct err e = ERR_INIT;
        struct flight_dump *d;
        struct rows r;
        int rc = case_flight(&r, NAME, bytes, cut, &d, &e);
        if (cut < 2 && rc == ERR_FORMAT) {
            rows_done(&r);
            continue;
        }
        assert_int_equal(rc, OK);
        assert_int_equal(sink_count_get(r.count)->notes[NOTE_TORN_FILE], 1);
        assert_true(d->cut);
        if (d->n_entries < before || d->n_entries > whole->n_entries)
            fail_msg("cut at %zu: %zu entries, %zu before", cut, d->n_entries, before);
        before = d->n_entries;
        for (size_t i = 0; i < d->n_entries; i++)
            if (!same_entry(&d->entries[i], &whole->entries[i]))
                fail_msg("cut at %zu: entry %zu differs", cut, i);
        rows_done(&r);
        flight_free(d);
    }
    assert_int_equal(before, whole->n_entries);
}

/* Flip bits: entries are lost only with a note or an error. */
static void flip_bits(const char *bytes, size_t n, const struct flight_dump *whole)
{
    uint64_t seed = 88172645463325252u;
    size_t key = str_find((struct str){ bytes, n }, STR("entries"), 0);
    char *copy = malloc(n);

    assert_non_null(copy);
    for (int k = 0; k < 2000; k++) {
        struct err e = ERR_INIT;
        struct flight_dump *d;
        struct rows r;
        memcpy(copy, bytes, n);
        size_t at = (size_t)(scratch_random(&seed) % n);
        copy[at] = (char)(copy[at] ^ (1 << (scratch_random(&seed) % 8)));
        int rc = case_flight(&r, NAME, copy, n, &d, &e);
        assert_true(rc == OK || rc == ERR_FORMAT);
        bool other_key = d && d->n_entries == 0 && at >= key && at < key + 7; /* a key that nobody knows */
        if (rc == OK && d->n_entries < whole->n_entries && r.text.n == 0 && !other_key)
            fail_msg("a flip at %zu left %zu entries without a word", at, d->n_entries);
        rows_done(&r);
        flight_free(d);
    }
    free(copy);
}

static void flight_damaged_pickles_keep_what_is_whole(void **state)
{
    struct flight_dump *d;
    struct err e = ERR_INIT;
    struct rows r;
    struct pk p;

    (void)state;
    small_dump(&p, 6);
    assert_int_equal(case_flight(&r, NAME, p.b.p, p.b.n, &d, &e), OK);
    assert_int_equal(d->n_entries, 6);
    rows_done(&r);
    cut_everywhere(p.b.p, p.b.n, d);
    flip_bits(p.b.p, p.b.n, d);
    flight_free(d);
    buf_done(&p.b);
}

static void flight_damaged_json_keeps_what_is_whole(void **state)
{
    struct flight_dump *d;
    struct err e = ERR_INIT;
    struct rows r;

    (void)state;
    assert_int_equal(case_flight(&r, NAME, JSON, sizeof JSON - 1, &d, &e), OK);
    rows_done(&r);
    cut_everywhere(JSON, sizeof JSON - 1, d);
    flip_bits(JSON, sizeof JSON - 1, d);
    flight_free(d);
}

/* ---- refused ---- */

static void refused(const char *bytes, size_t n, const char *text, uint64_t offset)
{
    struct flight_dump *d;
    struct err e = ERR_INIT;
    struct rows r;

    assert_int_equal(case_flight(&r, NAME, bytes, n, &d, &e), ERR_FORMAT);
    assert_string_equal(e.text, text);
    assert_int_equal(e.offset, offset);
    rows_done(&r);
}
#define REFUSED(bytes, text, offset) refused(bytes, sizeof(bytes) - 1, text, offset)

static void flight_refuses_what_is_no_plain_data(void **state)
{
    (void)state;
    REFUSED("\x80\x02}(X\x07\x00\x00\x00version"
            "cposix\nsystem\nX\x02\x00\x00\x00idR.",
            "the pickle asks for GLOBAL posix.system, which is no plain data: it was not read", 16);
    REFUSED("\x80\x04\x8c\x02os\x8c\x06system\x93.",
            "the pickle asks for STACK_GLOBAL, which is no plain data: it was not read", 14);
    REFUSED("\x80\x02}b.", "the pickle asks for BUILD, which is no plain data: it was not read", 3);
    REFUSED("\x80\x02}(X\x08\x00\x00\x00segments]u.",
            "no flight recorder dump: it has neither entries nor pg_config nor pg_status", 0);
    REFUSED("{\"traceEvents\":[]}",
            "no flight recorder dump: it has neither entries nor pg_config nor pg_status", 0);
    REFUSED("plain text", "no pickle of protocol 2 or newer: it does not begin with one", 0);
}

/* ---- hostile ---- */

/* Read p, which is done then; the dump is the caller's. */
static struct flight_dump *read_done(struct pk *p, struct rows *r)
{
    struct flight_dump *d;
    struct err e = ERR_INIT;

    if (case_flight(r, NAME, p->b.p, p->b.n, &d, &e))
        fail_msg("%s", e.text);
    buf_done(&p->b);
    return d;
}

static void flight_odd_values_become_notes(void **state)
{
    struct flight_dump *d;
    struct rows r;
    struct pk p;

    (void)state;
    pk_init(&p);
    pk_head(&p, &(struct case_group){ "0", "", "[0, x]", 0, 1, 1, 1 }, 1);
    pk_op(&p, "}(");
    pk_key_int(&p, "collective_seq_id", 4);
    pk_key_int(&p, "collective_seq_id", 5); /* the last one counts, as in Python */
    pk_key_int(&p, "pg_id", 0);
    pk_key_text(&p, "profiling_name", "nccl:_all_gather_base");
    pk_key_text(&p, "state", "dreaming");
    pk_text(&p, "duration_ms");
    pk_real(&p, NAN);
    pk_text(&p, "timeout_ms");
    pk_op(&p, "\x8a\x0a");
    pk_le(&p, 0, 9);
    pk_op(&p, "\x01");
    pk_op(&p, "u}(");
    pk_key_text(&p, "profiling_name", "nccl:without_number");
    pk_key_int(&p, "pg_id", 0);
    pk_op(&p, "u");
    pk_tail(&p);
    d = read_done(&p, &r);
    assert_int_equal(d->n_entries, 1);
    assert_int_equal(d->entries[0].seq, 5);
    assert_int_equal(d->entries[0].state, FLIGHT_UNKNOWN);
    assert_int_equal(d->entries[0].duration_ns, FLIGHT_NONE);
    assert_int_equal(d->entries[0].timeout_ms, FLIGHT_NONE);
    assert_true(is(d->groups[0].name, "0"));
    assert_int_equal(d->groups[0].n_ranks, 0);
    const struct sink_counts *k = sink_count_get(r.count);
    assert_int_equal(k->notes[NOTE_BAD_VALUE], 2);
    assert_int_equal(k->notes[NOTE_UNKNOWN_TYPE], 1);
    assert_int_equal(k->notes[NOTE_BAD_EVENT], 1);
    rows_done(&r);
    flight_free(d);
}

/* Containers in themselves, entries for frames, one entry many times. */
static void flight_values_in_themselves(void **state)
{
    char pad[400] = "";
    struct flight_dump *d;
    struct rows r;
    struct pk p;

    (void)state;
    pk_init(&p);
    pk_op(&p, "}(");
    memset(pad, 'x', sizeof pad - 1); /* numbers of the memo are not above the bytes read */
    pk_key_text(&p, "pad", pad);
    pk_text(&p, "entries");
    pk_op(&p, "]r");
    pk_le(&p, 368, 4);
    pk_op(&p, "(j");
    pk_le(&p, 368, 4); /* the list in itself */
    pk_op(&p, "}r");
    pk_le(&p, 369, 4);
    pk_op(&p, "(");
    pk_key_int(&p, "collective_seq_id", 1);
    pk_key_text(&p, "profiling_name", "hccl:barrier");
    pk_key_int(&p, "pg_id", 0);
    pk_text(&p, "frames");
    pk_op(&p, "j");
    pk_le(&p, 368, 4);
    pk_text(&p, "input_sizes");
    pk_op(&p, "j");
    pk_le(&p, 368, 4);
    pk_text(&p, "output_sizes");
    pk_op(&p, "]r");
    pk_le(&p, 370, 4);
    pk_op(&p, "(j");
    pk_le(&p, 370, 4);
    pk_op(&p, "j");
    pk_le(&p, 370, 4);
    pk_op(&p, "e");
    pk_text(&p, "process_group");
    pk_op(&p, "j");
    pk_le(&p, 369, 4);
    pk_op(&p, "u");
    for (int i = 0; i < 100000; i++) {
        pk_op(&p, "j");
        pk_le(&p, 369, 4);
    }
    pk_op(&p, "eu.");
    d = read_done(&p, &r);
    assert_true(d->n_entries >= 1);
    assert_true(is(d->entries[0].name, "barrier"));
    assert_true(is(d->groups[d->entries[0].group].name, "0"));
    rows_done(&r);
    flight_free(d);
}

static void flight_huge_counts_and_depth(void **state)
{
    struct flight_dump *d;
    struct rows r;
    struct pk p;

    (void)state;
    pk_init(&p);
    pk_head(&p, &world, 1);
    pk_op(&p, "}(X");
    pk_le(&p, UINT32_MAX, 4);
    pk_op(&p, "abc");
    d = read_done(&p, &r);
    assert_true(d->cut && d->n_entries == 0 && d->n_groups == 1);
    assert_int_equal(sink_count_get(r.count)->notes[NOTE_TORN_FILE], 1);
    rows_done(&r);
    flight_free(d);

    pk_init(&p);
    pk_head(&p, &world, 1);
    for (int i = 0; i < 1000; i++)
        pk_op(&p, "](");
    d = read_done(&p, &r);
    assert_int_equal(sink_count_get(r.count)->notes[NOTE_LIMIT], 1);
    rows_done(&r);
    flight_free(d);
}

/* Sizes of 100 000 tensors, and a stack of 100 frames: cut, with a word about the sizes. */
static void flight_long_lists_are_cut(void **state)
{
    struct flight_dump *d;
    struct rows r;
    struct pk p;

    (void)state;
    pk_init(&p);
    pk_head(&p, &world, 1);
    pk_op(&p, "}(");
    pk_key_int(&p, "collective_seq_id", 1);
    pk_key_text(&p, "profiling_name", "hccl:barrier");
    pk_key_int(&p, "pg_id", 0);
    pk_text(&p, "input_sizes");
    pk_op(&p, "](");
    for (int i = 0; i < 100000; i++)
        pk_int(&p, i);
    pk_op(&p, "e");
    pk_text(&p, "frames");
    pk_op(&p, "](");
    for (int i = 0; i < 100; i++) {
        pk_op(&p, "}(");
        pk_key_text(&p, "name", "f");
        pk_key_text(&p, "filename", "g");
        pk_key_int(&p, "line", i);
        pk_op(&p, "u");
    }
    pk_op(&p, "eu");
    pk_tail(&p);
    d = read_done(&p, &r);
    assert_int_equal(d->n_entries, 1);
    assert_true(d->entries[0].input_sizes.n <= FLIGHT_SIZES_B && d->entries[0].input_sizes.n > 60000);
    size_t lines = 1;
    for (size_t i = 0; i < d->entries[0].frames.n; i++)
        lines += d->entries[0].frames.p[i] == '\n';
    assert_int_equal(lines, FLIGHT_FRAMES);
    assert_true(str_starts(d->entries[0].frames, STR("f (g:0)\nf (g:1)\n")));
    assert_int_equal(sink_count_get(r.count)->notes[NOTE_CUT_TEXT], 1);
    rows_done(&r);
    flight_free(d);
}

/* More entries than are kept: the newest stay, in their order. */
static void flight_keeps_the_newest_entries(void **state)
{
    struct flight_dump *d;
    struct rows r;
    struct pk p;

    (void)state;
    for (int64_t over = -1; over <= 10; over += 11) {
        int64_t n = FLIGHT_ENTRIES + over, gone = over > 0 ? over : 0;
        pk_init(&p);
        pk_head(&p, &world, 1);
        for (int64_t i = 0; i < n; i++) {
            pk_op(&p, "}(");
            pk_key_int(&p, "collective_seq_id", i);
            pk_key_text(&p, "profiling_name", "hccl:barrier");
            pk_key_int(&p, "pg_id", 0);
            pk_op(&p, "u");
        }
        pk_tail(&p);
        d = read_done(&p, &r);
        assert_int_equal(d->n_entries, n - gone);
        assert_int_equal(d->dropped, gone);
        assert_int_equal(sink_count_get(r.count)->notes[NOTE_LIMIT], gone);
        for (size_t i = 0; i < d->n_entries; i++)
            assert_int_equal(d->entries[i].seq, (int64_t)i + gone);
        rows_done(&r);
        flight_free(d);
    }
}

static const struct flight_group *group_of(const struct flight_dump *d, const char *name)
{
    for (size_t i = 0; i < d->n_groups; i++)
        if (is(d->groups[i].name, name))
            return &d->groups[i];
    fail_msg("no group %s", name);
    return NULL;
}

/* Status and configuration have different keys: joined by the entries, else not at all. */
static void flight_status_finds_its_group(void **state)
{
    static const struct case_group groups[] = {
        { "0", "default_pg", "[0, 1]", 0, 9, 9, 9 },
        { "tp", "", "[0, 1]", 4, 3, -1, 2 },
        { "dp", "", "[0, 1]", 5, 8, 8, 8 },
    };
    struct flight_dump *d;
    struct rows r;
    struct pk p;

    (void)state;
    pk_init(&p);
    pk_head(&p, groups, ARRAY_LEN(groups));
    pk_entry(&p, &(struct case_entry){ "tp", 4, 3, "all_reduce", "scheduled", 1, 1, "Half", false }, 1);
    pk_tail(&p);
    d = read_done(&p, &r);
    assert_int_equal(d->n_groups, 3);
    const struct flight_group *tp = group_of(d, "tp");
    assert_true(group_of(d, "0")->has_status && group_of(d, "0")->last_completed == 9);
    assert_true(tp->has_status && tp == &d->groups[d->entries[0].group]);
    assert_int_equal(tp->last_enqueued, 3);
    assert_int_equal(tp->last_started, -1);
    assert_int_equal(tp->last_completed, 2);
    assert_false(group_of(d, "dp")->has_status);
    rows_done(&r);
    flight_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flight_pickle_gives_all_fields),
        cmocka_unit_test(flight_json_gives_the_same),
        cmocka_unit_test(flight_rank_is_in_the_name),
        cmocka_unit_test(flight_damaged_pickles_keep_what_is_whole),
        cmocka_unit_test(flight_damaged_json_keeps_what_is_whole),
        cmocka_unit_test(flight_refuses_what_is_no_plain_data),
        cmocka_unit_test(flight_odd_values_become_notes),
        cmocka_unit_test(flight_values_in_themselves),
        cmocka_unit_test(flight_huge_counts_and_depth),
        cmocka_unit_test(flight_long_lists_are_cut),
        cmocka_unit_test(flight_keeps_the_newest_entries),
        cmocka_unit_test(flight_status_finds_its_group),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
