/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The import in a child process: the side of the parent and that of the child.
 *
 * The child is this program, started as `npuscope WORKER_COMMAND ROOT STORE WATCHED ADD PART LATER JOBS
 * [SKIP...]`, or a copy of this process where it cannot be (worker_set_main()). It writes frames of one size
 * to its standard output and reads single letters from its standard input: 'g' go on and publish, 'c' cancel;
 * end of file means that the parent is gone.
 */
#include "config.h"

#include "import/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"
#include "import/import.h"
#include "import/room.h"
#include "store/fill/fill.h"

extern char **environ;

#define FRAME_MAGIC 0x6e707763u
#define MAX_SKIP    16
#define PROGRESS_NS INT64_C(100000000)
#define CLOSE_MS    2000
#define MAX_FILES   65536 /* descriptors that this process may have open */

/* Indexes in the child's argv. */
enum { ARG_ROOT = 2, ARG_STORE, ARG_WATCHED, ARG_ADD, ARG_PART, ARG_LATER, ARG_JOBS, ARG_SKIP };

struct frame {
    uint32_t magic;
    enum worker_event event;
    struct worker_status st;
};

/* ---- the parent's side ---- */

struct worker {
    char *root, *store, *add, *add_part, later[16], jobs[16];
    bool watched;
    char *skip[MAX_SKIP];
    size_t n_skip;
    pid_t pid;
    int in, out;       /* in: frames from the child, out: letters to it */
    struct frame part; /* being received */
    size_t got;
    struct worker_status st;
    bool ended, cancelled;
    bool copy, told; /* the child is a copy of this process; a frame of it came */
};

static worker_main_fn *child_main;

void worker_set_main(worker_main_fn *fn)
{
    child_main = fn;
}

static int make_pipes(int a[2], int b[2], struct err *e)
{
    if (pipe2(a, O_CLOEXEC))
        return err_sys(e, errno, "cannot make a pipe");
    if (pipe2(b, O_CLOEXEC)) {
        int sys = errno;
        close(a[0]);
        close(a[1]);
        return err_sys(e, sys, "cannot make a pipe");
    }
    return OK;
}

/*
 * Signals that a terminal sends to every process of a job, and the one that ends a job in order: blocked in
 * the child from its first instruction on, so that the parent alone decides what is kept.
 */
static void parents_signals(sigset_t *s)
{
    sigemptyset(s);
    sigaddset(s, SIGINT);
    sigaddset(s, SIGQUIT);
    sigaddset(s, SIGHUP);
    sigaddset(s, SIGTERM);
}

/* Start this program's file, which may be deleted by now. Returns an errno. */
static int start_program(struct worker *w, int argc, char **argv, const int io[2])
{
    posix_spawn_file_actions_t fa;
    posix_spawnattr_t attr;
    sigset_t blocked;

    (void)argc;
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_adddup2(&fa, io[0], 0);
    posix_spawn_file_actions_adddup2(&fa, io[1], 1);
    if (w->watched)
        posix_spawn_file_actions_addopen(&fa, 2, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attr);
    parents_signals(&blocked);
    posix_spawnattr_setsigmask(&attr, &blocked);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
    int rc = posix_spawn(&w->pid, "/proc/self/exe", &fa, &attr, argv, environ);
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&fa);
    return rc;
}

/* What execve() does to a process, as far as the child can tell: signals and files that are not handed on. */
static void forget_parent(bool watched, const int io[2])
{
    sigset_t blocked;

    for (int i = 1; i < NSIG; i++)
        signal(i, SIG_DFL);
    parents_signals(&blocked);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
    dup2(io[0], 0);
    dup2(io[1], 1);
    int null = watched ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
    if (null >= 0)
        dup2(null, 2);
    long n = sysconf(_SC_OPEN_MAX);
    for (int fd = 3; fd < (n > 0 && n < MAX_FILES ? n : MAX_FILES); fd++) {
        int flags = fcntl(fd, F_GETFD);
        if (flags >= 0 && (flags & FD_CLOEXEC))
            close(fd);
    }
}

