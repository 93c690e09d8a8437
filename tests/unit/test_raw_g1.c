/* Raw data of generation 1, text era: each reader alone, the pairing of starts and ends, and the group that joins them. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "parsers/derive_optime.h"
#include "parsers/parsers.h"
#include "parsers/raw_framework.h"
#include "parsers/raw_hwts.h"
#include "raw_case.h"

/* ---- HWTS ---- */

#define RECORDS 10

/* Two ops on two streams, blocks between, a task nobody names, and a start without an end. */
static void make_hwts(unsigned char *p)
{
    static const struct {
        unsigned head, task, stream;
        uint64_t ticks;
    } rows[RECORDS] = {
        { 0, 30001, 9, 1000 }, { 1 | 2 << 4, 30001, 9, 1250 },
        { 2, 7, 4, 1300 },     { 0, 7, 4, 1300 },
        { 1, 7, 4, 1301 },     { 4, 7, 4, 1302 },
        { 0, 60000, 5, 1400 }, { 1, 60000, 5, 1500 },
        { 4 | 8, 7, 4, 1600 }, { 0, 30001, 9, UINT32_MAX },
    };

    for (size_t i = 0; i < RECORDS; i++)
        hwts_put(p + i * HWTS_B, rows[i].head, rows[i].task, rows[i].stream, rows[i].ticks);
}

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
    return s->fail && s->n == 3 ? err_set(e, (enum err_code)s->fail, "no") : OK;
}

static int read_hwts(struct reading *r, const void *p, size_t n, struct seen *s)
{
    struct err e = ERR_INIT;

    *s = (struct seen){ .fail = s->fail };
    reading_init(r, NULL);
    r->rows.file.path = scratch_write(p, n);
    return raw_hwts_read(&r->c, on_record, s, &e);
}

static void hwts_records_are_decoded(void **state)
{
    unsigned char p[RECORDS * HWTS_B];
    struct seen s = { .n = 0 };
    struct reading r;

    (void)state;
    make_hwts(p);
    assert_int_equal(read_hwts(&r, p, sizeof p, &s), OK);
    assert_int_equal(s.n, RECORDS);
    assert_int_equal(r.c.rows, RECORDS);
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
    unsigned char p[RECORDS * HWTS_B];
    struct seen s = { .n = 0 };
    struct reading r;

    (void)state;
    make_hwts(p);
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
    unsigned char p[RECORDS * HWTS_B], q[sizeof p];
    uint64_t seed = 88172645463325252u;
    struct seen s = { .n = 0 };
    struct reading r;

    (void)state;
    make_hwts(p);
    for (int k = 0; k < 2000; k++) {
        memcpy(q, p, sizeof q);
        size_t at = (size_t)(scratch_random(&seed) % sizeof q);
        q[at] = (unsigned char)(q[at] ^ 1u << scratch_random(&seed) % 8);
        assert_int_equal(read_hwts(&r, q, sizeof q, &s), OK);
        assert_int_equal(s.n + r.c.lost, RECORDS);
        assert_true(r.c.lost <= 1);
        for (size_t i = 0; i < s.n && r.c.lost == 0; i++)
            assert_true(i == at / HWTS_B ||
                        s.r[i].task == (p[i * HWTS_B + 6] | p[i * HWTS_B + 7] << 8));
        reading_done(&r);
    }
}

static void hwts_ends_with_the_error_of_its_user(void **state)
{
    unsigned char p[RECORDS * HWTS_B];
    struct seen s = { .fail = ERR_FULL };
    struct reading r;

    (void)state;
    make_hwts(p);
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
    sliced_add(&f, "slice_2", p + b, RECORDS * HWTS_B - b);
    reading_init(r, f.f);
    assert_int_equal(raw_hwts_read(&r->c, on_record, s, &e), OK);
    sliced_done(&f);
}

