/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts by number: folder, length shared with the rest of the text before, length and bytes of what is left.
 * Every BLOCK-th text shares nothing.
 */
#include "config.h"

#include "base/grow.h"
#include "model/view/texts.h"

#include <stdlib.h>

#define BLOCK       16
#define MAX_FOLDERS 65536u /* more folders, or more bytes of them, are not worth a table */
#define FOLDERS_B   ((size_t)4 << 20)

struct texts {
    unsigned char *p;
    size_t n, cap;
    size_t *blocks; /* where each block begins */
    size_t n_blocks, cap_blocks;
    uint32_t count;
    struct intern *folders; /* folder k > 0 is text k - 1; 0: none */
    size_t folders_b, longest_folder, longest_rest;
    size_t last_folder;
    char *last; /* rest of the text added last; freed by texts_end() */
    size_t last_n, last_cap;
};

int texts_new(struct texts **out, struct err *e)
{
    struct texts *t = *out = calloc(1, sizeof *t);

    if (!t)
        return err_nomem(e);
    if (intern_new(&t->folders, e)) {
        texts_free(t);
        *out = NULL;
    }
    return e->code;
}

void texts_free(struct texts *t)
{
    if (!t)
        return;
    intern_free(t->folders);
    free(t->p);
    free(t->blocks);
    free(t->last);
    free(t);
}

/* ---- writing ---- */

#define LENGTH_MAX 10 /* bytes of a number, 7 bits each */

static unsigned char *put_number(unsigned char *p, size_t v)
{
    for (; v >= 128; v >>= 7)
        *p++ = (unsigned char)(v | 128);
    *p++ = (unsigned char)v;
    return p;
}

static int make_room(struct texts *t, size_t text_n, struct err *e)
{
    size_t need = t->n + text_n + (size_t)3 * LENGTH_MAX;

    if (need > t->cap) {
        size_t cap = need + need / 2 + 4096;
        unsigned char *p = realloc(t->p, cap);
        if (!p)
            return err_nomem(e);
        t->p = p;
        t->cap = cap;
    }
    if (t->count % BLOCK == 0) {
        size_t *blocks = grow_array(t->blocks, t->n_blocks, &t->cap_blocks, sizeof *blocks, 64);
        if (!blocks)
            return err_nomem(e);
        t->blocks = blocks;
    }
    if (text_n > t->last_cap) {
        char *last = realloc(t->last, text_n * 2);
        if (!last)
            return err_nomem(e);
        t->last = last;
        t->last_cap = text_n * 2;
    }
    return OK;
}

/*
 * Number of the folder with which a text begins, 0 when it is not in the table and there is no room for it.
 */
static size_t folder_of(struct texts *t, struct str s)
{
    size_t slash = str_rchr(s, '/');
    struct str folder = str_sub(s, 0, slash == SIZE_MAX ? 0 : slash + 1);

    if (!folder.n)
        return 0;
    if (str_eq(folder, texts_folder(t, t->last_folder)))
        return t->last_folder;
    uint32_t id = intern_find(t->folders, folder);
    if (id == INTERN_NONE && intern_count(t->folders) < MAX_FOLDERS && t->folders_b + folder.n <= FOLDERS_B &&
        (id = intern_put(t->folders, folder)) != INTERN_NONE)
        t->folders_b += folder.n;
    if (id == INTERN_NONE)
        return 0;
    if (folder.n > t->longest_folder)
        t->longest_folder = folder.n;
    return t->last_folder = (size_t)id + 1;
}

