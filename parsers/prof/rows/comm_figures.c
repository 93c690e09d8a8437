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

static void add_wait(struct comm_figures *o, int64_t ns)
{
    o->wait = bounded_add(o->wait, ns);
    o->sync = bounded_add(o->sync, o->moved ? 0 : ns);
}

static void add_single(struct comm_figures *o, const struct comm_moved *t)
{
    if (t->is_main && t->is_wait)
        add_wait(o, t->ns);
    if (!moves(t))
        return;
    add_link(o, t);
    if (t->transport == PROF_SDMA && t->link == PROF_LINK_ON_CHIP)
        return;
    o->size_b += t->size_b;
    o->transit = bounded_add(o->transit, t->is_main ? t->ns : 0);
    o->moved |= t->is_main;
}

/* ---- payload of RDMA (doc/formats/msprof.md#bandwidth) ---- */

/* The run of the task's plane; one for payload that begins one. NULL: the task is by itself. */
static struct comm_run *run_of(struct comm_figures *o, const struct comm_moved *t)
{
    bool is_payload = t->transport != PROF_SDMA && t->rdma == PROF_RDMA_PAYLOAD;
    size_t i = 0;

    while (i < o->n_runs && o->run[i].all.plane != t->plane)
        i++;
    if (i < o->n_runs)
        return o->run[i].left || is_payload ? &o->run[i] : NULL;
    if (!is_payload || i == COMM_RUNS)
        return NULL;
    o->run[i] = (struct comm_run){ .all = *t };
    o->n_runs++;
    return &o->run[i];
}

/* The last task of a run ends the transfer, and what waits in it is no waiting. */
void comm_figures_add(struct comm_figures *o, const struct comm_moved *t)
{
    struct comm_run *run = run_of(o, t);

    if (!run) {
        add_single(o, t);
    } else if (!run->left) {
        *run = (struct comm_run){ .all = *t, .left = o->closes - 1 };
    } else if (run->left == o->closes - 1 && t->rdma == PROF_RDMA_PAYLOAD) {
        run->all.size_b = t->size_b > UINT64_MAX - run->all.size_b ? UINT64_MAX : run->all.size_b + t->size_b;
        run->all.ns = bounded_add(run->all.ns, t->ns);
    } else if (--run->left) {
        run->wait = bounded_add(run->wait, t->is_wait ? t->ns : 0);
    } else {
        run->all.ns = bounded_sub(bounded_add(t->from, t->ns), run->all.from);
        add_single(o, &run->all);
    }
}

/* A run that nothing closes is the payload alone. */
void comm_figures_end(struct comm_figures *o)
{
    for (size_t i = 0; i < o->n_runs; i++) {
        struct comm_run *run = &o->run[i];
        if (!run->left)
            continue;
        run->left = 0;
        add_single(o, &run->all);
        if (run->all.is_main)
            add_wait(o, run->wait);
    }
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
