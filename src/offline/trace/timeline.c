/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two walks over msprof's timeline: the first finds its layers and the flows of launches, the second, which
 * knows these, the kernels and what is summed up.
 */
#include "config.h"

#include "offline/trace/timeline.h"

#include <stdlib.h>

#include "base/read/json_stream.h"
#include "msprof/msprof.h"
#include "offline/trace/links.h"
#include "offline/trace/scope.h"
#include "offline/trace/step_sums.h"

/* ---- layers ---- */

static const struct {
    const char *name;
    unsigned layer;
} layers[] = {
    { "Ascend Hardware", LAYER_HARDWARE },
    { "CANN", LAYER_CANN },
    { "HCCL", LAYER_HCCL },
    { "Communication", LAYER_COMM },
    { "Overlap Analysis", LAYER_OVERLAP },
    { "python", LAYER_PYTHON },
    { "python3", LAYER_PYTHON },
};
static const struct {
    const char *name;
    enum overlap_thread is;
} threads[] = {
    { "Computing", COMPUTING },
    { "Communication", COMMUNICATION },
    { "Communication(Not Overlapped)", NOT_OVERLAPPED },
    { "Free", IDLE },
};

static struct offline_process *process_with(struct offline_run *r, struct offline_timeline *t, uint64_t pid,
                                            struct err *e)
{
    struct offline_process *p = (struct offline_process *)offline_process_of(t, pid);

    if (p)
        return p;
    p = spool_grow(r->pool, t->process, t->n_processes, &t->cap_processes, sizeof *p, 64);
    if (!p) {
        err_nomem(e);
        return NULL;
    }
    t->process = p;
    p[t->n_processes] = (struct offline_process){ .pid = pid, .device = -1 };
    return &p[t->n_processes++];
}

static int name_thread(struct offline_run *r, struct offline_timeline *t, const struct offline_event *ev,
                       struct str name, struct err *e)
{
    for (size_t i = 0; i < ARRAY_LEN(threads); i++) {
        if (!str_eq(name, str_of(threads[i].name)))
            continue;
        struct offline_thread *v =
            spool_grow(r->pool, t->thread, t->n_threads, &t->cap_threads, sizeof *v, 64);
        if (!v)
            return err_nomem(e);
        t->thread = v;
        v[t->n_threads++] = (struct offline_thread){ ev->pid_n, ev->tid_n, threads[i].is };
    }
    return OK;
}

/* The number in a label "NPU 3". */
static void take_device(struct offline_process *p, struct str label)
{
    uint64_t n;

    if (str_starts(label, STR("NPU ")) && str_u64(str_sub(label, 4, SIZE_MAX), &n) && n < 65536)
        p->device = (int)n;
}

static int take_metadata(struct offline_run *r, struct offline_timeline *t, const struct offline_event *ev,
                         struct err *e)
{
    struct str value = STR("");
    bool is_string;
    struct offline_process *p = process_with(r, t, ev->pid_n, e);

    if (!p)
        return e->code;
    if (str_eq(ev->name, STR("process_labels")) && js_find(ev->args, STR("labels"), &value, &is_string))
        take_device(p, value);
    if (!ev->args.p || !js_find(ev->args, STR("name"), &value, &is_string))
        return OK;
    if (str_eq(ev->name, STR("thread_name")))
        return name_thread(r, t, ev, value, e);
    if (!str_eq(ev->name, STR("process_name")))
        return OK;
    p->layer = 0;
    for (size_t i = 0; i < ARRAY_LEN(layers); i++)
        if (str_eq(value, str_of(layers[i].name)))
            p->layer = layers[i].layer;
    return OK;
}

/* ---- walks ---- */

/* Python's half of msprof numbers marks without what their connections begin with. */
static int take_tx(struct links *l, const struct offline_event *ev, struct err *e)
{
    struct offline_timeline *t = l->t;
    uint64_t id;

    if (!l->r->f.torch || !str_u64(ev->id, &id))
        return OK;
    struct offline_tx *v = spool_grow(l->r->pool, t->tx, t->n_tx, &t->cap_tx, sizeof *v, 256);
    if (!v)
        return err_nomem(e);
    t->tx = v;
    v[t->n_tx++] =
        (struct offline_tx){ ev->tid_n, id + (id < MSPROF_TX_CONNECTION ? MSPROF_TX_CONNECTION : 0),
                             ev->ts_ns };
    return OK;
}

static int take_flow(struct links *l, const struct offline_event *ev, struct err *e)
{
    if (str_eq(ev->cat, STR("HostToDevice")))
        return process_with(l->r, l->t, ev->pid_n, e) ? links_add(l, ev, e) : e->code;
    return ev->ph == 's' && str_eq(ev->cat, STR("MsTx")) ? take_tx(l, ev, e) : OK;
}

