/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of checks. Each statement gives rows: which of the sentences (NULL: nothing found), filter or
 * NULL, number of the step or NULL, then what fills the sentence; no row: nothing found. What follows from
 * comparing ranks is no statement: their rows may lie in several stores.
 */
#include "config.h"

#include "analysis/checks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/peers.h"
#include "base/buf.h"
#include "base/lang/fill.h"
#include "base/lang/tr.h"
#include "run/known_diff.h"

#define LEFT_BY   8 /* ranks named in a text */
#define FORMS     6
#define FIRST_ARG 3 /* column of a statement */

struct check {
    const char *rule, *severity;
    enum pane_id go;
    enum check_kind kind;
    const char *forms[FORMS]; /* sentences, as fill_text() takes them; translated when shown */
    const char *needs;        /* gives a row when there is something to check; NULL: always */
    const char *sql;          /* :rank */
    const char *evidence;     /* rows that show it */
};

/*
 * Executions grouped as op_statistic does it (doc/formats/analysed.md#consistency-checks, link 1), joined to
 * it. By op first: there are a hundred executions to an op, and the text columns are looked up once an op.
 * Statistics of host ops have no executions.
 */
#define STAT_JOIN                                                                                            \
    "FROM op_stat s LEFT JOIN (SELECT o.type_id AS type_id, o.core AS core, sum(x.n) AS n, "                 \
    "sum(x.total) AS total FROM (SELECT op_id, count(*) AS n, sum(dur_ns) AS total "                         \
    "FROM op_exec NOT INDEXED WHERE rank = :rank GROUP BY op_id) x "                                         \
    "CROSS JOIN op o ON o.id = x.op_id GROUP BY 1, 2) g ON g.type_id = s.type_id AND g.core IS "             \
    "s.core WHERE "                                                                                          \
    "s.by = 'type' AND s.per = 'run' AND s.rank = :rank AND ifnull(s.core, '') <> 'CPU' "                    \
    "AND EXISTS (SELECT 1 FROM op_exec e JOIN op o ON o.id = e.op_id WHERE e.rank = :rank AND "              \
    "o.type_id IS NOT NULL)"
#define STAT_DIFFERS "(g.n IS NOT s.calls OR abs(g.total - s.total_ns) > s.calls * 1.5)"
/* Sum of durations of an overlap row of the trace. */
#define OVERLAP(name)                                                                                        \
    "(SELECT sum(t.dur_sum_ns) FROM track t JOIN string n ON n.id = t.name_id WHERE t.rank = "               \
    ":rank AND t.kind = 'overlap' AND n.text = '" name "')"

/* A file's path; only the name of the file when the path is too long for a line. */
#define PLACE(path)                                                                                          \
    "CASE WHEN length(" path ") > 56 THEN '.../' || replace(" path ", rtrim(" path ", replace(" path         \
    ", '/', '')), '') ELSE " path " END"
/* Analysed files against the raw data of the same run (import/agree/agree.h). */
#define DIFFERS_FORMS                                                                                        \
    {                                                                                                        \
        "%1$s: %2$s", N_("%1$s line %3$s: %2$s")                                                             \
    }
#define DIFFERS                                                                                              \
    "SELECT ifnull(n.line > 0, 0), NULL, NULL, " PLACE(                                                      \
        "f.path") ", n.text, n.line FROM note n JOIN source f ON f.id = n.source_id WHERE n.code = "         \
                  "'DIFFERS' AND (f.rank IS NULL OR f.rank = :rank)"
/* Path, state and what is noted of a file. */
#define STATE_FORMS                                                                                          \
    {                                                                                                        \
        "%s: %s", "%s: %s, %s"                                                                               \
    }
#define DIFFERS_EVIDENCE                                                                                     \
    "SELECT f.path, n.line, n.text FROM note n JOIN source f ON f.id = n.source_id WHERE n.code "            \
    "= 'DIFFERS'"
/* The reason why most results are missing (run/expect.c): one finding, not one for each result. */
#define NOT_ANALYSED "the run was not analysed"

/*
 * msprof's own advice: keys and values of its document (doc/formats/analysed.md#prof_rule), whose nesting
 * differs: what belongs to a suggestion lies beside it, its type is the nearest one around it.
 */
