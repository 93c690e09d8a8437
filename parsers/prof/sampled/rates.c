/* SPDX-License-Identifier: Apache-2.0 */
/* Rates of sampled data (doc/formats/msprof.md#small-tables). */
#include "config.h"

#include <stdlib.h>

#include "base/grow.h"
#include "parsers/prof/sampled/sampled.h"
#include "parsers/read/lines.h"

#define HBM_MB 0.000030517578125 /* of one access: 32 bytes */

/* ---- samples in memory ---- */

struct one {
    int64_t ns;
    uint64_t count;
    uint32_t event, id;
    uint32_t place; /* position in the file */
};
struct all {
    struct one *v;
    size_t n, cap;
    prof_sample_clock *clock;
    const void *arg;
};

static int keep(void *arg, const struct prof_sample *s, struct err *e)
{
    struct all *a = arg;
    struct one *v = grow_array(a->v, a->n, &a->cap, sizeof *v, 256);

    if (!v)
        return err_nomem(e);
    a->v = v;
    v[a->n] = (struct one){ a->clock(a->arg, s->us), s->count, s->event, s->id, (uint32_t)a->n };
    a->n++;
    return OK;
}

/*
 * over / under in thousandths, half to even; 0 when there is nothing to divide by, the largest when it does
 * not fit.
 */
static int64_t thousandths(__int128 over, __int128 under)
{
    if (under <= 0 || __builtin_mul_overflow(over, (__int128)1000, &over))
        return 0;
    __int128 q = over / under, twice = over % under * 2;

    if (twice > under || (twice == under && q % 2))
        q++;
    return q > INT64_MAX ? INT64_MAX : (int64_t)q;
}

/* ---- hbm ---- */

