/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of a line of the verdict: what it compares, rank by rank. */
#include "config.h"

#include "ui/pane/triage/proof.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang/tr.h"
#include "base/text.h"
#include "base/unit.h"

#define TIME_W 10

static int most(int a, int b)
{
    return a > b ? a : b;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* "-": unknown; none: nothing where it is 0. */
static const char *time_text(double ns, enum time_unit u, bool none, char *buf, size_t n)
{
    snprintf(buf, n, "%s", none && ns == 0 ? "" : "-");
    return isnan(ns) || (none && ns == 0) ? buf : unit_time(buf, n, ns, u);
}

/* ns, NAN unknown. at: in struct peer. */
static double rank_time(const struct peer *k, size_t at)
{
    double ns;

    memcpy(&ns, (const char *)k + at, sizeof ns);
    return ns;
}

static bool any_rank_has(const struct peers *p, size_t at)
{
    for (size_t i = 0; i < p->n; i++)
        if (!isnan(rank_time(&p->v[i], at)))
            return true;
    return false;
}

static void add_head(struct buf *b, const char *head, size_t w)
{
    buf_printf(b, "%*s%s", text_pad(head, w), "", head);
}

/* Of how many steps the means of a rank are. */
static size_t steps_of(const struct peers *p, size_t i)
{
    size_t n = 0;

    for (size_t k = p->skip; k < p->n_steps; k++)
        n += isnan(peers_lengths(p, i)[k]) ? 0 : 1;
    return n;
}

struct rank_col {
    const char *title;
    size_t at;
    bool none; /* 0 is below what counts */
    int w;     /* 0: no rank has it */
};

static void fit_col(struct rank_col *k, const struct peers *p, enum time_unit u)
{
    char t[40];

    k->w = any_rank_has(p, k->at) ? text_cells_of(k->title) : 0;
    for (size_t i = 0; k->w && i < p->n; i++)
        k->w = most(k->w, text_cells_of(time_text(rank_time(&p->v[i], k->at), u, k->none, t, sizeof t)));
}

/* A column that no rank has is left out; each is as wide as it needs to be. */
void proof_ranks(const struct peers *p, struct buf *b)
{
    enum time_unit u = p->max_ns > 0 ? unit_time_column(p->p50_ns / 100, p->max_ns) : TIME_AUTO;
    struct rank_col times[] = {
        { tr_column("step"), offsetof(struct peer, step_ns), false, 0 },
        { tr_column("compute"), offsetof(struct peer, part_ns[PEER_COMPUTE]), false, 0 },
        { tr_column("comm only"), offsetof(struct peer, part_ns[PEER_COMM]), false, 0 },
        { p->interval ? tr_column("interval") : tr_column("prep"), offsetof(struct peer, part_ns[PEER_PREP]),
          false, 0 },
        { tr_column("wait"), offsetof(struct peer, wait_ns), false, 0 },
        { tr_column("late"), offsetof(struct peer, late_ns), true, 0 },
    };
    char t[40];

    buf_puts(b, tr("\n# Rank by rank, mean of a step"));
    buf_printf(b, "%s\n", p->skip ? tr(", without the first") : "");
    add_head(b, tr_column("rank"), 5);
    buf_puts(b, "  ");
    add_head(b, tr_column("steps"), 5);
    for (size_t k = 0; k < ARRAY_LEN(times); k++) {
        fit_col(&times[k], p, u);
        buf_puts(b, times[k].w ? "  " : "");
        add_head(b, times[k].w ? times[k].title : "", (size_t)times[k].w);
    }
    buf_addc(b, '\n');
    for (size_t i = 0; i < p->n; i++) {
        buf_printf(b, "%5d  %5zu", p->v[i].rank, steps_of(p, i));
        for (size_t k = 0; k < ARRAY_LEN(times); k++)
            if (times[k].w)
                buf_printf(b, "  %*s", times[k].w,
                           time_text(rank_time(&p->v[i], times[k].at), u, times[k].none, t, sizeof t));
        buf_addc(b, '\n');
    }
}

#define ACT_TRACK_MOST 20 /* cells */
#define ACT_NAME_MOST  40

static int name_cells(const char *name)
{
    return (int)text_width(ending_short(name), 0);
}

static bool is_queue(const struct ending_act *q)
{
    return strcmp(q->kind, "queue") == 0;
}

/*
 * Each column as wide as its longest text, so that a line is whole on a narrow screen; a queue has a long
 * name and no end.
 */
void proof_last(const struct ending *x, struct buf *b)
{
    enum time_unit u = ending_at_unit(x);
    int at_w = 0, track_w = 0, name_w = 0;
    char at[40];

    if (!x->n_acts)
        return;
    buf_printf(b, tr("\n# Last activity of rank %d\n"), x->acts[0].rank);
    for (size_t i = 0; i < x->n_acts; i++) {
        const struct ending_act *q = &x->acts[i];
        at_w = most(at_w, text_cells_of(ending_at(q, u, at, sizeof at)));
        track_w = most(track_w, is_queue(q) ? 0 : text_cells_of(q->track));
        name_w = most(name_w, is_queue(q) ? 0 : name_cells(q->name));
    }
    track_w = least(track_w, ACT_TRACK_MOST);
    name_w = least(name_w, ACT_NAME_MOST);
    for (size_t i = 0; i < x->n_acts; i++) {
        const struct ending_act *q = &x->acts[i];
        struct str name = ending_short(q->name);
        buf_printf(b, "%*s  %s%*s %.*s", at_w, ending_at(q, u, at, sizeof at), q->track,
                   text_pad(q->track, (size_t)track_w), "", (int)name.n, name.p);
        if (!is_queue(q))
            buf_printf(b, "%*s  %s", text_pad(name.p, (size_t)name_w), "", ending_act_text(q));
        buf_addc(b, '\n');
    }
}

/* ---- who left a communication op ---- */

/* ns from an instant to another of the same rank's clock, to the digit; NAN: one is not known or damaged. */
static double between(int64_t ns, int64_t zero)
{
    int64_t d;

    return ns == NO_TIME || zero == NO_TIME || __builtin_sub_overflow(ns, zero, &d) ? NAN : (double)d;
}

/* The instant against another of the same rank's clock; not known: "-". */
static char *since(int64_t ns, int64_t zero, enum time_unit u, char *buf, size_t n)
{
    char t[40];
    const double d = between(ns, zero);

    if (isnan(d)) {
        snprintf(buf, n, "-");
        return buf;
    }
    unit_time(t, sizeof t, fabs(d), u);
    snprintf(buf, n, "%s%s", d < 0 ? "-" : "", t);
    return buf;
}

struct left_row {
    const struct ending_rank *k;
    bool in;
    int64_t zero;
};

static void add_cell(struct buf *b, const char *text, size_t w)
{
    buf_puts(b, "  ");
    add_head(b, text, w);
}

static void left_line(const struct left_row *r, enum time_unit u, int name_w, struct buf *b)
{
    const struct ending_rank *k = r->k;
    char t[48];

    buf_printf(b, "%5d", k->rank);
    add_cell(b, since(r->in ? k->in_since_ns : k->left_since_ns, r->zero, u, t, sizeof t), TIME_W);
    add_cell(b, r->in ? tr("not left") : since(k->left_at_ns, r->zero, u, t, sizeof t), TIME_W);
    buf_printf(b, "  %s%*s", k->last_op, text_pad(k->last_op, (size_t)name_w), "");
    add_cell(b, k->last_runs ? tr("not ended") : since(k->last_ts_ns, r->zero, u, t, sizeof t), TIME_W);
    buf_addc(b, '\n');
}

/* Ranks that are in the op, or have left it. */
static size_t take_rows(const struct ending *x, size_t at, struct left_row *rows)
{
    const struct ending_rank *k = &x->ranks[at];
    size_t n = 0;

    for (size_t i = 0; i < x->n_ranks; i++) {
        const struct ending_rank *o = &x->ranks[i];
        bool in = i == at || (!o->apart && o->last_step == k->last_step && !strcmp(o->in_comm, k->in_comm));
        if (in || ending_has_left(x, i, at))
            rows[n++] = (struct left_row){ o, in, NO_TIME };
    }
    return n;
}

/* Clocks of ranks differ: each counts from its own begin of the step, else from its last record. */
static bool set_zeros(struct left_row *rows, size_t n)
{
    bool steps = true;

    for (size_t i = 0; i < n; i++)
        steps &= rows[i].k->step_since_ns != NO_TIME;
    for (size_t i = 0; i < n; i++)
        rows[i].zero = steps ? rows[i].k->step_since_ns : rows[i].k->has_ts ? rows[i].k->last_ts_ns : NO_TIME;
    return steps;
}

static enum time_unit rows_unit(const struct left_row *rows, size_t n)
{
    double low = 0, high = 0;

    for (size_t i = 0; i < n; i++) {
        const struct left_row *r = &rows[i];
        const int64_t at[] = { r->in ? r->k->in_since_ns : r->k->left_since_ns,
                               r->in ? NO_TIME : r->k->left_at_ns };
        for (size_t j = 0; j < ARRAY_LEN(at); j++) {
            double d = between(at[j], r->zero), ns = isnan(d) ? 0 : fabs(d);
            low = ns > 0 && (low == 0 || ns < low) ? ns : low;
            high = ns > high ? ns : high;
        }
    }
    return unit_time_column(low, high);
}

static bool lacks_store(const struct left_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!rows[i].in && rows[i].k->brief && rows[i].k->left_since_ns == NO_TIME)
            return true;
    return false;
}

