/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a run for a command. */
#include "config.h"

#include "cli/open.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/job_logs.h"
#include "archive/copy.h"
#include "base/log.h"
#include "base/sig.h"
#include "cli/anonymise.h"
#include "cli/commands.h"
#include "cli/table.h"
#include "import/import.h"
#include "logs/log_files.h"
#include "run/find/discover.h"

int run_scan(struct cli *c, const char *path, struct err *e)
{
    const char *db = opt_text(&c->opts, OPT_DB);
    struct job *job = NULL;
    char root[1024] = "";

    if (!path && db && !*store_root(db, root, sizeof root) && access(db, F_OK) == 0) {
        err_set(e, ERR_VERSION, "does not say which run it was made from: give PATH too");
        err_where(e, db, ERR_NO_OFFSET, 0);
        return e->code;
    }
    const char *at = path ? path : root[0] ? root : ".";
    if (run_unpack(c, at, e))
        return e->code;
    if (opt_is(&c->opts, OPT_PREFER) && setenv(IMPORT_PREFER, opt_text(&c->opts, OPT_PREFER), 1) != 0)
        return err_nomem(e);
    if (import_search(&job, c->copy ? copy_path(c->copy) : at, !opt_is(&c->opts, OPT_NO_CACHE), e)) {
        if (c->copy) /* not where it was unpacked */
            str_copy(str_of(at), e->file, sizeof e->file);
        return e->code;
    }
    return session_new(&c->session, job, e);
}

#define LOG_NAMES_B ((size_t)64 << 20)

/* By names: they are read when the screen is up. */
static bool has_logs(const char *folder, struct err *e)
{
    struct log_list l = { .n = 0 };
    struct arena *a = NULL;
    bool has = arena_new(&a, LOG_NAMES_B, e) == OK && log_files_find(&l, folder, LOG_ALL, a, e) == OK && l.n;

    free(l.v);
    free(l.servers);
    arena_free(a);
    return has;
}

bool run_scan_logs(struct cli *c, const char *path, struct err *e)
{
    const char *folder = c->copy ? copy_path(c->copy) : path ? path : ".";
    struct err own = ERR_INIT;
    struct job *job = NULL;

    if (c->session || e->code != ERR_FORMAT || opt_is(&c->opts, OPT_NO_LOGS))
        return false;
    if (has_logs(folder, &own) && job_of_logs(&job, folder, c->copy ? path : NULL, &own) == OK &&
        session_new(&c->session, job, &own) == OK) {
        err_clear(e);
        return true;
    }
    if (own.code)
        *e = own;
    return false;
}

int run_units(const struct cli *c, struct run_load **out, size_t *n, struct err *e)
{
    struct run_load *l = calloc(c->n_ranks ? c->n_ranks : 1, sizeof *l);

    *n = 0;
    if (!l)
        return err_nomem(e);
    for (size_t i = 0; i < c->n_ranks; i++) {
        size_t unit = session_rank(c->session, c->ranks[i])->unit, k = 0;
        while (k < *n && l[k].unit != unit)
            k++;
        if (k == *n)
            l[(*n)++] = (struct run_load){ .unit = unit, .err = ERR_INIT };
    }
    *out = l;
    return OK;
}

static int load_chosen(struct cli *c, struct err *e)
{
    struct run_load *l = NULL;
    size_t n;

    if (run_units(c, &l, &n, e) == OK)
        (void)!run_load(c, l, n, e);
    free(l);
    return e->code;
}

/* A signal ends statements that take long. */
static bool stopped(void *arg)
{
    (void)arg;
    return sig_stop() != 0;
}

static int make_parts(struct cli *c, struct err *e)
{
    c->parts = calloc(c->n_ranks ? c->n_ranks : 1, sizeof *c->parts);
    if (!c->parts)
        return err_nomem(e);
    for (size_t i = 0; i < c->n_ranks; i++) {
        const struct session_rank *r = session_rank(c->session, c->ranks[i]);
        struct store *store = session_store(c->session, r->unit);
        c->parts[c->n_parts++] = (struct view_part){ .store = store, .rank = r->rank };
        store_progress(store, stopped, NULL);
    }
    return OK;
}

