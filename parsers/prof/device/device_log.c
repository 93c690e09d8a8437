/* SPDX-License-Identifier: Apache-2.0 */
/* Logs of a device's task schedulers (doc/formats/prof.md#hwts, #ts_track, #stars_soc). */
#include "config.h"

#include "parsers/prof/device/device_log.h"

#include <stdlib.h>

#include "base/grow.h"
#include "parsers/prof/device/device_mini.h"
#include "parsers/prof/device/pair.h"
#include "parsers/prof/prof_layout.h"

enum {
    STARS_RECORD(FIELD_AT) STARS6_RECORD(FIELD_AT) HWTS_RECORD2(FIELD_AT) TS_TRACK_RECORD2(FIELD_AT)
        TS_LINE_RECORD(FIELD_AT)
};
enum { PROF_AICPU_RECORD(FIELD_AT) PRE_MODEL_RECORD(FIELD_AT) };

/* doc/formats/prof.md#stars_soc: function codes */
enum {
    ACSQ_START = 0x00,
    ACSQ_END = 0x01,
    SUB_START = 0x22,
    SUB_END = 0x23,
    FUSION_START = 0x16, /* V6 */
    FUSION_END = 0x17,
};
/* doc/formats/prof.md#hwts */
enum { HWTS_START = 0, HWTS_END = 1, HWTS_LAST = 4 };
/* doc/formats/prof.md#ts_track */
enum { TS_MARK = 10, TS_COPY = 11, TS_TASK = 12, TS_OLD_FLIP = 13, TS_FLIP = 14, TS_BLOCK = 15 };
enum { COPY_RECEIVED, COPY_START, COPY_END, N_COPY_STATES };
enum { TS_STATE_START = 1, TS_STATE_END = 2 };
#define STREAM_DESTROYED 65535 /* doc/formats/msprof.md#device-tasks: number of a flip */
#define TS_KIND_AICPU    1     /* doc/formats/prof.md#enum-values: "kernel AI cpu" */
#define HWTS_STREAMS     2048  /* doc/formats/prof.md#hwts */
#define MARK_STREAM      0x7ff
#define UNKNOWN_STREAM   0xffff /* V6: the host does not know the task; msprof's results have it, too */

#define FIRST_ROOM ((size_t)256)

struct unknown { /* records of an unknown type */
    uint64_t n;
    struct where first;
};

struct copy_record {
    uint64_t counter;
    uint32_t key, seq;
    uint8_t state;
};

/* What the record of a fusion task's start says. */
struct fusion_head {
    uint16_t bits, acc;
    uint8_t sqe;
};

struct log {
    enum prof_tag tag; /* of the log */
    struct prof_device *d;
    struct prof *p;
    struct prof_flips *flips;
    struct prof_scheds *scheds; /* NULL: not wanted */
    bool stars, expanded;
    bool ids_move; /* doc/formats/prof.md#stars_soc: ids are corrected on these chips */
    uint32_t seq;
    size_t cap_tasks, cap_marks, cap_blocks, cap_flips, cap_copies, cap_scheds, cap_fusion, cap_heads;
    struct fusion_head *head; /* V6: of fusion tasks that began */
    size_t n_heads;
    struct prof_pairs *top, *sub;
    struct copy_record *copy;
    size_t n_copies;
    struct unknown unknown;
};

void prof_stars_ids(bool expanded, unsigned sqe, uint16_t stream, uint16_t task, uint32_t *stream_out,
                    uint32_t *task_out)
{
    unsigned s = stream, t = task;

    if (expanded && sqe != 3 && sqe != 4 && (stream & 0x8000)) {
        s = task & 0x7fff;
        t = (task & 0x8000u) | (stream & 0x7fffu);
    } else if (expanded) {
        s = stream & 0x7fff;
    } else if (stream & 0x1000) {
        s = stream % HWTS_STREAMS;
        t = (task & 0x1fffu) | (stream & 0xe000u);
    } else if (stream & 0x2000) {
        s = (task & 0x0fff) % HWTS_STREAMS;
        t = (stream & 0x0fffu) | (task & 0xf000u);
    } else {
        s = stream % HWTS_STREAMS;
    }
    *stream_out = s;
    *task_out = t;
}

