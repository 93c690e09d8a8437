/* SPDX-License-Identifier: Apache-2.0 */
/* The open job: ranks, stores, selection. */
#include "config.h"

#include "model/session.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/path.h"
#include "model/view/rowset.h"

struct session_unit {
    struct store *store;
    bool partial;
    struct job *renewed; /* the scan that holds the unit; NULL: the job holds it */
};

struct session {
    struct job *job;
    struct session_unit *units;
    struct session_rank *ranks;
    size_t n_ranks, current;
    bool *beside; /* by rank index: it goes with the selected one */
    size_t n_beside;
    struct view_part *parts;
    struct store *overview;
    struct store *logs;
    struct view_part logs_part;
    struct view_scope scope;
    struct rowpool *pool;        /* rows of all views */
    struct timeline **timelines; /* by rank index; NULL: not made yet */
    bool (*progress)(void *arg);
    void *progress_arg;
    char title[256];
};

static int rank_cmp(const void *a, const void *b)
{
    const struct session_rank *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->unit < y->unit ? -1 : x->unit > y->unit;
}

/* List the ranks of s->job. */
static int list_ranks(struct session *s, struct err *e)
{
    size_t n = 0;

    for (size_t u = 0; u < s->job->n_units; u++)
        n += s->job->units[u]->info.n_ranks;
    s->ranks = calloc(n ? n : 1, sizeof *s->ranks);
    s->parts = calloc(n ? n : 1, sizeof *s->parts);
    s->timelines = calloc(n ? n : 1, sizeof *s->timelines);
    s->beside = calloc(n ? n : 1, sizeof *s->beside);
    if (!s->ranks || !s->parts || !s->timelines || !s->beside)
        return err_nomem(e);
    for (size_t u = 0; u < s->job->n_units; u++) {
        const struct runinfo *r = &s->job->units[u]->info;
        for (size_t i = 0; i < r->n_ranks; i++)
            s->ranks[s->n_ranks++] =
                (struct session_rank){ r->ranks[i].rank, r->ranks[i].known, r->ranks[i].device, u };
    }
    qsort(s->ranks, s->n_ranks, sizeof *s->ranks, rank_cmp);
    return OK;
}

/* Free the job and the lists over its units and ranks. */
static void free_lists(struct session *s)
{
    for (size_t i = 0; s->units && i < s->job->n_units; i++)
        job_free(s->units[i].renewed);
    free(s->units);
    free(s->timelines);
    free(s->ranks);
    free(s->parts);
    free(s->beside);
    job_free(s->job);
}

/* The title: the last two parts of the path, "resnet50/profiler". */
static void make_title(struct session *s)
{
    struct str path = str_of(s->job->shown);
    size_t last = str_rchr(path, '/');

    if (last != SIZE_MAX && last > 0) {
        size_t up = str_rchr(str_sub(path, 0, last), '/');
        path = str_sub(path, up == SIZE_MAX ? 0 : up + 1, path.n);
    }
    str_copy(path, s->title, sizeof s->title);
}

static const struct unit *unit_of(const struct session *s, size_t rank_index)
{
    return s->job->units[s->ranks[rank_index].unit];
}

bool session_is_same_run(const struct session *s, size_t rank_index)
{
    return session_run(s, rank_index) == session_run(s, s->current) &&
           str_eq(unit_window_steps(unit_of(s, rank_index)), unit_window_steps(unit_of(s, s->current)));
}

size_t session_run(const struct session *s, size_t rank_index)
{
    return unit_of(s, rank_index)->run;
}

/* After the selected rank has changed. */
static void mark_beside(struct session *s)
{
    s->n_beside = 0;
    for (size_t i = 0; i < s->n_ranks; i++) {
        s->beside[i] = session_is_same_run(s, i);
        s->n_beside += s->beside[i];
    }
}

