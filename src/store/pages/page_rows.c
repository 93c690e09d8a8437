/* SPDX-License-Identifier: Apache-2.0 */
/* A walk over the pages of a table, from left to right. */
#include "config.h"

#include "store/pages/page_rows.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/pages/pages.h"
#include "store/pages/record.h"

#define DEPTH      20                    /* SQLite's own limit of a tree */
#define WINDOW_B   ((size_t)256 << 10)   /* read at once, of pages that follow each other */
#define PAD        (2 * RECORD_VARINT_B) /* readable bytes after what is read */
#define USABLE_MIN 480                   /* bytes of a page without its spare ones */
#define NODE_HEAD  12
#define LEAF_HEAD  8

/* A node on the way to the page that is read. */
struct level {
    unsigned char *page; /* malloc'ed, kept for the next one */
    uint32_t number, next, n;
};
struct wanted {
    struct page_column c;
    size_t to; /* its place among the caller's columns */
};
struct page_rows {
    int fd;
    uint32_t size, usable, pages; /* bytes of a page, those with content; pages of the file */
    uint64_t file_b;
    size_t n, value_most;
    struct wanted *want; /* by number */
    unsigned char *seen; /* a bit for each page */
    unsigned char *window;
    uint32_t first, in_window, ahead; /* pages: of the window's first, in it, to read at the next miss */
    struct level level[DEPTH];
    size_t depth;
    const unsigned char *leaf; /* in the window; NULL: none */
    uint32_t number, cell, cells;
    unsigned char *row, *chain; /* of a row with pages of overflow; one such page */
    size_t row_cap;
    size_t damaged, too_long; /* places, rows */
    uint32_t bad_page;        /* the first that is damaged, and why */
    const char *why;
    struct err e; /* what ended the reading */
};

/* ---- damage ---- */

/* Always false: what it stands for is left out. */
static bool damaged(struct page_rows *r, uint32_t page, const char *why)
{
    if (!r->damaged++) {
        r->bad_page = page;
        r->why = why;
    }
    return false;
}

/* A page that the tree leads to is read once: a second time means that it leads in a circle. */
static bool first_time(struct page_rows *r, uint32_t page)
{
    unsigned char bit = (unsigned char)(1u << (page & 7));

    if (!page || page > r->pages)
        return damaged(r, page, page ? "it lies after the end of the file" : "a page has the number 0");
    if (r->seen[page >> 3] & bit)
        return damaged(r, page, "two pages lead to it");
    r->seen[page >> 3] |= bit;
    return true;
}

/* ---- pages ---- */

static bool read_pages(struct page_rows *r, unsigned char *to, uint32_t page, uint32_t n, uint32_t *got)
{
    size_t want = (size_t)n * r->size, have = 0;
    uint64_t at = (uint64_t)(page - 1) * r->size;

    while (have < want) {
        ssize_t k = pread(r->fd, to + have, want - have, (off_t)(at + have));
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0) {
            err_sys(&r->e, errno, "reading failed");
            return false;
        }
        if (!k)
            break;
        have += (size_t)k;
    }
    *got = (uint32_t)(have / r->size);
    return *got ? true : damaged(r, page, "it lies after the end of the file");
}

/* A page of the tree, in the window until the next call. Pages that follow each other are read together. */
static const unsigned char *page_at(struct page_rows *r, uint32_t page)
{
    uint32_t most = (uint32_t)(WINDOW_B / r->size);

    if (page - r->first >= r->in_window) {
        r->ahead = page == r->first + r->in_window ? r->ahead * 2 : 1;
        r->ahead = r->ahead > most ? most : r->ahead;
        r->first = page;
        if (!read_pages(r, r->window, page, r->ahead, &r->in_window)) {
            r->in_window = 0;
            return NULL;
        }
    }
    return r->window + (size_t)(page - r->first) * r->size;
}

/* Where a page's own header begins: the first page has that of the file before it. */
static inline uint32_t head_at(uint32_t page)
{
    return page == 1 ? PAGE_FILE_HEADER_B : 0;
}

