/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of what the framework recorded: tracks of its threads, arrows to what they launched, from enqueue to
 * dequeue, and from forward to backward.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/large/sort_index.h"
#include "base/limits.h"
#include "parsers/parsers.h"
#include "parsers/prof/rows/rows_framework.h"

#define SORT_FRAMEWORK 1 /* before every layer of CANN */

struct writing {
    struct prof_rows *r;
    struct prof_rows_framework *w;
    const struct framework *f;
    uint32_t source; /* of ranges */
    uint32_t *text;  /* of the sink, by text; 0: not asked for yet */
    struct intern *threads;
    uint32_t *track; /* by thread */
    size_t cap_tracks;
    uint64_t n_left;
    struct prof_tracks *streams; /* of each device */
};

static uint32_t text_id(struct writing *x, uint32_t text)
{
    if (text == FRAMEWORK_NONE)
        return 0;
    if (!x->text[text])
        x->text[text] = sink_intern(x->r->g->out, framework_str(x->f, text));
    return x->text[text];
}

/* ---- tracks ---- */

static uint32_t new_track(struct writing *x, uint64_t thread, struct err *e)
{
    const char *process = x->f->torch ? "Python" : "MindSpore";
    char name[40], tid[24];

    snprintf(tid, sizeof tid, "%" PRIu64, thread);
    snprintf(name, sizeof name, "Thread %" PRIu64, thread);
    const struct track_def def = { .rank = prof_rows_own_rank(x->r),
                                   .kind = TK_HOST_THREAD,
                                   .pid = str_of(process),
                                   .tid = str_of(tid),
                                   .process = str_of(process),
                                   .name = str_of(name),
                                   .sort = ((int64_t)SORT_FRAMEWORK << 40) + (int64_t)(thread % (1u << 30)),
                                   .stream = -1,
                                   .source_id = x->source };
    uint32_t track = sink_track(x->r->g->out, &def);
    if (track == SINK_NO_TRACK)
        err_nomem(e);
    return track;
}

/* SINK_NO_TRACK: e is set, or is clear beyond LIM_TRACKS threads. */
static uint32_t track_of(struct writing *x, uint64_t thread, struct err *e)
{
    const struct str key = { (const char *)&thread, sizeof thread };
    uint32_t n = intern_count(x->threads), id = intern_find(x->threads, key);

    if (id != INTERN_NONE)
        return x->track[id];
    if (n >= LIM_TRACKS) {
        x->n_left++;
        return SINK_NO_TRACK;
    }
    uint32_t *v = spool_grow(x->f->pool, x->track, n, &x->cap_tracks, sizeof *v, 64);
    if (!v || intern_put(x->threads, key) == INTERN_NONE) {
        err_nomem(e);
        return SINK_NO_TRACK;
    }
    x->track = v;
    return v[n] = new_track(x, thread, e);
}

static int put_event(struct writing *x, uint64_t thread, int64_t from, int64_t to, uint32_t name,
                     uint32_t line, struct err *e)
{
    uint32_t track = track_of(x, thread, e);

    return track == SINK_NO_TRACK
               ? e->code
               : sink_event(x->r->g->out, track, from, to > from ? to - from : 0, name, line, e);
}

static int put_ranges(struct writing *x, struct err *e)
{
    for (size_t i = 0; i < x->f->n_ranges; i++) {
        const struct framework_range *a = &x->f->range[i];
        uint32_t line = i < x->w->n_recorded ? a->line : 0; /* calls of Python are of another file */
        if (!(a->is & RANGE_FLOW) && put_event(x, a->thread, a->from, a->to, text_id(x, a->name), line, e))
            return e->code;
    }
    return OK;
}

/* ---- arrows ---- */

static int put_flow(struct writing *x, uint64_t thread, int64_t at, char phase, uint32_t cat, uint64_t id,
                    struct err *e)
{
    uint32_t track = track_of(x, thread, e);

    return track == SINK_NO_TRACK ? e->code : sink_flow(x->r->g->out, track, at, phase, cat, id, e);
}

