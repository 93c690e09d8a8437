/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Overlap of computing and communication: its rows, and the sums per step
 * (doc/formats/mindspore1.md#overlap-rows).
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "mindspore/timeline.h"

/* ---- intervals ---- */

struct span {
    double start, end;
};
struct spans {
    struct span *v;
    size_t n, cap;
};

static int add_span(struct spans *s, double start, double end, struct err *e)
{
    void *v = grow_array(s->v, s->n, &s->cap, sizeof *s->v, 64);

    if (!v)
        return err_nomem(e);
    s->v = v;
    s->v[s->n++] = (struct span){ start, end };
    return OK;
}

static void spans_done(struct spans *s)
{
    free(s->v);
    *s = (struct spans){ .n = 0 };
}

/* Which rows are used. */
enum pick { PICK_ALL, PICK_RECEIVE, PICK_OTHER };

static bool picked(const struct mindspore_row *x, enum pick pick)
{
    return pick == PICK_ALL ||
           (str_find(x->name, STR("Receive-op"), 0) != SIZE_MAX) == (pick == PICK_RECEIVE);
}

/* Union of the rows' intervals; touching intervals become one. */
static int merge_rows(const struct mindspore_timeline *t, const struct mindspore_rows *rows, enum pick pick,
                      struct spans *out, struct err *e)
{
    for (size_t i = 0; i < rows->n; i++) {
        const struct mindspore_row *x = &rows->v[i];
        double end = x->start + x->dur / t->target->factor;
        if (!picked(x, pick))
            continue;
        if (!out->n || x->start > out->v[out->n - 1].end) {
            if (add_span(out, x->start, end, e))
                return e->code;
        } else if (end > out->v[out->n - 1].end) {
            out->v[out->n - 1].end = end;
        }
    }
    return OK;
}

/* Replaces the intervals by the gaps between them. */
static void to_gaps(struct spans *s)
{
    for (size_t i = 0; i + 1 < s->n; i++)
        s->v[i] = (struct span){ s->v[i].end, s->v[i + 1].start };
    s->n -= s->n > 0;
}

static int intersect(const struct spans *a, const struct spans *b, struct spans *out, struct err *e)
{
    size_t i = 0, k = 0;

    while (i < a->n && k < b->n) {
        double start = a->v[i].start > b->v[k].start ? a->v[i].start : b->v[k].start;
        double end = a->v[i].end < b->v[k].end ? a->v[i].end : b->v[k].end;
        if (start < end && add_span(out, start, end, e))
            return e->code;
        if (a->v[i].end >= b->v[k].end)
            k++;
        else
            i++;
    }
    return OK;
}

/* ---- rows ---- */

static const struct {
    const char *name, *label, *stream;
} overlap_rows[] = {
    { "communication_not_overlapped", "8000", "Stream #8000" },
    { "computation_op", "7999", "Stream #7999" },
    { "communication", "8001", "Stream #8001" },
    { "free_time", "8002", "Stream #8002" },
};

static int put_spans(struct mindspore_timeline *t, const struct spans *s, const char *name,
                     struct mindspore_rows *out, struct err *e)
{
    size_t k = 0;

    while (strcmp(overlap_rows[k].name, name) != 0)
        k++;
    const char *text = t->target->streams_only ? overlap_rows[k].stream : overlap_rows[k].label;
    uint32_t label = mindspore_label(t, str_of(text), e);
    for (size_t i = 0; i < s->n && !e->code; i++) {
        struct mindspore_row row = { .name = str_of(name),
                                     .start = s->v[i].start,
                                     .dur = (s->v[i].end - s->v[i].start) * t->target->factor,
                                     .label = label,
                                     .pid = MINDSPORE_PID_OVERLAP,
                                     .kind = MINDSPORE_ROW_OVERLAP };
        mindspore_last(mindspore_rows_add(out, &row, e));
    }
    return e->code;
}

int mindspore_merged_rows(struct mindspore_timeline *t, const struct mindspore_rows *rows, bool gaps,
                          const char *name, struct mindspore_rows *out, struct err *e)
{
    struct spans s = { .n = 0 };

    if (merge_rows(t, rows, PICK_ALL, &s, e) == OK) {
        if (gaps)
            to_gaps(&s);
        (void)put_spans(t, &s, name, out, e);
    }
    spans_done(&s);
    return e->code;
}

/* ---- sums per step ---- */

struct sum {
    double v;
    bool added; /* false: shown as the integer 0 */
};
struct sums {
    struct sum *v;
    size_t n, cap;
    bool past; /* an interval begins behind the last step */
};

static int add_sum(struct sums *s, struct sum x, struct err *e)
{
    void *v = grow_array(s->v, s->n, &s->cap, sizeof *s->v, 64);

    if (!v)
        return err_nomem(e);
    s->v = v;
    s->v[s->n++] = x;
    return OK;
}

static double step_end(const struct mindspore_timeline *t, const struct mindspore_row *step)
{
    return step->start + step->dur * t->target->inverse;
}

/*
 * Sums of the lengths of the intervals that begin in each step. An interval after the end of a step counts
 * for the next step, but never moves further. With `grows` the list has the steps that were reached; when
 * intervals follow after the last step, its sum is there twice.
 */
static int sum_steps(const struct mindspore_timeline *t, const struct spans *s,
                     const struct mindspore_rows *steps, struct sums *out, struct err *e)
{
    bool grows = t->target->grows || t->r->rules->timeline->cluster_grows;
    struct sum now = { 0, false };
    double end = step_end(t, &steps->v[0]);

    for (size_t i = 0; i < s->n; i++) {
        if (s->v[i].start > end) {
            if (add_sum(out, now, e))
                return e->code;
            out->past = out->n >= steps->n;
            if (out->past)
                break;
            end = step_end(t, &steps->v[out->n]);
            now = (struct sum){ 0, false };
        }
        now.v += (s->v[i].end - s->v[i].start) * t->target->factor;
        now.added = true;
    }
    if ((grows || out->n < steps->n) && add_sum(out, now, e))
        return e->code;
    while (!grows && out->n < steps->n)
        if (add_sum(out, (struct sum){ 0, false }, e))
            return e->code;
    return OK;
}

/* Durations of the steps minus the sums. */
static int rest_of(const struct mindspore_rows *steps, const struct sums *less, struct sums *out,
                   struct err *e)
{
    for (size_t i = 0; i < steps->n && i < less->n; i++)
        if (add_sum(out, (struct sum){ steps->v[i].dur - less->v[i].v, true }, e))
            return e->code;
    return OK;
}

static int add_mean(struct sums *s, size_t n_steps, bool of_all, struct err *e)
{
    double sum = 0;

    for (size_t i = of_all ? 0 : 1; i < s->n; i++)
        sum += s->v[i].v;
    return add_sum(s, (struct sum){ sum / (double)(of_all ? n_steps : n_steps - 1), true }, e);
}

enum metric { M_COMPUTE, M_COMM, M_STAGE, M_RECEIVE, M_COLLECTIVE, N_METRICS };

struct cluster {
    struct mindspore_timeline *t;
    const struct mindspore_overlap *in;
    bool pipeline;
    struct spans comm, receive, collective; /* communication without computing at the same time */
    struct sums metric[N_METRICS];
};

static void put_metric(struct emit *o, const struct mindspore_timeline *t, struct sum x)
{
    bool whole = t->r->rules->timeline->cluster_grows && t->target->inverse == 1;

    if (whole && !x.added)
        emit_c(o, '0');
    else
        emit_repr(o, emit_round(x.v / t->target->inverse, 4));
}

/* A number from the run's info files, else other. */
static int64_t noted(const struct mindspore_run *r, const char *key, int64_t other)
{
    int64_t v;

    return str_i64(runinfo_get(&r->unit->info, key, r->rank), &v) && v > 0 ? v : other;
}

/*
 * Beginning of the file's name: kind of parallelism, number of stages and ranks; without info files data
 * parallel with one stage.
 */
static void name_of(const struct mindspore_timeline *t, char *buf, size_t n)
{
    const struct mindspore_run *r = t->r;
    struct str mode = runinfo_get(&r->unit->info, "parallel_mode", r->rank);
    int64_t stages = noted(r, "stage_num", 1);
    const char *word = "data-parallel";

    if (stages > 1)
        word = "pipeline-parallel";
    else if (mode.n && !str_eq(mode, STR("data_parallel")))
        word = "model-parallel";
    snprintf(buf, n, "%s_cluster_analyse_%s_%lld_%lld_", t->target->cluster, word, (long long)stages,
             (long long)noted(r, "rank_size", (int64_t)r->unit->info.n_ranks));
}

static int write_metrics(struct cluster *c, struct err *e)
{
    size_t n = SIZE_MAX, cells = c->pipeline ? N_METRICS : M_STAGE;
    char name[128];
    struct emit *o;

    name_of(c->t, name, sizeof name);
    if (mindspore_open(c->t->r, &o, name, ".csv", e))
        return e->code;
    emit_s(o, "computation_time,communication_alone_time");
    if (c->pipeline)
        emit_s(o, ",stage_time,receive_alone_time,collective_communication_alone_time");
    emit_s(o, "\r\n");
    for (size_t k = 0; k < cells; k++)
        n = c->metric[k].n < n ? c->metric[k].n : n;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < cells; k++) {
            if (k)
                emit_c(o, ',');
            put_metric(o, c->t, c->metric[k].v[i]);
        }
        emit_s(o, "\r\n");
    }
    return mindspore_close(c->t->r, o, e);
}