/*
 * Go on in a copy of this process: its other threads and what it holds in memory are of no use to the child.
 */
static int start_copy(struct worker *w, int argc, char **argv, const int io[2])
{
    fflush(NULL); /* what is buffered would be written twice */
    w->pid = fork();
    if (w->pid)
        return w->pid < 0 ? errno : 0;
    forget_parent(w->watched, io);
    _exit(child_main(argc, argv));
}

static int spawn(struct worker *w, struct err *e)
{
    int from[2], to[2], argc = ARG_SKIP + (int)w->n_skip;
    char *argv[ARG_SKIP + MAX_SKIP + 1] = {
        (char *)"npuscope",
        (char *)WORKER_COMMAND,
        [ARG_ROOT] = w->root,
        [ARG_STORE] = w->store,
        [ARG_WATCHED] = (char *)(w->watched ? "1" : "0"),
        [ARG_ADD] = w->add,
        [ARG_PART] = w->add_part,
        [ARG_LATER] = w->later,
        [ARG_JOBS] = w->jobs,
    };

    for (size_t i = 0; i < w->n_skip; i++)
        argv[ARG_SKIP + i] = w->skip[i];
    if (make_pipes(from, to, e))
        return e->code;
    const int io[2] = { to[0], from[1] };
    int rc = w->copy ? 0 : start_program(w, argc, argv, io);
    if (child_main && (w->copy || rc)) {
        w->copy = true;
        rc = start_copy(w, argc, argv, io);
    }
    close(from[1]);
    close(to[0]);
    if (rc) {
        close(from[0]);
        close(to[1]);
        w->pid = 0;
        return err_sys(e, rc, "cannot start the import");
    }
    w->in = from[0];
    w->out = to[1];
    w->got = 0;
    fcntl(w->in, F_SETFL, fcntl(w->in, F_GETFL) | O_NONBLOCK);
    return OK;
}

int worker_start(struct worker **out, const struct worker_opts *o, struct err *e)
{
    struct worker *w = calloc(1, sizeof *w);
    char path[1024];

    if (!w)
        return err_nomem(e);
    w->in = w->out = -1;
    w->watched = o->watched;
    snprintf(w->later, sizeof w->later, "%u", o->later);
    snprintf(w->jobs, sizeof w->jobs, "%u", o->jobs ? o->jobs : 1);
    if (!o->store_path && store_cache_path(o->unit_root, path, sizeof path, e)) {
        free(w);
        return e->code;
    }
    w->root = strdup(o->unit_root);
    w->store = strdup(o->store_path ? o->store_path : path);
    w->add = strdup(o->add_path ? o->add_path : "");
    w->add_part = strdup(o->add_part ? o->add_part : "");
    if (!w->root || !w->store || !w->add || !w->add_part)
        err_nomem(e);
    if (e->code || spawn(w, e)) {
        worker_free(w);
        return e->code;
    }
    *out = w;
    return OK;
}

int worker_fd(const struct worker *w)
{
    return w->in;
}

const struct worker_status *worker_status(const struct worker *w)
{
    return &w->st;
}

static void send_letter(struct worker *w, char c)
{
    if (w->out >= 0 && write(w->out, &c, 1) != 1)
        close(w->out), w->out = -1; /* the child is gone: its end shows in worker_poll */
}

void worker_go_on(struct worker *w)
{
    send_letter(w, 'g');
}

void worker_cancel(struct worker *w)
{
    w->cancelled = true;
    send_letter(w, 'c');
}

static void close_child(struct worker *w)
{
    if (w->in >= 0)
        close(w->in);
    if (w->out >= 0)
        close(w->out);
    w->in = w->out = -1;
}

/*
 * The child ended before it said anything: an emulator of another processor has started itself, or nothing
 * and could not say so. A copy of this process needs no file.
 */
static bool never_began(const struct worker *w, int status)
{
    return WIFEXITED(status) && !w->told && !w->copy && child_main;
}

/*
 * The child died without a last frame: start again without the file it was reading (doc/style.md#data-flow).
 */
