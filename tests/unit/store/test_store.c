/* SPDX-License-Identifier: Apache-2.0 */
/* Filling and reading a store: rows, ops, tracks, virtual tables, rollback. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/fill/chunk.h"
#include "store/fill/fill.h"
#include "tests/unit/scratch.h"

static struct fill *memory_fill(void)
{
    struct err e = ERR_INIT;
    struct fill *f = NULL;
    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = NULL }, &e), OK);
    return f;
}

static struct store *finish(struct fill *f)
{
    struct err e = ERR_INIT;
    struct store *s = NULL;
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_take_store(f, &s, &e), OK);
    return s;
}

static uint64_t next(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

static void chunk_round_trip_keeps_all_fields(void **state)
{
    (void)state;
    static struct chunk_event in[CHUNK_EVENTS], out[CHUNK_EVENTS];
    uint64_t r = 7;
    struct chunk_state st;
    for (size_t n = 1; n <= CHUNK_EVENTS; n = n * 3 + 1) {
        int64_t ts = -5000;
        for (size_t i = 0; i < n; i++) {
            ts += (int64_t)(next(&r) % 1000);
            in[i] = (struct chunk_event){
                .ts = ts, .dur = (int64_t)(next(&r) % 5000), .off = next(&r) >> 20, .name = (uint32_t)next(&r)
            };
        }
        qsort(in, n, sizeof in[0], chunk_event_cmp);
        struct buf b;
        buf_init(&b, 1 << 20);
        chunk_state_init(&st);
        chunk_encode(&b, in, n, &st);
        assert_true(chunk_decode(buf_str(&b), CHUNK_OFF | CHUNK_LANE, out, n));
        for (size_t i = 0; i < n; i++) {
            int64_t busy;
            assert_int_equal(in[i].ts, out[i].ts);
            assert_int_equal(in[i].dur, out[i].dur);
            assert_int_equal(in[i].off, out[i].off);
            assert_int_equal(in[i].name, out[i].name);
            assert_int_equal(chunk_place(&st, in[i].ts, in[i].dur, &busy), out[i].lane);
        }
        /* Any flipped byte is noticed. */
        for (int k = 0; k < 50; k++) {
            size_t at = (size_t)(next(&r) % b.n);
            b.p[at] ^= (char)(1 << (next(&r) % 8));
            assert_false(chunk_decode(buf_str(&b), CHUNK_OFF | CHUNK_LANE, out, n));
            buf_clear(&b);
            struct chunk_state s0;
            chunk_state_init(&s0);
            chunk_encode(&b, in, n, &s0);
        }
        buf_done(&b);
    }
}

/* Nested calls in order of their ends, random order, reversed, and with equal starts. */
static void chunk_sort_agrees_with_qsort(void **state)
{
    (void)state;
    static struct chunk_event a[CHUNK_EVENTS], b[CHUNK_EVENTS];
    uint64_t r = 11;
    for (int shape = 0; shape < 5; shape++) {
        for (size_t n = 0; n <= CHUNK_EVENTS; n = n * 2 + 1) {
            for (size_t i = 0; i < n; i++) {
                int64_t ts = shape == 0   ? (int64_t)(i % 9 == 8 ? i - 8 : i)
                             : shape == 1 ? (int64_t)(next(&r) % 5000)
                             : shape == 2 ? (int64_t)(n - i)
                             : shape == 3 ? 7
                                          : (int64_t)(i % 500 == 499 ? i - 498 : i);
                a[i] = b[i] = (struct chunk_event){ .ts = ts, .dur = (int64_t)(next(&r) % 3), .off = i };
            }
            chunk_sort(a, n);
            qsort(b, n, sizeof b[0], chunk_event_cmp);
            for (size_t i = 0; i < n; i++)
                assert_int_equal(a[i].off, b[i].off);
        }
    }
}

static void chunk_lanes_carry_over_to_the_next_chunk(void **state)
{
    (void)state;
    struct chunk_state st;
    int64_t busy;
    chunk_state_init(&st);
    assert_int_equal(chunk_place(&st, 0, 1000, &busy), 0);
    assert_int_equal(busy, 1000);
    assert_int_equal(chunk_place(&st, 10, 100, &busy), 1);
    assert_int_equal(busy, 0);
    struct chunk_event ev[2] = { { .ts = 20, .dur = 5 }, { .ts = 120, .dur = 2000 } }, out[2];
    struct buf b;
    buf_init(&b, 4096);
    chunk_encode(&b, ev, 2, &st);
    assert_true(chunk_decode(buf_str(&b), CHUNK_LANE, out, 2));
    assert_int_equal(out[0].lane, 2);
    assert_int_equal(out[1].lane, 1);
    buf_done(&b);
}

