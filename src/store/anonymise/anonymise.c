/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of a copy, table by table; texts of table string by where they are used. */
#include "config.h"

#include "store/anonymise/anonymise.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "store/anonymise/columns.h"
#include "store/store_int.h"

#define COPY_PAGES 1024
#define TEXT_MAX   ((size_t)64 << 20)

struct anonymise {
    sqlite3 *db; /* the copy */
    struct aliases *a;
    uint16_t *used; /* by string id: bits 1 << enum text_kind of its uses */
    size_t n_used;
    bool prose; /* the second pass, when all names are known */
    struct buf text;
    struct err *e;
};

/* ---- the copy ---- */

static int copy_pages(struct store *s, sqlite3 *to, struct err *e)
{
    sqlite3_backup *b = sqlite3_backup_init(to, "main", s->db, "main");
    int rc = b ? SQLITE_OK : sqlite3_errcode(to);

    while (rc == SQLITE_OK && !store_stopped(s))
        rc = sqlite3_backup_step(b, COPY_PAGES);
    sqlite3_backup_finish(b);
    if (rc == SQLITE_OK)
        return err_set(e, ERR_CANCELLED, "cancelled");
    return rc == SQLITE_DONE ? OK : db_error(e, to, rc, "cannot copy the store");
}

/* Of another rank than those that are written; the texts of them are all that it has of table string. */
static const enum table_id compared[] = {
    T_meta,       T_rank,      T_source,    T_note,    T_step,
    T_rank_total, T_rank_comm, T_rank_link, T_rank_op, T_last_activity
};

static bool is_compared(enum table_id t)
{
    for (size_t i = 0; i < ARRAY_LEN(compared); i++)
        if (compared[i] == t)
            return true;
    return false;
}

/* The tables of s, without a row. */
static int copy_schema(struct store *s, sqlite3 *to, struct err *e)
{
    sqlite3_stmt *st = NULL;
    int rc = SQLITE_DONE;

    if (db_prepare(
            s->db, &st,
            "SELECT sql FROM sqlite_master WHERE type IN ('table', 'view') AND sql IS NOT NULL AND name "
            "NOT GLOB 'sqlite_*' ORDER BY type",
            e))
        return e->code;
    while (!e->code && (rc = sqlite3_step(st)) == SQLITE_ROW)
        (void)!db_exec(to, (const char *)sqlite3_column_text(st, 0), e);
    if (!e->code && rc != SQLITE_DONE)
        db_error(e, s->db, rc, "cannot read the store");
    sqlite3_finalize(st);
    return e->code;
}

/* Put the rows that a statement over s gives into a table of the copy. */
static int copy_rows(struct store *s, sqlite3 *to, const char *select, const char *table, struct err *e)
{
    sqlite3_stmt *from = NULL, *put = NULL;
    struct buf sql;
    int rc = SQLITE_DONE;

    if (db_prepare(s->db, &from, select, e))
        return e->code;
    buf_init(&sql, 4096);
    buf_printf(&sql, "INSERT INTO %s VALUES (", table);
    for (int i = 0; i < sqlite3_column_count(from); i++)
        buf_puts(&sql, i ? ", ?" : "?");
    buf_puts(&sql, ")");
    (void)!(buf_failed(&sql) ? err_nomem(e) : db_prepare(to, &put, sql.p, e));
    while (!e->code && (rc = sqlite3_step(from)) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(from); i++)
            sqlite3_bind_value(put, i + 1, sqlite3_column_value(from, i));
        if ((rc = sqlite3_step(put)) != SQLITE_DONE)
            db_error(e, to, rc, "cannot copy the store");
        sqlite3_reset(put);
    }
    if (!e->code && rc != SQLITE_DONE)
        db_error(e, s->db, rc, "cannot read the store");
    sqlite3_finalize(from);
    sqlite3_finalize(put);
    buf_done(&sql);
    return e->code;
}

