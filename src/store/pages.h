/*
 * Pages of tables and indexes as SQLite lays them out in a database file (sqlite.org/fileformat2.html,
 * section 1.6): for rows that come in order, at a tenth of the time of INSERT.
 *
 * A struct page is one page being filled; its memory is the caller's. Whole trees are made by
 * pages_table() and pages_index_*(), which give each page to a struct page_sink as it is full. Pure: no
 * file, no database.
 */
#ifndef NPUSCOPE_PAGES_H
#define NPUSCOPE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* The numbers are those of the file format. */
enum page_kind {
    PAGE_INDEX_NODE = 2,
    PAGE_TABLE_NODE = 5,
    PAGE_INDEX_LEAF = 10,
    PAGE_TABLE_LEAF = 13
};

struct page {
    unsigned char *p;
    uint32_t size, head; /* bytes of the page; of its header */
    uint32_t n, content; /* cells; where they begin */
    enum page_kind kind;
};

#define PAGE_SIZE_MAX 65536
#define PAGE_SPARE    8 /* bytes at the end of each page that are not SQLite's: its sum (sum_vfs.h) */

#define PAGE_CELL_LEAST 4

void page_start(struct page *g, unsigned char *p, uint32_t size, enum page_kind kind);
static inline bool page_has_room(const struct page *g, size_t cell)
{
    return g->content >=
           g->head + 2 * (g->n + 1) + (cell < PAGE_CELL_LEAST ? PAGE_CELL_LEAST : cell);
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
/* The same of an entry of an index. */
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
/* The nodes above n (at least 2) leaves, in order of rowid; child[] is used up. */
NODISCARD int pages_table(const struct page_sink *s, struct page_child *child, size_t n,
                          uint32_t root, struct err *e);

/* An index from its entries in order. An entry is a record of at most page_entry_max() bytes. */
struct page_index;
NODISCARD int pages_index_new(struct page_index **out, const struct page_sink *s, struct err *e);
NODISCARD int pages_index_add(struct page_index *x, const unsigned char *record, size_t n,
                              struct err *e);
NODISCARD int pages_index_end(struct page_index *x, uint32_t root, struct err *e);
void pages_index_free(struct page_index *x);

#endif
