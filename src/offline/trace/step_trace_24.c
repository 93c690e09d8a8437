/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step_trace_time.csv as MindSpore 2.3 and 2.4 compute it (doc/formats/framework.md#older-outputs): one row
 * over all of msprof's events as they come, in doubles.
 */
#include "config.h"

#include "base/large/spool.h"
#include "offline/trace/events.h"

#define RECEIVE "/Receive-op"

enum sum { COMPUTING, NOT_OVERLAPPED, COMMUNICATION, IDLE, SUMS };
static const char *const names[SUMS] = { "Computing", "Communication(Not Overlapped)", "Communication",
                                         "Free" };

/* A row has no time, or no duration: it is 0. */
struct rows {
    struct offline_run *r;
    double *dur;    /* us */
    uint32_t *find; /* of each row whose name holds RECEIVE: where; taken as the number of a row */
    size_t n, cap, n_find, cap_find;
    double sum[SUMS], begin, end; /* us */
};

static int add_row(struct rows *w, const struct offline_event *ev, struct err *e)
{
    double ts = 0, dur = 0;
    size_t at = str_find(ev->name, STR(RECEIVE), 0);
    double *v = spool_grow(w->r->pool, w->dur, w->n, &w->cap, sizeof *v, 1024);

    if (!v)
        return err_nomem(e);
    w->dur = v;
    (void)!offline_event_us(ev, "ts", &ts);
    (void)!offline_event_us(ev, "dur", &dur);
    w->begin = !w->n || ts < w->begin ? ts : w->begin;
    w->end = !w->n || ts + dur > w->end ? ts + dur : w->end;
    v[w->n++] = dur;
    for (size_t i = 0; i < SUMS; i++)
        w->sum[i] += str_eq(ev->name, str_of(names[i])) ? dur : 0;
    if (at == SIZE_MAX)
        return OK;
    uint32_t *find = spool_grow(w->r->pool, w->find, w->n_find, &w->cap_find, sizeof *find, 64);
    if (!find)
        return err_nomem(e);
    w->find = find;
    find[w->n_find++] = at < UINT32_MAX ? (uint32_t)at : UINT32_MAX;
    return OK;
}

static int read_rows(struct rows *w, struct err *e)
{
    struct offline_events *events = NULL;
    struct offline_event ev;

    if (offline_events_open(&events, w->r, e) == OK)
        while (offline_events_next(events, &ev, e) && add_row(w, &ev, e) == OK)
            continue;
    offline_events_close(events);
    return e->code;
}

/* Of each row the duration of the row whose number is where RECEIVE begins, without it the last one's. */
static bool find_bubble(const struct rows *w, double *bubble)
{
    *bubble = (double)(w->n - w->n_find) * w->dur[w->n - 1];
    for (size_t i = 0; i < w->n_find; i++) {
        if (w->find[i] >= w->n)
            return false;
        *bubble += w->dur[w->find[i]];
    }
    return true;
}

static void put_row(struct emit *o, const struct rows *w, double bubble)
{
    const double v[] = { w->sum[COMPUTING],
                         w->sum[NOT_OVERLAPPED],
                         w->sum[COMMUNICATION] - w->sum[NOT_OVERLAPPED],
                         w->sum[COMMUNICATION],
                         w->sum[IDLE],
                         w->end - w->begin - bubble,
                         bubble,
                         w->sum[NOT_OVERLAPPED] - bubble };

    emit_s(o, "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
              "Communication(Not Overlapped and Exclude Receive)\r\n");
    for (size_t i = 0; i < ARRAY_LEN(v); i++) {
        emit_c(o, ',');
        emit_repr(o, v[i]);
    }
    offline_end_row(o);
}

int offline_step_trace_24(struct offline_run *r, const struct offline_output *x, struct err *e)
{
    struct rows w = { .r = r };
    struct emit *o = NULL;
    double bubble = 0;

    if (read_rows(&w, e))
        goto out;
    if (!w.n || !find_bubble(&w, &bubble)) {
        offline_no_data(r, x,
                        w.n ? "the original fails at a name longer than the timeline"
                            : "msprof's timeline has no events");
        goto out;
    }
    if (offline_open(r, &o, x, e) == OK)
        put_row(o, &w, bubble);
    (void)!offline_close(r, o, e);
out:
    spool_free(r->pool, w.dur);
    spool_free(r->pool, w.find);
    return e->code;
}
