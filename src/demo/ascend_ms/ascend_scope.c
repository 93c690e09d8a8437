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
    s->fn(s->ctx, &s->layer[depth]);
}

static void open_layer(struct ascend_scope *s, int depth, struct str name, struct demo_span at, bool on_host)
{
    s->layer[depth] = (struct ascend_range){
        .name = name, .depth = depth, .at = at, .form = on_host ? SCOPE_DECIMALS : SCOPE_EXACT
    };
}

/* The double of quarters of a us has no more than three decimals, others have more than the 28 digits. */
static void extend(struct ascend_scope *s, int depth, struct demo_span by, bool on_host)
{
    s->layer[depth].at.dur_ns = by.start_ns + by.dur_ns - s->layer[depth].at.start_ns;
    s->layer[depth].last_ns = by.dur_ns;
    s->layer[depth].form = on_host || by.dur_ns % 250 == 0 ? SCOPE_DECIMALS : SCOPE_DIGITS;
}

void ascend_scope_add(struct ascend_scope *s, struct str path, struct demo_span at, bool on_host)
{
    struct str part;
    bool merge = true;
    if (s->n && at.start_ns < s->layer[0].at.start_ns + s->layer[0].at.dur_ns)
        return; /* it runs in parallel with the kernels already added */
    for (int depth = 0; depth < ASCEND_SCOPES && str_next(&path, '/', &part); depth++) {
        if (depth >= s->n) {
            open_layer(s, s->n++, part, at, on_host);
        } else if (merge && str_eq(s->layer[depth].name, part)) {
            extend(s, depth, at, on_host);
        } else {
            emit(s, depth);
            open_layer(s, depth, part, at, on_host);
            merge = false;
        }
    }
}

void ascend_scope_done(struct ascend_scope *s)
{
    for (int i = 0; i < s->n; i++)
        emit(s, i);
}
