/* SPDX-License-Identifier: Apache-2.0 */
/* The overview of a job: rows of its units' stores side by side. */
#include "config.h"

#include "import/overview.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "run/state.h"
#include "store/fill/fill.h"

#define LARGE_JOB_B ((uint64_t)4 << 30) /* it takes too long to read more than is needed */

static const enum table_id copied[] = { T_step,    T_rank_total, T_rank_comm,    T_rank_link,
                                        T_rank_op, T_finding,    T_last_activity };

/*
 * Views over the ranks of a job ask for the rows of one rank after the other, and so does the next overview
 * that is made of this one: without these, each of 1 000 ranks is looked for in the rows of 1 000.
 */
static const struct schema_index by_rank[] = {
    { "job_unit", "unit", "rank" },           { "job_rank_total", "rank_total", "rank" },
    { "job_rank_late", "rank_late", "rank" }, { "job_rank_comm", "rank_comm", "rank" },
    { "job_rank_link", "rank_link", "rank" }, { "job_rank_op", "rank_op", "rank" },
    { "job_finding", "finding", "rank" },
};

/* ---- units and paths ---- */

bool overview_possible(const struct job *j)
{
    size_t ranks = 0;

    for (size_t u = 0; u < j->n_units; u++)
        ranks += j->units[u]->info.n_ranks;
    for (size_t u = 0; u < j->n_units; u++)
        for (size_t i = 0; i < j->units[u]->info.n_ranks; i++)
            for (size_t v = u + 1; v < j->n_units; v++)
                for (size_t k = 0; k < j->units[v]->info.n_ranks; k++)
                    if (j->units[u]->info.ranks[i].rank == j->units[v]->info.ranks[k].rank)
                        return false;
    return ranks > 1;
}

unsigned overview_panes(const struct job *j)
{
    uint64_t bytes = 0;

    for (size_t u = 0; u < j->n_units; u++)
        bytes = j->units[u]->bytes < LARGE_JOB_B - bytes ? bytes + j->units[u]->bytes : LARGE_JOB_B;
    return bytes < LARGE_JOB_B ? OVERVIEW_PANES | PANE_BIT(PANE_OPS) | PANE_BIT(PANE_MEM) : OVERVIEW_PANES;
}

int overview_path(const struct job *j, char *buf, size_t n, struct err *e)
{
    char root[1100];

    /* The job's folder may be a unit's as well: no folder has this name. */
    if ((size_t)snprintf(root, sizeof root, "%s\001ranks", j->path) >= sizeof root)
        return err_set(e, ERR_LIMIT, "the path is too long");
    return store_cache_path(root, buf, n, e);
}

bool overview_has(struct store *overview, const struct unit *u, const char *key)
{
    bool has = true;

    for (size_t i = 0; has && i < u->info.n_ranks; i++) {
        struct err ignored = ERR_INIT;
        struct query *q = NULL;
        has = false;
        if (store_query(overview, &q,
                        "SELECT 1 FROM unit WHERE rank = :rank AND path = :path AND input_key = "
                        ":key AND read",
                        &ignored))
            break;
        query_bind_int(q, ":rank", u->info.ranks[i].rank);
        query_bind_text(q, ":path", str_of(u->shown));
        query_bind_text(q, ":key", str_of(key));
        has = query_step(q, &ignored) == 1;
        query_free(q);
    }
    return has;
}

/* ---- copying ---- */

/* Numbers of rows and files mean nothing beyond their own store. */
static bool stays_out(const struct schema_column *c)
{
    return c->type == CT_ID || strcmp(c->name, "source_id") == 0;
}

static void select_of(const struct schema_table *t, struct buf *sql)
{
    buf_puts(sql, "SELECT ");
    for (size_t i = 0; i < t->n_cols; i++) {
        const char *sep = i ? ", " : "";
        if (stays_out(&t->cols[i]))
            buf_printf(sql, "%sNULL", sep);
        else if (t->cols[i].type == CT_STR)
            buf_printf(sql, "%s(SELECT text FROM string WHERE id = %s)", sep, t->cols[i].name);
        else
            buf_printf(sql, "%s\"%s\"", sep, t->cols[i].name);
    }
    buf_printf(sql, " FROM %s WHERE rank = :rank ORDER BY rowid", t->name);
}

/* Instants are absolute in a sink, texts are numbers. */
static void take_row(const struct schema_table *t, struct query *q, int64_t origin_ns, struct sink *out,
                     struct val *v)
{
    for (size_t i = 0; i < t->n_cols; i++) {
        v[i] = query_val(q, i);
        if (t->cols[i].type == CT_TS && v[i].t == VAL_INT)
            v[i].i += origin_ns;
        else if (t->cols[i].type == CT_STR && v[i].t == VAL_TEXT)
            v[i] = val_int(sink_intern(out, v[i].s));
    }
}

