/* SPDX-License-Identifier: Apache-2.0 */
/* Opening the logs of a job: which files are of it, then reading and ordering. */
#include "config.h"

#include <stdlib.h>

#include "logs/logs_int.h"

#define LOGS_B ((size_t)512 << 20) /* of texts and names: events are limited by LIM_LOG_EVENTS */

/*
 * A file outside of the profile's folder is of its job: its process is, or it was written while that ran. In
 * a place that all jobs share only logs of processes and of the host are looked at.
 */
static bool is_own(const struct logs *l, const struct log_found *f, bool shared)
{
    for (size_t i = 0; i < l->n_profile; i++) {
        const struct logs_rank *r = &l->profile[i];
        bool later = r->start_ns && f->modified_ns >= r->start_ns,
             process = f->kind == LOG_PLOG || f->kind == LOG_DEVLOG;
        if (later && (process ? r->pid > 0 && r->pid == f->pid : f->kind == LOG_HOST || !shared))
            return true;
    }
    return false;
}

/* Leave out what is not, of the files from `from` on. */
static void keep_own(struct logs *l, size_t from, bool shared)
{
    size_t to = from;

    for (size_t i = from; i < l->found.n; i++)
        if (is_own(l, &l->found.v[i], shared))
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
    size_t own = l->found.n;
    for (size_t i = 0; i < ask->n_near; i++)
        if (log_files_find(&l->found, ask->near[i], LOG_NEAR, l->a, e))
            return e->code;
    keep_own(l, own, false);
    own = l->found.n;
    for (size_t i = 0; i < ask->n_shared; i++)
        if (log_files_find(&l->found, ask->shared[i], LOG_KNOWN, l->a, e))
            return e->code;
    keep_own(l, own, true);
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
