/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tracks of the timeline for ranks that have no trace, made from rows of tables once everything is read
 * (doc/store.md#time-tables).
 */
#ifndef NPUSCOPE_DERIVE_H
#define NPUSCOPE_DERIVE_H

#include "store/fill/fill.h"

/* Device tracks from op_exec, step tracks from step, communication tracks from comm_exec, where a
 * rank has none of that kind. */
NODISCARD int derive_tracks(struct fill *f, struct err *e);

#endif
