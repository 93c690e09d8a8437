/* SPDX-License-Identifier: Apache-2.0 */
/* Encoding of timeline chunks. */
#include "config.h"

#include "store/fill/chunk.h"

#include <stdlib.h>
#include <string.h>

#include "base/swar.h"

void chunk_state_init(struct chunk_state *s)
{
    memset(s, 0, sizeof *s);
    s->outer_end = INT64_MIN;
}

int chunk_place(struct chunk_state *s, int64_t ts, int64_t dur, int64_t *busy_added)
{
    int64_t end = chunk_end_of(ts, dur);
    int lane = 0;

    *busy_added = 0;
    if (end > s->outer_end) {
        *busy_added = end - (ts > s->outer_end ? ts : s->outer_end);
        s->outer_end = end;
    }
    while (lane < s->n_lanes && s->lane_end[lane] > ts)
        lane++;
    if (lane >= CHUNK_LANES)
        lane = CHUNK_LANES - 1;
    if (lane >= s->n_lanes)
        s->n_lanes = lane + 1;
    if (s->lane_end[lane] < end)
        s->lane_end[lane] = end;
    return lane;
}

int chunk_event_cmp(const void *a, const void *b)
{
    const struct chunk_event *x = a, *y = b;

    if (x->ts != y->ts)
        return x->ts < y->ts ? -1 : 1;
    if (x->dur != y->dur)
        return x->dur > y->dur ? -1 : 1;
    return x->off < y->off ? -1 : x->off > y->off;
}

/* Position of ev[n] among the n sorted events before it. */
static size_t place_of(const struct chunk_event *ev, size_t n)
{
    size_t low = 0, high = n, step = 1;

    for (; step <= n && chunk_event_cmp(&ev[n - step], &ev[n]) > 0; step *= 2)
        high = n - step;
    if (step <= n)
        low = n - step;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (chunk_event_cmp(&ev[middle], &ev[n]) > 0)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

#define MOVES_EACH 32 /* on average, before sorting as a whole is cheaper */

void chunk_sort(struct chunk_event *ev, size_t n)
{
    size_t left = n * MOVES_EACH;

    for (size_t i = 1; i < n; i++) {
        if (chunk_event_cmp(&ev[i - 1], &ev[i]) <= 0)
            continue;
        size_t at = place_of(ev, i);
        if (i - at > left) {
            qsort(ev, n, sizeof *ev, chunk_event_cmp);
            return;
        }
        left -= i - at;
        struct chunk_event one = ev[i];
        memmove(&ev[at + 1], &ev[at], (i - at) * sizeof *ev);
        ev[at] = one;
    }
}

static uint64_t zigzag(int64_t v)
{
    return ((uint64_t)v << 1) ^ (uint64_t)(v >> 63);
}

static int64_t unzigzag(uint64_t v)
{
    return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}

static char *put_varint(char *p, uint64_t v)
{
    while (v >= 0x80) {
        *p++ = (char)(v | 0x80);
        v >>= 7;
    }
    *p++ = (char)v;
    return p;
}

/* Cursor over a blob; bad is set at the end or on an over-long number. */
struct reader {
    const unsigned char *p, *end;
    bool bad;
};

static uint64_t slow_varint(struct reader *r)
{
    uint64_t v = 0;

    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (r->p >= r->end)
            break;
        unsigned char c = *r->p++;
        v |= shift < 64 ? (uint64_t)(c & 0x7f) << shift : 0;
        if (!(c & 0x80))
            return v;
    }
    r->bad = true;
    return 0;
}

/* Eight bytes at a time, without a branch on the length: lengths follow no pattern. */
static inline uint64_t get_varint(struct reader *r)
{
    if (r->end - r->p < 8)
        return slow_varint(r);
    uint64_t v = swar_load((const char *)r->p), stop = ~v & SWAR_HIGH;
    if (!stop)
        return slow_varint(r);
    r->p += (size_t)(__builtin_ctzll(stop) + 1) / 8;
    v &= (stop ^ (stop - 1)) & ~SWAR_HIGH;
    v = (v & 0x007f007f007f007f) | (v & 0x7f007f007f007f00) >> 1;
    v = (v & 0x00003fff00003fff) | (v & 0x3fff00003fff0000) >> 2;
    return (v & 0x000000000fffffff) | (v & 0x0fffffff00000000) >> 4;
}

/* A reader that stands after the next n numbers. */
static struct reader skip_varints(struct reader r, size_t n)
{
    while (n >= 8 && r.end - r.p >= 8) { /* eight bytes hold at most eight ends */
        n -= (size_t)__builtin_popcountll(~swar_load((const char *)r.p) & SWAR_HIGH);
        r.p += 8;
    }
    while (n && r.p < r.end)
        n -= !(*r.p++ & 0x80);
    r.bad |= n > 0;
    return r;
}

