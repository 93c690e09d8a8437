/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Windows of a dynamic profile: each is a profile of its own, of some steps of a run
 * (doc/formats/analysed.md#layouts: rank<R>_start<A>_stop<B>).
 */
#ifndef NPUSCOPE_WINDOWS_H
#define NPUSCOPE_WINDOWS_H

#include "base/buf.h"
#include "model/session.h"

/* First and last step of a unit's window; false: it is none. */
bool windows_steps(const struct unit *u, int64_t *start, int64_t *stop);
/* The profile of the i-th rank of s is of this window ("2-5"); want NULL: any. */
bool windows_fit(const struct session *s, size_t i, const char *want);
/* Append "2-5, 20-23": those of a rank (-1: of all), each once, by their steps. */
void windows_list(const struct session *s, int rank, struct buf *out);

#endif
