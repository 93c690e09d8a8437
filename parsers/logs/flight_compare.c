/* SPDX-License-Identifier: Apache-2.0 */
/* Flight recorder dumps of N ranks side by side (doc/formats/logs.md#flight-recorder). */
#include "config.h"

#include "parsers/logs/flight_compare.h"

#include <stdlib.h>

#include "parsers/logs/flight_entry.h"
#include "parsers/logs/flight_text.h"
#include "parsers/read/u64map.h"

#define NOT_THERE UINT32_MAX

/* A group as one dump has it. */
struct part {
    const struct flight_group *g;
    uint32_t dump, group;
};

/* A member while its group is judged. */
struct place {
    uint32_t dump, group; /* NOT_THERE: none */
    bool knows;           /* what it issued last is certain */
    bool seen;            /* a number before this one was in its dump */
};

/* An entry of a member. */
struct ref {
    int64_t seq;
    uint32_t member;
    const struct flight_entry *entry;
};

/* What one member has under one number: refs from .. from + n. */
struct held {
    const struct ref *ref;
    size_t n;
};

/* Entries of a dump by group. */
struct by_group {
    uint32_t *first; /* n_groups + 1 */
    uint32_t *entry;
};

struct comparing {
    struct flight_compared *out;
    const struct flight_dump *const *dumps;
    size_t n_dumps;
    struct by_group *by;   /* one a dump */
    struct u64map of_rank; /* rank -> dump + 1 */
    uint64_t seed;
    struct arena *all, *tmp; /* for the comparison, for a group */
    struct part *part;
    size_t n_parts;
    /* of the group at hand */
    struct flight_found *f;
    struct place *place;
    struct held *held;
    uint64_t *hash;
    uint32_t *with;    /* members that have a dump: a group may list many that have none */
    uint32_t *present; /* those of them that have the number */
    size_t n_with, n_present;
    struct ref *ref;
    size_t n_ref;
};

/* ---- entries ---- */

/* That of the least of them; of coalesced ones only the entry for all has a state that is kept up. */
static enum flight_standing standing(const struct flight_dump *d, const struct held *h)
{
    enum flight_standing least = FLIGHT_AT_ENDED;
    bool coalesced = false;

    for (size_t i = 0; i < h->n; i++)
        coalesced |= flight_is_coalesced(h->ref[i].entry);
    for (size_t i = 0; i < h->n; i++) {
        const struct flight_entry *e = h->ref[i].entry;
        if (flight_has_ended(d, e) || coalesced > flight_is_coalesced(e))
            continue;
        if (e->state == FLIGHT_STARTED || e->started_ns > 0)
            least = least == FLIGHT_AT_ENDED ? FLIGHT_AT_BEGUN : least;
        else
            least = FLIGHT_AT_ISSUED;
    }
    return least;
}

static bool named(const struct flight_entry *e, const char *part)
{
    return str_find(e->name, str_of(part), 0) != SIZE_MAX;
}

static uint64_t add_hash(const struct comparing *c, uint64_t h, struct str s)
{
    return h * UINT64_C(0x9e3779b97f4a7c15) + str_hash(s, c->seed);
}

/*
 * Hash of what has to be equal on all ranks: op and types, or sizes. Of an all_to_all sizes may differ, of a
 * gather only one rank has outputs, of a scatter inputs, and pieces of unequal size may be gathered.
 */
static uint64_t hash_of(const struct comparing *c, const struct held *h, bool sizes)
{
    uint64_t hash = 1;

    for (size_t i = 0; i < h->n; i++) {
        const struct flight_entry *e = h->ref[i].entry;
        bool all = named(e, "all_to_all") || named(e, "alltoall");
        bool gathers = named(e, "gather"), all_gather = gathers && named(e, "all"),
             scatters = named(e, "scatter");
        bool reduces = scatters && named(e, "reduce");
        bool in = sizes ? !all && !all_gather && (!scatters || reduces) : !scatters || reduces;
        bool out = sizes ? !all && (!gathers || all_gather) && !reduces : !gathers || all_gather;
        if (!sizes)
            hash = add_hash(c, hash, e->name);
        if (in)
            hash = add_hash(c, hash, sizes ? e->input_sizes : e->input_dtypes);
        if (out)
            hash = add_hash(c, hash, sizes ? e->output_sizes : e->output_dtypes);
    }
    return hash;
}

