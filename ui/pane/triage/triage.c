/* SPDX-License-Identifier: Apache-2.0 */
/* Triage: state of the run with its evidence, where the time goes, what was found (doc/screens.md#triage). */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/triage.h"
#include "base/clock.h"
#include "base/lang/tr.h"
#include "base/text.h"
#include "base/unit.h"
#include "ui/app/app_int.h"
#include "ui/pane/triage/findings.h"
#include "ui/pane/triage/only_logs.h"
#include "ui/pane/triage/parts.h"
#include "ui/pane/triage/verdict.h"
#include "ui/pane/triage/why.h"

#define LAST_ROWS   6  /* of the last activity, at least */
#define DETAIL_ROWS 8  /* below the ranks: of the cursor's, with empty rows around */
#define BELOW_ROWS  11 /* for the ranks, and what stands below them */
#define STATE_ROWS  2  /* at most, on a small screen: the verdict has said what matters */

struct own {
    struct triage *t;
    struct triage_verdict v;
    size_t last_rows, top_rows; /* for the last activity, and for the longest op types */
    struct triage_list list;
};

static struct own *own(const struct pane *p)
{
    return p->own;
}

/* The table of ranks is in front, not the findings of one rank. */
static bool is_ranks(const struct pane *p)
{
    return p->view < p->n_views;
}

/* Below the verdict there is a list in which the reader may be: ranks, or findings. */
static bool has_list(const struct pane *p)
{
    struct table *t = is_ranks(p) ? pane_table(p) : NULL;
    return t ? table_rows(t) > 0 : own(p)->t && own(p)->t->n_findings > 0;
}

static bool on_verdict(const struct pane *p)
{
    const struct own *o = own(p);
    return o->v.d && !p->depth && (o->v.on || !has_list(p));
}

/* A job begins with its ranks, a single run with its findings. */
static int open_pane(struct pane *p, struct err *e)
{
    p->own = calloc(1, sizeof(struct own));
    p->view = session_overview(app_session(p->app)) ? 0 : p->n_views;
    return p->own ? OK : err_nomem(e);
}

static void detach(struct pane *p)
{
    triage_free(own(p)->t);
    dash_free(own(p)->v.d);
    own(p)->t = NULL;
    own(p)->v.d = NULL;
}

static void close_pane(struct pane *p)
{
    if (!p->own)
        return;
    detach(p);
    triage_list_done(&own(p)->list);
    free(p->own);
}

static int attach(struct pane *p, struct err *e)
{
    struct own *o = own(p);
    if (is_ranks(p) && !session_overview(app_session(p->app)))
        p->view = p->n_views;
    if (o->t || !session_n_ranks(app_session(p->app)))
        return OK;
    int rc = triage_make(&o->t, app_session(p->app), NULL, clock_ns(CLOCK_REALTIME), e);
    if (rc == OK && o->t->ending)
        rc = dash_make(&o->v.d, app_session(p->app), o->t->ending, app_logs(p->app, o->t->ending), e);
    if (o->t && o->list.cursor >= o->t->n_findings)
        o->list.cursor = 0;
    if (rc == OK && o->v.d)
        triage_verdict_made(&o->v);
    return rc;
}

/* ---- drawing: each block returns the next row ---- */

#define BETWEEN "   " /* facts of one line */

/* Facts side by side, in as many lines as they need; a.x is where each line begins. */
static int fact_lines(struct canvas *c, struct rect a, int y, enum role r, const char *text)
{
    struct str rest = str_of(text);
    int x = 0;

    while (rest.n && y < a.h) {
        const size_t to = str_find(rest, STR(BETWEEN), 0);
        const struct str fact = str_sub(rest, 0, to);
        const int w = (int)text_width(fact, canvas_flags(c));
        if (x && x + w > a.w) {
            x = 0;
            if (++y >= a.h)
                return y;
        }
        draw_text(c, a.y + y, a.x + x, a.w - x, r, fact, CUT_END);
        x += w + (int)strlen(BETWEEN);
        rest = to == SIZE_MAX ? STR_NULL : str_sub(rest, to + strlen(BETWEEN), rest.n);
    }
    return y + (y < a.h);
}

