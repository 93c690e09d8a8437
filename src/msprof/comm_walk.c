/* SPDX-License-Identifier: Apache-2.0 */
/* Communication tasks in msprof's order. */
#include "config.h"

#include "msprof/comm_walk.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/path.h"
#include "emit/report.h"
#include "msprof/tables/ops.h"
#include "parsers/prof/words.h"

/* ---- numbers and names ---- */

void msprof_num_add(struct msprof_num *n, double v)
{
    n->v += v;
    n->set = true;
}
void msprof_num_add_num(struct msprof_num *n, struct msprof_num x)
{
    if (x.set)
        msprof_num_add(n, x.v);
}
void msprof_num_ratio(struct msprof_num *n, double a, double b)
{
    if (b > 0)
        *n = (struct msprof_num){ emit_round(a / b, 4), true };
}

void msprof_put_member(struct emit *o, struct str s)
{
    emit_s(o, "\"");
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c == '"' || c == '\\') {
            emit_c(o, '\\');
            emit_c(o, (char)c);
        } else if (c < 0x20 || c == 0x7f) {
            char t[8];
            snprintf(t, sizeof t, "\\u%04x", c);
            emit_s(o, t);
        } else {
            emit_c(o, (char)c);
        }
    }
    emit_s(o, "\": ");
}

void msprof_put_num(struct emit *o, const char *word, struct msprof_num n, bool first)
{
    emit_s(o, first ? "" : ", ");
    msprof_put_member(o, str_of(word));
    if (n.set)
        emit_repr(o, n.v);
    else
        emit_c(o, '0');
}

/* ---- tasks ---- */

int msprof_comm_walk_new(struct msprof_comm_walk *g, struct msprof_run *r, size_t dev, struct err *e)
{
    *g = (struct msprof_comm_walk){
        .r = r,
        .dev = dev,
        .c = &r->m.comm[dev],
        .memcpy_text = prof_text(r->m.p, STR("Memcpy")),
        .reduce_text = prof_text(r->m.p, STR("Reduce_Inline")),
        .wait_text = prof_text(r->m.p, STR("Notify_Wait")),
    };
    return g->wait_text == PROF_NONE ? err_nomem(e) : OK;
}
void msprof_comm_walk_done(struct msprof_comm_walk *g)
{
    free(g->seen);
    free(g->at);
}

const struct prof_comm_info *msprof_comm_info_at(const struct msprof_comm_walk *g, uint32_t at)
{
    const struct prof_host *h = &g->r->m.host;
    uint32_t i = h->task[g->c->task[at].host].comm;

    return i == PROF_NONE ? NULL : &h->comm[i];
}
const struct prof_task *msprof_comm_task_at(const struct msprof_comm_walk *g, uint32_t at)
{
    return &g->r->m.dev[g->dev].task[g->c->task[at].task];
}
double msprof_comm_span_ns(const struct msprof_comm_walk *g, uint64_t from, uint64_t to)
{
    return prof_span_ns(&g->r->how[g->dev], g->r->m.dev[g->dev].f, from, to);
}
static double task_ms(const struct msprof_comm_walk *g, uint32_t at)
{
    return msprof_comm_span_ns(g, msprof_comm_task_at(g, at)->start, msprof_comm_task_at(g, at)->end) / 1e6;
}

/* The task itself moves data. */
static bool is_sdma(const struct msprof_comm_walk *g, const struct prof_comm_info *x)
{
    return x->transport == PROF_SDMA && (x->item == g->memcpy_text || x->item == g->reduce_text);
}

static int two_cmp(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}
static int order_cmp(const void *a, const void *b)
{
    const struct msprof_seen *x = a, *y = b;
    int c = two_cmp(x->order, y->order);

    return c ? c : two_cmp(x->at, y->at);
}
static int plane_cmp(const void *a, const void *b)
{
    const struct msprof_seen *x = a, *y = b;
    int c = two_cmp(x->plane, y->plane);

    return c ? c : two_cmp(x->order, y->order);
}
static int first_plane_cmp(const void *a, const void *b)
{
    const struct msprof_seen *x = a, *y = b;
    int c = two_cmp(x->first, y->first);

    return c ? c : two_cmp(x->order, y->order);
}

/*
 * By plane; planes are in order of their first tasks. The order of tasks is that of starts, in the Python
 * half that of the host's stamps.
 */
static void sort_seen(struct msprof_comm_walk *g)
{
    struct msprof_seen *v = g->seen;

    qsort(v, g->n, sizeof *v, order_cmp);
    for (size_t i = 0; i < g->n; i++)
        v[i].order = i;
    qsort(v, g->n, sizeof *v, plane_cmp);
    for (size_t i = 0; i < g->n; i++)
        v[i].first = i && v[i].plane == v[i - 1].plane ? v[i - 1].first : v[i].order;
    qsort(v, g->n, sizeof *v, first_plane_cmp);
}

