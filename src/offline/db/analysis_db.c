/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times of steps and communication: analysis.db of torch_npu
 * (doc/formats/framework.md#torch_npu-db-export), communication_analyzer.db of MindSpore (#db-export).
 */
#include "config.h"

#include "offline/db/db.h"

int offline_analysis_db(struct offline_run *r, const struct offline_output *x, struct err *e)
{
    struct offline_db db;

    if (offline_db_open(r, &db, x, e) == OK && db.out &&
        (r->flavour != OFFLINE_TORCH || offline_db_put(r, &db, &offline_db_step_trace, NULL, e) == OK))
        (void)!offline_db_comm(r, &db, e);
    return offline_db_close(r, &db, x, "the PROF folder has neither communication ops nor times of steps", e);
}
