/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contents of a directory: run roots (units), every file classified, states.
 *
 * job_scan() finds the units from any path (doc/formats/analysed.md#layouts: up at most 6 levels, down at
 * most 16), walks each (doc/reliability.md#strange-files: no links out of the run, regular files only, limits
 * of base/limits.h), classifies with the registry it is given, joins slices, marks superseded exports, reads
 * the run's facts (runinfo) and adds rows for expected files that are not there (ABSENT, OFF). The struct job
 * owns everything; free it last. Nothing is written anywhere.
 */
#ifndef NPUSCOPE_INVENTORY_H
#define NPUSCOPE_INVENTORY_H

#include <limits.h>

#include "base/arena.h"
#include "run/expect.h"
#include "run/kind.h"
#include "run/runinfo.h"

/* The form that is used where several hold the same: text files, a database, raw data. */
enum prefer { PREFER_TEXT, PREFER_DB, PREFER_RAW, N_PREFERS };
/* "text", "db", "raw" */
const char *prefer_word(enum prefer p);

struct unit {
    /* canonical path of the unit's folder (of the file itself, when one lies outside of any run) */
    const char *root;
    const char
        *shown; /* the same for people: in an archive that was unpacked for us, as if that were a folder */
    const char *name; /* for titles: last one or two path parts */
    enum gen gen;
    struct source_file **files; /* in order of path; ABSENT and OFF rows at the end of their folder */
    size_t n_files;
    struct runinfo info;
    uint64_t bytes;     /* of all files */
    const char *window; /* rankR_startA_stopB folder of a dynamic profile, NULL */
    enum prefer prefer;
    size_t run;      /* that it is of, below job.n_runs (run/find/runs.h) */
    struct arena *a; /* of the job */
};
/*
 * Give every file that a parser may read its path, which a scan leaves out: of 200 000 files it takes as much
 * room as all the rest, and who only lists them opens none. Not in several threads at once, also for
 * different units of a job, unless it was called before. ERR_NOMEM.
 */
NODISCARD int unit_paths(const struct unit *u, struct err *e);
/* Give it to any file. ERR_NOMEM. */
NODISCARD int unit_path(const struct unit *u, struct source_file *f, struct err *e);
/* The path of one file: its own, or made in buf. */
const char *unit_path_of(const struct unit *u, const struct source_file *f, char buf[PATH_MAX]);
/* How many files there are: without the rows for those that are missing or were not asked for. */
size_t unit_count_files(const struct unit *u);
/* Who wrote it, for people: as gen_title(), or where that is unknown the tool that its files are of. */
const char *unit_writer(const struct unit *u);

/* "_start2_stop5" of the window rank<R>_start2_stop5 of a dynamic profile; p NULL: it is of none. */
struct str unit_window_steps(const struct unit *u);

/* Why the search did not enter a folder. The first two may hide a unit. */
enum unread_why {
    UNREAD_CLOSED,  /* it cannot be opened */
    UNREAD_DEEP,    /* below the last level that is searched */
    UNREAD_LINK,    /* a link out of what is searched */
    UNREAD_HIDDEN,  /* its name begins with a point */
    UNREAD_ARCHIVE, /* no folder but an archive beside those of runs: it is opened when its path is given */
    N_UNREAD
};
/* A folder, or an archive, that the search did not enter. */
struct unread_folder {
    const char *path, *text; /* text: for people */
    enum unread_why why;
    struct unread_folder *next;
};
/* How many there are for this reason in a list; first (may be NULL): the first of them, NULL when none. */
size_t unread_count(const struct unread_folder *list, enum unread_why why,
                    const struct unread_folder **first);

struct job {
    const char *path;    /* as given, canonical */
    const char *shown;   /* as struct unit has it */
    struct unit **units; /* by rank, then by time */
    size_t n_units, n_runs;
    const char *only;           /* path was one file: its path; NULL otherwise */
    struct source_file **loose; /* files of no unit (cluster outputs beside the units) */
    size_t n_loose;
    struct unread_folder *unread; /* in the order they were met */
    bool cut;                     /* the search below the path met a limit: there may be more units */
};

struct inventory_tables {                     /* the registry, passed in */
    const struct kind_table *const *families; /* of kinds: the first pattern that fits wins */
    size_t n_families;
    const struct file_kind *unknown;
    const struct expect_rule *expects; /* run/expect.h */
    size_t n_expects;
    enum prefer prefer; /* of all units */
    /* call add for each rank in the database of a cluster analysis; NULL: databases are not looked into */
    void (*database_ranks)(const char *path, void (*add)(void *arg, int rank), void *arg);
    /* says which tables these are: searches are kept in the cache under it; NULL: not kept */
    const char *stamp;
    const struct kind_index *index; /* of the kinds, NULL: they are gone through one by one */
};

/*
 * Errors (one clear sentence, with what to do): ERR_IO no such path or no permission, ERR_FORMAT not a
 * profile or empty, ERR_LIMIT, ERR_NOMEM.
 */
NODISCARD int job_scan(struct job **out, const char *path, const struct inventory_tables *t, struct err *e);

/*
 * A job of no units, for a folder that holds only logs; shown: as struct job has it. Errors: ERR_NOMEM,
 * ERR_IO.
 */
NODISCARD int job_of_logs(struct job **out, const char *path, const char *shown, struct err *e);

/* A folder that stands for something else: an archive that was unpacked into it. */
struct job_place {
    const char *folder, *shown; /* canonical; nothing above it is looked at */
    const struct place_note *notes;
    size_t n_notes;
};
/*
 * What its unpacking had to say of a file of it. FS_BAD: it is not there, and gets a row. FS_TORN: only its
 * beginning is. FS_OK: a note. name "": it is about all, in every unit.
 */
struct place_note {
    enum file_state state;
    const char *name, *text; /* below the folder */
};
/* The same for a path in a place; place NULL: job_scan(). */
NODISCARD int job_scan_in(struct job **out, const char *path, const struct job_place *place,
                          const struct inventory_tables *t, struct err *e);
void job_free(struct job *j);
/*
 * The unit with this root, NULL when there is none. Scanning a unit's root gives that unit again (same ids),
 * maybe beside units nested in it.
 */
const struct unit *job_find_unit(const struct job *j, const char *root);
/*
 * Text that changes whenever an input changes: relative paths, inodes, sizes, mtimes
 * (doc/screens.md#state-and-cache). malloc'ed.
 */
char *unit_input_key(const struct unit *u);

/*
 * Match a path (its base name, or its end when the pattern holds '/') against a registry pattern
 * (run/kind.h); m may be NULL.
 */
struct kind_match {
    char which;                  /* placeholder that gave number: 'N', 'R' or 'D'; 0: none */
    int number;                  /* -1 */
    int model, iteration, slice; /* -1 */
    int64_t stamp;               /* -1 */
};
bool kind_pattern_match(const char *pattern, struct str path, struct kind_match *m);
/*
 * What makes kind_of_path() fast for many names: set it as index of the tables it was made from. It lives in
 * the arena. ERR_NOMEM.
 */
NODISCARD int kind_index_new(const struct kind_index **out, const struct inventory_tables *t, struct arena *a,
                             struct err *e);
/* First row of the table with a fitting pattern, NULL: none. */
const struct file_kind *kind_of_path(const struct inventory_tables *t, struct str path, struct kind_match *m);
const struct file_kind *kind_by_id(const struct inventory_tables *t, const char *id);

#endif
