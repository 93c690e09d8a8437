/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the host records (doc/formats/prof.md#host-records, doc/formats/msprof.md#host-call-tree): calls as a
 * tree by thread, the tasks they issued, and what those tasks are.
 *
 * Everything is in arrays of the struct prof_host; indexes are into them. Texts are ids of the struct prof.
 * Times are counters of the host.
 */
#ifndef NPUSCOPE_PARSERS_PROF_HOST_HOST_H
#define NPUSCOPE_PARSERS_PROF_HOST_HOST_H

#include "parsers/prof/prof.h"

/* A call: all levels, by (begin, level from high to low). The connection id of the i-th is i + 1. */
struct prof_api {
    uint64_t begin, end, item;      /* item: id or hash (doc/formats/prof.md#api_event) */
    uint32_t type, thread, request; /* request: reserve or requestId, the iteration of a model */
    uint16_t level;
};

/*
 * Texts of an op's tensors (doc/formats/prof.md#additional-records), equal sets once. PROF_NONE: this side
 * has none; in a struct prof_op: there are no tensors at all (N/A).
 */
struct prof_tensors {
    uint32_t in_shapes, in_types, in_formats, out_shapes, out_types, out_formats;
};

/* What a compute task does (doc/formats/msprof.md#task-classes). */
struct prof_op {
    uint32_t name, type; /* type PROF_NONE: N/A */
    uint32_t core;       /* text of the task type ("AI_CORE"), PROF_NONE: N/A */
    uint32_t block, mix_block;
    uint32_t tensors; /* index, PROF_NONE: none */
    uint32_t attr;    /* text of its attributes, PROF_NONE: none */
    int8_t is_static; /* OP state: 1 static, 0 dynamic, -1 N/A */
    int8_t hf32;      /* 1 YES, 0 NO, -1 N/A */
    bool simt;
    bool torn;                /* records of its tensors may be lost */
    uint16_t grid[3], dim[3]; /* of SIMT */
};

/* hccl_info of a communication task (doc/formats/prof.md#additional-records); enums are the numbers there. */
struct prof_comm_info {
    uint64_t notify, src, dst, size_b;
    double estimated;
    uint32_t item, group; /* texts; the group's hash: */
    uint64_t group_hash;
    uint32_t local_rank, remote_rank, rank_size, mode, plane, stage, role;
    uint32_t op_type, data_type, link, transport, rdma;
    bool master; /* its call is of type "master" */
};
/*
 * A communication op: a node call with communication tasks below it
 * (doc/formats/msprof.md#communication-ops), by begin.
 */
struct prof_comm_op {
    uint32_t api;        /* index of the node call */
    uint32_t name, type; /* texts: item of the call, op type of its node_basic_info (PROF_NONE: none) */
    uint32_t model;
    uint16_t device;
    bool has_info; /* hccl_op_info: */
    bool relay, retry;
    uint8_t data_type;
    uint32_t alg; /* text */
    uint64_t count;
    uint64_t group_hash;
    uint32_t group; /* text */
    bool lacks;     /* calls within its own may be lost, and with them tasks */
};

#define PROF_COPY_NONE 255
enum prof_task_is { /* flags */
                    PROF_IS_COMPUTE = 1,
                    PROF_IS_COMM = 2,
                    PROF_IS_MEMCPY = 4,
                    PROF_IS_MASTER = 8,   /* of communication: its call is of type "master" */
                    PROF_IS_ORPHAN = 16,  /* calls around it may be lost: its op, if any, is its kernel */
                    PROF_IS_UNTYPED = 32, /* of communication: whether its call is "master" is not known */
};
/*
 * A task_track record, or one of its context ids (doc/formats/msprof.md#context-ids); in order of their
 * stamps by thread as read.
 */
struct prof_host_task {
    uint64_t stamp;
    uint32_t stream, task, batch;
    uint32_t context; /* PROF_NONE: none */
    uint32_t type;    /* text: "KERNEL_AICORE" */
    uint32_t kernel;  /* text of kernelName, PROF_NONE when it is 0 */
    uint32_t thread;
    /* the call of its connection id (doc/formats/msprof.md#connection-ids), PROF_NONE: none */
    uint32_t api;
    uint32_t model; /* PROF_NO_MODEL */
    uint32_t request;
    uint32_t op;      /* index, PROF_NONE: no compute task */
    uint32_t comm;    /* index of its prof_comm_info, PROF_NONE: none */
    uint32_t comm_op; /* index, PROF_NONE: none */
    uint16_t device;
    uint8_t is; /* flags */
    /* of a MEMCPY_ASYNC with memcpy_info (doc/formats/prof.md#compact-records) */
    uint8_t copy_kind; /* direction (8 and more: other); PROF_COPY_NONE: no record */
    uint64_t copy_b;
};

struct prof_fusion {            /* fusion_op (doc/formats/msprof.md#small-tables), in order of the tree */
    uint32_t model_name, model; /* text; id */
    uint32_t name, originals;   /* originals joined by ';' */
    uint64_t memory_b[5];       /* input, output, weight, workspace, total */
};

struct prof_load { /* a ModelLoad call */
    uint32_t api;
    uint64_t end; /* the latest end of its thread's loads up to it */
};

/* mc2_comm_info: a group whose communication is a server on an AI CPU. */
#define PROF_MC2_STREAMS 8
struct prof_mc2 {
    uint64_t group_hash;
    uint32_t group, ranks, rank;                  /* group: text */
    uint32_t server;                              /* its stream */
    uint32_t n_streams, stream[PROF_MC2_STREAMS]; /* of its tasks */
};

struct prof_graph { /* graph_id_map: a model, its graph and the text of its name */
    uint32_t model, graph, name;
};

struct prof_host {
    struct spool *spool; /* of calls and tasks; NULL: they are malloc()ed */
    struct prof_api *api;
    size_t n_apis;
    struct prof_host_task *task; /* sorted by (device, stream, batch, task, context) */
    size_t n_tasks;
    struct prof_op *op;
    size_t n_ops;
    struct prof_tensors *tensors;
    size_t n_tensors;
    struct prof_comm_info *comm;
    size_t n_comm;
    struct prof_comm_op *comm_op;
    size_t n_comm_ops;
    struct prof_fusion *fusion;
    size_t n_fusion;
    struct prof_graph *graph; /* by model */
    size_t n_graphs;
    struct prof_load *load; /* by thread, begin */
    size_t n_loads;
    struct prof_mc2 *mc2; /* in order of the file */
    size_t n_mc2;
    uint32_t *server; /* streams of their servers, ascending, each once */
    size_t n_servers;
    bool has_memcpy;                           /* there is a memcpy_info record */
    uint32_t cpu_text, aiv_text, mix_aiv_text; /* cores of ops: "AI_CPU", "AI_VECTOR_CORE", "MIX_AIV" */
    /* expand_stream_spec: more than 2048 streams (doc/formats/prof.md#stars_soc) */
    bool expanded;
};

/*
 * Read the host folder of p, all zero without one. prof_host_done() is allowed after a failure. Errors:
 * ERR_NOMEM, ERR_LIMIT, ERR_CANCELLED.
 */
NODISCARD int prof_host_read(struct prof_host *h, struct prof *p, struct err *e);
void prof_host_done(struct prof_host *h);

/* Whether the stream is that of a communication server on an AI CPU: its tasks do not compute. */
bool prof_host_is_server(const struct prof_host *h, uint32_t stream);
/* Text of a model's name: graph_id_map, else its digits. PROF_NONE: no memory. */
uint32_t prof_model_name(struct prof *p, const struct prof_host *h, uint32_t model);
/*
 * Name of a call as the results have it (doc/formats/msprof.md#api_statistic): its type, or for communication
 * and other levels the text of its item.
 */
uint32_t prof_api_name(struct prof *p, const struct prof_api *a);
/* "acl", "model", "node", "communication", "runtime"; NULL: another level. */
const char *prof_level_word(unsigned level);
/*
 * Whether api_statistic and the timeline keep a call (doc/formats/prof.md#clocks): it ends after the
 * collection began, or lies in a ModelLoad of its thread.
 */
bool prof_api_is_kept(const struct prof *p, const struct prof_host *h, const struct prof_api *a);
/* Whether Python's timeline keeps it (doc/formats/msprof.md#timeline): the same of its begin. */
bool prof_api_begins_kept(const struct prof *p, const struct prof_host *h, const struct prof_api *a);

#endif
