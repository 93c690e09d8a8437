/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timeline widget on a canvas: what it draws, compared as text, and its figures against a computation
 * from the events.
 */
#include "config.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/unit.h"
#include "tests/unit/model/timeline_case.h"
#include "tests/unit/ui/screen_text.h"
#include "ui/widget/timeline.h"

#define MS INT64_C(1000000)

static const struct case_track tracks[] = {
    { TK_STREAM, "Ascend Hardware", "Stream 3" },
    { TK_STREAM, "Ascend Hardware", "Stream 12" },
    { TK_HOST_THREAD, "CANN", "Thread 7" },
    { TK_COUNTER, "AI Core Freq", "freq" },
};

/* Stream 3 is plain, on stream 12 tasks overlap, the thread nests. */
static const struct case_event events[] = {
    { 0, 0, 10 * MS, "MatMul" },      { 0, 10 * MS, 20 * MS, "Conv2D" }, { 0, 50 * MS, 1, "Cast" },
    { 1, 5 * MS, 10 * MS, "task a" }, { 1, 12 * MS, 10 * MS, "task b" }, { 1, 90 * MS, 10 * MS, "task c" },
    { 2, 1 * MS, 90 * MS, "outer" },  { 2, 2 * MS, 10 * MS, "inner" },   { 2, 3 * MS, 1 * MS, "innermost" },
    { 3, 0, 1000, "freq" },           { 3, 60 * MS, 800, "freq" },
};

struct scene {
    struct store *store;
    struct timeline *tl;
    struct lineup *l;
    struct tlv v;
    struct canvas *c;
};

static void scene_open(struct scene *s, int rows, int cols, bool ascii)
{
    struct err e = ERR_INIT;
    memset(s, 0, sizeof *s);
    s->store = case_store(0, tracks, ARRAY_LEN(tracks), events, ARRAY_LEN(events));
    s->tl = case_timeline(s->store, 0);
    const struct lineup_part part = { .tl = s->tl, .store = s->store, .label = "rank 0" };
    assert_int_equal(lineup_new(&s->l, &part, 1, 0, &e), OK);
    assert_int_equal(tlv_open(&s->v, s->l, 0, &e), OK);
    s->c = canvas_make(rows, cols, ascii);
}

static void scene_close(struct scene *s)
{
    tlv_free(&s->v);
    lineup_free(s->l);
    timeline_close(s->tl);
    store_close(s->store);
    canvas_free(s->c);
}

static void scene_draw(struct scene *s)
{
    canvas_clear(s->c);
    tlv_draw(&s->v, s->c, (struct rect){ 0, 0, canvas_rows(s->c), canvas_cols(s->c) });
}

/* ---- sums at the right ---- */

/*
 * "  25.4%       1234" of a track, computed from its events: those that touch the window, and the union of
 * what they cover of it.
 */
static void sums_text(size_t track, int64_t from, int64_t to, char *buf, size_t n)
{
    int64_t covered = from, busy = 0;
    size_t count = 0;
    char pct[24];
    for (size_t i = 0; i < ARRAY_LEN(events); i++) { /* of one track in order of their start */
        int64_t a = events[i].ts, b = a + events[i].dur;
        if (events[i].track != track || a >= to || (b <= from && a < from))
            continue;
        count++;
        a = a > covered ? a : covered;
        b = b < to ? b : to;
        busy += b > a ? b - a : 0;
        covered = b > covered ? b : covered;
    }
    unit_percent(pct, sizeof pct, (double)busy / (double)(to - from));
    snprintf(buf, n, " %6s %10zu", pct, count);
}

static bool row_ends_with(const struct canvas *c, const char *label, const char *end)
{
    struct buf b;
    struct str rest, line;
    bool found = false;
    buf_init(&b, (size_t)1 << 20);
    canvas_text(c, &b);
    rest = buf_str(&b);
    while (!found && str_next(&rest, '\n', &line))
        found = str_find(line, str_of(label), 0) == 1 && str_ends(line, str_of(end));
    buf_done(&b);
    return found;
}

