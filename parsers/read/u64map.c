/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers under 64-bit keys. */
#include "config.h"

#include "parsers/read/u64map.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

void u64map_done(struct u64map *m)
{
    free(m->key);
    free(m->value);
    *m = (struct u64map){ 0 };
}

/* The place of a key: where it is, else the first one that is free. */
static size_t place(const struct u64map *m, uint64_t key)
{
    size_t at = prof_hash(key) & (m->cap - 1);

    while (m->value[at] && m->key[at] != key)
        at = (at + 1) & (m->cap - 1);
    return at;
}

/* Twice the room. */
static bool grow(struct u64map *m)
{
    struct u64map old = *m;

    m->cap = old.cap ? old.cap * 2 : 256;
    m->key = malloc(m->cap * sizeof *m->key);
    m->value = calloc(m->cap, sizeof *m->value);
    if (!m->key || !m->value) {
        free(m->key);
        free(m->value);
        *m = old;
        return false;
    }
    for (size_t i = 0; i < old.cap; i++)
        if (old.value[i]) {
            size_t at = place(m, old.key[i]);
            m->key[at] = old.key[i];
            m->value[at] = old.value[i];
        }
    free(old.key);
    free(old.value);
    return true;
}

/* Place i becomes free: what was put behind it because it was taken moves up. */
static void clear_place(struct u64map *m, size_t i)
{
    const size_t mask = m->cap - 1;

    for (size_t j = (i + 1) & mask; m->value[j]; j = (j + 1) & mask) {
        size_t home = prof_hash(m->key[j]) & mask;
        if (((j - home) & mask) < ((j - i) & mask))
            continue; /* at home behind i */
        m->key[i] = m->key[j];
        m->value[i] = m->value[j];
        i = j;
    }
    m->value[i] = 0;
    m->n--;
}

bool u64map_set(struct u64map *m, uint64_t key, uint32_t value)
{
    if ((m->n + 1) * 2 > m->cap && !grow(m))
        return false;
    size_t at = place(m, key);
    m->n += !m->value[at];
    m->key[at] = key;
    m->value[at] = value;
    return true;
}

void u64map_drop(struct u64map *m, uint64_t key)
{
    size_t at = m->cap ? place(m, key) : 0;

    if (m->cap && m->value[at])
        clear_place(m, at);
}

uint32_t u64map_get(const struct u64map *m, uint64_t key)
{
    return m->cap ? m->value[place(m, key)] : 0;
}
