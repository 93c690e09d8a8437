/* SPDX-License-Identifier: Apache-2.0 */
/* Stores for units: from the cache, by workers, or in memory. */
#include "config.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive/copy.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/sig.h"
#include "cli/open.h"
#include "cli/progress.h"
#include "import/import.h"
#include "import/worker.h"

#define JOBS_MAX 64

/* One unit being read. */
struct slot {
    struct worker *w;
    struct run_load *l;
    struct progress clock;
};

struct loader {
    struct cli *c;
    struct run_load *l;
    size_t n, next, done;
    struct slot slots[JOBS_MAX];
    unsigned jobs, running, alone; /* alone: units that wait until no other is read */
    uint64_t done_b, total_b;      /* of units that are read */
    struct progress progress;
    bool each; /* a unit that fails is reported in its run_load; the others go on */
    bool stopping;
};

static const struct unit *unit_of(const struct cli *c, size_t unit)
{
    return session_job(c->session)->units[unit];
}

int run_store_path(const struct cli *c, size_t unit, char *buf, size_t n, struct err *e)
{
    const char *db = opt_text(&c->opts, OPT_DB);

    if (!db)
        return store_cache_path(unit_of(c, unit)->root, buf, n, e);
    if (strlen(db) >= n)
        return err_set(e, ERR_LIMIT, "the path of --db is too long");
    str_copy(str_of(db), buf, n);
    return OK;
}

void run_age_cache(const struct cli *c)
{
    struct err why = ERR_INIT;
    char text[500];
    unsigned n = 0;

    if (!run_uses_cache(c))
        return;
    if (store_cache_age(clock_ns(CLOCK_REALTIME), &n, &why))
        log_line(1, "%s", err_message(&why, text, sizeof text));
    if (n)
        log_line(1, "removed %u store%s not used for long", n, n == 1 ? "" : "s");
    err_clear(&why);
    if (copies_age(clock_ns(CLOCK_REALTIME), &n, &why))
        log_line(1, "%s", err_message(&why, text, sizeof text));
    if (n)
        log_line(1, "removed %u unpacked archive%s not used for long", n, n == 1 ? "" : "s");
}

struct store *run_current_store(const struct cli *c, size_t unit, const char *path)
{
    struct store *s = NULL;
    struct err ignored = ERR_INIT;
    char *key = unit_input_key(unit_of(c, unit));

    if (!key || store_open(&s, path, false, &ignored) || !store_is_current(s, key)) {
        store_close(s);
        s = NULL;
    }
    free(key);
    if (s)
        store_cache_used(path);
    return s;
}

void run_attach_kept(struct cli *c)
{
    const struct job *j = session_job(c->session);

    for (size_t u = 0; u < j->n_units && run_uses_cache(c); u++) {
        char path[1024];
        struct err ignored = ERR_INIT;
        struct store *s = NULL;

        if (!session_store(c->session, u) &&
            store_cache_path(j->units[u]->root, path, sizeof path, &ignored) == OK)
            s = run_current_store(c, u, path);
        if (s)
            session_attach_store(c->session, u, s, false);
    }
}

int run_check_db(const struct cli *c, const char *path, struct err *e)
{
    const char *strange = store_strange(path);

    /* also an old or damaged store of ours is made anew */
    if (!opt_is(&c->opts, OPT_DB) || access(path, F_OK) != 0 || (!strange && store_is_ours(path)))
        return OK;
    if (strange)
        err_set(e, ERR_IO, "%s: give another name to --db", strange);
    else
        err_set(e, ERR_IO, "is there and is no store of npuscope: give another name to --db");
    err_where(e, path, ERR_NO_OFFSET, 0);
    return e->code;
}

/* Say once for each unit what is not read because it does not fit. */
static void report_no_room(struct loader *ld, const struct run_load *l)
{
    if (!l->no_room[0])
        return;
    progress_end(&ld->progress);
    log_message("%s: %s", unit_of(ld->c, l->unit)->shown, l->no_room);
    ld->c->status = ld->each ? ST_FAILED : ST_DAMAGED;
}

/* ---- in memory ---- */

struct in_memory {
    struct loader *ld;
    struct run_load *l;
    const char *label;
};

static void on_progress(void *arg, const struct import_progress *p)
{
    struct in_memory *m = arg;

    snprintf(m->l->no_room, sizeof m->l->no_room, "%s", p->no_room ? p->no_room : "");
    progress_show(&m->ld->progress, p->now ? p->now : m->label, p->done_b, p->total_b);
}

static bool on_cancelled(void *arg)
{
    (void)arg;
    return sig_stop() != 0;
}

static int read_in_memory(struct loader *ld, struct run_load *l, struct err *e)
{
    struct in_memory m = { ld, l, unit_of(ld->c, l->unit)->name };
    const struct import_opts o = { .progress = on_progress,
                                   .cancelled = on_cancelled,
                                   .arg = &m,
                                   .later = ld->c->later,
                                   .after = ld->c->hooks->after_import };
    struct store *s = NULL;
    bool partial = false;
    struct progress clock;

    progress_begin(&clock, true);
    if (import_unit(unit_of(ld->c, l->unit), &o, &s, &partial, e))
        return e->code;
    l->in_memory = true;
    l->seconds = progress_seconds(&clock);
    l->partial = partial;
    session_attach_store(ld->c->session, l->unit, s, partial);
    report_no_room(ld, l);
    return partial ? err_set(e, ERR_CANCELLED, "interrupted") : OK;
}

