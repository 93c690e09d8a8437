/* SPDX-License-Identifier: Apache-2.0 */
/* The object of `triage --format=json`. */
#include "config.h"

#include "cli/cmd/triage_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/triage.h"
#include "cli/cmd/cmd.h"
#include "cli/cmd/logs_json.h"
#include "cli/cmd/verdict_out.h"
#include "model/run_list.h"
#include "model/writer/writer.h"

/* Of the members and their meaning: with a change that a reader could trip over it becomes another. */
#define TRIAGE_SCHEMA "npuscope-triage-1"

/* The i-th of the chosen ranks. */
static const struct ending_rank *chosen(const struct triage_json *t, size_t i)
{
    return &t->x->ranks[t->c->ranks[i]];
}

/*
 * Over all chosen ranks: the worst state, the step that all of them completed, the first that one of them
 * began and did not end.
 */
struct summary {
    enum run_state state;
    int64_t complete, cut;
};

static struct summary summary_of(const struct triage_json *t)
{
    struct summary s = { RUN_UNKNOWN, NO_STEP, NO_STEP };
    const struct ending_rank *first = NULL; /* of other ranks only those whose steps compare with its */

    for (size_t i = 0; i < t->c->n_ranks; i++) {
        const struct ending_rank *k = chosen(t, i);
        s.state = run_state_worse(s.state, k->state);
        if (!first || ending_same_steps(k, first)) {
            if (!first || k->last_complete_step < s.complete)
                s.complete = k->last_complete_step;
            if (k->cut_step != NO_STEP && (s.cut == NO_STEP || k->cut_step < s.cut))
                s.cut = k->cut_step;
        }
        first = first ? first : k;
    }
    return s;
}

static void add_step(struct buf *b, const char *key, int64_t step)
{
    if (step == NO_STEP)
        buf_printf(b, "\"%s\": null", key);
    else
        buf_printf(b, "\"%s\": %" PRId64, key, step);
}

static void add_text(struct buf *b, const char *key, struct str text)
{
    buf_printf(b, "\"%s\": ", key);
    write_json_string(b, text);
}

static void add_ns(struct buf *b, const char *key, bool known, int64_t ns)
{
    if (known)
        buf_printf(b, "\"%s\": %" PRId64, key, ns);
    else
        buf_printf(b, "\"%s\": null", key);
}

/* Between the members of an array, each on its own line. */
static void add_sep(struct buf *b, bool *any)
{
    buf_puts(b, *any ? ",\n  " : "\n  ");
    *any = true;
}

/* A sentence about one rank names it where there are several. */
static void add_sentences(const struct triage_json *t, const struct run_verdict *v, const char *of,
                          struct buf *b, bool *any)
{
    struct buf text;

    buf_init(&text, 4096);
    for (size_t i = 0; i < v->n; i++) {
        buf_clear(&text);
        buf_printf(&text, "%s%s", t->c->n_ranks > 1 ? of : "", v->evidence[i]);
        add_sep(b, any);
        write_json_string(b, buf_str(&text));
    }
    buf_done(&text);
}

static void add_evidence(const struct triage_json *t, struct buf *b)
{
    struct run_verdict v = { .n = 0 };
    bool any = false;
    char of[32];

    buf_puts(b, "\"evidence\": [");
    ending_compare(t->x, &v);
    add_sentences(t, &v, "", b, &any);
    for (size_t i = 0; i < t->c->n_ranks; i++) {
        const struct session_rank *k = session_rank(t->c->session, t->c->ranks[i]);
        ending_verdict(t->x, session_job(t->c->session)->units[k->unit], t->c->ranks[i], t->now_ns, &v);
        snprintf(of, sizeof of, "rank %d: ", k->rank);
        add_sentences(t, &v, of, b, &any);
    }
    buf_puts(b, any ? "\n],\n" : "],\n");
}

static void add_acts(const struct ending *x, struct buf *b)
{
    bool any = false;

    buf_puts(b, "\"last_activity\": [");
    for (size_t i = 0; i < x->n_acts; i++) {
        const struct ending_act *a = &x->acts[i];
        add_sep(b, &any);
        buf_printf(b, "{\"rank\": %d, ", a->rank);
        add_text(b, "track", str_of(a->track));
        buf_puts(b, ", ");
        add_text(b, "name", str_of(a->name));
        buf_puts(b, ", ");
        add_ns(b, "ts_ns", a->has_ts, a->ts_ns);
        buf_printf(b, ", \"state\": \"%s\"}", ending_state_word(a->state));
    }
    buf_puts(b, any ? "\n],\n" : "],\n");
}

static void add_clock(const struct ending_rank *k, const char *sep, struct buf *b)
{
    if (k->clock[0])
        add_text(b, "clock", str_of(k->clock));
    else
        buf_puts(b, "\"clock\": null");
    buf_puts(b, sep);
    add_ns(b, "origin_ns", k->has_origin, k->origin_ns);
    buf_puts(b, sep);
    add_ns(b, "origin_unix_ns", k->has_origin_unix, k->origin_unix_ns);
}