static void store_instants_become_relative_to_the_origin(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct fill *f = memory_fill();
    assert_int_equal(fill_begin(f, 1, &e), OK);
    struct val v[N_COLS(op_exec)] = { [COL(op_exec, rank)] = val_int(3),
                                      [COL(op_exec, ts_ns)] = val_int(1736408883704643212),
                                      [COL(op_exec, dur_ns)] = val_int(53741) };
    assert_int_equal(sink_row(fill_sink(f), T_op_exec, v, N_COLS(op_exec), NULL, &e), OK);
    assert_int_equal(fill_end(f, true, &e), OK);
    struct store *s = finish(f);
    int64_t origin, first, last;
    bool is_unix;
    assert_true(store_rank_clock(s, 3, &origin, &first, &last, &is_unix));
    assert_true(is_unix);
    assert_int_equal(origin, 1736408883000000000);
    assert_int_equal(first, 704643212);
    assert_int_equal(store_int(s, -1, "SELECT ts_ns FROM op_exec", NULL), 704643212);
    assert_int_equal(store_int(s, -1, "SELECT CAST(substr(time_utc, 21, 9) AS INTEGER) FROM ops", NULL),
                     704643212);
    store_close(s);
}

static void store_device_clock_keeps_its_zero(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct fill *f = memory_fill();
    assert_int_equal(fill_begin(f, 1, &e), OK);
    struct val v[N_COLS(step)] = { [COL(step, rank)] = val_int(0),
                                   [COL(step, start_ns)] = val_int(616881061968040) };
    assert_int_equal(sink_row(fill_sink(f), T_step, v, N_COLS(step), NULL, &e), OK);
    assert_int_equal(fill_end(f, true, &e), OK);
    struct store *s = finish(f);
    assert_int_equal(store_int(s, -1, "SELECT start_ns FROM step", NULL), 616881061968040);
    assert_true(store_meta_is(s, "clock", "device"));
    store_close(s);
}

static int64_t op_of(struct fill *f, uint32_t source, const char *name, const char *type, const char *shapes)
{
    struct err e = ERR_INIT;
    struct sink *s = fill_sink(f);
    struct op_key k = OP_KEY_INIT;
    struct op_attr a = OP_ATTR_INIT;
    k.name_id = sink_intern(s, str_of(name));
    k.type_id = type ? sink_intern(s, str_of(type)) : 0;
    k.in_shapes_id = shapes ? sink_intern(s, str_of(shapes)) : 0;
    a.source_id = source;
    return sink_op(s, &k, &a, &e);
}

static void store_ops_join_by_name_across_sources(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct fill *f = memory_fill();
    assert_int_equal(fill_begin(f, 1, &e), OK);
    int64_t a = op_of(f, 1, "net/conv1/Conv2D-op1", NULL, NULL);
    assert_int_equal(fill_end(f, true, &e), OK);
    assert_int_equal(fill_begin(f, 2, &e), OK);
    assert_int_equal(op_of(f, 2, "net/conv1/Conv2D-op1", "Conv2D", "1,2"), a); /* a later source knows more */
    assert_int_equal(op_of(f, 2, "net/conv1/Conv2D-op1", NULL, NULL), a);
    assert_int_not_equal(op_of(f, 2, "net/conv1/Conv2D-op1", "Conv2D", "3,4"), a);
    int64_t bare = op_of(f, 2, "net/conv1/Conv2D-op1", NULL,
                         NULL); /* two of that name: the one without shapes, made now */
    assert_int_not_equal(bare, a);
    assert_int_equal(fill_end(f, true, &e), OK);
    struct store *s = finish(f);
    assert_int_equal(store_rows(s, "op"), 3);
    assert_int_equal(store_int(s, -1, "SELECT count(*) FROM op WHERE type_id IS NOT NULL", NULL), 2);
    assert_int_equal(
        store_int(s, -1,
                  "SELECT count(*) FROM op JOIN string ON string.id = scope_id WHERE text = 'net/conv1'",
                  NULL),
        3);
    store_close(s);
}

