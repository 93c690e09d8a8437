/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communication that the CCUs of V6 chips run, one on each die (doc/formats/prof.md#binary-samples; layouts
 * and joins: upstream, analysis/profiling_bean/hardware/ccu_bean.py, analysis/msparser/add_info,
 * analysis/csrc/domain/data_process/ai_task/ccu_mission_processor.cpp).
 *
 * Records are passed on as they are read: one is valid during the call, not OK of fn ends the reading with
 * that error. Stamps are counters of the device.
 */
#ifndef NPUSCOPE_PARSERS_PROF_COMM_CCU_H
#define NPUSCOPE_PARSERS_PROF_COMM_CCU_H

#include "parsers/prof/host/host.h"

#define PROF_CCU_DIES      2
#define PROF_CCU_RANKS     16
#define PROF_CCU_CHANNELS  128
#define PROF_CCU_NO_STREAM 65535

/* ---- records of the device ---- */

struct prof_ccu_mission {
    uint64_t start, end; /* of a group of loops; start 0: none */
    uint64_t wait;       /* begin of a wait; 0: none */
    uint64_t wait_end[PROF_CCU_RANKS];
    uint32_t task; /* id among those of all streams */
    uint16_t instr, wait_instr;
    uint8_t die;
};
typedef int prof_ccu_mission_fn(void *arg, const struct prof_ccu_mission *m, struct err *e);
/* Records of die 0 come first. */
NODISCARD int prof_ccu_missions(struct prof *p, const struct prof_folder *f, prof_ccu_mission_fn *fn,
                                void *arg, struct err *e);

struct prof_ccu_channel {
    uint64_t counter;
    uint32_t max, min, mean; /* delays, counts of the device; 0: nothing was sent */
    uint8_t channel, die;
};
typedef int prof_ccu_channel_fn(void *arg, const struct prof_ccu_channel *c, struct err *e);
/* The same, record by record; channels without a stamp are left out. */
NODISCARD int prof_ccu_channels(struct prof *p, const struct prof_folder *f, prof_ccu_channel_fn *fn,
                                void *arg, struct err *e);

/*
 * MB/s at a delay, which is that of a packet of 4 KiB (upstream, analysis/viewer/ccu/ccu_channel_viewer.py);
 * 0: 0.
 */
double prof_ccu_mbs(const struct prof_folder *f, uint32_t delay);

/* ---- records of the host ---- */

struct prof_ccu_info {
    uint64_t size_b; /* of a group of loops */
    uint32_t task, mask, place;
    uint16_t stream, instr;
    uint16_t channel[PROF_CCU_RANKS];
    uint8_t n_channels, die;
    uint8_t reduce, input, output; /* of a group of loops: prof_ccu_reduces, prof_hccl_types */
    bool is_wait;
};
struct prof_ccu_host {
    struct prof_ccu_info *v; /* by (is_wait, task, instr, place) */
    size_t n;
};
/* prof_ccu_host_done() is allowed after a failure. Errors: ERR_NOMEM, ERR_CANCELLED. */
NODISCARD int prof_ccu_host_read(struct prof_ccu_host *h, struct prof *p, struct err *e);
void prof_ccu_host_done(struct prof_ccu_host *h);

/* ---- runs ---- */

struct prof_ccu_run { /* a group of loops, or a wait up to its last rank */
    uint64_t start, end;
    const struct prof_ccu_info *info; /* the first of its task and instruction, NULL: none */
    uint32_t task;
    uint32_t delay;  /* of a wait: the largest mean of its channels up to its end; 0: not known */
    uint32_t place;  /* position in order of the records */
    uint16_t stream; /* PROF_CCU_NO_STREAM: the host does not know the task */
    uint16_t instr;
    uint8_t rank;    /* waited for longest */
    uint8_t channel; /* of the delay */
    uint8_t die;
    bool is_wait;
    /* msprof shows it: of a task and instruction the last group of loops and the wait that ends last */
    bool shown;
};
struct prof_ccu_how {
    bool by_stream; /* the host's record must be of the same stream, too */
    bool as_msprof; /* records without a channel are left out, and a delay is of a channel of any die */
};
/* The runs by start. *out: the caller frees it; info is borrowed from c. Errors: ERR_NOMEM, ERR_CANCELLED. */
NODISCARD int prof_ccu_runs(struct prof *p, const struct prof_folder *f, const struct prof_host *h,
                            const struct prof_ccu_host *c, const struct prof_ccu_how *how,
                            struct prof_ccu_run **out, size_t *n, struct err *e);

/* Streams of a device's tasks by their ids, as the host has them. */
struct prof_ccu_streams {
    struct prof_ccu_stream {
        uint32_t task;
        uint16_t stream;
    } * v;
    size_t n;
};
/* s->v is freed with free(). ERR_NOMEM. */
NODISCARD int prof_ccu_streams_of(struct prof_ccu_streams *s, const struct prof_folder *f,
                                  const struct prof_host *h, struct err *e);
/* The stream of a task; PROF_CCU_NO_STREAM: not known. */
uint16_t prof_ccu_stream_at(const struct prof_ccu_streams *s, uint32_t task);

#endif
