/* SPDX-License-Identifier: Apache-2.0 */
/* Batches from thread to thread. */
#include "config.h"

#include "base/relay.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct relay {
    char *batches;
    uint64_t *mark; /* by batch */
    size_t n, size;
    relay_fill_fn *fill;
    void *arg;
    pthread_t thread;
    bool started, taken; /* taken: the user has a batch */
    /* of both */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t given, used; /* batches */
    bool ended, stop;     /* the filler has returned; the user wants no more */
};

static void *batch(const struct relay *r, uint64_t number)
{
    return r->batches + number % r->n * r->size;
}

/* ---- the filler ---- */

void *relay_take(struct relay *r)
{
    pthread_mutex_lock(&r->lock);
    while (!r->stop && r->given - r->used == r->n)
        pthread_cond_wait(&r->changed, &r->lock);
    void *b = r->stop ? NULL : batch(r, r->given);
    pthread_mutex_unlock(&r->lock);
    return b;
}

void relay_give(struct relay *r, uint64_t mark)
{
    pthread_mutex_lock(&r->lock);
    r->mark[r->given % r->n] = mark;
    r->given++;
    pthread_cond_signal(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

void relay_wait(struct relay *r, uint64_t mark)
{
    pthread_mutex_lock(&r->lock);
    while (!r->stop && r->used < r->given && r->mark[r->used % r->n] <= mark)
        pthread_cond_wait(&r->changed, &r->lock);
    pthread_mutex_unlock(&r->lock);
}

static void *run(void *arg)
{
    struct relay *r = arg;

    r->fill(r->arg);
    pthread_mutex_lock(&r->lock);
    r->ended = true;
    pthread_cond_signal(&r->changed);
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

/* ---- the user ---- */

int relay_new(struct relay **out, void *batches, size_t n, size_t size, struct err *e)
{
    struct relay *r = calloc(1, sizeof *r);

    *out = NULL;
    if (!r)
        return err_nomem(e);
    r->mark = calloc(n, sizeof *r->mark);
    if (!r->mark) {
        free(r);
        return err_nomem(e);
    }
    r->batches = batches;
    r->n = n;
    r->size = size;
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->changed, NULL);
    *out = r;
    return OK;
}

/* All signals stay in the user's thread, except those that report a defect in the other. */
bool relay_start(struct relay *r, relay_fill_fn *fill, void *arg)
{
    static const int own[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS };
    sigset_t all, before;

    sigfillset(&all);
    for (size_t i = 0; i < ARRAY_LEN(own); i++)
        sigdelset(&all, own[i]);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return false;
    r->fill = fill;
    r->arg = arg;
    r->started = pthread_create(&r->thread, NULL, run, r) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return r->started;
}

void *relay_next(struct relay *r)
{
    pthread_mutex_lock(&r->lock);
    if (r->taken) {
        r->used++;
        pthread_cond_signal(&r->changed);
    }
    while (r->used == r->given && !r->ended)
        pthread_cond_wait(&r->changed, &r->lock);
    r->taken = r->used < r->given;
    void *b = r->taken ? batch(r, r->used) : NULL;
    pthread_mutex_unlock(&r->lock);
    return b;
}

void relay_free(struct relay *r)
{
    if (!r)
        return;
    pthread_mutex_lock(&r->lock);
    r->stop = true;
    pthread_cond_signal(&r->changed);
    pthread_mutex_unlock(&r->lock);
    if (r->started)
        pthread_join(r->thread, NULL);
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->lock);
    free(r->mark);
    free(r);
}
