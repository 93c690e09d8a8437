/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks and their ops. */
#include "config.h"

#include "parsers/mindspore/task_keys.h"

#include <stdlib.h>

#include "base/grow.h"

#define ALONE_FROM 25000 /* up to r1.7 a task number from here on is the key alone */
#define TASK_BITS  16
#define TURN_ABOVE 65000

struct task_keys {
    bool short_key;
    struct intern *keys;
    uint32_t *value; /* by key */
    size_t cap;
};
/* Last number of a stream, and how often they began anew. */
struct task_turn {
    uint64_t last, turns;
};

struct task_key task_key_of(bool short_key, uint32_t stream, uint64_t task)
{
    return (struct task_key){ task, short_key && task >= ALONE_FROM ? TASK_KEY_ALONE : stream };
}

static struct str view(const struct task_key *k)
{
    return (struct str){ (const char *)k, sizeof *k };
}

int task_keys_new(struct task_keys **out, bool short_key, struct err *e)
{
    struct task_keys *k = *out = calloc(1, sizeof *k);

    if (!k)
        return err_nomem(e);
    k->short_key = short_key;
    if (intern_new(&k->keys, e)) {
        task_keys_free(k);
        *out = NULL;
    }
    return e->code;
}

void task_keys_free(struct task_keys *k)
{
    if (!k)
        return;
    intern_free(k->keys);
    free(k->value);
    free(k);
}

int task_keys_put(struct task_keys *k, uint32_t stream, uint64_t task, uint32_t value, struct err *e)
{
    struct task_key key = task_key_of(k->short_key, stream, task);
    uint32_t i = intern_put(k->keys, view(&key));
    uint32_t *values = i == INTERN_NONE ? NULL : grow_array(k->value, i, &k->cap, sizeof *values, 1024);

    if (!values)
        return err_nomem(e);
    k->value = values;
    values[i] = value;
    return OK;
}

uint32_t task_keys_count(const struct task_keys *k)
{
    return k ? intern_count(k->keys) : 0;
}

uint32_t task_keys_find(const struct task_keys *k, uint32_t stream, uint64_t task)
{
    if (!k)
        return TASK_KEYS_NONE;
    struct task_key key = task_key_of(k->short_key, stream, task);
    uint32_t i = intern_find(k->keys, view(&key));
    return i == INTERN_NONE ? TASK_KEYS_NONE : i;
}

uint32_t task_keys_value(const struct task_keys *k, uint32_t i)
{
    return k->value[i];
}

uint32_t task_keys_neighbour(const struct task_keys *k, uint32_t stream, uint64_t task, bool after,
                             bool wraps)
{
    uint32_t i = task_keys_find(k, stream, task), n = task_keys_count(k);

    if (i == TASK_KEYS_NONE)
        return TASK_KEYS_NONE;
    if (after)
        return i + 1 < n ? i + 1 : TASK_KEYS_NONE;
    return i ? i - 1 : wraps ? n - 1 : TASK_KEYS_NONE;
}

/* ---- task numbers that begin anew ---- */

int task_turns_next(struct task_turns *t, uint32_t stream, uint64_t *task, struct err *e)
{
    if (!t->streams && intern_new(&t->streams, e))
        return e->code;
    uint32_t before = intern_count(t->streams);
    uint32_t at = intern_put(t->streams, (struct str){ (const char *)&stream, sizeof stream });
    struct task_turn *v = at == INTERN_NONE ? NULL : grow_array(t->v, at, &t->cap, sizeof *v, 64);
    if (!v)
        return err_nomem(e);
    t->v = v;
    if (at == before)
        v[at] = (struct task_turn){ 0, 0 };
    else if (*task < v[at].last && (t->any_number || v[at].last > TURN_ABOVE)) {
        v[at].turns++;
        t->all++;
    }
    v[at].last = *task;
    *task += (t->of_all ? t->all : v[at].turns) << TASK_BITS;
    return OK;
}

void task_turns_done(struct task_turns *t)
{
    intern_free(t->streams);
    free(t->v);
    *t = (struct task_turns){ .all = 0 };
}
