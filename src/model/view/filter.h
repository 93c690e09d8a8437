/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The filter language (doc/screens.md#filters): text to a list of tests on columns. Compiling needs the
 * columns of a view. The view does the matching: it runs a test over distinct texts or over numbers.
 */
#ifndef NPUSCOPE_MODEL_VIEW_FILTER_H
#define NPUSCOPE_MODEL_VIEW_FILTER_H

#include <stdbool.h>

#include "base/re.h"
#include "base/val.h"

struct view_def;

enum filter_op {
    FO_TEXT, /* one of several substrings, case-insensitive, of the main column */
    FO_RE,
    FO_EQ,
    FO_LT,
    FO_LE,
    FO_GT,
    FO_GE,
    FO_IN,
    FO_BETWEEN,
    FO_ROW_RE /* regex on the whole row */
};

#define FILTER_RANK (-3) /* the column that tables over several ranks begin with */

struct filter_test {
    enum filter_op op;
    bool negate;
    int col;           /* index in the view's columns; -1 for FO_ROW_RE, FILTER_RANK: the rank */
    struct re *re;     /* FO_RE, FO_ROW_RE; FO_TEXT: all alternatives, NULL: compare them one by one */
    struct str *texts; /* FO_TEXT, FO_EQ, FO_IN: alternatives */
    double *numbers;   /* texts as numbers in the column's own unit; NAN: not a number */
    size_t n;
    double lo, hi;     /* for comparisons and between */
    struct str source; /* text of this test, for the chip */
};

struct filter {
    struct filter_test *tests;
    size_t n;
};

/*
 * Compile one input line: tests separated by blanks that are not inside quotes or slashes nor after an
 * operator; `!` negates. On ERR_USAGE e->offset is the position in the line. Units: 100us, 1MiB, 10%
 * (doc/screens.md#filters). *out is owned by the caller.
 */
NODISCARD int filter_parse(struct filter **out, struct str line, const struct view_def *def, struct err *e);
void filter_free(struct filter *f);

/* Call this before a test is run over many values: a regular expression may take its full time again. */
void filter_renew(const struct filter_test *t);
/*
 * Test a value, with negation: a text (-1: too costly), a number that is not whole, a whole number (exactly),
 * an unknown value.
 */
int filter_text(const struct filter_test *t, struct str value);
bool filter_number(const struct filter_test *t, double value);
bool filter_whole(const struct filter_test *t, int64_t value);
bool filter_unknown(const struct filter_test *t);
/* For a test on the rank (col is FILTER_RANK): whether rows of this rank pass. */
bool filter_rank(const struct filter_test *t, int rank);

/*
 * Completion at byte pos of line: call fn with each candidate for the word there; *from is where the word
 * starts.
 */
void filter_complete(struct str line, size_t pos, const struct view_def *def, size_t *from,
                     void (*fn)(void *arg, struct str word), void *arg);

#endif