static void tlv_sums_are_those_of_the_window(void **state)
{
    static const int64_t windows[][2] = { { 0, 100 * MS },          { 5 * MS, 15 * MS },
                                          { 30 * MS, 50 * MS },     { 11 * MS, 12 * MS },
                                          { 49 * MS, 51 * MS },     { 22 * MS, 90 * MS },
                                          { 50 * MS, 50 * MS + 40 } };
    struct scene s;
    (void)state;
    scene_open(&s, 30, 130, true);
    for (size_t i = 0; i < ARRAY_LEN(windows); i++) {
        tlv_window(&s.v, windows[i][0], windows[i][1], false);
        assert_int_equal(s.v.t0, windows[i][0]);
        assert_int_equal(s.v.t1, windows[i][1]);
        scene_draw(&s);
        assert_true(canvas_has(s.c, "  busy     events\n"));
        for (size_t k = 0; k < 3; k++) {
            char want[64];
            sums_text(k, s.v.t0, s.v.t1, want, sizeof want);
            if (!row_ends_with(s.c, tracks[k].name, want))
                fail_msg("window %zu: the row of %s does not end with '%s'", i, tracks[k].name, want);
        }
    }
    scene_close(&s);
}

static void tlv_sums_only_where_wide(void **state)
{
    struct scene s;
    (void)state;
    scene_open(&s, 30, 119, true);
    scene_draw(&s);
    assert_false(canvas_has(s.c, "events"));
    assert_int_equal(s.v.sums_w, 0);
    scene_close(&s);
}

/* ---- lanes ---- */

static size_t rows_of(const struct tlv *v, size_t part, const char *name)
{
    size_t n = 0;
    for (size_t i = 0; i < v->n_rows; i++) {
        size_t track = v->rows[i].track;
        n += lineup_part_of(v->l, track) == part && str_eq(lineup_track(v->l, track)->name, str_of(name));
    }
    return n;
}

/* Of two lanes in one part and four in the other: shown of the first when it is alone, of neither else. */
static void tlv_lanes_begin_the_same_in_every_part(void **state)
{
    static const struct case_event deep[] = { { 1, 5 * MS, 40 * MS, "a" },
                                              { 1, 6 * MS, 30 * MS, "b" },
                                              { 1, 7 * MS, 20 * MS, "c" },
                                              { 1, 8 * MS, 10 * MS, "d" } };
    struct err e = ERR_INIT;
    struct scene s, other;
    (void)state;
    scene_open(&s, 30, 130, true);
    scene_draw(&s);
    assert_int_equal(rows_of(&s.v, 0, "Stream 12"), 2);
    assert_int_equal(rows_of(&s.v, 0, "Stream 3"), 1);

    memset(&other, 0, sizeof other);
    other.store = case_store(1, tracks, ARRAY_LEN(tracks), deep, ARRAY_LEN(deep));
    other.tl = case_timeline(other.store, 1);
    const struct lineup_part parts[] = {
        { .tl = s.tl, .store = s.store, .label = "rank 0", .key = 0 },
        { .tl = other.tl, .store = other.store, .label = "rank 1", .key = 1 },
    };
    assert_int_equal(lineup_new(&other.l, parts, 2, 0, &e), OK);
    assert_int_equal(tlv_open(&other.v, other.l, 0, &e), OK);
    for (size_t part = 0; part < 2; part++)
        assert_int_equal(rows_of(&other.v, part, "Stream 12"), 1);
    tlv_free(&other.v);
    lineup_free(other.l);
    timeline_close(other.tl);
    store_close(other.store);
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tlv_sums_are_those_of_the_window),
        cmocka_unit_test(tlv_sums_only_where_wide),
        cmocka_unit_test(tlv_lanes_begin_the_same_in_every_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