int texts_add(struct texts *t, struct str s, struct err *e)
{
    size_t shared = 0;

    if (t->count == UINT32_MAX - 1)
        return err_set(e, ERR_LIMIT, "too many distinct texts in a column");
    size_t folder = folder_of(t, s);
    struct str rest = str_sub(s, texts_folder(t, folder).n, s.n);
    if (make_room(t, rest.n, e))
        return e->code;
    if (t->count % BLOCK == 0)
        t->blocks[t->n_blocks++] = t->n;
    else
        shared = str_common(rest, (struct str){ t->last, t->last_n });
    unsigned char *p = put_number(t->p + t->n, folder);
    p = put_number(put_number(p, shared), rest.n - shared);
    if (rest.n > shared) {
        memcpy(p, rest.p + shared, rest.n - shared);
        memcpy(t->last + shared, rest.p + shared, rest.n - shared);
    }
    t->n = (size_t)(p - t->p) + rest.n - shared;
    t->last_n = rest.n;
    if (rest.n > t->longest_rest)
        t->longest_rest = rest.n;
    t->count++;
    return OK;
}

void texts_end(struct texts *t)
{
    size_t cap = t->n ? t->n : 1;
    unsigned char *p = realloc(t->p, cap);

    if (p) {
        t->p = p;
        t->cap = cap;
    }
    free(t->last);
    t->last = NULL;
    t->last_n = t->last_cap = 0;
}

uint32_t texts_count(const struct texts *t)
{
    return t->count;
}

size_t texts_folders(const struct texts *t)
{
    return intern_count(t->folders);
}

struct str texts_folder(const struct texts *t, size_t folder)
{
    return folder ? intern_get(t->folders, (uint32_t)folder - 1) : STR("");
}

size_t texts_bytes(const struct texts *t)
{
    return sizeof *t + t->cap + t->cap_blocks * sizeof *t->blocks + t->last_cap + t->folders_b +
           (size_t)intern_count(t->folders) * 32;
}

/* ---- reading ---- */

int texts_open(struct texts_cursor *c, const struct texts *t, struct err *e)
{
    *c = (struct texts_cursor){ .t = t };
    c->rest = malloc(t->longest_rest + 1);
    c->buf = malloc(t->longest_folder + t->longest_rest + 1);
    if (c->rest && c->buf)
        return OK;
    texts_close(c);
    return err_nomem(e);
}

void texts_close(struct texts_cursor *c)
{
    free(c->rest);
    free(c->buf);
    *c = (struct texts_cursor){ .t = NULL };
}

static size_t get_number(const unsigned char **p)
{
    size_t v = *(*p)++;

    if (v < 128)
        return v;
    v &= 127;
    for (unsigned shift = 7;; shift += 7) {
        size_t b = *(*p)++;
        v |= (b & 127) << shift;
        if (b < 128)
            return v;
    }
}

/* Read on up to text i, in the block in which p stands. */
static void read_to(struct texts_cursor *c, uint32_t i)
{
    for (; c->next <= i; c->next++) {
        c->folder = get_number(&c->p);
        size_t shared = get_number(&c->p), n = get_number(&c->p);
        memcpy(c->rest + shared, c->p, n);
        c->p += n;
        c->rest_n = shared + n;
    }
    c->whole = false;
}

struct str texts_rest(struct texts_cursor *c, uint32_t i, size_t *folder)
{
    if (i >= c->t->count)
        return STR_NULL;
    if (!c->p || i + 1 < c->next || (i >= c->next && i / BLOCK != c->next / BLOCK)) {
        c->p = c->t->p + c->t->blocks[i / BLOCK];
        c->next = i / BLOCK * BLOCK;
    }
    if (i >= c->next)
        read_to(c, i);
    *folder = c->folder;
    return (struct str){ c->rest, c->rest_n };
}

struct str texts_at(struct texts_cursor *c, uint32_t i)
{
    size_t number;
    struct str rest = texts_rest(c, i, &number);

    if (rest.p && !c->whole) {
        struct str folder = texts_folder(c->t, number);
        memcpy(c->buf, folder.p, folder.n);
        memcpy(c->buf + folder.n, rest.p, rest.n);
        c->n = folder.n + rest.n;
        c->whole = true;
    }
    return rest.p ? (struct str){ c->buf, c->n } : STR_NULL;
}
