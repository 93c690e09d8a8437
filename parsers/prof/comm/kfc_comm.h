/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ops and tasks of communication that the AI CPUs of a device run themselves, as msprof makes them (its
 * kfc_calculator.py): a kernel on an AI CPU is an op, the tasks on the streams of its group that ended while
 * it ran are its tasks. Pure: from what parsers/prof/comm/kfc.h, parsers/prof/host/host.h and
 * parsers/prof/device/device.h give. Not thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_PROF_COMM_KFC_COMM_H
#define NPUSCOPE_PARSERS_PROF_COMM_KFC_COMM_H

#include "parsers/prof/comm/comm.h"
#include "parsers/prof/comm/kfc.h"

/* A kernel in one execution. Times are counters of the device. */
struct prof_kfc_run {
    uint64_t start, end; /* of the kernel; where there are edges, of its first and last task */
    uint64_t from, to;   /* over its master tasks */
    uint32_t task, host; /* of the kernel: of the device, of the host */
    uint32_t said;       /* what its kernel recorded, a prof_kfc_op; PROF_NONE: nothing */
    uint32_t comm_op;    /* op of the host that it carries out, a prof_comm_op; PROF_NONE: none */
    uint32_t same;       /* execution of that op (prof_comm_run), by its name; PROF_NONE: none */
    uint32_t group;      /* text: the group's hash as digits, "N/A" when it is not known */
    uint32_t group_name; /* text */
    uint32_t name;       /* text: "MatmulAllReduceAicpu_452_0_1" */
    int32_t index;       /* of the op in its group, -1: it began before the collection */
    uint32_t iter;       /* execution of the kernel, from 1 */
    uint32_t at, n;      /* its tasks: task[at] ... by end */
    uint32_t n_master;   /* of those; 0: results do not show the op */
    bool expanded;       /* the host records the op; AI CPUs issue its tasks */
    bool nameless;       /* the host does not know it as an op of its own */
};
struct prof_kfc_task {
    uint32_t info; /* prof_kfc_info; PROF_NONE: level 0, nothing is known */
    uint32_t task; /* of the device */
    uint32_t run;
    int32_t plane; /* -1: not known */
    bool master;
    double bandwidth; /* GB/s */
};

struct prof_kfc_comm {
    struct prof_kfc k;
    struct prof_kfc_run *run; /* by group, then by start */
    size_t n_runs;
    struct prof_kfc_task *task; /* by run */
    size_t n_tasks;
};

/* What it is made from; comm: the communication of the same device, whose runs get their kernels here. */
struct prof_kfc_from {
    struct prof *p;
    const struct prof_device *d;
    const struct prof_host *h;
    const struct prof_how *how;
    struct prof_comm *comm;
};
/*
 * *out: NULL when the host knows of no such group (mc2_comm_info). prof_kfc_comm_free() is allowed after a
 * failure. Errors: ERR_NOMEM, ERR_LIMIT, ERR_CANCELLED.
 */
NODISCARD int prof_kfc_comm_make(struct prof_kfc_comm **out, const struct prof_kfc_from *from, struct err *e);
void prof_kfc_comm_free(struct prof_kfc_comm *c);

/* Whether an op is shown for itself, with its tasks: its times are those of its master tasks. */
static inline bool prof_kfc_is_shown(const struct prof_kfc_run *r)
{
    return r->n_master && !r->expanded;
}

/* Relay and retry of an op: 1 yes, 0 no, -1 not known. Of an op that AI CPUs expand: from its kernel. */
struct prof_comm_flags {
    int relay, retry;
};
struct prof_comm_flags prof_comm_flags(const struct prof_comm *c, const struct prof_host *h,
                                       const struct prof_comm_run *r);

/* ---- private: parsers/prof/comm/kfc_place.c ---- */

/*
 * Set the tasks of the runs, which are in order of group and start. of_info: as prof_kfc_tasks() has it;
 * mark: of each device task.
 */
NODISCARD int prof_kfc_place(struct prof_kfc_comm *c, const struct prof_kfc_from *from,
                             const uint32_t *of_info, const uint8_t *mark, struct err *e);
enum { PROF_KFC_TOLD = 1, PROF_KFC_FIRST = 2 }; /* marks of device tasks */

#endif
