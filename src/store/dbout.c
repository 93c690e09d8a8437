/* SPDX-License-Identifier: Apache-2.0 */
/* Writing databases of other schemas. */
#include "config.h"

#include "store/dbout.h"

#include <limits.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/grow.h"
#include "base/large/spool.h"
#include "base/path.h"
#include "store/pages/dbout_file.h"
#include "store/pages/record.h"

#define SQL_MAX    ((size_t)1 << 16)
#define KEYS_B     ((uint64_t)64 << 20) /* of indexes in memory */
#define INDEX_NEAR 32
#define RECORD_MAX ((size_t)1 << 30) /* SQLite takes no more either */

struct index {
    struct index *next;
    char *name, *sql;
    size_t column[DBOUT_INDEX_COLUMNS], n_columns;
    int64_t *key; /* for each row its values, then its number */
    size_t n, cap;
    bool sorted;
};

struct dbout_table {
    struct dbout *d;
    struct dbout_table *next;
    char *name, *sql;
    size_t n_columns, pk; /* SIZE_MAX: rows are numbered from 1 */
    struct str column[DBOUT_COLUMNS];
    unsigned char affinity[DBOUT_COLUMNS];
    struct page page; /* being filled; p NULL: there is no row yet */
    struct page_child *child;
    size_t n_children, cap_children;
    int64_t last; /* number of the last row */
    bool any;
    struct index *indexes;
};

struct dbout {
    struct spool *spool; /* of keys of indexes */
    struct dbout_file file;
    struct dbout_table *tables, **last_table; /* in order */
    struct buf record;
};

/* e, with the name of the target. */
static int failed(const struct dbout *d, struct err *e)
{
    if (e->code && d->file.path)
        err_where(e, d->file.path, ERR_NO_OFFSET, 0);
    return e->code;
}

static void free_index(const struct dbout *d, struct index *x)
{
    free(x->name);
    free(x->sql);
    spool_free(d->spool, x->key);
    free(x);
}

static void free_table(struct dbout_table *t)
{
    while (t->indexes) {
        struct index *x = t->indexes;
        t->indexes = x->next;
        free_index(t->d, x);
    }
    free(t->page.p);
    free(t->child);
    free(t->name);
    free(t->sql);
    free(t);
}

void dbout_drop(struct dbout *d)
{
    if (!d)
        return;
    while (d->tables) {
        struct dbout_table *t = d->tables;
        d->tables = t->next;
        free_table(t);
    }
    dbout_file_drop(&d->file);
    buf_done(&d->record);
    spool_close(d->spool);
    free(d);
}

int dbout_open(struct dbout **out, const char *path, bool replace, struct err *e)
{
    struct dbout *d = calloc(1, sizeof *d);
    char dir[PATH_MAX];

    *out = NULL;
    if (!d)
        return err_nomem(e);
    buf_init(&d->record, RECORD_MAX);
    d->last_table = &d->tables;
    if (!path_dir(dir, sizeof dir, path))
        err_set(e, ERR_USAGE, "the path is too long");
    if (e->code || spool_new(&d->spool, dir, KEYS_B, e) || dbout_file_open(&d->file, path, replace, e)) {
        (void)failed(d, e);
        dbout_drop(d);
        return e->code;
    }
    *out = d;
    return OK;
}

/* ---- tables ---- */

static const struct {
    const char *mark, *sql;
    unsigned char affinity;
} types[] = {
    { "", "INTEGER", AFFINITY_INTEGER },
    { "n", "NUMERIC", AFFINITY_INTEGER },
    { "r", "REAL", AFFINITY_REAL },
    { "t", "TEXT", AFFINITY_TEXT },
    { "pk", "INTEGER PRIMARY KEY", AFFINITY_INTEGER },
};
#define TYPE_PK 4

/* Take "name mark" apart and return the type; SIZE_MAX: there is no such mark. */
static size_t type_of(struct str text, struct str *name)
{
    struct str mark = STR("");

    if (!str_next(&text, ' ', name) || !name->n)
        return SIZE_MAX;
    (void)str_next(&text, ' ', &mark);
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        if (str_eq(mark, str_of(types[i].mark)))
            return i;
    return SIZE_MAX;
}

/*
 * Set the columns of t from their text, which must stay valid. sql gets the statement that makes the table.
 * false: the text is malformed.
 */
