/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of our own export: cells by ',', lines by LF, quotes as Python writes them. */
#include "config.h"

#include "offline/tables/csv_rows.h"

#include <stdlib.h>

#include "base/read/infile.h"

#define ROW_MAX_B ((size_t)64 << 20)
#define ASK_EVERY 65536

struct csv_rows {
    const struct offline_run *r;
    const char *begin;
    const struct offline_file *file;
    struct infile *in;
    size_t taken; /* bytes of the row given last */
    char *first;  /* copy of the first header */
    struct str header[CSV_ROWS_COLUMNS], cell[CSV_ROWS_COLUMNS];
    size_t n_header;
    uint64_t n;
};

/* The bytes of the first whole line with its end; 0: there is none. */
static size_t line_b(const char *p, size_t n)
{
    bool quoted = false;

    for (size_t i = 0; i < n; i++)
        if (p[i] == '"')
            quoted = !quoted;
        else if (p[i] == '\n' && !quoted)
            return i + 1;
    return 0;
}

static size_t split(struct str line, struct str *cell)
{
    size_t n = 0, from = 0;
    bool quoted = false;

    for (size_t i = 0; i <= line.n; i++) {
        if (i < line.n && line.p[i] == '"')
            quoted = !quoted;
        if (i < line.n && (line.p[i] != ',' || quoted || n + 1 == CSV_ROWS_COLUMNS))
            continue;
        cell[n++] = (struct str){ line.p + from, i - from };
        from = i + 1;
    }
    return n;
}

/* The next line of the file without its end. false: it has no more, or e is set. */
static bool next_line(struct csv_rows *x, struct str *line, struct err *e)
{
    size_t n, got = 0;

    infile_take(x->in, x->taken);
    x->taken = 0;
    for (;;) {
        const char *p = infile_data(x->in, &n);
        size_t b = line_b(p, n);
        if (b) {
            x->taken = b;
            *line = (struct str){ p, b - 1 };
            return true;
        }
        infile_widen(x->in, ROW_MAX_B);
        if (infile_more(x->in, &got, e) || !got)
            return false;
    }
}

/* The next file and its header. false: no more files, or e is set. */
static bool next_file(struct csv_rows *x, struct str *header, struct err *e)
{
    x->file = offline_exported(x->r, x->begin, ".csv", x->file);
    infile_close(x->in);
    x->in = NULL;
    x->taken = 0;
    return x->file && infile_open_fd(&x->in, x->file->fd, x->file->name, 0, e) == OK &&
           next_line(x, header, e);
}

int csv_rows_open(struct csv_rows **out, const struct offline_run *r, const char *begin, struct err *e)
{
    struct csv_rows *x = *out = calloc(1, sizeof *x);
    struct str header;

    if (!x)
        return err_nomem(e);
    x->r = r;
    x->begin = begin;
    if (!next_file(x, &header, e))
        return e->code;
    x->first = malloc(header.n + 1);
    if (!x->first)
        return err_nomem(e);
    str_copy(header, x->first, header.n + 1);
    x->n_header = split(str_of(x->first), x->header);
    return OK;
}

bool csv_rows_header(struct csv_rows *x, const struct str **cells, size_t *n)
{
    *cells = x->header;
    *n = x->n_header;
    return x->n_header > 0;
}

bool csv_rows_next(struct csv_rows *x, const struct str **cells, size_t *n, struct err *e)
{
    struct str line;

    if (x->n++ % ASK_EVERY == 0 && sink_cancelled(x->r->notes)) {
        err_set(e, ERR_CANCELLED, "interrupted");
        return false;
    }
    while (x->in && !next_line(x, &line, e))
        if (e->code || !next_file(x, &line, e))
            return false;
    if (!x->in)
        return false;
    *n = split(line, x->cell);
    *cells = x->cell;
    return true;
}

void csv_rows_close(struct csv_rows *x)
{
    if (!x)
        return;
    infile_close(x->in);
    free(x->first);
    free(x);
}

struct str csv_rows_plain(struct str cell, char *text, size_t n)
{
    size_t k = 0;

    if (cell.n < 2 || cell.p[0] != '"')
        return cell;
    cell = str_sub(cell, 1, cell.n - 2);
    if (str_chr(cell, '"') == SIZE_MAX)
        return cell;
    for (size_t i = 0; i < cell.n && k < n; i++) {
        text[k++] = cell.p[i];
        i += cell.p[i] == '"';
    }
    return (struct str){ text, k };
}

struct str csv_rows_time(struct str cell)
{
    while (cell.n && cell.p[cell.n - 1] == '\t')
        cell.n--;
    return cell;
}
