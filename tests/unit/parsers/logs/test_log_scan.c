/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole log files: line ends of all kinds, files without one, runs of NUL, packed files, very long lines,
 * records glued together, blocks of several ranks, numbers and offsets of lines
 * (doc/formats/logs.md#encoding-and-damage).
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "base/buf.h"
#include "parsers/logs/log_scan.h"
#include "tests/unit/scratch.h"

#define OOM   "[ERROR] HCCL(7,p):2025-10-09-16:54:15.497.363 [a.cc:1]EI0006: Getting socket times out"
#define CHILD "[ERROR] DRV(8,p):2025-10-09-16:54:16.497.363 [a.cc:1]nobody knows this"

struct seen {
    char id[8];
    uint64_t line, offset;
    struct log_head head;
    char text[256], frame[64], module[32];
    size_t text_n;
    uint32_t frame_line;
    enum log_role role;
    bool time_near;
};

static struct {
    struct seen v[64];
    size_t n, all;
    size_t stop_at; /* the callback fails there, 0: never */
    bool cancelled;
    struct log_facts facts;
} got;

static struct signature_scan *scan;

static int take(void *arg, const struct log_event *ev, struct err *e)
{
    (void)arg;
    got.all++;
    if (got.all == got.stop_at) {
        err_set(e, ERR_NOMEM, "no more");
        return e->code;
    }
    if (got.n == 64)
        return OK;
    struct seen *s = &got.v[got.n++];
    snprintf(s->id, sizeof s->id, "%s", signature_at(ev->sig)->id);
    s->line = ev->line;
    s->offset = ev->offset;
    s->head = ev->head;
    s->role = ev->role;
    s->time_near = ev->time_near;
    s->frame_line = ev->frame_line;
    s->text_n = ev->text.n;
    str_copy(ev->text, s->text, sizeof s->text);
    str_copy(ev->frame, s->frame, sizeof s->frame);
    str_copy(ev->head.module, s->module, sizeof s->module);
    return OK;
}

static bool is_cancelled(void *arg)
{
    (void)arg;
    return got.cancelled;
}

static int read_bytes(const void *bytes, size_t n, enum log_kind kind)
{
    const struct log_sink out = { take, is_cancelled, NULL };
    struct err e = ERR_INIT;
    size_t stop_at = got.stop_at;
    bool cancelled = got.cancelled;

    memset(&got, 0, sizeof got);
    got.stop_at = stop_at;
    got.cancelled = cancelled;
    int rc = log_scan(scan, scratch_write(bytes, n), kind, &out, &got.facts, &e);
    assert_int_equal(rc, e.code);
    got.stop_at = 0;
    got.cancelled = false;
    return rc;
}

static void read_text(const char *text, enum log_kind kind)
{
    assert_int_equal(read_bytes(text, strlen(text), kind), OK);
    assert_int_equal(got.facts.bytes, strlen(text));
}

static void event_is(size_t i, const char *id, uint64_t line, uint64_t offset)
{
    if (i >= got.n || strcmp(got.v[i].id, id) || got.v[i].line != line || got.v[i].offset != offset)
        fail_msg("event %zu of %zu: %s in line %llu at %llu, expected %s in %llu at %llu", i, got.n,
                 i < got.n ? got.v[i].id : "", i < got.n ? (unsigned long long)got.v[i].line : 0,
                 i < got.n ? (unsigned long long)got.v[i].offset : 0, id, (unsigned long long)line,
                 (unsigned long long)offset);
}

static void lines_end_in_all_ways(void **state)
{
    static const struct {
        const char *text;
        uint64_t lines, line, offset;
        bool open;
    } t[] = {
        { "a\nb\n" OOM "\n", 3, 3, 4, false },
        { "a\r\nb\r\n" OOM "\r\n", 3, 3, 6, false },
        { "a\nb\n" OOM, 3, 3, 4, true },
        { "\n\n" OOM "\n\n", 4, 3, 2, false },
        { "  0%| | 0/10\r 50%|# | 5/10\r" OOM "\n", 1, 1, 27, false },
        { OOM, 1, 1, 0, true },
    };

    (void)state;
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        read_text(t[i].text, LOG_CONSOLE);
        assert_int_equal(got.n, 1);
        event_is(0, "HC36", t[i].line, t[i].offset);
        assert_string_equal(got.v[0].text, OOM);
        assert_string_equal(got.v[0].module, "HCCL");
        assert_int_equal(got.facts.lines, t[i].lines);
        assert_int_equal(got.facts.ends_open, t[i].open);
        assert_int_equal(got.facts.first.clock, LOG_LOCAL);
        assert_true(got.facts.first.ns == got.facts.last.ns);
    }
    read_text("", LOG_CONSOLE);
    assert_true(got.n == 0 && got.facts.lines == 0 && !got.facts.ends_open);
    read_text("\n", LOG_CONSOLE);
    assert_true(got.n == 0 && got.facts.lines == 1 && !got.facts.ends_open);
}

