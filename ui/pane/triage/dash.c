/* SPDX-License-Identifier: Apache-2.0 */
/* The dashboard of Triage. */
#include "config.h"

#include "ui/pane/triage/dash.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang/fill.h"
#include "base/lang/tr.h"
#include "base/text.h"
#include "model/pipeline.h"
#include "ui/pane/triage/proof.h"
#include "ui/widget/spark.h"

#define PROOF_W     12 /* cells of a label */
#define LABEL_W     9
#define GO_W        4
#define RANGE_MIN   0.05 /* of a step: a curve does not show less than that as a difference */
#define MANY_RANKS  64   /* from so many on they are grouped */
#define STRIP_ROWS  6
#define SPLIT_W     100 /* a longer bar says no more */
#define TOP_BAR     120
#define UPTO_FROM_W 100
#define WIDE        120 /* cells of a screen */
#define STEP_CELLS  6   /* of one step there, at most */
#define NAMED       6   /* ranks of a group */
#define AT_W        11
#define TRACK_W     14 /* on a wide screen, twice that */
#define ACTS_MOST   64
#define ENDS_W      23 /* "RUNNING, no end record" */

struct dash {
    struct peers *p;
    struct verdict v;
    struct ending *hung;         /* of the first rank that hangs; NULL: none */
    enum run_state *state;       /* of each of the ranks */
    double lo, hi;               /* scale of the lengths of steps */
    struct pipeline_state input; /* of the selected rank */
    struct peer_types own;       /* of the selected rank */
    int selected;                /* its number */
};

/* ---- reading ---- */

static int read_states(struct dash *d, const struct ending *x, struct err *e)
{
    d->state = calloc(d->p->n ? d->p->n : 1, sizeof *d->state);
    if (!d->state)
        return err_nomem(e);
    for (size_t i = 0; i < d->p->n; i++)
        d->state[i] = d->p->v[i].index < x->n_ranks ? x->ranks[d->p->v[i].index].state : RUN_UNKNOWN;
    return OK;
}

static void set_scale(struct dash *d)
{
    const struct peers *p = d->p;
    double least = 0, most = 0;

    d->lo = d->hi = 0;
    for (size_t i = 0; i < p->n; i++)
        if (spark_range(peers_lengths(p, i) + p->skip, p->n_steps - p->skip, &least, &most)) {
            d->lo = !(d->hi > 0) || least < d->lo ? least : d->lo;
            d->hi = most > d->hi ? most : d->hi;
        }
    if (d->hi - d->lo < RANGE_MIN * d->hi)
        d->hi = d->lo + RANGE_MIN * d->hi;
}

/* Of the selected rank, whose store has its queues. */
static int read_input(struct dash *d, struct session *s, struct err *e)
{
    size_t n = 0;
    const struct view_part *part = session_parts(s, false, &n);

    return n ? pipeline_judge(&d->input, part, e) : OK;
}

static int read_own(struct dash *d, struct session *s, struct err *e)
{
    const struct session_rank *r = session_rank(s, session_current(s));
    struct store *store = session_store(s, r->unit);

    d->selected = r->rank;
    return store ? peers_types_of(&d->own, store, r->rank, e) : OK;
}

int dash_make(struct dash **out, struct session *s, const struct ending *x, const struct job_logs *logs,
              struct err *e)
{
    struct dash *d = *out = calloc(1, sizeof *d);

    if (!d)
        return err_nomem(e);
    if (peers_make(&d->p, s, e) || read_states(d, x, e) || read_input(d, s, e) || read_own(d, s, e))
        return e->code;
    verdict_make(&d->v, s, d->p, x, logs);
    set_scale(d);
    for (size_t i = 0; i < d->v.n; i++)
        if (d->v.line[i].kind == VERDICT_BLOCKED)
            return ending_make(&d->hung, s, &d->v.line[i].index, 1, 0, e);
    return OK;
}

void dash_free(struct dash *d)
{
    if (!d)
        return;
    peers_free(d->p);
    ending_free(d->hung);
    free(d->state);
    free(d);
}

const struct verdict *dash_verdict(const struct dash *d)
{
    return &d->v;
}

size_t dash_n_ranks(const struct dash *d)
{
    return d->p->n;
}