static int by_hbm_key(const struct one *a, const struct one *b)
{
    bool write_a = a->event != 0, write_b = b->event != 0;

    if (a->ns != b->ns)
        return a->ns < b->ns ? -1 : 1;
    if (write_a != write_b)
        return write_a ? 1 : -1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static int by_hbm(const void *a, const void *b)
{
    const struct one *x = a, *y = b;
    int c = by_hbm_key(x, y);

    return c ? c : x->place < y->place ? -1 : x->place > y->place;
}

/* Keeps the last of equal keys. Returns how many are left. */
static size_t drop_replaced(struct one *v, size_t n)
{
    size_t k = 0;

    for (size_t i = 0; i < n; i++)
        if (i + 1 == n || by_hbm_key(&v[i], &v[i + 1]))
            v[k++] = v[i];
    return k;
}

/*
 * The previous sample is `back` points before; for the first ones msprof takes the last ones, so that nothing
 * is measured. Of two at one instant it takes the count.
 */
static double hbm_rate(const struct one *v, size_t n, size_t i, size_t back)
{
    if (i < back && i + n < back)
        return 0;
    int64_t before = v[i >= back ? i - back : i + n - back].ns;
    double d = (double)v[i].ns - (double)before;

    if (v[i].ns == before)
        return (double)v[i].count;
    return d > 0 ? (double)v[i].count * HBM_MB / d * 1e9 : 0;
}

int prof_hbm_points(struct prof *p, const struct prof_folder *f, prof_sample_clock *clock, const void *arg,
                    struct prof_hbm_point **out, size_t *n, struct err *e)
{
    struct all a = { .clock = clock, .arg = arg };
    size_t back = f->meta.n_hbm_events == 1 ? 4 : 8;

    *out = NULL;
    *n = 0;
    if (prof_sample_read(p, f, PROF_HBM, keep, &a, e) == OK && a.n) {
        qsort(a.v, a.n, sizeof *a.v, by_hbm);
        a.n = drop_replaced(a.v, a.n);
        struct prof_hbm_point *v = calloc(a.n, sizeof *v);
        for (size_t i = 0; v && i < a.n; i++)
            v[i] = (struct prof_hbm_point){ .ns = a.v[i].ns,
                                            .id = a.v[i].id,
                                            .write = a.v[i].event != 0,
                                            .count = a.v[i].count,
                                            .mbs = hbm_rate(a.v, a.n, i, back) };
        if (v) {
            *out = v;
            *n = a.n;
        } else {
            (void)err_nomem(e);
        }
    }
    free(a.v);
    return e->code;
}

/* ---- ddr ---- */

struct access {
    uint64_t us;
    uint32_t master, count;
    bool write;
};
struct accesses {
    struct access *v;
    size_t n, cap;
};

static int keep_access(void *arg, const struct prof_sample *s, struct err *e)
{
    struct accesses *a = arg;
    struct access *v = grow_array(a->v, a->n, &a->cap, sizeof *v, 256);

    if (!v)
        return err_nomem(e);
    a->v = v;
    v[a->n++] = (struct access){ s->us, s->master, (uint32_t)s->count, s->event != 0 };
    return OK;
}

static int by_access(const void *a, const void *b)
{
    const struct access *x = a, *y = b;

    if (x->master != y->master) /* PROF_NONE first */
        return x->master + 1 < y->master + 1 ? -1 : 1;
    return x->us < y->us ? -1 : x->us > y->us;
}

static void set_ddr_rates(struct prof_ddr_point *o, const uint64_t count[2], uint64_t before_us,
                          unsigned bytes)
{
    double dt = ((double)o->us - (double)before_us) * 1000;

    for (int w = 0; w < 2 && dt > 0; w++) {
        o->mbs[w] = (double)count[w] * bytes / (dt * 1048576) * 1e9;
        o->mbs_thousandth[w] = (double)count[w] * (bytes * 8) / (dt * 1048576 * 8) * 1e6;
    }
}

static size_t ddr_group(const struct accesses *a, unsigned bytes, struct prof_ddr_point *out)
{
    size_t k = 0, to;

    for (size_t i = 0; i < a->n; i = to) {
        uint64_t count[2] = { 0 };
        for (to = i; to < a->n && !by_access(&a->v[i], &a->v[to]); to++)
            count[a->v[to].write] += a->v[to].count;
        bool follows = k && out[k - 1].master == a->v[i].master;
        out[k] = (struct prof_ddr_point){ .us = a->v[i].us, .master = a->v[i].master };
        set_ddr_rates(&out[k], count, follows ? out[k - 1].us : 0, bytes);
        k++;
    }
    return k;
}

int prof_ddr_points(struct prof *p, const struct prof_folder *f, struct prof_ddr_point **out, size_t *n,
                    struct err *e)
{
    struct accesses a = { .v = NULL };

    *out = NULL;
    *n = 0;
    if (prof_sample_read(p, f, PROF_DDR, keep_access, &a, e) == OK && a.n) {
        qsort(a.v, a.n, sizeof *a.v, by_access);
        if ((*out = calloc(a.n, sizeof **out)) != NULL)
            *n = ddr_group(&a, p->chip->ddr_access_b, *out);
        else
            (void)err_nomem(e);
    }
    free(a.v);
    return e->code;
}

/* ---- llc ---- */

#define LLC_EVENTS 8

/* Events that are counted, by mode (doc/formats/prof.md#binary-samples). */
static const uint8_t *llc_events(struct str mode)
{
    static const uint8_t read[LLC_EVENTS] = { 0x00, 0x01, 0x02, 0x13, 0x20, 0x22, 0x34, 0x36 };
    static const uint8_t write[LLC_EVENTS] = { 0x00, 0x01, 0x03, 0x14, 0x21, 0x23, 0x35, 0x37 };

    return str_eq(mode, STR("read")) ? read : str_eq(mode, STR("write")) ? write : NULL;
}

static int by_llc(const void *a, const void *b)
{
    const struct one *x = a, *y = b;

    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    if (x->ns != y->ns)
        return x->ns < y->ns ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/*
 * The point of the n samples of one cache and instant; before: the previous one of the same cache, NULL:
 * none.
 */
static struct prof_llc_point llc_point(const struct one *v, size_t n, const uint8_t *event,
                                       const struct prof_llc_point *before)
{
    struct prof_llc_point o = { .ns = v->ns, .id = v->id };
    uint64_t c[LLC_EVENTS] = { 0 };

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < LLC_EVENTS; k++)
            if (v[i].event == event[k])
                c[k] = v[i].count;
    o.hit_e3 = thousandths((__int128)c[2] + c[3] + c[5] + c[7], (__int128)c[4] + c[6]);
    if (before) {
        /* lines of 64 bytes: n * 64 / 2^20 MB in dt / 10^9 s */
        __int128 lines = ((__int128)c[0] + c[1]) * 1000000000, dt = (__int128)o.ns - before->ns;
        o.mbs_e3 = thousandths(lines, dt * 16384);
        o.mbs64_e3 = thousandths(lines, dt * 256);
    }
    return o;
}

static size_t llc_group(struct one *v, size_t n, const uint8_t *event, uint32_t caches,
                        struct prof_llc_point *out)
{
    size_t k = 0, to;

    for (size_t i = 0; i < n; i = to) {
        for (to = i + 1; to < n && v[to].id == v[i].id && v[to].ns == v[i].ns;)
            to++;
        if (v[i].id >= caches)
            continue;
        bool has_before = k && out[k - 1].id == v[i].id;
        out[k] = llc_point(&v[i], to - i, event, has_before ? &out[k - 1] : NULL);
        k++;
    }
    return k;
}

int prof_llc_points(struct prof *p, const struct prof_folder *f, prof_sample_clock *clock, const void *arg,
                    struct prof_llc_point **out, size_t *n, struct err *e)
{
    struct all a = { .clock = clock, .arg = arg };
    const uint8_t *event = llc_events(f->meta.llc_mode);

    *out = NULL;
    *n = 0;
    if (event && prof_sample_read(p, f, PROF_LLC, keep, &a, e) == OK && a.n) {
        qsort(a.v, a.n, sizeof *a.v, by_llc);
        if ((*out = calloc(a.n, sizeof **out)) != NULL)
            *n = llc_group(a.v, a.n, event, p->chip->llc_caches, *out);
        else
            (void)err_nomem(e);
    }
    free(a.v);
    return e->code;
}

/* ---- hccs ---- */

struct hccs_sample {
    uint64_t ns, tx, rx;
    uint32_t place;
};
struct hccs {
    struct prof *p;
    struct hccs_sample *v;
    size_t n, cap;
    bool has_header;
};

/* "ts: tx rx"; the first line is a header. */
static int take_hccs(void *arg, struct str line, const struct where *w, struct err *e)
{
    struct hccs *h = arg;
    struct hccs_sample s, *v;
    struct str word[4];
    size_t n = lines_words(line, word, ARRAY_LEN(word));
    bool first = !h->has_header;

    h->has_header = true;
    if (!n)
        return OK;
    struct str stamp = str_sub(word[0], 0, word[0].n - str_ends(word[0], STR(":")));
    if (n != 3 || !str_u64(stamp, &s.ns) || !str_u64(word[1], &s.tx) || !str_u64(word[2], &s.rx)) {
        if (!first)
            prof_note_at(h->p, NOTE_BAD_ROW, w, "a line that is no sample was left out");
        return OK;
    }
    if (!(v = grow_array(h->v, h->n, &h->cap, sizeof *v, 64)))
        return err_nomem(e);
    h->v = v;
    s.place = (uint32_t)h->n;
    v[h->n++] = s;
    return OK;
}

static int by_time(const void *a, const void *b)
{
    const struct hccs_sample *x = a, *y = b;

    if (x->ns != y->ns)
        return x->ns < y->ns ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

int64_t prof_hccs_rate(uint64_t bytes, uint64_t dt)
{
    return thousandths((__int128)bytes * 1000000000, (__int128)dt * 1048576);
}

static size_t hccs_rates(const struct hccs *h, struct prof_hccs_point *out)
{
    size_t k = 0;

    for (size_t i = 1; i < h->n; i++) {
        const struct hccs_sample *a = &h->v[i - 1], *b = &h->v[i];
        if (b->tx < a->tx || b->rx < a->rx || b->ns == a->ns)
            continue;
        out[k++] = (struct prof_hccs_point){ b->ns, prof_hccs_rate(b->tx - a->tx, b->ns - a->ns),
                                             prof_hccs_rate(b->rx - a->rx, b->ns - a->ns) };
    }
    return k;
}

int prof_hccs_points(struct prof *p, const struct prof_folder *f, bool lose_last,
                     struct prof_hccs_point **out, size_t *n, struct err *e)
{
    struct hccs h = { .p = p };

    *out = NULL;
    *n = 0;
    if (prof_read_lines(p, f, PROF_HCCS, take_hccs, &h, e) == OK && h.n > 1) {
        qsort(h.v, h.n, sizeof *h.v, by_time);
        if ((*out = calloc(h.n, sizeof **out)) != NULL) {
            *n = hccs_rates(&h, *out);
            *n -= lose_last && *n > 1;
        } else {
            (void)err_nomem(e);
        }
    }
    free(h.v);
    return e->code;
}
