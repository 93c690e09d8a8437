/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_cpu_usage.csv, host_mem_usage.csv, host_network_usage.csv, host_disk_usage.csv,
 * os_runtime_statistic.csv (doc/formats/prof.md#text-samples, doc/formats/msprof.md#csv-columns): of Python's
 * half on every chip. How cells are computed: upstream, analysis/host_prof.
 */
#include "config.h"

#include "msprof/tables/usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/hash.h"
#include "msprof/run.h"

/* ---- shared with trace and database ---- */

struct memory_reading {
    msprof_memory_fn *fn;
    void *arg;
    int64_t before;
    bool any;
};

static int on_memory(void *arg, const struct prof_mem_use *u, struct err *e)
{
    struct memory_reading *m = arg;
    const struct msprof_memory x = { m->before, (double)u->usage_e6 / 1e6 };
    bool any = m->any;

    m->before = u->ns;
    m->any = true;
    return any ? m->fn(m->arg, &x, e) : OK;
}

int msprof_memory_read(struct prof *p, msprof_memory_fn *fn, void *arg, struct err *e)
{
    struct memory_reading m = { .fn = fn, .arg = arg };

    return p->host ? prof_mem_use_read(p, p->host, on_memory, &m, e) : OK;
}

struct msprof_network msprof_network_of(const struct prof_net_use *u, bool compat)
{
    if (!compat)
        return (struct msprof_network){ u->from, emit_round(prof_net_use_percent(u), 6),
                                        prof_net_use_kbs(u) };
    double from = (double)u->from / 1e9, to = (double)u->to / 1e9;
    long double each = (long double)u->bytes / u->cards,
                speed = to > from ? each / ((long double)to - from) : 0;
    return (struct msprof_network){ repr_whole(from * 1e9),
                                    u->last_speed > 0 ? emit_round((double)(speed * 100 / u->last_speed), 6)
                                                      : 0,
                                    (double)speed * u->cards / 1024 };
}

static bool has_word(struct str name)
{
    /* clang-format off */
    static const char *const words[] = {
        "_sysctl", "accept", "acct", "alarm", "arch_prctl", "bind", "bpf", "brk", "chroot", "clock_nanosleep",
        "connect", "copy_file_range", "creat",
        "dup", "epoll_ctl", "epoll_pwait", "epoll_wait", "fallocate", "fcntl", "fdatasync", "flock", "fork",
        "fsync", "ftruncate", "futex", "ioctl",
        "ioperm", "iopl", "kill", "listen", "membarrier", "mlock", "mmap", "mount", "move_pages", "mprotect",
        "mq_notify", "mq_open", "mq_receive",
        "mq_send", "mq_timedreceive", "mq_timedsend", "mremap", "msgctl", "msgget", "msgrcv", "msgsnd",
        "msync", "munmap", "nanosleep", "nfsservctl",
        "open", "pause", "pipe", "pivot_root", "poll", "prctl", "pread", "process_vm_readv",
        "process_vm_writev", "pselect6", "ptrace", "pwrite", "read",
        "reboot", "recv", "rt_sigaction", "rt_sigqueueinfo", "rt_sigsuspend", "rt_sigtimedwait",
        "sched_yield", "seccomp", "select", "semctl", "semget",
        "semop", "semtimedop", "send", "shmat", "shmctl", "shmdt", "shmget", "shutdown", "sigaction",
        "sigsuspend", "sigtimedwait", "socket", "splice",
        "swapoff", "swapon", "sync", "tee", "tgsigqueueinfo", "truncate", "unshare", "uselib", "vhangup",
        "vmsplice", "wait", "write",
    };
    /* clang-format on */

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_find(name, str_of(words[i]), 0) != SIZE_MAX)
            return true;
    return false;
}

enum { UNKNOWN, HIDDEN, SHOWN };

/* Where the answer for a text is kept; NULL: no memory, so the text is examined again each time. */
static uint8_t *shown_at(struct msprof_shown *s, uint32_t text)
{
    if (text >= s->n) {
        size_t n = ((size_t)text + 1) * 2;
        uint8_t *v = realloc(s->v, n);
        if (!v)
            return NULL;
        memset(v + s->n, UNKNOWN, n - s->n);
        *s = (struct msprof_shown){ v, n };
    }
    return &s->v[text];
}

