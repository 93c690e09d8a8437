/* SPDX-License-Identifier: Apache-2.0 */
/* timeline: events as a table, cut by time and track, or as a trace for trace viewers. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/anonymise.h"
#include "cli/cmd/cmd.h"
#include "cli/open.h"
#include "cli/window.h"
#include "model/timeline/chrome.h"

/* Alias of the events in the FROM part of each view (model/views/colset_time.c). */
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
        return e->code;
    out->where = buf_str(where).p;
    return OK;
}

/* ---- as a trace ---- */

struct trace_part {
    struct timeline *tl;
    size_t *tracks;
    char label[32];
};

/* Which tracks --track means; none given: all. */
static int choose_tracks(struct cli *c, const struct view_part *p, struct trace_part *t,
                         struct chrome_part *out, struct err *e)
{
    size_t n = timeline_n_tracks(t->tl);
    struct query *q = NULL;
    struct buf sql;

    if (!opt_is(&c->opts, OPT_TRACK))
        return OK;
    t->tracks = calloc(n ? n : 1, sizeof *t->tracks);
    if (!t->tracks)
        return err_nomem(e);
    buf_init(&sql, 1 << 20);
    buf_puts(&sql, "SELECT 1 FROM track t WHERE t.id = :id");
    window_track(c, &sql);
    if (buf_failed(&sql))
        err_nomem(e);
    else
        (void)!store_query(p->store, &q, buf_str(&sql).p, e);
    for (size_t i = 0; i < n && !e->code; i++) {
        query_reset(q);
        query_bind_int(q, ":id", timeline_track(t->tl, i)->id);
        if (query_step(q, e) == 1)
            t->tracks[out->n_tracks++] = i;
    }
    query_free(q);
    buf_done(&sql);
    out->tracks = t->tracks;
    return e->code;
}

static int make_part(struct cli *c, const struct view_part *p, struct trace_part *t, struct chrome_part *out,
                     struct err *e)
{
    *out = (struct chrome_part){ .store = p->store, .rank = p->rank };
    if (timeline_open(&t->tl, &p->store, &p->rank, 1, e) || window_of(c, p, &out->from_ns, &out->to_ns, e))
        return e->code;
    out->tl = t->tl;
    if (c->n_parts > 1) {
        snprintf(t->label, sizeof t->label, "rank %d ", p->rank);
        out->label = t->label;
    }
    return choose_tracks(c, p, t, out, e);
}

static int write_trace(struct cli *c, struct err *e)
{
    size_t n = c->n_parts;
    struct trace_part *t = calloc(n ? n : 1, sizeof *t);
    struct chrome_part *parts = calloc(n ? n : 1, sizeof *parts);

    if (!t || !parts)
        err_nomem(e);
    for (size_t i = 0; i < n && !e->code; i++)
        (void)!make_part(c, &c->parts[i], &t[i], &parts[i], e);
    const struct write_to to = out_writer(c->out);
    if (!e->code)
        (void)!chrome_write(parts, n, &to, NULL, e);
    for (size_t i = 0; t && i < n; i++) {
        timeline_close(t[i].tl);
        free(t[i].tracks);
    }
    free(t);
    free(parts);
    return e->code;
}

static int check_usage(const struct cli *c, struct err *e)
{
    static const enum opt_id of_tables[] = { OPT_BY,     OPT_STEPS,  OPT_FIRST_STEP, OPT_TOP,
                                             OPT_SORT,   OPT_FILTER, OPT_COLUMNS,    OPT_ALL_COLUMNS,
                                             OPT_FORMAT, OPT_UNIT,   OPT_NO_HEADER };

    for (size_t i = 0; opt_is(&c->opts, OPT_CHROME) && i < ARRAY_LEN(of_tables); i++)
        if (opt_is_typed(&c->opts, of_tables[i]))
            return err_set(e, ERR_USAGE, "--chrome writes a trace, not a table: leave out --%s",
                           option_defs[of_tables[i]].name);
    const char *key = opt_text(&c->opts, OPT_ANONYMISE);
    if (key && anonymise_check(key, cli_output_path(&c->opts), e))
        return e->code;
    return window_check(c, e) ? e->code : cmd_check_usage(c, e);
}

/* The run, or copies of its stores with aliases for names. */
static int open_run(struct cli *c, struct err *e)
{
    const char *key = opt_text(&c->opts, OPT_ANONYMISE);

    if (run_open(c, cmd_arg(c, 0), e))
        return e->code;
    return key ? anonymise_run(c, key, e) : OK;
}

int cmd_timeline(struct cli *c, struct err *e)
{
    struct view_def own;
    struct buf where;

    buf_init(&where, 1 << 20);
    if (check_usage(c, e) || open_run(c, e))
        goto out;
    if (!opt_is(&c->opts, OPT_CHROME))
        cmd_choose_language(c);
    const struct view_def *d = cmd_choose_view(c, c->opts.cmd, opt_text(&c->opts, OPT_BY), e);
    if (!d)
        goto out;
    if (opt_is(&c->opts, OPT_CHROME)) {
        if (cli_output(c, false, e) == OK && write_trace(c, e) == OK)
            cmd_check_damage(c, PANE_BIT(PANE_TIME), false);
        goto out;
    }
    if (cut(c, d, &own, &where, e) == OK)
        (void)!cmd_print_view(c, &own, e);
out:
    buf_done(&where);
    return e->code;
}
