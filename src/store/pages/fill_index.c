/* SPDX-License-Identifier: Apache-2.0 */
/* Indexes from the pages of a table. */
#include "config.h"

#include "store/pages/fill_index.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "store/pages/record.h"

#define KEYS_MAX_B ((uint64_t)128 << 20) /* entries and as much for sorting; SQLite makes larger indexes */
#define ENTRY_B    (2 * (sizeof(uint64_t) + sizeof(uint32_t)))

/* ---- indexes that are made here ---- */

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
    return x->rows <= KEYS_MAX_B / ENTRY_B && x->rows <= UINT32_MAX;
}

int fill_index_create(struct fill *f, enum table_id t, struct err *e)
{
    struct fill_index x;

    for (size_t i = 0; i < schema_n_indexes; i++)
        if (fill_index_of(f, t, i, &x) && fill_make_index(f, &schema_indexes[i], e))
            return e->code;
    return OK;
}

/* ---- keys ---- */

/*
 * The columns of a row packed into one number that sorts as they do: each takes the bits that its values
 * need, NULL is 0.
 */
struct packing {
    struct column_range {
        bool any;
        int64_t min, max;
        unsigned bits, shift;
    } c[FILL_INDEX_COLUMNS];
};

struct keys {
    uint64_t *key, *other_key;
    uint32_t *row, *other_row; /* other_key, other_row: as much memory for sorting */
    size_t n;
    unsigned bits; /* of a key */
    struct packing p;
    struct record_shapes shapes;
};

/* Called with the integers of each row; false: they fit no key. */
typedef bool row_fn(struct keys *k, const struct fill_index *x, const int64_t *v, unsigned nulls,
                    uint64_t rowid);

static bool widen(struct keys *k, const struct fill_index *x, const int64_t *v, unsigned nulls,
                  uint64_t rowid)
{
    for (size_t i = 0; i < x->n; i++) {
        struct column_range *c = &k->p.c[i];
        if (nulls >> i & 1)
            continue;
        c->min = !c->any || v[i] < c->min ? v[i] : c->min;
        c->max = !c->any || v[i] > c->max ? v[i] : c->max;
        c->any = true;
    }
    return rowid <= UINT32_MAX;
}

static bool pack(struct keys *k, const struct fill_index *x, const int64_t *v, unsigned nulls, uint64_t rowid)
{
    uint64_t key = 0;

    for (size_t i = 0; i < x->n; i++) {
        const struct column_range *c = &k->p.c[i];
        if (!(nulls >> i & 1))
            key |= ((uint64_t)v[i] - (uint64_t)c->min + 1) << c->shift;
    }
    k->key[k->n] = key;
    k->row[k->n++] = (uint32_t)rowid;
    return true;
}

/* Bits for NULL and every value from min to max; false: the columns do not fit into one number. */
static bool lay_out(struct keys *k, size_t columns)
{
    unsigned shift = 0;

    for (size_t i = columns; i-- > 0;) {
        struct column_range *c = &k->p.c[i];
        uint64_t values = c->any ? (uint64_t)c->max - (uint64_t)c->min : 0;
        if (values >= UINT64_MAX - 1)
            return false;
        c->bits = c->any ? 64 - (unsigned)__builtin_clzll(values + 1) : 0;
        c->shift = shift < 64 ? shift : 0;
        shift += c->bits;
    }
    k->bits = shift;
    return shift <= 64;
}

static bool each_of_page(struct keys *k, const struct fill_index *x, const unsigned char *page, row_fn *fn)
{
    uint32_t cells = page_cells(page);

    for (uint32_t c = 0; c < cells; c++) {
        uint64_t bytes, rowid;
        int64_t v[FILL_INDEX_COLUMNS];
        unsigned nulls;
        const unsigned char *p = record_get_varint(page_get(page, c), &bytes);
        p = record_get_varint(p, &rowid);
        if (!record_ints_of(&k->shapes, p, x->column, x->n, v, &nulls) || !fn(k, x, v, nulls, rowid))
            return false;
    }
    return true;
}

static int each_row(struct keys *k, const struct fill_index *x, const struct bulk *b, row_fn *fn, bool *whole,
                    struct err *e)
{
    uint32_t size = bulk_page_size(b);
    unsigned char *pages = bulk_read_room(b);
    size_t at = 0, n;

    *whole = true;
    if (!pages)
        return err_nomem(e);
    while (*whole && bulk_read(b, &at, pages, &n, e) == OK && n)
        for (size_t i = 0; i < n && *whole; i++)
            *whole = each_of_page(k, x, pages + i * size, fn);
    free(pages);
    return e->code;
}

/* ---- sorting ---- */

