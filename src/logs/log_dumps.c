/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flight recorder dumps, status files and Python stacks among the logs of a job
 * (doc/formats/logs.md#flight-recorder).
 * Their parsers want what a file of a profile has; notes about damage become the state of the file.
 */
#include "config.h"

#include <stdlib.h>

#include "logs/logs_int.h"
#include "parsers/logs/flight_compare.h"
#include "parsers/logs/hccl_status.h"
#include "parsers/logs/pystack.h"

struct dump_sink {
    struct sink sink;
    const struct logs_ask *ask;
    struct log_file *file;
};

static void take_note(struct sink *s, enum note_code code, const struct where *w, const char *text)
{
    struct log_file *f = ((struct dump_sink *)s)->file;

    (void)code;
    (void)w;
    f->state = LOG_DAMAGED;
    if (!f->why[0])
        str_copy(str_of(text ? text : ""), f->why, sizeof f->why);
}

static bool is_cancelled(const struct sink *s)
{
    const struct logs_ask *ask = ((const struct dump_sink *)s)->ask;
    return ask->cancelled && ask->cancelled(ask->arg);
}

int logs_read_dump(struct log_file *f, const struct logs_ask *ask, struct err *e)
{
    static const struct sink_ops ops = { .note = take_note, .cancelled = is_cancelled };
    static const struct file_kind kind = { .id = "unknown" };
    struct dump_sink sink = { .sink = { .ops = &ops }, .ask = ask, .file = f };
    const struct source_file source = { .id = 1,
                                        .rank = f->rank,
                                        .device = -1,
                                        .slice = -1,
                                        .path = f->f.path,
                                        .rel = f->f.name,
                                        .kind = &kind,
                                        .stamp = -1,
                                        .regular = true };
    struct parse_ctx c = { .f = &source, .out = &sink.sink, .threads = 1, .rank = f->rank };

    if (arena_new(&c.tmp, (size_t)64 << 20, e))
        return e->code;
    if (f->f.kind == LOG_FLIGHT)
        (void)!flight_read(&f->flight, &c, e);
    else if (f->f.kind == LOG_STATUS)
        (void)!hccl_status_read(&f->status, &c, e);
    else
        (void)!pystack_read(&f->stack, &c, e);
    arena_free(c.tmp);
    f->bytes = f->f.size;
    return e->code;
}

void logs_free_dumps(struct logs *l)
{
    flight_compared_free(l->compared);
    for (size_t i = 0; l->files && i < l->found.n; i++) {
        flight_free(l->files[i].flight);
        pystack_free(l->files[i].stack);
        hccl_status_free(l->files[i].status);
    }
}

/* When its newest entry was issued, 0: it has none. */
static int64_t newest(const struct flight_dump *d)
{
    int64_t ns = 0;
    for (size_t i = 0; i < d->n_entries; i++)
        if (d->entries[i].created_ns > ns)
            ns = d->entries[i].created_ns;
    return ns;
}

int logs_dump_server(const struct logs *l, const struct log_file *f)
{
    for (size_t i = 0; i < l->n_procs; i++)
        if (l->procs[i].rank == f->flight->rank && l->procs[i].rank >= 0)
            return l->procs[i].server;
    return f->f.server;
}

int logs_compare_dumps(struct logs *l, struct err *e)
{
    const struct flight_dump **v = calloc(l->found.n + 1, sizeof *v);
    size_t n = 0;

    if (!v)
        return err_nomem(e);
    for (size_t i = 0; i < l->found.n; i++) {
        struct log_file *f = &l->files[i];
        if (f->status && f->status->pg_end_ns && f->status->pg_end_ns < l->from_ns)
            f->state = LOG_APART;
        if (!f->flight)
            continue;
        if (newest(f->flight) - l->servers[logs_dump_server(l, f)].ahead_ns < l->from_ns)
            f->state = LOG_APART; /* left from an earlier job */
        else
            v[n++] = f->flight;
    }
    struct err limit = { 0 };
    if (n && flight_compare(&l->compared, v, n, &limit) && limit.code == ERR_NOMEM)
        *e = limit; /* above its limit there is no comparison, but the rest of the logs is */
    free(v);
    return e->code;
}
