/* SPDX-License-Identifier: Apache-2.0 */
/* argv -> command; joins the command line and the screen, which do not know each other. */
#include "config.h"

#include <string.h>

#include "analysis/checks.h"
#include "cli/cli.h"
#include "import/import.h"
#include "import/worker.h"
#include "ui/app/keys.h"
#include "ui/app/prefs.h"
#include "ui/ui.h"
#include "ui/widget/term.h"
#include "ui/widget/term_type.h"

static struct ui_opts screen_opts(const struct cli_screen *s)
{
    return (struct ui_opts){
        .session = s->session,
        .ascii = s->ascii,
        .utf8 = s->utf8,
        .mono = s->mono,
        .mouse = s->mouse,
        .slow = s->slow,
        .theme = s->theme,
        .pane = s->pane,
        .settings = s->settings,
        .logs = s->logs,
        .no_logs = s->no_logs,
        .no_state = s->no_state,
        .rank_given = s->rank_given,
        .run_given = s->run_given,
        .window_given = s->window_given,
        .bench_keys = s->bench_keys,
        .bench_line = s->bench_line,
        .load = s->load,
        .changed = s->changed,
        .found = s->found,
        .follow_ms = s->follow_ms,
        .job_workers = s->job_workers,
        .arg = s->arg,
    };
}

static int screen(const struct cli_screen *s, struct err *e)
{
    const struct ui_opts o = screen_opts(s);
    return ui_run(&o, e);
}

static int linear(const struct cli_screen *s, int rows, int cols,
                  void (*fn)(void *arg, const char *pane, struct str text), void *arg, struct err *e)
{
    const struct ui_opts o = screen_opts(s);
    return ui_screens(&o, rows, cols, fn, arg, e);
}

static int lines(const struct cli_screen *s, const struct cli_lines *io, struct err *e)
{
    const struct ui_opts o = screen_opts(s);
    const struct ui_lines l = { io->ask, io->say, io->arg, io->rows, io->cols };
    return ui_lines(&o, &l, e);
}

static bool key(size_t i, struct cli_key *out)
{
    if (i >= n_key_rows)
        return false;
    *out = (struct cli_key){ key_rows[i].name, key_rows[i].keys, key_rows[i].help,
                             key_group_title(key_rows[i].group) };
    return true;
}

static const char *role(size_t i)
{
    return i < N_ROLES ? theme_default.roles[i].name : NULL;
}

static int worker(int argc, char **argv)
{
    return worker_main(argc, argv, checks_keep);
}

int main(int argc, char **argv)
{
    static const struct cli_hooks hooks = { .screen = screen,
                                            .linear = linear,
                                            .lines = lines,
                                            .key = key,
                                            .role = role,
                                            .setting = prefs_check,
                                            .screen_library = term_library,
                                            .colours = term_type_colours,
                                            .after_import = checks_keep };

    if (argc > 1 && strcmp(argv[1], WORKER_COMMAND) == 0)
        return worker(argc, argv);
    worker_set_main(worker);
    return cli_main(argc, argv, &hooks);
}