static uint32_t track_of(struct fill *f, const char *tid)
{
    struct track_def d = {
        .rank = 0, .kind = TK_HOST_THREAD, .pid = STR("1"), .tid = str_of(tid), .stream = -1, .source_id = 1
    };
    return sink_track(fill_sink(f), &d);
}

/* Unsorted events over several chunks come out in order, with nothing lost and the union measured.
 */
static void store_unsorted_track_is_merged(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct fill *f = memory_fill();
    assert_int_equal(fill_begin(f, 1, &e), OK);
    uint32_t t = track_of(f, "7");
    uint32_t name = sink_intern(fill_sink(f), STR("op"));
    const int n = 20000;
    int64_t sum = 0;
    for (int i = 0; i < n; i++) { /* children before parents, as host threads write them */
        int64_t ts = (int64_t)(i ^ 3) * 100, dur = 30 + i % 50;
        sum += dur;
        assert_int_equal(sink_event(fill_sink(f), t, ts, dur, name, (uint64_t)i, &e), OK);
    }
    assert_int_equal(fill_end(f, true, &e), OK);
    struct store *s = finish(f);
    assert_int_equal(store_int(s, -1, "SELECT count(*) FROM event", NULL), n);
    assert_int_equal(store_int(s, -1, "SELECT sum(dur_ns) FROM event", NULL), sum);
    assert_int_equal(store_int(s, -1, "SELECT busy_ns FROM track", NULL), sum); /* none overlap */
    assert_int_equal(store_int(s, -1,
                               "SELECT count(*) FROM (SELECT ts_ns, lag(ts_ns) OVER (ORDER BY "
                               "rowid) AS p FROM event) WHERE p > ts_ns",
                               NULL),
                     0);
    assert_int_equal(
        store_int(s, -1, "SELECT count(*) FROM event WHERE track_id = 1 AND ts_ns >= 1000 AND ts_ns < 2000",
                  NULL),
        10);
    store_close(s);
}

/* Events with up to 30 open at once, instants and a few that span everything. */
static void make_stack(struct chunk_event *ev, size_t n, uint64_t r)
{
    int64_t ts = 1000;
    for (size_t i = 0; i < n; i++) {
        ts += (int64_t)(next(&r) % 400);
        ev[i] = (struct chunk_event){ .ts = ts,
                                      .dur = i % 1000 == 5 ? 5000000 + (int64_t)(next(&r) % 100000)
                                             : i % 7 == 0  ? 0
                                                           : (int64_t)(next(&r) % 6000),
                                      .name = (uint32_t)(next(&r) % 50),
                                      .off = i };
    }
    qsort(ev, n, sizeof *ev, chunk_event_cmp);
}

static struct store *store_of(const struct chunk_event *ev, size_t n)
{
    struct err e = ERR_INIT;
    struct fill *f = memory_fill();
    char text[16];
    uint32_t name[50];
    assert_int_equal(fill_begin(f, 1, &e), OK);
    for (int i = 0; i < 50; i++) {
        snprintf(text, sizeof text, "op%d", i);
        name[i] = sink_intern(fill_sink(f), str_of(text));
    }
    uint32_t t = track_of(f, "7");
    for (size_t i = 0; i < n; i++)
        assert_int_equal(sink_event(fill_sink(f), t, ev[i].ts, ev[i].dur, name[ev[i].name], ev[i].off, &e),
                         OK);
    assert_int_equal(fill_end(f, true, &e), OK);
    return finish(f);
}

static void same_rows(struct store *a, struct store *b, const char *sql, size_t *rows)
{
    struct err e = ERR_INIT;
    struct query *x, *y;
    int rc;
    assert_int_equal(store_query(a, &x, sql, &e), OK);
    assert_int_equal(store_query(b, &y, sql, &e), OK);
    *rows = 0;
    while ((rc = query_step(x, &e)) == 1) {
        assert_int_equal(query_step(y, &e), 1);
        for (size_t i = 0; i < query_columns(x); i++) {
            struct val v = query_val(x, i), w = query_val(y, i);
            assert_int_equal(v.t, w.t);
            if (v.t == VAL_INT)
                assert_int_equal(v.i, w.i);
            else
                assert_true(str_eq(query_str(x, i), query_str(y, i)));
        }
        ++*rows;
    }
    assert_int_equal(rc, 0);
    assert_int_equal(query_step(y, &e), 0);
    query_free(x);
    query_free(y);
}

