/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communication of one device (doc/formats/msprof.md#communication): its tasks, the ops they belong to with
 * their printed names, and how fast they were. Pure: from what parsers/prof/host/host.h and
 * parsers/prof/device/device.h give. Not thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_PROF_COMM_COMM_H
#define NPUSCOPE_PARSERS_PROF_COMM_COMM_H

#include "parsers/prof/device/device.h"

/*
 * How results are made: what is kept, in whose arithmetic (doc/formats/msprof.md#partial-exports). Zero with
 * to = UINT64_MAX: everything, in whole ns.
 */
struct prof_how {
    uint64_t from, to;    /* device counters of a partial export: tasks with from < end <= to */
    uint64_t log_from;    /* tasks of the hwts log that begin before are in no part of msprof's; 0: any are */
    enum dialect dialect; /* Python: the rules of that half, and ns is its clock */
    bool python_rates;    /* bandwidths by the arithmetic of Python, whatever the dialect */
    double (*ns)(const void *clock, uint64_t counter); /* monotonic ns */
    const void *clock;
};

/*
 * Whether a task is kept in lists of tasks; a task of communication in those of communication
 * (doc/formats/prof.md#collection-begin).
 */
bool prof_keeps_task(const struct prof_how *how, const struct prof_folder *f, uint64_t start, uint64_t end);
bool prof_keeps_comm(const struct prof_how *how, const struct prof_folder *f, uint64_t start, uint64_t end);
/* From one counter to a later one, ns. */
double prof_span_ns(const struct prof_how *how, const struct prof_folder *f, uint64_t from, uint64_t to);

struct prof_comm_task {
    uint32_t task, host, run; /* indexes: of the device, of the host, into struct prof_comm */
    uint32_t iter;            /* the host's task ran for the n-th time, from 1 */
    double bandwidth;         /* GB/s */
};
/* An op of the host in one execution. */
struct prof_comm_run {
    uint64_t first;      /* begin of its node call, host counter */
    uint64_t start, end; /* device counters, over the tasks of its master calls, else over all */
    uint32_t op;         /* prof_comm_op */
    uint32_t name;       /* text: "hcom_allReduce__452_1_1" */
    uint32_t group;      /* text: the group's hash as digits, "N/A" when it is not known */
    uint32_t info;       /* prof_comm_info of its first task that has one, PROF_NONE: none */
    uint32_t index;      /* of the op in its group, from 0 */
    uint32_t iter;       /* execution of the op, from 1 */
    uint32_t at, n;      /* its tasks: task[at] ... by start */
    uint32_t n_master;   /* how many of them are of a master call */
    uint32_t n_info;     /* how many have a prof_comm_info */
    unsigned doubt;      /* what damage may have made untrue of it, bits of enum prof_doubt */
    /* the kernel of an AI CPU that carries it out (parsers/prof/comm/kfc_comm.h), PROF_NONE: none */
    uint32_t kfc;
};

struct prof_kfc_comm;
struct prof_comm {
    struct spool *spool;         /* of tasks and runs */
    struct prof_comm_task *task; /* by run, then by start */
    size_t n_tasks;
    struct prof_comm_run *run; /* by the start of their first task */
    size_t n_runs;
    struct prof_kfc_comm *kfc; /* what AI CPUs run themselves; NULL: nothing */
};

/* Errors: ERR_NOMEM, ERR_LIMIT, ERR_CANCELLED. prof_comm_done() is allowed after a failure. */
NODISCARD int prof_comm_make(struct prof_comm *c, struct prof *p, const struct prof_device *d,
                             const struct prof_host *h, const struct prof_how *how, struct err *e);
void prof_comm_done(struct prof_comm *c);

/*
 * The name of an op of which no task has ended, as that of a run: it counts in its group after those that
 * were issued before. host: the task that began, of an op, for the iter-th time. PROF_NONE: no memory.
 */
uint32_t prof_comm_open_name(const struct prof_comm *c, struct prof *p, const struct prof_device *d,
                             const struct prof_host *h, uint32_t host, uint32_t iter);

/* Text of a group's hash as results have it: its digits. PROF_NONE: no memory. */
uint32_t prof_group_digits(struct prof *p, uint64_t hash);

/* ---- RDMA payload (doc/formats/msprof.md#bandwidth) ---- */

/* A run of payload of an op is closed by the task this many after its last one, less two. */
size_t prof_rdma_closes(struct str op);

/* A run of payload tasks on one plane ends with tasks that close it. */
struct prof_rdma {
    size_t n;     /* payload tasks */
    size_t close; /* index of the closing one; SIZE_MAX: there is none */
    uint64_t size_b;
};
/*
 * The run that begins at the i-th of n tasks on a plane, in order; n of the result is 0 when that is no
 * payload. op: the op's name, which says how many tasks close a run.
 */
struct prof_rdma prof_rdma_at(const struct prof_comm *c, const struct prof_host *h, const uint32_t *task,
                              size_t n, size_t i, struct str op);

#endif
