/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of file kinds and groups (data), and what a parser gets.
 *
 * A parser turns one file (or its slices, in order) into rows of a sink; it knows neither SQLite
 * nor curses. It returns OK when all whole records were delivered, even when notes were written;
 * ERR_FORMAT only when nothing could be used.
 */
#ifndef NPUSCOPE_REGISTRY_H
#define NPUSCOPE_REGISTRY_H

#include "base/arena.h"
#include "run/kind.h"
#include "run/runinfo.h"
#include "store/sink.h"

struct parse_ctx {
    const struct source_file *f; /* first slice; further ones through f->next_slice */
    const struct runinfo *run;   /* options and facts of the unit */
    struct arena *tmp;           /* reset after each file */
    struct sink *out;
    uint64_t skip_b;  /* of slices: bytes of the first one that are passed over (of a packed one: none) */
    const char *part; /* parse_generic: the table of a database that is wanted; NULL: the file */
    /*
     * 1: no other thread; 2: one that scans, where the parser can; 0: 2 for large files if there are two
     * processors
     */
    unsigned threads;
    int rank;            /* rank of the rows: f->rank, or the unit's only one (never -1) */
    uint64_t rows, lost; /* counted by the parser */
    uint64_t done_b;     /* bytes of the current slice read so far: progress, updated now and then */
    void (*progress)(void *arg, uint64_t done_b);
    void *progress_arg;
};

/*
 * A group: files that give rows only together (doc/style.md#interfaces).
 *
 * Each member is what a parser gets: a struct parse_ctx of its own, with the slices of one file. Readers take
 * one member and give typed records through a callback; derivations compute from these; the group_fn joins
 * them and writes rows.
 */
enum role {
    ROLE_NONE,
    ROLE_HWTS,
    ROLE_FRAMEWORK_TASK,
    ROLE_FRAMEWORK_GRAPH,
    ROLE_FRAMEWORK_POINT,
    ROLE_FRAMEWORK_TENSOR,
    ROLE_FRAMEWORK_HASH,
    ROLE_TRAINING_TRACE,
    ROLE_TS_TRACK,
    ROLE_AICPU,
    ROLE_AICORE,
    ROLE_PROF_INFO, /* info files of a data folder */
    ROLE_PROF_CALLS,
    ROLE_PROF_HOST,         /* other records of the host */
    ROLE_PROF_TASKS,        /* of stars: that of hwts occurs in older runs, too */
    ROLE_PROF_DEVICE,       /* other records of a device */
    ROLE_HOST_RANGES,       /* of the framework, beside a PROF folder */
    ROLE_HOST_MARKS,        /* of its task queue */
    ROLE_HOST_MEMORY,       /* its allocations */
    ROLE_HOST_PYTHON,       /* calls of Python, collections, parameters; shapes of ops */
    ROLE_DATABASE,          /* everything of a rank */
    ROLE_DATABASE_ANALYSIS, /* steps and communication */
    ROLE_DATABASE_WORKING,  /* a step of msprof's export */
    N_ROLES
};
/* ANY: at least one of the members marked so must be there. OPTIONAL: may be missing. */
enum need { NEED_ANY, NEED_OPTIONAL };
struct group_member_kind {
    enum role role;
    enum need need;
    const char *kind; /* id of the file kind */
    /* base name, narrows the kind; NULL: all of it. Placeholders as in struct file_kind */
    const char *pattern;
};
#define GROUP_TABLES 16
/*
 * A table with a column rank that a group can feed when it has a member of one of these roles (1u << role);
 * 0: always.
 */
struct group_table {
    const char *name;
    unsigned from;
};
struct group_ctx;
typedef int group_fn(struct group_ctx *c, struct err *e);
struct group_kind {
    const char *id;
    const char *anchor; /* folder the members lie in or below: pattern of its base name */
    const char *beside; /* folder next to it whose files belong to the group, too; NULL: none */
    /*
     * the anchor folder's files are one group whatever their ranks and folders; read when no analysed file
     * has executions
     */
    bool whole;
    /*
     * results, each read for what is still missing: before raw data, after raw data that has more; or read
     * when nothing else feeds the first two of its tables
     */
    enum { GROUP_RAW, GROUP_RESULTS, GROUP_RESULTS_AFTER, GROUP_RESULTS_LAST } results;
    /* without a member of this role, files of a complete whole group are left to it; ROLE_NONE: never */
    enum role yields_without;
    enum role yields_to; /* to a group with a member of this role instead; ROLE_NONE: to a whole one */
    struct group_member_kind members[24]; /* ended by ROLE_NONE */
    group_fn *parse;                      /* NULL: not yet */
    struct group_table tables[GROUP_TABLES];
};
struct group_member {
    enum role role;
    bool read;          /* set by group_use(): its source row says what was found */
    struct parse_ctx c; /* c.f: first slice; c.rows, c.lost: counted by its reader */
};
struct group_ctx {
    const struct group_kind *kind;
    struct group_member *m; /* by role, then by path */
    size_t n;
    unsigned wanted;                            /* bit i: tables[i] is fed by nothing else */
    const struct source_file *const *unit_file; /* all of the unit, for what is beside the group */
    size_t n_unit_files;
    const struct runinfo *run;
    struct arena *tmp;
    struct sink *out;
    int rank;
    bool marks; /* rows of STAGE_TASK_MARK, too */
    /*
     * only the preview: tables steps and last_activity, of large files no more than the end; the group is
     * read whole later
     */
    bool preview;
};
/* The start or end of a task of an op, in the order of the records: what executions are made of. */
enum { STAGE_TASK_MARK = STAGE_FIRST };
enum { MARK_OP, MARK_IS_END, MARK_TS, MARK_STREAM, MARK_TASK, N_MARK_COLS };
/* i-th file of a role, about to be read; NULL: no more. */
struct parse_ctx *group_use(struct group_ctx *c, enum role r, size_t i);
/*
 * Judge the return code of a reader, for a group that goes on without a member. false: read, or the member
 * alone is unusable, which becomes a note on it and e is cleared. true: memory, the store, cancelled: return
 * e.
 */
bool group_failed(struct group_ctx *c, const struct parse_ctx *member, int rc, struct err *e);
/* Nothing else feeds this table: the group writes it. */
bool group_wants(const struct group_ctx *c, const char *table);

extern const struct file_kind registry_unknown; /* kind of a file that nothing matches */
extern const struct group_kind registry_groups[];
extern const size_t registry_n_groups;

struct inventory_tables; /* run/inventory.h */
/* Tables for the inventory: the families of kinds and the rules of expected files. */
struct inventory_tables registry_tables(void);
/* Kind i of all families, NULL: there are no more. */
const struct file_kind *registry_kind(size_t i);
/* Kind by id, NULL when there is none. */
const struct file_kind *registry_find(struct str id);
/* Open any CSV, JSON array or text table as a generic table; used for kinds without a parser. Rows
 * go to sink_generic. */
parse_fn parse_generic;

#endif
