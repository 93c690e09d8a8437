/* SPDX-License-Identifier: Apache-2.0 */
/* Communicators that were not set up, and who did not come (doc/formats/logs.md#verdict-rule, step 6). */
#include "config.h"

#include <stdlib.h>

#include "logs/verdict_int.h"
#include "parsers/logs/log_field.h"

struct setup {
    struct gather *g;
    bool *came;   /* [ranks]: in a list of those that connected */
    bool *missed; /* [ranks]: named as not connected */
    bool *source; /* [ranks]: waits for another one */
    int *edge;    /* [ranks]: whom it waits for, -1 */
    bool *target; /* [ranks]: somebody waits for it */
    bool any_list, any_edge, negotiation;
};

static bool is_event(const struct gather *g, size_t i, const char *id)
{
    return !strcmp(verdict_id(g, i), id);
}

/* Numbers of a list: "[0000000000000000],[0000000000000001]" or "1,3,". */
static void mark_list(struct str list, bool *of, int n, bool brackets)
{
    size_t at = 0;

    if (brackets) { /* after "[LINE 0]: " */
        at = str_find(list, STR("]:"), 0);
        if (at == SIZE_MAX)
            return;
    }
    while (at < list.n) {
        int64_t v = 0;
        size_t from = at;
        while (at < list.n && list.p[at] >= '0' && list.p[at] <= '9' && v < n)
            v = v * 10 + (list.p[at++] - '0');
        if (at > from && v < n)
            of[v] = true;
        while (at < list.n && list.p[at] >= '0' && list.p[at] <= '9')
            at++;
        at += at == from;
    }
}

static void take_edge(struct setup *s, int from, int to)
{
    if (from < 0 || to < 0 || from >= s->g->n_ranks || to >= s->g->n_ranks || from == to)
        return;
    s->any_edge = true;
    s->source[from] = true;
    s->target[to] = true;
    if (s->edge[from] < 0)
        s->edge[from] = to;
}

/* "(9)" of the first two addresses of a row of LINK_ERROR_INFO: dest, src. */
static void take_table_row(struct setup *s, struct str text)
{
    int v[2] = { -1, -1 };
    size_t n = 0;

    for (size_t at = str_chr(text, '|'); n < 2 && at < text.n; at++) {
        int64_t rank;
        if (text.p[at] != '(' || !at || text.p[at - 1] < '0' || text.p[at - 1] > '9')
            continue;
        size_t to = at + 1;
        while (to < text.n && text.p[to] >= '0' && text.p[to] <= '9')
            to++;
        if (to < text.n && text.p[to] == ')' && str_i64(str_sub(text, at + 1, to - at - 1), &rank) &&
            rank < s->g->n_ranks)
            v[n++] = (int)rank;
        else if (to < text.n && text.p[to] == ')')
            v[n++] = -1;
    }
    if (n == 2)
        take_edge(s, v[1], v[0]);
}

/* A device of the same server, by its physical number. */
static int rank_of_phy(const struct gather *g, int server, int phy)
{
    int base = -1;

    for (size_t i = 0; i < g->n && phy >= 0; i++) {
        const struct log_proc *p = logs_proc(g->l, i);
        if (p->server != server || p->rank < 0)
            continue;
        if (p->phy == phy)
            return p->rank;
        base = p->phy >= 0 ? p->rank - p->phy : base;
    }
    return base >= 0 ? base + phy : -1;
}

static void take_event(struct setup *s, size_t i)
{
    const struct log_rec *r = logs_event(s->g->l, i);
    int n = s->g->n_ranks;

    if (r->apart)
        return;
    if (is_event(s->g, i, "HC31")) {
        s->any_list = true;
        mark_list(log_field(r->text, LOG_F_AGENTS), s->came, n, true);
    } else if (is_event(s->g, i, "HC32")) {
        struct str list = log_field(r->text, LOG_F_AGENTS);
        if (list.p)
            mark_list(list, s->missed, n, false);
    } else if (is_event(s->g, i, "HC23")) {
        take_table_row(s, r->text);
    } else if (is_event(s->g, i, "HC25")) {
        take_edge(s, r->rank, rank_of_phy(s->g, r->server, log_field_int(r->text, LOG_F_REMOTE_PHY)));
    } else if (is_event(s->g, i, "HC27")) {
        take_edge(s, r->rank, log_field_int(r->text, LOG_F_REMOTE_RANK));
    }
    s->negotiation |= is_event(s->g, i, "HC30") || is_event(s->g, i, "HC31") || is_event(s->g, i, "HC32") ||
                      is_event(s->g, i, "HC33") || is_event(s->g, i, "HC34") || is_event(s->g, i, "HC35");
}

