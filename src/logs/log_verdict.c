/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "logs/log_verdict.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/grow.h"
#include "base/lang/said.h"
#include "base/lang/tr.h"
#include "logs/verdict_int.h"
#include "parsers/logs/log_field.h"
#include "parsers/logs/pystack.h"

#define TEXTS_B    ((size_t)16 << 20)
#define NEAR_NS    (2 * LOG_S_NS)  /* causes of several ranks so near stay side by side */
#define UNKNOWN_NS (60 * LOG_S_NS) /* clocks of servers that cannot be compared may differ by so much */
#define MAX_ROOTS  8               /* more ranks than these are no root but the whole job */

struct whole { /* a verdict with what it owns */
    struct log_verdict v;
    struct arena *a;
    size_t chain_room, consequences_room, missing_room, clocks_room;
};

const char *log_sure_word(enum log_sure s)
{
    static const char *const words[] = { N_("low"), N_("medium"), N_("high") };
    return words[s];
}

void log_verdict_free(struct log_verdict *v)
{
    struct whole *w = (struct whole *)v;

    if (!w)
        return;
    free(v->ranks);
    free(v->chain);
    free(v->consequences);
    free(v->missing);
    free(v->clocks);
    arena_free(w->a);
    free(w);
}

/* ---- sentences ---- */

static int say(struct whole *w, struct log_said **list, size_t *n, size_t *room, struct str text,
               size_t event, struct err *e)
{
    struct log_said *v = grow_array(*list, *n, room, sizeof *v, 8);

    if (!v)
        return err_nomem(e);
    *list = v;
    text = arena_str(w->a, text);
    if (!text.p)
        return err_nomem(e);
    v[(*n)++] = (struct log_said){ text, event };
    return OK;
}

static int chain(struct whole *w, struct str text, size_t event, struct err *e)
{
    return say(w, &w->v.chain, &w->v.n_chain, &w->chain_room, text, event, e);
}

static int note(struct whole *w, struct str **list, size_t *n, size_t *room, struct str text, struct err *e)
{
    struct str *v = grow_array(*list, *n, room, sizeof *v, 4);

    if (!v)
        return err_nomem(e);
    *list = v;
    text = arena_str(w->a, text);
    if (!text.p)
        return err_nomem(e);
    v[(*n)++] = text;
    return OK;
}

static int missing(struct whole *w, struct str text, struct err *e)
{
    return note(w, &w->v.missing, &w->v.n_missing, &w->missing_room, text, e);
}

/* "0-3, 7" of the ranks that `is` says. */
static void put_ranks(struct buf *b, const struct gather *g, bool (*is)(const struct gather *, int))
{
    bool first = true;

    for (int r = 0; r < g->n_ranks; r++) {
        int to = r;
        if (!is(g, r))
            continue;
        while (to + 1 < g->n_ranks && is(g, to + 1))
            to++;
        buf_printf(b, to > r ? "%s%d-%d" : "%s%d", first ? "" : ", ", r, to);
        first = false;
        r = to;
    }
}

/* ---- deciding ---- */

/* Earliest hard cause of a rank that had not waited before; ranks within NEAR_NS stay beside it. */
static size_t earliest_cause(const struct gather *g)
{
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < g->n; i++) {
        const struct suspect *s = &g->of[i];
        if (s->cause == LOG_NO_EVENT || logs_proc(g->l, i)->rank < 0)
            continue;
        if (s->waits && s->cause_ns != LOG_NO_UTC && s->wait_ns != LOG_NO_UTC && s->cause_ns > s->wait_ns)
            continue;
        if (best == SIZE_MAX)
            best = i;
        const struct suspect *o = &g->of[best];
        bool earlier = s->cause_ns != LOG_NO_UTC && (o->cause_ns == LOG_NO_UTC || s->cause_ns < o->cause_ns);
        if (earlier)
            best = i;
    }
    return best;
}

static int server_of(const struct gather *g, size_t proc)
{
    return logs_proc(g->l, proc)->server;
}

/*
 * So long after the best one another rank's cause may be as early: the clocks may be off against each other.
 */
static int64_t near_ns(const struct gather *g, size_t proc, size_t best)
{
    int64_t slack = logs_slack(g->l, server_of(g, proc), server_of(g, best));
    return slack > NEAR_NS ? slack : NEAR_NS;
}

