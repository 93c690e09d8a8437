/* SPDX-License-Identifier: Apache-2.0 */
/* Totals of each rank. */
#include "config.h"

#include "import/derived/totals.h"

#include <stdlib.h>

#include "base/bounded.h"
#include "base/grow.h"
#include "base/str.h"

/* Sum of a column over the steps; without steps, the sum of a row of the trace's overlap analysis. */
#define STEPS_OR_TRACE(column, row)                                                                          \
    "SELECT ifnull((SELECT sum(" column ") FROM step WHERE rank = :rank), (SELECT "                          \
    "sum(t.dur_sum_ns) FROM track t JOIN string n ON n.id = t.name_id WHERE t.rank = :rank AND "             \
    "t.kind = 'overlap' AND n.text = '" row "'))"

/* The peak of a graph's plan, else of a pool, else of the process; what the Memory pane draws as a curve. */
#define OF_PROCESS STORE_IS_PROCESS("m")
#define PEAKS(column)                                                                                        \
    "SELECT " column " FROM (SELECT 1 AS nth, 'alive' AS quantity, max(peak_b) AS b FROM mem_total "         \
    "WHERE rank = :rank UNION ALL SELECT 2, 'reserved', max(reserved_b) FROM mem_sample m WHERE "            \
    "rank = :rank AND NOT " OF_PROCESS " UNION ALL SELECT 3, 'process', max(reserved_b) FROM "               \
    "mem_sample m WHERE rank = :rank AND " OF_PROCESS ") WHERE b IS NOT NULL ORDER BY nth LIMIT 1"

/* Waiting of a rank per step, of the steps that means of the rank are of (doc/glossary.md#communication). */
#define FIRST_IS_OUT                                                                                         \
    " AND (step > (SELECT min(step) FROM step WHERE rank = :rank) OR (SELECT count(step) FROM step "         \
    "WHERE rank = :rank) = 1)"
#define STEP_WAIT(more)                                                                                      \
    "SELECT CAST(avg(w) AS INTEGER) FROM (SELECT sum(wait_ns) AS w FROM comm_exec WHERE rank = :rank "       \
    "AND step IS NOT NULL AND (step IN (SELECT step FROM step WHERE rank = :rank AND complete IS NOT "       \
    "0" more ") OR NOT EXISTS (SELECT 1 FROM step WHERE rank = :rank AND step "                              \
    "IS NOT NULL)) GROUP BY step)"

struct total {
    size_t col;
    unsigned panes; /* it needs all files that feed these */
    const char *sql;
};

