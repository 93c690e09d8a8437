/* SPDX-License-Identifier: Apache-2.0 */
/* See torch_passes.h. */
#include "config.h"

#include "offline/torch/torch_passes.h"

#include "base/large/sort_index.h"

struct pass {
    int64_t sequence;
    uint32_t range, first; /* first: the sequence's first range */
};
struct passes {
    struct pass *v;
    size_t n, cap;
};

static bool sequence_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct pass *v = arg;

    return v[a].sequence < v[b].sequence;
}

static bool first_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct pass *v = arg;

    return v[a].first < v[b].first;
}

static int find_passes(struct passes *s, struct offline_run *r, struct err *e)
{
    for (size_t i = 0; i < r->f.n_ranges; i++) {
        if (r->f.range[i].sequence < 0)
            continue;
        struct pass *v = spool_grow(r->pool, s->v, s->n, &s->cap, sizeof *v, 1024);
        if (!v)
            return err_nomem(e);
        s->v = v;
        v[s->n++] = (struct pass){ r->f.range[i].sequence, (uint32_t)i, (uint32_t)i };
    }
    if (prof_sort(r->pool, s->v, s->n, sizeof *s->v, sequence_before, s->v, e))
        return e->code;
    for (size_t i = 1; i < s->n; i++)
        if (s->v[i].sequence == s->v[i - 1].sequence)
            s->v[i].first = s->v[i - 1].first;
    return prof_sort(r->pool, s->v, s->n, sizeof *s->v, first_before, s->v, e);
}

/* false: it has none that belong together. */
static bool pair(const struct framework_range *range, const struct pass *v, size_t n, struct torch_pass *out)
{
    const struct framework_range *forward = NULL, *backward = NULL;

    for (size_t i = 0; i < n; i++) {
        const struct framework_range *x = &range[v[i].range];
        const struct framework_range **at = x->forward ? &backward : &forward;
        if (!*at || x->from >= (*at)->from)
            *at = x;
    }
    if (!forward || !backward || forward->thread == backward->thread)
        return false;
    *out = (struct torch_pass){ (uint64_t)v->sequence, (uint32_t)(forward - range),
                                (uint32_t)(backward - range) };
    return true;
}

int torch_passes(struct offline_run *r, struct torch_pass **out, size_t *n, struct err *e)
{
    struct passes s = { .n = 0 };
    struct torch_pass *v = NULL;

    *out = NULL;
    *n = 0;
    if (find_passes(&s, r, e) == OK) {
        *out = v = spool_array(r->pool, s.n + 1, sizeof *v);
        if (!v)
            err_nomem(e);
    }
    for (size_t from = 0, to; v && from < s.n; from = to) {
        for (to = from + 1; to < s.n && s.v[to].first == s.v[from].first;)
            to++;
        *n += pair(r->f.range, s.v + from, to - from, &v[*n]);
    }
    spool_free(r->pool, s.v);
    return e->code;
}
