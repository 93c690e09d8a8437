/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the units of a job while the screen is in use. */
#include "config.h"

#include "import/worker.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "import/import.h"
#include "import/overview.h"

#define MAKE_MS    500 /* at least, between two overviews while units come in */
#define MAKE_OPEN  100 /* stores open at most for one overview */
#define MAKE_SHARE 8   /* one is due when so much, an eighth, has come to the units it has */
#define MAKE_IDLE  40  /* or when so many times what the last one took has passed */

enum unit_state {
    WAITS,
    READING,
    TAKEN, /* its rows are in the overview */
    READY, /* its store has them, the overview has not yet */
    FAILED
};

struct unit_read {
    enum unit_state state;
    bool alone;      /* a share of the memory was not enough */
    char *key;       /* of its files as they were found (unit_input_key) */
    char path[1024]; /* of its store */
};

struct slot {
    struct worker *w;
    size_t unit;
};

struct jobread {
    const struct job *job;
    struct unit_read *units;
    struct slot slots[JOBREAD_WORKERS];
    unsigned workers;
    char path[1024];
    bool made, dirty;
    int64_t made_ms, took_ms;
    overview_after_fn *after;
    char problem[600];
};

/* ---- stores that are there ---- */

/* The store of a unit, when it is current and has the rows that the overview needs; NULL otherwise. */
static struct store *ready_store(const struct jobread *r, size_t unit)
{
    struct err ignored = ERR_INIT;
    struct store *s = NULL;
    const struct unit_read *u = &r->units[unit];
    bool ready = store_open(&s, u->path, false, &ignored) == OK && store_is_current(s, u->key) &&
                 !(store_left(s) & overview_panes(r->job));

    if (!ready) {
        store_close(s);
        s = NULL;
    }
    return s;
}

static void look(struct jobread *r, size_t unit, struct store *overview)
{
    struct unit_read *u = &r->units[unit];

    if (overview && overview_has(overview, r->job->units[unit], u->key)) {
        u->state = TAKEN;
        return;
    }
    struct store *s = ready_store(r, unit);
    if (s) {
        u->state = READY;
        r->dirty = true;
    }
    store_close(s);
}

/* Set the paths of the overview and of the stores, and the keys of the units. */
static int name_units(struct jobread *r, struct err *e)
{
    const struct job *j = r->job;

    r->units = calloc(j->n_units, sizeof *r->units);
    if (!r->units)
        return err_nomem(e);
    if (overview_path(j, r->path, sizeof r->path, e))
        return e->code;
    for (size_t i = 0; i < j->n_units; i++) {
        struct unit_read *u = &r->units[i];
        if (store_cache_path(j->units[i]->root, u->path, sizeof u->path, e))
            return e->code;
        u->key = unit_input_key(j->units[i]);
        if (!u->key)
            return err_nomem(e);
    }
    return OK;
}

int jobread_new(struct jobread **out, const struct job *j, unsigned workers, struct err *e)
{
    struct err ignored = ERR_INIT;
    struct store *overview = NULL;

    *out = NULL;
    if (!overview_possible(j))
        return OK;
    struct jobread *r = calloc(1, sizeof *r);
    if (!r)
        return err_nomem(e);
    r->job = j;
    r->workers = workers < 1 ? 1 : workers > JOBREAD_WORKERS ? JOBREAD_WORKERS : workers;
    if (name_units(r, e)) {
        jobread_free(r);
        return e->code;
    }
    r->made = store_open(&overview, r->path, false, &ignored) == OK;
    r->dirty = !r->made; /* make one that lists the units before anything is read */
    for (size_t i = 0; i < j->n_units; i++)
        look(r, i, overview);
    store_close(overview);
    *out = r;
    return OK;
}

void jobread_after(struct jobread *r, overview_after_fn *after)
{
    r->after = after;
}