const struct peers *dash_peers(const struct dash *d, double *lo, double *hi)
{
    *lo = d->lo;
    *hi = d->hi;
    return d->p;
}

/* ---- verdict ---- */

static enum role severity_role(enum verdict_kind k)
{
    const char *s = verdict_severity(k);

    return s[0] == 'E' ? ROLE_ERROR : s[0] == 'W' ? ROLE_WARN : s[0] == 'G' ? ROLE_GOOD : ROLE_INFO;
}

static bool is_end(const struct dash *d, size_t i)
{
    enum verdict_kind k = d->v.line[i].kind;
    return k == VERDICT_DIED || k == VERDICT_FIRST || k == VERDICT_CLOCKS || k == VERDICT_BLOCKED ||
           k == VERDICT_ENDED;
}

/* The first line about the end is called CRASHED, that of everything else the verdict. */
static const char *label_of(const struct dash *d, size_t i)
{
    if (i && is_end(d, i) == is_end(d, i - 1))
        return "";
    return is_end(d, i) ? "CRASHED" : tr("VERDICT");
}

/* With the time of day where the line is the first of those about the end. */
static void line_text(const struct dash *d, size_t i, struct buf *b)
{
    const struct verdict_line *l = &d->v.line[i];
    char at[64];

    if (l->at_unix_ns && label_of(d, i)[0]) {
        unit_utc(at, sizeof at, l->at_unix_ns, 0);
        struct str day = str_of(at);
        size_t blank = str_chr(day, ' ');
        struct str hour = blank == SIZE_MAX ? day : str_sub(day, blank + 1, day.n);
        buf_printf(b, tr("%.*s UTC  "), (int)hour.n, hour.p);
    }
    buf_puts(b, l->text);
}

/* The text in lines of the width that it has in a. */
static void wrap_line(const struct dash *d, size_t i, struct canvas *c, struct rect a, struct buf *lines)
{
    int w = a.w - 1 - LABEL_W - GO_W - 1;
    struct buf text;

    buf_init(&text, 4096);
    line_text(d, i, &text);
    text_wrap(lines, buf_str(&text), (size_t)(w > 8 ? w : 8), canvas_flags(c));
    buf_done(&text);
}

static int rows_of(const struct dash *d, size_t i, struct canvas *c, struct rect a)
{
    struct buf lines;
    struct str rest, part;
    int n = 0;

    buf_init(&lines, 8192);
    wrap_line(d, i, c, a, &lines);
    for (rest = buf_str(&lines); str_next(&rest, '\n', &part);)
        n++;
    buf_done(&lines);
    return n;
}

/* A line of the verdict, wrapped below its label. Returns the rows used. */
static int draw_line(const struct dash *d, size_t i, struct canvas *c, struct rect a,
                     const struct dash_verdict_opts *o)
{
    const struct verdict_line *l = &d->v.line[i];
    int w = a.w - 1 - LABEL_W - GO_W - 1, y = 0;
    struct buf lines;
    char go[24] = "";

    buf_init(&lines, 8192);
    wrap_line(d, i, c, a, &lines);
    struct str rest = buf_str(&lines), part;
    for (; y < a.h && str_next(&rest, '\n', &part); y++)
        draw_text(c, a.y + y, a.x + 1 + LABEL_W, w, i ? ROLE_TEXT : ROLE_BOLD, part, CUT_END);
    draw_puts(c, a.y, a.x + 1, LABEL_W - 1, severity_role(l->kind), label_of(d, i));
    if (o->go)
        o->go(o->arg, l->go, go, sizeof go);
    draw_right(c, a.y, a.x + a.w - GO_W, GO_W - 1, ROLE_DIM, str_of(go));
    if (i == o->cursor) {
        draw_glyph(c, a.y, a.x, ROLE_BOLD, G_CURSOR);
        if (!o->slow)
            draw_role(c, (struct rect){ a.y, a.x, y, a.w }, ROLE_CURSOR);
    }
    buf_done(&lines);
    return y;
}