static int text_line(struct canvas *c, struct rect a, int y, const char *label, enum role r, const char *text)
{
    if (y >= a.h || !*text)
        return y;
    draw_puts(c, a.y + y, a.x + 1, TRIAGE_LABEL_W, ROLE_DIM, tr(label));
    return fact_lines(c, (struct rect){ a.y, a.x + 1 + TRIAGE_LABEL_W, a.h, a.w - TRIAGE_LABEL_W - 2 }, y, r,
                      text);
}

static enum role state_role(enum run_state s)
{
    return s == RUN_CRASHED ? ROLE_ERROR : s == RUN_ANALYSED || s == RUN_UNKNOWN ? ROLE_GOOD : ROLE_WARN;
}

/* Sentences in lines of the pane's width; on a small screen some are left to the command `triage`. */
static int draw_state(const struct triage *t, struct canvas *c, struct rect a, int y)
{
    const struct run_verdict *v = &t->verdict;
    int last = y + (a.h < 26 ? STATE_ROWS : a.h) - 1;
    char more[64];
    if (y >= a.h)
        return y;
    draw_puts(c, a.y + y, a.x + 1, TRIAGE_LABEL_W, ROLE_DIM, tr_column("State"));
    int x = a.x + 1 + TRIAGE_LABEL_W;
    x += draw_puts(c, a.y + y, x, a.w - x, state_role(v->state), run_state_word(v->state));
    for (size_t i = 0; i < v->n; i++) {
        const char *sep = i ? ", " : "   ";
        int need = (int)(strlen(sep) + text_width(str_of(v->evidence[i]), canvas_flags(c)));
        if (x + need > a.x + a.w - 1 && i) { /* the next sentence on a line of its own */
            if (++y >= a.h)
                return y;
            x = a.x + 1 + TRIAGE_LABEL_W;
            sep = "";
        }
        if (y == last && i + 1 < v->n) {
            snprintf(more, sizeof more, tr("%zu more: Up to the first line, Enter"), v->n - i);
            draw_puts(c, a.y + y, x, a.w - x - 1, ROLE_DIM, more);
            break;
        }
        x += draw_puts(c, a.y + y, x, a.w - x, ROLE_TEXT, sep);
        if (i + 1 == v->n) { /* after it the lines are free */
            const int lines = (last < a.h ? last : a.h - 1) - y + 1;
            const struct rect text = { a.y + y, x, lines, a.x + a.w - x - 1 };
            return y + draw_wrap(c, text, ROLE_TEXT, str_of(v->evidence[i]));
        }
        x += draw_puts(c, a.y + y, x, a.w - x - 1, ROLE_TEXT, v->evidence[i]);
    }
    return y + 1;
}

static int draw_run(const struct triage *t, struct canvas *c, struct rect a)
{
    char text[400], size[32];
    int y = 0;
    snprintf(text, sizeof text, "%s%s%s", t->when, t->when[0] && t->versions[0] ? "   " : "", t->versions);
    y = text_line(c, a, y, N_("Run"), ROLE_TEXT, text);
    y = draw_state(t, c, a, y);
    const char *writer = tr(unit_writer(t->unit));
    const size_t n = unit_count_files(t->unit);
    snprintf(text, sizeof text, tr("%s   %zu file%s, %s"), writer, n, n == 1 ? "" : "s",
             unit_size(size, sizeof size, (double)t->unit->bytes, SIZE_AUTO));
    return text_line(c, a, y, N_("Source"), ROLE_TEXT, text);
}

/* ---- how the data ends ---- */

/* A run that ended properly needs no list of its last activities. */
static bool shows_ending(const struct triage *t)
{
    return t->ending && (t->verdict.state == RUN_CRASHED || t->verdict.state == RUN_RUNNING ||
                         (t->verdict.state == RUN_NOT_ANALYSED && !t->n_device));
}

static int draw_coverage(const struct triage *t, struct canvas *c, struct rect a, int y)
{
    char text[200];
    if (!shows_ending(t))
        return y;
    return text_line(c, a, y, N_("Coverage"), ROLE_TEXT,
                     ending_coverage(&t->ending->ranks[t->index], text, sizeof text));
}

static void add_step(struct buf *b, int64_t step)
{
    if (step == NO_STEP)
        buf_puts(b, " -");
    else
        buf_printf(b, " %" PRId64, step);
}