static enum worker_event on_death(struct worker *w)
{
    int status = 0;
    struct err *e = &w->st.err;

    close_child(w);
    if (w->pid > 0)
        while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
            ;
    w->pid = 0;
    if (never_began(w, status)) {
        w->copy = true;
        if (spawn(w, e) == OK)
            return WORKER_NOTHING;
    }
    if (WIFSIGNALED(status) && !w->cancelled && w->st.now[0] && w->n_skip < MAX_SKIP &&
        (w->skip[w->n_skip] = strdup(w->st.now)) != NULL) {
        w->n_skip++;
        w->st.now[0] = 0;
        if (spawn(w, e) == OK)
            return WORKER_PROGRESS;
    }
    w->ended = true;
    if (WIFSIGNALED(status))
        err_set(e, ERR_BUG, "the import was ended by signal %d", WTERMSIG(status));
    else
        err_set(e, ERR_BUG, "the import ended with status %d", WEXITSTATUS(status));
    return WORKER_FAILED;
}

enum worker_event worker_poll(struct worker *w)
{
    if (w->ended || w->in < 0)
        return WORKER_NOTHING;
    for (;;) {
        ssize_t n = read(w->in, (char *)&w->part + w->got, sizeof w->part - w->got);
        if (n < 0)
            return errno == EINTR || errno == EAGAIN ? WORKER_NOTHING : on_death(w);
        if (n == 0)
            return on_death(w);
        w->got += (size_t)n;
        if (w->got < sizeof w->part)
            continue;
        w->got = 0;
        if (w->part.magic != FRAME_MAGIC)
            return on_death(w);
        w->told = true;
        w->st = w->part.st;
        w->ended = w->part.event == WORKER_DONE || w->part.event == WORKER_FAILED;
        return w->part.event;
    }
}

/* Give a child that adds to a finished store time to close it. */
static void let_close(struct worker *w)
{
    struct pollfd p = { .fd = w->in, .events = POLLIN };
    char rest[4096];

    close(w->out);
    w->out = -1;
    while (poll(&p, 1, CLOSE_MS) > 0 && read(w->in, rest, sizeof rest) > 0)
        ;
}

void worker_free(struct worker *w)
{
    if (!w)
        return;
    if (w->pid > 0 && !w->ended && w->st.adding && w->out >= 0)
        let_close(w);
    close_child(w);
    if (w->pid > 0) {
        if (!w->ended)
            kill(w->pid, SIGKILL); /* it blocks the others */
        while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
            ;
        if (!w->ended && w->store)
            fill_drop_temp(w->store, (long)w->pid);
    }
    for (size_t i = 0; i < w->n_skip; i++)
        free(w->skip[i]);
    free(w->root);
    free(w->store);
    free(w->add);
    free(w->add_part);
    free(w);
}

/* ---- the child's side ---- */

struct child {
    struct frame f;
    int64_t started, last_sent;
    bool cancelled, go;
    bool adding; /* it adds to a finished store, which stays when the parent is gone */
    bool alone;  /* the parent is gone while the child adds: stop in order */
    import_after_fn *after;
    int lock;
};

