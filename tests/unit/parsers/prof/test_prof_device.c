/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of a device: pairs of starts and ends, ids, batches, frequencies, the host's tasks, damage. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/buf.h"
#include "parsers/prof/device/device.h"
#include "parsers/prof/device/flips.h"
#include "parsers/prof/device/pair.h"
#include "tests/unit/parsers/prof/prof_case.h"

#define DATA PROF_NAME "/device_0/data/"
#define HUGE 4294967295u

/* ---- pairs ---- */

struct got {
    char text[400];
    struct prof_pairs_lost lost;
};

static int on_pair(void *arg, uint64_t key, const struct prof_start *s, uint64_t end, struct err *e)
{
    struct got *g = arg;
    size_t n = strlen(g->text);

    (void)e;
    snprintf(g->text + n, sizeof g->text - n, "%s%d:%d-%d", n ? " " : "", (int)key, (int)s->counter,
             (int)end);
    return OK;
}

/*
 * A letter for each record, "a" start and "A" end of the task a, at 10, 20 ...; a digit before it is its time
 * instead.
 */
static struct got pairs_of(enum prof_pairing how, const char *records)
{
    struct err e = ERR_INIT;
    struct prof_pairs *p;
    struct got g = { .text = "" };
    uint64_t time = 0;

    assert_int_equal(prof_pairs_new(&p, how, on_pair, &g, &e), OK);
    for (const char *r = records; *r; r++) {
        if (*r == ' ')
            continue;
        time += 10;
        if (*r >= '0' && *r <= '9')
            time = (uint64_t)(*r++ - '0') * 10;
        bool end = *r < 'a';
        struct prof_start s = { .counter = time, .seq = (uint32_t)(r - records) };
        uint64_t key = (uint64_t)((*r | 32) - 'a');
        int rc = end ? prof_pairs_end(p, key, time, &e) : prof_pairs_start(p, key, &s, &e);
        assert_int_equal(rc, OK);
    }
    assert_int_equal(prof_pairs_finish(p, &g.lost, &e), OK);
    prof_pairs_free(p);
    return g;
}

static void check_pairs(enum prof_pairing how, const char *records, const char *want, uint64_t starts,
                        uint64_t ends)
{
    struct got g = pairs_of(how, records);

    print_message("%s\n", records);
    assert_string_equal(g.text, want);
    assert_int_equal(g.lost.starts, starts);
    assert_int_equal(g.lost.ends, ends);
}

static void pairs_alternating_come_as_they_end(void **state)
{
    (void)state;
    check_pairs(PROF_PAIR_ORDER, "abAaAB", "0:10-30 0:40-50 1:20-60", 0, 0);
    check_pairs(PROF_PAIR_LAST, "abAaAB", "0:10-30 0:40-50 1:20-60", 0, 0);
}

static void pairs_of_equal_counts_go_in_order(void **state)
{
    (void)state;
    check_pairs(PROF_PAIR_ORDER, "aaAA", "0:10-30 0:20-40", 0, 0);
    check_pairs(PROF_PAIR_ORDER, "aA aabBAA", "0:10-20 1:50-60 0:30-70 0:40-80", 0, 0);
    /* records that were written late */
    check_pairs(PROF_PAIR_ORDER, "5A 1a", "0:10-50", 0, 0);
}

static void pairs_of_other_counts_take_the_end_before_the_next_start(void **state)
{
    (void)state;
    check_pairs(PROF_PAIR_ORDER, "aaAaA", "0:20-30 0:40-50", 1, 0);
    check_pairs(PROF_PAIR_ORDER, "AaA", "0:20-30", 0, 1);
    check_pairs(PROF_PAIR_ORDER, "aAAaA", "0:10-20 0:40-50", 0, 1);
    check_pairs(PROF_PAIR_ORDER, "aaaA", "0:30-40", 2, 0);
    check_pairs(PROF_PAIR_ORDER, "A", "", 0, 1);
    /* as many, but in no order that could be */
    check_pairs(PROF_PAIR_ORDER, "AaAa", "0:20-30", 1, 1);
}

