/* SPDX-License-Identifier: Apache-2.0 */
/* report: state and findings, then the first rows of every table that has data. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "analysis/triage.h"
#include "base/lang/tr.h"
#include "base/words.h"
#include "cli/anonymise.h"
#include "cli/cmd/verdict_out.h"
#include "cli/open.h"
#include "cli/rank_table.h"
#include "model/view/facts.h"
#include "model/views/empty.h"

#define REPORT_ROWS 30

struct section {
    const char *views; /* separated by '|': the first that has data is printed */
    const char *title;
    const char *columns, *sort; /* NULL: as the view has them */
};

/* clang-format off */
static const struct section sections[] = {
    { "steps.fpbp|steps.split", N_("Steps"), NULL, NULL },
    { "ops.type",               N_("Ops by type"), NULL, NULL },
    { "ops.op",                 N_("Ops, longest first"),
        "op_name,type,core,avg_ns,calls,total_ns,share_pct", "avg_ns" },
    { "timeline.tracks",        N_("Timeline: busiest tracks"), NULL, "busy_ns" },
    { "flops.total|flops.type", N_("FLOPs"), NULL, NULL },
    { "flops.scope",            N_("FLOPs by scope"), NULL, NULL },
    { "memory.peak|memory.node|memory.tensor",            N_("Memory"), NULL, NULL },
    { "data.pipeline",          N_("Data pipeline"), NULL, NULL },
    { "comm.type|comm.stat",    N_("Communication"), NULL, NULL },
    { "comm.link_sum|comm.link", N_("Links"), NULL, NULL },
    { "host.api|host.stage",               N_("Host"), NULL, NULL },
    { "host.aicpu",             N_("AI CPU kernels"), NULL, NULL },
};
/* Files worth a look: the others are a matter of `files`. */
#define FILES_FILTER "state in TORN,LIMIT,BAD,ABSENT,EMPTY,NEWER"

/* Columns of the triage. */
static const struct view_col run_cols[] = {
    CMD_TEXT("state", "State", "how the run ended"),
    CMD_TEXT("unit", "Folder", "folder of the unit"),
    CMD_TEXT("started", "Started", "as recorded, with its time zone"),
    CMD_TEXT("versions", "Versions", "as recorded"),
    CMD_NUMBER("steps", "Steps", VU_COUNT, "recorded steps"),
    CMD_NUMBER("first_step", "First step", VU_NONE, "first recorded step"),
    CMD_NUMBER("last_step", "Last step", VU_NONE, "last recorded step"),
    CMD_NUMBER("step_ns", "Mean step", VU_NS, "mean length of a step"),
    CMD_NUMBER("flops_per_step", "FLOPs per step", VU_FLOPS, ""),
    CMD_NUMBER("flops_once", "FLOPs, each op once", VU_FLOPS, "where those of a step are not known"),
    CMD_NUMBER("flops_per_s", "FLOPS", VU_FLOPS_S, "rate of these, over flops_over"),
    CMD_TEXT("flops_over", "FLOPS over", "part of a step (fwd+bwd or compute), or op time"),
    CMD_NUMBER("util_pct", "Use of the peak", VU_PCT, "that rate as a share of the peak"),
    CMD_NUMBER("peak_memory_b", "Peak memory", VU_BYTES, "largest memory, of peak_memory_of"),
    CMD_TEXT("peak_memory_of", "Peak memory of", "alive (in a graph), reserved (by a pool), process"),
};
static const struct view_col part_cols[] = {
    CMD_TEXT("of", "Of", "step or device time"),
    CMD_TEXT("part", "Part", ""),
    CMD_NUMBER("mean_ns", "Mean", VU_NS, ""),
    CMD_NUMBER("share_pct", "%", VU_PCT, ""),
    CMD_NUMBER("p50_ns", "p50", VU_NS, ""),
    CMD_NUMBER("p95_ns", "p95", VU_NS, ""),
};
static const struct view_col finding_cols[] = {
    CMD_TEXT("severity", "Sev", "ERROR, WARN, INFO"),
    CMD_TEXT("rule", "Rule", ""),
    CMD_TEXT("finding", "Finding", ""),
    CMD_NUMBER("gain_pct", "Gain", VU_PCT, "upper bound of the share of a step that would vanish"),
    CMD_TEXT("pane", "Pane", "where to look"),
};
/* clang-format on */

