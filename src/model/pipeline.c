/* SPDX-License-Identifier: Apache-2.0 */
/* The part of a data pipeline that limits it. */
#include "config.h"

#include "model/pipeline.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/lang/tr.h"
#include "base/unit.h"
#include "model/views/colset.h"

#define PARTS_MAX 256
#define STARVED   0.5   /* mean fill of the queue after it: below, what follows waits */
#define PROOF     0.001 /* a share of the time that is one */
#define EMPTY     0.3   /* share of batches that found the host's queue empty: doc/rules.md, DAT-01 */

struct part {
    char type[48], name[72];
    int64_t id, parent, workers; /* -1: not known */
    double use, empty, cpu;      /* of its own queue; of one worker; NAN: not known */
    const struct part *up;       /* the parent; NULL: none */
    const struct part *into;     /* what takes from its queue: the next above that has one; NULL: none */
};

static double real_at(const struct query *q, size_t col)
{
    return query_null(q, col) ? (double)NAN : query_real(q, col);
}

/* clang-format off */
static const char parts_sql[] =
    "SELECT ifnull(min(" COLSET_TEXT("p.type_id") "), 'op'), p.op, max(p.parent), max(p.workers), "
    COLSET_SAMPLED("p.queue_use") ", " COLSET_SAMPLED("p.queue_empty_share") ", max(p.cpu_per_worker) "
    "FROM pipeline_op p WHERE p.rank = :rank GROUP BY p.op";
/* clang-format on */

static int read_parts(struct part *v, size_t *n, const struct view_part *p, struct err *e)
{
    struct query *q = NULL;

    *n = 0;
    if (store_query(p->store, &q, parts_sql, e))
        return e->code;
    query_bind_int(q, ":rank", p->rank);
    while (*n < PARTS_MAX && query_step(q, e) == 1) {
        struct part *x = &v[(*n)++];
        *x = (struct part){ .id = query_int(q, 1) };
        str_copy(query_str(q, 0), x->type, sizeof x->type);
        snprintf(x->name, sizeof x->name, "%s(id=%" PRId64 ")", x->type, x->id);
        x->parent = query_null(q, 2) ? -1 : query_int(q, 2);
        x->workers = query_null(q, 3) ? -1 : query_int(q, 3);
        x->use = real_at(q, 4);
        x->empty = real_at(q, 5);
        x->cpu = real_at(q, 6);
    }
    query_free(q);
    return e->code;
}

/*
 * Parts between two queues may have none: Repeat, Skip and Take run within the one above them. Parents may go
 * in a circle, as they are the file's.
 */
static void link_parts(struct part *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n && !v[i].up; k++)
            v[i].up = v[k].id == v[i].parent ? &v[k] : NULL;
    for (size_t i = 0; i < n; i++) {
        const struct part *x = v[i].up;
        for (size_t k = 0; k < n && x && isnan(x->use); k++)
            x = x->up;
        v[i].into = x && !isnan(x->use) ? x : NULL;
    }
}

/* Fill of the fullest queue that a part takes from; NAN: it takes from none, and reads from storage. */
static double fill_before(const struct part *v, size_t n, const struct part *x)
{
    double most = NAN;

    for (size_t i = 0; i < n; i++)
        if (v[i].into == x && !isnan(v[i].use))
            most = isnan(most) ? v[i].use : fmax(most, v[i].use);
    return most;
}

/* The part with the largest drop from the queue before it to its own, which is less than half full. */
static const struct part *limit_of(const struct part *v, size_t n)
{
    const struct part *best = NULL;
    double most = 0;

    for (size_t i = 0; i < n; i++) {
        double before = fill_before(v, n, &v[i]), drop = (isnan(before) ? 1 : before) - v[i].use;
        if (v[i].use < STARVED && drop > most) {
            most = drop;
            best = &v[i];
        }
    }
    return best;
}

static void add_cpu(struct buf *out, const struct part *x)
{
    char t[24];

    unit_percent(t, sizeof t, x->cpu);
    if (x->workers > 1)
        buf_printf(out, tr("; %s CPU of each of %d workers"), t, (int)x->workers);
    else if (x->workers == 1)
        buf_printf(out, tr("; %s CPU of its worker"), t);
    else
        buf_printf(out, tr("; %s CPU of each"), t);
}

