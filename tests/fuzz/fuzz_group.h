/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A group of raw files read into a sink that counts: what comes is whole, and every text is read, so that the
 * sanitizers see where it lies.
 */
#ifndef NPUSCOPE_FUZZ_GROUP_H
#define NPUSCOPE_FUZZ_GROUP_H

#include "parsers/registry.h"
#include "tests/fuzz/fuzz.h"

/* m: the members, of which c.f is set. glance: only what is known soon. */
void fuzz_group(const struct group_kind *k, struct group_member *m, size_t n, const struct runinfo *run,
                int rank, bool preview);

#endif
