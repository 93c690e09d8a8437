/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of big tables as pages. */
#include "config.h"

#include "store/pages/fill_bulk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/pages/pages.h"
#include "store/pages/record.h"

/* Tables that grow with the run and are not read before they are settled. */
static const enum table_id big_tables[] = {
    T_op,         T_op_exec,    T_op_counter, T_op_flops,  T_host_op,   T_mem_alloc,   T_mem_sample,
    T_mem_device, T_mem_module, T_aicpu_exec, T_comm_link, T_exec_host, T_event_place,
};

#define BUF_PAGES BULK_READ_PAGES /* written at once */

/* Rows of a source and rank. */
struct fed {
    uint32_t source;
    int rank;
    uint64_t rows;
};

/* Rows of one source: pages from .. to. */
struct segment {
    uint32_t source;
    size_t from, to;
    uint64_t rows;
    int64_t first_id, last_id; /* numbers given, late rows among them */
    struct fed *fed;
    size_t n_fed;
};

struct bulk {
    char path[1150]; /* of the file, which has no name once it is open */
    int fd;
    uint32_t size;
    unsigned char *buf;  /* finished pages not written yet, then the one being filled */
    size_t n_buf, pages; /* finished pages: in buf, in all */
    struct page open;
    struct segment now, *seg;
    size_t n_seg, n_kept; /* the first n_kept are committed (bulk_kept) */
    bool any_late;
    struct err failed; /* error of a write: no more rows are taken until bulk_take_back() */
    struct buf record;
};

/* ---- opening ---- */

static struct bulk *new_bulk(const struct fill *f, uint32_t size, enum table_id t)
{
    struct bulk *b = calloc(1, sizeof *b);

    if (!b)
        return NULL;
    snprintf(b->path, sizeof b->path, "%s-%s", f->temp, schema_tables[t].name);
    b->fd = -1;
    b->size = size;
    buf_init(&b->record, (size_t)64 << 20);
    return b;
}

/*
 * Check the bytes of the file's header that decide the layout of pages: file format 4, the bytes of the sum
 * reserved, no pointer maps, UTF-8.
 */
static bool is_known_layout(const unsigned char *h, uint32_t *size)
{
    static const unsigned char format4[] = { 0, 0, 0, 4 }, none[] = { 0, 0, 0, 0 }, utf8[] = { 0, 0, 0, 1 };

    *size = page_file_size(h);
    return *size >= 1024 && h[PAGE_AT_SPARE] == PAGE_SPARE && memcmp(h + 44, format4, 4) == 0 &&
           memcmp(h + 52, none, 4) == 0 && memcmp(h + 56, utf8, 4) == 0;
}

