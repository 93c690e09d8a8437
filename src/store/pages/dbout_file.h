/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file of a database that is written page by page (sqlite.org/fileformat2.html): made beside its target,
 * its first page last. Private to src/store/dbout.c and src/store/pages. Errors carry the target's name. Not
 * thread-safe.
 */
#ifndef NPUSCOPE_STORE_PAGES_DBOUT_FILE_H
#define NPUSCOPE_STORE_PAGES_DBOUT_FILE_H

#include "base/path.h"
#include "store/pages/pages.h"

#define DBOUT_PAGE_B 32768
#define DBOUT_FIRST_ROOM                                                                                     \
    (DBOUT_PAGE_B - PAGE_SPARE - PAGE_FILE_HEADER_B) /* bytes of the first page for its tree */

struct dbout_file {
    struct file_write *w;
    char *path;         /* of the target */
    uint32_t last;      /* number of the last page */
    unsigned char *buf; /* pages not written yet */
    size_t n;           /* pages in buf */
    struct page_sink sink;
    uint32_t root; /* the page that the sink got last as a root */
};

/* As dbout_open(). dbout_file_drop() is allowed after a failure. */
NODISCARD int dbout_file_open(struct dbout_file *f, const char *path, bool replace, struct err *e);
NODISCARD int dbout_file_append(struct dbout_file *f, const unsigned char *page, uint32_t *number,
                                struct err *e);
/*
 * Write the bytes of a record that do not fit into its leaf as a chain of pages; *first is the number of the
 * first.
 */
NODISCARD int dbout_file_overflow(struct dbout_file *f, const unsigned char *p, size_t n, uint32_t *first,
                                  struct err *e);
/* Bytes of a record of n bytes (more than page_row_max()) that stay in the leaf. */
size_t dbout_file_local(size_t n);
/* Write the first page, a leaf that begins after the header, and give the file its name. */
NODISCARD int dbout_file_commit(struct dbout_file *f, struct page *first, struct err *e);
void dbout_file_drop(struct dbout_file *f);

#endif
