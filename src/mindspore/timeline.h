/*
 * Private to the timelines of generation 1 (formats/gen1-raw.md 8, 9.1): rows, what is made of them, and how they are written.
 *
 * A row is a bar: name, label (a stream, a kind of rows), start, duration; times in the unit of the timeline (ms on Ascend; ns and us on GPU
 * and CPU), as doubles, because the vendor's doubles are what the files hold. Rows borrow their names from the run's arena.
 */
#ifndef NPUSCOPE_MINDSPORE_TIMELINE_H
#define NPUSCOPE_MINDSPORE_TIMELINE_H

#include "mindspore/run.h"

#define G1_NO_PID      (-1)
#define G1_ROWS_MAX    ((size_t)1 << 27)
#define G1_PID_AICPU   9000
#define G1_PID_COMM    10000
#define G1_PID_HOST    11000
#define G1_PID_OVERLAP 12000
#define G1_PID_KERNEL  13000
#define G1_TID_STEPS   100000

enum g1_row_kind {
    G1_ROW_OP,
    G1_ROW_HOST,
    G1_ROW_AICPU,
    G1_ROW_COMM,
    G1_ROW_OVERLAP,
    G1_ROW_KERNEL,
    G1_ROW_STEP,
    G1_ROW_SCOPE,
};
struct g1_row {
    struct str name;
    double start, dur;
    uint32_t label; /* number in the timeline's labels */
    int32_t pid;    /* G1_NO_PID: the device's */
    uint32_t extra; /* level of a scope; number of a kernel's facts */
    enum g1_row_kind kind;
};
struct g1_rows {
    struct g1_row *v;
    size_t n, cap;
};

/* The last of some calls that all fill the same e, which its caller returns. */
static inline void g1_last(int rc)
{
    (void)rc;
}

/* ---- rows: mindspore/timeline_rows.c ---- */

NODISCARD int g1_rows_add(struct g1_rows *r, const struct g1_row *row, struct err *e);
NODISCARD int g1_rows_append(struct g1_rows *r, const struct g1_rows *more, struct err *e);
/* a comes before b; rows that are equal keep their order. */
typedef bool g1_before_fn(const void *ctx, const struct g1_row *a, const struct g1_row *b);
/* Stable; what is in order already costs one pass. ERR_NOMEM. */
NODISCARD int g1_rows_sort(struct g1_rows *r, g1_before_fn *before, const void *ctx, struct err *e);
NODISCARD int g1_rows_by_start(struct g1_rows *r, struct err *e);
struct g1_timeline;
/* By start, and by label as text where that is the same. */
NODISCARD int g1_rows_by_label(const struct g1_timeline *t, struct g1_rows *r, struct err *e);
void g1_rows_done(struct g1_rows *r);

/* ---- one timeline ---- */

/* What the targets do differently. */
struct g1_target {
    const char *display, *summary; /* beginnings of the names of the files */
    const char *cluster;
    double factor;  /* starts to durations: 1, or 1e-3 where starts are ns and durations us */
    double inverse; /* durations to starts */
    bool
        gaps_of_all; /* receive ops are looked at in the gaps of all computing, not of all others */
    bool grows;      /* sums of steps: a list that grows as steps pass */
    bool
        streams_only; /* rows of more than four cells are on streams, their further cells are args */
    bool ns;          /* starts in ns, durations in us; else both in ms */
};
struct g1_kernel {
    struct str type, op, block, grid;
};
struct g1_timeline {
    struct g1_run *r;
    const struct g1_target *target;
    const char *device_label;
    bool pid_text; /* the device's pid in the label block */
    struct intern *labels;
    struct g1_rows rows;
    const struct g1_kernel *kernels;
    uint32_t l_steps, l_scopes;  /* labels */
    struct str start_op, end_op; /* marks of the steps */
    double base;                 /* start of the axis */
    bool plain_rows;             /* pynative: nothing precedes the events, no thread is named */
    bool with_args;              /* ops that are known get their facts */
    /* summary; what is set here is added to */
    double total_time;
    uint64_t n_streams, n_ops, n_executions, max_scope;
};
NODISCARD int g1_timeline_begin(struct g1_timeline *t, struct g1_run *r,
                                const struct g1_target *target, struct err *e);
