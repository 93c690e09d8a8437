/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters of a chip's own samples (doc/formats/prof.md#stars_soc_profile, doc/formats/msprof.md#timeline):
 * accelerators, levels, links between chips and dies, QoS, low power.
 *
 * Names and members: upstream, analysis/viewer/{qos_viewer.py,ub_viewer.py,stars} and, in
 * analysis/csrc/application/timeline, the assemblers acc_pmu, stars_soc, chip_trans, chip_trans_v6, sio, qos,
 * low_power and ub.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "msprof/soc.h"
#include "msprof/trace/trace.h"
#include "parsers/prof/sampled/sampled.h"

/*
 * Records of one layer. Records of different dies at the same time follow each other; they become one event.
 */
#define TOGETHER 4
struct layer {
    struct msprof_trace *t;
    struct msprof_soc_clock clock;
    enum prof_soc_kind kind;
    struct prof_sio sio;
    struct prof_soc part[TOGETHER];
    uint64_t before[TOGETHER]; /* SIO: the previous sample */
    size_t n;
};

static struct layer layer_of(struct msprof_trace *t, enum prof_soc_kind kind)
{
    return (struct layer){ .t = t,
                           .clock = { trace_folder(t), &t->r->clock[t->device], t->r->o->compat },
                           .kind = kind };
}

static int each(struct layer *x, prof_soc_fn *fn, void *arg, struct err *e)
{
    return msprof_soc_each(x->t->r, x->t->device, x->kind, fn, arg, e);
}

static int64_t ns_of(const struct layer *x, uint64_t counter)
{
    return x->t->dialect == DIALECT_PYTHON ? trace_device_ns(x->t, counter)
                                           : msprof_soc_ns(&x->clock, counter);
}

static void put_u(struct msprof_trace *t, const struct trace_event *v, const char *key, uint64_t value)
{
    trace_counter_of(t, v);
    trace_u(t, key, value);
    trace_end(t);
}

/* ---- accelerators: the largest value of all at a time ---- */

struct acc {
    uint64_t counter;
    uint64_t v[N_PROF_ACC];
};
struct accs {
    struct acc *v;
    size_t n, cap;
};

static int keep_acc(void *arg, const struct prof_soc *s, struct err *e)
{
    struct accs *a = arg;

    struct acc *v = grow_array(a->v, a->n, &a->cap, sizeof *v, 256);
    if (!v)
        return err_nomem(e);
    a->v = v;
    v[a->n].counter = s->counter;
    memcpy(v[a->n++].v, s->v, sizeof v->v);
    return OK;
}

static int by_counter(const void *va, const void *vb)
{
    const struct acc *a = va, *b = vb;

    return a->counter < b->counter ? -1 : a->counter > b->counter;
}

static void put_acc(struct msprof_trace *t, int64_t ns, const uint64_t *v)
{
    static const struct {
        const char *name;
        unsigned i;
    } series[] = { { "read_bandwidth", PROF_ACC_READ_BW },
                   { "read_ost", PROF_ACC_READ_OST },
                   { "write_bandwidth", PROF_ACC_WRITE_BW },
                   { "write_ost", PROF_ACC_WRITE_OST } };

    for (size_t i = 0; trace_is_kept(t, ns) && i < ARRAY_LEN(series); i++)
        put_u(t, &(struct trace_event){ .word = series[i].name, .ts = ns }, "value", v[series[i].i]);
}

int trace_acc_pmu(struct msprof_trace *t, struct err *e)
{
    struct layer x = layer_of(t, PROF_SOC_ACC);
    struct accs a = { .v = NULL };
    size_t to;

    if (each(&x, keep_acc, &a, e) == OK && a.n) {
        qsort(a.v, a.n, sizeof *a.v, by_counter);
        for (size_t i = 0; i < a.n; i = to) {
            uint64_t most[N_PROF_ACC] = { 0 };
            for (to = i; to < a.n && a.v[to].counter == a.v[i].counter; to++)
                for (size_t k = 0; k < N_PROF_ACC; k++)
                    most[k] = a.v[to].v[k] > most[k] ? a.v[to].v[k] : most[k];
            put_acc(t, ns_of(&x, a.v[i].counter), most);
        }
    }
    free(a.v);
    return e->code;
}

