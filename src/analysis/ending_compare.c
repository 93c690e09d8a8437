/* SPDX-License-Identifier: Apache-2.0 */
/* How the ranks of one job end, compared: which are behind, which are waited for, which ended first. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/ending.h"
#include "base/lang/tr.h"
#include "base/unit.h"

#define SECOND_NS 1e9

struct rank_names {
    size_t n;
    int64_t low, high; /* last complete steps */
    char text[120];
};

static void add_rank_name(struct rank_names *x, const struct ending_rank *k)
{
    size_t used = strlen(x->text);

    if (x->n < 8)
        snprintf(x->text + used, sizeof x->text - used, "%s%d", used ? ", " : "", k->rank);
    x->low = !x->n || k->last_complete_step < x->low ? k->last_complete_step : x->low;
    x->high = !x->n || k->last_complete_step > x->high ? k->last_complete_step : x->high;
    x->n++;
}

static const char *ranks_text(struct rank_names *x, char *buf, size_t n)
{
    char more[40] = "";

    if (x->n > 8)
        snprintf(more, sizeof more, tr(" and %zu more"), x->n - 8);
    if (x->n > 1)
        snprintf(buf, n, tr("ranks %s%s"), x->text, more);
    else
        snprintf(buf, n, "rank %s", x->text);
    return buf;
}

static void add_number(char *buf, size_t n, int64_t low, int64_t high)
{
    if (high == NO_STEP)
        snprintf(buf, n, "%s", tr("none"));
    else if (low == NO_STEP)
        snprintf(buf, n, tr("none to %" PRId64), high);
    else if (low == high)
        snprintf(buf, n, "%" PRId64, low);
    else
        snprintf(buf, n, tr("%" PRId64 " to %" PRId64), low, high);
}

bool ending_same_steps(const struct ending_rank *a, const struct ending_rank *b)
{
    return !a->steps_from[0] || !b->steps_from[0] || !strcmp(a->steps_from, b->steps_from);
}

const struct ending_rank *ending_foremost(const struct ending *x)
{
    const struct ending_rank *top = NULL;

    for (size_t i = 0; i < x->n_ranks; i++) {
        const struct ending_rank *k = &x->ranks[i];
        if (k->read && !k->apart && k->last_complete_step != NO_STEP &&
            (!top || k->last_complete_step > top->last_complete_step))
            top = k;
    }
    return top;
}

bool ending_is_behind(const struct ending_rank *k, const struct ending_rank *top)
{
    return top && k->read && !k->apart && k->last_complete_step < top->last_complete_step &&
           ending_same_steps(k, top);
}

/* Ranks of one job do the same steps: a rank that did fewer stopped first, or waited. */
static void say_late(const struct ending *x, struct run_verdict *v)
{
    struct rank_names behind = { .n = 0 };
    const struct ending_rank *top = ending_foremost(x);
    int64_t most = top ? top->last_complete_step : NO_STEP;
    char steps[60], who[200];
    size_t n = 0;

    for (size_t i = 0; i < x->n_ranks; i++)
        n += x->ranks[i].read && !x->ranks[i].apart;
    for (size_t i = 0; i < x->n_ranks; i++)
        if (ending_is_behind(&x->ranks[i], top))
            add_rank_name(&behind, &x->ranks[i]);
    if (!behind.n || n < 2)
        return;
    add_number(steps, sizeof steps, behind.low, behind.high);
    ranks_text(&behind, who, sizeof who);
    if (behind.n > 1)
        run_verdict_add(v, "%s are behind: last complete step %s, of the others %" PRId64, who, steps, most);
    else
        run_verdict_add(v, "%s is behind: last complete step %s, of the others %" PRId64, who, steps, most);
}

/*
 * Whether k waits for something of its own in an op whose name is that of the network, as in MindSpore 1.x:
 * all groups have the same names there. Of a group at least two ranks communicate, so where only k is in the
 * op and all others have just left it, some of these were of its group. Names by HCCL ("hcom_") carry the
 * group.
 */
static bool is_alone(const struct ending *x, const struct ending_rank *k)
{
    if (str_starts(str_of(k->in_comm), STR("hcom_")))
        return true;
    for (size_t i = 0; i < x->n_ranks; i++) {
        const struct ending_rank *o = &x->ranks[i];
        if (o != k && o->has_ts && !o->apart &&
            (o->last_step != k->last_step || strcmp(o->left_comm, k->in_comm) != 0))
            return false;
    }
    return true;
}

bool ending_has_left(const struct ending *x, size_t other, size_t at)
{
    const struct ending_rank *o = &x->ranks[other], *k = &x->ranks[at];

    return other != at && !o->apart && !k->apart && k->in_comm[0] && o->last_step == k->last_step &&
           strcmp(o->left_comm, k->in_comm) == 0 && is_alone(x, k);
}

