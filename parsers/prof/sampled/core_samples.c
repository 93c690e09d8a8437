/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of the cores' counters. */
#include "config.h"

#include "parsers/prof/sampled/core_samples.h"

#include "base/bounded.h"
#include "parsers/prof/prof_layout.h"

enum { CORE_SAMPLE_RECORD(FIELD_AT) };

struct reading {
    bool v6, split; /* split: cores of both kinds share a file */
    uint8_t last_cube;
    enum prof_core kind;
    prof_core_sample_fn *fn;
    void *arg;
    uint64_t empty;
};

enum prof_tag prof_core_samples_tag(const struct prof *p, const struct prof_folder *f, enum prof_core kind)
{
    const struct prof_meta *m = &f->meta;
    enum prof_tag tag = kind == PROF_CUBE ? PROF_AICORE : PROF_AIV;

    if (p->chip->scheduler == CHIP_STARS)
        tag = m->task_based && m->aiv_task_based ? N_PROF_TAGS : PROF_FFTS;
    else if (kind == PROF_CUBE ? m->task_based : m->aiv_task_based)
        tag = N_PROF_TAGS;
    return tag != N_PROF_TAGS && prof_has(f, tag) ? tag : N_PROF_TAGS;
}

static int on_sample(void *arg, struct prof_record *r, struct err *e)
{
    struct reading *g = arg;
    struct rec *x = &r->rec;
    size_t more = g->v6 ? CORE_SAMPLE6_MORE : 0, max = g->v6 ? PROF_EVENTS : PROF_COUNTERS;
    struct prof_core_sample s = { .time = rec_u64(x, CO_TIME + more),
                                  .cycles = rec_u64(x, CO_CYCLES + more),
                                  .kind = g->kind,
                                  .n = rec_u8(x, CO_COUNT + more),
                                  .core = rec_u8(x, CO_CORE + more) };

    if (!rec_u8(x, CO_MODE) || s.n > max) {
        g->empty++;
        return OK;
    }
    if (g->split && (s.core > g->last_cube) != (g->kind == PROF_VECTOR))
        return OK;
    for (size_t i = 0; i < s.n; i++)
        s.event[i] = rec_u64(x, CO_COUNTER + 8 * i);
    return g->fn(g->arg, &s, e);
}

int prof_core_samples_read(struct prof *p, const struct prof_folder *f, enum prof_core kind,
                           prof_core_sample_fn *fn, void *arg, struct err *e)
{
    enum prof_tag tag = prof_core_samples_tag(p, f, kind);
    struct reading g = { .v6 = p->chip->v6,
                         .split = tag == PROF_FFTS,
                         .last_cube = p->chip->last_cube_core,
                         .kind = kind,
                         .fn = fn,
                         .arg = arg };

    if (tag == N_PROF_TAGS)
        return OK;
    if (prof_read(p, f, tag, on_sample, &g, e) == OK && g.empty && (!g.split || kind == PROF_CUBE))
        prof_note(p, f, tag, NOTE_BAD_VALUE, "%llu records are no samples; they are left out",
                  (unsigned long long)g.empty);
    return e->code;
}

int64_t prof_core_ns(const struct prof *p, const struct prof_folder *f, uint64_t time)
{
    return p->chip->v6 ? prof_device_ns(f, time) : prof_sample_mono_ns(f, time);
}

static int add(void *arg, const struct prof_core_sample *s, struct err *e)
{
    struct prof_core_sum *x = (struct prof_core_sum *)arg + s->core;

    (void)e;
    x->any = true;
    x->cycles = bounded_add_u64(x->cycles, s->cycles);
    for (size_t i = 0; i < s->n; i++)
        x->event[i] = bounded_add_u64(x->event[i], s->event[i]);
    return OK;
}

int prof_core_sums(struct prof *p, const struct prof_folder *f, enum prof_core kind,
                   struct prof_core_sum *all, struct err *e)
{
    for (size_t i = 0; i < PROF_CORES; i++)
        all[i] = (struct prof_core_sum){ .any = false };
    return prof_core_samples_read(p, f, kind, add, all, e);
}

double prof_core_usage(const struct prof_meta *m, uint64_t cycles, int64_t before_ns, int64_t ns)
{
    if (ns <= before_ns || !m->aic_hz)
        return -1;
    return (double)cycles / ((double)m->aic_hz * ((double)(ns - before_ns) / 1e9)) * 100;
}
