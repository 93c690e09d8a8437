/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the trace writer of MindSpore 2.x: joins neighbouring kernels of one scope into the ranges of
 * the scope layer (doc/formats/framework.md#scope-layer).
 */
#ifndef NPUSCOPE_DEMO_ASCEND_MS_ASCEND_SCOPE_H
#define NPUSCOPE_DEMO_ASCEND_MS_ASCEND_SCOPE_H

#include "base/str.h"

#define ASCEND_SCOPES 12 /* levels kept; deeper scopes join their parent */

/* merged: the range holds more than one kernel. */
typedef void ascend_scope_fn(void *ctx, struct str name, int depth, int64_t at_ns, int64_t dur_ns,
                             bool merged);

struct ascend_scope {
    ascend_scope_fn *fn;
    void *ctx;
    int n;
    struct {
        struct str name;
        int64_t at_ns, dur_ns;
        bool merged;
    } layer[ASCEND_SCOPES];
};

void ascend_scope_init(struct ascend_scope *s, ascend_scope_fn *fn, void *ctx);
/* Adds a kernel, in order of start. path: "Default/network/..." without the op; its bytes must stay. */
void ascend_scope_add(struct ascend_scope *s, struct str path, int64_t at_ns, int64_t dur_ns);
void ascend_scope_done(struct ascend_scope *s);

#endif
