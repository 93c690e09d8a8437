/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communication that the AI CPUs of a device run themselves (doc/formats/prof.md#aicpu, types 4, 5, 10, 12,
 * 13): turns of its server, its ops, and the tasks it issued.
 */
#ifndef NPUSCOPE_PARSERS_PROF_COMM_KFC_H
#define NPUSCOPE_PARSERS_PROF_COMM_KFC_H

#include "parsers/prof/device/device.h"

/* A turn: phases one after the other, from at[i] to at[i + 1]; counters of the device. */
#define PROF_KFC_PHASES 6
struct prof_kfc_turn {
    uint64_t at[PROF_KFC_PHASES + 1];
    uint64_t length;
    uint32_t stream, task; /* as those of device tasks (doc/formats/prof.md#stars_soc) */
    uint8_t turn, turns;
    bool computes; /* waiting and computing; else of communication */
};
unsigned prof_kfc_phases(const struct prof_kfc_turn *t);
/* "TaskExecute" ... */
const char *prof_kfc_phase_word(const struct prof_kfc_turn *t, unsigned phase);

struct prof_kfc_op { /* recorded by its kernel */
    uint64_t time;   /* counter of the device */
    uint64_t count, group_hash;
    uint32_t stream, task; /* of the kernel */
    uint32_t alg, group;   /* texts */
    uint32_t ranks;
    uint8_t data_type;
    bool relay, retry;
};
struct prof_kfc_edge { /* the first or the last task of an op */
    uint64_t time;
    uint32_t kernel_stream, kernel_task, stream, task;
    bool last;
};
struct prof_kfc_info { /* a task; enums as numbers, 255: none */
    uint64_t time;     /* when it was issued */
    uint64_t notify, size_b;
    double estimated; /* us */
    uint32_t stream, task, plane;
    uint32_t item, group; /* texts */
    uint32_t local_rank, remote_rank, ranks;
    uint8_t op_type, data_type, link, transport, rdma, role;
};

struct prof_kfc {
    struct prof_kfc_turn *turn; /* in order of the file, as all */
    struct prof_kfc_op *op;
    struct prof_kfc_edge *edge;
    struct prof_kfc_info *info;
    size_t n_turns, n_ops, n_edges, n_infos;
    size_t cap_turns, cap_ops, cap_edges, cap_infos; /* private */
};
/*
 * Read the records of one device. prof_kfc_done() is allowed after a failure. Errors: ERR_NOMEM,
 * ERR_CANCELLED.
 */
NODISCARD int prof_kfc_read(struct prof_kfc *k, struct prof *p, const struct prof_folder *f, bool expanded,
                            struct err *e);
void prof_kfc_done(struct prof_kfc *k);

/*
 * The device task of each info: the first of its stream and task id that ends after the instant when it was
 * issued. *out: for each info the index of a task in d, PROF_NONE: it did not run; the caller frees it. Pure.
 * ERR_NOMEM, ERR_LIMIT.
 */
NODISCARD int prof_kfc_tasks(const struct prof_kfc *k, const struct prof_device *d, uint32_t **out,
                             struct err *e);
/* The same for the tasks of the edges. */
NODISCARD int prof_kfc_edge_tasks(const struct prof_kfc *k, const struct prof_device *d, uint32_t **out,
                                  struct err *e);

#endif
