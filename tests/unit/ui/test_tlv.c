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

/* ---- what is shown of all ---- */

/* The first window has all events: a mark without length at the end of the data, too. */
static void tlv_begins_with_all_events(void **state)
{
    static const struct case_event marked[] = { { 0, 0, 10 * MS, "Step" }, { 0, 10 * MS, 0, "end" } };
    struct err e = ERR_INIT;
    struct scene s;
    (void)state;
    memset(&s, 0, sizeof s);
    s.store = case_store(0, tracks, 1, marked, ARRAY_LEN(marked));
    s.tl = case_timeline(s.store, 0);
    const struct lineup_part part = { .tl = s.tl, .store = s.store, .label = "rank 0" };
    assert_int_equal(lineup_new(&s.l, &part, 1, 0, &e), OK);
    assert_int_equal(tlv_open(&s.v, s.l, 0, &e), OK);
    s.c = canvas_make(8, 120, true);
    scene_draw(&s);
    assert_true(row_ends_with(s.c, "Stream 3", " 2"));
    scene_close(&s);
}

/* A process is one group, whatever kinds its tracks are of: it would have its heading twice. */
static void tlv_tracks_of_a_process_stand_together(void **state)
{
    static const struct case_track of[] = { { TK_STREAM, "AICORE OP", "Stream #3" },
                                            { TK_HOST_THREAD, "pid 4012", "Thread 7" },
                                            { TK_SCOPE, "AICORE OP", "Scope Name" },
                                            { TK_STEP, "AICORE OP", "Steps" } };
    static const struct case_event one_each[] = {
        { 0, 0, 10, "a" }, { 1, 0, 10, "b" }, { 2, 0, 10, "c" }, { 3, 0, 10, "d" }
    };
    static const char *const order[] = { "Steps", "Stream #3", "Scope Name", "Thread 7" };
    struct store *store = case_store(0, of, ARRAY_LEN(of), one_each, ARRAY_LEN(one_each));
    struct timeline *t = case_timeline(store, 0);
    (void)state;
    assert_int_equal(timeline_n_tracks(t), ARRAY_LEN(order));
    for (size_t i = 0; i < ARRAY_LEN(order); i++)
        assert_true(str_eq(timeline_track(t, i)->name, str_of(order[i])));
    timeline_close(t);
    store_close(store);
}

static void put_running(struct sink *k, const char *kind, int64_t stream, int64_t ts, const char *name)
{
    struct err e = ERR_INIT;
    struct val v[N_COLS(last_activity)] = { 0 };
    v[COL(last_activity, rank)] = val_int(0);
    v[COL(last_activity, kind)] = val_cstr(kind);
    v[COL(last_activity, stream)] = stream < 0 ? val_null() : val_int(stream);
    v[COL(last_activity, name_id)] = val_id(sink_intern(k, str_of(name)));
    v[COL(last_activity, ts_ns)] = val_int(ts);
    v[COL(last_activity, state)] = val_cstr("running");
    assert_int_equal(sink_row(k, T_last_activity, v, N_COLS(last_activity), NULL, &e), OK);
}

/* ---- clocks ---- */

/*
 * A file of the device's counter, and one of Unix time that names no relation: they begin together. The
 * second goes on for `more` after the first. Of a run that died each has something of the device that has
 * not ended, begun 5 ms after its last event.
 */
static struct store *two_clocks(int64_t more, bool died)
{
    struct track_def d = { .kind = TK_STREAM, .pid = STR("1"), .tid = STR("1"), .stream = 3, .source_id = 1 };
    struct err e = ERR_INIT;
    struct store *out;
    struct fill *f;
    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = NULL }, &e), OK);
    struct sink *k = fill_sink(f);
    for (uint32_t source = 1; source <= 2; source++) {
        const int64_t at = source == 1 ? 450 * INT64_C(1000000000) : INT64_C(1773450727000000000);
        assert_int_equal(fill_begin(f, source, &e), OK);
        d.process = source == 1 ? STR("AICORE OP") : STR("pid 4012");
        d.name = source == 1 ? STR("Stream 3") : STR("Thread 7");
        const uint32_t track = sink_track(k, &d), name = sink_intern(k, STR("Conv2D"));
        assert_int_equal(sink_event(k, track, at, 10 * MS, name, 0, &e), OK);
        const int64_t last = at + 20 * MS + (source == 2 ? more : 0);
        assert_int_equal(sink_event(k, track, last, 10 * MS, name, 0, &e), OK);
        if (died)
            put_running(k, source == 1 ? "stream" : "aicpu", source == 1 ? 3 : -1, last + 15 * MS, "GetNext");
        assert_int_equal(fill_end(f, true, &e), OK);
        d = (struct track_def){ .kind = died ? TK_AICPU : TK_HOST_THREAD,
                                .pid = STR("2"),
                                .tid = STR("7"),
                                .stream = -1,
                                .source_id = 2 };
    }
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_take_store(f, &out, &e), OK);
    return out;
}

