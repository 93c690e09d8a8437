/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of a device's chip: stars_soc_profile, qos, lpmInfoConv, socpmu. */
#include "config.h"

#include "parsers/prof/sampled/soc.h"

#include <stdlib.h>

#include "base/grow.h"

enum { SOC_PROFILE_RECORD(FIELD_AT) QOS_RECORD(FIELD_AT) FREQ_RECORD(FIELD_AT) SOC_PMU_RECORD(FIELD_AT) };

/* ---- stars_soc_profile, qos ---- */

struct reading {
    const struct prof *p;
    prof_soc_fn *fn;
    void *arg;
    uint64_t unknown;
    struct prof_sio sio; /* how the counters go */
};

static void take(struct prof_soc *s, struct rec *r, size_t at, unsigned bytes, unsigned n)
{
    for (unsigned i = 0; i < n; i++, at += bytes)
        s->v[s->n++] = bytes == 8 ? rec_u64(r, at) : bytes == 4 ? rec_u32(r, at) : rec_u16(r, at);
}

static void take_sio(struct prof_soc *s, struct rec *r, bool v6)
{
    s->id = v6 ? rec_u8(r, SP_ACC2) >> 2 : rec_u16(r, SP_ID);
    take(s, r, v6 ? SP_RX2 : SP_RX, 4, SIO_VALUES / 2);
    take(s, r, SP_TX, 4, SIO_VALUES / 2);
}

static void take_acc(struct prof_soc *s, struct rec *r)
{
    s->id = rec_u16(r, SP_ID);
    s->n = N_PROF_ACC;
    s->v[PROF_ACC_WRITE_BW] = rec_u64(r, SP_ACC_BW);
    s->v[PROF_ACC_READ_BW] = rec_u64(r, SP_ACC_BW + 8);
    s->v[PROF_ACC_WRITE_OST] = rec_u64(r, SP_ACC_OST);
    s->v[PROF_ACC_READ_OST] = rec_u64(r, SP_ACC_OST + 8);
}

static void take_link(struct prof_soc *s, struct rec *r, bool v6)
{
    uint32_t high = rec_u16(r, SP_HIGH) >> 10;

    s->type = v6 ? PROF_LINK_PCIE : high;
    s->id = v6 ? high : rec_u16(r, SP_ID) & 63;
    take(s, r, v6 ? SP_LINK2 : SP_LINK, 8, N_PROF_LINK);
}

static void take_level(struct prof_soc *s, struct rec *r)
{
    uint16_t both = rec_u16(r, SP_MATA);

    s->n = N_PROF_LEVEL;
    s->v[PROF_LEVEL_MATA] = both & 7;
    s->v[PROF_LEVEL_L2_BUFFER] = both >> 3 & 255;
}

/* Pairs are words of 32 bits, the upper half first. */
static void take_power(struct prof_soc *s, struct rec *r)
{
    take(s, r, SP_POWER, 2, POWER_VALUES);
    for (unsigned i = 0; i + 1 < s->n; i += 2) {
        uint64_t first = s->v[i];
        s->v[i] = s->v[i + 1];
        s->v[i + 1] = first;
    }
}

static int on_profile(void *arg, struct prof_record *x, struct err *e)
{
    struct reading *g = arg;
    struct rec *r = &x->rec;
    struct prof_soc s = { .kind = rec_u16(r, SP_FUNCTION) & 63,
                          .id = rec_u16(r, SP_HIGH) >> 10,
                          .counter = rec_u64(r, SP_TICKS) };
    uint64_t before;

    switch (s.kind) {
    case PROF_SOC_QOS:
        take(&s, r, SP_QOS, 4, QOS_VALUES);
        break;
    case PROF_SOC_SIO:
        take_sio(&s, r, g->p->chip->v6);
        (void)prof_sio_next(&g->sio, &s, &before);
        break;
    case PROF_SOC_ACC:
        take_acc(&s, r);
        break;
    case PROF_SOC_LINK:
        take_link(&s, r, g->p->chip->v6);
        break;
    case PROF_SOC_LEVEL:
        take_level(&s, r);
        break;
    case PROF_SOC_POWER:
        take_power(&s, r);
        break;
    default:
        g->unknown++;
        return OK;
    }
    return g->fn(g->arg, &s, e);
}