/* The i-th cell; NULL: it does not lie in the page. */
static inline const unsigned char *cell_at(const struct page_rows *r, const unsigned char *page,
                                           uint32_t cells_at, uint32_t i, uint32_t n)
{
    uint32_t at = page_get16(page + cells_at + 2 * (size_t)i);

    return at >= cells_at + 2 * n && at < r->usable ? page + at : NULL;
}

/* ---- the tree ---- */

static bool push(struct page_rows *r, const unsigned char *page, uint32_t number, uint32_t n)
{
    if (r->depth == DEPTH)
        return damaged(r, number, "the tree is too deep");
    struct level *l = &r->level[r->depth];
    if (!l->page && !(l->page = malloc(r->size + PAD))) {
        err_nomem(&r->e);
        return false;
    }
    memcpy(l->page, page, r->size);
    l->number = number;
    l->next = 0;
    l->n = n;
    r->depth++;
    return true;
}

/* Go to a page: rows are read from a leaf, children of a node come next. */
static bool enter(struct page_rows *r, uint32_t number)
{
    const unsigned char *page = first_time(r, number) ? page_at(r, number) : NULL;

    if (!page)
        return false;
    const unsigned char *head = page + head_at(number);
    bool leaf = head[0] == PAGE_TABLE_LEAF;
    if (!leaf && head[0] != PAGE_TABLE_NODE)
        return damaged(r, number, "it is no page of a table");
    uint32_t n = page_get16(head + 3);
    if (head_at(number) + (leaf ? LEAF_HEAD : NODE_HEAD) + 2 * n > r->usable)
        return damaged(r, number, "it has more rows than it has room for");
    if (!leaf)
        return push(r, page, number, n);
    r->leaf = page;
    r->number = number;
    r->cell = 0;
    r->cells = n;
    return true;
}

/* Go on to the next leaf. false: there is none, or the reading failed. */
static bool next_leaf(struct page_rows *r)
{
    r->leaf = NULL;
    while (r->depth && !r->leaf && !r->e.code) {
        struct level *l = &r->level[r->depth - 1];
        uint32_t head = head_at(l->number);
        const unsigned char *child = l->page + head + LEAF_HEAD; /* the last one is in the header */
        if (l->next < l->n)
            child = cell_at(r, l->page, head + NODE_HEAD, l->next, l->n);
        if (l->next > l->n)
            r->depth--;
        else if (!child || child + 4 > l->page + r->usable)
            damaged(r, l->number, "a child lies outside of the page");
        else
            enter(r, page_get32(child));
        l->next++;
    }
    return r->leaf != NULL;
}

/* ---- rows ---- */

/* Bytes of a row that lie in its leaf (fileformat2.html#cell_payload_overflow_pages). */
static inline uint32_t local_bytes(const struct page_rows *r, uint64_t bytes)
{
    uint32_t most = r->usable - 35, least = (r->usable - 12) * 32 / 255 - 23;

    if (bytes <= most)
        return (uint32_t)bytes;
    uint32_t k = least + (uint32_t)((bytes - least) % (r->usable - 4));
    return k <= most ? k : least;
}

static bool row_room(struct page_rows *r, size_t bytes)
{
    if (r->row_cap >= bytes + PAD)
        return true;
    free(r->row);
    r->row = malloc(bytes + PAD);
    r->row_cap = r->row ? bytes + PAD : 0;
    if (!r->chain && r->row)
        r->chain = malloc(r->size);
    if (!r->row || !r->chain)
        err_nomem(&r->e);
    return r->row && r->chain;
}

