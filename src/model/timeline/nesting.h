/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tracks of trace viewers hold events that nest: events that overlap otherwise have to go to another track of
 * the viewer. This chooses the track for an event, and later finds the track that has the event at a time.
 */
#ifndef NPUSCOPE_MODEL_TIMELINE_NESTING_H
#define NPUSCOPE_MODEL_TIMELINE_NESTING_H

#include <stdbool.h>

#include "base/err.h"

struct nesting;
/* remember: nesting_find() will be called (needs 16 bytes for each event). */
NODISCARD int nesting_new(struct nesting **out, bool remember, struct err *e);
void nesting_free(struct nesting *n);
/*
 * Feed events of one track in order (start, longer first); the result is the number, from 0, of the viewer's
 * track that takes the event. -1: out of memory.
 */
int nesting_place(struct nesting *n, int64_t ts, int64_t dur);
int nesting_lanes(const struct nesting *n);
/*
 * The viewer's track of the event that starts at ns, else of the innermost one that goes on at ns; -1: there
 * is none.
 */
int nesting_find(const struct nesting *n, int64_t ns);
/* The viewer's track of an event that starts at ns; -1: none does. */
int nesting_start(const struct nesting *n, int64_t ns);

#endif
