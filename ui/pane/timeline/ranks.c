/* SPDX-License-Identifier: Apache-2.0 */
/* Timeline: ranks and runs under each other. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rank_clock.h"
#include "base/bounded.h"
#include "base/lang/tr.h"
#include "base/unit.h"
#include "ui/pane/timeline/timeline_int.h"

#define OFFSET_MOST (INT64_C(1) << 60)

/* ---- which ranks ---- */

struct time_rank *time_rank_entry(const struct pane *p, size_t rank)
{
    struct time_pane *o = time_of(p);
    for (size_t i = 0; i < o->n_ranks; i++)
        if (o->ranks[i].rank == rank)
            return &o->ranks[i];
    return NULL;
}

bool time_wants(struct pane *p, size_t unit)
{
    const struct session *s = app_session(p->app);
    for (size_t i = 0; p->own && i < time_of(p)->n_ranks; i++)
        if (session_rank(s, time_of(p)->ranks[i].rank)->unit == unit)
            return true;
    return false;
}

void time_renumber(struct pane *p, const size_t *moved)
{
    struct time_pane *o = time_of(p);
    size_t n = 0;
    for (size_t i = 0; i < o->n_ranks; i++) {
        o->ranks[n] = o->ranks[i];
        o->ranks[n].rank = moved[o->ranks[i].rank];
        n += o->ranks[n].rank != SIZE_MAX;
    }
    if (o->n_ranks)
        o->base = moved[o->base];
    o->n_ranks = n;
    o->seen_rank = session_current(app_session(p->app));
}

size_t time_part_of_rank(const struct pane *p, size_t rank)
{
    const struct lineup *l = time_of(p)->l;
    for (size_t i = 0; l && i < lineup_n_parts(l); i++)
        if (lineup_part(l, i)->key == rank)
            return i;
    return SIZE_MAX;
}

/* "rank 3"; with the label of its run when several runs have that rank. */
static void rank_label(const struct session *s, size_t rank, char *buf, size_t n)
{
    const struct session_rank *r = session_rank(s, rank);
    char name[32], run[64];
    bool again = false;
    if (r->known || r->device < 0)
        snprintf(name, sizeof name, "rank %d", r->rank);
    else
        snprintf(name, sizeof name, tr("device %d"), r->device);
    for (size_t i = 0; i < session_n_ranks(s); i++)
        again |= i != rank && session_rank(s, i)->rank == r->rank;
    snprintf(buf, n, "%s%s%s", name, again ? tr(" of ") : "",
             again ? session_unit_label(s, r->unit, run, sizeof run) : "");
}

/* ---- the lineup ---- */

static int add_part(struct pane *p, size_t rank, int64_t offset, struct lineup_part *parts, size_t *n,
                    struct err *e)
{
    struct session *s = app_session(p->app);
    const struct session_rank *r = session_rank(s, rank);
    struct lineup_part *x = &parts[*n];
    if (!session_store(s, r->unit))
        return OK;
    struct timeline *tl = session_timeline(s, rank, e);
    if (!tl)
        return e->code;
    if (!timeline_n_tracks(tl))
        return OK;
    *x = (struct lineup_part){
        .tl = tl, .store = session_store(s, r->unit), .key = rank, .rank = r->rank, .offset_ns = offset
    };
    rank_label(s, rank, x->label, sizeof x->label);
    ++*n;
    return OK;
}

static void say_placed(struct pane *p, const struct session_rank *r, const struct rank_clock *c)
{
    char by[40], within[40];

    app_say(p->app, ROLE_WARN,
            tr("rank %d is moved by %s: its clock was lost, its collectives place it so within %s; "
               "=0 undoes"),
            r->rank, tlv_offset(bounded_sub(0, c->ahead_ns), by, sizeof by),
            unit_time(within, sizeof within, (double)c->within_ns, TIME_AUTO));
}