int session_new(struct session **out, struct job *job, struct err *e)
{
    struct session *s = calloc(1, sizeof *s);

    if (!s) {
        job_free(job);
        return err_nomem(e);
    }
    s->job = job;
    s->scope = VIEW_SCOPE_ALL;
    s->units = calloc(job->n_units ? job->n_units : 1, sizeof *s->units);
    if (!s->units || list_ranks(s, e) || rowpool_new(&s->pool, ROWPOOL_LIMIT_B, e)) {
        session_free(s);
        return err_nomem(e);
    }
    make_title(s);
    mark_beside(s);
    *out = s;
    return OK;
}

static void drop_timelines(struct session *s, size_t unit)
{
    for (size_t i = 0; i < s->n_ranks; i++)
        if (s->ranks[i].unit == unit) {
            timeline_close(s->timelines[i]);
            s->timelines[i] = NULL;
        }
}

void session_free(struct session *s)
{
    if (!s)
        return;
    for (size_t i = 0; s->units && i < s->job->n_units; i++)
        session_detach(s, i);
    store_close(s->overview);
    store_close(s->logs);
    rowpool_free(s->pool);
    free_lists(s);
    free(s);
}

const struct job *session_job(const struct session *s)
{
    return s->job;
}

static struct str path_below(const struct session *s, size_t unit)
{
    struct str root = str_of(s->job->units[unit]->root), top = str_of(s->job->path);

    if (str_starts(root, top) && root.n > top.n && root.p[top.n] == '/')
        return str_sub(root, top.n + 1, SIZE_MAX);
    return root;
}

/* The path without its last part; p NULL: it has only one part. */
static struct str parent(struct str path)
{
    size_t at = str_rchr(path, '/');
    return at == SIZE_MAX || at == 0 ? STR_NULL : str_sub(path, 0, at);
}

/* Whether the paths of all units end in the same n parts, and each has at least one more. */
static bool all_end_alike(const struct session *s, size_t n)
{
    struct str last = STR_NULL;

    for (size_t u = 0; u < s->job->n_units; u++) {
        struct str path = path_below(s, u);
        for (size_t i = 0; i + 1 < n && path.p; i++)
            path = parent(path);
        if (!path.p || !parent(path).p)
            return false;
        struct str part = str_after_last(path, '/');
        if (last.p && !str_eq(last, part))
            return false;
        last = part;
    }
    return true;
}

const char *session_unit_label(const struct session *s, size_t unit, char *buf, size_t n)
{
    struct str path = path_below(s, unit);

    for (size_t i = 1; s->job->n_units > 1 && all_end_alike(s, i); i++)
        path = parent(path);
    return str_copy(path, buf, n);
}

size_t session_n_ranks(const struct session *s)
{
    return s->n_ranks;
}

const struct session_rank *session_rank(const struct session *s, size_t i)
{
    return &s->ranks[i];
}

bool session_is_beside(const struct session *s, size_t rank_index)
{
    return s->beside[rank_index];
}

size_t session_n_beside(const struct session *s)
{
    return s->n_beside;
}

size_t session_find_rank(const struct session *s, int rank)
{
    size_t first = SIZE_MAX;

    for (size_t i = 0; i < s->n_ranks; i++) {
        if (s->ranks[i].rank != rank)
            continue;
        if (session_is_beside(s, i))
            return i;
        first = first == SIZE_MAX ? i : first;
    }
    return first;
}

int session_attach(struct session *s, size_t unit, const char *store_path, bool partial, struct err *e)
{
    struct store *store = NULL;

    if (store_open(&store, store_path, partial, e))
        return e->code;
    session_attach_store(s, unit, store, partial);
    return OK;
}

void session_attach_store(struct session *s, size_t unit, struct store *store, bool partial)
{
    session_detach(s, unit);
    s->units[unit].store = store;
    s->units[unit].partial = partial;
    if (s->overview)
        store_offer_job(store, store_path(s->overview));
    store_progress(store, s->progress, s->progress_arg);
}

