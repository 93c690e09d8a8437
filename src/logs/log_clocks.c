/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moments that several servers of a job saw, and what they say of their clocks (doc/formats/logs.md#skew):
 * communicators that were joined, collectives in flight recorders, communication ops in profiles.
 */
#include "config.h"

#include <stdlib.h>

#include "base/grow.h"
#include "logs/clock_skew.h"
#include "logs/logs_int.h"
#include "parsers/logs/flight.h"
#include "parsers/logs/log_field.h"

#define NEWEST 2048 /* entries of a dump: ranks that run together are near to one another */

enum sort_of_moment { JOINED, COLLECTIVE, PROFILED };

struct sights {
    const struct logs *l;
    struct skew_sight *v;
    size_t n, room;
    uint64_t seed;
};

static uint64_t moment_of(const struct sights *s, enum sort_of_moment sort, struct str what, uint64_t number)
{
    return (str_hash(what, s->seed) ^ number * UINT64_C(0x9e3779b97f4a7c15)) * 8 + (uint64_t)sort;
}

static int add(struct sights *s, struct skew_sight sight, struct err *e)
{
    struct skew_sight *v = grow_array(s->v, s->n, &s->room, sizeof *v, 256);

    if (!v)
        return err_nomem(e);
    s->v = v;
    v[s->n++] = sight;
    return OK;
}

/* ---- logs ---- */

static bool says(const struct log_rec *r, const char *words)
{
    return str_find(r->text, str_of(words), 0) != SIZE_MAX;
}

/* Of "10.1.2.3%eth0_60000_0_1712529353144389": made anew for each communicator. */
static bool is_unique(struct str group)
{
    int64_t us;
    struct str last = str_after_last(group, '_');
    return last.n == 16 && str_i64(last, &us);
}

/*
 * Who joins a communicator begins to before anybody is told that all have come. A stamp of whole seconds, or
 * of a block without one, is not taken.
 */
static int add_line(struct sights *s, const struct log_rec *r, struct err *e)
{
    struct str group = log_field(r->text, LOG_F_GROUP);
    int64_t written = logs_written(s->l, r);
    struct skew_sight sight = { moment_of(s, JOINED, group, 0), (uint32_t)r->server, SKEW_NONE, SKEW_NONE };

    if (!is_unique(group) || written == LOG_NO_UTC || r->time_near || r->whole_s ||
        s->l->servers[r->server].zone_from == LOG_ZONE_NONE)
        return OK;
    if (says(r, "HcclCommInitRootInfo success"))
        sight.to_ns = written;
    else if (says(r, "SetupAgent rankNum[") || says(r, "Entry-HcclCommInitRootInfo"))
        sight.from_ns = written;
    else
        return OK;
    return add(s, sight, e);
}

/* ---- flight recorders ---- */

/* Nobody leaves it before all have come. */
static bool synchronises(struct str name)
{
    static const char *const parts[] = { "all_reduce", "allreduce",      "all_gather",
                                         "allgather",  "reduce_scatter", "reducescatter",
                                         "all_to_all", "alltoall",       "barrier" };

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (str_find(name, str_of(parts[i]), 0) != SIZE_MAX)
            return true;
    return false;
}

/* Its members: groups of the same name are others on other ranks. */
static uint64_t members_of(const struct sights *s, const struct flight_group *g)
{
    return str_hash((struct str){ (const char *)g->ranks, g->n_ranks * sizeof *g->ranks }, s->seed);
}

static int add_dump(struct sights *s, const struct log_file *f, struct err *e)
{
    const struct flight_dump *d = f->flight;

    for (size_t i = d->n_entries > NEWEST ? d->n_entries - NEWEST : 0; i < d->n_entries; i++) {
        const struct flight_entry *x = &d->entries[i];
        const struct flight_group *g = &d->groups[x->group];
        if (x->is_p2p || x->seq < 0 || !g->ranks || !synchronises(x->name) || x->created_ns <= 0)
            continue;
        bool ended = x->state == FLIGHT_COMPLETED && x->completed_ns > 0;
        const struct skew_sight sight = {
            moment_of(s, COLLECTIVE, g->name, (uint64_t)x->seq ^ members_of(s, g)),
            (uint32_t)logs_dump_server(s->l, f), x->created_ns, ended ? x->completed_ns : SKEW_NONE
        };
        if (add(s, sight, e))
            return e->code;
    }
    return OK;
}

/* ---- profiles ---- */

static int add_met(struct sights *s, const struct log_met *m, struct err *e)
{
    int proc = logs_proc_of_rank(s->l, m->rank);

    if (proc < 0)
        return OK;
    return add(s,
               (struct skew_sight){ moment_of(s, PROFILED, STR(""), m->key),
                                    (uint32_t)s->l->procs[proc].server, m->from_ns - LOG_MET_OFF_NS,
                                    m->to_ns + LOG_MET_OFF_NS },
               e);
}

/* ---- all ---- */

static int gather(struct sights *s, const struct log_met *met, size_t n_met, struct err *e)
{
    const struct logs *l = s->l;

    for (size_t i = 0; i < l->n_events; i++)
        if (l->events[i].role == LOG_MARK && add_line(s, &l->events[i], e))
            return e->code;
    for (size_t i = 0; i < l->found.n; i++)
        if (l->files[i].flight && add_dump(s, &l->files[i], e))
            return e->code;
    for (size_t i = 0; i < n_met; i++)
        if (add_met(s, &met[i], e))
            return e->code;
    return OK;
}

/* The times of a server's lines become those of the clock that it is compared with. */
static void take(struct logs *l, const struct skew *of)
{
    for (size_t i = 0; i < l->n_events; i++) {
        struct log_rec *r = &l->events[i];
        if (r->utc_ns != LOG_NO_UTC)
            r->utc_ns += l->servers[r->server].ahead_ns - of[r->server].ahead_ns;
    }
    for (size_t i = 0; i < l->n_servers; i++) {
        l->servers[i].with = (int)of[i].with;
        l->servers[i].ahead_ns = of[i].ahead_ns;
        l->servers[i].within_ns = of[i].known ? of[i].within_ns : LOG_NO_BOUND;
        l->servers[i].contradicts = of[i].contradicts;
    }
}

int logs_find_clocks(struct logs *l, const struct log_met *met, size_t n_met, struct err *e)
{
    struct sights s = { .l = l, .seed = str_seed() };
    struct skew *of = calloc(l->n_servers + 1, sizeof *of);

    if (!of)
        return err_nomem(e);
    if ((l->n_servers < 2 || !gather(&s, met, n_met, e)) && !skew_estimate(of, l->n_servers, s.v, s.n, e))
        take(l, of);
    free(s.v);
    free(of);
    return e->code;
}
