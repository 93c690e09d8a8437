/* SPDX-License-Identifier: Apache-2.0 */
/* The parsers of these kinds. */
#include "config.h"

#include "tests/fuzz/fuzz_parse.h"

FUZZ_PARSER("trace_view", "g1_timeline_display", "g1_hccl_trace", "step_trace_json")
