/* SPDX-License-Identifier: Apache-2.0 */
/* Logical streams. */
#include "config.h"

#include "parsers/prof/device/streams.h"

#include <stdlib.h>

#include "base/grow.h"
#include "parsers/prof/prof_layout.h"

#define LS_STREAMS 56 /* in a record */

enum { LOGIC_STREAM_OWN(FIELD_AT) };

static int take(void *arg, struct prof_record *r, struct err *e)
{
    struct prof_streams *s = arg;
    uint32_t n = rec_u32(&r->rec, LS_COUNT);

    for (uint32_t i = 0; i < n && i < LS_STREAMS; i++) {
        struct prof_stream_pair *v = grow_array(s->pair, s->n, &s->cap, sizeof *v, 64);
        if (!v)
            return err_nomem(e);
        s->pair = v;
        v[s->n++] =
            (struct prof_stream_pair){ rec_u32(&r->rec, LS_PHYSICAL + 4 * i), rec_u32(&r->rec, LS_LOGICAL) };
    }
    return OK;
}

/* qsort() does not keep order: each pair's position breaks ties. */
struct placed {
    struct prof_stream_pair pair;
    size_t at;
};

static int by_physical(const void *va, const void *vb)
{
    const struct placed *a = va, *b = vb;

    if (a->pair.physical != b->pair.physical)
        return a->pair.physical < b->pair.physical ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

static int sort_pairs(struct prof_streams *s, struct err *e)
{
    struct placed *v = calloc(s->n + 1, sizeof *v);
    size_t n = 0;

    if (!v)
        return err_nomem(e);
    for (size_t i = 0; i < s->n; i++)
        v[i] = (struct placed){ s->pair[i], i };
    if (s->n)
        qsort(v, s->n, sizeof *v, by_physical);
    for (size_t i = 0; i < s->n; i++) {
        if (n && s->pair[n - 1].physical == v[i].pair.physical)
            n--;
        s->pair[n++] = v[i].pair;
    }
    s->n = n;
    free(v);
    return OK;
}

int prof_streams_read(struct prof_streams *s, struct prof *p, struct err *e)
{
    *s = (struct prof_streams){ .n = 0 };
    if (p->host && prof_read(p, p->host, PROF_LOGIC_STREAM, take, s, e))
        return e->code;
    return sort_pairs(s, e);
}

void prof_streams_done(struct prof_streams *s)
{
    free(s->pair);
    *s = (struct prof_streams){ .n = 0 };
}

uint32_t prof_stream_logical(const struct prof_streams *s, uint32_t physical)
{
    size_t lo = 0, hi = s->n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (s->pair[mid].physical < physical)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < s->n && s->pair[lo].physical == physical ? s->pair[lo].logical : physical;
}
