/* SPDX-License-Identifier: Apache-2.0 */
/* triage: how a run ended. As tables; the object of json is made in triage_json.c. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "analysis/ending.h"
#include "analysis/triage.h"
#include "base/buf.h"
#include "base/lang/tr.h"
#include "base/unit.h"
#include "cli/cmd/once.h"
#include "cli/cmd/triage_json.h"
#include "cli/cmd/verdict_out.h"
#include "cli/open.h"
#include "cli/rank_table.h"
#include "model/run_list.h"
#include "model/windows.h"

#define TEXT_MAX   ((size_t)64 << 20)
#define ACT_RANKS  4
#define RANGES_MAX 100 /* bytes of text */

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
    CMD_TEXT("folder", "Folder", "of the rank, below that of the run"),
};
static const struct view_col run_cols[] = {
    CMD_NUMBER("run", "Run", VU_NONE, "number, for --run"),
    CMD_TEXT("folder", "Folder", "where it lies, below what was opened"),
    CMD_TEXT("start", "Start", "as recorded, with its time zone"),
    CMD_TEXT("ranks", "Ranks", ""),
    CMD_TEXT("state", "State", "how it ended; the worst of its ranks"),
};
static const struct view_col blocked_cols[] = {
    CMD_TEXT("op", "Op", "communication op"),
    CMD_NUMBER("step", "Step", VU_NONE, "the step it is in"),
    CMD_TEXT("left_by", "Left by", "ranks that have left it"),
};
static const struct view_col finding_cols[] = {
    CMD_NUMBER("step", "Step", VU_NONE, "step, if it is about one"),
    CMD_TEXT("severity", "Sev", "ERROR, WARN, INFO"),
    CMD_TEXT("rule", "Rule", ""),
    CMD_TEXT("text", "Finding", ""),
    CMD_TEXT("target", "Pane", "where to look"),
};
static const struct view_col lost_cols[] = {
    CMD_TEXT("file", "File", ""),
    CMD_TEXT("offset", "At", "place of the first in the file"),
    CMD_NUMBER("records", "Records", VU_COUNT, "records or rows that were left out"),
    CMD_TEXT("what", "What", "first note about the file"),
};
static const struct view_col lost_exact_cols[] = {
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
    enum time_unit unit;
    int64_t now_ns;
    struct once same; /* rows of the table that is being printed */
    const struct view_col *same_cols[ONCE_COLS + 1];
};

/* Lines of evidence have no name of their own, but what they belong to may be said of other ranks. */
static const char evidence[] = N_("Evidence");

/* By the index of a rank of the session. */
static struct alike_of of_rank(const struct report *r, size_t index)
{
    return (struct alike_of){ r->x->ranks[index].rank, r->x->ranks[index].device };
}

/* The i-th of the chosen ranks. */
static const struct ending_rank *chosen(const struct report *r, size_t i)
{
    return &r->x->ranks[r->c->ranks[i]];
}

static struct val step_val(int64_t step)
{
    return step == NO_STEP ? val_null() : val_int(step);
}

/* ---- tables ---- */

static int print_fact(struct report *r, size_t index, const char *fact, const char *value, struct err *e)
{
    const struct val v[] = { val_cstr(r->people ? tr(fact) : fact), val_cstr(value) };

    if (!*value)
        return OK;
    return r->people ? once_add(&r->same, of_rank(r, index), v, e)
                     : rank_table_row(&r->t, r->x->ranks[index].rank, v, ARRAY_LEN(v), e);
}

/* The ranks that those printed are not compared with. */
static int print_not_compared(struct report *r, size_t index, struct err *e)
{
    struct buf b;
    size_t n = 0;
    int rc;

    buf_init(&b, TEXT_MAX);
    for (size_t i = 0; i < r->x->n_ranks; i++)
        if (triage_lacks(r->c->session, r->x, i))
            buf_printf(&b, "%s%d", n++ ? ", " : tr("not compared with other ranks, which are not read: "),
                       r->x->ranks[i].rank);
    if (n)
        buf_puts(&b, tr(" (without --rank they are)"));
    rc = buf_failed(&b) ? err_nomem(e) : print_fact(r, index, evidence, buf_str(&b).n ? b.p : "", e);
    buf_done(&b);
    return rc;
}

