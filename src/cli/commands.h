/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The commands: one table for dispatch, help, man page and completion.
 */
#ifndef NPUSCOPE_COMMANDS_H
#define NPUSCOPE_COMMANDS_H

#include "base/str.h"
#include "run/kind.h"

/* Functions of cli/cmd/cmd.h. */
enum command_run {
    RUN_ANALYSE,
    RUN_BROWSE,
    RUN_BUNDLE,
    RUN_CACHE,
    RUN_CONFIG,
    RUN_CONFIGURE,
    RUN_DEMO,
    RUN_DOCTOR,
    RUN_EXPORT,
    RUN_HELP,
    RUN_IMPORT,
    RUN_FILES,
    RUN_LOGS,
    RUN_OP,
    RUN_PRETTY,
    RUN_QUERY,
    RUN_REPORT,
    RUN_SCHEMA,
    RUN_TIMELINE,
    RUN_TRIAGE,
    RUN_VIEW,
    RUN_WINDOWS,
};

struct command {
    const char *name;  /* "" for the screen */
    const char *alias; /* another name, NULL none */
    const char *args;  /* shape of the arguments, for help */
    unsigned min_args, max_args;
    unsigned groups; /* OG_*: options it takes */
    enum command_run run;
    /* Commands that print a table of the run (cli/cmd/cmd_view.c): */
    const char *prefix; /* views are PREFIX.BY */
    const char *views;  /* values of --by tried in this order when it is not given, separated by '|' */
    enum pane_id pane;
    const char *summary; /* one line, no capital, no full stop */
    const char *help;    /* paragraphs for `help COMMAND` and the man page, NULL none */
};

struct view_def;

extern const struct command commands[];
extern const size_t n_commands;
/* By name or alias; NULL none. */
const struct command *command_find(struct str name);
/* The view is one of those that --by chooses from: its id is PREFIX.BY. */
bool command_has_view(const struct command *c, const struct view_def *d);
/* The name nearest to a wrong one, NULL none. */
const char *command_near(struct str wrong);

#endif