#define DIGIT_BITS 11
#define DIGITS     ((size_t)1 << DIGIT_BITS)

/* Sort by some bits of the key; equal ones stay in order. */
static void sort_digit(struct keys *k, unsigned shift)
{
    uint32_t at[DIGITS] = { 0 }, sum = 0;

    for (size_t i = 0; i < k->n; i++)
        at[k->key[i] >> shift & (DIGITS - 1)]++;
    if (k->n && at[k->key[0] >> shift & (DIGITS - 1)] == k->n)
        return; /* the digit is the same in all keys */
    for (size_t i = 0; i < DIGITS; i++) {
        uint32_t n = at[i];
        at[i] = sum;
        sum += n;
    }
    for (size_t i = 0; i < k->n; i++) {
        uint32_t to = at[k->key[i] >> shift & (DIGITS - 1)]++;
        k->other_key[to] = k->key[i];
        k->other_row[to] = k->row[i];
    }
    uint64_t *key = k->key;
    uint32_t *row = k->row;
    k->key = k->other_key;
    k->row = k->other_row;
    k->other_key = key;
    k->other_row = row;
}

/* Sort by key only: rows come in order of the rowid already. */
static void sort_keys(struct keys *k)
{
    size_t i = 1;

    while (i < k->n && k->key[i - 1] <= k->key[i])
        i++;
    for (unsigned shift = 0; i < k->n && shift < k->bits; shift += DIGIT_BITS)
        sort_digit(k, shift);
}

/* ---- pages ---- */

static int write_keys(const struct keys *k, size_t columns, const struct page_sink *s, uint32_t root,
                      struct err *e)
{
    unsigned char record[16 * (FILL_INDEX_COLUMNS + 1)];
    int64_t v[FILL_INDEX_COLUMNS + 1];
    struct page_index *x = NULL;

    if (pages_index_new(&x, s, e))
        return e->code;
    for (size_t i = 0; i < k->n && !e->code; i++) {
        unsigned nulls = 0;
        for (size_t c = 0; c < columns; c++) {
            const struct column_range *r = &k->p.c[c];
            uint64_t mask = r->bits < 64 ? ((uint64_t)1 << r->bits) - 1 : UINT64_MAX;
            uint64_t value = k->key[i] >> r->shift & mask;
            nulls |= value ? 0 : 1u << c;
            v[c] = value ? (int64_t)(value - 1 + (uint64_t)r->min) : 0;
        }
        v[columns] = (int64_t)k->row[i];
        const unsigned char *end = record_put_ints(record, v, nulls, columns + 1);
        if (pages_index_add(x, record, (size_t)(end - record), e))
            break;
    }
    int rc = e->code ? e->code : pages_index_end(x, root, e);
    pages_index_free(x);
    return rc;
}

#define LARGE_PAGE_B ((size_t)2 << 20)

/* Memory for sorting, which writes all over it: large pages, where the system has them, save much time. */
static void *large_room(size_t bytes)
{
    size_t whole = (bytes / LARGE_PAGE_B + 1) * LARGE_PAGE_B;
    void *p = bytes < LARGE_PAGE_B ? malloc(bytes) : aligned_alloc(LARGE_PAGE_B, whole);

#ifdef MADV_HUGEPAGE
    if (p && bytes >= LARGE_PAGE_B)
        (void)madvise(p, bytes, MADV_HUGEPAGE);
#endif
    return p;
}

static bool have_room(struct keys *k, void *memory[4], size_t rows)
{
    size_t n = rows ? rows : 1;

    for (size_t i = 0; i < 4; i++)
        memory[i] = large_room(n * (i < 2 ? sizeof(uint64_t) : sizeof(uint32_t)));
    k->key = memory[0];
    k->other_key = memory[1];
    k->row = memory[2];
    k->other_row = memory[3];
    return k->key && k->other_key && k->row && k->other_row;
}

int fill_index_build(const struct fill_index *x, const struct bulk *b, const struct page_sink *s,
                     uint32_t root, bool *made, struct err *e)
{
    void *memory[4] = { NULL };
    struct keys k = { .n = 0 };
    int rc = OK;

    *made = false;
    if (each_row(&k, x, b, widen, made, e) == OK && *made && (*made = lay_out(&k, x->n))) {
        if (!have_room(&k, memory, (size_t)x->rows)) {
            err_nomem(e);
        } else if (each_row(&k, x, b, pack, made, e) == OK && *made) {
            sort_keys(&k);
            rc = write_keys(&k, x->n, s, root, e);
        }
    }
    for (size_t i = 0; i < ARRAY_LEN(memory); i++)
        free(memory[i]);
    return e->code ? e->code : rc;
}