static size_t n_left(const struct ending *x, size_t at)
{
    size_t n = 0;

    for (size_t i = 0; i < x->n_ranks; i++)
        n += ending_has_left(x, i, at);
    return n;
}

static void say_left(struct run_verdict *v, const char *who, bool several, const char *op, size_t left)
{
    if (several && left > 1)
        run_verdict_add(v, "%s are still in %s, which %zu others have left", who, op, left);
    else if (several)
        run_verdict_add(v, "%s are still in %s, which %zu other has left", who, op, left);
    else if (left > 1)
        run_verdict_add(v, "%s is still in %s, which %zu others have left", who, op, left);
    else
        run_verdict_add(v, "%s is still in %s, which %zu other has left", who, op, left);
}

/* One sentence for each op. */
static void say_in_comm(const struct ending *x, struct run_verdict *v)
{
    char who[200], name[81];

    for (size_t i = 0; i < x->n_ranks; i++) {
        struct rank_names in = { .n = 0 };
        size_t left = n_left(x, i);
        bool said = false;
        for (size_t k = 0; k < x->n_ranks && left; k++) {
            if (x->ranks[k].apart || strcmp(x->ranks[k].in_comm, x->ranks[i].in_comm) != 0 ||
                x->ranks[k].last_step != x->ranks[i].last_step)
                continue;
            said |= k < i;
            add_rank_name(&in, &x->ranks[k]);
        }
        str_copy_cut(ending_short(x->ranks[i].in_comm), name, sizeof name);
        if (left && !said)
            say_left(v, ranks_text(&in, who, sizeof who), in.n > 1, name, left);
    }
}

static bool has_end(const struct ending_rank *k)
{
    return k->has_end && !k->apart && (!k->clock_lost || k->clock_known);
}

/* Only a difference of more than a step counts: ranks differ by less anyway, and so do their clocks. */
static void say_earlier(const struct ending *x, struct run_verdict *v)
{
    const struct ending_rank *first = NULL;
    int64_t next = INT64_MAX;
    char t[40];

    for (size_t i = 0; i < x->n_ranks; i++)
        if (has_end(&x->ranks[i]) && (!first || x->ranks[i].end_unix_ns < first->end_unix_ns))
            first = &x->ranks[i];
    for (size_t i = 0; i < x->n_ranks; i++)
        if (has_end(&x->ranks[i]) && &x->ranks[i] != first && x->ranks[i].end_unix_ns < next)
            next = x->ranks[i].end_unix_ns;
    if (!first || next == INT64_MAX)
        return;
    double before = (double)next - (double)first->end_unix_ns;
    if (before > (isnan(first->step_ns) ? SECOND_NS : first->step_ns))
        run_verdict_add(v, "the records of rank %d end %s before those of the others", first->rank,
                        unit_time(t, sizeof t, before, TIME_AUTO));
}

/* Its rows have the bound that its own tasks give. */
static void say_clocks(const struct ending *x, struct run_verdict *v)
{
    char by[40], within[40];

    for (size_t i = 0; i < x->n_ranks; i++) {
        const struct ending_rank *k = &x->ranks[i];
        if (!k->clock_known || k->apart)
            continue;
        unit_time(by, sizeof by, fabs((double)k->clock_ahead_ns), TIME_AUTO);
        unit_time(within, sizeof within, (double)k->clock_within_ns, TIME_AUTO);
        if (k->clock_ahead_ns > 0)
            run_verdict_add(
                v,
                "the device clock of rank %d was lost: by its collectives with rank %d its times are %s too "
                "late, within %s",
                k->rank, k->clock_with, by, within);
        else if (k->clock_ahead_ns)
            run_verdict_add(
                v,
                "the device clock of rank %d was lost: by its collectives with rank %d its times are %s too "
                "early, within %s",
                k->rank, k->clock_with, by, within);
        else
            run_verdict_add(
                v,
                "the device clock of rank %d was lost: by its collectives with rank %d its times are right "
                "within %s",
                k->rank, k->clock_with, within);
    }
}

bool ending_is_job(const struct ending *x)
{
    const struct ending_rank *last = NULL;

    for (size_t i = 0; i < x->n_ranks; i++) { /* ranks are in the order of their numbers */
        if (x->ranks[i].apart)
            continue;
        if (last && x->ranks[i].rank == last->rank)
            return false;
        last = &x->ranks[i];
    }
    return true;
}

void ending_compare(const struct ending *x, struct run_verdict *v)
{
    if (!ending_is_job(x))
        return;
    say_late(x, v);
    say_in_comm(x, v);
    say_earlier(x, v);
    say_clocks(x, v);
}
