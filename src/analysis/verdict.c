/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of the verdict (doc/rules.md#verdict), in the order in which their lines are shown. */
#include "config.h"

#include "analysis/verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/lang/tr.h"
#include "base/unit.h"
#include "model/pipeline.h"

#define RANKS_NAMED  8
#define PART_LEAST   0.1 /* of a step: preparing, comm only, idle time */
#define MEMORY_FULL  0.95
#define MEMORY_MORE  1.2 /* times the median of the others */
#define MEMORY_BYTES 1e9
#define STEPS_EVEN   0.02
#define OP_ALONE     0.5 /* of what the rank loses */
#define STEPS_LEAST  3

/* clang-format off */
static const struct {
    const char *word, *severity, *unit;
    enum pane_id go;
} kinds[N_VERDICTS] = {
    [VERDICT_DIED] =    { "died",    "ERROR", NULL,    PANE_LOG },
    [VERDICT_FIRST] =   { "first",   "INFO",  NULL,    PANE_LOG },
    [VERDICT_CLOCKS] =  { "clocks",  "INFO",  NULL,    PANE_LOG },
    [VERDICT_BLOCKED] = { "blocked", "ERROR", NULL,    PANE_TIME },
    [VERDICT_ENDED] =   { "ended",   "ERROR", NULL,    PANE_FILES },
    [VERDICT_BEHIND] =  { "behind",  "WARN",  NULL,    PANE_STEPS },
    [VERDICT_LATE] =    { "late",    "WARN",  "ns",    PANE_OPS },
    [VERDICT_LINK] =    { "link",    "WARN",  "ns",    PANE_COMM },
    [VERDICT_PREPARE] = { "prepare", "WARN",  "share", PANE_STEPS },
    [VERDICT_COMM] =    { "comm",    "WARN",  "share", PANE_COMM },
    [VERDICT_IDLE] =    { "idle",    "WARN",  "share", PANE_TIME },
    [VERDICT_MEMORY] =  { "memory",  "WARN",  "share", PANE_MEM },
    [VERDICT_STEP] =    { "step",    "INFO",  "ns",    PANE_STEPS },
    [VERDICT_NONE] =    { "none",    "GOOD",  NULL,    PANE_STEPS },
};
/* clang-format on */

static const char *const rules[N_VERDICTS] = {
    [VERDICT_DIED] =
        "The logs beside the run, of all its ranks in the order of their clocks: what first went "
        "wrong is the cause, what followed is not.",
    [VERDICT_FIRST] =
        "The first line of the logs that belongs to why the run died; where the rank wrote none, "
        "what it was at, or what the others say.",
    [VERDICT_CLOCKS] =
        "What several servers saw of the same moments says how far their clocks are apart, and by their "
        "own clocks an event of the rank that failed and one of another rank are the other way round.",
    [VERDICT_BLOCKED] =
        "Ranks leave a communication op together: one that is still in an op that others of the "
        "same step have left waits for something of its own.",
    [VERDICT_ENDED] = "No stop time is recorded, or raw data is cut inside a record.",
    [VERDICT_BEHIND] = "Ranks of one job do the same steps: one that did fewer stopped first, or waited.",
    [VERDICT_LATE] =
        "It communicates less than the others in three of four steps or more and computes or "
        "prepares longer; no other rank does half as much. The smaller of the two times is what a "
        "step would gain.",
    [VERDICT_LINK] =
        "It is slower than 80 % of the mean of the other links of its transport, of at least two, "
        "and its transfers take half a percent of a step longer for it.",
    [VERDICT_PREPARE] =
        "From the end of a step to the first op of the next one the device has nothing to do: a "
        "tenth of a step or more. Data is what it waits for where more than 30 % of the batches "
        "found the queue of the host empty, or some that of the device alone; where none did, "
        "it is the host.",
    [VERDICT_COMM] =
        "Comm only, communication while nothing computes, takes a tenth of a step or more. Not said "
        "where half of it is waiting for a rank that is late.",
    [VERDICT_IDLE] =
        "For a tenth of a step or more the device neither computes nor communicates, what comes before its "
        "first op left out: ops are not launched in time, or they wait for each other.",
    [VERDICT_MEMORY] =
        "The peak is 95 % of the device's memory, or 1.2 times that of the others and 1 GB more.",
    [VERDICT_STEP] = "The longest step took more than 1.5 times the median; the first is left out.",
    [VERDICT_NONE] = "No rule of the verdict holds.",
};

const char *verdict_word(enum verdict_kind k)
{
    return kinds[k].word;
}

const char *verdict_severity(enum verdict_kind k)
{
    return kinds[k].severity;
}

const char *verdict_unit(enum verdict_kind k)
{
    return kinds[k].unit;
}

const char *verdict_rule(enum verdict_kind k)
{
    return rules[k];
}

struct making {
    struct verdict *out;
    struct session *s;
    const struct peers *p;
    const struct ending *x;
    const struct job_logs *logs;
};

/* NULL: there is no room for another. */
static struct verdict_line *add(struct making *m, enum verdict_kind k)
{
    if (m->out->n == VERDICT_MAX)
        return NULL;
    struct verdict_line *l = &m->out->line[m->out->n++];
    *l = (struct verdict_line){
        .kind = k, .rank = -1, .index = SIZE_MAX, .step = NO_STEP, .value = NAN, .go = kinds[k].go
    };
    return l;
}

static void of_rank(struct verdict_line *l, int rank, size_t index)
{
    l->rank = rank;
    l->index = index;
}

static void of_step(struct verdict_line *l, int64_t step)
{
    l->step = step;
    if (step != NO_STEP)
        snprintf(l->filter, sizeof l->filter, "step=%" PRId64, step);
}

/* ---- how it ended ---- */

struct names {
    struct buf b;
    size_t n;
};

static void add_name(struct names *x, int rank)
{
    if (x->n++ < RANKS_NAMED)
        buf_printf(&x->b, " %d", rank);
}

/* "rank 3", "ranks 0 2 3", "ranks 0 1 2 3 4 5 6 7 and 12 more" */
static void put_names(struct buf *to, const struct names *x)
{
    buf_puts(to, tr(x->n == 1 ? "rank" : "ranks"));
    buf_add(to, buf_str(&x->b));
    if (x->n > RANKS_NAMED)
        buf_printf(to, tr(" and %zu more"), x->n - RANKS_NAMED);
}

static bool in_same(const struct ending_rank *a, const struct ending_rank *b)
{
    return !a->apart && !b->apart && a->in_comm[0] && a->last_step == b->last_step &&
           strcmp(a->in_comm, b->in_comm) == 0;
}

/* Those that are in the op of this rank, and those that have left it. */
static void blocked_line(struct making *m, size_t at)
{
    const struct ending *x = m->x;
    const struct ending_rank *k = &x->ranks[at];
    struct names in = { .n = 0 }, left = { .n = 0 };
    struct buf b;
    char op[121];

    str_copy_cut(ending_short(k->in_comm), op, sizeof op);
    buf_init(&in.b, 400);
    buf_init(&left.b, 400);
    buf_init(&b, 4096);
    for (size_t i = 0; i < x->n_ranks; i++) {
        if (in_same(&x->ranks[i], k))
            add_name(&in, x->ranks[i].rank);
        if (ending_has_left(x, i, at))
            add_name(&left, x->ranks[i].rank);
    }
    struct verdict_line *l = add(m, VERDICT_BLOCKED);
    if (l) {
        put_names(&b, &in);
        buf_printf(&b, tr(in.n == 1 ? " is still in %s" : " are still in %s"), op);
        if (k->last_step != NO_STEP)
            buf_printf(&b, tr(" (step %" PRId64 ")"), k->last_step);
        buf_puts(&b, tr("; "));
        put_names(&b, &left);
        buf_puts(&b, tr(left.n == 1 ? " has left it" : " have left it"));
        str_copy_cut(buf_str(&b), l->text, sizeof l->text);
        of_rank(l, k->rank, at);
        l->step = k->last_step;
        l->at_unix_ns = k->has_end ? k->end_unix_ns : 0;
        str_copy(str_of(k->in_comm), l->op, sizeof l->op);
    }
    buf_done(&in.b);
    buf_done(&left.b);
    buf_done(&b);
}

/* A line for each op that some ranks are in and others have left. */
static void blocked(struct making *m)
{
    const struct ending *x = m->x;

    for (size_t i = 0; i < x->n_ranks && ending_is_job(x); i++) {
        bool is = false, said = false;
        for (size_t k = 0; k < i && !said; k++)
            said = in_same(&x->ranks[k], &x->ranks[i]);
        for (size_t k = 0; k < x->n_ranks && !said && !is; k++)
            is = ending_has_left(x, k, i);
        if (is)
            blocked_line(m, i);
    }
}

static size_t current(const struct making *m)
{
    return m->s && session_n_ranks(m->s) ? session_current(m->s) : SIZE_MAX;
}

/* Of the ranks that did not stop in order the one that came furthest, of the selected one's kind. */
static void ended(struct making *m)
{
    const struct ending *x = m->x;
    const struct ending_rank *k = NULL;
    char text[200], which[40] = "";

    for (size_t i = 0; i < x->n_ranks; i++)
        if (!x->ranks[i].apart && x->ranks[i].state == RUN_CRASHED &&
            (!k || x->ranks[i].last_step > k->last_step ||
             (x->ranks[i].last_step == k->last_step && x->ranks[i].cut_after_ns > k->cut_after_ns)))
            k = &x->ranks[i];
    if (current(m) == SIZE_MAX || !ending_is_job(x))
        k = current(m) < x->n_ranks && x->ranks[current(m)].state == RUN_CRASHED ? &x->ranks[current(m)]
                                                                                 : NULL;
    struct verdict_line *l = k ? add(m, VERDICT_ENDED) : NULL;
    if (!l)
        return;
    ending_coverage(k, text, sizeof text);
    if (x->n_ranks > 1 && ending_is_job(x) && k->cut_step != NO_STEP) /* others were cut sooner */
        snprintf(which, sizeof which, tr(" on rank %d"), k->rank);
    snprintf(l->text, sizeof l->text, "%s%s%s%s", tr("the run ended without being stopped"),
             text[0] ? tr(": ") : "", text, text[0] ? which : "");
    l->step = k->cut_step;
    l->at_unix_ns = k->has_end ? k->end_unix_ns : 0;
}

static void behind(struct making *m)
{
    const struct ending *x = m->x;
    const struct ending_rank *top = ending_is_job(x) ? ending_foremost(x) : NULL;
    int64_t low = INT64_MAX;
    struct names who = { .n = 0 };
    size_t first = SIZE_MAX;

    buf_init(&who.b, 400);
    for (size_t i = 0; top && i < x->n_ranks; i++) {
        const struct ending_rank *k = &x->ranks[i];
        if (!ending_is_behind(k, top))
            continue;
        first = first == SIZE_MAX ? i : first;
        low = k->last_complete_step < low ? k->last_complete_step : low;
        add_name(&who, k->rank);
    }
    struct verdict_line *l = top && who.n ? add(m, VERDICT_BEHIND) : NULL;
    if (l) {
        struct buf b;
        buf_init(&b, 4096);
        put_names(&b, &who);
        buf_puts(&b, tr(who.n == 1 ? " is behind: last complete step " : " are behind: last complete step "));
        if (low == NO_STEP)
            buf_puts(&b, tr("none"));
        else
            buf_printf(&b, who.n > 1 ? tr("from %" PRId64) : "%" PRId64, low);
        buf_printf(&b, tr(", of the others %" PRId64), top->last_complete_step);
        str_copy_cut(buf_str(&b), l->text, sizeof l->text);
        buf_done(&b);
        of_rank(l, x->ranks[first].rank, first);
    }
    buf_done(&who.b);
}

/* ---- where the time goes ---- */

static void late_in(const struct making *m, size_t at, struct verdict_line *l, struct buf *b)
{
    struct peer_op op;
    char t[40], pct[24], name[121];

    if (!m->s || !peers_late_op(m->p, m->s, at, &op))
        return;
    str_copy_cut(ending_short(op.name), name, sizeof name);
    unit_time(t, sizeof t, op.ns, TIME_AUTO);
    const struct peer *k = &m->p->v[at];
    double all = isnan(k->part_ns[PEER_COMPUTE]) ? k->device_ns : k->part_ns[PEER_COMPUTE];
    if (op.share >= OP_ALONE || !(all > k->late_compute_ns))
        buf_printf(b, tr(" (in %s: %s)"), name, t);
    else
        buf_printf(b, tr(" (its ops take %s longer, most %s: %s)"),
                   unit_percent(pct, sizeof pct, k->late_compute_ns / (all - k->late_compute_ns)), name, t);
    str_copy(str_of(op.name), l->op, sizeof l->op);
}

static void late(struct making *m)
{
    size_t at = peers_late(m->p);
    struct verdict_line *l = at == SIZE_MAX ? NULL : add(m, VERDICT_LATE);
    const struct peer *k;
    struct buf b;
    char t[40];

    if (!l)
        return;
    k = &m->p->v[at];
    bool prepares = !(k->late_compute_ns >= k->late_prep_ns) && !isnan(k->late_prep_ns);
    buf_init(&b, 4096);
    buf_printf(&b,
               tr(m->p->n == 2 ? "rank %d is late: %s a step, the other waits for it"
                               : "rank %d is late: %s a step, all others wait for it"),
               k->rank, unit_time(t, sizeof t, k->late_ns, TIME_AUTO));
    of_rank(l, k->rank, k->index);
    l->value = k->late_ns;
    if (prepares) {
        buf_puts(&b, tr(" (before its first op: data or host)"));
        l->go = PANE_STEPS;
    } else {
        late_in(m, at, l, &b);
    }
    str_copy_cut(buf_str(&b), l->text, sizeof l->text);
    buf_done(&b);
}

static bool has_steps(const struct peers *p)
{
    return p->n_steps - p->skip >= STEPS_LEAST && p->p50_ns > 0;
}

/*
 * Of what transfers over a link take longer, what nothing hides is at most the communication alone of its
 * ranks; NAN: not known, or not less.
 */
static double link_alone(const struct peers *p, const struct peer_link *k)
{
    double ns = NAN;

    for (size_t i = 0; i < p->n; i++)
        if (p->v[i].rank == k->from || p->v[i].rank == k->to)
            ns = fmax(ns, p->v[i].part_ns[PEER_COMM]);
    return ns < k->ns ? ns : (double)NAN;
}

/* "link 2<>4 runs at 7.4 GB/s, the other HCCS links at 18.4: transfers over it take 3.1 ms longer a step" */
static void slow_link(struct making *m)
{
    struct peer_link k;
    char t[40], alone[40];

    if (!m->s || !has_steps(m->p) || !peers_slow_link(m->p, m->s, &k))
        return;
    struct verdict_line *l = add(m, VERDICT_LINK);
    if (!l)
        return;
    const bool turn = k.both && k.from > k.to;
    const double ns = link_alone(m->p, &k);
    int n = snprintf(l->text, sizeof l->text,
                     tr("link %d%s%d runs at %.1f GB/s, the other %s links at %.1f: "), turn ? k.to : k.from,
                     k.both ? "<>" : ">", turn ? k.from : k.to, k.rate / 1e9, k.transport, k.others / 1e9);
    unit_time(t, sizeof t, k.ns, TIME_AUTO);
    if (isnan(ns))
        snprintf(l->text + n, sizeof l->text - (size_t)n, tr("transfers over it take %s longer a step"), t);
    else /* two lines of 80 columns */
        snprintf(l->text + n, sizeof l->text - (size_t)n,
                 tr("transfers %s longer a step, at most %s of it comm only"), t,
                 unit_time(alone, sizeof alone, ns, TIME_AUTO));
    l->value = k.ns;
}

/*
 * What the device waits for, as far as the queues of the selected rank tell: "the device waits for data
 * before each step: 13 ms, 11.5% of it; Map(id=3) limits the pipeline, 40 of 60 batches found the host's
 * queue empty".
 */
static void prepare_text(const struct making *m, const char *how_long, struct verdict_line *l)
{
    struct err ignored = ERR_INIT; /* then nothing is known of the queues */
    struct pipeline_state k = { .wait = PIPELINE_UNKNOWN };
    size_t n = 0;
    const struct view_part *part = m->s ? session_parts(m->s, false, &n) : NULL;
    struct buf b;

    if (n && pipeline_judge(&k, part, &ignored))
        k.wait = PIPELINE_UNKNOWN;
    buf_init(&b, 4096);
    buf_printf(&b,
               k.wait == PIPELINE_SLOW ? tr("the device waits for data before each step: %s")
               : k.wait == PIPELINE_SENDING
                   ? tr("the device waits for data on its way from the host before each step: %s")
               : k.wait == PIPELINE_READY ? tr("the device waits for the host before each step: %s")
                                          : tr("the device waits for data or the host before each step: %s"),
               how_long);
    if (k.wait == PIPELINE_SLOW && k.limit[0])
        buf_printf(&b, tr("; %s limits the pipeline, "), k.limit);
    else if (k.wait != PIPELINE_UNKNOWN)
        buf_puts(&b, tr("; "));
    if (k.wait == PIPELINE_READY)
        buf_printf(&b, tr("all %" PRIu64 " batches found data in its queue"), k.batches);
    else if (k.wait == PIPELINE_SLOW)
        buf_printf(&b, tr("%" PRIu64 " of %" PRIu64 " batches found the host's queue empty"), k.empty,
                   k.batches);
    else if (k.wait != PIPELINE_UNKNOWN)
        buf_printf(&b, tr("%" PRIu64 " of %" PRIu64 " batches found its queue empty"), k.empty, k.batches);
    if (k.wait == PIPELINE_SLOW || k.wait == PIPELINE_SENDING)
        l->go = PANE_DATA;
    str_copy(buf_str(&b), l->text, sizeof l->text);
    buf_done(&b);
}

/* Of a step, mean of the ranks that tell it, in ns; NAN: none does. */
static double mean_part(const struct peers *p, enum peer_part part)
{
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0; i < p->n; i++)
        if (!isnan(p->v[i].part_ns[part])) {
            sum += p->v[i].part_ns[part];
            n++;
        }
    return n ? sum / (double)n : (double)NAN;
}

