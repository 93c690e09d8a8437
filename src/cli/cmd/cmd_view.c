/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that print one table of a run, and what they share with the others. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang/tr.h"
#include "base/log.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/cmd/cmd.h"
#include "cli/open.h"
#include "cli/window.h"
#include "model/view/facts.h"
#include "model/views/empty.h"

/* ---- shared ---- */

const char *cmd_arg(const struct cli *c, size_t i)
{
    return i < c->opts.n_args ? c->opts.args[i] : NULL;
}

static struct cell_units forced_units(const char *unit)
{
    struct cell_units u = { 0 };

    for (enum time_unit t = TIME_S; unit && t <= TIME_NS; t++)
        if (!strcmp(unit, unit_time_name(t)))
            u.time = t;
    for (enum size_unit s = SIZE_GIB; unit && s <= SIZE_B; s++)
        if (!strcmp(unit, unit_size_name(s)))
            u.size = s;
    return u;
}

void cmd_choose_language(const struct cli *c)
{
    const int64_t format = opt_int(&c->opts, OPT_FORMAT, FMT_TEXT);

    if ((format == FMT_TEXT || format == FMT_MARKDOWN) && !c->for_others)
        tr_choose(NULL, !(c->text_flags & TEXT_ASCII));
}

int cmd_writer(struct cli *c, struct writer **w, bool named, struct err *e)
{
    const struct write_opts o = {
        .format = (enum format)opt_int(&c->opts, OPT_FORMAT, FMT_TEXT),
        .text_flags = c->text_flags,
        .header = !opt_is(&c->opts, OPT_NO_HEADER),
        .color = c->color,
        .named = named,
        .translated = !tr_is_english(),
        .units = forced_units(opt_text(&c->opts, OPT_UNIT)),
    };
    const struct write_to to = out_writer(c->out);
    return writer_new(w, &to, &o, e);
}

/* Instants as the format has them. */
static enum view_times times_of(const struct cli *c)
{
    return format_times((enum format)opt_int(&c->opts, OPT_FORMAT, FMT_TEXT));
}

struct view_scope cmd_scope(const struct cli *c)
{
    struct view_scope s = VIEW_SCOPE_ALL;
    const char *steps = opt_text(&c->opts, OPT_STEPS);

    if (steps)
        opt_range(steps, &s.step0, &s.step1);
    if (steps && s.step1 == INT64_MAX && !strstr(steps, ".."))
        s.step1 = s.step0; /* one number is one step */
    s.first_step = opt_is(&c->opts, OPT_FIRST_STEP);
    return s;
}

/* ---- tables that are no view ---- */

int cmd_table_begin(struct cli *c, struct writer **w, const char *id, const struct view_col *cols,
                    const struct view_col **place, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++)
        place[i] = &cols[i];
    cmd_choose_language(c);
    if (cli_output(c, true, e) || cmd_writer(c, w, false, e))
        return e->code;
    return writer_begin(*w, id, id, place, n, e);
}

int cmd_table_end(struct writer *w, struct err *e)
{
    if (!e->code && writer_end(w, e) == OK)
        (void)!writer_finish(w, e);
    writer_free(w);
    return e->code;
}

/* ---- which table ---- */

/* Columns that scripts may rely on where they are not just those that the screen shows. */
static const struct {
    const char *view, *columns;
} printed[] = {
    { "files.list", "path,kind,rank,device,size_b,rows,lost,state,feeds,note" },
    { "ops.exec", "op_name,type,core,step,stream,ts_ns,dur_ns,wait_ns,block_num" },
    { "steps.fpbp", "step,start_ns,total_ns,interval_ns,fp_bp_ns,tail_ns" },
};

/* Columns of a view that commands print unless --columns names others; NULL: those that are not hidden. */
static const char *columns_of(const struct view_def *d)
{
    for (size_t i = 0; i < ARRAY_LEN(printed); i++)
        if (!strcmp(printed[i].view, d->id))
            return printed[i].columns;
    return NULL;
}

bool cmd_prints(const struct view_def *d, const struct view_col *col)
{
    const char *columns = columns_of(d);

    return columns ? word_index(columns, ',', str_of(col->id)) >= 0 : !(col->flags & (VC_HIDDEN | VC_BASE));
}

