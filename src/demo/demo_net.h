/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The network of a synthetic run: its ops in launch order with types, shapes, FLOPs and nominal
 * durations, and its communication.
 *
 * A network is the same for all ranks and steps. Texts live in the network's arena.
 */
#ifndef NPUSCOPE_DEMO_NET_H
#define NPUSCOPE_DEMO_NET_H

#include <stdbool.h>

#include "base/arena.h"
#include "demo/demo.h"

enum demo_core { DEMO_AIC, DEMO_AIV, DEMO_MIX, DEMO_AICPU };
enum demo_dtype { DEMO_F16, DEMO_F32, DEMO_I32 };
enum demo_format { DEMO_NC1HWC0, DEMO_FRACTAL_Z, DEMO_ND, DEMO_FRACTAL_NZ };
enum demo_phase { DEMO_DATA, DEMO_FP, DEMO_BP, DEMO_OPT };

/*
 * Row of the table of op types (demo_build.c). Duration of an op = fixed_ns + cube / cube_rate + bytes /
 * byte_rate.
 */
struct demo_type {
    const char *name;
    enum demo_core core;
    int fixed_ns;
    int cube_rate;                          /* FLOPs per ns; 0: no cube work */
    int byte_rate;                          /* bytes per us (thousandths of a byte per ns) */
    int vec_per_elem;                       /* vector FLOPs per element of the first output */
    int mac, vec, scalar, mte1, mte2, mte3; /* busy share of the pipes in permille */
};

struct demo_tensor {
    uint8_t nd;
    uint8_t dtype;  /* enum demo_dtype */
    uint8_t format; /* enum demo_format */
    uint32_t dim[4];
};

#define DEMO_TENSORS_MAX 5

struct demo_op {
    const char *name; /* full scope name */
    const char *leaf; /* its last part */
    uint32_t scope_n; /* bytes of name before "/leaf" */
    uint16_t type;    /* index of demo_type */
    uint8_t phase;    /* enum demo_phase */
    uint8_t stream;
    uint8_t nin, nout;
    struct demo_tensor t[DEMO_TENSORS_MAX]; /* inputs, then outputs */
    uint32_t blocks;
    uint32_t freed_by;  /* index of the op whose end releases the outputs */
    uint64_t cube, vec; /* FLOPs */
    uint64_t out_b;     /* bytes of the outputs, rounded up to 512 */
    int64_t dur_ns;     /* nominal */
};

enum demo_comm_kind { DEMO_ALLREDUCE, DEMO_ALLGATHER, DEMO_REDUCESCATTER };
enum demo_group_kind { DEMO_GROUP_DATA, DEMO_GROUP_TENSOR };

struct demo_comm_op {
    const char *name; /* full scope name of the network's op */
    const char *leaf;
    uint32_t scope_n;
    uint8_t kind;         /* enum demo_comm_kind */
    uint8_t group;        /* enum demo_group_kind */
    uint32_t group_index; /* position among the ops of its group in one step */
    uint32_t after;       /* index of the op whose end makes it ready */
    uint32_t before;      /* index of the first op that waits for it; nop: none */
    uint64_t bytes;       /* of the whole tensor */
    int64_t ready_ns;     /* nominal, from the first forward op on */
    int64_t work_ns;      /* the kernels' part of it, which is longer on a slower rank */
    int64_t transfer_ns;  /* over the slowest link of any group, as long for all ranks */
};

struct demo_net {
    struct arena *mem;
    const char *model;  /* "ResNet" or "GPT" */
    struct demo_op *op; /* op[0] is GetNext */
    uint32_t nop, op_cap;
    struct demo_comm_op *comm; /* in order of after */
    uint32_t ncomm, comm_cap;
    uint32_t group_ops[2]; /* communication ops of a step by group kind */
    uint32_t fp_first, bp_last, opt_first;
    uint32_t next_id; /* number of the next op */
    uint64_t param_b; /* weights and optimizer state */
    int64_t work_ns;  /* nominal time of all kernels with their gaps */
    int64_t body_ns;  /* nominal time from the first forward op to the end of the step */
};

/* depth: residual blocks of ResNet (16 = ResNet-50), layers of the transformer. tp: tensor parallel
 * ranks. ranks 1: no communication. */
NODISCARD int demo_net_new(struct demo_net **out, enum demo_model model, uint32_t depth, int ranks, int tp,
                           struct err *e);
void demo_net_free(struct demo_net *n);
uint32_t demo_net_depth(enum demo_model model);

const struct demo_type *demo_type_at(uint32_t i);
uint32_t demo_type_count(void);
uint64_t demo_tensor_bytes(const struct demo_tensor *t);
static inline const struct demo_type *demo_op_type(const struct demo_op *o)
{
    return demo_type_at(o->type);
}

/* The communication op's names: "hcom_allReduce_", and the lower-case type for the matrix, "allreduce". */
const char *demo_comm_hcom(enum demo_comm_kind k);
const char *demo_comm_lower(enum demo_comm_kind k);

#endif