/* For programs: titles tell it to people. */
static const struct view_col count_cols[] = {
    CMD_TEXT("name", "Table", "name of the member"),
    CMD_NUMBER("shown", "Shown", VU_COUNT, "rows of it that were printed"),
    CMD_NUMBER("total", "Total", VU_COUNT, "rows that there are"),
};

struct counted {
    const char *id;
    size_t shown, total;
};

struct report {
    struct cli *c;
    struct rank_table t;
    bool people; /* text or markdown */
    struct counted tables[ARRAY_LEN(sections) + 1];
    size_t n_tables;
    char path[1100]; /* of the unit whose triage is printed */
};

static struct val real_or_null(double x)
{
    return isnan(x) ? val_null() : val_real(x);
}

/* ---- triage ---- */

/* Names in what a triage says that is of no store; its unit's path goes to r->path. */
static int hide_names(struct report *r, struct triage *t, struct err *e)
{
    snprintf(r->path, sizeof r->path, "%s", t->unit->shown);
    if (anonymise_path(r->c, r->path, sizeof r->path, e))
        return e->code;
    for (size_t i = 0; i < t->verdict.n; i++)
        if (anonymise_text(r->c, t->verdict.evidence[i], sizeof t->verdict.evidence[i], e))
            return e->code;
    for (size_t i = 0; i < t->n_findings; i++)
        if (anonymise_text(r->c, t->findings[i].text, sizeof t->findings[i].text, e))
            return e->code;
    return OK;
}

static void run_values(const struct report *r, const struct triage *t, struct val v[ARRAY_LEN(run_cols)])
{
    const struct val all[ARRAY_LEN(run_cols)] = {
        val_cstr(run_state_word(t->verdict.state)),
        val_cstr(r->path),
        t->when[0] ? val_cstr(t->when) : val_null(),
        t->versions[0] ? val_cstr(t->versions) : val_null(),
        val_int((int64_t)t->steps),
        t->steps ? val_int(t->first_step) : val_null(),
        t->steps ? val_int(t->last_step) : val_null(),
        real_or_null(t->step_ns),
        real_or_null(t->flops_per_step),
        real_or_null(t->flops_once),
        real_or_null(t->flops_per_s),
        t->flops_over ? val_cstr(t->flops_over) : val_null(),
        isnan(t->utilisation) ? val_null() : val_real(100 * t->utilisation),
        real_or_null(t->peak_memory_b),
        t->peak_memory_of[0] ? val_cstr(t->peak_memory_of) : val_null(),
    };
    memcpy(v, all, sizeof all);
}

static int print_fact(struct report *r, const struct triage *t, const char *name, struct str value,
                      struct err *e)
{
    const struct val v[] = { val_cstr(name), val_text(value) };
    return rank_table_row(&r->t, t->rank, v, 2, e);
}

/* For people: a fact a line, only those that are known. */
static int print_facts(struct report *r, const struct triage *t, struct err *e)
{
    const struct cell_units units = { 0 };
    struct val v[ARRAY_LEN(run_cols)];
    char text[1200];

    run_values(r, t, v);
    for (size_t i = 0; i < ARRAY_LEN(run_cols); i++) {
        if (v[i].t == VAL_NULL)
            continue;
        cell_string(text, sizeof text, &run_cols[i], &v[i], &units);
        if (i == 7 && t->first_left_out)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s",
                     tr("  (without the first recorded step)"));
        if (print_fact(r, t, tr_column(run_cols[i].title), str_of(text), e))
            return e->code;
        for (size_t k = 0; i == 0 && k < t->verdict.n; k++)
            if (print_fact(r, t, "", str_of(t->verdict.evidence[k]), e))
                return e->code;
    }
    return OK;
}

