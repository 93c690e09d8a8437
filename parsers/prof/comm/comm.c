/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks and ops of communication: executions, names, times, bandwidths. */
#include "config.h"

#include "parsers/prof/comm/comm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/prof/comm/kfc_comm.h"
#include "parsers/prof/words.h"
#include "parsers/read/u64map.h"

#define KERNEL_WORD "AicpuKernel"

/* ---- what is kept ---- */

/* ---- tasks ---- */

struct making {
    struct prof_comm *c;
    struct prof *p;
    const struct prof_device *d;
    const struct prof_host *h;
    const struct prof_how *how;
};

static const struct prof_task *dev_of(const struct making *m, const struct prof_comm_task *t)
{
    return &m->d->task[t->task];
}
static const struct prof_host_task *host_of(const struct making *m, const struct prof_comm_task *t)
{
    return &m->h->task[t->host];
}
static const struct prof_comm_info *info_of(const struct prof_host *h, const struct prof_host_task *x)
{
    return x->comm == PROF_NONE ? NULL : &h->comm[x->comm];
}

static bool is_comm(const struct making *m, const struct prof_task *t)
{
    return t->host != PROF_NONE && m->h->task[t->host].is & PROF_IS_COMM &&
           m->h->task[t->host].comm_op != PROF_NONE && prof_keeps_comm(m->how, m->d->f, t->start, t->end);
}

/* The device's tasks are sorted by start: the n-th of one host task is in the n-th execution of its op. */
static int find_tasks(const struct making *m, struct err *e)
{
    struct prof_comm *c = m->c;
    uint32_t *times;

    for (size_t i = 0; i < m->d->n_tasks; i++)
        c->n_tasks += is_comm(m, &m->d->task[i]);
    c->task = spool_array(c->spool, c->n_tasks + 1, sizeof *c->task);
    times = spool_array(c->spool, m->h->n_tasks + 1, sizeof *times);
    if (!c->task || !times) {
        spool_free(c->spool, times);
        return err_nomem(e);
    }
    size_t n = 0;
    for (size_t i = 0; i < m->d->n_tasks && n < c->n_tasks; i++) {
        const struct prof_task *t = &m->d->task[i];
        if (is_comm(m, t))
            c->task[n++] =
                (struct prof_comm_task){ .task = (uint32_t)i, .host = t->host, .iter = ++times[t->host] };
    }
    spool_free(c->spool, times);
    return OK;
}

/* ---- sorting: indexes with what they are sorted by ---- */

struct order {
    uint64_t key[3];
    uint32_t at;
};