static void pairs_last_closes_the_last_start(void **state)
{
    (void)state;
    check_pairs(PROF_PAIR_LAST, "aaAA", "0:20-30", 1, 1);
    check_pairs(PROF_PAIR_LAST, "5aA 3A", "0:50-60", 0, 1);
}

static void pairs_open_ones_are_counted(void **state)
{
    (void)state;
    check_pairs(PROF_PAIR_ORDER, "abcC", "2:30-40", 2, 0);
}

/* Many open at once: the table grows, and what is closed leaves it. */
static void pairs_many_open_are_all_found(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct got g = { .text = "" };
    struct prof_pairs *p;
    enum { N = 5000 };

    assert_int_equal(prof_pairs_new(&p, PROF_PAIR_ORDER, on_pair, &g, &e), OK);
    for (uint64_t i = 0; i < N; i++)
        assert_int_equal(prof_pairs_start(p, i * 65536, &(struct prof_start){ .counter = i }, &e), OK);
    for (uint64_t i = 0; i < N; i++) {
        g.text[0] = '\0';
        assert_int_equal(prof_pairs_end(p, (i * 7 % N) * 65536, N, &e), OK);
        assert_true(strlen(g.text) > 0);
    }
    assert_int_equal(prof_pairs_finish(p, &g.lost, &e), OK);
    assert_int_equal(g.lost.starts + g.lost.ends, 0);
    prof_pairs_free(p);
}

/* ---- ids ---- */

static void check_ids(bool expanded, unsigned sqe, unsigned stream, unsigned task, unsigned stream2,
                      unsigned task2)
{
    uint32_t s, t;

    prof_stars_ids(expanded, sqe, (uint16_t)stream, (uint16_t)task, &s, &t);
    assert_int_equal(s, stream2);
    assert_int_equal(t, task2);
}

static void stars_ids_move_their_bits(void **state)
{
    (void)state;
    check_ids(false, 0, 5, 77, 5, 77);
    check_ids(false, 0, 2048 + 5, 77, 5, 77);
    check_ids(false, 0, 0x1000 | 0xe000 | 5, 0xffff, 5, 0xffff);
    check_ids(false, 0, 0x1000 | 5, 0xffff, 5, 0x1fff);
    check_ids(false, 0, 0x2000 | 0x0123, 0xf000 | 0x0807, 7, 0xf123);
    check_ids(true, 0, 5000, 77, 5000, 77);
    check_ids(true, 0, 0x8000 | 0x1234, 0x8000 | 5000, 5000, 0x9234);
    check_ids(true, 3, 0x8000 | 5000, 77, 5000, 77);
    check_ids(true, 4, 0x8000 | 5000, 77, 5000, 77);
}

/* ---- batches ---- */

struct batch_task {
    uint32_t task, batch;
};

static uint16_t device_of(const void *arg, uint32_t i)
{
    (void)arg, (void)i;
    return 0;
}
static uint32_t stream_of(const void *arg, uint32_t i)
{
    (void)arg, (void)i;
    return 3;
}
static uint32_t task_of(const void *arg, uint32_t i)
{
    return ((const struct batch_task *)arg)[i].task;
}
static uint64_t time_of(const void *arg, uint32_t i)
{
    (void)arg;
    return (i + 1) * 10;
}
static uint32_t *batch_of(void *arg, uint32_t i)
{
    return &((struct batch_task *)arg)[i].batch;
}

/* Tasks of stream 3 with these ids at 10, 20 ...; the batches they get. */
static void check_batches(struct prof_flip *flip, size_t n_flips, const unsigned *task, size_t n,
                          const char *want)
{
    struct err e = ERR_INIT;
    struct batch_task v[20];
    const struct prof_flip_tasks all = { v, n, device_of, stream_of, task_of, time_of, batch_of };
    char text[100] = "";

    for (size_t i = 0; i < n; i++)
        v[i] = (struct batch_task){ .task = task[i] };
    assert_int_equal(prof_flips_number(NULL, &all, flip, n_flips, &e), OK);
    for (size_t i = 0; i < n; i++)
        text[i] = (char)('0' + v[i].batch);
    assert_string_equal(text, want);
}

