/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "logs/logs.h"

#include <stdlib.h>

#include "logs/logs_int.h"

#define LOGS_B ((size_t)512 << 20) /* of texts and names: events are limited by LIM_LOG_EVENTS */

void logs_free(struct logs *l)
{
    if (!l)
        return;
    free(l->found.v);
    free(l->found.servers);
    free(l->files);
    free(l->events);
    free(l->servers);
    free(l->procs);
    free(l->profile);
    arena_free(l->a);
    free(l);
}

/* A file of a place that all jobs share is of this one: its process is, or it was written while it ran. */
static bool is_own(const struct logs *l, const struct log_found *f)
{
    for (size_t i = 0; i < l->n_profile; i++) {
        const struct logs_rank *r = &l->profile[i];
        bool later = r->start_ns && f->modified_ns >= r->start_ns;
        if (f->kind == LOG_PLOG || f->kind == LOG_DEVLOG ? r->pid > 0 && r->pid == f->pid && later : f->kind == LOG_HOST && later)
            return true;
    }
    return false;
}

/* Leave out what is not, of the files from `from` on. */
static void keep_own(struct logs *l, size_t from)
{
    size_t to = from;

    for (size_t i = from; i < l->found.n; i++)
        if (is_own(l, &l->found.v[i]))
            l->found.v[to++] = l->found.v[i];
    l->found.n = to;
}

static int find(struct logs *l, const struct logs_ask *ask, struct err *e)
{
    for (size_t i = 0; i < ask->n_folders; i++)
        if (log_files_find(&l->found, ask->folders[i], LOG_ALL, l->a, e))
            return e->code;
    for (size_t i = 0; i < ask->n_beside; i++)
        if (log_files_find(&l->found, ask->beside[i], LOG_KNOWN, l->a, e))
            return e->code;
    for (size_t i = 0; i < ask->n_near; i++)
        if (log_files_find(&l->found, ask->near[i], LOG_NEAR, l->a, e))
            return e->code;
    size_t own = l->found.n;
    for (size_t i = 0; i < ask->n_shared; i++)
        if (log_files_find(&l->found, ask->shared[i], LOG_KNOWN, l->a, e))
            return e->code;
    keep_own(l, own);
    log_files_sort(&l->found);
    return OK;
}

static int take_profile(struct logs *l, const struct logs_ask *ask, struct err *e)
{
    l->profile = calloc(ask->n_ranks + 1, sizeof *l->profile);
    if (!l->profile)
        return err_nomem(e);
    if (ask->n_ranks)
        memcpy(l->profile, ask->ranks, ask->n_ranks * sizeof *ask->ranks);
    l->n_profile = ask->n_ranks;
    return OK;
}

int logs_load(struct logs **out, const struct logs_ask *ask, struct err *e)
{
    struct logs *l = *out = calloc(1, sizeof *l);

    if (!l)
        return err_nomem(e);
    if (arena_new(&l->a, LOGS_B, e) || take_profile(l, ask, e) || find(l, ask, e) || logs_read(l, ask, e) ||
        logs_assign(l, e)) {
        logs_free(l);
        *out = NULL;
    }
    return e->code;
}

size_t logs_n_files(const struct logs *l)
{
    return l->found.n;
}

const struct log_file *logs_file(const struct logs *l, size_t i)
{
    return &l->files[i];
}

size_t logs_n_events(const struct logs *l)
{
    return l->n_events;
}

const struct log_rec *logs_event(const struct logs *l, size_t i)
{
    return &l->events[i];
}

size_t logs_n_servers(const struct logs *l)
{
    return l->n_servers;
}

const struct log_server *logs_server(const struct logs *l, size_t i)
{
    return &l->servers[i];
}

size_t logs_n_procs(const struct logs *l)
{
    return l->n_procs;
}

const struct log_proc *logs_proc(const struct logs *l, size_t i)
{
    return &l->procs[i];
}

int logs_n_ranks(const struct logs *l)
{
    return l->n_ranks;
}

int logs_proc_of_rank(const struct logs *l, int rank)
{
    for (size_t i = 0; i < l->n_procs; i++)
        if (l->procs[i].rank == rank && rank >= 0)
            return (int)i;
    return -1;
}

const struct logs_rank *logs_profile(const struct logs *l, int rank)
{
    for (size_t i = 0; i < l->n_profile; i++)
        if (l->profile[i].rank == rank)
            return &l->profile[i];
    return NULL;
}

bool logs_search_was_cut(const struct logs *l)
{
    return l->found.cut;
}

int64_t logs_latest(const struct log_rec *r)
{
    return r->utc_ns != LOG_NO_UTC && r->utc_ns % LOG_S_NS == 0 ? r->utc_ns + LOG_S_NS - 1 : r->utc_ns;
}
