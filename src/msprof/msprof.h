/*
 * The export that CANN's msprof does with raw PROF folders (formats/msprof-raw.md 5 to 7): its CSV files, traces and database, with their
 * names, columns, number formats and order.
 *
 * Where msprof computes something wrongly, the files have the right value unless compat asks for msprof's own. Torn data is never dropped.
 * Not thread-safe.
 */
#ifndef NPUSCOPE_MSPROF_MSPROF_H
#define NPUSCOPE_MSPROF_MSPROF_H

#include "base/err.h"
#include "emit/report.h"
#include "run/inventory.h"

enum ms_what { /* bits */
               MS_SUMMARY = 1,
               MS_TIMELINE = 2,
               MS_DB = 4,
               MS_COMM = 8,        /* communication.json */
               MS_COMM_MATRIX = 16 /* communication_matrix.json */
};

struct ms_options {
    unsigned what;
    const char *dir; /* results go below it, as below the PROF folder; made when it is not there */
    const char *stamp; /* YYYYMMDDHHMMSS, in the names of files */
    bool partial;      /* one model's iterations: */
    uint32_t model;    /* UINT32_MAX: the steps */
    uint64_t iteration, count;
    bool json;   /* tables as JSON */
    bool compat; /* msprof's wrong numbers too */
    /* Layers of the timeline that are wanted, by the word of 6.3 ("cann"); NULL: all. */
    bool (*layer)(void *arg, const char *word);
    void *layer_arg;
    bool (*cancelled)(void);
    /* What is done now: of reading, and a file each. NULL: nobody wants to know. Called in the thread of ms_export() only. */
    void (*progress)(void *arg, const char *what);
    void *progress_arg;
    bool *
        beyond; /* set with the ERR_USAGE of a model that has no such iterations; NULL: not wanted */
};

/* A PROF folder of a unit: its path below the unit's root with '/' at its end, "" for the root itself. */
typedef int ms_root_fn(void *arg, struct str root, struct err *e);
NODISCARD int ms_each_root(const struct unit *u, ms_root_fn *fn, void *arg, struct err *e);

/* A model of a folder, or a folder without one (7, query). Texts are valid during the call. */
struct ms_query_row {
    struct str job, dir, time, top; /* top: iterations that took longest, the longest first */
    int device;                     /* -1: the host */
    bool has_model;
    uint64_t model, iterations;
    int rank; /* -1: unknown */
};
typedef int ms_query_fn(void *arg, const struct ms_query_row *r, struct err *e);
/* What models and iterations a PROF folder holds. Errors: those of fn, ERR_FORMAT, ERR_NOMEM. */
NODISCARD int ms_query(const struct unit *u, struct str root, ms_query_fn *fn, void *arg,
                       struct err *e);

/*
 * Export one PROF folder, adding to the report (rank: the number of the device, -1 for files about all). A file that cannot be made becomes a
 * row of the report and the others are made. Errors: those that end the work: ERR_FULL, ERR_NOMEM, ERR_CANCELLED, ERR_FORMAT.
 */
NODISCARD int ms_export(const struct unit *u, struct str root, const struct ms_options *o,
                        struct vendor_report *report, struct err *e);

#endif