bool msprof_shows_call(struct msprof_run *r, enum prof_tag tag, uint32_t name)
{
    if (tag != PROF_HOST_SYSCALL)
        return true;
    uint8_t *at = shown_at(&r->shown, name);
    if (!at)
        return has_word(prof_str(r->m.p, name));
    if (*at == UNKNOWN)
        *at = has_word(prof_str(r->m.p, name)) ? SHOWN : HIDDEN;
    return *at == SHOWN;
}

/* ---- peaks, and recommended values: a fifth above the 98th percentile ---- */

struct values {
    double *v;
    size_t n, cap;
};

static int add(struct values *x, double v, struct err *e)
{
    double *p = grow_array(x->v, x->n, &x->cap, sizeof *p, 256);

    if (!p)
        return err_nomem(e);
    x->v = p;
    p[x->n++] = v;
    return OK;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

/* Of at least one value. */
static void peak_of(struct values *x, double *peak, double *enough)
{
    size_t zeros = 0;

    qsort(x->v, x->n, sizeof *x->v, by_value);
    *peak = x->v[x->n - 1];
    while (zeros < x->n && !(x->v[zeros] > 0))
        zeros++;
    size_t left = x->n - zeros;
    *enough = left ? x->v[zeros + (size_t)ceil((double)(left - 1) * 0.98)] / 0.8 : 0;
}

static void put_real(struct emit *o, double v)
{
    emit_c(o, ',');
    emit_repr(o, v);
}

/* Begins a table of one row, whose first cell is "host". NULL: e is set. */
static struct emit *begin_row(struct msprof_csv *c, struct msprof_run *r, const char *name,
                              const char *header, struct err *e)
{
    struct emit *o = msprof_csv_begin(c, r, name, 1, header, e) == OK ? msprof_csv_row(c, e) : NULL;

    if (o)
        emit_s(o, "host");
    return o;
}

static int end_row(struct msprof_csv *c, struct emit *o, struct err *e)
{
    if (o)
        emit_c(o, '\n');
    return msprof_csv_end(c, e);
}

/* ---- processors ---- */

#define MAX_CPUS 65536 /* further ones are not counted */

struct seen_cpus {
    uint8_t *seen; /* by CPU number: 1 the process was on it, 2 it ran */
    uint64_t n;
};

static int on_cpu(void *arg, const struct prof_cpu_use *u, struct err *e)
{
    struct seen_cpus *s = arg;

    (void)e;
    s->n++;
    if (u->cpu >= 0 && u->cpu < MAX_CPUS)
        s->seen[u->cpu] |= u->usage_e6 > 0 ? 3 : 1;
    return OK;
}

static int cpu_table(struct msprof_run *r, struct err *e)
{
    struct seen_cpus s = { .seen = calloc(MAX_CPUS, 1) };
    uint64_t there = 0, ran = 0;
    struct msprof_csv c;

    if (!s.seen)
        return err_nomem(e);
    if (prof_cpu_use_read(r->m.p, r->m.p->host, on_cpu, &s, e) == OK && s.n) {
        for (size_t i = 0; i < MAX_CPUS; i++) {
            there += s.seen[i] & 1;
            ran += s.seen[i] >> 1;
        }
        struct emit *o =
            begin_row(&c, r, "host_cpu_usage",
                      "Device_id,Total Cpu Numbers,Occupied Cpu Numbers,Recommend Cpu Numbers", e);
        const uint64_t v[] = { r->m.p->host->meta.cpu_nums, there, ran };
        for (size_t i = 0; o && i < ARRAY_LEN(v); i++) {
            emit_c(o, ',');
            emit_u(o, v[i]);
        }
        (void)!end_row(&c, o, e);
    }
    free(s.seen);
    return e->code;
}

/* ---- memory ---- */

static int add_memory(void *arg, const struct msprof_memory *m, struct err *e)
{
    return add(arg, m->usage, e);
}

static int memory_table(struct msprof_run *r, struct err *e)
{
    double total = (double)r->m.p->host->meta.memory_kb, peak, enough;
    struct values x = { .v = NULL };
    struct msprof_csv c;

    if (msprof_memory_read(r->m.p, add_memory, &x, e) == OK && x.n && total > 0) {
        peak_of(&x, &peak, &enough);
        struct emit *o = begin_row(&c, r, "host_mem_usage",
                                   "Device_id,Total Memory(KB),Peak Used Memory(KB),Recommend Memory(KB)", e);
        if (o) {
            emit_c(o, ',');
            emit_u(o, r->m.p->host->meta.memory_kb);
            put_real(o, emit_round(peak * total / 100, 3));
            put_real(o, emit_round(enough * total / 100, 3));
        }
        (void)!end_row(&c, o, e);
    }
    free(x.v);
    return e->code;
}

/* ---- network ---- */

struct rates {
    struct values a, b;
    bool compat;
};

static int add_net(void *arg, const struct prof_net_use *u, struct err *e)
{
    struct rates *x = arg;

    return add(&x->a, msprof_network_of(u, x->compat).kbs, e);
}

static int network_table(struct msprof_run *r, struct err *e)
{
    const struct prof_meta *m = &r->m.p->host->meta;
    struct rates x = { .compat = r->o->compat };
    double speed = 0, peak, enough;
    struct msprof_csv c;

    for (size_t i = 0; i < m->n_netcards; i++)
        speed += m->netcard[i].bytes_per_s / 1024;
    if (prof_net_use_read(r->m.p, r->m.p->host, add_net, &x, e) == OK && x.a.n) {
        peak_of(&x.a, &peak, &enough);
        struct emit *o =
            begin_row(&c, r, "host_network_usage",
                      "Device_id,Netcard Speed(KB/s),Peak Used Speed(KB/s),Recommend Speed(KB/s)", e);
        if (o) {
            put_real(o, speed);
            put_real(o, peak);
            put_real(o, enough);
        }
        (void)!end_row(&c, o, e);
    }
    free(x.a.v);
    return e->code;
}

/* ---- disks ---- */

static int add_disk(void *arg, const struct prof_disk_use *u, struct err *e)
{
    struct rates *x = arg;

    return add(&x->a, u->read_kbs, e) ? e->code : add(&x->b, u->write_kbs, e);
}

static int disk_table(struct msprof_run *r, struct err *e)
{
    struct rates x = { .compat = r->o->compat };
    double peak, enough;
    struct msprof_csv c;

    if (prof_disk_use_read(r->m.p, r->m.p->host, add_disk, &x, e) == OK && x.a.n) {
        struct emit *o = begin_row(&c, r, "host_disk_usage",
                                   "Device_id,Peak Disk Read(KB/s),Recommend Disk Read(KB/s),"
                                   "Peak Disk Write(KB/s),Recommend Disk Write(KB/s)",
                                   e);
        struct values *both[] = { &x.a, &x.b };
        for (size_t i = 0; o && i < ARRAY_LEN(both); i++) {
            peak_of(both[i], &peak, &enough);
            put_real(o, peak);
            put_real(o, enough);
        }
        (void)!end_row(&c, o, e);
    }
    free(x.a.v);
    free(x.b.v);
    return e->code;
}

/* ---- calls by name and thread ---- */

struct call {
    uint32_t name, thread;
    uint64_t n;
    double ns, max, min;
};
struct calls {
    struct msprof_run *r;
    enum prof_tag tag;
    struct call *v;
    size_t n, cap;
    uint32_t *slot; /* hash table of indexes into v, from 1; a power of two of them */
    size_t n_slots;
    double ns; /* sum over all calls */
};

#define FIRST_SLOTS 256

/* The slot for a thread's calls of a name, or the free slot that they will get. */
static uint32_t *slot_of(const struct calls *a, uint32_t name, uint32_t thread)
{
    size_t at = prof_hash((uint64_t)name << 32 | thread);

    for (;; at++) {
        uint32_t *s = &a->slot[at & (a->n_slots - 1)];
        if (!*s || (a->v[*s - 1].name == name && a->v[*s - 1].thread == thread))
            return s;
    }
}

/* Makes room for one more, so that at most half of the slots are in use. */
static int grow_slots(struct calls *a, struct err *e)
{
    if (a->n < a->n_slots / 2)
        return OK;
    size_t n = a->n_slots ? a->n_slots * 2 : FIRST_SLOTS;
    uint32_t *v = calloc(n, sizeof *v);
    if (!v)
        return err_nomem(e);
    free(a->slot);
    a->slot = v;
    a->n_slots = n;
    for (size_t i = 0; i < a->n; i++)
        *slot_of(a, a->v[i].name, a->v[i].thread) = (uint32_t)i + 1;
    return OK;
}

/* The sums of a thread's calls of a name; NULL: e is set. */
static struct call *call_of(struct calls *a, uint32_t name, uint32_t thread, struct err *e)
{
    if (grow_slots(a, e))
        return NULL;
    uint32_t *s = slot_of(a, name, thread);
    if (!*s) {
        struct call *v = grow_array(a->v, a->n, &a->cap, sizeof *v, FIRST_SLOTS);
        if (!v) {
            (void)err_nomem(e);
            return NULL;
        }
        a->v = v;
        v[a->n] = (struct call){ .name = name, .thread = thread, .min = HUGE_VAL };
        *s = (uint32_t)++a->n;
    }
    return &a->v[*s - 1];
}

static int add_call(void *arg, const struct prof_os_call *x, struct err *e)
{
    struct calls *a = arg;
    double ns = (double)x->dur;

    if (!msprof_shows_call(a->r, a->tag, x->name))
        return OK;
    struct call *c = call_of(a, x->name, x->thread, e);
    if (!c)
        return e->code;
    c->n++;
    c->ns += ns;
    c->max = ns > c->max ? ns : c->max;
    c->min = ns < c->min ? ns : c->min;
    a->ns += ns;
    return OK;
}

struct sorted {
    const struct call *c;
    struct str name;
};

static int by_time(const void *va, const void *vb)
{
    const struct sorted *a = va, *b = vb;

    if (a->c->ns != b->c->ns)
        return a->c->ns < b->c->ns ? 1 : -1;
    int c = str_cmp(a->name, b->name);
    return c ? c : a->c->thread < b->c->thread ? -1 : a->c->thread > b->c->thread;
}

static void put_call(struct msprof_run *r, struct emit *o, const struct sorted *x, double share)
{
    int64_t pid = r->m.p->host->meta.pid;

    emit_s(o, "host,");
    emit_u(o, pid > 0 ? (uint64_t)pid : 0);
    emit_c(o, ',');
    emit_u(o, x->c->thread);
    msprof_cell(o, x->name);
    put_real(o, share);
    put_real(o, x->c->ns / 1000);
    emit_c(o, ',');
    emit_u(o, x->c->n);
    put_real(o, x->c->ns / (double)x->c->n / 1000);
    put_real(o, x->c->max / 1000);
    put_real(o, x->c->min / 1000);
    emit_c(o, '\n');
}

/*
 * The "Time(%)" of a call. msprof shows a fraction of 1 in this column (upstream, analysis/host_prof: no
 * factor of 100).
 */
static double share_of(const struct calls *a, const struct call *c)
{
    double ns = a->r->o->compat ? c->ns : c->ns * 100;

    return a->ns > 0 ? ns / a->ns : 0;
}

static int put_calls(const struct calls *a, struct err *e)
{
    struct sorted *v = calloc(a->n, sizeof *v);
    struct msprof_csv c;
    struct emit *o;

    if (!v)
        return err_nomem(e);
    for (size_t i = 0; i < a->n; i++)
        v[i] = (struct sorted){ &a->v[i], prof_str(a->r->m.p, a->v[i].name) };
    qsort(v, a->n, sizeof *v, by_time);
    (void)!msprof_csv_begin(&c, a->r, "os_runtime_statistic", a->n,
                            "Device_id,Process ID,Thread ID,Name,Time(%),Time(us),Count,Avg(us),"
                            "Max(us),Min(us)",
                            e);
    for (size_t i = 0; i < a->n && (o = msprof_csv_row(&c, e)) != NULL; i++)
        put_call(a->r, o, &v[i], share_of(a, v[i].c));
    free(v);
    return msprof_csv_end(&c, e);
}

static int calls_table(struct msprof_run *r, struct err *e)
{
    static const enum prof_tag tags[] = { PROF_HOST_SYSCALL, PROF_HOST_PTHREAD };
    struct calls a = { .r = r };

    for (size_t i = 0; i < ARRAY_LEN(tags) && !e->code; i++) {
        a.tag = tags[i];
        (void)!prof_os_call_read(r->m.p, r->m.p->host, tags[i], add_call, &a, e);
    }
    if (!e->code && a.n)
        (void)!put_calls(&a, e);
    free(a.v);
    free(a.slot);
    return e->code;
}

/* ---- the whole ---- */

int msprof_host_usage(struct msprof_run *r, struct err *e)
{
    static int (*const tables[])(struct msprof_run *, struct err *) = { cpu_table, memory_table,
                                                                        network_table, disk_table,
                                                                        calls_table };

    for (size_t i = 0; r->m.p->host && i < ARRAY_LEN(tables); i++)
        if (tables[i](r, e) && !emit_goes_on(e))
            break;
    return e->code;
}
