/* SPDX-License-Identifier: Apache-2.0 */
/* Hard causes of each rank (doc/formats/logs.md#verdict-rule, step 3; #who-explains-whom). */
#include "config.h"

#include "logs/verdict_int.h"
#include "parsers/logs/log_field.h"

#define TOGETHER_NS (5 * LOG_S_NS) /* what a rank writes so soon after its first error is of the same fault */
#define STALL_NS    (3600 * LOG_S_NS) /* a slow input explains a GetNext that fails so much later */

/*
 * How far down the chain a class stands: of errors of one rank within seconds the one nearest to the origin
 * gives the class (doc/formats/logs.md#who-explains-whom).
 */
static const uint8_t depth[N_CAUSES] = {
    [CAUSE_SERVER] = 1, [CAUSE_DEV] = 2,  [CAUSE_ECC] = 2,   [CAUSE_HEAT] = 2, [CAUSE_PCIE] = 3,
    [CAUSE_HOOM] = 2,   [CAUSE_DISK] = 2, [CAUSE_LINK] = 2,  [CAUSE_DATA] = 3, [CAUSE_CONF] = 3,
    [CAUSE_START] = 3,  [CAUSE_MISM] = 3, [CAUSE_SDMA] = 4,  [CAUSE_CORE] = 4, [CAUSE_AICPU] = 4,
    [CAUSE_DOOM] = 4,   [CAUSE_RES] = 4,  [CAUSE_BUILD] = 5, [CAUSE_CQE] = 5,  [CAUSE_CRASH] = 6,
    [CAUSE_TASK] = 7,   [CAUSE_PY] = 8,   [CAUSE_STUCK] = 8, [CAUSE_KILL] = 9,
};

static bool is(const struct log_rec *r, const char *id)
{
    return !strcmp(signature_at(r->sig)->id, id);
}

/* A fetch of input failed on the device of this process after event `at`. */
static bool input_fails_after(const struct gather *g, size_t at)
{
    const struct log_rec *r = logs_event(g->l, at);

    for (size_t i = 0; i < logs_n_events(g->l); i++) {
        const struct log_rec *o = logs_event(g->l, i);
        bool later = r->utc_ns == LOG_NO_UTC || o->utc_ns == LOG_NO_UTC ||
                     (o->utc_ns >= r->utc_ns && o->utc_ns - r->utc_ns < STALL_NS);
        if (o->proc == r->proc && later && !o->apart && i != at &&
            (is(o, "RT12") || is(o, "DP02") ||
             (is(o, "RT08") && str_find(o->text, STR("GetNext"), 0) != SIZE_MAX)))
            return true;
    }
    return false;
}

/* A rank ended by a signal on this server at about that time: the kernel gives another pid in a container. */
static int killed_near(const struct gather *g, const struct log_rec *r)
{
    int at = -1;

    for (size_t i = 0; i < logs_n_events(g->l); i++) {
        const struct log_rec *o = logs_event(g->l, i);
        if (o->server == r->server && o->proc >= 0 && !o->apart &&
            (is(o, "LA01") || (is(o, "OS02") && o != r)) && o->utc_ns != LOG_NO_UTC &&
            r->utc_ns != LOG_NO_UTC && o->utc_ns - r->utc_ns < TOGETHER_NS &&
            r->utc_ns - o->utc_ns < TOGETHER_NS) {
            if (at >= 0 && at != o->proc)
                return -1;
            at = o->proc;
        }
    }
    return at;
}

/* Class that an event of role EITHER accuses its process of; CAUSE_NONE: it is no cause. */
static enum cause_class class_of_either(const struct gather *g, size_t at)
{
    const struct log_rec *r = logs_event(g->l, at);
    int64_t type;

    if (is(r, "RT01") || is(r, "HC11"))
        return log_field_i64(r->text, LOG_F_ERR_TYPE, &type) && type == 1 ? CAUSE_TASK : CAUSE_NONE;
    if (is(r, "RT12") || is(r, "DP02"))
        return CAUSE_DATA;
    if (is(r, "LA01"))
        return CAUSE_KILL;
    if (is(r, "RT17"))
        return CAUSE_LINK;
    if (is(r, "RT39") || is(r, "RT40"))
        return CAUSE_BUILD;
    return CAUSE_NONE;
}

static enum cause_class class_of(const struct gather *g, size_t at)
{
    const struct log_rec *r = logs_event(g->l, at);

    if (r->role == LOG_EITHER)
        return class_of_either(g, at);
    if (r->role != LOG_CAUSE)
        return CAUSE_NONE;
    if (is(r, "DP01")) /* said in healthy runs, too */
        return input_fails_after(g, at) ? CAUSE_DATA : CAUSE_NONE;
    if (is(r, "RT08") && str_find(r->text, STR("GetNext"), 0) != SIZE_MAX)
        return CAUSE_DATA;
    return signature_at(r->sig)->cls;
}