/* r1.5 ended with an error where communication, of any of the three kinds, begins behind the last step. */
static bool past_the_end(const struct cluster *c)
{
    return c->t->r->rules->timeline->cluster_inside &&
           (c->metric[M_COMM].past || c->metric[M_RECEIVE].past || c->metric[M_COLLECTIVE].past);
}

/* Versions whose list was shorter than that of the steps ended with an error. */
static bool too_short(const struct cluster *c)
{
    size_t n = c->in->steps->n;

    return c->t->r->rules->timeline->cluster_grows &&
           (c->metric[M_COMM].n < n || (c->pipeline && c->metric[M_RECEIVE].n < n));
}

static int find_sums(struct cluster *c, struct err *e)
{
    const struct mindspore_rows *steps = c->in->steps;
    struct sums *m = c->metric;

    if (sum_steps(c->t, &c->receive, steps, &m[M_RECEIVE], e) ||
        sum_steps(c->t, &c->comm, steps, &m[M_COMM], e) ||
        sum_steps(c->t, &c->collective, steps, &m[M_COLLECTIVE], e) ||
        rest_of(steps, &m[M_COMM], &m[M_COMPUTE], e) ||
        (c->pipeline && rest_of(steps, &m[M_RECEIVE], &m[M_STAGE], e)))
        return e->code;
    return OK;
}

