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

#include "base/log.h"
#include "base/sig.h"
#include "base/text.h"
#include "cli/cmd/cmd.h"
#include "cli/msprof/msprof.h"
#include "cli/open.h"
#include "cli/out.h"

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

int cli_main(int argc, char **argv, const struct cli_hooks *hooks)
{
    struct cli c = { .hooks = hooks };
    struct err e = ERR_INIT;
    bool gone = false;

    fill_descriptors();
    if (msprof_is(argc, argv))
        return msprof_main(argc, argv, hooks, cli_main);
    if (options_parse(&c.opts, argc, argv, getenv("NPUSCOPE_OPTIONS"), &e) == OK && cli_setup(&c, &e) == OK &&
        run_command(&c, &e) != OK)
        err_set(&e, ERR_BUG, "'%s' failed without a reason", c.opts.cmd->name);
    gone = end_output(&c, &e);
    int status = status_of(&c, &e, gone);
    run_close(&c);
    options_done(&c.opts);
    return status;
}