static void hwts_slices_are_one_stream(void **state)
{
    unsigned char p[RECORDS * HWTS_B];
    struct reading r;
    struct seen s;

    (void)state;
    make_hwts(p);
    for (size_t a = 0; a <= 2 * HWTS_B; a++) {
        read_slices(p, a, a + 100, 0, &s, &r);
        if (s.n != RECORDS || r.c.lost)
            fail_msg("cut at %zu: %zu records", a, s.n);
        for (size_t i = 0; i < s.n; i++) {
            size_t off = i * HWTS_B, slice = off < a ? 0 : off < a + 100 ? 1 : 2;
            assert_int_equal(s.r[i].where.source_id, slice + 1);
            assert_int_equal(s.r[i].where.offset, off - (slice == 0   ? 0
                                                         : slice == 1 ? a
                                                                      : a + 100));
        }
        assert_int_equal(reading_counts(&r)->note_calls, 0);
        reading_done(&r);
    }
}

static void hwts_a_slice_that_lost_its_end_costs_one_record(void **state)
{
    unsigned char p[RECORDS * HWTS_B];
    struct reading r;
    struct seen s;

    (void)state;
    make_hwts(p);
    for (size_t lost = 1; lost < HWTS_B; lost++) {
        read_slices(p, HWTS_B, 4 * HWTS_B, lost, &s, &r);
        assert_int_equal(s.n, RECORDS - 1);
        assert_int_equal(s.r[3].ticks, 1301); /* the record of the new slice */
        assert_int_equal(s.r[3].where.source_id, 3);
        assert_int_equal(r.c.lost, 1);
        assert_int_equal(reading_counts(&r)->notes[NOTE_TORN_RECORD], 1);
        reading_done(&r);
    }
}

/* ---- Framework ---- */

#define TASKS                                                                                      \
    "Default/Add-op1 8 30001 3\n"                                                                  \
    "1 Default/Mul-op2 1 7 4\n"                                                                    \
    "Default/Sub-op3 2 8 4\n"
#define GRAPH                                                                                      \
    "op_name:Default/Add-op1 op_type:Add input_id:0 input_format:NCHW input_data_type:40 "         \
    "input_shape:\"1,2\" input_id:1 input_format:ND input_data_type:31 input_shape:\"\" "          \
    "output_id:0 output_format:NCHW output_data_type:39 output_shape:\"1,2\"\n"                    \
    "op_name:Default/Mul-op2 op_type:Mul output_id:0 output_format:ND output_data_type:99 "        \
    "output_shape:\"3\"\n"                                                                         \
    "op_name:Default/Sub-op3 op_type:Sub\n"

struct fw_seen {
    struct buf text;
    size_t n;
};

static int on_task(void *arg, const struct fw_task *t, struct err *e)
{
    struct fw_seen *s = arg;

    (void)e;
    s->n++;
    buf_printf(&s->text, "%.*s|%lld|%u|%u|%u:%u\n", (int)t->op.n, t->op.p, (long long)t->block_dim,
               t->task, t->stream, t->where.source_id, t->where.line);
    return OK;
}

static void print_tensors(struct buf *b, const struct fw_tensor *t, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buf_printf(b, "|%.*s %.*s %.*s", (int)t[i].format.n, t[i].format.p, (int)t[i].type.n,
                   t[i].type.p, (int)t[i].shape.n, t[i].shape.p);
}

static int on_op(void *arg, const struct fw_op *o, struct err *e)
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
    return graph ? raw_fw_ops(&r->c, on_op, s, &e) : raw_fw_tasks(&r->c, on_task, s, &e);
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
    size_t n = ((size_t)3 << 20) + strlen(last);
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