/* After a power loss; invalid UTF-8; a word of a signature that the end cuts. */
static void damage_is_passed_over(void **state)
{
    static char bytes[5000];
    size_t n = sizeof bytes - 1000;

    (void)state;
    memset(bytes, 0, sizeof bytes);
    bytes[n - 1] = '\n';
    memcpy(bytes + n, OOM "\n\xff\xfe EI0006 \xc3(\n", sizeof OOM + 14);
    n += sizeof OOM + 14;
    assert_int_equal(read_bytes(bytes, n, LOG_CONSOLE), OK);
    assert_int_equal(got.n, 2);
    event_is(0, "HC36", 2, 4000);
    event_is(1, "HC36", 3, 4000 + sizeof OOM);
    assert_true(got.v[1].time_near && got.v[1].head.time.ns == got.v[0].head.time.ns);
    read_text("Getting socket times ou", LOG_CONSOLE);
    assert_int_equal(got.n, 0);
}

static void records_that_are_glued_are_two(void **state)
{
    (void)state;
    /* what is before is no failure, and its head is not that of the second */
    read_text("[INFO] GE(9,p):2025-10-09-16:54:11.000.000 size 4096." OOM "\n", LOG_PLOG);
    assert_int_equal(got.n, 1);
    assert_int_equal(got.v[0].head.pid, 7);
    assert_int_equal(got.v[0].head.level, LOG_ERROR);
    assert_string_equal(got.v[0].text, OOM);
    read_text(OOM CHILD OOM, LOG_PLOG);
    assert_int_equal(got.n, 3);
    event_is(0, "HC36", 1, 0);
    event_is(1, "ERR", 1, 0);
    event_is(2, "HC36", 1, 0);
    assert_int_equal(got.v[1].head.pid, 8);
    assert_string_equal(got.v[1].text, CHILD);
    /* a prefix is no record */
    read_text("(Worker pid=77) " OOM "\nfile.log:3:" OOM "\n\033[36m(Worker pid=77)\033[0m " OOM CHILD "\n",
              LOG_PLOG);
    assert_int_equal(got.n, 4);
    for (size_t i = 0; i < 3; i++)
        assert_true(!strcmp(got.v[i].id, "HC36") && got.v[i].head.pid == 7 && got.v[i].line == i + 1);
    assert_true(!strcmp(got.v[3].id, "ERR") && got.v[3].head.pid == 8 && got.v[3].line == 3);
}

static void what_is_mild_is_noise(void **state)
{
    (void)state;
    read_text("[WARNING] HCCL(7,p):2025-10-09-16:54:15.497.363 EI0006\n"
              "[INFO] HCCL(7,p):2025-10-09-16:54:15.497.363 Entry-HcclCommDestroy\n"
              "EI0006\n",
              LOG_PLOG);
    assert_int_equal(got.n, 3);
    assert_int_equal(got.v[0].role, LOG_NOISE);
    assert_int_equal(got.v[1].role, LOG_MARK);
    assert_int_equal(got.v[2].role, LOG_CONSEQUENCE);
}