static bool beside(const struct gather *g, size_t proc, size_t at)
{
    const struct suspect *s = &g->of[proc], *best = &g->of[at];

    if (s->cause == LOG_NO_EVENT || s->cls != best->cls)
        return false;
    if (s->cause_ns == LOG_NO_UTC || best->cause_ns == LOG_NO_UTC)
        return s->cause_ns == best->cause_ns;
    return s->cause_ns - best->cause_ns <= near_ns(g, proc, at);
}

static bool has_rank(const struct found_ranks *f, int rank)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->v[i] == rank)
            return true;
    return false;
}

/* Arguments of a collective differ: the rank whose value nobody else has. */
static int odd_one(struct gather *g, struct found_ranks *out, struct err *e)
{
    size_t votes_best = 0;
    int best = -1;
    size_t at = LOG_NO_EVENT;

    for (size_t i = 0; i < logs_n_events(g->l); i++) {
        const struct log_rec *r = logs_event(g->l, i);
        struct str own = log_field(r->text, LOG_F_LOCAL);
        size_t differ = 0, same = 0;
        if (strcmp(verdict_id(g, i), "HC37") || r->rank < 0 || r->apart || !own.n)
            continue;
        for (size_t k = 0; k < logs_n_events(g->l); k++) {
            const struct log_rec *o = logs_event(g->l, k);
            struct str other = log_field(o->text, LOG_F_LOCAL);
            if (strcmp(verdict_id(g, k), "HC37") || o->rank < 0 || o->rank == r->rank || o->apart || !other.n)
                continue;
            differ += !str_eq(own, other);
            same += str_eq(own, other);
        }
        if (!same && differ > votes_best) {
            votes_best = differ;
            best = r->rank;
            at = i;
        } else if (!same && differ == votes_best && best != r->rank && differ) {
            best = -1;
        }
    }
    out->event = at != LOG_NO_EVENT && best >= 0 ? g->of[logs_event(g->l, at)->proc].cause : at;
    return best >= 0 ? verdict_add_rank(out, best, g, e) : OK;
}

/*
 * Another rank's server has a cause of its own that may be the earlier one: nothing says how far the clocks
 * are apart, or they are compared less well than that.
 */
static size_t rival(const struct gather *g, size_t best)
{
    const struct suspect *b = &g->of[best];

    for (size_t i = 0; i < g->n; i++) {
        const struct suspect *s = &g->of[i];
        int64_t slack = logs_slack(g->l, server_of(g, i), server_of(g, best));
        bool waited = s->waits && s->wait_ns != LOG_NO_UTC && s->cause_ns > s->wait_ns;
        if (s->cause != LOG_NO_EVENT && logs_proc(g->l, i)->rank >= 0 && s->cause_ns != LOG_NO_UTC &&
            !waited && server_of(g, i) != server_of(g, best) && !beside(g, i, best) &&
            s->cause_ns - b->cause_ns <= (slack == LOG_NO_BOUND ? UNKNOWN_NS : slack))
            return i;
    }
    return SIZE_MAX;
}

static void take_hard(struct gather *g, size_t best, const struct found_ranks *awaited,
                      struct found_ranks *out, struct err *e)
{
    const struct suspect *s = &g->of[best];

    out->cls = s->cls == CAUSE_CQE ? CAUSE_LINK : s->cls;
    out->event = s->cause;
    for (size_t i = 0; i < g->n && !e->code; i++)
        if (logs_proc(g->l, i)->rank >= 0 && (i == best || beside(g, i, best)))
            (void)!verdict_add_rank(out, logs_proc(g->l, i)->rank, g, e);
    bool known_time = s->cause_ns != LOG_NO_UTC;
    bool is_awaited = !awaited->n || has_rank(awaited, logs_proc(g->l, best)->rank);
    size_t other = known_time && !awaited->n ? rival(g, best) : SIZE_MAX;
    if (other != SIZE_MAX) {
        out->of = server_of(g, best);
        out->rival = server_of(g, other);
    }
    out->sure = out->n == 1 && known_time && is_awaited && other == SIZE_MAX ? LOG_HIGH : LOG_MEDIUM;
}

