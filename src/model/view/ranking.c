/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting many texts in little memory: short runs are sorted and stored, then merged. */
#include "config.h"

#include "model/view/ranking.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/grow.h"
#include "base/heap.h"
#include "model/view/slice.h"

#define RUN_TEXTS   4096
#define RUN_ARENA_B ((size_t)1 << 30)
#define CHECK_EVERY 64

struct item {
    struct str s;
    uint32_t list, code;
};
struct run {
    struct texts *texts;
    uint32_t *list, *code;
    size_t n, at;
    struct texts_cursor cursor;
    struct str now;
};
struct ranking {
    const struct texts *const *lists;
    size_t n_lists;
    uint32_t **rank; /* per list */
    struct texts_cursor cursor;
    size_t list;
    uint32_t next;
    struct arena *arena;
    struct item *items; /* RUN_TEXTS of them */
    struct run *runs;
    size_t n_runs, cap_runs;
    uint32_t *heap; /* runs ordered by their current text */
    size_t n_heap;
    bool merging;
    uint32_t given;
    char *last; /* the last text that got a rank: `given` */
    size_t last_n, last_cap;
    bool any;
};

int ranking_new(struct ranking **out, const struct texts *const *lists, size_t n, struct err *e)
{
    struct ranking *r = calloc(1, sizeof *r);

    *out = r;
    if (!r)
        return err_nomem(e);
    r->lists = lists;
    r->n_lists = n;
    r->rank = calloc(n ? n : 1, sizeof *r->rank);
    r->items = malloc(RUN_TEXTS * sizeof *r->items);
    bool ok = r->rank && r->items && arena_new(&r->arena, RUN_ARENA_B, e) == OK;
    for (size_t i = 0; ok && i < n; i++)
        ok = (r->rank[i] = calloc((size_t)texts_count(lists[i]) + 1, sizeof **r->rank)) != NULL;
    if (!ok || (n && texts_open(&r->cursor, lists[0], e))) {
        ranking_free(r);
        *out = NULL;
        return err_nomem(e);
    }
    return OK;
}

static void run_done(struct run *u)
{
    texts_close(&u->cursor);
    texts_free(u->texts);
    free(u->list);
    free(u->code);
    *u = (struct run){ .n = 0 };
}

void ranking_free(struct ranking *r)
{
    if (!r)
        return;
    for (size_t i = 0; r->rank && i < r->n_lists; i++)
        free(r->rank[i]);
    for (size_t i = 0; i < r->n_runs; i++)
        run_done(&r->runs[i]);
    texts_close(&r->cursor);
    arena_free(r->arena);
    free(r->rank);
    free(r->items);
    free(r->runs);
    free(r->heap);
    free(r->last);
    free(r);
}

/* ---- runs ---- */

static int item_cmp(const void *a, const void *b)
{
    return str_cmp_natural(((const struct item *)a)->s, ((const struct item *)b)->s);
}

/* Collect the next texts, up to a run of them, through all lists. */
static int collect(struct ranking *r, size_t *n, struct err *e)
{
    arena_reset(r->arena);
    *n = 0;
    while (*n < RUN_TEXTS && r->list < r->n_lists) {
        if (r->next == texts_count(r->lists[r->list])) {
            texts_close(&r->cursor);
            r->next = 0;
            if (++r->list < r->n_lists && texts_open(&r->cursor, r->lists[r->list], e))
                return e->code;
            continue;
        }
        struct str s = arena_str(r->arena, texts_at(&r->cursor, r->next));
        if (!s.p)
            return err_nomem(e);
        r->items[(*n)++] = (struct item){ s, (uint32_t)r->list, ++r->next };
    }
    return OK;
}

static int new_run(struct ranking *r, struct run **out, size_t n, struct err *e)
{
    struct run *runs = grow_array(r->runs, r->n_runs, &r->cap_runs, sizeof *runs, 16);
    if (!runs)
        return err_nomem(e);
    r->runs = runs;
    struct run *u = *out = &r->runs[r->n_runs++];
    *u = (struct run){ .n = n };
    u->list = malloc(n * sizeof *u->list);
    u->code = malloc(n * sizeof *u->code);
    if (!u->list || !u->code || texts_new(&u->texts, e))
        return err_nomem(e);
    return OK;
}

static int add_run(struct ranking *r, struct err *e)
{
    size_t n;
    struct run *u = NULL;

    if (collect(r, &n, e) || !n || new_run(r, &u, n, e))
        return e->code;
    qsort(r->items, n, sizeof *r->items, item_cmp);
    for (size_t i = 0; i < n; i++) {
        u->list[i] = r->items[i].list;
        u->code[i] = r->items[i].code;
        if (texts_add(u->texts, r->items[i].s, e))
            return e->code;
    }
    texts_end(u->texts);
    return OK;
}

/* ---- merge ---- */

static bool before(const void *heap, size_t x, size_t y)
{
    const struct ranking *r = heap;
    uint32_t a = r->heap[x], b = r->heap[y];
    int d = str_cmp_natural(r->runs[a].now, r->runs[b].now);
    return d ? d < 0 : a < b;
}

static void swap_runs(void *heap, size_t x, size_t y)
{
    struct ranking *r = heap;
    uint32_t run = r->heap[x];

    r->heap[x] = r->heap[y];
    r->heap[y] = run;
}

