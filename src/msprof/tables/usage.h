/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the export: the host's usage, for tables, trace and database (doc/formats/prof.md#text-samples,
 * doc/formats/msprof.md#csv-columns to #database).
 */
#ifndef NPUSCOPE_MSPROF_TABLES_USAGE_H
#define NPUSCOPE_MSPROF_TABLES_USAGE_H

#include "msprof/run.h"
#include "parsers/prof/sampled/usage.h"

/* An interval with the usage that was sampled at its end; host monotonic ns. */
struct msprof_memory {
    int64_t from;
    double usage; /* % */
};
typedef int msprof_memory_fn(void *arg, const struct msprof_memory *m, struct err *e);
NODISCARD int msprof_memory_read(struct prof *p, msprof_memory_fn *fn, void *arg, struct err *e);

/* compat: in msprof's doubles, with the usage relative to the last network card's speed. */
struct msprof_network {
    int64_t from;
    double usage, kbs; /* %, KB/s */
};
struct msprof_network msprof_network_of(const struct prof_net_use *u, bool compat);

/*
 * msprof shows system calls whose names contain one of some words, and all pthread calls (upstream,
 * analysis/common_func/msprof_constant/str_constant.py).
 */
bool msprof_shows_call(struct msprof_run *r, enum prof_tag tag, uint32_t name);

#endif
