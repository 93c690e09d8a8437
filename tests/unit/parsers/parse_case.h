/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of a parser on a text: expected rows, truncation at every length, bit flips. Include after
 * cmocka.h. */
#ifndef NPUSCOPE_TESTS_UNIT_PARSERS_PARSE_CASE_H
#define NPUSCOPE_TESTS_UNIT_PARSERS_PARSE_CASE_H

#include "tests/unit/parsers/rows.h"
#include "tests/unit/scratch.h"

/* Parse text as a file of a kind; what came out stays in *r (rows_done() it). */
static inline int case_parse(struct rows *r, const char *kind, parse_fn *parse, const char *text, size_t n,
                             enum gen gen)
{
    struct err e = ERR_INIT;

    rows_init(r, kind, scratch_write(text, n));
    r->run.gen = gen;
    int rc = rows_parse(r, parse, &e);
    assert_int_equal(rc, e.code);
    return rc;
}

/* The text of all rows and notes must be exactly this. */
static inline void case_expect(const char *kind, parse_fn *parse, const char *text, const char *expected)
{
    struct rows r;

    assert_int_equal(case_parse(&r, kind, parse, text, strlen(text), GEN_UNKNOWN), OK);
    assert_string_equal(buf_str(&r.text).p, expected);
    rows_done(&r);
}

/* Some row or note must begin with this line (up to a column border or the line's end). */
static inline bool case_has(const struct rows *r, const char *line)
{
    struct str rest = buf_str(&r->text), one;
    size_t n = strlen(line);

    while (str_next(&rest, '\n', &one))
        if (one.n >= n && memcmp(one.p, line, n) == 0 && (one.n == n || one.p[n] == '|'))
            return true;
    return false;
}

static inline void case_need(const struct rows *r, const char *line)
{
    if (!case_has(r, line)) {
        print_error("missing: %s\nin:\n%s\n", line, buf_str(&r->text).p);
        fail();
    }
}

/* Line ends outside quotes. */
static inline uint64_t case_lines(const char *text, size_t n)
{
    uint64_t lines = 0;
    bool quoted = false;

    for (size_t i = 0; i < n; i++) {
        quoted ^= text[i] == '"';
        lines += text[i] == '\n' && !quoted;
    }
    return lines;
}

/*
 * Cut at every length: exactly the records of the whole lines before the cut (and perhaps the last
 * one when only its line end is missing), at most one note of damage; never an error but
 * ERR_FORMAT. rows_of: records that n data lines give (NULL: one each).
 */
static inline void case_cut_everywhere(const char *kind, parse_fn *parse, const char *text)
{
    size_t n = strlen(text);
    struct rows r;

    for (size_t cut = 0; cut <= n; cut++) {
        uint64_t lines = case_lines(text, cut);
        int rc = case_parse(&r, kind, parse, text, cut, GEN_UNKNOWN);
        const struct sink_counts *k = sink_count_get(r.count);
        assert_true(rc == OK || rc == ERR_FORMAT);
        uint64_t whole = lines ? lines - 1 : 0;
        if (r.rows != whole && r.rows != whole + 1)
            fail_msg("%s cut at %zu: %" PRIu64 " rows of %" PRIu64 " whole lines", kind, cut, r.rows, whole);
        if (r.lost + k->notes[NOTE_TORN_FILE] + k->notes[NOTE_TORN_RECORD] > 2)
            fail_msg("%s cut at %zu: %" PRIu64 " lost", kind, cut, r.lost);
        rows_done(&r);
    }
}

/* Flip one bit, many times: no more than two records lost by it (the damaged line, and one that its
 * line end joined), never an error. */
static inline void case_flip_bits(const char *kind, parse_fn *parse, const char *text, int times)
{
    size_t n = strlen(text);
    char *copy = malloc(n + 1);
    uint64_t seed = 88172645463325252u, lines = 0, header = 0;
    struct rows r;

    assert_non_null(copy);
    lines = case_lines(text, n);
    header = (size_t)(strchr(text, '\n') - text) + 1;
    for (int k = 0; k < times; k++) {
        memcpy(copy, text, n + 1);
        size_t at = (size_t)(scratch_random(&seed) % n);
        copy[at] = (char)(copy[at] ^ (1 << (scratch_random(&seed) % 8)));
        int rc = case_parse(&r, kind, parse, copy, n, GEN_UNKNOWN);
        assert_true(rc == OK || (rc == ERR_FORMAT && at < header));
        if (rc == OK && r.rows + 2 < lines - 1)
            fail_msg("%s: a flip at %zu left %" PRIu64 " of %" PRIu64 " rows", kind, at, r.rows, lines - 1);
        rows_done(&r);
    }
    free(copy);
}

static inline void case_damage(const char *kind, parse_fn *parse, const char *text)
{
    case_cut_everywhere(kind, parse, text);
    case_flip_bits(kind, parse, text, 2000);
}

#endif