static void optime_pairs_neighbours_of_one_name(void **state)
{
    static const struct {
        uint32_t op;
        bool end, pair;
    } marks[] = {
        { 1, false, false }, { 1, true, true },  { 1, true, false },  { 1, false, false },
        { 2, false, false }, { 1, true, false }, { 2, true, false },  { 3, false, false },
        { 3, false, false }, { 3, true, true },  { 3, false, false },
    };
    struct optime o = { .open = false };
    int64_t ts, dur;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
        struct optime_mark m = { .op = marks[i].op, .end = marks[i].end, .ticks = 10 * i };
        assert_int_equal(optime_add(&o, &m), marks[i].pair);
        if (!marks[i].pair)
            continue;
        assert_true(optime_ns(&o.start, &m, &ts, &dur));
        assert_int_equal(ts, 100 * (i - 1));
        assert_int_equal(dur, 100);
    }
    assert_int_equal(o.unpaired, 6); /* the last start is still open */
}

static void optime_refuses_impossible_times(void **state)
{
    struct optime_mark a = { .ticks = 10 }, b = { .ticks = 9 };
    int64_t ts, dur;

    (void)state;
    assert_false(optime_ns(&a, &b, &ts, &dur));
    b.ticks = UINT64_MAX;
    assert_false(optime_ns(&a, &b, &ts, &dur));
    a.ticks = b.ticks = UINT64_C(1) << 60;
    assert_false(optime_ns(&a, &b, &ts, &dur));
}

/* ---- the group ---- */

struct group_case {
    struct sliced f;
    struct reading r;
    struct group_kind kind;
    struct group_member m[8];
    struct group_ctx c;
};
/* A member that is one file. */
struct given {
    enum role role;
    const char *name;
    const void *p;
    size_t n;
};

/* Members in order; tables: the first n_tables of those that the group writes. */
static void group_case_init(struct group_case *g, const struct given *v, size_t n, size_t n_tables)
{
    static const struct group_kind kind = {
        .id = "test",
        .tables = { { "op_exec", 0 }, { "step", 0 }, { "aicpu_exec", 0 }, { "op_flops", 0 } }
    };

    *g = (struct group_case){ .kind = kind };
    for (size_t i = 0; i < n; i++)
        sliced_add(&g->f, v[i].name, v[i].p, v[i].n);
    reading_init(&g->r, g->f.f);
    for (size_t i = 0; i < n; i++) {
        g->f.f[i].next_slice = NULL; /* files of their own, not slices */
        g->m[i] = (struct group_member){ .role = v[i].role, .c = g->r.c };
        g->m[i].c.f = &g->f.f[i];
    }
    g->c = (struct group_ctx){ .kind = &g->kind,
                               .m = g->m,
                               .n = n,
                               .wanted = (1u << n_tables) - 1,
                               .run = &g->r.rows.run,
                               .tmp = g->r.rows.tmp,
                               .out = g->r.c.out,
                               .rank = 0 };
}

static int run_group(struct group_case *g, const void *tasks, size_t n_tasks,
                     const unsigned char *hwts, size_t n_hwts)
{
    const struct given v[] = {
        { ROLE_FRAMEWORK_GRAPH, "Framework.host.vm.graph_desc_info.0.slice_0", GRAPH,
          strlen(GRAPH) },
        { ROLE_FRAMEWORK_TASK, "Framework.host.vm.task_desc_info.0.slice_0", tasks, n_tasks },
        { ROLE_HWTS, "hwts.data.0.slice_0", hwts, n_hwts }
    };
    struct err e = ERR_INIT;

    group_case_init(g, v, ARRAY_LEN(v), 1);
    return group_g1_job(&g->c, &e);
}

static void group_case_done(struct group_case *g)
{
    sliced_done(&g->f);
    reading_done(&g->r);
}

