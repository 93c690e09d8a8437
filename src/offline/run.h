/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the analysis of rank folders: one rank being analysed. The outputs are a table
 * (offline/offline.c); each has a function that makes one file of what was read before: msprof's files
 * (offline/export.c) and the framework's ranges (offline/framework.c).
 */
#ifndef NPUSCOPE_OFFLINE_RUN_H
#define NPUSCOPE_OFFLINE_RUN_H

#include "base/arena.h"
#include "base/buf.h"
#include "emit/emit.h"
#include "offline/offline.h"
#include "parsers/framework/framework.h"

/* Who would have analysed, bits in the table of outputs. */
enum offline_flavour {
    OFFLINE_25 = 1,
    OFFLINE_26 = 2,
    OFFLINE_27 = 4,
    OFFLINE_28 = 8, /* 2026 in doc/formats/framework.md#version-differences */
    OFFLINE_TORCH = 16,
    OFFLINE_24 = 32, /* and 2.3: doc/formats/framework.md#mindspore-23-and-24 */
};
#define OFFLINE_SINCE27 (OFFLINE_27 | OFFLINE_28)
#define OFFLINE_SINCE26 (OFFLINE_26 | OFFLINE_SINCE27)
#define OFFLINE_SINCE25 (OFFLINE_25 | OFFLINE_SINCE26)
#define OFFLINE_MS      (OFFLINE_24 | OFFLINE_SINCE25)
#define OFFLINE_ALL     (OFFLINE_MS | OFFLINE_TORCH)

/* What a file needs of the run, bits: without it neither the file nor a row of the report is made. */
enum {
    NEEDS_NPU = 1, /* activities */
    NEEDS_CPU = 2,
    NEEDS_MEMORY = 4, /* profile_memory */
    NEEDS_DATA = 8,   /* data_process */
    NEEDS_SHAPES = 16,
    NEEDS_LEVEL = 32,   /* not LevelNone */
    NEEDS_LEVEL1 = 64,  /* Level1 or 2, or unknown */
    NEEDS_LEVEL2 = 128, /* Level2, or unknown */
};

struct offline_run;
struct offline_output {
    const char *name; /* of the file; %d stands for the rank */
    unsigned flavours, needs;
    int (*write)(struct offline_run *r, const struct offline_output *x, struct err *e);
    bool beside;      /* in the folder of the run itself, not of its results */
    bool is_db;       /* made for the export type db, else for text */
    bool meanwhile;   /* made while the one before it is written: both read the timeline and change nothing */
    const char *from; /* of a copy: beginning of the name of msprof's file ("op_statistic_"), or a kind */
    const char *export[5]; /* msprof's files that it reads: words of msprof/msprof.c ("op_statistic") */
};

/* A file that msprof's export made: without a name on disk, gone when its descriptor is closed. */
struct offline_file {
    const char *name; /* base name: "op_summary_00000000000000.csv" */
    const char *dir;  /* folder below the PROF folder: "mindstudio_profiler_output", "analyze" */
    const char *prof; /* the PROF folder below the unit's root, with '/' at its end */
    const char *why;  /* it could not be written; NULL: it is whole */
    int fd;
    struct offline_file *next;
};

/* A step mark of MindSpore (doc/formats/framework.md#step-marks). */
struct offline_step {
    int64_t from, to; /* ns */
    struct str id;    /* what follows the '#' */
};

struct offline_run {
    const struct unit *unit;
    const struct offline_options *o;
    int rank;
    enum offline_flavour flavour;
    unsigned has;     /* bits NEEDS_* */
    int level;        /* 0 to 2, RUN_LEVEL_NONE; -1 unknown */
    bool is_schedule; /* is_set_schedule */
    bool is_o2;       /* jit_level */
    bool no_rank;     /* torch_npu knew none */
    bool killed;      /* no profiler_info: has, level, is_schedule are what the folder shows */
    struct arena *a;
    struct spool *pool;
    struct emit_report *report;
    struct sink *notes; /* of parsers; takes only notes */
    char stamp[16];     /* in names of msprof's files */
    /* msprof's files, in the order in which they were made */
    struct offline_file *file, **last_file;
    /* ranges and marks of the framework in order of the file; times in ns of the wall clock */
    struct framework f;
    bool has_ranges;           /* there is an op_range file with a record */
    struct offline_step *step; /* by start; of MindSpore */
    size_t n_steps, cap_steps;
    bool steps_apart;              /* none begins before the one before it ends */
    struct offline_cpu_op *cpu_op; /* offline/tables/cpu_ops.h */
    size_t n_cpu_ops, cap_cpu_ops;
    bool has_cpu_ops;                  /* they were read */
    struct offline_timeline *timeline; /* offline/trace/timeline.h; NULL: not read yet */
    struct torch_joins *torch;         /* offline/torch/torch_joins.h; NULL: not made yet */
    struct minddata_input *pipeline;   /* mindspore/minddata.h; NULL: not read yet */
    struct offline_file *into;         /* takes the file being made: as_text(); NULL: it gets its name */
    const bool *made;                  /* by output: its file is made, too (and comes before databases) */
    /*
     * The text file of this name of the run's flavour in a file without a name, for databases that hold the
     * same rows. f->fd, which the caller closes, is -1 when the run has no such file.
     */
    int (*as_text)(struct offline_run *r, const char *name, struct offline_file *f, struct err *e);
};

