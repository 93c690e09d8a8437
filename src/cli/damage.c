/* SPDX-License-Identifier: Apache-2.0 */
/* Damaged inputs of what was printed: said on standard error, and the exit status. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "cli/cmd/cmd.h"
#include "cli/open.h"

/* Inputs that the result rests on. */
struct basis {
    unsigned panes;  /* files that feed one of these */
    bool all;        /* also those whose rows came from another file: the status is of every input */
    bool statements; /* instead of panes: the tables that statements read */
};

static const char damaged_files[] =
    "SELECT id, state, path, ifnull(note, '') || CASE WHEN used LIKE 'no (%' THEN '; ' || "
    "substr(used, 5, length(used) - 5) || ', read instead' ELSE '' END, ifnull(used, 'yes') LIKE "
    "'yes%', ifnull(rows, 0), table_name FROM source WHERE state IN ('TORN', 'LIMIT', 'BAD') ORDER BY id";

/* ---- statements ---- */

/* Tables about files and the store: damage is their subject. */
static bool is_about_files(enum table_id t)
{
    return t == T_meta || t == T_source || t == T_note || t == T_rank;
}

static bool has_rows_of(struct store *s, const char *table, int64_t source)
{
    char sql[100];

    snprintf(sql, sizeof sql, "SELECT 1 FROM %s WHERE source_id = :id LIMIT 1", table);
    return store_int(s, 0, sql, ":id", source, NULL) == 1;
}

/* Tables that hold rows of other tables' sources. */
static const struct {
    const char *read, *rows_of;
} indirect[] = {
    { "event", "track" }, { "flow", "track" }, { "counter_sample", "track" }, { "op_counter", "op_exec" }
};

/* Rows of the file are in a table that was read. */
static bool rows_were_read(struct store *s, int64_t source)
{
    for (size_t t = 0; t < N_TABLES; t++)
        if (!is_about_files((enum table_id)t) && store_was_read(s, schema_tables[t].name) &&
            schema_find_column(&schema_tables[t], "source_id") != SIZE_MAX &&
            has_rows_of(s, schema_tables[t].name, source))
            return true;
    for (size_t i = 0; i < ARRAY_LEN(indirect); i++)
        if (store_was_read(s, indirect[i].read) && has_rows_of(s, indirect[i].rows_of, source))
            return true;
    return false;
}

/* Panes whose views are of the tables that were read: what a file without a row would have fed. */
static unsigned panes_read(struct store *s)
{
    unsigned panes = 0;

    for (size_t i = 0; i < view_n_defs; i++)
        for (size_t t = 0; t < N_TABLES; t++)
            if (!is_about_files((enum table_id)t) && store_was_read(s, schema_tables[t].name) &&
                view_def_reads(view_defs[i], schema_tables[t].name))
                panes |= PANE_BIT(view_defs[i]->pane);
    if (store_was_read(s, "event") || store_was_read(s, "flow"))
        panes |= PANE_BIT(PANE_TIME);
    return panes;
}

static bool statements_rest_on(struct store *s, const struct query *q, unsigned feeds)
{
    struct str own = query_str(q, 6);
    char name[64];

    if (store_was_read(s, "finding") || store_was_read(s, "rank_total"))
        return true; /* made of everything */
    if (own.n && store_was_read(s, str_copy(own, name, sizeof name)))
        return true;
    return query_int(q, 5) ? rows_were_read(s, query_int(q, 0)) : (feeds & panes_read(s)) != 0;
}

/* ---- units ---- */

/* A folder that was not read may hold anything. */
static unsigned feeds_of(const struct unit *u, int64_t source)
{
    for (size_t i = 0; i < u->n_files; i++)
        if (u->files[i]->id == source)
            return str_ends(str_of(u->files[i]->rel), STR("/")) ? ~0u : u->files[i]->kind->panes;
    return 0;
}

/* Tables whose rows are marked (doc/store.md#marks), and the panes that show them. */
static const struct {
    const char *table;
    unsigned panes;
} marked[] = {
    { "op_exec", PANE_BIT(PANE_OPS) | PANE_BIT(PANE_FLOPS) },
    { "op_counter", PANE_BIT(PANE_OPS) },
    { "op_launch", PANE_BIT(PANE_OPS) },
    { "comm_exec", PANE_BIT(PANE_COMM) },
    { "step", PANE_BIT(PANE_STEPS) },
    { "step_part", PANE_BIT(PANE_STEPS) },
    { "aicpu_exec", PANE_BIT(PANE_HOST) },
    { "track", PANE_BIT(PANE_TIME) },
    { "event", PANE_BIT(PANE_TIME) },
};

static void check_marks(struct cli *c, struct store *s, const struct basis *b, unsigned *said)
{
    struct err e = ERR_INIT;
    struct query *q = NULL;
    bool rests = false;

    for (size_t i = 0; i < ARRAY_LEN(marked) && !rests; i++)
        rests = b->statements ? store_was_read(s, marked[i].table) : (marked[i].panes & b->panes) != 0;
    if (!rests || store_query(s, &q, "SELECT text FROM note WHERE code = 'MARKED' ORDER BY rowid", &e))
        return;
    while (query_step(q, &e) == 1) {
        struct str text = query_str(q, 0);
        c->status = ST_DAMAGED;
        if (++*said <= TOLD_MAX && !opt_is(&c->opts, OPT_QUIET))
            log_message("%.*s", (int)text.n, text.p);
    }
    query_free(q);
}

static void check_unit(struct cli *c, size_t unit, const struct basis *b, unsigned *said)
{
    struct store *s = session_store(c->session, unit);
    struct err e = ERR_INIT;
    struct query *q = NULL;

    if (!s || store_query(s, &q, damaged_files, &e))
        return;
    while (query_step(q, &e) == 1) {
        unsigned feeds = feeds_of(session_job(c->session)->units[unit], query_int(q, 0));
        if (b->statements ? !statements_rest_on(s, q, feeds) : !(feeds & b->panes))
            continue;
        if (b->all || query_int(q, 4))
            c->status = ST_DAMAGED;
        if (++*said > TOLD_MAX || opt_is(&c->opts, OPT_QUIET))
            continue;
        struct str path = query_str(q, 2), note = query_str(q, 3);
        log_message("%.*s is %s: %.*s", (int)path.n, path.p, query_str(q, 1).p, (int)note.n,
                    note.p ? note.p : "");
    }
    query_free(q);
    check_marks(c, s, b, said);
}

static void check(struct cli *c, const struct basis *b)
{
    unsigned said = 0;

    for (size_t i = 0; i < c->n_ranks; i++) {
        size_t unit = session_rank(c->session, c->ranks[i])->unit, k = 0;
        while (session_rank(c->session, c->ranks[k])->unit != unit)
            k++;
        if (k == i)
            check_unit(c, unit, b, &said);
    }
    if (said > TOLD_MAX && !opt_is(&c->opts, OPT_QUIET))
        log_message("and %u more files are damaged, cut or above a limit: npuscope files lists them",
                    said - TOLD_MAX);
}

void cmd_check_damage(struct cli *c, unsigned panes, bool all)
{
    check(c, &(struct basis){ .panes = panes, .all = all });
}

void cmd_check_read(struct cli *c)
{
    check(c, &(struct basis){ .statements = true });
}
