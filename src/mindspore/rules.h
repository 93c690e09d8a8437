/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Differences between the analyses of MindSpore versions, as data: one row for each version that a user can
 * choose (doc/formats/mindspore1.md#versions, #graph-mode, #timeline). A flag for a new difference is a
 * column here and a value in each row of mindspore/rules.c; code never compares versions.
 */
#ifndef NPUSCOPE_MINDSPORE_RULES_H
#define NPUSCOPE_MINDSPORE_RULES_H

#include <stdbool.h>

#include "mindspore/analyse.h"
#include "mindspore/minddata.h"
#include "parsers/mindspore/mark_steps.h"

/* Timelines (doc/formats/mindspore1.md#timeline, #gpu_timeline_display). */
struct mindspore_timeline_rules {
    bool prefixed;       /* ascend_timeline_display_N.json, else without "ascend_" */
    bool tid_text;       /* streams are written as text */
    bool host_ops;       /* has ops of the host */
    bool scopes;         /* has steps and scopes */
    bool maps_threads;   /* labels have thread ids and are named at the beginning */
    bool streams_sorted; /* streams in order of their numbers */
    bool level_first;    /* the level of a scope precedes the pid */
    bool total_in_us;    /* total_time, else in ms */
    bool short_names;    /* only the last part of a name */
    bool host_clock;     /* with host ops, only the ops are moved to the host's clock */
    bool host_apart;     /* host ops have a process of their own */
    bool labels;         /* a block of labels at the end */
    bool labels_new;     /* the block has activities, steps, ops */
    bool labels_17;      /* in words of r1.7 */
    bool overlap;        /* rows of overlap, and the sums per step; in later versions on GPU, too */
    bool gpu_overlap;
    bool gpu_dynamic;      /* dynamic_shape_info of GPU targets */
    bool cluster_grows;    /* sums per step: a list that grows as steps pass */
    bool cluster_mean_all; /* the mean row counts the first step */
    bool cluster_inside;   /* an interval behind the last step is an error */
    bool no_comm;          /* communication ops are not among the ops */
    bool marks_from_end;   /* the last op ends the step */
    bool host_of_zero;     /* host ops of rank 0 in every rank's timeline */
    bool gpu, cpu;         /* these targets have a timeline */
    bool pynative;         /* PyNative mode has one */
    bool cpu_pid_text;     /* pid of the CPU is text in the block */
    unsigned limit_mib;
};

struct mindspore_rules {
    const char *word;         /* "r1.3" */
    struct minddata_rules md; /* doc/formats/mindspore1.md#data-pipeline */
    /* doc/formats/mindspore1.md#hccl_raw */
    bool hccl;            /* hccl_raw */
    bool hccl_numbered;   /* the folder of traces has the number of the rank */
    bool hccl_names;      /* ops have the names of the step trace's columns, else of the folders */
    bool hccl_no_paths;   /* not if those names contain a path */
    bool hccl_first_dash; /* the kind of a name ends at its first '-', be it in a path */
    bool hccl_python;     /* means of ops are printed as in Python, without a step */
    bool hccl_zero_step;  /* with compat: the row of zeros of a run of one step is a step */
    /* doc/formats/mindspore1.md#memory_usage_summary */
    bool mem_first_node; /* tensors of the first node only; many nodes are thinned */
    /* names of files */
    bool by_rank;        /* the number in a file's name is the rank, else the device */
    bool point_numbered; /* step_trace_point_info_N.json */
    /* doc/formats/mindspore1.md#task-keys */
    bool short_key;            /* a task number from 25 000 on is the key alone */
    bool wraps_dyn, wraps_big; /* handles task numbers that begin anew: dynamic shapes; above 65 000 */
    bool slices_by_text;       /* binary Framework files and ts_track: slice_10 before slice_2 */
    bool dynamic_shapes;       /* networks of dynamic shapes are recognized */
    bool profiler_info;        /* doc/formats/mindspore1.md#profiler_info: this file exists */
    /* doc/formats/mindspore1.md#framework_raw */
    bool types_r13; /* numbers of data types as from r1.3 on */
    bool graph_id;  /* has a column for it */
    /* doc/formats/mindspore1.md#aicpu_intermediate */
    bool aicpu_lost_first; /* the table lacks the first row */
    bool aicpu_needs_op;   /* no file when a task belongs to no op */
    bool aicpu_execution;  /* a column for the execution time */
    /* doc/formats/mindspore1.md#step_trace_raw */
    bool always_trains;      /* every run has a backward pass */
    struct step_rules steps; /* those that differ by version */
    /* marks come from ts_track, else from training_trace; tags 2 and 3 are forward and backward */
    bool ts_track;
    enum { COMM_BY_TYPE, COMM_BY_NAME, COMM_BY_TASK } comm_name;
    bool comm_same_op; /* marks of one op are a pair, else those whose tags follow each other */
    bool more_columns; /* columns that appear in later steps */
    /* doc/formats/mindspore1.md#flops */
    bool flops;       /* these files exist */
    bool flops_steps; /* also of steps; ops without a time are left out; all slices are read */
    /* also of scopes, by their names with the first scope, from r1.5 on with the level, too */
    enum { FLOPS_SCOPES_NONE, FLOPS_SCOPES_PLAIN, FLOPS_SCOPES_NUMBERED } flops_scopes;
    bool mean_of_all; /* the average row counts the first step too */
    const struct mindspore_timeline_rules *timeline;
};

#endif
