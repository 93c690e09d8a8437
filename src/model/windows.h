/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Windows of a dynamic profile: each is a profile of its own, of some steps of a run
 * (doc/formats/analysed.md#layouts: rank<R>_start<A>_stop<B>). Not thread-safe.
 */
#ifndef NPUSCOPE_WINDOWS_H
#define NPUSCOPE_WINDOWS_H

#include "base/buf.h"
#include "model/session.h"
#include "run/state.h"

struct window {
    int64_t start, stop; /* steps */
};

/* The window of a unit; false: it is of none. */
bool windows_unit(const struct unit *u, struct window *out);
/* The profile of the i-th rank of s is of this window ("2-5"); want NULL: any. */
bool windows_fit(const struct session *s, size_t i, const char *want);
/*
 * Those of a rank (-1: of all), each once, by their steps. Free *out, which is NULL where there are none.
 * Errors: ERR_NOMEM.
 */
NODISCARD int windows_list(const struct session *s, int rank, struct window **out, size_t *n, struct err *e);
/* Append the same as "2-5, 20-23". */
void windows_print(const struct session *s, int rank, struct buf *out);
/* Index of a rank's profile of the window; of its first rank when it lacks that one. SIZE_MAX: no window. */
size_t windows_find(const struct session *s, const struct window *w, int rank);
/* "0-3, 8": numbers of the ranks of a window (NULL: of all profiles). */
void windows_ranks(const struct session *s, const struct window *w, char *buf, size_t room);
/* The worst state of a window's ranks. now_ns: Unix time. */
enum run_state windows_state(const struct session *s, const struct window *w, int64_t now_ns);

#endif