/* ---- workers ---- */

static bool may_fall_back(const struct loader *ld, const struct err *e)
{
    return !ld->each && !opt_is(&ld->c->opts, OPT_DB) &&
           (e->code == ERR_FULL || e->code == ERR_IO || e->code == ERR_USAGE);
}

/* The store cannot be kept: say so, go on without. */
static int fall_back(struct loader *ld, struct run_load *l, const struct err *why, struct err *e)
{
    char text[500];

    if (!opt_is(&ld->c->opts, OPT_QUIET))
        log_message("the cache cannot be used (%s); reading into memory",
                    err_message(why, text, sizeof text));
    ld->done++;
    return read_in_memory(ld, l, e);
}

/*
 * The unit cannot be read: its error, or the error of the whole command. After a signal it is the unit's: the
 * signal is what ends the command.
 */
static int fail_unit(struct loader *ld, struct run_load *l, const struct err *why, struct err *e)
{
    struct err *to = ld->each || ld->stopping ? &l->err : e;

    ld->done++;
    *to = *why;
    if (to == e)
        err_where(e, unit_of(ld->c, l->unit)->shown, ERR_NO_OFFSET, 0);
    return e->code;
}

static unsigned sharing(const struct loader *ld)
{
    return ld->jobs < ld->n ? ld->jobs : (unsigned)ld->n;
}

/*
 * A store that was there and cannot be used is replaced; that is worth a word when it is not just old. One
 * whose damage showed is gone.
 */
static void report_damaged(struct loader *ld, const char *path)
{
    struct err why = ERR_INIT;
    struct store *s = NULL;

    if (opt_is(&ld->c->opts, OPT_QUIET))
        return;
    if (store_open(&s, path, false, &why) && why.code != ERR_VERSION && why.code != ERR_BUSY) {
        progress_end(&ld->progress);
        log_message("%s: the store is damaged: reading the run again", path);
    }
    store_close(s);
}

/* Neither kept nor in memory: a worker in a free slot. */
static int start_worker(struct loader *ld, struct run_load *l, const char *path, struct err *e)
{
    const struct worker_opts o = { .unit_root = unit_of(ld->c, l->unit)->root,
                                   .store_path = path,
                                   .later = ld->c->later,
                                   .jobs = l->alone ? 1 : sharing(ld) };
    struct slot *s = ld->slots;

    while (s->w)
        s++;
    if (worker_start(&s->w, &o, e))
        return e->code;
    log_line(1, "%s: reading", o.unit_root);
    s->l = l;
    progress_begin(&s->clock, true);
    ld->running++;
    return OK;
}

static int start(struct loader *ld, struct run_load *l, struct err *e)
{
    char path[1024];
    struct err why = ERR_INIT;

    if (opt_is(&ld->c->opts, OPT_NO_CACHE)) {
        ld->done++;
        return read_in_memory(ld, l, e);
    }
    if (run_store_path(ld->c, l->unit, path, sizeof path, &why))
        return may_fall_back(ld, &why) ? fall_back(ld, l, &why, e) : fail_unit(ld, l, &why, e);
    bool was_there = access(path, F_OK) == 0;
    struct store *kept = run_current_store(ld->c, l->unit, path);
    if (kept && store_left(kept) & ~ld->c->later) { /* a worker reads the rest into it */
        store_close(kept);
        kept = NULL;
    }
    if (kept) {
        l->was_kept = true;
        session_attach_store(ld->c->session, l->unit, kept, false);
        ld->done++;
        log_line(1, "%s: store %s", unit_of(ld->c, l->unit)->root, path);
        return OK;
    }
    if (run_check_db(ld->c, path, &why))
        return fail_unit(ld, l, &why, e);
    if (was_there)
        report_damaged(ld, path);
    store_damage_forget(); /* it is replaced */
    if (start_worker(ld, l, path, &why))
        return fail_unit(ld, l, &why, e);
    return OK;
}

static void show(struct loader *ld)
{
    uint64_t done = ld->done_b, total = ld->total_b;
    const char *now = "";
    char label[300];

    for (unsigned i = 0; i < ld->jobs; i++) {
        if (!ld->slots[i].w)
            continue;
        const struct worker_status *st = worker_status(ld->slots[i].w);
        done += st->done_b;
        total += st->total_b;
        now = st->now[0] ? st->now : st->last;
    }
    if (ld->n > 1)
        snprintf(label, sizeof label, "%zu of %zu units", ld->done + 1 > ld->n ? ld->n : ld->done + 1, ld->n);
    else
        snprintf(label, sizeof label, "%s", now);
    progress_show(&ld->progress, label, done, total);
}

