/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of a device: read, in order, with their batches and their host tasks; its frequencies. */
#include "config.h"

#include "parsers/prof/device/device.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/large/sort_index.h"
#include "parsers/prof/device/device_log.h"
#include "parsers/prof/device/pair.h"
#include "parsers/prof/prof_layout.h"
#include "parsers/prof/words.h"

enum { FREQ_RECORD(FIELD_AT) };
#define KIND_FREQ  0 /* doc/formats/prof.md#lpmfreqconv */
#define HZ_PER_MHZ 1000000u

/* ---- frequencies ---- */

struct freq_log {
    struct prof_device *d;
    size_t cap;
    uint32_t seq;
    uint64_t too_many;
};

static int add_freq(struct freq_log *l, uint64_t counter, uint32_t mhz, struct err *e)
{
    struct prof_device *d = l->d;
    struct prof_freq *v = grow_array(d->freq, d->n_freq, &l->cap, sizeof *v, FREQ_POINTS + 1);

    if (!v)
        return err_nomem(e);
    d->freq = v;
    v[d->n_freq++] = (struct prof_freq){ .counter = counter, .mhz = mhz, .seq = l->seq++ };
    return OK;
}

/* The last frequency set before the device's clock was read is the one there. */
static int on_freq(void *arg, struct prof_record *r, struct err *e)
{
    struct freq_log *l = arg;
    uint32_t n = rec_u32(&r->rec, FR_COUNT);

    if (rec_u32(&r->rec, FR_KIND) != KIND_FREQ)
        return OK;
    l->d->has_freq = true;
    l->too_many += n > FREQ_POINTS;
    for (uint32_t i = 0; i < n && i < FREQ_POINTS; i++) {
        uint64_t counter = rec_u64(&r->rec, FR_TICKS + (size_t)i * FREQ_POINT_B);
        uint32_t mhz = rec_u32(&r->rec, FR_VALUE + (size_t)i * FREQ_POINT_B);
        if (counter < l->d->f->meta.device_counter)
            l->d->freq[0].mhz = mhz;
        else if (add_freq(l, counter, mhz, e))
            return e->code;
    }
    return OK;
}

static int by_counter(const void *va, const void *vb)
{
    const struct prof_freq *a = va, *b = vb;

    if (a->counter != b->counter)
        return a->counter < b->counter ? -1 : 1;
    return a->seq < b->seq ? -1 : a->seq > b->seq;
}

static bool has_zero(const struct prof_device *d)
{
    for (size_t i = 0; i < d->n_freq; i++)
        if (!d->freq[i].mhz)
            return true;
    return false;
}

int prof_device_freq(struct prof_device *d, struct prof *p, struct err *e)
{
    const struct prof_meta *m = &d->f->meta;
    struct freq_log l = { .d = d };
    uint32_t usual = (uint32_t)(m->aic_hz / HZ_PER_MHZ);

    if (add_freq(&l, m->device_counter, usual, e) == OK)
        (void)!prof_read(p, d->f, PROF_FREQ, on_freq, &l, e);
    if (e->code)
        return e->code;
    if (l.too_many)
        prof_note(p, d->f, PROF_FREQ, NOTE_COUNT_MISMATCH,
                  "%llu records of frequencies say more than the %d points they have room for",
                  (unsigned long long)l.too_many, FREQ_POINTS);
    if (has_zero(d) && (usual || l.seq > 1)) {
        prof_note(p, d->f, PROF_FREQ, NOTE_BAD_VALUE,
                  "a frequency of 0: the changes of frequency are not used, but %u MHz", usual);
        d->freq[0].mhz = usual;
        d->n_freq = 1;
    }
    qsort(d->freq + 1, d->n_freq - 1, sizeof *d->freq, by_counter);
    return OK;
}

uint64_t prof_freq_at(const struct prof_device *d, uint64_t counter)
{
    size_t lo = 1, hi = d->n_freq;

    if (counter < d->freq[0].counter)
        return d->f->meta.aic_hz;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (d->freq[mid].counter <= counter)
            lo = mid + 1;
        else
            hi = mid;
    }
    return (uint64_t)d->freq[lo - 1].mhz * HZ_PER_MHZ;
}

/* ---- tasks ---- */

static uint16_t device_at(const void *arg, uint32_t i)
{
    (void)arg, (void)i;
    return 0; /* one device is read at a time */
}
static uint32_t stream_at(const void *arg, uint32_t i)
{
    return ((const struct prof_task *)arg)[i].stream;
}
static uint32_t task_at(const void *arg, uint32_t i)
{
    return ((const struct prof_task *)arg)[i].task;
}
static uint64_t time_at(const void *arg, uint32_t i)
{
    return ((const struct prof_task *)arg)[i].start;
}
static uint32_t *batch_at(void *arg, uint32_t i)
{
    return &((struct prof_task *)arg)[i].batch;
}

