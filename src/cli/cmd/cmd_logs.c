/* SPDX-License-Identifier: Apache-2.0 */
/* logs: why a job died, by its logs alone. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/job_logs.h"
#include "analysis/log_rows.h"
#include "base/lang/tr.h"
#include "base/log.h"
#include "base/sig.h"
#include "base/unit.h"
#include "cli/cmd/cmd.h"
#include "cli/cmd/logs_json.h"
#include "cli/open.h"

#define TEXT_MAX  ((size_t)256 << 20)
#define MOST_COLS 4

static const struct view_col fact_cols[] = {
    CMD_TEXT("fact", "Fact", ""),
    CMD_TEXT("value", "Verdict of the logs", ""),
};
static const struct view_col said_cols[] = {
    CMD_TEXT("says", "What", "what the line says"),
    CMD_NUMBER("rank", "Rank", VU_NONE, "rank whose line it is"),
    CMD_TEXT("time", "Time (UTC)", "time in UTC"),
    CMD_TEXT("place", "Where", "file and line"),
};

static bool is_cancelled(void *arg)
{
    (void)arg;
    return sig_stop() != 0;
}

struct printing {
    const struct logs *l;
    const struct log_verdict *v;
    struct writer *w;
    const struct view_col *cols[MOST_COLS]; /* of the table that is being written */
};

static int begin(struct printing *p, const char *id, const char *title, const struct view_col *cols, size_t n,
                 struct err *e)
{
    for (size_t i = 0; i < n; i++)
        p->cols[i] = &cols[i];
    return writer_begin(p->w, id, title, p->cols, n, e);
}

static int fact(struct printing *p, const char *name, struct str value, struct err *e)
{
    const struct val v[] = { val_cstr(*name ? tr(name) : name), val_text(value) };
    return value.n ? writer_row(p->w, v, e) : OK;
}

static void place_of(const struct logs *l, size_t event, char *buf, size_t n)
{
    const struct log_rec *r = logs_event(l, event);
    snprintf(buf, n, "%s:%" PRIu64, logs_file(l, r->file)->f.name, r->line);
}

static int print_facts(struct printing *p, struct err *e)
{
    const struct log_verdict *v = p->v;
    char text[1200];

    if (begin(p, "verdict", N_("Verdict"), fact_cols, ARRAY_LEN(fact_cols), e) ||
        fact(p, N_("Cause"), str_of(tr(cause_text(v->cls))), e) || fact(p, N_("Root"), v->root, e) ||
        fact(p, N_("Confidence"), str_of(tr(log_sure_word(v->sure))), e))
        return e->code;
    size_t first = v->first != LOG_NO_EVENT ? v->first : LOG_NO_EVENT;
    if (first != LOG_NO_EVENT) {
        place_of(p->l, first, text, sizeof text);
        if (fact(p, N_("First error"), str_of(text), e) || fact(p, "", logs_event(p->l, first)->text, e))
            return e->code;
    }
    if (v->stream >= 0) {
        snprintf(text, sizeof text, tr("stream %" PRId64 ", task %" PRId64), v->stream, v->task);
        if (fact(p, N_("Task"), str_of(text), e))
            return e->code;
    }
    if (fact(p, N_("Op"), v->op, e) || fact(p, N_("Kernel"), v->kernel, e))
        return e->code;
    for (size_t i = 0; i < v->n_missing; i++)
        if (fact(p, N_("Missing"), v->missing[i], e))
            return e->code;
    for (size_t i = 0; i < v->n_clocks; i++)
        if (fact(p, N_("Clocks"), v->clocks[i], e))
            return e->code;
    return writer_end(p->w, e);
}

static int print_said(struct printing *p, const char *id, const char *title, const struct log_said *s,
                      size_t n, struct err *e)
{
    char when[48], place[1200];

    if (!n)
        return OK;
    if (begin(p, id, title, said_cols, ARRAY_LEN(said_cols), e))
        return e->code;
    for (size_t i = 0; i < n; i++) {
        const struct log_rec *r = s[i].event == LOG_NO_EVENT ? NULL : logs_event(p->l, s[i].event);
        when[0] = place[0] = '\0';
        if (r && r->utc_ns != LOG_NO_UTC)
            unit_utc(when, sizeof when, r->utc_ns, 3);
        if (r)
            place_of(p->l, s[i].event, place, sizeof place);
        const struct val v[] = { val_text(s[i].text), r && r->rank >= 0 ? val_int(r->rank) : val_null(),
                                 val_cstr(when), val_cstr(place) };
        if (writer_row(p->w, v, e))
            return e->code;
    }
    return writer_end(p->w, e);
}

static int print_tables(struct cli *c, struct printing *p, struct err *e)
{
    if (cli_output(c, true, e) || cmd_writer(c, &p->w, true, e))
        return e->code;
    if (!print_facts(p, e) && !print_said(p, "chain", N_("Course"), p->v->chain, p->v->n_chain, e) &&
        !print_said(p, "consequences", N_("Consequences"), p->v->consequences, p->v->n_consequences, e))
        (void)!writer_finish(p->w, e);
    writer_free(p->w);
    return e->code;
}

static int print_json(struct cli *c, const struct printing *p, struct err *e)
{
    struct buf b;

    if (cli_output(c, false, e))
        return e->code;
    buf_init(&b, TEXT_MAX);
    buf_puts(&b, "{");
    logs_add_verdict(p->l, p->v, &b);
    buf_puts(&b, ",\n");
    logs_add_files(p->l, &b);
    buf_puts(&b, ",\n");
    logs_add_events(p->l, &b);
    buf_puts(&b, "}\n");
    if (buf_failed(&b))
        err_nomem(e);
    else
        out_add(c->out, buf_str(&b));
    buf_done(&b);
    return e->code;
}