static void open_two_clocks(struct scene *s, int cols, int64_t more, bool died)
{
    struct err e = ERR_INIT;
    memset(s, 0, sizeof *s);
    s->store = two_clocks(more, died);
    s->tl = case_timeline(s->store, 0);
    const struct lineup_part part = { .tl = s->tl, .store = s->store, .label = "rank 0" };
    int64_t t0, t1;
    assert_true(timeline_span(s->tl, &t0, &t1));
    assert_int_equal(lineup_new(&s->l, &part, 1, 0, &e), OK);
    assert_int_equal(tlv_open(&s->v, s->l, t0, &e), OK);
    s->c = canvas_make(30, cols, true);
    snprintf(s->v.step, sizeof s->v.step, "step 6 +13 ms");
    snprintf(s->v.only, sizeof s->v.only, "steps 3-4");
    s->v.only0 = t0;
    s->v.only1 = t0 + 5 * MS;
}

/* The event of the row's track at its begin, selected, with strip and side tables. */
static void draw_selected_of(struct scene *s, size_t row)
{
    struct err e = ERR_INIT;
    struct tl_event ev;
    const size_t track = s->v.rows[row].track;
    assert_int_equal(lineup_at(s->l, track, lineup_track(s->l, track)->t0, 0, &ev, &e), 1);
    tlv_select(&s->v, &ev);
    canvas_clear(s->c);
    tlv_draw(&s->v, s->c, (struct rect){ 0, 0, 10, canvas_cols(s->c) });
    tlv_draw_side(&s->v, s->c, (struct rect){ 10, 0, 16, canvas_cols(s->c) });
    tlv_draw_strip(&s->v, s->c, (struct rect){ 27, 0, 3, canvas_cols(s->c) });
}

static void tlv_says_which_tracks_have_their_own_clock(void **state)
{
    struct scene s;
    (void)state;
    for (int cols = 80; cols <= 160; cols += 40) {
        open_two_clocks(&s, cols, 0, false);
        assert_false(lineup_track(s.l, s.v.rows[0].track)->own_clock);
        assert_true(lineup_track(s.l, s.v.rows[1].track)->own_clock);
        draw_selected_of(&s, 0);
        assert_true(canvas_has(s.c, "\n pid 4012 (own clock"));
        assert_false(canvas_has(s.c, "AICORE OP (own clock"));
        assert_true(canvas_has(s.c, "step 6 +13 ms"));
        assert_false(canvas_has(s.c, "Stream 3 (own clock)"));
        assert_false(canvas_has(s.c, "| own clock: "));
        draw_selected_of(&s, 1);
        assert_true(canvas_has(s.c, "on Thread 7 (own clock)"));
        assert_false(canvas_has(s.c, "step 6 +13 ms"));
        assert_int_equal(canvas_has(s.c, "| own clock: not related to"), cols >= 120);
        scene_close(&s);
    }
}

/* Steps are on the clock of the rank: where one of them is on another clock is not known. */
static void tlv_keeps_steps_off_another_clock(void **state)
{
    struct scene s;
    (void)state;
    open_two_clocks(&s, 160, 0, false);
    draw_selected_of(&s, 0);
    assert_true(canvas_has(s.c, "Gaps on Stream 3 within steps 3-4"));
    draw_selected_of(&s, 1);
    assert_true(canvas_has(s.c, "Gaps on Thread 7, longest first"));
    scene_close(&s);
}

/* What a file of another clock stretches the window by is no idle time of the device, nor an end of it. */
static void tlv_shares_leave_out_what_another_clock_stretches(void **state)
{
    struct scene s;
    (void)state;
    for (int more = 0; more <= 1; more++) {
        open_two_clocks(&s, 160, more * 60 * MS, false);
        s.v.only[0] = '\0';
        draw_selected_of(&s, 0);
        assert_true(canvas_has(s.c, " 66.7%          2"));
        assert_int_equal(canvas_has(s.c, " 22.2%          2"), more);
        assert_false(canvas_has(s.c, "60.00 ms  no gap"));
        scene_close(&s);
    }
}

