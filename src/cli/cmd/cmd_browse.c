/* SPDX-License-Identifier: Apache-2.0 */
/* No command: the screen. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/cmd/cmd.h"
#include "cli/open.h"
#include "import/import.h"
#include "import/worker.h"

/* A path that does not exist may be a command that was mistyped. */
static int explain_path(struct cli *c, struct err *e)
{
    const char *path = cmd_arg(c, 0);
    const char *near =
        path && !strchr(path, '/') && access(path, F_OK) != 0 ? command_near(str_of(path)) : NULL;

    if (!near)
        return e->code;
    err_clear(e);
    return err_set(e, ERR_IO, "there is no file and no command '%s'; did you mean '%s'?", path, near);
}

#define FOLLOW_S 3

/* Files have come or grown: the facts of the unit are to be as new as the data that will be read. */
static int renew_unit(struct cli *c, size_t unit, struct err *e)
{
    struct job *now = NULL;

    if (import_search(&now, session_job(c->session)->units[unit]->root, false, e))
        return e->code;
    session_renew_unit(c->session, unit, now);
    return OK;
}

static void on_progress(void *arg, const struct import_progress *p)
{
    const struct read_watch *w = arg;
    struct worker_status s = { .done_b = p->done_b,
                               .total_b = p->total_b,
                               .files_done = p->files_done,
                               .files_total = p->files_total,
                               .last_rows = p->last_rows };

    snprintf(s.now, sizeof s.now, "%s", p->now ? p->now : "");
    snprintf(s.last, sizeof s.last, "%s", p->last ? p->last : "");
    w->progress(w->arg, &s);
}

static bool on_cancelled(void *arg)
{
    const struct read_watch *w = arg;

    return w->cancelled(w->arg);
}

static void read_here(struct cli *c, size_t unit, const struct read_watch *watch, struct err *e)
{
    struct read_watch w = *watch;
    const struct import_opts o = {
        .after = c->hooks->after_import, .progress = on_progress, .cancelled = on_cancelled, .arg = &w
    };
    struct store *s = NULL;
    bool partial = false;

    if (import_unit(session_job(c->session)->units[unit], &o, &s, &partial, e) == OK)
        session_attach_store(c->session, unit, s, partial);
}

/* The screen asks for a unit's store: from the cache, of a worker it follows, or read here into memory. */
static int load_unit(void *arg, size_t unit, bool again, const struct read_watch *watch, struct worker **out,
                     struct err *e)
{
    struct cli *c = arg;
    char path[1024];
    struct err why = ERR_INIT;

    *out = NULL;
    if (again && renew_unit(c, unit, e))
        return e->code;
    const struct unit *u = session_job(c->session)->units[unit];
    bool keep = !opt_is(&c->opts, OPT_NO_CACHE) && run_store_path(c, unit, path, sizeof path, &why) == OK;
    if (!keep) {
        read_here(c, unit, watch, e);
        return e->code;
    }
    struct store *kept = again ? NULL : run_current_store(c, unit, path);
    if (kept && !store_left(kept)) {
        session_attach_store(c->session, unit, kept, false);
        return OK;
    }
    store_close(kept); /* a worker adds what a command had left */
    store_damage_forget();
    if (run_check_db(c, path, e))
        return e->code;
    /* The store that is shown stays until the new one is whole. */
    const struct worker_opts o = { .unit_root = u->root,
                                   .store_path = path,
                                   .watched = !session_store(c->session, unit) };
    return worker_start(out, &o, e);
}

/* The store of the unit, shown or kept, is made from files with this key. */
static bool is_read(struct cli *c, size_t unit, const char *key)
{
    struct store *shown = session_store(c->session, unit), *kept = NULL;
    struct err ignored = ERR_INIT;
    char path[1024];

    if (shown)
        return store_is_current(shown, key);
    bool is = run_store_path(c, unit, path, sizeof path, &ignored) == OK &&
              store_open(&kept, path, false, &ignored) == OK && store_is_current(kept, key);
    store_close(kept);
    return is;
}

/* The folder is searched again: files may have come, grown or gone. */
static int unit_changed(void *arg, size_t unit, bool *changed, uint64_t *bytes, struct err *e)
{
    struct cli *c = arg;
    const char *root = session_job(c->session)->units[unit]->root;
    struct job *now = NULL;

    if (import_search(&now, root, false, e))
        return e->code;
    const struct unit *u = job_find_unit(now, root);
    char *key = u ? unit_input_key(u) : NULL;
    if (!u)
        err_set(e, ERR_IO, "the profile is not there any more");
    else if (!key)
        err_nomem(e);
    *changed = key && !is_read(c, unit, key);
    *bytes = u ? u->bytes : 0;
    free(key);
    job_free(now);
    return e->code;
}

/* Ranks that have come since the path was searched. */
static int find_ranks(void *arg, struct job **scan, struct err *e)
{
    const struct cli *c = arg;
    struct job *now = NULL;

    *scan = NULL;
    if (session_job(c->session)->only)
        return OK;
    if (import_search(&now, session_job(c->session)->path, !opt_is(&c->opts, OPT_NO_CACHE), e))
        return e->code;
    if (session_lacks(c->session, now, NULL))
        *scan = now;
    else
        job_free(now);
    return OK;
}

static void print_bench(void *arg, const char *line)
{
    struct cli *c = arg;
    struct err e = ERR_INIT;

    if (!c->out && cli_output(c, false, &e)) {
        log_error(&e);
        return;
    }
    out_printf(c->out, "%s\n", line);
}

