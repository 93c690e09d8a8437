/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over calls of the host, by level and name: rows of api_stat. */
#include "config.h"

#include <stdlib.h>

#include "base/grow.h"
#include "parsers/database/database_group.h"

/* Calls of one name and level. */
struct database_sum {
    uint64_t n;
    double total, squares; /* ns, us^2 */
    int64_t least, most;
};
struct sum_key {
    int64_t level;
    uint32_t name;
    uint32_t unused; /* its bytes are a key */
};

int database_sums_add(struct database_sums *s, int64_t level, uint32_t name, int64_t ns, struct err *e)
{
    const struct sum_key key = { .level = level, .name = name };

    if (!s->keys && intern_new(&s->keys, e))
        return e->code;
    uint32_t before = intern_count(s->keys);
    uint32_t id = intern_put(s->keys, (struct str){ (const char *)&key, sizeof key });
    struct database_sum *v = id == INTERN_NONE ? NULL : grow_array(s->v, id, &s->cap, sizeof *v, 256);

    if (!v)
        return err_nomem(e);
    s->v = v;
    v += id;
    if (id == before)
        *v = (struct database_sum){ .least = ns, .most = ns };
    v->n++;
    v->total += (double)ns;
    v->squares += (double)ns / 1000 * ((double)ns / 1000);
    v->least = ns < v->least ? ns : v->least;
    v->most = ns > v->most ? ns : v->most;
    return OK;
}

static int put_sum(struct database *d, const struct sum_key *k, const struct database_sum *s,
                   struct str level, struct err *e)
{
    struct val v[N_COLS(api_stat)] = { 0 };
    double mean = s->total / (double)s->n, mean_us = mean / 1000;
    double variance = s->squares / (double)s->n - mean_us * mean_us;

    v[COL(api_stat, rank)] = val_int(d->c->rank);
    v[COL(api_stat, level)] = val_text(level);
    v[COL(api_stat, name_id)] = val_id(k->name);
    v[COL(api_stat, calls)] = val_int((int64_t)s->n);
    v[COL(api_stat, total_ns)] = val_real(s->total);
    v[COL(api_stat, avg_ns)] = val_real(mean);
    v[COL(api_stat, min_ns)] = val_real((double)s->least);
    v[COL(api_stat, max_ns)] = val_real((double)s->most);
    v[COL(api_stat, variance)] = val_real(variance > 0 ? variance : 0);
    v[COL(api_stat, source_id)] = val_int(d->c->f->id);
    return sink_row(d->c->out, T_api_stat, v, N_COLS(api_stat), NULL, e);
}

int database_sums_put(struct database *d, const struct database_sums *s, database_level_fn *level,
                      struct err *e)
{
    struct sum_key key;

    for (uint32_t i = 0; s->keys && i < intern_count(s->keys); i++) {
        memcpy(&key, intern_get(s->keys, i).p, sizeof key);
        if (put_sum(d, &key, &s->v[i], level(d, key.level), e))
            return e->code;
    }
    return OK;
}

void database_sums_done(struct database_sums *s)
{
    intern_free(s->keys);
    free(s->v);
    *s = (struct database_sums){ .keys = NULL };
}