/* To people the folder of all is one fact, and table Ranks has that of each. */
static int print_source(struct report *r, const struct triage *t, struct err *e)
{
    return print_fact(r, t->index, N_("Source"),
                      r->people && r->t.several ? session_job(r->c->session)->shown : t->unit->shown, e);
}

static int print_run(struct report *r, size_t index, struct err *e)
{
    struct triage *t = NULL;
    struct window w;
    char text[400];

    session_select(r->c->session, index);
    if (triage_make(&t, r->c->session, r->x, r->now_ns, e))
        return e->code;
    snprintf(text, sizeof text, "%s%s%s", t->when, t->when[0] && t->versions[0] ? "   " : "", t->versions);
    int rc = print_fact(r, index, N_("Run"), text, e);
    if (!rc)
        rc = print_fact(r, index, N_("State"), run_state_word(t->verdict.state), e);
    for (size_t i = 0; !rc && i < t->verdict.n; i++)
        rc = print_fact(r, index, evidence, t->verdict.evidence[i], e);
    if (!rc)
        rc = print_not_compared(r, index, e);
    if (!rc)
        rc = print_source(r, t, e);
    if (!rc && windows_unit(t->unit, &w)) {
        snprintf(text, sizeof text, tr("steps %" PRId64 " to %" PRId64 " of a dynamic profile"), w.start,
                 w.stop);
        rc = print_fact(r, index, N_("Window"), text, e);
    }
    ending_coverage(&r->x->ranks[index], text, sizeof text);
    if (!rc)
        rc = print_fact(r, index, N_("Coverage"), text, e);
    triage_free(t);
    return rc;
}

/* What is the same for several ranks is said once. */
static int begin_same(struct report *r, const char *id, const char *title, const struct view_col *cols,
                      size_t n, struct err *e)
{
    size_t k = 0;

    if (!r->people)
        return rank_table_begin(&r->t, id, title, cols, n, e);
    r->same.n_cols = n;
    if (r->t.several)
        r->same_cols[k++] = &once_ranks_col;
    for (size_t i = 0; i < n; i++)
        r->same_cols[k++] = &cols[i];
    return writer_begin(r->t.w, id, title, r->same_cols, k, e);
}

static int end_same(struct report *r, struct err *e)
{
    int rc = once_rows(&r->same, r->t.w, r->t.several, e);

    once_done(&r->same);
    return rc ? rc : writer_end(r->t.w, e);
}

static int print_runs(struct report *r, struct err *e)
{
    if (begin_same(r, "run", N_("Run"), rank_table_facts, ARRAY_LEN(rank_table_facts), e))
        return e->code;
    for (size_t i = 0; i < r->c->n_ranks; i++)
        if (print_run(r, r->c->ranks[i], e))
            return e->code;
    return end_same(r, e);
}

/* Of several runs: which there are, and which of them the tables below are about. */
static int print_all_runs(struct report *r, struct err *e)
{
    const struct session *s = r->c->session;
    struct run_entry *v = NULL;
    const struct view_col *cols[ARRAY_LEN(run_cols)];
    char about[100];
    size_t n = 0;

    if (session_job(s)->n_runs < 2)
        return OK;
    for (size_t i = 0; i < ARRAY_LEN(run_cols); i++)
        cols[i] = &run_cols[i];
    if (run_list_make(s, r->now_ns, &v, &n, e) == OK &&
        writer_begin(r->t.w, "runs", N_("Runs"), cols, ARRAY_LEN(cols), e) == OK) {
        for (size_t i = 0; i < n && !e->code; i++) {
            const struct val row[] = { val_int((int64_t)v[i].number + 1), val_cstr(v[i].folder),
                                       v[i].when[0] ? val_cstr(v[i].when) : val_null(), val_cstr(v[i].ranks),
                                       val_cstr(run_state_word(v[i].state)) };
            (void)!writer_row(r->t.w, row, e);
        }
        if (!e->code && writer_end(r->t.w, e) == OK && r->people) {
            snprintf(about, sizeof about, tr("below is run %zu: --run=N shows another"), r->c->run + 1);
            (void)!writer_note(r->t.w, str_of(about), e);
        }
    }
    free(v);
    return e->code;
}