static int copy_table(struct fill *f, struct store *from, enum table_id id, int rank, int64_t origin_ns,
                      struct err *e)
{
    const struct schema_table *t = &schema_tables[id];
    struct val v[64];
    struct query *q = NULL;
    struct buf sql;

    if (t->n_cols > ARRAY_LEN(v))
        return err_set(e, ERR_BUG, "table %s has too many columns", t->name);
    buf_init(&sql, 8192);
    select_of(t, &sql);
    int rc = buf_failed(&sql) ? err_nomem(e) : store_query(from, &q, sql.p, e);
    buf_done(&sql);
    if (rc)
        return rc;
    query_bind_int(q, ":rank", rank);
    while (query_step(q, e) == 1) {
        take_row(t, q, origin_ns, fill_sink(f), v);
        if (sink_row(fill_sink(f), id, v, t->n_cols, NULL, e))
            break;
    }
    query_free(q);
    return e->code;
}

static int copy_rank(struct fill *f, struct store *from, const struct run_rank *r, struct err *e)
{
    int64_t origin = 0, first, last;
    bool is_unix = false;

    (void)store_rank_clock(from, r->rank, &origin, &first, &last, &is_unix);
    if (fill_rank(f, r->rank, r->known, r->device, NULL, is_unix ? "unix" : "relative", origin, e))
        return e->code;
    for (size_t i = 0; i < ARRAY_LEN(copied); i++)
        if (copy_table(f, from, copied[i], r->rank, origin, e))
            break;
    return e->code;
}

/* ---- making ---- */

static int put_unit(struct fill *f, const struct overview_part *p, const struct run_rank *r,
                    const char *state, bool read, struct err *e)
{
    const struct unit *u = p->unit;
    struct val v[N_COLS(unit)] = {
        [COL(unit, path)] = val_cstr(u->shown),
        [COL(unit, rank)] = val_int(r->rank),
        [COL(unit, device)] = r->device >= 0 ? val_int(r->device) : val_null(),
        [COL(unit, window)] = u->window ? val_cstr(u->window) : val_null(),
        [COL(unit, state)] = val_cstr(state),
        [COL(unit, files)] = val_int((int64_t)unit_count_files(u)),
        [COL(unit, size_b)] = val_int((int64_t)u->bytes),
        [COL(unit, read)] = val_int(read),
        [COL(unit, store_path)] = p->store_path ? val_cstr(p->store_path) : val_null(),
        [COL(unit, input_key)] = val_cstr(p->key),
    };

    return sink_row(fill_sink(f), T_unit, v, N_COLS(unit), NULL, e);
}

static int add_part(struct fill *f, const struct overview_part *p, struct store *older, int64_t now_ns,
                    struct err *e)
{
    struct store *from = p->store ? p->store : older;
    struct run_verdict v;

    if (!p->store && older && !overview_has(older, p->unit, p->key))
        from = NULL;
    for (size_t i = 0; i < p->unit->info.n_ranks; i++) {
        const struct run_rank *r = &p->unit->info.ranks[i];
        run_state_of(p->unit, r->rank, now_ns, &v);
        if (put_unit(f, p, r, run_state_word(v.state), from != NULL, e) || (from && copy_rank(f, from, r, e)))
            break;
    }
    return e->code;
}

/* What a unit found between its own ranks is found anew between all. */
static int compare(struct fill *f, overview_after_fn *after, struct err *e)
{
    struct store *r = after ? fill_reader(f, e) : NULL;

    if (!after)
        return OK;
    if (!r || fill_begin(f, 0, e))
        return e->code;
    int rc = fill_update(f, "DELETE FROM finding WHERE rule LIKE 'CLU-%'", NULL, 0, e);
    if (rc == OK)
        rc = after(r, fill_sink(f), e);
    return fill_close(f, rc, e);
}

int overview_make(const char *path, const struct job *j, const struct overview_part *parts, size_t n,
                  struct store *older, int64_t now_ns, overview_after_fn *after, struct err *e)
{
    const struct fill_opts o = { .path = path, .more = by_rank, .n_more = ARRAY_LEN(by_rank) };
    struct fill *f = NULL;

    if (fill_open(&f, &o, e) || fill_begin(f, 0, e)) {
        fill_abort(f);
        return e->code;
    }
    for (size_t i = 0; i < n && !e->code; i++)
        if (add_part(f, &parts[i], older, now_ns, e))
            break;
    if (fill_close(f, e->code, e) || compare(f, after, e) || fill_meta(f, "root", j->shown, e) ||
        fill_finish(f, "overview", e)) {
        fill_abort(f);
        return e->code;
    }
    return fill_publish(f, e);
}