/* ---- one number ---- */

struct tally {
    size_t present, missing, issued, begun, ended;
    bool other_op, other_size;
};

/*
 * Members with equal hashes get one number, 0 those of the most. *tie: others are as many, or nobody has
 * company.
 */
static void number_variants(struct comparing *c, bool *tie)
{
    struct flight_found *f = c->f;
    size_t best = 0, best_n = 0, n_variants = 0;

    *tie = false;
    for (size_t i = 0; i < c->n_present; i++) {
        uint32_t first = c->present[i];
        if (f->members[first].variant != UINT32_MAX)
            continue;
        size_t n = 0;
        for (size_t k = i; k < c->n_present; k++)
            if (c->hash[c->present[k]] == c->hash[first]) {
                f->members[c->present[k]].variant = (uint32_t)n_variants;
                n++;
            }
        *tie = n == best_n || (n < best_n && *tie);
        if (n > best_n) {
            best = n_variants;
            best_n = n;
        }
        n_variants++;
    }
    for (size_t i = 0; i < c->n_present; i++) {
        uint32_t *v = &f->members[c->present[i]].variant;
        *v = *v == best ? 0 : *v < best ? *v + 1 : *v;
    }
    *tie |= best_n < 2;
}

static bool hashes_differ(struct comparing *c, bool sizes)
{
    bool differ = false;

    for (size_t i = 0; i < c->n_present; i++) {
        uint32_t m = c->present[i];
        c->hash[m] = hash_of(c, &c->held[m], sizes);
        differ |= c->hash[m] != c->hash[c->present[0]];
    }
    return differ;
}

/* The refs of the number that begins at *at, member by member; *at is behind them then. */
static void hold(struct comparing *c, size_t *at)
{
    int64_t seq = c->ref[*at].seq;

    for (size_t i = 0; i < c->n_present; i++)
        c->held[c->present[i]].n = 0;
    c->n_present = 0;
    for (; *at < c->n_ref && c->ref[*at].seq == seq; (*at)++) {
        struct held *h = &c->held[c->ref[*at].member];
        if (h->n++ == 0) {
            h->ref = &c->ref[*at];
            c->present[c->n_present++] = c->ref[*at].member;
        }
    }
}

/* Where a member stands that does not have the number. */
static enum flight_standing absent(const struct comparing *c, size_t i, int64_t seq)
{
    bool behind = c->f->members[i].last_enqueued < seq && c->place[i].knows;

    return behind ? FLIGHT_AT_MISSING : FLIGHT_AT_UNKNOWN;
}

/* Where every member that has a dump stands at that number. */
static struct tally stand(struct comparing *c, int64_t seq)
{
    struct tally t = { .present = c->n_present };
    bool edge = false; /* of what a dump has: a number of several entries may be there in part */

    for (size_t k = 0; k < c->n_with; k++) {
        uint32_t i = c->with[k];
        struct flight_member *m = &c->f->members[i];
        m->variant = UINT32_MAX;
        m->entry = c->held[i].n ? c->held[i].ref->entry : NULL;
        m->at = m->entry ? standing(m->dump, &c->held[i]) : absent(c, i, seq);
        t.issued += m->at == FLIGHT_AT_ISSUED;
        t.begun += m->at == FLIGHT_AT_BEGUN;
        t.ended += m->at == FLIGHT_AT_ENDED;
        t.missing += m->at == FLIGHT_AT_MISSING;
        edge |= m->entry && !c->place[i].seen;
        c->place[i].seen |= m->entry != NULL;
    }
    t.other_op = hashes_differ(c, false) && !(edge && t.ended == t.present);
    if (!t.other_op && t.ended < t.present)
        t.other_size = hashes_differ(c, true);
    return t;
}

