/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timeline: filters dim what does not match, and finding goes from match to match. The filters are those of
 * the pane's table of events, so that both views of the pane show the same, and everything that works on
 * filters of tables (F, :filter, the state file) works on these.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/lang/tr.h"
#include "base/unit.h"
#include "ui/pane/timeline/timeline_int.h"

#define AT_ONCE_NS INT64_C(20000000) /* before the first frame; the rest is counted between keys */
#define SLICE_NS   INT64_C(10000000)

struct table *time_filters(struct pane *p)
{
    for (size_t i = 0; p->own && i < p->n_views; i++)
        if (p->views[i].def == lineup_match_columns())
            return pane_base_table(p, i);
    return NULL;
}

/* ---- the filters as they stand, compiled ---- */

static void forget_filters(struct time_pane *o)
{
    for (size_t i = 0; i < o->n_filters; i++)
        filter_free(o->filters[i]);
    o->n_filters = 0;
}

void time_forget_match(struct pane *p)
{
    struct time_pane *o = time_of(p);
    lineup_match_free(o->match);
    lineup_match_free(o->find);
    o->match = o->find = NULL;
    o->v.match = NULL;
    forget_filters(o);
    o->match_of[0] = '\0';
    o->match_works = false;
}

static int compile(struct time_pane *o, struct str line, struct err *e)
{
    struct filter *f;
    if (o->n_filters == ARRAY_LEN(o->filters))
        return err_set(e, ERR_LIMIT, "there are too many filters; F lists them");
    if (filter_parse(&f, line, lineup_match_columns(), e))
        return e->code;
    if (lineup_match_check(f, e)) { /* the table of events knows more columns */
        filter_free(f);
        return e->code;
    }
    o->filters[o->n_filters++] = f;
    return OK;
}

/* The lines of all filters that are on, and of the one being typed: the match is made from them. */
static void lines_in_force(struct pane *p, struct buf *out)
{
    struct time_pane *o = time_of(p);
    struct table *t = time_filters(p);
    for (size_t i = 0; t && i < table_n_filters(t); i++)
        if (table_filter(t, i)->on)
            buf_printf(out, "%s\n", table_filter(t, i)->text);
    if (o->live[0])
        buf_printf(out, "%s\n", o->live);
}

static int match_new(struct pane *p, struct re *search, struct lineup_match **out, struct err *e)
{
    struct time_pane *o = time_of(p);
    const struct lineup_match_opts opts = {
        .filters = o->filters, .n_filters = o->n_filters, .search = search, .zero = o->v.zero
    };
    return lineup_match_new(out, o->l, &opts, e);
}

/*
 * Compile the lines anew. A line that does not compile, or uses columns that the timeline lacks, is left out
 * and reported.
 */
static void make_match(struct pane *p, struct str lines)
{
    struct time_pane *o = time_of(p);
    struct str line;
    struct err e = ERR_INIT;
    lineup_match_free(o->match);
    lineup_match_free(o->find);
    o->match = o->find = NULL;
    forget_filters(o);
    while (str_next(&lines, '\n', &line) && line.n) {
        struct err one = ERR_INIT;
        if (compile(o, line, &one))
            app_say_err(p->app, &one);
    }
    o->match_works = o->n_filters > 0 && match_new(p, NULL, &o->match, &e) == OK;
    if (e.code)
        app_say_err(p->app, &e);
}

void time_sync_filters(struct pane *p)
{
    struct time_pane *o = time_of(p);
    struct err e = ERR_INIT;
    struct buf b;
    buf_init(&b, (size_t)1 << 20);
    lines_in_force(p, &b);
    if (b.n >= sizeof o->match_of) {
        app_say(p->app, ROLE_WARN, "these filters are too long together; F lists them");
    } else if (!str_eq(buf_str(&b), str_of(o->match_of))) {
        str_copy(buf_str(&b), o->match_of, sizeof o->match_of);
        make_match(p, buf_str(&b));
        if (o->match && lineup_match_work(o->match, AT_ONCE_NS, &o->match_works, &e))
            app_say_err(p->app, &e);
    }
    buf_done(&b);
    o->v.match = o->match;
}

bool time_work_filters(struct pane *p, bool *redraw)
{
    struct time_pane *o = time_of(p);
    struct err e = ERR_INIT;
    if (!o->match || !o->match_works)
        return false;
    if (lineup_match_work(o->match, SLICE_NS, &o->match_works, &e))
        app_say_err(p->app, &e);
    int64_t now = app_now_ms();
    *redraw = !o->match_works || now - o->match_drawn_ms >= REDRAW_MS;
    if (*redraw)
        o->match_drawn_ms = now;
    return o->match_works;
}

