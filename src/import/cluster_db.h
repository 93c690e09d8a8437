/* SPDX-License-Identifier: Apache-2.0 */
/* The database of a cluster analysis (doc/formats/analysed.md#cluster_analysis). */
#ifndef NPUSCOPE_CLUSTER_DB_H
#define NPUSCOPE_CLUSTER_DB_H

/*
 * Call add for each rank that the database is about, each maybe several times. One that cannot be read names
 * none: its parser reports that.
 */
void cluster_db_ranks(const char *path, void (*add)(void *arg, int rank), void *arg);

#endif
