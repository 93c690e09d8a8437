/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time zones of servers and of their hosts, none of which a line says (doc/formats/logs.md#time-zones).
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "logs/logs_int.h"
#include "parsers/logs/log_field.h"

#define QUARTER_NS (15 * 60 * LOG_S_NS)
#define BIRTH_MOST (5 * 60 * LOG_S_NS)  /* a rank's line about a communicator comes so late after its birth */
#define HALF_NS    (30 * 60 * LOG_S_NS) /* zones of hosts are half hours apart */
#define END_NS                                                                                               \
    (30 * LOG_S_NS) /* the kernel and the launcher say so near to one another that a process ended */

static bool is(const struct log_rec *r, const char *id)
{
    return !strcmp(signature_at(r->sig)->id, id);
}

/*
 * Creation of a communicator by its name: "<ip>%<nic>_<port>_<n>_<epoch us>", "hccl-<pid>-<n>-<epoch
 * s>-<group>".
 */
int64_t logs_birth_of(struct str text, struct str group)
{
    int64_t v;
    size_t at = str_find(text, STR("hccl-"), 0);

    if (group.n) {
        struct str last = str_after_last(group, '_');
        if (last.n == 16 && str_i64(last, &v))
            return v * 1000;
    }
    struct str rest = at == SIZE_MAX ? STR_NULL : str_sub(text, at + 5, 80), part;
    for (int i = 0; i < 3 && rest.p && str_next(&rest, '-', &part); i++)
        if (i == 2 && part.n == 10 && str_i64(part, &v))
            return v * LOG_S_NS;
    return 0;
}

static int64_t around(int64_t v, int64_t unit)
{
    return (v >= 0 ? v + unit / 2 : v - unit / 2) / unit;
}

/* Zone of a server: local time less birth of a communicator, in quarters of an hour. */
static void zone_by_birth(struct logs *l)
{
    int64_t *best = NULL;

    best = malloc((l->n_servers + 1) * sizeof *best);
    for (size_t i = 0; best && i < l->n_servers; i++)
        best[i] = BIRTH_MOST;
    for (size_t i = 0; best && i < l->n_events; i++) {
        const struct log_rec *r = &l->events[i];
        if (r->role != LOG_MARK || (!is(r, "MK01") && !is(r, "MK02")) || r->head.time.clock != LOG_LOCAL ||
            r->head.time.no_year || r->time_near)
            continue;
        int64_t birth = logs_birth_of(r->text, log_field(r->text, LOG_F_GROUP)),
                off = r->head.time.ns - birth;
        int64_t q = birth ? around(off, QUARTER_NS) : 0, rest = llabs(off - q * QUARTER_NS);
        if (!birth || q < -14 * 4 || q > 14 * 4 || rest > best[r->server])
            continue;
        best[r->server] = rest;
        l->servers[r->server].zone_min = (int)(q * 15);
        l->servers[r->server].zone_from = LOG_ZONE_BIRTH;
    }
    free(best);
}

static void zone_by_profile(struct logs *l)
{
    for (size_t i = 0; i < l->found.n; i++) {
        const struct log_file *f = &l->files[i];
        struct log_server *s = &l->servers[f->f.server];
        for (size_t k = 0; k < l->n_profile && s->zone_from == LOG_ZONE_NONE && f->f.stamp_ns; k++) {
            int64_t off = f->f.stamp_ns - l->profile[k].start_ns, q = around(off, QUARTER_NS);
            if (l->profile[k].pid > 0 && l->profile[k].pid == f->f.pid && l->profile[k].start_ns &&
                q >= -14 * 4 && q <= 14 * 4) {
                s->zone_min = (int)(q * 15);
                s->zone_from = LOG_ZONE_PROFILE;
            }
        }
    }
}

void logs_set_zones(struct logs *l)
{
    zone_by_birth(l);
    zone_by_profile(l);
    const struct log_server *known = NULL;
    for (size_t i = 0; i < l->n_servers && !known; i++)
        known = l->servers[i].zone_from != LOG_ZONE_NONE ? &l->servers[i] : NULL;
    for (size_t i = 0; i < l->n_servers && known; i++)
        if (l->servers[i].zone_from == LOG_ZONE_NONE) {
            l->servers[i].zone_min = known->zone_min;
            l->servers[i].zone_from = LOG_ZONE_SERVERS;
        }
}

/* ---- hosts ---- */

static bool is_of_host(const struct log_rec *r)
{
    return r->kind == LOG_HOST || r->kind == LOG_BBOX || r->kind == LOG_AGENT;
}

/* The kernel ended a process, or saw it crash. */
static bool is_kernels_end(const struct log_rec *r)
{
    return r->kind == LOG_HOST && r->head.time.clock == LOG_LOCAL && r->utc_ns != LOG_NO_UTC &&
           (is(r, "OS02") || is(r, "OS03"));
}

static bool is_launchers_end(const struct log_rec *r)
{
    return r->utc_ns != LOG_NO_UTC && (is(r, "LA01") || is(r, "LA02"));
}

/* Of one process alone, however many lines say it. */
static bool is_one(const struct logs *l, int server, bool (*of)(const struct log_rec *))
{
    const struct log_rec *first = NULL;

    for (size_t i = 0; i < l->n_events; i++) {
        const struct log_rec *r = &l->events[i];
        int64_t pid = -1, other = -1;
        if (r->server != server || !of(r))
            continue;
        if (first && (!log_field_i64(r->text, LOG_F_PID, &pid) ||
                      !log_field_i64(first->text, LOG_F_PID, &other) || pid != other))
            return false;
        first = first ? first : r;
    }
    return first != NULL;
}

/*
 * Both are of one process: by its pid, or (in a container it has another one) as the only ones of the
 * server.
 */
static bool same_process(const struct log_rec *kernel, const struct log_rec *launcher, bool only)
{
    int64_t a, b;
    return only || (log_field_i64(kernel->text, LOG_F_PID, &a) &&
                    log_field_i64(launcher->text, LOG_F_PID, &b) && a == b);
}

/* Half hours that the host's logs are ahead by; false: nothing says it, or they disagree. */
static bool host_ahead(const struct logs *l, int server, int64_t *halves)
{
    bool only = is_one(l, server, is_kernels_end) && is_one(l, server, is_launchers_end), found = false;

    for (size_t i = 0; i < l->n_events; i++)
        for (size_t k = 0; k < l->n_events && l->events[i].server == server && is_kernels_end(&l->events[i]);
             k++) {
            const struct log_rec *a = &l->events[i], *b = &l->events[k];
            if (b->server != server || !is_launchers_end(b) || !same_process(a, b, only))
                continue;
            int64_t off = a->utc_ns - b->utc_ns, q = around(off, HALF_NS);
            if (llabs(off - q * HALF_NS) > END_NS || q < -28 || q > 28 || (found && q != *halves))
                return false;
            *halves = q;
            found = true;
        }
    return found && *halves;
}

void logs_set_host_zones(struct logs *l)
{
    for (size_t i = 0; i < l->n_servers; i++) {
        struct log_server *s = &l->servers[i];
        int64_t halves = 0;
        s->has_host_zone = host_ahead(l, (int)i, &halves);
        s->host_zone_min = s->zone_min + (int)halves * 30;
        for (size_t k = 0; k < l->n_events && s->has_host_zone; k++) {
            struct log_rec *r = &l->events[k];
            if (r->server == (int)i && is_of_host(r) && r->head.time.clock == LOG_LOCAL &&
                r->utc_ns != LOG_NO_UTC)
                r->utc_ns -= halves * HALF_NS;
        }
    }
}

enum log_zone_from logs_zone_from(const struct logs *l, const struct log_rec *r)
{
    const struct log_server *s = &l->servers[r->server];
    return s->has_host_zone && is_of_host(r) ? LOG_ZONE_ENDS : s->zone_from;
}

static char *zone_text(char *buf, size_t n, int minutes)
{
    int hours = abs(minutes) / 60, rest = abs(minutes) % 60;

    if (rest)
        snprintf(buf, n, "UTC%c%d:%02d", minutes < 0 ? '-' : '+', hours, rest);
    else
        snprintf(buf, n, "UTC%c%d", minutes < 0 ? '-' : '+', hours);
    return buf;
}

char *logs_host_zone_text(const struct logs *l, size_t server, char *buf, size_t n)
{
    const struct log_server *s = &l->servers[server];
    char host[32], own[32];

    buf[0] = '\0';
    if (s->has_host_zone)
        snprintf(buf, n, "the logs of the host%s%s are in %s, those of its processes in %s",
                 *s->name ? " of " : "", s->name, zone_text(host, sizeof host, s->host_zone_min),
                 zone_text(own, sizeof own, s->zone_min));
    return buf;
}
