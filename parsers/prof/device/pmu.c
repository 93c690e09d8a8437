/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of the AI cores: records to tasks. */
#include "config.h"

#include "parsers/prof/device/pmu.h"

#include <stdlib.h>
#include <string.h>

#include "base/bounded.h"
#include "parsers/prof/device/device_mini.h"
#include "parsers/prof/prof_layout.h"

enum { FFTS_RECORD(FIELD_AT) AICORE_RECORD2(FIELD_AT) TS_COUNT_RECORD(FIELD_AT) };

#define NUMBERS    (1 + PROF_EVENTS) /* cycles, then the events */
#define FFTS_PLUS  4
#define FFTS_MIX   5
#define SUB_CUBE   0
#define SUB_MIX_C  6
#define SUB_MIX_V  7
#define HWTS_CUBE  0
#define HWTS_CPU   1
#define HWTS_AIV   2
#define TS_CUBE    0
#define STREAM_MOD 2048 /* of aicore.data (doc/formats/prof.md#aicore) */

/* ---- lists ---- */

struct list {
    unsigned char *v;
    size_t n, cap, size;
};

/* Valid until the next list_add(). */
static void *list_at(const struct list *l, size_t i)
{
    return l->v + i * l->size;
}

/* A new item, all zero. NULL: e is set. */
static void *list_add(struct spool *pool, struct list *l, struct err *e)
{
    if (l->n >= PROF_NONE - 1) {
        err_set(e, ERR_LIMIT, "too many counter records");
        return NULL;
    }
    unsigned char *v = spool_grow(pool, l->v, l->n, &l->cap, l->size, 256);
    if (!v) {
        err_nomem(e);
        return NULL;
    }
    l->v = v;
    return memset(v + l->n++ * l->size, 0, l->size);
}

/* ---- what is kept ---- */

enum {
    IS_FULL = 1, /* v[0] is the index of a struct full, for what does not fit here */
    HAS_OWN = 2, /* the task's own record was read */
    OVERFLOW = 4,
};

struct record {
    uint32_t v[NUMBERS];
    uint32_t end;   /* counts since the start of the task; of the other core's: block records */
    uint32_t other; /* index of the other core's sums; PROF_NONE: none */
    uint8_t ffts, sub_kind, flags;
};

struct full {
    uint64_t v[NUMBERS], end;
};

struct prof_pmu {
    struct spool *spool;
    struct list records, full;
    size_t n_own;
    bool v6; /* `end` of a record is how long its core ran */
    bool has_blocks;
    bool one_core; /* the kinds of cores are not distinguished (struct chip, both_cores) */
};

/* A task to be looked up: by key, then in order of starts. */
struct entry {
    uint64_t key;
    uint32_t task;
    uint32_t used; /* of the first one of a key: how many have counters (doc/formats/prof.md#aicore) */
};

struct reading {
    struct prof *p;
    struct prof_device *d;
    const struct prof_host *h;
    struct prof_pmu *m;
    struct entry *entry;
    size_t n;
    size_t last;                 /* entry that was found last; n: none */
    bool aiv_file, has_aiv_file; /* hwts: which file is read */
    uint64_t lost, twice;
};

static uint64_t key_of(uint32_t stream, uint32_t task, uint32_t context)
{
    return (uint64_t)(stream & 0xffff) << 48 | (uint64_t)(task & 0xffff) << 32 | context;
}

/* V6: the id is of one task of all streams. */
static uint64_t key_of_task(const struct prof_pmu *m, const struct prof_task *t)
{
    return m->v6 ? t->task : key_of(t->stream, t->task, t->context);
}

static int by_key(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->task < y->task ? -1 : x->task > y->task;
}