static int order_cmp(const void *a, const void *b)
{
    const struct order *x = a, *y = b;

    for (size_t i = 0; i < ARRAY_LEN(x->key); i++)
        if (x->key[i] != y->key[i])
            return x->key[i] < y->key[i] ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Put n elements into their order. ERR_NOMEM. */
static int reorder(void *v, size_t n, size_t each, const struct order *o, struct err *e)
{
    char *copy = malloc(n * each + 1);

    if (!copy)
        return err_nomem(e);
    memcpy(copy, v, n * each);
    for (size_t i = 0; i < n; i++)
        memcpy((char *)v + i * each, copy + o[i].at * each, each);
    free(copy);
    return OK;
}

/* ---- executions ---- */

static int task_cmp(const void *a, const void *b)
{
    const struct prof_comm_task *x = a, *y = b;

    if (x->run != y->run)
        return x->run < y->run ? -1 : 1;
    if (x->iter != y->iter)
        return x->iter < y->iter ? -1 : 1;
    return x->task < y->task ? -1 : x->task > y->task;
}

/* By op, execution, start. run is the op until the executions are found. */
static void sort_tasks(const struct making *m)
{
    struct prof_comm *c = m->c;

    for (size_t i = 0; i < c->n_tasks; i++)
        c->task[i].run = host_of(m, &c->task[i])->comm_op;
    qsort(c->task, c->n_tasks, sizeof *c->task, task_cmp);
}

static void add_to_run(const struct making *m, struct prof_comm_run *r, const struct prof_comm_task *t)
{
    const struct prof_task *d = dev_of(m, t);
    const struct prof_comm_info *info = info_of(m->h, host_of(m, t));
    bool master = host_of(m, t)->is & PROF_IS_MASTER;

    if (info && r->info == PROF_NONE)
        r->info = host_of(m, t)->comm;
    /* from the first task of a master call on, the times of others do not count */
    if (!r->n || (master && !r->n_master)) {
        r->start = d->start;
        r->end = d->end;
    } else if (master || !r->n_master) {
        r->start = d->start < r->start ? d->start : r->start;
        r->end = d->end > r->end ? d->end : r->end;
    }
    r->n++;
    r->n_master += master;
    r->n_info += info != NULL;
    if (host_of(m, t)->is & PROF_IS_UNTYPED)
        r->doubt |= PROF_DOUBT_TIME | PROF_DOUBT_DURATION | PROF_DOUBT_FIGURES;
    if (info && prof_is_number(m->p, info->item))
        r->doubt |= PROF_DOUBT_FIGURES;
}

static int find_runs(const struct making *m, struct err *e)
{
    struct prof_comm *c = m->c;
    const struct prof_comm_run *last = NULL;

    for (size_t i = 0; i < c->n_tasks; i++)
        c->n_runs += !i || c->task[i].iter != c->task[i - 1].iter || c->task[i].run != c->task[i - 1].run;
    c->run = spool_array(c->spool, c->n_runs + 1, sizeof *c->run);
    if (!c->run)
        return err_nomem(e);
    size_t n = 0;
    for (size_t i = 0; i < c->n_tasks; i++) {
        const struct prof_comm_task *t = &c->task[i];
        uint32_t op = t->run;
        if (!last || last->op != op || last->iter != t->iter) {
            c->run[n] = (struct prof_comm_run){ .op = op,
                                                .iter = t->iter,
                                                .at = (uint32_t)i,
                                                .info = PROF_NONE,
                                                .kfc = PROF_NONE,
                                                .first = m->h->api[m->h->comm_op[op].api].begin };
            last = &c->run[n++];
        }
        add_to_run(m, &c->run[n - 1], t);
    }
    return OK;
}

/*
 * Runs that lack tasks: the host issued more for their op than the device has records of. Tasks from before
 * the collection, which are left out, have records.
 */
static int find_lacking(const struct making *m, struct err *e)
{
    struct prof_comm *c = m->c;
    struct ops {
        uint32_t issued, ran, runs;
    } *o = calloc(m->h->n_comm_ops + 1, sizeof *o);

    if (!o)
        return err_nomem(e);
    for (size_t i = 0; i < m->h->n_tasks; i++)
        if (m->h->task[i].comm_op != PROF_NONE && m->h->task[i].device == m->d->f->device)
            o[m->h->task[i].comm_op].issued++;
    for (size_t i = 0; i < m->d->n_tasks; i++) {
        uint32_t host = m->d->task[i].host;
        if (host != PROF_NONE && m->h->task[host].comm_op != PROF_NONE)
            o[m->h->task[host].comm_op].ran++;
    }
    for (size_t i = 0; i < c->n_runs; i++)
        o[c->run[i].op].runs++;
    for (size_t i = 0; i < c->n_runs; i++) {
        const struct ops *x = &o[c->run[i].op];
        if (m->h->comm_op[c->run[i].op].lacks ||
            (c->run[i].n < x->issued && x->ran < (uint64_t)x->issued * x->runs))
            c->run[i].doubt |= PROF_DOUBT_TIME | PROF_DOUBT_DURATION | PROF_DOUBT_FIGURES;
    }
    free(o);
    return OK;
}

/* Of a stream: what its last task was. */
enum { STRAY = 1, KNOWN = 2, RUN = 4 }; /* its issue is not known; a task was met; times the run, from 1 */

static int stray_in(const struct making *m, const uint32_t *run, struct err *e)
{
    struct prof_comm *c = m->c;
    struct u64map last = { .n = 0 };

    for (size_t i = 0; i < m->d->n_tasks && !e->code; i++) {
        const struct prof_task *t = &m->d->task[i];
        uint32_t was = u64map_get(&last, (uint64_t)t->stream + 1), is = KNOWN;
        bool stray = t->host == PROF_NONE;
        uint32_t of = stray ? was / RUN : was & STRAY ? run[i] : 0;
        if (of)
            c->run[of - 1].doubt |= PROF_DOUBT_TIME | PROF_DOUBT_DURATION | PROF_DOUBT_FIGURES;
        is += stray ? (was & ~(uint32_t)(STRAY | KNOWN)) + STRAY : run[i] * RUN;
        if (is != was && !u64map_set(&last, (uint64_t)t->stream + 1, is))
            err_nomem(e);
    }
    u64map_done(&last);
    return e->code;
}

/*
 * Runs with a task before or after one of unknown issue on its stream: that one may be theirs, and its record
 * of the host lost.
 */
static int find_strays(const struct making *m, struct err *e)
{
    struct prof_comm *c = m->c;
    uint32_t *run = calloc(m->d->n_tasks + 1, sizeof *run); /* of each task, from 1 */

    if (!run)
        return err_nomem(e);
    for (size_t i = 0; i < c->n_runs; i++)
        for (uint32_t k = 0; k < c->run[i].n; k++)
            run[c->task[c->run[i].at + k].task] = (uint32_t)i + 1;
    (void)!stray_in(m, run, e);
    free(run);
    return e->code;
}

static int sort_runs(const struct making *m, struct err *e)
{
    struct prof_comm *c = m->c;
    struct order *o = calloc(c->n_runs + 1, sizeof *o);

    if (!o)
        return err_nomem(e);
    for (size_t i = 0; i < c->n_runs; i++)
        o[i] = (struct order){ { c->task[c->run[i].at].task }, (uint32_t)i };
    qsort(o, c->n_runs, sizeof *o, order_cmp);
    if (reorder(c->run, c->n_runs, sizeof *c->run, o, e) == OK)
        for (uint32_t i = 0; i < c->n_runs; i++)
            for (uint32_t k = 0; k < c->run[i].n; k++)
                c->task[c->run[i].at + k].run = i;
    free(o);
    return e->code;
}

/* ---- names ---- */

static uint32_t group_text(const struct making *m, const struct prof_comm_run *r)
{
    const struct prof_comm_op *op = &m->h->comm_op[r->op];

    if (r->info == PROF_NONE && !op->has_info)
        return prof_text(m->p, STR("N/A"));
    return prof_group_digits(m->p, r->info == PROF_NONE ? op->group_hash : m->h->comm[r->info].group_hash);
}

static uint32_t run_name(const struct making *m, const struct prof_comm_run *r)
{
    struct str op = prof_str(m->p, m->h->comm_op[r->op].name), group = prof_str(m->p, r->group);
    struct str end = str_sub(group, group.n > 3 ? group.n - 3 : 0, SIZE_MAX);
    char few[256], *t = few;
    size_t room = op.n + 64;
    uint32_t id = PROF_NONE;

    if (room > sizeof few && !(t = malloc(room)))
        return PROF_NONE;
    int n = snprintf(t, room, "%.*s_%.*s_%u_%u", (int)op.n, op.n ? op.p : "", (int)end.n, end.n ? end.p : "",
                     r->index, r->iter);
    if (n > 0 && (size_t)n < room)
        id = prof_text(m->p, (struct str){ t, (size_t)n });
    if (t != few)
        free(t);
    return id;
}

/* The host's stamp of a run's first task. */
static uint64_t first_stamp(const struct making *m, const struct prof_comm_run *r)
{
    uint64_t least = UINT64_MAX;

    for (uint32_t k = 0; k < r->n; k++) {
        uint64_t stamp = host_of(m, &m->c->task[r->at + k])->stamp;
        least = stamp < least ? stamp : least;
    }
    return least;
}

/*
 * From which stamp of the host on ops may be missing: then the numbers of those that follow are others
 * (UINT64_MAX: none are).
 */
static int first_missing(const struct making *m, uint64_t *stamp, struct err *e)
{
    uint8_t *ran = calloc(m->h->n_comm_ops + 1, 1);

    *stamp = UINT64_MAX;
    if (!ran)
        return err_nomem(e);
    for (size_t i = 0; i < m->d->n_tasks; i++) {
        uint32_t host = m->d->task[i].host;
        if (host != PROF_NONE && m->h->task[host].comm_op != PROF_NONE)
            ran[m->h->task[host].comm_op] = 1;
    }
    for (size_t i = 0; i < m->h->n_tasks; i++) {
        const struct prof_host_task *t = &m->h->task[i];
        if (t->device != m->d->f->device || t->stamp >= *stamp)
            continue;
        if (t->is & PROF_IS_ORPHAN || (t->comm_op != PROF_NONE && !ran[t->comm_op]))
            *stamp = t->stamp;
    }
    free(ran);
    return OK;
}

/*
 * Runs whose number is in doubt; of those of unknown group, too. Tasks of the device whose issue is not known
 * may be of ops before all others.
 */
static int doubt_numbers(const struct making *m, struct err *e)
{
    struct prof_comm *c = m->c;
    uint64_t missing, stray = UINT64_MAX;

    if (first_missing(m, &missing, e))
        return e->code;
    for (size_t i = 0; i < m->d->n_tasks && stray == UINT64_MAX; i++)
        stray = m->d->task[i].host == PROF_NONE ? m->d->task[i].start : stray;
    for (size_t i = 0; i < c->n_runs; i++)
        if (c->run[i].start >= stray || first_stamp(m, &c->run[i]) >= missing || c->run[i].info == PROF_NONE)
            c->run[i].doubt |= PROF_DOUBT_NAME;
    return OK;
}

/* Ops are counted in each group, those that AI CPUs run apart, in order of their calls. */
static int number_runs(const struct making *m, struct err *e)
{
    struct prof_comm *c = m->c;
    struct order *o = calloc(c->n_runs + 1, sizeof *o);
    uint64_t last = 0;
    uint32_t index = 0;

    if (!o)
        return err_nomem(e);
    for (size_t i = 0; i < c->n_runs; i++) {
        struct prof_comm_run *r = &c->run[i];
        struct str op = prof_str(m->p, m->h->comm_op[r->op].name);
        if ((r->group = group_text(m, r)) == PROF_NONE) {
            free(o);
            return err_nomem(e);
        }
        o[i] = (struct order){ { (uint64_t)r->group << 1 | (str_find(op, STR(KERNEL_WORD), 0) != SIZE_MAX),
                                 first_stamp(m, r), r->iter },
                               (uint32_t)i };
    }
    qsort(o, c->n_runs, sizeof *o, order_cmp);
    for (size_t i = 0; i < c->n_runs && !e->code; i++) {
        struct prof_comm_run *r = &c->run[o[i].at];
        bool same = i && o[i].key[0] == o[i - 1].key[0];
        index = same ? index + (r->first > last) : 0;
        last = same && r->first < last ? last : r->first;
        r->index = index;
        if ((r->name = run_name(m, r)) == PROF_NONE)
            err_nomem(e);
    }
    free(o);
    return e->code;
}

/* The number after those of the runs of its group that were issued before. */
static uint32_t open_index(const struct making *m, const struct prof_comm_run *r, uint64_t stamp)
{
    const struct prof_comm_run *before = NULL;
    uint64_t last = 0;

    for (size_t i = 0; i < m->c->n_runs; i++) {
        const struct prof_comm_run *o = &m->c->run[i];
        uint64_t at = o->group == r->group ? first_stamp(m, o) : UINT64_MAX;
        if (at > stamp || (at == stamp && o->iter >= r->iter))
            continue;
        last = o->first > last ? o->first : last;
        if (!before || o->index > before->index)
            before = o;
    }
    return before ? before->index + (r->first > last) : 0;
}

uint32_t prof_comm_open_name(const struct prof_comm *c, struct prof *p, const struct prof_device *d,
                             const struct prof_host *h, uint32_t host, uint32_t iter)
{
    const struct making m = { .c = (struct prof_comm *)c, .p = p, .d = d, .h = h };
    const struct prof_host_task *x = &h->task[host];
    struct prof_comm_run r = { .op = x->comm_op, .info = x->comm, .iter = iter };
    uint64_t stamp = x->stamp;

    for (size_t i = 0; i < h->n_tasks; i++)
        if (h->task[i].comm_op == r.op && h->task[i].device == d->f->device && h->task[i].stamp < stamp)
            stamp = h->task[i].stamp;
    r.first = h->api[h->comm_op[r.op].api].begin;
    r.group = group_text(&m, &r);
    if (r.group == PROF_NONE)
        return PROF_NONE;
    r.index = open_index(&m, &r, stamp);
    return run_name(&m, &r);
}

/* ---- bandwidth ---- */

static const struct prof_comm_info *task_info(const struct prof_comm *c, const struct prof_host *h,
                                              uint32_t i)
{
    return info_of(h, &h->task[c->task[i].host]);
}

static bool is_payload(const struct prof_comm *c, const struct prof_host *h, uint32_t i)
{
    const struct prof_comm_info *info = task_info(c, h, i);

    return info && info->rdma == PROF_RDMA_PAYLOAD;
}

struct prof_rdma prof_rdma_at(const struct prof_comm *c, const struct prof_host *h, const uint32_t *task,
                              size_t n, size_t i, struct str op)
{
    struct prof_rdma r = { .close = SIZE_MAX };
    size_t jump = prof_rdma_closes(op);

    for (size_t k = i; k < n && is_payload(c, h, task[k]); k++, r.n++) {
        uint64_t size_b = task_info(c, h, task[k])->size_b;
        r.size_b = size_b > UINT64_MAX - r.size_b ? UINT64_MAX : r.size_b + size_b;
    }
    if (r.n && i + r.n + jump - 2 < n)
        r.close = i + r.n + jump - 2;
    return r;
}

static bool has_python_rates(const struct prof_how *how)
{
    return how->dialect == DIALECT_PYTHON || how->python_rates;
}

/* GB/s of bytes in ns: the two factors of 10^9 are not exact in Python. */
static double rate(const struct prof_how *how, uint64_t size_b, double ns)
{
    if (!(ns > 0))
        return 0;
    return has_python_rates(how) ? (double)size_b * 1e-9 / (ns * 1e-9) : (double)size_b / ns;
}

static void plane_rates(const struct making *m, const uint32_t *at, size_t n, struct str op)
{
    struct prof_comm *c = m->c;

    for (size_t i = 0; i < n;) {
        struct prof_rdma r = prof_rdma_at(c, m->h, at, n, i, op);
        if (r.close == SIZE_MAX) {
            i += r.n ? r.n : 1;
            continue;
        }
        double ns = prof_span_ns(m->how, m->d->f, dev_of(m, &c->task[at[i]])->start,
                                 dev_of(m, &c->task[at[r.close]])->end);
        bool python = has_python_rates(m->how);
        double v = !(ns > 0) ? 0 : python ? (double)r.size_b / 1e6 / (ns / 1e6) : (double)r.size_b / ns;
        for (size_t k = 0; k < r.n; k++)
            c->task[at[i + k]].bandwidth = v;
        i = python ? r.close + 1 : i + r.n;
    }
}

/* Payload has the bandwidth of its run, on each plane of an op; the others have their own. */
static int payload_rates(const struct making *m, const struct prof_comm_run *r, struct err *e)
{
    struct order *o = calloc(r->n, sizeof *o);
    uint32_t *at = calloc(r->n, sizeof *at);

    if (!o || !at) {
        free(o);
        free(at);
        return err_nomem(e);
    }
    for (uint32_t k = 0; k < r->n; k++) {
        const struct prof_host_task *x = host_of(m, &m->c->task[r->at + k]);
        const struct prof_comm_info *info = info_of(m->h, x);
        o[k] =
            (struct order){ { info ? info->plane : 0, has_python_rates(m->how) ? x->stamp : 0 }, r->at + k };
    }
    qsort(o, r->n, sizeof *o, order_cmp);
    for (uint32_t k = 0; k < r->n; k++)
        at[k] = o[k].at;
    for (uint32_t k = 0, n; k < r->n; k += n) {
        for (n = 1; k + n < r->n && o[k + n].key[0] == o[k].key[0];)
            n++;
        plane_rates(m, at + k, n, prof_str(m->p, m->h->comm_op[r->op].name));
    }
    free(o);
    free(at);
    return OK;
}

static int find_rates(const struct making *m, struct err *e)
{
    struct prof_comm *c = m->c;

    for (size_t i = 0; i < c->n_runs; i++) {
        bool payload = false;
        for (uint32_t k = c->run[i].at; k < c->run[i].at + c->run[i].n; k++) {
            const struct prof_task *t = dev_of(m, &c->task[k]);
            const struct prof_comm_info *info = task_info(c, m->h, k);
            if (info)
                c->task[k].bandwidth =
                    rate(m->how, info->size_b, prof_span_ns(m->how, m->d->f, t->start, t->end));
            payload |= is_payload(c, m->h, k);
        }
        if (payload && payload_rates(m, &c->run[i], e))
            return e->code;
    }
    return OK;
}

/* ---- the whole ---- */

static int make(const struct making *m, struct err *e)
{
    if (!m->h->n_comm_ops || find_tasks(m, e))
        return e->code;
    sort_tasks(m);
    if (find_runs(m, e) || find_lacking(m, e) || find_strays(m, e) || sort_runs(m, e) || number_runs(m, e) ||
        doubt_numbers(m, e))
        return e->code;
    return find_rates(m, e);
}

int prof_comm_make(struct prof_comm *c, struct prof *p, const struct prof_device *d,
                   const struct prof_host *h, const struct prof_how *how, struct err *e)
{
    const struct making m = { .c = c, .p = p, .d = d, .h = h, .how = how };
    const struct prof_kfc_from kfc = { .p = p, .d = d, .h = h, .how = how, .comm = c };

    *c = (struct prof_comm){ .spool = p->spool };
    return make(&m, e) ? e->code : prof_kfc_comm_make(&c->kfc, &kfc, e);
}

void prof_comm_done(struct prof_comm *c)
{
    spool_free(c->spool, c->task);
    spool_free(c->spool, c->run);
    prof_kfc_comm_free(c->kfc);
    *c = (struct prof_comm){ .n_tasks = 0 };
}
