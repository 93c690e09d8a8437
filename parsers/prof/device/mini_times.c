/* SPDX-License-Identifier: Apache-2.0 */
/* Times of tasks of chip 0, as msprof's calculate_rts_data.py takes them from its time line. */
#include "config.h"

#include "parsers/prof/device/mini_times.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/large/sort_index.h"
#include "parsers/prof/device/device_mini.h"
#include "parsers/prof/prof_layout.h"

#define STREAM_MASK 0x7ff
enum { WAITS = 1, PENDS = 4 }; /* states besides those of parsers/prof/device/device_mini.h */

enum { TS_LINE_RECORD(FIELD_AT) };

/* A task changed its state. */
struct change {
    uint64_t counter;
    uint16_t stream, task, kind, state;
};
struct reading {
    struct change *v;
    size_t n, cap;
    const struct prof_mini_window *w;
};

static int on_record(void *arg, struct prof_record *rec, struct err *e)
{
    struct reading *g = arg;
    struct rec *r = &rec->rec;
    uint64_t counter;

    if (rec_u8(r, TL_TYPE) != MINI_LINE)
        return OK;
    counter = rec_u64(r, TL_TICKS);
    if (g->w->from && (counter <= g->w->from || counter >= g->w->to))
        return OK;
    struct change *v = grow_array(g->v, g->n, &g->cap, sizeof *v, 1024);
    if (!v)
        return err_nomem(e);
    g->v = v;
    v[g->n++] = (struct change){ .counter = counter,
                                 .stream = rec_u16(r, TL_STREAM) & STREAM_MASK,
                                 .task = rec_u16(r, TL_TASK),
                                 .kind = rec_u16(r, TL_TASK_TYPE),
                                 .state = rec_u16(r, TL_STATE) };
    return OK;
}

static bool change_before(const void *arg, uint32_t i, uint32_t k)
{
    const struct change *v = arg, *x = &v[i], *y = &v[k];

    if (x->task != y->task)
        return x->task < y->task;
    if (x->stream != y->stream)
        return x->stream < y->stream;
    return x->counter != y->counter ? x->counter < y->counter : x->state < y->state;
}

static bool time_before(const void *arg, uint32_t i, uint32_t k)
{
    const struct prof_mini_time *v = arg, *x = &v[i], *y = &v[k];

    if (x->kind != y->kind)
        return x->kind < y->kind;
    if (x->task != y->task)
        return x->task < y->task;
    return x->stream != y->stream ? x->stream < y->stream : x->done < y->done;
}

/* Each state counts by its last record before the end. */
static size_t join(const struct change *v, size_t n, struct prof_mini_time *out)
{
    struct prof_mini_time t = { .waits = 0 };
    size_t n_out = 0;

    for (size_t i = 0; i < n; i++) {
        if (i && (v[i].task != v[i - 1].task || v[i].stream != v[i - 1].stream))
            t = (struct prof_mini_time){ .waits = 0 };
        switch (v[i].state) {
        case WAITS:
            t.waits = v[i].counter;
            break;
        case PENDS:
            t.pends = v[i].counter;
            break;
        case MINI_RUNS:
            t.runs = v[i].counter;
            break;
        case MINI_DONE:
            t.done = v[i].counter;
            t.stream = v[i].stream;
            t.task = v[i].task;
            t.kind = v[i].kind;
            out[n_out++] = t;
            t = (struct prof_mini_time){ .waits = 0 };
            break;
        default:
            break; /* steps in between */
        }
    }
    return n_out;
}

int prof_mini_times(struct prof_mini_time **out, size_t *n, struct prof *p, const struct prof_folder *f,
                    const struct prof_mini_window *w, struct err *e)
{
    struct reading g = { .w = w };
    size_t done = 0;

    *out = NULL;
    *n = 0;
    if (prof_mini_read(p, f, on_record, &g, e) == OK)
        (void)!prof_sort(NULL, g.v, g.n, sizeof *g.v, change_before, g.v, e);
    for (size_t i = 0; i < g.n; i++)
        done += g.v[i].state == MINI_DONE;
    if (!e->code && !(*out = calloc(done + 1, sizeof **out)))
        err_nomem(e);
    if (!e->code) {
        *n = join(g.v, g.n, *out);
        (void)!prof_sort(NULL, *out, *n, sizeof **out, time_before, *out, e);
    }
    free(g.v);
    return e->code;
}