#define ADVICE_AT "substr(d.key, 1, length(d.key) - length('Rule Suggestion'))"
#define ADVICE(of)                                                                                           \
    "(SELECT x.value FROM doc x WHERE x.source_id = d.source_id AND x.key = " ADVICE_AT " || '" of "')"
#define ADVICE_TYPE                                                                                          \
    "(SELECT t.value FROM doc t WHERE t.source_id = d.source_id AND t.key LIKE '%Rule Type' AND "            \
    "substr(d.key, 1, length(t.key) - 9) = substr(t.key, 1, length(t.key) - 9) "                             \
    "ORDER BY length(t.key) DESC LIMIT 1)"
#define ADVICE_FROM                                                                                          \
    "FROM doc d JOIN source f ON f.id = d.source_id WHERE f.kind = 'prof_rule' AND "                         \
    "d.key LIKE '%Rule Suggestion' AND (f.rank IS NULL OR f.rank = :rank)"

/* clang-format off */
static const struct check checks[] = {
    { "FIL-01", "ERROR", PANE_FILES, CHECK_FILES, STATE_FORMS, NULL,
      "SELECT note IS NOT NULL, 'state=' || state, NULL, " PLACE("path") ", state, note "
      "FROM source "
      "WHERE state IN ('BAD', 'NEWER') AND (rank IS NULL OR rank = :rank) LIMIT 20",
      "SELECT path, state, note FROM source WHERE state IN ('BAD', 'NEWER')" },
    { "FIL-02", "WARN", PANE_FILES, CHECK_FILES, STATE_FORMS, NULL,
      "SELECT note IS NOT NULL, 'state=' || state, NULL, " PLACE("path") ", state, note "
      "FROM source "
      "WHERE state IN ('TORN', 'LIMIT', 'EMPTY') AND (rank IS NULL OR rank = :rank) LIMIT 20",
      "SELECT path, state, rows, lost, note FROM source WHERE state IN ('TORN', 'LIMIT', 'EMPTY')" },
    { "FIL-03", "WARN", PANE_FILES, CHECK_FILES,
      { N_("%s is missing"), N_("%s is missing: %s"), N_("%s files of results are missing"),
        N_("%s files of results are missing: %s") }, NULL,
      "SELECT * FROM (SELECT (count(*) > 1) * 2 + (note IS NOT NULL), 'state=ABSENT', NULL, "
      "CASE count(*) WHEN 1 THEN path ELSE count(*) END, note FROM source "
      "WHERE state = 'ABSENT' AND (rank IS NULL OR rank = :rank) GROUP BY CASE note WHEN '" NOT_ANALYSED
      "' THEN 0 ELSE id END ORDER BY min(id)) LIMIT 20",
      "SELECT path, note FROM source WHERE state = 'ABSENT'" },
    { "FIL-04", "INFO", PANE_FILES, CHECK_FILES,
      { N_("%s kind of data not collected: %s"), N_("%s kinds of data not collected: %s") }, NULL,
      "SELECT count(*) > 1, 'state=OFF', NULL, count(*), "
      "group_concat(replace(path, rtrim(path, replace(path, '/', '')), ''), ', ') "
      "FROM (SELECT min(path) AS path FROM source WHERE state = 'OFF' AND (rank IS NULL OR rank = :rank) "
      "GROUP BY kind ORDER BY min(id)) HAVING count(*) > 0",
      "SELECT path, note FROM source WHERE state = 'OFF'" },
    { "FIL-05", "INFO", PANE_FILES, CHECK_FILES, { "%s: %s", N_("%s: %s (%s times)") }, NULL,
      "SELECT n.count > 1, NULL, NULL, " PLACE("f.path") ", n.text, n.count "
      "FROM note n JOIN source f ON f.id = n.source_id WHERE f.state NOT IN ('BAD', "
      "'TORN', 'LIMIT', 'NEWER', 'EMPTY') AND n.severity <> 'INFO' AND n.code <> 'DIFFERS' "
      "AND (f.rank IS NULL OR f.rank = :rank) LIMIT 10",
      "SELECT f.path, n.code, n.line, n.text FROM note n JOIN source f ON f.id = n.source_id" },
    { "FIL-06", "INFO", PANE_FILES, CHECK_FILES,
      { N_("%s files of an older job are not read; the newer one is %s") }, NULL,
      "SELECT 0, NULL, NULL, count(*), substr(used, 12, length(used) - 12) FROM source "
      "WHERE used LIKE 'no (newer: %' AND (rank IS NULL OR rank = :rank) GROUP BY used LIMIT 5",
      "SELECT path, used FROM source WHERE used LIKE 'no (newer: %'" },
    { "CON-01", "WARN", PANE_OPS, CHECK_FACTS,
      { N_("%s of %s op types differ between the executions and the op statistics") },
      "SELECT 1 FROM op_stat WHERE by = 'type' AND per = 'run' AND rank = :rank LIMIT 1",
      "SELECT 0, NULL, NULL, d, n "
      "FROM (SELECT count(*) AS n, sum(" STAT_DIFFERS ") AS d " STAT_JOIN ") WHERE d > 0",
      "SELECT (SELECT text FROM string WHERE id = s.type_id) AS type, s.core, s.calls, g.n, s.total_ns, "
      "g.total " STAT_JOIN " AND " STAT_DIFFERS },
    { "CON-02", "WARN", PANE_OPS, CHECK_FACTS, { N_("shares of the op statistics add up to %s%%") }, NULL,
      "SELECT 0, NULL, NULL, round(100 * total, 2) "
      "FROM (SELECT sum(share) AS total FROM op_stat WHERE by = 'type' AND per = 'run' "
      "AND rank = :rank GROUP BY device, source_id) WHERE abs(total - 1) > 0.005 LIMIT 1", NULL },
    { "CON-03", "WARN", PANE_STEPS, CHECK_FACTS,
      { N_("step %s: overlapped is not communication less what is not overlapped") }, NULL,
      "SELECT 0, 'step=' || step, step, ifnull(step, '-') FROM step WHERE rank = :rank "
      "AND abs(overlapped_ns - (communication_ns - comm_not_overlapped_ns)) > 1000 LIMIT 5", NULL },
    { "CON-04", "WARN", PANE_STEPS, CHECK_FACTS,
      { N_("computing of the steps (%s ms) is not that of the trace (%s ms)") }, NULL,
      "SELECT 0, NULL, NULL, round(a / 1e6, 3), round(b / 1e6, 3) FROM (SELECT sum(computing_ns) AS a, "
      OVERLAP("Computing") " AS b, " OVERLAP("Free") " AS c FROM step WHERE rank = :rank "
      "AND start_ns IS NULL) WHERE a IS NOT NULL AND b IS NOT NULL AND abs(a - b) > 1e-6 * b + 1e4", NULL },
    { "CON-05", "WARN", PANE_COMM, CHECK_FACTS,
      { N_("%s communication ops whose elapsed time is not transit + wait + idle") }, NULL,
      "SELECT 0, NULL, NULL, count(*) "
      "FROM comm_exec WHERE rank = :rank "
      "AND abs(dur_ns - (transit_ns + wait_ns + idle_ns)) > 1000 HAVING count(*) > 0", NULL },
    { "CON-06", "WARN", PANE_MEM, CHECK_FACTS,
      { N_("%s allocations whose lifetime is not release less allocation") }, NULL,
      "SELECT 0, NULL, NULL, count(*) FROM mem_alloc "
      "WHERE rank = :rank AND release_ns IS NOT NULL "
      "AND abs(dur_ns - (release_ns - alloc_ns)) > 1000 HAVING count(*) > 0", NULL },
    { "CON-07", "INFO", PANE_HOST, CHECK_FACTS,
      { N_("API statistics count %s calls, the trace has %s") }, NULL,
      "SELECT 0, NULL, NULL, a, b FROM (SELECT (SELECT "
      "sum(calls) FROM api_stat WHERE rank = :rank) AS a, (SELECT sum(t.n) FROM track t "
      "JOIN string p ON p.id = t.process_id WHERE t.rank = :rank AND p.text = 'CANN' AND t.kind <> 'flow') "
      "AS b) WHERE a <> b", NULL },
    { "CON-08", "WARN", PANE_FILES, CHECK_FILES, DIFFERS_FORMS, NULL,
      DIFFERS " AND n.text NOT LIKE '%" KNOWN_DIFF_OF "%' LIMIT 10", DIFFERS_EVIDENCE },
    { "CON-09", "INFO", PANE_FILES, CHECK_FILES, DIFFERS_FORMS, NULL,
      DIFFERS " AND n.text LIKE '%" KNOWN_DIFF_OF "%' LIMIT 10", DIFFERS_EVIDENCE },
    { "STP-00", "INFO", PANE_STEPS, CHECK_FACTS, { N_("step %s took %s ms, %s times the median") }, NULL,
      "SELECT 0, 'step=' || step, step, step, round(total_ns / 1e6, 2), round(total_ns * 1.0 / m, 1) "
      "FROM (SELECT step, total_ns, "
      "(SELECT total_ns FROM step WHERE rank = :rank AND total_ns IS NOT NULL ORDER BY total_ns "
      "LIMIT 1 OFFSET (SELECT count(*) / 2 FROM step WHERE rank = :rank AND total_ns IS NOT NULL)) AS m "
      "FROM step WHERE rank = :rank AND step <> (SELECT min(step) FROM step WHERE rank = :rank)) "
      "WHERE total_ns > 1.5 * m ORDER BY total_ns DESC LIMIT 3", NULL },
    { "STP-02", "WARN", PANE_STEPS, CHECK_FACTS, { N_("step %s is cut: the run ended inside it") }, NULL,
      "SELECT 0, 'step=' || step, step, step FROM step "
      "WHERE rank = :rank AND complete = 0 LIMIT 3", NULL },
    { "PRF-01", "INFO", PANE_OPS, CHECK_FACTS, { N_("msprof advises, %s") }, NULL,
      "SELECT 0, NULL, NULL, ifnull(" ADVICE_TYPE " || ', ', '') || ifnull(" ADVICE("Rule Subtype")
      " || ': ', '') || d.value || ifnull(' ' || " ADVICE("Tuning Data") ", '') " ADVICE_FROM
      " AND d.value IS NOT NULL ORDER BY d.rowid LIMIT 20",
      "SELECT d.key, d.value FROM doc d JOIN source f ON f.id = d.source_id WHERE f.kind = 'prof_rule'" },
};
/* clang-format on */

