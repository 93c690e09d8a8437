/* SPDX-License-Identifier: Apache-2.0 */
/* Pickles of plain data: literal bytes of every known opcode, and what is refused, cut, damaged, too much. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/limits.h"
#include "parsers/read/pickle.h"
#include "tests/unit/parsers/parse_case.h"

/* ---- what was read, as text ---- */

static struct pickle_asks asks;
static struct buf shown;
static uint64_t items;

static void show(const struct pickle *p, pickle_ref r, int depth);

static void show_cells(const struct pickle *p, pickle_ref r, int depth, const char *ends)
{
    pickle_ref key, value;
    uint32_t at = 0;
    bool any = false;

    buf_addc(&shown, ends[0]);
    while (pickle_next(p, r, &at, &key, &value)) {
        if (any)
            buf_addc(&shown, ' ');
        any = true;
        if (key) {
            show(p, key, depth + 1);
            buf_addc(&shown, ':');
        }
        show(p, value, depth + 1);
    }
    buf_addc(&shown, ends[1]);
}

static void show(const struct pickle *p, pickle_ref r, int depth)
{
    uint64_t u;
    uint32_t own;
    int64_t i;
    double d;

    if (depth > 4) {
        buf_puts(&shown, "...");
        return;
    }
    switch (pickle_type(p, r)) {
    case PICKLE_NONE:
        buf_puts(&shown, "None");
        break;
    case PICKLE_BOOL:
        buf_puts(&shown, pickle_is_true(p, r) ? "True" : "False");
        break;
    case PICKLE_INT:
        assert_true(pickle_i64(p, r, &i));
        buf_printf(&shown, "%" PRId64, i);
        break;
    case PICKLE_BIG:
        if (pickle_u64(p, r, &u))
            buf_printf(&shown, "%" PRIu64, u);
        else
            buf_puts(&shown, "big");
        break;
    case PICKLE_REAL:
        assert_true(pickle_real(p, r, &d));
        buf_printf(&shown, "%g", d);
        break;
    case PICKLE_BYTES:
        buf_addc(&shown, 'b');
        buf_add(&shown, pickle_text(p, r));
        break;
    case PICKLE_TEXT:
        buf_add(&shown, pickle_text(p, r));
        break;
    case PICKLE_LIST:
        show_cells(p, r, depth, "[]");
        break;
    case PICKLE_TUPLE:
        show_cells(p, r, depth, "()");
        break;
    case PICKLE_DICT:
        show_cells(p, r, depth, "{}");
        break;
    case PICKLE_FUNC:
        buf_puts(&shown, "func");
        break;
    case PICKLE_OWN:
        assert_true(pickle_own(p, r, &own));
        buf_printf(&shown, "own %" PRIu32, own);
        break;
    case PICKLE_GONE:
        buf_puts(&shown, "gone");
        break;
    }
}

static int parse_shown(struct parse_ctx *c, struct err *e)
{
    struct pickle *p = NULL;

    buf_clear(&shown);
    items = 0;
    if (pickle_read(&p, c, &asks, e) == OK)
        show(p, pickle_root(p), 0);
    pickle_free(p);
    return e->code;
}

/* Literal bytes, without the NUL at their end, and what comes out. */
static void expect_n(const char *bytes, size_t n, const char *want, const char *note)
{
    struct rows r;

    assert_int_equal(case_parse(&r, "mem_snapshot", parse_shown, bytes, n, GEN_P), OK);
    assert_string_equal(shown.n ? buf_str(&shown).p : "", want);
    assert_string_equal(r.text.n ? buf_str(&r.text).p : "", note);
    rows_done(&r);
}
#define EXPECT(bytes, want)            expect_n(bytes, sizeof(bytes) - 1, want, "")
#define EXPECT_NOTE(bytes, want, note) expect_n(bytes, sizeof(bytes) - 1, want, note)