static int copy_compared(struct store *s, sqlite3 *to, struct err *e)
{
    struct buf sql;
    const char * or = "";

    if (db_exec(to, "BEGIN", e) || copy_schema(s, to, e))
        return e->code;
    buf_init(&sql, 8192);
    for (size_t i = 0; i < ARRAY_LEN(compared) && !e->code; i++) {
        buf_clear(&sql);
        buf_printf(&sql, "SELECT * FROM %s", schema_tables[compared[i]].name);
        (void)!(buf_failed(&sql) ? err_nomem(e)
                                 : copy_rows(s, to, sql.p, schema_tables[compared[i]].name, e));
    }
    buf_clear(&sql);
    buf_puts(&sql, "SELECT * FROM string WHERE ");
    for (size_t i = 0; i < ARRAY_LEN(compared); i++)
        for (size_t c = 0; c < schema_tables[compared[i]].n_cols; c++) {
            const struct schema_column *col = &schema_tables[compared[i]].cols[c];
            if (col->type != CT_STR)
                continue;
            buf_printf(&sql, "%sid IN (SELECT %s FROM %s)", or, col->name, schema_tables[compared[i]].name);
            or = " OR ";
        }
    if (!e->code)
        (void)!(buf_failed(&sql) ? err_nomem(e) : copy_rows(s, to, sql.p, "string", e));
    buf_done(&sql);
    return e->code ? e->code : db_exec(to, "COMMIT", e);
}

/* A database without a name lies in a file that only this process knows. */
static int open_copy(struct store *s, enum anonymise_part part, struct store **out, struct err *e)
{
    sqlite3 *db = NULL;
    int rc = sqlite3_open_v2("", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);

    if (rc != SQLITE_OK)
        db_error(e, db, rc, "cannot make a copy of the store");
    if (e->code || (part == ANONYMISE_WHOLE ? copy_pages(s, db, e) : copy_compared(s, db, e))) {
        sqlite3_close(db);
        return e->code;
    }
    return store_from_db(out, db, "", e);
}

/* ---- what a text of table string is used for ---- */

_Static_assert(N_TEXT_KINDS <= 16, "a bit for each kind");

static int room_for_strings(struct anonymise *x, struct err *e)
{
    sqlite3_stmt *st = NULL;

    if (db_prepare(x->db, &st, "SELECT ifnull(max(id), 0) FROM string", e))
        return e->code;
    if (sqlite3_step(st) == SQLITE_ROW)
        x->n_used = (size_t)sqlite3_column_int64(st, 0) + 1;
    sqlite3_finalize(st);
    x->used = x->n_used < UINT32_MAX ? calloc(x->n_used, sizeof *x->used) : NULL;
    return x->used ? OK : err_nomem(e);
}

static void add_use(struct anonymise *x, int64_t id, enum text_kind kind)
{
    if (id > 0 && (size_t)id < x->n_used)
        x->used[id] |= (uint16_t)(1u << kind);
}

/* Note the uses that a statement gives: string id, and for events kind and process of their track. */
static int add_uses(struct anonymise *x, const char *sql, enum text_kind kind, struct err *e)
{
    sqlite3_stmt *st = NULL;
    int rc = SQLITE_DONE;

    if (db_prepare(x->db, &st, sql, e))
        return e->code;
    while ((rc = sqlite3_step(st)) == SQLITE_ROW)
        add_use(x, sqlite3_column_int64(st, 0), kind);
    if (rc != SQLITE_DONE)
        db_error(e, x->db, rc, "cannot read the copy");
    sqlite3_finalize(st);
    return e->code;
}

static int uses_of_columns(struct anonymise *x, struct err *e)
{
    for (size_t t = 0; t < N_TABLES; t++)
        for (size_t c = 0; c < schema_tables[t].n_cols; c++) {
            const struct schema_column *col = &schema_tables[t].cols[c];
            char sql[200];
            if (col->type != CT_STR)
                continue;
            snprintf(sql, sizeof sql, "SELECT %s FROM %s WHERE %s IS NOT NULL", col->name,
                     schema_tables[t].name, col->name);
            if (add_uses(x, sql, anonymise_kind(schema_tables[t].name, col->name), e))
                return e->code;
        }
    return OK;
}

static struct str text_at(sqlite3_stmt *st, int col)
{
    const char *p = sqlite3_column_type(st, col) == SQLITE_NULL ? NULL : sqlite3_column_blob(st, col);
    size_t n = (size_t)sqlite3_column_bytes(st, col);

    return (struct str){ p || sqlite3_column_type(st, col) == SQLITE_NULL ? p : "", n };
}

/* Names of events, by the track they are on. */
static int uses_of_events(struct anonymise *x, struct err *e)
{
    sqlite3_stmt *st = NULL;
    int rc;

    if (db_prepare(x->db, &st,
                   "SELECT t.id, t.kind, (SELECT text FROM string s WHERE s.id = t.process_id) FROM track t "
                   "WHERE t.kind NOT IN ('flow', 'counter')",
                   e))
        return e->code;
    while (!e->code && (rc = sqlite3_step(st)) == SQLITE_ROW) {
        char sql[100];
        snprintf(sql, sizeof sql, "SELECT name_id FROM event WHERE track_id = %lld",
                 (long long)sqlite3_column_int64(st, 0));
        (void)!add_uses(x, sql, anonymise_kind_of_events(text_at(st, 1), text_at(st, 2)), e);
    }
    sqlite3_finalize(st);
    return e->code;
}

