/* SPDX-License-Identifier: Apache-2.0 */
/* Raw data of generation 1, text era: each reader alone, and the pairing of starts and ends. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/limits.h"
#include "parsers/mindspore/records/framework_text.h"
#include "parsers/mindspore/records/hwts_records.h"
#include "parsers/mindspore/task_pairs.h"
#include "tests/unit/parsers/mindspore/records/record_case.h"

/* ---- HWTS ---- */

static const char *const slice_names[] = { "slice_0", "slice_1", "slice_2" };

struct seen {
    struct hwts_record r[64];
    size_t n;
    int fail; /* give this code at the third record */
};

static int on_record(void *arg, const struct hwts_record *r, struct err *e)
{
    struct seen *s = arg;

    if (s->n < ARRAY_LEN(s->r))
        s->r[s->n] = *r;
    s->n++;
    return s->fail && s->n == 3 ? err_set(e, s->fail, "no") : OK;
}

static int read_hwts(struct reading *r, const void *p, size_t n, struct seen *s)
{
    struct err e = ERR_INIT;

    *s = (struct seen){ .fail = s->fail };
    reading_init(r, NULL);
    r->rows.file.path = scratch_write(p, n);
    return hwts_records_read(&r->c, on_record, s, &e);
}

static void hwts_records_are_decoded(void **state)
{
    unsigned char p[HWTS_RECORDS * HWTS_B];
    struct seen s = { .n = 0 };
    struct reading r;

    (void)state;
    hwts_make(p);
    assert_int_equal(read_hwts(&r, p, sizeof p, &s), OK);
    assert_int_equal(s.n, HWTS_RECORDS);
    assert_int_equal(r.c.rows, HWTS_RECORDS);
    const struct hwts_record *one = &s.r[1];
    assert_int_equal(one->type, HWTS_TASK_END);
    assert_int_equal(one->count, 2);
    assert_int_equal(one->core, 3);
    assert_int_equal(one->block, 7);
    assert_int_equal(one->task, 30001);
    assert_int_equal(one->stream, 9);
    assert_true(one->has_ticks && one->ticks == 1250);
    assert_int_equal(one->where.offset, 64);
    assert_int_equal(one->where.line, 2);
    assert_true(s.r[5].has_ticks && s.r[5].ticks == 1302); /* block PMU: another place */
    assert_true(s.r[8].warn && !s.r[8].has_ticks);
    assert_int_equal(reading_counts(&r)->note_calls, 0);
    reading_done(&r);
}

static void hwts_blank_and_unknown_records_are_left_out(void **state)
{
    unsigned char p[5 * HWTS_B];
    struct seen s = { .n = 0 };
    struct reading r;

    (void)state;
    hwts_put(p, 0, 1, 1, 1);
    memset(p + HWTS_B, ' ', HWTS_B);
    for (size_t i = 2; i < 5; i++)
        hwts_put(p + i * HWTS_B, i == 3 ? 6 : 5, 1, 1, 1);
    assert_int_equal(read_hwts(&r, p, sizeof p, &s), OK);
    assert_int_equal(s.n, 1);
    assert_int_equal(r.c.lost, 3);
    assert_int_equal(reading_counts(&r)->note_calls, 2);
    assert_int_equal(reading_counts(&r)->notes[NOTE_UNKNOWN_TYPE], 3);
    reading_done(&r);
}

static void hwts_cut_anywhere_keeps_whole_records(void **state)
{
    unsigned char p[HWTS_RECORDS * HWTS_B];
    struct seen s = { .n = 0 };
    struct reading r;

    (void)state;
    hwts_make(p);
    for (size_t cut = 0; cut <= sizeof p; cut++) {
        bool torn = cut % HWTS_B;
        assert_int_equal(read_hwts(&r, p, cut, &s), OK);
        assert_int_equal(s.n, cut / HWTS_B);
        assert_int_equal(r.c.lost, torn);
        assert_int_equal(reading_counts(&r)->note_calls, torn);
        assert_int_equal(reading_counts(&r)->notes[NOTE_TORN_RECORD], torn);
        reading_done(&r);
    }
}

