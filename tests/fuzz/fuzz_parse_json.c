/* SPDX-License-Identifier: Apache-2.0 */
/* The parsers of these kinds. */
#include "config.h"

#include "tests/fuzz/fuzz_parse.h"

FUZZ_PARSER("communication", "communication_matrix", "cluster_communication", "cluster_communication_matrix",
            "md_pipeline_profiling", "md_cpu_utilization", "md_pipeline_summary_json", "g1_memory",
            "g1_flops_summary", "g1_flops_scope", "g1_point_info", "communication_group", "profiler_info",
            "parallel_strategy", "g1_dynamic_shape")