static int on_qos(void *arg, struct prof_record *x, struct err *e)
{
    struct reading *g = arg;
    struct prof_soc s = { .kind = PROF_SOC_QOS,
                          .id = PROF_SOC_NO_DIE,
                          .counter = rec_u64(&x->rec, QO_TICKS) };

    take(&s, &x->rec, QO_VALUE, 4, QOS_VALUES);
    return g->fn(g->arg, &s, e);
}

int prof_soc_read(struct prof *p, const struct prof_folder *f, enum prof_tag tag, prof_soc_fn *fn, void *arg,
                  struct err *e)
{
    struct reading g = { .p = p, .fn = fn, .arg = arg };

    if (prof_read(p, f, tag, tag == PROF_QOS ? on_qos : on_profile, &g, e))
        return e->code;
    if (g.unknown)
        prof_note(p, f, tag, NOTE_UNKNOWN_TYPE, "%llu records of unknown functions were left out",
                  (unsigned long long)g.unknown);
    if (g.sio.n_back)
        prof_note(p, f, tag, NOTE_INCONSISTENT,
                  "%llu samples of links between dies are earlier than the one before: the time up "
                  "to them is not known",
                  (unsigned long long)g.sio.n_back);
    return OK;
}

struct str prof_qos_event(const struct prof_folder *f, unsigned i)
{
    struct str rest = f->meta.qos_events, one = STR_NULL;

    for (unsigned k = 0; k <= i; k++)
        if (!rest.n || !str_next(&rest, ',', &one))
            return STR_NULL;
    return str_trim(one);
}

const char *prof_sio_die(const struct prof *p, uint32_t id)
{
    static const char *const old[] = { "die 0", "die 1" }, *const v6[] = { "D-DIE0", NULL, "U-DIE0",
                                                                           "U-DIE1" };

    if (p->chip->v6)
        return id < ARRAY_LEN(v6) ? v6[id] : NULL;
    return id < ARRAY_LEN(old) ? old[id] : NULL;
}

const char *prof_sio_word(unsigned i)
{
    static const char *const words[SIO_VALUES] = { "req_rx", "rsp_rx", "snp_rx", "dat_rx",
                                                   "req_tx", "rsp_tx", "snp_tx", "dat_tx" };

    return i < SIO_VALUES ? words[i] : "";
}

bool prof_sio_next(struct prof_sio *x, const struct prof_soc *s, uint64_t *before)
{
    if (s->id >= PROF_SIO_IDS)
        return false;
    bool known = x->known >> s->id & 1;
    *before = x->before[s->id];
    x->n_back += known && s->counter < *before;
    x->before[s->id] = s->counter;
    x->known |= (uint64_t)1 << s->id;
    return known && s->counter > *before;
}

/* ---- lpmInfoConv ---- */

enum { KIND_CORES = 1, KIND_BUS = 2 }; /* doc/formats/prof.md#lpmfreqconv */

struct change {
    struct prof_voltage v;
    uint32_t place; /* position in the file */
};
struct changes {
    const struct prof_folder *f;
    struct change *v, first[2]; /* first: before the clock was read */
    size_t n, cap;
    bool has_first[2];
    uint64_t too_many;
};

static int add_change(struct changes *c, const struct prof_voltage *x, struct err *e)
{
    struct change *v = grow_array(c->v, c->n, &c->cap, sizeof *v, 64);

    if (!v)
        return err_nomem(e);
    c->v = v;
    v[c->n] = (struct change){ *x, (uint32_t)c->n };
    c->n++;
    return OK;
}