static int put_launch(void *arg, const struct prof_launched *l, struct err *e)
{
    struct writing *x = arg;
    const struct framework_range *from = &x->f->range[l->range];
    uint32_t cat = sink_intern(x->r->g->out, STR("async_npu"));
    uint64_t id = (uint64_t)l->dev << 40 | (l->id + 1);
    uint32_t track = prof_tracks_get(&x->streams[l->dev], l->stream, e);

    if (track == SINK_NO_TRACK || put_flow(x, from->thread, from->from, 's', cat, id, e))
        return e->code;
    return sink_flow(x->r->g->out, track, l->from, 'f', cat, id, e);
}

/* Of a flow id or sequence number: where it begins and ends. */
struct end {
    uint64_t id;
    uint32_t range;
    bool begins;
};
struct ends {
    struct end *v;
    size_t n, cap;
};

static int add_end(struct writing *x, struct ends *s, uint64_t id, size_t range, bool begins, struct err *e)
{
    struct end *v = spool_grow(x->f->pool, s->v, s->n, &s->cap, sizeof *v, 1024);

    if (!v)
        return err_nomem(e);
    s->v = v;
    v[s->n++] = (struct end){ id, (uint32_t)range, begins };
    return OK;
}

/*
 * MindSpore: records called flow begin, other ranges with the id end. torch_npu: the forward op, and that of
 * the backward pass. Python frames have the id 0, which is none.
 */
static int find_ends(struct writing *x, struct ends *s, struct err *e)
{
    for (size_t i = 0; i < x->f->n_ranges; i++) {
        const struct framework_range *a = &x->f->range[i];
        bool has = x->f->torch ? a->sequence >= 0 : a->flow != FRAMEWORK_NO_FLOW && !(a->is & RANGE_FRAME);
        bool begins = x->f->torch ? !a->forward : a->is & RANGE_FLOW;
        if (has && add_end(x, s, x->f->torch ? (uint64_t)a->sequence : a->flow, i, begins, e))
            return e->code;
    }
    return OK;
}

static bool end_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct end *v = arg;

    return v[a].id < v[b].id;
}

/*
 * The arrow of ends [from, to), which share an id: MindSpore draws one with a single start and a single end,
 * torch_npu from the last forward to the last backward op, when their threads differ.
 */
static int put_pair(struct writing *x, const struct ends *s, size_t from, size_t to, uint32_t cat,
                    struct err *e)
{
    const struct framework_range *a = NULL, *b = NULL;

    if (!x->f->torch && to - from != 2)
        return OK;
    for (size_t i = from; i < to; i++) {
        const struct framework_range *r = &x->f->range[s->v[i].range];
        const struct framework_range **at = s->v[i].begins ? &a : &b;
        if (!*at || r->from >= (*at)->from)
            *at = r;
    }
    if (!a || !b || (x->f->torch && a->thread == b->thread))
        return OK;
    if (put_flow(x, a->thread, a->from, 's', cat, s->v[from].id, e))
        return e->code;
    return put_flow(x, b->thread, b->from, 'f', cat, s->v[from].id, e);
}

static int put_pairs(struct writing *x, struct err *e)
{
    uint32_t cat = sink_intern(x->r->g->out, x->f->torch ? STR("fwdbwd") : STR("async_mindspore"));
    struct ends s = { .n = 0 };

    if (find_ends(x, &s, e) == OK)
        (void)!prof_sort(x->f->pool, s.v, s.n, sizeof *s.v, end_before, s.v, e);
    for (size_t from = 0, to; from < s.n && !e->code; from = to) {
        for (to = from + 1; to < s.n && s.v[to].id == s.v[from].id;)
            to++;
        (void)!put_pair(x, &s, from, to, cat, e);
    }
    spool_free(x->f->pool, s.v);
    return e->code;
}

