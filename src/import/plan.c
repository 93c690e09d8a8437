/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of reading (doc/performance.md#reading-order: small tables first, traces late) and the precedence
 * of sources.
 */
#include "config.h"

#include "import/plan.h"

#include <stdlib.h>
#include <string.h>

#define ORDER_BIG    25                  /* order between the names and the executions (parsers/registry.c) */
#define ORDER_MEMORY 60                  /* from here on nothing feeds the timeline */
#define SMALL_B      (UINT64_C(1) << 20) /* a table above this does not keep the first screen waiting */

bool plan_same_topic(const struct plan_set *a, const struct plan_set *b)
{
    return a->topic && b->topic && a->rank == b->rank && strcmp(a->topic, b->topic) == 0;
}

uint64_t plan_set_bytes(const struct plan_set *s)
{
    uint64_t n = 0;

    for (size_t i = 0; i < s->n; i++)
        for (const struct source_file *f = s->files[i]; f; f = f->next_slice)
            n += f->size_b;
    return n;
}

static bool is_read(const struct source_file *f)
{
    return f->kind->parse && f->regular && !f->superseded && f->state != FS_ABSENT && f->state != FS_OFF &&
           !f->later_slice;
}

static bool fits(const struct plan_set *s, const struct source_file *f)
{
    return s->topic && f->kind->topic && s->rank == f->rank && s->priority == f->kind->priority &&
           strcmp(s->topic, f->kind->topic) == 0;
}

static int add_file(struct plan *p, struct source_file *f, struct err *e)
{
    struct plan_set *s = NULL;

    for (size_t i = 0; i < p->n && !s; i++)
        if (fits(&p->sets[i], f))
            s = &p->sets[i];
    if (!s) {
        struct plan_set *sets = realloc(p->sets, (p->n + 1) * sizeof *sets);
        if (!sets)
            return err_nomem(e);
        p->sets = sets;
        s = &p->sets[p->n++];
        *s = (struct plan_set){
            .topic = f->kind->topic, .rank = f->rank, .priority = f->kind->priority, .order = f->kind->order
        };
    }
    struct source_file **files = realloc(s->files, (s->n + 1) * sizeof *files);
    if (!files)
        return err_nomem(e);
    s->files = files;
    s->files[s->n++] = f;
    return OK;
}

/*
 * Panes whose views need rows of a topic, where these differ from the panes of its files' kinds: op types
 * give events their class, communication that no other file has is taken from the executions, and a trace
 * feeds nothing but the timeline. test_left checks this.
 */
static const struct {
    const char *topic;
    unsigned panes;
} topic_panes[] = {
    { "op_exec", PANE_BIT(PANE_OPS) | PANE_BIT(PANE_TIME) | PANE_BIT(PANE_FLOPS) | PANE_BIT(PANE_COMM) },
    { "aicpu_exec", PANE_BIT(PANE_OPS) | PANE_BIT(PANE_DATA) | PANE_BIT(PANE_HOST) },
    { "trace", PANE_BIT(PANE_TIME) },
};

static unsigned set_panes(const struct plan_set *s)
{
    unsigned panes = 0;

    for (size_t i = 0; s->topic && i < ARRAY_LEN(topic_panes); i++)
        if (strcmp(s->topic, topic_panes[i].topic) == 0)
            return topic_panes[i].panes;
    for (size_t i = 0; i < s->n; i++)
        panes |= s->files[i]->kind->panes;
    return panes;
}

/* The order of a topic is that of its first choice, so that its sets stay together. */
static void level_orders(struct plan *p)
{
    for (size_t i = 0; i < p->n; i++) {
        struct plan_set *s = &p->sets[i], *lead = s;
        for (size_t k = 0; k < p->n; k++)
            if (plan_same_topic(s, &p->sets[k]) && p->sets[k].priority < lead->priority)
                lead = &p->sets[k];
        for (size_t k = 0; k < p->n; k++)
            if (k == i || plan_same_topic(s, &p->sets[k]))
                s->panes |= set_panes(&p->sets[k]);
        s->lead_b = plan_set_bytes(lead);
        s->order = lead->order < ORDER_BIG && s->lead_b > SMALL_B ? ORDER_BIG : lead->order;
    }
}

static int cmp_u64(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

/* Small tables come in order of size: the smallest first, so that there is something to look at sooner. */
static int set_cmp(const void *a, const void *b)
{
    const struct plan_set *x = a, *y = b;
    int c;

    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    if (x->order < ORDER_BIG && (c = cmp_u64(x->lead_b, y->lead_b)) != 0)
        return c;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if ((c = strcmp(x->topic ? x->topic : "", y->topic ? y->topic : "")) != 0)
        return c;
    if (x->priority != y->priority)
        return x->priority < y->priority ? -1 : 1;
    return strcmp(x->files[0]->rel, y->files[0]->rel);
}

/* Only the first set of each topic counts: the others are read only when that is damaged. */
void plan_count(struct plan *p)
{
    p->bytes = 0;
    p->files = 0;
    for (size_t i = 0; i < p->n; i++) {
        if ((i && plan_same_topic(&p->sets[i - 1], &p->sets[i])) || !plan_is_read(&p->sets[i]))
            continue;
        p->bytes += plan_set_bytes(&p->sets[i]);
        p->files += (unsigned)p->sets[i].n;
    }
}

int plan_make(struct plan *out, const struct unit *u, struct err *e)
{
    *out = (struct plan){ .n = 0 };
    for (size_t i = 0; i < u->n_files; i++) {
        if (is_read(u->files[i]) && add_file(out, u->files[i], e)) {
            plan_done(out);
            return e->code;
        }
    }
    level_orders(out);
    if (out->n)
        qsort(out->sets, out->n, sizeof *out->sets, set_cmp);
    while (out->n_small < out->n && out->sets[out->n_small].order < ORDER_BIG)
        out->n_small++;
    plan_count(out);
    return OK;
}

static bool has_trace(const struct plan *p, int rank)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->sets[i].rank == rank && p->sets[i].topic && strcmp(p->sets[i].topic, "trace") == 0)
            return true;
    return false;
}

/* Where there is no trace, tracks are made from other tables. */
static unsigned feeds(const struct plan *p, const struct plan_set *s)
{
    bool makes_tracks = s->order < ORDER_MEMORY && !has_trace(p, s->rank);

    return s->panes | (makes_tracks ? PANE_BIT(PANE_TIME) : 0u);
}

void plan_leave(struct plan *p, unsigned panes)
{
    for (size_t i = 0; i < p->n; i++) {
        struct plan_set *s = &p->sets[i];
        s->later = i >= p->n_small && s->lead_b > PLAN_LATER_B && !(feeds(p, s) & ~panes);
    }
    plan_count(p);
}

void plan_done_before(struct plan *p, bool (*known)(void *arg, uint32_t source_id), void *arg)
{
    for (size_t i = 0; i < p->n; i++) {
        struct plan_set *s = &p->sets[i];
        s->done = true;
        for (size_t k = 0; k < s->n; k++)
            s->done &= known(arg, s->files[k]->id);
    }
    plan_count(p);
}

unsigned plan_left(const struct plan *p)
{
    unsigned panes = 0;

    for (size_t i = 0; i < p->n; i++)
        if (p->sets[i].later && !p->sets[i].done)
            panes |= feeds(p, &p->sets[i]);
    return panes;
}

void plan_done(struct plan *p)
{
    for (size_t i = 0; i < p->n; i++)
        free(p->sets[i].files);
    free(p->sets);
    *p = (struct plan){ .n = 0 };
}
