/* Trace events from another thread. */
#include "config.h"

#include "base/json_pipe.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define BATCH_EVENTS 1024
#define BATCHES      4
#define WINDOWS      4

/* How the reader went on. */
struct outcome {
    enum js_event_status st; /* JS_EV_EVENT: with an event */
    struct json_pipe_facts facts;
    struct err e;
};

/* Events, then what stands behind them. */
struct batch {
    struct js_event ev[BATCH_EVENTS];
    size_t n;
    uint64_t move; /* of the window that holds their texts */
    uint64_t consumed;
    struct outcome behind; /* JS_EV_EVENT: the next batch */
};

struct json_pipe_state {
    struct infile *in;
    struct js *js;
    struct batch *batches; /* BATCHES in turn; one without a thread */
    /* of the caller */
    struct batch *taken; /* the one it works on */
    bool told;           /* what stands behind its events was given */
    bool threaded;
    pthread_t thread;
    /* of the thread */
    struct batch *filling;
    bool published; /* filling went to the caller while the event behind its events was read */
    /* of both */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t filled, emptied; /* batches */
    bool stop;
};

/* ---- reading ---- */

static void begin(const struct json_pipe_state *s, struct batch *b)
{
    b->n = 0;
    b->move = infile_moves(s->in);
    b->behind.st = JS_EV_EVENT;
    b->behind.e = (struct err)ERR_INIT;
}

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
                                   .line = js_line(s->js) };
    snprintf(f->problem, sizeof f->problem, "%s", problem ? problem : "");
}

/* ---- the thread ---- */

/* The batch that is being filled goes to the caller. */
static void publish(struct json_pipe_state *s)
{
    s->filling->consumed = infile_consumed(s->in);
    s->published = true;
    pthread_mutex_lock(&s->lock);
    s->filled++;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

/* The next batch to fill; NULL: the caller wants no more. */
static struct batch *take_empty(struct json_pipe_state *s)
{
    pthread_mutex_lock(&s->lock);
    while (!s->stop && s->filled - s->emptied == BATCHES)
        pthread_cond_wait(&s->changed, &s->lock);
    s->filling = s->stop ? NULL : &s->batches[s->filled % BATCHES];
    pthread_mutex_unlock(&s->lock);
    s->published = false;
    if (s->filling)
        begin(s, s->filling);
    return s->filling;
}

/* Before the reader moves on to the next window: the caller has to be done with what it held. */
static void on_move(void *arg, uint64_t move)
{
    struct json_pipe_state *s = arg;

    if (!s->threaded)
        return;
    if (!s->published && s->filling->n)
        publish(s);
    pthread_mutex_lock(&s->lock);
    while (!s->stop && s->emptied < s->filled &&
           s->batches[s->emptied % BATCHES].move + WINDOWS <= move)
        pthread_cond_wait(&s->changed, &s->lock);
    pthread_mutex_unlock(&s->lock);
}

static void *scan(void *arg)
{
    struct json_pipe_state *s = arg;
    struct batch *b = take_empty(s);
    struct outcome o = { .e = ERR_INIT };

    while (b) {
        struct js_event *ev = &b->ev[b->n];
        if (js_event(s->js, &o.st, ev, &o.e) || o.st != JS_EV_EVENT)
            note_facts(s, &o.facts);
        if (s->published) { /* by on_move(); nobody has used what is behind its events */
            b = take_empty(s);
            if (!b)
                break;
            b->ev[0] = *ev;
        }
        if (is_event(&o)) {
            if (b->n++ == 0)
                b->move = infile_moves(s->in);
            if (b->n < BATCH_EVENTS)
                continue;
        } else {
            b->behind = o;
        }
        publish(s);
        b = is_end(&o) ? NULL : take_empty(s);
    }
    return NULL;
}

/* Without it everything goes on in the caller's. All signals stay there, but for those that tell of a defect in this one. */
static void start_thread(struct json_pipe_state *s)
{
    static const int own[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS };
    sigset_t all, before;

    sigfillset(&all);
    for (size_t i = 0; i < ARRAY_LEN(own); i++)
        sigdelset(&all, own[i]);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return;
    s->threaded = true; /* the thread asks for it */
    if (pthread_create(&s->thread, NULL, scan, s) != 0)
        s->threaded = false;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* ---- the caller ---- */

/* The next batch, the one before given back. */
static struct batch *take_full(struct json_pipe_state *s)
{
    pthread_mutex_lock(&s->lock);
    if (s->taken) {
        s->emptied++;
        pthread_cond_signal(&s->changed);
    }
    while (s->emptied == s->filled)
        pthread_cond_wait(&s->changed, &s->lock);
    pthread_mutex_unlock(&s->lock);
    return &s->batches[s->emptied % BATCHES];
}

int json_pipe_more(struct json_pipe *p, enum js_event_status *st, const struct js_event **ev,
                   struct err *e)
{
    struct json_pipe_state *s = p->state;

    if (!s->threaded) {
        *ev = s->batches->ev;
        if (js_event(s->js, st, s->batches->ev, e) || *st != JS_EV_EVENT)
            note_facts(s, &s->batches->behind.facts);
        return (int)e->code;
    }
    for (;;) {
        if (s->taken && !s->told && !is_event(&s->taken->behind)) {
            const struct outcome *o = &s->taken->behind;
            s->told = !is_end(o);
            *st = o->st;
            *e = o->e;
            return (int)e->code;
        }
        s->taken = take_full(s);
        s->told = false;
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
    return &(s->threaded ? s->taken : s->batches)->behind.facts;
}

uint64_t json_pipe_consumed(const struct json_pipe *p)
{
    const struct json_pipe_state *s = p->state;
    return !s->threaded ? infile_consumed(s->in) : s->taken ? s->taken->consumed : 0;
}

int json_pipe_open(struct json_pipe *p, struct infile *f, bool thread, struct err *e)
{
    struct json_pipe_state *s = calloc(1, sizeof *s);

    *p = (struct json_pipe){ .state = s };
    if (!s)
        return err_nomem(e);
    s->in = f;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    s->batches = calloc(thread ? BATCHES : 1, sizeof *s->batches);
    if (!s->batches)
        err_nomem(e);
    else if (js_new(&s->js, f, e) == OK && thread && infile_rotate(f, WINDOWS, on_move, s, e) == OK)
        start_thread(s);
    if (e->code)
        json_pipe_close(p);
    return (int)e->code;
}

void json_pipe_close(struct json_pipe *p)
{
    struct json_pipe_state *s = p->state;

    if (!s)
        return;
    pthread_mutex_lock(&s->lock);
    s->stop = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    if (s->threaded)
        pthread_join(s->thread, NULL);
    js_free(s->js);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    free(s->batches);
    free(s);
    *p = (struct json_pipe){ .state = NULL };
}