static int on_info(void *arg, struct prof_record *r, struct err *e)
{
    struct changes *c = arg;
    uint32_t kind = rec_u32(&r->rec, FR_KIND), n = rec_u32(&r->rec, FR_COUNT);

    if (kind != KIND_CORES && kind != KIND_BUS)
        return OK;
    c->too_many += n > FREQ_POINTS;
    for (uint32_t i = 0; i < n && i < FREQ_POINTS; i++) {
        struct prof_voltage x = { rec_u64(&r->rec, FR_TICKS + (size_t)i * FREQ_POINT_B),
                                  rec_u32(&r->rec, FR_VALUE + (size_t)i * FREQ_POINT_B), kind == KIND_BUS };
        if (x.counter >= c->f->meta.device_counter) {
            if (add_change(c, &x, e))
                return e->code;
            continue;
        }
        x.counter = c->f->meta.device_counter;
        c->first[x.bus].v = x;
        c->has_first[x.bus] = true;
    }
    return OK;
}

static int by_change(const void *va, const void *vb)
{
    const struct change *a = va, *b = vb;

    if (a->v.bus != b->v.bus)
        return a->v.bus ? 1 : -1;
    if (a->v.counter != b->v.counter)
        return a->v.counter < b->v.counter ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* Values of before the clock was read come first. */
static size_t put_in_order(struct changes *c, struct prof_voltage *out)
{
    size_t n = 0, i = 0;

    qsort(c->v, c->n, sizeof *c->v, by_change);
    for (int bus = 0; bus < 2; bus++) {
        if (c->has_first[bus])
            out[n++] = c->first[bus].v;
        for (; i < c->n && c->v[i].v.bus == bus; i++)
            out[n++] = c->v[i].v;
    }
    return n;
}

int prof_voltages(struct prof *p, const struct prof_folder *f, struct prof_voltage **out, size_t *n,
                  struct err *e)
{
    struct changes c = { .f = f };

    *out = NULL;
    *n = 0;
    if (prof_read(p, f, PROF_VOLTAGE, on_info, &c, e) == OK && (c.n || c.has_first[0] || c.has_first[1])) {
        if (c.n || (c.v = calloc(1, sizeof *c.v)) != NULL)
            *out = calloc(c.n + 2, sizeof **out);
        if (*out)
            *n = put_in_order(&c, *out);
        else
            (void)err_nomem(e);
    }
    if (!e->code && c.too_many)
        prof_note(p, f, PROF_VOLTAGE, NOTE_COUNT_MISMATCH,
                  "%llu records say more than the %d points they have room for",
                  (unsigned long long)c.too_many, FREQ_POINTS);
    free(c.v);
    return e->code;
}

/* ---- socpmu ---- */

struct pmu_reading {
    bool v6;
    prof_soc_pmu_fn *fn;
    void *arg;
};

static int on_soc_pmu(void *arg, struct prof_record *x, struct err *e)
{
    const struct pmu_reading *g = arg;
    struct rec *r = &x->rec;
    struct prof_soc_pmu s = { .data = rec_u16(r, g->v6 ? SU_DATA2 : SU_DATA),
                              .kind = rec_u16(r, SU_KIND),
                              .stream = rec_u16(r, SU_STREAM),
                              .task = g->v6 ? rec_u32(r, SU_TASK) : rec_u16(r, SU_TASK) };

    for (size_t i = 0; i < ARRAY_LEN(s.event); i++)
        s.event[i] = rec_u64(r, SU_EVENT + 8 * i);
    return g->fn(g->arg, &s, e);
}

int prof_soc_pmu_read(struct prof *p, const struct prof_folder *f, prof_soc_pmu_fn *fn, void *arg,
                      struct err *e)
{
    struct pmu_reading g = { .v6 = p->chip->v6, .fn = fn, .arg = arg };

    return prof_read(p, f, PROF_SOC_PMU, on_soc_pmu, &g, e);
}