uint32_t chunk_checksum(const char *p, size_t n)
{
    uint64_t h = 0x9e3779b97f4a7c15u ^ n;

    while (n >= 8) {
        uint64_t w;
        memcpy(&w, p, 8);
        h = (h ^ w) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
        p += 8;
        n -= 8;
    }
    while (n--)
        h = (h ^ (unsigned char)*p++) * 0x100000001b3u;
    return (uint32_t)(h ^ (h >> 32));
}

void chunk_encode(struct buf *out, const struct chunk_event *ev, size_t n, const struct chunk_state *s)
{
    size_t start = out->n;
    int open = 0;

    for (int i = 0; i < s->n_lanes; i++)
        if (s->lane_end[i] > ev[0].ts)
            open = i + 1;
    char *p = buf_room(out, 10 + (size_t)open * 10 + 8 + n * 40 + 4);
    if (!p)
        return;
    char *begin = p;
    p = put_varint(p, (uint64_t)open);
    for (int i = 0; i < open; i++)
        p = put_varint(p, zigzag(s->lane_end[i] > ev[0].ts ? s->lane_end[i] - ev[0].ts : 0));
    for (int i = 0; i < 8; i++)
        *p++ = (char)((uint64_t)ev[0].ts >> (8 * i));
    for (size_t i = 1; i < n; i++)
        p = put_varint(p, zigzag((int64_t)((uint64_t)ev[i].ts - (uint64_t)ev[i - 1].ts)));
    for (size_t i = 0; i < n; i++)
        p = put_varint(p, zigzag(ev[i].dur));
    for (size_t i = 0; i < n; i++)
        p = put_varint(p, ev[i].name);
    uint64_t off = 0;
    for (size_t i = 0; i < n; i++) {
        p = put_varint(p, zigzag((int64_t)(ev[i].off - off)));
        off = ev[i].off;
    }
    uint32_t sum = chunk_checksum(begin, (size_t)(p - begin));
    for (int i = 0; i < 4; i++)
        *p++ = (char)(sum >> (8 * i));
    out->n = start + (size_t)(p - begin);
}

static void place_lanes(struct chunk_event *ev, size_t n, struct chunk_state *s)
{
    int64_t busy;

    for (size_t i = 0; i < n; i++)
        ev[i].lane = chunk_place(s, ev[i].ts, ev[i].dur, &busy);
}

static uint32_t stored_sum(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Decode the list at the beginning: ends of open lanes, relative to the first start, which follows it. */
static bool decode_open(struct reader *r, struct chunk_state *s, int64_t *first)
{
    uint64_t open = get_varint(r), ts = 0;

    chunk_state_init(s);
    if (open > CHUNK_LANES)
        return false;
    for (uint64_t i = 0; i < open; i++)
        s->lane_end[i] = unzigzag(get_varint(r));
    if (r->bad || r->end - r->p < 8)
        return false;
    for (unsigned i = 0; i < 8; i++)
        ts |= (uint64_t)*r->p++ << (8 * i);
    *first = (int64_t)ts;
    for (uint64_t i = 0; i < open; i++)
        s->lane_end[i] = (int64_t)(ts + (s->lane_end[i] > 0 ? (uint64_t)s->lane_end[i] : 0));
    s->n_lanes = (int)open;
    return true;
}

bool chunk_decode(struct str blob, unsigned want, struct chunk_event *ev, size_t n)
{
    struct chunk_state s;

    if (blob.n < 4 + 8 + 1 || n == 0)
        return false;
    struct reader ts = { (const unsigned char *)blob.p, (const unsigned char *)blob.p + blob.n - 4, false };
    bool sound = want & CHUNK_CHECKED || stored_sum(ts.end) == chunk_checksum(blob.p, blob.n - 4);
    if (!sound || !decode_open(&ts, &s, &ev[0].ts))
        return false;
    /* The columns are decoded in one loop: the processor then decodes them in parallel. */
    struct reader dur = skip_varints(ts, n - 1), name = skip_varints(dur, n), off = name;
    uint64_t at = (uint64_t)ev[0].ts;
    for (size_t i = 0; i < n; i++) {
        if (i)
            at += (uint64_t)unzigzag(get_varint(&ts));
        ev[i] = (struct chunk_event){ .ts = (int64_t)at,
                                      .dur = unzigzag(get_varint(&dur)),
                                      .name = (uint32_t)get_varint(&name) };
    }
    if (ts.bad || dur.bad || name.bad)
        return false;
    if (want & CHUNK_OFF) {
        off = name;
        for (size_t i = 0; i < n; i++) {
            at = (i ? ev[i - 1].off : 0) + (uint64_t)unzigzag(get_varint(&off));
            ev[i].off = at;
        }
    }
    if (want & CHUNK_LANE)
        place_lanes(ev, n, &s);
    return !off.bad;
}