static const struct total totals[] = {
    { COL(rank_total, compute_ns), PANE_BIT(PANE_STEPS), STEPS_OR_TRACE("computing_ns", "Computing") },
    { COL(rank_total, comm_ns), PANE_BIT(PANE_STEPS), STEPS_OR_TRACE("communication_ns", "Communication") },
    { COL(rank_total, comm_alone_ns), PANE_BIT(PANE_STEPS),
      STEPS_OR_TRACE("comm_not_overlapped_ns", "Communication(Not Overlapped)") },
    { COL(rank_total, idle_ns), PANE_BIT(PANE_STEPS), STEPS_OR_TRACE("free_ns", "Free") },
    { COL(rank_total, wait_ns), PANE_BIT(PANE_COMM),
      "SELECT sum(wait_ns) FROM comm_exec WHERE rank = :rank" },
    { COL(rank_total, step_wait_ns), PANE_BIT(PANE_COMM), STEP_WAIT(FIRST_IS_OUT) },
    { COL(rank_total, step_wait_all_ns), PANE_BIT(PANE_COMM), STEP_WAIT("") },
    { COL(rank_total, flops), PANE_BIT(PANE_FLOPS),
      "SELECT sum(flops) FROM flops_total WHERE rank = :rank "
      "AND step IS NULL AND kind IN ('all', 'cube', 'vector')" },
    /* a use is rounded: the largest gives it best */
    { COL(rank_total, peak_flops_per_s), PANE_BIT(PANE_FLOPS),
      "SELECT flops_per_s / utilisation FROM op_flops WHERE rank = :rank AND flops_per_s > 0 AND utilisation "
      "> 0 ORDER BY utilisation DESC LIMIT 1" },
    { COL(rank_total, peak_mem_b), PANE_BIT(PANE_MEM), PEAKS("b") },
    { COL(rank_total, peak_mem_of), PANE_BIT(PANE_MEM), PEAKS("quantity") },
    { COL(rank_total, capacity_b), PANE_BIT(PANE_MEM),
      "SELECT max(capacity_b) FROM mem_total WHERE rank = :rank" },
    { COL(rank_total, events), PANE_BIT(PANE_TIME),
      "SELECT ifnull(sum(n), 0) FROM track WHERE rank = :rank "
      "AND kind NOT IN ('flow', 'counter')" },
    { COL(rank_total, ops), PANE_BIT(PANE_OPS), "SELECT count(*) FROM op_exec WHERE rank = :rank" },
    { COL(rank_total, notes), 0,
      "SELECT ifnull(sum(n.count), 0) FROM note n JOIN source f ON f.id = n.source_id WHERE (f.rank IS NULL "
      "OR f.rank = :rank) AND n.severity <> 'INFO'" },
};

/* A text, of which there is one among the totals, is copied to text[TEXT_MAX]. */
#define TEXT_MAX 16
static int total_of(struct store *r, int rank, const struct total *t, char *text, struct val *out,
                    struct err *e)
{
    struct query *q = NULL;

    if (store_query(r, &q, t->sql, e))
        return e->code;
    query_bind_int(q, ":rank", rank);
    if (query_step(q, e) == 1)
        *out = query_val(q, 0);
    if (out->t == VAL_TEXT)
        *out = val_cstr(str_copy(out->s, text, TEXT_MAX));
    query_free(q);
    return e->code;
}

/* FLOPs and time of one execution of each op, as in pane FLOPs. CROSS JOIN: rows of f find their ops. */
#define ONCE_SQL                                                                                             \
    "SELECT nullif(sum(flops), 0), CASE WHEN count(*) FILTER (WHERE flops > 0 AND ns IS NULL) = 0 THEN "     \
    "sum(ns) END "                                                                                           \
    "FROM (SELECT avg(ifnull(f.cube_flops, 0) + ifnull(f.vector_flops, 0)) AS flops, avg(x.dur_ns) AS ns "   \
    "FROM op_flops f CROSS JOIN op_exec x ON x.id = f.exec_id WHERE f.rank = :rank AND NOT EXISTS (SELECT "  \
    "1 FROM flops_total t WHERE t.rank = :rank) GROUP BY x.op_id)"

/* Two values at once: executions may be many. */
static int once_of(struct store *r, int rank, struct val v[], struct err *e)
{
    struct query *q = NULL;

    if (store_query(r, &q, ONCE_SQL, e))
        return e->code;
    query_bind_int(q, ":rank", rank);
    if (query_step(q, e) == 1) {
        v[COL(rank_total, once_flops)] = query_val(q, 0);
        v[COL(rank_total, once_ns)] = query_val(q, 1);
    }
    query_free(q);
    return e->code;
}

static int write_rank(struct fill *f, struct store *r, int rank, unsigned unread, struct err *e)
{
    struct val v[N_COLS(rank_total)] = { [COL(rank_total, rank)] = val_int(rank) };
    char text[TEXT_MAX];

    for (size_t i = 0; i < ARRAY_LEN(totals); i++)
        if (!(totals[i].panes & unread) && total_of(r, rank, &totals[i], text, &v[totals[i].col], e))
            return e->code;
    if (!(unread & (PANE_BIT(PANE_FLOPS) | PANE_BIT(PANE_OPS))) && once_of(r, rank, v, e))
        return e->code;
    return sink_row(fill_sink(f), T_rank_total, v, N_COLS(rank_total), NULL, e);
}

