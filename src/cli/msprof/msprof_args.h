/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arguments of msprof.py's commands (doc/formats/msprof.md#command-line): with one dash or two, the value
 * after '=' or in the next word.
 */
#ifndef NPUSCOPE_CLI_MSPROF_MSPROF_ARGS_H
#define NPUSCOPE_CLI_MSPROF_MSPROF_ARGS_H

#include "base/err.h"
#include "msprof/msprof.h"

#define PATH_MAX_B 4096 /* of -dir */

/* Exit codes of msprof (doc/formats/msprof.md#command-line). */
enum msprof_status {
    MSX_OK = 0,
    MSX_PARAM = 1,
    MSX_PATH = 2,
    MSX_CONFIG = 5,
    MSX_DISK = 6,
    MSX_JSON = 7,
    MSX_DATA = 8,
    MSX_STEP = 9,
    MSX_SYSTEM = 10,
    MSX_CLUSTER = 11,
};

enum msprof_command { MSPROF_EXPORT, MSPROF_ANALYZE, MSPROF_QUERY, MSPROF_IMPORT };

struct msprof_args {
    enum msprof_command command;
    char dir[PATH_MAX_B + 1]; /* -dir, "~" expanded */
    const char *output;       /* NULL: into the PROF folders */
    struct msprof_options o;
    bool help;          /* nothing else is asked for, or checked */
    bool switched;      /* written with msprof's switches, whose --output is -dir */
    bool summary;       /* query: of one kind of data */
    unsigned data_type; /* which one, 0 to 10 */
    /* private */
    bool has_type;
    bool has_model, has_iteration, has_count;
    struct msprof_reports *reports;
};

/* An option as help texts have it; value NULL: it takes none. */
struct msprof_help {
    const char *name, *value, *help;
};
/* The i-th one, NULL: no more; *of: a bit for each form that takes it, in the order of msprof_forms(). */
const struct msprof_help *msprof_help(size_t i, unsigned *of);
/*
 * The forms by their last words (summary, timeline, db, text, analyze, query, import), at most n of them.
 * Returns how many there are.
 */
size_t msprof_forms(const char *words[], size_t n);

/*
 * argv is a command of msprof.py: its word, and -dir or --collection-dir somewhere, or a word that only
 * msprof has.
 */
bool msprof_is(int argc, char **argv);
/*
 * Read argv, checking what msprof checks; what it only warns of is said on standard error. Returns the exit
 * status: MSX_OK, or another one with e set. msprof_args_done() is due either way.
 */
int msprof_args(struct msprof_args *a, int argc, char **argv, struct err *e);
void msprof_args_done(struct msprof_args *a);

#endif
