/* Private to prof_device*.c: the logs of a device become tasks, copies, marks and flips. */
#ifndef NPUSCOPE_PROF_DEVICE_LOG_H
#define NPUSCOPE_PROF_DEVICE_LOG_H

#include "prof_device.h"
#include "prof_flips.h"

/* What only numbers the tasks; done with free(). */
struct prof_flips {
    struct prof_flip *v;
    size_t n;
};

/*
 * Append what the logs of d->f say to d, tasks in no order; a task's `host` is the number of its first record for now. expanded: as
 * prof_stars_ids. What cannot be used becomes notes. Errors: ERR_NOMEM, ERR_LIMIT, ERR_CANCELLED.
 */
NODISCARD int prof_device_logs(struct prof_device *d, struct prof *p, bool expanded,
                               struct prof_flips *flips, struct err *e);
/* Append the marks of the step trace alone. Errors: ERR_NOMEM, ERR_CANCELLED. */
NODISCARD int prof_device_marks(struct prof_device *d, struct prof *p, struct err *e);
/* 4.4: the ids of this chip's stars records are corrected. */
bool prof_stars_moves_ids(int chip);
/* d->freq (4.7). */
NODISCARD int prof_device_freq(struct prof_device *d, struct prof *p, struct err *e);
/* `host` and `outer` of every task; d->task is sorted. */
NODISCARD int prof_device_match(struct prof_device *d, struct prof *p, const struct prof_host *h,
                                struct err *e);

#endif
