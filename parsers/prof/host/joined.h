/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to parsers/prof: records of the host that are joined to tasks by something other than their call:
 * copies by thread and stamp, captured streams by number and time, models by number
 * (doc/formats/prof.md#compact-records, #additional-records).
 */
#ifndef NPUSCOPE_PARSERS_PROF_HOST_JOINED_H
#define NPUSCOPE_PARSERS_PROF_HOST_JOINED_H

#include "parsers/prof/host/host.h"

struct prof_copied { /* memcpy_info */
    uint64_t stamp, left_b, max_b;
    uint32_t thread;
    uint16_t kind;
    bool is_used;
};
struct prof_captured { /* capture_stream_info */
    uint64_t stamp;
    uint32_t stream, model;
    uint16_t device;
    bool is_destroyed;
};

struct prof_joined {
    struct prof_copied *copy;
    size_t n_copies, copies_cap, hint;
    struct prof_captured *capture;
    size_t n_captures, captures_cap;
    struct prof_graph *graph;
    size_t n_graphs, graphs_cap;
    struct prof_mc2 *mc2;
    size_t n_mc2, mc2_cap;
    struct prof *p;
    bool expanded; /* expand_stream_spec */
};

/* prof_joined_free() is allowed after a failure. Errors: as prof_host_read(). */
NODISCARD int prof_joined_read(struct prof_joined *j, struct prof *p, struct err *e);
/* The host has more than 2048 streams (expand_stream_spec), before the rest is read. Errors: the same. */
NODISCARD int prof_joined_expanded(struct prof *p, bool *expanded, struct err *e);
void prof_joined_free(struct prof_joined *j);

/*
 * Find the copy that a task made at this stamp is part of: t's copy_kind and copy_b. To be called in order of
 * the file.
 */
void prof_joined_copy(struct prof_joined *j, struct prof_host_task *t);
/* The model that a stream was captured for, at this stamp; PROF_NO_MODEL: none. */
uint32_t prof_joined_model(const struct prof_joined *j, const struct prof_host_task *t);
/*
 * Move the names of models, and the groups of AI CPUs with their streams, to h, which owns them from then on.
 * Errors: ERR_NOMEM.
 */
NODISCARD int prof_joined_graphs(struct prof_joined *j, struct prof_host *h, struct err *e);

#endif
