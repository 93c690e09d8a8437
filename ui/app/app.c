/* SPDX-License-Identifier: Apache-2.0 */
/* The program around the panes: start, event loop, one redraw per batch of events. */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/lang/tr.h"
#include "base/log.h"
#include "base/path.h"
#include "base/read/infile.h"
#include "base/sig.h"
#include "ui/app/app_int.h"
#include "ui/app/bench.h"
#include "ui/app/prefs.h"
#include "ui/widget/term.h"
#include "ui/widget/term_link.h"

#define SLOW_REDRAW_MS 500

/* ---- life ---- */

void app_free(struct app *a)
{
    if (!a)
        return;
    worker_free(a->worker);
    jobread_free(a->job);
    windows_rows_free(a->windows);
    run_rows_free(a->runs);
    app_detach(a);
    app_logs_drop(a);
    prompt_free(a->prompt);
    overlay_free(a->overlay);
    for (int i = 0; i < N_PANES; i++) {
        pane_free(a->panes[i]);
        history_free(a->h_filter[i]);
    }
    history_free(a->h_command);
    history_free(a->h_search);
    history_free(a->h_text);
    history_free(a->h_sql);
    keymap_free(a->keys);
    canvas_free(a->c);
    free(a->tried);
    free(a);
}

/* Folders that the search below the path could not read: there may be ranks that are not listed. */
static void say_unseen(struct app *a)
{
    const struct job *j = session_job(a->s);
    const struct unread_folder *closed, *deep, *archive;
    size_t n = unread_count(j->unread, UNREAD_CLOSED, &closed);
    if (n == 1)
        app_say(a, ROLE_WARN, "%s: %s: what is in it is missing here", path_base(closed->path), closed->text);
    else if (n)
        app_say(a, ROLE_WARN, "%zu folders cannot be opened, %s first: what is in them is missing", n,
                path_base(closed->path));
    else if (unread_count(j->unread, UNREAD_DEEP, &deep))
        app_say(a, ROLE_WARN, "%s: %s: there may be more profiles", path_base(deep->path), deep->text);
    else if (j->cut)
        app_say(a, ROLE_WARN, "too many files to search: there may be more profiles here");
    else if ((n = unread_count(j->unread, UNREAD_ARCHIVE, &archive)) == 1)
        app_say(a, ROLE_INFO, "%s: %s", path_base(archive->path), archive->text);
    else if (n)
        app_say(a, ROLE_INFO, "%zu archives are not opened, %s first: the path of one opens it", n,
                path_base(archive->path));
}

static int no_theme(const char *name, struct err *e)
{
    (void)!prefs_check(&(struct setting_asked){ SETTING_THEME, N_SETTING_KINDS, str_of(name) }, e);
    return err_set(e, ERR_USAGE, "there is no theme '%s'", name);
}

static int app_init(struct app *a, const struct ui_opts *o, int rows, int cols, struct err *e)
{
    a->o = *o;
    a->s = o->session;
    a->rows = rows;
    a->cols = cols;
    a->theme = o->theme ? theme_find(o->theme) : &theme_default;
    if (!a->theme)
        return no_theme(o->theme, e);
    const struct pane_def *first = o->pane ? pane_def_by_word(str_of(o->pane)) : &pane_defs[PANE_TRIAGE];
    if (!first)
        return err_set(e, ERR_USAGE, "there is no pane '%s'", o->pane);
    a->current = first->id;
    a->tried = calloc(session_job(a->s)->n_units + 1, sizeof *a->tried);
    if (!a->tried)
        return err_nomem(e);
    if (canvas_new(&a->c, rows, cols, a->flags, e) || keymap_new(&a->keys, e) ||
        history_new(&a->h_command, HISTORY_MAX, e) || history_new(&a->h_search, HISTORY_MAX, e) ||
        history_new(&a->h_text, HISTORY_MAX, e) || history_new(&a->h_sql, HISTORY_MAX, e))
        return e->code;
    for (int i = 0; i < N_PANES; i++)
        if (pane_new(&a->panes[i], &pane_defs[i], a, e) || history_new(&a->h_filter[i], HISTORY_MAX, e))
            return e->code;
    if (prefs_take(a, e))
        return e->code;
    say_unseen(a);
    return OK;
}

struct app *app_new(const struct ui_opts *o, unsigned flags, int rows, int cols, struct err *e)
{
    struct app *a = calloc(1, sizeof *a);
    if (!a) {
        err_nomem(e);
        return NULL;
    }
    a->flags = flags;
    tr_choose(o->settings ? setting_get(o->settings, SETTING_LANGUAGE, NULL) : NULL, !(flags & TEXT_ASCII));
    a->links = -1;
    a->here_unit = SIZE_MAX;
    if (app_init(a, o, rows, cols, e)) {
        app_free(a);
        return NULL;
    }
    return a;
}

