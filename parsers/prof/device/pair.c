/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of starts and ends: a table of open starts by key, and a list of the records of keys that are odd. */
#include "config.h"

#include "parsers/prof/device/pair.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/hash.h"

enum state { FREE, OPEN, ODD };

struct slot {
    uint64_t key;
    struct prof_start s;
    uint8_t state;
};

struct odd {
    uint64_t key, counter;
    uint32_t seq;
    uint8_t kind;
    bool is_end;
};

struct prof_pairs {
    enum prof_pairing how;
    prof_pair_fn *fn;
    void *arg;
    struct slot *slot; /* open addressing; mask + 1 of them */
    size_t mask, n;
    struct odd *odd;
    size_t n_odd, cap_odd;
    struct prof_pairs_lost lost;
};

#define FIRST_SLOTS ((size_t)256) /* a power of two */
#define FIRST_ODD   ((size_t)64)

int prof_pairs_new(struct prof_pairs **out, enum prof_pairing how, prof_pair_fn *fn, void *arg, struct err *e)
{
    struct prof_pairs *p = calloc(1, sizeof *p);

    *out = p;
    if (!p || !(p->slot = calloc(FIRST_SLOTS, sizeof *p->slot)))
        return err_nomem(e);
    p->how = how;
    p->fn = fn;
    p->arg = arg;
    p->mask = FIRST_SLOTS - 1;
    return OK;
}

void prof_pairs_free(struct prof_pairs *p)
{
    if (!p)
        return;
    free(p->slot);
    free(p->odd);
    free(p);
}

/* ---- the table ---- */

/* The key's slot, or the free one where it belongs. */
static struct slot *find(const struct prof_pairs *p, uint64_t key)
{
    size_t i = prof_hash(key) & p->mask;

    while (p->slot[i].state != FREE && p->slot[i].key != key)
        i = (i + 1) & p->mask;
    return &p->slot[i];
}

static int make_room(struct prof_pairs *p, struct err *e)
{
    struct slot *old = p->slot;
    size_t n_old = p->mask + 1;

    if (p->n * 2 < n_old)
        return OK;
    struct slot *more = calloc(n_old * 2, sizeof *more);
    if (!more)
        return err_nomem(e);
    p->slot = more;
    p->mask = n_old * 2 - 1;
    for (size_t i = 0; i < n_old; i++)
        if (old[i].state != FREE)
            *find(p, old[i].key) = old[i];
    free(old);
    return OK;
}

static struct slot *put(struct prof_pairs *p, uint64_t key, enum state state, struct err *e)
{
    if (make_room(p, e))
        return NULL;
    struct slot *s = find(p, key);
    p->n += s->state == FREE;
    s->key = key;
    s->state = (uint8_t)state;
    return s;
}

/* Slots after it that are not at home move up. */
static void take_out(struct prof_pairs *p, struct slot *s)
{
    size_t hole = (size_t)(s - p->slot);

    for (size_t i = (hole + 1) & p->mask; p->slot[i].state != FREE; i = (i + 1) & p->mask) {
        size_t home = prof_hash(p->slot[i].key) & p->mask;
        if (((i - home) & p->mask) < ((i - hole) & p->mask))
            continue;
        p->slot[hole] = p->slot[i];
        hole = i;
    }
    p->slot[hole].state = FREE;
    p->n--;
}

/* ---- records as they come ---- */

static int add_odd(struct prof_pairs *p, const struct odd *o, struct err *e)
{
    struct odd *v = grow_array(p->odd, p->n_odd, &p->cap_odd, sizeof *v, FIRST_ODD);

    if (!v)
        return err_nomem(e);
    p->odd = v;
    v[p->n_odd++] = *o;
    return OK;
}

static int add_odd_start(struct prof_pairs *p, uint64_t key, const struct prof_start *s, struct err *e)
{
    return add_odd(p, &(struct odd){ .key = key, .counter = s->counter, .seq = s->seq, .kind = s->kind }, e);
}