/* Put together a row that goes on in pages of overflow. local: its bytes in the leaf. */
static const unsigned char *whole_row(struct page_rows *r, const unsigned char *p, uint32_t local,
                                      size_t bytes)
{
    uint32_t page = page_get32(p + local), got;
    size_t have = local;

    if (!row_room(r, bytes))
        return NULL;
    memcpy(r->row, p, local);
    while (have < bytes) {
        if (!first_time(r, page) || !read_pages(r, r->chain, page, 1, &got))
            return NULL;
        size_t take = bytes - have < r->usable - 4 ? bytes - have : r->usable - 4;
        memcpy(r->row + have, r->chain + 4, take);
        have += take;
        page = page_get32(r->chain);
    }
    memset(r->row + bytes, 0, PAD);
    return r->row;
}

static inline void put_real(struct val *v, uint64_t bits)
{
    double d;

    memcpy(&d, &bits, sizeof d);
    if (isnan(d)) /* as SQLite gives it */
        v->t = VAL_NULL;
    else
        val_put_real(v, d);
}

/* NULL stands for the rowid where a column is another name of it. */
static inline void put_null(struct val *v, const struct page_column *c, int64_t rowid)
{
    if (c->rowid)
        val_put_int(v, rowid);
    else
        v->t = VAL_NULL;
}

/* One value; p has eight readable bytes. */
static inline void put_value(struct val *v, uint64_t type, const unsigned char *p,
                             const struct page_column *c, int64_t rowid)
{
    if (type > 9) {
        val_put_text(v, (struct str){ (const char *)p, (size_t)(type - 12) / 2 });
    } else if (type == 7) {
        put_real(v, (uint64_t)record_get_int(p, 8));
    } else if (type) {
        int64_t i = type > 7 ? (int64_t)type - 8 : record_get_int(p, (unsigned)record_bytes(type));
        if (c->real)
            val_put_real(v, (double)i);
        else
            val_put_int(v, i);
    } else {
        put_null(v, c, rowid);
    }
}

/* Values of the columns that are asked for. p: the row's record, with PAD readable bytes after it. */
static bool take_record(struct page_rows *r, const unsigned char *p, uint64_t bytes, int64_t rowid,
                        struct val *v)
{
    uint64_t head, type;
    const unsigned char *t = record_get_varint(p, &head);
    const struct wanted *w = r->want, *end = w + r->n;
    uint64_t at = head;

    if (head > bytes || (uint64_t)(t - p) > head)
        return damaged(r, r->number, "a row's header is longer than the row");
    const unsigned char *types_end = p + head;
    for (uint32_t column = 0; w < end && t < types_end; column++) {
        t = record_get_varint(t, &type);
        uint64_t n = record_bytes(type);
        if (t > types_end || type == 10 || type == 11 || n > bytes - at)
            return damaged(r, r->number, "a value ends after its row");
        for (; w < end && w->c.number == column; w++)
            put_value(&v[w->to], type, p + at, &w->c, rowid);
        at += n;
    }
    for (; w < end; w++) /* a row that is older than the column */
        put_null(&v[w->to], &w->c, rowid);
    return true;
}

static bool take_row(struct page_rows *r, uint32_t i, struct val *v)
{
    uint32_t cells = head_at(r->number) + LEAF_HEAD;
    const unsigned char *p = cell_at(r, r->leaf, cells, i, r->cells), *end = r->leaf + r->usable;
    uint64_t bytes, rowid;

    if (!p)
        return damaged(r, r->number, "a row lies outside of the page");
    p = record_get_varint(p, &bytes);
    p = record_get_varint(p, &rowid);
    if (bytes > r->file_b)
        return damaged(r, r->number, "a row is longer than the file");
    uint32_t local = local_bytes(r, bytes);
    if (p > end || local + (local < bytes ? 4 : 0) > (size_t)(end - p))
        return damaged(r, r->number, "a row ends after its page");
    if (bytes > r->value_most) {
        r->too_long++;
        return false;
    }
    if (local < bytes && !(p = whole_row(r, p, local, (size_t)bytes)))
        return false;
    return take_record(r, p, bytes, (int64_t)rowid, v);
}

bool page_rows_next(struct page_rows *r, struct val *v)
{
    while (!r->e.code) {
        while (r->leaf && r->cell < r->cells && !r->e.code)
            if (take_row(r, r->cell++, v))
                return true;
        if (r->e.code || !next_leaf(r))
            break;
    }
    return false;
}