static void batches_begin_after_a_flip(void **state)
{
    (void)state;
    static const unsigned task[] = { 65533, 65534, 0, 1, 2 };
    struct prof_flip at_it[] = { { .time = 20, .stream = 3, .task = 0 } };
    struct prof_flip other[] = { { .time = 20, .stream = 4, .task = 0 } };
    check_batches(NULL, 0, task, 5, "00000");
    check_batches(at_it, 1, task, 5, "00111");
    check_batches(other, 1, task, 5, "00000");
}

static void batches_walk_back_over_smaller_ids(void **state)
{
    (void)state;
    static const unsigned task[] = { 65533, 65534, 0, 1, 4, 5 };
    struct prof_flip late[] = { { .time = 45, .stream = 3, .task = 4 } };
    struct prof_flip nothing[] = { { .time = 45, .stream = 3, .task = 0 } };
    struct prof_flip all[] = { { .time = 45, .stream = 3, .task = 65535 } };
    struct prof_flip destroyed[] = { { .time = 45, .stream = 3, .is_destroyed = true, .task = 4 } };
    check_batches(late, 1, task, 6, "001111");
    check_batches(nothing, 1, task, 6, "000011");
    check_batches(all, 1, task, 6, "000011");
    check_batches(destroyed, 1, task, 6, "000011");
}

/* The same by the rule itself: tasks and flips in time order, walking back from each flip. */
static void plain_batches(const struct prof_flip *flip, size_t n_flips, const unsigned *task, size_t n,
                          char *out)
{
    char batch = '0';
    size_t f = 0;

    for (size_t i = 0; i < n; i++) {
        for (; f < n_flips && (i + 1) * 10 > flip[f].time; f++) {
            batch++;
            for (size_t k = i; !flip[f].is_destroyed && flip[f].task && flip[f].task != 65535 && k > 0 &&
                               task[k - 1] < flip[f].task;
                 k--)
                out[k - 1] = batch;
        }
        out[i] = batch;
    }
    for (; f < n_flips; f++) {
        batch++;
        for (size_t k = n; !flip[f].is_destroyed && flip[f].task && flip[f].task != 65535 && k > 0 &&
                           task[k - 1] < flip[f].task;
             k--)
            out[k - 1] = batch;
    }
}

static void batches_of_many_flips_follow_the_rule(void **state)
{
    (void)state;
    uint32_t seed = 1;

    for (unsigned round = 0; round < 2000; round++) {
        struct prof_flip flip[6];
        unsigned task[12];
        char want[13] = "";
        uint64_t time = 0;
        for (size_t i = 0; i < 12; i++)
            task[i] = (seed = seed * 1664525 + 1013904223) >> 29;
        for (size_t i = 0; i < 6; i++) {
            time += ((seed = seed * 1664525 + 1013904223) >> 24) % 40 + 1;
            flip[i] = (struct prof_flip){ .time = time, .stream = 3 };
            flip[i].task = (seed = seed * 1664525 + 1013904223) >> 28;
            flip[i].is_destroyed = flip[i].task == 15;
        }
        plain_batches(flip, 6, task, 12, want);
        check_batches(flip, 6, task, 12, want);
    }
}

/* ---- a device ---- */

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

struct device_case {
    struct prof_case c;
    struct prof_device d;
};

static void read_device(struct device_case *x, int chip, const struct prof_host *h)
{
    struct err e = ERR_INIT;

    prof_info_files(&tree, chip);
    assert_int_equal(prof_case_open(&x->c, &tree, &e), OK);
    assert_int_equal(prof_device_read(&x->d, x->c.p, x->c.p->device[0], h, &e), OK);
}

static void close_device(struct device_case *x)
{
    prof_device_done(&x->d);
    prof_case_close(&x->c);
}

/*
 * "stream.task[/context][#batch] start-end word" of each task, a ! for one with sub-tasks, a host's index
 * behind an h.
 */
