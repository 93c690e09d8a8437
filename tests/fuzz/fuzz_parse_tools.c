/* SPDX-License-Identifier: Apache-2.0 */
/* The parsers of these kinds: what msMonitor, msMemScope and msOpProf write. */
#include "config.h"

#include "tests/fuzz/fuzz_parse.h"

FUZZ_PARSER("monitor_jsonl", "memscope_csv", "opprof_basic")