static int first_walk(struct links *l, struct err *e)
{
    struct offline_events *x = NULL;
    struct offline_event ev;

    if (offline_events_open(&x, l->r, e))
        return e->code;
    while (offline_events_next(x, &ev, e))
        if (ev.ph == 'M'                   ? take_metadata(l->r, l->t, &ev, e)
            : ev.ph == 's' || ev.ph == 'f' ? take_flow(l, &ev, e)
                                           : OK)
            break;
    offline_events_close(x);
    for (size_t i = 0; i < l->t->n_processes; i++)
        l->t->layers |= l->t->process[i].layer;
    return e->code;
}

static enum overlap_thread overlap_of(const struct offline_timeline *t, const struct offline_event *ev)
{
    for (size_t i = 0; i < t->n_threads; i++)
        if (t->thread[i].tid == ev->tid_n && t->thread[i].pid == ev->pid_n)
            return t->thread[i].is;
    return OVERLAP_NONE;
}

static int take_mark(struct links *l, const struct offline_event *ev, struct err *e)
{
    struct offline_timeline *t = l->t;
    struct offline_mark *v = spool_grow(l->r->pool, t->mark, t->n_marks, &t->cap_marks, sizeof *v, 256);

    if (!v)
        return err_nomem(e);
    t->mark = v;
    v[t->n_marks++] = (struct offline_mark){ ev->pid_n, ev->tid_n, ev->ts_ns };
    return OK;
}

static int take_complete(struct links *l, const struct offline_event *ev, struct err *e)
{
    struct offline_timeline *t = l->t;
    const struct offline_process *p = offline_process_of(t, ev->pid_n);
    unsigned layer = p ? p->layer : 0;

    if (t->is_linked && p && p->has_kernels && links_take_kernel(l, ev, e))
        return e->code;
    if (l->r->f.torch)
        return OK;
    if (layer & LAYER_OVERLAP)
        step_sums_overlap(t->sums, overlap_of(t, ev), ev);
    else if (layer & (LAYER_HCCL | LAYER_COMM))
        return step_sums_comm(t->sums, layer, ev, e);
    else if (layer & LAYER_PYTHON)
        return take_mark(l, ev, e);
    else if (layer & LAYER_HARDWARE && t->scope)
        return scope_add_kernel(t->scope, ev, t->is_linked ? links_at(l, ev) : OFFLINE_NONE, e);
    return OK;
}

static int second_walk(struct links *l, struct err *e)
{
    struct offline_events *x = NULL;
    struct offline_event ev;

    if (offline_events_open(&x, l->r, e))
        return e->code;
    while (offline_events_next(x, &ev, e))
        if (ev.ph == 'X' && take_complete(l, &ev, e))
            break;
    offline_events_close(x);
    return e->code;
}

/* Without one of these layers nothing is linked (doc/formats/framework.md#kernel-links). */
static bool can_link(const struct offline_run *r, const struct offline_timeline *t)
{
    const unsigned both = LAYER_HARDWARE | LAYER_CANN;

    if (r->f.torch)
        return t->n_links > 0;
    return r->has & NEEDS_LEVEL && (t->layers & both) == both && r->f.n_ranges;
}

static int read_timeline(struct offline_run *r, struct offline_timeline *t, struct err *e)
{
    struct links l = { .r = r, .t = t };

    if (intern_new(&t->texts, e) == OK && first_walk(&l, e) == OK && step_sums_new(&t->sums, r, e) == OK &&
        scope_new(&t->scope, r, e) == OK && (!can_link(r, t) || links_match(&l, e) == OK) &&
        second_walk(&l, e) == OK && t->is_linked && !r->f.torch)
        (void)!links_order(&l, e);
    links_done(&l);
    return e->code;
}

/* One that could not be read to its end is read again by the next that asks, and fails it, too. */
int offline_timeline(struct offline_run *r, const struct offline_timeline **out, struct err *e)
{
    if (!r->timeline) {
        r->timeline = calloc(1, sizeof *r->timeline);
        if (!r->timeline)
            return err_nomem(e);
        if (read_timeline(r, r->timeline, e)) {
            offline_timeline_done(r);
            return e->code;
        }
    }
    *out = r->timeline;
    return OK;
}

void offline_timeline_done(struct offline_run *r)
{
    struct offline_timeline *t = r->timeline;

    if (!t)
        return;
    spool_free(r->pool, t->process);
    spool_free(r->pool, t->thread);
    spool_free(r->pool, t->link);
    spool_free(r->pool, t->mark);
    spool_free(r->pool, t->tx);
    spool_free(r->pool, t->linked);
    spool_free(r->pool, t->by_event);
    step_sums_free(t->sums);
    scope_free(t->scope);
    intern_free(t->texts);
    free(t);
    r->timeline = NULL;
}

const struct offline_link *offline_link_of(const struct offline_timeline *t, uint32_t event, size_t *at)
{
    const struct offline_link *x = NULL;

    for (; *at < t->n_linked && t->link[t->by_event[*at]].event <= event; ++*at)
        if (t->link[t->by_event[*at]].event == event)
            x = &t->link[t->by_event[*at]];
    return x;
}