static const struct check *check_of(struct str rule)
{
    for (size_t i = 0; i < ARRAY_LEN(checks); i++)
        if (str_eq(rule, str_of(checks[i].rule)))
            return &checks[i];
    return NULL;
}

/* What comparing ranks finds. */
static const struct check blocked_check = {
    .rule = "CLU-19",
    .severity = "ERROR",
    .go = PANE_TIME,
    /* by ending_has_left: one rank, some, more than are named; then the same where no step is known */
    .forms = { N_("still in %1$s of step %2$s, which rank %3$s has left"),
               N_("still in %1$s of step %2$s, which ranks %3$s have left"),
               N_("still in %1$s of step %2$s, which ranks %3$s and %4$s more have left"),
               N_("still in %1$s, which rank %3$s has left"), N_("still in %1$s, which ranks %3$s have left"),
               N_("still in %1$s, which ranks %3$s and %4$s more have left") },
    .evidence = "SELECT a.rank, a.state, (SELECT text FROM string WHERE id = a.name_id) AS op_name FROM "
                "last_activity a WHERE a.kind = 'comm' ORDER BY a.rank, a.ts_ns DESC",
};

static struct triage_finding *add(struct finding_list *l, const struct check *c, struct err *e)
{
    struct triage_finding *p = realloc(l->v, (l->n + 1) * sizeof *p);

