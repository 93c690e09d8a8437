/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What limits a data pipeline: the part that has a full queue before it and an empty one after it
 * (doc/screens.md#data). Not thread-safe.
 */
#ifndef NPUSCOPE_MODEL_PIPELINE_H
#define NPUSCOPE_MODEL_PIPELINE_H

#include "model/view/view.h"

/* A part of the pipeline: an op with the queue that it fills. */
struct pipeline_stage {
    char type[48];
    int64_t id;
    int64_t workers;        /* -1: not known */
    double use, empty, cpu; /* of its queue; of one worker; NAN: not known, or it has no queue */
    size_t into;            /* index of the part that takes its output; SIZE_MAX: the last one */
    bool limits;
};
/*
 * The parts of a pipeline, at most max of them, the last one (the root) first; *n: their number, 0: none were
 * recorded. Errors: of the store.
 */
NODISCARD int pipeline_stages(struct pipeline_stage *out, size_t max, size_t *n, const struct view_part *part,
                              struct err *e);

#define PIPELINE_LEAST 0.1 /* of a step: a device that waits shorter has no limit before it (DAT-05) */
/*
 * Append one sentence without its full stop: which part limits, with its figures, or that none stands out,
 * and why; nothing where the run has no queues of a pipeline. prep: the share of a step that the device waits
 * before its first op, NAN not known. Errors: ERR_NOMEM, ERR_IO, ERR_CANCELLED.
 */
NODISCARD int pipeline_verdict(struct buf *out, const struct view_part *part, double prep, struct err *e);

/*
 * What a device that waits before its steps waits for, by the queues before it, batch by batch (rules DAT-01
 * to DAT-03 of doc/rules.md).
 */
enum pipeline_wait {
    PIPELINE_UNKNOWN, /* the host's queue was not recorded: what a device's alone shows tells no reason */
    PIPELINE_SLOW,    /* the host's queue is empty: preparing data takes too long */
    PIPELINE_SENDING, /* the host's has data and the device's has not */
    PIPELINE_READY    /* there was always data: it waits for something else */
};
struct pipeline_state {
    enum pipeline_wait wait;
    uint64_t empty, batches; /* of the queue that decides; of PIPELINE_UNKNOWN the device's, 0: none */
    char limit[64];          /* the part that limits the pipeline, "" none stands out */
};
/* Errors: those of pipeline_verdict(). */
NODISCARD int pipeline_judge(struct pipeline_state *out, const struct view_part *part, struct err *e);

#endif
