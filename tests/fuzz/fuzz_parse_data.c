/* SPDX-License-Identifier: Apache-2.0 */
/* The parsers of these kinds. */
#include "config.h"

#include "tests/fuzz/fuzz_parse.h"

FUZZ_PARSER("md_pipeline_raw", "md_pipeline_summary", "aicpu_mi", "dp", "static_op_mem", "g1_hccl_raw")
