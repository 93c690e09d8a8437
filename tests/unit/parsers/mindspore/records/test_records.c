/* SPDX-License-Identifier: Apache-2.0 */
/* Raw records of generation 1 from r1.6 on: each reader alone, and what damage costs each of them. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "parsers/mindspore/mark_steps.h"
#include "parsers/mindspore/records/aicore_records.h"
#include "parsers/mindspore/records/aicpu_records.h"
#include "parsers/mindspore/records/framework_records.h"
#include "parsers/parsers.h"
#include "tests/unit/parsers/mindspore/records/record_case.h"

#define RECORDS 6
#define MAX_B   (RECORDS * FW_B)
#define HASH    UINT64_C(0xa11d5c3efe7fe29b)

/* What a reader gave, as text. */
struct seen {
    struct buf text;
    size_t n;
    size_t others; /* records in the file that are not given: set by the test */
};

/* ---- Framework ---- */

static void make_tasks(unsigned char *p)
{
    for (size_t i = 0; i < RECORDS; i++)
        fw_task_put(p + i * FW_B, false, i == 2 ? NULL : "Default/Mul-op1", HASH, "Mul", 0, 4, (uint32_t)i);
}

static int on_task(void *arg, const struct framework_record_task *t, struct err *e)
{
    struct seen *s = arg;

    (void)e;
    s->n++;
    buf_printf(&s->text, "%.*s|%.*s|%.*s|%s|%u|%u|%u|%u|%u\n", (int)t->op.n, t->op.p, (int)t->type.n,
               t->type.p, (int)t->core.n, t->core.p ? t->core.p : "", t->old ? "old" : "new", t->block_dim,
               t->model, t->stream, t->task, t->where.line);
    return OK;
}

static int read_tasks(struct parse_ctx *c, struct seen *s, struct err *e)
{
    return framework_records_tasks(c, NULL, on_task, s, e);
}

static void make_tensors(unsigned char *p)
{
    for (size_t i = 0; i < RECORDS; i++)
        fw_tensor_put(p + i * FW_B, 4, (uint32_t)i, i % 2, i, 200);
}

static int on_tensors(void *arg, const struct framework_record_tensors *v, struct err *e)
{
    struct seen *s = arg;

    (void)e;
    s->n++;
    buf_printf(&s->text, "%u|%u|%u", v->model, v->stream, v->task);
    for (size_t i = 0; i < v->n; i++) {
        struct str f = framework_records_format(v->t[i].format), ty = framework_records_type(v->t[i].type);
        buf_printf(&s->text, "|%s %.*s %.*s %u,%u,%u", v->t[i].output ? "out" : "in", (int)f.n, f.p,
                   (int)ty.n, ty.p, v->t[i].dims[0], v->t[i].dims[1], v->t[i].dims[2]);
    }
    buf_addc(&s->text, '\n');
    return OK;
}

static int read_tensors(struct parse_ctx *c, struct seen *s, struct err *e)
{
    return framework_records_tensors(c, on_tensors, s, e);
}

/* ---- step marks ---- */

static void make_ts(unsigned char *p)
{
    static const unsigned tags[RECORDS] = { 0, 2, 3, 10000, 10001, 4 };

    for (size_t i = 0; i < RECORDS; i++)
        ts_put(p + i * TS_B, tags[i], 8, (unsigned)i, 100 + i);
}

static int on_mark(void *arg, const struct step_mark *m, struct err *e)
{
    struct seen *s = arg;

    (void)e;
    s->n++;
    buf_printf(&s->text, "%d%s|%llu|%u|%u|%llu|%u:%u\n", (int)m->kind, m->first ? " first" : "",
               (unsigned long long)m->tag, m->stream, m->task, (unsigned long long)m->ticks,
               m->where.source_id, m->where.line);
    return OK;
}

static int read_ts(struct parse_ctx *c, struct seen *s, struct err *e)
{
    return mark_records_ts_track(c, on_mark, s, e);
}

static void make_trace(unsigned char *p)
{
    static const unsigned tags[RECORDS] = { 0, 1, 3, 4, 2, 65535 };

    for (size_t i = 0; i < RECORDS; i++)
        trace_put(p + i * TRACE_B, tags[i], 8, (unsigned)i, 100 + i);
}