static void refused_n(const char *bytes, size_t n, const char *text, uint64_t offset)
{
    struct rows r;
    struct err e = ERR_INIT;

    rows_init(&r, "mem_snapshot", scratch_write(bytes, n));
    assert_int_equal(rows_parse(&r, parse_shown, &e), ERR_FORMAT);
    assert_string_equal(e.text, text);
    assert_int_equal(e.offset, offset);
    rows_done(&r);
}
#define REFUSED(bytes, text, offset) refused_n(bytes, sizeof(bytes) - 1, text, offset)

/* ---- what is known ---- */

static void pickle_scalars_of_every_opcode(void **state)
{
    (void)state;
    EXPECT("\x80\x02N.", "None");
    EXPECT("\x80\x02(\x88\x89t.", "(True False)");
    EXPECT("\x80\x03(K\x00K\xffM\x00\x01J\xff\xff\xff\xffJ\x00\x00\x00\x80t.", "(0 255 256 -1 -2147483648)");
    EXPECT("\x80\x03(\x8a\x00\x8a\x01\x80\x8a\x06\x00\x00\x00\x00\xc0\x12"
           "\x8b\x08\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xfft.",
           "(0 -128 20615843020800 -1)");
    EXPECT(
        "\x80\x03(\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\x00\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00\x80t.",
        "(18446744073709551615 big)");
    EXPECT("\x80\x02G?\xf4\x00\x00\x00\x00\x00\x00.", "1.25");
    EXPECT("\x80\x04("
           "X\x02\x00\x00\x00hi\x8c\x03xyz\x8d\x01\x00\x00\x00\x00\x00\x00\x00qB\x01\x00\x00\x00rC\x01st.",
           "(hi xyz q br bs)");
}

static void pickle_containers_and_memo(void **state)
{
    (void)state;
    /* itself in a list: shared, not copied */
    EXPECT("\x80\x02]q\x00(K\x01]K\x02"
           "ah\x00)e.",
           "[1 [2] [1 [2] [1 [2] [1 [...] [... ... ... ...] ()] ()] ()] ()]");
    EXPECT("\x80\x05\x95\x0c\x00\x00\x00\x00\x00\x00\x00}\x94(\x8c\x01"
           "a\x94K\x01\x8c\x01"
           "b\x94h\x01u.",
           "{a:1 b:a}");
    EXPECT("\x80\x02}X\x01\x00\x00\x00kr\x03\x00\x00\x00(NK\x01\x85K\x02K\x03\x86K\x04K\x05K\x06\x87"
           "j\x03\x00\x00\x00ts.",
           "{k:(None (1) (2 3) (4 5 6) k)}");
}

/* A list with one item in a list, as Python writes device_traces of one device. */
static void pickle_older_torch_wraps_lists(void **state)
{
    (void)state;
    EXPECT("\x80\x02"
           "ctorch.jit._pickle\nrestore_type_tag\nq\x00](K\x01K\x02"
           "eX\x09\x00\x00\x00List[Any]\x86R.",
           "[1 2]");
    EXPECT("\x80\x02(ctorch.jit._pickle\nbuild_intlist\nq\x00(](K\x01K\x02"
           "etRh\x00(](K\x03"
           "etRt.",
           "([1 2] [3])");
}

/* ---- what is refused ---- */