static void group_joins_names_and_times(void **state)
{
    unsigned char p[RECORDS * HWTS_B];
    struct group_case g;

    (void)state;
    make_hwts(p);
    assert_int_equal(run_group(&g, TASKS, strlen(TASKS), p, sizeof p), OK);
    assert_string_equal(
        buf_str(&g.r.rows.text).p,
        "op|id=1|name_id=Default/"
        "Add-op1|type_id=Add|in_shapes_id=1,2;|in_types_id=NUMBER_TYPE_FLOAT32;NUMBER_TYPE_INT32|"
        "in_formats_id=NCHW;ND"
        "|out_shapes_id=1,2|out_types_id=NUMBER_TYPE_FLOAT16|out_formats_id=NCHW\n"
        "op|id=2|name_id=Default/"
        "Mul-op2|type_id=Mul|out_shapes_id=3|out_types_id=UNKNOWN|out_formats_id=ND\n"
        "op|id=3|name_id=Default/Sub-op3|type_id=Sub\n"
        "op|id=4|name_id=Default/Add-op1|block_num=8|task=30001|stream=3\n"
        "op|id=5|name_id=Default/Mul-op2|block_num=1|task=7|stream=4\n"
        "op|id=6|name_id=Default/Sub-op3|block_num=2|task=8|stream=4\n"
        "op_exec|op_id=4|rank=0|stream=9|task=30001|ts_ns=10000|dur_ns=2500|line=1\n"
        "op_exec|op_id=5|rank=0|stream=4|task=7|ts_ns=13000|dur_ns=10|line=4\n");
    assert_true(g.m[0].read && g.m[1].read && g.m[2].read);
    assert_int_equal(g.m[2].c.rows, RECORDS);
    group_case_done(&g);
}

static void group_goes_on_without_a_bad_member(void **state)
{
    unsigned char p[RECORDS * HWTS_B];
    struct group_case g;

    (void)state;
    make_hwts(p);
    assert_int_equal(run_group(&g, "\x5a\x5a", 2, p, sizeof p), OK);
    const struct sink_counts *k = reading_counts(&g.r);
    assert_int_equal(k->notes[NOTE_TORN_RECORD], 1);  /* a binary file, cut in its first record */
    assert_int_equal(k->notes[NOTE_INCONSISTENT], 1); /* nothing names the tasks */
    assert_int_equal(k->rows[T_op_exec], 0);
    assert_int_equal(k->ops, 3);
    group_case_done(&g);
}

static void group_tells_impossible_times(void **state)
{
    unsigned char p[RECORDS * HWTS_B];
    struct group_case g;

    (void)state;
    make_hwts(p);
    put_le(p + 8, UINT64_MAX - 5, 8);
    put_le(p + HWTS_B + 8, UINT64_MAX, 8);
    assert_int_equal(run_group(&g, TASKS, strlen(TASKS), p, sizeof p), OK);
    assert_int_equal(reading_counts(&g.r)->notes[NOTE_INCONSISTENT], 1);
    assert_int_equal(reading_counts(&g.r)->rows[T_op_exec], 1);
    assert_int_equal(g.m[2].c.lost, 1);
    group_case_done(&g);
}

static void group_writes_only_what_is_wanted(void **state)
{
    unsigned char p[RECORDS * HWTS_B];
    struct err e = ERR_INIT;
    struct group_case g;

    (void)state;
    make_hwts(p);
    assert_int_equal(run_group(&g, TASKS, strlen(TASKS), p, sizeof p), OK);
    g.c.wanted = 0;
    g.m[2].read = false;
    assert_int_equal(group_g1_job(&g.c, &e), OK);
    assert_false(g.m[2].read);
    assert_int_equal(reading_counts(&g.r)->rows[T_op_exec], 2);
    group_case_done(&g);
}

