/* SPDX-License-Identifier: Apache-2.0 */
/* Pages of SQLite's b-trees. */
#include "config.h"

#include "store/pages/pages.h"

#include <stdlib.h>
#include <string.h>

#include "store/pages/record.h"

/* ---- one page ---- */

static bool is_node(enum page_kind kind)
{
    return kind == PAGE_INDEX_NODE || kind == PAGE_TABLE_NODE;
}

void page_start(struct page *g, unsigned char *p, uint32_t size, enum page_kind kind)
{
    memset(p, 0, size); /* bytes that no cell fills are written, too */
    *g = (struct page){
        .p = p, .size = size, .head = is_node(kind) ? 12 : 8, .content = size - PAGE_SPARE, .kind = kind
    };
}

unsigned char *page_cell(struct page *g, size_t n)
{
    if (n < PAGE_CELL_LEAST)
        n = PAGE_CELL_LEAST;
    g->content -= (uint32_t)n;
    page_put16(g->p + g->head + 2 * g->n++, g->content);
    return g->p + g->content;
}

void page_finish(struct page *g, uint32_t right)
{
    uint32_t from = g->head + 2 * g->n;

    g->p[0] = (unsigned char)g->kind;
    page_put16(g->p + 1, 0); /* no free block */
    page_put16(g->p + 3, g->n);
    page_put16(g->p + 5, g->content); /* 65536 is written as 0 */
    g->p[7] = 0;                      /* no fragments */
    if (is_node(g->kind))
        page_put32(g->p + 8, right);
    memset(g->p + from, 0, g->content - from);
}

const unsigned char *page_get(const unsigned char *page, uint32_t i)
{
    uint32_t head = is_node(page[0]) ? 12 : 8;

    return page + page_get16(page + head + 2 * (size_t)i);
}

uint32_t page_cells(const unsigned char *page)
{
    return page_get16(page + 3);
}

/* ---- tables ---- */

#define TABLE_CELL_B (4 + RECORD_VARINT_B)

static void table_node(unsigned char *memory, uint32_t size, const struct page_child *c, size_t n)
{
    struct page g;

    page_start(&g, memory, size, PAGE_TABLE_NODE);
    for (size_t i = 0; i + 1 < n; i++) {
        unsigned char cell[TABLE_CELL_B];
        page_put32(cell, c[i].number);
        size_t len = (size_t)(record_varint(cell + 4, (uint64_t)c[i].last) - cell);
        memcpy(page_cell(&g, len), cell, len);
    }
    page_finish(&g, c[n - 1].number);
}

int pages_table(const struct page_sink *s, struct page_child *child, size_t n, uint32_t root, struct err *e)
{
    size_t most = (s->size - PAGE_SPARE - 12) / (TABLE_CELL_B + 2) + 1;
    unsigned char *memory = malloc(s->size);

    if (!memory)
        return err_nomem(e);
    while (n > most) { /* in even groups, so that no node has only one child */
        size_t groups = (n + most - 1) / most;
        for (size_t g = 0; g < groups; g++) {
            size_t from = n * g / groups, to = n * (g + 1) / groups;
            struct page_child up = { 0, child[to - 1].last };
            table_node(memory, s->size, &child[from], to - from);
            if (s->append(s->arg, memory, &up.number, e))
                goto out;
            child[g] = up;
        }
        n = groups;
    }
    table_node(memory, s->size, child, n);
    (void)s->root(s->arg, memory, root, e);
out:
    free(memory);
    return e->code;
}

/* ---- indexes ---- */

#define LEVELS 16

/*
 * The page at the right end of a level. Entries between two pages stand in the level above, so an entry for
 * which the page has no room is held until another follows. If it is the last, the last entry of the page
 * goes to the level above instead.
 */
struct level {
    struct page page;
    uint32_t held_child; /* child of the entry held, on nodes */
    size_t held_n;       /* 0: none is held */
    unsigned char *held;
};

struct page_index {
    struct page_sink s;
    struct level level[LEVELS];
    unsigned char *memory; /* page and held entry of each level in use */
    size_t n;
};

static int add_entry(struct page_index *x, size_t at, uint32_t child, const unsigned char *entry, size_t n,
                     struct err *e);

/* Memory of a level: its page, then the entry held. */
static int open_level(struct page_index *x, size_t at, struct err *e)
{
    struct level *l = &x->level[at];
    unsigned char *memory;

    if (at == LEVELS)
        return err_set(e, ERR_LIMIT, "an index of more than %d levels", LEVELS);
    memory = malloc(2 * (size_t)x->s.size);
    if (!memory)
        return err_nomem(e);
    page_start(&l->page, memory, x->s.size, at ? PAGE_INDEX_NODE : PAGE_INDEX_LEAF);
    l->held = memory + x->s.size;
    l->held_n = 0;
    x->n = at + 1;
    return OK;
}

