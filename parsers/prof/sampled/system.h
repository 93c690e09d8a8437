/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text samples of a device or of the host as a system (doc/formats/prof.md#text-samples): image and video
 * engines, network counters, memory, processors, processes. What that page only names: upstream,
 * analysis/msparser/hardware.
 *
 * Records are passed on as those of sampled.h. Lines that cannot be read become a note.
 */
#ifndef NPUSCOPE_PARSERS_PROF_SAMPLED_SYSTEM_H
#define NPUSCOPE_PARSERS_PROF_SAMPLED_SYSTEM_H

#include "parsers/prof/prof.h"

/* ---- dvpp ---- */

struct prof_dvpp {
    uint64_t ns; /* device's monotonic clock */
    uint32_t id, type, engine;
    double time, frames; /* since the device was started: us, frames */
    double usage;        /* % */
};
typedef int prof_dvpp_fn(void *arg, const struct prof_dvpp *d, struct err *e);
NODISCARD int prof_dvpp_read(struct prof *p, const struct prof_folder *f, prof_dvpp_fn *fn, void *arg,
                             struct err *e);
/* "VDEC"; NULL: not known. */
const char *prof_dvpp_word(uint32_t type);

/* ---- netdev_stats: counters of network devices ---- */

enum prof_netdev_value { /* in order of the file */
                         PROF_MAC_TX_PFC,
                         PROF_MAC_RX_PFC,
                         PROF_MAC_TX_BYTES,
                         PROF_MAC_RX_BYTES,
                         PROF_MAC_TX_BAD,
                         PROF_MAC_RX_BAD,
                         PROF_ROCE_TX,
                         PROF_ROCE_RX,
                         PROF_ROCE_TX_ERROR,
                         PROF_ROCE_RX_ERROR,
                         PROF_ROCE_TX_CNP,
                         PROF_ROCE_RX_CNP,
                         PROF_ROCE_RETRY,
                         PROF_NIC_TX_BYTES,
                         PROF_NIC_RX_BYTES,
                         N_PROF_NETDEV
};
struct prof_netdev {
    int64_t from, to;          /* host's monotonic ns */
    uint64_t v[N_PROF_NETDEV]; /* what was added between; 0 when it went down */
};
typedef int prof_netdev_fn(void *arg, const struct prof_netdev *d, struct err *e);
/* Differences of each two samples in order of time. */
NODISCARD int prof_netdev_read(struct prof *p, const struct prof_folder *f, prof_netdev_fn *fn, void *arg,
                               struct err *e);
/* Wall clock ns of such an instant. */
int64_t prof_netdev_ns(const struct prof *p, const struct prof_folder *f, int64_t mono_ns);
/* A value per second. */
double prof_netdev_rate(const struct prof_netdev *d, enum prof_netdev_value v);

/* ---- /proc/meminfo ---- */

enum prof_meminfo_value {
    PROF_MEM_TOTAL,
    PROF_MEM_FREE,
    PROF_MEM_BUFFERS,
    PROF_MEM_CACHED,
    PROF_MEM_SHARED,
    PROF_MEM_COMMIT_LIMIT,
    PROF_MEM_COMMITTED,
    PROF_MEM_HUGE_TOTAL, /* pages */
    PROF_MEM_HUGE_FREE,
    N_PROF_MEMINFO
};
struct prof_meminfo {
    uint64_t stamp;             /* ns since the system was started */
    uint64_t v[N_PROF_MEMINFO]; /* KiB but for the last two */
};
typedef int prof_meminfo_fn(void *arg, const struct prof_meminfo *m, struct err *e);
/* Of the host or a device, as the folder is. */
NODISCARD int prof_meminfo_read(struct prof *p, const struct prof_folder *f, prof_meminfo_fn *fn, void *arg,
                                struct err *e);

/* ---- /proc/stat ---- */

enum prof_cpu_kind { PROF_CPU_OTHER, PROF_CPU_AI, PROF_CPU_CTRL, PROF_CPU_HOST, N_PROF_CPU_KINDS };
enum prof_cputime { /* in order of the file */
                    PROF_CPU_USER,
                    PROF_CPU_NICE,
                    PROF_CPU_SYS,
                    PROF_CPU_IDLE,
                    PROF_CPU_IOWAIT,
                    PROF_CPU_IRQ,
                    PROF_CPU_SOFT,
                    PROF_CPU_STEAL,
                    PROF_CPU_GUEST,
                    PROF_CPU_GNICE,
                    N_PROF_CPUTIME
};
struct prof_cputimes {
    uint64_t stamp; /* ns since the system was started */
    int32_t cpu;    /* -1: all */
    enum prof_cpu_kind kind;
    uint64_t v[N_PROF_CPUTIME]; /* jiffies since then */
};
typedef int prof_cputimes_fn(void *arg, const struct prof_cputimes *c, struct err *e);
NODISCARD int prof_cputimes_read(struct prof *p, const struct prof_folder *f, prof_cputimes_fn *fn, void *arg,
                                 struct err *e);

/* ---- processes ---- */

struct prof_process_cpu {
    uint64_t pid;
    uint32_t name;  /* text */
    uint64_t busy;  /* jiffies of it and its children */
    uint64_t whole; /* jiffies of the system */
};
typedef int prof_process_cpu_fn(void *arg, const struct prof_process_cpu *c, struct err *e);
NODISCARD int prof_process_cpu_read(struct prof *p, const struct prof_folder *f, prof_process_cpu_fn *fn,
                                    void *arg, struct err *e);

struct prof_process_mem {
    uint64_t pid;
    uint32_t name;                   /* text */
    uint64_t size, resident, shared; /* pages */
};
typedef int prof_process_mem_fn(void *arg, const struct prof_process_mem *m, struct err *e);
NODISCARD int prof_process_mem_read(struct prof *p, const struct prof_folder *f, prof_process_mem_fn *fn,
                                    void *arg, struct err *e);

#endif