/* The kind that decides for a text with these uses: names first, whatever else it is used for. */
static enum text_kind kind_of_uses(unsigned used)
{
    for (enum text_kind k = 0; k < N_TEXT_KINDS; k++)
        if (used & 1u << k)
            return k;
    return TX_DROP; /* nothing refers to it */
}

/* An op type has no path in it. */
static bool is_public_word(struct str text)
{
    return str_chr(text, '/') == SIZE_MAX;
}

/* ---- the SQL functions ---- */

static bool is_name(enum text_kind k)
{
    return k <= TX_USER;
}

/* Whether this pass changes texts of the kind. */
static bool is_due(const struct anonymise *x, enum text_kind k)
{
    return k == TX_PROSE || k == TX_KEY ? x->prose : !x->prose && (k == TX_DROP || is_name(k));
}

static void give(sqlite3_context *ctx, struct anonymise *x, enum text_kind k, sqlite3_value *v)
{
    struct str s = { sqlite3_value_blob(v), (size_t)sqlite3_value_bytes(v) };

    if (k == TX_DROP)
        return;
    if (!is_due(x, k) || !s.p) {
        sqlite3_result_value(ctx, v);
        return;
    }
    buf_clear(&x->text);
    int rc = is_name(k) ? aliases_replace(x->a, (enum name_class)k, s, &x->text, x->e)
                        : aliases_scrub(x->a, k == TX_PROSE, s, &x->text, x->e);
    struct str to = buf_str(&x->text);
    if (rc)
        sqlite3_result_error(ctx, x->e->text, -1);
    else if (memchr(to.p, 0, to.n) || !text_valid_utf8(to))
        sqlite3_result_blob64(ctx, to.p, to.n, SQLITE_TRANSIENT);
    else
        sqlite3_result_text64(ctx, to.p, to.n, SQLITE_TRANSIENT, SQLITE_UTF8);
}

_Static_assert((int)TX_OP == NC_OP && (int)TX_PATH == NC_PATH && (int)TX_HOST == NC_HOST &&
                   (int)TX_USER == NC_USER,
               "kinds of names are classes of names");

/* anonymise(kind, text) */
static void sql_anonymise(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    (void)argc;
    give(ctx, sqlite3_user_data(ctx), (enum text_kind)sqlite3_value_int(argv[0]), argv[1]);
}

/* anonymise_key(key, text) */
static void sql_key(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    struct str key = { sqlite3_value_blob(argv[0]), (size_t)sqlite3_value_bytes(argv[0]) };

    (void)argc;
    give(ctx, sqlite3_user_data(ctx), key.p ? anonymise_kind_of_key(key) : TX_DROP, argv[1]);
}

/* anonymise_string(id, text) */
static void sql_string(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    struct anonymise *x = sqlite3_user_data(ctx);
    sqlite3_int64 id = sqlite3_value_int64(argv[0]);
    enum text_kind k = id > 0 && (size_t)id < x->n_used ? kind_of_uses(x->used[id]) : TX_DROP;
    struct str text = { sqlite3_value_blob(argv[1]), (size_t)sqlite3_value_bytes(argv[1]) };

    (void)argc;
    give(ctx, x, k == TX_PUBLIC && text.p && !is_public_word(text) ? TX_OP : k, argv[1]);
}

