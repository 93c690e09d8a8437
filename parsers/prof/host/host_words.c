/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the host's calls and of models, and which calls the results keep. */
#include "config.h"

#include "parsers/prof/host/host.h"

#include "base/large/sort_index.h"

const char *prof_level_word(unsigned level)
{
    switch (level) {
    case PROF_L_ACL:
        return "acl";
    case PROF_L_MODEL:
        return "model";
    case PROF_L_NODE:
        return "node";
    case PROF_L_COMMUNICATION:
        return "communication";
    case PROF_L_RUNTIME:
        return "runtime";
    default:
        return NULL;
    }
}

struct asked_model {
    const struct prof_host *h;
    uint32_t model;
};

static bool graph_is_before(const void *arg, size_t i)
{
    const struct asked_model *q = arg;

    return q->h->graph[i].model < q->model;
}

uint32_t prof_model_name(struct prof *p, const struct prof_host *h, uint32_t model)
{
    const struct asked_model q = { h, model };
    size_t i = prof_gallop(h->n_graphs, 0, graph_is_before, &q);

    return i < h->n_graphs && h->graph[i].model == model ? h->graph[i].name : prof_hash_text(p, model);
}

uint32_t prof_api_name(struct prof *p, const struct prof_api *a)
{
    switch (a->level) {
    case PROF_L_ACL:
    case PROF_L_MODEL:
    case PROF_L_NODE:
    case PROF_L_RUNTIME:
        return prof_type_text(p, a->level, a->type);
    default:
        return prof_hash_text(p, a->item);
    }
}

struct in_load {
    const struct prof_host *h;
    const struct prof_api *a;
};

static bool load_is_before(const void *arg, size_t i)
{
    const struct in_load *q = arg;
    const struct prof_api *l = &q->h->api[q->h->load[i].api];

    return l->thread != q->a->thread ? l->thread < q->a->thread : l->begin <= q->a->begin;
}

/* Whether this instant of the call is after the beginning, or in a ModelLoad. */
static bool keeps(const struct prof *p, const struct prof_host *h, const struct prof_api *a, uint64_t instant)
{
    const struct in_load q = { h, a };

    if (!p->host || prof_host_ns(p->host, instant) >= prof_begin_ns(p->host))
        return true;
    size_t i = prof_gallop(h->n_loads, 0, load_is_before, &q);
    return i && h->api[h->load[i - 1].api].thread == a->thread && h->load[i - 1].end >= instant;
}

bool prof_api_is_kept(const struct prof *p, const struct prof_host *h, const struct prof_api *a)
{
    return keeps(p, h, a, a->end);
}

bool prof_api_begins_kept(const struct prof *p, const struct prof_host *h, const struct prof_api *a)
{
    return keeps(p, h, a, a->begin);
}