/* ---- levels, links ---- */

static int put_level(void *arg, const struct prof_soc *s, struct err *e)
{
    static const char *const words[N_PROF_LEVEL] = { "L2 Buffer Bw Level", "Mata Bw Level" };
    struct layer *x = arg;
    int64_t ns = ns_of(x, s->counter);

    (void)e;
    if (!trace_is_kept(x->t, ns))
        return OK;
    for (size_t i = 0; i < N_PROF_LEVEL; i++)
        put_u(x->t, &(struct trace_event){ .word = words[i], .ts = ns }, words[i], s->v[i]);
    return OK;
}

int trace_soc_level(struct msprof_trace *t, struct err *e)
{
    struct layer x = layer_of(t, PROF_SOC_LEVEL);

    return each(&x, put_level, &x, e);
}

/* The thread id of a link type: its bits read as decimal digits. */
#define TID_PA   111111
#define TID_PCIE 100010

static int put_link(void *arg, const struct prof_soc *s, struct err *e)
{
    static const struct {
        const char *name[N_PROF_LINK], *id;
        uint32_t type, tid;
    } links[] = {
        { { "PA Link Rx", "PA Link Tx" }, "PA Link ID", PROF_LINK_PA, TID_PA },
        { { "PCIE Write Bandwidth", "PCIE Read Bandwidth" }, "PCIE ID", PROF_LINK_PCIE, TID_PCIE }
    };
    struct layer *x = arg;
    struct msprof_trace *t = x->t;
    int64_t ns = ns_of(x, s->counter);
    char die[32];
    size_t k = 0;

    (void)e;
    while (k < ARRAY_LEN(links) && links[k].type != s->type)
        k++;
    bool v6 = t->r->m.p->chip->v6,
         none = s->v[PROF_LINK_WRITE] == PROF_SOC_NO_RATE || s->v[PROF_LINK_READ] == PROF_SOC_NO_RATE;
    if (k == ARRAY_LEN(links) || (v6 && none) || !trace_is_kept(t, ns))
        return OK;
    snprintf(die, sizeof die, "U-Die%lu", (unsigned long)s->id);
    for (size_t i = 0; i < N_PROF_LINK; i++) {
        trace_counter_of(t, &(struct trace_event){ .word = links[k].name[i], .tid = links[k].tid, .ts = ns });
        if (!v6)
            trace_u(t, links[k].id, s->id);
        trace_u(t, v6 ? die : links[k].name[i], s->v[i]);
        trace_end(t);
    }
    return OK;
}

int trace_chip_trans(struct msprof_trace *t, struct err *e)
{
    struct layer x = layer_of(t, PROF_SOC_LINK);

    return each(&x, put_link, &x, e);
}

/* ---- dies at the same time ---- */

typedef void put_together_fn(struct layer *x);

/* Adds the record to those of the same time, or shows these and begins the next. */
static void join(struct layer *x, const struct prof_soc *s, uint64_t before, put_together_fn *put)
{
    if (x->n && (x->part[0].counter != s->counter || x->n == TOGETHER)) {
        put(x);
        x->n = 0;
    }
    x->part[x->n] = *s;
    x->before[x->n++] = before;
}

static void put_sio(struct layer *x)
{
    struct msprof_trace *t = x->t;
    int64_t ns = ns_of(x, x->part[0].counter);

    if (!trace_is_kept(t, ns))
        return;
    for (unsigned i = 0; i < SIO_VALUES; i++) {
        trace_counter(t, prof_sio_word(i), ns);
        for (size_t k = 0; k < x->n; k++)
            trace_real(t, prof_sio_die(t->r->m.p, x->part[k].id),
                       msprof_sio_mbs(&x->clock, x->part[k].v[i], x->before[k], x->part[k].counter));
        trace_end(t);
    }
}

static int on_sio(void *arg, const struct prof_soc *s, struct err *e)
{
    struct layer *x = arg;
    uint64_t before;

    (void)e;
    if (prof_sio_die(x->t->r->m.p, s->id) && prof_sio_next(&x->sio, s, &before))
        join(x, s, before, put_sio);
    return OK;
}

int trace_sio(struct msprof_trace *t, struct err *e)
{
    struct layer x = layer_of(t, PROF_SOC_SIO);

    if (each(&x, on_sio, &x, e))
        return e->code;
    if (x.n)
        put_sio(&x);
    return OK;
}