static int read_trace(struct parse_ctx *c, struct seen *s, struct err *e)
{
    return mark_records_training_trace(c, on_mark, s, e);
}

/* ---- AI CPU ---- */

static void make_aicpu(unsigned char *p)
{
    for (size_t i = 0; i < RECORDS; i++)
        aicpu_put(p + i * AICPU_B, 5, (unsigned)i, 10000 * (i + 1));
}

static int on_aicpu(void *arg, const struct aicpu_task *t, struct err *e)
{
    struct seen *s = arg;

    (void)e;
    s->n++;
    buf_printf(&s->text, "%.*s|%lld|%lld|%lld %lld|%lld|%lld|", (int)t->name.n, t->name.p ? t->name.p : "",
               (long long)t->stream, (long long)t->task, (long long)t->start_us, (long long)t->end_us,
               (long long)t->dispatch_us, (long long)t->total_us);
    if (t->has_ticks)
        buf_printf(&s->text, "%llu %llu", (unsigned long long)t->start_ticks,
                   (unsigned long long)t->end_ticks);
    buf_addc(&s->text, '\n');
    return OK;
}

static int read_aicpu(struct parse_ctx *c, struct seen *s, struct err *e)
{
    return aicpu_records_read(c, on_aicpu, s, e);
}

/* ---- AI Core ---- */

static void make_aicore(unsigned char *p)
{
    for (size_t i = 0; i < RECORDS; i++)
        aicore_put(p + i * AICORE_B, 4, (unsigned)i, 10);
}

static int on_aicore(void *arg, const struct aicore_record *a, struct err *e)
{
    struct seen *s = arg;

    (void)e;
    s->n++;
    buf_printf(&s->text, "%u|%u|%llu|%llu\n", a->stream, a->task, (unsigned long long)a->counter[0],
               (unsigned long long)a->counter[7]);
    return OK;
}

static int read_aicore(struct parse_ctx *c, struct seen *s, struct err *e)
{
    return aicore_records_read(c, on_aicore, s, e);
}

/* ---- all of them ---- */

/* clang-format off */
enum reader_id { R_TASKS, R_TENSORS, R_TS, R_TRACE, R_AICPU, R_AICORE };
static const struct reader {
    const char *name;
    size_t size_b;
    bool marked;        /* a record has bytes that tell it */
    void (*make)(unsigned char *p);
    int (*read)(struct parse_ctx *c, struct seen *s, struct err *e);
} readers[] = {
    [R_TASKS] = { "tasks",   FW_B, true, make_tasks,   read_tasks },
    [R_TENSORS] = { "tensors", FW_B, true, make_tensors, read_tensors },
    [R_TS] = { "ts_track", TS_B, false, make_ts, read_ts },
    [R_TRACE] = { "training_trace", TRACE_B, false, make_trace, read_trace },
    [R_AICPU] = { "aicpu", AICPU_B, true, make_aicpu, read_aicpu },
    [R_AICORE] = { "aicore", AICORE_B, false, make_aicore, read_aicore },
};
/* clang-format on */

/* others: records that are not given. */
static void read_file(const struct reader *k, const struct source_file *f, size_t others, struct seen *s,
                      struct reading *r)
{
    struct err e = ERR_INIT;

    *s = (struct seen){ .others = others };
    buf_init(&s->text, 1 << 20);
    reading_init(r, f);
    assert_int_equal(k->read(&r->c, s, &e), OK);
    assert_int_equal(r->c.rows, s->n + s->others);
}

static void read_bytes(const struct reader *k, const void *p, size_t n, size_t others, struct seen *s,
                       struct reading *r)
{
    struct source_file f = { .id = 1, .path = scratch_write(p, n), .rel = "", .regular = true };

    read_file(k, &f, others, s, r);
}

static void done(struct seen *s, struct reading *r)
{
    buf_done(&s->text);
    reading_done(r);
}

