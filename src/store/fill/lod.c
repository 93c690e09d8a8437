/* SPDX-License-Identifier: Apache-2.0 */
/* Building, storing and reading back the levels of detail. */
#include "config.h"

#include "store/fill/lod.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/fill/chunk.h"
#include "store/topname.h"

/* A bucket while building. Times are in units of 1 << unit_of() ns, so that they fit. */
struct cell {
    uint32_t busy, name_time;
    uint32_t count, name;
};

/* Names in the bucket that is being covered: exact for the lowest level as long as buckets are not merged. */
struct names {
    struct topname top;
    uint32_t at; /* the bucket; UINT32_MAX: none */
};

struct lod {
    struct lod_pool *pool;
    struct lod *next, **prev;
    enum lod_kind kind;
    int64_t t0;
    int shift;
    uint32_t n; /* buckets there is room for */
    uint64_t events;
    uint64_t covered; /* end of the union so far, from t0 */
    struct cell *cells;
    struct lod_value *values; /* of a counter, instead of cells */
    struct names *names;
};

void lod_pool_init(struct lod_pool *p, size_t limit_b)
{
    *p = (struct lod_pool){ .limit_b = limit_b, .cap = LOD_BUCKETS };
}

/* Shift of the unit of times; 0 up to buckets of 2 s. */
static int unit_of(int shift)
{
    return shift > 31 ? shift - 31 : 0;
}

static uint32_t cap_of(const struct lod *l)
{
    return l->kind == LOD_LANE ? l->pool->cap / LOD_LANE_SHARE : l->pool->cap;
}

static size_t bucket_b(const struct lod *l)
{
    return l->kind == LOD_COUNTER ? sizeof *l->values : sizeof *l->cells;
}

static void *buckets(const struct lod *l)
{
    return l->kind == LOD_COUNTER ? (void *)l->values : (void *)l->cells;
}

/* Room for n buckets, new ones empty. */
static int resize(struct lod *l, uint32_t n, struct err *e)
{
    char *p = realloc(buckets(l), (size_t)n * bucket_b(l));

    if (!p)
        return err_nomem(e);
    if (n > l->n)
        memset(p + (size_t)l->n * bucket_b(l), 0, (size_t)(n - l->n) * bucket_b(l));
    l->pool->used_b += (size_t)n * bucket_b(l);
    l->pool->used_b -= (size_t)l->n * bucket_b(l);
    l->n = n;
    if (l->kind == LOD_COUNTER)
        l->values = (struct lod_value *)p;
    else
        l->cells = (struct cell *)p;
    return OK;
}

static void enlist(struct lod *l)
{
    l->next = l->pool->all;
    l->prev = &l->pool->all;
    if (l->next)
        l->next->prev = &l->next;
    l->pool->all = l;
}

void lod_free(struct lod *l)
{
    if (!l)
        return;
    if (l->prev) {
        *l->prev = l->next;
        if (l->next)
            l->next->prev = l->prev;
    }
    l->pool->used_b -= (size_t)l->n * bucket_b(l);
    free(buckets(l));
    free(l->names);
    free(l);
}

/* ---- names of the bucket that is being covered ---- */

static void cover_bucket(struct lod *l, uint32_t i, uint64_t ns, uint32_t name)
{
    struct cell *c = &l->cells[i];
    uint32_t time = (uint32_t)(ns >> unit_of(l->shift)); /* a bucket has at most 2^31 units */

    time += !time;
    if (l->names->at != i) {
        l->names->at = i;
        topname_begin(&l->names->top);
        if (c->name_time) /* the name with most time in buckets that were merged */
            topname_add(&l->names->top, c->name, c->name_time);
    }
    uint64_t sum = topname_add(&l->names->top, name, time);
    c->busy = c->busy > UINT32_MAX - time ? UINT32_MAX : c->busy + time;
    if (sum > c->name_time) {
        c->name_time = sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
        c->name = name;
    }
}

/* ---- wider buckets, or more ---- */

/* A time in units that are 1 << drop times as long; at least 1 unless it is 0. */
static uint32_t shorten(uint64_t time, int drop)
{
    uint64_t t = time >> drop;
    return t > UINT32_MAX ? UINT32_MAX : (uint32_t)(t + (time && !t));
}

static void merge_cells(struct cell *to, const struct cell *from, size_t n, int drop)
{
    uint64_t busy = 0, best = 0;
    uint32_t count = 0, name = 0;

    for (size_t i = 0; i < n; i++) {
        uint64_t time = from[i].name_time;
        busy += from[i].busy;
        count += from[i].count;
        for (size_t k = i + 1; k < n; k++)
            time += from[k].name == from[i].name ? from[k].name_time : 0;
        if (from[i].name && (time > best || !name)) {
            best = time;
            name = from[i].name;
        }
    }
    *to = (struct cell){ shorten(busy, drop), shorten(best, drop), count, name };
}

