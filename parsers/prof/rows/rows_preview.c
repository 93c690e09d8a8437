/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The preview of a PROF folder, for a screen that waits: its steps, and what the end of the task logs says of
 * each stream. The ops' names are the host's: until it is read tasks are called by their types. Steps that
 * the program marked are shown by their marks: when their kernels ran is known later.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "parsers/prof/device/device_log.h"
#include "parsers/prof/prof_layout.h"
#include "parsers/prof/rows/rows_framework.h"

enum { STARS_RECORD(FIELD_AT) HWTS_RECORD2(FIELD_AT) EXPAND_STREAM_RECORD(FIELD_AT) };
enum { IS_START, IS_END }; /* types of hwts records, functions of stars records */

#define LATE_B  ((uint64_t)8 << 20) /* of a log: some ten thousand tasks */
#define STEPS_B ((uint64_t)64 << 20)
#define MARKS_B ((uint64_t)512 << 20) /* some three million ranges, of which steps are a few */
#define STREAMS 0x8000                /* ids are below (doc/formats/prof.md#stars_soc) */

/* ---- the end of a log ---- */

/* The last record of a stream. */
struct last {
    uint64_t counter;
    uint16_t task;
    uint8_t source, kind;
    bool known, open;
};

struct preview {
    struct prof_rows *r;
    struct sink_quiet quiet;       /* damage is noted when the files are read */
    struct parse_ctx late;         /* of the log being read */
    const struct source_file *log; /* its first slice; NULL: none is being read */
    bool expanded, ids_move;
    struct last *last; /* by stream */
};

static uint64_t bytes_of(const struct source_file *f)
{
    uint64_t n = 0;

    for (; f; f = f->next_slice)
        n += f->size_b;
    return n;
}

/* The last LATE_B of a chain, from a whole number of records on. */
static struct parse_ctx *use_late(void *arg, const struct source_file *f)
{
    struct preview *g = arg;
    uint64_t all = bytes_of(f), before = 0;

    if (f != g->log)
        return NULL;
    g->late = (struct parse_ctx){
        .f = f, .run = g->r->g->run, .tmp = g->r->g->tmp, .out = &g->quiet.sink, .threads = 1
    };
    uint64_t from = all > LATE_B ? all - LATE_B : 0;
    from -= from % prof_tags[PROF_STARS].record_b;
    while (g->late.f->next_slice && before + g->late.f->size_b <= from) {
        before += g->late.f->size_b;
        g->late.f = g->late.f->next_slice;
    }
    g->late.skip_b = from - before;
    return &g->late;
}

/* A stream runs its tasks one after another: while one is open the ends of others are of earlier ones. */
static void take(struct preview *g, uint32_t stream, const struct last *x)
{
    struct last *l = &g->last[stream % STREAMS];

    if (x->open || !l->open || l->task == x->task)
        *l = *x;
}

static int on_stars(void *arg, struct prof_record *r, struct err *e)
{
    struct preview *g = arg;
    unsigned head = rec_u16(&r->rec, ST_FUNCTION), function = head & 63, sqe = head >> 10;
    uint32_t stream = rec_u16(&r->rec, ST_STREAM), task = rec_u16(&r->rec, ST_TASK);

    (void)e;
    if (function != IS_START && function != IS_END)
        return OK;
    if (g->ids_move)
        prof_stars_ids(g->expanded, sqe, (uint16_t)stream, (uint16_t)task, &stream, &task);
    const struct last x = { .counter = rec_u64(&r->rec, ST_TICKS),
                            .task = (uint16_t)task,
                            .source = PROF_BY_ACSQ,
                            .kind = (uint8_t)sqe,
                            .known = true,
                            .open = function == IS_START };
    take(g, stream, &x);
    return OK;
}

static int on_hwts(void *arg, struct prof_record *r, struct err *e)
{
    unsigned type = rec_u8(&r->rec, HW_TYPE) & 7;

    (void)e;
    if (type != IS_START && type != IS_END)
        return OK;
    const struct last x = { .counter = rec_u64(&r->rec, HW_TICKS),
                            .task = rec_u16(&r->rec, HW_TASK),
                            .source = PROF_BY_HWTS,
                            .kind = rec_u8(&r->rec, HW_KIND),
                            .known = true,
                            .open = type == IS_START };
    take(arg, rec_u32(&r->rec, HW_STREAM) % 2048, &x);
    return OK;
}

static int on_expand(void *arg, struct prof_record *r, struct err *e)
{
    struct preview *g = arg;

    g->expanded = rec_u8(&r->rec, ES_STATUS) == 1;
    return e->code;
}

/* ---- rows ---- */

static int put_stream(const struct preview *g, const struct prof_folder *f, enum prof_tag tag,
                      uint32_t stream, struct err *e)
{
    const struct last *l = &g->last[stream];
    const struct prof_task t = { .source = l->source, .kind = l->kind };
    const char *word = prof_device_word(g->r->m.p, &t);
    struct val v[N_COLS(last_activity)] = { 0 };
    char track[32];

    snprintf(track, sizeof track, "Stream %" PRIu32, stream);
    v[COL(last_activity, rank)] = val_int(prof_rows_rank(g->r, f));
    v[COL(last_activity, kind)] = val_cstr("stream");
    v[COL(last_activity, track)] = val_cstr(track);
    v[COL(last_activity, stream)] = val_int(stream);
    v[COL(last_activity, task)] = val_int(l->task);
    v[COL(last_activity, name_id)] = sink_text(g->r->g->out, str_of(word ? word : "task"));
    v[COL(last_activity, ts_ns)] = val_int(prof_device_ns(f, l->counter));
    v[COL(last_activity, state)] = val_cstr(l->open ? "running" : "done");
    v[COL(last_activity, source_id)] = val_id(prof_rows_source(f, tag));
    return sink_row(g->r->g->out, T_last_activity, v, N_COLS(last_activity), NULL, e);
}