static int register_functions(struct anonymise *x, struct err *e)
{
    const int flags = SQLITE_UTF8 | SQLITE_DIRECTONLY;
    int rc = sqlite3_create_function(x->db, "anonymise", 2, flags, x, sql_anonymise, NULL, NULL);

    if (rc == SQLITE_OK)
        rc = sqlite3_create_function(x->db, "anonymise_key", 2, flags, x, sql_key, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_create_function(x->db, "anonymise_string", 2, flags, x, sql_string, NULL, NULL);
    return rc == SQLITE_OK ? OK : db_error(e, x->db, rc, "cannot register functions");
}

static void forget_functions(sqlite3 *db)
{
    static const char *const names[] = { "anonymise", "anonymise_key", "anonymise_string" };

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        sqlite3_create_function(db, names[i], 2, SQLITE_UTF8, NULL, NULL, NULL, NULL);
}

/* ---- tables ---- */

static int replace_column(struct anonymise *x, const struct anonymise_column *c, struct err *e)
{
    char sql[300];

    if (c->kind == TX_KEYED)
        snprintf(sql, sizeof sql, "UPDATE %s SET %s = anonymise_key(key, %s) WHERE %s IS NOT NULL", c->table,
                 c->column, c->column, c->column);
    else if (is_due(x, c->kind))
        snprintf(sql, sizeof sql, "UPDATE %s SET %s = anonymise(%d, %s) WHERE %s IS NOT NULL", c->table,
                 c->column, (int)c->kind, c->column, c->column);
    else
        return OK;
    return db_exec(x->db, sql, e);
}

static bool is_text(const struct anonymise_column *c)
{
    enum table_id t = schema_find_table(c->table);
    size_t col = t < N_TABLES ? schema_find_column(&schema_tables[t], c->column) : SIZE_MAX;

    return col != SIZE_MAX && schema_tables[t].cols[col].type == CT_TEXT;
}

static int replace_pass(struct anonymise *x, bool prose, struct err *e)
{
    x->prose = prose;
    if (db_exec(x->db, "UPDATE string SET text = anonymise_string(id, text)", e))
        return e->code;
    for (size_t i = 0; i < n_anonymise_columns; i++)
        if (is_text(&anonymise_columns[i]) && replace_column(x, &anonymise_columns[i], e))
            return e->code;
    return OK;
}

/* Tables of files without a parser: their columns are known to no one. */
static int drop_foreign(struct anonymise *x, struct err *e)
{
    for (;;) {
        sqlite3_stmt *st = NULL;
        char *sql = NULL;
        if (db_prepare(x->db, &st,
                       "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 't_[0-9]*' LIMIT 1",
                       e))
            return e->code;
        if (sqlite3_step(st) == SQLITE_ROW)
            sql = sqlite3_mprintf("DROP TABLE \"%w\"", (const char *)sqlite3_column_text(st, 0));
        bool more = sql != NULL;
        sqlite3_finalize(st);
        if (more)
            (void)!db_exec(x->db, sql, e);
        sqlite3_free(sql);
        if (!more || e->code)
            return e->code;
    }
}

static int replace_all(struct anonymise *x, struct err *e)
{
    if (db_exec(x->db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN", e) ||
        room_for_strings(x, e) || uses_of_columns(x, e) || uses_of_events(x, e) || register_functions(x, e) ||
        drop_foreign(x, e) || replace_pass(x, false, e) || replace_pass(x, true, e))
        return e->code;
    return db_exec(x->db, "COMMIT", e);
}

static int keep_words(struct store *s, struct aliases *a, const struct anonymise_column *c, struct err *e)
{
    sqlite3_stmt *st = NULL;
    char sql[200];
    int rc = SQLITE_DONE;

    snprintf(sql, sizeof sql, "SELECT text FROM string WHERE id IN (SELECT %s FROM %s)", c->column, c->table);
    if (db_prepare(s->db, &st, sql, e))
        return e->code;
    while (!e->code && (rc = sqlite3_step(st)) == SQLITE_ROW)
        if (text_at(st, 0).p && is_public_word(text_at(st, 0)))
            (void)!aliases_keep(a, text_at(st, 0), e);
    if (!e->code && rc != SQLITE_DONE)
        db_error(e, s->db, rc, "cannot read the store");
    sqlite3_finalize(st);
    return e->code;
}

int store_public_words(struct store *s, enum anonymise_part part, struct aliases *a, struct err *e)
{
    for (size_t i = 0; i < n_anonymise_columns; i++) {
        const struct anonymise_column *c = &anonymise_columns[i];
        if (c->kind == TX_PUBLIC && (part == ANONYMISE_WHOLE || is_compared(schema_find_table(c->table))) &&
            keep_words(s, a, c, e))
            return e->code;
    }
    return OK;
}

int store_anonymise(struct store *s, enum anonymise_part part, struct aliases *a, struct store **out,
                    struct err *e)
{
    struct anonymise x = { .a = a, .e = e };
    struct store *copy = NULL;

    if (open_copy(s, part, &copy, e))
        return e->code;
    x.db = copy->db;
    store_progress(copy, s->progress, s->progress_arg);
    buf_init(&x.text, TEXT_MAX);
    int rc = replace_all(&x, e);
    forget_functions(x.db);
    buf_done(&x.text);
    free(x.used);
    if (rc == OK)
        *out = copy;
    else
        store_close(copy);
    return rc;
}