/* Times of damaged files beyond this (the year 2096) are none, so that sums of two have room. */
#define OFFLINE_MOST_NS INT64_C(4000000000000000000)
static inline bool offline_is_time(int64_t ns)
{
    return ns >= -OFFLINE_MOST_NS && ns <= OFFLINE_MOST_NS;
}

/* ---- input ---- */

/*
 * The next readable file of a kind (registry id) of this rank, NULL: no more; after is the result of the call
 * before, NULL at first.
 */
const struct source_file *offline_source(const struct offline_run *r, const char *kind,
                                         const struct source_file *after);
/* The context for a parser that reads f; notes go to the report. */
struct parse_ctx offline_ctx(struct offline_run *r, const struct source_file *f);
/*
 * The next file of msprof's whose name begins and ends so, NULL: no more; after as above. Read it with
 * infile_open_fd(), as often as needed.
 */
const struct offline_file *offline_exported(const struct offline_run *r, const char *begin, const char *end,
                                            const struct offline_file *after);

/* A file of this rank: the folders of MindSpore 2.3 and 2.4 hold those of several. */
bool offline_is_ours(const struct offline_run *r, const struct source_file *f);
/* The same of the files of a PROF folder. */
bool offline_is_our_root(const struct offline_run *r, struct str root);

/* Says something of the input as a whole. */
void offline_note(struct offline_run *r, const char *text);

/* offline/export.c: exports what is wanted of the PROF folders into r->file. */
NODISCARD int offline_export(struct offline_run *r, bool (*wanted)(void *arg, const char *what), void *arg,
                             struct err *e);
void offline_export_done(struct offline_run *r);
/*
 * Results of msprof are on the way to ours: what it could not make is said by the files that need it; what it
 * met in the input is kept.
 */
void offline_keep_notes(struct offline_run *r, const struct emit_report *of);
/* Why a file of msprof's that the output is made of could not be written; NULL: all of them are whole. */
const char *offline_export_lacks(const struct offline_run *r, const struct offline_output *x);
/* The bytes of a file of msprof's. ERR_IO. */
NODISCARD int offline_copy_bytes(struct emit *o, const struct offline_file *f, struct err *e);
/* Leaves msprof's files in the PROF folders, in place of older ones. */
NODISCARD int offline_keep_exports(struct offline_run *r, struct err *e);
/* offline/framework.c: reads ranges and marks, and finds the steps. */
NODISCARD int offline_framework(struct offline_run *r, struct err *e);
void offline_framework_done(struct offline_run *r);
/* The step that covers an instant, both ends included: the first one; NULL: none. */
const struct offline_step *offline_step_at(const struct offline_run *r, int64_t ns);

/*
 * After the reading of a file: that it cannot be used is said in a note, and the rest counts. Returns the
 * code of what ends the work.
 */
NODISCARD int offline_unusable(struct offline_run *r, const struct parse_ctx *c, struct err *e);
/* Number of the device whose folder is the only one of the PROF folder; -1: there are several, or none. */
int offline_device(const struct offline_run *r);
/* The least number of a device in the PROF folders; -1: there is none. */
int offline_first_device(const struct offline_run *r);

/* ---- output ---- */

/*
 * Begins a file; *o is never NULL when OK. When it cannot be made its row is written and output to it is
 * dropped. End it with offline_close(), which writes its row of the report.
 */
NODISCARD int offline_open(struct offline_run *r, struct emit **o, const struct offline_output *x,
                           struct err *e);
/* Also to be called after an error of the writer (e set): the file is dropped then. Returns e's code. */
NODISCARD int offline_close(struct offline_run *r, struct emit *o, struct err *e);
/* The opened file is not wanted after all, as there is nothing to write: reports why. */
void offline_drop(struct offline_run *r, struct emit *o, const struct offline_output *x, const char *why);
/*
 * The end of a table of so many rows: without any the file is not wanted, and none says why. Also to be
 * called after an error. Returns e's code.
 */