/* A network that makes new tasks every step: 16 bits begin anew, on one stream earlier than on the other. */
static void group_follows_task_numbers_beyond_16_bits(void **state)
{
    static const uint32_t numbers[] = { 65500, 65535, 65536, 65537 };
    unsigned char tasks[5 * FW_B], p[10 * HWTS_B];
    struct group_case g;

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        char name[] = "Default/A-op0";
        name[strlen(name) - 1] = (char)('0' + i);
        fw_task_put(tasks + i * FW_B, false, name, 0, "A", 0, 4, numbers[i]);
        hwts_put(p + 2 * i * HWTS_B, 0, numbers[i] & 0xffff, 4, 10 * i);
        hwts_put(p + (2 * i + 1) * HWTS_B, 1, numbers[i] & 0xffff, 4, 10 * i + 5);
    }
    fw_task_put(tasks + 4 * FW_B, false, "Default/B-op4", 0, "B", 0, 5, 3);
    hwts_put(p + 8 * HWTS_B, 0, 3, 5, 100);
    hwts_put(p + 9 * HWTS_B, 1, 3, 5, 101);
    assert_int_equal(run_group(&g, tasks, sizeof tasks, p, sizeof p), OK);
    assert_int_equal(reading_counts(&g.r)->rows[T_op_exec], 5);
    assert_non_null(strstr(buf_str(&g.r.rows.text).p,
                           "op_exec|op_id=7|rank=0|stream=4|task=1|ts_ns=300|dur_ns=50|line=7\n"
                           "op_exec|op_id=8|rank=0|stream=5|task=3|ts_ns=1000|dur_ns=10|line=9\n"));
    group_case_done(&g);
}

/* A folder of r1.8 or later with all that it may hold; metrics: setting of the collection. */
static void run_device(struct group_case *g, const char *metrics)
{
    static struct run_setting setting = { .key = STR("ai_core_metrics"), .rank = -1 };
    static const char dic[] = "7:Gradients/A-op2\n";
    unsigned char tasks[5 * FW_B], hwts[2 * HWTS_B], ts[6 * TS_B], cpu[AICPU_B], core[AICORE_B];
    unsigned char tensors[3 * FW_B];
    const struct given v[] = {
        { ROLE_FRAMEWORK_TASK, "Framework.task_desc_info.0.slice_0", tasks, sizeof tasks },
        { ROLE_FRAMEWORK_TENSOR, "Framework.tensor_data_info.0.slice_0", tensors, sizeof tensors },
        { ROLE_FRAMEWORK_HASH, "Framework.hash_dic.0.slice_0", dic, strlen(dic) },
        { ROLE_HWTS, "hwts.data.0.slice_0", hwts, sizeof hwts },
        { ROLE_TS_TRACK, "ts_track.data.0.slice_0", ts, sizeof ts },
        { ROLE_AICPU, "DATA_PREPROCESS.AICPU.0.slice_0", cpu, sizeof cpu },
        { ROLE_AICORE, "aicore.data.0.slice_0", core, sizeof core }
    };
    struct err e = ERR_INIT;

    fw_task_put(tasks, false, "Default/Get-op1", 0, "GetNext", 1, 5, 3);
    fw_task_put(tasks + FW_B, false, NULL, 7, "A", 0, 4, 3);
    fw_task_put(tasks + 2 * FW_B, false, "Default/Profiling-op3", 0, "Profiling", 11, 9, 3);
    fw_task_put(tasks + 3 * FW_B, false, "Default/AllReduce-op4", 0, "AllReduce", 10, 9, 4);
    fw_task_put(tasks + 4 * FW_B, false, "Default/Profiling-op5", 0, "Profiling", 11, 9, 5);
    fw_tensor_put(tensors, 4, 3, 0, 2, 200); /* two records of one task */
    fw_tensor_put(tensors + FW_B, 4, 3, 1, 1, 200);
    fw_tensor_put(tensors + 2 * FW_B, 5, 3, 1, 1, 200);
    hwts_put(hwts, 0, 3, 4, 1000);
    hwts_put(hwts + HWTS_B, 1, 3, 4, 1100);
    ts_put(ts, 2, 4, 3, 900);
    ts_put(ts + TS_B, 10000, 9, 3, 1200);
    ts_put(ts + 2 * TS_B, 10001, 9, 5, 1300);
    ts_put(ts + 3 * TS_B, 3, 4, 3, 1400);
    ts_put(ts + 4 * TS_B, 4, 4, 3, 1500);
    ts_put(ts + 5 * TS_B, 2, 4, 3, 1600); /* the run ended in the second step */
    aicpu_put(cpu, 5, 3, 100);
    aicore_put(core, 4, 3, 10);
    group_case_init(g, v, ARRAY_LEN(v), 4);
    g->r.rows.run.aic_freq_mhz = 1000;
    g->r.rows.run.aic_cores = 32;
    setting.value = metrics ? str_of(metrics) : STR_NULL;
    g->r.rows.run.settings = &setting;
    g->r.rows.run.n_settings = metrics != NULL;
    assert_int_equal(group_g1_job(&g->c, &e), OK);
}

