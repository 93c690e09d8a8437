/* SPDX-License-Identifier: Apache-2.0 */
/* api_statistic.csv: calls of the host by name and level (doc/formats/msprof.md#api_statistic). */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "base/grow.h"
#include "msprof/calls.h"

#define HEADER "Device_id,Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance"

struct group {           /* of calls; us */
    uint32_t name, next; /* next: group + 1 of the same name, 0: no more */
    unsigned level;
    uint64_t n;
    double sum, min, max, avg, squares;
};

struct counting {
    struct msprof_run *r;
    struct group *v;
    size_t n, cap;
    uint32_t *of;    /* group of each call, PROF_NONE: left out */
    uint32_t *first; /* by text: group + 1 */
    size_t n_texts;
};

/* "d" of 5.8. */
static double duration_us(const struct msprof_run *r, const struct prof_api *a)
{
    const struct prof_folder *f = r->m.p->host;

    if (r->dialect == DIALECT_PYTHON)
        return msprof_host_duration_us(&r->host_clock, a->end - a->begin);
    double us = (double)(prof_host_ns(f, a->end) - prof_host_ns(f, a->begin)) / 1000.0;
    return floor(us * 1000 + 0.5) / 1000;
}

static double round3(const struct msprof_run *r, double v)
{
    return r->dialect == DIALECT_PYTHON ? emit_round(v, 3) : floor(v * 1000 + 0.5) / 1000;
}

/* ---- groups ---- */

/* The element of first for a text, which may be new. NULL: no memory. */
static uint32_t *first_of(struct counting *c, uint32_t text)
{
    if (text >= c->n_texts) {
        size_t n = (size_t)prof_n_texts(c->r->m.p) + 1024;
        uint32_t *v = realloc(c->first, n * sizeof *v);
        if (!v)
            return NULL;
        memset(v + c->n_texts, 0, (n - c->n_texts) * sizeof *v);
        c->first = v;
        c->n_texts = n;
    }
    return &c->first[text];
}

static int group_of(struct counting *c, uint32_t name, unsigned level, uint32_t *out, struct err *e)
{
    uint32_t *first = name == PROF_NONE ? NULL : first_of(c, name);

    if (!first)
        return err_nomem(e);
    for (uint32_t i = *first; i; i = c->v[i - 1].next)
        if (c->v[i - 1].level == level) {
            *out = i - 1;
            return OK;
        }
    struct group *v = grow_array(c->v, c->n, &c->cap, sizeof *v, 64);
    if (!v)
        return err_nomem(e);
    c->v = v;
    v[c->n] = (struct group){ .name = name, .level = level, .next = *first };
    *out = (uint32_t)c->n++;
    *first = (uint32_t)c->n;
    return OK;
}

static void count(struct group *g, double d)
{
    g->min = !g->n || d < g->min ? d : g->min;
    g->max = !g->n || d > g->max ? d : g->max;
    g->sum += d;
    g->n++;
}

/* Sums up in order of begin, as the calls are sorted. */
static int count_all(struct counting *c, const struct msprof_calls *w, struct err *e)
{
    const struct prof_host *h = &c->r->m.host;

    for (size_t i = 0; i < h->n_apis; i++) {
        const struct prof_api *a = &h->api[i];
        c->of[i] = PROF_NONE;
        if (!(c->r->dialect == DIALECT_PYTHON || prof_api_is_kept(c->r->m.p, h, a)) ||
            !msprof_calls_has(c->r, w, a))
            continue;
        if (group_of(c, prof_api_name(c->r->m.p, a), a->level, &c->of[i], e))
            return e->code;
        count(&c->v[c->of[i]], duration_us(c->r, a));
    }
    return OK;
}

static void vary_all(struct counting *c)
{
    const struct prof_host *h = &c->r->m.host;

    for (size_t i = 0; i < c->n; i++) {
        struct group *g = &c->v[i];
        if (c->r->dialect == DIALECT_PYTHON)
            g->sum = emit_round(g->sum, 3);
        g->avg = round3(c->r, g->sum / (double)g->n);
    }
    for (size_t i = 0; i < h->n_apis; i++) {
        if (c->of[i] == PROF_NONE)
            continue;
        struct group *g = &c->v[c->of[i]];
        double d = duration_us(c->r, &h->api[i]) - g->avg;
        g->squares += c->r->dialect == DIALECT_PYTHON ? emit_round(d * d, 3) : d * d;
    }
}

