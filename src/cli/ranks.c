/* SPDX-License-Identifier: Apache-2.0 */
/* Which ranks of a job are meant. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/path.h"
#include "cli/open.h"
#include "model/run_list.h"
#include "model/windows.h"

/* The one rank of all files at or below the path that was given; false: none, or several. */
static bool rank_of_path(const struct job *j, int *rank)
{
    bool found = false;

    *rank = -1;
    for (size_t u = 0; u < j->n_units; u++) {
        for (size_t i = 0; i < j->units[u]->n_files; i++) {
            const struct source_file *f = j->units[u]->files[i];
            char path[PATH_MAX];
            if (f->rank < 0 || !f->regular || !path_is_below(unit_path_of(j->units[u], f, path), j->path))
                continue;
            if (found && *rank != f->rank)
                return false;
            *rank = f->rank;
            found = true;
        }
    }
    return found;
}

static void choose(struct cli *c, size_t index)
{
    for (size_t i = 0; i < c->n_ranks; i++)
        if (c->ranks[i] == index)
            return;
    c->ranks[c->n_ranks++] = index;
}

/* The i-th rank is of the run and the window that are asked for, if they are. */
static bool is_meant(const struct cli *c, size_t i)
{
    if (c->run != SIZE_MAX && session_run(c->session, i) != c->run)
        return false;
    return windows_fit(c->session, i, opt_text(&c->opts, OPT_WINDOW));
}

/* The first profile of a rank (-1: of any) that is meant, SIZE_MAX: none. */
static size_t find_rank(const struct cli *c, int64_t rank)
{
    for (size_t i = 0; i < session_n_ranks(c->session); i++)
        if ((rank < 0 || session_rank(c->session, i)->rank == rank) && is_meant(c, i))
            return i;
    return SIZE_MAX;
}

/* --window=A-B names a window that is there. */
static bool is_window_asked(const struct cli *c, struct window *w)
{
    size_t i = opt_is(&c->opts, OPT_WINDOW) ? find_rank(c, -1) : SIZE_MAX;

    return i != SIZE_MAX &&
           windows_unit(session_job(c->session)->units[session_rank(c->session, i)->unit], w);
}

static int no_window(const struct cli *c, struct err *e)
{
    struct buf all;

    buf_init(&all, 4096);
    windows_print(c->session, -1, &all);
    err_set(e, ERR_IO, "there is no window %s here%s%s", opt_text(&c->opts, OPT_WINDOW),
            all.n ? ", only " : ": this is no dynamic profile", all.n ? buf_str(&all).p : "");
    buf_done(&all);
    return e->code;
}

static int choose_number(struct cli *c, int64_t rank, struct err *e)
{
    size_t i = find_rank(c, rank);
    char all[120];

    if (i == SIZE_MAX) {
        struct window w;
        bool one = is_window_asked(c, &w);
        windows_ranks(c->session, one ? &w : NULL, all, sizeof all);
        return err_set(e, ERR_IO, "there is no rank %lld %s%s, only %s%s", (long long)rank,
                       one ? "in window " : "here", one ? opt_text(&c->opts, OPT_WINDOW) : "", all,
                       session_job(c->session)->n_runs > 1 ? "; --run=N chooses another run" : "");
    }
    choose(c, i);
    for (i++; c->run == SIZE_MAX && i < session_n_ranks(c->session); i++) /* of each run */
        if (session_rank(c->session, i)->rank == rank && is_meant(c, i))
            choose(c, i);
    return OK;
}

static int choose_list(struct cli *c, const char *list, struct err *e)
{
    int64_t a, b;
    bool bad = false;

    while (opt_rank_next(&list, &a, &b, &bad)) {
        if (b - a > 65536)
            return err_set(e, ERR_USAGE, "--rank names more ranks than there can be");
        for (; a <= b; a++)
            if (choose_number(c, a, e))
                return e->code;
    }
    return OK;
}

static int index_cmp(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return x < y ? -1 : x > y;
}

static int choose_device(struct cli *c, int64_t device, struct err *e)
{
    for (size_t i = 0; i < session_n_ranks(c->session); i++)
        if (session_rank_device(session_rank(c->session, i)) == device && is_meant(c, i))
            choose(c, i);
    if (!c->n_ranks)
        return err_set(e, ERR_IO, "no rank here ran on device %lld: 'npuscope files' shows devices",
                       (long long)device);
    return OK;
}

/* The run of the rank folder that PATH is, or lies in; SIZE_MAX: of none. */
static size_t run_around_path(const struct cli *c)
{
    const struct job *j = session_job(c->session);

    for (size_t i = 0; i < session_n_ranks(c->session); i++)
        if (path_is_below(j->path, j->units[session_rank(c->session, i)->unit]->root))
            return session_run(c->session, i);
    return SIZE_MAX;
}

/*
 * --run, else the run that PATH belongs to or that comes first; of all_runs SIZE_MAX. Its lowest rank is
 * selected: lists are of the run of the selected rank.
 */
