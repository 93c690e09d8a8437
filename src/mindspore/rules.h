/*
 * What changed in the analysis from version to version, as data: one row for each that a person can ask for
 * (doc/formats/mindspore1.md#versions, #graph-mode, #timeline). A flag of a new difference is a column here
 * and a value in each row of mindspore/rules.c; code never compares versions.
 */
#ifndef NPUSCOPE_MINDSPORE_RULES_H
#define NPUSCOPE_MINDSPORE_RULES_H

#include <stdbool.h>

#include "mindspore/analyse.h"

/* Timelines (doc/formats/mindspore1.md#timeline, #gpu_timeline_display). */
struct mindspore_timeline_rules {
    bool prefixed;       /* ascend_timeline_display_N.json, else without "ascend_" */
    bool tid_text;       /* streams are written as text */
    bool host_ops;       /* ops of the host are in it */
    bool scopes;         /* steps and scopes, too */
    bool maps_threads;   /* labels have numbers and are named in front */
    bool streams_sorted; /* streams in order of their numbers */
    bool level_first;    /* the level of a scope stands before the pid */
    bool total_in_us;    /* total_time, else in ms */
    bool short_names;    /* the last part of a name */
    bool host_clock;     /* with host ops in it the ops are moved to the host's clock, nothing else is */
    bool host_apart;     /* host ops have a process of their own */
    bool labels;         /* a block of labels at the end */
    bool labels_new;     /* with activities, steps, ops */
    bool overlap;        /* rows of overlap, and the sums per step; later on GPU, too */
    bool gpu_overlap;
    bool gpu_dynamic;      /* dynamic_shape_info of GPU targets */
    bool cluster_grows;    /* sums per step: a list that grows as steps pass */
    bool cluster_mean_all; /* the mean row counts the first step */
    bool no_comm;          /* communication ops are not ops, too */
    bool marks_from_end;   /* the last op ends the step */
    bool host_of_zero;     /* host ops of rank 0 in every rank's timeline */
    bool gpu, cpu;         /* these targets have one */
    bool pynative;         /* and PyNative mode */
    bool cpu_pid_text;     /* pid of the CPU in the block */
    unsigned limit_mib;
};

struct mindspore_rules {
    const char *word; /* "r1.3" */
    /* 10 */
    bool md_empty_queue;     /* a queue without samples has empty cells, else there is no file */
    bool md_summary;         /* minddata_pipeline_summary */
    bool md_push_time;       /* with the times of the pipeline and of the push to the device */
    bool md_last_bottleneck; /* the candidate nearest to the root, else the farthest */
    /* doc/formats/mindspore1.md#hccl_raw */
    bool hccl;          /* hccl_raw */
    bool hccl_numbered; /* the folder of traces has the number of the rank */
    bool hccl_names;    /* operators have the names of the columns of the step trace, else of folders */
    bool hccl_no_paths; /* not where those names have a path */
    bool hccl_python;   /* the means of operators are printed as Python does, without a step */
    /* doc/formats/mindspore1.md#memory_usage_summary */
    bool mem_first_node; /* tensors of the first node only; many nodes are thinned */
    /* names of files */
    bool by_rank;        /* the number in a file's name is the rank, else the device */
    bool point_numbered; /* step_trace_point_info_N.json */
    /* 2: task keys */
    bool short_key;            /* a task number from 25 000 on is the key alone */
    bool wraps_dyn, wraps_big; /* task numbers that begin anew: in dynamic shape networks; above 65 000 */
    bool slices_by_text;       /* binary Framework files and ts_track: slice_10 before slice_2 */
    bool dynamic_shapes;       /* networks of dynamic shapes are told apart */
    bool profiler_info;        /* doc/formats/mindspore1.md#profiler_info: there is such a file */
    /* doc/formats/mindspore1.md#framework_raw */
    bool types_r13; /* numbers of data types as from r1.3 on */
    bool graph_id;  /* a column for it */
    /* doc/formats/mindspore1.md#aicpu_intermediate */
    bool aicpu_lost_first; /* the table lacks the first row */
    bool aicpu_needs_op;   /* no file when a task belongs to no op */
    bool aicpu_execution;  /* a column for the execution time */
    /* doc/formats/mindspore1.md#step_trace_raw */
    bool always_trains; /* every run has a backward pass */
    bool waits_for_job; /* a step begins with the next mark of the job */
    bool slice_begins;  /* nothing is known of a step's start at the beginning of a slice */
    bool slice_clears;  /* nor of the communication before */
    /* marks come from there, else from training_trace; tags 2 and 3 are forward and backward */
    bool ts_track;
    enum { COMM_BY_TYPE, COMM_BY_NAME, COMM_BY_TASK } comm_name;
    enum { PAIR_SECOND_EVEN, PAIR_FIRST_EVEN, PAIR_SAME_OP } comm_pair;
    bool more_columns; /* those that later steps bring */
    /* doc/formats/mindspore1.md#flops */
    bool flops;       /* there are such files */
    bool flops_steps; /* also of steps and scopes; ops without a time are left out; all slices are read */
    bool mean_of_all; /* the average row counts the first step too */
    const struct mindspore_timeline_rules *timeline;
};

#endif
