/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which ranks form groups: communication_group.json and parallel_group_info of profiler_metadata.json
 * (doc/formats/analysed.md#communication_group, #profiler_metadata).
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/hash.h"
#include "parsers/parsers.h"
#include "parsers/read/jwalk.h"
#include "parsers/read/lines.h"
#include "parsers/tables/groups_json.h"

/* One group; texts lie in the arena of the file. */
struct group {
    struct str kind, hash, id, name, ranks; /* ranks: 0,4 */
    int64_t size;
    bool named; /* of comm_group_parallel_info: what the lists say, and more */
};

struct groups {
    const struct jwalk *w;
    struct group *v;
    size_t n, cap;
    struct group now; /* the entry that is open */
    struct buf ranks; /* of it */
    int64_t size;
    bool failed;
};

int groups_new(struct groups **out, const struct jwalk *w, struct err *e)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return err_nomem(e);
    (*out)->w = w;
    buf_init(&(*out)->ranks, LIM_JSON_STRING_B);
    return OK;
}

void groups_free(struct groups *g)
{
    if (!g)
        return;
    buf_done(&g->ranks);
    free(g->v);
    free(g);
}

static struct str keep(struct groups *g, struct str s)
{
    struct str k = s.p ? arena_str(g->w->c->tmp, s) : STR_NULL;

    g->failed |= s.p && !k.p;
    return k;
}

static void add_rank(struct groups *g, struct str text)
{
    int64_t rank;

    if (!str_i64(text, &rank))
        return;
    buf_printf(&g->ranks, "%s%lld", g->size++ ? "," : "", (long long)rank);
}

static void entry_clear(struct groups *g)
{
    g->now = (struct group){ .size = 0 };
    g->size = 0;
    buf_clear(&g->ranks);
}

/* The entry is whole. */
static void entry_put(struct groups *g)
{
    struct group *p = grow_array(g->v, g->n, &g->cap, sizeof *p, 64);

    g->failed |= !p || buf_failed(&g->ranks);
    if (p) {
        g->v = p;
        g->now.ranks = keep(g, buf_str(&g->ranks));
        g->now.size = g->size;
        g->v[g->n++] = g->now;
    }
    entry_clear(g);
}

/* comm_group_parallel_info.<i>.<key> */
static void info_token(struct groups *g, enum js_token tok, struct str text)
{
    const struct jwalk *w = g->w;
    struct str key = jwalk_key(w, 2);
    const struct {
        struct str key;
        struct str *slot;
    } texts[] = { { STR("type"), &g->now.kind },
                  { STR("group_name"), &g->now.hash },
                  { STR("group_id"), &g->now.id },
                  { STR("pg_name"), &g->now.name } };

    if (w->depth == 2 && tok == JS_OBJ_END) {
        g->now.named = true;
        entry_put(g);
    } else if (w->depth == 4 && str_eq(key, STR("rank_set"))) {
        add_rank(g, text);
    }
    for (size_t i = 0; i < ARRAY_LEN(texts) && w->depth == 3 && jwalk_is_scalar(tok) && text.n; i++)
        if (str_eq(key, texts[i].key))
            *texts[i].slot = keep(g, text);
}

/* collective.<i>.<i>, p2p.<i>.<i> */
static void list_token(struct groups *g, enum js_token tok, struct str text)
{
    if (g->w->depth == 3 && tok == JS_NUMBER) {
        add_rank(g, text);
    } else if (g->w->depth == 2 && tok == JS_ARR_END && g->size) {
        g->now.kind = keep(g, jwalk_key(g->w, 0));
        entry_put(g);
    }
}

/* parallel_group_info.<id>.<key> */
static void metadata_token(struct groups *g, enum js_token tok, struct str text)
{
    const struct jwalk *w = g->w;
    struct str key = jwalk_key(w, 2);

    if (w->depth == 4 && str_eq(key, STR("global_ranks"))) {
        add_rank(g, text);
    } else if (w->depth == 3 && str_eq(key, STR("group_name")) && text.n) {
        g->now.name = keep(g, text);
    } else if (w->depth == 2 && tok == JS_OBJ_END) {
        g->now.id = keep(g, jwalk_key(w, 1));
        g->now.named = true;
        entry_put(g);
    }
}

void groups_token(struct groups *g, enum js_token tok, struct str text)
{
    struct str top = jwalk_key(g->w, 0);

    if (str_eq(top, STR("comm_group_parallel_info")))
        info_token(g, tok, text);
    else if (str_eq(top, STR("parallel_group_info")))
        metadata_token(g, tok, text);
    else if (str_eq(top, STR("collective")) || str_eq(top, STR("p2p")))
        list_token(g, tok, text);
}

static bool is_named_elsewhere(const struct groups *g, const struct group *x)
{
    for (size_t i = 0; i < g->n && !x->named; i++)
        if (g->v[i].named && str_eq(g->v[i].ranks, x->ranks) && str_eq(g->v[i].kind, x->kind))
            return true;
    return false;
}

static struct val text_of(struct str s)
{
    return s.p ? val_text(s) : val_null();
}

static int put_group(struct groups *g, const struct group *x, struct err *e)
{
    struct parse_ctx *c = g->w->c;
    struct val v[N_COLS(comm_group)] = { 0 };
    struct str hash = x->hash;
    char made[24];

    if (!hash.p && x->id.n) {
        snprintf(made, sizeof made, "%" PRIu64, comm_group_hash(x->id));
        hash = str_of(made);
    }
    v[COL(comm_group, rank)] = val_int(c->rank);
    v[COL(comm_group, kind)] = text_of(x->kind);
    v[COL(comm_group, group_id)] = hash.p ? sink_text(c->out, hash) : val_null();
    v[COL(comm_group, id)] = text_of(x->id);
    v[COL(comm_group, name)] = text_of(x->name);
    v[COL(comm_group, ranks)] = text_of(x->ranks);
    v[COL(comm_group, size)] = val_int(x->size);
    v[COL(comm_group, source_id)] = val_int(c->f->id);
    return parse_row(c, T_comm_group, v, N_COLS(comm_group), e);
}

int groups_put(struct groups *g, struct err *e)
{
    if (g->failed)
        return err_nomem(e);
    for (size_t i = 0; i < g->n && !e->code; i++)
        if (!is_named_elsewhere(g, &g->v[i]) && put_group(g, &g->v[i], e))
            break;
    return e->code;
}

int parse_groups(struct parse_ctx *c, struct err *e)
{
    struct groups *g = NULL;
    struct jwalk w;
    struct str text;

    if (jwalk_open(&w, c, e) == OK && groups_new(&g, &w, e) == OK) {
        for (enum js_token tok; (tok = jwalk_next(&w, &text, e)) != JS_END;)
            groups_token(g, tok, text);
        if (!e->code && groups_put(g, e))
            goto out;
    }
out:
    groups_free(g);
    jwalk_close(&w);
    return e->code;
}