/* Options, else the settings, else the locale. */
static bool is_ascii(const struct cli *c)
{
    if (opt_is(&c->opts, OPT_ASCII) || opt_is(&c->opts, OPT_UTF8) || !c->settings ||
        setting_is(c->settings, SETTING_SYMBOLS, "auto"))
        return opt_is(&c->opts, OPT_ASCII) || c->text_flags & TEXT_ASCII;
    return setting_is(c->settings, SETTING_SYMBOLS, "ascii");
}

static struct cli_screen screen_of(struct cli *c)
{
    return (struct cli_screen){
        .session = c->session,
        .ascii = is_ascii(c),
        .utf8 = !is_ascii(c),
        .mono = !c->color && !opt_is(&c->opts, OPT_BENCH_KEYS),
        .slow = opt_is(&c->opts, OPT_SLOW),
        /* The state lies in the cache's folder. */
        .logs = opt_text(&c->opts, OPT_LOGS),
        .no_logs = opt_is(&c->opts, OPT_NO_LOGS),
        .no_state = opt_is(&c->opts, OPT_NO_STATE) || opt_is(&c->opts, OPT_NO_CACHE),
        .rank_given = run_rank_given(c),
        .run_given = opt_is(&c->opts, OPT_RUN),
        .window_given = opt_is(&c->opts, OPT_WINDOW),
        .mouse = opt_is(&c->opts, OPT_NO_MOUSE) ? 0 : -1,
        .theme = opt_text(&c->opts, OPT_THEME),
        .pane = opt_text(&c->opts, OPT_PANE),
        .settings = c->settings,
        .bench_keys = opt_text(&c->opts, OPT_BENCH_KEYS),
        .bench_line = print_bench,
        .follow_ms = opt_is(&c->opts, OPT_FOLLOW) ? (int)opt_int(&c->opts, OPT_PERIOD, FOLLOW_S) * 1000 : 0,
        .job_workers = run_uses_cache(c) ? run_cpus() : 0,
        .load = load_unit,
        .changed = unit_changed,
        .found = find_ranks,
        .arg = c,
    };
}

/* ---- every pane as text ---- */

#define LINEAR_ROWS 50
#define LINEAR_COLS 100

static void print_pane(void *arg, const char *pane, struct str text)
{
    struct cli *c = arg;

    out_printf(c->out, "== %s ==\n", pane);
    out_add(c->out, text);
    out_puts(c->out, "\n");
}

/* ---- the screen as lines ---- */

#define LINES_ROWS 24

static bool ask_line(void *arg, struct buf *line)
{
    struct cli *c = arg;
    int ch;

    out_puts(c->out, "> ");
    if (!out_flush(c->out))
        return false;
    while ((ch = getchar()) != EOF && ch != '\n')
        buf_addc(line, (char)ch);
    return ch != EOF || line->n;
}

static int say_line(void *arg, struct str line, struct err *e)
{
    struct cli *c = arg;

    (void)e;
    out_add(c->out, line);
    out_puts(c->out, "\n");
    return OK;
}

static int print_linear(struct cli *c, struct err *e)
{
    if (run_open(c, cmd_arg(c, 0), e) && !run_scan_logs(c, cmd_arg(c, 0), e))
        return explain_path(c, e);
    cmd_read_settings(c);
    cli_signatures(c); /* while what is wrong with them can be said: the screen reads logs by itself */
    const struct cli_screen s = screen_of(c);
    bool asks = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    if (cli_output(c, !asks, e))
        return e->code;
    if (asks) {
        const struct cli_lines io = { ask_line, say_line, c, LINES_ROWS, LINEAR_COLS };
        return c->hooks->lines(&s, &io, e);
    }
    return c->hooks->linear(&s, LINEAR_ROWS, LINEAR_COLS, print_pane, c, e);
}

/* A job's windows are followed as lines; all else needs a screen. */
static int without_terminal(struct cli *c, struct err *e)
{
    struct err ignored = ERR_INIT;
    bool is = false;

    if (opt_is(&c->opts, OPT_FOLLOW) && cmd_follow_windows(c, &is, &ignored) != OK && is)
        *e = ignored;
    return is ? e->code : err_set(e, ERR_IO, "this needs a terminal, use 'npuscope report'");
}

int cmd_browse(struct cli *c, struct err *e)
{
    if (opt_is(&c->opts, OPT_LINEAR))
        return print_linear(c, e);
    if (cmd_arg(c, 0) && access(cmd_arg(c, 0), F_OK) != 0 && run_scan(c, cmd_arg(c, 0), e))
        return explain_path(c, e);
    if (!opt_is(&c->opts, OPT_BENCH_KEYS) && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)))
        return without_terminal(c, e);
    if (run_scan(c, cmd_arg(c, 0), e)) {
        if (!run_scan_logs(c, cmd_arg(c, 0), e))
            return explain_path(c, e);
    } else if (run_choose(c, false, e)) {
        return e->code;
    }
    if (opt_is(&c->opts, OPT_DB) && session_job(c->session)->n_units > 1)
        return err_set(e, ERR_USAGE, "--db names the store of one unit, and there are %zu here",
                       session_job(c->session)->n_units);
    cmd_read_settings(c);
    cli_signatures(c); /* while what is wrong with them can be said: the screen reads logs by itself */
    const struct cli_screen s = screen_of(c);
    int rc = c->hooks->screen(&s, e);
    run_age_cache(c);
    return rc;
}
