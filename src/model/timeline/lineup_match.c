/* SPDX-License-Identifier: Apache-2.0 */
/* Filters on a lineup: tests by name and by track come first, tests of events last. */
#include "config.h"

#include "model/timeline/lineup_match.h"

#include <stdlib.h>

#include "model/timeline/lineup_match_int.h"
#include "model/view/view.h"

/* Column ids of view_timeline_events. */
static const struct {
    const char *id;
    enum what what;
} columns[] = {
    { "name", W_NAME },   { "track", W_TRACK },     { "category", W_CATEGORY }, { "kind", W_KIND },
    { "ts_ns", W_START }, { "dur_ns", W_DURATION }, { "depth", W_DEPTH },
};

const struct view_def *lineup_match_columns(void)
{
    return view_def_find("timeline.events");
}

/* ---- tests ---- */

/* The property that a test of a filter is about; false: the timeline does not have it. */
static bool what_of(const struct filter_test *t, enum what *out, struct err *e)
{
    *out = W_ROW;
    if (t->op == FO_ROW_RE)
        return true;
    const struct view_col *c =
        t->col == FILTER_RANK ? view_rank_column() : &lineup_match_columns()->cols[t->col];
    for (size_t i = 0; i < ARRAY_LEN(columns); i++)
        if (!strcmp(columns[i].id, c->id)) {
            *out = columns[i].what;
            return true;
        }
    err_set(e, ERR_USAGE, "the timeline cannot be asked for '%s'", c->title);
    return false;
}

int lineup_match_check(const struct filter *f, struct err *e)
{
    enum what w;

    for (size_t i = 0; i < f->n; i++)
        if (!what_of(&f->tests[i], &w, e))
            return e->code;
    return OK;
}

/* t NULL: the search. */
static int add_test(struct lineup_match *m, const struct filter_test *t, struct err *e)
{
    enum what what = W_SEARCH;

    if (m->n_tests == TESTS_MOST)
        return err_set(e, ERR_LIMIT, "more than %d tests", TESTS_MOST);
    if (t && !what_of(t, &what, e))
        return e->code;
    m->test[m->n_tests++] = (struct test){ what, t };
    return OK;
}

static bool is_by_name(enum what w)
{
    return w <= W_ROW;
}

/* 1: it holds, 0: it does not, -1: too costly; without negation. */
static int plain_text(const struct lineup_match *m, const struct test *t, struct str s)
{
    if (t->what == W_SEARCH)
        return re_match(m->search, s, 0, NULL, NULL);
    int rc = filter_text(t->t, s);
    return rc < 0 ? rc : rc ^ t->t->negate;
}

static void renew(const struct lineup_match *m)
{
    for (size_t i = 0; i < m->n_tests; i++)
        if (m->test[i].t)
            filter_renew(m->test[i].t);
    if (m->search)
        re_renew(m->search);
}

static bool is_negated(const struct test *t)
{
    return t->t && t->t->negate;
}

/* ---- names ---- */

static int alloc_hits(struct lineup_match *m, struct part_match *p, struct store *s, struct err *e)
{
    int64_t most = store_int(s, 0, "SELECT ifnull(max(id), 0) FROM string", NULL);

    p->n_names = (size_t)most + 1;
    for (size_t k = 0; k < m->n_tests; k++) {
        if (!is_by_name(m->test[k].what))
            continue;
        p->hit[k] = calloc(p->n_names, 1);
        if (!p->hit[k])
            return err_nomem(e);
    }
    return OK;
}

static int test_names(struct lineup_match *m, struct part_match *p, struct store *s, struct err *e)
{
    struct query *q = NULL;

    if (alloc_hits(m, p, s, e) || store_query(s, &q, "SELECT id, text FROM string", e))
        return e->code;
    while (query_step(q, e) == 1) {
        int64_t id = query_int(q, 0);
        if (id <= 0 || (size_t)id >= p->n_names)
            continue;
        for (size_t k = 0; k < m->n_tests; k++) {
            if (!p->hit[k])
                continue;
            int rc = plain_text(m, &m->test[k], query_str(q, 1));
            m->undecided += rc < 0;
            p->hit[k][id] = rc < 0 ? is_negated(&m->test[k]) : rc > 0;
        }
    }
    query_free(q);
    return e->code;
}

/* ---- tracks ---- */

/* As the tables of events and tracks have it. */
static struct str kind_word(struct str kind)
{
    return str_eq(kind, STR("host_thread")) ? STR("host") : kind;
}

/* Whether a test of a text holds. */
static bool text_holds(struct lineup_match *m, const struct test *t, struct str s)
{
    int rc = filter_text(t->t, s);

    m->undecided += rc < 0;
    return rc > 0;
}

/*
 * Match one text of a track; a test of rows holds if any of them matches. 1: one does, 0: none so far, -1:
 * too costly.
 */
static int row_text(struct lineup_match *m, const struct test *t, struct str s, int sofar)
{
    if (sofar > 0 || !s.p)
        return sofar;
    int rc = plain_text(m, t, s);
    m->undecided += rc < 0;
    return rc ? rc : sofar;
}

/*
 * Result of a test for a track: 1: it holds for all its events, 0: for none, -1: the events have to be
 * tested.
 */
