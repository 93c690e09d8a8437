/* SPDX-License-Identifier: Apache-2.0 */
/* Help on one screen. */
#include "config.h"

#include "cli/cmd/help_brief.h"

#include <stdio.h>
#include <string.h>

#include "base/lang/tr.h"
#include "cli/help_text.h"

/* With what is said of them, 24 lines. */
static const char *const first_commands[] = { "triage", "logs", "report", "ops", "timeline", "analyse" };
static const enum opt_id first_options[] = { OPT_RANK, OPT_FILTER, OPT_FORMAT };

void help_option_head(const struct option_def *d, char *buf, size_t n)
{
    snprintf(buf, n, "%c%c%s --%s%s%s", d->letter ? '-' : ' ', d->letter ? d->letter : ' ',
             d->letter ? "," : " ", d->name, d->arg ? "=" : "", d->arg ? d->arg : "");
}

/* Bytes before what only adds to a description: its first ". ", ": " or "; " outside parentheses. */
static size_t main_part(const char *text)
{
    static const char *const ends[] = { ". ", ": ", "; ", "。", "：", "；" };
    int depth = 0;
    for (const char *p = text; *p; p++) {
        depth += *p == '(' || !strncmp(p, "（", strlen("（"));
        depth -= *p == ')' || !strncmp(p, "）", strlen("）"));
        for (size_t i = 0; depth <= 0 && i < ARRAY_LEN(ends); i++)
            if (!strncmp(p, ends[i], strlen(ends[i])) &&
                (p == text || p[-1] != '.')) /* "60.. or" is a range */
                return (size_t)(p - text);
    }
    return strlen(text);
}

static void option(struct out *o, const struct option_def *d)
{
    const char *text = tr(d->help);
    char head[80], part[400];
    help_option_head(d, head, sizeof head);
    str_copy((struct str){ text, main_part(text) }, part, sizeof part);
    help_entry(o, head, part, 26);
}

static bool is_first(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(first_commands); i++)
        if (!strcmp(first_commands[i], name))
            return true;
    return false;
}

static void other_commands(struct out *o)
{
    char text[600] = "";
    size_t n = 0;
    for (size_t i = 1; i < n_commands; i++)
        if (!is_first(commands[i].name) && n < sizeof text)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? ", " : "", commands[i].name);
    help_entry(o, tr("others"), text, 14);
}

static void program(struct out *o)
{
    out_printf(o, "%s\n\n", tr("npuscope: performance browser for Ascend NPU profiles"));
    out_printf(o, "  npuscope [OPTION]... [PATH]            %s\n", tr("browse on the screen"));
    out_printf(o, "  npuscope COMMAND [OPTION]... [PATH]    %s\n", tr("print"));
    out_printf(o, "\n%s\n", tr("Commands"));
    for (size_t i = 0; i < ARRAY_LEN(first_commands); i++) {
        const struct command *c = command_find(str_of(first_commands[i]));
        help_entry(o, c->name, tr(c->summary), 14);
    }
    other_commands(o);
    out_printf(o, "\n%s\n", tr("Options"));
    for (size_t i = 0; i < ARRAY_LEN(first_options); i++)
        option(o, &option_defs[first_options[i]]);
    out_printf(o, "\n%s\n", tr("More: npuscope --help, npuscope help COMMAND, npuscope(1)"));
}

static void command(struct out *o, const struct command *cmd)
{
    out_printf(o, "npuscope%s%s [OPTION]... %s\n%s\n", cmd->name[0] ? " " : "", cmd->name, cmd->args,
               tr(cmd->summary));
    out_printf(o, "\n%s\n", tr("Options"));
    for (size_t i = 0; i < N_OPTS; i++)
        if (option_defs[i].groups & cmd->groups && !(option_defs[i].groups & OG_ALL) &&
            !option_defs[i].hidden)
            option(o, &option_defs[i]);
    out_puts(o, "\n");
    out_printf(o, tr("More: npuscope help %s"), cmd->name);
    out_puts(o, "\n");
}

void help_brief(struct out *o, const struct command *cmd)
{
    if (cmd && cmd->name[0])
        command(o, cmd);
    else
        program(o);
}