static void check_tasks(const struct device_case *x, const char *want)
{
    char text[1000] = "";

    for (size_t i = 0; i < x->d.n_tasks; i++) {
        const struct prof_task *t = &x->d.task[i];
        const char *word = prof_device_word(x->c.p, t);
        size_t n = strlen(text);
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%u.%u", n ? "\n" : "", t->stream, t->task);
        if (t->context != PROF_NONE)
            n += (size_t)snprintf(text + n, sizeof text - n, "/%u", t->context);
        if (t->batch)
            n += (size_t)snprintf(text + n, sizeof text - n, "#%u", t->batch);
        n += (size_t)snprintf(text + n, sizeof text - n, " %d-%d %s%s", (int)t->start, (int)t->end,
                              word ? word : "-", t->outer ? "!" : "");
        if (t->host != PROF_NONE)
            snprintf(text + n, sizeof text - n, " h%u", t->host);
    }
    assert_string_equal(text, want);
}

static void put(struct buf *b, const void *p, size_t n)
{
    buf_add(b, (struct str){ p, n });
    assert_false(buf_failed(b));
}

static void stars(struct buf *b, unsigned function, unsigned kind, unsigned stream, unsigned task,
                  uint64_t time)
{
    unsigned char r[64] = { 0 };

    put_le(r, function | kind << 10, 2);
    put_le(r + 2, PROF_STARS_MARK, 2);
    put_le(r + 4, stream, 2);
    put_le(r + 6, task, 2);
    put_le(r + 8, time, 8);
    put(b, r, sizeof r);
}

static void sub(struct buf *b, unsigned function, unsigned task, unsigned context, uint64_t time)
{
    unsigned char *r;

    stars(b, function, 0, 9, task, time);
    r = (unsigned char *)b->p + b->n - 64;
    put_le(r + 16, 6, 2);
    put_le(r + 18, context, 2);
    put_le(r + 20, 4 << 13, 2);
}

static void ts(struct buf *b, unsigned type, uint64_t time, uint64_t at_16)
{
    unsigned char r[40] = { 1 };

    r[1] = (unsigned char)type;
    put_le(r + 8, time, 8);
    put_le(r + 16, at_16, 8);
    put(b, r, sizeof r);
}

/* The u64 at 16 of a report on a task; of a flip. */
static uint64_t on_task(unsigned stream, unsigned task, unsigned type, unsigned state)
{
    return stream | (uint64_t)task << 16 | (uint64_t)type << 32 | (uint64_t)state << 48;
}

static void write_file(const char *name, struct buf *b)
{
    tree_file_n(&tree, name, b->p, b->n);
    buf_done(b);
}

static const struct prof_host no_host;

static void stars_tasks_are_in_order_of_their_starts(void **state)
{
    (void)state;
    struct buf b = { .max = 1 << 20 };
    struct device_case x;

    stars(&b, 0, 0, 9, 1, 5000);
    stars(&b, 0, 5, 2, 7, 5001);
    stars(&b, 1, 5, 2, 7, 5002);
    stars(&b, 0, 1, 0x2000 | 3, 0x1000 | 4, 5002);
    stars(&b, 1, 1, 0x2000 | 3, 0x1000 | 4, 5003);
    stars(&b, 1, 0, 9, 1, 5010);
    stars(&b, 0, 40, 9, 2, 5011);
    stars(&b, 1, 40, 9, 2, 5012);
    write_file(DATA "stars_soc.data.0.slice_0", &b);
    read_device(&x, 5, &no_host);
    check_tasks(&x, "9.1 5000-5010 AI_CORE\n"
                    "2.7 5001-5002 EVENT_WAIT_SQE\n"
                    "4.4099 5002-5003 AI_CPU\n"
                    "9.2 5011-5012 -");
    assert_int_equal(sink_count_get(x.c.notes)->note_calls, 0);
    close_device(&x);
}

static void stars_sub_tasks_have_their_own_rows(void **state)
{
    (void)state;
    struct buf b = { .max = 1 << 20 };
    struct device_case x;

    stars(&b, 0, 0, 9, 1, 5000);
    sub(&b, 0x22, 1, 0, 5001);
    sub(&b, 0x22, 1, 1, 5002);
    sub(&b, 0x23, 1, 0, 5003);
    sub(&b, 0x23, 1, 1, 5004);
    stars(&b, 1, 0, 9, 1, 5005);
    stars(&b, 0, 0, 9, 2, 5006);
    stars(&b, 1, 0, 9, 2, 5007);
    write_file(DATA "stars_soc.data.0.slice_0", &b);
    read_device(&x, 5, &no_host);
    check_tasks(&x, "9.1 5000-5005 AI_CORE!\n"
                    "9.1/0 5001-5003 MIX_AIC\n"
                    "9.1/1 5002-5004 MIX_AIC\n"
                    "9.2 5006-5007 AI_CORE");
    close_device(&x);
}