static void merge_values(struct lod_value *to, const struct lod_value *from, size_t n)
{
    struct lod_value sum = { .count = 0 };

    for (size_t i = 0; i < n; i++) {
        if (!from[i].count)
            continue;
        sum.lo = sum.count ? fminf(sum.lo, from[i].lo) : from[i].lo;
        sum.hi = sum.count ? fmaxf(sum.hi, from[i].hi) : from[i].hi;
        sum.last = from[i].last;
        sum.count += from[i].count;
    }
    *to = sum;
}

/* Merge each 2^by neighbours of the first n buckets; returns how many are left. The rest is empty. */
static uint32_t widen(struct lod *l, uint32_t n, int by)
{
    uint32_t each = 1u << by, left = (n + each - 1) / each;
    int drop = unit_of(l->shift + by) - unit_of(l->shift);

    for (uint32_t i = 0; i < left; i++) {
        uint32_t from = i * each, k = n - from < each ? n - from : each;
        if (l->kind == LOD_COUNTER)
            merge_values(&l->values[i], &l->values[from], k);
        else
            merge_cells(&l->cells[i], &l->cells[from], k, drop);
    }
    memset((char *)buckets(l) + left * bucket_b(l), 0, (n - left) * bucket_b(l));
    l->shift += by;
    if (l->names)
        l->names->at = UINT32_MAX;
    return left;
}

static int keep_cap(struct lod *l, struct err *e)
{
    while (l->n > cap_of(l)) {
        uint32_t n = widen(l, l->n, 1);
        if (resize(l, n, e))
            return e->code;
    }
    return OK;
}

static int keep_limit(struct lod_pool *p, struct err *e)
{
    while (p->used_b > p->limit_b && p->cap > LOD_LEAST * LOD_LANE_SHARE) {
        p->cap /= 2;
        for (struct lod *l = p->all; l; l = l->next)
            if (keep_cap(l, e))
                return e->code;
    }
    return OK;
}

static int grow(struct lod *l, struct err *e)
{
    uint64_t wanted = l->events / 4;

    if (l->kind == LOD_LANE && wanted < LOD_PART)
        wanted = LOD_PART;
    if (l->n >= cap_of(l) || l->n >= wanted) {
        widen(l, l->n, 1);
        return OK;
    }
    uint32_t more = l->n + l->n / 4; /* as far as the events reach, not twice as far */
    more = more < wanted ? more : (uint32_t)wanted;
    more = more < cap_of(l) ? more : cap_of(l);
    return resize(l, more, e) || keep_limit(l->pool, e) ? e->code : OK;
}

/* ---- building ---- */

static int make(struct lod **out, struct lod_pool *p, enum lod_kind kind, uint32_t n, struct err *e)
{
    struct lod *l = calloc(1, sizeof *l);

    *out = NULL;
    if (!l)
        return err_nomem(e);
    l->pool = p;
    l->kind = kind;
    if (kind != LOD_COUNTER) {
        l->names = calloc(1, sizeof *l->names);
        if (l->names)
            l->names->at = UINT32_MAX;
    }
    if ((kind != LOD_COUNTER && !l->names) || resize(l, n, e)) {
        lod_free(l);
        return err_nomem(e);
    }
    enlist(l);
    *out = l;
    return OK;
}

int lod_new(struct lod **out, struct lod_pool *p, enum lod_kind kind, int64_t first_ts, struct err *e)
{
    uint32_t cap = kind == LOD_LANE ? p->cap / LOD_LANE_SHARE : p->cap;

    if (make(out, p, kind, cap < LOD_FIRST ? cap : LOD_FIRST, e))
        return e->code;
    (*out)->t0 = first_ts;
    (*out)->shift = LOD_FIRST_SHIFT;
    return keep_limit(p, e);
}

int lod_copy(struct lod **out, const struct lod *l, enum lod_kind kind, struct err *e)
{
    if (make(out, l->pool, kind, l->n, e))
        return e->code;
    struct lod *c = *out;
    c->t0 = l->t0;
    c->shift = l->shift;
    c->events = l->events;
    c->covered = l->covered;
    memcpy(c->cells, l->cells, (size_t)l->n * sizeof *l->cells);
    return keep_cap(c, e) ? e->code : keep_limit(l->pool, e);
}