/* "0 1 2 3   last complete step 57 57 56 57"; what does not fit is cut by the drawing. */
static int draw_last_steps(const struct triage *t, struct canvas *c, struct rect a, int y)
{
    const struct ending *x = t->ending;
    struct buf b;
    size_t n = 0;
    for (size_t i = 0; i < x->n_ranks; i++)
        n += !x->ranks[i].apart;
    if (n < 2 || !ending_is_job(x) || y >= a.h)
        return y;
    buf_init(&b, 65536);
    for (size_t i = 0; i < x->n_ranks; i++)
        if (!x->ranks[i].apart)
            buf_printf(&b, "%s%d", b.n ? " " : "", x->ranks[i].rank);
    buf_puts(&b, tr("   last complete step"));
    for (size_t i = 0; i < x->n_ranks; i++)
        if (!x->ranks[i].apart)
            add_step(&b, x->ranks[i].last_complete_step);
    y = text_line(c, a, y, N_("Ranks"), ROLE_TEXT, buf_str(&b).p);
    buf_done(&b);
    return y;
}

static int draw_ending(const struct triage *t, struct canvas *c, struct rect a, int y)
{
    const struct ending *x = t->ending;
    int most = a.h >= 30 ? 20 : 5, least = x && x->n_ranks > 1 ? 2 : 1;
    char text[60];
    if (!shows_ending(t) || y + 3 + least > a.h)
        return y;
    y++;
    if (!x->n_acts)
        return draw_last_steps(t, c, a, y);
    int left = a.h - y - 2 - (x->n_ranks > 1); /* with an empty row after it */
    int after =
        a.x + 1 + draw_puts(c, a.y + y, a.x + 1, a.w - 2, ROLE_BOLD, tr("Last activity before the end"));
    snprintf(text, sizeof text, tr("(%s, 0 = last record)"), ending_clock_text(&x->ranks[t->index]));
    draw_puts(c, a.y + y++, after + 1, a.w - after - 2, ROLE_DIM, text);
    y += dash_draw_acts(x, c, (struct rect){ a.y + y, a.x, left < most ? left : most, a.w });
    return draw_last_steps(t, c, a, y);
}

static void steps_text(const struct triage *t, char *buf, size_t n)
{
    bool part = t->from_step > t->first_step || t->to_step < t->last_step;

    if (t->first_left_out && t->to_step == t->from_step + 1)
        snprintf(buf, n, tr("mean, p50, p95 of step %" PRId64 ", without the first"), t->to_step);
    else if (t->first_left_out && t->to_step > t->from_step)
        snprintf(buf, n, tr("mean, p50, p95 of steps %" PRId64 "-%" PRId64 ", without the first"),
                 t->from_step + 1, t->to_step);
    else if (part && t->to_step > t->from_step)
        snprintf(buf, n, tr("mean, p50, p95 of steps %" PRId64 "-%" PRId64), t->from_step, t->to_step);
    else if (part)
        snprintf(buf, n, tr("step %" PRId64 " alone"), t->to_step);
    else if (t->steps > 1)
        snprintf(buf, n, tr("mean, p50, p95 of %" PRIu64 " steps"), t->steps);
    else
        snprintf(buf, n, tr("one step recorded"));
}

/* "FLOPs 782.4 GFLOPs a step, 27.1 TFLOPS over fwd+bwd, 10.3% of peak" */
static size_t flops_text(const struct triage *t, char *text, size_t size)
{
    bool once = isnan(t->flops_per_step);
    double flops = once ? t->flops_once : t->flops_per_step;
    char v[48];
    if (isnan(flops))
        return 0;
    unit_flops(v, sizeof v, flops);
    size_t n = (size_t)(once ? snprintf(text, size, tr("FLOPs %s (each op once)"), v)
                             : snprintf(text, size, tr("FLOPs %s a step"), v));
    if (!isnan(t->flops_per_s) && n < size)
        n += (size_t)snprintf(text + n, size - n, tr(", %s over %s"),
                              unit_flops_rate(v, sizeof v, t->flops_per_s), tr(t->flops_over));
    if (!isnan(t->utilisation) && n < size)
        n += (size_t)snprintf(text + n, size - n, tr(", %s of peak"),
                              unit_percent(v, sizeof v, t->utilisation));
    return n;
}