static void same_timeline(struct chunk_event *ev, struct chunk_event *mixed, size_t n, size_t *far,
                          size_t *parts)
{
    uint64_t r = 11;
    size_t chunks;
    make_stack(ev, n, 3);
    memcpy(mixed, ev, n * sizeof *ev);
    for (size_t i = 0; i + 1 < n; i++) {
        size_t k = i + (size_t)(next(&r) % (n - i));
        struct chunk_event x = mixed[i];
        mixed[i] = mixed[k];
        mixed[k] = x;
    }
    struct store *a = store_of(ev, n), *b = store_of(mixed, n);
    same_rows(a, b,
              "SELECT t0, t1, n, dur_sum, busy, t_last, t_near, gap, gap_at, longest, "
              "longest_name, lanes, hex(names), hex(d) FROM chunk ORDER BY id",
              &chunks);
    same_rows(a, b,
              "SELECT i, lane, ts, dur, name, off, (SELECT t0 FROM chunk WHERE id = chunk) FROM "
              "long_event ORDER BY chunk, i",
              far);
    same_rows(a, b, "SELECT track, lane, level, part, t0, shift, hex(d) FROM lod ORDER BY 1, 2, 3, 4", parts);
    assert_int_equal(chunks, (n + CHUNK_EVENTS - 1) / CHUNK_EVENTS);
    store_close(a);
    store_close(b);
}

/* The same events in whatever order make the same chunks, far events and levels of detail. */
static void store_order_of_feeding_does_not_matter(void **state)
{
    (void)state;
    enum { N = 30000 };
    static struct chunk_event ev[N], mixed[N];
    size_t far, parts;
    same_timeline(ev, mixed, 700, &far, &parts);
    assert_int_equal(parts, 0);
    same_timeline(ev, mixed, CHUNK_EVENTS, &far, &parts);
    assert_true(far > 0 && parts > 5);
    same_timeline(ev, mixed, N, &far, &parts);
    assert_true(far > 0 && far < 100 && parts > 10);
}

static void store_chunks_give_exact_sums_and_far_events(void **state)
{
    (void)state;
    enum { N = 30000 };
    static struct chunk_event ev[N];
    int64_t covered = INT64_MIN, busy = 0, sum = 0, gap = 0, longest = 0;
    make_stack(ev, N, 4);
    for (size_t i = 0; i < N; i++) {
        int64_t end = chunk_end(&ev[i]), from = ev[i].ts > covered ? ev[i].ts : covered;
        sum += ev[i].dur;
        busy += end > from ? end - from : 0;
        if (i && i % CHUNK_EVENTS && ev[i].ts - covered > gap)
            gap = ev[i].ts - covered;
        covered = end > covered ? end : covered;
        longest = ev[i].dur > longest ? ev[i].dur : longest;
    }
    struct store *s = store_of(ev, N);
    assert_int_equal(store_int(s, -1, "SELECT sum(dur_sum) FROM chunk", NULL), sum);
    assert_int_equal(store_int(s, -1, "SELECT sum(busy) FROM chunk", NULL), busy);
    assert_int_equal(store_int(s, -1, "SELECT busy_ns FROM track", NULL), busy);
    assert_int_equal(store_int(s, -1, "SELECT max(gap) FROM chunk", NULL), gap);
    assert_int_equal(store_int(s, -1, "SELECT max(longest) FROM chunk", NULL), longest);
    /* Nothing ends behind t_near but what is listed as far. */
    assert_int_equal(
        store_int(s, -1,
                  "SELECT count(*) FROM event e JOIN chunk c ON c.id = (e.rowid) / 4096 + 1 WHERE "
                  "e.ts_ns + e.dur_ns > c.t_near AND NOT EXISTS (SELECT 1 FROM long_event l WHERE "
                  "l.chunk = c.id AND l.i = e.rowid % 4096 AND l.ts = e.ts_ns AND l.dur = "
                  "e.dur_ns)",
                  NULL),
        0);
    assert_int_equal(store_int(s, -1,
                               "SELECT count(*) FROM long_event WHERE ts + dur <= (SELECT "
                               "t_near FROM chunk WHERE id = chunk)",
                               NULL),
                     0);
    store_close(s);
}