/* waits: the device does, so that the part is a limit. */
static void say_limit(struct buf *out, const struct part *v, size_t n, const struct part *x, bool waits)
{
    double before = fill_before(v, n, x);
    char t[24];

    if (waits)
        buf_printf(out, tr("%s limits the pipeline: its queue is %s full"), x->name,
                   unit_percent(t, sizeof t, x->use));
    else
        buf_printf(out, tr("%s is the slowest part: its queue is %s full"), x->name,
                   unit_percent(t, sizeof t, x->use));
    if (isnan(before))
        buf_puts(out, tr(", it reads from storage"));
    else
        buf_printf(out, tr(", the one before it %s"), unit_percent(t, sizeof t, before));
    if (!isnan(x->cpu))
        add_cpu(out, x);
    if (waits && x->empty >= PROOF && x->up) /* by which one sees that it is the limit */
        buf_printf(out, tr("; %s finds the queue of %s empty %s of the time"), x->up->name, x->name,
                   unit_percent(t, sizeof t, x->empty));
}

int pipeline_verdict(struct buf *out, const struct view_part *part, double prep, struct err *e)
{
    struct part v[PARTS_MAX];
    const struct part *last = NULL;
    size_t n;
    char t[24];

    if (read_parts(v, &n, part, e))
        return e->code;
    link_parts(v, n);
    for (size_t i = n; i-- > 0;) /* the root has the least number */
        if (!isnan(v[i].use))
            last = &v[i];
    const struct part *x = limit_of(v, n);
    const bool waits = !(prep < PIPELINE_LEAST);
    if ((x || last) && !waits)
        buf_printf(out, tr("the device waits %s of a step: data is no limit; "),
                   unit_percent(t, sizeof t, prep));
    if (x)
        say_limit(out, v, n, x, waits);
    else if (last)
        buf_printf(out, tr("nothing stands out: %s keeps its queue %s full"), last->name,
                   unit_percent(t, sizeof t, last->use));
    return OK;
}

int pipeline_stages(struct pipeline_stage *out, size_t max, size_t *n, const struct view_part *part,
                    struct err *e)
{
    struct part v[PARTS_MAX];

    if (read_parts(v, n, part, e))
        return e->code;
    link_parts(v, *n);
    const struct part *slowest = limit_of(v, *n);
    *n = *n < max ? *n : max;
    for (size_t i = 0; i < *n; i++) {
        size_t up = v[i].up ? (size_t)(v[i].up - v) : SIZE_MAX;
        out[i] = (struct pipeline_stage){ .id = v[i].id,
                                          .workers = v[i].workers,
                                          .use = v[i].use,
                                          .empty = v[i].empty,
                                          .cpu = v[i].cpu,
                                          .into = up < *n ? up : SIZE_MAX,
                                          .limits = &v[i] == slowest };
        str_copy(str_of(v[i].type), out[i].type, sizeof out[i].type);
    }
    return OK;
}

/* Batches that found the queue of the host (0) and of the device (1) empty, of how many. */
static int read_queues(uint64_t empty[2], uint64_t batches[2], const struct view_part *p, struct err *e)
{
    struct query *q = NULL;

    if (store_query(
            p->store, &q,
            "SELECT queue <> 'host' AS device, count(*), sum(size = 0) FROM queue_sample WHERE rank = "
            ":rank AND size IS NOT NULL AND queue NOT LIKE 'connector %' GROUP BY device",
            e))
        return e->code;
    query_bind_int(q, ":rank", p->rank);
    while (query_step(q, e) == 1) {
        size_t i = query_int(q, 0) != 0;
        batches[i] = (uint64_t)query_int(q, 1);
        empty[i] = (uint64_t)query_int(q, 2);
    }
    query_free(q);
    return e->code;
}

int pipeline_judge(struct pipeline_state *out, const struct view_part *part, struct err *e)
{
    uint64_t empty[2] = { 0 }, batches[2] = { 0 };
    struct part v[PARTS_MAX];
    size_t n, decides = 0;

    *out = (struct pipeline_state){ .wait = PIPELINE_UNKNOWN };
    if (read_parts(v, &n, part, e) || read_queues(empty, batches, part, e))
        return e->code;
    link_parts(v, n);
    const struct part *x = limit_of(v, n);
    if (x)
        str_copy(str_of(x->name), out->limit, sizeof out->limit);
    if (!batches[0]) { /* the device's alone does not tell why it is empty */
        decides = 1;
    } else if ((double)empty[0] > EMPTY * (double)batches[0]) {
        out->wait = PIPELINE_SLOW;
    } else if (batches[1]) {
        out->wait = empty[1] ? PIPELINE_SENDING : PIPELINE_READY;
        decides = 1;
    }
    out->empty = empty[decides];
    out->batches = batches[decides];
    return OK;
}
