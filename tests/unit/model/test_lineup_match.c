/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Filters on the timeline against the same question asked of every event: count, single events, cells, the
 * next one and the one before.
 */
#include "config.h"

#include "tests/unit/model/scene.h"

#include "model/timeline/lineup_match.h"
#include "tests/unit/model/timeline_case.h"

/* What the events are asked for: number of the name ("op17"), number of the track (its name), event. */
typedef bool want_fn(int64_t name, size_t track, const struct chunk_event *ev);

static bool in_text(int64_t name, const char *part)
{
    char text[24];
    snprintf(text, sizeof text, "op%d", (int)name);
    return strstr(text, part) != NULL;
}

static bool is_op7(int64_t n, size_t t, const struct chunk_event *ev)
{
    (void)t;
    (void)ev;
    return n == 7;
}
static bool has_7(int64_t n, size_t t, const struct chunk_event *ev)
{
    (void)t;
    (void)ev;
    return in_text(n, "7");
}
static bool not_has_7(int64_t n, size_t t, const struct chunk_event *ev)
{
    return !has_7(n, t, ev);
}
static bool op12_or_op299(int64_t n, size_t t, const struct chunk_event *ev)
{
    (void)t;
    (void)ev;
    return in_text(n, "op12") || in_text(n, "op299");
}
static bool longer(int64_t n, size_t t, const struct chunk_event *ev)
{
    (void)t;
    return ev->dur > 1000 && in_text(n, "op1");
}
static bool instants(int64_t n, size_t t, const struct chunk_event *ev)
{
    (void)n;
    (void)t;
    return ev->dur == 0;
}
static bool track_1(int64_t n, size_t t, const struct chunk_event *ev)
{
    (void)n;
    (void)ev;
    return t == 1;
}
static bool track_1_op7(int64_t n, size_t t, const struct chunk_event *ev)
{
    return t == 1 && is_op7(n, t, ev);
}
static bool row_1(int64_t n, size_t t, const struct chunk_event *ev)
{
    (void)ev;
    return t == 1 || in_text(n, "op1");
}
static bool not_row_1(int64_t n, size_t t, const struct chunk_event *ev)
{
    return !row_1(n, t, ev);
}
static bool deep(int64_t n, size_t t, const struct chunk_event *ev)
{
    (void)n;
    (void)t;
    return ev->lane >= 2 && ev->lane <= 5;
}
static bool early(int64_t n, size_t t, const struct chunk_event *ev)
{
    (void)t;
    return ev->ts - 5000 >= 100000 && ev->ts - 5000 <= 900000 && n != 3;
}
static bool nothing(int64_t n, size_t t, const struct chunk_event *ev)
{
    (void)n;
    (void)t;
    (void)ev;
    return false;
}

#define ZERO 5000 /* what is shown as 0 */
/* clang-format off */
static const struct {
    const char *line;
    want_fn *want;
} cases[] = {
    { "name=op7", is_op7 },           { "name~^op7$", is_op7 },          { "7", has_7 },
    { "!7", not_has_7 },              { "name!~7", not_has_7 },          { "op12|op299", op12_or_op299 },
    { "dur>1us op1", longer },        { "dur=0", instants },
    { "track='Thread 1'", track_1 },  { "track='Thread 1' name=op7", track_1_op7 },
    { "/^(Thread 1|op1.*)$/", row_1 }, { "!/^(Thread 1|op1.*)$/", not_row_1 },
    { "depth between 2..5", deep },   { "start between 100us..900us name!=op3", early },
    { "kind=host dur>=0", NULL },      { "kind=stream", nothing },       { "name=nowhere", nothing },
    { "category!=CANN", NULL },
};
/* clang-format on */

struct fixture {
    struct scene s;
    struct lineup *l;
    struct filter *f;
    struct lineup_match *m;
    uint8_t *hit[9]; /* by row and event */
    uint64_t count;
};

static int64_t name_number(const struct scene *s, uint32_t id)
{
    for (int64_t i = 0; i < N_NAMES; i++)
        if (s->name_id[i] == id)
            return i;
    return -1;
}

static size_t number_of(const struct scene *s, size_t track)
{
    return (size_t)(row_of(s, track) - s->row);
}