static void pickle_anything_else_is_refused_by_name(void **state)
{
    static const struct {
        const char *bytes, *name;
    } not_known[] = {
        { "0", "POP" },
        { "1", "POP_MARK" },
        { "2", "DUP" },
        { "F", "FLOAT" },
        { "I", "INT" },
        { "L", "LONG" },
        { "P", "PERSID" },
        { "Q", "BINPERSID" },
        { "S", "STRING" },
        { "T", "BINSTRING" },
        { "U", "SHORT_BINSTRING" },
        { "V", "UNICODE" },
        { "b", "BUILD" },
        { "d", "DICT" },
        { "g", "GET" },
        { "i", "INST" },
        { "l", "LIST" },
        { "o", "OBJ" },
        { "p", "PUT" },
        { "\x81", "NEWOBJ" },
        { "\x82", "EXT1" },
        { "\x83", "EXT2" },
        { "\x84", "EXT4" },
        { "\x8e", "BINBYTES8" },
        { "\x8f", "EMPTY_SET" },
        { "\x90", "ADDITEMS" },
        { "\x91", "FROZENSET" },
        { "\x92", "NEWOBJ_EX" },
        { "\x93", "STACK_GLOBAL" },
        { "\x96", "BYTEARRAY8" },
        { "\x97", "NEXT_BUFFER" },
        { "\x98", "READONLY_BUFFER" },
    };
    char bytes[16], text[200];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(not_known); i++) {
        snprintf(bytes, sizeof bytes, "\x80\x04](K\x01%s", not_known[i].bytes);
        snprintf(text, sizeof text, "the pickle asks for %s, which is no plain data: it was not read",
                 not_known[i].name);
        refused_n(bytes, strlen(bytes), text, 6);
    }
}

static void pickle_functions_are_refused(void **state)
{
    (void)state;
    REFUSED("\x80\x02"
            "cos\nsystem\nX\x02\x00\x00\x00ls\x85R.",
            "the pickle asks for GLOBAL os.system, which is no plain data: it was not read", 2);
    REFUSED("\x80\x02"
            "ctorch.jit._pickle\nbuild_tensor_from_id\n",
            "the pickle asks for GLOBAL torch.jit._pickle.build_tensor_from_id, which is no plain data: it "
            "was not "
            "read",
            2);
    REFUSED("\x80\x02K\x01K\x02\x85R.", "the pickle asks for REDUCE, which is no plain data: it was not read",
            7);
    REFUSED("\x80\x06N.", "a pickle of protocol 6; 2 to 5 are known", 0);
    REFUSED("\x80\x01N.", "a pickle of protocol 1; 2 to 5 are known", 0);
    REFUSED("(lp0\n.", "no pickle of protocol 2 or newer: it does not begin with one", 0);
    REFUSED("\x80", "no pickle of protocol 2 or newer: it does not begin with one", 0);
    REFUSED("", "no pickle of protocol 2 or newer: it does not begin with one", 0);
}

/* ---- what is damaged ---- */

static void pickle_damage_keeps_what_came_before(void **state)
{
    (void)state;
    EXPECT_NOTE("\x80\x02](K\x01K\x02\xffK\x03"
                "e.",
                "[1 2]", "note|TORN_FILE|line=0|count=1|a byte is no opcode; what came before was kept\n");
    EXPECT_NOTE("\x80\x02](K\x01K\x02h\x07"
                "e.",
                "[1 2]",
                "note|TORN_FILE|line=0|count=1|a number of the memo that was never given; what came before "
                "was kept\n");
    EXPECT_NOTE("\x80\x02}(K\x01"
                "e.",
                "{}",
                "note|TORN_FILE|line=0|count=1|items are appended to what is no list; what came before was "
                "kept\n");
    EXPECT_NOTE("\x80\x02K\x01"
                "a.",
                "1",
                "note|TORN_FILE|line=0|count=1|an opcode finds too few values; what came before was kept\n");
    EXPECT_NOTE("\x80\x02](K\x01X\xff\xff\xff\xffzz", "[1]",
                "note|TORN_FILE|line=0|count=1|the file ends within a text; what came before was kept\n");
    EXPECT_NOTE("\x80\x02K\x01K\x02.", "1",
                "note|TORN_FILE|line=0|count=1|the pickle ends with values left over; what came before was "
                "kept\n");
    EXPECT_NOTE("\x80\x02N.more", "None",
                "note|TORN_FILE|line=0|count=1|bytes after the end of the pickle were left out\n");
}