static void prepare(struct making *m)
{
    double share = m->p->share[PEER_PREP], mean = mean_part(m->p, PEER_PREP);
    char pct[24], t[40], how_long[80];

    if (!has_steps(m->p) || !(share >= PART_LEAST) || isnan(mean))
        return;
    struct verdict_line *l = add(m, VERDICT_PREPARE);
    if (!l)
        return;
    snprintf(how_long, sizeof how_long, tr("%s, %s of it"), unit_time(t, sizeof t, mean, TIME_AUTO),
             unit_percent(pct, sizeof pct, share));
    prepare_text(m, how_long, l);
    l->value = share;
}

/* ---- what a step consists of ---- */

/* Most of what is communicated is waiting for a rank that is late: that line says it. */
static bool waits_for_late(const struct making *m, double comm_ns)
{
    for (size_t i = 0; i < m->out->n; i++)
        if (m->out->line[i].kind == VERDICT_LATE && m->out->line[i].value >= comm_ns / 2)
            return true;
    return false;
}

/* "comm only (nothing computes) takes 74.2% of a step: 98.07 ms" */
static void part(struct making *m, enum peer_part of, enum verdict_kind kind)
{
    double share = m->p->share[of], mean = mean_part(m->p, of);
    char pct[24], t[40];

    if (!(share >= PART_LEAST) || isnan(mean) || (kind == VERDICT_COMM && waits_for_late(m, mean)))
        return;
    struct verdict_line *l = add(m, kind);
    if (!l)
        return;
    unit_percent(pct, sizeof pct, share);
    unit_time(t, sizeof t, mean, TIME_AUTO);
    if (kind == VERDICT_COMM)
        snprintf(l->text, sizeof l->text, tr("comm only (nothing computes) takes %s of a step: %s"), pct, t);
    else
        snprintf(l->text, sizeof l->text, tr("the device is idle for %s of a step: %s"), pct, t);
    l->value = share;
}