static void ask_all(struct fixture *x, want_fn *want)
{
    x->count = 0;
    for (size_t i = 0; i < x->s.n; i++) {
        const struct row *r = &x->s.row[i];
        x->hit[i] = calloc(r->n + 1, 1);
        assert_non_null(x->hit[i]);
        for (size_t k = 0; k < r->n && !r->counter; k++) {
            x->hit[i][k] = !want || want(name_number(&x->s, r->ev[k].name), i, &r->ev[k]);
            x->count += x->hit[i][k];
        }
    }
}

static void match_open(struct fixture *x, const char *line, want_fn *want)
{
    struct err e = ERR_INIT;
    if (filter_parse(&x->f, str_of(line), lineup_match_columns(), &e))
        fail_msg("%s: %s", line, e.text);
    const struct lineup_match_opts o = { .filters = &x->f, .n_filters = 1, .zero = ZERO };
    if (lineup_match_new(&x->m, x->l, &o, &e))
        fail_msg("%s: %s", line, e.text);
    ask_all(x, want);
}

static void match_close(struct fixture *x)
{
    for (size_t i = 0; i < x->s.n; i++)
        free(x->hit[i]);
    lineup_match_free(x->m);
    filter_free(x->f);
}

static void fixture_open(struct fixture *x, uint64_t seed, size_t n)
{
    struct err e = ERR_INIT;
    memset(x, 0, sizeof *x);
    scene_open(&x->s, seed, n);
    const struct lineup_part part = { .tl = x->s.tl, .store = x->s.store, .label = "rank 0" };
    assert_int_equal(lineup_new(&x->l, &part, 1, 0, &e), OK);
}

static void fixture_close(struct fixture *x)
{
    lineup_free(x->l);
    scene_close(&x->s);
}

static void count_all(struct fixture *x, int64_t budget)
{
    struct err e = ERR_INIT;
    bool more = true;
    while (more)
        assert_int_equal(lineup_match_work(x->m, budget, &more, &e), OK);
}

static void match_counts_what_holds(void **state)
{
    struct fixture x;
    (void)state;
    fixture_open(&x, 3, 9000);
    uint64_t all = 0, of;
    for (size_t i = 0; i < x.s.n; i++)
        all += x.s.row[i].counter ? 0 : x.s.row[i].n;
    for (size_t c = 0; c < ARRAY_LEN(cases); c++) {
        match_open(&x, cases[c].line, cases[c].want);
        count_all(&x, c % 2 ? 0 : INT64_C(1000000000)); /* in the smallest slices, and at once */
        uint64_t got = lineup_match_count(x.m, &of);
        if (got != x.count || of != all)
            fail_msg("%s: %llu of %llu, not %llu of %llu", cases[c].line, (unsigned long long)got,
                     (unsigned long long)of, (unsigned long long)x.count, (unsigned long long)all);
        match_close(&x);
    }
    fixture_close(&x);
}

static void match_knows_single_events(void **state)
{
    struct fixture x;
    struct err e = ERR_INIT;
    (void)state;
    fixture_open(&x, 4, 2000);
    for (size_t c = 0; c < ARRAY_LEN(cases); c++) {
        match_open(&x, cases[c].line, cases[c].want);
        for (size_t t = 0; t < lineup_n_tracks(x.l); t++) {
            static struct tl_event ev[20000];
            const struct row *r = row_of(&x.s, t);
            size_t n;
            bool more;
            if (r->counter)
                continue;
            assert_int_equal(lineup_events(x.l, t, INT64_MIN, INT64_MAX, ev, 20000, &n, &more, &e), OK);
            assert_int_equal(n, r->n);
            for (size_t i = 0; i < n; i++)
                if (lineup_match_event(x.m, &ev[i]) != x.hit[number_of(&x.s, t)][i])
                    fail_msg("%s: event %zu of track %zu", cases[c].line, i, t);
        }
        match_close(&x);
    }
    fixture_close(&x);
}

/* An event, or a hit, touches [from, to) of a track (of one lane of it). */
static bool any_event(const struct fixture *x, size_t number, int lane, bool hits, int64_t from, int64_t to)
{
    const struct row *r = &x->s.row[number];
    for (size_t k = 0; k < r->n && r->ev[k].ts < to; k++)
        if ((!hits || x->hit[number][k]) && (lane < 0 || r->ev[k].lane == lane) &&
            touches(&r->ev[k], from, to))
            return true;
    return false;
}