int dash_draw_verdict(const struct dash *d, struct canvas *c, struct rect a,
                      const struct dash_verdict_opts *o)
{
    size_t i = 0;
    int y = 0, upto = 0;

    /* the line with the cursor is always seen */
    for (size_t k = 0; o->cursor < d->v.n && k <= o->cursor; k++)
        for (upto += rows_of(d, k, c, a); upto > a.h && i < k; i++)
            upto -= rows_of(d, i, c, a);
    for (size_t k = 0; o->row && k < d->v.n; k++)
        o->row[k] = -1;
    for (size_t first = i; i < d->v.n && y < a.h; i++) {
        if (i > first && i != o->cursor && y + rows_of(d, i, c, a) > a.h) {
            draw_printf(c, a.y + y, a.x + 1 + LABEL_W, a.w - LABEL_W - 2, ROLE_DIM, tr("%zu more"),
                        d->v.n - i);
            return y + 1;
        }
        if (o->row)
            o->row[i] = a.y + y;
        y += draw_line(d, i, c, (struct rect){ a.y + y, a.x, a.h - y, a.w }, o);
    }
    return y;
}

/* ---- steps ---- */

static void spread_text(const struct dash *d, bool p95, bool ranks, char *buf, size_t n)
{
    const struct peers *p = d->p;
    enum time_unit u = unit_time_column(p->p50_ns, p->max_ns);
    char a[40], b[40], m[40];

    unit_time(a, sizeof a, p->p50_ns, u);
    unit_time(b, sizeof b, p->p95_ns, u);
    unit_time(m, sizeof m, p->max_ns, u);
    /* the unit is said once */
    a[strcspn(a, " ")] = '\0';
    b[strcspn(b, " ")] = '\0';
    if (p95)
        snprintf(buf, n, tr("p50 %s  p95 %s  max %s (step %" PRId64 ")"), a, b, m, p->step[p->max_at]);
    else
        snprintf(buf, n, tr("p50 %s  max %s (step %" PRId64 ")"), a, m, p->step[p->max_at]);
    const size_t end = strlen(buf);
    if (ranks && p->n > 1)
        snprintf(buf + end, n - end, tr(", mean of %zu ranks"), p->n);
}

/* Few steps have several cells each on a wide screen. Returns the cells used. */
static int draw_lengths(struct canvas *c, int y, int x, int room, const struct spark *s)
{
    int each = canvas_cols(c) >= WIDE ? room / (int)s->n : 1;
    each = each > STEP_CELLS ? STEP_CELLS : each;
    double *wide = each > 1 ? malloc(s->n * (size_t)each * sizeof *wide) : NULL;
    if (!wide)
        return spark_line(c, y, x, room, s);
    for (size_t i = 0; i < s->n * (size_t)each; i++)
        wide[i] = s->v[i / (size_t)each];
    const struct spark k = { wide, s->n * (size_t)each, s->lo, s->hi, s->role };
    int used = spark_line(c, y, x, room, &k);
    free(wide);
    return used;
}

static int draw_curve(const struct dash *d, struct canvas *c, struct rect a)
{
    const struct peers *p = d->p;
    size_t n = p->n_steps - p->skip;
    double lo = 0, hi = 0;
    char text[200];

    if (a.h < 1 || !(p->p50_ns > 0) || n < 2 || !spark_range(p->length + p->skip, n, &lo, &hi))
        return 0;
    /* of how many ranks it is the mean is said before p95 is: the view may be of one rank */
    spread_text(d, true, true, text, sizeof text);
    if (p->n > 1 && LABEL_W + 4 + text_cells_of(text) + (int)n > a.w)
        spread_text(d, false, true, text, sizeof text);
    if (p->n > 1 && LABEL_W + 4 + text_cells_of(text) > a.w)
        spread_text(d, true, false, text, sizeof text);
    int room = a.w - LABEL_W - 4 - text_cells_of(text);
    if (hi - lo < RANGE_MIN * hi)
        hi = lo + RANGE_MIN * hi;
    const struct spark s = { p->length + p->skip, n, lo, hi, ROLE_CUBE };
    draw_puts(c, a.y, a.x + 1, LABEL_W - 1, ROLE_DIM, tr("steps"));
    int used = draw_lengths(c, a.y, a.x + 1 + LABEL_W, room, &s);
    draw_puts(c, a.y, a.x + 1 + LABEL_W + used + (used ? 2 : 0), a.w - LABEL_W - used - 3, ROLE_TEXT, text);
    return 1;
}

