/* SPDX-License-Identifier: Apache-2.0 */
/* Traces of communication ops of MindSpore 1.x (doc/formats/mindspore1.md#hccl_info, #hccl_raw). */
#include "config.h"

#include "parsers/mindspore/records/hccl_trace.h"

#include <stdlib.h>

#include "base/grow.h"
#include "parsers/read/jwalk.h"
#include "parsers/read/lines.h"

#define MAX_EVENTS ((size_t)16 << 20)
#define THIS_RANK  INT64_C(0xffffffff)

/* clang-format off */
static const struct { const char *word; enum hccl_task task; } tasks[] = {
    { "RDMASend",      HCCL_RDMA_SEND },
    { "Reduce Inline", HCCL_REDUCE },
    { "Memcpy",        HCCL_COPY },
    { "Notify Record", HCCL_RECORD },
    { "Notify Wait",   HCCL_WAIT },
};
static const char *const transports[] = {
    [HCCL_SDMA] = "SDMA", [HCCL_RDMA] = "RDMA", [HCCL_LOCAL] = "LOCAL",
};
/* clang-format on */

const char *hccl_transport_word(enum hccl_transport t)
{
    return transports[t];
}

/* ---- reading ---- */

struct reader {
    struct jwalk w;
    struct hccl_trace *t;
    size_t cap;
    struct hccl_event ev;
    bool has_ts, src, dst;
    uint64_t bad;
};

static enum hccl_task task_of(struct str word)
{
    for (size_t i = 0; i < ARRAY_LEN(tasks); i++)
        if (str_eq(word, str_of(tasks[i].word)))
            return tasks[i].task;
    return HCCL_OTHER;
}

static enum hccl_transport transport_of(struct str word)
{
    for (size_t i = HCCL_SDMA; i < ARRAY_LEN(transports); i++)
        if (str_eq(word, str_of(transports[i])))
            return (enum hccl_transport)i;
    return HCCL_NO_TRANSPORT;
}

/* A number, or hexadecimal text as up to r1.5. */
static bool size_of(struct str s, double *out)
{
    uint64_t v = 0;

    if (!str_starts(s, STR("0x")))
        return str_f64(s, out) && *out >= 0;
    for (size_t i = 2; i < s.n; i++) {
        int c = s.p[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0 || v >> 60)
            return false;
        v = v << 4 | (uint64_t)digit;
    }
    *out = (double)v;
    return s.n > 2;
}

static bool time_of(struct str s, double *us, int64_t *ns)
{
    return str_f64(s, us) && str_scaled(s, 1000, ns, NULL);
}

static void on_field(struct reader *r, struct str key, struct str text)
{
    if (str_eq(key, STR("tid"))) {
        r->bad += !str_i64(text, &r->ev.tid);
    } else if (str_eq(key, STR("ts"))) {
        r->has_ts = time_of(text, &r->ev.ts_us, &r->ev.ts_ns);
        r->bad += !r->has_ts;
    } else if (str_eq(key, STR("dur"))) {
        r->bad += !time_of(text, &r->ev.dur_us, &r->ev.dur_ns);
    }
}

static void on_arg(struct reader *r, struct str key, struct str text)
{
    if (str_eq(key, STR("task type")))
        r->ev.task = task_of(text);
    else if (str_eq(key, STR("transport type")))
        r->ev.transport = transport_of(text);
    else if (str_eq(key, STR("src rank")))
        r->src = str_i64(text, &r->ev.src);
    else if (str_eq(key, STR("dst rank")))
        r->dst = str_i64(text, &r->ev.dst);
    else if (str_eq(key, STR("size")))
        r->bad += !size_of(text, &r->ev.size_b);
}

