/* SPDX-License-Identifier: Apache-2.0 */
/* The versions whose files can be written. */
#include "config.h"

#include "mindspore/rules.h"

#include <string.h>

/* Timelines: each row has the values of the one before, unless it sets others. */
#define TIMELINE_10 .prefixed = true, .tid_text = true, .gpu = true
#define TIMELINE_13 TIMELINE_10, .host_ops = true, .scopes = true, .maps_threads = true
#define TIMELINE_15 TIMELINE_13, .streams_sorted = true, .short_names = true, .labels = true, .overlap = true
#define TIMELINE_16 TIMELINE_15, .no_comm = true
#define TIMELINE_18                                                                                          \
    TIMELINE_16, .labels_new = true, .gpu_overlap = true, .marks_from_end = true, .cpu = true,               \
                 .pynative = true

static const struct mindspore_timeline_rules timelines[] = {
    { .total_in_us = true, .limit_mib = 20 },
    { TIMELINE_10, .host_ops = true, .host_clock = true, .total_in_us = true, .limit_mib = 20 },
    { TIMELINE_13, .level_first = true, .limit_mib = 100 },
    { TIMELINE_15, .host_apart = true, .cluster_grows = true, .cluster_mean_all = true, .limit_mib = 100 },
    { TIMELINE_16, .host_apart = true, .cluster_grows = true, .limit_mib = 100 },
    { TIMELINE_18, .host_of_zero = true, .limit_mib = 100 },
    { TIMELINE_18, .gpu_dynamic = true, .host_of_zero = true, .limit_mib = 100 },
    { TIMELINE_18, .gpu_dynamic = true, .cpu_pid_text = true, .limit_mib = 500 },
};

/*
 * A word stands for the releases up to the next one that changed something: r1.3 also for 1.4, r1.6 for 1.7,
 * r1.8 for 1.9; r2.0 is 2.0.0a0. r1.2 has no row: its timeline mixes two clocks
 * (doc/formats/mindspore1.md#timeline-inputs).
 */
static const struct mindspore_rules rules[] = {
    { .word = "r0.6",
      .timeline = &timelines[0],
      .short_key = true,
      .aicpu_lost_first = true,
      .always_trains = true,
      .steps.waits_for_job = true,
      .comm_name = COMM_BY_TYPE },
    { .word = "r1.0",
      .timeline = &timelines[1],
      .short_key = true,
      .always_trains = true,
      .steps.waits_for_job = true,
      .comm_name = COMM_BY_TYPE },
    { .word = "r1.1",
      .timeline = &timelines[1],
      .short_key = true,
      .steps.waits_for_job = true,
      .comm_name = COMM_BY_TYPE },
    { .word = "r1.3",
      .hccl = true,
      .hccl_python = true,
      .flops = true,
      .md_summary = true,
      .timeline = &timelines[2],
      .short_key = true,
      .point_numbered = true,
      .types_r13 = true,
      .aicpu_execution = true,
      .steps.slice_begins = true,
      .steps.slice_clears = true,
      .comm_name = COMM_BY_NAME },
    { .word = "r1.5",
      .hccl = true,
      .hccl_names = true,
      .hccl_numbered = true,
      .flops = true,
      .flops_steps = true,
      .md_summary = true,
      .md_push_time = true,
      .md_last_bottleneck = true,
      .timeline = &timelines[3],
      .ts_track = true,
      .short_key = true,
      .by_rank = true,
      .point_numbered = true,
      .types_r13 = true,
      .aicpu_execution = true,
      .steps.slice_begins = true,
      .comm_name = COMM_BY_NAME },
    { .word = "r1.6",
      .hccl = true,
      .hccl_names = true,
      .hccl_numbered = true,
      .hccl_no_paths = true,
      .flops = true,
      .flops_steps = true,
      .md_summary = true,
      .md_push_time = true,
      .md_last_bottleneck = true,
      .md_empty_queue = true,
      .timeline = &timelines[4],
      .ts_track = true,
      .slices_by_text = true,
      .aicpu_needs_op = true,
      .short_key = true,
      .by_rank = true,
      .point_numbered = true,
      .types_r13 = true,
      .aicpu_execution = true,
      .comm_name = COMM_BY_TASK },
    { .word = "r1.8",
      .hccl = true,
      .hccl_names = true,
      .hccl_numbered = true,
      .flops = true,
      .flops_steps = true,
      .mem_first_node = true,
      .md_summary = true,
      .md_push_time = true,
      .md_last_bottleneck = true,
      .md_empty_queue = true,
      .timeline = &timelines[5],
      .ts_track = true,
      .slices_by_text = true,
      .dynamic_shapes = true,
      .by_rank = true,
      .point_numbered = true,
      .wraps_dyn = true,
      .types_r13 = true,
      .aicpu_execution = true,
      .comm_name = COMM_BY_TASK,
      .comm_same_op = true,
      .more_columns = true },
    { .word = "r1.10",
      .hccl = true,
      .hccl_names = true,
      .hccl_numbered = true,
      .flops = true,
      .flops_steps = true,
      .mem_first_node = true,
      .md_summary = true,
      .md_push_time = true,
      .md_last_bottleneck = true,
      .md_empty_queue = true,
      .timeline = &timelines[6],
      .ts_track = true,
      .slices_by_text = true,
      .dynamic_shapes = true,
      .by_rank = true,
      .point_numbered = true,
      .wraps_dyn = true,
      .types_r13 = true,
      .aicpu_execution = true,
      .comm_name = COMM_BY_TASK,
      .comm_same_op = true,
      .more_columns = true,
      .mean_of_all = true },
    { .word = "r2.0",
      .hccl = true,
      .hccl_names = true,
      .hccl_numbered = true,
      .flops = true,
      .flops_steps = true,
      .mem_first_node = true,
      .md_summary = true,
      .md_push_time = true,
      .md_last_bottleneck = true,
      .md_empty_queue = true,
      .timeline = &timelines[7],
      .ts_track = true,
      .slices_by_text = true,
      .dynamic_shapes = true,
      .profiler_info = true,
      .by_rank = true,
      .point_numbered = true,
      .types_r13 = true,
      .aicpu_execution = true,
      .comm_name = COMM_BY_TASK,
      .comm_same_op = true,
      .more_columns = true,
      .mean_of_all = true,
      .graph_id = true,
      .wraps_big = true },
};

const struct mindspore_rules *mindspore_rules_at(size_t i)
{
    return i < ARRAY_LEN(rules) ? &rules[i] : NULL;
}

const struct mindspore_rules *mindspore_rules_find(const char *word)
{
    for (size_t i = 0; i < ARRAY_LEN(rules); i++)
        if (strcmp(rules[i].word, word) == 0)
            return &rules[i];
    return NULL;
}
