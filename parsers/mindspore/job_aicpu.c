/* SPDX-License-Identifier: Apache-2.0 */
/* AI CPU tasks of a raw job. */
#include "config.h"

#include "parsers/mindspore/job_aicpu.h"

#include <inttypes.h>
#include <stdio.h>

#include "parsers/mindspore/records/aicpu_records.h"
#include "parsers/mindspore/ticks.h"

#define US_NS        1000
#define TICKS_PER_US 100.0

struct reader {
    struct group_ctx *g;
    const struct job_tasks *tasks;
    uint64_t bad; /* impossible times, and the position of the first */
    struct where first_bad;
};

/* Last part of the name of the task's op; <stream>_<task> when it has none. *lost: that may be for damage. */
static uint32_t name_of(const struct reader *r, const struct aicpu_task *t, bool *lost)
{
    char key[48];

    if (t->name.p)
        return sink_intern(r->g->out, t->name);
    uint32_t i = job_tasks_find(r->tasks, (uint32_t)t->stream, (uint32_t)t->task);
    if (i == JOB_NO_TASK) {
        *lost = job_tasks_lost(r->tasks) || !job_tasks_count(r->tasks);
        snprintf(key, sizeof key, "%" PRId64 "_%" PRId64, t->stream, t->task);
        return sink_intern(r->g->out, str_of(key));
    }
    *lost = job_tasks_damage(r->tasks, i) != NULL;
    struct str name = job_tasks_name(r->tasks, i);
    return sink_intern(r->g->out, str_after_last(name, '/'));
}

static bool times_of(const struct aicpu_task *t, int64_t *ts_ns, int64_t *dur_ns)
{
    int64_t us;

    return !__builtin_sub_overflow(t->end_us, t->start_us, &us) && us >= 0 &&
           !__builtin_mul_overflow(us, US_NS, dur_ns) &&
           (t->has_ticks ? ticks_ns(t->start_ticks, ts_ns)
                         : !__builtin_mul_overflow(t->start_us, US_NS, ts_ns));
}

static int on_task(void *arg, const struct aicpu_task *t, struct err *e)
{
    struct reader *r = arg;
    struct val v[N_COLS(aicpu_exec)] = { 0 };
    int64_t ts, dur, total, dispatch;
    bool lost = false;

    if (!times_of(t, &ts, &dur) || __builtin_mul_overflow(t->total_us, US_NS, &total) ||
        __builtin_mul_overflow(t->dispatch_us, US_NS, &dispatch)) {
        if (!r->bad++)
            r->first_bad = t->where;
        return OK;
    }
    v[COL(aicpu_exec, rank)] = val_int(r->g->rank);
    v[COL(aicpu_exec, name_id)] = val_id(name_of(r, t, &lost));
    if (lost)
        v[COL(aicpu_exec, damage)] = val_cstr("name");
    v[COL(aicpu_exec, ts_ns)] = val_int(ts);
    v[COL(aicpu_exec, total_ns)] = val_int(total);
    v[COL(aicpu_exec, dispatch_ns)] = val_int(dispatch);
    v[COL(aicpu_exec, compute_ns)] = val_int(dur);
    v[COL(aicpu_exec, stream)] = t->stream >= 0 ? val_int(t->stream) : val_null();
    v[COL(aicpu_exec, task)] = t->task >= 0 ? val_int(t->task) : val_null();
    v[COL(aicpu_exec, run_start)] =
        val_real(t->has_ticks ? (double)t->start_ticks / TICKS_PER_US : (double)t->start_us);
    v[COL(aicpu_exec, run_end)] =
        val_real(t->has_ticks ? (double)t->end_ticks / TICKS_PER_US : (double)t->end_us);
    v[COL(aicpu_exec, source_id)] = val_int(t->where.source_id);
    v[COL(aicpu_exec, line)] = val_int(t->where.line);
    return sink_row(r->g->out, T_aicpu_exec, v, N_COLS(aicpu_exec), NULL, e);
}

int job_aicpu_read(struct group_ctx *g, const struct job_tasks *t, struct err *e)
{
    struct reader r = { .g = g, .tasks = t };
    struct parse_ctx *c;

    for (size_t i = 0; (c = group_use(g, ROLE_AICPU, i)) != NULL; i++) {
        r.bad = 0;
        if (group_failed(g, c, aicpu_records_read(c, on_task, &r, e), e))
            return e->code;
        if (!r.bad)
            continue;
        r.first_bad.count = r.bad;
        c->lost += r.bad;
        sink_note(g->out, NOTE_INCONSISTENT, &r.first_bad,
                  "a task that ends before it starts, or at an impossible time");
    }
    return OK;
}