NODISCARD int offline_end_rows(struct offline_run *r, struct emit *o, const struct offline_output *x,
                               uint64_t rows, const char *none, struct err *e);
/* Reports that the file cannot be made, and why. */
void offline_no_data(struct offline_run *r, const struct offline_output *x, const char *why);
/* The file's name with the rank in it; borrowed from the run. */
const char *offline_name(struct offline_run *r, const struct offline_output *x);
/* The folder that it comes into, below r->o->dir; "": that one. */
const char *offline_below(const struct offline_run *r, const struct offline_output *x);

/* The double nearest to a time in us, as Python divides integers; (double)ns would be rounded before. */
double offline_us(int64_t ns);

/* ---- text of the formats (doc/formats/framework.md#file-form) ---- */

/* A cell (with a comma before it unless first), the end of a row: CR LF. */
void offline_cell(struct emit *o, struct str s, bool first);
void offline_end_row(struct emit *o);
/*
 * A JSON string with its quotes, as Python writes it with ensure_ascii off; what is no UTF-8 becomes U+FFFD.
 * offline_json_part(): without them.
 */
void offline_json_text(struct emit *o, struct str s);
void offline_json_part(struct emit *o, struct str s);
void offline_json_add(struct buf *b, struct str s);

/* ---- outputs ---- */

/* offline/trace/trace_view.c: trace_view.json of MindSpore */
NODISCARD int offline_trace_view(struct offline_run *r, const struct offline_output *x, struct err *e);
/* offline/tables/kernels.c: kernel_details.csv of MindSpore */
NODISCARD int offline_kernel_details(struct offline_run *r, const struct offline_output *x, struct err *e);
/* offline/trace/step_trace.c: step_trace_time.csv of MindSpore */
NODISCARD int offline_step_trace(struct offline_run *r, const struct offline_output *x, struct err *e);
/* offline/trace/step_trace_24.c: the sums that 2.3 and 2.4 make in its place, slips and all */
NODISCARD int offline_step_trace_24(struct offline_run *r, const struct offline_output *x, struct err *e);
/* offline/torch/torch_trace.c, torch_kernels.c, torch_steps.c: the same of torch_npu */
NODISCARD int offline_torch_details(struct offline_run *r, const struct offline_output *x, struct err *e);
NODISCARD int offline_torch_trace(struct offline_run *r, const struct offline_output *x, struct err *e);
NODISCARD int offline_torch_kernels(struct offline_run *r, const struct offline_output *x, struct err *e);
NODISCARD int offline_torch_steps(struct offline_run *r, const struct offline_output *x, struct err *e);
/* offline/db/msprof_db.c: msprof's database (doc/formats/framework.md#db-export) */
NODISCARD int offline_db(struct offline_run *r, const struct offline_output *x, struct err *e);
/* offline/db/msprof_db.c: the same with the tables of torch_npu */
NODISCARD int offline_torch_db(struct offline_run *r, const struct offline_output *x, struct err *e);
/* offline/db/analysis_db.c: analysis.db of torch_npu, communication_analyzer.db of MindSpore */
NODISCARD int offline_analysis_db(struct offline_run *r, const struct offline_output *x, struct err *e);
/* offline/tables/copies.c: msprof's file that begins with x->from. */
NODISCARD int offline_copy(struct offline_run *r, const struct offline_output *x, struct err *e);
/* The file of the run of the kind x->from, as MindSpore 2.3 and 2.4 copy what the program itself wrote. */
NODISCARD int offline_copy_source(struct offline_run *r, const struct offline_output *x, struct err *e);
NODISCARD int offline_comm_json(struct offline_run *r, const struct offline_output *x, struct err *e);
NODISCARD int offline_comm_matrix(struct offline_run *r, const struct offline_output *x, struct err *e);
NODISCARD int offline_dataset(struct offline_run *r, const struct offline_output *x, struct err *e);
NODISCARD int offline_minddata(struct offline_run *r, const struct offline_output *x, struct err *e);
NODISCARD int offline_op_details(struct offline_run *r, const struct offline_output *x, struct err *e);
NODISCARD int offline_op_memory(struct offline_run *r, const struct offline_output *x, struct err *e);
NODISCARD int offline_memory_record(struct offline_run *r, const struct offline_output *x, struct err *e);
NODISCARD int offline_module_mem(struct offline_run *r, const struct offline_output *x, struct err *e);

#endif
