/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of the timeline that are printed: exact to the ns, whatever is decoded for them. */
#include "config.h"

#include "tests/unit/model/scene.h"

/* ---- exact figures ---- */

struct figures {
    struct tl_area area;
    struct tl_gap gap[16];
    size_t n_gaps;
    int64_t name_ns[N_NAMES + 8];
    uint64_t name_events[N_NAMES + 8];
};

static void brute_gap(struct figures *f, struct tl_gap g)
{
    size_t at = f->n_gaps < 16 ? f->n_gaps : 16;
    if (g.len_ns <= 0)
        return;
    while (at && f->gap[at - 1].len_ns < g.len_ns)
        at--;
    if (at == 16)
        return;
    memmove(&f->gap[at + 1], &f->gap[at], (15 - at) * sizeof f->gap[0]);
    f->gap[at] = g;
    f->n_gaps += f->n_gaps < 16;
}

static void brute_figures(const struct row *r, int lane, int64_t from, int64_t to, struct figures *f)
{
    int64_t covered = from, after = 0;
    size_t k = 0;
    memset(f, 0, sizeof *f);
    for (; k < r->n && r->ev[k].ts < to; k++) {
        const struct chunk_event *ev = &r->ev[k];
        if ((lane >= 0 && ev->lane != lane) || !touches(ev, from, to))
            continue;
        int64_t a = ev->ts > from ? ev->ts : from, end = chunk_end(ev), b = end < to ? end : to;
        f->area.events++;
        f->area.dur_sum_ns += b - a;
        f->area.longest_ns = b - a > f->area.longest_ns ? b - a : f->area.longest_ns;
        brute_gap(f, (struct tl_gap){ covered, a - covered, after, ev->name });
        if (b > covered)
            f->area.busy_ns += b - (a > covered ? a : covered);
        if (b >= covered) {
            covered = b;
            after = ev->name;
        }
        f->name_ns[ev->name] += b - a;
        f->name_events[ev->name]++;
    }
    const int64_t next = k < r->n && r->ev[k].ts == to ? r->ev[k].name : 0;
    brute_gap(f, (struct tl_gap){ covered, to - covered, after, next });
}

static void compare_names(const struct scene *s, size_t track, int64_t from, int64_t to,
                          const struct figures *want)
{
    static struct tl_name got[N_NAMES];
    struct err e = ERR_INIT;
    size_t n, distinct = 0;
    struct tl_sums *sums;
    assert_int_equal(timeline_sums_new(&sums, s->tl, track, from, to, &e), OK);
    while (timeline_sums_run(sums, 3, &e) == 0)
        ;
    assert_int_equal(e.code, OK);
    assert_int_equal(timeline_sums_left(sums), 0);
    timeline_sums_get(sums, got, N_NAMES, &n);
    timeline_sums_free(sums);
    for (size_t i = 0; i < ARRAY_LEN(want->name_events); i++)
        distinct += want->name_events[i] > 0;
    assert_int_equal(n, distinct);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(got[i].busy_ns, want->name_ns[got[i].name_id]);
        assert_int_equal(got[i].events, want->name_events[got[i].name_id]);
        assert_true(!i || got[i - 1].busy_ns >= got[i].busy_ns);
    }
}

static void compare_figures(const struct scene *s, size_t track, int64_t from, int64_t to)
{
    static struct figures want;
    struct err e = ERR_INIT;
    struct tl_area got;
    struct tl_gap gap[16];
    struct tl_figures cell;
    size_t n;
    const struct row *r = row_of(s, track);
    brute_figures(r, -1, from, to, &want);
    assert_int_equal(timeline_area(s->tl, track, from, to, &got, &e), OK);
    assert_int_equal(got.events, want.area.events);
    assert_int_equal(got.busy_ns, want.area.busy_ns);
    assert_int_equal(got.dur_sum_ns, want.area.dur_sum_ns);
    assert_int_equal(got.longest_ns, want.area.longest_ns);
    assert_int_equal(got.longest_gap_ns, want.n_gaps ? want.gap[0].len_ns : 0);
    if (want.n_gaps)
        assert_int_equal(got.longest_gap_at, want.gap[0].from_ns);
    for (size_t max = 1; max <= 16; max *= 4) {
        assert_int_equal(timeline_gaps(s->tl, track, from, to, gap, max, &n, &e), OK);
        assert_int_equal(n, want.n_gaps < max ? want.n_gaps : max);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(gap[i].len_ns, want.gap[i].len_ns);
            assert_int_equal(gap[i].from_ns, want.gap[i].from_ns);
            assert_int_equal(gap[i].after_name, want.gap[i].after_name);
            assert_int_equal(gap[i].before_name, want.gap[i].before_name);
        }
    }
    compare_names(s, track, from, to, &want);
    int lane = (int)(from & 7);
    if (lane >= r->lanes)
        lane = -1;
    brute_figures(r, lane, from, to, &want);
    assert_int_equal(timeline_cell(s->tl, track, lane, from, to, &cell, &e), OK);
    assert_int_equal(cell.events, want.area.events);
    assert_int_equal(cell.busy_ns, want.area.busy_ns);
}

