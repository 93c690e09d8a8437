/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs on a folder in threads of their own. */
#include "config.h"

#include "parsers/prof/jobs.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/sig.h"

#define MAX_THREADS 16
#define ASK_NS      50000000 /* how often the caller's sink is asked whether to go on */

struct told { /* in the view's arena */
    struct told *next;
    const struct context *by; /* NULL: of the folder */
    enum note_code code;
    struct where where;
    const char *text;
};

struct work;
/* A file's context in a job; the reader's own one gets its numbers in the end. */
struct context {
    struct sink sink; /* first: it is cast to the context */
    struct parse_ctx c;
    struct work *of;
    struct parse_ctx *to; /* the reader's own one, when notes and counts are passed on; NULL: there is none */
    struct context *next;
};

struct work {
    struct prof_job job;
    struct sink sink; /* of notes about the folder */
    struct prof_jobs *in;
    struct prof *view;
    struct told *first, **last;
    struct context *contexts, **last_context;
    struct err e;
    bool lost_notes; /* no memory for one */
};

struct prof_jobs {
    struct prof *p;
    struct work *work;
    size_t n;
    atomic_size_t next; /* to be begun */
    atomic_bool stop;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    size_t n_ended; /* under the lock */
    pthread_t thread[MAX_THREADS];
    size_t n_threads;
};

/* ---- notes and counts of a job ---- */

static void keep(struct work *w, const struct context *by, enum note_code code, const struct where *where,
                 const char *text)
{
    struct told *t = arena_zalloc(w->view->a, sizeof *t);
    struct str copy = arena_str(w->view->a, str_of(text));

    if (!t || !copy.p) {
        w->lost_notes = true;
        return;
    }
    *t = (struct told){ .by = by, .code = code, .where = *where, .text = copy.p };
    *w->last = t;
    w->last = &t->next;
}

static struct work *work_of(const struct sink *s)
{
    return (struct work *)((char *)s - offsetof(struct work, sink));
}

static void on_note(struct sink *s, enum note_code code, const struct where *w, const char *text)
{
    keep(work_of(s), NULL, code, w, text);
}
static bool is_stopped(const struct sink *s)
{
    return atomic_load(&work_of(s)->in->stop);
}

static void on_file_note(struct sink *s, enum note_code code, const struct where *w, const char *text)
{
    const struct context *x = (const struct context *)s;

    keep(x->of, x, code, w, text);
}
static bool is_file_stopped(const struct sink *s)
{
    return atomic_load(&((const struct context *)s)->of->in->stop);
}

/* A defect in this thread names this thread's file. */
static void on_progress(void *arg, uint64_t done_b)
{
    const struct source_file *f = arg;

    (void)done_b;
    sig_fatal_file_here(f->rel);
}

static struct parse_ctx *use(void *arg, const struct source_file *f)
{
    static const struct sink_ops ops = { .note = on_file_note, .cancelled = is_file_stopped };
    struct work *w = arg;
    struct context *x = arena_zalloc(w->view->a, sizeof *x);

    if (!x)
        return NULL; /* its rows are not counted */
    *x = (struct context){ .sink.ops = &ops, .of = w };
    x->c = (struct parse_ctx){ .f = f,
                               .run = w->view->in.run,
                               .tmp = w->view->a,
                               .out = &x->sink,
                               .threads = 1,
                               .rank = f->rank,
                               .progress = on_progress,
                               .progress_arg = (void *)f };
    *w->last_context = x;
    w->last_context = &x->next;
    return &x->c;
}

/* ---- passing them on ---- */

static int give_on(struct prof *p, struct work *w, struct err *e)
{
    for (struct context *x = w->contexts; x; x = x->next) {
        struct parse_ctx *c = x->to = p->in.use ? p->in.use(p->in.arg, x->c.f) : NULL;
        if (!c)
            continue;
        c->rows += x->c.rows;
        c->lost += x->c.lost;
        if (c->progress)
            c->progress(c->progress_arg, x->c.f->size_b);
    }
    for (const struct told *t = w->first; t; t = t->next)
        sink_note(t->by && t->by->to ? t->by->to->out : p->in.notes, t->code, &t->where, "%s", t->text);
    prof_view_join(p, w->view);
    if (w->e.code)
        *e = w->e;
    else if (w->lost_notes)
        return err_nomem(e);
    return e->code;
}