static int print_verdict(struct report *r, struct err *e)
{
    struct verdict v;

    if (r->c->n_ranks)
        session_select(r->c->session, r->c->ranks[0]);
    return verdict_of(&v, r->c->session, r->x, cmd_job_logs(r->c, r->x, e), e)
               ? e->code
               : verdict_print(&v, r->t.w, r->people, e);
}

static int print_act(struct report *r, const struct ending_act *a, struct err *e)
{
    char at[40];
    struct val v[4];

    if (r->people) {
        ending_at(a, r->unit, at, sizeof at);
        v[0] = val_cstr(at);
        v[1] = val_cstr(a->track);
        v[2] = val_text(ending_short(a->name));
        v[3] = val_cstr(ending_act_text(a));
    } else {
        v[0] = val_cstr(a->track);
        v[1] = val_cstr(a->name);
        v[2] = a->has_ts ? val_int(a->ts_ns) : val_null();
        v[3] = val_cstr(ending_state_word(a->state));
    }
    return rank_table_row(&r->t, a->rank, v, ARRAY_LEN(v), e);
}

static bool is_blocked(const struct report *r, size_t at)
{
    bool is = false;

    for (size_t i = 0; i < r->x->n_ranks && ending_is_job(r->x); i++)
        is |= ending_has_left(r->x, i, at);
    return is;
}

/*
 * To people the last activity of a few ranks: those that hang, then those that did not end in order; else
 * one. shown: of all ranks of the session. Returns how many of the chosen are left out.
 */
static size_t choose_acts(const struct report *r, bool *shown)
{
    size_t n = 0;

    for (int round = 0; round < 3; round++)
        for (size_t i = 0; i < r->c->n_ranks; i++) {
            size_t at = r->c->ranks[i];
            bool fits = round == 0   ? is_blocked(r, at)
                        : round == 1 ? r->x->ranks[at].state != RUN_ANALYSED
                                     : true;
            size_t most = round < 2 ? ACT_RANKS : 1; /* of ranks that ended well one is an example */
            if (!fits || shown[at] || (r->people && n >= most))
                continue;
            shown[at] = true;
            n++;
        }
    return r->c->n_ranks - n;
}

static int print_chosen_acts(struct report *r, const bool *shown, struct err *e)
{
    for (size_t i = 0; i < r->x->n_acts; i++)
        if (shown[r->x->acts[i].index] && print_act(r, &r->x->acts[i], e))
            break;
    return e->code;
}

static int print_acts(struct report *r, struct err *e)
{
    bool *shown = calloc(r->x->n_ranks ? r->x->n_ranks : 1, sizeof *shown);
    const struct view_col *cols = r->people ? act_cols : act_exact_cols;
    char title[100], more[100];

    if (!shown)
        return err_nomem(e);
    snprintf(title, sizeof title, tr("Last activity before the end (%s, 0 = last record)"),
             r->c->n_ranks ? ending_clock_text(chosen(r, 0)) : "");
    r->unit = ending_at_unit(r->x);
    size_t left = choose_acts(r, shown);
    if (rank_table_begin(&r->t, "last_activity", title, cols, ARRAY_LEN(act_cols), e) == OK &&
        print_chosen_acts(r, shown, e) == OK && writer_end(r->t.w, e) == OK && left && r->people) {
        snprintf(more, sizeof more, tr("%zu more rank%s: --rank lists theirs"), left, left == 1 ? "" : "s");
        (void)!writer_note(r->t.w, str_of(more), e);
    }
    free(shown);
    return e->code;
}