static int end_event(struct reader *r, struct err *e)
{
    if (r->t->n >= MAX_EVENTS)
        return err_set(e, ERR_LIMIT, "more than %zu events", MAX_EVENTS);
    struct hccl_event *v = grow_array(r->t->event, r->t->n, &r->cap, sizeof *v, 256);
    if (!v)
        return err_nomem(e);
    r->t->event = v;
    r->ev.has_ranks = r->src && r->dst;
    if (!r->t->n)
        r->t->has_ts = r->has_ts;
    v[r->t->n++] = r->ev;
    return OK;
}

/* traceEvents[i].<key>, .args.<key> */
static int on_token(struct reader *r, enum js_token tok, struct str text, struct err *e)
{
    const struct jwalk *w = &r->w;

    if (w->depth < 2 || !str_eq(jwalk_key(w, 0), STR("traceEvents")))
        return OK;
    if (w->depth == 2 && tok == JS_OBJ) {
        r->ev = (struct hccl_event){ .tid = 0 };
        r->has_ts = r->src = r->dst = false;
    } else if (w->depth == 2 && tok == JS_OBJ_END) {
        return end_event(r, e);
    } else if (jwalk_is_scalar(tok) && tok != JS_NULL) {
        if (w->depth == 3)
            on_field(r, jwalk_key(w, 2), text);
        else if (w->depth == 4 && str_eq(jwalk_key(w, 2), STR("args")))
            on_arg(r, jwalk_key(w, 3), text);
    }
    return OK;
}

int hccl_trace_read(struct parse_ctx *c, struct hccl_trace *out, struct err *e)
{
    struct reader r = { .t = out };
    struct str text;

    *out = (struct hccl_trace){ .event = NULL };
    if (jwalk_open(&r.w, c, e) == OK)
        for (enum js_token tok; (tok = jwalk_next(&r.w, &text, e)) != JS_END;)
            if (on_token(&r, tok, text, e))
                break;
    out->damaged = r.w.damaged || r.bad;
    jwalk_close(&r.w);
    if (e->code == OK)
        parse_note(c, NOTE_BAD_VALUE, r.bad, "values of events that are no numbers");
    return e->code;
}

void hccl_trace_done(struct hccl_trace *t)
{
    free(t->event);
    *t = (struct hccl_trace){ .event = NULL };
}

/* ---- links ---- */

