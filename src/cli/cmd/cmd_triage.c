/* SPDX-License-Identifier: Apache-2.0 */
/* triage: how a run ended. For people as tables, as json one object of fixed members. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "analysis/ending.h"
#include "analysis/triage.h"
#include "base/buf.h"
#include "base/unit.h"
#include "cli/open.h"
#include "cli/rank_table.h"

#define TEXT_MAX ((size_t)64 << 20)

static const struct view_col act_cols[] = {
    CMD_TEXT("at", "At", "time against the last record of the device"),
    CMD_TEXT("track", "Track", "stream, engine, layer of the host or queue"),
    CMD_TEXT("name", "Name", "op, event or task"),
    CMD_TEXT("state", "State", "done; running: no end recorded; unknown: lost in a gap"),
};
/* For programs. */
static const struct view_col act_exact_cols[] = {
    CMD_TEXT("track", "Track", ""),
    CMD_TEXT("name", "Name", ""),
    CMD_NUMBER("ts_ns", "Time", VU_NS, ""),
    CMD_TEXT("state", "State", ""),
};
static const struct view_col end_cols[] = {
    CMD_NUMBER("device", "Device", VU_NONE, "device"),
    CMD_TEXT("state", "State", "how the run ended"),
    CMD_NUMBER("last_complete_step", "Last complete step", VU_NONE, ""),
    CMD_NUMBER("cut_step", "Cut step", VU_NONE, "it began and has no end"),
};
static const struct view_col lost_cols[] = {
    CMD_TEXT("file", "File", ""),
    CMD_NUMBER("offset", "Offset", VU_NONE, "place of the first in the file, bytes"),
    CMD_NUMBER("records", "Records", VU_COUNT, "records or rows that were left out"),
    CMD_TEXT("what", "What", "first note about the file"),
};

struct report {
    struct cli *c;
    struct ending *x;
    struct rank_table t;
    bool people; /* text or markdown */
    int64_t now_ns;
};

/* The i-th of the chosen ranks. */
static const struct ending_rank *chosen(const struct report *r, size_t i)
{
    return &r->x->ranks[r->c->ranks[i]];
}

static struct val step_val(int64_t step)
{
    return step == NO_STEP ? val_null() : val_int(step);
}

/*
 * Over all chosen ranks: the worst state, the step that all of them completed, the first that one of them
 * began and did not end.
 */
struct summary {
    enum run_state state;
    int64_t complete, cut;
};

static struct summary summary_of(const struct report *r)
{
    /* from the worst */
    static const enum run_state order[] = { RUN_CRASHED, RUN_RUNNING, RUN_NOT_ANALYSED, RUN_ANALYSED,
                                            RUN_UNKNOWN };
    struct summary s = { RUN_UNKNOWN, NO_STEP, NO_STEP };
    size_t worst = ARRAY_LEN(order) - 1;
    bool first = true;

    for (size_t i = 0; i < r->c->n_ranks; i++) {
        const struct ending_rank *k = chosen(r, i);
        for (size_t o = 0; o < worst; o++)
            if (order[o] == k->state)
                worst = o;
        if (first || k->last_complete_step < s.complete)
            s.complete = k->last_complete_step;
        if (k->cut_step != NO_STEP && (s.cut == NO_STEP || k->cut_step < s.cut))
            s.cut = k->cut_step;
        first = false;
    }
    s.state = order[worst];
    return s;
}

/* ---- json ---- */

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

/* Between the members of an array, each on its own line. */
static void add_sep(struct buf *b, bool *any)
{
    buf_puts(b, *any ? ",\n  " : "\n  ");
    *any = true;
}

/* A sentence about one rank names it where there are several. */
static void add_sentences(const struct report *r, const struct run_verdict *v, const char *of, struct buf *b,
                          bool *any)
{
    struct buf text;

    buf_init(&text, 4096);
    for (size_t i = 0; i < v->n; i++) {
        buf_clear(&text);
        buf_printf(&text, "%s%s", r->t.several ? of : "", v->evidence[i]);
        add_sep(b, any);
        write_json_string(b, buf_str(&text));
    }
    buf_done(&text);
}