static bool write_all(const void *p, size_t n)
{
    const char *c = p;

    while (n) {
        ssize_t k = write(1, c, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        c += k;
        n -= (size_t)k;
    }
    return true;
}

/*
 * The parent is gone: remove the temporary store. A store that is added to is closed in order and keeps the
 * files that were read whole.
 */
static void give_up(struct child *c)
{
    if (c->adding) {
        c->alone = c->cancelled = c->go = true;
        return;
    }
    fill_drop_temp(c->f.st.store_path, (long)getpid());
    _exit(1);
}

static void send_frame(struct child *c, enum worker_event event)
{
    c->f.event = event;
    c->f.st.seconds = (double)(clock_ns(CLOCK_MONOTONIC) - c->started) / 1e9;
    c->last_sent = clock_ns(CLOCK_MONOTONIC);
    if (!c->alone && !write_all(&c->f, sizeof c->f))
        give_up(c);
}

static void read_letters(struct child *c, int timeout_ms)
{
    struct pollfd p = { .fd = 0, .events = POLLIN };
    char letter;

    if (c->alone || poll(&p, 1, timeout_ms) <= 0)
        return;
    if (read(0, &letter, 1) != 1) {
        give_up(c);
        return;
    }
    c->cancelled |= letter == 'c';
    c->go |= letter == 'g';
}

static void on_progress(void *arg, const struct import_progress *p)
{
    struct child *c = arg;
    struct worker_status *st = &c->f.st;
    bool new_file = p->now && strcmp(st->now, p->now) != 0;

    st->done_b = p->done_b;
    st->total_b = p->total_b;
    st->files_done = p->files_done;
    st->files_total = p->files_total;
    snprintf(st->now, sizeof st->now, "%s", p->now ? p->now : "");
    snprintf(st->last, sizeof st->last, "%s", p->last ? p->last : "");
    snprintf(st->temp_path, sizeof st->temp_path, "%s", p->temp_path);
    snprintf(st->no_room, sizeof st->no_room, "%s", p->no_room ? p->no_room : "");
    st->last_rows = p->last_rows;
    st->small_done = p->small_done;
    /* The parent must know the file before it is read: if the child dies, that is the one to leave out. */
    if (new_file || p->committed || clock_ns(CLOCK_MONOTONIC) - c->last_sent > PROGRESS_NS)
        send_frame(c, p->committed ? WORKER_COMMIT : WORKER_PROGRESS);
}

static bool on_cancelled(void *arg)
{
    struct child *c = arg;

    read_letters(c, 0);
    return c->cancelled;
}

static bool on_may_publish(void *arg)
{
    struct child *c = arg;

    if (!c->go && c->f.event != WORKER_CLOSE)
        send_frame(c, WORKER_CLOSE);
    read_letters(c, -1);
    return c->go;
}

static void wait_for_other(struct child *c)
{
    snprintf(c->f.st.last, sizeof c->f.st.last, "waiting for another npuscope that reads this run");
    send_frame(c, WORKER_PROGRESS);
    read_letters(c, 200);
}

/* One import of a unit at a time; the lock goes with the process. */
static void take_lock(struct child *c, const char *store)
{
    char path[1100];
    struct flock lk = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

    snprintf(path, sizeof path, "%s" STORE_LOCK_END, store);
    c->lock = open(path, O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0600);
    while (c->lock >= 0 && fcntl(c->lock, F_SETLK, &lk) < 0 && (errno == EAGAIN || errno == EACCES)) {
        wait_for_other(c);
        if (c->cancelled)
            return;
    }
    if (c->lock >= 0)
        unlink(path); /* others wait on our open file, newcomers make their own and the last rename wins */
}

/* Work that is left until the store has all but the files that may be left for later. */
enum work { WORK_NOTHING, WORK_ADD, WORK_ALL };

static enum work work_for(const char *store, const struct unit *u, unsigned later)
{
    struct err e = ERR_INIT;
    struct store *s = NULL;
    char *key = unit_input_key(u);
    enum work w = WORK_ALL;

    if (key && store_open(&s, store, false, &e) == OK && store_is_current(s, key))
        w = store_left(s) & ~later ? WORK_ADD : WORK_NOTHING;
    store_close(s);
    free(key);
    return w;
}

/*
 * Only one process at a time adds to a store. flock() is independent of the locks that SQLite takes on the
 * same file, and ends with the process; the file must stay open until then, because closing it would drop
 * SQLite's. false: cancelled, or the store is not there any more.
 */
static bool take_store(struct child *c, const char *store)
{
    int fd = open(store, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);

    if (fd < 0 || path_is_network(store)) /* on a network every host has stores of its own */
        return fd >= 0;
    while (flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK && !c->cancelled)
        wait_for_other(c);
    return !c->cancelled;
}

/*
 * Limit the process' own memory; mapped files (base/large/spool.h) are not counted. The limit may be raised
 * later.
 */
static void limit_memory(uint64_t bytes)
{
#ifndef NPUSCOPE_SANITIZE
    struct rlimit l;

    if (getrlimit(RLIMIT_DATA, &l) == 0) {
        l.rlim_cur = l.rlim_max == RLIM_INFINITY || bytes < l.rlim_max ? bytes : l.rlim_max;
        setrlimit(RLIMIT_DATA, &l);
    }
#else
    (void)bytes;
#endif
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, 1);
#endif
}

