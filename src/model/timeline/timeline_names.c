/* SPDX-License-Identifier: Apache-2.0 */
/* Time per name in a window. Every event of the window has to be read, so the work can be done in slices. */
#include "config.h"

#include <stdlib.h>

#include "base/grow.h"
#include "model/timeline/timeline_int.h"

struct sums {
    struct tl_name *p;
    size_t n, cap;
    uint32_t *hash; /* index + 1 */
    size_t hash_n;
};

static struct tl_name *sums_get(struct sums *s, uint32_t name)
{
    if (s->n * 2 >= s->hash_n) {
        size_t n = s->hash_n ? s->hash_n * 2 : 256;
        uint32_t *h = calloc(n, sizeof *h);
        if (!h)
            return NULL;
        for (size_t i = 0; i < s->n; i++) {
            size_t at = (size_t)s->p[i].name_id * 2654435761u & (n - 1);
            while (h[at])
                at = (at + 1) & (n - 1);
            h[at] = (uint32_t)i + 1;
        }
        free(s->hash);
        s->hash = h;
        s->hash_n = n;
    }
    size_t at = (size_t)name * 2654435761u & (s->hash_n - 1);
    for (; s->hash[at]; at = (at + 1) & (s->hash_n - 1))
        if (s->p[s->hash[at] - 1].name_id == name)
            return &s->p[s->hash[at] - 1];
    struct tl_name *p = grow_array(s->p, s->n, &s->cap, sizeof *p, 128);
    if (!p)
        return NULL;
    s->p = p;
    s->p[s->n] = (struct tl_name){ .name_id = name };
    s->hash[at] = (uint32_t)++s->n;
    return &s->p[s->n - 1];
}

/* Most time first. */
static int name_cmp(const struct tl_name *x, const struct tl_name *y)
{
    if (x->busy_ns != y->busy_ns)
        return x->busy_ns > y->busy_ns ? -1 : 1;
    return x->name_id < y->name_id ? -1 : 1;
}

struct tl_sums {
    struct sums by_name;
    struct chunk_walk w;
    int64_t from, to;
    bool done;
};

int timeline_sums_new(struct tl_sums **out, struct timeline *t, size_t track, int64_t from, int64_t to,
                      struct err *e)
{
    struct tl_sums *s = *out = calloc(1, sizeof *s);

    if (!s)
        return err_nomem(e);
    s->from = from;
    s->to = to;
    walk_open(&s->w, t, track, from, to, false);
    s->w.once = true;
    return OK;
}

void timeline_sums_free(struct tl_sums *s)
{
    if (!s)
        return;
    walk_close(&s->w);
    free(s->by_name.p);
    free(s->by_name.hash);
    free(s);
}

static int add_events(struct tl_sums *s, struct err *e)
{
    int64_t a, b;

    for (size_t i = 0; i < s->w.n; i++) {
        if (!event_clip(&s->w.ev[i], s->from, s->to, &a, &b))
            continue;
        struct tl_name *x = sums_get(&s->by_name, s->w.ev[i].name);
        if (!x)
            return err_nomem(e);
        x->events++;
        x->busy_ns += b - a;
        if (b - a > x->longest_ns)
            x->longest_ns = b - a;
    }
    return OK;
}

int timeline_sums_run(struct tl_sums *s, size_t chunks, struct err *e)
{
    size_t first = s->w.at;
    int rc = 1;

    while (!s->done && s->w.at - first < chunks && (rc = walk_next(&s->w, e)) == 1)
        if (add_events(s, e))
            return -1;
    s->done |= rc == 0;
    return rc < 0 ? -1 : s->done;
}

size_t timeline_sums_left(const struct tl_sums *s)
{
    return s->done ? 0 : s->w.end - s->w.at;
}

void timeline_sums_get(const struct tl_sums *s, struct tl_name *out, size_t max, size_t *n)
{
    *n = 0;
    for (size_t i = 0; i < s->by_name.n && max; i++) {
        const struct tl_name *x = &s->by_name.p[i];
        size_t at = *n;
        if (at == max && name_cmp(x, &out[max - 1]) >= 0)
            continue;
        at -= at == max;
        *n = at + 1;
        for (; at && name_cmp(x, &out[at - 1]) < 0; at--)
            out[at] = out[at - 1];
        out[at] = *x;
    }
}
