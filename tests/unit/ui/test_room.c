/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From 120x40 on every pane uses the room it has (doc/screens.md#room): in each of its views, over eight
 * runs, at most a fifth of the lines of the body is empty and at most 70 % of its cells are blank, as long as
 * there are rows that it does not show.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/path.h"
#include "import/overview.h"
#include "tests/unit/sample.h"
#include "tests/unit/ui/panes_case.h"

static const int sizes[][2] = { { 40, 120 }, { 50, 160 }, { 60, 200 } };

static const struct {
    const char *name;
    size_t copies;    /* in folders of their own, each a step longer */
    const char *keep; /* the files that are left of it begin so; NULL: all */
    struct demo_opts o;
} runs[] = {
    { "healthy, generation 1", 1, NULL, { .gen = 1, .ranks = 1, .steps = 12 } },
    { "healthy, generation 2", 1, NULL, { .gen = 2, .ranks = 1, .steps = 12 } },
    { "crashed, generation 1", 1, NULL, { .gen = 1, .raw = true, .ranks = 2, .steps = 6, .crash_step = 5 } },
    { "crashed, generation 2", 1, NULL, { .gen = 2, .raw = true, .ranks = 2, .steps = 6, .crash_step = 5 } },
    { "eight ranks", 1, NULL, { .gen = 2, .ranks = 8, .steps = 4 } },
    { "transformer", 1, NULL, { .gen = 2, .ranks = 2, .steps = 6, .model = DEMO_TRANSFORMER } },
    { "three runs", 3, NULL, { .gen = 2, .ranks = 2, .steps = 3 } },
    { "nearly empty", 1, "step_trace", { .gen = 1, .ranks = 1, .steps = 3 } },
};

/* ---- counting ---- */

struct room {
    int lines, empty; /* of the body */
    int cells, blank;
};

/* A cell that says nothing: a blank, or the line between a table and its card. */
static bool is_blank(const char *cell)
{
    return !strcmp(cell, " ") || !strcmp(cell, "│");
}

static struct room room_of(const struct app *a)
{
    struct screen_layout l;
    struct room r = { .lines = 0 };

    screen_layout(a->rows, a->cols, &l);
    for (int y = l.body.y; y < l.body.y + l.body.h; y++) {
        int used = 0;
        for (int x = l.body.x; x < l.body.x + l.body.w; x++)
            used += !is_blank(canvas_cell(a->c, y, x, NULL));
        r.lines++;
        r.cells += l.body.w;
        r.empty += !used;
        r.blank += l.body.w - used;
    }
    return r;
}

/* The pane has nothing that it could show in the room it leaves. */
static bool shows_all(struct pane *p)
{
    return !pane_has_data(p) || !p->room.hidden;
}

static int look(struct fixture *x, const char *run)
{
    struct pane *p = app_pane(x->a);
    const struct room r = room_of(x->a);

    if ((r.empty * 5 <= r.lines && r.blank * 10 <= r.cells * 7) || shows_all(p))
        return 0;
    print_message("%s, %dx%d, %s, %s: %d of %d lines are empty, %.1f%% of the cells blank\n", run, x->a->cols,
                  x->a->rows, p->def->title, pane_view_title(p), r.empty, r.lines, r.blank * 100.0 / r.cells);
    return 1;
}

static int look_at_views(struct fixture *x, const char *run, size_t *seen)
{
    struct pane *p = app_pane(x->a);
    size_t order[MAX_PANE_TABS], n = pane_order(p, true, order);
    int bad = look(x, run);

    for (size_t v = 0; v < n; v++) {
        assert_true(pane_set_view(p, order[v]));
        settle(x);
        bad += look(x, run);
    }
    *seen += n + 1;
    return bad;
}

/* ---- the runs ---- */

static const char *kept; /* of the files; NULL: all */

static int drop_others(const char *path, const struct stat *st, int type, struct FTW *f)
{
    (void)st;
    (void)f;
    return type != FTW_F || !kept || str_starts(str_of(path_base(path)), str_of(kept)) ? 0 : remove(path);
}

static void make_run(struct fixture *x, size_t i)
{
    struct err e = ERR_INIT;
    struct demo_opts o = runs[i].o;
    const char *tmp = getenv("TMPDIR");
    char path[300];

    snprintf(x->dir, sizeof x->dir, "%s/npuscope-room-XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(x->dir));
    for (size_t k = 0; k < runs[i].copies; k++, o.steps++) {
        snprintf(path, sizeof path, "%s/run%zu", x->dir, k);
        assert_int_equal(demo_write(&o, path, NULL, &e), OK);
    }
    kept = runs[i].keep;
    assert_int_equal(nftw(x->dir, drop_others, 16, FTW_PHYS), 0);
    open_session(x, x->dir);
}

/* The table of ranks is made from the overview of a job. */
static void add_overview(struct fixture *x)
{
    const struct job *j = session_job(x->s);
    struct overview_part parts[16] = { { .unit = NULL } };
    struct store *s = NULL;
    struct err e = ERR_INIT;
    char path[300], *keys[16];

    if (!overview_possible(j))
        return;
    assert_in_range(j->n_units, 1, ARRAY_LEN(parts));
    for (size_t u = 0; u < j->n_units; u++) {
        keys[u] = unit_input_key(j->units[u]);
        parts[u] =
            (struct overview_part){ .unit = j->units[u], .key = keys[u], .store = session_store(x->s, u) };
    }
    snprintf(path, sizeof path, "%s/overview", x->dir);
    assert_int_equal(overview_make(path, j, parts, j->n_units, NULL, 0, NULL, &e), OK);
    assert_int_equal(store_open(&s, path, false, &e), OK);
    session_attach_overview(x->s, s);
    for (size_t u = 0; u < j->n_units; u++)
        free(keys[u]);
}

static void panes_use_the_room_they_have(void **state)
{
    int bad = 0;
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(runs); i++) {
        struct fixture *x = calloc(1, sizeof *x);
        void *made = x;
        size_t seen = 0, step = sample_step(ARRAY_LEN(sizes)), first = step / 2;
        assert_non_null(x);
        make_run(x, i);
        add_overview(x);
        for (size_t k = first; k < ARRAY_LEN(sizes); k += step)
            for (int pane = 0; pane < N_PANES; pane++) {
                start(x, sizes[k][0], sizes[k][1], false);
                x->a->current = (enum pane_id)pane;
                settle(x);
                bad += look_at_views(x, runs[i].name, &seen);
                stop(x);
            }
        assert_true(seen > 2 * N_PANES * ARRAY_LEN(sizes) / step || runs[i].keep);
        teardown(&made);
    }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(panes_use_the_room_they_have) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