static const struct heap_ops by_text = { before, swap_runs };

static int begin_merge(struct ranking *r, struct err *e)
{
    r->merging = true;
    arena_reset(r->arena);
    r->heap = malloc((r->n_runs ? r->n_runs : 1) * sizeof *r->heap);
    if (!r->heap)
        return err_nomem(e);
    for (size_t i = 0; i < r->n_runs; i++) {
        if (texts_open(&r->runs[i].cursor, r->runs[i].texts, e))
            return e->code;
        r->runs[i].now = texts_at(&r->runs[i].cursor, 0);
        r->heap[r->n_heap++] = (uint32_t)i;
    }
    for (size_t i = r->n_heap / 2; i-- > 0;)
        heap_down(r, i, r->n_heap, &by_text);
    return OK;
}

/* Give the next text a rank: a new one unless it equals the last text. */
static int give_rank(struct ranking *r, struct str s, struct err *e)
{
    bool distinct = r->n_lists == 1; /* texts of one list are distinct */

    if (r->any && !distinct && str_eq(s, (struct str){ r->last, r->last_n }))
        return OK;
    r->given += r->any;
    r->any = true;
    if (distinct)
        return OK;
    if (s.n > r->last_cap) {
        char *p = realloc(r->last, s.n * 2);
        if (!p)
            return err_nomem(e);
        r->last = p;
        r->last_cap = s.n * 2;
    }
    if (s.n)
        memcpy(r->last, s.p, s.n);
    r->last_n = s.n;
    return OK;
}

static int merge_one(struct ranking *r, struct err *e)
{
    struct run *u = &r->runs[r->heap[0]];

    if (give_rank(r, u->now, e))
        return e->code;
    r->rank[u->list[u->at]][u->code[u->at]] = r->given;
    if (++u->at < u->n) {
        u->now = texts_at(&u->cursor, (uint32_t)u->at);
    } else {
        run_done(u);
        r->heap[0] = r->heap[--r->n_heap];
    }
    heap_down(r, 0, r->n_heap, &by_text);
    return OK;
}

int ranking_step(struct ranking *r, int64_t until_ns, bool *done, struct err *e)
{
    *done = false;
    while (!r->merging && r->list < r->n_lists) {
        if (add_run(r, e))
            return e->code;
        if (slice_over(until_ns))
            return OK;
    }
    if (!r->merging && begin_merge(r, e))
        return e->code;
    for (unsigned i = 1; r->n_heap; i++) {
        if (merge_one(r, e))
            return e->code;
        if (i % CHECK_EVERY == 0 && slice_over(until_ns))
            return OK;
    }
    *done = true;
    return OK;
}

uint32_t *ranking_take(struct ranking *r, size_t i)
{
    uint32_t *rank = r->rank[i];

    r->rank[i] = NULL;
    return rank;
}

/* ---- the first few ---- */

struct top {
    struct str *s; /* copies; a heap with the worst on top */
    uint32_t *code;
    size_t n;
    bool desc;
};

static bool worse(const void *heap, size_t a, size_t b)
{
    const struct top *t = heap;
    int d = str_cmp_natural(t->s[a], t->s[b]);
    return t->desc ? d < 0 : d > 0;
}

static void swap(void *heap, size_t a, size_t b)
{
    struct top *t = heap;
    struct str s = t->s[a];
    uint32_t c = t->code[a];

    t->s[a] = t->s[b];
    t->code[a] = t->code[b];
    t->s[b] = s;
    t->code[b] = c;
}

static const struct heap_ops worst_first = { worse, swap };

static bool take_copy(struct top *t, size_t at, struct str s, uint32_t code)
{
    char *p = malloc(s.n + 1);

    if (!p)
        return false;
    if (s.n)
        memcpy(p, s.p, s.n);
    if (at < t->n)
        free((char *)t->s[at].p);
    t->s[at] = (struct str){ p, s.n };
    t->code[at] = code;
    return true;
}

static bool top_offer(struct top *t, struct str s, uint32_t code, size_t max)
{
    if (t->n < max) {
        if (!take_copy(t, t->n, s, code))
            return false;
        heap_up(t, t->n++, &worst_first);
        return true;
    }
    int d = str_cmp_natural(s, t->s[0]);
    if (t->desc ? d <= 0 : d >= 0)
        return true;
    if (!take_copy(t, 0, s, code))
        return false;
    heap_down(t, 0, t->n, &worst_first);
    return true;
}

int ranking_top(const struct texts *list, const uint8_t *used, bool desc, uint32_t *codes, size_t max,
                size_t *n, struct err *e)
{
    struct texts_cursor c;
    struct top t = { .code = codes, .desc = desc };
    bool ok = true;

    *n = 0;
    if (!max || texts_open(&c, list, e))
        return e->code;
    t.s = malloc(max * sizeof *t.s);
    for (uint32_t i = 0; t.s && ok && i < texts_count(list); i++)
        ok = !used[i + 1] || top_offer(&t, texts_at(&c, i), i + 1, max);
    *n = t.n;
    heap_unload(&t, t.n, &worst_first);
    for (size_t i = 0; i < t.n; i++)
        free((char *)t.s[i].p);
    texts_close(&c);
    if (!t.s || !ok)
        err_nomem(e);
    free(t.s);
    return e->code;
}
