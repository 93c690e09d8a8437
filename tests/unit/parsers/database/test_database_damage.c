/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What damage does to the group of databases: the file cut at each page and within pages, and 2 000 files
 * with
 * a bit flipped. The group goes on to the end, keeps what is whole, and says what it did not read.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/parsers/database/database_case.h"
#include "tests/unit/parsers/database/database_full.h"
#include "tests/unit/scratch.h"

#define PAGE_B   512
#define FLIPS    2000
#define FILE_MAX ((size_t)1 << 20)

struct whole {
    unsigned char p[FILE_MAX];
    size_t n;
    uint64_t rows;
};

/* The fixture as a file of small pages. */
static void make(struct whole *w)
{
    struct database_case c;

    database_case_begin(&c);
    database_case_add(&c, ROLE_DATABASE, "PRAGMA page_size = 512;" DATABASE_FULL);
    FILE *f = fopen(c.path[0], "rb");
    assert_non_null(f);
    w->n = fread(w->p, 1, sizeof w->p, f);
    fclose(f);
    assert_true(w->n > (size_t)32 * PAGE_B && w->n < sizeof w->p && w->n % PAGE_B == 0);
    assert_int_equal(database_case_read(&c), OK);
    w->rows = sink_count_get(c.r.count)->total;
    assert_in_range(w->rows, 20, 200);
    database_case_end(&c);
}

struct result {
    uint64_t rows, notes;
};

static struct result read_bytes(const void *p, size_t n)
{
    struct database_case c;
    struct result r = { .rows = 0 };

    database_case_begin(&c);
    database_case_file(&c, ROLE_DATABASE, p, n);
    int rc = database_case_read(&c);
    if (rc != OK && rc != ERR_FORMAT && rc != ERR_LIMIT)
        fail_msg("code %d", rc);
    r.rows = sink_count_get(c.r.count)->total;
    r.notes = sink_count_get(c.r.count)->note_calls;
    database_case_end(&c);
    return r;
}

static void database_cut_anywhere_is_told(void **state)
{
    static const size_t within[] = { 0, 1, 8, 100, 101, PAGE_B / 2, PAGE_B - 1 };
    struct whole *w = calloc(1, sizeof *w);
    uint64_t best = 0;

    (void)state;
    assert_non_null(w);
    make(w);
    for (size_t page = 0; page < w->n / PAGE_B; page++)
        for (size_t i = 0; i < ARRAY_LEN(within); i++) {
            const struct result r = read_bytes(w->p, page * PAGE_B + within[i]);
            if (page * PAGE_B + within[i] > 0 && !r.notes)
                fail_msg("cut in page %zu at %zu: not told", page, within[i]);
            assert_true(r.rows <= w->rows);
            best = r.rows > best ? r.rows : best;
        }
    /* the last page is that of one table; all others are whole */
    assert_true(best + 4 >= w->rows && best > 0);
    free(w);
}

/* A page of one table that is zeros costs that table alone. */
static void database_lost_page_costs_its_table(void **state)
{
    struct whole *w = calloc(1, sizeof *w);
    size_t kept = 0, pages = 0;

    (void)state;
    assert_non_null(w);
    make(w);
    for (size_t page = 12; page < w->n / PAGE_B; page++, pages++) {
        unsigned char copy[PAGE_B];
        memcpy(copy, w->p + page * PAGE_B, PAGE_B);
        memset(w->p + page * PAGE_B, 0, PAGE_B);
        const struct result r = read_bytes(w->p, w->n);
        memcpy(w->p + page * PAGE_B, copy, PAGE_B);
        if (r.rows == w->rows && copy[0] == 13 && !r.notes)
            kept++;
        /* STRING_IDS and TASK are what most rows are joined with */
        if (r.rows < w->rows / 3 && r.notes == 0)
            fail_msg("page %zu: %d of %d rows and no note", page, (int)r.rows, (int)w->rows);
    }
    assert_true(pages > 20 && kept < pages / 2);
    free(w);
}

static void database_flipped_bits_do_no_harm(void **state)
{
    struct whole *w = calloc(1, sizeof *w);
    uint64_t seed = 88172645463325252u;
    int whole = 0, read = 0;

    (void)state;
    assert_non_null(w);
    make(w);
    for (int k = 0; k < FLIPS; k++) {
        const size_t at = (size_t)(scratch_random(&seed) % w->n);
        const unsigned char bit = (unsigned char)(1u << scratch_random(&seed) % 8);
        w->p[at] ^= bit;
        const struct result r = read_bytes(w->p, w->n);
        w->p[at] ^= bit;
        read += r.rows > 0 || r.notes > 0;
        whole += r.rows == w->rows;
    }
    assert_int_equal(read, FLIPS);
    assert_true(whole > FLIPS / 2); /* most flips are in free space, or change one value */
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(database_cut_anywhere_is_told),
        cmocka_unit_test(database_lost_page_costs_its_table),
        cmocka_unit_test(database_flipped_bits_do_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