/* ---- QoS ---- */

static void put_qos(struct layer *x)
{
    static const char *const dies[] = { "die 0", "die 1" };
    struct msprof_trace *t = x->t;
    bool v6 = t->r->m.p->chip->v6;
    int64_t ns = ns_of(x, x->part[0].counter);
    unsigned from = v6 ? MSPROF_QOS_SKIP : 0;
    struct str event;

    if (!trace_is_kept(t, ns))
        return;
    for (unsigned i = from; i < QOS_VALUES && (event = prof_qos_event(trace_folder(t), i - from)).n; i++) {
        trace_counter_of(t, &(struct trace_event){ .word = "QoS ", .text = event, .ts = ns });
        for (size_t k = 0; k < x->n; k++)
            trace_u(t,
                    v6                             ? dies[x->part[k].id]
                    : t->dialect == DIALECT_PYTHON ? "bandwidth(MB/s)"
                                                   : "value",
                    x->part[k].v[i]);
        trace_end(t);
    }
}

static int on_qos(void *arg, const struct prof_soc *s, struct err *e)
{
    struct layer *x = arg;

    (void)e;
    if (x->t->r->m.p->chip->v6 && s->id > 1)
        return OK;
    if (x->t->r->m.p->chip->v6) {
        join(x, s, 0, put_qos);
    } else {
        x->part[0] = *s;
        x->n = 1;
        put_qos(x);
        x->n = 0;
    }
    return OK;
}

int trace_qos(struct msprof_trace *t, struct err *e)
{
    struct layer x = layer_of(t, PROF_SOC_QOS);

    if (prof_soc_read(t->r->m.p, trace_folder(t), PROF_QOS, on_qos, &x, e))
        return e->code;
    if (x.n)
        put_qos(&x);
    x.n = 0;
    if (each(&x, on_qos, &x, e))
        return e->code;
    if (x.n)
        put_qos(&x);
    return OK;
}

/* ---- low power ---- */

static int put_power(void *arg, const struct prof_soc *s, struct err *e)
{
    static const char *const names[] = { "AI Core Freq Die 0", "AI Core Freq Die 1" };
    struct layer *x = arg;
    int64_t ns = ns_of(x, s->counter);

    (void)e;
    if (s->id >= ARRAY_LEN(names) || !trace_is_kept(x->t, ns))
        return OK;
    put_u(x->t,
          &(struct trace_event){
              .word = names[s->id], .tid = x->t->dialect == DIALECT_PYTHON ? s->id : 0, .ts = ns },
          x->t->dialect == DIALECT_PYTHON ? "value" : "MHz", s->v[PROF_POWER_FREQ]);
    return OK;
}

int trace_low_power(struct msprof_trace *t, struct err *e)
{
    struct layer x = layer_of(t, PROF_SOC_POWER);

    if (!t->r->m.p->chip->v6)
        return OK;
    return each(&x, put_power, &x, e);
}

/* ---- UB ---- */

/* Samples before the collection began are shown, too. */
static int put_ub(void *arg, const struct prof_ub *s, struct err *e)
{
    struct msprof_trace *t = arg;
    const struct prof_folder *f = trace_folder(t);
    int64_t ns = t->dialect == DIALECT_PYTHON && t->r->o->compat
                     ? msprof_sample_local_ns(&t->r->clock[t->device], s->us)
                     : prof_sample_us_ns(f, s->us);
    char name[32];

    (void)e;
    if (t->r->o->partial && !trace_is_kept(t, ns))
        return OK;
    trace_begin_process(t);
    snprintf(name, sizeof name, "UB Port%03u", s->port);
    trace_counter(t, name, ns);
    trace_real(t, "bandwidth_rx(MB/s)", (double)s->v[PROF_UB_RX]);
    trace_real(t, "bandwidth_tx(MB/s)", (double)s->v[PROF_UB_TX]);
    trace_end(t);
    return OK;
}

int trace_ub(struct msprof_trace *t, struct err *e)
{
    if (t->dialect == DIALECT_CPP)
        t->name = STR("Ub"); /* of C++ */
    return prof_ub_read(t->r->m.p, trace_folder(t), put_ub, t, e);
}
