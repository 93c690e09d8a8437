/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the host, and how they are nested. */
#include "config.h"

#include "parsers/prof/host/call_tree.h"

#include <stdlib.h>

#include "base/large/sort_index.h"
#include "parsers/prof/prof_layout.h"

#define NO_TREE (PROF_NONE - 1) /* while the tree is made, in place of a parent */
#define LOOSE   (PROF_NONE - 2)
#define A_MARK  UINT64_MAX /* in place of an end (doc/formats/prof.md#api_event) */

enum { API_EVENT_RECORD(FIELD_AT) };

/* ---- reading ---- */

struct apis {
    struct prof_api *v;
    size_t n, cap;
};
struct reading {
    struct prof *p;
    struct apis calls, marks;
    uint64_t backwards; /* they end before they begin */
};

static int add(struct reading *g, struct apis *a, const struct prof_api *x, struct err *e)
{
    struct prof_api *v = spool_grow(g->p->spool, a->v, a->n, &a->cap, sizeof *v, 1024);

    if (!v)
        return err_nomem(e);
    a->v = v;
    a->v[a->n++] = *x;
    return OK;
}

static int on_api(void *arg, struct prof_record *r, struct err *e)
{
    struct reading *g = arg;
    const struct prof_api x = { .begin = rec_u64(&r->rec, API_BEGIN),
                                .end = rec_u64(&r->rec, API_END),
                                .item = rec_u64(&r->rec, API_ITEM),
                                .type = rec_u32(&r->rec, API_TYPE),
                                .thread = rec_u32(&r->rec, API_THREAD),
                                .request = rec_u32(&r->rec, API_REQUEST),
                                .level = rec_u16(&r->rec, API_LEVEL) };

    if (!x.begin)
        return OK;
    if (x.end == A_MARK)
        return add(g, &g->marks, &x, e);
    if (x.end < x.begin) {
        g->backwards++;
        return OK;
    }
    return add(g, &g->calls, &x, e);
}

/* By the key of the marks of a call, then by time. */
static int compare_keys(const struct prof_api *a, const struct prof_api *b)
{
#define BY(field)                                                                                            \
    if (a->field != b->field)                                                                                \
    return a->field < b->field ? -1 : 1
    BY(thread);
    BY(level);
    BY(type);
    BY(item);
    BY(request);
#undef BY
    return 0;
}

static bool mark_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct prof_api *v = arg;
    int c = compare_keys(&v[a], &v[b]);

    return c ? c < 0 : v[a].begin < v[b].begin;
}

/* Two marks of the same key are a call. */
static int pair_marks(struct reading *g, struct err *e)
{
    struct apis *m = &g->marks;
    size_t lone = 0;

    if (prof_sort(g->p->spool, m->v, m->n, sizeof *m->v, mark_before, m->v, e))
        return e->code;
    for (size_t i = 0; i < m->n; i++) {
        if (i + 1 == m->n || compare_keys(&m->v[i], &m->v[i + 1])) {
            lone++;
            continue;
        }
        m->v[i].end = m->v[i + 1].begin;
        if (add(g, &g->calls, &m->v[i++], e))
            return e->code;
    }
    if (lone)
        prof_note(g->p, g->p->host, PROF_API_EVENT, NOTE_LOST_RECORDS,
                  "%zu calls of the host have a beginning but no end; ops in them have no model", lone);
    return OK;
}

static bool api_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct prof_api *v = arg;

    return v[a].begin != v[b].begin ? v[a].begin < v[b].begin : v[a].level > v[b].level;
}

static int sort_calls(struct reading *g, struct err *e)
{
    if (g->backwards)
        prof_note(g->p, g->p->host, PROF_API_EVENT, NOTE_INCONSISTENT,
                  "%llu calls of the host end before they begin; they were left out",
                  (unsigned long long)g->backwards);
    if (g->calls.n >= LOOSE)
        return err_set(e, ERR_LIMIT, "too many calls of the host");
    spool_fit(g->p->spool, g->calls.v, g->calls.n, sizeof *g->calls.v);
    return prof_sort(g->p->spool, g->calls.v, g->calls.n, sizeof *g->calls.v, api_before, g->calls.v, e);
}

int prof_apis_read(struct prof_api **api, size_t *n, struct prof *p, struct err *e)
{
    struct reading g = { .p = p };

    if (prof_read(p, p->host, PROF_API_EVENT, on_api, &g, e) == OK && pair_marks(&g, e) == OK)
        (void)!sort_calls(&g, e);
    spool_free(p->spool, g.marks.v);
    if (e->code) {
        spool_free(p->spool, g.calls.v);
        g.calls = (struct apis){ 0 };
    }
    *api = g.calls.v;
    *n = g.calls.n;
    return e->code;
}

