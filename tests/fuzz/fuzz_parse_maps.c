/* SPDX-License-Identifier: Apache-2.0 */
/* The parsers of these kinds. */
#include "config.h"

#include "tests/fuzz/fuzz_parse.h"

FUZZ_PARSER("op_statistic", "api_statistic", "operator_details", "fusion_op", "step_trace_time",
            "communication_statistic", "operator_memory", "memory_record", "npu_mem", "npu_module_mem",
            "ms_memory_record", "aicpu", "dataset", "osrt_statistic", "msproftx", "gpu_op_detail",
            "gpu_op_type", "gpu_activity", "cpu_op_detail", "cpu_op_type")
