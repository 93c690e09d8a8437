/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks of the job for the ends of links: sources number the ranks inside the group
 * (doc/formats/analysed.md#communication_matrix).
 */
#ifndef NPUSCOPE_COMM_RANKS_H
#define NPUSCOPE_COMM_RANKS_H

#include "store/fill/fill.h"

/*
 * Write from_rank and to_rank of the links that lack them: by the members of the group (comm_group, whose id
 * or the hash of it is the group's name in ops), else by the link of a rank with itself. Without a group the
 * numbers are ranks. What stays unknown stays NULL. Call it after fill_settle(), between sources. Errors: of
 * the store, ERR_NOMEM.
 */
NODISCARD int comm_ranks_write(struct fill *f, struct err *e);

#endif