/* Ranks whose clock was lost come where the others' collectives say that they were. */
static int place_lost(struct pane *p, struct err *e)
{
    struct time_pane *o = time_of(p);
    struct session *s = app_session(p->app);
    size_t left = 0;

    for (size_t i = 0; i < o->n_ranks; i++)
        left += !o->ranks[i].placed && session_store(s, session_rank(s, o->ranks[i].rank)->unit);
    struct rank_clock *clock = left && o->n_ranks > 1 ? calloc(session_n_ranks(s), sizeof *clock) : NULL;
    if (!clock)
        return left && o->n_ranks > 1 ? err_nomem(e) : OK;
    int rc = rank_clock_read(clock, s, e);
    for (size_t i = 0; rc == OK && i < o->n_ranks; i++) {
        struct time_rank *r = &o->ranks[i];
        const struct rank_clock *c = &clock[r->rank];
        if (r->placed || !session_store(s, session_rank(s, r->rank)->unit))
            continue;
        r->placed = !c->lost || c->known;
        if (!c->known || r->offset_ns || !c->ahead_ns)
            continue;
        r->offset_ns = bounded_sub(0, c->ahead_ns);
        say_placed(p, session_rank(s, r->rank), c);
    }
    free(clock);
    return rc;
}

int time_line_up(struct pane *p, struct err *e)
{
    struct time_pane *o = time_of(p);
    struct session *s = app_session(p->app);
    struct lineup_part parts[LINEUP_MOST];
    size_t n = 0, base = 0, keys[LINEUP_MOST];
    if (!session_n_ranks(s))
        return OK;
    if (o->n_ranks == 1) /* the other ranks that were kept are gone */
        o->n_ranks = 0;
    if (place_lost(p, e))
        return e->code;
    if (!o->n_ranks && add_part(p, session_current(s), 0, parts, &n, e))
        return e->code;
    for (size_t i = 0; i < o->n_ranks; i++) {
        struct err one = ERR_INIT;
        if (add_part(p, o->ranks[i].rank, o->ranks[i].offset_ns, parts, &n, &one))
            app_say_err(p->app, &one); /* go on with the others */
    }
    for (size_t i = 0; i < n; i++) {
        keys[i] = parts[i].key;
        if (o->n_ranks && parts[i].key == o->base)
            base = i;
    }
    session_keep_timelines(s, keys, n);
    for (size_t i = 0; i < n; i++)
        timeline_set_cache(parts[i].tl, n);
    return n ? lineup_new(&o->l, parts, n, base, e) : OK;
}

void time_show_distance(struct pane *p)
{
    struct time_pane *o = time_of(p);
    char t[32], step[48];
    for (size_t i = 0; i < lineup_n_parts(o->l); i++) {
        const struct lineup_part *x = lineup_part(o->l, i);
        struct time_rank *r = time_rank_entry(p, x->key);
        struct lineup_gap d;
        if (!r || r->told || i == lineup_base(o->l))
            continue;
        r->told = true;
        if (x->offset_ns || !lineup_distance(o->l, i, &d) || (d.ns <= d.most_ns && d.ns >= -d.most_ns))
            continue;
        step[0] = '\0';
        if (d.step_ns)
            snprintf(step, sizeof step, tr(" (a step takes %s)"),
                     unit_time(t, sizeof t, (double)d.step_ns, TIME_AUTO));
        app_say(p->app, ROLE_WARN, "%s lies %s %s %s%s; %s", x->label,
                unit_time(t, sizeof t, fabs((double)d.ns), TIME_AUTO), d.ns < 0 ? tr("before") : tr("after"),
                lineup_part(o->l, lineup_base(o->l))->label, step,
                d.by_step ? tr("=b aligns their steps") : tr("=s aligns them at the selected event"));
    }
}

/* ---- changing which ---- */

/* Detach the pane and attach it again with the ranks that are chosen now. */
static void again(struct pane *p)
{
    pane_detach(p);
    pane_show(p);
}