static void packed_files(void **state)
{
    static uint8_t packed[4096];
    static const char text[] = "a\n" OOM "\n";
    z_stream z = { 0 };

    (void)state;
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (Bytef *)(uintptr_t)text;
    z.avail_in = sizeof text - 1;
    z.next_out = packed;
    z.avail_out = sizeof packed;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    size_t n = sizeof packed - z.avail_out;
    assert_int_equal(deflateEnd(&z), Z_OK);
    assert_int_equal(read_bytes(packed, n, LOG_PLOG), OK);
    assert_int_equal(got.n, 1);
    event_is(0, "HC36", 2, 2);
    assert_int_equal(got.facts.bytes, sizeof text - 1);
    /* cut: what came before is given, and the damage said; also in the middle of a line */
    assert_int_not_equal(read_bytes(packed, n - 9, LOG_PLOG), OK);
    assert_int_equal(got.n, 1);
    for (size_t cut = 2; cut < n; cut++)
        assert_int_not_equal(read_bytes(packed, cut, LOG_PLOG), OK);
}

/* One line longer than any buffer of the reader, words of signatures far apart and near its ends. */
static void a_very_long_line(void **state)
{
    size_t n = (size_t)5 << 20;
    char *bytes = test_malloc(n);

    (void)state;
    memset(bytes, 'x', n);
    memcpy(bytes, "EI0006 ", 7);
    memcpy(bytes + n / 2, " EI0006 ", 8);
    memcpy(bytes + n - 8, "\nEI0006\n", 8);
    assert_int_equal(read_bytes(bytes, n, LOG_PLOG), OK);
    assert_int_equal(got.all, 3);
    event_is(0, "HC36", 1, 0);
    assert_int_equal(got.v[1].line, 1);
    event_is(2, "HC36", 2, n - 7);
    assert_true(got.v[0].text_n <= LOG_TEXT_B && got.v[1].text_n <= LOG_TEXT_B);
    assert_int_equal(got.facts.lines, 2);
    /* words so near that parts of the line overlap: each part is given once */
    memset(bytes, 'x', n);
    for (size_t at = 100; at + 8 < n; at += 40000)
        memcpy(bytes + at, " EI0006 ", 8);
    assert_int_equal(read_bytes(bytes, n, LOG_PLOG), OK);
    assert_in_range(got.all, n / 80000, n / 40000 + 1); /* a part has one or two of them */
    test_free(bytes);
}

/* Numbers and offsets stay right over the blocks that a file is read in. */
static void numbers_of_a_file_of_many_blocks(void **state)
{
    struct buf b;
    size_t lines = 0, offset = 0;

    (void)state;
    buf_init(&b, (size_t)64 << 20);
    while (b.n < (size_t)20 << 20) {
        buf_printf(&b, "[INFO] GE(9,p):2025-10-09-16:54:11.000.000 line %zu of a long file\n", lines);
        lines++;
    }
    offset = b.n;
    buf_puts(&b, OOM "\n");
    assert_int_equal(read_bytes(b.p, b.n, LOG_PLOG), OK);
    assert_int_equal(got.n, 1);
    event_is(0, "HC36", lines + 1, offset);
    assert_int_equal(got.facts.lines, lines + 1);
    assert_true(got.facts.last.ns == got.v[0].head.time.ns && got.facts.first.ns < got.facts.last.ns);
    buf_done(&b);
}

static size_t wrong;

/* "EI0006 4711": the time of second 4711 stands before it. */
static int compare_time(void *arg, const struct log_event *ev, struct err *e)
{
    int64_t want;

    (void)arg;
    (void)e;
    got.all++;
    wrong += !ev->time_near || !str_i64(str_sub(ev->text, 7, SIZE_MAX), &want) ||
             ev->head.time.ns / LOG_S_NS % 86400 != want;
    return OK;
}

