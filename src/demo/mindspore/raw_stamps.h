/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raw data of MindSpore 1.x on hosts and GPUs: executions op by op as in their files, and numbers as the C++
 * runtime prints them (doc/formats/mindspore1.md#runtime-files).
 */
#ifndef NPUSCOPE_DEMO_MINDSPORE_RAW_STAMPS_H
#define NPUSCOPE_DEMO_MINDSPORE_RAW_STAMPS_H

#include "demo/mindspore/raw.h"

struct raw_stamp {
    int64_t start_ns, dur_ns;
};
/* Ops of the network, then its communication ops. */
struct raw_stamps {
    uint32_t nop, nsteps;
    struct raw_stamp *v; /* by op and step */
    int64_t *sum_ns;     /* by op */
    int64_t all_ns;      /* of the chosen ops */
};

/* Which ops a file is about. */
typedef bool raw_choose_fn(const struct raw *r, uint32_t op);

NODISCARD int raw_stamps_new(struct raw_stamps *s, struct raw *r, raw_choose_fn *choose, struct err *e);
void raw_stamps_done(struct raw_stamps *s);
static inline const struct raw_stamp *raw_stamp_at(const struct raw_stamps *s, uint32_t op, uint32_t step)
{
    return &s->v[(size_t)op * s->nsteps + step];
}

/* Texts of an op; communication ops follow those of the network; type: valid as long as buf. */
const char *raw_op_name(const struct demo_net *n, uint32_t op);
const char *raw_op_leaf(const struct demo_net *n, uint32_t op);
const char *raw_op_type(const struct demo_net *n, uint32_t op, char buf[40]);

/* Types of the chosen ops in order of their first ops: begin with zeros. false: no more. */
struct raw_type {
    uint32_t next;
    char name[40];
    uint32_t nop;
    int64_t sum_ns;
};
bool raw_next_type(struct raw_type *t, const struct raw *r, const struct raw_stamps *s,
                   raw_choose_fn *choose);

/* v as float with six significant digits: "%g". */
void raw_put_float(struct emit *o, double v);

/* cpu_op_detail_info, cpu_op_type_info, cpu_op_execute_timestamp, cpu_framework of the chosen ops. */
NODISCARD int raw_host(struct raw *r, raw_choose_fn *choose, struct err *e);
/* <before>framework_N.txt: type, name and inputs of each launch. */
NODISCARD int raw_launches(struct raw *r, const char *before, raw_choose_fn *choose, struct err *e);

#endif