static void count_unknown(struct log *l, const struct where *w)
{
    if (!l->unknown.n++)
        l->unknown.first = *w;
}

static void note_unknown(struct log *l, const char *what)
{
    struct where w = l->unknown.first;

    if (!l->unknown.n)
        return;
    w.count = l->unknown.n;
    prof_note_at(l->p, NOTE_UNKNOWN_TYPE, &w, "%s of an unknown type", what);
    l->unknown = (struct unknown){ 0 };
}

/* ---- pairs ---- */

static int add_task(struct log *l, const struct prof_task *t, struct err *e)
{
    struct prof_device *d = l->d;

    if (d->n_tasks >= PROF_NONE)
        return err_set(e, ERR_LIMIT, "more tasks than can be numbered");
    struct prof_task *v = spool_grow(d->spool, d->task, d->n_tasks, &l->cap_tasks, sizeof *v, FIRST_ROOM);
    if (!v)
        return err_nomem(e);
    d->task = v;
    v[d->n_tasks++] = *t;
    return OK;
}

static struct prof_task task_of(uint64_t key, unsigned shift, const struct prof_start *s, uint64_t end)
{
    return (struct prof_task){ .start = s->counter,
                               .end = end,
                               .stream = (uint32_t)(key >> (shift + 16)),
                               .task = (uint16_t)(key >> shift),
                               .context = PROF_NONE,
                               .host = s->seq,
                               .counter = PROF_NONE,
                               .kind = s->kind };
}

static int on_acsq(void *arg, uint64_t key, const struct prof_start *s, uint64_t end, struct err *e)
{
    struct prof_task t = task_of(key, 0, s, end);

    t.source = PROF_BY_ACSQ;
    return add_task(arg, &t, e);
}

static int on_sub(void *arg, uint64_t key, const struct prof_start *s, uint64_t end, struct err *e)
{
    struct prof_task t = task_of(key, 32, s, end);

    t.source = PROF_BY_FFTS;
    t.context = (uint16_t)(key >> 16);
    return add_task(arg, &t, e);
}

static int on_hwts_pair(void *arg, uint64_t key, const struct prof_start *s, uint64_t end, struct err *e)
{
    struct prof_task t = task_of(key, 0, s, end);

    t.source = PROF_BY_HWTS;
    return add_task(arg, &t, e);
}

static int on_aicpu_pair(void *arg, uint64_t key, const struct prof_start *s, uint64_t end, struct err *e)
{
    struct prof_task t = task_of(key, 0, s, end);

    t.source = PROF_BY_AICPU;
    return add_task(arg, &t, e);
}

/* Starts without an end are usual in a killed run; ends without a start mean that the beginning was lost. */
static int finish(struct log *l, struct prof_pairs *pairs, const char *what, struct err *e)
{
    struct prof_pairs_lost lost = { 0 };

    if (prof_pairs_finish(pairs, &lost, e) || (pairs == l->top && prof_pairs_open(pairs, e)))
        return e->code;
    if (lost.starts)
        prof_note(l->p, l->d->f, l->tag, NOTE_LOST_RECORDS,
                  "%llu %s began and have no end: they are not in the results",
                  (unsigned long long)lost.starts, what);
    if (lost.ends)
        prof_note(l->p, l->d->f, l->tag, NOTE_LOST_RECORDS,
                  "%llu %s ended and have no start: they are not in the results",
                  (unsigned long long)lost.ends, what);
    return OK;
}

/* ---- stars ---- */