/* All records of these bytes are given, undamaged, as this text. */
static void expect_text(enum reader_id id, const void *p, size_t n, const char *want)
{
    struct reading r;
    struct seen s;

    read_bytes(&readers[id], p, n, 0, &s, &r);
    assert_string_equal(buf_str(&s.text).p, want);
    assert_int_equal(r.c.lost, 0);
    assert_int_equal(reading_counts(&r)->note_calls, 0);
    done(&s, &r);
}

static void records_cut_anywhere_keep_whole_ones(void **state)
{
    unsigned char p[MAX_B];
    struct reading r;
    struct seen s;

    (void)state;
    for (size_t k = 0; k < ARRAY_LEN(readers); k++) {
        const struct reader *rd = &readers[k];
        rd->make(p);
        for (size_t cut = 0; cut <= RECORDS * rd->size_b; cut++) {
            bool torn = cut % rd->size_b;
            read_bytes(rd, p, cut, 0, &s, &r);
            if (s.n != cut / rd->size_b || r.c.lost != torn)
                fail_msg("%s cut at %zu: %zu records", rd->name, cut, s.n);
            unsigned notes = torn;
            if (rd->read == read_tasks && s.n > 2)
                notes++; /* the hash that nothing names */
            assert_int_equal(reading_counts(&r)->note_calls, notes);
            assert_int_equal(reading_counts(&r)->notes[NOTE_TORN_RECORD], torn);
            done(&s, &r);
        }
    }
}

static void records_with_flipped_bits_lose_no_other(void **state)
{
    unsigned char p[MAX_B], q[MAX_B];
    uint64_t seed = 88172645463325252u;
    struct reading r;
    struct seen s;

    (void)state;
    for (size_t k = 0; k < ARRAY_LEN(readers); k++)
        for (int i = 0; i < 2000; i++) {
            const struct reader *rd = &readers[k];
            size_t n = RECORDS * rd->size_b;
            rd->make(p);
            memcpy(q, p, n);
            size_t at = (size_t)(scratch_random(&seed) % n);
            q[at] = (unsigned char)(q[at] ^ 1u << scratch_random(&seed) % 8);
            bool other = rd->read == read_ts && at % TS_B == 1; /* the type */
            read_bytes(rd, q, n, other, &s, &r);
            if (s.n + s.others + r.c.lost != RECORDS || r.c.lost > 1)
                fail_msg("%s with a flip at %zu: %zu records", rd->name, at, s.n);
            done(&s, &r);
        }
}

/* Three slices, cut at a and b, with so many bytes lost before the last border. */
static void read_slices(const struct reader *k, const unsigned char *p, size_t a, size_t b, size_t lost,
                        struct seen *s, struct reading *r)
{
    struct sliced f = { .n = 0 };

    sliced_add(&f, "slice_0", p, a);
    sliced_add(&f, "slice_1", p + a, b - a - lost);
    sliced_add(&f, "slice_2", p + b, RECORDS * k->size_b - b);
    read_file(k, f.f, 0, s, r);
    sliced_done(&f);
}

static void records_lie_across_slices(void **state)
{
    unsigned char p[MAX_B];
    struct reading r;
    struct seen s;

    (void)state;
    for (size_t k = 0; k < ARRAY_LEN(readers); k++) {
        const struct reader *rd = &readers[k];
        if (!rd->marked)
            continue;
        rd->make(p);
        for (size_t a = 0; a <= 2 * rd->size_b; a += 3) {
            read_slices(rd, p, a, a + rd->size_b / 2, 0, &s, &r);
            if (s.n != RECORDS || r.c.lost)
                fail_msg("%s cut at %zu: %zu records", rd->name, a, s.n);
            done(&s, &r);
        }
    }
}

static void records_of_a_slice_that_lost_its_end_cost_one(void **state)
{
    unsigned char p[MAX_B];
    struct reading r;
    struct seen s;

    (void)state;
    for (size_t k = 0; k < ARRAY_LEN(readers); k++) {
        const struct reader *rd = &readers[k];
        rd->make(p);
        for (size_t lost = 1; lost < rd->size_b; lost++) {
            read_slices(rd, p, rd->size_b, 4 * rd->size_b, lost, &s, &r);
            if (s.n != RECORDS - 1 || r.c.lost != 1)
                fail_msg("%s without %zu bytes: %zu records", rd->name, lost, s.n);
            assert_int_equal(reading_counts(&r)->notes[NOTE_TORN_RECORD], 1);
            done(&s, &r);
        }
    }
}

