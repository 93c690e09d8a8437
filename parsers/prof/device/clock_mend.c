/* SPDX-License-Identifier: Apache-2.0 */
/* Where a lost clock of a device must have been. */
#include "config.h"

#include "parsers/prof/device/clock_mend.h"

#include "base/bounded.h"
#include "base/unit.h"

/* What must be added to a device's instants: least <= it <= most. */
struct bounds {
    int64_t least, most; /* INT64_MIN, INT64_MAX: none is known */
    size_t n_tasks;
};

static void not_before(struct bounds *b, int64_t at, int64_t instant)
{
    int64_t v = bounded_sub(at, instant);

    b->least = v > b->least ? v : b->least;
}

static void not_after(struct bounds *b, int64_t at, int64_t instant)
{
    int64_t v = bounded_sub(at, instant);

    b->most = v < b->most ? v : b->most;
}

/* No task starts before the host issued it, and none that ended ends after the collection. */
static void by_tasks(const struct prof *p, const struct prof_host *h, const struct prof_device *d,
                     struct bounds *b)
{
    if (p->host && p->host->meta.has_host_clock)
        for (size_t i = 0; i < d->n_tasks; i++) {
            const struct prof_task *t = &d->task[i];
            if (t->host == PROF_NONE || t->end < t->start)
                continue;
            not_before(b, prof_host_ns(p->host, h->task[t->host].stamp), prof_device_ns(d->f, t->start));
            b->n_tasks++;
        }
    for (size_t i = 0; i < d->n_tasks && d->f->meta.has_end; i++)
        not_after(b, prof_end_ns(d->f), prof_device_ns(d->f, d->task[i].end));
}

/* ---- placing ---- */

/* Add to all instants of the device. */
static void shift(struct prof_meta *m, int64_t ns)
{
    __int128 ticks = (__int128)ns * (m->counter_hz ? (__int128)m->counter_hz : 1000000000) / 1000000000;

    if (!m->has_device_clock && m->has_host_clock && m->device_counter >= ticks &&
        m->device_counter - ticks <= UINT64_MAX)
        m->device_counter = (uint64_t)(m->device_counter - ticks);
    else
        m->host_mono_ns = bounded_add(m->host_mono_ns, ns);
}

static void note(struct prof *p, const struct prof_device *d, const struct bounds *b)
{
    const struct prof_meta *m = &d->f->meta;
    bool other = m->near_ns != PROF_NO_BOUND;
    char err[48];

    if (m->time_err_ns == PROF_NO_BOUND)
        prof_note(
            p, d->f, N_PROF_TAGS, NOTE_NO_CLOCK,
            "its times are placed by %zu tasks, none of which starts before the host issued it: how far "
            "they are off is not known",
            b->n_tasks);
    else
        prof_note(
            p, d->f, N_PROF_TAGS, NOTE_NO_CLOCK,
            "its times are placed by %s%zu tasks, none of which starts before the host issued it or ends "
            "after the collection: they may be off by %s",
            other ? "the clock of another PROF folder of the run and " : "", b->n_tasks,
            unit_time(err, sizeof err, (double)m->time_err_ns, TIME_AUTO));
}

/* Within the bounds that the clock of another folder has. A counter that began anew is another one. */
static void by_other(struct prof_meta *m, struct bounds *b)
{
    struct bounds x = *b;

    if (m->near_ns == PROF_NO_BOUND)
        return;
    not_before(&x, 0, m->near_ns);
    not_after(&x, m->near_ns, 0);
    if (x.least <= x.most)
        *b = x;
    else
        m->near_ns = m->time_err_ns = PROF_NO_BOUND;
}

/*
 * A clock that was placed by times of day stays where it is when that is possible, one that another folder
 * gave as near to that as is possible; else the task that was issued last before it started began at once.
 */
static void place(struct prof *p, struct prof_device *d, struct bounds *b)
{
    struct prof_meta *m = &d->f->meta;

    by_other(m, b);
    bool stays = m->near_ns != PROF_NO_BOUND ? b->least <= 0 : m->by_day && b->least <= 0 && b->most >= 0;
    int64_t by = !stays ? b->least : b->most < 0 ? b->most : 0;
    if (b->least == INT64_MIN || b->least > b->most)
        return;
    shift(m, by);
    if (b->most != INT64_MAX) {
        int64_t early = bounded_sub(b->most, by), late = bounded_sub(by, b->least);
        m->time_err_ns = early > late ? early : late;
    }
    note(p, d, b);
}

void prof_clock_mend(struct prof *p, const struct prof_host *h, struct prof_device *d)
{
    struct bounds b = { .least = INT64_MIN, .most = INT64_MAX };

    if (!(d->f->meta.doubt & PROF_DOUBT_TIME) || d->f->meta.doubt & PROF_DOUBT_DURATION)
        return;
    by_tasks(p, h, d, &b);
    place(p, d, &b);
}