static void group_joins_all_that_a_folder_holds(void **state)
{
    struct group_case g;

    (void)state;
    run_device(&g, NULL);
    assert_string_equal(
        buf_str(&g.r.rows.text).p,
        "op|id=1|name_id=Default/Get-op1|type_id=GetNext|graph_id=1|out_shapes_id=2,1|"
        "out_types_id=FLOAT32|out_formats_id=NCHW|core=AICPU|block_num=8|task=3|stream=5\n"
        "op|id=2|name_id=Gradients/A-op2|type_id=A|graph_id=1|in_shapes_id=2,1;2,2|"
        "in_types_id=FLOAT32;FLOAT32|in_formats_id=NCHW;NCHW|out_shapes_id=2,1|"
        "out_types_id=FLOAT32|out_formats_id=NCHW|core=AIC|block_num=8|task=3|stream=4\n"
        "op|id=3|name_id=Default/Profiling-op3|type_id=Profiling|graph_id=1|core=RTS|block_num=8|"
        "task=3|stream=9\n"
        "op|id=4|name_id=Default/AllReduce-op4|type_id=AllReduce|graph_id=1|core=HCCL|"
        "block_num=8|task=4|stream=9\n"
        "op|id=5|name_id=Default/Profiling-op5|type_id=Profiling|graph_id=1|core=RTS|block_num=8|"
        "task=5|stream=9\n"
        "op_exec|op_id=2|rank=0|stream=4|task=3|ts_ns=10000|dur_ns=1000|line=1\n"
        "step|rank=0|step=1|start_ns=9000|end_ns=15000|fp_ns=9000|bp_ns=14000|total_ns=6000|"
        "interval_ns=0|fp_bp_ns=5000|tail_ns=1000|complete=1|line=5\n"
        "step_part|rank=0|step=1|kind=reduce|stream=9|name_id=Default/AllReduce-op4|"
        "start_ns=12000|end_ns=13000|dur_ns=1000|line=2\n"
        "step|rank=0|step=2|start_ns=15000|fp_ns=16000|interval_ns=1000|complete=0|line=6\n"
        "aicpu_exec|rank=0|name_id=Get-op1|ts_ns=1000|total_ns=900000|dispatch_ns=87000|"
        "compute_ns=9000|stream=5|task=3|run_start=1|run_end=10|line=1\n"
        "op_flops|op_id=2|rank=0|cube_flops=409600|vector_flops=15360|flops_per_s=424960000000|"
        "utilisation=0.00162109375|line=1\n");
    group_case_done(&g);
}