int time_filter_live(struct pane *p, struct str line, struct err *e)
{
    struct time_pane *o = time_of(p);
    struct filter *f;
    line = str_trim(line);
    if (line.n >= sizeof o->live)
        return err_set(e, ERR_LIMIT, "this line is too long");
    if (line.n) { /* an error keeps the last good one */
        if (filter_parse(&f, line, lineup_match_columns(), e))
            return e->code;
        int rc = lineup_match_check(f, e);
        filter_free(f);
        if (rc)
            return rc;
    }
    str_copy(line, o->live, sizeof o->live);
    if (o->has)
        time_sync_filters(p);
    return OK;
}

static const char *sep(const struct pane *p)
{
    return app_ascii(p->app) ? "" : UNIT_THIN_SPACE;
}

void time_filter_count(struct pane *p, char *buf, size_t n)
{
    struct time_pane *o = time_of(p);
    char a[48], b[48];
    uint64_t of = 0, count = o->match ? lineup_match_count(o->match, &of) : 0;
    buf[0] = '\0';
    if (!o->match)
        return;
    bool least = o->match_works || lineup_match_failed(o->match);
    unit_count(a, sizeof a - 1, (double)count, sep(p));
    if (least)
        memcpy(a + strlen(a), "+", 2);
    int len = snprintf(buf, n, tr("%s of %s"), a, unit_count(b, sizeof b, (double)of, sep(p)));
    if (lineup_match_undecided(o->match) && len > 0 && (size_t)len < n)
        snprintf(buf + len, n - (size_t)len, tr("   %zu too costly to test"),
                 lineup_match_undecided(o->match));
}

/* ---- finding ---- */

static bool compile_search(struct pane *p)
{
    struct time_pane *o = time_of(p);
    struct err e = ERR_INIT;
    struct re *re;
    const char *text = p->app->search;
    if (o->re && !strcmp(o->re_text, text))
        return true;
    if (re_new(&re, str_of(text), RE_NOCASE, &e)) {
        app_say_err(p->app, &e);
        return false;
    }
    lineup_match_free(o->find);
    o->find = NULL;
    re_free(o->re);
    o->re = re;
    snprintf(o->re_text, sizeof o->re_text, "%s", text);
    return true;
}

/*
 * What n goes to: events that the filters keep and whose name matches the search; without a search, all that
 * the filters keep.
 */
static struct lineup_match *what_to_find(struct pane *p)
{
    struct time_pane *o = time_of(p);
    struct err e = ERR_INIT;
    if (!p->app->search[0]) {
        if (!o->match)
            app_say(p->app, ROLE_TEXT, "nothing was searched for yet; / asks, \\ filters");
        return o->match;
    }
    if (!compile_search(p))
        return NULL;
    if (!o->find && match_new(p, o->re, &o->find, &e))
        app_say_err(p->app, &e);
    return o->find;
}

static void say_not_found(struct pane *p, const struct lineup_match *m, int dir)
{
    char costly[64] = "";
    if (lineup_match_undecided(m))
        snprintf(costly, sizeof costly, tr(" (%zu too costly to test)"), lineup_match_undecided(m));
    app_say(p->app, costly[0] ? ROLE_WARN : ROLE_TEXT, "not found %s%s%s%s",
            dir > 0 ? tr("from here to the end") : tr("from here to the beginning"), costly,
            p->app->search[0] ? ": " : "", p->app->search);
}

void time_find_event(struct pane *p, int dir)
{
    struct time_pane *o = time_of(p);
    struct tlv *v = &o->v;
    struct err e = ERR_INIT;
    struct tl_event ev;
    time_sync_filters(p);
    struct lineup_match *m = what_to_find(p);
    if (!m)
        return;
    /* From the selected event on; without one, an event that begins at the cursor counts, too. */
    bool on = tlv_at_selection(v);
    int rc = lineup_match_next(m, on ? v->sel.ts_ns : v->cur,
                               on        ? v->sel.track
                               : dir > 0 ? 0
                                         : SIZE_MAX,
                               on        ? v->sel.seq
                               : dir > 0 ? -1
                                         : INT64_MAX,
                               dir, &ev, &e);
    if (rc > 0) {
        if (v->hidden[ev.track]) {
            v->hidden[ev.track] = false;
            time_remake(p);
        }
        tlv_select(v, &ev);
    } else if (rc < 0) {
        app_say_err(p->app, &e);
    } else {
        say_not_found(p, m, dir);
    }
}