static int import_into(struct child *c, const struct unit *u, const struct import_opts *o, struct err *e)
{
    take_lock(c, o->store_path);
    enum work w = work_for(o->store_path, u, o->later);
    if (w == WORK_ADD) {
        (void)take_store(c, o->store_path);
        w = work_for(o->store_path, u, o->later); /* another process may have read it, or removed it */
    }
    if (c->cancelled)
        return err_set(e, ERR_CANCELLED, "cancelled");
    switch (w) {
    case WORK_NOTHING:
        while (o->may_publish && !o->may_publish(o->arg))
            ;
        return OK;
    case WORK_ADD:
        c->adding = c->f.st.adding = true;
        return import_add(u, o, &c->f.st.partial, e);
    default:
        return import_unit(u, o, NULL, &c->f.st.partial, e);
    }
}

static int import_as_asked(struct child *c, const struct unit *u, int argc, char **argv, struct err *e)
{
    bool watched = argv[ARG_WATCHED][0] == '1';
    uint64_t later = 0, jobs = 1;

    if (argv[ARG_ADD][0] && !take_store(c, argv[ARG_STORE]) && c->cancelled)
        return err_set(e, ERR_CANCELLED, "cancelled");
    if (argv[ARG_ADD][0])
        return import_generic(argv[ARG_STORE], u, argv[ARG_ADD], argv[ARG_PART], c->f.st.generic_table,
                              sizeof c->f.st.generic_table, e);
    str_u64(str_of(argv[ARG_LATER]), &later);
    str_u64(str_of(argv[ARG_JOBS]), &jobs);
    const struct import_opts o = {
        .store_path = argv[ARG_STORE],
        .watched = watched,
        .later = (unsigned)later,
        .shared = jobs > 1,
        .threads = jobs > 1 ? 1 : 0, /* the other workers have the processors, and threads need memory */
        .skip = (const char *const *)argv + ARG_SKIP,
        .n_skip = (size_t)(argc - ARG_SKIP),
        .progress = on_progress,
        .cancelled = on_cancelled,
        .may_publish = watched ? on_may_publish : NULL,
        .arg = c,
        .after = c->after,
    };
    return import_into(c, u, &o, e);
}

int worker_main(int argc, char **argv, import_after_fn *after)
{
    struct child c = {
        .f = { .magic = FRAME_MAGIC }, .started = clock_ns(CLOCK_MONOTONIC), .after = after, .lock = -1
    };
    struct err *e = &c.f.st.err;
    struct job *job = NULL;

    err_clear(e);
    if (argc < ARG_SKIP)
        return 2;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    uint64_t jobs = 1;
    struct room room;
    str_u64(str_of(argv[ARG_JOBS]), &jobs);
    room_measure(&room, NULL);
    limit_memory(LIM_IMPORT_B);
    const char *store = argv[ARG_STORE];
    snprintf(c.f.st.store_path, sizeof c.f.st.store_path, "%s", store);
    int rc = import_scan(&job, argv[ARG_ROOT], e);
    const struct unit *u = rc ? NULL : job_find_unit(job, argv[ARG_ROOT]);
    if (!rc && !u)
        rc = err_set(e, ERR_IO, "%s is no longer there", argv[ARG_ROOT]);
    if (!rc) {
        limit_memory(room_worker_b(u, jobs, room.memory_b));
        rc = import_as_asked(&c, u, argc, argv, e);
    }
    send_frame(&c, rc ? WORKER_FAILED : WORKER_DONE);
    job_free(job);
    return rc ? 1 : 0;
}