static void compare_cells(struct fixture *x, size_t track, int lane, int64_t from, int64_t to, size_t n,
                          const char *line)
{
    bool got[200];
    struct err e = ERR_INIT;
    size_t number = number_of(&x->s, track);
    assert_int_equal(lineup_match_cells(x->m, track, lane, from, to, n, got, &e), OK);
    for (size_t i = 0; i < n; i++) {
        int64_t a = from + (int64_t)((__int128)(to - from) * (int64_t)i / (int64_t)n),
                b = from + (int64_t)((__int128)(to - from) * (int64_t)(i + 1) / (int64_t)n),
                beside = (b - a) / 8 + 1;
        if (!got[i] && any_event(x, number, lane, true, a, b))
            fail_msg("%s: cell %zu of %zu of track %zu lane %d is dimmed", line, i, n, track, lane);
        /* What is empty is not drawn. */
        if (got[i] && any_event(x, number, lane, false, a, b) &&
            !any_event(x, number, lane, true, a - beside, b + beside))
            fail_msg("%s: cell %zu of %zu of track %zu lane %d is not dimmed", line, i, n, track, lane);
    }
}

static void match_knows_cells(void **state)
{
    struct fixture x;
    uint64_t r = 77;
    (void)state;
    fixture_open(&x, 5, 6000);
    for (size_t c = 0; c < ARRAY_LEN(cases); c++) {
        if (!cases[c].want)
            continue;
        match_open(&x, cases[c].line, cases[c].want);
        count_all(&x, INT64_C(1000000000));
        for (size_t t = 0; t < lineup_n_tracks(x.l); t++)
            for (int k = 0; k < 6 && !row_of(&x.s, t)->counter; k++) {
                int64_t from, to;
                random_window(row_of(&x.s, t), &r, &from, &to);
                int lanes = row_of(&x.s, t)->lanes;
                compare_cells(&x, t, k % 3 || lanes < 2 ? -1 : (int)below(&r, lanes), from, to,
                              1 + (size_t)below(&r, 200), cases[c].line);
            }
        match_close(&x);
    }
    fixture_close(&x);
}

/* Hits in the order of time, then of tracks, then of events. */
struct place {
    int64_t ts;
    size_t track, at;
};

static int place_cmp(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->ts != y->ts)
        return x->ts < y->ts ? -1 : 1;
    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static struct place *all_places(const struct fixture *x, size_t *n)
{
    struct place *p = calloc(x->count + 1, sizeof *p);
    assert_non_null(p);
    *n = 0;
    for (size_t t = 0; t < lineup_n_tracks(x->l); t++) {
        const struct row *r = row_of(&x->s, t);
        for (size_t k = 0; k < r->n && !r->counter; k++)
            if (x->hit[number_of(&x->s, t)][k])
                p[(*n)++] = (struct place){ r->ev[k].ts, t, k };
    }
    qsort(p, *n, sizeof *p, place_cmp);
    return p;
}

/* From one end to the other and back, every hit once. */
static void walk_hits(struct fixture *x, const char *line)
{
    struct err e = ERR_INIT;
    size_t n;
    struct place *p = all_places(x, &n);
    struct tl_event ev = { .ts_ns = INT64_MIN };
    assert_int_equal(n, x->count);
    n = n < 400 ? n : 400; /* each step is a look-up */
    for (size_t i = 0; i < n; i++) {
        if (lineup_match_next(x->m, ev.ts_ns, ev.track, i ? ev.seq : -1, 1, &ev, &e) != 1 ||
            ev.ts_ns != p[i].ts || ev.track != p[i].track)
            fail_msg("%s: hit %zu is at %lld, not %lld", line, i, (long long)ev.ts_ns, (long long)p[i].ts);
    }
    for (size_t i = n; i-- > 1;) {
        if (lineup_match_next(x->m, ev.ts_ns, ev.track, ev.seq, -1, &ev, &e) != 1 ||
            ev.ts_ns != p[i - 1].ts || ev.track != p[i - 1].track)
            fail_msg("%s: hit %zu backwards is at %lld, not %lld", line, i - 1, (long long)ev.ts_ns,
                     (long long)p[i - 1].ts);
    }
    if (n)
        assert_int_equal(lineup_match_next(x->m, ev.ts_ns, ev.track, ev.seq, -1, &ev, &e), 0);
    free(p);
}

