/* SPDX-License-Identifier: Apache-2.0 */
/* The parsers of these kinds. */
#include "config.h"

#include "tests/fuzz/fuzz_parse.h"

FUZZ_PARSER("kernel_details", "op_summary", "task_time")