/* Cover [a, b), both counted from t0. Each bucket ends after a, so pieces are not empty. */
static void cover(struct lod *l, uint64_t a, uint64_t b, uint32_t name)
{
    for (uint32_t i = (uint32_t)(a >> l->shift); a < b; i++) {
        /* The last bucket has no end; nor has one that ends at the largest time. */
        bool open = i + 1 == l->n || (uint64_t)i + 1 > UINT64_MAX >> l->shift;
        uint64_t edge = open ? UINT64_MAX : ((uint64_t)i + 1) << l->shift;
        uint64_t end = b < edge ? b : edge;
        cover_bucket(l, i, end - a, name);
        a = end;
    }
}

int lod_add_event(struct lod *l, int64_t ts, int64_t end, uint32_t name, struct err *e)
{
    uint64_t a = (uint64_t)ts - (uint64_t)l->t0, b = (uint64_t)end - (uint64_t)l->t0;

    l->events++;
    while ((b > a ? b - 1 : a) >> l->shift >= l->n)
        if (grow(l, e))
            return e->code;
    struct cell *c = &l->cells[a >> l->shift];
    c->count++;
    if (!c->name)
        c->name = name; /* so that instants have a name */
    if (b <= l->covered)
        return OK;
    cover(l, a > l->covered ? a : l->covered, b, name);
    l->covered = b;
    return OK;
}

int lod_add_sample(struct lod *l, int64_t ts, double value, struct err *e)
{
    uint64_t a = (uint64_t)ts - (uint64_t)l->t0;
    float v = (float)value;

    l->events++;
    while (a >> l->shift >= l->n)
        if (grow(l, e))
            return e->code;
    struct lod_value *c = &l->values[a >> l->shift], one = { 1, v, v, v }, both[2] = { *c, one };
    merge_values(c, both, 2);
    return OK;
}

/* ---- storing ---- */

enum form { FORM_DENSE, FORM_SPARSE, FORM_DENSE_VALUES, FORM_SPARSE_VALUES, N_FORMS };

static const struct {
    size_t bucket_b;
    bool sparse, values;
} forms[N_FORMS] = {
    [FORM_DENSE] = { 10, false, false },
    [FORM_SPARSE] = { 12, true, false },
    [FORM_DENSE_VALUES] = { 16, false, true },
    [FORM_SPARSE_VALUES] = { 18, true, true },
};

static void put_le(char **p, uint64_t v, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        *(*p)++ = (char)(v >> (8 * i));
}

static uint64_t get_le(const char *p, unsigned bytes)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < bytes; i++)
        v |= (uint64_t)(unsigned char)p[i] << (8 * i);
    return v;
}

static uint32_t float_bits(float v)
{
    uint32_t u;
    memcpy(&u, &v, sizeof u);
    return u;
}

static float bits_float(uint64_t u)
{
    uint32_t w = (uint32_t)u;
    float v;
    memcpy(&v, &w, sizeof v);
    return v;
}

static bool is_empty(const struct lod *l, uint32_t i)
{
    return l->kind == LOD_COUNTER ? !l->values[i].count : !l->cells[i].count && !l->cells[i].busy;
}

/*
 * Share of a bucket's width in units of 1 / LOD_FULL, rounded to the nearest but not to 0. busy: in the
 * bucket's units.
 */
static uint64_t share(uint32_t busy, int shift)
{
    int width = shift - unit_of(shift); /* 31 at most: the product fits */
    uint64_t s = ((uint64_t)busy * LOD_FULL + ((uint64_t)1 << (width - 1))) >> width;

    return busy && !s ? 1 : s > LOD_FULL ? LOD_FULL : s;
}

/* Write one array of the part: field f of every bucket that is stored. */
static void put_field(const struct lod *l, uint32_t first, uint32_t n, bool sparse, int f, char **p)
{
    for (uint32_t i = first; i < first + n; i++) {
        const struct cell *c = &l->cells[i];
        if (!sparse || !is_empty(l, i))
            put_le(p, f == 0 ? share(c->busy, l->shift) : f == 1 ? c->name : c->count, f ? 4 : 2);
    }
}

static void put_value_field(const struct lod *l, uint32_t first, uint32_t n, bool sparse, int f, char **p)
{
    for (uint32_t i = first; i < first + n; i++) {
        const struct lod_value *v = &l->values[i];
        if (!sparse || !is_empty(l, i))
            put_le(p, f == 0 ? v->count : float_bits(f == 1 ? v->lo : f == 2 ? v->hi : v->last), 4);
    }
}

