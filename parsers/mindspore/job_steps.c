/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of a raw job. */
#include "config.h"

#include "parsers/mindspore/job_steps.h"

#include "parsers/mindspore/mark_steps.h"
#include "parsers/mindspore/records/framework_text.h"
#include "parsers/mindspore/ticks.h"

/*
 * Ops whose names begin so show what the run is: the first step only fills the queue; there is a backward
 * pass.
 */
#define SKIPS_FIRST STR("Default/InitDataSetQueue")
#define TRAINS      STR("Gradients")

struct reader {
    struct group_ctx *g;
    const struct job_tasks *tasks;
    struct steps steps;
    bool training;
    struct step_points points; /* sink_intern() of the op's name */
    struct tally {
        uint64_t n;
        struct where first;
    } lost, disordered; /* rows at an impossible time; steps whose marks do not follow each other */
};

/* ---- names of communication ops ---- */

/* Upstream takes the last part of the name from r1.2 on. */
static int on_point(void *arg, const struct framework_point *p, struct err *e)
{
    struct reader *r = arg;

    return step_points_put(&r->points, p->tag, sink_intern(r->g->out, str_after_last(p->op, '/')), e);
}

/* The mark's own op was inserted before or after the op it is about; 0: not known. */
static uint32_t name_by_task(const struct reader *r, const struct step_comm *c)
{
    uint32_t i = job_tasks_neighbour(r->tasks, c->stream, c->task, c->first);

    return i == JOB_NO_TASK ? 0 : job_tasks_name_id(r->tasks, i);
}

static uint32_t name_of(const struct reader *r, const struct step_comm *c)
{
    if (job_tasks_binary(r->tasks))
        return name_by_task(r, c);
    uint32_t name = step_points_find(&r->points, c->tag);
    return name == STEP_NO_POINT ? sink_intern(r->g->out, STR("parallel")) : name;
}

/* From r1.8 on both marks must be about one op; before, their tags follow each other. */
static bool is_pair(const struct reader *r, const struct step_comm *a, const struct step_comm *b,
                    uint32_t *name)
{
    *name = name_of(r, a);
    if (job_tasks_since_r18(r->tasks))
        return *name && name_of(r, b) == *name;
    return step_tags_pair(a, b);
}

/* ---- rows ---- */

static bool instant(uint64_t ticks, struct val *v)
{
    int64_t ns;

    if (!ticks_ns(ticks, &ns))
        return false;
    *v = val_int(ns);
    return true;
}

/* A length, which is not below zero: *bad is set then. */
static struct val minus(const struct val *a, const struct val *b, bool *bad)
{
    if (a->t != VAL_INT || b->t != VAL_INT)
        return val_null();
    *bad |= a->i < b->i;
    return a->i < b->i ? val_null() : val_int(a->i - b->i);
}

static void count(struct tally *t, const struct where *w)
{
    if (!t->n++)
        t->first = *w;
}

static int put_part(void *arg, const struct step_comm *a, const struct step_comm *b, uint32_t no,
                    struct err *e)
{
    struct reader *r = arg;
    struct val v[N_COLS(step_part)] = { 0 };
    struct val *start = &v[COL(step_part, start_ns)], *end = &v[COL(step_part, end_ns)];
    uint32_t name;

    (void)no;
    if (!is_pair(r, a, b, &name))
        return OK;
    bool bad = !instant(a->ticks, start) || !instant(b->ticks, end);
    v[COL(step_part, dur_ns)] = minus(end, start, &bad);
    if (bad) {
        count(&r->lost, &b->where);
        return OK;
    }
    v[COL(step_part, rank)] = val_int(r->g->rank);
    v[COL(step_part, step)] = val_int(r->steps.number);
    v[COL(step_part, kind)] = val_cstr("reduce");
    v[COL(step_part, stream)] = val_int(a->stream);
    v[COL(step_part, name_id)] = val_id(name);
    v[COL(step_part, source_id)] = val_int(a->where.source_id);
    v[COL(step_part, line)] = val_int(a->where.line);
    return sink_row(r->g->out, T_step_part, v, N_COLS(step_part), NULL, e);
}

/* The mark before the op is there, the one after it is not. */
static int put_open_comm(struct reader *r, const struct step_comm *c, struct err *e)
{
    struct val v[N_COLS(last_activity)] = { 0 };
    uint32_t name = name_of(r, c);

    if (!instant(c->ticks, &v[COL(last_activity, ts_ns)]))
        return OK;
    v[COL(last_activity, rank)] = val_int(r->g->rank);
    v[COL(last_activity, kind)] = val_cstr("comm");
    v[COL(last_activity, track)] = val_cstr("Communication");
    v[COL(last_activity, name_id)] = val_id(name ? name : sink_intern(r->g->out, STR("communication")));
    v[COL(last_activity, state)] = val_cstr("running");
    v[COL(last_activity, source_id)] = val_int(c->where.source_id);
    v[COL(last_activity, line)] = val_int(c->where.line);
    return sink_row(r->g->out, T_last_activity, v, N_COLS(last_activity), NULL, e);
}

