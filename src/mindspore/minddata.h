/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The analysis of the data pipeline (doc/formats/mindspore1.md#data-pipeline), which MindSpore has from 1.x
 * to today: its three inputs as they are in the files, and what its files hold. Where files lie and go is the
 * caller's business. Everything lives in the caller's arena. Not thread-safe.
 */
#ifndef NPUSCOPE_MINDSPORE_MINDDATA_H
#define NPUSCOPE_MINDSPORE_MINDDATA_H

#include "base/arena.h"
#include "base/val.h"
#include "emit/emit.h"
#include "parsers/registry.h"

/* What versions do differently. */
struct minddata_rules {
    bool empty_queue;     /* a queue without samples has empty cells, else there is no file */
    bool summary;         /* minddata_pipeline_summary */
    bool needs_times;     /* not without the times of batches */
    bool raw_needs_all;   /* minddata_pipeline_raw needs the other inputs, too */
    bool push_time;       /* with the times of the pipeline and of the push to the device */
    bool last_bottleneck; /* the candidate nearest to the root, else the farthest */
    bool by_id;           /* ops in order of their ids, else of the file; shares of the CPU by id */
    bool ids_first;       /* the order of keys: those of the ids first */
    bool gaps_end;        /* ids with gaps have no findings; nor has a CPU id beyond the list a summary */
    bool leaf_spaced;     /* a blank before the advice about a leaf */
    bool utf8;            /* JSON keeps characters beyond ASCII */
};

/* An op of pipeline_profiling (doc/formats/mindspore1.md#pipeline_profiling). */
struct minddata_op {
    int64_t id;
    struct str type;
    struct val workers, length; /* numbers or NULL */
    bool has_queue;
    const double *size; /* samples of the queue's length */
    size_t n_sizes;
    const int64_t *child; /* ids, as written */
    size_t n_children;
};
/*
 * Times of a batch in ms over the batches from the second on
 * (doc/formats/mindspore1.md#device_queue_profiling).
 */
enum minddata_time { MD_PIPELINE, MD_PUSH, MD_BATCH, N_MD_TIMES };
struct minddata_times {
    double sum[N_MD_TIMES];
    uint64_t n[N_MD_TIMES];
};
struct minddata_place {
    int64_t id;
    size_t at; /* index in op */
};
struct minddata_input {
    const struct minddata_op *op;
    size_t n_ops;
    struct val interval;
    const struct minddata_place *by_id; /* sorted */
    /* mean share of each op id from 0 on, -1: none (doc/formats/mindspore1.md#minddata_cpu_utilization) */
    const double *cpu;
    size_t n_cpu;    /* op ids of the CPU file that are >= 0 */
    size_t n_shares; /* elements of cpu */
    bool cpu_beyond; /* an id is none of cpu's */
    bool has_cpu, has_times;
    struct minddata_times times;
};

/* Where the analysis reads. */
struct minddata_run {
    struct arena *a;
    const struct minddata_rules *rules;
    /* The file of a kind (registry id), NULL: there is none; the context to read it. */
    const struct source_file *(*file)(void *arg, const char *kind);
    struct parse_ctx (*ctx)(void *arg, const struct source_file *f);
    void *arg;
};

/*
 * Reads the files that exist. in->n_ops is 0 without a pipeline. Errors: ERR_NOMEM, ERR_LIMIT, ERR_CANCELLED,
 * ERR_IO.
 */
NODISCARD int minddata_read(const struct minddata_run *r, struct minddata_input *in, struct err *e);
/* Index of an op, SIZE_MAX: no op has that id. */
size_t minddata_find(const struct minddata_input *in, int64_t id);
/* Why there is no such file; NULL: it can be made. */
const char *minddata_no_raw(const struct minddata_run *r, const struct minddata_input *in);
const char *minddata_no_summary(const struct minddata_run *r, const struct minddata_input *in);
/* The whole content of minddata_pipeline_raw.csv, minddata_pipeline_summary. Errors: ERR_NOMEM. */
NODISCARD int minddata_put_raw(const struct minddata_run *r, const struct minddata_input *in, struct emit *o,
                               struct err *e);
NODISCARD int minddata_put_summary(const struct minddata_run *r, const struct minddata_input *in, bool json,
                                   struct emit *o, struct err *e);

#endif
