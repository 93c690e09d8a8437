/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Status files of torch_npu: the last collective of each group of a process
 * (doc/formats/logs.md#status-files). A status owns its texts until hccl_status_free(). Not thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_LOGS_HCCL_STATUS_H
#define NPUSCOPE_PARSERS_LOGS_HCCL_STATUS_H

#include "base/arena.h"
#include "parsers/registry.h"

#define HCCL_STATUS_OPS 16384 /* groups of a file; further ones are left out with a note */

struct hccl_status_op {
    int64_t seq;         /* -1: absent */
    struct str op;       /* "ALLREDUCE" */
    struct str pg_id;    /* as written */
    struct str comm_ids; /* ranks, or "all" */
    bool started, ended; /* status "start", "end"; neither: another word */
};

struct hccl_status {
    /* Of the name; -1 and p NULL: it is another one. */
    int rank, device, n_ranks;
    int64_t pid, first_ms; /* first_ms: time of the first record, ms since 1970 UTC */
    struct str master;
    /* Of the file. */
    bool is_master;
    struct str exception;
    int64_t pg_end_ns; /* UTC; 0: none */
    struct hccl_status_op *ops;
    size_t n_ops;
    bool cut;
    struct arena *mem; /* private */
};

/*
 * Read the file of c; c->rows counts ops. *out is NULL after an error. Notes: TORN_FILE, LIMIT, BAD_EVENT.
 * Errors: ERR_FORMAT (no last_comm_op in it), ERR_IO, ERR_NOMEM, ERR_CANCELLED.
 */
NODISCARD int hccl_status_read(struct hccl_status **out, struct parse_ctx *c, struct err *e);
void hccl_status_free(struct hccl_status *s); /* NULL is allowed */

#endif
