/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One test of a filter over the rows of a view (doc/performance.md#tables): over the distinct texts of a
 * column, then over the rows by the numbers of their texts; over numbers; or over rows as text. It runs in
 * slices. Private to src/model/view.
 *
 * A test borrows its view and the filter it was made from.
 */
#ifndef NPUSCOPE_MODEL_VIEW_VIEW_TEST_H
#define NPUSCOPE_MODEL_VIEW_VIEW_TEST_H

#include "model/view/view_int.h"

enum hit { HIT_NO, HIT_YES, HIT_COSTLY, HIT_UNKNOWN };
enum test_kind {           /* cheap ones first: they leave less to the others */
                 BY_RANK,  /* the same for all rows of a rank */
                 BY_VALUE, /* comparisons of numbers */
                 BY_CODE,  /* distinct texts */
                 BY_ROW    /* text of a number, or of the whole row */
};

struct test {
    const struct filter_test *t;
    enum test_kind kind;
    size_t seq;                 /* position among the filters */
    size_t col;                 /* column of the rowsets; SIZE_MAX: the whole row */
    char *key;                  /* kind, column and texts searched, without negation */
    bool ready, pinned, done;   /* columns are there; everything is tested */
    uint8_t **hit;              /* BY_CODE: by part and code, not negated */
    struct texts_cursor cursor; /* of part cursor_part */
    size_t cursor_part;
    bool in_folder;  /* a plain text without '/': it occurs in the folder or after it, never across */
    uint8_t *folder; /* results by folder of that part */
    uint64_t *tested, *yes, *costly; /* BY_ROW: sets of rows, not negated */
    size_t part, at;                 /* progress */
};

/* Memory for the text of a row, shared by the tests of a filter. */
struct test_room {
    struct buf text;
    struct arena *arena;
    struct val *row;
};

NODISCARD int test_init(struct view *v, struct test *t, const struct filter_test *ft, struct err *e);
void test_done(struct view *v, struct test *t);
/* Keep only the results: columns may be freed, the filter will be. */
void test_retire(struct view *v, struct test *t);
/*
 * Read the columns until about until_ns and take over the results of older tests (NULL: none); t->ready when
 * that is done.
 */
NODISCARD int test_prepare(struct view *v, struct test *t, struct test *old, size_t n_old, int64_t until_ns,
                           struct err *e);
/* Test every row of sel until about until_ns; t->done when all have a result. */
NODISCARD int test_run(struct view *v, struct test *t, const uint64_t *sel, struct test_room *room,
                       int64_t until_ns, struct err *e);
/* Take the rows that do not pass out of sel; *undecided counts the rows without a result. */
NODISCARD int test_apply(struct view *v, const struct test *t, uint64_t *sel, size_t *undecided,
                         struct err *e);
/* Whether one row passes; it is tested if it has no result yet. */
NODISCARD int test_passes(struct view *v, struct test *t, struct test_room *room, uint32_t row, bool *out,
                          struct err *e);

#endif
