/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Over all groups: a rank that others wait for may wait itself, in another group or for a peer; then it is no
 * root (doc/formats/logs.md#verdict-rule, 4).
 */
#include "config.h"

#include <stdlib.h>

#include "parsers/logs/flight_entry.h"
#include "parsers/logs/flight_text.h"
#include "parsers/read/u64map.h"

struct node {
    int rank;
    bool awaited, waits;
};

struct search {
    struct flight_compared *c;
    const struct flight_dump *const *dumps;
    size_t n_dumps;
    struct node *node;
    size_t n;
    struct u64map of_rank; /* rank -> node + 1 */
};

static struct node *node_of(struct search *s, int rank)
{
    uint32_t at = rank < 0 || !s->node ? 0 : u64map_get(&s->of_rank, (uint64_t)rank);

    return at ? &s->node[at - 1] : NULL;
}

static bool add_node(struct search *s, int rank)
{
    if (rank < 0 || node_of(s, rank))
        return true;
    s->node[s->n] = (struct node){ .rank = rank };
    return u64map_set(&s->of_rank, (uint64_t)rank, (uint32_t)++s->n);
}

/* ---- sends and receives ---- */

/* "send 1->2" or "recv 3<-0": the peer's number in the group. */
static bool peer_in_group(struct str name, bool *send, int64_t *me, int64_t *peer)
{
    struct str rest = str_sub(name, 5, name.n);
    size_t at;

    *send = str_starts(name, STR("send "));
    if (!*send && !str_starts(name, STR("recv ")))
        return false;
    at = str_find(rest, *send ? STR("->") : STR("<-"), 0);
    return at != SIZE_MAX && str_i64(str_sub(rest, 0, at), me) && *me >= 0 &&
           str_i64(str_sub(rest, at + 2, rest.n), peer) && *peer >= 0;
}

/* Where the entry for all of a batch is counted: by group and number. */
static uint64_t batch_key(const struct flight_entry *e)
{
    return (uint64_t)e->group << 44 ^ (uint64_t)e->p2p_seq;
}

/* Of a batch only the entry for all says whether it ended. Open ones of a dump, in order, go to fn. */
typedef bool open_fn(void *arg, const struct flight_dump *d, const struct flight_entry *e);

static bool each_open(const struct flight_dump *d, open_fn *fn, void *arg, bool *found)
{
    struct u64map batch = { 0 };
    bool ok = true;

    *found = false;
    for (size_t i = 0; ok && i < d->n_entries; i++)
        if (flight_is_p2p(&d->entries[i]) && flight_is_coalesced(&d->entries[i]))
            ok = u64map_set(&batch, batch_key(&d->entries[i]), 1);
    for (size_t i = 0; ok && !*found && i < d->n_entries; i++) {
        const struct flight_entry *e = &d->entries[i];
        if (flight_is_p2p(e) && !flight_has_ended(d, e) &&
            (flight_is_coalesced(e) || !u64map_get(&batch, batch_key(e))))
            *found = fn(arg, d, e);
    }
    u64map_done(&batch);
    return ok;
}

static bool take_first(void *arg, const struct flight_dump *d, const struct flight_entry *e)
{
    const struct flight_entry **to = arg;

    (void)d;
    *to = e;
    return true;
}

/* A send or receive, and the numbers of its ends in the group. */
struct side {
    struct str group;
    bool send;
    int64_t me, peer;
};

static bool is_other_side(void *arg, const struct flight_dump *d, const struct flight_entry *e)
{
    const struct side *s = arg;
    int64_t me, peer;
    bool send;

    return str_eq(d->groups[e->group].name, s->group) && peer_in_group(e->name, &send, &me, &peer) &&
           send != s->send && me == s->peer && peer == s->me;
}

static const struct flight_dump *dump_of(const struct search *s, int rank)
{
    for (size_t i = 0; i < s->n_dumps; i++)
        if (s->dumps[i]->rank == rank)
            return s->dumps[i];
    return NULL;
}

static bool add_pair(struct search *s, const struct flight_dump *d, const struct flight_entry *e)
{
    struct flight_pair *p = &s->c->pairs[s->c->n_pairs++];
    const struct flight_group *g = &d->groups[e->group];
    struct side side = { .group = g->name };

    *p = (struct flight_pair){ .rank = d->rank, .peer = -1, .entry = e };
    if (!peer_in_group(e->name, &side.send, &side.me, &side.peer) || (uint64_t)side.peer >= g->n_ranks)
        return true;
    p->peer = g->ranks[side.peer];
    const struct flight_dump *other = dump_of(s, p->peer);
    return !other || each_open(other, is_other_side, &side, &p->both);
}

static bool find_pairs(struct search *s)
{
    bool ok = true, found;

    s->c->pairs = arena_array(s->c->mem, s->n_dumps + 1, sizeof *s->c->pairs);
    for (size_t i = 0; ok && s->c->pairs && i < s->n_dumps; i++) {
        const struct flight_entry *e = NULL;
        ok = each_open(s->dumps[i], take_first, &e, &found) && (!e || add_pair(s, s->dumps[i], e));
    }
    return ok && s->c->pairs;
}

/* ---- who waits ---- */

static bool is_culprit(const struct flight_found *f, int rank)
{
    for (size_t i = 0; i < f->n_culprits; i++)
        if (f->culprits[i] == rank)
            return true;
    return false;
}

static bool add_nodes(struct search *s)
{
    const struct flight_compared *c = s->c;
    size_t most = 2 * c->n_pairs + 1;
    bool ok = true;

    for (size_t i = 0; i < c->n_groups; i++)
        most += c->groups[i].n_members;
    s->node = calloc(most, sizeof *s->node);
    ok = s->node != NULL;
    for (size_t i = 0; ok && i < c->n_groups; i++)
        for (size_t k = 0; ok && k < c->groups[i].n_members; k++)
            ok = add_node(s, c->groups[i].members[k].rank);
    for (size_t i = 0; ok && i < c->n_pairs; i++)
        ok = add_node(s, c->pairs[i].rank) && add_node(s, c->pairs[i].peer);
    return ok;
}

static void mark_group(struct search *s, const struct flight_found *f)
{
    struct node *n;

    for (size_t i = 0; f->kind != FLIGHT_SAME && i < f->n_members; i++) {
        const struct flight_member *m = &f->members[i];
        if ((n = node_of(s, m->rank)) == NULL)
            continue;
        if (is_culprit(f, m->rank))
            n->awaited = true;
        else
            n->waits |= m->at == FLIGHT_AT_ISSUED || m->at == FLIGHT_AT_BEGUN;
    }
}

static void mark_pairs(struct search *s)
{
    for (size_t i = 0; i < s->c->n_pairs; i++) {
        const struct flight_pair *p = &s->c->pairs[i];
        struct node *n = node_of(s, p->rank), *peer = node_of(s, p->peer);
        if (n)
            n->waits = true;
        if (peer && !p->both)
            peer->awaited = true;
    }
}

static int by_rank(const void *a, const void *b)
{
    const struct node *x = a, *y = b;

    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

bool flight_find_roots(struct flight_compared *c, const struct flight_dump *const *dumps, size_t n)
{
    struct search s = { .c = c, .dumps = dumps, .n_dumps = n };
    bool ok = find_pairs(&s) && add_nodes(&s);
    size_t awaited = 0;

    for (size_t i = 0; ok && i < c->n_groups; i++)
        mark_group(&s, &c->groups[i]);
    if (ok)
        mark_pairs(&s);
    u64map_done(&s.of_rank);
    if (ok)
        qsort(s.node, s.n, sizeof *s.node, by_rank);
    c->roots = ok ? arena_array(c->mem, s.n + 1, sizeof *c->roots) : NULL;
    for (size_t i = 0; c->roots && i < s.n; i++) {
        awaited += s.node[i].awaited;
        if (s.node[i].awaited && !s.node[i].waits)
            c->roots[c->n_roots++] = s.node[i].rank;
    }
    c->undecided = awaited && c->n_roots == 0;
    free(s.node);
    return c->roots != NULL;
}
