/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CANN's msprof export of raw PROF folders (doc/formats/msprof.md#algorithms to #command-line): its CSV
 * files, traces and database, with their names, columns, number formats and order. Where msprof computes
 * something wrongly, the files have the right value unless compat asks for msprof's own. Torn data is never
 * dropped. Not thread-safe.
 */
#ifndef NPUSCOPE_MSPROF_MSPROF_H
#define NPUSCOPE_MSPROF_MSPROF_H

#include "base/err.h"
#include "emit/report.h"
#include "run/inventory.h"

/* Folders of results, below that of the profile. */
#define MSPROF_RESULTS  "mindstudio_profiler_output"
#define MSPROF_ANALYSED "analyze"

#define MSPROF_TX_CONNECTION 4000000001u /* + number of a mark of the program: its connection id */

enum msprof_what { /* bits */
                   MSPROF_SUMMARY = 1,
                   MSPROF_TIMELINE = 2,
                   MSPROF_DB = 4,
                   MSPROF_COMM = 8,        /* communication.json */
                   MSPROF_COMM_MATRIX = 16 /* communication_matrix.json */
};

struct emit;
struct dbout;
struct dbout_table;
struct msprof_options {
    unsigned what;
    const char *dir;   /* results go below it, as below the PROF folder; created if missing */
    const char *stamp; /* YYYYMMDDHHMMSS, in the names of files */
    bool partial;      /* one model's iterations: */
    uint32_t model;    /* UINT32_MAX: steps instead of iterations */
    uint64_t iteration, count;
    const char *db_path; /* of the database; NULL: msprof's name for it, below dir */
    bool db_replace;     /* replace what is at db_path */
    /*
     * Adds to the database: called after the rows of each table, and without one when only STRING_IDS is
     * left to write. NULL: nothing is added.
     */
    int (*db_more)(void *arg, const char *table, struct dbout *d, struct dbout_table *t, struct err *e);
    void *db_arg;
    int db_rank; /* with db_more: of RANK_DEVICE_MAP */
    bool json;   /* tables as JSON */
    bool compat; /* msprof's wrong numbers too */
    /* Wanted layers of the timeline, by their words in doc/formats/msprof.md#timeline ("cann"); NULL: all. */
    bool (*layer)(void *arg, const char *word);
    void *layer_arg;
    /*
     * Which files are made, by the words of progress ("op_summary"); NULL: all. Files go to where create
     * says, by their names below the PROF folder, and nothing is made below dir; NULL: below dir. create is
     * called by several threads at once.
     */
    bool (*wanted)(void *arg, const char *what);
    int (*create)(void *arg, struct emit **o, const char *name, struct err *e);
    void *files_arg; /* of wanted and create */
    bool (*cancelled)(void);
    /*
     * Called with what is done now: once for reading, once for each file; in the thread of msprof_export()
     * only. NULL: not wanted.
     */
    void (*progress)(void *arg, const char *what);
    void *progress_arg;
    bool *beyond; /* set with the ERR_USAGE of a model that has no such iterations; NULL: not wanted */
};

/* A PROF folder of a unit: its path below the unit's root with '/' at its end, "" for the root itself. */
typedef int msprof_root_fn(void *arg, struct str root, struct err *e);
NODISCARD int msprof_each_root(const struct unit *u, msprof_root_fn *fn, void *arg, struct err *e);

/* A model of a folder, or a folder without one (`msprof query`). Texts are valid during the call. */
struct msprof_query_row {
    struct str job, dir, time, top; /* top: iterations that took longest, the longest first */
    int device;                     /* -1: the host */
    bool has_model;
    uint64_t model, iterations;
    int rank; /* -1: unknown */
};
typedef int msprof_query_fn(void *arg, const struct msprof_query_row *r, struct err *e);
/* What models and iterations a PROF folder holds. Errors: those of fn, ERR_FORMAT, ERR_NOMEM. */
NODISCARD int msprof_query_read(const struct unit *u, struct str root, msprof_query_fn *fn, void *arg,
                                struct err *e);

/*
 * Export one PROF folder, adding to the report (rank: the number of the device, -1 for files about all). A
 * file that cannot be made becomes a row of the report and the others are made. Errors: those that end the
 * work: ERR_FULL, ERR_NOMEM, ERR_CANCELLED, ERR_FORMAT.
 */
NODISCARD int msprof_export(const struct unit *u, struct str root, const struct msprof_options *o,
                            struct emit_report *report, struct err *e);

#endif