/* One word for it on the whole screen: that of the columns. */
static const char *prep_word(const struct dash *d)
{
    return d->p->interval ? N_("interval") : N_("prep");
}

static int draw_split(const struct dash *d, struct canvas *c, struct rect a)
{
    const double *share = d->p->share;
    bool apart = share[PEER_COMPUTE] > 0; /* computing is known apart from communication */
    bool tail = share[PEER_TAIL] > 0;
    /* the order decides the fill; as in the breakdown the tail has that of communication */
    const struct spark_part parts[] = {
        { apart ? "compute" : "fwd+bwd", share[apart ? PEER_COMPUTE : PEER_WORK], ROLE_CUBE },
        { tail ? "tail" : "comm only", share[tail ? PEER_TAIL : PEER_COMM], ROLE_COMM },
        { prep_word(d), share[PEER_PREP], ROLE_HOST },
        { "idle", share[PEER_IDLE], ROLE_IDLE },
    };
    bool any = false;

    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        any |= parts[i].share > 0;
    if (!any || a.h < 1)
        return 0;
    draw_puts(c, a.y, a.x + 1, LABEL_W - 1, ROLE_DIM, tr("a step"));
    int w = a.w - LABEL_W - 3;
    spark_split(c, a.y, a.x + 1 + LABEL_W, w < SPLIT_W ? w : SPLIT_W, parts, ARRAY_LEN(parts));
    return 1;
}

/*
 * What the wait before the first op means: below a tenth of a step it is no limit, whatever the queues say
 * (rule DAT-05); above, with enough steps, the verdict says what the device waits for.
 */
static const char *input_means(const struct dash *d, double prep)
{
    if (d->input.wait == PIPELINE_UNKNOWN && !d->input.limit[0])
        return d->input.batches ? tr("data and host, no host queue") : tr("data and host; queues unknown");
    return prep < PIPELINE_LEAST ? tr("data is no limit") : tr("data or the host");
}

static bool says_input(const struct dash *d)
{
    for (size_t i = 0; i < d->v.n; i++)
        if (d->v.line[i].kind == VERDICT_PREPARE)
            return true;
    return false;
}

/* A part of the line, if it fits. */
static void input_part(struct buf *b, int w, const char *text)
{
    if (!b->n || (int)text_width(buf_str(b), 0) + 2 + text_cells_of(text) <= w)
        buf_printf(b, "%s%s", b->n ? tr("; ") : "", text);
}

/* " (rank 3)", " (mean of 8 ranks)" where there are several. rank -1: all. */
static const char *of_ranks(const struct dash *d, int rank, char *buf, size_t n)
{
    buf[0] = '\0';
    if (d->p->n > 1 && rank >= 0)
        snprintf(buf, n, tr(" (rank %d)"), rank);
    else if (d->p->n > 1)
        snprintf(buf, n, tr(" (all ranks)"));
    return buf;
}

/* The queues are those of the selected rank, also where the rest is of all. */
static void queue_text(const struct dash *d, int rank, char *text, size_t n)
{
    const struct pipeline_state *k = &d->input;
    double empty = k->batches ? (double)k->empty / (double)k->batches : 0;
    char pct[24], of[40] = "";

    if (rank < 0)
        (void)of_ranks(d, d->selected, of, sizeof of);
    if (k->wait == PIPELINE_READY)
        snprintf(text, n, tr("all %" PRIu64 " batches found data%s"), k->batches, of);
    else
        snprintf(text, n, tr("%s queue%s empty for %s of batches"),
                 k->wait == PIPELINE_SLOW ? tr("the host's") : tr("the device's"), of,
                 unit_percent(pct, sizeof pct, empty));
}

static void input_text(const struct dash *d, int rank, double prep, int w, struct buf *b)
{
    const struct pipeline_state *k = &d->input;
    char pct[24], text[200], of[40];

    if (prep > 0) {
        snprintf(text, sizeof text, tr("%s %s of a step%s: %s"), tr(prep_word(d)),
                 unit_percent(pct, sizeof pct, prep), of_ranks(d, rank, of, sizeof of), input_means(d, prep));
        input_part(b, w, text);
    }
    snprintf(text, sizeof text, tr("%s is the slowest part"), k->limit);
    if (k->limit[0])
        input_part(b, w, text);
    if (k->batches) {
        queue_text(d, rank, text, sizeof text);
        input_part(b, w, text);
    }
}