/* Returns the lines that it takes. */
static int facts_text(const struct triage *t, struct rect a, char *text, size_t size)
{
    char v[48];
    size_t n = flops_text(t, text, size);
    if (!isnan(t->peak_memory_b) && n < size)
        snprintf(text + n, size - n, tr("%sPeak memory %s %s"), n ? "   " : "",
                 unit_size(v, sizeof v, t->peak_memory_b, SIZE_AUTO), tr(t->peak_memory_of));
    return !text[0] ? 0 : text_cells_of(text) > a.w - 2 ? 2 : 1;
}

static int draw_figures(const struct triage *t, struct canvas *c, struct rect a, int y)
{
    char text[300] = "";
    if (!facts_text(t, a, text, sizeof text) || y >= a.h)
        return y;
    return fact_lines(c, (struct rect){ a.y, a.x + 1, a.h, a.w - 2 }, y, ROLE_TEXT, text);
}

/* ---- the dashboard ---- */

static int draw_verdict(struct pane *p, struct canvas *c, struct rect a)
{
    return triage_verdict_draw(&own(p)->v, p, on_verdict(p), c, a);
}

static struct rect rest_of(struct rect a, int y)
{
    return (struct rect){ a.y + y, a.x, a.h - y, a.w };
}

/* Above the table of ranks. */
static int above(struct pane *p, struct canvas *c, struct rect a)
{
    const struct own *o = own(p);
    struct table *t = pane_table(p);
    struct rect half = { a.y, a.x, a.h / 2, a.w };
    if (!o || !o->v.d || half.h < 2)
        return 0;
    if (t)
        table_show_cursor(t, !on_verdict(p));
    int y = draw_verdict(p, c, (struct rect){ a.y, a.x, half.h > 4 ? half.h - 2 : half.h, a.w });
    y += dash_draw_steps(o->v.d, c, rest_of(half, y), true);
    if (a.h - y > BELOW_ROWS + 1) /* long verdicts have said it */
        y += dash_draw_input(o->v.d, -1, c, rest_of(half, y));
    y += dash_draw_groups(o->v.d, c, rest_of(half, y));
    y += a.h >= 16;
    /* what the ranks leave, but for their detail, is for the op types */
    int left = a.h - y - (t ? (int)(table_rows(t) < 200 ? table_rows(t) : 200) : 0) - DETAIL_ROWS;
    bool hangs = dash_draw_last(o->v.d, NULL, a, 1) > 0;
    own(p)->top_rows = left > 1 && !hangs ? (size_t)left : 1;
    own(p)->last_rows = left > LAST_ROWS ? (size_t)left : LAST_ROWS;
    return y;
}

static int below(struct pane *p, struct canvas *c, struct rect a)
{
    const struct own *o = own(p);
    if (!o || !o->v.d || !is_ranks(p))
        return 0;
    int y = dash_draw_last(o->v.d, c, a, o->last_rows);
    return y + dash_draw_top(o->v.d, false, c, rest_of(a, y), o->top_rows);
}

/* t: also a table beside the pane's own. */
static void draw_recent(void *arg, struct table *t, struct canvas *c, struct rect at, const struct page *pg,
                        size_t row)
{
    struct pane *p = arg;
    int col = table_view(t) ? view_find_col(table_view(t), "rank") : -1;
    if (col >= 0 && own(p)->v.d)
        dash_draw_recent(own(p)->v.d, (int)val_num(page_val(pg, row, (size_t)col)), c, at.y, at.x, at.w);
}

static void draw_recent_head(void *arg, struct table *t, struct canvas *c, struct rect at)
{
    struct pane *p = arg;
    (void)t;
    char text[40];
    if (!own(p)->v.d)
        return;
    dash_recent_head(own(p)->v.d, at.w, text, sizeof text);
    draw_puts(c, at.y, at.x, at.w, ROLE_HEAD, text);
}

static void bar_cells(struct pane *p, const struct view_def *d, struct table_opts *o)
{
    (void)d;
    o->bar = draw_recent;
    o->bar_head = draw_recent_head;
    o->arg = p;
}

