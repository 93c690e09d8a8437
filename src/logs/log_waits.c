/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that wait in collectives, and for whom (doc/formats/logs.md#verdict-rule, step 4). */
#include "config.h"

#include "logs/verdict_int.h"
#include "parsers/logs/flight_compare.h"
#include "parsers/logs/log_field.h"

/* Signatures that say: this process waited in a collective. */
static const char *const wait_ids[] = { "HC01", "HC02", "HC03", "HC04", "HC05", "HC07",
                                        "HC08", "HC09", "HC12", "LA09", "RT28" };
static const char *const setup_ids[] = { "HC23", "HC24", "HC25", "HC26", "HC27", "HC29",
                                         "HC30", "HC32", "HC33", "HC34", "HC35", "HC36" };

static bool one_of(const char *id, const char *const *ids, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(id, ids[i]))
            return true;
    return false;
}

/* "10.23.9.12/2" */
static int rank_of_place(const struct gather *g, struct str place)
{
    struct str ip, rest = place;
    int64_t device;

    if (!str_next(&rest, '/', &ip) || !rest.p || !str_i64(rest, &device) || device < 0 || device > 1024)
        return -1;
    return verdict_rank_at(g, ip, (int)device);
}

/* The end of a link that did not answer. */
static int rank_of_remote(const struct gather *g, struct str text)
{
    size_t at = str_find(text, STR("remote"), 0);
    struct str ip = log_field(text, LOG_F_REMOTE_IP),
               rest = at == SIZE_MAX ? STR("") : str_sub(text, at, SIZE_MAX);
    struct str device_ip = log_field(rest, LOG_F_DEVICE_IP);

    for (size_t i = 0; i < g->n; i++) {
        struct str own = str_of(logs_proc(g->l, i)->device_ip);
        if (own.n && (str_eq(own, device_ip) || str_eq(own, ip)))
            return logs_proc(g->l, i)->rank;
    }
    return verdict_rank_at(g, ip, log_field_int(rest, LOG_F_DEVICE));
}

static void take_named(struct gather *g, size_t at)
{
    const struct log_rec *r = logs_event(g->l, at);
    int proc = verdict_proc(g, rank_of_place(g, log_field(r->text, LOG_F_PLACE)));

    if (proc < 0 || proc == r->proc)
        return;
    g->of[proc].named++;
    g->of[proc].named_event = at;
}

static void take_cqe(struct gather *g, size_t at)
{
    const struct log_rec *r = logs_event(g->l, at);
    bool says = log_field(r->text, LOG_F_REMOTE_IP).n > 0;
    int rank = says ? rank_of_remote(g, r->text) : -1, proc = verdict_proc(g, rank);

    if (proc >= 0 && proc != r->proc)
        g->of[proc].cqe_named++;
    else if (says && g->outside == LOG_NO_EVENT)
        g->outside = at;
}

/* "AllReduce" of a tag: letters before '_', without "Hcom". */
static struct str op_of_tag(struct str tag)
{
    struct str op = str_sub(tag, 0, 0);

    if (str_starts(tag, STR("Hcom")))
        tag = str_sub(tag, 4, SIZE_MAX);
    while (op.n < tag.n &&
           ((tag.p[op.n] >= 'A' && tag.p[op.n] <= 'Z') || (tag.p[op.n] >= 'a' && tag.p[op.n] <= 'z')))
        op = str_sub(tag, 0, op.n + 1);
    return op;
}

static void take_wait(struct gather *g, size_t at)
{
    const struct log_rec *r = logs_event(g->l, at);
    struct suspect *s = &g->of[r->proc];
    struct str tag = log_field(r->text, LOG_F_TAG), group = log_field(r->text, LOG_F_GROUP);
    int remote = log_field_int(r->text, LOG_F_REMOTE_RANK), index = log_field_int(r->text, LOG_F_INDEX);

    if (!s->waits) {
        s->waits = true;
        s->wait = at;
        s->wait_ns = r->utc_ns;
    }
    if (index < 0)
        index = log_field_int(r->text, LOG_F_SEQ);
    if (s->index < 0)
        s->index = index;
    if (!s->op.n && tag.n)
        s->op = op_of_tag(tag);
    if (!s->group.n && group.n)
        s->group = group;
    if (s->remote < 0)
        s->remote = remote;
}

