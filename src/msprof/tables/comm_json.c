/* SPDX-License-Identifier: Apache-2.0 */
/*
 * communication.json (doc/formats/msprof.md#communicationjson): when each op moved data and waited, and how
 * fast it was.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "msprof/comm_walk.h"
#include "parsers/prof/words.h"

/* ---- sums ---- */

enum time_at { T_START, T_ELAPSE, T_TRANSIT, T_WAIT, T_SYNC, T_IDLE, T_WAIT_RATIO, T_SYNC_RATIO, N_TIMES };
enum band_at { B_RDMA, B_HCCS, B_PCIE, B_SDMA, B_SIO, N_BANDS };

static const char *const time_words[N_TIMES] = {
    [T_START] = "Start Timestamp(us)",     [T_ELAPSE] = "Elapse Time(ms)",
    [T_TRANSIT] = "Transit Time(ms)",      [T_WAIT] = "Wait Time(ms)",
    [T_SYNC] = "Synchronization Time(ms)", [T_IDLE] = "Idle Time(ms)",
    [T_WAIT_RATIO] = "Wait Time Ratio",    [T_SYNC_RATIO] = "Synchronization Time Ratio",
};
static const struct {
    const char *word;
    double large_mb; /* packets above it are large */
} bands[N_BANDS] = {
    [B_RDMA] = { "RDMA", 0.5 }, [B_HCCS] = { "HCCS", 32 }, [B_PCIE] = { "PCIE", 32 },
    [B_SDMA] = { "SDMA", 0 },   [B_SIO] = { "SIO", 32 },
};

struct packets { /* of one size */
    double mb;
    uint64_t n;
    double ms;
    size_t seq;
};
struct band {
    struct msprof_num mb, ms, rate, large;
    struct packets *p; /* by first packet */
    size_t n, cap;
};
struct sums { /* of one op, or of all */
    struct msprof_num t[N_TIMES];
    int64_t start_ns; /* wall clock */
    struct band b[N_BANDS];
};

static void sums_done(struct sums *s)
{
    for (size_t i = 0; i < N_BANDS; i++)
        free(s->b[i].p);
    *s = (struct sums){ .t = { { .v = 0 } } };
}

/* ---- times ---- */

static int add_transit(void *arg, const struct prof_comm_info *x, double mb, double ms, bool rdma,
                       struct err *e)
{
    struct sums *s = arg;

    (void)mb, (void)e;
    if (rdma || x->link != PROF_LINK_ON_CHIP)
        msprof_num_add(&s->t[T_TRANSIT], ms);
    return OK;
}

static void add_wait(void *arg, double ms)
{
    struct sums *s = arg;

    msprof_num_add(&s->t[T_WAIT], ms);
    if (!s->t[T_TRANSIT].set)
        msprof_num_add(&s->t[T_SYNC], ms);
}

static void set_ratios(struct sums *s)
{
    const double transit = s->t[T_TRANSIT].v, wait = s->t[T_WAIT].v, sync = s->t[T_SYNC].v;

    msprof_num_ratio(&s->t[T_WAIT_RATIO], wait, wait + transit);
    msprof_num_ratio(&s->t[T_SYNC_RATIO], sync, sync + transit);
}

/* Monotonic ns as a double of either half. */
static double mono_ns(const struct msprof_run *r, size_t dev, uint64_t counter)
{
    const struct prof_folder *f = r->m.dev[dev].f;

    if (r->dialect == DIALECT_PYTHON)
        return r->how[dev].ns(r->how[dev].clock, counter);
    return (double)((__int128)prof_device_ns(f, counter) - prof_mono_ns(f, 0));
}

/* The double nearest to the decimal text of ns in us. */
static double us_of(int64_t ns)
{
    char t[40];
    double v = 0;
    int n = snprintf(t, sizeof t, "%llde-3", (long long)ns);

    return str_f64((struct str){ t, (size_t)n }, &v) ? v : 0;
}

/* Times are those of one plane: that of the first task of a master call. */
static int sum_times(struct msprof_comm_walk *g, struct sums *s, struct err *e)
{
    uint64_t first = UINT64_MAX, from = UINT64_MAX, to = 0, start = UINT64_MAX;
    uint32_t plane = 0;
    size_t n = 0;

    for (size_t i = 0; i < g->n; i++) {
        const struct msprof_seen *x = &g->seen[i];
        if (!msprof_comm_info_at(g, x->at)->master)
            continue;
        plane = x->order < first ? x->plane : plane;
        first = x->order < first ? x->order : first;
        start = msprof_comm_task_at(g, x->at)->start < start ? msprof_comm_task_at(g, x->at)->start : start;
    }
    if (first == UINT64_MAX)
        return OK;
    for (size_t i = 0; i < g->n; i++) {
        const struct prof_task *t = msprof_comm_task_at(g, g->seen[i].at);
        if (g->seen[i].plane != plane)
            continue;
        g->at[n++] = g->seen[i].at;
        from = t->start < from ? t->start : from;
        to = t->end > to ? t->end : to;
    }
    s->start_ns = msprof_local_ns(&g->r->clock[g->dev], mono_ns(g->r, g->dev, start));
    s->t[T_START] = (struct msprof_num){ us_of(s->start_ns), true };
    if (msprof_comm_each(g, n, add_transit, add_wait, s, e))
        return e->code;
    msprof_num_add(&s->t[T_ELAPSE], msprof_comm_span_ns(g, from, to) / 1e6);
    msprof_num_add(&s->t[T_IDLE], s->t[T_ELAPSE].v - s->t[T_TRANSIT].v - s->t[T_WAIT].v);
    set_ratios(s);
    return OK;
}

