/* SPDX-License-Identifier: Apache-2.0 */
/* The store's sink: rows, added columns, strings, notes, instants. */
#include "config.h"

#include "store/pages/fill_bulk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

/* Instants above this are Unix ns (1973 and later); device counters are far below (116 days of
 * uptime are 10^16 ns). */
#define UNIX_LEAST INT64_C(100000000000000000)
#define SECOND     INT64_C(1000000000)

struct fill_rank_state *fill_rank_get(struct fill *f, int rank)
{
    for (size_t i = 0; i < f->n_ranks; i++)
        if (f->ranks[i].rank == rank)
            return &f->ranks[i];
    struct fill_rank_state *n = realloc(f->ranks, (f->n_ranks + 1) * sizeof *n);
    if (!n)
        return NULL;
    f->ranks = n;
    n = &f->ranks[f->n_ranks++];
    *n = (struct fill_rank_state){ .rank = rank, .device = -1 };
    return n;
}

static int64_t floor_second(int64_t ns)
{
    int64_t r = ns % SECOND;
    return ns - (r < 0 ? r + SECOND : r);
}

/* Choose the clock of a rank by the size of its first instant. */
static void choose_clock(struct fill *f, struct fill_rank_state *r, int64_t abs_ns)
{
    if (abs_ns < UNIX_LEAST) {
        r->clock = "device";
        r->origin = 0;
        return;
    }
    r->clock = "unix";
    if (!f->origin_set) {
        f->origin = floor_second(abs_ns);
        f->origin_set = true;
    }
    r->origin = f->origin;
}

/*
 * Move a file that is on another clock than its rank (host times in a run of device counters), so that its
 * first instant is the rank's first. Files of Unix time are of the host's clock: those after the first are
 * moved as that one was, so that an event of two of them stands at one time. Counters may be of any device.
 */
static void shift_source(struct fill *f, struct fill_rank_state *r, int64_t abs_ns)
{
    bool fits = (abs_ns >= UNIX_LEAST) == (strcmp(r->clock, "unix") == 0);

    r->shift_source = f->source_id;
    r->shift = 0;
    if (fits || abs_ns == 0)
        return;
    if (abs_ns >= UNIX_LEAST && r->has_unix_shift)
        r->shift = r->unix_shift;
    else
        r->shift = abs_ns - r->origin - (r->seen ? r->first : 0);
    if (abs_ns >= UNIX_LEAST) {
        r->has_unix_shift = true;
        r->unix_shift = r->shift;
    }
    const struct where w = { .source_id = f->source_id, .offset = ERR_NO_OFFSET };
    sink_note(&f->base, NOTE_OTHER_CLOCK, &w,
              "times are on another clock than the rest of rank %d: moved so that both begin together",
              r->rank);
}

int64_t fill_instant(struct fill *f, struct fill_rank_state *r, int64_t abs_ns)
{
    if (!r->clock)
        choose_clock(f, r, abs_ns);
    if (r->shift_source != f->source_id)
        shift_source(f, r, abs_ns);
    int64_t t;
    if (__builtin_sub_overflow(abs_ns, r->origin, &t) || __builtin_sub_overflow(t, r->shift, &t))
        t = abs_ns < 0 ? INT64_MIN / 2 : INT64_MAX / 2;
    if (!r->seen || t < r->first)
        r->first = t;
    if (!r->seen || t > r->last)
        r->last = t;
    r->seen = true;
    return t;
}

uint32_t fill_intern(struct sink *s, struct str text)
{
    struct fill *f = (struct fill *)s;

    if (text.n > LIM_CSV_FIELD_B)
        text.n = LIM_CSV_FIELD_B;
    uint32_t id = intern_put(f->strings, text);
    if (id == INTERN_NONE) {
        f->failed = true;
        return 0;
    }
    return id + 1;
}

int fill_strings_write(struct fill *f, struct err *e)
{
    uint32_t n = intern_count(f->strings);

    for (; f->strings_written < n; f->strings_written++) {
        struct val v = val_text(intern_get(f->strings, f->strings_written));
        sqlite3_bind_int64(f->ins_string, 1, (sqlite3_int64)f->strings_written + 1);
        db_bind(f->ins_string, 2, &v);
        if (db_run(f->db, f->ins_string, e))
            return e->code;
    }
    return OK;
}

