/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whose an event is: process, rank, device and server (doc/formats/logs.md#ranks-and-devices), its time in
 * UTC (#time-zones), and whether it is of the run in question (#verdict-rule, step 1).
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "logs/logs_int.h"
#include "parsers/logs/log_field.h"

#define SAME_RUN_NS (10 * 60 * LOG_S_NS)  /* births of one run's communicators lie so near */
#define BEFORE_NS   (60 * LOG_S_NS)       /* of its first line belongs to a run */
#define OWN_NS      (3600 * LOG_S_NS)     /* the same of a process' own log: its stamps may be edited */
#define AFTER_NS    (60 * LOG_S_NS)       /* of its last communicator's end */
#define GAP_NS      (6 * 3600 * LOG_S_NS) /* between failures of one run at most */

static bool is_mark(const struct log_rec *r, const char *id)
{
    return r->role == LOG_MARK && !strcmp(signature_at(r->sig)->id, id);
}

/* A rank as a name or line says it, -1: that of no job. */
static int known_rank(int rank)
{
    return rank < LIM_LOG_RANKS ? rank : -1;
}

static struct log_proc *proc_of(struct logs *l, int server, int64_t pid, int rank, struct err *e)
{
    for (size_t i = 0; i < l->n_procs; i++) {
        struct log_proc *p = &l->procs[i];
        if (pid >= 0 ? p->pid == pid && p->server == server : rank >= 0 && p->rank == rank)
            return p;
    }
    struct log_proc *v = grow_array(l->procs, l->n_procs, &l->procs_room, sizeof *v, 32);
    if (!v) {
        err_nomem(e);
        return NULL;
    }
    l->procs = v;
    v += l->n_procs++;
    *v = (struct log_proc){ .server = server,
                            .pid = pid,
                            .rank = rank,
                            .ranks = -1,
                            .other_rank = -1,
                            .device = -1,
                            .phy = -1,
                            .group = STR(""),
                            .begin_ns = LOG_NO_UTC,
                            .closed_ns = LOG_NO_UTC,
                            .resumed_ns = LOG_NO_UTC,
                            .ended_ns = LOG_NO_UTC,
                            .exec_timeout_s = LOG_EXEC_TIMEOUT_S,
                            .connect_timeout_s = LOG_CONNECT_TIMEOUT_S };
    return v;
}

/* A rank line: of several communicators the largest is the world. */
static int take_rank_line(struct logs *l, const struct log_rec *r, struct err *e)
{
    struct log_proc *p = proc_of(l, r->server, r->head.pid, -1, e);
    int rank = log_field_int(r->text, LOG_F_RANK), ranks = log_field_int(r->text, LOG_F_RANKS), v;
    struct str s;

    if (!p)
        return e->code;
    p->has_log = true;
    if (rank >= 0 && rank < LIM_LOG_RANKS && ranks <= LIM_LOG_RANKS && ranks > p->ranks) {
        p->rank = rank;
        p->ranks = ranks;
        p->group = log_field(r->text, LOG_F_GROUP);
        p->birth_ns = logs_birth_of(r->text, p->group);
        if (!p->group.p)
            p->group = STR("");
    } else if (ranks == p->ranks && rank >= 0 && rank < LIM_LOG_RANKS && rank != p->rank && p->group.n &&
               str_eq(log_field(r->text, LOG_F_GROUP), p->group)) {
        p->other_rank = rank;
    }
    if ((v = log_field_int(r->text, LOG_F_DEVICE)) >= 0)
        p->device = v;
    if ((v = log_field_int(r->text, LOG_F_PHY)) >= 0)
        p->phy = v;
    s = log_field(r->text, LOG_F_DEVICE_IP);
    if (s.n && !str_eq(s, STR("0.0.0.0")))
        str_copy(s, p->device_ip, sizeof p->device_ip);
    s = log_field(r->text, LOG_F_SERVER); /* "host ip" of an Entry line is the root's, never this rank's */
    if (s.n && !str_eq(s, STR("0.0.0.0")))
        str_copy(s, p->ip, sizeof p->ip);
    return OK;
}

static bool is_named(const struct logs *l, int server, int64_t pid)
{
    for (size_t i = 0; i < l->found.n; i++)
        if (l->files[i].f.kind == LOG_PLOG && l->files[i].f.server == server && l->files[i].f.pid == pid)
            return true;
    return false;
}

/*
 * The pid of a line counts over that of the file's name only when a rank line has it and no other file is
 * named by it: lines and names of samples were edited (doc/formats/logs.md#encoding-and-damage).
 */
static void settle_pids(struct logs *l)
{
    int64_t known = -1; /* pid of the last rank line of the file that is looked at */
    uint32_t file = UINT32_MAX;

    for (size_t i = 0; i < l->n_events; i++) {
        struct log_rec *r = &l->events[i];
        int64_t named = l->files[r->file].f.pid;
        if (named < 0 || (r->kind != LOG_PLOG && r->kind != LOG_DEVLOG))
            continue;
        if (r->file != file)
            known = -1;
        file = r->file;
        if (is_mark(r, "MK01") && r->kind == LOG_PLOG)
            known = r->head.pid;
        if (r->head.pid != named &&
            (r->kind == LOG_DEVLOG || r->head.pid != known || is_named(l, r->server, r->head.pid)))
            r->head.pid = named;
    }
}

/* Process of a console's line. */
static int take_console(struct logs *l, struct log_rec *r, struct err *e)
{
    struct log_file *f = &l->files[r->file];
    int rank = known_rank(r->head.rank >= 0 ? r->head.rank : f->rank);
    int64_t pid = r->head.pid, said;

    if (is_mark(r, "MK07") && log_field_i64(r->text, LOG_F_PID, &said))
        pid = said;
    r->rank = rank;
    if (rank >= 0) { /* with a pid: they are one process; else one of which only the rank is known */
        struct log_proc *p = proc_of(l, r->server, pid > 0 ? pid : -1, rank, e);
        if (!p)
            return e->code;
        if (p->rank < 0)
            p->rank = rank;
        if (r->head.device >= 0 && p->device < 0)
            p->device = r->head.device;
        p->has_log = true;
    }
    return OK;
}

/* A file that the launcher writes holds lines of ranks too. */
static bool is_of_rank(const struct log_rec *r)
{
    return r->kind == LOG_CONSOLE || (r->kind == LOG_LAUNCHER && r->head.rank >= 0);
}

/* Two entries of one rank, one of which has no pid, are one process. */
static void merge_ranks(struct logs *l)
{
    size_t to = 0;

    for (size_t i = 0; i < l->n_procs; i++) {
        struct log_proc *p = &l->procs[i], *same = NULL;
        for (size_t k = 0; k < to && !same; k++)
            if (l->procs[k].rank >= 0 && l->procs[k].rank == p->rank && (p->pid < 0 || l->procs[k].pid < 0))
                same = &l->procs[k];
        if (same && same->pid < 0)
            same->pid = p->pid;
        else if (!same)
            l->procs[to++] = *p;
    }
    l->n_procs = to;
}

static int make_procs(struct logs *l, struct err *e)
{
    settle_pids(l);
    for (size_t i = 0; i < l->found.n; i++)
        l->files[i].rank = l->files[i].f.rank = known_rank(l->files[i].f.rank);
    for (size_t i = 0; i < l->n_events; i++)
        if (is_mark(&l->events[i], "MK01") && l->events[i].head.pid > 0 &&
            take_rank_line(l, &l->events[i], e))
            return e->code;
    for (size_t i = 0; i < l->found.n; i++) { /* a log without a rank line */
        struct log_file *f = &l->files[i];
        if ((f->f.kind == LOG_PLOG || f->f.kind == LOG_DEVLOG) && f->f.pid >= 0) {
            struct log_proc *p = proc_of(l, f->f.server, f->f.pid, -1, e);
            if (!p)
                return e->code;
            p->has_log = true;
            if (p->rank < 0 && f->f.rank >= 0)
                p->rank = f->f.rank;
        }
    }
    for (size_t i = 0; i < l->n_profile; i++)
        for (size_t k = 0; k < l->n_procs; k++)
            if (l->procs[k].rank < 0 && l->profile[i].pid > 0 && l->procs[k].pid == l->profile[i].pid)
                l->procs[k].rank = l->profile[i].rank;
    for (size_t i = 0; i < l->n_events; i++)
        if (is_of_rank(&l->events[i]) && take_console(l, &l->events[i], e))
            return e->code;
    for (size_t i = 0; i < l->found.n; i++) { /* consoles of ranks of which nothing else is known */
        struct log_file *f = &l->files[i];
        struct log_proc *p =
            f->f.kind == LOG_CONSOLE && f->rank >= 0 ? proc_of(l, f->f.server, -1, f->rank, e) : NULL;
        if (e->code)
            return e->code;
        if (p) {
            p->has_log = true;
        }
    }
    merge_ranks(l);
    return OK;
}

/* ---- time ---- */

/* An instant that says its year, of this job: what times without a year are near to. 0: there is none. */
static int64_t some_instant(const struct logs *l)
{
    if (l->n_profile && l->profile[0].start_ns)
        return l->profile[0].start_ns;
    for (size_t i = 0; i < l->n_procs; i++)
        if (l->procs[i].birth_ns)
            return l->procs[i].birth_ns;
    for (size_t i = 0; i < l->n_events; i++)
        if (l->events[i].kind == LOG_PLOG && l->events[i].head.time.clock == LOG_LOCAL &&
            !l->events[i].head.time.no_year)
            return l->events[i].head.time.ns;
    return 0;
}

/* near: an instant of the job; a line is not younger than its file, but for the zone. */
static int64_t to_utc(const struct logs *l, const struct log_time *t, const struct log_file *f, int64_t near)
{
    const int64_t year = 365 * LOG_DAY_NS, limit = f->f.modified_ns + LOG_DAY_NS;
    int64_t ns = t->no_year ? log_time_in_year(t->ns, near) : t->ns;

    if (t->no_year && ns > limit && near <= limit)
        ns = log_time_in_year(t->ns, ns - year);
    if (t->clock == LOG_UTC)
        return ns;
    return t->clock == LOG_LOCAL ? ns - (int64_t)l->servers[f->f.server].zone_min * 60 * LOG_S_NS
                                 : LOG_NO_UTC;
}

static void set_times(struct logs *l)
{
    const int64_t near = some_instant(l);

    for (size_t i = 0; i < l->n_events; i++) {
        struct log_rec *r = &l->events[i];
        const struct log_file *f = &l->files[r->file];
        r->utc_ns = to_utc(l, &r->head.time, f, near ? near : f->f.modified_ns);
    }
    /* A block of a console without a time of its own: that of the next line of the file that has one is the
       nearest to it, as what follows an exception is written at once. */
    for (size_t i = l->n_events; i-- > 0;) {
        struct log_rec *r = &l->events[i], *next = r + 1;
        if (i + 1 < l->n_events && next->file == r->file && next->utc_ns != LOG_NO_UTC && !next->time_near &&
            (r->utc_ns == LOG_NO_UTC || r->time_near) && next->line - r->line < 100) {
            r->utc_ns = next->utc_ns;
            r->time_near = false;
        }
    }
    for (size_t i = 0; i < l->n_events; i++)
        l->events[i].whole_s = l->events[i].utc_ns % LOG_S_NS == 0;
}

/* ---- owners ---- */

static int proc_by_pid(const struct logs *l, int server, int64_t pid)
{
    for (size_t i = 0; i < l->n_procs && pid > 0; i++)
        if (l->procs[i].server == server && l->procs[i].pid == pid)
            return (int)i;
    return -1;
}

static int proc_by_device(const struct logs *l, int server, int device)
{
    for (int logical = 0; logical < 2 && device >= 0; logical++)
        for (size_t i = 0; i < l->n_procs; i++)
            if (l->procs[i].server == server && (logical ? l->procs[i].device : l->procs[i].phy) == device)
                return (int)i;
    return -1;
}

static int owner_of(const struct logs *l, const struct log_rec *r)
{
    const struct log_file *f = &l->files[r->file];
    int64_t pid;
    int device, at;

    switch (r->kind) {
    case LOG_PLOG:
    case LOG_DEVLOG:
        return proc_by_pid(l, r->server, r->head.pid);
    case LOG_CONSOLE:
        at = logs_proc_of_rank(l, r->rank >= 0 ? r->rank : f->rank);
        return at >= 0 ? at : proc_by_pid(l, r->server, r->head.pid);
    case LOG_LAUNCHER:
        if (is_of_rank(r))
            return logs_proc_of_rank(l, r->rank);
        at = log_field_i64(r->text, LOG_F_PID, &pid) ? proc_by_pid(l, r->server, pid) : -1;
        return at >= 0 ? at : logs_proc_of_rank(l, log_field_int(r->text, LOG_F_RANK));
    case LOG_DEVICE:
    case LOG_BBOX:
        device = log_field_int(r->text, LOG_F_DEVICE);
        return proc_by_device(l, r->server, device >= 0 ? device : f->f.device);
    case LOG_HOST:
        if (log_field_i64(r->text, LOG_F_PID, &pid))
            return proc_by_pid(l, r->server, pid);
        return proc_by_device(l, r->server, log_field_int(r->text, LOG_F_DEVICE));
    default:
        return -1;
    }
}

static void earliest(int64_t *at, int64_t ns)
{
    if (ns != LOG_NO_UTC && (*at == LOG_NO_UTC || ns < *at))
        *at = ns;
}

static void latest(int64_t *at, int64_t ns)
{
    if (ns != LOG_NO_UTC && (*at == LOG_NO_UTC || ns > *at))
        *at = ns;
}

static void take_mark(struct log_proc *p, const struct log_rec *r)
{
    const char *id = signature_at(r->sig)->id;
    int v = log_field_int(r->text, LOG_F_TIMEOUT);

    if (!strcmp(id, "MK03") || !strcmp(id, "MK01"))
        earliest(&p->begin_ns, r->utc_ns);
    else if (!strcmp(id, "HC50"))
        latest(&p->closed_ns, r->utc_ns);
    else if (!strcmp(id, "MK06"))
        latest(&p->resumed_ns, r->utc_ns);
    else if (!strcmp(id, "MK04") && v > 0)
        p->exec_timeout_s = v;
    else if (!strcmp(id, "MK05") && v > 0)
        p->connect_timeout_s = v;
}

static void set_owners(struct logs *l)
{
    for (size_t i = 0; i < l->n_procs; i++)
        l->procs[i].begin_ns = l->procs[i].closed_ns = l->procs[i].resumed_ns = l->procs[i].ended_ns =
            LOG_NO_UTC;
    for (size_t i = 0; i < l->n_events; i++) {
        struct log_rec *r = &l->events[i];
        r->proc = owner_of(l, r);
        if (r->proc < 0)
            continue;
        struct log_proc *p = &l->procs[r->proc];
        r->rank = p->rank;
        if (r->role == LOG_MARK)
            take_mark(p, r);
        if (!strcmp(signature_at(r->sig)->id, "LA05"))
            earliest(&p->ended_ns, r->utc_ns);
    }
    for (size_t i = 0; i < l->n_procs; i++) {
        if (l->procs[i].ranks > l->n_ranks)
            l->n_ranks = l->procs[i].ranks;
        if (l->procs[i].rank >= l->n_ranks)
            l->n_ranks = l->procs[i].rank + 1;
    }
    for (size_t i = 0; i < l->n_profile; i++)
        if (l->profile[i].rank >= l->n_ranks)
            l->n_ranks = l->profile[i].rank + 1;
}

/* ---- the run ---- */

/* Birth of the run in question: the last one, if there is a profile of those before it began. */
static int64_t main_birth(const struct logs *l)
{
    int64_t best = 0, start = l->n_profile ? l->profile[0].start_ns : 0;

    for (size_t i = 0; i < l->n_procs; i++)
        if (l->procs[i].birth_ns > best && (!start || l->procs[i].birth_ns < start))
            best = l->procs[i].birth_ns;
    return best;
}

static void set_window(struct logs *l)
{
    int64_t birth = main_birth(l), from = LOG_NO_UTC, closed = LOG_NO_UTC;
    bool all_closed = birth != 0;

    for (size_t i = 0; i < l->n_procs && birth; i++) {
        const struct log_proc *p = &l->procs[i];
        if (!p->birth_ns || llabs(p->birth_ns - birth) > SAME_RUN_NS)
            continue;
        earliest(&from, p->begin_ns);
        all_closed &= p->closed_ns != LOG_NO_UTC;
        latest(&closed, p->closed_ns);
    }
    if (!birth && l->n_profile && l->profile[0].start_ns)
        from = l->profile[0].start_ns;
    l->from_ns = from == LOG_NO_UTC ? INT64_MIN + 1 : from;
    l->to_ns = all_closed && closed != LOG_NO_UTC && closed > from ? closed + AFTER_NS : INT64_MAX;
}

static int by_time(const void *x, const void *y)
{
    const struct log_rec *a = x, *b = y;
    int64_t at = logs_latest(a), bt = logs_latest(b);
    if ((a->utc_ns == LOG_NO_UTC) != (b->utc_ns == LOG_NO_UTC))
        return a->utc_ns == LOG_NO_UTC ? 1 : -1;
    if (at != bt)
        return at < bt ? -1 : 1;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

/*
 * A process that has joined a communicator did not fail to begin: a line without a time that says so is
 * older.
 */
static bool is_before_start(const struct logs *l, const struct log_rec *r)
{
    enum cause_class cls = signature_at(r->sig)->cls;
    return r->proc >= 0 && l->procs[r->proc].ranks > 0 && r->role == LOG_CAUSE &&
           (cls == CAUSE_CONF || cls == CAUSE_START);
}

static void set_apart(struct logs *l)
{
    int64_t last = LOG_NO_UTC;

    for (size_t i = 0; i < l->n_events; i++) {
        struct log_rec *r = &l->events[i];
        if (r->utc_ns == LOG_NO_UTC) {
            r->apart = is_before_start(l, r);
            continue;
        }
        bool own = (r->kind == LOG_PLOG || r->kind == LOG_DEVLOG) && r->proc >= 0;
        int64_t before = own ? OWN_NS : BEFORE_NS;
        const struct log_proc *p = r->proc >= 0 ? &l->procs[r->proc] : NULL;
        r->apart = (l->from_ns > INT64_MIN + before && r->utc_ns < l->from_ns - before) ||
                   r->utc_ns > l->to_ns || (p && p->resumed_ns != LOG_NO_UTC && r->utc_ns < p->resumed_ns);
        if (r->apart || !log_role_tells(r->role))
            continue;
        if (last != LOG_NO_UTC && r->utc_ns - last > GAP_NS)
            l->to_ns = last; /* what follows is another run */
        r->apart = r->utc_ns > l->to_ns;
        if (!r->apart)
            last = r->utc_ns;
    }
}

/* A file of a rank that was written during the run and has nothing to tell, as that of one that hangs. */
static bool is_quiet(const struct logs *l, const struct log_file *f)
{
    return !f->tells && f->rank >= 0 && f->f.modified_ns >= l->from_ns;
}

/* States of files, and the ranks of processes that write a file each. */
static void set_files(struct logs *l)
{
    for (size_t i = 0; i < l->n_events; i++)
        l->files[l->events[i].file].tells = true;
    for (size_t i = 0; i < l->found.n; i++) {
        struct log_file *f = &l->files[i];
        int at =
            f->f.kind == LOG_PLOG || f->f.kind == LOG_DEVLOG ? proc_by_pid(l, f->f.server, f->f.pid) : -1;
        if (at >= 0)
            f->rank = l->procs[at].rank;
    }
    for (size_t i = 0; i < l->found.n; i++)
        if (l->files[i].state == LOG_READ && !is_quiet(l, &l->files[i]) && !l->files[i].flight &&
            !l->files[i].stack && !l->files[i].status && l->from_ns > INT64_MIN + 1)
            l->files[i].state = LOG_APART;
    for (size_t i = 0; i < l->n_events; i++)
        if (!l->events[i].apart && l->files[l->events[i].file].state == LOG_APART)
            l->files[l->events[i].file].state = LOG_READ;
}

int logs_compare_clocks(struct logs *l, const struct log_met *met, size_t n, struct err *e)
{
    if (logs_find_clocks(l, met, n, e))
        return e->code;
    set_owners(l);
    set_window(l);
    if (l->n_events)
        qsort(l->events, l->n_events, sizeof *l->events, by_time);
    set_apart(l);
    set_files(l);
    return OK;
}

int logs_assign(struct logs *l, struct err *e)
{
    l->n_servers = l->found.n_servers;
    l->servers = calloc(l->n_servers + 1, sizeof *l->servers);
    if (!l->servers)
        return err_nomem(e);
    for (size_t i = 0; i < l->n_servers; i++)
        l->servers[i].name = l->found.servers[i].name;
    if (make_procs(l, e))
        return e->code;
    logs_set_zones(l);
    set_times(l);
    logs_set_host_zones(l);
    return logs_compare_clocks(l, NULL, 0, e) ? e->code : logs_compare_dumps(l, e);
}