void session_progress(struct session *s, bool (*fn)(void *arg), void *arg)
{
    s->progress = fn;
    s->progress_arg = arg;
    if (s->overview)
        store_progress(s->overview, fn, arg);
    if (s->logs)
        store_progress(s->logs, fn, arg);
    for (size_t i = 0; i < s->job->n_units; i++)
        if (s->units[i].store)
            store_progress(s->units[i].store, fn, arg);
}

void session_detach(struct session *s, size_t unit)
{
    drop_timelines(s, unit);
    if (s->units[unit].store)
        rowpool_forget(s->pool, s->units[unit].store);
    store_close(s->units[unit].store);
    s->units[unit].store = NULL;
    s->units[unit].partial = false;
}

static bool has_same_ranks(const struct unit *a, const struct unit *b)
{
    bool same = a->info.n_ranks == b->info.n_ranks;

    for (size_t i = 0; same && i < a->info.n_ranks; i++)
        same = a->info.ranks[i].rank == b->info.ranks[i].rank;
    return same;
}

void session_renew_unit(struct session *s, size_t unit, struct job *scan)
{
    struct unit **place = &s->job->units[unit];
    size_t at = 0;

    while (at < scan->n_units && strcmp(scan->units[at]->root, (*place)->root) != 0)
        at++;
    if (at == scan->n_units || !has_same_ranks(*place, scan->units[at])) {
        job_free(scan);
        return;
    }
    scan->units[at]->run = (*place)->run; /* among all units, of which the scan has one */
    *place = scan->units[at];
    job_free(s->units[unit].renewed);
    s->units[unit].renewed = scan;
}

/* The rank with this number in the unit with this root. */
static size_t find_in(const struct session *s, const char *root, int rank)
{
    for (size_t i = 0; i < s->n_ranks; i++)
        if (s->ranks[i].rank == rank && !strcmp(s->job->units[s->ranks[i].unit]->root, root))
            return i;
    return SIZE_MAX;
}

size_t session_lacks(const struct session *s, const struct job *scan, int *first)
{
    size_t n = 0;

    for (size_t u = 0; u < scan->n_units; u++)
        for (size_t i = 0; i < scan->units[u]->info.n_ranks; i++) {
            int rank = scan->units[u]->info.ranks[i].rank;
            if (find_in(s, scan->units[u]->root, rank) != SIZE_MAX)
                continue;
            if (first && (!n || rank < *first))
                *first = rank;
            n++;
        }
    return n;
}

/* Stores of old units go to the units with the same root, or are closed. */
static void move_stores(struct session *s, struct session *to)
{
    for (size_t i = 0; i < s->job->n_units; i++) {
        size_t at = 0;
        while (at < to->job->n_units && strcmp(to->job->units[at]->root, s->job->units[i]->root) != 0)
            at++;
        drop_timelines(s, i);
        if (at == to->job->n_units) {
            session_detach(s, i);
            continue;
        }
        to->units[at].store = s->units[i].store;
        to->units[at].partial = s->units[i].partial;
    }
}

int session_renew(struct session *s, struct job *scan, size_t *moved, struct err *e)
{
    struct session now = *s;

    now.job = scan;
    now.ranks = NULL;
    now.parts = NULL;
    now.timelines = NULL;
    now.beside = NULL;
    now.n_ranks = now.current = 0;
    now.units = calloc(scan->n_units ? scan->n_units : 1, sizeof *now.units);
    if (!now.units || list_ranks(&now, e)) {
        free_lists(&now);
        return err_nomem(e);
    }
    session_attach_overview(s, NULL);
    now.overview = NULL;
    for (size_t i = 0; i < s->n_ranks; i++)
        moved[i] = find_in(&now, s->job->units[s->ranks[i].unit]->root, s->ranks[i].rank);
    if (s->n_ranks && moved[s->current] != SIZE_MAX)
        now.current = moved[s->current];
    move_stores(s, &now);
    free_lists(s);
    *s = now;
    mark_beside(s);
    return OK;
}