/* A single step has a mean only in versions that count the first step. */
static int add_means(struct cluster *c, struct err *e)
{
    bool all = c->t->r->rules->timeline->cluster_mean_all;
    size_t n = c->in->steps->n;

    for (size_t k = 0; k < N_METRICS && (all || n > 1); k++)
        if (add_mean(&c->metric[k], n, all, e))
            return e->code;
    return OK;
}

static int write_cluster(struct cluster *c, struct err *e)
{
    char name[128];
    const char *why = !c->in->steps->n ? "the ops give no steps" : NULL;

    if (!why && find_sums(c, e))
        return e->code;
    if (!why && too_short(c))
        why = "communication does not reach the last step; this version made no file then";
    if (!why && past_the_end(c))
        why = "communication begins behind the last step; this version made no file then";
    if (!why)
        return add_means(c, e) ? e->code : write_metrics(c, e);
    name_of(c->t, name, sizeof name);
    mindspore_no_data(c->t->r, name, ".csv", why);
    return OK;
}

/* ---- the whole ---- */

/*
 * Receive ops without other work at the same time: plain and communication ops in one list, distinguished by
 * name.
 */
static int find_receive(struct cluster *c, const struct spans *gaps, struct mindspore_rows *all,
                        struct err *e)
{
    struct spans others = { .n = 0 }, receive = { .n = 0 };

    if (mindspore_rows_append(all, c->in->plain, e) || mindspore_rows_append(all, c->in->comm, e) ||
        mindspore_rows_by_start(all, e))
        return e->code;
    if (merge_rows(c->t, all, PICK_RECEIVE, &receive, e) == OK &&
        merge_rows(c->t, all, PICK_OTHER, &others, e) == OK) {
        c->pipeline = receive.n > 0;
        to_gaps(&others);
        (void)intersect(c->t->target->gaps_of_all ? gaps : &others, &receive, &c->receive, e);
    }
    spans_done(&others);
    spans_done(&receive);
    return e->code;
}

static int cluster_rows(struct cluster *c, const struct spans *gaps, const struct spans *comm,
                        struct mindspore_rows *out, struct err *e)
{
    struct spans collective = { .n = 0 };
    struct mindspore_rows all = { .n = 0 };

    if (intersect(gaps, comm, &c->comm, e) || find_receive(c, gaps, &all, e) ||
        merge_rows(c->t, c->in->comm, PICK_OTHER, &collective, e) ||
        intersect(gaps, &collective, &c->collective, e))
        goto out;
    if (c->in->compute != c->in->plain) {
        all.n = 0;
        if (mindspore_rows_append(&all, c->in->compute, e) || mindspore_rows_append(&all, c->in->comm, e) ||
            mindspore_rows_by_start(&all, e))
            goto out;
    }
    if (write_cluster(c, e) || put_spans(c->t, &c->comm, "communication_not_overlapped", out, e) ||
        mindspore_merged_rows(c->t, c->in->compute, false, "computation_op", out, e) ||
        put_spans(c->t, comm, "communication", out, e))
        goto out;
    mindspore_last(mindspore_merged_rows(c->t, &all, true, "free_time", out, e));
out:
    spans_done(&collective);
    mindspore_rows_done(&all);
    return e->code;
}

int mindspore_cluster(struct mindspore_timeline *t, const struct mindspore_overlap *in,
                      struct mindspore_rows *out, struct err *e)
{
    struct cluster c = { .t = t, .in = in };
    struct spans gaps = { .n = 0 }, comm = { .n = 0 };

    if (merge_rows(t, in->comm, PICK_ALL, &comm, e) == OK &&
        merge_rows(t, in->compute, PICK_ALL, &gaps, e) == OK) {
        to_gaps(&gaps);
        (void)cluster_rows(&c, &gaps, &comm, out, e);
    }
    for (size_t k = 0; k < N_METRICS; k++)
        free(c.metric[k].v);
    spans_done(&c.comm);
    spans_done(&c.receive);
    spans_done(&c.collective);
    spans_done(&gaps);
    spans_done(&comm);
    return e->code;
}