static void match_goes_from_one_to_the_next(void **state)
{
    struct fixture x;
    (void)state;
    fixture_open(&x, 6, 3000);
    for (size_t c = 0; c < ARRAY_LEN(cases); c++) {
        match_open(&x, cases[c].line, cases[c].want);
        if (cases[c].want)
            walk_hits(&x, cases[c].line);
        match_close(&x);
    }
    fixture_close(&x);
}

static void match_takes_a_search_as_well(void **state)
{
    struct fixture x;
    struct err e = ERR_INIT;
    struct re *re;
    uint64_t of;
    (void)state;
    fixture_open(&x, 7, 2000);
    assert_int_equal(filter_parse(&x.f, STR("dur>1us"), lineup_match_columns(), &e), OK);
    assert_int_equal(re_new(&re, STR("^OP1"), RE_NOCASE, &e), OK);
    const struct lineup_match_opts o = { .filters = &x.f, .n_filters = 1, .search = re, .zero = ZERO };
    assert_int_equal(lineup_match_new(&x.m, x.l, &o, &e), OK);
    ask_all(&x, longer);
    count_all(&x, INT64_C(1000000000));
    assert_int_equal(lineup_match_count(x.m, &of), x.count);
    assert_true(x.count > 0);
    walk_hits(&x, "search");
    match_close(&x);
    re_free(re);
    fixture_close(&x);
}

static void match_refuses_what_it_does_not_know(void **state)
{
    struct fixture x;
    struct err e = ERR_INIT;
    struct lineup_match *m;
    (void)state;
    fixture_open(&x, 8, 100);
    assert_int_equal(filter_parse(&x.f, STR("source_off>10"), lineup_match_columns(), &e), OK);
    const struct lineup_match_opts o = { .filters = &x.f, .n_filters = 1 };
    assert_int_equal(lineup_match_check(x.f, &e), ERR_USAGE);
    err_clear(&e);
    assert_int_equal(lineup_match_new(&m, x.l, &o, &e), ERR_USAGE);
    filter_free(x.f);
    fixture_close(&x);
}

/* Names that cost more than a pattern may on one subject. */
static void costly_open(struct fixture *x)
{
    static const struct case_track track = { TK_STREAM, "NPU", "Stream 1" };
    static char name[6][40];
    struct case_event ev[6];
    memset(x, 0, sizeof *x);
    for (int i = 0; i < 6; i++) {
        snprintf(name[i], sizeof name[i], "%s%d", i < 5 ? "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac" : "ok", i);
        ev[i] = (struct case_event){ 0, i * 10, 5, name[i] };
    }
    x->s.store = case_store(0, &track, 1, ev, ARRAY_LEN(ev));
    x->s.tl = case_timeline(x->s.store, 0);
    const struct lineup_part part = { .tl = x->s.tl, .store = x->s.store, .label = "rank 0" };
    struct err e = ERR_INIT;
    assert_int_equal(lineup_new(&x->l, &part, 1, 0, &e), OK);
}

#define COSTLY "^(a+)+$"

