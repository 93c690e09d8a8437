/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How busy the host was, as the collector recorded it from the system (doc/formats/prof.md#text-samples):
 * processors, memory, disks, network, calls of the system. Where that page only names a field: upstream,
 * analysis/host_prof.
 *
 * Records are passed on as those of sampled.h. Instants are monotonic ns of the host (prof_mono_ns()). Lines
 * that cannot be read become a note.
 */
#ifndef NPUSCOPE_PARSERS_PROF_SAMPLED_USAGE_H
#define NPUSCOPE_PARSERS_PROF_SAMPLED_USAGE_H

#include "parsers/prof/prof.h"

/* ---- processors: host_cpu ---- */

#define PROF_ALL_CPUS (-1)
struct prof_cpu_use {
    int64_t from, to;
    int32_t cpu;      /* PROF_ALL_CPUS: the mean of all */
    int64_t usage_e6; /* millionths of percent, that the process used */
};
typedef int prof_cpu_use_fn(void *arg, const struct prof_cpu_use *u, struct err *e);
/*
 * For each two samples: the processors that the process ran on, by number, then the mean. More than 100 % of
 * one is left out.
 */
NODISCARD int prof_cpu_use_read(struct prof *p, const struct prof_folder *f, prof_cpu_use_fn *fn, void *arg,
                                struct err *e);

/* ---- memory: host_mem ---- */

struct prof_mem_use {
    int64_t ns;
    uint64_t pages;   /* of 4 KiB */
    int64_t usage_e6; /* millionths of percent of the memory; 0 when its size is not known */
};
typedef int prof_mem_use_fn(void *arg, const struct prof_mem_use *u, struct err *e);
NODISCARD int prof_mem_use_read(struct prof *p, const struct prof_folder *f, prof_mem_use_fn *fn, void *arg,
                                struct err *e);

/* ---- disks: host_disk ---- */

struct prof_disk_use {
    double from, to;
    double read_kbs, write_kbs; /* KB/s */
    double usage;               /* % of the time */
};
typedef int prof_disk_use_fn(void *arg, const struct prof_disk_use *u, struct err *e);
NODISCARD int prof_disk_use_read(struct prof *p, const struct prof_folder *f, prof_disk_use_fn *fn, void *arg,
                                 struct err *e);

/* ---- network: host_network ---- */

struct prof_net_use {
    int64_t from, to;
    uint64_t bytes;    /* of all cards whose speed is known, both directions */
    unsigned cards;    /* how many */
    double speed;      /* theirs together, bytes/s */
    double last_speed; /* of the last of them */
};
typedef int prof_net_use_fn(void *arg, const struct prof_net_use *u, struct err *e);
NODISCARD int prof_net_use_read(struct prof *p, const struct prof_folder *f, prof_net_use_fn *fn, void *arg,
                                struct err *e);
double prof_net_use_percent(const struct prof_net_use *u);
double prof_net_use_kbs(const struct prof_net_use *u);

/* ---- calls of the system: host_syscall, host_pthreadcall ---- */

struct prof_os_call {
    int64_t start, dur; /* the first call of a file begins with the collection */
    uint32_t name;      /* text */
    uint32_t thread;
};
typedef int prof_os_call_fn(void *arg, const struct prof_os_call *c, struct err *e);
/* tag: PROF_HOST_SYSCALL, PROF_HOST_PTHREAD. */
NODISCARD int prof_os_call_read(struct prof *p, const struct prof_folder *f, enum prof_tag tag,
                                prof_os_call_fn *fn, void *arg, struct err *e);

#endif