void app_frame(struct app *a, int *cy, int *cx)
{
    a->too_small = a->rows < MIN_ROWS || a->cols < MIN_COLS;
    app_refresh_facts(a);
    screen_draw(a, cy, cx);
    a->dirty = a->work_changed = false;
}

/* ---- drawing ---- */

#define SOON_MS 4
#define REST_MS 120

static int redraw(struct app *a, struct err *e)
{
    int cy, cx;
    busy_begin(a);
    canvas_set_mono(a->c, term_is_mono());
    canvas_set_links(a->c, term_has_links());
    app_frame(a, &cy, &cx);
    a->work_waits = true; /* until the pane reports that there is none */
    int rc = term_flush(a->c, cy, cx, e);
    a->link_due_ms = term_link_waits() ? app_now_ms() + REST_MS : 0;
    return rc;
}

static int resize(struct app *a, struct err *e)
{
    term_resize();
    term_size(&a->rows, &a->cols);
    a->dirty = true;
    return canvas_resize(a->c, a->rows, a->cols, e);
}

/* ---- events ---- */

static int take_signals(struct app *a, struct err *e)
{
    sig_drain();
    if (sig_stop())
        return err_set(e, ERR_CANCELLED, "ended by a signal");
    if (sig_take_tstp())
        term_suspend();
    bool size = sig_take_winch();
    if (sig_take_cont() || size)
        return resize(a, e);
    return OK;
}

bool app_rests_soon(int64_t took_ms)
{
    return took_ms <= SOON_MS;
}

void app_wait_rest(struct app *a, int64_t took_ms)
{
    a->rest_due_ms = app_now_ms() + (app_rests_soon(took_ms) ? 0 : REST_MS);
}

/* Take every key that waits before the next redraw (doc/performance.md#drawing). */
static int take_keys(struct app *a, struct err *e)
{
    struct key_event k;
    while (!a->quit && term_read(&k)) {
        busy_begin(a);
        app_key(a, &k);
    }
    if (term_lost())
        return err_set(e, ERR_IO, "the terminal went away");
    return OK;
}

static int sooner(int ms, int64_t due_ms)
{
    int64_t left = due_ms - app_now_ms();
    if (!due_ms)
        return ms;
    left = left < 0 ? 0 : left;
    return ms >= 0 && ms < left ? ms : (int)left;
}

/*
 * How long to sleep: without end, unless a filter line waits to be applied, the card beside the table to be
 * filled, or progress to be drawn.
 */
static int timeout_ms(struct app *a)
{
    int progress = app_progress(a);
    if (a->dirty || a->work_waits || term_keys_wait())
        return 0;
    return sooner(sooner(sooner(progress, a->filter_due_ms), a->rest_due_ms), a->link_due_ms);
}

static void do_what_is_due(struct app *a)
{
    if (a->filter_due_ms && app_now_ms() >= a->filter_due_ms)
        app_filter_now(a);
    if (a->rest_due_ms && app_now_ms() >= a->rest_due_ms && !a->dirty)
        pane_rested(app_pane(a));
    if (a->link_due_ms && app_now_ms() >= a->link_due_ms && !a->dirty) {
        a->link_due_ms = 0;
        term_rested(a->c);
    }
}

static int wait_events(struct app *a, struct err *e)
{
    struct pollfd f[3 + JOBREAD_WORKERS] = { { .fd = term_fd(), .events = POLLIN },
                                             { .fd = sig_pipe_fd(), .events = POLLIN },
                                             { .fd = -1, .events = POLLIN } };
    int job_ms, ms = timeout_ms(a), follow_ms = app_follow_ms(a), logs_ms = app_logs_ms(a);
    if (follow_ms >= 0 && (ms < 0 || follow_ms < ms))
        ms = follow_ms;
    if (logs_ms >= 0 && (ms < 0 || logs_ms < ms))
        ms = logs_ms;
    nfds_t n = 3 + app_job_waits(a, f + 3, JOBREAD_WORKERS, &job_ms);
    if (a->worker)
        f[2].fd = worker_fd(a->worker);
    if (poll(f, n, ms < 0 || (job_ms >= 0 && job_ms < ms) ? job_ms : ms) < 0 && errno != EINTR)
        return err_sys(e, errno, "waiting for a key");
    if (f[1].revents && take_signals(a, e))
        return e->code;
    if ((f[0].revents || term_keys_wait()) && take_keys(a, e))
        return e->code;
    busy_begin(a);
    do_what_is_due(a);
    if (f[2].fd >= 0)
        app_worker(a);
    app_job_step(a);
    app_follow(a);
    app_logs_step(a);
    if (a->work_waits && !a->dirty)
        a->work_waits = pane_work(app_pane(a));
    return OK;
}

