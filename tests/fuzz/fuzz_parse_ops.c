/* SPDX-License-Identifier: Apache-2.0 */
/* The parsers of these kinds. */
#include "config.h"

#include "tests/fuzz/fuzz_parse.h"

FUZZ_PARSER("g1_op_detail", "g1_op_type", "g1_pynative", "g1_aicpu", "g1_aicpu_text", "g1_framework_raw")