void verdict_gather_waits(struct gather *g)
{
    for (size_t i = 0; i < logs_n_events(g->l); i++) {
        const struct log_rec *r = logs_event(g->l, i);
        const char *id = verdict_id(g, i);
        if (r->apart || !log_role_tells(r->role))
            continue;
        if (g->visible == LOG_NO_EVENT && r->kind != LOG_HOST && r->kind != LOG_AGENT && r->kind != LOG_ENV)
            g->visible = i;
        if (!strcmp(id, "HC14") || !strcmp(id, "HC15") || !strcmp(id, "HC16") || !strcmp(id, "HC17"))
            take_named(g, i);
        if (!strcmp(id, "HC18"))
            take_cqe(g, i);
        if (r->proc < 0)
            continue;
        if (one_of(id, wait_ids, sizeof wait_ids / sizeof *wait_ids))
            take_wait(g, i);
        if (one_of(id, setup_ids, sizeof setup_ids / sizeof *setup_ids) && !g->of[r->proc].fails_setup) {
            g->of[r->proc].fails_setup = true;
            g->of[r->proc].setup = i;
        }
    }
}

/* ---- who is waited for ---- */

static size_t count_waits(const struct gather *g)
{
    size_t n = 0;
    for (size_t i = 0; i < g->n; i++)
        n += g->of[i].waits && logs_proc(g->l, i)->rank >= 0;
    return n;
}

static bool rank_waits(const struct gather *g, int rank)
{
    int p = verdict_proc(g, rank);
    return p >= 0 && g->of[p].waits;
}

static bool was_ended(const struct gather *g, int rank)
{
    int p = verdict_proc(g, rank);
    return p >= 0 && logs_proc(g->l, (size_t)p)->ended_ns != LOG_NO_UTC;
}

static bool is_named(const struct gather *g, int rank)
{
    int p = verdict_proc(g, rank);
    return p >= 0 && g->of[p].named > 0;
}

/* Ranks that do not wait, of those that `keep` lets pass. */
static int list_absent(struct gather *g, struct found_ranks *out, bool (*keep)(const struct gather *, int),
                       bool is_so, struct err *e)
{
    out->n = 0;
    for (int r = 0; r < g->n_ranks; r++)
        if (!rank_waits(g, r) && (!keep || keep(g, r) == is_so) && verdict_add_rank(out, r, g, e))
            return e->code;
    return OK;
}

static bool has_exit(const struct gather *g, int rank)
{
    int p = verdict_proc(g, rank);
    return p >= 0 && (g->of[p].exit != LOG_NO_EVENT || g->of[p].cause != LOG_NO_EVENT);
}

static const struct log_in_comm *in_comm(const struct gather *g, int rank)
{
    for (size_t i = 0; g->hint && i < g->hint->n_in; i++)
        if (g->hint->in[i].rank == rank)
            return &g->hint->in[i];
    return NULL;
}

/* Its profile ends in a collective: it has come, and its logs are missing. */
static bool has_come(const struct gather *g, int rank)
{
    return in_comm(g, rank) != NULL;
}

/*
 * Some members do not wait: named ones, else those that ended by themselves, else those that are in no
 * collective by their profiles, else those nobody ended.
 */
static int absent(struct gather *g, struct found_ranks *out, struct err *e)
{
    out->cls = CAUSE_WAIT;
    out->sure = LOG_MEDIUM;
    if (list_absent(g, out, NULL, true, e) || out->n <= 1)
        return e->code;
    if (list_absent(g, out, is_named, true, e) || out->n)
        return e->code;
    if (list_absent(g, out, has_exit, true, e) || out->n)
        return e->code;
    if (list_absent(g, out, has_come, false, e) || out->n == 1)
        return e->code;
    if (list_absent(g, out, was_ended, false, e) || out->n == 1)
        return e->code;
    out->sure = LOG_LOW;
    return out->n ? OK : list_absent(g, out, NULL, true, e);
}

/*
 * Whether b is compared with a: of the same communicator, as far as all that wait say theirs. Collectives of
 * different communicators have different ops and counts.
 */
static bool is_compared(const struct gather *g, const struct suspect *a, const struct suspect *b)
{
    if (!a->waits || !b->waits)
        return false;
    for (size_t i = 0; i < g->n; i++)
        if (g->of[i].waits && !g->of[i].group.n)
            return true;
    return str_eq(a->group, b->group);
}

/* All wait: those that are a collective behind the others of a's communicator. */
static int behind_of(struct gather *g, const struct suspect *a, struct found_ranks *out, struct err *e)
{
    int64_t least = INT64_MAX, most = -1;
    size_t known = 0;

    for (size_t i = 0; i < g->n; i++)
        if (is_compared(g, a, &g->of[i]) && g->of[i].index >= 0) {
            known++;
            least = g->of[i].index < least ? g->of[i].index : least;
            most = g->of[i].index > most ? g->of[i].index : most;
        }
    if (known < 2 || least == most)
        return OK;
    for (size_t i = 0; i < g->n; i++)
        if (is_compared(g, a, &g->of[i]) && g->of[i].index == least && logs_proc(g->l, i)->rank >= 0 &&
            verdict_add_rank(out, logs_proc(g->l, i)->rank, g, e))
            return e->code;
    if (out->n * 2 > known)
        out->n = 0;
    out->cls = CAUSE_WAIT;
    out->sure = LOG_MEDIUM;
    return OK;
}