/* false: all buckets are empty. */
static bool encode(const struct lod *l, uint32_t first, uint32_t n, struct buf *out)
{
    uint32_t filled = 0;

    for (uint32_t i = first; i < first + n; i++)
        filled += !is_empty(l, i);
    if (!filled)
        return false;
    enum form form = l->kind == LOD_COUNTER ? FORM_DENSE_VALUES : FORM_DENSE;
    if (filled * forms[form + 1].bucket_b < n * forms[form].bucket_b)
        form++;
    size_t each = forms[form].bucket_b, size = 1 + (forms[form].sparse ? filled : n) * each + 4;
    buf_clear(out);
    char *p = buf_room(out, size), *begin = p;
    if (!p)
        return true;
    *p++ = (char)form;
    for (uint32_t i = 0; i < n && forms[form].sparse; i++)
        if (!is_empty(l, first + i))
            put_le(&p, i, 2);
    for (int f = 0; f < (forms[form].values ? 4 : 3); f++)
        (forms[form].values ? put_value_field : put_field)(l, first, n, forms[form].sparse, f, &p);
    put_le(&p, chunk_checksum(begin, size - 4), 4);
    out->n += size;
    return true;
}

int lod_write(struct lod *l, struct buf *buf,
              int (*fn)(void *arg, const struct lod_part *part, struct err *e), void *arg, struct err *e)
{
    uint32_t n = l->n;

    while (n > 1 && is_empty(l, n - 1))
        n--;
    for (int level = 0;; level++) {
        for (uint32_t part = 0; part * LOD_PART < n; part++) {
            uint32_t first = part * LOD_PART, k = n - first < LOD_PART ? n - first : LOD_PART;
            if (!encode(l, first, k, buf))
                continue;
            if (buf_failed(buf))
                return err_nomem(e);
            int64_t t0 = (int64_t)((uint64_t)l->t0 + ((uint64_t)first << l->shift));
            const struct lod_part out = { level, part, t0, l->shift, buf_str(buf) };
            if (fn(arg, &out, e))
                return e->code;
        }
        if (n <= LOD_LEAST)
            return OK;
        n = widen(l, n, LOD_STEP);
    }
}

/* ---- reading ---- */

/* The arrays of a part. */
struct part {
    const char *index; /* NULL: dense */
    const char *fields;
    uint32_t n;
};

static bool open_part(struct str blob, bool values, struct part *p)
{
    if (blob.n < 1 + 4 || (unsigned char)blob.p[0] >= N_FORMS)
        return false;
    unsigned form = (unsigned char)blob.p[0];
    size_t body = blob.n - 5, each = forms[form].bucket_b;
    if (forms[form].values != values || body % each || body / each > LOD_PART)
        return false;
    p->n = (uint32_t)(body / each);
    p->index = forms[form].sparse ? blob.p + 1 : NULL;
    p->fields = blob.p + 1 + (forms[form].sparse ? (size_t)p->n * 2 : 0);
    return true;
}

bool lod_check(struct str blob)
{
    return blob.n > 4 && get_le(blob.p + blob.n - 4, 4) == chunk_checksum(blob.p, blob.n - 4);
}

/* First stored bucket at position or after it. */
static uint32_t seek(const struct part *p, uint32_t position)
{
    uint32_t lo = 0, hi = p->n;

    if (!p->index)
        return position < p->n ? position : p->n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (get_le(p->index + (size_t)mid * 2, 2) < position)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static uint32_t position_of(const struct part *p, uint32_t i)
{
    return p->index ? (uint32_t)get_le(p->index + (size_t)i * 2, 2) : i;
}

bool lod_decode(struct str blob, uint32_t first, uint32_t n, struct lod_bucket *out)
{
    struct part p;

    memset(out, 0, (size_t)n * sizeof *out);
    if (!open_part(blob, false, &p))
        return false;
    const char *name = p.fields + (size_t)p.n * 2, *count = name + (size_t)p.n * 4;
    for (uint32_t i = seek(&p, first); i < p.n; i++) {
        uint32_t at = position_of(&p, i) - first;
        if (at >= n)
            break;
        out[at].busy = (uint16_t)get_le(p.fields + (size_t)i * 2, 2);
        out[at].name = (uint32_t)get_le(name + (size_t)i * 4, 4);
        out[at].count = (uint32_t)get_le(count + (size_t)i * 4, 4);
    }
    return true;
}

bool lod_decode_values(struct str blob, uint32_t first, uint32_t n, struct lod_value *out)
{
    struct part p;

    memset(out, 0, (size_t)n * sizeof *out);
    if (!open_part(blob, true, &p))
        return false;
    size_t each = (size_t)p.n * 4;
    for (uint32_t i = seek(&p, first); i < p.n; i++) {
        uint32_t at = position_of(&p, i) - first;
        const char *f = p.fields + (size_t)i * 4;
        if (at >= n)
            break;
        out[at].count = (uint32_t)get_le(f, 4);
        out[at].lo = bits_float(get_le(f + each, 4));
        out[at].hi = bits_float(get_le(f + 2 * each, 4));
        out[at].last = bits_float(get_le(f + 3 * each, 4));
    }
    return true;
}
