/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the flight recorder dumps of N ranks say together: for each process group the first collective at
 * which ranks differ, and how; over all groups, whom the others wait for
 * (doc/formats/logs.md#flight-recorder).
 *
 * Collectives are matched by group (name and members) and number: the same number is the same collective on
 * all ranks. The result borrows texts and entries from the dumps: free it before them. Not thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_LOGS_FLIGHT_COMPARE_H
#define NPUSCOPE_PARSERS_LOGS_FLIGHT_COMPARE_H

#include "base/arena.h"
#include "parsers/logs/flight.h"

enum flight_kind {
    FLIGHT_SAME,     /* nothing differs, nobody waits */
    FLIGHT_MISSING,  /* ranks wait in it, culprits have not issued it */
    FLIGHT_MISMATCH, /* another op, type or size; culprits: all but the most, none in a tie */
    /*
     * all issued it with equal data and it did not end: network or device; culprits: those whose device has
     * not begun it, or not ended it, while others' has; often none
     */
    FLIGHT_STUCK
};

/* Where a rank stands at the collective in question. */
enum flight_standing {
    FLIGHT_AT_NO_DUMP,
    FLIGHT_AT_UNKNOWN, /* the dump does not reach there: cut, or overwritten in its ring */
    FLIGHT_AT_MISSING,
    FLIGHT_AT_ISSUED,
    FLIGHT_AT_BEGUN,
    FLIGHT_AT_ENDED
};

struct flight_member {
    int rank;                                            /* -1: the dump's name has none */
    const struct flight_dump *dump;                      /* NULL: none */
    int64_t last_enqueued, last_started, last_completed; /* FLIGHT_NONE: none, or not known */
    enum flight_standing at;
    uint32_t variant;                 /* members of one number have equal data */
    const struct flight_entry *entry; /* the first one of that number, NULL: none */
};

struct flight_found {
    struct str name, desc;
    enum flight_kind kind;
    int64_t seq;                   /* of the collective in question; FLIGHT_NONE: there is none */
    struct str op;                 /* what most ranks issued there; p NULL: nothing */
    int64_t since_ns;              /* when the first rank issued it, UTC; 0: not known */
    struct flight_member *members; /* in the order of the group */
    size_t n_members;
    int32_t *culprits;
    size_t n_culprits;
    struct str text; /* a sentence: what differs */
};

/* The oldest send or receive of a rank that has not ended. */
struct flight_pair {
    int rank, peer; /* -1: not known (several at once are one entry) */
    bool both;      /* the peer has the other side of it, not ended either */
    const struct flight_entry *entry;
};

struct flight_compared {
    struct flight_found *groups; /* by name; without those that have no collective in any dump */
    size_t n_groups;
    struct flight_pair *pairs; /* in the order of the dumps */
    size_t n_pairs;
    /*
     * Culprits, and peers that did not come to a send or receive, that do not wait for somebody themselves
     * in another group or pair; ascending. None although there are culprits: undecided (a ring, or what a
     * culprit waits for has no culprit).
     */
    int32_t *roots;
    size_t n_roots;
    bool undecided;
    struct arena *mem; /* private */
};

#define FLIGHT_COMPARE_B ((size_t)256 << 20) /* memory of a comparison */

/*
 * Compare dumps; of several of one rank the one with the newest entry counts. Errors: ERR_NOMEM; ERR_LIMIT
 * above FLIGHT_COMPARE_B. *out is NULL after an error.
 */
NODISCARD int flight_compare(struct flight_compared **out, const struct flight_dump *const *dumps, size_t n,
                             struct err *e);
void flight_compared_free(struct flight_compared *c); /* NULL is allowed */

#endif
