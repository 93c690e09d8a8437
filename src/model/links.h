/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bandwidth between the ranks of each group, as a matrix (doc/screens.md#communication). Ranks are those of
 * the job; where nothing says who the members of a group are, their numbers inside it. Not thread-safe.
 */
#ifndef NPUSCOPE_MODEL_LINKS_H
#define NPUSCOPE_MODEL_LINKS_H

#include "model/view/view.h"

#define LINKS_RANKS      16
#define LINKS_TRANSPORTS 4
#define LINKS_SLOW       0.8 /* share of the mean: a link below it is slow (doc/rules.md, COM-04) */

/*
 * SQL: rows of comm_link l of rank :rank and the steps :step0 to :step1 that links are summed of, those of
 * totals where the rank has them. A link is what GROUP BY these columns gives, by each of its transports.
 */
#define LINKS_ROWS                                                                                           \
    "l.rank = :rank AND l.src_rank IS NOT NULL AND l.dst_rank IS NOT NULL AND l.transport <> 'LOCAL' "       \
    "AND l.time_ns > 0 AND (:step0 IS NULL OR l.step >= :step0) AND (:step1 IS NULL OR l.step <= :step1) "   \
    "AND (l.stat = 'total' OR NOT EXISTS (SELECT 1 FROM comm_link x WHERE x.rank = :rank "                   \
    "AND x.stat = 'total'))"
#define LINKS_GROUP "l.group_id, l.from_rank, l.to_rank, l.src_rank, l.dst_rank"

struct link_kind {
    char name[24]; /* "HCCS" */
    double mean;   /* bytes per second of the links of this transport in the group */
};
struct link_matrix {
    char group[64]; /* as communication ops name it, raw bytes; "": no group is recorded */
    char name[32];  /* what the framework calls it, raw bytes; "" */
    bool numbered;  /* rank[] are numbers inside the group */
    int rank[LINKS_RANKS];
    size_t n;  /* ranks, ascending */
    bool more; /* further ranks were left out */
    /* bytes per second from row to column, NAN: none; and its transport, as an index of kind */
    double v[LINKS_RANKS][LINKS_RANKS];
    unsigned char transport[LINKS_RANKS][LINKS_RANKS];
    struct link_kind kind[LINKS_TRANSPORTS];
    size_t n_kinds;
    double worst; /* least share of the mean that a link reaches; NAN: there are no two to compare */
};
struct link_set {
    struct link_matrix *m; /* the one with the slowest link first */
    size_t n;
    size_t n_links; /* ways from a rank to another by a transport, whatever number of rows says of each */
};

/*
 * What the ranks of these parts recorded, in order of ranks: bytes over time of all links that are not LOCAL
 * (from rows of totals where a rank has them). Free it with link_set_done(). Errors: of the stores,
 * ERR_NOMEM; out is empty then.
 */
NODISCARD int link_set_make(struct link_set *out, const struct view_part *parts, size_t n,
                            const struct view_scope *scope, struct err *e);
void link_set_done(struct link_set *s);
/* The link is below LINKS_SLOW of the mean of its transport. */
bool link_is_slow(const struct link_matrix *m, size_t from, size_t to);

#endif
