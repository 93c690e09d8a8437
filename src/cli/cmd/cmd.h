/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the commands. They return an err_code with e set, or OK. */
#ifndef NPUSCOPE_CLI_CMD_CMD_H
#define NPUSCOPE_CLI_CMD_CMD_H

#include "cli/cli.h"
#include "cli/table.h"

/* The command of the command line (cli/commands.h). */
int cmd_run(struct cli *c, struct err *e);

int cmd_browse(struct cli *c, struct err *e);
int cmd_bundle(struct cli *c, struct err *e);
int cmd_view(struct cli *c, struct err *e);
int cmd_op(struct cli *c, struct err *e);
int cmd_timeline(struct cli *c, struct err *e);
int cmd_report(struct cli *c, struct err *e);
int cmd_triage(struct cli *c, struct err *e);
int cmd_pretty(struct cli *c, struct err *e);
int cmd_query(struct cli *c, struct err *e);
int cmd_import(struct cli *c, struct err *e);
int cmd_logs(struct cli *c, struct err *e);
/* e says that a folder holds no profile: print its logs instead, e is of that then. false: it has none. */
bool cmd_logs_instead(struct cli *c, struct err *e);
/*
 * The logs of the open job, read at the first call; they stay c's. x: of its session. NULL: the options
 * leave them out, or they cannot be read: that is said, and the exit status tells it. Errors: ERR_CANCELLED.
 */
struct ending;
struct job_logs *cmd_job_logs(struct cli *c, const struct ending *x, struct err *e);
/* The logs below a folder without a profile, read and judged at the first call into c->folder_*. */
NODISCARD int cmd_folder_logs(struct cli *c, const char *folder, struct err *e);
int cmd_files(struct cli *c, struct err *e);
int cmd_export(struct cli *c, struct err *e);
int cmd_schema(struct cli *c, struct err *e);
int cmd_cache(struct cli *c, struct err *e);
int cmd_config(struct cli *c, struct err *e);
/* Into c->settings; a file that cannot be read, and wrong lines of it, are named and left out. */
void cmd_read_settings(struct cli *c);
int cmd_configure(struct cli *c, struct err *e);
int cmd_analyse(struct cli *c, struct err *e);
int cmd_demo(struct cli *c, struct err *e);
int cmd_doctor(struct cli *c, struct err *e);
int cmd_help(struct cli *c, struct err *e);
int cmd_windows(struct cli *c, struct err *e);
/* The same with --follow where there are windows, or will be; *is: there are. */
int cmd_follow_windows(struct cli *c, bool *is, struct err *e);
int cmd_version(struct cli *c, struct err *e);

/* A writer over c->out with the options of the command line. named: several tables with headings. */
/* The language of what people read (text, markdown); after run_open(), because stores are English. */
void cmd_choose_language(const struct cli *c);
NODISCARD int cmd_writer(struct cli *c, struct writer **w, bool named, struct err *e);
/* Steps as --steps and --first-step say. */
struct view_scope cmd_scope(const struct cli *c);
const char *cmd_arg(const struct cli *c, size_t i); /* NULL: not given */
/*
 * Report on standard error the sources that feed one of these panes (bits) and are damaged, cut or above a
 * limit, each with the source that was read instead, if there is one. The exit status becomes ST_DAMAGED when
 * a result rests on one of them; with all, when there is one.
 */
void cmd_check_damage(struct cli *c, unsigned panes, bool all);
/* The same for the tables that statements of users have read. */
void cmd_check_read(struct cli *c);
/*
 * Tables that are no view: columns, begin, rows by writer_row(), end (also after an error; frees the writer).
 * place: room for n pointers, to be kept until the end.
 */
#define CMD_TEXT(id_, title_, help_)                                                                         \
    {                                                                                                        \
        .id = id_, .title = title_, .expr = "", .type = VT_TEXT, .min_width = 4, .help = help_               \
    }
#define CMD_NUMBER(id_, title_, unit_, help_)                                                                \
    {                                                                                                        \
        .id = id_, .title = title_, .expr = "", .type = VT_REAL, .unit = unit_, .min_width = 4,              \
        .help = help_                                                                                        \
    }
NODISCARD int cmd_table_begin(struct cli *c, struct writer **w, const char *id, const struct view_col *cols,
                              const struct view_col **place, size_t n, struct err *e);
int cmd_table_end(struct writer *w, struct err *e);
/* Check the options of a table before a run is read: they have to fit a view of the command. ERR_USAGE. */
NODISCARD int cmd_check_usage(const struct cli *c, struct err *e);
/* The view of the command for --by, or the first that has data; e set when there is none. */
const struct view_def *cmd_choose_view(struct cli *c, const struct command *cmd, const char *by,
                                       struct err *e);
/* The column is one of them. */
bool cmd_prints(const struct view_def *d, const struct view_col *col);
/* What help says of a column: its meaning, and how it sorts and is printed where that is not as usual. */
void cmd_column_help(const struct view_def *d, const struct view_col *col, char *text, size_t n);
/* The view of the command with this word; NULL: none. */
const struct view_def *cmd_view_by(const struct command *cmd, struct str by);
/* Print a view with the options of the command line, look at the inputs it rests on. */
NODISCARD int cmd_print_view(struct cli *c, const struct view_def *d, struct err *e);
/* The same of an open view, which is closed. */
NODISCARD int cmd_write_view(struct cli *c, const struct view_def *d, struct view *v, struct err *e);
/* Say on standard error when --steps was given and the rows of d are the same without it. */
void cmd_report_unsplit(const struct cli *c, const struct view_def *d);

#endif
