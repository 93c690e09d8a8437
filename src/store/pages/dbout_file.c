/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a database that is written page by page. */
#include "config.h"

#include "store/pages/dbout_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOCK_BYTE UINT32_C(0x40000000) /* the page that holds it is never used */
#define BUF_PAGES 16                   /* written at once */
#define USABLE    (DBOUT_PAGE_B - PAGE_SPARE)

static int flush(struct dbout_file *f, struct err *e)
{
    size_t n = f->n;

    f->n = 0;
    return n ? file_write_data(f->w, f->buf, n * DBOUT_PAGE_B, e) : OK;
}

static unsigned char *next_page(struct dbout_file *f, struct err *e)
{
    if (f->last >= UINT32_MAX - 2) {
        err_set(e, ERR_LIMIT, "the database has too many pages");
        return NULL;
    }
    if (f->n == BUF_PAGES && flush(f, e))
        return NULL;
    f->last++;
    return memset(f->buf + f->n++ * DBOUT_PAGE_B, 0, DBOUT_PAGE_B);
}

/* Number of the page that follows the last one. */
static uint32_t next_number(const struct dbout_file *f)
{
    return f->last + 1 == LOCK_BYTE / DBOUT_PAGE_B + 1 ? f->last + 2 : f->last + 1;
}

/* A page to be filled. NULL: e is set. */
static unsigned char *new_page(struct dbout_file *f, struct err *e)
{
    if (next_number(f) != f->last + 1 && !next_page(f, e))
        return NULL;
    return next_page(f, e);
}

int dbout_file_append(struct dbout_file *f, const unsigned char *page, uint32_t *number, struct err *e)
{
    unsigned char *to = new_page(f, e);

    if (!to)
        return e->code;
    memcpy(to, page, DBOUT_PAGE_B);
    *number = f->last;
    return OK;
}

static int sink_append(void *arg, const unsigned char *page, uint32_t *number, struct err *e)
{
    return dbout_file_append(arg, page, number, e);
}

/* Roots are appended like other pages: no number was given out yet. */
static int sink_root(void *arg, const unsigned char *page, uint32_t number, struct err *e)
{
    struct dbout_file *f = arg;

    (void)number;
    return dbout_file_append(f, page, &f->root, e);
}

int dbout_file_open(struct dbout_file *f, const char *path, bool replace, struct err *e)
{
    *f = (struct dbout_file){
        .sink = { .size = DBOUT_PAGE_B, .append = sink_append, .root = sink_root, .arg = f }
    };
    f->path = strdup(path);
    f->buf = malloc((size_t)BUF_PAGES * DBOUT_PAGE_B);
    if (!f->path || !f->buf)
        return err_nomem(e);
    if (file_write_open(&f->w, path, replace, e))
        return e->code;
    if (lseek(file_write_fd(f->w), 0, SEEK_CUR) < 0)
        return err_set(e, ERR_USAGE, "cannot hold a database");
    return next_page(f, e) ? OK : e->code; /* room for the first page, which is filled last */
}

/* ---- long records (sqlite.org/fileformat2.html#b_tree_pages) ---- */

size_t dbout_file_local(size_t n)
{
    size_t least = (USABLE - 12) * 32 / 255 - 23, most = page_row_max(DBOUT_PAGE_B);
    size_t local = least + (n - least) % (USABLE - 4);

    return local <= most ? local : least;
}

int dbout_file_overflow(struct dbout_file *f, const unsigned char *p, size_t n, uint32_t *first,
                        struct err *e)
{
    *first = next_number(f);
    while (n > 0) {
        size_t part = n < USABLE - 4 ? n : USABLE - 4;
        unsigned char *page = new_page(f, e);
        if (!page)
            return e->code;
        memcpy(page + 4, p, part);
        p += part;
        n -= part;
        page_put32(page, n ? next_number(f) : 0);
    }
    return OK;
}

/* ---- the end ---- */

/* The header of the file (sqlite.org/fileformat2.html#the_database_header). */
static void put_header(const struct dbout_file *f, unsigned char *h)
{
    static const unsigned char numbers[] = { 1, 1, PAGE_SPARE, 64, 32, 32 }; /* from byte 18 on */

    memcpy(h, "SQLite format 3", 16);
    page_put16(h + PAGE_AT_SIZE, DBOUT_PAGE_B);
    memcpy(h + 18, numbers, sizeof numbers);
    page_put32(h + PAGE_AT_CHANGES, 1);
    page_put32(h + PAGE_AT_PAGES, f->last);
    page_put32(h + 40, 1); /* the schema's counter */
    page_put32(h + 44, 4); /* its format */
    page_put32(h + 56, 1); /* UTF-8 */
    page_put32(h + PAGE_AT_VALID, 1);
    page_put32(h + 96, 3040000); /* version of SQLite with this format */
}

/* Move the tree's own header and its cell pointers after the header of the file. */
static int put_first(struct dbout_file *f, struct page *g, struct err *e)
{
    size_t head = g->head + 2 * (size_t)g->n;

    page_finish(g, 0);
    if (head + PAGE_FILE_HEADER_B > g->content)
        return err_set(e, ERR_LIMIT, "the schema is too long for one page");
    memmove(g->p + PAGE_FILE_HEADER_B, g->p, head);
    memset(g->p, 0, PAGE_FILE_HEADER_B);
    put_header(f, g->p);
    for (size_t done = 0; done < DBOUT_PAGE_B;) {
        ssize_t got = pwrite(file_write_fd(f->w), g->p + done, DBOUT_PAGE_B - done, (off_t)done);
        if (got < 0 && errno != EINTR)
            return err_sys(e, errno, "cannot write");
        done += got > 0 ? (size_t)got : 0;
    }
    return OK;
}

int dbout_file_commit(struct dbout_file *f, struct page *first, struct err *e)
{
    if (flush(f, e) || put_first(f, first, e))
        return e->code;
    struct file_write *w = f->w;
    f->w = NULL;
    return file_write_commit(w, e);
}

void dbout_file_drop(struct dbout_file *f)
{
    file_write_abort(f->w);
    free(f->buf);
    free(f->path);
    *f = (struct dbout_file){ .w = NULL };
}
