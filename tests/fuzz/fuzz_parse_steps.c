/* SPDX-License-Identifier: Apache-2.0 */
/* The parsers of these kinds. */
#include "config.h"

#include "tests/fuzz/fuzz_parse.h"

FUZZ_PARSER("g1_step_trace", "step_trace", "cluster_step_trace_time", "g1_cluster_analyse")