/* ---- what is found ---- */

/* Members for which it holds become culprits. */
typedef bool blame_fn(const struct flight_member *m);

static bool is_missing(const struct flight_member *m)
{
    return m->at == FLIGHT_AT_MISSING;
}

static bool is_other(const struct flight_member *m)
{
    return m->entry && m->variant > 0;
}

static bool is_issued(const struct flight_member *m)
{
    return m->at == FLIGHT_AT_ISSUED;
}

static bool is_waiting(const struct flight_member *m)
{
    return m->at == FLIGHT_AT_ISSUED || m->at == FLIGHT_AT_BEGUN;
}

static bool found(struct comparing *c, enum flight_kind kind, int64_t seq, blame_fn *blame)
{
    struct flight_found *f = c->f;
    size_t n = 0;

    f->kind = kind;
    f->seq = seq;
    f->n_culprits = 0;
    f->culprits = NULL;
    for (size_t i = 0; blame && i < f->n_members; i++)
        n += blame(&f->members[i]);
    if (n == 0)
        return true;
    f->culprits = arena_array(c->out->mem, n, sizeof *f->culprits);
    if (!f->culprits)
        return false;
    for (size_t i = 0; i < f->n_members; i++)
        if (blame(&f->members[i]))
            f->culprits[f->n_culprits++] = f->members[i].rank;
    return true;
}

static bool found_mismatch(struct comparing *c, int64_t seq)
{
    bool tie;

    number_variants(c, &tie);
    return found(c, FLIGHT_MISMATCH, seq, tie ? NULL : is_other);
}

/* ---- one group ---- */

/* Judge the number that begins at *at, which is moved behind it. *done: it decides. false: no room. */
static bool judge(struct comparing *c, size_t *at, size_t *partial, bool *done)
{
    size_t from = *at;
    int64_t seq = c->ref[from].seq;

    hold(c, at);
    struct tally t = stand(c, seq);
    size_t waiting = t.present - t.ended;
    *done = true;
    if (t.other_op)
        return found_mismatch(c, seq);
    if (waiting && t.missing)
        return found(c, FLIGHT_MISSING, seq, is_missing);
    if (waiting && t.other_size)
        return found_mismatch(c, seq);
    if (waiting && t.ended == 0)
        return found(c, FLIGHT_STUCK, seq, t.issued && t.begun ? is_issued : NULL);
    if (waiting * 2 > t.present)
        return found(c, FLIGHT_STUCK, seq, NULL);
    if (waiting && *partial == SIZE_MAX)
        *partial = from; /* some did not see its end: the next numbers may say why */
    *done = false;
    return found(c, FLIGHT_SAME, seq, NULL);
}

static bool walk(struct comparing *c)
{
    size_t at = 0, partial = SIZE_MAX;
    bool done = false;

    while (at < c->n_ref && !done)
        if (!judge(c, &at, &partial, &done))
            return false;
    if (done || partial == SIZE_MAX)
        return true;
    hold(c, &partial);
    (void)stand(c, c->ref[partial - 1].seq);
    return found(c, FLIGHT_STUCK, c->ref[partial - 1].seq, is_waiting);
}

/* What most issued, and when the first did. */
static void add_op(struct flight_found *f)
{
    for (size_t i = 0; i < f->n_members; i++) {
        const struct flight_entry *e = f->members[i].entry;
        if (e && (!f->op.p || f->members[i].variant == 0))
            f->op = e->name;
        if (e && e->created_ns > 0 && (f->since_ns == 0 || e->created_ns < f->since_ns))
            f->since_ns = e->created_ns;
    }
}

static int by_seq(const void *a, const void *b)
{
    const struct ref *x = a, *y = b;

    if (x->seq != y->seq)
        return x->seq < y->seq ? -1 : 1;
    if (x->member != y->member)
        return x->member < y->member ? -1 : 1;
    return x->entry < y->entry ? -1 : x->entry > y->entry;
}