/* What is put in is called as what is taken out; a task that was never taken out has no name. */
static int put_queued(struct writing *x, const struct framework_queued *q, uint32_t cat, struct err *e)
{
    struct str name = framework_str(x->f, q->put ? framework_taken_name(&x->w->joins, q) : q->name);
    char text[256];

    snprintf(text, sizeof text, "%s%s%.*s", q->put ? "Enqueue" : "Dequeue", name.n ? "@" : "",
             (int)(name.n < 200 ? name.n : 200), name.p ? name.p : "");
    if (put_event(x, q->thread, q->from, q->to, sink_intern(x->r->g->out, str_of(text)), q->line, e))
        return e->code;
    return put_flow(x, q->thread, q->from, q->put ? 's' : 'f', cat, q->correlation, e);
}

static int put_queue(struct writing *x, struct err *e)
{
    uint32_t cat = sink_intern(x->r->g->out, STR("async_task_queue"));

    for (size_t i = 0; i < x->w->joins.n_queued; i++)
        if (put_queued(x, &x->w->joins.queued[i], cat, e))
            return e->code;
    return OK;
}

/* Garbage collections have a track of their own: their thread is not recorded. */
static int put_collections(struct writing *x, struct err *e)
{
    const struct framework_python *p = &x->w->python;
    struct sink *out = x->r->g->out;
    const struct track_def def = { .rank = prof_rows_own_rank(x->r),
                                   .kind = TK_HOST_THREAD,
                                   .pid = STR("Python"),
                                   .tid = STR(FRAMEWORK_GC),
                                   .process = STR("Python"),
                                   .name = STR("garbage collection"),
                                   .sort = ((int64_t)SORT_FRAMEWORK << 40) + ((int64_t)1 << 31),
                                   .stream = -1,
                                   .source_id = x->w->gc_source };
    uint32_t track = p->n_gc ? sink_track(out, &def) : 0, name = sink_intern(out, STR(FRAMEWORK_GC));

    if (track == SINK_NO_TRACK)
        return err_nomem(e);
    for (size_t i = 0; i < p->n_gc; i++) {
        const struct framework_collection *a = &p->gc[i];
        if (sink_event(out, track, a->from, a->to > a->from ? a->to - a->from : 0, name, a->line, e))
            return e->code;
    }
    return OK;
}

static int put_tracks(struct writing *x, struct err *e)
{
    const struct prof_model *m = &x->r->m;

    if (put_collections(x, e) || put_ranges(x, e) || put_queue(x, e) || put_pairs(x, e))
        return e->code;
    x->streams = calloc(m->n_dev + 1, sizeof *x->streams);
    if (!x->streams)
        return err_nomem(e);
    for (size_t i = 0; i < m->n_dev; i++)
        x->streams[i] = prof_rows_streams(x->r, &m->dev[i]);
    (void)!prof_rows_each_launched(x->r, put_launch, x, e);
    for (size_t i = 0; i < m->n_dev; i++)
        prof_tracks_done(&x->streams[i]);
    free(x->streams);
    return e->code;
}

/* ---- the whole ---- */

int prof_rows_framework_write(struct prof_rows_framework *w, struct prof_rows *r, struct err *e)
{
    struct writing x = { .r = r, .w = w, .f = &w->f, .source = w->source };

    if (!w->f.texts || (!w->f.n_ranges && !w->f.n_marks && !w->python.n_gc && !w->python.n_shapes))
        return OK;
    x.text = spool_array(w->f.pool, intern_count(w->f.texts) + 1, sizeof *x.text);
    if (!x.text)
        err_nomem(e);
    else if (intern_new(&x.threads, e) == OK)
        (void)!((group_wants(r->g, "host_op") && prof_rows_framework_ops(w, r, e)) ||
                (group_wants(r->g, "track") && put_tracks(&x, e)));
    if (x.n_left && !e->code) {
        const struct where at = { .source_id = x.source, .offset = ERR_NO_OFFSET };
        sink_note(r->g->out, NOTE_LIMIT, &at, "%" PRIu64 " events of further threads than %d: left out",
                  x.n_left, LIM_TRACKS);
    }
    intern_free(x.threads);
    spool_free(w->f.pool, x.track);
    spool_free(w->f.pool, x.text);
    return e->code;
}
