/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the files of a job, by as many threads as there are processors, at most LOG_THREADS. */
#include "config.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/grow.h"
#include "logs/logs_int.h"
#include "parsers/logs/log_scan.h"

struct reader {
    struct logs *l;
    const struct logs_ask *ask;
    const struct signature_scan *m;
    atomic_size_t *next;    /* file to be read */
    struct arena *a;        /* l's */
    atomic_size_t *texts_b; /* that all threads keep */
    struct log_rec *v;
    size_t n, room;
    uint32_t file;
    uint16_t *count;    /* events of each signature in the file */
    uint64_t uncounted; /* lines above LIM_LOG_TEXTS_B */
    struct err e;
};

static struct str keep(struct reader *r, struct str s)
{
    return s.n ? arena_str(r->a, s) : STR("");
}

static int take_event(void *arg, const struct log_event *ev, struct err *e)
{
    struct reader *r = arg;
    struct log_file *f = &r->l->files[r->file];

    if (log_role_tells(ev->role))
        f->errors++;
    size_t text_b = ev->text.n + ev->frame.n + ev->head.module.n + 3;
    /* The first of a signature in a file may say what the file is about: it has room of its own. */
    size_t most = r->count[ev->sig] ? LIM_LOG_TEXTS_B : 2 * LIM_LOG_TEXTS_B;
    bool full = atomic_fetch_add(r->texts_b, text_b) + text_b > most;
    if (full || r->count[ev->sig] == LIM_LOG_EVENTS) {
        atomic_fetch_sub(r->texts_b, text_b);
        r->uncounted += full;
        f->left_out++;
        return OK;
    }
    r->count[ev->sig]++;
    struct log_rec *v = grow_array(r->v, r->n, &r->room, sizeof *v, 256);
    if (!v)
        return err_nomem(e);
    r->v = v;
    v += r->n;
    *v = (struct log_rec){ .sig = ev->sig,
                           .role = ev->role,
                           .kind = ev->kind,
                           .file = r->file,
                           .line = ev->line,
                           .offset = ev->offset,
                           .head = ev->head,
                           .time_near = ev->time_near,
                           .text = keep(r, ev->text),
                           .frame = keep(r, ev->frame),
                           .frame_line = ev->frame_line,
                           .proc = -1,
                           .server = f->f.server,
                           .rank = -1,
                           .utc_ns = LOG_NO_UTC };
    v->head.module = keep(r, ev->head.module);
    if (!v->text.p || !v->frame.p || !v->head.module.p)
        return err_nomem(e);
    r->n++;
    return OK;
}

static bool is_cancelled(void *arg)
{
    const struct reader *r = arg;
    return r->ask->cancelled && r->ask->cancelled(r->ask->arg);
}

static void read_file(struct reader *r, size_t i)
{
    struct log_file *f = &r->l->files[i];
    const struct log_sink out = { take_event, is_cancelled, r };
    struct log_facts facts = { 0 };
    struct err e = ERR_INIT;

    r->file = (uint32_t)i;
    memset(r->count, 0, signature_n() * sizeof *r->count);
    bool dump = f->f.kind == LOG_FLIGHT || f->f.kind == LOG_STACK || f->f.kind == LOG_STATUS;
    if (dump ? logs_read_dump(f, r->ask, &e) : log_scan(r->m, f->f.path, f->f.kind, &out, &facts, &e)) {
        if (e.code == ERR_NOMEM || e.code == ERR_CANCELLED) {
            r->e = e;
            return;
        }
        f->state = facts.bytes ? LOG_DAMAGED : LOG_REFUSED;
        str_copy(str_of(e.text), f->why, sizeof f->why);
    }
    if (dump)
        return;
    f->lines = facts.lines;
    f->bytes = facts.bytes;
    f->first = facts.first;
    f->last = facts.last;
    f->ends_open = facts.ends_open;
}

static void *read_files(void *arg)
{
    struct reader *r = arg;
    size_t i;

    while (!r->e.code && (i = atomic_fetch_add(r->next, 1)) < r->l->found.n)
        read_file(r, i);
    return NULL;
}

static int by_file(const void *x, const void *y)
{
    const struct log_rec *a = x, *b = y;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* Events of a thread. */
static int join(struct logs *l, const struct reader *r, struct err *e)
{
    l->uncounted += r->uncounted;
    for (size_t i = 0; i < r->n; i++) {
        struct log_rec *v = grow_array(l->events, l->n_events, &l->room, sizeof *v, 1024);
        if (!v)
            return err_nomem(e);
        l->events = v;
        v[l->n_events++] = r->v[i];
    }
    return OK;
}

static size_t n_threads(const struct logs *l)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = n < 1 ? 1 : n > LOG_THREADS ? LOG_THREADS : (size_t)n;
    return most < l->found.n ? most : l->found.n;
}

static int run(struct logs *l, struct reader *r, size_t n, struct err *e)
{
    pthread_t thread[LOG_THREADS];
    size_t started = 0;

    while (started + 1 < n && !pthread_create(&thread[started], NULL, read_files, &r[started + 1]))
        started++;
    if (n)
        read_files(&r[0]);
    for (size_t i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    for (size_t i = 0; i < n; i++)
        if (r[i].e.code && !e->code)
            *e = r[i].e;
    for (size_t i = 0; i < n && !e->code; i++)
        (void)!join(l, &r[i], e);
    if (l->n_events)
        qsort(l->events, l->n_events, sizeof *l->events, by_file);
    return e->code;
}

int logs_read(struct logs *l, const struct logs_ask *ask, struct err *e)
{
    struct reader r[LOG_THREADS] = { 0 };
    struct signature_scan *m = NULL;
    atomic_size_t next = 0, texts_b = 0;
    size_t n = n_threads(l);

    l->files = calloc(l->found.n + 1, sizeof *l->files);
    if (!l->files)
        return err_nomem(e);
    for (size_t i = 0; i < l->found.n; i++)
        l->files[i] =
            (struct log_file){ .f = l->found.v[i], .pid = l->found.v[i].pid, .rank = l->found.v[i].rank };
    if (n && signature_scan_new(&m, e))
        return e->code;
    for (size_t i = 0; i < n && !e->code; i++) {
        r[i] = (struct reader){ .l = l, .ask = ask, .m = m, .next = &next, .texts_b = &texts_b };
        r[i].count = calloc(signature_n(), sizeof *r[i].count);
        if (!r[i].count)
            err_nomem(e);
        else
            (void)!arena_new(&l->texts[i], 4 * LIM_LOG_TEXTS_B, e);
        r[i].a = l->texts[i];
    }
    if (!e->code)
        (void)!run(l, r, n, e);
    for (size_t i = 0; i < n; i++) {
        free(r[i].v);
        free(r[i].count);
    }
    signature_scan_free(m);
    return e->code;
}
