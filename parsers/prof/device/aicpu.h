/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the AI CPUs of a PROF folder's device record (doc/formats/prof.md#aicpu,
 * doc/formats/msprof.md#small-tables): the ops they ran, the data queue, data preparation.
 *
 * From aicpu.data, and from DATA_PREPROCESS.AICPU, .AICPUMI and .DP of older releases where that is missing.
 */
#ifndef NPUSCOPE_PARSERS_PROF_DEVICE_AICPU_H
#define NPUSCOPE_PARSERS_PROF_DEVICE_AICPU_H

#include "parsers/prof/device/device.h"

/* An op that ran; stream and task as those of device tasks (doc/formats/prof.md#stars_soc). */
struct prof_aicpu_node {
    uint64_t start, end;          /* counter of the device */
    uint64_t submitted, left;     /* the same: submitTick and tickAfterRun */
    int64_t compute_us, copy_us;  /* differences */
    uint32_t dispatch_us, thread; /* of the AI CPU */
    uint32_t stream, task;
    uint32_t place; /* position in the file */
};
/* What GetNext found in the queue; us of the device, as recorded. */
struct prof_aicpu_item {
    uint32_t node; /* 1: GetNext_dequeue_wait */
    uint32_t name; /* text of older releases, PROF_NONE: by node */
    uint64_t size, start_us, end_us;
};
struct prof_aicpu_dp {
    uint64_t stamp;          /* host monotonic ns */
    uint32_t action, source; /* texts */
    uint64_t index, size;
};

struct prof_aicpu {
    struct spool *spool;          /* of its arrays */
    struct prof_aicpu_node *node; /* by start, equal ones in order of the file */
    struct prof_aicpu_item *item; /* in order of the file, as dp */
    struct prof_aicpu_dp *dp;
    size_t n_nodes, n_items, n_dp;
    bool dp_is_older;                    /* from DATA_PREPROCESS.DP */
    size_t cap_nodes, cap_items, cap_dp; /* private */
};
/*
 * Read the records of one device; expanded: there are more than 2048 streams (struct prof_host). Records of
 * unknown types are left out and counted in one note. prof_aicpu_done() is allowed after a failure. Errors:
 * ERR_NOMEM, ERR_CANCELLED.
 */
NODISCARD int prof_aicpu_read(struct prof_aicpu *a, struct prof *p, const struct prof_folder *f,
                              bool expanded, struct err *e);
void prof_aicpu_done(struct prof_aicpu *a);
/*
 * V6: set the streams of the ops, which their records do not have, from the tasks of d; does nothing for
 * other chips. ERR_NOMEM.
 */
NODISCARD int prof_aicpu_streams(struct prof_aicpu *a, const struct prof *p, const struct prof_device *d,
                                 struct err *e);

/*
 * The device task of each op (doc/formats/msprof.md#small-tables): it has the same stream and task id, and
 * the op's end lies in it. *out: for each op the index of a task in d whose host task is of type
 * KERNEL_AICPU, PROF_NONE: none; the caller frees it. Pure but for the text of that type. ERR_NOMEM.
 */
NODISCARD int prof_aicpu_tasks(const struct prof_aicpu *a, struct prof *p, const struct prof_device *d,
                               const struct prof_host *h, uint32_t **out, struct err *e);
/* Text of the name of the op that a device task of an AI CPU runs, PROF_NONE: it is not known. */
uint32_t prof_aicpu_op_name(const struct prof *p, const struct prof_device *d, const struct prof_host *h,
                            uint32_t task);

/* "GetNext_dequeue_wait"; NULL: no node has this number. */
const char *prof_aicpu_item_word(uint32_t node);
/* The name of an item's node; p NULL: it has none. */
struct str prof_aicpu_item_name(const struct prof *p, const struct prof_aicpu_item *m);

#endif