static void chunk_names_are_found_again(void **state)
{
    (void)state;
    static struct chunk_event ev[CHUNK_EVENTS];
    static uint8_t bits[100000];
    uint64_t r = 19;
    struct buf b;
    buf_init(&b, 1 << 20);
    for (uint32_t range = 1; range < 100000; range = range * 5 + 2) {
        for (size_t i = 0; i < CHUNK_EVENTS; i++)
            ev[i].name = (uint32_t)(next(&r) % range) * 2;
        buf_clear(&b);
        chunk_names_encode(&b, ev, CHUNK_EVENTS);
        for (size_t i = 0; i < CHUNK_EVENTS; i++) {
            assert_true(chunk_names_has(buf_str(&b), ev[i].name));
            assert_false(chunk_names_has(buf_str(&b), ev[i].name + 1));
        }
        memset(bits, 0, sizeof bits);
        for (size_t i = 1; i < sizeof bits; i += 2)
            bits[i] = 1;
        assert_false(chunk_names_any(buf_str(&b), bits, sizeof bits));
        if (ev[9].name < sizeof bits) {
            bits[ev[9].name] = 1;
            assert_true(chunk_names_any(buf_str(&b), bits, sizeof bits));
        }
    }
    buf_done(&b);
}

/* A source that is taken back takes its levels of detail along. */
static void store_purge_removes_the_timeline(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct fill *f = memory_fill();
    assert_int_equal(fill_begin(f, 1, &e), OK);
    uint32_t t = track_of(f, "1");
    for (int i = 0; i < 9000; i++)
        assert_int_equal(sink_event(fill_sink(f), t, i * 10, i == 3 ? 9000000 : 5, 0, 0, &e), OK);
    assert_int_equal(fill_end(f, true, &e), OK);
    assert_int_equal(fill_purge(f, 1, true, &e), OK);
    struct store *s = finish(f);
    assert_int_equal(store_int(s, -1,
                               "SELECT (SELECT count(*) FROM chunk) + (SELECT count(*) FROM lod) + "
                               "(SELECT count(*) FROM long_event) + (SELECT count(*) FROM track)",
                               NULL),
                     0);
    store_close(s);
}

static void store_flow_finds_its_other_end(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct fill *f = memory_fill();
    assert_int_equal(fill_begin(f, 1, &e), OK);
    uint32_t host = track_of(f, "1"), dev = track_of(f, "2");
    uint32_t cat = sink_intern(fill_sink(f), STR("HostToDevice"));
    for (int i = 0; i < 9000; i++) {
        assert_int_equal(sink_flow(fill_sink(f), host, i * 10, 's', cat, (uint64_t)i << 32, &e), OK);
        assert_int_equal(sink_flow(fill_sink(f), dev, i * 10 + 500, 'f', cat, (uint64_t)i << 32, &e), OK);
    }
    assert_int_equal(fill_end(f, true, &e), OK);
    struct store *s = finish(f);
    assert_int_equal(store_int(s, -1,
                               "SELECT count(*) FROM flow WHERE to_ns = from_ns + 500 AND "
                               "from_track = 1 AND to_track = 2 AND from_ns < 5000",
                               NULL),
                     500);
    assert_int_equal(store_int(s, -1, "SELECT count(*) FROM event", NULL), 0);
    store_close(s);
}

static void store_samples_keep_their_doubles(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct fill *f = memory_fill();
    assert_int_equal(fill_begin(f, 1, &e), OK);
    struct track_def d = { .kind = TK_COUNTER,
                           .pid = STR("9"),
                           .name = STR("AI Core Freq"),
                           .unit = STR("MHz"),
                           .stream = -1,
                           .source_id = 1 };
    uint32_t t = sink_track(fill_sink(f), &d);
    assert_int_equal(sink_sample(fill_sink(f), t, 5, 1650.25, &e), OK);
    assert_int_equal(sink_sample(fill_sink(f), t, 6, -0.1, &e), OK);
    assert_int_equal(fill_end(f, true, &e), OK);
    struct store *s = finish(f);
    assert_int_equal(
        store_int(s, -1, "SELECT count(*) FROM counters WHERE value = 1650.25 AND unit = 'MHz' AND ts_ns = 5",
                  NULL),
        1);
    assert_int_equal(store_int(s, -1, "SELECT count(*) FROM counter_sample WHERE value = -0.1", NULL), 1);
    store_close(s);
}

