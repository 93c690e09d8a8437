/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory in a PROF folder (doc/formats/prof.md#additional-records, #binary-samples,
 * doc/formats/msprof.md#memory): what ops allocate and release, what the device and its modules hold.
 *
 * Records are passed on as they are read: one is valid during the call, not OK of fn ends the reading with
 * that error. Stamps are counters; a clock makes instants of them (parsers/prof/prof.h).
 */
#ifndef NPUSCOPE_PARSERS_PROF_SAMPLED_MEMORY_H
#define NPUSCOPE_PARSERS_PROF_SAMPLED_MEMORY_H

#include "parsers/prof/prof.h"

/* ---- ops: task_memory_info of the host ---- */

struct prof_op_memory {
    uint64_t stamp; /* host counter */
    uint64_t address, node;
    int64_t size_b; /* below 0: released */
    uint64_t allocated_b, reserved_b;
    uint32_t device, thread;
};
typedef int prof_op_memory_fn(void *arg, const struct prof_op_memory *m, struct err *e);
/* In order of the file. Nothing without a host folder. Errors: those of fn, ERR_NOMEM, ERR_CANCELLED. */
NODISCARD int prof_op_memory_read(struct prof *p, prof_op_memory_fn *fn, void *arg, struct err *e);

/* An allocation and its end, as indexes of records; release PROF_NONE: it is not released. */
struct prof_alloc {
    uint32_t at, release;
    uint32_t place; /* position in order of allocation; an allocation that was replaced passes its own on */
};
/*
 * Which release ends which allocation (doc/formats/msprof.md#memory): the same node, address and device; an
 * allocation replaces an open one of the same; a release without an allocation is left out. *out: by release,
 * those without one last, by place: an array of the pool. Pure. ERR_NOMEM, ERR_LIMIT (2^32 records).
 */
NODISCARD int prof_op_memory_pair(struct spool *pool, const struct prof_op_memory *v, size_t n,
                                  struct prof_alloc **out, size_t *n_out, struct err *e);

/* ---- ops of static graphs: static_op_mem of the host ---- */

struct prof_static_memory {
    int64_t size_b;
    uint64_t node, dynamic_node; /* hashes of names */
    uint64_t life_start, life_end, allocated_b;
    uint32_t graph;
};
typedef int prof_static_memory_fn(void *arg, const struct prof_static_memory *m, struct err *e);
NODISCARD int prof_static_memory_read(struct prof *p, prof_static_memory_fn *fn, void *arg, struct err *e);

/* ---- the device ---- */

struct prof_npu_memory {
    uint64_t us;    /* since the device was started */
    bool of_device; /* else of the process */
    uint64_t ddr_b, hbm_b;
};
typedef int prof_npu_memory_fn(void *arg, const struct prof_npu_memory *m, struct err *e);
NODISCARD int prof_npu_memory_read(struct prof *p, const struct prof_folder *f, prof_npu_memory_fn *fn,
                                   void *arg, struct err *e);

struct prof_module_memory {
    uint64_t stamp; /* host counter, by the clock of the device's folder */
    uint64_t reserved_b;
    uint32_t module;
    bool unknown; /* how much it reserved */
};
typedef int prof_module_memory_fn(void *arg, const struct prof_module_memory *m, struct err *e);
NODISCARD int prof_module_memory_read(struct prof *p, const struct prof_folder *f, prof_module_memory_fn *fn,
                                      void *arg, struct err *e);
/*
 * "HCCL"; NULL: no module has this number. Numbers are below PROF_MODULES (doc/formats/msprof.md#database).
 */
const char *prof_module_word(uint32_t module);
#define PROF_MODULES 78

#endif