int msprof_comm_walk_run(struct msprof_comm_walk *g, const struct prof_comm_run *run, struct err *e)
{
    g->run = run;
    g->n = 0;
    for (uint32_t i = run->at; i < run->at + run->n; i++) {
        const struct prof_comm_info *x = msprof_comm_info_at(g, i);
        if (!x)
            continue;
        struct msprof_seen *v = grow_array(g->seen, g->n, &g->cap, sizeof *v, 256);
        uint32_t *at = v ? grow_array(g->at, g->n, &g->at_cap, sizeof *at, 256) : NULL;
        g->seen = v ? v : g->seen;
        g->at = at ? at : g->at;
        if (!at)
            return err_nomem(e);
        uint64_t stamp = g->r->m.host.task[g->c->task[i].host].stamp;
        v[g->n++] = (struct msprof_seen){ .order = g->r->dialect == DIALECT_PYTHON ? stamp : 0,
                                          .plane = x->plane,
                                          .at = i };
    }
    if (g->n)
        sort_seen(g);
    return OK;
}

int msprof_comm_each(struct msprof_comm_walk *g, size_t n, msprof_moved_fn *moved, msprof_wait_fn *wait,
                     void *arg, struct err *e)
{
    struct str op = prof_str(g->r->m.p, g->r->m.host.comm_op[g->run->op].name);

    for (size_t i = 0; i < n && !e->code;) {
        const struct prof_comm_info *x = msprof_comm_info_at(g, g->at[i]);
        struct prof_rdma run = prof_rdma_at(g->c, &g->r->m.host, g->at, n, i, op);
        if (run.n) {
            if (run.close == SIZE_MAX) {
                i += run.n;
                continue;
            }
            double ns = msprof_comm_span_ns(g, msprof_comm_task_at(g, g->at[i])->start,
                                            msprof_comm_task_at(g, g->at[run.close])->end);
            (void)!moved(arg, x, (double)run.size_b / 1e6, ns / 1e6, true, e);
            i = run.close + 1;
            continue;
        }
        if (is_sdma(g, x))
            (void)!moved(arg, x, (double)x->size_b / 1e6, task_ms(g, g->at[i]), false, e);
        else if (wait && x->item == g->wait_text)
            wait(arg, task_ms(g, g->at[i]));
        i++;
    }
    return e->code;
}

int msprof_comm_each_plane(struct msprof_comm_walk *g, msprof_moved_fn *moved, void *arg, struct err *e)
{
    for (size_t k = 0, n; k < g->n && !e->code; k += n) {
        for (n = 0; k + n < g->n && g->seen[k + n].plane == g->seen[k].plane; n++)
            g->at[n] = g->seen[k + n].at;
        (void)!msprof_comm_each(g, n, moved, NULL, arg, e);
    }
    return e->code;
}

/* ---- files ---- */

uint32_t msprof_comm_key(struct msprof_run *r, const struct prof_comm_run *x)
{
    struct str name = prof_str(r->m.p, x->name), group = prof_str(r->m.p, x->group);
    char few[256], *t = name.n + 64 > sizeof few ? malloc(name.n + 64) : few;

    if (!t)
        return PROF_NONE;
    int n = snprintf(t, name.n + 64, "%.*s@%.*s", (int)name.n, name.p, (int)group.n, group.p);
    uint32_t id = prof_text(r->m.p, (struct str){ t, (size_t)n });
    if (t != few)
        free(t);
    return id;
}

bool msprof_comm_is_left(const struct msprof_run *r)
{
    return r->o->compat && msprof_is_level0(r);
}

void msprof_comm_none(struct msprof_run *r, const char *name)
{
    const char *why = "no communication op ran";

    for (size_t i = 0; i < r->m.n_dev; i++)
        if (r->m.comm[i].n_runs > 0)
            why = "what the tasks of communication moved is not known: hccl_info is missing";
    if (msprof_comm_is_left(r))
        why = "msprof analyses nothing of level 0";
    emit_report_add(r->report,
                    &(struct emit_result){ .rank = -1, .name = name, .outcome = EMIT_NO_DATA, .why = why });
}

static int create(struct msprof_run *r, struct emit **o, int device, const char *name, struct err *e)
{
    char file[300];

    if (device < 0)
        snprintf(file, sizeof file, "%s/%s", MSPROF_ANALYSED, name);
    else
        snprintf(file, sizeof file, "%s/device_%d/%s", MSPROF_ANALYSED, device, name);
    return msprof_create(r, o, file, true, e);
}

int msprof_comm_file(struct msprof_run *r, struct emit **o, int device, const char *name, struct err *e)
{
    char why[300];

    if (create(r, o, device, name, e) == OK)
        return OK;
    emit_report_add(r->report, &(struct emit_result){ .rank = device,
                                                      .name = name,
                                                      .outcome = EMIT_FAILED,
                                                      .why = err_message(e, why, sizeof why) });
    return e->code;
}