static void draw_window(struct scene *s, int64_t t0, int64_t t1)
{
    s->v.t0 = t0;
    s->v.t1 = t1;
    canvas_clear(s->c);
    tlv_draw(&s->v, s->c, (struct rect){ 0, 0, 10, canvas_cols(s->c) });
    tlv_draw_side(&s->v, s->c, (struct rect){ 10, 0, 16, canvas_cols(s->c) });
}

/* A gap that the window cuts is longer than what is seen of it, and no event is known at that end. */
static void tlv_says_which_gaps_the_window_cuts(void **state)
{
    struct scene s;
    int64_t t0, t1;
    (void)state;
    open_two_clocks(&s, 160, 0, false);
    assert_true(timeline_span(s.tl, &t0, &t1));
    s.v.only[0] = '\0';
    draw_window(&s, t0 + 12 * MS, t0 + 25 * MS);
    assert_true(canvas_has(s.c, "  >8.00 ms  from before the window  Conv2D "));
    draw_window(&s, t0 + 5 * MS, t0 + 14 * MS);
    assert_true(canvas_has(s.c, "  >4.00 ms  Conv2D "));
    assert_true(canvas_has(s.c, " beyond the window "));
    draw_window(&s, t0 + 10 * MS, t0 + 25 * MS); /* it begins with the window */
    assert_true(canvas_has(s.c, "  10.00 ms  Conv2D "));
    assert_false(canvas_has(s.c, " the window "));
    draw_window(&s, t0 + 5 * MS, t0 + 20 * MS); /* it ends with the window */
    assert_true(canvas_has(s.c, "  10.00 ms  Conv2D "));
    assert_false(canvas_has(s.c, " the window "));
    scene_close(&s);
}

/* What has not ended goes on to the end of the data of its own clock. */
static void tlv_draws_what_has_not_ended_to_the_end_of_its_clock(void **state)
{
    struct tl_event ev;
    struct scene s;
    int64_t t0, t1;
    (void)state;
    for (int more = -15; more <= 60; more += 75) {
        open_two_clocks(&s, 160, more * MS, true);
        assert_true(lineup_span(s.l, &t0, &t1));
        for (size_t row = 0; row < 2; row++) {
            const struct tl_track *t = lineup_track(s.l, s.v.rows[row].track);
            assert_int_equal(t->own_clock, row == 1);
            assert_true(lineup_running(s.l, s.v.rows[row].track, &ev));
            assert_int_equal(ev.ts_ns, t0 + (35 + (row == 1 ? more : 0)) * MS);
            assert_int_equal(ev.dur_ns, 0); /* nothing is known after its begin */
        }
        scene_close(&s);
    }
}

/* ---- what was running ---- */

static void put_group(struct sink *k, const char *name)
{
    struct err e = ERR_INIT;
    struct val v[N_COLS(comm_group)] = { 0 };
    v[COL(comm_group, rank)] = val_int(0);
    v[COL(comm_group, group_id)] = val_id(sink_intern(k, str_of(name)));
    assert_int_equal(sink_row(k, T_comm_group, v, N_COLS(comm_group), NULL, &e), OK);
}

static void put_comm(struct sink *k, const char *name, const char *group, int64_t ts)
{
    struct err e = ERR_INIT;
    struct val v[N_COLS(comm_exec)] = { 0 };
    v[COL(comm_exec, rank)] = val_int(0);
    v[COL(comm_exec, name_id)] = val_id(sink_intern(k, str_of(name)));
    v[COL(comm_exec, group_id)] = val_id(sink_intern(k, str_of(group)));
    v[COL(comm_exec, ts_ns)] = val_int(ts);
    assert_int_equal(sink_row(k, T_comm_exec, v, N_COLS(comm_exec), NULL, &e), OK);
}

/*
 * A stream, a group with its plane, all communication: one op each that ended; then a stream without one.
 * Groups beyond n_tracks have no track. in: the group that communication is known to be in, NULL: none; 17 is
 * what pp is called in records.
 */