static int draw(struct pane *p, struct canvas *c, struct rect a)
{
    struct own *o = own(p);
    const int all = a.h;
    char what[96], text[300] = "";
    if (!o || !o->t)
        return all;
    const struct triage *t = o->t;
    a.w -= pane_beside_drawing(p, a);
    int least = t->n_findings < 3 ? 3 : shows_ending(t) ? 4 : 5; /* rows kept for the findings */
    bool roomy = a.h >= 24 || !shows_ending(t);
    int y = o->v.d ? draw_verdict(p, c, (struct rect){ a.y, a.x, roomy ? a.h / 3 : 2, a.w }) : 0;
    if (o->v.d && roomy) {
        y += dash_draw_steps(o->v.d, c, (struct rect){ a.y + y, a.x, a.h / 2 - y, a.w }, !t->n_step);
        y += dash_draw_input(o->v.d, t->rank, c, (struct rect){ a.y + y, a.x, a.h / 2 - y, a.w });
    }
    a = rest_of(a, y);
    struct rect top = { a.y, a.x, a.h - least, a.w };
    y = draw_coverage(t, c, top, draw_run(t, c, top));
    y = draw_ending(t, c, top, y);
    int of = o->v.d && dash_n_ranks(o->v.d) > 1 ? snprintf(what, sizeof what, tr("rank %d: "), t->rank) : 0;
    steps_text(t, what + of, sizeof what - (size_t)of);
    y = triage_draw_parts(t->step, t->n_step, N_("Where a step goes"), what, c, top, y);
    const int figures = facts_text(t, top, text, sizeof text);
    /* for the ops, a line at least */
    int rest = top.h - y - 2 - (figures ? figures : 1) - (t->n_device ? (int)t->n_device + 2 : 0);
    y += o->v.d && roomy && y + 1 + (figures ? figures : 1) < top.h;
    if (o->v.d && roomy && y < top.h)
        y += dash_draw_top(o->v.d, true, c, (struct rect){ a.y + y, a.x + 1, top.h - y, a.w - 2 },
                           rest > 2 ? (size_t)rest : 1);
    y = triage_draw_parts(t->device, t->n_device, N_("Where the device time goes"),
                          N_("sums; free: idle, prep, not before the first op"), c, top, y);
    y = draw_figures(t, c, top, y);
    y += y + 1 < top.h;
    int used = triage_list_draw(&o->list, p, t, !on_verdict(p), c, rest_of(a, y));
    return all - a.h + y + used;
}

const struct pane_mode pane_triage_modes[] = { { "findings", draw, 0, NULL } };

/* ---- Enter: why ---- */

static void show_why(struct pane *p)
{
    const struct own *o = own(p);
    if (o->t && o->list.cursor < o->t->n_findings)
        triage_show_why(p, &o->t->findings[o->list.cursor], o->t->rank, o->list.cursor + 1);
}

/* ---- keys ---- */

static bool at_top(const struct pane *p)
{
    struct table *t = is_ranks(p) ? pane_table(p) : NULL;
    return t ? table_cursor(t) == 0 : own(p)->list.cursor == 0;
}

static void move(struct own *o, int64_t by)
{
    int64_t n = o->t ? (int64_t)o->t->n_findings : 0, to = (int64_t)o->list.cursor + by;
    o->list.cursor = (size_t)(to < 0 || !n ? 0 : to >= n ? n - 1 : to);
}

static bool key(struct pane *p, enum action act)
{
    struct own *o = own(p);
    int page = o && o->list.rows > 1 ? (int)o->list.rows - 1 : 1;
    if (!o || p->depth)
        return false;
    if (triage_only_logs(p)) {
        if (act == ACT_OPEN)
            triage_only_logs_show(p);
        return act == ACT_OPEN;
    }
    const struct triage_verdict_at at = { on_verdict(p), at_top(p), is_ranks(p) ? NULL : o->t };
    if (triage_verdict_key(&o->v, p, &at, act))
        return true;
    if (is_ranks(p))
        return false;
    switch (act) {
    case ACT_DOWN:
        move(o, 1);
        return true;
    case ACT_UP:
        move(o, -1);
        return true;
    case ACT_PAGE_DOWN:
    case ACT_HALF_DOWN:
        move(o, page);
        return true;
    case ACT_PAGE_UP:
    case ACT_HALF_UP:
        move(o, -page);
        return true;
    case ACT_FIRST:
        move(o, INT32_MIN);
        return true;
    case ACT_LAST:
        move(o, INT32_MAX);
        return true;
    case ACT_OPEN:
        show_why(p);
        return true;
    case ACT_TIMELINE:
        app_show_pane(p->app, PANE_TIME, true);
        return true;
    default:
        return false;
    }
}