/* The folders that were left out for one reason, a line each; the rest as "and N more WHAT". */
static void report_each(const struct job *j, enum unread_why why, const char *more)
{
    size_t n = unread_count(j->unread, why, NULL), said = 0;

    for (const struct unread_folder *f = j->unread; f && said < TOLD_MAX; f = f->next)
        if (f->why == why && ++said)
            log_message("%s: %s", f->path, f->text);
    if (n > said)
        log_message("and %zu more %s", n - said, more);
}

/* They may hold ranks of the run, or be what it was unpacked from. */
static void report_archives(const struct job *j)
{
    const struct unread_folder *first;
    size_t n = unread_count(j->unread, UNREAD_ARCHIVE, &first);

    if (n == 1)
        log_message("%s: %s", first->path, first->text);
    else if (n)
        log_message("%s and %zu more archives: not opened, the path of one opens it", first->path, n - 1);
}

bool run_report_unread(const struct cli *c)
{
    const struct job *j = session_job(c->session);
    const struct unread_folder *deep;
    size_t closed = unread_count(j->unread, UNREAD_CLOSED, NULL);
    size_t n_deep = unread_count(j->unread, UNREAD_DEEP, &deep);

    if (!opt_is(&c->opts, OPT_QUIET)) {
        report_each(j, UNREAD_CLOSED, "folders could not be opened");
        report_archives(j);
        if (n_deep)
            log_message("%s: more than %d folders deep, %zu in all: not searched, there may be more profiles",
                        deep->path, DISCOVER_DOWN, n_deep);
        if (j->cut)
            log_message("%s: too many files to search: there may be more profiles, give their paths",
                        j->shown);
    }
    return closed || n_deep || j->cut;
}

void run_report_left_out(const struct cli *c)
{
    const struct job *j = session_job(c->session);
    const struct unread_folder *hidden;
    size_t n = unread_count(j->unread, UNREAD_HIDDEN, &hidden);

    if (opt_is(&c->opts, OPT_QUIET))
        return;
    report_each(j, UNREAD_LINK, "links to folders elsewhere were not followed");
    if (n)
        log_message("%s: its name begins with a point%s: not searched", hidden->path,
                    n > 1 ? ", as those of others do" : "");
}

/* A command about one pane reads what that needs; statements and whole reports need everything. */
static unsigned panes_not_shown(const struct command *cmd)
{
    switch (cmd->pane) {
    case PANE_OPS:
    case PANE_STEPS:
    case PANE_TIME:
    case PANE_FLOPS:
    case PANE_MEM:
    case PANE_DATA:
    case PANE_COMM:
    case PANE_HOST:
        return ~PANE_BIT(cmd->pane);
    default:
        return 0;
    }
}

/* What is asked for of a command's tables may come from the timeline. */
static unsigned panes_asked_for(const struct options *o)
{
    bool time = false;

    for (size_t i = 0; o->cmd->prefix && i < view_n_defs; i++)
        time |= command_has_view(o->cmd, view_defs[i]) && table_needs_time(view_defs[i], o);
    return time ? PANE_BIT(PANE_TIME) : 0;
}

int run_open(struct cli *c, const char *path, struct err *e)
{
    if (c->session)
        return OK;
    c->later = panes_not_shown(c->opts.cmd) & ~panes_asked_for(&c->opts);
    const char *ranks = opt_text(&c->opts, OPT_RANK);

    /* A file that cannot be made is reported now, not at the end of a long import. */
    if (cli_output_path(&c->opts) && cli_output(c, false, e))
        return e->code;
    if (run_scan(c, path, e))
        return e->code;
    /* "all" does not cover what could not be opened. */
    if (run_report_unread(c) && ranks && !strcmp(ranks, "all"))
        c->status = ST_DAMAGED;
    if (run_choose(c, c->all_ranks, e))
        return e->code;
    run_report_ranks(c);
    return load_chosen(c, e) || make_parts(c, e) ? e->code : OK;
}

void run_close(struct cli *c)
{
    anonymise_done(c);
    job_logs_free(c->logs);
    c->logs = NULL;
    log_verdict_free(c->folder_verdict);
    logs_free(c->folder_logs);
    c->folder_verdict = NULL;
    c->folder_logs = NULL;
    session_free(c->session);
    settings_free(c->settings);
    c->settings = NULL;
    copy_close(c->copy);
    c->copy = NULL;
    free(c->ranks);
    free(c->parts);
    c->session = NULL;
    c->ranks = NULL;
    c->parts = NULL;
    c->n_ranks = c->n_parts = 0;
}