static void add_rank(const struct ending_rank *k, struct buf *b)
{
    buf_printf(b, "{\"rank\": %d, \"device\": ", k->rank);
    if (k->device < 0)
        buf_puts(b, "null, ");
    else
        buf_printf(b, "%d, ", k->device);
    add_text(b, "state", str_of(run_state_word(k->state)));
    buf_puts(b, ", ");
    add_step(b, "last_step", k->last_step);
    buf_puts(b, ", ");
    add_step(b, "last_complete_step", k->last_complete_step);
    buf_puts(b, ", ");
    add_step(b, "cut_step", k->cut_step);
    buf_puts(b, ", ");
    add_ns(b, "last_ts_ns", k->has_ts, k->last_ts_ns);
    buf_puts(b, ", ");
    add_ns(b, "last_unix_ns", k->has_end, k->end_unix_ns);
    buf_puts(b, ", ");
    add_clock(k, ", ", b);
    buf_puts(b, "}");
}

static void add_ranks(const struct triage_json *t, struct buf *b)
{
    bool any = false;

    buf_puts(b, "\"ranks\": [");
    for (size_t i = 0; i < t->c->n_ranks; i++) {
        add_sep(b, &any);
        add_rank(chosen(t, i), b);
    }
    buf_puts(b, any ? "\n],\n" : "],\n");
}

static void add_lost(const struct ending *x, struct buf *b)
{
    bool any = false;

    buf_puts(b, "\"lost\": [");
    for (size_t i = 0; i < x->n_lost; i++) {
        const struct ending_lost *l = &x->lost[i];
        add_sep(b, &any);
        buf_puts(b, "{");
        add_text(b, "file", str_of(l->file));
        if (l->offset < 0)
            buf_puts(b, ", \"offset\": null");
        else
            buf_printf(b, ", \"offset\": %" PRId64, l->offset);
        if (l->records < 0)
            buf_puts(b, ", \"records\": null}");
        else
            buf_printf(b, ", \"records\": %" PRId64 "}", l->records);
    }
    buf_puts(b, any ? "\n]\n" : "]\n");
}

bool triage_lacks(const struct session *s, const struct ending *x, size_t index)
{
    return ending_is_job(x) && !x->ranks[index].apart && !session_store(s, session_rank(s, index)->unit);
}

/* Who is blocked is not known while ranks are missing, unless it shows in those that are there. */
static void add_not_compared(const struct triage_json *t, struct buf *b)
{
    bool any = false;

    buf_puts(b, "\"not_compared\": [");
    for (size_t i = 0; i < t->x->n_ranks; i++)
        if (triage_lacks(t->c->session, t->x, i)) {
            buf_printf(b, "%s%d", any ? ", " : "", t->x->ranks[i].rank);
            any = true;
        }
    buf_puts(b, "],\n");
}

static bool lacks_ranks(const struct triage_json *t)
{
    bool lacks = false;

    for (size_t i = 0; i < t->x->n_ranks; i++)
        lacks |= triage_lacks(t->c->session, t->x, i);
    return lacks;
}

static bool is_blocked(const struct triage_json *t)
{
    bool is = false;

    for (size_t i = 0; i < t->c->n_ranks && ending_is_job(t->x); i++)
        for (size_t k = 0; k < t->x->n_ranks; k++)
            is |= ending_has_left(t->x, k, t->c->ranks[i]);
    return is;
}

static void add_blocked(const struct triage_json *t, struct buf *b)
{
    bool any = false;

    if (!is_blocked(t) && lacks_ranks(t)) {
        buf_puts(b, "\"blocked\": null,\n");
        return;
    }
    buf_puts(b, "\"blocked\": [");
    for (size_t i = 0; i < t->c->n_ranks && ending_is_job(t->x); i++) {
        size_t at = t->c->ranks[i];
        bool left = false;
        for (size_t k = 0; k < t->x->n_ranks; k++) {
            if (!ending_has_left(t->x, k, at))
                continue;
            if (left) {
                buf_printf(b, ", %d", t->x->ranks[k].rank);
                continue;
            }
            left = true;
            add_sep(b, &any);
            buf_printf(b, "{\"rank\": %d, ", t->x->ranks[at].rank);
            add_text(b, "op", str_of(t->x->ranks[at].in_comm));
            buf_puts(b, ", ");
            add_step(b, "step", t->x->ranks[at].last_step);
            buf_printf(b, ", \"left_by\": [%d", t->x->ranks[k].rank);
        }
        buf_puts(b, left ? "]}" : "");
    }
    buf_puts(b, any ? "\n],\n" : "],\n");
}