static bool has_findings(struct pane *p)
{
    const struct own *o = own(p);
    return o && ((o->t && o->t->n_findings) || (o->v.d && dash_verdict(o->v.d)->n));
}

/* The table of ranks needs what every table does, but for Up and Enter that reach the verdict. */
static const struct pane_need *needs(const struct pane *p)
{
#define NO_FINDING N_("nothing was found to go through")
    static const struct pane_need list[] = {
        { ACT_DOWN, has_findings, NO_FINDING },
        { ACT_UP, has_findings, NO_FINDING },
        { ACT_PAGE_DOWN, has_findings, NO_FINDING },
        { ACT_PAGE_UP, has_findings, NO_FINDING },
        { ACT_HALF_DOWN, has_findings, NO_FINDING },
        { ACT_HALF_UP, has_findings, NO_FINDING },
        { ACT_FIRST, has_findings, NO_FINDING },
        { ACT_LAST, has_findings, NO_FINDING },
        { ACT_OPEN, has_findings, NO_FINDING },
        { ACT_TIMELINE, NULL, NULL },
        { ACT_NONE, NULL, NULL },
    };
#undef NO_FINDING
    static const struct pane_need of_logs[] = { { ACT_OPEN, triage_only_logs_can, "no logs are read" },
                                                { ACT_NONE, NULL, NULL } };
    if (!own(p) || p->depth)
        return NULL;
    if (triage_only_logs(p))
        return of_logs;
    return !is_ranks(p) ? list : on_verdict(p) ? triage_verdict_needs : NULL;
}

/* Enter on a rank: what is known about it; q comes back to the table. */
static bool open_row(struct pane *p)
{
    struct table *t = pane_table(p);
    int col = t && table_view(t) ? view_find_col(table_view(t), "rank") : -1;
    if (col < 0 || !table_rows(t))
        return false;
    struct val rank = table_value_at(t, table_cursor(t), (size_t)col);
    size_t i = session_find_rank(app_session(p->app), (int)rank.i);
    if (i == SIZE_MAX)
        return false;
    pane_set_view(p, p->n_views);
    app_select_rank(p->app, i);
    return true;
}

static bool back(struct pane *p)
{
    return !p->depth && !is_ranks(p) && session_overview(app_session(p->app)) && pane_set_view(p, 0);
}

static bool mouse(struct pane *p, const struct key_event *k)
{
    struct own *o = own(p);
    if (!o || !o->t)
        return false;
    if (triage_verdict_mouse(&o->v, p, is_ranks(p) ? NULL : o->t, k))
        return true;
    if (is_ranks(p))
        return false;
    if (k->mouse == MOUSE_WHEEL_DOWN || k->mouse == MOUSE_WHEEL_UP) {
        move(o, k->mouse == MOUSE_WHEEL_DOWN ? 1 : -1);
        return true;
    }
    size_t i = triage_list_at(&o->list, k->y);
    if (i >= o->t->n_findings)
        return false;
    o->list.cursor = i;
    if (k->mouse == MOUSE_DOUBLE)
        show_why(p);
    return true;
}

static bool has_data(struct pane *p)
{
    struct session *s = app_session(p->app);
    return session_n_ranks(s) > 0;
}

static bool draw_logs(struct pane *p, struct canvas *c, struct rect a)
{
    if (p->depth || !triage_only_logs(p))
        return false;
    triage_only_logs_draw(p, c, a);
    return true;
}