static bool take_columns(struct dbout_table *t, const char *columns, struct buf *sql)
{
    struct str left = str_of(columns), text;

    t->pk = SIZE_MAX;
    buf_printf(sql, "CREATE TABLE %s (", t->name);
    for (; str_next(&left, ',', &text); t->n_columns++) {
        struct str *name = &t->column[t->n_columns];
        if (t->n_columns == DBOUT_COLUMNS)
            return false;
        size_t type = type_of(text, name);
        if (type == SIZE_MAX || (type == TYPE_PK && t->pk != SIZE_MAX))
            return false;
        if (type == TYPE_PK)
            t->pk = t->n_columns;
        t->affinity[t->n_columns] = types[type].affinity;
        buf_puts(sql, t->n_columns ? ", " : "");
        buf_add(sql, *name);
        buf_printf(sql, " %s", types[type].sql);
    }
    buf_addc(sql, ')');
    return t->n_columns > 0;
}

int dbout_table(struct dbout *d, struct dbout_table **out, const char *name, const char *columns,
                struct err *e)
{
    struct dbout_table *t = calloc(1, sizeof *t);
    struct buf sql;

    *out = NULL;
    if (!t)
        return err_nomem(e);
    *d->last_table = t;
    d->last_table = &t->next;
    t->d = d;
    t->name = strdup(name);
    buf_init(&sql, SQL_MAX);
    if (t->name && !take_columns(t, columns, &sql))
        err_set(e, ERR_BUG, "table %s: columns \"%s\"", name, columns);
    t->sql = buf_take(&sql);
    buf_done(&sql);
    if (!t->name || !t->sql)
        err_nomem(e);
    if (!e->code)
        *out = t;
    return failed(d, e);
}

/* ---- indexes ---- */

static bool index_column(const struct dbout_table *t, struct index *x, struct str name)
{
    for (size_t i = 0; i < t->n_columns; i++) {
        if (str_eq(t->column[i], name) && x->n_columns < DBOUT_INDEX_COLUMNS && i != t->pk) {
            x->column[x->n_columns++] = i;
            return true;
        }
    }
    return false;
}

int dbout_index(struct dbout_table *t, const char *name, const char *columns, struct err *e)
{
    struct index *x = calloc(1, sizeof *x);
    struct str left = str_of(columns), column;
    struct buf sql;

    if (!x)
        return err_nomem(e);
    x->next = t->indexes;
    t->indexes = x;
    x->sorted = true;
    while (str_next(&left, ',', &column))
        if (!index_column(t, x, column) || t->any)
            err_set(e, ERR_BUG, "index %s: columns \"%s\"", name, columns);
    buf_init(&sql, SQL_MAX);
    buf_printf(&sql, "CREATE INDEX %s ON %s (%s)", name, t->name, columns);
    x->name = strdup(name);
    x->sql = buf_take(&sql);
    buf_done(&sql);
    if (!x->name || !x->sql)
        err_nomem(e);
    return failed(t->d, e);
}