/* ---- threads ---- */

enum flat { FLAT_ACL, FLAT_MODEL, FLAT_COMMUNICATION, N_FLAT, NESTED }; /* levels */

struct prof_tree_thread {
    uint32_t thread;
    uint32_t top; /* while the tree is made: the call that the next one may lie in */
    unsigned depth;
    uint64_t end[N_FLAT]; /* of the last call of a level */
    size_t from, n;       /* in list */
    size_t loose, n_loose;
    size_t hint, loose_hint;
    uint64_t first, last; /* begins of calls */
    uint64_t first_node, last_node;
    bool has_node;
};

/* Where the thread is, or would be, in the hash table. */
static size_t place(const struct prof_tree *t, uint32_t thread)
{
    uint64_t h = (thread ^ str_seed()) * 0x9e3779b97f4a7c15u;
    size_t i = (size_t)(h >> 32) & (t->room - 1);

    while (t->slot[i] && t->thread[t->slot[i] - 1].thread != thread)
        i = (i + 1) & (t->room - 1);
    return i;
}

static bool more_room(struct prof_tree *t)
{
    size_t room = t->room ? 2 * t->room : 64;
    uint32_t *slot = calloc(room, sizeof *slot);
    /* the table stays at most half full */
    struct prof_tree_thread *thread = realloc(t->thread, room / 2 * sizeof *thread);

    if (thread)
        t->thread = thread;
    if (!slot || !thread) {
        free(slot);
        return false;
    }
    free(t->slot);
    t->slot = slot;
    t->room = room;
    for (size_t i = 0; i < t->n_threads; i++)
        slot[place(t, t->thread[i].thread)] = (uint32_t)i + 1;
    return true;
}

static struct prof_tree_thread *thread_of(struct prof_tree *t, uint32_t thread)
{
    if (!t->thread || !t->slot)
        return NULL;
    if (t->last < t->n_threads && t->thread[t->last].thread == thread)
        return &t->thread[t->last];
    size_t i = t->slot[place(t, thread)];
    if (!i)
        return NULL;
    t->last = (uint32_t)(i - 1);
    return &t->thread[t->last];
}

static struct prof_tree_thread *thread_for(struct prof_tree *t, uint32_t thread)
{
    struct prof_tree_thread *x = thread_of(t, thread);

    if (x)
        return x;
    if (2 * (t->n_threads + 1) > t->room && !more_room(t))
        return NULL;
    t->slot[place(t, thread)] = (uint32_t)t->n_threads + 1;
    x = &t->thread[t->n_threads++];
    *x = (struct prof_tree_thread){ .thread = thread, .top = PROF_NONE };
    return x;
}

/* ---- the tree ---- */

static enum flat flat_of(unsigned level)
{
    return level == PROF_L_ACL             ? FLAT_ACL
           : level == PROF_L_MODEL         ? FLAT_MODEL
           : level == PROF_L_COMMUNICATION ? FLAT_COMMUNICATION
                                           : NESTED;
}

/* The nearest call from top outwards that x lies in, and how deep that is. */
static uint32_t around(const struct prof_tree *t, const struct prof_tree_thread *th, const struct prof_api *x,
                       unsigned *depth)
{
    uint32_t top = th->top;

    for (*depth = th->depth; top != PROF_NONE && x->end > t->api[top].end; --*depth)
        top = t->parent[top];
    return top;
}

static void hang(struct prof_tree *t, struct prof_tree_thread *th, uint32_t i)
{
    const struct prof_api *x = &t->api[i];
    enum flat flat = flat_of(x->level);
    unsigned depth;
    uint32_t top = around(t, th, x, &depth);

    t->parent[i] = NO_TREE;
    if (x->begin == x->end)
        return;
    if (x->level == PROF_L_RUNTIME) {
        if (top == PROF_NONE) {
            t->parent[i] = LOOSE;
            th->n_loose++;
        }
        return;
    }
    if ((flat == NESTED && x->level != PROF_L_NODE) || (flat != NESTED && x->begin < th->end[flat]) ||
        depth >= PROF_DEPTH)
        return;
    if (flat != NESTED)
        th->end[flat] = x->end;
    t->parent[i] = top;
    th->top = i;
    th->depth = depth + 1;
    th->n++;
}

