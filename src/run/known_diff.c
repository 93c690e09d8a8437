/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Known differences (doc/formats/mindspore1.md#graph-mode to #gpu-and-cpu-results, the statements that were
 * checked by running MindSpore's parsers).
 */
#include "config.h"

#include "run/known_diff.h"

#include "base/str.h"

/* clang-format off */
const struct known_diff known_diffs[] = {
    { "output_op_compute_time, output_timeline_data, aicore_intermediate, flops, timeline_display", "all",
      "Only a start and an end that stand next to each other are one execution: where streams overlap, "
      "executions are missing, and counts, times and means without them",
      "every execution, stream by stream", KNOWN_DIFF_NEIGHBOURS,
      "executions that overlap others are missing" },
    { "output_op_compute_time, aicore_intermediate, flops", "all",
      "A mean is the sum over all executions divided by those of the first execution's task: in networks "
      "that make new tasks every step it is the sum", "the mean", KNOWN_DIFF_FIRST_TASK,
      "sums were divided by the executions of the first task alone" },
    { "output_format_data_hwts and all that follows from it", "r1.8, r1.10, r2.0",
      "One counter for all streams counts how often task numbers began anew: after that tasks of other "
      "streams get wrong names, or none", "a counter for each stream", KNOWN_DIFF_NONE, NULL },
    { "flops", "all", "Only the first record of an op counts",
        "the same figure, over the mean of all its executions", KNOWN_DIFF_NONE, NULL },
    { "step_trace_raw", "r0.6 to r1.8", "The row of means leaves out the first step",
        "means leave out the first step unless --first-step is given, and say so", KNOWN_DIFF_NONE, NULL },
    { "step_trace_raw", "r1.3 to r1.5",
        "At every new slice of the marks it is forgotten where the step before ended: that step begins with "
        "its forward start", "steps go on over slices", KNOWN_DIFF_SLICE,
        "a step begins with its forward start where a slice of the marks begins" },
    { "step_trace_raw", "all", "Without a backward pass the last two columns are dealt with as if they were "
        "bp_point and tail, also where communication stands after them", "columns by their names",
        KNOWN_DIFF_ONE_WAY, "without a backward pass the last columns are taken for others" },
    { "step_trace_raw of GPUs", "all",
        "Without a backward pass the texts of start and end of communication are joined to one number",
        "both times", KNOWN_DIFF_NONE, NULL },
    { "timeline_summary", "all", "num_of_ops counts the ops of the AI Core twice", NULL, KNOWN_DIFF_NONE,
        NULL },
    { "ascend_cluster_analyse", "r1.5 to r2.0",
        "The first step may begin at 0, so that its computation time is huge", "steps begin with their marks",
        KNOWN_DIFF_NONE, NULL },
    { "ascend_cluster_analyse", "r1.5 to r1.7",
        "The last column of the row of means holds the last sum instead of the mean", "the mean",
        KNOWN_DIFF_NONE, NULL },
    { "timeline_display", "r1.0, r1.1",
        "With host ops the ops are moved to the host's clock, communication and AI CPU tasks are not",
        "one clock", KNOWN_DIFF_NONE, NULL },
    { "timeline_display", "r1.7 to r1.10", "Host ops are those of rank 0, whatever the rank",
        "those of the rank", KNOWN_DIFF_NONE, NULL },
    { "hccl_raw", "r1.3 to r2.0",
        "In the second pass local transfers stand with source and destination exchanged, so that waiting "
        "times can be missing", "waiting times of both", KNOWN_DIFF_NONE, NULL },
    { "hccl_raw", "r1.3 to r1.6, only with --compat",
        "In runs of one step the row of zeros of the step trace is taken for the last step: communication is "
        "of step 0", "step 1", KNOWN_DIFF_NONE, NULL },
    { "memory_usage_details", "r1.7 to r2.0", "Tensors are listed for the first node only",
        "every tensor with its life", KNOWN_DIFF_FIRST_NODE, "only tensors of the first node are listed" },
    { "aicpu_intermediate", "r0.6", "The first row is missing", "every row", KNOWN_DIFF_LOST_FIRST,
        "the first row is missing" },
    { "dynamic_shape_info", "r1.8 to r2.0", "Of AI CPU ops the dispatch time is listed",
        "dispatch time and time of execution apart", KNOWN_DIFF_NONE, NULL },
    { "gpu_timeline_display", "all", "Durations between host times are differences of doubles, which step by "
        "256 ns", "exact ns", KNOWN_DIFF_NONE, NULL },
};
/* clang-format on */
const size_t known_diffs_n = ARRAY_LEN(known_diffs);

const char *known_diff_brief(enum known_diff_id id)
{
    for (size_t i = 0; id && i < known_diffs_n; i++)
        if (known_diffs[i].id == id)
            return known_diffs[i].brief;
    return NULL;
}