static void records_without_their_mark_are_one_note(void **state)
{
    unsigned char p[MAX_B];
    struct reading r;
    struct seen s;

    (void)state;
    for (size_t k = 0; k < ARRAY_LEN(readers); k++) {
        const struct reader *rd = &readers[k];
        if (!rd->marked)
            continue;
        rd->make(p);
        memset(p + rd->size_b, 0, 2 * rd->size_b);
        read_bytes(rd, p, RECORDS * rd->size_b, 0, &s, &r);
        assert_int_equal(s.n, RECORDS - 2);
        assert_int_equal(r.c.lost, 2);
        assert_int_equal(reading_counts(&r)->notes[NOTE_BAD_ROW], 2);
        done(&s, &r);
    }
}

/* ---- Framework: what the fields say ---- */

static void read_names(const char *text, struct framework_names **names, struct reading *r)
{
    struct err e = ERR_INIT;

    assert_int_equal(framework_names_new(names, &e), OK);
    reading_init(r, NULL);
    r->rows.file.path = scratch_write(text, strlen(text));
    assert_int_equal(framework_records_names(&r->c, *names, &e), OK);
}

static void framework_names_of_both_eras(void **state)
{
    static const char dic[] = "7:Default/a:b-op7\n11609536840058528411:Default/long-op2";
    unsigned char p[4 * FW_B];
    struct err e = ERR_INIT;
    struct framework_names *names;
    struct reading r;
    struct seen s;

    (void)state;
    for (int old = 0; old < 2; old++) {
        const char *era = old ? "old" : "new";
        char want[400];
        fw_task_put(p, old, "Default/Add-op1", 0, "Add", 0, 4, 3);
        fw_task_put(p + FW_B, old, NULL, HASH, "MatMul", 2, 4, 70000);
        fw_task_put(p + 2 * FW_B, old, NULL, 7, "Cast", 10, 5, 1);
        fw_task_put(p + 3 * FW_B, old, NULL, HASH + 1, "AllReduce", 77, 5, 2);
        read_names(dic, &names, &r);
        assert_int_equal(r.c.rows, 2);
        reading_done(&r);
        reading_init(&r, NULL);
        r.rows.file.path = scratch_write(p, sizeof p);
        s = (struct seen){ .n = 0 };
        buf_init(&s.text, 4096);
        assert_int_equal(framework_records_tasks(&r.c, names, on_task, &s, &e), OK);
        snprintf(want, sizeof want,
                 "Default/Add-op1|Add|AI_CORE|%s|8|1|4|3|1\n"
                 "Default/long-op2|MatMul|MSPROF_AIV|%s|8|1|4|70000|2\n"
                 "Default/a:b-op7|Cast|MSPROF_HCCL|%s|8|1|5|1|3\n"
                 "11609536840058528412|AllReduce||%s|8|1|5|2|4\n",
                 era, era, era, era);
        assert_string_equal(buf_str(&s.text).p, want);
        assert_int_equal(reading_counts(&r)->notes[NOTE_INCONSISTENT], 1);
        done(&s, &r);
        framework_names_free(names);
    }
}

static const struct {
    uint64_t hash;
    const char *name, *line;
} dic_lines[] = {
    { 7, "Default/a-op7", "7:Default/a-op7\n" },
    { UINT64_MAX, "Default/long-op2", "18446744073709551615:Default/long-op2\n" },
    { 8, "b", "8:b\n" },
};

