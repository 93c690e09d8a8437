/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks and ranges that the program reports itself ("mstx"; doc/formats/prof.md#additional-records,
 * #ts_track): on a thread of the host, and where a stream of the device met them.
 */
#ifndef NPUSCOPE_PARSERS_PROF_HOST_TX_H
#define NPUSCOPE_PARSERS_PROF_HOST_TX_H

#include "parsers/prof/device/device.h"

struct prof_tx {
    uint64_t start, end; /* counters of the host; of a mark: the same */
    uint64_t payload;
    uint64_t mark;    /* on a device: its number there */
    uint32_t message; /* text, joined of its segments */
    uint32_t domain;  /* text, PROF_NONE: it is not known */
    uint32_t pid, thread, category;
    uint32_t event; /* prof_tx_events (parsers/prof/words.h) has its word */
    int32_t payload_type, message_type;
    uint32_t place; /* position in the file */
    uint16_t segment;
    bool on_device; /* its stream may meet it, too; category, payload and message_type mean nothing then */
};

struct prof_txs {
    struct prof_tx *v;
    size_t n;
    size_t n_host; /* those of the host alone come first; both in order of the file */
    uint32_t *by_mark;
    size_t cap; /* private */
};
/*
 * Read all marks and ranges of the host. Segments are joined (of marks that share a number, the next one
 * begins where the segment does not grow); texts that lack a segment, and texts cut at 1 MiB, are counted in
 * a note. prof_txs_done() is allowed after a failure. Errors: ERR_NOMEM, ERR_LIMIT, ERR_CANCELLED.
 */
NODISCARD int prof_txs_read(struct prof_txs *x, struct prof *p, struct err *e);
void prof_txs_done(struct prof_txs *x);
/* The first mark with this number on devices; NULL: the host has none. */
const struct prof_tx *prof_txs_find(const struct prof_txs *x, uint64_t mark);

/* A mark or range as a device met it. */
struct prof_tx_met {
    uint64_t start, end; /* counters of the device */
    uint64_t mark, model;
    uint32_t stream, task;
    bool open; /* a range whose end is not there: end is start */
};
/*
 * The marks of one device, by number and start: up to CANN 9.0 all marks of one number are one, from the
 * first to the last; later, marks and ranges have tags of their own (msproftx_device_processor.cpp and
 * msproftx_model.py of Ascend/msprof). Pure. *out is the caller's to free. Errors: ERR_NOMEM, ERR_LIMIT.
 */
NODISCARD int prof_tx_met(const struct prof_device *d, struct prof_tx_met **out, size_t *n, struct err *e);

#endif