static void hwts_flipped_bits_lose_no_other_record(void **state)
{
    unsigned char p[HWTS_RECORDS * HWTS_B], q[sizeof p];
    uint64_t seed = 88172645463325252u;
    struct seen s = { .n = 0 };
    struct reading r;

    (void)state;
    hwts_make(p);
    for (int k = 0; k < 2000; k++) {
        memcpy(q, p, sizeof q);
        size_t at = (size_t)(scratch_random(&seed) % sizeof q);
        q[at] = (unsigned char)(q[at] ^ 1u << scratch_random(&seed) % 8);
        assert_int_equal(read_hwts(&r, q, sizeof q, &s), OK);
        assert_int_equal(s.n + r.c.lost, HWTS_RECORDS);
        assert_true(r.c.lost <= 1);
        for (size_t i = 0; i < s.n && r.c.lost == 0; i++)
            assert_true(i == at / HWTS_B || s.r[i].task == (p[i * HWTS_B + 6] | p[i * HWTS_B + 7] << 8));
        reading_done(&r);
    }
}

static void hwts_ends_with_the_error_of_its_user(void **state)
{
    unsigned char p[HWTS_RECORDS * HWTS_B];
    struct seen s = { .fail = ERR_FULL };
    struct reading r;

    (void)state;
    hwts_make(p);
    assert_int_equal(read_hwts(&r, p, sizeof p, &s), ERR_FULL);
    assert_int_equal(s.n, 3);
    reading_done(&r);
}

/* Cut the records at a and b into three slices, with so many bytes lost before the last border. */
static void read_slices(const unsigned char *p, size_t a, size_t b, size_t lost, struct seen *s,
                        struct reading *r)
{
    struct sliced f = { .n = 0 };
    struct err e = ERR_INIT;

    *s = (struct seen){ .n = 0 };
    sliced_add(&f, "slice_0", p, a);
    sliced_add(&f, "slice_1", p + a, b - a - lost);
    sliced_add(&f, "slice_2", p + b, HWTS_RECORDS * HWTS_B - b);
    reading_init(r, f.f);
    assert_int_equal(hwts_records_read(&r->c, on_record, s, &e), OK);
    sliced_done(&f);
}

static void hwts_slices_are_one_stream(void **state)
{
    unsigned char p[HWTS_RECORDS * HWTS_B];
    struct reading r;
    struct seen s;

    (void)state;
    hwts_make(p);
    for (size_t a = 0; a <= 2 * HWTS_B; a++) {
        read_slices(p, a, a + 100, 0, &s, &r);
        if (s.n != HWTS_RECORDS || r.c.lost)
            fail_msg("cut at %zu: %zu records", a, s.n);
        for (size_t i = 0; i < s.n; i++) {
            size_t off = i * HWTS_B, slice = off < a ? 0 : off < a + 100 ? 1 : 2;
            assert_int_equal(s.r[i].where.source_id, slice + 1);
            assert_int_equal(s.r[i].where.offset, off - (slice == 0 ? 0 : slice == 1 ? a : a + 100));
        }
        assert_int_equal(reading_counts(&r)->note_calls, 0);
        reading_done(&r);
    }
}

static void hwts_a_slice_that_lost_its_end_costs_one_record(void **state)
{
    unsigned char p[HWTS_RECORDS * HWTS_B];
    struct reading r;
    struct seen s;

    (void)state;
    hwts_make(p);
    for (size_t lost = 1; lost < HWTS_B; lost++) {
        read_slices(p, HWTS_B, 4 * HWTS_B, lost, &s, &r);
        assert_int_equal(s.n, HWTS_RECORDS - 1);
        assert_int_equal(s.r[3].ticks, 1301); /* the record of the new slice */
        assert_int_equal(s.r[3].where.source_id, 3);
        assert_int_equal(r.c.lost, 1);
        assert_int_equal(reading_counts(&r)->notes[NOTE_TORN_RECORD], 1);
        reading_done(&r);
    }
}

/* Each of these slices holds less than a record. */
static void hwts_slices_that_all_lost_their_end_give_no_record_of_parts(void **state)
{
    unsigned char p[HWTS_RECORDS * HWTS_B];
    struct sliced f = { .n = 0 };
    struct err e = ERR_INIT;
    struct reading r;
    struct seen s = { .n = 0 };

    (void)state;
    hwts_make(p);
    for (size_t i = 0; i < 3; i++)
        sliced_add(&f, slice_names[i], p + i * HWTS_B, 40);
    reading_init(&r, f.f);
    assert_int_equal(hwts_records_read(&r.c, on_record, &s, &e), OK);
    assert_int_equal(s.n, 0);
    assert_int_equal(r.c.lost, 3);
    sliced_done(&f);
    reading_done(&r);
}