static void add_evidence(const struct report *r, struct buf *b)
{
    struct run_verdict v = { .n = 0 };
    bool any = false;
    char of[32];

    buf_puts(b, "\"evidence\": [");
    ending_compare(r->x, &v);
    add_sentences(r, &v, "", b, &any);
    for (size_t i = 0; i < r->c->n_ranks; i++) {
        const struct session_rank *k = session_rank(r->c->session, r->c->ranks[i]);
        ending_verdict(r->x, session_job(r->c->session)->units[k->unit], r->c->ranks[i], r->now_ns, &v);
        snprintf(of, sizeof of, "rank %d: ", k->rank);
        add_sentences(r, &v, of, b, &any);
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
        if (a->has_ts)
            buf_printf(b, ", \"ts_ns\": %" PRId64, a->ts_ns);
        else
            buf_puts(b, ", \"ts_ns\": null");
        buf_printf(b, ", \"state\": \"%s\"}", ending_state_word(a->state));
    }
    buf_puts(b, any ? "\n],\n" : "],\n");
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
    if (k->has_ts)
        buf_printf(b, ", \"last_ts_ns\": %" PRId64 "}", k->last_ts_ns);
    else
        buf_puts(b, ", \"last_ts_ns\": null}");
}

static void add_ranks(const struct report *r, struct buf *b)
{
    bool any = false;

    buf_puts(b, "\"ranks\": [");
    for (size_t i = 0; i < r->c->n_ranks; i++) {
        add_sep(b, &any);
        add_rank(chosen(r, i), b);
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

static int print_json(const struct report *r, struct err *e)
{
    struct summary s = summary_of(r);
    struct buf b;

    buf_init(&b, TEXT_MAX);
    buf_puts(&b, "{\n");
    add_text(&b, "state", str_of(run_state_word(s.state)));
    buf_puts(&b, ",\n");
    add_evidence(r, &b);
    add_step(&b, "last_complete_step", s.complete);
    buf_puts(&b, ",\n");
    add_step(&b, "cut_step", s.cut);
    buf_puts(&b, ",\n");
    add_acts(r->x, &b);
    add_ranks(r, &b);
    add_lost(r->x, &b);
    buf_puts(&b, "}\n");
    int rc = buf_failed(&b) ? err_nomem(e) : OK;
    if (rc == OK)
        out_add(r->c->out, buf_str(&b));
    buf_done(&b);
    return rc;
}

/* ---- tables ---- */

static int print_fact(struct report *r, int rank, const char *fact, const char *value, struct err *e)
{
    const struct val v[] = { val_cstr(fact), val_cstr(value) };

    return *value ? rank_table_row(&r->t, rank, v, ARRAY_LEN(v), e) : OK;
}

static int print_run(struct report *r, size_t index, struct err *e)
{
    struct triage *t = NULL;
    char text[400];

    session_select(r->c->session, index);
    if (triage_make(&t, r->c->session, r->now_ns, e))
        return e->code;
    snprintf(text, sizeof text, "%s%s%s", t->when, t->when[0] && t->versions[0] ? "   " : "", t->versions);
    int rc = print_fact(r, t->rank, "Run", text, e);
    if (!rc)
        rc = print_fact(r, t->rank, "State", run_state_word(t->verdict.state), e);
    for (size_t i = 0; !rc && i < t->verdict.n; i++)
        rc = print_fact(r, t->rank, "", t->verdict.evidence[i], e);
    if (!rc)
        rc = print_fact(r, t->rank, "Source", t->unit->shown, e);
    ending_coverage(&r->x->ranks[index], text, sizeof text);
    if (!rc)
        rc = print_fact(r, t->rank, "Coverage", text, e);
    triage_free(t);
    return rc;
}

static int print_runs(struct report *r, struct err *e)
{
    if (rank_table_begin(&r->t, "run", "Run", rank_table_facts, ARRAY_LEN(rank_table_facts), e))
        return e->code;
    for (size_t i = 0; i < r->c->n_ranks; i++)
        if (print_run(r, r->c->ranks[i], e))
            return e->code;
    return writer_end(r->t.w, e);
}

static int print_act(struct report *r, const struct ending_act *a, struct err *e)
{
    char at[40];
    struct val v[4];

    if (r->people) {
        ending_at(a, at, sizeof at);
        v[0] = val_cstr(at);
        v[1] = val_cstr(a->track);
        v[2] = val_text(ending_short(a->name));
        v[3] = val_cstr(ending_state_text(a->state));
    } else {
        v[0] = val_cstr(a->track);
        v[1] = val_cstr(a->name);
        v[2] = a->has_ts ? val_int(a->ts_ns) : val_null();
        v[3] = val_cstr(ending_state_word(a->state));
    }
    return rank_table_row(&r->t, a->rank, v, ARRAY_LEN(v), e);
}

static int print_acts(struct report *r, struct err *e)
{
    const struct view_col *cols = r->people ? act_cols : act_exact_cols;

    if (rank_table_begin(&r->t, "last_activity",
                         "Last activity before the end (device clock, 0 = last record)", cols,
                         ARRAY_LEN(act_cols), e))
        return e->code;
    for (size_t i = 0; i < r->x->n_acts; i++)
        if (print_act(r, &r->x->acts[i], e))
            return e->code;
    return writer_end(r->t.w, e);
}

static int print_ranks(struct report *r, struct err *e)
{
    if (rank_table_begin(&r->t, "ranks", "Ranks", end_cols, ARRAY_LEN(end_cols), e))
        return e->code;
    for (size_t i = 0; i < r->c->n_ranks; i++) {
        const struct ending_rank *k = chosen(r, i);
        const struct val v[] = {
            k->device < 0 ? val_null() : val_int(k->device),
            val_cstr(run_state_word(k->state)),
            step_val(k->last_complete_step),
            step_val(k->cut_step),
        };
        if (rank_table_row(&r->t, k->rank, v, ARRAY_LEN(v), e))
            return e->code;
    }
    return writer_end(r->t.w, e);
}

static int print_lost(struct report *r, struct err *e)
{
    if (r->people && !r->x->n_lost)
        return OK;
    if (rank_table_begin(&r->t, "lost", "Lost to damage", lost_cols, ARRAY_LEN(lost_cols), e))
        return e->code;
    for (size_t i = 0; i < r->x->n_lost; i++) {
        const struct ending_lost *l = &r->x->lost[i];
        const struct val v[] = {
            val_cstr(l->file),
            l->offset < 0 ? val_null() : val_int(l->offset),
            l->records < 0 ? val_null() : val_int(l->records),
            val_cstr(l->what),
        };
        if (rank_table_row(&r->t, l->rank, v, ARRAY_LEN(v), e))
            return e->code;
    }
    return writer_end(r->t.w, e);
}

static int print_tables(struct report *r, struct err *e)
{
    int rc = cmd_writer(r->c, &r->t.w, true, e);

    if (!rc)
        rc = print_runs(r, e);
    if (!rc)
        rc = print_acts(r, e);
    if (!rc)
        rc = print_ranks(r, e);
    if (!rc)
        rc = print_lost(r, e);
    if (!rc)
        rc = writer_finish(r->t.w, e);
    writer_free(r->t.w);
    return rc;
}

int cmd_triage(struct cli *c, struct err *e)
{
    int64_t format = opt_int(&c->opts, OPT_FORMAT, FMT_TEXT);
    struct report r = { .c = c, .people = format == FMT_TEXT || format == FMT_MARKDOWN };

    if (format == FMT_CSV)
        return err_set(e, ERR_USAGE, "triage prints more than one table: use --format=json");
    c->all_ranks = true;
    r.now_ns = (int64_t)time(NULL) * 1000000000;
    if (run_open(c, cmd_arg(c, 0), e) || ending_make(&r.x, c->session, c->ranks, c->n_ranks, r.now_ns, e) ||
        cli_output(c, true, e))
        goto out;
    r.t.several = c->n_ranks > 1;
    if ((format == FMT_JSON ? print_json(&r, e) : print_tables(&r, e)) == OK)
        cmd_check_damage(c, ~0u, true);
out:
    ending_free(r.x);
    return e->code;
}
