/* The table of checks. Each statement gives rows (text, filter or NULL, gain or NULL); no row: nothing found. */
#include "config.h"

#include "analysis/checks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct check {
    const char *rule, *severity;
    enum pane_id go;
    const char *sql;      /* :rank */
    const char *evidence; /* rows behind it */
};

/* Executions grouped as op_statistic does it (outputs.md 15, link 1), joined to it. */
#define STAT_JOIN                                                                                  \
    "FROM op_stat s LEFT JOIN (SELECT o.type_id AS type_id, o.core AS core, count(*) AS n, "       \
    "sum(e.dur_ns) AS total FROM op_exec e JOIN op o ON o.id = e.op_id "                           \
    "WHERE e.rank = :rank GROUP BY 1, 2) g ON g.type_id = s.type_id AND g.core IS s.core WHERE "   \
    "s.by = 'type' AND s.per = 'run' AND s.rank = :rank "                                          \
    "AND EXISTS (SELECT 1 FROM op_exec e JOIN op o ON o.id = e.op_id WHERE e.rank = :rank AND "    \
    "o.type_id IS NOT NULL)"
#define STAT_DIFFERS "(g.n IS NOT s.calls OR abs(g.total - s.total_ns) > s.calls * 1.5)"
/* Sum of durations of an overlap row of the trace. */
#define OVERLAP(name)                                                                              \
    "(SELECT sum(t.dur_sum_ns) FROM track t JOIN string n ON n.id = t.name_id WHERE t.rank = "     \
    ":rank AND t.kind = 'overlap' AND n.text = '" name "')"

