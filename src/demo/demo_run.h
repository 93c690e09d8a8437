/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One model of a run: the work of every rank's device and host, step by step, as a pure function of the
 * options.
 *
 * A struct demo_walk goes through the steps of one rank in order; each call fills the same struct demo_step.
 * Writers walk as often as they have files. All times are ns: device and host share one clock that starts at
 * run->origin_ns (Unix time). Durations on the device are multiples of 20 ns, so that they are whole ticks of
 * either generation's counter.
 */
#ifndef NPUSCOPE_DEMO_RUN_H
#define NPUSCOPE_DEMO_RUN_H

#include "demo/demo_net.h"

#define DEMO_LINKS_MAX  12
#define DEMO_NODE_RANKS 8 /* most devices of one host */

enum demo_stream {
    DEMO_STREAM_MAIN = 3,
    DEMO_STREAM_AICPU = 4,
    DEMO_STREAM_HCCL = 5,
    DEMO_STREAM_SIDE = 7,
    DEMO_STREAM_PLANE = 20
};

/* The rank that is to blame in a run with a fault, and where (demo_fault.h). */
struct demo_blame {
    int rank;
    uint32_t step;     /* the last one, 0-based */
    uint32_t comm;     /* the communication op that it does not come to */
    uint32_t op;       /* that never ends, where there is one */
    bool calls_other;  /* it calls another collective in place of comm */
    int64_t moment_ns; /* when all ranks stop, in a fault that stops all */
};

struct demo_run {
    struct demo_opts o; /* defaults filled in */
    struct demo_net *net;
    int tp;              /* ranks of a tensor parallel group */
    int node_ranks;      /* devices of one host that it uses */
    int late_rank;       /* slower than the others; -1 with one rank */
    int slow_a, slow_b;  /* the slow link's ranks; -1: none */
    int64_t origin_ns;   /* Unix ns of time 0, by the clock of the host of the rank that is written */
    int64_t begin_ns;    /* first host step starts here */
    uint32_t first_step; /* number of the first profiled step */
    struct demo_blame blame;
};

struct demo_kernel {
    uint32_t op;
    uint32_t task;
    int64_t start_ns, dur_ns;
    int64_t launch_ns, launch_dur_ns; /* of the host's launch */
    uint64_t conn;                    /* connection id of the launch call */
};

struct demo_link {
    uint16_t peer; /* rank inside the group */
    uint16_t peer_rank;
    bool rdma;
    uint64_t chunk_b; /* of one transfer */
    int64_t t_ns[2];  /* first and second transfer; the second is 0 where the op has only one */
    int64_t mid_ns;   /* notify wait between them */
    int64_t tail_ns;  /* notify wait for the slowest plane */
};

struct demo_comm {
    uint32_t op;   /* index into net->comm */
    uint8_t kind;  /* enum demo_comm_kind: what the rank calls */
    uint64_t seq;  /* number of the op in its group, over the run */
    uint32_t task; /* of the first task on each plane */
    int64_t start_ns, dur_ns;
    int64_t wait_ns; /* for the last rank, at the beginning */
    int64_t launch_ns, launch_dur_ns;
    uint64_t conn;
    uint32_t nlink; /* planes */
    struct demo_link link[DEMO_LINKS_MAX];
};

struct demo_span {
    int64_t start_ns, dur_ns;
};

struct demo_row {
    bool comm;
    uint32_t i; /* index into kernel or comm */
};

/* Calls of a step before its launches, and after them. */
#define DEMO_CALLS_BEFORE 3
#define DEMO_CALLS_AFTER  2

struct demo_step {
    uint32_t index; /* 0-based */
    uint32_t number;
    /* Of its first call, and that after its last: msprof numbers calls by their begin. */
    uint64_t conn, conn_end;
    int64_t host_ns, host_end_ns;           /* range of the host's step */
    int64_t start_ns, fp_ns, bp_ns, end_ns; /* end of the previous step (0: first) .. first forward
                                               op .. last gradient .. end */
    struct demo_kernel *kernel;             /* by start */
    uint32_t nkernel;
    struct demo_comm *comm; /* by start */
    uint32_t ncomm;
    struct demo_row *row; /* kernels and communication by start */
    uint32_t nrow;
    struct demo_span *computing, *communication, *alone,
        *free; /* as in msprof's overlap analysis: computing and communication merged */
    uint32_t ncomputing, ncommunication, nalone, nfree;
};

struct demo_walk {
    const struct demo_run *run;
    int rank;
    struct demo_step step;
    /* private */
    int64_t global_ns, prev_end_ns, prev_host_end_ns, busy_end_ns;
    int64_t *hold_ns; /* earliest start of each op of the step */
    /* by kind of group: the pace of its slowest member in a step, and that step's number from 1 */
    struct {
        int64_t pace;
        uint32_t of;
    } slowest[2];
    uint32_t next, task, comm_task;
    uint64_t conn, group_seq[2];
};

NODISCARD int demo_run_new(struct demo_run **out, const struct demo_opts *o, struct err *e);
void demo_run_free(struct demo_run *r);
/* Host of a rank; how far its clock is ahead of that of host 0. */
static inline int demo_host_of(const struct demo_run *r, int rank)
{
    return rank / r->node_ranks;
}
int64_t demo_skew_ns(const struct demo_run *r, int host);
/* Local time of the run's time 0, "20260314011207", into buf. */
void demo_stamp(const struct demo_run *r, char buf[16]);

NODISCARD int demo_walk_init(struct demo_walk *w, const struct demo_run *run, int rank, struct err *e);
void demo_walk_done(struct demo_walk *w);
void demo_walk_rewind(struct demo_walk *w);
bool demo_cancelled(const struct demo_run *r);
/* The next step in w->step; false after the last, or when it is cancelled. */
bool demo_walk_next(struct demo_walk *w);

