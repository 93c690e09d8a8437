/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the analysis of MindSpore 1.x: one rank being analysed. Steps of the analysis run in the order
 * of mindspore/analyse.c's table; each uses the results that earlier ones left here, writes its files and
 * leaves its own results. Everything lives in the run's arena.
 *
 * A step that finds no data leaves its part zeroed and calls mindspore_no_data() for the files that are then
 * missing.
 */
#ifndef NPUSCOPE_MINDSPORE_RUN_H
#define NPUSCOPE_MINDSPORE_RUN_H

#include "base/arena.h"
#include "base/buf.h"
#include "emit/emit.h"
#include "mindspore/rules.h"
#include "parsers/group_find.h"
#include "parsers/mindspore/task_keys.h"

/* A tensor of an op, as in framework_raw. */
struct mindspore_tensor {
    struct str key;          /* "input_0", "output_2" */
    struct str format, type; /* words */
    struct str shape;        /* JSON: "1,2" with its quotes (text era) or [1, 2] */
};
/* framework_raw (doc/formats/mindspore1.md#framework_raw), in order of the file. */
struct mindspore_framework {
    bool has_task; /* false: task, stream and block dim are empty cells */
    uint32_t task, stream;
    int64_t block_dim, graph_id;
    struct str full, name, type, subgraph, kernel_type;
    bool has_info; /* false: an empty cell */
    const struct mindspore_tensor *tensors;
    size_t n_tensors;
};
/*
 * An op with executions, in order of its first one (doc/formats/mindspore1.md#op-executions,
 * output_op_compute_time).
 */
struct mindspore_op {
    struct str full;
    double avg_ms; /* total / count; written as its repr */
    uint64_t count;
    uint32_t stream;
    const struct mindspore_framework *info; /* the last row of that name, NULL: none */
};
/* output_timeline_data (doc/formats/mindspore1.md#op-executions), sorted by start. */
struct mindspore_exec {
    struct str full;
    struct str stream; /* as text: pynative has thread numbers */
    double start_ms, dur_ms;
};
/* output_data_preprocess_aicpu (doc/formats/mindspore1.md#aicpu_intermediate). */
struct mindspore_aicpu {
    struct str name;
    double total_ms, dispatch_ms, execution_ms;
    double run_start, run_end; /* us; from the record's ticks, else (always up to r1.2) from its us */
    double start_ms, dur_ms;   /* for the timeline */
};
/* step_trace_raw (doc/formats/mindspore1.md#step_trace_raw): the rows of the file, the average last. */
#define MINDSPORE_STEP_CELLS 9 /* step_num ... tail, before the communication columns */
struct mindspore_step {
    bool is_average; /* the last row */
    size_t n;        /* cells; may be fewer than columns */
    const int64_t *cell;
};
struct mindspore_steps {
    const struct str *column; /* header of the file */
    size_t n_columns;
    const struct mindspore_step *row;
    size_t n;                    /* with the average row; 0: no file */
    bool has_average;            /* the last row is a mean, its first cell "-"; else it has only zeros */
    bool training;               /* false: the layout without bp_point */
    bool skip_first;             /* the name of some op begins with Default/InitDataSetQueue */
    struct str fp_start, bp_end; /* names in the point info, "": unknown */
};

struct mindspore_run {
    const struct unit *unit;
    const struct mindspore_rules *rules;
    const struct mindspore_options *options;
    enum mindspore_mode mode; /* never MINDSPORE_AUTO */
    int rank, device;         /* never -1 */
    int number;               /* in the names of files */
    /* a network of dynamic shapes (doc/formats/mindspore1.md#output_format_data_hwts, #dynamic_shape_info) */
    bool dynamic;
    struct arena *a;
    struct emit_report *report;
    struct sink *notes;   /* the sink of parsers; takes only notes */
    struct intern *texts; /* mindspore_text() */

    /*
     * The chosen job folder, ready for group_use(); n 0: none. All other files are found by mindspore_file().
     */
    struct group_ctx job;
    const char *job_dir;

    /* results, with their section of the document */
    const struct mindspore_framework *framework; /* doc/formats/mindspore1.md#framework_raw */
    size_t n_framework;
    const uint32_t *info_of; /* by text number: 1 + the last row of that name; see mindspore_info() */
    size_t n_info;
    /* doc/formats/mindspore1.md#op-executions: which op a task belongs to; NULL: no Framework data */
    struct task_keys *keys;         /* values: texts of the run, the op's full name */
    const struct mindspore_op *ops; /* doc/formats/mindspore1.md#op-executions */
    size_t n_ops;
    const struct mindspore_exec *execs;
    size_t n_execs;
    double min_cycle_ms;                 /* INFINITY: none */
    const struct mindspore_aicpu *aicpu; /* doc/formats/mindspore1.md#aicpu_intermediate */
    size_t n_aicpu;
    double aicpu_total_ms;
    struct mindspore_steps steps; /* doc/formats/mindspore1.md#step_trace_raw */
};

/* ---- input ---- */

/*
 * The next readable file of a kind (registry id) of this rank, NULL: no more; after is the result of the call
 * before, NULL at first.
 */
const struct source_file *mindspore_file(const struct mindspore_run *r, const char *kind,
                                         const struct source_file *after);
/* The context for a parser that reads f; notes go to the report. */
struct parse_ctx mindspore_ctx(struct mindspore_run *r, const struct source_file *f);

/*
 * The next Framework file that a container left for the job; what: "task_desc_info" ...:
 * container/N/data/Framework.*.N.JOB*.slice_K, text era.
 */