/* Kept of each rank's ops and op types, the longest. */
#define TOP_OPS "32"
/* What occupies the AI Cores: communication waits for others, host and AI CPU run beside them. */
#define ON_DEVICE(core) "ifnull(" core ", '') NOT IN ('HCCL', 'HOST', 'CPU', 'AICPU')"

/*
 * What took most of the device's time, by op, by type and in all. Executions are grouped once, op by op
 * (write_ops()). Where there are none, statistics of the profiler count.
 */
static const char *const made_ops[] = {
    "INSERT INTO rank_op SELECT rank, 'op', name_id, type_id, calls, CAST(total_ns AS INTEGER), core FROM "
    "op_stat WHERE by = 'op' AND per = 'run' AND total_ns IS NOT NULL AND " ON_DEVICE(
        "core") " AND rank NOT IN (SELECT rank FROM rank_op)",
    "INSERT INTO rank_op SELECT rank, 'type', NULL, type_id, calls, total_ns, core FROM (SELECT rank, "
    "type_id, sum(calls) AS calls, sum(total_ns) AS total_ns, core, max(total_ns) FROM "
    "rank_op " /* core: of the longest */
    "WHERE type_id IS NOT NULL GROUP BY rank, type_id)",
    "INSERT INTO rank_op SELECT rank, 'type', NULL, ifnull(type_id, name_id), calls, CAST(total_ns AS "
    "INTEGER), core FROM op_stat WHERE by = 'type' AND per = 'run' AND total_ns IS NOT NULL AND " ON_DEVICE(
        "core") " AND rank NOT IN (SELECT rank FROM rank_op WHERE by = 'type')",
    "INSERT INTO rank_op SELECT rank, 'all', NULL, NULL, sum(calls), sum(total_ns), NULL FROM rank_op WHERE "
    "by = 'type' GROUP BY rank",
    "DELETE FROM rank_op WHERE rowid IN (SELECT id FROM (SELECT rowid AS id, row_number() OVER (PARTITION BY "
    "rank, \"by\" ORDER BY total_ns DESC, rowid) AS k FROM rank_op) WHERE k > " TOP_OPS ")",
};

/* Tables made by statements alone; they need all files that feed the Comm pane. */
static const char *const made[] = {
    "DELETE FROM rank_comm",
    "DELETE FROM rank_link",
    "INSERT INTO rank_comm SELECT rank, group_id, type_id, count(*), sum(dur_ns), sum(wait_ns) "
    "FROM comm_exec GROUP BY 1, 2, 3",
    "INSERT INTO rank_comm SELECT rank, NULL, type_id, sum(calls), CAST(sum(total_ns) AS INTEGER), "
    "CAST(sum(wait_ns) AS INTEGER) FROM comm_stat "
    "WHERE rank NOT IN (SELECT rank FROM comm_exec) GROUP BY 1, 3",
    /* where a rank has totals, its single ops would count twice */
    "INSERT INTO rank_link SELECT rank, from_rank, to_rank, transport, sum(size_b), sum(time_ns) "
    "FROM comm_link l WHERE from_rank IS NOT NULL AND to_rank IS NOT NULL "
    "AND (stat = 'total' OR rank NOT IN (SELECT rank FROM comm_link WHERE stat = 'total')) GROUP "
    "BY 1, 2, 3, 4",
};

/* ---- executions by op ---- */

#define UNKNOWN INT64_MIN /* NULL, which sorts before all numbers */

struct op_sum {
    int64_t rank, op, calls, total;
    double fraction; /* of durations that are no whole numbers: they come on top of total */
    bool timed;      /* a duration is known */
};
/* Executions summed without sorting them, as GROUP BY would. */
struct op_sums {
    struct intern *ids; /* rank and op: the id is the index in v */
    struct op_sum *v;
    size_t n, cap;
};