#define FIXTURE                                                                                              \
    "\x80\x04\x95\x50\x00\x00\x00\x00\x00\x00\x00}\x94(\x8c\x01"                                             \
    "a\x94](K\x01K\x02K\x03"                                                                                 \
    "e\x8c\x01"                                                                                              \
    "b\x94]"                                                                                                 \
    "](}\x94\x8c\x01x\x94K\x05s}(h\x04K\x06\x8c\x01y\x94G?\xf4\x00\x00\x00\x00\x00\x00uea\x8c\x01"           \
    "c\x94"                                                                                                  \
    "X\x04\x00\x00\x00text\x8a\x03\x00\x00\x80\x86u."

static void pickle_cut_everywhere(void **state)
{
    static const char bytes[] = FIXTURE;
    size_t last = 0;
    struct rows r;

    (void)state;
    expect_n(bytes, sizeof bytes - 1, "{a:[1 2 3] b:[[{x:5} {x:6 y:1.25}]] c:(text -8388608)}", "");
    for (size_t cut = 0; cut < sizeof bytes - 1; cut++) {
        int rc = case_parse(&r, "mem_snapshot", parse_shown, bytes, cut, GEN_P);
        assert_int_equal(rc, cut < 2 ? ERR_FORMAT : OK);
        assert_int_equal(r.lost, rc == OK);
        assert_int_equal(sink_count_get(r.count)->notes[NOTE_TORN_FILE], rc == OK);
        assert_true(cut < 2 ||
                    shown.n + 4 >= last); /* what was there stays there: "{a:1}" is less than "{a:[]}" */
        last = shown.n;
        rows_done(&r);
    }
    expect_n(bytes, 60, "{a:[1 2 3] b:[[{x:5} {x:6}]]}",
             "note|TORN_FILE|line=0|count=1|the file ends within the pickle; what came before was kept\n");
}

static void pickle_flipped_bits(void **state)
{
    static const char bytes[] = FIXTURE;
    char copy[sizeof bytes];
    uint64_t seed = 88172645463325252u;
    struct rows r;

    (void)state;
    for (int i = 0; i < 2000; i++) {
        memcpy(copy, bytes, sizeof bytes);
        size_t at = (size_t)(scratch_random(&seed) % (sizeof bytes - 1));
        copy[at] = (char)(copy[at] ^ (1 << (scratch_random(&seed) % 8)));
        int rc = case_parse(&r, "mem_snapshot", parse_shown, copy, sizeof bytes - 1, GEN_P);
        assert_true(rc == OK || rc == ERR_FORMAT);
        rows_done(&r);
    }
}

/* ---- much of it ---- */

static int take_dicts(void *arg, struct pickle *p, pickle_ref list, pickle_ref item, bool *take,
                      struct err *e)
{
    int64_t i;

    (void)arg;
    (void)list;
    (void)e;
    if (pickle_type(p, item) != PICKLE_DICT)
        return OK;
    assert_true(pickle_i64(p, pickle_get(p, item, STR("n")), &i));
    assert_int_equal(i, items++);
    pickle_swap(p, pickle_get(p, item, STR("keep")), 7);
    *take = true;
    return OK;
}

/* n dicts in one list between a mark and APPENDS; every one has something of the memo, and a kept list. */
static void many(struct buf *b, int64_t n)
{
    buf_init(b, (size_t)1 << 30);
    buf_puts(b, "\x80\x02](");
    for (int64_t i = 0; i < n; i++) {
        buf_add(b, i ? STR("}\x94(h\x01J") : STR("}\x94(X\x01\x00\x00\x00n\x94J"));
        for (int k = 0; k < 4; k++)
            buf_addc(b, (char)(i >> (8 * k)));
        buf_add(b, i ? STR("h\x02h\x03h\x04K\x01K\x02\x86\x94u")
                     : STR("X\x04\x00\x00\x00keep\x94](K\x09"
                           "e\x94X\x04\x00\x00\x00pool\x94K\x01K\x02\x86\x94u"));
    }
    buf_add(b, STR("h\x03h\x00"
                   "e."));
}

