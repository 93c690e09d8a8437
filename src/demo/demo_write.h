/* SPDX-License-Identifier: Apache-2.0 */
/* Private to demo: the writers of the two generations. */
#ifndef NPUSCOPE_DEMO_WRITE_H
#define NPUSCOPE_DEMO_WRITE_H

#include "demo/demo_run.h"
#include "emit/emit.h"

/* All files of one rank below dir; the caller zeroes sum; count is added to. */
NODISCARD int analysed_write(const struct demo_run *run, int rank, const char *dir, struct demo_rank_sum *sum,
                             struct emit_count *count, struct err *e);
NODISCARD int raw_write(const struct demo_run *run, int rank, const char *dir, struct demo_rank_sum *sum,
                        struct emit_count *count, struct err *e);
NODISCARD int ascend_write(const struct demo_run *run, int rank, const char *dir, struct demo_rank_sum *sum,
                           struct emit_count *count, struct err *e);
NODISCARD int demo_prof_write(const struct demo_run *run, int rank, const char *dir,
                              struct demo_rank_sum *sum, struct emit_count *count, struct err *e);
/*
 * Logs and dumps that a run with a fault leaves beside its profiles: of CANN, the framework, the launcher and
 * the host (doc/formats/logs.md), with pids, streams, tasks, ops and times of the profiles; and the file of
 * the truth, if asked for. Of a run without a fault only the truth. run->origin_ns is that of host 0.
 */
NODISCARD int demo_logs_write(const struct demo_run *run, const char *dir, struct emit_count *count,
                              struct err *e);
/* Name of a rank's folder in generation 2. */
void ascend_folder(const struct demo_run *run, int rank, char *buf, size_t n);
/* Raw data of torch_npu: *_ascend_pt. */
static inline bool demo_is_torch(const struct demo_run *run)
{
    return run->o.era == DEMO_ERA_TORCH;
}

#endif
