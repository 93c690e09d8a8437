/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is found in msprof's timeline before it is written again: its layers, which range of the framework
 * launched which kernel (doc/formats/framework.md#kernel-links), and what the writers of other files sum up.
 * Read once, by the first output that needs it. Not thread-safe.
 */
#ifndef NPUSCOPE_OFFLINE_TIMELINE_H
#define NPUSCOPE_OFFLINE_TIMELINE_H

#include "offline/trace/events.h"

#define OFFLINE_NONE UINT32_MAX

/* Layers that something is read of, by the name of their process; bits. */
enum {
    LAYER_HARDWARE = 1,
    LAYER_CANN = 2,
    LAYER_HCCL = 4,
    LAYER_COMM = 8, /* what newer CANN calls HCCL */
    LAYER_OVERLAP = 16,
    LAYER_PYTHON = 32, /* marks of the program */
};
/* Threads of LAYER_OVERLAP, by their names. */
enum overlap_thread { OVERLAP_NONE, COMPUTING, COMMUNICATION, NOT_OVERLAPPED, IDLE };

struct offline_process {
    uint64_t pid;
    unsigned layer;
    bool has_kernels; /* flows end in it */
    int device;       /* in its label "NPU <n>", -1 none */
};
struct offline_thread {
    uint64_t pid, tid;
    enum overlap_thread is;
};

/* A flow from a call to the kernel that it launched. */
struct offline_link {
    uint64_t id;    /* of the flow */
    uint64_t s_tid; /* thread of the call, and its time */
    int64_t s_ts;
    uint64_t f_tid; /* where the kernel is */
    int64_t f_ts;
    uint32_t f_process;
    uint32_t s_order, f_order; /* numbers among the starts, and the ends */
    int64_t dur_ns;            /* of the kernel, without its fraction */
    double dur_us;             /* the same as it is written */
    uint32_t event;            /* number of the kernel's event, OFFLINE_NONE: there is none there */
    uint32_t name;             /* of the kernel: text of the timeline */
    uint32_t range;            /* that launched it, OFFLINE_NONE: none */
    bool s, f;                 /* its ends are known */
    bool is_ai_core;           /* what the kernel ran on */
};

/* A range that the program marked, as msprof shows it. */
struct offline_mark {
    uint64_t pid, tid;
    int64_t ts;
};

/* A mark of the program that a device met, where the host made it; connection: as in MSTX_EVENTS. */
struct offline_tx {
    uint64_t tid, connection;
    int64_t ts;
};

struct step_sums;
struct scope;
struct offline_timeline {
    struct offline_process *process;
    size_t n_processes, cap_processes;
    struct offline_thread *thread;
    size_t n_threads, cap_threads;
    unsigned layers; /* that exist */
    struct offline_link *link;
    size_t n_links, cap_links;
    uint32_t *linked; /* links with a kernel and a range, in upstream's order */
    size_t n_linked;
    uint32_t *by_event; /* the same by number of the event; of several of an event the last one counts */
    struct offline_mark *mark; /* of LAYER_PYTHON, in order of the file */
    size_t n_marks, cap_marks;
    struct offline_tx *tx; /* of torch_npu, in order of the file */
    size_t n_tx, cap_tx;
    struct intern *texts;
    bool is_linked; /* links are made: 3. of doc/formats/framework.md#kernel-links */
    struct step_sums *sums;
    struct scope *scope;
};

/* *out is borrowed from the run. Errors: ERR_NOMEM, ERR_LIMIT, ERR_IO, ERR_CANCELLED. */
NODISCARD int offline_timeline(struct offline_run *r, const struct offline_timeline **out, struct err *e);
void offline_timeline_done(struct offline_run *r);
/* NULL: the process has no name, and no flow. */
static inline const struct offline_process *offline_process_of(const struct offline_timeline *t, uint64_t pid)
{
    for (size_t i = 0; i < t->n_processes; i++)
        if (t->process[i].pid == pid)
            return &t->process[i];
    return NULL;
}
/*
 * The link of an event, for a walk in their order: *at starts at 0. NULL: it is not linked.
 */
const struct offline_link *offline_link_of(const struct offline_timeline *t, uint32_t event, size_t *at);

#endif