static void context(struct pane *p, struct buf *out)
{
    const struct own *o = own(p);
    size_t of;
    if (is_ranks(p) && p->app->job) {
        size_t done = jobread_done(p->app->job, &of);
        buf_printf(out, tr("%zu ranks"), session_n_ranks(app_session(p->app)));
        if (done < of)
            buf_printf(out, tr("   %zu of %zu ranks read so far"), done, of);
        return;
    }
    if (!o || !o->t || is_ranks(p))
        return;
    buf_printf(out, tr("%zu finding%s"), o->t->n_findings, o->t->n_findings == 1 ? "" : "s");
}

static void status(struct pane *p, struct buf *left, struct buf *right)
{
    const struct own *o = own(p);
    (void)left;
    if (o && o->t && !is_ranks(p) && o->t->n_findings)
        buf_printf(right, "%zu/%zu", o->list.cursor + 1, o->t->n_findings);
}

static unsigned scopes(const struct pane *p)
{
    return is_ranks(p) ? 0 : SC_LIST;
}

static const struct key_bar ranks_bar[] = {
    { ACT_OPEN, ACT_NONE, "one rank" }, { ACT_SORT_LEFT, ACT_SORT_RIGHT, "sort" },
    { ACT_COLUMNS, ACT_NONE, NULL },    { ACT_FILTER, ACT_NONE, NULL },
    { ACT_EXPORT, ACT_NONE, "export" },
};

static const struct key_bar logs_bar[] = {
    { ACT_OPEN, ACT_NONE, "all of it" },
    { ACT_PANE_L, ACT_NONE, NULL },
    { ACT_COMMAND, ACT_NONE, NULL },
};

static bool bar(const struct pane *p, const struct key_bar **out, size_t *n)
{
    if (triage_only_logs(p)) {
        *out = logs_bar;
        *n = ARRAY_LEN(logs_bar);
        return true;
    }
    if (own(p) && on_verdict(p)) {
        *out = triage_verdict_bar;
        *n = triage_verdict_n_bar;
        return true;
    }
    *out = ranks_bar;
    *n = ARRAY_LEN(ranks_bar);
    return is_ranks(p);
}

const struct dash *pane_triage_dash(const struct pane *triage)
{
    return own(triage) ? own(triage)->v.d : NULL;
}

const struct pane_ops pane_triage_ops = {
    .whole_width = true, /* a dashboard of its own */
    .room_from = 160,
    .open = open_pane,
    .close = close_pane,
    .draw = draw_logs,
    .attach = attach,
    .detach = detach,
    .above = above,
    .below = below,
    .bar_cells = bar_cells,
    .key = key,
    .needs = needs,
    .mouse = mouse,
    .open_row = open_row,
    .back = back,
    .bar = bar,
    .has_data = has_data,
    .context = context,
    .status = status,
    .scopes = scopes,
};

/* ---- the title bar's facts ---- */

/* Needs the store; made once after each attach. */
void app_refresh_facts(struct app *a)
{
    struct pane *p = a->panes[PANE_TRIAGE];
    const struct view_scope *s = session_scope(a->s);
    char t[32], steps[48];
    if (a->facts_known || !session_n_ranks(a->s))
        return;
    a->facts_known = true;
    a->title_facts[0] = a->title_state[0] = '\0';
    a->whole_steps = 0;
    pane_show(p);
    const struct triage *q = own(p) ? own(p)->t : NULL;
    if (!q)
        return;
    a->follow_state = (int)q->verdict.state;
    a->whole_steps = q->steps;
    if (q->verdict.state != RUN_ANALYSED && q->verdict.state != RUN_UNKNOWN)
        snprintf(a->title_state, sizeof a->title_state, "%s", run_state_word(q->verdict.state));
    if (q->steps && !isnan(q->step_ns) && !view_scope_all(s))
        snprintf(a->title_facts, sizeof a->title_facts, tr("%" PRIu64 " step%s  step%s %s: %s/step"),
                 q->steps, q->steps == 1 ? "" : "s", s->step0 == s->step1 ? "" : "s",
                 view_scope_steps(s, steps, sizeof steps), unit_time(t, sizeof t, q->step_ns, TIME_AUTO));
    else if (q->steps && !isnan(q->step_ns))
        snprintf(a->title_facts, sizeof a->title_facts, tr("%" PRIu64 " step%s  %s/step"), q->steps,
                 q->steps == 1 ? "" : "s", unit_time(t, sizeof t, q->step_ns, TIME_AUTO));
}
