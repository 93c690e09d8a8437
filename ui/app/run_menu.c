/* SPDX-License-Identifier: Apache-2.0 */
/* The list of the runs of a folder (doc/screens.md#runs). */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/lang/tr.h"
#include "base/text.h"
#include "model/run_list.h"
#include "ui/app/app_int.h"

#define FRAME_W   6  /* cells of a line: frame, cursor, gap */
#define FIGURES_W 24 /* "999 steps  999.99 ms/step" */
#define FOLDER_W  14 /* of a folder that is cut; more is left to it where the time has no room beside it */

struct run_rows {
    size_t n, folder_w, when_w, ranks_w, state_w; /* cells of the widest of each */
    struct run_entry *v;
    struct rank_figures *figures;
};

void run_rows_free(struct run_rows *r)
{
    if (!r)
        return;
    free(r->v);
    free(r->figures);
    free(r);
}

static size_t wider(size_t w, size_t than)
{
    return w > than ? w : than;
}

static const char *many_of(const struct run_entry *r)
{
    return r->n_ranks > 1 && tr_is_english() ? "ranks" : "rank";
}

static void measure(struct run_rows *r, unsigned flags)
{
    for (size_t i = 0; r->v && i < r->n; i++) {
        const struct run_entry *v = &r->v[i];
        r->folder_w = wider(text_width(str_of(v->folder), flags), r->folder_w);
        r->when_w = wider(text_width(str_of(v->when), flags), r->when_w);
        r->ranks_w = wider(strlen(many_of(v)) + 1 + strlen(v->ranks), r->ranks_w);
        r->state_w = wider(strlen(run_state_word(v->state)), r->state_w);
    }
}

static int make_rows(struct app *a, struct err *e)
{
    struct run_rows *r = calloc(1, sizeof *r);

    run_rows_free(a->runs);
    a->runs = r;
    if (!r)
        return err_nomem(e);
    if (run_list_make(a->s, clock_ns(CLOCK_REALTIME), &r->v, &r->n, e))
        return e->code;
    r->figures = calloc(r->n + 1, sizeof *r->figures);
    if (!r->figures)
        return err_nomem(e);
    measure(r, a->flags);
    return OK;
}

static size_t rows_count(void *arg)
{
    const struct app *a = arg;
    return a->runs ? a->runs->n : 0;
}

/* The folder in w cells; where parts of a long path are cut each keeps its beginning. */
static void add_folder(const struct app *a, struct buf *b, const char *folder, size_t w)
{
    for (size_t used = text_clip(b, str_of(folder), w, CUT_PARTS, a->flags); used < w; used++)
        buf_addc(b, ' ');
}

/* Cells for folders; *when: and for the time. State and figures are never cut. */
static size_t room_for_folder(const struct app *a, bool *when)
{
    const struct run_rows *r = a->runs;
    const size_t rest = FRAME_W + FIGURES_W + 2 + r->ranks_w + 2 + r->state_w, with = rest + 2 + r->when_w,
                 cols = (size_t)a->cols;

    *when = cols >= with + (r->folder_w < FOLDER_W ? r->folder_w : FOLDER_W);
    size_t left = *when ? cols - with : cols > rest + FOLDER_W ? cols - rest : FOLDER_W;
    return r->folder_w < left ? r->folder_w : left;
}

/* "job4  2026-03-14 01:12:07 UTC  ranks 0-3   ANALYSED" */
static void rows_item(void *arg, size_t i, struct menu_item *out)
{
    struct app *a = arg;
    const struct run_entry *r = &a->runs->v[i];
    const char *state = run_state_word(r->state);
    const int ranks_w = (int)(a->runs->ranks_w - strlen(many_of(r)) - 1);
    bool when;
    size_t folder_w = room_for_folder(a, &when);
    struct buf b;

    figures_learn(a, r->rank, &a->runs->figures[i]);
    buf_init(&b, sizeof out->text - 1);
    if (a->cols < LIST_NARROW) {
        add_folder(a, &b, r->folder, a->runs->folder_w < FOLDER_W ? a->runs->folder_w : FOLDER_W);
        buf_printf(&b, "  %s", state);
    } else {
        add_folder(a, &b, r->folder, folder_w);
        if (when)
            buf_printf(&b, "  %s%*s", r->when, text_pad(r->when, a->runs->when_w), "");
        buf_printf(&b, "  %s %-*s  %s", many_of(r), ranks_w, r->ranks, state);
    }
    str_copy(buf_str(&b), out->text, sizeof out->text);
    buf_done(&b);
    out->strong = r->number == session_run(a->s, session_current(a->s));
    figures_text(a, &a->runs->figures[i], out->right, sizeof out->right);
}

static void go_to(struct app *a, const struct run_entry *r)
{
    const struct view_scope *s = session_scope(a->s);

    if (s->step0 != INT64_MIN || s->step1 != INT64_MAX) /* of the steps of another run */
        app_set_steps(a, INT64_MIN, INT64_MAX);
    app_select_rank(a, r->rank);
    app_say(a, ROLE_TEXT, "run %zu of %zu: %s, rank %d", r->number + 1, session_job(a->s)->n_runs, r->folder,
            session_rank(a->s, r->rank)->rank);
}

static bool rows_act(struct app *a, void *arg, enum action act, size_t i, size_t *cursor)
{
    (void)arg;
    (void)cursor;
    if (act != ACT_OPEN || i == SIZE_MAX)
        return false;
    go_to(a, &a->runs->v[i]);
    return true;
}

static const struct key_bar runs_bar[] = { { ACT_OPEN, ACT_NONE, "show this run" },
                                           { ACT_BACK, ACT_NONE, "close" } };
static const struct menu_ops runs_ops = { N_("Runs here"), N_("no runs"), runs_bar, ARRAY_LEN(runs_bar),
                                          rows_count,      rows_item,     rows_act };

void menu_runs(struct app *a)
{
    struct overlay *o;
    struct err e = ERR_INIT;
    size_t at = 0;

    if (make_rows(a, &e) == OK)
        while (at + 1 < a->runs->n && a->runs->v[at].number != session_run(a->s, session_current(a->s)))
            at++;
    if (e.code || overlay_menu(&o, &runs_ops, a, at, &e))
        app_say_err(a, &e);
    else
        app_overlay(a, o);
}

bool runs_are_several(const struct app *a)
{
    return session_job(a->s)->n_runs > 1;
}

void runs_offer(struct app *a)
{
    if (!a->o.run_given && session_n_ranks(a->s) && runs_are_several(a) && !a->overlay)
        menu_runs(a);
}

bool runs_want(const struct app *a, size_t unit)
{
    bool shown = a->runs && a->overlay && overlay_is(a->overlay, &runs_ops);

    for (size_t i = 0; shown && i < a->runs->n; i++)
        if (figures_want(a, a->runs->v[i].rank, unit))
            return true;
    return false;
}

void runs_command(struct app *a, struct str name)
{
    struct err e = ERR_INIT;
    size_t run = name.n ? run_list_find(a->s, name) : SIZE_MAX;

    if (!name.n) {
        menu_runs(a);
        return;
    }
    if (make_rows(a, &e))
        app_say_err(a, &e);
    for (size_t i = 0; !e.code && i < a->runs->n; i++)
        if (a->runs->v[i].number == run) {
            go_to(a, &a->runs->v[i]);
            return;
        }
    if (!e.code)
        app_say(a, ROLE_WARN, "there is no such run here; :run lists them");
}
