/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The raw folder of one device, r0.5 to r2.0: Framework names the tasks of HWTS, which gives the executions
 * of ops; step marks, AI CPU tasks and AI Core counters join them (doc/formats/mindspore1.md#raw-files,
 * #graph-mode).
 *
 * Tables: op; op_exec, step with step_part, aicpu_exec and op_flops, each when nothing else feeds it (tracks
 * are made from them: import/derived/derive.c); last_activity, where HWTS is read. In memory: the ops that
 * tasks belong to. Times are ns on the device's counter.
 */
#include "config.h"

#include <stdlib.h>

#include "parsers/mindspore/job_activity.h"
#include "parsers/mindspore/job_aicpu.h"
#include "parsers/mindspore/job_flops.h"
#include "parsers/mindspore/job_steps.h"
#include "parsers/mindspore/job_tasks.h"
#include "parsers/mindspore/records/hwts_records.h"
#include "parsers/mindspore/task_pairs.h"
#include "parsers/mindspore/ticks.h"
#include "parsers/parsers.h"

#define PREVIEW_B   ((uint64_t)8 << 20) /* of HWTS: some hundred steps' worth of streams */
#define LATE_MOST_B (4 * PREVIEW_B)

struct job {
    struct group_ctx *g;
    const struct source_file *hwts; /* first slice */
    struct job_tasks *tasks;
    bool wants_exec;
    struct job_mean *means; /* by name */
    struct task_pairs times;
    struct job_activity last;
    bool marked;   /* some executions are */
    struct tally { /* pairs with an impossible time */
        uint64_t n;
        struct where first;
    } no_time;
};

static void tally(struct tally *t, const struct where *w)
{
    if (!t->n++)
        t->first = *w;
}

/* ---- executions ---- */

static int put_exec(struct job *j, const struct task_pairs_mark *start, const struct task_pairs_mark *end,
                    struct err *e)
{
    uint32_t task = start->task;
    struct val v[N_COLS(op_exec)] = { 0 };
    struct job_mean *m = &j->means[job_tasks_name_no(j->tasks, task)];
    int64_t ts, dur, total;

    if (!task_pairs_ns(start, end, &ts, &dur) || __builtin_add_overflow(m->total_ns, dur, &total)) {
        tally(&j->no_time, &start->where);
        return OK;
    }
    m->n++;
    m->total_ns = total;
    if (!j->wants_exec)
        return OK;
    v[COL(op_exec, op_id)] = val_int(job_tasks_op(j->tasks, task));
    v[COL(op_exec, rank)] = val_int(j->g->rank);
    v[COL(op_exec, device)] = j->hwts->device >= 0 ? val_int(j->hwts->device) : val_null();
    v[COL(op_exec, stream)] = val_int(start->stream);
    v[COL(op_exec, task)] = val_int(start->id);
    v[COL(op_exec, ts_ns)] = val_int(ts);
    v[COL(op_exec, dur_ns)] = val_int(dur);
    const char *damage = job_tasks_damage(j->tasks, task);
    v[COL(op_exec, damage)] = damage ? val_cstr(damage) : val_null();
    j->marked |= damage != NULL;
    v[COL(op_exec, source_id)] = val_int(start->where.source_id);
    v[COL(op_exec, line)] = val_int(start->where.line);
    return sink_row(j->g->out, T_op_exec, v, N_COLS(op_exec), NULL, e);
}

static int put_mark(struct job *j, const struct task_pairs_mark *m, struct err *e)
{
    struct val v[N_MARK_COLS] = { [MARK_OP] = val_int(job_tasks_op(j->tasks, m->task)),
                                  [MARK_IS_END] = val_int(m->end),
                                  [MARK_STREAM] = val_int(m->stream),
                                  [MARK_TASK] = val_int(m->id) };
    int64_t ns;

    if (!ticks_ns(m->ticks, &ns))
        return OK;
    v[MARK_TS] = val_int(ns);
    return sink_row(j->g->out, (enum table_id)STAGE_TASK_MARK, v, N_MARK_COLS, NULL, e);
}

static int on_record(void *arg, const struct hwts_record *r, struct err *e)
{
    struct job *j = arg;

    bool of_task = r->type == HWTS_TASK_START || r->type == HWTS_TASK_END;
    uint32_t task = JOB_NO_TASK;
    struct task_pairs_mark start;

    if (r->after_gap) {
        task_pairs_gap(&j->times);
        job_activity_gap(&j->last);
    }
    if (job_tasks_next(j->tasks, r->stream, r->task, of_task ? &task : NULL, e))
        return e->code;
    if (of_task && job_activity_add(&j->last, r, task, e))
        return e->code;
    if (task == JOB_NO_TASK) /* a task of the runtime or of communication: normal */
        return OK;
    struct task_pairs_mark m = { .task = task,
                                 .end = r->type == HWTS_TASK_END,
                                 .ticks = r->ticks,
                                 .stream = r->stream,
                                 .id = r->task,
                                 .where = r->where };
    if (j->g->marks && put_mark(j, &m, e))
        return e->code;
    return task_pairs_add(&j->times, &m, &start, e) ? put_exec(j, &start, &m, e) : e->code;
}

/* ---- the whole ---- */

static int read_hwts(struct job *j, struct err *e)
{
    struct parse_ctx *c = group_use(j->g, ROLE_HWTS, 0);

    struct where w = { .offset = ERR_NO_OFFSET };

    if (!c)
        return OK;
    j->hwts = c->f;
    w.source_id = c->f->id;
    if (!job_tasks_count(j->tasks))
        sink_note(j->g->out, NOTE_INCONSISTENT, &w, "no Framework file names the tasks: no op times");
    if (group_failed(j->g, c, hwts_records_read(c, on_record, j, e), e))
        return e->code;
    if (j->no_time.n) {
        j->no_time.first.count = j->no_time.n;
        c->lost += j->no_time.n;
        sink_note(j->g->out, NOTE_INCONSISTENT, &j->no_time.first,
                  "a task that ends before it starts, or at an impossible time");
    }
    if (j->marked)
        sink_note(j->g->out, NOTE_MARKED, &w, "rows whose name or op may be untrue are marked");
    return job_activity_write(&j->last, j->g, j->tasks, e);
}

/* Task numbers that began anew cannot be recognised from the end alone: they are given without a name. */
static int on_late_record(void *arg, const struct hwts_record *r, struct err *e)
{
    struct job *j = arg;
    uint32_t task = JOB_NO_TASK;

    if (r->after_gap)
        job_activity_gap(&j->last);
    if (r->type != HWTS_TASK_START && r->type != HWTS_TASK_END)
        return OK;
    if (!job_tasks_turn(j->tasks))
        task = job_tasks_find(j->tasks, r->stream, r->task);
    return job_activity_add(&j->last, r, task, e);
}

/* The last slices, of PREVIEW_B at least when there is so much; NULL: that would be more than LATE_MOST_B. */
static const struct source_file *late_slices(const struct source_file *first)
{
    const struct source_file *from = first;
    uint64_t n = 0;

    for (const struct source_file *f = first; f; f = f->next_slice) {
        n += f->size_b;
        while (from != f && n - from->size_b >= PREVIEW_B) {
            n -= from->size_b;
            from = from->next_slice;
        }
    }
    return n <= LATE_MOST_B ? from : NULL;
}

/* Preview: what each stream did last, as far as the end of HWTS shows, and the steps. */
static int preview(struct job *j, struct err *e)
{
    struct parse_ctx *c = group_use(j->g, ROLE_HWTS, 0), late;

    if (c) {
        late = *c;
        late.f = late_slices(c->f);
        if (late.f && (group_failed(j->g, c, hwts_records_read(&late, on_late_record, j, e), e) ||
                       job_activity_write(&j->last, j->g, j->tasks, e)))
            return e->code;
    }
    return group_wants(j->g, "step") ? job_steps_read(j->g, j->tasks, e) : OK;
}

int group_mindspore_job(struct group_ctx *g, struct err *e)
{
    struct job j = { .g = g, .wants_exec = group_wants(g, "op_exec") };
    int rc = job_tasks_read(&j.tasks, g, e);

    if (!rc) {
        j.means = calloc((size_t)job_tasks_names(j.tasks) + 1, sizeof *j.means);
        rc = j.means ? OK : err_nomem(e);
    }
    if (!rc && g->preview) {
        rc = preview(&j, e);
        goto done;
    }
    if (!rc && (j.wants_exec || group_wants(g, "op_flops")))
        rc = read_hwts(&j, e);
    if (!rc && group_wants(g, "step"))
        rc = job_steps_read(g, j.tasks, e);
    if (!rc && group_wants(g, "aicpu_exec"))
        rc = job_aicpu_read(g, j.tasks, e);
    if (!rc && group_wants(g, "op_flops"))
        rc = job_flops_read(g, j.tasks, j.means, e);
done:
    free(j.means);
    task_pairs_done(&j.times);
    job_activity_done(&j.last);
    job_tasks_free(j.tasks);
    return rc;
}
