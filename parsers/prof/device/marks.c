/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of iterations in progress. */
#include "config.h"

#include "parsers/prof/device/marks.h"

#include <stdlib.h>

#define NONE UINT32_MAX

struct entry {            /* an iteration */
    uint32_t first, last; /* of its marks, NONE: none yet */
    uint16_t tag;         /* of model start, fp, bp, iteration end, mstx: the one met last */
    bool is_start;        /* begins with a model start */
};

enum { FOR_FP, FOR_BP, FOR_END, FOR_OTHERS, N_CURSORS };

/* All iterations so far; those before `from` were given. */
struct queue {
    const struct prof_mark *const *mark;
    uint32_t *next; /* of each mark, in its entry */
    struct entry *entry;
    size_t from, n;
    size_t cursor[N_CURSORS]; /* entries before it do not take such a mark any more: tags only grow */
    prof_mark_fn *fn;
    void *arg;
};

static void append(struct queue *q, struct entry *x, uint32_t i)
{
    q->next[i] = NONE;
    if (x->first == NONE)
        x->first = i;
    else
        q->next[x->last] = i;
    x->last = i;
}

static void push(struct queue *q, uint32_t i)
{
    struct entry *x = &q->entry[q->n++];
    uint16_t tag = q->mark[i]->tag;

    *x = (struct entry){ .first = NONE, .tag = tag, .is_start = tag == MARK_MODEL_START };
    append(q, x, i);
}

static bool takes(const struct entry *x, unsigned cursor, uint16_t tag)
{
    return cursor == FOR_OTHERS ? x->tag != MARK_ITERATION_END : x->tag < tag;
}

/* The first iteration that takes such a mark. */
static struct entry *taker(struct queue *q, unsigned cursor, uint16_t tag)
{
    size_t *at = &q->cursor[cursor];

    if (*at < q->from)
        *at = q->from;
    while (*at < q->n && !takes(&q->entry[*at], cursor, tag))
        ++*at;
    return *at < q->n ? &q->entry[*at] : NULL;
}

static int give(struct queue *q, const struct entry *x, struct err *e)
{
    for (uint32_t i = x->first; i != NONE; i = q->next[i])
        if (q->fn(q->arg, q->mark[i], e))
            return e->code;
    return OK;
}

/* Gives the iterations from the front up to the second model start. */
static int end_model(struct queue *q, const struct prof_mark *m, struct err *e)
{
    for (unsigned starts = 0; q->from < q->n; q->from++) {
        const struct entry *x = &q->entry[q->from];
        if (x->is_start && starts++)
            break;
        if (give(q, x, e))
            return e->code;
    }
    return q->fn(q->arg, m, e);
}

static int on_mark(struct queue *q, uint32_t i, struct err *e)
{
    uint16_t tag = q->mark[i]->tag;
    struct entry *x;

    switch (tag) {
    case MARK_MODEL_START:
    case MARK_MSTX:
        push(q, i);
        return OK;
    case MARK_MODEL_END:
        return end_model(q, q->mark[i], e);
    case MARK_FP:
    case MARK_BP:
    case MARK_ITERATION_END:
        if ((x = taker(q, (unsigned)tag - MARK_FP, tag)) == NULL) {
            push(q, i);
            return OK;
        }
        append(q, x, i);
        x->tag = tag;
        return OK;
    default:
        if (tag >= MARK_GET_NEXT && tag < MARK_STEP_START)
            x = q->from < q->n ? &q->entry[q->n - 1] : NULL;
        else
            x = tag >= MARK_REDUCE ? taker(q, FOR_OTHERS, tag) : NULL;
        if (x)
            append(q, x, i);
        return OK;
    }
}

int prof_marks_in_order(const struct prof_mark *const *mark, size_t n, prof_mark_fn *fn, void *arg,
                        struct err *e)
{
    struct queue q = { .mark = mark, .fn = fn, .arg = arg };

    q.next = calloc(n + 1, sizeof *q.next);
    q.entry = calloc(n + 1, sizeof *q.entry);
    if (!q.next || !q.entry)
        (void)!err_nomem(e);
    for (size_t i = 0; i < n && !e->code; i++)
        (void)!on_mark(&q, (uint32_t)i, e);
    for (; q.from < q.n && !e->code; q.from++)
        (void)!give(&q, &q.entry[q.from], e);
    free(q.next);
    free(q.entry);
    return e->code;
}