static int print_run(struct report *r, const struct triage *t, struct err *e)
{
    struct val v[ARRAY_LEN(run_cols)];

    if (r->people)
        return print_facts(r, t, e);
    run_values(r, t, v);
    return rank_table_row(&r->t, t->rank, v, ARRAY_LEN(v), e);
}

static int print_evidence(struct report *r, const struct triage *t, struct err *e)
{
    for (size_t i = 0; i < t->verdict.n; i++) {
        const struct val v[] = { val_cstr(t->verdict.evidence[i]) };
        if (rank_table_row(&r->t, t->rank, v, 1, e))
            return e->code;
    }
    return OK;
}

static int print_part(struct report *r, const struct triage *t, const char *of, const struct triage_part *p,
                      size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++) {
        const struct val v[] = {
            val_cstr(r->people ? tr(of) : of), val_cstr(r->people ? tr(p[i].label) : p[i].label),
            real_or_null(p[i].mean_ns),        isnan(p[i].share) ? val_null() : val_real(100 * p[i].share),
            real_or_null(p[i].p50_ns),         real_or_null(p[i].p95_ns),
        };
        if (rank_table_row(&r->t, t->rank, v, ARRAY_LEN(v), e))
            return e->code;
    }
    return OK;
}

static int print_parts(struct report *r, const struct triage *t, struct err *e)
{
    return print_part(r, t, N_("step"), t->step, t->n_step, e)
               ? e->code
               : print_part(r, t, N_("device"), t->device, t->n_device, e);
}

static int print_findings(struct report *r, const struct triage *t, struct err *e)
{
    for (size_t i = 0; i < t->n_findings; i++) {
        const struct triage_finding *f = &t->findings[i];
        const struct val v[] = {
            val_cstr(f->severity),
            val_cstr(f->rule),
            val_cstr(f->text),
            isnan(f->gain) ? val_null() : val_real(100 * f->gain),
            f->go < N_PANES ? val_cstr(pane_word(f->go)) : val_null(),
        };
        if (rank_table_row(&r->t, t->rank, v, ARRAY_LEN(v), e))
            return e->code;
    }
    return OK;
}

/* One table over all ranks: the triage of each is made, printed and dropped. */
static int triage_table(struct report *r, int (*print)(struct report *, const struct triage *, struct err *),
                        struct err *e)
{
    int64_t now = (int64_t)time(NULL) * 1000000000;
    struct ending *all = NULL;

    (void)!ending_make(&all, r->c->session, NULL, 0, now, e);
    for (size_t i = 0; i < r->c->n_ranks && !e->code; i++) {
        struct triage *t = NULL;
        session_select(r->c->session, r->c->ranks[i]);
        if (triage_make(&t, r->c->session, all, now, e) == OK && hide_names(r, t, e) == OK)
            (void)!print(r, t, e);
        triage_free(t);
    }
    ending_free(all);
    if (r->c->n_ranks)
        session_select(r->c->session, r->c->ranks[0]);
    return e->code ? e->code : writer_end(r->t.w, e);
}

/* What matters, before all tables. */
static int print_verdict(struct report *r, struct err *e)
{
    struct ending *x = NULL;
    struct verdict v;

    if (r->c->n_ranks)
        session_select(r->c->session, r->c->ranks[0]);
    if (ending_make(&x, r->c->session, NULL, 0, (int64_t)time(NULL) * 1000000000, e) == OK &&
        verdict_of(&v, r->c->session, x, cmd_job_logs(r->c, x, e), e) == OK) {
        for (size_t i = 0; i < v.n && !e->code; i++)
            (void)!anonymise_text(r->c, v.line[i].text, sizeof v.line[i].text, e);
        if (!e->code)
            (void)!verdict_print(&v, r->t.w, r->people, e);
    }
    ending_free(x);
    return e->code;
}