/* A spent search is asked afresh each time, and what it gave up on is told. */
static void match_renews_the_search(void **state)
{
    struct fixture x;
    struct err e = ERR_INIT;
    struct re *re;
    (void)state;
    costly_open(&x);
    assert_int_equal(re_new(&re, STR(COSTLY "|^ok"), 0, &e), OK);
    for (int i = 0; i < 1000 && !re_is_spent(re); i++)
        (void)re_match(re, STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac"), 0, NULL, NULL);
    assert_true(re_is_spent(re));
    const struct lineup_match_opts o = { .search = re };
    assert_int_equal(lineup_match_new(&x.m, x.l, &o, &e), OK);
    count_all(&x, INT64_C(1000000000));
    uint64_t of;
    assert_int_equal(lineup_match_count(x.m, &of), 1);
    assert_int_equal(of, 6);
    assert_int_equal(lineup_match_undecided(x.m), 5);
    match_close(&x);
    re_free(re);
    lineup_free(x.l);
    timeline_close(x.s.tl);
    store_close(x.s.store);
}

/* What was given up on is no match, of a negated test either. */
static void match_leaves_out_the_undecided(void **state)
{
    struct fixture x;
    struct err e = ERR_INIT;
    uint64_t of;
    (void)state;
    costly_open(&x);
    assert_int_equal(filter_parse(&x.f, STR("name!~" COSTLY), lineup_match_columns(), &e), OK);
    const struct lineup_match_opts o = { .filters = &x.f, .n_filters = 1 };
    assert_int_equal(lineup_match_new(&x.m, x.l, &o, &e), OK);
    count_all(&x, INT64_C(1000000000));
    assert_int_equal(lineup_match_count(x.m, &of), 1);
    assert_int_equal(lineup_match_undecided(x.m), 5);
    match_close(&x);
    lineup_free(x.l);
    timeline_close(x.s.tl);
    store_close(x.s.store);
}

/* As many tests of numbers as there may be. */
static void match_takes_64_tests(void **state)
{
    struct fixture x;
    struct err e = ERR_INIT;
    static const char test[] = "dur>=0 ";
    char line[65 * sizeof test] = "";
    size_t end = 0;
    (void)state;
    fixture_open(&x, 9, 300);
    for (size_t n = 0; n < 64; n++)
        end += (size_t)snprintf(line + end, sizeof line - end, "%s", test);
    match_open(&x, line, NULL);
    count_all(&x, INT64_C(1000000000));
    uint64_t of;
    uint64_t got = lineup_match_count(x.m, &of);
    assert_int_equal(got, of);
    assert_int_equal(got, x.count);
    match_close(&x);
    x.f = NULL;
    snprintf(line + end, sizeof line - end, "%s", test);
    assert_int_equal(filter_parse(&x.f, str_of(line), lineup_match_columns(), &e), OK);
    const struct lineup_match_opts o = { .filters = &x.f, .n_filters = 1 };
    assert_int_equal(lineup_match_new(&x.m, x.l, &o, &e), ERR_LIMIT);
    filter_free(x.f);
    fixture_close(&x);
}

/* A damaged chunk: it is told, the other tracks are counted, its own is not taken for counted. */
static void match_goes_on_after_damage(void **state)
{
    struct fixture x;
    struct err e = ERR_INIT;
    bool more = true;
    int errors = 0;
    uint64_t of;
    (void)state;
    fixture_open(&x, 10, 5000);
    size_t bad = SIZE_MAX, found = 0;
    match_open(&x, "dur>1us op1", longer);
    uint64_t whole = x.count, own = 0;
    for (size_t t = 0; t < lineup_n_tracks(x.l) && bad == SIZE_MAX; t++)
        if (!row_of(&x.s, t)->counter)
            bad = t;
    damage_chunk(x.s.store, lineup_track(x.l, bad)->id);
    for (size_t k = 0; k < row_of(&x.s, bad)->n; k++)
        own += x.hit[number_of(&x.s, bad)][k];
    assert_true(own > 0 && own < whole);
    while (more) {
        if (lineup_match_work(x.m, INT64_C(1000000000), &more, &e)) {
            assert_int_equal(e.code, ERR_STORE);
            errors++;
            err_clear(&e);
        }
    }
    assert_int_equal(errors, 1);
    assert_true(lineup_match_failed(x.m));
    found = lineup_match_count(x.m, &of);
    assert_true(found >= whole - own && found < whole);
    assert_true(lineup_match_track(x.m, bad));
    bool cells[10];
    assert_int_equal(lineup_match_cells(x.m, bad, -1, 0, 1000000, 10, cells, &e), OK);
    for (int i = 0; i < 10; i++)
        assert_true(cells[i]); /* not known: not dimmed */
    match_close(&x);
    fixture_close(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(match_counts_what_holds),
        cmocka_unit_test(match_knows_single_events),
        cmocka_unit_test(match_knows_cells),
        cmocka_unit_test(match_goes_from_one_to_the_next),
        cmocka_unit_test(match_takes_a_search_as_well),
        cmocka_unit_test(match_refuses_what_it_does_not_know),
        cmocka_unit_test(match_renews_the_search),
        cmocka_unit_test(match_leaves_out_the_undecided),
        cmocka_unit_test(match_takes_64_tests),
        cmocka_unit_test(match_goes_on_after_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