static bool insert(struct pane *p, size_t rank)
{
    struct time_pane *o = time_of(p);
    size_t at = 0;
    if (time_rank_entry(p, rank))
        return true;
    if (o->n_ranks == LINEUP_MOST) {
        app_say(p->app, ROLE_WARN, "at most %d ranks are shown under each other", LINEUP_MOST);
        return false;
    }
    while (at < o->n_ranks && o->ranks[at].rank < rank)
        at++;
    memmove(&o->ranks[at + 1], &o->ranks[at], (o->n_ranks - at) * sizeof o->ranks[0]);
    o->ranks[at] = (struct time_rank){ .rank = rank };
    o->n_ranks++;
    return true;
}

/* From one rank to several: the one that is shown stays, and the times stay those of its clock. */
static void begin_stack(struct pane *p)
{
    struct time_pane *o = time_of(p);
    if (o->n_ranks)
        return;
    o->base = session_current(app_session(p->app));
    insert(p, o->base);
}

static void drop_rank(struct pane *p, size_t rank)
{
    struct time_pane *o = time_of(p);
    struct time_rank *r = time_rank_entry(p, rank);
    if (!r)
        return;
    size_t at = (size_t)(r - o->ranks);
    memmove(r, r + 1, (o->n_ranks - at - 1) * sizeof *r);
    o->n_ranks--;
    if (o->n_ranks == 1) /* a single rank is the selected one */
        o->n_ranks = 0;
}

void time_show_rank(struct pane *p, size_t rank)
{
    if (!time_of(p)->n_ranks || time_rank_entry(p, rank))
        return;
    if (insert(p, rank))
        again(p);
}

/* ---- from one session to the next ---- */

/*
 * "rank 2 0 -412000 base": index in the session, number of the rank (a line whose two do not match any more
 * is ignored), offset in ns; "base": the times are those of this rank.
 */
void time_save_ranks(const struct pane *p, table_line_fn *fn, void *arg)
{
    const struct time_pane *o = time_of(p);
    const struct session *s = app_session(p->app);
    char line[100];
    for (size_t i = 0; i < o->n_ranks; i++) {
        const struct time_rank *r = &o->ranks[i];
        snprintf(line, sizeof line, "rank %zu %d %" PRId64 "%s", r->rank, session_rank(s, r->rank)->rank,
                 r->offset_ns, r->rank == o->base ? " base" : "");
        fn(arg, str_of(line));
    }
}

bool time_restore_rank(struct pane *p, struct str line)
{
    struct time_pane *o = time_of(p);
    const struct session *s = app_session(p->app);
    struct str word;
    int64_t x[3];
    for (int i = 0; i < 3; i++)
        if (!str_next(&line, ' ', &word) || !str_i64(word, &x[i]))
            return false;
    if (x[0] < 0 || (uint64_t)x[0] >= session_n_ranks(s) || x[2] <= -OFFSET_MOST || x[2] >= OFFSET_MOST ||
        session_rank(s, (size_t)x[0])->rank != x[1] || !insert(p, (size_t)x[0]))
        return false;
    time_rank_entry(p, (size_t)x[0])->offset_ns = x[2];
    if (o->n_ranks == 1 || str_eq(str_trim(line), STR("base")))
        o->base = (size_t)x[0];
    return true;
}

/* ---- :stack 0,3-5 | all | none ---- */

static bool add_number(struct pane *p, int64_t rank)
{
    const struct session *s = app_session(p->app);
    bool any = false;
    for (size_t i = 0; i < session_n_ranks(s); i++)
        if (session_rank(s, i)->rank == rank) {
            any = true;
            if (!insert(p, i))
                return false;
        }
    if (!any)
        app_say(p->app, ROLE_WARN, "there is no rank %lld here", (long long)rank);
    return any;
}