/* ---- bandwidths ---- */

static int add_packets(struct band *b, struct packets x, struct err *e)
{
    struct packets *v = grow_array(b->p, b->n, &b->cap, sizeof *v, 8);

    if (!v)
        return err_nomem(e);
    b->p = v;
    x.seq = b->n;
    v[b->n++] = x;
    return OK;
}

static int size_cmp(const void *a, const void *b)
{
    const struct packets *x = a, *y = b;

    if (x->mb < y->mb || x->mb > y->mb)
        return x->mb < y->mb ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}
static int seq_cmp(const void *a, const void *b)
{
    const struct packets *x = a, *y = b;

    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* One element for each size, in order of its first packet. */
static void combine(struct band *b)
{
    size_t n = 0;

    if (!b->n)
        return;
    qsort(b->p, b->n, sizeof *b->p, size_cmp);
    for (size_t i = 0; i < b->n; i++) {
        const struct packets x = b->p[i];
        if (n && !(b->p[n - 1].mb < x.mb)) {
            b->p[n - 1].n += x.n;
            b->p[n - 1].ms += x.ms;
        } else {
            b->p[n++] = x;
        }
    }
    b->n = n;
    qsort(b->p, b->n, sizeof *b->p, seq_cmp);
}

static enum band_at band_of(const struct prof_comm_info *x, bool rdma)
{
    static const struct {
        uint32_t link;
        enum band_at band;
    } links[] = {
        { PROF_LINK_HCCS, B_HCCS },
        { PROF_LINK_HCCS_SW, B_HCCS },
        { PROF_LINK_PCIE, B_PCIE },
        { PROF_LINK_SIO, B_SIO },
    };

    if (rdma)
        return x->transport == PROF_SDMA ? B_SDMA : B_RDMA;
    for (size_t i = 0; i < ARRAY_LEN(links); i++)
        if (links[i].link == x->link)
            return links[i].band;
    return B_SDMA;
}

static int add_band(void *arg, const struct prof_comm_info *x, double mb, double ms, bool rdma, struct err *e)
{
    struct sums *s = arg;
    struct band *b = &s->b[band_of(x, rdma)];

    if (!rdma && x->link == PROF_LINK_ON_CHIP)
        return OK;
    msprof_num_add(&b->mb, mb);
    msprof_num_add(&b->ms, ms);
    return add_packets(b, (struct packets){ .mb = mb, .n = 1, .ms = ms }, e);
}

static void set_rates(struct sums *s)
{
    for (size_t k = 0; k < N_BANDS; k++) {
        struct band *b = &s->b[k];
        uint64_t n = 0, large = 0;
        combine(b);
        msprof_num_ratio(&b->rate, b->mb.v / 1000, b->ms.v / 1000);
        for (size_t i = 0; i < b->n && k != B_SDMA; i++) {
            n += b->p[i].n;
            large += b->p[i].mb > bands[k].large_mb ? b->p[i].n : 0;
        }
        msprof_num_ratio(&b->large, (double)large, (double)n);
    }
}

static int sum_bands(struct msprof_comm_walk *g, struct sums *s, struct err *e)
{
    const struct band *h = &s->b[B_HCCS], *p = &s->b[B_PCIE], *o = &s->b[B_SIO];
    struct band *d = &s->b[B_SDMA];

    if (msprof_comm_each_plane(g, add_band, s, e))
        return e->code;
    if (h->mb.set || p->mb.set || o->mb.set) {
        msprof_num_add(&d->mb, h->mb.v + p->mb.v + o->mb.v);
        msprof_num_add(&d->ms, h->ms.v + p->ms.v + o->ms.v);
    }
    set_rates(s);
    return OK;
}

static int add_total(struct sums *t, const struct sums *s, struct err *e)
{
    for (size_t i = T_ELAPSE; i <= T_IDLE; i++)
        msprof_num_add_num(&t->t[i], s->t[i]);
    for (size_t k = 0; k < N_BANDS; k++) {
        msprof_num_add_num(&t->b[k].mb, s->b[k].mb);
        msprof_num_add_num(&t->b[k].ms, s->b[k].ms);
        for (size_t i = 0; i < s->b[k].n && k != B_SDMA; i++)
            if (add_packets(&t->b[k], s->b[k].p[i], e))
                return e->code;
    }
    return OK;
}

/* ---- text ---- */

static void put_band(struct emit *o, const struct band *b)
{
    msprof_put_num(o, "Transit Size(MB)", b->mb, true);
    msprof_put_num(o, "Transit Time(ms)", b->ms, false);
    msprof_put_num(o, "Bandwidth(GB/s)", b->rate, false);
    msprof_put_num(o, "Large Packet Ratio", b->large, false);
    emit_s(o, ", \"Size Distribution\": {");
    for (size_t i = 0; i < b->n; i++) {
        emit_s(o, i ? ", \"" : "\"");
        emit_repr(o, b->p[i].mb);
        emit_s(o, "\": [");
        emit_u(o, b->p[i].n);
        emit_s(o, ", ");
        emit_repr(o, b->p[i].ms);
        emit_c(o, ']');
    }
    emit_c(o, '}');
}

/*
 * msprof's start is a double, which can only hold multiples of a quarter of a us
 * (doc/formats/prof-quirks.md#output-quirks).
 */
static void put_times(struct emit *o, const struct sums *s, bool compat)
{
    bool exact = s->t[T_START].set && !compat;

    if (exact) {
        msprof_put_member(o, str_of(time_words[T_START]));
        emit_fixed(o, s->start_ns, 3);
    } else {
        msprof_put_num(o, time_words[T_START], s->t[T_START], true);
    }
    for (size_t i = T_START + 1; i < N_TIMES; i++)
        msprof_put_num(o, time_words[i], s->t[i], false);
}

static void put_sums(struct emit *o, struct str name, const struct sums *s, bool compat, bool first)
{
    emit_s(o, first ? "" : ", ");
    msprof_put_member(o, name);
    emit_s(o, "{\"Communication Time Info\": {");
    put_times(o, s, compat);
    emit_s(o, "}, \"Communication Bandwidth Info\": {");
    for (size_t k = 0; k < N_BANDS; k++) {
        emit_s(o, k ? ", " : "");
        msprof_put_member(o, str_of(bands[k].word));
        emit_c(o, '{');
        put_band(o, &s->b[k]);
        emit_c(o, '}');
    }
    emit_s(o, "}}");
}

/* An op without a master call, or whose tasks have no hccl_info, has no times. */
static bool has_times(const struct prof_comm_run *x)
{
    return x->n_master > 0 && x->info != PROF_NONE;
}

static int put_ops(struct msprof_comm_walk *g, struct emit *o, struct err *e)
{
    struct sums total = { .t = { { .v = 0 } } };
    bool first = true, compat = g->r->o->compat;

    emit_c(o, '{');
    for (size_t i = 0; i < g->c->n_runs && !e->code; i++) {
        const struct prof_comm_run *x = &g->c->run[i];
        struct sums s = { .t = { { .v = 0 } } };
        if (!has_times(x))
            continue;
        uint32_t key = msprof_comm_key(g->r, x);
        if (key == PROF_NONE)
            err_nomem(e);
        else if (msprof_comm_walk_run(g, x, e) == OK && sum_times(g, &s, e) == OK &&
                 sum_bands(g, &s, e) == OK && add_total(&total, &s, e) == OK)
            put_sums(o, prof_str(g->r->m.p, key), &s, compat, first);
        sums_done(&s);
        first = false;
    }
    set_ratios(&total);
    set_rates(&total);
    put_sums(o, STR(MSPROF_COMM_TOTAL), &total, compat, first);
    emit_c(o, '}');
    sums_done(&total);
    return e->code;
}

static bool has_ops(const struct msprof_run *r, size_t dev)
{
    for (size_t i = 0; i < r->m.comm[dev].n_runs; i++)
        if (has_times(&r->m.comm[dev].run[i]))
            return true;
    return false;
}

/*
 * msprof writes each device to the same file, so that only the lowest is left
 * (doc/formats/prof-quirks.md#output-quirks). Here each other device gets a file in a folder of its own.
 */
int msprof_comm_json(struct msprof_run *r, struct err *e)
{
    struct msprof_comm_walk g;
    bool first = true;

    for (size_t i = 0; i < r->m.n_dev && !e->code && !msprof_comm_is_left(r); i++) {
        struct emit *o = NULL;
        if (!has_ops(r, i))
            continue;
        if (msprof_comm_walk_new(&g, r, i, e) == OK &&
            msprof_comm_file(r, &o, first ? -1 : r->m.dev[i].f->device, "communication.json", e) == OK)
            (void)!put_ops(&g, o, e);
        (void)!msprof_close(r, o, e);
        msprof_comm_walk_done(&g);
        first = false;
        if (r->o->compat)
            break;
    }
    if (first)
        msprof_comm_none(r, "communication.json");
    return e->code;
}
