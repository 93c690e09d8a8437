/* SPDX-License-Identifier: Apache-2.0 */
/* Open addressing with linear probes, as CPython does it. */
#include "config.h"

#include "offline/trace/pyset.h"

#include <stdbool.h>
#include <stdlib.h>

#define LEAST         8
#define LINEAR_PROBES 9
#define PERTURB_SHIFT 5
#define MANY          50000
#define MODULUS       ((UINT64_C(1) << 61) - 1) /* of the hash of an integer */

struct set {
    uint64_t *key;
    bool *used;
    size_t mask, n;
};

static int set_new(struct set *s, size_t size, struct err *e)
{
    *s = (struct set){ .mask = size - 1 };
    s->key = calloc(size, sizeof *s->key);
    s->used = calloc(size, sizeof *s->used);
    return s->key && s->used ? OK : err_nomem(e);
}

static void set_done(struct set *s)
{
    free(s->key);
    free(s->used);
}

static void insert(struct set *s, uint64_t key)
{
    uint64_t perturb = key % MODULUS;
    size_t i = (size_t)perturb & s->mask;

    for (;;) {
        size_t last = i + LINEAR_PROBES <= s->mask ? i + LINEAR_PROBES : i;
        for (size_t at = i; at <= last; at++)
            if (!s->used[at]) {
                s->used[at] = true;
                s->key[at] = key;
                s->n++;
                return;
            }
        perturb >>= PERTURB_SHIFT;
        i = (i * 5 + 1 + (size_t)perturb) & s->mask;
    }
}

static int grow(struct set *s, struct err *e)
{
    struct set new;
    size_t size = LEAST, least = s->n > MANY ? s->n * 2 : s->n * 4;

    while (size <= least)
        size *= 2;
    if (set_new(&new, size, e) == OK)
        for (size_t i = 0; i <= s->mask; i++)
            if (s->used[i])
                insert(&new, s->key[i]);
    set_done(s);
    *s = new;
    return e->code;
}

int pyset_order(uint64_t *v, size_t n, struct err *e)
{
    struct set s;
    size_t k = 0;

    (void)!set_new(&s, LEAST, e);
    for (size_t i = 0; i < n && !e->code; i++) {
        insert(&s, v[i]);
        if (s.n * 5 >= s.mask * 3)
            (void)!grow(&s, e);
    }
    for (size_t i = 0; !e->code && i <= s.mask; i++)
        if (s.used[i])
            v[k++] = s.key[i];
    set_done(&s);
    return e->code;
}
