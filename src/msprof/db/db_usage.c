/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of the host's usage (doc/formats/msprof.md#database; types: upstream,
 * analysis/csrc/application/database/msprof_db.cpp).
 */
#include "config.h"

#include "msprof/db/db.h"
#include "msprof/tables/usage.h"

/* Wall clock ns of a row; false: it was sampled before the collection began. */
static bool is_kept(const struct msprof_db *d, int64_t mono_ns, int64_t *ns)
{
    *ns = prof_mono_ns(d->r->m.p->host, mono_ns);
    return *ns >= prof_begin_ns(d->r->m.p->host);
}

static int cpu_row(void *arg, const struct prof_cpu_use *u, struct err *e)
{
    struct msprof_db *d = arg;
    int64_t ns;

    if (u->cpu == PROF_ALL_CPUS || !is_kept(d, u->from, &ns))
        return OK;
    struct val v[] = { val_int(ns), val_int(u->cpu), val_real((double)u->usage_e6 / 1e6) };
    return msprof_db_row(d, v, e);
}

static int cpu_rows(struct msprof_db *d, struct err *e)
{
    return d->r->m.p->host ? prof_cpu_use_read(d->r->m.p, d->r->m.p->host, cpu_row, d, e) : OK;
}

static int memory_row(void *arg, const struct msprof_memory *m, struct err *e)
{
    struct msprof_db *d = arg;
    int64_t ns;

    if (!is_kept(d, m->from, &ns))
        return OK;
    struct val v[] = { val_int(ns), val_real(m->usage) };
    return msprof_db_row(d, v, e);
}

static int memory_rows(struct msprof_db *d, struct err *e)
{
    return msprof_memory_read(d->r->m.p, memory_row, d, e);
}

static int disk_row(void *arg, const struct prof_disk_use *u, struct err *e)
{
    struct msprof_db *d = arg;
    int64_t ns;

    if (!is_kept(d, repr_whole(u->from), &ns))
        return OK;
    struct val v[] = { val_int(ns), val_real(u->read_kbs * 1024), val_real(u->write_kbs * 1024),
                       val_real(u->usage) };
    return msprof_db_row(d, v, e);
}

static int disk_rows(struct msprof_db *d, struct err *e)
{
    return d->r->m.p->host ? prof_disk_use_read(d->r->m.p, d->r->m.p->host, disk_row, d, e) : OK;
}

static int network_row(void *arg, const struct prof_net_use *u, struct err *e)
{
    struct msprof_db *d = arg;
    const struct msprof_network n = msprof_network_of(u, d->r->o->compat);
    int64_t ns;

    if (!is_kept(d, n.from, &ns))
        return OK;
    struct val v[] = { val_int(ns), val_real(n.usage), val_real(n.kbs * 1024) };
    return msprof_db_row(d, v, e);
}

static int network_rows(struct msprof_db *d, struct err *e)
{
    return d->r->m.p->host ? prof_net_use_read(d->r->m.p, d->r->m.p->host, network_row, d, e) : OK;
}

struct calls {
    struct msprof_db *d;
    enum prof_tag tag;
};

static int call_row(void *arg, const struct prof_os_call *x, struct err *e)
{
    const struct calls *c = arg;
    int64_t ns;

    if (!msprof_shows_call(c->d->r, c->tag, x->name) || !is_kept(c->d, x->start, &ns))
        return OK;
    struct val v[] = { msprof_db_text(c->d, x->name), msprof_db_thread(c->d, x->thread), val_int(ns),
                       val_int(prof_mono_ns(c->d->r->m.p->host, x->start + x->dur)) };
    return msprof_db_row(c->d, v, e);
}

static int call_rows(struct msprof_db *d, struct err *e)
{
    static const enum prof_tag tags[] = { PROF_HOST_SYSCALL, PROF_HOST_PTHREAD };

    for (size_t i = 0; i < ARRAY_LEN(tags); i++) {
        struct calls c = { d, tags[i] };
        if (prof_os_call_read(d->r->m.p, d->r->m.p->host, tags[i], call_row, &c, e))
            return e->code;
    }
    return OK;
}

const struct msprof_db_table msprof_db_usage[] = {
    { "CPU_USAGE", "timestampNs n,cpuId n,usage n", .rows = cpu_rows },
    { "HOST_MEM_USAGE", "timestampNs n,usage n", .rows = memory_rows },
    { "HOST_DISK_USAGE", "timestampNs n,readRate n,writeRate n,usage n", .rows = disk_rows },
    { "HOST_NETWORK_USAGE", "timestampNs n,usage n,speed n", .rows = network_rows },
    { "OSRT_API", "name n,globalTid n,startNs n,endNs n", .rows = call_rows },
    { .name = NULL },
};
