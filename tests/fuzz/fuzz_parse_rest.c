/* SPDX-License-Identifier: Apache-2.0 */
/* The parsers of kinds that no other target has: of each parser one, so that none is left out. */
#include "config.h"

#include "tests/fuzz/fuzz_parse.h"

FUZZ_PARSER("profiler_metadata", "dyn_config", "cpu_framework", "gpu_framework", "raw_framework_queue",
            "raw_aicpu_mi", "g1_memory_pb", "memscope_db")