static int on_stars(void *arg, struct prof_record *r, struct err *e)
{
    struct log *l = arg;
    unsigned head = rec_u16(&r->rec, ST_FUNCTION), function = head & 63, sqe = head >> 10;
    uint32_t stream = rec_u16(&r->rec, ST_STREAM), task = rec_u16(&r->rec, ST_TASK);
    struct prof_start s = { .counter = rec_u64(&r->rec, ST_TICKS), .seq = l->seq++, .kind = (uint8_t)sqe };
    bool sub = function == SUB_START || function == SUB_END;

    if (!sub && function != ACSQ_START && function != ACSQ_END) {
        count_unknown(l, &r->where);
        return OK;
    }
    if (l->ids_move)
        prof_stars_ids(l->expanded, sub ? 0 : sqe, (uint16_t)stream, (uint16_t)task, &stream, &task);
    uint64_t key = (uint64_t)stream << 16 | task;
    if (sub) {
        s.kind = rec_u8(&r->rec, ST_SUB_KIND);
        key = key << 32 | (uint64_t)rec_u16(&r->rec, ST_SUB_ID) << 16 | rec_u16(&r->rec, ST_THREAD);
    }
    struct prof_pairs *pairs = sub ? l->sub : l->top;
    return function == ACSQ_START || function == SUB_START ? prof_pairs_start(pairs, key, &s, e)
                                                           : prof_pairs_end(pairs, key, s.counter, e);
}

static int read_stars(struct log *l, struct err *e)
{
    l->tag = PROF_STARS;
    if (prof_pairs_new(&l->top, PROF_PAIR_ORDER, on_acsq, l, e) == OK &&
        prof_pairs_new(&l->sub, PROF_PAIR_ORDER, on_sub, l, e) == OK &&
        prof_read(l->p, l->d->f, PROF_STARS, on_stars, l, e) == OK && finish(l, l->top, "tasks", e) == OK)
        (void)!finish(l, l->sub, "sub-tasks", e);
    note_unknown(l, "task log records");
    return e->code;
}

/* ---- stars of V6 chips ---- */

/* The key is the id; the stream comes from the host. */
static int on_acsq6(void *arg, uint64_t key, const struct prof_start *s, uint64_t end, struct err *e)
{
    struct prof_task t = task_of(0, 0, s, end);

    t.task = (uint32_t)key;
    t.stream = UNKNOWN_STREAM;
    t.source = PROF_BY_ACSQ;
    return add_task(arg, &t, e);
}

static int on_fusion_pair(void *arg, uint64_t key, const struct prof_start *s, uint64_t end, struct err *e)
{
    struct log *l = arg;
    struct prof_device *d = l->d;
    struct prof_fusion_run *v =
        spool_grow(d->spool, d->fusion, d->n_fusion, &l->cap_fusion, sizeof *v, FIRST_ROOM);

    if (!v)
        return err_nomem(e);
    d->fusion = v;
    const struct fusion_head *h = &l->head[s->seq];
    v[d->n_fusion++] = (struct prof_fusion_run){ .start = s->counter,
                                                 .end = end,
                                                 .task = (uint32_t)key,
                                                 .acc = h->acc,
                                                 .kinds = h->bits & 0x1f,
                                                 .mission = h->bits >> 5 & 0xf,
                                                 .sqe = h->sqe };
    return OK;
}

/* Its pair finds the head by the number of the start's record. */
static int on_fusion(struct log *l, struct rec *r, bool start, struct err *e)
{
    uint32_t task = rec_u32(r, S6_TASK);
    uint64_t counter = rec_u64(r, S6_TICKS);

    if (!start)
        return prof_pairs_end(l->sub, task, counter, e);
    struct fusion_head *v = l->n_heads < PROF_NONE ? spool_grow(l->d->spool, l->head, l->n_heads,
                                                                &l->cap_heads, sizeof *v, FIRST_ROOM)
                                                   : NULL;
    if (!v)
        return err_nomem(e);
    l->head = v;
    v[l->n_heads] = (struct fusion_head){ .bits = rec_u16(r, S6_FUSION),
                                          .acc = rec_u16(r, S6_ACC),
                                          .sqe = (uint8_t)(rec_u16(r, S6_FUNCTION) >> 10) };
    return prof_pairs_start(l->sub, task,
                            &(struct prof_start){ .counter = counter, .seq = (uint32_t)l->n_heads++ }, e);
}