/* One record without the mark, one of an unknown function, one cut: the others stay. */
static void stars_damage_costs_what_it_hit(void **state)
{
    (void)state;
    struct buf b = { .max = 1 << 20 };
    struct device_case x;

    stars(&b, 0, 0, 9, 1, 5000);
    stars(&b, 1, 0, 9, 1, 5001);
    stars(&b, 0, 0, 9, 9, 5001);
    b.p[b.n - 62] = 'x';
    stars(&b, 17, 0, 9, 1, 5001);
    stars(&b, 0, 0, 9, 2, 5002);
    stars(&b, 1, 0, 9, 2, 5003);
    stars(&b, 0, 0, 9, 3, 5004);
    put(&b, "half", 4);
    write_file(DATA "stars_soc.data.0.slice_0", &b);
    read_device(&x, 5, &no_host);
    check_tasks(&x, "9.1 5000-5001 AI_CORE\n"
                    "9.2 5002-5003 AI_CORE");
    const struct sink_counts *n = sink_count_get(x.c.notes);
    assert_int_equal(n->notes[NOTE_BAD_ROW], 1);
    assert_int_equal(n->notes[NOTE_UNKNOWN_TYPE], 1);
    assert_int_equal(n->notes[NOTE_TORN_RECORD], 1);
    assert_int_equal(n->notes[NOTE_LOST_RECORDS], 1);
    close_device(&x);
}

static void flips_number_the_batches(void **state)
{
    (void)state;
    struct buf b = { .max = 1 << 20 }, t = { .max = 1 << 20 };
    struct device_case x;

    stars(&b, 0, 0, 9, 65534, 5000);
    stars(&b, 1, 0, 9, 65534, 5001);
    stars(&b, 0, 0, 9, 1, 5002);
    stars(&b, 1, 0, 9, 1, 5003);
    stars(&b, 0, 0, 8, 1, 5004);
    stars(&b, 1, 0, 8, 1, 5005);
    stars(&b, 0, 0, 9, 3, 5006);
    stars(&b, 1, 0, 9, 3, 5007);
    /* told late: 1 is below the flip's 2 */
    ts(&t, 14, 5004, on_task(9, 1, 0, 2));
    ts(&t, 99, 5004, 0);
    write_file(DATA "stars_soc.data.0.slice_0", &b);
    write_file(DATA "ts_track.data.0.slice_0", &t);
    read_device(&x, 5, &no_host);
    check_tasks(&x, "9.65534 5000-5001 AI_CORE\n"
                    "9.1#1 5002-5003 AI_CORE\n"
                    "8.1 5004-5005 AI_CORE\n"
                    "9.3#1 5006-5007 AI_CORE");
    assert_int_equal(sink_count_get(x.c.notes)->notes[NOTE_UNKNOWN_TYPE], 1);
    close_device(&x);
}