static int order_tasks(struct prof_device *d, struct prof *p, struct prof_flips *flips, struct err *e)
{
    const struct prof_flip_tasks all = { .arg = d->task,
                                         .n = d->n_tasks,
                                         .device = device_at,
                                         .stream = stream_at,
                                         .task = task_at,
                                         .time = time_at,
                                         .batch = batch_at };

    if (prof_device_sort(d, e) || !p->chip->batches)
        return e->code;
    return prof_flips_number(d->spool, &all, flips->v, flips->n, e);
}

/*
 * Tasks of the scheduler's log that the host does not know are no tasks (doc/formats/msprof.md#device-tasks).
 */
static void drop_strangers(struct prof_device *d, const struct prof *p)
{
    size_t n = 0;

    for (size_t i = 0; i < d->n_tasks; i++)
        if (p->chip->scheduler == CHIP_TS || d->task[i].source != PROF_BY_TS || d->task[i].host != PROF_NONE)
            d->task[n++] = d->task[i];
    d->n_tasks = n;
}

/*
 * Moves tasks that have not ended to a list of their own: until here they were numbered and named as the
 * others.
 */
static int part_open(struct prof_device *d, struct err *e)
{
    size_t n = 0, k = 0;

    for (size_t i = 0; i < d->n_tasks; i++)
        d->n_open += d->task[i].end == PROF_NO_END;
    d->open = spool_array(d->spool, d->n_open + 1, sizeof *d->open);
    if (!d->open)
        return err_nomem(e);
    for (size_t i = 0; i < d->n_tasks; i++)
        if (d->task[i].end == PROF_NO_END)
            d->open[k++] = d->task[i];
        else
            d->task[n++] = d->task[i];
    d->n_tasks = n;
    return OK;
}

int prof_device_begin(struct prof_device_half *x, struct prof *p, struct prof_folder *f, bool expanded,
                      struct err *e)
{
    *x = (struct prof_device_half){ .d = { .f = f, .spool = p->spool } };
    if (prof_device_freq(&x->d, p, e) || prof_device_logs(&x->d, p, expanded, &x->flips, &x->scheds, e))
        return e->code;
    spool_fit(x->d.spool, x->d.task, x->d.n_tasks, sizeof *x->d.task);
    return p->chip->v6 ? OK : order_tasks(&x->d, p, &x->flips, e);
}

int prof_device_finish(struct prof_device *d, struct prof_device_half *x, struct prof *p,
                       const struct prof_host *h, struct err *e)
{
    *d = x->d;
    x->d = (struct prof_device){ .f = d->f, .spool = d->spool };
    if (p->chip->v6 && (prof_device_streams(d, p, h, e) || order_tasks(d, p, &x->flips, e)))
        return e->code;
    if (prof_device_scheduled(d, p, &x->scheds, &x->flips, e) || prof_tiling_number(d, p, &x->flips, e) ||
        prof_device_match(d, p, h, e))
        return e->code;
    drop_strangers(d, p);
    return part_open(d, e);
}

void prof_device_half_done(struct prof_device_half *x)
{
    prof_device_done(&x->d);
    free(x->flips.v);
    spool_free(x->d.spool, x->scheds.v);
    x->flips.v = NULL;
    x->scheds.v = NULL;
}

int prof_device_read(struct prof_device *d, struct prof *p, struct prof_folder *f, const struct prof_host *h,
                     struct err *e)
{
    struct prof_device_half x;

    *d = (struct prof_device){ .f = f, .spool = p->spool };
    if (prof_device_begin(&x, p, f, h->expanded, e) == OK)
        (void)!prof_device_finish(d, &x, p, h, e);
    prof_device_half_done(&x);
    return e->code;
}

void prof_device_done(struct prof_device *d)
{
    spool_free(d->spool, d->task);
    spool_free(d->spool, d->open);
    spool_free(d->spool, d->copy);
    free(d->freq);
    spool_free(d->spool, d->mark);
    spool_free(d->spool, d->block);
    spool_free(d->spool, d->fusion);
    *d = (struct prof_device){ .f = d->f, .spool = d->spool };
}

/* ---- words ---- */

const char *prof_ts_word(unsigned kind)
{
    return prof_word(prof_ts_types, kind);
}

const char *prof_device_word(const struct prof *p, const struct prof_task *t)
{
    static const struct layout_word *const words[] = {
        [PROF_BY_ACSQ] = prof_sqe_types,
        [PROF_BY_FFTS] = prof_sub_tasks,
        [PROF_BY_HWTS] = prof_hwts_types,
        [PROF_BY_TS] = prof_ts_types,
    };

    if (t->source == PROF_BY_AICPU)
        return "AI_CPU";
    if (t->source == PROF_BY_ACSQ && p->chip->v6)
        return prof_word(prof_sqe6_types, t->kind);
    return prof_word(words[t->source], t->kind);
}

/*
 * As FusionTaskBean in msprof's analysis/profiling_bean/stars/fusion_task_bean.py: the highest bit names it.
 */
const char *prof_fusion_word(const struct prof_fusion_run *f)
{
    static const char *const words[] = { "CPU", "AICPU", "AICORE", "CCU", "CCU" };

    for (size_t i = ARRAY_LEN(words); i-- > 0;)
        if (f->kinds >> i & 1)
            return words[i];
    return "UNKNOWN";
}