/* Group of a rank: members are base + i * stride, i < n; its own index is me. */
struct demo_group {
    int base, stride, n, me;
    int node_ranks;    /* of the run */
    char id[96];       /* of its communicator */
    uint64_t hash;     /* of that, which names of ops carry */
    const char *label; /* "dp" or "tp" */
};
struct demo_group demo_group_of(const struct demo_run *r, int rank, enum demo_group_kind k);
/* The same without id and hash, which take most of the time to make. */
struct demo_group demo_group_members(const struct demo_run *r, int rank, enum demo_group_kind k);
/* Ranks of the group that the rank exchanges data with; peer has room for DEMO_LINKS_MAX. */
int demo_group_peers(const struct demo_group *g, int *peer);
/* "hcom_allReduce__586_0_1" into buf (at least 64 bytes). */
char *demo_comm_name(const struct demo_run *r, int rank, const struct demo_comm *c, char *buf, size_t n);

/* Reproducible noise: a hash of the seed and up to three numbers. what distinguishes the uses. */
uint64_t demo_hash(const struct demo_run *r, uint32_t what, uint64_t a, uint64_t b, uint64_t c);
/* Uniform whole number in lo .. hi. */
int64_t demo_pick(uint64_t hash, int64_t lo, int64_t hi);

/* The tasks of one plane of a communication op, one after the other, from the op's start to its end. */
enum demo_transfer { DEMO_NOTIFY, DEMO_AWAIT, DEMO_FLAG, DEMO_COPY, DEMO_REDUCE, DEMO_SEND, DEMO_TRANSFERS };
struct demo_comm_task {
    enum demo_transfer is; /* the last three move link.chunk_b */
    uint32_t task;         /* on the stream of the plane */
    int64_t start_ns, dur_ns;
    int64_t moved_ns; /* in which the bytes were moved: of a payload with what belongs to it */
};
#define DEMO_COMM_TASKS 15 /* 7 within a server */
/*
 * Between servers a payload is announced, and the answer awaited, twice: five tasks, of which the last one
 * ends the transfer (doc/formats/msprof.md#bandwidth; which tasks lie between is the demo's).
 */
#define DEMO_FLAGS   4
#define DEMO_FLAG_NS 300
uint32_t demo_comm_tasks(const struct demo_comm *c, uint32_t plane, struct demo_comm_task v[DEMO_COMM_TASKS]);
/* "Notify_Wait" */
const char *demo_transfer_name(enum demo_transfer t);
static inline bool demo_is_data(const struct demo_comm_task *t)
{
    return t->is >= DEMO_COPY;
}

/*
 * The first copy of a communication op, to which upstream links its launch instead of to the op
 * (doc/formats/framework.md#kernel-links); false: it has none.
 */
struct demo_copy {
    uint32_t stream;
    struct demo_span at;
};
bool demo_first_copy(const struct demo_comm *c, struct demo_copy *first);

/* One call of the host's runtime. */
enum demo_level { DEMO_LEVEL_ACL, DEMO_LEVEL_MODEL, DEMO_LEVEL_NODE, DEMO_LEVEL_HCCL, DEMO_LEVEL_RUNTIME };
struct demo_call {
    enum demo_level level;
    const char *api;
    const char *item; /* op name, or "0" */
    uint32_t plane;   /* of a communication task */
    int64_t start_ns, dur_ns;
    uint64_t conn;
    bool flow; /* the start of a HostToDevice flow */
};
/*
 * The k-th of n calls that issue the tasks of a communication op, plane by plane, and the runtime's call
 * inside it.
 */
struct demo_span demo_comm_call(const struct demo_comm *c, uint32_t k, uint32_t n);
struct demo_span demo_runtime_call(struct demo_span hccl);
/* Number of tasks on all planes. */
uint32_t demo_comm_task_count(const struct demo_comm *c);
/* The host's call of the model in a step. */
struct demo_span demo_model_call(const struct demo_step *s);
typedef void demo_call_fn(void *ctx, const struct demo_call *c);
/* All host calls of a step, in no order. */
void demo_calls(const struct demo_walk *w, demo_call_fn *fn, void *ctx);

/* Device memory: allocations of a step, by time. */
struct demo_alloc {
    uint32_t op; /* UINT32_MAX: a small block that is never released */
    uint64_t size_b;
    int64_t alloc_ns, free_ns; /* free_ns 0: not released */
    int64_t block_free_ns;     /* with the times of the host: when the device is done with it */
    uint64_t used_at_alloc_b, used_at_free_b, reserved_at_alloc_b, reserved_at_free_b;
};
struct demo_pool { /* one row of the pool's record */
    int64_t ts_ns;
    uint64_t used_b, reserved_b;
};
struct demo_mem {
    /* Times are those when the host launches, as torch_npu allocates; else when the device works. */
    bool host;
    struct demo_alloc *alloc;
    uint32_t nalloc;
    struct demo_pool *pool;
    uint32_t npool;
    uint64_t static_b;   /* before the first step */
    uint64_t reserved_b; /* of the pool */
    uint64_t leaked_b;   /* so far */
};
/* What the pool has reserved once this much is used. */
uint64_t demo_mem_reserved(uint64_t reserved_b, uint64_t used_b);
NODISCARD int demo_mem_init(struct demo_mem *m, const struct demo_run *run, struct err *e);
void demo_mem_done(struct demo_mem *m);
/* Allocations of the walk's step; steps must come in order. */
NODISCARD int demo_mem_step(struct demo_mem *m, const struct demo_walk *w, struct err *e);

#endif