/* with_rowid: its value comes first. */
static int prepare_insert(struct fill *f, enum table_id t, bool with_rowid, struct err *e)
{
    struct table_state *ts = &f->tables[t];
    struct buf sql;

    if (fill_columns_make(f, t, e))
        return e->code;
    buf_init(&sql, (size_t)1 << 20);
    buf_printf(&sql, "INSERT INTO %s(%s", schema_tables[t].name, with_rowid ? "rowid," : "");
    fill_columns_names(f, t, &sql);
    buf_puts(&sql, with_rowid ? ") VALUES(?," : ") VALUES(");
    for (size_t i = 0; i < ts->n_cols; i++)
        buf_puts(&sql, i ? ",?" : "?");
    buf_puts(&sql, ")");
    int rc = buf_failed(&sql) ? err_nomem(e) : db_prepare(f->db, &ts->insert, sql.p, e);
    buf_done(&sql);
    return rc;
}

/* Make the instants of a row relative to the origin of its rank. */
static int place_instants(struct fill *f, const struct table_state *ts, struct val *v, struct err *e)
{
    if (ts->ts_cols[0] < 0)
        return OK;
    int rank = ts->rank_col >= 0 && v[ts->rank_col].t == VAL_INT ? (int)v[ts->rank_col].i : 0;
    struct fill_rank_state *r = fill_rank_get(f, rank);
    if (!r)
        return err_nomem(e);
    for (size_t k = 0; ts->ts_cols[k] >= 0; k++) {
        struct val *x = &v[ts->ts_cols[k]];
        if (x->t == VAL_INT)
            x->i = fill_instant(f, r, x->i);
    }
    return OK;
}

/* rowid: 0 leaves it to the database, or to the column that is the rowid. */
static int insert_row(struct fill *f, struct table_state *ts, int64_t rowid, struct err *e)
{
    int at = 1;

    if (rowid)
        sqlite3_bind_int64(ts->insert, at++, rowid);
    for (size_t i = 0; i < ts->n_cols; i++)
        db_bind(ts->insert, at++, &ts->row[i]);
    return db_run(f->db, ts->insert, e);
}

/* Count the row as one of its source and rank. Late rows are counted in the database. */
static int count_row(struct table_state *ts, struct err *e)
{
    const struct val *v = ts->row;

    if (ts->rank_col < 0 || ts->source_col < 0 || v[ts->rank_col].t != VAL_INT ||
        v[ts->source_col].t != VAL_INT)
        return OK;
    return bulk_count(ts->bulk, (uint32_t)v[ts->source_col].i, (int)v[ts->rank_col].i, e);
}

/* Add a row to the pages; a late one goes through INSERT, under its number. */
static int put_bulk(struct fill *f, enum table_id t, int64_t *id, struct err *e)
{
    struct table_state *ts = &f->tables[t];
    bool has_id = schema_tables[t].cols[0].type == CT_ID, late;
    int64_t rowid = has_id && ts->row[0].t == VAL_INT ? ts->row[0].i : 0;

    if (has_id)
        ts->row[0] = val_null();
    if (bulk_row(ts->bulk, ts->row, ts->affinity, ts->n_cols, &rowid, &late, e))
        return e->code;
    if (id)
        *id = rowid;
    if (!late)
        return count_row(ts, e);
    if (!ts->insert && prepare_insert(f, t, !has_id, e))
        return e->code;
    if (has_id)
        ts->row[0] = val_int(rowid);
    return insert_row(f, ts, has_id ? 0 : rowid, e);
}

