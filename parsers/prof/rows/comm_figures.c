/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of communication ops. */
#include "config.h"

#include "parsers/prof/rows/comm_figures.h"

#include "base/bounded.h"
#include "parsers/prof/words.h"

static void add_link(struct comm_figures *o, const struct comm_moved *t)
{
    size_t i = 0;

    while (i < o->n_links &&
           (o->link[i].src != t->src || o->link[i].dst != t->dst || o->link[i].link != t->link))
        i++;
    if (i == COMM_LINKS)
        i--;
    if (i == o->n_links)
        o->link[o->n_links++] = (struct comm_link){ t->src, t->dst, t->transport, t->link, 0, 0 };
    o->link[i].size_b += t->size_b;
    o->link[i].ns = bounded_add(o->link[i].ns, t->ns);
}

/* It moves data: a copy or a reduction by SDMA, or a payload of RDMA. */
static bool moves(const struct comm_moved *t)
{
    return t->transport == PROF_SDMA ? t->is_copy : t->rdma == PROF_RDMA_PAYLOAD;
}

void comm_figures_add(struct comm_figures *o, const struct comm_moved *t)
{
    if (t->is_main && t->is_wait) {
        o->wait = bounded_add(o->wait, t->ns);
        o->sync = bounded_add(o->sync, o->moved ? 0 : t->ns);
    }
    if (!moves(t))
        return;
    add_link(o, t);
    if (t->transport == PROF_SDMA && t->link == PROF_LINK_ON_CHIP)
        return;
    o->size_b += t->size_b;
    o->transit = bounded_add(o->transit, t->is_main ? t->ns : 0);
    o->moved |= t->is_main;
}

void comm_figures_exec(const struct comm_figures *o, int64_t dur, struct val *v)
{
    int64_t busy = bounded_add(o->transit, o->wait);

    v[COL(comm_exec, transit_ns)] = val_int(o->transit);
    v[COL(comm_exec, wait_ns)] = val_int(o->wait);
    v[COL(comm_exec, sync_ns)] = val_int(o->sync);
    v[COL(comm_exec, idle_ns)] = dur >= busy ? val_int(dur - busy) : val_null();
    v[COL(comm_exec, size_b)] = o->size_b <= INT64_MAX ? val_int((int64_t)o->size_b) : val_null();
}

/* Name of a link in the matrix (doc/formats/msprof.md#communicationjson). */
static const char *word_of(const struct comm_link *l)
{
    const char *word = prof_word(l->transport == PROF_SDMA ? prof_links : prof_transports,
                                 l->transport == PROF_SDMA ? l->link : l->transport);

    if (l->transport == PROF_SDMA && l->link == PROF_LINK_ON_CHIP)
        return "LOCAL";
    if (l->transport == PROF_SDMA && l->link == PROF_LINK_HCCS_SW)
        return "HCCS";
    return word ? word : "SDMA";
}

int comm_figures_links(const struct comm_figures *o, const struct val *row, struct sink *s, struct err *e)
{
    for (size_t i = 0; i < o->n_links; i++) {
        const struct comm_link *l = &o->link[i];
        struct val v[N_COLS(comm_link)];
        if (l->src == UINT32_MAX)
            continue;
        for (size_t k = 0; k < N_COLS(comm_link); k++)
            v[k] = row[k];
        v[COL(comm_link, src_rank)] = val_int(l->src);
        v[COL(comm_link, dst_rank)] = val_int(l->dst == UINT32_MAX ? l->src : l->dst);
        v[COL(comm_link, transport)] = val_cstr(word_of(l));
        v[COL(comm_link, size_b)] = l->size_b <= INT64_MAX ? val_int((int64_t)l->size_b) : val_null();
        v[COL(comm_link, time_ns)] = val_int(l->ns);
        if (l->ns > 0)
            v[COL(comm_link, bandwidth)] = val_real((double)l->size_b / (double)l->ns * 1e9);
        if (sink_row(s, T_comm_link, v, N_COLS(comm_link), NULL, e))
            return e->code;
    }
    return OK;
}