static struct store *died(size_t n_groups, size_t n_tracks, const char *in)
{
    static const struct {
        enum track_kind kind;
        const char *name;
        int64_t stream;
    } all[] = { { TK_STREAM, "Stream 3", 3 },
                { TK_PLANE, "Group world", -1 },
                { TK_PLANE, "Plane 0", -1 },
                { TK_OVERLAP, "Communication", -1 },
                { TK_PLANE, "Group pp", -1 } };
    struct err e = ERR_INIT;
    struct store *out;
    struct fill *f;
    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = NULL }, &e), OK);
    assert_int_equal(fill_begin(f, 1, &e), OK);
    struct sink *k = fill_sink(f);
    for (size_t i = 0; i < ARRAY_LEN(all) - (n_tracks == 1); i++) {
        const struct track_def d = { .kind = all[i].kind,
                                     .pid = STR("1"),
                                     .tid = str_of(all[i].name),
                                     .name = str_of(all[i].name),
                                     .stream = all[i].stream,
                                     .source_id = 1 };
        assert_int_equal(
            sink_event(k, sink_track(k, &d), 0, 10 * MS, sink_intern(k, STR("MatMul-op1")), 0, &e), OK);
        if (strcmp(all[i].name, "Group pp") == 0)
            assert_int_equal(
                sink_event(k, sink_track(k, &d), 11 * MS, MS, sink_intern(k, STR("AllReduce-op2")), 0, &e),
                OK);
    }
    put_comm(k, "AllReduce-op2", "17", 11 * MS);
    put_running(k, "stream", 3, 40 * MS, "Conv2D-op2");
    put_running(k, "stream", 20, 41 * MS, "task 16");
    put_running(k, "comm", -1, 20 * MS, "AllReduce-op3");
    put_group(k, "world");
    if (n_groups > 1)
        put_group(k, "pp");
    if (in)
        put_comm(k, "AllReduce-op3", in, 20 * MS);
    assert_int_equal(fill_end(f, true, &e), OK);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_take_store(f, &out, &e), OK);
    return out;
}

static void open_died(struct scene *s, size_t n_groups, size_t n_tracks, const char *in, bool ascii)
{
    struct err e = ERR_INIT;
    memset(s, 0, sizeof *s);
    s->store = died(n_groups, n_tracks, in);
    s->tl = case_timeline(s->store, 0);
    const struct lineup_part part = { .tl = s->tl, .store = s->store, .label = "rank 0" };
    assert_int_equal(lineup_new(&s->l, &part, 1, 0, &e), OK);
    assert_int_equal(tlv_open(&s->v, s->l, 0, &e), OK);
    s->c = canvas_make(30, 100, ascii);
}

/* The row of a track: where it goes on after its label. */
static size_t row_named(const struct scene *s, const char *name)
{
    for (size_t i = 0; i < s->v.n_rows; i++)
        if (str_eq(lineup_track(s->l, s->v.rows[i].track)->name, str_of(name)))
            return i;
    return SIZE_MAX;
}

static bool runs_on(const struct scene *s, const char *name, int64_t from, int64_t dur)
{
    struct tl_event ev;
    bool runs = lineup_running(s->l, s->v.rows[row_named(s, name)].track, &ev);
    return runs && ev.ts_ns == from && ev.dur_ns == dur;
}