static int on_stars6(void *arg, struct prof_record *r, struct err *e)
{
    struct log *l = arg;
    unsigned head = rec_u16(&r->rec, S6_FUNCTION), function = head & 63;
    struct prof_start s = { .counter = rec_u64(&r->rec, S6_TICKS),
                            .seq = l->seq++,
                            .kind = (uint8_t)(head >> 10) };

    if (function == FUSION_START || function == FUSION_END)
        return on_fusion(l, &r->rec, function == FUSION_START, e);
    if (function == ACSQ_START)
        return prof_pairs_start(l->top, rec_u32(&r->rec, S6_TASK), &s, e);
    if (function == ACSQ_END)
        return prof_pairs_end(l->top, rec_u32(&r->rec, S6_TASK), s.counter, e);
    count_unknown(l, &r->where);
    return OK;
}

static int fusion_by_start(const void *va, const void *vb)
{
    const struct prof_fusion_run *a = va, *b = vb;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->task < b->task ? -1 : a->task > b->task;
}

static int read_stars6(struct log *l, struct err *e)
{
    l->tag = PROF_STARS;
    if (prof_pairs_new(&l->top, PROF_PAIR_ORDER, on_acsq6, l, e) == OK &&
        prof_pairs_new(&l->sub, PROF_PAIR_ORDER, on_fusion_pair, l, e) == OK &&
        prof_read(l->p, l->d->f, PROF_STARS, on_stars6, l, e) == OK && finish(l, l->top, "tasks", e) == OK)
        (void)!finish(l, l->sub, "fusion tasks", e);
    note_unknown(l, "task log records");
    if (l->d->n_fusion)
        qsort(l->d->fusion, l->d->n_fusion, sizeof *l->d->fusion, fusion_by_start);
    return e->code;
}

struct known { /* a task of the host */
    uint32_t task, stream;
};

static int known_by_task(const void *va, const void *vb)
{
    const struct known *a = va, *b = vb;

    return a->task < b->task ? -1 : a->task > b->task;
}

int prof_device_streams(struct prof_device *d, struct prof *p, const struct prof_host *h, struct err *e)
{
    size_t from = prof_device_hosts(h, d->f->device), to = prof_device_hosts(h, d->f->device + 1);
    struct known *v = calloc(to - from + 1, sizeof *v);
    uint64_t lost = 0;

    if (!v)
        return err_nomem(e);
    for (size_t i = from; i < to; i++)
        v[i - from] = (struct known){ h->task[i].task, h->task[i].stream };
    qsort(v, to - from, sizeof *v, known_by_task);
    for (size_t i = 0; i < d->n_tasks; i++) {
        const struct known key = { .task = d->task[i].task };
        const struct known *k = bsearch(&key, v, to - from, sizeof key, known_by_task);
        d->task[i].stream = k ? k->stream : UNKNOWN_STREAM;
        lost += !k;
    }
    free(v);
    if (lost)
        prof_note(p, d->f, PROF_STARS, NOTE_INCONSISTENT,
                  "%llu tasks are not among those of the host: their stream is not known",
                  (unsigned long long)lost);
    return OK;
}

/* ---- hwts ---- */

static int on_hwts(void *arg, struct prof_record *r, struct err *e)
{
    struct log *l = arg;
    unsigned type = rec_u8(&r->rec, HW_TYPE) & 7;
    struct prof_start s = { .counter = rec_u64(&r->rec, HW_TICKS),
                            .seq = l->seq++,
                            .kind = rec_u8(&r->rec, HW_KIND) };
    uint64_t key = (uint64_t)(rec_u32(&r->rec, HW_STREAM) % HWTS_STREAMS) << 16 | rec_u16(&r->rec, HW_TASK);

    if (type > HWTS_LAST)
        count_unknown(l, &r->where);
    if (type == HWTS_START)
        return prof_pairs_start(l->top, key, &s, e);
    return type == HWTS_END ? prof_pairs_end(l->top, key, s.counter, e) : OK;
}