    if (!p) {
        err_nomem(e);
        return NULL;
    }
    l->v = p;
    p += l->n++;
    *p = (struct triage_finding){ .gain = NAN, .step = NO_STEP, .go = c->go, .sql = c->evidence };
    snprintf(p->severity, sizeof p->severity, "%s", c->severity);
    snprintf(p->rule, sizeof p->rule, "%s", c->rule);
    return p;
}

static int is_needed(struct store *s, const struct check *c, int rank)
{
    return !c->needs || store_int(s, 0, c->needs, ":rank", (int64_t)rank, NULL) == 1;
}

/* One that does not fit would find something else, or nothing. */
static void take_filter(struct triage_finding *f, struct str filter)
{
    if (filter.n < sizeof f->filter)
        str_copy(filter, f->filter, sizeof f->filter);
}

const char *checks_form(size_t i)
{
    const size_t n = ARRAY_LEN(checks) + 1;
    const struct check *c = i / FORMS + 1 < n ? &checks[i / FORMS] : &blocked_check;

    return i >= n * FORMS ? NULL : c->forms[i % FORMS] ? c->forms[i % FORMS] : "";
}

/* The sentence, translated or in English; nothing is said where it has none: a row of another program. */
static void say(const struct triage_finding *f, const struct check *c, bool translated, char *text, size_t n)
{
    const char *form = f->form >= 0 && f->form < FORMS ? c->forms[f->form] : NULL;
    struct buf b;

    buf_init(&b, 65536);
    if (form)
        fill_text(&b, translated ? tr(form) : form, str_of(f->args), translated);
    if (form && !buf_failed(&b))
        str_copy_cut(buf_str(&b), text, n);
    buf_done(&b);
}