double dash_prep(const struct dash *d, int rank)
{
    for (size_t i = 0; i < d->p->n; i++)
        if (d->p->v[i].rank == rank)
            return d->p->v[i].prep;
    return NAN;
}

int dash_draw_input(const struct dash *d, int rank, struct canvas *c, struct rect a)
{
    int w = a.w - LABEL_W - 2, rows = 0;
    struct buf b;

    buf_init(&b, 4096);
    input_text(d, rank, rank < 0 ? d->p->share[PEER_PREP] : dash_prep(d, rank), w, &b);
    if (buf_str(&b).n && a.h >= 1 && !says_input(d)) {
        draw_puts(c, a.y, a.x + 1, LABEL_W - 1, ROLE_DIM, tr("input"));
        draw_text(c, a.y, a.x + 1 + LABEL_W, w, ROLE_TEXT, buf_str(&b), CUT_END);
        rows = 1;
    }
    buf_done(&b);
    return rows;
}

int dash_draw_steps(const struct dash *d, struct canvas *c, struct rect a, bool split)
{
    int y = draw_curve(d, c, a);

    return split ? y + draw_split(d, c, (struct rect){ a.y + y, a.x, a.h - y, a.w }) : y;
}

/* ---- many ranks ---- */

struct group {
    const char *word;
    size_t n;
    struct buf names;
};

static void add_to(struct group *g, int rank)
{
    if (g->n++ < NAMED)
        buf_printf(&g->names, "%s%d", buf_str(&g->names).n ? " " : "", rank);
}

/* Late is who the rule says is; dead are those that crashed while others did not, or did fewer steps. */
static size_t group_of(const struct dash *d, size_t i, size_t late, uint64_t most)
{
    if (i == late)
        return 0;
    if (d->p->v[i].read && (d->state[i] == RUN_CRASHED || d->p->v[i].steps < most))
        return 1;
    if (!d->p->v[i].read)
        return 3;
    return 2;
}

static int draw_group_line(const struct dash *d, struct canvas *c, struct rect a)
{
    const struct peers *p = d->p;
    struct group g[] = {
        { .word = N_("late") }, { .word = N_("stopped") }, { .word = N_("alike") }, { .word = N_("not read") }
    };
    size_t late = peers_late(p);
    uint64_t most = 0;
    int x = a.x + 1 + LABEL_W;

    if (late != SIZE_MAX)
        g[2].word = N_("wait for it");
    for (size_t k = 0; k < ARRAY_LEN(g); k++)
        buf_init(&g[k].names, 400);
    for (size_t i = 0; i < p->n; i++)
        most = p->v[i].steps > most ? p->v[i].steps : most;
    for (size_t i = 0; i < p->n; i++)
        add_to(&g[group_of(d, i, late, most)], p->v[i].rank);
    draw_puts(c, a.y, a.x + 1, LABEL_W - 1, ROLE_DIM, tr("ranks"));
    for (size_t k = 0; k < ARRAY_LEN(g); k++) {
        if (!g[k].n)
            continue;
        x += draw_printf(c, a.y, x, a.x + a.w - x - 1, k < 2 ? ROLE_WARN : ROLE_TEXT, "%zu %s", g[k].n,
                         tr(g[k].word));
        if (k < 2)
            x += draw_printf(c, a.y, x, a.x + a.w - x - 1, ROLE_TEXT, " (%s%s)", buf_str(&g[k].names).p,
                             g[k].n > NAMED ? " ..." : "");
        x += 3;
    }
    for (size_t k = 0; k < ARRAY_LEN(g); k++)
        buf_done(&g[k].names);
    return 1;
}

int dash_draw_groups(const struct dash *d, struct canvas *c, struct rect a)
{
    const struct peers *p = d->p;
    int h = a.h - 1 < STRIP_ROWS ? a.h - 1 : STRIP_ROWS, w = a.w - LABEL_W - 3;

    if (p->n < MANY_RANKS || a.h < 1)
        return 0;
    int y = draw_group_line(d, c, a);
    if (h < 2 || !p->n_steps || w < 8 || !(d->hi > 0))
        return y;
    const struct spark_heat s = { p->lengths, p->n, p->n_steps, d->lo, d->hi, 1 };
    h = spark_heat(c, (struct rect){ a.y + y, a.x + 1 + LABEL_W, h, w }, &s);
    for (int i = 0; i < h; i++)
        draw_printf(c, a.y + y + i, a.x + 1, LABEL_W - 1, ROLE_DIM, "%d", p->v[spark_first(p->n, h, i)].rank);
    return y + h;
}

