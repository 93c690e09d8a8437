/* SPDX-License-Identifier: Apache-2.0 */
/* Trace events from another thread. */
#include "config.h"

#include "base/read/json_pipe.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/relay.h"

#define BATCH_EVENTS 1024
#define BATCHES      4
#define WINDOWS      4

/* Outcome of a call of the reader. */
struct outcome {
    enum js_event_status st; /* JS_EV_EVENT: with an event */
    struct json_pipe_facts facts;
    struct err e;
};

/* Events, then the outcome after them. */
struct batch {
    struct js_event ev[BATCH_EVENTS];
    size_t n;
    uint64_t consumed;
    struct outcome behind; /* JS_EV_EVENT: the next batch */
};

struct json_pipe_state {
    struct infile *in;
    struct js *js;
    struct batch *batches; /* BATCHES in turn; one without a thread */
    struct relay *relay;   /* NULL: no thread */
    /* of the caller */
    struct batch *taken; /* the one it works on */
    bool noted;          /* the outcome after its events was given */
    /* of the thread */
    struct batch *filling; /* NULL: it was given */
    uint64_t move;         /* of the window that holds the texts of filling */
};

/* ---- reading ---- */

static bool is_event(const struct outcome *o)
{
    return !o->e.code && o->st == JS_EV_EVENT;
}

static bool is_end(const struct outcome *o)
{
    return o->e.code || o->st == JS_EV_END;
}

static void note_facts(const struct json_pipe_state *s, struct json_pipe_facts *f)
{
    const char *problem = js_problem(s->js);

    *f = (struct json_pipe_facts){ .offset = js_offset(s->js),
                                   .cut_bytes = js_cut_bytes(s->js),
                                   .line = js_line(s->js),
                                   .over_limit = js_over_limit(s->js) };
    snprintf(f->problem, sizeof f->problem, "%s", problem ? problem : "");
}

/* ---- the thread ---- */

/* The next batch to fill; NULL: the caller wants no more. */
static struct batch *take(struct json_pipe_state *s)
{
    struct batch *b = relay_take(s->relay);

    if (b) {
        b->n = 0;
        b->behind.st = JS_EV_EVENT;
        b->behind.e = (struct err)ERR_INIT;
    }
    s->filling = b;
    s->move = infile_moves(s->in);
    return b;
}

/* The batch that is being filled goes to the caller. */
static void give(struct json_pipe_state *s)
{
    s->filling->consumed = infile_consumed(s->in);
    s->filling = NULL;
    relay_give(s->relay, s->move);
}

/* Before the reader moves on to the next window: the caller has to be done with what it held. */
static void on_move(void *arg, uint64_t move)
{
    struct json_pipe_state *s = arg;

    if (!s->relay)
        return;
    if (s->filling && s->filling->n)
        give(s);
    if (move >= WINDOWS)
        relay_wait(s->relay, move - WINDOWS);
}

static void scan(void *arg)
{
    struct json_pipe_state *s = arg;
    struct batch *b = take(s);
    struct outcome o = { .e = ERR_INIT };

    while (b) {
        struct js_event *ev = &b->ev[b->n];
        if (js_event(s->js, &o.st, ev, &o.e) || o.st != JS_EV_EVENT)
            note_facts(s, &o.facts);
        if (!s->filling) { /* given by on_move(); nobody has used the room after its events */
            b = take(s);
            if (!b)
                break;
            b->ev[0] = *ev;
        }
        if (is_event(&o)) {
            if (b->n++ == 0)
                s->move = infile_moves(s->in);
            if (b->n < BATCH_EVENTS)
                continue;
        } else {
            b->behind = o;
        }
        give(s);
        b = is_end(&o) ? NULL : take(s);
    }
}

/* Without a thread everything goes on in the caller's. */
static int start_thread(struct json_pipe_state *s, struct err *e)
{
    if (infile_rotate(s->in, WINDOWS, on_move, s, e) ||
        relay_new(&s->relay, s->batches, BATCHES, sizeof *s->batches, e))
        return e->code;
    if (relay_start(s->relay, scan, s))
        return OK;
    relay_free(s->relay);
    s->relay = NULL;
    return OK;
}

/* ---- the caller ---- */

int json_pipe_more(struct json_pipe *p, enum js_event_status *st, const struct js_event **ev, struct err *e)
{
    struct json_pipe_state *s = p->state;

    if (!s->relay) {
        *ev = s->batches->ev;
        if (js_event(s->js, st, s->batches->ev, e) || *st != JS_EV_EVENT)
            note_facts(s, &s->batches->behind.facts);
        return e->code;
    }
    for (;;) {
        if (s->taken && !s->noted && !is_event(&s->taken->behind)) {
            const struct outcome *o = &s->taken->behind;
            s->noted = !is_end(o);
            *st = o->st;
            *e = o->e;
            return e->code;
        }
        s->taken = relay_next(s->relay);
        s->noted = false;
        p->next = s->taken->ev;
        p->end = p->next + s->taken->n;
        if (p->next < p->end) {
            *st = JS_EV_EVENT;
            *ev = p->next++;
            return OK;
        }
    }
}

const struct json_pipe_facts *json_pipe_facts(const struct json_pipe *p)
{
    const struct json_pipe_state *s = p->state;
    return &(s->relay ? s->taken : s->batches)->behind.facts;
}

uint64_t json_pipe_consumed(const struct json_pipe *p)
{
    const struct json_pipe_state *s = p->state;
    return !s->relay ? infile_consumed(s->in) : s->taken ? s->taken->consumed : 0;
}

int json_pipe_open(struct json_pipe *p, struct infile *f, bool thread, struct err *e)
{
    struct json_pipe_state *s = calloc(1, sizeof *s);

    *p = (struct json_pipe){ .state = s };
    if (!s)
        return err_nomem(e);
    s->in = f;
    s->batches = calloc(thread ? BATCHES : 1, sizeof *s->batches);
    if (!s->batches)
        err_nomem(e);
    else if (js_new(&s->js, f, e) == OK && thread)
        (void)start_thread(s, e);
    if (e->code)
        json_pipe_close(p);
    return e->code;
}

void json_pipe_close(struct json_pipe *p)
{
    struct json_pipe_state *s = p->state;

    if (!s)
        return;
    relay_free(s->relay);
    js_free(s->js);
    free(s->batches);
    free(s);
    *p = (struct json_pipe){ .state = NULL };
}