/* Also where the blocks that a file is read in begin. */
static void a_record_without_a_time_has_that_before_it(void **state)
{
    const struct log_sink out = { compare_time, NULL, NULL };
    struct err e = ERR_INIT;
    struct buf b;

    (void)state;
    buf_init(&b, (size_t)64 << 20);
    for (int second = 0; second < 86400; second += 2) {
        buf_printf(&b, "2025-10-09 %02d:%02d:%02d,000 - INFO - text\n", second / 3600, second / 60 % 60,
                   second % 60);
        for (int i = 0; i < 8; i++)
            buf_printf(&b, "EI0006 %d\n", second);
    }
    got.all = wrong = 0;
    assert_int_equal(log_scan(scan, scratch_write(b.p, b.n), LOG_CONSOLE, &out, &got.facts, &e), OK);
    assert_int_equal(got.all, 86400 / 2 * 8);
    assert_int_equal(wrong, 0);
    buf_done(&b);
}

#define TRACE "Traceback (most recent call last):\n"

static void blocks_are_one_event(void **state)
{
    (void)state;
    read_text("2025-10-09 16:54:15,497 - INFO - begin\n" TRACE
              "  File \"/job/train.py\", line 214, in <module>\n"
              "    raise ValueError(\"NPU out of memory\")\n"
              "ValueError: bad batch\n"
              "\n"
              "bye\n",
              LOG_CONSOLE);
    assert_int_equal(got.n, 1);
    event_is(0, "PY01", 2, 39);
    assert_string_equal(got.v[0].text, "ValueError: bad batch");
    assert_string_equal(got.v[0].frame, "/job/train.py");
    assert_int_equal(got.v[0].frame_line, 214);
    assert_int_equal(got.v[0].role, LOG_CAUSE);
    assert_true(got.v[0].time_near);
    /* the last line says more */
    read_text(TRACE "  File \"a.py\", line 1, in f\nRuntimeError: NPU out of memory. Tried to allocate\n",
              LOG_CONSOLE);
    assert_int_equal(got.n, 1);
    event_is(0, "RT20", 1, 0);
    /* a prefix of its lines is none of its last one */
    read_text("[rank2]: " TRACE "[rank2]:   File \"a.py\", line 1, in f\n"
              "[rank2]: RuntimeError: DataLoader timed out after 120 seconds\n",
              LOG_CONSOLE);
    assert_int_equal(got.n, 1);
    event_is(0, "DP04", 1, 0);
    assert_string_equal(got.v[0].text + got.v[0].head.text_at,
                        "RuntimeError: DataLoader timed out after 120 seconds");
    /* a code of the device that follows says why */
    read_text(TRACE "  File \"a.py\", line 1, in f\nRuntimeError: x\n\nEI0006: Getting socket times out\n",
              LOG_CONSOLE);
    assert_int_equal(got.n, 2);
    event_is(0, "PY02", 1, 0);
    assert_int_equal(got.v[0].role, LOG_CONSEQUENCE);
    event_is(1, "HC36", 5, 35 + 28 + 16 + 1);
    /* what the launcher says of it afterwards does not */
    read_text(TRACE "  File \"a.py\", line 1, in f\nValueError: x\n\nReceived 15 death signal\n",
              LOG_CONSOLE);
    assert_int_equal(got.n, 2);
    event_is(0, "PY01", 1, 0);
    assert_int_equal(got.v[0].role, LOG_CAUSE);
    /* the file ends inside; nothing is lost of what stands in between */
    read_text(TRACE "  File \"a.py\", line 1, in f\n" OOM "\n", LOG_CONSOLE);
    assert_int_equal(got.n, 2);
    assert_string_equal(got.v[0].id, "HC36");
    assert_string_equal(got.v[1].text, "exception without its last line");
}

