/* SPDX-License-Identifier: Apache-2.0 */
/* help, --help, --version. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/lang/tr.h"
#include "base/text.h"
#include "cli/cmd/cmd.h"
#include "cli/cmd/help_brief.h"
#include "cli/complete.h"
#include "cli/generate.h"
#include "cli/help_text.h"
#include "cli/host.h"
#include "cli/msprof/msprof_help.h"

static void add_option(struct out *o, const struct option_def *d)
{
    char head[80];

    help_option_head(d, head, sizeof head);
    help_entry(o, head, tr(d->help), 26);
}

static void add_options(struct out *o, unsigned groups, unsigned without)
{
    for (size_t i = 0; i < N_OPTS; i++)
        if (option_defs[i].groups & groups && !(option_defs[i].groups & without) && !option_defs[i].hidden)
            add_option(o, &option_defs[i]);
}

static void title(struct out *o, const char *text)
{
    out_printf(o, "\n%s\n", tr(text));
}

static void general(struct out *o)
{
    out_printf(o, "%s\n\n", tr("npuscope: performance browser for Ascend NPU profiles"));
    out_printf(o, "  npuscope [OPTION]... [PATH]            %s\n", tr("browse on the screen"));
    out_printf(o, "  npuscope COMMAND [OPTION]... [PATH]    %s\n", tr("print"));
    title(o, N_("Commands"));
    for (size_t i = 1; i < n_commands; i++)
        help_entry(o, commands[i].name, tr(commands[i].summary), 14);
    title(o, N_("As CANN's msprof.py, with raw data in PROF folders: npuscope help msprof"));
    msprof_synopsis(o);
    title(o, N_("Options of all commands"));
    add_options(o, OG_ALL, 0);
    title(o, N_("Options of commands that print tables"));
    add_options(o, OG_RUN | OG_STORE | OG_VIEW | OG_OUT | OG_BY, 0);
    title(o, N_("Options of the screen"));
    add_options(o, OG_SCREEN, 0);
    out_puts(o, "\n");
    help_paragraph(o, tr("Long options may be shortened. NPUSCOPE_OPTIONS in the environment holds options "
                         "that go before."));
    help_paragraph(o, tr("Exit status: 0 done, 1 could not be done, 2 wrong usage, 4 printed, but an input "
                         "is damaged, cut or above a limit, 130 interrupted."));
    help_paragraph(o, tr("More: npuscope help COMMAND, npuscope(1), npuscope-query(5)"));
#ifdef BUG_ADDRESS
    out_printf(o, tr("Problems with npuscope: %s, with the output of npuscope doctor"), BUG_ADDRESS);
    out_puts(o, "\n");
#endif
}

static void on_command(struct out *o, const struct command *cmd)
{
    out_printf(o, "npuscope%s%s [OPTION]... %s\n%s", cmd->name[0] ? " " : "", cmd->name, cmd->args,
               tr(cmd->summary));
    if (cmd->alias)
        out_printf(o, tr("; also called %s"), cmd->alias);
    out_puts(o, "\n");
    if (cmd->help) {
        out_puts(o, "\n");
        help_paragraph(o, tr(cmd->help));
    }
    if (cmd->prefix) {
        title(o, N_("Tables (--by)"));
        for (size_t i = 0; i < view_n_defs; i++)
            if (command_has_view(cmd, view_defs[i]))
                help_entry(o, view_defs[i]->id + strlen(cmd->prefix) + 1, tr_view(view_defs[i]->title), 14);
        out_printf(o, "%s\n", tr("Their columns: npuscope help columns"));
    }
    title(o, N_("Options"));
    add_options(o, cmd->groups, 0);
    title(o, N_("Options of all commands"));
    add_options(o, OG_ALL, 0);
}

static void on_columns(struct out *o)
{
    help_paragraph(o,
                   tr("Ids for --columns, --sort and --filter. --sort=COLUMN sorts ascending, and descending "
                      "where that is said here; -COLUMN is always descending, +COLUMN always ascending."));
    out_puts(o, "\n");
    for (size_t i = 0; i < view_n_defs; i++) {
        const struct view_def *d = view_defs[i];
        out_printf(o, "%s%s\n", i ? "\n" : "", d->id);
        for (size_t k = 0; k < d->n_cols; k++) {
            char text[400];
            cmd_column_help(d, &d->cols[k], text, sizeof text);
            help_entry(o, d->cols[k].id, text, 26);
        }
    }
}

int cmd_help(struct cli *c, struct err *e)
{
    const char *topic = c->opts.cmd->run == RUN_HELP ? cmd_arg(c, 0) : c->opts.cmd->name;
    const struct command *cmd = topic ? command_find(str_of(topic)) : NULL;

    bool msprof = topic && (!strcmp(topic, "msprof") || !strcmp(topic, "analyze"));

    if (topic && *topic && !cmd && !msprof && strcmp(topic, "columns") != 0) {
        const char *near = command_near(str_of(topic));
        return err_set(e, ERR_USAGE, "there is no command '%s'%s%s%s", topic, near ? "; did you mean '" : "",
                       near ? near : "", near ? "'?" : "");
    }
    if (cli_output(c, true, e))
        return e->code;
    cmd_choose_language(c);
    if (opt_is(&c->opts, OPT_MAN))
        return generate_man(c->out, opt_text(&c->opts, OPT_MAN), c->hooks, e);
    if (opt_is(&c->opts, OPT_COMPLETION))
        return complete_script(c->out, opt_text(&c->opts, OPT_COMPLETION), e);
    if (!msprof && opt_is_lettered(&c->opts, OPT_HELP))
        help_brief(c->out, cmd);
    else if (cmd)
        on_command(c->out, cmd);
    else if (msprof)
        msprof_help_page(c->out);
    else if (topic && *topic)
        on_columns(c->out);
    else
        general(c->out);
    return OK;
}

static void program_line(void *arg, const char *name, const char *value)
{
    out_printf(arg, "%-18s%s\n", name, value);
}

int cmd_version(struct cli *c, struct err *e)
{
    if (cli_output(c, false, e))
        return e->code;
    out_puts(c->out, "npuscope " PACKAGE_VERSION "\n");
    if (!opt_is(&c->opts, OPT_VERBOSE))
        return OK;
    host_program(c->hooks, program_line, c->out);
    out_printf(c->out, "tables            %zu views over %d tables\n", view_n_defs, N_TABLES);
    if (c->text_flags & TEXT_ASCII)
        out_puts(c->out, "glyphs            ASCII: # = + - . | ~\n");
    else
        out_puts(c->out, "glyphs            UTF-8: \xe2\x96\x88 \xe2\x96\x93 \xe2\x96\x92 \xe2\x96\x91 "
                         "\xe2\x96\x8f\xe2\x96\x8e\xe2\x96\x8d\xe2\x96\x8c\xe2\x96\x8b\xe2\x96\x8a"
                         "\xe2\x96\x89 \xe2\x94\x82 \xe2\x94\x80 \xe2\x80\xa6\n");
    return OK;
}
