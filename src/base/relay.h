/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Batches from a thread that fills them to the one that uses them: a bounded queue between exactly two
 * threads, in which the same few batches go round. Only the two know what a batch is; what else they have to
 * pass on (an end, an error) is part of it.
 *
 * The one that makes a relay is the user; relay_start() makes the filler. Each function below says which of
 * the two calls it.
 */
#ifndef NPUSCOPE_RELAY_H
#define NPUSCOPE_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct relay;

/* The filler: takes and gives batches until relay_take() gives none or there is nothing left. */
typedef void relay_fill_fn(void *arg);

/* User. batches: n of size bytes each, which stay the caller's and have to outlive the relay. */
NODISCARD int relay_new(struct relay **out, void *batches, size_t n, size_t size, struct err *e);
/* User. The filler begins. false: the system gives no thread. */
bool relay_start(struct relay *r, relay_fill_fn *fill, void *arg);
/*
 * User. The next batch, in the order in which they were given; the one before goes back to be filled again.
 * NULL: the filler has returned and all it gave was used.
 */
void *relay_next(struct relay *r);
/* User. Ends the filler at its next call, waits for it, and forgets the queue. NULL is allowed. */
void relay_free(struct relay *r);

/* Filler. The next batch to fill; waits while all are with the user. NULL: the user wants no more. */
void *relay_take(struct relay *r);
/*
 * Filler. The batch taken last goes to the user. mark: number of what it borrows from, not below that of the
 * batch before.
 */
void relay_give(struct relay *r, uint64_t mark);
/*
 * Filler. Wait until the user is done with all batches given under this mark or a lower one, or wants no
 * more.
 */
void relay_wait(struct relay *r, uint64_t mark);

#endif
