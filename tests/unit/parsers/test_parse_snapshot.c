/* SPDX-License-Identifier: Apache-2.0 */
/* Memory snapshots of torch: rows of a small one, and of all that can be left of it. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "parsers/parsers.h"
#include "parsers/read/u64map.h"
#include "tests/unit/parsers/parse_case.h"

/*
 * pickle.dumps(.., 4) of one segment of 4096 bytes at A = 0x12c000000000 with the blocks
 * A: 512 (100 asked for) allocated by fwd, A + 512: 1024 (1000) that waits to be free, A + 1536: 2560
 * inactive, and a trace: 200 at A + 2048 are released, 1000 at A + 512 allocated by main, 9000 are not to be
 * had, the 1000 are released, a segment of 4096 bytes is given back.
 */
/* clang-format off */
#define SMALL                                                                                                \
    "\x80\x04\x95{\x02\x00\x00\x00\x00\x00\x00}\x94(\x8c\x08segments\x94]\x94}\x94(\x8c\x06""d" \
    "evice\x94K\x00\x8c\x07""address\x94\x8a\x06\x00\x00\x00\x00\xc0\x12\x8c\x0atotal_size\x94" \
    "M\x00\x10\x8c\x06stream\x94K\x00\x8c\x06""frames\x94]\x94\x8c\x06""blocks\x94]\x94(}\x94(" \
    "h\x05\x8a\x06\x00\x00\x00\x00\xc0\x12\x8c\x04size\x94M\x00\x02\x8c\x0erequested_size\x94K" \
    "d\x8c\x05state\x94\x8c\x10""active_allocated\x94h\x08]\x94(}\x94(\x8c\x04name\x94\x8c\x03" \
    "fwd\x94\x8c\x08""filename\x94\x8c\x07/j/m.py\x94\x8c\x04line\x94K\x07u}\x94(h\x13\x8c\x04" \
    "main\x94h\x15\x8c\x07/j/t.py\x94h\x17K\x09ueu}\x94(h\x05\x8a\x06\x00\x02\x00\x00\xc0\x12h" \
    "\x0dM\x00\x04h\x0eM\xe8\x03h\x0f\x8c\x13""active_pending_free\x94h\x08]\x94h\x18""au}\x94" \
    "(h\x05\x8a\x06\x00\x06\x00\x00\xc0\x12h\x0dM\x00\x0ah\x0eK\x00h\x0f\x8c\x08inactive\x94h\x08" \
    "]\x94ueua\x8c\x0d""device_traces\x94]\x94]\x94(}\x94(\x8c\x06""action\x94\x8c\x0e""free_r" \
    "equested\x94\x8c\x04""addr\x94\x8a\x06\x00\x08\x00\x00\xc0\x12h\x0dK\xc8h\x07K\x00u}\x94(" \
    "h%\x8c\x0e""free_completed\x94h'\x8a\x06\x00\x08\x00\x00\xc0\x12h\x0dK\xc8h\x07K\x00u}\x94" \
    "(h%\x8c\x05""alloc\x94h'\x8a\x06\x00\x02\x00\x00\xc0\x12h\x0dM\xe8\x03h\x07K\x00h\x08]\x94" \
    "h\x18""a\x8c\x07time_us\x94\x8a\x07\x05@\x1e\x18$\x0a\x06u}\x94(h%\x8c\x03oom\x94\x8c\x0b" \
    "device_free\x94M,\x01h\x0dM(#h\x07K\x00u}\x94(h%h&h'\x8a\x06\x00\x02\x00\x00\xc0\x12h\x0d" \
    "M\xe8\x03h\x07K\x00h\x08h\x11u}\x94(h%\x8c\x0csegment_free\x94h'\x8a\x06\x00 \x00\x00\xc0" \
    "\x12h\x0dM\x00\x10h\x07K\x00ueau."
/* clang-format on */

static const char small[] = SMALL;

#define SAMPLE "mem_sample|rank=0|component_id=npuscope NPU:0|"

/* The scratch file's name is part of the component: replaced by one word. */
static void rows_text_of(struct rows *r, char *out, size_t room)
{
    struct str rest = buf_str(&r->text);
    size_t n = 0, at;

    out[0] = '\0';
    while ((at = str_find(rest, STR("npuscope-test-"), 0)) != SIZE_MAX) {
        n += (size_t)snprintf(out + n, room - n, "%.*snpuscope", (int)at, rest.p);
        rest = str_sub(rest, at + sizeof "npuscope-test-XXXXXX" - 1, rest.n);
    }
    (void)snprintf(out + n, room - n, "%.*s", (int)rest.n, rest.p ? rest.p : "");
}