static int on_any_record(void *arg, const struct hwts_record *r, struct err *e)
{
    (void)r;
    (void)e;
    ++*(size_t *)arg;
    return OK;
}

/* The numbers of three slices of 40 records each, with some left out; step: to the next number. */
static void read_numbered(const size_t *out, size_t n_out, unsigned step, struct reading *r)
{
    unsigned char p[40 * HWTS_B];
    struct sliced f = { .n = 0 };
    struct err e = ERR_INIT;
    size_t seen = 0;

    for (size_t k = 0; k < 3; k++) {
        size_t n = 0;
        for (size_t i = k * 40; i < (k + 1) * 40; i++) {
            bool left_out = false;
            for (size_t o = 0; o < n_out; o++)
                left_out |= out[o] == i;
            if (!left_out)
                hwts_put(p + n++ * HWTS_B, 2 | (unsigned)(i * step % 16) << 4, 7, 4, i);
        }
        sliced_add(&f, slice_names[k], p, n * HWTS_B);
    }
    reading_init(r, f.f);
    assert_int_equal(hwts_records_read(&r->c, on_any_record, &seen, &e), OK);
    assert_int_equal(seen, 120 - n_out);
    sliced_done(&f);
}

static void hwts_reports_records_that_are_missing(void **state)
{
    static const size_t out[] = { 45, 46, 70 };
    struct reading r;

    (void)state;
    read_numbered(NULL, 0, 1, &r);
    assert_int_equal(reading_counts(&r)->note_calls, 0);
    reading_done(&r);
    read_numbered(out, 3, 1, &r);
    assert_int_equal(reading_counts(&r)->notes[NOTE_LOST_RECORDS], 3);
    assert_int_equal(r.c.lost, 0); /* of what the files hold nothing */
    assert_non_null(strstr(buf_str(&r.rows.text).p, "note|LOST_RECORDS|line=6|count=3|"));
    reading_done(&r);
    read_numbered(out, 3, 5, &r); /* no sequence */
    assert_int_equal(reading_counts(&r)->note_calls, 0);
    reading_done(&r);
}

/* ---- Framework ---- */

struct fw_seen {
    struct buf text;
    size_t n;
};

static int on_task(void *arg, const struct framework_task *t, struct err *e)
{
    struct fw_seen *s = arg;

    (void)e;
    s->n++;
    buf_printf(&s->text, "%.*s|%lld|%u|%u|%u:%u\n", (int)t->op.n, t->op.p, (long long)t->block_dim, t->task,
               t->stream, t->where.source_id, t->where.line);
    return OK;
}

static void print_tensors(struct buf *b, const struct framework_tensor *t, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buf_printf(b, "|%.*s %.*s %.*s", (int)t[i].format.n, t[i].format.p, (int)t[i].type.n, t[i].type.p,
                   (int)t[i].shape.n, t[i].shape.p);
}

static int on_op(void *arg, const struct framework_op *o, struct err *e)
{
    struct fw_seen *s = arg;

    (void)e;
    s->n++;
    buf_printf(&s->text, "%.*s|%.*s", (int)o->name.n, o->name.p, (int)o->type.n, o->type.p);
    print_tensors(&s->text, o->in, o->n_in);
    buf_puts(&s->text, "|->");
    print_tensors(&s->text, o->out, o->n_out);
    buf_addc(&s->text, '\n');
    return OK;
}

static int read_text(const struct source_file *f, bool graph, struct fw_seen *s, struct reading *r)
{
    struct err e = ERR_INIT;

    s->n = 0;
    buf_init(&s->text, 1 << 20);
    reading_init(r, f);
    return graph ? framework_text_ops(&r->c, on_op, s, &e) : framework_text_tasks(&r->c, on_task, s, &e);
}

static int read_scratch(const char *p, size_t n, bool graph, struct fw_seen *s, struct reading *r)
{
    struct source_file f = { .id = 1, .path = scratch_write(p, n), .rel = "", .regular = true };

    return read_text(&f, graph, s, r);
}

static void fw_done(struct fw_seen *s, struct reading *r)
{
    buf_done(&s->text);
    reading_done(r);
}

static void framework_tasks_with_and_without_graph_id(void **state)
{
    struct reading r;
    struct fw_seen s;

    (void)state;
    assert_int_equal(read_scratch(TASKS, strlen(TASKS), false, &s, &r), OK);
    assert_string_equal(buf_str(&s.text).p, "Default/Add-op1|8|30001|3|1:1\n"
                                            "Default/Mul-op2|1|7|4|1:2\n"
                                            "Default/Sub-op3|2|8|4|1:3\n");
    fw_done(&s, &r);
}

