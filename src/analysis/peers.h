/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ranks of a job side by side: where a step of each goes, how long its steps were, and which of them the
 * others wait for. Read from the overview of the job (import/overview.h) or from the stores of its units, of
 * which every row is read once. Owns what it has read; nothing is borrowed from a store.
 */
#ifndef NPUSCOPE_PEERS_H
#define NPUSCOPE_PEERS_H

#include "model/session.h"
#include "store/sink.h"

/*
 * What a step is made of: computing, communication that nothing hides, preparing (data and host), neither.
 * PEER_WORK: forward and backward, PEER_TAIL: what follows; of sources that do not tell computing from
 * communication.
 */
enum peer_part { PEER_COMPUTE, PEER_COMM, PEER_WORK, PEER_TAIL, PEER_PREP, PEER_IDLE, N_PEER_PARTS };

/*
 * Times are means of its whole steps in ns, without the first that the job recorded (it is the only one, or
 * it is left out). NAN: not recorded, or not read yet.
 */
struct peer {
    int rank;
    size_t index;   /* in the session; SIZE_MAX: made of a store alone */
    bool read;      /* a store has steps or totals of it */
    uint64_t steps; /* whole steps that were recorded */
    double step_ns, part_ns[N_PEER_PARTS];
    double prep;    /* its share of a step, as share[] below has it of all ranks */
    double wait_ns; /* in communication ops */
    double comm_ns; /* in communication ops, hidden or not: sum of their times */
    double peak_b, capacity_b;
    char peak_of[16]; /* what the peak is: alive, reserved, process; only the same is compared */
    double device_ns; /* per step, sum of its kernels */
    /*
     * How much sooner a step would end were it as fast as the others: the time that they communicate longer
     * than it, as far as it computes or prepares longer than they do (their median). 0: as fast as they are.
     */
    double late_ns;
    double late_compute_ns, late_prep_ns; /* longer than the others */
    double late_steps; /* share of the steps in which it communicates least; NAN: only sums are known */
};

struct peer_op {
    char name[256]; /* op type, or full name of an op; as in the data */
    char core[16];  /* of the one that took most; "" not known */
    double share;   /* of the time of all kernels, 0..1 */
    double ns;      /* per step */
};
#define PEER_OPS 12
struct peer_types {
    struct peer_op v[PEER_OPS]; /* longest first */
    size_t n;
    double all_ns; /* of all, also those that have no room here */
};

/* A link between two ranks, in one direction. */
struct peer_link {
    int from, to;
    bool both; /* the way back is as slow */
    char transport[24];
    double rate, others; /* bytes per second; of the other links of this transport */
    double ns;           /* how much longer its transfers take, per step */
};

struct peers {
    struct peer *v; /* by rank */
    size_t n;
    int64_t *step; /* numbers of the steps below, in order: those of all ranks, the last ones where many */
    size_t n_steps;
    double *length;                /* [n_steps]: of a step, mean of the ranks */
    double *lengths;               /* [n][n_steps]: NAN: not recorded */
    size_t skip;                   /* steps at the beginning that means leave out: 0 or 1 */
    double p50_ns, p95_ns, max_ns; /* of length, NAN unknown */
    size_t max_at;                 /* index of the longest */
    double share[N_PEER_PARTS];    /* of a step, of all ranks; NAN unknown */
    struct peer_types types;       /* op types of all ranks */
    size_t n_rows;                 /* steps of ranks that were read */
    bool partial;                  /* a store of them is still being filled */
    bool interval; /* PEER_PREP is what the steps' files call interval; no step has preparing */
};

/* The ranks beside the selected one (session_is_beside); of several profiles of one rank only that one. */
NODISCARD int peers_make(struct peers **out, struct session *s, struct err *e);
/* The op types of one rank of a store; none where it has no ops. */
NODISCARD int peers_types_of(struct peer_types *out, struct store *s, int rank, struct err *e);
/* All ranks that this store has steps or totals of. */
NODISCARD int peers_of_store(struct peers **out, struct store *s, struct err *e);
/* Compare the ranks of a store, what is found to its table rank_late. */
NODISCARD int peers_keep(struct store *s, struct sink *out, struct err *e);
void peers_free(struct peers *p);
/* A row of lengths. */
const double *peers_lengths(const struct peers *p, size_t at);
/*
 * The rank that all others wait for, SIZE_MAX: none. The rule: it communicates less than the others in at
 * least three of four steps, in all by a hundredth of a step and twice as much as any other rank does, and
 * its longer computing or preparing accounts for that. At least three steps.
 */
size_t peers_late(const struct peers *p);
/*
 * The op in which a rank loses most against the median of the others, per step; its share of what the rank
 * loses in all ops is op->share. False: ops are not recorded, or none takes longer.
 */
bool peers_late_op(const struct peers *p, struct session *s, size_t at, struct peer_op *op);
/*
 * The link that costs most among those below 80 % of the mean of the others of their transport, if a step
 * loses half a percent over it. False: there is none, or too few links to compare.
 */
bool peers_slow_link(const struct peers *p, struct session *s, struct peer_link *out);

#endif
