/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pages of tables and indexes in SQLite's layout (sqlite.org/fileformat2.html#b_tree_pages), for rows that
 * come in order: a tenth of the time of INSERT.
 *
 * A struct page is one page being filled; its memory is the caller's. Whole trees are made by pages_table()
 * and pages_index_*(), which give each page to a struct page_sink when it is full. Nothing here touches a
 * file or a database.
 */
#ifndef NPUSCOPE_STORE_PAGES_PAGES_H
#define NPUSCOPE_STORE_PAGES_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* The numbers are those of the file format. */
enum page_kind { PAGE_INDEX_NODE = 2, PAGE_TABLE_NODE = 5, PAGE_INDEX_LEAF = 10, PAGE_TABLE_LEAF = 13 };

struct page {
    unsigned char *p;
    uint32_t size, head; /* bytes of the page; of its header */
    uint32_t n, content; /* cells; where they begin */
    enum page_kind kind;
};

#define PAGE_SIZE_MIN 512
#define PAGE_SIZE_MAX 65536
#define PAGE_SPARE    8 /* bytes at the end of each page that SQLite does not use: its sum (sum_vfs.h) */

#define PAGE_CELL_LEAST 4

/* ---- numbers in a file: the highest byte first ---- */

static inline uint32_t page_get16(const unsigned char *p)
{
    return (uint32_t)p[0] << 8 | p[1];
}
static inline uint32_t page_get32(const unsigned char *p)
{
    return page_get16(p) << 16 | page_get16(p + 2);
}
static inline void page_put16(unsigned char *p, uint32_t v)
{
    p[0] = (unsigned char)(v >> 8);
    p[1] = (unsigned char)v;
}
static inline void page_put32(unsigned char *p, uint32_t v)
{
    page_put16(p, v >> 16);
    page_put16(p + 2, v);
}

/*
 * The header of a database file (sqlite.org/fileformat2.html#the_database_header): its size, and offsets of
 * its fields.
 */
#define PAGE_FILE_HEADER_B 100
enum page_file_at {
    PAGE_AT_SIZE = 16,        /* of a page, 16 bits; 1 means 65536 */
    PAGE_AT_SPARE = 20,       /* bytes at the end of each page that SQLite does not use, 8 bits */
    PAGE_AT_CHANGES = 24,     /* a counter */
    PAGE_AT_PAGES = 28,       /* number of pages ... */
    PAGE_AT_APPLICATION = 68, /* whose file it is, 32 bits */
    PAGE_AT_VALID = 92        /* ... which is valid when this equals the counter of changes */
};
/* Page size in the header; 0: not a valid size. */
static inline uint32_t page_file_size(const unsigned char *header)
{
    uint32_t size = page_get16(header + PAGE_AT_SIZE);

    size = size == 1 ? PAGE_SIZE_MAX : size;
    return size < PAGE_SIZE_MIN || (size & (size - 1)) ? 0 : size;
}

/* ---- one page ---- */

void page_start(struct page *g, unsigned char *p, uint32_t size, enum page_kind kind);
static inline bool page_has_room(const struct page *g, size_t cell)
{
    return g->content >= g->head + 2 * (g->n + 1) + (cell < PAGE_CELL_LEAST ? PAGE_CELL_LEAST : cell);
}
/* Room for the next cell, n bytes, to be filled by the caller; page_has_room() must hold. */
unsigned char *page_cell(struct page *g, size_t n);
/* Write the header. right: the last child of a node, 0 for leaves. */
void page_finish(struct page *g, uint32_t right);
/* The i-th cell of a finished page, and their number. */
const unsigned char *page_get(const unsigned char *page, uint32_t i);
uint32_t page_cells(const unsigned char *page);

/* Most bytes of a row's record that a leaf holds without pages of overflow. */
static inline size_t page_row_max(uint32_t size)
{
    return size - PAGE_SPARE - 35;
}
/* The same for an entry of an index. */
static inline size_t page_entry_max(uint32_t size)
{
    return (size - PAGE_SPARE - 12) * 64 / 255 - 23;
}

/* Takes finished pages. */
struct page_sink {
    uint32_t size;
    /* Keep a page (size bytes); *number gets its page number. */
    int (*append)(void *arg, const unsigned char *page, uint32_t *number, struct err *e);
    /* Overwrite the root of a tree. */
    int (*root)(void *arg, const unsigned char *page, uint32_t number, struct err *e);
    void *arg;
};

/* A leaf that was appended, with the rowid of its last row. */
struct page_child {
    uint32_t number;
    int64_t last;
};
/* Write the nodes above n (at least 2) leaves, in order of rowid; child[] is overwritten. */
NODISCARD int pages_table(const struct page_sink *s, struct page_child *child, size_t n, uint32_t root,
                          struct err *e);

/* Makes an index from its entries in order. An entry is a record of at most page_entry_max() bytes. */
struct page_index;
NODISCARD int pages_index_new(struct page_index **out, const struct page_sink *s, struct err *e);
NODISCARD int pages_index_add(struct page_index *x, const unsigned char *record, size_t n, struct err *e);
NODISCARD int pages_index_end(struct page_index *x, uint32_t root, struct err *e);
void pages_index_free(struct page_index *x);

#endif
