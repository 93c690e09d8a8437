/* SPDX-License-Identifier: Apache-2.0 */
/* windows: the windows of a job that is profiled while it runs. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/lang/tr.h"
#include "base/log.h"
#include "base/sig.h"
#include "base/unit.h"
#include "cli/cmd/cmd.h"
#include "model/live.h"

#define PERIOD_S 3

static const struct view_col cols[] = {
    CMD_NUMBER("start", "Start", VU_NONE, "first step of the window"),
    CMD_NUMBER("stop", "Stop", VU_NONE, "its last step"),
    CMD_NUMBER("rank", "Rank", VU_NONE, "rank; none: the window is asked for and not there"),
    CMD_TEXT(
        "state", "State",
        "waiting, collecting, analysing, collected (and not analysed), analysed, or interrupted: it has no "
        "sign of an end and does not grow"),
    CMD_TEXT("changed", "Changed (UTC)", "when something in it changed last, UTC"),
    CMD_TEXT("folder", "Folder", "its folder; of one that is not there the configuration that asks for it"),
};

static int print_table(struct cli *c, const struct live *l, struct err *e)
{
    const struct view_col *place[ARRAY_LEN(cols)];
    struct writer *w = NULL;
    char when[40];

    if (cmd_table_begin(c, &w, "windows", cols, place, ARRAY_LEN(cols), e))
        goto out;
    for (size_t i = 0; i < l->n; i++) {
        const struct live_window *v = &l->v[i];
        unit_utc(when, sizeof when, v->changed_ns, 0);
        const struct val row[] = { val_int(v->start), val_int(v->stop),
                                   val_int(v->rank),  val_cstr(tr(live_phase_word(v->phase))),
                                   val_cstr(when),    val_cstr(v->name) };
        if (writer_row(w, row, e))
            goto out;
    }
    if (l->asked && l->phase == LIVE_WAITING) {
        const struct val row[] = { val_int(l->start), val_int(l->stop),
                                   val_null(),        val_cstr(tr(live_phase_word(l->phase))),
                                   val_null(),        val_cstr(l->config) };
        (void)!writer_row(w, row, e);
    }
out:
    return cmd_table_end(w, e);
}

/* ---- follow ---- */

static const struct live_window *find(const struct live *l, const char *name)
{
    for (size_t i = 0; l && i < l->n; i++)
        if (!strcmp(l->v[i].name, name))
            return &l->v[i];
    return NULL;
}

static void print_line(struct cli *c, int64_t now_ns, const char *text)
{
    char when[40];

    unit_utc(when, sizeof when, now_ns, 0);
    out_printf(c->out, "%s UTC  %s\n", when, text);
}

/* Lines for what is new or has changed; was NULL: for all. */
static void print_changes(struct cli *c, const struct live *was, const struct live *l, int64_t now_ns)
{
    struct buf now, before;
    char text[200];

    for (size_t i = 0; i < l->n; i++) {
        const struct live_window *v = &l->v[i], *old = find(was, v->name);
        if (old && old->phase == v->phase)
            continue;
        snprintf(text, sizeof text, tr("window %" PRId64 "-%" PRId64 "  rank %d  %s"), v->start, v->stop,
                 v->rank, tr(live_phase_word(v->phase)));
        print_line(c, now_ns, text);
    }
    buf_init(&now, 400);
    buf_init(&before, 400);
    live_next_text(l, &now);
    if (was)
        live_next_text(was, &before);
    if (now.n && (!was || !str_eq(buf_str(&now), buf_str(&before))))
        print_line(c, now_ns, now.p);
    buf_done(&now);
    buf_done(&before);
}

/* Sleep for a period; false: a signal has come. */
static bool wait_for(int64_t seconds)
{
    for (int64_t tenths = seconds * 10; tenths > 0 && !sig_stop(); tenths--) {
        const struct timespec tenth = { .tv_nsec = 100000000 };
        nanosleep(&tenth, NULL);
    }
    return !sig_stop();
}

static int follow(struct cli *c, const char *path, struct err *e)
{
    int64_t period = opt_int(&c->opts, OPT_PERIOD, PERIOD_S);
    struct live was = { 0 }, now;
    bool first = true;

    if (opt_text(&c->opts, OPT_FORMAT) && strcmp(opt_text(&c->opts, OPT_FORMAT), "text") != 0)
        return err_set(e, ERR_USAGE, "--follow prints lines of text; without it every --format is there");
    cmd_choose_language(c);
    if (cli_output(c, false, e))
        return e->code;
    do {
        int64_t now_ns = clock_ns(CLOCK_REALTIME);
        if (live_look(&now, path, now_ns, e)) {
            live_done(&now);
            break;
        }
        print_changes(c, first ? NULL : &was, &now, now_ns);
        live_done(&was);
        was = now;
        first = false;
    } while (out_flush(c->out) && wait_for(period));
    live_done(&was);
    if (!e->code && sig_stop())
        err_set(e, ERR_CANCELLED, "interrupted");
    return e->code;
}

int cmd_follow_windows(struct cli *c, bool *is, struct err *e)
{
    const char *path = cmd_arg(c, 0) ? cmd_arg(c, 0) : ".";
    struct live l;

    *is = live_look(&l, path, clock_ns(CLOCK_REALTIME), e) == OK && (l.n || l.config[0]);
    live_done(&l);
    return *is ? follow(c, path, e) : e->code;
}

int cmd_windows(struct cli *c, struct err *e)
{
    const char *path = cmd_arg(c, 0) ? cmd_arg(c, 0) : ".";
    struct live l;

    if (opt_is(&c->opts, OPT_FOLLOW))
        return follow(c, path, e);
    if (live_look(&l, path, clock_ns(CLOCK_REALTIME), e) == OK) {
        if (!l.n && !l.config[0])
            err_set(e, ERR_IO, "there are no windows of a dynamic profile here, and no profiler_config.json");
        else if (print_table(c, &l, e) == OK && l.config[0] && !l.asked && !opt_is(&c->opts, OPT_QUIET))
            log_message("%s asks for no window", l.config);
        if (l.cut)
            log_message("only the first folders were looked at: there are more");
    }
    if (e->code)
        err_where(e, path, ERR_NO_OFFSET, 0);
    live_done(&l);
    return e->code;
}