/* An option of tables asks for one. */
static bool wants_table(const struct cli *c)
{
    static const enum opt_id of_tables[] = { OPT_BY,      OPT_FILTER, OPT_SORT,       OPT_TOP,
                                             OPT_COLUMNS, OPT_STEPS,  OPT_ALL_COLUMNS };

    for (size_t i = 0; i < ARRAY_LEN(of_tables); i++)
        if (opt_is(&c->opts, of_tables[i]))
            return true;
    return false;
}

/* A table of the logs instead of the verdict. */
static int print_view(struct cli *c, const struct view_def *d, const struct logs *l,
                      const struct log_verdict *v, struct err *e)
{
    const struct view_scope scope = cmd_scope(c);
    struct view_part part = { 0 };
    struct view *view = NULL;

    if (log_rows_make(&part.store, l, v, NULL, e))
        return e->code;
    if (table_open(&view, d, &part, 1, &scope, e) == OK && !view_total(view)) {
        view_close(view);
        err_set(e, ERR_FORMAT, "no table '%s' in these logs", d->title);
    } else if (!e->code) {
        (void)!cmd_write_view(c, d, view, e);
    }
    store_close(part.store);
    return e->code;
}

static int print_read(struct cli *c, const struct logs *l, const struct log_verdict *v, struct err *e)
{
    struct printing p = { .l = l, .v = v };

    if (wants_table(c)) {
        const char *by = opt_text(&c->opts, OPT_BY);
        return print_view(c, cmd_view_by(c->opts.cmd, str_of(by ? by : "line")), l, v, e);
    }
    return opt_int(&c->opts, OPT_FORMAT, FMT_TEXT) == FMT_JSON ? print_json(c, &p, e)
                                                               : print_tables(c, &p, e);
}

int cmd_folder_logs(struct cli *c, const char *folder, struct err *e)
{
    const struct logs_ask ask = { .folders = &folder, .n_folders = 1, .cancelled = is_cancelled };

    if (c->folder_verdict)
        return OK;
    cmd_choose_language(c); /* the verdict is made of sentences */
    cli_signatures(c);
    return logs_load(&c->folder_logs, &ask, e) ||
                   log_verdict_make(&c->folder_verdict, c->folder_logs, NULL, e)
               ? e->code
               : OK;
}

/* Print what the logs below a folder say; *any: there are some. */
static int print_folder(struct cli *c, const char *folder, bool *any, struct err *e)
{
    if (cmd_folder_logs(c, folder, e))
        return e->code;
    *any = logs_n_files(c->folder_logs) > 0;
    return *any ? print_read(c, c->folder_logs, c->folder_verdict, e) : OK;
}

/* What the logs of the open job say, or a table of them where d is one. */
static int print_job(struct cli *c, const struct view_def *d, struct err *e)
{
    const struct job_logs *j = cmd_job_logs(c, NULL, e);
    const struct logs *l = j ? job_logs_all(j) : NULL;

    if (e->code)
        return e->code;
    if (!l)
        return err_set(e, ERR_FORMAT, "no logs of this job");
    return d ? print_view(c, d, l, job_logs_verdict(j), e) : print_read(c, l, job_logs_verdict(j), e);
}

int cmd_logs(struct cli *c, struct err *e)
{
    const char *folder = cmd_arg(c, 0) ? cmd_arg(c, 0) : ".";
    bool any = false;

    if (wants_table(c) && cmd_check_usage(c, e))
        return e->code;
    if (c->session)
        return print_job(c, NULL, e);
    if (print_folder(c, folder, &any, e) == OK && !any)
        err_set(e, ERR_USAGE, "no logs below '%s'", folder);
    return e->code;
}

bool cmd_logs_instead(struct cli *c, struct err *e)
{
    struct err own = { 0 };
    bool any = false;

    if (c->session || e->code != ERR_FORMAT || opt_is(&c->opts, OPT_NO_LOGS))
        return false;
    (void)!print_folder(c, cmd_arg(c, 0) ? cmd_arg(c, 0) : ".", &any, &own);
    if (any || own.code)
        *e = own;
    return any;
}

struct job_logs *cmd_job_logs(struct cli *c, const struct ending *x, struct err *e)
{
    const char *extra[] = { opt_text(&c->opts, OPT_LOGS) };
    const struct job_logs_opts o = { extra, extra[0] ? 1 : 0 };

    struct err own = ERR_INIT;

    if (c->logs || c->logs_failed || opt_is(&c->opts, OPT_NO_LOGS) ||
        c->aliases) /* lines hold names of hosts and users */
        return c->logs;
    cli_signatures(c);
    if (job_logs_start(&c->logs, c->session, &o, &own) == OK && job_logs_done(c->logs, true))
        (void)!job_logs_judge(c->logs, c->session, x, &own);
    if (own.code == ERR_CANCELLED) {
        *e = own;
    } else if (own.code) { /* the rest of the answer does not hang on them */
        char why[600];
        log_message("the logs of this job were not read: %s", err_message(&own, why, sizeof why));
        job_logs_free(c->logs);
        c->logs = NULL;
        c->logs_failed = true;
        c->status = ST_DAMAGED;
    }
    return c->logs;
}

int cmd_files(struct cli *c, struct err *e)
{
    const char *by = opt_text(&c->opts, OPT_BY);
    const struct view_def *d = by ? cmd_view_by(c->opts.cmd, str_of(by)) : NULL;

    if (!d || d->over != VIEW_OVER_LOGS)
        return cmd_view(c, e);
    c->all_ranks = true; /* logs are those of a job */
    return cmd_check_usage(c, e) || run_open(c, cmd_arg(c, 0), e) ? e->code : print_job(c, d, e);
}