void jobread_free(struct jobread *r)
{
    if (!r)
        return;
    for (unsigned i = 0; i < JOBREAD_WORKERS; i++)
        worker_free(r->slots[i].w);
    for (size_t i = 0; r->units && i < r->job->n_units; i++)
        free(r->units[i].key);
    free(r->units);
    free(r);
}

/* ---- workers ---- */

static void fail(struct jobread *r, size_t unit, const struct err *e)
{
    char text[400];

    r->units[unit].state = FAILED;
    snprintf(r->problem, sizeof r->problem, "%.150s: %s", r->job->units[unit]->name,
             err_message(e, text, sizeof text));
}

/* Mark a unit as failed. One that did not fit into a share of the memory is read once more with all of it. */
static void fail_or_again(struct jobread *r, size_t unit, const struct err *e)
{
    struct unit_read *u = &r->units[unit];

    if (e->code != ERR_NOMEM || u->alone) {
        fail(r, unit, e);
        return;
    }
    u->alone = true;
    u->state = WAITS;
}

static void start(struct jobread *r, struct slot *s, size_t unit)
{
    struct err e = ERR_INIT;
    const struct worker_opts o = { .unit_root = r->job->units[unit]->root,
                                   .store_path = r->units[unit].path,
                                   .later = ~overview_panes(r->job),
                                   .jobs = r->units[unit].alone ? 1 : r->workers };

    if (worker_start(&s->w, &o, &e)) {
        fail(r, unit, &e);
        return;
    }
    s->unit = unit;
    r->units[unit].state = READING;
}

static bool runs(const struct jobread *r)
{
    bool any = false;

    for (unsigned i = 0; i < r->workers; i++)
        any |= r->slots[i].w != NULL;
    return any;
}

/* Start workers; one less while another worker reads a unit (busy). */
static void start_all(struct jobread *r, size_t busy)
{
    unsigned most = busy != SIZE_MAX && r->workers > 1 ? r->workers - 1 : r->workers;
    size_t next = 0;

    for (unsigned i = 0; i < most; i++) {
        if (r->slots[i].w)
            continue;
        while (next < r->job->n_units && (r->units[next].state != WAITS || next == busy))
            next++;
        if (next == r->job->n_units || (r->units[next].alone && runs(r)))
            return;
        start(r, &r->slots[i], next);
    }
}

static void follow(struct jobread *r, struct slot *s)
{
    while (s->w) {
        const struct worker_status *st = worker_status(s->w);
        enum worker_event ev = worker_poll(s->w);
        if (ev == WORKER_NOTHING)
            return;
        if (ev == WORKER_CLOSE)
            worker_go_on(s->w);
        if (ev == WORKER_FAILED)
            fail_or_again(r, s->unit, &st->err);
        if (ev == WORKER_DONE) {
            r->units[s->unit].state = st->partial ? FAILED : READY;
            r->dirty |= !st->partial;
        }
        if (ev == WORKER_DONE || ev == WORKER_FAILED) {
            worker_free(s->w);
            s->w = NULL;
        }
    }
}

/* ---- the overview ---- */

static int make(struct jobread *r, struct overview_part *parts, int64_t now_unix_ns, struct err *e)
{
    struct err ignored = ERR_INIT;
    struct store *older = NULL;
    size_t open = 0;

    r->dirty = false;
    for (size_t i = 0; i < r->job->n_units; i++) {
        struct unit_read *u = &r->units[i];
        parts[i] = (struct overview_part){ .unit = r->job->units[i], .key = u->key, .store_path = u->path };
        if (u->state != READY)
            continue;
        if (open == MAKE_OPEN) { /* the next one takes the others */
            r->dirty = true;
            continue;
        }
        parts[i].store = ready_store(r, i);
        open += parts[i].store != NULL;
        if (!parts[i].store)
            u->state = FAILED; /* removed, or changed meanwhile */
    }
    if (r->made && store_open(&older, r->path, false, &ignored))
        older = NULL;
    int rc = overview_make(r->path, r->job, parts, r->job->n_units, older, now_unix_ns, r->after, e);
    store_close(older);
    for (size_t i = 0; i < r->job->n_units; i++) {
        if (parts[i].store)
            r->units[i].state = rc == OK ? TAKEN : FAILED;
        store_close(parts[i].store);
    }
    return rc;
}

