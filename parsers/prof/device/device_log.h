/* SPDX-License-Identifier: Apache-2.0 */
/* Private to parsers/prof/device: the logs of a device become tasks, copies, marks and flips. */
#ifndef NPUSCOPE_PARSERS_PROF_DEVICE_DEVICE_LOG_H
#define NPUSCOPE_PARSERS_PROF_DEVICE_DEVICE_LOG_H

#include "parsers/prof/device/device.h"
#include "parsers/prof/device/flips.h"

/* Flips are only needed to number the tasks; v is freed with free(). */
struct prof_flips {
    struct prof_flip *v;
    size_t n;
};

/*
 * ts_track type 12 of 310P: a task that the scheduler's processor ran itself changed its state
 * (doc/formats/msprof.md#device-tasks).
 */
struct prof_sched {
    uint64_t counter;
    uint32_t stream, task, batch;
    uint16_t kind;
    uint8_t state;
    bool logged; /* in the first record of a task: the logs have the task */
};
struct prof_scheds {
    struct prof_sched *v; /* in order of the file; an array of the device's pool */
    size_t n;
};

/* A device by its own files, without the host's. */
struct prof_device_half {
    struct prof_device d;
    struct prof_flips flips;
    struct prof_scheds scheds;
};
/* Makes no texts. prof_device_half_done() is allowed after a failure. Errors: as prof_device_read(). */
NODISCARD int prof_device_begin(struct prof_device_half *x, struct prof *p, struct prof_folder *f,
                                bool expanded, struct err *e);
/* Finish with the host's tasks; what x has goes to d. Errors: the same. */
NODISCARD int prof_device_finish(struct prof_device *d, struct prof_device_half *x, struct prof *p,
                                 const struct prof_host *h, struct err *e);
/* Give back to the pool what was not taken. */
void prof_device_half_done(struct prof_device_half *x);

/*
 * Append the records of d->f's logs to d, tasks in no order; a task's `host` is the number of its first
 * record for now. expanded: as prof_stars_ids. What cannot be used becomes notes. Errors: ERR_NOMEM,
 * ERR_LIMIT, ERR_CANCELLED.
 */
NODISCARD int prof_device_logs(struct prof_device *d, struct prof *p, bool expanded, struct prof_flips *flips,
                               struct prof_scheds *scheds, struct err *e);
/*
 * Append the tasks of scheds that no log has: from the first start to the first end of a (stream, task,
 * batch). d->task is sorted before and after. Errors: ERR_NOMEM.
 */
NODISCARD int prof_device_scheduled(struct prof_device *d, struct prof *p, struct prof_scheds *scheds,
                                    struct prof_flips *flips, struct err *e);
/* Set the batches of d->block. Errors: ERR_NOMEM. */
NODISCARD int prof_tiling_number(struct prof_device *d, const struct prof *p, struct prof_flips *flips,
                                 struct err *e);
/* V6: set the streams of the tasks, from the host's. Errors: ERR_NOMEM. */
NODISCARD int prof_device_streams(struct prof_device *d, struct prof *p, const struct prof_host *h,
                                  struct err *e);
/* Sort d->task by start, then by record. */
NODISCARD int prof_device_sort(struct prof_device *d, struct err *e);
/* Append only the marks of the step trace. Errors: ERR_NOMEM, ERR_CANCELLED. */
NODISCARD int prof_device_marks(struct prof_device *d, struct prof *p, struct err *e);
/* Whether the ids of this chip's stars records are corrected (doc/formats/prof.md#stars_soc). */
bool prof_stars_moves_ids(int chip);
/* Fill d->freq (doc/formats/prof.md#lpmfreqconv). */
NODISCARD int prof_device_freq(struct prof_device *d, struct prof *p, struct err *e);
/* Set `outer` of every task. Errors: ERR_NOMEM. */
NODISCARD int prof_device_outer(struct prof_device *d, struct err *e);
/* Set `host` and `outer` of every task; d->task must be sorted. */
NODISCARD int prof_device_match(struct prof_device *d, struct prof *p, const struct prof_host *h,
                                struct err *e);

#endif