static int order(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

static int by_key(const void *a, const void *b)
{
    const struct hccl_link *x = a, *y = b;
    int c = order(x->src, y->src);

    c = c ? c : order(x->dst, y->dst);
    c = c ? c : order(x->transport, y->transport);
    return c ? c : order((int64_t)x->first, (int64_t)y->first);
}

static int by_place(const void *a, const void *b)
{
    const struct hccl_link *x = a, *y = b;
    int c = order((int64_t)x->pair, (int64_t)y->pair);

    return c ? c : order((int64_t)x->first, (int64_t)y->first);
}

static bool same_pair(const struct hccl_link *a, const struct hccl_link *b)
{
    return a->src == b->src && a->dst == b->dst;
}

static void add_link(struct hccl_link *to, const struct hccl_link *x)
{
    to->time_ms += x->time_ms;
    to->size_kb += x->size_kb;
    to->bandwidth += x->bandwidth;
    to->wait_ms += x->wait_ms;
    to->n++;
}

void hccl_links_join(struct hccl_link *v, size_t *n)
{
    size_t kept = 0;

    for (size_t i = 0; i < *n; i++)
        v[i].first = i;
    if (*n)
        qsort(v, *n, sizeof *v, by_key);
    for (size_t i = 0; i < *n; i++) {
        struct hccl_link *last = kept ? &v[kept - 1] : NULL;
        if (last && same_pair(last, &v[i]) && last->transport == v[i].transport) {
            add_link(last, &v[i]);
            continue;
        }
        v[kept] = v[i];
        v[kept++].n = 1;
    }
    for (size_t from = 0, to; from < kept; from = to) {
        size_t least = v[from].first;
        for (to = from + 1; to < kept && same_pair(&v[from], &v[to]); to++)
            least = v[to].first < least ? v[to].first : least;
        for (size_t i = from; i < to; i++)
            v[i].pair = least;
    }
    if (kept)
        qsort(v, kept, sizeof *v, by_place);
    *n = kept;
}

/* ---- one pass over events ---- */

/* An event in its group: those of the same ranks, in order. */
struct member {
    int64_t src, dst, tid;
    size_t at;
};
struct pass {
    const struct hccl_trace *t;
    struct member *m; /* with ranks */
    size_t n;
    struct hccl_link *link;
    size_t n_links;
};

static int by_group(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    int c = order(x->src, y->src);

    c = c ? c : order(x->dst, y->dst);
    return c ? c : order((int64_t)x->at, (int64_t)y->at);
}

static int by_thread(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    int c = order(x->tid, y->tid);

    return c ? c : order((int64_t)x->at, (int64_t)y->at);
}

static void finish_link(struct hccl_link *l, double time_us, double size_b, double wait_us)
{
    l->time_ms = time_us / 1e3;
    l->size_kb = size_b / 1e3;
    l->wait_ms = wait_us / 1e3;
    l->bandwidth = l->size_kb > 0 && l->time_ms > 0 ? l->size_kb / (l->time_ms / 1e3) : 0;
}

static void sdma_link(struct pass *p, const struct member *m, size_t n, size_t first)
{
    double time = 0, size = 0;

    for (size_t i = 0; i < n; i++) {
        const struct hccl_event *ev = &p->t->event[m[i].at];
        if (ev->transport != HCCL_SDMA || (ev->task != HCCL_REDUCE && ev->task != HCCL_COPY))
            continue;
        time += ev->dur_us;
        size += ev->size_b;
    }
    struct hccl_link *l = &p->link[p->n_links++];
    *l = (struct hccl_link){ .src = m->src, .dst = m->dst, .transport = HCCL_SDMA, .first = first };
    finish_link(l, time, size, 0);
}

/* Two sends and a wait, one after the other. */
static bool is_payload(const struct hccl_event *v, const struct member *m)
{
    return v[m[0].at].task == HCCL_RDMA_SEND && v[m[1].at].task == HCCL_RDMA_SEND &&
           v[m[2].at].task == HCCL_WAIT;
}

/* Adds up the payload of one thread. */
static void rdma_thread(const struct pass *p, const struct member *m, size_t n, struct hccl_link *l)
{
    const struct hccl_event *v = p->t->event;
    double time = 0, size = 0, wait = 0;

    for (size_t i = 0; i + 2 < n; i++)
        if (is_payload(v, &m[i])) {
            time += v[m[i].at].dur_us + v[m[i + 1].at].dur_us + v[m[i + 2].at].dur_us;
            size += v[m[i].at].size_b + v[m[i + 1].at].size_b;
            wait += v[m[i + 2].at].dur_us;
            i += 2;
        }
    finish_link(l, time, size, wait);
}

/* Members m, in order of threads from here on: those of RDMA, and local ones after the first of them. */
static void rdma_link(struct pass *p, struct member *m, size_t n, size_t first)
{
    struct hccl_link sum = { .src = m->src, .dst = m->dst, .transport = HCCL_RDMA, .first = first };

    qsort(m, n, sizeof *m, by_thread);
    for (size_t from = 0, to; from < n; from = to) {
        struct hccl_link one;
        for (to = from + 1; to < n && m[to].tid == m[from].tid; to++)
            ;
        rdma_thread(p, m + from, to - from, &one);
        add_link(&sum, &one);
    }
    p->link[p->n_links++] = sum;
}

/* The links of one group: members of the same ranks. */
static void on_group(struct pass *p, struct member *m, size_t n)
{
    size_t sdma = SIZE_MAX, rdma = SIZE_MAX, n_rdma = 0;

    for (size_t i = 0; i < n; i++) {
        const struct hccl_event *ev = &p->t->event[m[i].at];
        bool counts = ev->task != HCCL_RECORD;
        if (ev->transport == HCCL_SDMA && counts && sdma == SIZE_MAX)
            sdma = m[i].at;
        if (ev->transport == HCCL_RDMA && counts && rdma == SIZE_MAX)
            rdma = m[i].at;
    }
    if (sdma != SIZE_MAX)
        sdma_link(p, m, n, sdma);
    for (size_t i = 0; i < n && rdma != SIZE_MAX; i++) {
        const struct hccl_event *ev = &p->t->event[m[i].at];
        if ((ev->transport == HCCL_RDMA && ev->task != HCCL_RECORD) ||
            (ev->transport == HCCL_LOCAL && m[i].at > rdma))
            m[n_rdma++] = m[i];
    }
    if (n_rdma)
        rdma_link(p, m, n_rdma, rdma);
}

/* Ranks of an event as a link has them. */
static void mend_ranks(struct hccl_event *ev, bool swap)
{
    if (ev->src == THIS_RANK)
        ev->src = ev->dst;
    if (ev->dst == THIS_RANK)
        ev->dst = ev->src;
    if (swap && ev->transport == HCCL_LOCAL) {
        int64_t src = ev->src;
        ev->src = ev->dst;
        ev->dst = src;
    }
}

/* Links of the events of a thread, or of all; swap: turn local ones round, and leave them so. */
static int run_pass(struct arena *a, struct hccl_trace *t, const int64_t *tid, bool swap, struct pass *p,
                    struct err *e)
{
    *p = (struct pass){ .t = t };
    p->m = arena_array(a, t->n + 1, sizeof *p->m);
    p->link = arena_array(a, t->n + 1, 2 * sizeof *p->link);
    if (!p->m || !p->link)
        return err_nomem(e);
    for (size_t i = 0; i < t->n; i++) {
        struct hccl_event *ev = &t->event[i];
        if (!ev->has_ranks || (tid && ev->tid != *tid))
            continue;
        mend_ranks(ev, swap);
        p->m[p->n++] = (struct member){ ev->src, ev->dst, ev->tid, i };
    }
    qsort(p->m, p->n, sizeof *p->m, by_group);
    for (size_t from = 0, to; from < p->n; from = to) {
        for (to = from + 1; to < p->n && p->m[to].src == p->m[from].src && p->m[to].dst == p->m[from].dst;
             to++)
            ;
        size_t first = p->m[from].at, before = p->n_links;
        on_group(p, p->m + from, to - from);
        for (size_t i = before; i < p->n_links; i++)
            p->link[i].pair = first;
    }
    if (p->n_links)
        qsort(p->link, p->n_links, sizeof *p->link, by_place);
    return OK;
}

int hccl_cost_of(struct arena *a, struct hccl_trace *t, bool as_upstream, struct hccl_cost *out,
                 struct err *e)
{
    struct pass all, main;
    double wait_us = 0, link_wait_ms = 0;
    int64_t tid = INT64_MIN;

    *out = (struct hccl_cost){ .cost_ms = 0 };
    for (size_t i = 0; i < t->n; i++)
        tid = t->event[i].tid > tid ? t->event[i].tid : tid;
    if (run_pass(a, t, NULL, true, &all, e) || run_pass(a, t, &tid, as_upstream, &main, e))
        return e->code;
    for (size_t i = 0; i < t->n; i++)
        if (t->event[i].tid == tid && t->event[i].task == HCCL_WAIT)
            wait_us += t->event[i].dur_us;
    for (size_t i = 0; i < main.n_links; i++) {
        out->cost_ms += main.link[i].time_ms;
        link_wait_ms += main.link[i].wait_ms;
    }
    out->wait_ms = wait_us / 1e3 - link_wait_ms;
    out->link = all.link;
    out->n_links = all.n_links;
    return OK;
}