int64_t jobread_due_in(size_t fresh, size_t taken, int64_t since_ms, int64_t took_ms)
{
    int64_t rest = took_ms * MAKE_IDLE, wait = fresh * MAKE_SHARE >= taken ? MAKE_MS : rest;

    wait = wait < MAKE_MS ? MAKE_MS : wait;
    return since_ms < wait ? wait - since_ms : 0;
}

/* ms until the overview is to be made, at once when nothing more comes; dirty. */
static int64_t due_in(const struct jobread *r, int64_t now_ms)
{
    bool more = false;
    size_t fresh = 0, taken = 0;

    for (size_t i = 0; i < r->job->n_units; i++) {
        more |= r->units[i].state == WAITS || r->units[i].state == READING;
        fresh += r->units[i].state == READY;
        taken += r->units[i].state == TAKEN;
    }
    return r->made && more ? jobread_due_in(fresh, taken, now_ms - r->made_ms, r->took_ms) : 0;
}

bool jobread_step(struct jobread *r, size_t busy, int64_t now_ms, int64_t now_unix_ns)
{
    for (unsigned i = 0; i < r->workers; i++)
        follow(r, &r->slots[i]);
    start_all(r, busy);
    if (!r->dirty || due_in(r, now_ms) > 0)
        return false;
    struct err e = ERR_INIT;
    const int64_t began = clock_ns(CLOCK_MONOTONIC);
    struct overview_part *parts = calloc(r->job->n_units, sizeof *parts);
    int rc = parts ? make(r, parts, now_unix_ns, &e) : err_nomem(&e);
    free(parts);
    r->took_ms = (clock_ns(CLOCK_MONOTONIC) - began) / 1000000;
    r->made_ms = now_ms + r->took_ms;
    if (rc) {
        char text[400];
        r->dirty = false;
        snprintf(r->problem, sizeof r->problem, "the table of ranks cannot be kept: %s",
                 err_message(&e, text, sizeof text));
        return false;
    }
    return r->made = true;
}

void jobread_was_read(struct jobread *r, size_t unit)
{
    char *key = unit_input_key(r->job->units[unit]); /* its files may have changed since */

    if (key) {
        free(r->units[unit].key);
        r->units[unit].key = key;
    }
    struct store *s = ready_store(r, unit);
    if (s) {
        r->units[unit].state = READY;
        r->dirty = true;
    }
    store_close(s);
}

nfds_t jobread_waits(const struct jobread *r, struct pollfd *p, nfds_t max, int64_t now_ms, int *timeout_ms)
{
    nfds_t n = 0;

    for (unsigned i = 0; i < r->workers && n < max; i++)
        if (r->slots[i].w)
            p[n++] = (struct pollfd){ .fd = worker_fd(r->slots[i].w), .events = POLLIN };
    *timeout_ms = -1;
    if (r->dirty) {
        int64_t left = due_in(r, now_ms);
        *timeout_ms = left < INT_MAX ? (int)left : INT_MAX;
    }
    return n;
}

/* ---- facts ---- */

const char *jobread_path(const struct jobread *r)
{
    return r->made ? r->path : "";
}

size_t jobread_done(const struct jobread *r, size_t *of)
{
    size_t n = 0;

    *of = r->job->n_units;
    for (size_t i = 0; i < r->job->n_units; i++)
        n += r->units[i].state == TAKEN || r->units[i].state == FAILED;
    return n;
}

bool jobread_has(const struct jobread *r, size_t unit)
{
    return r->units[unit].state == TAKEN || r->units[unit].state == READY;
}

bool jobread_problem(struct jobread *r, char *buf, size_t n)
{
    bool has = r->problem[0] != '\0';

    if (has)
        snprintf(buf, n, "%s", r->problem);
    r->problem[0] = '\0';
    return has;
}
