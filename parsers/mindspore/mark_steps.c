/* SPDX-License-Identifier: Apache-2.0 */
/* Steps from step marks. */
#include "config.h"

#include "parsers/mindspore/mark_steps.h"

#include <stdlib.h>

#include "base/grow.h"

/* The step that was given is over: the next one begins with its end. */
static void next_step(struct steps *s)
{
    s->start_ticks = s->end_ticks;
    s->has_start = s->has_end;
    s->has_fp = s->has_bp = s->has_end = s->begun = s->given = false;
    s->n_comms = 0;
}

static void add_comm(struct steps *s, const struct step_mark *m, struct err *e)
{
    if (s->n_comms == STEP_COMMS) {
        s->full = true;
        return;
    }
    struct step_comm *v = grow_array(s->comms, s->n_comms, &s->cap, sizeof *v, 64);
    if (!v) {
        err_nomem(e);
        return;
    }
    s->comms = v;
    v[s->n_comms] = (struct step_comm){ .stream = m->stream,
                                        .task = m->task,
                                        .tag = m->tag,
                                        .ticks = m->ticks,
                                        .order = (uint32_t)s->n_comms,
                                        .first = m->first,
                                        .where = m->where };
    s->n_comms++;
}

/* Before the mark itself counts: what is missing, or begins, right before it. */
static void on_slice(struct steps *s, const struct step_mark *m)
{
    const struct step_rules *r = &s->rules;

    if (m->after_gap && !r->no_gaps) {
        next_step(s);
        s->has_start = false;
    }
    if (m->where.source_id != s->slice && s->slice) {
        if (r->slice_begins)
            s->has_start = false;
        if (r->slice_clears)
            s->n_comms = 0;
    }
    s->slice = m->where.source_id;
}

static bool end_step(struct steps *s, uint64_t ticks)
{
    if (!ticks && s->rules.end_has_time)
        return false;
    s->end_ticks = ticks;
    s->has_end = ticks != 0;
    s->given = true;
    if (s->skip_first) {
        s->skip_first = false;
        return false;
    }
    s->number++;
    return true;
}

bool steps_add(struct steps *s, const struct step_mark *m, struct err *e)
{
    bool of_job = m->kind == MARK_OTHER;

    if (s->rules.waits_for_job ? of_job : s->given)
        next_step(s);
    s->in_job |= of_job;
    on_slice(s, m);
    if (of_job || s->given) /* given: with waits_for_job, until the next mark of the job */
        return false;
    if (!s->begun)
        s->where = m->where;
    s->begun = true;
    switch (m->kind) {
    case MARK_FP:
        s->fp_ticks = m->ticks;
        s->has_fp = m->ticks != 0;
        return false;
    case MARK_BP:
        s->bp_ticks = m->ticks;
        s->has_bp = m->ticks != 0;
        return false;
    case MARK_COMM:
        add_comm(s, m, e);
        return false;
    default:
        return end_step(s, m->ticks);
    }
}

bool steps_whole(const struct steps *s)
{
    return s->has_fp && s->has_bp && s->has_end && (s->in_job || !s->rules.waits_for_job);
}

bool steps_cut(struct steps *s)
{
    if (s->given)
        next_step(s);
    s->number += s->begun;
    return s->begun;
}

/* ---- pairs ---- */

static int comm_cmp(const void *x, const void *y)
{
    const struct step_comm *a = x, *b = y;

    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* After the marks of the stream that begin at from. */
static size_t stream_end(const struct steps *s, size_t from)
{
    size_t to = from;

    while (to < s->n_comms && s->comms[to].stream == s->comms[from].stream)
        to++;
    return to;
}

/* Sort marks by stream. */
static void group_comms(struct steps *s)
{
    struct step_comm *c = s->comms;
    size_t n = s->n_comms, to;

    for (size_t i = 0; i < n; i++)
        c[i].group = c[i].stream;
    if (n > 1)
        qsort(c, n, sizeof *c, comm_cmp);
    if (n < 2 || !s->rules.first_stream_first)
        return;
    for (size_t from = 0; from < n; from = to) {
        uint32_t first = c[from].order;
        to = stream_end(s, from);
        for (size_t i = from; i < to; i++)
            c[i].group = first;
    }
    qsort(c, n, sizeof *c, comm_cmp);
}

int steps_each_pair(struct steps *s, step_pair_fn *fn, void *arg, struct err *e)
{
    bool cut = !steps_whole(s);
    size_t to;

    group_comms(s);
    for (size_t from = 0; from < s->n_comms; from = to) {
        to = stream_end(s, from);
        for (size_t i = from; ((to - from) % 2 == 0 || cut) && i + 1 < to; i += 2)
            if (fn(arg, &s->comms[i], &s->comms[i + 1], (uint32_t)((i - from) / 2), e))
                return e->code;
    }
    return OK;
}

bool step_tags_pair(const struct step_comm *a, const struct step_comm *b)
{
    return a->first && b->tag == a->tag + 1;
}

void steps_done(struct steps *s)
{
    free(s->comms);
    *s = (struct steps){ .number = 0 };
}

/* ---- ops by tag ---- */

static struct str tag_view(const uint64_t *tag)
{
    return (struct str){ (const char *)tag, sizeof *tag };
}

int step_points_put(struct step_points *p, uint64_t tag, uint32_t op, struct err *e)
{
    if (!p->tags && intern_new(&p->tags, e))
        return e->code;
    uint32_t at = intern_put(p->tags, tag_view(&tag));
    uint32_t *ops = at == INTERN_NONE ? NULL : grow_array(p->op, at, &p->cap, sizeof *ops, 64);
    if (!ops)
        return err_nomem(e);
    p->op = ops;
    ops[at] = op;
    return OK;
}

uint32_t step_points_find(const struct step_points *p, uint64_t tag)
{
    uint32_t at = p->tags ? intern_find(p->tags, tag_view(&tag)) : INTERN_NONE;

    return at == INTERN_NONE ? STEP_NO_POINT : p->op[at];
}

void step_points_done(struct step_points *p)
{
    intern_free(p->tags);
    free(p->op);
    *p = (struct step_points){ .cap = 0 };
}
