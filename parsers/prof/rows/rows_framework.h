/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the framework recorded beside a PROF folder, or alone (doc/formats/framework.md#framework-files): read
 * after the folder's model, written as rows of the store.
 */
#ifndef NPUSCOPE_PARSERS_PROF_ROWS_ROWS_FRAMEWORK_H
#define NPUSCOPE_PARSERS_PROF_ROWS_ROWS_FRAMEWORK_H

#include "parsers/framework/join.h"
#include "parsers/framework/python.h"
#include "parsers/prof/rows/rows.h"

/* A step that the program marked. */
struct framework_step {
    int64_t from, to;            /* the mark; to INT64_MAX: the run died in it, which no mark says */
    int64_t begin, end;          /* its kernels are those that began then; end INT64_MIN: it has none */
    int64_t reach, kernel_reach; /* the latest `to`, and `end`, of it and those before */
    int64_t number;
    uint32_t line;
};

struct prof_rows_framework {
    struct framework f;
    struct framework_joins joins;
    struct framework_python python;
    struct framework_place { /* of each range, set when it is asked for: texts of the sink */
        uint32_t module, stack;
        bool known;
    } * place;
    uint32_t *origin; /* ranges that others come from, by number; NULL: not asked for yet */
    size_t n_origins;
    uint32_t *around; /* with origin, of MindSpore: ranges that have a length, by thread and start */
    size_t n_around;
    size_t n_recorded; /* ranges of the file; those after them are calls of Python */
    uint32_t source, call_source, gc_source, shapes_source; /* files of ranges, calls ... */
    struct spool *own;                                      /* without a PROF folder; else its pool is used */
    struct framework_step *step;                            /* by start */
    size_t n_steps, cap_steps;
    /* of each device: the range that launched each of its tasks, then each of its communication ops */
    uint32_t **launch;
    size_t n_launch;
};

/* What a range launched: a task, or the whole of a communication op, whose tasks run side by side. */
struct prof_launched {
    size_t dev;
    int64_t from, to;
    int64_t call;    /* when it was launched */
    uint32_t stream; /* of the task, the first one */
    uint32_t op;     /* of the host, PROF_NONE: no compute op */
    uint32_t range;
    uint64_t id; /* place in launch[dev] */
};
typedef int prof_launched_fn(void *arg, const struct prof_launched *l, struct err *e);
/* All that ranges launched, by device. Errors: those of fn, which ends it. */
NODISCARD int prof_rows_each_launched(const struct prof_rows *r, prof_launched_fn *fn, void *arg,
                                      struct err *e);
/* The range that launched a task of a device, or its i-th communication op; FRAMEWORK_NONE: none is known. */
uint32_t prof_rows_launcher(const struct prof_rows *r, size_t dev, size_t task);
uint32_t prof_rows_comm_launcher(const struct prof_rows *r, size_t dev, size_t run);
/* Set launch and the times of steps; r->m is read. Errors: ERR_NOMEM. */
NODISCARD int prof_rows_launch(struct prof_rows_framework *w, struct prof_rows *r, struct err *e);
/* The first step whose mark covers an instant, and whose kernels began around it; NULL: none. */
const struct framework_step *prof_rows_marked_step(const struct prof_rows_framework *w, int64_t at);
const struct framework_step *prof_rows_kernel_step(const struct prof_rows_framework *w, int64_t at);

#define FRAMEWORK_GC "GC" /* a garbage collection */

/* A member that the framework wrote. */
static inline bool prof_rows_is_framework(enum role r)
{
    return r == ROLE_HOST_RANGES || r == ROLE_HOST_MARKS || r == ROLE_HOST_MEMORY || r == ROLE_HOST_PYTHON;
}
/*
 * The clock of the framework's files, by what the PROF folder's host says (NULL: there is none) and the run's
 * settings of a rank. f->torch is set. false: times count from the start of the host.
 */
bool prof_rows_framework_clock(struct framework *f, const struct prof_meta *m, const struct runinfo *run,
                               int rank);
/*
 * Read the framework's members of the group; r->m is read, or r->m.p is NULL: there is no PROF folder.
 * Release with prof_rows_framework_done() also after an error. Errors: ERR_LIMIT, ERR_NOMEM, ERR_CANCELLED.
 */
NODISCARD int prof_rows_framework_read(struct prof_rows_framework *w, struct prof_rows *r, struct err *e);
/*
 * Only the steps, of files of this size at most; out: of notes. There need not be any. Release and errors:
 * the same.
 */
NODISCARD int prof_rows_framework_marks(struct prof_rows_framework *w, struct prof_rows *r, uint64_t most_b,
                                        struct sink *out, struct err *e);
void prof_rows_framework_done(struct prof_rows_framework *w);
/* parsers/prof/rows/framework_origin.c: find origins once. Errors: ERR_NOMEM, ERR_LIMIT. */
NODISCARD int prof_rows_origins(struct prof_rows_framework *w, struct err *e);
/*
 * The forward op of the backward op that a range is or lies in; of MindSpore what was going on where the task
 * that it is or lies in was handed over. FRAMEWORK_NONE: none is known.
 */
uint32_t prof_rows_origin(const struct prof_rows_framework *w, uint32_t range);
/*
 * Where a range was called: its module and call stack as it was recorded, else of the frames of Python around
 * it, else (MindSpore) the scope in its name, else those of its origin. 0: none is known. Errors: ERR_NOMEM,
 * ERR_LIMIT.
 */
NODISCARD int prof_rows_place(struct prof_rows_framework *w, struct sink *out, uint32_t range,
                              struct framework_place *place, struct err *e);
/* exec_host of an execution; launcher FRAMEWORK_NONE: none. Errors: those of the sink, ERR_NOMEM. */
NODISCARD int prof_rows_put_host(struct prof_rows *r, int64_t exec, int rank, uint32_t launcher,
                                 struct err *e);
/* step: those that were marked, or (marks false) the run as one row. Errors: those of the sink, ERR_NOMEM. */
NODISCARD int prof_rows_framework_steps(struct prof_rows *r, bool marks, struct err *e);
/* host_op: ops, modules, garbage collections, shapes. Errors: the same. */
NODISCARD int prof_rows_framework_ops(struct prof_rows_framework *w, struct prof_rows *r, struct err *e);
/* host_op, tracks and arrows. Errors: those of the sink, ERR_NOMEM. */
NODISCARD int prof_rows_framework_write(struct prof_rows_framework *w, struct prof_rows *r, struct err *e);
/* mem_alloc, mem_sample. Errors: the same, ERR_LIMIT, ERR_CANCELLED. */
NODISCARD int prof_rows_framework_memory(struct prof_rows_framework *w, struct prof_rows *r, struct err *e);

#endif
