/* SPDX-License-Identifier: Apache-2.0 */
/* Pages of a view, row by row, into a writer. */
#include "config.h"

#include "model/writer/export.h"

#include <stdlib.h>

#include "base/path.h"

#define PAGE_ROWS 512
#define FLUSH_B   ((size_t)64 << 10)

/* ---- one table ---- */

struct chosen {
    size_t *at; /* columns of the view */
    const struct view_col **cols;
    struct val *row;
    size_t n;
    bool *has; /* of the view's columns: a row that is written has a value */
};

/*
 * Without --columns and --all-columns: not a column of marks without a mark; for people none that seldom has
 * a value, or says what sums are of, where it says nothing. Programs, whose columns are the same for all
 * runs, always get the former, and the latter only when they ask. seldom: the column has a value in a row
 * that is written.
 */
static bool is_left_out(struct view *v, size_t col, bool people, bool seldom)
{
    const unsigned flags = view_col(v, col)->flags, tested = VC_MARK | (people ? VC_BASE : 0);

    return flags & VC_HIDDEN || (flags & VC_BASE && !people) || (flags & VC_IF_ANY && people && !seldom) ||
           (flags & tested && view_col_blank(v, col));
}

/*
 * Which columns that seldom have a value have one in the first rows. Of a page only these are looked at: such
 * a column may cost much to read, and few rows of many may be asked for. *has: one entry for each column.
 */
static int look_for_values(struct view *v, size_t rows, bool *has, struct err *e)
{
    struct page page = { .n = 0 };

    if (rows && rows <= PAGE_ROWS && view_page(v, 0, rows, VIEW_STORED, &page, e))
        return e->code;
    for (size_t col = 0; col < view_n_cols(v) && rows <= PAGE_ROWS; col++)
        for (size_t i = 0; i < page.n && !has[col]; i++)
            has[col] = page_val(&page, i, col)->t != VAL_NULL;
    for (size_t col = 0; col < view_n_cols(v) && rows > PAGE_ROWS; col++)
        if (view_col(v, col)->flags & VC_IF_ANY)
            has[col] = !view_col_blank(v, col);
    return OK;
}

static int choose(struct chosen *c, const struct writer *w, struct view *v, const struct export_rows *o,
                  size_t rows, struct err *e)
{
    const bool people = writer_is_for_people(w);
    size_t want = o->n_cols ? o->n_cols : view_n_cols(v);

    c->at = calloc(want + 1, sizeof *c->at);
    c->cols = calloc(want + 1, sizeof *c->cols);
    c->row = calloc(want + 1, sizeof *c->row);
    c->has = calloc(view_n_cols(v) + 1, sizeof *c->has);
    if (!c->at || !c->cols || !c->row || !c->has)
        return err_nomem(e);
    if (people && !o->n_cols && !o->all_columns && look_for_values(v, rows, c->has, e))
        return e->code;
    for (size_t i = 0; i < want; i++) {
        size_t col = o->n_cols ? o->cols[i] : i;
        if (!o->n_cols && !o->all_columns && is_left_out(v, col, people, c->has[col]))
            continue;
        c->at[c->n] = col;
        c->cols[c->n++] = view_col(v, col);
    }
    return OK;
}

static int write_rows(struct writer *w, struct view *v, const struct chosen *c, size_t rows,
                      enum view_times times, struct err *e)
{
    struct page page;

    for (size_t at = 0; at < rows; at += PAGE_ROWS) {
        if (view_page(v, at, rows - at < PAGE_ROWS ? rows - at : PAGE_ROWS, times, &page, e))
            return e->code;
        for (size_t i = 0; i < page.n; i++) {
            for (size_t k = 0; k < c->n; k++)
                c->row[k] = *page_val(&page, i, c->at[k]);
            if (writer_row(w, c->row, e))
                return e->code;
        }
    }
    return OK;
}

int export_view(struct writer *w, struct view *v, const struct export_rows *o, struct err *e)
{
    const struct view_def *d = view_definition(v);
    struct chosen c = { 0 };
    size_t rows = view_rows(v);

    if (o->top >= 0 && (uint64_t)o->top < rows)
        rows = (size_t)o->top;
    if (choose(&c, w, v, o, rows, e) ||
        writer_begin(w, d->id, o->title ? o->title : d->title, c.cols, c.n, e) ||
        write_rows(w, v, &c, rows, o->times, e) || writer_end(w, e))
        goto out;
out:
    free(c.at);
    free((void *)c.cols);
    free(c.row);
    free(c.has);
    return e->code;
}

/* ---- to a file ---- */

struct gathered {
    const struct export_file *to;
    struct file_write *file;
    struct buf b;
};

static int flush(struct gathered *g, struct err *e)
{
    struct str s = buf_str(&g->b);

    if (buf_failed(&g->b))
        return err_nomem(e);
    if (g->to->stop && g->to->stop(g->to->stop_arg))
        return err_set(e, ERR_CANCELLED, "stopped; no file was written");
    int rc = file_write_data(g->file, s.p, s.n, e);
    buf_clear(&g->b);
    return rc;
}

static int gather(void *arg, struct str s, struct err *e)
{
    struct gathered *g = arg;

    buf_add(&g->b, s);
    return g->b.n >= FLUSH_B || buf_failed(&g->b) ? flush(g, e) : OK;
}

int export_to_file(const struct export_file *f, export_fn *write, void *arg, struct err *e)
{
    struct gathered g = { .to = f };
    const struct write_to to = { .add = gather, .arg = &g };

    if (file_write_open(&g.file, f->path, f->replace, e))
        return e->code;
    buf_init(&g.b, (size_t)64 << 20);
    if (write(arg, &to, e) == OK)
        (void)!flush(&g, e);
    buf_done(&g.b);
    if (!e->code)
        return file_write_commit(g.file, e);
    file_write_abort(g.file);
    return e->code;
}

struct view_writing {
    const struct write_opts *opts;
    struct view *v;
    const struct export_rows *rows;
};

static int write_view(void *arg, const struct write_to *to, struct err *e)
{
    struct view_writing *x = arg;
    struct writer *w = NULL;

    if (writer_new(&w, to, x->opts, e) == OK && export_view(w, x->v, x->rows, e) == OK)
        (void)!writer_finish(w, e);
    writer_free(w);
    return e->code;
}

int export_view_file(const char *path, bool replace, const struct write_opts *wo, struct view *v,
                     const struct export_rows *o, struct err *e)
{
    const struct export_file f = { .path = path, .replace = replace };
    struct view_writing w = { wo, v, o };

    return export_to_file(&f, write_view, &w, e);
}