void proof_left(const struct ending *x, size_t at, struct buf *b)
{
    struct left_row *rows = at < x->n_ranks ? calloc(x->n_ranks, sizeof *rows) : NULL;
    const struct ending_rank *k = rows ? &x->ranks[at] : NULL;
    int name_w = text_cells_of(tr("last op"));
    char op[121];

    if (!rows)
        return;
    size_t n = take_rows(x, at, rows);
    bool steps = set_zeros(rows, n);
    enum time_unit u = rows_unit(rows, n);
    for (size_t i = 0; i < n; i++)
        name_w = most(name_w, text_cells_of(rows[i].k->last_op));
    name_w = least(name_w, ACT_NAME_MOST);
    str_copy_cut(ending_short(k->in_comm), op, sizeof op);
    if (steps)
        buf_printf(b, tr("\n# %s, on the clock of each rank from its begin of step %" PRId64 "\n"), op,
                   k->last_step);
    else
        buf_printf(b, tr("\n# %s, on the clock of each rank against its last record\n"), op);
    add_head(b, tr_column("rank"), 5);
    add_cell(b, tr("entered"), TIME_W);
    add_cell(b, tr("left"), TIME_W);
    buf_printf(b, "  %s%*s", tr("last op"), text_pad(tr("last op"), (size_t)name_w), "");
    add_cell(b, tr("ended"), TIME_W);
    buf_addc(b, '\n');
    for (size_t i = 0; i < n; i++)
        left_line(&rows[i], u, name_w, b);
    if (lacks_store(rows, n))
        buf_puts(b, tr("-: in the store of that rank, which is not open\n"));
    free(rows);
}
