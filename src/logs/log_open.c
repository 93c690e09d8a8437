/* SPDX-License-Identifier: Apache-2.0 */
/* Opening the logs of a job: which files are of it, then reading and ordering. */
#include "config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

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

/* ---- dumps in places of all jobs ---- */

static bool is_process(const struct logs *l, int64_t pid, int64_t modified_ns)
{
    for (size_t i = 0; i < l->n_profile; i++)
        if (l->profile[i].pid > 0 && l->profile[i].pid == pid && l->profile[i].start_ns &&
            modified_ns >= l->profile[i].start_ns)
            return true;
    return false;
}

/* "pid: 4711", the first line of Python stacks; -1: it has none. */
static int64_t pid_of_stack(const char *path)
{
    char head[64];
    int64_t pid = -1;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, head, sizeof head);

    if (fd >= 0)
        close(fd);
    struct str rest = { head, n > 0 ? (size_t)n : 0 }, line;
    if (!str_next(&rest, '\n', &line) || !rest.p || !str_starts(line, STR("pid: ")) ||
        !str_i64(str_trim(str_sub(line, 5, SIZE_MAX)), &pid))
        return -1;
    return pid;
}

/*
 * Of "torch_hccl_status-<rank>_<master>_<dev>_<ranks>_<pid>_<ms>.log" the number before the last; -1: none.
 */
static int64_t pid_of_status(const char *name)
{
    struct str s = str_of(name), part, before = STR(""), last = STR("");
    int64_t pid;

    while (s.p && str_next(&s, '_', &part)) {
        before = last;
        last = part;
    }
    return str_i64(before, &pid) ? pid : -1;
}

static bool has_own_stack(const struct logs *l, size_t from, int rank)
{
    for (size_t i = from; i < l->found.n; i++)
        if (l->found.v[i].kind == LOG_STACK && l->found.v[i].rank == rank && l->found.v[i].pid > 0)
            return true;
    return false;
}

/*
 * A dump of a flight recorder names no process: the stacks that are written with it do. What names none of
 * this run is not opened further.
 */
static void keep_dumps(struct logs *l, size_t from)
{
    size_t to = from;

    for (size_t i = from; i < l->found.n; i++) {
        struct log_found *f = &l->found.v[i];
        int64_t pid = f->kind == LOG_STACK    ? pid_of_stack(f->path)
                      : f->kind == LOG_STATUS ? pid_of_status(f->name)
                                              : -1;
        f->pid = pid > 0 && is_process(l, pid, f->modified_ns) ? pid : -1;
    }
    for (size_t i = from; i < l->found.n; i++) {
        const struct log_found *f = &l->found.v[i];
        if (f->kind == LOG_FLIGHT ? has_own_stack(l, from, f->rank)
                                  : (f->kind == LOG_STACK || f->kind == LOG_STATUS) && f->pid > 0)
            continue;
        l->found.v[i].kind = N_LOG_KINDS;
    }
    for (size_t i = from; i < l->found.n; i++)
        if (l->found.v[i].kind != N_LOG_KINDS)
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
    own = l->found.n;
    for (size_t i = 0; i < ask->n_dumps; i++)
        if (log_files_find(&l->found, ask->dumps[i], LOG_FLAT, l->a, e))
            return e->code;
    keep_dumps(l, own);
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