static int choose_run(struct cli *c, struct err *e)
{
    const char *name = opt_text(&c->opts, OPT_RUN);
    const size_t n = session_n_ranks(c->session);
    int rank;

    c->run = SIZE_MAX;
    if (name) {
        c->run = run_list_find(c->session, str_of(name));
        if (c->run == SIZE_MAX)
            return err_set(e, ERR_IO, "there is no run '%.100s' here: 'npuscope triage' lists %s", name,
                           session_job(c->session)->n_runs > 1 ? "them" : "the one");
    }
    if (!name && c->all_runs) {
        c->run = run_around_path(c);
    } else if (n && c->run == SIZE_MAX) {
        size_t first = rank_of_path(session_job(c->session), &rank) ? find_rank(c, rank) : find_rank(c, -1);
        c->run = session_run(c->session, first == SIZE_MAX ? 0 : first);
    }
    for (size_t i = 0; i < n; i++)
        if (session_run(c->session, i) == c->run) {
            session_select(c->session, i);
            break;
        }
    return OK;
}

int run_choose(struct cli *c, bool all, struct err *e)
{
    const char *list = opt_text(&c->opts, OPT_RANK);
    size_t n = session_n_ranks(c->session);
    int rank = 0;

    c->ranks = calloc(n ? n : 1, sizeof *c->ranks);
    c->n_ranks = 0;
    if (!c->ranks)
        return err_nomem(e);
    if (choose_run(c, e))
        return e->code;
    if (opt_is(&c->opts, OPT_WINDOW) && find_rank(c, -1) == SIZE_MAX)
        return no_window(c, e);
    if (opt_is(&c->opts, OPT_DEVICE)) {
        if (choose_device(c, opt_int(&c->opts, OPT_DEVICE, 0), e))
            return e->code;
    } else if (list ? strcmp(list, "all") == 0 : all || n == 1) {
        for (size_t i = 0; i < n; i++)
            if (is_meant(c, i))
                choose(c, i);
    } else if (list) {
        if (choose_list(c, list, e))
            return e->code;
        qsort(c->ranks, c->n_ranks, sizeof *c->ranks, index_cmp);
    } else if (rank_of_path(session_job(c->session), &rank) && find_rank(c, rank) != SIZE_MAX) {
        choose(c, find_rank(c, rank));
    } else if (n) {
        choose(c, find_rank(c, -1));
    }
    if (c->n_ranks)
        session_select(c->session, c->ranks[0]);
    return OK;
}

bool run_rank_given(const struct cli *c)
{
    int rank;

    return opt_is(&c->opts, OPT_RANK) || opt_is(&c->opts, OPT_DEVICE) ||
           rank_of_path(session_job(c->session), &rank);
}

/* Profiles of this rank and run that the path holds: one of each window. */
static size_t count_windows(const struct session *s, size_t index)
{
    const struct job *j = session_job(s);
    size_t n = 0;

    for (size_t i = 0; i < session_n_ranks(s); i++) {
        const struct session_rank *r = session_rank(s, i);
        n += r->rank == session_rank(s, index)->rank && session_run(s, i) == session_run(s, index) &&
             path_is_below(j->units[r->unit]->root, j->path);
    }
    return n;
}

/* Of several windows of a rank: which one this is, and how to see another. */
static void report_profile(const struct cli *c, size_t index)
{
    const struct session *s = c->session;
    const struct session_rank *r = session_rank(s, index);
    const struct unit *u = session_job(s)->units[r->unit];
    size_t n = count_windows(s, index);
    struct window w;
    struct buf all;

    if (n < 2 || opt_is(&c->opts, OPT_WINDOW))
        return;
    if (!windows_unit(u, &w))
        return;
    buf_init(&all, 4096);
    windows_print(s, r->rank, &all);
    log_message("this is window %" PRId64 "-%" PRId64 " of rank %d; there are %s: --window=START-STOP shows "
                "another",
                w.start, w.stop, r->rank, buf_str(&all).p);
    buf_done(&all);
}

void run_report_ranks(const struct cli *c)
{
    const struct session *s = c->session;
    bool chosen = opt_is(&c->opts, OPT_RANK) || opt_is(&c->opts, OPT_DEVICE);
    char there[120], folder[512];
    int ignored;

    if (opt_is(&c->opts, OPT_QUIET) || c->n_ranks == session_n_ranks(s))
        return;
    if (session_job(s)->n_runs > 1 && !opt_is(&c->opts, OPT_RUN) && c->n_ranks)
        log_message("this is run %zu of %zu, %s: --run=N shows another", c->run + 1, session_job(s)->n_runs,
                    run_list_folder(s, c->run, folder, sizeof folder));
    if (!chosen && !rank_of_path(session_job(s), &ignored) && session_n_beside(s) > c->n_ranks) {
        windows_ranks(s, NULL, there, sizeof there);
        log_message("this is rank %d; there are ranks %s: --rank=LIST or --rank=all shows others",
                    session_rank(s, c->ranks[0])->rank, there);
    }
    for (size_t i = 0; i < c->n_ranks; i++)
        report_profile(c, c->ranks[i]);
}
