/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of a file's own: t_<source>, t_<source>_2 when its columns change, t_<source>_<part>
 * (sink_generic_open).
 */
#include "config.h"

#include "store/fill/fill_int.h"

#include <stdio.h>

static void table_name(const struct fill *f, uint32_t source_id, struct str part, char *buf, size_t n)
{
    char number[12];

    snprintf(number, sizeof number, "%d", f->generic_n);
    if (!part.p && f->generic_n > 1)
        part = str_of(number);
    sink_generic_name(source_id, part, buf, n);
}

static void add_identifier(struct buf *sql, struct str name)
{
    buf_addc(sql, '"');
    for (size_t i = 0; i < name.n; i++) {
        if (name.p[i] == '"')
            buf_addc(sql, '"');
        buf_addc(sql, name.p[i] ? name.p[i] : '_');
    }
    buf_addc(sql, '"');
}

static int make_table(struct fill *f, const char *table, const struct str *names, size_t n, struct err *e)
{
    struct buf sql;

    buf_init(&sql, (size_t)4 << 20);
    buf_printf(&sql, "CREATE TABLE %s(", table);
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_addc(&sql, ',');
        add_identifier(&sql, names[i]);
    }
    buf_addc(&sql, ')');
    int rc = buf_failed(&sql) ? err_nomem(e) : db_exec(f->db, sql.p, e);
    buf_clear(&sql);
    buf_printf(&sql, "INSERT INTO %s VALUES(", table);
    for (size_t i = 0; i < n; i++)
        buf_puts(&sql, i ? ",?" : "?");
    buf_addc(&sql, ')');
    sqlite3_finalize(f->ins_generic);
    f->ins_generic = NULL;
    if (!rc)
        rc = buf_failed(&sql) ? err_nomem(e) : db_prepare(f->db, &f->ins_generic, sql.p, e);
    buf_done(&sql);
    return rc;
}

int fill_generic_open(struct sink *s, uint32_t source_id, struct str part, const struct str *names, size_t n,
                      struct err *e)
{
    struct fill *f = (struct fill *)s;
    char table[80];

    f->generic_n = source_id == f->generic_source ? f->generic_n + 1 : 1;
    f->generic_source = source_id;
    f->generic_cols = n;
    table_name(f, source_id, part, table, sizeof table);
    if (make_table(f, table, names, n, e))
        return e->code;
    if (f->generic_n > 1 || part.p)
        return OK;
    const struct val v[] = { val_cstr(table), val_int(source_id) };
    return fill_update(f, "UPDATE source SET table_name = ? WHERE id = ?", v, ARRAY_LEN(v), e);
}

int fill_generic_row(struct sink *s, const struct val *v, size_t n, struct err *e)
{
    struct fill *f = (struct fill *)s;

    if (!f->ins_generic || n > f->generic_cols)
        return err_set(e, ERR_BUG, "a row of %zu values for a table of %zu", n, f->generic_cols);
    for (size_t i = 0; i < n; i++)
        db_bind(f->ins_generic, (int)i + 1, &v[i]);
    for (size_t i = n; i < f->generic_cols; i++)
        sqlite3_bind_null(f->ins_generic, (int)i + 1);
    return db_run(f->db, f->ins_generic, e);
}