static void framework_ops_and_tensors_by_back_end(void **state)
{
    static const struct {
        const char *name, *f40, *f99;
    } cases[] = {
        { "Framework.host.vm.graph_desc_info.0.slice_0", "NUMBER_TYPE_FLOAT32", "UNKNOWN" },
        { "Framework.vm.graph_desc_info.0.slice_0", "NUMBER_TYPE_FLOAT32", "UNKNOWN" },
        { "Framework.host.vm_graph_desc_info.0.slice_0", "NUMBER_TYPE_UINT32", "UNKNOWN" },
        { "Framework.host.graph_desc_info.0.slice_0", "40", "99" },
    };
    char want[400];
    struct reading r;
    struct fw_seen s;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct sliced f = { .n = 0 };
        sliced_add(&f, cases[i].name, GRAPH, strlen(GRAPH));
        assert_int_equal(read_text(f.f, true, &s, &r), OK);
        assert_int_equal(s.n, 3);
        snprintf(want, sizeof want, "Default/Add-op1|Add|NCHW %s 1,2|ND ", cases[i].f40);
        assert_memory_equal(buf_str(&s.text).p, want, strlen(want));
        snprintf(want, sizeof want, "\nDefault/Mul-op2|Mul|->|ND %s 3\nDefault/Sub-op3|Sub|->\n",
                 cases[i].f99);
        assert_non_null(strstr(buf_str(&s.text).p, want));
        assert_int_equal(reading_counts(&r)->note_calls, 0);
        fw_done(&s, &r);
        sliced_done(&f);
    }
}

static void cut_text(const char *text, bool graph)
{
    struct reading r;
    struct fw_seen s;

    for (size_t cut = 0; cut <= strlen(text); cut++) {
        size_t lines = 0;
        for (size_t i = 0; i < cut; i++)
            lines += text[i] == '\n';
        bool torn = cut && text[cut - 1] != '\n';
        assert_int_equal(read_scratch(text, cut, graph, &s, &r), OK);
        assert_int_equal(s.n, lines);
        assert_int_equal(reading_counts(&r)->notes[NOTE_TORN_RECORD], torn);
        assert_int_equal(reading_counts(&r)->note_calls, torn);
        fw_done(&s, &r);
    }
}

static void flip_text(const char *text, size_t lines, bool graph)
{
    uint64_t seed = 88172645463325252u;
    size_t n = strlen(text);
    char copy[1024];
    struct reading r;
    struct fw_seen s;

    for (int k = 0; k < 2000; k++) {
        memcpy(copy, text, n);
        size_t at = (size_t)(scratch_random(&seed) % n);
        copy[at] = (char)(copy[at] ^ 1 << scratch_random(&seed) % 8);
        assert_int_equal(read_scratch(copy, n, graph, &s, &r), OK);
        if (s.n + 2 < lines)
            fail_msg("a flip at %zu left %zu lines", at, s.n);
        fw_done(&s, &r);
    }
}

static void framework_damage_costs_the_line(void **state)
{
    (void)state;
    cut_text(TASKS, false);
    cut_text(GRAPH, true);
    flip_text(TASKS, 3, false);
    flip_text(GRAPH, 3, true);
}

static void framework_slices_are_one_text(void **state)
{
    const char *text = TASKS;
    struct reading r;
    struct fw_seen s;

    (void)state;
    for (size_t a = 0; a + 5 <= strlen(text); a++) {
        struct sliced f = { .n = 0 };
        sliced_add(&f, "slice_0", text, a);
        sliced_add(&f, "slice_1", text + a, 5);
        sliced_add(&f, "slice_2", text + a + 5, strlen(text) - a - 5);
        assert_int_equal(read_text(f.f, false, &s, &r), OK);
        if (s.n != 3 || r.c.lost)
            fail_msg("cut at %zu: %zu lines", a, s.n);
        fw_done(&s, &r);
        sliced_done(&f);
    }
}