/* Lines that byte at of the dictionary does not touch have their names; the end of a line touches two. */
static void expect_names(const struct framework_names *names, size_t at)
{
    unsigned char p[ARRAY_LEN(dic_lines) * FW_B];
    struct seen s = { .n = 0 };
    struct err e = ERR_INIT;
    struct reading r;
    size_t begin = 0;

    for (size_t i = 0; i < ARRAY_LEN(dic_lines); i++)
        fw_task_put(p + i * FW_B, false, NULL, dic_lines[i].hash, "T", 0, 0, (uint32_t)i);
    buf_init(&s.text, 4096);
    reading_init(&r, NULL);
    r.rows.file.path = scratch_write(p, sizeof p);
    assert_int_equal(framework_records_tasks(&r.c, names, on_task, &s, &e), OK);
    const char *text = buf_str(&s.text).p;
    for (size_t i = 0; i < ARRAY_LEN(dic_lines); i++) {
        size_t end = begin + strlen(dic_lines[i].line), n = strlen(dic_lines[i].name);
        bool touched = at + (begin > 0) >= begin && at < end;
        if (!touched && (strncmp(text, dic_lines[i].name, n) != 0 || text[n] != '|'))
            fail_msg("a flip at %zu: %s is lost", at, dic_lines[i].name);
        text = strchr(text, '\n') + 1;
        begin = end;
    }
    done(&s, &r);
}

static void framework_names_cut_anywhere(void **state)
{
    static const char dic[] = "7:Default/a-op7\n18446744073709551615:Default/long-op2\n8:b\n";
    char copy[sizeof dic];
    struct framework_names *names;
    struct reading r;
    uint64_t seed = 88172645463325252u;

    (void)state;
    for (size_t cut = 0; cut <= strlen(dic); cut++) {
        snprintf(copy, cut + 1, "%s", dic);
        size_t colons = 0;
        for (const char *c = copy; *c; c++)
            colons += *c == ':';
        read_names(copy, &names, &r);
        assert_int_equal(r.c.rows, colons);
        assert_true(r.c.lost <= 1 && reading_counts(&r)->note_calls == r.c.lost);
        framework_names_free(names);
        reading_done(&r);
    }
    for (int i = 0; i < 2000; i++) {
        memcpy(copy, dic, sizeof dic);
        size_t at = (size_t)(scratch_random(&seed) % strlen(dic));
        copy[at] = (char)(copy[at] ^ 1 << scratch_random(&seed) % 8);
        read_names(copy, &names, &r);
        assert_true(r.c.rows >= 2);
        reading_done(&r);
        expect_names(names, at);
        framework_names_free(names);
    }
}

static void framework_tensors_of_both_eras(void **state)
{
    unsigned char p[3 * FW_B];
    struct reading r;
    struct seen s;

    (void)state;
    fw_tensor_put(p, 4, 3, 0, 2, 200);
    fw_tensor_put(p + FW_B, 4, 3, 1, 1, 0);
    put_le(p + FW_B + 36, 99, 4); /* data type */
    expect_text(R_TENSORS, p, 2 * FW_B,
                "1|4|3|in NCHW FLOAT32 2,1,0|in NCHW FLOAT32 2,2,0\n"
                "1|4|3|out NCHW UNKNOWN 2,1,0\n");
    fw_tensor_put(p, 4, 3, 0, 5, 200);
    p[FW_B + 24] = 6; /* more tensors than a record holds */
    memcpy(p + 2 * FW_B, p + FW_B, FW_B);
    p[2 * FW_B + 24] = 255;
    read_bytes(&readers[R_TENSORS], p, sizeof p, 0, &s, &r);
    assert_int_equal(s.n, 1);
    assert_int_equal(r.c.lost, 2);
    assert_int_equal(reading_counts(&r)->note_calls, 1);
    assert_int_equal(reading_counts(&r)->notes[NOTE_BAD_ROW], 2);
    done(&s, &r);
}

/* ---- step marks: what the fields say ---- */

static void marks_of_ts_track(void **state)
{
    unsigned char p[RECORDS * TS_B];

    (void)state;
    make_ts(p);
    expect_text(R_TS, p, sizeof p,
                "0 first|0|8|0|100|1:1\n"
                "1 first|2|8|1|101|1:2\n"
                "2|3|8|2|102|1:3\n"
                "4 first|10000|8|3|103|1:4\n"
                "4|10001|8|4|104|1:5\n"
                "3 first|4|8|5|105|1:6\n");
}