/* A source that fails leaves nothing behind, and its texts are written when another uses them. */
static void store_rollback_leaves_nothing(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct fill *f = memory_fill();
    struct sink *k = fill_sink(f);
    size_t col;
    assert_int_equal(fill_begin(f, 1, &e), OK);
    assert_int_equal(sink_column(k, T_op_counter, STR("mac_ratio"), CT_REAL, &col, &e), OK);
    struct val v[40] = { [COL(op_counter, exec_id)] = val_int(1) };
    v[col] = val_real(0.5);
    assert_int_equal(sink_row(k, T_op_counter, v, col + 1, NULL, &e), OK);
    uint32_t name = sink_intern(k, STR("only here"));
    assert_int_equal(sink_event(k, track_of(f, "1"), 1, 2, name, 0, &e), OK);
    assert_int_equal(fill_end(f, false, &e), OK);
    assert_int_equal(fill_begin(f, 2, &e), OK);
    assert_int_equal(sink_column(k, T_op_counter, STR("vec_ratio"), CT_REAL, &col, &e), OK);
    v[col] = val_real(0.25);
    assert_int_equal(sink_row(k, T_op_counter, v, col + 1, NULL, &e), OK);
    assert_int_equal(sink_event(k, track_of(f, "1"), 1, 2, name, 0, &e), OK);
    assert_int_equal(fill_end(f, true, &e), OK);
    struct store *s = finish(f);
    assert_int_equal(store_int(s, -1, "SELECT count(*) FROM op_counter WHERE vec_ratio = 0.25", NULL), 1);
    assert_int_equal(store_int(s, -1, "SELECT count(*) FROM pragma_table_info('op_counter')", NULL), 2);
    assert_int_equal(store_int(s, -1, "SELECT count(*) FROM events WHERE name = 'only here'", NULL), 1);
    store_close(s);
}

static void store_notes_beyond_the_limit_are_counted(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct fill *f = memory_fill();
    assert_int_equal(fill_begin(f, 4, &e), OK);
    for (uint32_t i = 0; i < 12445; i++)
        sink_note(fill_sink(f), NOTE_BAD_ROW, &(struct where){ .line = i + 2, .offset = ERR_NO_OFFSET },
                  "row %u", i);
    assert_string_equal(fill_notes(f).state, "TORN");
    assert_int_equal(fill_notes(f).line, 2);
    assert_int_equal(fill_end(f, true, &e), OK);
    struct store *s = finish(f);
    assert_int_equal(store_int(s, -1, "SELECT sum(count) FROM note WHERE source_id = 4", NULL), 12445);
    assert_int_equal(store_rows(s, "note"), 101);
    store_close(s);
}

static void store_note_about_a_record_has_its_offset_and_no_line(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct fill *f = memory_fill();
    assert_int_equal(fill_begin(f, 4, &e), OK);
    sink_note(fill_sink(f), NOTE_BAD_ROW, &(struct where){ .line = 6, .record = true, .offset = 617 },
              "short");
    assert_int_equal(fill_notes(f).line, 0);
    assert_int_equal(fill_notes(f).offset, 617);
    sink_note(fill_sink(f), NOTE_BAD_ROW, &(struct where){ .line = 7, .offset = 700 }, "of a text");
    assert_int_equal(fill_end(f, true, &e), OK);
    struct store *s = finish(f);
    assert_int_equal(store_int(s, -1, "SELECT line IS NULL FROM note WHERE offset = 617", NULL), 1);
    assert_int_equal(store_int(s, -1, "SELECT line FROM note WHERE offset = 700", NULL), 7);
    store_close(s);
}