void g1_timeline_done(struct g1_timeline *t);
/* Number of a label; e is set when there is no room (the result is 0 then). */
uint32_t g1_label(struct g1_timeline *t, struct str text, struct err *e);

/* ---- steps and scopes: mindspore/scopes.c (8.4, 2 and 3) ---- */

uint64_t g1_scope_max(const struct g1_rows *rows);
/* The ops that begin and end a step. from_end: the last row's op ends it (r1.8 on, Ascend), else what comes before the first op's return. */
void g1_step_marks(struct g1_timeline *t, const struct g1_rows *rows, bool from_end);
NODISCARD int g1_step_rows(struct g1_timeline *t, const struct g1_rows *rows, struct g1_rows *out,
                           struct err *e);
/* Scopes below subgraph, in order of start and level. */
NODISCARD int g1_scope_rows(struct g1_timeline *t, const struct g1_rows *rows, const char *subgraph,
                            struct g1_rows *out, struct err *e);

/* ---- overlap of computing and communication: mindspore/cluster.c (8.6) ---- */

struct g1_overlap {
    const struct g1_rows *compute; /* sorted: what counts as computing */
    const struct g1_rows *plain;   /* sorted: the ops among them */
    const struct g1_rows *comm;    /* sorted */
    const struct g1_rows *steps;
};
/* The rows of the overlap, added to out, and the file of sums per step. */
NODISCARD int g1_cluster(struct g1_timeline *t, const struct g1_overlap *in, struct g1_rows *out,
                         struct err *e);
/* Union of the intervals of rows (sorted) as rows called name, or what lies between them. */
NODISCARD int g1_merged_rows(struct g1_timeline *t, const struct g1_rows *rows, bool gaps,
                             const char *name, struct g1_rows *out, struct err *e);

/* ---- files: mindspore/events.c (8.2, 8.4, 8.5) ---- */

/* The display file of t's rows and their summary. */
NODISCARD int g1_timeline_write(struct g1_timeline *t, struct err *e);

/* ---- shapes of the ops of a GPU by step: mindspore/gpu_dynamic.c (9.3) ---- */

/* From the rows of the timeline; nothing when no op's shape changes. */
NODISCARD int g1_gpu_dynamic(struct g1_timeline *t, struct err *e);

/* ---- executions in text files: mindspore/stamps.c (6.1, 6.2, 6.3) ---- */

/* One "start,duration[,thread]" of a line "name;label;...". */
struct g1_stamp {
    struct str name;   /* in the run's arena */
    struct str label;  /* of the line, borrowed until the call returns */
    struct str thread; /* "" none */
    int64_t start;     /* ns */
    double dur;        /* as written */
};
typedef int g1_stamp_fn(void *arg, const struct g1_stamp *s, struct err *e);
/* *n_lines: lines that hold an op. */
NODISCARD int g1_read_stamps(struct g1_run *r, const struct source_file *f, uint64_t *n_lines,
                             g1_stamp_fn *fn, void *arg, struct err *e);
/* Host ops (cpu_op_execute_timestamp) as rows, starts moved by how (ns -> the timeline's unit). */
typedef double g1_clock_fn(const void *ctx, int64_t start_ns);
NODISCARD int g1_host_rows(struct g1_timeline *t, g1_clock_fn *clock, const void *ctx,
                           struct g1_rows *out, struct err *e);
/* start_time_N.txt: the host's start and the device's or GPU's, as written; false: not there. */
bool g1_start_times(struct g1_run *r, int64_t *host, int64_t *device);

#endif
