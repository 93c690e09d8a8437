/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the framework recorded on the host of a run (doc/formats/framework.md#framework-files): ranges of ops,
 * stages and Python frames, marks of the task queue.
 *
 * Readers put into a struct framework, which owns texts and arrays; texts are numbers of it. Instants are ns
 * of the wall clock, by the clock that was set before reading. Not thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_FRAMEWORK_FRAMEWORK_H
#define NPUSCOPE_PARSERS_FRAMEWORK_FRAMEWORK_H

#include "base/large/spool.h"
#include "parsers/registry.h"

#define FRAMEWORK_NONE    UINT32_MAX /* no text, no range */
#define FRAMEWORK_NO_FLOW UINT64_MAX
/* Of the names of modules: nn.Module: <name>_<number>; <file>(<line>):nn.Cell.<class>.<function>. */
#define FRAMEWORK_MODULE_PREFIX "nn.Module: "
#define FRAMEWORK_CELL          ":nn.Cell."

/* Of a host counter, or of monotonic ns (hz 0): doc/formats/framework.md#clocks. */
struct framework_clock {
    uint64_t hz, counter; /* counter: at mono_ns */
    int64_t mono_ns;      /* of the counter, 0 without one */
    int64_t wall_ns;      /* added to monotonic ns gives the wall clock */
    bool drops;           /* fractions are dropped (torch_npu), else rounded half to even */
};
int64_t framework_ns(const struct framework_clock *c, uint64_t value);

/* Of a range: bits. */
enum {
    RANGE_LAUNCH = 1,  /* launches kernels: by its name */
    RANGE_STEP = 2,    /* a step mark: ProfilerStep#<n> */
    RANGE_FRAME = 4,   /* a frame of Python */
    RANGE_FLOW = 8,    /* the start of a flow, no range of its own */
    RANGE_GRAPH = 16,  /* of compiling and of the data pipeline */
    RANGE_MODULE = 32, /* a frame of a module: nn.Module of torch_npu, nn.Cell of MindSpore */
};
struct framework_range {
    int64_t from, to;
    int64_t sequence;         /* torch_npu: joins forward and backward, -1: none */
    uint64_t step;            /* MindSpore: counted by the graph executor */
    uint64_t flow;            /* MindSpore: FRAMEWORK_NO_FLOW: none; of a Python call of torch_npu its key */
    uint64_t thread, forward; /* forward: thread of the forward op, 0: this is one */
    uint32_t name;            /* texts, FRAMEWORK_NONE: none */
    uint32_t shapes, types, stack, module;
    uint32_t custom; /* MindSpore: "k:v;k:v"; torch_npu: FLOPs */
    uint32_t line;
    uint32_t is; /* bits */
};

/* Of the task queue of torch_npu, in the order of the numbers in the file. */
enum framework_mark_kind { MARK_ENQUEUE, MARK_ENQUEUE_END, MARK_DEQUEUE, MARK_DEQUEUE_END, N_MARK_KINDS };
struct framework_mark {
    int64_t at;
    uint64_t correlation, thread;
    uint32_t name, line;
    enum framework_mark_kind kind;
};

struct framework {
    struct framework_clock clock;
    bool torch;
    bool na;          /* texts that are no UTF-8 become N/A, as upstream reads them */
    bool names_of_26; /* MindSpore 2.6 numbers its events differently */
    struct spool *pool;
    struct intern *texts;
    struct framework_range *range; /* in order of the file */
    size_t n_ranges, cap_ranges;
    struct framework_mark *mark; /* in order of the file */
    size_t n_marks, cap_marks;
    uint64_t process; /* torch_npu: of the first range */
};

/* All zero but clock and torch before. pool is borrowed. framework_done() is allowed after a failure. */
NODISCARD int framework_init(struct framework *f, struct spool *pool, struct err *e);
void framework_done(struct framework *f);
/* FRAMEWORK_NONE: "". Borrowed. */
struct str framework_str(const struct framework *f, uint32_t text);

/*
 * Keep a text, at most 64 KiB of it; "": FRAMEWORK_NONE. e is set when there is no memory, or no number, for
 * one more.
 */
uint32_t framework_keep(struct framework *f, struct str s, struct err *e);
/* One more range. Errors: ERR_LIMIT, ERR_NOMEM. */
NODISCARD int framework_add_range(struct framework *f, const struct framework_range *x, struct err *e);

/*
 * Read op_range files of any version (doc/formats/framework.md#op_range, #op_range_r, #layouts-by-release).
 * Damage becomes notes. Errors: ERR_FORMAT not such a file; ERR_LIMIT, ERR_IO, ERR_NOMEM, ERR_CANCELLED.
 */
NODISCARD int framework_read_ranges(struct framework *f, struct parse_ctx *c, struct err *e);
/* Of the same files the marks of steps alone, as ranges: a quick pass. Errors: the same. */
NODISCARD int framework_read_steps(struct framework *f, struct parse_ctx *c, struct err *e);
/* Read torch.op_mark. Errors: the same. */
NODISCARD int framework_read_marks(struct framework *f, struct parse_ctx *c, struct err *e);

#endif
