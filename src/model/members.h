/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who the members of communication groups are: the rank that has a number inside a group. Add what is known,
 * sort, look up. Begin with a struct of zeros; free v. Not thread-safe.
 */
#ifndef NPUSCOPE_MODEL_MEMBERS_H
#define NPUSCOPE_MODEL_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct member {
    uint32_t group; /* the caller's number of the group */
    int64_t number, rank;
    size_t order; /* of adding */
};
struct members {
    struct member *v;
    size_t n, cap;
};

/* Errors: ERR_NOMEM. */
NODISCARD int members_add(struct members *m, uint32_t group, int64_t number, int64_t rank, struct err *e);
/* By group and number, after the last one was added. */
void members_sort(struct members *m);
/* Of what was added several times the first counts. false: not known. Sort before. */
bool members_rank(const struct members *m, uint32_t group, int64_t number, int64_t *rank);

#endif