/* Entries are ordered by values, then by row. */
static int key_cmp(const int64_t *a, const int64_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

#define KEY_CMP(n)                                                                                           \
    static int key_cmp_##n(const void *a, const void *b)                                                     \
    {                                                                                                        \
        return key_cmp(a, b, n);                                                                             \
    }
KEY_CMP(2)
KEY_CMP(3)
KEY_CMP(4)

/*
 * Rows mostly come in order, except a few with the same first value: move the last key to its position among
 * those before it. false: that is too far away, so all keys are sorted at the end.
 */
static bool index_place(struct index *x, size_t each)
{
    int64_t *key = x->key + (x->n - 1) * each, last[DBOUT_INDEX_COLUMNS + 1];
    size_t back = 0;

    if (x->n == 1 || key_cmp(key - each, key, each) <= 0)
        return true;
    memcpy(last, key, each * sizeof *last);
    while (back < INDEX_NEAR && back + 1 < x->n && key_cmp(key - each, last, each) > 0) {
        memcpy(key, key - each, each * sizeof *key);
        key -= each;
        back++;
    }
    memcpy(key, last, each * sizeof *last);
    return back + 1 == x->n || key_cmp(key - each, key, each) <= 0;
}

static int index_row(struct dbout_table *t, struct index *x, const struct val *v, int64_t row, struct err *e)
{
    size_t each = x->n_columns + 1;
    int64_t *all = spool_grow(t->d->spool, x->key, x->n, &x->cap, each * sizeof *all, 1024);

    if (!all)
        return err_nomem(e);
    x->key = all;
    int64_t *key = all + x->n * each;
    for (size_t i = 0; i < x->n_columns; i++) {
        const struct val *k = &v[x->column[i]];
        if (k->t != VAL_INT)
            return err_set(e, ERR_BUG, "index %s: a value that is no integer", x->name);
        key[i] = k->i;
    }
    key[each - 1] = row;
    x->n++;
    x->sorted = x->sorted && index_place(x, each);
    return OK;
}

/* Write a tree without a row. */
static int write_empty(struct dbout *d, enum page_kind kind, uint32_t *root, struct err *e)
{
    unsigned char *p = malloc(DBOUT_PAGE_B);
    struct page g;

    if (!p)
        return err_nomem(e);
    page_start(&g, p, DBOUT_PAGE_B, kind);
    page_finish(&g, 0);
    (void)!dbout_file_append(&d->file, p, root, e);
    free(p);
    return e->code;
}

static int write_index(struct dbout *d, struct index *x, uint32_t *root, struct err *e)
{
    static int (*const cmp[])(const void *, const void *) = { key_cmp_2, key_cmp_3, key_cmp_4 };
    unsigned char record[32 + 9 * (DBOUT_INDEX_COLUMNS + 1)];
    struct page_index *out;
    size_t each = x->n_columns + 1;

    if (!x->n)
        return write_empty(d, PAGE_INDEX_LEAF, root, e);
    if (!x->sorted)
        qsort(x->key, x->n, each * sizeof *x->key, cmp[each - 2]);
    if (pages_index_new(&out, &d->file.sink, e))
        return e->code;
    for (size_t i = 0; i < x->n && !e->code; i++) {
        size_t n = (size_t)(record_put_ints(record, x->key + i * each, 0, each) - record);
        (void)!pages_index_add(out, record, n, e);
    }
    if (!e->code && pages_index_end(out, 0, e) == OK)
        *root = d->file.root;
    pages_index_free(out);
    return e->code;
}

/* ---- rows ---- */

static int close_page(struct dbout_table *t, struct err *e)
{
    struct page_child *all = grow_array(t->child, t->n_children, &t->cap_children, sizeof *all, 16);

    if (!all)
        return err_nomem(e);
    t->child = all;
    page_finish(&t->page, 0);
    if (dbout_file_append(&t->d->file, t->page.p, &all[t->n_children].number, e))
        return e->code;
    all[t->n_children++].last = t->last;
    page_start(&t->page, t->page.p, DBOUT_PAGE_B, PAGE_TABLE_LEAF);
    return OK;
}

static int put_record(struct dbout_table *t, const unsigned char *record, size_t n, int64_t row,
                      struct err *e)
{
    unsigned char front[2 * RECORD_VARINT_B];
    size_t len = (size_t)(record_varint(record_varint(front, n), (uint64_t)row) - front);
    size_t local = n <= page_row_max(DBOUT_PAGE_B) ? n : dbout_file_local(n);
    size_t link = local < n ? 4 : 0;
    uint32_t first = 0;

    if (link && dbout_file_overflow(&t->d->file, record + local, n - local, &first, e))
        return e->code;
    if (!page_has_room(&t->page, len + local + link) && close_page(t, e))
        return e->code;
    unsigned char *cell = page_cell(&t->page, len + local + link);
    memcpy(cell, front, len);
    memcpy(cell + len, record, local);
    if (link)
        page_put32(cell + len + local, first);
    t->last = row;
    t->any = true;
    return OK;
}

/* The number of a row. A primary key is the number, so the record does not hold it. */
static int number_row(const struct dbout_table *t, const struct val *v, int64_t *row, struct err *e)
{
    *row = t->last + 1;
    if (t->pk == SIZE_MAX)
        return OK;
    if (v[t->pk].t != VAL_INT || (t->any && v[t->pk].i <= t->last))
        return err_set(e, ERR_BUG, "table %s: a primary key that does not ascend", t->name);
    *row = v[t->pk].i;
    return OK;
}

static int add_row(struct dbout_table *t, const struct val *v, struct err *e)
{
    struct val own[DBOUT_COLUMNS];
    size_t n = t->n_columns, texts = record_texts(v, n);
    struct buf *b = &t->d->record;
    int64_t row;

    if (number_row(t, v, &row, e))
        return e->code;
    if (!t->page.p) {
        unsigned char *p = malloc(DBOUT_PAGE_B);
        if (!p)
            return err_nomem(e);
        page_start(&t->page, p, DBOUT_PAGE_B, PAGE_TABLE_LEAF);
    }
    if (t->pk != SIZE_MAX) {
        memcpy(own, v, n * sizeof *own);
        own[t->pk] = val_null();
        v = own;
    }
    buf_clear(b);
    unsigned char *record = (unsigned char *)buf_room(b, record_room(n, texts));
    if (!record)
        return err_nomem(e);
    size_t bytes = (size_t)(record_put(record, v, t->affinity, n, texts) - record);
    if (put_record(t, record, bytes, row, e))
        return e->code;
    for (struct index *x = t->indexes; x; x = x->next)
        if (index_row(t, x, v, row, e))
            break;
    return e->code;
}

int dbout_row(struct dbout_table *t, const struct val *v, struct err *e)
{
    return add_row(t, v, e) ? failed(t->d, e) : OK;
}

/* ---- the end ---- */

static int write_table(struct dbout_table *t, uint32_t *root, struct err *e)
{
    struct dbout_file *f = &t->d->file;

    if (!t->any)
        return write_empty(t->d, PAGE_TABLE_LEAF, root, e);
    if (t->page.n && close_page(t, e))
        return e->code;
    *root = t->child[0].number; /* one leaf alone */
    if (t->n_children > 1 && pages_table(&f->sink, t->child, t->n_children, 0, e) == OK)
        *root = f->root;
    return e->code;
}

/* A row of sqlite_master (sqlite.org/fileformat2.html#storage_of_the_sql_database_schema). */
static int schema_row(struct dbout *d, struct page *g, const char *type, const char *name, const char *table,
                      uint32_t root, const char *sql, struct err *e)
{
    static const unsigned char affinity[] = { AFFINITY_TEXT, AFFINITY_TEXT, AFFINITY_TEXT, AFFINITY_INTEGER,
                                              AFFINITY_TEXT };
    const struct val v[] = { val_cstr(type), val_cstr(name), val_cstr(table), val_int(root), val_cstr(sql) };
    unsigned char front[2 * RECORD_VARINT_B];
    size_t texts = record_texts(v, ARRAY_LEN(v));

    buf_clear(&d->record);
    unsigned char *p = (unsigned char *)buf_room(&d->record, record_room(ARRAY_LEN(v), texts));
    if (!p)
        return err_nomem(e);
    size_t n = (size_t)(record_put(p, v, affinity, ARRAY_LEN(v), texts) - p);
    size_t len = (size_t)(record_varint(record_varint(front, n), g->n + 1) - front);
    if (n > page_row_max(DBOUT_PAGE_B) || !page_has_room(g, len + n + PAGE_FILE_HEADER_B))
        return err_set(e, ERR_LIMIT, "the schema is too long for one page");
    unsigned char *cell = page_cell(g, len + n);
    memcpy(cell, front, len);
    memcpy(cell + len, p, n);
    return OK;
}

static int write_trees(struct dbout *d, struct page *first, struct err *e)
{
    uint32_t root = 0;

    for (struct dbout_table *t = d->tables; t; t = t->next) {
        if (write_table(t, &root, e) || schema_row(d, first, "table", t->name, t->name, root, t->sql, e))
            return e->code;
        for (struct index *x = t->indexes; x; x = x->next)
            if (write_index(d, x, &root, e) ||
                schema_row(d, first, "index", x->name, t->name, root, x->sql, e))
                return e->code;
    }
    return OK;
}

int dbout_close(struct dbout *d, struct err *e)
{
    unsigned char *memory = malloc(DBOUT_PAGE_B);
    struct page first;

    if (!memory)
        err_nomem(e);
    if (!e->code) {
        page_start(&first, memory, DBOUT_PAGE_B, PAGE_TABLE_LEAF);
        if (write_trees(d, &first, e) == OK)
            (void)!dbout_file_commit(&d->file, &first, e);
    }
    free(memory);
    (void)failed(d, e);
    dbout_drop(d);
    return e->code;
}
