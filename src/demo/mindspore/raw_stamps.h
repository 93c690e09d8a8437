/*
 * Raw generation 1 of hosts and GPUs: when each op ran, op by op as their files hold it, and
 * numbers as the C++ runtime prints them (gen1-raw.md 6).
 */
#ifndef NPUSCOPE_DEMO_MINDSPORE_RAW_STAMPS_H
#define NPUSCOPE_DEMO_MINDSPORE_RAW_STAMPS_H

#include "demo/mindspore/raw.h"

struct raw1_stamp {
    int64_t start_ns, dur_ns;
};
/* Ops of the network, then its communication ops. */
struct raw1_stamps {
    uint32_t nop, nsteps;
    struct raw1_stamp *v; /* by op and step */
    int64_t *sum_ns;      /* by op */
    int64_t all_ns;       /* of the ops that are chosen */
};

/* Which ops a file is about. */
typedef bool raw1_choose_fn(const struct raw1 *r, uint32_t op);

NODISCARD int raw1_stamps_new(struct raw1_stamps *s, struct raw1 *r, raw1_choose_fn *choose,
                              struct err *e);
void raw1_stamps_done(struct raw1_stamps *s);
static inline const struct raw1_stamp *raw1_stamp_at(const struct raw1_stamps *s, uint32_t op,
                                                     uint32_t step)
{
    return &s->v[(size_t)op * s->nsteps + step];
}

/* Texts of an op, a communication op behind those of the network; type: valid as long as buf. */
const char *raw1_op_name(const struct demo_net *n, uint32_t op);
const char *raw1_op_leaf(const struct demo_net *n, uint32_t op);
const char *raw1_op_type(const struct demo_net *n, uint32_t op, char buf[40]);

/* Types of the chosen ops in order of their first ones: begin with zeros. false: no more. */
struct raw1_type {
    uint32_t next;
    char name[40];
    uint32_t nop;
    int64_t sum_ns;
};
bool raw1_next_type(struct raw1_type *t, const struct raw1 *r, const struct raw1_stamps *s,
                    raw1_choose_fn *choose);

/* v as float with six significant digits: "%g". */
void raw1_put_float(struct vout *o, double v);

/* cpu_op_detail_info, cpu_op_type_info, cpu_op_execute_timestamp, cpu_framework of the ops that are chosen. */
NODISCARD int raw1_host(struct raw1 *r, raw1_choose_fn *choose, struct err *e);
/* <before>framework_N.txt: type, name and inputs of each launch. */
NODISCARD int raw1_launches(struct raw1 *r, const char *before, raw1_choose_fn *choose,
                            struct err *e);

#endif