/* The next collective of a member, *at from 0; NULL: no more. */
static const struct flight_entry *next_of(const struct comparing *c, const struct place *p, uint32_t *at)
{
    const struct by_group *by = &c->by[p->dump];

    while (by->first[p->group] + *at < by->first[p->group + 1]) {
        const struct flight_entry *e = &c->dumps[p->dump]->entries[by->entry[by->first[p->group] + (*at)++]];
        if (!flight_is_p2p(e))
            return e;
    }
    return NULL;
}

/* A group of that name, with other ranks. */
static bool has_name(const struct flight_dump *d, struct str name)
{
    for (size_t i = 0; i < d->n_groups; i++)
        if (str_eq(d->groups[i].name, name))
            return true;
    return false;
}

/* Numbers of a member, and how many collectives its dump has. */
static void set_member(struct comparing *c, size_t i, size_t *n_ref)
{
    struct flight_member *m = &c->f->members[i];
    struct place *p = &c->place[i];
    const struct flight_entry *e;
    uint32_t at = 0;

    m->last_enqueued = m->last_started = m->last_completed = FLIGHT_NONE;
    m->variant = UINT32_MAX;
    m->dump = p->dump == NOT_THERE ? NULL : c->dumps[p->dump];
    if (!m->dump)
        return;
    p->knows = !m->dump->cut;
    if (p->group == NOT_THERE) {
        p->knows &= !has_name(m->dump, c->f->name);
        return;
    }
    const struct flight_group *g = &m->dump->groups[p->group];
    p->knows |= g->has_status;
    m->last_enqueued = g->last_enqueued;
    m->last_started = g->last_started;
    m->last_completed = g->last_completed;
    while ((e = next_of(c, p, &at)) != NULL) {
        (*n_ref)++;
        if (e->seq > m->last_enqueued)
            m->last_enqueued = e->seq;
        if (!g->has_status && e->seq > m->last_completed && flight_has_ended(m->dump, e))
            m->last_completed = e->seq;
    }
}

static bool collect(struct comparing *c)
{
    size_t n = 0;

    for (size_t i = 0; i < c->f->n_members; i++)
        set_member(c, i, &n);
    c->n_ref = 0;
    c->n_present = 0;
    c->ref = arena_array(c->tmp, n ? n : 1, sizeof *c->ref);
    c->held = arena_array(c->tmp, c->f->n_members, sizeof *c->held);
    c->hash = arena_array(c->tmp, c->f->n_members, sizeof *c->hash);
    c->present = arena_array(c->tmp, c->f->n_members, sizeof *c->present);
    c->with = arena_array(c->tmp, c->f->n_members, sizeof *c->with);
    if (!c->ref || !c->held || !c->hash || !c->present || !c->with)
        return false;
    c->n_with = 0;
    for (size_t i = 0; i < c->f->n_members; i++) {
        const struct flight_entry *e;
        uint32_t at = 0;
        if (c->place[i].dump != NOT_THERE)
            c->with[c->n_with++] = (uint32_t)i;
        while (c->place[i].group != NOT_THERE && (e = next_of(c, &c->place[i], &at)) != NULL)
            c->ref[c->n_ref++] = (struct ref){ e->seq, (uint32_t)i, e };
    }
    qsort(c->ref, c->n_ref, sizeof *c->ref, by_seq);
    return true;
}

/* ---- members ---- */

