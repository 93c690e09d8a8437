/* SPDX-License-Identifier: Apache-2.0 */
/*
 * query as msprof.py has it (doc/formats/msprof.md#command-line): the models and iterations of PROF folders,
 * and whether folders are those of a cluster.
 */
#ifndef NPUSCOPE_CLI_MSPROF_MSPROF_QUERY_H
#define NPUSCOPE_CLI_MSPROF_MSPROF_QUERY_H

#include "cli/msprof/msprof_args.h"

/*
 * Print it on standard output. Returns the exit status: MSX_OK, MSX_CLUSTER with e set, or -1 for another
 * error, which is in e.
 */
int msprof_query(const struct msprof_args *a, struct err *e);

#endif