static int read_hwts(struct log *l, struct err *e)
{
    l->tag = PROF_HWTS;
    if (prof_pairs_new(&l->top, PROF_PAIR_LAST, on_hwts_pair, l, e) == OK &&
        prof_pairs_new(&l->sub, PROF_PAIR_LAST, on_aicpu_pair, l, e) == OK &&
        prof_read(l->p, l->d->f, PROF_HWTS, on_hwts, l, e) == OK &&
        prof_read(l->p, l->d->f, PROF_HWTS_AIV, on_hwts, l, e) == OK)
        (void)!finish(l, l->top, "tasks", e);
    note_unknown(l, "task log records");
    return e->code;
}

/* ---- ts_track ---- */

static int keep_mark(struct log *l, const struct prof_mark *m, struct err *e)
{
    struct prof_device *d = l->d;
    struct prof_mark *v = spool_grow(d->spool, d->mark, d->n_marks, &l->cap_marks, sizeof *v, FIRST_ROOM);

    if (!v)
        return err_nomem(e);
    d->mark = v;
    v[d->n_marks++] = *m;
    return OK;
}

static int add_mark(struct log *l, struct rec *r, struct err *e)
{
    bool v6 = l->p->chip->v6;

    return keep_mark(l,
                     &(struct prof_mark){
                         .counter = rec_u64(r, TT_TICKS),
                         .index = rec_u64(r, TT_INDEX),
                         .model = rec_u64(r, TT_MODEL),
                         .stream = v6 ? rec_u16(r, TT6_STREAM) : rec_u16(r, TT_MARK_STREAM) & MARK_STREAM,
                         .task = v6 ? rec_u32(r, TT6_TASK) : rec_u16(r, TT_MARK_TASK),
                         .tag = v6 ? rec_u16(r, TT6_TAG) : rec_u16(r, TT_TAG),
                     },
                     e);
}

static int add_flip(struct log *l, struct rec *r, struct err *e)
{
    struct prof_flips *f = l->flips;
    struct prof_flip *v = grow_array(f->v, f->n, &l->cap_flips, sizeof *v, FIRST_ROOM);

    if (!v)
        return err_nomem(e);
    f->v = v;
    v[f->n++] = (struct prof_flip){ .time = rec_u64(r, TT_TICKS),
                                    .stream = rec_u16(r, TT_STREAM),
                                    .task = rec_u16(r, TT_FLIP_TASK),
                                    .is_destroyed = rec_u16(r, TT_TASK) == STREAM_DESTROYED };
    return OK;
}

static int add_block(struct log *l, struct rec *r, struct err *e)
{
    struct prof_device *d = l->d;
    struct prof_block *v = spool_grow(d->spool, d->block, d->n_blocks, &l->cap_blocks, sizeof *v, FIRST_ROOM);
    uint16_t stream = rec_u16(r, TT_STREAM), task = rec_u16(r, TT_TASK);

    if (!v)
        return err_nomem(e);
    d->block = v;
    struct prof_block *b = &v[d->n_blocks++];
    *b = (struct prof_block){
        .counter = rec_u64(r, TT_TICKS), .stream = stream, .task = task, .blocks = rec_u32(r, TT_BLOCKS)
    };
    if (l->ids_move)
        prof_stars_ids(l->expanded, 0, stream, task, &b->stream, &b->task);
    else if (l->p->chip->v6)
        b->task = (uint32_t)task << 16 | stream;
    return OK;
}

