/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For tests of the program without a terminal, over profiles that the demo wrote: keys go in, screens come
 * out. Include after cmocka.h.
 */
#ifndef NPUSCOPE_TESTS_UNIT_UI_PANES_CASE_H
#define NPUSCOPE_TESTS_UNIT_UI_PANES_CASE_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "demo/demo.h"
#include "import/import.h"
#include "tests/unit/ui/screen_text.h"
#include "ui/app/app_int.h"

struct fixture {
    char dir[256];
    struct session *s;
    struct app *a;
};

static inline int remove_one(const char *path, const struct stat *st, int type, struct FTW *f)
{
    (void)st;
    (void)type;
    (void)f;
    return remove(path);
}

/* Every unit of the profile, imported in memory. */
static inline void open_session(struct fixture *x, const char *path)
{
    struct err e = ERR_INIT;
    struct job *j;
    const struct import_opts o = { .progress = NULL };
    assert_int_equal(import_scan(&j, path, &e), OK);
    assert_int_equal(session_new(&x->s, j, &e), OK);
    for (size_t u = 0; u < j->n_units; u++) {
        struct store *store = NULL;
        bool partial;
        assert_int_equal(import_unit(j->units[u], &o, &store, &partial, &e), OK);
        session_attach_store(x->s, u, store, false);
    }
}

static inline int setup_demo(void **state, const struct demo_opts *o)
{
    struct err e = ERR_INIT;
    struct fixture *x = calloc(1, sizeof *x);
    const char *tmp = getenv("TMPDIR");
    snprintf(x->dir, sizeof x->dir, "%s/npuscope-panes-XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(x->dir));
    char path[300];
    snprintf(path, sizeof path, "%s/run", x->dir);
    assert_int_equal(demo_write(o, path, NULL, &e), OK);
    open_session(x, path);
    *state = x;
    return 0;
}

static inline int setup_gen(void **state, int gen)
{
    return setup_demo(state, &(struct demo_opts){ .gen = gen, .ranks = 2, .steps = 6 });
}

static inline int setup_gen1(void **state)
{
    return setup_gen(state, 1);
}

static inline int setup_gen2(void **state)
{
    return setup_gen(state, 2);
}

static inline int teardown(void **state)
{
    struct fixture *x = *state;
    session_free(x->s);
    nftw(x->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(x);
    return 0;
}

static inline void start(struct fixture *x, int rows, int cols, bool ascii)
{
    struct err e = ERR_INIT;
    const struct ui_opts o = { .session = x->s, .no_state = true, .no_logs = true };
    x->a = app_new(&o, ascii ? TEXT_ASCII : 0, rows, cols, &e);
    assert_non_null(x->a);
}

static inline void stop(struct fixture *x)
{
    app_free(x->a);
    x->a = NULL;
    session_scope(x->s)->step0 = INT64_MIN;
    session_scope(x->s)->step1 = INT64_MAX;
}

static inline void frame(struct fixture *x)
{
    int cy, cx;
    app_frame(x->a, &cy, &cx);
}

/* Everything that waits is done: the tables below the one in front are read. */
static inline void settle(struct fixture *x)
{
    do {
        frame(x);
        pane_rested(app_pane(x->a));
        while (!x->a->dirty && pane_work(app_pane(x->a)))
            ;
    } while (x->a->dirty);
}

/* Key names separated by blanks; a frame after each, as on the screen. */
static inline void press(struct fixture *x, const char *keys)
{
    struct str rest = str_of(keys), word;
    while (str_next(&rest, ' ', &word)) {
        struct key_event k = { .code = key_parse(word) };
        if (!k.code)
            fail_msg("'%.*s' is no key", (int)word.n, word.p);
        app_key(x->a, &k);
        if (x->a->filter_due_ms)
            app_filter_now(x->a);
        frame(x);
    }
}

static inline void type(struct fixture *x, const char *text)
{
    for (; *text; text++) {
        struct key_event k = { .code = (unsigned char)*text };
        app_key(x->a, &k);
        if (x->a->filter_due_ms)
            app_filter_now(x->a);
    }
    frame(x);
}

static inline void shows(struct fixture *x, const char *text)
{
    if (canvas_has(x->a->c, text))
        return;
    struct buf b;
    buf_init(&b, (size_t)1 << 20);
    canvas_text(x->a->c, &b);
    print_message("%s", b.p);
    buf_done(&b);
    fail_msg("the screen does not show '%s'", text);
}

static inline void shows_not(struct fixture *x, const char *text)
{
    if (canvas_has(x->a->c, text))
        fail_msg("the screen shows '%s'", text);
}

static inline void go_to_view(struct fixture *x, const char *tab)
{
    for (size_t i = 0; i < MAX_PANE_TABS && !canvas_has(x->a->c, tab); i++)
        press(x, "v");
    settle(x);
    shows(x, tab);
}

#endif
