/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by peers.c, which reads, peers_late.c, which compares, and peers_base.c. Arrays belong to struct
 * reading.
 */
#ifndef NPUSCOPE_PEERS_INT_H
#define NPUSCOPE_PEERS_INT_H

#include "analysis/peers.h"

/* What a step of a rank is made of; the first are those of enum peer_part. */
enum { ROW_LENGTH = N_PEER_PARTS, N_ROW };

struct step_row;

struct reading {
    struct peers *p;
    struct step_row *rows;
    size_t n_rows, cap;
    bool *taken, *seen; /* of each rank: read from an earlier store, or from this one */
    bool prepared;      /* a step says how long it was prepared */
    double *kinds;      /* [n][N_ROW][n_steps]: values of a kind, step by step, of a rank */
};

/* Fill what follows from comparing the ranks. Errors: ERR_NOMEM. */
NODISCARD int peers_compare(const struct reading *r, struct err *e);
/* Index of a rank, SIZE_MAX: it is not among them. */
size_t peers_find(const struct peers *p, int64_t rank);
/* The stores that hold the ranks: first the overview, then that of each unit; NULL: not there. */
struct store *peers_store(struct session *s, size_t i);
size_t peers_n_stores(struct session *s);
/* n values that are not known; malloc'ed, NULL: out of memory. */
double *peers_nans(size_t n);
int peers_real_cmp(const void *a, const void *b);

#endif