static int add_copy_record(struct log *l, struct rec *r, struct err *e)
{
    struct copy_record *v =
        spool_grow(l->d->spool, l->copy, l->n_copies, &l->cap_copies, sizeof *v, FIRST_ROOM);

    if (!v)
        return err_nomem(e);
    l->copy = v;
    v[l->n_copies++] = (struct copy_record){
        .counter = rec_u64(r, TT_TICKS),
        .key = (uint32_t)rec_u16(r, TT_STREAM) << 16 | rec_u16(r, TT_TASK),
        .seq = l->seq,
        .state = rec_u8(r, TT_COPY_STATE),
    };
    return OK;
}

/* doc/formats/msprof.md#device-tasks: tasks that only the scheduler's processor records. */
static bool is_scheduled(unsigned kind)
{
    static const uint8_t kinds[] = { 12, 13, 72, 101, 116 };

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (kinds[i] == kind)
            return true;
    return false;
}

static int add_sched(struct log *l, struct rec *r, struct err *e)
{
    struct prof_scheds *s = l->scheds;
    struct prof_sched *v = spool_grow(l->d->spool, s->v, s->n, &l->cap_scheds, sizeof *v, FIRST_ROOM);

    if (!v)
        return err_nomem(e);
    s->v = v;
    v[s->n++] = (struct prof_sched){ .counter = rec_u64(r, TT_TICKS),
                                     .stream = rec_u16(r, TT_STREAM),
                                     .task = rec_u16(r, TT_TASK),
                                     .kind = rec_u16(r, TT_TASK_TYPE),
                                     .state = rec_u8(r, TT_STATE) };
    return OK;
}

/* AI CPU tasks of 910 (other chips log their own), and tasks of 310P that its logs lack. */
static int on_ts_task(struct log *l, struct rec *r, struct err *e)
{
    unsigned state = rec_u8(r, TT_STATE);
    uint64_t key = (uint64_t)rec_u16(r, TT_STREAM) << 16 | rec_u16(r, TT_TASK);
    struct prof_start s = { .counter = rec_u64(r, TT_TICKS), .seq = l->seq };

    s.kind = TS_KIND_AICPU;
    if (l->p->chip->ts_cpu_schedule && l->scheds && is_scheduled(rec_u16(r, TT_TASK_TYPE)))
        return add_sched(l, r, e);
    if (l->stars || !l->p->chip->ts_aicpu || rec_u16(r, TT_TASK_TYPE) != TS_KIND_AICPU)
        return OK;
    if (state == TS_STATE_START)
        return prof_pairs_start(l->sub, key, &s, e);
    return state == TS_STATE_END ? prof_pairs_end(l->sub, key, s.counter, e) : OK;
}

static int on_ts_track(void *arg, struct prof_record *r, struct err *e)
{
    struct log *l = arg;

    l->seq++;
    switch (rec_u8(&r->rec, TT_TYPE)) {
    case TS_MARK:
        return add_mark(l, &r->rec, e);
    case TS_COPY:
        return l->stars ? OK : add_copy_record(l, &r->rec, e);
    case TS_TASK:
        return on_ts_task(l, &r->rec, e);
    case TS_FLIP:
        return add_flip(l, &r->rec, e);
    case TS_BLOCK:
        return add_block(l, &r->rec, e);
    case TS_OLD_FLIP:
        return OK;
    default:
        count_unknown(l, &r->where);
        return OK;
    }
}

static int by_task(const void *va, const void *vb)
{
    const struct copy_record *a = va, *b = vb;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->seq < b->seq ? -1 : a->seq > b->seq;
}

static int by_received(const void *va, const void *vb)
{
    const struct prof_copy *a = va, *b = vb;

    if (a->received != b->received)
        return a->received < b->received ? -1 : 1;
    if (a->stream != b->stream)
        return a->stream < b->stream ? -1 : 1;
    return a->task < b->task ? -1 : a->task > b->task;
}

/*
 * The first state of a (stream, task) opens a copy and the two others fill it; copies that lack one are
 * dropped.
 */
