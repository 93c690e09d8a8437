/* SPDX-License-Identifier: Apache-2.0 */
/* The overview of a job of many units, for commands: made or brought up to date in the cache. */
#include "config.h"

#include <poll.h>
#include <stdio.h>

#include "analysis/checks.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/sig.h"
#include "cli/open.h"
#include "cli/progress.h"
#include "import/overview.h"
#include "import/worker.h"

static void report_problem(struct jobread *r)
{
    char why[300];

    if (jobread_problem(r, why, sizeof why))
        log_message("%s", why);
}

static int wait_more(struct jobread *r, struct err *e)
{
    struct pollfd p[JOBREAD_WORKERS + 1] = { { .fd = sig_pipe_fd(), .events = POLLIN } };
    int ms;
    nfds_t n = 1 + jobread_waits(r, p + 1, JOBREAD_WORKERS, clock_ns(CLOCK_MONOTONIC) / 1000000, &ms);

    poll(p, n, ms);
    return sig_stop() ? err_set(e, ERR_CANCELLED, "interrupted") : OK;
}

static int read_all(struct cli *c, struct jobread *r, struct err *e)
{
    struct progress shown;
    char label[80];
    size_t done = 0, of = 1;

    progress_begin(&shown, opt_is(&c->opts, OPT_QUIET));
    for (;;) {
        (void)jobread_step(r, SIZE_MAX, clock_ns(CLOCK_MONOTONIC) / 1000000, clock_ns(CLOCK_REALTIME));
        report_problem(r);
        done = jobread_done(r, &of);
        if (done == of || wait_more(r, e))
            break;
        snprintf(label, sizeof label, "small files of %zu of %zu units", done, of);
        progress_show(&shown, label, 0, 0);
    }
    progress_end(&shown);
    return e->code;
}

bool run_has_overview(const struct cli *c)
{
    return run_uses_cache(c) && overview_possible(session_job(c->session));
}

int run_overview(struct cli *c, unsigned jobs, struct err *e)
{
    struct jobread *r = NULL;
    struct store *s = NULL;

    if (jobread_new(&r, session_job(c->session), jobs, e))
        goto out;
    jobread_after(r, checks_keep_job);
    if (read_all(c, r, e))
        goto out;
    if (jobread_path(r)[0] && store_open(&s, jobread_path(r), false, e) == OK)
        session_attach_overview(c->session, s);
out:
    jobread_free(r);
    return e->code;
}