int bulk_open(struct fill *f, struct err *e)
{
    unsigned char header[PAGE_FILE_HEADER_B];
    sqlite3_file *file = NULL;
    uint32_t size;

    int rc = sqlite3_file_control(f->db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (rc != SQLITE_OK || !file || !file->pMethods)
        return OK;
    rc = file->pMethods->xRead(file, header, sizeof header, 0);
    if (rc != SQLITE_OK || !is_known_layout(header, &size))
        return OK;
    for (size_t i = 0; i < ARRAY_LEN(big_tables); i++) {
        f->tables[big_tables[i]].bulk = new_bulk(f, size, big_tables[i]);
        if (!f->tables[big_tables[i]].bulk)
            return err_nomem(e);
    }
    return OK;
}

void bulk_free(struct bulk *b)
{
    if (!b)
        return;
    if (b->fd >= 0)
        close(b->fd);
    for (size_t i = 0; i < b->n_seg; i++)
        free(b->seg[i].fed);
    free(b->now.fed);
    buf_done(&b->record);
    free(b->buf);
    free(b->seg);
    free(b);
}

/* ---- pages ---- */

static void open_page(struct bulk *b)
{
    page_start(&b->open, b->buf + b->n_buf * b->size, b->size, PAGE_TABLE_LEAF);
}

static int make_file(struct bulk *b, struct err *e)
{
    b->fd = open(b->path, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (b->fd < 0)
        return err_sys(e, errno, "cannot create a file for rows next to the store");
    unlink(b->path);
    return OK;
}

static int write_pages(struct bulk *b, struct err *e)
{
    size_t n = b->n_buf * b->size, done = 0;
    off_t at = (off_t)(b->pages - b->n_buf) * (off_t)b->size;

    if (b->fd < 0 && make_file(b, e))
        return e->code;
    while (done < n) {
        ssize_t got = pwrite(b->fd, b->buf + done, n - done, at + (off_t)done);
        if (got < 0 && errno != EINTR) {
            err_sys(e, errno, "cannot write rows");
            b->failed = *e;
            return e->code;
        }
        done += got > 0 ? (size_t)got : 0;
    }
    b->n_buf = 0;
    return OK;
}

static int close_page(struct bulk *b, struct err *e)
{
    page_finish(&b->open, 0);
    b->n_buf++;
    b->pages++;
    if (b->n_buf == BUF_PAGES && write_pages(b, e))
        return e->code;
    open_page(b);
    return OK;
}

/* A write that failed is the error of every later call. */
static int check(const struct bulk *b, struct err *e)
{
    if (b->failed.code && !e->code)
        *e = b->failed;
    return e->code;
}

/* ---- rows ---- */

static int put_row(struct bulk *b, const char *record, size_t n, int64_t id, struct err *e)
{
    unsigned char front[2 * RECORD_VARINT_B];
    unsigned char *p = record_varint(record_varint(front, n), (uint64_t)id);
    size_t len = (size_t)(p - front);

    if (!page_has_room(&b->open, len + n) && close_page(b, e))
        return e->code;
    unsigned char *cell = page_cell(&b->open, len + n);
    memcpy(cell, front, len);
    memcpy(cell + len, record, n);
    b->now.rows++;
    return OK;
}

int bulk_row(struct bulk *b, const struct val *v, const unsigned char *affinity, size_t n, int64_t *id,
             bool *late, struct err *e)
{
    if (check(b, e))
        return e->code;
    if (!b->buf) {
        b->buf = malloc((size_t)BUF_PAGES * b->size);
        if (!b->buf)
            return err_nomem(e);
        open_page(b);
    }
    if (*id == 0)
        *id = b->now.last_id + 1;
    *late = *id <= b->now.last_id;
    if (*late) {
        b->any_late = true;
        return OK;
    }
    b->now.last_id = *id;
    buf_clear(&b->record);
    size_t texts = record_texts(v, n);
    char *p = buf_room(&b->record, record_room(n, texts));
    if (!p)
        return err_nomem(e);
    unsigned char *end = record_put((unsigned char *)p, v, affinity, n, texts);
    size_t bytes = (size_t)((char *)end - p);
    *late = bytes > page_row_max(b->size);
    b->any_late |= *late;
    return *late ? OK : put_row(b, p, bytes, *id, e);
}

/* ---- sources ---- */

static void begin(struct bulk *b)
{
    int64_t last = b->n_seg ? b->seg[b->n_seg - 1].last_id : 0;

    b->now = (struct segment){ .from = b->pages, .to = b->pages, .first_id = last, .last_id = last };
    if (b->buf)
        open_page(b);
}

int bulk_end(struct bulk *b, uint32_t source, struct err *e)
{
    if (!b->buf || (b->now.last_id == b->now.first_id && !b->now.n_fed))
        return OK;
    if (check(b, e) || (b->open.n && close_page(b, e)))
        return e->code;
    struct segment *seg = realloc(b->seg, (b->n_seg + 1) * sizeof *seg);
    if (!seg)
        return err_nomem(e);
    b->seg = seg;
    b->now.source = source;
    b->now.to = b->pages;
    b->now.first_id++;
    b->seg[b->n_seg++] = b->now;
    begin(b); /* clears b->now.fed, which belongs to the segment now */
    return OK;
}

void bulk_kept(struct bulk *b)
{
    b->n_kept = b->n_seg;
}

void bulk_take_back(struct bulk *b)
{
    size_t written = b->pages - b->n_buf;

    free(b->now.fed);
    while (b->n_seg > b->n_kept) {
        free(b->seg[--b->n_seg].fed);
        b->now.from = b->seg[b->n_seg].from;
    }
    b->n_buf = b->now.from > written ? b->now.from - written : 0;
    b->pages = b->now.from;
    err_clear(&b->failed);
    if (b->fd >= 0) /* the disk may be full because of them */
        (void)!ftruncate(b->fd, (off_t)(b->pages - b->n_buf) * (off_t)b->size);
    begin(b);
}

bool bulk_forget(struct bulk *b, uint32_t source, int64_t *first, int64_t *last)
{
    for (size_t i = 0; i < b->n_seg; i++) {
        if (b->seg[i].source != source)
            continue;
        *first = b->seg[i].first_id;
        *last = b->seg[i].last_id;
        free(b->seg[i].fed);
        b->n_kept -= i < b->n_kept;
        memmove(&b->seg[i], &b->seg[i + 1], (--b->n_seg - i) * sizeof *b->seg);
        begin(b);
        return true;
    }
    return false;
}

int bulk_count(struct bulk *b, uint32_t source, int rank, struct err *e)
{
    struct segment *s = &b->now;

    for (size_t i = s->n_fed; i-- > 0;) {
        if (s->fed[i].source == source && s->fed[i].rank == rank) {
            s->fed[i].rows++;
            return OK;
        }
    }
    struct fed *fed = realloc(s->fed, (s->n_fed + 1) * sizeof *fed);
    if (!fed)
        return err_nomem(e);
    s->fed = fed;
    s->fed[s->n_fed++] = (struct fed){ source, rank, 1 };
    return OK;
}

static void add_fed(const struct fed *x, struct fill_feeder *out, size_t max, size_t *n)
{
    size_t i = 0;

    while (i < *n && out[i].source_id != x->source)
        i++;
    if (i == max)
        return;
    if (i == *n)
        out[(*n)++] = (struct fill_feeder){ x->source, 0 };
    out[i].rows += x->rows;
}

void bulk_fed(const struct bulk *b, int rank, struct fill_feeder *out, size_t max, size_t *n)
{
    for (size_t i = 0; i < b->n_seg; i++)
        for (size_t k = 0; k < b->seg[i].n_fed; k++)
            if (b->seg[i].fed[k].rank == rank)
                add_fed(&b->seg[i].fed[k], out, max, n);
}

/* ---- reading ---- */

size_t bulk_pages(const struct bulk *b)
{
    size_t n = 0;

    for (size_t i = 0; i < b->n_seg; i++)
        n += b->seg[i].to - b->seg[i].from;
    return n;
}

uint32_t bulk_page_size(const struct bulk *b)
{
    return b->size;
}

uint64_t bulk_rows(const struct bulk *b)
{
    uint64_t n = 0;

    for (size_t i = 0; i < b->n_seg; i++)
        n += b->seg[i].rows;
    return n;
}

bool bulk_has_late(const struct bulk *b)
{
    return b->any_late;
}

/* Read n finished pages from page number at on; the last of them may still be in b->buf. */
static int read_pages(const struct bulk *b, size_t at, unsigned char *to, size_t n, struct err *e)
{
    size_t written = b->pages - b->n_buf, from_file = at < written ? written - at : 0;
    if (from_file > n)
        from_file = n;
    size_t want = from_file * b->size, done = 0;

    while (done < want) {
        ssize_t got = pread(b->fd, to + done, want - done, (off_t)at * (off_t)b->size + (off_t)done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got ? err_sys(e, errno, "cannot read rows")
                       : err_set(e, ERR_IO, "the file of rows is cut");
        done += (size_t)got;
    }
    if (from_file < n)
        memcpy(to + want, b->buf + (at + from_file - written) * b->size, n * b->size - want);
    return OK;
}

unsigned char *bulk_read_room(const struct bulk *b)
{
    return calloc(1, (size_t)BULK_READ_PAGES * b->size + RECORD_PAD);
}

int bulk_read(const struct bulk *b, size_t *at, unsigned char *to, size_t *n, struct err *e)
{
    size_t skip = *at;

    *n = 0;
    for (size_t i = 0; i < b->n_seg; i++) {
        size_t pages = b->seg[i].to - b->seg[i].from;
        if (skip >= pages) {
            skip -= pages;
            continue;
        }
        *n = pages - skip < BULK_READ_PAGES ? pages - skip : BULK_READ_PAGES;
        *at += *n;
        return read_pages(b, b->seg[i].from + skip, to, *n, e);
    }
    return OK;
}