/* The lists of the threads one after the other, in order of time each. */
static void fill_lists(struct prof_tree *t)
{
    size_t at = 0;

    for (size_t i = 0; i < t->n_threads; i++) {
        struct prof_tree_thread *th = &t->thread[i];
        th->from = at;
        th->loose = at + th->n;
        at = th->loose + th->n_loose;
        th->n = th->n_loose = 0;
    }
    for (size_t i = 0; i < t->n_apis; i++) {
        struct prof_tree_thread *th = thread_of(t, t->api[i].thread);
        if (!th || t->parent[i] == NO_TREE) {
            t->parent[i] = PROF_NONE;
        } else if (t->parent[i] == LOOSE) {
            t->parent[i] = PROF_NONE;
            t->list[th->loose + th->n_loose++] = (uint32_t)i;
        } else {
            t->list[th->from + th->n++] = (uint32_t)i;
        }
    }
}

/* Calls come by begin. */
static void note_begin(struct prof_tree_thread *th, const struct prof_api *x)
{
    th->first = th->first ? th->first : x->begin;
    th->last = x->begin;
    if (x->level != PROF_L_NODE)
        return;
    th->first_node = th->has_node ? th->first_node : x->begin;
    th->last_node = x->begin;
    th->has_node = true;
}

int prof_tree_make(struct prof_tree *t, struct spool *pool, const struct prof_api *api, size_t n,
                   struct err *e)
{
    *t = (struct prof_tree){ .spool = pool, .api = api, .n_apis = n };
    t->parent = spool_array(pool, n + 1, sizeof *t->parent);
    t->list = spool_array(pool, n + 1, sizeof *t->list);
    if (!t->parent || !t->list)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++) {
        struct prof_tree_thread *th = thread_for(t, api[i].thread);
        if (!th)
            return err_nomem(e);
        hang(t, th, (uint32_t)i);
        note_begin(th, &api[i]);
    }
    fill_lists(t);
    return OK;
}

void prof_tree_free(struct prof_tree *t)
{
    spool_free(t->spool, t->parent);
    spool_free(t->spool, t->list);
    free(t->thread);
    free(t->slot);
    *t = (struct prof_tree){ 0 };
}

/* ---- asking ---- */

struct asked {
    const struct prof_api *api;
    const uint32_t *list;
    uint64_t stamp;
};

static bool begins_before(const void *arg, size_t i)
{
    const struct asked *q = arg;

    return q->api[q->list[i]].begin < q->stamp;
}

/* The last of n calls of the list that begins before the stamp; PROF_NONE: none. */
static uint32_t last_before(const struct prof_tree *t, size_t from, size_t n, size_t *hint, uint64_t stamp)
{
    const struct asked q = { t->api, t->list + from, stamp };
    size_t i = prof_gallop(n, *hint, begins_before, &q);

    *hint = i ? i - 1 : 0;
    return i ? q.list[i - 1] : PROF_NONE;
}

uint32_t prof_tree_find(struct prof_tree *t, uint32_t thread, uint64_t stamp)
{
    struct prof_tree_thread *th = thread_of(t, thread);

    if (!th)
        return PROF_NONE;
    uint32_t i = last_before(t, th->from, th->n, &th->hint, stamp);
    while (i != PROF_NONE && t->api[i].end < stamp)
        i = t->parent[i];
    return i;
}

uint32_t prof_tree_loose(struct prof_tree *t, uint32_t thread, uint64_t stamp)
{
    struct prof_tree_thread *th = thread_of(t, thread);

    if (!th)
        return PROF_NONE;
    uint32_t i = last_before(t, th->loose, th->n_loose, &th->loose_hint, stamp);
    return i != PROF_NONE && t->api[i].end >= stamp ? i : PROF_NONE;
}

uint32_t prof_tree_up(const struct prof_tree *t, uint32_t api, unsigned level)
{
    while (api != PROF_NONE && t->api[api].level != level)
        api = t->parent[api];
    return api;
}

bool prof_tree_lacks_call(struct prof_tree *t, uint32_t thread, uint64_t stamp)
{
    const struct prof_tree_thread *th = thread_of(t, thread);

    return !th || stamp < th->first || stamp > th->last;
}

bool prof_tree_lacks_node(struct prof_tree *t, uint32_t thread, uint64_t stamp, uint32_t inner)
{
    const struct prof_tree_thread *th = thread_of(t, thread);

    if (th && th->has_node)
        return stamp < th->first_node || stamp > th->last_node;
    return inner == PROF_NONE && prof_tree_lacks_call(t, thread, stamp);
}