static void hwts_tasks_and_ts_track_are_one_order(void **state)
{
    (void)state;
    struct buf b = { .max = 1 << 20 }, t = { .max = 1 << 20 };
    unsigned char r[64];
    struct device_case x;
    static const struct {
        unsigned type, task;
        uint64_t time;
    } rows[] = { { 0, 1, 5000 }, { 0, 2, 5001 }, { 1, 2, 5002 }, { 2, 1, 5003 }, { 1, 1, 5008 } };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hwts_put(r, rows[i].type, rows[i].task, 2048 + 9, rows[i].time);
        r[1] = rows[i].task == 2 ? 5 : 0;
        put(&b, r, sizeof r);
    }
    ts(&t, 12, 5003, on_task(9, 3, 1, 1));
    ts(&t, 12, 5003, on_task(9, 4, 5, 1)); /* no AI CPU task */
    ts(&t, 12, 5004, on_task(9, 3, 1, 2));
    ts(&t, 11, 5004, on_task(9, 5, 0, 0));
    ts(&t, 11, 5005, on_task(9, 5, 1, 0));
    ts(&t, 11, 5006, on_task(9, 5, 2, 0));
    ts(&t, 11, 5007, on_task(9, 6, 1, 0)); /* nothing opened it */
    ts(&t, 11, 5008, on_task(9, 6, 2, 0));
    ts(&t, 15, 0, on_task(9, 1, 24, 0));
    write_file(DATA "hwts.data.0.slice_0", &b);
    write_file(DATA "ts_track.data.0.slice_0", &t);
    read_device(&x, 1, &no_host);
    check_tasks(&x, "9.1 5000-5008 AI_CORE\n"
                    "9.2 5001-5002 EVENT_WAIT_SQE\n"
                    "9.3 5003-5004 AI_CPU");
    assert_int_equal(x.d.n_copies, 1);
    assert_int_equal(x.d.copy[0].received, 5004);
    assert_int_equal(x.d.copy[0].start, 5005);
    assert_int_equal(x.d.copy[0].end, 5006);
    assert_int_equal(x.d.copy[0].task, 5);
    assert_int_equal(x.d.n_blocks, 1);
    assert_int_equal(x.d.block[0].blocks, 24);
    close_device(&x);
}

/* What grows with the records is of the folder's pool: without memory it lies in files. */
static void tasks_are_arrays_of_the_pool(void **state)
{
    (void)state;
    struct buf b = { .max = 1 << 20 };
    struct device_case x;

    stars(&b, 0, 0, 9, 1, 5000);
    stars(&b, 1, 0, 9, 1, 5005);
    stars(&b, 0, 0, 9, 2, 5010);
    write_file(DATA "stars_soc.data.0.slice_0", &b);
    setenv("NPUSCOPE_MEMORY", "0", 1);
    read_device(&x, 5, &no_host);
    unsetenv("NPUSCOPE_MEMORY");
    assert_int_equal(x.d.n_tasks, 1);
    assert_int_equal(x.d.n_open, 1);
    assert_true(spool_is_filed(x.c.p->spool, x.d.task));
    assert_true(spool_is_filed(x.c.p->spool, x.d.open));
    close_device(&x);
}

/* ---- the host's tasks ---- */

static void tasks_find_the_hosts_by_all_ids(void **state)
{
    (void)state;
    struct buf b = { .max = 1 << 20 };
    struct device_case x;
    /* another device's, another context, two of one key */
    struct prof_host_task task[] = {
        { .device = 0, .stream = 9, .task = 1, .context = 0 },
        { .device = 0, .stream = 9, .task = 1, .context = PROF_NONE },
        { .device = 0, .stream = 9, .task = 3, .context = PROF_NONE, .stamp = 20 },
        { .device = 0, .stream = 9, .task = 3, .context = PROF_NONE, .stamp = 10 },
        { .device = 0, .stream = 9, .task = 4, .context = PROF_NONE, .stamp = 10 },
        { .device = 0, .stream = 9, .task = 4, .context = PROF_NONE, .stamp = 20 },
        { .device = 0, .stream = 9, .task = 2, .context = PROF_NONE, .batch = 1 },
        { .device = 1, .stream = 9, .task = 2, .context = PROF_NONE },
    };
    const struct prof_host h = { .task = task, .n_tasks = 8 };

    for (unsigned i = 1; i <= 4; i++) {
        stars(&b, 0, 0, 9, i, 5000 + 10 * i);
        if (i == 1) {
            sub(&b, 0x22, 1, 0, 5011);
            sub(&b, 0x23, 1, 0, 5012);
        }
        stars(&b, 1, 0, 9, i, 5005 + 10 * i);
    }
    stars(&b, 0, 0, 9, 3, 5050);
    stars(&b, 1, 0, 9, 3, 5051);
    write_file(DATA "stars_soc.data.0.slice_0", &b);
    read_device(&x, 5, &h);
    check_tasks(&x, "9.1 5010-5015 AI_CORE! h1\n"
                    "9.1/0 5011-5012 MIX_AIC h0\n"
                    "9.2 5020-5025 AI_CORE\n"
                    "9.3 5030-5035 AI_CORE h3\n"
                    "9.4 5040-5045 AI_CORE\n"
                    "9.3 5050-5051 AI_CORE h2");
    assert_int_equal(sink_count_get(x.c.notes)->notes[NOTE_INCONSISTENT], 1);
    close_device(&x);
}