void cmd_column_help(const struct view_def *d, const struct view_col *col, char *text, size_t n)
{
    snprintf(text, n, "%s%s%s", tr(col->help), col->desc ? tr(" (sorts descending)") : "",
             cmd_prints(d, col) ? "" : tr(" (with --all-columns)"));
}

static int unknown_by(const struct command *cmd, const char *by, struct err *e)
{
    struct buf list;

    buf_init(&list, 4096);
    for (size_t i = 0; i < view_n_defs; i++)
        if (command_has_view(cmd, view_defs[i]))
            buf_printf(&list, "%s%s", list.n ? ", " : "", view_defs[i]->id + strlen(cmd->prefix) + 1);
    err_set(e, ERR_USAGE, "--by of '%s' is one of %s, not '%s'", cmd->name, buf_str(&list).p, by);
    buf_done(&list);
    return e->code;
}

const struct view_def *cmd_view_by(const struct command *cmd, struct str by)
{
    char id[80];

    snprintf(id, sizeof id, "%s.%.*s", cmd->prefix, (int)by.n, by.p);
    return by.n < 40 ? view_def_find(id) : NULL;
}

/* Tables of the command that this run has: "type, op". */
static void list_tables(struct cli *c, struct buf *list)
{
    const struct view_scope scope = cmd_scope(c);
    const struct command *cmd = c->opts.cmd;

    for (size_t i = 0; cmd->prefix && i < view_n_defs; i++) {
        struct err ignored = ERR_INIT;
        if (command_has_view(cmd, view_defs[i]) &&
            view_has_data(view_defs[i], c->parts, c->n_parts, &scope, &ignored) == 1)
            buf_printf(list, "%s%s", list->n ? ", " : "", view_defs[i]->id + strlen(cmd->prefix) + 1);
    }
}

/* The sentence that says why there is nothing, or what there is instead. */
static int no_data(struct cli *c, const struct view_def *d, struct err *e)
{
    const struct empty_state *s = d->empty ? empty_find(d->empty) : NULL;
    size_t unit = session_rank(c->session, c->ranks[0])->unit;
    const struct unit *u = session_job(c->session)->units[unit];
    struct buf b;

    buf_init(&b, 4096);
    list_tables(c, &b);
    if (b.n && opt_is(&c->opts, OPT_BY)) {
        err_set(e, ERR_FORMAT, "no table '%s' in this run; it has --by=%s", d->title, buf_str(&b).p);
    } else if (!s) {
        err_set(e, ERR_FORMAT, "no table '%s' in this run", d->title);
    } else {
        buf_clear(&b);
        bool known = empty_known(session_store(c->session, unit), s, &b);
        if (!known)
            empty_sentence(s, &u->info, &b);
        err_set(e, ERR_FORMAT, "%s", buf_str(&b).p);
        buf_clear(&b);
        if (!known && empty_advice(s, &u->info, &b))
            str_copy(buf_str(&b), c->advice, sizeof c->advice);
    }
    buf_done(&b);
    err_where(e, u->shown, ERR_NO_OFFSET, 0);
    return e->code;
}

const struct view_def *cmd_choose_view(struct cli *c, const struct command *cmd, const char *by,
                                       struct err *e)
{
    const struct view_scope scope = cmd_scope(c);
    const struct view_def *first = NULL;
    struct str word;

    for (size_t i = 0; (word = word_at(by ? by : cmd->views, '|', i)).p; i++) {
        const struct view_def *d = cmd_view_by(cmd, word);
        if (!d)
            continue;
        int has = view_has_data(d, c->parts, c->n_parts, &scope, e);
        if (has)
            return has > 0 ? d : NULL;
        if (!first)
            first = d;
    }
    if (first)
        no_data(c, first, e);
    else
        err_set(e, ERR_BUG, "'%s' has no table in this build", cmd->name);
    return NULL;
}

/* ---- usage ---- */

static int check_steps(const struct cli *c, const struct view_def *d, struct err *e)
{
    if (opt_is(&c->opts, OPT_STEPS) && !view_def_reads(d, ":step0"))
        return err_set(e, ERR_USAGE, "the table %s knows no steps: leave out --steps", d->id);
    return OK;
}

