/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks whose device clock was lost and placed anew (doc/store.md#marks): where it must have been, by the
 * collectives of the other ranks (doc/formats/prof-quirks.md#lost-clocks). Stores stay as they are.
 */
#ifndef NPUSCOPE_RANK_CLOCK_H
#define NPUSCOPE_RANK_CLOCK_H

#include "model/session.h"

struct rank_clock {
    bool lost;                   /* its rows are marked so */
    bool known;                  /* the following are */
    int64_t ahead_ns, within_ns; /* its instants are that much too late, which is true within within_ns */
    int with;                    /* the first of the ranks that it is compared with */
};

/*
 * out: [ranks of the session]. Compared are the loaded ranks beside the selected one, those on its own server
 * where there are some; their clocks are Unix time. Errors: ERR_NOMEM, those of the stores.
 */
NODISCARD int rank_clock_read(struct rank_clock *out, struct session *s, struct err *e);

#endif
