/*
 * The arguments of msprof.py's commands (formats/msprof-raw.md 7): with one dash or two, the value behind '=' or in the next word.
 */
#ifndef NPUSCOPE_CLI_MSPROF_ARGS_H
#define NPUSCOPE_CLI_MSPROF_ARGS_H

#include "base/err.h"
#include "vendor/ms.h"

/* Exit codes of msprof (7). */
enum ms_status {
    MSX_OK = 0,
    MSX_PARAM = 1,
    MSX_PATH = 2,
    MSX_CONFIG = 5,
    MSX_DISK = 6,
    MSX_JSON = 7,
    MSX_DATA = 8,
    MSX_STEP = 9,
    MSX_SYSTEM = 10,
};

enum ms_command { MS_EXPORT, MS_ANALYZE, MS_QUERY, MS_IMPORT };

struct ms_args {
    enum ms_command command;
    char dir[4097];     /* -dir, "~" expanded */
    const char *output; /* NULL: into the PROF folders */
    struct ms_options o;
    /* private */
    bool has_model, has_iteration, has_count;
    struct ms_reports *reports;
};

/* An option as help texts have it; value NULL: it takes none. */
struct ms_help {
    const char *name, *value, *help;
};
/* The i-th one, NULL: no more. */
const struct ms_help *msprof_help(size_t i);

/* argv is a command of msprof.py: its word, and -dir or --collection-dir somewhere. */
bool msprof_is(int argc, char **argv);
/*
 * Read argv, checking what msprof checks; what it only warns of is said on standard error. Returns the exit status: MSX_OK, or another one with e
 * set. msprof_args_done() is due either way.
 */
int msprof_args(struct ms_args *a, int argc, char **argv, struct err *e);
void msprof_args_done(struct ms_args *a);

#endif