static void pickle_taken_items_need_no_memory(void **state)
{
    struct buf b;
    struct rows r;

    (void)state;
    many(&b, 200000);
    asks = (struct pickle_asks){ .item = take_dicts, .most_b = (uint64_t)4 << 20 };
    assert_int_equal(case_parse(&r, "mem_snapshot", parse_shown, buf_str(&b).p, b.n, GEN_P), OK);
    assert_string_equal(r.text.n ? buf_str(&r.text).p : "", "");
    assert_int_equal(items, 200000);
    assert_int_equal(r.lost, 0);
    assert_string_equal(buf_str(&shown).p, "[own 7 gone]");
    rows_done(&r);
    asks.item = NULL; /* kept, they are too much for the same room */
    assert_int_equal(case_parse(&r, "mem_snapshot", parse_shown, buf_str(&b).p, b.n, GEN_P), OK);
    assert_int_equal(r.lost, 1);
    assert_int_equal(sink_count_get(r.count)->notes[NOTE_LIMIT], 1);
    assert_int_equal(sink_count_get(r.count)->notes[NOTE_TORN_FILE], 0);
    rows_done(&r);
    asks = (struct pickle_asks){ 0 };
    buf_done(&b);
}

static void pickle_depth_at_and_above_the_limit(void **state)
{
    char bytes[2 * LIM_PICKLE_DEPTH + 64];
    struct rows r;

    (void)state;
    for (size_t depth = LIM_PICKLE_DEPTH - 1; depth <= LIM_PICKLE_DEPTH + 1; depth++) {
        size_t n = 0;
        bytes[n++] = (char)0x80;
        bytes[n++] = 2;
        for (size_t i = 0; i < depth; i++, n += 2)
            memcpy(bytes + n, "](", 2);
        for (size_t i = 0; i < depth && n < sizeof bytes - 1; i++)
            bytes[n++] = 'e';
        bytes[n++] = '.';
        assert_int_equal(case_parse(&r, "mem_snapshot", parse_shown, bytes, n, GEN_P), OK);
        assert_int_equal(sink_count_get(r.count)->notes[NOTE_LIMIT], depth > LIM_PICKLE_DEPTH);
        rows_done(&r);
    }
}

/* Nested without marks, as deep as it likes: nothing recurses over it. */
static void pickle_nested_without_marks(void **state)
{
    enum { DEPTH = 300000 };
    char *bytes = malloc(2 * DEPTH + 4);
    struct rows r;

    (void)state;
    assert_non_null(bytes);
    memcpy(bytes, "\x80\x02", 2);
    memset(bytes + 2, ']', DEPTH);
    memset(bytes + 2 + DEPTH, 'a', DEPTH - 1);
    bytes[2 * DEPTH + 1] = '.';
    assert_int_equal(case_parse(&r, "mem_snapshot", parse_shown, bytes, 2 * DEPTH + 2, GEN_P), OK);
    assert_int_equal(r.lost, 0);
    rows_done(&r);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pickle_scalars_of_every_opcode),
        cmocka_unit_test(pickle_containers_and_memo),
        cmocka_unit_test(pickle_older_torch_wraps_lists),
        cmocka_unit_test(pickle_anything_else_is_refused_by_name),
        cmocka_unit_test(pickle_functions_are_refused),
        cmocka_unit_test(pickle_damage_keeps_what_came_before),
        cmocka_unit_test(pickle_cut_everywhere),
        cmocka_unit_test(pickle_flipped_bits),
        cmocka_unit_test(pickle_taken_items_need_no_memory),
        cmocka_unit_test(pickle_depth_at_and_above_the_limit),
        cmocka_unit_test(pickle_nested_without_marks),
    };

    buf_init(&shown, (size_t)1 << 20);
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    buf_done(&shown);
    return rc;
}
