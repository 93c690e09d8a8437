/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line's options: one table for parser, help, man page and completion.
 *
 * A struct options owns what it parsed from NPUSCOPE_OPTIONS and borrows argv. Not thread-safe.
 */
#ifndef NPUSCOPE_OPTIONS_H
#define NPUSCOPE_OPTIONS_H

#include <stdbool.h>

#include "base/err.h"

struct command;

enum opt_id {
    OPT_RANK,
    OPT_DEVICE,
    OPT_RUN,
    OPT_WINDOW,
    OPT_STEPS,
    OPT_FIRST_STEP,
    OPT_BY,
    OPT_FROM,
    OPT_TO,
    OPT_TRACK,
    OPT_CHROME,
    OPT_TOP,
    OPT_TIMEOUT,
    OPT_SORT,
    OPT_FILTER,
    OPT_COLUMNS,
    OPT_ALL_COLUMNS,
    OPT_FORMAT,
    OPT_OUTPUT,
    OPT_UNIT,
    OPT_NO_HEADER,
    OPT_DB,
    OPT_EXPORT_DIR,
    OPT_EXPORT_DB,
    OPT_EXPORT_FORCE,
    OPT_ANONYMISE,
    OPT_BUNDLE_FILE,
    OPT_BUNDLE_LIMIT,
    OPT_BUNDLE_LIST,
    OPT_PREFER,
    OPT_LOGS,
    OPT_NO_LOGS,
    OPT_NO_CACHE,
    OPT_JOBS,
    OPT_GEN,
    OPT_RANKS,
    OPT_SERVERS,
    OPT_DEMO_STEPS,
    OPT_MODEL,
    OPT_SIZE,
    OPT_SEED,
    OPT_RAW,
    OPT_DEMO_MODE,
    OPT_ERA,
    OPT_CHIP,
    OPT_METRICS,
    OPT_CRASHED,
    OPT_FAULT,
    OPT_FAULT_RANK,
    OPT_CANN,
    OPT_SKEW,
    OPT_ZONE,
    OPT_TRUTH,
    OPT_LOSE_SLICE,
    OPT_FORCE,
    OPT_ANALYSE_DIR,
    OPT_MODE,
    OPT_MS_VERSION,
    OPT_PRETTY,
    OPT_ANALYSE_COMPAT,
    OPT_ANALYSE_FORCE,
    OPT_STEP_LIST,
    OPT_EXPORT_TYPE,
    OPT_SIMPLIFICATION,
    OPT_AS,
    OPT_FOR,
    OPT_FRAMEWORK,
    OPT_JOB_VERSION,
    OPT_SET,
    OPT_CHECK,
    OPT_LIST,
    OPT_REMOVE_ALL,
    OPT_PANE,
    OPT_THEME,
    OPT_SLOW,
    OPT_NO_MOUSE,
    OPT_NO_STATE,
    OPT_LINEAR,
    OPT_FOLLOW,
    OPT_PERIOD,
    OPT_BENCH_KEYS,
    OPT_MAN,
    OPT_COMPLETION,
    OPT_COLOR,
    OPT_ASCII,
    OPT_UTF8,
    OPT_QUIET,
    OPT_VERBOSE,
    OPT_LOG,
    OPT_HELP,
    OPT_VERSION,
    N_OPTS
};

enum opt_kind {
    OK_FLAG,   /* no argument */
    OK_TEXT,   /* anything */
    OK_INT,    /* whole number in min..max */
    OK_COUNT,  /* the same, also 10k, 2M */
    OK_SIZE,   /* bytes: 4096, 8MiB, 10MB */
    OK_CHOICE, /* one of choices */
    OK_RANGE,  /* 5, 2-120, 60.., ..10 */
    OK_RANKS   /* 0,3-5 or all */
};

/* Commands an option belongs to: it and the command have a bit in common. */
enum opt_group {
    OG_ALL = 1,
    OG_RUN = 2,   /* opens a run */
    OG_VIEW = 4,  /* prints a table of the run */
    OG_OUT = 8,   /* prints tables */
    OG_BY = 16,   /* has several tables to choose from */
    OG_TIME = 32, /* timeline */
    OG_IMPORT = 64,
    OG_EXPORT = 128,
    OG_DEMO = 256,
    OG_SCREEN = 512,
    OG_HELP = 1024,
    OG_STORE = 4096, /* reads a store that --db names */
    OG_QUERY = 8192,
    OG_CACHE = 16384,
    OG_REPORT = 32768,
    OG_ANALYSE = 65536,
    OG_DEVICE = 131072, /* chooses ranks by their device */
    OG_TEXT = 262144,   /* prints text that is no table */
    OG_CONFIGURE = 524288,
    OG_LIVE = 1048576, /* looks at a job that runs */
    OG_BUNDLE = 2097152
};

struct option_def {
    enum opt_id id;
    const char *name;
    char letter; /* 0 none */
    enum opt_kind kind;
    const char *arg; /* name of the argument in help, NULL for flags */
    unsigned groups;
    int64_t min, max;
    const char *choices; /* separated by '|'; of OK_TEXT those that completion offers */
    bool repeat;         /* every use counts; else the last one does */
    bool hidden;         /* for the build: not in help */
    const char *no_dash; /* what is said of "-", which cannot be meant; NULL: a text as others */
    const char *help;
};

extern const struct option_def option_defs[N_OPTS];

struct opt_value {
    enum opt_id id;
    const char *text; /* NULL for flags */
    int64_t number;   /* OK_INT, OK_COUNT; index of OK_CHOICE */
    bool typed;       /* on the command line, not from NPUSCOPE_OPTIONS */
    bool lettered;    /* as -r, not as --rank */
};

struct options {
    const struct command *cmd;
    struct opt_value *v;
    size_t n;
    const char **args; /* without options and the command's name */
    size_t n_args;
    char **words; /* NPUSCOPE_OPTIONS in words */
    size_t n_words;
};

/*
 * Parse the command line (argv[0] is left out). env: text of NPUSCOPE_OPTIONS or NULL; options in it that the
 * command does not have are ignored. Errors: ERR_USAGE with a whole sentence, ERR_NOMEM. options_done() in
 * any case.
 */
NODISCARD int options_parse(struct options *o, int argc, char *const *argv, const char *env, struct err *e);
void options_done(struct options *o);

bool opt_is(const struct options *o, enum opt_id id);
bool opt_is_typed(const struct options *o, enum opt_id id);
bool opt_is_lettered(const struct options *o, enum opt_id id); /* at its last use */
unsigned opt_count(const struct options *o, enum opt_id id);
const char *opt_text(const struct options *o, enum opt_id id); /* last use, NULL: not given */
int64_t opt_int(const struct options *o, enum opt_id id, int64_t otherwise);
const char *opt_nth(const struct options *o, enum opt_id id, size_t i); /* NULL after the last */

/* "5", "2-120", "60..", "..10": ends that are left out stay as they are. false: not a range. */
bool opt_range(const char *text, int64_t *from, int64_t *to);
/* Next piece of a list of ranks "0,3-5": false at its end. *bad: not a number, or 5-3. */
bool opt_rank_next(const char **text, int64_t *from, int64_t *to, bool *bad);

#endif
