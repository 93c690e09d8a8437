/* SPDX-License-Identifier: Apache-2.0 */
/* Ops that the graph compiler of a synthetic run made of several: which types, and of which ops. */
#ifndef NPUSCOPE_DEMO_DEMO_FUSED_H
#define NPUSCOPE_DEMO_DEMO_FUSED_H

#include "demo/demo_net.h"

#define DEMO_FUSED_MAX 8 /* ops that one record holds: doc/formats/prof.md#fusion_op_info */

struct demo_fused {
    const char *const *type; /* op types of the originals */
    uint32_t n;
    uint64_t in_b, out_b; /* bytes of the fused op's inputs and outputs */
};

/* False: the op is as the network has it. */
bool demo_fused(const struct demo_op *op, struct demo_fused *out);

/* The name of the i-th original, such as "Mul-op12" of "ApplyMomentum-op12", into buf, which it returns. */
char *demo_fused_name(const struct demo_op *op, const struct demo_fused *f, uint32_t i, char *buf, size_t n);

#endif