static bool fails(const struct gather *g, int rank)
{
    int p = verdict_proc(g, rank);
    return p >= 0 && g->of[p].fails_setup;
}

/* Those that are named as missing, else those that no list has. */
static int by_lists(struct setup *s, struct found_ranks *out, struct err *e)
{
    size_t missed = 0;

    for (int r = 0; r < s->g->n_ranks; r++)
        missed += s->missed[r];
    for (int r = 0; r < s->g->n_ranks; r++)
        if ((missed ? s->missed[r] : s->any_list && !s->came[r]) && verdict_add_rank(out, r, s->g, e))
            return e->code;
    out->sure = LOG_MEDIUM;
    return OK;
}

/* Where the chains of waiting end: ranks that are waited for and wait for nobody. */
static int by_ends(struct setup *s, struct found_ranks *out, struct err *e)
{
    for (int r = 0; r < s->g->n_ranks; r++)
        if (s->target[r] && !s->source[r] && !fails(s->g, r) && verdict_add_rank(out, r, s->g, e))
            return e->code;
    out->sure = LOG_MEDIUM;
    return OK;
}

/* Two ranks that wait for each other. */
static int by_pair(struct setup *s, struct found_ranks *out, struct err *e)
{
    for (int r = 0; r < s->g->n_ranks; r++)
        if (s->edge[r] > r && s->edge[s->edge[r]] == r) {
            if (out->n) { /* several pairs: a ring */
                out->n = 0;
                return OK;
            }
            if (verdict_add_rank(out, r, s->g, e) || verdict_add_rank(out, s->edge[r], s->g, e))
                return e->code;
        }
    out->sure = LOG_LOW;
    return OK;
}

static int decide(struct setup *s, struct found_ranks *out, struct err *e)
{
    static int (*const rules[])(struct setup *, struct found_ranks *, struct err *) = { by_lists, by_ends,
                                                                                        by_pair };

    for (size_t i = 0; i < logs_n_events(s->g->l); i++)
        take_event(s, i);
    for (size_t i = 0; i < sizeof rules / sizeof *rules && !out->n; i++) {
        if (rules[i](s, out, e))
            return e->code;
        if (rules[i] != by_pair && out->n * 2 > (size_t)s->g->n_ranks)
            out->n = 0; /* most ranks: nobody in particular */
    }
    if (!out->n)
        out->sure = LOG_LOW;
    out->cls = s->negotiation ? CAUSE_SETUP : CAUSE_LINKS;
    return OK;
}

int verdict_setup(struct gather *g, struct found_ranks *out, struct err *e)
{
    size_t n = (size_t)g->n_ranks + 1;
    struct setup s = { .g = g };
    bool any = false;

    *out = (struct found_ranks){ .cls = CAUSE_NONE, .event = LOG_NO_EVENT };
    for (size_t i = 0; i < g->n; i++)
        any |= g->of[i].fails_setup;
    if (!any)
        return OK;
    s.came = calloc(n, sizeof *s.came);
    s.missed = calloc(n, sizeof *s.missed);
    s.source = calloc(n, sizeof *s.source);
    s.target = calloc(n, sizeof *s.target);
    s.edge = malloc(n * sizeof *s.edge);
    if (s.came && s.missed && s.source && s.target && s.edge) {
        memset(s.edge, 0xff, n * sizeof *s.edge);
        (void)decide(&s, out, e);
    } else {
        err_nomem(e);
    }
    free(s.came);
    free(s.missed);
    free(s.source);
    free(s.target);
    free(s.edge);
    return e->code;
}
