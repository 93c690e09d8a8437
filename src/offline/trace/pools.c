/* SPDX-License-Identifier: Apache-2.0 */
/* Metadata and events of a process. */
#include "config.h"

#include "offline/trace/pools.h"

#include <stdlib.h>

#include "offline/trace/pyset.h"

void offline_pool_comma(struct emit *o, bool *more)
{
    if (*more)
        emit_n(o, ", ", 2);
    *more = true;
}

static void put_meta(struct emit *o, const struct offline_pool *p, const char *name, int64_t tid, bool *more)
{
    offline_pool_comma(o, more);
    emit_fmt(o, "{\"ph\": \"M\", \"name\": \"%s\", \"pid\": %d, \"tid\": %i, \"args\": ", name, p->pid, tid);
}

void offline_pool_begin(struct emit *o, const struct offline_pool *p, bool *more)
{
    put_meta(o, p, "process_name", 0, more);
    emit_fmt(o, "{\"name\": \"%s\"}}", p->name);
    put_meta(o, p, "process_sort_index", 0, more);
    emit_fmt(o, "{\"sort_index\": %d}}", p->sort);
    if (!p->is_cpu)
        return;
    put_meta(o, p, "process_labels", 0, more);
    emit_s(o, "{\"labels\": \"CPU\"}}");
}

void offline_pool_thread(struct emit *o, const struct offline_pool *p, int64_t tid, bool *more)
{
    put_meta(o, p, "thread_name", tid, more);
    emit_fmt(o, "{\"name\": \"Thread %i\"}}", tid);
    put_meta(o, p, "thread_sort_index", tid, more);
    emit_fmt(o, "{\"sort_index\": %i}}", tid);
}

void offline_pool_event(struct emit *o, struct str name, int pid, int64_t tid, int64_t ts)
{
    emit_s(o, "{\"ph\": \"X\", \"name\": ");
    offline_json_text(o, name);
    emit_fmt(o, ", \"pid\": %d, \"tid\": %i, \"ts\": \"%t\", ", pid, tid, ts);
}

uint32_t offline_thread_number(struct intern *seen, uint64_t tid)
{
    return intern_put(seen, (struct str){ (const char *)&tid, sizeof tid });
}

uint64_t offline_thread_of(const struct intern *seen, uint32_t number)
{
    uint64_t tid;

    memcpy(&tid, intern_get(seen, number).p, sizeof tid);
    return tid;
}

int offline_pool_threads(struct emit *o, const struct offline_pool *p, const struct intern *seen, bool *more,
                         struct err *e)
{
    uint32_t n = intern_count(seen);
    uint64_t *v = calloc((size_t)n + 1, sizeof *v);

    if (!v)
        return err_nomem(e);
    for (uint32_t i = 0; i < n; i++)
        v[i] = offline_thread_of(seen, i);
    (void)!pyset_order(v, n, e);
    for (uint32_t i = 0; i < n && !e->code; i++)
        offline_pool_thread(o, p, (int64_t)v[i], more);
    free(v);
    return e->code;
}