/* After its end, or after the launcher's SIGTERM, an error of a process says nothing. */
static bool is_teardown(const struct gather *g, const struct log_rec *r)
{
    const struct log_proc *p = logs_proc(g->l, (size_t)r->proc);
    return r->utc_ns != LOG_NO_UTC && ((p->ended_ns != LOG_NO_UTC && r->utc_ns >= p->ended_ns) ||
                                       (p->closed_ns != LOG_NO_UTC && r->utc_ns >= p->closed_ns));
}

static int64_t time_of(const struct log_rec *r)
{
    return r->time_near ? LOG_NO_UTC : logs_latest(r);
}

static bool is_together(const struct suspect *s, const struct log_rec *r)
{
    int64_t ns = time_of(r);
    return s->cause_ns == LOG_NO_UTC || ns == LOG_NO_UTC || ns - s->cause_ns <= TOGETHER_NS;
}

/*
 * The earliest cause of a process, and of those within seconds of it the class that is nearest to the
 * origin.
 */
static void take_cause(struct gather *g, size_t at, int proc, enum cause_class cls)
{
    const struct log_rec *r = logs_event(g->l, at);
    struct suspect *s = &g->of[proc];

    if (s->cause == LOG_NO_EVENT) {
        s->cause = s->telling = at;
        s->cls = cls;
        s->cause_ns = time_of(r);
        return;
    }
    if (!is_together(s, r))
        return;
    if (s->cause_ns == LOG_NO_UTC)
        s->cause_ns = time_of(r);
    if (depth[cls] < depth[s->cls]) {
        s->cls = cls;
        s->telling = at;
    }
}

/*
 * Which log says it first: the process and its device write before its console, that before the host's whole
 * seconds, and the launcher comes last.
 */
static int place_of(enum log_kind k)
{
    static const uint8_t place[N_LOG_KINDS] = {
        [LOG_CONSOLE] = 1, [LOG_BBOX] = 1, [LOG_HOST] = 2, [LOG_LAUNCHER] = 3, [LOG_AGENT] = 3, [LOG_ENV] = 3
    };
    return place[k];
}

/* Of the errors of a fault the one that was written first is shown as its first. */
static void take_first(struct gather *g, size_t at, int proc, enum cause_class cls)
{
    const struct log_rec *r = logs_event(g->l, at);
    struct suspect *s = &g->of[proc];

    (void)cls;
    if (is_together(s, r) && place_of(r->kind) < place_of(logs_event(g->l, s->cause)->kind))
        s->cause = at;
}

/* The process that a line of the host's kernel without a pid of its own is about. */
static int host_owner(const struct gather *g, const struct log_rec *r)
{
    return is(r, "OS01") || is(r, "OS02") ? killed_near(g, r) : -1;
}

typedef void cause_fn(struct gather *g, size_t at, int proc, enum cause_class cls);

/* All ranks of a server that crashed. */
static void of_server(struct gather *g, size_t at, cause_fn *fn)
{
    for (size_t p = 0; p < g->n; p++)
        if (logs_proc(g->l, p)->server == logs_event(g->l, at)->server)
            fn(g, at, (int)p, CAUSE_SERVER);
}

/* Call fn for each event that accuses a process, in order of time. */
static void each_cause(struct gather *g, cause_fn *fn)
{
    for (size_t i = 0; i < logs_n_events(g->l); i++) {
        const struct log_rec *r = logs_event(g->l, i);
        enum cause_class cls = r->apart ? CAUSE_NONE : class_of(g, i);
        if (cls == CAUSE_SERVER)
            of_server(g, i, fn);
        if (cls == CAUSE_NONE || cls == CAUSE_STOP || cls == CAUSE_UNKNOWN || cls == CAUSE_SERVER)
            continue;
        int proc = r->proc >= 0 ? r->proc : host_owner(g, r);
        if (proc >= 0 && (r->proc < 0 || !is_teardown(g, r)))
            fn(g, i, proc, cls);
    }
}

/* Ends of processes as the launcher saw them, and what stopped the job. */
static void take_ends(struct gather *g)
{
    for (size_t i = 0; i < logs_n_events(g->l); i++) {
        const struct log_rec *r = logs_event(g->l, i);
        if (r->apart)
            continue;
        if (g->stop == LOG_NO_EVENT && class_of(g, i) == CAUSE_STOP)
            g->stop = i;
        struct suspect *s = r->proc >= 0 ? &g->of[r->proc] : NULL;
        if (s && s->exit == LOG_NO_EVENT &&
            (is(r, "LA01") || is(r, "LA02") || is(r, "LA03") || is(r, "LA04") || is(r, "LA08"))) {
            s->exit = i;
            s->exit_ns = r->utc_ns;
        }
    }
}

void verdict_gather_hard(struct gather *g)
{
    each_cause(g, take_cause);
    each_cause(g, take_first);
    take_ends(g);
    for (size_t i = 0; i < g->n; i++) { /* an error without a time was before its process ended */
        struct suspect *s = &g->of[i];
        if (s->cause != LOG_NO_EVENT && s->cause_ns == LOG_NO_UTC && s->exit != LOG_NO_EVENT)
            s->cause_ns = s->exit_ns;
    }
}