/* Records of another type and length lie between. */
static void marks_of_ts_track_step_over_other_lengths(void **state)
{
    static const size_t lengths[] = { 16, 32, 64 };
    unsigned char p[3 * TS_B + 64];
    struct reading r;
    struct seen s;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lengths); i++) {
        memset(p, 0xff, sizeof p);
        ts_put(p, 2, 8, 1, 100);
        p[TS_B + 1] = 3;
        put_le(p + TS_B + 2, lengths[i], 2);
        ts_put(p + TS_B + lengths[i], 3, 8, 1, 101);
        ts_put(p + 2 * TS_B + lengths[i], 4, 8, 1, 102);
        read_bytes(&readers[R_TS], p, 3 * TS_B + lengths[i], 1, &s, &r);
        assert_int_equal(s.n, 3);
        assert_int_equal(r.c.lost, 0);
        assert_string_equal(buf_str(&s.text).p, "1 first|2|8|1|100|1:1\n"
                                                "2|3|8|1|101|1:3\n"
                                                "3 first|4|8|1|102|1:4\n");
        done(&s, &r);
    }
}

/* A mark needs 38 bytes: the fields of a shorter one lie in its neighbour. */
static void marks_of_ts_track_too_short_are_one_note(void **state)
{
    unsigned char p[3 * TS_B + 2 * 16];
    struct reading r;
    struct seen s;

    (void)state;
    memset(p, 0xff, sizeof p);
    ts_put(p, 2, 8, 1, 100);
    for (size_t i = 0; i < 2; i++) {
        p[TS_B + 16 * i + 1] = 10;
        put_le(p + TS_B + 16 * i + 2, 16, 2);
    }
    ts_put(p + TS_B + 32, 3, 8, 1, 101);
    ts_put(p + 2 * TS_B + 32, 4, 8, 1, 102);
    read_bytes(&readers[R_TS], p, sizeof p, 0, &s, &r);
    assert_string_equal(buf_str(&s.text).p, "1 first|2|8|1|100|1:1\n"
                                            "2|3|8|1|101|1:4\n"
                                            "3 first|4|8|1|102|1:5\n");
    assert_int_equal(r.c.lost, 2);
    assert_int_equal(reading_counts(&r)->note_calls, 1);
    assert_int_equal(reading_counts(&r)->notes[NOTE_BAD_ROW], 2);
    done(&s, &r);
}

/* The torn record was a long one: the next slice's first record has a length of its own. */
static void marks_of_ts_track_after_a_torn_long_record(void **state)
{
    unsigned char p[TS_B + 24], q[3 * TS_B];
    struct sliced f = { .n = 0 };
    struct reading r;
    struct seen s;

    (void)state;
    memset(p, 0, sizeof p);
    ts_put(p, 2, 8, 1, 100);
    p[TS_B + 1] = 3;
    put_le(p + TS_B + 2, 64, 2);
    for (unsigned i = 0; i < 3; i++)
        ts_put(q + i * TS_B, 2 + i, 8, 1, 101 + i);
    sliced_add(&f, "slice_0", p, sizeof p);
    sliced_add(&f, "slice_1", q, sizeof q);
    read_file(&readers[R_TS], f.f, 0, &s, &r);
    assert_string_equal(buf_str(&s.text).p, "1 first|2|8|1|100|1:1\n"
                                            "1 first|2|8|1|101|2:1\n"
                                            "2|3|8|1|102|2:2\n"
                                            "3 first|4|8|1|103|2:3\n");
    assert_int_equal(r.c.lost, 1);
    assert_int_equal(reading_counts(&r)->notes[NOTE_TORN_RECORD], 1);
    done(&s, &r);
    sliced_done(&f);
}

/* 65535 in the first step, and 255 is an op's mark; without it 255 ends the step. */
static void marks_of_training_trace_by_version(void **state)
{
    unsigned char p[RECORDS * TRACE_B];
    struct reading r;
    struct seen s;

    (void)state;
    make_trace(p);
    expect_text(R_TRACE, p, sizeof p,
                "0|0|8|0|100|1:1\n"
                "1 first|1|8|1|101|1:2\n"
                "4 first|3|8|2|102|1:3\n"
                "4|4|8|3|103|1:4\n"
                "2|2|8|4|104|1:5\n"
                "3 first|65535|8|5|105|1:6\n");
    put_le(p + 5 * TRACE_B, 255, 8);
    put_le(p, 65536, 8);
    read_bytes(&readers[R_TRACE], p, sizeof p, 0, &s, &r);
    assert_memory_equal(buf_str(&s.text).p, "0|65536", 7);
    assert_non_null(strstr(buf_str(&s.text).p, "\n3 first|255|8|5|105|1:6\n"));
    done(&s, &r);
}