/* ---- threads ---- */

static void run_next(struct prof_jobs *b, size_t i)
{
    struct work *w = &b->work[i];

    if (!atomic_load(&b->stop))
        (void)!w->job.run(w->view, w->job.arg, &w->e);
    else
        err_set(&w->e, ERR_CANCELLED, "stopped");
    sig_fatal_file_here(NULL);
    pthread_mutex_lock(&b->lock);
    b->n_ended++;
    pthread_cond_signal(&b->ended);
    pthread_mutex_unlock(&b->lock);
}

static void *run_all(void *arg)
{
    struct prof_jobs *b = arg;

    for (size_t i; (i = atomic_fetch_add(&b->next, 1)) < b->n;)
        run_next(b, i);
    return NULL;
}

static size_t wanted_threads(const struct prof *p, size_t n)
{
    long there = p->in.threads == 1 ? 1 : sysconf(_SC_NPROCESSORS_ONLN);
    size_t spare = there > 1 ? (size_t)there - 1 : 0;

    spare = spare < MAX_THREADS ? spare : MAX_THREADS;
    return spare < n ? spare : n;
}

static int make_work(struct prof_jobs *b, const struct prof_job *job, struct err *e)
{
    static const struct sink_ops ops = { .note = on_note, .cancelled = is_stopped };

    for (size_t i = 0; i < b->n; i++) {
        struct work *w = &b->work[i];
        *w = (struct work){ .job = job[i], .sink.ops = &ops, .in = b, .e = ERR_INIT };
        w->last = &w->first;
        w->last_context = &w->contexts;
        if (prof_view(&w->view, b->p, &w->sink, e))
            return e->code;
        w->view->in.use = use;
        w->view->in.arg = w;
    }
    return OK;
}

int prof_jobs_start(struct prof_jobs **out, struct prof *p, const struct prof_job *job, size_t n,
                    struct err *e)
{
    struct prof_jobs *b = calloc(1, sizeof *b);
    size_t threads = wanted_threads(p, n);

    *out = b;
    if (!b || !(b->work = calloc(n + 1, sizeof *b->work)))
        return err_nomem(e);
    b->p = p;
    b->n = n;
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->ended, NULL);
    if (make_work(b, job, e))
        return e->code;
    while (b->n_threads < threads && pthread_create(&b->thread[b->n_threads], NULL, run_all, b) == 0)
        b->n_threads++;
    return OK;
}

/* The caller's sink is asked in its own thread. */
static void wait_for_all(struct prof_jobs *b)
{
    pthread_mutex_lock(&b->lock);
    while (b->n_ended < b->n) {
        const struct timespec t = clock_in(CLOCK_REALTIME, ASK_NS);
        pthread_cond_timedwait(&b->ended, &b->lock, &t);
        pthread_mutex_unlock(&b->lock);
        if (sink_cancelled(b->p->in.notes))
            atomic_store(&b->stop, true);
        pthread_mutex_lock(&b->lock);
    }
    pthread_mutex_unlock(&b->lock);
}

static void end_threads(struct prof_jobs *b)
{
    for (size_t i = 0; i < b->n_threads; i++)
        pthread_join(b->thread[i], NULL);
    b->n_threads = 0;
}

int prof_jobs_join(struct prof_jobs *b, struct err *e)
{
    (void)run_all(b);
    wait_for_all(b);
    end_threads(b);
    for (size_t i = 0; i < b->n; i++)
        if (give_on(b->p, &b->work[i], e))
            break;
    return e->code;
}

void prof_jobs_free(struct prof_jobs *b)
{
    if (!b)
        return;
    atomic_store(&b->stop, true);
    end_threads(b);
    for (size_t i = 0; b->work && i < b->n; i++)
        prof_close(b->work[i].view);
    if (b->work) {
        pthread_cond_destroy(&b->ended);
        pthread_mutex_destroy(&b->lock);
    }
    free(b->work);
    free(b);
}