/* Those of the step that was cut; its marks are in order of streams by now. */
static int put_open_comms(struct reader *r, struct err *e)
{
    const struct step_comm *c = r->steps.comms;
    size_t n = r->steps.n_comms;

    for (size_t i = 0; i < n; i++)
        if (c[i].first && (i + 1 == n || c[i + 1].stream != c[i].stream) && put_open_comm(r, &c[i], e))
            return e->code;
    return OK;
}

/*
 * Lengths as upstream writes them; without a backward pass forward goes to the end, and there is no tail.
 * false: some marks do not follow each other.
 */
static bool set_lengths(const struct reader *r, struct val *v)
{
    const struct val *start = &v[COL(step, start_ns)], *fp = &v[COL(step, fp_ns)],
                     *end = &v[COL(step, end_ns)];
    struct val *bp = &v[COL(step, bp_ns)];
    bool bad = false;

    if (!r->training)
        *bp = val_null();
    v[COL(step, total_ns)] = minus(end, start, &bad);
    v[COL(step, interval_ns)] = minus(fp, start, &bad);
    v[COL(step, fp_bp_ns)] = minus(r->training ? bp : end, fp, &bad);
    v[COL(step, tail_ns)] = minus(end, bp, &bad);
    return !bad;
}

/* The step that was given last, or the one that was cut; w: its position. */
static int put_step(struct reader *r, const struct where *w, struct err *e)
{
    const struct steps *s = &r->steps;
    struct val v[N_COLS(step)] = { 0 };
    bool start = s->has_start || s->has_fp, fine = true;

    if (start)
        fine = instant(s->has_start ? s->start_ticks : s->fp_ticks, &v[COL(step, start_ns)]);
    fine &= !s->has_fp || instant(s->fp_ticks, &v[COL(step, fp_ns)]);
    fine &= !s->has_bp || instant(s->bp_ticks, &v[COL(step, bp_ns)]);
    fine &= !s->has_end || instant(s->end_ticks, &v[COL(step, end_ns)]);
    if (!fine) {
        count(&r->lost, w);
        return OK;
    }
    if (!set_lengths(r, v))
        count(&r->disordered, w);
    v[COL(step, rank)] = val_int(r->g->rank);
    v[COL(step, step)] = val_int(s->number);
    v[COL(step, complete)] = val_int(steps_whole(s));
    if (!r->training &&
        job_tasks_lost(r->tasks)) /* an op of the backward pass, which makes it one, may be lost */
        v[COL(step, damage)] = val_cstr("duration");
    v[COL(step, source_id)] = val_int(w->source_id);
    v[COL(step, line)] = val_int(w->line);
    if (sink_row(r->g->out, T_step, v, N_COLS(step), NULL, e))
        return e->code;
    return steps_each_pair(&r->steps, put_part, r, e);
}

static int on_mark(void *arg, const struct step_mark *m, struct err *e)
{
    struct reader *r = arg;

    if (m->after_gap)
        sink_note(r->g->out, NOTE_LOST_RECORDS, &m->where,
                  "a slice is missing before this mark: steps from here on may have later numbers");
    if (m->kind == MARK_END && m->tag == MARK_END_OLD)
        r->training = true; /* these versions know no other run */
    if (steps_add(&r->steps, m, e) && steps_whole(&r->steps))
        (void)put_step(r, &m->where, e);
    return e->code;
}

/* ---- the whole ---- */

/* Marks of one kind of file. */
static const struct {
    enum role role;
    int (*read)(struct parse_ctx *c, mark_record_fn *fn, void *arg, struct err *e);
} sources[] = { { ROLE_TRAINING_TRACE, mark_records_training_trace },
                { ROLE_TS_TRACK, mark_records_ts_track } };

static void note_tally(struct reader *r, const struct tally *t, const char *what)
{
    struct where w = t->first;

    w.count = t->n;
    if (t->n)
        sink_note(r->g->out, NOTE_INCONSISTENT, &w, "%s", what);
}

static int read_marks(struct reader *r, struct err *e)
{
    struct parse_ctx *c = NULL;

    for (size_t k = 0; k < ARRAY_LEN(sources) && !c; k++) {
        c = group_use(r->g, sources[k].role, 0);
        if (c && group_failed(r->g, c, sources[k].read(c, on_mark, r, e), e))
            return e->code;
    }
    if (steps_cut(&r->steps) && (put_step(r, &r->steps.where, e) || put_open_comms(r, e)))
        return e->code;
    if (c)
        c->lost += r->lost.n;
    note_tally(r, &r->lost, "a step at an impossible time, or a part of one that ends before it starts");
    note_tally(r, &r->disordered, "the marks of a step do not follow each other: no length between two such");
    return OK;
}

int job_steps_read(struct group_ctx *g, const struct job_tasks *t, struct err *e)
{
    struct reader r = { .g = g, .tasks = t };
    struct parse_ctx *c;

    r.steps.skip_first = job_tasks_any(t, SKIPS_FIRST);
    r.training = !job_tasks_count(t) || job_tasks_any(t, TRAINS);
    int rc = OK;
    for (size_t i = 0; !rc && (c = group_use(g, ROLE_FRAMEWORK_POINT, i)) != NULL; i++)
        rc = group_failed(g, c, framework_text_points(c, on_point, &r, e), e) ? e->code : OK;
    if (!rc)
        (void)read_marks(&r, e);
    steps_done(&r.steps);
    step_points_done(&r.points);
    return e->code;
}
