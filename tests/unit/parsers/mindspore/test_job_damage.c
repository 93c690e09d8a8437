/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What damage costs each raw format of generation 1, as a table: a file of twelve records, cut at every byte,
 * with bits flipped, and its slices removed, swapped, doubled and filled with zeros, or one missing. What is
 * whole is given as it was, what is lost is noted.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <cmocka.h>

#include "tests/unit/parsers/mindspore/records/record_formats.h"

#define SLICES 4
#define EACH   (RECORDS / SLICES)
#define FLIPS  2000

static void cut_anywhere_keeps_whole_records(void **state)
{
    struct fixture x;
    struct given all, g;

    (void)state;
    for (size_t f = 0; f < ARRAY_LEN(formats); f++) {
        const struct format *k = &formats[f];
        read_whole(k, &x, &all);
        for (size_t cut = 0; cut < x.n; cut++) {
            size_t whole = 0;
            while (whole < RECORDS && x.at[whole + 1] <= cut)
                whole++;
            bool torn = k->how & PREFIX ? cut > 0 || k->how & DOCUMENT : cut != x.at[whole];
            read_bytes(k, x.p, cut, &g);
            bool seen = k->how & (OPEN_END | LAST_GIVEN) && torn && g.s.n == whole + 1;
            if (g.s.n != whole + seen || !same(k, &g, 0, &all, 0, whole))
                fail_msg("%s cut at %zu: %zu of %zu records", k->name, cut, g.s.n, whole);
            uint64_t usual = g.s.n ? complaints(&all) : 0; /* of the clock */
            if (complaints(&g) != usual + (torn && !(seen && k->how & OPEN_END)))
                fail_msg("%s cut at %zu: %d notes", k->name, cut, (int)complaints(&g));
            done(&g);
        }
        done(&all);
    }
}

/* Records from..to-1 are touched; the others are given. */
static void expect_others(const struct format *k, const struct given *g, const struct given *all, size_t from,
                          size_t to, size_t at)
{
    size_t behind = k->how & PREFIX ? 0 : RECORDS - to;

    if (g->s.n > RECORDS + 1 || !same(k, g, 0, all, 0, from) || g->s.n < from + behind ||
        !same(k, g, g->s.n - behind, all, to, behind))
        fail_msg("%s with a flip at %zu in record %zu: %zu records", k->name, at, from, g->s.n);
}

static void flipped_bits_cost_their_record(void **state)
{
    unsigned char q[sizeof((struct fixture *)0)->p];
    uint64_t seed = 88172645463325252u;
    struct fixture x;
    struct given all, g;

    (void)state;
    for (size_t f = 0; f < ARRAY_LEN(formats); f++) {
        const struct format *k = &formats[f];
        read_whole(k, &x, &all);
        for (int i = 0; i < FLIPS; i++) {
            size_t at = (size_t)(scratch_random(&seed) % x.n), from = 0;
            memcpy(q, x.p, x.n);
            q[at] = (unsigned char)(q[at] ^ 1u << scratch_random(&seed) % 8);
            while (from < RECORDS && x.at[from + 1] <= at)
                from++;
            size_t to = from < RECORDS ? from + 1 : RECORDS;
            if (k->how & LINES && to < RECORDS && at + 1 == x.at[to])
                to++; /* its end is gone: it runs into the next one */
            read_bytes(k, q, x.n, &g);
            /* the length around all the messages may be what was hit */
            if (at >= x.at[0])
                expect_others(k, &g, &all, from, to, at);
            done(&g);
        }
        done(&all);
    }
}

/* ---- slices ---- */

