/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the timelines of MindSpore 1.x (doc/formats/mindspore1.md#timeline, #gpu_timeline_display):
 * rows, what is derived from them, and how they are written.
 *
 * A row is a bar: name, label (a stream, a kind of rows), start, duration; times in the unit of the timeline
 * (ms on Ascend; ns and us on GPU and CPU), as doubles, because MindSpore's files hold the results of its
 * doubles. Rows borrow their names from the run's arena.
 */
#ifndef NPUSCOPE_MINDSPORE_TIMELINE_H
#define NPUSCOPE_MINDSPORE_TIMELINE_H

#include "mindspore/run.h"

#define MINDSPORE_NO_PID      (-1)
#define MINDSPORE_ROWS_MAX    ((size_t)1 << 27)
#define MINDSPORE_PID_AICPU   9000
#define MINDSPORE_PID_COMM    10000
#define MINDSPORE_PID_HOST    11000
#define MINDSPORE_PID_OVERLAP 12000
#define MINDSPORE_PID_KERNEL  13000
#define MINDSPORE_TID_STEPS   100000

enum mindspore_row_kind {
    MINDSPORE_ROW_OP,
    MINDSPORE_ROW_HOST,
    MINDSPORE_ROW_AICPU,
    MINDSPORE_ROW_COMM,
    MINDSPORE_ROW_OVERLAP,
    MINDSPORE_ROW_KERNEL,
    MINDSPORE_ROW_STEP,
    MINDSPORE_ROW_SCOPE,
};
struct mindspore_row {
    struct str name;
    double start, dur;
    uint32_t label; /* number in the timeline's labels */
    int32_t pid;    /* MINDSPORE_NO_PID: the device's */
    uint32_t extra; /* level of a scope; number of a kernel's facts */
    enum mindspore_row_kind kind;
};
struct mindspore_rows {
    struct mindspore_row *v;
    size_t n, cap;
};

/* Takes the result of the last of several calls that share e, which the caller returns. */
static inline void mindspore_last(int rc)
{
    (void)rc;
}

/* ---- rows: mindspore/timeline_rows.c ---- */

NODISCARD int mindspore_rows_add(struct mindspore_rows *r, const struct mindspore_row *row, struct err *e);
NODISCARD int mindspore_rows_append(struct mindspore_rows *r, const struct mindspore_rows *more,
                                    struct err *e);
/* a comes before b; equal rows keep their order. */
typedef bool mindspore_before_fn(const void *ctx, const struct mindspore_row *a,
                                 const struct mindspore_row *b);
/* Stable; sorted rows cost one pass. ERR_NOMEM. */
NODISCARD int mindspore_rows_sort(struct mindspore_rows *r, mindspore_before_fn *before, const void *ctx,
                                  struct err *e);
NODISCARD int mindspore_rows_by_start(struct mindspore_rows *r, struct err *e);
struct mindspore_timeline;
/* By start, then by label as text. */
NODISCARD int mindspore_rows_by_label(const struct mindspore_timeline *t, struct mindspore_rows *r,
                                      struct err *e);
void mindspore_rows_done(struct mindspore_rows *r);

/* ---- one timeline ---- */

/* Differences between the targets. */
struct mindspore_target {
    const char *display, *summary; /* beginnings of the names of the files */
    const char *cluster;
    double factor;     /* from starts to durations: 1, or 1e-3 where starts are ns and durations us */
    double inverse;    /* from durations to starts */
    bool gaps_of_all;  /* receive ops are put into the gaps of all computing, else of all other ops */
    bool grows;        /* sums of steps: a list that grows as steps pass */
    bool streams_only; /* rows of more than four cells are on streams, their other cells are args */
    bool ns;           /* starts in ns, durations in us; else both in ms */
};
struct mindspore_kernel {
    struct str type, op, block, grid;
};
struct mindspore_timeline {
    struct mindspore_run *r;
    const struct mindspore_target *target;
    const char *device_label;
    bool pid_text; /* the device's pid in the label block */
    struct intern *labels;
    struct mindspore_rows rows;
    const struct mindspore_kernel *kernels;
    uint32_t l_steps, l_scopes;  /* labels */
    struct str start_op, end_op; /* ops that begin and end a step */
    double base;                 /* start of the axis */
    bool plain_rows;             /* pynative: nothing precedes the events, no thread is named */
    bool with_args;              /* known ops have their facts as args */
    /* summary; values that are set here are added to */
    double total_time;
    uint64_t n_streams, n_ops, n_executions, max_scope;
};
NODISCARD int mindspore_timeline_begin(struct mindspore_timeline *t, struct mindspore_run *r,
                                       const struct mindspore_target *target, struct err *e);
void mindspore_timeline_done(struct mindspore_timeline *t);
/* Number of a label; e is set when there is no memory (the result is 0 then). */
uint32_t mindspore_label(struct mindspore_timeline *t, struct str text, struct err *e);

/*
 * ---- steps and scopes: mindspore/scopes.c (doc/formats/mindspore1.md#timeline-algorithm, #versions,
 * #folders) ----
 */

uint64_t mindspore_scope_max(const struct mindspore_rows *rows);
/*
 * Finds the ops that begin and end a step. from_end: the op of the last row ends it (r1.8 on, Ascend), else
 * the op before the first one appears again.
 */
void mindspore_step_marks(struct mindspore_timeline *t, const struct mindspore_rows *rows, bool from_end);
NODISCARD int mindspore_step_rows(struct mindspore_timeline *t, const struct mindspore_rows *rows,
                                  struct mindspore_rows *out, struct err *e);
/* Scopes below subgraph, in order of start and level. */
NODISCARD int mindspore_scope_rows(struct mindspore_timeline *t, const struct mindspore_rows *rows,
                                   const char *subgraph, struct mindspore_rows *out, struct err *e);

/*
 * ---- overlap of computing and communication: mindspore/cluster.c (doc/formats/mindspore1.md#overlap-rows)
 * ----
 */

struct mindspore_overlap {
    const struct mindspore_rows *compute; /* sorted: all computing */
    const struct mindspore_rows *plain;   /* sorted: the ops of compute */
    const struct mindspore_rows *comm;    /* sorted */
    const struct mindspore_rows *steps;
};
/* Adds the rows of the overlap to out, and writes the file of sums per step. */
NODISCARD int mindspore_cluster(struct mindspore_timeline *t, const struct mindspore_overlap *in,
                                struct mindspore_rows *out, struct err *e);
/* Union of the intervals of rows (sorted) as rows called name, or with gaps the intervals between them. */
NODISCARD int mindspore_merged_rows(struct mindspore_timeline *t, const struct mindspore_rows *rows,
                                    bool gaps, const char *name, struct mindspore_rows *out, struct err *e);

/* ---- files: mindspore/events.c (doc/formats/mindspore1.md#event, #timeline-algorithm, #label-block) ---- */

/* Writes the display file of t's rows and their summary. */
NODISCARD int mindspore_timeline_write(struct mindspore_timeline *t, struct err *e);

/*
 * ---- shapes of the ops of a GPU by step: mindspore/gpu_dynamic.c
 * (doc/formats/mindspore1.md#gpu-dynamic-shapes) ----
 */

/* Made from the rows of the timeline; no file when no op's shape changes. */
NODISCARD int mindspore_gpu_dynamic(struct mindspore_timeline *t, struct err *e);

/*
 * ---- executions in text files: mindspore/stamps.c (doc/formats/mindspore1.md#gpu, #cpu, #start_time) ----
 */

/* One "start,duration[,thread]" in a line "name;label;...". */
struct mindspore_stamp {
    struct str name;   /* in the run's arena */
    struct str label;  /* of the line, borrowed until the call returns */
    struct str thread; /* "" none */
    int64_t start;     /* ns */
    double dur;        /* as in the file */
};
typedef int mindspore_stamp_fn(void *arg, const struct mindspore_stamp *s, struct err *e);
/* *n_lines: number of lines that have an op. */
NODISCARD int mindspore_read_stamps(struct mindspore_run *r, const struct source_file *f, uint64_t *n_lines,
                                    mindspore_stamp_fn *fn, void *arg, struct err *e);
/* Host ops (cpu_op_execute_timestamp) as rows; clock converts starts from ns to the timeline's unit. */
typedef double mindspore_clock_fn(const void *ctx, int64_t start_ns);
NODISCARD int mindspore_host_rows(struct mindspore_timeline *t, mindspore_clock_fn *clock, const void *ctx,
                                  struct mindspore_rows *out, struct err *e);
/* start_time_N.txt: the host's start and that of the device or GPU, as in the file; false: no such file. */
bool mindspore_start_times(struct mindspore_run *r, int64_t *host, int64_t *device);

#endif