/* Members of a group out of its list of ranks and the dumps that have it: *parts of n. */
static bool add_members(struct comparing *c, const struct part *parts, size_t n)
{
    struct flight_found *f = c->f;
    const struct flight_group *g = parts[0].g;
    size_t most = g->n_ranks + n;
    struct u64map part_of = { 0 }, used = { 0 };
    bool ok = true;

    c->place = arena_array(c->tmp, most, sizeof *c->place);
    f->members = arena_array(c->out->mem, most, sizeof *f->members);
    for (size_t i = 0; ok && i < n; i++)
        ok = u64map_set(&part_of, parts[i].dump, (uint32_t)i + 1);
    ok = ok && c->place && f->members;
    for (size_t i = 0; ok && i < g->n_ranks; i++) {
        uint32_t dump = u64map_get(&c->of_rank, (uint64_t)g->ranks[i]);
        if (dump && u64map_get(&used, dump))
            dump = 0; /* a rank that is listed twice */
        ok = !dump || u64map_set(&used, dump, 1);
        uint32_t part = dump ? u64map_get(&part_of, dump - 1) : 0;
        c->place[f->n_members].dump = dump ? dump - 1 : NOT_THERE;
        c->place[f->n_members].group = part ? parts[part - 1].group : NOT_THERE;
        f->members[f->n_members++].rank = g->ranks[i];
        if (part)
            u64map_drop(&part_of, dump - 1);
    }
    for (size_t i = 0; ok && i < n; i++) { /* the list is not known, or the rank of the dump is not */
        int rank = c->dumps[parts[i].dump]->rank;
        bool other = rank >= 0 && u64map_get(&c->of_rank, (uint64_t)rank) != parts[i].dump + 1;
        if (other || !u64map_get(&part_of, parts[i].dump))
            continue;
        c->place[f->n_members].dump = parts[i].dump;
        c->place[f->n_members].group = parts[i].group;
        f->members[f->n_members++].rank = rank;
    }
    u64map_done(&part_of);
    u64map_done(&used);
    return ok;
}

static bool add_group(struct comparing *c, const struct part *parts, size_t n)
{
    c->f = &c->out->groups[c->out->n_groups];
    *c->f = (struct flight_found){ .name = parts[0].g->name, .seq = FLIGHT_NONE };
    for (size_t i = 0; i < n && !c->f->desc.p; i++)
        c->f->desc = parts[i].g->desc;
    arena_reset(c->tmp);
    if (!add_members(c, parts, n) || !collect(c))
        return false;
    if (c->n_ref == 0)
        return true;
    if (!walk(c))
        return false;
    add_op(c->f);
    flight_describe(c->f, c->out->mem);
    c->out->n_groups++;
    return c->f->text.p != NULL;
}

/* ---- groups ---- */

static int cmp_ranks(const struct flight_group *a, const struct flight_group *b)
{
    size_t n = a->n_ranks;

    if (n != b->n_ranks) /* an unknown list comes last */
        return n == 0 || (b->n_ranks && n > b->n_ranks) ? 1 : -1;
    return n ? memcmp(a->ranks, b->ranks, n * sizeof *a->ranks) : 0;
}

static int cmp_name(struct str a, struct str b)
{
    int d = str_cmp_natural(a, b);

    return d ? d : str_cmp(a, b);
}

static int by_name(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    int d = cmp_name(x->g->name, y->g->name);

    if (d == 0)
        d = cmp_ranks(x->g, y->g);
    return d ? d : x->dump < y->dump ? -1 : x->dump > y->dump;
}

static bool has_rank(const struct flight_group *g, int rank)
{
    for (size_t i = 0; i < g->n_ranks; i++)
        if (g->ranks[i] == rank)
            return true;
    return false;
}

/* Parts of one name: those of the same ranks are a group; those that do not know join the one they are in. */
static bool add_named(struct comparing *c, struct part *parts, size_t n)
{
    size_t known = 0, at = 0, to;
    bool ok = true;

    while (known < n && parts[known].g->n_ranks)
        known++;
    if (known == 0)
        return add_group(c, parts, n);
    struct part *one = arena_array(c->all, n, sizeof *one);
    if (!one)
        return false;
    for (; ok && at < known; at = to) {
        size_t k = 0;
        for (to = at; to < known && cmp_ranks(parts[to].g, parts[at].g) == 0; to++)
            one[k++] = parts[to];
        for (size_t i = known; i < n; i++)
            if (has_rank(parts[at].g, c->dumps[parts[i].dump]->rank))
                one[k++] = parts[i];
        ok = add_group(c, one, k);
    }
    return ok;
}

