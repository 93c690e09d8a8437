/* SPDX-License-Identifier: Apache-2.0 */
/* The merging rule of the scope layer. */
#include "config.h"

#include "demo/ascend_ms/ascend_scope.h"

void ascend_scope_init(struct ascend_scope *s, ascend_scope_fn *fn, void *ctx)
{
    *s = (struct ascend_scope){ .fn = fn, .ctx = ctx };
}

static void emit(struct ascend_scope *s, int depth)
{
    s->fn(s->ctx, s->layer[depth].name, depth, s->layer[depth].at_ns, s->layer[depth].dur_ns,
          s->layer[depth].merged);
}

static void open_layer(struct ascend_scope *s, int depth, struct str name, int64_t at_ns, int64_t dur_ns)
{
    s->layer[depth].name = name;
    s->layer[depth].at_ns = at_ns;
    s->layer[depth].dur_ns = dur_ns;
    s->layer[depth].merged = false;
}

void ascend_scope_add(struct ascend_scope *s, struct str path, int64_t at_ns, int64_t dur_ns)
{
    struct str part;
    bool merge = true;
    if (s->n && at_ns < s->layer[0].at_ns + s->layer[0].dur_ns)
        return; /* it runs in parallel with the kernels already added */
    for (int depth = 0; depth < ASCEND_SCOPES && str_next(&path, '/', &part); depth++) {
        if (depth >= s->n) {
            open_layer(s, s->n++, part, at_ns, dur_ns);
        } else if (merge && str_eq(s->layer[depth].name, part)) {
            s->layer[depth].dur_ns = at_ns + dur_ns - s->layer[depth].at_ns;
            s->layer[depth].merged = true;
        } else {
            emit(s, depth);
            open_layer(s, depth, part, at_ns, dur_ns);
            merge = false;
        }
    }
}

void ascend_scope_done(struct ascend_scope *s)
{
    for (int i = 0; i < s->n; i++)
        emit(s, i);
}
