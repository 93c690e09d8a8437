/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks and their ops. */
#include "config.h"

#include "mindspore/keys.h"

#include <stdlib.h>

#include "base/grow.h"
#include "emit/emit.h"

#define ALONE_FROM 25000 /* up to r1.7 a task number from here on is the key alone */

struct mindspore_keys {
    bool short_key;
    struct intern *keys;
    uint32_t *name; /* by key */
    size_t cap;
};

struct mindspore_key mindspore_key_of(bool short_key, uint32_t stream, uint64_t task)
{
    return (struct mindspore_key){ task, short_key && task >= ALONE_FROM ? MINDSPORE_KEY_ALONE : stream };
}

size_t mindspore_key_text(const struct mindspore_key *k, char t[48])
{
    char number[24];
    size_t n = 0;

    if (k->stream != MINDSPORE_KEY_ALONE) {
        struct str s = str_of(emit_number(k->stream, number));
        memcpy(t, s.p, s.n);
        n = s.n;
        t[n++] = '_';
    }
    struct str s = str_of(emit_number(k->task, number));
    memcpy(t + n, s.p, s.n + 1);
    return n + s.n;
}

static struct str view(const struct mindspore_key *k)
{
    return (struct str){ (const char *)k, sizeof *k };
}

int mindspore_keys_new(struct mindspore_keys **out, bool short_key, struct err *e)
{
    struct mindspore_keys *k = *out = calloc(1, sizeof *k);

    if (!k)
        return err_nomem(e);
    k->short_key = short_key;
    if (intern_new(&k->keys, e)) {
        mindspore_keys_free(k);
        *out = NULL;
    }
    return e->code;
}

void mindspore_keys_free(struct mindspore_keys *k)
{
    if (!k)
        return;
    intern_free(k->keys);
    free(k->name);
    free(k);
}

int mindspore_keys_put(struct mindspore_keys *k, uint32_t stream, uint64_t task, uint32_t name, struct err *e)
{
    struct mindspore_key key = mindspore_key_of(k->short_key, stream, task);
    uint32_t i = intern_put(k->keys, view(&key));
    uint32_t *names = i == INTERN_NONE ? NULL : grow_array(k->name, i, &k->cap, sizeof *names, 1024);

    if (!names)
        return err_nomem(e);
    k->name = names;
    names[i] = name;
    return OK;
}

uint32_t mindspore_keys_count(const struct mindspore_keys *k)
{
    return k ? intern_count(k->keys) : 0;
}

uint32_t mindspore_keys_find(const struct mindspore_keys *k, uint32_t stream, uint64_t task)
{
    if (!k)
        return MINDSPORE_NO_KEY;
    struct mindspore_key key = mindspore_key_of(k->short_key, stream, task);
    uint32_t i = intern_find(k->keys, view(&key));
    return i == INTERN_NONE ? MINDSPORE_NO_KEY : i;
}

uint32_t mindspore_keys_name(const struct mindspore_keys *k, uint32_t i)
{
    return k->name[i];
}