/* ---- op types ---- */

/* "MatMulV2 70.9%   FlashAttentionScoreGrad 8.4%": as many as fit. */
static void draw_top_line(const struct peer_types *t, const char *whose, struct canvas *c, struct rect a)
{
    int x = a.x + LABEL_W;

    if (whose[0])
        x += draw_printf(c, a.y, x, a.w - LABEL_W, ROLE_DIM, "%s%s", whose, tr(": "));
    for (size_t i = 0; i < t->n; i++) {
        char pct[24];
        struct str name = ending_short(t->v[i].name);
        unit_percent(pct, sizeof pct, t->v[i].share);
        int nw = (int)text_width(name, canvas_flags(c)), need = nw + 1 + (int)strlen(pct);
        if (x + need > a.x + a.w)
            break;
        draw_text(c, a.y, x, nw, ROLE_TEXT, name, CUT_END);
        draw_puts(c, a.y, x + nw + 1, need - nw - 1, ROLE_DIM, pct);
        x += need + 3;
    }
}

/* upto: the share of this one and those above it; it has no room on a small screen. */
static void draw_top_row(const struct peer_op *o, double most, double upto, struct canvas *c, struct rect a)
{
    int name_w = a.w / 3 < 32 ? a.w / 3 : 32, x = a.x + name_w + 9;
    enum op_class k = op_class_of(o->core[0] ? str_of(o->core) : STR_NULL, str_of(o->name));
    bool fill = canvas_is_ascii(c) || canvas_is_mono(c); /* the class, which no colour tells */
    char pct[24];

    draw_text(c, a.y, a.x, name_w, ROLE_TEXT, ending_short(o->name), CUT_MIDDLE);
    draw_right(c, a.y, a.x + name_w + 1, 6, ROLE_DIM, str_of(unit_percent(pct, sizeof pct, o->share)));
    if (a.w >= UPTO_FROM_W)
        x += draw_printf(c, a.y, x, 16, ROLE_DIM, tr("sum %6s"), unit_percent(pct, sizeof pct, upto)) + 2;
    int bar = a.x + a.w - x - 1;
    for (int i = 0; i < (int)(o->share / most * (bar < TOP_BAR ? bar : TOP_BAR) + 0.5); i++)
        draw_cp(c, a.y, x + i, k == OC_NONE ? ROLE_CUBE : role_of_class(k),
                fill ? glyph_class(k, canvas_is_ascii(c)) : 0x2501);
}

int dash_draw_top(const struct dash *d, bool one_rank, struct canvas *c, struct rect a, size_t rows)
{
    const struct peer_types *t = one_rank ? &d->own : &d->p->types;
    char whose[40] = "";
    double upto = 0;

    if (!t->n || !(t->v[0].share > 0) || (c && a.h < 1))
        return 0;
    rows = rows < 1 ? 1 : rows > t->n ? t->n : rows;
    if (!c)
        return (int)rows;
    if (d->p->n > 1 && one_rank)
        snprintf(whose, sizeof whose, tr("rank %d"), d->selected);
    else if (d->p->n > 1)
        snprintf(whose, sizeof whose, "%s", tr("all ranks"));
    const int label = text_cells_of(whose) < LABEL_W ? LABEL_W : text_cells_of(whose) + 1;
    draw_puts(c, a.y, a.x, LABEL_W - 1, ROLE_DIM, tr("top ops"));
    if (rows == 1)
        draw_top_line(t, whose, c, a);
    else if (a.h > 1)
        draw_puts(c, a.y + 1, a.x, label, ROLE_DIM, whose);
    for (size_t i = 0; i < rows && rows > 1 && (int)i < a.h; i++)
        draw_top_row(&t->v[i], t->v[0].share, upto += t->v[i].share, c,
                     (struct rect){ a.y + (int)i, a.x + label, 1, a.w - label });
    return (int)rows < a.h ? (int)rows : a.h;
}