/* RoCE links failed, and no port or device says that it went down: the end that most name. */
static int by_links(struct gather *g, struct found_ranks *out, struct err *e)
{
    size_t best = SIZE_MAX;
    bool tie = false;

    *out = (struct found_ranks){ .cls = CAUSE_LINK, .sure = LOG_MEDIUM, .event = LOG_NO_EVENT };
    for (size_t i = 0; i < g->n; i++) {
        if (!g->of[i].cqe_named || logs_proc(g->l, i)->rank < 0)
            continue;
        tie = best != SIZE_MAX && g->of[i].cqe_named == g->of[best].cqe_named;
        if (best == SIZE_MAX || g->of[i].cqe_named > g->of[best].cqe_named)
            best = i;
    }
    if (best == SIZE_MAX || tie) {
        out->sure = tie ? LOG_LOW : LOG_MEDIUM;
        return OK;
    }
    return verdict_add_rank(out, logs_proc(g->l, best)->rank, g, e);
}

static size_t first_of(const struct gather *g, const char *id)
{
    for (size_t i = 0; i < logs_n_events(g->l); i++)
        if (!strcmp(verdict_id(g, i), id) && !logs_event(g->l, i)->apart &&
            logs_event(g->l, i)->role != LOG_NOISE)
            return i;
    return LOG_NO_EVENT;
}

/* Stopped from outside before anything failed. */
static bool was_stopped(const struct gather *g)
{
    if (g->stop == LOG_NO_EVENT)
        return false;
    int64_t stop = logs_event(g->l, g->stop)->utc_ns;
    for (size_t i = 0; i < logs_n_events(g->l); i++) {
        const struct log_rec *r = logs_event(g->l, i);
        enum cause_class cls = signature_at(r->sig)->cls;
        bool failure =
            (r->role == LOG_CAUSE && cls != CAUSE_STOP) || (r->role == LOG_CONSEQUENCE && cls != CAUSE_NONE);
        if (failure && !r->apart && r->proc >= 0 && r->utc_ns != LOG_NO_UTC && stop != LOG_NO_UTC &&
            r->utc_ns < stop)
            return false;
    }
    return true;
}

/* An event of a server that touches no rank of the job: a process that was killed, else the first. */
static void only_outside(const struct gather *g, struct found_ranks *out)
{
    for (size_t i = 0; i < logs_n_events(g->l); i++) {
        const struct log_rec *r = logs_event(g->l, i);
        bool killed = !strcmp(verdict_id(g, i), "OS02");
        if (r->role != LOG_CAUSE || r->apart || (r->kind != LOG_HOST && r->kind != LOG_DEVICE) ||
            (out->event != LOG_NO_EVENT && !killed))
            continue;
        out->cls = signature_at(r->sig)->cls;
        out->event = i;
        if (killed)
            return;
    }
}

/* Awaited ranks with an own error have it as class; heartbeats tell how the others ended. */
static void explain_awaited(const struct gather *g, struct found_ranks *f)
{
    for (size_t i = 0; i < f->n; i++) {
        int p = verdict_proc(g, f->v[i]);
        if (p >= 0 && g->of[p].named && f->event == LOG_NO_EVENT)
            f->event = g->of[p].named_event;
    }
}

/*
 * Nothing but ends: the process that ended first. One that leaves a log without any error was killed by
 * SIGKILL: whatever else ends a process leaves lines.
 */
static int by_exit(struct gather *g, struct found_ranks *out, struct err *e)
{
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < g->n; i++)
        if (g->of[i].exit != LOG_NO_EVENT && logs_proc(g->l, i)->rank >= 0 &&
            (best == SIZE_MAX || g->of[i].exit < g->of[best].exit))
            best = i;
    if (best == SIZE_MAX)
        return OK;
    const struct log_proc *p = logs_proc(g->l, best);
    bool silent = p->has_log && !g->of[best].waits && !g->of[best].fails_setup;
    out->cls = silent ? CAUSE_KILL : CAUSE_GONE;
    out->sure = LOG_MEDIUM;
    out->event = g->of[best].exit;
    return verdict_add_rank(out, p->rank, g, e);
}