int page_rows_end(const struct page_rows *r, struct err *e)
{
    uint64_t at = r->bad_page ? (uint64_t)(r->bad_page - 1) * r->size : 0;
    char more[64] = "";

    if (r->e.code) {
        *e = r->e;
    } else if (r->damaged) {
        if (r->damaged > 1)
            snprintf(more, sizeof more, ", the first of %zu such places", r->damaged);
        err_set(e, ERR_FORMAT, "page %" PRIu32 " (at byte %" PRIu64 ") is damaged: %s%s", r->bad_page, at,
                r->why, more);
    } else if (r->too_long) {
        err_set(e, ERR_LIMIT, "%zu rows are larger than %zu MiB", r->too_long, r->value_most >> 20);
    }
    return e->code;
}

/* ---- beginning ---- */

#define AT_ENCODING 56 /* of texts, 32 bits; 1: UTF-8 (fileformat2.html#the_database_header) */

static int read_header(struct page_rows *r, struct err *e)
{
    unsigned char head[PAGE_FILE_HEADER_B];
    struct stat st;

    if (fstat(r->fd, &st) != 0 || pread(r->fd, head, sizeof head, 0) != (ssize_t)sizeof head)
        return err_set(e, ERR_VERSION, "no header of a database");
    r->size = page_file_size(head);
    r->file_b = (uint64_t)st.st_size;
    if (!r->size || r->size - head[PAGE_AT_SPARE] < USABLE_MIN || page_get32(head + AT_ENCODING) != 1)
        return err_set(e, ERR_VERSION, "texts that are not UTF-8, or no size of pages");
    r->usable = r->size - head[PAGE_AT_SPARE];
    r->pages = r->file_b / r->size < UINT32_MAX ? (uint32_t)(r->file_b / r->size) : UINT32_MAX - 1;
    return OK;
}

static int by_number(const void *a, const void *b)
{
    const struct wanted *x = a, *y = b;

    return x->c.number < y->c.number ? -1 : x->c.number > y->c.number;
}

static int make(struct page_rows *r, const struct page_column *c, struct err *e)
{
    r->seen = calloc(r->pages / 8 + 1, 1);
    r->window = calloc(1, (WINDOW_B > r->size ? WINDOW_B : r->size) + PAD);
    r->want = calloc(r->n ? r->n : 1, sizeof *r->want);
    if (!r->seen || !r->window || !r->want)
        return err_nomem(e);
    for (size_t i = 0; i < r->n; i++)
        r->want[i] = (struct wanted){ c[i], i };
    qsort(r->want, r->n, sizeof *r->want, by_number);
    return OK;
}

int page_rows_new(struct page_rows **out, const char *path, uint32_t root, const struct page_column *c,
                  size_t n, size_t value_most, struct err *e)
{
    struct page_rows *r = calloc(1, sizeof *r);

    *out = NULL;
    if (!r)
        return err_nomem(e);
    r->n = n;
    r->value_most = value_most;
    err_clear(&r->e);
    r->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (r->fd < 0)
        err_sys(e, errno, "it cannot be opened");
    else if (read_header(r, e) == OK && make(r, c, e) == OK) {
        (void)enter(r, root);
        if (r->leaf == NULL && !r->depth &&
            r->damaged) /* a table without rowids, or damage: SQLite says which */
            err_set(e, ERR_VERSION, "its root is no page of a table with rowids");
    }
    if (e->code) {
        err_where(e, path, ERR_NO_OFFSET, 0);
        page_rows_free(r);
        return e->code;
    }
    *out = r;
    return OK;
}

void page_rows_free(struct page_rows *r)
{
    if (!r)
        return;
    if (r->fd >= 0)
        close(r->fd);
    for (size_t i = 0; i < DEPTH; i++)
        free(r->level[i].page);
    free(r->want);
    free(r->seen);
    free(r->window);
    free(r->row);
    free(r->chain);
    free(r);
}