static int join_copies(struct log *l, struct err *e)
{
    struct prof_device *d = l->d;
    uint64_t at[N_COPY_STATES] = { 0 };
    unsigned seen = 0;

    if (!l->n_copies)
        return OK;
    qsort(l->copy, l->n_copies, sizeof *l->copy, by_task);
    d->copy = spool_array(d->spool, l->n_copies / N_COPY_STATES + 1, sizeof *d->copy);
    if (!d->copy)
        return err_nomem(e);
    for (size_t i = 0; i < l->n_copies; i++) {
        const struct copy_record *c = &l->copy[i];
        if (c->state >= N_COPY_STATES)
            continue;
        if (!i || c->key != l->copy[i - 1].key || c->state == COPY_RECEIVED)
            seen = 0;
        if (c->state != COPY_RECEIVED && !(seen & 1u << COPY_RECEIVED))
            continue;
        at[c->state] = c->counter;
        seen |= 1u << c->state;
        if (seen != (1u << N_COPY_STATES) - 1)
            continue;
        d->copy[d->n_copies++] = (struct prof_copy){ .received = at[COPY_RECEIVED],
                                                     .start = at[COPY_START],
                                                     .end = at[COPY_END],
                                                     .stream = c->key >> 16,
                                                     .task = c->key & 0xffff };
        seen = 0;
    }
    if (d->n_copies)
        qsort(d->copy, d->n_copies, sizeof *d->copy, by_received);
    return OK;
}

static int read_ts_track(struct log *l, struct err *e)
{
    if (prof_read(l->p, l->d->f, PROF_TS_TRACK, on_ts_track, l, e) == OK &&
        prof_read(l->p, l->d->f, PROF_TS_TRACK_AIV, on_ts_track, l, e) == OK && join_copies(l, e) == OK &&
        !l->stars)
        (void)!finish(l, l->sub, "AI CPU tasks", e);
    note_unknown(l, "reports");
    return e->code;
}

/* ---- ts_track of chip 0 ---- */

static int on_mini_pair(void *arg, uint64_t key, const struct prof_start *s, uint64_t end, struct err *e)
{
    struct prof_task t = task_of(key, 0, s, end);

    t.source = PROF_BY_TS;
    return add_task(arg, &t, e);
}

/* A task runs from MINI_RUNS to MINI_DONE; how long it waited before is not kept. */
static int on_line(struct log *l, struct rec *r, struct err *e)
{
    unsigned state = rec_u16(r, TL_STATE), kind = rec_u16(r, TL_TASK_TYPE);
    uint64_t key = (uint64_t)(rec_u16(r, TL_STREAM) & MARK_STREAM) << 16 | rec_u16(r, TL_TASK);
    const struct prof_start s = { .counter = rec_u64(r, TL_TICKS),
                                  .seq = l->seq,
                                  .kind = (uint8_t)(kind < UINT8_MAX ? kind : UINT8_MAX) };

    if (state == MINI_RUNS)
        return prof_pairs_start(l->top, key, &s, e);
    return state == MINI_DONE ? prof_pairs_end(l->top, key, s.counter, e) : OK;
}

static int on_mini(void *arg, struct prof_record *r, struct err *e)
{
    struct log *l = arg;

    l->seq++;
    switch (rec_u8(&r->rec, TL_TYPE)) {
    case MINI_LINE:
        return l->top ? on_line(l, &r->rec, e) : OK;
    case MINI_STEP:
        return add_mark(l, &r->rec, e);
    case MINI_COPY:
        return l->top ? add_copy_record(l, &r->rec, e) : OK;
    default:
        return OK;
    }
}

static int read_mini(struct log *l, struct err *e)
{
    l->tag = PROF_TS_TRACK;
    if (prof_pairs_new(&l->top, PROF_PAIR_LAST, on_mini_pair, l, e) == OK &&
        prof_mini_read(l->p, l->d->f, on_mini, l, e) == OK && join_copies(l, e) == OK)
        (void)!finish(l, l->top, "tasks", e);
    return e->code;
}

