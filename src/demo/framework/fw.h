/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the writers of generation 2: what the framework records on the host of a synthetic run,
 * MindSpore or torch_npu: op ranges, marks of the task queue, allocations, shapes, Python calls.
 *
 * One list of records per step, in the order in which the framework queues them: ranges at their end. The
 * files of FRAMEWORK/ (doc/formats/framework.md#framework-files) and the analysed timeline are made from it.
 * All times are ns of the run and whole ticks of the host's counter.
 */
#ifndef NPUSCOPE_DEMO_FRAMEWORK_FW_H
#define NPUSCOPE_DEMO_FRAMEWORK_FW_H

#include "demo/ascend_ms/ascend_ms.h"
#include "demo/demo_cut.h"

#define FW_NAME_B 512

/* Between the name of a module of torch and its number, in the text of its call. */
#define FW_MODULE_MARK "######"

/* The files of records. */
enum fw_file { FW_RANGES, FW_MARKS, FW_MEMORY, FW_SHAPES, FW_CALLS, FW_TEXTS, FW_GC, FW_FILES };

/* What a range is: rows of a table of numbers and prefixes in fw_names.c. */
enum fw_kind {
    FW_STEP,
    FW_LAUNCH,
    FW_GRAPH,
    FW_STAGE,
    FW_FRAME,
    FW_DATASET,
    FW_FLOW,
    FW_OP,
    FW_TORCH_STEP,
    FW_KINDS
};
#define FW_NO_FLOW UINT64_MAX

struct fw_range {
    enum fw_kind kind;
    uint32_t thread, forward; /* forward: thread of the forward op, of a backward op of torch_npu */
    int64_t start_ns, end_ns;
    int64_t sequence; /* of torch_npu, -1: none */
    uint64_t flow;
    const char *name;         /* a step's without its number */
    const char *event;        /* of the data pipeline */
    const char *custom;       /* "key:value;key:value", NULL: none */
    const struct demo_op *op; /* whose inputs it has, NULL: none */
    uint32_t number;          /* of the step */
    uint32_t launched;        /* of torch_npu: 1 + its own launch of the step, 0: none */
};
enum fw_mark_kind { FW_ENQUEUE, FW_ENQUEUED, FW_DEQUEUE, FW_DEQUEUED };
struct fw_mark {
    enum fw_mark_kind kind;
    uint32_t thread;
    uint64_t correlation;
    const char *name;
};
enum fw_change { FW_MALLOC, FW_FREE, FW_BLOCK_FREE };
struct fw_memory {
    enum fw_change change;
    uint32_t thread;
    uint64_t address, size_b;
    uint64_t used_b, reserved_b, active_b, peak_b; /* of the pool after it */
    const char *owner;
    uint32_t alloc; /* of fw.mem, which it begins or ends */
};
struct fw_call { /* of Python, or the text of its key */
    uint32_t thread;
    uint64_t key;
    bool is_c, returns;
    const char *text;
};
struct fw_record {
    int64_t at_ns; /* when it is queued */
    uint32_t seq;  /* order of equal times */
    enum fw_file file;
    union {
        struct fw_range range;
        struct fw_mark mark;
        struct fw_memory memory;
        struct fw_call call;
        const struct demo_op *shapes;
        struct demo_span gc;
    };
};

/* Layouts of a framework's version; by enum demo_era from DEMO_ERA_R27 on. */
struct fw_era {
    const char *version;
    bool torch;
    bool named;  /* op ranges hold names, not numbers */
    bool shapes; /* record_shapes */
    uint8_t memory_type;
    uint16_t event_less; /* than in 2.7: number of an event from EVENT_ADDED on */
};
const struct fw_era *fw_era_of(const struct demo_run *run);

/* A launch of the step: of a kernel, or of a communication op. */
struct fw_launch {
    const struct demo_kernel *kernel; /* NULL: comm */
    const struct demo_comm *comm;
    int64_t start_ns, dur_ns;
};
/* What the framework's analysis joins with a launch: of a communication op that copies, the first copy. */
struct fw_linked {
    struct demo_span at;
    uint32_t stream;
    bool is_comm;    /* the op on the layer of communication, without a stream */
    bool is_ai_core; /* its task type is AI_CORE */
};
/* A task of torch_npu's queue, by the launch that it makes. */
struct fw_task {
    uint64_t correlation;
    uint32_t thread; /* that puts it in */
    const char *name;
    struct demo_span put, taken;
};
/* The records of one step after the other. */
struct fw {
    struct ascend *g;
    const struct fw_era *era;
    bool with_memory; /* else no allocations */
    struct demo_mem mem;
    uint64_t *address; /* of each op's outputs, and after the last */
    uint64_t peak_b, active_b, used_b, reserved_b;
    uint64_t queued;          /* tasks put into the queue so far */
    uint32_t *place;          /* of each op among those of its phase */
    uint32_t n_forward;       /* ops of the forward pass */
    struct fw_launch *launch; /* room for those of a step */
    struct fw_task *task;     /* of each launch, of torch_npu */
    uint32_t n_tasks;
    struct fw_record *v, spare; /* of the step, by time; spare: used when out of memory */
    uint32_t n, cap;
    bool failed;
};
/* g is borrowed. Errors: ERR_NOMEM. fw_done() is allowed after a failure. */
NODISCARD int fw_init(struct fw *f, struct ascend *g, bool with_memory, struct err *e);
void fw_done(struct fw *f);
/* The records of the walk's step, which must come in order. Errors: ERR_NOMEM. */
NODISCARD int fw_step(struct fw *f, struct err *e);
/* A new record of the step, which counts from at_ns. Valid until the next one. */
struct fw_record *fw_add(struct fw *f, enum fw_file file, int64_t at_ns);
struct fw_range *fw_add_range(struct fw *f, enum fw_kind kind, uint32_t thread, int64_t start_ns,
                              int64_t end_ns, const char *name);
/* Those of torch_npu. */
void fw_torch(struct fw *f);

/* The op of torch_npu that allocates the outputs of an op, UINT32_MAX: what stays after the step. */
const char *fw_torch_owner(const struct fw *f, uint32_t op);

/* The launches of a step by time; v has room for them. */
uint32_t fw_launches(const struct demo_step *s, struct fw_launch *v);
struct fw_linked fw_linked_of(const struct demo_run *run, const struct fw_launch *l);

/* The whole name of a range, as upstream makes it of a record. */
const char *fw_range_name(const struct fw_range *r, char buf[FW_NAME_B]);
/* How a kind is numbered and named. */
struct fw_kind_def {
    uint16_t module, event, stage;
    bool is_graph, is_stage, is_stack;
    const char *prefix; /* of the name */
};
const struct fw_kind_def *fw_kind_of(enum fw_kind k);
/* "2,3;4": dimensions of an op's inputs; and their types. */
struct buf;
void fw_shapes(struct buf *b, const struct demo_op *op);
void fw_types(struct buf *b, const struct demo_op *op, bool torch);

/* The bytes of a record in its file. */
void fw_put(const struct fw *f, const struct fw_record *r, struct buf *b);
/* Name of a file, NULL: this version has none. */
const char *fw_file_name(const struct fw *f, enum fw_file file, char buf[64]);

/* An op that runs on the host itself, once a step. */
#define FW_CPU_OP "Default/network-TrainOneStepCell/lr_schedule-DynamicLR/Gather-op9001"
struct demo_span fw_cpu_op(const struct ascend *g);

/* All files of FRAMEWORK/; of a run that crashed what was written until then. */
NODISCARD int fw_write(struct ascend *g, const struct demo_cut *cut, struct err *e);
/* Text files that MindSpore writes when the profiler stops. */
NODISCARD int fw_write_texts(struct fw *f, const char *dir, struct err *e);

#endif
