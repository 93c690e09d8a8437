/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Models and iterations of the data: what query prints, and what a partial export is checked against
 * (doc/formats/msprof.md#command-line).
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/grow.h"
#include "base/path.h"
#include "msprof/run.h"

#define TOP 5 /* iterations that took longest */

struct model {
    uint64_t id;
    uint64_t n, last; /* iterations; the highest number of one */
    struct {
        uint64_t index, span;
    } top[TOP];
    size_t n_top;
};
struct models {
    struct model *v;
    size_t n, cap;
};

static struct model *model_of(struct models *m, uint64_t id, struct err *e)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->v[i].id == id)
            return &m->v[i];
    struct model *v = grow_array(m->v, m->n, &m->cap, sizeof *v, 8);
    if (!v) {
        err_nomem(e);
        return NULL;
    }
    m->v = v;
    v[m->n] = (struct model){ .id = id };
    return &v[m->n++];
}

static void keep_top(struct model *m, uint64_t index, uint64_t span)
{
    size_t at = m->n_top;

    while (at > 0 && m->top[at - 1].span < span)
        at--;
    if (at == TOP)
        return;
    m->n_top += m->n_top < TOP;
    for (size_t i = m->n_top - 1; i > at; i--)
        m->top[i] = m->top[i - 1];
    m->top[at].index = index;
    m->top[at].span = span;
}

static int add_steps(struct models *m, const struct prof_steps *s, struct err *e)
{
    for (size_t i = 0; i < s->n_steps; i++) {
        const struct prof_step *x = &s->step[i];
        struct model *of = x->again ? NULL : model_of(m, x->model, e);
        if (e->code)
            return e->code;
        if (!of)
            continue;
        of->n++;
        of->last = x->index > of->last ? x->index : of->last;
        keep_top(of, x->index, x->end - x->start);
    }
    return OK;
}

/* ---- the check ---- */

/* Models and their iterations, as far as there is room. */
static void put_models(const struct models *m, char *buf, size_t n)
{
    size_t at = 0;

    buf[0] = '\0';
    for (size_t i = 0; i < m->n && at + 80 < n; i++)
        at += (size_t)snprintf(buf + at, n - at, "%s model %llu with iterations up to %llu", i ? "," : "",
                               (unsigned long long)m->v[i].id, (unsigned long long)m->v[i].last);
}

/* All requested iterations must exist, as in msprof. */
static int check_models(const struct msprof_options *o, const struct models *m, struct err *e)
{
    uint64_t last = o->iteration + (o->count - 1);
    char known[400], asked[64] = "";
    bool model = false;

    for (size_t i = 0; i < m->n; i++) {
        model |= m->v[i].id == o->model;
        if (m->v[i].id == o->model && last >= o->iteration && last <= m->v[i].last)
            return OK;
    }
    put_models(m, known, sizeof known);
    if (!m->n || !model)
        return err_set(e, ERR_USAGE, "there is no model %u; there is%s", (unsigned)o->model,
                       m->n ? known : " no step trace at all");
    if (o->beyond)
        *o->beyond = true;
    if (o->count > 1)
        snprintf(asked, sizeof asked, " to %llu", (unsigned long long)last);
    return err_set(e, ERR_USAGE, "model %u has no iteration %llu%s; there is%s", (unsigned)o->model,
                   (unsigned long long)o->iteration, asked, known);
}

int msprof_check_iterations(const struct msprof_run *r, struct err *e)
{
    struct models m = { .v = NULL };

    for (size_t i = 0; r->o->partial && i < r->m.n_dev; i++)
        if (add_steps(&m, &r->steps[i], e))
            break;
    if (!e->code && r->o->partial)
        (void)!check_models(r->o, &m, e);
    free(m.v);
    return e->code;
}

/* ---- query ---- */

struct asking {
    struct prof *p;
    const struct unit *u;
    msprof_query_fn *fn;
    void *arg;
};

static struct msprof_query_row row_of(const struct asking *q, const struct prof_folder *f)
{
    const struct runinfo *info = &q->u->info;
    struct str dir = str_sub(f->rel, 0, f->rel.n - 1);

    return (struct msprof_query_row){ .job = runinfo_get(info, "prof.info.jobInfo", -1),
                                      .device = f->host ? -1 : f->device,
                                      .dir = str_after_last(dir, '/'),
                                      .time = runinfo_get(info, "prof.start_info.collectionDateBegin", -1),
                                      .rank = f->meta.rank };
}

static int report_device(const struct asking *q, struct prof_folder *f, struct err *e)
{
    const struct prof_host nobody = { .n_tasks = 0 };
    struct prof_device d = { .f = f };
    struct prof_steps s = { .n_steps = 0 };
    struct models m = { .v = NULL };
    struct msprof_query_row row = row_of(q, f);
    char top[TOP * 24];

    if (prof_device_read(&d, q->p, f, &nobody, e) == OK &&
        prof_steps_of(&s, d.mark, d.n_marks, true, e) == OK)
        (void)!add_steps(&m, &s, e);
    for (size_t i = 0; i < m.n && !e->code; i++) {
        size_t at = 0;
        for (size_t k = 0; k < m.v[i].n_top; k++)
            at += (size_t)snprintf(top + at, sizeof top - at, "%s%llu", k ? "," : "",
                                   (unsigned long long)m.v[i].top[k].index);
        row.has_model = true;
        row.model = m.v[i].id;
        row.iterations = m.v[i].n;
        row.top = (struct str){ top, at };
        (void)!q->fn(q->arg, &row, e);
    }
    if (!m.n && !e->code)
        (void)!q->fn(q->arg, &row, e);
    free(m.v);
    prof_steps_done(&s);
    prof_device_done(&d);
    return e->code;
}

int msprof_query_read(const struct unit *u, struct str root, msprof_query_fn *fn, void *arg, struct err *e)
{
    const struct prof_input in = { .files = (const struct source_file *const *)u->files,
                                   .n = u->n_files,
                                   .root = root,
                                   .device = -1,
                                   .run = &u->info };
    struct asking q = { .u = u, .fn = fn, .arg = arg };

    if (unit_paths(u, e) || prof_open(&q.p, &in, e))
        return e->code;
    if (q.p->host) {
        const struct msprof_query_row row = row_of(&q, q.p->host);
        (void)!fn(arg, &row, e);
    }
    for (size_t i = 0; i < q.p->n_devices && !e->code; i++)
        (void)!report_device(&q, q.p->device[i], e);
    prof_close(q.p);
    return e->code;
}
