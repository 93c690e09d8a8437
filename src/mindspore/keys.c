/* Tasks and their ops. */
#include "config.h"

#include "mindspore/keys.h"

#include <stdlib.h>

#include "base/grow.h"
#include "emit/vout.h"

#define ALONE_FROM 25000 /* a task number stands without its stream, up to r1.7 */

struct g1_keys {
    bool short_key;
    struct intern *keys;
    uint32_t *name; /* by key */
    size_t cap;
};

struct g1_key g1_key_of(bool short_key, uint32_t stream, uint64_t task)
{
    return (struct g1_key){ task, short_key && task >= ALONE_FROM ? G1_KEY_ALONE : stream };
}

size_t g1_key_text(const struct g1_key *k, char t[48])
{
    char number[24];
    size_t n = 0;

    if (k->stream != G1_KEY_ALONE) {
        struct str s = str_of(vendor_number(k->stream, number));
        memcpy(t, s.p, s.n);
        n = s.n;
        t[n++] = '_';
    }
    struct str s = str_of(vendor_number(k->task, number));
    memcpy(t + n, s.p, s.n + 1);
    return n + s.n;
}

static struct str view(const struct g1_key *k)
{
    return (struct str){ (const char *)k, sizeof *k };
}

int g1_keys_new(struct g1_keys **out, bool short_key, struct err *e)
{
    struct g1_keys *k = *out = calloc(1, sizeof *k);

    if (!k)
        return err_nomem(e);
    k->short_key = short_key;
    if (intern_new(&k->keys, e)) {
        g1_keys_free(k);
        *out = NULL;
    }
    return (int)e->code;
}

void g1_keys_free(struct g1_keys *k)
{
    if (!k)
        return;
    intern_free(k->keys);
    free(k->name);
    free(k);
}

int g1_keys_put(struct g1_keys *k, uint32_t stream, uint64_t task, uint32_t name, struct err *e)
{
    struct g1_key key = g1_key_of(k->short_key, stream, task);
    uint32_t i = intern_put(k->keys, view(&key));
    uint32_t *names =
        i == INTERN_NONE ? NULL : grow_array(k->name, i, &k->cap, sizeof *names, 1024);

    if (!names)
        return err_nomem(e);
    k->name = names;
    names[i] = name;
    return OK;
}

uint32_t g1_keys_count(const struct g1_keys *k)
{
    return k ? intern_count(k->keys) : 0;
}

uint32_t g1_keys_find(const struct g1_keys *k, uint32_t stream, uint64_t task)
{
    if (!k)
        return G1_NO_KEY;
    struct g1_key key = g1_key_of(k->short_key, stream, task);
    uint32_t i = intern_find(k->keys, view(&key));
    return i == INTERN_NONE ? G1_NO_KEY : i;
}

uint32_t g1_keys_name(const struct g1_keys *k, uint32_t i)
{
    return k->name[i];
}