/* clang-format off */
#define ZEROS(i) (-1 - (i))
static const struct disorder {
    const char *what;
    int n, slice[SLICES + 1]; /* which ones, in which order */
} disorders[] = {
    { "the first one removed", 3, { 1, 2, 3 } },   { "one removed", 3, { 0, 2, 3 } },
    { "the last one removed", 3, { 0, 1, 2 } },    { "two swapped", 4, { 0, 2, 1, 3 } },
    { "one doubled", 5, { 0, 1, 1, 2, 3 } },       { "the last one doubled", 5, { 0, 1, 2, 3, 3 } },
    { "zeros first", 4, { ZEROS(0), 1, 2, 3 } },   { "zeros between", 4, { 0, 1, ZEROS(2), 3 } },
    { "zeros last", 4, { 0, 1, 2, ZEROS(3) } },
};
/* clang-format on */

/* Borders at records, or in the middle of them. */
static void borders(const struct fixture *x, bool torn, size_t *at)
{
    for (size_t i = 0; i <= SLICES; i++) {
        size_t k = i * EACH;
        at[i] = x->at[k];
        if (torn && i > 0 && i < SLICES)
            at[i] += (x->at[k + 1] - x->at[k]) / 2;
    }
    at[0] = 0;
    at[SLICES] = x->n;
}

/* Records that are whole in this order of slices, in that order. */
static size_t whole_ones(const struct fixture *x, const size_t *at, const struct disorder *d, size_t *out)
{
    size_t n = 0;

    for (int i = 0; i < d->n; i++) {
        int s = d->slice[i];
        bool on = i + 1 < d->n && s >= 0 && d->slice[i + 1] == s + 1; /* the next one goes on */
        for (size_t k = 0; k < RECORDS && s >= 0; k++)
            if (x->at[k] >= at[s] && x->at[k] < at[s + 1] && (x->at[k + 1] <= at[s + 1] || on))
                out[n++] = k;
    }
    return n;
}

/* As slices, or as one file of these parts. */
static void read_disorder(const struct format *k, const struct fixture *x, const size_t *at,
                          const struct disorder *d, struct given *g)
{
    static const unsigned char zeros[sizeof x->p];
    struct sliced f = { .n = 0 };
    unsigned char *all = calloc(2, sizeof x->p);
    size_t n = 0;

    assert_non_null(all);
    for (int i = 0; i < d->n; i++) {
        size_t s = (size_t)(d->slice[i] < 0 ? ZEROS(d->slice[i]) : d->slice[i]);
        const unsigned char *p = d->slice[i] < 0 ? zeros : x->p + at[s];
        char name[24];
        snprintf(name, sizeof name, "x.slice_%d", i);
        if (!(k->how & NO_SLICES))
            sliced_add(&f, name, p, at[s + 1] - at[s]);
        memcpy(all + n, p, at[s + 1] - at[s]);
        n += at[s + 1] - at[s];
    }
    if (k->how & NO_SLICES) {
        read_bytes(k, all, n, g);
    } else {
        read_file(k, f.f, g);
        sliced_done(&f);
    }
    free(all);
}

/* The whole ones are given in their order; how many besides. */
static size_t count_others(const struct format *k, const struct given *g, const struct given *all,
                           const size_t *whole, size_t n, const char *what)
{
    size_t found = 0;

    for (size_t i = 0; i < g->s.n && found < n; i++)
        found += same(k, g, i, all, whole[found], 1);
    if (found < n)
        fail_msg("%s, %s: %zu of %zu whole records", k->name, what, found, n);
    return g->s.n - n;
}