static void framework_long_lines_are_left_out(void **state)
{
    static const char last[] = "\nDefault/Mul-op2 1 7 4\n";
    size_t n = LIM_LINE_B + ((size_t)3 << 20) + strlen(last);
    char *p = malloc(n);
    struct reading r;
    struct fw_seen s;

    (void)state;
    assert_non_null(p);
    memset(p, 'x', n);
    memcpy(p + n - strlen(last), last, strlen(last));
    assert_int_equal(read_scratch(p, n, false, &s, &r), OK);
    assert_int_equal(reading_counts(&r)->notes[NOTE_LINE_TOO_LONG], 1);
    assert_int_equal(s.n, 1);
    assert_int_equal(r.c.lost, 1);
    fw_done(&s, &r);
    free(p);
}

static void framework_binary_files_are_refused(void **state)
{
    struct reading r;
    struct fw_seen s;

    (void)state;
    assert_int_equal(read_scratch("\x5a\x5a\x17\0", 4, false, &s, &r), ERR_VERSION);
    fw_done(&s, &r);
}

/* ---- pairing ---- */

static void optime_pairs_the_tasks_of_each_stream(void **state)
{
    static const struct {
        uint32_t stream, task;
        bool end, gap;
        int pair; /* index of its start, -1: none */
    } marks[] = {
        { 1, 7, false, false, -1 }, { 2, 9, false, false, -1 }, { 1, 7, true, false, 0 },
        { 2, 9, true, false, 1 },                               /* streams overlap */
        { 1, 7, true, false, -1 },                              /* an end without its start */
        { 1, 5, false, false, -1 }, { 1, 6, false, false, -1 }, /* the end of 5 is lost */
        { 1, 5, true, false, -1 },  { 1, 6, true, false, 6 },   /* the end of a task before it */
        { 3, 7, false, false, -1 }, { 3, 7, true, true, -1 },   /* records are lost between them */
        { 3, 7, false, false, -1 }, { 3, 7, true, false, 11 },  { 2, 9, false, false, -1 },
    };
    struct task_pairs o = { .n = 0 };
    struct task_pairs_mark start;
    struct err e = ERR_INIT;
    int64_t ts, dur;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
        struct task_pairs_mark m = {
            .task = marks[i].task, .stream = marks[i].stream, .end = marks[i].end, .ticks = 10 * i
        };
        if (marks[i].gap)
            task_pairs_gap(&o);
        assert_int_equal(task_pairs_add(&o, &m, &start, &e), marks[i].pair >= 0);
        if (marks[i].pair < 0)
            continue;
        assert_true(task_pairs_ns(&start, &m, &ts, &dur));
        assert_int_equal(ts, 100 * marks[i].pair);
        assert_int_equal(dur, 100 * ((int)i - marks[i].pair));
    }
    assert_int_equal(o.unpaired, 5); /* the last start is still open */
    task_pairs_done(&o);
}

static void optime_refuses_impossible_times(void **state)
{
    struct task_pairs_mark a = { .ticks = 10 }, b = { .ticks = 9 };
    int64_t ts, dur;

    (void)state;
    assert_false(task_pairs_ns(&a, &b, &ts, &dur));
    b.ticks = UINT64_MAX;
    assert_false(task_pairs_ns(&a, &b, &ts, &dur));
    a.ticks = b.ticks = UINT64_C(1) << 60;
    assert_false(task_pairs_ns(&a, &b, &ts, &dur));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hwts_records_are_decoded),
        cmocka_unit_test(hwts_blank_and_unknown_records_are_left_out),
        cmocka_unit_test(hwts_cut_anywhere_keeps_whole_records),
        cmocka_unit_test(hwts_flipped_bits_lose_no_other_record),
        cmocka_unit_test(hwts_ends_with_the_error_of_its_user),
        cmocka_unit_test(hwts_slices_are_one_stream),
        cmocka_unit_test(hwts_a_slice_that_lost_its_end_costs_one_record),
        cmocka_unit_test(hwts_reports_records_that_are_missing),
        cmocka_unit_test(hwts_slices_that_all_lost_their_end_give_no_record_of_parts),
        cmocka_unit_test(framework_tasks_with_and_without_graph_id),
        cmocka_unit_test(framework_ops_and_tensors_by_back_end),
        cmocka_unit_test(framework_damage_costs_the_line),
        cmocka_unit_test(framework_slices_are_one_text),
        cmocka_unit_test(framework_long_lines_are_left_out),
        cmocka_unit_test(framework_binary_files_are_refused),
        cmocka_unit_test(optime_pairs_the_tasks_of_each_stream),
        cmocka_unit_test(optime_refuses_impossible_times),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