static void add_finding(const struct triage_finding *f, int rank, struct buf *b)
{
    buf_printf(b, "{\"rank\": %d, ", rank);
    add_step(b, "step", f->step);
    buf_puts(b, ", ");
    add_text(b, "severity", str_of(f->severity));
    buf_puts(b, ", ");
    add_text(b, "rule", str_of(f->rule));
    buf_puts(b, ", ");
    add_text(b, "text", str_of(f->text));
    buf_puts(b, ", ");
    if (f->go < N_PANES)
        add_text(b, "target", str_of(pane_word(f->go)));
    else
        buf_puts(b, "\"target\": null");
    buf_puts(b, "}");
}

static int add_findings(const struct triage_json *t, struct buf *b, struct err *e)
{
    bool any = false;

    buf_puts(b, "\"findings\": [");
    for (size_t i = 0; i < t->c->n_ranks; i++) {
        struct triage *of = NULL;
        session_select(t->c->session, t->c->ranks[i]);
        if (triage_make(&of, t->c->session, t->x, t->now_ns, e))
            return e->code;
        for (size_t k = 0; k < of->n_findings; k++) {
            add_sep(b, &any);
            add_finding(&of->findings[k], of->rank, b);
        }
        triage_free(of);
    }
    buf_puts(b, any ? "\n],\n" : "],\n");
    return OK;
}

/* What it is, who wrote it, and what its times are: of the first rank; each rank says it of its own. */
static void add_head(const struct triage_json *t, struct buf *b)
{
    const struct ending_rank none = { .rank = 0 };
    const struct ending_rank *first = t->c->n_ranks ? chosen(t, 0) : &none;

    add_text(b, "schema", STR(TRIAGE_SCHEMA));
    buf_puts(b, ",\n\"program\": {");
    add_text(b, "name", STR(PACKAGE_NAME));
    buf_puts(b, ", ");
    add_text(b, "version", STR(PACKAGE_VERSION));
    buf_puts(b, "},\n");
    add_clock(first, ",\n", b);
    buf_puts(b, ",\n");
}

/* The run that this is about, and all there are. */
static int add_runs(const struct triage_json *t, struct buf *b, struct err *e)
{
    struct run_entry *v = NULL;
    size_t n = 0;

    if (run_list_make(t->c->session, t->now_ns, &v, &n, e) == OK) {
        add_step(b, "run", t->c->run == SIZE_MAX ? NO_STEP : (int64_t)t->c->run + 1);
        buf_puts(b, ",\n\"runs\": [");
        for (size_t i = 0; i < n; i++) {
            buf_printf(b, "%s\n{\"run\": %zu, ", i ? "," : "", v[i].number + 1);
            add_text(b, "folder", str_of(v[i].folder));
            buf_puts(b, ", ");
            if (v[i].when[0])
                add_text(b, "start", str_of(v[i].when));
            else
                buf_puts(b, "\"start\": null");
            buf_puts(b, ", ");
            add_text(b, "ranks", str_of(v[i].ranks));
            buf_puts(b, ", ");
            add_text(b, "state", str_of(run_state_word(v[i].state)));
            buf_puts(b, "}");
        }
        buf_puts(b, n ? "\n],\n" : "],\n");
    }
    free(v);
    return e->code;
}

/* What the logs say; null: there are none, or they are left out. */
static void add_logs(const struct job_logs *j, struct buf *b)
{
    const struct logs *l = j ? job_logs_all(j) : NULL;

    buf_puts(b, "\"logs\": ");
    if (l && job_logs_verdict(j)) {
        buf_puts(b, "{");
        logs_add_verdict(l, job_logs_verdict(j), b);
        buf_puts(b, ",\n");
        logs_add_files(l, b);
        buf_puts(b, "},\n");
    } else {
        buf_puts(b, "null,\n");
    }
}

int triage_json_add(const struct triage_json *t, struct buf *b, struct err *e)
{
    struct summary s = summary_of(t);
    struct job_logs *logs = NULL;
    struct verdict v;

    buf_puts(b, "{\n");
    add_head(t, b);
    if (add_runs(t, b, e))
        return e->code;
    add_text(b, "state", str_of(run_state_word(s.state)));
    buf_puts(b, ",\n");
    add_evidence(t, b);
    if (t->c->n_ranks)
        session_select(t->c->session, t->c->ranks[0]);
    logs = cmd_job_logs(t->c, t->x, e);
    if (e->code || verdict_of(&v, t->c->session, t->x, logs, e))
        return e->code;
    verdict_add_json(&v, b);
    add_logs(logs, b);
    add_step(b, "last_complete_step", s.complete);
    buf_puts(b, ",\n");
    add_step(b, "cut_step", s.cut);
    buf_puts(b, ",\n");
    add_blocked(t, b);
    add_not_compared(t, b);
    if (add_findings(t, b, e))
        return e->code;
    add_acts(t->x, b);
    add_ranks(t, b);
    add_lost(t->x, b);
    buf_puts(b, "}\n");
    return buf_failed(b) ? err_nomem(e) : OK;
}
