/*
 * What the AI CPUs of a PROF folder's device say (formats/msprof-raw.md 4.8, 5.11): the nodes they ran, the data queue, data preparation.
 *
 * From aicpu.data, and from DATA_PREPROCESS.AICPU and .DP of older releases where that is missing.
 */
#ifndef NPUSCOPE_PROF_AICPU_H
#define NPUSCOPE_PROF_AICPU_H

#include "prof.h"

/* A node that ran; stream and task as recorded (the rule of 4.4 is not applied). */
struct prof_aicpu_node {
    uint64_t start, end;          /* counter of the device */
    uint64_t submitted, left;     /* the same: submitTick and tickAfterRun */
    int64_t compute_us, copy_us;  /* differences */
    uint32_t dispatch_us, thread; /* of the AI CPU */
    uint16_t stream, task;
    uint32_t place; /* in the file */
};
/* What GetNext found in the queue; us of the device, as recorded. */
struct prof_aicpu_item {
    uint32_t node; /* 1: GetNext_dequeue_wait */
    uint64_t size, start_us, end_us;
};
struct prof_aicpu_dp {
    uint64_t stamp;          /* host monotonic ns */
    uint32_t action, source; /* texts */
    uint64_t index, size;
};

struct prof_aicpu {
    struct prof_aicpu_node *node; /* by start, equal ones in order of the file */
    struct prof_aicpu_item *item; /* in order of the file, as dp */
    struct prof_aicpu_dp *dp;
    size_t n_nodes, n_items, n_dp;
    size_t cap_nodes, cap_items, cap_dp; /* private */
};
/*
 * Read those of one device. Records of other types are left out and counted in one note. prof_aicpu_done() is allowed after a failure. Errors: ERR_NOMEM, ERR_CANCELLED.
 */
NODISCARD int prof_aicpu_read(struct prof_aicpu *a, struct prof *p, const struct prof_folder *f,
                              struct err *e);
void prof_aicpu_done(struct prof_aicpu *a);

/* "GetNext_dequeue_wait"; NULL: no node has this number. */
const char *prof_aicpu_item_word(uint32_t node);

#endif