/* Ids come again and no batch tells: only the one of a static graph is all of them. */
static void tasks_without_batches_are_hosts_in_order(void **state)
{
    (void)state;
    struct device_case x;
    struct prof_host_task task[] = {
        { .device = 0, .stream = 9, .task = 1, .context = PROF_NONE, .request = 2 },
        { .device = 0, .stream = 9, .task = 2, .context = PROF_NONE },
        { .device = 0, .stream = 9, .task = 3, .context = PROF_NONE, .request = 2 },
    };
    const struct prof_host h = { .task = task, .n_tasks = 3 };

    for (int chip = 5; chip <= 11; chip += 6) {
        struct buf b = { .max = 1 << 20 };
        for (unsigned i = 0; i < 5; i++) {
            stars(&b, 0, 0, 9, i % 3 + 1, 5000 + 10 * i);
            stars(&b, 1, 0, 9, i % 3 + 1, 5005 + 10 * i);
        }
        write_file(DATA "stars_soc.data.0.slice_0", &b);
        read_device(&x, chip, &h);
        check_tasks(&x, chip == 5 ? "9.1 5000-5005 AI_CORE h0\n"
                                    "9.2 5010-5015 AI_CORE h1\n"
                                    "9.3 5020-5025 AI_CORE h2\n"
                                    "9.1 5030-5035 AI_CORE h0\n"
                                    "9.2 5040-5045 AI_CORE h1"
                                  : "9.1 5000-5005 AI_CORE h0\n"
                                    "9.2 5010-5015 AI_CORE h1\n"
                                    "9.3 5020-5025 AI_CORE h2\n"
                                    "9.1 5030-5035 AI_CORE\n"
                                    "9.2 5040-5045 AI_CORE h1");
        assert_int_equal(sink_count_get(x.c.notes)->notes[NOTE_INCONSISTENT], chip == 11);
        close_device(&x);
    }
}

/* ---- frequencies ---- */

static void freq_record(unsigned char *r, uint32_t n, uint32_t kind)
{
    memset(r, 0, 888);
    put_le(r, n, 4);
    put_le(r + 4, kind, 4);
}

static void freq_point(unsigned char *r, size_t i, uint64_t time, uint32_t mhz)
{
    put_le(r + 8 + 16 * i, time, 8);
    put_le(r + 16 + 16 * i, mhz, 4);
}

static void check_freq(struct device_case *x, uint64_t time, unsigned mhz)
{
    assert_int_equal(prof_freq_at(&x->d, time), mhz * 1000000ul);
}

static void frequencies_change_at_their_counter(void **state)
{
    (void)state;
    unsigned char r[3 * 888];
    struct device_case x;

    freq_record(r, 3, 0);
    freq_point(r, 0, 2000, 1650); /* before the device's clock was read, at 3000 */
    freq_point(r, 1, 4000, 800);
    freq_point(r, 2, 5000, 1000);
    freq_record(r + 888, 1, 1);
    freq_point(r + 888, 0, 4500, 900); /* mV */
    freq_record(r + 2 * 888, 1, 0);
    freq_point(r + 2 * 888, 0, 6000, 1850);
    tree_file_n(&tree, DATA "lpmFreqConv.data.0.slice_0", (char *)r, sizeof r);
    read_device(&x, 5, &no_host);
    assert_int_equal(x.d.n_freq, 4);
    assert_int_equal(x.d.freq[0].counter, 3000);
    check_freq(&x, 3000, 1650);
    check_freq(&x, 3999, 1650);
    check_freq(&x, 4000, 800);
    check_freq(&x, 4999, 800);
    check_freq(&x, 5999, 1000);
    check_freq(&x, UINT64_MAX, 1850);
    close_device(&x);
}