/* ---- steps ---- */

static void steps_begin_where_the_last_one_ended(void **state)
{
    static const struct {
        enum mark_kind kind;
        uint64_t ticks;
        const char *want; /* start or -, fp, bp, end, marks of communication */
    } marks[] = {
        { MARK_OTHER, 5, NULL }, { MARK_FP, 10, NULL },
        { MARK_COMM, 11, NULL }, { MARK_COMM, 12, NULL },
        { MARK_BP, 20, NULL },   { MARK_END, 30, "1: - 10 20 30 2" },
        { MARK_FP, 31, NULL },   { MARK_END, 40, "2: 30 31 - 40 0" }, /* has no bp: no row */
        { MARK_FP, 41, NULL },   { MARK_FP, 42, NULL },
        { MARK_BP, 43, NULL },   { MARK_END, 50, "3: 40 42 43 50 0" },
    };
    struct err e = ERR_INIT;
    char got[80];

    (void)state;
    for (int skip = 0; skip < 2; skip++) {
        struct steps s = { .skip_first = skip };
        for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
            struct step_mark m = { .kind = marks[i].kind, .ticks = marks[i].ticks };
            bool given = steps_add(&s, &m, &e);
            if (!marks[i].want || (skip && s.number == 0)) {
                assert_false(given);
                continue;
            }
            assert_true(given);
            assert_int_equal(steps_whole(&s), s.has_bp);
            char start[24] = "-", bp[24] = "-";
            if (s.has_start)
                snprintf(start, sizeof start, "%llu", (unsigned long long)s.start_ticks);
            if (s.has_bp)
                snprintf(bp, sizeof bp, "%llu", (unsigned long long)s.bp_ticks);
            snprintf(got, sizeof got, "%lld: %s %llu %s %llu %zu", (long long)s.number + skip, start,
                     (unsigned long long)s.fp_ticks, bp, (unsigned long long)s.end_ticks, s.n_comms);
            assert_string_equal(got, marks[i].want);
        }
        assert_false(steps_cut(&s));
        struct step_mark m = { .kind = MARK_FP, .ticks = 60 };
        assert_false(steps_add(&s, &m, &e));
        assert_true(steps_cut(&s) && s.start_ticks == 50 && !s.has_end && s.number == 4 - skip);
        steps_done(&s);
    }
}

/* ---- AI CPU: what the fields say ---- */

#define THREAD(us)                                                                                           \
    "Thread[ 1] process device[0]:aicpu[ 0] task end, a=1,b=2, c=3,d=4, dispatchTime=87 us, "                \
    "totalTime=" us " us."

