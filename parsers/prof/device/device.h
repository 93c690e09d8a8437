/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a device records of its tasks (doc/formats/prof.md#hwts to #lpmfreqconv,
 * doc/formats/msprof.md#device-tasks): when they ran, and which of the host's tasks they are.
 *
 * Times are counters of the device; prof_device_ns() makes instants of them.
 */
#ifndef NPUSCOPE_PARSERS_PROF_DEVICE_DEVICE_H
#define NPUSCOPE_PARSERS_PROF_DEVICE_DEVICE_H

#include "parsers/prof/host/host.h"

enum prof_source {                /* of a device task */
                   PROF_BY_ACSQ,  /* stars task log; kind: sqe type */
                   PROF_BY_FFTS,  /* stars sub-task log; kind: sub-task type */
                   PROF_BY_HWTS,  /* kind: hwts task type */
                   PROF_BY_AICPU, /* ts_track type 12 of 910A */
                   PROF_BY_TS,    /* ts_track type 12 of 310P, time line of chip 0; kind: ts task type */
};

struct prof_task {
    uint64_t start, end;
    uint32_t stream, task, batch;
    uint32_t context; /* PROF_NONE: none */
    uint32_t host;    /* index of its prof_host_task, PROF_NONE: none */
    uint32_t counter; /* index of its counters (parsers/prof/device/pmu.h), PROF_NONE: none */
    uint8_t source, kind;
    bool outer; /* its sub-tasks have rows of their own (doc/formats/msprof.md#hidden-outer-tasks) */
};

struct prof_copy { /* ts_track type 11 (910A): a copy with all three states */
    uint64_t received, start, end;
    uint32_t stream, task;
};
struct prof_freq { /* from this counter on */
    uint64_t counter;
    uint32_t mhz;
    uint32_t seq; /* order in the file */
};
struct prof_mark { /* ts_track type 10, in order of the file */
    uint64_t counter, index, model;
    uint32_t stream, task;
    uint16_t tag;
};
struct prof_fusion_run { /* a fusion task of V6 chips (doc/formats/prof.md#stars_soc) */
    uint64_t start, end;
    uint32_t task;
    uint16_t acc;
    uint8_t kinds, mission; /* kinds: a bit each (prof_fusion_word) */
    uint8_t sqe;
};
struct prof_block { /* ts_track type 15: number of blocks of a task that is known only when it is issued */
    uint64_t counter;
    uint32_t stream, task, batch;
    uint32_t blocks; /* low half: blocks; high half: how many vector blocks go with one */
};

struct prof_device {
    struct prof_folder *f;
    struct spool *spool;    /* of its arrays; NULL: they are malloc()ed */
    struct prof_task *task; /* by start; equal ones in order of the file */
    size_t n_tasks;
    struct prof_task *open; /* begun and not ended, by start; end means nothing */
    size_t n_open;
    struct prof_copy *copy;
    size_t n_copies;
    /*
     * the first is (dev_start cntvct, aic_frequency) or what was set last before it
     * (doc/formats/prof.md#lpmfreqconv); n >= 1
     */
    struct prof_freq *freq;
    size_t n_freq;
    bool has_freq; /* frequencies were recorded */
    struct prof_mark *mark;
    size_t n_marks;
    struct prof_block *block;
    size_t n_blocks;
    struct prof_fusion_run *fusion; /* by start */
    size_t n_fusion;
    /* when the last record of counters was made (parsers/prof/device/pmu.h); 0: none with a time */
    uint64_t last_pmu;
};

/*
 * Read the tasks of one device, number their batches and find their host tasks. h may be all zero (no host
 * folder). prof_device_done() is allowed after a failure. Errors: ERR_NOMEM, ERR_LIMIT, ERR_CANCELLED.
 */
NODISCARD int prof_device_read(struct prof_device *d, struct prof *p, struct prof_folder *f,
                               const struct prof_host *h, struct err *e);
void prof_device_done(struct prof_device *d);
/* Index of the first of the host's tasks that is of this device or a later one. */
size_t prof_device_hosts(const struct prof_host *h, int device);

/*
 * Block numbers of the device win over those of the host (msprof's block_num_calculator.py): the ops of the
 * host's tasks that have one get it, in an op of their own where they share one. To be called once for each
 * device. Errors: ERR_NOMEM, ERR_LIMIT.
 */
NODISCARD int prof_device_blocks(const struct prof_device *d, struct prof_host *h, bool is_v6, struct err *e);

/*
 * AI Core frequency at a counter, Hz: before the first point that of info.json
 * (doc/formats/prof.md#lpmfreqconv).
 */
uint64_t prof_freq_at(const struct prof_device *d, uint64_t counter);
/* Word of a task's type on the device: "AI_CORE", "EVENT_WAIT_SQE", "MIX_AIC" ...; NULL: none is known. */
const char *prof_device_word(const struct prof *p, const struct prof_task *t);
/* Word of a type that the task scheduler gives a task: "kernel AI core task"; NULL: none is known. */
const char *prof_ts_word(unsigned kind);
/* Word for what a fusion task does: "AICORE", "CCU" ...; "UNKNOWN". */
const char *prof_fusion_word(const struct prof_fusion_run *f);
/*
 * Stream and task ids as the results have them, from those of a stars record (doc/formats/prof.md#stars_soc).
 * sqe: its task type, 0 for counters. expanded: more than 2048 streams.
 */
void prof_stars_ids(bool expanded, unsigned sqe, uint16_t stream, uint16_t task, uint32_t *stream_out,
                    uint32_t *task_out);

#endif