/* Two ranks of one console, in colours, line by line in turn. */
static void blocks_of_two_ranks(void **state)
{
    (void)state;
    read_text(
        "[rank0]: " TRACE "[rank1]: " TRACE "\033[31m[rank0]:   File \"/job/a.py\", line 1, in f\033[0m\n"
        "[rank1]:   File \"/job/b.py\", line 2, in g\n"
        "\033[31m[rank1]: KeyError: 'b'\033[0m\n"
        "[rank0]:[E1009 16:54:15.1 a.cc:1] Watchdog caught collective operation timeout: WorkHCCL(SeqNum=1\n"
        "[rank0]: ValueError: a\n"
        "[rank1]: end\n"
        "[rank0]: end\n",
        LOG_CONSOLE);
    assert_int_equal(got.n, 3);
    assert_string_equal(got.v[0].id, "LA09");
    for (size_t i = 1; i < 3; i++) {
        bool first = got.v[i].head.rank == 0;
        assert_string_equal(got.v[i].text, first ? "ValueError: a" : "KeyError: 'b'");
        assert_string_equal(got.v[i].frame, first ? "/job/a.py" : "/job/b.py");
        assert_int_equal(got.v[i].line, first ? 1 : 2);
    }
    assert_true(got.v[1].head.rank != got.v[2].head.rank);
}

static void more_blocks_than_there_is_room_for(void **state)
{
    struct buf b;

    (void)state;
    buf_init(&b, 1 << 20);
    for (int r = 0; r < 40; r++)
        buf_printf(&b, "[rank%d]: " TRACE "[rank%d]:   File \"/job/a.py\", line %d, in f\n", r, r, r);
    for (int r = 0; r < 40; r++)
        buf_printf(&b, "[rank%d]: KeyError: '%d'\n", r, r);
    assert_int_equal(read_bytes(b.p, b.n, LOG_CONSOLE), OK);
    assert_int_equal(got.n, 40);
    buf_done(&b);
}

/* The module of a block's head is kept after its bytes have gone. */
static void a_block_longer_than_a_part_of_the_file(void **state)
{
    struct buf b;

    (void)state;
    buf_init(&b, (size_t)64 << 20);
    buf_puts(&b, "[ERROR] ME(7:8,MainProcess):2025-10-09-16:54:15.497.000 [a.py:1] " TRACE);
    buf_puts(&b, "  File \"/job/a.py\", line 1, in f\n");
    while (b.n < (size_t)20 << 20)
        buf_printf(&b, "[rank9]: %04096d\n", 0);
    buf_puts(&b, "ValueError: a\n");
    assert_int_equal(read_bytes(b.p, b.n, LOG_CONSOLE), OK);
    assert_int_equal(got.n, 1);
    assert_string_equal(got.v[0].module, "ME");
    buf_done(&b);
}

static void ends_early(void **state)
{
    (void)state;
    got.stop_at = 2;
    assert_int_equal(read_bytes(OOM "\n" OOM "\n" OOM "\n", 3 * sizeof OOM, LOG_PLOG), ERR_NOMEM);
    assert_int_equal(got.n, 1);
    got.cancelled = true;
    assert_int_equal(read_bytes(OOM "\n" OOM "\n", 2 * sizeof OOM, LOG_PLOG), ERR_CANCELLED);
    assert_int_equal(got.n, 0);
    struct err e = ERR_INIT;
    const struct log_sink out = { take, NULL, NULL };
    assert_int_equal(log_scan(scan, "/nonexistent/x.log", LOG_PLOG, &out, &got.facts, &e), ERR_IO);
}

static int begin(void **state)
{
    struct err e = ERR_INIT;
    (void)state;
    return signature_scan_new(&scan, &e);
}

static int end(void **state)
{
    (void)state;
    signature_scan_free(scan);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_in_all_ways),
        cmocka_unit_test(damage_is_passed_over),
        cmocka_unit_test(records_that_are_glued_are_two),
        cmocka_unit_test(what_is_mild_is_noise),
        cmocka_unit_test(packed_files),
        cmocka_unit_test(a_very_long_line),
        cmocka_unit_test(numbers_of_a_file_of_many_blocks),
        cmocka_unit_test(a_record_without_a_time_has_that_before_it),
        cmocka_unit_test(blocks_are_one_event),
        cmocka_unit_test(blocks_of_two_ranks),
        cmocka_unit_test(more_blocks_than_there_is_room_for),
        cmocka_unit_test(a_block_longer_than_a_part_of_the_file),
        cmocka_unit_test(ends_early),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