/* What two binary task files refer to is read once. */
static void group_reads_tensors_once_for_two_task_files(void **state)
{
    static const char dic[] = "7:Default/A-op1\n";
    unsigned char one[FW_B], two[FW_B], tensor[FW_B];
    const struct given v[] = {
        { ROLE_FRAMEWORK_TASK, "Framework.task_desc_info.0.slice_0", one, sizeof one },
        { ROLE_FRAMEWORK_TASK, "Framework.task_desc_info.1.slice_0", two, sizeof two },
        { ROLE_FRAMEWORK_TENSOR, "Framework.tensor_data_info.0.slice_0", tensor, sizeof tensor },
        { ROLE_FRAMEWORK_HASH, "Framework.hash_dic.0.slice_0", dic, strlen(dic) }
    };
    struct group_case g;
    struct err e = ERR_INIT;

    (void)state;
    fw_task_put(one, false, NULL, 7, "A", 0, 4, 3);
    fw_task_put(two, false, NULL, 7, "A", 0, 4, 4);
    fw_tensor_put(tensor, 4, 4, 0, 1, 200);
    group_case_init(&g, v, ARRAY_LEN(v), 1);
    assert_int_equal(group_g1_job(&g.c, &e), OK);
    assert_string_equal(buf_str(&g.r.rows.text).p,
                        "op|id=1|name_id=Default/A-op1|type_id=A|graph_id=1|core=AIC|block_num=8|"
                        "task=3|stream=4\n"
                        "op|id=2|name_id=Default/A-op1|type_id=A|graph_id=1|in_shapes_id=2,1|"
                        "in_types_id=FLOAT32|in_formats_id=NCHW|core=AIC|block_num=8|task=4|"
                        "stream=4\n");
    assert_int_equal(g.m[2].c.rows, 1);
    assert_int_equal(g.m[3].c.rows, 1);
    group_case_done(&g);
}

/* Up to r1.7 a task number of 25000 or more stands without its stream, later it does not: one damaged flag must not decide that. */
static void group_takes_the_era_that_most_records_have(void **state)
{
    for (size_t odd = 0; odd < 3; odd++)
        for (int old = 0; old < 2; old++) {
            unsigned char tasks[3 * FW_B], hwts[2 * HWTS_B];
            struct group_case g;

            for (size_t i = 0; i < 3; i++)
                fw_task_put(tasks + i * FW_B, old != (i == odd), "Default/A-op1", 0, "A", 0, 4,
                            (uint32_t)(30000 + i));
            hwts_put(hwts, 0, 30001, 9, 1000); /* another stream */
            hwts_put(hwts + HWTS_B, 1, 30001, 9, 1250);
            assert_int_equal(run_group(&g, tasks, sizeof tasks, hwts, sizeof hwts), OK);
            assert_int_equal(reading_counts(&g.r)->rows[T_op_exec], old);
            assert_int_equal(reading_counts(&g.r)->note_calls, 1);
            assert_int_equal(reading_counts(&g.r)->notes[NOTE_INCONSISTENT], 1);
            group_case_done(&g);
        }
    (void)state;
}

static void group_takes_no_flops_from_other_metrics(void **state)
{
    struct group_case g;

    (void)state;
    run_device(&g, "PipeUtilization");
    assert_int_equal(reading_counts(&g.r)->rows[T_op_flops], 0);
    assert_int_equal(reading_counts(&g.r)->notes[NOTE_UNKNOWN_TYPE], 1);
    group_case_done(&g);
    run_device(&g, "ArithmeticUtilization");
    assert_int_equal(reading_counts(&g.r)->rows[T_op_flops], 1);
    group_case_done(&g);
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
        cmocka_unit_test(framework_tasks_with_and_without_graph_id),
        cmocka_unit_test(framework_ops_and_tensors_by_back_end),
        cmocka_unit_test(framework_damage_costs_the_line),
        cmocka_unit_test(framework_slices_are_one_text),
        cmocka_unit_test(framework_long_lines_are_left_out),
        cmocka_unit_test(framework_binary_files_are_refused),
        cmocka_unit_test(optime_pairs_neighbours_of_one_name),
        cmocka_unit_test(optime_refuses_impossible_times),
        cmocka_unit_test(group_joins_names_and_times),
        cmocka_unit_test(group_goes_on_without_a_bad_member),
        cmocka_unit_test(group_tells_impossible_times),
        cmocka_unit_test(group_writes_only_what_is_wanted),
        cmocka_unit_test(group_follows_task_numbers_beyond_16_bits),
        cmocka_unit_test(group_joins_all_that_a_folder_holds),
        cmocka_unit_test(group_reads_tensors_once_for_two_task_files),
        cmocka_unit_test(group_takes_the_era_that_most_records_have),
        cmocka_unit_test(group_takes_no_flops_from_other_metrics),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