/* clang-format off */
static const struct check checks[] = {
    { "FIL-01", "ERROR", PANE_FILES,
      "SELECT path || ': ' || state || ifnull(', ' || note, ''), 'state=' || state FROM source WHERE state IN ('BAD', 'NEWER') AND (rank IS NULL OR rank = :rank) LIMIT 20",
      "SELECT path, state, note FROM source WHERE state IN ('BAD', 'NEWER')" },
    { "FIL-02", "WARN", PANE_FILES,
      "SELECT path || ': ' || state || ifnull(', ' || note, ''), 'state=' || state FROM source WHERE state IN ('TORN', 'EMPTY') AND (rank IS NULL OR rank = :rank) LIMIT 20",
      "SELECT path, state, rows, lost, note FROM source WHERE state IN ('TORN', 'EMPTY')" },
    { "FIL-03", "WARN", PANE_FILES,
      "SELECT path || ' is missing' || ifnull(': ' || note, ''), 'state=ABSENT' FROM source WHERE state = 'ABSENT' AND (rank IS NULL OR rank = :rank) LIMIT 20",
      "SELECT path, note FROM source WHERE state = 'ABSENT'" },
    { "FIL-04", "INFO", PANE_FILES,
      "SELECT count(*) || CASE count(*) WHEN 1 THEN ' kind' ELSE ' kinds' END || ' of data not collected: ' || group_concat(kind, ', '), 'state=OFF' FROM (SELECT DISTINCT kind FROM source WHERE state = 'OFF' "
      "AND (rank IS NULL OR rank = :rank)) HAVING count(*) > 0",
      "SELECT path, note FROM source WHERE state = 'OFF'" },
    { "FIL-05", "INFO", PANE_FILES,
      "SELECT f.path || ': ' || n.text || CASE WHEN n.count > 1 THEN ' (' || n.count || ' times)' ELSE '' END, NULL FROM note n JOIN source f ON f.id = n.source_id "
      "WHERE f.state NOT IN ('BAD', 'TORN', 'NEWER', 'EMPTY') AND n.severity <> 'INFO' AND (f.rank IS NULL OR f.rank = :rank) LIMIT 10",
      "SELECT f.path, n.code, n.line, n.text FROM note n JOIN source f ON f.id = n.source_id" },
    { "CON-01", "WARN", PANE_OPS,
      "SELECT d || ' of ' || n || ' op types differ between the executions and the op statistics', NULL FROM (SELECT count(*) AS n, sum(" STAT_DIFFERS ") AS d " STAT_JOIN ") WHERE d > 0",
      "SELECT (SELECT text FROM string WHERE id = s.type_id) AS type, s.core, s.calls, g.n, s.total_ns, g.total " STAT_JOIN " AND " STAT_DIFFERS },
    { "CON-02", "WARN", PANE_OPS,
      "SELECT 'shares of the op statistics add up to ' || round(100 * total, 2) || '%', NULL FROM (SELECT sum(share) AS total FROM op_stat WHERE by = 'type' AND per = 'run' "
      "AND rank = :rank GROUP BY device, source_id) WHERE abs(total - 1) > 0.005 LIMIT 1", NULL },
    { "CON-03", "WARN", PANE_STEPS,
      "SELECT 'step ' || ifnull(step, '-') || ': overlapped is not communication less what is not overlapped', 'step=' || step FROM step WHERE rank = :rank "
      "AND abs(overlapped_ns - (communication_ns - comm_not_overlapped_ns)) > 1000 LIMIT 5", NULL },
    { "CON-04", "WARN", PANE_STEPS,
      "SELECT 'computing of the steps (' || round(a / 1e6, 3) || ' ms) is not that of the trace (' || round(b / 1e6, 3) || ' ms)', NULL FROM (SELECT sum(computing_ns) AS a, "
      OVERLAP("Computing") " AS b, " OVERLAP("Free") " AS c FROM step WHERE rank = :rank) WHERE a IS NOT NULL AND b IS NOT NULL AND abs(a - b) > 1e-6 * b + 1e4", NULL },
    { "CON-05", "WARN", PANE_COMM,
      "SELECT count(*) || ' communication ops whose elapsed time is not transit + wait + idle', NULL FROM comm_exec WHERE rank = :rank "
      "AND abs(dur_ns - (transit_ns + wait_ns + idle_ns)) > 1000 HAVING count(*) > 0", NULL },
    { "CON-06", "WARN", PANE_MEM,
      "SELECT count(*) || ' allocations whose lifetime is not release less allocation', NULL FROM mem_alloc WHERE rank = :rank AND release_ns IS NOT NULL "
      "AND abs(dur_ns - (release_ns - alloc_ns)) > 1000 HAVING count(*) > 0", NULL },
    { "CON-07", "INFO", PANE_HOST,
      "SELECT 'API statistics count ' || a || ' calls, the trace has ' || b, NULL FROM (SELECT (SELECT sum(calls) FROM api_stat WHERE rank = :rank) AS a, (SELECT sum(t.n) FROM track t "
      "JOIN string p ON p.id = t.process_id WHERE t.rank = :rank AND p.text = 'CANN' AND t.kind <> 'flow') AS b) WHERE a <> b", NULL },
    { "STP-00", "INFO", PANE_STEPS,
      "SELECT 'step ' || step || ' took ' || round(total_ns / 1e6, 2) || ' ms, ' || round(total_ns * 1.0 / m, 1) || ' times the median', 'step=' || step FROM (SELECT step, total_ns, "
      "(SELECT total_ns FROM step WHERE rank = :rank AND total_ns IS NOT NULL ORDER BY total_ns LIMIT 1 OFFSET (SELECT count(*) / 2 FROM step WHERE rank = :rank AND total_ns IS NOT NULL)) AS m "
      "FROM step WHERE rank = :rank AND step <> (SELECT min(step) FROM step WHERE rank = :rank)) WHERE total_ns > 1.5 * m ORDER BY total_ns DESC LIMIT 3", NULL },
    { "STP-02", "WARN", PANE_STEPS,
      "SELECT 'step ' || step || ' is cut: the run ended inside it', 'step=' || step FROM step WHERE rank = :rank AND complete = 0 LIMIT 3", NULL },
};
/* clang-format on */

static int add(struct triage *t, const struct check *c, struct query *q, struct err *e)
{
    struct triage_finding *p = realloc(t->findings, (t->n_findings + 1) * sizeof *p);

    if (!p)
        return err_nomem(e);
    t->findings = p;
    p += t->n_findings++;
    *p = (struct triage_finding){ .gain = NAN, .go = c->go, .sql = c->evidence };
    snprintf(p->severity, sizeof p->severity, "%s", c->severity);
    snprintf(p->rule, sizeof p->rule, "%s", c->rule);
    str_copy(query_str(q, 0), p->text, sizeof p->text);
    if (query_columns(q) > 1 && !query_null(q, 1))
        str_copy(query_str(q, 1), p->filter, sizeof p->filter);
    return OK;
}

static int run_check(struct triage *t, struct store *s, const struct check *c, struct err *e)
{
    struct query *q = NULL;
    int rc;

    if (store_query(s, &q, c->sql, e))
        return (int)e->code;
    query_bind_int(q, ":rank", t->rank);
    while ((rc = query_step(q, e)) == 1)
        if (!query_null(q, 0) && add(t, c, q, e))
            break;
    query_free(q);
    return (int)e->code;
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

int checks_run(struct triage *t, struct store *s, struct err *e)
{
    for (size_t i = 0; i < ARRAY_LEN(checks); i++)
        if (run_check(t, s, &checks[i], e))
            return (int)e->code;
    if (t->n_findings)
        qsort(t->findings, t->n_findings, sizeof *t->findings, finding_cmp);
    return OK;
}