static void parts(struct making *m)
{
    part(m, PEER_COMM, VERDICT_COMM);
    part(m, PEER_IDLE, VERDICT_IDLE);
}

/* ---- memory ---- */

static int real_cmp(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Median of the others' peaks of the same quantity; NAN: not known of at least two of them. */
static double others_peak(const struct peers *p, size_t at)
{
    double *v = malloc(p->n * sizeof *v), m = NAN;
    size_t n = 0;

    for (size_t i = 0; v && i < p->n; i++)
        if (i != at && !isnan(p->v[i].peak_b) && !strcmp(p->v[i].peak_of, p->v[at].peak_of))
            v[n++] = p->v[i].peak_b;
    if (n > 1) {
        qsort(v, n, sizeof *v, real_cmp);
        m = (v[(n - 1) / 2] + v[n / 2]) / 2;
    }
    free(v);
    return m;
}

static void memory(struct making *m)
{
    const struct peers *p = m->p;
    size_t at = SIZE_MAX;
    char a[40], b[40], pct[24];

    for (size_t i = 0; i < p->n; i++)
        if (!isnan(p->v[i].peak_b) && (at == SIZE_MAX || p->v[i].peak_b > p->v[at].peak_b))
            at = i;
    if (at == SIZE_MAX)
        return;
    const struct peer *k = &p->v[at];
    bool full = k->capacity_b > 0 && k->peak_b >= MEMORY_FULL * k->capacity_b;
    double others = full ? (double)NAN : others_peak(p, at);
    if (!full && !(k->peak_b >= MEMORY_MORE * others && k->peak_b - others >= MEMORY_BYTES))
        return;
    struct verdict_line *l = add(m, VERDICT_MEMORY);
    if (!l)
        return;
    of_rank(l, k->rank, k->index);
    unit_size(a, sizeof a, k->peak_b, SIZE_AUTO);
    l->value = k->peak_b / (full ? k->capacity_b : others);
    unit_size(b, sizeof b, full ? k->capacity_b : others, SIZE_AUTO);
    if (full)
        snprintf(l->text, sizeof l->text, tr("rank %d's memory is nearly full: %s%s%s of %s, %s"), k->rank, a,
                 k->peak_of[0] ? " " : "", tr(k->peak_of), b, unit_percent(pct, sizeof pct, l->value));
    else
        snprintf(l->text, sizeof l->text, tr("rank %d holds %s of memory%s%s, the others %s"), k->rank, a,
                 k->peak_of[0] ? tr(", ") : "", tr(k->peak_of), b);
}

/* ---- steps ---- */

static void slow_step(struct making *m)
{
    const struct peers *p = m->p;
    char t[40];

    if (!has_steps(p) || !(p->max_ns > VERDICT_STEP_SLOW * p->p50_ns))
        return;
    struct verdict_line *l = add(m, VERDICT_STEP);
    if (!l)
        return;
    of_step(l, p->step[p->max_at]);
    l->value = p->max_ns;
    snprintf(l->text, sizeof l->text, tr("step %" PRId64 " took %s, %.1f times the median"), l->step,
             unit_time(t, sizeof t, p->max_ns, TIME_AUTO), p->max_ns / p->p50_ns);
}

static void nothing(struct making *m)
{
    const struct peers *p = m->p;
    char a[24], b[24], known[200], unread[80] = "";
    double least = INFINITY;
    size_t n = 0;

    if (m->out->n)
        return;
    for (size_t i = p->skip; i < p->n_steps; i++)
        if (p->length[i] < least)
            least = p->length[i];
    double up = (p->max_ns - p->p50_ns) / p->p50_ns, down = (p->p50_ns - least) / p->p50_ns;
    snprintf(known, sizeof known, "%s", tr("; no steps are recorded"));
    if (p->p50_ns > 0 && up <= STEPS_EVEN && down <= STEPS_EVEN)
        snprintf(known, sizeof known, tr(": steps within %.0f%%"), 100 * STEPS_EVEN);
    else if (p->p50_ns > 0 && p->p95_ns < p->max_ns)
        snprintf(known, sizeof known,
                 tr(": p95 of the steps is %s above the median, step %" PRId64 ", the longest, %s"),
                 unit_percent(a, sizeof a, (p->p95_ns - p->p50_ns) / p->p50_ns), p->step[p->max_at],
                 unit_percent(b, sizeof b, up));
    else if (p->p50_ns > 0)
        snprintf(known, sizeof known, tr(": the longest step, %" PRId64 ", is %s above the median"),
                 p->step[p->max_at], unit_percent(b, sizeof b, up));
    for (size_t i = 0; i < p->n; i++)
        n += p->v[i].read ? 0 : 1;
    if (n)
        snprintf(unread, sizeof unread, tr("; %zu of %zu ranks are not read"), n, p->n);
    struct verdict_line *l = add(m, VERDICT_NONE);
    if (l && n == p->n)
        snprintf(l->text, sizeof l->text, "%s", tr("nothing is known yet: no rank is read"));
    else if (l)
        snprintf(l->text, sizeof l->text, "%s%s%s",
                 tr(p->partial ? "nothing stands out so far" : "nothing stands out"), known, unread);
}

/* ---- logs ---- */

/* What is nobody's fault is said where it ended the job; of other processes it is not this job's. */
static bool ended_job(const struct log_verdict *v)
{
    return v->cls != CAUSE_NONE &&
           (v->accuse || v->cls == CAUSE_STOP || v->cls == CAUSE_SETUP || v->cls == CAUSE_LINKS ||
            v->cls == CAUSE_CYCLE || v->cls == CAUSE_WAIT || v->cls == CAUSE_MISM);
}

/* Where no error of the accused ranks is written: what they were at, else what it did to the others. */
static struct str seen_without_error(const struct log_verdict *v)
{
    return v->n_chain ? v->chain[0].text : v->n_consequences ? v->consequences[0].text : STR("");
}

/* One of them; the others stand in the text of the verdict. */
static void clocks(struct making *m, const struct log_verdict *v)
{
    struct verdict_line *l = v->reordered && v->n_clocks ? add(m, VERDICT_CLOCKS) : NULL;

    if (l)
        str_copy_cut(v->clocks[0], l->text, sizeof l->text);
    if (l && v->n_clocks > 1)
        snprintf(l->text + strlen(l->text), sizeof l->text - strlen(l->text), tr(", and %zu more"),
                 v->n_clocks - 1);
}

static void died(struct making *m)
{
    const struct log_verdict *v = m->logs ? job_logs_verdict(m->logs) : NULL;
    struct verdict_line *l = v && ended_job(v) ? add(m, VERDICT_DIED) : NULL;

    if (!l)
        return;
    job_logs_sentence(v, l->text, sizeof l->text);
    if (v->n_ranks)
        of_rank(l, v->ranks[0], m->s ? session_find_rank(m->s, v->ranks[0]) : SIZE_MAX);
    str_copy(v->op, l->op, sizeof l->op);
    const struct logs *all = job_logs_all(m->logs);
    if (v->first != LOG_NO_EVENT && logs_event(all, v->first)->utc_ns != LOG_NO_UTC)
        l->at_unix_ns = logs_event(all, v->first)->utc_ns;
    struct str seen = seen_without_error(v);
    struct verdict_line *first = v->first != LOG_NO_EVENT || seen.n ? add(m, VERDICT_FIRST) : NULL;
    clocks(m, v);
    if (!first)
        return;
    first->rank = l->rank;
    first->index = l->index;
    if (v->first != LOG_NO_EVENT)
        job_logs_first(all, v, first->text, sizeof first->text);
    else
        str_copy_cut(seen, first->text, sizeof first->text);
}

void verdict_make(struct verdict *out, struct session *s, const struct peers *p, const struct ending *x,
                  const struct job_logs *logs)
{
    struct making m = { out, s, p, x, logs };

    out->n = 0;
    died(&m);
    blocked(&m);
    behind(&m);
    ended(&m);
    late(&m);
    slow_link(&m);
    prepare(&m);
    parts(&m);
    memory(&m);
    slow_step(&m);
    nothing(&m);
}
