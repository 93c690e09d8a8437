/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the data of a run ends (doc/screens.md#triage): what each stream, engine and queue did last and what
 * never ended, how far each rank came, and which records are lost to damage. Made from table last_activity,
 * from the steps, and from the notes of parsers. Used by the Triage pane and by `triage`.
 */
#ifndef NPUSCOPE_ENDING_H
#define NPUSCOPE_ENDING_H

#include "base/unit.h"
#include "model/session.h"
#include "run/state.h"

#define NO_STEP       INT64_MIN
#define NO_TIME       INT64_MIN
#define ENDING_NAME_B 1024 /* of an op's full name: above it, it is cut */

enum act_state {
    ACT_DONE,
    ACT_RUNNING, /* begun, and no end recorded */
    ACT_UNKNOWN, /* begun before records were lost: its end may be among them */
};

struct ending_act {
    size_t index; /* of the rank in the session */
    int rank;
    char kind[8];             /* as in table last_activity */
    char track[48];           /* track and name are as they are in the data: made safe when shown */
    char name[ENDING_NAME_B]; /* the full name; for a queue, how much it held */
    enum act_state state;
    bool is_twice; /* a stream has the task of this op, and the AI CPU its kernel: they end apart */
    bool has_ts;
    int64_t ts_ns; /* on the rank's clock, absolute; the start of what still runs */
    int64_t at_ns; /* against the last record of the device */
};

struct ending_rank {
    int rank, device; /* device -1: unknown */
    enum run_state state;
    /* of another window or run than the selected rank (session_is_beside()): not compared */
    bool apart;
    bool read;                                       /* the fields below are known */
    int64_t last_step, last_complete_step, cut_step; /* NO_STEP: none */
    int64_t cut_after_ns;                            /* from its start to the last record, -1 unknown */
    uint64_t complete_steps;
    bool has_ts;
    int64_t last_ts_ns; /* last record of the device, absolute on the rank's clock */
    bool has_end;
    int64_t end_unix_ns; /* last_ts_ns as Unix time, by the clocks at the start of the collection */
    char clock[12];      /* of last_ts_ns, as in table rank: "unix", "device", "relative"; "" unknown */
    bool has_origin;
    int64_t origin_ns; /* its first instant on that clock: where screens and text begin to count */
    bool has_origin_unix;
    int64_t origin_unix_ns; /* the same as Unix time, where the run knows it */
    /*
     * Its device clock was lost, and its rows placed anew. clock_known: by the collectives of others
     * (clock_with the first of them) its instants are clock_ahead_ns too late, within clock_within_ns;
     * end_unix_ns is right.
     */
    bool clock_lost, clock_known;
    int64_t clock_ahead_ns, clock_within_ns;
    int clock_with;
    double step_ns; /* mean length of its complete steps, NAN unknown */
    /* Communication ops, as they are in the data: the one the rank is in, and the one before it; "": none. */
    char in_comm[ENDING_NAME_B], left_comm[ENDING_NAME_B];
    char in_group[64]; /* of in_comm, as it is in the data; "" not known */
    /* On the rank's clock, NO_TIME: when in_comm began, left_comm began and ended, last_step began. */
    int64_t in_since_ns, left_since_ns, left_at_ns, step_since_ns;
    /* What the device did last, at last_ts_ns: as it is in the data, cut; "" where it has no name. */
    char last_op[200];
    bool last_runs;      /* it has no end record */
    bool brief;          /* its own store is not open: when left_comm began is not known */
    char steps_from[24]; /* kind of the file that its steps are numbered by, "" not known */
};

struct ending_lost {
    size_t at; /* index of the rank */
    int rank;
    char file[200];  /* below the unit's root: made safe when shown */
    bool cut;        /* in the middle of a record, else damaged in another way */
    int64_t offset;  /* -1 unknown */
    int64_t records; /* -1 unknown: the slice is missing */
    char what[200];  /* first note about it */
};

struct ending {
    /* rank by rank: what still runs, then what is done, the latest first, then the host, then queues */
    struct ending_act *acts;
    size_t n_acts;
    struct ending_rank *ranks; /* of the whole session, by its indices */
    size_t n_ranks;
    struct ending_lost *lost; /* in order of ranks and files */
    size_t n_lost;
};

/*
 * acts and lost: those of the n ranks (indices of the session) whose stores are attached (acts also of the
 * overview). ranks: all of the
 * session, each read from its store, else from the overview. now_ns: Unix time, for the states. Errors: those
 * of the stores, ERR_NOMEM; ending_free() is allowed then.
 */
NODISCARD int ending_make(struct ending **out, struct session *s, const size_t *ranks, size_t n,
                          int64_t now_ns, struct err *e);
/*
 * As ending_make() for the rank with index `at`, which is selected; the facts of all ranks come from `known`,
 * made from the same session: whoever goes through all ranks reads them once.
 */
NODISCARD int ending_make_beside(struct ending **out, struct session *s, const struct ending *known,
                                 size_t at, struct err *e);
/*
 * Only the ranks that this store has rows of, a unit's or the overview's, and of them only steps and
 * communication: what checks compare. Errors as above.
 */
NODISCARD int ending_of_store(struct ending **out, struct store *s, struct err *e);
void ending_free(struct ending *x);
/* The word of tables ("done", "running", "unknown"), and the text for people ("RUNNING, no end record"). */
const char *ending_state_word(enum act_state s);
const char *ending_state_text(enum act_state s);
/* The same of a row; "task done" and "kernel done" of an op that has both. */
const char *ending_act_text(const struct ending_act *a);
/* The last part of an op's path, which is the name people use. */
struct str ending_short(const char *name);

/* No rank number occurs twice: the ranks that are compared are those of one job, not of several runs. */
bool ending_is_job(const struct ending *x);
/*
 * All ranks leave a communication op together. Whether `other` has left the one that `at` is still in, in the
 * same step (indices of ranks): then `at` waits for something of its own. Names of MindSpore 1.x are those of
 * the network, the same in all groups: there that is so where all others have left it
 * (doc/rules.md#verdict).
 */
bool ending_has_left(const struct ending *x, size_t other, size_t at);
/* Steps of both are numbered by the same kind of file, as far as is known: only then they compare. */
bool ending_same_steps(const struct ending_rank *a, const struct ending_rank *b);
/* The rank with the highest complete step, NULL: none has one; and whether k has done fewer than that one. */
const struct ending_rank *ending_foremost(const struct ending *x);
bool ending_is_behind(const struct ending_rank *k, const struct ending_rank *top);
/*
 * Sentences that compare the ranks of one job: which are behind the others, or ended before them. None for
 * several runs.
 */
void ending_compare(const struct ending *x, struct run_verdict *v);
/*
 * State and evidence of the rank with this index: from its files (run/state.h), and the files whose records
 * show that they are cut. Without the comparison of ranks.
 */
void ending_verdict(const struct ending *x, const struct unit *u, size_t at, int64_t now_ns,
                    struct run_verdict *v);
/* One unit for the times of all activities, which stand below each other. */
enum time_unit ending_at_unit(const struct ending *x);
/* "-0.41 ms" against the last record of the device; "" when the time is unknown. Returns buf. */
char *ending_at(const struct ending_act *a, enum time_unit unit, char *buf, size_t n);
/* The clock of a rank in words: "device clock", "wall clock", "clock of its own". */
const char *ending_clock_text(const struct ending_rank *k);
/* "56 complete steps, step 57 is cut after 18.2 ms"; "" when the rank was not read. Returns buf. */
char *ending_coverage(const struct ending_rank *k, char *buf, size_t n);

#endif
