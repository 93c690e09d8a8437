/* SPDX-License-Identifier: Apache-2.0 */
/* From argv to an exit status. */
#include "config.h"

#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lang/tr.h"
#include "base/log.h"
#include "base/sig.h"
#include "base/text.h"
#include "cli/cmd/cmd.h"
#include "cli/complete.h"
#include "cli/msprof/msprof.h"
#include "cli/open.h"
#include "cli/out.h"
#include "parsers/logs/signatures_own.h"
#include "store/store.h"

/*
 * A closed standard descriptor would be taken by the next file that is opened, and then written over. The
 * descriptor that is put there refuses this use, so that a closed standard output is still an error.
 */
static void fill_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

static int run_command(struct cli *c, struct err *e)
{
    if (opt_is(&c->opts, OPT_HELP))
        return cmd_help(c, e);
    if (opt_is(&c->opts, OPT_VERSION))
        return cmd_version(c, e);
    return cmd_run(c, e);
}

/* What was printed before an error is still worth having, except in a file that would not be whole. */
static bool end_output(struct cli *c, struct err *e)
{
    struct err closing = ERR_INIT;
    bool gone = false;

    if (!c->out)
        return false;
    bool paged = out_is_paged(c->out);
    if (e->code && cli_output_path(&c->opts))
        out_abort(c->out);
    else if (out_close(c->out, &gone, &closing) && !e->code)
        *e = closing;
    c->out = NULL;
    if (gone && paged)
        err_clear(e); /* who leaves the pager has seen enough */
    return gone && !paged;
}

static int status_of(const struct cli *c, const struct err *e, bool gone)
{
    int signal = c->signal ? c->signal : sig_stop();

    if (e->code == ERR_CANCELLED && signal) {
        log_message(c->signal ? "interrupted: what is whole was kept, the next start reads the rest"
                              : "interrupted");
        return 128 + signal;
    }
    if (!e->code)
        return c->status;
    if (gone)
        return ST_FAILED; /* the reader has what it wanted */
    log_error(e);
    if (c->advice[0])
        log_message("%s", c->advice);
    if (e->code != ERR_USAGE)
        return ST_FAILED;
    if (c->opts.cmd && c->opts.cmd->name[0])
        log_message("see 'npuscope help %s'", c->opts.cmd->name);
    else
        log_message("see 'npuscope help'");
    return ST_USAGE;
}

/*
 * It had a store, and met damage in it, whether that became an error or not. The screen, which is the command
 * without a name, reads a run again by itself.
 */
static bool met_damage(const struct cli *c, const struct err *e)
{
    return e->code == ERR_STORE ||
           (c->session && c->opts.cmd->name[0] && store_damage_met() && e->code != ERR_CANCELLED);
}

/*
 * The command met a page of its store that is damaged: the store is removed, the run read again, and the
 * command done once more.
 */
static int run_again(struct cli *c, struct err *e)
{
    if (!opt_is(&c->opts, OPT_QUIET))
        log_message("the store is damaged: reading the run again");
    if (opt_is(&c->opts, OPT_DB))
        store_drop(opt_text(&c->opts, OPT_DB));
    run_close(c);
    store_damage_forget();
    c->status = ST_DONE;
    c->advice[0] = '\0';
    if (c->out)
        out_repeat(c->out);
    err_clear(e);
    return run_command(c, e);
}

/* What a shell asks; a reader that went away is no error. */
static int complete(int n, char *const *words)
{
    const struct out_opts opts = { .path = NULL };
    struct out *o = NULL;
    struct err e = ERR_INIT;
    bool gone;

    if (n < 1 || out_open(&o, &opts, &e))
        return ST_USAGE;
    tr_choose(NULL, cli_utf8());
    complete_words(o, words, (size_t)n);
    return out_close(o, &gone, &e) ? ST_FAILED : ST_DONE;
}

/* Errors of the options are said before the options are known. */
static void choose_messages(int argc, char *const *argv)
{
    bool ascii = !cli_utf8();

    for (int i = 1; i < argc; i++)
        ascii |= !strcmp(argv[i], "--ascii");
    log_text_flags(ascii ? TEXT_ASCII : 0);
    tr_choose_messages(!ascii);
}

int cli_main(int argc, char **argv, const struct cli_hooks *hooks)
{
    struct cli c = { .hooks = hooks, .command = run_command };
    struct err e = ERR_INIT;
    bool gone = false;

    fill_descriptors();
    choose_messages(argc, argv);
    if (argc > 1 && strcmp(argv[1], COMPLETE_WORD) == 0)
        return complete(argc - 2, argv + 2);
    if (msprof_wants(argc, argv))
        return msprof_main(argc, argv, hooks, cli_main);
    if (options_parse(&c.opts, argc, argv, getenv("NPUSCOPE_OPTIONS"), &e) == OK && cli_setup(&c, &e) == OK) {
        int rc = run_command(&c, &e);
        if (met_damage(&c, &e))
            rc = run_again(&c, &e);
        if (rc != OK)
            err_set(&e, ERR_BUG, "'%s' failed without a reason", c.opts.cmd->name);
    }
    gone = end_output(&c, &e);
    int status = status_of(&c, &e, gone);
    run_close(&c);
    signatures_own_free();
    options_done(&c.opts);
    return status;
}
