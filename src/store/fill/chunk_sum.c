/* SPDX-License-Identifier: Apache-2.0 */
/* Summaries of timeline chunks: figures, far events, the set of names. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/bounded.h"
#include "store/fill/chunk.h"

/* ---- far events ---- */

struct far {
    int64_t end;
    uint16_t at;
};

/* Latest end first; of equal ends the first in the track. */
static int far_cmp(const void *a, const void *b)
{
    const struct far *x = a, *y = b;
    return x->end != y->end ? (x->end > y->end ? -1 : 1) : x->at < y->at ? -1 : x->at > y->at;
}

static int position_cmp(const void *a, const void *b)
{
    const uint16_t *x = a, *y = b;
    return (int)*x - (int)*y;
}

/* The end beyond which an event is far. */
static int64_t reach(const struct chunk_sum *c)
{
    int64_t span, to;
    if (__builtin_sub_overflow(c->t_last, c->t0, &span) || __builtin_add_overflow(c->t_last, span, &to))
        return INT64_MAX;
    return to;
}

static void find_far(const struct chunk_event *ev, size_t n, struct chunk_sum *out)
{
    struct far far[CHUNK_EVENTS];
    size_t n_far = 0;
    int64_t limit = reach(out);

    out->t_near = out->t_last;
    for (size_t i = 0; i < n; i++) {
        int64_t end = chunk_end(&ev[i]);
        if (end > limit)
            far[n_far++] = (struct far){ end, (uint16_t)i };
        else if (end > out->t_near)
            out->t_near = end;
    }
    if (n_far > CHUNK_FAR) {
        qsort(far, n_far, sizeof far[0], far_cmp);
        out->t_near = far[CHUNK_FAR].end;
        n_far = CHUNK_FAR;
    }
    for (size_t i = 0; i < n_far; i++)
        out->far[i] = far[i].at;
    out->n_far = n_far;
    qsort(out->far, n_far, sizeof out->far[0], position_cmp);
}

/* ---- figures ---- */

static void add_event(struct chunk_state *s, const struct chunk_event *ev, bool first, struct chunk_sum *out,
                      uint8_t *lane)
{
    int64_t covered = s->outer_end, added, gap;
    int64_t dur = ev->dur > 0 ? ev->dur : 0;

    *lane = (uint8_t)chunk_place(s, ev->ts, ev->dur, &added);
    out->lanes |= (uint64_t)1 << *lane;
    out->busy = bounded_add(out->busy, added);
    out->dur_sum = bounded_add(out->dur_sum, dur);
    if (dur > out->longest) {
        out->longest = dur;
        out->longest_name = ev->name;
    }
    if (first || ev->ts <= covered || __builtin_sub_overflow(ev->ts, covered, &gap))
        return;
    if (gap > out->gap) {
        out->gap = gap;
        out->gap_at = covered;
    }
}

void chunk_summarise(struct chunk_state *s, const struct chunk_event *ev, size_t n, bool plain, bool last,
                     struct chunk_sum *out, uint8_t *lane)
{
    memset(out, 0, sizeof *out);
    out->t0 = ev[0].ts;
    out->t_last = out->t1 = out->t_near = ev[n - 1].ts;
    if (plain) {
        memset(lane, 0, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        int64_t end = chunk_end(&ev[i]);
        add_event(s, &ev[i], i == 0, out, &lane[i]);
        if (end > out->t1)
            out->t1 = end;
    }
    out->t_near = out->t1;
    if (!last && out->t1 > reach(out))
        find_far(ev, n, out);
}

/* ---- names ---- */

#define SEEN_SLOTS (2 * CHUNK_EVENTS)

static int name_cmp(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* The distinct names, ascending; returns their number. */
static size_t distinct(const struct chunk_event *ev, size_t n, uint32_t *out)
{
    uint16_t slot[SEEN_SLOTS]; /* position in out + 1 */
    size_t k = 0;

    memset(slot, 0, sizeof slot);
    for (size_t i = 0; i < n; i++) {
        if (i && ev[i].name == ev[i - 1].name)
            continue;
        size_t at = ev[i].name * 2654435761u >> 19;
        while (slot[at] && out[slot[at] - 1] != ev[i].name)
            at = (at + 1) % SEEN_SLOTS;
        if (slot[at])
            continue;
        out[k++] = ev[i].name;
        slot[at] = (uint16_t)k;
    }
    qsort(out, k, sizeof *out, name_cmp);
    return k;
}

void chunk_names_encode(struct buf *out, const struct chunk_event *ev, size_t n)
{
    uint32_t names[CHUNK_EVENTS], before = 0;
    size_t k = distinct(ev, n, names);
    char *p = buf_room(out, k * 5), *begin = p;

    if (!p)
        return;
    for (size_t i = 0; i < k; i++) {
        uint32_t v = names[i] - before;
        before = names[i];
        for (; v >= 0x80; v >>= 7)
            *p++ = (char)(v | 0x80);
        *p++ = (char)v;
    }
    out->n += (size_t)(p - begin);
}

/* Next id of a set; false at the end. */
static bool next_name(struct str *rest, uint32_t *name)
{
    uint32_t v = 0;

    for (unsigned shift = 0; shift < 35 && rest->n; shift += 7) {
        unsigned char c = (unsigned char)*rest->p++;
        rest->n--;
        v |= (uint32_t)(c & 0x7f) << shift;
        if (!(c & 0x80)) {
            *name += v;
            return true;
        }
    }
    return false;
}

bool chunk_names_has(struct str blob, uint32_t name)
{
    uint32_t at = 0;

    while (next_name(&blob, &at))
        if (at >= name)
            return at == name;
    return false;
}

bool chunk_names_any(struct str blob, const uint8_t *bits, size_t n)
{
    uint32_t at = 0;

    while (next_name(&blob, &at) && at < n)
        if (bits[at])
            return true;
    return false;
}
