/*
 * Private to ms_comm_*.c: an op's tasks of communication in msprof's order, what they moved, and numbers and names as its JSON has them
 * (formats/msprof-raw.md 5.8a).
 */
#ifndef NPUSCOPE_MSPROF_COMM_WALK_H
#define NPUSCOPE_MSPROF_COMM_WALK_H

#include "msprof/run.h"

#define MS_COMM_TOTAL "Total HCCL Operators"

/* ---- numbers: what nothing was added to is the integer 0, any other a double ---- */

struct ms_num {
    double v;
    bool set;
};
void ms_num_add(struct ms_num *n, double v);
void ms_num_add_num(struct ms_num *n, struct ms_num x);
/* a / b to four decimals; nothing when b is 0. */
void ms_num_ratio(struct ms_num *n, double a, double b);
/* A member of an object with its number; all but the first after a comma. */
void ms_put_num(struct vout *o, const char *word, struct ms_num n, bool first);
/* Name of a member, and its colon. */
void ms_put_member(struct vout *o, struct str name);

/* ---- the tasks of an op ---- */

struct ms_seen {        /* a task on a plane */
    uint64_t order;     /* in its op */
    uint64_t first;     /* order of the first one on this plane */
    uint32_t plane, at; /* at: index into c->task */
};
struct ms_comm_walk {
    struct ms_run *r;
    size_t dev;
    const struct prof_comm *c;
    const struct prof_comm_run *run;
    uint32_t memcpy_text, reduce_text, wait_text;
    struct ms_seen *seen; /* of the op: by plane, in order of their first tasks */
    uint32_t *at;         /* room for those of one plane */
    size_t n, cap, at_cap;
};
/* Of a device of r. ms_comm_walk_done() is allowed after a failure. ERR_NOMEM. */
NODISCARD int ms_comm_walk_new(struct ms_comm_walk *g, struct ms_run *r, size_t dev, struct err *e);
void ms_comm_walk_done(struct ms_comm_walk *g);
/* Go to an op: its tasks that have a hccl_info. ERR_NOMEM. */
NODISCARD int ms_comm_walk_run(struct ms_comm_walk *g, const struct prof_comm_run *run,
                               struct err *e);

/* NULL: the task has none. */
const struct prof_comm_info *ms_comm_info_at(const struct ms_comm_walk *g, uint32_t at);
const struct prof_task *ms_comm_task_at(const struct ms_comm_walk *g, uint32_t at);
double ms_comm_span_ns(const struct ms_comm_walk *g, uint64_t from, uint64_t to);

/* Something moved: by one task, or (rdma) by a run of payload tasks up to the task that closes it. */
typedef int ms_moved_fn(void *arg, const struct prof_comm_info *x, double mb, double ms, bool rdma,
                        struct err *e);
typedef void ms_wait_fn(void *arg, double ms);
/* What the first n tasks of g->at, all of one plane, moved, and how long they waited (wait NULL: not asked). Errors: those of moved. */
NODISCARD int ms_comm_each(struct ms_comm_walk *g, size_t n, ms_moved_fn *moved, ms_wait_fn *wait,
                           void *arg, struct err *e);
/* What the op moved, plane by plane. */
NODISCARD int ms_comm_each_plane(struct ms_comm_walk *g, ms_moved_fn *moved, void *arg,
                                 struct err *e);

/* "hcom_allReduce__452_0_1@7126061118004686452" as a text; PROF_NONE: no memory. */
uint32_t ms_comm_key(struct ms_run *r, const struct prof_comm_run *x);
/* The file is not made: there is nothing to put into it. */
void ms_comm_none(struct ms_run *r, const char *name);
/*
 * A file of msprof's folder for analyses, replaced when it is there; end it with ms_close(). device -1: it is about all. A failure has its row
 * in the report.
 */
NODISCARD int ms_comm_file(struct ms_run *r, struct vout **o, int device, const char *name,
                           struct err *e);

#endif