static void tlv_draws_what_has_not_ended(void **state)
{
    struct err e = ERR_INIT;
    struct tl_event ev, next;
    struct scene s;
    (void)state;
    for (int ascii = 0; ascii <= 1; ascii++) {
        open_died(&s, 1, 1, NULL, ascii);
        assert_true(s.v.span1 > 40 * MS); /* it began when everything else had ended */
        assert_true(runs_on(&s, "Stream 3", 40 * MS, 0));
        assert_true(runs_on(&s, "Group world", 20 * MS, 20 * MS));
        assert_false(runs_on(&s, "Plane 0", 20 * MS, 20 * MS));
        assert_false(runs_on(&s, "Communication", 20 * MS, 20 * MS));
        s.v.row = row_named(&s, "Group world");
        const size_t track = tlv_track(&s.v);
        /* It is found like an event, the last of its track. */
        assert_int_equal(lineup_at(s.l, track, 30 * MS, 0, &ev, &e), 1);
        assert_int_equal(ev.seq, TL_RUNNING);
        assert_int_equal(lineup_step(s.l, track, 0, 0, 1, 0, &next, &e), 1);
        assert_int_equal(lineup_at(s.l, track, 5 * MS, 0, &next, &e), 1);
        assert_int_equal(lineup_step(s.l, track, next.ts_ns, next.seq, 1, 0, &next, &e), 1);
        assert_int_equal(next.seq, TL_RUNNING);
        assert_int_equal(lineup_step(s.l, track, next.ts_ns, next.seq, 1, 0, &next, &e), 0);
        assert_int_equal(lineup_step(s.l, track, ev.ts_ns, ev.seq, -1, 0, &next, &e), 1);
        assert_int_equal(next.ts_ns, 0);
        tlv_select(&s.v, &ev);
        tlv_draw(&s.v, s.c, (struct rect){ 0, 0, 12, 100 });
        tlv_draw_side(&s.v, s.c, (struct rect){ 12, 0, 14, 100 });
        tlv_draw_strip(&s.v, s.c, (struct rect){ 27, 0, 3, 100 });
        assert_true(canvas_has(s.c, ascii ? "[AllReduce-op3>>>>" : "▌AllReduce-op3▸▸▸▸"));
        assert_true(canvas_has(s.c, "AllReduce-op3 has not ended"));
        assert_true(canvas_has(s.c, "AllReduce-op3  20.00 ms  not ended  on Group world"));
        assert_true(canvas_has(s.c, ascii ? "> not ended" : "▸ not ended"));
        assert_true(canvas_has(s.c, "RUNNING, no end record"));
        scene_close(&s);
    }
    /* No legend of what is not there. */
    scene_open(&s, 30, 100, true);
    scene_draw(&s);
    tlv_draw_strip(&s.v, s.c, (struct rect){ 27, 0, 3, 100 });
    assert_false(canvas_has(s.c, "not ended"));
    scene_close(&s);
}

/* Communication is on the track of its group, or on that of all of them. */
static void tlv_draws_on_the_group_it_ran_in(void **state)
{
    static const struct {
        size_t n_tracks;
        const char *in, *on;
    } all[] = {
        { 2, NULL, "Communication" }, { 2, "pp", "Group pp" },      { 2, "p", "Communication" },
        { 1, NULL, "Communication" }, { 1, "pp", "Communication" }, { 1, "world", "Group world" },
        { 2, "17", "Group pp" },      { 1, "17", "Communication" },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        struct scene s;
        open_died(&s, 2, all[i].n_tracks, all[i].in, true);
        assert_true(runs_on(&s, all[i].on, 20 * MS, 20 * MS));
        assert_true(!strcmp(all[i].on, "Group world") || !runs_on(&s, "Group world", 20 * MS, 20 * MS));
        scene_close(&s);
    }
}

/* A name before a gap has what the one after it does not need, and the other way round. */
static void tlv_gaps_share_the_room_of_names(void **state)
{
    struct scene s;
    (void)state;
    open_died(&s, 2, 2, NULL, true);
    canvas_free(s.c);
    s.c = canvas_make(30, 112, true);
    s.v.row = row_named(&s, "Group pp");
    tlv_draw(&s.v, s.c, (struct rect){ 0, 0, 12, 112 });
    tlv_draw_side(&s.v, s.c, (struct rect){ 12, 0, 16, 112 });
    assert_true(canvas_has(s.c, "  1.00 ms  MatMul-op1 AllReduce-op2 "));
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tlv_sums_are_those_of_the_window),
        cmocka_unit_test(tlv_sums_only_where_wide),
        cmocka_unit_test(tlv_begins_with_all_events),
        cmocka_unit_test(tlv_tracks_of_a_process_stand_together),
        cmocka_unit_test(tlv_lanes_begin_the_same_in_every_part),
        cmocka_unit_test(tlv_says_which_tracks_have_their_own_clock),
        cmocka_unit_test(tlv_shares_leave_out_what_another_clock_stretches),
        cmocka_unit_test(tlv_draws_what_has_not_ended_to_the_end_of_its_clock),
        cmocka_unit_test(tlv_draws_what_has_not_ended),
        cmocka_unit_test(tlv_draws_on_the_group_it_ran_in),
        cmocka_unit_test(tlv_keeps_steps_off_another_clock),
        cmocka_unit_test(tlv_says_which_gaps_the_window_cuts),
        cmocka_unit_test(tlv_gaps_share_the_room_of_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