static bool add_range(struct pane *p, struct str item)
{
    int64_t lo, hi;
    size_t dash = str_chr(str_sub(item, 1, item.n), '-');
    struct str a = dash == SIZE_MAX ? item : str_sub(item, 0, dash + 1),
               b = dash == SIZE_MAX ? item : str_sub(item, dash + 2, item.n);
    if (!str_i64(str_trim(a), &lo) || !str_i64(str_trim(b), &hi) || lo > hi || hi - lo >= LINEUP_MOST) {
        app_say(p->app, ROLE_WARN, "which ranks? :stack 0,3-5, :stack all, :stack none");
        return false;
    }
    for (; lo <= hi; lo++)
        if (!add_number(p, lo))
            return false;
    return true;
}

void time_stack(struct pane *p, struct str list)
{
    struct time_pane *o = time_of(p);
    struct session *s = app_session(p->app);
    struct str item;
    pane_show(p);
    o = time_of(p);
    list = str_trim(list);
    if (!o || session_n_ranks(s) < 2) {
        app_say(p->app, ROLE_TEXT, "there is one rank only; give the parent directory to see more");
        return;
    }
    o->n_ranks = 0;
    if (!str_eq(list, STR("none"))) {
        begin_stack(p);
        if (str_eq(list, STR("all")))
            for (size_t i = 0; i < session_n_ranks(s) && insert(p, i); i++)
                ;
        else
            while (str_next(&list, ',', &item) && add_range(p, str_trim(item)))
                ;
    }
    if (o->n_ranks == 1)
        o->n_ranks = 0;
    again(p);
}

/* ---- =r: a menu of ranks ---- */

static struct pane *pane_of(void *arg)
{
    return app_pane(arg);
}

static size_t ranks_count(void *arg)
{
    return session_n_ranks(app_session(arg));
}

static void ranks_item(void *arg, size_t i, struct menu_item *out)
{
    struct pane *p = pane_of(arg);
    const struct session *s = app_session(arg);
    const struct time_rank *r = time_rank_entry(p, i);
    char t[48];
    out->state = r != NULL || (!time_of(p)->n_ranks && i == session_current(s));
    rank_label(s, i, out->text, sizeof out->text);
    if (r && r->offset_ns)
        snprintf(out->right, sizeof out->right, tr("moved by %s"), tlv_offset(r->offset_ns, t, sizeof t));
    else if (!session_store(s, session_rank(s, i)->unit))
        snprintf(out->right, sizeof out->right, tr("not read yet"));
}

static void toggle_rank(struct pane *p, size_t rank)
{
    begin_stack(p);
    if (!time_rank_entry(p, rank))
        insert(p, rank);
    else
        drop_rank(p, rank);
    if (time_of(p)->n_ranks == 1)
        time_of(p)->n_ranks = 0;
    again(p);
}

static bool ranks_act(struct app *a, void *arg, enum action act, size_t i, size_t *cursor)
{
    struct pane *p = pane_of(arg);
    (void)cursor;
    if (act == ACT_TOGGLE && i != SIZE_MAX)
        toggle_rank(p, i);
    else if (act == ACT_ALL_OFF)
        time_stack(p, time_of(p)->n_ranks ? STR("none") : STR("all"));
    (void)a;
    return act == ACT_OPEN;
}

static const struct key_bar ranks_bar[] = { { ACT_TOGGLE, ACT_NONE, "show, hide" },
                                            { ACT_ALL_OFF, ACT_NONE, "all, one" },
                                            { ACT_OPEN, ACT_NONE, "close" } };
static const struct menu_ops ranks_ops = { N_("Ranks under each other"),
                                           N_("no ranks"),
                                           ranks_bar,
                                           ARRAY_LEN(ranks_bar),
                                           ranks_count,
                                           ranks_item,
                                           ranks_act };

void time_ranks_menu(struct pane *p)
{
    struct overlay *o;
    struct err e = ERR_INIT;
    if (overlay_menu(&o, &ranks_ops, p->app, session_current(app_session(p->app)), &e))
        app_say_err(p->app, &e);
    else
        app_overlay(p->app, o);
}