static void timeline_sums_are_exact(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        struct scene s;
        uint64_t x = seed + 50;
        scene_open(&s, seed + 10, 40000);
        for (int k = 0; k < 400; k++) {
            size_t track = (size_t)below(&x, (int64_t)s.n);
            int64_t from, to;
            if (row_of(&s, track)->counter)
                continue;
            random_window(row_of(&s, track), &x, &from, &to);
            compare_figures(&s, track, from, to);
        }
        scene_close(&s);
    }
}

/* ---- the busiest stretch ---- */

struct cover {
    int64_t *a, *b, *before; /* spans of the union, time covered before each */
    size_t n;
};

static void cover_make(struct cover *c, const struct row *r)
{
    c->a = calloc(r->n, sizeof *c->a);
    c->b = calloc(r->n, sizeof *c->b);
    c->before = calloc(r->n + 1, sizeof *c->before);
    c->n = 0;
    for (size_t i = 0; i < r->n; i++) {
        int64_t end = chunk_end(&r->ev[i]);
        if (c->n && r->ev[i].ts <= c->b[c->n - 1]) {
            if (end > c->b[c->n - 1])
                c->b[c->n - 1] = end;
        } else if (end > r->ev[i].ts) {
            c->a[c->n] = r->ev[i].ts;
            c->b[c->n++] = end;
        }
    }
    for (size_t i = 0; i < c->n; i++)
        c->before[i + 1] = c->before[i] + c->b[i] - c->a[i];
}

/* Covered before x. */
static int64_t cover_until(const struct cover *c, int64_t x)
{
    size_t lo = 0, hi = c->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (c->a[mid] < x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo ? c->before[lo - 1] + (c->b[lo - 1] < x ? c->b[lo - 1] : x) - c->a[lo - 1] : 0;
}

static int64_t brute_busiest(const struct cover *c, int64_t from, int64_t to, int64_t len)
{
    int64_t best = cover_until(c, from + len) - cover_until(c, from);
    for (size_t i = 0; i < c->n; i++) {
        const int64_t starts[2] = { c->a[i], c->b[i] - len };
        for (int k = 0; k < 2; k++) {
            if (starts[k] < from || starts[k] + len > to)
                continue;
            int64_t sum = cover_until(c, starts[k] + len) - cover_until(c, starts[k]);
            best = sum > best ? sum : best;
        }
    }
    return best;
}

static void timeline_busiest_stretch_is_found(void **state)
{
    (void)state;
    struct scene s;
    uint64_t x = 29;
    size_t exact = 0;
    scene_open(&s, 60, 40000);
    for (size_t track = 0; track < s.n; track++) {
        const struct row *r = row_of(&s, track);
        struct cover c;
        if (r->counter)
            continue;
        cover_make(&c, r);
        for (int k = 0; k < 25; k++) {
            struct err e = ERR_INIT;
            int64_t from, to, at, busy;
            random_window(r, &x, &from, &to);
            int64_t len = 1 + (to - from) / (int64_t)(2 + (next(&x) % 4000));
            int64_t want = brute_busiest(&c, from, to, len);
            assert_int_equal(timeline_busiest(s.tl, track, from, to, len, &at, &busy, &e), OK);
            assert_true(at >= from && at + len <= to);
            assert_int_equal(busy, cover_until(&c, at + len) - cover_until(&c, at));
            if (busy < want - len / 4)
                fail_msg("track %zu: %lld of %lld ns covered from %lld on; the best has %lld", track,
                         (long long)busy, (long long)len, (long long)at, (long long)want);
            exact += busy == want;
        }
        free(c.a);
        free(c.b);
        free(c.before);
    }
    assert_true(exact > 50);
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(timeline_sums_are_exact),
        cmocka_unit_test(timeline_busiest_stretch_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