static void snapshot_rows_of_a_small_one(void **state)
{
    struct rows r;
    char text[8192];

    (void)state;
    assert_int_equal(case_parse(&r, "mem_snapshot", parse_mem_snapshot, small, sizeof small - 1, GEN_P), OK);
    rows_text_of(&r, text, sizeof text);
    /* before the trace: 300 allocated (100 and what is released first), 8192 reserved, 300 active */
    assert_string_equal(
        text, SAMPLE
        "allocated_b=100|reserved_b=8192|active_b=300|stream=0|device_type=NPU:0|line=1|"
        "event=free_requested\n"
        "mem_alloc|rank=0|size_b=200|release_total_allocated_b=100|release_total_reserved_b=8192|"
        "release_total_active_b=300|stream=0|device_type=NPU:0|release_line=1|at_peak=0|addr="
        "20615843022848\n" SAMPLE
        "allocated_b=100|reserved_b=8192|active_b=100|stream=0|device_type=NPU:0|line=2|"
        "event=free_completed\n" SAMPLE
        "ts_ns=1700000000000005000|allocated_b=1100|reserved_b=8192|active_b=1100|stream=0|"
        "device_type=NPU:0|line=3|event=alloc\n"
        "doc|key=out of memory, NPU:0, entry 4|value=9000 bytes were asked for, 300 were free on the "
        "device\n" SAMPLE
        "allocated_b=1100|reserved_b=8192|active_b=1100|stream=0|device_type=NPU:0|line=4|event=oom\n" SAMPLE
        "allocated_b=100|reserved_b=8192|active_b=1100|stream=0|device_type=NPU:0|line=5|"
        "event=free_requested\n" SAMPLE
        "allocated_b=100|reserved_b=4096|active_b=1100|stream=0|device_type=NPU:0|line=6|"
        "event=segment_free\n"
        "mem_alloc|rank=0|name_id=fwd (m.py:7)|size_b=100|stream=0|device_type=NPU:0|at_peak=1|block_b=512|"
        "addr=20615843020800|stack_id=fwd (/j/m.py:7)\\x0amain (/j/t.py:9)\n"
        "mem_alloc|rank=0|name_id=main (t.py:9)|size_b=1000|alloc_ns=1700000000000005000|"
        "alloc_total_allocated_b=1100|alloc_total_reserved_b=8192|alloc_total_active_b=1100|"
        "release_total_allocated_b=100|release_total_reserved_b=8192|release_total_active_b=1100|stream=0|"
        "device_type=NPU:0|line=3|release_line=5|at_peak=1|addr=20615843021312|stack_id=main (/j/t.py:9)\n");
    assert_int_equal(r.lost, 0);
    rows_done(&r);
}

static void snapshot_what_is_none_is_refused(void **state)
{
    static const struct {
        const char *bytes;
        size_t n;
        const char *text;
    } not [] = {
#define NOT(bytes, text) { bytes, sizeof(bytes) - 1, text }
        NOT("\x80\x04}.", "a pickle, but no memory snapshot: it has neither segments nor device_traces"),
        NOT("\x80\x04N.", "a pickle, but no memory snapshot: it has neither segments nor device_traces"),
        NOT("\x80\x04\x8c\x05posix\x8c\x06system\x93\x8c\x02ls\x85R.",
            "the pickle asks for STACK_GLOBAL, which is no plain data: it was not read"),
        NOT("text", "no pickle of protocol 2 or newer: it does not begin with one"),
#undef NOT
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(not ); i++) {
        struct err e = ERR_INIT;
        struct rows r;
        rows_init(&r, "mem_snapshot", scratch_write(not [i].bytes, not [i].n));
        assert_int_equal(rows_parse(&r, parse_mem_snapshot, &e), ERR_FORMAT);
        assert_string_equal(e.text, not [i].text);
        assert_int_equal(sink_count_get(r.count)->total, 0);
        rows_done(&r);
    }
}

/* Of a cut file what is whole is kept. Without a trace the segments give one sample. */
static void snapshot_cut_everywhere(void **state)
{
    uint64_t samples = 0;

    (void)state;
    for (size_t cut = 0; cut < sizeof small - 1; cut++) {
        struct rows r;
        int rc = case_parse(&r, "mem_snapshot", parse_mem_snapshot, small, cut, GEN_P);
        const struct sink_counts *k = sink_count_get(r.count);
        assert_int_equal(rc, cut < 2 ? ERR_FORMAT : OK);
        assert_int_equal(k->notes[NOTE_TORN_FILE], cut >= 2);
        assert_true(k->rows[T_mem_sample] >= samples || k->rows[T_mem_sample] == 1);
        samples = k->rows[T_mem_sample];
        assert_true(k->rows[T_mem_alloc] <= 4 && samples <= 6);
        rows_done(&r);
    }
    assert_int_equal(samples, 6);
}

static void snapshot_flipped_bits(void **state)
{
    char copy[sizeof small];
    uint64_t seed = 88172645463325252u;

    (void)state;
    for (int i = 0; i < 2000; i++) {
        struct rows r;
        memcpy(copy, small, sizeof small);
        size_t at = (size_t)(scratch_random(&seed) % (sizeof small - 1));
        copy[at] = (char)(copy[at] ^ (1 << (scratch_random(&seed) % 8)));
        int rc = case_parse(&r, "mem_snapshot", parse_mem_snapshot, copy, sizeof small - 1, GEN_P);
        assert_true(rc == OK || rc == ERR_FORMAT);
        rows_done(&r);
    }
}

/* Keys that are put and dropped in any order: those that are there are found, the others are not. */
static void u64map_beside_an_array(void **state)
{
    enum { KEYS = 500 };
    uint32_t want[KEYS] = { 0 };
    struct u64map m = { 0 };
    uint64_t seed = 7;

    (void)state;
    for (uint32_t i = 1; i < 20000; i++) {
        uint64_t key = scratch_random(&seed) % KEYS;
        if (scratch_random(&seed) % 3) {
            assert_true(u64map_set(&m, key << 40, i));
            want[key] = i;
        } else {
            u64map_drop(&m, key << 40);
            want[key] = 0;
        }
        key = scratch_random(&seed) % KEYS;
        assert_int_equal(u64map_get(&m, key << 40), want[key]);
    }
    size_t n = 0;
    for (uint64_t key = 0; key < KEYS; key++) {
        assert_int_equal(u64map_get(&m, key << 40), want[key]);
        n += want[key] != 0;
    }
    assert_int_equal(m.n, n);
    u64map_done(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(snapshot_rows_of_a_small_one), cmocka_unit_test(snapshot_what_is_none_is_refused),
        cmocka_unit_test(snapshot_cut_everywhere),      cmocka_unit_test(snapshot_flipped_bits),
        cmocka_unit_test(u64map_beside_an_array),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
