/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values in the text of a record: what stands between the words that writers put around it. One table for all
 * dialects and versions (doc/formats/logs.md#communication and the following); values are borrowed.
 */
#ifndef NPUSCOPE_PARSERS_LOGS_LOG_FIELD_H
#define NPUSCOPE_PARSERS_LOGS_LOG_FIELD_H

#include "base/str.h"

/* Field and its word in tables and JSON. */
#define LOG_FIELDS(X)                                                                                        \
    X(RANK, "rank")                                                                                          \
    X(RANKS, "ranks")                                                                                        \
    X(GROUP, "group")                                                                                        \
    X(DEVICE, "device")                                                                                      \
    X(PHY, "physical_device")                                                                                \
    X(SERVER, "server")                                                                                      \
    X(DEVICE_IP, "device_ip")                                                                                \
    X(STREAM, "stream")                                                                                      \
    X(TASK, "task")                                                                                          \
    X(FLIP, "flip")                                                                                          \
    X(TAG, "tag")                                                                                            \
    X(INDEX, "index")                                                                                        \
    X(SEQ, "seq")                                                                                            \
    X(OP, "op")                                                                                              \
    X(KERNEL, "kernel")                                                                                      \
    X(REMOTE_RANK, "remote_rank")                                                                            \
    X(REMOTE_PHY, "remote_physical_device")                                                                  \
    X(REMOTE_IP, "remote_ip")                                                                                \
    X(REMOTE_SERVER, "remote_server")                                                                        \
    X(PLACE, "place")                                                                                        \
    X(ISSUED, "issued")                                                                                      \
    X(TIMEOUT, "timeout_s")                                                                                  \
    X(CODE, "code")                                                                                          \
    X(RESULT, "hccl_result")                                                                                 \
    X(ERR_TYPE, "err_type")                                                                                  \
    X(LOCAL, "local")                                                                                        \
    X(REMOTE, "remote")                                                                                      \
    X(PARAMETER, "parameter")                                                                                \
    X(TYPE, "type")                                                                                          \
    X(PID, "pid")                                                                                            \
    X(PROCESS, "process")                                                                                    \
    X(AGENTS, "agents")
enum log_field {
#define X(id, word) LOG_F_##id,
    LOG_FIELDS(X)
#undef X
        N_LOG_FIELDS
};
const char *log_field_word(enum log_field f);

/* The first value of a field in the text; p NULL: it has none. */
struct str log_field(struct str text, enum log_field f);
/* As a number, also "0x26"; false: none, or no number. */
bool log_field_i64(struct str text, enum log_field f, int64_t *out);
/* As a number below a bound, -1: none. */
int log_field_int(struct str text, enum log_field f);
#define LOG_FIELD_INT_MAX (1 << 24)

#endif