/* How many of a's communicator wait in the op that most of them wait in; *known: that say their op. */
static size_t common_op(const struct gather *g, const struct suspect *a, struct str *op, size_t *known)
{
    size_t best = 0;

    *known = 0;
    for (size_t i = 0; i < g->n; i++) {
        size_t same = 0;
        if (!is_compared(g, a, &g->of[i]) || !g->of[i].op.n)
            continue;
        ++*known;
        for (size_t k = 0; k < g->n; k++)
            same += is_compared(g, a, &g->of[k]) && str_eq(g->of[k].op, g->of[i].op);
        if (same > best) {
            best = same;
            *op = g->of[i].op;
        }
    }
    return best;
}

/* All wait, those of a's communicator in different collectives: the minority. */
static int differs_from(struct gather *g, const struct suspect *a, struct found_ranks *out, struct err *e)
{
    struct str most = STR("");
    size_t known, best = common_op(g, a, &most, &known);

    if (best == known)
        return OK;
    out->cls = CAUSE_MISM;
    out->sure = LOG_LOW;
    if (best * 2 <= known) /* nobody is in the majority */
        return OK;
    for (size_t i = 0; i < g->n; i++)
        if (is_compared(g, a, &g->of[i]) && g->of[i].op.n && !str_eq(g->of[i].op, most) &&
            logs_proc(g->l, i)->rank >= 0) {
            out->event = g->of[i].wait;
            if (verdict_add_rank(out, logs_proc(g->l, i)->rank, g, e))
                return e->code;
        }
    out->sure = LOG_HIGH;
    return OK;
}

typedef int communicator_fn(struct gather *g, const struct suspect *a, struct found_ranks *out,
                            struct err *e);

/* Call fn for the first rank of each communicator, until ranks are found. */
static int each_group(struct gather *g, communicator_fn *fn, struct found_ranks *out, struct err *e)
{
    for (size_t i = 0; i < g->n && !out->n; i++) {
        bool first = g->of[i].waits;
        for (size_t k = 0; k < i && first; k++)
            first = !is_compared(g, &g->of[k], &g->of[i]);
        if (first && fn(g, &g->of[i], out, e))
            return e->code;
    }
    return OK;
}

static int behind(struct gather *g, struct found_ranks *out, struct err *e)
{
    return each_group(g, behind_of, out, e);
}

static int differs(struct gather *g, struct found_ranks *out, struct err *e)
{
    return each_group(g, differs_from, out, e);
}

/* All wait: whom the heartbeat of the others names, by more than anybody else. */
static int named(struct gather *g, struct found_ranks *out, struct err *e)
{
    size_t best = SIZE_MAX;
    bool tie = false;

    for (size_t i = 0; i < g->n; i++) {
        if (!g->of[i].named || logs_proc(g->l, i)->rank < 0)
            continue;
        tie = best != SIZE_MAX && g->of[i].named == g->of[best].named;
        if (best == SIZE_MAX || g->of[i].named > g->of[best].named)
            best = i;
    }
    if (best == SIZE_MAX || tie)
        return OK;
    out->cls = CAUSE_WAIT;
    out->sure = LOG_MEDIUM;
    out->event = g->of[best].named_event;
    return verdict_add_rank(out, logs_proc(g->l, best)->rank, g, e);
}

/* All wait, and all that say for whom say the same rank, which says nobody. */
static int pointed(struct gather *g, struct found_ranks *out, struct err *e)
{
    int to = -1;

    for (size_t i = 0; i < g->n; i++) {
        if (!g->of[i].waits || g->of[i].remote < 0)
            continue;
        if (to >= 0 && g->of[i].remote != to)
            return OK;
        to = g->of[i].remote;
    }
    if (to < 0 || to >= g->n_ranks || (rank_waits(g, to) && g->of[verdict_proc(g, to)].remote >= 0))
        return OK;
    out->cls = CAUSE_WAIT;
    out->sure = LOG_LOW;
    return verdict_add_rank(out, to, g, e);
}

/*
 * What the flight recorders say is the strongest: they count the collectives of each rank. A rank that issued
 * another one than the others, or with other sizes, is one that differs; else it did not come.
 */