/* ---- what a rank that hangs did last ---- */

static void draw_act(const struct ending_act *q, enum time_unit unit, struct canvas *c, struct rect a, int y)
{
    char at[40];
    int w = a.w < 100 ? TRACK_W : 2 * TRACK_W, x = a.x + 1 + AT_W + 2, name = x + w + 1;
    int ends = a.x + a.w - ENDS_W;
    int track_w = text_cells_of(q->track), name_w = (int)text_width(ending_short(q->name), canvas_flags(c));

    if (track_w > w && x + track_w + 1 + name_w < ends) { /* a queue is long, what it held is short */
        w = track_w;
        name = x + w + 1;
    }
    draw_right(c, y, a.x + 1, AT_W, ROLE_TEXT, str_of(ending_at(q, unit, at, sizeof at)));
    draw_text(c, y, x, w, ROLE_DIM, str_of(q->track), CUT_END);
    draw_text(c, y, name, ends - name - 1, ROLE_TEXT, ending_short(q->name), CUT_MIDDLE);
    if (strcmp(q->kind, "queue") != 0)
        draw_puts(c, y, ends, ENDS_W, q->state == ACT_DONE ? ROLE_DIM : ROLE_WARN, ending_act_text(q));
}

static bool is_device(const struct ending_act *q)
{
    return strcmp(q->kind, "queue") != 0 && strcmp(q->kind, "host") != 0;
}

/* Of the last activities those of the host and of queues come last, and keep some rows when not all fit. */
static size_t choose_acts(const struct ending *x, size_t room, const struct ending_act **v)
{
    size_t rest = 0, n = 0;

    while (rest < x->n_acts && !is_device(&x->acts[x->n_acts - 1 - rest]))
        rest++;
    const size_t device = x->n_acts - rest;
    room = room > ACTS_MOST ? ACTS_MOST : room;
    room = room > x->n_acts ? x->n_acts : room;
    const size_t third = room / 3, most = device < room - third ? room - device : third;
    rest = rest > most ? most : rest;
    while (n < room - rest)
        v[n] = &x->acts[n], n++;
    for (size_t i = x->n_acts - rest; i < x->n_acts; i++)
        v[n++] = &x->acts[i];
    return n;
}

/* The newest first; without a time, last. */
static int cmp_acts(const void *a, const void *b)
{
    const struct ending_act *x = *(const struct ending_act *const *)a;
    const struct ending_act *y = *(const struct ending_act *const *)b;

    if (x->has_ts != y->has_ts)
        return x->has_ts ? -1 : 1;
    if (x->has_ts && x->at_ns != y->at_ns)
        return x->at_ns > y->at_ns ? -1 : 1;
    return x < y ? -1 : x > y;
}

int dash_draw_acts(const struct ending *x, struct canvas *c, struct rect a)
{
    const struct ending_act *v[ACTS_MOST];
    const size_t room = a.h > 0 ? (size_t)a.h : 0;
    const size_t n = choose_acts(x, room < x->n_acts && room > 1 ? room - 1 : room, v);

    qsort(v, n, sizeof *v, cmp_acts);
    for (size_t i = 0; i < n; i++)
        draw_act(v[i], ending_at_unit(x), c, a, a.y + (int)i);
    if (n == x->n_acts || n >= room)
        return (int)n;
    draw_printf(c, a.y + (int)n, a.x + 1 + AT_W + 2, a.w - AT_W - 3, ROLE_DIM, "%s ",
                glyph_text(G_CUT, canvas_is_ascii(c)));
    draw_printf(c, a.y + (int)n, a.x + 1 + AT_W + 4, a.w - AT_W - 5, ROLE_DIM, tr("%zu more"), x->n_acts - n);
    return (int)n + 1;
}

