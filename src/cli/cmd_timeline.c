/* timeline: events as a table, cut by time and track, or as a trace for trace viewers. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/chrome.h"
#include "cli/cmd.h"
#include "cli/open.h"
#include "cli/window.h"

/* Alias of the events in the FROM part of each view (model/colset_time.c). */
static const struct {
    const char *view, *alias;
    bool has_dur;
} aliases[] = {
    { "timeline.events", "v", true },
    { "timeline.counters", "s", false },
};

/* A copy of the view with the window in its WHERE. where: its text, kept by the caller. */
static int cut(struct cli *c, const struct view_def *d, struct view_def *out, struct buf *where,
               struct err *e)
{
    const char *alias = NULL;
    bool has_dur = false;

    for (size_t i = 0; i < ARRAY_LEN(aliases); i++) {
        if (strcmp(aliases[i].view, d->id) == 0) {
            alias = aliases[i].alias;
            has_dur = aliases[i].has_dur;
        }
    }
    *out = *d;
    buf_puts(where, d->where ? d->where : "1");
    window_track(c, where);
    if (window_times(c, alias, has_dur, where, e))
        return (int)e->code;
    out->where = buf_str(where).p;
    return OK;
}

int cmd_timeline(struct cli *c, struct err *e)
{
    struct view_def own;
    struct buf where;

    buf_init(&where, 1 << 20);
    if (opt_is(&c->opts, OPT_CHROME) && opt_is(&c->opts, OPT_BY))
        err_set(e, ERR_USAGE, "--chrome writes the whole trace: leave out --by");
    if (e->code || run_open(c, cmd_arg(c, 0), e))
        goto out;
    const struct view_def *d = cmd_choose_view(c, c->opts.cmd, opt_text(&c->opts, OPT_BY), e);
    if (!d)
        goto out;
    if (opt_is(&c->opts, OPT_CHROME)) {
        if (cli_output(c, false, e) == OK && chrome_write(c, e) == OK)
            cmd_check_damage(c, PANE_BIT(PANE_TIME), false);
        goto out;
    }
    if (cut(c, d, &own, &where, e) == OK)
        (void)!cmd_print_view(c, &own, e);
out:
    buf_done(&where);
    return (int)e->code;
}