int fill_row(struct sink *s, enum table_id t, const struct val *v, size_t n, int64_t *id, struct err *e)
{
    struct fill *f = (struct fill *)s;

    if ((size_t)t >= N_TABLES) /* stage tables are for other sinks */
        return OK;
    struct table_state *ts = &f->tables[t];
    if ((!ts->n_row || ts->n_row != ts->n_cols) && fill_table_fit(f, t, e))
        return e->code;
    if (f->failed)
        return err_set(e, ERR_LIMIT, "too many distinct texts, or out of memory");
    if (n > ts->n_cols)
        n = ts->n_cols;
    memcpy(ts->row, v, n * sizeof *v);
    for (size_t i = n; i < ts->n_cols; i++)
        ts->row[i] = val_null();
    if (place_instants(f, ts, ts->row, e))
        return e->code;
    if (ts->bulk)
        return put_bulk(f, t, id, e);
    if ((!ts->insert && prepare_insert(f, t, false, e)) || insert_row(f, ts, 0, e))
        return e->code;
    if (id)
        *id = sqlite3_last_insert_rowid(f->db);
    return OK;
}

void fill_note(struct sink *s, enum note_code code, const struct where *w, const char *text)
{
    struct fill *f = (struct fill *)s;
    const struct note_info *info = &note_infos[code];
    uint64_t n = w && w->count ? w->count : 1;

    f->notes.count += n;
    f->note_counts[code] += n;
    bool first = note_state_rank(info->state) > note_state_rank(f->notes.state);
    if (first || (!f->notes.first[0] && strcmp(info->severity, "INFO") != 0)) {
        if (first)
            f->notes.state = info->state;
        snprintf(f->notes.first, sizeof f->notes.first, "%s", text);
        f->notes.offset = w ? w->offset : ERR_NO_OFFSET;
        f->notes.line = w ? where_line(w) : 0;
    }
    if (f->notes_written >= LIM_NOTES_PER_FILE)
        return;
    f->notes_written++;
    sqlite3_stmt *st = f->ins_note;
    struct val t = val_cstr(text);
    sqlite3_bind_int64(st, 1, w && w->source_id ? w->source_id : f->source_id);
    sqlite3_bind_text(st, 2, info->code, -1, SQLITE_STATIC);
    sqlite3_bind_text(st, 3, info->severity, -1, SQLITE_STATIC);
    if (w && w->offset != ERR_NO_OFFSET)
        sqlite3_bind_int64(st, 4, (sqlite3_int64)w->offset);
    else
        sqlite3_bind_null(st, 4);
    if (w && where_line(w))
        sqlite3_bind_int64(st, 5, where_line(w));
    else
        sqlite3_bind_null(st, 5);
    db_bind(st, 6, &t);
    sqlite3_bind_int64(st, 7, (sqlite3_int64)n);
    struct err ignored = ERR_INIT;
    if (db_run(f->db, st, &ignored))
        f->failed = true; /* the next row reports it */
}

/* Notes beyond the limit: one row per code with the rest of its count. */
int fill_notes_write(struct fill *f, struct err *e)
{
    if (f->notes_written < LIM_NOTES_PER_FILE)
        return OK;
    for (int c = 0; c < N_NOTES; c++) {
        if (!f->note_counts[c])
            continue;
        char sql[400];
        sqlite3_snprintf(sizeof sql, sql,
                         "INSERT INTO note(source_id, code, severity, text, count) SELECT %u, "
                         "'%q', '%q', 'and more of the same', n FROM "
                         "(SELECT %lld - ifnull(sum(count), 0) AS n FROM note WHERE source_id = %u "
                         "AND code = '%q') WHERE n > 0",
                         f->source_id, note_infos[c].code, note_infos[c].severity,
                         (long long)f->note_counts[c], f->source_id, note_infos[c].code);
        if (db_exec(f->db, sql, e))
            return e->code;
    }
    return OK;
}

bool fill_cancelled(const struct sink *s)
{
    const struct fill *f = (const struct fill *)s;
    return f->cancelled && f->cancelled(f->arg);
}

void fill_tables_done(struct fill *f)
{
    for (size_t t = 0; t < N_TABLES; t++) {
        struct table_state *ts = &f->tables[t];
        sqlite3_finalize(ts->insert);
        fill_columns_drop(ts);
        free(ts->added);
        free(ts->affinity);
        free(ts->row);
        bulk_free(ts->bulk);
    }
}