int prof_pairs_start(struct prof_pairs *p, uint64_t key, const struct prof_start *s, struct err *e)
{
    struct slot *t = find(p, key);

    if (t->state == FREE || p->how == PROF_PAIR_LAST) {
        p->lost.starts += t->state == OPEN;
        if ((t = put(p, key, OPEN, e)) != NULL)
            t->s = *s;
        return e->code;
    }
    if (t->state == OPEN) {
        t->state = ODD;
        if (add_odd_start(p, key, &t->s, e))
            return e->code;
    }
    return add_odd_start(p, key, s, e);
}

int prof_pairs_end(struct prof_pairs *p, uint64_t key, uint64_t counter, struct err *e)
{
    struct slot *t = find(p, key);
    struct prof_start s = t->s;

    if (t->state == OPEN && s.counter <= counter) {
        take_out(p, t);
        return p->fn(p->arg, key, &s, counter, e);
    }
    if (p->how == PROF_PAIR_LAST) {
        p->lost.ends++;
        return OK;
    }
    if (t->state == OPEN && add_odd_start(p, key, &s, e))
        return e->code;
    if (t->state == OPEN)
        t->state = ODD;
    else if (t->state == FREE && !put(p, key, ODD, e))
        return e->code;
    return add_odd(p, &(struct odd){ .key = key, .counter = counter, .is_end = true }, e);
}

/* ---- odd ones ---- */

static int by_key(const void *va, const void *vb)
{
    const struct odd *a = va, *b = vb;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->is_end != b->is_end)
        return a->is_end ? 1 : -1;
    if (a->counter != b->counter)
        return a->counter < b->counter ? -1 : 1;
    return a->seq < b->seq ? -1 : a->seq > b->seq;
}

static bool go_together(const struct odd *s, const struct odd *end, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (end[i].counter < s[i].counter)
            return false;
    return true;
}

static int give(struct prof_pairs *p, const struct odd *s, uint64_t end, struct err *e)
{
    struct prof_start start = { .counter = s->counter, .seq = s->seq, .kind = s->kind };

    return p->fn(p->arg, s->key, &start, end, e);
}

/* s: n starts by time, and after them n_ends ends. */
static int pair_key(struct prof_pairs *p, const struct odd *s, size_t n, size_t n_ends, struct err *e)
{
    const struct odd *end = s + n;
    bool all = n == n_ends && go_together(s, end, n);
    size_t k = 0, pairs = 0;

    for (size_t i = 0; i < n; i++) {
        while (!all && k < n_ends && end[k].counter < s[i].counter)
            k++;
        if (k == n_ends)
            break;
        if (!all && i + 1 < n && end[k].counter >= s[i + 1].counter)
            continue;
        if (give(p, &s[i], end[k++].counter, e))
            return e->code;
        pairs++;
    }
    p->lost.starts += n - pairs;
    p->lost.ends += n_ends - pairs;
    return OK;
}

static size_t run_of(const struct odd *v, size_t at, size_t n)
{
    size_t i = at;

    while (i < n && v[i].key == v[at].key && v[i].is_end == v[at].is_end)
        i++;
    return i - at;
}

int prof_pairs_finish(struct prof_pairs *p, struct prof_pairs_lost *lost, struct err *e)
{
    if (p->n_odd)
        qsort(p->odd, p->n_odd, sizeof *p->odd, by_key);
    for (size_t i = 0; i < p->n_odd;) {
        uint64_t key = p->odd[i].key;
        size_t n = p->odd[i].is_end ? 0 : run_of(p->odd, i, p->n_odd);
        size_t n_ends = i + n < p->n_odd && p->odd[i + n].key == key ? run_of(p->odd, i + n, p->n_odd) : 0;
        if (pair_key(p, &p->odd[i], n, n_ends, e))
            return e->code;
        i += n + n_ends;
    }
    for (size_t i = 0; i <= p->mask; i++)
        p->lost.starts += p->slot[i].state == OPEN;
    *lost = p->lost;
    return OK;
}

int prof_pairs_open(struct prof_pairs *p, struct err *e)
{
    for (size_t i = 0; i <= p->mask; i++)
        if (p->slot[i].state == OPEN && p->fn(p->arg, p->slot[i].key, &p->slot[i].s, PROF_NO_END, e))
            return e->code;
    return OK;
}
