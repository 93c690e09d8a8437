/* SPDX-License-Identifier: Apache-2.0 */
/* What is lost of a folder, for rows that are made of many records. */
#include "config.h"

#include <stdlib.h>

#include "parsers/prof/rows/rows.h"

static bool same_task(const struct prof_host_task *a, const struct prof_host_task *b)
{
    return a->device == b->device && a->stream == b->stream && a->batch == b->batch && a->task == b->task;
}

/* When each task of the host from task[from] on ended on the device; INT64_MIN: no record says so. */
static int64_t *ends_of(const struct prof_device *d, size_t from, size_t n)
{
    int64_t *end = calloc(n + 1, sizeof *end);

    for (size_t i = 0; end && i < n; i++)
        end[i] = INT64_MIN;
    for (size_t i = 0; end && i < d->n_tasks; i++)
        if (d->task[i].host != PROF_NONE && d->task[i].host >= from && d->task[i].host - from < n)
            end[d->task[i].host - from] = prof_device_ns(d->f, d->task[i].end);
    return end;
}

int prof_rows_missing(const struct prof_rows *r, size_t dev, int64_t *from_ns, struct err *e)
{
    const struct prof_host *h = &r->m.host;
    const struct prof_device *d = &r->m.dev[dev];
    size_t from = prof_device_hosts(h, d->f->device), to = prof_device_hosts(h, d->f->device + 1);
    int64_t *end = ends_of(d, from, to - from), last = INT64_MIN; /* of the stream so far */

    *from_ns = INT64_MAX;
    if (!end)
        return err_nomem(e);
    for (size_t i = from, n = 0; i < to; i += n) {
        int64_t ended = INT64_MIN;
        bool is_op = false;
        if (i == from || h->task[i].stream != h->task[i - 1].stream)
            last = INT64_MIN;
        for (n = 0; i + n < to && same_task(&h->task[i], &h->task[i + n]); n++) {
            ended = end[i + n - from] > ended ? end[i + n - from] : ended;
            is_op |= h->task[i + n].op != PROF_NONE || h->task[i + n].comm_op != PROF_NONE;
        }
        int64_t issued = prof_host_ns(r->m.p->host, h->task[i].stamp), least = issued > last ? issued : last;
        *from_ns = is_op && ended == INT64_MIN && least < *from_ns ? least : *from_ns;
        last = ended > last ? ended : last;
    }
    free(end);
    return OK;
}

/* Files that every folder of that kind has where ops ran: none is there, or one of them lost records. */
static bool lacks_files(const struct prof_folder *f, const enum prof_tag *tag, size_t n)
{
    bool any = false;

    for (size_t i = 0; i < n; i++) {
        if (f->lost[tag[i]])
            return true;
        any |= prof_has(f, tag[i]);
    }
    return !any;
}

static bool is_lost(const struct prof_rows *r, const struct prof_folder *device)
{
    static const enum prof_tag calls[] = { PROF_API_EVENT }, tracks[] = { PROF_TASK_TRACK, PROF_TASK_TRACK2 },
                               ops[] = { PROF_NODE_BASIC }, types[] = { PROF_TYPE_DIC },
                               names[] = { PROF_HASH_DIC }, logs[] = { PROF_STARS, PROF_HWTS, PROF_HWTS_AIV };
    const struct prof_folder *host = r->m.p->host;

    if (!host || host->lost[PROF_CONTEXT] || host->lost[PROF_HCCL_INFO] || device->lost[PROF_TS_TRACK])
        return true;
    return lacks_files(host, calls, ARRAY_LEN(calls)) || lacks_files(host, tracks, ARRAY_LEN(tracks)) ||
           lacks_files(host, ops, ARRAY_LEN(ops)) || lacks_files(host, types, ARRAY_LEN(types)) ||
           lacks_files(host, names, ARRAY_LEN(names)) || lacks_files(device, logs, ARRAY_LEN(logs));
}

static bool is_unknown(const struct prof_rows *r, const struct prof_host_task *t)
{
    return t->is & PROF_IS_ORPHAN || prof_is_number(r->m.p, t->type) ||
           str_eq(prof_str(r->m.p, t->type), STR("0"));
}

/* Tasks whose issue is not known before the first one that is were in flight when the collection began. */
bool prof_rows_lacks(const struct prof_rows *r, size_t dev)
{
    const struct prof_host *h = &r->m.host;
    const struct prof_device *d = &r->m.dev[dev];
    const struct prof_comm *c = &r->m.comm[dev];
    bool known = false;

    if (is_lost(r, d->f))
        return true;
    for (size_t i = 0; i < d->n_tasks; i++) {
        const struct prof_task *t = &d->task[i];
        if (t->host == PROF_NONE ? known : is_unknown(r, &h->task[t->host]))
            return true;
        known |= t->host != PROF_NONE;
    }
    for (size_t i = 0; i < c->n_runs; i++)
        if (c->run[i].doubt)
            return true;
    return false;
}