static struct op_sum *sum_of(struct op_sums *s, int64_t rank, int64_t op)
{
    const int64_t key[2] = { rank, op };
    const uint32_t id = intern_put(s->ids, (struct str){ (const char *)key, sizeof key });

    if (id == INTERN_NONE)
        return NULL;
    if (id == s->n) {
        struct op_sum *v = grow_array(s->v, s->n, &s->cap, sizeof *v, 256);
        if (!v)
            return NULL;
        s->v = v;
        v[s->n++] = (struct op_sum){ .rank = rank, .op = op };
    }
    return &s->v[id];
}

static int add_exec(void *arg, const struct query *q, struct err *e)
{
    struct op_sum *x = sum_of(arg, query_null(q, 0) ? UNKNOWN : query_int(q, 0), query_int(q, 1));

    if (!x)
        return err_nomem(e);
    x->calls++;
    if (query_null(q, 2))
        return OK;
    const struct val v = query_val(q, 2);
    x->timed = true;
    if (v.t == VAL_REAL)
        x->fraction += v.r;
    else
        x->total = bounded_add(x->total, query_int(q, 2));
    return OK;
}

static int cmp_sum(const void *a, const void *b)
{
    const struct op_sum *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

static int put_sum(struct fill *f, const struct op_sum *x, struct err *e)
{
    const struct val v[] = {
        x->rank == UNKNOWN ? val_null() : val_int(x->rank),
        val_int(x->op),
        val_int(x->calls),
        !x->timed            ? val_null()
        : x->fraction != 0.0 ? val_real((double)x->total + x->fraction)
                             : val_int(x->total),
    };

    return fill_update(
        f,
        "INSERT INTO rank_op SELECT ?1, 'op', name_id, type_id, ?3, ?4, core FROM op WHERE id = ?2 "
        "AND " ON_DEVICE("core"),
        v, ARRAY_LEN(v), e);
}

static int write_ops(struct fill *f, struct err *e)
{
    struct op_sums s = { .n = 0 };

    if (intern_new(&s.ids, e) == OK && fill_update(f, "DELETE FROM rank_op", NULL, 0, e) == OK)
        (void)!fill_each(f, "SELECT rank, op_id, dur_ns FROM op_exec NOT INDEXED WHERE op_id IS NOT NULL",
                         add_exec, &s, e);
    if (s.n)
        qsort(s.v, s.n, sizeof *s.v, cmp_sum);
    for (size_t i = 0; i < s.n && !e->code; i++)
        (void)!put_sum(f, &s.v[i], e);
    intern_free(s.ids);
    free(s.v);
    return e->code;
}

/* ---- all ---- */

static int run_all(struct fill *f, const char *const *sql, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++)
        if (fill_update(f, sql[i], NULL, 0, e))
            break;
    return e->code;
}

static int write_made(struct fill *f, unsigned unread, struct err *e)
{
    if (!(unread & PANE_BIT(PANE_COMM)) && run_all(f, made, ARRAY_LEN(made), e))
        return e->code;
    if (unread & PANE_BIT(PANE_OPS))
        return OK;
    return write_ops(f, e) ? e->code : run_all(f, made_ops, ARRAY_LEN(made_ops), e);
}

int totals_write(struct fill *f, const struct unit *u, unsigned unread, struct err *e)
{
    struct store *r = fill_reader(f, e);

    if (!r || fill_begin(f, 0, e))
        return e->code;
    int rc = fill_update(f, "DELETE FROM rank_total", NULL, 0, e);
    for (size_t i = 0; rc == OK && i < u->info.n_ranks; i++)
        rc = write_rank(f, r, u->info.ranks[i].rank, unread, e);
    if (rc == OK)
        rc = write_made(f, unread, e);
    return fill_close(f, rc, e);
}