/* Records of unknown chips are read by the layout that their files look like. */
static void report_chip(struct log *l)
{
    struct prof *p = l->p;

    if (p->platform >= 0 && p->chip->platform < 0)
        prof_note(p, l->d->f, N_PROF_TAGS, NOTE_NEWER,
                  "chip %d is not known: its records are read as those of %s", p->platform,
                  l->stars ? "910B" : "910");
}

/* ---- marks of models that AI CPUs report (doc/formats/prof.md#aicpu): of no stream ---- */

#define AICPU_MODEL 2  /* type of a record */
#define TAG_MODEL   61 /* tag of an older one */

static int on_aicpu(void *arg, struct prof_record *rec, struct err *e)
{
    struct rec *r = &rec->rec;

    if (rec_u32(r, PH_TYPE) != AICPU_MODEL)
        return OK; /* read by parsers/prof/device/aicpu.c */
    return keep_mark(arg,
                     &(struct prof_mark){ .counter = rec_u64(r, PH_TIME),
                                          .index = rec_u64(r, PA_MODEL_INDEX),
                                          .model = rec_u32(r, PA_MODEL),
                                          .tag = rec_u16(r, PA_MODEL_TAG) },
                     e);
}

static int on_model(void *arg, struct prof_record *rec, struct err *e)
{
    struct log *l = arg;
    struct rec *r = &rec->rec;

    if (rec_u16(r, PM_TAG) != TAG_MODEL) {
        count_unknown(l, &rec->where);
        return OK;
    }
    return keep_mark(l,
                     &(struct prof_mark){ .counter = rec_u64(r, PM_TIME),
                                          .index = rec_u64(r, PM_INDEX),
                                          .model = rec_u32(r, PM_MODEL),
                                          .tag = rec_u16(r, PM_STEP_TAG) },
                     e);
}

static int read_models(struct log *l, struct err *e)
{
    if (prof_read(l->p, l->d->f, PROF_AICPU, on_aicpu, l, e) == OK)
        (void)!prof_read(l->p, l->d->f, PROF_PRE_MODEL, on_model, l, e);
    note_unknown(l, "marks of models");
    return e->code;
}

/* Every log of the device's tasks. */
static int read_logs(struct log *l, struct err *e)
{
    if (l->p->chip->scheduler == CHIP_TS)
        (void)!(read_mini(l, e) || read_models(l, e));
    else if ((l->p->chip->v6 ? read_stars6(l, e) : l->stars ? read_stars(l, e) : read_hwts(l, e)) == OK)
        (void)!(read_ts_track(l, e) || read_models(l, e));
    return e->code;
}

int prof_device_logs(struct prof_device *d, struct prof *p, bool expanded, struct prof_flips *flips,
                     struct prof_scheds *scheds, struct err *e)
{
    struct log l = { .d = d, .p = p, .flips = flips, .scheds = scheds, .expanded = expanded };

    l.ids_move = p->chip->moves_ids;
    l.stars = p->chip->scheduler == CHIP_STARS || prof_has(d->f, PROF_STARS);
    report_chip(&l);
    (void)!read_logs(&l, e);
    prof_pairs_free(l.top);
    prof_pairs_free(l.sub);
    spool_free(d->spool, l.copy);
    spool_free(d->spool, l.head);
    return e->code;
}

int prof_device_marks(struct prof_device *d, struct prof *p, struct err *e)
{
    struct prof_flips flips = { 0 };
    /* as if another log had tasks and copies */
    struct log l = { .d = d, .p = p, .flips = &flips, .stars = true };

    if ((p->chip->scheduler == CHIP_TS ? prof_mini_read(p, d->f, on_mini, &l, e)
                                       : prof_read(p, d->f, PROF_TS_TRACK, on_ts_track, &l, e) ||
                                             prof_read(p, d->f, PROF_TS_TRACK_AIV, on_ts_track, &l, e)) == OK)
        (void)!read_models(&l, e);
    free(flips.v);
    return e->code;
}