static void store_user_sql_may_only_read(void **state)
{
    (void)state;
    static const char *const refused[] = { "DELETE FROM op",
                                           "UPDATE sqlite_master SET name = 1",
                                           "ATTACH 'x' AS y",
                                           "PRAGMA journal_mode = WAL",
                                           "CREATE TABLE t(a)",
                                           "VACUUM",
                                           "BEGIN",
                                           "CREATE TEMP TABLE t(a)" };
    static const char *const taken[] = { "SELECT 1",
                                         "WITH x AS (SELECT 1 AS a) SELECT a FROM x",
                                         "SELECT * FROM ops",
                                         "SELECT * FROM events",
                                         "PRAGMA table_info(op)",
                                         "SELECT name FROM pragma_table_info('op')",
                                         "EXPLAIN QUERY PLAN SELECT * FROM op" };
    struct store *s = finish(memory_fill());
    for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
        struct err e = ERR_INIT;
        struct query *q = NULL;
        assert_int_equal(store_user_query(s, &q, str_of(refused[i]), NULL, &e), ERR_USAGE);
    }
    for (size_t i = 0; i < ARRAY_LEN(taken); i++) {
        struct err e = ERR_INIT;
        struct query *q = NULL;
        if (store_user_query(s, &q, str_of(taken[i]), NULL, &e))
            fail_msg("%s: %s", taken[i], e.text);
        query_free(q);
    }
    store_close(s);
}

static void store_of_other_parsers_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *parsers;
        int want;
    } cases[] = { { NULL, OK }, { "1-1", ERR_VERSION }, { "", ERR_VERSION } };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *path = scratch_write("", 0);
        struct err e = ERR_INIT;
        struct fill *f = NULL;
        struct store *s = NULL;
        assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = path }, &e), OK);
        assert_int_equal(fill_finish(f, "key", &e), OK);
        assert_int_equal(fill_publish(f, &e), OK);
        if (cases[i].parsers) {
            assert_int_equal(fill_add(&f, &(struct fill_opts){ .path = path }, &e), OK);
            assert_int_equal(fill_meta(f, "parsers", cases[i].parsers, &e), OK);
            assert_int_equal(fill_publish(f, &e), OK);
        }
        assert_int_equal(store_open(&s, path, false, &e), cases[i].want);
        store_close(s);
    }
}

struct seen {
    int64_t sum;
    size_t rows, stop;
};

static bool see_row(void *arg, const struct val *v, size_t n)
{
    struct seen *s = arg;
    assert_int_equal(n, 3);
    assert_true(v[0].t == VAL_INT && v[1].t == (v[0].i % 2 ? VAL_TEXT : VAL_NULL) && v[2].t == VAL_REAL);
    s->sum += v[0].i;
    return ++s->rows != s->stop;
}

static void query_each_gives_every_row_until_asked_to_stop(void **state)
{
    (void)state;
    struct store *s = finish(memory_fill());
    struct err e = ERR_INIT;
    struct query *q = NULL;
    struct seen seen = { .stop = 0 };

    assert_int_equal(
        store_query(s, &q,
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) "
                    "SELECT each_row(:each_row, i, CASE WHEN i % 2 THEN 'odd' END, i * 0.5) FROM n",
                    &e),
        OK);
    for (int round = 0; round < 2; round++)
        assert_int_equal(query_each(q, see_row, &seen, &e), OK);
    assert_int_equal(seen.rows, 2000);
    assert_int_equal(seen.sum, 2 * 500500);
    seen = (struct seen){ .stop = 7 };
    assert_int_equal(query_each(q, see_row, &seen, &e), ERR_CANCELLED);
    assert_int_equal(seen.rows, 7);
    query_free(q);
    err_clear(&e);
    assert_int_equal(store_user_query(s, &q, STR("SELECT each_row(1, 2)"), NULL, &e), OK);
    assert_int_equal(query_step(q, &e), -1); /* nobody else gets in */
    query_free(q);
    store_close(s);
}

static void sql_matches_and_sorts_texts_as_tables_do(void **state)
{
    (void)state;
    static const struct {
        const char *sql;
        int64_t want;
    } cases[] = {
        { "SELECT 'abc' REGEXP 'B'", 1 },
        { "SELECT 'abc' REGEXP '(?-i)B'", 0 },
        { "SELECT 2.0 REGEXP '^2$'", 1 },
        { "SELECT 12 REGEXP '^12$'", 1 },
        { "SELECT ifnull(NULL REGEXP '.*', 7)", 7 },
        { "SELECT regexp_row('^a\t\t2.5\t3$', 'a', NULL, 2.5, 3)", 1 },
        { "SELECT regexp_row('b', 'a', 'c')", 0 },
        { "SELECT 'op2' < 'op10'", 0 },
        { "SELECT 'op2' < 'op10' COLLATE \"natural\"", 1 },
        { "SELECT 'op02' = 'op2' COLLATE \"natural\"", 0 },
    };
    struct store *s = finish(memory_fill());
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        if (store_int(s, -1, cases[i].sql, NULL) != cases[i].want)
            fail_msg("%s is not %d", cases[i].sql, (int)cases[i].want);
    store_close(s);
}