static int loop(struct app *a, struct err *e)
{
    a->dirty = a->in_loop = true;
    while (!a->quit) {
        if (a->dirty && redraw(a, e))
            return e->code;
        app_repair(a);
        app_load_others(a);
        if (a->dirty) /* a store came from the cache: show it before waiting */
            continue;
        if (wait_events(a, e))
            return e->code;
        if (a->o.slow && a->dirty) { /* a slow link: more keys may come before the next frame */
            struct pollfd f = { .fd = term_fd(), .events = POLLIN };
            while (poll(&f, 1, SLOW_REDRAW_MS / 4) > 0 && !a->quit && !term_lost())
                if (take_keys(a, e))
                    return e->code;
        }
    }
    return OK;
}

/* ---- bench: keys from a file, one frame each ---- */

/* The import is done first, so that the figures are about drawing. */
static int wait_worker(struct app *a, struct err *e)
{
    while (a->worker && !a->quit)
        if ((a->dirty && redraw(a, e)) || wait_events(a, e))
            return e->code;
    return redraw(a, e);
}

static int bench_keys(struct app *a, struct bench *b, struct err *e)
{
    if (wait_worker(a, e) || bench_drawn(b, e)) /* the first frame does not answer a key */
        return e->code;
    bench_forget(b);
    while (!a->quit && bench_type(b, e) == 1) {
        if (a->work_waits) /* a key may have to wait for a slice of work */
            (void)pane_work(app_pane(a));
        if (take_keys(a, e))
            break;
        if (a->filter_due_ms)
            app_filter_now(a);
        do_what_is_due(a);
        if ((a->dirty && redraw(a, e)) || bench_drawn(b, e))
            break;
    }
    return e->code;
}

/* ---- entry points ---- */

static int open_screen(struct app *a, struct err *e)
{
    state_read(a);
    const struct term_opts t = { .theme = a->theme,
                                 .mono = a->o.mono,
                                 .mouse = a->o.mouse,
                                 .links = a->o.slow && a->links < 0 ? 0 : a->links };
    if (term_open(&t, e))
        return e->code;
    log_screen(1);
    term_size(&a->rows, &a->cols);
    return canvas_resize(a->c, a->rows, a->cols, e);
}

static int run(struct app *a, struct bench *b, struct err *e)
{
    if (open_screen(a, e))
        return e->code;
    if (session_n_ranks(a->s) && !session_store(a->s, session_rank(a->s, session_current(a->s))->unit))
        app_load(a, false);
    if (!b) {
        app_job_begin(a); /* not with the unit that is being read now */
        windows_offer(a);
        runs_offer(a); /* not over a list of windows */
    }
    app_follow_begin(a);
    session_progress(a->s, busy_tick, a);
    int rc = b ? bench_keys(a, b, e) : loop(a, e);
    session_progress(a->s, NULL, NULL);
    state_write(a); /* also when a signal ended it */
    return rc;
}

static void report(const struct ui_opts *o, struct bench *b)
{
    char line[400];
    bench_line(b, line, sizeof line);
    if (o->bench_line)
        o->bench_line(o->arg, line);
}

int ui_run(const struct ui_opts *o, struct err *e)
{
    struct app *a;
    struct bench *b = NULL;
    if (sig_init(true, e))
        return e->code;
    /* A theme or pane that does not exist is reported before the screen is taken. */
    a = app_new(o, term_locale(o->ascii, o->utf8), 24, 80, e);
    if (!a)
        return e->code;
    if (!o->bench_keys || bench_open(&b, o->bench_keys, e) == OK)
        (void)!run(a, b, e);
    term_close();
    log_screen(0);
    if (b) {
        bench_leave(b);
        if (!e->code)
            report(o, b);
    }
    bench_free(b);
    app_free(a);
    return e->code;
}

int ui_screens(const struct ui_opts *o, int rows, int cols,
               void (*fn)(void *arg, const char *pane, struct str screen), void *arg, struct err *e)
{
    struct app *a = app_new(o, o->ascii ? TEXT_ASCII : 0, rows, cols, e);
    struct buf b;
    if (!a)
        return e->code;
    buf_init(&b, (size_t)8 << 20);
    canvas_set_mono(a->c, true); /* text has no colours */
    for (int i = 0; i < N_PANES; i++) {
        int cy, cx;
        if (!app_lists_pane(a, (enum pane_id)i))
            continue;
        a->current = (enum pane_id)i;
        app_frame(a, &cy, &cx);
        buf_clear(&b);
        canvas_text(a->c, &b);
        fn(arg, pane_word(a->current), buf_str(&b));
    }
    buf_done(&b);
    app_free(a);
    return e->code;
}