static void aicpu_records_and_texts(void **state)
{
    static const char text[] =
        THREAD("1") "\0"
                    "[1] Node:GetNext, Run start:100 10007, Run end:109 10900\n\0" THREAD(
                        "989") " \0"
                               "[2] Node:InitData, Run tart:200, Run end:201\0" THREAD(
                                   "5") "\0"
                                        "[3] Node:Default/A-op0, Run tart:300, compute start:301, memcpy "
                                        "start:302, memcpy end:303,Run end:304\0" THREAD(
                                            "6") "\0"
                                                 "[4] Node:Lost, Run start:400 40000, Run end:401 40100\0"
                                                 "[5] Node:Bad, Run start:x, Run end:401\0" THREAD(
                                                     "7") "\0"
                                                          "[6] Node:B, Run start:500 50000, Run end:501 "
                                                          "50100\0Thread, totalTime=7 us.\0"
                                                          "[7] Node:C, Run start:600 60000, Run end:601 "
                                                          "60100\0" THREAD("8");
    unsigned char p[2 * AICPU_B];
    struct reading r;
    struct seen s;

    (void)state;
    aicpu_put(p, 5, 3, 45001000025);
    aicpu_put(p + AICPU_B, 6, 65535, 100);
    expect_text(R_AICPU, p, sizeof p,
                "|5|3|450010000 450010009|87|900|45001000025 45001000925\n"
                "|6|65535|1 10|87|900|100 1000\n");
    read_bytes(&readers[R_AICPU], text, sizeof text - 1, 0, &s, &r);
    assert_string_equal(buf_str(&s.text).p, "GetNext|-1|-1|100 109|87|989|10007 10900\n"
                                            "InitData|-1|-1|200 201|87|5|\n"
                                            "A|-1|-1|300 304|87|6|\n");
    assert_int_equal(reading_counts(&r)->notes[NOTE_INCONSISTENT], 1); /* Lost */
    assert_int_equal(reading_counts(&r)->notes[NOTE_BAD_ROW], 2);      /* Bad, the short thread */
    assert_int_equal(reading_counts(&r)->notes[NOTE_TORN_RECORD], 1);
    assert_int_equal(r.c.lost, 4);
    done(&s, &r);
}

static void aicpu_text_damage_costs_a_task(void **state)
{
    static const char one[] = "[1] Node:GetNext, Run start:100 10007, Run end:109 10900\0" THREAD("989") "\0";
    char text[3 * sizeof one];
    size_t each = sizeof one - 1, n = 3 * each;
    uint64_t seed = 88172645463325252u;
    struct reading r;
    struct seen s;

    (void)state;
    for (size_t i = 0; i < 3; i++)
        memcpy(text + i * each, one, each);
    for (size_t cut = 0; cut <= n; cut++) {
        read_bytes(&readers[R_AICPU], text, cut, 0, &s, &r);
        assert_int_equal(s.n, cut / each);
        assert_int_equal(reading_counts(&r)->note_calls, cut % each != 0);
        done(&s, &r);
    }
    for (int i = 0; i < 2000; i++) {
        char copy[sizeof text];
        memcpy(copy, text, n);
        size_t at = (size_t)(scratch_random(&seed) % n);
        copy[at] = (char)(copy[at] ^ 1 << scratch_random(&seed) % 8);
        read_bytes(&readers[R_AICPU], copy, n, 0, &s, &r);
        bool border = !text[at]; /* of two tasks: may cost both */
        if (s.n + border < 2 || s.n > 3)
            fail_msg("a flip at %zu left %zu tasks", at, s.n);
        done(&s, &r);
    }
}

static void aicore_counters_of_a_task(void **state)
{
    unsigned char p[2 * AICORE_B];

    (void)state;
    aicore_put(p, 70000, 65535, 3);
    aicore_put(p + AICORE_B, 4, 5, UINT64_C(1) << 60);
    expect_text(R_AICORE, p, sizeof p, "70000|65535|3|24\n4|5|1152921504606846976|9223372036854775808\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_cut_anywhere_keep_whole_ones),
        cmocka_unit_test(records_with_flipped_bits_lose_no_other),
        cmocka_unit_test(records_lie_across_slices),
        cmocka_unit_test(records_of_a_slice_that_lost_its_end_cost_one),
        cmocka_unit_test(records_without_their_mark_are_one_note),
        cmocka_unit_test(framework_names_of_both_eras),
        cmocka_unit_test(framework_names_cut_anywhere),
        cmocka_unit_test(framework_tensors_of_both_eras),
        cmocka_unit_test(aicpu_records_and_texts),
        cmocka_unit_test(aicpu_text_damage_costs_a_task),
        cmocka_unit_test(aicore_counters_of_a_task),
        cmocka_unit_test(marks_of_ts_track),
        cmocka_unit_test(marks_of_ts_track_step_over_other_lengths),
        cmocka_unit_test(marks_of_ts_track_too_short_are_one_note),
        cmocka_unit_test(marks_of_ts_track_after_a_torn_long_record),
        cmocka_unit_test(marks_of_training_trace_by_version),
        cmocka_unit_test(steps_begin_where_the_last_one_ended),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
