/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of many files, sorted by time and written. */
#include "config.h"

#include "demo/logs/log_book.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "demo/demo_cut.h"

#define TEXT_MAX ((size_t)256 << 20)

int log_book_init(struct log_book *b, const char *dir, int hosts, struct err *e)
{
    *b = (struct log_book){ .dir = dir, .hosts = hosts };
    b->shared = calloc((size_t)hosts * (LOG_KINDS - LOG_OWN), sizeof *b->shared);
    if (!b->shared)
        return err_nomem(e);
    for (int i = 0; i < LOG_OWN; i++)
        buf_init(&b->own[i].text, TEXT_MAX);
    for (int i = 0; i < hosts * (LOG_KINDS - LOG_OWN); i++)
        buf_init(&b->shared[i].text, TEXT_MAX);
    return OK;
}

static void forget(struct log_text *f)
{
    buf_done(&f->text);
    free(f->line);
    *f = (struct log_text){ 0 };
    buf_init(&f->text, TEXT_MAX);
}

void log_book_done(struct log_book *b)
{
    for (int i = 0; i < LOG_OWN; i++)
        forget(&b->own[i]);
    for (int i = 0; b->shared && i < b->hosts * (LOG_KINDS - LOG_OWN); i++)
        forget(&b->shared[i]);
    free(b->shared);
    b->shared = NULL;
}

struct log_text *log_book_file(struct log_book *b, enum log_kind k, int host)
{
    return k < LOG_OWN ? &b->own[k] : &b->shared[host * (LOG_KINDS - LOG_OWN) + (int)k - LOG_OWN];
}

void log_book_put(struct log_book *b, struct log_text *f, const struct log_line *at, struct str text)
{
    if (f->n == f->cap) {
        uint32_t cap = f->cap ? f->cap * 2 : 64;
        struct log_line *v = realloc(f->line, cap * sizeof *v);
        if (!v) {
            b->failed = true;
            return;
        }
        f->line = v;
        f->cap = cap;
    }
    f->line[f->n] = *at;
    f->line[f->n].number = f->n;
    f->line[f->n].at = f->text.n;
    f->line[f->n++].n = text.n;
    buf_add(&f->text, text);
    b->failed = b->failed || buf_failed(&f->text);
}

static int line_cmp(const void *a, const void *b)
{
    const struct log_line *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns < y->ns ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* The earliest line with the mark is the one that counts. */
static void note_place(struct log_place *p, const struct log_line *x, const char *path, uint64_t line)
{
    if (p->found && p->ns <= x->ns)
        return;
    *p = (struct log_place){ .found = true, .line = line, .ns = x->ns, .rank = x->rank };
    str_copy(str_of(path), p->path, sizeof p->path);
}

static void put_lines(struct log_book *b, const struct log_text *f, const char *path, struct emit *o)
{
    uint64_t number = 1;
    for (uint32_t i = 0; i < f->n; i++) {
        const struct log_line *x = &f->line[i];
        struct str s = str_sub(buf_str(&f->text), x->at, x->n);
        if (x->mark)
            note_place(x->mark == LOG_FIRST ? &b->first : &b->seen, x, path, number);
        bool cut = f->torn && i + 1 == f->n;
        emit_n(o, s.p, cut ? s.n - s.n / 3 : s.n);
        if (!cut)
            emit_c(o, '\n');
        for (size_t at = 0; (at = str_find(s, STR("\n"), at)) != SIZE_MAX; at++)
            number++;
        number++;
    }
}

int log_book_write(struct log_book *b, struct log_text *f, const char *path, struct err *e)
{
    char dir[1200];
    struct emit *o;
    struct str p = str_of(path);
    size_t slash = str_rchr(p, '/');
    if (!f->n)
        return OK;
    str_copy(str_sub(p, 0, slash == SIZE_MAX ? 0 : slash), dir, sizeof dir);
    char full[1200];
    if (!path_join(full, sizeof full, b->dir, dir))
        return err_set(e, ERR_USAGE, "the path of the output directory is too long");
    if (emit_mkdirs(full, e) || emit_open(&o, full, path + (slash == SIZE_MAX ? 0 : slash + 1), e))
        return e->code;
    qsort(f->line, f->n, sizeof *f->line, line_cmp);
    put_lines(b, f, path, o);
    b->count->date_ns = demo_date(f->line[f->n - 1].ns);
    forget(f);
    return emit_close(o, b->count, e);
}