static int print_ranks(struct report *r, struct err *e)
{
    char folder[1024];

    if (rank_table_begin(&r->t, "ranks", N_("Ranks"), end_cols, ARRAY_LEN(end_cols), e))
        return e->code;
    for (size_t i = 0; i < r->c->n_ranks; i++) {
        const struct ending_rank *k = chosen(r, i);
        size_t unit = session_rank(r->c->session, r->c->ranks[i])->unit;
        const struct val v[] = {
            k->device < 0 ? val_null() : val_int(k->device),
            val_cstr(run_state_word(k->state)),
            step_val(k->last_complete_step),
            step_val(k->cut_step),
            val_cstr(session_unit_label(r->c->session, unit, folder, sizeof folder)),
        };
        if (rank_table_row(&r->t, k->rank, v, ARRAY_LEN(v), e))
            return e->code;
    }
    return writer_end(r->t.w, e);
}

/*
 * To people of several ranks the folder that each has for itself says nothing, and the place may be a
 * range.
 */
static int print_lost_row(struct report *r, const struct ending_lost *l, struct err *e)
{
    struct str file = str_of(l->file);
    char at[40] = "", name[sizeof l->file + 8];
    const struct val records = l->records < 0 ? val_null() : val_int(l->records);

    if (!r->people) {
        const struct val v[] = { val_text(file), l->offset < 0 ? val_null() : val_int(l->offset), records,
                                 val_cstr(l->what) };
        return rank_table_row(&r->t, l->rank, v, ARRAY_LEN(v), e);
    }
    struct str last = str_after_last(file, '/');
    bool cut = r->t.several && last.n < file.n;
    snprintf(name, sizeof name, "%s%.*s", cut ? ".../" : "", (int)(cut ? last.n : file.n),
             cut ? last.p : file.p);
    if (l->offset >= 0)
        snprintf(at, sizeof at, tr("byte %" PRId64), l->offset);
    const struct val v[] = { val_cstr(name), val_cstr(at), records, val_cstr(l->what) };
    return once_add(&r->same, of_rank(r, l->at), v, e);
}

static int print_lost(struct report *r, struct err *e)
{
    const struct view_col *cols = r->people ? lost_cols : lost_exact_cols;

    if (r->people && !r->x->n_lost)
        return OK;
    if (begin_same(r, "lost", N_("Lost to damage"), cols, ARRAY_LEN(lost_cols), e))
        return e->code;
    for (size_t i = 0; i < r->x->n_lost; i++)
        if (print_lost_row(r, &r->x->lost[i], e))
            return e->code;
    return end_same(r, e);
}

/* The ranks that have left the op that the one at this index is in; to people runs of them as one: 0-8,10. */
static int put_left_by(const struct report *r, size_t at, struct buf *by, struct err *e)
{
    int *ranks = calloc(r->x->n_ranks ? r->x->n_ranks : 1, sizeof *ranks);
    char text[RANGES_MAX];
    size_t n = 0;

    if (!ranks)
        return err_nomem(e);
    for (size_t i = 0; i < r->x->n_ranks; i++)
        if (ending_has_left(r->x, i, at))
            ranks[n++] = r->x->ranks[i].rank;
    if (r->people)
        buf_puts(by, once_ranges(ranks, n, text, sizeof text));
    for (size_t i = 0; i < n && !r->people; i++)
        buf_printf(by, "%s%d", i ? ", " : "", ranks[i]);
    free(ranks);
    return buf_failed(by) ? err_nomem(e) : OK;
}