/* Write an entry as a cell of its level; on nodes the number of the child left of it comes first. */
static void put_cell(struct page *g, uint32_t child, const unsigned char *entry, size_t n)
{
    size_t front = is_node(g->kind) ? 4 : 0;
    unsigned char *cell = page_cell(g, n + front);

    if (front)
        page_put32(cell, child);
    memcpy(cell + front, entry, n);
}

static bool has_room(const struct page *g, size_t n)
{
    return page_has_room(g, n + (is_node(g->kind) ? 4 : 0));
}

/* The page is full: write it with right as its last child, and add the entry after it to the level above. */
static int close_page(struct page_index *x, size_t at, uint32_t right, const unsigned char *entry, size_t n,
                      struct err *e)
{
    struct level *l = &x->level[at];
    uint32_t number;

    page_finish(&l->page, right);
    if (x->s.append(x->s.arg, l->page.p, &number, e))
        return e->code;
    page_start(&l->page, l->page.p, x->s.size, l->page.kind);
    return add_entry(x, at + 1, number, entry, n, e);
}

static int add_entry(struct page_index *x, size_t at, uint32_t child, const unsigned char *entry, size_t n,
                     struct err *e)
{
    struct level *l = &x->level[at];

    if (at == x->n && open_level(x, at, e))
        return e->code;
    if (l->held_n) {
        if (close_page(x, at, l->held_child, l->held, l->held_n, e))
            return e->code;
        l->held_n = 0;
    }
    if (has_room(&l->page, n)) {
        put_cell(&l->page, child, entry, n);
        return OK;
    }
    memcpy(l->held, entry, n);
    l->held_n = n;
    l->held_child = child;
    return OK;
}

/*
 * The entry held is the level's last: the last entry of the page goes to the level above in its stead, and
 * the held entry begins a page of its own.
 */
static int split_last(struct page_index *x, size_t at, struct err *e)
{
    struct level *l = &x->level[at];
    struct page *g = &l->page;
    unsigned char last[PAGE_SIZE_MAX / 4];
    const unsigned char *cell = g->p + g->content;
    uint64_t n;
    uint32_t child = 0;

    if (is_node(g->kind)) {
        child = page_get32(cell);
        cell += 4;
    }
    const unsigned char *body = record_get_varint(cell, &n);
    size_t bytes = (size_t)(body - cell) + (size_t)n;
    memcpy(last, cell, bytes);
    g->content += (uint32_t)bytes + (is_node(g->kind) ? 4 : 0);
    g->n--;
    if (close_page(x, at, child, last, bytes, e))
        return e->code;
    put_cell(g, l->held_child, l->held, l->held_n);
    l->held_n = 0;
    return OK;
}

int pages_index_new(struct page_index **out, const struct page_sink *s, struct err *e)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return err_nomem(e);
    (*out)->s = *s;
    return OK;
}

int pages_index_add(struct page_index *x, const unsigned char *record, size_t n, struct err *e)
{
    unsigned char entry[PAGE_SIZE_MAX / 4];
    struct level *l = &x->level[0];

    if (x->n && !l->held_n && n < 0x80 && has_room(&l->page, n + 1)) { /* the usual case */
        unsigned char *cell = page_cell(&l->page, n + 1);
        cell[0] = (unsigned char)n;
        memcpy(cell + 1, record, n);
        return OK;
    }
    if (n > page_entry_max(x->s.size))
        return err_set(e, ERR_BUG, "an index entry of %zu bytes", n);
    unsigned char *p = record_varint(entry, n);
    memcpy(p, record, n);
    return add_entry(x, 0, 0, entry, (size_t)(p - entry) + n, e);
}

int pages_index_end(struct page_index *x, uint32_t root, struct err *e)
{
    uint32_t right = 0;

    if (x->n == 0)
        return OK;
    for (size_t at = 0; at < x->n; at++) {
        struct level *l = &x->level[at];
        if (l->held_n && split_last(x, at, e))
            return e->code;
        page_finish(&l->page, right);
        int rc = at + 1 == x->n ? x->s.root(x->s.arg, l->page.p, root, e)
                                : x->s.append(x->s.arg, l->page.p, &right, e);
        if (rc)
            return rc;
    }
    return OK;
}

void pages_index_free(struct page_index *x)
{
    for (size_t at = 0; x && at < x->n; at++)
        free(x->level[at].page.p);
    free(x);
}