static int decide(struct gather *g, struct found_ranks *out, bool *accuse, struct err *e)
{
    struct found_ranks awaited = { 0 }, setup = { 0 };

    *out = (struct found_ranks){ .cls = CAUSE_NONE, .sure = LOG_HIGH, .event = LOG_NO_EVENT };
    *accuse = false;
    if (was_stopped(g)) {
        out->cls = CAUSE_STOP;
        out->event = g->stop;
        return OK;
    }
    if (verdict_awaited(g, &awaited, e) || verdict_setup(g, &setup, e))
        return e->code;
    size_t best = earliest_cause(g);
    *accuse = true;
    if (best != SIZE_MAX && g->of[best].cls == CAUSE_MISM) {
        out->cls = CAUSE_MISM;
        if (odd_one(g, out, e))
            return e->code;
        out->sure = out->n ? LOG_HIGH : LOG_LOW;
        return OK;
    }
    if (best != SIZE_MAX) {
        take_hard(g, best, &awaited, out, e);
        return e->code;
    }
    if (awaited.cls == CAUSE_NONE && setup.cls == CAUSE_NONE) {
        if (first_of(g, "HC18") != LOG_NO_EVENT || first_of(g, "HC21") != LOG_NO_EVENT)
            return by_links(g, out, e);
        if (by_exit(g, out, e) || out->n)
            return e->code;
        *accuse = false;
        only_outside(g, out);
        if (out->event == LOG_NO_EVENT)
            verdict_unowned(g, out);
        return OK;
    }
    if (awaited.cls == CAUSE_WAIT && first_of(g, "HC18") != LOG_NO_EVENT) {
        struct found_ranks links;
        if (by_links(g, &links, e))
            return e->code;
        if (links.n) {
            *out = links;
            return OK;
        }
    }
    *out = awaited.cls != CAUSE_NONE ? awaited : setup;
    explain_awaited(g, out);
    int one = out->n == 1 ? verdict_proc(g, out->v[0]) : -1;
    if (out->n == 1 && out->cls == CAUSE_WAIT && (one < 0 || !g->of[one].waits)) { /* it had ended before */
        struct found_ranks ended = { .event = LOG_NO_EVENT };
        if (by_exit(g, &ended, e))
            return e->code;
        if (ended.n == 1 && ended.v[0] == out->v[0])
            *out = ended;
    }
    return OK;
}

/* ---- what is reported ---- */