static int take_args(struct triage_finding *f, int form, const struct buf *b, struct err *e)
{
    f->form = form;
    str_copy_cut(buf_str(b), f->args, sizeof f->args);
    return buf_failed(b) ? err_nomem(e) : OK;
}

static int take_row(struct triage_finding *f, const struct check *c, const struct query *q, struct err *e)
{
    struct buf b;

    buf_init(&b, 65536);
    for (size_t i = FIRST_ARG; i < query_columns(q); i++) {
        if (i > FIRST_ARG)
            buf_addc(&b, FILL_NEXT);
        if (!query_null(q, i))
            buf_add(&b, query_str(q, i));
    }
    if (take_args(f, (int)query_int(q, 0), &b, e) == OK)
        say(f, c, true, f->text, sizeof f->text);
    if (!query_null(q, 1))
        take_filter(f, query_str(q, 1));
    if (!query_null(q, 2))
        f->step = query_int(q, 2);
    buf_done(&b);
    return e->code;
}

static int run_check(struct finding_list *l, struct store *s, const struct check *c, int rank, struct err *e)
{
    struct query *q = NULL;
    int rc;

    if (!is_needed(s, c, rank))
        return OK;
    if (store_query(s, &q, c->sql, e))
        return e->code;
    query_bind_int(q, ":rank", rank);
    while ((rc = query_step(q, e)) == 1) {
        struct triage_finding *f = query_null(q, 0) ? NULL : add(l, c, e);
        if (e->code)
            break;
        if (f && take_row(f, c, q, e))
            break;
    }
    query_free(q);
    return e->code;
}

int checks_run(struct finding_list *out, struct store *s, int rank, unsigned kinds, struct err *e)
{
    for (size_t i = 0; i < ARRAY_LEN(checks); i++)
        if (checks[i].kind & kinds && run_check(out, s, &checks[i], rank, e))
            return e->code;
    return OK;
}

/* "2", "0, 2": ranks that have left what this one is in. Returns how many there are; said: of them. */
static size_t add_left_by(const struct ending *x, size_t at, struct buf *b, size_t *said)
{
    size_t n = 0;

    *said = 0;
    for (size_t i = 0; i < x->n_ranks; i++)
        if (ending_has_left(x, i, at) && n++ < LEFT_BY)
            buf_printf(b, "%s%d", (*said)++ ? ", " : "", x->ranks[i].rank);
    return n;
}

int checks_compare(struct finding_list *out, const struct ending *x, size_t at, struct err *e)
{
    const struct ending_rank *k = &x->ranks[at];
    bool blocked = false;
    size_t said;
    struct buf b;

    for (size_t i = 0; i < x->n_ranks && !blocked; i++)
        blocked = ending_has_left(x, i, at);
    struct triage_finding *f = blocked && ending_is_job(x) ? add(out, &blocked_check, e) : NULL;
    if (!f)
        return e->code;
    struct str name = ending_short(k->in_comm);
    buf_init(&b, 4096);
    buf_printf(&b, "%.*s%c%" PRId64 "%c", (int)name.n, name.p, FILL_NEXT, k->last_step, FILL_NEXT);
    const size_t n = add_left_by(x, at, &b, &said);
    buf_printf(&b, "%c%zu", FILL_NEXT, n - said);
    if (take_args(f, (k->last_step == NO_STEP) * 3 + (n > said ? 2 : n > 1), &b, e) == OK)
        say(f, &blocked_check, true, f->text, sizeof f->text);
    f->step = k->last_step;
    buf_done(&b);
    return e->code;
}

