/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A memory snapshot of torch as it was read (doc/formats/analysed.md#memory-snapshots): the entries of the
 * allocator's traces, the blocks that are allocated, and what the segments hold. snapshot_read.c fills it
 * from the pickle, snapshot_rows.c makes rows of it. The arrays belong to it.
 */
#ifndef NPUSCOPE_PARSERS_TABLES_SNAPSHOT_H
#define NPUSCOPE_PARSERS_TABLES_SNAPSHOT_H

#include "base/large/spool.h"
#include "parsers/registry.h"

#define SNAPSHOT_NO_TIME INT64_MIN

enum snapshot_action {
    SA_ALLOC,
    SA_FREE_REQUESTED,
    SA_FREE_COMPLETED,
    SA_SEGMENT_ALLOC,
    SA_SEGMENT_FREE,
    SA_SEGMENT_MAP,
    SA_SEGMENT_UNMAP,
    SA_OOM,
    SA_SNAPSHOT,
    SA_WORKSPACE,
    N_SNAPSHOT_ACTIONS
};
/* Word in the file, and its sign in each total. */
struct snapshot_act {
    const char *word;
    int allocated, reserved, active;
};
extern const struct snapshot_act snapshot_acts[N_SNAPSHOT_ACTIONS];

struct snapshot_entry {
    uint64_t addr, size_b; /* oom: addr is what was free on the device */
    int64_t ts_ns;         /* SNAPSHOT_NO_TIME: not recorded */
    uint64_t stream;
    uint32_t stack; /* of snapshot.stacks + 1; 0: none */
    enum snapshot_action action;
};

/* A trace: entries of one device that lie together. */
struct snapshot_trace {
    uint32_t list; /* the pickle's value */
    int64_t device;
    size_t first, n;
};

struct snapshot_block {
    uint64_t addr, size_b, asked_b, stream;
    int64_t device;
    uint32_t stack;
    bool allocated; /* else its release waits for a stream */
};

struct snapshot_segments {
    int64_t device;
    uint64_t reserved_b;
};

struct snapshot_stack {
    uint32_t text, owner; /* interned in the sink */
};

struct snapshot {
    struct spool *pool;
    struct snapshot_entry *entry;
    struct snapshot_block *block;
    struct snapshot_trace *trace;
    struct snapshot_segments *segments; /* one a device */
    struct snapshot_stack *stack;
    size_t n_entries, n_blocks, n_traces, n_segments, n_stacks;
    size_t cap_entry, cap_block, cap_trace, cap_segments, cap_stack;
    bool cut; /* segments or traces may be missing */
};

/*
 * Read the file of c. snapshot_done() is needed after an error, too. Errors: as pickle_read(); ERR_FORMAT: no
 * snapshot.
 */
NODISCARD int snapshot_read(struct snapshot *s, struct parse_ctx *c, struct err *e);
void snapshot_done(struct snapshot *s);

#endif