/* Of points before the counter of dev_start only the last is left, and it holds from that counter on. */
static void frequencies_before_the_devices_clock_are_those_of_info_json(void **state)
{
    (void)state;
    unsigned char r[888];
    struct device_case x;

    freq_record(r, 4, 0);
    freq_point(r, 0, 1000, 0);
    freq_point(r, 1, 2000, 850);
    freq_point(r, 2, 2500, 900);
    freq_point(r, 3, 4000, 800);
    tree_file_n(&tree, DATA "lpmFreqConv.data.0.slice_0", (char *)r, sizeof r);
    read_device(&x, 5, &no_host);
    assert_int_equal(x.d.n_freq, 2);
    check_freq(&x, 0, 1850);
    check_freq(&x, 2999, 1850);
    check_freq(&x, 3000, 900);
    check_freq(&x, 4000, 800);
    assert_int_equal(sink_count_get(x.c.notes)->notes[NOTE_BAD_VALUE], 0);
    close_device(&x);
}

static void frequencies_with_a_zero_or_none_are_the_usual_one(void **state)
{
    (void)state;
    unsigned char r[888];
    struct device_case x;

    read_device(&x, 5, &no_host);
    check_freq(&x, 4000, 1850);
    close_device(&x);
    freq_record(r, HUGE, 0);
    freq_point(r, 0, 2000, 1650);
    freq_point(r, 1, 4000, 0);
    tree_file_n(&tree, DATA "lpmFreqConv.data.0.slice_0", (char *)r, sizeof r);
    read_device(&x, 5, &no_host);
    assert_int_equal(x.d.n_freq, 1);
    check_freq(&x, 4000, 1850);
    assert_int_equal(sink_count_get(x.c.notes)->notes[NOTE_BAD_VALUE], 1);
    assert_int_equal(sink_count_get(x.c.notes)->notes[NOTE_COUNT_MISMATCH], 1);
    close_device(&x);
}

/* ---- marks ---- */

static void marks_are_kept_as_they_come(void **state)
{
    (void)state;
    struct buf b = { .max = 1 << 20 };
    struct device_case x;
    unsigned char r[40];

    ts_put(r, 60001, 0x7805, 12, 5001);
    put(&b, r, sizeof r);
    ts_put(r, 2, 6, 13, 5000);
    put(&b, r, sizeof r);
    write_file(DATA "ts_track.data.0.slice_0", &b);
    read_device(&x, 5, &no_host);
    assert_int_equal(x.d.n_marks, 2);
    assert_int_equal(x.d.mark[0].tag, 60001);
    assert_int_equal(x.d.mark[0].stream, 5);
    assert_int_equal(x.d.mark[0].task, 12);
    assert_int_equal(x.d.mark[0].counter, 5001);
    assert_int_equal(x.d.mark[0].model, 1);
    assert_int_equal(x.d.mark[1].tag, 2);
    close_device(&x);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_alternating_come_as_they_end),
        cmocka_unit_test(pairs_of_equal_counts_go_in_order),
        cmocka_unit_test(pairs_of_other_counts_take_the_end_before_the_next_start),
        cmocka_unit_test(pairs_last_closes_the_last_start),
        cmocka_unit_test(pairs_open_ones_are_counted),
        cmocka_unit_test(pairs_many_open_are_all_found),
        cmocka_unit_test(stars_ids_move_their_bits),
        cmocka_unit_test(batches_begin_after_a_flip),
        cmocka_unit_test(batches_walk_back_over_smaller_ids),
        cmocka_unit_test(batches_of_many_flips_follow_the_rule),
        CASE(stars_tasks_are_in_order_of_their_starts),
        CASE(stars_sub_tasks_have_their_own_rows),
        CASE(stars_damage_costs_what_it_hit),
        CASE(flips_number_the_batches),
        CASE(hwts_tasks_and_ts_track_are_one_order),
        CASE(tasks_are_arrays_of_the_pool),
        CASE(tasks_find_the_hosts_by_all_ids),
        CASE(tasks_without_batches_are_hosts_in_order),
        CASE(frequencies_change_at_their_counter),
        CASE(frequencies_before_the_devices_clock_are_those_of_info_json),
        CASE(frequencies_with_a_zero_or_none_are_the_usual_one),
        CASE(marks_are_kept_as_they_come),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