/* The first entry of a key, or where it would be. */
static size_t first_of(const struct reading *r, uint64_t key)
{
    size_t lo = 0, hi = r->n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (r->entry[mid].key < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static struct prof_task *task_of(const struct reading *r, size_t entry)
{
    return &r->d->task[r->entry[entry].task];
}

/* The entry is of a smaller key, or its task began by then. */
static bool is_before(const struct reading *r, size_t entry, uint64_t key, uint64_t at)
{
    const struct entry *x = &r->entry[entry];

    return x->key < key || (x->key == key && task_of(r, entry)->start <= at);
}

/*
 * How many entries are before. Records come in the order of tasks, whose ids are counted up: the next key is
 * a few entries after the last one, so steps from there are doubled until they enclose it.
 */
static size_t count_before(const struct reading *r, uint64_t key, uint64_t at)
{
    size_t lo = r->last < r->n ? r->last : 0, hi = r->n, step = 1;

    if (lo && !is_before(r, lo, key, at)) {
        hi = lo;
        lo = 0;
    }
    for (; step < hi - lo && is_before(r, lo + step - 1, key, at); step *= 2)
        lo += step;
    hi = step < hi - lo ? lo + step : hi;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (is_before(r, mid, key, at))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* The task of a key that runs at a counter; NULL: none does. */
static struct prof_task *task_at(struct reading *r, uint64_t key, uint64_t at)
{
    if (r->last < r->n && r->entry[r->last].key == key && task_of(r, r->last)->start <= at &&
        at <= task_of(r, r->last)->end)
        return task_of(r, r->last);
    size_t n = count_before(r, key, at);
    if (!n || r->entry[n - 1].key != key || at > task_of(r, n - 1)->end)
        return NULL;
    r->last = n - 1;
    return task_of(r, r->last);
}

static const struct prof_op *op_of(const struct reading *r, const struct prof_task *t)
{
    if (t->host >= r->h->n_tasks || r->h->task[t->host].op >= r->h->n_ops)
        return NULL;
    return &r->h->op[r->h->task[t->host].op];
}

/* ---- keeping numbers ---- */

static int keep_full(struct prof_pmu *m, struct record *x, const struct full *f, struct err *e)
{
    struct full *to =
        x->flags & IS_FULL ? list_at(&m->full, x->v[0]) : (struct full *)list_add(m->spool, &m->full, e);

    if (!to)
        return e->code;
    *to = *f;
    if (!(x->flags & IS_FULL))
        x->v[0] = (uint32_t)(m->full.n - 1);
    x->flags |= IS_FULL;
    return OK;
}

/* v: cycles and events. since: the start of the task; end 0 is no time. */
static int keep(struct prof_pmu *m, struct record *x, const struct full *f, uint64_t since, struct err *e)
{
    uint64_t end = f->end >= since ? f->end - since : 0;
    bool fits = end <= UINT32_MAX;

    for (size_t i = 0; i < NUMBERS; i++)
        fits = fits && f->v[i] <= UINT32_MAX;
    if (!fits || x->flags & IS_FULL)
        return keep_full(m, x, f, e);
    for (size_t i = 0; i < NUMBERS; i++)
        x->v[i] = (uint32_t)f->v[i];
    x->end = (uint32_t)end;
    return OK;
}

static void numbers(const struct prof_pmu *m, const struct record *x, uint64_t since, struct full *out)
{
    if (x->flags & IS_FULL) {
        *out = *(const struct full *)list_at(&m->full, x->v[0]);
        return;
    }
    for (size_t i = 0; i < NUMBERS; i++)
        out->v[i] = x->v[i];
    out->end = since + x->end;
}

/* A new record; *index is its number. NULL: e is set. */
static struct record *new_record(struct prof_pmu *m, uint32_t *index, struct err *e)
{
    struct record *x = list_add(m->spool, &m->records, e);

    if (x) {
        x->other = PROF_NONE;
        *index = (uint32_t)(m->records.n - 1);
    }
    return x;
}

static struct record *record_of(struct prof_pmu *m, struct prof_task *t, struct err *e)
{
    return t->counter == PROF_NONE ? new_record(m, &t->counter, e) : list_at(&m->records, t->counter);
}

static int add_own(struct reading *r, struct prof_task *t, const struct full *f, unsigned ffts,
                   unsigned sub_kind, bool overflow, struct err *e)
{
    struct record *x = record_of(r->m, t, e);

    if (!x)
        return e->code;
    if (x->flags & HAS_OWN) {
        r->twice++;
        return OK;
    }
    x->ffts = (uint8_t)ffts;
    x->sub_kind = (uint8_t)sub_kind;
    x->flags |= HAS_OWN | (overflow ? OVERFLOW : 0);
    r->m->n_own++;
    return keep(r->m, x, f, r->m->v6 ? 0 : t->start, e);
}

/* The record of the other core; NULL: e is set. */
static struct record *other_of(struct prof_pmu *m, uint32_t own, struct err *e)
{
    struct record *o = list_at(&m->records, own), *x;
    uint32_t index;

    if (o->other != PROF_NONE)
        return list_at(&m->records, o->other);
    x = new_record(m, &index, e);
    if (x)
        ((struct record *)list_at(&m->records, own))->other = index;
    return x;
}

/*
 * One block of the other core; at most as many as the op has there (doc/formats/msprof.md#ai-core-metrics).
 */
static int add_block(struct reading *r, struct prof_task *t, const struct full *f, struct err *e)
{
    const struct prof_op *op = op_of(r, t);
    struct record *x = record_of(r->m, t, e) ? other_of(r->m, t->counter, e) : NULL;
    struct full all = { .end = 0 };

    if (!x)
        return e->code;
    if (op ? x->end >= op->mix_block : x->end == UINT32_MAX)
        return OK;
    numbers(r->m, x, 0, &all);
    for (size_t i = 0; i < NUMBERS; i++)
        all.v[i] = bounded_add_u64(all.v[i], f->v[i]);
    uint32_t blocks = x->end + 1;
    all.end = 0;
    if (keep(r->m, x, &all, 0, e))
        return e->code;
    x->end = blocks;
    r->m->has_blocks = true;
    return OK;
}

/* ---- ffts_profile (doc/formats/prof.md#ffts_profile) ---- */

static void read_numbers(struct rec *rec, size_t cycles, size_t events, size_t n, struct full *f)
{
    f->v[0] = rec_u64(rec, cycles);
    for (size_t i = 0; i < n; i++)
        f->v[1 + i] = rec_u64(rec, events + 8 * i);
}

static bool is_mix(unsigned ffts, unsigned sub_kind)
{
    return ffts == FFTS_MIX || (ffts == FFTS_PLUS && (sub_kind == SUB_MIX_C || sub_kind == SUB_MIX_V));
}

enum prof_pmu_kind prof_pmu_kind(unsigned ffts, unsigned sub_kind, enum dialect dialect)
{
    if (ffts == FFTS_MIX)
        return dialect == DIALECT_PYTHON ? PROF_PMU_MIX_AIC : PROF_PMU_AIV;
    if (ffts == FFTS_PLUS && sub_kind == SUB_MIX_C)
        return PROF_PMU_MIX_AIC;
    if (ffts == FFTS_PLUS && sub_kind == SUB_MIX_V)
        return PROF_PMU_MIX_AIV;
    return !ffts || (ffts == FFTS_PLUS && sub_kind == SUB_CUBE) ? PROF_PMU_AIC : PROF_PMU_AIV;
}

static int on_ffts(void *arg, struct prof_record *in, struct err *e)
{
    struct reading *r = arg;
    struct rec *rec = &in->rec;
    unsigned function = rec_u16(rec, FF_FUNCTION) & 63, ffts = rec_u16(rec, FF_FFTS) >> 13;
    unsigned kinds = rec_u16(rec, FF_SUB_KIND), sub_kind = kinds & 255;
    struct full f = { .end = rec_u64(rec, FF_END) };
    uint32_t stream, task;

    if (function != PROF_FFTS_TASK && function != PROF_FFTS_BLOCK)
        return OK;
    if (function == PROF_FFTS_BLOCK && !is_mix(ffts, sub_kind))
        return OK; /* the task's own record has them already */
    if (f.end > r->d->last_pmu)
        r->d->last_pmu = f.end;
    prof_stars_ids(r->h->expanded, 0, rec_u16(rec, FF_STREAM), rec_u16(rec, FF_TASK), &stream, &task);
    struct prof_task *t =
        task_at(r, key_of(stream, task, ffts == FFTS_PLUS ? rec_u16(rec, FF_SUB_ID) : PROF_NONE), f.end);
    if (!t) {
        r->lost++;
        return OK;
    }
    read_numbers(rec, FF_CYCLES, FF_COUNTER, PROF_COUNTERS, &f);
    if (function == PROF_FFTS_TASK)
        return add_own(r, t, &f, ffts, sub_kind, kinds >> 10 & 1, e);
    enum prof_core core = rec_u8(rec, FF_CORE_KIND) & 1 ? PROF_VECTOR : PROF_CUBE;
    enum prof_core other = sub_kind == SUB_MIX_V && ffts == FFTS_PLUS ? PROF_CUBE : PROF_VECTOR;
    return core == other ? add_block(r, t, &f, e) : OK;
}

/* The other core of a mix kernel has a record of its own. */
static int add_other(struct reading *r, struct prof_task *t, const struct full *f, struct err *e)
{
    struct record *own = record_of(r->m, t, e);

    if (!own)
        return e->code;
    if (own->other != PROF_NONE) {
        r->twice++;
        return OK;
    }
    struct record *x = other_of(r->m, t->counter, e);
    return x ? keep(r->m, x, f, 0, e) : e->code;
}

/*
 * As Chip6PmuCalculator in msprof's analysis/mscalculate/stars/chip6_pmu_calculator.py; records of blocks are
 * no counters of tasks.
 */
static int on_ffts6(void *arg, struct prof_record *in, struct err *e)
{
    struct reading *r = arg;
    struct rec *rec = &in->rec;
    uint64_t start = rec_u64(rec, FF_START), end = rec_u64(rec, FF_END);
    struct full f = { .end = end >= start ? end - start : 0 };
    unsigned flags = rec_u8(rec, F6_FLAGS);
    bool vector = rec_u8(rec, F6_CORE_KIND) & 1, mix = flags & F6_MIX;

    if ((rec_u16(rec, FF_FUNCTION) & 63) != PROF_FFTS_TASK6)
        return OK;
    struct prof_task *t = task_at(r, rec_u32(rec, F6_TASK), end);
    if (!t) {
        r->lost++;
        return OK;
    }
    read_numbers(rec, F6_CYCLES, F6_COUNTER, PROF_EVENTS, &f);
    if (mix && !(flags & F6_MASTER))
        return add_other(r, t, &f, e);
    if (mix)
        return add_own(r, t, &f, FFTS_PLUS, vector ? SUB_MIX_V : SUB_MIX_C, flags & F6_OVERFLOW, e);
    return add_own(r, t, &f, vector, 0, flags & F6_OVERFLOW, e);
}

/* ---- aicore, aiVectorCore (doc/formats/prof.md#aicore) ---- */

/* A task of the hardware log that has records in the file being read. */
static bool has_aicore(const struct reading *r, const struct prof_task *t)
{
    const struct prof_op *op = op_of(r, t);
    if (t->source == PROF_BY_TS) /* chip 0 */
        return t->kind == TS_CUBE;
    bool aiv = op ? op->core == r->h->aiv_text || op->core == r->h->mix_aiv_text : t->kind == HWTS_AIV;

    if (t->source != PROF_BY_HWTS || (op ? op->core == r->h->cpu_text : t->kind == HWTS_CPU))
        return false;
    if (!op && t->kind != HWTS_CUBE && t->kind != HWTS_AIV)
        return false;
    return r->aiv_file ? aiv : !aiv || !r->has_aiv_file;
}

/*
 * Records have no time: the n-th one of a (stream, task) is of the n-th such task
 * (doc/formats/msprof.md#ai-core-metrics). NULL: there is none, which is counted.
 */
static struct prof_task *next_task(struct reading *r, uint64_t key)
{
    size_t first = first_of(r, key), i = first;

    if (first < r->n)
        for (i += r->entry[first].used; i < r->n && r->entry[i].key == key; i++)
            if (has_aicore(r, task_of(r, i)))
                break;
    if (i >= r->n || r->entry[i].key != key) {
        r->lost++;
        return NULL;
    }
    r->entry[first].used = (uint32_t)(i - first + 1);
    return task_of(r, i);
}

static int on_aicore(void *arg, struct prof_record *in, struct err *e)
{
    struct reading *r = arg;
    struct rec *rec = &in->rec;
    struct full f = { .end = 0 };
    struct prof_task *t =
        next_task(r, key_of(rec_u32(rec, AC_STREAM) % STREAM_MOD, rec_u16(rec, AC_TASK), PROF_NONE));

    if (!t)
        return OK;
    read_numbers(rec, AC_CYCLES, AC_COUNTER, PROF_COUNTERS, &f);
    /* with the ffts types of a kernel of one kind of core */
    return add_own(r, t, &f, r->aiv_file, 0, false, e);
}

/* Those in ts_track of chip 0 (doc/formats/prof.md#ts_track), which come in the same order. */
static int on_mini(void *arg, struct prof_record *in, struct err *e)
{
    struct reading *r = arg;
    struct rec *rec = &in->rec;
    struct full f = { .end = 0 };

    if (rec_u8(rec, TC_TYPE) != MINI_COUNTS)
        return OK;
    struct prof_task *t =
        next_task(r, key_of(rec_u16(rec, TC_STREAM) % STREAM_MOD, rec_u16(rec, TC_TASK), PROF_NONE));
    if (!t)
        return OK;
    read_numbers(rec, TC_CYCLES, TC_COUNTER, PROF_COUNTERS, &f);
    return add_own(r, t, &f, 0, 0, rec_u16(rec, TC_OVERFLOW) != 0, e);
}

static int read_aicore(struct reading *r, struct err *e)
{
    static const enum prof_tag tags[] = { PROF_AICORE, PROF_AIV };

    r->has_aiv_file = prof_has(r->d->f, PROF_AIV);
    for (size_t i = 0; i < ARRAY_LEN(tags); i++) {
        r->aiv_file = tags[i] == PROF_AIV;
        if (!(r->aiv_file ? r->d->f->meta.aiv_task_based : r->d->f->meta.task_based))
            continue;
        for (size_t k = 0; k < r->n; k++)
            r->entry[k].used = 0;
        if (prof_read(r->p, r->d->f, tags[i], on_aicore, r, e))
            break;
    }
    return e->code;
}

/* ---- the whole ---- */

static int make_index(struct reading *r, struct err *e)
{
    struct prof_device *d = r->d;

    if (d->n_tasks >= PROF_NONE)
        return err_set(e, ERR_LIMIT, "too many tasks");
    r->entry = spool_array(d->spool, d->n_tasks + 1, sizeof *r->entry);
    if (!r->entry)
        return err_nomem(e);
    for (size_t i = 0; i < d->n_tasks; i++) {
        const struct prof_task *t = &d->task[i];
        d->task[i].counter = PROF_NONE;
        r->entry[i] = (struct entry){ key_of_task(r->m, t), (uint32_t)i, 0 };
    }
    r->n = r->last = d->n_tasks;
    qsort(r->entry, r->n, sizeof *r->entry, by_key);
    return OK;
}

/* Block records alone say nothing: the core they belong to is not known. */
static void drop_halves(struct reading *r)
{
    for (size_t i = 0; i < r->d->n_tasks; i++) {
        struct prof_task *t = &r->d->task[i];
        if (t->counter == PROF_NONE)
            continue;
        const struct record *x = list_at(&r->m->records, t->counter);
        if (!(x->flags & HAS_OWN))
            t->counter = PROF_NONE;
    }
}

static enum prof_tag tag_of(const struct prof *p)
{
    return p->chip->scheduler == CHIP_STARS ? PROF_FFTS
           : p->chip->scheduler != CHIP_TS  ? PROF_AICORE
                                            : PROF_TS_TRACK;
}

static void tell(struct reading *r)
{
    if (r->lost)
        prof_note(r->p, r->d->f, tag_of(r->p), NOTE_INCONSISTENT,
                  "%llu counter records belong to no task that started and ended; they are left out",
                  (unsigned long long)r->lost);
    if (r->twice)
        prof_note(r->p, r->d->f, tag_of(r->p), NOTE_DUPLICATE,
                  "%llu counter records belong to tasks that have one already; they are left out",
                  (unsigned long long)r->twice);
}

/* Samples belong to no task. */
static int read_records(struct reading *r, struct err *e)
{
    const struct prof_meta *m = &r->d->f->meta;

    if (r->p->chip->scheduler == CHIP_TS)
        return m->task_based ? prof_mini_read(r->p, r->d->f, on_mini, r, e) : OK;
    if (r->p->chip->scheduler != CHIP_STARS)
        return read_aicore(r, e);
    if (!m->task_based || !m->aiv_task_based)
        return OK;
    return prof_read(r->p, r->d->f, PROF_FFTS, r->m->v6 ? on_ffts6 : on_ffts, r, e);
}

int prof_pmu_read(struct prof_pmu **out, struct prof *p, struct prof_device *d, const struct prof_host *h,
                  struct err *e)
{
    struct reading r = { .p = p, .d = d, .h = h };

    *out = r.m = calloc(1, sizeof *r.m);
    if (!r.m)
        return err_nomem(e);
    r.m->spool = p->spool;
    r.m->records.size = sizeof(struct record);
    r.m->full.size = sizeof(struct full);
    r.m->v6 = p->chip->v6;
    r.m->one_core = p->chip->scheduler == CHIP_STARS && !p->chip->both_cores;
    if (make_index(&r, e) == OK && read_records(&r, e) == OK) {
        drop_halves(&r);
        spool_fit(r.m->spool, r.m->records.v, r.m->records.n, r.m->records.size);
        tell(&r);
    }
    spool_free(d->spool, r.entry);
    return e->code;
}

void prof_pmu_free(struct prof_pmu *m)
{
    if (!m)
        return;
    spool_free(m->spool, m->records.v);
    spool_free(m->spool, m->full.v);
    free(m);
}

bool prof_pmu_has_blocks(const struct prof_pmu *m)
{
    return m && m->has_blocks;
}

size_t prof_pmu_n(const struct prof_pmu *m)
{
    return m ? m->n_own : 0;
}

static void put(struct prof_counts *out, enum prof_core core, const struct full *f)
{
    out->has[core] = true;
    out->cycles[core] = f->v[0];
    out->span[core] = out->has_span ? f->end : 0;
    for (size_t i = 0; i < PROF_EVENTS; i++)
        out->v[core][i] = f->v[1 + i];
}

bool prof_pmu_get(const struct prof_pmu *m, const struct prof_task *t, enum dialect dialect,
                  struct prof_counts *out)
{
    struct full f;

    if (!m || t->counter >= m->records.n)
        return false;
    const struct record *x = list_at(&m->records, t->counter);
    if (dialect == DIALECT_PYTHON && x->flags & OVERFLOW && !m->v6)
        return false;
    *out = (struct prof_counts){ .kind = m->one_core ? PROF_PMU_AIC
                                                     : prof_pmu_kind(x->ffts, x->sub_kind, dialect),
                                 .overflow = x->flags & OVERFLOW,
                                 .has_own = x->flags & HAS_OWN,
                                 .has_span = m->v6 };
    out->main = out->kind == PROF_PMU_AIC || out->kind == PROF_PMU_MIX_AIC ? PROF_CUBE : PROF_VECTOR;
    numbers(m, x, m->v6 ? 0 : t->start, &f);
    out->end = m->v6 ? t->end : f.end;
    put(out, out->main, &f);
    if (x->other != PROF_NONE && (out->kind == PROF_PMU_MIX_AIC || out->kind == PROF_PMU_MIX_AIV)) {
        const struct record *other = list_at(&m->records, x->other);
        out->blocks = other->end;
        numbers(m, other, 0, &f);
        put(out, out->main == PROF_CUBE ? PROF_VECTOR : PROF_CUBE, &f);
    }
    return true;
}