static int test_track(struct lineup_match *m, const struct test *t, const struct tl_track *k)
{
    int row = 0;

    switch (t->what) {
    case W_TRACK:
        return text_holds(m, t, k->name);
    case W_CATEGORY:
        return k->process.p ? text_holds(m, t, k->process) : filter_unknown(t->t);
    case W_KIND:
        return text_holds(m, t, kind_word(k->kind));
    case W_ROW:
        row = row_text(m, t, k->name, row);
        row = row_text(m, t, kind_word(k->kind), row);
        row = row_text(m, t, k->process, row);
        return row > 0 ? !t->t->negate : row < 0 && t->t->negate ? 0 : -1;
    default:
        return -1;
    }
}

static bool name_passes(const struct lineup_match *m, const struct part_match *p, size_t k, size_t name)
{
    return (name < p->n_names && p->hit[k][name]) != is_negated(&m->test[k]);
}

/*
 * A byte for each name that is set if it passes all of these tests; kept for the tracks with the same tests
 * (only tests of rows differ from track to track). NULL: out of memory.
 */
static const uint8_t *combine(const struct lineup_match *m, struct part_match *p, uint64_t tests)
{
    for (size_t i = 0; i < p->n_combos; i++)
        if (p->combo[i].tests == tests)
            return p->combo[i].names;
    struct combo *more = realloc(p->combo, (p->n_combos + 1) * sizeof *more);
    if (more)
        p->combo = more;
    uint8_t *names = more ? malloc(p->n_names) : NULL;
    if (!names)
        return NULL;
    for (size_t i = 0; i < p->n_names; i++) {
        names[i] = 1;
        for (size_t k = 0; k < m->n_tests && names[i]; k++)
            if (tests >> k & 1)
                names[i] = name_passes(m, p, k, i);
    }
    p->combo[p->n_combos++] = (struct combo){ tests, names };
    return names;
}

/* A counter is matched without its events; its name is that of the track. */
static bool counter_passes(struct lineup_match *m, const struct tl_track *k)
{
    for (size_t i = 0; i < m->n_tests; i++) {
        const struct test *t = &m->test[i];
        int rc = test_track(m, t, k);
        if (rc < 0 && is_by_name(t->what) && (rc = plain_text(m, t, k->name)) >= 0)
            rc ^= is_negated(t);
        if (rc <= 0)
            return false;
    }
    return true;
}

static int settle_track(struct lineup_match *m, size_t track, struct err *e)
{
    const struct tl_track *k = lineup_track(m->l, track);
    struct part_match *p = &m->part[lineup_part_of(m->l, track)];
    struct track_match *x = &m->track[track];

    if (k->is_counter) {
        x->fate = counter_passes(m, k) ? F_ALL : F_NONE;
        x->counted = true;
        return OK;
    }
    m->of += (uint64_t)k->n;
    x->fate = F_ALL;
    for (size_t i = 0; i < m->n_tests && x->fate != F_NONE; i++) {
        int rc = test_track(m, &m->test[i], k);
        if (!rc)
            x->fate = F_NONE;
        else if (rc < 0 && is_by_name(m->test[i].what))
            x->by_name |= UINT64_C(1) << i;
        else if (rc < 0)
            x->by_number |= UINT64_C(1) << i;
    }
    if (x->fate == F_ALL && (x->by_name || x->by_number))
        x->fate = F_SOME;
    if (x->fate == F_SOME && x->by_name && !(x->names = combine(m, p, x->by_name)))
        return err_nomem(e);
    x->counted = x->fate != F_SOME;
    x->count = x->fate == F_ALL ? (uint64_t)k->n : 0;
    m->count += x->count;
    return OK;
}

/* ---- life ---- */

int lineup_match_new(struct lineup_match **out, struct lineup *l, const struct lineup_match_opts *o,
                     struct err *e)
{
    struct lineup_match *m = calloc(1, sizeof *m);
    size_t n = lineup_n_tracks(l);

    if (!m)
        return err_nomem(e);
    m->l = l;
    m->zero = o->zero;
    m->search = o->search;
    m->part = calloc(lineup_n_parts(l) + 1, sizeof *m->part);
    m->track = calloc(n + 1, sizeof *m->track);
    if (!m->part || !m->track)
        err_nomem(e);
    for (size_t i = 0; i < o->n_filters && !e->code; i++)
        for (size_t k = 0; k < o->filters[i]->n && !e->code; k++)
            (void)!add_test(m, &o->filters[i]->tests[k], e);
    if (o->search && !e->code)
        (void)!add_test(m, NULL, e);
    renew(m);
    for (size_t i = 0; i < lineup_n_parts(l) && !e->code; i++)
        (void)!test_names(m, &m->part[i], lineup_part(l, i)->store, e);
    for (size_t i = 0; i < n && !e->code; i++)
        (void)!settle_track(m, i, e);
    if (e->code) {
        lineup_match_free(m);
        return e->code;
    }
    *out = m;
    return OK;
}

void lineup_match_free(struct lineup_match *m)
{
    if (!m)
        return;
    if (m->walking)
        walk_close(&m->walk);
    for (size_t i = 0; m->part && i < lineup_n_parts(m->l); i++) {
        for (size_t k = 0; k < m->n_tests; k++)
            free(m->part[i].hit[k]);
        for (size_t k = 0; k < m->part[i].n_combos; k++)
            free(m->part[i].combo[k].names);
        free(m->part[i].combo);
    }
    for (size_t i = 0; m->track && i < lineup_n_tracks(m->l); i++)
        match_places_free(&m->track[i], lineup_track(m->l, i)->lanes);
    free(m->part);
    free(m->track);
    grid_free(&m->grid);
    free(m);
}