static int int_cmp(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

/* First event of the root ranks that tells something. */
static size_t first_error(const struct gather *g, const struct found_ranks *f)
{
    size_t best = f->event;

    if (best != LOG_NO_EVENT && (has_rank(f, logs_event(g->l, best)->rank) || !f->n))
        return best;
    best = f->n || f->cls == CAUSE_NONE || f->cls == CAUSE_CYCLE ? LOG_NO_EVENT : g->visible;
    for (size_t k = 0; k < f->n; k++) {
        int p = verdict_proc(g, f->v[k]);
        if (p < 0)
            continue;
        const struct suspect *s = &g->of[p];
        bool by_wait = (f->cls == CAUSE_MISM || f->cls == CAUSE_LINKS) && s->waits;
        size_t own = s->cause != LOG_NO_EVENT ? s->cause : by_wait ? s->wait : s->setup;
        if (own != LOG_NO_EVENT && (best == LOG_NO_EVENT || own < best))
            best = own;
    }
    return best;
}

static void put_root(struct buf *b, const struct gather *g, const struct found_ranks *f)
{
    for (size_t i = 0; i < f->n && i < MAX_ROOTS; i++) {
        int p = verdict_proc(g, f->v[i]);
        buf_printf(b, "%srank %d", i ? tr(", ") : "", f->v[i]);
        if (p < 0)
            continue;
        const struct log_proc *o = logs_proc(g->l, (size_t)p);
        const char *server = logs_server(g->l, (size_t)o->server)->name;
        if (*server && o->device >= 0)
            buf_printf(b, tr(" (%s, device %d)"), server, o->device);
        else if (o->device >= 0)
            buf_printf(b, tr(" (device %d)"), o->device);
        else if (*server)
            buf_printf(b, " (%s)", server);
    }
    if (f->n > MAX_ROOTS)
        buf_printf(b, tr(" and %zu more"), f->n - MAX_ROOTS);
    if (!f->n && f->cls == CAUSE_LINK && g->outside != LOG_NO_EVENT) {
        struct str ip = log_field(logs_event(g->l, g->outside)->text, LOG_F_REMOTE_IP);
        buf_puts(b, tr("outside of these logs: address "));
        buf_add(b, ip);
        buf_puts(b, tr(", or the network between"));
    }
}

/* Stream, task, op and kernel of the root's errors. */
static void put_task(struct whole *w, const struct gather *g, const struct found_ranks *f)
{
    struct log_verdict *v = &w->v;
    int64_t n;

    v->stream = v->task = v->flip = -1;
    v->op = v->kernel = STR("");
    for (size_t i = 0; i < logs_n_events(g->l); i++) {
        const struct log_rec *r = logs_event(g->l, i);
        if (r->apart || !has_rank(f, r->rank) || r->role == LOG_MARK || r->role == LOG_NOISE)
            continue;
        if (v->stream < 0 && log_field_i64(r->text, LOG_F_STREAM, &n))
            v->stream = n;
        if (v->task < 0 && log_field_i64(r->text, LOG_F_TASK, &n))
            v->task = n;
        if (v->flip < 0 && log_field_i64(r->text, LOG_F_FLIP, &n))
            v->flip = n;
        if (!v->kernel.n)
            v->kernel = log_field(r->text, LOG_F_KERNEL);
        if (!v->op.n)
            v->op = log_field(r->text, LOG_F_OP);
        if (!v->op.n)
            v->op = log_field(r->text, LOG_F_TAG);
    }
}

/* Where a rank was when its Python stacks were written. */
static int put_stack(struct whole *w, const struct gather *g, int rank, struct err *e)
{
    const struct pystack *s = logs_stack(g->l, rank);
    const struct pystack_frame *at = s ? pystack_last(s) : NULL;
    struct buf b;

    if (!at)
        return OK;
    buf_init(&b, 2048);
    buf_printf(&b, tr("rank %d is in %.*s (%.*s:%" PRId64 ")"), rank, (int)at->function.n, at->function.p,
               (int)at->file.n, at->file.p, at->line);
    if (at->code.n) {
        buf_puts(&b, tr(": "));
        buf_add(&b, at->code);
    }
    (void)!chain(w, buf_str(&b), LOG_NO_EVENT, e);
    buf_done(&b);
    return e->code;
}

static int put_chain(struct whole *w, const struct gather *g, const struct found_ranks *f, struct err *e)
{
    struct log_verdict *v = &w->v;

    if (v->first != LOG_NO_EVENT) {
        const struct signature *s = signature_at(logs_event(g->l, v->first)->sig);
        if (chain(w, str_of(tr(s->says)), v->first, e))
            return e->code;
    }
    for (size_t i = 0; i < f->n && i < MAX_ROOTS; i++) {
        int p = verdict_proc(g, f->v[i]);
        if (put_stack(w, g, f->v[i], e))
            return e->code;
        if (p < 0)
            continue;
        const struct suspect *s = &g->of[p];
        if (s->telling != LOG_NO_EVENT && s->telling != v->first &&
            chain(w, str_of(tr(signature_at(logs_event(g->l, s->telling)->sig)->says)), s->telling, e))
            return e->code;
        if (s->exit != LOG_NO_EVENT && s->exit != v->first &&
            chain(w, str_of(tr(signature_at(logs_event(g->l, s->exit)->sig)->says)), s->exit, e))
            return e->code;
        if (s->named && chain(w, str_of(tr(signature_at(logs_event(g->l, s->named_event)->sig)->says)),
                              s->named_event, e))
            return e->code;
    }
    return OK;
}

/* Consequences: of each class of events how many other ranks wrote it. */
static int put_consequences(struct whole *w, const struct gather *g, const struct found_ranks *f,
                            struct err *e)
{
    bool *counted = calloc(g->n + 1, sizeof *counted);
    struct buf b;

    if (!counted)
        return err_nomem(e);
    buf_init(&b, 4096);
    for (enum cause_class c = CAUSE_WAIT; c < N_CAUSES && !e->code; c++) {
        size_t ranks = 0, first = LOG_NO_EVENT;
        memset(counted, 0, g->n * sizeof *counted);
        for (size_t i = 0; i < logs_n_events(g->l); i++) {
            const struct log_rec *r = logs_event(g->l, i);
            if (r->role != LOG_CONSEQUENCE || r->apart || r->proc < 0 || signature_at(r->sig)->cls != c ||
                has_rank(f, r->rank) || c == CAUSE_UNKNOWN)
                continue;
            if (first == LOG_NO_EVENT)
                first = i;
            ranks += !counted[r->proc];
            counted[r->proc] = true;
        }
        if (!ranks)
            continue;
        buf_clear(&b);
        buf_printf(&b, tr(ranks == 1 ? "%zu rank: %s" : "%zu ranks: %s"), ranks,
                   tr(signature_at(logs_event(g->l, first)->sig)->says));
        (void)!say(w, &w->v.consequences, &w->v.n_consequences, &w->consequences_room, buf_str(&b), first, e);
    }
    buf_done(&b);
    free(counted);
    return e->code;
}

static bool lacks_log(const struct gather *g, int rank)
{
    int p = verdict_proc(g, rank);
    return p < 0 || !logs_proc(g->l, (size_t)p)->has_log;
}

/* What of the logs was not read. */
static int put_unread(struct whole *w, const struct logs *l, struct buf *b, struct err *e)
{
    const struct log_file *refused = NULL;
    const char *folder;
    char why[300];
    size_t n = 0, folders = logs_unread(l, &folder);

    for (size_t i = 0; i < logs_n_files(l); i++)
        if (logs_file(l, i)->state == LOG_REFUSED && !n++)
            refused = logs_file(l, i);
    if (refused) {
        buf_clear(b);
        buf_printf(b, tr("%zu file%s could not be read: %s: %s"), n, n == 1 ? "" : "s", refused->f.name,
                   tr_sentence(refused->why, why, sizeof why));
        if (missing(w, buf_str(b), e))
            return e->code;
    }
    if (folders) {
        buf_clear(b);
        buf_printf(b, tr("%zu folder%s could not be entered: %s"), folders, folders == 1 ? "" : "s",
                   folder ? folder : "");
        if (missing(w, buf_str(b), e))
            return e->code;
    }
    if (logs_uncounted(l)) {
        buf_clear(b);
        buf_printf(b, tr("%" PRIu64 " lines were only counted: there are more than %zu MiB of texts"),
                   logs_uncounted(l), LIM_LOG_TEXTS_B >> 20);
        if (missing(w, buf_str(b), e))
            return e->code;
    }
    return logs_search_was_cut(l)
               ? missing(w, str_of(tr("there are more files than are searched: give the folder of the logs")),
                         e)
               : OK;
}

/*
 * A process that has lines of two ranks, where that may change the verdict, else NULL: one of them is to
 * blame, or ranks were compared with each other.
 */
static const struct log_proc *is_mixed(const struct gather *g, const struct found_ranks *f)
{
    if (f->cls == CAUSE_NONE)
        return NULL;
    for (size_t i = 0; i < g->n; i++) {
        const struct log_proc *p = logs_proc(g->l, i);
        if (p->other_rank >= 0 && f->sure != LOG_HIGH)
            return p;
        for (size_t k = 0; p->other_rank >= 0 && k < f->n; k++)
            if (f->v[k] == p->rank || f->v[k] == p->other_rank)
                return p;
    }
    return NULL;
}

static int put_mixed(struct whole *w, const struct gather *g, const struct found_ranks *f, struct buf *b,
                     struct err *e)
{
    const struct log_proc *p = is_mixed(g, f);

    if (!p)
        return OK;
    buf_clear(b);
    buf_printf(b, tr("which of ranks %d and %d: both are process %" PRId64 " of %s in the logs"), p->rank,
               p->other_rank, p->pid, logs_server(g->l, (size_t)p->server)->name);
    return missing(w, buf_str(b), e);
}

static int put_missing(struct whole *w, const struct gather *g, const struct found_ranks *f, struct err *e)
{
    struct buf b;
    size_t n = 0;

    buf_init(&b, 4096);
    for (int r = 0; r < g->n_ranks; r++)
        n += lacks_log(g, r);
    if (n) {
        buf_puts(&b, n == 1 ? tr("no log of rank ") : tr("no log of ranks "));
        put_ranks(&b, g, lacks_log);
        (void)!missing(w, buf_str(&b), e);
    }
    if (!e->code && f->of != f->rival) {
        buf_clear(&b);
        buf_printf(&b, tr("which was first, %s or %s: their clocks %s"),
                   logs_server(g->l, (size_t)f->of)->name, logs_server(g->l, (size_t)f->rival)->name,
                   logs_slack(g->l, f->of, f->rival) == LOG_NO_BOUND ? tr("cannot be compared")
                                                                     : tr("are not known so well"));
        (void)!missing(w, buf_str(&b), e);
    }
    if (!e->code && !put_mixed(w, g, f, &b, e))
        (void)!put_unread(w, g->l, &b, e);
    buf_done(&b);
    return e->code;
}

static int put_clock(struct whole *w, const char *what, struct err *e)
{
    char said[600];
    struct buf b;

    buf_init(&b, 1024);
    buf_printf(&b, tr("%s: taken into account"), tr_sentence(what, said, sizeof said));
    (void)!note(w, &w->v.clocks, &w->v.n_clocks, &w->clocks_room, buf_str(&b), e);
    buf_done(&b);
    return e->code;
}

/* Clocks of servers that differ, whose lines' times are given by another one, and zones of hosts. */
static int put_clocks(struct whole *w, const struct gather *g, const struct found_ranks *f, struct err *e)
{
    char text[400];

    w->v.reordered = verdict_reordered(g, f, w->v.first);
    for (size_t i = 0; i < logs_n_servers(g->l) && !e->code; i++)
        if ((*logs_ahead_text(g->l, i, text, sizeof text) && put_clock(w, text, e)) ||
            (*logs_host_zone_text(g->l, i, text, sizeof text) && put_clock(w, text, e)))
            break;
    return e->code;
}

static int report(struct whole *w, struct gather *g, const struct found_ranks *f, struct err *e)
{
    struct log_verdict *v = &w->v;
    struct buf b;

    v->cls = f->cls;
    v->sure = is_mixed(g, f) ? LOG_LOW : f->sure;
    v->first = first_error(g, f);
    v->visible = g->visible;
    v->ranks = malloc((f->n + 1) * sizeof *v->ranks);
    if (!v->ranks)
        return err_nomem(e);
    if (f->n)
        memcpy(v->ranks, f->v, f->n * sizeof *f->v);
    v->n_ranks = f->n;
    v->accuse &= f->n > 0 || (f->cls == CAUSE_LINK && g->outside != LOG_NO_EVENT);
    qsort(v->ranks, v->n_ranks, sizeof *v->ranks, int_cmp);
    put_task(w, g, f);
    buf_init(&b, 4096);
    put_root(&b, g, f);
    v->root = arena_str(w->a, buf_str(&b));
    buf_done(&b);
    if (!v->root.p)
        return err_nomem(e);
    if (put_chain(w, g, f, e) || put_consequences(w, g, f, e) || put_clocks(w, g, f, e))
        return e->code;
    return v->cls == CAUSE_NONE ? OK : put_missing(w, g, f, e);
}

static int gather(struct gather *g, struct err *e)
{
    g->n = logs_n_procs(g->l);
    g->n_ranks = logs_n_ranks(g->l);
    g->of = arena_array(g->a, g->n + 1, sizeof *g->of);
    if (!g->of)
        return err_nomem(e);
    for (size_t i = 0; i < g->n; i++) {
        struct suspect *s = &g->of[i];
        s->cause = s->telling = s->wait = s->setup = s->named_event = s->exit = LOG_NO_EVENT;
        s->cause_ns = s->wait_ns = s->exit_ns = LOG_NO_UTC;
        s->index = s->remote = -1;
        s->op = s->group = STR("");
    }
    g->visible = g->outside = g->stop = LOG_NO_EVENT;
    verdict_gather_hard(g);
    verdict_gather_waits(g);
    return OK;
}

int log_verdict_make(struct log_verdict **out, const struct logs *l, const struct log_hint *hint,
                     struct err *e)
{
    struct whole *w = calloc(1, sizeof *w);
    struct gather g = { .l = l, .hint = hint };
    struct found_ranks f;

    *out = NULL;
    if (!w)
        return err_nomem(e);
    if (!arena_new(&w->a, TEXTS_B, e)) {
        g.a = w->a;
        if (!gather(&g, e) && !decide(&g, &f, &w->v.accuse, e))
            (void)!report(w, &g, &f, e);
    }
    if (e->code)
        log_verdict_free(&w->v);
    else
        *out = &w->v;
    return e->code;
}