static int on_end(struct loader *ld, struct slot *s, enum worker_event event, struct err *e)
{
    const struct worker_status st = *worker_status(s->w);
    struct run_load *l = s->l;
    struct err why = ERR_INIT;

    worker_free(s->w);
    s->w = NULL;
    ld->running--;
    ld->done_b += st.total_b;
    ld->total_b += st.total_b;
    l->seconds = progress_seconds(&s->clock);
    if (event == WORKER_FAILED && st.err.code == ERR_NOMEM && !l->alone && sharing(ld) > 1 && !ld->stopping) {
        l->alone = true;
        ld->alone++;
        return OK;
    }
    if (event == WORKER_FAILED) {
        if (may_fall_back(ld, &st.err) && !ld->stopping)
            return fall_back(ld, l, &st.err, e);
        return fail_unit(ld, l, &st.err, e);
    }
    l->partial = st.partial;
    snprintf(l->no_room, sizeof l->no_room, "%s", st.no_room);
    if (session_attach(ld->c->session, l->unit, st.store_path, st.partial, &why))
        return fail_unit(ld, l, &why, e);
    report_no_room(ld, l);
    ld->done++;
    return OK;
}

static int follow(struct loader *ld, struct err *e)
{
    struct pollfd p[JOBS_MAX + 1];
    nfds_t n = 0;

    p[n++] = (struct pollfd){ .fd = sig_pipe_fd(), .events = POLLIN };
    for (unsigned i = 0; i < ld->jobs; i++)
        if (ld->slots[i].w)
            p[n++] = (struct pollfd){ .fd = worker_fd(ld->slots[i].w), .events = POLLIN };
    poll(p, n, 250);
    for (unsigned i = 0; i < ld->jobs; i++) {
        struct slot *s = &ld->slots[i];
        enum worker_event ev = WORKER_PROGRESS;
        while (s->w && (ev = worker_poll(s->w)) != WORKER_NOTHING) {
            if (ev != WORKER_DONE && ev != WORKER_FAILED)
                continue;
            if (on_end(ld, s, ev, e))
                return e->code;
        }
    }
    show(ld);
    return OK;
}

/* The first signal stops in order: every worker keeps what is whole. The second one ends them at once. */
static void on_signal(struct loader *ld, struct err *e)
{
    if (ld->stopping) {
        err_set(e, ERR_CANCELLED, "interrupted");
        return;
    }
    ld->stopping = true;
    for (unsigned i = 0; i < ld->jobs; i++)
        if (ld->slots[i].w)
            worker_cancel(ld->slots[i].w);
    sig_drain();
}

/* The next unit that needs all of the memory. */
static int start_alone(struct loader *ld, struct err *e)
{
    for (size_t i = 0; i < ld->n; i++) {
        struct run_load *l = &ld->l[i];
        if (!l->alone || l->alone_done)
            continue;
        l->alone_done = true;
        ld->alone--;
        return start(ld, l, e);
    }
    return OK;
}

static int run_all(struct loader *ld, struct err *e)
{
    while (!e->code && (ld->running || ((ld->next < ld->n || ld->alone) && !ld->stopping))) {
        if (sig_stop()) {
            ld->c->signal = sig_stop();
            sig_clear_stop();
            on_signal(ld, e);
        }
        while (!e->code && !ld->stopping && ld->running < ld->jobs && ld->next < ld->n)
            if (start(ld, &ld->l[ld->next++], e))
                return e->code;
        if (!e->code && !ld->stopping && !ld->running && ld->alone && start_alone(ld, e))
            return e->code;
        if (!e->code && ld->running && follow(ld, e))
            return e->code;
    }
    if (ld->stopping && !e->code)
        err_set(e, ERR_CANCELLED, "interrupted");
    return e->code;
}

static int load(struct loader *ld, struct err *e)
{
    struct cli *c = ld->c;

    if (opt_is(&c->opts, OPT_DB) && ld->n > 1)
        return err_set(e, ERR_USAGE,
                       "--db names the store of one unit, and these ranks lie in %zu: choose one with --rank",
                       ld->n);
    if (ld->jobs > JOBS_MAX)
        ld->jobs = JOBS_MAX;
    progress_begin(&ld->progress, opt_is(&c->opts, OPT_QUIET) || log_get_level() > 1);
    run_all(ld, e);
    progress_end(&ld->progress);
    for (unsigned i = 0; i < ld->jobs; i++)
        worker_free(ld->slots[i].w);
    run_age_cache(c);
    return e->code;
}

bool run_uses_cache(const struct cli *c)
{
    return !opt_is(&c->opts, OPT_NO_CACHE) && !opt_is(&c->opts, OPT_DB);
}

unsigned run_cpus(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);

    return n > 0 ? (unsigned)n : 1;
}

int run_load(struct cli *c, struct run_load *l, size_t n, struct err *e)
{
    struct loader ld = { .c = c, .l = l, .n = n, .jobs = run_cpus() };

    return load(&ld, e);
}

int run_load_each(struct cli *c, struct run_load *l, size_t n, unsigned jobs, struct err *e)
{
    struct loader ld = { .c = c, .l = l, .n = n, .jobs = jobs, .each = true };

    return load(&ld, e);
}
