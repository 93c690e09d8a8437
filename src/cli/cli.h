/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line: entry point, and what every command has at hand.
 *
 * Data goes to standard output through out.c alone, everything else to standard error through base/log. Exit
 * status: 0 done, 1 could not be done, 2 wrong usage, 4 a result was printed but an input it rests on is
 * damaged, cut or above a limit, 130 interrupted.
 */
#ifndef NPUSCOPE_CLI_H
#define NPUSCOPE_CLI_H

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/out.h"
#include "import/import.h"
#include "model/session.h"
#include "model/settings.h"

struct archive_copy;
struct job_logs;
struct logs;
struct log_verdict;
struct read_watch;
struct worker;
struct job;

enum cli_status { ST_DONE = 0, ST_FAILED = 1, ST_USAGE = 2, ST_DAMAGED = 4, ST_INTERRUPTED = 130 };

/* Arguments of the screen; main.c hands them to ui/. */
struct cli_screen {
    struct session *session;
    bool ascii, utf8, mono, slow, no_state, rank_given, run_given, window_given;
    int mouse; /* 1 on, 0 off, -1 as the terminal suggests */
    bool no_logs;
    const char *theme, *pane, *bench_keys, *logs;
    const struct settings *settings;
    void (*bench_line)(void *arg, const char *line);
    int (*load)(void *arg, size_t unit, bool again, const struct read_watch *watch, struct worker **out,
                struct err *e);
    int (*changed)(void *arg, size_t unit, bool *changed, uint64_t *bytes, struct err *e);
    int (*found)(void *arg, struct job **scan, struct err *e);
    int follow_ms;        /* 0: not */
    unsigned job_workers; /* 0: the cache is not used */
    void *arg;
};

/* Where lines of the screen come from and go to (--linear). */
struct cli_lines {
    bool (*ask)(void *arg, struct buf *line); /* false: there is none */
    int (*say)(void *arg, struct str line, struct err *e);
    void *arg;
    int rows, cols;
};

/* What src/cli may not know itself (it includes nothing of ui/): given by main.c. */
struct cli_key {
    const char *name, *keys, *help, *group;
};
struct cli_hooks {
    int (*screen)(const struct cli_screen *s, struct err *e);
    /* Every pane once as text. */
    int (*linear)(const struct cli_screen *s, int rows, int cols,
                  void (*fn)(void *arg, const char *pane, struct str text), void *arg, struct err *e);
    /* The screen as lines, until the reader quits. */
    int (*lines)(const struct cli_screen *s, const struct cli_lines *io, struct err *e);
    bool (*key)(size_t i, struct cli_key *out); /* false after the last */
    const char *(*role)(size_t i);              /* of colours; NULL after the last */
    setting_check_fn *setting;                  /* settings that only the screen knows */
    const char *(*screen_library)(void);        /* name and version, for --version -v */
    int (*colours)(const char *term);           /* of a terminal type; -1: not known, or of no use */
    import_after_fn *after_import;              /* for imports in this process */
};

struct cli {
    const struct cli_hooks *hooks;
    /* The command of opts, in the session that is open: for a command that wants results of others. */
    int (*command)(struct cli *c, struct err *e);
    struct options opts;
    struct out *out;     /* opened by cli_output() */
    unsigned text_flags; /* TEXT_ASCII ... for standard output */
    bool color;
    struct session *session;   /* opened by run_open() */
    struct settings *settings; /* of the screen; NULL: not read */
    struct archive_copy *copy; /* the archive that the session is about; NULL: none */
    size_t *ranks;             /* chosen: indices of session_rank */
    size_t n_ranks;
    size_t run;      /* that they are of (run/find/runs.h), SIZE_MAX: none */
    unsigned later;  /* panes (bits) that the command does not show: what only they need is not read for it */
    bool all_ranks;  /* the command is about every rank unless --rank says otherwise */
    bool for_others; /* results are kept for people elsewhere: in English */
    bool all_runs;   /* and about every run below PATH, unless it lies in one, or --run says otherwise */
    struct view_part *parts;
    size_t n_parts;
    bool has_signatures;   /* cli_signatures() has read them */
    struct job_logs *logs; /* of the job (cmd_job_logs()), NULL: not read */
    bool logs_failed;      /* they cannot be read */
    /* Logs of a folder without a profile (cmd_folder_logs()), NULL: not read. */
    struct logs *folder_logs;
    struct log_verdict *folder_verdict;
    struct aliases *aliases; /* of --anonymise (cli/anonymise.h), NULL: names stay */
    uint32_t n_aliases;      /* that the key file has */
    int signal;              /* that ended the work, 0 none */
    char advice[300];        /* said after an error: what would help; "" nothing */
    int status;              /* of a command that did its work: ST_DONE, ST_DAMAGED */
};

/* Run the command line to its exit status. */
int cli_main(int argc, char **argv, const struct cli_hooks *hooks);

/* How text may look: c->text_flags, c->color and the log, from options and environment. */
NODISCARD int cli_setup(struct cli *c, struct err *e);
/* Whether the terminal shows UTF-8, by locale and environment. */
bool cli_utf8(void);
/* The file of --output; NULL: standard output, also for "-". */
const char *cli_output_path(const struct options *o);
/*
 * Read the user's own signatures, once, before the first logs. What is wrong with them is said on standard
 * error and left out.
 */
void cli_signatures(struct cli *c);
/* Open the output the options ask for, unless it is open. long_text: may be paged on a terminal. */
NODISCARD int cli_output(struct cli *c, bool long_text, struct err *e);

#endif
