/* SPDX-License-Identifier: Apache-2.0 */
/* The parsers of these kinds. */
#include "config.h"

#include "tests/fuzz/fuzz_parse.h"

FUZZ_PARSER("g1_timeline_data", "g1_op_compute_time", "g1_op_time_report", "g1_min_cycle", "g1_flops",
            "g1_flops_step", "md_device_queue", "md_getnext", "md_aicpu", "cpu_op_timestamp",
            "gpu_op_timestamp", "gpu_activity_timestamp", "gpu_step_trace", "g1_start_time", "g1_hwts_text")
