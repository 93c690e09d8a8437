/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to comm_*.c: the communication tasks of an op in msprof's order, what they moved, and numbers and
 * names as msprof's JSON has them (doc/formats/msprof.md#communicationjson).
 */
#ifndef NPUSCOPE_MSPROF_COMM_WALK_H
#define NPUSCOPE_MSPROF_COMM_WALK_H

#include "msprof/run.h"

#define MSPROF_COMM_TOTAL "Total HCCL Operators"

/* ---- numbers: the integer 0 when nothing was added, else a double ---- */

struct msprof_num {
    double v;
    bool set;
};
void msprof_num_add(struct msprof_num *n, double v);
void msprof_num_add_num(struct msprof_num *n, struct msprof_num x);
/* a / b to four decimals; nothing when b is 0. */
void msprof_num_ratio(struct msprof_num *n, double a, double b);
/* A member of an object with its number; a comma before all but the first. */
void msprof_put_num(struct emit *o, const char *word, struct msprof_num n, bool first);
/* Name of a member, and its colon. */
void msprof_put_member(struct emit *o, struct str name);

/* ---- the tasks of an op ---- */

struct msprof_seen {    /* a task on a plane */
    uint64_t order;     /* of the task in its op */
    uint64_t first;     /* order of the first one on this plane */
    uint32_t plane, at; /* at: index into c->task */
};
struct msprof_comm_walk {
    struct msprof_run *r;
    size_t dev;
    const struct prof_comm *c;
    const struct prof_comm_run *run;
    uint32_t memcpy_text, reduce_text, wait_text;
    struct msprof_seen *seen; /* tasks of the op: by plane, planes in order of their first tasks */
    uint32_t *at;             /* room for the tasks of one plane */
    size_t n, cap, at_cap;
};
/* For one device of r. msprof_comm_walk_done() is allowed after a failure. ERR_NOMEM. */
NODISCARD int msprof_comm_walk_new(struct msprof_comm_walk *g, struct msprof_run *r, size_t dev,
                                   struct err *e);
void msprof_comm_walk_done(struct msprof_comm_walk *g);
/* Go to an op: its tasks that have a hccl_info. ERR_NOMEM. */
NODISCARD int msprof_comm_walk_run(struct msprof_comm_walk *g, const struct prof_comm_run *run,
                                   struct err *e);

/* NULL: the task has none. */
const struct prof_comm_info *msprof_comm_info_at(const struct msprof_comm_walk *g, uint32_t at);
const struct prof_task *msprof_comm_task_at(const struct msprof_comm_walk *g, uint32_t at);
double msprof_comm_span_ns(const struct msprof_comm_walk *g, uint64_t from, uint64_t to);

/* Something moved: by one task, or (rdma) by a run of payload tasks up to the task that closes it. */
typedef int msprof_moved_fn(void *arg, const struct prof_comm_info *x, double mb, double ms, bool rdma,
                            struct err *e);
typedef void msprof_wait_fn(void *arg, double ms);
/*
 * Reports what the first n tasks of g->at, all on one plane, moved, and how long they waited (wait NULL: not
 * asked). Errors: those of moved.
 */
NODISCARD int msprof_comm_each(struct msprof_comm_walk *g, size_t n, msprof_moved_fn *moved,
                               msprof_wait_fn *wait, void *arg, struct err *e);
/* Reports what the op moved, plane by plane. */
NODISCARD int msprof_comm_each_plane(struct msprof_comm_walk *g, msprof_moved_fn *moved, void *arg,
                                     struct err *e);

/* "hcom_allReduce__452_0_1@7126061118004686452" as a text; PROF_NONE: no memory. */
uint32_t msprof_comm_key(struct msprof_run *r, const struct prof_comm_run *x);
/* msprof's analyze does nothing of a collection of level 0 (doc/formats/prof-quirks.md#level-0). */
bool msprof_comm_is_left(const struct msprof_run *r);
/* Reports that the file is not made because there is nothing to put into it. */
void msprof_comm_none(struct msprof_run *r, const char *name);
/*
 * Opens a file in msprof's folder for analyses, replacing an old one; end it with msprof_close(). device -1:
 * the file is about all devices. A failure gets its row in the report.
 */
NODISCARD int msprof_comm_file(struct msprof_run *r, struct emit **o, int device, const char *name,
                               struct err *e);

#endif