static int put_streams(struct preview *g, const struct prof_folder *f, struct err *e)
{
    bool stars = g->r->m.p->chip->scheduler == CHIP_STARS || prof_has(f, PROF_STARS);
    enum prof_tag tag = stars ? PROF_STARS : PROF_HWTS;

    for (uint32_t i = 0; i < STREAMS; i++)
        g->last[i] = (struct last){ .known = false };
    g->log = f->file[tag][0];
    if (prof_read(g->r->m.p, f, tag, stars ? on_stars : on_hwts, g, e))
        return e->code;
    for (uint32_t i = 0; i < STREAMS; i++)
        if (g->last[i].known && put_stream(g, f, tag, i, e))
            break;
    return e->code;
}

static int put_mark(struct prof_rows *r, const struct prof_folder *f, const struct prof_rows_framework *w,
                    const struct framework_step *x, struct err *e)
{
    const struct val v[N_COLS(step)] = {
        [COL(step, rank)] = val_int(prof_rows_rank(r, f)), [COL(step, step)] = val_int(x->number),
        [COL(step, start_ns)] = val_int(x->from),          [COL(step, end_ns)] = val_int(x->to),
        [COL(step, total_ns)] = val_int(x->to - x->from),  [COL(step, complete)] = val_int(1),
        [COL(step, source_id)] = val_id(w->source),        [COL(step, line)] = val_int(x->line),
    };

    return sink_row(r->g->out, T_step, v, N_COLS(step), NULL, e);
}

/* Marks of steps, which win over iterations. */
static int put_marks(struct preview *g, size_t *n, struct err *e)
{
    struct prof_rows *r = g->r;
    struct prof_rows_framework w;

    (void)!prof_rows_framework_marks(&w, r, MARKS_B, &g->quiet.sink, e);
    *n = w.n_steps;
    for (size_t i = 0; i < r->m.n_dev && !e->code; i++)
        for (size_t k = 0; k < w.n_steps && !e->code; k++)
            (void)!put_mark(r, r->m.dev[i].f, &w, &w.step[k], e);
    prof_rows_framework_done(&w);
    return e->code;
}

/* Where marks are not looked for, there may be some. */
static bool may_have_marks(const struct group_ctx *g)
{
    for (size_t i = 0; i < g->n; i++)
        if (g->m[i].role == ROLE_HOST_RANGES && g->m[i].c.f->size_b > MARKS_B)
            return true;
    return false;
}

static int put_steps(struct preview *g, struct err *e)
{
    struct prof_rows *r = g->r;
    size_t marks;

    if (put_marks(g, &marks, e) || marks || may_have_marks(r->g))
        return e->code;
    for (size_t i = 0; i < r->m.n_dev; i++)
        if (bytes_of(r->m.dev[i].f->file[PROF_TS_TRACK][0]) <= STEPS_B &&
            prof_device_marks(&r->m.dev[i], r->m.p, e))
            return e->code;
    return prof_rows_steps(r, e);
}

/* Chips whose records are laid out in another way have no tasks (parsers/prof/device/device.h). */
static bool is_read(const struct prof *p)
{
    return p->chip->scheduler != CHIP_TS && !p->chip->v6;
}

static int put_all(struct preview *g, struct err *e)
{
    struct prof_rows *r = g->r;

    g->ids_move = r->m.p->chip->moves_ids;
    r->m.dev = calloc(r->m.p->n_devices + 1, sizeof *r->m.dev);
    r->m.comm = calloc(r->m.p->n_devices + 1, sizeof *r->m.comm);
    g->last = calloc(STREAMS, sizeof *g->last);
    if (!r->m.dev || !r->m.comm || !g->last)
        return err_nomem(e);
    if (prof_read(r->m.p, r->m.p->host, PROF_EXPAND_STREAM, on_expand, g, e))
        return e->code;
    for (; r->m.n_dev < r->m.p->n_devices; r->m.n_dev++)
        r->m.dev[r->m.n_dev].f = r->m.p->device[r->m.n_dev];
    for (size_t i = 0; i < r->m.n_dev && is_read(r->m.p); i++)
        if (group_wants(r->g, "op_exec") && put_streams(g, r->m.dev[i].f, e))
            return e->code;
    return group_wants(r->g, "step") ? put_steps(g, e) : OK;
}

int prof_rows_preview(struct prof_rows *r, struct err *e)
{
    struct preview g = { .r = r };
    struct prof_input in = { .notes = &g.quiet.sink, .use = use_late, .arg = &g };

    sink_quiet_init(&g.quiet, r->g->out);
    if (prof_rows_open(r, &in, e) == OK)
        (void)!put_all(&g, e);
    free(g.last);
    return e->code;
}