int cmd_check_usage(const struct cli *c, struct err *e)
{
    const struct command *cmd = c->opts.cmd;
    const char *by = opt_text(&c->opts, OPT_BY);
    struct err first = ERR_INIT;
    struct str word;

    if (by && !cmd_view_by(cmd, str_of(by)))
        return unknown_by(cmd, by, e);
    for (size_t i = 0; (word = word_at(by ? by : cmd->views, '|', i)).p; i++) {
        const struct view_def *d = cmd_view_by(cmd, word);
        struct err why = ERR_INIT;
        if (!d)
            continue;
        if (check_steps(c, d, &why) == OK && table_check(d, &c->opts, &why) == OK)
            return OK;
        if (!first.code)
            first = why;
    }
    *e = first;
    return e->code;
}

/* ---- the command ---- */

/* The view, or e set when it has no row: a range of steps may be empty, a table may not. */
static struct view *open_view(struct cli *c, const struct view_def *d, struct err *e)
{
    const struct view_scope scope = cmd_scope(c);
    struct view *v = NULL;

    if (check_steps(c, d, e) || table_open(&v, d, c->parts, c->n_parts, &scope, e))
        return NULL;
    if (view_total(v) || opt_is(&c->opts, OPT_STEPS) || window_is_given(c))
        return v;
    view_close(v);
    no_data(c, d, e);
    return NULL;
}

/* A table without a row is an answer, but people ask why: say it. */
static void report_empty(const struct cli *c, struct view *v)
{
    if (view_total(v))
        log_message("none of %zu rows fits --filter", view_total(v));
    else if (window_is_given(c))
        log_message("nothing lies in the window that --from, --to and --track cut");
    else
        log_message("there is nothing in --steps=%s", opt_text(&c->opts, OPT_STEPS));
}

void cmd_report_unsplit(const struct cli *c, const struct view_def *d)
{
    const struct view_scope scope = cmd_scope(c);

    if (!opt_is(&c->opts, OPT_QUIET) && view_ignores_steps(d, c->parts, c->n_parts, &scope))
        log_message("op times of this run are not recorded step by step: %s is the same for every "
                    "step, --steps=%s changes nothing in it",
                    d->id, opt_text(&c->opts, OPT_STEPS));
}

int cmd_print_view(struct cli *c, const struct view_def *d, struct err *e)
{
    struct view *v = open_view(c, d, e);
    return v ? cmd_write_view(c, d, v, e) : e->code;
}

int cmd_write_view(struct cli *c, const struct view_def *d, struct view *v, struct err *e)
{
    const char *columns = columns_of(d);
    struct writer *w = NULL;
    char with_rank[200];
    struct print_opts p = {
        .columns = opt_text(&c->opts, OPT_COLUMNS),
        .all_columns = opt_is(&c->opts, OPT_ALL_COLUMNS),
        .sort = opt_text(&c->opts, OPT_SORT),
        .opts = &c->opts,
        .top = opt_int(&c->opts, OPT_TOP, -1),
        .times = times_of(c),
    };
    size_t shown = 0;

    if (!p.columns && !p.all_columns && columns) {
        /* With several ranks the rank goes first. */
        bool several = c->n_ranks > 1 && view_find_col(v, "rank") >= 0;
        snprintf(with_rank, sizeof with_rank, "%s%s", several ? "rank," : "", columns);
        p.columns = with_rank;
        p.marks = true;
    }
    if (cli_output(c, true, e) == OK && cmd_writer(c, &w, false, e) == OK &&
        table_print(w, v, &p, &shown, e) == OK && writer_finish(w, e) == OK) {
        if (!shown && p.top != 0 && !opt_is(&c->opts, OPT_QUIET))
            report_empty(c, v);
        if (c->session)
            cmd_report_unsplit(c, d);
        if (c->session && d->pane != PANE_FILES)
            cmd_check_damage(c, PANE_BIT(d->pane), false);
    }
    writer_free(w);
    view_close(v);
    return e->code;
}

int cmd_view(struct cli *c, struct err *e)
{
    if (cmd_check_usage(c, e) || run_open(c, cmd_arg(c, 0), e))
        return e->code;
    cmd_choose_language(c);
    const struct view_def *d = cmd_choose_view(c, c->opts.cmd, opt_text(&c->opts, OPT_BY), e);
    return d ? cmd_print_view(c, d, e) : e->code;
}
