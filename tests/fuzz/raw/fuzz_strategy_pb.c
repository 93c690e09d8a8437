/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parallel strategy as protobuf: any bytes. Values in values are deeper than the stack of the parser,
 * messages are cut anywhere.
 */
#include "config.h"

#include "tests/fuzz/fuzz_parse.h"

FUZZ_PARSER("parallel_strategy_pb")