static void slices_in_disorder_give_what_is_whole(void **state)
{
    size_t at[SLICES + 1], whole[2 * RECORDS];
    struct fixture x;
    struct given all, g;

    (void)state;
    for (size_t f = 0; f < 2 * ARRAY_LEN(formats); f++) {
        const struct format *k = &formats[f / 2];
        bool torn = f % 2;
        if (torn && !(k->how & STREAM))
            continue;
        read_whole(k, &x, &all);
        borders(&x, torn, at);
        for (size_t i = 0; i < ARRAY_LEN(disorders); i++) {
            const struct disorder *d = &disorders[i];
            bool zeros = d->slice[0] < 0 || d->slice[2] < 0 || d->slice[3] < 0;
            size_t n = whole_ones(&x, at, d, whole);
            read_disorder(k, &x, at, d, &g);
            if (k->how & PREFIX)
                n = n && whole[0] == 0 ? EACH : 0; /* no later than there it is another document */
            else if (k->how & NO_SLICES && zeros)
                n--; /* the line behind the zeros */
            size_t others = count_others(k, &g, &all, whole, n, d->what);
            if (!torn && others > (zeros && k->how & NO_SLICES) && !(k->how & PREFIX))
                fail_msg("%s, %s: %zu records too many", k->name, d->what, others);
            if (zeros && !complaints(&g))
                fail_msg("%s, %s: no note", k->name, d->what);
            done(&g);
        }
        done(&all);
    }
}

/* Slices of these lengths, cut anywhere; the k-th is not there. */
static void read_without(const struct format *k, const struct fixture *x, size_t slice_b, int gap,
                         struct given *g)
{
    struct sliced f = { .n = 0 };
    char name[24];

    for (int i = 0; (size_t)i * slice_b < x->n; i++) {
        size_t at = (size_t)i * slice_b, n = x->n - at < slice_b ? x->n - at : slice_b;
        snprintf(name, sizeof name, "x.slice_%d", i);
        if (i == gap)
            continue;
        sliced_add(&f, name, x->p + at, n);
        f.f[f.n - 1].slice = i;
        f.f[f.n - 1].later_slice = f.n > 1;
    }
    read_file(k, f.f, g);
    sliced_done(&f);
}

/* What is given was in the file, in its order. */
static void expect_true(const struct format *k, const struct given *g, const struct given *all,
                        size_t slice_b, int gap)
{
    size_t at = 0;

    for (size_t i = 0; i < g->s.n && !(k->how & COUNTED); i++, at++) {
        while (at < RECORDS && strcmp(g->line[i], all->line[at]) != 0)
            at++;
        if (at == RECORDS)
            fail_msg("%s, slices of %zu without %d: not in the file: %s", k->name, slice_b, gap, g->line[i]);
    }
}

/*
 * The halves on both sides of a missing slice are no record; all whole ones are given, but a line behind it
 * that may be a half.
 */
static void missing_slice_joins_nothing(void **state)
{
    struct fixture x;
    struct given all, g;

    (void)state;
    for (size_t f = 0; f < ARRAY_LEN(formats); f++) {
        const struct format *k = &formats[f];
        if (k->how & NO_SLICES)
            continue;
        read_whole(k, &x, &all);
        for (size_t b = x.n / 7 + 1; b < x.n / 3; b += x.n / 97 + 1)
            for (int gap = 1; (size_t)(gap + 1) * b < x.n; gap++) {
                size_t whole = 0, from = (size_t)gap * b, to = from + b;
                for (size_t i = 0; i < RECORDS; i++)
                    whole += x.at[i + 1] <= from || x.at[i] >= to;
                read_without(k, &x, b, gap, &g);
                expect_true(k, &g, &all, b, gap);
                if (g.s.n > whole || g.s.n + (k->how & LINES ? 1 : 0) < whole)
                    fail_msg("%s, slices of %zu without %d: %zu of %zu", k->name, b, gap, g.s.n, whole);
                if (g.s.n < whole && !complaints(&g))
                    fail_msg("%s, slices of %zu without %d: no note", k->name, b, gap);
                done(&g);
            }
        done(&all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_anywhere_keeps_whole_records),
        cmocka_unit_test(flipped_bits_cost_their_record),
        cmocka_unit_test(slices_in_disorder_give_what_is_whole),
        cmocka_unit_test(missing_slice_joins_nothing),
    };

#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 17); /* each file has a window: fresh pages are cleared already */
#endif
    /* thousands of files: on a disk each would wait for the one before */
    if (access("/dev/shm", W_OK) == 0)
        setenv("TMPDIR", "/dev/shm", 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