static bool add_groups(struct comparing *c)
{
    for (size_t at = 0, to; at < c->n_parts; at = to) {
        for (to = at + 1; to < c->n_parts && str_eq(c->part[to].g->name, c->part[at].g->name);)
            to++;
        if (!add_named(c, c->part + at, to - at))
            return false;
    }
    return true;
}

/* ---- dumps ---- */

static int64_t newest(const struct flight_dump *d)
{
    int64_t ns = 0;

    for (size_t i = 0; i < d->n_entries; i++)
        ns = d->entries[i].created_ns > ns ? d->entries[i].created_ns : ns;
    return ns;
}

/* Entries of a dump by group, in their order: counted, then placed. */
static bool sort_entries(struct comparing *c, const struct flight_dump *d, struct by_group *by)
{
    by->first = arena_array(c->all, d->n_groups + 2, sizeof *by->first);
    by->entry = arena_array(c->all, d->n_entries + 1, sizeof *by->entry);
    if (!by->first || !by->entry)
        return false;
    for (size_t i = 0; i < d->n_entries; i++)
        by->first[d->entries[i].group + 2]++;
    for (size_t g = 2; g < d->n_groups + 2; g++)
        by->first[g] += by->first[g - 1];
    for (size_t i = 0; i < d->n_entries; i++)
        by->entry[by->first[d->entries[i].group + 1]++] = (uint32_t)i;
    return true;
}

static bool take_dumps(struct comparing *c)
{
    size_t parts = 0;

    for (size_t i = 0; i < c->n_dumps; i++)
        parts += c->dumps[i]->n_groups;
    c->by = arena_array(c->all, c->n_dumps, sizeof *c->by);
    c->part = arena_array(c->all, parts + 1, sizeof *c->part);
    c->out->groups = arena_array(c->out->mem, parts + 1, sizeof *c->out->groups);
    if (!c->by || !c->part || !c->out->groups)
        return false;
    for (size_t i = 0; i < c->n_dumps; i++) {
        const struct flight_dump *d = c->dumps[i];
        uint32_t had = d->rank < 0 ? 0 : u64map_get(&c->of_rank, (uint64_t)d->rank);
        if (!sort_entries(c, d, &c->by[i]))
            return false;
        if (d->rank >= 0 && (!had || newest(d) > newest(c->dumps[had - 1])))
            if (!u64map_set(&c->of_rank, (uint64_t)d->rank, (uint32_t)i + 1))
                return false;
        for (uint32_t g = 0; g < d->n_groups; g++)
            c->part[c->n_parts++] = (struct part){ &d->groups[g], (uint32_t)i, g };
    }
    qsort(c->part, c->n_parts, sizeof *c->part, by_name);
    return true;
}

int flight_compare(struct flight_compared **out, const struct flight_dump *const *dumps, size_t n,
                   struct err *e)
{
    struct comparing c = { .dumps = dumps, .n_dumps = n, .seed = str_seed() };

    *out = NULL;
    c.out = calloc(1, sizeof *c.out);
    if (!c.out)
        return err_nomem(e);
    if (arena_new(&c.out->mem, FLIGHT_COMPARE_B, e) == OK && arena_new(&c.all, FLIGHT_COMPARE_B, e) == OK &&
        arena_new(&c.tmp, FLIGHT_COMPARE_B, e) == OK &&
        !(take_dumps(&c) && add_groups(&c) && flight_find_roots(c.out, dumps, n)))
        err_set(e, ERR_LIMIT, "flight recorder dumps of too many ranks and collectives to compare");
    u64map_done(&c.of_rank);
    arena_free(c.all);
    arena_free(c.tmp);
    if (e->code)
        flight_compared_free(c.out);
    else
        *out = c.out;
    return e->code;
}

void flight_compared_free(struct flight_compared *c)
{
    if (!c)
        return;
    arena_free(c->mem);
    free(c);
}
