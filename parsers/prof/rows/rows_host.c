/* SPDX-License-Identifier: Apache-2.0 */
/* Calls by name, and fused ops. */
#include "config.h"

#include <stdlib.h>

#include "base/grow.h"
#include "parsers/prof/rows/rows.h"

/* ---- api_stat ---- */

struct stat {
    uint64_t n;
    double total, squares; /* ns, us^2 */
    int64_t least, most;
};
struct stats {
    struct intern *keys; /* name and level; the id is the index in v */
    struct stat *v;
    size_t cap;
};
struct stat_key {
    uint32_t name, level;
};

static int add_call(struct stats *s, const struct stat_key *k, int64_t ns, struct err *e)
{
    uint32_t before = intern_count(s->keys);
    uint32_t id = intern_put(s->keys, (struct str){ (const char *)k, sizeof *k });

    if (id == INTERN_NONE)
        return err_nomem(e);
    struct stat *v = grow_array(s->v, id, &s->cap, sizeof *v, 256);
    if (!v)
        return err_nomem(e);
    s->v = v;
    if (id == before)
        v[id] = (struct stat){ .least = ns, .most = ns };
    v[id].n++;
    v[id].total += (double)ns;
    v[id].squares += (double)ns / 1000 * ((double)ns / 1000);
    v[id].least = ns < v[id].least ? ns : v[id].least;
    v[id].most = ns > v[id].most ? ns : v[id].most;
    return OK;
}

static int put_stat(struct prof_rows *r, const struct stat_key *k, const struct stat *s, struct err *e)
{
    struct val v[N_COLS(api_stat)] = { 0 };
    const char *level = prof_level_word(k->level);
    double mean = s->total / (double)s->n, mean_us = mean / 1000;

    v[COL(api_stat, rank)] = val_int(prof_rows_rank(r, r->m.p->host));
    v[COL(api_stat, level)] = level ? val_cstr(level) : val_null();
    v[COL(api_stat, name_id)] = val_id(prof_rows_id(r, k->name));
    v[COL(api_stat, calls)] = val_int((int64_t)s->n);
    v[COL(api_stat, total_ns)] = val_real(s->total);
    v[COL(api_stat, avg_ns)] = val_real(mean);
    v[COL(api_stat, min_ns)] = val_real((double)s->least);
    v[COL(api_stat, max_ns)] = val_real((double)s->most);
    double variance = s->squares / (double)s->n - mean_us * mean_us;
    v[COL(api_stat, variance)] = val_real(variance > 0 ? variance : 0);
    v[COL(api_stat, source_id)] = val_id(prof_rows_source(r->m.p->host, PROF_API_EVENT));
    return sink_row(r->g->out, T_api_stat, v, N_COLS(api_stat), NULL, e);
}

static int add_all(struct prof_rows *r, struct stats *s, struct err *e)
{
    const struct prof_host *h = &r->m.host;

    for (size_t i = 0; i < h->n_apis; i++) {
        const struct prof_api *a = &h->api[i];
        const struct stat_key k = { prof_api_name(r->m.p, a), a->level };
        if (!prof_api_is_kept(r->m.p, h, a))
            continue;
        if (add_call(s, &k, prof_host_ns(r->m.p->host, a->end) - prof_host_ns(r->m.p->host, a->begin), e))
            return e->code;
    }
    return OK;
}

int prof_rows_api(struct prof_rows *r, struct err *e)
{
    struct stats s = { .v = NULL };
    struct stat_key k;
    int rc = intern_new(&s.keys, e);

    if (rc == OK && r->m.p->host)
        rc = add_all(r, &s, e);
    for (uint32_t i = 0; rc == OK && i < intern_count(s.keys); i++) {
        memcpy(&k, intern_get(s.keys, i).p, sizeof k);
        rc = put_stat(r, &k, &s.v[i], e);
    }
    intern_free(s.keys);
    free(s.v);
    return rc;
}

/* ---- fusion ---- */

int prof_rows_fusion(struct prof_rows *r, struct err *e)
{
    for (size_t i = 0; i < r->m.host.n_fusion; i++) {
        const struct prof_fusion *f = &r->m.host.fusion[i];
        struct val v[N_COLS(fusion)] = { 0 };
        v[COL(fusion, rank)] = val_int(prof_rows_rank(r, r->m.p->host));
        v[COL(fusion, op_name_id)] = val_id(prof_rows_id(r, f->name));
        v[COL(fusion, original_id)] = val_id(prof_rows_id(r, f->originals));
        v[COL(fusion, model_id)] = val_int(f->model);
        for (size_t k = 0; k < ARRAY_LEN(f->memory_b); k++)
            v[COL(fusion, input_b) + k] =
                f->memory_b[k] <= INT64_MAX ? val_int((int64_t)f->memory_b[k]) : val_null();
        v[COL(fusion, source_id)] = val_id(prof_rows_source(r->m.p->host, PROF_FUSION_OP));
        if (sink_row(r->g->out, T_fusion, v, N_COLS(fusion), NULL, e))
            return e->code;
    }
    return OK;
}
