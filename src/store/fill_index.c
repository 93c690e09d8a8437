/* Indexes from the pages of a table. */
#include "config.h"

#include "store/fill_index.h"

#include <stdio.h>
#include <stdlib.h>

#include "store/record.h"

#define KEYS_MAX_B                                                                                 \
    ((uint64_t)128 << 20) /* entries and as much for sorting; SQLite makes larger indexes */

/* ---- which ---- */

bool fill_index_of(const struct fill *f, enum table_id t, size_t i, struct fill_index *x)
{
    const struct schema_table *d = &schema_tables[t];
    struct str rest = str_of(schema_indexes[i].columns), name;
    char text[64];

    *x = (struct fill_index){ .rows = bulk_rows(f->tables[t].bulk) };
    if (strcmp(schema_indexes[i].table, d->name) != 0)
        return false;
    while (str_next(&rest, ',', &name)) {
        size_t c = schema_find_column(d, str_copy(str_trim(name), text, sizeof text));
        if (c == SIZE_MAX || x->n == FILL_INDEX_COLUMNS || (x->n && c < x->column[x->n - 1]) ||
            strcmp(schema_sql_type(d->cols[c].type), "INTEGER") != 0)
            return false;
        x->column[x->n++] = c;
    }
    return x->rows <= KEYS_MAX_B / (2 * (x->n + 1) * sizeof(uint64_t));
}

int fill_index_create(struct fill *f, enum table_id t, struct err *e)
{
    struct fill_index x;

    for (size_t i = 0; i < schema_n_indexes; i++)
        if (fill_index_of(f, t, i, &x) && fill_make_index(f, i, e))
            return (int)e->code;
    return OK;
}

/* ---- keys ---- */

/* Entries of words values each: the columns, as numbers that sort as SQLite sorts them, then the rowid. */
struct keys {
    uint64_t *v, *other; /* the entries, and as much memory for sorting */
    size_t words, n;
    struct record_shapes shapes;
};

#define SIGN ((uint64_t)1 << 63)

/* NULL sorts first and takes the place of the least integer, which no table holds. */
static bool keys_of(struct record_shapes *s, const unsigned char *record,
                    const struct fill_index *x, uint64_t *key)
{
    int64_t v[FILL_INDEX_COLUMNS];
    unsigned nulls;

    if (!record_ints_of(s, record, x->column, x->n, v, &nulls))
        return false;
    for (size_t i = 0; i < x->n; i++) {
        bool null = nulls >> i & 1;
        if (!null && v[i] == INT64_MIN)
            return false;
        key[i] = null ? 0 : (uint64_t)v[i] ^ SIGN;
    }
    return true;
}

static bool add_page(struct keys *k, const struct fill_index *x, const unsigned char *page)
{
    uint32_t cells = page_cells(page);

    for (uint32_t c = 0; c < cells; c++) {
        uint64_t bytes, *to = k->v + k->n++ * k->words;
        const unsigned char *p = record_get_varint(page_get(page, c), &bytes);
        if (!keys_of(&k->shapes, record_get_varint(p, &to[x->n]), x, to))
            return false;
    }
    return true;
}

static int read_keys(struct keys *k, const struct fill_index *x, const struct bulk *b, bool *whole,
                     struct err *e)
{
    uint32_t size = bulk_page_size(b);
    unsigned char *pages = bulk_read_room(b);
    size_t at = 0, n;

    if (!pages)
        return err_nomem(e);
    *whole = true;
    while (*whole && bulk_read(b, &at, pages, &n, e) == OK && n)
        for (size_t i = 0; i < n && *whole; i++)
            *whole = add_page(k, x, pages + i * size);
    free(pages);
    return (int)e->code;
}

/* ---- sorting ---- */

static bool is_sorted(const struct keys *k, size_t word)
{
    for (size_t i = 1; i < k->n; i++)
        if (k->v[(i - 1) * k->words + word] > k->v[i * k->words + word])
            return false;
    return true;
}

/* Sort by one byte of a word; equal ones stay in order. */
static void sort_byte(struct keys *k, size_t word, unsigned shift)
{
    size_t at[256] = { 0 }, sum = 0, bytes = k->words * sizeof *k->v;

    for (size_t i = 0; i < k->n; i++)
        at[k->v[i * k->words + word] >> shift & 0xff]++;
    for (size_t i = 0; i < ARRAY_LEN(at); i++) {
        size_t n = at[i];
        at[i] = sum;
        sum += n;
    }
    for (size_t i = 0; i < k->n; i++) {
        const uint64_t *from = k->v + i * k->words;
        memcpy(k->other + at[from[word] >> shift & 0xff]++ * k->words, from, bytes);
    }
    uint64_t *v = k->v;
    k->v = k->other;
    k->other = v;
}

/* From the last column to the first, in bytes that differ; rows come in order of the rowid already. */
static void sort_keys(struct keys *k, size_t columns)
{
    for (size_t word = columns; word-- > 0;) {
        uint64_t differ = 0;
        if (is_sorted(k, word))
            continue;
        for (size_t i = 1; i < k->n; i++)
            differ |= k->v[i * k->words + word] ^ k->v[word];
        for (unsigned shift = 0; shift < 64; shift += 8)
            if (differ >> shift & 0xff)
                sort_byte(k, word, shift);
    }
}

/* ---- pages ---- */

static int write_keys(const struct keys *k, const struct page_sink *s, uint32_t root, struct err *e)
{
    unsigned char record[16 * (FILL_INDEX_COLUMNS + 1)];
    int64_t v[FILL_INDEX_COLUMNS + 1];
    struct page_index *x = NULL;

    if (pages_index_new(&x, s, e))
        return (int)e->code;
    for (size_t i = 0; i < k->n && !e->code; i++) {
        const uint64_t *key = k->v + i * k->words;
        unsigned nulls = 0;
        for (size_t c = 0; c + 1 < k->words; c++) {
            v[c] = (int64_t)(key[c] ^ SIGN);
            nulls |= key[c] ? 0 : 1u << c;
        }
        v[k->words - 1] = (int64_t)key[k->words - 1];
        const unsigned char *end = record_put_ints(record, v, nulls, k->words);
        if (pages_index_add(x, record, (size_t)(end - record), e))
            break;
    }
    int rc = e->code ? (int)e->code : pages_index_end(x, root, e);
    pages_index_free(x);
    return rc;
}

int fill_index_build(const struct fill_index *x, const struct bulk *b, const struct page_sink *s,
                     uint32_t root, bool *made, struct err *e)
{
    size_t words = x->n + 1, bytes = (size_t)x->rows * words * sizeof(uint64_t);
    uint64_t *memory[2] = { malloc(bytes), malloc(bytes) };
    struct keys k = { .v = memory[0], .other = memory[1], .words = words };
    int rc = OK;

    if (!memory[0] || !memory[1]) {
        err_nomem(e);
    } else if (read_keys(&k, x, b, made, e) == OK && *made) {
        sort_keys(&k, x->n);
        rc = write_keys(&k, s, root, e);
    }
    free(memory[0]);
    free(memory[1]);
    return e->code ? (int)e->code : rc;
}
