/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the text samples of a damaged folder: nothing may be beyond what such a value can be. HOLDS(x), which
 * the test defines before, ends it where x is false.
 */
#ifndef NPUSCOPE_TEST_PROF_TEXT_HOLDS_H
#define NPUSCOPE_TEST_PROF_TEXT_HOLDS_H

#include <math.h>

#include "parsers/prof/sampled/system.h"
#include "parsers/prof/sampled/usage.h"

static int on_cpu(void *arg, const struct prof_cpu_use *u, struct err *e)
{
    (void)e;
    HOLDS(u->usage_e6 >= 0 && u->usage_e6 <= 100000000 && u->cpu >= PROF_ALL_CPUS);
    *(uint64_t *)arg += (uint64_t)u->usage_e6;
    return OK;
}
static int on_mem(void *arg, const struct prof_mem_use *u, struct err *e)
{
    (void)e;
    HOLDS(u->usage_e6 >= 0);
    *(uint64_t *)arg += u->pages;
    return OK;
}
static int on_disk(void *arg, const struct prof_disk_use *u, struct err *e)
{
    (void)e;
    HOLDS(u->read_kbs >= 0 && u->write_kbs >= 0 && u->to > u->from && isfinite(u->usage));
    *(uint64_t *)arg += 1;
    return OK;
}
static int on_net_use(void *arg, const struct prof_net_use *u, struct err *e)
{
    (void)e;
    HOLDS(u->cards && prof_net_use_percent(u) >= 0 && prof_net_use_kbs(u) >= 0);
    *(uint64_t *)arg += u->bytes;
    return OK;
}
static int on_call(void *arg, const struct prof_os_call *x, struct err *e)
{
    (void)e;
    HOLDS(x->dur >= 0 && x->name != PROF_NONE);
    *(uint64_t *)arg += (uint64_t)(x->start + x->dur);
    return OK;
}

static int on_dvpp(void *arg, const struct prof_dvpp *d, struct err *e)
{
    (void)e;
    *(uint64_t *)arg += d->ns;
    return OK;
}
static int on_netdev(void *arg, const struct prof_netdev *d, struct err *e)
{
    (void)e;
    HOLDS(d->to > d->from && prof_netdev_rate(d, PROF_NIC_RX_BYTES) >= 0);
    *(uint64_t *)arg += d->v[0];
    return OK;
}
static int on_meminfo(void *arg, const struct prof_meminfo *m, struct err *e)
{
    (void)e;
    *(uint64_t *)arg += m->v[0];
    return OK;
}
static int on_cputimes(void *arg, const struct prof_cputimes *c, struct err *e)
{
    (void)e;
    HOLDS(c->cpu >= -1 && c->kind < N_PROF_CPU_KINDS);
    *(uint64_t *)arg += c->v[0];
    return OK;
}
static int on_process_cpu(void *arg, const struct prof_process_cpu *c, struct err *e)
{
    (void)e;
    *(uint64_t *)arg += c->busy;
    return OK;
}
static int on_process_mem(void *arg, const struct prof_process_mem *m, struct err *e)
{
    (void)e;
    *(uint64_t *)arg += m->size;
    return OK;
}

static void read_system(struct prof *p, const struct prof_folder *f)
{
    struct err e = ERR_INIT;
    uint64_t sum = 0;

    HOLDS(prof_dvpp_read(p, f, on_dvpp, &sum, &e) == OK);
    HOLDS(prof_netdev_read(p, f, on_netdev, &sum, &e) == OK);
    HOLDS(prof_meminfo_read(p, f, on_meminfo, &sum, &e) == OK);
    HOLDS(prof_cputimes_read(p, f, on_cputimes, &sum, &e) == OK);
    HOLDS(prof_process_cpu_read(p, f, on_process_cpu, &sum, &e) == OK);
    HOLDS(prof_process_mem_read(p, f, on_process_mem, &sum, &e) == OK);
}

static void read_usage(struct prof *p)
{
    const struct prof_folder *f = p->host;
    struct err e = ERR_INIT;
    uint64_t sum = 0;

    HOLDS(prof_cpu_use_read(p, f, on_cpu, &sum, &e) == OK);
    HOLDS(prof_mem_use_read(p, f, on_mem, &sum, &e) == OK);
    HOLDS(prof_disk_use_read(p, f, on_disk, &sum, &e) == OK);
    HOLDS(prof_net_use_read(p, f, on_net_use, &sum, &e) == OK);
    HOLDS(prof_os_call_read(p, f, PROF_HOST_SYSCALL, on_call, &sum, &e) == OK);
    HOLDS(prof_os_call_read(p, f, PROF_HOST_PTHREAD, on_call, &sum, &e) == OK);
}

#endif
