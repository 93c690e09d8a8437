/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the trace writer of MindSpore 2.x: joins neighbouring kernels of one scope into the ranges of
 * the scope layer (doc/formats/framework.md#scope-layer).
 */
#ifndef NPUSCOPE_DEMO_ASCEND_MS_ASCEND_SCOPE_H
#define NPUSCOPE_DEMO_ASCEND_MS_ASCEND_SCOPE_H

#include "demo/demo_run.h"

#define ASCEND_SCOPES 12 /* levels kept; deeper scopes join their parent */

/*
 * How upstream prints a duration: of an op of the host with three decimals; of one kernel all digits of the
 * double; of joined ones what its decimal arithmetic of 28 digits leaves.
 */
enum ascend_scope_form { SCOPE_DECIMALS, SCOPE_EXACT, SCOPE_DIGITS };
struct ascend_range {
    struct str name;
    int depth;
    struct demo_span at;
    int64_t last_ns; /* duration of what it was joined with last */
    enum ascend_scope_form form;
};
typedef void ascend_scope_fn(void *ctx, const struct ascend_range *r);

struct ascend_scope {
    ascend_scope_fn *fn;
    void *ctx;
    int n;
    struct ascend_range layer[ASCEND_SCOPES];
};

void ascend_scope_init(struct ascend_scope *s, ascend_scope_fn *fn, void *ctx);
/*
 * Adds a kernel or an op of the host, in order of start. path: "Default/network/..." without the op; its
 * bytes must stay.
 */
void ascend_scope_add(struct ascend_scope *s, struct str path, struct demo_span at, bool on_host);
void ascend_scope_done(struct ascend_scope *s);

#endif