/* ---- the table ---- */

struct named {
    struct str name;
    const struct group *g;
};

/* By name as bytes, then by level. */
static int compare(const void *pa, const void *pb)
{
    const struct named *a = pa, *b = pb;
    int c = str_cmp(a->name, b->name);

    return c ? c : a->g->level < b->g->level ? -1 : a->g->level > b->g->level;
}

static void put_number(const struct msprof_run *r, struct emit *o, double v)
{
    emit_c(o, ',');
    if (r->dialect == DIALECT_PYTHON)
        emit_repr(o, v);
    else
        msprof_put_trim3(o, v);
}

/* device -1: the host. */
static void put_row(const struct msprof_run *r, struct emit *o, int device, const struct named *x)
{
    const struct group *g = x->g;
    const char *word = prof_level_word(g->level);

    if (device < 0)
        emit_s(o, "host,");
    else
        emit_fmt(o, "%d,", device);
    if (word)
        emit_s(o, word);
    else
        emit_u(o, g->level);
    msprof_cell(o, x->name);
    put_number(r, o, g->sum);
    emit_c(o, ',');
    emit_u(o, g->n);
    put_number(r, o, g->avg);
    put_number(r, o, round3(r, g->min));
    put_number(r, o, round3(r, g->max));
    put_number(r, o, round3(r, g->squares / (double)g->n));
    emit_c(o, '\n');
}

static int write_rows(const struct counting *c, const struct named *v, struct msprof_csv *csv, int device,
                      struct err *e)
{
    for (size_t i = 0; i < c->n; i++) {
        struct emit *o = msprof_csv_row(csv, e);
        if (!o)
            return e->code;
        put_row(c->r, o, device, &v[i]);
    }
    return OK;
}

static int write_sorted(const struct counting *c, struct msprof_csv *csv, int device, struct err *e)
{
    struct named *v = calloc(c->n + 1, sizeof *v);

    if (!v)
        return err_nomem(e);
    for (size_t i = 0; i < c->n; i++)
        v[i] = (struct named){ prof_str(c->r->m.p, c->v[i].name), &c->v[i] };
    qsort(v, c->n, sizeof *v, compare);
    (void)!write_rows(c, v, csv, device, e);
    free(v);
    return e->code;
}

/* The rows of one device; -1: rows of the host. */
static int write_list(struct msprof_run *r, struct msprof_csv *csv, size_t at, int device, struct err *e)
{
    const struct msprof_calls w = msprof_calls_of(r, at);
    struct counting c = { .r = r };

    c.of = spool_array(r->m.p->spool, r->m.host.n_apis, sizeof *c.of);
    if (!c.of)
        return err_nomem(e);
    if (count_all(&c, &w, e) == OK) {
        vary_all(&c);
        (void)!write_sorted(&c, csv, device, e);
    }
    free(c.v);
    spool_free(r->m.p->spool, c.of);
    free(c.first);
    return e->code;
}

/* Python repeats the list for each device. */
int msprof_api_statistic(struct msprof_run *r, struct err *e)
{
    size_t times = r->dialect == DIALECT_PYTHON && r->m.n_dev ? r->m.n_dev : 1;
    struct msprof_csv csv;

    if (!r->m.host.n_apis) {
        msprof_no_data(r, "api_statistic", ".csv", "there are no calls of the host (api_event)");
        return OK;
    }
    /* there are few rows, fewer than names: one file */
    if (msprof_csv_begin(&csv, r, "api_statistic", 1, HEADER, e))
        return e->code;
    for (size_t k = 0; k < times && !e->code; k++)
        (void)!write_list(r, &csv, k, r->dialect && r->m.n_dev ? r->m.dev[k].f->device : -1, e);
    return msprof_csv_end(&csv, e);
}