static void schema_views_all_prepare(void **state)
{
    (void)state;
    struct store *s = finish(memory_fill());
    for (size_t i = 0; i < schema_n_views; i++) {
        struct err e = ERR_INIT;
        struct query *q = NULL;
        char sql[100] = "SELECT * FROM ";
        strncat(sql, schema_views[i].name, sizeof sql - strlen(sql) - 1);
        if (store_query(s, &q, sql, &e))
            fail_msg("%s: %s", schema_views[i].name, e.text);
        assert_int_equal(query_step(q, &e), 0);
        query_free(q);
    }
    store_close(s);
}

/* What SQLite says of a table or view is what is documented of it, column by column, with its meaning. */
static void same_columns(struct store *s, const char *name, const struct schema_column *cols, size_t n)
{
    struct err e = ERR_INIT;
    struct query *q = NULL;
    size_t i = 0;

    assert_int_equal(store_query(s, &q, "SELECT name FROM pragma_table_xinfo(:name)", &e), OK);
    query_bind_text(q, ":name", str_of(name));
    for (; query_step(q, &e) == 1; i++) {
        if (i >= n || !str_eq(query_str(q, 0), str_of(cols[i].name)))
            fail_msg("%s: column %zu is '%.*s', documented '%s'", name, i, (int)query_str(q, 0).n,
                     query_str(q, 0).p, i < n ? cols[i].name : "");
        if (!cols[i].help[0])
            fail_msg("%s.%s has no meaning", name, cols[i].name);
    }
    query_free(q);
    if (i != n)
        fail_msg("%s has %zu columns, documented %zu", name, i, n);
}

static void schema_documents_every_column(void **state)
{
    (void)state;
    struct store *s = finish(memory_fill());
    for (size_t i = 0; i < N_TABLES; i++) {
        assert_true(schema_tables[i].help[0]);
        if (i != T_op_counter) /* more columns as found in a run, and none of its own without one */
            same_columns(s, schema_tables[i].name, schema_tables[i].cols, schema_tables[i].n_cols);
    }
    for (size_t i = 0; i < schema_n_views; i++) {
        assert_true(schema_views[i].help[0]);
        same_columns(s, schema_views[i].name, schema_views[i].cols, schema_views[i].n_cols);
    }
    /* no view and no table is there that is not in the lists */
    assert_int_equal(store_int(s, -1, "SELECT count(*) FROM sqlite_master WHERE type = 'view'", NULL),
                     schema_n_views);
    assert_int_equal(schema_n_examples, 10);
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunk_round_trip_keeps_all_fields),
        cmocka_unit_test(chunk_sort_agrees_with_qsort),
        cmocka_unit_test(chunk_lanes_carry_over_to_the_next_chunk),
        cmocka_unit_test(store_instants_become_relative_to_the_origin),
        cmocka_unit_test(store_device_clock_keeps_its_zero),
        cmocka_unit_test(store_ops_join_by_name_across_sources),
        cmocka_unit_test(store_unsorted_track_is_merged),
        cmocka_unit_test(store_order_of_feeding_does_not_matter),
        cmocka_unit_test(store_chunks_give_exact_sums_and_far_events),
        cmocka_unit_test(chunk_names_are_found_again),
        cmocka_unit_test(store_purge_removes_the_timeline),
        cmocka_unit_test(store_flow_finds_its_other_end),
        cmocka_unit_test(store_samples_keep_their_doubles),
        cmocka_unit_test(store_rollback_leaves_nothing),
        cmocka_unit_test(store_notes_beyond_the_limit_are_counted),
        cmocka_unit_test(store_note_about_a_record_has_its_offset_and_no_line),
        cmocka_unit_test(store_user_sql_may_only_read),
        cmocka_unit_test(store_of_other_parsers_is_refused),
        cmocka_unit_test(query_each_gives_every_row_until_asked_to_stop),
        cmocka_unit_test(sql_matches_and_sorts_texts_as_tables_do),
        cmocka_unit_test(schema_views_all_prepare),
        cmocka_unit_test(schema_documents_every_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