static int by_flight(struct gather *g, struct found_ranks *out, struct err *e)
{
    const struct flight_compared *c = logs_flight(g->l);
    bool differs_so = false;

    for (size_t i = 0; c && i < c->n_roots; i++)
        if (c->roots[i] >= 0 && c->roots[i] < g->n_ranks && verdict_add_rank(out, c->roots[i], g, e))
            return e->code;
    for (size_t i = 0; c && i < c->n_groups; i++)
        for (size_t k = 0; k < c->groups[i].n_culprits; k++)
            for (size_t r = 0; r < out->n && c->groups[i].kind == FLIGHT_MISMATCH; r++)
                differs_so |= out->v[r] == c->groups[i].culprits[k];
    out->cls = !out->n ? CAUSE_NONE : differs_so ? CAUSE_MISM : CAUSE_WAIT;
    out->sure = differs_so ? LOG_HIGH : LOG_MEDIUM;
    return OK;
}

/* Of the ranks that are in a collective of this group by their profiles those in another op than most. */
static int differs_in_group(struct gather *g, const struct log_in_comm *a, struct found_ranks *out,
                            struct err *e)
{
    const struct log_hint *h = g->hint;
    struct str most = STR_NULL;
    size_t members = 0, best = 0;

    for (size_t i = 0; i < h->n_in; i++) {
        size_t same = 0;
        if (!str_eq(h->in[i].group, a->group))
            continue;
        for (size_t k = 0; k < h->n_in; k++)
            same += str_eq(h->in[k].group, a->group) && str_eq(h->in[k].op, h->in[i].op);
        members++;
        if (same > best) {
            best = same;
            most = h->in[i].op;
        }
    }
    for (size_t i = 0; best < members && best * 2 > members && i < h->n_in; i++)
        if (str_eq(h->in[i].group, a->group) && !str_eq(h->in[i].op, most) &&
            verdict_add_rank(out, h->in[i].rank, g, e))
            return e->code;
    return OK;
}

static bool is_first_of_group(const struct log_hint *h, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (str_eq(h->in[k].group, h->in[i].group))
            return false;
    return h->in[i].group.n > 0;
}

static bool all_have_come(const struct gather *g)
{
    for (int r = 0; r < g->n_ranks; r++)
        if (!rank_waits(g, r) && !has_come(g, r))
            return false;
    return true;
}

/* All wait; lines of some are missing, whose profiles tell what they wait in. */
static int differs_in_profile(struct gather *g, struct found_ranks *out, struct err *e)
{
    out->n = 0;
    if (!all_have_come(g))
        return OK;
    for (size_t i = 0; g->hint && i < g->hint->n_in && !out->n; i++)
        if (is_first_of_group(g->hint, i) && differs_in_group(g, &g->hint->in[i], out, e))
            return e->code;
    if (out->n) {
        out->cls = CAUSE_MISM;
        out->sure = LOG_MEDIUM;
        for (size_t i = 0; i < out->n && out->event == LOG_NO_EVENT; i++)
            if (rank_waits(g, out->v[i]))
                out->event = g->of[verdict_proc(g, out->v[i])].wait;
    }
    return OK;
}

int verdict_awaited(struct gather *g, struct found_ranks *out, struct err *e)
{
    static int (*const rules[])(struct gather *, struct found_ranks *, struct err *) = { behind, differs,
                                                                                         named, pointed };
    size_t waits = count_waits(g);

    *out = (struct found_ranks){ .cls = CAUSE_NONE, .event = LOG_NO_EVENT };
    if (by_flight(g, out, e) || out->n)
        return e->code;
    /*
     * Another op than the others of its communicator is sure, unless it is the one before; a profile may end
     * before its rank did.
     */
    if (waits == (size_t)g->n_ranks && waits && (behind(g, out, e) || out->n))
        return e->code;
    if (waits && (differs(g, out, e) || out->n))
        return e->code;
    *out = (struct found_ranks){ .cls = CAUSE_NONE, .event = LOG_NO_EVENT };
    for (size_t i = 0; g->hint && i < g->hint->n; i++)
        if (verdict_add_rank(out, g->hint->awaited[i], g, e))
            return e->code;
    if (out->n) {
        out->cls = CAUSE_WAIT;
        out->sure = LOG_MEDIUM;
        return OK;
    }
    if (!waits)
        return OK;
    if (waits < (size_t)g->n_ranks && (differs_in_profile(g, out, e) || out->n))
        return e->code;
    if (waits < (size_t)g->n_ranks) /* who is absent may wait elsewhere */
        return absent(g, out, e);
    /* Ranks that disagree, none of them against the others: nobody is behind, whoever names whom. */
    for (size_t i = 0; i < sizeof rules / sizeof *rules && !out->n && out->cls != CAUSE_MISM; i++)
        if (rules[i](g, out, e))
            return e->code;
    if (!out->n) {
        out->cls = out->cls == CAUSE_MISM ? CAUSE_MISM : CAUSE_CYCLE;
        out->sure = LOG_LOW;
    }
    return OK;
}
