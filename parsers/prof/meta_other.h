/* SPDX-License-Identifier: Apache-2.0 */
/* Private to parsers/prof: info files of the run's other PROF folders, for one that lost its own. */
#ifndef NPUSCOPE_PARSERS_PROF_META_OTHER_H
#define NPUSCOPE_PARSERS_PROF_META_OTHER_H

#include "parsers/prof/meta.h"

/*
 * The same host or device in another PROF folder among p->in.files, what its info files say to *out; its
 * texts live as long as p. Of several that have an info file `which` the nearest in time. Clocks are those of
 * the same boot of the machine. false: there is none, also for want of memory. Gives no notes.
 */
bool prof_meta_other(struct prof *p, const struct prof_folder *f, enum prof_info_file which,
                     struct prof_meta *out);
/*
 * The clock of a host or device that f lost, from that of another folder
 * (doc/formats/prof-quirks.md#lost-clocks): a host's is exact, that of a device gets a bound
 * (prof_meta.near_ns). false: there is none.
 */
bool prof_meta_other_clock(struct prof *p, struct prof_folder *f);

#endif
