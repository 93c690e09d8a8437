/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of a run's course: who has which rank and device, begin and end, timeouts
 * (doc/formats/logs.md#rank-lines, #time-zones), and blocks that are read as a whole.
 */
#include "parsers/logs/signature.h"

static const struct signature rows[] = {
    { "MK01", "p!", CAUSE_NONE, LOG_MARK,
      "SetupAgent rankNum[" OR "SetupAgent nRanks[" OR "Entry-HcclCommInitRootInfo" OR
      "HcclCommInitRootInfo success" OR "HcclCommInitRootInfo failed" OR "hcom init by file success" OR
      "hcclCommInitInfo:commId[" OR "[LocalRank Key Info]" OR "[RootInfoDetect] nRanks[" OR
      "hcom init by file succeess",
      "rank and device of the process", "" },
    { "MK02", "p!", CAUSE_NONE, LOG_MARK, "HcclGetRootInfo success", "a communicator was born", "" },
    { "MK03", "p!", CAUSE_NONE, LOG_MARK, "attr init success", "the process began", "" },
    { "MK04", "p!", CAUSE_NONE, LOG_MARK, "HCCL_EXEC_TIMEOUT set by", "timeout of collectives", "" },
    { "MK05", "p!", CAUSE_NONE, LOG_MARK, "HCCL_CONNECT_TIMEOUT set by", "timeout of links", "" },
    { "MK06", "p!", CAUSE_NONE, LOG_MARK, "HcclCommResume:success", "the communicator was recovered", "" },
    { "MK07", "cl!", CAUSE_NONE, LOG_MARK, "world size " ALSO "pid ", "process of the rank", "" },
    { "MK08", "e!", CAUSE_NONE, LOG_MARK, "ipaddr:", "address of a device", "" },
    { "MK09", "e!", CAUSE_NONE, LOG_MARK, "hccn_tool -i ", "a device is asked", "" },
    { "PY01", "cl", CAUSE_PY, LOG_CAUSE,
      "Traceback (most recent call last):", "the program raised an exception", "see file and line" },
    /* The last row: only what nothing else explains. */
    { "ERR", "pd", CAUSE_NONE, LOG_NOISE, "[ERROR]" OR "[CRITICAL]", "an error that no signature knows", "" },
};
const struct signature_table signatures_marks = { rows, sizeof rows / sizeof *rows };