static int print_triage(struct report *r, struct err *e)
{
    static const struct view_col evidence = CMD_TEXT("evidence", "Evidence", "what the state follows from");

    if (r->people
            ? rank_table_begin(&r->t, "run", N_("Run"), rank_table_facts, ARRAY_LEN(rank_table_facts), e)
            : rank_table_begin(&r->t, "run", N_("Run"), run_cols, ARRAY_LEN(run_cols), e))
        return e->code;
    if (triage_table(r, print_run, e))
        return e->code;
    if (!r->people && (rank_table_begin(&r->t, "evidence", N_("Evidence"), &evidence, 1, e) ||
                       triage_table(r, print_evidence, e)))
        return e->code;
    if (rank_table_begin(&r->t, "breakdown", N_("Where the time goes"), part_cols, ARRAY_LEN(part_cols), e) ||
        triage_table(r, print_parts, e) ||
        rank_table_begin(&r->t, "findings", N_("Findings"), finding_cols, ARRAY_LEN(finding_cols), e) ||
        triage_table(r, print_findings, e))
        return e->code;
    return OK;
}

/* ---- tables ---- */

/* Why there is nothing: the sentence of the empty state, for people. */
static int say_empty(struct report *r, const struct view_def *d, const char *title, struct err *e)
{
    const struct empty_state *s = d->empty ? empty_find(d->empty) : NULL;
    size_t unit = session_rank(r->c->session, r->c->ranks[0])->unit;
    const struct runinfo *info = &session_job(r->c->session)->units[unit]->info;
    struct buf b, advice;

    if (!s)
        return OK;
    buf_init(&b, 4096);
    buf_init(&advice, 4096);
    buf_printf(&b, "\n%s%s", tr(title), tr(": "));
    bool known = empty_known(session_store(r->c->session, unit), s, &b);
    if (!known)
        empty_sentence(s, info, &b);
    if (!known && empty_advice(s, info, &advice))
        buf_printf(&b, "%s%s", tr("; "), buf_str(&advice).p);
    buf_done(&advice);
    out_puts(r->c->out, "\n");
    int rc = writer_note(r->t.w, str_sub(buf_str(&b), 1, SIZE_MAX), e);
    buf_done(&b);
    return rc;
}

/* The title of a filtered table is written before its rows are counted. */
static int count_rows(struct report *r, const struct view_def *d, size_t shown, size_t total, struct err *e)
{
    char text[80];

    r->tables[r->n_tables++] = (struct counted){ d->id, shown, total };
    if (d->pane != PANE_FILES || shown == total)
        return OK;
    snprintf(text, sizeof text, tr("first %zu of %zu; 'npuscope files' lists them"), shown, total);
    return writer_note(r->t.w, str_of(text), e);
}

static int print_counts(struct report *r, struct err *e)
{
    const struct view_col *cols[ARRAY_LEN(count_cols)];

    if (r->people)
        return OK;
    for (size_t i = 0; i < ARRAY_LEN(cols); i++)
        cols[i] = &count_cols[i];
    if (writer_begin(r->t.w, "tables", N_("Tables"), cols, ARRAY_LEN(cols), e))
        return e->code;
    for (size_t i = 0; i < r->n_tables; i++) {
        const struct counted *n = &r->tables[i];
        const struct val v[] = { val_cstr(n->id), val_int((int64_t)n->shown), val_int((int64_t)n->total) };
        if (writer_row(r->t.w, v, e))
            return e->code;
    }
    return writer_end(r->t.w, e);
}

static int print_view(struct report *r, const struct view_def *d, const struct section *s,
                      const struct print_opts *p, struct err *e)
{
    const struct view_scope scope = cmd_scope(r->c);
    struct view *v = NULL;
    char title[200], columns[300];
    struct print_opts mine = *p;
    size_t shown = 0;

    if (table_open(&v, d, r->c->parts, r->c->n_parts, &scope, e))
        return e->code;
    size_t total = view_total(v);
    if (total) {
        const char *about = tr(s->title);
        char first[40] = "";
        if (p->top >= 0 && (uint64_t)p->top < total)
            snprintf(first, sizeof first, tr("first %lld of "), (long long)p->top);
        snprintf(title, sizeof title, "%s (%s%zu%s)", about, first, total,
                 opt_is(&r->c->opts, OPT_STEPS) && (!view_def_reads(d, ":step0") ||
                                                    view_ignores_steps(d, r->c->parts, r->c->n_parts, &scope))
                     ? tr(", all steps")
                     : "");
        if (p->opts)
            snprintf(title, sizeof title, "%s", about); /* filtered: fewer rows than `total` */
        mine.sort = s->sort;
        mine.title = title;
        if (s->columns) {
            snprintf(columns, sizeof columns, "%s%s", view_n_cols(v) > d->n_cols ? "rank," : "", s->columns);
            mine.columns = columns;
        }
        if (table_print(r->t.w, v, &mine, &shown, e) == OK)
            (void)!count_rows(r, d, shown, view_rows(v), e);
    } else if (r->people) {
        (void)!say_empty(r, d, s->title, e);
    }
    view_close(v);
    return e->code;
}