int dash_draw_last(const struct dash *d, struct canvas *c, struct rect a, size_t rows)
{
    const struct ending *x = d->hung;
    size_t n = x ? x->n_acts : 0;
    char text[100];

    n = n > rows ? rows : n;
    if (!n || (c && a.h < 2))
        return 0;
    if (!c)
        return (int)n + 1;
    n = (int)n > a.h - 1 ? (size_t)a.h - 1 : n;
    snprintf(text, sizeof text, tr("Last activity of rank %d"), x->acts[0].rank);
    int after = a.x + draw_puts(c, a.y, a.x, a.w, ROLE_BOLD, text);
    snprintf(text, sizeof text, tr("(%s, 0 = last record)"), ending_clock_text(&x->ranks[x->acts[0].index]));
    draw_puts(c, a.y, after + 1, a.w - (after - a.x) - 1, ROLE_DIM, text);
    return 1 + dash_draw_acts(x, c, (struct rect){ a.y + 1, a.x, (int)n, a.w });
}

/* ---- a rank's own steps ---- */

static size_t at_rank(const struct peers *p, int rank)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->v[i].rank == rank)
            return i;
    return SIZE_MAX;
}

/* As many as there are cells; the first, which is left out everywhere, is not among them. */
static size_t n_recent(const struct dash *d, int w)
{
    size_t n = d->p->n_steps - d->p->skip;

    return w <= 0 ? 0 : n > (size_t)w ? (size_t)w : n;
}

void dash_draw_recent(const struct dash *d, int rank, struct canvas *c, int y, int x, int w)
{
    size_t at = at_rank(d->p, rank), n = n_recent(d, w);

    if (at == SIZE_MAX || !n)
        return;
    const struct spark s = { peers_lengths(d->p, at) + d->p->n_steps - n, n, d->lo, d->hi,
                             at == peers_late(d->p) ? ROLE_WARN : ROLE_CUBE };
    spark_line(c, y, x, w, &s);
}

#define RECENT_W 13 /* "last 20 steps" */

void dash_recent_head(const struct dash *d, int w, char *buf, size_t n)
{
    buf[0] = '\0';
    if (!n_recent(d, w))
        return;
    if (w < RECENT_W)
        snprintf(buf, n, "%s", tr("by step"));
    else
        snprintf(buf, n, tr("last %zu steps"), n_recent(d, w));
}

/* ---- the proof ---- */

bool dash_time(const struct dash *d, size_t line, int64_t *ts_ns)
{
    const struct verdict_line *l = &d->v.line[line];

    for (size_t i = 0; l->kind == VERDICT_BLOCKED && d->hung && i < d->hung->n_acts; i++) {
        const struct ending_act *q = &d->hung->acts[i];
        if (q->has_ts && q->index == l->index && !strcmp(q->name, l->op)) {
            *ts_ns = q->ts_ns;
            return true;
        }
    }
    return false;
}

/* What "nothing stands out" rests on. */
static void why_none(const struct peers *p, struct buf *b)
{
    const double limit = VERDICT_STEP_SLOW * p->p50_ns;
    const enum time_unit u = unit_time_column(p->p50_ns, limit);
    char t[40];

    if (!(p->p50_ns > 0))
        return;
    fill_label(b, "Steps", PROOF_W);
    buf_printf(b, tr("median %s"), unit_time(t, sizeof t, p->p50_ns, u));
    buf_printf(b, tr(", p95 %s"), unit_time(t, sizeof t, p->p95_ns, u));
    buf_printf(b, tr(", longest %s (step %" PRId64 ")"), unit_time(t, sizeof t, p->max_ns, u),
               p->step[p->max_at]);
    buf_printf(b, tr("; one stands out above %s, %.1f times the median\n"), unit_time(t, sizeof t, limit, u),
               VERDICT_STEP_SLOW);
}

void dash_why(const struct dash *d, size_t line, struct buf *b)
{
    const struct verdict_line *l = &d->v.line[line];

    buf_printf(b, "%s\n\n", l->text);
    fill_label(b, "Rule", PROOF_W);
    buf_printf(b, "%s\n", tr(verdict_rule(l->kind)));
    fill_label(b, "Severity", PROOF_W);
    buf_printf(b, "%s\n", verdict_severity(l->kind));
    if (l->op[0]) {
        fill_label(b, "Op", PROOF_W);
        buf_printf(b, "%s\n", l->op);
    }
    if (l->kind == VERDICT_NONE)
        why_none(d->p, b);
    if (d->hung && l->kind == VERDICT_BLOCKED) {
        proof_left(d->hung, l->index, b);
        proof_last(d->hung, b);
    }
    proof_ranks(d->p, b);
}