bool session_met_damage(void)
{
    bool met = store_damage_met() != 0;

    store_damage_forget();
    return met;
}

bool session_is_damaged(const struct session *s, size_t unit)
{
    return s->units[unit].store && store_is_damaged(s->units[unit].store);
}

struct store *session_store(const struct session *s, size_t unit)
{
    return s->units[unit].store;
}

bool session_is_partial(const struct session *s, size_t unit)
{
    return s->units[unit].partial;
}

size_t session_current(const struct session *s)
{
    return s->current;
}

void session_select(struct session *s, size_t rank_index)
{
    if (rank_index < s->n_ranks && rank_index != s->current) {
        s->current = rank_index;
        mark_beside(s);
    }
}

const struct view_part *session_parts(struct session *s, bool all, size_t *n)
{
    *n = 0;
    for (size_t i = 0; i < s->n_ranks; i++) {
        const struct session_unit *u = &s->units[s->ranks[i].unit];
        /* Rows of a store that is still being filled are not kept: there will be more. */
        if (u->store && (all ? session_is_beside(s, i) : i == s->current))
            s->parts[(*n)++] = (struct view_part){ u->store, s->ranks[i].rank, u->partial ? NULL : s->pool };
    }
    return s->parts;
}

void session_attach_overview(struct session *s, struct store *overview)
{
    for (size_t i = 0; i < s->job->n_units; i++)
        if (s->units[i].store)
            store_offer_job(s->units[i].store, overview ? store_path(overview) : NULL);
    store_close(s->overview);
    s->overview = overview;
    if (overview)
        store_progress(overview, s->progress, s->progress_arg);
}

struct store *session_overview(const struct session *s)
{
    return s->overview;
}

void session_attach_logs(struct session *s, struct store *logs)
{
    store_close(s->logs);
    s->logs = logs;
    if (logs)
        store_progress(logs, s->progress, s->progress_arg);
}

struct store *session_logs(const struct session *s)
{
    return s->logs;
}

const struct view_part *session_parts_for(struct session *s, const struct view_def *d, bool all, size_t *n)
{
    if (d->over == VIEW_OVER_RANKS)
        return session_parts(s, all, n);
    *n = 0;
    if (d->over == VIEW_OVER_LOGS) {
        s->logs_part = (struct view_part){ s->logs, 0, NULL };
        *n = s->logs != NULL;
        return &s->logs_part;
    }
    for (size_t i = 0; s->overview && i < s->n_ranks; i++)
        s->parts[(*n)++] = (struct view_part){ s->overview, s->ranks[i].rank, NULL };
    return s->parts;
}

struct view_scope *session_scope(struct session *s)
{
    return &s->scope;
}

struct timeline *session_timeline(struct session *s, size_t rank_index, struct err *e)
{
    const struct session_rank *r = &s->ranks[rank_index];
    struct store *store = s->units[r->unit].store;

    if (s->timelines[rank_index])
        return s->timelines[rank_index];
    if (!store) {
        err_set(e, ERR_USAGE, "rank %d is not loaded", r->rank);
        return NULL;
    }
    if (timeline_open(&s->timelines[rank_index], &store, &r->rank, 1, e))
        s->timelines[rank_index] = NULL;
    return s->timelines[rank_index];
}

void session_keep_timelines(struct session *s, const size_t *rank_index, size_t n)
{
    for (size_t i = 0; i < s->n_ranks; i++) {
        bool keep = false;
        for (size_t k = 0; k < n; k++)
            keep |= rank_index[k] == i;
        if (keep)
            continue;
        timeline_close(s->timelines[i]);
        s->timelines[i] = NULL;
    }
}

const char *session_title(const struct session *s)
{
    return s->title;
}