/* A line for each rank that is in an op which others have left. */
static int print_blocked_rank(struct report *r, size_t at, struct err *e)
{
    const struct ending_rank *k = &r->x->ranks[at];
    struct buf by;

    buf_init(&by, TEXT_MAX);
    int rc = put_left_by(r, at, &by, e);
    const struct val v[] = { val_text(r->people ? ending_short(k->in_comm) : str_of(k->in_comm)),
                             step_val(k->last_step), val_text(buf_str(&by)) };
    if (!rc && buf_str(&by).n)
        rc = rank_table_row(&r->t, k->rank, v, ARRAY_LEN(v), e);
    buf_done(&by);
    return rc;
}

static int print_blocked(struct report *r, struct err *e)
{
    bool any = false;

    for (size_t i = 0; i < r->c->n_ranks; i++)
        any |= is_blocked(r, r->c->ranks[i]);
    if (r->people && !any)
        return OK;
    if (rank_table_begin(&r->t, "blocked", N_("Still in a communication op that others have left"),
                         blocked_cols, ARRAY_LEN(blocked_cols), e))
        return e->code;
    for (size_t i = 0; i < r->c->n_ranks; i++)
        if (is_blocked(r, r->c->ranks[i]) && print_blocked_rank(r, r->c->ranks[i], e))
            return e->code;
    return writer_end(r->t.w, e);
}

static int print_findings_of(struct report *r, size_t index, struct err *e)
{
    struct triage *t = NULL;

    session_select(r->c->session, index);
    if (triage_make(&t, r->c->session, r->x, r->now_ns, e))
        return e->code;
    for (size_t i = 0; i < t->n_findings; i++) {
        const struct triage_finding *f = &t->findings[i];
        const struct val v[] = { step_val(f->step), val_cstr(f->severity), val_cstr(f->rule),
                                 val_cstr(f->text),
                                 f->go < N_PANES ? val_cstr(pane_word(f->go)) : val_null() };
        if (r->people ? once_add(&r->same, of_rank(r, index), v, e)
                      : rank_table_row(&r->t, t->rank, v, ARRAY_LEN(v), e))
            break;
    }
    triage_free(t);
    return e->code;
}

static int print_findings(struct report *r, struct err *e)
{
    if (begin_same(r, "findings", N_("Findings"), finding_cols, ARRAY_LEN(finding_cols), e))
        return e->code;
    for (size_t i = 0; i < r->c->n_ranks; i++)
        if (print_findings_of(r, r->c->ranks[i], e))
            return e->code;
    return end_same(r, e);
}

static int print_json(const struct report *r, struct err *e)
{
    const struct triage_json t = { .c = r->c, .x = r->x, .now_ns = r->now_ns };
    struct buf b;

    buf_init(&b, TEXT_MAX);
    if (triage_json_add(&t, &b, e) == OK)
        out_add(r->c->out, buf_str(&b));
    buf_done(&b);
    return e->code;
}

static int print_tables(struct report *r, struct err *e)
{
    int rc = cmd_writer(r->c, &r->t.w, true, e);

    if (!rc)
        rc = print_all_runs(r, e);
    if (!rc)
        rc = print_verdict(r, e);
    if (!rc)
        rc = print_runs(r, e);
    if (!rc)
        rc = print_blocked(r, e);
    if (!rc)
        rc = print_findings(r, e);
    if (!rc)
        rc = print_acts(r, e);
    if (!rc)
        rc = print_ranks(r, e);
    if (!rc)
        rc = print_lost(r, e);
    if (!rc)
        rc = writer_finish(r->t.w, e);
    writer_free(r->t.w);
    once_done(&r->same);
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
    if (run_open(c, cmd_arg(c, 0), e)) {
        (void)cmd_logs_instead(c, e);
        goto out;
    }
    run_attach_kept(c);
    cmd_choose_language(c);
    if (ending_make(&r.x, c->session, c->ranks, c->n_ranks, r.now_ns, e) || cli_output(c, true, e))
        goto out;
    r.t.several = c->n_ranks > 1;
    if ((format == FMT_JSON ? print_json(&r, e) : print_tables(&r, e)) == OK)
        cmd_check_damage(c, ~0u, true);
out:
    ending_free(r.x);
    return e->code;
}