/* In English, whatever the language is. */
static int keep_finding(struct sink *out, int rank, const struct triage_finding *f, struct err *e)
{
    const struct check *c = check_of(str_of(f->rule));
    char text[sizeof f->text] = "";

    say(f, c ? c : &blocked_check, false, text, sizeof text);
    const struct val v[N_COLS(finding)] = {
        [COL(finding, rule)] = val_cstr(f->rule),
        [COL(finding, severity)] = val_cstr(f->severity),
        [COL(finding, rank)] = val_int(rank),
        [COL(finding, step)] = f->step == NO_STEP ? val_null() : val_int(f->step),
        [COL(finding, text)] = val_cstr(text),
        [COL(finding, form)] = val_int(f->form),
        [COL(finding, args)] = val_cstr(f->args),
        [COL(finding, evidence_sql)] = val_cstr(f->sql),
        [COL(finding, target)] = val_cstr(pane_word(f->go)),
        [COL(finding, filter)] = f->filter[0] ? val_cstr(f->filter) : val_null(),
    };
    return sink_row(out, T_finding, v, N_COLS(finding), NULL, e);
}

static int keep_list(struct sink *out, int rank, struct finding_list *l, int rc, struct err *e)
{
    for (size_t i = 0; rc == OK && i < l->n; i++)
        rc = keep_finding(out, rank, &l->v[i], e);
    free(l->v);
    return rc;
}

static int keep_rank(struct store *s, struct sink *out, int rank, struct err *e)
{
    struct finding_list l = { .n = 0 };
    int rc = checks_run(&l, s, rank, CHECK_FILES | CHECK_FACTS, e);

    return keep_list(out, rank, &l, rc, e);
}

int checks_keep_job(struct store *s, struct sink *out, struct err *e)
{
    struct ending *x = NULL;
    int rc = ending_of_store(&x, s, e);

    for (size_t i = 0; rc == OK && i < x->n_ranks; i++) {
        struct finding_list l = { .n = 0 };
        rc = checks_compare(&l, x, i, e);
        rc = keep_list(out, x->ranks[i].rank, &l, rc, e);
    }
    ending_free(x);
    return rc == OK ? peers_keep(s, out, e) : rc;
}

int checks_keep(struct store *s, struct sink *out, const struct unit *u, struct err *e)
{
    for (size_t i = 0; i < u->info.n_ranks; i++)
        if (keep_rank(s, out, u->info.ranks[i].rank, e))
            return e->code;
    return checks_keep_job(s, out, e);
}

bool checks_are_kept(struct store *s)
{
    return store_meta_is(s, "checked", "1");
}

int checks_load(struct finding_list *out, struct store *s, int rank, struct err *e)
{
    struct query *q = NULL;
    int rc;

    if (store_query(s, &q,
                    "SELECT rule, text, filter, step, form, args FROM finding WHERE rank = :rank ORDER BY id",
                    e))
        return e->code;
    query_bind_int(q, ":rank", rank);
    while ((rc = query_step(q, e)) == 1) {
        const struct check *c = check_of(query_str(q, 0));
        struct triage_finding *f = c && c->kind == CHECK_FACTS ? add(out, c, e) : NULL;
        if (e->code)
            break;
        if (!f)
            continue;
        str_copy_cut(query_str(q, 1), f->text, sizeof f->text);
        f->form = (int)query_int(q, 4);
        str_copy_cut(query_str(q, 5), f->args, sizeof f->args);
        if (!tr_is_english())
            say(f, c, true, f->text, sizeof f->text);
        if (!query_null(q, 2))
            take_filter(f, query_str(q, 2));
        if (!query_null(q, 3))
            f->step = query_int(q, 3);
    }
    query_free(q);
    return e->code;
}

static int severity_rank(const char *s)
{
    return strcmp(s, "ERROR") == 0 ? 0 : strcmp(s, "WARN") == 0 ? 1 : 2;
}

static int finding_cmp(const void *a, const void *b)
{
    const struct triage_finding *x = a, *y = b;
    int d = severity_rank(x->severity) - severity_rank(y->severity);

    if (d)
        return d;
    d = strcmp(x->rule, y->rule);
    return d ? d : strcmp(x->text, y->text);
}

void checks_sort(struct finding_list *l)
{
    if (l->n)
        qsort(l->v, l->n, sizeof *l->v, finding_cmp);
}