static int print_section(struct report *r, const struct section *s, const struct print_opts *p, struct err *e)
{
    const struct view_scope scope = cmd_scope(r->c);
    const struct view_def *first = NULL;
    struct str id;

    for (size_t i = 0; (id = word_at(s->views, '|', i)).p; i++) {
        char name[64];
        const struct view_def *d = view_def_find(str_copy(id, name, sizeof name));
        if (!d)
            return err_set(e, ERR_BUG, "there is no view %s", name);
        int has = view_has_data(d, r->c->parts, r->c->n_parts, &scope, e);
        if (has < 0)
            return e->code;
        if (has)
            return print_view(r, d, s, p, e);
        if (!first)
            first = d;
    }
    return r->people && first ? say_empty(r, first, s->title, e) : OK;
}

static int print_files(struct report *r, const struct print_opts *p, struct err *e)
{
    static const struct section s = { "files.list", N_("Files to look at"),
                                      "path,kind,size_b,rows,lost,state,feeds,note", NULL };
    struct opt_value only = { .id = OPT_FILTER, .text = FILES_FILTER };
    const struct options o = { .v = &only, .n = 1 };
    struct print_opts mine = *p;

    mine.opts = &o;
    return print_view(r, view_def_find("files.list"), &s, &mine, e);
}

/* The run, or copies of its stores with aliases for names. */
static int open_run(struct cli *c, struct err *e)
{
    const char *key = opt_text(&c->opts, OPT_ANONYMISE);

    if ((key && anonymise_check(key, cli_output_path(&c->opts), e)) || run_open(c, cmd_arg(c, 0), e))
        return e->code;
    run_attach_kept(c); /* ranks are compared with those that were read before */
    return key ? anonymise_run(c, key, e) : OK;
}

int cmd_report(struct cli *c, struct err *e)
{
    int64_t format = opt_int(&c->opts, OPT_FORMAT, FMT_TEXT);
    struct report r = { .c = c, .people = format == FMT_TEXT || format == FMT_MARKDOWN };
    const struct print_opts p = { .all_columns = opt_is(&c->opts, OPT_ALL_COLUMNS),
                                  .top = opt_int(&c->opts, OPT_TOP, REPORT_ROWS),
                                  .times = r.people ? VIEW_RELATIVE : VIEW_ABSOLUTE };

    if (format == FMT_CSV)
        return err_set(e, ERR_USAGE,
                       "a report has many tables: use --format=json, or 'npuscope export' for csv files");
    if (open_run(c, e))
        return e->code;
    cmd_choose_language(c);
    *session_scope(c->session) = cmd_scope(c);
    r.t.several = c->n_ranks > 1;
    if (cli_output(c, true, e) || cmd_writer(c, &r.t.w, true, e) || print_verdict(&r, e) ||
        print_triage(&r, e))
        goto out;
    for (size_t i = 0; i < ARRAY_LEN(sections); i++)
        if (print_section(&r, &sections[i], &p, e))
            goto out;
    if (print_files(&r, &p, e) || print_counts(&r, e) || writer_finish(r.t.w, e) || anonymise_end(c, e))
        goto out;
    cmd_check_damage(c, ~0u, false); /* state and findings are made of every file */
out:
    writer_free(r.t.w);
    return e->code;
}