const struct source_file *mindspore_container_file(const struct mindspore_run *r, const char *what,
                                                   const struct source_file *after);
/*
 * Sorts slices as older analyses do: by name as text, slice_10 before slice_2. The chain of c becomes one of
 * copies, which live as long as the run.
 */
NODISCARD int mindspore_slices_by_text(struct mindspore_run *r, struct parse_ctx *c, struct err *e);

/* ---- output ---- */

/*
 * Begins the file called before, number, after ("framework_raw_", ".csv"): *o is never NULL when OK; when an
 * existing file is kept, output to it is dropped. End it with mindspore_close(), which writes its row of the
 * report.
 */
NODISCARD int mindspore_open(struct mindspore_run *r, struct emit **o, const char *before, const char *after,
                             struct err *e);
NODISCARD int mindspore_open_name(struct mindspore_run *r, struct emit **o, const char *name, struct err *e);
/* Also to be called after an error of the step (e set): the file is dropped then. Returns e's code. */
NODISCARD int mindspore_close(struct mindspore_run *r, struct emit *o, struct err *e);
/* Reports that the file cannot be made, and why. */
void mindspore_no_data(struct mindspore_run *r, const char *before, const char *after, const char *why);

/* ---- text of the formats (doc/formats/mindspore1.md#text-forms) ---- */

/* `title:` line, CSV cells with CRLF rows, JSON text with \uXXXX. */
void mindspore_title(struct emit *o, const char *title);
void mindspore_cell(struct emit *o, struct str s,
                    bool first);        /* a comma before it unless first; quoted where needed */
void mindspore_end_row(struct emit *o); /* CR LF */
void mindspore_json_text(struct emit *o, struct str s); /* with its quotes */
void mindspore_json_add(struct buf *b, struct str s);   /* the same into a buffer */
/* The same inside a quoted CSV cell: quotes are doubled. */
void mindspore_json_cell_text(struct emit *o, struct str s);
/* Text of a task's key ("5_12"), written to t with a NUL at its end; returns its length. */
size_t mindspore_key_text(const struct task_key *k, char t[48]);
/* Last part of a full name; text before its first '/' when that is Default or Gradients, else "". */
struct str mindspore_short(struct str full);
struct str mindspore_subgraph(struct str full);

/* The same text, kept once for the run; p NULL: no memory. */
struct str mindspore_text(struct mindspore_run *r, struct str s);
/* The last row of framework_raw with that full name, NULL: none. */
const struct mindspore_framework *mindspore_info(const struct mindspore_run *r, struct str full);

/* ---- steps of the analysis, in order; each does nothing in modes it is not meant for ---- */

/* mindspore/framework.c: doc/formats/mindspore1.md#framework_raw */
NODISCARD int mindspore_framework(struct mindspore_run *r, struct err *e);
/* mindspore/ops.c: doc/formats/mindspore1.md#output_format_data_hwts, #op-executions */
NODISCARD int mindspore_tasks(struct mindspore_run *r, struct err *e);
/* mindspore/aicpu.c: doc/formats/mindspore1.md#aicpu_intermediate */
NODISCARD int mindspore_aicpu(struct mindspore_run *r, struct err *e);
/* mindspore/aicpu.c: doc/formats/mindspore1.md#minddata_aicpu */
NODISCARD int mindspore_queue(struct mindspore_run *r, struct err *e);
/* mindspore/aicore.c: doc/formats/mindspore1.md#aicore_intermediate */
NODISCARD int mindspore_aicore(struct mindspore_run *r, struct err *e);
/* mindspore/steps.c: doc/formats/mindspore1.md#step_trace_raw */
NODISCARD int mindspore_step_trace(struct mindspore_run *r, struct err *e);
/* mindspore/flops.c: doc/formats/mindspore1.md#flops */
NODISCARD int mindspore_flops(struct mindspore_run *r, struct err *e);
/* mindspore/timeline.c: doc/formats/mindspore1.md#timeline */
NODISCARD int mindspore_timeline(struct mindspore_run *r, struct err *e);
/* mindspore/memory.c: doc/formats/mindspore1.md#memory_usage_summary */
NODISCARD int mindspore_memory(struct mindspore_run *r, struct err *e);
/* mindspore/hccl.c: doc/formats/mindspore1.md#hccl_raw */
NODISCARD int mindspore_hccl(struct mindspore_run *r, struct err *e);
/* mindspore/dynamic.c: doc/formats/mindspore1.md#dynamic_shape_info */
NODISCARD int mindspore_dynamic(struct mindspore_run *r, struct err *e);
/* mindspore/pynative.c: doc/formats/mindspore1.md#pynative, #pynative-timeline */
NODISCARD int mindspore_pynative(struct mindspore_run *r, struct err *e);
/* mindspore/gpu.c: doc/formats/mindspore1.md#gpu-step-trace */
NODISCARD int mindspore_gpu_steps(struct mindspore_run *r, struct err *e);
/* mindspore/gpu_timeline.c: doc/formats/mindspore1.md#gpu_timeline_display */
NODISCARD int mindspore_gpu_timeline(struct mindspore_run *r, struct err *e);
/* mindspore/minddata.c: doc/formats/mindspore1.md#data-pipeline */
NODISCARD int mindspore_minddata(struct mindspore_run *r, struct err *e);
/* mindspore/parallel.c: doc/formats/mindspore1.md#parallel_strategy */
NODISCARD int mindspore_parallel(struct mindspore_run *r, struct err *e);

#endif
